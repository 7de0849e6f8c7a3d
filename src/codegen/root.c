/* SPDX-License-Identifier: MIT */
/* root.c - square root, quotient, product and sum, correctly rounded on every device.
 *
 * Where a device rounds them so by itself (ir/probe.c asks it) these are its instructions. But Vulkan
 * promises nothing: its Sqrt is only as good as InverseSqrt, its division may be
 * off by 2.5 units. So the significand of the result is estimated in floating point and
 * settled in integers. Let m be the argument's significand, in [1, 4) with an even
 * exponent left over, M = m×2^p its integer (p: bits behind the point) and S that of the
 * estimate, at most one unit off. The residual r = M×2^p - S×S is less than 2^(p+3) in
 * magnitude, so it is exact in wrapping arithmetic of the float's own size although its
 * terms are not. The root lies above S + ½ just when r > S, below S - ½ just when r ≤ -S
 * (r - S×±1 = ¼ cannot be: r is whole), and never on a half. A quotient is settled alike:
 * with r = A×2^p - Q×B the distance from the true quotient to Q is r÷B units.
 *
 * f32 quotients need none of that where there is f64: a quotient of two 24-bit numbers is
 * no nearer than 2^-49, relatively, to the middle between two such numbers, so any f64
 * division within a few units rounds to the right f32.
 *
 * The root of a subnormal number is made of one that is a power of 4 times as large. A
 * device that takes subnormal numbers for 0 does so here. */
#include "soft.h"

#include <spirv/unified1/GLSL.std.450.h>

typedef struct cg_format {
  kty f, i;
  uint32_t p;
  int64_t bias;
  uint64_t inf;
  double normal;   /* the least such number */
  double up, down; /* a power of 4; one over its root */
} cg_format;

static cg_format cg_format_of(kty t) {
  if (t == KF32)
    return (cg_format){KF32, KI32, 23, 127, 0xffull << 23, 0x1p-126, 0x1p24, 0x1p-12};
  return (cg_format){KF64, KI64, 52, 1023, 0x7ffull << 52, 0x1p-1022, 0x1p54, 0x1p-27};
}

/* Shorthands over the two types of a format. */
static uint32_t f_op(cg *g, const cg_format *f, SpvOp op, uint32_t a, uint32_t b) {
  if (!is_soft(g, f->f)) return spv_flop(g->b, cg_type(g, f->f), op, a, b);
  if (op == SpvOpFAdd) return cg_arith(g, KOP_ADD, f->f, a, b);
  return cg_arith(g, op == SpvOpFSub ? KOP_SUB : KOP_MUL, f->f, a, b);
}
static uint32_t i_op(cg *g, const cg_format *f, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, cg_type(g, f->i), op, a, b);
}
static uint32_t to_bits(cg *g, const cg_format *f, uint32_t v) {
  return cg_bits(g, f->i, v);
}
static uint32_t of_bits(cg *g, const cg_format *f, uint32_t v) {
  return cg_bits(g, f->f, v);
}
/* The significand as an integer, its leading one included. */
static uint32_t significand(cg *g, const cg_format *f, uint32_t bits) {
  uint32_t low = cg_const(g, f->i, (1ull << f->p) - 1);
  uint32_t frac = i_op(g, f, SpvOpBitwiseAnd, bits, low);
  return i_op(g, f, SpvOpBitwiseOr, frac, cg_const(g, f->i, 1ull << f->p));
}
static uint32_t exponent(cg *g, const cg_format *f, uint32_t bits) {
  uint32_t e = cg_shift(g, f->i, SpvOpShiftRightLogical, bits, f->p);
  return i_op(g, f, SpvOpBitwiseAnd, e, cg_int(g, f->i, 2 * f->bias + 1));
}
/* S with one more where up holds and one less where down does. */
static uint32_t nudge(cg *g, const cg_format *f, uint32_t s, uint32_t up, uint32_t down) {
  uint32_t one = cg_int(g, f->i, 1), none = cg_int(g, f->i, 0);
  uint32_t less = cg_sel(g, f->i, down, cg_int(g, f->i, -1), none);
  uint32_t d = cg_sel(g, f->i, up, one, less);
  return i_op(g, f, SpvOpIAdd, s, d);
}
/* The float S × 2^(e - p), S with its leading one: e is added to the exponent field. */
static uint32_t assemble(cg *g, const cg_format *f, uint32_t s, uint32_t e) {
  uint32_t field = i_op(g, f, SpvOpIAdd, e, cg_int(g, f->i, f->bias - 1));
  uint32_t up = cg_shift(g, f->i, SpvOpShiftLeftLogical, field, f->p);
  return i_op(g, f, SpvOpIAdd, s, up);
}
static uint32_t to_units(cg *g, const cg_format *f, uint32_t v) { /* v × 2^p, truncated */
  double unit = f->f == KF32 ? 0x1p23 : 0x1p52;
  uint32_t s = f_op(g, f, SpvOpFMul, v, cg_real(g, f->f, unit));
  if (is_soft(g, f->f)) return soft_to_int(g, s);
  return spv_op(g->b, cg_type(g, f->i), SpvOpConvertFToS, s);
}

