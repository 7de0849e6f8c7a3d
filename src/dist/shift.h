/* SPDX-License-Identifier: MIT */
/* shift.h - what moves elements, in parts, as the table of functions (ir/cuts.h) has it. */
#ifndef VAPL_DIST_SHIFT_H
#define VAPL_DIST_SHIFT_H
#include "../array/view.h"
#include "part.h"

/* The axis of v that steps from row to row of y, where the others stay within one; 0: there is none but the first.
 * Then the part of v, whose elements are of type t; NULL after an error, which all ranks hear of. (transpose.c) */
int block_axis(const view *v, const arr *y);
arr *blocks_part(const ir_call *call, const view *v, arr *y, elt t);

arr *shift_view(const ir_call *call, prim p, const view *v, arr *x, arr *y);
#endif
