/* SPDX-License-Identifier: MIT */
/* class_ratio.c - x → c÷x, and (p×x + q) ÷ (r×x + s) where all is positive.
 *
 * Alternating products. The functions c×x and c÷x are closed: (c, 1 or ¯1), with c a mantissa
 * and an exponent, so no partial product over- or underflows. A zero or a value that is not
 * finite, wherever it is, escapes: what a division by it means is the sequential fold's.
 *
 * Möbius. A function is a 2×2 matrix, composition their product, and a common factor means
 * nothing, so each product is scaled by a power of two. Coefficients are not negative and x is
 * positive (else it escapes): then every state is positive, no divisor is 0, and no sum in a
 * product of matrices cancels. Entries that differ by more than 2^900 escape. */
#include "class.h"

#include <string.h>

/* ── alternating products ──────────────────────────────────────────────────────────── */

typedef struct power {
  scaled c;
  kv sign; /* KI32: 1, ¯1, or 0 of a start */
} power;

static power power_of(const kv *t) { return (power){{t[0], t[1]}, t[2]}; }

static void out_power(mk *m, power p) {
  mk_out(m, 0, p.c.m);
  mk_out(m, 1, p.c.e);
  mk_out(m, 2, p.sign);
}

static scaled ratio_choose(mk *m, kv when, scaled x, scaled y) {
  return (scaled){mk_sel(m, when, x.m, y.m), mk_sel(m, when, x.e, y.e)};
}

/* L.c × R.c to the power L.sign */
static scaled raised(mk *m, power L, scaled R) {
  kv inverse = mk_cmp(m, KOP_LT, L.sign, mk_int(m, KI32, 0));
  return ratio_choose(m, inverse, mk_scaled_div(m, L.c, R), mk_scaled_mul(m, L.c, R));
}

/* Escapes where a is 0 or not finite. */
static void escape_odd(mk *m, kv a) {
  kv zero = mk_cmp(m, KOP_EQ, a, mk_num(m, mk_type(m, a), 0));
  mk_escape(m, mk_two(m, KOP_OR, zero, mk_one(m, KOP_NOT, mk_finite(m, a))));
}

/* The states are ±c×x or ±c÷x of what is not 0, and so not 0: all assumptions hold that are
 * about such a value. */
static bool product_assumes(const forms *s) {
  for (uint32_t i = 0; i < s->n_nonzero; i++) {
    const form *f = &s->nonzero[i];
    if (!(s->assumed >> i & 1)) continue;
    double b;
    if (f->kind != FORM_LINEAR || f->has_lo || f->has_hi || !mk_is(s->m, f->a, 0) ||
        !mk_const(s->m, f->b, &b) || b == 0)
      return false;
  }
  return true;
}

bool class_product(ctx *c, const kclass_ask *ask, kclass *r) {
  forms s;
  mk m = class_begin_lift(c, ask, r);
  bool fits = forms_derive(&s, &m, ask->body) && kty_is_float(m.ty);
  fits = fits && s.out.kind == FORM_RATIO && product_assumes(&s);
  fits = fits && mk_is(&m, s.out.b, 0) && mk_is(&m, s.out.e, 0);
  if (fits) {
    kv start = mk_arg(&m, 1), v = mk_two(&m, KOP_DIV, s.out.a, s.out.d);
    escape_odd(&m, v);
    kv sign = mk_sel(&m, start, mk_int(&m, KI32, 0), mk_int(&m, KI32, -1));
    out_power(&m, (power){mk_split(&m, mk_sel(&m, start, mk_arg(&m, 2), v)), sign});
  }
  forms_free(&s);
  if (!fits || err_is(c)) return false;
  r->n = 3;
  r->ty[0] = (uint8_t)m.ty;
  r->ty[1] = r->ty[2] = KI32;
  r->identity[0].f = 1;
  r->identity[2].i = 1;
  r->at.f = 1;
  kv outer[KCLASS_MAX], inner[KCLASS_MAX], x;
  mk j = class_begin_join(c, ask, r, outer, inner);
  power L = power_of(outer), R = power_of(inner);
  out_power(&j, (power){raised(&j, L, R.c), mk_two(&j, KOP_MUL, L.sign, R.sign)});
  mk a = class_begin_apply(c, ask, r, outer, &x);
  power t = power_of(outer);
  escape_odd(&a, x);
  kv still = mk_cmp(&a, KOP_EQ, t.sign, mk_int(&a, KI32, 0));
  scaled to = ratio_choose(&a, still, t.c, raised(&a, t, mk_split(&a, x)));
  kv result = mk_ldexp(&a, to.m, to.e);
  escape_odd(&a, result);
  mk_out(&a, 0, result);
  r->kind = KCLASS_PRODUCT;
  r->name = "alternating product";
  r->why = "x → c÷x: products with their exponents are composed";
  return !err_is(c);
}

/* ── Möbius ────────────────────────────────────────────────────────────────────────── */

enum { P, Q, R, S };

/* Escapes unless a is 0, or between `least` and the inverse of that. */
static void escape_unless(mk *m, kv a, double least, bool or_zero) {
  kty ty = mk_type(m, a);
  kv low = mk_cmp(m, KOP_GE, a, mk_real(m, ty, least));
  kv in = mk_two(m, KOP_AND, low, mk_cmp(m, KOP_LE, a, mk_real(m, ty, 1 / least)));
  if (or_zero) in = mk_two(m, KOP_OR, in, mk_cmp(m, KOP_EQ, a, mk_real(m, ty, 0)));
  mk_escape(m, mk_one(m, KOP_NOT, in));
}

