/* SPDX-License-Identifier: MIT */
/* scan_window.c - what comes before a tile: the totals of all tiles before it, joined as
 * tables/fold.h says (step 6).
 *
 *   round after round:   each thread that looks, a total → workgroup memory ─ barrier ─
 *                        every subgroup: lane by lane onto what it has of the tiles before
 *
 * Lane l keeps the sum of the totals l, 32+l, 64+l … over the full batches of 32 tiles so
 * far (`acc`), so each total is read once by each workgroup, not once by each of its tiles.
 * Every subgroup does so for itself: that costs less than to wait for one of them.
 *
 * Where a row has more than a super-tile, what is before the one at hand is kept in workgroup memory,
 * for registers are few: 32 lanes for each tier, and what these come to. The first subgroup brings
 * it up to date whenever a super-tile is full. Shorter rows have kernels without all this.
 *
 * A total that others of the dispatch publish is one 64-bit word, stored and loaded by
 * relaxed atomics: 32 bits of it beside 32 of a tag that no dispatch before has used. So
 * nothing must be cleared, and nothing is assumed of the order of memory. Longer totals take
 * several words, each with the tag. Where a pass before has made them they lie there plainly.
 *
 * Measured on an H200, where the scan without any looking runs at the speed of a copy: how
 * many threads look decides, and registers, for two workgroups of 320 threads share a
 * processor if each thread has 96 of them. */
#include "scan.h"

#include "../base/arith.h"
#include "memory.h"

enum { MOST_LOOK = SCAN_MOST_LOOK, MOST_WORDS = CG_ACC_WORDS };
enum { SEEN_BYTES = 8192, FEW_LOOKERS = 96 };

/* ── which threads look ─────────────────────────────────────────────────────────────── */

/* Bits of an element, in all inputs. */
static int bits_read(const kir *k) {
  int bits = 0;
  for (uint32_t i = 0; i < k->n_in; i++) bits += elt_bits((elt)k->in[i].type);
  return bits;
}

/* A round ends one super-tile at most. */
static void choose_tiers(const cg_task *t, scan_tile_opts *o) {
  o->tiers = scan_tiers(t);
  if (!o->tiers) return;
  o->super = scan_super(t);
  o->lookers = (uint32_t)min_i64(o->lookers, o->super);
  o->look = (uint32_t)min_i64(o->look, o->super / o->lookers);
}

/* Threads that wait for totals delay the loads of the others: 96 threads that look in four rounds
 * do better than all of them in one, and than 32 that look at three each (f32 3736, 3016 and
 * 3025 GB/s). Where there is little to load it is the other way round, and
 * bits leave registers for half as many workgroups again. */
void scan_choose_window(const cg_task *t, cg_pass *s) {
  scan_tile_opts *o = &s->o.scan_tile;
  bool ahead = o->prefix == SCAN_AHEAD, few = ahead && bits_read(t->k) > 8;
  int64_t room = SEEN_BYTES / cg_acc_bytes(t->k), groups = t->resident;
  int64_t threads = few ? FEW_LOOKERS : s->o.workgroup;
  if (bits_read(t->k) == 1) groups += groups / 2;
  if (threads > room) threads = room / 32 * 32;
  o->lookers = (uint32_t)threads;
  o->look = 1;
  int64_t tiles = ahead ? groups : max_i64(s->geom.tiles, t->strip_tiles);
  int64_t look = min_i64(ceil_div(tiles + 31, threads), room / threads);
  if (!few) o->look = (uint32_t)min_i64(look, MOST_LOOK);
  choose_tiers(t, o);
  if (ahead) s->geom.workgroups = min_i64(s->geom.workgroups, groups);
}

static uint32_t batches_at_once(const scan_window *w) {
  return w->look * w->lookers / 32;
}

static uint32_t window_both(cg *g, uint32_t a, uint32_t b) {
  return cg_is(g, SpvOpLogicalAnd, a, b);
}

static uint32_t no(cg *g, uint32_t a) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, a);
}

/* ── words ──────────────────────────────────────────────────────────────────────────── */

