/* SPDX-License-Identifier: MIT */
/* load.c - addresses, and elements from buffers into registers, for every storage type.
 *
 * Addresses are 64-bit integers (or pairs of words, spv_wide.c), made into pointers at the access. Three ways, by the
 * lanes of the value and the width of the kernel:
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

#include "cg_arith.h"

/* ── addresses ─────────────────────────────────────────────────────────────────────── */

uint32_t cg_addr(cg *g, uint32_t base, uint32_t index, uint32_t shift) {
  uint32_t wide = index;
  if (g->o->words && g->ix == g->u32 && shift) { /* below 4 GiB: ir/schedule.c */
    index = cg_ui(g, SpvOpShiftLeftLogical, index, shift);
    shift = 0;
  }
  if (g->ix == g->u32) wide = spv_op(g->b, g->u64, SpvOpUConvert, index);
  if (shift) wide = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, wide, cg_u64(g, shift));
  return spv_op(g->b, g->u64, SpvOpIAdd, base, wide);
}

uint32_t cg_plus(cg *g, uint32_t addr, uint32_t bytes) {
  return spv_op(g->b, g->u64, SpvOpIAdd, addr, cg_u64(g, bytes));
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

/* i + j of the row, kept below the length where it might not be. */
static uint32_t cg_pos_i(cg *g, const cg_pos *p, uint32_t j) {
  uint32_t i = cg_beyond(g, p->i, j);
  return p->tail ? cg_least(g, g->ix, i, g->last) : i;
}

uint32_t cg_in_row(cg *g, const cg_pos *p, uint32_t i) {
  return p->row_at ? cg_x(g, SpvOpIAdd, p->row_at, i) : i;
}

uint32_t cg_lane_index(cg *g, const cg_pos *p, uint32_t j) {
  return cg_in_row(g, p, cg_pos_i(g, p, j));
}

/* The storage index of a quad for a load: at most the one with the last element. */
static uint32_t cg_quad_index(cg *g, const cg_pos *p) {
  uint32_t i = p->i;
  if (p->tail) {
    uint32_t three = cg_ixc(g, 3), high = spv_op(g->b, g->ix, SpvOpNot, three);
    i = cg_least(g, g->ix, i, cg_x(g, SpvOpBitwiseAnd, g->last, high));
  }
  return cg_in_row(g, p, i);
}

uint32_t cg_bits_log2(elt t) { return cg_log2((uint32_t)elt_bits(t)); }

uint32_t cg_word_addr(cg *g, elt t, uint32_t base, uint32_t index, uint32_t *at) {
  uint32_t lb = cg_bits_log2(t), per = 5 - lb;
  uint32_t word = cg_x(g, SpvOpShiftRightLogical, index, cg_ixc(g, per));
  *at = cg_ui(g, SpvOpBitwiseAnd, cg_to_u32(g, index), (1u << per) - 1);
  if (lb) *at = cg_ui(g, SpvOpShiftLeftLogical, *at, lb);
  return cg_addr(g, base, word, 2);
}

/* ── one element, four neighbours ──────────────────────────────────────────────────── */

/* Lanes of words whose top bits are an element: shifted down, sign- or zero-extended. */
static uint32_t cg_move_down(cg *g, elt t, uint32_t words) {
  bool is_signed = t == ET_I8 || t == ET_I16;
  SpvOp op = is_signed ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical;
  return cg_shift(g, KI32, op, words, 32 - (uint32_t)elt_bits(t));
}

/* Lanes of words whose low bits are an element. */
static uint32_t cg_extend(cg *g, elt t, uint32_t words) {
  if (t == ET_BIT) {
    uint32_t one =
        spv_op(g->b, cg_type(g, KI32), SpvOpBitwiseAnd, words, cg_int(g, KI32, 1));
    return cg_cvt(g, one, KI32, KB);
  }
  words = cg_shift(g, KI32, SpvOpShiftLeftLogical, words, 32 - (uint32_t)elt_bits(t));
  return cg_move_down(g, t, words);
}

static uint32_t cg_get_scalar(cg *g, elt t, uint32_t base, uint32_t index) {
  uint32_t lb = cg_bits_log2(t), at;
  if (lb >= 5) {
    uint32_t addr = cg_addr(g, base, index, lb - 3);
    return cg_load(g, cg_scalar_type(g, kir_arg_type(t)), addr, 1u << (lb - 3));
  }
  uint32_t addr = cg_word_addr(g, t, base, index, &at);
  uint32_t word = cg_load(g, g->u32, addr, 4);
  return cg_extend(g, t, cg_u(g, SpvOpShiftRightLogical, word, at));
}

uint32_t cg_get_at(cg *g, elt t, uint32_t base, uint32_t index) {
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  uint32_t v = cg_get_scalar(g, t, base, index);
  g->lanes = lanes;
  return v;
}

static uint32_t cg_get_quad_bits(cg *g, uint32_t base, uint32_t index) {
  uint32_t at, addr = cg_word_addr(g, ET_BIT, base, index, &at), v4 = cg_type(g, KI32);
  uint32_t word = cg_splat(g, KI32, cg_load(g, g->u32, addr, 4));
  uint32_t by = cg_splat(g, KI32, at);
  by = spv_op(g->b, v4, SpvOpIAdd, by, cg_steps(g, g->u32));
  return cg_extend(g, ET_BIT, spv_op(g->b, v4, SpvOpShiftRightLogical, word, by));
}

/* 8 and 16 bits: lane j's word, its element moved to the top by `up[j]`, then down
 * again. */
static uint32_t cg_get_quad_narrow(cg *g, elt t, uint32_t base, uint32_t index) {
  static const uint64_t up8[4] = {24, 16, 8, 0}, up16[4] = {16, 0, 16, 0};
  const uint64_t *up = up8;
  uint32_t v4 = cg_type(g, KI32), words;
  uint32_t addr = cg_addr(g, base, index, cg_bits_log2(t) - 3);
  if (elt_bits(t) == 8) {
    words = cg_splat(g, KI32, cg_load(g, g->u32, addr, 4));
  } else {
    uint32_t two = cg_load(g, spv_vec(g->b, g->u32, 2), addr, 8);
    words = spv_op(g->b, v4, SpvOpVectorShuffle, two, two, 0, 0, 1, 1);
    up = up16;
  }
  uint32_t by = spv_const4(g->b, g->u32, 32, up);
  return cg_move_down(g, t, spv_op(g->b, v4, SpvOpShiftLeftLogical, words, by));
}

uint32_t cg_quads_per_load(elt t) { return elt_bits(t) == 8 ? 4 : 2; }

void cg_get_quads(cg *g, elt t, uint32_t base, const cg_pos *p, uint32_t *v) {
  static const uint64_t up8[4] = {24, 16, 8, 0}, up16[4] = {16, 0, 16, 0};
  bool bytes = elt_bits(t) == 8;
  uint32_t per = cg_quads_per_load(t), v4 = cg_type(g, KI32), i = p->i;
  uint32_t low = cg_ixc(g, 4 * per - 1), high = spv_op(g->b, g->ix, SpvOpNot, low);
  if (p->tail) i = cg_least(g, g->ix, i, cg_x(g, SpvOpBitwiseAnd, g->last, high));
  uint32_t addr = cg_addr(g, base, i, cg_bits_log2(t) - 3), w = cg_load(g, v4, addr, 16);
  uint32_t by = spv_const4(g->b, g->u32, 32, bytes ? up8 : up16);
  for (uint32_t q = 0; q < per; q++) {
    uint32_t a = bytes ? q : 2 * q, b = bytes ? q : 2 * q + 1;
    uint32_t x = spv_op(g->b, v4, SpvOpVectorShuffle, w, w, a, a, b, b);
    v[q] = cg_move_down(g, t, spv_op(g->b, v4, SpvOpShiftLeftLogical, x, by));
  }
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
  if (cg_quads(g)) return cg_get_quad(g, t, base, cg_quad_index(g, p));
  uint32_t v[4] = {0}, bytes = (uint32_t)elt_bits(t) / 8;
  if (g->lanes == 1 && p->origin && !p->tail && bytes >= 4) {
    uint32_t at = cg_addr(g, base, cg_in_row(g, p, p->origin), cg_log2(bytes));
    if (p->skip) at = cg_plus(g, at, p->skip * bytes);
    return cg_load(g, cg_scalar_type(g, kir_arg_type(t)), at, bytes);
  }
  for (uint32_t j = 0; j < g->lanes; j++)
    v[j] = cg_get_at(g, t, base, cg_lane_index(g, p, j));
  return cg_join(g, kir_arg_type(t), v);
}

/* ── inputs that are read by steps ─────────────────────────────────────────────────── */

/* A STEP: offset + step × i, modulo the width of a position, which the result fits. */
static uint32_t cg_get_step(cg *g, uint32_t n, cg_pos *p) {
  elt t = g->k->in[n].type;
  uint32_t v[4] = {0};
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t at = cg_x(g, SpvOpIMul, g->step[n], cg_pos_i(g, p, j));
    v[j] = cg_get_at(g, t, g->base[n], cg_x(g, SpvOpIAdd, g->offset[n], at));
  }
  return cg_join(g, kir_arg_type(t), v);
}

