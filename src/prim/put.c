/* SPDX-License-Identifier: MIT */
/* put.c - x[i;j]←v and its like: elements of an array written over.
 *
 * An array that nobody else holds is written in place; any other is copied first. Whatever can
 * fail is done before the first element is written. */
#include "subscript.h"
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

/* x, if it is ours and can hold elements of v too, else a copy that can; owned. */
static arr *writable(prim_env *e, arr *x, const arr *v) {
  elt t = arr_join_type(x, v);
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

/* Replaces the element at the end of a path: shared arrays on the way are copied. */
static bool put_path(prim_env *e, arr **x, const arr *path, int64_t from, arr *v) {
  int64_t pos = 0;
  if (from > ARR_MAX_DEPTH) return err_set(e->c, ERR_LIMIT, "the path is too long");
  if (path->rank > 1) return err_set(e->c, ERR_RANK, "a path must be a vector");
  if (from == path->count) {
    replace(x, arr_retain(v));
    return true;
  }
  OWNED arr *step = arr_scalar_at(e->c, path, from);
  if (!step || !index_position(e, step, *x, &pos)) return false;
  OWNED arr *in = arr_scalar_at(e->c, *x, pos);
  return in && put_path(e, &in, path, from + 1, v) && prim_put_item(e, x, pos, in) &&
         squeeze(e, x, in);
}

bool prim_pick_put(prim_env *e, arr **x, const arr *path, arr *v) {
  return put_path(e, x, path, 0, v);
}

static bool put_items(prim_env *e, arr **x, const arr *at, arr *v) {
  if (!prim_conforms(e, at->rank, at->shape, v)) return false;
  OWNED arr *r = arr_retain(*x);
  for (int64_t i = 0; i < at->count; i++) {
    OWNED arr *value = arr_scalar_at(e->c, v, is_scalar_like(v) ? 0 : i);
    OWNED arr *path = item_path(e, arr_item(at, i), *x);
    if (!value || !path || !put_path(e, &r, path, 0, value)) return false;
  }
  replace(x, arr_move(&r));
  return true;
}

/* ── x[i;j]←v ───────────────────────────────────────────────────────────────────────── */

static bool put_subscripts(prim_env *e, arr **x, const subscripts *s, arr *v) {
  if (!prim_conforms(e, s->v.rank, s->v.shape, v)) return false;
  if (!s->v.count) return true;
  const arr *item = NULL;
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

arr *prim_index_set(prim_env *e, arr *x, int n, arr *const *at, arr *v) {
  OWNED arr *r = arr_retain(x);
  if (!prim_index_put(e, &r, n, at, v)) return NULL;
  return arr_move(&r);
}
