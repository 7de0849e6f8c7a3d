/* SPDX-License-Identifier: MIT */
/* order_place.c - the phase of a radix sort (order.c) that puts a tile's elements where one
 * digit of theirs belongs.
 *
 *   load ─ rank in the unit ─ counts of the tile ─ places in the tile ─┐
 *     ┌────────────────────────────────────────────────────────────────┘
 *     └─ round after round: elements in order in workgroup memory ─ to memory, neighbours to
 *        neighbouring places
 *
 * A unit of up to 32 neighbouring threads owns neighbouring elements, a row of as many at a
 * time. A thread finds those of its unit that have its digit by ballots, one for each bit: how
 * many of them come before it, and the unit's counter of that digit, is its rank in the unit.
 * Then the counters of all units become places in the tile.
 *
 * What comes before the tile's elements of each digit. A tile publishes its counts as soon as
 * it has them, and looks back at those of the tiles before it, until one has published the
 * sum of all up to itself (Merrill and Garland's decoupled look-back, a thread a digit). A word
 * is one relaxed atomic of 32 bits: a count, whether it is such a sum, and a bit that turns
 * over from pass to pass, so nothing is cleared between passes.
 *
 * Every wait ends, and nothing is assumed of the order in which workgroups run: a workgroup
 * that has read a missing word `patience` times counts the digits of that tile itself and
 * publishes them: they are what the tile's own workgroup finds. */
#include "order.h"

enum { LOOK = 4 }; /* words read together */
enum { PREFIX = 1 << 30, COUNT = PREFIX - 1 };

/* ── ranks in the unit ──────────────────────────────────────────────────────────────── */

static void load_tile(cg *g, placer *p) {
  const sorter *s = &p->s;
  uint32_t first = cg_ui(g, SpvOpIMul, p->s.unit.number, s->unit.size * s->keys);
  first = cg_u(g, SpvOpIAdd, first, p->s.unit.in);
  order_load(g, s, first, s->unit.size, s->keys, g->k->n_acc, p->v);
  for (uint32_t i = 0; i < s->keys; i++) {
    uint32_t digit = order_digit(g, s, p->v[i].id[0]), last = spv_u32(g->b, DIGITS - 1);
    uint32_t is = order_has(g, s, cg_next(g, first, i * s->unit.size));
    p->digit[i] = cg_pick(g, g->u32, is, digit, last); /* what is not there comes last */
  }
}

/* The lanes of the unit that have the same digit: a u32. */
static uint32_t same_digit(cg *g, const placer *p, uint32_t digit) {
  uint32_t v4 = spv_vec(g->b, g->u32, 4), scope = spv_u32(g->b, SpvScopeSubgroup);
  bool whole = g->o->group & CG_GROUP_WHOLE, first = whole && p->s.unit.size == 32;
  uint32_t word = cg_ui(g, SpvOpShiftRightLogical, g->lane, 5), same = 0;
  spv_cap(g->b, SpvCapabilityGroupNonUniformBallot);
  for (uint32_t bit = 0; bit < DIGIT_BITS; bit++) {
    uint32_t is = cg_ui(g, SpvOpBitwiseAnd, digit, 1u << bit);
    is = cg_is(g, SpvOpINotEqual, is, spv_u32(g->b, 0));
    uint32_t all = spv_op(g->b, v4, SpvOpGroupNonUniformBallot, scope, is);
    if (first) all = cg_u(g, SpvOpCompositeExtract, all, 0);
    else all = cg_u(g, SpvOpVectorExtractDynamic, all, word);
    uint32_t others = spv_op(g->b, g->u32, SpvOpNot, all);
    all = cg_pick(g, g->u32, is, all, others);
    same = same ? cg_u(g, SpvOpBitwiseAnd, same, all) : all;
  }
  if (p->s.unit.size == 32) return same;
  uint32_t skip = cg_ui(g, SpvOpBitwiseAnd, g->lane, 31 & ~(p->s.unit.size - 1));
  same = cg_u(g, SpvOpShiftRightLogical, same, skip);
  return cg_ui(g, SpvOpBitwiseAnd, same, (1u << p->s.unit.size) - 1);
}

static void unit_barrier(cg *g) {
  uint32_t scope = spv_u32(g->b, SpvScopeSubgroup), how = spv_u32(g->b, 0x108);
  spv_do(g->b, SpvOpControlBarrier, scope, scope, how);
}

