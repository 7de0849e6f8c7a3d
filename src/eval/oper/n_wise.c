/* SPDX-License-Identifier: MIT */
/* n_wise.c - n f/ y: the reduction of every window of n neighbours.
 *
 * The windows of a place in all lines at once are slices of y, each shifted by one: n of them
 * are reduced as whole arrays, so that a scalar primitive runs over long arrays and fuses. */
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../run/primitive.h"
#include "../value/arg.h"
#include "oper.h"

static arr *range_of(vm *v, int64_t from, int64_t n) {
  arr *a = arr_vec(v->c, elt_for_range(from, from + n), n);
  for (int64_t i = 0; a && i < n; i++) arr_put_int(a, i, from + i);
  return a;
}

/* n elements of the vector y from `from` on, which the graph can make lazily. */
static arr *slice_vector(vm *v, arr *y, int64_t from, int64_t n) {
  OWNED arr *drop = arr_int(v->c, from);
  OWNED arr *take = arr_int(v->c, n);
  OWNED arr *rest = prim2(v, P_DROP, drop, y);
  return prim2(v, P_TAKE, take, rest);
}

/* n elements of y from `from` on, along the axis. */
static arr *slice(vm *v, arr *y, int axis, int64_t from, int64_t n) {
  if (y->rank == 1) return slice_vector(v, y, from, n);
  arr *at[ARR_MAX_RANK] = {NULL};
  OWNED arr *range = range_of(v, from + v->sv->io, n);
  at[axis] = range;
  if (!range) return NULL;
  return index_of(v, y, y->rank, at);
}

/* x f¨ y or, for what pervades, x f y. */
static arr *between(vm *v, fn *f, arr *x, arr *y) {
  if (fn_is_scalar(f, true)) return prim2(v, (prim)f->prim, x, y);
  return each_call(v, f, x, y);
}

static arr *windows(vm *v, fn *f, arr *y, int axis, int64_t n) {
  int64_t size = n < 0 ? -n : n, len = y->shape[axis] - size + 1;
  int64_t from = 0, step = 1; /* reversed windows begin at their first element */
  if (n > 0) {
    from = n - 1;
    step = -1;
  }
  arr *r = slice(v, y, axis, from, len);
  for (int64_t k = 1; k < size && r; k++) {
    from += step;
    OWNED arr *right = r, *left = slice(v, y, axis, from, len);
    r = NULL;
    if (left) r = between(v, f, left, right);
  }
  return r;
}

/* Windows of no elements: identities, one more than the axis is long. */
static arr *no_windows(vm *v, fn *f, arr *y, int axis) {
  int64_t shape[ARR_MAX_RANK];
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[axis]++;
  if (!ir_host(v->g, y)) return NULL;
  OWNED arr *id = reduce_identity(v, f, y);
  if (!id) return NULL;
  OWNED arr *one = arr_enclose(v->c, id);
  if (!one) return NULL;
  OWNED arr *to = arr_int_vec(v->c, y->rank, shape);
  return prim2(v, P_RHO, to, one);
}

/* The window's length, negative to have the windows reversed. */
static bool window_length(vm *v, arr *x, const arr *y, int64_t *n) {
  if (x->rank > 1)
    return err_set(v->c, ERR_RANK, "the window's length must be one number");
  if (!arg_int(v, x, n, "the window's length")) return false;
  return y->rank || err_set(v->c, ERR_RANK, "a scalar has no windows");
}

arr *n_wise(vm *v, fn *f, arr *x, arr *y, int axis) {
  int64_t n;
  if (!window_length(v, x, y, &n)) return NULL;
  int64_t len = y->shape[axis];
  if (n > len + 1 || n < -len - 1)
    return err_null(v->c, ERR_LENGTH, "windows of %lld do not fit into %lld",
                    (long long)n, (long long)len);
  if (!n) return no_windows(v, f, y, axis);
  if (n > len || n < -len) return slice(v, y, axis, 0, 0);
  return windows(v, f, y, axis, n);
}
