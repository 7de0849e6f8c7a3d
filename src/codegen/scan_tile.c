/* SPDX-License-Identifier: MIT */
/* scan_tile.c - the scan template for rows: the steps of the fold tree (tables/fold.h),
 * one after the other.
 *
 * A thread has quad t of each of the tile's rows (up to 8, in registers). A row of 256
 * quads is 8 groups of 32:
 *
 *   1. the quad, in the thread                                      s0 s1 s2 s3
 *   2. quads' totals in groups of 32, Sklansky: shuffles below the subgroup's size, workgroup
 *      memory above (subgroups of 4, 8 and 16 alone need that)       t
 *   3. groups' totals, 64 in a tile, Sklansky by the first S threads: thread l has the values
 *      l, S+l, 2S+l …; levels up to S by shuffles, above by broadcasting a last lane     g
 *   4. ((C ∘ G) ∘ T) ∘ s, parts that do not exist left out: that is seen only where the
 *      identity is not neutral on the left, for ⌊ ⌈ of floats (a NaN); there it is selected
 *
 * What lies behind the row's end flows only further behind, so it needs no mask but where
 * an operation could escape. Sklansky gives every level the same operands whether missing
 * elements are identities or not there, so no product is made that the definition lacks.
 * Short rows (row_threads) stop steps 2 and 3 at the row's last level. */
#include "template.h"

#include "../base/arith.h"

enum { SHORT_ROW = 512 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool scan_tile_serves(const cg_task *t) {
  return t->kind == CG_TASK_SCAN && t->inner == 1;
}

/* How many threads share a row: all of a workgroup, or as many as a short row has
 * quads. */
static uint32_t threads_on_row(const cg_task *t) {
  uint32_t n = 1;
  if (t->from_partials || t->rows == 1 || t->len > SHORT_ROW) return CG_WORKGROUP;
  if (t->small) return t->len <= 32 ? 8 : 128;
  while (n * 4 < t->len) n *= 2;
  return n;
}

void scan_tile_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_TILE);
  scan_tile_opts *o = &s->o.scan_tile;
  s->o.width = cg_row_width(t);
  p->tiles = s->geom.tiles = ceil_div(t->len, KIR_SCAN_ROWS * KIR_LANES);
  s->geom.workgroups = t->rows * s->geom.tiles;
  o->tile_rows = KIR_SCAN_ROWS;
  o->row_threads = threads_on_row(t);
  if (o->row_threads < CG_WORKGROUP) {
    o->tile_rows = 1;
    s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / o->row_threads);
  } else if (s->geom.tiles == 1 && !t->from_partials) {
    o->tile_rows = cg_fit_tile(t, KIR_SCAN_ROWS);
  }
  if (s->geom.tiles > 1) {
    o->carry = 1;
    s->carry = CG_CARRY;
  }
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct scan {
  cg_place w;
  uint32_t rows;   /* of KIR_LANES in the tile, in registers */
  uint32_t q;      /* u32: place in the group */
  uint32_t groups; /* of a row, or of all rows in the tile: Sklansky's length in step 3 */
  cg_var block, total; /* workgroup memory: totals of S quads, of groups */
  cg_pos p[KIR_SCAN_ROWS];
  cg_acc s[KIR_SCAN_ROWS],
      t[KIR_SCAN_ROWS]; /* the quad's four (4 lanes), its running total */
} scan;

static uint32_t is_set(cg *g, uint32_t bits) {
  return cg_is(g, SpvOpINotEqual, bits, spv_u32(g->b, 0));
}

/* ── 1: loads and quads ─────────────────────────────────────────────────────────────── */

/* The mask of what may escape: the lanes there are; of a scan that makes carries, the
 * last one is not used. */
static uint32_t scan_used(cg *g, const cg_pos *p) {
  cg_pos next = *p;
  next.ok = 0;
  if (!cg_fold_escapes(g->k)) return 0;
  if (!g->o->final) next.i = cg_beyond(g, p->i, 1);
  return cg_ok(g, &next);
}

