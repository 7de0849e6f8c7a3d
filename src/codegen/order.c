/* SPDX-License-Identifier: MIT */
/* order.c - the template that puts the elements of rows in the order of their keys: a radix
 * sort, digits of 8 bits, the least significant first, each pass stable.
 *
 *   where tiles may look back        ORDER_DIGITS  all digits of all keys are counted, at once
 *                                    ORDER_STARTS  where each digit begins, which passes are needed
 *     for each digit                 ORDER_PLACE   a workgroup puts its tile's elements where
 *                                                  they belong (order_place.c)
 *   elsewhere, for each digit        ORDER_COUNT   a workgroup counts the digits of its tile
 *                                    ORDER_BASES   counts of a digit, tile after tile → what
 *                                                  comes before them
 *                                    ORDER_PLACE   the same
 *
 * A digit that all keys of a row share needs no pass: the pass for the lowest digit that
 * differs is the first, that for the highest the last, for they read the kernel's inputs and
 * store its outputs; those between that are not needed leave at once. Which these are
 * ORDER_STARTS finds on the device, row by row.
 *
 * Rows that a tile holds are put in order there, digit after digit, in one pass: ORDER_ROWS
 * (order_rows.c).
 *
 * A workgroup has at most 24 KiB of workgroup memory, or an H200 runs one at a time, and as
 * many elements as leave room for two: a few more than the registers hold cost a third.
 * Between passes keys lie side by side, and behind them what goes along.
 *
 * TRIED on an H200, 2^28 elements, device ms (shapes: units of 32 threads × elements of a thread, workgroups a
 * processor); used: i32 keys 12×26,2 5.8, f64 keys 8×24,3 16.7, grades of i32 8.7, of f64 23.2.
 *   other shapes of i32: 12×20,2 5.83, 16×20,2 5.85, 8×28,2 5.93; of f64: 8×20,2 17.6; grades of f64: 8×18,2 22.7
 *   digits made a second time instead of kept: 7.05 → 9.3, f64 17.8 → 25.9; all ballots before all ranks 12 → 53
 *   addresses of the output made behind the look back: 7.05 → 7.6; four digits to a register: grades 1.6 times as slow
 *   keys of 4 bytes with 8 along, three passes of 2^24: 8×16,2 592 us, 8×20,2 596, 8×22,2 681
 *   whole tiles loaded from one address: pairs of 4 bytes 9.5 → 8.5 (used), f64 4 % slower */
#include <string.h>

#include "order.h"

#include "../base/arith.h"
#include "../kir/folds.h"

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool order_serves(const cg_task *t) { return t->kind == CG_TASK_ORDER; }

static bool is_wide(const kir *k) { /* the largest value of an element has two words */
  for (uint32_t n = 0; n < k->n_acc; n++)
    if (kty_bytes(kfold_acc_type(k, n)) == 8) return true;
  return false;
}

enum { SHORT_ROWS = 1024, LONG_ROW = 1 << 18 };

static cg_sorter shape_of(const cg_task *t, uint32_t unit) {
  bool wide = is_wide(t->k);
  cg_sorters kind = CG_SORTERS_WORDS;
  if (unit < 32) kind = CG_SORTERS_UNITS;
  else if (t->len <= LONG_ROW) kind = CG_SORTERS_SHORT;
  else if (t->k->n_acc > 1 && wide) kind = CG_SORTERS_WIDE_PAIRS;
  else if (wide) kind = CG_SORTERS_WIDE;
  else if (t->k->n_acc > 1 || t->k->key_floats) kind = CG_SORTERS_PAIRS;
  return cg_sorter_of(t->choice, kind, wide ? 8 : 4, unit);
}

/* For rows that one tile holds: no more elements of a thread than they need. */
static cg_sorter shape_of_rows(const cg_task *t, uint32_t unit) {
  cg_choice c = *t->choice;
  uint32_t need = 8;
  if (unit == 32 && t->rows == 1 && t->len <= SHORT_ROWS) need = 4;
  if (unit == 32 && t->len > 8 * 8 * unit) need = 16;
  if (c.keys > need) c.keys = need;
  return cg_sorter_of(&c, CG_SORTERS_ROWS, 4, unit);
}

static uint32_t digits_of(const kir *k) {
  return (uint32_t)ceil_div(max_i64(k->key_bits, 1), DIGIT_BITS);
}

/* Looks before a workgroup counts a missing tile itself, which takes less time. */
enum { MOST_PATIENCE = 1 << 14 };

