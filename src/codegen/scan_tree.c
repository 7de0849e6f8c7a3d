/* SPDX-License-Identifier: MIT */
/* scan_tree.c - the steps of the scan tree in registers and workgroup memory.
 *
 * 32 threads are a unit: they have a strip of the tile, or several (`parts`), and each
 * thread a quad of each of the strip's groups. Subgroups of 32 or more do all within a
 * strip by shuffles. Smaller ones are `pieces` of a unit, and what passes from one to
 * another goes through workgroup memory.
 *
 * A strip's total is made before its elements are scanned (scan_sums): so it is known
 * early, when the tiles behind wait for it.
 *
 * What lies behind the row's end flows only further behind, so it needs no mask, but for
 * escapes: those are asked for where a result depends on the join (tables/fold.h). A part
 * that does not exist is left out: that is seen only where the identity is not neutral on
 * the left, for ⌊ ⌈ of floats (a NaN); there it is selected, elsewhere the identity takes
 * its place. */
#include "scan.h"

#include "../base/arith.h"

/* ── where ──────────────────────────────────────────────────────────────────────────── */

uint32_t scan_tiers(const cg_task *t) {
  int64_t n = ceil_div(t->len, (int64_t)KIR_SCAN_STRIPS * scan_strip(t->k));
  uint32_t tiers = 0;
  if (cg_fold_associates(t->k)) return 0; /* the bracketing does not show */
  for (; n > scan_super(t); n = ceil_div(n, scan_super(t))) tiers++;
  return tiers;
}

void scan_open(cg *g, scan *z) {
  const scan_tile_opts *o = scan_opts(g);
  uint32_t S = cg_subgroup(g);
  z->groups = o->groups;
  z->parts = o->parts;
  z->quads = o->groups * o->parts;
  z->threads = o->row_threads;
  z->strips = z->threads <= 32 ? 1 : g->o->workgroup / 32 * o->parts;
  z->pieces = S < 32 ? 32 / S : 1;
  z->commutes = cg_fold_commutes(g->k);
  z->sums_each = z->commutes ? z->pieces : 1;
  uint32_t most = z->threads < 32 ? z->threads : 32;
  z->q = cg_ui(g, SpvOpBitwiseAnd, g->thread, most - 1);
  z->unit = cg_ui(g, SpvOpUDiv, g->thread, 32);
  g->packs = true;
  g->trades = z->threads >= 32;
  if (z->strips > 1) z->sums = cg_shared_acc(g, z->strips * z->sums_each);
}

void scan_find(cg *g, scan *z) {
  uint32_t units = g->o->workgroup / 32, strip = scan_strip(g->k);
  z->w = cg_find_place(g, z->threads, (int64_t)z->strips * strip);
  uint32_t start = z->w.start, quad = cg_to_ix(g, cg_ui(g, SpvOpIMul, z->q, 4));
  if (z->w.there) start = cg_pick(g, g->ix, z->w.there, cg_ixc(g, 0), g->len);
  for (uint32_t k = 0; k < z->parts; k++) {
    z->number[k] = cg_next(g, z->unit, k * units);
    uint32_t by = cg_to_ix(g, cg_ui(g, SpvOpIMul, z->number[k], strip));
    z->at[k] = start;
    if (z->strips > 1) z->at[k] = cg_x(g, SpvOpIAdd, start, by);
    uint32_t first = cg_x(g, SpvOpIAdd, z->at[k], quad);
    for (uint32_t i = 0; i < z->groups; i++)
      z->p[k * z->groups + i] = (cg_pos){.i = cg_beyond(g, first, i * KIR_SCAN_GROUP),
                                         .row_at = z->w.row_at,
                                         .tail = true};
  }
}

void scan_load(cg *g, scan *z) {
  uint32_t raw[SCAN_MOST_QUADS][KIR_MAX_IN];
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++)
    cg_load_raw(g, 0, g->k->fold_at, &z->p[r], raw[r]);
  for (uint32_t r = 0; r < z->quads; r++) z->x[r] = cg_source(g, &z->p[r], raw[r]);
  g->lanes = 1;
}

/* Does the element n behind `ix` exist? 0: not needed. */
static uint32_t exists(cg *g, uint32_t ix, uint32_t n) {
  if (!cg_fold_escapes(g->k)) return 0;
  return cg_less(g, cg_beyond(g, ix, n), g->len);
}

