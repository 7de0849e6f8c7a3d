/* SPDX-License-Identifier: MIT */
/* build_order.c - ⍋y, ⍒y, y[⍋y] and x[⍋y] as nodes, where a device has the array or is to have it. No
 * kernel of the host does this: there the direct path does (exec.c). But ⍋y of integers waits
 * there, too: y[⍋y] needs no positions. */
#include "../array/element.h"
#include "../base/arith.h"
#include "../prim/index.h"
#include "../prim/sort_keys.h"
#include "../prim/scalar.h"
#include "../tables/fast.h"
#include "build.h"
#include "cuts.h"
#include "place.h"
#include "plan.h"

enum { WORTH_A_LOOK = 1 << 16 }; /* every byte of the range is a pass */

/* The order of y, or x's elements so. */
static arr *order_node(const ir_call *call, prim f, arr *x, arr *y) {
  ir_node n = {.kind = &kind_order, .p = f, .y = y, .first = call->env.io, .sorted = x};
  if (x != y) n.x = x;
  n.inner = 1;
  n.len = y->shape[y->rank - 1];
  n.rows = y->count / n.len;
  arr *r = node_new(call, n, y->rank, y->shape);
  if (r) r->distinct = !x && n.rows == 1;
  return r;
}

arr *first_of_order(const ir_call *call, const ir_node *v, int rank,
                    const int64_t *shape) {
  const ir_node *of = v->y->node;
  arr *part = NULL;
  if (!of || of->kind != &kind_order) return NULL;
#define FAST_ORDER_PART(way) FAST_FIRST(part, call->env.c, way(call, v, rank, shape))
#include "../tables/fast.def"
  if (part || err_is(call->env.c)) return part;
  if (of->sorted || v->first || v->dims) return NULL;
  if (arr_product(rank, shape) != of->rows) return NULL;
  if (of->rows > 1 && v->step != of->len) return NULL;
  seek seeks = of->p == P_DOWN ? SEEK_DOWN : SEEK_UP;
  return first_in_order(call, seeks, of->y, of->first, rank, shape);
}

arr *ir_place_of_extreme(const ir_call *call, arr *x, const arr *m) {
  const ir_node *n = m->node;
  if (!n || n->kind->task != KIR_REDUCE || n->y != x || n->x || n->pairs || n->fn)
    return NULL;
  if ((n->p != P_CEIL && n->p != P_FLOOR) || n->seeks || n->axis != x->rank - 1)
    return NULL;
  if (elt_is_char((elt)x->type)) return NULL;
  seek seeks = n->p == P_CEIL ? SEEK_DOWN : SEEK_LEAST;
  return first_in_order(call, seeks, x, call->env.io, m->rank, m->shape);
}

/* Is y a vector on the host, and long enough, that is ordered in less time without positions? */
static bool has_values(const ir_call *call, const arr *y) {
  enum { SHORTER = 32 }; /* an order costs more than tune.middle is for */
  return (sort_is_whole(y) || y->type == ET_F64) && y->rank == 1 && y->host &&
         y->count > call->g->tune.middle / SHORTER;
}

arr *ir_order_lines(const ir_call *call, prim f, arr *y) {
  if (!y->rank || !y->count || y->count >= UINT32_MAX || !is_readable(y, true))
    return NULL;
  if (!is_for_kernels(call, y, y->count)) {
    if (y->rank > 1 || !ir_host(call->g, y) || !has_values(call, y)) return NULL;
    return order_node(call, f, NULL, y);
  }
  if (!find_range(call, y, WORTH_A_LOOK)) return NULL;
  return order_node(call, f, NULL, y);
}

/* Truth values in order are as many noughts and ones as there are: no element moves. */
static arr *sorted_truths(const ir_call *call, prim f, arr *y) {
  OWNED arr *ones = ir_reduce(call, P_PLUS, y, 0), *n = arr_int(call->env.c, y->count);
  ir_node numbers = {.kind = &kind_iota, .p = P_IOTA, .first = 1, .step = 1};
  OWNED arr *place = node_new(call, numbers, 1, y->shape);
  if (!ones || !n || !place) return NULL;
  if (f == P_DOWN) return ir_dyadic(call, P_LE, place, ones);
  OWNED arr *noughts = ir_dyadic(call, P_MINUS, n, ones);
  return ir_dyadic(call, P_GT, place, noughts);
}

/* Where each of the numbers whose counts these are begins when they are in order. */
static arr *begins_of(const ir_call *call, arr *counts, int64_t n) {
  OWNED arr *sums = ir_scan(call, P_PLUS, counts, 0);
  OWNED arr *before = ir_dyadic(call, P_MINUS, sums, counts);
  OWNED arr *starts = node_convert(call, before, n < INT32_MAX ? ET_I32 : ET_I64);
  arr *r = settled(call, &starts);
  if (r) arr_set_range(r, 0, n);
  return r;
}

/* y's elements from the least on, or from the greatest, whole numbers or characters of a small
 * range: as many of each as have been counted, each place looking for its own. NULL without an
 * error: they are none such. */
