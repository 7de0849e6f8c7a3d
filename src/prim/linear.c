/* SPDX-License-Identifier: MIT */
/* linear.c - matrix inverse and matrix divide: least squares by Householder's QR.
 *
 *   columns scaled by powers of two ─▶ A = QR ─▶ solve ─▶ [refine] ─▶ scaled back
 *
 * Complex systems are solved as real ones of twice the size: A+Bi becomes (A,-B)⍪(B,A), whose
 * least-squares solution has the real and the imaginary parts one below the other.
 *
 * Small systems, the ones that people print, are refined: the residuals of the augmented
 * system  r + Ax = b, A'r = 0  are taken in twice the working precision and solved for again
 * (Björck: Iterative refinement of linear least squares solutions, BIT 1967), so that the
 * inverse of a well-conditioned matrix is correctly rounded and a zero in it is a zero. A
 * component that keeps no digit from one step to the next is such a zero.
 *
 * A column that depends on those before it (what is left of it is below m×2^-52 of its
 * length) makes the matrix singular: DOMAIN ERROR. */
#include "scalar.h"
#include "struct.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REFINE_MAX = 4096, REFINE_STEPS = 6 };

/* ── twice the precision ────────────────────────────────────────────────────────────── */

typedef struct dd {
  double hi, lo;
} dd; /* hi + lo, |lo| at most half a unit of hi */

static dd dd_add(dd a, double b) {
  double s = a.hi + b, t = s - a.hi, e = (a.hi - (s - t)) + (b - t) + a.lo;
  double hi = s + e;
  return (dd){hi, e - (hi - s)};
}
/* a + b×c, c as exact as it is given. */
static dd dd_fma(dd a, double b, dd c) {
  double p = b * c.hi, e = fma(b, c.hi, -p);
  return dd_add(dd_add(a, p), e + b * c.lo);
}

/* ── the factors ────────────────────────────────────────────────────────────────────── */

typedef struct lsq { /* m×n, m≥n; matrices are stored by columns */
  int64_t m, n;
  double *a; /* scaled */
  double *
      qr; /* R in the upper triangle, the reflections' vectors below and on the diagonal */
  double *beta, *diag; /* n: of the reflections, R's diagonal */
  int *scale;          /* n: column k is the given one × 2^-scale */
  dd *x, *r;           /* n, m: the solution and its residual */
  double *f, *g;       /* m, n: right-hand sides of a step */
} lsq;

static double dot(const double *x, const double *y, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
static void add_times(double *y, double by, const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] += by * x[i];
}

static void reflect(const lsq *s, int64_t k, double *y) {
  const double *v = s->qr + k * s->m + k;
  add_times(y + k, -s->beta[k] * dot(v, y + k, s->m - k), v, s->m - k);
}

/* Scales the columns to a largest element of 0.5 to 1. */
static void scale_columns(lsq *s) {
  for (int64_t k = 0; k < s->n; k++) {
    double most = 0, *col = s->a + k * s->m;
    for (int64_t i = 0; i < s->m; i++) most = fmax(most, fabs(col[i]));
    frexp(most, s->scale + k);
    for (int64_t i = 0; i < s->m; i++) col[i] = ldexp(col[i], -s->scale[k]);
  }
}

static bool factor(prim_env *e, lsq *s) {
  scale_columns(s);
  memcpy(s->qr, s->a, (size_t)(s->m * s->n) * sizeof *s->qr);
  for (int64_t k = 0; k < s->n; k++) {
    double *col = s->qr + k * s->m, *v = col + k, whole = sqrt(dot(col, col, s->m));
    double left = sqrt(dot(v, v, s->m - k));
    if (interrupted(e->c)) return false;
    if (!(left > whole * (double)s->m * DBL_EPSILON) || isinf(left))
      return err_set(e->c, ERR_DOMAIN, "⌹: the matrix is singular");
    s->diag[k] = v[0] > 0 ? -left : left;
    v[0] -= s->diag[k];
    s->beta[k] = -1 / (s->diag[k] * v[0]);
    for (int64_t j = k + 1; j < s->n; j++) reflect(s, k, s->qr + j * s->m);
  }
  return true;
}

/* ── one right-hand side ────────────────────────────────────────────────────────────── */