/* ── strips' totals ─────────────────────────────────────────────────────────────────── */

cg_acc scan_four(cg *g, cg_acc c, uint32_t used) {
  cg_acc v[4];
  g->lanes = 4;
  for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, c, j);
  g->lanes = 1;
  cg_acc low = cg_combine(g, v[0], v[1], used), high = cg_combine(g, v[2], v[3], used);
  return cg_combine(g, low, high, used);
}

cg_acc scan_neighbours(cg *g, cg_acc *v, uint32_t n, uint32_t used) {
  for (; n > 1; n /= 2)
    for (uint32_t i = 0; i < n / 2; i++)
      v[i] = cg_combine(g, v[2 * i], v[2 * i + 1], used);
  return v[0];
}

static uint32_t piece(cg *g, const scan *z) {
  uint32_t in = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  return cg_ui(g, SpvOpUDiv, in, 32 / z->pieces);
}

/* The neighbours within each piece; right in its first thread. */
static cg_acc fold_piece(cg *g, cg_acc v, uint32_t used) {
  uint32_t S = cg_subgroup(g);
  if (!used) return cg_group_reduce(g, v, S);
  for (uint32_t m = 1; m < S; m *= 2)
    v = cg_combine(g, v, cg_shuffle(g, v, spv_u32(g->b, m), true), used);
  return v;
}

static void sums_of_lanes(cg *g, scan *z) {
  uint32_t S = cg_subgroup(g), strip = scan_strip(g->k);
  cg_acc h[SCAN_MOST_PARTS];
  for (uint32_t k = 0; k < z->parts; k++) {
    uint32_t used = exists(g, z->at[k], strip), four = 0;
    g->lanes = 4;
    if (used) four = cg_splat(g, KB, used);
    cg_acc c = z->x[k * z->groups];
    for (uint32_t i = 1; i < z->groups; i++)
      c = cg_combine(g, c, z->x[k * z->groups + i], four);
    g->lanes = 1;
    h[k] = fold_piece(g, scan_four(g, c, used), used);
  }
  uint32_t first = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1));
  uint32_t merge = spv_if(g->b, first), mine = piece(g, z);
  for (uint32_t k = 0; k < z->parts; k++) {
    uint32_t to = cg_ui(g, SpvOpIMul, z->number[k], z->pieces);
    cg_shared_put(g, z->sums, cg_u(g, SpvOpIAdd, to, mine), h[k]);
  }
  spv_endif(g->b, merge);
}

void scan_sums(cg *g, scan *z) {
  if (z->commutes) sums_of_lanes(g, z);
}

/* The total of strip k: the neighbours' last levels. */
static cg_acc strip_total(cg *g, scan *z, uint32_t k, uint32_t used) {
  cg_acc v[8];
  for (uint32_t m = 0; m < z->sums_each; m++)
    v[m] = cg_shared_get(g, z->sums, spv_u32(g->b, k * z->sums_each + m));
  return scan_neighbours(g, v, z->sums_each, used);
}

cg_acc scan_offsets(cg *g, scan *z, scan_part off[SCAN_MOST_PARTS]) {
  uint32_t strip = scan_strip(g->k);
  cg_acc all = {{0}};
  for (uint32_t s = 0; s < z->strips; s++) {
    uint32_t used = exists(g, z->w.start, (s + 1) * strip);
    cg_acc v = strip_total(g, z, s, used);
    all = s ? cg_combine(g, all, v, used) : v;
    for (uint32_t k = 0; k < z->parts; k++) {
      uint32_t next = cg_is(g, SpvOpIEqual, z->number[k], spv_u32(g->b, s + 1));
      if (s == 0) off[k].v = all;
      else off[k].v = cg_acc_sel(g, next, all, off[k].v);
    }
  }
  for (uint32_t k = 0; k < z->parts; k++)
    off[k].is = cg_less(g, spv_u32(g->b, 0), z->number[k]);
  return all;
}

/* ── within a strip ─────────────────────────────────────────────────────────────────── */

