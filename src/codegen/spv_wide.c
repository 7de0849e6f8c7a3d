/* SPDX-License-Identifier: MIT */
/* spv_wide.c - integers of 64 bits as pairs of words, for devices without shaderInt64.
 *
 * Templates write 64-bit instructions. In a module for such a device (spv.words) the type of 64
 * bits is no type of SPIR-V, and each instruction that has to do with it becomes instructions on
 * the lower and the upper words, which are u32 of as many components:
 *
 *   value      two ids                            a + b    OpIAddCarry, two additions
 *   variable   two, in the function or workgroup  a × b    OpUMulExtended, two products
 *   in memory  neighbours: uvec2, or uvec4        a ÷ b    a loop over the bits
 *              of two numbers                     pointer  OpBitcast of a uvec2
 *
 * So an address is a base of two words, to which an offset of one is added: what is known to have
 * no upper word has the constant 0 there, and what is made of such zeros is not emitted. */
#include "spv_wide.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <assert.h>

enum { WIDE_TYPE, WIDE_PTR, WIDE_VALUE, WIDE_APART, WIDE_NEIGHBOURS };

static uint32_t wide_new(spv *b, spv_wide x) {
  if (b->failed || !vec_push(b->c, &b->wide, x)) b->failed = true;
  return b->failed ? SPV_WIDE : SPV_WIDE | (uint32_t)(b->wide.n - 1);
}

static spv_wide wide_at(const spv *b, uint32_t id) {
  static const spv_wide none = {.n = 1};
  uint32_t i = id & ~SPV_WIDE;
  assert(is_wide(id));
  return i < b->wide.n ? b->wide.at[i] : none;
}

/* ── types, constants, variables ───────────────────────────────────────────────────── */

uint32_t wide_type(spv *b, uint32_t n) {
  for (uint32_t i = 0; i < b->wide.n; i++)
    if (b->wide.at[i].kind == WIDE_TYPE && b->wide.at[i].n == n) return SPV_WIDE | i;
  return wide_new(b, (spv_wide){.kind = WIDE_TYPE, .n = n});
}

uint32_t wide_ptr(spv *b, SpvStorageClass where, uint32_t type) {
  spv_wide p = {.kind = WIDE_PTR, .n = wide_at(b, type).n, .lo = (uint32_t)where};
  for (uint32_t i = 0; i < b->wide.n; i++) {
    const spv_wide *x = &b->wide.at[i];
    if (x->kind == p.kind && x->n == p.n && x->lo == p.lo) return SPV_WIDE | i;
  }
  return wide_new(b, p);
}

/* u32 of n components; their constant. */
static uint32_t words(spv *b, uint32_t n) { return spv_vec(b, spv_int(b, 32), n); }
static uint32_t word(spv *b, uint32_t n, uint32_t v) {
  return spv_const(b, spv_int(b, 32), 32, v, n);
}

typedef struct pair {
  uint32_t lo, hi;
} pair;

static uint32_t value(spv *b, uint32_t n, pair v) {
  return wide_new(b, (spv_wide){.kind = WIDE_VALUE, .n = n, .lo = v.lo, .hi = v.hi});
}

uint32_t wide_const(spv *b, uint64_t bits, uint32_t n) {
  uint32_t lo = word(b, n, (uint32_t)bits), hi = word(b, n, (uint32_t)(bits >> 32));
  return wide_new(b, (spv_wide){WIDE_VALUE, n, lo, hi, true, bits});
}

uint32_t wide_const4(spv *b, const uint64_t v[4]) {
  uint64_t lo[4], hi[4];
  for (int i = 0; i < 4; i++) {
    lo[i] = (uint32_t)v[i];
    hi[i] = v[i] >> 32;
  }
  uint32_t type = spv_int(b, 32), low = spv_const4(b, type, 32, lo);
  return value(b, 4, (pair){low, spv_const4(b, type, 32, hi)});
}

uint32_t wide_push(spv *b) { return spv_push(b, words(b, 2)); }

uint32_t wide_local(spv *b, uint32_t type, uint32_t initial) {
  uint32_t n = wide_at(b, type).n, t = words(b, n);
  pair v = {0, 0};
  if (initial) v = (pair){wide_at(b, initial).lo, wide_at(b, initial).hi};
  uint32_t lo = spv_local(b, t, v.lo), hi = spv_local(b, t, v.hi);
  return wide_new(b, (spv_wide){.kind = WIDE_APART, .n = n, .lo = lo, .hi = hi});
}

