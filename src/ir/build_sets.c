/* SPDX-License-Identifier: MIT */
/* build_sets.c - where is each element of y first in x? x⍳y and what is made of it, ∊ ∪ ∩ ~ ≠,
 * where a device has the arrays.
 *
 * Whole numbers and characters of a small range have a table of first positions:
 *
 *   first[k] = the least i with x[i] = k, by atomic minima; else how many x has
 *
 * with one more place below and one above, for whatever is not in the range; a look into it
 * answers for an element of y. The different ones themselves, where the range is small, are what
 * the table has, put in the order of their first positions. Other numbers have seats in a table by a hash (node_lookup.c).
 *
 * Complex numbers are told by the places of their parts in order, as one whole number; rows of whole numbers
 * or characters by as many columns as make a number, and several of those likewise by their places.
 *
 * Floats that equal others within ⎕CT, NaN and infinities are for the host, which goes by the
 * definition; whether there are such is seen on the way. */
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../codegen/codegen.h"
#include "../prim/scalar.h"
#include "../prim/sort_keys.h"
#include "build.h"
#include "cuts.h"

#include <math.h>

#include <string.h>

/* Longer tables than so many elements, or than so many for each of x's, are not made. */
enum { TABLE = 1 << 21, TABLE_EACH = 4 };

arr *whole_numbers(const ir_call *call, arr *a) {
  if (elt_is_int((elt)a->type)) return arr_retain(a);
  if (a->type == ET_C8) return node_convert(call, a, ET_I16);
  if (elt_is_char((elt)a->type)) return node_convert(call, a, ET_I32);
  return NULL;
}

arr *clamped(const ir_call *call, arr *y, int64_t lo, int64_t hi) {
  OWNED arr *below = arr_int(call->env.c, lo - 1);
  OWNED arr *above = arr_int(call->env.c, hi + 1);
  if (!below || !above) return NULL;
  OWNED arr *high = ir_dyadic(call, P_FLOOR, y, above);
  return ir_dyadic(call, P_CEIL, high, below);
}

arr *looked_up(const ir_call *call, arr *table, int64_t first, arr *y) {
  ir_node n = {.kind = &kind_index, .p = P_SQUAD, .x = y, .y = table, .first = first};
  n.rows = n.inner = 1;
  n.len = table->count;
  return node_new(call, n, y->rank, y->shape);
}

/* Puts the first elements of what *least puts into *first, which is most of it if the others repeat these,
 * and gives a copy: loads of that are cached, those of places that atomics change are not. On an H200 10^4 places of
 * 2^26 numbers took 785 us. TRIED with 2^20 places of 2^24: 281 us, not 239. */
static arr *most_positions(const ir_call *call, const ir_node *least, arr **first) {
  enum { PLACES = 1 << 15, EACH = 1 << 8, PART = 16 };
  int64_t n = least->x->count, places = (*first)->count;
  if (places > PLACES || n / EACH < places || cg_sums_nearby(n, places)) return NULL;
  ir_node head = *least;
  OWNED arr *count = arr_int(call->env.c, n / PART);
  OWNED arr *x = ir_dyadic(call, P_TAKE, count, least->x);
  OWNED arr *at = x ? node_numbers(call, x->count) : NULL;
  head.x = x;
  head.y = at;
  if (!at || !put_at_once(call, head, first)) return NULL;
  OWNED arr *r = node_convert(call, *first, (elt)(*first)->type);
  return settled(call, &r);
}

/* The first positions of the numbers lo - 1 to hi + 1, which are all that x has. */
static arr *first_positions(const ir_call *call, arr *x, int64_t lo, int64_t hi) {
  int64_t none = x->count;
  OWNED arr *at = node_numbers(call, none);
  OWNED arr *first =
      stored_fill(call, hi - lo + 3, none, none < INT32_MAX ? ET_I32 : ET_I64);
  if (!at || !first) return NULL;
  ir_node least = {.put = KPUT_JOIN, .monoid = KF_MIN, .x = x, .y = at};
  least.first = lo - 1;
  OWNED arr *most = most_positions(call, &least, &first);
  if (err_is(call->env.c)) return NULL;
  least.pairs = most;
  if (!put_at_once(call, least, &first)) return NULL;
  arr_set_range(first, 0, none);
  return arr_move(&first);
}

