/* SPDX-License-Identifier: MIT */
/* fold_tree.c - strips go through the tree of fold/tree.h: what a fold's producer makes, some rows
 * at a time.
 *
 * A tile's lane l is rows l, l + 1024, … A strip of lanes that fits in L1 is folded over the tile's
 * rows first; then the lanes are joined. */
#include "fold.h"

/* Folds lanes [l, l + lanes) over the n rows of a tile, into f->acc. */
static void fold_lanes(blk_thread *t, const blk_strip *s, int64_t n, int64_t l,
                       size_t lanes) {
  const blk_plan *p = t->plan;
  tree *tr = &t->fold->tree;
  char *acc = t->fold->acc;
  size_t size = tr->size, w = s->w, step = blk_strip_step(p, s);
  int64_t i = l;
  tr->loops->fill(acc, lanes * w);
  if (s->plain && w == 1)
    for (; n - i >= 3 * KIR_LANES + (int64_t)lanes; i += 4 * KIR_LANES)
      tr->flag |= tr->loops->both4(acc, blk_strip_rows(t, s, i, lanes), lanes, KIR_LANES);
  if (s->plain && w == s->pitch) step = lanes;
  for (; i < n && !blk_stopped(t->fold->job); i += KIR_LANES) {
    size_t rows = (size_t)min_i64((int64_t)lanes, n - i), some;
    for (size_t k = 0; k < rows; k += some) {
      some = min_u64(rows - k, step);
      const char *x = blk_strip_rows(t, s, i + (int64_t)k, some);
      blk_prefetch(s, x, some, size);
      char *to = acc + k * w * size;
      tr->flag |= tr->loops->both(to, to, x, some * w);
    }
  }
}

/* A single line. */
static void fold_single(blk_thread *t, const blk_strip *s, int64_t n, int64_t l0,
                        int64_t l1, void *to) {
  tree *tr = &t->fold->tree;
  if (l1 <= l0) {
    tr->loops->fill(to, 1);
  } else if (s->plain && (n <= KIR_LANES || l1 - l0 == KIR_LANES)) {
    int64_t lanes = n <= KIR_LANES ? l1 - l0 : n;
    tr->flag |=
        tr->loops->line(to, blk_strip_rows(t, s, l0, (size_t)lanes), (size_t)lanes);
  } else {
    fold_lanes(t, s, n, l0, (size_t)(l1 - l0));
    tr->flag |= tr->loops->line(to, t->fold->acc, (size_t)(l1 - l0));
  }
}

/* Lanes of a strip, of a tile of n rows: `step` of them are made at once. */
typedef struct lanes {
  const blk_strip *s;
  int64_t n, step;
} lanes;

static void fold_some(blk_thread *t, const lanes *a, int64_t l, int64_t n, char *to) {
  tree *tr = &t->fold->tree;
  size_t w = a->s->w;
  if (blk_stopped(t->fold->job)) {
    tr->loops->fill(to, w);
  } else if (n <= a->step && a->n <= KIR_LANES) { /* a row a lane */
    const char *x = blk_strip_rows(t, a->s, l, (size_t)n);
    tree_fold_rows(tr, x, (size_t)n, w, a->s->pitch, to);
  } else if (n <= a->step) {
    fold_lanes(t, a->s, a->n, l, (size_t)n);
    tree_fold_rows(tr, t->fold->acc, (size_t)n, w, w, to);
  } else {
    int64_t half = (int64_t)tree_half((size_t)n);
    char *right = tree_level(tr, (size_t)half);
    fold_some(t, a, l, half, to);
    fold_some(t, a, l + half, n - half, right);
    tr->flag |= tr->loops->both(to, to, right, w);
  }
}

void blk_tree_fold(blk_thread *t, const blk_strip *s, int64_t n, int64_t l0, int64_t l1,
                   void *to) {
  size_t w = s->w, step = blk_strip_step(t->plan, s);
  l1 = max_i64(l0, min_i64(l1, n));
  if (w == 1 && w == s->pitch) {
    fold_single(t, s, n, l0, l1, to);
    return;
  }
  if (n <= KIR_LANES && s->plain && step < 64) step = 64;
  if (n > KIR_LANES && w == s->pitch)
    while (2 * step * w <= BLK_MAX) step *= 2;
  if (l0 == l1) t->fold->tree.loops->fill(to, w);
  else fold_some(t, &(lanes){s, n, (int64_t)step}, l0, l1 - l0, to);
}

void blk_tree_tile(blk_thread *t, const blk_strip *s) {
  tree *tr = &t->fold->tree;
  int64_t rows = tree_strip_len(tr->size);
  size_t step = blk_strip_step(t->plan, s), some;
  if (s->plain && s->w == s->pitch) step = (size_t)rows;
  for (int k = 0; k < KIR_SCAN_STRIPS && !blk_stopped(t->fold->job); k++) {
    for (int64_t at = 0; at < rows; at += (int64_t)some) {
      some = min_u64((size_t)(rows - at), step);
      const char *x = blk_strip_rows(t, s, k * rows + at, some);
      blk_prefetch(s, x, some, tr->size);
      tree_add(tr, at, &(fold_rows){NULL, 0, x, s->pitch, some, s->w});
    }
    tree_strip(tr, k, s->w);
  }
}
