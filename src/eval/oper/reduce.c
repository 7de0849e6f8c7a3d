/* SPDX-License-Identifier: MIT */
/* reduce.c - f/ and f⌿ of any function: reductions, and their identities.
 *
 * A scalar primitive on a simple array is the lazy graph's matter. Everything else is
 * reduced here, from the right, by calling the function with one item on each side:
 *
 *   y as outer × n × inner; for each outer and inner: f between the n items of its line */
#include "../../array/convert.h"
#include "../../prim/args.h"
#include "../../prim/axis.h"
#include "../../array/element.h"
#include "../../array/view.h"
#include "../../base/mem.h"
#include "../bind/variant.h"
#include "../run/element.h"
#include "../run/primitive.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "cells.h"
#include "scalar_fn.h"
#include "oper.h"
#include "../../tables/fast.h"

/* ── one line ───────────────────────────────────────────────────────────────────────── */

/* What `n` vectors and scalars catenated have in common. */
typedef struct joined {
  arr_joined of;
  int64_t count;
} joined;

/* false without an error: some are of higher rank, or there is nothing in them. */
static bool can_join(const arr *y, int64_t at, int64_t stride, int64_t n, joined *j) {
  *j = (joined){0};
  if (!is_nested(y) || n < 3) return false;
  for (int64_t i = 0; i < n; i++) {
    const arr *item = arr_item(y, at + i * stride);
    if (item->rank > 1) return false;
    if (!item->count) continue;
    arr_join_add(&j->of, item);
    if (item->count > INT64_MAX / 2 - j->count) return false;
    j->count += item->count;
  }
  return j->count > 0;
}

/* x,y,… at once: catenated one by one they would be copied again and again. */
static arr *join_line(vm *v, arr *y, int64_t at, int64_t stride, const joined *j) {
  OWNED arr *r = arr_vec(v->c, arr_joined_type(&j->of), j->count);
  if (!r) return NULL;
  size_t each = elt_bytes((elt)r->type, 1);
  for (int64_t to = 0; to < j->count; at += stride) {
    arr *item = arr_item(y, at);
    if (!item->count) continue;
    if (item->type == r->type && arr_copies_bytes(r)) {
      mem_copy((char *)r->host + (size_t)to * each, item->host,
               (size_t)item->count * each);
      to += item->count;
      continue;
    }
    OWNED arr *as = NULL;
    if (r->type == ET_NEST) as = arr_convert(v->c, item, ET_NEST);
    else as = arr_retain(item);
    if (!as) return NULL;
    arr_copy(r, to, as, 0, as->count);
    to += as->count;
  }
  return arr_move(&r);
}

/* The same of scalars: the line itself. */
static arr *join_scalars(vm *v, const arr *y, int64_t at, int64_t stride, int64_t n) {
  OWNED arr *r = arr_vec(v->c, (elt)y->type, n);
  if (!r) return NULL;
  view_part line = {.rank = 1, .from = at, .len = {n}};
  line.to_stride[0] = 1;
  line.stride[0] = stride;
  if (!view_copy_part(r, y, &line)) return NULL;
  return arr_move(&r);
}

/* Item i of y: a number without an array, if it is one. */
static value item_of(vm *v, arr *y, int64_t i) {
  prim_number n;
  if (prim_number_at(y, i, &n)) return value_number(&n);
  return value_arr(item_at(v, y, i));
}

/* f between the items of a line, from the right. */
static arr *fold_line(vm *v, fn *f, arr *y, int64_t at, int64_t stride, int64_t n) {
  OWNED_VALUE value acc = item_of(v, y, at + (n - 1) * stride);
  ir_step_calls(v->g, n - 1, NULL);
  for (int64_t k = n - 2; k >= 0 && acc.cls; k--) {
    value left = item_of(v, y, at + k * stride);
    if (!left.cls) return NULL;
    pending_call p = {fn_retain(f), left, value_move(&acc)};
    if (call_value(v, &p, &acc) && !acc.cls) no_result(v);
  }
  if (!acc.cls || err_is(v->c) || !value_box(v->c, &acc)) return NULL;
  return value_move(&acc).a;
}