static void scan_quad(cg *g, scan *z, uint32_t r, const uint32_t *raw) {
  g->lanes = 4;
  cg_acc x = cg_source(g, &z->p[r], raw), s[4];
  uint32_t used = scan_used(g, &z->p[r]);
  if (used) x = cg_acc_sel(g, used, x, cg_identity(g));
  for (uint32_t j = 0; j < 4; j++) s[j] = cg_acc_part(g, x, j);
  g->lanes = 1;
  for (uint32_t j = 1; j < 4; j++) s[j] = cg_combine(g, s[j - 1], s[j], 0);
  z->t[r] = s[3];
  g->lanes = 4;
  z->s[r] = cg_acc_join(g, s);
  g->lanes = 1;
}

static void scan_load(cg *g, scan *z) {
  uint32_t raw[KIR_SCAN_ROWS][KIR_MAX_IN];
  g->lanes = 4;
  for (uint32_t r = 0; r < z->rows; r++) {
    uint32_t i = cg_beyond(g, z->w.first, r * KIR_LANES);
    z->p[r] = (cg_pos){.i = i, .row_at = z->w.row_at, .tail = true};
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &z->p[r], raw[r]);
  }
  for (uint32_t r = 0; r < z->rows; r++) scan_quad(g, z, r, raw[r]);
}

/* ── 2: groups of 32 quads ──────────────────────────────────────────────────────────── */

/* Sklansky's partner at level k: the last place of the half block below, for those with
 * bit k set; for the others a harmless one. *bit: is it set. */
static uint32_t scan_partner(cg *g, uint32_t place, uint32_t k, uint32_t *bit) {
  uint32_t half = cg_ui(g, SpvOpShiftRightLogical, place, k);
  uint32_t start = cg_ui(g, SpvOpShiftLeftLogical, half, k);
  uint32_t odd = cg_ui(g, SpvOpBitwiseAnd, half, 1);
  *bit = is_set(g, odd);
  return cg_u(g, SpvOpISub, start, odd);
}

static cg_acc scan_step(cg *g, uint32_t bit, cg_acc below, cg_acc mine) {
  return cg_acc_sel(g, bit, cg_combine(g, below, mine, bit), mine);
}

/* Where the totals of blocks of S quads of row r stand; index: of the block in the
 * row. */
static uint32_t scan_block(cg *g, uint32_t r, uint32_t index) {
  return cg_ui(g, SpvOpIAdd, index, r * (CG_WORKGROUP / cg_subgroup(g)));
}

/* Every subgroup's last lanes publish their totals. */
static void scan_publish(cg *g, scan *z) {
  uint32_t S = cg_subgroup(g), in = cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1);
  if (!z->block.id[0]) z->block = cg_shared_acc(g, z->rows * (CG_WORKGROUP / S));
  else cg_barrier(g);
  uint32_t last = cg_is(g, SpvOpIEqual, in, spv_u32(g->b, S - 1));
  uint32_t merge = spv_if(g->b, last), mine = cg_ui(g, SpvOpUDiv, g->thread, S);
  for (uint32_t r = 0; r < z->rows; r++)
    cg_shared_put(g, z->block, scan_block(g, r, mine), z->t[r]);
  spv_endif(g->b, merge);
  cg_barrier(g);
}

static void scan_groups(cg *g, scan *z) {
  uint32_t S = cg_subgroup(g), inside = cg_log2(S), levels = cg_log2(z->w.threads), bit;
  for (uint32_t k = 0; k < levels && k < 5; k++) {
    bool far = k >= inside;
    if (far) scan_publish(g, z);
    uint32_t from = scan_partner(g, far ? g->thread : g->lane, k, &bit);
    if (far) from = cg_ui(g, SpvOpUDiv, from, S);
    for (uint32_t r = 0; r < z->rows; r++) {
      cg_acc below;
      if (far) below = cg_shared_get(g, z->block, scan_block(g, r, from));
      else below = cg_shuffle(g, z->t[r], from, false);
      z->t[r] = scan_step(g, bit, below, z->t[r]);
    }
  }
}

