/* SPDX-License-Identifier: MIT */
/* soft.c - f64 on devices that have none, in 64-bit integers.
 *
 * `* ⍟ ○` of f32 are defined as sequences of f64 operations, rounded once (tables/math.def), and
 * their bits are the same everywhere. So a device without shaderFloat64 computes the same
 * operations on patterns: a value of KF64 is a KI64 in its module. What is f64 in memory does not
 * come here (ir/place.c).
 *
 * A result is a sign, an exponent and 64 bits that begin with a one; what is below them is or-ed
 * into the lowest (sticky), and `pack` rounds them to nearest even. Results below the normal
 * numbers become 0, which the sequences for f32 do not see. */
#include "soft.h"

#include <spirv/unified1/GLSL.std.450.h>

#define INF 0x7ffull << 52
#define SIGN 1ull << 63

static uint32_t op2(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, cg_type(g, KI64), op, a, b);
}
static uint32_t opc(cg *g, SpvOp op, uint32_t a, uint64_t b) {
  return op2(g, op, a, cg_const(g, KI64, b));
}
static uint32_t either(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, cg_type(g, KB), SpvOpLogicalOr, a, b);
}
static uint32_t is(cg *g, kop op, uint32_t a, uint64_t b) { /* as signed integers */
  return cg_cmp(g, op, KI64, a, cg_const(g, KI64, b));
}
static uint32_t sel(cg *g, uint32_t c, uint32_t a, uint32_t b) {
  return cg_sel(g, KI64, c, a, b);
}
static uint32_t word_if(cg *g, uint32_t c, uint64_t v) {
  return sel(g, c, cg_const(g, KI64, v), cg_const(g, KI64, 0));
}

typedef struct parts {
  uint32_t sign, mag, exp, top; /* top: the significand, its leading one at bit 63 */
} parts;

static parts unpack(cg *g, uint32_t x) {
  parts p = {.sign = opc(g, SpvOpBitwiseAnd, x, SIGN),
             .mag = opc(g, SpvOpBitwiseAnd, x, ~(SIGN))};
  p.exp = opc(g, SpvOpShiftRightLogical, p.mag, 52);
  p.top = opc(g, SpvOpBitwiseOr, opc(g, SpvOpShiftLeftLogical, p.mag, 11), SIGN);
  return p;
}

static uint32_t is_zero(cg *g, const parts *p) { return is(g, KOP_EQ, p->exp, 0); }

/* Leading zeros of a word that is not 0; of 0, 63. */
static uint32_t zeros(cg *g, uint32_t x) {
  uint32_t half = cg_type(g, KI32), up = opc(g, SpvOpShiftRightLogical, x, 32);
  uint32_t high = is(g, KOP_NE, up, 0);
  uint32_t word = spv_op(g->b, half, SpvOpUConvert, sel(g, high, up, x));
  uint32_t msb = spv_glsl(g->b, half, GLSLstd450FindUMsb, word);
  uint32_t from = spv_op(g->b, cg_type(g, KI64), SpvOpUConvert, msb);
  uint32_t all = sel(g, high, cg_const(g, KI64, 31), cg_const(g, KI64, 63));
  return opc(g, SpvOpBitwiseAnd, op2(g, SpvOpISub, all, from), 63);
}

/* The float sign, top × 2^(exp - 1023 - 63), rounded. */
static uint32_t pack(cg *g, uint32_t sign, uint32_t exp, uint32_t top) {
  uint32_t q = opc(g, SpvOpShiftRightLogical, top, 11);
  uint32_t rest = opc(g, SpvOpBitwiseAnd, top, 0x7ff);
  /* Up where the rest is above the half, or is the half and q is odd. */
  uint32_t odd = opc(g, SpvOpBitwiseAnd, q, 1);
  uint32_t up = is(g, KOP_GT, op2(g, SpvOpIAdd, rest, odd), 0x400);
  uint32_t field = opc(g, SpvOpShiftLeftLogical, opc(g, SpvOpISub, exp, 1), 52);
  uint32_t r = op2(g, SpvOpIAdd, op2(g, SpvOpIAdd, field, q), word_if(g, up, 1));
  uint32_t above = either(g, is(g, KOP_GE, exp, 0x7ff), is(g, KOP_GE, r, INF));
  r = sel(g, above, cg_const(g, KI64, INF), r);
  r = sel(g, is(g, KOP_LE, exp, 0), cg_const(g, KI64, 0), r);
  return op2(g, SpvOpBitwiseOr, r, sign);
}

