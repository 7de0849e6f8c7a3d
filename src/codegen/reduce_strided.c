/* SPDX-License-Identifier: MIT */
/* reduce_strided.c - the reduce template for columns that lie side by side.
 *
 *     256 columns (of all rows) ──▶      a thread has one, or four next to each other (`four`)
 *     part of the tile's lanes │
 *                              ▼         in batches, whose loads are issued together
 *
 * The lanes of a batch fold down the rows of the tile, each into an accumulator of its
 * own, then by neighbours into one value. Batch after batch (`deep`) is a counter in
 * binary: its digits are the values of 1, 2, 4 … batches that wait for their right
 * neighbours, and each new value carries as far as the digits are set. So the tree of
 * tables/fold.h is gone through depth first, with a register for each of its levels. What
 * waits at the end folds from the right.
 *
 * Where columns are few the lanes of a tile are parts, a workgroup each, that the next
 * pass folds; rather many parts, for equal shares never take equal time. Lanes that a
 * column lacks are identities on the right, which change nothing.
 *
 * TRIED on an H200: 16 rows of a tile in flight 0.96 of the speed; four columns of i32 to a thread 0.93; columns of
 * f32 without idle threads 0.82; threads that go down columns in ranges of lanes, not side by side, 2260 GB/s. */
#include "template.h"

#include "../base/arith.h"

#include <assert.h>

#define SLOT(field) CG_OWN_SLOT(reduce_strided_geom, field)

static const reduce_strided_opts *opts(const cg *g) { return &g->o->reduce_strided; }

enum { MOST_BATCH = 16, FEWEST_LANES = 64 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool reduce_strided_serves(const cg_task *t) { return t->kind == CG_TASK_FOLD; }

/* Columns that are no longer than a batch: four to a thread where that is possible. */
static void flat_pass(const cg_task *t, cg_pass *s) {
  reduce_strided_opts *o = &s->o.reduce_strided;
  reduce_strided_geom *z = &s->geom.reduce_strided;
  bool aligned = t->inner % 4 == 0;
  int64_t columns = CG_WORKGROUP;
  o->four = !cg_fold_is_wide(t->k) && (aligned || t->rows == 1);
  if (o->four) columns *= 4;
  if (o->four && aligned) s->o.width = 4;
  o->batch = (uint32_t)next_pow2(t->len);
  z->parts = 1;
  z->lanes = t->len;
  z->blocks = ceil_div(t->rows * t->inner, columns);
  s->geom.workgroups = z->blocks;
}

/* Lanes of a column, cut into parts until the device is busy. */
static void parts_pass(const cg_task *t, cg_pass *s, int64_t rows) {
  reduce_strided_opts *o = &s->o.reduce_strided;
  reduce_strided_geom *z = &s->geom.reduce_strided;
  int64_t lanes = min_i64(t->len, KIR_LANES);
  o->deep = 1;
  o->rows = t->small || rows > 1;
  s->geom.tiles = ceil_div(t->len, KIR_REDUCE_ROWS * KIR_LANES);
  z->blocks = ceil_div(t->rows * t->inner, CG_WORKGROUP);
  z->lanes = next_pow2(lanes);
  while (z->lanes > o->batch && z->lanes * rows > FEWEST_LANES &&
         z->blocks * s->geom.tiles * ceil_div(lanes, z->lanes) < cg_enough_groups(t))
    z->lanes /= 2;
  z->parts = ceil_div(lanes, z->lanes);
  s->geom.workgroups = z->blocks * z->parts * s->geom.tiles;
}

void reduce_strided_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_STRIDED);
  reduce_strided_opts *o = &s->o.reduce_strided;
  int64_t bytes = next_pow2(cg_acc_bytes(t->k));
  int64_t rows = min_i64(ceil_div(t->len, KIR_LANES), KIR_REDUCE_ROWS);
  int64_t most = rows > 1 ? 8 : MOST_BATCH;
  o->batch = cg_repeat(t, (uint32_t)min_i64(64 / bytes, most));
  s->o.width = 1;
  bool flat = !t->small && t->len <= o->batch && t->len * bytes <= 32;
  if (flat) flat_pass(t, s);
  else parts_pass(t, s, rows);
  p->tiles = s->geom.tiles;
  p->parts = s->geom.reduce_strided.parts;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct strided {
  cg_column column;
  uint32_t valid; /* bool: there is such a column */
  uint32_t all;   /* ix: columns of all rows */
  uint32_t mine;  /* bools, per lane: columns that there are; 0: all are if one is */
  uint32_t place; /* u32: of the tile and the part among those of a column */
  uint32_t left;  /* u32: length of the tile */
  uint32_t lane, lanes; /* u32: first of the thread's lanes, how many there are */
  uint32_t base;        /* ix: the number of the first lane's element */
  uint32_t levels;      /* digits of the counter */
  cg_var digit[12];
} strided;

