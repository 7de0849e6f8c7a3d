/* SPDX-License-Identifier: MIT */
/* nest.c - the structural primitives that make items and look into them: ⊂ ⊆ ↓ ∊ ≡y.
 *
 * An item of a nested array is any array; a simple scalar among the items stays a scalar
 * array of its own. Whatever selects items from a nested array hands its result through
 * arr_squeeze, so that an array without nested items is always a simple one.
 *
 * Functions that look into items (≡ ∊) follow the last item by a loop; the recursion into the
 * others ends, with LIMIT ERROR, where the C stack does. */
#include "struct.h"
#include "../base/arith.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/mem.h"
#include "../tables/prim.h"
#include <string.h>

arr *prim_same(prim_env *e, arr *y) {
  UNUSED(e);
  return arr_retain(y);
}
arr *prim_left(prim_env *e, arr *x, arr *y) {
  UNUSED(e);
  UNUSED(y);
  return arr_retain(x);
}
arr *prim_right(prim_env *e, arr *x, arr *y) {
  UNUSED(e);
  UNUSED(x);
  return arr_retain(y);
}

/* ── ≡ ─────────────────────────────────────────────────────────────────────────────── */

/* The depths of arrays that are items in several places, so that each is traversed
 * once: {⍵ ⍵}⍣60 has 2*60 items. Another array may reuse a place. */
typedef struct depths {
  struct {
    const arr *of;
    int64_t depth;
  } seen[256];
} depths;

static int64_t depth_of(prim_env *e, const arr *y, depths *known);

/* Depth, negative if uneven; INT64_MIN after LIMIT ERROR. */
static int64_t item_depth(prim_env *e, const arr *y, depths *known) {
  if (!arr_nests(y) || y->refs == 1) return depth_of(e, y, known);
  size_t at = ((uintptr_t)y >> 4) % ARRAY_LEN(known->seen);
  if (known->seen[at].of == y) return known->seen[at].depth;
  int64_t d = depth_of(e, y, known);
  known->seen[at].of = y;
  known->seen[at].depth = d;
  return d;
}

static int64_t depth_of(prim_env *e, const arr *y, depths *known) {
  int64_t outer = 0, top = 0;
  bool even = true;
  while (arr_nests(y) && y->count <= 1) { /* one item: no need to recurse */
    outer++;
    y = arr_item(y, 0);
  }
  if (!arr_nests(y)) return outer + (y->rank > 0);
  if (out_of_stack(e->c)) return INT64_MIN;
  for (int64_t i = 0; i < y->count; i++) {
    int64_t d = item_depth(e, arr_item(y, i), known);
    if (d == INT64_MIN) return d;
    int64_t size = max_i64(d, -d);
    if (d < 0 || (i && size != top)) even = false;
    if (size > top) top = size;
  }
  top += outer + 1;
  return even ? top : -top;
}

arr *prim_depth(prim_env *e, arr *y) {
  depths known = {0};
  int64_t d = depth_of(e, y, &known);
  if (d == INT64_MIN) return NULL;
  return arr_int(e->c, d);
}

/* ── ⊂ ⊆ ↓ ─────────────────────────────────────────────────────────────────────────── */

arr *prim_enclose(prim_env *e, arr *y) { return arr_enclose(e->c, y); }

arr *prim_nest(prim_env *e, arr *y) {
  if (!y->rank && !arr_nests(y)) return arr_retain(y);
  bool nested = false;
  for (int64_t i = 0; y->type == ET_NEST && i < arr_item_count(y) && !nested; i++)
    nested = arr_item(y, i)->rank || arr_item(y, i)->type == ET_NEST;
  if (nested) return arr_retain(y);
  return arr_enclose(e->c, y);
}

/* The axes k become those of the items, in that order; the others stay outside. Each item is the
 * same view of y from another element on. */
/* Elements i × their count … of y as an item of that shape. */
static arr *item_in_line(ctx *c, const arr *y, int64_t i, int n, const int64_t *shape) {
  arr *item = arr_new(c, (elt)y->type, n, shape);
  if (item) arr_copy(item, 0, y, i * item->count, item->count);
  return item;
}

arr *enclose_axes(prim_env *e, arr *y, int n, const int *k) {
  int64_t in[ARR_MAX_RANK], out[ARR_MAX_RANK], outer_stride[ARR_MAX_RANK];
  int64_t own[ARR_MAX_RANK], at[ARR_MAX_RANK] = {0};
  int m = 0;
  view v;
  if (!n && !arr_nests(y)) return arr_retain(y);
  strides_of(y->rank, y->shape, own);
  for (int j = 0; j < y->rank; j++) {
    bool inside = false;
    for (int i = 0; i < n; i++) inside |= k[i] == j;
    if (inside) continue;
    out[m] = y->shape[j];
    outer_stride[m++] = own[j];
  }
  bool line = !arr_nests(y); /* an item's elements lie side by side */
  for (int i = 0; i < n; i++) {
    in[i] = y->shape[k[i]];
    line &= k[i] == m + i;
  }
  OWNED arr *r = arr_new_items(e->c, m, out);
  if (!r || !view_shape(e->c, &v, n, in)) return NULL;
  view_part *p = view_add(&v);
  for (int i = 0; i < n; i++) p->stride[i] = own[k[i]];
  v.fills = !r->count; /* the prototype of no items */
  for (int64_t i = 0; i < arr_item_count(r); i++) {
    if (stops_at(e->c, i)) return NULL;
    bool copies = line && r->count;
    arr *item = copies ? item_in_line(e->c, y, i, n, in) : view_copy(e->c, &v, &y);
    if (!item) return NULL;
    ((arr **)r->host)[i] = item;
    int j = m - 1;
    for (; j >= 0 && ++at[j] == out[j]; j--) {
      p->from -= outer_stride[j] * (out[j] - 1);
      at[j] = 0;
    }
    if (j >= 0) p->from += outer_stride[j];
  }
  return arr_move(&r);
}

