/* SPDX-License-Identifier: MIT */
/* reduce_segments.c - the reduce template for rows that lie anywhere in one line: a row to some
 * threads of a subgroup, as many as rows of the usual length keep busy.
 *
 * A row has at most a tile of elements (ir/schedule.c sees to that), and so KIR_LANES lanes.
 * S threads take S neighbouring lanes at a time, a chunk: each folds its lane down the
 * rows of KIR_LANES, then they fold by neighbours. Thread c keeps what chunk c gives; when
 * S chunks are done, what the threads keep folds by neighbours again, and so on upwards:
 *
 *     lanes   |0 … S-1|S … 2S-1| …                     a chunk
 *              └──┬──┘ └──┬──┘
 *     kept     thread 0  thread 1  …  thread S-1        level 0: S×S lanes
 *              └─────────┬─────────────────┘
 *     kept            thread 0           …              level 1
 *
 * With 32 threads level 0 has all lanes, with fewer those of short rows: levels that no row reaches are
 * left out. What is missing on the right of a level counts as the identity, as the tree has it
 * (tables/fold.h). Several chunks' loads are issued together; long rows and short ones run side by
 * side, and none waits for another. TRIED: four threads for rows of 15 and 16, not eight: 437 us for 2^22, not 476. */
#include "template.h"

#include "../base/arith.h"

enum { CHUNKS = 4, LEVELS = 4 }; /* loaded together; with 4 threads */
enum { FEWEST = 4, MOST = 32 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool reduce_segments_serves(const cg_task *t) {
  return t->kind == CG_TASK_FOLD && t->k->segments;
}

/* So many that three chunks of four are a row of the usual length, and that the longest row does not
 * keep them for long. */
static int64_t threads_of(const cg_task *t, int64_t most) {
  enum { ROUNDS = 64 };
  int64_t usual = t->len / t->rows, n = FEWEST;
  while (n < most && ((CHUNKS - 1) * n < usual || ROUNDS * CHUNKS * n < t->longest))
    n *= 2;
  return n;
}

void reduce_segments_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_SEGMENTS);
  reduce_segments_opts *o = &s->o.reduce_segments;
  int64_t threads = threads_of(t, min_i64(s->o.subgroup, MOST));
  int64_t longest = min_i64(t->longest, KIR_LANES);
  for (int64_t lanes = threads * threads; lanes < longest; lanes *= threads) o->top++;
  o->threads = (uint32_t)threads;
  s->o.width = 1;
  s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / threads);
}

/* ── the row ────────────────────────────────────────────────────────────────────────── */

typedef struct segment {
  uint32_t S;       /* threads of a row */
  uint32_t u;       /* u32: place among them */
  uint32_t first;   /* u32: the lane of the first of them in the subgroup */
  uint32_t row, at; /* ix: its number, its first element */
  uint32_t there;   /* bool */
  uint32_t n;       /* u32: elements; 0 if it is not there */
  uint32_t top;     /* the last level */
  cg_var kept[LEVELS];
} segment;

static uint32_t pair_at(cg *g, uint32_t base, uint32_t index) {
  uint32_t v = cg_get_at(g, ET_I64, base, index);
  if (g->ix == g->u64) return v;
  return spv_op(g->b, g->u32, SpvOpUConvert, v);
}

/* The row's place; from here on the length is its own. */
static segment find_row(cg *g) {
  const reduce_segments_opts *o = &g->o->reduce_segments;
  uint32_t S = o->threads, rows = cg_slot_ix(g, CG_SLOT_ROWS);
  uint32_t base = cg_slot(g, CG_SLOT_INPUTS + 3 * (g->k->segments - 1u));
  segment s = {.S = S, .u = cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1), .top = o->top};
  s.first = cg_u(g, SpvOpISub, g->lane, s.u);
  uint32_t row = cg_ui(g, SpvOpIMul, g->wid, CG_WORKGROUP / S);
  row = cg_u(g, SpvOpIAdd, row, cg_ui(g, SpvOpUDiv, g->thread, S));
  s.row = cg_to_ix(g, row);
  s.there = cg_less(g, s.row, rows);
  s.row = cg_pick(g, g->ix, s.there, s.row, cg_x(g, SpvOpISub, rows, cg_ixc(g, 1)));
  uint32_t two = cg_x(g, SpvOpIAdd, s.row, s.row);
  uint32_t from = pair_at(g, base, two);
  uint32_t end = pair_at(g, base, cg_beyond(g, two, 1));
  s.at = cg_least(g, g->ix, from, g->last); /* an empty one may begin behind the line */
  uint32_t n = cg_to_u32(g, cg_x(g, SpvOpISub, end, from)), none = spv_u32(g->b, 0);
  s.n = cg_pick(g, g->u32, s.there, n, none);
  g->len = cg_to_ix(g, s.n);
  uint32_t last =
      cg_pick(g, g->u32, cg_is_zero(g, s.n), none, cg_ui(g, SpvOpISub, s.n, 1));
  g->last = cg_to_ix(g, last);
  return s;
}

/* ── lanes ──────────────────────────────────────────────────────────────────────────── */

/* Row r (u32) of the tile joins the lanes of CHUNKS chunks, the first lane being `lane`
 * (u32). */
static void join_row(cg *g, const segment *s, uint32_t lane, uint32_t r, cg_var *acc) {
  uint32_t raw[CHUNKS][KIR_MAX_IN], i = cg_ui(g, SpvOpIMul, r, KIR_LANES);
  cg_pos p[CHUNKS];
  i = cg_u(g, SpvOpIAdd, lane, i);
  for (uint32_t j = 0; j < CHUNKS; j++) {
    uint32_t at = cg_to_ix(g, cg_next(g, i, j * s->S));
    p[j] = (cg_pos){.i = at, .row_at = s->at, .tail = true};
    cg_load_raw(g, 0, g->k->fold_at, &p[j], raw[j]);
  }
  cg_acc none = cg_identity(g);
  for (uint32_t j = 0; j < CHUNKS; j++) {
    cg_acc x = cg_source(g, &p[j], raw[j]);
    x = cg_acc_sel(g, cg_ok(g, &p[j]), x, none);
    cg_var_set(g, acc[j], cg_combine(g, cg_var_get(g, acc[j]), x, 0));
  }
}

