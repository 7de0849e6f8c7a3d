/* SPDX-License-Identifier: MIT */
/* scan_columns.c - scans of columns that lie side by side.
 *
 *       x ──▶ columns (of all rows), a thread has one, or four in a quad
 *     │ ┌─────────────┐
 *     │ │  quads of 4 elements, one below the other: scanned in registers
 *     ▼ │  totals of quads: a counter in binary, whose digit k is the total of the aligned 2^k
 *       │  quads that stand before; Sklansky's T of a quad joins the digits that are set
 *       │  totals of groups: `run`
 *
 * A thread goes down a strip. If columns have more than one strip, three or more phases do
 * the scan tree of tables/fold.h:
 *
 *   SCAN_STRIP_TOTALS   a thread has a strip: the lanes of its groups, one after the other
 *   SCAN_TILE_TOTALS    ... a tile: off ∘ S of its last strip
 *   SCAN_SUPER_TOTALS   ... a super-tile, where there are several. Its total takes the place of its
 *                       last tile's, which no other tile asks for; likewise of the next tier
 *   SCAN_OFFSETS        ... a tile: P, and P ∘ off of each of its strips
 *   SCAN_STRIPS         ... a strip, from there
 *
 * What nothing follows in what it is part of is not joined, so it cannot escape. */
#include "scan.h"

#include "../base/arith.h"

#include <assert.h>

#define SLOT(field) CG_OWN_SLOT(scan_columns_geom, field)

static const scan_columns_opts *opts(const cg *g) { return &g->o->scan_columns; }

enum { MOST_QUADS = 4, LANES = 32, GROUP = KIR_SCAN_GROUP, BATCH = 8, MOST_TIERS = 2 };

static uint32_t groups(const kir *k) { return scan_law(k); }
static uint32_t strip(const kir *k) { return groups(k) * GROUP; }
static uint32_t tile(const kir *k) { return strip(k) * KIR_SCAN_STRIPS; }

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool scan_columns_serves(const cg_task *t) { return t->kind == CG_TASK_SCAN; }

/* Elements per load: fours of columns, if there are enough of these still. */
static uint32_t columns_width(const cg_task *t, int64_t pieces) {
  if (cg_is_small(t->rows * t->len * t->inner) || cg_acc_bytes(t->k) != 4) return 1;
  if (t->inner % 4 || t->inner < 32) return 1;
  return t->rows * t->inner * pieces >= 8 * cg_enough_threads(t) ? 4 : 1;
}

/* Quads whose loads are issued together: no loads in vain. */
static uint32_t quads_at_once(const cg_task *t, uint32_t width) {
  bool small = cg_is_small(t->rows * t->len * t->inner);
  uint32_t n = 16 / (uint32_t)cg_acc_bytes(t->k);
  if (width == 4 || t->k->fold_at > CG_LONG_PRODUCER || small || !n) return 1;
  while (n > 1 && 2 * (int64_t)n >= t->len) n /= 2;
  return n;
}

static bool reads_elements(scan_phase phase) {
  return phase == SCAN_STRIP_TOTALS || phase == SCAN_STRIPS;
}

/* tier: scan_columns_opts.tiers. */
static cg_pass *add_phase(const cg_task *t, cg_passes *p, scan_phase phase,
                          uint32_t tier) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_COLUMNS);
  scan_columns_opts *o = &s->o.scan_columns;
  scan_columns_geom *z = &s->geom.scan_columns;
  z->strips = ceil_div(t->len, strip(t->k));
  z->totals_at = t->rows * t->inner * z->strips;
  s->geom.tiles = ceil_div(t->len, tile(t->k));
  z->pieces = reads_elements(phase) ? z->strips : s->geom.tiles;
  if (phase < SCAN_OFFSETS) z->pieces--; /* nothing follows the last one */
  for (uint32_t i = 0; phase == SCAN_SUPER_TOTALS && i <= tier; i++)
    z->pieces /= scan_super(t);
  s->o.width = 1;
  if (reads_elements(phase)) s->o.width = columns_width(t, z->pieces);
  o->phase = phase;
  o->tiers = tier;
  if (phase == SCAN_SUPER_TOTALS || tier) o->super = scan_super(t);
  o->quads = quads_at_once(t, s->o.width);
  int64_t columns = t->rows * t->inner / s->o.width;
  z->across_log2 = min_i64(ceil_log2(columns), 8);
  z->blocks = ceil_div(columns, INT64_C(1) << z->across_log2);
  s->geom.workgroups = z->blocks * ceil_div(z->pieces, CG_WORKGROUP >> z->across_log2);
  if (phase != SCAN_STRIPS) s->to = CG_OWN;
  return s;
}

