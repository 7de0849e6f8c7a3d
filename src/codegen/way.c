/* SPDX-License-Identifier: MIT */
/* way.c - which template serves a pass of a REDUCE, and how its work is cut.
 *
 *   inner 1      a line of 2048 or more, or all there is      TILE
 *                many lines of a few elements                   FEW
 *                many short lines                               STAGE, quads of rows
 *   inner > 1    long lines, not more than some hundred         STAGE, some lanes down a tile
 *                short ones, two or three side by side          STAGE, whole rows
 *                the others                                     COLUMNS
 *
 * What decides is how memory is read. A workgroup's loads should be of neighbouring elements:
 * where columns are 512 bytes wide or less, and far fewer than threads, those of several
 * lanes together. Each thread should have 64 bytes under way, and the device 30 times as
 * many workgroups as it has processors, for one of them is always late. Measured on an H200;
 * docs/performance.md. */
#include "codegen.h"

#include "../base/arith.h"

enum { WAY_FEW = 4, WAY_LONG = 2047, WAY_GROUPS = 8192, WAY_LEAST = 64 };

/* How often a long producer's instructions are repeated: seldom. */
static uint32_t way_repeat(const kir *k, const cg_opts *o, uint32_t want) {
  uint32_t n = o->from_partials ? 0 : k->fold_at, most = n <= 48 ? 16 : n <= 128 ? 4 : 1;
  return want < most ? want : most;
}

/* Quads of a thread that a panel's part of workgroup memory can take: 16 kB of it. */
static uint32_t way_quads(const kir *k, const cg_opts *o) {
  return way_repeat(k, o, 16 / (uint32_t)cg_acc_bytes(k));
}

static int64_t way_steps(int64_t n) {
  int64_t steps = 0;
  for (; n > 8; n = ceil_div(n, 8)) steps++;
  return steps;
}

static void way_tile(const kir *k, cg_opts *o, cg_geom *z) {
  o->way = CG_TILE;
  o->width = z->rows > 1 && (z->len % 4 || o->small) ? 1 : 4;
  z->tiles = ceil_div(z->len, cg_tile(k, o));
  if (z->tiles == 1 && !(z->rows > 1 && o->small) && z->len <= 4 * KIR_LANES)
    o->tile_rows = z->len <= KIR_LANES ? 1 : 4;
  z->groups = z->rows * z->tiles;
}

/* Panels of whole rows that have several columns. */
static void way_rows(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t row = z->len * z->inner;
  o->items = way_quads(k, o);
  z->each = 1024 * o->items / row;
  if (z->each >= 4 && row % 4) z->each -= z->each % 4;
  o->width = !o->small && (z->each * row % 4 == 0 || z->each >= z->rows) ? 4 : 1;
  z->steps = way_steps(z->len);
  z->groups = ceil_div(z->rows, z->each);
}

/* Panels of rows, cut into quads. */
static void way_row_quads(const kir *k, cg_opts *o, cg_geom *z) {
  o->items = way_quads(k, o);
  o->quads = true;
  o->lanes = z->len > KIR_LANES;
  o->width = !o->small && z->len % 4 == 0 ? 4 : 1;
  z->part = ceil_div(min_i64(z->len, KIR_LANES), 4);
  z->parts = ceil_div(1 << CG_QUAD_SHIFT, z->part);
  z->each = 256 * o->items / z->part;
  z->steps = way_steps(z->part);
  z->groups = ceil_div(z->rows, z->each);
}

static void way_few(cg_opts *o, cg_geom *z) {
  o->way = CG_FEW;
  o->width = 4;
  o->items = (uint32_t)z->len;
  z->groups = ceil_div(z->rows, 1024);
}

int64_t cg_parts_left(const cg_opts *o, const cg_geom *z) {
  return o->way == CG_COLUMNS || (o->way == CG_STAGE && o->lanes && !o->quads) ? z->parts
                                                                               : 1;
}

/* Panels of as many lanes as fit, a tile of a few columns cut into some of them. */
static void way_lanes(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t lanes = min_i64(z->len, KIR_LANES), room = 1024 * way_quads(k, o);
  o->lanes = true;
  z->part = next_pow2(lanes);
  while (z->part * z->inner > room) z->part /= 2;
  o->items =
      o->small ? (uint32_t)(room / 1024) : (uint32_t)ceil_div(z->part * z->inner, 1024);
  z->parts = ceil_div(lanes, z->part);
  o->width = !o->small && (z->rows == 1 || z->len * z->inner % 4 == 0) &&
                     z->part * z->inner % 4 == 0
                 ? 4
                 : 1;
  z->tiles = ceil_div(z->len, KIR_REDUCE_ROWS * KIR_LANES);
  z->steps = way_steps(z->part);
  z->groups = z->rows * z->tiles * z->parts;
}

