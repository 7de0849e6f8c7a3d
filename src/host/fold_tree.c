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

void blk_tree_fold(blk_thread *t, const blk_strip *s, int64_t n, int64_t l0, int64_t l1,
                   void *to) {
  size_t w = s->w, step = blk_strip_step(t->plan, s);
  bool one = n <= KIR_LANES; /* row a lane */
  tree *tr = &t->fold->tree;
  l1 = max_i64(l0, min_i64(l1, n));
  if (w == 1 && w == s->pitch) {
    fold_single(t, s, n, l0, l1, to);
    return;
  }
  if (one && s->plain && step < 64) step = 64;
  if (!one && w == s->pitch)
    while (2 * step * w <= BLK_MAX) step *= 2;
  for (int64_t l = l0; l < l1 && !blk_stopped(t->fold->job); l += (int64_t)step) {
    size_t lanes = (size_t)min_i64((int64_t)step, l1 - l), at = (size_t)(l - l0);
    if (one) {
      tree_push(tr, at, blk_strip_rows(t, s, l, lanes), lanes, w, s->pitch);
    } else {
      fold_lanes(t, s, n, l, lanes);
      tree_push(tr, at, t->fold->acc, lanes, w, w);
    }
  }
  tree_total(tr, (size_t)(l1 - l0), w, to);
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
