/* SPDX-License-Identifier: MIT */
/* product_pack.c - the sides of a product, brought to where units for matrices read them (product_matrix.h).
 *
 *   MATRIX_SCALE   of floats: the greatest exponent of each line
 *   MATRIX_PACK    elements of a tile, two chunks of k a workgroup, to bytes or f16
 *
 * Neighbouring threads load neighbours in memory, be they along k or along the lines. Bytes that lie along the lines are
 * turned, 4 × 4 at a time; bits become bytes. */
#include "product_matrix.h"

#include <spirv/unified1/GLSL.std.450.h>

enum { REALS = 8, VECTOR = 16 /* floats and bytes of a unit of a line */ };

/* ── where sides lie ─────────────────────────────────────────────────────────────────── */

uint32_t matrix_lines(cg *g, int side) {
  if (side == RIGHT) return cg_slot_u32(g, CG_SLOT_INNER);
  return cg_slot_u32(g, cg_strided_slot(g->k, LEFT, 1) + CG_STRIDED_N);
}

uint32_t matrix_quotient(cg *g, uint32_t a, uint32_t by) {
  return cg_ui(g, SpvOpShiftRightLogical, cg_next(g, a, by - 1), cg_log2(by));
}

uint32_t matrix_tiles(cg *g, int side) {
  return matrix_quotient(g, matrix_lines(g, side), matrix_tile(side));
}

uint32_t matrix_limb_bytes(cg *g, int side) {
  uint32_t bytes = cg_u64(g, 2 * matrix_tile(side) * MATRIX_LINE);
  return mul64(g, to64(g, matrix_pairs(g)), bytes);
}

uint32_t matrix_chunk_at(cg *g, uint32_t base, int side, uint32_t tile, uint32_t limb,
                         uint32_t chunk) {
  uint32_t limbs = g->o->matrix.limbs, bytes = cg_u64(g, matrix_tile(side) * MATRIX_LINE);
  uint32_t number = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, tile, limbs), limb);
  uint32_t at = mul64(g, to64(g, number), matrix_limb_bytes(g, side));
  at = add64(g, add64(g, base, at), mul64(g, to64(g, chunk), bytes));
  if (side == LEFT) return at;
  uint32_t x = cg_ui(g, SpvOpIMul, MATRIX_SLOT(g, left), limbs);
  return add64(g, at, mul64(g, to64(g, x), matrix_limb_bytes(g, LEFT)));
}

uint32_t matrix_pairs(cg *g) {
  return matrix_quotient(g, cg_slot_u32(g, CG_SLOT_LEN),
                         2 * (uint32_t)matrix_places(&g->o->matrix));
}

typedef struct pack_side {
  int number;
  elt type;
  kty t; /* of floats */
  bool along, wide;
  uint32_t base, start;  /* u64: address; element of the batch's first */
  uint32_t line, k, end; /* u64: steps; the last word's address */
  uint32_t lines, len;   /* u32 */
  uint32_t tile, first,
      pair;    /* u32: the tile among all; its first line; the pair of chunks */
  uint32_t to; /* u64: where the pair goes */
} pack_side;

static uint32_t to32(cg *g, uint32_t u64) {
  return spv_op(g->b, g->u32, SpvOpUConvert, u64);
}

/* Element (u64) of line and place (u32). */
static uint32_t element_at(cg *g, const pack_side *s, uint32_t line, uint32_t k) {
  uint32_t at = add64(g, s->start, mul64(g, to64(g, line), s->line));
  return add64(g, at, mul64(g, to64(g, k), s->k));
}

static uint32_t last_of(cg *g, uint32_t n) { return cg_ui(g, SpvOpISub, n, 1); }

/* ── bytes ──────────────────────────────────────────────────────────────────────────── */

/* The word at an address, no further than the last; the low word of two, shifted down. */
static uint32_t word_at(cg *g, const pack_side *s, uint32_t addr) {
  return cg_load(g, g->u32, cg_least(g, g->u64, addr, s->end), 4);
}
static uint32_t funnel(cg *g, uint32_t lo, uint32_t hi, uint32_t by) {
  hi = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, to64(g, hi), cg_u64(g, 32));
  uint32_t two = spv_op(g->b, g->u64, SpvOpBitwiseOr, hi, to64(g, lo));
  return to32(g, spv_op(g->b, g->u64, SpvOpShiftRightLogical, two, to64(g, by)));
}

