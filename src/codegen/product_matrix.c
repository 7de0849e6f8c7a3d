/* SPDX-License-Identifier: MIT */
/* product_matrix.c - x +.× y of bytes and truth values, x +.∧ y and x ∨.∧ y, where the device has units
 * that multiply matrices of bytes (SPV_KHR_cooperative_matrix): s8 × s8 → s32, which is exact.
 *
 *   A workgroup makes a tile of 128 × 128 of the result, each of its 8 subgroups 64 × 32 of it, as
 *   4 × 2 matrices. For each 64 of k: what was loaded goes to workgroup memory, all lines along k,
 *   4 bytes a word; the next is loaded; 2 × 8 products of 16×32 by 32×16.
 *
 * A side whose elements lie along its lines is turned on the way, 4 × 4 bytes at a time; bits become
 * bytes. Lines beyond the last are the last again, and not stored; of places beyond the last x
 * has zeros. A sum of 2*17 products of bytes may not fit 32 bits: a part of k has 2*16 places at most.
 *
 * On an H200, µs of the device, of which some 14 are not the kernel's; in brackets by product.c; then what
 * cuBLAS takes (torch._int_mm, y turned already; the same with y's rows side by side: 170 and 1196):
 *   i8 2048²: 78 [750], y turned 59 [875]; 30.  4096²: 562 [5862], 418 [6804]; 162.  8192²: 5311 [45451], 4286; 1150
 *   +.∧ of truth values 2048²: 82 [1734], 4096²: 540 [13688]
 * TRIED: where loads begin made anew for each tile, from its number: y turned 49, 322 and 3600 (fewer
 * registers?), not turned 80, 579 and 5484. */
#include "product.h"

#include <string.h>

#include "../base/arith.h"

enum { TILE = 128, PLACES = 64, SUBGROUP = 32, LEAST = 64 };
enum { SIZE = 16, DEEP = 32 /* a matrix: rows and columns of the result, places of k */ };
enum { ROWS = 4, COLUMNS = 2 /* matrices of a subgroup */ };
/* Of a side in workgroup memory, in vectors of 16 bytes: a line; more behind each 16, for other
 * banks; all. */
enum { LINE = PLACES / 16 + 1, SKEW = 2, HELD = TILE * LINE + TILE / SIZE * SKEW };
enum { RAW = TILE * PLACES / 4 / CG_WORKGROUP /* words that a thread loads of a side */ };
enum { MOST_PLACES = 1 << 16, MATRIX_PARTS = 1 << 27 /* of results: 1 GB */ };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

static kv without_conversions(const kir *k, kv v) {
  while (k->ins[v].op == KOP_CVT) v = k->ins[v].a;
  return v;
}

static bool is_bytes(const kir *k, kv v) {
  const kins *n = &k->ins[without_conversions(k, v)];
  if (n->op != KOP_ARG) return false;
  elt t = (elt)k->in[n->imm.i].type;
  return t == ET_I8 || t == ET_BIT;
}

/* Is it a sum of products, or whether there is one, of bytes and truth values? */
static bool is_sum(const kir *k) {
  const kacc *a = &k->acc[0];
  uint32_t others = 0;
  for (uint32_t i = 0; i < k->fold_at; i++)
    others += k->ins[i].op != KOP_ARG && k->ins[i].op != KOP_CVT;
  kv from = without_conversions(k, a->from);
  const kins *n = &k->ins[from];
  bool product = n->op == KOP_MUL || (n->op == KOP_AND && n->ty == KB);
  if (others != 1 || !product || kty_is_float(n->ty) || k->n_acc > 1 || k->join ||
      a->wide)
    return false;
  bool sum = a->monoid == KF_ADD && k->ins[a->from].ty != KB;
  bool any = a->monoid == KF_OR && k->ins[a->from].ty == KB;
  bool two = k->in[0].view != k->in[1].view && k->n_in == 2;
  return (sum || any) && two && is_bytes(k, n->a) && is_bytes(k, n->b);
}

static uint32_t side_input(const kir *k, int side) {
  return k->in[0].view == KV_STRIDED + side ? 0 : 1;
}

static int line_axis(int side) { return side == LEFT ? 1 : 3; }

