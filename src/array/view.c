/* SPDX-License-Identifier: MIT */
/* view.c - making views, and running them on the host.
 *
 * view_copy makes the result, fills what no part covers, and hands each part to box_copy.c as a
 * box with as few axes as describe it. Simple results are filled first. In nested ones the
 * items that are still NULL at the end get the prototype, so that no reference is written
 * over. */
#include "view.h"
#include "box_copy.h"
#include "convert.h"
#include "element.h"
#include "../base/mem.h"

/* ── shapes ─────────────────────────────────────────────────────────────────────────── */

void strides_of(int rank, const int64_t *shape, int64_t *strides) {
  int64_t s = 1;
  for (int k = rank - 1; k >= 0; k--) {
    strides[k] = s;
    /* Lengths of an empty array may be too large to multiply; then no stride is used. */
    if (shape[k] && __builtin_mul_overflow(s, shape[k], &s)) s = 1;
  }
}

split split_at(const arr *y, int k) {
  return (split){arr_product(k, y->shape), y->shape[k],
                 arr_product(y->rank - k - 1, y->shape + k + 1)};
}

/* ── making views ───────────────────────────────────────────────────────────────────── */

bool view_shape(ctx *c, view *v, int rank, const int64_t *shape) {
  if (!arr_count(c, rank, shape, &v->count)) return false;
  v->rank = rank;
  for (int k = 0; k < rank; k++) v->shape[k] = shape[k];
  v->itself = v->fills = false;
  v->like = v->parts = 0;
  v->modulo = 0;
  return true;
}

view_part *view_add(view *v) {
  view_part *p = &v->part[v->parts++];
  p->source = 0;
  p->rank = v->rank;
  p->to = p->from = 0;
  strides_of(v->rank, v->shape, p->to_stride);
  for (int k = 0; k < v->rank; k++) {
    p->len[k] = v->shape[k];
    p->stride[k] = 0;
    p->list[k] = NULL;
  }
  return p;
}

bool view_itself(ctx *c, view *v, const arr *y) {
  if (!view_shape(c, v, y->rank, y->shape)) return false;
  v->itself = true;
  return true;
}

bool view_ravelled(ctx *c, view *v, int64_t first, int rank, const int64_t *shape) {
  if (!view_shape(c, v, rank, shape)) return false;
  view_part *p = view_add(v);
  p->from = first;
  for (int k = 0; k < rank; k++) p->stride[k] = p->to_stride[k];
  return true;
}

void view_simplify(const view_part *p, view_part *to) {
  to->source = p->source;
  to->rank = 0;
  to->to = p->to;
  to->from = p->from;
  for (int k = 0; k < p->rank; k++)
    if (!p->len[k]) to->rank = -1; /* and others may be longer than any array */
  for (int k = 0; k < p->rank && to->rank >= 0; k++) {
    int64_t n = p->len[k];
    int at = to->rank - 1; /* the axis before */
    if (n == 1) {
      if (p->list[k]) to->from += arr_get_int(p->list[k], 0) * p->stride[k];
      continue;
    }
    bool joins = at >= 0 && !p->list[k] && !to->list[at] &&
                 to->to_stride[at] == n * p->to_stride[k] &&
                 to->stride[at] == n * p->stride[k];
    if (joins) n *= to->len[at];
    else at = to->rank++;
    to->len[at] = n;
    to->to_stride[at] = p->to_stride[k];
    to->stride[at] = p->stride[k];
    to->list[at] = p->list[k];
  }
}

/* ── results and their fill elements ────────────────────────────────────────────────── */

arr *arr_like(ctx *c, const arr *y, int rank, const int64_t *shape) {
  OWNED arr *r = arr_new(c, (elt)y->type, rank, shape);
  if (!r) return NULL;
  r->has_range = y->has_range;
  r->lo = y->lo;
  r->hi = y->hi;
  if (r->count || y->type != ET_NEST) return arr_move(&r);
  arr *p = arr_proto(c, arr_item(y, 0));
  *(arr **)r->host = p;
  return p ? arr_squeeze(c, arr_move(&r)) : NULL;
}

