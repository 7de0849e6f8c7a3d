/* SPDX-License-Identifier: MIT */
/* cg_arith.c - arithmetic on values of any number of lanes: integers, comparisons,
 * conversions, checked operations.
 *
 * Meanings are ops.def's to the bit. What SPIR-V or Vulkan leaves open is not used:
 * minimum and maximum are comparisons and selections (GLSL's may return either operand
 * for a NaN, and for 0 and ¯0), magnitude and negation work on the bits, whether a float is finite is read
 * off its exponent, a conversion to integer first replaces what is out of range, an
 * integer quotient never sees the divisors 0 and -1. Comparisons carry NoContraction like
 * the arithmetic: else a driver rewrites them as if there were no NaN (vk/known.def). */
#include "soft.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <math.h>

/* ── integers and bits ─────────────────────────────────────────────────────────────── */

uint32_t cg_shift(cg *g, kty t, SpvOp op, uint32_t v, uint32_t by) {
  uint32_t n = cg_int(g, t, by);
  return spv_op(g->b, cg_type(g, t), op, v, n);
}

uint32_t cg_ineg(cg *g, kty t, uint32_t a) {
  return spv_op(g->b, cg_type(g, t), SpvOpSNegate, a);
}

/* The integer type that holds a float's pattern. */
static kty cg_bits_type(kty t) {
  switch (t) {
  case KF32: return KI32;
  case KF64: return KI64;
  default: return t;
  }
}

static uint64_t cg_sign_bit(kty t) { return 1ull << (8 * kty_bytes(t) - 1); }

uint32_t cg_not(cg *g, kty t, uint32_t v) {
  return spv_op(g->b, cg_type(g, t), t == KB ? SpvOpLogicalNot : SpvOpNot, v);
}

uint32_t cg_bits(cg *g, kty to, uint32_t v) {
  if (is_soft(g, KF64) && kty_bytes(to) == 8) return v;
  return spv_op(g->b, cg_type(g, to), SpvOpBitcast, v);
}

/* A float's pattern combined with a mask. */
static uint32_t cg_mask(cg *g, kty t, SpvOp op, uint32_t v, uint64_t mask) {
  kty i = cg_bits_type(t);
  uint32_t bits = cg_bits(g, i, v), m = cg_const(g, i, mask);
  uint32_t r = spv_op(g->b, cg_type(g, i), op, bits, m);
  return cg_bits(g, t, r);
}

static uint32_t cg_negative(cg *g, kty t, uint32_t v) {
  return cg_cmp(g, KOP_LT, t, v, cg_int(g, t, 0));
}

uint32_t cg_neg(cg *g, kty t, uint32_t v) {
  if (kty_is_int(t)) return cg_ineg(g, t, v);
  return cg_mask(g, t, SpvOpBitwiseXor, v, cg_sign_bit(t));
}

uint32_t cg_abs(cg *g, kty t, uint32_t v) {
  if (kty_is_float(t)) return cg_mask(g, t, SpvOpBitwiseAnd, v, cg_sign_bit(t) - 1);
  uint32_t minus = cg_negative(g, t, v), n = cg_ineg(g, t, v);
  return cg_sel(g, t, minus, n, v);
}

/* A sum with 2^52 has no place for fractions. */
static uint32_t round_by_sum(cg *g, uint32_t v) {
  uint32_t big = cg_real(g, KF64, 0x1p52), mag = cg_abs(g, KF64, v);
  uint32_t sign = cg_mask(g, KF64, SpvOpBitwiseAnd, v, cg_sign_bit(KF64));
  uint32_t r = cg_arith(g, KOP_SUB, KF64, cg_arith(g, KOP_ADD, KF64, mag, big), big);
  r = cg_sel(g, KF64, cg_cmp(g, KOP_LT, KF64, mag, big), r, mag);
  r = spv_op(g->b, cg_type(g, KI64), SpvOpBitwiseOr, cg_bits(g, KI64, r),
             cg_bits(g, KI64, sign));
  return cg_bits(g, KF64, r);
}

uint32_t cg_rint(cg *g, kty t, uint32_t v) {
  if (is_soft(g, t)) return soft_rint(g, v);
  bool sum = t == KF64 && !(g->o->native & CG_NATIVE_ROUND64);
  return sum ? round_by_sum(g, v) : spv_glsl(g->b, cg_type(g, t), GLSLstd450RoundEven, v);
}

uint32_t cg_floor(cg *g, kty t, uint32_t v) {
  if (is_soft(g, t)) return soft_floor(g, v);
  if (t != KF64 || g->o->native & CG_NATIVE_ROUND64)
    return spv_glsl(g->b, cg_type(g, t), GLSLstd450Floor, v);
  uint32_t n = round_by_sum(g, v), below = cg_arith(g, KOP_SUB, t, n, cg_real(g, t, 1));
  return cg_sel(g, t, cg_cmp(g, KOP_GT, t, n, v), below, n);
}

