/* SPDX-License-Identifier: MIT */
/* array.c - making, releasing, copying, converting and comparing arrays.
 *
 *   one block:  | arr | shape[rank] | pad to 16 | elements, rounded up to whole 8 bytes |
 *
 * Elements made by arr_new follow the header in the same block; arr_alloc_host gives a
 * block of its own to an array that had none, and `drop` marks host memory that came from
 * outside. The last 8 bytes of the elements are zeroed, so that bits may be read and
 * written as 64-bit words and the tail of a bit array is always zero.
 *
 * A nested array may be a million levels deep, so releasing one never recurses: dead arrays
 * are linked into a list through their `owner` field. Comparing and making prototypes do
 * recurse, but the last item of an array is followed by a loop, and everything else stops
 * at ARR_MAX_DEPTH levels. */
#include "array.h"
#include "../base/mem.h"
#include "../base/utf8.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ── making ─────────────────────────────────────────────────────────────────────────── */

static bool count_of(ctx *c, int rank, const int64_t *shape, int64_t *count) {
  if (rank > ARR_MAX_RANK)
    return err_set(c, ERR_LIMIT, "rank %d is above %d", rank, ARR_MAX_RANK);
  int64_t n = 1;
  bool empty = false, over = false;
  for (int k = 0; k < rank; k++) {
    assert(shape[k] >= 0);
    if (!shape[k]) empty = true;
    else if (n > INT64_MAX / shape[k]) over = true;
    else n *= shape[k];
  }
  if (over && !empty) return err_set(c, ERR_LIMIT, "more than 2*63 elements");
  *count = empty ? 0 : n;
  return true;
}

/* Bytes of storage for n elements, in whole words of 8; false after WS FULL. */
static bool storage_of(ctx *c, elt t, int64_t n, size_t *bytes) {
  size_t each = (size_t)elt_bits(t) / 8;
  if (t == ET_NEST && n == 0) n = 1;
  if (each && (size_t)n > (size_t)(PTRDIFF_MAX - 4096) / each)
    return err_set(c, ERR_WS_FULL, "%lld elements of %zu bytes", (long long)n, each);
  *bytes = (elt_bytes(t, n) + 7) & ~(size_t)7;
  return true;
}

static void clear_storage(elt t, void *p, size_t bytes) {
  if (t == ET_NEST) memset(p, 0, bytes);
  else if (bytes) memset((char *)p + bytes - 8, 0, 8);
}

static size_t header_of(int rank) {
  return (sizeof(arr) + (size_t)rank * sizeof(int64_t) + 15) & ~(size_t)15;
}

static arr *make(ctx *c, elt t, int rank, const int64_t *shape, bool with_host) {
  int64_t n = 0;
  size_t bytes = 0, head = header_of(rank);
  if (!count_of(c, rank, shape, &n)) return NULL;
  if (with_host && !storage_of(c, t, n, &bytes)) return NULL;
  arr *a = mem_alloc(c, head + bytes);
  if (!a) return NULL;
  memset(a, 0, head);
  a->c = c;
  a->refs = 1;
  a->type = (uint8_t)t;
  a->rank = (uint8_t)rank;
  a->count = n;
  if (rank) memcpy(a->shape, shape, (size_t)rank * sizeof *shape);
  if (!with_host) return a;
  a->host = (char *)a + head;
  clear_storage(t, a->host, bytes);
  return a;
}

arr *arr_new(ctx *c, elt t, int rank, const int64_t *shape) {
  return make(c, t, rank, shape, true);
}

arr *arr_new_empty_handed(ctx *c, elt t, int rank, const int64_t *shape) {
  return make(c, t, rank, shape, false);
}

bool arr_alloc_host(ctx *c, arr *a) {
  size_t bytes = 0;
  if (a->host) return true;
  if (!storage_of(c, (elt)a->type, a->count, &bytes)) return false;
  a->host = mem_alloc(c, bytes ? bytes : 8);
  if (!a->host) return false;
  clear_storage((elt)a->type, a->host, bytes);
  return true;
}

/* Takes one reference away; an array that has none left joins the list of the dead. */
static void let_go(arr *a, arr **dead) {
  if (!a || --a->refs) return;
  if (a->owner) a->owner->release(a->owner, a);
  a->owner = (struct arr_owner *)(void *)*dead;
  *dead = a;
}

