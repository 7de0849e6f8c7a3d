/* SPDX-License-Identifier: MIT */
/* columns.c - the reduce template for columns that lie side by side.
 *
 *       x ──▶ columns (of all rows), a thread has one, or four in a quad
 *     y ┌─────────────┐
 *     │ │ lanes 0..R-1 of each column, by the threads with y = 0
 *     ▼ │ lanes R..2R-1, by those with y = 1          … 256÷X ranges of lanes, X threads each
 *
 * A thread takes its lanes in batches. A batch goes down the tile's rows of KIR_LANES, every
 * lane into an accumulator of its own, all loads of a row at once; then its lanes fold by
 * neighbours into one value. Batch after batch is a counter in binary: its digits are the
 * values of 1, 2, 4 … batches that wait for their right neighbours, and each new value
 * carries as far as the digits are set. So the tree of kir.h is walked depth first, with a
 * register for each of its levels. What waits at the end folds from the right. Then the
 * threads of a column fold through workgroup memory.
 *
 * Lanes that a column lacks are identities on the right, which change nothing. */
#include "cg.h"

#include <assert.h>

enum { COLUMNS_BATCH = 16 };

typedef struct columns {
  uint32_t x, y;         /* u32: place of the thread */
  uint32_t valid;        /* bool: there is such a column */
  uint32_t row, at;      /* ix: its row; its number among all columns, the first of four */
  uint32_t tile, first;  /* u32; ix: the tile and its first element's place in the column */
  uint32_t left;         /* u32: length of the tile */
  uint32_t lane, lanes;  /* u32: first of the thread's lanes, how many there are */
  uint32_t base;         /* ix: the number of the first lane's element */
  uint32_t inner;        /* ix */
  uint32_t levels;
  cg_cell digit[12];
} columns;


/* ── where ──────────────────────────────────────────────────────────────────────────── */

static void columns_column(cg *g, columns *z, uint32_t block) {
  uint32_t log = cg_slot_u32(g, CG_SLOT_EACH), one = spv_u32(g->b, 1);
  uint32_t across = cg_u(g, SpvOpShiftLeftLogical, one, log), low = cg_u(g, SpvOpISub, across, one);
  z->x = cg_u(g, SpvOpBitwiseAnd, g->thread, low);
  z->y = cg_u(g, SpvOpShiftRightLogical, g->thread, log);
  z->inner = cg_slot_ix(g, CG_SLOT_INNER);
  uint32_t all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), z->inner);
  uint32_t at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, block, across), z->x);
  z->at = cg_x(g, SpvOpIMul, cg_to_ix(g, at), cg_ixc(g, g->o->width));
  z->valid = cg_less(g, z->at, all);
  z->at = spv_op(g->b, g->ix, SpvOpSelect, z->valid, z->at, cg_ixc(g, 0));
  z->row = cg_x(g, SpvOpUDiv, z->at, z->inner);
}

static void columns_lanes(cg *g, columns *z) {
  uint32_t size = cg_ixc(g, g->o->tile_rows * KIR_LANES), len = cg_slot_ix(g, CG_SLOT_LEN);
  uint32_t part = cg_slot_u32(g, CG_SLOT_PART), none = spv_u32(g->b, 0);
  z->first = cg_x(g, SpvOpIMul, cg_to_ix(g, z->tile), size);
  z->left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, len, z->first), size));
  z->lane = cg_u(g, SpvOpIMul, z->y, part);
  uint32_t top = cg_least(g, g->u32, z->left, spv_u32(g->b, KIR_LANES));
  uint32_t some = cg_less(g, z->lane, top), n = cg_least(g, g->u32, cg_u(g, SpvOpISub, top, z->lane), part);
  z->lanes = spv_op(g->b, g->u32, SpvOpSelect, some, n, none);
  uint32_t at = cg_x(g, SpvOpIMul, z->row, len);
  at = cg_x(g, SpvOpIAdd, at, cg_x(g, SpvOpIAdd, z->first, cg_to_ix(g, z->lane)));
  uint32_t j = cg_x(g, SpvOpISub, z->at, cg_x(g, SpvOpIMul, z->row, z->inner));
  z->base = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, at, z->inner), j);
}

static void columns_place(cg *g, columns *z) {
  uint32_t blocks = cg_slot_u32(g, CG_SLOT_PARTS);
  z->tile = cg_u(g, SpvOpUDiv, g->wid, blocks);
  columns_column(g, z, cg_u(g, SpvOpISub, g->wid, cg_u(g, SpvOpIMul, z->tile, blocks)));
  columns_lanes(g, z);
}

