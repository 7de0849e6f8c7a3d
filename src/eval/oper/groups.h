/* SPDX-License-Identifier: MIT */
/* groups.h - which cells have which key: what ⌸ goes by, on the host or on a device.
 *
 *   keys   different ones, in the order in which they come     a b c
 *   of     for each cell the number of its key, from 0;        0 1 0 2 1      a b a c b
 *          on the host made when asked for
 *   order  the cells by keys, in their order; made when asked  0 2 1 4 3
 *          (of parts, which lie so and have no keys: sizes are all that is given)
 *   sizes  how many cells have each key; made when asked for   2 2 1
 *   pairs  where these lie in that order, made when asked for  0 2  2 4  4 5
 */
#ifndef VAPL_OPER_GROUPS_H
#define VAPL_OPER_GROUPS_H
#include "../value/vm.h"

typedef struct groups {
  int64_t n, count; /* cells; keys */
  arr *cells;       /* whose groups these are, on the host; else NULL */
  arr *keys, *of, *order, *sizes, *pairs;
  bool in_order;  /* the cells lie by groups, one behind the other */
  bool are_parts; /* of ¨: what f gives for each is an item */
  bool empties;   /* some have no cells */
} groups;

void groups_close(groups *g);
#define OWNED_GROUPS __attribute__((cleanup(groups_close))) groups

/* The groups of x's major cells, on the host. */
bool groups_open(vm *v, groups *g, arr *x);
/* Where a device has x, a vector, or a matrix of integers or characters that has columns; false
 * without an error: it is for the host. */
bool groups_open_there(vm *v, groups *g, arr *x);
arr *groups_of(vm *v, groups *g);    /* borrowed; NULL after an error */
arr *groups_sizes(vm *v, groups *g); /* likewise */
arr *groups_order(vm *v, groups *g); /* likewise */
arr *groups_pairs(vm *v, groups *g); /* likewise */
/* Those of group k, or of part k, of what lies so, on the host. */
arr *groups_part(vm *v, const arr *all, const arr *pairs, int64_t k);
/* The cells of y by groups one behind the other. */
arr *groups_elements(vm *v, groups *g, arr *y);
#endif
