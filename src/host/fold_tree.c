/* SPDX-License-Identifier: MIT */
/* fold_tree.c - the fold tree of tables/fold.h over strips, for the monoids whose bracketing
 * shows.
 *
 * Every operation of the tree is one between rows of w accumulators.
 *
 *   reduce   A tile's lane l is rows l, l + 1024, … A strip of lanes that fits in L1 is folded
 *            over the tile's rows first. What the lanes give is joined by a binary counter: the
 *            row of lane i meets what stands on level 0, 1, … of it, as many levels as i has
 *            ones at its end, so that neighbours are joined with neighbours.
 *   scan     Totals of quads go through one such counter for each group, totals of groups
 *            through another, with what comes before a quad kept as a row. A single line is
 *            scanned by a loop of its own, which does the same with groups in registers.
 *   carries  The totals of tiles are scanned by the same rule as they come. A level keeps the
 *            lanes of its tile, whose own total goes to the next level when it is full. */
#include "fold.h"

#include <string.h>

#include "../kir/folds.h"

enum { GROUP_ROWS = BLK_GROUP, GROUP_QUADS = BLK_GROUP / 4 };

static void both(blk_thread *t, void *r, const void *a, const void *b, size_t w) {
  blk_flag(t, t->plan->tree->both(r, a, b, w));
}

static void copy(blk_thread *t, void *to, const void *from, size_t w) {
  memcpy(to, from, w * blk_src_size(t->plan));
}

/* ── reduce: the counter ────────────────────────────────────────────────────────────── */

/* How many rows the counter takes at once: a power of two that starts at a multiple of itself.
 * Few columns are taken as many rows as fit into tmp, others four by four. */
static size_t piece_of(size_t lane, size_t rows, size_t w, bool narrow) {
  size_t n = 4;
  if (narrow)
    for (n = 1; 2 * n * w <= BLK_MAX;) n *= 2;
  while (n > 1 && (n > rows || lane % n)) n /= 2;
  if (!narrow && n < 4) return 1;
  return n;
}

/* Joins rows of lanes, the first being number `lane`, to what the counter has. */
static void push_rows(blk_thread *t, size_t lane, const char *x, size_t rows, size_t w,
                      size_t pitch) {
  const blk_tree *tree = t->plan->tree;
  blk_fold *f = t->fold;
  size_t size = blk_src_size(t->plan);
  bool narrow = w < BLK_NARROW && w == pitch;
  while (rows) {
    size_t n = piece_of(lane, rows, w, narrow);
    int k = __builtin_ctzll(n), top = k;
    while (lane >> top & 1) top++;
    char *to = f->tmp;
    if (top == k) to = f->level[k];
    if (narrow && n > 1) {
      blk_flag(t, tree->leaf(f->tmp, x, 1, n * w, 0));
      for (size_t m = n / 2; m; m /= 2) blk_flag(t, tree->pairs(f->tmp, f->tmp, m, w));
      if (to != f->tmp) copy(t, to, f->tmp, w);
    } else {
      blk_flag(t, tree->leaf(to, x, n, w, pitch));
    }
    for (; k < top; k++) {
      to = f->tmp;
      if (k + 1 == top) to = f->level[top];
      both(t, to, f->level[k], f->tmp, w);
    }
    lane += n;
    rows -= n;
    x += n * pitch * size;
  }
}

/* What n rows have come to. */
static void counter_total(blk_thread *t, size_t n, size_t w, void *to) {
  blk_fold *f = t->fold;
  const char *v = NULL;
  if (!n) t->plan->tree->fill(to, w);
  for (int k = 0; n >> k; k++) {
    if (!(n >> k & 1)) continue;
    if (v) {
      both(t, f->tmp, f->level[k], v, w);
      v = f->tmp;
    } else {
      v = f->level[k];
    }
  }
  if (v) copy(t, to, v, w);
}

void blk_tree_lanes(blk_thread *t, const char *lanes, size_t w, void *to) {
  push_rows(t, 0, lanes, KIR_LANES, w, w);
  counter_total(t, KIR_LANES, w, to);
}

/* ── reduce: a tile ─────────────────────────────────────────────────────────────────── */

