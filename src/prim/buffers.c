/* SPDX-License-Identifier: MIT */
/* buffers.c - arrays to buffers of one C type and back, and results in their narrowest
 * type.
 *
 * The loops of rows.c know four C types; what is said here is said once for each element
 * type of an array. */
#include "scalar.h"
#include "../base/arith.h"
#include "../array/element.h"
#include "../tables/fast.h"

#include <string.h>

/* m elements a[i], a[i+step], … one after the other in b, truth values in bytes; no others of step 1. */
static void side_by_side(const arr *a, int64_t i, int64_t step, int64_t m,
                         int64_t b[SC_BLOCK]) {
  const uint8_t *v = a->host;
  size_t width = (size_t)elt_bits((elt)a->type) / 8;
#define GATHER(W)                                                                        \
  for (int64_t k = 0; k < m; k++, i += step) memcpy((char *)b + k * W, v + i * W, W)
  if (!width && step == 1 && i % 8 == 0) sc_block()->unpack(v + i / 8, m, (bool *)b);
  else if (!width)
    for (int64_t k = 0; k < m; k++, i += step) ((bool *)b)[k] = v[i >> 3] >> (i & 7) & 1;
  else if (width == 1) GATHER(1);
  else if (width == 2) GATHER(2);
  else if (width == 4) GATHER(4);
  else GATHER(8);
#undef GATHER
}

void sc_load(const arr *a, int64_t i, int64_t step, int64_t n, sc_type t, void *out) {
  int64_t b[SC_BLOCK];
  elt type = a->type == ET_BIT ? ET_I8 : (elt)a->type;
  bool as_they_lie = t <= SC_I8 || type == sc_elt(t);
  if (n == 1) step = 1;
  if (step == 1 && a->type != ET_BIT) {
    const char *from = (const char *)a->host + (size_t)i * (size_t)(elt_bits(type) / 8);
    if (as_they_lie) memcpy(out, from, (size_t)n * sc_size(t));
    else sc_block()->load(type, from, n, t, out);
    return;
  }
  char *to = out;
  for (int64_t m; n > 0; n -= m, i += m * step, to += (size_t)m * sc_size(t)) {
    m = min_i64(n, SC_BLOCK);
    side_by_side(a, i, step, m, b);
    if (as_they_lie) memcpy(to, b, (size_t)m * sc_size(t));
    else sc_block()->load(type, b, m, t, to);
  }
}

static void store_bits(arr *r, int64_t i, int64_t step, int64_t n, const bool *from) {
  uint8_t *bits = r->host;
  int64_t k = 0;
  if (step == 1 && i % 8 == 0 && n >= 8) { /* whole bytes */
    k = n & ~(int64_t)7;
    sc_block()->pack(from, k, bits + i / 8);
    i += k;
  }
  for (; k < n; k++, i += step) {
    unsigned at = i & 7, others = bits[i >> 3] & ~(1u << at);
    bits[i >> 3] = (uint8_t)(others | (unsigned)from[k] << at);
  }
}

void sc_store(arr *r, int64_t i, int64_t step, int64_t n, sc_type t, const void *from) {
  if (t == SC_B) {
    store_bits(r, i, step, n, from);
    return;
  }
  size_t size = sc_size(t);
  char *to = (char *)r->host + (size_t)i * size;
  if (step == 1) {
    memcpy(to, from, (size_t)n * size);
    return;
  }
  const char *p = from;
  for (int64_t k = 0; k < n; k++, p += size, to += (size_t)step * size)
    memcpy(to, p, size);
}

void sc_put_ints(arr *r, int64_t i, int64_t n, const int64_t *v, int64_t add) {
  int64_t b[SC_BLOCK];
  bool bits[SC_BLOCK];
  size_t width = (size_t)elt_bits((elt)r->type) / 8;
  for (int64_t m; n > 0; n -= m, i += m, v += m) {
    m = min_i64(n, SC_BLOCK);
    const int64_t *from = add ? b : v;
    for (int64_t k = 0; k < m && add; k++) b[k] = v[k] + add;
    for (int64_t k = 0; k < m && !width; k++) bits[k] = from[k] != 0;
    if (width)
      sc_block()->store(SC_I64, from, m, (elt)r->type,
                        (char *)r->host + (size_t)i * width);
    else store_bits(r, i, 1, m, bits);
  }
}

void sc_bounds(const arr *a, int64_t *lo, int64_t *hi) {
  sc_type t = sc_ints_of(a);
  bool in_place = a->type == sc_elt(t);
  int64_t b[SC_BLOCK], low, high;
  for (int64_t i = 0; i < a->count; i += SC_BLOCK) {
    int64_t m = min_i64(a->count - i, SC_BLOCK);
    const void *v = b;
    if (in_place) v = (const char *)a->host + (size_t)i * sc_size(t);
    else sc_load(a, i, 1, m, t, b);
    sc_block()->range(t, v, m, &low, &high);
    *lo = i ? min_i64(*lo, low) : low;
    *hi = i ? max_i64(*hi, high) : high;
  }
}

