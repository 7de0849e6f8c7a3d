/* SPDX-License-Identifier: MIT */
/* partition.c - x⊂y and x⊆y: an axis is cut into parts, which become items. */
#include "struct.h"
#include "../array/element.h"

#include <string.h>

/* Positions from..to-1 along axis k of y as an array of their own. */
static arr *slice(prim_env *e, arr *y, int k, int64_t from, int64_t to) {
  int64_t shape[ARR_MAX_RANK];
  view v;
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[k] = to - from;
  if (!view_shape(e->c, &v, y->rank, shape)) return NULL;
  view_part *p = view_add(&v);
  strides_of(y->rank, y->shape, p->stride);
  if (v.count) p->from = from * p->stride[k];
  return view_copy(e->c, &v, &y);
}

typedef struct parts { /* a vector of slices along axis k of y while it is made */
  prim_env *e;
  arr *y, *r;
  int k;
  int64_t n;
} parts;

static bool add_part(parts *p, int64_t from, int64_t to) {
  arr *item = slice(p->e, p->y, p->k, from, to);
  ((arr **)p->r->host)[p->n++] = item;
  return item != NULL;
}

/* Makes room for n parts; without any the vector is empty, with an empty part as its
 * prototype. */
static bool parts_new(parts *p, int64_t n) {
  p->r = arr_vec(p->e->c, ET_NEST, n);
  return p->r && (n || add_part(p, 0, 0));
}

static arr *parts_done(parts *p, bool ok) {
  if (ok) return p->r;
  arr_release(p->r);
  return NULL;
}

/* The left argument of a partition: whole numbers ≥ 0, one for each position or a scalar
 * for all. ⊂ may leave some out at the end, or have one more. */
static arr *part_marks(prim_env *e, arr *x, const arr *y, int k, bool uneven) {
  if (!y->rank) return fail(e, ERR_RANK, "the right argument must not be a scalar");
  int64_t n = y->shape[k];
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  bool fits = x->count == n || x->count == 1;
  if (uneven) fits = x->count <= n + 1;
  if (x->rank && !fits)
    return fail(e, ERR_LENGTH, "the left argument does not fit the axis that is cut");
  OWNED arr *m = prim_ints(e, x, "the left argument");
  for (int64_t i = 0; m && i < m->count; i++)
    if (arr_get_int(m, i) < 0)
      return fail(e, ERR_DOMAIN, "the left argument must not be negative");
  if (!m || uneven || m->count != 1) return arr_move(&m);
  return arr_scalar_at(e->c, m, 0);
}

static int64_t mark_at(const arr *m, int64_t i) {
  if (!m->rank) return arr_get_int(m, 0);
  return i < m->count ? arr_get_int(m, i) : 0;
}

/* How many parts x⊂y starts in front of position i of n; a scalar says nothing of the end. */
static int64_t starts_at(const arr *m, int64_t i, int64_t n) {
  if (!m->rank && i == n) return 0;
  return mark_at(m, i);
}

/* x⊂y: x[i] parts start in front of position i, all but the last of them empty. */
arr *partition_axis(prim_env *e, arr *x, arr *y, int k) {
  OWNED arr *m = part_marks(e, x, y, k, true);
  if (!m) return NULL;
  int64_t n = y->shape[k], total = 0, open = -1;
  for (int64_t i = 0; i <= n; i++) {
    int64_t v = starts_at(m, i, n);
    if (v > INT64_MAX / 16 - total) return fail(e, ERR_WS_FULL, "too many parts");
    total += v;
  }
  parts p = {.e = e, .y = y, .k = k};
  bool ok = parts_new(&p, total);
  for (int64_t i = 0; ok && i <= n; i++) {
    for (int64_t v = starts_at(m, i, n); ok && v > 0; v--) {
      if (open >= 0) ok = add_part(&p, open, i);
      open = i;
    }
  }
  if (ok && open >= 0) ok = add_part(&p, open, n);
  return parts_done(&p, ok);
}

/* x⊆y: a part starts where x grows, positions with x of 0 are in none. */
static arr *nest_line(prim_env *e, const arr *m, arr *y) {
  int64_t n = y->count, count = 0, from = -1, before = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t v = mark_at(m, i);
    if (v > before) count++;
    before = v;
  }
  parts p = {.e = e, .y = y};
  bool ok = parts_new(&p, count);
  before = 0;
  for (int64_t i = 0; ok && i <= n; i++) {
    int64_t v = i < n ? mark_at(m, i) : 0;
    if (from >= 0 && (!v || v > before)) {
      ok = add_part(&p, from, i);
      from = -1;
    }
    if (v > before) from = i;
    before = v;
  }
  return parts_done(&p, ok);
}

/* Rank above 1: the parts are vectors along axis k, one vector of them for each line. */
arr *nest_axis(prim_env *e, arr *x, arr *y, int k) {
  int64_t to[ARR_MAX_RANK];
  view v;
  OWNED arr *m = part_marks(e, x, y, k, false);
  if (!m) return NULL;
  if (y->rank == 1) return nest_line(e, m, y);
  OWNED arr *lines = enclose_axes(e, y, 1, &k);
  if (!lines) return NULL;
  for (int64_t i = 0; i < arr_item_count(lines); i++) {
    OWNED arr *line = arr_item(lines, i);
    arr *nested = nest_line(e, m, line);
    ((arr **)lines->host)[i] = nested;
    if (!nested) return NULL;
  }
  OWNED arr *mixed = prim_mix(e, lines);
  if (!mixed) return NULL;
  /* The axis of the parts goes where it came from. */
  for (int j = 0; j < y->rank - 1; j++) to[j] = j + (j >= k);
  to[y->rank - 1] = k;
  if (!move_transpose(e, mixed, to, y->rank, &v)) return NULL;
  return view_copy(e->c, &v, &mixed);
}

arr *prim_partition(prim_env *e, arr *x, arr *y) {
  return partition_axis(e, x, y, last_axis(y->rank));
}
arr *prim_nest_by(prim_env *e, arr *x, arr *y) {
  return nest_axis(e, x, y, last_axis(y->rank));
}
