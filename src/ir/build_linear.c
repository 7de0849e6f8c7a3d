/* SPDX-License-Identifier: MIT */
/* build_linear.c - ⌹ of systems of many columns, by Householder's QR in panels of columns: the
 * host factors a panel (prim/linear.h), the rest is changed by products of matrices, which have
 * the same bits wherever they are computed.
 *
 *   (P|A) of m rows      Q'P = R, Q' = I-VT'V'      (R|Q'A) is done with its first rows,
 *   (B)                                             which wait; go on with those below
 *
 *   at the end, upwards:   x = R¯¹ (B's waiting rows - A's waiting rows × x below)
 *
 * Columns are scaled by powers of two first. What such powers do not reach, complex numbers and
 * few columns are for prim/linear.c. */
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../prim/linear.h"
#include "../prim/inner_product.h"
#include "../prim/scalar.h"
#include "build.h"
#include "exec.h"
#include "plan.h"

#include <math.h>
#include <string.h>

typedef struct matrix { /* what is below and to the right of a place of an array */
  arr *of;
  int64_t row, column;
} matrix;

typedef struct panel_rows { /* what waits */
  arr *inverse, *above, *right;
} panel_rows;

typedef struct qr {
  const ir_call *call;
  arena memory;
  int64_t n, panels;
  double *length; /* n: of the columns */
  matrix a, b;
  panel_rows *rows; /* panels of them */
} qr;
#define OWNED_QR __attribute__((cleanup(qr_free)))

static void qr_free(qr *s) {
  arr_release(s->a.of);
  arr_release(s->b.of);
  for (int64_t k = 0; k < s->panels; k++) {
    panel_rows *r = s->rows + k;
    arr *all[] = {r->inverse, r->above, r->right};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  }
  arena_free(&s->memory);
}

static arr *times(const ir_call *call, arr *x, arr *y) {
  prim_factors p = {.f = P_PLUS, .g = P_TIMES, .x = x, .y = y};
  return ir_product(call, &p);
}
static arr *minus_times(const ir_call *call, arr *from, arr *x, arr *y) {
  OWNED arr *by = times(call, x, y);
  OWNED arr *r = ir_dyadic(call, P_MINUS, from, by);
  return settled(call, &r);
}

static arr *part(const ir_call *call, matrix a, int64_t rows, int64_t columns) {
  int64_t from[2] = {a.row, a.column}, size[2] = {rows, columns};
  return ir_box(call, a.of, from, size);
}

/* ── scales ─────────────────────────────────────────────────────────────────────────── */

enum { MODERATE = 500 };

/* 2^-e, e being such that the largest element of each column is 0.5 to 1 times 2^e; NULL without
 * an error: of some column that is no moderate number. */
static arr *column_scales(const ir_call *call, arr *a) {
  OWNED arr *size = ir_monadic(call, P_RESIDUE, a);
  OWNED arr *most = ir_reduce(call, P_CEIL, size, 0);
  OWNED arr *r = arr_vec(call->env.c, ET_F64, a->shape[1]);
  if (!most || !r || !ir_host(call->g, most)) return NULL;
  const double *size_of = most->host;
  for (int64_t k = 0; k < r->count; k++) {
    double v = size_of[k];
    int e = 0;
    if (v != 0 && isfinite(v)) frexp(v, &e);
    if (!isfinite(v) || e < -MODERATE || e > MODERATE) return NULL;
    ((double *)r->host)[k] = ldexp(1, -e);
  }
  return arr_move(&r);
}

/* a's rows, or columns, times what `by` has. */
static arr *scaled(const ir_call *call, arr *a, arr *by, bool rows) {
  int k = !rows;
  OWNED arr *all = ir_spread(call, by, 2, a->shape, &k);
  return ir_dyadic(call, P_TIMES, a, all);
}

static arr *reciprocals(const ir_call *call, const arr *a) {
  arr *r = arr_vec(call->env.c, ET_F64, a->count);
  for (int64_t k = 0; r && k < r->count; k++)
    ((double *)r->host)[k] = 1 / ((const double *)a->host)[k];
  return r;
}

