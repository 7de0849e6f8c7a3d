/* SPDX-License-Identifier: MIT */
/* march.c - scans of columns that lie side by side.
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
 *   MARCH   a thread goes down a tile; the carries between tiles are made before (the tiles'
 *           totals by the reduce template for columns, their scan by this one)
 *   GROUPS, BASES, GROUP   where columns are too few to keep a device busy: threads go down
 *           groups, first for their totals alone; these are scanned, tile by tile, to what
 *           comes before each group; then groups again, from there
 *
 * Rows behind the column's end are identities, which change nothing. */
#include "template.h"

#include "../base/arith.h"

#include <assert.h>

enum { MARCH_ITEMS = 4, MARCH_GROUP = 128, MARCH_GROUPS = 64, MARCH_BATCH = 8 };

typedef struct march {
  uint32_t row, at, inner; /* ix: of the column: its row, its number, the first of four */
  uint32_t piece;          /* u32: tile or group of the column */
  uint32_t left;           /* u32: its elements; 0 for a thread without work */
  uint32_t first, base;    /* ix: position and number of its first element */
  uint32_t has, has_cg,
      has_c; /* variables: is there anything before the quad, the group; C? */
  cg_cell before, cg, c, last; /* C∘G∘T, C∘G, C; the newest quad's prefix */
  cg_cell quad[5], group[6];   /* the counters' digits */
  cg_acc near[3];              /* those that come and go within a batch of quads */
} march;

static uint32_t march_bool(cg *g) {
  return spv_local(g->b, spv_bool(g->b), spv_true(g->b, false, 1));
}
static uint32_t march_is(cg *g, uint32_t var) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLoad, var);
}
static void march_set(cg *g, uint32_t var) {
  spv_do(g->b, SpvOpStore, var, spv_true(g->b, true, 1));
}

static bool of_groups(const cg *g) {
  return g->o->way == CG_GROUPS || g->o->way == CG_GROUP;
}

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static void march_place(cg *g, march *z) {
  uint32_t log = cg_slot_u32(g, CG_SLOT_EACH), blocks = cg_slot_u32(g, CG_SLOT_PARTS),
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
           there = cg_less(g, z->piece, cg_slot_u32(g, CG_SLOT_PART));
  valid = spv_op(g->b, spv_bool(g->b), SpvOpLogicalAnd, valid, there);
  z->at = spv_op(g->b, g->ix, SpvOpSelect, valid, z->at, cg_ixc(g, 0));
  z->piece = spv_op(g->b, g->u32, SpvOpSelect, valid, z->piece, none);
  z->row = cg_x(g, SpvOpUDiv, z->at, z->inner);
  uint32_t size = cg_ixc(g, of_groups(g) ? MARCH_GROUP : MARCH_GROUP * MARCH_GROUPS);
  uint32_t first = z->first = cg_x(g, SpvOpIMul, cg_to_ix(g, z->piece), size);
  uint32_t left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, len, first), size));
  z->left = spv_op(g->b, g->u32, SpvOpSelect, valid, left, none);
  uint32_t j = cg_x(g, SpvOpISub, z->at, cg_x(g, SpvOpIMul, z->row, z->inner));
  uint32_t i = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, z->row, len), first);
  z->base = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, i, z->inner), j);
}

/* Where number `i` of n accumulators of this column stands: (row × n + i) × inner + j. */
static cg_pos march_partial(cg *g, const march *z, uint32_t n, uint32_t i) {
  uint32_t less1 = cg_x(g, SpvOpISub, n, cg_ixc(g, 1));
  uint32_t skip = cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, z->row, less1), cg_to_ix(g, i));
  return (cg_pos){.i = cg_x(g, SpvOpIAdd, z->at, cg_x(g, SpvOpIMul, skip, z->inner))};
}

/* ── what comes before ──────────────────────────────────────────────────────────────── */

/* a ∘ b, or b where `is` (a variable) says that there is no a, which then is the identity. */
static cg_acc march_join(cg *g, uint32_t is, cg_acc a, cg_acc b) {
  cg_acc v = cg_combine(g, a, b, 0);
  return cg_scan_selects(g) ? cg_acc_sel(g, cg_splat(g, KB, march_is(g, is)), v, b) : v;
}

/* The carry of the piece, if it is not the column's first: from n accumulators a column. */
static void march_carry(cg *g, march *z, uint32_t n, cg_cell to, uint32_t is, bool own) {
  uint32_t zero = spv_u32(g->b, 0), some = cg_less(g, zero, z->piece),
           merge = spv_if(g->b, some);
  uint32_t i = own ? z->piece : cg_ui(g, SpvOpISub, z->piece, 1);
  cg_pos p = march_partial(g, z, n, i);
  cg_cell_set(g, to, cg_get_acc(g, cg_slot(g, CG_SLOT_CARRY), &p));
  march_set(g, is);
  spv_endif(g->b, merge);
}