/* √m to within one unit, m in [1, 4): 1÷√m from the device, good to 2^-21, then for f64
 * one step on the root (2^-42), then one by the residual, which is left with rounding
 * alone. */
static uint32_t root_estimate(cg *g, const cg_format *f, uint32_t m) {
  uint32_t narrow = cg_cvt(g, m, f->f, KF32);
  uint32_t y = spv_glsl(g->b, cg_type(g, KF32), GLSLstd450InverseSqrt, narrow);
  y = cg_cvt(g, y, KF32, f->f);
  uint32_t s = f_op(g, f, SpvOpFMul, m, y), half = cg_real(g, f->f, 0.5);
  if (f->f == KF64) {
    uint32_t sy = f_op(g, f, SpvOpFMul, s, y);
    uint32_t e = f_op(g, f, SpvOpFSub, cg_real(g, f->f, 1), sy);
    uint32_t d = f_op(g, f, SpvOpFMul, e, half);
    s = f_op(g, f, SpvOpFAdd, s, f_op(g, f, SpvOpFMul, s, d));
  }
  uint32_t r = f_op(g, f, SpvOpFSub, m, f_op(g, f, SpvOpFMul, s, s));
  uint32_t h = f_op(g, f, SpvOpFMul, y, half);
  return f_op(g, f, SpvOpFAdd, s, f_op(g, f, SpvOpFMul, h, r));
}

/* The root of x, a normal number above 0. */
static uint32_t root_of_normal(cg *g, const cg_format *f, uint32_t x) {
  uint32_t bits = to_bits(g, f, x), e = exponent(g, f, bits), one = cg_int(g, f->i, 1);
  uint32_t odd = i_op(g, f, SpvOpBitwiseXor, i_op(g, f, SpvOpBitwiseAnd, e, one), one);
  uint32_t M = significand(g, f, bits);
  uint32_t m = of_bits(g, f, assemble(g, f, M, odd));
  uint32_t S = to_units(g, f, root_estimate(g, f, m));
  uint32_t scaled = cg_shift(g, f->i, SpvOpShiftLeftLogical,
                             i_op(g, f, SpvOpShiftLeftLogical, M, odd), f->p);
  uint32_t r = i_op(g, f, SpvOpISub, scaled, i_op(g, f, SpvOpIMul, S, S));
  uint32_t up = cg_cmp(g, KOP_GT, f->i, r, S);
  uint32_t down = cg_cmp(g, KOP_LE, f->i, r, cg_ineg(g, f->i, S));
  S = nudge(g, f, S, up, down);
  uint32_t even =
      i_op(g, f, SpvOpISub, i_op(g, f, SpvOpISub, e, cg_int(g, f->i, f->bias)), odd);
  uint32_t half = cg_shift(g, f->i, SpvOpShiftRightArithmetic, even, 1);
  return of_bits(g, f, assemble(g, f, S, half));
}

