/* SPDX-License-Identifier: MIT */
/* reduce_exact_rows.c - the reduce template for short rows of an exact monoid: a few
 * threads of a subgroup share a row.
 *
 *      begin                            end           elements of the row, anywhere
 *   ┊····████┊████████┊████████┊█████···┊             units: quads of 4, or words of bits
 *     t0       t1       t0       t1                   the row's threads take them in turn
 *
 * Where the order never shows no lane of the tree needs to be a certain thread's. So
 * units are what memory is read by, aligned wherever the row begins, and what belongs to
 * a neighbour is masked; then the threads fold by a subgroup instruction, and nothing
 * goes through workgroup memory. Bits count by whole words (reduce_tile_bits.c).
 *
 * Results of 32 bits and more are stored by a row's first thread. Narrow ones would be
 * OR-ed in one by one: instead the threads do as many rows as they are, one after the
 * other (`rounds`), so that in the end each thread has a result, and neighbours have
 * neighbouring ones, which shuffles put together. */
#include "template.h"

#include "../base/arith.h"

static const reduce_exact_rows_opts *opts(const cg *g) {
  return &g->o->reduce_exact_rows;
}

enum {
  MAX_BATCH = 10,
  UNITS = 8, /* of a thread, about */
  LONGEST_BYTES = 1 << 14,
  LONGEST_BITS = 1 << 14 /* rows of more are read by 16 bytes, a workgroup each */
};

/* ── how ────────────────────────────────────────────────────────────────────────────── */

/* Elements of a unit. */
static int64_t unit_of(const kir *k, const cg_opts *o) {
  return reduce_reads_words(k, o) ? 32 : 4;
}

/* Those of a row that begins in the middle of one. */
static int64_t units_of(const cg_task *t) {
  return ceil_div(t->len, unit_of(t->k, t->common)) + 1;
}

/* Four to eight units a thread. */
static int64_t threads_of(const cg_task *t) {
  int64_t units = units_of(t), most = t->common->subgroup, n = 1;
  if (most > 32) most = 32;
  while (n < most && n * UNITS < units) n *= 2;
  return n;
}

/* Bits of an element in memory: of the widest input. */
static int64_t widest_bits(const kir *k) {
  int64_t bits = 1;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (k->in[i].view != KV_ONE && k->in[i].view != KV_GET)
      bits = max_i64(bits, elt_bits((elt)k->in[i].type));
  return bits;
}

static bool has_narrow_output(const kir *k) {
  for (uint32_t i = 0; i < k->n_out; i++)
    if (elt_bits((elt)k->out[i].type) < 32) return true;
  return false;
}

bool reduce_exact_rows_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD || t->inner > 1 || t->rows == 1) return false;
  if (t->from_partials || t->small || !cg_fold_exact(t->k)) return false;
  if (t->k->fold_at > CG_VERY_LONG_PRODUCER || t->len < 8) return false;
  if (t->len * widest_bits(t->k) > 8 * LONGEST_BYTES) return false;
  if (unit_of(t->k, t->common) > 4 && t->len > LONGEST_BITS) return false;
  /* Threads that do many rows one after the other are as many as there are rows. */
  int64_t threads = has_narrow_output(t->k) ? t->rows : t->rows * threads_of(t);
  return threads >= cg_enough_threads(t);
}

void reduce_exact_rows_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_EXACT_ROWS);
  reduce_exact_rows_opts *o = &s->o.reduce_exact_rows;
  int64_t threads = threads_of(t), each = ceil_div(units_of(t), threads);
  o->threads = (uint32_t)threads;
  o->rounds = has_narrow_output(t->k) ? o->threads : 1;
  each = ceil_div(each, ceil_div(each, MAX_BATCH));
  o->batch = cg_repeat(t, (uint32_t)each);
  s->o.width = 4;
  s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / threads * o->rounds);
}

/* ── a row ──────────────────────────────────────────────────────────────────────────── */

typedef struct exact_row {
  uint32_t begin, end; /* ix: elements, counted through the whole input */
  uint32_t first;      /* ix: the thread's first unit */
  uint32_t start;      /* ix: its first unit */
  uint32_t u, more;    /* u32: which of the row's threads; units behind the first */
  uint32_t head, tail; /* u32, of bits: what is the row's in these */
} exact_row;

static uint32_t unit_at(cg *g, const exact_row *r, uint32_t i, uint32_t n) {
  uint32_t by = cg_ui(g, SpvOpIMul, i, opts(g)->batch * opts(g)->threads);
  by = cg_next(g, by, n * opts(g)->threads);
  return cg_x(g, SpvOpIAdd, r->first, cg_to_ix(g, by));
}