bool fits_table(int64_t lo, int64_t hi, int64_t n) {
  int64_t most = max_i64(TABLE, n > INT64_MAX / TABLE_EACH ? 0 : TABLE_EACH * n);
  return lo > INT64_MIN / 2 && hi < INT64_MAX / 2 && hi - lo < most;
}

bool has_small_range(const ir_call *call, arr *a, int64_t most, int64_t *lo,
                     int64_t *hi) {
  if (!ir_bounds(call, a, lo, hi)) return false;
  uint64_t wide = (uint64_t)*hi - (uint64_t)*lo;
  if (wide >> 32 && !ir_measure(call, a, lo, hi)) return false; /* perhaps it is less */
  return (uint64_t)*hi - (uint64_t)*lo < (uint64_t)most && fits_table(*lo, *hi, 0);
}

/* Is there a table for a's numbers? */
static bool has_table(const ir_call *call, arr *a, int64_t *lo, int64_t *hi) {
  if (!ir_bounds(call, a, lo, hi)) return false;
  if (!fits_table(*lo, *hi, a->count) && !ir_measure(call, a, lo, hi)) return false;
  return fits_table(*lo, *hi, a->count);
}

/* Where the first of equal numbers are, if they are many of each: what the table has are these places,
 * but that of numbers that a has not. */
static arr *news_by_table(const ir_call *call, arr *a) {
  int64_t lo, hi;
  if (!has_table(call, a, &lo, &hi) || hi - lo >= a->count / 2) return NULL;
  OWNED arr *first = first_positions(call, a, lo, hi),
            *n = arr_int(call->env.c, a->count);
  OWNED arr *are_there = n ? ir_dyadic(call, P_LT, first, n) : NULL;
  OWNED arr *marks = are_there ? stored_fill(call, a->count + 1, 0, ET_BIT) : NULL;
  ir_node mark = {.put = KPUT_JOIN, .monoid = KF_OR, .x = first, .y = are_there};
  if (!marks || !put_at_once(call, mark, &marks)) return NULL;
  OWNED arr *are = with_number(call, P_DROP, -1, arr_move(&marks));
  return settled(call, &are);
}

/* ── by seats ── */

/* Is every element of y a finite number? */
static bool is_finite(const ir_call *call, arr *y) {
  OWNED arr *zero = arr_int(call->env.c, 0);
  OWNED arr *none = zero ? ir_dyadic(call, P_MINUS, y, y) : NULL;
  OWNED arr *are = ir_dyadic(call, P_EQ, none, zero);
  return are_all(call, are);
}

/* Are the integers in a all doubles? */
static bool are_doubles(const ir_call *call, arr *a) {
  int64_t most = (int64_t)1 << 53;
  if (elt_is_float((elt)a->type)) return true;
  return ir_within(call, a, -most, 2 * most + 1);
}

/* What the elements are compared as; BIT: they are not. */
static elt compared_as(const ir_call *call, arr *x, arr *y) {
  bool floats = elt_is_float((elt)x->type) || elt_is_float((elt)y->type);
  if (x->type > ET_F64 || y->type > ET_F64) return ET_BIT;
  if (!floats) return ET_I64;
  if (x->type == ET_F32 && y->type == ET_F32) return ET_F32;
  return are_doubles(call, x) && are_doubles(call, y) ? ET_F64 : ET_BIT;
}