/* The sum of integers of up to 32 bits. */
static int64_t sum_of(const arr *a) {
  if (a->type == ET_BIT) return sc_ones(a);
  return sc_block()->sum(sc_ints_of(a), a->host, a->count);
}

bool sc_reduce_ints(prim f, const arr *y, int64_t *r) {
  enum { MOST = 1 << 20 }; /* elements or words: no overflow, no need for Ctrl-C */
  int64_t lo, hi;
  bool most = f == P_CEIL || f == P_OR, least = f == P_FLOOR || f == P_AND;
  int64_t words = y->type == ET_BIT ? y->count / 64 : y->count;
  if (y->rank != 1 || !y->count || words > MOST || y->type > ET_I64) return false;
  if (f == P_PLUS && y->type <= ET_I32) *r = sum_of(y);
  else if (y->type == ET_BIT && (most || least))
    *r = bits_loops()->any(y->host, y->count, most) == most;
  else if (f == P_CEIL || f == P_FLOOR) {
    sc_bounds(y, &lo, &hi);
    *r = most ? hi : lo;
  } else return false;
  return true;
}

arr *sc_ones_before(ctx *c, const arr *a, int64_t bits) {
  int64_t pieces = ceil_div(a->count, bits), sum = 0;
  arr *r = arr_vec(c, ET_I64, pieces + 1);
  for (int64_t i = 0; r && i < pieces; i++) {
    ((int64_t *)r->host)[i] = sum;
    sum += bits_loops()->count((const char *)a->host + i * bits / 8,
                               min_i64(a->count - i * bits, bits));
  }
  if (r) ((int64_t *)r->host)[pieces] = sum;
  return r;
}

bool sc_is_wide(sc_type t, const void *v, int64_t n) {
  enum { LOOK_AT = 64 };
  int64_t lo, hi;
  if (t != SC_I16 || n <= LOOK_AT) return false;
  sc_block()->range(t, v, LOOK_AT, &lo, &hi);
  return elt_for_range(lo, hi) == ET_I16;
}

arr *sc_narrow(ctx *c, arr *a) {
  enum { PIECE = 1 << 16 };
  if (!a || a->type != ET_I64) return a;
  OWNED arr *wide = a;
  int64_t lo = 0, hi = 0;
  if (wide->count) sc_bounds(wide, &lo, &hi);
  elt type = elt_for_range(lo, hi);
  OWNED arr *r =
      type == ET_I64 ? arr_retain(wide) : arr_new(c, type, wide->rank, wide->shape);
  if (r) arr_set_range(r, lo, hi);
  for (int64_t i = 0; r && type != ET_I64 && i < wide->count; i += PIECE) {
    if (stops_at(c, i)) return NULL;
    sc_put_ints(r, i, min_i64(PIECE, wide->count - i), (const int64_t *)wide->host + i,
                0);
  }
  return arr_move(&r);
}

arr *cx_demote(ctx *c, arr *a) {
  if (!a || a->type != ET_C128 || !a->host) return a; /* an item that is on its way */
  OWNED arr *complex = a;
  for (int64_t i = 0; i < complex->count; i++)
    if (arr_get_imag(complex, i) != 0) return arr_move(&complex);
  return arr_convert(c, complex, ET_F64);
}

arr *prim_try_code_points(ctx *c, const arr *y) {
  bool text = elt_is_char((elt)y->type);
  int64_t lo, hi;
  int32_t v[SC_BLOCK];
  if (!y->count || (!text && !elt_is_int((elt)y->type))) return NULL;
  sc_bounds(y, &lo, &hi);
  if (lo < 0 || hi > 0x10FFFF || (text && hi < 2)) return NULL;
  OWNED arr *r =
      arr_new_as(c, text ? elt_for_range(lo, hi) : elt_for_char((uint32_t)hi), y);
  int64_t size = r ? elt_bits((elt)r->type) / 8 : 0;
  elt whole = size == 1 ? ET_I8 : size == 2 ? ET_I16 : ET_I32;
  for (int64_t i = 0; r && i < y->count; i += SC_BLOCK) {
    int64_t m = min_i64(y->count - i, SC_BLOCK);
    if (stops_at(c, i)) return NULL;
    sc_load(y, i, 1, m, SC_I32, v);
    sc_block()->store(SC_I32, v, m, whole, (char *)r->host + i * size);
  }
  if (r) arr_set_range(r, lo, hi);
  return arr_move(&r);
}

bool prim_count_each(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of) {
  int64_t b[SC_BLOCK];
#define FAST_COUNTS(way)                                                                 \
  if (way(c, y, lo, n, of)) return true;
#include "../tables/fast.def"
  for (int64_t i = 0; i < y->count && !err_is(c); i += SC_BLOCK) {
    int64_t m = min_i64(y->count - i, SC_BLOCK);
    sc_load(y, i, 1, m, SC_I64, b);
    for (int64_t k = 0; k < m; k++) {
      uint64_t at = (uint64_t)b[k] - (uint64_t)lo;
      if (at < (uint64_t)n) of[at]++;
    }
    if (interrupted(c)) break;
  }
  return !err_is(c);
}
