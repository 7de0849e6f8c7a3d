/* SPDX-License-Identifier: MIT */
/* class_table.c - states that are few: x → v f x as a table.
 *
 * Two states: the truth values f(v,0) and f(v,1). Up to sixteen: four bits each of one word,
 * which is i32 for eight. That there are so few is proven by intervals: a result that lies in
 * 0 … 15 whenever the state does. The table is made by running the body on each state, so
 * whatever the body does in between is right, and its errors are the sequential fold's (or
 * those of a state that is never met: then the escape was for nothing). */
#include "class.h"

#include "../base/mem.h"

#include <math.h>

enum { STATES = 16 };

/* ── intervals of the body's values ────────────────────────────────────────────────── */

/* A whole number in the range; any value at all if that is not in 64 bits. */
static range of_type(kty ty) {
  if (ty == KB) return (range){0, 1};
  if (ty == KI32) return (range){INT32_MIN, INT32_MAX};
  return ty == KI64 ? range_i64() : range_unknown();
}

/* What wraps around is any value of its type; floats are whole numbers up to 2^53. */
static range in_type(kty ty, range r) {
  const range_int exact = ty == KF32 ? 1 << 24 : (range_int)1 << 53;
  range t = kty_is_float(ty) ? (range){-exact, exact} : of_type(ty);
  return r.lo < t.lo || r.hi > t.hi ? of_type(ty) : r;
}

static bool is_const(const kir *k, kv a, int64_t *v) {
  const kins *n = &k->ins[a];
  if (n->op != KOP_CONST || kty_is_float((kty)n->ty)) return false;
  *v = n->imm.i;
  return true;
}

/* y - (y quot m)×m for a constant m. */
static bool is_remainder(const kir *k, kv a, kv *y, int64_t *by) {
  const kins *n = &k->ins[a];
  if (n->op != KOP_SUB) return false;
  const kins *p = &k->ins[n->b];
  if (p->op != KOP_MUL || !is_const(k, p->b, by)) return false;
  const kins *q = &k->ins[p->a];
  *y = n->a;
  int64_t of;
  return q->op == KOP_QUOT && q->a == n->a && is_const(k, q->b, &of) && of == *by &&
         *by > 0;
}

/* m|y is a remainder, put right where its sign is not m's. */
static bool is_residue(const kir *k, const kins *n, int64_t *by) {
  const kins *fix = &k->ins[n->b];
  kv y;
  int64_t m;
  return is_remainder(k, n->c, &y, by) && fix->op == KOP_ADD && fix->a == n->c &&
         is_const(k, fix->b, &m) && m == *by;
}

static range remainder_range(range y, int64_t by) {
  range_int most = by - 1, least = y.lo >= 0 ? 0 : -most;
  if (y.lo >= 0 && y.hi < by) return y;
  return (range){least, most};
}

/* The primitive that gives a number what the operation does. */
static prim primitive_of(kop op) {
  switch (op) {
  case KOP_ADD:
  case KOP_ADDO: return P_PLUS;
  case KOP_SUB:
  case KOP_SUBO:
  case KOP_NEG: return P_MINUS;
  case KOP_MUL:
  case KOP_MULO: return P_TIMES;
  case KOP_MIN: return P_FLOOR;
  case KOP_MAX: return P_CEIL;
  case KOP_ABS: return P_RESIDUE;
  default: return P_COUNT;
  }
}

/* Operands that are known. */
static range arithmetic(kop op, range x, range y) {
  prim p = primitive_of(op);
  if (op == KOP_AND && y.lo >= 0) return (range){0, y.hi};
  if (op == KOP_AND && x.lo >= 0) return (range){0, x.hi};
  if (p == P_COUNT) return range_unknown();
  return range_of_result(p, kop_table[op].operands > 1, x, y);
}

static range const_range(const kins *n) {
  if (!kty_is_float((kty)n->ty)) return (range){n->imm.i, n->imm.i};
  double v = n->imm.f;
  if (!(fabs(v) < 0x1p53) || floor(v) != v) return range_unknown();
  return (range){(range_int)v, (range_int)v};
}

