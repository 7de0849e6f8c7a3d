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
 * So a column needs a register for each level of the fold tree, and every element is read
 * once.
 *
 * A thread goes down a tile; the carries between tiles are made before (the tiles' totals
 * by reduce_strided, their scan by this template). Where columns are too few to keep a
 * device busy there are three phases: threads go down groups for their totals alone
 * (upsweep); these become, tile by tile, what comes before each group (exclusive
 * offsets); threads go down groups again, from there (downsweep).
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

bool scan_columns_serves(const cg_task *t) { return t->kind == CG_TASK_SCAN; }

/* Elements per load: fours of columns, if there are enough of these still. */
static uint32_t columns_width(const cg_task *t, int64_t pieces) {
  if (cg_is_small(t->rows * t->len * t->inner) || cg_acc_bytes(t->k) != 4) return 1;
  if (t->inner % 4 || t->inner < 32) return 1;
  return t->rows * t->inner * pieces >= 4 * ENOUGH_THREADS ? 4 : 1;
}

/* Quads whose loads are issued together: no loads in vain. */
static uint32_t quads_at_once(const cg_task *t, uint32_t width) {
  bool small = cg_is_small(t->rows * t->len * t->inner);
  bool long_producer = !t->from_partials && t->k->fold_at > CG_LONG_PRODUCER;
  uint32_t n = 16 / (uint32_t)cg_acc_bytes(t->k);
  if (width == 4 || long_producer || small || n == 0) return 1;
  while (n > 1 && 2 * (int64_t)n >= t->len) n /= 2;
  return n;
}

static cg_pass *add_phase(const cg_task *t, cg_passes *p, scan_phase phase) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_COLUMNS);
  scan_columns_opts *o = &s->o.scan_columns;
  scan_columns_geom *z = &s->geom.scan_columns;
  s->geom.tiles = ceil_div(t->len, TILE);
  z->groups = ceil_div(t->len, GROUP);
  z->pieces = s->geom.tiles;
  if (phase == SCAN_GROUP_TOTALS || phase == SCAN_GROUPS) z->pieces = z->groups;
  s->o.width = columns_width(t, z->pieces);
  o->phase = phase;
  o->quads = quads_at_once(t, s->o.width);
  int64_t columns = t->rows * t->inner / s->o.width;
  z->across_log2 = min_i64(ceil_log2(columns), 8);
  z->blocks = ceil_div(columns, INT64_C(1) << z->across_log2);
  s->geom.workgroups = z->blocks * ceil_div(z->pieces, CG_WORKGROUP >> z->across_log2);
  return s;
}

static void read_carry(cg_pass *s, cg_buffer from) {
  s->o.scan_columns.carry = 1;
  s->carry = from;
}

void scan_columns_by_tiles(const cg_task *t, cg_passes *p) {
  cg_pass *tiles = add_phase(t, p, SCAN_TILES);
  p->tiles = tiles->geom.tiles;
  if (p->tiles > 1) read_carry(tiles, CG_CARRY);
}

void scan_columns_by_groups(const cg_task *t, cg_passes *p) {
  cg_pass *totals = add_phase(t, p, SCAN_GROUP_TOTALS);
  cg_pass *offsets = add_phase(t, p, SCAN_GROUP_OFFSETS);
  cg_pass *groups = add_phase(t, p, SCAN_GROUPS);
  totals->to = CG_OWN;
  offsets->from = CG_OWN;
  offsets->to = CG_OWN;
  p->tiles = offsets->geom.tiles;
  if (p->tiles > 1) read_carry(offsets, CG_CARRY);
  read_carry(groups, CG_OWN);
  p->own = t->rows * t->inner * totals->geom.scan_columns.groups;
}

void scan_columns_passes(const cg_task *t, cg_passes *p) {
  int64_t threads = t->rows * t->inner * ceil_div(t->len, TILE);
  bool few = threads < ENOUGH_THREADS && t->len > 2 * GROUP;
  if (few && !t->from_partials) scan_columns_by_groups(t, p);
  else scan_columns_by_tiles(t, p);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* What comes before something, if there is anything: an accumulator, and a variable that
 * says so. */
typedef struct prefix {
  cg_var acc;
  uint32_t is;
} prefix;

typedef struct scan {
  cg_column column;
  uint32_t piece;       /* u32: tile or group of the column */
  uint32_t left;        /* u32: its elements; 0 for a thread without work */
  uint32_t first, base; /* ix: position and number of its first element */
  prefix quad, group,
      tile;      /* before the next quad C∘G∘T, before its group C∘G, its tile C */
  cg_var newest; /* the newest quad's prefix in the group */
  cg_var quads[5]; /* the counters' digits */
  cg_var groups[6];
  cg_acc near[3]; /* those that come and go within a batch of quads */
} scan;

static uint32_t false_variable(cg *g) {
  return spv_local(g->b, spv_bool(g->b), spv_true(g->b, false, 1));
}

static uint32_t has(cg *g, const prefix *p) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLoad, p->is);
}