static cg_pass *order_pass(const cg_task *t, cg_passes *p, order_phase phase) {
  cg_pass *s = cg_add_pass(p, t, CG_ORDER);
  order_opts *o = &s->o.order;
  uint32_t unit = s->o.subgroup < 32 ? s->o.subgroup : 32;
  cg_sorter shape;
  if (phase == ORDER_ROWS) shape = shape_of_rows(t, unit);
  else shape = shape_of(t, unit);
  s->o.width = 1;
  s->o.workgroup = unit * shape.units;
  while (s->o.workgroup > t->most_threads) s->o.workgroup /= 2;
  o->phase = phase;
  o->keys = shape.keys;
  o->rounds = shape.rounds;
  o->digits = digits_of(t->k);
  int64_t tile = (int64_t)s->o.workgroup * o->keys;
  s->geom.tiles = ceil_div(t->len, tile);
  s->geom.workgroups = t->rows * s->geom.tiles;
  s->geom.order.patience = min_i64(t->patience, MOST_PATIENCE);
  return s;
}

/* Pass number `number` of those that place. */
static cg_pass *add_place(const cg_task *t, cg_passes *p, uint32_t number) {
  cg_pass *s = order_pass(t, p, ORDER_PLACE);
  s->geom.order.number = number;
  s->o.from_partials = number > 0;
  s->carry = CG_OWN;
  if (number) s->from = CG_OWN_B;
  if (number + 1 < digits_of(t->k)) s->to = CG_OWN_B;
  return s;
}

/* All passes where tiles look back; how many words they share. */
static int64_t looking_passes(const cg_task *t, cg_passes *p) {
  uint32_t digits = digits_of(t->k);
  cg_pass *s = order_pass(t, p, ORDER_DIGITS);
  int64_t tiles = s->geom.tiles;
  s->geom.order.parts = min_i64(tiles, max_i64(1, 2 * t->resident / t->rows));
  s->geom.workgroups = t->rows * s->geom.order.parts;
  s->to = CG_OWN;
  s = order_pass(t, p, ORDER_STARTS);
  s->geom.workgroups = t->rows;
  s->to = CG_OWN;
  for (uint32_t d = 0; d < digits; d++) {
    s = add_place(t, p, d);
    s->o.order.looks = 1;
    s->o.order.starve = t->starve;
  }
  p->clears = true;
  return t->rows * (DIGITS * (digits + tiles) + PLAN_WORDS);
}

static int64_t counting_passes(const cg_task *t, cg_passes *p) {
  int64_t tiles = 0;
  for (uint32_t d = 0; d < digits_of(t->k); d++) {
    for (order_phase phase = ORDER_COUNT; phase <= ORDER_BASES; phase++) {
      cg_pass *s = order_pass(t, p, phase);
      s->geom.order.number = d;
      s->o.from_partials = d > 0;
      if (d) s->from = CG_OWN_B;
      s->to = CG_OWN;
      if (phase == ORDER_BASES) s->geom.workgroups = t->rows * DIGITS;
      tiles = s->geom.tiles;
    }
    add_place(t, p, d);
  }
  return t->rows * DIGITS * (tiles + 1);
}

/* The only pass, if a tile holds a row. */
static bool rows_pass(const cg_task *t, cg_passes *p) {
  cg_pass *s = order_pass(t, p, ORDER_ROWS);
  int64_t tile = (int64_t)s->o.workgroup * s->o.order.keys, rows = tile / t->len;
  if (!rows) {
    p->n--;
    return false;
  }
  rows = min_i64(rows, min_i64(t->rows, DIGITS));
  s->o.order.many = rows > 1;
  s->geom.order.rows = rows;
  s->geom.workgroups = ceil_div(t->rows, rows);
  return true;
}

void order_passes(const cg_task *t, cg_passes *p) {
  if (rows_pass(t, p)) return;
  int64_t words = 0, list = 0, each = cg_acc_bytes(t->k);
  if (t->resident && t->len < ORDER_MOST) words = looking_passes(t, p);
  if (!words || words > UINT32_MAX) { /* that number words */
    p->n = 0;
    p->clears = false;
    words = counting_passes(t, p);
  }
  p->own[0] = ceil_div(4 * words, each);
  if (digits_of(t->k) == 1) return;
  for (uint32_t n = 0; n < t->k->n_acc; n++) {
    int64_t bytes = t->rows * t->len * kty_bytes(kfold_acc_type(t->k, n));
    list += (int64_t)round_up_u64((uint64_t)bytes, 16);
  }
  if (digits_of(t->k) > 2) list *= 2;
  const cg_opts *o = &p->at[0].o; /* the last tile is read whole */
  list += 8 * (int64_t)o->workgroup * o->order.keys;
  p->own[1] = ceil_div(list, each);
}

