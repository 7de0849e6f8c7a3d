/* SPDX-License-Identifier: MIT */
/* class_clamp.c - x → hi ⌊ lo ⌈ s ± x, and without a shift hi ⌊ lo ⌈ b×x for a constant b > 0.
 *
 * Two such functions, L after R: the bounds of R go through L,
 *
 *   s = L.s + R.s    lo = L(R.lo)    hi = L(R.hi)
 *
 * or if L turns values round, s - x, then s = L.s - R.s, and the bounds change places. The sign
 * is a component of its own for floats, for integers the sign of `far`, which is never 0 then.
 *
 * Integers. As long as nothing leaves ±2^62 this is exact. Nothing does if |x| and the sum
 * `far` of the magnitudes of all shifts and bounds together stay below 2^62, which is tested
 * at the end; `far` is f32, rounded up. A bound that is not there is ±2^62: what it becomes by
 * shifts is still beyond every x + s then, so it never shows. (A sum of bounds is more than
 * need be, but is one component.)
 *
 * Floats. Each of x + s, lo and hi is a sum of shifts and one more term, with the error of a
 * sum by a tree; minimum and maximum add none. Shifts beyond a sane size escape, so that no
 * sum of them overflows. With a multiplier in place of shifts all errors are relative ones. */
#include "class.h"

#include <math.h>

typedef struct clamp {
  int s, b, m, e, lo, hi, far; /* places of the components, -1: there is none */
  bool shifts, turns;          /* there is s; it may be s - x */
} clamp;

static bool fits_clamp(const forms *s, clamp *p) {
  const form *f = &s->out;
  double b;
  if (f->kind != FORM_LINEAR || s->assumed || !mk_const(s->m, f->b, &b)) return false;
  if (!f->has_lo && !f->has_hi) return false;
  p->turns = b == -1;
  p->shifts = p->turns || !mk_is(s->m, f->a, 0) || forms_overflow(s);
  if (s->m->ty == KI64) return b == 1 || b == -1;
  return kty_is_float(s->m->ty) && (b == 1 || b == -1 || (b > 0 && !p->shifts));
}

/* The value that replaces a missing bound. */
static kimm end_of(const mk *m, bool shifts, bool high) {
  if (kty_is_float(m->ty)) return (kimm){.f = high ? HUGE_VAL : -HUGE_VAL};
  if (shifts) return (kimm){.i = high ? INT64_C(1) << 62 : -(INT64_C(1) << 62)};
  return (kimm){.i = high ? INT64_MAX : INT64_MIN};
}

static kv bound_or_end(mk *m, bool there, kv bound, kimm end) {
  if (there) return bound;
  if (kty_is_float(m->ty)) return mk_real(m, m->ty, end.f);
  return mk_int(m, m->ty, end.i);
}

/* All magnitudes that the element's own values can add. */
static kv element_far(forms *s) {
  mk *m = s->m;
  kv far = mk_real(m, KF32, 0);
  for (uint32_t i = 0; i < s->body->n_ins; i++) {
    const form *f = &s->f[i];
    if (f->kind != FORM_LINEAR) continue;
    if (f->checked) far = mk_bound_max(m, far, mk_bound(m, f->a));
  }
  far = mk_bound_max(m, far, mk_bound(m, s->out.a));
  for (uint32_t i = 0; i < s->body->n_ins; i++) {
    const form *f = &s->f[i];
    if (f->kind != FORM_LINEAR || !f->checked) continue;
    if (f->has_lo) far = mk_bound_add(m, far, mk_bound(m, f->lo));
    if (f->has_hi) far = mk_bound_add(m, far, mk_bound(m, f->hi));
  }
  if (s->out.has_lo) far = mk_bound_add(m, far, mk_bound(m, s->out.lo));
  if (s->out.has_hi) far = mk_bound_add(m, far, mk_bound(m, s->out.hi));
  return far;
}

static void lift_shift(forms *s, kclass *r, clamp *p) {
  mk *m = s->m;
  kv start = mk_arg(m, 1), x = mk_arg(m, 2);
  p->s = class_component(r, m->ty, (kimm){.i = 0});
  if (kty_is_float(m->ty)) {
    r->identity[p->s].f = -0.0;
    kv most = mk_real(m, m->ty, m->ty == KF32 ? 0x1p90 : 0x1p960);
    kv sane = mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, s->out.a), most);
    mk_escape(m, mk_one(m, KOP_NOT, sane));
  }
  mk_out(m, (uint32_t)p->s, mk_sel(m, start, x, s->out.a));
  if (!p->turns || !kty_is_float(m->ty)) return;
  p->b = class_component(r, m->ty, (kimm){.f = 1});
  mk_out(m, (uint32_t)p->b, mk_sel(m, start, mk_real(m, m->ty, 1), s->out.b));
}