/* The address of the words of the total of tile `tile` (u32). */
static uint32_t word_addr(cg *g, const scan_window *w, uint32_t tile) {
  uint32_t at = spv_op(g->b, g->u64, SpvOpUConvert, tile);
  at = spv_op(g->b, g->u64, SpvOpIMul, at, cg_u64(g, 8 * w->words));
  return spv_op(g->b, g->u64, SpvOpIAdd, w->base, at);
}

static uint32_t word_pointer(cg *g, uint32_t addr, uint32_t n) {
  return cg_pointer(g, g->u64, n ? cg_plus(g, addr, 8 * n) : addr);
}

static uint32_t half_of(cg *g, uint32_t word, uint32_t n) {
  uint32_t two = spv_vec(g->b, g->u32, 2);
  return cg_u(g, SpvOpCompositeExtract, spv_op(g->b, two, SpvOpBitcast, word), n);
}

void scan_window_publish(cg *g, const scan_window *w, uint32_t tile, cg_acc total) {
  uint32_t half[MOST_WORDS], n = cg_acc_words(g, total, half);
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t two = spv_vec(g->b, g->u32, 2);
  uint32_t addr = word_addr(g, w, tile);
  spv_cap(g->b, SpvCapabilityInt64Atomics);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t pair = spv_op(g->b, two, SpvOpCompositeConstruct, w->tag, half[i]);
    uint32_t word = spv_op(g->b, g->u64, SpvOpBitcast, pair);
    uint32_t ptr = word_pointer(g, addr, i);
    spv_do(g->b, SpvOpAtomicStore, ptr, device, relaxed, word);
  }
}

/* The words of total number j behind those at addr. */
static void read_words(cg *g, const scan_window *w, uint32_t addr, uint32_t j) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  for (uint32_t i = 0; i < w->words; i++) {
    uint32_t ptr = word_pointer(g, addr, j * w->lookers * w->words + i);
    scan_set(g, w->word[j][i],
             spv_op(g->b, g->u64, SpvOpAtomicLoad, ptr, device, relaxed));
  }
}

/* Are the words of number j all there? */
static uint32_t arrived(cg *g, const scan_window *w, uint32_t j) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < w->words; i++) {
    uint32_t tag = half_of(g, scan_get(g, g->u64, w->word[j][i]), 0);
    uint32_t same = cg_is(g, SpvOpIEqual, tag, w->tag);
    all = all ? window_both(g, all, same) : same;
  }
  return all;
}

static cg_acc looked_up(cg *g, const scan_window *w, uint32_t j) {
  uint32_t half[MOST_WORDS];
  for (uint32_t i = 0; i < w->words; i++)
    half[i] = half_of(g, scan_get(g, g->u64, w->word[j][i]), 1);
  return cg_acc_of_words(g, half);
}

/* ── totals into workgroup memory ───────────────────────────────────────────────────── */

/* Is number j among the totals of the mask (u32)? */
static uint32_t is_in(cg *g, uint32_t mask, uint32_t j) {
  uint32_t bit = cg_ui(g, SpvOpBitwiseAnd, mask, 1u << j);
  return cg_is(g, SpvOpINotEqual, bit, spv_u32(g->b, 0));
}

/* Where total j of this thread is kept. */
static uint32_t seen_at(cg *g, const scan_window *w, uint32_t j) {
  return cg_next(g, g->thread, j * w->lookers);
}

/* Looks once at the totals of the mask, in words at addr: the mask of those still missing. */
static uint32_t look_once(cg *g, const scan_window *w, uint32_t addr, uint32_t mask) {
  uint32_t is[MOST_LOOK], none = spv_u32(g->b, 0), merge;
  for (uint32_t j = 0; j < w->look; j++) {
    is[j] = is_in(g, mask, j);
    merge = spv_if(g->b, is[j]);
    read_words(g, w, addr, j);
    spv_endif(g->b, merge);
  }
  for (uint32_t j = 0; j < w->look; j++) {
    uint32_t here = window_both(g, is[j], arrived(g, w, j));
    merge = spv_if(g->b, here);
    uint32_t to = seen_at(g, w, j);
    cg_shared_put(g, w->seen, to, looked_up(g, w, j));
    spv_endif(g->b, merge);
    uint32_t bit = cg_pick(g, g->u32, here, spv_u32(g->b, 1u << j), none);
    mask = cg_u(g, SpvOpBitwiseXor, mask, bit);
  }
  return mask;
}