static const kstrided *steps_of(const cg_task *t, int side) {
  return side == LEFT ? t->strided : t->right;
}

static bool is_along(const cg_task *t, int side) {
  return steps_of(t, side)->stride[2] == 1;
}

static bool lies_well(const cg_task *t, int side) {
  const kstrided *s = steps_of(t, side);
  int64_t line = s->stride[line_axis(side)];
  if (s->stride[0] < 0 || s->stride[2] < 1 || line < 1 || t->first[side] < 0)
    return false;
  return s->stride[2] == 1 || line == 1;
}

bool product_matrix_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD || !t->k->product || t->from_partials || t->small)
    return false;
  bool has = t->choice->matrix && t->common->subgroup == SUBGROUP;
  if (!has || t->most_threads < CG_WORKGROUP || !is_sum(t->k)) return false;
  int64_t least = min_i64(min_i64(t->strided->n[1], t->inner), t->len);
  int64_t parts = ceil_div(t->len, MOST_PLACES);
  if (parts > 1 && t->rows * t->inner > MATRIX_PARTS / parts) return false;
  return least >= LEAST && lies_well(t, LEFT) && lies_well(t, RIGHT);
}

/* Do loads of a side begin at whole words? */
static bool is_wide(const cg_task *t, int side) {
  const kstrided *s = steps_of(t, side);
  bool bits = t->k->in[side_input(t->k, side)].type == ET_BIT;
  int64_t by = bits || is_along(t, side) ? 16 : 8;
  int64_t other = s->stride[is_along(t, side) ? line_axis(side) : 2];
  return (t->first[side] | s->stride[0] | other) % by == 0;
}

void product_matrix_passes(const cg_task *t, cg_passes *p) {
  int64_t down = ceil_div(t->strided->n[1], TILE), across = ceil_div(t->inner, TILE);
  int64_t groups = down * across * (t->rows / t->strided->n[1]), chunk = t->len;
  int64_t blocks = ceil_div(t->len, PRODUCT_BLOCK), wanted = 2 * t->choice->busy;
  if (groups < t->choice->busy)
    chunk = ceil_div(blocks, ceil_div(wanted, groups)) * PRODUCT_BLOCK;
  chunk = min_i64(min_i64(chunk, MOST_PLACES), t->len);
  cg_pass *s = cg_add_pass(p, t, CG_PRODUCT_MATRIX);
  matrix_opts *o = &s->o.matrix;
  for (int side = 0; side < SIDES; side++) {
    if (is_along(t, side)) o->along |= 1u << side;
    if (is_wide(t, side)) o->wide |= 1u << side;
  }
  o->ragged = t->len % PLACES != 0;
  s->o.width = 1;
  s->o.workgroup = CG_WORKGROUP;
  s->geom.product = (product_geom){down, across, chunk};
  s->geom.tiles = p->tiles = ceil_div(t->len, chunk);
  s->geom.workgroups = groups * p->tiles;
}

/* ── loads ──────────────────────────────────────────────────────────────────────────── */

typedef struct matrix_side {
  int number;
  bool bits, along, wide;
  uint32_t base, start; /* u64: address; element of the batch's first */
  uint32_t step, end; /* u64: from line to line, or place to place; last word's address */
  uint32_t first, lines; /* u32: the tile's first line; of all */
  uint32_t held;         /* workgroup memory */
  uint32_t at[RAW / 4];  /* variables, u64: the element that each unit begins at */
  uint32_t own;          /* u32: the vector of this subgroup's first line */
  uint32_t raw[RAW];     /* variables, u32 */
} matrix_side;

typedef struct matrices {
  matrix_side of[SIDES];
  uint32_t batch, piece, k0, count; /* u32; count: places of this part */
  uint32_t four;                    /* type of a vector */
  uint32_t a, b, c;                 /* types of matrices */
  uint32_t acc[ROWS][COLUMNS];      /* variables */
} matrices;

static uint32_t op64(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u64, op, a, b);
}
static uint32_t to32(cg *g, uint32_t u64) {
  return spv_op(g->b, g->u32, SpvOpUConvert, u64);
}