static uint32_t nan_if(cg *g, uint32_t c, uint32_t v) {
  return sel(g, c, cg_const(g, KI64, INF | 1ull << 51), v);
}
static uint32_t is_nan(cg *g, const parts *p) { return is(g, KOP_GT, p->mag, INF); }
static uint32_t is_inf(cg *g, const parts *p) { return is(g, KOP_EQ, p->mag, INF); }

uint32_t soft_add(cg *g, uint32_t x, uint32_t y) {
  parts p = unpack(g, x), q = unpack(g, y);
  uint32_t swap = cg_cmp(g, KOP_LT, KI64, p.mag, q.mag);
  parts a = unpack(g, sel(g, swap, y, x)), b = unpack(g, sel(g, swap, x, y));
  uint32_t far = op2(g, SpvOpISub, a.exp, b.exp);
  far = sel(g, is(g, KOP_GT, far, 62), cg_const(g, KI64, 62), far);
  uint32_t ma = opc(g, SpvOpShiftRightLogical, a.top, 1);
  uint32_t mb = sel(g, is_zero(g, &b), cg_const(g, KI64, 0),
                    opc(g, SpvOpShiftRightLogical, b.top, 1));
  uint32_t low = op2(g, SpvOpShiftRightLogical, mb, far);
  uint32_t lost = cg_cmp(g, KOP_NE, KI64, op2(g, SpvOpShiftLeftLogical, low, far), mb);
  low = op2(g, SpvOpBitwiseOr, low, word_if(g, lost, 1));
  uint32_t differ = cg_cmp(g, KOP_NE, KI64, a.sign, b.sign);
  uint32_t s = sel(g, differ, op2(g, SpvOpISub, ma, low), op2(g, SpvOpIAdd, ma, low));
  uint32_t n = zeros(g, s), none = is(g, KOP_EQ, s, 0);
  uint32_t exp = op2(g, SpvOpISub, opc(g, SpvOpIAdd, a.exp, 1), n);
  uint32_t r = pack(g, a.sign, exp, op2(g, SpvOpShiftLeftLogical, s, n));
  none = either(g, none, is_zero(g, &a));
  r = sel(g, none, op2(g, SpvOpBitwiseAnd, a.sign, b.sign), r);
  r = sel(g, is_inf(g, &a), op2(g, SpvOpBitwiseOr, a.mag, a.sign), r);
  uint32_t undone = cg_both(g, is_inf(g, &b), differ);
  return nan_if(g, either(g, is_nan(g, &a), undone), r);
}

/* The upper half of x × y; *low is the lower one. */
static uint32_t product(cg *g, uint32_t x, uint32_t y, uint32_t *low) {
  uint32_t xl = opc(g, SpvOpBitwiseAnd, x, UINT32_MAX),
           yl = opc(g, SpvOpBitwiseAnd, y, UINT32_MAX);
  uint32_t xh = opc(g, SpvOpShiftRightLogical, x, 32),
           yh = opc(g, SpvOpShiftRightLogical, y, 32);
  uint32_t ll = op2(g, SpvOpIMul, xl, yl), hl = op2(g, SpvOpIMul, xh, yl);
  uint32_t mid = op2(g, SpvOpIAdd, hl, opc(g, SpvOpShiftRightLogical, ll, 32));
  uint32_t lh = op2(g, SpvOpIMul, xl, yh);
  uint32_t m = op2(g, SpvOpIAdd, lh, opc(g, SpvOpBitwiseAnd, mid, UINT32_MAX));
  uint32_t r = op2(g, SpvOpIMul, xh, yh);
  r = op2(g, SpvOpIAdd, r, opc(g, SpvOpShiftRightLogical, mid, 32));
  *low = op2(g, SpvOpIMul, x, y);
  return op2(g, SpvOpIAdd, r, opc(g, SpvOpShiftRightLogical, m, 32));
}

uint32_t soft_mul(cg *g, uint32_t x, uint32_t y) {
  parts a = unpack(g, x), b = unpack(g, y);
  uint32_t low, sign = op2(g, SpvOpBitwiseXor, a.sign, b.sign);
  uint32_t s = product(g, a.top, b.top, &low);
  s = op2(g, SpvOpBitwiseOr, s, word_if(g, is(g, KOP_NE, low, 0), 1));
  uint32_t n = word_if(g, is(g, KOP_GE, s, 0), 1); /* as signed: the leading bit is 0 */
  uint32_t exp = op2(g, SpvOpISub, op2(g, SpvOpIAdd, a.exp, b.exp), n);
  uint32_t r =
      pack(g, sign, opc(g, SpvOpISub, exp, 1022), op2(g, SpvOpShiftLeftLogical, s, n));
  uint32_t zero = either(g, is_zero(g, &a), is_zero(g, &b));
  uint32_t inf = either(g, is_inf(g, &a), is_inf(g, &b));
  r = sel(g, zero, sign, r);
  r = sel(g, inf, opc(g, SpvOpBitwiseOr, sign, INF), r);
  uint32_t nan = either(g, cg_both(g, zero, inf), is_nan(g, &a));
  return nan_if(g, either(g, nan, is_nan(g, &b)), r);
}

