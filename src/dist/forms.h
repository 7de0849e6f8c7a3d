/* SPDX-License-Identifier: MIT */
/* forms.h - primitives in parts, as the table of functions (ir/cuts.h) has them. All ranks call them. NULL, or false,
 * without an error: it is not for parts, and nothing has happened. */
#ifndef VAPL_DIST_FORMS_H
#define VAPL_DIST_FORMS_H
#include "../array/view.h"
#include "../prim/inner_product.h"
#include "part.h"

/* ── map.c, place.c ── */

arr *map_monadic(const ir_call *call, prim f, arr *y);
arr *map_dyadic(const ir_call *call, prim f, arr *x, arr *y);
arr *map_convert(const ir_call *call, arr *y, elt t);
arr *map_numbers(const ir_call *call, int64_t first, int64_t n);
arr *map_numbers_here(const ir_call *call, int64_t first, int64_t n); /* the part */
/* x⍳y of a few y. */
arr *place_of_few(const ir_call *call, arr *x, arr *y);
/* x∊y, x⍳y of a cut y or x, in which a shorter array that is the same everywhere is sought. */
arr *place_of_short(const ir_call *call, prim f, arr *x, arr *y);

/* ── fold.c: along any axis ── */

arr *part_fold(const ir_call *call, bool scan, prim f, arr *y, int axis);
arr *part_fold_where(const ir_call *call, prim f, arr *x, arr *y);
arr *part_fold_function(const ir_call *call, const ir_function *f, arr *y, int axis,
                        bool scan);
/* As ir_reduce_segments: of a cut y (segments_parts.c). */
arr *fold_stretches(const ir_call *call, prim f, arr *y, arr *pairs);
arr *product_cut(const ir_call *call, const prim_factors *p);

/* ── what moves elements: shift.c, transpose.c ── */

arr *shift_view(const ir_call *call, prim p, const view *v, arr *x, arr *y);
/* The axis of v that steps from row to row of y, where the others stay within one; 0: there is none but the first.
 * Then the part of v, whose elements are of type t; NULL after an error, which all ranks hear of. */
int block_axis(const view *v, const arr *y);
arr *blocks_part(const ir_call *call, const view *v, arr *y, elt t);

/* ── what selects elements: select.c, expand.c, index.c ── */

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

/* ── searches, and different elements: sets.c, find.c ── */

arr *sets_search(const ir_call *call, prim f, arr *x, arr *y);   /* x∊y, x⍳y, x⍸y */
arr *sets_combined(const ir_call *call, prim f, arr *x, arr *y); /* x~y, x∩y, x∪y */
arr *sets_find(const ir_call *call, arr *x, arr *y);
arr *sets_news(const ir_call *call, arr *y);
arr *sets_unique(const ir_call *call, arr *y);

/* ── ⍋ ⍒ and sorted vectors: order.c, partition.c ── */

arr *order_grade(const ir_call *call, prim f, arr *y);
/* y[x] where x is such an order, of y itself or of another vector as long. */
arr *order_sorted(const ir_call *call, arr *y, const arr *x);
/* The part of such an order, which order_grade has put off. */
arr *order_made(const ir_call *call, prim f, arr *y);
/* The elements that come to this rank, in the order of ranks and places, of parts that are computed, the first of them
 * being number starts[r]; the same of *with, which may be NULL and is of type `along`. counts[q × ranks + r] is how
 * many come from rank q to rank r. Truth values come as integers. NULL after an error, which all ranks have. */
arr *parted(const ir_call *call, prim f, arr *part, arr **with, elt along,
            const int64_t *starts, int64_t *counts);

/* ── assignment to elements: store.c ── */

bool store_put(const ir_call *call, arr **x, arr *at, arr *v);
/* Of an x that is the same everywhere (store_join.c). */
bool store_join(const ir_call *call, prim f, arr **x, arr *at, arr *v);
#endif
