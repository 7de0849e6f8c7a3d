/* SPDX-License-Identifier: MIT */
/* order_count.c - the phases of a radix sort (order.c) that count digits.
 *
 * Where tiles may look back at one another, all digits of a row's keys are counted together,
 * before any is placed. Elsewhere the digits of each pass are counted tile by tile, and what
 * comes before each tile is summed: no workgroup waits for another, so nothing is assumed of
 * the order in which they run. */
#include "order.h"

enum { CHUNK = 8 };

/* ── all digits of a row ────────────────────────────────────────────────────────────── */

/* Counts the digits of the tile's elements that are this thread's. */
static void count_tile(cg *g, sorter *s, uint32_t counters) {
  cg_acc v[MOST_KEYS];
  uint32_t one = spv_u32(g->b, 1);
  order_load(g, s, g->thread, g->o->workgroup, s->keys, 1, v);
  for (uint32_t i = 0; i < s->keys; i++) {
    uint32_t at = cg_next(g, g->thread, i * g->o->workgroup);
    uint32_t merge = spv_if(g->b, order_has(g, s, at));
    for (uint32_t d = 0; d < order_of(g)->digits; d++) {
      s->shift = spv_u32(g->b, d * DIGIT_BITS);
      uint32_t bin = order_digit(g, s, v[i].id[0]);
      order_count(g, counters, cg_next(g, bin, d * DIGITS), one);
    }
    spv_endif(g->b, merge);
  }
}

/* Part after part of a row: what a workgroup has counted is added in memory. */
void order_emit_digits(cg *g) {
  sorter s = order_begin(g);
  uint32_t all = order_of(g)->digits * DIGITS, size = g->o->workgroup;
  uint32_t counters = spv_shared(g->b, g->u32, (all + size - 1) / size * size);
  uint32_t parts = cg_slot_u32(g, CG_OWN_SLOT(order_geom, parts));
  s.row = g->wid;
  uint32_t part = cg_split(g, &s.row, parts);
  for (uint32_t i = 0; i < all; i += size)
    order_put(g, counters, cg_next(g, g->thread, i), spv_u32(g->b, 0));
  cg_barrier(g);
  uint32_t n = cg_u(g, SpvOpISub, cg_ui(g, SpvOpISub, s.tiles, 1), part);
  n = cg_ui(g, SpvOpIAdd, cg_u(g, SpvOpUDiv, n, parts), 1);
  spv_loop l = spv_for(g->b, n);
  s.tile = cg_u(g, SpvOpIAdd, part, cg_u(g, SpvOpIMul, l.i, parts));
  order_at_tile(g, &s);
  count_tile(g, &s, counters);
  spv_endfor(g->b, &l);
  cg_barrier(g);
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  for (uint32_t i = 0; i < all; i += size) {
    uint32_t at = cg_next(g, g->thread, i), count = order_get(g, counters, at);
    uint32_t is = cg_is(g, SpvOpINotEqual, count, relaxed);
    if (all % size)
      is = cg_is(g, SpvOpLogicalAnd, is, cg_less(g, at, spv_u32(g->b, all)));
    uint32_t merge = spv_if(g->b, is);
    uint32_t addr = order_start(g, &s, spv_u32(g->b, 0), at);
    uint32_t ptr = cg_pointer(g, g->u32, addr);
    (void)spv_op(g->b, g->u32, SpvOpAtomicIAdd, ptr, device, relaxed, count);
    spv_endif(g->b, merge);
  }
}

/* ── where they begin, and which passes are needed ──────────────────────────────────── */

static void plan_entry(cg *g, const sorter *s, uint32_t entry, uint32_t v) {
  cg_store(g, g->u32, order_plan(g, s, entry), v, 4);
}

/* By digit a u32: 1 if the row's keys differ in it. The passes for these are the first ones
 * and the last one: there are two at least where keys have two digits, of which one may have
 * any digit that does not differ, and moves nothing. */
