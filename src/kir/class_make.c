/* SPDX-License-Identifier: MIT */
/* class_make.c - building the small kernels of classify.h.
 *
 * Coefficients are mostly constants (b is 1, a is 0), and a class is the smaller the more of
 * them are. So arithmetic of constants is done here, at once, by the type's own rules, and
 * what adds 0 or multiplies by 0 or 1 adds no instruction. A product with a coefficient 0 is
 * 0 whatever the other one is: results that are not finite are no business of a class. */
#include "class.h"

#include "../base/extreme.h"

#include <math.h>
#include <string.h>

static uint8_t elt_of(kty t) {
  static const uint8_t of[KTY_COUNT] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  return of[t];
}

mk mk_begin(ctx *c, kir *k, const kir *body, const uint8_t *arg, uint32_t n) {
  *k = (kir){.kind = KIR_MAP, .n_in = n, .n_fault = 1, .n_param = body->n_param};
  memcpy(k->param, body->param, sizeof k->param);
  mk m = {.c = c, .k = k, .ty = (kty)body->ins[body->out[0].value].ty};
  for (uint32_t i = 0; i < n; i++) {
    k->in[i] = (kin){elt_of((kty)arg[i]), KV_FLAT};
    kir_add(c, k, (kins){.op = KOP_ARG, .ty = arg[i], .imm.i = i});
  }
  return m;
}

void mk_out(mk *m, uint32_t i, kv v) {
  if (err_is(m->c)) return;
  m->k->out[i] = (kout){.value = v, .type = (uint8_t)elt_of(mk_type(m, v))};
  if (i >= m->k->n_out) m->k->n_out = i + 1;
}

kty mk_type(const mk *m, kv a) { return err_is(m->c) ? m->ty : (kty)m->k->ins[a].ty; }

static kv mk_add(mk *m, kop op, kty ty, const kv v[3], kimm imm) {
  return kir_add(m->c, m->k,
                 (kins){.op = (uint8_t)op,
                        .ty = (uint8_t)ty,
                        .a = v[0],
                        .b = v[1],
                        .c = v[2],
                        .imm = imm});
}
#define OF(...) ((const kv[3]){__VA_ARGS__})
static const kimm no_imm = {0};

kv mk_arg(mk *m, uint32_t i) {
  return mk_add(m, KOP_ARG, kir_arg_type((elt)m->k->in[i].type), OF(0, 0, 0),
                (kimm){.i = i});
}
kv mk_int(mk *m, kty ty, int64_t v) {
  return mk_add(m, KOP_CONST, ty, OF(0, 0, 0), (kimm){.i = v});
}
kv mk_real(mk *m, kty ty, double v) {
  if (ty == KF32) v = (float)v;
  return mk_add(m, KOP_CONST, ty, OF(0, 0, 0), (kimm){.f = v});
}
kv mk_num(mk *m, kty ty, double v) {
  return kty_is_float(ty) ? mk_real(m, ty, v) : mk_int(m, ty, (int64_t)v);
}

static const kins *constant(const mk *m, kv a) {
  if (err_is(m->c) || m->k->ins[a].op != KOP_CONST) return NULL;
  return &m->k->ins[a];
}
bool mk_const(const mk *m, kv a, double *v) {
  const kins *n = constant(m, a);
  if (!n) return false;
  *v = kty_is_float((kty)n->ty) ? n->imm.f : (double)n->imm.i;
  return true;
}
bool mk_is(const mk *m, kv a, double v) {
  double is;
  return mk_const(m, a, &is) && is == v;
}

/* ── arithmetic of constants ───────────────────────────────────────────────────────── */

static bool fold_ints(kop op, kty ty, kimm x, kimm y, int64_t *r) {
  uint64_t a = (uint64_t)x.i, b = (uint64_t)y.i, v = 0;
  switch (op) {
  case KOP_ADD: v = a + b; break;
  case KOP_SUB: v = a - b; break;
  case KOP_MUL: v = a * b; break;
  case KOP_MIN: v = y.i < x.i ? b : a; break;
  case KOP_MAX: v = y.i > x.i ? b : a; break;
  default: return false;
  }
  *r = ty == KI32 ? (int32_t)(uint32_t)v : (int64_t)v;
  return true;
}