arr *prim_split(prim_env *e, arr *y) {
  int last = y->rank - 1;
  if (!y->rank) return arr_retain(y);
  return enclose_axes(e, y, 1, &last);
}

/* ── ∊ ─────────────────────────────────────────────────────────────────────────────── */

typedef VEC(const arr *) leaves;

/* Appends the simple arrays inside y, in order. */
static bool collect(prim_env *e, const arr *y, leaves *to) {
  while (arr_nests(y) && y->count) {
    if (interrupted(e->c) || out_of_stack(e->c)) return false;
    for (int64_t i = 0; i < y->count - 1; i++)
      if (!collect(e, arr_item(y, i), to)) return false;
    y = arr_item(y, y->count - 1);
  }
  return (y->type == ET_NEST && !y->count) || vec_push(e->c, to, y);
}

/* The innermost prototype of an array with no elements in it. */
static const arr *seed_of(const arr *y) {
  while (arr_nests(y)) y = arr_item(y, 0);
  return y;
}

/* The elements of all leaves in one vector; `empty` is its type if there are none. */
static arr *join_leaves(prim_env *e, const leaves *all, elt empty) {
  int64_t n = 0, at = 0;
  elt t = empty;
  arr_joined joined = {0};
  for (size_t i = 0; i < all->n; i++) {
    const arr *leaf = all->at[i];
    if (leaf->count) arr_join_add(&joined, leaf);
    n += leaf->count;
  }
  if (joined.some) t = arr_joined_type(&joined);
  OWNED arr *r = arr_vec(e->c, t, n);
  size_t each = elt_bytes(t, 1);
  for (size_t i = 0; r && i < all->n; i++) {
    const arr *leaf = all->at[i];
    if (leaf->type == t && arr_copies_bytes(leaf))
      mem_copy((char *)r->host + (size_t)at * each, leaf->host,
               (size_t)leaf->count * each);
    else if (t != ET_NEST) arr_copy(r, at, leaf, 0, leaf->count);
    for (int64_t j = 0; t == ET_NEST && j < leaf->count; j++) {
      arr *one = arr_scalar_at(e->c, leaf, j);
      if (!one) return NULL;
      ((arr **)r->host)[at + j] = one;
    }
    at += leaf->count;
  }
  return arr_move(&r);
}

arr *prim_enlist(prim_env *e, arr *y) {
  leaves all = {0};
  arr *r = NULL;
  if (y->type != ET_NEST) return prim_ravel(e, y);
  if (collect(e, y, &all)) r = join_leaves(e, &all, (elt)seed_of(y)->type);
  vec_free(e->c, &all);
  return r;
}

/* ── all items in a line ──────────────────────────────────────────────────────────────────── */

bool prim_items_alike(const arr *y, bool full) {
  arr *const *item = y->host;
  uint8_t t = item[0]->type;
  if (t == ET_NEST || t == ET_C128) return false;
  for (int64_t i = 0; i < y->count; i++)
    if (item[i]->type != t || item[i]->rank != 1 || (full && !item[i]->count))
      return false;
  return true;
}

void prim_known_of_items(arr *r, arr *const *item, int64_t n) {
  arr_set_range(r, item[0]->lo, item[0]->hi);
  for (int64_t i = 0; i < n; i++) {
    r->has_range &= item[i]->has_range;
    if (item[i]->lo < r->lo) r->lo = item[i]->lo;
    if (item[i]->hi > r->hi) r->hi = item[i]->hi;
  }
}

arr *prim_line_of_items(ctx *c, const arr *y, int64_t n, arr **pairs) {
  arr *const *item = y->host;
  size_t each = elt_bytes((elt)item[0]->type, 1);
  int64_t size = 0;
  *pairs = arr_new(c, ET_I64, 2, (int64_t[]){n, 2});
  int64_t *pair = *pairs ? (*pairs)->host : NULL;
  for (int64_t i = 0; pair && i < n; i++) {
    pair[2 * i] = size;
    pair[2 * i + 1] = size += item[i]->count;
  }
  OWNED arr *r = pair ? arr_vec(c, (elt)item[0]->type, size) : NULL;
  for (int64_t i = 0; r && i < n; i++) {
    if (stops_at(c, i)) return NULL;
    const arr *from = item[i];
    if (r->type == ET_BIT) arr_copy(r, pair[2 * i], from, 0, from->count);
    else
      mem_copy((char *)r->host + (size_t)pair[2 * i] * each, item[i]->host,
               (size_t)item[i]->count * each);
  }
  if (r) prim_known_of_items(r, item, n);
  return arr_move(&r);
}
