/* SPDX-License-Identifier: MIT */
/* load.c - addresses, and elements from buffers into registers, for every storage type.
 *
 * Addresses are 64-bit integers, made into pointers at the access. Three ways, by the lanes
 * of the value and the width of the kernel:
 *
 *   quad   4 lanes, width 4: neighbours that start at a multiple of 4
 *            32 bits   one 16-byte access        16 bits   one 8-byte access
 *            64 bits   two 16-byte accesses       8 bits   one word
 *            bits      part of one word
 *   each   4 lanes, width 1: four accesses, each with its own index (rows that start anywhere)
 *   one    1 lane
 *
 * Types below 32 bits move as whole words. */
#include "memory.h"

#include "arith.h"

/* ── addresses ────────────────────────────────────────────────────────────────────────── */

uint32_t cg_addr(cg *g, uint32_t base, uint32_t index, uint32_t shift) {
  uint32_t wide = g->ix == g->u64 ? index : spv_op(g->b, g->u64, SpvOpUConvert, index);
  if (shift) {
    uint32_t n = spv_const(g->b, g->u64, 64, shift, 1);
    wide = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, wide, n);
  }
  return spv_op(g->b, g->u64, SpvOpIAdd, base, wide);
}

uint32_t cg_plus(cg *g, uint32_t addr, uint32_t bytes) {
  uint32_t n = spv_const(g->b, g->u64, 64, bytes, 1);
  return spv_op(g->b, g->u64, SpvOpIAdd, addr, n);
}

uint32_t cg_pointer(cg *g, uint32_t type, uint32_t addr) {
  uint32_t ptr = spv_ptr(g->b, SpvStorageClassPhysicalStorageBuffer, type);
  return spv_op(g->b, ptr, SpvOpConvertUToPtr, addr);
}

uint32_t cg_load(cg *g, uint32_t type, uint32_t addr, uint32_t align) {
  uint32_t p = cg_pointer(g, type, addr);
  return spv_op(g->b, type, SpvOpLoad, p, SpvMemoryAccessAlignedMask, align);
}

void cg_store(cg *g, uint32_t type, uint32_t addr, uint32_t v, uint32_t align) {
  uint32_t p = cg_pointer(g, type, addr);
  spv_do(g->b, SpvOpStore, p, v, SpvMemoryAccessAlignedMask, align);
}

bool cg_quads(const cg *g) { return g->lanes == 4 && g->o->width == 4; }

static uint32_t cg_min_ix(cg *g, uint32_t a, uint32_t most) {
  uint32_t below = spv_op(g->b, spv_bool(g->b), SpvOpULessThan, a, most);
  return spv_op(g->b, g->ix, SpvOpSelect, below, a, most);
}

/* i + j of the row, kept below the length where it might not be. */
static uint32_t cg_pos_i(cg *g, const cg_pos *p, uint32_t j) {
  uint32_t i = j ? spv_op(g->b, g->ix, SpvOpIAdd, p->i, cg_ixc(g, j)) : p->i;
  return p->tail ? cg_min_ix(g, i, g->last) : i;
}

uint32_t cg_lane_index(cg *g, const cg_pos *p, uint32_t j) {
  uint32_t i = cg_pos_i(g, p, j);
  return p->row_at ? spv_op(g->b, g->ix, SpvOpIAdd, p->row_at, i) : i;
}

/* The storage index of lane j for a load; of the whole quad where loads are quads. */
static uint32_t cg_index(cg *g, const cg_pos *p, uint32_t j) {
  uint32_t i = p->i;
  if (!cg_quads(g)) i = cg_pos_i(g, p, j);
  else if (p->tail) {
    uint32_t three = cg_ixc(g, 3), high = spv_op(g->b, g->ix, SpvOpNot, three);
    i = cg_min_ix(g, i, spv_op(g->b, g->ix, SpvOpBitwiseAnd, g->last, high));
  }
  return p->row_at ? spv_op(g->b, g->ix, SpvOpIAdd, p->row_at, i) : i;
}

uint32_t cg_bits_log2(elt t) { return cg_log2((uint32_t)elt_bits(t)); }

static uint32_t cg_low32(cg *g, uint32_t index) {
  return g->ix == g->u32 ? index : spv_op(g->b, g->u32, SpvOpUConvert, index);
}