void scan_columns_passes(const cg_task *t, cg_passes *p) {
  bool many = t->len > strip(t->k), tiles = t->len > tile(t->k);
  uint32_t tiers = scan_tiers(t);
  assert(tiers <= MOST_TIERS);
  if (many) {
    add_phase(t, p, SCAN_STRIP_TOTALS, 0);
    if (tiles) add_phase(t, p, SCAN_TILE_TOTALS, 0)->from = CG_OWN;
    for (uint32_t i = 0; i < tiers; i++)
      add_phase(t, p, SCAN_SUPER_TOTALS, i)->from = CG_OWN;
    cg_pass *offsets = add_phase(t, p, SCAN_OFFSETS, tiers);
    offsets->from = CG_OWN;
    offsets->o.scan_columns.prefix = tiles;
    const scan_columns_geom *z = &offsets->geom.scan_columns;
    p->own[0] = t->rows * t->inner * (z->strips + offsets->geom.tiles);
  }
  cg_pass *last = add_phase(t, p, SCAN_STRIPS, 0);
  last->o.scan_columns.prefix = many;
  if (many) last->carry = CG_OWN;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* What comes before something, if there is anything: an accumulator, and a variable that
 * says so. */
typedef struct prefix {
  cg_var acc;
  uint32_t is;
} prefix;

typedef struct columns {
  cg_column column;
  uint32_t piece;          /* u32: strip or tile of the column */
  uint32_t left;           /* u32: its elements; 0 for a thread without work */
  uint32_t first, base;    /* ix: position and number of its first element */
  prefix strip, run, quad; /* P∘off; run, and run∘T of the next quad */
  cg_var digit[6];         /* of the counter */
} columns;

static uint32_t has(cg *g, const prefix *p) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLoad, p->is);
}

static void say(cg *g, const prefix *p, bool is) {
  spv_do(g->b, SpvOpStore, p->is, spv_true(g->b, is, 1));
}

static bool of_strips(const cg *g) { return reads_elements((scan_phase)opts(g)->phase); }

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static void columns_place(cg *g, columns *z) {
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
  uint32_t size = cg_ixc(g, of_strips(g) ? strip(g->k) : tile(g->k));
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

/* Number i of the n that each column has in the passes' own memory, behind `skip` (ix, or
 * 0). */
static cg_pos own_place(cg *g, const columns *z, uint32_t n, uint32_t i, uint32_t skip) {
  cg_pos p = cg_column_partial(g, &z->column, n, i);
  if (skip) p.i = cg_x(g, SpvOpIAdd, p.i, skip);
  return p;
}

static cg_pos strip_place(cg *g, const columns *z, uint32_t i) {
  return own_place(g, z, cg_slot_ix(g, SLOT(strips)), i, 0);
}

static cg_pos tile_place(cg *g, const columns *z, uint32_t i) {
  uint32_t skip = cg_slot_ix(g, SLOT(totals_at));
  return own_place(g, z, cg_slot_ix(g, CG_SLOT_TILES), i, skip);
}

/* t joins the digits from `from` on that are set in `at`. With `keep` it stays on the
 * lowest that is not. */
static cg_acc columns_count(cg *g, const columns *z, uint32_t from, uint32_t at, cg_acc t,
                            bool keep) {
  cg_var v = cg_var_acc(g, t);
  for (uint32_t k = from; k < 6; k++) {
    uint32_t bit = 1u << (k - from), low = cg_ui(g, SpvOpBitwiseAnd, at, 2 * bit - 1);
    uint32_t set = cg_is(g, SpvOpUGreaterThanEqual, low, spv_u32(g->b, bit));
    if (k < 5) {
      uint32_t merge = spv_if(g->b, set);
      cg_acc d = cg_var_get(g, z->digit[k]);
      cg_var_set(g, v, cg_combine(g, d, cg_var_get(g, v), 0));
      spv_endif(g->b, merge);
    }
    if (!keep) continue;
    uint32_t merge = spv_if(g->b, cg_is(g, SpvOpIEqual, low, spv_u32(g->b, bit - 1)));
    cg_var_set(g, z->digit[k], cg_var_get(g, v));
    spv_endif(g->b, merge);
  }
  return cg_var_get(g, v);
}

/* Quad m of batch `it` has total t. */
static void column_quad(cg *g, columns *z, uint32_t it, uint32_t m, cg_acc t) {
  uint32_t from = cg_log2(opts(g)->quads);
  bool kept = false, last = m + 1 == opts(g)->quads;
  for (uint32_t k = 0; k < from; k++) {
    bool set = m >> k & 1;
    if (set) t = cg_combine(g, cg_var_get(g, z->digit[k]), t, 0);
    else if (!kept) cg_var_set(g, z->digit[k], t);
    kept = kept || !set;
  }
  uint32_t all = LANES / opts(g)->quads, in = cg_ui(g, SpvOpBitwiseAnd, it, all - 1);
  t = columns_count(g, z, from, in, t, last);
  cg_var_set(g, z->quad.acc, after(g, &z->run, t));
  say(g, &z->quad, true);
  if (!last) return;
  uint32_t merge = spv_if(g->b, cg_is(g, SpvOpIEqual, in, spv_u32(g->b, all - 1)));
  cg_var_set(g, z->run.acc, cg_var_get(g, z->quad.acc));
  say(g, &z->run, true);
  spv_endif(g->b, merge);
}

/* ── going down ─────────────────────────────────────────────────────────────────────── */

/* Positions of the n elements from number `place` (u32) of the piece on; whether they are
 * there. */
static void elements(cg *g, const columns *z, uint32_t place, uint32_t n, cg_pos *p,
                     uint32_t *is) {
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
  }
}

