/* SPDX-License-Identifier: MIT */
/* fold.c - / ⌿ \ ⍀ derived from a function: reduction, n-wise reduction, scan.
 *
 * A scalar primitive on a simple array is the lazy graph's matter. Everything else is
 * folded here, from the right, by calling the function with one item on each side:
 *
 *   y as outer × n × inner; for each outer and inner: f between the n items of its line
 *
 * A window of n-wise reduction is the fold of n whole slices of y, each shifted by one, so
 * that a scalar primitive runs over whole arrays and fuses. */
#include <string.h>
#include "../bind/variant.h"
#include "../run/primitive.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "oper.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/args.h"
#include "../../prim/axis.h"

typedef struct line {
  int64_t outer, n, inner;
} line; /* y cut at an axis */

static line cut(const arr *y, int axis) {
  line l = {1, y->rank ? y->shape[axis] : 1, 1};
  for (int k = 0; k < axis; k++) l.outer *= y->shape[k];
  for (int k = axis + 1; k < y->rank; k++) l.inner *= y->shape[k];
  return l;
}

/* x f acc; consumes both. */
static arr *fold_step(vm *v, fn *f, arr *x, arr *acc) {
  arr *r = x && acc && !interrupted(v->c) ? call2(v, f, x, acc) : NULL;
  arr_release(x);
  arr_release(acc);
  return r;
}

/* x,y,… of `n` vectors and scalars at once: catenated one by one they would be copied again
 * and again. NULL without an error: some are of higher rank, or more than nested arrays
 * with the same elements would differ. */
static arr *join_line(vm *v, arr *y, int64_t at, int64_t stride, int64_t n) {
  const arr *some = NULL;
  int64_t count = 0;
  elt t = ET_BIT;
  if (!is_nested(y) || n < 3) return NULL;
  for (int64_t i = 0; i < n; i++) {
    const arr *item = arr_item(y, at + i * stride);
    if (item->rank > 1) return NULL;
    if (!item->count) continue;
    t = some ? elt_join(t, (elt)item->type) : (elt)item->type;
    some = item;
    if (item->count > INT64_MAX / 2 - count) return NULL;
    count += item->count;
  }
  if (!count) return NULL;
  arr *r = arr_vec(v->c, t, count);
  for (int64_t i = 0, to = 0; r && i < n; i++) {
    arr *item = arr_item(y, at + i * stride), *as;
    if (!item->count) continue;
    if (!(as = t == ET_NEST ? arr_convert(v->c, item, t) : arr_retain(item))) {
      arr_release(r);
      return NULL;
    }
    arr_copy(r, to, as, 0, as->count);
    to += as->count;
    arr_release(as);
  }
  return r;
}

/* The fold of `n` items, `stride` apart, the first at `at`. */
static arr *fold_line(vm *v, fn *f, arr *y, int64_t at, int64_t stride, int64_t n) {
  if (fn_is(f, P_LEFT)) return item_at(v, y, at);
  arr *acc = fn_is(f, P_COMMA) ? join_line(v, y, at, stride, n) : NULL;
  if (acc || err_is(v->c)) return acc;
  acc = item_at(v, y, at + (n - 1) * stride);
  for (int64_t k = fn_is(f, P_RIGHT) ? -1 : n - 2; k >= 0 && acc; k--)
    acc = fold_step(v, f, item_at(v, y, at + k * stride), acc);
  return acc;
}

/* What every number of the prototype becomes; NULL after DOMAIN ERROR. */
static arr *identity_of(vm *v, const fn *f) {
  prim_env pe = env_of(v);
  if (f->kind == F_REPL) return arr_int(v->c, 1);
  if (f->kind == F_AXIS) return identity_of(v, f->l.f);
  if (f->kind != F_PRIM)
    return err_set(v->c, ERR_DOMAIN, "the function has no identity"), NULL;
  if (f->prim == P_UNION) return arr_vec(v->c, ET_BIT, 0);
  if (f->prim == P_REVERSE || f->prim == P_REVERSE1 || f->prim == P_ENCODE)
    return arr_int(v->c, 0);
  return prim_identity(&pe, (prim)f->prim);
}

/* What a fold of no items of y gives, as an item: the identity in the structure of y's
 * prototype; for , and ⍪ the prototype without elements. */
static arr *identity(vm *v, fn *f, arr *y) {
  prim_env pe = env_of(v);
  const fn *g = f->kind == F_AXIS ? f->l.f : f;
  bool joins = g->kind == F_PRIM && (g->prim == P_COMMA || g->prim == P_COMMA1);
  arr *id = joins ? arr_int(v->c, 0) : identity_of(v, f), *r = NULL;
  if (!id || (!joins && !is_nested(y))) return id;
  arr *proto = is_nested(y) ? arr_proto(v->c, arr_item(y, 0)) : arr_fill_of(v->c, y);
  int k = g->prim == P_COMMA && proto && proto->rank ? proto->rank - 1 : 0;
  if (proto && !joins) r = replace_leaves(v, proto, id);
  else if (proto && (f == g || prim_axis(&pe, f->axis, proto, &k)))
    r = prim_replicate(&pe, id, proto, k);
  arr_release(proto);
  arr_release(id);
  return r;
}

