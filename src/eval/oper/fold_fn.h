/* SPDX-License-Identifier: MIT */
/* fold_fn.h - f/ and f\ of functions of scalars that are no primitives, by kernels. */
#ifndef VAPL_EVAL_FOLD_FN_H
#define VAPL_EVAL_FOLD_FN_H
#include "../value/vm.h"

/* f/[axis] y or f\[axis] y, f being no scalar primitive; options: FOLD_… of
 * bind/variant.h. NULL without an error: it is to be done item by item. */
arr *fold_by_kernel(vm *v, fn *f, arr *y, int axis, bool scan, int options);
/* May f/ y depend on the order in which it is done? Not of integers whose result is exact. */
bool order_shows(const fn *f, const arr *y);
/* f/ y of a dfn {(… ⍺ … ⊃⍵),⍵}, y being a vector: the states of a forward scan of ⌽y, the
 * last one first, enclosed. NULL without an error: it is none such, or to be done item by
 * item. */
arr *states_by_kernel(vm *v, fn *f, arr *y);
#endif
