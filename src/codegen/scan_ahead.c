/* SPDX-License-Identifier: MIT */
/* scan_ahead.c - one pass over memory: tiles publish their totals and look at those of all
 * tiles before them.
 *
 *   a workgroup, tile after tile:   draw a tile ─ load ─┐
 *     ┌────────────────────────────────────────────────┘
 *     ├─ strips' totals ─ the tile's total, published ─ draw the next tile
 *     ├─ scan within the strips
 *     ├─ the totals of the tiles before ─ prefix (scan_window.c)
 *     └─ store a quad, load the next tile's in its place ─ …
 *
 * Only totals are published, never prefixes: what a tile adds up, and in which order, is
 * a rule of its number alone, so results are the same in every run.
 *
 * Every wait ends. Tiles are drawn in order, by a counter, so on devices that keep
 * running what they have begun no word is missing for long. Where that does not hold, a
 * workgroup that has read a missing word `patience` times gives up: it stores
 * nothing and leaves. The last workgroup to leave, if any gave up, does all tiles again,
 * alone and in order: what it looks at it has published itself. The same code gives the
 * same bits; only time is lost.
 *
 * What is kept across the loop are the tile's elements and little else: arguments are read
 * again from workgroup memory, for registers decide (scan_window.c).
 *
 * Where the device lacks 64-bit atomics, or is a CPU, a pass before makes the totals and
 * stores them plainly (scan_tile.c), and one tile is one workgroup's.
 *
 * TRIED on an H200, 2^28 f32, GB/s; this way 3736, without looking at all (wrong) 4126. Registers decide: two
 * workgroups share a processor if each thread has 96. All attempts: bench/results/h200-scan-attempts.tsv.
 *   all 320 threads look 2945, and wait between two looks 3260; 32 threads 3443, 64 3740, 128 3473
 *   32 threads behind a branch, 1, 2, 3, 10 totals each: 3374 3774 3757 2649, but f64 2607 to 2990
 *   tiles of 20 strips in a workgroup of 640 threads 3402; whole tiles by a branch of their own 2990
 *   loads left out behind the end, a branch each 2813; totals first, then tiles that read all of them 2052 */
#include "scan.h"

#include "memory.h"

/* ── tile after tile ────────────────────────────────────────────────────────────────── */

typedef struct ahead {
  scan_window w;
  uint32_t next;   /* workgroup memory: the tile that was drawn */
  uint32_t tile;   /* variable: the tile at hand */
  uint32_t row;    /* variable, ix: the row that acc is of */
  uint32_t groups; /* variable: workgroups that draw tiles */
  cg_var x[SCAN_MOST_QUADS];
} ahead;

/* The counter of tiles that were drawn; behind it, that of workgroups that left. */
static uint32_t counter(cg *g, uint32_t n) {
  return cg_pointer(g, g->u32, cg_plus(g, cg_slot(g, CG_SLOT_COUNTER), 4 * n));
}

static uint32_t ahead_count(cg *g, uint32_t n, uint32_t by) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  return spv_op(g->b, g->u32, SpvOpAtomicIAdd, counter(g, n), device, relaxed, by);
}

static void clear_counter(cg *g, uint32_t n) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), none = spv_u32(g->b, 0);
  spv_do(g->b, SpvOpAtomicStore, counter(g, n), device, none, none);
}

/* Tiles of all rows, u32. */
static uint32_t all_tiles(cg *g) {
  uint32_t rows = cg_slot_u32(g, CG_SLOT_ROWS);
  return cg_u(g, SpvOpIMul, rows, cg_slot_u32(g, CG_SLOT_TILES));
}

static uint32_t ahead_draw(cg *g) { return ahead_count(g, 0, spv_u32(g->b, 1)); }

static uint32_t first_draw(cg *g, const ahead *a) {
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  uint32_t drew = ahead_draw(g), aborted = scan_shared(g, a->w.aborted);
  scan_set(g, scan_shared(g, a->next), drew);
  scan_set(g, aborted, spv_u32(g->b, 0));
  spv_endif(g->b, merge);
  cg_barrier(g);
  uint32_t t = scan_get(g, g->u32, scan_shared(g, a->next));
  cg_barrier(g);
  return t;
}

