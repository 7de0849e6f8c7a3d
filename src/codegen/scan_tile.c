/* SPDX-License-Identifier: MIT */
/* scan_tile.c - the scan template for rows: the scan tree of tables/fold.h, in registers.
 *
 *   SCAN_ALONE   a workgroup has a row of one tile, or several short rows
 *   SCAN_LINES   likewise, where what repeats along a row is read once a thread
 *   SCAN_TOTALS  a workgroup makes a tile's total
 *   SCAN_READS   a workgroup has a tile, and reads the totals of those before it
 *   SCAN_AHEAD   workgroups go from tile to tile, and look at totals as they are published
 *
 * Longer rows are one pass where the device can look ahead (scan_ahead.c), else two. The
 * tree and so the result is the same. */
#include "scan.h"

#include "../base/arith.h"

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool scan_tile_serves(const cg_task *t) {
  return t->kind == CG_TASK_SCAN && t->inner == 1;
}

/* Groups that hold n elements, of the numbers that there are pipelines for. */
static uint32_t groups_for(const cg_task *t, int64_t n) {
  uint32_t most = scan_law(t->k), groups = 1;
  while (groups * KIR_SCAN_GROUP < n) groups *= t->small ? 4 : 2;
  return groups < most ? groups : most;
}

/* Several rows to a workgroup, each of a strip at most: as many threads on one as it has
 * quads, a unit if that is more than a group. */
static void short_rows(const cg_task *t, cg_pass *s) {
  scan_tile_opts *o = &s->o.scan_tile;
  o->row_threads = t->small ? 8 : 1;
  while (o->row_threads < 32 && 4 * o->row_threads < t->len)
    o->row_threads *= t->small ? 4 : 2;
  o->groups = groups_for(t, t->len);
  s->o.workgroup = CG_WORKGROUP;
  if (t->rows == 1) s->o.workgroup = o->row_threads = 32;
  s->geom.workgroups = ceil_div(t->rows, s->o.workgroup / o->row_threads);
}

/* Strips of the only tile of a row, of the numbers that there are pipelines for. */
static uint32_t strips_for(const cg_task *t) {
  uint32_t strips =
      (uint32_t)min_i64(ceil_div(t->len, scan_strip(t->k)), KIR_SCAN_STRIPS);
  if (t->small && strips > 1) strips = strips <= 4 ? 4 : KIR_SCAN_STRIPS;
  return strips;
}

static void by_tiles(const cg_task *t, cg_passes *p, scan_prefix_kind prefix) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_TILE);
  scan_tile_opts *o = &s->o.scan_tile;
  uint32_t strips = strips_for(t);
  s->o.width = cg_row_width(t);
  o->prefix = prefix;
  o->groups = scan_law(t->k);
  o->parts = t->most_threads < 32 * strips ? 2 : 1;
  s->o.workgroup = o->row_threads = 32 * ((strips + o->parts - 1) / o->parts);
  s->geom.tiles = ceil_div(t->len, (int64_t)KIR_SCAN_STRIPS * scan_strip(t->k));
  s->geom.workgroups = t->rows * s->geom.tiles;
  if (prefix == SCAN_TOTALS) s->to = CG_OWN;
  if (prefix == SCAN_READS) s->carry = CG_OWN;
  if (prefix == SCAN_READS) scan_choose_window(t, s);
  if (prefix != SCAN_AHEAD) return;
  o->patience = t->patience;
  o->starve = t->starve;
  p->words = s->geom.workgroups * cg_acc_bytes(t->k) / 4;
  scan_choose_window(t, s);
}

/* Tiles may be done twice (scan_ahead.c), which what is added to memory must not. */
static bool may_look_ahead(const cg_task *t) {
  for (uint32_t i = 0; i < t->k->n_out; i++)
    if (t->k->out[i].put == KPUT_JOIN) return false;
  return t->resident > 0;
}

void scan_tile_passes(const cg_task *t, cg_passes *p) {
  int64_t tile = (int64_t)KIR_SCAN_STRIPS * scan_strip(t->k);
  bool line = t->stretch && t->stretch % t->len == 0;
  if (t->len <= scan_strip(t->k)) {
    cg_pass *s = cg_add_pass(p, t, CG_SCAN_TILE);
    s->o.width = cg_row_width(t);
    s->o.scan_tile.parts = 1;
    short_rows(t, s);
  } else if (t->len <= tile) {
    by_tiles(t, p, SCAN_ALONE);
  } else if (may_look_ahead(t)) {
    by_tiles(t, p, SCAN_AHEAD);
  } else {
    by_tiles(t, p, SCAN_TOTALS);
    by_tiles(t, p, SCAN_READS);
    p->own[0] = t->rows * p->at[0].geom.tiles;
  }
  if (line && t->len <= tile) p->at[0].o.scan_tile.prefix = SCAN_LINES;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

static void emit_totals(cg *g, scan *z) {
  scan_part off[SCAN_MOST_PARTS];
  scan_find(g, z);
  scan_load(g, z);
  scan_sums(g, z);
  if (!z->commutes) scan_inside(g, z);
  cg_barrier(g);
  cg_acc total = scan_offsets(g, z, off);
  uint32_t tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t is = cg_less(g, cg_ui(g, SpvOpIAdd, z->w.tile, 1), tiles);
  is = cg_is(g, SpvOpLogicalAnd, is, cg_is_zero(g, g->thread));
  uint32_t merge = spv_if(g->b, is);
  cg_put_acc_at(g, cg_slot(g, CG_SLOT_TO), cg_partial_index(g, z->w.row, z->w.tile),
                total);
  spv_endif(g->b, merge);
}

static void emit_tile(cg *g, scan *z) {
  bool reads = scan_opts(g)->prefix == SCAN_READS;
  scan_part before[SCAN_MOST_PARTS] = {{.is = 0}};
  scan_find(g, z);
  if (scan_opts(g)->prefix == SCAN_LINES) cg_hold_line(g, z->w.row_at);
  scan_load(g, z);
  if (z->strips > 1) scan_sums(g, z);
  scan_inside(g, z);
  if (z->strips > 1) cg_barrier(g);
  if (z->strips > 1) (void)scan_offsets(g, z, before);
  scan_part pre = {.is = 0};
  if (reads) pre = scan_before(g, z);
  for (uint32_t k = 0; k < z->parts; k++) before[k] = scan_join(g, pre, before[k], 0);
  for (uint32_t r = 0; r < z->quads; r++) scan_put(g, z, r, before[r / z->groups]);
}

void scan_tile_emit(cg *g) {
  scan z = {0};
  scan_open(g, &z);
  switch (scan_opts(g)->prefix) {
  case SCAN_TOTALS: emit_totals(g, &z); break;
  case SCAN_AHEAD: scan_ahead(g, &z); break;
  default: emit_tile(g, &z); break;
  }
}
