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
 * a zero. A component that keeps no digit from one step to the next is such a zero. Most systems settle
 * after two or three steps; where another could change a bit of the result, it is taken.
 *
 * A column that depends on those before it (what is left of it is below m×2^-52 of its
 * length) makes the matrix singular: DOMAIN ERROR.
 *
 * Many systems of one shape go side by side in vectors of the processor's (linear_loops.c), as do the right-hand
 * sides of one system, and are shared by threads. Larger ones are taken by panels of columns
 * (ir/build_linear.c). */
#include "linear.h"
#include "linear_loops.h"
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../base/isa.h"
#include "../base/mem.h"
#include "../array/element.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>

/* ── work space ─────────────────────────────────────────────────────────────────────── */

/* The loops for systems of which `most` go side by side. */
static const lsq_loops *loops_for(int64_t most) {
  static const lsq_loops *const of[] = {
      &lsq_loops_base,
#ifdef __x86_64__
      &lsq_loops_avx2,
      &lsq_loops_avx512,
#endif
  };
  int best = isa_best_of((int)ARRAY_LEN(of) - 1);
  return most > 1 ? of[best] : of[0];
}

/* n numbers for each of `lanes` systems, as vectors that begin at multiples of what they have. */
static double *numbers_new(lsq *s, int64_t n, int lanes) {
  enum { MOST_BYTES = 64 };
  char *at = arena_alloc(&s->memory, (size_t)(n * lanes) * sizeof(double) + MOST_BYTES);
  return at ? (double *)(void *)(at + (-(uintptr_t)at & (MOST_BYTES - 1))) : NULL;
}

static bool lsq_new(prim_env *e, lsq *s, int64_t m, int64_t n, int lanes) {
  *s = (lsq){.memory = {.c = e->c}, .c = e->c, .m = m, .n = n};
  if (n && m > INT64_MAX / 64 / n / lanes)
    return err_set(e->c, ERR_LIMIT, "⌹: the matrix is too large");
  s->a = numbers_new(s, m * n, lanes);
  s->qr = numbers_new(s, m * n, lanes);
  s->scale = arena_alloc(&s->memory, (size_t)(n * lanes) * sizeof *s->scale);
  double **const of_columns[] = {&s->beta, &s->diag, &s->xh, &s->xl, &s->g, &s->x};
  double **const of_rows[] = {&s->rh, &s->rl, &s->b, &s->f};
  for (size_t i = 0; i < ARRAY_LEN(of_columns); i++)
    *of_columns[i] = numbers_new(s, n, lanes);
  for (size_t i = 0; i < ARRAY_LEN(of_rows); i++) *of_rows[i] = numbers_new(s, m, lanes);
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
  int64_t count, m, n, cols;
  int parts;
  const lsq_loops *loops;
  lsq *work; /* for `threads` of them at once */
  atomic_bool *busy;
  int threads;
  atomic_int worst; /* outcome */
} systems;

/* Lane `lane` is the matrix of number `at`, by columns, as a real one of `parts` × m and n. Its columns are
 * scaled to a largest element of 0.5 to 1. */
static void load_matrix(lsq *s, const systems *all, int64_t at, int lane) {
  int64_t m = all->m, n = all->n, step = all->loops->lanes;
  double *a = s->a + lane;
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = 0; i < m; i++) {
      double *to = a + (k * s->m + i) * step, *right = to + n * s->m * step;
      int64_t from = at * m * n + i * n + k;
      double re = part_of(all->y, from, 0);
      to[0] = re;
      if (all->parts == 1) continue;
      double im = part_of(all->y, from, 1);
      to[m * step] = im;
      right[0] = -im;
      right[m * step] = re;
    }
  for (int64_t k = 0; k < s->n; k++) {
    double most = 0, *col = a + k * s->m * step;
    int *scale = s->scale + k * step + lane;
    for (int64_t i = 0; i < s->m; i++) most = fmax(most, fabs(col[i * step]));
    frexp(most, scale);
    for (int64_t i = 0; i < s->m; i++) col[i * step] = ldexp(col[i * step], -*scale);
  }
}