uint32_t wide_shared(spv *b, uint32_t type, uint32_t count) {
  uint32_t n = wide_at(b, type).n, t = words(b, n);
  uint32_t lo = spv_shared(b, t, count), hi = spv_shared(b, t, count);
  return wide_new(b, (spv_wide){.kind = WIDE_APART, .n = n, .lo = lo, .hi = hi});
}

/* ── arithmetic ────────────────────────────────────────────────────────────────────── */

/* An operation on words; one of them a constant; one that says yes or no. */
static uint32_t op(spv *b, uint32_t n, SpvOp o, uint32_t x, uint32_t y) {
  return spv_op(b, words(b, n), o, x, y);
}
static uint32_t opc(spv *b, uint32_t n, SpvOp o, uint32_t x, uint32_t y) {
  return op(b, n, o, x, word(b, n, y));
}
static uint32_t test(spv *b, uint32_t n, SpvOp o, uint32_t x, uint32_t y) {
  return spv_op(b, spv_vec(b, spv_bool(b), n), o, x, y);
}
static uint32_t pick(spv *b, uint32_t n, uint32_t is, uint32_t x, uint32_t y) {
  return x == y ? x : spv_op(b, words(b, n), SpvOpSelect, is, x, y);
}
static uint32_t sum(spv *b, uint32_t n, uint32_t x, uint32_t y) {
  uint32_t zero = word(b, n, 0);
  if (x == zero) return y;
  return y == zero ? x : op(b, n, SpvOpIAdd, x, y);
}

/* The two words that OpIAddCarry, OpISubBorrow or OpUMulExtended gives. */
static pair both(spv *b, uint32_t n, SpvOp o, uint32_t x, uint32_t y) {
  uint32_t t = words(b, n), r = spv_op(b, spv_pair(b, t), o, x, y);
  uint32_t lo = spv_op(b, t, SpvOpCompositeExtract, r, 0);
  return (pair){lo, spv_op(b, t, SpvOpCompositeExtract, r, 1)};
}

static pair add(spv *b, uint32_t n, pair x, pair y) {
  uint32_t zero = word(b, n, 0);
  if (x.lo == zero) return (pair){y.lo, sum(b, n, x.hi, y.hi)};
  if (y.lo == zero) return (pair){x.lo, sum(b, n, x.hi, y.hi)};
  pair r = both(b, n, SpvOpIAddCarry, x.lo, y.lo);
  r.hi = sum(b, n, sum(b, n, x.hi, y.hi), r.hi);
  return r;
}

static pair subtract(spv *b, uint32_t n, pair x, pair y) {
  pair r = both(b, n, SpvOpISubBorrow, x.lo, y.lo);
  uint32_t hi = y.hi == word(b, n, 0) ? x.hi : op(b, n, SpvOpISub, x.hi, y.hi);
  r.hi = op(b, n, SpvOpISub, hi, r.hi);
  return r;
}

static pair negate(spv *b, uint32_t n, pair x) {
  uint32_t zero = word(b, n, 0);
  return subtract(b, n, (pair){zero, zero}, x);
}

static pair multiply(spv *b, uint32_t n, pair x, pair y) {
  uint32_t zero = word(b, n, 0);
  pair r = both(b, n, SpvOpUMulExtended, x.lo, y.lo);
  if (y.hi != zero) r.hi = sum(b, n, r.hi, op(b, n, SpvOpIMul, x.lo, y.hi));
  if (x.hi != zero) r.hi = sum(b, n, r.hi, op(b, n, SpvOpIMul, x.hi, y.lo));
  return r;
}

/* With the constants 0 and ¯1 it is known: masks of one word leave nothing of the other. */
static uint32_t bitwise_word(spv *b, uint32_t n, SpvOp o, uint32_t x, uint32_t y) {
  uint32_t zero = word(b, n, 0), ones = word(b, n, UINT32_MAX);
  bool and = o == SpvOpBitwiseAnd;
  if (and&&(x == zero || y == zero)) return zero;
  if (x == (and? ones : zero)) return y;
  if (y == (and? ones : zero)) return x;
  return op(b, n, o, x, y);
}

static pair bitwise(spv *b, uint32_t n, SpvOp o, pair x, pair y) {
  uint32_t lo = bitwise_word(b, n, o, x.lo, y.lo);
  return (pair){lo, bitwise_word(b, n, o, x.hi, y.hi)};
}

