/* SPDX-License-Identifier: MIT */
/* reduce_group_lines.c - the reduce template for lines of up to 1024 elements, of which a
 * few lie side by side: the threads of a subgroup, or some of them, do a row with all of its
 * columns, without workgroup memory.
 *
 *     thread 0        thread 1               columns n = 3: 3 quads in memory are
 *     abca bcab cabc  abca bcab cabc  …      4 lanes of a, b and c
 *
 * A thread loads the quads of 4 neighbouring lanes, as many as there are columns, and
 * folds them in its registers: the two lowest levels of the tree. The next levels are
 * between threads; above these, of as many rounds as a line takes.
 *
 * Many values, of all rounds and columns, are to be folded over the same threads. So a
 * pair of threads shares them: at each level the even one goes on with the values of even
 * number, and gives away its others, the odd one the other way round. In the end value i
 * is thread i's. The lowest bits of a value's number are its round: the rounds fold by
 * neighbours too.
 *
 * TRIED: rows of 1025 to 2560 elements likewise, down the rows of a tile: 0.94 to 1.18 times as fast on an H200. */
#include "template.h"

#include "../base/arith.h"

#include <assert.h>

static const reduce_group_lines_opts *opts(const cg *g) {
  return &g->o->reduce_group_lines;
}

enum {
  MOST_COLUMNS = 10,
  MOST_ROUNDS = 8,
  MOST_QUADS = 40,
  BATCH = 8,       /* quads whose loads are issued together; with more columns as many */
  MOST_BYTES = 160 /* of accumulators in a thread, where registers did not suffice */
};

/* ── how ────────────────────────────────────────────────────────────────────────────── */

static int64_t threads_of(const cg_task *t) {
  int64_t most = min_i64(t->common->subgroup, 32), quads = ceil_div(t->len, 4);
  return min_i64(most, next_pow2(quads));
}

static int64_t rounds_of(const cg_task *t) { return ceil_div(t->len, 4 * threads_of(t)); }

bool reduce_group_lines_serves(const cg_task *t) {
  bool lines = t->inner > 1 && t->inner <= MOST_COLUMNS && t->len <= KIR_LANES;
  if (t->kind != CG_TASK_FOLD || t->small || t->k->join || !lines) return false;
  int64_t rounds = rounds_of(t), quads = rounds * t->inner;
  if (t->len < 16 || rounds > MOST_ROUNDS) return false;
  if (quads > MOST_QUADS) return false;
  if (t->choice->smaller * quads * cg_acc_bytes(t->k) > MOST_BYTES) return false;
  if (t->k->fold_at > CG_SHORT_PRODUCER && quads > cg_repeat(t, 32)) return false;
  return t->rows * threads_of(t) >= cg_enough_threads(t);
}

void reduce_group_lines_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_GROUP_LINES);
  reduce_group_lines_opts *o = &s->o.reduce_group_lines;
  o->threads = (uint32_t)threads_of(t);
  o->rounds = (uint32_t)rounds_of(t);
  o->columns = (uint32_t)t->inner;
  s->o.width = t->len * t->inner % 4 ? 1 : 4;
  s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / o->threads);
}

/* ── loads ──────────────────────────────────────────────────────────────────────────── */

typedef struct group_line {
  uint32_t base;     /* ix: the row's first element */
  uint32_t len, all; /* u32: of a line; elements of the row */
  uint32_t u;        /* u32: which of the row's threads */
} group_line;

/* Quad q of the thread's lanes in round m. */
static cg_pos quad_at(cg *g, const group_line *z, uint32_t m, uint32_t q) {
  uint32_t n = opts(g)->columns, v4 = spv_vec(g->b, g->u32, 4);
  uint32_t lane = cg_ui(g, SpvOpShiftLeftLogical, z->u, 2);
  lane = cg_next(g, lane, 4 * opts(g)->threads * m);
  uint32_t in = cg_next(g, cg_ui(g, SpvOpIMul, lane, n), 4 * q);
  uint64_t step[4];
  for (uint32_t j = 0; j < 4; j++) step[j] = (4 * q + j) / n;
  cg_pos p = {.tail = g->o->width == 1};
  uint32_t at = cg_x(g, SpvOpIAdd, z->base, cg_to_ix(g, in));
  p.i = cg_pick(g, g->ix, cg_less(g, in, z->all), at, z->base);
  uint32_t lanes = cg_splat(g, KI32, lane), len = cg_splat(g, KI32, z->len);
  lanes = spv_op(g->b, v4, SpvOpIAdd, lanes, spv_const4(g->b, g->u32, 32, step));
  p.ok = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, lanes, len);
  return p;
}

