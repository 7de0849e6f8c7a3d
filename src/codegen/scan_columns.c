/* SPDX-License-Identifier: MIT */
/* scan_columns.c - scans of columns that lie side by side.
 *
 *       x ──▶ columns (of all rows), a thread has one, or four in a quad
 *     │ ┌─────────────┐
 *     │ │  quads of 4 elements, one below the other: scanned in registers
 *     ▼ │  totals of quads: a counter in binary, whose digit k is the total of the aligned 2^k
 *       │  quads that stand before; Sklansky's prefix of a quad joins the digits that are set
 *       │  totals of groups (32 quads): another counter. What comes before a quad is C∘G∘T.
 *
 * So a column needs a register for each level of the fold tree, and every element is read once.
 *
 * A thread goes down a tile; the carries between tiles are made before (the tiles' totals by
 * reduce_strided, their scan by this template). Where columns are too few to keep a device busy
 * there are three phases: threads go down groups for their totals alone (upsweep); these
 * become, tile by tile, what comes before each group (exclusive offsets); threads go down
 * groups again, from there (downsweep).
 *
 * Rows behind the column's end are identities, which change nothing. */
#include "template.h"

#include "../base/arith.h"

#include <assert.h>

#define SLOT(field) CG_OWN_SLOT(scan_columns_geom, field)

static const scan_columns_opts *opts(const cg *g) { return &g->o->scan_columns; }

enum {
  MOST_QUADS = 4,
  GROUP = 128,
  TILE_GROUPS = 64,
  BATCH = 8,
  TILE = GROUP * TILE_GROUPS
};
enum { ENOUGH_THREADS = 1 << 16 }; /* that keep a large device busy */

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool scan_columns_serves(const cg_task *t) { return t->step == CG_STEP_SCAN; }

/* Elements per load: fours of columns, if there are enough of these still. */
static uint32_t columns_width(const cg_task *t, int64_t pieces) {
  if (cg_is_small(t->rows * t->len * t->inner) || cg_acc_bytes(t->k) != 4) return 1;
  if (t->inner % 4 || t->inner < 32) return 1;
  return t->rows * t->inner * pieces >= 4 * ENOUGH_THREADS ? 4 : 1;
}

/* Quads whose loads are issued together: no loads in vain. */
static uint32_t quads_at_once(const cg_task *t, uint32_t width) {
  bool small = cg_is_small(t->rows * t->len * t->inner);
  bool long_producer = !t->from_partials && t->k->fold_at > 48;
  uint32_t n = 16 / (uint32_t)cg_acc_bytes(t->k);
  if (width == 4 || long_producer || small) return 1;
  while (n > 1 && 2 * (int64_t)n >= t->len) n /= 2;
  return n;
}

static cg_pass *add_phase(const cg_task *t, cg_passes *p, scan_phase phase) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_COLUMNS);
  scan_columns_opts *o = &s->o.scan_columns;
  scan_columns_geom *z = &s->z.scan_columns;
  s->z.tiles = ceil_div(t->len, TILE);
  z->groups = ceil_div(t->len, GROUP);
  z->pieces = s->z.tiles;
  if (phase == SCAN_GROUP_TOTALS || phase == SCAN_GROUPS) z->pieces = z->groups;
  s->o.width = columns_width(t, z->pieces);
  o->phase = phase;
  o->quads = quads_at_once(t, s->o.width);
  int64_t columns = t->rows * t->inner / s->o.width;
  z->across_log2 = min_i64(ceil_log2(columns), 8);
  z->blocks = ceil_div(columns, INT64_C(1) << z->across_log2);
  s->z.groups = z->blocks * ceil_div(z->pieces, CG_WORKGROUP >> z->across_log2);
  return s;
}

static void read_carry(cg_pass *s, cg_buffer from) {
  s->o.scan_columns.carry = 1;
  s->carry = from;
}

void scan_columns_by_tiles(const cg_task *t, cg_passes *p) {
  cg_pass *tiles = add_phase(t, p, SCAN_TILES);
  p->tiles = tiles->z.tiles;
  if (p->tiles > 1) read_carry(tiles, CG_CARRY);
}