/* ── a thread's lanes ───────────────────────────────────────────────────────────────── */

/* The loads of one row: lanes from `lane` (among the thread's) on, `down` further in the tile. */
static void columns_row(cg *g, const columns *z, const cg_cell *acc, uint32_t lane, uint32_t down) {
  uint32_t raw[COLUMNS_BATCH][KIR_MAX_IN];
  cg_pos p[COLUMNS_BATCH];
  uint32_t place = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIAdd, z->lane, lane), down);
  uint32_t by = cg_x(g, SpvOpIMul, cg_to_ix(g, cg_u(g, SpvOpIAdd, lane, down)), z->inner);
  uint32_t at = cg_x(g, SpvOpIAdd, z->base, by);
  for (uint32_t s = 0; s < g->o->items; s++) {
    if (s) at = cg_x(g, SpvOpIAdd, at, z->inner);
    uint32_t is = cg_less(g, s ? cg_ui(g, SpvOpIAdd, place, s) : place, z->left);
    p[s] = (cg_pos){.i = spv_op(g->b, g->ix, SpvOpSelect, is, at, z->base)};
    p[s].ok = cg_splat(g, KB, is);
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[s], raw[s]);
  }
  cg_acc none = cg_identity(g);
  for (uint32_t s = 0; s < g->o->items; s++) {
    cg_acc x = cg_acc_sel(g, p[s].ok, cg_source(g, &p[s], raw[s]), none);
    cg_cell_set(g, acc[s], cg_combine(g, cg_cell_get(g, acc[s]), x, 0));
  }
}

static cg_acc columns_batch(cg *g, const columns *z, uint32_t lane) {
  cg_cell acc[COLUMNS_BATCH];
  cg_acc v[COLUMNS_BATCH];
  uint32_t n = g->o->items, log = spv_u32(g->b, cg_log2(KIR_LANES));
  for (uint32_t s = 0; s < n; s++) {
    acc[s] = cg_local_acc(g, cg_identity(g));
    cg_cell_set(g, acc[s], cg_identity(g));
  }
  uint32_t rows = cg_ui(g, SpvOpIAdd, z->left, KIR_LANES - 1);
  spv_loop l = spv_for(g->b, cg_u(g, SpvOpShiftRightLogical, rows, log));
  columns_row(g, z, acc, lane, cg_u(g, SpvOpShiftLeftLogical, l.i, log));
  spv_endfor(g->b, &l);
  for (uint32_t s = 0; s < n; s++) v[s] = cg_cell_get(g, acc[s]);
  for (; n > 1; n /= 2)
    for (uint32_t s = 0; s < n / 2; s++) v[s] = cg_combine(g, v[2 * s], v[2 * s + 1], 0);
  return v[0];
}

static uint32_t columns_bit(cg *g, uint32_t count, uint32_t level) {
  uint32_t one = cg_ui(g, SpvOpBitwiseAnd, count, 1u << level);
  return spv_op(g->b, spv_bool(g->b), SpvOpINotEqual, one, spv_u32(g->b, 0));
}

/* Adds v, of 2^level batches, to the counter that is at `count`. */
static void columns_add(cg *g, const columns *z, uint32_t count, uint32_t level, cg_acc v) {
  if (level + 1 < z->levels) {
    uint32_t set = columns_bit(g, count, level), not = spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, set);
    uint32_t merge = spv_if(g->b, set);
    columns_add(g, z, count, level + 1, cg_combine(g, cg_cell_get(g, z->digit[level]), v, 0));
    spv_endif(g->b, merge);
    merge = spv_if(g->b, not);
    cg_cell_set(g, z->digit[level], v);
    spv_endif(g->b, merge);
  } else {
    cg_cell_set(g, z->digit[level], v);
  }
}