void arr_release(arr *a) {
  arr *dead = NULL;
  let_go(a, &dead);
  while (dead) {
    a = dead;
    dead = (arr *)(void *)a->owner;
    if (a->type == ET_NEST && a->host)
      for (int64_t i = 0; i < a->count + !a->count; i++) let_go(arr_item(a, i), &dead);
    if (a->drop) a->drop(a->drop_user, a->host);
    else if (a->host != (char *)a + header_of(a->rank)) mem_free(a->c, a->host);
    mem_free(a->c, a);
  }
}

arr *arr_int(ctx *c, int64_t v) {
  arr *a = arr_new(c, elt_for_range(v, v), 0, NULL);
  if (!a) return NULL;
  arr_put_int(a, 0, v);
  arr_set_range(a, v, v);
  return a;
}

arr *arr_float(ctx *c, double v) {
  arr *a = arr_new(c, ET_F64, 0, NULL);
  if (a) *(double *)a->host = v;
  return a;
}

arr *arr_char(ctx *c, uint32_t code_point) {
  arr *a = arr_new(c, elt_for_char(code_point), 0, NULL);
  if (a) arr_put_int(a, 0, code_point);
  return a;
}

arr *arr_vec(ctx *c, elt t, int64_t n) { return arr_new(c, t, 1, &n); }

arr *arr_text(ctx *c, const char *utf8, size_t n) {
  const char *end = n ? utf8 + n : utf8;
  uint32_t top = 0;
  int64_t count = 0;
  for (const char *p = utf8; p < end; count++) {
    uint32_t u = utf8_next(p, end, &p);
    if (u > top) top = u;
  }
  arr *a = arr_vec(c, elt_for_char(top), count);
  if (!a) return NULL;
  const char *p = utf8;
  for (int64_t i = 0; i < count; i++) arr_put_int(a, i, utf8_next(p, end, &p));
  return a;
}

static int64_t product(int rank, const int64_t *shape) {
  int64_t n = 1;
  for (int k = 0; k < rank; k++)
    if (!shape[k]) return 0; /* the others may be too large to multiply */
  for (int k = 0; k < rank; k++) n *= shape[k];
  return n;
}

arr *arr_ints(ctx *c, int rank, const int64_t *shape, const int64_t *v) {
  int64_t n = product(rank, shape), lo = n ? v[0] : 0, hi = lo;
  for (int64_t i = 0; i < n; i++) {
    if (v[i] < lo) lo = v[i];
    if (v[i] > hi) hi = v[i];
  }
  arr *a = arr_new(c, elt_for_range(lo, hi), rank, shape);
  for (int64_t i = 0; a && i < n; i++) arr_put_int(a, i, v[i]);
  if (a) arr_set_range(a, lo, hi);
  return a;
}

arr *arr_chars(ctx *c, int rank, const int64_t *shape, const uint32_t *v) {
  int64_t n = product(rank, shape);
  uint32_t top = 0;
  for (int64_t i = 0; i < n; i++)
    if (v[i] > top) top = v[i];
  arr *a = arr_new(c, elt_for_char(top), rank, shape);
  for (int64_t i = 0; a && i < n; i++) arr_put_int(a, i, v[i]);
  return a;
}

arr *arr_enclose(ctx *c, arr *y) {
  if (!y->rank && y->type != ET_NEST) return arr_retain(y);
  arr *a = arr_new(c, ET_NEST, 0, NULL);
  if (a) *(arr **)a->host = arr_retain(y);
  return a;
}

arr *arr_reshape(ctx *c, const arr *y, int rank, const int64_t *shape) {
  arr *r = arr_new(c, (elt)y->type, rank, shape);
  if (!r) return NULL;
  assert(r->count == y->count);
  arr_copy(r, 0, y, 0, y->type == ET_NEST && !y->count ? 1 : y->count);
  r->has_range = y->has_range;
  r->lo = y->lo;
  r->hi = y->hi;
  return r;
}

/* ── elements ───────────────────────────────────────────────────────────────────────── */

static inline bool bit_at(const void *p, int64_t i) {
  return ((const uint8_t *)p)[i >> 3] >> (i & 7) & 1;
}

