/* SPDX-License-Identifier: MIT */
/* memory.c - elements between buffers and registers, for every storage type.
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
 * Types below 32 bits move as whole words. A word that several threads fill is put together
 * by shuffles (through workgroup memory where subgroups are too small) and stored by the
 * first of them; where neighbours belong to other workgroups it is OR-ed in atomically, into
 * an output that the caller has cleared (cg_needs_clear). Nothing is stored behind len but
 * what shares a quad (of 32 bits or less) or half of one (64 bits) with the last element. */
#include "cg.h"

/* ── addresses ──────────────────────────────────────────────────────────────────────── */

uint32_t cg_addr(cg *g, uint32_t base, uint32_t index, uint32_t shift) {
  uint32_t wide = g->ix == g->u64 ? index : spv_op(g->b, g->u64, SpvOpUConvert, index);
  if (shift) {
    uint32_t n = spv_const(g->b, g->u64, 64, shift, 1);
    wide = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, wide, n);
  }
  return spv_op(g->b, g->u64, SpvOpIAdd, base, wide);
}

static uint32_t cg_plus(cg *g, uint32_t addr, uint32_t bytes) {
  uint32_t n = spv_const(g->b, g->u64, 64, bytes, 1);
  return spv_op(g->b, g->u64, SpvOpIAdd, addr, n);
}

