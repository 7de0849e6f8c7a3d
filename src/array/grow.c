/* SPDX-License-Identifier: MIT */
/* grow.c - arrays that show elements which another array keeps: slices, and what grows.
 *
 * An array whose elements are another's has that one's memory, a reference to it (drop_user),
 * and arr_shared as its `drop`. Shared elements are never written over.
 *
 * An array that is catenated to repeatedly would be copied each time. So the second catenation
 * copies it to a buffer, an array that is only seen through slices, with room behind its elements
 * or in front of them. The third one writes y behind the elements of x, where no slice reaches yet,
 * and the result is a slice of both. x may still be in use: its slice is what it was.
 *
 *     buffer  | . . . | a b c | d e | . . . . |
 *                       └─ x ─┘                    first, end: what the slices show
 *                       └─── x,y ───┘
 */
#include "grow.h"
#include "convert.h"
#include "element.h"

#include <string.h>

void arr_share(arr *a, arr *y, int64_t first) {
  arr *owner = y;
  if (arr_shows(y)) owner = y->drop_user;
  a->host = (char *)y->host + elt_bytes((elt)y->type, first);
  a->drop_user = arr_retain(owner);
  a->drop = arr_shared;
}

bool arr_is_ours(const arr *x) {
  if (x->refs > 1 || !x->host || x->dev) return false;
  if (!x->drop) return true;
  return arr_shows(x) && ((const arr *)x->drop_user)->refs == 1;
}

bool arr_may_slice(const arr *y, int64_t n) {
  enum { FEW_BYTES = 1024 };
  if (!y->host || (y->type == ET_BIT && n < y->count)) return false;
  return elt_bytes((elt)y->type, n) >= FEW_BYTES &&
         n >= (arr_shows(y) ? ((const arr *)y->drop_user)->count : y->count) / 2;
}

arr *arr_try_slice(ctx *c, const view *v, arr *y) {
  view_part box;
  if (v->parts != 1 || v->fills || v->modulo || !arr_may_slice(y, v->count)) return NULL;
  view_simplify(&v->part[0], &box);
  if (box.rank > 1 || box.stride[0] != 1 || box.list[0]) return NULL;
  arr *r = arr_new_pending(c, (elt)y->type, v->rank, v->shape);
  if (!r) return NULL;
  arr_share(r, y, box.from);
  if (y->has_range) arr_set_range(r, y->lo, y->hi);
  r->items_on_host = y->items_on_host;
  return arr_squeeze(c, r);
}

/* ── what grows ─────────────────────────────────────────────────────────────────────── */

/* The elements of a buffer that are shown: from number lo to the one before hi. */
static int64_t *first_of(arr *buffer) { return &buffer->lo; }
static int64_t *end_of(arr *buffer) { return &buffer->hi; }

/* Where x's elements begin in its buffer. */
static int64_t place_in(const arr *buffer, const arr *x) {
  size_t bytes = (size_t)((const char *)x->host - (const char *)buffer->host);
  return (int64_t)(bytes / elt_bytes((elt)x->type, 1));
}

/* Has x a buffer with room for n elements next to it? */
static bool has_room(const arr *x, int64_t n, bool before) {
  if (!arr_shows(x)) return false;
  arr *b = x->drop_user;
  if (!b->buffer || b->type != x->type) return false;
  int64_t at = place_in(b, x);
  if (before) return at == *first_of(b) && at >= n;
  return at + x->count == *end_of(b) && b->count - *end_of(b) >= n;
}

/* An array of x's elements in a new buffer, with room for n more and then half as many. */
static arr *with_room(ctx *c, const arr *x, int64_t n, bool before) {
  int64_t all = 0, at = 0;
  if (__builtin_add_overflow(x->count, n + x->count / 2 + 16, &all)) return NULL;
  if (before) at = all - x->count;
  OWNED arr *b = arr_vec(c, (elt)x->type, all);
  if (!b) return NULL;
  b->buffer = true;
  b->items_on_host = x->items_on_host;
  *first_of(b) = at;
  *end_of(b) = at + x->count;
  arr_copy(b, at, x, 0, x->count);
  arr *r = arr_new_pending(c, (elt)x->type, x->rank, x->shape);
  if (r) arr_share(r, b, at);
  return r;
}

/* Does a hold no nested array that is a slice of a buffer? An item of a buffer must
 * not refer to the buffer, for they would keep each other alive. *look: how many items
 * may still be looked at. */
static bool is_apart(const arr *a, int *look) {
  if (!arr_nests(a)) return true;
  if (arr_shows(a)) a = a->drop_user; /* a slice keeps all items of its owner */
  if (a->buffer || !a->host) return false;
  for (int64_t i = 0; i < arr_item_count(a); i++)
    if (--*look < 0 || !is_apart(arr_item(a, i), look)) return false;
  return true;
}

/* Can y's elements be appended to x's along the first axis without conversion? y has
 * *n cells there. */
static bool joins(const arr *x, const arr *y, int64_t *n) {
  if (x->type == ET_BIT || elt_join((elt)x->type, (elt)y->type) != (elt)x->type)
    return false;
  int look = 64;
  if (!x->rank || !is_apart(y, &look) || !y->count || y->count > x->count) return false;
  int less = x->rank - y->rank;
  *n = less ? 1 : y->shape[0];
  if (less < 0 || less > 1) return false;
  const int64_t *cell = y->shape + 1 - less;
  return !memcmp(x->shape + 1, cell, (size_t)(x->rank - 1) * sizeof *cell);
}

arr *arr_try_append(ctx *c, arr *x, arr *y, bool before) {
  int64_t cells, shape[ARR_MAX_RANK];
  if (!x->grows || !x->host || !y->host || !joins(x, y, &cells)) return NULL;
  OWNED arr *roomy = NULL, *more = arr_convert(c, y, (elt)x->type);
  if (has_room(x, y->count, before)) roomy = arr_retain(x);
  else roomy = with_room(c, x, y->count, before);
  if (!roomy || !more) return NULL;
  memcpy(shape, x->shape, (size_t)x->rank * sizeof *shape);
  shape[0] += cells;
  arr *r = arr_new_pending(c, (elt)x->type, x->rank, shape);
  if (!r) return NULL;
  arr *b = roomy->drop_user;
  int64_t at = place_in(b, roomy), to = at + x->count;
  if (before) to = *first_of(b) = at -= y->count;
  else *end_of(b) += y->count;
  arr_copy(b, to, more, 0, more->count);
  arr_share(r, b, at);
  r->grows = true;
  if (r->type != ET_NEST) arr_join_ranges(r, x, y);
  b->items_on_host &= y->items_on_host || y->type != ET_NEST;
  r->items_on_host = x->items_on_host && b->items_on_host;
  return r;
}
