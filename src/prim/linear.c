/* SPDX-License-Identifier: MIT */
/* linear.c - matrix inverse and matrix divide: least squares by Householder's QR.
 *
 *   columns scaled by powers of two ─▶ A = QR ─▶ solve ─▶ [refine] ─▶ scaled back
 *
 * Complex systems are solved as real ones of twice the size: A+Bi becomes (A,-B)⍪(B,A),
 * whose least-squares solution has the real and the imaginary parts one below the other.
 *
 * Small systems, the ones that people print, are refined: the residuals of the augmented
 * system r + Ax = b, A'r = 0 are taken in twice the working precision and solved for
 * again (Björck: Iterative refinement of linear least squares solutions, BIT 1967), so
 * that the inverse of a well-conditioned matrix is correctly rounded and a zero in it is
 * a zero. A component that keeps no digit from one step to the next is such a zero.
 *
 * A column that depends on those before it (what is left of it is below m×2^-52 of its
 * length) makes the matrix singular: DOMAIN ERROR.
 *
 * Many systems of one shape are shared by threads. Larger real ones are taken by panels of columns
 * (ir/build_linear.c). */
#include "linear.h"
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { REFINE_STEPS = 6 };

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
  arena memory;
  ctx *c;
  int64_t m, n;
  double *a; /* scaled */
  /* R in the upper triangle, the reflections' vectors below and on the diagonal. */
  double *qr;
  double *beta, *diag; /* n: of the reflections, R's diagonal */
  int *scale;          /* n: column k is the given one × 2^-scale */
  dd *x, *r;           /* n, m: the solution and its residual */
  double *b;           /* m: the right-hand side */
  double *f, *g;       /* m, n: those of a step */
} lsq;

/* Eight sums side by side, joined by halves. */
enum { DOT_LANES = 8 };

static double dot(const double *x, const double *y, int64_t n) {
  double sum[DOT_LANES] = {0}, rest = 0;
  int64_t i = 0;
  for (; i + DOT_LANES <= n; i += DOT_LANES)
    for (int64_t j = 0; j < DOT_LANES; j++) sum[j] += x[i + j] * y[i + j];
  for (; i < n; i++) rest += x[i] * y[i];
  for (int half = DOT_LANES / 2; half; half /= 2)
    for (int j = 0; j < half; j++) sum[j] += sum[j + half];
  return sum[0] + rest;
}
static void add_times(double *y, double by, const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] += by * x[i];
}