/* ── where ──────────────────────────────────────────────────────────────────────────── */

/* The columns of a thread: they are its lanes. */
static uint32_t columns_each(const cg *g) { return opts(g)->four ? 4 : 1; }

static void strided_column(cg *g, strided *z, uint32_t block) {
  cg_column *c = &z->column;
  c->inner = cg_slot_ix(g, CG_SLOT_INNER);
  z->all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), c->inner);
  uint32_t at = cg_ui(g, SpvOpIMul, block, CG_WORKGROUP);
  at = cg_u(g, SpvOpIAdd, at, g->thread);
  c->at = cg_x(g, SpvOpIMul, cg_to_ix(g, at), cg_ixc(g, columns_each(g)));
  z->valid = cg_less(g, c->at, z->all);
  c->at = cg_pick(g, g->ix, z->valid, c->at, cg_ixc(g, 0));
  c->row = cg_x(g, SpvOpUDiv, c->at, c->inner);
}

/* A block of columns lies next to the one before, then come the parts, then the tiles. */
static void strided_place(cg *g, strided *z) {
  uint32_t blocks = cg_slot_u32(g, SLOT(blocks)), parts = cg_slot_u32(g, SLOT(parts));
  uint32_t size = cg_ixc(g, (uint64_t)KIR_REDUCE_ROWS * KIR_LANES);
  uint32_t len = cg_slot_ix(g, CG_SLOT_LEN);
  uint32_t many = cg_slot_u32(g, SLOT(lanes)), none = spv_u32(g->b, 0);
  const cg_column *c = &z->column;
  z->place = g->wid;
  strided_column(g, z, cg_split(g, &z->place, blocks));
  uint32_t tile = z->place, part = cg_split(g, &tile, parts);
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, tile), size);
  z->left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, len, first), size));
  z->lane = cg_u(g, SpvOpIMul, part, many);
  uint32_t top = cg_least(g, g->u32, z->left, spv_u32(g->b, KIR_LANES));
  uint32_t some = cg_less(g, z->lane, top);
  uint32_t n = cg_least(g, g->u32, cg_u(g, SpvOpISub, top, z->lane), many);
  z->lanes = cg_pick(g, g->u32, some, n, none);
  uint32_t at = cg_x(g, SpvOpIMul, c->row, len);
  at = cg_x(g, SpvOpIAdd, at, cg_x(g, SpvOpIAdd, first, cg_to_ix(g, z->lane)));
  uint32_t j = cg_x(g, SpvOpISub, c->at, cg_x(g, SpvOpIMul, c->row, c->inner));
  z->base = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, at, c->inner), j);
}

/* ── a thread's lanes ───────────────────────────────────────────────────────────────── */

/* `rows` rows of a batch: lanes from `lane` (among the thread's) on, the first row `down`
 * further (0: not at all). */
typedef struct strided_part {
  uint32_t lane, down, rows;
  bool whole; /* all of them are there: nothing is masked */
} strided_part;

static cg_pos strided_pos(cg *g, const strided *z, uint32_t at, uint32_t place,
                          bool whole) {
  if (whole) return (cg_pos){.i = at};
  uint32_t is = cg_less(g, place, z->left);
  cg_pos p = {.i = cg_pick(g, g->ix, is, at, z->base), .tail = z->mine};
  p.ok = cg_splat(g, KB, is);
  if (z->mine) p.ok = cg_both(g, p.ok, z->mine);
  return p;
}

