/* SPDX-License-Identifier: MIT */
/* fold_fn.c - see scalar_fn.h: what scalar_fn.c can tell of the function decides. */
#include "scalar_fn.h"
#include "../bind/variant.h"
#include "../value/items.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"

/* Lines of several numbers each, and such lines. */
static bool has_lines(const arr *y, int axis) {
  if (!y->rank || is_nested(y) || elt_is_char((elt)y->type)) return false;
  return y->count > 0 && y->shape[axis] > 1;
}

static bool is_monoid(prim p, const arr *y) {
  const fold_row *f = fold_of(p, cls_of((elt)y->type));
  return f && f->over == OVER_VALUES;
}

bool order_shows(const fn *f, const arr *y) {
  if (!fn_is_scalar(f, true) || !elt_is_int((elt)y->type)) return true;
  const fold_row *row = fold_of((prim)f->prim, cls_of((elt)y->type));
  return !row || row->monoid == KF_MUL;
}

arr *fold_by_kernel(vm *v, fn *f, arr *y, int axis, bool scan, int options) {
  scalar_fn s;
  prim p;
  if (!has_lines(y, axis) || !scalar_fn_of(v, f, &s) || !scalar_fn_fits(&s, y))
    return NULL;
  ir_call at = call_of(v);
  bool forward = scan && options & FOLD_FORWARD;
  if (kexpr_is_prim(&s.e, &p) && (!options || is_monoid(p, y)))
    return scan ? ir_scan(&at, p, y, axis) : ir_reduce(&at, p, y, axis);
  ir_function to = {.e = &s.e, .param = s.param};
  to.forward = forward;
  to.assoc = options & FOLD_ASSOC;
  return ir_fold_function(&at, &to, y, axis, scan);
}

arr *states_by_kernel(vm *v, fn *f, arr *y) {
  scalar_fn s;
  if (y->rank != 1 || !has_lines(y, 0) || !scalar_fn_of_states(v, f, &s) ||
      !scalar_fn_fits(&s, y))
    return NULL;
  OWNED arr *z = prim1(v, P_REVERSE, y);
  if (!z) return NULL;
  ir_call at = call_of(v);
  ir_function to = {.e = &s.e, .param = s.param, .forward = true};
  OWNED arr *states = ir_fold_function(&at, &to, z, 0, true);
  if (!states) return NULL;
  OWNED arr *last_first = prim1(v, P_REVERSE, states);
  return last_first ? prim1(v, P_ENCLOSE, last_first) : NULL;
}
