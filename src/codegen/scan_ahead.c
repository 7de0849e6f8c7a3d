/* SPDX-License-Identifier: MIT */
/* scan_ahead.c - one pass over memory: tiles publish their totals and look at those of all
 * tiles before them.
 *
 *   a workgroup, tile after tile:   draw a tile ─ load ─┐
 *     ┌────────────────────────────────────────────────┘
 *     ├─ strips' totals ─ the tile's total, published ─ draw the next tile
 *     ├─ scan within the strips
 *     ├─ thread l of the first 32: words l, 32+l, 64+l … of the tiles before ─ prefix
 *     └─ store a quad, load the next tile's in its place ─ …
 *
 * Only totals are published, never prefixes: what a tile adds up, and in which order, is
 * a rule of its number alone, so results are the same in every run. Thread l keeps the
 * sum of its words over the full batches of 32 tiles so far (`acc`), so each word is read
 * once by each workgroup, not once by each tile.
 *
 * What crosses workgroups is one 64-bit word, stored and loaded by relaxed atomics: 32
 * bits of the total beside 32 of a tag that no dispatch before has used. So nothing must
 * be cleared, and nothing is assumed of the order of memory. Longer totals take several
 * words, each with the tag.
 *
 * Nobody waits for ever. A workgroup that has looked `patience` times at a word that is
 * missing makes that total itself, from the elements, and publishes it: the same bits by
 * the same tree, so it does not matter who does. So a tile whose workgroup was never
 * started, or is late, costs time alone. Tiles are drawn in order, by a counter, so on
 * devices that keep running what they have begun the word is never missing for long.
 *
 * Where the device lacks this (64-bit atomics), or is a CPU, a pass before makes the totals
 * and stores them plainly; the same window then reads them, and one tile is one
 * workgroup's. */
#include "scan.h"

#include "../base/arith.h"
#include "memory.h"

enum { MOST_LOOK = 16, MOST_WORDS = CG_ACC_WORDS, READ_LOOK = 8 };

/* Batches at once: three rounds of these cost an H200 less than the registers of one round of
 * ten do (f32 2636 and 2863 GB/s, f64 2800 and 3065). */
enum { MOST_ROUND = 3 };
enum { MOST_SLICES = 8 }; /* of a batch of 32 tiles: a subgroup looks at each */

/* The first subgroup's view of the totals of a row's tiles. */
typedef struct window {
  uint32_t l;    /* u32: this thread's place in the slices */
  uint32_t tile; /* u32: the tile whose prefix is asked for */
  uint32_t base; /* u64: where the row's totals, or words, begin */
  uint32_t look; /* batches at once */
  uint32_t slices;
  uint32_t words; /* of a total, published */
  uint32_t tag;   /* u32 */
  uint32_t prev;  /* variable: tiles that are in acc, a multiple of 32 */
  /* Variables: of full batches, and the broken one's total that thread l looks at. Where
   * the order of tiles shows the first acc is that of all threads. */
  cg_var acc[MOST_SLICES], part[MOST_SLICES];
  uint32_t word[MOST_LOOK][MOST_WORDS]; /* variables, u64: by batch × slices + slice */
} window;

/* The tiles between a workgroup's two are as many as there are workgroups, and its batches
 * begin up to 31 before the first. */
uint32_t scan_look(const kir *k, int64_t groups, uint32_t subgroup) {
  uint32_t words = (uint32_t)cg_acc_bytes(k) / 4,
           slices = subgroup < 32 ? 32 / subgroup : 1;
  uint32_t most = 10 / (words * slices), look = (uint32_t)min_i64((groups + 62) / 32, 10);
  if (most > MOST_ROUND) most = MOST_ROUND;
  if (most < 1) most = 1;
  return look < most ? look : most;
}

static uint32_t words_at_once(const window *w) { return w->look * w->slices; }