static void make_plan(cg *g, const sorter *s, const uint32_t *differs) {
  uint32_t digits = order_of(g)->digits, n = spv_u32(g->b, 0), ran = n;
  for (uint32_t d = 0; d < digits; d++) {
    n = cg_u(g, SpvOpIAdd, n, differs[d]);
    uint32_t none = spv_u32(g->b, d ? NO_DIGIT : 0);
    plan_entry(g, s, spv_u32(g->b, d), none);
    plan_entry(g, s, spv_u32(g->b, MOST_DIGITS + d), spv_u32(g->b, d));
  }
  if (digits == 1) return;
  uint32_t last = spv_u32(g->b, digits - 1), two = spv_u32(g->b, 2);
  uint32_t highest = cg_is_zero(g, differs[digits - 1]);
  uint32_t other = spv_u32(g->b, (digits - 1) * DIGIT_BITS);
  plan_entry(g, s, last, cg_pick(g, g->u32, highest, other, spv_u32(g->b, 0)));
  uint32_t is_many = cg_is(g, SpvOpUGreaterThanEqual, n, two);
  for (uint32_t d = 0; d < digits; d++) {
    uint32_t next = cg_u(g, SpvOpIAdd, ran, differs[d]);
    uint32_t ends = cg_is(g, SpvOpIEqual, next, n);
    ends = cg_is(g, SpvOpLogicalAnd, ends, is_many);
    uint32_t is = cg_is(g, SpvOpINotEqual, differs[d], spv_u32(g->b, 0));
    uint32_t merge = spv_if(g->b, is);
    uint32_t pass = cg_pick(g, g->u32, ends, last, ran);
    plan_entry(g, s, pass, spv_u32(g->b, d * DIGIT_BITS));
    spv_endif(g->b, merge);
    ran = next;
  }
  n = cg_pick(g, g->u32, is_many, n, two);
  plan_entry(g, s, spv_u32(g->b, MOST_DIGITS + digits - 1), cg_ui(g, SpvOpISub, n, 1));
}

/* Digit d's counts become what comes before them; tells `differs` of one that has them all. */
static void start_digit(cg *g, const sorter *s, uint32_t d, uint32_t differs) {
  uint32_t v[DIGITS / 4], number = spv_u32(g->b, d);
  uint32_t in = cg_less(g, g->thread, spv_u32(g->b, DIGITS)), zero = spv_u32(g->b, 0);
  for (uint32_t j = 0; j < s->bins; j++) {
    uint32_t bin = order_bin(g, s, j);
    if (g->o->workgroup > DIGITS) bin = cg_pick(g, g->u32, in, bin, zero);
    v[j] = cg_load(g, g->u32, order_start(g, s, number, bin), 4);
    uint32_t has_all = cg_is(g, SpvOpIEqual, v[j], cg_to_u32(g, g->len));
    uint32_t merge = spv_if(g->b, has_all);
    order_put(g, differs, number, zero);
    spv_endif(g->b, merge);
    if (g->o->workgroup > DIGITS) v[j] = cg_pick(g, g->u32, in, v[j], zero);
  }
  order_scan_bins(g, s, v);
  cg_barrier(g);
  uint32_t merge = order_if_bins(g);
  for (uint32_t j = 0; j < s->bins; j++)
    cg_store(g, g->u32, order_start(g, s, number, order_bin(g, s, j)), v[j], 4);
  cg_unguard(g, merge);
}

void order_emit_starts(cg *g) {
  sorter s = order_begin(g);
  uint32_t digits = order_of(g)->digits, differs[MOST_DIGITS];
  uint32_t told = spv_shared(g->b, g->u32, MOST_DIGITS);
  s.row = g->wid;
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  for (uint32_t d = 0; d < digits; d++)
    order_put(g, told, spv_u32(g->b, d), spv_u32(g->b, 1));
  spv_endif(g->b, merge);
  cg_barrier(g);
  for (uint32_t d = 0; d < digits; d++) start_digit(g, &s, d, told);
  merge = spv_if(g->b, cg_is_zero(g, g->thread));
  for (uint32_t d = 0; d < digits; d++) differs[d] = order_get(g, told, spv_u32(g->b, d));
  make_plan(g, &s, differs);
  spv_endif(g->b, merge);
}

/* ── the digit of a pass, tile by tile ──────────────────────────────────────────────── */

/* Where the count of a digit (u32) in the tile is: counts lie by row, digit, tile. */
uint32_t order_tile_count(cg *g, const sorter *s, uint32_t digit) {
  uint32_t line = cg_ui(g, SpvOpIMul, s->row, DIGITS);
  line = cg_u(g, SpvOpIAdd, line, digit);
  line = cg_u(g, SpvOpIMul, line, s->tiles);
  return order_word(g, s->words, cg_u(g, SpvOpIAdd, line, s->tile));
}

