/* SPDX-License-Identifier: MIT */
/* put_join.c - x[at]f←v of a vector of numbers, where places may come again: each value is joined with
 * what the ones before it made of its place.
 *
 * Integers are added in the type that they have. A sum that does not fit stops the loop, which goes on
 * in the next type: so a histogram of bytes stays one while its counts are small. That no sum leaves
 * 64 bits is known before. One number that is added to few places, many times to each, is multiplied
 * by how often each place comes, which threads count (counted.c). */
#include "scalar.h"
#include "../base/arith.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/view.h"
#include "../tables/fast.h"

typedef enum joins { JOIN_NONE, JOIN_ADD, JOIN_TIMES, JOIN_MAX, JOIN_MIN } joins;

typedef struct joining {
  const arr *at, *v;
  int64_t io;
  joins how;
  bool minus; /* values are taken with the other sign */
} joining;

/* Places from 0 on, and their values. */
typedef struct join_block {
  int64_t at[SC_BLOCK];
  union {
    int64_t i[SC_BLOCK];
    double f[SC_BLOCK];
  } v;
} join_block;

static void load_block(const joining *j, int64_t i, int64_t m, bool floats,
                       join_block *b) {
  bool one = j->v->count == 1;
  sc_load(j->at, i, 1, m, SC_I64, b->at);
  for (int64_t k = 0; k < m; k++) b->at[k] -= j->io;
  sc_load(j->v, one ? 0 : i, !one, m, floats ? SC_F64 : SC_I64, &b->v);
  for (int64_t k = 0; floats && j->minus && k < m; k++) b->v.f[k] = -b->v.f[k];
  for (int64_t k = 0; !floats && j->minus && k < m; k++) b->v.i[k] = -b->v.i[k];
}

/* Values k to m - 1 of the block; how many were joined before one whose result does not fit. */
#define JOIN_INTS(T)                                                                     \
  {                                                                                      \
    T *r = to->host, z;                                                                  \
    for (; how == JOIN_ADD && k < m; k++) {                                              \
      if (__builtin_add_overflow(r[b->at[k]], b->v.i[k], &z)) return k;                  \
      r[b->at[k]] = z;                                                                   \
    }                                                                                    \
    for (; how == JOIN_MAX && k < m; k++)                                                \
      r[b->at[k]] = (T)max_i64(r[b->at[k]], b->v.i[k]);                                  \
    for (; how == JOIN_MIN && k < m; k++)                                                \
      r[b->at[k]] = (T)min_i64(r[b->at[k]], b->v.i[k]);                                  \
    return m;                                                                            \
  }
static int64_t join_some(arr *to, joins how, const join_block *b, int64_t k, int64_t m) {
  double *sum = to->host;
  switch (to->type) {
  case ET_I8: JOIN_INTS(int8_t)
  case ET_I16: JOIN_INTS(int16_t)
  case ET_I32: JOIN_INTS(int32_t)
  case ET_I64: JOIN_INTS(int64_t)
  default: break;
  }
  for (; how == JOIN_ADD && k < m; k++) sum[b->at[k]] += b->v.f[k];
  for (; how == JOIN_TIMES && k < m; k++) sum[b->at[k]] *= b->v.f[k];
  return m;
}

/* All values in turn; *r is replaced where its type does not hold a sum. */
static bool join_all(ctx *c, const joining *j, arr **r) {
  join_block b;
  for (int64_t i = 0, m; i < j->at->count; i += m) {
    m = min_i64(j->at->count - i, SC_BLOCK);
    if (stops_at(c, i)) return false;
    load_block(j, i, m, (*r)->type == ET_F64, &b);
    for (int64_t k = 0; (k = join_some(*r, j->how, &b, k, m)) < m;) {
      arr *wide = arr_convert(c, *r, (elt)((*r)->type + 1));
      if (!wide) return false;
      arr_release(*r);
      *r = wide;
    }
  }
  return true;
}

/* ── what is for it ─────────────────────────────────────────────────────────────────── */

