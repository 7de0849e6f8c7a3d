/* SPDX-License-Identifier: MIT */
/* build_put.c - y[x]←v and y[x]f←v where a device has the array: the elements that are named
 * are written, nothing else moves.
 *
 * An array that nobody else holds is written over in its memory; any other, and one of whose
 * type v is not, is copied first. Nothing is written before all that can fail has been done:
 * the numbers of the places are known to be in range, the values to be what they are. Places
 * that are named more than once need
 *
 *   y[x]←v    two kernels: the highest position that each place has, then the values of these;
 *             but whether there are such is asked first, by a bit for each place
 *   y[x]+←v   atomics, of integers whose sums fit: of floats, the order would show
 *
 *   y[x]f←v   of floats in their order: the values sorted by their places, then those of each
 *             place one after the other
 *
 * but for a single value, which is the same whoever stores it last. */
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../codegen/codegen.h"
#include "build.h"
#include "cuts.h"
#include "exec.h"
#include "place.h"
#include <stdlib.h>

/* ── nodes ── */

arr *stored_fill(const ir_call *call, int64_t n, int64_t v, elt t) {
  OWNED arr *one = arr_int(call->env.c, v);
  if (!one) return NULL;
  OWNED arr *all =
      node_new(call, (ir_node){.kind = &kind_fill, .p = P_RHO, .y = one}, 1, &n);
  OWNED arr *r = node_convert(call, all, t);
  return settled(call, &r);
}

/* *x becomes r, which it takes over. */
static bool become(arr **x, arr *r) {
  arr_release(*x);
  *x = r;
  return true;
}

bool put_at_once(const ir_call *call, ir_node put, arr **to) {
  put.kind = &kind_put;
  put.p = P_SQUAD;
  put.into = *to;
  OWNED arr *r = node_new(call, put, (*to)->rank, (*to)->shape);
  return r && force(call->g, r) && become(to, arr_move(&r));
}

/* ── what is known of arrays ── */

/* a's extremes by a reduction, as its range from then on. */
static bool find_bounds(const ir_call *call, arr *a, int64_t *lo, int64_t *hi) {
  if (!ir_extremes(call, a, lo, hi)) return false;
  arr_set_range(a, *lo, *hi);
  if (is_pending(a)) a->node->bounded = true;
  return true;
}

bool ir_bounds(const ir_call *call, arr *a, int64_t *lo, int64_t *hi) {
  if (!a->has_range) return find_bounds(call, a, lo, hi);
  *lo = a->lo;
  *hi = a->hi;
  return true;
}

bool find_range(const ir_call *call, arr *a, int64_t from) {
  int64_t lo, hi;
  bool hidden = (a->type == ET_I32 || a->type == ET_I64) && !a->has_range;
  if (!hidden || a->count < from) return true;
  return find_bounds(call, a, &lo, &hi) || !err_is(call->env.c); /* it has become real */
}

bool ir_measure(const ir_call *call, arr *a, int64_t *lo, int64_t *hi) {
  return ir_settle(call->g, a) && find_bounds(call, a, lo, hi);
}

/* Are lo to hi among the n numbers that begin with from? The difference of two integers need not
 * be one of 64 bits with a sign. */
static bool are_within(int64_t lo, int64_t hi, int64_t from, int64_t n) {
  return lo >= from && hi >= from && (uint64_t)hi - (uint64_t)from < (uint64_t)n;
}

enum { FUSED_WEIGHT = 120 }; /* which the kernel that puts may compute */

/* Are the elements of a, if pending, little more than reads of arrays at hand? A second reader computes them
 * again: to store those of 2^26 bins of f32 took as long as all the rest of counting them. */
static bool is_cheap(const arr *a) {
  const ir_node *n = a ? a->node : NULL;
  if (!n) return true;
  bool little = n->kind->scalar && !n->loops && n->weight <= FUSED_WEIGHT;
  return little && is_cheap(n->x) && is_cheap(n->y);
}