/* Waits until all totals of the mask are there, or the subgroup times out. */
static void wait(cg *g, const scan_window *w, uint32_t addr, uint32_t mask) {
  uint32_t lacks = spv_local(g->b, g->u32, 0), looks = spv_local(g->b, g->u32, 0);
  uint32_t one = spv_u32(g->b, 1);
  scan_set(g, lacks, mask);
  scan_set(g, looks, spv_u32(g->b, 0));
  spv_loop l = spv_forever(g->b);
  mask = scan_get(g, g->u32, lacks);
  uint32_t some = cg_is(g, SpvOpINotEqual, mask, spv_u32(g->b, 0));
  spv_break_if(g->b, &l, no(g, cg_any(g, some)));
  uint32_t n = cg_ui(g, SpvOpIAdd, scan_get(g, g->u32, looks), 1);
  scan_set(g, looks, n);
  uint32_t timed_out = cg_less(g, spv_u32(g->b, scan_opts(g)->patience), n);
  uint32_t merge = spv_if(g->b, timed_out);
  scan_set(g, scan_shared(g, w->aborted), one);
  spv_endif(g->b, merge);
  spv_break_if(g->b, &l, timed_out);
  scan_set(g, lacks, look_once(g, w, addr, mask));
  spv_again(g->b, &l);
}

/* The totals from tile prev (u32) on. Threads that do not look go the same way, with nothing
 * to look at: behind a branch the driver would take 40 registers more. */
static void window_look(cg *g, const scan_window *w, uint32_t prev) {
  uint32_t first = cg_u(g, SpvOpIAdd, prev, g->thread), none = spv_u32(g->b, 0);
  uint32_t mask = none, looks = spv_true(g->b, true, 1);
  if (w->lookers < g->o->workgroup)
    looks = cg_less(g, g->thread, spv_u32(g->b, w->lookers));
  for (uint32_t j = 0; j < w->look; j++) {
    uint32_t tile = cg_next(g, first, j * w->lookers);
    uint32_t is = window_both(g, looks, cg_less(g, tile, w->tile));
    uint32_t bit = cg_pick(g, g->u32, is, spv_u32(g->b, 1u << j), none);
    mask = cg_u(g, SpvOpBitwiseOr, mask, bit);
    if (w->words) continue;
    uint32_t merge = spv_if(g->b, is);
    cg_acc v = cg_get_acc_at(g, w->base, cg_to_ix(g, tile));
    cg_shared_put(g, w->seen, seen_at(g, w, j), v);
    spv_endif(g->b, merge);
  }
  if (w->words) wait(g, w, word_addr(g, w, first), mask);
}

/* ── the prefix ─────────────────────────────────────────────────────────────────────── */

/* What its first thread has, for all of a subgroup. */
static cg_acc of_first(cg *g, const scan_window *w, cg_acc v) {
  uint32_t S = 32 / w->slices, first = cg_ui(g, SpvOpBitwiseAnd, g->lane, ~(S - 1));
  return cg_shuffle(g, v, first, false);
}

/* A batch of totals, of which the first `have` (u32; 0: all) tiles are there; `is` (bool; 0: it
 * is): else it may hold anything. */
typedef struct window_batch {
  const cg_acc *v;
  uint32_t have, is;
} window_batch;

/* v ∘ other where `is` (0: everywhere). In fold_batch every 2^n-th thread has what is asked
 * for; that others have something else shows only in what a join escapes for. */
static cg_acc join_if(cg *g, const scan_window *w, const window_batch *of, cg_acc v,
                      cg_acc other, uint32_t is, uint32_t low) {
  uint32_t ok = is;
  if (cg_fold_escapes(g->k) && !cg_fold_commutes(g->k)) {
    ok = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, w->l, low));
    if (is) ok = window_both(g, ok, is);
    if (of->is) ok = window_both(g, ok, of->is);
  }
  cg_acc two = cg_combine(g, v, other, ok);
  return is ? cg_acc_sel(g, is, two, v) : two;
}

