/* SPDX-License-Identifier: MIT */
/* build_select.c - nodes that choose elements: y[x], x/y and ⍸y where a kernel reads through
 * them.
 *
 * The host has loops of its own for what only moves elements, and they are faster than its
 * kernels: so these are nodes where a device has the arrays, or is to have them. */
#include "../array/element.h"
#include "../array/view.h"
#include "../prim/axis.h"
#include "../prim/index.h"
#include "../prim/args.h"
#include "build.h"
#include "cuts.h"
#include "place.h"

/* ── what the kernels are for ── */

bool is_truths(const arr *a) {
  return a->type == ET_BIT && !(a->node && a->node->unresolved);
}

int64_t ones_of(const ir_call *call, arr *x) {
  OWNED arr *n = ir_reduce(call, P_PLUS, x, 0);
  if (!n || !ir_host(call->g, n)) return -1;
  return arr_get_int(n, 0);
}

/* Is a selection from y by the truth values x a matter for a kernel? */
static bool selects_by_kernel(const ir_call *call, const arr *x, const arr *y) {
  if (!is_movable(y) || x->type != ET_BIT) return false;
  if (x->rank != 1 || y->rank != 1 || x->count != y->count) return false;
  return is_for_kernels(call, y, y->count);
}

/* ── indices ── */

arr *index_axis(const ir_call *call, arr *y, arr *x, int k, int64_t first, bool fills) {
  int64_t shape[ARR_MAX_RANK];
  int rank = 0;
  split s = split_at(y, k);
  ir_node n = {.kind = &kind_index, .p = P_SQUAD, .x = x, .y = y, .first = first};
  n.rows = s.outer;
  n.len = s.n;
  n.inner = s.inner;
  n.fills = fills;
  for (int j = 0; j < k; j++) shape[rank++] = y->shape[j];
  for (int j = 0; j < x->rank; j++) shape[rank++] = x->shape[j];
  for (int j = k + 1; j < y->rank; j++) shape[rank++] = y->shape[j];
  return node_new(call, n, rank, shape);
}

/* y's elements at places of its ravel. */
static arr *index_places(const ir_call *call, arr *y, arr *places) {
  ir_node n = {.kind = &kind_index, .p = P_SQUAD, .x = places, .y = y, .rows = 1};
  n.len = y->count;
  n.inner = 1;
  return node_new(call, n, places->rank, places->shape);
}

/* y[at[0];…]: a box for the axes that have one number, then axis by axis what has more. */
typedef struct subscripts {
  int rank; /* of the result */
  int64_t shape[ARR_MAX_RANK], count;
  bool box, lists, there; /* some are one number, or more; or are on the device only */
  int64_t from[ARR_MAX_RANK], size[ARR_MAX_RANK];
} subscripts;

static bool is_on_device(const arr *a) { return a->dev && !a->host; }

static bool one_subscript(const ir_call *call, arr *x, const arr *y, int k,
                          subscripts *s) {
  if (!ir_host(call->g, x)) return false;
  int64_t at = arr_get_int(x, 0), first = call->env.io;
  if (at < first || at - first >= y->shape[k]) return false;
  s->from[k] = at - first;
  s->size[k] = 1;
  s->box = true;
  return true;
}

/* What stands for axis k of y; false: it is not for a kernel, or none of its numbers. */
static bool read_subscript(const ir_call *call, arr *x, const arr *y, int k,
                           subscripts *s) {
  s->from[k] = 0;
  s->size[k] = y->shape[k];
  if (x && !elt_is_int((elt)x->type)) return false;
  if (x && !x->rank) return one_subscript(call, x, y, k, s);
  int rank = x ? x->rank : 1;
  if (s->rank + rank > ARR_MAX_RANK) return false;
  for (int j = 0; j < rank; j++) {
    int64_t length = x ? x->shape[j] : y->shape[k];
    s->shape[s->rank++] = length;
    if (__builtin_mul_overflow(s->count, length, &s->count)) return false;
  }
  s->lists |= x != NULL;
  if (x) s->there |= is_on_device(x);
  return true;
}

/* Is y there, or will it be? */
static bool comes_to_device(const ir_call *call, const arr *y) {
  if (!is_pending(y)) return is_on_device(y);
  return prefers_device(call->g, 2 * elt_bytes((elt)y->type, y->count));
}