/* The address of the word that element `index` of a narrow type is in; *at: its first bit. */
uint32_t cg_word_addr(cg *g, elt t, uint32_t base, uint32_t index, uint32_t *at) {
  uint32_t lb = cg_bits_log2(t), per = 5 - lb;
  uint32_t word = spv_op(g->b, g->ix, SpvOpShiftRightLogical, index, cg_ixc(g, per));
  uint32_t in = spv_op(g->b, g->u32, SpvOpBitwiseAnd, cg_low32(g, index),
                       spv_u32(g->b, (1u << per) - 1));
  *at = lb ? spv_op(g->b, g->u32, SpvOpShiftLeftLogical, in, spv_u32(g->b, lb)) : in;
  return cg_addr(g, base, word, 2);
}

/* ── one element, four neighbours ─────────────────────────────────────────────────────── */

static bool cg_signed(elt t) { return t == ET_I8 || t == ET_I16; }

/* Lanes of words whose low bits are an element, shifted there: sign- or zero-extended. */
static uint32_t cg_extend(cg *g, elt t, uint32_t words) {
  uint32_t bits = (uint32_t)elt_bits(t);
  if (t == ET_BIT) {
    uint32_t one =
        spv_op(g->b, cg_type(g, KI32), SpvOpBitwiseAnd, words, cg_int(g, KI32, 1));
    return cg_cvt(g, one, KI32, KB);
  }
  words = cg_shift(g, KI32, SpvOpShiftLeftLogical, words, 32 - bits);
  return cg_shift(g, KI32,
                  cg_signed(t) ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical,
                  words, 32 - bits);
}

static uint32_t cg_get_scalar(cg *g, elt t, uint32_t base, uint32_t index) {
  uint32_t lb = cg_bits_log2(t), at;
  if (lb >= 5) {
    uint32_t addr = cg_addr(g, base, index, lb - 3);
    return cg_load(g, cg_scalar_type(g, kir_arg_type(t)), addr, 1u << (lb - 3));
  }
  uint32_t addr = cg_word_addr(g, t, base, index, &at);
  uint32_t word = cg_load(g, g->u32, addr, 4);
  word = spv_op(g->b, g->u32, SpvOpShiftRightLogical, word, at);
  return cg_extend(g, t, word);
}

uint32_t cg_get_at(cg *g, elt t, uint32_t base, uint32_t index) {
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  uint32_t v = cg_get_scalar(g, t, base, index);
  g->lanes = lanes;
  return v;
}

static uint32_t cg_get_quad_bits(cg *g, uint32_t base, uint32_t index) {
  static const uint64_t steps[4] = {0, 1, 2, 3};
  uint32_t at, addr = cg_word_addr(g, ET_BIT, base, index, &at);
  uint32_t word = cg_splat(g, KI32, cg_load(g, g->u32, addr, 4));
  uint32_t by = spv_op(g->b, cg_type(g, KI32), SpvOpIAdd, cg_splat(g, KI32, at),
                       spv_const4(g->b, g->u32, 32, steps));
  return cg_extend(g, ET_BIT,
                   spv_op(g->b, cg_type(g, KI32), SpvOpShiftRightLogical, word, by));
}

/* 8 and 16 bits: lane j's word, its element moved to the top by `up[j]`, then down again. */
static uint32_t cg_get_quad_narrow(cg *g, elt t, uint32_t base, uint32_t index) {
  static const uint64_t up8[4] = {24, 16, 8, 0}, up16[4] = {16, 0, 16, 0};
  uint32_t bits = (uint32_t)elt_bits(t), v4 = cg_type(g, KI32), words;
  uint32_t addr = cg_addr(g, base, index, cg_bits_log2(t) - 3);
  if (bits == 8) words = cg_splat(g, KI32, cg_load(g, g->u32, addr, 4));
  else {
    uint32_t two = cg_load(g, spv_vec(g->b, g->u32, 2), addr, 8);
    words = spv_op(g->b, v4, SpvOpVectorShuffle, two, two, 0, 0, 1, 1);
  }
  uint32_t up = spv_const4(g->b, g->u32, 32, bits == 8 ? up8 : up16);
  words = spv_op(g->b, v4, SpvOpShiftLeftLogical, words, up);
  return cg_shift(g, KI32,
                  cg_signed(t) ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical,
                  words, 32 - bits);
}

