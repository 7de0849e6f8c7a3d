/* SPDX-License-Identifier: MIT */
/* product_matrix.c - x +.× y of bytes and truth values, x +.∧ y and x ∨.∧ y, where the device has units that multiply
 * matrices of bytes (SPV_KHR_cooperative_matrix): s8 × s8 → s32, which is exact; and x +.× y of integers of two or three bytes, all
 * limbs of x by all of y, where sums of one weight are a part as those of a part of k are. And x +.× y of floats of which few digits
 * are asked for ('Precision'), by f16 × f16 → f32: of two pieces of each number, what three of the four products give.
 *
 * Both sides are packed first (product_pack.c). A workgroup makes a tile of 256 × 128 of the result, each of its 8 subgroups
 * 64 × 64 of it, as 4 × 4 matrices. For each chunk of k: the next one's loads begin, this one is multiplied from workgroup
 * memory, barrier, what was loaded goes there, barrier.
 *
 * A sum of 2*17 products of bytes may not fit 32 bits: a part of k has 2*16 places at most, or 2*14 of each limb.
 *
 * On an H200, µs of the device, of which some 14 are not the kernels'; in brackets before sides were packed; then cuBLAS by PyTorch
 * (_int_mm with y turned already; f32 by tf32, and as it is):
 *   i8 4096²: 327 [605], y turned 315 [500]; 174.  8192²: 2260 [5330], 2200 [4330]; 1172.  64 × 8192²: 195 [120]
 *   +.∧ of truth values 4096²: 352 [570], 8192²: 2370 [4050]
 *   integers of 64 bits 4096²: of two limbs 1390 [129000], of three 2740; of 16 bits 1340 [6090]; 4096 × 256 × 4096 342,
 *   of 128 places by product.c 218
 *   f32 4096² to 11 digits: 693, to 22: 1357; 370, 2696 ('Fast' 1: 2990).
 * TRIED, the same rows: tiles of 128 × 128 by two buffers, 8 subgroups of 64 × 32: 369, 356, 2790, 2730, 824, 1516, all
 * bound by what the second cache sends (without products 336); 4 subgroups of 64 × 64: 387, 375, 3120, 3070, 965, 1840.
 * Tiles of 256 × 128 by 16 subgroups: 328, 316, 2280, 2220, 678, 1367. */
#include "product_matrix.h"

#include <string.h>

#include "../base/arith.h"
#include "../kir/folds.h"

enum { SUBGROUP = 32, LEAST = 64, LEAST_OF_LIMBS = 256, MOST_WASTE = 4 };
enum {
  SIZE = 16,
  DEEP = 32 /* bytes */,
  ACROSS = 4 /* matrices of a subgroup, each way */
};
/* In vectors of 16 bytes: a line in workgroup memory, one more for other banks; x and y; of results 16 rows of a subgroup. */
enum { VECTOR = 16, LINE = MATRIX_LINE / VECTOR + 1, ROW = SUBGROUP / 4 + 1 };
enum { HELD_Y = MATRIX_ROWS * LINE, HELD = HELD_Y + MATRIX_COLUMNS * LINE };
enum {
  MOST_LOADED = MATRIX_ROWS * MATRIX_LINE / VECTOR / CG_WORKGROUP /* by a thread */
};
enum { MOST_PLACES = 1 << 16, MOST_OF_LIMBS = 1 << 14, MOST_LIMBS = 3 };
/* Bytes of both sides, and of parts of results. */
static const int64_t most_packed = INT64_C(1) << 33, most_parts = INT64_C(1) << 33;

/* ── how ────────────────────────────────────────────────────────────────────────────── */

static kv without_conversions(const kir *k, kv v) {
  while (k->ins[v].op == KOP_CVT) v = k->ins[v].a;
  return v;
}

/* Is it an argument, of floats or none? */
static bool is_argument(const kir *k, kv v, bool floats) {
  const kins *n = &k->ins[without_conversions(k, v)];
  if (n->op != KOP_ARG) return false;
  elt t = (elt)k->in[n->imm.i].type;
  return floats ? elt_is_float(t) : elt_is_int(t);
}

static bool is_bytes(const kin *in) { return in->type == ET_I8 || in->type == ET_BIT; }