/* Registers decide, so two places share one: that of element i is added to. */
static void add_place(cg *g, placer *p, uint32_t i, uint32_t n) {
  uint32_t *at = &p->at[i / AT_ONCE];
  if (i % AT_ONCE) n = cg_ui(g, SpvOpShiftLeftLogical, n, 16);
  *at = *at ? cg_u(g, SpvOpIAdd, *at, n) : n;
}

uint32_t order_place_of(cg *g, const placer *p, uint32_t i) {
  uint32_t at = p->at[i / AT_ONCE];
  if (i % AT_ONCE) return cg_ui(g, SpvOpShiftRightLogical, at, 16);
  return cg_ui(g, SpvOpBitwiseAnd, at, 0xffff);
}

void order_rank(cg *g, placer *p) {
  uint32_t mine = cg_ui(g, SpvOpIMul, p->s.unit.number, DIGITS), zero = spv_u32(g->b, 0);
  uint32_t one = spv_u32(g->b, 1);
  for (uint32_t i = 0; i < DIGITS / p->s.unit.size; i++) {
    uint32_t at = cg_u(g, SpvOpIAdd, mine, cg_next(g, p->s.unit.in, i * p->s.unit.size));
    order_put(g, p->memory, at, zero);
  }
  unit_barrier(g);
  uint32_t below = cg_u(g, SpvOpShiftLeftLogical, one, p->s.unit.in);
  below = cg_ui(g, SpvOpISub, below, 1);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    uint32_t same = same_digit(g, p, p->digit[i]);
    uint32_t counter = cg_u(g, SpvOpIAdd, mine, p->digit[i]);
    uint32_t rank = order_get(g, p->memory, counter);
    uint32_t before = cg_ones(g, cg_u(g, SpvOpBitwiseAnd, same, below));
    rank = cg_u(g, SpvOpIAdd, rank, before);
    unit_barrier(g);
    uint32_t above = cg_u(g, SpvOpShiftRightLogical, same, p->s.unit.in);
    uint32_t merge = spv_if(g->b, cg_is(g, SpvOpIEqual, above, one));
    order_put(g, p->memory, counter, cg_ui(g, SpvOpIAdd, rank, 1));
    spv_endif(g->b, merge);
    unit_barrier(g);
    add_place(g, p, i, rank);
  }
}

/* ── words that tiles publish ───────────────────────────────────────────────────────── */

/* The word of a tile and a digit, u32 both. */
static uint32_t word_of(cg *g, const placer *p, uint32_t tile, uint32_t bin) {
  uint32_t at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, tile, DIGITS), bin);
  at = order_word(g, p->s.words, cg_u(g, SpvOpIAdd, p->state, at));
  return cg_pointer(g, g->u32, at);
}

static void publish(cg *g, const placer *p, uint32_t tile, uint32_t bin, uint32_t v) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t word = cg_u(g, SpvOpBitwiseOr, v, p->turn);
  spv_do(g->b, SpvOpAtomicStore, word_of(g, p, tile, bin), device, relaxed, word);
}

/* The tile's counts: of the first one with what comes before in all of the row. */
static void publish_counts(cg *g, const placer *p) {
  uint32_t prefix = spv_u32(g->b, PREFIX), first = cg_is_zero(g, p->s.tile);
  uint32_t number = cg_ui(g, SpvOpShiftRightLogical, p->s.shift, cg_log2(DIGIT_BITS));
  for (uint32_t j = 0; j < p->s.bins; j++) {
    uint32_t bin = order_bin(g, &p->s, j), var = p->sum[j];
    uint32_t merge = spv_if(g->b, first);
    uint32_t v = cg_load(g, g->u32, order_start(g, &p->s, number, bin), 4);
    spv_do(g->b, SpvOpStore, var, v);
    v = cg_u(g, SpvOpIAdd, v, p->count[j]);
    publish(g, p, p->s.tile, bin, cg_u(g, SpvOpBitwiseOr, v, prefix));
    spv_endif(g->b, merge);
    merge = spv_if(g->b, cg_is(g, SpvOpINotEqual, p->s.tile, spv_u32(g->b, 0)));
    publish(g, p, p->s.tile, bin, p->count[j]);
    spv_endif(g->b, merge);
  }
}

