/* SPDX-License-Identifier: MIT */
/* convert.h - arrays of the same elements in another type or structure, and prototypes. */
#ifndef VAPL_ARR_CONVERT_H
#define VAPL_ARR_CONVERT_H
#include "array.h"

/* The narrowest type that both convert to exactly, or NEST when kinds do not mix
 * (char with number), or when either is. int with float is F64 (F32 for bit i8 i16 with f32). */
elt elt_join(elt a, elt b);
/* The type for elements of several arrays, which are on the host, side by side: beside f32 the
 * values of integers decide, for host and device choose their width by different rules. Begin with
 * {0}; of no arrays it is BIT. */
typedef struct arr_joined {
  elt type;
  bool some, f32, f64, long_integers; /* f64: complex numbers, too */
} arr_joined;
void arr_join_add(arr_joined *j, const arr *a);
elt arr_joined_type(const arr_joined *j);
elt arr_join_type(const arr *x, const arr *y);
/* The float type of what functions of x (or NULL) and y give: f32 if one of them is f32 and no
 * f64 array of rank above 0 takes part, else f64. An integer's width decides nothing. */
elt arr_float_type(const arr *x, const arr *y);
/* y in another numeric or char width, or as NEST of scalars; y itself, retained, if same. */
arr *arr_convert(ctx *c, arr *y, elt t);
/* Numbers y as f32, each rounded to f64 first. DOMAIN ERROR, which counts from io, where one is
 * finite and would not be. */
arr *arr_to_f32(ctx *c, arr *y, int64_t io);
/* Numbers or characters y for where bits are shown: every NaN has one pattern, quiet and without a
 * sign, for what arithmetic leaves there is the machine's. y itself, retained, if there is none. */
arr *arr_plain_nan(ctx *c, arr *y);
/* Consumes a. A nested array whose items are all numbers or all characters becomes a simple one
 * (what strands, ¨ and selections make must go through this); anything else comes back. NULL
 * stays NULL. */
arr *arr_squeeze(ctx *c, arr *a);
/* A scalar holding y; a simple scalar comes back itself. */
arr *arr_enclose(ctx *c, arr *y);
/* Same elements, new shape of the same count; shares nothing, copies host data. */
arr *arr_reshape(ctx *c, const arr *y, int rank, const int64_t *shape);

/* y's structure with every number 0 and every character a blank. */
arr *arr_proto(ctx *c, const arr *y);
/* The fill element of y's prototype, a scalar (0, ' ', or nested). */
arr *arr_fill_of(ctx *c, const arr *y);

/* A nested array of y's shape whose item i is f(user, c, y, i), owned. If y is empty, item 0
 * is made, for it is the prototype. NULL when one of the items is. */
typedef arr *arr_item_fn(void *user, ctx *c, const arr *y, int64_t i);
arr *arr_map(ctx *c, const arr *y, arr_item_fn *f, void *user);
#endif