/* Limbs of the integers; more than MOST_LIMBS: they are none that units have. The greatest limb is 127. */
static uint32_t limbs_of(const cg_task *t) {
  if (is_bytes(&t->k->in[0]) && is_bytes(&t->k->in[1])) return 1;
  uint32_t n = t->digits / 8 + 1 + (t->digits % 8 == 7);
  return n < 2 ? 2 : n;
}

/* Pieces of f16 that a number is made of, of a sum of products of floats; else 0. */
static uint32_t pieces_of(const kir *k) {
  bool few = k->digits && k->digits <= MATRIX_DIGITS_2;
  if (!few || !kty_is_float(kfold_acc_type(k, 0))) return 0;
  return k->digits <= MATRIX_DIGITS ? 1 : 2;
}

/* Is it a sum of products, or whether there is one, of numbers that units have? */
static bool is_sum(const kir *k) {
  const kacc *a = &k->acc[0];
  uint32_t others = 0, pieces = pieces_of(k);
  for (uint32_t i = 0; i < k->fold_at; i++) {
    uint8_t op = k->ins[i].op;
    others += op != KOP_ARG && op != KOP_CVT && op != KOP_CONST;
  }
  kv from = without_conversions(k, a->from);
  const kins *n = &k->ins[from];
  bool product = n->op == KOP_MUL || (n->op == KOP_AND && n->ty == KB);
  if (others != 1 || !product || k->n_acc > 1 || k->join || a->wide) return false;
  if (kty_is_float(n->ty) != (pieces > 0)) return false;
  bool sum = a->monoid == KF_ADD && k->ins[a->from].ty != KB;
  bool any = a->monoid == KF_OR && k->ins[a->from].ty == KB;
  bool two = k->in[0].view != k->in[1].view && k->n_in == 2;
  return (sum || any) && two && is_argument(k, n->a, pieces) &&
         is_argument(k, n->b, pieces);
}

static const kstrided *steps_of(const cg_task *t, int side) {
  return side == LEFT ? t->strided : t->right;
}

static bool is_along(const cg_task *t, int side) {
  return steps_of(t, side)->stride[2] == 1;
}

static bool lies_well(const cg_task *t, int side) {
  const kstrided *s = steps_of(t, side);
  int64_t line = s->stride[matrix_line_axis(side)];
  if (s->stride[0] < 0 || s->stride[2] < 1 || line < 1 || t->first[side] < 0)
    return false;
  return s->stride[2] == 1 || line == 1;
}

/* Tiles of a side, of all batches. */
static int64_t tiles_of(const cg_task *t, int side) {
  int64_t lines = side == LEFT ? t->strided->n[1] : t->inner;
  int64_t batches = steps_of(t, side)->stride[0] ? t->rows / t->strided->n[1] : 1;
  return ceil_div(lines, matrix_tile(side)) * batches;
}

static int64_t pairs_of(const cg_task *t, const matrix_opts *o) {
  return ceil_div(t->len, 2 * matrix_places(o));
}

/* Lines of all tiles of both sides. */
static int64_t lines_of(const cg_task *t) {
  return tiles_of(t, LEFT) * MATRIX_ROWS + tiles_of(t, RIGHT) * MATRIX_COLUMNS;
}

/* Bytes of both sides, as they are packed. */
static int64_t packed(const cg_task *t, const matrix_opts *o) {
  return lines_of(t) * pairs_of(t, o) * 2 * MATRIX_LINE * o->limbs;
}

/* Weights of limbs' products. */
static uint32_t weights_of(const matrix_opts *o) { return 2 * o->limbs - 1; }

static int64_t most_places(const matrix_opts *o) {
  if (o->pieces) return INT64_MAX;
  return o->limbs > 1 ? MOST_OF_LIMBS : MOST_PLACES;
}

static matrix_opts options(const cg_task *t) {
  matrix_opts o = {.pieces = pieces_of(t->k), .limbs = 1};
  if (!o.pieces) o.limbs = limbs_of(t);
  return o;
}

