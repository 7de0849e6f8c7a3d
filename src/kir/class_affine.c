/* SPDX-License-Identifier: MIT */
/* class_affine.c - x → a + b×x.
 *
 * Integers. Composition is done modulo 2^64, which is a ring, so any order gives the same.
 * The result is the sequential one if no value on the sequential way leaves i64. So bounds
 * travel along: `most` ≥ |a'| and `slope` ≥ |b'| for every value a' + b'×x on the way, those
 * inside the body included. They are f32, rounded up, and at the end most + slope×|x| < 2^63
 * says that nothing overflowed; else the fold escapes. In a composition of L after R,
 * the values inside L start from the results of R:
 *
 *   most = R.most ⌈ L.most + L.slope×|R.a|        slope = R.slope ⌈ L.slope×|R.b|
 *
 * R.a is that modulo 2^64, but if it differs from the true one R.most is beyond 2^63 already;
 * if R.b does, R.slope is, and it matters only for an x other than 0.
 *
 * Floats. b is a mantissa and an exponent, so that 0.5 to the millionth power is no 0 and 2
 * to that power not infinite; a is a plain float, as the sequential fold has it too. Where b
 * is one constant below 1, the usual filter, products of it can only vanish: then b is a plain
 * float, too, that counts as 0 from 2^-1000 on (f32: 2^-120). Elements beyond 2^100 (2^40)
 * escape, so what such a multiplier has left of a value is nothing that could show. */
#include "class.h"

#include <math.h>

/* The places of the components, -1: there is none. */
typedef struct affine {
  int a, b, e, most, slope;
  bool moves;  /* b is other than 1 */
  bool decays; /* b is one constant below 1 */
} affine;

/* ── integers ──────────────────────────────────────────────────────────────────────── */

/* The bounds over all values of the body that overflow where they leave i64. */
static void element_bounds(forms *s, kv *most, kv *slope) {
  mk *m = s->m;
  *most = *slope = mk_real(m, KF32, 0);
  for (uint32_t i = 0; i < s->body->n_ins; i++) {
    const form *f = &s->f[i];
    if (!f->checked || f->kind != FORM_LINEAR) continue;
    *most = mk_bound_max(m, *most, mk_bound(m, f->a));
    *slope = mk_bound_max(m, *slope, mk_bound(m, f->b));
  }
  *most = mk_bound_max(m, *most, mk_bound(m, s->out.a));
  *slope = mk_bound_max(m, *slope, mk_bound(m, s->out.b));
}

static void lift_ints(forms *s, kclass *r, affine *p) {
  mk *m = s->m;
  kv start = mk_arg(m, 1), x = mk_arg(m, 2), one = mk_int(m, m->ty, 1), most, slope;
  double b;
  p->moves = !mk_is(m, s->out.b, 1);
  bool unit = mk_const(m, s->out.b, &b) && fabs(b) == 1;
  element_bounds(s, &most, &slope);
  bool steep = !unit || !mk_const(m, slope, &b) || b > 1 + 0x1p-10;
  p->a = class_component(r, m->ty, (kimm){.i = 0});
  mk_out(m, (uint32_t)p->a, mk_sel(m, start, x, s->out.a));
  if (p->moves) {
    p->b = class_component(r, m->ty, (kimm){.i = 1});
    mk_out(m, (uint32_t)p->b, mk_sel(m, start, one, s->out.b));
  }
  if (!forms_overflow(s)) return;
  p->most = class_component(r, KF32, (kimm){.f = 0});
  mk_out(m, (uint32_t)p->most, mk_sel(m, start, mk_bound(m, x), most));
  if (!steep) return;
  p->slope = class_component(r, KF32, (kimm){.f = 1});
  mk_out(m, (uint32_t)p->slope, mk_sel(m, start, mk_real(m, KF32, 1), slope));
}

static void join_ints(mk *m, const affine *p, const kv *L, const kv *R) {
  kv step = R[p->a];
  if (p->moves) step = mk_two(m, KOP_MUL, L[p->b], step);
  mk_out(m, (uint32_t)p->a, mk_two(m, KOP_ADD, L[p->a], step));
  if (p->moves) mk_out(m, (uint32_t)p->b, mk_two(m, KOP_MUL, L[p->b], R[p->b]));
  if (p->most < 0) return;
  kv reach = mk_bound(m, R[p->a]);
  if (p->slope >= 0) reach = mk_bound_mul(m, L[p->slope], reach);
  kv far = mk_bound_add(m, L[p->most], reach);
  mk_out(m, (uint32_t)p->most, mk_bound_max(m, R[p->most], far));
  if (p->slope < 0) return;
  kv slope = L[p->slope];
  if (p->moves) slope = mk_bound_mul(m, slope, mk_bound(m, R[p->b]));
  mk_out(m, (uint32_t)p->slope, mk_bound_max(m, R[p->slope], slope));
}

static void apply_ints(mk *m, const affine *p, const kv *t, kv x) {
  kv step = x;
  if (p->moves) step = mk_two(m, KOP_MUL, t[p->b], x);
  mk_out(m, 0, mk_two(m, KOP_ADD, t[p->a], step));
  if (p->most < 0) return;
  kv reach = mk_bound(m, x);
  if (p->slope >= 0) reach = mk_bound_mul(m, t[p->slope], reach);
  mk_escape_from(m, mk_bound_add(m, t[p->most], reach), 0x1p63);
}

