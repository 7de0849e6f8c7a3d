/* SPDX-License-Identifier: MIT */
/* radix.c - decode and encode.
 *
 * x⊥y evaluates polynomials by Horner's rule: along the last axis of x and the first of y,
 * v ← (v × xk) + yk, from v = 0. x⊤y takes digits from the last on: d ← xk | v, then
 * v ← (v - d) ÷ xk; a radix of 0 takes all that is left.
 *
 * Integers run in i64 for as long as they fit, real numbers in f64. What else there is
 * (complex numbers, digits of numbers that are not whole) is put together from the scalar
 * functions, whole arrays at a time, and so has their tolerance and their errors. */
#include "scalar.h"
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <math.h>

static bool simple_number(prim_env *e, const arr *a, const char *glyph) {
  if (!a->count || elt_is_num((elt)a->type)) return true;
  return err_set(e->c, ERR_DOMAIN, "%s: %s where numbers are needed", glyph,
                 a->type == ET_NEST ? "nested items" : "characters");
}

/* ── decode ─────────────────────────────────────────────────────────────────────────── */

/* x is rows × n (xn 1: one stands for all), y is n × cells (yn likewise). */
typedef struct base {
  int64_t rows, n, cells, xn, yn;
} base;

static int64_t x_at(const base *b, int64_t row, int64_t k) {
  return row * b->xn + (b->xn == 1 ? 0 : k);
}
static int64_t y_at(const base *b, int64_t k, int64_t cell) {
  return (b->yn == 1 ? 0 : k) * b->cells + cell;
}

/* False: something does not fit i64. */
static bool decode_ints(const base *b, const arr *x, const arr *y, arr *r) {
  int64_t *to = r->host;
  for (int64_t i = 0; i < b->rows; i++)
    for (int64_t j = 0; j < b->cells; j++) {
      int64_t v = 0;
      for (int64_t k = 0; k < b->n; k++)
        if (__builtin_mul_overflow(v, arr_get_int(x, x_at(b, i, k)), &v) ||
            __builtin_add_overflow(v, arr_get_int(y, y_at(b, k, j)), &v))
          return false;
      *to++ = v;
    }
  return true;
}

static bool decode_reals(prim_env *e, const base *b, const arr *x, const arr *y, arr *r) {
  bool given = true; /* all arguments are finite */
  for (int64_t i = 0; i < x->count; i++) given &= isfinite(arr_get_float(x, i)) != 0;
  for (int64_t i = 0; i < y->count; i++) given &= isfinite(arr_get_float(y, i)) != 0;
  for (int64_t i = 0, at = 0; i < b->rows; i++)
    for (int64_t j = 0; j < b->cells; j++) {
      double v = 0;
      for (int64_t k = 0; k < b->n; k++)
        v = v * arr_get_float(x, x_at(b, i, k)) + arr_get_float(y, y_at(b, k, j));
      if (given && !isfinite(v))
        return err_set(e->c, ERR_DOMAIN, "⊥: the result is too large for a number");
      arr_put_float(r, at++, v);
    }
  return true;
}

/* v f w; both are given up. */
static arr *step(prim_env *e, prim f, arr *v, arr *w) {
  arr *r = v && w ? sc_dyadic(e, f, v, w) : NULL;
  arr_release(v);
  arr_release(w);
  return r;
}

static arr *box_of(prim_env *e, const arr *y, int64_t at, int64_t n) {
  arr *r = arr_vec(e->c, (elt)y->type, n);
  if (r) arr_copy(r, 0, y, at, n);
  return r;
}

/* A part of the result: all cells of row i. */
static arr *decode_row(prim_env *e, const base *b, const arr *x, const arr *y,
                       int64_t i) {
  arr *v = arr_vec(e->c, ET_BIT, b->cells);
  if (v) arr_blank(v);
  for (int64_t k = 0; v && k < b->n; k++) {
    v = step(e, P_TIMES, v, arr_scalar_at(e->c, x, x_at(b, i, k)));
    v = step(e, P_PLUS, v, box_of(e, y, y_at(b, k, 0), b->cells));
  }
  return v;
}

static arr *decode_any(prim_env *e, const base *b, const arr *x, const arr *y, arr *r) {
  for (int64_t i = 0; i < b->rows; i++) {
    arr *row = decode_row(e, b, x, y, i);
    arr *wide = row ? arr_convert(e->c, row, ET_C128) : NULL;
    if (wide) arr_copy(r, i * b->cells, wide, 0, b->cells);
    arr_release(row);
    arr_release(wide);
    if (!wide) return arr_release(r), NULL;
  }
  return arr_squeeze(e->c, r);
}

static arr *decode(prim_env *e, const base *b, const arr *x, const arr *y, int rank,
                   const int64_t *shape) {
  bool ints = elt_is_int((elt)x->type) && elt_is_int((elt)y->type);
  bool complex = x->type == ET_C128 || y->type == ET_C128;
  if (ints || !b->n) {
    arr *r = arr_new(e->c, ET_I64, rank, shape);
    if (!r) return NULL;
    if (decode_ints(b, x, y, r)) return sc_narrow(e->c, r);
    arr_release(r);
  }
  arr *r = arr_new(e->c,
                   complex           ? ET_C128
                   : sc_single(x, y) ? ET_F32
                                     : ET_F64,
                   rank, shape);
  if (!r || complex) return r ? decode_any(e, b, x, y, r) : NULL;
  return decode_reals(e, b, x, y, r) ? r : (arr_release(r), NULL);
}

