/* SPDX-License-Identifier: MIT */
/* counted.h - whole numbers, or characters, of a small range in order, by counting. */
#ifndef VAPL_PRIM_COUNTED_H
#define VAPL_PRIM_COUNTED_H
#include "direct.h"

/* of[k], k < n, grows by how often lo + k is in y; false after an error. */
bool count_each(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of);
/* ⍋y or ⍒y (`down`), and y in that order, of a vector that is not empty. Both return NULL, with no
 * error, if its range is not small. */
arr *counted_try_order(prim_env *e, const arr *y, bool down);
arr *counted_try_values(ctx *c, const arr *y, bool down);
/* The elements of the vector y, of which number i belongs to group of[i], from 0 to n - 1, by groups
 * one behind the other. Returns NULL, with no error, if there are too many groups, or elements of no whole
 * bytes. */
arr *counted_try_groups(ctx *c, const arr *of, int64_t n, const arr *y);
#endif
