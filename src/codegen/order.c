/* SPDX-License-Identifier: MIT */
/* order.c - the template that puts the elements of rows in the order of their keys: a radix
 * sort, digits of 8 bits, the least significant first, each pass stable.
 *
 *   for each digit   ORDER_COUNT  a workgroup counts the digits of its tile
 *                    ORDER_BASES  counts of a digit, tile after tile → what comes before them
 *                    ORDER_PLACE  a workgroup puts its tile's elements where they belong
 *
 * A row that one tile holds is placed at once, digit by digit. No workgroup waits for
 * another, so nothing is assumed of the order in which they run.
 *
 * ORDER_PLACE. A unit of up to 32 neighbouring threads owns neighbouring elements, a row of
 * as many at a time. A thread finds those of its unit that have its digit by ballots, one for
 * each bit: how many of them come before it, and the unit's counter of that digit, is its rank
 * in the unit. Then the counters of all units become places in the tile; the elements are
 * put in order in workgroup memory, in a few rounds that share it, and go from there to
 * neighbouring places of the output.
 *
 * A workgroup has at most 24 KiB of workgroup memory, or an H200 runs one at a time, and as
 * many elements as its registers hold: 128 of them where it has 256 threads, 64 where it has
 * 512. Between passes keys lie side by side, and behind them what goes along. */
#include "template.h"

#include "../base/arith.h"
#include "../kir/folds.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, MOST_KEYS = 24, CHUNK = 8 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool order_serves(const cg_task *t) { return t->kind == CG_TASK_ORDER; }

/* Words of workgroup memory that the largest value of an element takes. */
static uint32_t words_of(const kir *k) {
  uint32_t words = 1;
  for (uint32_t n = 0; n < k->n_acc; n++)
    if (kty_bytes(kfold_acc_type(k, n)) == 8) words = 2;
  return words;
}

static cg_pass *order_pass(const cg_task *t, cg_passes *p, order_phase phase,
                           uint32_t digit) {
  cg_pass *s = cg_add_pass(p, t, CG_ORDER);
  order_opts *o = &s->o.order;
  uint32_t unit = s->o.subgroup < 32 ? s->o.subgroup : 32, words = words_of(t->k);
  bool light = words == 1 && t->k->n_acc == 1;
  s->o.width = 1;
  s->o.workgroup = unit * (light ? 16 : 8);
  while (s->o.workgroup > t->most_threads) s->o.workgroup /= 2;
  o->phase = phase;
  o->keys = light ? 16 : MOST_KEYS;
  if (unit < 32)
    o->keys = 8; /* a module grows with them, and so does the time to compile it */
  o->rounds = words == 2 && unit == 32 ? 3 : 2;
  if (t->len <= 4 * (int64_t)s->o.workgroup) {
    o->keys = 4;
    o->rounds = 1;
  }
  s->o.from_partials = digit > 0;
  s->geom.order.shift = digit * DIGIT_BITS;
  return s;
}

/* The element's digit number `digit` of `digits`, by one pass or three. */
static void order_digit(const cg_task *t, cg_passes *p, uint32_t digit, uint32_t digits) {
  static const cg_buffer lists[2] = {CG_OWN_B, CG_OWN_C};
  cg_buffer from = CG_NOTHING;
  if (digit) from = lists[digit % 2];
  for (order_phase phase = ORDER_COUNT; phase <= ORDER_PLACE; phase++) {
    cg_pass *s = order_pass(t, p, phase, digit);
    int64_t tile = (int64_t)s->o.workgroup * s->o.order.keys;
    bool alone = t->len <= tile;
    if (alone && phase != ORDER_PLACE) {
      p->n--;
      continue;
    }
    s->o.order.alone = alone;
    s->geom.tiles = ceil_div(t->len, tile);
    s->geom.workgroups = t->rows * s->geom.tiles;
    if (phase == ORDER_BASES) s->geom.workgroups = t->rows * DIGITS;
    if (!alone) p->own[0] = t->rows * DIGITS * (s->geom.tiles + 1);
    s->from = from;
    s->to = CG_OWN;
    if (phase != ORDER_PLACE) continue;
    if (!alone) s->carry = CG_OWN;
    s->to = lists[(digit + 1) % 2];
    if (digit + 1 == digits) s->to = CG_RESULT;
  }
}