static uint32_t u32_variable(cg *g, uint32_t v) { return spv_local(g->b, g->u32, v); }
static uint32_t load(cg *g, uint32_t type, uint32_t var) {
  return spv_op(g->b, type, SpvOpLoad, var);
}
static void store(cg *g, uint32_t var, uint32_t v) { spv_do(g->b, SpvOpStore, var, v); }
static uint32_t both(cg *g, uint32_t a, uint32_t b) {
  return cg_is(g, SpvOpLogicalAnd, a, b);
}

static uint32_t not(cg * g, uint32_t a) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, a);
}

/* ── words ──────────────────────────────────────────────────────────────────────────── */

static uint32_t word_pointer(cg *g, const window *w, uint32_t tile, uint32_t n) {
  uint32_t at = spv_op(g->b, g->u64, SpvOpUConvert, tile);
  at = spv_op(g->b, g->u64, SpvOpIMul, at, cg_u64(g, 8 * w->words));
  at = spv_op(g->b, g->u64, SpvOpIAdd, w->base, at);
  return cg_pointer(g, g->u64, n ? cg_plus(g, at, 8 * n) : at);
}

static uint32_t half_of(cg *g, uint32_t word, uint32_t n) {
  uint32_t two = spv_vec(g->b, g->u32, 2);
  return cg_u(g, SpvOpCompositeExtract, spv_op(g->b, two, SpvOpBitcast, word), n);
}

static void publish(cg *g, const window *w, uint32_t tile, cg_acc v) {
  uint32_t half[MOST_WORDS], n = cg_acc_words(g, v, half);
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t two = spv_vec(g->b, g->u32, 2);
  spv_cap(g->b, SpvCapabilityInt64Atomics);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t pair = spv_op(g->b, two, SpvOpCompositeConstruct, w->tag, half[i]);
    uint32_t word = spv_op(g->b, g->u64, SpvOpBitcast, pair);
    uint32_t ptr = word_pointer(g, w, tile, i);
    spv_do(g->b, SpvOpAtomicStore, ptr, device, relaxed, word);
  }
}

/* The tile that thread l looks at in slice n of the window, counted through its batches,
 * and whether it is before the window's own. */
static uint32_t looked_at(cg *g, const window *w, uint32_t prev, uint32_t n,
                          uint32_t *is) {
  uint32_t t = cg_next(g, cg_u(g, SpvOpIAdd, prev, w->l), n * (32 / w->slices));
  *is = cg_less(g, t, w->tile);
  return t;
}

static void read_words(cg *g, window *w, uint32_t tile, uint32_t j) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  for (uint32_t i = 0; i < w->words; i++) {
    uint32_t ptr = word_pointer(g, w, tile, i);
    store(g, w->word[j][i], spv_op(g->b, g->u64, SpvOpAtomicLoad, ptr, device, relaxed));
  }
}

/* Is a word of tile `is` missing? */
static uint32_t missing(cg *g, const window *w, uint32_t j, uint32_t is) {
  uint32_t none = 0;
  for (uint32_t i = 0; i < w->words; i++) {
    uint32_t tag = half_of(g, load(g, g->u64, w->word[j][i]), 0);
    uint32_t other = cg_is(g, SpvOpINotEqual, tag, w->tag);
    none = none ? cg_is(g, SpvOpLogicalOr, none, other) : other;
  }
  return both(g, is, none);
}

/* ── what a tile's total is, by one subgroup ────────────────────────────────────────── */

/* Quad of thread `in` (u32) in piece m of group `group` (u32) of the strip at `at` (ix). */
static cg_acc quad_alone(cg *g, const scan *z, uint32_t at, uint32_t group, uint32_t m) {
  uint32_t S = cg_subgroup(g), in = cg_ui(g, SpvOpBitwiseAnd, g->lane, S - 1);
  uint32_t i = cg_ui(g, SpvOpIMul, group, KIR_SCAN_GROUP);
  i = cg_u(g, SpvOpIAdd, i, cg_ui(g, SpvOpIMul, cg_next(g, in, m * S), 4));
  cg_pos p = {.i = cg_x(g, SpvOpIAdd, at, cg_to_ix(g, i)), .row_at = z->w.row_at};
  g->lanes = 4;
  return cg_source(g, &p, NULL);
}

