/* SPDX-License-Identifier: MIT */
/* fold_line.c - REDUCE and SCAN by a join that is not associative: each element waits for the
 * one before it.
 *
 *   side by side   Several lines go through their columns together, a lane each.
 *   line by line   One element after the other, by loops of single elements.
 *   prefixes       A scan from the right folds every prefix anew: these go side by side, from
 *                  the last element of a block of them down to the line's first.
 */
#include "fold_join.h"

#include "../base/mem.h"

enum { LINES = 256, COLUMNS = 128, SHORT = 64, FEW_LINES = 5 };

static bool is_scan(const blk_plan *p) { return p->k->kind == KIR_SCAN; }
static bool from_right(const blk_plan *p) { return p->k->join_order == KJOIN_RIGHT; }
static bool by_prefixes(const blk_plan *p, const blk_join_shape *s) {
  return is_scan(p) && from_right(p) && !s->lanes;
}

void blk_line_shape(const blk_plan *p, blk_join_shape *s) {
  bool quadratic = is_scan(p) && from_right(p);
  s->tiles = 1;
  s->lanes = 0;
  s->columns = (int64_t)p->block;
  if (s->rows < FEW_LINES || (quadratic && s->len > SHORT)) return;
  s->lanes = min_i64(s->rows, LINES);
  s->columns = min_i64(s->len, COLUMNS);
}

void blk_line_take(const blk_plan *p, const blk_body *y, const blk_join_shape *s,
                   blk_join_thread *w, uintptr_t *mem) {
  size_t n = (size_t)(max_i64(s->lanes, 1) * s->columns);
  w->x = blk_lanes_take(y, n, mem);
  w->r = blk_lanes_take(y, n, mem);
  if (s->lanes || by_prefixes(p, s)) w->cols = blk_lanes_take(y, n, mem);
  w->acc = blk_lanes_take(y, n, mem);
}

/* ── side by side ───────────────────────────────────────────────────────────────────── */

static blk_tuple lane(const blk_join_thread *w, blk_tuple t, int64_t i) {
  return blk_lane(w->join.body, t, (size_t)i);
}

/* Some columns of some lines, and back: to[j][i] = from[i][j]. */
static void turn(blk_thread *t, blk_tuple to, blk_tuple from, int64_t rows,
                 int64_t cols) {
  const blk_body *y = t->join->join.body;
  for (uint32_t c = 0; c < y->n; c++) {
    fold_rows m = {to.at[c],     (size_t)rows, from.at[c],
                   (size_t)cols, (size_t)rows, (size_t)cols};
    t->plan->isa->folds->turn[blk_size((kty)t->plan->k->acc[c].ty)](&m, 1);
  }
}

typedef struct part { /* columns from e on, of `lines` rows from row r on */
  int64_t r, lines, e, n;
} part;

/* Turned, to w->cols. */
static void make_part(blk_thread *t, const part *x) {
  blk_join_thread *w = t->join;
  int64_t len = w->shape->len, e0 = x->r * len + x->e;
  if (x->n == len) {
    turn(t, w->cols, blk_join_make(t, w->x, e0, 0, x->lines * len), x->lines, x->n);
    return;
  }
  for (int64_t i = 0; i < x->lines; i++) {
    blk_tuple to = lane(w, w->x, i * x->n);
    blk_tuple at = blk_join_make(t, to, e0 + i * len, x->e, x->n);
    blk_lanes_copy(w->join.body, to, at, (size_t)x->n);
  }
  turn(t, w->cols, w->x, x->lines, x->n);
}

static void part_scanned(blk_thread *t, const part *x) {
  blk_join_thread *w = t->join;
  int64_t len = w->shape->len, e0 = x->r * len + x->e;
  turn(t, w->x, w->r, x->n, x->lines);
  if (x->n == len) {
    blk_join_scanned(t, w->x, e0, 0, x->lines * len);
  } else {
    for (int64_t i = 0; i < x->lines; i++)
      blk_join_scanned(t, lane(w, w->x, i * x->n), e0 + i * len, x->e, x->n);
  }
}

