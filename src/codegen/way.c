/* SPDX-License-Identifier: MIT */
/* way.c - which template serves a pass of a REDUCE, and how its work is cut.
 *
 *   inner 1      a line of more than 1024, or all there is      TILE
 *                many short lines                               STAGE, whole rows
 *   inner > 1    lines of which a panel holds all of a row      STAGE, whole rows
 *                up to 31 columns, long                         STAGE, some lanes down a tile
 *                more columns                                   COLUMNS
 *
 * What decides is how memory is read: a workgroup's loads should be of neighbouring elements
 * (a row of a few columns is too narrow for that), each thread should have 64 bytes under way,
 * and the device a few workgroups for each of its processors. */
#include "cg.h"

enum { WAY_FEW = 32, WAY_GROUPS = 1024, WAY_NEAR = 128 };

static int64_t way_ceil(int64_t a, int64_t b) { return a / b + (a % b != 0); }
static int64_t way_min(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t way_pow2(int64_t n) { /* the least power of two from n on */
  int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

static bool way_small(const cg_geom *z) { return z->rows * z->len * z->inner <= CG_SMALL; }

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
  for (; n > 8; n = way_ceil(n, 8)) steps++;
  return steps;
}

static void way_tile(const kir *k, cg_opts *o, cg_geom *z) {
  o->way = CG_TILE;
  o->width = z->rows > 1 && (z->len % 4 || way_small(z)) ? 1 : 4;
  z->tiles = way_ceil(z->len, cg_tile(k, o));
  if (z->tiles == 1 && !(z->rows > 1 && way_small(z)) && z->len <= 4 * KIR_LANES) o->tile_rows = z->len <= KIR_LANES ? 1 : 4;
  z->groups = z->rows * z->tiles;
}

/* Panels of whole rows. */
static void way_rows(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t row = z->len * z->inner;
  o->items = way_quads(k, o);
  z->each = 1024 * o->items / row;
  if (z->each >= 4 && row % 4) z->each -= z->each % 4;
  o->width = !way_small(z) && (z->each * row % 4 == 0 || z->each >= z->rows) ? 4 : 1;
  o->quads = !way_small(z) && !o->columns && z->len % 4 == 0;
  z->steps = way_steps(o->quads ? z->len / 4 : z->len);
  z->groups = way_ceil(z->rows, z->each);
}

/* Panels of as many lanes as fit, a tile of a few columns cut into some of them. */
static void way_lanes(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t lanes = way_min(z->len, KIR_LANES), room = 1024 * way_quads(k, o);
  o->lanes = true;
  z->part = way_pow2(lanes);
  while (z->part * z->inner > room) z->part /= 2;
  o->items = way_small(z) ? (uint32_t)(room / 1024) : (uint32_t)way_ceil(z->part * z->inner, 1024);
  z->parts = way_ceil(lanes, z->part);
  o->width = !way_small(z) && (z->rows == 1 || z->len * z->inner % 4 == 0) && z->part * z->inner % 4 == 0 ? 4 : 1;
  z->tiles = way_ceil(z->len, KIR_REDUCE_ROWS * KIR_LANES);
  z->steps = way_steps(z->part);
  z->groups = z->rows * z->tiles * z->parts;
}

static void way_columns(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t lanes = way_pow2(way_min(z->len, KIR_LANES)), columns, x = 8;
  uint32_t bytes = (uint32_t)cg_acc_bytes(k);
  o->way = CG_COLUMNS;
  o->width = !way_small(z) && z->inner % 4 == 0 && !k->wide ? 4 : 1;
  columns = z->rows * z->inner / o->width;
  o->items = way_repeat(k, o, 128 / (bytes * o->width));
  while (o->items > lanes && !way_small(z)) o->items /= 2;
  z->tiles = way_ceil(z->len, o->tile_rows * KIR_LANES);
  /* Threads on a column: more of them until there are workgroups enough, while neighbours
   * still read a line of the cache together and each has a batch of lanes. */
  while (way_ceil(columns, INT64_C(1) << x) * z->tiles < WAY_GROUPS && lanes >> (9 - x) >= o->items &&
         INT64_C(1) << x > WAY_NEAR / (bytes * o->width))
    x--;
  z->each = x;
  z->steps = 8 - x;
  z->part = lanes >> z->steps;
  z->parts = way_ceil(columns, INT64_C(1) << x);
  z->groups = z->parts * z->tiles;
}

void cg_reduce_pass(const kir *k, cg_opts *o, cg_geom *z) {
  int64_t room = 1024 * way_quads(k, o);
  *z = (cg_geom){.rows = z->rows, .len = z->len, .inner = z->inner, .tiles = 1, .parts = 1, .part = z->len, .each = 1};
  o->way = CG_STAGE;
  o->columns = z->inner > 1;
  o->lanes = o->quads = false;
  o->tile_rows = KIR_REDUCE_ROWS;
  if (!o->columns && (z->rows == 1 || z->len > KIR_LANES)) way_tile(k, o, z);
  else if (z->len <= KIR_LANES && z->len * z->inner <= room) way_rows(k, o, z);
  else if (z->inner < WAY_FEW) way_lanes(k, o, z);
  else way_columns(k, o, z);
}

void cg_totals_pass(const kir *k, cg_opts *o, cg_geom *z) {
  o->totals = o->columns = true;
  o->tile_rows = KIR_SCAN_ROWS;
  way_columns(k, o, z);
  /* A few columns alone: more threads down each. */
  int64_t columns = z->rows * z->inner / o->width;
  while (z->parts == 1 && z->each && INT64_C(1) << (z->each - 1) >= columns && z->part / 2 >= o->items)
    z->each--, z->steps++, z->part /= 2;
  z->groups = z->parts * --z->tiles;
}