static double least_entry(kty ty) { return ty == KF32 ? 0x1p-30 : 0x1p-250; }

/* Not both of them are 0. */
static void escape_zeros(mk *m, kv a, kv b) {
  kv zero = mk_real(m, mk_type(m, a), 0);
  mk_escape(m,
            mk_two(m, KOP_AND, mk_cmp(m, KOP_EQ, a, zero), mk_cmp(m, KOP_EQ, b, zero)));
}

/* What is assumed not to be 0 has coefficients that are not negative, and not all 0. */
static void lift_assumed(forms *s) {
  mk *m = s->m;
  for (uint32_t i = 0; i < s->n_nonzero; i++) {
    form f = s->nonzero[i];
    if (!(s->assumed >> i & 1)) continue;
    escape_unless(m, f.a, least_entry(m->ty), true);
    escape_unless(m, f.b, least_entry(m->ty), true);
    escape_zeros(m, f.a, f.b);
    if (f.kind != FORM_RATIO) continue;
    escape_unless(m, f.d, least_entry(m->ty), true);
    escape_unless(m, f.e, least_entry(m->ty), true);
  }
}

static bool mobius_fits(const forms *s) {
  for (uint32_t i = 0; i < s->n_nonzero; i++)
    if ((s->assumed >> i & 1) && (s->nonzero[i].has_lo || s->nonzero[i].has_hi))
      return false;
  return s->out.kind == FORM_RATIO && kty_is_float(s->m->ty);
}

static void lift_mobius(forms *s) {
  mk *m = s->m;
  kv start = mk_arg(m, 1), x = mk_arg(m, 2), zero = mk_real(m, m->ty, 0);
  kv t[4] = {s->out.b, s->out.a, s->out.d, s->out.e};
  const kv constant[4] = {zero, x, zero, mk_real(m, m->ty, 1)};
  lift_assumed(s);
  for (int i = 0; i < 4; i++) escape_unless(m, t[i], least_entry(m->ty), true);
  escape_zeros(m, t[P], t[Q]);
  escape_zeros(m, t[R], t[S]);
  for (uint32_t i = 0; i < 4; i++) mk_out(m, i, mk_sel(m, start, constant[i], t[i]));
  m->has_unless = false;
  kv sane = mk_sel(m, start, x, mk_real(m, m->ty, 1));
  escape_unless(m, sane, least_entry(m->ty), false);
}

static kv inner_product(mk *m, kv a, kv b, kv c, kv d) {
  return mk_two(m, KOP_ADD, mk_two(m, KOP_MUL, a, b), mk_two(m, KOP_MUL, c, d));
}

static void join_mobius(mk *m, const kv *L, const kv *r) {
  kv t[4] = {
      inner_product(m, L[P], r[P], L[Q], r[R]), inner_product(m, L[P], r[Q], L[Q], r[S]),
      inner_product(m, L[R], r[P], L[S], r[R]), inner_product(m, L[R], r[Q], L[S], r[S])};
  /* Scales the entries by a power of two, so that the greatest is 0.5 to 1. */
  kv most =
      mk_two(m, KOP_MAX, mk_two(m, KOP_MAX, t[P], t[Q]), mk_two(m, KOP_MAX, t[R], t[S]));
  kv down = mk_one(m, KOP_NEG, mk_split(m, most).e);
  for (int i = 0; i < 4; i++) t[i] = mk_ldexp(m, t[i], down);
  for (uint32_t i = 0; i < 4; i++) {
    escape_unless(m, t[i], m->ty == KF32 ? 0x1p-100 : 0x1p-900, true);
    mk_out(m, i, t[i]);
  }
}

bool class_mobius(ctx *c, const kclass_ask *ask, kclass *r) {
  forms s;
  mk m = class_begin_lift(c, ask, r);
  bool fits = forms_derive(&s, &m, ask->body) && mobius_fits(&s);
  if (fits) lift_mobius(&s);
  forms_free(&s);
  if (!fits || err_is(c)) return false;
  r->n = 4;
  memset(r->ty, (int)m.ty, sizeof r->ty);
  r->identity[P].f = r->identity[S].f = 1;
  kv outer[KCLASS_MAX], inner[KCLASS_MAX], x;
  mk j = class_begin_join(c, ask, r, outer, inner);
  join_mobius(&j, outer, inner);
  mk a = class_begin_apply(c, ask, r, outer, &x);
  kv above = mk_two(&a, KOP_ADD, mk_two(&a, KOP_MUL, outer[P], x), outer[Q]);
  kv below = mk_two(&a, KOP_ADD, mk_two(&a, KOP_MUL, outer[R], x), outer[S]);
  kv result = mk_two(&a, KOP_DIV, above, below);
  mk_out(&a, 0, result);
  escape_unless(&a, x, least_entry(a.ty), false);
  escape_unless(&a, result, least_entry(a.ty), false);
  r->at.f = 1;
  r->kind = KCLASS_MOBIUS;
  r->name = "Möbius";
  r->why = "x → (p×x + q)÷(r×x + s): matrices are composed";
  return !err_is(c);
}
