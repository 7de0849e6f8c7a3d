/* SPDX-License-Identifier: MIT */
/* build_select.c - nodes that choose elements: y[x], x/y and ⍸y where a kernel reads through
 * them.
 *
 * The host has loops of its own for what only moves elements, and they are faster than its
 * kernels: so these are nodes where a device has the arrays, or is to have them. */
#include "../array/element.h"
#include "../array/view.h"
#include "../base/arith.h"
#include "../prim/axis.h"
#include "../tables/prim_fold.h"
#include "build.h"
#include "place.h"
#include "plan.h"

/* ── what the kernels are for ── */

int64_t ones_of(const ir_call *call, arr *x) {
  OWNED arr *n = ir_reduce(call, P_PLUS, x, 0);
  if (!n || !ir_host(call->g, n)) return -1;
  return arr_get_int(n, 0);
}

/* Is a selection from y by the truth values x a matter for a kernel? */
static bool selects_by_kernel(const ir_call *call, const arr *x, const arr *y) {
  if (!is_readable(y, true) || x->type != ET_BIT) return false;
  if (x->rank != 1 || y->rank != 1 || x->count != y->count) return false;
  return is_for_kernels(call, y, y->count);
}

arr *ir_index(const ir_call *call, arr *y, arr *x) {
  if (!elt_is_int((elt)x->type) || y->rank != 1 || y->count < 2 || !is_readable(y, true))
    return NULL;
  if (!is_long(call, x->count)) return NULL;
  uint64_t bytes = elt_bytes((elt)x->type, x->count) + elt_bytes((elt)y->type, x->count);
  bool there = (y->dev && !y->host) || (x->dev && !x->host);
  if (!there && !prefers_device(call->g, bytes)) return NULL;
  ir_node n = {.kind = N_INDEX, .p = P_SQUAD, .x = x, .y = y, .first = call->env.io};
  return node_new(call, n, x->rank, x->shape);
}

/* ── y[i;j] ── */

/* One axis of an index: whole numbers of any shape, one number, or all of the axis. */
typedef struct subscript {
  arr *list; /* checked numbers from 0; NULL: one number, or all */
  bool all;
  int64_t one; /* that number, from 0 */
  int rank;    /* of what it gives to the result's shape */
} subscript;

typedef struct subscripts {
  int n, rank;
  subscript at[ARR_MAX_RANK];
  int64_t shape[ARR_MAX_RANK], count;
} subscripts;

static void subscripts_drop(subscripts *s) {
  for (int k = 0; k < s->n; k++)
    if (s->at[k].list) arr_release(s->at[k].list);
}
#define OWNED_SUBSCRIPTS __attribute__((cleanup(subscripts_drop))) subscripts

/* 0 to n-1. */
static arr *numbers_below(const ir_call *call, int64_t n) {
  ir_call zero = *call;
  zero.env.io = 0;
  OWNED arr *count = arr_int(call->env.c, n);
  if (!count) return NULL;
  return ir_monadic(&zero, P_IOTA, count);
}

/* What stands for axis k of y, of the array x, or of none; false: it is not for a kernel. */
static bool read_subscript(const arr *x, const arr *y, int k, int io, subscripts *s) {
  subscript *to = &s->at[k];
  int64_t n = y->shape[k];
  *to = (subscript){.all = !x, .rank = 1};
  if (x && !x->rank && x->host && elt_is_int((elt)x->type)) {
    to->rank = 0;
    to->one = arr_get_int(x, 0) - io;
    return to->one >= 0 && to->one < n;
  }
  if (x && (!elt_is_int((elt)x->type) || !x->rank || !x->count)) return false;
  if (x) to->rank = x->rank;
  if (s->rank + to->rank > ARR_MAX_RANK) return false;
  for (int j = 0; j < to->rank; j++) {
    int64_t length = x ? x->shape[j] : n;
    s->shape[s->rank++] = length;
    if (__builtin_mul_overflow(s->count, length, &s->count)) return false;
  }
  return true;
}

/* The numbers of an axis, those that are none's being an error: they index its own. */
static arr *checked(const ir_call *call, arr *x, int64_t n) {
  OWNED arr *own = numbers_below(call, n);
  if (!own) return NULL;
  ir_node in = {.kind = N_INDEX, .p = P_SQUAD, .x = x, .y = own, .first = call->env.io};
  return node_new(call, in, x->rank, x->shape);
}

/* y's elements from one number each in some axes, and all of the others. */
static arr *cross_section(const ir_call *call, arr *y, const subscripts *s) {
  int64_t from[ARR_MAX_RANK], size[ARR_MAX_RANK];
  for (int k = 0; k < s->n; k++) {
    from[k] = s->at[k].one;
    size[k] = s->at[k].all ? y->shape[k] : 1;
  }
  OWNED arr *box = ir_box(call, y, from, size);
  OWNED arr *shape = arr_int_vec(call->env.c, s->rank, s->shape);
  if (!box || !shape) return NULL;
  return ir_dyadic(call, P_RHO, shape, box);
}