static uint32_t up(cg *g, uint32_t a, uint32_t n) {
  return cg_ui(g, SpvOpShiftLeftLogical, a, n);
}
static uint32_t down(cg *g, uint32_t a, uint32_t n) {
  return cg_ui(g, SpvOpShiftRightLogical, a, n);
}

/* The word at an address, no further than the last; the low word of two, shifted down. */
static uint32_t word_at(cg *g, const matrix_side *s, uint32_t addr) {
  return cg_load(g, g->u32, cg_least(g, g->u64, addr, s->end), 4);
}
static uint32_t funnel(cg *g, uint32_t low, uint32_t high, uint32_t by) {
  high = op64(g, SpvOpShiftLeftLogical, to64(g, high), cg_u64(g, 32));
  uint32_t two = op64(g, SpvOpBitwiseOr, high, to64(g, low));
  return to32(g, op64(g, SpvOpShiftRightLogical, two, to64(g, by)));
}

/* 4n elements from number `at` (u64) on, as n words of bytes. */
static void load_bits(cg *g, const matrix_side *s, uint32_t at, uint32_t n, uint32_t *v) {
  uint32_t word = op64(g, SpvOpShiftRightLogical, at, cg_u64(g, 5));
  uint32_t addr = op64(g, SpvOpShiftLeftLogical, word, cg_u64(g, 2));
  addr = op64(g, SpvOpIAdd, s->base, addr);
  uint32_t by = cg_ui(g, SpvOpBitwiseAnd, to32(g, at), 31), x = word_at(g, s, addr);
  if (s->wide) x = cg_u(g, SpvOpShiftRightLogical, x, by);
  else x = funnel(g, x, word_at(g, s, cg_plus(g, addr, 4)), by);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t four = i ? cg_ui(g, SpvOpShiftRightLogical, x, 4 * i) : x;
    four = cg_ui(g, SpvOpBitwiseAnd, four, 15);
    v[i] = cg_ui(g, SpvOpBitwiseAnd, cg_ui(g, SpvOpIMul, four, 0x00204081), 0x01010101);
  }
}

static void load_bytes(cg *g, const matrix_side *s, uint32_t at, uint32_t n,
                       uint32_t *v) {
  uint32_t addr = op64(g, SpvOpIAdd, s->base, at), w[5] = {0};
  if (s->wide) {
    uint32_t x = cg_load(g, spv_vec(g->b, g->u32, n), addr, 4 * n);
    for (uint32_t i = 0; i < n; i++) v[i] = cg_u(g, SpvOpCompositeExtract, x, i);
    return;
  }
  uint32_t by = cg_ui(g, SpvOpBitwiseAnd, to32(g, addr), 3);
  by = cg_ui(g, SpvOpShiftLeftLogical, by, 3);
  addr = op64(g, SpvOpBitwiseAnd, addr, cg_u64(g, ~(uint64_t)3));
  for (uint32_t i = 0; i <= n; i++)
    w[i] = word_at(g, s, i ? cg_plus(g, addr, 4 * i) : addr);
  for (uint32_t i = 0; i < n; i++) v[i] = funnel(g, w[i], w[i + 1], by);
}

static void load_words(cg *g, const matrix_side *s, uint32_t at, uint32_t n,
                       uint32_t *v) {
  if (s->bits) load_bits(g, s, at, n, v);
  else load_bytes(g, s, at, n, v);
}

/* The word without what lies beyond `left` (u32, signed) elements. */
static uint32_t masked(cg *g, uint32_t word, uint32_t left) {
  uint32_t none = spv_u32(g->b, 0), all = spv_u32(g->b, UINT32_MAX);
  uint32_t bits = cg_ui(g, SpvOpShiftLeftLogical, left, 3);
  uint32_t some =
      cg_u(g, SpvOpShiftLeftLogical, all, cg_ui(g, SpvOpBitwiseAnd, bits, 31));
  some = spv_op(g->b, g->u32, SpvOpNot, some);
  uint32_t is_all = cg_is(g, SpvOpSGreaterThanEqual, left, spv_u32(g->b, 4));
  uint32_t is_none = cg_is(g, SpvOpSLessThanEqual, left, none);
  some = cg_pick(g, g->u32, is_all, all, some);
  some = cg_pick(g, g->u32, is_none, none, some);
  return cg_u(g, SpvOpBitwiseAnd, word, some);
}