uint32_t cg_sqrt(cg *g, kty t, uint32_t x) {
  const cg_format F = cg_format_of(t), *f = &F;
  uint32_t native = t == KF32 ? CG_NATIVE_SQRT32 : CG_NATIVE_SQRT64;
  if (g->o->native & native) return spv_glsl(g->b, cg_type(g, t), GLSLstd450Sqrt, x);
  uint32_t tiny = cg_cmp(g, KOP_LT, t, x, cg_real(g, t, f->normal));
  uint32_t larger = f_op(g, f, SpvOpFMul, x, cg_real(g, t, f->up));
  uint32_t root = root_of_normal(g, f, cg_sel(g, t, tiny, larger, x));
  uint32_t smaller = f_op(g, f, SpvOpFMul, root, cg_real(g, t, f->down));
  root = cg_sel(g, t, tiny, smaller, root);
  uint32_t zero = cg_real(g, t, 0), inf = cg_const(g, t, f->inf);
  uint32_t above = cg_cmp(g, KOP_GT, t, x, zero), below = cg_cmp(g, KOP_LT, t, x, inf);
  uint32_t itself = cg_cmp(g, KOP_GE, t, x, zero); /* ±0 and infinity */
  uint32_t nan = cg_const(g, t, f->inf | 1ull << (f->p - 1));
  uint32_t special = cg_sel(g, t, itself, x, nan);
  return cg_sel(g, t, cg_both(g, above, below), root, special);
}

/* KB: the exponent field is a normal number's. */
static uint32_t is_normal(cg *g, const cg_format *f, uint32_t e) {
  uint32_t above = cg_cmp(g, KOP_GT, f->i, e, cg_int(g, f->i, 0));
  return cg_both(g, above, cg_cmp(g, KOP_LT, f->i, e, cg_int(g, f->i, 2 * f->bias + 1)));
}

/* The significand of A÷B in units, within [2^p, 2^(p+1)]; *less is 1 where A < B. */
static uint32_t quotient(cg *g, const cg_format *f, uint32_t A, uint32_t B,
                         uint32_t *less) {
  uint32_t zero = cg_int(g, f->i, 0), one = cg_int(g, f->i, 1);
  *less = cg_sel(g, f->i, cg_cmp(g, KOP_LT, f->i, A, B), one, zero);
  A = i_op(g, f, SpvOpShiftLeftLogical, A, *less);
  uint32_t a = cg_cvt(g, A, f->i, f->f), b = cg_cvt(g, B, f->i, f->f);
  uint32_t Q = to_units(g, f, f_op(g, f, SpvOpFDiv, a, b));
  uint32_t scaled = cg_shift(g, f->i, SpvOpShiftLeftLogical, A, f->p);
  uint32_t r = i_op(g, f, SpvOpISub, scaled, i_op(g, f, SpvOpIMul, Q, B));
  /* A few units at most. */
  uint32_t d = f_op(g, f, SpvOpFDiv, cg_cvt(g, r, f->i, f->f), b);
  d = cg_rint(g, f->f, d);
  d = spv_op(g->b, cg_type(g, f->i), SpvOpConvertFToS, d);
  Q = i_op(g, f, SpvOpIAdd, Q, d);
  r = i_op(g, f, SpvOpISub, r, i_op(g, f, SpvOpIMul, d, B));
  uint32_t r2 = cg_shift(g, f->i, SpvOpShiftLeftLogical, r, 1);
  uint32_t up = cg_cmp(g, KOP_GT, f->i, r2, B);
  uint32_t down = cg_cmp(g, KOP_LT, f->i, r2, cg_ineg(g, f->i, B));
  return nudge(g, f, Q, up, down);
}

