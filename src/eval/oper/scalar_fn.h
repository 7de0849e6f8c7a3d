/* SPDX-License-Identifier: MIT */
/* scalar_fn.h - functions of two scalars told from their definition, for / and \ to fold
 * by kernels, for ¨ ⍤ ∘. to map. */
#ifndef VAPL_EVAL_SCALAR_FN_H
#define VAPL_EVAL_SCALAR_FN_H
#include "../../kir/expr.h"
#include "../value/vm.h"

typedef struct scalar_fn {
  kexpr e;
  kimm param[KEXPR_PARAMS];
} scalar_fn;

/* What x f y is for simple scalars, under the variables in force, told without running f.
 * False: that cannot be told, or an error is recorded (memory, an interrupt). */
bool scalar_fn_of(vm *v, fn *f, scalar_fn *r);
/* Are its numbers such as stand beside a's elements? One beyond f32 beside those of f32 is an
 * error, which a call finds. */
bool scalar_fn_fits(const scalar_fn *r, const arr *a);
/* Likewise x f y, or f y, for maps: with loops. COMPLEX: f of the complex number of a real part,
 * the left element, and an imaginary one. */
typedef enum scalar_args { SCALAR_MONADIC, SCALAR_DYADIC, SCALAR_COMPLEX } scalar_args;
bool scalar_map_of(vm *v, fn *f, scalar_args args, scalar_fn *r);
bool scalar_calls_itself(const tnode *t); /* a dfn, by ∇ */
/* Is the dfn f {(… ⍺ … ⊃⍵),⍵}, whose reduction has all states of a forward scan, the last
 * one first? Then *r is what it makes of ⍺ and the state before, ⊃⍵. */
bool scalar_fn_of_states(vm *v, fn *f, scalar_fn *r);

/* ── fold_fn.c: f/ and f\ of those that are no primitives, by kernels ── */

/* f/[axis] y or f\[axis] y, f being no scalar primitive; options: FOLD_… of
 * bind/variant.h. NULL without an error: it is to be done item by item. */
arr *fold_by_kernel(vm *v, fn *f, arr *y, int axis, bool scan, int options);
/* May f/ y depend on the order in which it is done? Not of integers whose result is exact. */
bool order_shows(const fn *f, const arr *y);
/* f/ y of a dfn {(… ⍺ … ⊃⍵),⍵}, y being a vector: the states of a forward scan of ⌽y, the
 * last one first, enclosed. NULL without an error: it is none such, or to be done item by
 * item. */
arr *states_by_kernel(vm *v, fn *f, arr *y);
#endif
