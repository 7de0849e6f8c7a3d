/* SPDX-License-Identifier: MIT */
/* linear_loops.c - the factors and the solutions of linear.c, for one instruction set: a V is a number of each of
 * LANES systems, or right-hand sides, that take the same steps side by side. The base set has one. */
#include "../base/isa.h"
#include "linear.h"
#include "linear_loops.h"
#include "../tables/refine.h"

#include <float.h>
#include <math.h>
#include <string.h>
#if !defined(ISA_IS_BASE)
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && !defined(ISA_IS_BASE)
enum { LANES = 8 };
typedef __m512d V;
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define SQRT(a) _mm512_sqrt_pd(a)
#elif defined(__AVX2__) && !defined(ISA_IS_BASE)
enum { LANES = 4 };
typedef __m256d V;
#define FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define SQRT(a) _mm256_sqrt_pd(a)
#else
enum { LANES = 1 };
typedef double V;
#define FMA(a, b, c) fma(a, b, c)
#define SQRT(a) sqrt(a)
#endif

#define LANE(v, l) ((double *)&(v))[l]

/* ── twice the precision ────────────────────────────────────────────────────────────── */

typedef struct dd {
  V hi, lo;
} dd; /* hi + lo, |lo| at most half a unit of hi */

static inline dd dd_add(dd a, V b) {
  V s = a.hi + b, t = s - a.hi, e = (a.hi - (s - t)) + (b - t) + a.lo;
  V hi = s + e;
  return (dd){hi, e - (hi - s)};
}
/* a + b×c, c as exact as it is given. */
static inline dd dd_fma(dd a, V b, dd c) {
  V p = b * c.hi, e = FMA(b, c.hi, -p);
  return dd_add(dd_add(a, p), e + b * c.lo);
}

/* ── the factors ────────────────────────────────────────────────────────────────────── */

/* Eight sums side by side, joined by halves. */
enum { SUMS = 8 };

static V dot(const V *x, const V *y, int64_t n) {
  V none = {0}, sum[SUMS], rest = none;
  for (int64_t j = 0; j < SUMS; j++) sum[j] = none;
  int64_t i = 0;
  for (; i + SUMS <= n; i += SUMS)
    for (int64_t j = 0; j < SUMS; j++) sum[j] += x[i + j] * y[i + j];
  for (; i < n; i++) rest += x[i] * y[i];
  for (int half = SUMS / 2; half; half /= 2)
    for (int j = 0; j < half; j++) sum[j] += sum[j + half];
  return sum[0] + rest;
}
static void add_times(V *y, V by, const V *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] += by * x[i];
}

/* Reflection k of the system's: y - beta v v'y. */
static void reflect_by(const lsq *s, int64_t k, V *y) {
  int64_t n = s->m - k;
  const V *v = (const V *)s->qr + k * s->m + k;
  V beta = ((const V *)s->beta)[k];
  y += k;
  add_times(y, -beta * dot(v, y, n), v, n);
}

/* qr becomes R above its diagonal and below it and on it the reflections' vectors. */
static outcome factor(lsq *s) {
  int64_t m = s->m, n = s->n;
  memcpy(s->qr, s->a, (size_t)(m * n) * sizeof(V));
  for (int64_t k = 0; k < n; k++) {
    const V *a = (V *)s->a + k * m;
    V *v = (V *)s->qr + k * m + k, left = SQRT(dot(v, v, m - k));
    V least = SQRT(dot(a, a, m)) * (double)m * DBL_EPSILON, r = left;
    if (stop_is_due(s->c)) return STOPPED;
    for (int l = 0; l < LANES; l++) {
      double it = LANE(left, l);
      if (!(it > LANE(least, l)) || isinf(it)) return SINGULAR;
      if (LANE(v[0], l) > 0) LANE(r, l) = -it;
    }
    V one = r - r + 1.0;
    ((V *)s->diag)[k] = r;
    v[0] -= r;
    ((V *)s->beta)[k] = -one / (r * v[0]);
    for (int64_t j = k + 1; j < n; j++) reflect_by(s, k, (V *)s->qr + j * m);
  }
  return SOLVED;
}

/* ── right-hand sides ───────────────────────────────────────────────────────────────── */

static void dd_step(V *hi, V *lo, V by) {
  dd r = dd_add((dd){*hi, *lo}, by);
  *hi = r.hi;
  *lo = r.lo;
}