/* v, a line or place, below n; and it begins a load as before. */
static uint32_t within(cg *g, uint32_t v, uint32_t n, uint32_t by) {
  uint32_t last = cg_ui(g, SpvOpBitwiseAnd, cg_ui(g, SpvOpISub, n, 1), ~(by - 1));
  return cg_least(g, g->u32, v, last);
}

/* Unit i of this thread, where elements lie along k: 16 of a line. */
static void line_unit(cg *g, uint32_t i, uint32_t *line, uint32_t *vector) {
  enum { VECTORS = PLACES / 16 };
  *line = cg_ui(g, SpvOpShiftRightLogical, g->thread, cg_log2(VECTORS));
  *line = cg_next(g, *line, i * (CG_WORKGROUP / VECTORS));
  *vector = cg_ui(g, SpvOpBitwiseAnd, g->thread, VECTORS - 1);
}

/* Else: 4 places of 8 lines. Of a subgroup 8 lie along k, and 4 across. */
static void square_unit(cg *g, uint32_t *eight, uint32_t *four) {
  uint32_t unit = cg_ui(g, SpvOpShiftRightLogical, g->thread, 5);
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  *four = cg_ui(g, SpvOpBitwiseAnd, lane, 7);
  uint32_t high = cg_ui(g, SpvOpShiftLeftLogical, cg_ui(g, SpvOpBitwiseAnd, unit, 1), 3);
  *four = cg_u(g, SpvOpBitwiseOr, *four, high);
  *eight = cg_ui(g, SpvOpShiftRightLogical, lane, 3);
  high = cg_ui(g, SpvOpShiftRightLogical, unit, 1);
  *eight = cg_u(g, SpvOpBitwiseOr, *eight, cg_ui(g, SpvOpShiftLeftLogical, high, 2));
}

static uint32_t element_at(cg *g, const matrix_side *s, uint32_t across, uint32_t along) {
  uint32_t at = op64(g, SpvOpIMul, to64(g, across), s->step);
  at = op64(g, SpvOpIAdd, at, to64(g, along));
  return op64(g, SpvOpIAdd, at, s->start);
}

static void keep(cg *g, const matrix_side *s, uint32_t i, uint32_t v) {
  spv_do(g->b, SpvOpStore, s->raw[i], v);
}

/* Where unit i of a thread begins, `from` places of k (u32) along: elements along k, or lines. */
static uint32_t unit_at(cg *g, const matrices *m, const matrix_side *s, uint32_t i,
                        uint32_t from) {
  uint32_t line, k, by = s->along ? 1 : 8;
  if (s->along) {
    line_unit(g, i, &line, &k);
    k = up(g, k, 4);
  } else {
    square_unit(g, &line, &k);
    line = up(g, line, 3);
    k = up(g, k, 2);
  }
  line = within(g, cg_u(g, SpvOpIAdd, s->first, line), s->lines, by);
  k = cg_u(g, SpvOpIAdd, from, k);
  k = cg_u(g, SpvOpIAdd, m->k0, within(g, k, m->count, s->along ? 16 : 1));
  return s->along ? element_at(g, s, line, k) : element_at(g, s, k, line);
}

/* All of a tile of 64 places, which are there; then where the next begins. */
static void load_tile(cg *g, const matrix_side *s) {
  uint32_t units = s->along ? RAW / 4 : 1, each = s->along ? 1 : 4, v[4];
  uint32_t by = cg_u64(g, PLACES);
  if (!s->along) by = op64(g, SpvOpIMul, s->step, by);
  for (uint32_t i = 0; i < units; i++) {
    uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, s->at[i]), n = 4 / each;
    if (!s->along) n = 2;
    spv_do(g->b, SpvOpStore, s->at[i], op64(g, SpvOpIAdd, at, by));
    for (uint32_t j = 0; j < each; j++) {
      if (j) at = op64(g, SpvOpIAdd, at, s->step);
      load_words(g, s, at, n, v);
      for (uint32_t l = 0; l < n; l++) keep(g, s, (i * each + j) * n + l, v[l]);
    }
  }
}