static arr *by_seats(const ir_call *call, arr *x, arr *y) {
  enum { MOST = 1 << 29 };
  elt as = compared_as(call, x, y);
  if (x->count > MOST || as == ET_BIT || x->type == ET_BIT) return NULL;
  if (elt_is_float((elt)x->type) && !is_finite(call, x)) return NULL;
  int64_t n = next_pow2(x->count * 2);
  OWNED arr *seats = stored_fill(call, n, x->count, ET_I32);
  ir_node take = {.put = KPUT_INSERT, .x = x, .y = x, .as = as};
  if (!seats || !put_at_once(call, take, &seats)) return NULL;
  ir_node look = {
      .kind = &kind_lookup, .p = P_IOTA, .x = y, .y = x, .pairs = seats, .as = as};
  return node_new(call, look, y->rank, y->shape);
}

static bool is_for_device(const ir_call *call, const arr *x, const arr *y) {
  return is_for_kernels(call, x, x->count) || is_for_kernels(call, y, y->count);
}

/* ── few different ones ── */

enum {
  FEW = 4096,
  NUMBER = 2 * FEW - 1
}; /* numbers between the least and the greatest; the bits of one */

/* Those of the table's numbers that there are, in the order in which they come, behind where each comes first. */
static arr *those_seen(ctx *c, const arr *table, int64_t none) {
  int64_t n = 0, at[FEW + 2];
  sc_load(table, 0, 1, table->count, SC_I64, at);
  for (int64_t k = 0; k < table->count; k++)
    if (at[k] < none) at[n++] = at[k] * (NUMBER + 1) + k;
  OWNED arr *all = arr_vec(c, ET_I64, n);
  if (!all) return NULL;
  memcpy(all->host, at, (size_t)n * sizeof *at);
  return sort_values(c, all, false);
}

/* The numbers from `from` on, n of them, as elements of type t. */
static arr *as_elements(ctx *c, const int64_t *s, int64_t n, int64_t from, elt t) {
  int64_t number[FEW + 2];
  uint32_t code[FEW + 2];
  for (int64_t k = 0; k < n; k++) {
    number[k] = (s[k] & NUMBER) + from;
    code[k] = (uint32_t)number[k];
  }
  OWNED arr *r = NULL;
  if (elt_is_char(t)) r = arr_chars(c, 1, &n, code);
  else r = arr_int_vec(c, n, number);
  return r ? arr_convert(c, r, t) : NULL;
}

arr *ir_few_different(const ir_call *call, arr *y, arr **numbers) {
  int64_t lo, hi;
  bool fits = y->rank == 1 && y->count > 1 && !is_cut(y) && is_readable(y, true) &&
              is_for_kernels(call, y, y->count) && ir_settle(call->g, y);
  OWNED arr *a = fits ? whole_numbers(call, y) : NULL;
  if (!a || !has_small_range(call, a, FEW, &lo, &hi)) return NULL;
  OWNED arr *first = first_positions(call, a, lo, hi);
  if (!first || !ir_host(call->g, first)) return NULL;
  OWNED arr *all = those_seen(call->env.c, first, y->count);
  if (!all) return NULL;
  const int64_t *s = all->host, n = all->count;
  OWNED arr *r = as_elements(call->env.c, s, n, lo - 1, (elt)y->type);
  if (!r || !numbers) return arr_move(&r);
  OWNED arr *which = arr_vec(call->env.c, ET_I32, first->count);
  if (!which) return NULL;
  memset(which->host, 0, elt_bytes(ET_I32, which->count));
  for (int64_t k = 0; k < n; k++) ((int32_t *)which->host)[s[k] & NUMBER] = (int32_t)k;
  arr_set_range(which, 0, n - 1);
  *numbers = looked_up(call, which, lo - 1, a);
  if (!*numbers) return NULL;
  arr_set_range(*numbers, 0, n - 1);
  return arr_move(&r);
}

/* ── complex numbers ── */

/* The greatest magnitude of y's numbers; NaN where it is not known. */
static double greatest(const ir_call *call, arr *y) {
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  OWNED arr *size = ir_monadic(call, P_RESIDUE, line);
  OWNED arr *most = ir_reduce(call, P_CEIL, size, 0);
  return most && ir_host(call->g, most) ? arr_get_float(most, 0) : NAN;
}