static pair choose(spv *b, uint32_t n, uint32_t is, pair x, pair y) {
  uint32_t lo = pick(b, n, is, x.lo, y.lo);
  return (pair){lo, pick(b, n, is, x.hi, y.hi)};
}

static uint32_t sign_of(spv *b, uint32_t n, uint32_t hi) {
  return opc(b, n, SpvOpShiftRightArithmetic, hi, 31);
}

/* ── shifts ────────────────────────────────────────────────────────────────────────── */

static pair shift_left_by(spv *b, uint32_t n, pair x, uint32_t by) {
  uint32_t zero = word(b, n, 0), over;
  if (by == 0) return x;
  if (by == 32) return (pair){zero, x.lo};
  if (by > 32) return (pair){zero, opc(b, n, SpvOpShiftLeftLogical, x.lo, by - 32)};
  over = opc(b, n, SpvOpShiftRightLogical, x.lo, 32 - by);
  if (x.hi != zero)
    over = op(b, n, SpvOpBitwiseOr, over, opc(b, n, SpvOpShiftLeftLogical, x.hi, by));
  return (pair){opc(b, n, SpvOpShiftLeftLogical, x.lo, by), over};
}

static pair shift_right_by(spv *b, uint32_t n, SpvOp o, pair x, uint32_t by) {
  uint32_t fill = word(b, n, 0);
  if (by == 0) return x;
  if (x.hi == fill) o = SpvOpShiftRightLogical;
  if (by >= 32 && o == SpvOpShiftRightArithmetic) fill = sign_of(b, n, x.hi);
  if (by == 32) return (pair){x.hi, fill};
  if (by > 32) return (pair){opc(b, n, o, x.hi, by - 32), fill};
  uint32_t lo = opc(b, n, SpvOpShiftRightLogical, x.lo, by);
  if (x.hi == fill) return (pair){lo, fill};
  uint32_t down = opc(b, n, SpvOpShiftLeftLogical, x.hi, 32 - by);
  lo = op(b, n, SpvOpBitwiseOr, lo, down);
  return (pair){lo, opc(b, n, o, x.hi, by)};
}

/* By 0 to 63. What goes from one word to the other goes one place first, so that no shift is by
 * 32. */
static pair shift(spv *b, uint32_t n, SpvOp o, pair x, uint32_t by) {
  bool left = o == SpvOpShiftLeftLogical;
  SpvOp back = left ? SpvOpShiftRightLogical : SpvOpShiftLeftLogical;
  uint32_t low = opc(b, n, SpvOpBitwiseAnd, by, 31), fill = word(b, n, 0);
  uint32_t rest = opc(b, n, SpvOpBitwiseXor, low, 31);
  uint32_t from = left ? x.lo : x.hi, to = left ? x.hi : x.lo;
  uint32_t far = opc(b, n, SpvOpBitwiseAnd, by, 32);
  far = test(b, n, SpvOpINotEqual, far, fill);
  if (o == SpvOpShiftRightArithmetic) fill = sign_of(b, n, x.hi);
  uint32_t over = op(b, n, back, opc(b, n, back, from, 1), rest);
  to = op(b, n, left ? o : SpvOpShiftRightLogical, to, low);
  to = op(b, n, SpvOpBitwiseOr, to, over);
  from = op(b, n, o, from, low);
  to = pick(b, n, far, from, to);
  from = pick(b, n, far, fill, from);
  return left ? (pair){from, to} : (pair){to, from};
}

/* ── comparisons ───────────────────────────────────────────────────────────────────── */

static uint32_t equal(spv *b, uint32_t n, pair x, pair y) {
  uint32_t lo = op(b, n, SpvOpBitwiseXor, x.lo, y.lo), zero = word(b, n, 0);
  if (x.hi != y.hi)
    lo = op(b, n, SpvOpBitwiseOr, lo, op(b, n, SpvOpBitwiseXor, x.hi, y.hi));
  return test(b, n, SpvOpIEqual, lo, zero);
}

