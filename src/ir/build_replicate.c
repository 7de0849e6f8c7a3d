/* SPDX-License-Identifier: MIT */
/* build_replicate.c - x/y and x\y along any axis, as indices: which cell of y stands where,
 * numbers below 0 being fill elements.
 *
 *   x        2 0 ¯1 3        x            1 0 1      bits that expand
 *   |x       2 0  1 3        +\x          1 1 2
 *   +\|x     2 2  3 6        (x×+\x)-1    0 ¯1 1     the cells
 *   cell i of the result is of that segment of which it is: how many of these ends are ≤ i
 *   (a search). The segments' own cells are ¯1+(0<x)×⍳≢x, of x\y ¯1+(0<x)×+\0<x. */
#include "../array/element.h"
#include "../array/view.h"
#include "../prim/axis.h"
#include "build.h"
#include "cuts.h"

typedef struct copies { /* of the cells along an axis of n */
  const ir_call *call;
  arr *x;
  int64_t n, total;
  bool expand, fills;
} copies;

/* The count of copies that each number of x makes; NULL after an error. */
static arr *cells_made(const copies *k) {
  OWNED arr *all = with_number(k->call, P_CEIL, 0, arr_retain(k->x));
  OWNED arr *less = with_number(k->call, P_FLOOR, 0, arr_retain(k->x));
  OWNED arr *cells = ir_dyadic(k->call, P_MINUS, all, less);
  if (!k->expand || !cells) return arr_move(&cells);
  OWNED arr *none = with_number(k->call, P_EQ, 0, arr_retain(k->x));
  return ir_dyadic(k->call, P_PLUS, cells, none);
}

/* The cell that each number of x copies, or ¯1. */
static arr *cells_copied(const copies *k, arr *taken) {
  ir_call one = *k->call;
  OWNED arr *number = NULL;
  one.env.io = 1;
  if (k->n == 1) number = arr_retain(taken);
  else if (k->expand) number = ir_scan(k->call, P_PLUS, taken, 0);
  else {
    OWNED arr *n = arr_int(k->call->env.c, k->n);
    number = ir_monadic(&one, P_IOTA, n);
  }
  OWNED arr *some = ir_dyadic(k->call, P_TIMES, taken, number);
  return with_number(k->call, P_PLUS, -1, arr_move(&some));
}

/* Sums of x's counts, and how often it takes and fills. False without an error: x is not as
 * long as it must be, or too much is wanted. */
static bool count_cells(copies *k, arr *cells, arr *taken) {
  const ir_call *call = k->call;
  OWNED arr *total = ir_reduce(call, P_PLUS, cells, 0);
  OWNED arr *used = ir_reduce(call, P_PLUS, taken, 0);
  OWNED arr *empty = with_number(call, P_GT, 0, arr_retain(k->x));
  OWNED arr *fills = ir_reduce(call, P_PLUS, empty, 0);
  if (!total || !used || !fills) return false;
  if (!ir_host(call->g, total) || !ir_host(call->g, used) || !ir_host(call->g, fills))
    return false;
  if (!elt_is_int((elt)total->type)) return false;
  k->total = arr_get_int(total, 0);
  k->fills = k->expand || arr_get_int(fills, 0) > 0;
  return !k->expand || k->n == 1 || arr_get_int(used, 0) == k->n;
}

/* The cells of y that stand along the axis; NULL as count_cells. */
static arr *sources(copies *k) {
  const ir_call *call = k->call;
  if (!k->expand && is_truths(k->x) && k->n > 1) {
    ir_call zero = from_zero(*call);
    OWNED arr *ones = ir_monadic(&zero, P_WHERE, k->x);
    return ones && ones->count ? arr_move(&ones) : NULL;
  }
  OWNED arr *taken = with_number(call, P_LT, 0, arr_retain(k->x));
  OWNED arr *cells = taken ? cells_made(k) : NULL;
  if (!cells || !ir_settle(call->g, cells) || !ir_settle(call->g, taken)) return NULL;
  if (!count_cells(k, cells, taken) || !k->total) return NULL;
  OWNED arr *own = NULL;
  if (k->fills || k->n == 1) own = cells_copied(k, taken);
  if (own && k->expand && is_truths(k->x)) return arr_move(&own);
  OWNED arr *ends = err_is(call->env.c) ? NULL : ir_scan(call, P_PLUS, cells, 0);
  if (!ends || !ir_settle(call->g, ends)) return NULL;
  ir_node numbers = {
      .kind = &kind_search, .p = P_WHERE, .y = ends}; /* of elements' segments */
  OWNED arr *segment = node_new(call, numbers, 1, &k->total);
  return own && segment ? index_axis(call, own, segment, 0, 0, false)
                        : arr_move(&segment);
}

/* Each cell of axis k of y `times` times: nothing is counted. */
static arr *repeated_cells(const ir_call *call, arr *y, int k, int64_t times) {
  split s = split_at(y, k);
  int64_t shape[4] = {s.outer, s.n, times, s.inner}, last[ARR_MAX_RANK];
  if (__builtin_mul_overflow(s.n, times, &last[0])) return NULL;
  for (int j = 0; j < y->rank; j++) last[j] = j == k ? s.n * times : y->shape[j];
  OWNED arr *cells = ir_reshape(call, y, 3, (int64_t[]){s.outer, s.n, s.inner});
  OWNED arr *all = cells ? ir_spread(call, cells, 4, shape, (int[]){0, 1, 3}) : NULL;
  return ir_reshape(call, all, y->rank, last);
}

/* As a node; NULL without an error: it is for the host. */
static arr *by_kernels(const ir_call *call, arr *x, arr *y, int k, bool expand) {
  copies c = {.call = call, .x = x, .n = y->rank ? y->shape[k] : 0, .expand = expand};
  if (!elt_is_int((elt)x->type) || !is_movable(y) || x->rank > 1 || !c.n || !y->count)
    return NULL;
  if (!is_for_kernels(call, y, y->count) && !is_for_kernels(call, x, x->count))
    return NULL;
  if (x->count == 1 && c.n > 1) {
    if (expand || !ir_host(call->g, x) || !elt_is_int((elt)x->type)) return NULL;
    if (arr_get_int(x, 0) <= 0) return NULL;
    return repeated_cells(call, y, k, arr_get_int(x, 0));
  }
  if (!x->count || (!expand && x->count != c.n && c.n != 1)) return NULL;
  OWNED arr *line = x->rank ? arr_retain(x) : ir_monadic(call, P_COMMA, x);
  if (!line) return NULL;
  c.x = line;
  OWNED arr *from = sources(&c);
  if (!from) return NULL;
  /* Whether y's elements are integers must be known before they are filled up. */
  if (c.fills && !ir_settle(call->g, y)) return NULL;
  return index_axis(call, y, from, k, 0, c.fills);
}

arr *ir_replicate(const ir_call *call, arr *x, arr *y, int k, bool expand) {
  prim_env e = call->env;
  if (is_cut(x) || is_cut(y)) {
    arr *cut = call->g->cuts->replicate(call, x, y, k, expand);
    if (cut || err_is(e.c)) return cut;
  }
  bool selects = !expand && y->rank == 1 && x->type == ET_BIT && x->count == y->count;
  if (selects) return ir_compress(call, x, y);
  arr *r = by_kernels(call, x, y, k, expand);
  if (r || err_is(call->env.c)) return r;
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  if (expand) return prim_expand(&e, x, y, k);
  return prim_replicate(&e, x, y, k);
}
