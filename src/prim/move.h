/* SPDX-License-Identifier: MIT */
/* move.h - what the primitives that only move elements do: their arguments → a view (see
 * array/view.h). The direct path copies by it, the lazy graph keeps it.
 *
 * Each function is the whole truth about a primitive: the shape of its result, its errors and
 * where each element comes from. It reads only the shape of y, so that y may be pending;
 * x and axes are host arrays. Axes k count from 0. False after an error. */
#ifndef VAPL_PRIM_MOVE_H
#define VAPL_PRIM_MOVE_H
#include "../array/view.h"
#include "args.h"

/* f y for , ⍪ ⌽ ⊖ ⍉, and x f y for ⍴ , ⍪ ⍉ ↑ ↓. */
bool move_monadic(prim_env *e, prim f, const arr *y, view *v);
bool move_dyadic(prim_env *e, prim f, const arr *x, const arr *y, view *v);

bool move_ravel_axes(prim_env *e, const arr *y, const arr *axis, view *v); /* ,[axis] */
bool move_reverse(prim_env *e, const arr *y, int k, view *v);
/* By one number; lines that are turned by numbers of their own are struct.c's. */
bool move_rotate(prim_env *e, const arr *x, const arr *y, int k, view *v);
/* Axis k of y becomes axis to[k]; several may become one: the diagonal. `rank` is the
 * result's. */
bool move_transpose(prim_env *e, const arr *y, const int64_t *to, int rank, view *v);
/* Along the n axes k; x has a number for each. */
bool move_take(prim_env *e, const arr *x, const arr *y, int n, const int *k, view *v);
bool move_drop(prim_env *e, const arr *x, const arr *y, int n, const int *k, view *v);
/* Sources: 0 is x, 1 is y. */
bool move_catenate(prim_env *e, const arr *x, const arr *y, int k, view *v);
bool move_laminate(prim_env *e, const arr *x, const arr *y, int k, view *v);
/* y repeated to that shape, whose axis k[i] is y's axis i, of the same length. */
bool move_spread(prim_env *e, const arr *y, int rank, const int64_t *shape, const int *k,
                 view *v);
/* The box of y that begins at from[k] along each of the first n axes and is size[k] long
 * there; fill elements where it reaches beyond y. */
bool move_window(prim_env *e, const arr *y, int n, const int64_t *from,
                 const int64_t *size, view *v);
/* y's windows: those that begin step[k] apart along the first n axes, frame[k] many, size[k]
 * long. The result's axes are frame, size, and y's others. */
bool move_windows(prim_env *e, const arr *y, int n, const int64_t *frame,
                  const int64_t *step, const int64_t *size, view *v);
#endif