bool product_matrix_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD || !t->k->product || t->from_partials || t->small)
    return false;
  bool has = t->choice->matrix || t->choice->halves;
  if (!has || t->common->subgroup != SUBGROUP || !is_sum(t->k)) return false;
  matrix_opts o = options(t);
  if (o.limbs > MOST_LIMBS || !(o.pieces ? t->choice->halves : t->choice->matrix))
    return false;
  if (t->most_threads < CG_WORKGROUP || !lies_well(t, LEFT) || !lies_well(t, RIGHT))
    return false;
  int64_t m = t->strided->n[1], n = t->inner, least = min_i64(min_i64(m, n), t->len);
  if (least < LEAST || (o.limbs > 1 && t->len < LEAST_OF_LIMBS)) return false;
  int64_t rows = ceil_div(m, MATRIX_ROWS) * MATRIX_ROWS;
  int64_t columns = ceil_div(n, MATRIX_COLUMNS) * MATRIX_COLUMNS;
  if (rows * columns > MOST_WASTE * m * n || packed(t, &o) > most_packed) return false;
  int64_t parts = ceil_div(t->len, most_places(&o)) * weights_of(&o);
  return parts == 1 || t->rows * n <= most_parts / cg_acc_bytes(t->k) / parts;
}

/* Do loads of a side begin at whole words? Of floats that is asked where they lie along k. */
static bool is_wide(const cg_task *t, int side) {
  const kstrided *s = steps_of(t, side);
  elt type = (elt)t->k->in[matrix_input(t->k, side)].type;
  int64_t starts = t->first[side] | s->stride[0], by = 4;
  starts |= s->stride[is_along(t, side) ? matrix_line_axis(side) : 2];
  if (elt_is_float(type)) return is_along(t, side) && (starts | t->len) % 8 == 0;
  if (type == ET_BIT || is_along(t, side)) by = 16;
  return starts % by == 0;
}

static cg_pass *add_pass(const cg_task *t, cg_passes *p, const matrix_opts *o,
                         matrix_phase phase, int64_t workgroups) {
  cg_pass *s = cg_add_pass(p, t, CG_PRODUCT_MATRIX);
  s->o.matrix = *o;
  s->o.matrix.phase = phase;
  s->o.width = 1;
  s->o.workgroup = CG_WORKGROUP;
  s->geom.matrix = (matrix_geom){.left = tiles_of(t, LEFT)};
  s->geom.workgroups = workgroups;
  return s;
}

void product_matrix_passes(const cg_task *t, cg_passes *p) {
  matrix_opts o = options(t);
  int64_t down = ceil_div(t->strided->n[1], MATRIX_ROWS), chunk = t->len;
  int64_t across = ceil_div(t->inner, MATRIX_COLUMNS);
  int64_t groups = down * across * (t->rows / t->strided->n[1]);
  int64_t blocks = ceil_div(t->len, PRODUCT_BLOCK), wanted = 2 * t->choice->busy;
  if (groups < t->choice->busy)
    chunk = ceil_div(blocks, ceil_div(wanted, groups)) * PRODUCT_BLOCK;
  chunk = min_i64(min_i64(chunk, most_places(&o)), t->len);
  for (int side = 0; side < SIDES; side++) {
    if (is_along(t, side)) o.along |= 1u << side;
    if (is_wide(t, side)) o.wide |= 1u << side;
    if (!steps_of(t, side)->stride[0]) o.one |= 1u << side;
  }
  int64_t each = cg_acc_bytes(t->k);
  int64_t pairs = (tiles_of(t, LEFT) + tiles_of(t, RIGHT)) * pairs_of(t, &o);
  p->own[1] = ceil_div(packed(t, &o), each);
  if (o.pieces) {
    p->own[0] = ceil_div(lines_of(t) * (int64_t)sizeof(uint32_t), each);
    p->clears = true;
    add_pass(t, p, &o, MATRIX_SCALE, pairs)->to = CG_OWN;
  }
  cg_pass *s = add_pass(t, p, &o, MATRIX_PACK, pairs);
  s->to = CG_OWN_B;
  if (o.pieces) s->carry = CG_OWN;
  s = add_pass(t, p, &o, MATRIX_MULTIPLY, 0);
  s->from = CG_OWN_B;
  if (o.pieces) s->carry = CG_OWN;
  s->geom.matrix.tiles = (product_geom){down, across, chunk};
  s->geom.tiles = p->tiles = ceil_div(t->len, chunk) * weights_of(&o);
  s->geom.workgroups = groups * p->tiles;
}