/* n - 1, or 0 where n is 0; *some: is it not. */
static uint32_t one_less(cg *g, uint32_t n, uint32_t *some) {
  *some = is_set(g, n);
  uint32_t less = cg_ui(g, SpvOpISub, n, 1);
  return cg_pick(g, g->u32, *some, less, spv_u32(g->b, 0));
}

/* The totals of the quads before, t[quad - 1]; what the first of a group gets is not
 * used. */
static void scan_before(cg *g, scan *z, cg_acc *before) {
  uint32_t S = cg_subgroup(g), first = 0, from = 0, some;
  if (z->w.threads > S && S < 32) {
    scan_publish(g, z);
    first = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1));
    from = one_less(g, cg_ui(g, SpvOpUDiv, g->thread, S), &some);
  }
  uint32_t left = one_less(g, g->lane, &some);
  for (uint32_t r = 0; r < z->rows; r++) {
    before[r] = cg_shuffle(g, z->t[r], left, false);
    if (first) {
      cg_acc far = cg_shared_get(g, z->block, scan_block(g, r, from));
      before[r] = cg_acc_sel(g, first, far, before[r]);
    }
  }
}

/* ── 3: the groups' totals ──────────────────────────────────────────────────────────── */

/* Runs in the first `wide` threads alone, whole subgroups of the shuffles' width. v[j] of
 * thread l is value j × wide + l of n. */
static void scan_totals(cg *g, scan *z, uint32_t n, uint32_t wide) {
  uint32_t inside = cg_log2(wide), levels = cg_log2(z->groups), bit, at[64];
  cg_acc v[64];
  for (uint32_t j = 0; j < n / wide; j++) {
    at[j] = cg_ui(g, SpvOpIAdd, g->thread, j * wide);
    v[j] = cg_shared_get(g, z->total, at[j]);
  }
  for (uint32_t k = 0; k < levels && k < inside; k++) {
    uint32_t from = scan_partner(g, g->lane, k, &bit);
    for (uint32_t j = 0; j < n / wide; j++)
      v[j] = scan_step(g, bit, cg_shuffle(g, v[j], from, false), v[j]);
  }
  uint32_t last = cg_ui(g, SpvOpBitwiseOr, g->lane, wide - 1);
  for (uint32_t k = inside; k < levels; k++) {
    uint32_t h = k - inside;
    for (uint32_t j = 0; j < n / wide; j++)
      if (j >> h & 1) {
        cg_acc below = cg_shuffle(g, v[(j >> h << h) - 1], last, false);
        v[j] = cg_combine(g, below, v[j], 0);
      }
  }
  for (uint32_t j = 0; j < n / wide; j++) cg_shared_put(g, z->total, at[j], v[j]);
}

static void scan_tile_totals(cg *g, scan *z) {
  uint32_t n = z->rows * 8, wide = cg_subgroup(g);
  if (wide > n) wide = n;
  z->total = cg_shared_acc(g, 64);
  uint32_t last = cg_is(g, SpvOpIEqual, z->q, spv_u32(g->b, 31));
  uint32_t merge = spv_if(g->b, last), mine = cg_ui(g, SpvOpUDiv, g->thread, 32);
  for (uint32_t r = 0; r < z->rows; r++)
    cg_shared_put(g, z->total, cg_ui(g, SpvOpIAdd, mine, 8 * r), z->t[r]);
  spv_endif(g->b, merge);
  cg_barrier(g);
  merge = spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, wide)));
  scan_totals(g, z, n, wide);
  spv_endif(g->b, merge);
  cg_barrier(g);
}

/* ── 4: putting together ────────────────────────────────────────────────────────────── */

/* A part and whether it exists: 0 never, else a bool. */
typedef struct scan_part {
  cg_acc v;
  uint32_t is;
} scan_part;

static uint32_t scan_or(cg *g, uint32_t a, uint32_t b) {
  if (!a) return b;
  if (!b) return a;
  return cg_is(g, SpvOpLogicalOr, a, b);
}

