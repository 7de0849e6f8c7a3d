/* SPDX-License-Identifier: MIT */
/* fold.c - / ⌿ \ ⍀ derived from a function: reduction, n-wise reduction, scan.
 *
 * A scalar primitive on a simple array is the lazy graph's matter. Everything else is folded
 * here, from the right, by calling the function with one item on each side:
 *
 *   y as outer × n × inner; for each outer and inner: f between the n items of its line
 *
 * A window of n-wise reduction is the fold of n whole slices of y, each shifted by one, so
 * that a scalar primitive runs over whole arrays and fuses. */
#include "internal.h"
#include <string.h>

typedef struct line { int64_t outer, n, inner; } line; /* y cut at an axis */

static line cut(const arr *y, int axis) {
  line l = {1, y->rank ? y->shape[axis] : 1, 1};
  for (int k = 0; k < axis; k++) l.outer *= y->shape[k];
  for (int k = axis + 1; k < y->rank; k++) l.inner *= y->shape[k];
  return l;
}

static bool is_scalar_prim(const fn *f) {
  return f->kind == F_PRIM && prim_is_scalar((prim)f->prim, true);
}

arr *item_at(vm *v, arr *a, int64_t i) {
  return ir_host(v->g, a) ? arr_scalar_at(v->c, a, i) : NULL;
}

/* item i f acc; consumes acc. */
static arr *fold_step(vm *v, fn *f, arr *y, int64_t i, arr *acc) {
  arr *x = item_at(v, y, i);
  arr *r = x ? call2(v, f, x, acc) : NULL;
  arr_release(v->c, x);
  arr_release(v->c, acc);
  return r;
}

/* The fold of `n` items, `stride` apart, the first at `at`. */
static arr *fold_line(vm *v, fn *f, arr *y, int64_t at, int64_t stride, int64_t n) {
  arr *acc = item_at(v, y, at + (n - 1) * stride);
  for (int64_t k = n - 2; k >= 0 && acc; k--) {
    if (interrupted(v->c)) {
      arr_release(v->c, acc);
      return NULL;
    }
    acc = fold_step(v, f, y, at + k * stride, acc);
  }
  return acc;
}

/* What a fold of no items of y gives: the identity, in the structure of y's prototype. */
static arr *identity(vm *v, fn *f, arr *y) {
  prim_env pe = env_of(v);
  if (f->kind != F_PRIM) return err_set(v->c, ERR_DOMAIN, "the function has no identity"), NULL;
  arr *id = prim_identity(&pe, (prim)f->prim);
  if (!id || !is_nested(y) || y->count || !is_scalar_prim(f)) return id;
  arr *proto = arr_proto(v->c, arr_item(y, 0)), *r = proto ? prim2(v, P_PLUS, proto, id) : NULL;
  arr_release(v->c, proto);
  arr_release(v->c, id);
  return r;
}

/* Takes items that were made one by one; `n` are there, or an error is recorded. */
static arr *gather(vm *v, arr **items, int64_t n, bool ok, int rank, const int64_t *shape) {
  arr *r = NULL;
  if (ok) r = collect(v, items, rank, shape);
  else
    for (int64_t i = 0; i < n; i++) arr_release(v->c, items[i]);
  mem_free(v->c, items);
  return r;
}

static arr **room(vm *v, int64_t n) {
  if (n >= PTRDIFF_MAX / 16) return err_set(v->c, ERR_WS_FULL, "%lld items", (long long)n), NULL;
  return mem_alloc(v->c, (size_t)(n ? n : 1) * sizeof(arr *));
}

static arr *reduce_items(vm *v, fn *f, arr *y, int axis) {
  line l = cut(y, axis);
  int64_t shape[ARR_MAX_RANK], n = l.outer * l.inner, done = 0;
  for (int k = 0, j = 0; k < y->rank; k++)
    if (k != axis) shape[j++] = y->shape[k];
  arr **items = room(v, n);
  bool ok = items != NULL;
  for (; ok && done < n; done += ok) {
    int64_t at = done / l.inner * l.n * l.inner + done % l.inner;
    items[done] = l.n ? fold_line(v, f, y, at, l.inner, l.n) : identity(v, f, y);
    ok = items[done] != NULL;
  }
  if (ok && !n) {
    arr *like = is_nested(y) ? arr_retain(arr_item(y, 0)) : arr_fill_of(v->c, y);
    arr *r = like ? collect_none(v, like, y->rank - 1, shape) : NULL;
    arr_release(v->c, like);
    mem_free(v->c, items);
    return r;
  }
  return items ? gather(v, items, done, ok, y->rank - 1, shape) : NULL;
}

arr *fold_with(vm *v, fn *f, arr *y, int axis) {
  if (!y->rank) return arr_retain(y);
  if (is_scalar_prim(f) && !is_nested(y)) {
    ir_set(v->g, v->sv->ct, v->sv->io, v->sv->pp);
    ir_at(v->g, v->at);
    return ir_reduce(v->g, (prim)f->prim, y, axis);
  }
  return ir_host(v->g, y) ? reduce_items(v, f, y, axis) : NULL;
}