/* t joins the digits of place `at` that are set, in a counter whose lowest digit here is number
 * `from` of `levels`. With `keep` it stays on the lowest level that is not set. */
static cg_acc march_count(cg *g, cg_cell *digit, int from, int levels, uint32_t at,
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
static void march_group(cg *g, march *z, uint32_t at, cg_acc t) {
  t = march_count(g, z->group, 0, 6, at, t, true);
  t = march_join(g, z->has_c, cg_cell_get(g, z->c), t);
  cg_cell_set(g, z->cg, t);
  cg_cell_set(g, z->before, t);
  march_set(g, z->has_cg);
  march_set(g, z->has);
}

/* Quad m of batch `it` has total t. */
static void march_quad(cg *g, march *z, uint32_t it, uint32_t m, cg_acc t) {
  int near = (int)cg_log2(g->o->items);
  bool kept = false, last = m + 1 == g->o->items;
  for (int k = 0; k < near; k++) {
    if (m >> k & 1) t = cg_combine(g, z->near[k], t, 0);
    else if (!kept) z->near[k] = t, kept = true;
  }
  t = march_count(g, z->quad, near, 5, it, t, last);
  if (g->o->way == CG_GROUPS) {
    cg_cell_set(g, z->last, t);
    return;
  }
  cg_cell_set(g, z->before, march_join(g, z->has_cg, cg_cell_get(g, z->cg), t));
  march_set(g, z->has);
  if (g->o->way != CG_MARCH || !last) return;
  uint32_t all = MARCH_GROUP / 4 / g->o->items,
           in = cg_ui(g, SpvOpBitwiseAnd, it, all - 1);
  uint32_t merge =
      spv_if(g->b, spv_op(g->b, spv_bool(g->b), SpvOpIEqual, in, spv_u32(g->b, all - 1)));
  march_group(g, z, cg_ui(g, SpvOpShiftRightLogical, it, cg_log2(all)), t);
  spv_endif(g->b, merge);
}

/* ── going down ─────────────────────────────────────────────────────────────────────── */

static void march_store(cg *g, cg_pos *p, uint32_t is, cg_acc v) {
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
static void march_batch(cg *g, march *z, uint32_t it) {
  uint32_t n = 4 * g->o->items, is[4 * MARCH_ITEMS], raw[4 * MARCH_ITEMS][KIR_MAX_IN];
  cg_pos p[4 * MARCH_ITEMS];
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
  for (uint32_t m = 0; m < g->o->items; m++) {
    for (uint32_t e = 0; e < 4; e++) {
      cg_pos *at4 = &p[4 * m + e];
      cg_acc x = cg_acc_sel(g, at4->ok, cg_source(g, at4, raw[4 * m + e]), none);
      s[e] = e ? cg_combine(g, s[e - 1], x, 0) : x;
    }
    for (uint32_t e = 0; e < 4 && g->o->way != CG_GROUPS; e++)
      march_store(g, &p[4 * m + e], is[4 * m + e],
                  march_join(g, z->has, cg_cell_get(g, z->before), s[e]));
    march_quad(g, z, it, m, s[3]);
  }
}

static void march_down(cg *g, march *z) {
  /* A product may escape in a total that nobody needs: whole groups then, as kir.h has them. */
  uint32_t n = 4 * g->o->items,
           unit = cg_fold_escapes(g->k) && g->o->way == CG_MARCH ? MARCH_GROUP : n;
  uint32_t count = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, z->left, unit - 1), unit);
  if (unit > n) count = cg_ui(g, SpvOpIMul, count, unit / n);
  spv_loop l = spv_for(g->b, count);
  march_batch(g, z, l.i);
  spv_endfor(g->b, &l);
}

/* Groups' totals become what comes before each, where they stand. */
static void march_bases(cg *g, march *z) {
  uint32_t to = cg_slot(g, CG_SLOT_TO), groups = cg_slot_u32(g, CG_SLOT_STEPS),
           n = cg_slot_ix(g, CG_SLOT_STEPS);
  uint32_t count =
      cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, z->left, MARCH_GROUP - 1), MARCH_GROUP);
  uint32_t first = cg_ui(g, SpvOpIMul, z->piece, MARCH_GROUPS),
           last = cg_ui(g, SpvOpISub, groups, 1);
  spv_loop l =
      spv_for(g->b, cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, count, MARCH_BATCH - 1),
                          MARCH_BATCH));
  cg_pos p[MARCH_BATCH];
  cg_acc t[MARCH_BATCH];
  uint32_t i[MARCH_BATCH];
  for (uint32_t m = 0; m < MARCH_BATCH; m++) {
    i[m] = cg_ui(g, SpvOpIMul, l.i, MARCH_BATCH);
    if (m) i[m] = cg_ui(g, SpvOpIAdd, i[m], m);
    p[m] = march_partial(g, z, n,
                         cg_least(g, g->u32, cg_u(g, SpvOpIAdd, first, i[m]), last));
    t[m] = cg_get_acc(g, to, &p[m]);
  }
  for (uint32_t m = 0; m < MARCH_BATCH; m++) {
    uint32_t merge = spv_if(g->b, cg_less(g, i[m], count));
    cg_put_acc(g, to, &p[m], cg_cell_get(g, z->before));
    march_group(g, z, i[m], t[m]);
    spv_endif(g->b, merge);
  }
  spv_endfor(g->b, &l);
}