static bool fold_reals(kop op, kty ty, double x, double y, double *r) {
  switch (op) {
  case KOP_ADD: *r = x + y; break;
  case KOP_SUB: *r = x - y; break;
  case KOP_MUL: *r = x * y; break;
  case KOP_DIV: *r = x / y; break;
  case KOP_MIN: *r = least_f64(x, y); break;
  case KOP_MAX: *r = most_f64(x, y); break;
  default: return false;
  }
  if (ty == KF32)
    *r = (float)*r; /* + - × ÷ of two floats round once: f64 has 2×24+2 bits */
  return true;
}

/* With one constant operand. */
static bool fold_identity(mk *m, kop op, kv a, kv b, kv *r) {
  bool zero_b = mk_is(m, b, 0), one_b = mk_is(m, b, 1);
  *r = a;
  if (zero_b && (op == KOP_ADD || op == KOP_SUB)) return true;
  if (one_b && (op == KOP_MUL || op == KOP_DIV)) return true;
  if (op == KOP_MUL && mk_is(m, a, 0)) return true;
  *r = b;
  if (op == KOP_ADD && mk_is(m, a, 0)) return true;
  if (op == KOP_MUL && (zero_b || mk_is(m, a, 1))) return true;
  *r = op == KOP_MUL && mk_is(m, b, -1) ? a : b;
  if ((op == KOP_SUB && mk_is(m, a, 0)) ||
      (op == KOP_MUL && (mk_is(m, a, -1) || mk_is(m, b, -1)))) {
    *r = mk_one(m, KOP_NEG, *r);
    return true;
  }
  return false;
}

static bool fold_constants(mk *m, kop op, kv a, kv b, kv *r) {
  const kins *x = constant(m, a), *y = constant(m, b);
  kty ty = mk_type(m, a);
  int64_t i;
  double f;
  if (!x || !y) return false;
  if (kty_is_int(ty) && fold_ints(op, ty, x->imm, y->imm, &i)) *r = mk_int(m, ty, i);
  else if (kty_is_float(ty) && fold_reals(op, ty, x->imm.f, y->imm.f, &f))
    *r = mk_real(m, ty, f);
  else return false;
  return true;
}

kv mk_two(mk *m, kop op, kv a, kv b) {
  kty ty = mk_type(m, a);
  kv r;
  if (fold_constants(m, op, a, b, &r)) return r;
  if (ty != KB && fold_identity(m, op, a, b, &r)) return r;
  if (ty == KB && op == KOP_AND && (mk_is(m, a, 0) || mk_is(m, b, 1))) return a;
  if (ty == KB && op == KOP_AND && (mk_is(m, b, 0) || mk_is(m, a, 1))) return b;
  return mk_add(m, op, ty, OF(a, b, 0), no_imm);
}

kv mk_one(mk *m, kop op, kv a) {
  kty ty = mk_type(m, a);
  const kins *x = constant(m, a);
  if (x && op == KOP_NOT && ty == KB) return mk_int(m, KB, !x->imm.i);
  if (x && op == KOP_ABS && kty_is_float(ty)) return mk_real(m, ty, fabs(x->imm.f));
  if (x && op == KOP_NEG && kty_is_float(ty)) return mk_real(m, ty, -x->imm.f);
  if (x && op == KOP_NEG) return mk_int(m, ty, (int64_t)(0 - (uint64_t)x->imm.i));
  return mk_add(m, op, ty, OF(a, 0, 0), no_imm);
}

static bool compare_consts(kop op, double x, double y) {
  switch (op) {
  case KOP_EQ: return x == y;
  case KOP_NE: return x != y;
  case KOP_LT: return x < y;
  case KOP_LE: return x <= y;
  case KOP_GT: return x > y;
  default: return x >= y;
  }
}