static void lift_factor(forms *s, kclass *r, clamp *p) {
  mk *m = s->m;
  scaled b = mk_split(m, s->out.b);
  double factor;
  p->m = class_component(r, m->ty, (kimm){.f = 1});
  if (mk_const(m, s->out.b, &factor) && factor < 1) { /* see class_affine.c */
    const form *f = &s->out;
    kv start = mk_arg(m, 1), x = mk_arg(m, 2);
    mk_out(m, (uint32_t)p->m, s->out.b);
    m->has_unless = false;
    if (f->has_lo) mk_escape_large(m, mk_sel(m, start, x, f->lo));
    if (f->has_hi) mk_escape_large(m, mk_sel(m, start, x, f->hi));
    return;
  }
  p->e = class_component(r, KI32, (kimm){.i = 0});
  mk_out(m, (uint32_t)p->m, b.m);
  mk_out(m, (uint32_t)p->e, b.e);
}

/* Without a shift the start is lo = hi = x, so both are there; and where they may change
 * places. */
static void lift_bounds(forms *s, kclass *r, clamp *p) {
  mk *m = s->m;
  const form *f = &s->out;
  const bool both = !p->shifts || p->turns;
  kv start = mk_arg(m, 1), x = mk_arg(m, 2);
  kimm low = end_of(m, p->shifts, false), high = end_of(m, p->shifts, true);
  kv no_lo = bound_or_end(m, false, 0, low), no_hi = bound_or_end(m, false, 0, high);
  if (f->has_lo || both) {
    p->lo = class_component(r, m->ty, low);
    kv lo = bound_or_end(m, f->has_lo, f->lo, low);
    mk_out(m, (uint32_t)p->lo, mk_sel(m, start, p->shifts ? no_lo : x, lo));
  }
  if (f->has_hi || both) {
    p->hi = class_component(r, m->ty, high);
    kv hi = bound_or_end(m, f->has_hi, f->hi, high);
    mk_out(m, (uint32_t)p->hi, mk_sel(m, start, p->shifts ? no_hi : x, hi));
  }
}

/* The magnitudes, with the sign of the function if it has one. */
static void lift_far(forms *s, kclass *r, clamp *p) {
  mk *m = s->m;
  kv x = mk_bound(m, mk_arg(m, 2)), far = element_far(s);
  p->far = class_component(r, KF32, (kimm){.f = p->turns});
  if (p->turns) {
    x = mk_bound_add(m, x, mk_real(m, KF32, 1));
    far = mk_one(m, KOP_NEG, mk_bound_add(m, far, mk_real(m, KF32, 1)));
  }
  mk_out(m, (uint32_t)p->far, mk_sel(m, mk_arg(m, 1), x, far));
}

/* A bound that is a NaN would depend on the order. */
static kv nan_test(mk *m, kv a) { return mk_cmp(m, KOP_NE, a, a); }
static void escape_nan(mk *m, bool there, kv a) {
  if (there && kty_is_float(m->ty)) mk_escape(m, nan_test(m, a));
}

static void lift_clamp(forms *s, kclass *r, clamp *p) {
  mk *m = s->m;
  const form *f = &s->out;
  const bool floats = kty_is_float(m->ty);
  if (p->shifts) lift_shift(s, r, p);
  else if (!mk_is(m, f->b, 1)) lift_factor(s, r, p);
  m->has_unless = true;
  escape_nan(m, f->has_lo, f->lo);
  escape_nan(m, f->has_hi, f->hi);
  lift_bounds(s, r, p);
  m->has_unless = false;
  if (!p->shifts && floats)
    mk_escape(m, mk_two(m, KOP_AND, mk_arg(m, 1), nan_test(m, mk_arg(m, 2))));
  if (p->shifts && !floats) lift_far(s, r, p);
}

/* Does the tuple's function turn values round? */
static kv turned(mk *m, const clamp *p, const kv *t) {
  kv sign = p->b >= 0 ? t[p->b] : t[p->far];
  return mk_cmp(m, KOP_LT, sign, mk_real(m, mk_type(m, sign), 0));
}
static kv signed_by(mk *m, const clamp *p, const kv *t, kv x) {
  if (!p->turns) return x;
  if (p->b >= 0) return mk_two(m, KOP_MUL, t[p->b], x);
  return mk_sel(m, turned(m, p, t), mk_one(m, KOP_NEG, x), x);
}