void scan_columns_by_groups(const cg_task *t, cg_passes *p) {
  cg_pass *totals = add_phase(t, p, SCAN_GROUP_TOTALS);
  cg_pass *offsets = add_phase(t, p, SCAN_GROUP_OFFSETS);
  cg_pass *groups = add_phase(t, p, SCAN_GROUPS);
  totals->to = offsets->to = CG_OWN;
  p->tiles = offsets->z.tiles;
  if (p->tiles > 1) read_carry(offsets, CG_CARRY);
  read_carry(groups, CG_OWN);
  p->own = t->rows * t->inner * totals->z.scan_columns.groups;
}

void scan_columns_passes(const cg_task *t, cg_passes *p) {
  int64_t threads = t->rows * t->inner * ceil_div(t->len, TILE);
  bool few = threads < ENOUGH_THREADS && t->len > 2 * GROUP;
  if (few && !t->from_partials) scan_columns_by_groups(t, p);
  else scan_columns_by_tiles(t, p);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct scan {
  uint32_t row, at, inner; /* ix: of the column: its row, its number, the first of four */
  uint32_t piece;          /* u32: tile or group of the column */
  uint32_t left;           /* u32: its elements; 0 for a thread without work */
  uint32_t first, base;    /* ix: position and number of its first element */
  uint32_t has, has_cg,
      has_c; /* variables: is there anything before the quad, the group; C? */
  cg_cell before, cg, c, last; /* C∘G∘T, C∘G, C; the newest quad's prefix */
  cg_cell quad[5], group[6];   /* the counters' digits */
  cg_acc near[3];              /* those that come and go within a batch of quads */
} scan;

static uint32_t scan_bool(cg *g) {
  return spv_local(g->b, spv_bool(g->b), spv_true(g->b, false, 1));
}
static uint32_t scan_is(cg *g, uint32_t var) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLoad, var);
}
static void scan_set(cg *g, uint32_t var) {
  spv_do(g->b, SpvOpStore, var, spv_true(g->b, true, 1));
}

static bool of_groups(const cg *g) {
  return opts(g)->phase == SCAN_GROUP_TOTALS || opts(g)->phase == SCAN_GROUPS;
}

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static void scan_place(cg *g, scan *z) {
  uint32_t log = cg_slot_u32(g, SLOT(across_log2)), blocks = cg_slot_u32(g, SLOT(blocks)),
           none = spv_u32(g->b, 0);
  uint32_t across = cg_u(g, SpvOpShiftLeftLogical, spv_u32(g->b, 1), log),
           low = cg_ui(g, SpvOpISub, across, 1);
  uint32_t q = cg_u(g, SpvOpUDiv, g->wid, blocks), len = cg_slot_ix(g, CG_SLOT_LEN);
  uint32_t block = cg_u(g, SpvOpISub, g->wid, cg_u(g, SpvOpIMul, q, blocks));
  uint32_t x = cg_u(g, SpvOpIMul, block, across);
  x = cg_u(g, SpvOpIAdd, x, cg_u(g, SpvOpBitwiseAnd, g->thread, low));
  uint32_t down = cg_u(g, SpvOpShiftRightLogical, spv_u32(g->b, 256), log);
  z->piece = cg_u(g, SpvOpIMul, q, down);
  z->piece =
      cg_u(g, SpvOpIAdd, z->piece, cg_u(g, SpvOpShiftRightLogical, g->thread, log));
  z->inner = cg_slot_ix(g, CG_SLOT_INNER);
  z->at = cg_x(g, SpvOpIMul, cg_to_ix(g, x), cg_ixc(g, g->o->width));
  uint32_t all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), z->inner);
  uint32_t valid = cg_less(g, z->at, all),
           there = cg_less(g, z->piece, cg_slot_u32(g, SLOT(pieces)));
  valid = spv_op(g->b, spv_bool(g->b), SpvOpLogicalAnd, valid, there);
  z->at = spv_op(g->b, g->ix, SpvOpSelect, valid, z->at, cg_ixc(g, 0));
  z->piece = spv_op(g->b, g->u32, SpvOpSelect, valid, z->piece, none);
  z->row = cg_x(g, SpvOpUDiv, z->at, z->inner);
  uint32_t size = cg_ixc(g, of_groups(g) ? GROUP : TILE);
  uint32_t first = z->first = cg_x(g, SpvOpIMul, cg_to_ix(g, z->piece), size);
  uint32_t left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, len, first), size));
  z->left = spv_op(g->b, g->u32, SpvOpSelect, valid, left, none);
  uint32_t j = cg_x(g, SpvOpISub, z->at, cg_x(g, SpvOpIMul, z->row, z->inner));
  uint32_t i = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, z->row, len), first);
  z->base = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, i, z->inner), j);
}