void order_passes(const cg_task *t, cg_passes *p) {
  uint32_t digits = (uint32_t)ceil_div(max_i64(t->k->key_bits, 1), DIGIT_BITS);
  for (uint32_t d = 0; d < digits; d++) order_digit(t, p, d, digits);
  int64_t each = cg_acc_bytes(t->k) / 4;
  p->own[0] = ceil_div(p->own[0], each); /* words → accumulators */
  if (digits > 1) p->own[2] = t->rows * t->len;
  if (digits > 2) p->own[1] = t->rows * t->len;
}

/* ── what all phases know ───────────────────────────────────────────────────────────── */

typedef struct sorter {
  uint32_t keys, rounds; /* elements of a thread; … */
  cg_units unit;
  uint32_t bins;           /* digits of a thread: 1, or more than 256 threads have */
  uint32_t row, tile;      /* u32 */
  uint32_t row_at;         /* ix */
  uint32_t start, left;    /* u32: of the tile, its first element; its elements */
  uint32_t shift;          /* u32 */
  uint32_t counts, totals; /* u64: counts by row, digit, tile; by row, digit */
  uint32_t tiles;          /* u32 */
} sorter;

static sorter begin(cg *g) {
  const order_opts *o = &g->o->order;
  sorter s = {.keys = o->keys, .rounds = o->rounds, .unit = cg_find_units(g)};
  uint32_t slot = o->phase == ORDER_PLACE ? CG_SLOT_CARRY : CG_SLOT_TO;
  s.bins = g->o->workgroup < DIGITS ? DIGITS / g->o->workgroup : 1;
  s.shift = cg_slot_u32(g, CG_OWN_SLOT(order_geom, shift));
  s.tiles = cg_slot_u32(g, CG_SLOT_TILES);
  if (o->alone) return s;
  s.counts = cg_slot(g, slot);
  uint32_t rows = cg_slot_u32(g, CG_SLOT_ROWS);
  uint32_t n = cg_ui(g, SpvOpIMul, cg_u(g, SpvOpIMul, rows, s.tiles), DIGITS);
  s.totals = cg_addr(g, s.counts, cg_to_ix(g, n), 2);
  return s;
}

static void find_tile(cg *g, sorter *s) {
  uint32_t size = g->o->workgroup * s->keys;
  s->row = g->wid;
  s->tile = cg_split(g, &s->row, s->tiles);
  s->row_at = cg_x(g, SpvOpIMul, cg_to_ix(g, s->row), g->len);
  s->start = cg_ui(g, SpvOpIMul, s->tile, size);
  uint32_t left = cg_u(g, SpvOpISub, cg_to_u32(g, g->len), s->start);
  s->left = cg_least(g, g->u32, left, spv_u32(g->b, size));
}

static cg_pos position(cg *g, const sorter *s, uint32_t in_tile) {
  uint32_t i = cg_u(g, SpvOpIAdd, s->start, in_tile);
  return (cg_pos){.i = cg_to_ix(g, i), .row_at = s->row_at, .tail = true};
}

/* The address of a u32 of those at base. */
static uint32_t count_at(cg *g, uint32_t base, uint32_t index) {
  return cg_addr(g, base, cg_to_ix(g, index), 2);
}

/* Where the count of a digit (u32) in the tile is. */
static uint32_t own_count(cg *g, const sorter *s, uint32_t digit) {
  uint32_t line = cg_ui(g, SpvOpIMul, s->row, DIGITS);
  line = cg_u(g, SpvOpIAdd, line, digit);
  line = cg_u(g, SpvOpIMul, line, s->tiles);
  return count_at(g, s->counts, cg_u(g, SpvOpIAdd, line, s->tile));
}

/* ── elements between passes ────────────────────────────────────────────────────────── */

/* The address of value `id` of element `index` (ix) of all rows, in the list at `base`. */
static uint32_t value_at(cg *g, uint32_t base, uint32_t id, uint32_t index) {
  uint32_t bytes = (uint32_t)kty_bytes(cg_acc_type(g->k, id));
  if (id) {
    uint32_t n = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), g->len);
    uint32_t before = (uint32_t)kty_bytes(cg_acc_type(g->k, 0));
    base = cg_addr(g, base, n, cg_log2(before));
  }
  return cg_addr(g, base, index, cg_log2(bytes));
}