/* 4n elements from number `at` (u64) on, as n words of bytes. */
static void load_bits(cg *g, const pack_side *s, uint32_t at, uint32_t n, uint32_t *v) {
  uint32_t word = spv_op(g->b, g->u64, SpvOpShiftRightLogical, at, cg_u64(g, 5));
  uint32_t addr = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, word, cg_u64(g, 2));
  addr = add64(g, s->base, addr);
  uint32_t by = low(g, to32(g, at), 31), x = word_at(g, s, addr);
  if (s->wide) x = cg_u(g, SpvOpShiftRightLogical, x, by);
  else x = funnel(g, x, word_at(g, s, cg_plus(g, addr, 4)), by);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t four = low(g, i ? down(g, x, 4 * i) : x, 15);
    v[i] = low(g, cg_ui(g, SpvOpIMul, four, 0x00204081), 0x01010101);
  }
}

static void load_bytes(cg *g, const pack_side *s, uint32_t at, uint32_t n, uint32_t *v) {
  uint32_t addr = add64(g, s->base, at), w[VECTOR / 4 + 1] = {0};
  if (s->wide) {
    uint32_t x = cg_load(g, spv_vec(g->b, g->u32, n), addr, 4 * n);
    for (uint32_t i = 0; i < n; i++)
      v[i] = n > 1 ? cg_u(g, SpvOpCompositeExtract, x, i) : x;
    return;
  }
  uint32_t by = up(g, low(g, to32(g, addr), 3), 3);
  addr = spv_op(g->b, g->u64, SpvOpBitwiseAnd, addr, cg_u64(g, ~(uint64_t)3));
  for (uint32_t i = 0; i <= n; i++)
    w[i] = word_at(g, s, i ? cg_plus(g, addr, 4 * i) : addr);
  for (uint32_t i = 0; i < n; i++) v[i] = funnel(g, w[i], w[i + 1], by);
}

static void load_words(cg *g, const pack_side *s, uint32_t at, uint32_t n, uint32_t *v) {
  if (s->type == ET_BIT) load_bits(g, s, at, n, v);
  else load_bytes(g, s, at, n, v);
}

/* The word without what lies beyond `left` (u32, signed) elements. */
static uint32_t masked(cg *g, uint32_t word, uint32_t left) {
  uint32_t none = spv_u32(g->b, 0), all = spv_u32(g->b, UINT32_MAX);
  uint32_t some = cg_u(g, SpvOpShiftLeftLogical, all, low(g, up(g, left, 3), 31));
  some = spv_op(g->b, g->u32, SpvOpNot, some);
  uint32_t is_all = cg_is(g, SpvOpSGreaterThanEqual, left, spv_u32(g->b, 4));
  uint32_t is_none = cg_is(g, SpvOpSLessThanEqual, left, none);
  some = cg_pick(g, g->u32, is_all, all, some);
  some = cg_pick(g, g->u32, is_none, none, some);
  return cg_u(g, SpvOpBitwiseAnd, word, some);
}

static uint32_t mix(cg *g, uint32_t a, uint32_t mask_a, uint32_t b, uint32_t mask_b) {
  return cg_u(g, SpvOpBitwiseOr, low(g, a, mask_a), low(g, b, mask_b));
}
/* Four words of four bytes, turned. */
static void turn(cg *g, uint32_t w[4]) {
  uint32_t lo[2], hi[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t a = w[2 * i], b = w[2 * i + 1];
    lo[i] = mix(g, a, 0x00ff00ff, up(g, b, 8), 0xff00ff00);
    hi[i] = mix(g, down(g, a, 8), 0x00ff00ff, b, 0xff00ff00);
  }
  w[0] = mix(g, lo[0], 0xffff, up(g, lo[1], 16), 0xffff0000);
  w[1] = mix(g, hi[0], 0xffff, up(g, hi[1], 16), 0xffff0000);
  w[2] = mix(g, down(g, lo[0], 16), 0xffff, lo[1], 0xffff0000);
  w[3] = mix(g, down(g, hi[0], 16), 0xffff, hi[1], 0xffff0000);
}

/* Four words go to a line (u32) of the pair at address `to` (u64), from `byte` (u32) of 128 on. */
static void put(cg *g, const pack_side *s, uint32_t to, uint32_t line, uint32_t byte,
                const uint32_t w[4]) {
  uint32_t four = spv_vec(g->b, g->u32, 4);
  uint32_t x = spv_op(g->b, four, SpvOpCompositeConstruct, w[0], w[1], w[2], w[3]);
  uint32_t chunk = down(g, byte, cg_log2(MATRIX_LINE));
  chunk = up(g, chunk, cg_log2(matrix_tile(s->number)));
  uint32_t at = up(g, cg_u(g, SpvOpIAdd, chunk, line), cg_log2(MATRIX_LINE));
  at = cg_u(g, SpvOpIAdd, at, low(g, byte, MATRIX_LINE - 1));
  cg_store(g, four, add64(g, to, to64(g, at)), x, VECTOR);
}

