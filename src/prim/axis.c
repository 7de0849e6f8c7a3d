/* SPDX-License-Identifier: MIT */
/* axis.c - replicate and expand, and the structural functions with an axis in brackets.
 *
 * Replicate and expand see their argument as outer × axis × inner and walk along the axis
 * once for each outer cell, copying runs of `inner` elements. A truth vector on a simple
 * vector, the usual filter, has a loop of its own for each width. */
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/match.h"

#include <math.h>

/* ── x/y x\y ───────────────────────────────────────────────────────────────────────── */

typedef struct plan { /* how an axis of n cells is copied to one of `total` */
  const arr *m;       /* the left argument; one element stands for all */
  int64_t n, steps, total;
  bool expand, fills;
} plan;

static int64_t mark(const plan *p, int64_t i) {
  return arr_get_int(p->m, p->m->count == 1 ? 0 : i);
}

/* Cells that number v makes in the result. */
static uint64_t cells_of(const plan *p, int64_t v) {
  if (v < 0) return 0 - (uint64_t)v;
  return v || !p->expand ? (uint64_t)v : 1;
}

static bool plan_total(prim_env *e, plan *p) {
  uint64_t total = 0;
  int64_t used = 0;
  for (int64_t i = 0; i < p->steps; i++) {
    int64_t v = mark(p, i);
    uint64_t more = cells_of(p, v);
    if (more > (uint64_t)INT64_MAX - total)
      return err_set(e->c, ERR_LIMIT, "the axis is too long");
    total += more;
    used += v > 0;
    if (v < 0 || (p->expand && !v)) p->fills = true;
  }
  p->total = (int64_t)total;
  if (p->expand && p->n != 1 && used != p->n)
    return err_set(e->c, ERR_LENGTH, "%lld cells are wanted of %lld", (long long)used,
                   (long long)p->n);
  return true;
}

static bool plan_new(prim_env *e, plan *p, const arr *m, int64_t n, bool expand) {
  *p = (plan){.m = m, .n = n, .expand = expand, .steps = m->count};
  if (!expand) {
    if (m->count != 1 && m->count != n && n != 1)
      return err_set(e->c, ERR_LENGTH,
                     "the left argument has %lld elements for %lld cells",
                     (long long)m->count, (long long)n);
    if (m->count == 1) p->steps = n;
  }
  return plan_total(e, p);
}

/* One line along the axis: cells of `inner` elements from y[yo] to r[ro]. */
static void run_line(const plan *p, arr *r, int64_t ro, const arr *y, int64_t yo,
                     int64_t inner) {
  int64_t cell = 0;
  for (int64_t i = 0; i < p->steps; i++) {
    int64_t v = mark(p, i);
    if (v > 0) {
      int64_t from = yo + (p->n == 1 ? 0 : p->expand ? cell : i) * inner;
      for (int64_t k = 0; k < v; k++) arr_copy(r, ro + k * inner, y, from, inner);
      cell++;
    }
    ro += (int64_t)cells_of(p, v) * inner;
  }
}

#define FILTER(T)                                                                        \
  {                                                                                      \
    T *to = (T *)r->host;                                                                \
    const T *from = (const T *)y->host;                                                  \
    for (int64_t i = 0, j = 0; j < r->count; i++) {                                      \
      to[j] = from[i];                                                                   \
      j += mask[i >> 3] >> (i & 7) & 1;                                                  \
    }                                                                                    \
    return true;                                                                         \
  }

/* A truth vector on a simple vector of whole bytes; false if it is something else. */
static bool filter(const plan *p, arr *r, const arr *y, split s) {
  if (p->m->type != ET_BIT || p->m->count != p->n || p->n == 1 || p->expand) return false;
  if (s.outer != 1 || s.inner != 1 || y->type == ET_NEST) return false;
  const uint8_t *mask = p->m->host;
  switch (elt_bits((elt)y->type)) {
  case 8: FILTER(uint8_t)
  case 16: FILTER(uint16_t)
  case 32: FILTER(uint32_t)
  case 64: FILTER(uint64_t)
  default: return false;
  }
}

static arr *copy_cells(prim_env *e, arr *x, arr *y, int axis, bool expand) {
  plan p;
  int64_t shape[ARR_MAX_RANK] = {1};
  arr *r = NULL;
  if (x->rank > 1)
    return fail(e, ERR_RANK, "the left argument must be a scalar or a vector");
  arr *m = prim_ints(e, x, "the left argument");
  if (!m) return NULL;
  for (int k = 0; k < y->rank; k++) shape[k] = y->shape[k];
  split s = y->rank ? split_at(y, axis) : (split){1, 1, 1};
  if (plan_new(e, &p, m, s.n, expand)) {
    shape[y->rank ? axis : 0] = p.total;
    r = new_like(e, y, y->rank ? y->rank : 1, shape);
  }
  if (r && r->count && !filter(&p, r, y, s)) {
    int64_t outer = r->count / p.total; /* y may be empty where r is not */
    if (p.fills) fill_simple(r), range_with_fill(r);
    s.inner = 1;
    for (int k = axis + 1; k < y->rank; k++) s.inner *= y->shape[k];
    outer /= s.inner;
    for (int64_t o = 0; o < outer; o++)
      run_line(&p, r, o * p.total * s.inner, y, o * s.n * s.inner, s.inner);
  }
  arr_release(m);
  if (r && p.fills && r->count) return fill_rest(e, r, y);
  return arr_squeeze(e->c, r);
}

