/* SPDX-License-Identifier: MIT */
/* lookup.h - finding equal cells and elements. prim_lookup itself is in direct.h. */
#ifndef VAPL_PRIM_LOOKUP_H
#define VAPL_PRIM_LOOKUP_H
#include "direct.h"

/* What prim_lookup finds, as integers from 0 in the shape of the result of x⍳y; NULL
 * after RANK or LENGTH ERROR. */
arr *lookup_positions(prim_env *e, const arr *x, const arr *y);
/* Are element i of x and element j of y equal within ct? The arrays are both characters,
 * both numbers or both nested. */
bool lookup_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct);
/* Likewise of cells, `size` elements each. */
bool lookup_equal_cells(const arr *x, int64_t i, const arr *y, int64_t j, int64_t size,
                        double ct);
/* ≠y of cells. */
arr *lookup_new(prim_env *e, arr *y);
/* ct, or 0 where both are f32, which is compared exactly. */
double lookup_tolerance(const arr *x, const arr *y, double ct);

/* tolerant_hash.c: the cells of x and y, of `size` elements each; both are nested or neither is, and those without floats of
 * one type. */
typedef struct cells {
  prim_env *e;
  const arr *x, *y;
  int64_t nx, ny, size; /* cells, and elements in one */
  double ct;
  int64_t *to; /* ny: the positions that are found */
} cells;
bool lookup_by_hash(cells *s);
/* Which of x's cells, y being x, are new? Into the bits r. */
bool lookup_new_by_hash(cells *s, uint8_t *r);
#endif
