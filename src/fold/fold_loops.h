/* SPDX-License-Identifier: MIT */
/* fold_loops.h - the tight loops of folds, a table of them for each instruction set
 * (fold_loops.c): what both the direct path and the block interpreter fold by. They take any
 * number of elements. */
#ifndef VAPL_FOLD_LOOPS_H
#define VAPL_FOLD_LOOPS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../kir/op.h"
#include "../tables/fold.h"

/* FOLD_MOST: of accumulators that are folded together. */
enum { FOLD_TILE = KIR_LANES * KIR_REDUCE_ROWS, FOLD_MOST = 1024 };
enum { SIZE_1, SIZE_4, SIZE_8, SIZE_COUNT };

static inline int blk_size(kty t) {
  if (t == KB) return SIZE_1;
  return kty_bytes(t) == 4 ? SIZE_4 : SIZE_8;
}

typedef union fold_num {
  int32_t i;
  int64_t l;
  float f;
  double d;
} fold_num;

/* A line's scan within a strip, between groups. */
typedef struct line_scan {
  fold_num before; /* what comes before the strip: P ∘ off */
  fold_num run;    /* the groups so far */
  bool has_before, has_run, exclusive;
  size_t left; /* elements of the strip that are still to come */
} line_scan;

/* Rows of w values, from x to r; pitches in values from row to row. */
typedef struct fold_rows {
  void *r;
  size_t r_pitch;
  const void *x;
  size_t pitch, rows, w;
} fold_rows;

/* Rows that come before others: where there is nothing, `none`, a row of identities. There is no
 * `before` alone. */
typedef struct fold_behind {
  const void *before, *base, *none;
  bool exclusive;
} fold_behind;

/* A monoid whose bracketing shows. A `row` is w neighbouring values; rows of x are `pitch`
 * values apart, and a line is a row of one column. The functions return not 0 when a product
 * overflowed. */
typedef struct tree_loops {
  void (*fill)(void *v, size_t n); /* the identity */
  /* r[i] = a[i] ∘ b[i]; r may be a or b. */
  uint32_t (*both)(void *r, const void *a, const void *b, size_t n);
  /* acc[i] = (((acc[i] ∘ x[i]) ∘ x[i + pitch]) ∘ …), four of them */
  uint32_t (*both4)(void *acc, const void *x, size_t n, size_t pitch);
  /* acc = ((acc ∘ x[0]) ∘ x[1]) ∘ …, n of them */
  uint32_t (*chain)(void *acc, const void *x, size_t n);
  /* r = the fold of 2, 4 or 8 neighbouring rows by neighbours. */
  uint32_t (*leaf)(void *r, const void *x, size_t rows, size_t w, size_t pitch);
  /* n rows from pairs of neighbouring rows; r may be v. */
  uint32_t (*pairs)(void *r, const void *v, size_t n, size_t w);
  /* The fold of a line of up to a tile, 1 ≤ n ≤ FOLD_TILE. */
  uint32_t (*line)(void *r, const void *x, size_t n);
  /* Scans n elements of a line that begin at a group; all calls of a strip but the last:
   * whole groups. */
  uint32_t (*scan)(line_scan *st, void *r, const void *x, size_t n);
  /* Four rows scanned behind what there is, before ∘ (base ∘ s); total: their last s. */
  uint32_t (*quad)(const fold_rows *m, void *total, const fold_behind *b);
} tree_loops;

/* A monoid whose order cannot show: acc[j] takes the rows of x, or is scanned over them. Sums
 * are in i64. Those of i64 that are folded are in halves, the upper ones at acc + FOLD_MOST;
 * a scan wraps, and returns not 0 if it did. */
typedef struct exact_loops {
  void (*fold)(void *acc, const void *x, size_t rows, size_t w, size_t pitch);
  uint32_t (*scan)(const fold_rows *m, void *acc, bool exclusive);
} exact_loops;

typedef struct fold_loops {
  tree_loops tree[KF_COUNT][KTY_COUNT];   /* fill is NULL where there is none */
  exact_loops exact[KF_COUNT][KTY_COUNT]; /* fold is */
  void (*turn[SIZE_COUNT])(const fold_rows *m,
                           size_t a); /* r[j][i] = x[i][j], of a values */
  int64_t (*count)(const uint8_t *bits, int64_t from, int64_t n); /* ones among n bits */
} fold_loops;
extern const fold_loops fold_loops_base, fold_loops_avx2, fold_loops_avx512;
#endif
