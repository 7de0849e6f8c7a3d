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

/* The elements that come to this rank, in the order of ranks and places, of parts that are computed, the first of them
 * being number starts[r]; the same of *with, which may be NULL and is of type `along`. counts[q × ranks + r] is how
 * many come from rank q to rank r. Truth values come as integers. NULL after an error, which all ranks have.
 * (partition.c) */
arr *parted(const ir_call *call, prim f, arr *part, arr **with, elt along,
            const int64_t *starts, int64_t *counts);
#endif