static uint32_t get_value(cg *g, uint32_t id, cg_pos *p) {
  uint32_t type = cg_scalar_type(g, cg_acc_type(g->k, id));
  uint32_t at = value_at(g, g->from, id, cg_lane_index(g, p, 0));
  return cg_load(g, type, at, (uint32_t)kty_bytes(cg_acc_type(g->k, id)));
}

/* An element, of which raw is what cg_load_raw read; of one of a list `ids` values. */
static cg_acc get_element(cg *g, cg_pos *p, const uint32_t *raw, uint32_t ids) {
  cg_acc v = {{0}};
  if (!g->o->from_partials) return cg_source(g, p, raw);
  for (uint32_t id = 0; id < 2 * ids; id += 2) v.id[id] = get_value(g, id, p);
  return v;
}

static void put_element(cg *g, uint32_t index, cg_acc v) {
  uint32_t to = cg_slot(g, CG_SLOT_TO);
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) {
    uint32_t type = cg_scalar_type(g, cg_acc_type(g->k, id));
    uint32_t at = value_at(g, to, id, index);
    cg_store(g, type, at, v.id[id], (uint32_t)kty_bytes(cg_acc_type(g->k, id)));
  }
}

static uint32_t get_shared(cg *g, uint32_t array, uint32_t index) {
  return spv_op(g->b, g->u32, SpvOpLoad, cg_shared_ptr(g, g->u32, array, index));
}

static void put_shared(cg *g, uint32_t array, uint32_t index, uint32_t v) {
  uint32_t ptr = cg_shared_ptr(g, g->u32, array, index);
  spv_do(g->b, SpvOpStore, ptr, v);
}

/* Digit j of those that are this thread's. */
static uint32_t own_bin(cg *g, const sorter *s, uint32_t j) {
  return cg_next(g, cg_ui(g, SpvOpIMul, g->thread, s->bins), j);
}

/* Opens a branch for threads that have digits; 0: all have. */
static uint32_t if_has_bins(cg *g) {
  if (g->o->workgroup <= DIGITS) return 0;
  return spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, DIGITS)));
}

/* ── digits ─────────────────────────────────────────────────────────────────────────── */

/* -0 beside 0, and all NaNs at the end that they belong to: keys are ordered by this, and
 * keep their bits. */
static uint32_t float_key(cg *g, kty t, uint32_t key) {
  bool narrow = kty_bytes(t) == 4;
  uint32_t type = cg_scalar_type(g, t), width = narrow ? 32 : 64;
  uint64_t lowest = narrow ? 0x007FFFFF : UINT64_C(0x000FFFFFFFFFFFFF);
  uint64_t reach = narrow ? 0xFF000001 : UINT64_C(0xFFE0000000000001);
  uint64_t minus = narrow ? 0x7FFFFFFF : UINT64_C(0x7FFFFFFFFFFFFFFF);
  uint64_t nan = g->k->key_floats == KEY_FLOATS_UP ? UINT64_MAX : 0;
  uint32_t from = spv_const(g->b, type, width, lowest, 1);
  uint32_t far = spv_op(g->b, type, SpvOpISub, key, from);
  uint32_t is_nan =
      cg_is(g, SpvOpUGreaterThan, far, spv_const(g->b, type, width, reach, 1));
  uint32_t is_zero = cg_is(g, SpvOpIEqual, key, spv_const(g->b, type, width, minus, 1));
  key = cg_pick(g, type, is_zero, spv_const(g->b, type, width, minus + 1, 1), key);
  if (narrow) nan &= UINT32_MAX;
  return cg_pick(g, type, is_nan, spv_const(g->b, type, width, nan, 1), key);
}

static uint32_t digit_of(cg *g, const sorter *s, uint32_t key) {
  kty t = kfold_acc_type(g->k, 0);
  if (g->k->key_floats) key = float_key(g, t, key);
  key = spv_op(g->b, cg_scalar_type(g, t), SpvOpShiftRightLogical, key, s->shift);
  if (kty_bytes(t) == 8) key = spv_op(g->b, g->u32, SpvOpUConvert, key);
  return cg_ui(g, SpvOpBitwiseAnd, key, DIGITS - 1);
}

