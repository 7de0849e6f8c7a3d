/* SPDX-License-Identifier: MIT */
/* oper.h - the operators: what a function derived by one does, and what the operators' files
 * show each other. tables/oper.def says which function calls which operator. */
#ifndef VAPL_EVAL_OPER_H
#define VAPL_EVAL_OPER_H
#include "../run/call.h"

/* The derived function f called, as call() has it. */
bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r);

/* ── among the operators ────────────────────────────────────────────────────────────── */

/* What calls a derived function: f->l and f->r are its operands, x is NULL in a monadic call,
 * *r if there is no result. */
typedef bool oper_function(vm *v, fn *f, arr *x, arr *y, arr **r);
#define OPER(id, code, glyph, name, valence, operands, call, help) oper_function call;
#include "../../tables/oper.def"
#include "../value/vm.h"

arr *each_call(vm *v, fn *f, arr *x, arr *y);         /* x f¨ y; x may be NULL */
arr *rank_call(vm *v, fn *f, arr *k, arr *x, arr *y); /* x (f⍤k) y */
arr *power_times(vm *v, fn *f, int64_t n, arr *x,
                 arr *y);                              /* x (f⍣n) y; n < 0: inverses */
arr *at_put(vm *v, arr *y, int n, arr **at, arr *new); /* y with `new` at y[at] */

/* reduce.c */
/* The fold of `n` items of y, `stride` apart, the first at `at`. */
arr *reduce_line(vm *v, fn *f, arr *y, int64_t at, int64_t stride, int64_t n);
arr *reduce_identity(vm *v, fn *f, arr *y); /* of no items of y, as an item */
/* x f y, f being a product; digits: prim_factors */
arr *inner_with(vm *v, const fn *f, arr *x, arr *y, uint8_t digits);
arr *reduce_with(vm *v, fn *f, arr *y, int axis); /* f/[axis] y */
/* n_wise.c: x f/[axis] y; strict: FOLD_STRICT */
arr *n_wise(vm *v, fn *f, arr *x, arr *y, int axis, bool strict);

/* ── inverse.c: f⍣¯1 is the z for which f z, or x f z, is y. What has no inverse here, dfns among them, is a DOMAIN
 * ERROR. ── */

arr *undo(vm *v, fn *f, arr *x, arr *y); /* of any function; x may be NULL */

/* inverse_prim.c: of primitives, perhaps with an axis */
arr *undo_prim(vm *v, prim p, arr *axis, arr *x, arr *y);
arr *undo_prim_left(vm *v, prim p, arr *a, arr *y); /* z p a is y */
/* inverse_search.c: of a fork of functions on numbers, by trial */
arr *undo_by_search(vm *v, fn *f, arr *x, arr *y);
arr *no_inverse(vm *v); /* DOMAIN ERROR; NULL */
/* x p y; both consumed, NULL if one of them is NULL. */
arr *prim2_owned(vm *v, prim p, arr *x, arr *y);
bool arrays_match(vm *v, arr *a, arr *b); /* either may be NULL */
#endif