/* Where number `i` of n accumulators of this column stands: (row × n + i) × inner + j. */
static cg_pos scan_partial(cg *g, const scan *z, uint32_t n, uint32_t i) {
  uint32_t less1 = cg_x(g, SpvOpISub, n, cg_ixc(g, 1));
  uint32_t skip = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, z->row, less1), cg_to_ix(g, i));
  return (cg_pos){.i = cg_x(g, SpvOpIAdd, z->at, cg_x(g, SpvOpIMul, skip, z->inner))};
}

/* ── what comes before ──────────────────────────────────────────────────────────────── */

/* a ∘ b, or b where `is` (a variable) says that there is no a, which then is the identity. */
static cg_acc scan_join(cg *g, uint32_t is, cg_acc a, cg_acc b) {
  cg_acc v = cg_combine(g, a, b, 0);
  return cg_fold_selects(g->k) ? cg_acc_sel(g, cg_splat(g, KB, scan_is(g, is)), v, b) : v;
}

/* The carry of the piece, if it is not the column's first: from n accumulators a column. */
static void scan_carry(cg *g, scan *z, uint32_t n, cg_cell to, uint32_t is, bool own) {
  uint32_t zero = spv_u32(g->b, 0), some = cg_less(g, zero, z->piece),
           merge = spv_if(g->b, some);
  uint32_t i = own ? z->piece : cg_ui(g, SpvOpISub, z->piece, 1);
  cg_pos p = scan_partial(g, z, n, i);
  cg_cell_set(g, to, cg_get_acc(g, cg_slot(g, CG_SLOT_CARRY), &p));
  scan_set(g, is);
  spv_endif(g->b, merge);
}

/* t joins the digits of place `at` that are set, in a counter whose lowest digit here is number
 * `from` of `levels`. With `keep` it stays on the lowest level that is not set. */
static cg_acc scan_count(cg *g, cg_cell *digit, int from, int levels, uint32_t at,
                         cg_acc t, bool keep) {
  cg_cell v = cg_var_acc(g, t);
  for (int k = from; k < levels; k++) {
    uint32_t bit = 1u << (k - from), low = cg_ui(g, SpvOpBitwiseAnd, at, 2 * bit - 1);
    uint32_t set =
        spv_op(g->b, spv_bool(g->b), SpvOpUGreaterThanEqual, low, spv_u32(g->b, bit));
    uint32_t merge = spv_if(g->b, set);
    cg_acc d = cg_cell_get(g, digit[k]);
    cg_cell_set(g, v, cg_combine(g, d, cg_cell_get(g, v), 0));
    spv_endif(g->b, merge);
    if (!keep) continue;
    merge = spv_if(
        g->b, spv_op(g->b, spv_bool(g->b), SpvOpIEqual, low, spv_u32(g->b, bit - 1)));
    cg_cell_set(g, digit[k], cg_cell_get(g, v));
    spv_endif(g->b, merge);
  }
  return cg_cell_get(g, v);
}

/* Group number `at` of the tile has total t: C∘G of the next. */
static void scan_group(cg *g, scan *z, uint32_t at, cg_acc t) {
  t = scan_count(g, z->group, 0, 6, at, t, true);
  t = scan_join(g, z->has_c, cg_cell_get(g, z->c), t);
  cg_cell_set(g, z->cg, t);
  cg_cell_set(g, z->before, t);
  scan_set(g, z->has_cg);
  scan_set(g, z->has);
}

