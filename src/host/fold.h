/* SPDX-License-Identifier: MIT */
/* fold.h - REDUCE and SCAN on the host: what run.c calls, and what the engine's files share.
 * fold.c says how it works. */
#ifndef VAPL_HOST_FOLD_H
#define VAPL_HOST_FOLD_H
#include "../fold/tree.h"
#include "threads.h"

/* ── the shape of the work ──────────────────────────────────────────────────────────── */

typedef struct blk_shape {
  int64_t w, chunks;    /* columns of a strip; strips across the array */
  int64_t rows;         /* whose lines one task folds */
  int64_t side_by_side; /* rows that are turned into one strip; 0: none */
  int64_t in_block;     /* lines of one column that a block holds; 0: not a whole one */
  int64_t pieces, part; /* of a line, that are tasks; of a tile's lanes among these */
} blk_shape;

/* One for `folds` of the same lines, whose plans lie side by side. */
blk_shape blk_fold_shape(const blk_plan *p, int folds, int threads);
/* Bytes of a thread's `fold`. */
size_t blk_fold_bytes(const blk_plan *p, const blk_shape *s);
/* False when memory is out. */
bool blk_fold_run(ctx *c, blk_pool *pool, blk_job *j, const blk_shape *s);
/* Its two parts, between which the job's tasks are run. results: NULL, or where those of a reduce
 * are put, as the FOLD's type, rather than consumed. */
bool blk_fold_begin(ctx *c, blk_job *j, const blk_shape *s, char *results);
void blk_fold_end(ctx *c, blk_job *j);

/* ── a thread's memory ──────────────────────────────────────────────────────────────── */

typedef struct blk_fold {
  blk_job *job;
  const blk_shape *shape;
  tree tree; /* where the plan has one */
  char *acc; /* lanes of a strip; exact: sums and their upper halves */
  /* What is exact: results; a scan's accumulators, those before the last rows, and those
   * of sums that have left 64 bits. */
  blk_wide *wide, *wide_acc;
  char *scan_acc, *saved;
  bool is_wide;
  /* Tasks. */
  char *into;    /* exact: the carry into the next tile, of blk_wide */
  char *res;     /* results: 16 bytes × block */
  char *x, *r;   /* turned strips, before and after a scan */
  char *results; /* everybody's: see blk_fold_begin */
  char *partial; /* everybody's: what pieces give, rows × pieces × inner of them */
} blk_fold;

static inline void blk_flag(blk_thread *t, uint32_t f) {
  if (f) t->flags[t->plan->fold_flag] = 1;
}

/* ── strips: fold_strip.c ───────────────────────────────────────────────────────────── */

/* w neighbouring columns of one row of rows × len × inner, from position i on. */
typedef struct blk_strip {
  const char *plain; /* where they lie, if nothing need be computed; or NULL */
  int64_t e0, i;     /* the first one's number in the ravel, and position */
  size_t w, pitch;   /* columns; elements from row to row */
} blk_strip;

blk_strip blk_strip_at(const blk_plan *p, int64_t r, int64_t i, int64_t j0, size_t w);
/* The same from row `from` on. */
blk_strip blk_strip_behind(const blk_plan *p, const blk_strip *s, int64_t from);
/* The block of its rows i, i + 1, … */
blk_at blk_strip_block(const blk_plan *p, const blk_strip *s, int64_t i, size_t rows);
/* Those rows; several only where all columns are in it, or it is plain. Valid until the next
 * call. */
const char *blk_strip_rows(blk_thread *t, const blk_strip *s, int64_t i, size_t rows);
/* How many rows a block holds, a power of two; 1 where some columns are missing. */
size_t blk_strip_step(const blk_plan *p, const blk_strip *s);
void blk_prefetch(const blk_strip *s, const char *x, size_t rows, size_t size);
/* The input that the fold reads as it lies, or NULL. */
const char *blk_plain(const blk_plan *p);

/* ── the tree: fold_tree.c ──────────────────────────────────────────────────────────── */

/* Folds lanes [l0, l1) of a tile of n rows into the row `to`. */
void blk_tree_fold(blk_thread *t, const blk_strip *s, int64_t n, int64_t l0, int64_t l1,
                   void *to);
/* The totals of a whole tile's strips, ahead of its scan. */
void blk_tree_tile(blk_thread *t, const blk_strip *s);

/* ── what is exact: fold_exact.c ────────────────────────────────────────────────────── */

/* Folds n rows of a strip to r, as the FOLD's type; or to fold->wide if r is NULL. */
void blk_exact_fold(blk_thread *t, const blk_strip *s, int64_t n, void *r);
/* The folds of lines that lie one behind the other. */
void blk_exact_lines(blk_thread *t, void *r, const char *x, size_t lines, size_t len);
blk_wide blk_exact_join(const blk_plan *p, blk_wide a, blk_wide b);
/* Stores n accumulators as the FOLD's type; a sum that should fit and does not escapes. */
void blk_exact_put(blk_thread *t, void *r, const blk_wide *v, size_t n);
/* A scan, from accumulators, or from the identity if `from` is NULL. */
void blk_exact_begin(blk_thread *t, const blk_wide *from, size_t w);
void blk_exact_scan(blk_thread *t, fold_rows m);
#endif
