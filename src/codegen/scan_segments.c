/* SPDX-License-Identifier: MIT */
/* scan_segments.c - the scan template for rows that lie anywhere in one line: a strip of a row
 * to 32 threads or fewer.
 *
 *   SCAN_ALONE    rows of one strip at most: several to a workgroup
 *
 * Where some row is longer its strips are rows of the table (kir.h), and four passes do the
 * tree of tables/fold.h. Own memory has an accumulator for each strip, then one for each tile:
 *
 *   SCAN_TOTALS   32 threads a strip: its total S
 *   SCAN_TILES    a thread a tile: off ∘ S of its last strip
 *   SCAN_BEFORES  a workgroup a tile: P, and P ∘ off of each of its strips, in place of S
 *   SCAN_READS    32 threads a strip: its elements, from there
 *
 * Long strips and short ones run side by side, and none waits for another. */
#include "scan.h"

#include "../base/arith.h"

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool scan_segments_serves(const cg_task *t) {
  return t->kind == CG_TASK_SCAN && t->k->segments;
}

static cg_pass *add_phase(const cg_task *t, cg_passes *p, scan_prefix_kind phase) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_SEGMENTS);
  scan_tile_opts *o = &s->o.scan_tile;
  o->prefix = phase;
  o->parts = 1;
  o->groups = scan_law(t->k);
  o->row_threads = 32;
  s->o.width = 1;
  s->geom.scan_segments.strip_tiles = t->strip_tiles;
  if (phase != SCAN_READS) s->to = CG_OWN;
  if (phase != SCAN_TOTALS) s->carry = CG_OWN;
  s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / 32);
  return s;
}

void scan_segments_passes(const cg_task *t, cg_passes *p) {
  if (t->strip_tiles) {
    (void)add_phase(t, p, SCAN_TOTALS);
    add_phase(t, p, SCAN_TILES)->geom.workgroups = ceil_div(t->strip_tiles, CG_WORKGROUP);
    cg_pass *s = add_phase(t, p, SCAN_BEFORES);
    s->geom.workgroups = t->strip_tiles;
    s->o.workgroup = 32;
    scan_choose_window(t, s);
    (void)add_phase(t, p, SCAN_READS);
    p->own[0] = t->rows + t->strip_tiles;
    return;
  }
  cg_pass *s = add_phase(t, p, SCAN_ALONE);
  scan_tile_opts *o = &s->o.scan_tile;
  s->to = CG_RESULT;
  s->carry = CG_NOTHING;
  while (o->row_threads > 1 && 2 * t->len <= 4 * o->row_threads) o->row_threads /= 2;
  while (o->groups > 1 && t->len <= KIR_SCAN_GROUP * (o->groups / 2)) o->groups /= 2;
  s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / o->row_threads);
}

/* ── the table ──────────────────────────────────────────────────────────────────────── */

/* Number `column` of the row that begins at number `first` (ix): as a position. */
static uint32_t table_at(cg *g, uint32_t first, uint32_t column) {
  uint32_t base = cg_slot(g, CG_SLOT_INPUTS + 3 * (g->k->segments - 1u));
  uint32_t v = cg_get_at(g, ET_I64, base, cg_beyond(g, first, column));
  if (g->ix == g->u64) return v;
  return spv_op(g->b, g->u32, SpvOpUConvert, v);
}

static uint32_t segments_times(cg *g, uint32_t ix, uint32_t by) {
  return cg_x(g, SpvOpIMul, ix, cg_ixc(g, by));
}

/* The thread's strip: row, position and length are its own from here on. *place (ix): its
 * number in its segment. */
static void find_strip(cg *g, scan *z, uint32_t *place) {
  z->w = cg_find_place(g, z->threads, 0);
  uint32_t at = segments_times(g, z->w.row, 3), none = cg_ixc(g, 0), one = cg_ixc(g, 1);
  uint32_t from = table_at(g, at, 0);
  uint32_t n = cg_x(g, SpvOpISub, table_at(g, at, 1), from);
  *place = table_at(g, at, 2);
  g->last = cg_x(g, SpvOpISub, n, one); /* none is empty */
  g->len = cg_pick(g, g->ix, z->w.there, n, none);
  z->w.row_at = from;
  z->at[0] = segments_times(g, *place, scan_strip(g->k));
  z->number[0] = z->unit;
  uint32_t first =
      cg_x(g, SpvOpIAdd, z->at[0], cg_to_ix(g, cg_ui(g, SpvOpIMul, z->q, 4)));
  for (uint32_t i = 0; i < z->groups; i++)
    z->p[i] = (cg_pos){.i = cg_beyond(g, first, i * KIR_SCAN_GROUP),
                       .row_at = z->w.row_at,
                       .tail = true};
}

/* ── phases ─────────────────────────────────────────────────────────────────────────── */