arr *reduce_line(vm *v, fn *f, arr *y, int64_t at, int64_t stride, int64_t n) {
  joined j;
  if (fn_is(f, P_LEFT)) return item_at(v, y, at);
  if (fn_is(f, P_COMMA) && !is_nested(y) && n > 1)
    return join_scalars(v, y, at, stride, n);
  if (fn_is(f, P_COMMA) && can_join(y, at, stride, n, &j))
    return join_line(v, y, at, stride, &j);
  if (fn_is(f, P_RIGHT)) return item_at(v, y, at + (n - 1) * stride);
  return fold_line(v, f, y, at, stride, n);
}

/* ── identities ─────────────────────────────────────────────────────────────────────── */

/* What every number of the prototype becomes; NULL after DOMAIN ERROR. */
static arr *identity_of(vm *v, const fn *f) {
  prim_env pe = env_of(v);
  if (f->kind == F_REPLICATE) return arr_int(v->c, 1);
  if (f->kind == F_AXIS) return identity_of(v, f->l.f);
  if (f->kind != F_PRIM)
    return err_null(v->c, ERR_DOMAIN, "the function has no identity");
  switch ((prim)f->prim) {
  case P_UNION: return arr_vec(v->c, ET_BIT, 0);
  case P_REVERSE:
  case P_REVERSE1:
  case P_ENCODE: return arr_int(v->c, 0);
  default: return prim_identity(&pe, (prim)f->prim);
  }
}

/* Of , and ⍪, perhaps with an axis: y's prototype without elements. */
static arr *joining_identity(vm *v, const fn *f, const arr *y) {
  prim_env pe = env_of(v);
  OWNED arr *proto = item_of_fills(v, y);
  if (!proto) return NULL;
  int k = 0;
  if (f->kind == F_AXIS) {
    if (!prim_axis(&pe, f->axis, proto, &k)) return NULL;
  } else if (f->prim == P_COMMA && proto->rank) k = proto->rank - 1;
  OWNED arr *none = arr_int(v->c, 0);
  if (!none) return NULL;
  return prim_replicate(&pe, none, proto, k);
}

arr *reduce_identity(vm *v, fn *f, arr *y) {
  const fn *g = f->kind == F_AXIS ? f->l.f : f;
  if (fn_is(g, P_COMMA) || fn_is(g, P_COMMA1)) return joining_identity(v, f, y);
  OWNED arr *id = identity_of(v, f);
  if (!id || !is_nested(y)) return arr_move(&id);
  OWNED arr *proto = arr_proto(v->c, arr_item(y, 0));
  if (!proto) return NULL;
  return replace_leaves(v, proto, id);
}

/* ── arrays ─────────────────────────────────────────────────────────────────────────── */

static arr *reduce_items(vm *v, fn *f, arr *y, int axis, arr *identity) {
  split l = split_at(y, axis);
  int64_t shape[ARR_MAX_RANK];
  for (int k = 0, j = 0; k < y->rank; k++)
    if (k != axis) shape[j++] = y->shape[k];
  if (!l.outer || !l.inner) {
    OWNED arr *like = item_of_fills(v, y);
    if (!like) return NULL;
    return collect_none(v, like, y->rank - 1, shape);
  }
  OWNED_RESULTS all = results_open(v, y->rank - 1, shape);
  for (int64_t i = 0; i < all.want; i++) {
    int64_t at = i / l.inner * l.n * l.inner + i % l.inner;
    arr *r = NULL;
    if (l.n) r = reduce_line(v, f, y, at, l.inner, l.n);
    else if (identity) r = arr_retain(identity);
    else r = reduce_identity(v, f, y);
    if (!results_add(&all, r)) return NULL;
  }
  return results_array(&all);
}

/* What ⍠ has given. */
typedef struct reduce_options {
  int fold;      /* FOLD_… */
  arr *identity; /* or NULL */
} reduce_options;