/* The tuple's function at x. NaN stays NaN. */
static kv at(mk *m, const clamp *p, const kv *t, kv x) {
  if (p->s >= 0) x = mk_two(m, KOP_ADD, signed_by(m, p, t, x), t[p->s]);
  if (p->e >= 0) x = mk_two(m, KOP_MUL, t[p->m], mk_ldexp(m, x, t[p->e]));
  else if (p->m >= 0) /* a bound that is not there stays so, even where the factor is 0 */
    x = mk_sel(m, mk_finite(m, x), mk_two(m, KOP_MUL, t[p->m], x), x);
  if (p->lo >= 0) x = mk_two(m, KOP_MAX, x, t[p->lo]);
  if (p->hi >= 0) x = mk_two(m, KOP_MIN, x, t[p->hi]);
  return x;
}

static void join_far(mk *m, const clamp *p, const kv *L, const kv *R) {
  if (!p->turns) {
    mk_out(m, (uint32_t)p->far, mk_bound_add(m, L[p->far], R[p->far]));
    return;
  }
  kv far = mk_bound_add(m, mk_one(m, KOP_ABS, L[p->far]), mk_one(m, KOP_ABS, R[p->far]));
  kv turns = mk_two(m, KOP_XOR, turned(m, p, L), turned(m, p, R));
  mk_out(m, (uint32_t)p->far, mk_sel(m, turns, mk_one(m, KOP_NEG, far), far));
}

static void join_clamp(mk *m, const clamp *p, const kv *L, const kv *R) {
  if (p->s >= 0)
    mk_out(m, (uint32_t)p->s, mk_two(m, KOP_ADD, signed_by(m, p, L, R[p->s]), L[p->s]));
  if (p->b >= 0) mk_out(m, (uint32_t)p->b, mk_two(m, KOP_MUL, L[p->b], R[p->b]));
  if (p->m >= 0 && p->e < 0)
    mk_out(m, (uint32_t)p->m, mk_vanishing(m, mk_two(m, KOP_MUL, L[p->m], R[p->m])));
  if (p->e >= 0) {
    scaled b = mk_scaled_mul(m, (scaled){L[p->m], L[p->e]}, (scaled){R[p->m], R[p->e]});
    mk_out(m, (uint32_t)p->m, b.m);
    mk_out(m, (uint32_t)p->e, b.e);
  }
  kv lo = p->lo >= 0 ? R[p->lo] : 0, hi = p->hi >= 0 ? R[p->hi] : 0;
  if (p->turns) {
    kv swap = turned(m, p, L), was = lo;
    lo = mk_sel(m, swap, hi, lo);
    hi = mk_sel(m, swap, was, hi);
  }
  if (p->lo >= 0) mk_out(m, (uint32_t)p->lo, at(m, p, L, lo));
  if (p->hi >= 0) mk_out(m, (uint32_t)p->hi, at(m, p, L, hi));
  if (p->far >= 0) join_far(m, p, L, R);
}

static void apply_clamp(mk *m, const clamp *p, const kv *t, kv x) {
  kv r = at(m, p, t, x);
  mk_out(m, 0, r);
  if (p->far >= 0) {
    kv far = mk_one(m, KOP_ABS, t[p->far]);
    mk_escape_from(m, mk_bound_add(m, far, mk_bound(m, x)), 0x1p62);
  }
  if (kty_is_float(m->ty)) mk_escape(m, mk_one(m, KOP_NOT, mk_finite(m, r)));
  if (p->m >= 0 && p->e < 0) mk_escape_large(m, x);
}

bool class_clamp(ctx *c, const kclass_ask *ask, kclass *r) {
  forms s;
  mk m = class_begin_lift(c, ask, r);
  clamp p = {-1, -1, -1, -1, -1, -1, -1, false, false};
  bool fits = forms_derive(&s, &m, ask->body) && fits_clamp(&s, &p);
  if (fits) lift_clamp(&s, r, &p);
  forms_free(&s);
  if (!fits || err_is(c)) return false;
  kv outer[KCLASS_MAX], inner[KCLASS_MAX], x;
  mk j = class_begin_join(c, ask, r, outer, inner);
  join_clamp(&j, &p, outer, inner);
  mk a = class_begin_apply(c, ask, r, outer, &x);
  apply_clamp(&a, &p, outer, x);
  r->exact = m.ty == KI64;
  r->kind = KCLASS_CLAMP;
  r->name = "clamp";
  r->why = "x → hi ⌊ lo ⌈ a + b×x: the functions are composed";
  return !err_is(c);
}
