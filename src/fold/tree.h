/* SPDX-License-Identifier: MIT */
/* tree.h - the tree of tables/fold.h over rows of accumulators: the host's one engine for monoids
 * whose bracketing shows. A row is w neighbouring values of a strip; a line is a strip of one.
 *
 * The direct path calls it on what lies in memory (tree_line, tree_columns, tree_scan_line), the
 * block interpreter on what its producers make, some rows at a time (host/fold.c). */
#ifndef VAPL_FOLD_TREE_H
#define VAPL_FOLD_TREE_H
#include "fold_loops.h"

enum { TREE_LEVELS = 11, TREE_NARROW = 16, TREE_QUADS = 5, TREE_BATCH = 32 };

/* The state of a scan within a strip of the tree. */
typedef struct rows_scan {
  char *s, *e, *v;          /* the quad so far; room for the next s; the quad's total */
  char *d[TREE_QUADS];      /* a counter of quads in a group */
  char *before, *run, *tmp; /* room for P ∘ off; groups so far; run ∘ T */
  fold_behind behind;       /* before: P ∘ off. base: run ∘ T, what there is of it */
  bool has_before, has_run;
  uint32_t i;  /* rows so far */
  size_t left; /* rows still to come */
} rows_scan;

typedef struct tree {
  const tree_loops *loops;
  size_t size;    /* of a value */
  bool exclusive; /* scans */
  bool escapes;   /* a join may overflow */
  uint32_t flag;  /* not 0: one did */
  /* TREE_REDUCE */
  char *levels; /* a row for the right half of 2, 4, 8, … rows */
  size_t level_size;
  char *tmp; /* room for FOLD_MOST values */
  /* TREE_SCAN */
  rows_scan scan;
  line_scan *line; /* the same for up to TREE_NARROW single lines */
  char *none;      /* identities */
  /* TREE_TILES: scans of more than a strip */
  char *group;         /* a strip's elements by their place in a group: rows */
  char *off;           /* the tile up to and with strip k: KIR_SCAN_STRIPS rows */
  char *lane, *prefix; /* the tiles so far: TREE_BATCH rows of each tier; P, one row */
  bool has_prefix;
  int64_t tiles; /* that are in the lanes */
} tree;

/* The loops of this machine for folds by `f` of values of a type that it folds by the tree. */
const tree_loops *tree_loops_of(kfold f, kty ty);
/* Likewise where the order cannot show; NULL if it can. */
const exact_loops *exact_loops_of(kfold f, kty ty);
tree tree_of(const tree_loops *loops, kfold f, kty ty);
/* Lays out memory for rows of up to w, from *mem on. */
enum { TREE_REDUCE = 1, TREE_SCAN = 2, TREE_TILES = 4 };
void tree_take(tree *t, int parts, size_t w, uintptr_t *mem);

/* ── reduce ─────────────────────────────────────────────────────────────────────────── */

/* *to ← the fold of a line of n ≥ 1 values. room: a value for each FOLD_TILE of them, where there
 * are more than one. Not 0: a join overflowed. */
uint32_t tree_line(const tree_loops *t, size_t size, const void *v, int64_t n, void *room,
                   void *to);
/* to ← the folds of `inner` columns of n rows, 1 ≤ n ≤ KIR_LANES. */
uint32_t tree_columns(const tree_loops *t, size_t size, const char *v, int64_t n,
                      int64_t inner, char *to);

/* r ← the scan of a line of n values. Likewise not 0. */
uint32_t tree_scan_values(const tree_loops *loops, kfold f, kty type, const void *v,
                          int64_t n, void *r);

/* The row `to` ← the fold of n rows of w, `pitch` values apart, 1 ≤ n ≤ KIR_LANES. */
void tree_fold_rows(tree *t, const char *x, size_t n, size_t w, size_t pitch, char *to);
/* Of n > 1 rows the left half has so many; room for what the other half gives. */
static inline size_t tree_half(size_t n) {
  return (size_t)1 << (63 - __builtin_clzll((unsigned long long)(n - 1)));
}
static inline char *tree_level(const tree *t, size_t half) {
  return t->levels + (size_t)__builtin_ctzll((unsigned long long)half) * t->level_size;
}

/* ── scan ───────────────────────────────────────────────────────────────────────────── */

/* r ← the scan of a line of n values; r may be x. Lines longer than a strip need TREE_SCAN and
 * TREE_TILES, for rows of 1. */
void tree_scan_line(tree *t, void *r, const void *x, size_t n);
/* The totals of so many tiles of neighbouring values x; what they are scanned to behind tiles of these totals, r may
 * be x. TREE_SCAN and TREE_TILES, for rows of 1. */
void tree_totals(tree *t, void *totals, const void *x, size_t tiles);
void tree_scan_behind(tree *t, const void *totals, size_t tiles, void *r, const void *x,
                      size_t n);

/* Positions of a line in a strip of the tree. */
static inline int64_t tree_strip_len(size_t size) {
  return KIR_SCAN_GROUP * KIR_SCAN_GROUPS(size);
}
/* A scan within strip k of a tile, of n rows: behind the prefix, if there is one, and the strips
 * before it. Rows after rows. */
void tree_begin(tree *t, int k, size_t n, size_t w);
void tree_scan_rows(tree *t, fold_rows m);
/* Rows of a strip, from row `at` on, join its total; then it joins those of the tile. */
void tree_add(tree *t, int64_t at, const fold_rows *m);
void tree_strip(tree *t, int k, size_t w);
/* The prefix of the next tile, from the lanes that `of` has; the tile's total joins these. */
void tree_prefix(tree *t, const tree *of, size_t w);
void tree_push_tile(tree *t, tree *of, size_t w);
#endif