/* Column j of the right-hand sides. */
static void load_column(lsq *s, const systems *all, int64_t at, int64_t j, int lane) {
  int64_t m = all->m, step = all->loops->lanes;
  for (int64_t i = 0; i < s->m; i++) {
    int64_t from = (at * m + i % m) * all->cols + j;
    s->b[i * step + lane] = all->x ? part_of(all->x, from, i >= m) : i == j;
  }
}

/* The solution becomes column j of the result; false where it is no finite number. */
static bool store_column(const lsq *s, const systems *all, int64_t at, int64_t j,
                         int lane) {
  int64_t n = all->n, step = all->loops->lanes;
  for (int64_t k = 0; k < n; k++)
    for (int p = 0; p < all->parts; p++) {
      int64_t from = (p * n + k) * step + lane, to = (at * n + k) * all->cols + j;
      double v = ldexp(s->x[from], -s->scale[k * step + lane]);
      if (!isfinite(v)) return false;
      if (all->parts == 2) ((double *)all->r->host)[2 * to + p] = v;
      else arr_put_float(all->r, to, v);
    }
  return true;
}

/* Lanes are systems from number `at` on, the last one again where there are no more; or, if `alone`, right-hand
 * sides of this one. */
static outcome solve_lanes(lsq *s, const systems *all, int64_t at, bool alone) {
  int lanes = all->loops->lanes;
  int64_t last = all->count - 1, step = alone ? lanes : 1;
  for (int l = 0; l < lanes; l++)
    load_matrix(s, all, alone ? at : min_i64(at + l, last), l);
  outcome is = all->loops->factor(s);
  for (int64_t j = 0; j < all->cols && is == SOLVED; j += step) {
    if (stop_is_due(s->c)) return STOPPED;
    for (int l = 0; l < lanes; l++) {
      int64_t of = alone ? at : min_i64(at + l, last);
      load_column(s, all, of, alone ? min_i64(j + l, all->cols - 1) : j, l);
    }
    all->loops->solve(s);
    for (int l = 0; l < lanes; l++) {
      int64_t of = alone ? at : min_i64(at + l, last);
      if (!store_column(s, all, of, alone ? min_i64(j + l, all->cols - 1) : j, l))
        is = TOO_LARGE;
    }
  }
  return is;
}

/* Some systems, in work space that no other thread has. */
static void solve_some(void *job, int64_t from, int64_t to) {
  systems *all = job;
  int k = 0, is = SOLVED, lanes = all->loops->lanes;
  bool alone = all->count < lanes;
  while (atomic_exchange(&all->busy[k], true)) k = (k + 1) % all->threads;
  for (int64_t at = from; at < to && is == SOLVED; at += alone ? 1 : lanes) {
    is = (int)solve_lanes(&all->work[k], all, at, alone);
    if (atomic_load(&all->worst)) break;
  }
  atomic_store(&all->busy[k], false);
  int was = atomic_load(&all->worst);
  while (is > was && !atomic_compare_exchange_weak(&all->worst, &was, is)) continue;
}

static bool solve_systems(prim_env *e, systems *all) {
  enum { THREADS = 64 };
  arena memory = {.c = e->c};
  each_loop loop = {.n = all->count, .task = solve_some, .job = all};
  loop.cell = all->m * all->n;
  loop.steps = 100 * all->cols;
  all->loops = loops_for(max_i64(all->count, all->cols));
  if (loop.cell * all->parts * all->parts > LINEAR_REFINED) all->loops = loops_for(1);
  all->threads = (int)min_i64(ceil_div(all->count, EACH_ALIGN), THREADS);
  all->work = arena_alloc(&memory, (size_t)all->threads * sizeof *all->work);
  all->busy = arena_alloc(&memory, (size_t)all->threads * sizeof *all->busy);
  bool ok = all->work && all->busy;
  int64_t m = all->m * all->parts, n = all->n * all->parts;
  for (int i = 0; ok && i < all->threads; i++)
    ok = lsq_new(e, &all->work[i], m, n, all->loops->lanes);
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
  all.count = s->count;
  all.parts = r->type == ET_C128 ? 2 : 1;
  return solve_systems(e, &all) ? arr_move(&r) : NULL;
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