static void emit_totals(cg *g, scan *z) {
  uint32_t place;
  z->sums = cg_shared_acc(g, CG_WORKGROUP / 32 * z->sums_each);
  find_strip(g, z, &place);
  scan_load(g, z);
  scan_sums(g, z);
  cg_barrier(g);
  uint32_t next = cg_beyond(g, z->at[0], scan_strip(g->k));
  uint32_t used = cg_less(g, next, g->len), first = cg_is_zero(g, z->w.u);
  uint32_t merge = spv_if(g->b, cg_is(g, SpvOpLogicalAnd, used, first));
  cg_acc v[8];
  for (uint32_t m = 0; m < z->sums_each; m++) {
    uint32_t at = cg_ui(g, SpvOpIMul, z->unit, z->sums_each);
    v[m] = cg_shared_get(g, z->sums, cg_next(g, at, m));
  }
  cg_acc total = scan_neighbours(g, v, z->sums_each, used);
  cg_put_acc_at(g, cg_slot(g, CG_SLOT_TO), z->w.row, total);
  spv_endif(g->b, merge);
}

/* A tile of a segment of several strips. */
typedef struct strip_tile {
  uint32_t at;            /* ix: where its accumulator is */
  uint32_t first, strips; /* ix: of the strips; how many */
  uint32_t number, left;  /* ix: in its segment; tiles that follow there */
} strip_tile;

/* Tile number `t` (ix). */
static strip_tile find_tile(cg *g, uint32_t t) {
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS), at = segments_times(g, rows, 3);
  strip_tile r;
  at = cg_x(g, SpvOpIAdd, at, segments_times(g, t, 4));
  r.at = cg_x(g, SpvOpIAdd, rows, t);
  r.first = table_at(g, at, 0);
  r.strips = table_at(g, at, 1);
  r.number = table_at(g, at, 2);
  r.left = table_at(g, at, 3);
  return r;
}

static void emit_tiles(cg *g) {
  uint32_t own = cg_slot(g, CG_SLOT_CARRY);
  uint32_t all = cg_slot_ix(g, CG_OWN_SLOT(scan_segments_geom, strip_tiles));
  uint32_t id = cg_ui(g, SpvOpIMul, g->wid, CG_WORKGROUP);
  id = cg_to_ix(g, cg_u(g, SpvOpIAdd, id, g->thread));
  uint32_t there = spv_if(g->b, cg_less(g, id, all));
  strip_tile t = find_tile(g, id);
  uint32_t merge = spv_if(g->b, cg_less(g, cg_ixc(g, 0), t.left));
  cg_acc v = cg_get_acc_at(g, own, t.first);
  for (uint32_t k = 1; k < KIR_SCAN_STRIPS; k++)
    v = cg_combine(g, v, cg_get_acc_at(g, own, cg_beyond(g, t.first, k)), 0);
  cg_put_acc_at(g, cg_slot(g, CG_SLOT_TO), t.at, v);
  spv_endif(g->b, merge);
  spv_endif(g->b, there);
}

/* One thread goes through the strips: what is before each takes its total's place. */
static void put_offsets(cg *g, const strip_tile *t, scan_part before) {
  uint32_t own = cg_slot(g, CG_SLOT_TO), one = cg_ixc(g, 1);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  cg_var off = cg_var_acc(g, cg_identity(g));
  uint32_t is = spv_local(g->b, spv_bool(g->b), spv_true(g->b, false, 1));
  spv_loop l = spv_for(g->b, cg_to_u32(g, t->strips));
  uint32_t at = cg_x(g, SpvOpIAdd, t->first, cg_to_ix(g, l.i));
  uint32_t some = spv_op(g->b, spv_bool(g->b), SpvOpLoad, is);
  cg_acc sum = cg_var_get(g, off);
  uint32_t next = cg_x(g, SpvOpIAdd, cg_to_ix(g, l.i), one);
  uint32_t more = spv_if(g->b, cg_less(g, next, t->strips));
  cg_acc s = cg_get_acc_at(g, own, at);
  cg_var_set(g, off, cg_acc_sel(g, some, cg_combine(g, sum, s, some), s));
  spv_do(g->b, SpvOpStore, is, spv_true(g->b, true, 1));
  spv_endif(g->b, more);
  scan_part p = scan_join(g, before, (scan_part){sum, some}, 0);
  cg_put_acc_at(g, own, at, p.v);
  spv_endfor(g->b, &l);
  spv_endif(g->b, merge);
}

static void emit_offsets(cg *g, scan *z) {
  strip_tile t = find_tile(g, cg_to_ix(g, g->wid));
  z->w.tile = cg_to_u32(g, t.number);
  z->w.row = cg_x(g, SpvOpISub, t.at, t.number); /* the segment's first tile's total */
  put_offsets(g, &t, scan_before(g, z));
}

static void emit_strip(cg *g, scan *z) {
  uint32_t place;
  scan_part before = {.is = 0};
  find_strip(g, z, &place);
  scan_load(g, z);
  scan_inside(g, z);
  if (scan_opts(g)->prefix == SCAN_READS) {
    before.v = cg_get_acc_at(g, cg_slot(g, CG_SLOT_CARRY), z->w.row);
    before.is = cg_less(g, cg_ixc(g, 0), place);
  }
  for (uint32_t r = 0; r < z->quads; r++) scan_put(g, z, r, before);
}

void scan_segments_emit(cg *g) {
  scan z = {0};
  scan_prefix_kind phase = (scan_prefix_kind)scan_opts(g)->prefix;
  scan_open(g, &z);
  switch (phase) {
  case SCAN_TOTALS: emit_totals(g, &z); break;
  case SCAN_TILES: emit_tiles(g); break;
  case SCAN_BEFORES: emit_offsets(g, &z); break;
  default: emit_strip(g, &z); break;
  }
}