/* 16 bytes of a line, where they lie along k: of the pair's places from `byte` (u32) on. */
static void pack_line(cg *g, const pack_side *s, uint32_t line, uint32_t byte) {
  uint32_t w[VECTOR / 4];
  uint32_t k = cg_u(g, SpvOpIAdd, up(g, s->pair, cg_log2(2 * MATRIX_LINE)), byte);
  uint32_t left = cg_u(g, SpvOpISub, s->len, k);
  uint32_t from = cg_least(g, g->u32, k, low(g, last_of(g, s->len), ~(VECTOR - 1u)));
  uint32_t own = cg_u(g, SpvOpIAdd, s->first, line);
  own = cg_least(g, g->u32, own, last_of(g, s->lines));
  load_words(g, s, element_at(g, s, own, from), VECTOR / 4, w);
  for (uint32_t i = 0; i < VECTOR / 4; i++)
    w[i] = masked(g, w[i], i ? cg_ui(g, SpvOpISub, left, 4 * i) : left);
  put(g, s, s->to, line, byte, w);
}

/* The same of four lines, where bytes lie along these. */
static void pack_square(cg *g, const pack_side *s, uint32_t line, uint32_t byte) {
  uint32_t w[VECTOR], none = spv_u32(g->b, 0);
  uint32_t k = cg_u(g, SpvOpIAdd, up(g, s->pair, cg_log2(2 * MATRIX_LINE)), byte);
  uint32_t own = cg_u(g, SpvOpIAdd, s->first, line);
  own = cg_least(g, g->u32, own, low(g, last_of(g, s->lines), ~3u));
  for (uint32_t j = 0; j < VECTOR; j++) {
    uint32_t at = cg_next(g, k, j), there = cg_less(g, at, s->len);
    at = cg_least(g, g->u32, at, last_of(g, s->len));
    load_words(g, s, element_at(g, s, own, at), 1, &w[j]);
    w[j] = cg_pick(g, g->u32, there, w[j], none);
  }
  for (uint32_t j = 0; j < VECTOR; j += 4) turn(g, w + j);
  for (uint32_t l = 0; l < 4; l++)
    put(g, s, s->to, cg_next(g, line, l), byte,
        (uint32_t[]){w[l], w[4 + l], w[8 + l], w[12 + l]});
}

/* ── integers of several limbs ──────────────────────────────────────────────────────── */

static uint32_t load_integer(cg *g, const pack_side *s, uint32_t at) {
  if (g->ix == g->u32) at = to32(g, at);
  return cg_cvt(g, cg_get_at(g, s->type, s->base, at), kir_arg_type(s->type), KI32);
}

/* Sixteen places of a line, to each limb's bytes. */
static void pack_integers(cg *g, const pack_side *s, uint32_t line, uint32_t byte) {
  uint32_t v[VECTOR], none = spv_u32(g->b, 0), w[VECTOR / 4], to = s->to;
  uint32_t k = cg_u(g, SpvOpIAdd, up(g, s->pair, cg_log2(2 * MATRIX_LINE)), byte);
  uint32_t own = cg_u(g, SpvOpIAdd, s->first, line);
  own = cg_least(g, g->u32, own, last_of(g, s->lines));
  for (uint32_t j = 0; j < VECTOR; j++) {
    uint32_t at = cg_next(g, k, j), there = cg_less(g, at, s->len);
    at = cg_least(g, g->u32, at, last_of(g, s->len));
    v[j] = load_integer(g, s, element_at(g, s, own, at));
    v[j] = cg_pick(g, g->u32, there, v[j], none);
  }
  for (uint32_t l = 0; l < g->o->matrix.limbs; l++) {
    if (l) to = add64(g, to, matrix_limb_bytes(g, s->number));
    for (uint32_t j = 0; j < VECTOR; j++) {
      uint32_t part = up(g, low(g, v[j], 255), j % 4 * 8);
      w[j / 4] = j % 4 ? cg_u(g, SpvOpBitwiseOr, w[j / 4], part) : part;
      v[j] = cg_ui(g, SpvOpShiftRightArithmetic, cg_next(g, v[j], 128), 8);
    }
    put(g, s, to, line, byte, w);
  }
}