/* a ∘ b where both exist, else the one that does. */
static scan_part scan_join(cg *g, scan_part a, scan_part b, uint32_t used) {
  if (!a.is) return b;
  if (!b.is) return a;
  if (cg_fold_selects(g->k)) {
    cg_acc two = cg_acc_sel(g, a.is, cg_combine(g, a.v, b.v, 0), b.v);
    return (scan_part){cg_acc_sel(g, b.is, two, a.v), scan_or(g, a.is, b.is)};
  }
  cg_acc none = cg_identity(g);
  a.v = cg_acc_sel(g, a.is, a.v, none);
  b.v = cg_acc_sel(g, b.is, b.v, none);
  return (scan_part){cg_combine(g, a.v, b.v, used), spv_true(g->b, true, 1)};
}

/* P ∘ s for the four lanes of a quad. */
static cg_acc scan_last(cg *g, scan_part a, cg_acc s, uint32_t used) {
  if (!a.is) return s;
  if (!cg_fold_selects(g->k)) {
    uint32_t one = a.is;
    g->lanes = 1;
    cg_acc v = cg_acc_sel(g, one, a.v, cg_identity(g));
    g->lanes = 4;
    return cg_combine(g, cg_acc_splat(g, v), s, used);
  }
  cg_acc two = cg_combine(g, cg_acc_splat(g, a.v), s, 0);
  return cg_acc_sel(g, cg_splat(g, KB, a.is), two, s);
}

static void scan_store(cg *g, cg_pos *p, cg_acc v, uint32_t used) {
  if (g->o->final && cg_fold_is_wide(g->k)) used = cg_ok(g, p);
  cg_finish(g, cg_result(g), p, v, used);
}

static scan_part scan_carry(cg *g, const scan *z) {
  if (!g->o->scan_tile.carry) return (scan_part){{{0}}, 0};
  uint32_t some, prev = one_less(g, z->w.tile, &some);
  uint32_t at = cg_partial_index(g, z->w.row, prev);
  return (scan_part){cg_get_acc_at(g, cg_slot(g, CG_SLOT_CARRY), at), some};
}

/* The total of the groups before this thread's in row r. */
static scan_part scan_group(cg *g, const scan *z, uint32_t r) {
  if (z->groups == 1) return (scan_part){{{0}}, 0};
  uint32_t at = cg_ui(g, SpvOpIAdd, cg_ui(g, SpvOpUDiv, g->thread, 32), 8 * r);
  uint32_t is;
  if (r) is = spv_true(g->b, true, 1);
  else is = is_set(g, cg_ui(g, SpvOpUDiv, z->w.u, 32));
  uint32_t prev = cg_ui(g, SpvOpISub, at, 1);
  if (!r) prev = cg_pick(g, g->u32, is, prev, spv_u32(g->b, 0));
  return (scan_part){cg_shared_get(g, z->total, prev), is};
}

void scan_tile_emit(cg *g) {
  const scan_tile_opts *o = &g->o->scan_tile;
  scan z = {.w = cg_find_place(g, o->row_threads, o->tile_rows * KIR_LANES)};
  cg_acc before[KIR_SCAN_ROWS];
  g->packs = true;
  g->trades = o->row_threads == CG_WORKGROUP;
  z.rows = o->tile_rows;
  z.groups = (z.w.threads + 31) / 32 * z.rows; /* short rows: one of them */
  z.q = cg_ui(g, SpvOpBitwiseAnd, z.w.u, 31);
  scan_load(g, &z);
  scan_groups(g, &z);
  if (z.w.threads > 1) scan_before(g, &z, before);
  if (z.groups > 1) scan_tile_totals(g, &z);
  scan_part carry = scan_carry(g, &z);
  uint32_t inner = 0;
  if (z.w.threads > 1) inner = is_set(g, z.q);
  for (uint32_t r = 0; r < z.rows; r++) {
    g->lanes = 1;
    uint32_t used = scan_used(g, &z.p[r]);
    scan_part part = scan_join(g, carry, scan_group(g, &z, r), used);
    if (inner) part = scan_join(g, part, (scan_part){before[r], inner}, used);
    g->lanes = 4;
    used = scan_used(g, &z.p[r]);
    cg_acc v = scan_last(g, part, z.s[r], used);
    scan_store(g, &z.p[r], v, used);
  }
}