/* ── ORDER_COUNT ────────────────────────────────────────────────────────────────────── */

static void count_digit(cg *g, uint32_t counters, uint32_t digit) {
  uint32_t ptr = cg_shared_ptr(g, g->u32, counters, digit), one = spv_u32(g->b, 1);
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), relaxed = spv_u32(g->b, 0);
  (void)spv_op(g->b, g->u32, SpvOpAtomicIAdd, ptr, scope, relaxed, one);
}

static void emit_count(cg *g) {
  sorter s = begin(g);
  uint32_t raw[MOST_KEYS][KIR_MAX_IN], counters = spv_shared(g->b, g->u32, DIGITS);
  cg_pos p[MOST_KEYS];
  find_tile(g, &s);
  uint32_t merge = if_has_bins(g);
  for (uint32_t j = 0; j < s.bins; j++)
    put_shared(g, counters, own_bin(g, &s, j), spv_u32(g->b, 0));
  cg_unguard(g, merge);
  for (uint32_t i = 0; i < s.keys; i++) {
    p[i] = position(g, &s, cg_next(g, g->thread, i * g->o->workgroup));
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[i], raw[i]);
  }
  cg_barrier(g);
  for (uint32_t i = 0; i < s.keys; i++) {
    cg_acc v = get_element(g, &p[i], raw[i], 1);
    uint32_t digit = digit_of(g, &s, v.id[0]);
    merge = spv_if(g->b, cg_ok(g, &p[i]));
    count_digit(g, counters, digit);
    spv_endif(g->b, merge);
  }
  cg_barrier(g);
  merge = if_has_bins(g);
  for (uint32_t j = 0; j < s.bins; j++) {
    uint32_t bin = own_bin(g, &s, j), n = get_shared(g, counters, bin);
    cg_store(g, g->u32, own_count(g, &s, bin), n, 4);
  }
  cg_unguard(g, merge);
}

/* ── ORDER_BASES ────────────────────────────────────────────────────────────────────── */

/* CHUNK counts of a thread from number `at` (u32) on become what comes before them; *sum
 * those of all threads. */