/* The workgroup leaves: a bool. The last one to do so clears the counters and, if a wait timed
 * out, begins again. The lower half of their counter says how many left, the upper half how many
 * timed out. */
static uint32_t ends(cg *g, const ahead *a) {
  uint32_t again = scan_shared(g, a->next), one = spv_u32(g->b, 1);
  uint32_t none = spv_u32(g->b, 0);
  cg_barrier(g);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  uint32_t by = scan_get(g, g->u32, scan_shared(g, a->w.aborted));
  by = cg_u(g, SpvOpBitwiseOr, cg_ui(g, SpvOpShiftLeftLogical, by, 16), one);
  uint32_t n = cg_u(g, SpvOpIAdd, ahead_count(g, 1, by), by);
  uint32_t left = cg_ui(g, SpvOpBitwiseAnd, n, 0xffff);
  uint32_t last = cg_is(g, SpvOpIEqual, left, scan_get(g, g->u32, a->groups));
  uint32_t clear = spv_if(g->b, last);
  clear_counter(g, 0);
  clear_counter(g, 1);
  spv_endif(g->b, clear);
  uint32_t lost = cg_ui(g, SpvOpShiftRightLogical, n, 16);
  scan_set(g, again, cg_pick(g, g->u32, last, lost, none));
  spv_endif(g->b, merge);
  scan_set(g, a->groups, one);
  cg_barrier(g);
  uint32_t over = cg_is_zero(g, scan_get(g, g->u32, again));
  cg_barrier(g);
  return over;
}

/* Where the tile is; there is none behind the last. */
static void find_tile(cg *g, scan *z, uint32_t tile) {
  g->wid = cg_least(g, g->u32, tile, cg_ui(g, SpvOpISub, all_tiles(g), 1));
  scan_find(g, z);
}

/* Publishes the total of the tile at hand, but of a row's last. Tests have some tiles keep
 * theirs to themselves, while there are others to wait for them. */
static void announce(cg *g, const scan *z, const ahead *a, cg_acc total) {
  uint32_t starve = scan_opts(g)->starve, tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t is = cg_less(g, cg_ui(g, SpvOpIAdd, z->w.tile, 1), tiles);
  is = cg_is(g, SpvOpLogicalAnd, is, cg_is_zero(g, g->thread));
  if (starve) {
    uint32_t rest = cg_ui(g, SpvOpUMod, z->w.tile, starve);
    uint32_t told = cg_is(g, SpvOpINotEqual, rest, spv_u32(g->b, starve - 1));
    uint32_t groups = scan_get(g, g->u32, a->groups);
    uint32_t alone = cg_is(g, SpvOpIEqual, groups, spv_u32(g->b, 1));
    told = cg_is(g, SpvOpLogicalOr, told, alone);
    is = cg_is(g, SpvOpLogicalAnd, is, told);
  }
  uint32_t merge = spv_if(g->b, is);
  scan_window_publish(g, &a->w, z->w.tile, total);
  spv_endif(g->b, merge);
}

static void same_row(cg *g, const scan *z, const ahead *a) {
  uint32_t other = cg_is(g, SpvOpINotEqual, scan_get(g, g->ix, a->row), z->w.row);
  uint32_t merge = spv_if(g->b, other);
  scan_begin_row(g, &a->w);
  scan_set(g, a->row, z->w.row);
  spv_endif(g->b, merge);
}

static void ahead_keep(cg *g, const scan *z, const ahead *a) {
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++) cg_var_set(g, a->x[r], z->x[r]);
  g->lanes = 1;
}