static void now_there(cg *g, const prefix *p) {
  spv_do(g->b, SpvOpStore, p->is, spv_true(g->b, true, 1));
}

static bool of_groups(const cg *g) {
  return opts(g)->phase == SCAN_GROUP_TOTALS || opts(g)->phase == SCAN_GROUPS;
}

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static void scan_place(cg *g, scan *z) {
  cg_column *c = &z->column;
  uint32_t log = cg_slot_u32(g, SLOT(across_log2)), blocks = cg_slot_u32(g, SLOT(blocks));
  uint32_t none = spv_u32(g->b, 0);
  uint32_t across = cg_u(g, SpvOpShiftLeftLogical, spv_u32(g->b, 1), log);
  uint32_t low = cg_ui(g, SpvOpISub, across, 1);
  uint32_t q = cg_u(g, SpvOpUDiv, g->wid, blocks), len = cg_slot_ix(g, CG_SLOT_LEN);
  uint32_t block = cg_u(g, SpvOpISub, g->wid, cg_u(g, SpvOpIMul, q, blocks));
  uint32_t x = cg_u(g, SpvOpIMul, block, across);
  x = cg_u(g, SpvOpIAdd, x, cg_u(g, SpvOpBitwiseAnd, g->thread, low));
  uint32_t down = cg_u(g, SpvOpShiftRightLogical, spv_u32(g->b, CG_WORKGROUP), log);
  uint32_t piece = cg_u(g, SpvOpIMul, q, down);
  piece = cg_u(g, SpvOpIAdd, piece, cg_u(g, SpvOpShiftRightLogical, g->thread, log));
  c->inner = cg_slot_ix(g, CG_SLOT_INNER);
  c->at = cg_x(g, SpvOpIMul, cg_to_ix(g, x), cg_ixc(g, g->o->width));
  uint32_t all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), c->inner);
  uint32_t valid = cg_less(g, c->at, all);
  uint32_t there = cg_less(g, piece, cg_slot_u32(g, SLOT(pieces)));
  valid = cg_is(g, SpvOpLogicalAnd, valid, there);
  c->at = cg_pick(g, g->ix, valid, c->at, cg_ixc(g, 0));
  z->piece = cg_pick(g, g->u32, valid, piece, none);
  c->row = cg_x(g, SpvOpUDiv, c->at, c->inner);
  uint32_t size = cg_ixc(g, of_groups(g) ? GROUP : TILE);
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, z->piece), size);
  uint32_t left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, len, first), size));
  z->first = first;
  z->left = cg_pick(g, g->u32, valid, left, none);
  uint32_t j = cg_x(g, SpvOpISub, c->at, cg_x(g, SpvOpIMul, c->row, c->inner));
  uint32_t i = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, c->row, len), first);
  z->base = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, i, c->inner), j);
}

/* ── what comes before ──────────────────────────────────────────────────────────────── */

/* What comes before, ∘ b. If there is nothing the prefix is the identity. */
static cg_acc after(cg *g, const prefix *a, cg_acc b) {
  cg_acc v = cg_combine(g, cg_var_get(g, a->acc), b, 0);
  if (!cg_fold_selects(g->k)) return v;
  return cg_acc_sel(g, cg_splat(g, KB, has(g, a)), v, b);
}

/* What carries into the piece, if it is not the column's first: accumulator `i` of n. */
static void read_prefix(cg *g, scan *z, uint32_t n, const prefix *to) {
  bool groups = opts(g)->phase == SCAN_GROUPS;
  uint32_t merge = spv_if(g->b, cg_less(g, spv_u32(g->b, 0), z->piece)), i = z->piece;
  if (!groups) i = cg_ui(g, SpvOpISub, i, 1);
  cg_pos p = cg_column_partial(g, &z->column, n, i);
  cg_var_set(g, to->acc, cg_get_acc(g, cg_slot(g, CG_SLOT_CARRY), &p));
  now_there(g, to);
  spv_endif(g->b, merge);
}

/* A counter in binary whose lowest digit here is number `from` of `levels`. */
typedef struct counter {
  const cg_var *digit;
  int from, levels;
} counter;

/* t joins the digits that are set in `at`. With `keep` it stays on the lowest that is
 * not. */