/* ── floats ─────────────────────────────────────────────────────────────────────────── */

uint32_t matrix_power(cg *g, kty t, uint32_t e) {
  if (t == KF32) return cg_bits(g, KF32, up(g, e, 23));
  uint32_t bits = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, to64(g, e), cg_u64(g, 52));
  return cg_bits(g, KF64, bits);
}

uint32_t matrix_scale_at(cg *g, uint32_t scales, int side, uint32_t tile, uint32_t line) {
  uint32_t at = cg_u(g, SpvOpIAdd, up(g, tile, cg_log2(matrix_tile(side))), line);
  if (side == RIGHT)
    at = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpIMul, MATRIX_SLOT(g, left), MATRIX_ROWS));
  return cg_addr(g, scales, cg_to_ix(g, at), 2);
}

uint32_t matrix_scale(cg *g, uint32_t scales, int side, uint32_t tile, uint32_t line) {
  enum {
    LEAST = 16
  }; /* its power of two has an inverse, and so has its product with another */
  uint32_t least = spv_u32(g->b, LEAST);
  uint32_t e = cg_load(g, g->u32, matrix_scale_at(g, scales, side, tile, line), 4);
  return cg_pick(g, g->u32, cg_less(g, e, least), least, e);
}

/* Eight places from k on (u32) of a line (u32); 0 where there are none. */
static void load_reals(cg *g, const pack_side *s, uint32_t line, uint32_t k,
                       uint32_t v[REALS]) {
  uint32_t type = cg_scalar_type(g, s->t), bytes = (uint32_t)kty_bytes(s->t);
  uint32_t each = s->wide ? VECTOR / bytes : 1, zero = cg_real(g, s->t, 0);
  uint32_t most = cg_ui(g, SpvOpISub, s->len, s->wide ? REALS : 1);
  uint32_t from = cg_least(g, g->u32, k, most);
  line = cg_least(g, g->u32, line, last_of(g, s->lines));
  for (uint32_t j = 0; j < REALS; j += each) {
    uint32_t place = cg_next(g, from, j);
    if (!s->wide) place = cg_least(g, g->u32, cg_next(g, k, j), most);
    uint32_t at = element_at(g, s, line, place), many = spv_vec(g->b, type, each);
    at = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, at, cg_u64(g, cg_log2(bytes)));
    uint32_t x = cg_load(g, many, add64(g, s->base, at), each * bytes);
    for (uint32_t i = 0; i < each; i++)
      v[j + i] = each > 1 ? spv_op(g->b, type, SpvOpCompositeExtract, x, i) : x;
  }
  for (uint32_t j = 0; j < REALS; j++) {
    uint32_t there = cg_less(g, cg_next(g, k, j), s->len);
    v[j] = cg_pick(g, type, there, v[j], zero);
  }
}

static uint32_t exponent(cg *g, kty t, uint32_t v) {
  if (t == KF32) return low(g, down(g, cg_bits(g, KI32, v), 23), 0xff);
  uint32_t bits = spv_op(g->b, g->u64, SpvOpBitcast, v);
  bits = spv_op(g->b, g->u64, SpvOpShiftRightLogical, bits, cg_u64(g, 52));
  return low(g, to32(g, bits), 0x7ff);
}

/* The greatest exponent of eight places of a line, or `e` (u32). */
static uint32_t greatest(cg *g, const pack_side *s, uint32_t line, uint32_t k,
                         uint32_t e) {
  uint32_t v[REALS];
  load_reals(g, s, cg_u(g, SpvOpIAdd, s->first, line), k, v);
  for (uint32_t j = 0; j < REALS; j++) {
    uint32_t own = exponent(g, s->t, v[j]);
    e = cg_pick(g, g->u32, cg_less(g, e, own), own, e);
  }
  return e;
}

/* Two numbers of f32 as a word of two f16; what is left of them takes their place. They are rounded by their bits, for a driver
 * may take f32 of f16 of a number for that number. */
static uint32_t halves(cg *g, uint32_t v[2]) {
  enum { DROPPED = 24 - MATRIX_DIGITS };
  uint32_t type = cg_scalar_type(g, KF32), two = spv_vec(g->b, type, 2), part[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t bits = cg_next(g, cg_bits(g, KI32, v[i]), 1u << (DROPPED - 1));
    part[i] = cg_bits(g, KF32, low(g, bits, ~0u << DROPPED));
    v[i] = cg_arith(g, KOP_SUB, KF32, v[i], part[i]);
  }
  uint32_t x = spv_op(g->b, two, SpvOpCompositeConstruct, part[0], part[1]);
  return spv_glsl(g->b, g->u32, GLSLstd450PackHalf2x16, x);
}

