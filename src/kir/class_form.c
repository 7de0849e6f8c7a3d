/* SPDX-License-Identifier: MIT */
/* class_form.c - a body as a function of its state: each instruction's value as a form in x
 * whose coefficients do not depend on x and are computed in the lift.
 *
 * What divides asks whether the divisor is 0, and has an answer for it that leaves the form.
 * So x-dependent values are assumed not to be 0: such a test is FORM_FALSE and notes what it
 * assumes. The class that is chosen must know that the assumption holds for every state it
 * meets; a class that cannot know it is not chosen. A test that does not depend on x, but is
 * joined with one that does, is assumed to be false too: the lift escapes where it is not.
 * To escape is always right, for the fold is then done sequentially. */
#include "class.h"

#include "../base/mem.h"

static form none(void) { return (form){.kind = FORM_NONE}; }
static form free_form(kv a) { return (form){.kind = FORM_FREE, .a = a}; }
static bool is_free(form f) { return f.kind == FORM_FREE; }
static bool is_linear(form f) { return f.kind == FORM_LINEAR; }
static bool is_bounded(form f) { return f.has_lo || f.has_hi; }

/* ── sums and products ─────────────────────────────────────────────────────────────── */

static form add_free(mk *m, form f, kv k) {
  if (f.kind == FORM_RATIO) { /* (b x + a) ÷ (d x + e) + k */
    f.b = mk_two(m, KOP_ADD, f.b, mk_two(m, KOP_MUL, k, f.d));
    f.a = mk_two(m, KOP_ADD, f.a, mk_two(m, KOP_MUL, k, f.e));
    return f;
  }
  f.a = mk_two(m, KOP_ADD, f.a, k);
  if (f.has_lo) f.lo = mk_two(m, KOP_ADD, f.lo, k);
  if (f.has_hi) f.hi = mk_two(m, KOP_ADD, f.hi, k);
  return f;
}

/* A factor turns bounds round where it is negative, so there its sign must be known. */
static form mul_free(mk *m, form f, kv k) {
  double v = 1;
  if (is_bounded(f) && !mk_const(m, k, &v)) return none();
  f.a = mk_two(m, KOP_MUL, f.a, k);
  f.b = mk_two(m, KOP_MUL, f.b, k);
  if (f.kind != FORM_LINEAR || !is_bounded(f)) return f;
  form r = f;
  if (f.has_lo) r.lo = mk_two(m, KOP_MUL, f.lo, k);
  if (f.has_hi) r.hi = mk_two(m, KOP_MUL, f.hi, k);
  if (v < 0) {
    form t = r;
    r.has_lo = t.has_hi, r.lo = t.hi;
    r.has_hi = t.has_lo, r.hi = t.lo;
  }
  return r;
}

static form negative(mk *m, form f) {
  return mul_free(m, f, mk_num(m, mk_type(m, f.a), -1));
}

static form sum(mk *m, form x, form y) {
  if (is_free(y)) return add_free(m, x, y.a);
  if (is_free(x)) return add_free(m, y, x.a);
  if (!is_linear(x) || !is_linear(y) || is_bounded(x) || is_bounded(y)) return none();
  x.a = mk_two(m, KOP_ADD, x.a, y.a);
  x.b = mk_two(m, KOP_ADD, x.b, y.b);
  return x;
}

static form difference(mk *m, form x, form y) {
  if (is_free(y)) return add_free(m, x, mk_one(m, KOP_NEG, y.a));
  form minus = negative(m, y);
  return minus.kind == FORM_NONE ? minus : sum(m, x, minus);
}

static form product(mk *m, form x, form y) {
  if (is_free(y)) return mul_free(m, x, y.a);
  if (is_free(x)) return mul_free(m, y, x.a);
  return none();
}

/* ── quotients ─────────────────────────────────────────────────────────────────────── */

static form as_ratio(mk *m, form f) {
  kty ty = mk_type(m, f.a);
  if (is_bounded(f)) return none();
  if (f.kind == FORM_RATIO) return f;
  form r = {.kind = FORM_RATIO, .a = f.a, .b = f.b, .d = mk_num(m, ty, 0)};
  r.e = mk_num(m, ty, 1);
  if (is_free(f)) r.b = r.d;
  return r;
}