/* dr + A dx = f, A'dr = g: x and r grow by the solution; g is left with dx. */
static void solve_step(lsq *s) {
  double *f = s->f, *z = s->g;
  for (int64_t k = 0; k < s->n; k++) /* R'z = g */
    z[k] = (z[k] - dot(s->qr + k * s->m, z, k)) / s->diag[k];
  for (int64_t k = 0; k < s->n; k++) reflect(s, k, f);
  for (int64_t k = 0; k < s->n; k++) {
    double d = f[k] - z[k];
    f[k] = z[k];
    z[k] = d;
  }
  for (int64_t k = s->n - 1; k >= 0; k--) { /* R dx = d - z */
    z[k] /= s->diag[k];
    add_times(z, -z[k], s->qr + k * s->m, k);
    s->x[k] = dd_add(s->x[k], z[k]);
  }
  for (int64_t k = s->n - 1; k >= 0; k--) reflect(s, k, f);
  for (int64_t i = 0; i < s->m; i++) s->r[i] = dd_add(s->r[i], f[i]);
}

/* f ← b - r - Ax, g ← -A'r. */
static void residuals(lsq *s, const double *b) {
  for (int64_t i = 0; i < s->m; i++) {
    dd t = dd_add((dd){b[i], 0}, -s->r[i].hi);
    t = dd_add(t, -s->r[i].lo);
    for (int64_t k = 0; k < s->n; k++) t = dd_fma(t, -s->a[k * s->m + i], s->x[k]);
    s->f[i] = t.hi;
  }
  for (int64_t k = 0; k < s->n; k++) {
    dd t = {0, 0};
    for (int64_t i = 0; i < s->m; i++) t = dd_fma(t, -s->a[k * s->m + i], s->r[i]);
    s->g[k] = t.hi;
  }
}

/* The solution for b into x->hi. */
static void solve(lsq *s, const double *b) {
  memset(s->x, 0, (size_t)s->n * sizeof *s->x);
  memset(s->r, 0, (size_t)s->m * sizeof *s->r);
  memset(s->g, 0, (size_t)s->n * sizeof *s->g);
  memcpy(s->f, b, (size_t)s->m * sizeof *s->f);
  solve_step(s);
  double most = 0;
  for (int64_t k = 0; k < s->n; k++) most = fmax(most, fabs(s->x[k].hi));
  if (s->m * s->n > REFINE_MAX || !isfinite(most)) return;
  for (int i = 0; i < REFINE_STEPS; i++) {
    residuals(s, b);
    solve_step(s);
  }
  for (int64_t k = 0; k < s->n; k++)
    if (fabs(s->x[k].hi) < most * 0x1p-80 && fabs(s->g[k]) > fabs(s->x[k].hi) * 0x1p-20)
      s->x[k] = (dd){0, 0};
}

/* ── arrays ─────────────────────────────────────────────────────────────────────────── */

static bool lsq_new(prim_env *e, lsq *s, int64_t m, int64_t n) {
  *s = (lsq){.m = m, .n = n};
  size_t mn = (size_t)(m * n), ms = (size_t)m, ns = (size_t)n;
  if (n && m > INT64_MAX / 64 / n)
    return err_set(e->c, ERR_LIMIT, "⌹: the matrix is too large");
  return (s->a = mem_alloc(e->c, mn * sizeof *s->a)) &&
         (s->qr = mem_alloc(e->c, mn * sizeof *s->qr)) &&
         (s->beta = mem_alloc(e->c, ns * sizeof *s->beta)) &&
         (s->diag = mem_alloc(e->c, ns * sizeof *s->diag)) &&
         (s->scale = mem_alloc(e->c, ns * sizeof *s->scale)) &&
         (s->x = mem_alloc(e->c, ns * sizeof *s->x)) &&
         (s->r = mem_alloc(e->c, ms * sizeof *s->r)) &&
         (s->f = mem_alloc(e->c, ms * sizeof *s->f)) &&
         (s->g = mem_alloc(e->c, ns * sizeof *s->g));
}

static void lsq_free(prim_env *e, lsq *s) {
  void *const all[] = {s->a, s->qr, s->beta, s->diag, s->scale, s->x, s->r, s->f, s->g};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) mem_free(e->c, all[i]);
}

