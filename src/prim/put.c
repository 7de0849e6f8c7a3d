/* SPDX-License-Identifier: MIT */
/* put.c - x[i;j]←v and its like: elements of an array written over.
 *
 * An array with one reference is written in place; any other is copied first. Steps that can
 * fail come before the first element is written. */
#include "scalar.h"
#include "subscript.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/grow.h"

bool prim_conforms(prim_env *e, int rank, const int64_t *shape, const arr *v) {
  int i = 0, j = 0;
  if (is_scalar_like(v)) return true;
  for (;; i++, j++) {
    while (i < rank && shape[i] == 1) i++;
    while (j < v->rank && v->shape[j] == 1) j++;
    if (i == rank && j == v->rank) return true;
    int64_t places = i < rank ? shape[i] : 1;
    int64_t values = j < v->rank ? v->shape[j] : 1;
    if (places != values)
      return err_set(e->c, ERR_LENGTH, "%lld places for %lld values", (long long)places,
                     (long long)values);
  }
}

/* The type of x with elements of v: x's, if v's type is wider than the integers that are in v. */
static elt type_with(const arr *x, const arr *v) {
  int64_t lo, hi;
  elt t = arr_join_type(x, v);
  if (t == x->type || !elt_is_int(t) || !v->count || v->count > x->count) return t;
  sc_bounds(v, &lo, &hi);
  return elt_join((elt)x->type, elt_for_range(lo, hi));
}

/* x, if it is ours and can hold elements of v too, else a copy that can; owned. */
static arr *writable(prim_env *e, arr *x, const arr *v) {
  elt t = type_with(x, v);
  if (t != x->type) return arr_convert(e->c, x, t);
  if (!arr_is_ours(x)) return arr_reshape(e->c, x, x->rank, x->shape);
  return arr_retain(x);
}

/* *x becomes r, which is taken over. */
static void replace(arr **x, arr *r) {
  arr_release(*x);
  *x = r;
}

/* *x in its normal form. Where `item` (or NULL) is one of its items and no simple scalar, it need
 * not be searched for such a one. It stays as it is when memory is out. */
static bool squeeze(prim_env *e, arr **x, const arr *item) {
  if (item && (item->rank || arr_nests(item)) && (*x)->rank) return true;
  arr *r = arr_squeeze(e->c, arr_retain(*x));
  if (r) replace(x, r);
  return r != NULL;
}

/* The elements of v go to where `at` reads in *x. */
static bool put_view(prim_env *e, arr **x, const view *at, arr *v) {
  OWNED arr *r = writable(e, *x, v);
  if (!r) return false;
  OWNED arr *items = arr_convert(e->c, v, (elt)r->type);
  if (!items) return false;
  arr_written(r);
  view_put(r, at, items);
  replace(x, arr_move(&r));
  return true;
}

/* One value for many places of a ravel, which threads may share: it is all the same which of two writes
 * it first, and a word is written at once. */
typedef struct filling {
  arr *r;
  const arr *at, *one;
  int64_t io;
} filling;

#define FILL(T)                                                                          \
  {                                                                                      \
    T *r = k->r->host, value = *(const T *)k->one->host;                                 \
    for (int64_t j = 0; j < m; j++)                                                      \
      __atomic_store_n(&r[at[j] - k->io], value, __ATOMIC_RELAXED);                      \
    break;                                                                               \
  }
static void fill_stretch(void *job, int64_t from, int64_t to) {
  const filling *k = job;
  int64_t at[SC_BLOCK];
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    sc_load(k->at, i, 1, m, SC_I64, at);
    switch (elt_bits((elt)k->r->type)) {
    case 8: FILL(uint8_t)
    case 16: FILL(uint16_t)
    case 32: FILL(uint32_t)
    default: FILL(uint64_t)
    }
  }
}

/* *x[at]←v for one number or character v. *done is false, with no error, if not applicable. */
static bool try_fill_places(prim_env *e, arr **x, const arr *at, arr *v, bool *done) {
  enum { STEPS = 8 };
  elt t = type_with(*x, v);
  int bits = elt_bits(t);
  each_loop loop = {.n = at->count, .cell = 1, .steps = STEPS, .task = fill_stretch};
  *done = v->count == 1 && t != ET_NEST && bits >= 8 && bits <= 64 &&
          each_is_shared(e->c, &loop);
  if (!*done) return true;
  loop.whole = true;
  OWNED arr *r = writable(e, *x, v);
  OWNED arr *one = r ? arr_convert(e->c, v, (elt)r->type) : NULL;
  if (!one) return false;
  filling k = {r, at, one, e->io};
  loop.job = &k;
  arr_written(r);
  if (!each_part(e->c, &loop)) return false;
  replace(x, arr_move(&r));
  return true;
}

/* Element i of *x becomes the only one of `one`. */
static bool put_element(prim_env *e, arr **x, int64_t i, const arr *one) {
  OWNED arr *r = writable(e, *x, one);
  if (!r) return false;
  if (r->type == ET_NEST) {
    arr *item = arr_scalar_at(e->c, one, 0), **place = (arr **)r->host + i;
    if (!item) return false;
    arr_release(*place);
    *place = item;
  } else {
    arr_copy(r, i, one, 0, 1);
  }
  arr_written(r);
  replace(x, arr_move(&r));
  return true;
}

