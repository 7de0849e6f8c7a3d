/* SPDX-License-Identifier: MIT */
/* items.h - arrays made of items, and items taken from arrays. */
#ifndef VAPL_EVAL_ITEMS_H
#define VAPL_EVAL_ITEMS_H
#include "vm.h"

static inline bool is_nested(const arr *a) { return !a->node && a->type == ET_NEST; }
arr *item_at(vm *v, arr *a, int64_t i); /* the item itself, owned */

/* Items to an array: simple if all are simple scalars. Takes the items' references over. */
arr *collect(vm *v, arr **items, int rank, const int64_t *shape);
/* The empty array of that shape whose items would look like `like`. */
arr *collect_none(vm *v, arr *like, int rank, const int64_t *shape);
/* n arrays as a vector; takes them over. If one of them is NULL, so is the result. */
arr *items_of(vm *v, int64_t n, arr **items);
arr *items_pair(vm *v, arr *x, arr *y); /* x y as a nested vector; takes both over */

/* Items that are gathered one by one: list_add takes a over, NULL is a failure; list_end frees
 * the list. */
typedef VEC(arr *) arr_list;
bool list_add(vm *v, arr_list *l, arr *a);
arr *list_end(vm *v, arr_list *l, bool ok); /* as a vector; NULL if not ok */

/* The array of numeric literals, a scalar if n is 1. */
arr *literal_numbers(ctx *c, const tnum *num, int64_t n);
arr *str_take(vm *v, str *s); /* as a character vector; frees s */
#endif