/* Quad m of batch `it` has total t. */
static void scan_quad(cg *g, scan *z, uint32_t it, uint32_t m, cg_acc t) {
  int near = (int)cg_log2(opts(g)->quads);
  bool kept = false, last = m + 1 == opts(g)->quads;
  for (int k = 0; k < near; k++) {
    if (m >> k & 1) t = cg_combine(g, z->near[k], t, 0);
    else if (!kept) z->near[k] = t, kept = true;
  }
  t = scan_count(g, z->quad, near, 5, it, t, last);
  if (opts(g)->phase == SCAN_GROUP_TOTALS) {
    cg_cell_set(g, z->last, t);
    return;
  }
  cg_cell_set(g, z->before, scan_join(g, z->has_cg, cg_cell_get(g, z->cg), t));
  scan_set(g, z->has);
  if (opts(g)->phase != SCAN_TILES || !last) return;
  uint32_t all = GROUP / 4 / opts(g)->quads, in = cg_ui(g, SpvOpBitwiseAnd, it, all - 1);
  uint32_t merge =
      spv_if(g->b, spv_op(g->b, spv_bool(g->b), SpvOpIEqual, in, spv_u32(g->b, all - 1)));
  scan_group(g, z, cg_ui(g, SpvOpShiftRightLogical, it, cg_log2(all)), t);
  spv_endif(g->b, merge);
}

/* ── going down ─────────────────────────────────────────────────────────────────────── */

static void scan_store(cg *g, cg_pos *p, uint32_t is, cg_acc v) {
  uint32_t merge = spv_if(g->b, is);
  p->ok = 0;
  if (g->o->final) {
    g->val[g->k->fold_at] = cg_fold_result(g, v, 0);
    cg_range(g, g->k->fold_at + 1, g->k->n_ins, p, NULL);
    cg_put_outputs(g, p);
  } else {
    cg_put_acc(g, cg_slot(g, CG_SLOT_TO), p, v);
  }
  spv_endif(g->b, merge);
}

/* A batch of quads: all loads, then quad by quad. */
static void scan_batch(cg *g, scan *z, uint32_t it) {
  uint32_t n = 4 * opts(g)->quads, is[4 * MOST_QUADS], raw[4 * MOST_QUADS][KIR_MAX_IN];
  cg_pos p[4 * MOST_QUADS];
  cg_acc s[4], none = cg_identity(g);
  uint32_t place = cg_ui(g, SpvOpIMul, it, n);
  uint32_t at =
      cg_x(g, SpvOpIAdd, z->base, cg_x(g, SpvOpIMul, cg_to_ix(g, place), z->inner));
  uint32_t down = cg_x(g, SpvOpIAdd, z->first, cg_to_ix(g, place));
  for (uint32_t e = 0; e < n; e++) {
    if (e) at = cg_x(g, SpvOpIAdd, at, z->inner);
    is[e] = cg_less(g, e ? cg_ui(g, SpvOpIAdd, place, e) : place, z->left);
    p[e] = (cg_pos){.i = spv_op(g->b, g->ix, SpvOpSelect, is[e], at, z->base)};
    p[e].ok = cg_splat(g, KB, is[e]);
    p[e].iota = cg_x(g, SpvOpIAdd, down, cg_ixc(g, e));
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[e], raw[e]);
  }
  for (uint32_t m = 0; m < opts(g)->quads; m++) {
    for (uint32_t e = 0; e < 4; e++) {
      cg_pos *at4 = &p[4 * m + e];
      cg_acc x = cg_acc_sel(g, at4->ok, cg_source(g, at4, raw[4 * m + e]), none);
      s[e] = e ? cg_combine(g, s[e - 1], x, 0) : x;
    }
    for (uint32_t e = 0; e < 4 && opts(g)->phase != SCAN_GROUP_TOTALS; e++)
      scan_store(g, &p[4 * m + e], is[4 * m + e],
                 scan_join(g, z->has, cg_cell_get(g, z->before), s[e]));
    scan_quad(g, z, it, m, s[3]);
  }
}

static void scan_down(cg *g, scan *z) {
  /* A product may escape in a total that nobody needs: whole groups then, as kir.h has them. */
  uint32_t n = 4 * opts(g)->quads,
           unit = cg_fold_escapes(g->k) && opts(g)->phase == SCAN_TILES ? GROUP : n;
  uint32_t count = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, z->left, unit - 1), unit);
  if (unit > n) count = cg_ui(g, SpvOpIMul, count, unit / n);
  spv_loop l = spv_for(g->b, count);
  scan_batch(g, z, l.i);
  spv_endfor(g->b, &l);
}

