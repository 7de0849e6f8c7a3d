/* SPDX-License-Identifier: MIT */
/* inverse.h - f⍣¯1: the z for which f z, or x f z, is y. What has no inverse here, dfns among
 * them, is a DOMAIN ERROR. */
#ifndef VAPL_OPER_INVERSE_H
#define VAPL_OPER_INVERSE_H
#include "../value/vm.h"

arr *undo(vm *v, fn *f, arr *x, arr *y); /* of any function; x may be NULL */

/* inverse_prim.c: of primitives, perhaps with an axis */
arr *undo_prim(vm *v, prim p, arr *axis, arr *x, arr *y);
arr *undo_prim_left(vm *v, prim p, arr *a, arr *y); /* z p a is y */
/* inverse_search.c: of a fork of functions on numbers, by trial */
arr *undo_by_search(vm *v, fn *f, arr *x, arr *y);
arr *no_inverse(vm *v); /* DOMAIN ERROR; NULL */
/* x p y; both consumed, NULL if one of them is NULL. */
arr *prim2_owned(vm *v, prim p, arr *x, arr *y);
bool arrays_match(vm *v, arr *a, arr *b); /* either may be NULL */
#endif
