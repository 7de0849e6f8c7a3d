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
  OWNED arr *rest = drop && take ? prim2(v, P_DROP, drop, y) : NULL;
  return rest ? prim2(v, P_TAKE, take, rest) : NULL;
}

/* n elements of y from `from` on, along the axis. */
static arr *slice(vm *v, arr *y, int axis, int64_t from, int64_t n) {
  if (y->rank == 1) return slice_vector(v, y, from, n);
  arr *at[ARR_MAX_RANK] = {NULL};
  OWNED arr *range = range_of(v, from + v->sv->io, n);
  at[axis] = range;
  return range ? index_of(v, y, y->rank, at) : NULL;
}

/* x f¨ y or, for what pervades, x f y. */
static arr *between(vm *v, fn *f, arr *x, arr *y) {
  if (fn_is_scalar(f, true)) return prim2(v, (prim)f->prim, x, y);
  return each_call(v, f, x, y);
}

static arr *windows(vm *v, fn *f, arr *y, int axis, int64_t n, bool reversed) {
  int64_t len = y->shape[axis] - n + 1;
  arr *r = slice(v, y, axis, reversed ? 0 : n - 1, len);
  for (int64_t k = 1; k < n && r; k++) {
    OWNED arr *right = r, *left = slice(v, y, axis, reversed ? k : n - 1 - k, len);
    r = left ? between(v, f, left, right) : NULL;
  }
  return r;
}

/* Windows of no elements: identities, one more than the axis is long. */
static arr *no_windows(vm *v, fn *f, arr *y, int axis) {
  int64_t shape[ARR_MAX_RANK];
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[axis]++;
  OWNED arr *id = ir_host(v->g, y) ? fold_identity(v, f, y) : NULL;
  OWNED arr *one = id ? arr_enclose(v->c, id) : NULL;
  OWNED arr *to = one ? arr_int_vec(v->c, y->rank, shape) : NULL;
  return to ? prim2(v, P_RHO, to, one) : NULL;
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
  if (n > len + 1 || n < -len - 1) {
    err_set(v->c, ERR_LENGTH, "windows of %lld do not fit into %lld", (long long)n,
            (long long)len);
    return NULL;
  }
  int64_t size = n < 0 ? -n : n;
  if (!size) return no_windows(v, f, y, axis);
  if (size == len + 1) return slice(v, y, axis, 0, 0);
  return windows(v, f, y, axis, size, n < 0);
}