bool prim_put_item(prim_env *e, arr **x, int64_t i, arr *value) {
  OWNED arr *one = arr_enclose(e->c, value);
  return one && put_element(e, x, i, one);
}

/* ── paths ──────────────────────────────────────────────────────────────────────────── */

/* Where *x, a nested array, which is copied if it is shared, holds the item that step `from` of the
 * path leads to; NULL after an error. */
static arr **place_of_step(prim_env *e, arr **x, const arr *path, int64_t from) {
  int64_t pos = 0;
  OWNED arr *step = arr_scalar_at(e->c, path, from);
  if (!step || !index_position(e, step, *x, &pos)) return NULL;
  arr *r = writable(e, *x, *x);
  if (!r) return NULL;
  replace(x, r);
  arr_written(r);
  return (arr **)r->host + pos;
}

/* Replaces the element at the end of a path: shared arrays on the way are copied. */
static bool put_path(prim_env *e, arr **x, const arr *path, int64_t from, arr *v) {
  int64_t pos = 0;
  if (out_of_stack(e->c)) return false;
  if (path->rank > 1) return err_set(e->c, ERR_RANK, "a path must be a vector");
  if (from == path->count) {
    replace(x, arr_retain(v));
    return true;
  }
  if (from + 1 < path->count && arr_nests(*x)) {
    arr **in = place_of_step(e, x, path, from);
    return in && put_path(e, in, path, from + 1, v) && squeeze(e, x, *in);
  }
  OWNED arr *step = arr_scalar_at(e->c, path, from);
  if (!step || !index_position(e, step, *x, &pos)) return false;
  OWNED arr *in = arr_scalar_at(e->c, *x, pos);
  return in && put_path(e, &in, path, from + 1, v) && prim_put_item(e, x, pos, in) &&
         squeeze(e, x, in);
}

arr **prim_try_pick_place(prim_env *e, arr **x, const arr *path) {
  if (path->rank > 1) return NULL;
  for (int64_t i = 0; x && i < path->count; i++) {
    if (!arr_nests(*x)) return NULL;
    x = place_of_step(e, x, path, i);
  }
  return x;
}

bool prim_pick_put(prim_env *e, arr **x, const arr *path, arr *v) {
  return put_path(e, x, path, 0, v);
}

/* `at` counts from 0. */
static bool put_places(prim_env *e, arr **x, arr *at, arr *v) {
  prim_env from_0 = *e;
  from_0.io = 0;
  return prim_ravel_put(&from_0, x, at, v);
}

/* Element i of v goes where the item leads. */
static bool put_item(prim_env *e, arr **x, arr *item, const arr *v, int64_t i) {
  OWNED arr *value = arr_scalar_at(e->c, v, i);
  OWNED arr *path = item_path(e, item, *x);
  return value && path && put_path(e, x, path, 0, value);
}

static bool put_items(prim_env *e, arr **x, const arr *at, arr *v) {
  if (!prim_conforms(e, at->rank, at->shape, v)) return false;
  OWNED arr *places = prim_try_places(e, at, *x);
  if (err_is(e->c)) return false;
  if (places) return put_places(e, x, places, v);
  if (at->count == 1) return put_item(e, x, arr_item(at, 0), v, 0);
  OWNED arr *r = arr_retain(*x);
  for (int64_t i = 0; i < at->count; i++)
    if (!put_item(e, &r, arr_item(at, i), v, is_scalar_like(v) ? 0 : i)) return false;
  replace(x, arr_move(&r));
  return true;
}

/* ── x[i;j]←v ───────────────────────────────────────────────────────────────────────── */

static bool put_subscripts(prim_env *e, arr **x, const subscripts *s, arr *v) {
  if (!prim_conforms(e, s->v.rank, s->v.shape, v)) return false;
  if (!s->v.count) return true;
  const arr *item = NULL;
  bool done = false;
  if (s->n == 1 && s->at[0] && !try_fill_places(e, x, s->at[0], v, &done)) return false;
  if (done) return true;
  if (arr_nests(v)) item = arr_item(v, 0);
  return put_view(e, x, &s->v, v) && squeeze(e, x, item);
}

bool prim_index_put(prim_env *e, arr **x, int n, arr *const *at, arr *v) {
  static arr *const all[ARR_MAX_RANK];
  subscripts s;
  if (is_nested_index(n, at)) return put_items(e, x, at[0], v);
  if (n == 1 && !at[0]) { /* x[]← */
    at = all;
    n = (*x)->rank;
  }
  if (!n && !(*x)->rank) {
    if (!is_scalar_like(v)) return err_set(e->c, ERR_RANK, "a scalar takes one value");
    arr *item = v;
    if (v->type == ET_NEST) item = arr_item(v, 0);
    return prim_put_item(e, x, 0, item) && squeeze(e, x, item);
  }
  bool ok = subscripts_of(e, *x, n, at, &s) && put_subscripts(e, x, &s, v);
  subscripts_free(&s);
  return ok;
}

bool prim_ravel_put(prim_env *e, arr **x, arr *at, arr *v) {
  subscripts s;
  bool ok = subscripts_of_ravel(e, *x, at, &s) && put_subscripts(e, x, &s, v);
  subscripts_free(&s);
  return ok;
}

arr *prim_index_set(prim_env *e, arr *x, int n, arr *const *at, arr *v) {
  OWNED arr *r = arr_retain(x);
  if (!prim_index_put(e, &r, n, at, v)) return NULL;
  return arr_move(&r);
}
