/* SPDX-License-Identifier: MIT */
/* items.h - arrays made of items, and items taken from arrays. */
#ifndef VAPL_EVAL_ITEMS_H
#define VAPL_EVAL_ITEMS_H
#include "vm.h"

static inline bool is_nested(const arr *a) { return a->type == ET_NEST; }
static inline bool is_simple_scalar(const arr *a) { return !a->rank && !is_nested(a); }
arr *item_at(vm *v, arr *a, int64_t i); /* the item itself, owned, wherever it is */

/* Items to an array: simple if all are simple scalars. Takes the items' references over. */
arr *collect(vm *v, arr **items, int rank, const int64_t *shape);
/* The empty array of that shape whose items would look like `like`. */
arr *collect_none(vm *v, arr *like, int rank, const int64_t *shape);
/* n arrays as a vector; takes them over. If one of them is NULL, so is the result. */
arr *items_of(vm *v, int64_t n, arr **items);
arr *items_pair(vm *v, arr *x, arr *y); /* x y as a nested vector; takes both over */

typedef struct arr_list { /* items that are gathered one by one; owned */
  vm *v;
  arr **at;
  size_t n, cap;
} arr_list;
bool list_add(arr_list *l, arr *a); /* takes a over; false if it is NULL */
arr *list_array(arr_list *l);       /* the items as a vector; the list is empty then */
void list_free(arr_list *l);
#define OWNED_LIST __attribute__((cleanup(list_free)))

/* The array of numeric literals, a scalar if n is 1. */
arr *literal_numbers(ctx *c, const tnum *num, int64_t n);
arr *str_take(vm *v, str *s); /* as a character vector; frees s */
#endif