bool arr_blank(arr *r) {
  bool text = elt_is_char((elt)r->type);
  int64_t fill = text ? ' ' : 0;
  if (r->type == ET_NEST) return true;
  if (fill < r->lo) r->lo = fill;
  if (fill > r->hi) r->hi = fill;
  if (!text) return mem_fill(r->c, r->host, 0, elt_bytes((elt)r->type, r->count));
  if (!r->count) return true;
  arr_put_int(r, 0, fill);
  return arr_repeat(r, 1);
}

arr *arr_fill_rest(ctx *c, arr *result, const arr *y) {
  OWNED arr *r = result, *p = NULL;
  if (!r || r->type != ET_NEST || !r->count) return arr_move(&r);
  arr **items = r->host;
  for (int64_t i = 0; i < r->count; i++) {
    if (stops_at(c, i)) return NULL;
    if (items[i]) continue;
    if (!p) p = arr_proto(c, arr_item(y, 0));
    if (!p) return NULL;
    items[i] = p->ref ? arr_move(&p) : arr_retain(p); /* each reference is another one */
  }
  return arr_squeeze(c, arr_move(&r));
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

void arr_join_ranges(arr *r, const arr *x, const arr *y) {
  if (elt_kind((elt)r->type) != KIND_INT && !elt_is_char((elt)r->type)) return;
  if (!x->has_range || !y->has_range) return;
  int64_t lo = x->lo, hi = x->hi;
  if (y->lo < lo) lo = y->lo;
  if (y->hi > hi) hi = y->hi;
  arr_set_range(r, lo, hi);
}

/* The array for the result of a view. Empty sources do not affect its type. */
static arr *new_result(ctx *c, const view *v, arr *const *from) {
  if (!v->count) return arr_like(c, from[v->like], v->rank, v->shape);
  if (v->parts < 2 || v->part[1].source == 0)
    return arr_like(c, from[0], v->rank, v->shape);
  const arr *x = from[0], *y = from[1];
  if (!x->count) return arr_like(c, y, v->rank, v->shape);
  if (!y->count) return arr_like(c, x, v->rank, v->shape);
  arr *r = arr_new(c, arr_join_type(x, y), v->rank, v->shape);
  if (r) arr_join_ranges(r, x, y);
  return r;
}

bool view_copy_part(arr *r, const arr *from, const view_part *p) {
  view_part box;
  if (!from->count) return true;
  if (p->rank == 1) return copy_line(r, from, p);
  view_simplify(p, &box);
  return box.rank < 0 || copy_box(r, from, &box);
}

static int64_t part_count(const view_part *p) {
  int64_t n = 1;
  for (int k = 0; k < p->rank; k++) n *= p->len[k];
  return n;
}

/* A source of another type than the result. Runs are converted as they are copied; but what is
 * repeated is converted once, and what becomes nested is made of scalar arrays. */
static bool copy_converted(ctx *c, const view_part *p, arr *r, arr *from) {
  bool repeated = from->count == 1 && part_count(p) > 1;
  if (!repeated && r->type != ET_NEST) return view_copy_part(r, from, p);
  OWNED arr *as = arr_convert(c, from, (elt)r->type);
  return as && view_copy_part(r, as, p);
}

static bool copy_source(ctx *c, const view *v, int i, arr *r, arr *const *from) {
  const view_part *p = &v->part[i];
  arr *y = from[p->source];
  if (y->type != r->type && y->count) return copy_converted(c, p, r, y);
  return view_copy_part(r, y, p);
}

arr *view_copy(ctx *c, const view *v, arr *const *from) {
  if (v->itself) return arr_retain(from[0]);
  OWNED arr *r = new_result(c, v, from);
  if (!r || !r->count) return arr_move(&r);
  if (v->modulo) {
    if (!arr_copy_long(r, 0, from[0], 0, v->modulo) || !arr_repeat(r, v->modulo))
      return NULL;
  }
  if (v->fills && !arr_blank(r)) return NULL;
  for (int i = 0; i < v->parts; i++)
    if (!copy_source(c, v, i, r, from)) return NULL;
  if (v->fills) return arr_fill_rest(c, arr_move(&r), from[0]);
  if (r->type == ET_NEST) return arr_squeeze(c, arr_move(&r));
  return arr_move(&r);
}

void view_put(arr *r, const view *at, const arr *v) {
  view_part box;
  view_simplify(&at->part[0], &box);
  if (box.rank < 0) return;
  for (int k = 0; k < box.rank && v->count == 1; k++) box.to_stride[k] = 0;
  put_box(r, v, &box);
}
