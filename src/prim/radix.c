/* SPDX-License-Identifier: MIT */
/* radix.c - decode and encode.
 *
 * x⊥y evaluates polynomials by Horner's rule: along the last axis of x and the first of
 * y, v ← (v × xk) + yk, from v = 0. x⊤y takes digits from the last on: d ← xk | v, then v
 * ← (v - d) ÷ xk; a radix of 0 takes all that is left.
 *
 * Integers run in 128 bits for as long as they fit, real numbers in f64. What else there is
 * (complex numbers, digits of numbers that are not whole) is put together from the scalar
 * functions, whole arrays at a time, and so has their tolerance and their errors. */
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <math.h>

static bool simple_number(prim_env *e, const arr *a, const char *glyph) {
  if (!a->count || elt_is_num((elt)a->type)) return true;
  const char *what = "characters";
  if (a->type == ET_NEST) what = "nested items";
  return err_set(e->c, ERR_DOMAIN, "%s: %s where numbers are needed", glyph, what);
}

/* A slow path's value, in place of the one before; false if there is none. */
static bool replace(arr **v, arr *by) {
  arr_drop(v);
  *v = by;
  return by != NULL;
}

/* ── decode ─────────────────────────────────────────────────────────────────────────── */

/* x is rows × n and y is n × cells. One column of x, or one row of y, stands for all. */
typedef struct base {
  int64_t rows, n, cells;
  int64_t x_row, x_step; /* a row of x and a step along it, in elements */
  int64_t y_step;        /* a step down a column of y */
} base;

static int64_t x_at(const base *b, int64_t row, int64_t k) {
  return row * b->x_row + k * b->x_step;
}

__extension__ typedef __int128 i128;

/* Horner's rule for one element; from where 128 bits do not hold it on, that of doubles, until a
 * base of 0 leaves out what came before. */
static bool decode_int(const base *b, const arr *x, const arr *y, int64_t i, int64_t j,
                       i128 *r, double *real) {
  bool fits = true;
  *r = 0;
  *real = 0;
  for (int64_t k = 0; k < b->n && !stops_at(y->c, k); k++) {
    int64_t w = arr_get_int(x, x_at(b, i, k)), d = arr_get_int(y, k * b->y_step + j);
    if (!w) *r = 0, fits = true;
    i128 before = *r;
    bool fitted = fits;
    fits = fits && !__builtin_mul_overflow(*r, (i128)w, r) &&
           !__builtin_add_overflow(*r, (i128)d, r);
    if (fits) continue;
    if (fitted) *real = (double)before;
    *real = *real * (double)w + (double)d;
  }
  if (fits) *real = (double)*r;
  return fits;
}

/* Into an array of i64 or of f64. False: something does not fit i64, or INTERRUPT. */
static bool decode_ints(const base *b, const arr *x, const arr *y, arr *r) {
  i128 v;
  double real;
  for (int64_t i = 0, at = 0; i < b->rows; i++)
    for (int64_t j = 0; j < b->cells; j++, at++) {
      bool fits = decode_int(b, x, y, i, j, &v, &real);
      if (err_is(y->c)) return false;
      if (r->type == ET_F64) arr_put_float(r, at, real);
      else if (!fits || v < INT64_MIN || v > INT64_MAX) return false;
      else ((int64_t *)r->host)[at] = (int64_t)v;
    }
  return true;
}

/* The magnitude of the largest element, as a float; 0 of none. */
static double largest(const arr *a) {
  int64_t lo = 0, hi = 0;
  if (a->count) sc_bounds(a, &lo, &hi);
  return fmax(-(double)lo, (double)hi);
}

/* No step of Horner's rule leaves 64 bits. */
static bool is_small(const base *b, const arr *x, const arr *y) {
  double w = largest(x), d = largest(y), most = 0;
  for (int64_t k = 0; k < b->n && most < 0x1p62; k++) most = most * w + d;
  return most < 0x1p62;
}