uint32_t cg_quot(cg *g, kty t, uint32_t a, uint32_t d) {
  uint32_t zero = cg_cmp(g, KOP_EQ, t, d, cg_int(g, t, 0));
  uint32_t minus = cg_cmp(g, KOP_EQ, t, d, cg_int(g, t, -1));
  uint32_t odd = spv_op(g->b, cg_type(g, KB), SpvOpLogicalOr, zero, minus);
  uint32_t safe = cg_sel(g, t, odd, cg_int(g, t, 1), d);
  uint32_t q = spv_op(g->b, cg_type(g, t), SpvOpSDiv, a, safe);
  return cg_sel(g, t, minus, cg_ineg(g, t, a), q);
}

/* ── comparing ─────────────────────────────────────────────────────────────────────── */

static uint32_t cg_cmp_bool(cg *g, kop op, uint32_t a, uint32_t b) {
  uint32_t ty = cg_type(g, KB);
  switch (op) {
  case KOP_EQ: return spv_op(g->b, ty, SpvOpLogicalEqual, a, b);
  case KOP_NE: return spv_op(g->b, ty, SpvOpLogicalNotEqual, a, b);
  case KOP_LT:
    return spv_op(g->b, ty, SpvOpLogicalAnd, spv_op(g->b, ty, SpvOpLogicalNot, a), b);
  case KOP_LE:
    return spv_op(g->b, ty, SpvOpLogicalOr, spv_op(g->b, ty, SpvOpLogicalNot, a), b);
  case KOP_GT: return cg_cmp_bool(g, KOP_LT, b, a);
  default: return cg_cmp_bool(g, KOP_LE, b, a);
  }
}

uint32_t cg_cmp(cg *g, kop op, kty t, uint32_t a, uint32_t b) {
  static const uint16_t ops[6][2] = {{SpvOpIEqual, SpvOpFOrdEqual},
                                     {SpvOpINotEqual, SpvOpFUnordNotEqual},
                                     {SpvOpSLessThan, SpvOpFOrdLessThan},
                                     {SpvOpSLessThanEqual, SpvOpFOrdLessThanEqual},
                                     {SpvOpSGreaterThan, SpvOpFOrdGreaterThan},
                                     {SpvOpSGreaterThanEqual, SpvOpFOrdGreaterThanEqual}};
  if (t == KB) return cg_cmp_bool(g, op, a, b);
  if (is_soft(g, t)) return soft_cmp(g, op, a, b);
  bool is_float = kty_is_float(t);
  uint32_t r = spv_op(g->b, cg_type(g, KB), ops[op - KOP_EQ][is_float], a, b);
  return is_float ? spv_exact(g->b, r) : r;
}

/* ── conversions ───────────────────────────────────────────────────────────────────── */

static uint32_t cg_float_to_int(cg *g, uint32_t v, kty from, kty to) {
  double end = to == KI32 ? 0x1p31 : 0x1p63;
  uint32_t lo = cg_cmp(g, KOP_GE, from, v, cg_real(g, from, -end));
  uint32_t hi = cg_cmp(g, KOP_LT, from, v, cg_real(g, from, end));
  uint32_t in = cg_both(g, lo, hi);
  uint32_t safe = cg_sel(g, from, in, v, cg_real(g, from, 0));
  if (is_soft(g, from)) return cg_cvt(g, soft_to_int(g, safe), KI64, to);
  return spv_op(g->b, cg_type(g, to), SpvOpConvertFToS, safe);
}

/* KI32 → KI64 from its halves. Not OpSConvert: a driver gets comparisons (< ≤ > ≥) of a
 * sign-extended value with a constant wrong (vk/known.def). To a GPU both are one shift. */
static uint32_t cg_widen(cg *g, uint32_t v) {
  uint32_t ty = cg_type(g, KI64);
  uint32_t sign = cg_shift(g, KI32, SpvOpShiftRightArithmetic, v, 31);
  uint32_t lo = spv_op(g->b, ty, SpvOpUConvert, v),
           hi = spv_op(g->b, ty, SpvOpUConvert, sign);
  hi = cg_shift(g, KI64, SpvOpShiftLeftLogical, hi, 32);
  return spv_op(g->b, ty, SpvOpBitwiseOr, lo, hi);
}

uint32_t cg_number(cg *g, kty t, int v) {
  return kty_is_float(t) ? cg_real(g, t, v) : cg_int(g, t, v);
}