/* A batch's neighbours: what is missing is left out. */
static cg_acc fold_batch(cg *g, const scan_window *w, window_batch of) {
  uint32_t S = 32 / w->slices, have = of.have, is = 0;
  cg_acc v[SCAN_MOST_SLICES];
  for (uint32_t m = 0; m < w->slices; m++) {
    v[m] = of.v[m];
    for (uint32_t n = 1; n < S; n *= 2) {
      cg_acc other = cg_shuffle(g, v[m], spv_u32(g->b, n), true);
      if (have) is = cg_less(g, cg_next(g, w->l, m * S + n), have);
      v[m] = join_if(g, w, &of, v[m], other, is, 2 * n - 1);
    }
  }
  for (uint32_t n = 1; n < w->slices; n *= 2)
    for (uint32_t m = 0; m < w->slices; m += 2 * n) {
      if (have) is = cg_less(g, spv_u32(g->b, (m + n) * S), have);
      v[m] = join_if(g, w, &of, v[m], v[m + n], is, S - 1);
    }
  return of_first(g, w, v[0]);
}

/* Lane by lane, the totals of a batch (u32: its number in the round). */
static void seen_batch(cg *g, const scan_window *w, uint32_t batch, cg_acc *v) {
  uint32_t at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, batch, 32), w->l);
  for (uint32_t m = 0; m < w->slices; m++)
    v[m] = cg_shared_get(g, w->seen, cg_next(g, at, m * (32 / w->slices)));
}

/* The batch of totals v behind what acc has, if `in`: lane by lane, or in their order.
 * fresh: a bool, acc has nothing yet. */
static void take_batch(cg *g, scan_window *w, const cg_acc *v, uint32_t in,
                       uint32_t fresh) {
  bool commutes = cg_fold_commutes(g->k);
  for (uint32_t m = 0; m < (commutes ? w->slices : 1); m++) {
    cg_acc x = v[m], a = cg_var_get(g, w->acc[m]);
    if (!commutes) x = fold_batch(g, w, (window_batch){v, 0, in});
    cg_acc sum = cg_combine(g, a, x, in);
    if (fresh && cg_fold_selects(g->k)) sum = cg_acc_sel(g, fresh, x, sum);
    cg_var_set(g, w->acc[m], cg_acc_sel(g, in, sum, a));
  }
}

/* What all lanes of acc come to, of which the first `have` (u32; 0: all) are there. */
static cg_acc fold_acc(cg *g, const scan_window *w, const cg_acc *a, uint32_t have) {
  if (have || w->slices > 1) return fold_batch(g, w, (window_batch){a, have, 0});
  return of_first(g, w, cg_group_reduce(g, a[0], 32));
}

/* Has acc nothing yet, prev (u32) tiles being taken? */
static uint32_t is_fresh(cg *g, const scan_window *w, uint32_t prev) {
  if (w->tiers) prev = cg_ui(g, SpvOpBitwiseAnd, prev, w->super - 1);
  return cg_is_zero(g, prev);
}

/* ── super-tiles ────────────────────────────────────────────────────────────────────── */

/* In workgroup memory, for each tier: its lanes; what it and those above come to; the full batches,
 * where the order shows. */
enum { TIER_BEFORE = 32, TIER_FULL, TIER_ALL };