/* v, or what was joined before with it: nothing in a loop's first turn. */
static void join_turn(cg *g, const spv_loop *l, cg_var to, cg_acc v) {
  cg_acc sum = cg_combine(g, cg_var_get(g, to), v, 0);
  uint32_t begins = cg_splat(g, KB, cg_is_zero(g, l->i));
  cg_var_set(g, to, cg_acc_sel(g, begins, v, sum));
}

/* A strip's total: every thread of the subgroup has it. A subgroup smaller than 32 does
 * its share of the quads several times over. */
static cg_acc lanes_alone(cg *g, const scan *z, uint32_t at) {
  uint32_t S = cg_subgroup(g), in = cg_ui(g, SpvOpBitwiseAnd, g->lane, S - 1);
  cg_acc v[MOST_SLICES];
  for (uint32_t m = 0; m < z->pieces; m++) {
    g->lanes = 4;
    cg_var c = cg_local_acc(g, cg_identity(g));
    spv_loop l = spv_for(g->b, spv_u32(g->b, scan_law(g->k)));
    join_turn(g, &l, c, quad_alone(g, z, at, l.i, m));
    spv_endfor(g->b, &l);
    cg_acc four = cg_var_get(g, c);
    g->lanes = 1;
    v[m] = cg_group_reduce(g, scan_four(g, four, 0), S);
    v[m] = cg_shuffle(g, v[m], cg_u(g, SpvOpISub, g->lane, in), false);
  }
  return scan_neighbours(g, v, z->pieces, 0);
}

/* The same where the order of elements shows: groups are scanned for their totals. */
static cg_acc groups_alone(cg *g, const scan *z, uint32_t at) {
  uint32_t S = cg_subgroup(g), end = cg_ui(g, SpvOpBitwiseOr, g->lane, S - 1);
  cg_var run = cg_local_acc(g, cg_identity(g));
  cg_acc t[MOST_SLICES], s;
  spv_loop l = spv_for(g->b, spv_u32(g->b, scan_law(g->k)));
  for (uint32_t m = 0; m < z->pieces; m++) {
    cg_acc x = quad_alone(g, z, at, l.i, m);
    for (uint32_t j = 0; j < 4; j++) {
      g->lanes = 4;
      s = cg_acc_part(g, x, j);
      g->lanes = 1;
      t[m] = j ? cg_combine(g, t[m], s, 0) : s;
    }
    t[m] = cg_group_scan(g, t[m], S);
  }
  for (uint32_t h = 1; h < z->pieces; h *= 2)
    for (uint32_t m = z->pieces; m-- > 0;)
      if (m & h) {
        cg_acc below = cg_shuffle(g, t[m / h * h - 1], end, false);
        t[m] = cg_combine(g, below, t[m], 0);
      }
  join_turn(g, &l, run, cg_shuffle(g, t[z->pieces - 1], end, false));
  spv_endfor(g->b, &l);
  return cg_var_get(g, run);
}

static cg_acc strip_alone(cg *g, const scan *z, uint32_t at) {
  return z->commutes ? lanes_alone(g, z, at) : groups_alone(g, z, at);
}

/* Makes the total of a tile that is not published, and does so. */
static void help(cg *g, const scan *z, const window *w, uint32_t tile) {
  uint32_t strip = scan_strip(g->k), size = strip * KIR_SCAN_STRIPS;
  cg_var total = cg_local_acc(g, cg_identity(g));
  uint32_t start = cg_x(g, SpvOpIMul, cg_to_ix(g, tile), cg_ixc(g, size));
  spv_loop l = spv_for(g->b, spv_u32(g->b, KIR_SCAN_STRIPS));
  uint32_t by = cg_to_ix(g, cg_ui(g, SpvOpIMul, l.i, strip));
  join_turn(g, &l, total, strip_alone(g, z, cg_x(g, SpvOpIAdd, start, by)));
  spv_endfor(g->b, &l);
  uint32_t in = cg_ui(g, SpvOpBitwiseAnd, g->lane, cg_subgroup(g) - 1);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, in));
  publish(g, w, tile, cg_var_get(g, total));
  spv_endif(g->b, merge);
}