static cg_acc count(cg *g, const counter *c, uint32_t at, cg_acc t, bool keep) {
  cg_var v = cg_var_acc(g, t);
  for (int k = c->from; k < c->levels; k++) {
    uint32_t bit = 1u << (k - c->from), low = cg_ui(g, SpvOpBitwiseAnd, at, 2 * bit - 1);
    uint32_t set = cg_is(g, SpvOpUGreaterThanEqual, low, spv_u32(g->b, bit));
    uint32_t merge = spv_if(g->b, set);
    cg_acc d = cg_var_get(g, c->digit[k]);
    cg_var_set(g, v, cg_combine(g, d, cg_var_get(g, v), 0));
    spv_endif(g->b, merge);
    if (!keep) continue;
    merge = spv_if(g->b, cg_is(g, SpvOpIEqual, low, spv_u32(g->b, bit - 1)));
    cg_var_set(g, c->digit[k], cg_var_get(g, v));
    spv_endif(g->b, merge);
  }
  return cg_var_get(g, v);
}

/* Group number `at` of the tile has total t: C∘G of the next. */
static void scan_group(cg *g, scan *z, uint32_t at, cg_acc t) {
  const counter groups = {z->groups, 0, ARRAY_LEN(z->groups)};
  t = count(g, &groups, at, t, true);
  t = after(g, &z->tile, t);
  cg_var_set(g, z->group.acc, t);
  cg_var_set(g, z->quad.acc, t);
  now_there(g, &z->group);
  now_there(g, &z->quad);
}

/* Quad m of batch `it` has total t. */
static void scan_quad(cg *g, scan *z, uint32_t it, uint32_t m, cg_acc t) {
  const counter quads = {z->quads, (int)cg_log2(opts(g)->quads), ARRAY_LEN(z->quads)};
  bool kept = false, last = m + 1 == opts(g)->quads;
  for (int k = 0; k < quads.from; k++) {
    bool set = m >> k & 1;
    if (set) t = cg_combine(g, z->near[k], t, 0);
    else if (!kept) z->near[k] = t;
    kept = kept || !set;
  }
  t = count(g, &quads, it, t, last);
  if (opts(g)->phase == SCAN_GROUP_TOTALS) {
    cg_var_set(g, z->newest, t);
    return;
  }
  cg_var_set(g, z->quad.acc, after(g, &z->group, t));
  now_there(g, &z->quad);
  if (opts(g)->phase != SCAN_TILES || !last) return;
  uint32_t all = GROUP / 4 / opts(g)->quads, in = cg_ui(g, SpvOpBitwiseAnd, it, all - 1);
  uint32_t merge = spv_if(g->b, cg_is(g, SpvOpIEqual, in, spv_u32(g->b, all - 1)));
  scan_group(g, z, cg_ui(g, SpvOpShiftRightLogical, it, cg_log2(all)), t);
  spv_endif(g->b, merge);
}

/* ── going down ─────────────────────────────────────────────────────────────────────── */

static void scan_store(cg *g, cg_pos *p, uint32_t is, cg_acc v) {
  uint32_t merge = spv_if(g->b, is);
  p->ok = 0;
  cg_finish(g, cg_result(g), p, v, 0);
  spv_endif(g->b, merge);
}

/* A batch of quads: all loads, then quad by quad. */
static void scan_batch(cg *g, scan *z, uint32_t it) {
  uint32_t n = 4 * opts(g)->quads, is[4 * MOST_QUADS], raw[4 * MOST_QUADS][KIR_MAX_IN];
  cg_pos p[4 * MOST_QUADS];
  cg_acc s[4], none = cg_identity(g);
  uint32_t place = cg_ui(g, SpvOpIMul, it, n);
  uint32_t inner = z->column.inner;
  uint32_t at = cg_x(g, SpvOpIMul, cg_to_ix(g, place), inner);
  at = cg_x(g, SpvOpIAdd, z->base, at);
  uint32_t down = cg_x(g, SpvOpIAdd, z->first, cg_to_ix(g, place));
  for (uint32_t e = 0; e < n; e++) {
    if (e) at = cg_x(g, SpvOpIAdd, at, inner);
    is[e] = cg_less(g, cg_next(g, place, e), z->left);
    p[e] = (cg_pos){.i = cg_pick(g, g->ix, is[e], at, z->base)};
    p[e].ok = cg_splat(g, KB, is[e]);
    p[e].iota = cg_x(g, SpvOpIAdd, down, cg_ixc(g, e));
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[e], raw[e]);
  }
  for (uint32_t m = 0; m < opts(g)->quads; m++) {
    for (uint32_t e = 0; e < 4; e++) {
      cg_pos *at4 = &p[4 * m + e];
      cg_acc x = cg_acc_sel(g, at4->ok, cg_source(g, at4, raw[4 * m + e]), none);
      s[e] = x;
      if (e) s[e] = cg_combine(g, s[e - 1], x, 0);
    }
    for (uint32_t e = 0; e < 4 && opts(g)->phase != SCAN_GROUP_TOTALS; e++)
      scan_store(g, &p[4 * m + e], is[4 * m + e], after(g, &z->quad, s[e]));
    scan_quad(g, z, it, m, s[3]);
  }
}

