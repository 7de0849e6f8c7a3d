/* SPDX-License-Identifier: MIT */
/* table.h - sets of whole numbers, or of characters, of a small range. */
#ifndef VAPL_PRIM_TABLE_H
#define VAPL_PRIM_TABLE_H
#include "direct.h"

/* x⍳y, x∊y (its negation, if not `in`) and ≠y of vectors x⍳ ∊y ≠y, of elements that are both whole
 * numbers or both characters. NULL without an error: the range is not small, or these are few. */
arr *table_positions(prim_env *e, arr *x, arr *y);
arr *table_members(prim_env *e, arr *x, arr *y, bool in);
arr *table_news(prim_env *e, arr *y);
#endif