static form quotient(mk *m, form x, form y) {
  if (is_free(y)) { /* x times 1÷k */
    kv one = mk_num(m, mk_type(m, y.a), 1);
    return mul_free(m, x, mk_two(m, KOP_DIV, one, y.a));
  }
  x = as_ratio(m, x);
  y = as_ratio(m, y);
  if (x.kind != FORM_RATIO || y.kind != FORM_RATIO) return none();
  /* Only the quotient of two linear forms stays of this form. */
  bool whole_x = mk_is(m, x.d, 0) && mk_is(m, x.e, 1);
  bool whole_y = mk_is(m, y.d, 0) && mk_is(m, y.e, 1);
  if (whole_x && whole_y)
    return (form){FORM_RATIO, .a = x.a, .b = x.b, .d = y.b, .e = y.a};
  if (!whole_x || !mk_is(m, x.b, 0)) return none();
  form r = {FORM_RATIO, .d = y.b, .e = y.a}; /* k ÷ ((b x + a) ÷ (d x + e)) */
  r.a = mk_two(m, KOP_MUL, x.a, y.e);
  r.b = mk_two(m, KOP_MUL, x.a, y.d);
  return r;
}

/* ── bounds and choices ────────────────────────────────────────────────────────────── */

static form at_most(mk *m, form f, kv c) {
  if (f.has_lo) f.lo = mk_two(m, KOP_MIN, f.lo, c);
  f.hi = f.has_hi ? mk_two(m, KOP_MIN, f.hi, c) : c;
  f.has_hi = true;
  return f;
}
static form at_least(mk *m, form f, kv c) {
  if (f.has_hi) f.hi = mk_two(m, KOP_MAX, f.hi, c);
  f.lo = f.has_lo ? mk_two(m, KOP_MAX, f.lo, c) : c;
  f.has_lo = true;
  return f;
}

static form bounded(mk *m, kop op, form x, form y) {
  form f = is_free(y) ? x : y;
  kv c = is_free(y) ? y.a : x.a;
  if (!is_linear(f) || (!is_free(x) && !is_free(y))) return none();
  return op == KOP_MIN ? at_most(m, f, c) : at_least(m, f, c);
}

static form linear_of(mk *m, form f) {
  if (is_free(f)) {
    f.kind = FORM_LINEAR;
    f.b = mk_num(m, mk_type(m, f.a), 0);
  }
  return f;
}

/* One of two linear functions, as v says. */
static form choice(mk *m, kv when, form x, form y) {
  x = linear_of(m, x);
  y = linear_of(m, y);
  if (!is_linear(x) || !is_linear(y) || x.has_lo != y.has_lo || x.has_hi != y.has_hi)
    return none();
  x.assumes |= y.assumes;
  x.a = mk_sel(m, when, x.a, y.a);
  x.b = mk_sel(m, when, x.b, y.b);
  if (x.has_lo) x.lo = mk_sel(m, when, x.lo, y.lo);
  if (x.has_hi) x.hi = mk_sel(m, when, x.hi, y.hi);
  return x;
}

/* {⍺>⍵:⍺ ⋄ ⍵} on integers is ⌈. */
static form chosen_by_compare(forms *s, const kins *n) {
  const kins *test = &s->body->ins[n->a];
  bool straight = test->a == n->b && test->b == n->c;
  bool crossed = test->a == n->c && test->b == n->b;
  bool more = test->op == KOP_GT || test->op == KOP_GE;
  bool less = test->op == KOP_LT || test->op == KOP_LE;
  if (!kty_is_int((kty)n->ty) || !(straight || crossed) || !(more || less)) return none();
  return bounded(s->m, more == straight ? KOP_MAX : KOP_MIN, s->f[n->b], s->f[n->c]);
}