/* For the real or imaginary part of each of y how many are no greater, a number that equal ones alone
 * share. NULL without an error: two that differ are no further than `far` from one another. */
static arr *places_of_parts(const ir_call *call, prim part, arr *y, double far) {
  OWNED arr *of = ir_monadic(call, part, y);
  if (!of || !ir_settle(call->g, of) || !is_finite(call, of)) return NULL;
  OWNED arr *order = ir_monadic(call, P_UP, of);
  OWNED arr *places = order ? arr_enclose(call->env.c, order) : NULL;
  OWNED arr *sorted = ir_dyadic(call, P_SQUAD, places, of);
  OWNED arr *above = sorted ? with_number(call, P_DROP, 1, arr_retain(sorted)) : NULL;
  OWNED arr *below = above ? with_number(call, P_DROP, -1, arr_retain(sorted)) : NULL;
  OWNED arr *gaps = ir_dyadic(call, P_MINUS, above, below);
  OWNED arr *zero = arr_int(call->env.c, 0), *least = arr_float(call->env.c, far);
  if (!gaps || !zero || !least) return NULL;
  OWNED arr *some = ir_dyadic(call, P_GT, gaps, zero);
  OWNED arr *few = ir_dyadic(call, P_LE, gaps, least);
  OWNED arr *near = some && few ? ir_dyadic(call, P_AND, some, few) : NULL;
  OWNED arr *any = ir_reduce(call, P_OR, near, 0);
  if (!any || !ir_host(call->g, any) || arr_get_int(any, 0)) return NULL;
  ir_node look = {.kind = &kind_search, .p = P_WHERE, .x = of, .y = sorted};
  return node_new(call, look, 1, &of->count);
}

/* Both places as one number, which no other two make. */
static arr *as_one(const ir_call *call, int64_t n, arr *a, arr *b) {
  OWNED arr *high = with_number(call, P_TIMES, n + 1, arr_retain(a));
  return ir_dyadic(call, P_PLUS, high, b);
}

/* Where no two numbers are equal within ⎕CT that are not equal in both of their parts. */
static arr *by_parts(const ir_call *call, arr *x, arr *y) {
  ir_call exact = exactly(from_zero(*call));
  int64_t n = x->count;
  OWNED arr *line = ir_monadic(&exact, P_COMMA, y);
  OWNED arr *all = x == y ? arr_retain(x) : ir_dyadic(&exact, P_COMMA, x, line);
  double far = all ? 2 * call->env.ct * greatest(call, all) : NAN;
  OWNED arr *re = all ? places_of_parts(&exact, P_REAL, all, far) : NULL;
  OWNED arr *im = re ? places_of_parts(&exact, P_IMAGINARY, all, far) : NULL;
  OWNED arr *one = im ? as_one(call, all->count, re, im) : NULL;
  if (x == y) return ir_dyadic(&exact, P_IOTA, one, one);
  OWNED arr *count = arr_int(call->env.c, n);
  OWNED arr *a = one ? ir_dyadic(&exact, P_TAKE, count, one) : NULL;
  OWNED arr *rest = a ? ir_dyadic(&exact, P_DROP, count, one) : NULL;
  OWNED arr *b = ir_reshape(&exact, rest, y->rank, y->shape);
  return a && b ? ir_dyadic(&exact, P_IOTA, a, b) : NULL;
}

/* ── rows ── */

static arr *positions(const ir_call *call, arr *x, arr *y);

/* Cells of `size` whole numbers or characters as rows of integers. */
static arr *as_rows(const ir_call *call, arr *y, int64_t size) {
  OWNED arr *a = whole_numbers(call, y);
  return ir_reshape(call, a, 2, (int64_t[]){y->count / size, size});
}

