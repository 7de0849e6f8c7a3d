/* SPDX-License-Identifier: MIT */
/* places.c - which elements moves and indices select, as a formula.
 *
 * A move reads the ravel of its argument with a stride along each axis of its result (move.h). If
 * the argument is itself a formula, a step of the ravel is a step along each of its axes: the
 * digits of the step in the number system whose bases are the lengths. That holds as long as no
 * axis is left on the way, which is asked for the first and the last element along each axis. So
 * (3↑⌽x)← costs three elements, however many x has. */
#include "places.h"
#include "move.h"
#include "subscript.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include <string.h>

void places_all(places *p, const arr *x, int64_t first) {
  p->rank = x->rank;
  p->count = x->count;
  p->from = p->lo = first;
  p->hi = first + max_i64(x->count - 1, 0);
  memcpy(p->shape, x->shape, x->rank * sizeof *p->shape);
  strides_of(p->rank, p->shape, p->stride);
}

/* The digits of n, at most p's last number, as steps along p's axes. */
static void digits_of(const places *p, int64_t n, int64_t *steps) {
  int64_t unit[ARR_MAX_RANK], sign = n < 0 ? -1 : 1;
  strides_of(p->rank, p->shape, unit);
  n *= sign;
  for (int k = 0; k < p->rank; k++) {
    steps[k] = sign * (n / unit[k]);
    n %= unit[k];
  }
}

/* How far such steps lead. */
static int64_t distance(const places *p, const int64_t *steps) {
  int64_t n = 0;
  for (int k = 0; k < p->rank; k++) n += steps[k] * p->stride[k];
  return n;
}

int64_t places_at(const places *p, int64_t i) {
  int64_t steps[ARR_MAX_RANK];
  digits_of(p, i, steps);
  return p->from + distance(p, steps);
}

/* Is p's ravel a formula, a number and one stride? */
static bool is_line(const places *p, int64_t *stride) {
  int64_t unit[ARR_MAX_RANK];
  strides_of(p->rank, p->shape, unit);
  *stride = 1;
  for (int k = 0; k < p->rank; k++)
    if (p->shape[k] > 1) *stride = p->stride[k] / unit[k];
  for (int k = 0; k < p->rank; k++)
    if (p->shape[k] > 1 && p->stride[k] != *stride * unit[k]) return false;
  return true;
}

/* *r, which has q's shape, becomes what q reads in p's ravel, axis by axis of p. */
static bool compose(const places *p, const view_part *q, places *r) {
  int64_t lo[ARR_MAX_RANK], hi[ARR_MAX_RANK], steps[ARR_MAX_RANK];
  digits_of(p, q->from, lo);
  memcpy(hi, lo, sizeof hi);
  r->from = p->from + distance(p, lo);
  for (int j = 0; j < q->rank; j++) {
    digits_of(p, q->stride[j], steps);
    r->stride[j] = distance(p, steps);
    for (int k = 0; k < p->rank && q->len[j] > 1; k++) {
      int64_t way = steps[k] * (q->len[j] - 1);
      lo[k] += min_i64(way, 0);
      hi[k] += max_i64(way, 0);
    }
  }
  for (int k = 0; k < p->rank; k++)
    if (lo[k] < 0 || hi[k] >= p->shape[k]) return false;
  return true;
}

/* What the view v reads of p, which is not empty. */
static bool read_by(const view *v, places *p) {
  const view_part *q = &v->part[0];
  places r = {.rank = v->rank, .count = v->count, .lo = p->lo, .hi = p->hi};
  int64_t stride;
  if (v->parts != 1 || v->fills || v->modulo || !v->count || q->rank != v->rank)
    return false;
  for (int k = 0; k < q->rank; k++) {
    r.shape[k] = v->shape[k];
    if (q->list[k] || q->len[k] != v->shape[k]) return false;
  }
  if (is_line(p, &stride)) {
    r.from = p->from + stride * q->from;
    for (int k = 0; k < q->rank; k++) r.stride[k] = stride * q->stride[k];
  } else if (!compose(p, q, &r)) return false;
  *p = r;
  return true;
}

/* An array of p's shape that has no elements: moves look at nothing else. */
static arr *shape_of(ctx *c, const places *p) {
  return arr_new_pending(c, ET_I64, p->rank, p->shape);
}

bool places_try_move(prim_env *e, places *p, prim f, const arr *x) {
  view v;
  OWNED arr *y = shape_of(e->c, p);
  if (!y || !p->count) return false;
  bool ok = x ? move_dyadic(e, f, x, y, &v) : move_monadic(e, f, y, &v);
  return ok && (v.itself || read_by(&v, p));
}

/* ── as an array ────────────────────────────────────────────────────────────────────── */

/* Numbers `at` to at + m - 1 along a line of numbers, in r from element `to` on. */
#define PUT_LINE(T)                                                                      \
  {                                                                                      \
    T *p = (T *)r->host + to;                                                            \
    for (int64_t i = 0; list && i < m; i++) p[i] = (T)(from + stride * list[at + i]);    \
    for (int64_t i = 0; !list && i < m; i++) p[i] = (T)(from + stride * (at + i));       \
  }