/* ── matrices ───────────────────────────────────────────────────────────────────────── */

typedef struct matrix_side {
  uint32_t tile;  /* u32: of this workgroup, of all of the side */
  uint32_t first; /* u32: its first line */
  uint32_t lines; /* u32, of all */
  uint32_t at;    /* variable, u64: this thread's first vector of the next chunk */
  uint32_t own;   /* u32: the vector of this subgroup's first line in workgroup memory */
} matrix_side;

typedef struct matrices {
  matrix_side of[SIDES];
  uint32_t batch, piece, pairs; /* u32; pairs: of this part */
  uint32_t weight, chunk;       /* u32: of the part; its first chunk */
  uint32_t four, held;          /* type of a vector; workgroup memory */
  uint32_t put;                 /* u32: this thread's first vector there */
  uint32_t a, b, c;             /* types of matrices */
  uint32_t acc[ACROSS][ACROSS]; /* variables */
} matrices;

enum { MATRIX_LOAD = 4457, MATRIX_STORE = 4458, MATRIX_MULTIPLY_ADD = 4459 };
enum { BY_ROWS, BY_COLUMNS };
enum { ALL_SIGNED = 15 };
enum { NOT_PRIVATE = 0x20 /* a memory operand: others see it */ };

/* The first of this subgroup's lines of a side, in the tile. */
static uint32_t own_line(cg *g, int side) {
  enum { HIGH = MATRIX_ROWS / (ACROSS * SIZE) };
  uint32_t unit = down(g, g->thread, cg_log2(SUBGROUP));
  unit = side == LEFT ? low(g, unit, HIGH - 1) : down(g, unit, cg_log2(HIGH));
  return up(g, unit, cg_log2(ACROSS * SIZE));
}

static void barrier(cg *g) {
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), how = spv_u32(g->b, 0x6108);
  spv_do(g->b, SpvOpControlBarrier, scope, scope, how);
}

/* Vectors of a chunk of that side that each thread brings. */
static uint32_t loads_of(int side) {
  return matrix_tile(side) * MATRIX_LINE / VECTOR / CG_WORKGROUP;
}

/* This thread's vectors of the next chunk of both sides; behind it is another, if `more` (bool; 0: yes). */
static void load_chunk(cg *g, const matrices *m, uint32_t more,
                       uint32_t v[SIDES][MOST_LOADED]) {
  for (int n = 0; n < SIDES; n++) {
    uint32_t by = cg_u64(g, matrix_tile(n) * MATRIX_LINE);
    if (more) by = spv_op(g->b, g->u64, SpvOpSelect, more, by, cg_u64(g, 0));
    uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, m->of[n].at);
    for (uint32_t i = 0; i < loads_of(n); i++)
      v[n][i] = cg_load(g, m->four, cg_plus(g, at, i * CG_WORKGROUP * VECTOR), VECTOR);
    spv_do(g->b, SpvOpStore, m->of[n].at, add64(g, at, by));
  }
}

static void hold_chunk(cg *g, const matrices *m, uint32_t v[SIDES][MOST_LOADED]) {
  enum { APART = CG_WORKGROUP * VECTOR / MATRIX_LINE * LINE };
  for (int n = 0; n < SIDES; n++)
    for (uint32_t i = 0; i < loads_of(n); i++) {
      uint32_t at = cg_next(g, m->put, (n == RIGHT ? HELD_Y : 0) + i * APART);
      spv_do(g->b, SpvOpStore, cg_shared_ptr(g, m->four, m->held, at), v[n][i],
             NOT_PRIVATE);
    }
}

