/* SPDX-License-Identifier: MIT */
/* oper.h - the operators: what a function derived by one does. */
#ifndef VAPL_EVAL_OPER_H
#define VAPL_EVAL_OPER_H
#include "../run/call.h"

/* The derived function f called, as call() has it. */
bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r);

/* ── among the operators ────────────────────────────────────────────────────────────── */

arr *each_call(vm *v, fn *f, arr *x, arr *y); /* x f¨ y; x may be NULL */
/* fold.c */
arr *fold_call(vm *v, fn *f, arr *x, arr *y);   /* / ⌿ \ ⍀ derived */
arr *fold_with(vm *v, fn *g, arr *y, int axis); /* g/[axis] y */
/* inverse.c: x (f⍣n) y; n negative: inverses */
arr *power_times(vm *v, fn *f, int64_t n, arr *x, arr *y);
/* cells.c */
arr *rank_call(vm *v, fn *f, arr *k, arr *x, arr *y);  /* x (f⍤k) y */
arr *key_call(vm *v, fn *f, arr *x, arr *y);           /* x f⌸ y */
arr *stencil_call(vm *v, fn *f, arr *g, arr *y);       /* f⌺g y */
arr *at_call(vm *v, value f, value g, arr *x, arr *y); /* x (f@g) y */

/* Results that are gathered one by one. */
typedef struct pile {
  arr **at;
  int64_t n;
} pile;
bool pile_new(vm *v, pile *s, int64_t n);
/* Takes a over; false if it is NULL, or on an interrupt. */
bool pile_add(vm *v, pile *s, arr *a);
arr *pile_end(vm *v, pile *s, bool ok, int rank, const int64_t *shape); /* frees s */
#endif
