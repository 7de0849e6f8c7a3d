/* SPDX-License-Identifier: MIT */
/* columns.c - the reduce template for columns that lie side by side.
 *
 *     256 columns (of all rows) ──▶      a thread has one, or four next to each other (`quads`)
 *     part of the tile's lanes │
 *                              ▼         in batches, whose loads are issued together
 *
 * (or X columns, and 256÷X threads on each, which share the part's lanes and fold what they
 * have through workgroup memory: for the totals of a scan, whose parts nobody else folds).
 *
 * The lanes of a batch fold down the rows of the tile, each into an accumulator of its own,
 * then by neighbours into one value. Batch after batch (`deep`) is a counter in binary: its
 * digits are the values of 1, 2, 4 … batches that wait for their right neighbours, and each
 * new value carries as far as the digits are set. So the tree of tables/fold.h is walked depth first,
 * with a register for each of its levels. What waits at the end folds from the right.
 *
 * Where columns are few the lanes of a tile are parts, a workgroup each, that the next pass
 * folds; rather many parts, for equal shares never take equal time. Lanes that a column lacks
 * are identities on the right, which change nothing. */
#include "template.h"

#include <assert.h>

enum { COLUMNS_BATCH = 16 };

typedef struct columns {
  uint32_t valid; /* bool: there is such a column */
  uint32_t across,
      y; /* u32: log2 of the threads side by side; which of those on a column (totals) */
  uint32_t row, at; /* ix: its row; its number among all columns, the first of four */
  uint32_t all;     /* ix: columns of all rows */
  uint32_t mine;    /* bools, per lane: columns that there are; 0: all are if one is */
  uint32_t place;   /* u32: of the tile and the part among those of a column */
  uint32_t left;    /* u32: length of the tile */
  uint32_t lane, lanes; /* u32: first of the thread's lanes, how many there are */
  uint32_t base;        /* ix: the number of the first lane's element */
  uint32_t inner;       /* ix */
  uint32_t levels;
  cg_cell digit[12];
} columns;

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static void columns_column(cg *g, columns *z, uint32_t block) {
  uint32_t x = g->thread;
  z->across = spv_u32(g->b, 8);
  if (g->o->totals) {
    uint32_t one = spv_u32(g->b, 1);
    z->across = cg_slot_u32(g, CG_SLOT_EACH);
    x = cg_ui(g, SpvOpISub, cg_u(g, SpvOpShiftLeftLogical, one, z->across), 1);
    x = cg_u(g, SpvOpBitwiseAnd, g->thread, x);
    z->y = cg_u(g, SpvOpShiftRightLogical, g->thread, z->across);
  }
  z->inner = cg_slot_ix(g, CG_SLOT_INNER);
  z->all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), z->inner);
  uint32_t at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpShiftLeftLogical, block, z->across), x);
  z->at = cg_x(g, SpvOpIMul, cg_to_ix(g, at), cg_ixc(g, g->o->quads ? 4 : 1));
  z->valid = cg_less(g, z->at, z->all);
  z->at = spv_op(g->b, g->ix, SpvOpSelect, z->valid, z->at, cg_ixc(g, 0));
  z->row = cg_x(g, SpvOpUDiv, z->at, z->inner);
}

/* A block of columns lies next to the one before, then come the parts, then the tiles. */
static void columns_place(cg *g, columns *z) {
  uint32_t blocks = cg_slot_u32(g, CG_SLOT_BLOCKS), parts = cg_slot_u32(g, CG_SLOT_PARTS);
  uint32_t size = cg_ixc(g, g->o->tile_rows * KIR_LANES),
           len = cg_slot_ix(g, CG_SLOT_LEN);
  uint32_t many = cg_slot_u32(g, CG_SLOT_PART), none = spv_u32(g->b, 0);
  z->place = cg_u(g, SpvOpUDiv, g->wid, blocks);
  columns_column(g, z, cg_u(g, SpvOpISub, g->wid, cg_u(g, SpvOpIMul, z->place, blocks)));
  uint32_t tile = cg_u(g, SpvOpUDiv, z->place, parts);
  uint32_t part = cg_u(g, SpvOpISub, z->place, cg_u(g, SpvOpIMul, tile, parts));
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, tile), size);
  z->left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, len, first), size));
  z->lane = cg_u(g, SpvOpIMul, g->o->totals ? z->y : part, many);
  uint32_t top = cg_least(g, g->u32, z->left, spv_u32(g->b, KIR_LANES));
  uint32_t some = cg_less(g, z->lane, top),
           n = cg_least(g, g->u32, cg_u(g, SpvOpISub, top, z->lane), many);
  z->lanes = spv_op(g->b, g->u32, SpvOpSelect, some, n, none);
  uint32_t at = cg_x(g, SpvOpIMul, z->row, len);
  at = cg_x(g, SpvOpIAdd, at, cg_x(g, SpvOpIAdd, first, cg_to_ix(g, z->lane)));
  uint32_t j = cg_x(g, SpvOpISub, z->at, cg_x(g, SpvOpIMul, z->row, z->inner));
  z->base = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, at, z->inner), j);
}