static arr *scan_with(vm *v, fn *f, arr *y, int axis) {
  if (!y->rank) return arr_retain(y);
  if (is_scalar_prim(f) && !is_nested(y)) {
    ir_set(v->g, v->sv->ct, v->sv->io, v->sv->pp);
    ir_at(v->g, v->at);
    return ir_scan(v->g, (prim)f->prim, y, axis);
  }
  if (!ir_host(v->g, y)) return NULL;
  if (!y->count) return arr_retain(y);
  line l = cut(y, axis);
  arr **items = room(v, y->count);
  bool ok = items != NULL;
  int64_t done = 0;
  for (; ok && done < y->count; done += ok) {
    int64_t k = done / l.inner % l.n, at = done - k * l.inner;
    items[done] = fold_line(v, f, y, at, l.inner, k + 1);
    ok = items[done] != NULL;
  }
  return items ? gather(v, items, done, ok, y->rank, y->shape) : NULL;
}

/* ── n-wise ─────────────────────────────────────────────────────────────────────────── */

static arr *range_of(vm *v, int64_t from, int64_t n) {
  arr *a = arr_vec(v->c, elt_for_range(from, from + n), n);
  for (int64_t i = 0; a && i < n; i++) arr_put_int(a, i, from + i);
  return a;
}

/* n elements of y from `from` on, along the axis. */
static arr *slice(vm *v, arr *y, int axis, int64_t from, int64_t n) {
  arr *at[ARR_MAX_RANK] = {NULL}, *r = NULL;
  if (y->rank == 1) {
    arr *drop = arr_int(v->c, from), *take = arr_int(v->c, n), *rest = NULL;
    if (drop && take) rest = prim2(v, P_DROP, drop, y);
    if (rest) r = prim2(v, P_TAKE, take, rest);
    arr_release(v->c, rest);
    arr_release(v->c, drop);
    arr_release(v->c, take);
    return r;
  }
  at[axis] = range_of(v, from + v->sv->io, n);
  if (at[axis]) r = index_of(v, y, y->rank, at);
  arr_release(v->c, at[axis]);
  return r;
}

/* x f¨ y or, for what pervades, x f y. */
static arr *between(vm *v, fn *f, arr *x, arr *y) {
  if (is_scalar_prim(f)) return prim2(v, (prim)f->prim, x, y);
  return each_call(v, f, x, y);
}

static arr *windows(vm *v, fn *f, arr *y, int axis, int64_t n, bool reversed) {
  int64_t len = y->shape[axis] - n + 1;
  arr *r = slice(v, y, axis, reversed ? 0 : n - 1, len);
  for (int64_t k = 1; k < n && r; k++) {
    arr *x = slice(v, y, axis, reversed ? k : n - 1 - k, len);
    arr *next = x ? between(v, f, x, r) : NULL;
    arr_release(v->c, x);
    arr_release(v->c, r);
    r = next;
  }
  return r;
}

/* Windows of no elements: identities, one more than the axis is long. */
static arr *no_windows(vm *v, fn *f, arr *y, int axis) {
  int64_t shape[ARR_MAX_RANK];
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[axis]++;
  arr *id = ir_host(v->g, y) ? identity(v, f, y) : NULL, *to = NULL, *r = NULL;
  if (id && (to = arr_vec(v->c, ET_I64, y->rank))) {
    memcpy(to->host, shape, (size_t)y->rank * sizeof *shape);
    r = prim2(v, P_RHO, to, id);
  }
  arr_release(v->c, to);
  arr_release(v->c, id);
  return r;
}

static arr *n_wise(vm *v, fn *f, arr *x, arr *y, int axis) {
  int64_t n;
  if (x->rank > 1) return err_set(v->c, ERR_RANK, "the window's length must be one number"), NULL;
  if (!get_int(v, x, &n, "the window's length")) return NULL;
  if (!y->rank) return err_set(v->c, ERR_RANK, "a scalar has no windows"), NULL;
  int64_t len = y->shape[axis], size = n < 0 ? -n : n;
  if (n == INT64_MIN || size > len + 1)
    return err_set(v->c, ERR_DOMAIN, "windows of %lld do not fit into %lld", (long long)n,
                   (long long)len),
           NULL;
  if (!size) return no_windows(v, f, y, axis);
  if (size == len + 1) return slice(v, y, axis, 0, 0);
  return windows(v, f, y, axis, size, n < 0);
}

arr *fold_call(vm *v, fn *f, arr *x, arr *y) {
  int64_t k = 0;
  bool first = f->code == OP_REDUCE1 || f->code == OP_SCAN1;
  bool scan = f->code == OP_SCAN || f->code == OP_SCAN1;
  if (f->axis) {
    if (!get_int(v, f->axis, &k, "the axis")) return NULL;
    if (k < v->sv->io || k - v->sv->io >= y->rank)
      return err_set(v->c, ERR_RANK, "there is no such axis"), NULL;
    k -= v->sv->io;
  } else if (!first && y->rank) k = y->rank - 1;
  if (x && scan) return err_set(v->c, ERR_SYNTAX, "a scan takes no left argument"), NULL;
  if (x) return n_wise(v, f->l.f, x, y, (int)k);
  return scan ? scan_with(v, f->l.f, y, (int)k) : fold_with(v, f->l.f, y, (int)k);
}