static bool should_index(const ir_call *call, const arr *y, const subscripts *s) {
  if (comes_to_device(call, y) && is_long(call, y->count)) return true;
  if (!s->lists) return !y->host && is_long(call, y->count);
  if (!is_long(call, s->count)) return false;
  bool more = !y->host && (y->rank > 1 || is_for_kernels(call, y, y->count));
  return s->there || more ||
         prefers_device(call->g, 2 * elt_bytes((elt)y->type, s->count));
}

static arr *index_subscripts(const ir_call *call, arr *y, int n, arr *const *at,
                             const subscripts *s) {
  OWNED arr *r = s->box ? ir_box(call, y, s->from, s->size) : arr_retain(y);
  for (int k = 0, axis = 0; k < n && r; k++) {
    bool list = at[k] && at[k]->rank;
    arr *next =
        list ? index_axis(call, r, at[k], axis, call->env.io, false) : arr_retain(r);
    arr_release(r);
    r = next;
    axis += list ? at[k]->rank : 1;
  }
  if (!r || !s->box) return arr_move(&r);
  return ir_reshape(call, r, s->rank, s->shape);
}

arr *index_there(const ir_call *call, arr *y, int n, arr *const *at) {
  prim_env e = call->env;
  arr *r = ir_index(call, y, n, at);
  bool here = !r && !err_is(e.c) && ir_host(call->g, y);
  for (int k = 0; k < n && here; k++) here = !at[k] || ir_host(call->g, at[k]);
  return here ? prim_index(&e, y, n, at) : r;
}

/* The places in y's ravel that the rows of a matrix are the indices of, of which a kernel finds out whether they are
 * there; NULL without an error: they cannot be. */
static arr *places_of_rows(const ir_call *call, const arr *y, arr *rows) {
  if (rows->shape[1] != y->rank || !elt_is_int((elt)rows->type)) return NULL;
  const ir_node *of = rows->node;
  bool turned =
      of && of->dims && of->p == P_TRANSPOSE && of->y->rank == 2; /* read as it lies */
  OWNED arr *place = arr_int(call->env.c, 0);
  int64_t behind = y->count;
  for (int k = 0; k < y->rank && place; k++) {
    OWNED arr *number = arr_int(call->env.c, k + call->env.io);
    OWNED arr *n = number ? arr_int(call->env.c, y->shape[k]) : NULL;
    OWNED arr *all = n ? node_numbers(call, y->shape[k]) : NULL;
    arr *at[2] = {turned ? number : NULL, turned ? NULL : number};
    OWNED arr *axis = all ? index_there(call, turned ? of->y : rows, 2, at) : NULL;
    OWNED arr *own = axis ? index_there(call, all, 1, &axis) : NULL;
    behind /= y->shape[k];
    OWNED arr *far = own ? with_number(call, P_TIMES, behind, arr_retain(own)) : NULL;
    arr *sum = ir_dyadic(call, P_PLUS, place, far);
    arr_release(place);
    place = sum;
  }
  return arr_move(&place);
}

/* y[paths]: one path of one step for each element. */
static arr *choose(const ir_call *call, arr *y, arr *paths) {
  prim_env e = call->env;
  OWNED arr *rows = y->host ? NULL : ir_rows(call, paths);
  if (rows) { /* which of them is not there the host finds out */
    uint64_t since = ir_attempt(call->g);
    OWNED arr *there = places_of_rows(call, y, rows);
    OWNED arr *r = there ? index_places(call, y, there) : NULL;
    if (ir_attempt_end(call->g, since, r)) return arr_move(&r);
    if (err_is(e.c)) return NULL;
  }
  if (!comes_to_device(call, y) || !paths->count || !ir_host(call->g, paths)) return NULL;
  OWNED arr *places = prim_try_places(&e, paths, y);
  return places ? index_places(call, y, places) : NULL;
}

/* Some of the items that are rows of a matrix, as such. */
static arr *index_rows(const ir_call *call, arr *y, arr *at) {
  OWNED arr *rows = y->type == ET_NEST && at->rank == 1 ? ir_rows(call, y) : NULL;
  arr *ix[2] = {at, NULL};
  OWNED arr *some = rows ? index_there(call, rows, 2, ix) : NULL;
  return some && ir_settle(call->g, some) ? split_rows(call, some) : NULL;
}