static arr *reduce_strict(vm *v, fn *f, arr *y, int axis, const reduce_options *o) {
  if (!ir_host(v->g, y)) return NULL;
  prim_env pe = env_of(v);
  if (fn_is_scalar(f, true) && !is_nested(y) && y->count)
    return prim_reduce_strict(&pe, prim_in_force(v, (prim)f->prim, true), y, axis);
  return reduce_items(v, f, y, axis, o->identity);
}

/* ⊣/ and ⊢/: where y is. */
static arr *reduce_end(vm *v, arr *y, int axis, bool last) {
  ir_call at = call_of(v);
  int64_t from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK], shape[ARR_MAX_RANK];
  if (y->rank == 1 && y->host && !is_nested(y))
    return item_at(v, y, last ? y->count - 1 : 0);
  for (int k = 0, j = 0; k < y->rank; k++) {
    size[k] = y->shape[k];
    if (k != axis) shape[j++] = y->shape[k];
  }
  from[axis] = last ? size[axis] - 1 : 0;
  size[axis] = 1;
  OWNED arr *box = ir_box(&at, y, from, size);
  return ir_reshape(&at, box, y->rank - 1, shape);
}

static arr *reduce_as(vm *v, fn *f, arr *y, int axis, const reduce_options *o) {
  if (!y->rank) return arr_retain(y);
  bool last = fn_is(f, P_RIGHT);
  if ((last || fn_is(f, P_LEFT)) && y->count) return reduce_end(v, y, axis, last);
  if (o->fold & FOLD_STRICT && order_shows(f, y)) return reduce_strict(v, f, y, axis, o);
  split l = split_at(y, axis); /* without lines f is not asked, as with any function */
  bool scalars = fn_is_scalar(f, true) && !is_nested(y) && l.outer && l.inner;
  if (!scalars || o->fold & FOLD_ASSOC) {
    arr *r = fold_by_kernel(v, f, y, axis, false, o->fold & FOLD_ASSOC);
    if (!r && !err_is(v->c)) r = states_by_kernel(v, f, y);
    if (r || err_is(v->c)) return r;
  }
  arr *line, *pairs;
  if (fn_is(f, P_COMMA) && ir_stretches(y, &line, &pairs)) {
    ir_call at = call_of(v);
    OWNED arr *all = ir_together(&at, line, pairs);
    return all ? prim1(v, P_ENCLOSE, all) : NULL;
  }
  if (scalars && (l.n || !o->identity)) {
    ir_call at = call_of(v);
    return ir_reduce(&at, prim_in_force(v, (prim)f->prim, true), y, axis);
  }
  bool joins = fn_is(f, P_COMMA); /* looks at all items at once */
  if (!(joins ? ir_host(v->g, y) : ir_host_frame(v->g, y))) return NULL;
  arr *r = NULL;
#define FAST_MATRICES(way) FAST_FIRST(r, v->c, way(v, f, y, false, false))
#include "../../tables/fast.def"
  if (r || err_is(v->c)) return r;
  return reduce_items(v, f, y, axis, o->identity);
}

arr *reduce_with(vm *v, fn *f, arr *y, int axis) {
  const reduce_options none = {0};
  return reduce_as(v, f, y, axis, &none);
}

bool oper_reduce(vm *v, fn *f, arr *x, arr *y, arr **r) {
  int k;
  prim_number
      n; /* most folds: by a scalar primitive, of a short vector that is at hand */
  bool plain = !x && !f->axis && f->l.f->kind == F_PRIM;
  if (plain && prim_fold_short(v, (prim)f->l.f->prim, y, &n))
    return give_result(r, prim_of_number(v->c, n));
  if (err_is(v->c)) return false;
  fn *g = without_variant(f->l.f);
  if (!fold_axis(v, f->code, f->axis, y, &k)) return false;
  if (x) return give_result(r, n_wise(v, g, x, y, k, f->l.f->fold_options & FOLD_STRICT));
  reduce_options o = {f->l.f->fold_options, identity_given(f->l.f)};
  return give_result(r, reduce_as(v, g, y, k, &o));
}