/* A batch of quads, all loads first. */
static void fold_quads(cg *g, const exact_row *r, cg_var acc, uint32_t i) {
  uint32_t raw[MAX_BATCH][KIR_MAX_IN], n = opts(g)->batch;
  uint32_t four = spv_vec(g->b, g->ix, 4), kb = spv_vec(g->b, spv_bool(g->b), 4);
  cg_pos p[MAX_BATCH];
  uint32_t length = cg_x(g, SpvOpISub, r->end, r->begin);
  g->lanes = 4;
  for (uint32_t q = 0; q < n; q++) {
    uint32_t e = cg_x(g, SpvOpShiftLeftLogical, unit_at(g, r, i, q), cg_ixc(g, 2));
    uint32_t in = cg_x(g, SpvOpISub, e, r->begin), len = length;
    p[q] = (cg_pos){.i = e, .tail = true};
    in = spv_op(g->b, four, SpvOpCompositeConstruct, in, in, in, in);
    in = spv_op(g->b, four, SpvOpIAdd, in, cg_steps(g, g->ix));
    len = spv_op(g->b, four, SpvOpCompositeConstruct, len, len, len, len);
    p[q].ok = spv_op(g->b, kb, SpvOpULessThan, in, len); /* wraps before `begin` */
    cg_load_raw(g, 0, g->k->fold_at, &p[q], raw[q]);
  }
  cg_var_set(g, acc, cg_fold_at(g, cg_var_get(g, acc), p, raw, n));
  g->lanes = 1;
}

/* The words of bits that a row shares with its neighbours. */
static void find_edges(cg *g, exact_row *r) {
  uint32_t all = spv_u32(g->b, UINT32_MAX), one = cg_ixc(g, 1);
  uint32_t from = cg_ui(g, SpvOpBitwiseAnd, cg_to_u32(g, r->begin), 31);
  uint32_t to = cg_to_u32(g, cg_x(g, SpvOpISub, r->end, one));
  to = cg_u(g, SpvOpISub, spv_u32(g->b, 31), cg_ui(g, SpvOpBitwiseAnd, to, 31));
  r->head = cg_u(g, SpvOpShiftLeftLogical, all, from);
  r->tail = cg_u(g, SpvOpShiftRightLogical, all, to);
}

static void count_words(cg *g, const exact_row *r, uint32_t sum, uint32_t i) {
  uint32_t raw[MAX_BATCH][KIR_MAX_IN], unit[MAX_BATCH], n = opts(g)->batch;
  uint32_t threads = opts(g)->threads;
  uint32_t all = spv_u32(g->b, UINT32_MAX), none = spv_u32(g->b, 0);
  uint32_t total = spv_op(g->b, g->u32, SpvOpLoad, sum);
  /* Units are counted from the row's first one, within 32 bits. */
  for (uint32_t q = 0; q < n; q++) {
    unit[q] = cg_next(g, cg_ui(g, SpvOpIMul, i, n * threads), q * threads);
    unit[q] = cg_u(g, SpvOpIAdd, unit[q], r->u);
    uint32_t word = cg_to_ix(g, cg_least(g, g->u32, unit[q], r->more));
    cg_bits_load(g, cg_x(g, SpvOpIAdd, r->start, word), raw[q]);
  }
  for (uint32_t q = 0; q < n; q++) {
    uint32_t inner = cg_less(g, unit[q], r->more);
    uint32_t is_last = cg_is(g, SpvOpIEqual, unit[q], r->more);
    uint32_t mask = cg_pick(g, g->u32, is_last, r->tail, none);
    mask = cg_pick(g, g->u32, inner, all, mask);
    if (q == 0) {
      uint32_t head = cg_pick(g, g->u32, cg_is_zero(g, unit[q]), r->head, all);
      mask = cg_u(g, SpvOpBitwiseAnd, mask, head);
    }
    total = cg_u(g, SpvOpIAdd, total, cg_bits_count(g, raw[q], mask));
  }
  spv_do(g->b, SpvOpStore, sum, total);
}

/* The four lanes of a thread, as one. */
static cg_acc fold_lanes(cg *g, cg_var acc) {
  cg_acc v[4], a;
  g->lanes = 4;
  a = cg_var_get(g, acc);
  for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, a, j);
  g->lanes = 1;
  a = cg_combine(g, v[0], v[1], 0);
  return cg_combine(g, a, cg_combine(g, v[2], v[3], 0), 0);
}

/* As many batches for every thread as the longest way through a row takes. */
static uint32_t batches(cg *g) {
  uint32_t unit = (uint32_t)unit_of(g->k, g->o), log = cg_log2(unit);
  uint32_t each = opts(g)->batch * opts(g)->threads;
  uint32_t units = cg_ui(g, SpvOpIAdd, cg_slot_u32(g, CG_SLOT_LEN), 2 * (unit - 1));
  units = cg_ui(g, SpvOpShiftRightLogical, units, log);
  return cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, units, each - 1), each);
}

