/* SPDX-License-Identifier: MIT */
/* api_convert.c - elements between the public types of vapl.h and the storage of arrays.
 *
 *   storage ──load──▶ piece of int64 or double ──store──▶ the type that was asked for
 *
 * A conversion is exact or refused, with the two exceptions that APL itself makes: an integer
 * becomes the nearest float, an f64 the nearest f32. Storing accumulates one "did not fit"
 * flag per piece instead of leaving the loop, so that the loops vectorise. Destinations
 * belong to the host program and may lie anywhere: all stores go through memcpy, which costs
 * nothing where the machine allows unaligned stores. */
#include "api_convert.h"
#include "../src/base/utf8.h"
#include <math.h>
#include <string.h>

enum { PIECE = 1024 }; /* a multiple of 8, so that pieces of bits begin on bytes */

static const struct row {
  uint8_t elt, bytes;
  const char *name;
} rows[] = {
    [VAPL_BIT] = {ET_BIT, 1, "bit"},       [VAPL_BOOL] = {ET_BIT, 1, "bool"},
    [VAPL_I8] = {ET_I8, 1, "i8"},          [VAPL_U8] = {ET_I16, 1, "u8"},
    [VAPL_I16] = {ET_I16, 2, "i16"},       [VAPL_I32] = {ET_I32, 4, "i32"},
    [VAPL_I64] = {ET_I64, 8, "i64"},       [VAPL_F32] = {ET_F32, 4, "f32"},
    [VAPL_F64] = {ET_F64, 8, "f64"},       [VAPL_C128] = {ET_C128, 16, "c128"},
    [VAPL_CHAR8] = {ET_C8, 1, "char8"},    [VAPL_CHAR16] = {ET_C16, 2, "char16"},
    [VAPL_CHAR32] = {ET_C32, 4, "char32"}, [VAPL_NESTED] = {ET_NEST, 8, "nested"}};

static bool is_type(vapl_type t) { return (unsigned)t < ARRAY_LEN(rows); }

elt convert_elt(vapl_type t) {
  if (!is_type(t)) return ET_COUNT;
  return (elt)rows[t].elt;
}

vapl_type convert_type(elt t) {
  unsigned i = 0;
  while (rows[i].elt != t || i == VAPL_BOOL || i == VAPL_U8) i++;
  return (vapl_type)i;
}

const char *convert_name(vapl_type t) { return is_type(t) ? rows[t].name : "no type"; }

size_t convert_bytes(vapl_type t, int64_t n) {
  if (t == VAPL_BIT) return ((size_t)n + 7) / 8;
  if ((size_t)n > (SIZE_MAX / 2) / rows[t].bytes) return SIZE_MAX;
  return (size_t)n * rows[t].bytes;
}

size_t convert_align(vapl_type t) {
  if (t == VAPL_C128 || t == VAPL_BIT) return _Alignof(uint64_t);
  return rows[t].bytes;
}

/* ── in ─────────────────────────────────────────────────────────────────────────────── */

static bool pack_bools(ctx *c, uint8_t *to, const uint8_t *from, int64_t n) {
  unsigned seen = 0;
  for (int64_t i = 0; i < n; i++) {
    seen |= from[i];
    if (i % 8 == 0) to[i / 8] = 0;
    to[i / 8] = (uint8_t)(to[i / 8] | ((from[i] & 1u) << (i % 8)));
  }
  return seen <= 1 || err_set(c, ERR_ARG, "a Boolean byte is neither 0 nor 1");
}

bool convert_check(ctx *c, const arr *r) {
  const uint16_t *narrow = r->host;
  const uint32_t *wide = r->host;
  if (r->type != ET_C16 && r->type != ET_C32) return true;
  for (int64_t i = 0; i < r->count; i++) {
    uint32_t u;
    if (r->type == ET_C16) u = narrow[i];
    else u = wide[i];
    if (!utf8_holds(u)) return err_set(c, ERR_ARG, "U+%04X is no character", u);
  }
  return true;
}