/* Folds them into acc, all loads first. */
static void strided_load(cg *g, const strided *z, cg_acc *acc, const strided_part *t) {
  uint32_t raw[2 * MOST_BATCH][KIR_MAX_IN], n = opts(g)->batch, all = n * t->rows;
  cg_pos p[2 * MOST_BATCH];
  uint32_t off = t->lane, inner = z->column.inner;
  assert(all <= 2 * MOST_BATCH);
  if (t->down) off = cg_u(g, SpvOpIAdd, off, t->down);
  for (uint32_t r = 0; r < t->rows; r++) {
    uint32_t from = cg_next(g, off, r * KIR_LANES);
    uint32_t place = cg_u(g, SpvOpIAdd, z->lane, from);
    uint32_t at = cg_x(g, SpvOpIMul, cg_to_ix(g, from), inner);
    at = cg_x(g, SpvOpIAdd, z->base, at);
    for (uint32_t s = 0; s < n; s++) {
      if (s) at = cg_x(g, SpvOpIAdd, at, inner);
      p[r * n + s] = strided_pos(g, z, at, cg_next(g, place, s), t->whole);
    }
  }
  for (uint32_t i = 0; i < all && !g->o->from_partials; i++)
    cg_load_raw(g, 0, g->k->fold_at, &p[i], raw[i]);
  cg_acc none = cg_identity(g);
  for (uint32_t i = 0; i < all; i++) {
    cg_acc x = cg_source(g, &p[i], raw[i]);
    if (!t->whole) x = cg_acc_sel(g, p[i].ok, x, none);
    acc[i % n] = cg_combine(g, acc[i % n], x, 0);
  }
}

/* The same, with accumulators in variables, `times` (u32) times from row `first` on. */
static void strided_rows(cg *g, const strided *z, const cg_var *var, strided_part t,
                         uint32_t first, uint32_t times) {
  uint32_t n = opts(g)->batch, log = cg_log2(KIR_LANES);
  cg_acc v[MOST_BATCH];
  spv_loop l = spv_for(g->b, times);
  uint32_t row = cg_ui(g, SpvOpIMul, l.i, t.rows);
  if (first) row = cg_u(g, SpvOpIAdd, row, first);
  t.down = cg_ui(g, SpvOpShiftLeftLogical, row, log);
  for (uint32_t s = 0; s < n; s++) v[s] = cg_var_get(g, var[s]);
  strided_load(g, z, v, &t);
  for (uint32_t s = 0; s < n; s++) cg_var_set(g, var[s], v[s]);
  spv_endfor(g->b, &l);
}

/* Rows of the tile that have all lanes of the batch that begins at `lane`. */
static uint32_t whole_rows(cg *g, const strided *z, uint32_t lane) {
  uint32_t end = cg_u(g, SpvOpIAdd, z->lane, lane), none = spv_u32(g->b, 0);
  end = cg_ui(g, SpvOpIAdd, end, opts(g)->batch);
  uint32_t less = cg_less(g, z->left, end), rest = cg_u(g, SpvOpISub, z->left, end);
  rest = cg_ui(g, SpvOpShiftRightLogical, rest, cg_log2(KIR_LANES));
  return cg_pick(g, g->u32, less, none, cg_ui(g, SpvOpIAdd, rest, 1));
}

/* Whole rows some at a time, then the others. */
static void strided_deep(cg *g, const strided *z, uint32_t lane, cg_acc *v) {
  cg_var var[MOST_BATCH];
  cg_acc none = cg_identity(g);
  uint32_t n = opts(g)->batch, together = 1;
  if (n * 2 <= MOST_BATCH && g->k->fold_at <= CG_SHORT_PRODUCER) together = 2;
  for (uint32_t s = 0; s < n; s++) var[s] = cg_var_acc(g, none);
  uint32_t rows = cg_ui(g, SpvOpIAdd, z->left, KIR_LANES - 1);
  rows = cg_ui(g, SpvOpShiftRightLogical, rows, cg_log2(KIR_LANES));
  uint32_t times = cg_ui(g, SpvOpUDiv, whole_rows(g, z, lane), together);
  strided_rows(g, z, var, (strided_part){lane, 0, together, true}, 0, times);
  uint32_t done = cg_ui(g, SpvOpIMul, times, together);
  strided_rows(g, z, var, (strided_part){lane, 0, 1, false}, done,
               cg_u(g, SpvOpISub, rows, done));
  for (uint32_t s = 0; s < n; s++) v[s] = cg_var_get(g, var[s]);
}

