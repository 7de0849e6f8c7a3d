/* SPDX-License-Identifier: MIT */
/* map.h - primitives in parts, as the table of functions (ir/cuts.h) has them. */
#ifndef VAPL_DIST_MAP_H
#define VAPL_DIST_MAP_H
#include "part.h"

arr *map_monadic(const ir_call *call, prim f, arr *y);
arr *map_dyadic(const ir_call *call, prim f, arr *x, arr *y);
arr *map_convert(const ir_call *call, arr *y, elt t);
arr *map_numbers(const ir_call *call, int64_t first, int64_t n);

/* f/ or f\, or those of a function of two scalars. */
typedef struct fold_call {
  prim f;
  const ir_function *fn; /* NULL: f */
  bool scan;
} fold_call;
arr *fold_here(const ir_call *call, const fold_call *of, arr *y, int axis);
/* Along another axis than the first: every rank folds its rows' lines. */
arr *map_fold(const ir_call *call, const fold_call *of, arr *y, int axis);
/* x⍳y of a few y (place.c). */
arr *place_of_few(const ir_call *call, arr *x, arr *y);
/* x∊y, x⍳y of a cut y or x, in which a shorter array that is the same everywhere is sought. Likewise. */
arr *place_of_short(const ir_call *call, prim f, arr *x, arr *y);
#endif