/* A line of n numbers. */
static bool places_put_line(arr *r, int64_t to, int64_t n, int64_t from, int64_t stride,
                            const int64_t *list) {
  enum { STRETCH = 1 << 16 };
  for (int64_t at = 0, m; at < n; at += m, to += m) {
    m = min_i64(n - at, STRETCH);
    if (r->type == ET_I32) PUT_LINE(int32_t)
    else PUT_LINE(int64_t)
    if (n > STRETCH / 8 && interrupted(r->c)) return false;
  }
  return true;
}

/* `way` goes to the next place of the axes of q that come before the last one. */
static void next_line(const view_part *q, int64_t *way) {
  for (int k = q->rank - 2; k >= 0; k--) {
    if (++way[k] < q->len[k]) return;
    way[k] = 0;
  }
}

/* The numbers in a list, which are of 64 bits; NULL: there is none. */
static const int64_t *listed(const view_part *q, int k) {
  return q->list[k] ? q->list[k]->host : NULL;
}

/* The numbers that q reads, in r, which is theirs. */
static bool put_part(arr *r, const view_part *q) {
  int64_t way[ARR_MAX_RANK] = {0}, n = 1, stride = 0;
  const int64_t *list = NULL;
  int last = q->rank - 1;
  if (q->rank) {
    n = q->len[last];
    stride = q->stride[last];
    list = listed(q, last);
  }
  for (int64_t to = 0; to < r->count; to += n) {
    int64_t from = q->from;
    for (int k = 0; k < last; k++) {
      const int64_t *at = listed(q, k);
      from += q->stride[k] * (at ? at[way[k]] : way[k]);
    }
    if ((to & 0xFFFF) < n && interrupted(r->c)) return false;
    if (!places_put_line(r, to, n, from, stride, list)) return false;
    next_line(q, way);
  }
  return true;
}

static arr *numbers_of(ctx *c, const places *p, const view *v, const view_part *q) {
  OWNED arr *r = arr_new(c, p->hi > INT32_MAX ? ET_I64 : ET_I32, v->rank, v->shape);
  if (!r || !put_part(r, q)) return NULL;
  arr_set_range(r, p->lo, p->hi);
  return arr_move(&r);
}

arr *places_numbers(ctx *c, const places *p) {
  view v;
  if (!view_shape(c, &v, p->rank, p->shape)) return NULL;
  view_part *q = view_add(&v);
  q->from = p->from;
  memcpy(q->stride, p->stride, sizeof q->stride);
  return numbers_of(c, p, &v, q);
}

/* The indices of axis k become numbers of 64 bits. */
static bool places_widen(prim_env *e, subscripts *s, int k) {
  if (!s->at[k]) return true;
  arr *wide = arr_convert(e->c, s->at[k], ET_I64);
  if (!wide) return false;
  arr_release(s->at[k]);
  s->v.part[0].list[k] = s->at[k] = wide;
  return true;
}

/* s reads p instead of an array. */
static bool read_places(prim_env *e, const places *p, subscripts *s) {
  view_part *q = &s->v.part[0];
  q->from = p->from;
  for (int k = 0; k < s->n; k++) {
    if (!places_widen(e, s, k)) return false;
    q->stride[k] = p->stride[k];
    if (q->list[k]) q->from -= e->io * q->stride[k];
  }
  return true;
}

arr *places_index(prim_env *e, const places *p, int n, arr *const *at) {
  subscripts s = {.n = 0};
  OWNED arr *y = shape_of(e->c, p);
  bool ok = y && subscripts_of(e, y, n, at, &s) && read_places(e, p, &s);
  arr *r = ok ? numbers_of(e->c, p, &s.v, &s.v.part[0]) : NULL;
  subscripts_free(&s);
  return r;
}

arr *places_squad(prim_env *e, const places *p, const arr *x) {
  arr *at[ARR_MAX_RANK] = {NULL}, *r = NULL;
  bool ok = true;
  if (x->rank > 1) return err_null(e->c, ERR_RANK, "the left argument must be a vector");
  if (x->count > p->rank)
    return err_null(e->c, ERR_LENGTH, "more indices than the array has axes");
  for (int k = 0; ok && k < x->count; k++) {
    at[k] = arr_scalar_at(e->c, x, k);
    ok = at[k] != NULL;
  }
  if (ok) r = places_index(e, p, p->rank, at);
  for (int k = 0; k < x->count; k++) arr_release(at[k]);
  return r;
}

bool places_pick(prim_env *e, const places *p, const arr *path, int64_t *n) {
  OWNED arr *y = shape_of(e->c, p);
  if (!y || !prim_place(e, path, y, n)) return false;
  *n = places_at(p, *n);
  return true;
}

arr *places_try_choose(prim_env *e, const places *p, const arr *at) {
  OWNED arr *y = shape_of(e->c, p);
  OWNED arr *r = y ? prim_try_places(e, at, y) : NULL;
  if (!r) return NULL;
  int64_t *n = r->host;
  for (int64_t i = 0; i < r->count; i++) n[i] = places_at(p, n[i]);
  arr_set_range(r, p->lo, p->hi);
  return arr_move(&r);
}
