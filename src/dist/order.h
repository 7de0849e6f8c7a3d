/* SPDX-License-Identifier: MIT */
/* order.h - ⍋ ⍒ and sorted vectors in parts, as the table of functions (ir/cuts.h) has them. */
#ifndef VAPL_DIST_ORDER_H
#define VAPL_DIST_ORDER_H
#include "part.h"

/* ⍋y and ⍒y. NULL without an error: it is not for parts. */
arr *order_grade(const ir_call *call, prim f, arr *y);
/* y[x] where x is such an order, of y itself or of another vector as long; NULL without an error: it is not. */
arr *order_sorted(const ir_call *call, arr *y, const arr *x);
/* The part of such an order, which order_grade has put off. */
arr *order_made(const ir_call *call, prim f, arr *y);

/* a's elements at these places, which count from 0. */
arr *elements_at(const ir_call *call, arr *a, arr *places);
/* Each rank has elements of a vector that are in the order of f in `run`, computed; rank r those from starts[r] to
 * starts[r + 1] - 1 of the vector. All of them in order, the elements from starts[b] on are those from number
 * cuts[q × (ranks + 1) + b] of each rank q's run on: all cuts, of mem_alloc, on all ranks. NULL after an error, which all
 * ranks have. (splitters.c) */
int64_t *find_cuts(const ir_call *call, prim f, arr *run, const int64_t *starts);
/* Is an order of y, with `along` beside, to be made of elements that were parted before? (partition.c) */
bool is_for_partition(const dist *d, const arr *y, const arr *along);
/* The elements that come to this rank, in the order of ranks and places, of parts that are computed; the same of *with,
 * which may be NULL and is of type `along`. counts[q × ranks + r] is how many came from rank q to rank r. NULL after an
 * error, which all ranks have; or *nan: f of these is made otherwise. */
arr *parted(const ir_call *call, prim f, arr *part, arr **with, elt along,
            const int64_t *starts, int64_t *counts, bool *nan);
#endif