/* ── where a tile is ────────────────────────────────────────────────────────────────── */

const order_opts *order_of(const cg *g) { return &g->o->order; }

sorter order_begin(cg *g) {
  const order_opts *o = order_of(g);
  sorter s = {.keys = o->keys, .rounds = o->rounds, .unit = cg_find_units(g)};
  uint32_t slot = o->phase == ORDER_PLACE ? CG_SLOT_CARRY : CG_SLOT_TO;
  s.bins = g->o->workgroup < DIGITS ? DIGITS / g->o->workgroup : 1;
  s.tiles = cg_slot_u32(g, CG_SLOT_TILES);
  s.before = cg_slot_u32(g, CG_OWN_SLOT(order_geom, number));
  s.shift = cg_ui(g, SpvOpIMul, s.before, DIGIT_BITS);
  if (o->phase != ORDER_ROWS) s.words = cg_slot(g, slot);
  return s;
}

void order_at_tile(cg *g, sorter *s) {
  uint32_t size = g->o->workgroup * s->keys;
  s->row_at = cg_x(g, SpvOpIMul, cg_to_ix(g, s->row), g->len);
  s->start = cg_ui(g, SpvOpIMul, s->tile, size);
  uint32_t left = cg_u(g, SpvOpISub, cg_to_u32(g, g->len), s->start);
  s->left = cg_least(g, g->u32, left, spv_u32(g->b, size));
}

void order_find_tile(cg *g, sorter *s) {
  s->row = g->wid;
  s->tile = cg_split(g, &s->row, s->tiles);
  order_at_tile(g, s);
}

/* ── words ──────────────────────────────────────────────────────────────────────────── */

uint32_t order_get(cg *g, uint32_t array, uint32_t index) {
  return spv_op(g->b, g->u32, SpvOpLoad, cg_shared_ptr(g, g->u32, array, index));
}

void order_put(cg *g, uint32_t array, uint32_t index, uint32_t v) {
  uint32_t ptr = cg_shared_ptr(g, g->u32, array, index);
  spv_do(g->b, SpvOpStore, ptr, v);
}

void order_count(cg *g, uint32_t array, uint32_t index, uint32_t by) {
  uint32_t ptr = cg_shared_ptr(g, g->u32, array, index);
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), relaxed = spv_u32(g->b, 0);
  (void)spv_op(g->b, g->u32, SpvOpAtomicIAdd, ptr, scope, relaxed, by);
}

uint32_t order_word(cg *g, uint32_t base, uint32_t index) {
  return cg_addr(g, base, cg_to_ix(g, index), 2);
}

/* Word number row × each, behind `skip` of each row. */
static uint32_t of_row(cg *g, const sorter *s, uint32_t skip, uint32_t each) {
  uint32_t rows = cg_slot_u32(g, CG_SLOT_ROWS);
  uint32_t at = cg_ui(g, SpvOpIMul, rows, skip);
  return cg_u(g, SpvOpIAdd, at, cg_u(g, SpvOpIMul, s->row, each));
}

uint32_t order_start(cg *g, const sorter *s, uint32_t d, uint32_t bin) {
  uint32_t digits = order_of(g)->digits;
  uint32_t at = of_row(g, s, 0, spv_u32(g->b, digits * DIGITS));
  at = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpIMul, d, DIGITS));
  return order_word(g, s->words, cg_u(g, SpvOpIAdd, at, bin));
}

uint32_t order_plan(cg *g, const sorter *s, uint32_t entry) {
  uint32_t skip = order_of(g)->digits * DIGITS;
  uint32_t at = of_row(g, s, skip, spv_u32(g->b, PLAN_WORDS));
  return order_word(g, s->words, cg_u(g, SpvOpIAdd, at, entry));
}

uint32_t order_state(cg *g, const sorter *s) {
  uint32_t skip = order_of(g)->digits * DIGITS + PLAN_WORDS;
  uint32_t each = cg_ui(g, SpvOpIMul, s->tiles, DIGITS);
  return of_row(g, s, skip, each);
}

/* ── elements ───────────────────────────────────────────────────────────────────────── */