/* Eight places of a line, scaled, to where the first of their bytes is `byte` (u32) of the pair's. */
static void pack_reals(cg *g, const pack_side *s, uint32_t line, uint32_t k,
                       uint32_t byte) {
  uint32_t v[REALS], w[REALS / 2], pieces = g->o->matrix.pieces;
  load_reals(g, s, cg_u(g, SpvOpIAdd, s->first, line), k, v);
  uint32_t e = matrix_scale(g, cg_slot(g, CG_SLOT_CARRY), s->number, s->tile, line);
  uint32_t by = matrix_power(
      g, s->t, cg_u(g, SpvOpISub, spv_u32(g->b, matrix_top(s->t) + matrix_one(s->t)), e));
  for (uint32_t j = 0; j < REALS; j++) {
    v[j] = cg_arith(g, KOP_MUL, s->t, v[j], by);
    v[j] = cg_cvt(g, v[j], s->t, KF32);
  }
  for (uint32_t p = 0; p < pieces; p++) {
    for (uint32_t j = 0; j < REALS / 2; j++) w[j] = halves(g, v + 2 * j);
    put(g, s, s->to, line, cg_next(g, byte, p * MATRIX_LINE / 2), w);
  }
}

/* ── a pair of chunks ───────────────────────────────────────────────────────────────── */

/* Unit u (u32) of a pair: which line, and which of the `many` units of that. */
static void place(cg *g, const pack_side *s, uint32_t u, uint32_t lines, uint32_t many,
                  uint32_t *line, uint32_t *at) {
  uint32_t fast = s->along ? many : lines;
  uint32_t lo = low(g, u, fast - 1), hi = down(g, u, cg_log2(fast));
  *line = s->along ? hi : lo;
  *at = s->along ? lo : hi;
}

static uint32_t pair_places(const cg *g) {
  return 2 * (uint32_t)matrix_places(&g->o->matrix);
}

static uint32_t first_place(cg *g, const pack_side *s) {
  return cg_ui(g, SpvOpIMul, s->pair, pair_places(g));
}

static void pack_bytes(cg *g, const pack_side *s, uint32_t u) {
  bool several = g->o->matrix.limbs > 1;
  uint32_t line, at, lines = matrix_tile(s->number) / (s->along || several ? 1 : 4);
  place(g, s, u, lines, 2 * MATRIX_LINE / VECTOR, &line, &at);
  if (several) pack_integers(g, s, line, up(g, at, cg_log2(VECTOR)));
  else if (s->along) pack_line(g, s, line, up(g, at, cg_log2(VECTOR)));
  else pack_square(g, s, up(g, line, 2), up(g, at, cg_log2(VECTOR)));
}

static void pack_floats(cg *g, const pack_side *s, uint32_t u) {
  uint32_t line, at, places = pair_places(g) / 2;
  place(g, s, u, matrix_tile(s->number), 2 * places / REALS, &line, &at);
  uint32_t in_pair = up(g, at, cg_log2(REALS));
  uint32_t chunk = down(g, in_pair, cg_log2(places)), in = low(g, in_pair, places - 1);
  uint32_t byte = cg_u(g, SpvOpIAdd, up(g, chunk, cg_log2(MATRIX_LINE)), up(g, in, 1));
  pack_reals(g, s, line, cg_u(g, SpvOpIAdd, first_place(g, s), in_pair), byte);
}

static void pack_side_of(cg *g, const pack_side *s) {
  const matrix_opts *o = &g->o->matrix;
  uint32_t units = 2 * matrix_tile(s->number) * MATRIX_LINE / VECTOR;
  if (!o->pieces && o->limbs == 1 && !s->along) units /= 4;
  if (o->pieces) units /= o->pieces;
  spv_loop l = spv_for(g->b, spv_u32(g->b, units / CG_WORKGROUP));
  uint32_t u = cg_ui(g, SpvOpIMul, l.i, CG_WORKGROUP);
  u = cg_u(g, SpvOpIAdd, u, g->thread);
  if (o->pieces) pack_floats(g, s, u);
  else pack_bytes(g, s, u);
  spv_endfor(g->b, &l);
}

