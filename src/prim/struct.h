/* SPDX-License-Identifier: MIT */
/* struct.h - what the structural primitives' files share: results shaped after an argument,
 * strided copying, fills. Nothing outside src/prim includes it. */
#ifndef VAPL_PRIM_STRUCT_H
#define VAPL_PRIM_STRUCT_H
#include "direct.h"

#define OWN /* marks a parameter that is consumed, also when the function fails */

/* A new array that will hold elements of y: y's type and range, y's prototype if it is
 * empty and nested. Other nested slots are NULL. */
arr *new_like(prim_env *e, const arr *y, int rank, const int64_t *shape);
/* Widens the range of a result of new_like so that it holds y's fill element. */
void range_with_fill(arr *r);
/* Simple r: every element becomes the fill element of its type. Nested: nothing. */
void fill_simple(arr *r);
/* Nested r: every slot that is still NULL gets the prototype of y's first item. Simple:
 * nothing. Consumes r, gives it back or NULL. */
arr *fill_rest(prim_env *e, OWN arr *r, const arr *y);

/* r[i + k] = y[j + k×step] for k < n; one type. */
void copy_step(arr *r, int64_t i, const arr *y, int64_t j, int64_t step, int64_t n);
/* Copies a box of `shape`: element (i0,i1,…) comes from y[yo + Σ i×ys] and goes to
 * r[ro + Σ i×rs]. One type; rs of the last axis is 1. */
void copy_box(arr *r, int64_t ro, const int64_t *rs, const arr *y, int64_t yo,
              const int64_t *ys, int rank, const int64_t *shape);

/* shape[0..k) × , shape[k], × shape(k..rank) */
typedef struct split {
  int64_t outer, n, inner;
} split;
split split_at(const arr *y, int k);

bool is_scalar_like(const arr *y); /* one element, whatever the rank */
/* `axis` as whole axis numbers from 0, each in 0..rank-1 and different: fills k, returns
 * how many, -1 after an error. */
int axes_of(prim_env *e, arr *axis, int rank, int *k);
arr *fail(prim_env *e, int code, const char *msg); /* NULL */

arr *ravel_axis(prim_env *e, arr *y, arr *axis);
arr *catenate_axis(prim_env *e, arr *x, arr *y, int k);
arr *laminate(prim_env *e, arr *x, arr *y, int k);
arr *reverse_axis(prim_env *e, arr *y, int k);
arr *rotate_axis(prim_env *e, arr *x, arr *y, int k);
arr *take_axes(prim_env *e, arr *x, arr *y, int n, const int *k);
arr *drop_axes(prim_env *e, arr *x, arr *y, int n, const int *k);
arr *transpose_to(prim_env *e, arr *y, const int64_t *to,
                  int rank);                       /* axis k of y is `to[k]` */
arr *pick_path(prim_env *e, const arr *x, arr *y); /* x⊃y */
/* Position of the element of y that `index` (a scalar or vector) names; false after an
 * error. */
bool index_position(prim_env *e, arr *index, const arr *y, int64_t *pos);
arr *mix_axis(prim_env *e, arr *y, arr *axis);
arr *enclose_axes(prim_env *e, arr *y, int n, const int *k);
arr *partition_axis(prim_env *e, arr *x, arr *y, int k); /* ⊂ */
arr *nest_axis(prim_env *e, arr *x, arr *y, int k);      /* ⊆ */
arr *squad_axes(prim_env *e, arr *x, arr *y, int n, const int *k);
#endif