/* p ÷ the length of a strided's dimension. */
static uint32_t cg_strided_quotient(cg *g, uint32_t p, const uint32_t *dim) {
  if (g->ix == g->u64) return spv_op(g->b, g->u64, SpvOpUDiv, p, dim[CG_STRIDED_N]);
  uint32_t magic = dim[CG_STRIDED_MAGIC],
           low = spv_op(g->b, g->u32, SpvOpUConvert, magic);
  uint32_t high = spv_op(g->b, g->u64, SpvOpShiftRightLogical, magic, cg_u64(g, 32));
  uint32_t product = spv_op(g->b, spv_pair(g->b, g->u32), SpvOpUMulExtended, p, low);
  uint32_t q = spv_op(g->b, g->u32, SpvOpCompositeExtract, product, 1);
  return cg_u(g, SpvOpShiftRightLogical, q, spv_op(g->b, g->u32, SpvOpUConvert, high));
}

/* W of the element that FLAT would read at p. */
static uint32_t cg_strided(cg *g, uint32_t strided, uint32_t p) {
  uint32_t sum = 0;
  for (uint32_t d = g->k->strided[strided]; d-- > 0;) {
    const uint32_t *dim = g->strided[strided][d];
    uint32_t i = p;
    if (d) {
      p = cg_strided_quotient(g, i, dim);
      i = cg_x(g, SpvOpISub, i, cg_x(g, SpvOpIMul, p, dim[CG_STRIDED_N]));
    }
    i = cg_x(g, SpvOpIMul, i, dim[CG_STRIDED_STRIDE]);
    sum = sum ? cg_x(g, SpvOpIAdd, sum, i) : i;
  }
  return sum;
}

