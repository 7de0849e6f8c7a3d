/* SPDX-License-Identifier: MIT */
/* grow.h - arrays that show elements which another array keeps: slices, and what grows. */
#ifndef VAPL_GROW_H
#define VAPL_GROW_H
#include "view.h"

/* The elements of a, which has none, are those of the host array y from number `first` on; its
 * type is y's, which is not that of bits unless first is 0. */
void arr_share(arr *a, arr *y, int64_t first);
/* May n neighbouring elements of y be a slice? Not if they are few, or if a small part
 * would keep a large block alive: an array that is cut repeatedly is copied whenever
 * half of it is gone. */
bool arr_may_slice(const arr *y, int64_t n);
/* v of y as a slice. Returns NULL, with no error, if it must be copied. */
arr *arr_try_slice(ctx *c, const view *v, arr *y);
/* May its elements be written over? Not if it is also on a device, or foreign, or
 * shared. */
bool arr_is_ours(const arr *x);
/* x with the cells of y behind it, or before it, along its first axis, if x is the
 * result of a catenation: over many of them the time is that of copying y. Returns
 * NULL, with no error, if x must be copied. */
arr *arr_try_append(ctx *c, arr *x, arr *y, bool before);
/* The `drop` of an array whose elements are those of drop_user (array.c, which must know it: a
 * nested array's items are then not its own). */
void arr_shared(void *owner, void *data);
static inline bool arr_shows(const arr *a) { return a->drop == arr_shared; }
#endif
