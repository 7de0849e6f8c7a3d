/* SPDX-License-Identifier: MIT */
/* order.h - sorting, shared by the grades and the searches. */
#ifndef VAPL_PRIM_ORDER_H
#define VAPL_PRIM_ORDER_H
#include "struct.h"

typedef struct sort_item {
  uint64_t key;
  int64_t at;
} sort_item;

/* Sorts by key, stably; `spare` has room for n too. */
void sort_items(sort_item *item, sort_item *spare, int64_t n);
uint64_t sort_key_int(int64_t v);
uint64_t sort_key_float(double v); /* -0 as 0; NaNs alike, behind infinity */
#endif