/* Tests hide the words of some tiles from the threads that read them. */
static uint32_t is_seen(cg *g, uint32_t bits, uint32_t tile) {
  uint32_t is = cg_less(g, bits, spv_u32(g->b, 1u << 31)), starve = order_of(g)->starve;
  if (!starve) return is;
  uint32_t rest = cg_ui(g, SpvOpUMod, tile, starve);
  uint32_t other = cg_is(g, SpvOpINotEqual, rest, spv_u32(g->b, starve - 1));
  return cg_is(g, SpvOpLogicalAnd, is, other);
}

/* Down the words of digit j, LOOK at a time, until a sum was found or the wait times out. */
static void order_look(cg *g, const placer *p, uint32_t j) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t none = relaxed, patience = cg_slot_u32(g, CG_OWN_SLOT(order_geom, patience));
  uint32_t bin = order_bin(g, &p->s, j), tries = spv_local(g->b, g->u32, 0);
  uint32_t word[LOOK], tile[LOOK];
  spv_do(g->b, SpvOpStore, tries, none);
  spv_loop l = spv_forever(g->b);
  uint32_t left = spv_op(g->b, g->u32, SpvOpLoad, p->left[j]);
  uint32_t tried = spv_op(g->b, g->u32, SpvOpLoad, tries);
  uint32_t over = cg_is(g, SpvOpUGreaterThan, tried, patience);
  over = cg_is(g, SpvOpLogicalOr, over, cg_is_zero(g, left));
  spv_break_if(g->b, &l, over);
  for (uint32_t i = 0; i < LOOK; i++) {
    uint32_t n = spv_u32(g->b, i + 1), is = cg_is(g, SpvOpUGreaterThanEqual, left, n);
    tile[i] = cg_pick(g, g->u32, is, cg_u(g, SpvOpISub, left, n), none);
    uint32_t at = word_of(g, p, tile[i], bin);
    word[i] = spv_op(g->b, g->u32, SpvOpAtomicLoad, at, device, relaxed);
  }
  uint32_t sum = spv_op(g->b, g->u32, SpvOpLoad, p->sum[j]),
           goes = spv_true(g->b, true, 1);
  uint32_t first = left;
  for (uint32_t i = 0; i < LOOK; i++) {
    uint32_t bits = cg_u(g, SpvOpBitwiseXor, word[i], p->turn);
    goes = cg_is(g, SpvOpLogicalAnd, goes, is_seen(g, bits, tile[i]));
    uint32_t n = cg_ui(g, SpvOpBitwiseAnd, bits, COUNT);
    sum = cg_u(g, SpvOpIAdd, sum, cg_pick(g, g->u32, goes, n, none));
    uint32_t is_sum = cg_ui(g, SpvOpBitwiseAnd, bits, PREFIX);
    uint32_t more = cg_is_zero(g, is_sum);
    uint32_t rest = cg_pick(g, g->u32, more, cg_ui(g, SpvOpISub, left, 1), none);
    left = cg_pick(g, g->u32, goes, rest, left);
    goes = cg_is(g, SpvOpLogicalAnd, goes, more);
  }
  spv_do(g->b, SpvOpStore, p->sum[j], sum);
  spv_do(g->b, SpvOpStore, p->left[j], left);
  tried = cg_ui(g, SpvOpIAdd, tried, 1);
  tried = cg_pick(g, g->u32, cg_is(g, SpvOpIEqual, left, first), tried, none);
  spv_do(g->b, SpvOpStore, tries, tried);
  spv_again(g->b, &l);
}

/* Digit j's sum as far as it is known: if it is known, for others too. */
static void order_publish(cg *g, const placer *p, uint32_t j) {
  uint32_t bin = order_bin(g, &p->s, j), prefix = spv_u32(g->b, PREFIX);
  uint32_t sum = spv_op(g->b, g->u32, SpvOpLoad, p->sum[j]);
  uint32_t left = spv_op(g->b, g->u32, SpvOpLoad, p->left[j]);
  order_put(g, p->base, bin, cg_u(g, SpvOpISub, sum, p->in_tile[j]));
  uint32_t known = cg_is_zero(g, left), all = cg_u(g, SpvOpIAdd, sum, p->count[j]);
  uint32_t merge = spv_if(g->b, known);
  publish(g, p, p->s.tile, bin, cg_u(g, SpvOpBitwiseOr, all, prefix));
  spv_endif(g->b, merge);
  merge = spv_if(g->b, cg_is(g, SpvOpINotEqual, left, spv_u32(g->b, 0)));
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), relaxed = spv_u32(g->b, 0);
  uint32_t ptr = cg_shared_ptr(g, g->u32, p->missing, relaxed);
  (void)spv_op(g->b, g->u32, SpvOpAtomicUMax, ptr, scope, relaxed, left);
  spv_endif(g->b, merge);
}