/* x < y; `o` compares the upper words. */
static uint32_t less(spv *b, uint32_t n, SpvOp o, pair x, pair y) {
  uint32_t lo = test(b, n, SpvOpULessThan, x.lo, y.lo);
  if (x.hi == y.hi) return lo;
  uint32_t hi = test(b, n, o, x.hi, y.hi), same = test(b, n, SpvOpIEqual, x.hi, y.hi);
  lo = test(b, n, SpvOpLogicalAnd, same, lo);
  return test(b, n, SpvOpLogicalOr, hi, lo);
}

static uint32_t compare(spv *b, uint32_t n, SpvOp o, pair x, pair y) {
  uint32_t type = spv_vec(b, spv_bool(b), n), r;
  switch (o) {
  case SpvOpIEqual: return equal(b, n, x, y);
  case SpvOpULessThan: return less(b, n, SpvOpULessThan, x, y);
  case SpvOpUGreaterThan: return less(b, n, SpvOpULessThan, y, x);
  case SpvOpSLessThan: return less(b, n, SpvOpSLessThan, x, y);
  case SpvOpSGreaterThan: return less(b, n, SpvOpSLessThan, y, x);
  case SpvOpINotEqual: r = equal(b, n, x, y); break;
  case SpvOpUGreaterThanEqual: r = less(b, n, SpvOpULessThan, x, y); break;
  case SpvOpULessThanEqual: r = less(b, n, SpvOpULessThan, y, x); break;
  case SpvOpSGreaterThanEqual: r = less(b, n, SpvOpSLessThan, x, y); break;
  default: r = less(b, n, SpvOpSLessThan, y, x); break;
  }
  return spv_op(b, type, SpvOpLogicalNot, r);
}

static uint32_t is_minus(spv *b, uint32_t n, pair x) {
  return test(b, n, SpvOpSLessThan, x.hi, word(b, n, 0));
}

static pair magnitude(spv *b, uint32_t n, pair x) {
  uint32_t minus = is_minus(b, n, x);
  return choose(b, n, minus, negate(b, n, x), x);
}

/* ── division ──────────────────────────────────────────────────────────────────────── */

/* Bit by bit, the highest first: the quotient comes into x from below as x goes into the rest. */
static pair divide(spv *b, uint32_t n, pair x, pair y, pair *rest) {
  uint32_t t = words(b, n), zero = word(b, n, 0), var[4];
  const uint32_t initial[4] = {x.lo, x.hi, zero, zero};
  for (int i = 0; i < 4; i++) {
    var[i] = spv_local(b, t, 0);
    spv_do(b, SpvOpStore, var[i], initial[i]);
  }
  spv_loop l = spv_for(b, spv_u32(b, 64));
  uint32_t v[4];
  for (int i = 0; i < 4; i++) v[i] = spv_op(b, t, SpvOpLoad, var[i]);
  pair q = {v[0], v[1]}, r = {v[2], v[3]};
  uint32_t over = is_minus(b, n, r); /* the bit that the rest's 64 have no room for */
  r = shift_left_by(b, n, r, 1);
  r.lo = op(b, n, SpvOpBitwiseOr, r.lo, opc(b, n, SpvOpShiftRightLogical, q.hi, 31));
  q = shift_left_by(b, n, q, 1);
  uint32_t fits = compare(b, n, SpvOpUGreaterThanEqual, r, y);
  fits = test(b, n, SpvOpLogicalOr, over, fits);
  r = choose(b, n, fits, subtract(b, n, r, y), r);
  uint32_t one = pick(b, n, fits, word(b, n, 1), zero);
  const uint32_t next[4] = {op(b, n, SpvOpBitwiseOr, q.lo, one), q.hi, r.lo, r.hi};
  for (int i = 0; i < 4; i++) spv_do(b, SpvOpStore, var[i], next[i]);
  spv_endfor(b, &l);
  for (int i = 0; i < 4; i++) v[i] = spv_op(b, t, SpvOpLoad, var[i]);
  *rest = (pair){v[2], v[3]};
  return (pair){v[0], v[1]};
}

static pair divide_signed(spv *b, uint32_t n, pair x, pair y) {
  uint32_t differ = op(b, n, SpvOpBitwiseXor, x.hi, y.hi);
  pair rest, q = magnitude(b, n, x);
  q = divide(b, n, q, magnitude(b, n, y), &rest);
  differ = test(b, n, SpvOpSLessThan, differ, word(b, n, 0));
  return choose(b, n, differ, negate(b, n, q), q);
}

/* ── f32 ───────────────────────────────────────────────────────────────────────────── */