static arr *reduce_items(vm *v, fn *f, arr *y, int axis) {
  line l = cut(y, axis);
  int64_t shape[ARR_MAX_RANK], n = l.outer * l.inner;
  pile s;
  for (int k = 0, j = 0; k < y->rank; k++)
    if (k != axis) shape[j++] = y->shape[k];
  if (!n) {
    arr *like = is_nested(y) ? arr_retain(arr_item(y, 0)) : arr_fill_of(v->c, y);
    arr *r = like ? collect_none(v, like, y->rank - 1, shape) : NULL;
    arr_release(like);
    return r;
  }
  if (!pile_new(v, &s, n)) return NULL;
  bool ok = true;
  for (int64_t i = 0; ok && i < n; i++) {
    int64_t at = i / l.inner * l.n * l.inner + i % l.inner;
    ok = pile_add(v, &s, l.n ? fold_line(v, f, y, at, l.inner, l.n) : identity(v, f, y));
  }
  return pile_end(v, &s, ok, y->rank - 1, shape);
}

arr *fold_with(vm *v, fn *f, arr *y, int axis) {
  if (!y->rank) return arr_retain(y);
  line l = cut(y, axis); /* without lines f is not asked, as with any function */
  if (fn_is_scalar(f, true) && !is_nested(y) && l.outer && l.inner) {
    ir_call call = call_of(v);
    return ir_reduce(&call, prim_in_force(v, (prim)f->prim, true), y, axis);
  }
  return ir_host(v->g, y) ? reduce_items(v, f, y, axis) : NULL;
}

/* Does (a f b) f c equal a f (b f c) for any items? Then each element of a scan comes from
 * the one before it. Sums of floats in items may differ in their last digit. */
static bool is_associative(const fn *f) {
  if (f->kind != F_PRIM) return false;
  switch ((prim)f->prim) {
  case P_PLUS:
  case P_TIMES:
  case P_CEIL:
  case P_FLOOR:
  case P_AND:
  case P_OR:
  case P_COMMA:
  case P_LEFT:
  case P_RIGHT: return true;
  default: return false;
  }
}

static arr *scan_with(vm *v, fn *f, arr *y, int axis, int says) {
  if (!y->rank || !y->count) return arr_retain(y);
  if (fn_is_scalar(f, true) && !is_nested(y) && !(says & SAYS_FORWARD)) {
    ir_call call = call_of(v);
    return ir_scan(&call, prim_in_force(v, (prim)f->prim, true), y, axis);
  }
  if (!ir_host(v->g, y)) return NULL;
  line l = cut(y, axis);
  bool ok = true, steps = says || is_associative(f);
  pile s;
  if (!pile_new(v, &s, y->count)) return NULL;
  for (int64_t i = 0; ok && i < y->count; i++) {
    int64_t k = i / l.inner % l.n;
    arr *before = steps && k ? arr_retain(s.at[i - l.inner]) : NULL, *r;
    if (!before) r = fold_line(v, f, y, i - k * l.inner, l.inner, k + 1);
    else if (says & SAYS_FORWARD) r = fold_step(v, f, item_at(v, y, i), before);
    else r = fold_step(v, f, before, item_at(v, y, i));
    ok = pile_add(v, &s, r);
  }
  return pile_end(v, &s, ok, y->rank, y->shape);
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
    arr_release(rest);
    arr_release(drop);
    arr_release(take);
    return r;
  }
  at[axis] = range_of(v, from + v->sv->io, n);
  if (at[axis]) r = index_of(v, y, y->rank, at);
  arr_release(at[axis]);
  return r;
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
    arr *x = slice(v, y, axis, reversed ? k : n - 1 - k, len);
    arr *next = x ? between(v, f, x, r) : NULL;
    arr_release(x);
    arr_release(r);
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
  arr *one = id ? arr_enclose(v->c, id) : NULL;
  if (one && (to = arr_int_vec(v->c, y->rank, shape))) r = prim2(v, P_RHO, to, one);
  arr_release(one);
  arr_release(to);
  arr_release(id);
  return r;
}

static arr *n_wise(vm *v, fn *f, arr *x, arr *y, int axis) {
  int64_t n;
  if (x->rank > 1)
    return err_set(v->c, ERR_RANK, "the window's length must be one number"), NULL;
  if (!arg_int(v, x, &n, "the window's length")) return NULL;
  if (!y->rank) return err_set(v->c, ERR_RANK, "a scalar has no windows"), NULL;
  int64_t len = y->shape[axis], size = n == INT64_MIN ? INT64_MAX : n < 0 ? -n : n;
  if (size > len + 1)
    return err_set(v->c, ERR_LENGTH, "windows of %lld do not fit into %lld", (long long)n,
                   (long long)len),
           NULL;
  if (!size) return no_windows(v, f, y, axis);
  if (size == len + 1) return slice(v, y, axis, 0, 0);
  return windows(v, f, y, axis, size, n < 0);
}

/* ── the derived function ───────────────────────────────────────────────────────────── */

arr *fold_call(vm *v, fn *f, arr *x, arr *y) {
  int k, says = says_of(f->l.f);
  fn *g = says ? f->l.f->l.f : f->l.f;
  if (!fold_axis(v, f->code, f->axis, y, &k)) return NULL;
  if (x && is_scan(f->code))
    return err_set(v->c, ERR_SYNTAX, "a scan takes no left argument"), NULL;
  if (x) return n_wise(v, g, x, y, k);
  return is_scan(f->code) ? scan_with(v, g, y, k, says) : fold_with(v, g, y, k);
}