static void scan_store(cg *g, cg_pos *p, uint32_t is, cg_acc v) {
  uint32_t merge = spv_if(g->b, is);
  p->ok = 0;
  cg_finish(g, 0, p, v, 0);
  spv_endif(g->b, merge);
}

/* The elements of a quad that is there, before the four of `s`. */
static void put_quad(cg *g, const columns *z, cg_pos *p, const uint32_t *is,
                     const cg_acc *s) {
  for (uint32_t e = 0; e < 4; e++) {
    cg_acc v = after(g, &z->quad, s[e]);
    if (opts(g)->prefix) v = after(g, &z->strip, v);
    scan_store(g, &p[e], is[e], v);
  }
}

/* Elements that are there, and their total; an exclusive scan has those before. */
static cg_acc quad_inside(cg *g, const cg_acc x[4], const uint32_t *is, cg_acc s[4]) {
  cg_acc t[4] = {x[0]};
  for (uint32_t e = 1; e < 4; e++) {
    uint32_t used = 0;
    if (cg_fold_escapes(g->k)) used = cg_splat(g, KB, is[e + g->k->exclusive]);
    t[e] = cg_combine(g, t[e - 1], x[e], used);
  }
  for (uint32_t e = 0; e < 4; e++) s[e] = t[e];
  for (uint32_t e = 4; e-- > 0 && g->k->exclusive;) s[e] = e ? t[e - 1] : cg_identity(g);
  return t[3];
}

/* A batch of quads: all loads, then quad by quad. */
static void scan_batch(cg *g, columns *z, uint32_t it) {
  uint32_t n = 4 * opts(g)->quads, is[4 * MOST_QUADS + 1];
  uint32_t raw[4 * MOST_QUADS][KIR_MAX_IN];
  cg_pos p[4 * MOST_QUADS];
  cg_acc x[4], s[4];
  uint32_t place = cg_ui(g, SpvOpIMul, it, n);
  elements(g, z, place, n, p, is);
  is[n] = cg_less(g, cg_next(g, place, n), z->left);
  for (uint32_t e = 0; e < n; e++) cg_load_raw(g, 0, g->k->fold_at, &p[e], raw[e]);
  for (uint32_t m = 0; m < opts(g)->quads; m++) {
    for (uint32_t e = 0; e < 4; e++) x[e] = cg_source(g, &p[4 * m + e], raw[4 * m + e]);
    uint32_t there = spv_if(g->b, is[4 * m]);
    cg_acc t = quad_inside(g, x, &is[4 * m], s);
    put_quad(g, z, &p[4 * m], &is[4 * m], s);
    uint32_t more = spv_if(g->b, is[4 * m + 4]);
    column_quad(g, z, it, m, t);
    spv_endif(g->b, more);
    spv_endif(g->b, there);
  }
}