static form selected(forms *s, const kins *n) {
  form when = s->f[n->a], x = s->f[n->b], y = s->f[n->c];
  if (is_free(when)) return choice(s->m, when.a, x, y);
  if (when.kind == FORM_NONE) return chosen_by_compare(s, n);
  form r = when.kind == FORM_TRUE ? x : y;
  if (is_free(r)) r = linear_of(s->m, r);
  r.assumes |= when.assumes;
  return r;
}

/* ── truth values ──────────────────────────────────────────────────────────────────── */

/* x = 0, x-dependent. */
static form not_zero(forms *s, form x) {
  if (s->n_nonzero == FORMS_ASSUMED || (x.kind != FORM_LINEAR && x.kind != FORM_RATIO))
    return none();
  s->nonzero[s->n_nonzero] = x;
  return (form){.kind = FORM_FALSE, .assumes = x.assumes | 1u << s->n_nonzero++};
}

static form form_test(forms *s, const kins *n) {
  form x = s->f[n->a], y = s->f[n->b];
  if (n->op == KOP_EQ && is_free(y) && mk_is(s->m, y.a, 0)) return not_zero(s, x);
  if (n->op == KOP_EQ && is_free(x) && mk_is(s->m, x.a, 0)) return not_zero(s, y);
  return none();
}

/* x ∧ y of two conditions: x is assumed to be false, which costs least where a quotient asks
 * whether both of its arguments are 0. */
static form form_both(forms *s, form x, form y) {
  if (is_free(x)) {
    mk_escape(s->m, x.a);
    return (form){.kind = FORM_FALSE};
  }
  if (x.kind == FORM_FALSE) return x;
  if (x.kind == FORM_TRUE && y.kind == FORM_TRUE) {
    x.assumes |= y.assumes;
    return x;
  }
  if (y.kind == FORM_FALSE) return y;
  if (!is_free(y)) return none();
  mk_escape(s->m, y.a);
  return (form){.kind = FORM_FALSE};
}

static form opposite(form x) {
  if (x.kind != FORM_FALSE && x.kind != FORM_TRUE) return none();
  x.kind = x.kind == FORM_FALSE ? FORM_TRUE : FORM_FALSE;
  return x;
}

/* ── the body ──────────────────────────────────────────────────────────────────────── */

static bool operands_free(const forms *s, const kins *n) {
  const kv at[3] = {n->a, n->b, n->c};
  for (int i = 0; i < kop_table[n->op].operands; i++)
    if (!is_free(s->f[at[i]])) return false;
  return true;
}

static form depends(forms *s, const kins *n) {
  form x = s->f[n->a], y = s->f[n->b];
  mk *m = s->m;
  switch ((kop)n->op) {
  case KOP_ADD:
  case KOP_ADDO: return sum(m, x, y);
  case KOP_SUB:
  case KOP_SUBO: return difference(m, x, y);
  case KOP_MUL:
  case KOP_MULO: return product(m, x, y);
  case KOP_NEG: return negative(m, x);
  case KOP_DIV: return quotient(m, x, y);
  case KOP_MIN:
  case KOP_MAX: return bounded(m, (kop)n->op, x, y);
  case KOP_FIN: return x;
  case KOP_SEL: return selected(s, n);
  case KOP_EQ: return form_test(s, n);
  case KOP_AND: return n->ty == KB ? form_both(s, x, y) : none();
  case KOP_NOT: return n->ty == KB ? opposite(x) : none();
  default: return none();
  }
}

static bool may_depend(kop op, form x, form y) { /* have the operands forms at all? */
  if (op == KOP_SEL || op == KOP_AND || op == KOP_FIN) return true;
  return x.kind != FORM_NONE && y.kind != FORM_NONE;
}

static bool is_truth(form f) { return f.kind == FORM_FALSE || f.kind == FORM_TRUE; }

