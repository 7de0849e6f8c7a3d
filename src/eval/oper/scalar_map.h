/* SPDX-License-Identifier: MIT */
/* scalar_map.h - functions of scalars applied to all elements by one kernel. */
#ifndef VAPL_EVAL_SCALAR_MAP_H
#define VAPL_EVAL_SCALAR_MAP_H
#include "../value/vm.h"

/* x f¨ y, x f⍤0 y, x ∘.f y, by the operator's code; x may be NULL. NULL without an error: no
 * kernel does it, or it met an error, which a call for each element finds. */
arr *map_by_kernel(vm *v, uint32_t code, fn *f, arr *x, arr *y);
#endif