/* The first tile that some thread of the subgroup misses. */
static uint32_t first_missing(cg *g, const window *w, uint32_t prev) {
  uint32_t first = spv_u32(g->b, UINT32_MAX), is;
  for (uint32_t j = words_at_once(w); j-- > 0;) {
    uint32_t t = looked_at(g, w, prev, j, &is);
    first = cg_pick(g, g->u32, missing(g, w, j, is), t, first);
  }
  for (uint32_t m = 1; m < cg_subgroup(g); m *= 2) {
    uint32_t other = cg_shuffle_word(g, g->u32, first, spv_u32(g->b, m), true);
    first = cg_least(g, g->u32, first, other);
  }
  return first;
}

/* ── the window ─────────────────────────────────────────────────────────────────────── */

static uint32_t any(cg *g, uint32_t cond) {
  spv_cap(g->b, SpvCapabilityGroupNonUniform);
  spv_cap(g->b, SpvCapabilityGroupNonUniformVote);
  return spv_op(g->b, spv_bool(g->b), SpvOpGroupNonUniformAny,
                spv_u32(g->b, SpvScopeSubgroup), cond);
}

/* Until all words that the threads look at are there. */
static void wait(cg *g, const scan *z, window *w, uint32_t prev) {
  uint32_t looks = u32_variable(g, 0), is, t[MOST_LOOK], lacks[MOST_LOOK], some = 0;
  store(g, looks, spv_u32(g->b, 0));
  spv_loop l = spv_forever(g->b);
  for (uint32_t j = 0; j < words_at_once(w); j++) {
    t[j] = looked_at(g, w, prev, j, &is);
    lacks[j] = missing(g, w, j, is);
    some = some ? cg_is(g, SpvOpLogicalOr, some, lacks[j]) : lacks[j];
  }
  spv_break_if(g->b, &l, not(g, any(g, some)));
  uint32_t n = cg_ui(g, SpvOpIAdd, load(g, g->u32, looks), 1);
  store(g, looks, n);
  uint32_t tired = cg_less(g, spv_u32(g->b, scan_opts(g)->patience), n);
  uint32_t merge = spv_if(g->b, tired);
  store(g, looks, spv_u32(g->b, 0));
  help(g, z, w, first_missing(g, w, prev));
  spv_endif(g->b, merge);
  for (uint32_t j = 0; j < words_at_once(w); j++) {
    merge = spv_if(g->b, lacks[j]);
    read_words(g, w, t[j], j);
    spv_endif(g->b, merge);
  }
  spv_again(g->b, &l);
}

static void look(cg *g, const scan *z, window *w, uint32_t prev) {
  uint32_t last = cg_ui(g, SpvOpISub, w->tile, 1), is;
  for (uint32_t j = 0; j < words_at_once(w); j++) {
    uint32_t t = looked_at(g, w, prev, j, &is);
    read_words(g, w, cg_least(g, g->u32, t, last), j);
  }
  wait(g, z, w, prev);
}

static cg_acc looked_up(cg *g, const window *w, uint32_t j) {
  uint32_t half[MOST_WORDS];
  for (uint32_t i = 0; i < w->words; i++)
    half[i] = half_of(g, load(g, g->u64, w->word[j][i]), 1);
  return cg_acc_of_words(g, half);
}

/* The totals that a pass before has stored. */
static cg_acc stored(cg *g, const window *w, uint32_t prev, uint32_t j) {
  uint32_t is, t = looked_at(g, w, prev, j, &is);
  t = cg_least(g, g->u32, t, cg_ui(g, SpvOpISub, w->tile, 1));
  return cg_get_acc_at(g, w->base, cg_to_ix(g, t));
}