/* The workgroup counts tile number `missed` - 1 (u32) in the place of its own. */
static void count_missing(cg *g, const placer *p, uint32_t missed) {
  sorter s = p->s;
  uint32_t zero = spv_u32(g->b, 0), prefix = spv_u32(g->b, PREFIX);
  cg_barrier(g);
  uint32_t merge = order_if_bins(g);
  for (uint32_t j = 0; j < s.bins; j++) order_put(g, p->base, order_bin(g, &s, j), zero);
  cg_unguard(g, merge);
  merge = spv_if(g->b, cg_is_zero(g, g->thread));
  order_put(g, p->missing, zero, zero);
  spv_endif(g->b, merge);
  cg_barrier(g);
  s.tile = cg_ui(g, SpvOpISub, missed, 1);
  order_at_tile(g, &s);
  order_count_digit(g, &s, p->base);
  cg_barrier(g);
  uint32_t first = cg_is_zero(g, s.tile);
  uint32_t number = cg_ui(g, SpvOpShiftRightLogical, s.shift, cg_log2(DIGIT_BITS));
  merge = order_if_bins(g);
  for (uint32_t j = 0; j < s.bins; j++) {
    uint32_t bin = order_bin(g, &s, j), n = order_get(g, p->base, bin);
    uint32_t from = cg_load(g, g->u32, order_start(g, &s, number, bin), 4);
    n = cg_u(g, SpvOpIAdd, n, cg_pick(g, g->u32, first, from, zero));
    uint32_t left = spv_op(g->b, g->u32, SpvOpLoad, p->left[j]);
    uint32_t sum = spv_op(g->b, g->u32, SpvOpLoad, p->sum[j]);
    uint32_t was = cg_is(g, SpvOpIEqual, left, missed);
    uint32_t next = cg_u(g, SpvOpIAdd, sum, n);
    spv_do(g->b, SpvOpStore, p->sum[j], cg_pick(g, g->u32, was, next, sum));
    spv_do(g->b, SpvOpStore, p->left[j], cg_pick(g, g->u32, was, s.tile, left));
    uint32_t word = cg_pick(g, g->u32, first, cg_u(g, SpvOpBitwiseOr, n, prefix), n);
    publish(g, p, s.tile, bin, word);
  }
  cg_unguard(g, merge);
  cg_barrier(g);
}

/* What comes before the tile, for p->base; a barrier stands behind. */
static void look_back(cg *g, const placer *p) {
  spv_loop l = spv_forever(g->b);
  uint32_t merge = order_if_bins(g);
  for (uint32_t j = 0; j < p->s.bins; j++) {
    order_look(g, p, j);
    order_publish(g, p, j);
  }
  cg_unguard(g, merge);
  cg_barrier(g);
  uint32_t missed = order_get(g, p->missing, spv_u32(g->b, 0));
  spv_break_if(g->b, &l, cg_is_zero(g, missed));
  count_missing(g, p, missed);
  spv_again(g->b, &l);
}

/* ── places in the tile ─────────────────────────────────────────────────────────────── */

static uint32_t counter_of(cg *g, uint32_t unit, uint32_t bin) {
  return cg_next(g, bin, unit * DIGITS);
}

/* How many elements of digit `bin` (u32) the tile has. */
static uint32_t count_of(cg *g, const placer *p, uint32_t bin) {
  uint32_t sum = 0;
  for (uint32_t j = 0; j < p->s.unit.count; j++) {
    uint32_t n = order_get(g, p->memory, counter_of(g, j, bin));
    sum = sum ? cg_u(g, SpvOpIAdd, sum, n) : n;
  }
  return sum;
}

/* The units' counters become the places of their first elements of a digit. */
static void place_units(cg *g, const placer *p, uint32_t bin, uint32_t run) {
  for (uint32_t j = 0; j < p->s.unit.count; j++) {
    uint32_t at = counter_of(g, j, bin), n = order_get(g, p->memory, at);
    order_put(g, p->memory, at, run);
    run = cg_u(g, SpvOpIAdd, run, n);
  }
}