static joins join_of(prim f, bool floats) {
  switch (f) {
  case P_PLUS:
  case P_MINUS: return JOIN_ADD;
  case P_TIMES: return floats ? JOIN_TIMES : JOIN_NONE;
  case P_CEIL: return floats ? JOIN_NONE : JOIN_MAX;
  case P_FLOOR: return floats ? JOIN_NONE : JOIN_MIN;
  default: return JOIN_NONE;
  }
}

/* Does no sum of an element of x and of any of n values leave 64 bits? */
static bool sums_fit(const arr *x, const arr *v, int64_t n) {
  int64_t lo, hi, least, most, sum;
  sc_bounds(x, &lo, &hi);
  sc_bounds(v, &least, &most);
  int64_t size = max_i64(max_i64(most, 0), -max_i64(least, -INT64_MAX));
  return least > INT64_MIN && !__builtin_mul_overflow(size, n, &sum) &&
         !__builtin_add_overflow(hi, sum, &hi) && !__builtin_sub_overflow(lo, sum, &lo);
}

/* Are they numbers that 64 bits, or doubles, hold exactly? */
static bool is_for_type(const arr *a, elt t) {
  return elt_is_int((elt)a->type) ? t == ET_I64 || a->type <= ET_I32 : a->type == t;
}

static bool are_indices(const arr *at, int64_t io, int64_t n) {
  int64_t lo, hi;
  if (!elt_is_int((elt)at->type) || !at->count || !at->host) return false;
  sc_bounds(at, &lo, &hi);
  return lo >= io && hi - io < n;
}

static bool is_finite(const arr *r) {
  double sum = 0;
  const double *v = r->host;
  for (int64_t i = 0; i < r->count; i++) sum += v[i] - v[i];
  return sum == 0;
}

/* ── one number, many times ─────────────────────────────────────────────────────────── */

static bool comes_often(const joining *j, int64_t n) {
  enum { PLACES = 1 << 16, EACH = 4 };
  return j->how == JOIN_ADD && j->v->count == 1 && n <= PLACES &&
         n <= j->at->count / EACH;
}

/* x with the number joined as often as its place occurs; NULL after an error. */
static arr *join_counted(ctx *c, const joining *j, const arr *x) {
  OWNED arr *r = arr_vec(c, ET_I64, x->count);
  OWNED arr *counts = r ? arr_vec(c, ET_I64, x->count) : NULL;
  if (!counts) return NULL;
  int64_t *of = counts->host, *to = r->host, by = arr_get_int(j->v, 0);
  if (!arr_blank(counts) || !prim_count_each(c, j->at, j->io, x->count, of)) return NULL;
  sc_load(x, 0, 1, x->count, SC_I64, to);
  if (j->minus) by = -by;
  for (int64_t i = 0; i < x->count; i++) to[i] += by * of[i];
  return sc_narrow(c, arr_move(&r));
}

arr *prim_try_index_join(prim_env *e, prim f, arr *x, const arr *at, const arr *v) {
  elt t = elt_is_int((elt)x->type) && elt_is_int((elt)v->type) ? ET_I64 : ET_F64;
  joining j = {at, v, e->io, join_of(f, t == ET_F64), f == P_MINUS};
  bool fits = is_for_type(x, t) && is_for_type(v, t) && x->host && v->host;
  if (j.how == JOIN_NONE || !fits || !are_indices(at, e->io, x->count)) return NULL;
  if (v->count != 1 && !arr_same_shape(at, v)) return NULL;
  if (t == ET_I64 && j.how == JOIN_ADD && !sums_fit(x, v, at->count)) return NULL;
  if (t == ET_I64 && comes_often(&j, x->count)) return join_counted(e->c, &j, x);
  if (t == ET_I64) t = elt_join(ET_I8, arr_join_type(x, v));
  OWNED arr *r =
      t == x->type ? arr_reshape(e->c, x, x->rank, x->shape) : arr_convert(e->c, x, t);
  if (!r) return NULL;
  arr_written(r);
  if (!join_all(e->c, &j, &r)) return NULL;
  return t == ET_F64 && !is_finite(r) ? NULL : arr_move(&r);
}