/* Columns from the last one to the first, into w->acc. */
static void fold_part(blk_join_thread *w, const part *x) {
  int64_t e = x->n;
  size_t n = (size_t)x->lines;
  if (x->e + x->n == w->shape->len) {
    e--;
    blk_lanes_copy(w->join.body, w->acc, lane(w, w->cols, e * x->lines), n);
  }
  while (e-- > 0)
    blk_join(&w->join, w->acc, lane(w, w->cols, e * x->lines), w->acc, n, NULL);
}

static void forward_part(blk_join_thread *w, const part *x) {
  size_t n = (size_t)x->lines;
  blk_tuple before = w->acc;
  for (int64_t i = 0; i < x->n; i++) {
    blk_tuple to = lane(w, w->r, i * x->lines), at = lane(w, w->cols, i * x->lines);
    if (x->e + i) blk_join(&w->join, to, at, before, n, NULL);
    else blk_lanes_copy(w->join.body, to, at, n);
    before = to;
  }
  blk_lanes_copy(w->join.body, w->acc, before, n);
}

/* Every prefix of short lines. */
static void prefixes_part(blk_join_thread *w, const part *x) {
  size_t n = (size_t)x->lines;
  for (int64_t i = 0; i < x->n; i++) {
    blk_tuple to = lane(w, w->r, i * x->lines);
    blk_lanes_copy(w->join.body, to, lane(w, w->cols, i * x->lines), n);
    for (int64_t e = i; e-- > 0;)
      blk_join(&w->join, to, lane(w, w->cols, e * x->lines), to, n, NULL);
  }
}

static void side_by_side_task(blk_job *j, blk_thread *t, int64_t i) {
  blk_join_thread *w = t->join;
  const blk_join_shape *s = w->shape;
  const blk_plan *p = t->plan;
  int64_t pieces = ceil_div(s->len, s->columns);
  part x = {.r = i * s->lanes, .lines = min_i64(s->lanes, s->rows - i * s->lanes)};
  for (int64_t k = 0; k < pieces && !blk_stopped(j); k++) {
    x.e = (is_scan(p) ? k : pieces - 1 - k) * s->columns;
    x.n = min_i64(s->columns, s->len - x.e);
    make_part(t, &x);
    if (!is_scan(p)) {
      fold_part(w, &x);
      continue;
    }
    if (from_right(p)) prefixes_part(w, &x);
    else forward_part(w, &x);
    part_scanned(t, &x);
  }
  if (!is_scan(p)) blk_join_reduced(t, w->acc, x.r, (size_t)x.lines);
}

/* ── line by line ───────────────────────────────────────────────────────────────────── */

static void line_task(blk_job *j, blk_thread *t, int64_t r) {
  blk_join_thread *w = t->join;
  const blk_join_shape *s = w->shape;
  const blk_body *y = w->join.body;
  int64_t pieces = ceil_div(s->len, s->columns);
  for (int64_t k = 0; k < pieces && !blk_stopped(j); k++) {
    int64_t e = (is_scan(t->plan) ? k : pieces - 1 - k) * s->columns;
    int64_t n = min_i64(s->columns, s->len - e), e0 = r * s->len + e, first = k == 0;
    blk_tuple x = blk_join_make(t, w->x, e0, e, n);
    if (!is_scan(t->plan)) {
      if (first) blk_lanes_copy(y, w->acc, lane(w, x, n - 1), 1);
      if (n > first)
        blk_join_each(&w->join, w->acc, lane(w, x, n - 1 - first), w->acc,
                      (size_t)(n - first), (blk_steps_of){0, -1, 0});
      continue;
    }
    blk_tuple to = blk_join_aim(t, w->r, e0);
    if (first) blk_lanes_copy(y, to, x, 1);
    else blk_join_each(&w->join, to, x, w->acc, 1, (blk_steps_of){0, 0, 0});
    blk_join_each(&w->join, lane(w, to, 1), lane(w, x, 1), to, (size_t)n - 1,
                  (blk_steps_of){1, 1, 1});
    blk_lanes_copy(y, w->acc, lane(w, to, n - 1), 1);
    blk_join_scanned(t, to, e0, e, n);
  }
  if (!is_scan(t->plan)) blk_join_reduced(t, w->acc, r, 1);
}