/* ── a thread's lanes ───────────────────────────────────────────────────────────────── */

/* One row of a batch: lanes from `lane` (among the thread's) on, `down` further, into acc. */
static void columns_load(cg *g, const columns *z, cg_acc *acc, uint32_t lane,
                         uint32_t down) {
  uint32_t raw[COLUMNS_BATCH][KIR_MAX_IN], n = g->o->items;
  cg_pos p[COLUMNS_BATCH];
  uint32_t off = down ? cg_u(g, SpvOpIAdd, lane, down) : lane,
           place = cg_u(g, SpvOpIAdd, z->lane, off);
  uint32_t at = cg_x(g, SpvOpIMul, cg_to_ix(g, off), z->inner);
  at = cg_x(g, SpvOpIAdd, z->base, at);
  for (uint32_t s = 0; s < n; s++) {
    if (s) at = cg_x(g, SpvOpIAdd, at, z->inner);
    uint32_t is = cg_less(g, s ? cg_ui(g, SpvOpIAdd, place, s) : place, z->left);
    p[s] =
        (cg_pos){.i = spv_op(g->b, g->ix, SpvOpSelect, is, at, z->base), .tail = z->mine};
    p[s].ok = cg_splat(g, KB, is);
    if (z->mine)
      p[s].ok = spv_op(g->b, cg_type(g, KB), SpvOpLogicalAnd, p[s].ok, z->mine);
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[s], raw[s]);
  }
  cg_acc none = cg_identity(g);
  for (uint32_t s = 0; s < n; s++) {
    cg_acc x = cg_acc_sel(g, p[s].ok, cg_source(g, &p[s], raw[s]), none);
    acc[s] = cg_combine(g, acc[s], x, 0);
  }
}

/* All rows of a batch's lanes, as one value. */
static cg_acc columns_batch(cg *g, const columns *z, uint32_t lane) {
  uint32_t n = g->o->items;
  cg_acc v[COLUMNS_BATCH], none = cg_identity(g);
  for (uint32_t s = 0; s < n; s++) v[s] = none;
  if (g->o->lanes) {
    cg_cell cell[COLUMNS_BATCH];
    uint32_t log = cg_log2(KIR_LANES), rows = cg_ui(g, SpvOpIAdd, z->left, KIR_LANES - 1);
    for (uint32_t s = 0; s < n; s++) cell[s] = cg_var_acc(g, none);
    spv_loop l = spv_for(g->b, cg_ui(g, SpvOpShiftRightLogical, rows, log));
    for (uint32_t s = 0; s < n; s++) v[s] = cg_cell_get(g, cell[s]);
    columns_load(g, z, v, lane, cg_ui(g, SpvOpShiftLeftLogical, l.i, log));
    for (uint32_t s = 0; s < n; s++) cg_cell_set(g, cell[s], v[s]);
    spv_endfor(g->b, &l);
    for (uint32_t s = 0; s < n; s++) v[s] = cg_cell_get(g, cell[s]);
  } else {
    columns_load(g, z, v, lane, 0);
  }
  for (; n > 1; n /= 2)
    for (uint32_t s = 0; s < n / 2; s++) v[s] = cg_combine(g, v[2 * s], v[2 * s + 1], 0);
  return v[0];
}

static uint32_t columns_bit(cg *g, uint32_t count, uint32_t level) {
  uint32_t one = cg_ui(g, SpvOpBitwiseAnd, count, 1u << level);
  return spv_op(g->b, spv_bool(g->b), SpvOpINotEqual, one, spv_u32(g->b, 0));
}