int64_t arr_get_int(const arr *a, int64_t i) {
  switch (a->type) {
  case ET_BIT: return bit_at(a->host, i);
  case ET_I8: return ((const int8_t *)a->host)[i];
  case ET_I16: return ((const int16_t *)a->host)[i];
  case ET_I32: return ((const int32_t *)a->host)[i];
  case ET_I64: return ((const int64_t *)a->host)[i];
  case ET_C8: return ((const uint8_t *)a->host)[i];
  case ET_C16: return ((const uint16_t *)a->host)[i];
  case ET_C32: return ((const uint32_t *)a->host)[i];
  default: assert(false); return 0; /* not an integer type */
  }
}

double arr_get_float(const arr *a, int64_t i) {
  if (a->type == ET_F64) return ((const double *)a->host)[i];
  if (a->type == ET_F32) return (double)((const float *)a->host)[i];
  if (a->type == ET_C128) return ((const double *)a->host)[2 * i];
  return (double)arr_get_int(a, i);
}

void arr_put_int(arr *a, int64_t i, int64_t v) {
  switch (a->type) {
  case ET_BIT: {
    uint8_t *p = (uint8_t *)a->host + (i >> 3);
    uint8_t m = (uint8_t)(1u << (i & 7));
    *p = (uint8_t)(v ? *p | m : *p & ~m);
    return;
  }
  case ET_I8:
  case ET_C8: ((uint8_t *)a->host)[i] = (uint8_t)v; return;
  case ET_I16:
  case ET_C16: ((uint16_t *)a->host)[i] = (uint16_t)v; return;
  case ET_I32:
  case ET_C32: ((uint32_t *)a->host)[i] = (uint32_t)v; return;
  case ET_I64: ((int64_t *)a->host)[i] = v; return;
  default: arr_put_float(a, i, (double)v);
  }
}

void arr_put_float(arr *a, int64_t i, double v) {
  switch (a->type) {
  case ET_F64: ((double *)a->host)[i] = v; return;
  case ET_F32: ((float *)a->host)[i] = (float)v; return;
  case ET_C128: arr_put_complex(a, i, v, 0); return;
  default: assert(elt_is_int((elt)a->type)); arr_put_int(a, i, (int64_t)v);
  }
}

void arr_put_complex(arr *a, int64_t i, double re, double im) {
  double *d = a->host;
  d[2 * i] = re;
  d[2 * i + 1] = im;
}

arr *arr_scalar_at(ctx *c, const arr *a, int64_t i) {
  if (a->type == ET_NEST) return arr_retain(arr_item(a, i));
  if (a->type == ET_C128 && arr_get_imag(a, i) == 0)
    return arr_float(c, arr_get_float(a, i)); /* one number's type is by its value */
  arr *r = arr_new(c, (elt)a->type, 0, NULL);
  if (r) arr_copy(r, 0, a, i, 1);
  return r;
}

static uint64_t bits_load(const uint8_t *p, int64_t i,
                          int n) { /* n ≤ 56 bits from bit i */
  uint64_t w = 0;
  int64_t last = (i + n - 1) >> 3, first = i >> 3;
  memcpy(&w, p + first,
         (size_t)(last - first + 1)); /* lowest byte first: little endian */
  return (w >> (i & 7)) & ((1ull << n) - 1);
}

static void copy_bits(uint8_t *r, int64_t i, const uint8_t *y, int64_t j, int64_t n) {
  for (; n > 0 && (i & 7); i++, j++, n--) { /* up to a whole byte of r */
    uint8_t m = (uint8_t)(1u << (i & 7));
    r[i >> 3] = (uint8_t)(bit_at(y, j) ? r[i >> 3] | m : r[i >> 3] & ~m);
  }
  if (n >= 8 && !(j & 7)) {
    memcpy(r + (i >> 3), y + (j >> 3), (size_t)(n >> 3));
    i += n & ~7ll, j += n & ~7ll, n &= 7;
  }
  for (; n >= 48; i += 48, j += 48, n -= 48) {
    uint64_t w = bits_load(y, j, 48);
    memcpy(r + (i >> 3), &w, 6);
  }
  for (; n > 0; i++, j++, n--) {
    uint8_t m = (uint8_t)(1u << (i & 7));
    r[i >> 3] = (uint8_t)(bit_at(y, j) ? r[i >> 3] | m : r[i >> 3] & ~m);
  }
}

