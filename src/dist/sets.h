/* SPDX-License-Identifier: MIT */
/* sets.h - searches and different elements in parts, as the table of functions (ir/cuts.h) has them. */
#ifndef VAPL_DIST_SETS_H
#define VAPL_DIST_SETS_H
#include "part.h"

/* x∊y, x⍳y, x⍸y. NULL without an error: it is not for parts. */
arr *sets_search(const ir_call *call, prim f, arr *x, arr *y);
/* x~y, x∩y, x∪y. Likewise. */
arr *sets_combined(const ir_call *call, prim f, arr *x, arr *y);
/* x⍷y. Likewise. */
arr *sets_find(const ir_call *call, arr *x, arr *y);
/* ≠y. Likewise. */
arr *sets_news(const ir_call *call, arr *y);
/* ∪y. Likewise. */
arr *sets_unique(const ir_call *call, arr *y);
#endif