/* Step 1: *x becomes what is scanned within the quad; its total. */
static cg_acc scan_quad(cg *g, const cg_pos *p, cg_acc *x) {
  cg_acc s[4];
  uint32_t ok = 0;
  cg_pos last = *p;
  last.ok = 0;
  if (g->k->exclusive) last.i = cg_beyond(g, p->i, 1);
  g->lanes = 4;
  if (cg_fold_escapes(g->k)) ok = cg_ok(g, &last);
  for (uint32_t j = 0; j < 4; j++) s[j] = cg_acc_part(g, *x, j);
  for (uint32_t j = 1; j < 4; j++) {
    g->lanes = 4;
    uint32_t used = ok ? cg_part(g, KB, ok, j) : 0;
    g->lanes = 1;
    s[j] = cg_combine(g, s[j - 1], s[j], used);
  }
  g->lanes = 1;
  cg_acc none = cg_identity(g), before[4] = {none, s[0], s[1], s[2]};
  g->lanes = 4;
  *x = cg_acc_join(g, g->k->exclusive ? before : s);
  g->lanes = 1;
  return s[3];
}

/* What a group's threads have of its quads. */
typedef struct quads_inside {
  cg_acc t[SCAN_MOST_QUADS], before[SCAN_MOST_QUADS], total[SCAN_MOST_QUADS];
} quads_inside;

/* Sklansky's partner at each level: the last place of the half block below, for those with
 * the level's bit set; for the others a harmless one. */
static void find_partners(cg *g, scan *z) {
  uint32_t inside = cg_log2(cg_subgroup(g)), none = spv_u32(g->b, 0);
  for (uint32_t k = 0; k < 5; k++) {
    uint32_t place = k >= inside ? g->thread : g->lane;
    uint32_t half = cg_ui(g, SpvOpShiftRightLogical, place, k);
    uint32_t start = cg_ui(g, SpvOpShiftLeftLogical, half, k);
    uint32_t odd = cg_ui(g, SpvOpBitwiseAnd, half, 1);
    z->bit[k] = cg_is(g, SpvOpINotEqual, odd, none);
    z->partner[k] = cg_u(g, SpvOpISub, start, odd);
    if (k >= inside) z->partner[k] = cg_ui(g, SpvOpUDiv, z->partner[k], 1u << inside);
  }
}

/* Where the total of a piece of quads r stands; index: of the piece in the workgroup. */
static uint32_t scan_block(cg *g, uint32_t r, uint32_t index) {
  return cg_ui(g, SpvOpIAdd, index, r * (g->o->workgroup / cg_subgroup(g)));
}

/* Every piece's last threads publish what they have. */
static void scan_publish(cg *g, scan *z, const cg_acc *t) {
  uint32_t S = cg_subgroup(g), in = cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1);
  if (!z->has_block) z->block = cg_shared_acc(g, z->quads * (g->o->workgroup / S));
  z->has_block = true;
  cg_barrier(g);
  uint32_t last = cg_is(g, SpvOpIEqual, in, spv_u32(g->b, S - 1));
  uint32_t merge = spv_if(g->b, last), mine = cg_ui(g, SpvOpUDiv, g->thread, S);
  for (uint32_t r = 0; r < z->quads; r++)
    cg_shared_put(g, z->block, scan_block(g, r, mine), t[r]);
  spv_endif(g->b, merge);
  cg_barrier(g);
}

/* Do strips' totals come of the scan within them? */
static bool makes_sums(const scan *z) { return z->strips > 1 && !z->commutes; }

/* Does a result depend on the totals of quad r's group from here on? 0: not needed. */
static uint32_t goes_on(cg *g, const scan *z, uint32_t r) {
  uint32_t used = exists(g, z->p[r].i, 4);
  if (!used || (r + 1) % z->groups || z->groups < scan_law(g->k)) return used;
  if (makes_sums(z)) return used;
  uint32_t more = cg_less(g, z->q, spv_u32(g->b, 31));
  return cg_is(g, SpvOpLogicalAnd, used, more);
}

/* Do the threads of a group have to pass something through workgroup memory? Then they do
 * so for all quads at once. */
static bool goes_far(const cg *g, const scan *z) {
  return cg_subgroup(g) < 32 && z->threads > cg_subgroup(g);
}