static arr *sorted_by_counts(const ir_call *call, prim f, arr *y) {
  enum { RANGE = 1 << 12, EACH = 16 };
  int64_t lo, hi, n = y->count;
  if (y->rank != 1 || !ir_settle(call->g, y)) return NULL;
  OWNED arr *a = whole_numbers(call, y);
  if (!a || !has_small_range(call, a, min_i64(RANGE, n / EACH), &lo, &hi)) return NULL;
  OWNED arr *counts = stored_fill(call, hi - lo + 1, 0, n < INT32_MAX ? ET_I32 : ET_I64);
  if (!counts || !put_counts(call, &counts, a, lo)) return NULL;
  OWNED arr *begins = begins_of(call, counts, n);
  ir_node numbers = {.kind = &kind_iota, .p = P_IOTA, .step = 1};
  if (f == P_DOWN) {
    numbers.first = n - 1;
    numbers.step = -1;
  }
  OWNED arr *place = begins ? node_new(call, numbers, 1, y->shape) : NULL;
  ir_node look = {.kind = &kind_search, .p = P_WHERE, .x = place, .y = begins};
  arr *upto = place ? node_new(call, look, 1, y->shape) : NULL;
  OWNED arr *value = upto ? with_number(call, P_PLUS, lo - 1, upto) : NULL;
  return node_convert(call, value, (elt)y->type);
}

/* Should y's elements go along with the keys of an order that nobody else needs, rather than be
 * read wherever their numbers are found? Each pass moves them instead of a number; what is read so
 * comes in sectors of 32 bytes. */
static bool should_go_along(const ir_call *call, const arr *y, const arr *x) {
  enum { NUMBER = 4, SAVED = 44 };
  const arr *keys = x->node->y;
  bool same = y->rank == 1 && keys->rank == 1 && y->count == keys->count;
  if (!same || x->refs > 1u + x->node->listed || !is_readable(y, true)) return false;
  if (y->node && y->node->complex) return false;
  if (!is_for_kernels(call, keys, y->count) || !is_for_kernels(call, y, y->count))
    return false;
  int64_t bytes = (int64_t)elt_bytes((elt)y->type, 1);
  return bytes <= NUMBER || 2 * (bytes - NUMBER) * order_key_bytes(keys) < SAVED;
}

/* x's elements in the order of y's, which may be x itself. Elements of less than 32 bits are sorted as
 * numbers of 32: places come in no order, and to put together words of several takes atomics. */
static arr *sorted_by(const ir_call *call, prim f, arr *x, arr *y) {
  bool narrow = elt_bits((elt)x->type) < 32 && x->count >= WORTH_A_LOOK;
  if (!narrow) return order_node(call, f, x, y);
  OWNED arr *wide = node_convert(call, x, ET_I32);
  if (x == y) y = wide;
  OWNED arr *r = wide ? order_node(call, f, wide, y) : NULL;
  return node_convert(call, r, (elt)x->type);
}

arr *ir_sorted(const ir_call *call, arr *y, const arr *x) {
  if (is_cut(x)) return call->g->cuts->sorted(call, y, x);
  const ir_node *order = x->node;
  bool is = order && order->kind == &kind_order && !order->sorted;
  if (!is || order->first != call->env.io) return NULL;
  if (order->y != y) {
    if (!should_go_along(call, y, x)) return NULL;
    return sorted_by(call, order->p, y, order->y);
  }
  if (!is_for_kernels(call, y, y->count) && has_values(call, y))
    return sort_values(call->env.c, y, order->p == P_DOWN);
  bool truths = is_truths(y);
  if (truths && y->rank == 1) return sorted_truths(call, order->p, y);
  arr *counted = sorted_by_counts(call, order->p, y);
  if (counted || err_is(call->env.c)) return counted;
  return sorted_by(call, order->p, y, y);
}

/* ── rows ── */

/* Column k of the matrix y. */
static arr *column_of(const ir_call *call, arr *y, int64_t k) {
  OWNED arr *column = arr_int(call->env.c, k + call->env.io);
  arr *at[2] = {NULL, column};
  if (!column) return NULL;
  return index_there(call, y, 2, at);
}

static arr *digits_together(const ir_call *call, arr *y, int64_t from, int64_t n,
                            int64_t lo, int bits) {
  OWNED arr *r = NULL, *least = arr_int(call->env.c, lo);
  for (int64_t k = from - n; k < from; k++) {
    OWNED arr *column = column_of(call, y, k);
    OWNED arr *low = ir_dyadic(call, P_MINUS, column, least);
    if (!low) return NULL;
    OWNED arr *high = NULL;
    if (r) high = with_number(call, P_TIMES, INT64_C(1) << bits, arr_move(&r));
    if (r || (k > from - n && !high)) return NULL;
    r = high ? ir_dyadic(call, P_PLUS, high, low) : arr_retain(low);
    if (!r) return NULL;
  }
  return arr_move(&r);
}