kv mk_cmp(mk *m, kop op, kv a, kv b) {
  const kins *x = constant(m, a), *y = constant(m, b);
  if (x && y && kty_is_float((kty)x->ty))
    return mk_int(m, KB, compare_consts(op, x->imm.f, y->imm.f));
  if (x && y && op == KOP_NE) return mk_int(m, KB, x->imm.i != y->imm.i);
  if (x && y && op == KOP_EQ) return mk_int(m, KB, x->imm.i == y->imm.i);
  return mk_add(m, op, KB, OF(a, b, 0), no_imm);
}

kv mk_sel(mk *m, kv c, kv a, kv b) {
  if (a == b || mk_is(m, c, 1)) return a;
  if (mk_is(m, c, 0)) return b;
  return mk_add(m, KOP_SEL, mk_type(m, a), OF(c, a, b), no_imm);
}
kv mk_shift(mk *m, kop op, kv a, int count) {
  if (!count) return a;
  return mk_add(m, op, mk_type(m, a), OF(a, 0, 0), (kimm){.i = count});
}
kv mk_cvt(mk *m, kty ty, kv a) {
  const kins *x = constant(m, a);
  if (mk_type(m, a) == ty) return a;
  if (x && !kty_is_float((kty)x->ty) && kty_is_float(ty))
    return mk_real(m, ty, (double)x->imm.i);
  return mk_add(m, KOP_CVT, ty, OF(a, 0, 0), no_imm);
}
kv mk_bits(mk *m, kty ty, kv a) { return mk_add(m, KOP_BITS, ty, OF(a, 0, 0), no_imm); }

void mk_escape(mk *m, kv when) {
  if (m->has_unless) when = mk_two(m, KOP_AND, when, mk_one(m, KOP_NOT, m->unless));
  if (mk_is(m, when, 0) || err_is(m->c)) return;
  mk_add(m, KOP_ESC, 0, OF(when, 0, 0), no_imm);
}

kv mk_finite(mk *m, kv a) {
  kv end = mk_real(m, mk_type(m, a), HUGE_VAL);
  return mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, a), end);
}

/* ── another kernel's instructions ─────────────────────────────────────────────────── */

kv mk_copy(mk *m, kins in, const kv arg[3]) {
  kv *to[3] = {&in.a, &in.b, &in.c};
  for (int i = 0; i < kop_table[in.op].operands; i++) *to[i] = arg[i];
  switch (in.op) {
  case KOP_FIN: {
    kv known = mk_two(m, KOP_AND, mk_finite(m, in.b), mk_finite(m, in.c));
    mk_escape(m, mk_two(m, KOP_AND, known, mk_one(m, KOP_NOT, mk_finite(m, in.a))));
    return in.a;
  }
  case KOP_ERR:
  case KOP_ESC: mk_escape(m, in.a); return 0;
  case KOP_SEL: return mk_sel(m, in.a, in.b, in.c);
  case KOP_CVT: return mk_cvt(m, (kty)in.ty, in.a);
  case KOP_NOT: return mk_one(m, KOP_NOT, in.a);
  default: break;
  }
  kv r;
  if (kop_table[in.op].form == KFORM_COMPARE) return mk_cmp(m, (kop)in.op, in.a, in.b);
  if (in.ty == KB && in.op == KOP_AND) return mk_two(m, KOP_AND, in.a, in.b);
  if (kop_table[in.op].operands == 2 && fold_constants(m, (kop)in.op, in.a, in.b, &r))
    return r;
  if (kop_has_effect(in.op)) in.imm.i = 0;
  return kir_add(m->c, m->k, in);
}

kv mk_body(mk *m, const kir *body, kv v, kv x) {
  kv at[KIR_MAX_INS]; /* 8 KiB */
  for (uint32_t i = 0; i < body->n_ins && !err_is(m->c); i++) {
    const kins *n = &body->ins[i];
    if (n->op == KOP_ARG) {
      at[i] = n->imm.i ? x : v;
      continue;
    }
    at[i] = mk_copy(m, *n, OF(at[n->a], at[n->b], at[n->c]));
  }
  return err_is(m->c) ? 0 : at[body->out[0].value];
}