void ir_look(const ir_call *call, arr *at, int64_t n) {
  bool pending = is_pending(at) && elt_is_int((elt)at->type);
  if (pending && is_cheap(at)) (void)ir_within(call, at, call->env.io, n);
  if (is_pending(at)) at->node->forced = 0; /* the put is what asks for it */
}

bool ir_within(const ir_call *call, arr *a, int64_t from, int64_t n) {
  int64_t lo, hi;
  if (a->has_range && are_within(a->lo, a->hi, from, n)) return true;
  bool known =
      is_cheap(a) ? find_bounds(call, a, &lo, &hi) : ir_measure(call, a, &lo, &hi);
  return known && are_within(lo, hi, from, n);
}

/* Can making pending a fail, or give another type? */
static bool may_fail(const arr *a) {
  const ir_node *n = a ? a->node : NULL;
  if (!n || n->verified) return false;
  return n->may_fault || n->unresolved || may_fail(n->x) || may_fail(n->y);
}

/* Is a settled, or such that the kernel that puts it may compute it? */
static bool ready(const ir_call *call, arr *a, const arr *into) {
  if (!is_pending(a)) return true;
  bool apart = into->refs > 1 || weight_of(a) > FUSED_WEIGHT || may_fail(a);
  return !apart || ir_settle(call->g, a);
}

enum { SORTED = 4096 }; /* places that are cheaper sorted than put into a table */