/* Columns that are no longer than a batch: four to a thread where that is possible. */
static void way_flat_columns(const kir *k, cg_opts *o, cg_geom *z) {
  bool four = z->inner % 4 == 0;
  o->quads = !k->wide && (four || z->rows == 1);
  o->width = o->quads && four ? 4 : 1;
  o->items = (uint32_t)next_pow2(z->len);
  z->groups = z->blocks = ceil_div(z->rows * z->inner, o->quads ? 1024 : 256);
}

static void way_columns(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t lanes = min_i64(z->len, KIR_LANES),
          deep = min_i64(ceil_div(z->len, KIR_LANES), o->tile_rows);
  o->way = CG_COLUMNS;
  o->width = 1;
  o->items = (uint32_t)min_i64(64 / cg_acc_bytes(k), deep > 1 ? 8 : 16);
  o->items = way_repeat(k, o, o->items);
  z->each = 8;
  if (!o->small && !o->totals && z->len <= o->items && z->len * cg_acc_bytes(k) <= 32) {
    way_flat_columns(k, o, z);
    return;
  }
  o->deep = true;
  o->lanes = o->small || deep > 1;
  z->tiles = ceil_div(z->len, o->tile_rows * KIR_LANES);
  z->blocks = ceil_div(z->rows * z->inner, 256);
  z->part = next_pow2(lanes);
  while (!o->totals && z->blocks * z->tiles * ceil_div(lanes, z->part) < WAY_GROUPS &&
         z->part * deep > WAY_LEAST && z->part > o->items)
    z->part /= 2;
  z->parts = ceil_div(lanes, z->part);
  z->groups = z->blocks * z->parts * z->tiles;
}

void cg_reduce_pass(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t room = 1024 * way_quads(k, o);
  bool fits =
      z->inner * 8 <= room; /* or a part would have too few lanes to be worth it */
  bool few = z->inner < WAY_FEW || z->rows * z->inner < WAY_GROUPS / 2;
  *z = (cg_geom){.rows = z->rows,
                 .len = z->len,
                 .inner = z->inner,
                 .tiles = 1,
                 .parts = 1,
                 .part = z->len,
                 .each = 1};
  o->way = CG_STAGE;
  o->columns = z->inner > 1;
  o->lanes = o->quads = o->deep = false;
  o->tile_rows = KIR_REDUCE_ROWS;
  if (!o->columns && (z->rows == 1 || z->len > WAY_LONG)) way_tile(k, o, z);
  else if (!o->columns && z->len * cg_acc_bytes(k) <= 24 && !o->small && !k->wide)
    way_few(o, z);
  else if (!o->columns) way_row_quads(k, o, z);
  else if (z->len <= KIR_LANES && z->len * z->inner <= room && (few || o->small))
    way_rows(k, o, z);
  else if (fits && (few || z->len > 4 * KIR_LANES)) way_lanes(k, o, z);
  else way_columns(k, o, z);
}

/* Every tile but the last, as one part: with several threads on each of a few columns, while
 * each has a batch of lanes and neighbours still read a line of the cache together. */
void cg_totals_pass(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t columns = z->rows * z->inner;
  o->totals = o->columns = true;
  o->tile_rows = KIR_SCAN_ROWS;
  way_columns(k, o, z);
  while (z->each && z->part / 2 >= o->items &&
         (INT64_C(1) << (z->each - 1) >= columns ||
          (z->blocks * z->tiles < WAY_GROUPS / 8 && z->each > 5))) {
    z->each--, z->steps++, z->part /= 2;
    z->blocks = ceil_div(columns, INT64_C(1) << z->each);
  }
  z->groups = z->blocks * --z->tiles;
}

/* ── what a pass is for its caller ────────────────────────────────────────────────────── */

uint32_t cg_row_threads(const cg_opts *o) {
  return o->row_threads && o->row_threads < 256 ? o->row_threads : 256;
}

int64_t cg_tile(const kir *k, const cg_opts *o) {
  if (k->kind == KIR_MAP) return (int64_t)o->workgroup * o->items * o->width;
  uint32_t p = cg_row_threads(o);
  if (p < 256) return 4 * p;
  return (int64_t)o->tile_rows * KIR_LANES * (cg_counts(k, o) ? CG_COUNT_ROWS : 1);
}

bool cg_needs_clear(const kir *k, const cg_opts *o, uint32_t out) {
  int bits = elt_bits((elt)k->out[out].type);
  if (o->single) return false;
  if (o->columns && bits == 1) return true;
  return bits < 32 && (k->kind == KIR_REDUCE || (k->kind == KIR_SCAN && o->width == 1));
}