/* y - beta v v'y. */
static void reflect(double *y, double beta, const double *v, int64_t n) {
  add_times(y, -beta * dot(v, y, n), v, n);
}
/* Reflection k of the system's. */
static void reflect_by(const lsq *s, int64_t k, double *y) {
  reflect(y + k, s->beta[k], s->qr + k * s->m + k, s->m - k);
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

/* What came of a matrix: the worst is the greatest. */
typedef enum outcome { SOLVED, TOO_LARGE, SINGULAR, STOPPED } outcome;

/* qr becomes R above its diagonal and below it and on it the reflections' vectors. */
static outcome factor(lsq *s) {
  int64_t m = s->m, n = s->n;
  scale_columns(s);
  memcpy(s->qr, s->a, (size_t)(m * n) * sizeof *s->qr);
  for (int64_t k = 0; k < n; k++) {
    const double *a = s->a + k * m;
    double *v = s->qr + k * m + k, left = sqrt(dot(v, v, m - k));
    if (stop_is_due(s->c)) return STOPPED;
    if (!(left > sqrt(dot(a, a, m)) * (double)m * DBL_EPSILON) || isinf(left))
      return SINGULAR;
    s->diag[k] = v[0] > 0 ? -left : left;
    v[0] -= s->diag[k];
    s->beta[k] = -1 / (s->diag[k] * v[0]);
    for (int64_t j = k + 1; j < n; j++) reflect_by(s, k, s->qr + j * m);
  }
  return SOLVED;
}

/* ── one right-hand side ────────────────────────────────────────────────────────────── */

/* dr + A dx = f, A'dr = g: x and r grow by the solution; g is left with dx. */
static void solve_step(lsq *s) {
  double *f = s->f, *z = s->g;
  for (int64_t k = 0; k < s->n; k++) /* R'z = g */
    z[k] = (z[k] - dot(s->qr + k * s->m, z, k)) / s->diag[k];
  for (int64_t k = 0; k < s->n; k++) reflect_by(s, k, f);
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
  for (int64_t k = s->n - 1; k >= 0; k--) reflect_by(s, k, f);
  for (int64_t i = 0; i < s->m; i++) s->r[i] = dd_add(s->r[i], f[i]);
}

/* f ← b - r - Ax, g ← -A'r. */
static void residuals(lsq *s) {
  for (int64_t i = 0; i < s->m; i++) {
    dd t = dd_add((dd){s->b[i], 0}, -s->r[i].hi);
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
static void solve(lsq *s) {
  memset(s->x, 0, (size_t)s->n * sizeof *s->x);
  memset(s->r, 0, (size_t)s->m * sizeof *s->r);
  memset(s->g, 0, (size_t)s->n * sizeof *s->g);
  memcpy(s->f, s->b, (size_t)s->m * sizeof *s->f);
  solve_step(s);
  double most = 0;
  for (int64_t k = 0; k < s->n; k++) most = fmax(most, fabs(s->x[k].hi));
  if (s->m * s->n > LINEAR_REFINED || !isfinite(most)) return;
  for (int i = 0; i < REFINE_STEPS; i++) {
    residuals(s);
    solve_step(s);
  }
  for (int64_t k = 0; k < s->n; k++)
    if (fabs(s->x[k].hi) < most * 0x1p-80 && fabs(s->g[k]) > fabs(s->x[k].hi) * 0x1p-20)
      s->x[k] = (dd){0, 0};
}

/* ── arrays ─────────────────────────────────────────────────────────────────────────── */

static bool lsq_new(prim_env *e, lsq *s, int64_t m, int64_t n) {
  *s = (lsq){.memory = {.c = e->c}, .c = e->c, .m = m, .n = n};
  size_t mn = (size_t)(m * n), ms = (size_t)m, ns = (size_t)n;
  if (n && m > INT64_MAX / 64 / n)
    return err_set(e->c, ERR_LIMIT, "⌹: the matrix is too large");
  s->a = arena_alloc(&s->memory, mn * sizeof *s->a);
  s->qr = arena_alloc(&s->memory, mn * sizeof *s->qr);
  s->beta = arena_alloc(&s->memory, ns * sizeof *s->beta);
  s->diag = arena_alloc(&s->memory, ns * sizeof *s->diag);
  s->scale = arena_alloc(&s->memory, ns * sizeof *s->scale);
  s->x = arena_alloc(&s->memory, ns * sizeof *s->x);
  s->r = arena_alloc(&s->memory, ms * sizeof *s->r);
  s->b = arena_alloc(&s->memory, ms * sizeof *s->b);
  s->f = arena_alloc(&s->memory, ms * sizeof *s->f);
  s->g = arena_alloc(&s->memory, ns * sizeof *s->g);
  return !err_is(e->c);
}

static void lsq_free(lsq *s) { arena_free(&s->memory); }

static double part_of(const arr *a, int64_t i, int part) {
  if (part) return arr_get_imag(a, i);
  return arr_get_float(a, i);
}

/* Systems y, of one shape, behind one another, each with `cols` right-hand sides in x, NULL: the
 * identity's columns; and their solutions r, n × cols, by rows. */
typedef struct systems {
  const arr *x, *y;
  arr *r;
  int64_t m, n, cols;
  int parts;
  lsq *work; /* for `threads` of them at once */
  atomic_bool *busy;
  int threads;
  atomic_int worst; /* outcome */
} systems;

/* The matrix of number `at` into s->a, by columns, as a real one of `parts` × m and n. */
static void load_matrix(lsq *s, const systems *all, int64_t at) {
  int64_t m = all->m, n = all->n;
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = 0; i < m; i++) {
      double *to = s->a + k * s->m + i, *right = to + n * s->m;
      int64_t from = at * m * n + i * n + k;
      double re = part_of(all->y, from, 0);
      to[0] = re;
      if (all->parts == 1) continue;
      double im = part_of(all->y, from, 1);
      to[m] = im;
      right[0] = -im;
      right[m] = re;
    }
}

/* Column j of its right-hand sides into s->b. */
static void load_column(lsq *s, const systems *all, int64_t at, int64_t j) {
  int64_t m = all->m;
  for (int64_t i = 0; i < s->m; i++) {
    int64_t from = (at * m + i % m) * all->cols + j;
    s->b[i] = all->x ? part_of(all->x, from, i >= m) : i == j;
  }
}

/* The solution becomes column j of the result; false where it is no finite number. */
static bool store_column(const lsq *s, const systems *all, int64_t at, int64_t j) {
  int64_t n = all->n;
  for (int64_t k = 0; k < n; k++)
    for (int p = 0; p < all->parts; p++) {
      double v = ldexp(s->x[p * n + k].hi, -s->scale[k]);
      int64_t to = (at * n + k) * all->cols + j;
      if (!isfinite(v)) return false;
      if (all->parts == 2) ((double *)all->r->host)[2 * to + p] = v;
      else arr_put_float(all->r, to, v);
    }
  return true;
}

static outcome solve_system(lsq *s, const systems *all, int64_t at) {
  load_matrix(s, all, at);
  outcome is = factor(s);
  for (int64_t j = 0; j < all->cols && is == SOLVED; j++) {
    if (stop_is_due(s->c)) return STOPPED;
    load_column(s, all, at, j);
    solve(s);
    if (!store_column(s, all, at, j)) is = TOO_LARGE;
  }
  return is;
}

/* Some systems, in work space that no other thread has. */
static void solve_some(void *job, int64_t from, int64_t to) {
  systems *all = job;
  int k = 0, is = SOLVED, was;
  while (atomic_exchange(&all->busy[k], true)) k = (k + 1) % all->threads;
  for (int64_t at = from; at < to && is == SOLVED; at++) {
    is = (int)solve_system(&all->work[k], all, at);
    if (atomic_load(&all->worst)) break;
  }
  atomic_store(&all->busy[k], false);
  was = atomic_load(&all->worst);
  while (is > was && !atomic_compare_exchange_weak(&all->worst, &was, is)) continue;
}

static bool solve_systems(prim_env *e, systems *all, int64_t count) {
  enum { THREADS = 64 };
  arena memory = {.c = e->c};
  each_loop loop = {.n = count, .task = solve_some, .job = all};
  loop.cell = all->m * all->n;
  loop.steps = 100 * all->cols;
  all->threads = (int)min_i64(ceil_div(count, EACH_ALIGN), THREADS);
  all->work = arena_alloc(&memory, (size_t)all->threads * sizeof *all->work);
  all->busy = arena_alloc(&memory, (size_t)all->threads * sizeof *all->busy);
  bool ok = all->work && all->busy;
  for (int i = 0; ok && i < all->threads; i++)
    ok = lsq_new(e, &all->work[i], all->m * all->parts, all->n * all->parts);
  ok = ok && each_part(e->c, &loop);
  for (int i = 0; all->work && i < all->threads; i++) lsq_free(&all->work[i]);
  arena_free(&memory);
  int worst = atomic_load(&all->worst);
  if (!ok || worst == SOLVED) return ok;
  if (worst == SINGULAR) return err_set(e->c, ERR_DOMAIN, "⌹: the matrix is singular");
  if (worst == TOO_LARGE)
    return err_set(e->c, ERR_DOMAIN, "⌹: the result is too large for a number");
  return !interrupted(e->c) && err_set(e->c, ERR_INTERRUPT, "stopped");
}

arr *prim_divide_systems(prim_env *e, const arr *x, const arr *y, const linear_shape *s,
                         int rank, const int64_t *shape) {
  OWNED arr *r = arr_new(e->c, sc_number_type(x, y), rank, shape);
  if (!r) return NULL;
  systems all = {.x = x, .y = y, .r = r, .m = s->m, .n = s->n, .cols = s->cols};
  all.parts = r->type == ET_C128 ? 2 : 1;
  return solve_systems(e, &all, s->count) ? arr_move(&r) : NULL;
}

static bool matrix_of_numbers(prim_env *e, const arr *a, const char *which) {
  if (a->rank > 2) return err_set(e->c, ERR_RANK, "⌹: %s has more than two axes", which);
  if (elt_is_num((elt)a->type)) return true;
  return err_set(e->c, ERR_DOMAIN, "⌹: %s must be numbers", which);
}

/* Columns of a matrix; of a vector or a scalar 1. */
static int64_t columns_of(const arr *a) {
  if (a->rank == 2) return a->shape[1];
  return 1;
}

/* x⌹y, or ⌹y where x is NULL. */
static arr *divide(prim_env *e, const arr *x, const arr *y, int rank,
                   const int64_t *shape) {
  linear_shape s = {.count = 1, .m = arr_first_axis(y), .n = columns_of(y)};
  if (s.m < s.n) return fail(e, ERR_LENGTH, "⌹: the matrix has fewer rows than columns");
  s.cols = x ? columns_of(x) : s.m;
  if (x && arr_first_axis(x) != s.m)
    return fail(e, ERR_LENGTH, "⌹: the arguments have different numbers of rows");
  return prim_divide_systems(e, x, y, &s, rank, shape);
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