/* ── floats ────────────────────────────────────────────────────────────────────────── */

/* A multiplier that has lost bits would affect the result if it multiplies a huge
 * value. */
static void escape_subnormal(mk *m, kv b) {
  double v, least = m->ty == KF32 ? 0x1p-126 : 0x1p-1022;
  if (mk_const(m, b, &v) && (v == 0 || fabs(v) >= least)) return;
  kv small = mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, b), mk_real(m, m->ty, least));
  kv some = mk_cmp(m, KOP_NE, b, mk_real(m, m->ty, 0));
  mk_escape(m, mk_two(m, KOP_AND, small, some));
}

static void lift_floats(forms *s, kclass *r, affine *p) {
  mk *m = s->m;
  kv start = mk_arg(m, 1), x = mk_arg(m, 2), one = mk_real(m, m->ty, 1);
  double b;
  bool unit = mk_const(m, s->out.b, &b) && fabs(b) == 1, scales = mk_is(m, s->out.a, 0);
  p->moves = !(unit && b == 1);
  if (scales && p->moves) r->at.f = 1;
  else {
    p->a = class_component(r, m->ty, (kimm){.f = -0.0});
    mk_out(m, (uint32_t)p->a, mk_sel(m, start, x, s->out.a));
    scales = false;
  }
  if (!p->moves) return;
  p->b = class_component(r, m->ty, (kimm){.f = 1});
  p->decays = !scales && mk_const(m, s->out.b, &b) && fabs(b) < 1;
  if (unit || p->decays) {
    mk_out(m, (uint32_t)p->b, mk_sel(m, start, scales ? x : one, s->out.b));
    if (!p->decays) return;
    m->has_unless = false;
    mk_escape_large(m, mk_sel(m, start, x, s->out.a));
    return;
  }
  p->e = class_component(r, KI32, (kimm){.i = 0});
  escape_subnormal(m, s->out.b);
  scaled v = mk_split(m, s->out.b), first = {one, mk_int(m, KI32, 0)};
  if (scales) first = mk_split(m, x);
  mk_out(m, (uint32_t)p->b, mk_sel(m, start, first.m, v.m));
  mk_out(m, (uint32_t)p->e, mk_sel(m, start, first.e, v.e));
}

/* The tuple's multiplier times x. */
static kv affine_times(mk *m, const affine *p, const kv *t, kv x) {
  if (!p->moves) return x;
  if (p->e >= 0) x = mk_ldexp(m, x, t[p->e]);
  return mk_two(m, KOP_MUL, t[p->b], x);
}

static void join_floats(mk *m, const affine *p, const kv *L, const kv *R) {
  if (p->a >= 0)
    mk_out(m, (uint32_t)p->a,
           mk_two(m, KOP_ADD, L[p->a], affine_times(m, p, L, R[p->a])));
  if (!p->moves) return;
  if (p->e < 0) {
    kv b = mk_two(m, KOP_MUL, L[p->b], R[p->b]);
    mk_out(m, (uint32_t)p->b, p->decays ? mk_vanishing(m, b) : b);
    return;
  }
  scaled b = mk_scaled_mul(m, (scaled){L[p->b], L[p->e]}, (scaled){R[p->b], R[p->e]});
  mk_out(m, (uint32_t)p->b, b.m);
  mk_out(m, (uint32_t)p->e, b.e);
}

static void apply_floats(mk *m, const affine *p, const kv *t, kv x) {
  kv r = affine_times(m, p, t, x);
  if (p->a >= 0) r = mk_two(m, KOP_ADD, t[p->a], r);
  mk_escape(m, mk_one(m, KOP_NOT, mk_finite(m, r)));
  if (p->decays) mk_escape_large(m, x);
  mk_out(m, 0, r);
}

/* ── the class ─────────────────────────────────────────────────────────────────────── */

bool class_affine(ctx *c, const kclass_ask *ask, kclass *r) {
  forms s;
  mk m = class_begin_lift(c, ask, r);
  bool fits = forms_derive(&s, &m, ask->body) && !s.assumed;
  fits = fits && s.out.kind <= FORM_LINEAR && !s.out.has_lo && !s.out.has_hi;
  fits = fits && (m.ty == KI64 || kty_is_float(m.ty));
  if (fits && s.out.kind == FORM_FREE) s.out.b = mk_num(&m, m.ty, 0);
  affine p = {-1, -1, -1, -1, -1, false, false};
  const bool ints = m.ty == KI64;
  if (fits && ints) lift_ints(&s, r, &p);
  else if (fits) lift_floats(&s, r, &p);
  forms_free(&s);
  if (!fits || err_is(c)) return false;
  kv outer[KCLASS_MAX], inner[KCLASS_MAX], x;
  mk j = class_begin_join(c, ask, r, outer, inner);
  if (ints) join_ints(&j, &p, outer, inner);
  else join_floats(&j, &p, outer, inner);
  mk a = class_begin_apply(c, ask, r, outer, &x);
  if (ints) apply_ints(&a, &p, outer, x);
  else apply_floats(&a, &p, outer, x);
  r->exact = ints;
  r->kind = KCLASS_AFFINE;
  r->name = "affine";
  r->why = "x → a + b×x: the functions are composed";
  return !err_is(c);
}