/* The last places, fewer than 64, from place `from` on (u32): behind them x has zeros. */
static void load_rest(cg *g, const matrices *m, const matrix_side *s, uint32_t from) {
  uint32_t line, k, v[4], left, units = s->along ? RAW / 4 : 4, n = s->along ? 4 : 2;
  uint32_t none = spv_u32(g->b, 0), step = 0;
  if (s->along) line_unit(g, 0, &line, &k);
  else square_unit(g, &line, &k);
  k = cg_u(g, SpvOpIAdd, from, up(g, k, s->along ? 4 : 2));
  left = cg_u(g, SpvOpISub, m->count, k);
  for (uint32_t i = 0; i < units; i++) {
    uint32_t there = cg_is(g, SpvOpSGreaterThan, left, spv_u32(g->b, i));
    uint32_t at = unit_at(g, m, s, s->along ? i : 0, from);
    if (!s->along && i) {
      step = spv_op(g->b, g->u64, SpvOpSelect, there, s->step, cg_u64(g, 0));
      at = op64(g, SpvOpIAdd, at, op64(g, SpvOpIMul, step, cg_u64(g, i)));
    }
    load_words(g, s, at, n, v);
    for (uint32_t j = 0; j < n; j++) {
      if (s->number == LEFT && s->along)
        v[j] = masked(g, v[j], cg_ui(g, SpvOpISub, left, 4 * j));
      else if (s->number == LEFT) v[j] = cg_pick(g, g->u32, there, v[j], none);
      keep(g, s, i * n + j, v[j]);
    }
  }
}

/* ── workgroup memory ───────────────────────────────────────────────────────────────── */

enum { NOT_PRIVATE = 0x20 /* a memory operand: others see it */ };

static void barrier(cg *g) {
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), how = spv_u32(g->b, 0x6108);
  spv_do(g->b, SpvOpControlBarrier, scope, scope, how);
}

/* The number of a vector (u32) of a line (u32). */
static uint32_t held_at(cg *g, uint32_t line, uint32_t vector) {
  uint32_t at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, line, LINE), vector);
  uint32_t skew = cg_ui(g, SpvOpShiftRightLogical, line, cg_log2(SIZE));
  return cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpIMul, skew, SKEW));
}

static uint32_t raw_of(cg *g, const matrix_side *s, uint32_t i) {
  return spv_op(g->b, g->u32, SpvOpLoad, s->raw[i]);
}

static void hold_lines(cg *g, const matrices *m, const matrix_side *s) {
  enum {
    APART = CG_WORKGROUP / (PLACES / 16),
    VECTORS = APART * LINE + APART / SIZE * SKEW
  };
  uint32_t line, vector, v[4];
  line_unit(g, 0, &line, &vector);
  uint32_t first = held_at(g, line, vector);
  for (uint32_t i = 0; i < RAW / 4; i++) {
    for (uint32_t j = 0; j < 4; j++) v[j] = raw_of(g, s, 4 * i + j);
    uint32_t x = spv_op(g->b, m->four, SpvOpCompositeConstruct, v[0], v[1], v[2], v[3]);
    uint32_t ptr = cg_shared_ptr(g, m->four, s->held, cg_next(g, first, i * VECTORS));
    spv_do(g->b, SpvOpStore, ptr, x, NOT_PRIVATE);
  }
}

static uint32_t mix(cg *g, uint32_t a, uint32_t mask_a, uint32_t b, uint32_t mask_b) {
  a = cg_ui(g, SpvOpBitwiseAnd, a, mask_a);
  return cg_u(g, SpvOpBitwiseOr, a, cg_ui(g, SpvOpBitwiseAnd, b, mask_b));
}
/* Four words of four bytes, turned. */
static void turn(cg *g, uint32_t w[4]) {
  uint32_t low[2], high[2];
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t a = w[2 * i], b = w[2 * i + 1];
    low[i] = mix(g, a, 0x00ff00ff, up(g, b, 8), 0xff00ff00);
    high[i] = mix(g, down(g, a, 8), 0x00ff00ff, b, 0xff00ff00);
  }
  w[0] = mix(g, low[0], 0xffff, up(g, low[1], 16), 0xffff0000);
  w[1] = mix(g, high[0], 0xffff, up(g, high[1], 16), 0xffff0000);
  w[2] = mix(g, down(g, low[0], 16), 0xffff, low[1], 0xffff0000);
  w[3] = mix(g, down(g, high[0], 16), 0xffff, high[1], 0xffff0000);
}