arr *ir_index(const ir_call *call, arr *y, int n, arr *const *at) {
  subscripts s = {.count = 1};
  int64_t place = 0;
  if (n == 1 && !at[0]) return arr_retain(y); /* y[] */
  arr *rows = n == 1 ? index_rows(call, y, at[0]) : NULL;
  if (rows || err_is(call->env.c)) return rows;
  arr *sorted = n == 1 && y->rank == 1 ? ir_sorted(call, y, at[0]) : NULL;
  if (sorted || err_is(call->env.c)) return sorted;
  bool in_parts = is_cut(y);
  for (int k = 0; k < n; k++) in_parts |= is_cut(at[k]);
  arr *cut = in_parts ? call->g->cuts->index(call, y, n, at) : NULL;
  if (cut || err_is(call->env.c)) return cut;
  if (y->host && !prefers_device(call->g, UINT64_MAX)) return NULL;
  if (!is_movable(y) || y->count < 2) return NULL;
  if (n == 1 && at[0] && at[0]->type == ET_NEST) return choose(call, y, at[0]);
  if (n != y->rank || (y->host && !is_long(call, y->count) && n > 1)) return NULL;
  for (int k = 0; k < n; k++) {
    if (!read_subscript(call, at[k], y, k, &s)) return NULL;
    place = place * y->shape[k] + s.from[k];
  }
  if (!s.rank) return ir_pick(call, y, place);
  if (!s.count || !should_index(call, y, &s)) return NULL;
  return index_subscripts(call, y, n, at, &s);
}

/* ── x⌷y, x⊃y, x⌽y ── */

arr *squad_along(const ir_call *call, arr *x, arr *y, arr *axis) {
  prim_env e = call->env;
  arr *at[ARR_MAX_RANK] = {NULL}, *r = NULL;
  int k[ARR_MAX_RANK];
  if (!is_cut(y) && !is_on_device(y) && !is_for_kernels(call, y, y->count)) return NULL;
  if (x->rank > 1 || x->count > y->rank || !y->rank) return NULL;
  /* Items stay where they are, but there have to be some: parts of a vector may be waiting. */
  if (!ir_settle(call->g, x)) return NULL;
  if (x->type != ET_NEST && !ir_host(call->g, x)) return NULL;
  for (int j = 0; j < x->count; j++) k[j] = j;
  if (axis && axes_of(&e, axis, y->rank, k) != x->count) return NULL;
  bool ok = true;
  for (int j = 0; ok && j < x->count; j++) {
    at[k[j]] = arr_scalar_at(call->env.c, x, j);
    ok = at[k[j]] != NULL;
  }
  if (ok) r = ir_index(call, y, y->rank, at);
  for (int j = 0; j < y->rank; j++) arr_release(at[j]);
  return r;
}

arr *picked(const ir_call *call, arr *x, arr *y) {
  prim_env e = call->env;
  int64_t place;
  if (!comes_to_device(call, y) || !is_movable(y)) return NULL;
  if (!ir_host(call->g, x)) return NULL;
  if (!prim_place(&e, x, y, &place)) return NULL;
  return ir_pick(call, y, place);
}

arr *with_number(const ir_call *call, prim f, int64_t x, arr *y) {
  OWNED arr *a = arr_int(call->env.c, x), *b = y;
  return ir_dyadic(call, f, a, b);
}

/* The element at position i of a line comes from position n|i + n|x. */
arr *rotate_lines(const ir_call *call, arr *x, arr *y, int k) {
  int axes[ARR_MAX_RANK];
  split s = split_at(y, k);
  if (!elt_is_int((elt)x->type) || x->rank != y->rank - 1 || y->count < 2) return NULL;
  for (int j = 0; j < x->rank; j++) {
    axes[j] = j + (j >= k);
    if (x->shape[j] != y->shape[axes[j]]) return NULL;
  }
  ir_call zero = from_zero(*call);
  OWNED arr *n = arr_int(call->env.c, s.n), *count = arr_int(call->env.c, y->count);
  OWNED arr *line = ir_monadic(&zero, P_IOTA, n), *all = ir_monadic(&zero, P_IOTA, count);
  OWNED arr *by = with_number(call, P_RESIDUE, s.n, arr_retain(x));
  if (!line || !all || !by) return NULL;
  OWNED arr *i = ir_spread(call, line, y->rank, y->shape, &k);
  OWNED arr *turn = ir_spread(call, by, y->rank, y->shape, axes);
  OWNED arr *number = ir_reshape(call, all, y->rank, y->shape);
  if (!i || !turn || !number) return NULL;
  OWNED arr *from = with_number(call, P_RESIDUE, s.n, ir_dyadic(call, P_PLUS, i, turn));
  OWNED arr *by_line = ir_dyadic(call, P_MINUS, from, i);
  OWNED arr *step = with_number(call, P_TIMES, s.inner, arr_move(&by_line));
  OWNED arr *places = ir_dyadic(call, P_PLUS, number, step);
  return places ? index_places(call, y, places) : NULL;
}

