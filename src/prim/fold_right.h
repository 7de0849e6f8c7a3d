/* SPDX-License-Identifier: MIT */
/* fold_right.h - folds from the right, element by element, as the definition has them: what fold_direct.c
 * does where no tree may, or none was wanted. */
#ifndef VAPL_PRIM_FOLD_RIGHT_H
#define VAPL_PRIM_FOLD_RIGHT_H
#include "scalar.h"

/* x f y of elements of one C type, which is the result's, too. */
typedef struct right_fold {
  ctx *c;
  prim f;
  const sc_row *row; /* of f */
  sc_type of;
  sc_state *s; /* the faults found; then the results are invalid */
} right_fold;

/* *to ← f/v, of n ≥ 1 elements. This and the next return false after INTERRUPT. */
bool right_line(const right_fold *z, const void *v, int64_t n, void *to);
/* to[j] ← f/(j+1)↑v. */
bool right_prefixes(const right_fold *z, const void *v, int64_t n, void *to);
/* to[j] ← f/⌽(j+1)↑v: each from the one before it. */
bool right_forward(const right_fold *z, const void *v, int64_t n, void *to);
/* to ← f⌿v, a table of n rows of `inner`. */
bool right_columns(const right_fold *z, const void *v, int64_t n, int64_t inner,
                   void *to);
#endif