/* v, the total of number s (u32), joins the lanes of a tier, which lie at `at`: what they come to. */
static cg_acc join_tier(cg *g, const scan_window *w, uint32_t at, uint32_t s, cg_acc v) {
  bool commutes = cg_fold_commutes(g->k);
  uint32_t S = 32 / w->slices, slot = cg_ui(g, SpvOpBitwiseAnd, s, 31);
  uint32_t in_super = cg_ui(g, SpvOpBitwiseAnd, s, w->super - 1);
  uint32_t early = cg_less(g, in_super, spv_u32(g->b, 32)); /* the first batch */
  uint32_t have = cg_ui(g, SpvOpIAdd, commutes ? in_super : slot, 1);
  if (commutes) have = cg_least(g, g->u32, have, spv_u32(g->b, 32));
  cg_acc a[SCAN_MOST_SLICES];
  for (uint32_t m = 0; m < w->slices; m++) {
    uint32_t lane = cg_next(g, w->l, m * S), place = cg_next(g, lane, at);
    uint32_t here = cg_is(g, SpvOpIEqual, lane, slot);
    cg_acc old = cg_shared_get(g, w->above, place), x = v;
    if (commutes) {
      uint32_t ok = window_both(g, here, no(g, early));
      x = cg_acc_sel(g, early, v, cg_combine(g, old, v, ok));
    }
    a[m] = cg_acc_sel(g, here, x, old);
    cg_shared_put(g, w->above, place, a[m]);
  }
  v = fold_batch(g, w, (window_batch){a, have, 0});
  if (commutes) return v;
  uint32_t full = spv_u32(g->b, at + TIER_FULL), late = no(g, early);
  cg_acc before = cg_shared_get(g, w->above, full);
  v = cg_acc_sel(g, early, v, cg_combine(g, before, v, late));
  v = of_first(g, w, v); /* all have read `before` */
  uint32_t last = cg_is(g, SpvOpIEqual, slot, spv_u32(g->b, 31));
  last = window_both(g, last, cg_is_zero(g, g->thread));
  uint32_t merge = spv_if(g->b, last);
  cg_shared_put(g, w->above, full, v);
  spv_endif(g->b, merge);
  return v;
}

/* Number s (u32) of a tier has the total v. What comes before the next one of that tier. */
static cg_acc end_super(cg *g, const scan_window *w, uint32_t tier, uint32_t s,
                        cg_acc v) {
  uint32_t at = tier * TIER_ALL, n = cg_ui(g, SpvOpIAdd, s, 1), merge;
  v = join_tier(g, w, at, s, v);
  if (tier + 1 < w->tiers) {
    cg_var r = cg_var_acc(g, v);
    uint32_t up = at + TIER_ALL;
    uint32_t ends = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, n, w->super - 1));
    merge = spv_if(g->b, ends);
    uint32_t number = cg_ui(g, SpvOpShiftRightLogical, s, cg_log2(w->super));
    cg_var_set(g, r, end_super(g, w, tier + 1, number, v));
    spv_endif(g->b, merge);
    uint32_t later = cg_less(g, spv_u32(g->b, w->super), n);
    merge = spv_if(g->b, window_both(g, later, no(g, ends)));
    cg_acc q = cg_shared_get(g, w->above, spv_u32(g->b, up + TIER_BEFORE));
    cg_var_set(g, r, cg_combine(g, q, v, 0));
    spv_endif(g->b, merge);
    v = cg_var_get(g, r);
  }
  merge = spv_if(g->b, cg_is_zero(g, g->thread));
  cg_shared_put(g, w->above, spv_u32(g->b, at + TIER_BEFORE), v);
  spv_endif(g->b, merge);
  return v;
}

/* The super-tile that acc has is full; the next one begins with tile `end` (u32). */
static void super_is_full(cg *g, scan_window *w, uint32_t end) {
  cg_acc a[SCAN_MOST_SLICES];
  for (uint32_t m = 0; m < w->slices; m++) a[m] = cg_var_get(g, w->acc[m]);
  cg_acc v = cg_fold_commutes(g->k) ? fold_acc(g, w, a, 0) : a[0];
  uint32_t s = cg_ui(g, SpvOpShiftRightLogical, end, cg_log2(w->super));
  uint32_t merge = spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, cg_subgroup(g))));
  (void)end_super(g, w, 0, cg_ui(g, SpvOpISub, s, 1), v);
  spv_endif(g->b, merge);
  for (uint32_t m = 0; m < w->slices; m++) cg_var_set(g, w->acc[m], cg_identity(g));
  cg_barrier(g);
}

/* Batches from number `room` (u32) of the round on are the next super-tile's; `full` (u32) in all. */
static void next_super(cg *g, scan_window *w, uint32_t prev, uint32_t room,
                       uint32_t full) {
  cg_acc v[SCAN_MOST_SLICES];
  uint32_t merge = spv_if(g->b, cg_is(g, SpvOpUGreaterThanEqual, full, room));
  uint32_t by = cg_ui(g, SpvOpShiftLeftLogical, room, 5);
  super_is_full(g, w, cg_u(g, SpvOpIAdd, prev, by));
  spv_loop l = spv_for(g->b, cg_u(g, SpvOpISub, full, room));
  seen_batch(g, w, cg_u(g, SpvOpIAdd, room, l.i), v);
  take_batch(g, w, v, spv_true(g->b, true, 1), cg_is_zero(g, l.i));
  spv_endfor(g->b, &l);
  spv_endif(g->b, merge);
}