/* This subgroup's matrices of a side, from one half of the lines. */
static void get_matrices(cg *g, const matrices *m, int side, uint32_t half,
                         uint32_t v[ACROSS]) {
  uint32_t layout = spv_u32(g->b, side == LEFT ? BY_ROWS : BY_COLUMNS);
  uint32_t stride = spv_u32(g->b, LINE);
  for (uint32_t i = 0; i < ACROSS; i++) {
    uint32_t at = i * SIZE * LINE + half * DEEP / VECTOR;
    uint32_t ptr = cg_shared_ptr(g, m->four, m->held, cg_next(g, m->of[side].own, at));
    v[i] = spv_op(g->b, side == LEFT ? m->a : m->b, (SpvOp)MATRIX_LOAD, ptr, layout,
                  stride, NOT_PRIVATE);
  }
}

static void multiply_add(cg *g, const matrices *m, const uint32_t a[ACROSS],
                         const uint32_t b[ACROSS], uint32_t acc[ACROSS][ACROSS]) {
  uint32_t how = g->o->matrix.pieces ? 0 : ALL_SIGNED;
  for (uint32_t i = 0; i < ACROSS; i++)
    for (uint32_t j = 0; j < ACROSS; j++)
      acc[i][j] =
          spv_op(g->b, m->c, (SpvOp)MATRIX_MULTIPLY_ADD, a[i], b[j], acc[i][j], how);
}

static void multiply(cg *g, const matrices *m) {
  uint32_t acc[ACROSS][ACROSS], a[ACROSS], b[ACROSS], rest[ACROSS];
  for (uint32_t i = 0; i < ACROSS; i++)
    for (uint32_t j = 0; j < ACROSS; j++)
      acc[i][j] = spv_op(g->b, m->c, SpvOpLoad, m->acc[i][j]);
  get_matrices(g, m, LEFT, 0, a);
  get_matrices(g, m, RIGHT, 0, b);
  multiply_add(g, m, a, b, acc);
  get_matrices(g, m, RIGHT, 1, rest);
  bool two = g->o->matrix.pieces == 2;
  if (two) multiply_add(g, m, a, rest, acc);
  get_matrices(g, m, LEFT, 1, a);
  multiply_add(g, m, a, two ? b : rest, acc);
  for (uint32_t i = 0; i < ACROSS; i++)
    for (uint32_t j = 0; j < ACROSS; j++)
      spv_do(g->b, SpvOpStore, m->acc[i][j], acc[i][j]);
}