/* The thread's lanes, as one value. */
static cg_acc columns_fold(cg *g, columns *z) {
  uint32_t n = g->o->items, log = cg_log2(n);
  cg_acc none = cg_identity(g);
  z->levels = cg_log2(KIR_LANES / n) + 1;
  for (uint32_t i = 0; i < z->levels; i++) z->digit[i] = cg_local_acc(g, none);
  uint32_t count = cg_ui(g, SpvOpIAdd, z->lanes, n - 1);
  count = cg_ui(g, SpvOpShiftRightLogical, count, log);
  spv_loop l = spv_for(g->b, count);
  cg_acc v = columns_batch(g, z, cg_ui(g, SpvOpShiftLeftLogical, l.i, log));
  columns_add(g, z, l.i, 0, v);
  spv_endfor(g->b, &l);
  cg_cell sum = cg_local_acc(g, none);
  for (uint32_t i = 0; i < z->levels; i++) {
    uint32_t merge = spv_if(g->b, columns_bit(g, count, i));
    cg_acc a = cg_cell_get(g, z->digit[i]), b = cg_cell_get(g, sum);
    cg_cell_set(g, sum, cg_combine(g, a, b, 0));
    spv_endif(g->b, merge);
  }
  return cg_cell_get(g, sum);
}

/* ── the threads of a column ────────────────────────────────────────────────────────── */

static void columns_share(cg *g, cg_cell room, uint32_t thread, cg_acc v) {
  cg_acc part[4];
  uint32_t lanes = g->lanes;
  for (uint32_t j = 0; j < lanes; j++) part[j] = cg_acc_part(g, v, j);
  g->lanes = 1;
  for (uint32_t j = 0; j < lanes; j++)
    cg_shared_put(g, room, cg_ui(g, SpvOpIAdd, thread, 256 * j), part[j]);
  g->lanes = lanes;
  cg_barrier(g);
}

static cg_acc columns_shared(cg *g, cg_cell room, uint32_t thread) {
  cg_acc part[4] = {{0, 0}};
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  for (uint32_t j = 0; j < lanes; j++)
    part[j] = cg_shared_get(g, room, cg_ui(g, SpvOpIAdd, thread, 256 * j));
  g->lanes = lanes;
  return cg_acc_join(g, part);
}

static cg_acc columns_threads(cg *g, const columns *z, cg_acc v) {
  uint32_t steps = cg_slot_u32(g, CG_SLOT_STEPS), one = spv_u32(g->b, 1), log = cg_slot_u32(g, CG_SLOT_EACH);
  cg_cell mine = cg_var_acc(g, v), room;
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  room = cg_shared_acc(g, 256 * lanes);
  g->lanes = lanes;
  spv_loop l = spv_for(g->b, steps);
  columns_share(g, room, g->thread, cg_cell_get(g, mine));
  uint32_t next = cg_u(g, SpvOpShiftLeftLogical, spv_u32(g->b, 2), l.i);
  uint32_t low = cg_u(g, SpvOpBitwiseAnd, z->y, cg_u(g, SpvOpISub, next, one));
  uint32_t merge = spv_if(g->b, cg_is_zero(g, low));
  uint32_t by = cg_u(g, SpvOpShiftLeftLogical, one, cg_u(g, SpvOpIAdd, log, l.i));
  cg_acc right = columns_shared(g, room, cg_u(g, SpvOpIAdd, g->thread, by));
  cg_cell_set(g, mine, cg_combine(g, cg_cell_get(g, mine), right, 0));
  spv_endif(g->b, merge);
  cg_barrier(g);
  spv_endfor(g->b, &l);
  return cg_cell_get(g, mine);
}

static void columns_finish(cg *g, const columns *z, cg_acc v) {
  const kir *k = g->k;
  cg_pos p = {.i = z->at};
  if (g->o->final) {
    g->val[k->fold_at] = cg_fold_result(g, v, 0);
    cg_range(g, k->fold_at + 1, k->n_ins, &p, NULL);
    cg_put_outputs(g, &p);
    return;
  }
  /* (row × tiles + tile) × inner + j, where at is row × inner + j */
  uint32_t tiles = cg_slot_ix(g, CG_SLOT_TILES), less1 = cg_x(g, SpvOpISub, tiles, cg_ixc(g, 1));
  uint32_t skip = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, z->row, less1), cg_to_ix(g, z->tile));
  p.i = cg_x(g, SpvOpIAdd, z->at, cg_x(g, SpvOpIMul, skip, z->inner));
  cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, v);
}

void cg_columns(cg *g) {
  columns z = {0};
  assert(g->o->items <= COLUMNS_BATCH);
  cg_flat(g);
  columns_place(g, &z);
  g->lanes = g->o->width;
  cg_acc v = columns_fold(g, &z);
  v = columns_threads(g, &z, v);
  uint32_t top = cg_is_zero(g, z.y);
  uint32_t merge = spv_if(g->b, spv_op(g->b, spv_bool(g->b), SpvOpLogicalAnd, z.valid, top));
  columns_finish(g, &z, v);
  spv_endif(g->b, merge);
}