static range range_at(const kir *k, const kins *n, const range *at) {
  range x = at[n->a], y = kop_table[n->op].operands > 1 ? at[n->b] : x;
  int64_t by;
  kv of;
  if (kop_table[n->op].form == KFORM_COMPARE || n->ty == KB) return (range){0, 1};
  switch ((kop)n->op) {
  case KOP_CONST: return const_range(n);
  case KOP_FIN:
  case KOP_CVT: return x;
  case KOP_SEL:
    if (is_residue(k, n, &by)) return (range){0, by - 1};
    return (range){range_least(y.lo, at[n->c].lo), range_most(y.hi, at[n->c].hi)};
  case KOP_SUB:
    if (is_remainder(k, (kv)(n - k->ins), &of, &by)) return remainder_range(at[of], by);
    break;
  default: break;
  }
  if (!range_in64(x) || !range_in64(y)) return range_unknown();
  return arithmetic((kop)n->op, x, y);
}

static range arg_range(const kclass_ask *ask, const kins *n, range x) {
  if (n->imm.i) return x;
  if (kty_is_float((kty)n->ty) || !range_in64(ask->element)) return of_type((kty)n->ty);
  return ask->element;
}

/* Where the result lies if the state lies in x. */
static bool result_range(ctx *c, const kclass_ask *ask, range x, range *result) {
  const kir *k = ask->body;
  range *at = mem_alloc(c, k->n_ins * sizeof *at);
  if (!at) return false;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    if (n->op == KOP_ARG) at[i] = arg_range(ask, n, x);
    else at[i] = range_at(k, n, at);
    at[i] = in_type((kty)n->ty, at[i]);
  }
  *result = at[k->out[0].value];
  mem_free(c, at);
  return true;
}

/* How many states there are, or 0: from `most` on as few as stay among themselves. */
static int count_states(ctx *c, const kclass_ask *ask, bool *peel) {
  int n = STATES;
  kty ty = (kty)ask->body->ins[ask->body->out[0].value].ty;
  range r;
  for (int fewer = 0; fewer < n;) {
    if (!result_range(c, ask, (range){0, n - 1}, &r)) return 0;
    if (r.lo < 0 || r.hi >= n) return 0;
    fewer = (int)r.hi + 1;
    if (fewer < 2) fewer = 2;
    if (fewer == n) break;
    n = fewer;
    fewer = 0;
  }
  if (!result_range(c, ask, of_type(ty), &r)) return 0;
  *peel = ty != KB && r.lo >= 0 && r.hi < n;
  return n;
}

/* ── two states ────────────────────────────────────────────────────────────────────── */

static kv as_truth(mk *m, kv a) {
  if (mk_type(m, a) == KB) return a;
  return mk_cmp(m, KOP_NE, a, mk_num(m, mk_type(m, a), 0));
}

/* Escapes where x is neither 0 nor 1. */
static void escape_no_truth(mk *m, kv x, kv when, bool has_when) {
  kty ty = mk_type(m, x);
  if (ty == KB) return;
  kv not0 = mk_cmp(m, KOP_NE, x, mk_num(m, ty, 0));
  kv bad = mk_two(m, KOP_AND, not0, mk_cmp(m, KOP_NE, x, mk_num(m, ty, 1)));
  if (has_when) bad = mk_two(m, KOP_AND, bad, when);
  m->has_unless = false;
  mk_escape(m, bad);
}

static void lift_truths(mk *m, const kir *body) {
  kv v = mk_arg(m, 0), start = mk_arg(m, 1), x = mk_arg(m, 2);
  for (uint32_t i = 0; i < 2; i++) {
    kv to = as_truth(m, mk_body(m, body, v, mk_num(m, m->ty, i)));
    mk_out(m, i, mk_sel(m, start, as_truth(m, x), to));
  }
  escape_no_truth(m, x, start, true);
}

bool class_boolean(ctx *c, const kclass_ask *ask, kclass *r) {
  if (count_states(c, ask, &r->peel) != 2) return false;
  mk m = class_begin_lift(c, ask, r);
  lift_truths(&m, ask->body);
  r->n = 2;
  r->ty[0] = r->ty[1] = KB;
  r->identity[0].i = 0;
  r->identity[1].i = 1;
  kv outer[KCLASS_MAX], inner[KCLASS_MAX], x;
  mk j = class_begin_join(c, ask, r, outer, inner);
  for (uint32_t i = 0; i < 2; i++)
    mk_out(&j, i, mk_sel(&j, inner[i], outer[1], outer[0]));
  mk a = class_begin_apply(c, ask, r, outer, &x);
  kv to = mk_sel(&a, as_truth(&a, x), outer[1], outer[0]);
  kv out = mk_cvt(&a, a.ty, to);
  escape_no_truth(&a, x, 0, false);
  mk_out(&a, 0, out);
  r->exact = true;
  r->kind = KCLASS_BOOLEAN;
  r->name = "boolean";
  r->why = "the result is a truth value: tables of two are composed";
  return !err_is(c);
}