/* Behind them, by row and digit, how many there are. */
uint32_t order_row_count(cg *g, const sorter *s, uint32_t line) {
  uint32_t rows = cg_slot_u32(g, CG_SLOT_ROWS);
  uint32_t n = cg_ui(g, SpvOpIMul, cg_u(g, SpvOpIMul, rows, s->tiles), DIGITS);
  return order_word(g, s->words, cg_u(g, SpvOpIAdd, n, line));
}

void order_count_digit(cg *g, const sorter *s, uint32_t counters) {
  cg_acc v[MOST_KEYS];
  order_load(g, s, g->thread, g->o->workgroup, s->keys, 1, v);
  for (uint32_t i = 0; i < s->keys; i++) {
    uint32_t at = cg_next(g, g->thread, i * g->o->workgroup);
    uint32_t digit = order_digit(g, s, v[i].id[0]);
    uint32_t merge = spv_if(g->b, order_has(g, s, at));
    order_count(g, counters, digit, spv_u32(g->b, 1));
    spv_endif(g->b, merge);
  }
}

void order_emit_count(cg *g) {
  sorter s = order_begin(g);
  uint32_t counters = spv_shared(g->b, g->u32, DIGITS);
  order_find_tile(g, &s);
  order_find_lists(g, &s);
  uint32_t merge = order_if_bins(g);
  for (uint32_t j = 0; j < s.bins; j++)
    order_put(g, counters, order_bin(g, &s, j), spv_u32(g->b, 0));
  cg_unguard(g, merge);
  cg_barrier(g);
  order_count_digit(g, &s, counters);
  cg_barrier(g);
  merge = order_if_bins(g);
  for (uint32_t j = 0; j < s.bins; j++) {
    uint32_t bin = order_bin(g, &s, j), n = order_get(g, counters, bin);
    cg_store(g, g->u32, order_tile_count(g, &s, bin), n, 4);
  }
  cg_unguard(g, merge);
}

/* CHUNK counts of a thread from number `at` (u32) on become what comes before them; *sum
 * those of all threads. */
static void base_chunk(cg *g, const sorter *s, uint32_t line, uint32_t at,
                       uint32_t carry) {
  uint32_t n[CHUNK], is[CHUNK], where[CHUNK], sum = spv_u32(g->b, 0), all;
  for (uint32_t i = 0; i < CHUNK; i++) {
    uint32_t j = cg_next(g, at, i), last = cg_ui(g, SpvOpISub, s->tiles, 1);
    is[i] = cg_less(g, j, s->tiles);
    j = cg_least(g, g->u32, j, last);
    where[i] = order_word(g, s->words, cg_u(g, SpvOpIAdd, line, j));
    n[i] = cg_load(g, g->u32, where[i], 4);
    n[i] = cg_pick(g, g->u32, is[i], n[i], spv_u32(g->b, 0));
    sum = cg_u(g, SpvOpIAdd, sum, n[i]);
  }
  uint32_t run = cg_sum_before(g, &s->unit, sum, &all);
  cg_barrier(g);
  uint32_t base = spv_op(g->b, g->u32, SpvOpLoad, carry);
  run = cg_u(g, SpvOpIAdd, run, base);
  for (uint32_t i = 0; i < CHUNK; i++) {
    uint32_t merge = spv_if(g->b, is[i]);
    cg_store(g, g->u32, where[i], run, 4);
    spv_endif(g->b, merge);
    run = cg_u(g, SpvOpIAdd, run, n[i]);
  }
  base = cg_u(g, SpvOpIAdd, base, all);
  spv_do(g->b, SpvOpStore, carry, base);
}

void order_emit_bases(cg *g) {
  sorter s = order_begin(g);
  uint32_t size = g->o->workgroup * CHUNK;
  uint32_t line = cg_u(g, SpvOpIMul, g->wid, s.tiles);
  uint32_t carry = spv_local(g->b, g->u32, spv_u32(g->b, 0));
  uint32_t rounds = cg_ui(g, SpvOpIAdd, s.tiles, size - 1);
  spv_loop l = spv_for(g->b, cg_ui(g, SpvOpUDiv, rounds, size));
  uint32_t at = cg_ui(g, SpvOpIMul, l.i, size);
  at = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpIMul, g->thread, CHUNK));
  base_chunk(g, &s, line, at, carry);
  spv_endfor(g->b, &l);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  uint32_t all = spv_op(g->b, g->u32, SpvOpLoad, carry);
  cg_store(g, g->u32, order_row_count(g, &s, g->wid), all, 4);
  spv_endif(g->b, merge);
}