/* Adds v, of 2^level batches, to the counter that is at `count`. */
static void columns_add(cg *g, const columns *z, uint32_t count, uint32_t level,
                        cg_acc v) {
  if (level + 1 < z->levels) {
    uint32_t set = columns_bit(g, count, level),
             not = spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, set);
    uint32_t merge = spv_if(g->b, set);
    columns_add(g, z, count, level + 1,
                cg_combine(g, cg_cell_get(g, z->digit[level]), v, 0));
    spv_endif(g->b, merge);
    merge = spv_if(g->b, not );
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

/* The threads of a column, each the left neighbour of the next. */
static cg_acc columns_threads(cg *g, const columns *z, cg_acc v) {
  uint32_t steps = cg_slot_u32(g, CG_SLOT_STEPS), one = spv_u32(g->b, 1);
  cg_cell mine = cg_var_acc(g, v), room = cg_shared_acc(g, 256);
  spv_loop l = spv_for(g->b, steps);
  cg_shared_put(g, room, g->thread, cg_cell_get(g, mine));
  cg_barrier(g);
  uint32_t next = cg_u(g, SpvOpShiftLeftLogical, spv_u32(g->b, 2), l.i);
  uint32_t low = cg_u(g, SpvOpBitwiseAnd, z->y, cg_u(g, SpvOpISub, next, one));
  uint32_t merge = spv_if(g->b, cg_is_zero(g, low));
  uint32_t by = cg_u(g, SpvOpShiftLeftLogical, one, cg_u(g, SpvOpIAdd, z->across, l.i));
  cg_acc right = cg_shared_get(g, room, cg_u(g, SpvOpIAdd, g->thread, by));
  cg_cell_set(g, mine, cg_combine(g, cg_cell_get(g, mine), right, 0));
  spv_endif(g->b, merge);
  cg_barrier(g);
  spv_endfor(g->b, &l);
  return cg_cell_get(g, mine);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

static void columns_finish(cg *g, const columns *z, cg_acc v) {
  const kir *k = g->k;
  cg_pos p = {.i = z->at, .tail = z->mine};
  g->len = z->all;
  g->last = cg_x(g, SpvOpISub, z->all, cg_ixc(g, 1));
  if (g->o->final) {
    g->val[k->fold_at] = cg_fold_result(g, v, z->mine);
    cg_range(g, k->fold_at + 1, k->n_ins, &p, NULL);
    cg_put_outputs(g, &p);
    return;
  }
  /* (row × places + place) × inner + j, where at is row × inner + j; four columns have one place */
  uint32_t parts = cg_slot_ix(g, CG_SLOT_PARTS);
  uint32_t less1 = cg_x(g, SpvOpIMul, parts, cg_slot_ix(g, CG_SLOT_TILES));
  less1 = cg_x(g, SpvOpISub, less1, cg_ixc(g, 1));
  uint32_t skip =
      cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, z->row, less1), cg_to_ix(g, z->place));
  p.i = cg_x(g, SpvOpIAdd, z->at, cg_x(g, SpvOpIMul, skip, z->inner));
  cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, v);
}

/* Four columns may go over the end where they need not begin at a multiple of four. */
static uint32_t columns_mine(cg *g, const columns *z) {
  cg_pos p = {.i = z->at, .tail = true};
  uint32_t len = g->len, ok;
  if (!g->o->quads || g->o->width == 4) return 0;
  g->len = z->all;
  ok = cg_ok(g, &p);
  g->len = len;
  return ok;
}

void cg_columns(cg *g) {
  columns z = {0};
  assert(g->o->items <= COLUMNS_BATCH);
  cg_flat(g);
  columns_place(g, &z);
  g->lanes = g->o->quads ? 4 : 1;
  z.mine = columns_mine(g, &z);
  cg_acc v = g->o->deep ? columns_fold(g, &z) : columns_batch(g, &z, spv_u32(g->b, 0));
  uint32_t first = z.valid;
  if (g->o->totals) {
    v = columns_threads(g, &z, v);
    first = spv_op(g->b, spv_bool(g->b), SpvOpLogicalAnd, first, cg_is_zero(g, z.y));
  }
  uint32_t merge = spv_if(g->b, first);
  columns_finish(g, &z, v);
  spv_endif(g->b, merge);
}