static int by_number(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool are_distinct(const arr *a) {
  int64_t n[SORTED];
  for (int64_t i = 0; i < a->count; i++) n[i] = arr_get_int(a, i);
  qsort(n, (size_t)a->count, sizeof *n, by_number);
  for (int64_t i = 1; i < a->count; i++)
    if (n[i] == n[i - 1]) return false;
  return true;
}

/* Does a view read no element twice? Each dimension steps over all that those of smaller steps read. The last line of
 * the first one may end early. */
static bool reads_once(const ir_node *n) {
  int64_t size[KIR_STRIDED_DIMS] = {n->self->count}, reach = 0;
  const int64_t *stride = n->strided.stride;
  for (int k = 1; k < n->dims && size[0]; k++)
    size[0] = ceil_div(size[0], size[k] = n->strided.n[k]);
  for (int k = 0; k < n->dims && size[0]; k++, reach = 0) {
    for (int j = 0; j < n->dims; j++)
      if (j != k && llabs(stride[j]) <= llabs(stride[k]))
        reach += (size[j] - 1) * llabs(stride[j]);
    if (size[k] > 1 && llabs(stride[k]) <= reach) return false;
  }
  return n->dims || n->step;
}

/* Does x f y differ where y does, x being a single number that is no 0? */
static bool keeps_apart(const ir_node *n, const arr *x) {
  if (n->p == P_PLUS || n->p == P_MINUS) return true;
  return n->p == P_TIMES && x->host && elt_is_int((elt)x->type) && arr_get_int(x, 0);
}

/* Is no number in a twice, as far as that is seen at once? */
static bool is_distinct(const arr *a) {
  const ir_node *n = a->node;
  if (a->count == 1 || a->distinct) return true;
  if (!n) return a->host && a->count <= SORTED && are_distinct(a);
  if (n->kind == &kind_iota) return n->step != 0;
  if (n->kind == &kind_compress) return is_distinct(n->y);
  if (n->kind->view) return reads_once(n) && is_distinct(n->y);
  if (n->kind == &kind_index) return !n->fills && is_distinct(n->x) && is_distinct(n->y);
  if (!n->kind->scalar || !n->x) return false;
  if (n->x->count == 1)
    return n->y->count > 1 && keeps_apart(n, n->x) && is_distinct(n->y);
  return n->y->count == 1 && keeps_apart(n, n->y) && is_distinct(n->x);
}

/* ── places that repeat ── */

/* For each of n places the highest of the numbers 0, 1, … of those in `at` that are it. */
static arr *last_at(const ir_call *call, int64_t n, arr *at, int64_t first) {
  elt t = at->count < INT32_MAX ? ET_I32 : ET_I64;
  OWNED arr *count = node_numbers(call, at->count);
  OWNED arr *last = stored_fill(call, n, 0, t);
  if (!count || !last) return NULL;
  ir_node most = {.put = KPUT_JOIN, .monoid = KF_MAX, .x = at, .y = count};
  most.first = first;
  return put_at_once(call, most, &last) ? arr_move(&last) : NULL;
}

/* Are the numbers in `at` places of n that differ? Each sets a bit: as many are set then, which
 * `at` remembers. -1 after an error. */
static int all_differ(const ir_call *call, int64_t n, arr *at) {
  if (at->count > n) return 0;
  OWNED arr *one = arr_int(call->env.c, 1);
  OWNED arr *marks = stored_fill(call, n, 0, ET_BIT);
  ir_node mark = {.put = KPUT_JOIN, .monoid = KF_OR, .x = at, .y = one};
  mark.first = call->env.io;
  if (!one || !marks || !put_at_once(call, mark, &marks)) return -1;
  OWNED arr *set = ir_reduce(call, P_PLUS, marks, 0);
  if (!set || !ir_host(call->g, set)) return -1;
  at->distinct = arr_get_int(set, 0) == at->count;
  return at->distinct;
}

int ir_distinct(const ir_call *call, const arr *x, arr *at, bool surely) {
  if (!elt_is_int((elt)at->type)) return 0;
  if (is_distinct(at)) return 1;
  if (!surely) return 0;
  if (!ir_settle(call->g, at)) return -1;
  if (!ir_within(call, at, call->env.io, x->count)) return err_is(call->env.c) ? -1 : 0;
  return all_differ(call, x->count, at);
}

/* ── the array that is written ── */

/* x itself, if nothing else holds it and it has type t, else a copy; owned. */
static arr *written(const ir_call *call, arr *x, elt t) {
  bool shared = x->dev && gpu_is_shared(x->dev);
  if (x->refs == 1 && x->type == t && !shared) return arr_retain(x);
  OWNED arr *r = node_convert(call, x, t);
  return settled(call, &r);
}

/* `how` as the new value of *x, which elements of type t go into. */
static bool put_into(const ir_call *call, arr **x, elt t, const ir_node *how) {
  OWNED arr *r = written(call, *x, t);
  return r && put_at_once(call, *how, &r) && become(x, arr_move(&r));
}

bool ir_takes_puts(const ir_call *call, const arr *x, const arr *at, const arr *v) {
  int64_t places = at ? at->count : 1;
  if (!is_movable(x) || !is_movable(v) || x->count < 2) return false;
  if (!is_long(call, max_i64(x->count, places))) return false;
  if (!types_join(x, v)) return false;
  if (is_cut(x) || is_cut(at) || is_cut(v)) return true;
  bool there = !x->host, away = (at && (!at->host || at->dev)) || !v->host;
  uint64_t bytes = 2 * elt_bytes((elt)(at && at->type > x->type ? at : x)->type, places);
  return there || (away && opens_device(call->g, bytes)) ||
         (!is_automatic(call->g) && prefers_device(call->g, bytes));
}

/* Is that so once x's elements are where they will be? */
static bool takes_puts(const ir_call *call, arr *x, const arr *at, const arr *v) {
  return ir_settle(call->g, x) && ir_takes_puts(call, x, at, v);
}

/* Are the numbers in `at`, from call->env.io, places of x, and v as many as they or one? */
static bool are_places(const ir_call *call, const arr *x, arr *at, const arr *v) {
  if (!elt_is_int((elt)at->type) || (v->count != 1 && v->count != at->count))
    return false;
  return at->count && ir_within(call, at, call->env.io, x->count);
}

/* Has this rank all of a, brought here if it was cut? */
static bool is_here(ir *g, arr *a) { return !is_cut(a) || g->cuts->here(g, a); }

bool ir_put(const ir_call *call, arr **x, arr *at, arr *v) {
  OWNED arr *last = NULL;
  if (is_cut(*x)) return call->g->cuts->put(call, x, at, v);
  if (!is_here(call->g, at) || !is_here(call->g, v)) return false;
  if (!takes_puts(call, *x, at, v) || !are_places(call, *x, at, v)) return false;
  bool distinct = is_distinct(at) || v->count == 1;
  if (!ready(call, v, *x) || !ready(call, at, *x)) return false;
  if (!distinct && !ir_settle(call->g, at)) return false;
  int differ = distinct ? 1 : all_differ(call, (*x)->count, at);
  if (differ < 0) return false;
  if (!differ) {
    last = last_at(call, (*x)->count, at, call->env.io);
    if (!last) return false;
  }
  ir_node how = {.put = KPUT_ONCE, .x = at, .y = v, .pairs = last};
  how.first = call->env.io;
  return put_into(call, x, elt_join((elt)(*x)->type, (elt)v->type), &how);
}

/* ── y[x]f←v by atomics ── */

/* What the elements of x can be after m of y were added, each to some. */
static bool sums_fit(const ir_call *call, arr *x, arr *y, int64_t m, int64_t *lo,
                     int64_t *hi) {
  int64_t least, most;
  if (!ir_bounds(call, x, lo, hi) || !ir_bounds(call, y, &least, &most)) return false;
  return !__builtin_mul_overflow(min_i64(least, 0), m, &least) &&
         !__builtin_mul_overflow(max_i64(most, 0), m, &most) &&
         !__builtin_add_overflow(*lo, least, lo) &&
         !__builtin_add_overflow(*hi, most, hi);
}

static bool fit32(int64_t lo, int64_t hi) { return lo >= INT32_MIN && hi <= INT32_MAX; }

/* The monoid that f is of elements of type t; KF_COUNT: none. */
static kfold monoid_of(prim f, elt t) {
  bool bits = t == ET_BIT;
  switch (f) {
  case P_PLUS: return KF_ADD;
  case P_CEIL: return bits ? KF_OR : KF_MAX;
  case P_FLOOR: return bits ? KF_AND : KF_MIN;
  case P_OR: return bits ? KF_OR : KF_COUNT;
  case P_AND: return bits ? KF_AND : KF_COUNT;
  default: return KF_COUNT;
  }
}

/* The type in which *x holds the sums. What is known of its range may be more than the truth
 * after many sums: then it is measured. */
static bool sum_type(const ir_call *call, arr *x, const ir_node *how, elt *t, int64_t *lo,
                     int64_t *hi) {
  int64_t m = how->x->count;
  if (!sums_fit(call, x, how->y, m, lo, hi) || (*t < ET_I64 && !fit32(*lo, *hi))) {
    if (!ir_measure(call, x, lo, hi) || !ir_measure(call, how->y, lo, hi)) return false;
    if (!sums_fit(call, x, how->y, m, lo, hi)) return false;
  }
  *t = *t == ET_I64 || !fit32(*lo, *hi) ? ET_I64 : ET_I32;
  return true;
}

/* How many copies of n sums m numbers are best added to: atomics at one place follow one
 * another, and it takes some work for each place to be worth a copy. */
static int64_t copies_of(int64_t n, int64_t m) {
  enum { MANY = 1 << 14, EACH = 8, MOST = 1024, PLACES = 1 << 18 };
  int64_t copies = 1;
  if (m < MANY) return 1;
  while (copies < MOST && 2 * copies * n <= min_i64(PLACES, m / EACH)) copies *= 2;
  return copies;
}

/* The sums that `how` adds to n places, each as the sum of its copies. */
static arr *sums_of_copies(const ir_call *call, const ir_node *how, int64_t n,
                           int64_t copies, elt t) {
  arr *number = node_numbers(call, how->x->count);
  arr *copy = with_number(call, P_RESIDUE, copies, number);
  OWNED arr *from = with_number(call, P_TIMES, n, copy);
  OWNED arr *at = ir_dyadic(call, P_PLUS, how->x, from);
  OWNED arr *sums = stored_fill(call, n * copies, 0, t);
  ir_node apart = *how;
  apart.x = at;
  if (!at || !sums || !put_at_once(call, apart, &sums)) return NULL;
  OWNED arr *table = ir_reshape(call, sums, 2, (const int64_t[]){copies, n});
  return ir_reduce(call, P_PLUS, table, 0);
}

/* *x, whose sums have type t, with what `how` adds to it. */
static bool add_to(const ir_call *call, arr **x, elt t, const ir_node *how) {
  int64_t copies = copies_of((*x)->count, how->x->count);
  bool nearby = t == ET_I32 && cg_sums_nearby(how->x->count, (*x)->count) &&
                prefers_device(call->g, 4 * (uint64_t)how->x->count);
  if (copies == 1 || nearby) return put_into(call, x, t, how);
  OWNED arr *sums = sums_of_copies(call, how, (*x)->count, copies, t);
  OWNED arr *more = ir_reshape(call, sums, (*x)->rank, (*x)->shape);
  OWNED arr *r = ir_dyadic(call, P_PLUS, *x, more);
  return r && ir_settle(call->g, r) && become(x, arr_move(&r));
}

bool put_counts(const ir_call *call, arr **table, arr *at, int64_t first) {
  OWNED arr *one = arr_int(call->env.c, 1);
  ir_node how = {.put = KPUT_JOIN, .monoid = KF_ADD, .x = at, .y = one, .first = first};
  return one && add_to(call, table, (elt)(*table)->type, &how);
}

static bool put_joined(const ir_call *call, prim f, arr **x, arr *at, arr *v) {
  elt t = elt_join((elt)(*x)->type, (elt)v->type);
  kfold monoid = monoid_of(f, t);
  int64_t lo, hi;
  if (!elt_is_int(t) || monoid == KF_COUNT) return false;
  if (!takes_puts(call, *x, at, v) || (may_fail(v) && !ir_settle(call->g, v)))
    return false;
  if (!are_places(call, *x, at, v) || !ready(call, at, *x) || !ready(call, v, *x))
    return false;
  ir_node how = {.put = KPUT_JOIN, .monoid = monoid, .x = at, .y = v};
  how.first = call->env.io;
  if (monoid == KF_ADD && !sum_type(call, *x, &how, &t, &lo, &hi)) return false;
  if (monoid != KF_ADD && t != ET_BIT && t != ET_I64) t = ET_I32;
  if (monoid != KF_ADD) return put_into(call, x, t, &how);
  if (!add_to(call, x, t, &how)) return false;
  arr_set_range(*x, lo, hi);
  return true;
}

/* x as floats that v's elements may be joined with, at those places; NULL: it is for the host. */
static arr *as_floats(const ir_call *call, arr *x, arr *at, arr *v) {
  int64_t most = (int64_t)1 << 53;
  if (!takes_puts(call, x, at, v) || !ir_settle(call->g, v) || v->type > ET_F64)
    return NULL;
  if (!are_places(call, x, at, v) || !ir_settle(call->g, at)) return NULL;
  if (x->type == ET_F64) return v->type == ET_F32 ? NULL : arr_retain(x);
  if (x->type == ET_F32) return v->type == ET_F64 ? NULL : arr_retain(x);
  if (v->type != ET_F64 || !elt_is_int((elt)x->type)) return NULL;
  if (!ir_within(call, x, -most, 2 * most + 1)) return NULL;
  OWNED arr *r = node_convert(call, x, ET_F64);
  return settled(call, &r);
}

/* y's floats as the integers of kind_key, of as many bits, a NaN as one that f, ⌈ or ⌊, takes before any
 * other; or back. */
static arr *node_key(const ir_call *call, prim f, arr *y, elt t) {
  if (!y) return NULL;
  ir_node want = {.kind = &kind_key, .p = f, .y = y, .as = t};
  return node_new(call, want, y->rank, y->shape);
}

/* Extremes of floats as those of integers that order as they do: of these there are atomics. */
static bool put_extremes(const ir_call *call, prim f, arr **x, arr *at, arr *v) {
  const gpu *dev = call->g->dev;
  bool wide = (*x)->type == ET_F64 || v->type == ET_F64;
  if (wide && dev && !gpu_get_info(dev)->atomic_i64) return false;
  OWNED arr *old = as_floats(call, *x, at, v);
  elt t = old ? (elt)old->type : ET_F64;
  OWNED arr *new = old && v->type != t ? node_convert(call, v, t) : arr_retain(v);
  OWNED arr *keys = old ? node_key(call, f, new, t == ET_F64 ? ET_I64 : ET_I32) : NULL;
  OWNED arr *table = keys ? node_key(call, f, old, (elt)keys->type) : NULL;
  if (!table || !ir_settle(call->g, table) || !put_joined(call, f, &table, at, keys))
    return false;
  OWNED arr *r = node_key(call, f, table, t);
  return r && ir_settle(call->g, r) && become(x, arr_move(&r));
}

bool ir_put_joined(const ir_call *call, prim f, arr **x, arr *at, arr *v) {
  bool cut = !is_cut(*x) && (is_cut(at) || is_cut(v));
  if (cut && call->g->cuts->join(call, f, x, at, v)) return true;
  if (cut && (err_is(call->env.c) || !is_here(call->g, at) || !is_here(call->g, v)))
    return false;
  bool floats = elt_is_float((elt)(*x)->type) || elt_is_float((elt)v->type);
  if (floats && (f == P_CEIL || f == P_FLOOR)) return put_extremes(call, f, x, at, v);
  return put_joined(call, f, x, at, v);
}

/* ── y[x]f←v in order ── */

static bool is_join_of_floats(prim f) {
  return f == P_PLUS || f == P_MINUS || f == P_TIMES || f == P_DIVIDE || f == P_CEIL ||
         f == P_FLOOR;
}

/* For each of n places how many of the numbers in `at` are it or before it; NULL without an error
 * where some place has so many that the host is faster. */
static arr *run_ends(const ir_call *call, int64_t n, arr *at) {
  enum { RUN = 4096, SHARE = 256 };
  OWNED arr *one = arr_int(call->env.c, 1);
  OWNED arr *sizes = stored_fill(call, n, 0, ET_I32);
  if (!one || !sizes || !ir_put_joined(call, P_PLUS, &sizes, at, one)) return NULL;
  OWNED arr *most = ir_reduce(call, P_CEIL, sizes, 0);
  if (!most || !ir_host(call->g, most)) return NULL;
  if (arr_get_int(most, 0) > RUN + at->count / SHARE) return NULL;
  OWNED arr *sums = ir_scan(call, P_PLUS, sizes, 0);
  OWNED arr *ends = node_convert(call, sums, ET_I32);
  return settled(call, &ends);
}

/* v's elements, or v as often, in the order of the places. */
static arr *by_places(const ir_call *call, arr *at, arr *v) {
  if (v->count == 1) return arr_retain(v);
  OWNED arr *order = ir_monadic(call, P_UP, at);
  OWNED arr *r = order ? ir_index(call, v, 1, &order) : NULL;
  return settled(call, &r);
}

bool ir_put_ordered(const ir_call *call, prim f, arr **x, arr *at, arr *v) {
  if (!is_join_of_floats(f) || at->count >= INT32_MAX) return false;
  if (!is_cut(*x) && (!is_here(call->g, at) || !is_here(call->g, v))) return false;
  OWNED arr *old = as_floats(call, *x, at, v);
  OWNED arr *ends = old ? run_ends(call, old->count, at) : NULL;
  OWNED arr *y = ends ? by_places(call, at, v) : NULL;
  ir_node n = {.kind = &kind_runs, .p = f, .x = old, .y = y, .pairs = ends};
  OWNED arr *r = y ? node_new(call, n, old->rank, old->shape) : NULL;
  return r && force_alone(call->g, r) && become(x, arr_move(&r));
}