#define WIDEN(R, Y)                                                                      \
  {                                                                                      \
    const Y *yp = (const Y *)y->host + j;                                                \
    R *rp = (R *)r->host + i;                                                            \
    for (int64_t k = 0; k < n; k++) rp[k] = (R)yp[k];                                    \
    return;                                                                              \
  }
#define PAIR(r, y) ((r)*ET_COUNT + (y))

void arr_copy(arr *r, int64_t i, const arr *y, int64_t j, int64_t n) {
  if (n <= 0) return;
  if (r->type == y->type) {
    size_t w = (size_t)elt_bits((elt)r->type) / 8;
    if (!w) copy_bits(r->host, i, y->host, j, n);
    else
      memcpy((char *)r->host + (size_t)i * w, (char *)y->host + (size_t)j * w,
             (size_t)n * w);
    if (r->type == ET_NEST)
      for (int64_t k = 0; k < n; k++) {
        arr *it = arr_item(r, i + k);
        if (it) arr_retain(it);
      }
    return;
  }
  switch (PAIR(r->type, y->type)) { /* the pairs that long catenations meet */
  case PAIR(ET_I16, ET_I8): WIDEN(int16_t, int8_t)
  case PAIR(ET_I32, ET_I8): WIDEN(int32_t, int8_t)
  case PAIR(ET_I32, ET_I16): WIDEN(int32_t, int16_t)
  case PAIR(ET_I64, ET_I8): WIDEN(int64_t, int8_t)
  case PAIR(ET_I64, ET_I16): WIDEN(int64_t, int16_t)
  case PAIR(ET_I64, ET_I32): WIDEN(int64_t, int32_t)
  case PAIR(ET_F64, ET_I8): WIDEN(double, int8_t)
  case PAIR(ET_F64, ET_I16): WIDEN(double, int16_t)
  case PAIR(ET_F64, ET_I32): WIDEN(double, int32_t)
  case PAIR(ET_F64, ET_I64): WIDEN(double, int64_t)
  case PAIR(ET_F64, ET_F32): WIDEN(double, float)
  case PAIR(ET_C16, ET_C8): WIDEN(uint16_t, uint8_t)
  case PAIR(ET_C32, ET_C8): WIDEN(uint32_t, uint8_t)
  case PAIR(ET_C32, ET_C16): WIDEN(uint32_t, uint16_t)
  default: break;
  }
  if (elt_is_float((elt)y->type) || y->type == ET_C128)
    for (int64_t k = 0; k < n; k++) arr_put_float(r, i + k, arr_get_float(y, j + k));
  else
    for (int64_t k = 0; k < n; k++) arr_put_int(r, i + k, arr_get_int(y, j + k));
}

/* ── types ──────────────────────────────────────────────────────────────────────────── */

elt elt_join(elt a, elt b) {
  elt hi = a > b ? a : b, lo = a > b ? b : a;
  if (hi == lo) return hi;
  if (elt_is_char(lo) && elt_is_char(hi)) return hi;
  if (!elt_is_num(hi)) return ET_NEST;
  if (hi == ET_F32 && lo > ET_I16) return ET_F64;
  return hi;
}

static arr *to_nest(ctx *c, const arr *y) {
  arr *r = arr_new(c, ET_NEST, y->rank, y->shape), *item;
  if (!r) return NULL;
  for (int64_t i = 0; i < y->count + !y->count; i++) {
    item = y->count ? arr_scalar_at(c, y, i) : arr_fill_of(c, y);
    if (!item) {
      arr_release(r);
      return NULL;
    }
    ((arr **)r->host)[i] = item;
  }
  return r;
}

arr *arr_convert(ctx *c, arr *y, elt t) {
  if (y->type == t) return arr_retain(y);
  if (t == ET_NEST) return to_nest(c, y);
  arr *r = arr_new(c, t, y->rank, y->shape);
  if (!r) return NULL;
  arr_copy(r, 0, y, 0, y->count);
  r->has_range = y->has_range && elt_is_int(t);
  r->lo = y->lo;
  r->hi = y->hi;
  return r;
}