static void hold_squares(cg *g, const matrix_side *s) {
  uint32_t eight, four, ptr = spv_ptr(g->b, SpvStorageClassWorkgroup, g->u32);
  square_unit(g, &eight, &four);
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, four, 3);
  uint32_t first = held_at(g, up(g, eight, 3), down(g, four, 2)); /* 8 lines: one skew */
  for (uint32_t half = 0; half < 2; half++) {
    uint32_t w[4];
    for (uint32_t j = 0; j < 4; j++) w[j] = raw_of(g, s, 2 * j + half);
    turn(g, w);
    for (uint32_t j = 0; j < 4; j++) {
      uint32_t at = cg_next(g, first, (4 * half + j) * LINE);
      at = spv_op(g->b, ptr, SpvOpAccessChain, s->held, at, lane);
      spv_do(g->b, SpvOpStore, at, w[j], NOT_PRIVATE);
    }
  }
}

static void hold(cg *g, const matrices *m) {
  for (int n = 0; n < SIDES; n++)
    if (m->of[n].along) hold_lines(g, m, &m->of[n]);
    else hold_squares(g, &m->of[n]);
}

/* ── matrices ───────────────────────────────────────────────────────────────────────── */

enum { MATRIX_LOAD = 4457, MATRIX_STORE = 4458, MATRIX_MULTIPLY = 4459 };
enum { BY_ROWS, BY_COLUMNS };
enum { ALL_SIGNED = 15 };

/* The first of this subgroup's lines of a side, in the tile. */
static uint32_t own_line(cg *g, int side) {
  uint32_t unit = cg_ui(g, SpvOpShiftRightLogical, g->thread, 5);
  if (side == LEFT)
    return up(g, cg_ui(g, SpvOpBitwiseAnd, unit, 1), cg_log2(ROWS * SIZE));
  return up(g, down(g, unit, 1), cg_log2(COLUMNS * SIZE));
}

static uint32_t load_matrix(cg *g, const matrices *m, int side, uint32_t i, uint32_t k) {
  const matrix_side *s = &m->of[side];
  uint32_t at = cg_next(g, s->own, i * (SIZE * LINE + SKEW) + k / 16);
  uint32_t ptr = cg_shared_ptr(g, m->four, s->held, at);
  uint32_t layout = spv_u32(g->b, side == LEFT ? BY_ROWS : BY_COLUMNS);
  uint32_t stride = spv_u32(g->b, LINE);
  return spv_op(g->b, side == LEFT ? m->a : m->b, (SpvOp)MATRIX_LOAD, ptr, layout, stride,
                NOT_PRIVATE);
}

static void multiply(cg *g, const matrices *m) {
  uint32_t acc[ROWS][COLUMNS], a[ROWS], b[COLUMNS];
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t j = 0; j < COLUMNS; j++)
      acc[i][j] = spv_op(g->b, m->c, SpvOpLoad, m->acc[i][j]);
  for (uint32_t k = 0; k < PLACES; k += DEEP) {
    for (uint32_t i = 0; i < ROWS; i++) a[i] = load_matrix(g, m, LEFT, i, k);
    for (uint32_t j = 0; j < COLUMNS; j++) b[j] = load_matrix(g, m, RIGHT, j, k);
    for (uint32_t i = 0; i < ROWS; i++)
      for (uint32_t j = 0; j < COLUMNS; j++)
        acc[i][j] =
            spv_op(g->b, m->c, (SpvOp)MATRIX_MULTIPLY, a[i], b[j], acc[i][j], ALL_SIGNED);
  }
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t j = 0; j < COLUMNS; j++)
      spv_do(g->b, SpvOpStore, m->acc[i][j], acc[i][j]);
}

static void exchange(cg *g, const matrices *m) {
  barrier(g);
  hold(g, m);
  barrier(g);
}