/* A value for threads that have digits, and 0 for others, from inside of a branch: kept in a
 * variable. */
typedef uint32_t bin_value(cg *g, const placer *p, uint32_t bin);
static void each_bin(cg *g, const placer *p, bin_value *of, uint32_t *v) {
  uint32_t zero = spv_u32(g->b, 0), var[DIGITS / 4];
  for (uint32_t j = 0; j < p->s.bins; j++) var[j] = spv_local(g->b, g->u32, zero);
  uint32_t merge = order_if_bins(g);
  for (uint32_t j = 0; j < p->s.bins; j++) {
    uint32_t x = of(g, p, order_bin(g, &p->s, j));
    spv_do(g->b, SpvOpStore, var[j], x);
  }
  cg_unguard(g, merge);
  for (uint32_t j = 0; j < p->s.bins; j++) v[j] = spv_op(g->b, g->u32, SpvOpLoad, var[j]);
}

static uint32_t row_total(cg *g, const placer *p, uint32_t bin) {
  uint32_t line = cg_ui(g, SpvOpIMul, p->s.row, DIGITS);
  line = cg_u(g, SpvOpIAdd, line, bin);
  return cg_load(g, g->u32, order_row_count(g, &p->s, line), 4);
}

static uint32_t tiles_before(cg *g, const placer *p, uint32_t bin) {
  return cg_load(g, g->u32, order_tile_count(g, &p->s, bin), 4);
}

/* Without look-back: p->base, from the counts of all tiles. */
static void read_bases(cg *g, const placer *p) {
  uint32_t in_row[DIGITS / 4], before[DIGITS / 4];
  cg_barrier(g);
  each_bin(g, p, row_total, in_row);
  order_scan_bins(g, &p->s, in_row);
  each_bin(g, p, tiles_before, before);
  uint32_t merge = order_if_bins(g);
  for (uint32_t j = 0; j < p->s.bins; j++) {
    uint32_t to = cg_u(g, SpvOpIAdd, in_row[j], before[j]);
    to = cg_u(g, SpvOpISub, to, p->in_tile[j]);
    order_put(g, p->base, order_bin(g, &p->s, j), to);
  }
  cg_unguard(g, merge);
}

void order_place(cg *g, placer *p) {
  const order_opts *o = order_of(g);
  cg_barrier(g);
  each_bin(g, p, count_of, p->count);
  uint32_t merge = o->looks ? order_if_bins(g) : 0;
  if (o->looks) publish_counts(g, p);
  cg_unguard(g, merge);
  for (uint32_t j = 0; j < p->s.bins; j++) p->in_tile[j] = p->count[j];
  order_scan_bins(g, &p->s, p->in_tile);
  merge = order_if_bins(g);
  for (uint32_t j = 0; j < p->s.bins; j++)
    place_units(g, p, order_bin(g, &p->s, j), p->in_tile[j]);
  cg_unguard(g, merge);
  if (p->base && !o->looks) read_bases(g, p);
  cg_barrier(g);
  uint32_t mine = cg_ui(g, SpvOpIMul, p->s.unit.number, DIGITS);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    uint32_t at = cg_u(g, SpvOpIAdd, mine, p->digit[i]);
    add_place(g, p, i, order_get(g, p->memory, at));
  }
  cg_barrier(g);
}

/* ── rounds ─────────────────────────────────────────────────────────────────────────── */

uint32_t order_words(cg *g, kty t, uint32_t v, uint32_t *high) {
  if (kty_bytes(t) == 4) return v;
  uint32_t two = spv_op(g->b, spv_vec(g->b, g->u32, 2), SpvOpBitcast, v);
  *high = cg_u(g, SpvOpCompositeExtract, two, 1);
  return cg_u(g, SpvOpCompositeExtract, two, 0);
}

/* Value `id` of the elements whose places are in the round go to workgroup memory. */
static void exchange_put(cg *g, const placer *p, uint32_t round, uint32_t id) {
  kty t = cg_acc_type(g->k, id);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    uint32_t high = 0, low = order_words(g, t, p->v[i].id[id], &high);
    uint32_t at = order_place_of(g, p, i);
    if (round) at = cg_ui(g, SpvOpISub, at, round * p->half);
    uint32_t merge = 0;
    if (p->s.rounds > 1) merge = spv_if(g->b, cg_less(g, at, spv_u32(g->b, p->half)));
    order_put(g, p->memory, at, low);
    if (high) order_put(g, p->memory, cg_ui(g, SpvOpIAdd, at, p->half), high);
    cg_unguard(g, merge);
  }
}

