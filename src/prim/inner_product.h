/* SPDX-License-Identifier: MIT */
/* inner_product.h - x f.g y of scalar functions on simple arrays: inner_product.c, by loops that are
 * compiled for each instruction set (product_loops.c).
 *
 * THE ORDER of the sum along k. Result (i, j) folds the elements x[i;k] g y[k;j] in blocks of
 * PRODUCT_BLOCK (tables/fold.h) by their place: each block from its first element to its last,
 * starting from the identity, the blocks' results from the first to the last. So the bits
 * depend on k alone, and the sum may be cut between blocks. Exact folds have no order. The product
 * of two vectors is f/x g y, by the fold's tree. */
#ifndef VAPL_PRIM_PRODUCT_H
#define VAPL_PRIM_PRODUCT_H
#include "direct.h"

/* Batches of x f.g y: x and y have x_frame and y_frame leading axes that are the frame's; one
 * of them may have none. */
typedef struct prim_factors {
  prim f, g;
  arr *x, *y;
  int x_frame, y_frame;
  /* Not 0: of floats + may be summed in any order, and × contracted, and elements be rounded to so many binary
   * digits: devices do. */
  uint8_t digits;
} prim_factors;
enum { PRODUCT_ALL_DIGITS = 53 };

/* Lengths and the result's shape: batch × (m × k, k × n). */
typedef struct product_sizes {
  int64_t batch, m, k, n;
  int rank;
  int64_t shape[ARR_MAX_RANK];
} product_sizes;

/* LIMIT ERROR where the result has too many axes. The frames and k fit. */
bool product_measure(ctx *c, const prim_factors *p, product_sizes *s);
/* The products; k is not 0, and the result has elements. */
arr *prim_product(prim_env *e, const prim_factors *p);

/* x∘.f y of truth values with elements. Returns NULL, with no error, if f does not give truth values. */
arr *prim_try_outer_truths(prim_env *e, prim f, const arr *x, const arr *y);

/* ── tiles (product_loops.c) ──
 *
 * r, rows × columns, from packed operands: a has `rows` values for each of the k places, b
 * `columns`. r[i][j] = fold of a[k][i] g b[k][j] from the identity on. */
typedef enum tile_fold { TILE_ADD, TILE_MIN, TILE_MAX, TILE_FOLDS } tile_fold;
typedef enum tile_map {
  TILE_TIMES,
  TILE_PLUS,
  TILE_LEAST,
  TILE_MOST,
  TILE_EQUAL,
  TILE_DIFFERS,
  TILE_LESS,
  TILE_MAPS
} tile_map;
enum { TILE_ROWS = 6, TILE_MOST_COLUMNS = 64 };
typedef void tile_fn(const void *a, const void *b, int64_t k, void *r);
typedef struct tile_set {
  int columns[2], complex_columns; /* of doubles, of floats; of complex numbers */
  tile_fn *of_doubles[TILE_FOLDS][TILE_MAPS];
  tile_fn *of_floats[TILE_FOLDS][TILE_PLUS + 1];
  tile_fn *of_complex; /* + of × */
} tile_set;
extern const tile_set product_tiles_base, product_tiles_avx2, product_tiles_avx512;
const tile_set *
product_tiles_here(void); /* those of this machine's best instruction set */
#endif