static void all_tiles(cg *g, const matrices *m) {
  uint32_t rounds = down(g, m->count, cg_log2(PLACES)), none = spv_u32(g->b, 0);
  uint32_t some = spv_if(g->b, cg_less(g, none, rounds));
  for (int n = 0; n < SIDES; n++) load_tile(g, &m->of[n]);
  spv_loop l = spv_for(g->b, rounds);
  exchange(g, m);
  uint32_t next = cg_next(g, l.i, 1), more = spv_if(g->b, cg_less(g, next, rounds));
  for (int n = 0; n < SIDES; n++) load_tile(g, &m->of[n]);
  spv_endif(g->b, more);
  multiply(g, m);
  spv_endfor(g->b, &l);
  spv_endif(g->b, some);
  if (!g->o->matrix.ragged) return;
  uint32_t from = up(g, rounds, cg_log2(PLACES));
  some = spv_if(g->b, cg_less(g, from, m->count));
  for (int n = 0; n < SIDES; n++) load_rest(g, m, &m->of[n], from);
  exchange(g, m);
  multiply(g, m);
  spv_endif(g->b, some);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

/* An element of a matrix as the fold's accumulator. */
static cg_acc as_acc(cg *g, uint32_t word) {
  kty t = cg_acc_type(g->k, 0);
  if (t == KB) return (cg_acc){{cg_is(g, SpvOpINotEqual, word, spv_u32(g->b, 0))}};
  return (cg_acc){{cg_cvt(g, word, KI32, t)}};
}

/* Eight elements of the matrix that lies at vector `area` (u32) of x's workgroup memory, whose first is
 * that of row and column (u32). */
static void store_matrix(cg *g, const matrices *m, uint32_t area, uint32_t row,
                         uint32_t column, uint32_t to) {
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  uint32_t ptr = spv_ptr(g->b, SpvStorageClassWorkgroup, g->u32);
  uint32_t c = cg_ui(g, SpvOpBitwiseAnd, lane, SIZE - 1),
           r = down(g, lane, cg_log2(SIZE));
  column = cg_u(g, SpvOpIAdd, column, c);
  uint32_t inside = cg_less(g, column, m->of[RIGHT].lines);
  spv_loop l = spv_for(g->b, spv_u32(g->b, SIZE / 2));
  r = cg_u(g, SpvOpIAdd, r, up(g, l.i, 1));
  uint32_t at = cg_u(g, SpvOpIAdd, area, cg_ui(g, SpvOpIMul, r, LINE));
  at = cg_u(g, SpvOpIAdd, at, down(g, c, 2));
  at = spv_op(g->b, ptr, SpvOpAccessChain, m->of[LEFT].held, at,
              cg_ui(g, SpvOpBitwiseAnd, c, 3));
  uint32_t word = spv_op(g->b, g->u32, SpvOpLoad, at, NOT_PRIVATE);
  row = cg_u(g, SpvOpIAdd, row, r);
  uint32_t there = cg_both(g, inside, cg_less(g, row, m->of[LEFT].lines));
  uint32_t merge = spv_if(g->b, there);
  cg_pos p = {.i =
                  product_result(g, (product_at){m->batch, m->piece, row, column,
                                                 m->of[LEFT].lines, m->of[RIGHT].lines})};
  cg_finish(g, to, &p, as_acc(g, word), 0);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
}

static void store_all(cg *g, const matrices *m) {
  uint32_t to = cg_result(g), unit = cg_ui(g, SpvOpShiftRightLogical, g->thread, 5);
  uint32_t area = cg_ui(g, SpvOpIMul, unit, SIZE * LINE);
  uint32_t ptr = cg_shared_ptr(g, m->four, m->of[LEFT].held, area);
  uint32_t layout = spv_u32(g->b, BY_ROWS), stride = spv_u32(g->b, LINE);
  uint32_t row = cg_u(g, SpvOpIAdd, m->of[LEFT].first, own_line(g, LEFT));
  uint32_t column = cg_u(g, SpvOpIAdd, m->of[RIGHT].first, own_line(g, RIGHT));
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t j = 0; j < COLUMNS; j++) {
      barrier(g);
      uint32_t c = spv_op(g->b, m->c, SpvOpLoad, m->acc[i][j]);
      spv_do(g->b, (SpvOp)MATRIX_STORE, ptr, c, layout, stride, NOT_PRIVATE);
      barrier(g);
      store_matrix(g, m, area, cg_next(g, row, i * SIZE), cg_next(g, column, j * SIZE),
                   to);
    }
}