/* y's places in x, of which those of x itself are known. */
static arr *places_beside(const ir_call *call, arr *x, arr *y, arr *own) {
  if (!own) return NULL;
  return x == y ? arr_retain(own) : positions(call, x, y);
}

/* x and y become numbers that are equal where both they and p and q are. */
static bool join_numbers(const ir_call *call, arr **x, arr **y, arr *p, arr *q) {
  int64_t n = p->count;
  bool same = *x == *y && p == q;
  OWNED arr *a = positions(call, *x, *x), *b = places_beside(call, *x, *y, a);
  OWNED arr *c = b ? positions(call, p, p) : NULL, *d = places_beside(call, p, q, c);
  arr_release(*x);
  arr_release(*y);
  *x = d ? as_one(call, n, a, c) : NULL;
  *y = *x && same ? arr_retain(*x) : NULL;
  if (*x && !same) *y = as_one(call, n, b, d);
  return *y;
}

/* The first positions of b's rows among a's: as many columns as fit are one number. */
static arr *positions_of_rows(const ir_call *call, arr *a, arr *b) {
  int64_t lo, hi, least, most, columns = a->shape[1];
  a->has_range = b->has_range = false; /* it may be that of their types */
  if (a->shape[0] > INT32_MAX / 2 || !ir_bounds(call, a, &lo, &hi)) return NULL;
  if (b != a) {
    if (!ir_bounds(call, b, &least, &most)) return NULL;
    lo = min_i64(lo, least);
    hi = max_i64(hi, most);
  }
  int bits = bits_between(lo, hi);
  if (bits == 62) return NULL;
  OWNED arr *x = NULL, *y = NULL;
  for (int64_t from = 0, n; from < columns; from += n) {
    n = min_i64(62 / bits, columns - from);
    OWNED arr *p = columns_as_one(call, a, from + n, n, lo, bits);
    if (!p) return NULL;
    OWNED arr *q =
        b == a ? arr_retain(p) : columns_as_one(call, b, from + n, n, lo, bits);
    if (!q) return NULL;
    if (x && !join_numbers(call, &x, &y, p, q)) return NULL;
    if (from) continue;
    x = arr_move(&p);
    y = arr_move(&q);
  }
  return positions(call, x, y);
}

/* The same of major cells of x. */
static arr *positions_of_cells(const ir_call *call, arr *x, arr *y) {
  enum { MOST = 64 };
  int rank = y->rank - (x->rank - 1);
  int64_t size = arr_product(x->rank - 1, x->shape + 1);
  if (rank < 0 || !size || size > MOST || !is_movable(x) || !is_movable(y)) return NULL;
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type) || !y->count) return NULL;
  if (memcmp(x->shape + 1, y->shape + rank, (size_t)(x->rank - 1) * sizeof *x->shape))
    return NULL;
  if (x->shape[0] < 2 || !is_for_device(call, x, y)) return NULL;
  if (!ir_settle(call->g, x) || !ir_settle(call->g, y)) return NULL;
  OWNED arr *a = as_rows(call, x, size);
  OWNED arr *b = NULL;
  if (a) b = x == y ? arr_retain(a) : as_rows(call, y, size);
  OWNED arr *at = b ? positions_of_rows(call, a, b) : NULL;
  return ir_reshape(call, at, rank, y->shape);
}

/* For each element of y the first position, from 0, of the vector x where it is; else how many
 * x has. NULL without an error: it is for the host. */
static arr *positions(const ir_call *call, arr *x, arr *y) {
  int64_t lo, hi;
  if (x->rank > 1) return positions_of_cells(call, x, y);
  if (x->rank != 1 || x->count < 2 || !is_movable(x) || !is_movable(y)) return NULL;
  if (!is_for_device(call, x, y)) return NULL;
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type)) return NULL;
  if (!y->count || !ir_settle(call->g, x) || !ir_settle(call->g, y)) return NULL;
  if (x->type == ET_C128 || y->type == ET_C128) return by_parts(call, x, y);
  OWNED arr *a = whole_numbers(call, x);
  OWNED arr *b = a ? whole_numbers(call, y) : NULL;
  if (b && has_table(call, a, &lo, &hi)) {
    OWNED arr *first = first_positions(call, a, lo, hi);
    OWNED arr *in = first ? clamped(call, b, lo, hi) : NULL;
    return in ? looked_up(call, first, lo - 1, in) : NULL;
  }
  return err_is(call->env.c) ? NULL : by_seats(call, x, y);
}