static uint32_t cg_pointer(cg *g, uint32_t type, uint32_t addr) {
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

static bool cg_quads(const cg *g) { return g->lanes == 4 && g->o->width == 4; }

static uint32_t cg_min_ix(cg *g, uint32_t a, uint32_t most) {
  uint32_t below = spv_op(g->b, spv_bool(g->b), SpvOpULessThan, a, most);
  return spv_op(g->b, g->ix, SpvOpSelect, below, a, most);
}

/* i + j of the row, kept below the length where it might not be. */
static uint32_t cg_pos_i(cg *g, const cg_pos *p, uint32_t j) {
  uint32_t i = j ? spv_op(g->b, g->ix, SpvOpIAdd, p->i, cg_ixc(g, j)) : p->i;
  return p->tail ? cg_min_ix(g, i, g->last) : i;
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

/* The storage index of lane j for a store that is known to exist. */
static uint32_t cg_store_index(cg *g, const cg_pos *p, uint32_t j) {
  uint32_t i = j ? spv_op(g->b, g->ix, SpvOpIAdd, p->i, cg_ixc(g, j)) : p->i;
  return p->row_at ? spv_op(g->b, g->ix, SpvOpIAdd, p->row_at, i) : i;
}

/* Is element i + j there? Opens a branch if that must be asked; 0: it need not. */
static uint32_t cg_guard(cg *g, const cg_pos *p, uint32_t j) {
  if (!p->tail) return 0;
  uint32_t i = j ? spv_op(g->b, g->ix, SpvOpIAdd, p->i, cg_ixc(g, j)) : p->i;
  return spv_if(g->b, spv_op(g->b, spv_bool(g->b), SpvOpULessThan, i, g->len));
}

static void cg_unguard(cg *g, uint32_t merge) {
  if (merge) spv_endif(g->b, merge);
}

/* ── loads ──────────────────────────────────────────────────────────────────────────── */

static uint32_t cg_bits_log2(elt t) { return cg_log2((uint32_t)elt_bits(t)); }

static bool cg_signed(elt t) { return t == ET_I8 || t == ET_I16; }

static uint32_t cg_low32(cg *g, uint32_t index) {
  return g->ix == g->u32 ? index : spv_op(g->b, g->u32, SpvOpUConvert, index);
}

/* The address of the word that element `index` of a narrow type is in; *at: its first bit. */
static uint32_t cg_word_addr(cg *g, elt t, uint32_t base, uint32_t index, uint32_t *at) {
  uint32_t lb = cg_bits_log2(t), per = 5 - lb;
  uint32_t word = spv_op(g->b, g->ix, SpvOpShiftRightLogical, index, cg_ixc(g, per));
  uint32_t in = spv_op(g->b, g->u32, SpvOpBitwiseAnd, cg_low32(g, index),
                       spv_u32(g->b, (1u << per) - 1));
  *at = lb ? spv_op(g->b, g->u32, SpvOpShiftLeftLogical, in, spv_u32(g->b, lb)) : in;
  return cg_addr(g, base, word, 2);
}

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

/* m = ⌈2^(31+s) ÷ n⌉ with s = ⌈log2 n⌉, so m×n exceeds 2^(31+s) by less than n ≤ 2^s: p×m, p
 * below 2^31, is off by less than one part in 2^31 of n. The upper half is shifted by s-1. */
uint64_t cg_magic(uint64_t n) {
  uint32_t s = 1;
  while (((uint64_t)1 << s) < n) s++;
  uint64_t m = (((uint64_t)1 << (31 + s)) + n - 1) / n;
  return m | (uint64_t)(s - 1) << 32;
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
    uint32_t i = cg_pos_i(g, p, j);
    if (p->row_at) i = spv_op(g->b, g->ix, SpvOpIAdd, p->row_at, i);
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

/* ── stores ─────────────────────────────────────────────────────────────────────────── */

static uint32_t cg_or_parts(cg *g, uint32_t v, uint32_t from, uint32_t n) {
  uint32_t r = cg_part(g, KI32, v, from);
  for (uint32_t j = 1; j < n; j++)
    r = spv_op(g->b, g->u32, SpvOpBitwiseOr, r, cg_part(g, KI32, v, from + j));
  return r;
}

/* The lanes' low `bits` bits, side by side: in one word, or in two for four of 16 bits. */
static void cg_pack_quad(cg *g, uint32_t v, uint32_t bits, uint32_t word[2]) {
  static const uint64_t down[3][4] = {{0, 1, 2, 3}, {0, 8, 16, 24}, {0, 16, 0, 16}};
  uint32_t by = spv_const4(g->b, g->u32, 32, down[bits / 8]);
  v = spv_op(g->b, cg_type(g, KI32), SpvOpBitwiseAnd, v,
             cg_const(g, KI32, (1u << bits) - 1));
  v = spv_op(g->b, cg_type(g, KI32), SpvOpShiftLeftLogical, v, by);
  word[0] = cg_or_parts(g, v, 0, bits == 16 ? 2 : 4);
  if (bits == 16) word[1] = cg_or_parts(g, v, 2, 2);
}

/* The same across small subgroups, through workgroup memory. */
static uint32_t cg_gather_far(cg *g, uint32_t part, uint32_t log, uint32_t inside) {
  uint32_t max = spv_u32(g->b, g->o->workgroup - 1);
  if (!g->word_share) g->word_share = spv_shared(g->b, g->u32, g->o->workgroup);
  cg_barrier(g);
  spv_do(g->b, SpvOpStore, cg_shared_ptr(g, g->u32, g->word_share, g->thread), part);
  cg_barrier(g);
  for (uint32_t n = 1; n < 1u << (log - inside); n++) {
    uint32_t at = spv_op(g->b, g->u32, SpvOpIAdd, g->thread, spv_u32(g->b, n << inside));
    uint32_t in = spv_op(g->b, spv_bool(g->b), SpvOpULessThan, at, max);
    at = spv_op(g->b, g->u32, SpvOpSelect, in, at, max);
    uint32_t ptr = cg_shared_ptr(g, g->u32, g->word_share, at);
    uint32_t more = spv_op(g->b, g->u32, SpvOpLoad, ptr);
    part = spv_op(g->b, g->u32, SpvOpBitwiseOr, part, more);
  }
  return part;
}

/* ORs the parts of 2^log neighbouring threads; the first of them has the whole. */
static uint32_t cg_gather(cg *g, uint32_t part, uint32_t log) {
  uint32_t inside = cg_log2(cg_subgroup(g));
  for (uint32_t l = 0; l < log && l < inside; l++) {
    uint32_t other = cg_shuffle_word(g, g->u32, part, spv_u32(g->b, 1u << l), true);
    part = spv_op(g->b, g->u32, SpvOpBitwiseOr, part, other);
  }
  return log > inside ? cg_gather_far(g, part, log, inside) : part;
}

/* A word made of the parts of 2^log threads, stored by the first. */
static void cg_put_word(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t part,
                        uint32_t log) {
  uint32_t word = cg_gather(g, part, log), at;
  uint32_t mine =
      spv_op(g->b, g->u32, SpvOpBitwiseAnd, g->thread, spv_u32(g->b, (1u << log) - 1));
  uint32_t first = spv_op(g->b, spv_bool(g->b), SpvOpIEqual, mine, spv_u32(g->b, 0));
  if (p->tail) {
    uint32_t in = spv_op(g->b, spv_bool(g->b), SpvOpULessThan, p->i, g->len);
    first = spv_op(g->b, spv_bool(g->b), SpvOpLogicalAnd, first, in);
  }
  uint32_t merge = spv_if(g->b, first);
  cg_store(g, g->u32, cg_word_addr(g, t, base, cg_store_index(g, p, 0), &at), word, 4);
  spv_endif(g->b, merge);
}

/* Bits, or one lane of 8 or 16 bits: v is KI32; what does not exist must not leave a trace. */
static void cg_put_shared_word(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  uint32_t bits = (uint32_t)elt_bits(t), per = 32 / bits / g->lanes, word[2];
  uint32_t ok = cg_ok(g, p);
  if (ok) v = cg_sel(g, KI32, ok, v, cg_int(g, KI32, 0));
  if (g->lanes == 4) cg_pack_quad(g, v, bits, word);
  else
    word[0] = spv_op(g->b, g->u32, SpvOpBitwiseAnd, v, spv_u32(g->b, (1u << bits) - 1));
  uint32_t at = spv_op(g->b, g->u32, SpvOpBitwiseAnd, g->thread, spv_u32(g->b, per - 1));
  at = spv_op(g->b, g->u32, SpvOpIMul, at, spv_u32(g->b, bits * g->lanes));
  word[0] = spv_op(g->b, g->u32, SpvOpShiftLeftLogical, word[0], at);
  cg_put_word(g, t, base, p, word[0], cg_log2(per));
}

static uint32_t cg_half(cg *g, uint32_t two, uint32_t v, uint32_t h) {
  return spv_op(g->b, two, SpvOpVectorShuffle, v, v, 2 * h, 2 * h + 1);
}

/* Two 16-byte stores of a thread, each a half of a 32-byte sector, would cost a GPU as much as
 * whole sectors. So neighbours trade: together they store the even one's quad, then the odd
 * one's. *p becomes the position of the even one's quad, moved by two elements in the odd. */
static void cg_trade_halves(cg *g, kty ty, cg_pos *p, uint32_t half[2]) {
  uint32_t kb = spv_bool(g->b), one = spv_u32(g->b, 1), lanes = g->lanes, got[2];
  uint32_t low = spv_op(g->b, g->u32, SpvOpBitwiseAnd, g->thread, one);
  uint32_t odd = spv_op(g->b, kb, SpvOpIEqual, low, one), type = cg_scalar_type(g, ty);
  uint32_t two = spv_vec(g->b, type, 2),
           back = spv_op(g->b, g->u32, SpvOpIMul, low, spv_u32(g->b, 2));
  uint32_t both = spv_op(g->b, spv_vec(g->b, kb, 2), SpvOpCompositeConstruct, odd, odd);
  uint32_t give = spv_op(g->b, two, SpvOpSelect, both, half[0], half[1]);
  g->lanes = 1;
  for (uint32_t j = 0; j < 2; j++) {
    uint32_t x = spv_op(g->b, type, SpvOpCompositeExtract, give, j);
    got[j] = cg_shuffle_word(g, type, x, one, true);
  }
  g->lanes = lanes;
  uint32_t taken = spv_op(g->b, two, SpvOpCompositeConstruct, got[0], got[1]);
  half[0] = spv_op(g->b, two, SpvOpSelect, both, taken, half[0]);
  half[1] = spv_op(g->b, two, SpvOpSelect, both, half[1], taken);
  p->i = spv_op(g->b, g->ix, SpvOpISub, p->i, cg_to_ix(g, back));
}

static void cg_put_quad64(cg *g, elt t, uint32_t base, const cg_pos *at, uint32_t v) {
  cg_pos p = *at;
  kty ty = kir_arg_type(t);
  bool trade = g->k->kind == KIR_SCAN && !g->o->columns && cg_row_threads(g->o) == 256;
  uint32_t two = spv_vec(g->b, cg_scalar_type(g, ty), 2);
  uint32_t half[2] = {cg_half(g, two, v, 0), cg_half(g, two, v, 1)};
  if (trade) cg_trade_halves(g, ty, &p, half);
  for (uint32_t h = 0; h < 2; h++) {
    uint32_t off = h ? (trade ? 4 : 2) : 0, merge = cg_guard(g, &p, off);
    cg_store(g, two, cg_addr(g, base, cg_store_index(g, &p, off), 3), half[h], 16);
    cg_unguard(g, merge);
  }
}

static void cg_put_quad(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  uint32_t bits = (uint32_t)elt_bits(t), type = cg_type(g, kir_arg_type(t)), w[2];
  if (bits == 64) {
    cg_put_quad64(g, t, base, p, v);
    return;
  }
  if (bits < 32) {
    cg_pack_quad(g, v, bits, w);
    type = bits == 8 ? g->u32 : spv_vec(g->b, g->u32, 2);
    v = bits == 8 ? w[0] : spv_op(g->b, type, SpvOpCompositeConstruct, w[0], w[1]);
  }
  uint32_t merge = cg_guard(g, p, 0);
  uint32_t addr = cg_addr(g, base, cg_store_index(g, p, 0), cg_bits_log2(t) - 3);
  cg_store(g, type, addr, v, bits / 2);
  cg_unguard(g, merge);
}

static void cg_or_in(cg *g, uint32_t addr, uint32_t v) {
  uint32_t ptr = cg_pointer(g, g->u32, addr), device = spv_u32(g->b, SpvScopeDevice);
  (void)spv_op(g->b, g->u32, SpvOpAtomicOr, ptr, device, spv_u32(g->b, 0), v);
}

void cg_put_at(cg *g, elt t, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t bits = (uint32_t)elt_bits(t), lanes = g->lanes, at;
  g->lanes = 1;
  if (bits >= 32) {
    uint32_t addr = cg_addr(g, base, index, cg_bits_log2(t) - 3);
    cg_store(g, cg_type(g, kir_arg_type(t)), addr, v, bits / 8);
  } else {
    uint32_t addr = cg_word_addr(g, t, base, index, &at),
             low = spv_u32(g->b, (1u << bits) - 1);
    v = cg_cvt(g, v, kir_arg_type(t), KI32);
    v = spv_op(g->b, g->u32, SpvOpBitwiseAnd, v, low);
    if (g->o->single) cg_store(g, g->u32, base, v, 4);
    else cg_or_in(g, addr, spv_op(g->b, g->u32, SpvOpShiftLeftLogical, v, at));
  }
  g->lanes = lanes;
}

void cg_put(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  kty ty = kir_arg_type(t);
  bool narrow = elt_bits(t) < 32, map = g->k->kind == KIR_MAP, bit = t == ET_BIT;
  /* Results of reductions and columns are not side by side in a subgroup: bits are OR-ed in. */
  if (bit && g->k->kind != KIR_REDUCE && !g->o->columns && (cg_quads(g) || map))
    cg_put_shared_word(g, t, base, p, cg_cvt(g, v, KB, KI32));
  else if (cg_quads(g) && !bit) cg_put_quad(g, t, base, p, v);
  else if (narrow && map) cg_put_shared_word(g, t, base, p, v);
  else
    for (uint32_t j = 0; j < g->lanes; j++) {
      uint32_t x = cg_part(g, ty, v, j), merge = cg_guard(g, p, j);
      cg_put_at(g, t, base, cg_store_index(g, p, j), x);
      cg_unguard(g, merge);
    }
}

void cg_put_outputs(cg *g, cg_pos *p) {
  for (uint32_t n = 0; n < g->k->n_out; n++) {
    const kout *o = &g->k->out[n];
    uint32_t v =
        cg_cvt(g, g->val[o->value], g->k->ins[o->value].ty, kir_arg_type(o->type));
    cg_put(g, o->type, g->out[n], p, v);
  }
}

/* ── accumulators ───────────────────────────────────────────────────────────────────── */

static elt cg_acc_elt(cg *g) {
  switch (cg_acc_type(g->k)) {
  case KB:
  case KI32: return ET_I32;
  case KI64: return ET_I64;
  case KF32: return ET_F32;
  default: return ET_F64;
  }
}

cg_acc cg_get_acc_at(cg *g, uint32_t base, uint32_t index) {
  if (!g->k->wide) {
    elt t = cg_acc_elt(g);
    uint32_t v = cg_get_at(g, t, base, index), lanes = g->lanes;
    g->lanes = 1;
    v = cg_cvt(g, v, kir_arg_type(t), cg_acc_type(g->k));
    g->lanes = lanes;
    return (cg_acc){v, 0};
  }
  uint32_t v = cg_load(g, spv_vec(g->b, g->u64, 2), cg_addr(g, base, index, 4), 16);
  uint32_t lo = spv_op(g->b, g->u64, SpvOpCompositeExtract, v, 0);
  return (cg_acc){lo, spv_op(g->b, g->u64, SpvOpCompositeExtract, v, 1)};
}

cg_acc cg_get_acc(cg *g, uint32_t base, cg_pos *p) {
  cg_acc v[4] = {{0, 0}};
  if (!g->k->wide) {
    elt t = cg_acc_elt(g);
    return (cg_acc){cg_cvt(g, cg_get(g, t, base, p), kir_arg_type(t), cg_acc_type(g->k)),
                    0};
  }
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t i = cg_pos_i(g, p, j);
    if (p->row_at) i = spv_op(g->b, g->ix, SpvOpIAdd, p->row_at, i);
    v[j] = cg_get_acc_at(g, base, i);
  }
  return cg_acc_join(g, v);
}

void cg_put_acc_at(cg *g, uint32_t base, uint32_t index, cg_acc v) {
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  if (!g->k->wide) {
    elt t = cg_acc_elt(g);
    cg_put_at(g, t, base, index, cg_cvt(g, v.lo, cg_acc_type(g->k), kir_arg_type(t)));
  } else {
    uint32_t two = spv_vec(g->b, g->u64, 2);
    uint32_t pair = spv_op(g->b, two, SpvOpCompositeConstruct, v.lo, v.hi);
    cg_store(g, two, cg_addr(g, base, index, 4), pair, 16);
  }
  g->lanes = lanes;
}

void cg_put_acc(cg *g, uint32_t base, cg_pos *p, cg_acc v) {
  if (!g->k->wide) {
    elt t = cg_acc_elt(g);
    cg_put(g, t, base, p, cg_cvt(g, v.lo, cg_acc_type(g->k), kir_arg_type(t)));
    return;
  }
  for (uint32_t j = 0; j < g->lanes; j++) {
    cg_acc x = cg_acc_part(g, v, j);
    uint32_t merge = cg_guard(g, p, j);
    cg_put_acc_at(g, base, cg_store_index(g, p, j), x);
    cg_unguard(g, merge);
  }
}