/* Groups' totals become what comes before each, where they stand. */
static void scan_bases(cg *g, scan *z) {
  uint32_t to = cg_slot(g, CG_SLOT_TO), groups = cg_slot_u32(g, SLOT(groups)),
           n = cg_slot_ix(g, SLOT(groups));
  uint32_t count = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, z->left, GROUP - 1), GROUP);
  uint32_t first = cg_ui(g, SpvOpIMul, z->piece, TILE_GROUPS),
           last = cg_ui(g, SpvOpISub, groups, 1);
  spv_loop l =
      spv_for(g->b, cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, count, BATCH - 1), BATCH));
  cg_pos p[BATCH];
  cg_acc t[BATCH];
  uint32_t i[BATCH];
  for (uint32_t m = 0; m < BATCH; m++) {
    i[m] = cg_ui(g, SpvOpIMul, l.i, BATCH);
    if (m) i[m] = cg_ui(g, SpvOpIAdd, i[m], m);
    p[m] =
        scan_partial(g, z, n, cg_least(g, g->u32, cg_u(g, SpvOpIAdd, first, i[m]), last));
    t[m] = cg_get_acc(g, to, &p[m]);
  }
  for (uint32_t m = 0; m < BATCH; m++) {
    uint32_t merge = spv_if(g->b, cg_less(g, i[m], count));
    cg_put_acc(g, to, &p[m], cg_cell_get(g, z->before));
    scan_group(g, z, i[m], t[m]);
    spv_endif(g->b, merge);
  }
  spv_endfor(g->b, &l);
}

static void scan_begin(cg *g, scan *z) {
  cg_acc none = cg_identity(g);
  cg_cell *all[] = {&z->before, &z->cg, &z->c, &z->last};
  for (uint32_t i = 0; i < ARRAY_LEN(all); i++) *all[i] = cg_local_acc(g, none);
  for (uint32_t i = 0; i < ARRAY_LEN(z->quad); i++) z->quad[i] = cg_local_acc(g, none);
  for (uint32_t i = 0; i < ARRAY_LEN(z->group); i++) z->group[i] = cg_local_acc(g, none);
  z->has = scan_bool(g), z->has_cg = scan_bool(g), z->has_c = scan_bool(g);
  if (!opts(g)->carry) return;
  if (opts(g)->phase == SCAN_GROUPS) {
    scan_carry(g, z, cg_slot_ix(g, SLOT(groups)), z->cg, z->has_cg, true);
  } else {
    uint32_t n = cg_x(g, SpvOpISub, cg_slot_ix(g, CG_SLOT_TILES), cg_ixc(g, 1));
    scan_carry(g, z, n, z->c, z->has_c, false);
  }
  bool own = opts(g)->phase == SCAN_GROUPS;
  uint32_t is = own ? z->has_cg : z->has_c, merge = spv_if(g->b, scan_is(g, is));
  cg_acc v = cg_cell_get(g, own ? z->cg : z->c);
  cg_cell_set(g, z->before, v);
  cg_cell_set(g, z->cg, v);
  scan_set(g, z->has);
  scan_set(g, z->has_cg);
  spv_endif(g->b, merge);
}

void scan_columns_emit(cg *g) {
  scan z = {0};
  assert(opts(g)->quads <= MOST_QUADS || opts(g)->phase == SCAN_GROUP_OFFSETS);
  scan_place(g, &z);
  cg_flat(g);
  g->lanes = g->o->width;
  scan_begin(g, &z);
  if (opts(g)->phase == SCAN_GROUP_OFFSETS) scan_bases(g, &z);
  else scan_down(g, &z);
  if (opts(g)->phase != SCAN_GROUP_TOTALS) return;
  uint32_t merge = spv_if(g->b, cg_less(g, spv_u32(g->b, 0), z.left));
  cg_pos p = scan_partial(g, &z, cg_slot_ix(g, SLOT(groups)), z.piece);
  cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, cg_cell_get(g, z.last));
  spv_endif(g->b, merge);
}