/* S values by neighbours, in all the row's threads. */
static cg_acc join_threads(cg *g, const segment *s, cg_acc v) {
  v = cg_group_reduce(g, v, s->S);
  if (!cg_fold_selects(g->k)) return v;
  return cg_shuffle(g, v, s->first,
                    false); /* the first thread's order is the right one */
}

/* ── levels ─────────────────────────────────────────────────────────────────────────── */

/* Thread `place` mod S (u32) keeps v on the level, if `is` (a bool, or 0: it is). */
static void segments_keep(cg *g, const segment *s, uint32_t level, uint32_t place,
                          uint32_t is, cg_acc v) {
  uint32_t mine = cg_ui(g, SpvOpBitwiseAnd, place, s->S - 1);
  mine = cg_is(g, SpvOpIEqual, mine, s->u);
  if (is) mine = cg_is(g, SpvOpLogicalAnd, mine, is);
  cg_acc before = cg_var_get(g, s->kept[level]);
  cg_var_set(g, s->kept[level], cg_acc_sel(g, mine, v, before));
}

/* Bits of a chunk's number that a level has below it. */
static uint32_t bits_of(const segment *s, uint32_t level) {
  return (level + 1) * cg_log2(s->S);
}

/* `done` chunks (u32) are. Where that fills a level its value goes to the next one. */
static void go_up(cg *g, const segment *s, uint32_t level, uint32_t done) {
  if (level == s->top) return;
  uint32_t over = cg_ui(g, SpvOpBitwiseAnd, done, (1u << bits_of(s, level)) - 1);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, over));
  cg_acc v = join_threads(g, s, cg_var_get(g, s->kept[level]));
  cg_var_set(g, s->kept[level], cg_identity(g));
  uint32_t place = cg_ui(g, SpvOpShiftRightLogical, done, bits_of(s, level));
  segments_keep(g, s, level + 1, cg_ui(g, SpvOpISub, place, 1), 0, v);
  go_up(g, s, level + 1, done);
  spv_endif(g->b, merge);
}

/* What is left on the levels, from the lowest up. */
static cg_acc join_levels(cg *g, const segment *s, uint32_t done) {
  for (uint32_t level = 0; level < s->top; level++) {
    uint32_t over = cg_ui(g, SpvOpBitwiseAnd, done, (1u << bits_of(s, level)) - 1);
    uint32_t some = cg_is(g, SpvOpINotEqual, over, spv_u32(g->b, 0));
    cg_acc v = join_threads(g, s, cg_var_get(g, s->kept[level]));
    segments_keep(g, s, level + 1,
                  cg_ui(g, SpvOpShiftRightLogical, done, bits_of(s, level)), some, v);
  }
  return join_threads(g, s, cg_var_get(g, s->kept[s->top]));
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* ⌈v ÷ by⌉ */
static uint32_t groups_of(cg *g, uint32_t v, uint32_t by) {
  return cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, v, by - 1), by);
}

/* CHUNKS chunks from number `chunk` (u32) on. */
static void fold_chunks(cg *g, const segment *s, uint32_t chunk, cg_var *acc) {
  uint32_t start = cg_ui(g, SpvOpIMul, chunk, s->S);
  uint32_t lane = cg_u(g, SpvOpIAdd, start, s->u);
  for (uint32_t j = 0; j < CHUNKS; j++) cg_var_set(g, acc[j], cg_identity(g));
  uint32_t left = cg_u(g, SpvOpISub, s->n, start);
  spv_loop rows = spv_for(g->b, groups_of(g, left, KIR_LANES));
  join_row(g, s, lane, rows.i, acc);
  spv_endfor(g->b, &rows);
  for (uint32_t j = 0; j < CHUNKS; j++) {
    cg_acc v = join_threads(g, s, cg_var_get(g, acc[j]));
    segments_keep(g, s, 0, cg_next(g, chunk, j), 0, v);
  }
}

void reduce_segments_emit(cg *g) {
  cg_var acc[CHUNKS];
  g->lanes = 1;
  segment s = find_row(g);
  cg_acc none = cg_identity(g);
  for (uint32_t j = 0; j < CHUNKS; j++) acc[j] = cg_local_acc(g, none);
  for (uint32_t d = 0; d <= s.top; d++) s.kept[d] = cg_local_acc(g, none);
  uint32_t lanes = cg_least(g, g->u32, s.n, spv_u32(g->b, KIR_LANES));
  uint32_t rounds = groups_of(g, lanes, CHUNKS * s.S);
  spv_loop l = spv_for(g->b, rounds);
  uint32_t chunk = cg_ui(g, SpvOpIMul, l.i, CHUNKS);
  fold_chunks(g, &s, chunk, acc);
  go_up(g, &s, 0, cg_next(g, chunk, CHUNKS));
  spv_endfor(g->b, &l);
  cg_acc a = join_levels(g, &s, cg_ui(g, SpvOpIMul, rounds, CHUNKS));
  uint32_t mine = cg_is(g, SpvOpLogicalAnd, s.there, cg_is_zero(g, s.u));
  uint32_t merge = spv_if(g->b, mine);
  cg_pos p = {.i = s.row};
  cg_finish(g, cg_result(g), &p, a, 0);
  spv_endif(g->b, merge);
}
