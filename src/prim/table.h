/* SPDX-License-Identifier: MIT */
/* table.h - sets of whole numbers, or of characters, of a small range. */
#ifndef VAPL_PRIM_TABLE_H
#define VAPL_PRIM_TABLE_H
#include "direct.h"

/* x⍳y, x∊y (its negation, if not `in`) and ≠y of whole numbers, or of characters. x⍳y and ≠y enter the elements of a
 * vector. All return NULL, with no error, if the elements are others, their range is not small, or they are few. */
arr *table_try_positions(prim_env *e, arr *x, arr *y);
arr *table_try_members(prim_env *e, arr *x, arr *y, bool in);
arr *table_news(prim_env *e, arr *y);

/* ≠y of a vector of numbers or characters by a hash; floats are compared within ct.
 * Returns NULL, with no error, if too many numbers are close together, or if they are
 * few, or if not applicable. (unique_hash.c) */
arr *unique_hash_news(prim_env *e, const arr *y, double ct);
#endif
