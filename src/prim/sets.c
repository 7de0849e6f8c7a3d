/* SPDX-License-Identifier: MIT */
/* sets.c - what is made of looking up: x⍳y ∊ ∪ ∩ ~ ≠. */
#include "lookup.h"
#include "axis.h"
#include "relations.h"
#include "../base/arith.h"
#include "../tables/fast.h"

/* ── ⍳ ∊ ────────────────────────────────────────────────────────────────────────────── */

arr *prim_index_of(prim_env *e, arr *x, arr *y) {
  arr *found = NULL;
#define FAST_INDEX_OF(way) FAST_FIRST(found, e->c, way(e, x, y))
#include "../tables/fast.def"
  if (found || err_is(e->c)) return found;
  OWNED arr *at = lookup_positions(e, x, y);
  if (!at) return NULL;
  int64_t none = x->shape[0] + e->io;
  const int64_t *p = at->host;
  OWNED arr *r = arr_new(e->c, elt_for_range(e->io, none), at->rank, at->shape);
  if (!r) return NULL;
  sc_put_ints(r, 0, r->count, p, e->io);
  arr_set_range(r, e->io, none);
  return arr_move(&r);
}

/* For each element of x: is it one of y's (`in`), or is it none of them? */
static arr *member(prim_env *e, arr *x, arr *y, bool in) {
  arr *found = NULL;
#define FAST_MEMBER(way) FAST_FIRST(found, e->c, way(e, x, y, in))
#include "../tables/fast.def"
  if (found || err_is(e->c)) return found;
  OWNED arr *list = prim_ravel(e, y);
  if (!list) return NULL;
  OWNED arr *at = lookup_positions(e, list, x);
  if (!at) return NULL;
  const int64_t *p = at->host;
  OWNED arr *r = arr_new(e->c, ET_BIT, x->rank, x->shape);
  if (!r) return NULL;
  bool b[SC_BLOCK];
  for (int64_t j = 0; j < r->count; j += SC_BLOCK) {
    int64_t m = min_i64(r->count - j, SC_BLOCK);
    if (stops_at(e->c, j)) return NULL;
    for (int64_t k = 0; k < m; k++) b[k] = (p[j + k] < list->count) == in;
    sc_store(r, j, 1, m, SC_B, b);
  }
  return arr_move(&r);
}

arr *prim_member(prim_env *e, arr *x, arr *y) { return member(e, x, y, true); }

/* ── ∪ ≠ ∩ ~ ────────────────────────────────────────────────────────────────────────── */

arr *prim_unique_mask(prim_env *e, arr *y) {
  OWNED arr *list = NULL;
  if (!y->rank) {
    list = prim_ravel(e, y);
    if (!list) return NULL;
    y = list;
  }
  arr *news = NULL;
#define FAST_UNIQUE(way) FAST_FIRST(news, e->c, way(e, y))
#include "../tables/fast.def"
  return news || err_is(e->c) ? news : lookup_new(e, y);
}

arr *prim_unique(prim_env *e, arr *y) {
  OWNED arr *mask = prim_unique_mask(e, y);
  if (!mask) return NULL;
  return prim_replicate(e, mask, y, 0);
}

static bool is_list(prim_env *e, const arr *a) {
  if (a->rank <= 1) return true;
  return err_set(e->c, ERR_RANK, "the argument must be a scalar or a vector");
}

/* The elements of x that are in y, or that are not. */
static arr *sieve(prim_env *e, arr *x, arr *y, bool in) {
  if (!is_list(e, x)) return NULL;
  OWNED arr *mask = member(e, x, y, in);
  if (!mask) return NULL;
  return prim_replicate(e, mask, x, 0);
}

arr *prim_without(prim_env *e, arr *x, arr *y) { return sieve(e, x, y, false); }

arr *prim_intersection(prim_env *e, arr *x, arr *y) {
  if (!is_list(e, y)) return NULL;
  return sieve(e, x, y, true);
}

arr *prim_union(prim_env *e, arr *x, arr *y) {
  if (!is_list(e, x)) return NULL;
  OWNED arr *more = sieve(e, y, x, false);
  if (!more) return NULL;
  OWNED arr *list = prim_ravel(e, x);
  if (!list) return NULL;
  return prim_catenate(e, list, more);
}