/* Some quads on their way from memory. */
typedef struct group_quads {
  uint32_t raw[MOST_COLUMNS][KIR_MAX_IN];
  cg_pos p[MOST_COLUMNS];
} group_quads;

/* The loads of quads first … first + n - 1 of those of all rounds. */
static void load_quads(cg *g, const group_line *z, uint32_t first, uint32_t n,
                       group_quads *to) {
  uint32_t columns = opts(g)->columns;
  g->lanes = 4;
  for (uint32_t i = 0; i < n; i++) {
    to->p[i] = quad_at(g, z, (first + i) / columns, (first + i) % columns);
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &to->p[i], to->raw[i]);
  }
  g->lanes = 1;
}

/* Quad i's lanes, each from the identity on. */
static void split_quad(cg *g, group_quads *from, uint32_t i, cg_acc *to) {
  g->lanes = 4;
  cg_acc x = cg_source(g, &from->p[i], from->raw[i]), none = cg_identity(g);
  x = cg_combine(g, none, cg_acc_sel(g, from->p[i].ok, x, cg_identity(g)), 0);
  for (uint32_t j = 0; j < 4; j++) to[j] = cg_acc_part(g, x, j);
  g->lanes = 1;
}

/* Four lanes of all columns, in round m → a value of each. */
static void fold_lanes(cg *g, const cg_acc *e, cg_acc *v) {
  uint32_t n = opts(g)->columns;
  for (uint32_t c = 0; c < n; c++) {
    cg_acc a = cg_combine(g, e[c], e[n + c], 0);
    v[c] = cg_combine(g, a, cg_combine(g, e[2 * n + c], e[3 * n + c], 0), 0);
  }
}

/* All rounds: v[m × columns + c]. */
static void fold_rounds(cg *g, const group_line *z, cg_acc *v) {
  uint32_t n = opts(g)->columns, rounds = opts(g)->rounds;
  uint32_t each = n < BATCH ? BATCH / n : 1;
  cg_acc e[4 * MOST_COLUMNS];
  group_quads x;
  for (uint32_t m = 0; m < rounds; m += each) {
    uint32_t now = rounds - m < each ? rounds - m : each;
    load_quads(g, z, m * n, now * n, &x);
    for (uint32_t i = 0; i < now; i++) {
      for (uint32_t q = 0; q < n; q++) split_quad(g, &x, i * n + q, e + 4 * q);
      fold_lanes(g, e, v + (m + i) * n);
    }
  }
}

/* ── between threads ────────────────────────────────────────────────────────────────── */

static uint32_t is_odd(cg *g, uint32_t u, uint32_t level) {
  uint32_t bit = cg_ui(g, SpvOpBitwiseAnd, u, 1u << level);
  return cg_is(g, SpvOpINotEqual, bit, spv_u32(g->b, 0));
}

/* The even thread gets a's fold over both threads, the odd one b's. */
static cg_acc share(cg *g, cg_acc a, cg_acc b, uint32_t odd, uint32_t level) {
  cg_acc mine = cg_acc_sel(g, odd, b, a), other = cg_acc_sel(g, odd, a, b);
  other = cg_shuffle(g, other, spv_u32(g->b, 1u << level), true);
  if (!cg_fold_selects(g->k)) return cg_combine(g, mine, other, 0);
  cg_acc left = cg_acc_sel(g, odd, other, mine), right = cg_acc_sel(g, odd, mine, other);
  return cg_combine(g, left, right, 0);
}

/* The values, `alive` of n, numbered column × rounds + round, over all threads: of those
 * that are left value i × threads + u is thread u's number i. Returns how many those
 * are. */