/* Step 2 for n quads from `first` on. */
static void scan_groups(cg *g, scan *z, cg_acc *t, uint32_t first, uint32_t n) {
  uint32_t S = cg_subgroup(g), inside = cg_log2(S), used[SCAN_MOST_QUADS];
  uint32_t levels = z->threads < 32 ? cg_log2(z->threads) : 5, end = first + n;
  if (cg_group_exact(g->k, g->o) && levels == 5 && S == 32) {
    for (uint32_t r = first; r < end; r++) t[r] = cg_group_scan(g, t[r], 32);
    return;
  }
  for (uint32_t r = first; r < end; r++) used[r] = goes_on(g, z, r);
  for (uint32_t k = 0; k < levels; k++) {
    uint32_t bit = z->bit[k];
    if (k >= inside) scan_publish(g, z, t);
    for (uint32_t r = first; r < end; r++) {
      cg_acc below;
      uint32_t ok = bit;
      if (used[r]) ok = cg_is(g, SpvOpLogicalAnd, bit, used[r]);
      if (k < inside) below = cg_shuffle(g, t[r], z->partner[k], false);
      else below = cg_shared_get(g, z->block, scan_block(g, r, z->partner[k]));
      t[r] = cg_acc_sel(g, bit, cg_combine(g, below, t[r], ok), t[r]);
    }
  }
}

/* From the totals of quads in their groups: those of the quads before (what a group's first
 * gets is not used), and the groups'. For n quads from `start` on. */
static void scan_totals(cg *g, scan *z, quads_inside *s, uint32_t start, uint32_t n) {
  uint32_t S = cg_subgroup(g), none = spv_u32(g->b, 0), first = 0, from = 0, last = 0;
  bool far = goes_far(g, z);
  if (far) {
    uint32_t mine = cg_ui(g, SpvOpUDiv, g->thread, S);
    scan_publish(g, z, s->t);
    first = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1));
    from = cg_pick(g, g->u32, cg_is_zero(g, mine), none, cg_ui(g, SpvOpISub, mine, 1));
    last = cg_ui(g, SpvOpBitwiseOr, mine, z->pieces - 1);
  }
  uint32_t left = cg_ui(g, SpvOpISub, g->lane, 1);
  left = cg_pick(g, g->u32, cg_is_zero(g, g->lane), none, left);
  uint32_t end = cg_ui(g, SpvOpBitwiseOr, g->lane, 31);
  for (uint32_t r = start; r < start + n; r++) {
    s->before[r] = cg_shuffle(g, s->t[r], left, false);
    if (far) {
      cg_acc there = cg_shared_get(g, z->block, scan_block(g, r, from));
      s->before[r] = cg_acc_sel(g, first, there, s->before[r]);
    }
    if ((r + 1) % z->groups == 0 && !makes_sums(z)) continue; /* no run needs it */
    if (far) s->total[r] = cg_shared_get(g, z->block, scan_block(g, r, last));
    else s->total[r] = cg_shuffle(g, s->t[r], end, false);
  }
}

static uint32_t scan_or(cg *g, uint32_t a, uint32_t b) {
  if (!a) return b;
  if (!b) return a;
  return cg_is(g, SpvOpLogicalOr, a, b);
}

/* Both of two bools; 0: not needed. */
static uint32_t scan_both(cg *g, uint32_t a, uint32_t b) {
  if (!a || !b) return 0;
  return spv_op(g->b, cg_type(g, KB), SpvOpLogicalAnd, a, b);
}

scan_part scan_join(cg *g, scan_part a, scan_part b, uint32_t used) {
  if (!a.is) return b;
  if (!b.is) return a;
  if (cg_fold_selects(g->k)) {
    uint32_t ok = scan_both(g, used, scan_both(g, a.is, b.is));
    cg_acc two = cg_acc_sel(g, a.is, cg_combine(g, a.v, b.v, ok), b.v);
    return (scan_part){cg_acc_sel(g, b.is, two, a.v), scan_or(g, a.is, b.is)};
  }
  cg_acc none = cg_identity(g);
  a.v = cg_acc_sel(g, a.is, a.v, none);
  b.v = cg_acc_sel(g, b.is, b.v, none);
  return (scan_part){cg_combine(g, a.v, b.v, used), spv_true(g->b, true, 1)};
}