/* ── factors ────────────────────────────────────────────────────────────────────────── */

static bool find_lengths(qr *s) {
  const ir_call *call = s->call;
  OWNED arr *squares = ir_dyadic(call, P_TIMES, s->a.of, s->a.of);
  OWNED arr *sums = ir_reduce(call, P_PLUS, squares, 0);
  if (!sums || !ir_host(call->g, sums)) return false;
  for (int64_t k = 0; k < s->n; k++) s->length[k] = sqrt(((const double *)sums->host)[k]);
  return true;
}

/* The next columns of a, as rows. */
static arr *columns_of(qr *s, int64_t rows, int64_t columns) {
  OWNED arr *box = part(s->call, s->a, rows, columns);
  OWNED arr *r = arr_new(s->call->env.c, ET_F64, 2, (int64_t[]){columns, rows});
  if (!box || !r || !ir_host(s->call->g, box)) return NULL;
  const double *from = box->host;
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++)
      ((double *)r->host)[j * rows + i] = from[i * columns + j];
  return arr_move(&r);
}

/* `width` columns of what is left of *a less V×Y×them. *top: the first `high` rows of that, which
 * are done with. */
static bool reflect_rest(const ir_call *call, arr *v, arr *y, matrix *a, int64_t width,
                         arr **top) {
  int64_t high = v->shape[1], rows = v->shape[0];
  OWNED arr *rest = part(call, *a, rows, width);
  if (!rest || !ir_settle(call->g, rest)) return false;
  OWNED arr *w = times(call, y, rest);
  OWNED arr *r = w && ir_settle(call->g, w) ? minus_times(call, rest, v, w) : NULL;
  if (!r) return false;
  arr_release(a->of);
  *a = (matrix){.of = arr_move(&r)};
  *top = part(call, *a, high, width);
  a->row = high;
  return *top && ir_settle(call->g, *top);
}

static bool factor_panel(qr *s, int64_t k) {
  const ir_call *call = s->call;
  ctx *c = call->env.c;
  prim_env e = call->env;
  panel_rows *to = s->rows + k;
  int64_t at = k * QR_PANEL, rows = s->a.of->shape[0] - s->a.row;
  int64_t wide = min_i64(s->n - at, QR_PANEL), rest = s->n - at - wide;
  OWNED arr *turned = columns_of(s, rows, wide);
  OWNED arr *t = arr_new(c, ET_F64, 2, (int64_t[]){wide, wide});
  to->inverse = arr_new(c, ET_F64, 2, (int64_t[]){wide, wide});
  if (!turned || !t || !to->inverse) return false;
  if (!prim_qr_panel(&e, turned, s->length + at, t, to->inverse)) return false;
  OWNED arr *v = ir_monadic(call, P_TRANSPOSE, turned);
  OWNED arr *y = v ? times(call, t, turned) : NULL;
  if (!y || !ir_settle(call->g, y)) return false;
  s->a.column += wide;
  if (rest && !reflect_rest(call, v, y, &s->a, rest, &to->above)) return false;
  return reflect_rest(call, v, y, &s->b, s->b.of->shape[1], &to->right);
}

/* The solution, from its last rows on. */
static arr *solve(qr *s) {
  const ir_call *call = s->call;
  OWNED arr *x = NULL;
  for (int64_t k = s->panels - 1; k >= 0; k--) {
    panel_rows *r = s->rows + k;
    OWNED arr *right = NULL;
    if (x) right = minus_times(call, r->right, r->above, x);
    else right = arr_retain(r->right);
    OWNED arr *top = right ? times(call, r->inverse, right) : NULL;
    if (!top || !ir_settle(call->g, top)) return NULL;
    arr *all = x ? ir_dyadic(call, P_COMMA1, top, x) : arr_retain(top);
    arr_release(x);
    x = all;
    if (!x || !ir_settle(call->g, x)) return NULL;
  }
  return arr_move(&x);
}