static uint32_t cg_get_quad(cg *g, elt t, uint32_t base, uint32_t index) {
  uint32_t bits = (uint32_t)elt_bits(t), type = cg_type(g, kir_arg_type(t));
  if (bits == 1) return cg_get_quad_bits(g, base, index);
  if (bits < 32) return cg_get_quad_narrow(g, t, base, index);
  uint32_t addr = cg_addr(g, base, index, cg_bits_log2(t) - 3);
  if (bits == 32) return cg_load(g, type, addr, 16);
  uint32_t two = spv_vec(g->b, cg_scalar_type(g, kir_arg_type(t)), 2);
  uint32_t a = cg_load(g, two, addr, 16), b = cg_load(g, two, cg_plus(g, addr, 16), 16);
  return spv_op(g->b, type, SpvOpVectorShuffle, a, b, 0, 1, 2, 3);
}

uint32_t cg_get(cg *g, elt t, uint32_t base, cg_pos *p) {
  if (cg_quads(g)) return cg_get_quad(g, t, base, cg_index(g, p, 0));
  uint32_t v[4] = {0};
  for (uint32_t j = 0; j < g->lanes; j++) v[j] = cg_get_at(g, t, base, cg_index(g, p, j));
  return cg_join(g, kir_arg_type(t), v);
}

/* ── inputs that are read by steps ────────────────────────────────────────────────────── */

/* A STEP: offset + step × i, modulo the width of a position, which the result fits. */
static uint32_t cg_get_step(cg *g, uint32_t n, cg_pos *p) {
  elt t = g->k->in[n].type;
  uint32_t v[4] = {0};
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t at = spv_op(g->b, g->ix, SpvOpIMul, g->step[n], cg_pos_i(g, p, j));
    at = spv_op(g->b, g->ix, SpvOpIAdd, g->offset[n], at);
    v[j] = cg_get_at(g, t, g->base[n], at);
  }
  return cg_join(g, kir_arg_type(t), v);
}

/* p ÷ the length of a strided's dimension. */
static uint32_t cg_strided_quotient(cg *g, uint32_t p, const uint32_t *dim) {
  if (g->ix == g->u64) return spv_op(g->b, g->u64, SpvOpUDiv, p, dim[CG_STRIDED_N]);
  uint32_t magic = dim[CG_STRIDED_MAGIC],
           low = spv_op(g->b, g->u32, SpvOpUConvert, magic);
  uint32_t by = spv_const(g->b, g->u64, 64, 32, 1);
  uint32_t high = spv_op(g->b, g->u64, SpvOpShiftRightLogical, magic, by);
  uint32_t product = spv_op(g->b, spv_pair(g->b, g->u32), SpvOpUMulExtended, p, low);
  uint32_t q = spv_op(g->b, g->u32, SpvOpCompositeExtract, product, 1);
  return spv_op(g->b, g->u32, SpvOpShiftRightLogical, q,
                spv_op(g->b, g->u32, SpvOpUConvert, high));
}

/* W of the element that FLAT would read at p. */
static uint32_t cg_strided(cg *g, uint32_t strided, uint32_t p) {
  uint32_t sum = 0;
  for (uint32_t d = g->k->strided[strided]; d-- > 0;) {
    const uint32_t *dim = g->strided[strided][d];
    uint32_t i = p;
    if (d) {
      p = cg_strided_quotient(g, i, dim);
      i = spv_op(g->b, g->ix, SpvOpISub, i,
                 spv_op(g->b, g->ix, SpvOpIMul, p, dim[CG_STRIDED_N]));
    }
    i = spv_op(g->b, g->ix, SpvOpIMul, i, dim[CG_STRIDED_STRIDE]);
    sum = sum ? spv_op(g->b, g->ix, SpvOpIAdd, sum, i) : i;
  }
  return sum;
}

static uint32_t cg_get_strided(cg *g, uint32_t n, cg_pos *p) {
  const kin *in = &g->k->in[n];
  uint32_t v[4] = {0};
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t i = cg_lane_index(g, p, j);
    uint32_t at = spv_op(g->b, g->ix, SpvOpIMul, g->step[n],
                         cg_strided(g, in->view - KV_STRIDED, i));
    v[j] = cg_get_at(g, in->type, g->base[n],
                     spv_op(g->b, g->ix, SpvOpIAdd, g->offset[n], at));
  }
  return cg_join(g, kir_arg_type(in->type), v);
}

uint32_t cg_get_input(cg *g, uint32_t n, cg_pos *p) {
  const kin *in = &g->k->in[n];
  if (in->view >= KV_STRIDED) return cg_get_strided(g, n, p);
  if (in->view == KV_ONE) return cg_splat(g, kir_arg_type(in->type), g->uniform[n]);
  return in->view == KV_STEP ? cg_get_step(g, n, p) : cg_get(g, in->type, g->base[n], p);
}