/* Then a row of x is applied to many columns at a time, a stretch of which is the task. */
typedef struct decode_job {
  const base *b;
  const arr *x, *y;
  int64_t row, *r; /* of the row */
} decode_job;

static void decode_stretch(void *job, int64_t from, int64_t to) {
  const decode_job *w = job;
  const base *b = w->b;
  int64_t d[SC_BLOCK];
  for (int64_t j = from; j < to; j += SC_BLOCK) {
    int64_t m = min_i64(to - j, SC_BLOCK);
    memset(w->r + j, 0, (size_t)m * sizeof *w->r);
    for (int64_t k = 0; k < b->n; k++) {
      sc_load(w->y, k * b->y_step + j, 1, m, SC_I64, d);
      sc_block()->horner(arr_get_int(w->x, x_at(b, w->row, k)), d, m, w->r + j);
    }
  }
}

/* A task of so many steps for each digit, of n numbers with as many digits as `cell`. */
static bool by_stretches(ctx *c, each_loop loop) {
  if (loop.n > c->team.part / max_i64(loop.cell, 1)) return each_part(c, &loop);
  loop.task(loop.job, 0, loop.n);
  return !interrupted(c);
}

static bool decode_blocks(prim_env *e, const base *b, const arr *x, const arr *y,
                          int64_t *r) {
  enum { STEPS = 4 };
  decode_job w = {b, x, y, 0, r};
  each_loop loop = {
      .n = b->cells, .cell = b->n, .steps = STEPS, .task = decode_stretch, .job = &w};
  for (; w.row < b->rows; w.row++, w.r += b->cells)
    if (!by_stretches(e->c, loop)) return false;
  return true;
}

static bool all_finite(const arr *a) {
  for (int64_t i = 0; i < a->count; i++)
    if (!isfinite(arr_get_float(a, i))) return false;
  return true;
}

static bool too_large(prim_env *e) {
  return err_set(e->c, ERR_DOMAIN, "⊥: the result is too large for a number");
}

static bool decode_reals(prim_env *e, const base *b, const arr *x, const arr *y, arr *r) {
  bool finite = all_finite(x) && all_finite(y);
  for (int64_t i = 0, at = 0; i < b->rows; i++)
    for (int64_t j = 0; j < b->cells; j++) {
      double v = 0;
      for (int64_t k = 0; k < b->n && !stops_at(e->c, k); k++)
        v = v * arr_get_float(x, x_at(b, i, k)) + arr_get_float(y, k * b->y_step + j);
      if (err_is(e->c)) return false;
      if (finite && !isfinite(v)) return too_large(e);
      arr_put_float(r, at++, v);
    }
  return true;
}

/* A part of the result: all cells of row i. */
static arr *decode_row(prim_env *e, const base *b, const arr *x, const arr *y,
                       int64_t i) {
  OWNED arr *v = arr_vec(e->c, ET_BIT, b->cells);
  if (!v || !arr_blank(v)) return NULL;
  for (int64_t k = 0; k < b->n; k++) {
    OWNED arr *radix = arr_scalar_at(e->c, x, x_at(b, i, k));
    OWNED arr *digits = arr_vec(e->c, (elt)y->type, b->cells);
    if (!radix || !digits) return NULL;
    arr_copy(digits, 0, y, k * b->y_step, b->cells);
    if (!replace(&v, sc_dyadic(e, P_TIMES, v, radix))) return NULL;
    if (!replace(&v, sc_dyadic(e, P_PLUS, v, digits))) return NULL;
  }
  return arr_move(&v);
}

static bool decode_any(prim_env *e, const base *b, const arr *x, const arr *y, arr *r) {
  for (int64_t i = 0; i < b->rows; i++) {
    OWNED arr *row = decode_row(e, b, x, y, i);
    if (!row) return false;
    OWNED arr *wide = arr_convert(e->c, row, ET_C128);
    if (!wide) return false;
    arr_copy(r, i * b->cells, wide, 0, b->cells);
  }
  return true;
}