uint32_t cg_cvt(cg *g, uint32_t v, kty from, kty to) {
  uint32_t ty = cg_type(g, to);
  if (from == to) return v;
  if (from == KB) {
    uint32_t one = cg_number(g, to, 1);
    return cg_sel(g, to, v, one, cg_const(g, to, 0));
  }
  if (to == KB) return cg_cmp(g, KOP_NE, from, v, cg_const(g, from, 0));
  if (from == KI32 && to == KI64) return cg_widen(g, v);
  if (kty_is_float(from) && kty_is_int(to)) return cg_float_to_int(g, v, from, to);
  if (is_soft(g, from)) return soft_to_f32(g, v);
  if (is_soft(g, to) && from == KF32) return soft_of_f32(g, v);
  if (is_soft(g, to)) return soft_of_int(g, cg_cvt(g, v, from, KI64));
  if (kty_is_float(from)) return spv_op(g->b, ty, SpvOpFConvert, v);
  if (kty_is_float(to)) return spv_op(g->b, ty, SpvOpConvertSToF, v);
  return spv_op(g->b, ty, SpvOpSConvert, v);
}

/* ── checked integer arithmetic ────────────────────────────────────────────────────── */

/* A sum overflows if both operands differ from it in sign, a difference a - b if a
 * differs from it and from b. */
uint32_t cg_addo(cg *g, kop op, kty t, uint32_t a, uint32_t b, uint32_t *over) {
  uint32_t ty = cg_type(g, t);
  SpvOp plain = SpvOpIAdd;
  if (op == KOP_SUBO) plain = SpvOpISub;
  uint32_t s = spv_op(g->b, ty, plain, a, b);
  uint32_t x = spv_op(g->b, ty, SpvOpBitwiseXor, s, a);
  uint32_t y = spv_op(g->b, ty, SpvOpBitwiseXor, op == KOP_SUBO ? a : s, b);
  *over = cg_negative(g, t, spv_op(g->b, ty, SpvOpBitwiseAnd, x, y));
  return s;
}

/* |a|×|b| from 32-bit pieces. Only if one upper half is zero can the product fit; then
 * the cross terms are one product, and it and the sum must not overflow 64 bits. */
static uint32_t cg_mulo64(cg *g, uint32_t a, uint32_t b, uint32_t *over) {
  spv *s = g->b;
  uint32_t ty = cg_type(g, KI64), kb = cg_type(g, KB),
           low = cg_const(g, KI64, 0xffffffff);
  uint32_t x = cg_abs(g, KI64, a), y = cg_abs(g, KI64, b), zero = cg_int(g, KI64, 0);
  uint32_t xl = spv_op(s, ty, SpvOpBitwiseAnd, x, low);
  uint32_t xh = cg_shift(g, KI64, SpvOpShiftRightLogical, x, 32);
  uint32_t yl = spv_op(s, ty, SpvOpBitwiseAnd, y, low);
  uint32_t yh = cg_shift(g, KI64, SpvOpShiftRightLogical, y, 32);
  uint32_t xn = cg_cmp(g, KOP_NE, KI64, xh, zero), yn = cg_cmp(g, KOP_NE, KI64, yh, zero);
  uint32_t bad = cg_both(g, xn, yn);
  uint32_t c1 = spv_op(s, ty, SpvOpIMul, xh, yl), c2 = spv_op(s, ty, SpvOpIMul, xl, yh);
  uint32_t cross = spv_op(s, ty, SpvOpIAdd, c1, c2);
  uint32_t big = spv_op(s, kb, SpvOpUGreaterThan, cross, low);
  bad = spv_op(s, kb, SpvOpLogicalOr, bad, big);
  uint32_t lo = spv_op(s, ty, SpvOpIMul, xl, yl);
  uint32_t up = cg_shift(g, KI64, SpvOpShiftLeftLogical, cross, 32);
  uint32_t m = spv_op(s, ty, SpvOpIAdd, up, lo);
  uint32_t carry = spv_op(s, kb, SpvOpULessThan, m, lo);
  bad = spv_op(s, kb, SpvOpLogicalOr, bad, carry);
  uint32_t sign = spv_op(s, ty, SpvOpBitwiseXor, a, b);
  uint32_t minus = cg_shift(g, KI64, SpvOpShiftRightLogical, sign, 63);
  uint32_t most = spv_op(s, ty, SpvOpIAdd, cg_int(g, KI64, INT64_MAX), minus);
  uint32_t above = spv_op(s, kb, SpvOpUGreaterThan, m, most);
  *over = spv_op(s, kb, SpvOpLogicalOr, bad, above);
  return spv_op(s, ty, SpvOpIMul, a, b);
}

