/* SPDX-License-Identifier: MIT */
/* index.h - indexing and indexed assignment, on the host. */
#ifndef VAPL_PRIM_INDEX_H
#define VAPL_PRIM_INDEX_H
#include "direct.h"

arr *prim_index(prim_env *e, arr *x, int n, arr *const *at); /* x[i;j;…], NULL: elided */
arr *prim_ravel_index(prim_env *e, arr *x, arr *at);         /* (,x)[at] */
/* Where in y's ravel the only step of a path leads. False: it is none, or after an error. */
bool prim_place(prim_env *e, const arr *path, const arr *y, int64_t *place);
/* Where in the ravel of y the nested subscript leads. Returns NULL, with no error, if some path has
 * more steps. */
arr *prim_try_places(prim_env *e, const arr *at, arr *y);
/* x with x[i;j;…] replaced: a new array of the joined type. v extends if scalar. */
arr *prim_index_set(prim_env *e, arr *x, int n, arr *const *at, arr *v);
/* The same in *x, written over if it is unshared and can hold v, else replaced by a new array
 * and released. *x stays what it was on an error. */
bool prim_index_put(prim_env *e, arr **x, int n, arr *const *at, arr *v);
/* The same of (,x)[at]. */
bool prim_ravel_put(prim_env *e, arr **x, arr *at, arr *v);
/* What path⊃x gives becomes v. */
bool prim_pick_put(prim_env *e, arr **x, const arr *path, arr *v);
/* Where *x holds what path⊃x gives, so that it can be written over: arrays on the way that others
 * hold, too, are copied. Returns NULL, with no error, for an element of a simple array. */
arr **prim_try_pick_place(prim_env *e, arr **x, const arr *path);
/* Element i in ravel order becomes `value`. */
bool prim_put_item(prim_env *e, arr **x, int64_t i, arr *value);
/* May v be assigned to places of that shape? One element may; axes of length 1 do not
 * count. */
bool prim_conforms(prim_env *e, int rank, const int64_t *shape, const arr *v);
/* The index vectors of the elements of y at those positions, from 0. */
arr *prim_index_vectors(prim_env *e, const arr *at, const arr *y);
#endif