static arr *decode(prim_env *e, const base *b, const arr *x, const arr *y, int rank,
                   const int64_t *shape) {
  bool ints = !b->n || (elt_is_int((elt)x->type) && elt_is_int((elt)y->type));
  if (ints) {
    OWNED arr *r = arr_new(e->c, ET_I64, rank, shape);
    if (!r) return NULL;
    bool small = is_small(b, x, y);
    if (small && !decode_blocks(e, b, x, y, r->host)) return NULL;
    if (small || decode_ints(b, x, y, r)) return sc_narrow(e->c, arr_move(&r));
    if (err_is(e->c)) return NULL;
  }
  OWNED arr *r = arr_new(e->c, sc_number_type(x, y), rank, shape);
  if (!r) return NULL;
  bool ok = true;
  if (ints) ok = (decode_ints(b, x, y, r) && all_finite(r)) || too_large(e);
  else if (r->type == ET_C128) ok = decode_any(e, b, x, y, r);
  else ok = decode_reals(e, b, x, y, r);
  if (!ok) return NULL;
  return arr_move(&r);
}

arr *prim_decode(prim_env *e, arr *x, arr *y) {
  int64_t shape[2 * ARR_MAX_RANK], x_last = arr_last_axis(x), y_first = arr_first_axis(y);
  int rank = 0;
  base b = {.rows = 1, .cells = 1, .x_row = x_last};
  if (!simple_number(e, x, "⊥") || !simple_number(e, y, "⊥")) return NULL;
  if (x_last != y_first && x_last != 1 && y_first != 1)
    return fail(e, ERR_LENGTH,
                "⊥: the last axis of the left and the first of the right "
                "argument differ");
  if (x_last == 1) b.n = y_first;
  else b.n = x_last;
  for (int k = 0; k + 1 < x->rank; k++) {
    shape[rank++] = x->shape[k];
    b.rows *= x->shape[k];
  }
  for (int k = 1; k < y->rank; k++) {
    shape[rank++] = y->shape[k];
    b.cells *= y->shape[k];
  }
  if (rank > ARR_MAX_RANK)
    return fail(e, ERR_LIMIT, "⊥: the rank of the result is above 15");
  b.x_step = x_last != 1;
  if (y_first != 1) b.y_step = b.cells;
  return decode(e, &b, x, y, rank, shape);
}

/* ── encode ─────────────────────────────────────────────────────────────────────────── */

/* n radices for the digits of a number, in each of the columns of x. */
typedef struct radices {
  const arr *x;
  int64_t n, columns;
} radices;

static int64_t radix_at(const radices *x, int64_t k, int64_t column) {
  return arr_get_int(x->x, k * x->columns + column);
}

/* The digits of v for the radices of a column, last first, into r[k×apart]. False: a
 * difference does not fit i64. */
static bool encode_int(const radices *x, int64_t column, int64_t v, int64_t *r,
                       int64_t apart) {
  for (int64_t k = x->n - 1; k >= 0; k--) {
    int64_t w = radix_at(x, k, column), q = 0, d = v;
    if (w == -1 && v == INT64_MIN) return false;
    if (w) {
      q = v / w;
      d = v % w;
      if (d && (d < 0) != (w < 0)) { /* the remainder has the sign of w */
        q--;
        d += w;
      }
    }
    r[k * apart] = d;
    v = q;
  }
  return true;
}

/* The same of many numbers, a stretch of which is the task. */
typedef struct encode_job {
  const radices *x;
  const arr *y;
  int64_t column, *r; /* of the column */
  bool small;         /* all of them are doubles, and the radices */
  atomic_bool beyond; /* a difference does not fit i64 */
} encode_job;

