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
/* ≠y by the definition, into bits: a cell is new if no cell that was new before equals it. */
bool lookup_new(prim_env *e, const arr *y, arr *mask);
/* ct, or 0 where both are f32, which is compared exactly. */
double lookup_tolerance(const arr *x, const arr *y, double ct);

/* few.c: for each element of y, the place of the first equal element of the vector x,
 * if y or x has few elements. Returns false after INTERRUPT, and, with no error, if
 * not applicable. */
bool few_sought(prim_env *e, const arr *x, const arr *y, int64_t *to);
bool few_known(prim_env *e, const arr *x, const arr *y, int64_t *to);
#endif