/* Neighbours of a batch of which the first `have` (u32; 0: all) tiles are there: what is
 * missing is left out. Right in the first thread. */
static cg_acc fold_batch(cg *g, const window *w, const cg_acc *of, uint32_t have) {
  uint32_t S = 32 / w->slices;
  cg_acc v[MOST_SLICES];
  for (uint32_t m = 0; m < w->slices; m++) {
    v[m] = of[m];
    for (uint32_t n = 1; n < S; n *= 2) {
      cg_acc two = cg_combine(g, v[m], cg_shuffle(g, v[m], spv_u32(g->b, n), true), 0);
      if (have) {
        uint32_t is = cg_less(g, cg_next(g, w->l, m * S + n), have);
        two = cg_acc_sel(g, is, two, v[m]);
      }
      v[m] = two;
    }
  }
  for (uint32_t n = 1; n < w->slices; n *= 2)
    for (uint32_t m = 0; m < w->slices; m += 2 * n) {
      cg_acc two = cg_combine(g, v[m], v[m + n], 0);
      if (have) {
        uint32_t is = cg_less(g, spv_u32(g->b, (m + n) * S), have);
        two = cg_acc_sel(g, is, two, v[m]);
      }
      v[m] = two;
    }
  return v[0];
}

/* The batch of totals v behind what acc has, if `in`: thread by thread, or in their order.
 * fresh: a bool, acc has nothing yet. */
static void take_batch(cg *g, window *w, const cg_acc *v, uint32_t in, uint32_t fresh) {
  bool commutes = cg_fold_commutes(g->k);
  for (uint32_t m = 0; m < (commutes ? w->slices : 1); m++) {
    cg_acc x = commutes ? v[m] : fold_batch(g, w, v, 0), a = cg_var_get(g, w->acc[m]);
    cg_acc sum = cg_combine(g, a, x, in);
    if (fresh && cg_fold_selects(g->k)) sum = cg_acc_sel(g, fresh, x, sum);
    cg_var_set(g, w->acc[m], cg_acc_sel(g, in, sum, a));
  }
}

/* Full batches into acc, the broken one into part; how many were full. */
static uint32_t take(cg *g, window *w, const cg_acc *v, uint32_t prev) {
  uint32_t left = cg_u(g, SpvOpISub, w->tile, prev);
  uint32_t full = cg_ui(g, SpvOpShiftRightLogical, left, 5);
  full = cg_least(g, g->u32, full, spv_u32(g->b, w->look));
  for (uint32_t j = 0; j < w->look; j++) {
    uint32_t n = spv_u32(g->b, j), broken = cg_is(g, SpvOpIEqual, n, full);
    const cg_acc *batch = &v[j * w->slices];
    take_batch(g, w, batch, cg_less(g, n, full), j ? 0 : cg_is_zero(g, prev));
    for (uint32_t m = 0; m < w->slices; m++) {
      cg_acc part = cg_acc_sel(g, broken, batch[m], cg_var_get(g, w->part[m]));
      cg_var_set(g, w->part[m], part);
    }
  }
  return full;
}

/* Down the totals of the tiles before: acc, part and prev are up to date. */
static void go_down(cg *g, const scan *z, window *w, bool published) {
  cg_acc v[MOST_LOOK];
  spv_loop l = spv_forever(g->b);
  uint32_t prev = load(g, g->u32, w->prev);
  spv_break_if(g->b, &l, cg_is(g, SpvOpUGreaterThanEqual, prev, w->tile));
  if (published) look(g, z, w, prev);
  for (uint32_t j = 0; j < words_at_once(w); j++) {
    if (published) v[j] = looked_up(g, w, j);
    else v[j] = stored(g, w, prev, j);
  }
  uint32_t full = take(g, w, v, prev);
  uint32_t by = cg_ui(g, SpvOpShiftLeftLogical, full, 5);
  store(g, w->prev, cg_u(g, SpvOpIAdd, prev, by));
  spv_break_if(g->b, &l, cg_less(g, full, spv_u32(g->b, w->look)));
  spv_again(g->b, &l);
}

