/* SPDX-License-Identifier: MIT */
/* subscript.h - checked subscripts as a view of the array that they index; for index.c and
 * put.c. */
#ifndef VAPL_PRIM_SUBSCRIPT_H
#define VAPL_PRIM_SUBSCRIPT_H
#include "index.h"
#include "struct.h"

typedef struct subscripts {
  int n;
  arr *at[ARR_MAX_RANK]; /* integers; NULL where the whole axis is meant */
  view v;                /* reads them, borrowed */
} subscripts;

/* x[at[0]; at[1]; …]; whatever comes back, s must be freed. RANK, DOMAIN, INDEX ERROR. */
bool subscripts_of(prim_env *e, const arr *x, int n, arr *const *at, subscripts *s);
bool subscripts_of_ravel(prim_env *e, const arr *x, arr *at,
                         subscripts *s); /* (,x)[at] */
void subscripts_free(subscripts *s);

/* A nested subscript alone: each item chooses an element or is a path to one. */
static inline bool is_nested_index(int n, arr *const *at) {
  return n == 1 && at[0] && at[0]->type == ET_NEST;
}
arr *item_path(prim_env *e, arr *item, const arr *x); /* such an item as a path into x */
#endif