/* ── prototypes ─────────────────────────────────────────────────────────────────────── */

static arr *proto(ctx *c, const arr *y, int depth) {
  bool text = elt_is_char((elt)y->type), nest = y->type == ET_NEST;
  if (depth > ARR_MAX_DEPTH) {
    err_set(c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
    return NULL;
  }
  arr *r = arr_new(c, text ? ET_C8 : nest ? ET_NEST : ET_BIT, y->rank, y->shape);
  if (!r) return NULL;
  if (!nest) {
    if (y->count) memset(r->host, text ? ' ' : 0, elt_bytes((elt)r->type, y->count));
    r->has_range = !text;
    return r;
  }
  for (int64_t i = 0; i < y->count + !y->count; i++) {
    arr *item = proto(c, arr_item(y, i), depth + 1);
    if (!item) {
      arr_release(r);
      return NULL;
    }
    ((arr **)r->host)[i] = item;
  }
  return r;
}

arr *arr_proto(ctx *c, const arr *y) { return proto(c, y, 0); }

arr *arr_fill_of(ctx *c, const arr *y) {
  if (elt_is_char((elt)y->type)) return arr_char(c, ' ');
  if (y->type != ET_NEST) return arr_int(c, 0);
  arr *p = arr_proto(c, arr_item(y, 0));
  if (!p) return NULL;
  arr *r = arr_enclose(c, p);
  arr_release(p);
  return r;
}

/* ── comparing ──────────────────────────────────────────────────────────────────────── */

bool arr_same_shape(const arr *x, const arr *y) {
  return x->rank == y->rank &&
         (!x->rank || !memcmp(x->shape, y->shape, x->rank * sizeof x->shape[0]));
}

elt arr_float_type(const arr *x, const arr *y) {
  bool some = y->type == ET_F32, wide = y->type == ET_F64 && y->rank > 0;
  if (x) {
    some |= x->type == ET_F32;
    wide |= x->type == ET_F64 && x->rank > 0;
  }
  return some && !wide ? ET_F32 : ET_F64;
}

bool num_equal(double x, double y, double ct) {
  if (x == y) return true;
  if (!isfinite(x) || !isfinite(y)) return isnan(x) && isnan(y);
  double ax = fabs(x), ay = fabs(y);
  return fabs(x - y) <= ct * (ax > ay ? ax : ay);
}

static bool match_chars(const arr *x, const arr *y) {
  if (x->type == y->type)
    return !memcmp(x->host, y->host, elt_bytes((elt)x->type, x->count));
  for (int64_t i = 0; i < x->count; i++)
    if (arr_get_int(x, i) != arr_get_int(y, i)) return false;
  return true;
}

/* √(a² + b²), the squares kept within the numbers. */
static double magnitude(double a, double b) {
  double m = fmax(fabs(a), fabs(b));
  int e = m > 0 && isfinite(m) ? ilogb(m) : 0;
  a = scalbn(a, -e);
  b = scalbn(b, -e);
  return scalbn(sqrt(a * a + b * b), e);
}

bool num_equal_complex(double xr, double xi, double yr, double yi, double ct) {
  if (xr == yr && xi == yi) return true;
  double ax = magnitude(xr, xi), ay = magnitude(yr, yi), d = magnitude(xr - yr, xi - yi);
  if (isfinite(ax) && isfinite(ay)) return d <= ct * (ax > ay ? ax : ay);
  return num_equal(xr, yr, 0) && num_equal(xi, yi, 0);
}

bool arr_num_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct) {
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type))
    return arr_get_int(x, i) == arr_get_int(y, j);
  if (x->type == ET_F32 && y->type == ET_F32) ct = 0;
  if (x->type != ET_C128 && y->type != ET_C128)
    return num_equal(arr_get_float(x, i), arr_get_float(y, j), ct);
  return num_equal_complex(arr_get_float(x, i), arr_get_imag(x, i), arr_get_float(y, j),
                           arr_get_imag(y, j), ct);
}

static bool match_nums(const arr *x, const arr *y, double ct) {
  if (x->type == y->type && elt_is_int((elt)x->type))
    return !memcmp(x->host, y->host, elt_bytes((elt)x->type, x->count));
  for (int64_t i = 0; i < x->count; i++)
    if (!arr_num_equal_at(x, i, y, i, ct)) return false;
  return true;
}