/* From here on the quads of a tile have one address, and constants behind it. */
static void by_origin(cg *g, scan *z) {
  for (uint32_t k = 0; k < z->parts; k++) {
    uint32_t first = z->p[k * z->groups].i,
             most = cg_ixc(g, scan_strip(g->k) + CG_BEFORE);
    uint32_t end = cg_beyond(g, g->len, CG_BEFORE);
    uint32_t left = cg_x(g, SpvOpISub, end, cg_least(g, g->ix, first, end));
    left = cg_to_u32(g, cg_least(g, g->ix, left, most));
    for (uint32_t i = 0; i < z->groups; i++) {
      cg_pos *p = &z->p[k * z->groups + i];
      p->origin = first;
      p->skip = i * KIR_SCAN_GROUP;
      p->left = left;
    }
  }
}

/* Stores the tile; where a quad was, the next tile's is loaded. */
static void trade(cg *g, scan *z, const ahead *a, const scan_part *before,
                  uint32_t next) {
  scan to = *z;
  cg_read_again(g);
  find_tile(g, z, scan_get(g, g->u32, a->tile));
  find_tile(g, &to, next);
  by_origin(g, z);
  for (uint32_t r = 0; r < z->quads; r++) {
    scan_put(g, z, r, before[r / z->groups]);
    g->lanes = 4;
    cg_var_set(g, a->x[r], cg_source(g, &to.p[r], NULL));
    g->lanes = 1;
  }
}

static void open_ahead(cg *g, const scan *z, ahead *a) {
  scan_open_window(g, z, &a->w, (uint32_t)cg_acc_bytes(g->k) / 4);
  a->next = spv_shared(g->b, g->u32, 1);
  a->tile = spv_local(g->b, g->u32, 0);
  a->row = spv_local(g->b, g->ix, 0);
  a->groups = spv_local(g->b, g->u32, 0);
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++) a->x[r] = cg_local_acc(g, cg_identity(g));
  g->lanes = 1;
}

/* Tile after tile, until there are no more. */
static void walk(cg *g, scan *z, ahead *a) {
  scan_part off[SCAN_MOST_PARTS];
  uint32_t drew = spv_local(g->b, g->u32, 0), aborted = 0;
  spv_loop l = spv_forever(g->b);
  uint32_t tile = scan_get(g, g->u32, a->tile);
  cg_read_again(g);
  spv_break_if(g->b, &l, cg_is(g, SpvOpUGreaterThanEqual, tile, all_tiles(g)));
  find_tile(g, z, tile);
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++) z->x[r] = cg_var_get(g, a->x[r]);
  g->lanes = 1;
  scan_sums(g, z);
  if (!z->commutes) scan_inside(g, z);
  cg_barrier(g);
  cg_acc total = scan_offsets(g, z, off);
  scan_find_window(g, z, &a->w);
  announce(g, z, a, total);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  scan_set(g, drew, ahead_draw(g));
  spv_endif(g->b, merge);
  if (z->commutes) scan_inside(g, z);
  same_row(g, z, a);
  merge = spv_if(g->b, cg_is_zero(g, g->thread));
  uint32_t number = scan_get(g, g->u32, drew);
  scan_set(g, scan_shared(g, a->next), number);
  spv_endif(g->b, merge);
  uint32_t full = scan_go_down(g, &a->w, &aborted);
  spv_break_if(g->b, &l, aborted);
  uint32_t next = scan_get(g, g->u32, scan_shared(g, a->next));
  scan_part pre = scan_prefix(g, &a->w, full);
  for (uint32_t k = 0; k < z->parts; k++) off[k] = scan_join(g, pre, off[k], 0);
  trade(g, z, a, off, next);
  scan_set(g, a->tile, next);
  spv_again(g->b, &l);
}

void scan_ahead(cg *g, scan *z) {
  ahead a = {0};
  cg_hold_args(g);
  open_ahead(g, z, &a);
  scan_set(g, a.groups, cg_slot_u32(g, CG_SLOT_GROUPS));
  spv_loop l = spv_forever(g->b);
  scan_begin_row(g, &a.w);
  scan_set(g, a.row, cg_ixc(g, 0));
  uint32_t tile = first_draw(g, &a);
  scan_set(g, a.tile, tile);
  find_tile(g, z, tile);
  scan_load(g, z);
  ahead_keep(g, z, &a);
  walk(g, z, &a);
  spv_break_if(g->b, &l, ends(g, &a));
  spv_again(g->b, &l);
}