/* A thread has one line, or every second eight places of it. */
static void scale_side(cg *g, const pack_side *s) {
  uint32_t lines = matrix_tile(s->number), abreast = CG_WORKGROUP / lines;
  uint32_t line = low(g, g->thread, lines - 1), own = down(g, g->thread, cg_log2(lines));
  if (s->along) {
    line = down(g, g->thread, cg_log2(abreast));
    own = low(g, g->thread, abreast - 1);
  }
  uint32_t most = spv_local(g->b, g->u32, spv_u32(g->b, 0));
  spv_loop l = spv_for(g->b, spv_u32(g->b, pair_places(g) / REALS / abreast));
  uint32_t at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, l.i, abreast), own);
  at = cg_u(g, SpvOpIAdd, first_place(g, s), up(g, at, cg_log2(REALS)));
  uint32_t e = spv_op(g->b, g->u32, SpvOpLoad, most);
  spv_do(g->b, SpvOpStore, most, greatest(g, s, line, at, e));
  spv_endfor(g->b, &l);
  e = spv_op(g->b, g->u32, SpvOpLoad, most);
  at = matrix_scale_at(g, cg_slot(g, CG_SLOT_TO), s->number, s->tile, line);
  uint32_t ptr = cg_pointer(g, g->u32, at), device = spv_u32(g->b, SpvScopeDevice);
  uint32_t relaxed = spv_u32(g->b, 0);
  uint32_t known = spv_op(g->b, g->u32, SpvOpAtomicLoad, ptr, device, relaxed);
  uint32_t is = spv_if(g->b, cg_less(g, known, e));
  (void)spv_op(g->b, g->u32, SpvOpAtomicUMax, ptr, device, relaxed, e);
  spv_endif(g->b, is);
}

static uint32_t stride_slot(cg *g, int side, int axis) {
  uint32_t at = cg_strided_slot(g->k, (uint32_t)side, (uint32_t)axis);
  return cg_slot(g, at + CG_STRIDED_STRIDE);
}

/* The side whose pair number `number` (u32) of all this workgroup has. */
static pack_side open_side(cg *g, int n, uint32_t number) {
  uint32_t in = matrix_input(g->k, n), pairs = matrix_pairs(g), batch;
  pack_side s = {.number = n,
                 .type = (elt)g->k->in[in].type,
                 .t = matrix_type(g->k, n),
                 .along = g->o->matrix.along >> n & 1,
                 .wide = g->o->matrix.wide >> n & 1,
                 .base = g->base[in],
                 .line = stride_slot(g, n, matrix_line_axis(n)),
                 .k = stride_slot(g, n, 2),
                 .lines = matrix_lines(g, n),
                 .len = cg_slot_u32(g, CG_SLOT_LEN)};
  s.tile = batch = number;
  s.pair = cg_split(g, &s.tile, pairs);
  batch = s.tile;
  s.first = up(g, cg_split(g, &batch, matrix_tiles(g, n)), cg_log2(matrix_tile(n)));
  s.start = cg_slot(g, CG_SLOT_INPUTS + 3 * in + 1);
  s.start = add64(g, s.start, mul64(g, stride_slot(g, n, 0), to64(g, batch)));
  uint32_t end =
      element_at(g, &s, last_of(g, s.lines), last_of(g, s.len)); /* of the batch */
  if (s.type == ET_BIT)
    end = spv_op(g->b, g->u64, SpvOpShiftRightLogical, end, cg_u64(g, 3));
  s.end = spv_op(g->b, g->u64, SpvOpBitwiseAnd, add64(g, s.base, end),
                 cg_u64(g, ~(uint64_t)3));
  s.to = matrix_chunk_at(g, cg_slot(g, CG_SLOT_TO), n, s.tile, spv_u32(g->b, 0),
                         up(g, s.pair, 1));
  return s;
}

static void do_side(cg *g, int n, uint32_t number) {
  pack_side s = open_side(g, n, number);
  if (g->o->matrix.phase == MATRIX_SCALE) scale_side(g, &s);
  else pack_side_of(g, &s);
}

void matrix_pack_emit(cg *g) {
  uint32_t of_x = cg_u(g, SpvOpIMul, MATRIX_SLOT(g, left), matrix_pairs(g));
  uint32_t is_x = cg_less(g, g->wid, of_x), merge = spv_if(g->b, is_x);
  do_side(g, LEFT, g->wid);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, is_x));
  do_side(g, RIGHT, cg_u(g, SpvOpISub, g->wid, of_x));
  spv_endif(g->b, merge);
}