bool convert_in(ctx *c, arr *r, vapl_type t, const void *data) {
  int64_t n = r->count;
  if (!n) return true;
  if (t == VAPL_BOOL) return pack_bools(c, r->host, data, n);
  if (t == VAPL_U8) {
    const uint8_t *from = data;
    int16_t *to = r->host;
    for (int64_t i = 0; i < n; i++) to[i] = from[i];
    return true;
  }
  memcpy(r->host, data, elt_bytes((elt)r->type, n));
  if (t == VAPL_BIT && n % 8) {
    uint8_t *last = (uint8_t *)r->host + n / 8;
    *last = (uint8_t)(*last & ((1u << (n % 8)) - 1));
  }
  return convert_check(c, r);
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

#define LOAD(T)                                                                          \
  for (size_t k = 0; k < n; k++) to[k] = ((const T *)a->host)[i + k];                    \
  break

static void load_ints(const arr *a, size_t i, size_t n, int64_t *to) {
  switch ((elt)a->type) {
  case ET_I8: LOAD(int8_t);
  case ET_I16: LOAD(int16_t);
  case ET_I32: LOAD(int32_t);
  case ET_I64: LOAD(int64_t);
  case ET_C8: LOAD(uint8_t);
  case ET_C16: LOAD(uint16_t);
  case ET_C32: LOAD(uint32_t);
  default: /* bits */
    for (size_t k = 0; k < n; k++)
      to[k] = ((const uint8_t *)a->host)[(i + k) / 8] >> ((i + k) % 8) & 1;
  }
}

/* False: a complex number that is not real. */
static bool load_floats(const arr *a, size_t i, size_t n, double *to) {
  const double *re_im = (const double *)a->host + 2 * i;
  bool real = true;
  switch ((elt)a->type) {
  case ET_F32: LOAD(float);
  case ET_F64: LOAD(double);
  default:
    for (size_t k = 0; k < n; k++) {
      to[k] = re_im[2 * k];
      real &= re_im[2 * k + 1] == 0;
    }
  }
  return real;
}
#undef LOAD

#define STORE(T, lo, hi)                                                                 \
  for (size_t k = 0; k < n; k++) {                                                       \
    T x = (T)v[k];                                                                       \
    fits &= v[k] >= (lo) && v[k] <= (hi);                                                \
    memcpy(to + k * sizeof x, &x, sizeof x);                                             \
  }                                                                                      \
  break

static bool store_ints(vapl_type t, const int64_t *v, size_t n, uint8_t *to) {
  bool fits = true;
  switch (t) {
  case VAPL_BIT:
    memset(to, 0, (n + 7) / 8);
    for (size_t k = 0; k < n; k++) {
      fits &= v[k] == 0 || v[k] == 1;
      to[k / 8] = (uint8_t)(to[k / 8] | (unsigned)(v[k] & 1) << (k % 8));
    }
    break;
  case VAPL_BOOL: STORE(uint8_t, 0, 1);
  case VAPL_I8: STORE(int8_t, INT8_MIN, INT8_MAX);
  case VAPL_U8:
  case VAPL_CHAR8: STORE(uint8_t, 0, UINT8_MAX);
  case VAPL_I16: STORE(int16_t, INT16_MIN, INT16_MAX);
  case VAPL_I32: STORE(int32_t, INT32_MIN, INT32_MAX);
  case VAPL_I64: memcpy(to, v, n * sizeof *v); break;
  case VAPL_CHAR16: STORE(uint16_t, 0, UINT16_MAX);
  case VAPL_CHAR32: STORE(uint32_t, 0, 0x10FFFF);
  case VAPL_F32: STORE(float, INT64_MIN, INT64_MAX);
  case VAPL_F64: STORE(double, INT64_MIN, INT64_MAX);
  default: /* complex */
    for (size_t k = 0; k < n; k++) {
      double z[2] = {(double)v[k], 0};
      memcpy(to + k * sizeof z, z, sizeof z);
    }
  }
  return fits;
}
#undef STORE

/* Whole numbers that int64 holds become one; false if there is another. */
static bool whole(const double *v, size_t n, int64_t *to) {
  bool fits = true;
  for (size_t k = 0; k < n; k++) {
    bool in = v[k] >= -0x1p63 && v[k] < 0x1p63;
    to[k] = in ? (int64_t)v[k] : 0;
    fits &= in && (double)to[k] == v[k];
  }
  return fits;
}

static bool store_floats(vapl_type t, const double *v, size_t n, uint8_t *to) {
  bool fits = true;
  int64_t ints[PIECE];
  switch (t) {
  case VAPL_F64: memcpy(to, v, n * sizeof *v); return true;
  case VAPL_F32:
    for (size_t k = 0; k < n; k++) {
      /* Beyond this, a finite number rounds to infinity (and converting it is undefined). */
      bool in = !isfinite(v[k]) || fabs(v[k]) < 0x1.ffffffp127;
      float x = in ? (float)v[k] : 0;
      fits &= in;
      memcpy(to + k * sizeof x, &x, sizeof x);
    }
    return fits;
  case VAPL_C128:
    for (size_t k = 0; k < n; k++) {
      double z[2] = {v[k], 0};
      memcpy(to + k * sizeof z, z, sizeof z);
    }
    return true;
  default: fits = whole(v, n, ints); return store_ints(t, ints, n, to) && fits;
  }
}

static bool same_family(elt a, elt b) {
  return a != ET_NEST && b != ET_NEST && elt_is_char(a) == elt_is_char(b);
}

/* Elements i to i + n - 1 as type t; false if one does not fit. */
static bool convert_piece(const arr *a, size_t i, size_t n, vapl_type t, uint8_t *to) {
  if (elt_is_int((elt)a->type) || elt_is_char((elt)a->type)) {
    int64_t ints[PIECE];
    load_ints(a, i, n, ints);
    return store_ints(t, ints, n, to);
  }
  double floats[PIECE];
  bool real = load_floats(a, i, n, floats);
  return store_floats(t, floats, n, to) && real;
}

bool convert_out(ctx *c, const arr *a, vapl_type t, void *dst) {
  size_t count = (size_t)a->count;
  uint8_t *to = dst;
  if (!count) return true;
  if (!same_family((elt)a->type, convert_elt(t)))
    return err_set(c, ERR_DOMAIN, "%s elements cannot be read as %s",
                   elt_table[a->type].name, convert_name(t));
  if (convert_type((elt)a->type) == t) {
    memcpy(dst, a->host, elt_bytes((elt)a->type, a->count));
    return true;
  }
  for (size_t i = 0; i < count; i += PIECE) {
    size_t n = count - i < PIECE ? count - i : PIECE;
    uint8_t *at = to + convert_bytes(t, (int64_t)i);
    if (!convert_piece(a, i, n, t, at))
      return err_set(c, ERR_DOMAIN, "an element does not fit %s", convert_name(t));
  }
  return true;
}
