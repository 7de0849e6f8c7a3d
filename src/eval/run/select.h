/* SPDX-License-Identifier: MIT */
/* select.h - the places in an array that a selection names, and values given to them. */
#ifndef VAPL_EVAL_SELECT_H
#define VAPL_EVAL_SELECT_H
#include "eval.h"

typedef struct numbered { /* an array of the target: it, or an item at some depth */
  int64_t base,
      up;       /* its first position; the position that it fills, 0: it is the target */
  arr *x;       /* what it is by now; owned */
  arr *numbers; /* of its positions; owned, so that its address stays its own */
  bool changed;
} numbered;

typedef struct mark { /* which of `arrays` an array of numbers was made for */
  const arr *numbers;
  size_t array;
} mark;

typedef struct positions {
  vm *v;
  env *e;
  int64_t next;
  VEC(numbered) arrays; /* the target first */
  VEC(mark) marks;      /* by address */
  arr *of, *path; /* positions_of: the array; what it picked from there, or NULL; owned */
} positions;

/* For select_from, which numbers the places of x, or of the item that a pick next to the name picks
 * from x: that is `path`, then, and the item is the target. */
void positions_of(positions *s, vm *v, env *e, arr *x);
void positions_free(positions *s); /* also of zeros */
#define OWNED_POSITIONS __attribute__((cleanup(positions_free)))

/* The positions that the expression selects; *whole: as one item, by ⊃. */
arr *select_from(positions *s, const bnode *b, bool *whole);
/* Those of x[at[0];…]. */
arr *select_at(positions *s, const indices *ix);
/* Are all of `to` places of the target, or fills, 0? */
bool positions_plain(const positions *s, const arr *to);
/* The one place of the target that is meant as a whole; 0: there is no such. */
int64_t positions_whole(const positions *s, const arr *to, bool whole);
/* val, or old f val, given to the positions `to`, in copies: *values are those of the target's places
 * *at, in its ravel from 1, or all of it where *at stays NULL. */
bool positions_give(positions *s, arr *to, bool whole, fn *f, arr *val, arr **at,
                    arr **values);
/* Holds the target and its items no longer, so that they can be written over. */
void positions_let_go(positions *s);
/* flat[to]←flat[to] f val for a scalar f; `to`, from 1, may name places again: one value after the
 * other then. Vectors all. */
bool put_by_turns(vm *v, arr **flat, arr *to, fn *f, arr *val);
/* The same value by value, whatever f is, and the elements. */
bool put_in_order(vm *v, arr **flat, arr *to, fn *f, arr *val);
#endif