/* ── up to sixteen ─────────────────────────────────────────────────────────────────── */

typedef struct table {
  int states, steps; /* steps: bits of a state's number */
  kty word;
} table;

/* Entry number `at` (of type KI32) of the word t, KI32, with what lies above it. */
static kv shifted(mk *m, const table *p, kv t, kv at) {
  for (int b = p->steps - 1; b >= 0; b--) {
    kv bit = mk_two(m, KOP_AND, at, mk_int(m, p->word, INT64_C(1) << b));
    kv set = mk_cmp(m, KOP_NE, bit, mk_int(m, p->word, 0));
    t = mk_sel(m, set, mk_shift(m, KOP_SAR, t, 4 << b), t);
  }
  return mk_two(m, KOP_AND, t, mk_int(m, p->word, 15));
}

static void lift_word(mk *m, const table *p, const kir *body) {
  kv v = mk_arg(m, 0), start = mk_arg(m, 1), x = mk_cvt(m, p->word, mk_arg(m, 2));
  kv word = 0, constant = 0;
  for (int i = 0; i < p->states; i++) {
    kv to = mk_cvt(m, p->word, mk_body(m, body, v, mk_num(m, m->ty, i)));
    to = mk_shift(m, KOP_SHL, to, 4 * i);
    kv same = mk_shift(m, KOP_SHL, x, 4 * i);
    word = i ? mk_two(m, KOP_OR, word, to) : to;
    constant = i ? mk_two(m, KOP_OR, constant, same) : same;
  }
  mk_out(m, 0, mk_sel(m, start, constant, word));
}

static void escape_no_state(mk *m, const table *p, kv x, kv when, bool has_when) {
  kty ty = mk_type(m, x);
  kv in = mk_two(m, KOP_AND, mk_cmp(m, KOP_GE, x, mk_num(m, ty, 0)),
                 mk_cmp(m, KOP_LT, x, mk_num(m, ty, p->states)));
  if (kty_is_float(ty))
    in = mk_two(m, KOP_AND, in, mk_cmp(m, KOP_EQ, x, mk_one(m, KOP_FLOOR, x)));
  kv bad = mk_one(m, KOP_NOT, in);
  if (has_when) bad = mk_two(m, KOP_AND, bad, when);
  m->has_unless = false;
  mk_escape(m, bad);
}

static void join_words(mk *m, const table *p, kv outer, kv inner) {
  kv word = 0;
  for (int i = 0; i < p->states; i++) {
    kv mid = mk_shift(m, KOP_SAR, inner, 4 * i);
    kv to = mk_shift(m, KOP_SHL, shifted(m, p, outer, mid), 4 * i);
    word = i ? mk_two(m, KOP_OR, word, to) : to;
  }
  mk_out(m, 0, word);
}

bool class_states(ctx *c, const kclass_ask *ask, kclass *r) {
  table p = {.states = count_states(c, ask, &r->peel), .word = KI32};
  if (p.states < 2) return false;
  if (p.states > 8) p.word = KI64;
  while (1 << p.steps < p.states) p.steps++;
  mk m = class_begin_lift(c, ask, r);
  lift_word(&m, &p, ask->body);
  escape_no_state(&m, &p, mk_arg(&m, 2), mk_arg(&m, 1), true);
  r->n = 1;
  r->ty[0] = (uint8_t)p.word;
  for (int i = p.states - 1; i >= 0; i--)
    r->identity[0].i = (int64_t)((uint64_t)r->identity[0].i << 4 | (unsigned)i);
  kv outer[KCLASS_MAX], inner[KCLASS_MAX], x;
  mk j = class_begin_join(c, ask, r, outer, inner);
  join_words(&j, &p, outer[0], inner[0]);
  mk a = class_begin_apply(c, ask, r, outer, &x);
  kv at = mk_cvt(&a, p.word, x);
  mk_out(&a, 0, mk_cvt(&a, a.ty, shifted(&a, &p, outer[0], at)));
  escape_no_state(&a, &p, x, 0, false);
  r->exact = true;
  r->kind = KCLASS_STATES;
  r->name = "states";
  r->why = "there are at most 16 states: tables of them are composed";
  return !err_is(c);
}