/* dr + A dx = f, A'dr = g: x and r grow by the solution; g is left with dx. */
static void solve_step(lsq *s) {
  V *f = (V *)s->f, *z = (V *)s->g, *diag = (V *)s->diag, *qr = (V *)s->qr;
  for (int64_t k = 0; k < s->n; k++) /* R'z = g */
    z[k] = (z[k] - dot(qr + k * s->m, z, k)) / diag[k];
  for (int64_t k = 0; k < s->n; k++) reflect_by(s, k, f);
  for (int64_t k = 0; k < s->n; k++) {
    V d = f[k] - z[k];
    f[k] = z[k];
    z[k] = d;
  }
  for (int64_t k = s->n - 1; k >= 0; k--) { /* R dx = d - z */
    z[k] /= diag[k];
    add_times(z, -z[k], qr + k * s->m, k);
    dd_step((V *)s->xh + k, (V *)s->xl + k, z[k]);
  }
  for (int64_t k = s->n - 1; k >= 0; k--) reflect_by(s, k, f);
  for (int64_t i = 0; i < s->m; i++) dd_step((V *)s->rh + i, (V *)s->rl + i, f[i]);
}

/* f ← b - r - Ax, g ← -A'r. */
static void residuals(lsq *s) {
  const V *a = (V *)s->a, *b = (V *)s->b, *rh = (V *)s->rh, *rl = (V *)s->rl;
  V none = {0};
  for (int64_t i = 0; i < s->m; i++) {
    dd t = dd_add((dd){b[i], none}, -rh[i]);
    t = dd_add(t, -rl[i]);
    for (int64_t k = 0; k < s->n; k++)
      t = dd_fma(t, -a[k * s->m + i], (dd){((V *)s->xh)[k], ((V *)s->xl)[k]});
    ((V *)s->f)[i] = t.hi;
  }
  for (int64_t k = 0; k < s->n; k++) {
    dd t = {none, none};
    for (int64_t i = 0; i < s->m; i++)
      t = dd_fma(t, -a[k * s->m + i], (dd){rh[i], rl[i]});
    ((V *)s->g)[k] = t.hi;
  }
}

/* The largest change of lane l by the last step. */
static double change_of(const lsq *s, int l) {
  double most = 0;
  for (int64_t i = l; i < s->n * LANES; i += LANES) most = fmax(most, fabs(s->g[i]));
  for (int64_t i = l; i < s->m * LANES; i += LANES) most = fmax(most, fabs(s->f[i]));
  return most;
}

/* Is lane l's xh what it is with a change, too? */
static bool is_settled(const lsq *s, int l, double by) {
  for (int64_t i = l; i < s->n * LANES; i += LANES) {
    double x = s->xh[i], lo = s->xl[i];
    if (x + (lo + by) != x || x + (lo - by) != x) return false;
  }
  return true;
}

/* Lane l's solution, where a component that keeps no digit is 0. */
static void take_lane(lsq *s, int l, double most) {
  for (int64_t i = l; i < s->n * LANES; i += LANES) {
    double x = fabs(s->xh[i]);
    bool none = x < most * NONE_BELOW && fabs(s->g[i]) > x * NONE_DIGITS;
    s->x[i] = none ? 0 : s->xh[i];
  }
}

/* The solutions for b into x. Each lane ends when it has settled. */
static void solve(lsq *s) {
  size_t m = (size_t)s->m * sizeof(V), n = (size_t)s->n * sizeof(V);
  double most[LANES] = {0}, noise[LANES] = {0};
  bool ends[LANES] = {0};
  double *const none[4] = {s->xh, s->xl, s->g, s->rh};
  for (int i = 0; i < 4; i++) memset(none[i], 0, i == 3 ? m : n);
  memset(s->rl, 0, m);
  memcpy(s->f, s->b, m);
  solve_step(s);
  bool finite = true;
  for (int64_t i = 0; i < s->n * LANES; i++) {
    most[i % LANES] = fmax(most[i % LANES], fabs(s->xh[i]));
    finite = finite && isfinite(most[i % LANES]);
  }
  memcpy(s->x, s->xh, n);
  if (s->m * s->n > LINEAR_REFINED || !finite) return;
  for (int i = 1, open = LANES; i <= REFINE_STEPS && open; i++) {
    residuals(s);
    solve_step(s);
    for (int l = 0; l < LANES; l++) {
      if (ends[l]) continue;
      double change = change_of(s, l);
      if (i == 1) noise[l] = change * SETTLED_NOISE;
      if (i < REFINE_STEPS && !is_settled(s, l, change * SETTLED_NEAR + noise[l]))
        continue;
      take_lane(s, l, most[l]);
      ends[l] = true;
      open--;
    }
  }
}

const lsq_loops ISA_NAME(lsq_loops) = {.lanes = LANES, .factor = factor, .solve = solve};