/* Which lanes of a quad have something to be joined: of an exclusive scan the first has what
 * is before the quad, if there is (`led`, a bool, 0: nothing), and nothing of its own. */
static uint32_t scan_filled(cg *g, uint32_t led) {
  uint32_t yes = spv_true(g->b, true, 1), no = spv_true(g->b, false, 1);
  return cg_join(g, KB, (const uint32_t[]){led ? led : no, yes, yes, yes});
}

/* a ∘ s for the four lanes of a quad. An identity need not be neutral for a join's tuples. */
static cg_acc scan_behind(cg *g, scan_part a, cg_acc s, uint32_t used, uint32_t led) {
  if (!a.is) return s;
  if (!cg_fold_selects(g->k)) {
    g->lanes = 1;
    cg_acc v = cg_acc_sel(g, a.is, a.v, cg_identity(g));
    g->lanes = 4;
    return cg_combine(g, cg_acc_splat(g, v), s, used);
  }
  uint32_t is = cg_splat(g, KB, a.is), ok = scan_both(g, used, is);
  cg_acc front = cg_acc_splat(g, a.v);
  if (!g->k->join || !g->k->exclusive)
    return cg_acc_sel(g, is, cg_combine(g, front, s, ok), s);
  uint32_t filled = scan_filled(g, led);
  cg_acc two = cg_combine(g, front, s, scan_both(g, ok, filled));
  return cg_acc_sel(g, is, cg_acc_sel(g, filled, two, front), s);
}

/* The lanes that there are, where a join may escape. */
static uint32_t lanes_used(cg *g, const cg_pos *at) {
  cg_pos p = *at;
  if (!cg_fold_escapes(g->k)) return 0;
  return cg_ok(g, &p);
}

/* Steps 1 and 2 for n quads from `first` on. */
static void scan_quads(cg *g, scan *z, quads_inside *s, uint32_t first, uint32_t n) {
  for (uint32_t r = first; r < first + n; r++) s->t[r] = scan_quad(g, &z->p[r], &z->x[r]);
  if (z->threads == 1) return;
  scan_groups(g, z, s->t, first, n);
  scan_totals(g, z, s, first, n);
}

/* Step 3 for one of the thread's strips, group after group: so few values are at hand at
 * once. */
static void scan_run(cg *g, scan *z, uint32_t k, quads_inside *s) {
  scan_part run = {.is = 0}, quad = {.is = 0};
  if (z->threads > 1) quad.is = cg_less(g, spv_u32(g->b, 0), z->q);
  for (uint32_t i = 0; i < z->groups; i++) {
    uint32_t r = k * z->groups + i;
    if (!goes_far(g, z)) scan_quads(g, z, s, r, 1);
    quad.v = s->before[r];
    scan_part part = scan_join(g, run, quad, exists(g, z->p[r].i, 0));
    g->lanes = 4;
    z->x[r] = scan_behind(g, part, z->x[r], lanes_used(g, &z->p[r]), 0);
    z->led[r] = part.is;
    g->lanes = 1;
    if (i + 1 == z->groups && !makes_sums(z)) return;
    uint32_t used = exists(g, z->at[k], (i + 1) * KIR_SCAN_GROUP);
    run.v = i ? cg_combine(g, run.v, s->total[r], used) : s->total[r];
    run.is = spv_true(g->b, true, 1);
  }
  uint32_t merge = spv_if(g->b, cg_is_zero(g, z->q));
  cg_shared_put(g, z->sums, z->number[k], run.v);
  spv_endif(g->b, merge);
}

void scan_inside(cg *g, scan *z) {
  quads_inside s = {0};
  if (z->threads > 1) find_partners(g, z);
  if (goes_far(g, z)) scan_quads(g, z, &s, 0, z->quads);
  for (uint32_t k = 0; k < z->parts; k++) scan_run(g, z, k, &s);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

void scan_put(cg *g, scan *z, uint32_t r, scan_part before) {
  g->lanes = 4;
  uint32_t used = lanes_used(g, &z->p[r]);
  cg_acc v = scan_behind(g, before, z->x[r], used, z->led[r]);
  if (cg_fold_is_wide(g->k)) used = cg_ok(g, &z->p[r]);
  cg_finish(g, 0, &z->p[r], v, used);
  g->lanes = 1;
}
