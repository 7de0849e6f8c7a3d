/* SPDX-License-Identifier: MIT */
/* lift.h - a function applied to all cells of arrays at once instead of to each.
 *
 * The loop over cells is what an operator means, and what it does where this cannot: NULL
 * without an error. What is given is what the loop gives: the same elements bit by bit, of the
 * same class. An error is never found here: where one would be, it is left to the loop. */
#ifndef VAPL_EVAL_LIFT_H
#define VAPL_EVAL_LIFT_H
#include "../value/vm.h"

/* x f y of the cells of y, which are behind its first `frame` axes, and of x's, or f y: x is NULL.
 * Whether ir_lifts says so many is the caller's to ask. */
arr *lift_cells(vm *v, fn *f, arr *x, arr *y, int frame);
/* f¨ of the major cells of y as items; `loops`: a primitive without a rule may be called for each. */
arr *lift_rows_each(vm *v, fn *f, arr *y, bool loops);
/* f¨ of the stretches of y in pairs (ir_items). */
arr *lift_over_parts(vm *v, fn *f, arr *y, arr *pairs);
#endif
