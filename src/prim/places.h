/* SPDX-License-Identifier: MIT */
/* places.h - which elements moves and indices select, without numbering all that there are. */
#ifndef VAPL_PRIM_PLACES_H
#define VAPL_PRIM_PLACES_H
#include "direct.h"

/* An array of the numbers of elements, as a formula: element (i0, i1, …) is number
 * `from` + Σ i×stride. All are in lo … hi. */
typedef struct places {
  int rank;
  int64_t shape[ARR_MAX_RANK], count;
  int64_t from, stride[ARR_MAX_RANK], lo, hi;
} places;

/* The numbers of all elements of x, from `first`. */
void places_all(places *p, const arr *x, int64_t first);
/* p becomes f p, x f p if there is an x: a move's result. Returns false, often with no error, if no
 * formula describes it; then p is unchanged. */
bool places_try_move(prim_env *e, places *p, prim f, const arr *x);
/* The numbers as an array; those that p[at[0];…] has, and x⌷p. */
arr *places_numbers(ctx *c, const places *p);
arr *places_index(prim_env *e, const places *p, int n, arr *const *at);
arr *places_squad(prim_env *e, const places *p, const arr *x);
/* p[at] of nested indices. Returns NULL, with no error, if some path has more than one step. */
arr *places_try_choose(prim_env *e, const places *p, const arr *at);
/* Number i of its ravel; the one that path⊃p picks, likewise. */
int64_t places_at(const places *p, int64_t i);
bool places_pick(prim_env *e, const places *p, const arr *path, int64_t *n);
#endif