static void scan_down(cg *g, scan *z) {
  /* A product may escape in a total that is not used. So that host and device agree on
   * it, whole groups are gone through, as tables/fold.h says. */
  uint32_t n = 4 * opts(g)->quads, unit = n;
  if (cg_fold_escapes(g->k) && opts(g)->phase == SCAN_TILES) unit = GROUP;
  uint32_t count = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, z->left, unit - 1), unit);
  if (unit > n) count = cg_ui(g, SpvOpIMul, count, unit / n);
  spv_loop l = spv_for(g->b, count);
  scan_batch(g, z, l.i);
  spv_endfor(g->b, &l);
}

/* Groups' totals become what comes before each, where they stand. */
static void scan_offsets(cg *g, scan *z) {
  uint32_t to = cg_slot(g, CG_SLOT_TO), groups = cg_slot_u32(g, SLOT(groups));
  uint32_t n = cg_slot_ix(g, SLOT(groups)), left = z->left;
  left = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, left, GROUP - 1), GROUP);
  uint32_t first = cg_ui(g, SpvOpIMul, z->piece, TILE_GROUPS);
  uint32_t last = cg_ui(g, SpvOpISub, groups, 1);
  uint32_t batches = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, left, BATCH - 1), BATCH);
  spv_loop l = spv_for(g->b, batches);
  cg_pos p[BATCH];
  cg_acc t[BATCH];
  uint32_t i[BATCH];
  for (uint32_t m = 0; m < BATCH; m++) {
    i[m] = cg_ui(g, SpvOpIMul, l.i, BATCH);
    if (m) i[m] = cg_ui(g, SpvOpIAdd, i[m], m);
    uint32_t at = cg_least(g, g->u32, cg_u(g, SpvOpIAdd, first, i[m]), last);
    p[m] = cg_column_partial(g, &z->column, n, at);
    t[m] = cg_get_acc(g, to, &p[m]);
  }
  for (uint32_t m = 0; m < BATCH; m++) {
    uint32_t merge = spv_if(g->b, cg_less(g, i[m], left));
    cg_put_acc(g, to, &p[m], cg_var_get(g, z->quad.acc));
    scan_group(g, z, i[m], t[m]);
    spv_endif(g->b, merge);
  }
  spv_endfor(g->b, &l);
}

static void scan_begin(cg *g, scan *z) {
  cg_acc none = cg_identity(g);
  cg_var *all[] = {&z->quad.acc, &z->group.acc, &z->tile.acc, &z->newest};
  for (uint32_t i = 0; i < ARRAY_LEN(all); i++) *all[i] = cg_local_acc(g, none);
  for (uint32_t i = 0; i < ARRAY_LEN(z->quads); i++) z->quads[i] = cg_local_acc(g, none);
  for (uint32_t i = 0; i < ARRAY_LEN(z->groups); i++)
    z->groups[i] = cg_local_acc(g, none);
  z->quad.is = false_variable(g);
  z->group.is = false_variable(g);
  z->tile.is = false_variable(g);
  if (!opts(g)->carry) return;
  const prefix *own = &z->tile;
  uint32_t n;
  if (opts(g)->phase == SCAN_GROUPS) {
    own = &z->group;
    n = cg_slot_ix(g, SLOT(groups));
  } else {
    n = cg_x(g, SpvOpISub, cg_slot_ix(g, CG_SLOT_TILES), cg_ixc(g, 1));
  }
  read_prefix(g, z, n, own);
  uint32_t merge = spv_if(g->b, has(g, own));
  cg_acc v = cg_var_get(g, own->acc);
  cg_var_set(g, z->quad.acc, v);
  cg_var_set(g, z->group.acc, v);
  now_there(g, &z->quad);
  now_there(g, &z->group);
  spv_endif(g->b, merge);
}

void scan_columns_emit(cg *g) {
  scan z = {0};
  assert(opts(g)->quads <= MOST_QUADS || opts(g)->phase == SCAN_GROUP_OFFSETS);
  scan_place(g, &z);
  cg_flat(g);
  g->lanes = g->o->width;
  scan_begin(g, &z);
  if (opts(g)->phase == SCAN_GROUP_OFFSETS) scan_offsets(g, &z);
  else scan_down(g, &z);
  if (opts(g)->phase != SCAN_GROUP_TOTALS) return;
  uint32_t merge = spv_if(g->b, cg_less(g, spv_u32(g->b, 0), z.left));
  uint32_t n = cg_slot_ix(g, SLOT(groups));
  cg_pos p = cg_column_partial(g, &z.column, n, z.piece);
  cg_acc total = cg_var_get(g, z.newest);
  cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, total);
  spv_endif(g->b, merge);
}
