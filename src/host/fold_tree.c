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
 *   scan     Within a strip of the tree, totals of quads go through such a counter for each
 *            group, with what comes before a quad kept as a row. A single line is scanned by a
 *            loop of its own, which does the same with groups in registers. A strip's own
 *            total is made from rows for each place of a group.
 *   prefix   Totals of tiles join 32 rows of lanes, which are folded for every tile. */
#include "fold.h"

#include <string.h>

#include "../kir/folds.h"

enum { GROUP_QUADS = KIR_SCAN_GROUP / 4 };

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

/* v joins, from the left, what stands on the levels where `at` has a one; it stays on the lowest
 * level where it has none. Then v is the inclusive Sklansky scan at place `at`. */
static void scan_count(blk_thread *t, char *v, char **d, uint32_t at, size_t w) {
  bool kept = false;
  for (int k = 0; k < BLK_QUADS; k++) {
    if (at >> k & 1) {
      both(t, v, d[k], v, w);
    } else if (!kept) {
      copy(t, d[k], v, w);
      kept = true;
    }
  }
}

/* Quad number q of the strip has total s->v, and something follows. */
static void quad_done(blk_thread *t, blk_rows_scan *s, uint32_t q, size_t w) {
  scan_count(t, s->v, s->d, q % GROUP_QUADS, w);
  if (q % GROUP_QUADS == GROUP_QUADS - 1) {
    if (s->has_run) both(t, s->run, s->run, s->v, w);
    else copy(t, s->run, s->v, w);
    s->has_run = true;
    s->base = s->run;
  } else if (s->has_run) {
    both(t, s->tmp, s->run, s->v, w);
    s->base = s->tmp;
  } else {
    s->base = s->v;
  }
}

/* What comes before the next quad; a row for each of its parts. */
static blk_behind behind(const blk_thread *t, const blk_rows_scan *s) {
  blk_behind b = {NULL, s->base, t->plan->k->exclusive};
  if (!s->has_before) return b;
  if (s->base) b.before = s->before;
  else b.base = s->before;
  return b;
}

/* r = before ∘ (base ∘ v), or what there is of it; v may be NULL. */
static void put_behind(blk_thread *t, void *r, const blk_behind *b, const void *v,
                       size_t w) {
  if (!v) v = b->base;
  else if (b->base) {
    both(t, r, b->base, v, w);
    v = r;
  }
  if (b->before) both(t, r, b->before, v, w);
  else if (!v) t->plan->tree->fill(r, w);
  else if (v != r) copy(t, r, v, w);
}

/* A row that is not one of four whole ones. Nothing follows the last one: in an exclusive scan
 * nobody needs it. */
static void scan_row(blk_thread *t, blk_rows_scan *s, const blk_rows *m) {
  size_t w = m->w;
  blk_behind b = behind(t, s);
  bool first = s->i % 4 == 0;
  char *now = s->s;
  if (!b.exclusive || s->left > 1) {
    if (first) copy(t, s->e, m->x, w);
    else both(t, s->e, s->s, m->x, w);
    if (!b.exclusive) now = s->e;
  }
  put_behind(t, m->r, &b, b.exclusive && first ? NULL : now, w);
  char *old = s->s;
  s->s = s->e;
  s->e = old;
  if (s->i % 4 == 3) copy(t, s->v, s->s, w);
}

static void scan_rows(blk_thread *t, blk_rows_scan *s, blk_rows m) {
  const blk_tree *tree = t->plan->tree;
  bool keeps = t->plan->k->exclusive &&
               kfold_escapes(t->plan->k->acc[0].monoid, t->plan->fold_src);
  size_t size = blk_src_size(t->plan), n;
  for (; m.rows; m.rows -= n) {
    if (s->i && s->i % 4 == 0) quad_done(t, s, s->i / 4 - 1, m.w);
    n = 1;
    if (s->i % 4 == 0 && m.rows >= 4 && !(keeps && s->left == 4)) n = 4;
    if (n == 4) {
      blk_behind b = behind(t, s);
      blk_flag(t, tree->quad(&m, s->v, &b));
    } else {
      scan_row(t, s, &m);
    }
    s->i += (uint32_t)n;
    s->left -= n;
    m.r = (char *)m.r + n * m.r_pitch * size;
    m.x = (const char *)m.x + n * m.pitch * size;
  }
}

/* ── scan: a strip of the tree ──────────────────────────────────────────────────────── */

static char *row_of(const blk_thread *t, char *rows, int64_t i, size_t w) {
  return rows + (size_t)i * w * blk_src_size(t->plan);
}