static int match_at(const arr *x, const arr *y, double ct, int depth);

/* Do the prototypes agree? An item of a simple array is NULL. */
static int match_protos(const arr *x, const arr *y, int depth) {
  for (;;) {
    bool nx = x->type == ET_NEST, ny = y->type == ET_NEST;
    if (!arr_same_shape(x, y)) return 0;
    if (!nx && !ny) return elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
    if (depth > ARR_MAX_DEPTH) return -1;
    int64_t last = x->count ? x->count - 1 : 0;
    for (int64_t i = 0; i < last; i++) {
      int m = match_protos(nx ? arr_item(x, i) : x, ny ? arr_item(y, i) : y, depth + 1);
      if (m <= 0) return m;
    }
    if (nx != ny) { /* a simple array's items are scalars of its own kind */
      const arr *item = arr_item(nx ? x : y, last), *simple = nx ? y : x;
      return !item->rank && item->type != ET_NEST &&
             elt_is_char((elt)item->type) == elt_is_char((elt)simple->type);
    }
    x = arr_item(x, last);
    y = arr_item(y, last);
  }
}

/* Is item i of a simple array the scalar s? */
static bool match_scalar(const arr *simple, int64_t i, const arr *s, double ct) {
  if (s->rank || s->type == ET_NEST) return false;
  if (elt_is_char((elt)simple->type) != elt_is_char((elt)s->type)) return false;
  if (elt_is_char((elt)s->type)) return arr_get_int(simple, i) == arr_get_int(s, 0);
  return arr_num_equal_at(simple, i, s, 0, ct);
}

/* 1 the same, 0 different, -1 too deep to tell. */
static int match_at(const arr *x, const arr *y, double ct, int depth) {
  for (;;) {
    bool nx = x->type == ET_NEST, ny = y->type == ET_NEST;
    if (x == y) return 1;
    if (!arr_same_shape(x, y)) return 0;
    if (!nx && !ny) {
      bool text = elt_is_char((elt)x->type);
      if (text != elt_is_char((elt)y->type)) return 0;
      return !x->count || (text ? match_chars(x, y) : match_nums(x, y, ct));
    }
    if (!x->count) return match_protos(x, y, depth);
    if (nx != ny) {
      for (int64_t i = 0; i < x->count; i++)
        if (!match_scalar(nx ? y : x, i, arr_item(nx ? x : y, i), ct)) return 0;
      return 1;
    }
    if (depth > ARR_MAX_DEPTH) return -1;
    for (int64_t i = 0; i < x->count - 1; i++) {
      int m = match_at(arr_item(x, i), arr_item(y, i), ct, depth + 1);
      if (m <= 0) return m;
    }
    const arr *xl = arr_item(x, x->count - 1);
    y = arr_item(y, x->count - 1);
    x = xl;
  }
}

bool arr_match(const arr *x, const arr *y, double ct) {
  return match_at(x, y, ct, 0) > 0;
}

bool arr_match_checked(ctx *c, const arr *x, const arr *y, double ct, bool *same) {
  int m = match_at(x, y, ct, 0);
  *same = m > 0;
  return m >= 0 || err_set(c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
}

/* ── normal form ────────────────────────────────────────────────────────────────────── */

/* The simple type that holds every item of a nested array, ET_NEST if there is none. */
static elt simple_type(const arr *a) {
  elt t = ET_COUNT;
  for (int64_t i = 0; i < a->count + !a->count; i++) {
    const arr *item = arr_item(a, i);
    if (item->rank || item->type == ET_NEST) return ET_NEST;
    t = t == ET_COUNT ? (elt)item->type : elt_join(t, (elt)item->type);
    if (t == ET_NEST) break;
  }
  return t;
}

arr *arr_squeeze(ctx *c, arr *a) {
  if (!a || a->type != ET_NEST) return a;
  elt t = simple_type(a);
  if (t == ET_NEST) return a;
  arr *r = arr_new(c, t, a->rank, a->shape);
  for (int64_t i = 0; r && i < a->count; i++) arr_copy(r, i, arr_item(a, i), 0, 1);
  arr_release(a);
  return r;
}