static form form_of(forms *s, const kins *n) {
  mk *m = s->m;
  if (n->op == KOP_ARG && n->imm.i) {
    form x = {.kind = FORM_LINEAR, .a = mk_num(m, (kty)n->ty, 0)};
    x.b = mk_num(m, (kty)n->ty, 1);
    return x;
  }
  if (n->op == KOP_ARG) return free_form(mk_arg(m, 0));
  if (operands_free(s, n)) {
    kv at[3] = {0};
    const kv from[3] = {n->a, n->b, n->c};
    for (int i = 0; i < kop_table[n->op].operands; i++) at[i] = s->f[from[i]].a;
    return free_form(mk_copy(m, *n, at));
  }
  form x = s->f[n->a], y = kop_table[n->op].operands > 1 ? s->f[n->b] : x;
  if (!may_depend((kop)n->op, x, y)) return none();
  if (kop_table[n->op].form == KFORM_SAME && n->ty != KB && (is_truth(x) || is_truth(y)))
    return none();
  form r = depends(s, n);
  r.checked = n->op == KOP_ADDO || n->op == KOP_SUBO || n->op == KOP_MULO;
  if (n->op != KOP_AND && n->op != KOP_SEL) r.assumes |= x.assumes | y.assumes;
  return r;
}

/* Why the value of n has no form though its operands have. */
static const char *reason(const kins *n) {
  switch ((kop)n->op) {
  case KOP_MUL:
  case KOP_MULO: return "it multiplies two values that depend on the state";
  case KOP_DIV: return "its quotients do not stay of one form";
  case KOP_MIN:
  case KOP_MAX: return "it compares two values that depend on the state";
  case KOP_ADD:
  case KOP_ADDO:
  case KOP_SUB:
  case KOP_SUBO: return "it adds a bounded value to one that depends on the state";
  case KOP_ABS: return "it takes the magnitude of what depends on the state";
  case KOP_SEL: return "it chooses by the state between values that are not few";
  default: return "x → v f x has no closed form that composition keeps";
  }
}

static bool operands_have_forms(const forms *s, const kins *n) {
  const kv at[3] = {n->a, n->b, n->c};
  for (int i = n->op == KOP_SEL; i < kop_table[n->op].operands; i++)
    if (s->f[at[i]].kind == FORM_NONE) return false;
  return kop_table[n->op].form != KFORM_COMPARE && n->ty != KB;
}

/* Effects that depend on x: the class itself sees to FIN and to checked operations; ERR and ESC
 * are assumed not to happen. */
static void effect(forms *s, const kins *n) {
  if (n->op != KOP_ERR && n->op != KOP_ESC) return;
  form x = s->f[n->a];
  if (is_free(x)) return; /* it is in the lift */
  s->assumed |= x.assumes;
  if (x.kind != FORM_FALSE) s->ok = false;
}

bool forms_derive(forms *s, mk *m, const kir *body) {
  *s = (forms){.m = m, .body = body, .ok = true};
  s->f = mem_alloc(m->c, body->n_ins * sizeof *s->f);
  if (!s->f) return false;
  for (uint32_t i = 0; i < body->n_ins; i++) {
    const kins *n = &body->ins[i];
    s->f[i] = form_of(s, n);
    effect(s, n);
    if (s->f[i].kind == FORM_NONE && !s->why && operands_have_forms(s, n))
      s->why = reason(n);
    /* What overflows must have a form, so that one can say when. */
    if (kop_has_effect((kop)n->op) && s->f[i].kind == FORM_NONE && kop_has_value(n->op))
      s->ok = false;
  }
  s->out = s->f[body->out[0].value];
  s->assumed |= s->out.assumes;
  if (s->out.kind == FORM_NONE) s->ok = false;
  return !err_is(m->c) && s->ok;
}

bool forms_overflow(const forms *s) {
  for (uint32_t i = 0; i < s->body->n_ins; i++)
    if (s->f[i].checked && s->f[i].kind == FORM_LINEAR) return true;
  return false;
}

void forms_free(forms *s) {
  mem_free(s->m->c, s->f);
  s->f = NULL;
}

const char *class_why_none(ctx *c, const kclass_ask *ask, kclass *r) {
  const char *why = "x → v f x has no closed form that composition keeps";
  forms s;
  mk m = class_begin_lift(c, ask, r);
  if (forms_derive(&s, &m, ask->body) && s.out.kind == FORM_LINEAR)
    why = "bounds together with a factor are no closed form here";
  else if (s.why) why = s.why;
  forms_free(&s);
  kir_free(c, &r->lift);
  return why;
}