/* ── ⌹ ──────────────────────────────────────────────────────────────────────────────── */

/* The numbers of y as f64. */
static arr *doubles(const ir_call *call, arr *y) {
  OWNED arr *a = y->type == ET_F64 ? arr_retain(y) : node_convert(call, y, ET_F64);
  if (!a || a->rank == 2) return arr_move(&a);
  OWNED arr *shape = arr_int_vec(call->env.c, 2, (int64_t[]){a->count, 1});
  return ir_dyadic(call, P_RHO, shape, a);
}

static arr *identity_of(const ir_call *call, int64_t m) {
  int64_t shape[2] = {m, m};
  int first = 0, second = 1;
  OWNED arr *line = node_numbers(call, m);
  OWNED arr *row = line ? ir_spread(call, line, 2, shape, &first) : NULL;
  OWNED arr *column = row ? ir_spread(call, line, 2, shape, &second) : NULL;
  OWNED arr *is = ir_dyadic(call, P_EQ, row, column);
  OWNED arr *r = node_convert(call, is, ET_F64);
  return settled(call, &r);
}

/* Both sides, scaled, and the scales of the result's rows and columns. */
static bool load(qr *s, arr *x, arr *y, arr **of_a, arr **of_b) {
  const ir_call *call = s->call;
  OWNED arr *a = doubles(call, y);
  OWNED arr *b = x ? doubles(call, x) : identity_of(call, y->shape[0]);
  if (!a || !b) return false;
  *of_a = column_scales(call, a);
  *of_b = *of_a ? column_scales(call, b) : NULL;
  if (!*of_b) return false;
  s->a.of = scaled(call, a, *of_a, false);
  s->b.of = s->a.of ? scaled(call, b, *of_b, false) : NULL;
  return s->b.of && ir_settle(call->g, s->a.of) && ir_settle(call->g, s->b.of);
}

static arr *divide(qr *s, arr *x, arr *y) {
  const ir_call *call = s->call;
  OWNED arr *of_a = NULL, *of_b = NULL;
  s->n = y->shape[1];
  if (!load(s, x, y, &of_a, &of_b)) return NULL;
  int64_t panels = ceil_div(s->n, QR_PANEL);
  s->length = arena_alloc(&s->memory, (size_t)s->n * sizeof *s->length);
  s->rows = arena_alloc(&s->memory, (size_t)panels * sizeof *s->rows);
  if (!s->length || !s->rows || !find_lengths(s)) return NULL;
  memset(s->rows, 0, (size_t)panels * sizeof *s->rows);
  s->panels = panels;
  for (int64_t k = 0; k < panels; k++)
    if (!factor_panel(s, k)) return NULL;
  OWNED arr *small = solve(s);
  OWNED arr *back = reciprocals(call, of_b);
  OWNED arr *rows = small && back ? scaled(call, small, of_a, true) : NULL;
  OWNED arr *r = rows ? scaled(call, rows, back, false) : NULL;
  if (r && x && x->rank == 1) return ir_monadic(call, P_COMMA, r);
  return arr_move(&r);
}

static bool is_real(const ir_call *call, arr *a) {
  return is_readable(a, false) && ir_settle(call->g, a) && is_readable(a, false);
}

arr *ir_divide(const ir_call *call, arr *x, arr *y) {
  bool fits = y->rank == 2 && y->shape[1] > QR_PANEL && y->shape[0] >= y->shape[1];
  if (x) fits = fits && (x->rank == 1 || x->rank == 2) && x->shape[0] == y->shape[0];
  if (!fits || (x && !x->count) || (x && !is_real(call, x)) || !is_real(call, y))
    return NULL;
  OWNED_QR qr s = {.call = call, .memory = {.c = call->env.c}};
  OWNED arr *r = divide(&s, x, y);
  if (!r || sc_number_type(x, y) == ET_F64) return arr_move(&r);
  return node_convert(call, r, ET_F32);
}