static void scan_down(cg *g, columns *z) {
  uint32_t n = 4 * opts(g)->quads;
  if (opts(g)->prefix) {
    uint32_t merge = spv_if(g->b, cg_less(g, spv_u32(g->b, 0), z->piece));
    cg_pos p = strip_place(g, z, z->piece);
    cg_var_set(g, z->strip.acc, cg_get_acc(g, cg_slot(g, CG_SLOT_CARRY), &p));
    say(g, &z->strip, true);
    spv_endif(g->b, merge);
  }
  uint32_t batches = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, z->left, n - 1), n);
  spv_loop l = spv_for(g->b, batches);
  scan_batch(g, z, l.i);
  spv_endfor(g->b, &l);
}

/* ── totals ─────────────────────────────────────────────────────────────────────────── */

/* Groups of a strip whose loads are issued together. */
static uint32_t groups_at_once(const cg *g) {
  uint32_t n = groups(g->k), most = g->o->width == 4 ? 2 : 4;
  while (n % most) most--;
  return most;
}

/* Lane `lane` (u32) down the groups of a strip: element j of its quad into c[j]. */
static void go_down_lane(cg *g, const columns *z, uint32_t lane, const cg_var c[4]) {
  uint32_t raw[4][4][KIR_MAX_IN], is[4], n = groups_at_once(g);
  cg_pos p[4][4];
  spv_loop l = spv_for(g->b, spv_u32(g->b, groups(g->k) / n));
  uint32_t place = cg_ui(g, SpvOpIMul, l.i, n * GROUP);
  place = cg_u(g, SpvOpIAdd, place, cg_ui(g, SpvOpIMul, lane, 4));
  for (uint32_t i = 0; i < n; i++) {
    elements(g, z, cg_next(g, place, i * GROUP), 4, p[i], is);
    for (uint32_t j = 0; j < 4; j++)
      cg_load_raw(g, 0, g->k->fold_at, &p[i][j], raw[i][j]);
  }
  uint32_t begins = cg_is_zero(g, l.i);
  for (uint32_t j = 0; j < 4; j++) {
    cg_acc a = cg_var_get(g, c[j]);
    for (uint32_t i = 0; i < n; i++) {
      cg_acc x = cg_source(g, &p[i][j], raw[i][j]), sum = cg_combine(g, a, x, 0);
      a = i ? sum : cg_acc_sel(g, cg_splat(g, KB, begins), x, sum);
    }
    cg_var_set(g, c[j], a);
  }
  spv_endfor(g->b, &l);
}

/* A thread without work has none of a strip's elements: it joins identities. */
static cg_acc strip_total(cg *g, const columns *z) {
  cg_var c[4], total = cg_local_acc(g, cg_identity(g));
  cg_acc v[4];
  spv_loop l = spv_for(g->b, spv_u32(g->b, LANES));
  for (uint32_t j = 0; j < 4; j++) c[j] = cg_var_acc(g, cg_identity(g));
  go_down_lane(g, z, l.i, c);
  for (uint32_t j = 0; j < 4; j++) v[j] = cg_var_get(g, c[j]);
  v[0] = cg_combine(g, v[0], v[1], 0);
  v[2] = cg_combine(g, v[2], v[3], 0);
  cg_var_set(g, total, columns_count(g, z, 0, l.i, cg_combine(g, v[0], v[2], 0), true));
  spv_endfor(g->b, &l);
  return cg_var_get(g, total);
}

/* The first of a tile's strips. */
static uint32_t first_strip(cg *g, const columns *z) {
  return cg_ui(g, SpvOpIMul, z->piece, KIR_SCAN_STRIPS);
}

static cg_acc tile_total(cg *g, const columns *z, uint32_t from) {
  cg_acc s[KIR_SCAN_STRIPS];
  for (uint32_t k = 0; k < KIR_SCAN_STRIPS; k++) {
    cg_pos p = strip_place(g, z, cg_next(g, first_strip(g, z), k));
    s[k] = cg_get_acc(g, from, &p);
  }
  for (uint32_t k = 1; k < KIR_SCAN_STRIPS; k++) s[k] = cg_combine(g, s[k - 1], s[k], 0);
  return s[KIR_SCAN_STRIPS - 1];
}

/* ── offsets ────────────────────────────────────────────────────────────────────────── */