/* Is each element of x one of y's? */
static arr *members(const ir_call *call, arr *x, arr *y) {
  OWNED arr *list = is_for_device(call, x, y) ? ir_monadic(call, P_COMMA, y) : NULL;
  OWNED arr *at = list ? positions(call, list, x) : NULL;
  OWNED arr *none = at ? arr_int(call->env.c, list->count) : NULL;
  return ir_dyadic(call, P_LT, at, none);
}

/* What equals one that equals another need not equal that: is it so here? Where the first
 * equal is known by kernels, it is its own first. */
static bool are_own_firsts(const arr *at) {
  for (int64_t i = 0; at->host && i < at->count; i++) {
    int64_t first = arr_get_int(at, i);
    if (arr_get_int(at, first) != first) return false;
  }
  return true;
}

/* Is each major cell of y the first of those that equal it? */
static arr *news(const ir_call *call, arr *y) {
  bool line = y->rank == 1 && y->count > 1 && is_readable(y, true);
  if (line && is_for_device(call, y, y) && ir_settle(call->g, y)) {
    OWNED arr *a = whole_numbers(call, y);
    arr *are = a ? news_by_table(call, a) : NULL;
    if (are || err_is(call->env.c)) return are;
  }
  OWNED arr *at = positions(call, y, y);
  bool floats = at && elt_is_float((elt)y->type);
  if (floats && (!ir_settle(call->g, at) || !are_own_firsts(at))) return NULL;
  OWNED arr *own = at ? node_numbers(call, at->count) : NULL;
  return ir_dyadic(call, P_EQ, at, own);
}

/* The elements of the vector x that are y's, or are not. */
static arr *sieve(const ir_call *call, arr *x, arr *y, bool in) {
  if (x->rank != 1) return NULL;
  OWNED arr *is = members(call, x, y);
  OWNED arr *chosen = NULL;
  if (is && in) chosen = arr_retain(is);
  else if (is) chosen = ir_monadic(call, P_NOT, is);
  return chosen ? ir_compress(call, chosen, x) : NULL;
}

static arr *both(const ir_call *call, arr *x, arr *y) {
  if (x->rank != 1) return NULL;
  OWNED arr *more = sieve(call, y, x, false);
  return ir_dyadic(call, P_COMMA, x, more);
}

arr *set_monadic(const ir_call *call, prim f, arr *y) {
  arr *few = f == P_UNION ? ir_few_different(call, y, NULL) : NULL;
  if (few || err_is(call->env.c)) return few;
  OWNED arr *is = y->rank ? news(call, y) : NULL;
  if (!is || f == P_NE) return arr_move(&is);
  return y->rank == 1 ? ir_compress(call, is, y) : ir_replicate(call, is, y, 0, false);
}

static arr *index_of(const ir_call *call, arr *x, arr *y) {
  OWNED arr *at = positions(call, x, y);
  OWNED arr *origin = arr_int(call->env.c, call->env.io);
  return ir_dyadic(call, P_PLUS, at, origin);
}

arr *set_dyadic(const ir_call *call, prim f, arr *x, arr *y) {
  switch (f) {
  case P_IOTA: return index_of(call, x, y);
  case P_MEMBER: return members(call, x, y);
  case P_NOT: return sieve(call, x, y, false);
  case P_INTERSECT: return y->rank > 1 ? NULL : sieve(call, x, y, true);
  default: return both(call, x, y);
  }
}