static uint32_t cg_mulo32(cg *g, uint32_t a, uint32_t b, uint32_t *over) {
  uint32_t x = cg_cvt(g, a, KI32, KI64), y = cg_cvt(g, b, KI32, KI64);
  uint32_t p = spv_op(g->b, cg_type(g, KI64), SpvOpIMul, x, y);
  uint32_t r = cg_cvt(g, p, KI64, KI32);
  *over = cg_cmp(g, KOP_NE, KI64, p, cg_cvt(g, r, KI32, KI64));
  return r;
}

uint32_t cg_mulo(cg *g, kty t, uint32_t a, uint32_t b, uint32_t *over) {
  if (t == KI32) return cg_mulo32(g, a, b, over);
  return cg_mulo64(g, a, b, over);
}

/* ── sums, products and logic ──────────────────────────────────────────────────────── */

/* For integers, floats and truth values. */
static uint32_t cg_sum(cg *g, kty t, SpvOp integer, SpvOp real, const uint32_t v[2]) {
  uint32_t ty = cg_type(g, t);
  if (is_soft(g, t) && real == SpvOpFMul) return soft_mul(g, v[0], v[1]);
  if (is_soft(g, t) && real == SpvOpFSub) return soft_add(g, v[0], cg_neg(g, t, v[1]));
  if (is_soft(g, t)) return soft_add(g, v[0], v[1]);
  if (kty_is_float(t)) return spv_flop(g->b, ty, real, v[0], v[1]);
  return spv_op(g->b, ty, integer, v[0], v[1]);
}

static uint32_t cg_logic(cg *g, kty t, SpvOp bitwise, SpvOp logical,
                         const uint32_t v[2]) {
  return spv_op(g->b, cg_type(g, t), t == KB ? logical : bitwise, v[0], v[1]);
}

/* As base/extreme.h has it. */
static uint32_t cg_extreme(cg *g, kop op, kty t, uint32_t a, uint32_t b) {
  kop first = op == KOP_MIN ? KOP_LT : KOP_GT;
  uint32_t p = cg_sel(g, t, cg_cmp(g, first, t, b, a), b, a);
  if (kty_is_int(t)) return p;
  kty i = cg_bits_type(t);
  uint32_t type = cg_type(g, i), below = cg_const(g, i, cg_sign_bit(t) - 1);
  uint32_t q = cg_sel(g, t, cg_cmp(g, first, t, a, b), a, b);
  p = cg_bits(g, i, p);
  q = cg_bits(g, i, q);
  uint32_t r = spv_op(g->b, type, SpvOpBitwiseOr, p, q);
  if (op == KOP_MAX) {
    uint32_t sign = spv_op(g->b, type, SpvOpBitwiseAnd, p, q);
    r = spv_op(g->b, type, SpvOpBitwiseAnd, r, below);
    r = spv_op(g->b, type, SpvOpBitwiseOr, r, sign);
  }
  return cg_bits(g, t, r);
}

uint32_t cg_extreme_of(cg *g, kop op, kty t, uint32_t v, uint32_t to, bool minus_zero) {
  bool least = op == KOP_MIN;
  if (least != minus_zero)
    return cg_sel(g, t, cg_cmp(g, least ? KOP_GT : KOP_LT, t, v, to), to, v);
  uint32_t as_far = cg_cmp(g, least ? KOP_GE : KOP_LE, t, v, to);
  return cg_sel(g, t, as_far, to, v);
}

uint32_t cg_arith(cg *g, kop op, kty t, uint32_t a, uint32_t b) {
  const uint32_t v[2] = {a, b};
  switch (op) {
  case KOP_ADD: return cg_sum(g, t, SpvOpIAdd, SpvOpFAdd, v);
  case KOP_SUB: return cg_sum(g, t, SpvOpISub, SpvOpFSub, v);
  case KOP_MUL: return cg_sum(g, t, SpvOpIMul, SpvOpFMul, v);
  case KOP_MIN:
  case KOP_MAX: return cg_extreme(g, op, t, a, b);
  case KOP_AND: return cg_logic(g, t, SpvOpBitwiseAnd, SpvOpLogicalAnd, v);
  case KOP_OR: return cg_logic(g, t, SpvOpBitwiseOr, SpvOpLogicalOr, v);
  default: return cg_logic(g, t, SpvOpBitwiseXor, SpvOpLogicalNotEqual, v);
  }
}

/* KB: v is neither infinite nor NaN. */
uint32_t cg_finite(cg *g, kty t, uint32_t v) {
  kty i = cg_bits_type(t);
  uint32_t e = cg_const(g, i, t == KF32 ? 0xffull << 23 : 0x7ffull << 52);
  uint32_t x = spv_op(g->b, cg_type(g, i), SpvOpBitwiseAnd, cg_bits(g, i, v), e);
  return cg_cmp(g, KOP_NE, i, x, e);
}