/* Eleven bits of the quotient at a time. */
uint32_t soft_div(cg *g, uint32_t x, uint32_t y) {
  parts a = unpack(g, x), b = unpack(g, y);
  uint32_t sign = op2(g, SpvOpBitwiseXor, a.sign, b.sign);
  uint32_t rest = opc(g, SpvOpShiftRightLogical, a.top, 11);
  uint32_t by = opc(g, SpvOpShiftRightLogical, b.top, 11), q = cg_const(g, KI64, 0);
  for (int i = 0; i < 6; i++) {
    uint32_t d = op2(g, SpvOpUDiv, rest, by);
    rest = op2(g, SpvOpISub, rest, op2(g, SpvOpIMul, d, by));
    q = op2(g, SpvOpIAdd, opc(g, SpvOpShiftLeftLogical, q, 11), d);
    if (i < 5) rest = opc(g, SpvOpShiftLeftLogical, rest, 11);
  }
  q = opc(g, SpvOpShiftLeftLogical, q, 1); /* of 2^55 to 2^57 */
  q = op2(g, SpvOpBitwiseOr, q, word_if(g, is(g, KOP_NE, rest, 0), 1));
  uint32_t n = zeros(g, q);
  uint32_t exp = op2(g, SpvOpISub, op2(g, SpvOpISub, a.exp, b.exp), n);
  uint32_t r = pack(g, sign, opc(g, SpvOpIAdd, exp, 1023 + 7),
                    op2(g, SpvOpShiftLeftLogical, q, n));
  uint32_t za = is_zero(g, &a), zb = is_zero(g, &b), ia = is_inf(g, &a),
           ib = is_inf(g, &b);
  r = sel(g, either(g, za, ib), sign, r);
  r = sel(g, either(g, zb, ia), opc(g, SpvOpBitwiseOr, sign, INF), r);
  uint32_t nan = either(g, cg_both(g, za, zb), cg_both(g, ia, ib));
  nan = either(g, nan, is_nan(g, &a));
  return nan_if(g, either(g, nan, is_nan(g, &b)), r);
}

/* A number in the order of signed integers; -0 is 0. */
static uint32_t key(cg *g, const parts *p) {
  uint32_t minus = is(g, KOP_NE, p->sign, 0);
  uint32_t m = sel(g, is_zero(g, p), cg_const(g, KI64, 0), p->mag);
  return sel(g, minus, cg_ineg(g, KI64, m), m);
}

uint32_t soft_cmp(cg *g, kop op, uint32_t x, uint32_t y) {
  parts a = unpack(g, x), b = unpack(g, y);
  uint32_t nan = either(g, is_nan(g, &a), is_nan(g, &b)), ka = key(g, &a);
  uint32_t r = cg_cmp(g, op, KI64, ka, key(g, &b));
  if (op == KOP_NE) return either(g, nan, r);
  return cg_both(g, r, cg_not(g, KB, nan));
}

uint32_t soft_rint(cg *g, uint32_t x) {
  parts a = unpack(g, x);
  uint32_t big = cg_const(g, KI64, 0x433ull << 52); /* 2^52 */
  uint32_t minus = cg_const(g, KI64, 0xc33ull << 52);
  uint32_t r = soft_add(g, soft_add(g, a.mag, big), minus);
  r = op2(g, SpvOpBitwiseOr, r, a.sign);
  return sel(g, is(g, KOP_GE, a.exp, 0x433), x, r);
}

uint32_t soft_floor(cg *g, uint32_t x) {
  uint32_t r = soft_rint(g, x), minus_one = cg_const(g, KI64, 0xbffull << 52);
  uint32_t above = soft_cmp(g, KOP_GT, r, x);
  return sel(g, above, soft_add(g, r, minus_one), r);
}

uint32_t soft_of_int(cg *g, uint32_t v) {
  uint32_t sign = opc(g, SpvOpBitwiseAnd, v, SIGN), n;
  uint32_t m = sel(g, is(g, KOP_LT, v, 0), cg_ineg(g, KI64, v), v);
  n = zeros(g, m);
  uint32_t exp = op2(g, SpvOpISub, cg_const(g, KI64, 1023 + 63), n);
  uint32_t r = pack(g, sign, exp, op2(g, SpvOpShiftLeftLogical, m, n));
  return sel(g, is(g, KOP_EQ, v, 0), v, r);
}