static void base_chunk(cg *g, const sorter *s, uint32_t line, uint32_t at,
                       uint32_t carry) {
  uint32_t n[CHUNK], is[CHUNK], where[CHUNK], sum = spv_u32(g->b, 0), all;
  for (uint32_t i = 0; i < CHUNK; i++) {
    uint32_t j = cg_next(g, at, i), last = cg_ui(g, SpvOpISub, s->tiles, 1);
    is[i] = cg_less(g, j, s->tiles);
    j = cg_least(g, g->u32, j, last);
    where[i] = count_at(g, s->counts, cg_u(g, SpvOpIAdd, line, j));
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

static void emit_bases(cg *g) {
  sorter s = begin(g);
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
  cg_store(g, g->u32, count_at(g, s.totals, g->wid), all, 4);
  spv_endif(g->b, merge);
}

/* ── ORDER_PLACE ────────────────────────────────────────────────────────────────────── */

typedef struct placer {
  sorter s;
  uint32_t half;   /* elements of a round */
  uint32_t memory; /* counters of each unit, then elements */
  uint32_t base; /* by digit: where its first element of the tile goes, less its place */
  cg_acc v[MOST_KEYS];
  uint32_t digit[MOST_KEYS], same[MOST_KEYS], at[MOST_KEYS]; /* at: place in the tile */
} placer;

static void load_tile(cg *g, placer *p) {
  const sorter *s = &p->s;
  uint32_t raw[MOST_KEYS][KIR_MAX_IN];
  cg_pos at[MOST_KEYS];
  uint32_t first = cg_ui(g, SpvOpIMul, p->s.unit.number, s->unit.size * s->keys);
  first = cg_u(g, SpvOpIAdd, first, p->s.unit.in);
  for (uint32_t i = 0; i < s->keys; i++) {
    at[i] = position(g, s, cg_next(g, first, i * s->unit.size));
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &at[i], raw[i]);
  }
  for (uint32_t i = 0; i < s->keys; i++) {
    p->v[i] = get_element(g, &at[i], raw[i], g->k->n_acc);
    p->digit[i] = digit_of(g, s, p->v[i].id[0]);
    /* What is not there comes last. */
    uint32_t ok = cg_ok(g, &at[i]), last = spv_u32(g->b, DIGITS - 1);
    p->digit[i] = cg_pick(g, g->u32, ok, p->digit[i], last);
  }
}

/* The lanes of the unit that have the same digit: a u32. */
static uint32_t same_digit(cg *g, const placer *p, uint32_t digit) {
  uint32_t v4 = spv_vec(g->b, g->u32, 4), scope = spv_u32(g->b, SpvScopeSubgroup);
  uint32_t word = cg_ui(g, SpvOpShiftRightLogical, g->lane, 5), same = 0;
  uint32_t skip = cg_ui(g, SpvOpBitwiseAnd, g->lane, 31 & ~(p->s.unit.size - 1));
  spv_cap(g->b, SpvCapabilityGroupNonUniformBallot);
  for (uint32_t bit = 0; bit < DIGIT_BITS; bit++) {
    uint32_t is = cg_ui(g, SpvOpBitwiseAnd, digit, 1u << bit);
    is = cg_is(g, SpvOpINotEqual, is, spv_u32(g->b, 0));
    uint32_t all = spv_op(g->b, v4, SpvOpGroupNonUniformBallot, scope, is);
    all = spv_op(g->b, g->u32, SpvOpVectorExtractDynamic, all, word);
    uint32_t others = spv_op(g->b, g->u32, SpvOpNot, all);
    all = cg_pick(g, g->u32, is, all, others);
    same = same ? cg_u(g, SpvOpBitwiseAnd, same, all) : all;
  }
  if (p->s.unit.size == 32) return same;
  same = cg_u(g, SpvOpShiftRightLogical, same, skip);
  return cg_ui(g, SpvOpBitwiseAnd, same, (1u << p->s.unit.size) - 1);
}

static void unit_barrier(cg *g) {
  uint32_t scope = spv_u32(g->b, SpvScopeSubgroup), how = spv_u32(g->b, 0x108);
  spv_do(g->b, SpvOpControlBarrier, scope, scope, how);
}

/* Ranks in the unit, by digit; the counters then have how many there are. */
static void rank_in_unit(cg *g, placer *p) {
  uint32_t mine = cg_ui(g, SpvOpIMul, p->s.unit.number, DIGITS), zero = spv_u32(g->b, 0);
  for (uint32_t i = 0; i < DIGITS / p->s.unit.size; i++) {
    uint32_t at = cg_u(g, SpvOpIAdd, mine, cg_next(g, p->s.unit.in, i * p->s.unit.size));
    put_shared(g, p->memory, at, zero);
  }
  unit_barrier(g);
  for (uint32_t i = 0; i < p->s.keys; i++) p->same[i] = same_digit(g, p, p->digit[i]);
  uint32_t below = cg_u(g, SpvOpShiftLeftLogical, spv_u32(g->b, 1), p->s.unit.in);
  below = cg_ui(g, SpvOpISub, below, 1);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    uint32_t counter = cg_u(g, SpvOpIAdd, mine, p->digit[i]);
    uint32_t old = get_shared(g, p->memory, counter);
    uint32_t before = cg_ones(g, cg_u(g, SpvOpBitwiseAnd, p->same[i], below));
    p->at[i] = cg_u(g, SpvOpIAdd, old, before);
    unit_barrier(g);
    uint32_t all = cg_ones(g, p->same[i]), next = cg_ui(g, SpvOpIAdd, before, 1);
    uint32_t merge = spv_if(g->b, cg_is(g, SpvOpIEqual, next, all));
    put_shared(g, p->memory, counter, cg_ui(g, SpvOpIAdd, p->at[i], 1));
    spv_endif(g->b, merge);
    unit_barrier(g);
  }
}

/* The counters of digit `bin` (u32) become what comes before them of it; how many there
 * are in all. */