/* m small numbers, which are consumed. */
static void encode_block(const encode_job *w, int64_t *v, int64_t m, int64_t *r) {
  int64_t apart = w->x->columns * w->y->count;
  for (int64_t k = w->x->n - 1; k >= 0; k--) {
    int64_t radix = radix_at(w->x, k, w->column), *to = r + k * apart;
    if (radix) {
      sc_block()->digits(radix, v, m, to);
    } else {
      memcpy(to, v, (size_t)m * sizeof *v);
      memset(v, 0, (size_t)m * sizeof *v);
    }
  }
}

static void encode_stretch(void *job, int64_t from, int64_t to) {
  encode_job *w = job;
  int64_t v[SC_BLOCK], apart = w->x->columns * w->y->count;
  for (int64_t j = from; j < to; j += SC_BLOCK) {
    int64_t m = min_i64(to - j, SC_BLOCK);
    sc_load(w->y, j, 1, m, SC_I64, v);
    if (w->small) encode_block(w, v, m, w->r + j);
    for (int64_t k = 0; k < m && !w->small; k++)
      if (!encode_int(w->x, w->column, v[k], w->r + j + k, apart)) w->beyond = true;
  }
}

static bool encode_ints(prim_env *e, const radices *x, const arr *y, int64_t *r) {
  enum { STEPS = 8 };
  encode_job w = {.x = x, .y = y, .r = r};
  w.small = largest(y) < 0x1p52 && largest(x->x) < 0x1p52;
  each_loop loop = {
      .n = y->count, .cell = x->n, .steps = STEPS, .task = encode_stretch, .job = &w};
  for (; w.column < x->columns && !w.beyond; w.column++, w.r += y->count)
    if (!by_stretches(e->c, loop)) return false;
  return !w.beyond;
}

/* One column of radices: digits of all of y, from the last radix on, put where they
 * belong. */
static bool encode_column(prim_env *e, const radices *x, int64_t column, arr *y, arr *r) {
  OWNED arr *v = arr_retain(y);
  for (int64_t k = x->n - 1; k >= 0; k--) {
    int64_t at = k * x->columns + column;
    OWNED arr *radix = arr_scalar_at(e->c, x->x, at);
    if (!radix) return false;
    OWNED arr *digits = sc_dyadic(e, P_RESIDUE, radix, v);
    if (!digits) return false;
    OWNED arr *wide = arr_convert(e->c, digits, (elt)r->type);
    if (!wide) return false;
    arr_copy(r, at * y->count, wide, 0, y->count);
    if (!replace(&v, sc_dyadic(e, P_MINUS, v, digits))) return false;
    if (arr_get_float(radix, 0) == 0 && arr_get_imag(radix, 0) == 0) continue;
    if (!replace(&v, sc_dyadic(e, P_DIVIDE, v, radix))) return false;
  }
  return true;
}

arr *prim_encode(prim_env *e, arr *x, arr *y) {
  int64_t shape[2 * ARR_MAX_RANK];
  int rank = x->rank + y->rank;
  radices by = {.x = x, .n = arr_first_axis(x), .columns = 1};
  if (!simple_number(e, x, "⊤") || !simple_number(e, y, "⊤")) return NULL;
  if (rank > ARR_MAX_RANK)
    return fail(e, ERR_LIMIT, "⊤: the rank of the result is above 15");
  for (int k = 1; k < x->rank; k++) by.columns *= x->shape[k];
  for (int k = 0; k < x->rank; k++) shape[k] = x->shape[k];
  for (int k = 0; k < y->rank; k++) shape[x->rank + k] = y->shape[k];
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type)) {
    OWNED arr *r = arr_new(e->c, ET_I64, rank, shape);
    if (!r) return NULL;
    if (encode_ints(e, &by, y, r->host)) return sc_narrow(e->c, arr_move(&r));
    if (err_is(e->c)) return NULL;
  }
  OWNED arr *r = arr_new(e->c, sc_number_type(x, y), rank, shape);
  if (!r || !r->count) return arr_move(&r);
  for (int64_t c = 0; c < by.columns; c++)
    if (!encode_column(e, &by, c, y, r)) return NULL;
  return arr_move(&r);
}