/* Rounded once: the number's first bits as an integer of 31, into whose last bit goes whether any
 * of the others is set, and then times a power of 2. */
static uint32_t to_f32(spv *b, uint32_t type, uint32_t n, pair x) {
  uint32_t t = words(b, n), zero = word(b, n, 0), one = word(b, n, 1);
  uint32_t minus = is_minus(b, n, x);
  x = magnitude(b, n, x);
  uint32_t high = test(b, n, SpvOpINotEqual, x.hi, zero);
  uint32_t first = pick(b, n, high, x.hi, x.lo);
  first = spv_glsl(b, t, GLSLstd450FindUMsb, first); /* of 0: -1 */
  uint32_t zeros = pick(b, n, high, word(b, n, 31), word(b, n, 63));
  zeros = op(b, n, SpvOpISub, zeros, first);
  x = shift(b, n, SpvOpShiftLeftLogical, x, zeros);
  uint32_t rest = op(b, n, SpvOpBitwiseOr, x.lo, op(b, n, SpvOpBitwiseAnd, x.hi, one));
  rest = pick(b, n, test(b, n, SpvOpINotEqual, rest, zero), one, zero);
  x.hi = opc(b, n, SpvOpShiftRightLogical, x.hi, 1);
  x.hi = op(b, n, SpvOpBitwiseOr, x.hi, rest);
  uint32_t f = spv_op(b, type, SpvOpConvertSToF, x.hi);
  uint32_t scale = op(b, n, SpvOpISub, word(b, n, 127 + 33), zeros);
  scale = opc(b, n, SpvOpShiftLeftLogical, scale, 23);
  scale = spv_op(b, type, SpvOpBitcast, scale);
  f = spv_flop(b, type, SpvOpFMul, f, scale);
  uint32_t negative = spv_op(b, type, SpvOpFNegate, f);
  return spv_op(b, type, SpvOpSelect, minus, negative, f);
}

/* Of a number within the range, towards 0. */
static pair of_f32(spv *b, uint32_t n, uint32_t v) {
  uint32_t t = words(b, n), zero = word(b, n, 0), bits = spv_op(b, t, SpvOpBitcast, v);
  uint32_t e = opc(b, n, SpvOpShiftRightLogical, bits, 23);
  e = opc(b, n, SpvOpBitwiseAnd, e, 255);
  uint32_t m = opc(b, n, SpvOpBitwiseAnd, bits, 0x7fffff);
  m = opc(b, n, SpvOpBitwiseOr, m, 0x800000);
  uint32_t up = opc(b, n, SpvOpISub, e, 127 + 23), down = op(b, n, SpvOpISub, zero, up);
  uint32_t small = test(b, n, SpvOpSLessThan, up, zero);
  uint32_t none = test(b, n, SpvOpUGreaterThan, down, word(b, n, 31));
  uint32_t right = opc(b, n, SpvOpBitwiseAnd, down, 31);
  right = op(b, n, SpvOpShiftRightLogical, m, right);
  right = pick(b, n, none, zero, right);
  pair r = shift(b, n, SpvOpShiftLeftLogical, (pair){m, zero}, up);
  r = choose(b, n, small, (pair){right, zero}, r);
  uint32_t minus = test(b, n, SpvOpSLessThan, bits, zero);
  return choose(b, n, minus, negate(b, n, r), r);
}

/* ── memory ────────────────────────────────────────────────────────────────────────── */

static uint32_t made_of(spv *b, uint32_t n, uint32_t x, uint32_t y) {
  return spv_op(b, words(b, n), SpvOpCompositeConstruct, x, y);
}

/* An instruction with another first operand, and the rest of its own. */
static uint32_t again(spv *b, uint32_t type, const uint32_t *w, size_t n, uint32_t a,
                      uint32_t a2) {
  uint32_t own[8] = {w[0], a, a2};
  size_t from = w[0] == SpvOpStore ? 3 : 2;
  assert(n <= ARRAY_LEN(own));
  for (size_t i = from; i < n; i++) own[i] = w[i];
  return spv_put(b, SPV_CODE, type, own, n);
}

