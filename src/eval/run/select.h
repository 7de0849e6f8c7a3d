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

/* Numbers the places of x; those in its items too, if deep_too. */
bool positions_new(positions *s, vm *v, env *e, arr *x, bool deep_too);
/* The same for select_from, which numbers the places of x, or of the item that a pick next to the name
 * picks from x: that is `path`, then, and the item is the target. */
void positions_of(positions *s, vm *v, env *e, arr *x);
void positions_free(positions *s); /* also after positions_new failed, or of zeros */
#define OWNED_POSITIONS __attribute__((cleanup(positions_free)))
static inline arr *positions_root(const positions *s) { return s->arrays.at[0].numbers; }

/* The positions that the expression selects; *whole: as one item, by ⊃. */
arr *select_from(positions *s, const bnode *b, bool *whole);
/* What indexing selected, not to stand for any position as a whole; consumes r, NULL stays
 * NULL. */
arr *select_parts(const positions *s, arr *r);
/* Are the target a simple array and its positions `to`, which are on the host, numbers, none of them a
 * fill, and may f, if there is one, go to them in any order? */
bool positions_scatter(const positions *s, const arr *to, const fn *f);
/* The target with val, or old f val, given to the positions `to`. */
arr *positions_give(positions *s, arr *to, bool whole, fn *f, arr *val);
/* flat[to]←flat[to] f val for a scalar f; `to`, from 1, may name places again: one value after the
 * other then. Vectors all. */
bool put_by_turns(vm *v, arr **flat, arr *to, fn *f, arr *val);
#endif