/* ── going down ─────────────────────────────────────────────────────────────────────── */

/* The full batches of the round into acc; how many they were. */
static uint32_t window_take(cg *g, scan_window *w, uint32_t prev) {
  cg_acc v[SCAN_MOST_SLICES];
  uint32_t left = cg_u(g, SpvOpISub, w->tile, prev), n = batches_at_once(w), room = 0;
  uint32_t full = cg_ui(g, SpvOpShiftRightLogical, left, 5);
  full = cg_least(g, g->u32, full, spv_u32(g->b, n));
  if (w->tiers) {
    room = cg_ui(g, SpvOpBitwiseAnd, prev, w->super - 1);
    room = cg_u(g, SpvOpISub, spv_u32(g->b, w->super), room);
    room = cg_ui(g, SpvOpShiftRightLogical, room, 5);
  }
  uint32_t first = room ? cg_least(g, g->u32, full, room) : full;
  for (uint32_t j = 0; j < n; j++) {
    uint32_t number = spv_u32(g->b, j), in = cg_less(g, number, first);
    seen_batch(g, w, number, v);
    take_batch(g, w, v, in, j ? 0 : is_fresh(g, w, prev));
  }
  if (room) next_super(g, w, prev, room, full);
  return full;
}

/* What the lanes have of the tiles, joined with the broken batch v: `rest` (u32) of them. */
static cg_acc fold_lanes(cg *g, const scan_window *w, const cg_acc *v, uint32_t rest,
                         uint32_t fresh) {
  cg_acc a[SCAN_MOST_SLICES];
  uint32_t S = 32 / w->slices, have = 0;
  for (uint32_t m = 0; m < w->slices; m++) {
    uint32_t here = cg_less(g, cg_next(g, w->l, m * S), rest);
    a[m] = cg_var_get(g, w->acc[m]);
    cg_acc sum = cg_combine(g, a[m], v[m], here);
    if (cg_fold_selects(g->k)) sum = cg_acc_sel(g, fresh, v[m], sum);
    a[m] = cg_acc_sel(g, here, sum, a[m]);
  }
  if (cg_fold_selects(g->k)) have = cg_pick(g, g->u32, fresh, rest, spv_u32(g->b, 32));
  return fold_acc(g, w, a, have);
}

/* Where the order shows: batch after batch. */
static cg_acc fold_in_order(cg *g, const scan_window *w, const cg_acc *v, uint32_t rest,
                            uint32_t fresh) {
  cg_acc before = cg_var_get(g, w->acc[0]);
  uint32_t some = cg_less(g, spv_u32(g->b, 0), rest);
  cg_acc last = fold_batch(g, w, (window_batch){v, rest, 0}),
         two = cg_combine(g, before, last, some);
  return cg_acc_sel(g, some, cg_acc_sel(g, fresh, last, two), before);
}

/* q ∘ p, what there is of it; p is an identity where there is nothing. */
static cg_acc behind_supers(cg *g, const scan_window *w, cg_acc p) {
  uint32_t rest = cg_ui(g, SpvOpBitwiseAnd, w->tile, w->super - 1);
  uint32_t is = cg_is(g, SpvOpUGreaterThanEqual, w->tile, spv_u32(g->b, w->super));
  cg_acc q = cg_shared_get(g, w->above, spv_u32(g->b, TIER_BEFORE));
  if (!cg_fold_selects(g->k))
    return cg_combine(g, cg_acc_sel(g, is, q, cg_identity(g)), p, 0);
  q = cg_acc_sel(g, is, q, p);
  is = window_both(g, is, no(g, cg_is_zero(g, rest)));
  return cg_acc_sel(g, is, cg_combine(g, q, p, is), q);
}