static uint32_t load(spv *b, const spv_wide *p, const uint32_t *w, size_t n) {
  uint32_t t = words(b, p->n);
  if (p->kind == WIDE_APART) {
    uint32_t lo = again(b, t, w, n, p->lo, 0), hi = again(b, t, w, n, p->hi, 0);
    return value(b, p->n, (pair){lo, hi});
  }
  uint32_t v = again(b, words(b, 2 * p->n), w, n, p->lo, 0), half[2];
  for (uint32_t i = 0; i < 2; i++) {
    if (p->n == 1) half[i] = spv_op(b, t, SpvOpCompositeExtract, v, i);
    else half[i] = spv_op(b, t, SpvOpVectorShuffle, v, v, i, i + 2);
  }
  return value(b, p->n, (pair){half[0], half[1]});
}

static void store(spv *b, const spv_wide *p, const uint32_t *w, size_t n) {
  spv_wide v = wide_at(b, w[2]);
  if (p->kind == WIDE_APART) {
    (void)again(b, 0, w, n, p->lo, v.lo);
    (void)again(b, 0, w, n, p->hi, v.hi);
    return;
  }
  uint32_t all;
  if (p->n == 1) all = made_of(b, 2, v.lo, v.hi);
  else all = spv_op(b, words(b, 4), SpvOpVectorShuffle, v.lo, v.hi, 0, 2, 1, 3);
  (void)again(b, 0, w, n, p->lo, all);
}

/* An element of an array in workgroup memory, or a number of one that is a vector; or an element of the push constants. */
static uint32_t element(spv *b, const spv_wide *type, const uint32_t *w, size_t n) {
  SpvStorageClass where = (SpvStorageClass)type->lo;
  spv_wide r = {.kind = WIDE_NEIGHBOURS, .n = type->n};
  if (!is_wide(w[1])) {
    r.lo = spv_op(b, spv_ptr(b, where, words(b, 2 * r.n)), SpvOpAccessChain, w[1], w[2]);
    return wide_new(b, r);
  }
  spv_wide of = wide_at(b, w[1]);
  uint32_t ptr = spv_ptr(b, where, words(b, r.n));
  r.kind = WIDE_APART;
  r.lo = again(b, ptr, w, n, of.lo, 0);
  r.hi = again(b, ptr, w, n, of.hi, 0);
  return wide_new(b, r);
}

/* A pointer to what `type` says, wide or not. */
static uint32_t pointer(spv *b, uint32_t type, const spv_wide *at) {
  uint32_t two = made_of(b, 2, at->lo, at->hi);
  if (!is_wide(type)) return spv_op(b, type, SpvOpBitcast, two);
  spv_wide to = wide_at(b, type), r = {.kind = WIDE_NEIGHBOURS, .n = to.n};
  r.lo = spv_op(b, spv_ptr(b, (SpvStorageClass)to.lo, words(b, 2 * to.n)), SpvOpBitcast,
                two);
  return wide_new(b, r);
}

/* ── instructions ──────────────────────────────────────────────────────────────────── */

static pair pair_of(const spv *b, uint32_t id) {
  spv_wide x = wide_at(b, id);
  assert(x.kind == WIDE_VALUE);
  return (pair){x.lo, x.hi};
}

static pair shifted(spv *b, uint32_t n, const uint32_t *w) {
  SpvOp o = (SpvOp)w[0];
  pair x = pair_of(b, w[1]);
  if (!is_wide(w[2])) return shift(b, n, o, x, w[2]);
  spv_wide by = wide_at(b, w[2]);
  if (!by.constant) return shift(b, n, o, x, by.lo);
  uint32_t places = (uint32_t)by.bits & 63;
  if (o == SpvOpShiftLeftLogical) return shift_left_by(b, n, x, places);
  return shift_right_by(b, n, o, x, places);
}

/* The same instruction on the lower words, then on the upper: operands that are pairs give
 * theirs. */
static pair on_each(spv *b, uint32_t n, const uint32_t *w, size_t count) {
  uint32_t own[2][8] = {{w[0]}, {w[0]}};
  assert(count <= ARRAY_LEN(own[0]));
  for (size_t i = 1; i < count; i++) {
    own[0][i] = is_wide(w[i]) ? pair_of(b, w[i]).lo : w[i];
    own[1][i] = is_wide(w[i]) ? pair_of(b, w[i]).hi : w[i];
  }
  uint32_t t = words(b, n), lo = spv_put(b, SPV_CODE, t, own[0], count);
  return (pair){lo, spv_put(b, SPV_CODE, t, own[1], count)};
}