cg_pos order_position(cg *g, const sorter *s, uint32_t in_tile) {
  uint32_t i = cg_u(g, SpvOpIAdd, s->start, in_tile);
  return (cg_pos){.i = cg_to_ix(g, i), .row_at = s->row_at, .tail = true};
}

static uint32_t to_u64(cg *g, uint32_t ix) {
  return g->ix == g->u64 ? ix : spv_op(g->b, g->u64, SpvOpUConvert, ix);
}

static uint32_t value_bytes(const cg *g, uint32_t id) {
  return (uint32_t)kty_bytes(cg_acc_type(g->k, id));
}

/* Bytes that value `id` of all elements takes in a list: a u64. */
static uint32_t part_size(cg *g, uint32_t id) {
  uint32_t rows = to_u64(g, cg_slot_ix(g, CG_SLOT_ROWS));
  uint32_t n = spv_op(g->b, g->u64, SpvOpIMul, rows, to_u64(g, g->len));
  n = spv_op(g->b, g->u64, SpvOpIMul, n, cg_u64(g, value_bytes(g, id)));
  n = spv_op(g->b, g->u64, SpvOpIAdd, n, cg_u64(g, 15));
  return spv_op(g->b, g->u64, SpvOpBitwiseAnd, n, cg_u64(g, ~(uint64_t)15));
}

/* By value, the address of the row's in the list that pass number `by` (u32) leaves: there are
 * two, and they take turns. */
static void find_list(cg *g, const sorter *s, uint32_t base, uint32_t by, uint32_t *at) {
  uint32_t part[CG_ACC_IDS], size = 0, odd = cg_ui(g, SpvOpBitwiseAnd, by, 1);
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) {
    part[id] = part_size(g, id);
    size = size ? spv_op(g->b, g->u64, SpvOpIAdd, size, part[id]) : part[id];
  }
  odd = spv_op(g->b, g->u64, SpvOpUConvert, odd);
  odd = spv_op(g->b, g->u64, SpvOpIMul, odd, size);
  base = spv_op(g->b, g->u64, SpvOpIAdd, base, odd);
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) {
    at[id] = cg_addr(g, base, s->row_at, cg_log2(value_bytes(g, id)));
    base = spv_op(g->b, g->u64, SpvOpIAdd, base, part[id]);
  }
}

void order_find_lists(cg *g, sorter *s) {
  uint32_t by = cg_ui(g, SpvOpISub, s->before, 1);
  if (g->o->from_partials) find_list(g, s, g->from, by, s->from);
  bool leaves = order_of(g)->phase == ORDER_PLACE && !g->o->final;
  if (leaves) find_list(g, s, cg_slot(g, CG_SLOT_TO), s->before, s->to);
}

static void load_list(cg *g, const sorter *s, uint32_t first, uint32_t step, uint32_t n,
                      uint32_t id, cg_acc *v) {
  uint32_t bytes = value_bytes(g, id), type = cg_scalar_type(g, cg_acc_type(g->k, id));
  uint32_t at = cg_to_ix(g, cg_u(g, SpvOpIAdd, s->start, first));
  at = cg_addr(g, s->from[id], at, cg_log2(bytes));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t addr = i ? cg_plus(g, at, i * step * bytes) : at;
    v[i].id[id] = cg_load(g, type, addr, bytes);
  }
}

/* What the elements are made of, into variables: of tiles that are whole; or of others. */
static void load_some(cg *g, const sorter *s, bool whole, uint32_t n, const cg_pos *at,
                      uint32_t (*var)[KIR_MAX_IN]) {
  uint32_t raw[KIR_MAX_IN], all = spv_u32(g->b, g->o->workgroup * s->keys);
  SpvOp op = whole ? SpvOpIEqual : SpvOpINotEqual;
  uint32_t merge = spv_if(g->b, cg_is(g, op, s->left, all));
  for (uint32_t i = 0; i < n; i++) {
    cg_pos p = at[i];
    p.tail = !whole;
    cg_load_raw(g, 0, g->k->fold_at, &p, raw);
    for (uint32_t k = 0; k < g->k->n_in; k++) {
      if (!raw[k]) continue;
      uint32_t type = cg_type(g, kir_arg_type((elt)g->k->in[k].type));
      if (!var[i][k]) var[i][k] = spv_local(g->b, type, 0);
      spv_do(g->b, SpvOpStore, var[i][k], raw[k]);
    }
  }
  spv_endif(g->b, merge);
}