static void all_chunks(cg *g, const matrices *m) {
  uint32_t v[SIDES][MOST_LOADED], chunks = up(g, m->pairs, 1); /* one at least */
  load_chunk(g, m, 0, v);
  hold_chunk(g, m, v);
  barrier(g);
  spv_loop l = spv_for(g->b, chunks);
  load_chunk(g, m, cg_less(g, cg_next(g, l.i, 2), chunks), v);
  multiply(g, m);
  barrier(g);
  hold_chunk(g, m, v);
  barrier(g);
  spv_endfor(g->b, &l);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

/* An element of a matrix, of a line (u32) of each side's tile, as the fold's accumulator. */
static cg_acc as_acc(cg *g, const matrices *m, uint32_t word,
                     const uint32_t line[SIDES]) {
  kty t = cg_acc_type(g->k, 0);
  if (t == KB) return (cg_acc){{cg_is(g, SpvOpINotEqual, word, spv_u32(g->b, 0))}};
  if (!g->o->matrix.pieces) {
    word = cg_cvt(g, word, KI32, t);
    uint32_t by = up(g, m->weight, 3), type = cg_scalar_type(g, t);
    if (g->o->matrix.limbs > 1)
      word = spv_op(g->b, type, SpvOpShiftLeftLogical, word, by);
    return (cg_acc){{word}};
  }
  uint32_t scales = cg_slot(g, CG_SLOT_CARRY), e = 0, bias = 0, half[2];
  uint32_t v = cg_cvt(g, cg_bits(g, KF32, word), KF32, t);
  for (int n = 0; n < SIDES; n++) {
    uint32_t own = matrix_scale(g, scales, n, m->of[n].tile, line[n]);
    e = n ? cg_u(g, SpvOpIAdd, e, own) : own;
    bias += matrix_top(matrix_type(g->k, n));
  }
  /* A power of two may be none of the type's numbers where its root is one. */
  e = cg_ui(g, SpvOpISub, e, bias);
  half[0] = cg_ui(g, SpvOpShiftRightArithmetic, e, 1);
  half[1] = cg_u(g, SpvOpISub, e, half[0]);
  for (int n = 0; n < 2; n++) {
    uint32_t by = matrix_power(g, t, cg_ui(g, SpvOpIAdd, half[n], matrix_one(t)));
    v = cg_arith(g, KOP_MUL, t, v, by);
  }
  return (cg_acc){{v}};
}

/* Two matrices side by side lie at vector `area` (u32) of workgroup memory: of the tile's rows and columns from
 * these (u32) on. */
static void store_rows(cg *g, const matrices *m, uint32_t area, uint32_t row,
                       uint32_t column, uint32_t to) {
  uint32_t lane = low(g, g->thread, SUBGROUP - 1);
  uint32_t ptr = spv_ptr(g->b, SpvStorageClassWorkgroup, g->u32);
  spv_loop l = spv_for(g->b, spv_u32(g->b, SIZE));
  uint32_t at = cg_u(g, SpvOpIAdd, area, cg_ui(g, SpvOpIMul, l.i, ROW));
  at = cg_u(g, SpvOpIAdd, at, down(g, lane, 2));
  at = spv_op(g->b, ptr, SpvOpAccessChain, m->held, at, low(g, lane, 3));
  uint32_t word = spv_op(g->b, g->u32, SpvOpLoad, at, NOT_PRIVATE);
  uint32_t line[SIDES] = {cg_u(g, SpvOpIAdd, row, l.i), cg_u(g, SpvOpIAdd, column, lane)};
  uint32_t all[SIDES], there[SIDES];
  for (int n = 0; n < SIDES; n++) {
    all[n] = cg_u(g, SpvOpIAdd, m->of[n].first, line[n]);
    there[n] = cg_less(g, all[n], m->of[n].lines);
  }
  uint32_t merge = spv_if(g->b, cg_both(g, there[LEFT], there[RIGHT]));
  product_at where = {m->batch,   m->piece,          all[LEFT],
                      all[RIGHT], m->of[LEFT].lines, m->of[RIGHT].lines};
  cg_pos p = {.i = product_result(g, where)};
  cg_finish(g, to, &p, as_acc(g, m, word, line), 0);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
}

static void store_all(cg *g, const matrices *m) {
  enum { TOGETHER = SUBGROUP / SIZE };
  uint32_t to = cg_result(g), unit = down(g, g->thread, cg_log2(SUBGROUP));
  uint32_t area = cg_ui(g, SpvOpIMul, unit, SIZE * ROW);
  uint32_t layout = spv_u32(g->b, BY_ROWS), stride = spv_u32(g->b, ROW);
  uint32_t row = own_line(g, LEFT), column = own_line(g, RIGHT);
  for (uint32_t i = 0; i < ACROSS; i++)
    for (uint32_t j = 0; j < ACROSS; j += TOGETHER) {
      for (uint32_t n = 0; n < TOGETHER; n++) {
        uint32_t c = spv_op(g->b, m->c, SpvOpLoad, m->acc[i][j + n]);
        uint32_t at = cg_next(g, area, n * SIZE / 4);
        spv_do(g->b, (SpvOp)MATRIX_STORE, cg_shared_ptr(g, m->four, m->held, at), c,
               layout, stride, NOT_PRIVATE);
      }
      barrier(g);
      store_rows(g, m, area, cg_next(g, row, i * SIZE), cg_next(g, column, j * SIZE), to);
      barrier(g);
    }
}

/* ── the whole ──────────────────────────────────────────────────────────────────────── */

static void open_side(cg *g, matrices *m, int n, uint32_t tile) {
  matrix_side *s = &m->of[n];
  const matrix_opts *o = &g->o->matrix;
  s->lines = matrix_lines(g, n);
  s->first = up(g, tile, cg_log2(matrix_tile(n)));
  s->tile = tile;
  if (!(o->one >> n & 1))
    s->tile = cg_u(g, SpvOpIAdd, tile, cg_u(g, SpvOpIMul, m->batch, matrix_tiles(g, n)));
  s->at = spv_local(g->b, g->u64, 0);
  s->own = cg_next(g, cg_ui(g, SpvOpIMul, own_line(g, n), LINE), n == RIGHT ? HELD_Y : 0);
}

/* The part's chunks of a limb (u32) of each side. */
static void limb_chunks(cg *g, const matrices *m, const uint32_t limb[SIDES]) {
  for (int n = 0; n < SIDES; n++) {
    uint32_t from = cg_slot(g, CG_SLOT_FROM), tile = m->of[n].tile;
    uint32_t at = matrix_chunk_at(g, from, n, tile, limb[n], m->chunk);
    at = add64(g, at, to64(g, cg_ui(g, SpvOpIMul, g->thread, VECTOR)));
    spv_do(g->b, SpvOpStore, m->of[n].at, at);
  }
  all_chunks(g, m);
}

/* All limbs of x and y whose products have the part's weight. */
static void all_limbs(cg *g, const matrices *m) {
  uint32_t limbs = g->o->matrix.limbs, none = spv_u32(g->b, 0);
  if (limbs == 1) {
    limb_chunks(g, m, (uint32_t[]){none, none});
    return;
  }
  spv_loop l = spv_for(g->b, spv_u32(g->b, limbs));
  uint32_t limb[SIDES] = {l.i, cg_u(g, SpvOpISub, m->weight, l.i)};
  uint32_t merge = spv_if(g->b, cg_less(g, limb[RIGHT], spv_u32(g->b, limbs)));
  limb_chunks(g, m, limb);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
}

static void open_matrices(cg *g, matrices *m) {
  const matrix_opts *o = &g->o->matrix;
  uint32_t of = o->pieces ? spv_float(g->b, 16) : spv_signed(g->b, 8);
  uint32_t sums = o->pieces ? spv_float(g->b, 32) : spv_signed(g->b, 32);
  uint32_t deep = o->pieces ? DEEP / 2 : DEEP;
  m->a = spv_matrix(g->b, of, SIZE, deep, 0);
  m->b = spv_matrix(g->b, of, deep, SIZE, 1);
  m->c = spv_matrix(g->b, sums, SIZE, SIZE, 2);
  m->four = spv_vec(g->b, g->u32, 4);
  m->held = spv_shared(g->b, m->four, HELD);
  m->put = cg_ui(g, SpvOpIMul, down(g, g->thread, 2), LINE);
  m->put = cg_u(g, SpvOpIAdd, m->put, low(g, g->thread, 3));
  product_work own = product_own_work(g);
  uint32_t part = own.piece, len = cg_slot_u32(g, CG_SLOT_LEN);
  uint32_t most = cg_slot_u32(g, CG_OWN_SLOT(product_geom, chunk));
  m->weight = cg_split(g, &part, spv_u32(g->b, weights_of(o)));
  uint32_t k0 = cg_u(g, SpvOpIMul, part, most), left = cg_u(g, SpvOpISub, len, k0);
  m->piece = own.piece;
  m->batch = own.batch;
  m->chunk = down(g, k0, cg_log2((uint32_t)matrix_places(o)));
  m->pairs = cg_least(g, g->u32, left, most);
  m->pairs = matrix_quotient(g, m->pairs, 2 * (uint32_t)matrix_places(o));
  open_side(g, m, LEFT, own.down);
  open_side(g, m, RIGHT, own.across);
  uint32_t zero = o->pieces ? cg_real(g, KF32, 0) : spv_const(g->b, sums, 32, 0, 1);
  zero = spv_op(g->b, m->c, SpvOpCompositeConstruct, zero);
  for (uint32_t i = 0; i < ACROSS; i++)
    for (uint32_t j = 0; j < ACROSS; j++) {
      m->acc[i][j] = spv_local(g->b, m->c, 0);
      spv_do(g->b, SpvOpStore, m->acc[i][j], zero);
    }
}

void product_matrix_emit(cg *g) {
  matrices m;
  memset(&m, 0, sizeof m);
  g->lanes = 1;
  if (g->o->matrix.phase != MATRIX_MULTIPLY) {
    matrix_pack_emit(g);
    return;
  }
  spv_ext(g->b, "SPV_KHR_cooperative_matrix");
  spv_vulkan_memory(g->b);
  open_matrices(g, &m);
  all_limbs(g, &m);
  store_all(g, &m);
}