/* Step 6, behind the last round, of which `full` (u32) batches were taken. */
scan_part scan_prefix(cg *g, const scan_window *w, uint32_t full) {
  uint32_t prev = scan_get(g, g->u32, w->prev), fresh = is_fresh(g, w, prev);
  uint32_t rest = cg_u(g, SpvOpISub, w->tile, prev);
  cg_acc v[SCAN_MOST_SLICES], p;
  seen_batch(g, w, full, v);
  if (cg_fold_commutes(g->k)) p = fold_lanes(g, w, v, rest, fresh);
  else p = fold_in_order(g, w, v, rest, fresh);
  if (w->tiers) p = behind_supers(g, w, p);
  return (scan_part){p, cg_less(g, spv_u32(g->b, 0), w->tile)};
}

/* Goes down the totals of the tiles before, until they are complete or a wait timed out: *aborted,
 * a bool. Returns how many batches (u32) of the last round were full. */
uint32_t scan_go_down(cg *g, scan_window *w, uint32_t *aborted) {
  uint32_t none = spv_u32(g->b, 0), rounds = spv_u32(g->b, batches_at_once(w));
  uint32_t last = spv_local(g->b, g->u32, 0);
  spv_loop l = spv_forever(g->b);
  uint32_t prev = scan_get(g, g->u32, w->prev);
  window_look(g, w, prev);
  cg_barrier(g);
  if (w->words) {
    uint32_t mark = scan_get(g, g->u32, scan_shared(g, w->aborted));
    *aborted = cg_is(g, SpvOpINotEqual, mark, none);
    spv_break_if(g->b, &l, *aborted);
  }
  uint32_t full = window_take(g, w, prev), by = cg_ui(g, SpvOpShiftLeftLogical, full, 5);
  scan_set(g, w->prev, cg_u(g, SpvOpIAdd, prev, by));
  scan_set(g, last, full);
  spv_break_if(g->b, &l, cg_less(g, full, rounds));
  cg_barrier(g);
  spv_again(g->b, &l);
  return scan_get(g, g->u32, last);
}

/* ── a window ───────────────────────────────────────────────────────────────────────── */

void scan_open_window(cg *g, const scan *z, scan_window *w, uint32_t words) {
  *w = (scan_window){.slices = z->pieces, .words = words};
  w->l = cg_ui(g, SpvOpBitwiseAnd, g->lane, 32 / w->slices - 1);
  w->lookers = scan_opts(g)->lookers;
  w->look = scan_opts(g)->look;
  w->prev = spv_local(g->b, g->u32, 0);
  w->seen = cg_shared_acc(g, w->lookers * w->look);
  w->tiers = scan_opts(g)->tiers;
  w->super = scan_opts(g)->super;
  if (w->tiers) w->above = cg_shared_acc(g, w->tiers * TIER_ALL);
  if (words) w->aborted = spv_shared(g->b, g->u32, 1);
  for (uint32_t m = 0; m < w->slices; m++) w->acc[m] = cg_local_acc(g, cg_identity(g));
  for (uint32_t j = 0; j < w->look; j++)
    for (uint32_t i = 0; i < words; i++) w->word[j][i] = spv_local(g->b, g->u64, 0);
}

void scan_begin_row(cg *g, const scan_window *w) {
  scan_set(g, w->prev, spv_u32(g->b, 0));
  for (uint32_t m = 0; m < w->slices; m++) cg_var_set(g, w->acc[m], cg_identity(g));
}

void scan_find_window(cg *g, const scan *z, scan_window *w) {
  uint32_t bytes = w->words ? 8 * w->words : (uint32_t)cg_acc_bytes(g->k);
  uint32_t first = cg_partial_index(g, z->w.row, spv_u32(g->b, 0));
  if (g->ix == g->u32) first = spv_op(g->b, g->u64, SpvOpUConvert, first);
  first = spv_op(g->b, g->u64, SpvOpIMul, first, cg_u64(g, bytes));
  w->base = spv_op(g->b, g->u64, SpvOpIAdd, cg_slot(g, CG_SLOT_CARRY), first);
  if (w->words) w->tag = cg_slot_u32(g, CG_SLOT_TAG);
  w->tile = z->w.tile;
}

scan_part scan_before(cg *g, scan *z) {
  scan_window w;
  scan_open_window(g, z, &w, 0);
  scan_find_window(g, z, &w);
  scan_begin_row(g, &w);
  return scan_prefix(g, &w, scan_go_down(g, &w, NULL));
}