static void march_begin(cg *g, march *z) {
  cg_acc none = cg_identity(g);
  cg_cell *all[] = {&z->before, &z->cg, &z->c, &z->last};
  for (uint32_t i = 0; i < ARRAY_LEN(all); i++) *all[i] = cg_local_acc(g, none);
  for (uint32_t i = 0; i < ARRAY_LEN(z->quad); i++) z->quad[i] = cg_local_acc(g, none);
  for (uint32_t i = 0; i < ARRAY_LEN(z->group); i++) z->group[i] = cg_local_acc(g, none);
  z->has = march_bool(g), z->has_cg = march_bool(g), z->has_c = march_bool(g);
  if (!g->o->carry) return;
  if (g->o->way == CG_GROUP) {
    march_carry(g, z, cg_slot_ix(g, CG_SLOT_STEPS), z->cg, z->has_cg, true);
  } else {
    uint32_t n = cg_x(g, SpvOpISub, cg_slot_ix(g, CG_SLOT_TILES), cg_ixc(g, 1));
    march_carry(g, z, n, z->c, z->has_c, false);
  }
  bool own = g->o->way == CG_GROUP;
  uint32_t is = own ? z->has_cg : z->has_c, merge = spv_if(g->b, march_is(g, is));
  cg_acc v = cg_cell_get(g, own ? z->cg : z->c);
  cg_cell_set(g, z->before, v);
  cg_cell_set(g, z->cg, v);
  march_set(g, z->has);
  march_set(g, z->has_cg);
  spv_endif(g->b, merge);
}

void cg_march(cg *g) {
  march z = {0};
  assert(g->o->items <= MARCH_ITEMS || g->o->way == CG_BASES);
  march_place(g, &z);
  cg_flat(g);
  g->lanes = g->o->width;
  march_begin(g, &z);
  if (g->o->way == CG_BASES) march_bases(g, &z);
  else march_down(g, &z);
  if (g->o->way != CG_GROUPS) return;
  uint32_t merge = spv_if(g->b, cg_less(g, spv_u32(g->b, 0), z.left));
  cg_pos p = march_partial(g, &z, cg_slot_ix(g, CG_SLOT_STEPS), z.piece);
  cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, cg_cell_get(g, z.last));
  spv_endif(g->b, merge);
}

/* ── how its work is cut ────────────────────────────────────────────────────────────── */

enum { MARCH_ENOUGH = 1 << 16 }; /* threads that keep a large device busy */

bool cg_march_cuts(const cg_geom *z) {
  int64_t tiles = ceil_div(z->len, MARCH_GROUP * MARCH_GROUPS);
  return z->len > 2 * MARCH_GROUP && z->rows * z->inner * tiles < MARCH_ENOUGH;
}

void cg_march_pass(const kir *k, cg_opts *o, cg_geom *z) {
  uint32_t bytes = (uint32_t)cg_acc_bytes(k), n = o->from_partials ? 0 : k->fold_at;
  bool small = z->rows * z->len * z->inner <= CG_SMALL,
       groups = o->way == CG_GROUPS || o->way == CG_GROUP;
  o->columns = true;
  o->tile_rows = KIR_SCAN_ROWS;
  z->tiles = ceil_div(z->len, MARCH_GROUP * MARCH_GROUPS);
  z->steps = ceil_div(z->len, MARCH_GROUP);
  z->part = groups ? z->steps : z->tiles;
  bool many = z->rows * z->inner * z->part >=
              4 * MARCH_ENOUGH; /* fours of them still are enough */
  o->width = !small && z->inner % 4 == 0 && z->inner >= 32 && bytes == 4 && many ? 4 : 1;
  o->items = o->width == 4 || n > 48 || small ? 1 : 16 / bytes;
  while (o->items > 1 && 2 * (int64_t)o->items >= z->len)
    o->items /= 2; /* no loads in vain */
  int64_t columns = z->rows * z->inner / o->width;
  z->each = min_i64(ceil_log2(columns), 8);
  z->parts = ceil_div(columns, INT64_C(1) << z->each);
  z->groups = z->parts * ceil_div(z->part, 256 >> z->each);
}
