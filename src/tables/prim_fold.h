/* SPDX-License-Identifier: MIT */
/* prim_fold.h - the one map from a primitive and a class of arguments to the monoid that
 * folds them: prim.def's FOLD rows. */
#ifndef VAPL_PRIM_FOLD_H
#define VAPL_PRIM_FOLD_H
#include "fold.h"
#include "prim.h"

/* What the monoid folds, and what its result stands for. */
typedef enum fold_over {
  OVER_VALUES,      /* the elements; the result is the fold's */
  OVER_ALTERNATING, /* every second element negative */
  OVER_PARITY,      /* truth values, summed: is the sum odd */
  OVER_EVENNESS     /* likewise, but for as many negations as there are steps */
} fold_over;

typedef struct fold_row {
  prim p;
  cls on; /* the class in which it folds */
  kfold monoid;
  cls result;
  fold_over over;
} fold_row;

/* The fold of p on arguments of a class: the narrowest row that holds them, or NULL. */
const fold_row *fold_of(prim p, cls on);
/* The identity of p, what a reduction of an empty axis gives; false if it has none. */
bool fold_identity_of(prim p, double *v);
#endif