int bits_between(int64_t lo, int64_t hi) {
  int bits = 1;
  while (bits < 62 && ((uint64_t)hi - (uint64_t)lo) >> bits) bits++;
  return bits;
}

/* Stored in no more bytes than the digits need: they are read several times. */
arr *columns_as_one(const ir_call *call, arr *y, int64_t from, int64_t n, int64_t lo,
                    int bits) {
  int64_t most = max_i64((INT64_C(1) << (n * bits)) - 1, INT8_MAX);
  OWNED arr *all = digits_together(call, y, from, n, lo, bits);
  OWNED arr *keys = node_convert(call, all, elt_for_range(0, most));
  if (!keys || !ir_settle(call->g, keys)) return NULL;
  arr_set_range(keys, 0, most);
  return arr_move(&keys);
}

/* The rows of the matrix y, of whole numbers from lo on that so many bits tell apart, or of any
 * others: by their last columns first, as many at a time as make a number. */
static arr *grade_rows(const ir_call *call, prim f, arr *y, int64_t lo, int bits) {
  int64_t columns = y->shape[1], each = 62 / bits;
  OWNED arr *r = NULL;
  for (int64_t from = columns; from > 0; from -= each) {
    int64_t n = min_i64(each, from);
    OWNED arr *keys = NULL;
    if (each > 1) keys = columns_as_one(call, y, from, n, lo, bits);
    else keys = column_of(call, y, from - 1);
    if (!keys) return NULL;
    arr *at[1] = {r};
    OWNED arr *these = r ? ir_index(call, keys, 1, at) : arr_retain(keys);
    OWNED arr *next = these ? ir_order_lines(call, f, these) : NULL;
    if (!next) return NULL;
    arr *of[1] = {next};
    arr *all = r ? ir_index(call, r, 1, of) : arr_retain(next);
    arr_release(r);
    r = all;
    if (!r) return NULL;
  }
  return arr_move(&r);
}

enum { MOST_COLUMNS = 64, CELLS = 32 };

/* Each complex number as a row of its parts. */
static arr *rows_of_parts(const ir_call *call, arr *y) {
  OWNED arr *re = ir_monadic(call, P_REAL, y);
  OWNED arr *im = re ? ir_monadic(call, P_IMAGINARY, y) : NULL;
  const int64_t shape[2] = {y->count, 1};
  OWNED arr *left = im ? ir_reshape(call, re, 2, shape) : NULL;
  OWNED arr *right = left ? ir_reshape(call, im, 2, shape) : NULL;
  return ir_dyadic(call, P_COMMA, left, right);
}

arr *ir_grade(const ir_call *call, prim f, arr *y) {
  OWNED arr *rows = y->type == ET_NEST ? ir_rows(call, y) : NULL;
  arr *as_rows = rows ? ir_grade(call, f, rows) : NULL; /* in order as items are */
  if (rows) return as_rows || err_is(call->env.c) ? as_rows : direct1(call, f, rows);
  bool known =
      y->type != ET_C128 || !is_for_kernels(call, y, y->count) || ir_settle(call->g, y);
  if (!known) return NULL;
  if (y->rank == 1 && y->type != ET_C128) return ir_order_lines(call, f, y);
  bool can = y->rank && y->count && is_movable(y), there = false;
  if (can &&
      is_long(call, y->count)) /* comparing one the host could read as many bytes */
    there = opens_device(call->g, CELLS * elt_bytes((elt)y->type, y->count));
  can &= there || is_for_kernels(call, y, y->count);
  if (!can || y->count / y->shape[0] > MOST_COLUMNS || y->shape[0] < 2) return NULL;
  if (!ir_resolve(call->g, y)) return NULL;
  int64_t shape[2] = {y->shape[0], y->count / y->shape[0]};
  OWNED arr *numbers = NULL;
  if (elt_is_char((elt)y->type)) numbers = ir_code_points(call, y);
  else if (y->type == ET_C128) numbers = rows_of_parts(call, y);
  else numbers = arr_retain(y);
  if (y->type == ET_C128) shape[1] *= 2;
  if (!numbers || !find_range(call, numbers, WORTH_A_LOOK)) return NULL;
  int64_t lo = 0, hi = INT64_MAX;
  bool whole = elt_is_int((elt)numbers->type);
  if (elt_is_char((elt)y->type)) numbers->has_range = false; /* it is that of its type */
  if (whole && !ir_bounds(call, numbers, &lo, &hi)) return NULL;
  OWNED arr *table = ir_reshape(call, numbers, 2, shape);
  return table ? grade_rows(call, f, table, lo, bits_between(lo, hi)) : NULL;
}

arr *ir_collate(const ir_call *call, prim f, arr *x, arr *y) {
  bool can = x->rank == 1 && x->count && elt_is_char((elt)x->type) &&
             elt_is_char((elt)y->type) && y->rank && is_readable(y, true);
  if (!can || !is_for_kernels(call, y, y->count)) return NULL;
  OWNED arr *places = ir_dyadic(call, P_IOTA, x, y);
  return places ? ir_grade(call, f, places) : NULL;
}
