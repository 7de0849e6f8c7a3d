/* SPDX-License-Identifier: MIT */
/* cells.h - the loop over parts of arguments, for the operators that call their operand part
 * by part.
 *
 *      cells of x ──┐
 *                   ├─▶ call ─▶ results ─▶ results_array: the results become items
 *      cells of y ──┘                      results_mix: they become cells, filled up
 *
 * `cells` say what the i-th call takes of one argument: an item, a cell of some rank, a group
 * of cells, a window. `results` is the result vector: it gathers what the calls give, in the
 * order of the frame. call_cells (each.c) is the loop between them; an operator whose calls
 * depend on each other writes its own loop with the same two ends.
 *
 * Where the frame is empty there is nothing to call the operand for. It is then called once,
 * with cells of fills, and the shape and type of that result decide what the empty result
 * looks like. */
#ifndef VAPL_OPER_CELLS_H
#define VAPL_OPER_CELLS_H
#include "../value/vm.h"

enum { CELL_OF_FILLS = -1 }; /* in the place of a cell's number */

typedef struct cells cells;
struct cells {
  /* Makes cell i; owned, NULL after an error. */
  arr *(*make)(vm *v, const cells *c, int64_t i);
  arr *of;         /* what is taken apart, on the host; borrowed */
  const void *how; /* what else `make` must know: groups, windows */
  int rank;        /* of its cells */
  bool keep_first; /* a cell of fills is the first item as it is, if there is one */
  int64_t count;   /* cells */
  int64_t repeat;  /* calls in a row that take the same one */
  arr *now;        /* the cell in use */
  int64_t next;    /* the cell after it */
  int64_t left;    /* more calls that take the one in use */
};

cells cells_items(arr *a);             /* one for each item */
cells cells_of_rank(arr *a, int rank); /* cells of that rank, 0 to a's */

/* The rank of the cells that ⍤'s operand k asks for in an argument of that rank. */
enum { RANK_MONADIC, RANK_LEFT, RANK_RIGHT };
bool cells_rank(vm *v, arr *k, int which, int rank, int *cell);

/* What the next call takes, the first cell again after the last: borrowed, there until it is
 * asked for another one. */
arr *cells_advance(vm *v, cells *c);
static inline arr *cells_next(vm *v, cells *c) {
  if (!c->left) return cells_advance(v, c);
  c->left--;
  return c->now;
}
/* The same, owned: a number without an array, if the cell is an element that is one. */
value cells_value(vm *v, cells *c);
arr *cells_fills(vm *v, cells *c); /* likewise a cell of fills */
/* Fills as f is called with them to see what its results would look like, owned: no element meets a
 * scalar function, or what is derived from one, so its arguments are numbers. */
arr *fills_for(vm *v, const fn *f, bool dyadic, arr *fills);
void cells_close(cells *c);
arr *item_of_fills(vm *v, const arr *a); /* as the items of a would be, if it had any */
#define OWNED_CELLS __attribute__((cleanup(cells_close))) cells

typedef struct results { /* the result vector */
  vm *v;
  union {
    arr **at;        /* owned; NULL: there was no memory for it */
    prim_bits *bits; /* of numbers */
  };
  cls numbers; /* the results so far are numbers of that class; CLS_NONE: arrays */
  int64_t n, want;
  int rank; /* of the frame */
  int64_t shape[ARR_MAX_RANK];
  bool of_fills;    /* the frame is empty: one result, of cells of fills */
  bool may_be_none; /* calls need not give results, but then none of them may */
  bool none;        /* they gave none */
} results;

/* For a frame of that shape; after an error it wants no results. */
results results_open(vm *v, int rank, const int64_t *shape);
/* Consumes a; false if it is NULL, or on an interrupt. */
static inline bool results_add(results *s, arr *a) {
  if (!a) return false;
  s->at[s->n++] = a;
  return !interrupted(s->v->c);
}
/* The same of a value, which is some; numbers of one class stay numbers. */
bool results_put(results *s, value x);
/* Once all results are there: they become the items of an array of the frame's shape, or its
 * cells, filled up where they differ. NULL where results_open failed. */
arr *results_array(results *s);
arr *results_mix(results *s);
void results_close(results *s);
#define OWNED_RESULTS __attribute__((cleanup(results_close))) results

/* each.c: x f y for every pair of cells, x NULL: f y. */
bool call_cells(vm *v, fn *f, cells *x, cells *y, results *to);
#endif