/* What the threads have of the tiles, joined: `rest` (u32) of them are in part. */
static cg_acc fold_lanes(cg *g, const window *w, uint32_t rest, uint32_t fresh) {
  cg_acc a[MOST_SLICES];
  uint32_t S = 32 / w->slices, have = 0;
  for (uint32_t m = 0; m < w->slices; m++) {
    uint32_t here = cg_less(g, cg_next(g, w->l, m * S), rest);
    cg_acc part = cg_var_get(g, w->part[m]);
    a[m] = cg_var_get(g, w->acc[m]);
    cg_acc sum = cg_combine(g, a[m], part, here);
    if (cg_fold_selects(g->k)) sum = cg_acc_sel(g, fresh, part, sum);
    a[m] = cg_acc_sel(g, here, sum, a[m]);
  }
  if (cg_fold_selects(g->k)) have = cg_pick(g, g->u32, fresh, rest, spv_u32(g->b, 32));
  if (have || w->slices > 1) return fold_batch(g, w, a, have);
  return cg_group_reduce(g, a[0], S);
}

/* Where the order shows: batch after batch. */
static cg_acc fold_in_order(cg *g, const window *w, uint32_t rest, uint32_t fresh) {
  cg_acc part[MOST_SLICES], before = cg_var_get(g, w->acc[0]);
  for (uint32_t m = 0; m < w->slices; m++) part[m] = cg_var_get(g, w->part[m]);
  uint32_t some = cg_less(g, spv_u32(g->b, 0), rest);
  cg_acc last = fold_batch(g, w, part, rest), two = cg_combine(g, before, last, some);
  return cg_acc_sel(g, some, cg_acc_sel(g, fresh, last, two), before);
}

/* Step 6, to workgroup memory. */
static void leave_prefix(cg *g, const scan *z, window *w) {
  uint32_t prev = load(g, g->u32, w->prev), fresh = cg_is_zero(g, prev);
  uint32_t rest = cg_u(g, SpvOpISub, w->tile, prev);
  cg_acc p;
  if (z->commutes) p = fold_lanes(g, w, rest, fresh);
  else p = fold_in_order(g, w, rest, fresh);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  cg_shared_put(g, z->pre, spv_u32(g->b, 0), p);
  spv_endif(g->b, merge);
}

scan_part scan_prefix(cg *g, scan *z) {
  cg_acc v = cg_shared_get(g, z->pre, spv_u32(g->b, 0));
  return (scan_part){v, cg_less(g, spv_u32(g->b, 0), z->w.tile)};
}

static void open_window(cg *g, const scan *z, window *w, uint32_t n) {
  w->l = g->thread; /* those of the first subgroup look */
  w->look = n;
  w->slices = z->pieces;
  w->prev = spv_local(g->b, g->u32, spv_u32(g->b, 0));
  for (uint32_t m = 0; m < w->slices; m++) {
    w->acc[m] = cg_local_acc(g, cg_identity(g));
    w->part[m] = cg_local_acc(g, cg_identity(g));
  }
}

static void begin_row(cg *g, const window *w) {
  store(g, w->prev, spv_u32(g->b, 0));
  for (uint32_t m = 0; m < w->slices; m++) cg_var_set(g, w->acc[m], cg_identity(g));
}

/* base + index × bytes, u64. */
static uint32_t row_base(cg *g, const scan *z, uint32_t base, uint32_t bytes) {
  uint32_t first = cg_partial_index(g, z->w.row, spv_u32(g->b, 0));
  if (g->ix == g->u32) first = spv_op(g->b, g->u64, SpvOpUConvert, first);
  first = spv_op(g->b, g->u64, SpvOpIMul, first, cg_u64(g, bytes));
  return spv_op(g->b, g->u64, SpvOpIAdd, base, first);
}

static uint32_t in_first_subgroup(cg *g) {
  return cg_less(g, g->thread, spv_u32(g->b, cg_subgroup(g)));
}