/* Totals of a tier, n of them from number `first` on; where the tier is not the tiles', number i
 * is in the place of the last of its 2^log tiles. All u32; 0: the first n tiles'. */
typedef struct totals {
  uint32_t n, first, log;
} totals;

static uint32_t total_at(cg *g, const totals *t, uint32_t i) {
  if (!t->first) return i;
  i = cg_ui(g, SpvOpIAdd, cg_u(g, SpvOpIAdd, t->first, i), 1);
  return cg_ui(g, SpvOpISub, cg_u(g, SpvOpShiftLeftLogical, i, t->log), 1);
}

/* Lane `lane` of the totals, in batches. */
static cg_acc lane_of_totals(cg *g, const columns *z, uint32_t from, const totals *t,
                             uint32_t lane) {
  cg_var a = cg_var_acc(g, cg_identity(g));
  uint32_t left = cg_u(g, SpvOpISub, t->n, lane), last = spv_u32(g->b, 1);
  last = cg_u(g, SpvOpISub, t->n, last);
  uint32_t all = cg_ui(g, SpvOpIAdd, left, LANES * BATCH - 1);
  spv_loop l = spv_for(g->b, cg_ui(g, SpvOpUDiv, all, LANES * BATCH));
  cg_acc v[BATCH];
  uint32_t is[BATCH];
  for (uint32_t m = 0; m < BATCH; m++) {
    uint32_t i = cg_ui(g, SpvOpIMul, l.i, LANES * BATCH);
    i = cg_next(g, cg_u(g, SpvOpIAdd, i, lane), m * LANES);
    is[m] = cg_less(g, i, t->n);
    cg_pos p = tile_place(g, z, total_at(g, t, cg_least(g, g->u32, i, last)));
    v[m] = cg_get_acc(g, from, &p);
  }
  for (uint32_t m = 0; m < BATCH; m++) {
    uint32_t there = spv_if(g->b, is[m]);
    cg_acc sum = cg_combine(g, cg_var_get(g, a), v[m], 0);
    if (m == 0) sum = cg_acc_sel(g, cg_is_zero(g, l.i), v[0], sum);
    cg_var_set(g, a, sum);
    spv_endif(g->b, there);
  }
  spv_endfor(g->b, &l);
  return cg_var_get(g, a);
}

/* What the totals come to, if there are any: into r, which has nothing. Lanes that there are fold
 * by neighbours; those on the left are in the higher digits. */
static void fold_totals(cg *g, columns *z, uint32_t from, const totals *t,
                        const prefix *r) {
  uint32_t lanes = cg_least(g, g->u32, t->n, spv_u32(g->b, LANES));
  spv_loop l = spv_for(g->b, lanes);
  (void)columns_count(g, z, 0, l.i, lane_of_totals(g, z, from, t, l.i), true);
  spv_endfor(g->b, &l);
  for (uint32_t k = 0; k < 6; k++) {
    uint32_t set = cg_ui(g, SpvOpBitwiseAnd, lanes, 1u << k);
    set = cg_is(g, SpvOpINotEqual, set, spv_u32(g->b, 0));
    uint32_t merge = spv_if(g->b, set);
    cg_acc d = cg_var_get(g, z->digit[k]), v = cg_var_get(g, r->acc);
    v = cg_acc_sel(g, has(g, r), cg_combine(g, d, v, 0), d);
    cg_var_set(g, r->acc, v);
    say(g, r, true);
    spv_endif(g->b, merge);
  }
}

/* P of the tile, into z->strip: tier after tier, the highest first. */
static void scan_tile_prefix(cg *g, columns *z, uint32_t from) {
  uint32_t tiers = opts(g)->tiers;
  if (!tiers) {
    fold_totals(g, z, from, &(totals){.n = z->piece}, &z->strip);
    return;
  }
  spv_loop l = spv_for(g->b, spv_u32(g->b, tiers + 1));
  totals t = {.log = cg_u(g, SpvOpISub, spv_u32(g->b, tiers), l.i)};
  t.log = cg_ui(g, SpvOpIMul, t.log, cg_log2(opts(g)->super));
  t.n = cg_u(g, SpvOpShiftRightLogical, z->piece, t.log);
  t.first = cg_ui(g, SpvOpBitwiseAnd, t.n, ~(opts(g)->super - 1));
  t.n = cg_ui(g, SpvOpBitwiseAnd, t.n, opts(g)->super - 1);
  say(g, &z->quad, false);
  fold_totals(g, z, from, &t, &z->quad);
  uint32_t merge = spv_if(g->b, has(g, &z->quad));
  cg_var_set(g, z->strip.acc, after(g, &z->strip, cg_var_get(g, z->quad.acc)));
  say(g, &z->strip, true);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
}