/* ── mantissa and exponent ─────────────────────────────────────────────────────────── */

enum { EXPONENT_MOST = 1 << 30 };

typedef struct layout { /* of a float type */
  kty bits;
  int fraction, bias, top, most; /* most: beyond it ldexp gives 0 or infinity */
  int64_t keep, one;             /* sign and fraction; the bits of 1 */
} layout;
static layout layout_of(kty ty) {
  if (ty == KF32)
    return (layout){KI32, 23, 127, 0xff, 400, (int32_t)0x807fffffu, 0x3f800000};
  return (layout){
      KI64, 52, 1023, 0x7ff, 2400, (int64_t)0x800fffffffffffffu, 0x3ff0000000000000};
}

static scaled split_const(mk *m, kty ty, double v) {
  int e = 0;
  if (v != 0 && isfinite(v)) {
    v = 2 * frexp(v, &e);
    e--;
  }
  return (scaled){mk_real(m, ty, v), mk_int(m, KI32, e)};
}

scaled mk_split(mk *m, kv a) {
  kty ty = mk_type(m, a);
  double v;
  if (mk_const(m, a, &v)) return split_const(m, ty, v);
  const layout l = layout_of(ty);
  const int up = l.fraction + 2; /* makes a subnormal a normal one */
  kv least = mk_real(m, ty, ldexp(1, 1 - l.bias));
  kv small = mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, a), least);
  kv big = mk_sel(m, small, mk_two(m, KOP_MUL, a, mk_real(m, ty, ldexp(1, up))), a);
  kv bits = mk_bits(m, l.bits, big);
  kv field = mk_two(m, KOP_AND, mk_shift(m, KOP_SAR, bits, l.fraction),
                    mk_int(m, l.bits, l.top));
  kv e = mk_two(m, KOP_SUB, mk_cvt(m, KI32, field),
                mk_sel(m, small, mk_int(m, KI32, l.bias + up), mk_int(m, KI32, l.bias)));
  kv kept = mk_two(m, KOP_AND, bits, mk_int(m, l.bits, l.keep));
  kv one = mk_bits(m, ty, mk_two(m, KOP_OR, kept, mk_int(m, l.bits, l.one)));
  kv odd = mk_two(m, KOP_OR, mk_cmp(m, KOP_EQ, a, mk_real(m, ty, 0)),
                  mk_one(m, KOP_NOT, mk_finite(m, a)));
  return (scaled){mk_sel(m, odd, a, one), mk_sel(m, odd, mk_int(m, KI32, 0), e)};
}

/* Exponents within ±2^30 have sums within i32. */
static kv exponent(mk *m, kv e) {
  kv low = mk_two(m, KOP_MAX, e, mk_int(m, KI32, -EXPONENT_MOST));
  return mk_two(m, KOP_MIN, low, mk_int(m, KI32, EXPONENT_MOST));
}

scaled mk_scaled_mul(mk *m, scaled x, scaled y) {
  kty ty = mk_type(m, x.m);
  kv p = mk_two(m, KOP_MUL, x.m, y.m);
  kv high = mk_cmp(m, KOP_GE, mk_one(m, KOP_ABS, p), mk_real(m, ty, 2));
  kv e = mk_two(m, KOP_ADD, x.e, y.e);
  kv carry = mk_sel(m, high, mk_int(m, KI32, 1), mk_int(m, KI32, 0));
  kv half = mk_two(m, KOP_MUL, p, mk_real(m, ty, 0.5));
  return (scaled){mk_sel(m, high, half, p), exponent(m, mk_two(m, KOP_ADD, e, carry))};
}