void scan_before(cg *g, scan *z) {
  window w = {0};
  uint32_t merge = spv_if(g->b, in_first_subgroup(g));
  open_window(g, z, &w, z->pieces < READ_LOOK ? READ_LOOK / z->pieces : 1);
  w.tile = z->w.tile;
  uint32_t totals = cg_slot(g, CG_SLOT_CARRY);
  w.base = row_base(g, z, totals, (uint32_t)cg_acc_bytes(g->k));
  begin_row(g, &w);
  go_down(g, z, &w, false);
  leave_prefix(g, z, &w);
  spv_endif(g->b, merge);
}

/* ── tile after tile ────────────────────────────────────────────────────────────────── */

typedef struct ahead {
  window w;
  uint32_t all;   /* u32: tiles of all rows */
  uint32_t state; /* u64: the words of all rows */
  uint32_t next;  /* workgroup memory: the tile that was drawn */
  uint32_t tile;  /* variable: the tile at hand */
  uint32_t row;   /* variable, ix: the row that acc is of */
  cg_var x[SCAN_MOST_QUADS];
} ahead;

/* The next tile's number. Each workgroup draws until it gets one too many, and who draws
 * the last of these leaves the counter at 0. */
static uint32_t draw(cg *g, const ahead *a) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t ptr = cg_pointer(g, g->u32, cg_slot(g, CG_SLOT_COUNTER)),
           one = spv_u32(g->b, 1);
  uint32_t t = spv_op(g->b, g->u32, SpvOpAtomicIAdd, ptr, device, relaxed, one);
  uint32_t draws = cg_u(g, SpvOpIAdd, a->all, cg_slot_u32(g, CG_SLOT_GROUPS));
  uint32_t last = cg_is(g, SpvOpIEqual, cg_ui(g, SpvOpIAdd, t, 1), draws);
  uint32_t merge = spv_if(g->b, last);
  spv_do(g->b, SpvOpAtomicStore, ptr, device, relaxed, spv_u32(g->b, 0));
  spv_endif(g->b, merge);
  return t;
}

static uint32_t drawn(cg *g, const ahead *a) {
  return cg_shared_ptr(g, g->u32, a->next, spv_u32(g->b, 0));
}

static uint32_t first_draw(cg *g, const ahead *a) {
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  store(g, drawn(g, a), draw(g, a));
  spv_endif(g->b, merge);
  cg_barrier(g);
  uint32_t t = load(g, g->u32, drawn(g, a));
  cg_barrier(g);
  return t;
}

/* Where the tile is; there is none behind the last. */
static void find_tile(cg *g, scan *z, const ahead *a, uint32_t tile) {
  g->wid = cg_least(g, g->u32, tile, cg_ui(g, SpvOpISub, a->all, 1));
  scan_find(g, z);
}

/* Publishes the total of the tile at hand, but of a row's last. Tests have some tiles keep
 * theirs to themselves. */
static void announce(cg *g, const scan *z, const ahead *a, cg_acc total) {
  uint32_t starve = scan_opts(g)->starve, tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t is = cg_less(g, cg_ui(g, SpvOpIAdd, z->w.tile, 1), tiles);
  is = both(g, is, cg_is_zero(g, g->thread));
  if (starve) {
    uint32_t rest = cg_ui(g, SpvOpUMod, z->w.tile, starve);
    is = both(g, is, cg_is(g, SpvOpINotEqual, rest, spv_u32(g->b, starve - 1)));
  }
  uint32_t merge = spv_if(g->b, is);
  publish(g, &a->w, z->w.tile, total);
  spv_endif(g->b, merge);
}

/* The words of the row at hand. */
static void find_words(cg *g, const scan *z, ahead *a) {
  a->w.tile = z->w.tile;
  a->w.base = row_base(g, z, a->state, 8 * a->w.words);
}

static void same_row(cg *g, const scan *z, const ahead *a) {
  uint32_t other = cg_is(g, SpvOpINotEqual, load(g, g->ix, a->row), z->w.row);
  uint32_t merge = spv_if(g->b, other);
  begin_row(g, &a->w);
  store(g, a->row, z->w.row);
  spv_endif(g->b, merge);
}