static uint32_t fold_threads(cg *g, const group_line *z, cg_acc *v, uint32_t n,
                             uint32_t alive) {
  cg_acc none = cg_identity(g);
  for (uint32_t level = 0; 1u << level < opts(g)->threads; level++) {
    uint32_t odd = is_odd(g, z->u, level);
    if (n == 1) {
      cg_acc right = cg_shuffle(g, v[0], spv_u32(g->b, 1u << level), true);
      v[0] = cg_combine(g, v[0], right, 0);
      continue;
    }
    for (uint32_t i = 0; 2 * i < alive; i++) {
      cg_acc b = 2 * i + 1 < alive ? v[2 * i + 1] : none;
      v[i] = share(g, v[2 * i], b, odd, level);
    }
    n /= 2;
    alive = (alive + 1) / 2;
  }
  return alive;
}

/* The rounds of the values that are left: those in different threads, then those that a
 * thread has. Returns how many values it has then, a column each. */
static uint32_t fold_rest(cg *g, cg_acc *v, uint32_t n, uint32_t rounds) {
  uint32_t threads = opts(g)->threads;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t m = 1; m < rounds && m < threads; m *= 2)
      v[i] = cg_combine(g, v[i], cg_shuffle(g, v[i], spv_u32(g->b, m), true), 0);
  for (uint32_t m = threads; m < rounds; m *= 2) {
    n /= 2;
    for (uint32_t i = 0; i < n; i++) v[i] = cg_combine(g, v[2 * i], v[2 * i + 1], 0);
  }
  return n;
}

static void store_values(cg *g, const group_line *z, uint32_t row, cg_acc *v,
                         uint32_t n) {
  uint32_t rounds = (uint32_t)next_pow2(opts(g)->rounds), columns = opts(g)->columns;
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS), to = cg_result(g);
  uint32_t there = cg_less(g, row, rows);
  uint32_t low = cg_ui(g, SpvOpBitwiseAnd, z->u, rounds - 1);
  there = cg_is(g, SpvOpLogicalAnd, there, cg_is_zero(g, low));
  n = fold_rest(g, v, n, rounds);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t apart = opts(g)->threads < rounds ? rounds : opts(g)->threads;
    uint32_t number = cg_next(g, z->u, i * apart);
    uint32_t column = cg_ui(g, SpvOpShiftRightLogical, number, cg_log2(rounds));
    uint32_t is = cg_less(g, column, spv_u32(g->b, columns));
    uint32_t merge = spv_if(g->b, cg_is(g, SpvOpLogicalAnd, is, there));
    cg_pos p = {.i = cg_x(g, SpvOpIMul, row, cg_ixc(g, columns))};
    p.i = cg_x(g, SpvOpIAdd, p.i, cg_to_ix(g, column));
    cg_finish(g, to, &p, v[i], 0);
    spv_endif(g->b, merge);
  }
}

void reduce_group_lines_emit(cg *g) {
  const reduce_group_lines_opts *o = opts(g);
  cg_acc v[MOST_QUADS], w[MOST_COLUMNS * MOST_ROUNDS];
  uint32_t rounds = (uint32_t)next_pow2(o->rounds);
  uint32_t columns = (uint32_t)next_pow2(o->columns), one = cg_ixc(g, 1);
  assert(o->rounds * o->columns <= MOST_QUADS && o->columns <= MOST_COLUMNS);
  cg_flat(g);
  group_line z = {.u = cg_ui(g, SpvOpBitwiseAnd, g->thread, o->threads - 1)};
  uint32_t each = cg_ixc(g, CG_WORKGROUP / o->threads);
  uint32_t row = cg_ui(g, SpvOpShiftRightLogical, g->thread, cg_log2(o->threads));
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), each);
  row = cg_x(g, SpvOpIAdd, first, cg_to_ix(g, row));
  uint32_t end = cg_x(g, SpvOpISub, cg_slot_ix(g, CG_SLOT_ROWS), one);
  uint32_t all = cg_x(g, SpvOpIMul, g->line, cg_ixc(g, o->columns));
  z.base = cg_x(g, SpvOpIMul, cg_least(g, g->ix, row, end), all);
  z.len = cg_to_u32(g, g->line);
  z.all = cg_to_u32(g, all);
  fold_rounds(g, &z, v);
  cg_acc none = cg_identity(g);
  uint32_t alive = o->columns * rounds;
  for (uint32_t i = 0; i < alive; i++) {
    uint32_t c = i / rounds, m = i % rounds;
    w[i] = m < o->rounds ? v[m * o->columns + c] : none;
  }
  store_values(g, &z, row, w, fold_threads(g, &z, w, columns * rounds, alive));
}