arr *prim_decode(prim_env *e, arr *x, arr *y) {
  int64_t shape[2 * ARR_MAX_RANK];
  int rank = 0;
  base b = {.rows = 1, .cells = 1, .xn = arr_last_axis(x), .yn = arr_first_axis(y)};
  if (!simple_number(e, x, "⊥") || !simple_number(e, y, "⊥")) return NULL;
  if (b.xn != b.yn && b.xn != 1 && b.yn != 1)
    return fail(e, ERR_LENGTH,
                "⊥: the last axis of the left and the first of the right "
                "argument differ");
  b.n = b.xn == 1 ? b.yn : b.xn;
  for (int k = 0; k + 1 < x->rank; k++) b.rows *= shape[rank++] = x->shape[k];
  for (int k = 1; k < y->rank; k++) b.cells *= shape[rank++] = y->shape[k];
  if (rank > ARR_MAX_RANK)
    return fail(e, ERR_LIMIT, "⊥: the rank of the result is above 15");
  return decode(e, &b, x, y, rank, shape);
}

/* ── encode ─────────────────────────────────────────────────────────────────────────── */

/* The digits of v for the radices x[k×step], last first, into r[(k×cells)+…]. False: a
 * difference does not fit i64. */
static bool encode_int(const arr *x, int64_t column, int64_t columns, int64_t n,
                       int64_t v, int64_t *r, int64_t apart) {
  for (int64_t k = n - 1; k >= 0; k--) {
    int64_t w = arr_get_int(x, k * columns + column), q = 0, d = v;
    if (w == -1 && v == INT64_MIN) return false;
    if (w) {
      q = v / w;
      d = v % w;
      if (d && (d < 0) != (w < 0)) q--, d += w; /* the remainder has the sign of w */
    }
    r[k * apart] = d;
    v = q;
  }
  return true;
}

static bool encode_ints(prim_env *e, const arr *x, const arr *y, int64_t columns,
                        int64_t n, int64_t *r) {
  int64_t apart = columns * y->count;
  for (int64_t c = 0; c < columns; c++) {
    if (interrupted(e->c)) return false;
    for (int64_t j = 0; j < y->count; j++)
      if (!encode_int(x, c, columns, n, arr_get_int(y, j), r + c * y->count + j, apart))
        return false;
  }
  return true;
}

static bool is_zero(const arr *w) {
  return arr_get_float(w, 0) == 0 && arr_get_imag(w, 0) == 0;
}

/* One column of radices: digits of all of y, from the last radix on, put where they belong. */
static bool encode_column(prim_env *e, const arr *x, arr *y, int64_t c, int64_t columns,
                          int64_t n, arr *r) {
  arr *v = arr_retain(y);
  for (int64_t k = n - 1; v && k >= 0; k--) {
    arr *w = arr_scalar_at(e->c, x, k * columns + c), *wide = NULL;
    arr *d = w ? sc_dyadic(e, P_RESIDUE, w, v) : NULL;
    if (d) wide = arr_convert(e->c, d, (elt)r->type);
    if (wide) arr_copy(r, (k * columns + c) * y->count, wide, 0, y->count);
    if (!wide) arr_release(d), d = NULL;
    v = step(e, P_MINUS, v, d);
    if (w && is_zero(w)) arr_release(w);
    else v = step(e, P_DIVIDE, v, w);
    arr_release(wide);
  }
  arr_release(v);
  return v != NULL;
}

arr *prim_encode(prim_env *e, arr *x, arr *y) {
  int64_t shape[2 * ARR_MAX_RANK], columns = 1, n = arr_first_axis(x);
  int rank = x->rank + y->rank;
  if (!simple_number(e, x, "⊤") || !simple_number(e, y, "⊤")) return NULL;
  if (rank > ARR_MAX_RANK)
    return fail(e, ERR_LIMIT, "⊤: the rank of the result is above 15");
  for (int k = 1; k < x->rank; k++) columns *= x->shape[k];
  for (int k = 0; k < x->rank; k++) shape[k] = x->shape[k];
  for (int k = 0; k < y->rank; k++) shape[x->rank + k] = y->shape[k];
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type)) {
    arr *r = arr_new(e->c, ET_I64, rank, shape);
    bool ok = r && encode_ints(e, x, y, columns, n, r->host);
    if (ok) return sc_narrow(e->c, r);
    arr_release(r);
    if (err_is(e->c)) return NULL;
  }
  bool complex = x->type == ET_C128 || y->type == ET_C128;
  arr *r = arr_new(e->c,
                   complex           ? ET_C128
                   : sc_single(x, y) ? ET_F32
                                     : ET_F64,
                   rank, shape);
  for (int64_t c = 0; r && r->count && c < columns; c++)
    if (!encode_column(e, x, y, c, columns, n, r)) return arr_release(r), NULL;
  return r && complex ? arr_squeeze(e->c, r) : r;
}