static void keep(cg *g, const scan *z, const ahead *a) {
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++) cg_var_set(g, a->x[r], z->x[r]);
  g->lanes = 1;
}

static void recall(cg *g, scan *z, const ahead *a) {
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++) z->x[r] = cg_var_get(g, a->x[r]);
  g->lanes = 1;
}

/* Stores the tile; where a quad was, the next tile's is loaded. */
static void trade(cg *g, scan *z, const ahead *a, const scan_part *before,
                  uint32_t next) {
  scan to = *z;
  find_tile(g, &to, a, next);
  for (uint32_t r = 0; r < z->quads; r++) {
    scan_put(g, z, r, before[r / z->groups]);
    g->lanes = 4;
    cg_var_set(g, a->x[r], cg_source(g, &to.p[r], NULL));
    g->lanes = 1;
  }
}

static void open_ahead(cg *g, const scan *z, ahead *a) {
  uint32_t rows = cg_slot_u32(g, CG_SLOT_ROWS), tiles = cg_slot_u32(g, CG_SLOT_TILES);
  open_window(g, z, &a->w, scan_opts(g)->look);
  a->all = cg_u(g, SpvOpIMul, rows, tiles);
  a->state = cg_slot(g, CG_SLOT_CARRY);
  a->w.tag = cg_slot_u32(g, CG_SLOT_TAG);
  a->w.words = (uint32_t)cg_acc_bytes(g->k) / 4;
  a->next = spv_shared(g->b, g->u32, 1);
  a->tile = u32_variable(g, 0);
  a->row = spv_local(g->b, g->ix, cg_ixc(g, 0));
  for (uint32_t j = 0; j < words_at_once(&a->w); j++)
    for (uint32_t i = 0; i < a->w.words; i++)
      a->w.word[j][i] = spv_local(g->b, g->u64, 0);
  g->lanes = 4;
  for (uint32_t r = 0; r < z->quads; r++) a->x[r] = cg_local_acc(g, cg_identity(g));
  g->lanes = 1;
}

void scan_ahead(cg *g, scan *z) {
  ahead a = {0};
  scan_part off[SCAN_MOST_PARTS];
  open_ahead(g, z, &a);
  uint32_t tile = first_draw(g, &a);
  store(g, a.tile, tile);
  find_tile(g, z, &a, tile);
  scan_load(g, z);
  keep(g, z, &a);
  spv_loop l = spv_forever(g->b);
  tile = load(g, g->u32, a.tile);
  spv_break_if(g->b, &l, cg_is(g, SpvOpUGreaterThanEqual, tile, a.all));
  find_tile(g, z, &a, tile);
  recall(g, z, &a);
  scan_sums(g, z);
  if (!z->commutes) scan_inside(g, z);
  cg_barrier(g);
  cg_acc total = scan_offsets(g, z, off);
  find_words(g, z, &a);
  uint32_t drew = u32_variable(g, 0);
  announce(g, z, &a, total);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  store(g, drew, draw(g, &a));
  spv_endif(g->b, merge);
  if (z->commutes) scan_inside(g, z);
  merge = spv_if(g->b, in_first_subgroup(g));
  same_row(g, z, &a);
  go_down(g, z, &a.w, true);
  leave_prefix(g, z, &a.w);
  uint32_t one = spv_if(g->b, cg_is_zero(g, g->thread));
  store(g, drawn(g, &a), load(g, g->u32, drew));
  spv_endif(g->b, one);
  spv_endif(g->b, merge);
  cg_barrier(g);
  uint32_t next = load(g, g->u32, drawn(g, &a));
  scan_part pre = scan_prefix(g, z);
  for (uint32_t k = 0; k < z->parts; k++) off[k] = scan_join(g, pre, off[k], 0);
  trade(g, z, &a, off, next);
  store(g, a.tile, next);
  spv_again(g->b, &l);
}