static double part_of(const arr *a, int64_t i, int imaginary) {
  return imaginary ? arr_get_imag(a, i) : arr_get_float(a, i);
}

/* y (m×n, by rows) into s->a (by columns), as a real matrix of `parts` × m and n. */
static void load_matrix(lsq *s, const arr *y, int parts) {
  int64_t m = s->m / parts, n = s->n / parts;
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = 0; i < m; i++)
      for (int p = 0; p < parts; p++) {
        s->a[k * s->m + p * m + i] = part_of(y, i * n + k, p);
        if (parts == 2)
          s->a[(n + k) * s->m + p * m + i] =
              p ? part_of(y, i * n + k, 0) : -part_of(y, i * n + k, 1);
      }
}

/* Solves for the `cols` columns of x, NULL: of the identity, into r (n × cols, by rows). */
static bool solve_all(prim_env *e, lsq *s, const arr *x, int64_t cols, arr *r,
                      int parts) {
  int64_t m = s->m / parts, n = s->n / parts;
  double *b = mem_alloc(e->c, (size_t)s->m * sizeof *b);
  for (int64_t j = 0; b && j < cols && !interrupted(e->c); j++) {
    for (int64_t i = 0; i < s->m; i++)
      b[i] = x ? part_of(x, i % m * cols + j, i >= m) : i == j;
    solve(s, b);
    for (int64_t k = 0; k < n; k++)
      for (int p = 0; p < parts; p++) {
        double v = ldexp(s->x[p * n + k].hi, -s->scale[k]);
        if (!isfinite(v))
          err_set(e->c, ERR_DOMAIN, "⌹: the result is too large for a number");
        else if (parts == 2) ((double *)r->host)[2 * (k * cols + j) + p] = v;
        else arr_put_float(r, k * cols + j, v);
      }
    if (err_is(e->c)) break;
  }
  mem_free(e->c, b);
  return b && !err_is(e->c);
}

static bool matrix_of_numbers(prim_env *e, const arr *a, const char *which) {
  if (a->rank > 2) return err_set(e->c, ERR_RANK, "⌹: %s has more than two axes", which);
  if (elt_is_num((elt)a->type)) return true;
  return err_set(e->c, ERR_DOMAIN, "⌹: %s must be numbers", which);
}

/* x⌹y, or ⌹y where x is NULL. */
static arr *divide(prim_env *e, const arr *x, const arr *y, int rank,
                   const int64_t *shape) {
  bool complex = y->type == ET_C128 || (x && x->type == ET_C128);
  int64_t m = arr_first_axis(y), n = y->rank == 2 ? y->shape[1] : 1;
  int64_t cols = !x ? m : x->rank == 2 ? x->shape[1] : 1;
  int parts = complex ? 2 : 1;
  if (m < n) return fail(e, ERR_LENGTH, "⌹: the matrix has fewer rows than columns");
  if (x && arr_first_axis(x) != m)
    return fail(e, ERR_LENGTH, "⌹: the arguments have different numbers of rows");
  lsq s;
  arr *r = arr_new(e->c,
                   complex           ? ET_C128
                   : sc_single(x, y) ? ET_F32
                                     : ET_F64,
                   rank, shape);
  bool ok = r && lsq_new(e, &s, m * parts, n * parts);
  if (ok) {
    load_matrix(&s, y, parts);
    ok = factor(e, &s) && solve_all(e, &s, x, cols, r, parts);
  }
  if (r) lsq_free(e, &s);
  if (ok) return complex ? arr_squeeze(e->c, r) : r;
  arr_release(r);
  return NULL;
}

arr *prim_inverse(prim_env *e, arr *y) {
  if (!matrix_of_numbers(e, y, "the argument")) return NULL;
  int64_t shape[2] = {arr_last_axis(y), arr_first_axis(y)};
  return divide(e, NULL, y, y->rank, shape);
}

arr *prim_matrix_divide(prim_env *e, arr *x, arr *y) {
  if (!matrix_of_numbers(e, x, "the left argument") ||
      !matrix_of_numbers(e, y, "the right argument"))
    return NULL;
  int64_t shape[2];
  int rank = 0;
  if (y->rank == 2) shape[rank++] = y->shape[1];
  if (x->rank == 2) shape[rank++] = x->shape[1];
  return divide(e, x, y, rank, shape);
}