static uint32_t units_before(cg *g, const placer *p, uint32_t bin) {
  uint32_t run = spv_u32(g->b, 0);
  for (uint32_t j = 0; j < p->s.unit.count; j++) {
    uint32_t at = cg_next(g, bin, j * DIGITS), n = get_shared(g, p->memory, at);
    put_shared(g, p->memory, at, run);
    run = cg_u(g, SpvOpIAdd, run, n);
  }
  return run;
}

static void add_to_units(cg *g, const placer *p, uint32_t bin, uint32_t add) {
  for (uint32_t j = 0; j < p->s.unit.count; j++) {
    uint32_t at = cg_next(g, bin, j * DIGITS), n = get_shared(g, p->memory, at);
    put_shared(g, p->memory, at, cg_u(g, SpvOpIAdd, n, add));
  }
}

/* A value for threads that have digits, and 0 for others, from inside of a branch: kept in a
 * variable. */
typedef uint32_t bin_value(cg *g, const placer *p, uint32_t bin);
static void each_bin(cg *g, const placer *p, bin_value *of, uint32_t *v) {
  uint32_t zero = spv_u32(g->b, 0), var[DIGITS / 4];
  for (uint32_t j = 0; j < p->s.bins; j++) var[j] = spv_local(g->b, g->u32, zero);
  uint32_t merge = if_has_bins(g);
  for (uint32_t j = 0; j < p->s.bins; j++) {
    uint32_t x = of(g, p, own_bin(g, &p->s, j));
    spv_do(g->b, SpvOpStore, var[j], x);
  }
  cg_unguard(g, merge);
  for (uint32_t j = 0; j < p->s.bins; j++) v[j] = spv_op(g->b, g->u32, SpvOpLoad, var[j]);
}

/* v[j] becomes the sum of those of the digits before. */
static void scan_bins(cg *g, const sorter *s, uint32_t *v) {
  uint32_t sum = spv_u32(g->b, 0), all;
  for (uint32_t j = 0; j < s->bins; j++) sum = cg_u(g, SpvOpIAdd, sum, v[j]);
  uint32_t run = cg_sum_before(g, &s->unit, sum, &all);
  cg_barrier(g);
  for (uint32_t j = 0; j < s->bins; j++) {
    uint32_t n = v[j];
    v[j] = run;
    run = cg_u(g, SpvOpIAdd, run, n);
  }
}

static uint32_t row_total(cg *g, const placer *p, uint32_t bin) {
  uint32_t line = cg_ui(g, SpvOpIMul, p->s.row, DIGITS);
  line = cg_u(g, SpvOpIAdd, line, bin);
  return cg_load(g, g->u32, count_at(g, p->s.totals, line), 4);
}

static uint32_t tiles_before(cg *g, const placer *p, uint32_t bin) {
  return cg_load(g, g->u32, own_count(g, &p->s, bin), 4);
}

/* Ranks in the unit become places in the tile, and p->base knows where each digit's go. */
static void place_in_tile(cg *g, placer *p) {
  uint32_t in_tile[DIGITS / 4], in_row[DIGITS / 4], before[DIGITS / 4];
  bool alone = g->o->order.alone;
  cg_barrier(g);
  each_bin(g, p, units_before, in_tile);
  scan_bins(g, &p->s, in_tile);
  if (!alone) {
    each_bin(g, p, row_total, in_row);
    scan_bins(g, &p->s, in_row);
    each_bin(g, p, tiles_before, before);
  }
  uint32_t merge = if_has_bins(g);
  for (uint32_t j = 0; j < p->s.bins; j++) {
    uint32_t bin = own_bin(g, &p->s, j);
    add_to_units(g, p, bin, in_tile[j]);
    if (alone) continue;
    uint32_t to = cg_u(g, SpvOpIAdd, in_row[j], before[j]);
    put_shared(g, p->base, bin, cg_u(g, SpvOpISub, to, in_tile[j]));
  }
  cg_unguard(g, merge);
  cg_barrier(g);
  uint32_t mine = cg_ui(g, SpvOpIMul, p->s.unit.number, DIGITS);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    uint32_t at = cg_u(g, SpvOpIAdd, mine, p->digit[i]);
    p->at[i] = cg_u(g, SpvOpIAdd, p->at[i], get_shared(g, p->memory, at));
  }
  cg_barrier(g);
}

/* ── rounds ── */