/* All rows of a batch's lanes, as one value. */
static cg_acc strided_batch(cg *g, const strided *z, uint32_t lane) {
  uint32_t n = opts(g)->batch;
  cg_acc v[MOST_BATCH], none = cg_identity(g);
  for (uint32_t s = 0; s < n; s++) v[s] = none;
  if (opts(g)->rows) strided_deep(g, z, lane, v);
  else strided_load(g, z, v, &(strided_part){lane, 0, 1, false});
  for (; n > 1; n /= 2)
    for (uint32_t s = 0; s < n / 2; s++) v[s] = cg_combine(g, v[2 * s], v[2 * s + 1], 0);
  return v[0];
}

static uint32_t strided_bit(cg *g, uint32_t count, uint32_t level) {
  uint32_t one = cg_ui(g, SpvOpBitwiseAnd, count, 1u << level);
  return cg_is(g, SpvOpINotEqual, one, spv_u32(g->b, 0));
}

/* Adds v, of 2^level batches, to the counter that is at `count`. */
static void strided_add(cg *g, const strided *z, uint32_t count, uint32_t level,
                        cg_acc v) {
  if (level + 1 == z->levels) {
    cg_var_set(g, z->digit[level], v);
    return;
  }
  uint32_t set = strided_bit(g, count, level);
  uint32_t clear = spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, set);
  uint32_t merge = spv_if(g->b, set);
  cg_acc sum = cg_combine(g, cg_var_get(g, z->digit[level]), v, 0);
  strided_add(g, z, count, level + 1, sum);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, clear);
  cg_var_set(g, z->digit[level], v);
  spv_endif(g->b, merge);
}

/* The thread's lanes, as one value. */
static cg_acc strided_fold(cg *g, strided *z) {
  uint32_t n = opts(g)->batch, log = cg_log2(n);
  cg_acc none = cg_identity(g);
  z->levels = cg_log2(KIR_LANES / n) + 1;
  for (uint32_t i = 0; i < z->levels; i++) z->digit[i] = cg_local_acc(g, none);
  uint32_t count = cg_ui(g, SpvOpIAdd, z->lanes, n - 1);
  count = cg_ui(g, SpvOpShiftRightLogical, count, log);
  spv_loop l = spv_for(g->b, count);
  cg_acc v = strided_batch(g, z, cg_ui(g, SpvOpShiftLeftLogical, l.i, log));
  strided_add(g, z, l.i, 0, v);
  spv_endfor(g->b, &l);
  cg_var sum = cg_local_acc(g, none);
  for (uint32_t i = 0; i < z->levels; i++) {
    uint32_t merge = spv_if(g->b, strided_bit(g, count, i));
    cg_acc a = cg_var_get(g, z->digit[i]), b = cg_var_get(g, sum);
    cg_var_set(g, sum, cg_combine(g, a, b, 0));
    spv_endif(g->b, merge);
  }
  return cg_var_get(g, sum);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

static void strided_finish(cg *g, const strided *z, cg_acc v) {
  cg_pos p = {.i = z->column.at};
  g->len = z->all;
  g->last = cg_x(g, SpvOpISub, z->all, cg_ixc(g, 1));
  if (!g->o->final) {
    uint32_t parts = cg_slot_ix(g, SLOT(parts));
    uint32_t places = cg_x(g, SpvOpIMul, parts, cg_slot_ix(g, CG_SLOT_TILES));
    p = cg_column_partial(g, &z->column, places, z->place);
  }
  p.tail = z->mine;
  cg_finish(g, cg_result(g), &p, v, z->mine);
}

/* Four columns may go over the end where they need not begin at a multiple of four. */
static uint32_t strided_mine(cg *g, const strided *z) {
  cg_pos p = {.i = z->column.at, .tail = true};
  uint32_t len = g->len;
  if (!opts(g)->four || g->o->width == 4) return 0;
  g->len = z->all;
  uint32_t ok = cg_ok(g, &p);
  g->len = len;
  return ok;
}

void reduce_strided_emit(cg *g) {
  strided z = {0};
  assert(opts(g)->batch <= MOST_BATCH);
  cg_flat(g);
  strided_place(g, &z);
  g->lanes = columns_each(g);
  z.mine = strided_mine(g, &z);
  cg_acc v;
  if (opts(g)->deep) v = strided_fold(g, &z);
  else v = strided_batch(g, &z, spv_u32(g->b, 0));
  uint32_t merge = spv_if(g->b, z.valid);
  strided_finish(g, &z, v);
  spv_endif(g->b, merge);
}
