/* SPDX-License-Identifier: MIT */
/* primitive.h - primitives applied to arrays, under the variables in force: by the lazy graph
 * (ir/ir.h), or at once on the host (prim/direct.h) where the arguments are scalars. Nothing
 * here calls back the evaluator. */
#ifndef VAPL_EVAL_PRIMITIVE_H
#define VAPL_EVAL_PRIMITIVE_H
#include "../value/vm.h"

/* What p is at the ⎕ML and ⎕DIV in force. */
prim prim_unusual(const vm *v, prim p, bool dyadic); /* where these are not 1 and 0 */
static inline prim prim_in_force(const vm *v, prim p, bool dyadic) {
  bool usual = v->sv->ml == 1 && !v->sv->div;
  return usual ? p : prim_unusual(v, p, dyadic);
}
/* An argument that is NULL, after an error, gives NULL. */
arr *prim1(vm *v, prim p, arr *y);
arr *prim2(vm *v, prim p, arr *x, arr *y);
/* *r becomes the same of a scalar function on short arguments at hand, one of which is an array with axes; both
 * are borrowed, x may be NULL. `spare` is NULL or one of them that only the caller holds: it may be written over, and
 * then is the result, too. False: they are not short, and nothing has happened. */
bool prim_short(vm *v, prim p, const value *x, const value *y, arr *spare, arr **r);
/* f/ of a short vector at hand; false: it is something else. */
bool prim_fold_short(vm *v, prim p, const arr *y, prim_number *r);
static inline arr *prim_call(vm *v, prim p, arr *x, arr *y) { /* x may be NULL */
  return x ? prim2(v, p, x, y) : prim1(v, p, y);
}
/* f[axis] y, x f[axis] y; x may be NULL. */
arr *prim_axis_call(vm *v, prim p, arr *x, arr *y, arr *axis);
/* x f y, x f[axis] y of one of / ⌿ \ ⍀ as a function; axis may be NULL. */
arr *replicate(vm *v, uint32_t code, arr *axis, arr *x, arr *y);
arr *index_of(vm *v, arr *y, int n, arr *const *at); /* y[…] */
arr *cells_at(vm *v, arr *y, arr *at);       /* y's major cells, at counting from 0 */
arr *replace_leaves(vm *v, arr *y, arr *id); /* y, every simple scalar in it being id */
#endif
