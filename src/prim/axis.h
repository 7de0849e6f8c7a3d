/* SPDX-License-Identifier: MIT */
/* axis.h - functions with an axis: f[k] y, x f[k] y, and x/y and x\y as functions. */
#ifndef VAPL_PRIM_AXIS_H
#define VAPL_PRIM_AXIS_H
#include "../array/view.h"
#include "direct.h"

/* f[axis] y and x f[axis] y; `axis` is what stood in the brackets, counted from ⎕IO,
 * possibly fractional or a vector where the function allows it: , ⍪ ⌽ ⊖ ↑ ↓ ⊂ ⌷. SYNTAX
 * ERROR for functions that take none, scalar functions among them: see
 * prim_scalar_axes. */
arr *prim_monadic_axis(prim_env *e, prim f, arr *y, arr *axis);
arr *prim_dyadic_axis(prim_env *e, prim f, arr *x, arr *y, arr *axis);
/* Is f[axis] y, x NULL, or x f[axis] y one view (, ⍪ ⌽ ⊖ ↑ ↓)? That view; its sources are x,
 * where there is one, and y. x is looked at but by , and ⍪. */
bool move_has_axis(prim f, const arr *x);
bool move_along(prim_env *e, prim f, const arr *x, const arr *y, arr *axis, view *v);
/* Which axes of the other argument those of the one of lower rank lie along, in x f[axis]
 * y of a scalar function: k has room for 15. False after an error. */
bool prim_scalar_axes(prim_env *e, const arr *x, const arr *y, arr *axis, int *k);
/* replicate.c: x/y and x\y along an axis, from 0. */
arr *prim_replicate(prim_env *e, arr *x, arr *y, int axis);
arr *prim_expand(prim_env *e, arr *x, arr *y, int axis);
#endif