static uint32_t to_words(cg *g, kty t, uint32_t v, uint32_t *high) {
  if (kty_bytes(t) == 4) return v;
  uint32_t two = spv_op(g->b, spv_vec(g->b, g->u32, 2), SpvOpBitcast, v);
  *high = cg_u(g, SpvOpCompositeExtract, two, 1);
  return cg_u(g, SpvOpCompositeExtract, two, 0);
}

/* Value `id` of the elements whose places are in the round go to workgroup memory. */
static void exchange_put(cg *g, const placer *p, uint32_t round, uint32_t id) {
  kty t = cg_acc_type(g->k, id);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    uint32_t high = 0, low = to_words(g, t, p->v[i].id[id], &high);
    uint32_t at = p->at[i];
    if (round) at = cg_ui(g, SpvOpISub, at, round * p->half);
    uint32_t merge = spv_if(g->b, cg_less(g, at, spv_u32(g->b, p->half)));
    put_shared(g, p->memory, at, low);
    if (high) put_shared(g, p->memory, cg_ui(g, SpvOpIAdd, at, p->half), high);
    spv_endif(g->b, merge);
  }
}

/* That of place q (u32) of the round. */
static uint32_t exchange_get(cg *g, const placer *p, uint32_t q, uint32_t id) {
  kty t = cg_acc_type(g->k, id);
  uint32_t low = get_shared(g, p->memory, q);
  if (kty_bytes(t) == 4) return low;
  uint32_t high = get_shared(g, p->memory, cg_ui(g, SpvOpIAdd, q, p->half));
  uint32_t v2 = spv_vec(g->b, g->u32, 2);
  uint32_t two = spv_op(g->b, v2, SpvOpCompositeConstruct, low, high);
  return spv_op(g->b, cg_scalar_type(g, t), SpvOpBitcast, two);
}

static void store_element(cg *g, const placer *p, uint32_t at, cg_acc v) {
  cg_pos to = {.i = cg_to_ix(g, at), .row_at = p->s.row_at};
  if (g->o->final) cg_finish(g, 0, &to, v, 0);
  else put_element(g, cg_in_row(g, &to, to.i), v);
}

static void place_round(cg *g, const placer *p, uint32_t round) {
  cg_acc x[MOST_KEYS] = {{{0}}};
  uint32_t each = p->s.keys / p->s.rounds, in_tile[MOST_KEYS];
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) {
    if (round || id) cg_barrier(g);
    exchange_put(g, p, round, id);
    cg_barrier(g);
    for (uint32_t i = 0; i < each; i++) {
      uint32_t q = cg_next(g, g->thread, i * g->o->workgroup);
      x[i].id[id] = exchange_get(g, p, q, id);
      in_tile[i] = cg_next(g, q, round * p->half);
    }
  }
  for (uint32_t i = 0; i < each; i++) {
    uint32_t merge = spv_if(g->b, cg_less(g, in_tile[i], p->s.left)), at = in_tile[i];
    if (!g->o->order.alone) {
      uint32_t digit = digit_of(g, &p->s, x[i].id[0]);
      at = cg_u(g, SpvOpIAdd, at, get_shared(g, p->base, digit));
    }
    store_element(g, p, at, x[i]);
    spv_endif(g->b, merge);
  }
}

static void emit_place(cg *g) {
  placer p = {.s = begin(g)};
  p.half = g->o->workgroup * p.s.keys / p.s.rounds;
  uint32_t counters = p.s.unit.count * DIGITS, elements = p.half * words_of(g->k);
  p.memory = spv_shared(g->b, g->u32, counters > elements ? counters : elements);
  if (!g->o->order.alone) p.base = spv_shared(g->b, g->u32, DIGITS);
  find_tile(g, &p.s);
  load_tile(g, &p);
  rank_in_unit(g, &p);
  place_in_tile(g, &p);
  for (uint32_t round = 0; round < p.s.rounds; round++) place_round(g, &p, round);
}

void order_emit(cg *g) {
  g->lanes = 1;
  switch ((order_phase)g->o->order.phase) {
  case ORDER_COUNT: emit_count(g); break;
  case ORDER_BASES: emit_bases(g); break;
  case ORDER_PLACE: emit_place(g); break;
  }
}