void blk_tree_begin(blk_thread *t, int k, size_t n, size_t w) {
  blk_fold *f = t->fold;
  blk_rows_scan *s = &f->scan;
  size_t size = blk_src_size(t->plan);
  s->has_before = f->has_prefix || k;
  s->has_run = false;
  s->base = NULL;
  s->i = 0;
  s->left = n;
  if (f->has_prefix && k) both(t, s->before, f->prefix, row_of(t, f->off, k - 1, w), w);
  else if (k) copy(t, s->before, row_of(t, f->off, k - 1, w), w);
  else if (f->has_prefix) copy(t, s->before, f->prefix, w);
  for (size_t j = 0; j < w && w < BLK_NARROW; j++) {
    f->line[j] = (blk_scan){
        .has_before = s->has_before, .exclusive = t->plan->k->exclusive, .left = n};
    if (s->has_before) memcpy(&f->line[j].before, s->before + j * size, size);
  }
}

void blk_tree_scan(blk_thread *t, blk_rows m) {
  if (m.w == 1 && m.pitch == 1 && m.r_pitch == 1)
    blk_flag(t, t->plan->tree->scan(&t->fold->line[0], m.r, m.x, m.rows));
  else scan_rows(t, &t->fold->scan, m);
}

/* n values x, of groups one behind the other, join c, a group's; at: the first one's number. */
static void add_values(blk_thread *t, size_t at, const char *x, size_t n, size_t group) {
  const blk_tree *tree = t->plan->tree;
  size_t size = blk_src_size(t->plan), some;
  char *c = t->fold->group;
  for (; n; n -= some, at += some, x += some * size) {
    char *to = c + at % group * size;
    some = min_u64(n, group - at % group);
    if (at < group) {
      copy(t, to, x, some);
    } else if (at % group == 0 && n >= 4 * group) {
      some = 4 * group;
      blk_flag(t, tree->both4(to, x, group, group));
    } else {
      both(t, to, to, x, some);
    }
  }
}

void blk_tree_add(blk_thread *t, int64_t at, const blk_rows *m) {
  size_t w = m->w, i = (size_t)at, group = KIR_SCAN_GROUP * w;
  const char *x = m->x;
  if (w == m->pitch) {
    add_values(t, i * w, x, m->rows * w, group);
    return;
  }
  for (size_t k = 0; k < m->rows; k++, x += m->pitch * blk_src_size(t->plan))
    add_values(t, (i + k) * w, x, w, group);
}

void blk_tree_strip(blk_thread *t, int k, size_t w) {
  blk_fold *f = t->fold;
  char *c = f->group, *off = row_of(t, f->off, k, w);
  for (size_t n = KIR_SCAN_GROUP / 2; n; n /= 2)
    blk_flag(t, t->plan->tree->pairs(c, c, n, w));
  if (k) both(t, off, row_of(t, f->off, k - 1, w), c, w);
  else copy(t, off, c, w);
}

void blk_tree_tile(blk_thread *t, const blk_strip *s) {
  const blk_plan *p = t->plan;
  int64_t rows = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(blk_src_size(p));
  size_t step = blk_strip_step(p, s), some;
  if (s->plain && s->w == s->pitch) step = (size_t)rows;
  for (int k = 0; k < KIR_SCAN_STRIPS && !blk_stopped(t->fold->job); k++) {
    for (int64_t at = 0; at < rows; at += (int64_t)some) {
      some = min_u64((size_t)(rows - at), step);
      const char *x = blk_strip_rows(t, s, k * rows + at, some);
      blk_prefetch(s, x, some, blk_src_size(p));
      blk_tree_add(t, at, &(blk_rows){NULL, 0, x, s->pitch, some, s->w});
    }
    blk_tree_strip(t, k, s->w);
  }
}

/* ── scan: the prefix ───────────────────────────────────────────────────────────────── */

void blk_tree_prefix(blk_thread *t, const blk_fold *f, size_t w) {
  size_t n = (size_t)min_i64(f->tiles, BLK_BATCH), half;
  char *to = t->fold->group;
  const char *v = f->lane;
  t->fold->has_prefix = n > 0;
  for (; n > 1; n -= half, v = to) { /* the last of an odd number waits */
    half = n / 2;
    blk_flag(t, t->plan->tree->pairs(to, v, half, w));
    if (n % 2)
      copy(t, row_of(t, to, (int64_t)half, w), v + (n - 1) * w * blk_src_size(t->plan),
           w);
  }
  if (n) copy(t, t->fold->prefix, v, w);
}

void blk_tree_push(blk_thread *t, blk_fold *f, size_t w) {
  char *lane = row_of(t, f->lane, f->tiles % BLK_BATCH, w);
  const char *total = row_of(t, t->fold->off, KIR_SCAN_STRIPS - 1, w);
  if (f->tiles < BLK_BATCH) copy(t, lane, total, w);
  else both(t, lane, lane, total, w);
  f->tiles++;
}
