/* SPDX-License-Identifier: MIT */
/* fold_fn.c - see fold_fn.h: what scalar_fn.c can tell of the function decides. */
#include "fold_fn.h"
#include "../../array/element.h"
#include "../../array/view.h"
#include "../bind/variant.h"
#include "../value/items.h"
#include "../run/primitive.h"
#include "scalar_fn.h"

/* Lines of several numbers each, and such lines. */
static bool has_lines(const arr *y, int axis) {
  if (!y->rank || is_nested(y) || elt_is_char((elt)y->type)) return false;
  return y->count > 0 && y->shape[axis] > 1;
}

arr *fold_by_kernel(vm *v, fn *f, arr *y, int axis, bool scan, int options) {
  scalar_fn s;
  prim p;
  if (f->kind == F_PRIM || options || !has_lines(y, axis)) return NULL;
  if (!scalar_fn_of(v, f, &s) || !kexpr_is_prim(&s.e, &p)) return NULL;
  ir_call at = call_of(v);
  return scan ? ir_scan(&at, p, y, axis) : ir_reduce(&at, p, y, axis);
}