/* *sum and the numbers along one axis, of which each is `stride` elements. */
static bool add_axis(const ir_call *call, const subscripts *s, int k, int at,
                     int64_t stride, arr **sum) {
  int axes[ARR_MAX_RANK];
  for (int j = 0; j < s->at[k].rank; j++) axes[j] = at + j;
  OWNED arr *spread = ir_spread(call, s->at[k].list, s->rank, s->shape, axes);
  OWNED arr *by = arr_int(call->env.c, stride);
  if (!spread || !by) return false;
  OWNED arr *term = ir_dyadic(call, P_TIMES, spread, by);
  if (!term) return false;
  OWNED arr *before = arr_move(sum);
  *sum = before ? ir_dyadic(call, P_PLUS, before, term) : arr_move(&term);
  return *sum != NULL;
}

/* Where the elements are in y's ravel. */
static arr *places(const ir_call *call, const arr *y, const subscripts *s) {
  int64_t strides[ARR_MAX_RANK], skip = 0;
  arr *sum = NULL;
  strides_of(y->rank, y->shape, strides);
  for (int k = 0, at = 0; k < s->n; at += s->at[k++].rank) {
    if (!s->at[k].list) skip += s->at[k].one * strides[k];
    else if (!add_axis(call, s, k, at, strides[k], &sum)) {
      if (sum) arr_release(sum);
      return NULL;
    }
  }
  OWNED arr *all = sum, *more = arr_int(call->env.c, skip);
  if (!more || !skip) return arr_move(&all);
  if (!all) return arr_move(&more);
  return ir_dyadic(call, P_PLUS, all, more);
}

arr *ir_index_axes(const ir_call *call, arr *y, int n, arr *const *at) {
  OWNED_SUBSCRIPTS s = {.count = 1};
  if (y->host && !prefers_device(call->g, 2 * elt_bytes((elt)y->type, y->count)))
    return NULL;
  if (n != y->rank || !is_readable(y, true) || !is_long(call, y->count)) return NULL;
  bool lists = false;
  for (int k = 0; k < n; k++) {
    if (!read_subscript(at[k], y, k, call->env.io, &s)) return NULL;
    s.n = k + 1;
    lists |= s.at[k].rank && !s.at[k].all;
  }
  if (!s.rank || !s.count) return NULL;
  if (!lists) return cross_section(call, y, &s);
  if (!is_long(call, s.count)) return NULL;
  for (int k = 0; k < n; k++) {
    subscript *to = &s.at[k];
    if (to->all) to->list = numbers_below(call, y->shape[k]);
    else if (to->rank) to->list = checked(call, at[k], y->shape[k]);
    if (to->rank && !to->list) return NULL;
  }
  OWNED arr *where = places(call, y, &s);
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  if (!where || !line) return NULL;
  ir_node in = {.kind = N_INDEX, .p = P_SQUAD, .x = where, .y = line};
  return node_new(call, in, s.rank, s.shape);
}

arr *ir_places(const ir_call *call, arr *y, int n, arr *const *at) {
  OWNED_SUBSCRIPTS s = {.count = 1};
  int64_t lo, hi, io = call->env.io;
  if (n != y->rank || !n) return NULL;
  if (n == 1 && at[0]) return arr_retain(at[0]);
  OWNED arr *origin = arr_int(call->env.c, io);
  if (!origin) return NULL;
  for (int k = 0; k < n; k++) {
    subscript *to = &s.at[k];
    if (!read_subscript(at[k], y, k, (int)io, &s)) return NULL;
    s.n = k + 1;
    if (to->all) to->list = numbers_below(call, y->shape[k]);
    else if (to->rank) {
      if (!ir_settle(call->g, at[k]) || !ir_bounds(call, at[k], &lo, &hi)) return NULL;
      if (lo < io || hi - io >= y->shape[k]) return NULL;
      to->list = ir_dyadic(call, P_MINUS, at[k], origin);
    }
    if (to->rank && !to->list) return NULL;
  }
  OWNED arr *where = places(call, y, &s);
  return where ? ir_dyadic(call, P_PLUS, where, origin) : NULL;
}

/* ── selection ── */

/* The truth values are stored: they are read to be counted, and twice by the kernel. */
arr *ir_compress(const ir_call *call, arr *x, arr *y) {
  prim_env e = call->env;
  if (selects_by_kernel(call, x, y)) {
    if (!ir_settle(call->g, x)) return NULL;
    int64_t n = ones_of(call, x);
    if (n < 0) return NULL;
    if (n == y->count) return arr_retain(y);
    ir_node taken = {.kind = N_COMPRESS, .p = P_RIGHT, .x = x, .y = y, .rows = 1};
    taken.len = y->count;
    taken.inner = 1;
    if (n) return node_new(call, taken, 1, &n);
  }
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  return prim_replicate(&e, x, y, 0);
}

arr *where_ones(const ir_call *call, arr *y) {
  if (!selects_by_kernel(call, y, y)) return NULL;
  OWNED arr *n = arr_int(call->env.c, y->count);
  if (!n) return NULL;
  OWNED arr *numbers = ir_monadic(call, P_IOTA, n);
  if (!numbers) return NULL;
  return ir_compress(call, y, numbers);
}