/* That of place q (u32) of the round. */
static uint32_t exchange_get(cg *g, const placer *p, uint32_t q, uint32_t id) {
  kty t = cg_acc_type(g->k, id);
  uint32_t low = order_get(g, p->memory, q);
  if (kty_bytes(t) == 4) return low;
  uint32_t high = order_get(g, p->memory, cg_ui(g, SpvOpIAdd, q, p->half));
  uint32_t v2 = spv_vec(g->b, g->u32, 2);
  uint32_t two = spv_op(g->b, v2, SpvOpCompositeConstruct, low, high);
  return spv_op(g->b, cg_scalar_type(g, t), SpvOpBitcast, two);
}

static void place_round(cg *g, const placer *p, uint32_t round) {
  cg_acc x[MOST_KEYS] = {{{0}}};
  uint32_t each = p->s.keys / p->s.rounds, in_tile[MOST_KEYS];
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) {
    if (round || id) cg_barrier(g);
    exchange_put(g, p, round, id);
    if (order_of(g)->looks && !round && !id) look_back(g, p);
    else cg_barrier(g);
    for (uint32_t i = 0; i < each; i++) {
      uint32_t q = cg_next(g, g->thread, i * g->o->workgroup);
      x[i].id[id] = exchange_get(g, p, q, id);
      in_tile[i] = cg_next(g, q, round * p->half);
    }
  }
  for (uint32_t i = 0; i < each; i++) {
    uint32_t merge = spv_if(g->b, order_has(g, &p->s, in_tile[i])), at = in_tile[i];
    uint32_t digit = order_digit(g, &p->s, x[i].id[0]);
    at = cg_u(g, SpvOpIAdd, at, order_get(g, p->base, digit));
    order_store(g, &p->s, at, x[i]);
    spv_endif(g->b, merge);
  }
}

/* The digit of the pass, and what it needs to look back. */
static void begin_look(cg *g, placer *p) {
  uint32_t number = p->s.before, zero = spv_u32(g->b, 0);
  p->s.shift = cg_load(g, g->u32, order_plan(g, &p->s, number), 4);
  number = cg_ui(g, SpvOpIAdd, number, MOST_DIGITS);
  p->s.before = cg_load(g, g->u32, order_plan(g, &p->s, number), 4);
  uint32_t even = cg_ui(g, SpvOpIAdd, p->s.before, 1);
  p->turn = cg_ui(g, SpvOpShiftLeftLogical, even, 31);
  p->state = order_state(g, &p->s);
  p->missing = spv_shared(g->b, g->u32, 1);
  for (uint32_t j = 0; j < p->s.bins; j++) {
    p->sum[j] = spv_local(g->b, g->u32, zero);
    p->left[j] = spv_local(g->b, g->u32, zero);
    spv_do(g->b, SpvOpStore, p->left[j], p->s.tile);
  }
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  order_put(g, p->missing, zero, zero);
  spv_endif(g->b, merge);
}

void order_emit_place(cg *g) {
  const order_opts *o = order_of(g);
  placer p = {.s = order_begin(g)};
  p.half = g->o->workgroup * p.s.keys / p.s.rounds;
  uint32_t counters = p.s.unit.count * DIGITS, elements = p.half, merge = 0;
  for (uint32_t n = 0; n < g->k->n_acc; n++)
    if (kty_bytes(cg_acc_type(g->k, 2 * n)) == 8) elements = 2 * p.half;
  p.memory = spv_shared(g->b, g->u32, counters > elements ? counters : elements);
  p.base = spv_shared(g->b, g->u32, DIGITS);
  order_find_tile(g, &p.s);
  if (o->looks) begin_look(g, &p);
  if (o->looks && g->o->from_partials && !g->o->final)
    merge = spv_if(g->b, cg_is(g, SpvOpINotEqual, p.s.shift, spv_u32(g->b, NO_DIGIT)));
  order_find_lists(g, &p.s);
  load_tile(g, &p);
  order_rank(g, &p);
  order_place(g, &p);
  for (uint32_t round = 0; round < p.s.rounds; round++) place_round(g, &p, round);
  cg_unguard(g, merge);
}