static uint32_t exact_div(cg *g, kty t, uint32_t x, uint32_t y) {
  const cg_format F = cg_format_of(t), *f = &F;
  uint32_t plain = f_op(g, f, SpvOpFDiv, x, y), less;
  uint32_t xb = to_bits(g, f, x), yb = to_bits(g, f, y);
  uint32_t ex = exponent(g, f, xb), ey = exponent(g, f, yb);
  uint32_t A = significand(g, f, xb), B = significand(g, f, yb);
  uint32_t Q = quotient(g, f, A, B, &less);
  uint32_t e = i_op(g, f, SpvOpISub, i_op(g, f, SpvOpISub, ex, ey), less);
  uint32_t field = i_op(g, f, SpvOpIAdd, e, cg_int(g, f->i, f->bias));
  uint32_t sign = i_op(g, f, SpvOpBitwiseXor, xb, yb);
  sign = i_op(g, f, SpvOpBitwiseAnd, sign,
              cg_const(g, f->i, 1ull << (8 * kty_bytes(t) - 1)));
  uint32_t r = of_bits(g, f, i_op(g, f, SpvOpBitwiseOr, assemble(g, f, Q, e), sign));
  uint32_t nx = is_normal(g, f, ex), ny = is_normal(g, f, ey), ok = cg_both(g, nx, ny);
  ok = cg_both(g, ok,
               is_normal(g, f, field)); /* else 0, infinity, NaN: the device's own */
  return cg_sel(g, t, ok, r, plain);
}

uint32_t cg_div(cg *g, kty t, uint32_t a, uint32_t b) {
  if (is_soft(g, t)) return soft_div(g, a, b);
  if (t == KF32 && g->o->float64) {
    uint32_t x = cg_cvt(g, a, KF32, KF64), y = cg_cvt(g, b, KF32, KF64);
    return cg_cvt(g, spv_flop(g->b, cg_type(g, KF64), SpvOpFDiv, x, y), KF64, KF32);
  }
  if (!(g->o->native & CG_NATIVE_DIV)) return exact_div(g, t, a, b);
  return spv_flop(g->b, cg_type(g, t), SpvOpFDiv, a, b);
}

/* ── a product and a sum ───────────────────────────────────────────────────────────── */

/* The upper half of v's bits as a number, `up` having been added to them. */
static uint32_t upper(cg *g, uint32_t v, int64_t up) {
  const cg_format f = cg_format_of(KF64);
  uint32_t bits = i_op(g, &f, SpvOpIAdd, to_bits(g, &f, v), cg_int(g, KI64, up));
  return of_bits(g, &f, i_op(g, &f, SpvOpBitwiseAnd, bits, cg_int(g, KI64, -0x8000000)));
}

/* Where the device has none, the product is p + e exactly, of halves as math.def has them. */
uint32_t cg_fma(cg *g, uint32_t a, uint32_t b, uint32_t c) {
  const cg_format F = cg_format_of(KF64), *f = &F;
  if (g->o->native & CG_NATIVE_FMA && !is_soft(g, KF64))
    return spv_glsl(g->b, cg_type(g, KF64), GLSLstd450Fma, a, b, c);
  uint32_t ah = upper(g, a, 0), al = f_op(g, f, SpvOpFSub, a, ah);
  uint32_t bh = upper(g, b, 0x4000000), bl = f_op(g, f, SpvOpFSub, b, bh);
  uint32_t p = f_op(g, f, SpvOpFMul, a, b);
  uint32_t e = f_op(g, f, SpvOpFSub, f_op(g, f, SpvOpFMul, ah, bh), p);
  e = f_op(g, f, SpvOpFAdd, e, f_op(g, f, SpvOpFMul, ah, bl));
  e = f_op(g, f, SpvOpFAdd, e, f_op(g, f, SpvOpFMul, al, bh));
  e = f_op(g, f, SpvOpFAdd, e, f_op(g, f, SpvOpFMul, al, bl));
  return f_op(g, f, SpvOpFAdd, f_op(g, f, SpvOpFAdd, c, p), e);
}
