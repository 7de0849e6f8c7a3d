/* SPDX-License-Identifier: MIT */
/* axis.c - functions with an axis in brackets: f[k] y and x f[k] y. */
#include "axis.h"
#include "struct.h"
#include "../base/arith.h"
#include "../array/element.h"
#include "../array/match.h"

#include <math.h>

static arr *no_axis(prim_env *e) {
  return fail(e, ERR_SYNTAX, "the function takes no axis");
}

/* The axis of x,[axis]y, from 0; false after an error. */
static bool join_place(prim_env *e, const arr *axis, double *at) {
  if (axis->count != 1) return err_set(e->c, ERR_LENGTH, "the axis must be one number");
  OWNED arr *one = arr_scalar_at(e->c, axis, 0);
  if (!one) return false;
  if (!elt_is_num((elt)one->type) || one->type == ET_C128)
    return err_set(e->c, ERR_DOMAIN, "the axis must be a number");
  *at = arr_get_float(one, 0) - e->io;
  return true;
}

/* x,[axis]y: a whole number joins along that axis, a fraction makes a new one there. */
static bool move_join(prim_env *e, const arr *x, const arr *y, const arr *axis, view *v) {
  int rank = (int)max_i64(x->rank, y->rank);
  double at = 0;
  if (!join_place(e, axis, &at)) return false;
  double whole = rint(at);
  if (num_equal(at, whole, e->ct)) {
    if (whole < 0 || whole >= rank)
      return err_set(e->c, ERR_RANK, "there is no such axis");
    return move_catenate(e, x, y, (int)whole, v);
  }
  if (!(at > -1 && at < rank))
    return err_set(e->c, ERR_RANK, "there is no place for that axis");
  return move_laminate(e, x, y, (int)ceil(at), v);
}

/* The axes for x↑[axis]y and the like: one for each element of x. */
static bool axes_for(prim_env *e, const arr *x, const arr *axis, int rank, int *k) {
  if (x->rank > 1) return err_set(e->c, ERR_RANK, "the left argument must be a vector");
  int n = axes_of(e, axis, rank, k);
  if (n < 0) return false;
  return n == x->count ||
         err_set(e->c, ERR_LENGTH, "the left argument has %lld elements for %d axes",
                 (long long)x->count, n);
}

bool move_has_axis(prim f, const arr *x) {
  switch (f) {
  case P_COMMA: return true;
  case P_REVERSE:
  case P_REVERSE1: return !x || is_scalar_like(x);
  case P_COMMA1:
  case P_TAKE:
  case P_DROP: return x != NULL;
  default: return false;
  }
}

bool move_along(prim_env *e, prim f, const arr *x, const arr *y, arr *axis, view *v) {
  int k[ARR_MAX_RANK];
  if (f == P_COMMA && !x) return move_ravel_axes(e, y, axis, v);
  if (f == P_COMMA || f == P_COMMA1) return move_join(e, x, y, axis, v);
  if (f == P_TAKE || f == P_DROP) {
    if (!axes_for(e, x, axis, y->rank, k)) return false;
    if (f == P_TAKE) return move_take(e, x, y, (int)x->count, k, v);
    return move_drop(e, x, y, (int)x->count, k, v);
  }
  if (!prim_axis(e, axis, y, k)) return false;
  return x ? move_rotate(e, x, y, k[0], v) : move_reverse(e, y, k[0], v);
}

static arr *moved(prim_env *e, prim f, arr *x, arr *y, arr *axis) {
  bool joins = x && (f == P_COMMA || f == P_COMMA1);
  view v;
  if (!move_along(e, f, x, y, axis, &v)) return NULL;
  return view_copy(e->c, &v, (arr *[]){joins ? x : y, y});
}

arr *prim_monadic_axis(prim_env *e, prim f, arr *y, arr *axis) {
  int k[ARR_MAX_RANK], n;
  if (move_has_axis(f, NULL)) return moved(e, f, NULL, y, axis);
  switch (f) {
  case P_TAKE: return mix_axis(e, y, axis);
  case P_DROP:
    if (!prim_axis(e, axis, y, k)) return NULL;
    return enclose_axes(e, y, 1, k);
  case P_ENCLOSE:
    n = axes_of(e, axis, y->rank, k);
    if (n < 0) return NULL;
    return enclose_axes(e, y, n, k);
  default: return no_axis(e);
  }
}

/* The functions that take one axis. */
static arr *along_axis(prim_env *e, prim f, arr *x, arr *y, int k) {
  if (f == P_ENCLOSE) return partition_axis(e, x, y, k);
  if (f == P_NEST) return nest_axis(e, x, y, k);
  return rotate_axis(e, x, y, k);
}

arr *prim_dyadic_axis(prim_env *e, prim f, arr *x, arr *y, arr *axis) {
  int k[ARR_MAX_RANK];
  if (move_has_axis(f, x)) return moved(e, f, x, y, axis);
  switch (f) {
  case P_SQUAD:
    if (!axes_for(e, x, axis, y->rank, k)) return NULL;
    return squad_axes(e, x, y, (int)x->count, k);
  case P_REVERSE:
  case P_REVERSE1:
  case P_ENCLOSE:
  case P_NEST:
    if (!prim_axis(e, axis, y, k)) return NULL;
    return along_axis(e, f, x, y, k[0]);
  default: return no_axis(e);
  }
}

bool prim_scalar_axes(prim_env *e, const arr *x, const arr *y, arr *axis, int *k) {
  const arr *low = y, *high = x;
  if (x->rank < y->rank) {
    low = x;
    high = y;
  }
  int n = axes_of(e, axis, high->rank, k);
  if (n < 0) return false;
  if (n != low->rank)
    return err_set(e->c, ERR_RANK, "one axis is needed for each of the lower rank");
  for (int i = 0; i < n; i++)
    if (low->shape[i] != high->shape[k[i]])
      return err_set(e->c, ERR_LENGTH, "the lengths differ along these axes");
  return true;
}