scaled mk_scaled_div(mk *m, scaled x, scaled y) {
  kty ty = mk_type(m, x.m);
  kv q = mk_two(m, KOP_DIV, x.m, y.m);
  kv low = mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, q), mk_real(m, ty, 1));
  kv e = mk_two(m, KOP_SUB, x.e, y.e);
  kv borrow = mk_sel(m, low, mk_int(m, KI32, 1), mk_int(m, KI32, 0));
  kv twice = mk_two(m, KOP_MUL, q, mk_real(m, ty, 2));
  return (scaled){mk_sel(m, low, twice, q), exponent(m, mk_two(m, KOP_SUB, e, borrow))};
}

/* 2^e for |e| below the bias. */
static kv power_of_two(mk *m, kty ty, const layout *l, kv e) {
  kv biased = mk_two(m, KOP_ADD, e, mk_int(m, KI32, l->bias));
  return mk_bits(m, ty, mk_shift(m, KOP_SHL, mk_cvt(m, l->bits, biased), l->fraction));
}

/* In four steps of a quarter of the exponent: each power is a normal number, and the steps
 * go one way, so only those that end among the subnormal numbers round. */
kv mk_ldexp(mk *m, kv a, kv e) {
  kty ty = mk_type(m, a);
  const layout l = layout_of(ty);
  double k;
  if (mk_const(m, e, &k) && fabs(k) < l.bias)
    return mk_two(m, KOP_MUL, a, mk_real(m, ty, ldexp(1, (int)k)));
  e = mk_two(m, KOP_MIN, mk_two(m, KOP_MAX, e, mk_int(m, KI32, -l.most)),
             mk_int(m, KI32, l.most));
  kv q = mk_shift(m, KOP_SAR, e, 2);
  kv rest = mk_two(m, KOP_SUB, e, mk_two(m, KOP_MUL, q, mk_int(m, KI32, 3)));
  kv step = power_of_two(m, ty, &l, q);
  for (int i = 0; i < 3; i++) a = mk_two(m, KOP_MUL, a, step);
  return mk_two(m, KOP_MUL, a, power_of_two(m, ty, &l, rest));
}

kv mk_vanishing(mk *m, kv b) {
  kty ty = mk_type(m, b);
  kv least = mk_real(m, ty, ty == KF32 ? 0x1p-120 : 0x1p-1000);
  kv small = mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, b), least);
  return mk_sel(m, small, mk_real(m, ty, 0), b);
}
void mk_escape_large(mk *m, kv a) {
  kty ty = mk_type(m, a);
  kv most = mk_real(m, ty, ty == KF32 ? 0x1p40 : 0x1p100);
  mk_escape(m, mk_one(m, KOP_NOT, mk_cmp(m, KOP_LT, mk_one(m, KOP_ABS, a), most)));
}

/* ── bounds ────────────────────────────────────────────────────────────────────────── */

/* Eight units more than any rounding of f32, that of a conversion included. */
static kv rounded_up(mk *m, kv a) {
  kv r = mk_two(m, KOP_MUL, a, mk_real(m, KF32, 1 + 0x1p-20));
  return mk_two(m, KOP_MIN, r, mk_real(m, KF32, 0x1p64));
}
kv mk_bound(mk *m, kv a) {
  double v;
  if (mk_const(m, a, &v)) return mk_real(m, KF32, fabs(v) * (1 + 0x1p-20));
  return rounded_up(m, mk_one(m, KOP_ABS, mk_cvt(m, KF32, a)));
}
kv mk_bound_add(mk *m, kv a, kv b) { return rounded_up(m, mk_two(m, KOP_ADD, a, b)); }
kv mk_bound_mul(mk *m, kv a, kv b) { return rounded_up(m, mk_two(m, KOP_MUL, a, b)); }
kv mk_bound_max(mk *m, kv a, kv b) { return mk_two(m, KOP_MAX, a, b); }
void mk_escape_from(mk *m, kv bound, double limit) {
  kv ok = mk_cmp(m, KOP_LT, bound, mk_real(m, KF32, limit));
  mk_escape(m, mk_one(m, KOP_NOT, ok));
}