/* From what is no pair. */
static pair widened(spv *b, uint32_t n, const uint32_t *w) {
  uint32_t t = words(b, n), v = w[1];
  switch ((SpvOp)w[0]) {
  case SpvOpUConvert: return (pair){v, word(b, n, 0)};
  case SpvOpSConvert: return (pair){v, sign_of(b, n, v)};
  case SpvOpConvertFToS: return of_f32(b, n, v);
  default: break; /* OpBitcast of a uvec2 */
  }
  uint32_t lo = spv_op(b, t, SpvOpCompositeExtract, v, 0);
  return (pair){lo, spv_op(b, t, SpvOpCompositeExtract, v, 1)};
}

static pair computed(spv *b, uint32_t n, const uint32_t *w, size_t count) {
  SpvOp o = (SpvOp)w[0];
  pair none = {0, 0}, rest;
  switch (o) {
  case SpvOpUConvert:
  case SpvOpSConvert:
  case SpvOpBitcast:
  case SpvOpConvertFToS: return is_wide(w[1]) ? pair_of(b, w[1]) : widened(b, n, w);
  case SpvOpShiftLeftLogical:
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic: return shifted(b, n, w);
  case SpvOpSNegate: return negate(b, n, pair_of(b, w[1]));
  case SpvOpIAdd: return add(b, n, pair_of(b, w[1]), pair_of(b, w[2]));
  case SpvOpISub: return subtract(b, n, pair_of(b, w[1]), pair_of(b, w[2]));
  case SpvOpIMul: return multiply(b, n, pair_of(b, w[1]), pair_of(b, w[2]));
  case SpvOpBitwiseAnd:
  case SpvOpBitwiseOr:
  case SpvOpBitwiseXor: return bitwise(b, n, o, pair_of(b, w[1]), pair_of(b, w[2]));
  case SpvOpUDiv: return divide(b, n, pair_of(b, w[1]), pair_of(b, w[2]), &rest);
  case SpvOpUMod: divide(b, n, pair_of(b, w[1]), pair_of(b, w[2]), &rest); return rest;
  case SpvOpSDiv: return divide_signed(b, n, pair_of(b, w[1]), pair_of(b, w[2]));
  case SpvOpNot:
  case SpvOpSelect:
  case SpvOpCompositeConstruct:
  case SpvOpCompositeExtract:
  case SpvOpVectorShuffle:
  case SpvOpGroupNonUniformShuffle:
  case SpvOpGroupNonUniformShuffleXor: return on_each(b, n, w, count);
  default:
    assert(false && "an instruction that pairs of words have not");
    b->failed = true; /* rather no module than one with an id of 0 */
    err_set(b->c, ERR_NONCE,
            "instruction %u of 64-bit integers, on a device without them", (unsigned)o);
    return none;
  }
}

/* A result that is no pair, of one. */
static uint32_t narrowed(spv *b, uint32_t type, const uint32_t *w) {
  spv_wide x = wide_at(b, w[1]);
  pair v = {x.lo, x.hi};
  switch ((SpvOp)w[0]) {
  case SpvOpUConvert:
  case SpvOpSConvert: return x.lo;
  case SpvOpBitcast: return made_of(b, 2, x.lo, x.hi);
  case SpvOpConvertUToPtr: return pointer(b, type, &x);
  case SpvOpConvertSToF: return to_f32(b, type, x.n, v);
  default: return compare(b, x.n, (SpvOp)w[0], v, pair_of(b, w[2]));
  }
}

bool wide_put(spv *b, uint32_t type, const uint32_t *w, size_t n, uint32_t *id) {
  *id = 0;
  if (n < 2) return false;
  if (w[0] == SpvOpStore) {
    if (!is_wide(w[1])) return false;
    spv_wide p = wide_at(b, w[1]);
    store(b, &p, w, n);
    return true;
  }
  if (!is_wide(type)) {
    if (!type || !is_wide(w[1])) return false;
    *id = narrowed(b, type, w);
    return true;
  }
  spv_wide t = wide_at(b, type), p;
  if (w[0] == SpvOpLoad) {
    p = wide_at(b, w[1]);
    *id = load(b, &p, w, n);
  } else if (w[0] == SpvOpAccessChain) {
    *id = element(b, &t, w, n);
  } else if (w[0] == SpvOpConvertUToPtr) {
    p = wide_at(b, w[1]);
    *id = pointer(b, type, &p);
  } else {
    *id = value(b, t.n, computed(b, t.n, w, n));
  }
  return true;
}
