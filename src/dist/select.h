/* SPDX-License-Identifier: MIT */
/* select.h - what selects elements and what finds them, in parts, as the table of functions (ir/cuts.h) has it. */
#ifndef VAPL_DIST_SELECT_H
#define VAPL_DIST_SELECT_H
#include "part.h"

arr *select_replicate(const ir_call *call, arr *x, arr *y, int k, bool expand);
/* x⍀y, settled, for select_replicate. */
arr *select_expand(const ir_call *call, arr *x, arr *y);
arr *select_where(const ir_call *call, arr *y);
/* x≡y or, f being ≢, x≢y. */
arr *select_match(const ir_call *call, prim f, arr *x, arr *y);
arr *select_index(const ir_call *call, arr *y, int n, arr *const *at);
/* The rows that each rank has in `part`, those of lower ranks first: an array of like's type and of its shape but for the
 * number of rows. NULL after an error; `part` is NULL after one of this rank. */
arr *select_even(const ir_call *call, arr *part, const arr *like);
/* The array of that shape but for its first length, whose next rows[r] rows, of type t, lie with rank r, in `part`. */
arr *select_rows(const ir_call *call, arr *part, elt t, const int64_t *rows, int rank,
                 int64_t *shape);
/* Every rank's number; the ranks that fail tell so first. */
bool select_numbers(dist *d, bool ok, int64_t mine, int64_t *all);
#endif
