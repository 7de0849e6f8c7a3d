/* SPDX-License-Identifier: MIT */
/* segments.h - counts and folds of stretches of a vector that are never made arrays. */
#ifndef VAPL_OPER_SEGMENTS_H
#define VAPL_OPER_SEGMENTS_H
#include "../value/vm.h"

/* Is f/ of stretches of y a matter for segments_fold? */
bool segments_can_fold(vm *v, fn *f, arr *y);
/* f/ of the stretches of y that pairs names (ir_reduce_segments). NULL without an error: it
 * is to be done one by one, since some are empty, or f is not for kernels. */
arr *segments_fold(vm *v, fn *f, arr *y, arr *pairs);
/* each (≢¨ or f/¨ of some kind) of x⊂y, if `by` is P_ENCLOSE, or x⊆y. NULL without an
 * error: the parts have to be made. */
arr *segments_each(vm *v, fn *each, prim by, arr *x, arr *y);
#endif