/* What the elements at at[0] to at[n - 1] are made of. Those of whole tiles have one address and
 * constants behind it, which saves registers, but for elements of 8 bytes: a grade of 2^28 f32 with
 * companions takes 8.5 ms instead of 9.5 on an H200, a sort of f64 17.3 instead of 16.6. */
static void load_inputs(cg *g, const sorter *s, uint32_t n, cg_pos *at,
                        uint32_t (*raw)[KIR_MAX_IN]) {
  uint32_t var[MOST_KEYS][KIR_MAX_IN] = {{0}};
  if (is_wide(g->k)) {
    for (uint32_t i = 0; i < n; i++) cg_load_raw(g, 0, g->k->fold_at, &at[i], raw[i]);
    return;
  }
  load_some(g, s, true, n, at, var);
  load_some(g, s, false, n, at, var);
  memset(raw, 0, n * sizeof *raw);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < g->k->n_in; k++) {
      uint32_t type = cg_type(g, kir_arg_type((elt)g->k->in[k].type));
      if (var[i][k]) raw[i][k] = spv_op(g->b, type, SpvOpLoad, var[i][k]);
    }
  }
}

void order_load(cg *g, const sorter *s, uint32_t first, uint32_t step, uint32_t n,
                uint32_t ids, cg_acc *v) {
  uint32_t raw[MOST_KEYS][KIR_MAX_IN];
  cg_pos at[MOST_KEYS] = {{.i = 0}};
  for (uint32_t i = 0; i < n; i++) v[i] = (cg_acc){{0}};
  if (g->o->from_partials) {
    for (uint32_t id = 0; id < 2 * ids; id += 2) load_list(g, s, first, step, n, id, v);
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    at[i] = order_position(g, s, cg_next(g, first, i * step));
    at[i].origin = at[0].i;
    at[i].skip = i * step;
  }
  load_inputs(g, s, n, at, raw);
  for (uint32_t i = 0; i < n; i++) v[i] = cg_source(g, &at[i], raw[i]);
}

uint32_t order_has(cg *g, const sorter *s, uint32_t in_tile) {
  return cg_less(g, in_tile, s->left);
}

void order_store(cg *g, const sorter *s, uint32_t at, cg_acc v) {
  cg_pos to = {.i = cg_to_ix(g, at), .row_at = s->row_at};
  if (g->o->final) {
    cg_finish(g, 0, &to, v, 0);
    return;
  }
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) {
    uint32_t type = cg_scalar_type(g, cg_acc_type(g->k, id)), bytes = value_bytes(g, id);
    cg_store(g, type, cg_addr(g, s->to[id], to.i, cg_log2(bytes)), v.id[id], bytes);
  }
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

uint32_t order_digit(cg *g, const sorter *s, uint32_t key) {
  kty t = kfold_acc_type(g->k, 0);
  if (g->k->key_floats) key = float_key(g, t, key);
  key = spv_op(g->b, cg_scalar_type(g, t), SpvOpShiftRightLogical, key, s->shift);
  if (kty_bytes(t) == 8) key = spv_op(g->b, g->u32, SpvOpUConvert, key);
  return cg_ui(g, SpvOpBitwiseAnd, key, DIGITS - 1);
}

uint32_t order_bin(cg *g, const sorter *s, uint32_t j) {
  return cg_next(g, cg_ui(g, SpvOpIMul, g->thread, s->bins), j);
}

uint32_t order_if_bins(cg *g) {
  if (g->o->workgroup <= DIGITS) return 0;
  return spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, DIGITS)));
}

void order_scan_bins(cg *g, const sorter *s, uint32_t *v) {
  uint32_t sum = spv_u32(g->b, 0);
  for (uint32_t j = 0; j < s->bins; j++) sum = cg_u(g, SpvOpIAdd, sum, v[j]);
  uint32_t all, run = cg_sum_before(g, &s->unit, sum, &all);
  for (uint32_t j = 0; j < s->bins; j++) {
    uint32_t n = v[j];
    v[j] = run;
    run = cg_u(g, SpvOpIAdd, run, n);
  }
}

void order_emit(cg *g) {
  g->lanes = 1;
  switch ((order_phase)g->o->order.phase) {
  case ORDER_COUNT: order_emit_count(g); break;
  case ORDER_BASES: order_emit_bases(g); break;
  case ORDER_DIGITS: order_emit_digits(g); break;
  case ORDER_STARTS: order_emit_starts(g); break;
  case ORDER_PLACE: order_emit_place(g); break;
  case ORDER_ROWS: order_emit_rows(g); break;
  }
}