uint32_t soft_to_int(cg *g, uint32_t x) {
  parts a = unpack(g, x);
  uint32_t by = op2(g, SpvOpISub, cg_const(g, KI64, 1023 + 63), a.exp);
  by = sel(g, is(g, KOP_LT, by, 0), cg_const(g, KI64, 0), by); /* -2^63: out of range */
  uint32_t small = is(g, KOP_GT, by, 63);
  uint32_t m = op2(g, SpvOpShiftRightLogical, a.top, opc(g, SpvOpBitwiseAnd, by, 63));
  m = sel(g, small, cg_const(g, KI64, 0), m);
  return sel(g, is(g, KOP_NE, a.sign, 0), cg_ineg(g, KI64, m), m);
}

uint32_t soft_of_f32(cg *g, uint32_t v) {
  uint32_t bits = spv_op(g->b, cg_type(g, KI64), SpvOpUConvert, cg_bits(g, KI32, v));
  uint32_t sign =
      opc(g, SpvOpShiftLeftLogical, opc(g, SpvOpBitwiseAnd, bits, 1ull << 31), 32);
  uint32_t mag = opc(g, SpvOpBitwiseAnd, bits, INT32_MAX);
  uint32_t wide = opc(g, SpvOpShiftLeftLogical, mag, 29);
  uint32_t normal = opc(g, SpvOpIAdd, wide, (1023ull - 127) << 52);
  uint32_t far = opc(g, SpvOpBitwiseOr, wide, INF); /* infinity, NaN */
  uint32_t n = zeros(g, mag);                       /* subnormal: mag × 2^-149 */
  uint32_t exp = op2(g, SpvOpISub, cg_const(g, KI64, 1023 + 63 - 149), n);
  uint32_t low =
      pack(g, cg_const(g, KI64, 0), exp, op2(g, SpvOpShiftLeftLogical, mag, n));
  low = sel(g, is(g, KOP_EQ, mag, 0), mag, low);
  uint32_t r = sel(g, is(g, KOP_LT, mag, 1 << 23), low, normal);
  r = sel(g, is(g, KOP_GE, mag, 0xffu << 23), far, r);
  return op2(g, SpvOpBitwiseOr, r, sign);
}

/* Rounded once: below the normal numbers more bits go. */
uint32_t soft_to_f32(cg *g, uint32_t x) {
  parts a = unpack(g, x);
  uint32_t exp = opc(g, SpvOpISub, a.exp, 1023 - 127);
  uint32_t less = op2(g, SpvOpISub, cg_const(g, KI64, 1), exp);
  less = sel(g, is(g, KOP_LT, less, 0), cg_const(g, KI64, 0), less);
  less = sel(g, is(g, KOP_GT, less, 30), cg_const(g, KI64, 30), less);
  uint32_t top = opc(g, SpvOpShiftRightLogical, a.top, 8); /* 56 bits, 32 of them to go */
  uint32_t m = op2(g, SpvOpShiftRightLogical, top, less);
  uint32_t lost = cg_cmp(g, KOP_NE, KI64, op2(g, SpvOpShiftLeftLogical, m, less), top);
  m = op2(g, SpvOpBitwiseOr, m, word_if(g, lost, 1));
  uint32_t q = opc(g, SpvOpShiftRightLogical, m, 32);
  uint32_t rest = opc(g, SpvOpBitwiseAnd, m, UINT32_MAX);
  uint32_t odd = opc(g, SpvOpBitwiseAnd, q, 1);
  uint32_t up = is(g, KOP_GT, op2(g, SpvOpIAdd, rest, odd), 1ull << 31);
  uint32_t e = sel(g, is(g, KOP_LT, exp, 1), cg_const(g, KI64, 1), exp);
  uint32_t field = opc(g, SpvOpShiftLeftLogical, opc(g, SpvOpISub, e, 1), 23);
  uint32_t r = op2(g, SpvOpIAdd, op2(g, SpvOpIAdd, field, q), word_if(g, up, 1));
  uint32_t inf = cg_const(g, KI64, 0xffu << 23);
  r = sel(g, cg_cmp(g, KOP_GE, KI64, r, inf), inf, r);
  r = sel(g, is_zero(g, &a), cg_const(g, KI64, 0), r);
  r = sel(g, is_nan(g, &a), cg_const(g, KI64, 0x7fc00000), r);
  r = op2(g, SpvOpBitwiseOr, r, opc(g, SpvOpShiftRightLogical, a.sign, 32));
  return cg_bits(g, KF32, spv_op(g->b, cg_type(g, KI32), SpvOpUConvert, r));
}