/* Are four lanes' elements of input n such a group as one load brings? */
static bool cg_brings_quads(const cg *g, uint32_t n) {
  return cg_quads(g) && g->k == g->top && (g->k->quads >> n & 1);
}

/* Where the element is that FLAT would read at p. */
static uint32_t cg_strided_index(cg *g, uint32_t n, uint32_t p) {
  if (g->line_from && g->k == g->top) {
    uint32_t by = cg_x(g, SpvOpISub, p, g->line_from);
    return cg_x(g, SpvOpIAdd, g->line_at[n], cg_x(g, SpvOpIMul, by, g->line_step[n]));
  }
  uint32_t at = cg_strided(g, g->k->in[n].view - KV_STRIDED, p);
  return cg_x(g, SpvOpIAdd, g->offset[n], cg_x(g, SpvOpIMul, g->step[n], at));
}

void cg_hold_line(cg *g, uint32_t first) {
  for (uint32_t n = 0; n < g->k->n_in; n++) {
    const kin *in = &g->k->in[n];
    if (in->view < KV_STRIDED) continue;
    uint32_t strided = in->view - KV_STRIDED, last = g->k->strided[strided] - 1u;
    uint32_t by = g->strided[strided][last][CG_STRIDED_STRIDE];
    g->line_at[n] = cg_strided_index(g, n, first);
    g->line_step[n] = cg_x(g, SpvOpIMul, g->step[n], by);
    if (g->k->still >> n & 1)
      g->line_held[n] = cg_get_at(g, (elt)in->type, g->base[n], g->line_at[n]);
  }
  g->line_from = first;
}

static uint32_t cg_get_strided(cg *g, uint32_t n, cg_pos *p) {
  elt t = (elt)g->k->in[n].type;
  bool still = g->k == g->top && (g->k->still >> n & 1);
  uint32_t v[4] = {0};
  if (still && g->line_from) return cg_splat(g, kir_arg_type(t), g->line_held[n]);
  if (cg_brings_quads(g, n)) {
    uint32_t at = cg_strided_index(g, n, cg_quad_index(g, p));
    if (!still) return cg_get_quad(g, t, g->base[n], at);
    return cg_splat(g, kir_arg_type(t), cg_get_at(g, t, g->base[n], at));
  }
  for (uint32_t j = 0; j < g->lanes; j++)
    v[j] = cg_get_at(g, t, g->base[n], cg_strided_index(g, n, cg_lane_index(g, p, j)));
  return cg_join(g, kir_arg_type(t), v);
}

/* Element numbers, of type t, as positions: beyond the last one they become it. */
static uint32_t cg_within(cg *g, kty t, uint32_t v, uint32_t last) {
  if (g->ix == g->u32 && t == KI64) {
    uint32_t end = spv_op(g->b, g->u64, SpvOpUConvert, last);
    return spv_op(g->b, g->u32, SpvOpUConvert, cg_least(g, g->u64, v, end));
  }
  if (g->ix == g->u64 && t == KI32) v = spv_op(g->b, g->u64, SpvOpSConvert, v);
  return cg_least(g, g->ix, v, last);
}

uint32_t cg_fetch(cg *g, uint32_t n, kty t, uint32_t index) {
  elt type = (elt)g->top->in[n].type;
  uint32_t v[4] = {0};
  if (cg_brings_quads(g, n)) { /* beyond the last there is none: any will do */
    uint32_t at = cg_within(g, t, cg_part(g, t, index, 0), g->offset[n]);
    uint32_t high = spv_op(g->b, g->ix, SpvOpNot, cg_ixc(g, 3));
    return cg_get_quad(g, type, g->base[n], cg_x(g, SpvOpBitwiseAnd, at, high));
  }
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t at = cg_within(g, t, cg_part(g, t, index, j), g->offset[n]);
    v[j] = cg_get_at(g, type, g->base[n], at);
  }
  return cg_join(g, kir_arg_type(type), v);
}

uint32_t cg_get_input(cg *g, uint32_t n, cg_pos *p) {
  const kin *in = &g->k->in[n];
  switch (in->view) {
  case KV_FLAT: return cg_get(g, in->type, g->base[n], p);
  case KV_STEP: return cg_get_step(g, n, p);
  case KV_ONE: return cg_splat(g, kir_arg_type(in->type), g->uniform[n]);
  default: return cg_get_strided(g, n, p);
  }
}
