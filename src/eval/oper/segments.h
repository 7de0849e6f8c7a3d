/* SPDX-License-Identifier: MIT */
/* segments.h - counts, folds and scans of stretches of a vector that are never made arrays. */
#ifndef VAPL_OPER_SEGMENTS_H
#define VAPL_OPER_SEGMENTS_H
#include "../value/vm.h"

/* f¨ of what ir_items makes of y and pairs. NULL without an error: items have to be made. */
arr *segments_each(vm *v, fn *f, arr *y, arr *pairs);
/* The same of many items that have been made, vectors of one type, put one behind the other; f is a
 * fold or a dfn. */
arr *segments_of_items(vm *v, fn *f, arr *y);
#endif