arr *prim_replicate(prim_env *e, arr *x, arr *y, int axis) {
  return cx_demote(e->c, copy_cells(e, x, y, axis, false));
}
arr *prim_expand(prim_env *e, arr *x, arr *y, int axis) {
  return copy_cells(e, x, y, axis, true);
}

/* ── f[axis] ────────────────────────────────────────────────────────────────────────── */

static arr *no_axis(prim_env *e) {
  return fail(e, ERR_SYNTAX, "the function takes no axis");
}

arr *prim_monadic_axis(prim_env *e, prim f, arr *y, arr *axis) {
  int k[ARR_MAX_RANK], n;
  switch (f) {
  case P_COMMA: return ravel_axis(e, y, axis);
  case P_TAKE: return mix_axis(e, y, axis);
  case P_REVERSE:
  case P_REVERSE1: return prim_axis(e, axis, y, k) ? reverse_axis(e, y, k[0]) : NULL;
  case P_DROP: return prim_axis(e, axis, y, k) ? enclose_axes(e, y, 1, k) : NULL;
  case P_ENCLOSE:
    n = axes_of(e, axis, y->rank, k);
    return n < 0 ? NULL : enclose_axes(e, y, n, k);
  default: return no_axis(e);
  }
}

/* x,[axis]y: a whole number joins along that axis, a fraction makes a new one there. */
static arr *join_axis(prim_env *e, arr *x, arr *y, arr *axis) {
  int rank = x->rank > y->rank ? x->rank : y->rank;
  if (axis->count != 1) return fail(e, ERR_LENGTH, "the axis must be one number");
  arr *one = arr_scalar_at(e->c, axis, 0);
  if (!one) return NULL;
  bool real = elt_is_num((elt)one->type) && one->type != ET_C128;
  double at = real ? arr_get_float(one, 0) - e->io : 0;
  arr_release(one);
  if (!real) return fail(e, ERR_DOMAIN, "the axis must be a number");
  if (num_equal(at, rint(at), e->ct)) {
    if (rint(at) < 0 || rint(at) >= rank)
      return fail(e, ERR_RANK, "there is no such axis");
    return catenate_axis(e, x, y, (int)rint(at));
  }
  if (!(at > -1 && at < rank))
    return fail(e, ERR_RANK, "there is no place for that axis");
  return laminate(e, x, y, (int)ceil(at));
}

/* The axes for x↑[axis]y and the like: one for each element of x. */
static bool axes_for(prim_env *e, const arr *x, arr *axis, int rank, int *n, int *k) {
  if (x->rank > 1) return err_set(e->c, ERR_RANK, "the left argument must be a vector");
  *n = axes_of(e, axis, rank, k);
  if (*n < 0) return false;
  return *n == x->count ||
         err_set(e->c, ERR_LENGTH, "the left argument has %lld elements for %d axes",
                 (long long)x->count, *n);
}

arr *prim_spread(prim_env *e, const arr *a, int rank, const int64_t *shape,
                 const int *k) {
  int64_t from[ARR_MAX_RANK] = {0}, to[ARR_MAX_RANK], of[ARR_MAX_RANK];
  strides_of(a->rank, a->shape, of);
  strides_of(rank, shape, to);
  for (int i = 0; i < a->rank; i++) from[k[i]] = of[i];
  arr *r = new_like(e, a, rank, shape);
  if (r && r->count) copy_box(r, 0, to, a, 0, from, rank, shape);
  return r;
}

bool prim_scalar_axes(prim_env *e, const arr *x, const arr *y, arr *axis, int *k) {
  const arr *low = x->rank < y->rank ? x : y, *high = low == x ? y : x;
  int n = axes_of(e, axis, high->rank, k);
  if (n < 0) return false;
  if (n != low->rank)
    return err_set(e->c, ERR_RANK, "one axis is needed for each of the lower rank");
  for (int i = 0; i < n; i++)
    if (low->shape[i] != high->shape[k[i]])
      return err_set(e->c, ERR_LENGTH, "the lengths differ along these axes");
  return true;
}

arr *prim_dyadic_axis(prim_env *e, prim f, arr *x, arr *y, arr *axis) {
  int k[ARR_MAX_RANK], n;
  switch (f) {
  case P_COMMA:
  case P_COMMA1: return join_axis(e, x, y, axis);
  case P_REVERSE:
  case P_REVERSE1: return prim_axis(e, axis, y, k) ? rotate_axis(e, x, y, k[0]) : NULL;
  case P_TAKE:
    return axes_for(e, x, axis, y->rank, &n, k) ? take_axes(e, x, y, n, k) : NULL;
  case P_DROP:
    return axes_for(e, x, axis, y->rank, &n, k) ? drop_axes(e, x, y, n, k) : NULL;
  case P_SQUAD:
    return axes_for(e, x, axis, y->rank, &n, k) ? squad_axes(e, x, y, n, k) : NULL;
  case P_ENCLOSE: return prim_axis(e, axis, y, k) ? partition_axis(e, x, y, k[0]) : NULL;
  case P_NEST: return prim_axis(e, axis, y, k) ? nest_axis(e, x, y, k[0]) : NULL;
  default: return no_axis(e);
  }
}