/* The total of the thread's super-tile. */
static void super_total(cg *g, columns *z) {
  uint32_t log = cg_log2(opts(g)->super), below = opts(g)->tiers * log;
  totals t = {.n = spv_u32(g->b, opts(g)->super), .log = spv_u32(g->b, below)};
  t.first = cg_ui(g, SpvOpShiftLeftLogical, z->piece, log);
  fold_totals(g, z, cg_slot(g, CG_SLOT_FROM), &t, &z->strip);
  uint32_t last = total_at(g, &t, cg_ui(g, SpvOpISub, t.n, 1));
  cg_pos p = tile_place(g, z, last);
  cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, cg_var_get(g, z->strip.acc));
}

static void strip_offsets(cg *g, columns *z) {
  uint32_t from = cg_slot(g, CG_SLOT_FROM), to = cg_slot(g, CG_SLOT_TO);
  uint32_t left = cg_u(g, SpvOpISub, cg_slot_u32(g, SLOT(strips)), first_strip(g, z));
  left = cg_least(g, g->u32, left, spv_u32(g->b, KIR_SCAN_STRIPS));
  if (opts(g)->prefix) scan_tile_prefix(g, z, from);
  spv_loop l = spv_for(g->b, left);
  cg_pos p = strip_place(g, z, cg_u(g, SpvOpIAdd, first_strip(g, z), l.i));
  cg_acc total = cg_get_acc(g, from, &p), v = cg_var_get(g, z->run.acc);
  /* `run` is off here, `quad` P∘off */
  cg_acc before =
      cg_acc_sel(g, has(g, &z->run), after(g, &z->strip, v), cg_var_get(g, z->strip.acc));
  cg_put_acc(g, to, &p, before);
  uint32_t next = cg_less(g, cg_ui(g, SpvOpIAdd, l.i, 1), left);
  uint32_t merge = spv_if(g->b, next);
  cg_var_set(g, z->run.acc, after(g, &z->run, total));
  say(g, &z->run, true);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
}

/* ── a thread ───────────────────────────────────────────────────────────────────────── */

static void scan_begin(cg *g, columns *z) {
  cg_acc none = cg_identity(g);
  prefix *all[] = {&z->strip, &z->run, &z->quad};
  for (uint32_t i = 0; i < ARRAY_LEN(all); i++) {
    all[i]->acc = cg_local_acc(g, none);
    all[i]->is = spv_local(g->b, spv_bool(g->b), spv_true(g->b, false, 1));
  }
  for (uint32_t i = 0; i < ARRAY_LEN(z->digit); i++) z->digit[i] = cg_local_acc(g, none);
}

/* Where the total of the thread's piece goes. */
static void leave_total(cg *g, const columns *z, bool of_tile) {
  uint32_t to = cg_slot(g, CG_SLOT_TO);
  cg_acc v;
  cg_pos p;
  if (of_tile) {
    v = tile_total(g, z, cg_slot(g, CG_SLOT_FROM));
    p = tile_place(g, z, z->piece);
  } else {
    v = strip_total(g, z);
    p = strip_place(g, z, z->piece);
  }
  cg_put_acc(g, to, &p, v);
}

void scan_columns_emit(cg *g) {
  columns z = {0};
  assert(opts(g)->quads <= MOST_QUADS);
  columns_place(g, &z);
  cg_flat(g);
  g->lanes = g->o->width;
  scan_begin(g, &z);
  uint32_t merge = spv_if(g->b, cg_less(g, spv_u32(g->b, 0), z.left));
  switch (opts(g)->phase) {
  case SCAN_STRIP_TOTALS: leave_total(g, &z, false); break;
  case SCAN_TILE_TOTALS: leave_total(g, &z, true); break;
  case SCAN_SUPER_TOTALS: super_total(g, &z); break;
  case SCAN_OFFSETS: strip_offsets(g, &z); break;
  default: scan_down(g, &z); break;
  }
  spv_endif(g->b, merge);
}