/* The row's accumulator, in all of its threads. */
static cg_acc fold_row(cg *g, uint32_t row, uint32_t count) {
  bool bits = reduce_reads_words(g->k, g->o);
  uint32_t log = cg_ixc(g, bits ? 5 : 2), sum = 0, one = cg_ixc(g, 1);
  uint32_t u = cg_ui(g, SpvOpBitwiseAnd, g->thread, opts(g)->threads - 1);
  exact_row r = {.begin = cg_x(g, SpvOpIMul, row, g->line), .u = u};
  cg_var acc = {{0}};
  r.end = cg_x(g, SpvOpIAdd, r.begin, g->line);
  r.start = cg_x(g, SpvOpShiftRightLogical, r.begin, log);
  r.first = cg_x(g, SpvOpIAdd, r.start, cg_to_ix(g, u));
  uint32_t last = cg_x(g, SpvOpISub, r.end, one);
  last = cg_x(g, SpvOpShiftRightLogical, last, log);
  r.more = cg_to_u32(g, cg_x(g, SpvOpISub, last, r.start));
  if (bits) find_edges(g, &r);
  g->lanes = 4;
  if (bits) sum = spv_local(g->b, g->u32, 0);
  else acc = cg_local_acc(g, cg_identity(g));
  if (bits) spv_do(g->b, SpvOpStore, sum, spv_u32(g->b, 0));
  else cg_var_set(g, acc, cg_identity(g));
  g->lanes = 1;
  spv_loop l = spv_for(g->b, count);
  if (bits) count_words(g, &r, sum, l.i);
  else fold_quads(g, &r, acc, l.i);
  spv_endfor(g->b, &l);
  if (!bits) return cg_group_reduce(g, fold_lanes(g, acc), opts(g)->threads);
  cg_acc a = cg_bits_acc(g, spv_op(g->b, g->u32, SpvOpLoad, sum));
  return cg_group_reduce(g, a, opts(g)->threads);
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

/* The rows of n threads, one after the other; thread t keeps that of row t. */
static cg_acc fold_rounds(cg *g, uint32_t base, uint32_t end, uint32_t count) {
  uint32_t mask = opts(g)->threads - 1;
  uint32_t u = cg_ui(g, SpvOpBitwiseAnd, g->thread, mask);
  uint32_t first = cg_ui(g, SpvOpBitwiseAnd, g->thread, ~mask);
  cg_var kept = cg_local_acc(g, cg_identity(g));
  spv_loop l = spv_for(g->b, spv_u32(g->b, opts(g)->rounds));
  uint32_t row = cg_to_ix(g, cg_u(g, SpvOpIAdd, first, l.i));
  row = cg_least(g, g->ix, cg_x(g, SpvOpIAdd, base, row), end);
  cg_acc a = fold_row(g, row, count);
  uint32_t mine = cg_is(g, SpvOpIEqual, u, l.i);
  cg_var_set(g, kept, cg_acc_sel(g, mine, a, cg_var_get(g, kept)));
  spv_endfor(g->b, &l);
  return cg_var_get(g, kept);
}

void reduce_exact_rows_emit(cg *g) {
  const reduce_exact_rows_opts *o = opts(g);
  cg_flat(g);
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS), one = cg_ixc(g, 1), count = batches(g);
  uint32_t end = cg_x(g, SpvOpISub, rows, one), merge = 0;
  uint32_t each = cg_ixc(g, CG_WORKGROUP / o->threads * o->rounds);
  uint32_t base = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), each);
  cg_pos p = {.tail = true};
  cg_acc a;
  if (o->rounds > 1 || o->threads == 1) {
    p.i = cg_x(g, SpvOpIAdd, base, cg_to_ix(g, g->thread));
    a = fold_rounds(g, base, end, count);
    g->packs = true;
  } else {
    uint32_t mask = o->threads - 1, log = cg_log2(o->threads);
    uint32_t row = cg_ui(g, SpvOpShiftRightLogical, g->thread, log);
    p.i = cg_x(g, SpvOpIAdd, base, cg_to_ix(g, row));
    a = fold_row(g, cg_least(g, g->ix, p.i, end), count);
    merge = spv_if(g->b, cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, g->thread, mask)));
  }
  g->len = rows; /* from here on positions are those of results */
  g->last = end;
  cg_finish(g, cg_result(g), &p, a, cg_ok(g, &p));
  if (merge) spv_endif(g->b, merge);
}