/* ── the whole ──────────────────────────────────────────────────────────────────────── */

static uint32_t stride_slot(cg *g, int side, int axis) {
  return cg_slot(g, cg_strided_slot(g->k, (uint32_t)side, (uint32_t)axis) +
                        CG_STRIDED_STRIDE);
}

static uint32_t product64(cg *g, uint32_t u64, uint32_t u32) {
  return op64(g, SpvOpIMul, u64, to64(g, u32));
}

static void open_side(cg *g, matrices *m, int n, uint32_t tile) {
  matrix_side *s = &m->of[n];
  uint32_t in = side_input(g->k, n), line = stride_slot(g, n, line_axis(n));
  uint32_t k = stride_slot(g, n, 2);
  s->number = n;
  s->bits = g->k->in[in].type == ET_BIT;
  s->along = g->o->matrix.along >> n & 1;
  s->wide = g->o->matrix.wide >> n & 1;
  s->lines = cg_slot_u32(g, CG_SLOT_INNER);
  if (n == LEFT) s->lines = cg_slot_u32(g, cg_strided_slot(g->k, LEFT, 1) + CG_STRIDED_N);
  s->first = up(g, tile, cg_log2(TILE));
  s->base = g->base[in];
  s->step = s->along ? line : k;
  s->start = cg_slot(g, CG_SLOT_INPUTS + 3 * in + 1);
  s->start = op64(g, SpvOpIAdd, s->start, product64(g, stride_slot(g, n, 0), m->batch));
  uint32_t end = product64(g, line, s->lines);
  end = op64(g, SpvOpISub, end, line);
  uint32_t len = cg_slot_u32(g, CG_SLOT_LEN), deep = product64(g, k, len);
  end = op64(g, SpvOpIAdd, end, op64(g, SpvOpISub, deep, k));
  end = op64(g, SpvOpIAdd, end, s->start);
  if (s->bits) end = op64(g, SpvOpShiftRightLogical, end, cg_u64(g, 3));
  end = op64(g, SpvOpIAdd, end, s->base);
  s->end = op64(g, SpvOpBitwiseAnd, end, cg_u64(g, ~(uint64_t)3));
  s->held = spv_shared(g->b, m->four, HELD);
  s->own = held_at(g, own_line(g, n), spv_u32(g->b, 0));
  for (uint32_t i = 0; i < RAW; i++) s->raw[i] = spv_local(g->b, g->u32, 0);
  for (uint32_t i = 0; i < (s->along ? RAW / 4 : 1); i++) {
    s->at[i] = spv_local(g->b, g->u64, 0);
    spv_do(g->b, SpvOpStore, s->at[i], unit_at(g, m, s, i, spv_u32(g->b, 0)));
  }
}

static void open_matrices(cg *g, matrices *m) {
  uint32_t bytes = spv_signed(g->b, 8), words = spv_signed(g->b, 32);
  m->a = spv_matrix(g->b, bytes, SIZE, DEEP, 0);
  m->b = spv_matrix(g->b, bytes, DEEP, SIZE, 1);
  m->c = spv_matrix(g->b, words, SIZE, SIZE, 2);
  m->four = spv_vec(g->b, g->u32, 4);
  product_work own = product_own_work(g);
  m->piece = own.piece;
  m->batch = own.batch;
  m->k0 = own.k0;
  m->count = own.count;
  open_side(g, m, LEFT, own.down);
  open_side(g, m, RIGHT, own.across);
  uint32_t zero = spv_const(g->b, words, 32, 0, 1);
  zero = spv_op(g->b, m->c, SpvOpCompositeConstruct, zero);
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t j = 0; j < COLUMNS; j++) {
      m->acc[i][j] = spv_local(g->b, m->c, 0);
      spv_do(g->b, SpvOpStore, m->acc[i][j], zero);
    }
}

void product_matrix_emit(cg *g) {
  matrices m;
  memset(&m, 0, sizeof m);
  g->lanes = 1;
  spv_ext(g->b, "SPV_KHR_cooperative_matrix");
  spv_vulkan_memory(g->b);
  open_matrices(g, &m);
  all_tiles(g, &m);
  store_all(g, &m);
}