arr *ir_places(const ir_call *call, arr *y, int n, arr *const *at) {
  subscripts s = {.count = 1};
  if (n != y->rank || !n) return NULL;
  if (n == 1 && at[0]) return arr_retain(at[0]);
  for (int k = 0; k < n; k++) {
    if (!read_subscript(call, at[k], y, k, &s)) return NULL;
    if (!at[k] || !at[k]->rank) continue;
    if (!at[k]->count || !ir_within(call, at[k], call->env.io, y->shape[k])) return NULL;
  }
  OWNED arr *count = arr_int(call->env.c, y->count);
  OWNED arr *line = ir_monadic(call, P_IOTA, count);
  OWNED arr *numbers = ir_reshape(call, line, y->rank, y->shape);
  if (is_cut(numbers)) return ir_index(call, numbers, n, at);
  return numbers ? index_subscripts(call, numbers, n, at, &s) : NULL;
}

/* ── selection ── */

/* The truth values are stored: they are read to be counted, and twice by the kernel; they may
 * turn out to be other numbers. */
arr *ir_compress(const ir_call *call, arr *x, arr *y) {
  prim_env e = call->env;
  if (selects_by_kernel(call, x, y) && !ir_settle(call->g, x)) return NULL;
  if (selects_by_kernel(call, x, y)) {
    int64_t n = ones_of(call, x);
    if (n < 0) return NULL;
    if (n == y->count) return arr_retain(y);
    ir_node taken = {.kind = &kind_compress, .p = P_RIGHT, .x = x, .y = y, .rows = 1};
    taken.len = y->count;
    taken.inner = 1;
    if (n) return node_new(call, taken, 1, &n);
    if (!ir_resolve(call->g, y)) return NULL;
    if (is_readable(y, true)) return arr_vec(e.c, (elt)y->type, 0);
  }
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  return prim_replicate(&e, x, y, 0);
}

arr *counts_of(const ir_call *call, arr *y) {
  int64_t lo, hi;
  ir_call exact = exactly(*call);
  if (is_truths(y)) return arr_retain(y);
  if (!is_readable(y, false) || !ir_settle(call->g, y)) return NULL;
  bool is_int = elt_is_int((elt)y->type);
  OWNED arr *whole = is_int ? arr_retain(y) : ir_monadic(&exact, P_FLOOR, y);
  OWNED arr *same = ir_dyadic(&exact, P_EQ, whole, y);
  OWNED arr *all = is_int ? arr_int(call->env.c, 1) : ir_reduce(call, P_AND, same, 0);
  if (!all || !ir_host(call->g, all) || !arr_get_int(all, 0)) return NULL;
  if (!ir_settle(call->g, whole) || !elt_is_int((elt)whole->type)) return NULL;
  if (!ir_measure(call, whole, &lo, &hi) || lo < 0) return NULL;
  return hi > 1 ? arr_move(&whole) : with_number(call, P_NE, 0, arr_move(&whole));
}

/* The index vectors of the ones of an array of several axes: where they are in the ravel comes to the host. */
static arr *where_in_axes(const ir_call *call, arr *y) {
  ir_call from_0 = from_zero(*call);
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  OWNED arr *at = line ? where_ones(&from_0, line) : NULL;
  prim_env e = call->env;
  return at && ir_host(call->g, at) ? prim_index_vectors(&e, at, y) : NULL;
}

arr *where_ones(const ir_call *call, arr *y) {
  arr *cut = is_cut(y) ? call->g->cuts->where(call, y) : NULL;
  if (cut || err_is(call->env.c)) return cut;
  if (!is_for_kernels(call, y, y->count)) return NULL;
  if (y->rank > 1) return where_in_axes(call, y);
  if (!y->rank) return NULL;
  OWNED arr *counts = counts_of(call, y);
  OWNED arr *n = counts ? arr_int(call->env.c, y->count) : NULL;
  OWNED arr *numbers = ir_monadic(call, P_IOTA, n);
  return numbers ? ir_replicate(call, counts, numbers, 0, false) : NULL;
}