/* Folds lanes [l, l + lanes) over the n rows of a tile, into f->acc. */
static void fold_rows(blk_thread *t, const blk_strip *s, int64_t n, int64_t l,
                      size_t lanes) {
  const blk_plan *p = t->plan;
  char *acc = t->fold->acc;
  size_t size = blk_src_size(p), w = s->w, step = blk_strip_step(p, s);
  int64_t i = l;
  p->tree->fill(acc, lanes * w);
  if (s->plain && w == 1)
    for (; n - i >= 3 * KIR_LANES + (int64_t)lanes; i += 4 * KIR_LANES)
      blk_flag(t, p->tree->both4(acc, blk_strip_rows(t, s, i, lanes), lanes, KIR_LANES));
  if (s->plain && w == s->pitch) step = lanes;
  for (; i < n && !blk_stopped(t->fold->job); i += KIR_LANES) {
    size_t rows = (size_t)min_i64((int64_t)lanes, n - i), some;
    for (size_t k = 0; k < rows; k += some) {
      some = min_u64(rows - k, step);
      const char *x = blk_strip_rows(t, s, i + (int64_t)k, some);
      blk_prefetch(s, x, some, size);
      both(t, acc + k * w * size, acc + k * w * size, x, some * w);
    }
  }
}

/* A line of one row: what the lanes lack up to a power of two counts as the identity, and the
 * counter takes them all at once. */
static void fold_line(blk_thread *t, const blk_strip *s, int64_t n, void *to) {
  size_t lanes = 1;
  while ((int64_t)lanes < n) lanes *= 2;
  fold_rows(t, s, n, 0, lanes);
  push_rows(t, 0, t->fold->acc, lanes, 1, 1);
  counter_total(t, lanes, 1, to);
}

void blk_tree_fold(blk_thread *t, const blk_strip *s, int64_t n, int64_t l0, int64_t l1,
                   void *to) {
  size_t w = s->w, step = blk_strip_step(t->plan, s);
  bool one = n <= KIR_LANES; /* row a lane */
  if (one && w == 1 && w == s->pitch && l1 - l0 == KIR_LANES) {
    fold_line(t, s, n, to);
    return;
  }
  if (one && s->plain && step < 64) step = 64;
  if (!one && w == s->pitch)
    while (2 * step * w <= BLK_MAX) step *= 2;
  l1 = min_i64(l1, n);
  if (l1 < l0) l1 = l0;
  for (int64_t l = l0; l < l1 && !blk_stopped(t->fold->job); l += (int64_t)step) {
    size_t lanes = (size_t)min_i64((int64_t)step, l1 - l);
    if (one) {
      const char *x = blk_strip_rows(t, s, l, lanes);
      push_rows(t, (size_t)(l - l0), x, lanes, w, s->pitch);
    } else {
      fold_rows(t, s, n, l, lanes);
      push_rows(t, (size_t)(l - l0), t->fold->acc, lanes, w, w);
    }
  }
  counter_total(t, (size_t)(l1 - l0), w, to);
}

/* ── scan: rows ─────────────────────────────────────────────────────────────────────── */

static void rows_begin(blk_rows_scan *s, bool has_carry) {
  s->has_carry = has_carry;
  s->has_cg = false;
  s->before = NULL;
  if (has_carry) s->before = s->carry;
  s->i = 0;
}

/* v joins, from the left, what stands on the levels where `at` has a one; it stays on the lowest
 * level where it has none. Then v is the inclusive Sklansky scan at place `at`. */
static void scan_count(blk_thread *t, char *v, char **d, int levels, uint32_t at,
                       size_t w) {
  bool kept = false;
  for (int k = 0; k < levels; k++) {
    if (at >> k & 1) {
      both(t, v, d[k], v, w);
    } else if (!kept) {
      copy(t, d[k], v, w);
      kept = true;
    }
  }
}

/* Quad number q of the tile has total s->v. `last`: nothing follows, but what must be made of it
 * may escape. */
static void quad_done(blk_thread *t, blk_rows_scan *s, uint32_t q, bool last, size_t w) {
  scan_count(t, s->v, s->d, BLK_QUADS, q % GROUP_QUADS, w);
  if (q % GROUP_QUADS < GROUP_QUADS - 1 && !last) {
    s->before = s->v;
    if (s->has_carry || s->has_cg) {
      const char *first = s->carry;
      if (s->has_cg) first = s->cg;
      both(t, s->base, first, s->v, w);
      s->before = s->base;
    }
    return;
  }
  scan_count(t, s->v, s->g, BLK_GROUPS, q / GROUP_QUADS, w);
  if (s->has_carry) both(t, s->cg, s->carry, s->v, w);
  else copy(t, s->cg, s->v, w);
  s->has_cg = true;
  s->before = s->cg;
}

/* A row that is not one of four whole ones. */
static void scan_row(blk_thread *t, blk_rows_scan *s, const blk_rows *m) {
  size_t w = m->w;
  if (s->i % 4) both(t, s->s, s->s, m->x, w);
  else copy(t, s->s, m->x, w);
  if (s->before) both(t, m->r, s->before, s->s, w);
  else copy(t, m->r, s->s, w);
  if (s->i % 4 == 3) copy(t, s->v, s->s, w);
}

