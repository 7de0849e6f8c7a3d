/* SPDX-License-Identifier: MIT */
/* sort_keys.h - elements in order: sorting by 64-bit keys (sort_keys.c), and the total order of
 * arrays (compare.c). Grades, searches and ⍸ are made of these. */
#ifndef VAPL_PRIM_ORDER_H
#define VAPL_PRIM_ORDER_H
#include "direct.h"

#include <string.h>

/* ── sort_keys.c ────────────────────────────────────────────────────────────────────────── */

typedef struct sort_item {
  uint64_t key;
  int64_t at; /* the position that the key belongs to */
} sort_item;

/* n positions with their keys, and room for as many while they are sorted. */
typedef struct sort_list {
  ctx *c;
  sort_item *item, *spare;
  int64_t n;
} sort_list;
bool sort_new(ctx *c, int64_t n, sort_list *s); /* uninitialised; false after WS FULL */
void sort_free(sort_list *s);

/* The positions 0 to n-1, with key 0. */
bool sort_positions(sort_list *s); /* false after INTERRUPT */
/* The positions of a's n elements in their order, or in the reverse one (`down`); equal
 * ones in the order of their positions. a is simple; integers or characters if `whole`,
 * else its elements are taken as floats. The spare room is freed. False after INTERRUPT. */
bool sort_elements(sort_list *s, const arr *a, bool whole, bool down);
/* The positions alone, from io on, of whole numbers or characters that differ in 32
 * bits at most. Returns NULL after an error, and with no error if a has others, or
 * few. */
arr *sort_places(ctx *c, const arr *a, bool down, int io);
/* The elements themselves in order, of a vector of whole numbers, characters or
 * doubles. Returns NULL after an error, and with no error if not applicable: other
 * types, few elements of less than 32 bits, or doubles that are equal but differ in
 * bits. */
arr *sort_values(ctx *c, arr *a, bool down);
/* Is a simple, of real numbers or characters; are these whole numbers or characters? */
static inline bool sort_has_keys(const arr *a) {
  return a->type != ET_NEST && a->type != ET_C128;
}
static inline bool sort_is_whole(const arr *a) {
  return elt_is_int((elt)a->type) || elt_is_char((elt)a->type);
}
/* The keys of m elements of a from i on, SC_BLOCK at most. */
void sort_keys(const arr *a, int64_t i, int64_t m, bool whole, uint64_t *key);
uint64_t sort_key_float(double v); /* -0 as 0; NaNs alike, behind infinity */
static inline double sort_key_value(uint64_t key) { /* and back */
  double v;
  uint64_t sign = (uint64_t)1 << 63, bits = ~key;
  if (key & sign) bits = key ^ sign;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* ── compare.c ──────────────────────────────────────────────────────────────────────── */

/* Cells of x and y, of `size` elements each, to be compared. `why` says why that is not
 * known, if it is not: what compare_cells gives is of no use then. */
typedef enum undecided { DECIDED, TOO_DEEP, NO_ORDER } undecided;
typedef struct cell_pair {
  const arr *x, *y;
  int64_t size;
  undecided why;
} cell_pair;
/* Cell i of x against cell j of y in the total order of arrays: less than 0, 0 or
 * more. */
int compare_cells(cell_pair *p, int64_t i, int64_t j);
/* The error of two elements that could not be compared; always NULL. (grade.c) */
arr *sort_no_order(prim_env *e, undecided why);
#endif
