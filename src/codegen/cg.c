/* SPDX-License-Identifier: MIT */
/* cg.c - types, constants, lanes and positions: what every layer above is made of.
 *
 * A value has as many components as g->lanes says, so none of these asks how many there
 * are: a scalar is spread over the lanes by cg_splat, taken out by cg_part, made of four
 * by cg_join. Positions are scalars of g->ix, whatever the lanes. */
#include "cg.h"

#include <string.h>

uint32_t cg_scalar_type(cg *g, kty t) {
  switch (t) {
  case KB: return spv_bool(g->b);
  case KI32: return g->u32;
  case KI64: return g->u64;
  case KF32: return spv_float(g->b, 32);
  default: return g->o->float64 ? spv_float(g->b, 64) : g->u64; /* soft.c */
  }
}

uint32_t cg_type(cg *g, kty t) { return spv_vec(g->b, cg_scalar_type(g, t), g->lanes); }

uint32_t cg_const(cg *g, kty t, uint64_t bits) {
  if (t == KB) return spv_true(g->b, bits != 0, g->lanes);
  uint32_t width = (uint32_t)kty_bytes(t) * 8;
  return spv_const(g->b, cg_scalar_type(g, t), width, bits, g->lanes);
}

uint32_t cg_int(cg *g, kty t, int64_t v) { return cg_const(g, t, (uint64_t)v); }

static uint32_t float_bits(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

uint32_t cg_real(cg *g, kty t, double v) {
  uint64_t bits;
  if (t == KF32) return cg_const(g, t, float_bits((float)v));
  memcpy(&bits, &v, sizeof bits);
  return cg_const(g, t, bits);
}

uint32_t cg_join(cg *g, kty t, const uint32_t v[4]) {
  if (g->lanes == 1) return v[0];
  return spv_op(g->b, cg_type(g, t), SpvOpCompositeConstruct, v[0], v[1], v[2], v[3]);
}

uint32_t cg_splat(cg *g, kty t, uint32_t x) {
  return cg_join(g, t, (const uint32_t[]){x, x, x, x});
}

uint32_t cg_part(cg *g, kty t, uint32_t v, uint32_t j) {
  if (g->lanes == 1) return v;
  return spv_op(g->b, cg_scalar_type(g, t), SpvOpCompositeExtract, v, j);
}

uint32_t cg_both(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, cg_type(g, KB), SpvOpLogicalAnd, a, b);
}

/* A Select of booleans that are the same for all threads is wrong with a driver (vk/known.def; 5!32⍴2 was
 * 1), so these are not selected. */
uint32_t cg_sel(cg *g, kty t, uint32_t cond, uint32_t a, uint32_t b) {
  uint32_t type = cg_type(g, t);
  if (t != KB) return spv_op(g->b, type, SpvOpSelect, cond, a, b);
  uint32_t other = spv_op(g->b, type, SpvOpLogicalNot, cond);
  a = cg_both(g, cond, a);
  b = cg_both(g, other, b);
  return spv_op(g->b, type, SpvOpLogicalOr, a, b);
}

/* ── positions ─────────────────────────────────────────────────────────────────────── */

uint32_t cg_u64(cg *g, uint64_t v) { return spv_const(g->b, g->u64, 64, v, 1); }

uint32_t cg_ixc(cg *g, uint64_t v) {
  return g->ix == g->u64 ? cg_u64(g, v) : spv_const(g->b, g->u32, 32, v, 1);
}

uint32_t cg_steps(cg *g, uint32_t type) {
  static const uint64_t steps[4] = {0, 1, 2, 3};
  return spv_const4(g->b, type, type == g->u64 ? 64 : 32, steps);
}

uint32_t cg_to_ix(cg *g, uint32_t v) {
  if (g->ix == g->u32) return v;
  return spv_op(g->b, g->u64, SpvOpUConvert, v);
}

uint32_t cg_to_u32(cg *g, uint32_t v) {
  if (g->ix == g->u32) return v;
  return spv_op(g->b, g->u32, SpvOpUConvert, v);
}

uint32_t cg_beyond(cg *g, uint32_t ix, uint32_t n) {
  if (n == 0) return ix;
  return cg_x(g, SpvOpIAdd, ix, cg_ixc(g, n));
}

uint32_t cg_is_zero(cg *g, uint32_t v) {
  return spv_op(g->b, spv_bool(g->b), SpvOpIEqual, v, spv_u32(g->b, 0));
}

uint32_t cg_least(cg *g, uint32_t type, uint32_t a, uint32_t b) {
  return spv_op(g->b, type, SpvOpSelect, cg_less(g, a, b), a, b);
}

uint32_t cg_log2(uint32_t v) {
  uint32_t n = 0;
  while (v >> (n + 1)) n++;
  return n;
}

uint32_t cg_ok(cg *g, cg_pos *p) {
  if (p->ok || !p->tail) return p->ok;
  uint32_t i = p->i, len = g->len;
  if (g->lanes == 4) {
    uint32_t v4 = spv_vec(g->b, g->ix, 4);
    i = spv_op(g->b, v4, SpvOpCompositeConstruct, i, i, i, i);
    len = spv_op(g->b, v4, SpvOpCompositeConstruct, len, len, len, len);
    i = spv_op(g->b, v4, SpvOpIAdd, i, cg_steps(g, g->ix));
  }
  p->ok = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, i, len);
  return p->ok;
}

/* ── between threads ───────────────────────────────────────────────────────────────── */

uint32_t cg_subgroup(const cg *g) { return g->o->subgroup < 32 ? g->o->subgroup : 32; }

void cg_barrier(cg *g) { /* acquire and release, workgroup memory */
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), how = spv_u32(g->b, 0x108);
  spv_do(g->b, SpvOpControlBarrier, scope, scope, how);
}

uint32_t cg_any(cg *g, uint32_t cond) {
  spv_cap(g->b, SpvCapabilityGroupNonUniform);
  spv_cap(g->b, SpvCapabilityGroupNonUniformVote);
  return spv_op(g->b, spv_bool(g->b), SpvOpGroupNonUniformAny,
                spv_u32(g->b, SpvScopeSubgroup), cond);
}

uint32_t cg_shuffle_word(cg *g, uint32_t type, uint32_t v, uint32_t lane, bool is_xor) {
  SpvOp op = is_xor ? SpvOpGroupNonUniformShuffleXor : SpvOpGroupNonUniformShuffle;
  uint32_t scope = spv_u32(g->b, SpvScopeSubgroup);
  spv_cap(g->b, SpvCapabilityGroupNonUniformShuffle);
  bool wide = type == g->u64 || type == cg_scalar_type(g, KI64);
  if (!wide || !(g->o->group & CG_GROUP_WORDS))
    return spv_op(g->b, type, op, scope, v, lane);
  uint32_t two = spv_vec(g->b, g->u32, 2), half[2];
  uint32_t words = spv_op(g->b, two, SpvOpBitcast, v);
  for (uint32_t i = 0; i < 2; i++) {
    half[i] = spv_op(g->b, g->u32, SpvOpCompositeExtract, words, i);
    half[i] = spv_op(g->b, g->u32, op, scope, half[i], lane);
  }
  words = spv_op(g->b, two, SpvOpCompositeConstruct, half[0], half[1]);
  return spv_op(g->b, type, SpvOpBitcast, words);
}

uint32_t cg_shared_ptr(cg *g, uint32_t type, uint32_t array, uint32_t index) {
  uint32_t ptr = spv_ptr(g->b, SpvStorageClassWorkgroup, type);
  return spv_op(g->b, ptr, SpvOpAccessChain, array, index);
}