static void scan_rows(blk_thread *t, blk_rows_scan *s, blk_rows m) {
  size_t size = blk_src_size(t->plan), n;
  for (; m.rows; m.rows -= n) {
    n = 1;
    if (s->i % 4 == 0 && m.rows >= 4) n = 4;
    if (n == 4) blk_flag(t, t->plan->tree->quad(&m, s->v, s->before));
    else scan_row(t, s, &m);
    s->i += (uint32_t)n;
    if (s->i % 4 == 0) quad_done(t, s, s->i / 4 - 1, false, m.w);
    m.r = (char *)m.r + n * m.r_pitch * size;
    m.x = (const char *)m.x + n * m.pitch * size;
  }
}

/* Behind the last row: a product that is made for a total may escape, whoever needs it. */
static void rows_end(blk_thread *t, blk_rows_scan *s, size_t w) {
  if (!kfold_escapes(t->plan->k->acc[0].monoid, t->plan->fold_src)) return;
  if (s->i % GROUP_ROWS == 0) return;
  s->has_carry = false; /* C ∘ G is not made */
  if (s->i % 4) {
    copy(t, s->v, s->s, w);
    quad_done(t, s, s->i / 4, true, w);
  } else {
    scan_count(t, s->v, s->g, BLK_GROUPS, s->i / GROUP_ROWS, w);
  }
}

/* ── scan: a tile ───────────────────────────────────────────────────────────────────── */

void blk_tree_begin(blk_thread *t, bool has_carry, size_t w) {
  blk_fold *f = t->fold;
  size_t size = blk_src_size(t->plan);
  rows_begin(&f->scan, has_carry);
  for (size_t j = 0; j < w && w < BLK_NARROW; j++) {
    f->line[j].group = 0;
    f->line[j].has_carry = has_carry;
    if (has_carry) memcpy(&f->line[j].carry, f->scan.carry + j * size, size);
  }
}

void blk_tree_scan(blk_thread *t, blk_rows m) {
  if (m.w == 1 && m.pitch == 1 && m.r_pitch == 1)
    blk_flag(t, t->plan->tree->scan(&t->fold->line[0], m.r, m.x, m.rows));
  else scan_rows(t, &t->fold->scan, m);
}

void blk_tree_end(blk_thread *t, size_t w) { rows_end(t, &t->fold->scan, w); }

void blk_tree_add(blk_thread *t, const blk_strip *s, int64_t at, const char *x,
                  size_t rows) {
  size_t size = blk_src_size(t->plan), row = s->w * size;
  char *to = t->fold->lanes + (size_t)(at % KIR_LANES) * row;
  if (s->w == s->pitch) {
    both(t, to, to, x, rows * s->w);
    return;
  }
  for (size_t k = 0; k < rows; k++, to += row, x += s->pitch * size)
    both(t, to, to, x, s->w);
}

/* ── scan: carries ──────────────────────────────────────────────────────────────────── */

void blk_carry_begin(blk_thread *t, blk_fold *f, size_t w) {
  for (int i = 0; i < BLK_CARRIES; i++) {
    blk_carry *l = &f->carry[i];
    rows_begin(&l->scan, false);
    l->n = 0;
    if (l->lanes) t->plan->tree->fill(l->lanes, KIR_LANES * w);
  }
}

/* The next total x of a level; r: the inclusive scan of these. */
static void push_total(blk_thread *t, blk_carry *l, const char *x, char *r, size_t w) {
  size_t row = w * blk_src_size(t->plan);
  if (l->n == SCAN_TILE) {
    char *total = t->fold->total;
    blk_tree_lanes(t, l->lanes, w, total);
    t->plan->tree->fill(l->lanes, KIR_LANES * w);
    push_total(t, l + 1, total, l->scan.carry, w);
    rows_begin(&l->scan, true);
    l->n = 0;
  }
  if (l->lanes) {
    char *lane = l->lanes + (size_t)(l->n % KIR_LANES) * row;
    both(t, lane, lane, x, w);
  }
  scan_rows(t, &l->scan, (blk_rows){r, w, x, w, 1, w});
  l->n++;
}

void blk_carry_push(blk_thread *t, blk_fold *f, const char *x, bool last, size_t w) {
  push_total(t, f->carry, x, f->into, w);
  for (int i = 0; last && i < BLK_CARRIES; i++) rows_end(t, &f->carry[i].scan, w);
}