/* ── prefixes ───────────────────────────────────────────────────────────────────────── */

/* The line's elements are made once, in pieces, to shape->from. */
static void make_task(blk_job *j, blk_thread *t, int64_t i) {
  blk_join_thread *w = t->join;
  const blk_join_shape *s = w->shape;
  int64_t e = i * s->columns, n = min_i64(s->columns, s->len - e);
  if (blk_stopped(j)) return;
  blk_tuple x = blk_join_make(t, w->x, w->line * s->len + e, e, n);
  blk_lanes_copy(w->join.body, lane(w, s->from, e), x, (size_t)n);
}

/* Has a fault been raised? Then nobody wants the results, and there is much left to do. */
static bool is_lost(const blk_thread *t) {
  for (uint32_t f = 0; f < t->plan->n_flag; f++)
    if (t->flags[f]) return true;
  return false;
}

/* Block i of prefixes from the end, which has the longest ones. */
static void prefixes_task(blk_job *j, blk_thread *t, int64_t i) {
  blk_join_thread *w = t->join;
  const blk_join_shape *s = w->shape;
  const blk_body *y = w->join.body;
  const blk_plan *p = t->plan;
  int64_t from = (ceil_div(s->len, s->columns) - 1 - i) * s->columns;
  int64_t n = min_i64(s->columns, s->len - from), e0 = w->line * s->len + from;
  blk_tuple r = w->r;
  if (is_lost(t)) return;
  for (int64_t e = from + n; e-- > 0;) {
    blk_tuple x = lane(w, s->from, e);
    int64_t own = e - from, first = max_i64(own + 1, 0); /* prefixes that go on */
    size_t some = (size_t)(n - first);
    if (e % 64 == 0 && (blk_stopped(j) || is_lost(t))) return;
    for (uint32_t c = 0; some && c < y->n; c++)
      p->isa->map->splat[blk_size((kty)p->k->acc[c].ty)](w->cols.at[c], x.at[c], NULL,
                                                         NULL, some + BLK_UNI - 1);
    blk_join(&w->join, lane(w, r, first), w->cols, lane(w, r, first), some, NULL);
    if (own >= 0) blk_lanes_copy(y, lane(w, r, own), x, 1);
  }
  blk_join_scanned(t, r, e0, from, n);
}

static bool run_prefixes(ctx *c, blk_pool *pool, blk_job *j, const blk_join_shape *of) {
  blk_join_shape s = *of;
  const blk_body *y = j->team->join->join.body;
  uintptr_t size = 0;
  blk_lanes_take(y, (size_t)s.len, &size);
  char *mem = mem_alloc(c, size + 64);
  if (!mem) return false;
  uintptr_t at = ((uintptr_t)mem + 63) & ~(uintptr_t)63;
  s.from = blk_lanes_take(y, (size_t)s.len, &at);
  j->n_task = ceil_div(s.len, s.columns);
  for (int64_t r = 0; r < s.rows && !blk_stopped(j); r++) {
    for (int i = 0; i < j->threads; i++) {
      j->team[i].join->shape = &s;
      j->team[i].join->line = r;
    }
    j->task = make_task;
    blk_each(pool, j);
    j->task = prefixes_task;
    blk_each(pool, j);
  }
  mem_free(c, mem);
  return true;
}

bool blk_line_run(ctx *c, blk_pool *pool, blk_job *j, const blk_join_shape *s) {
  if (by_prefixes(j->team->plan, s)) return run_prefixes(c, pool, j, s);
  j->task = line_task;
  j->n_task = s->rows;
  if (s->lanes) {
    j->task = side_by_side_task;
    j->n_task = ceil_div(s->rows, s->lanes);
  }
  blk_each(pool, j);
  return true;
}
