/* SPDX-License-Identifier: MIT */
/* fourier.c - Fourier transforms on the host: tables of roots, and a row at a time by the steps of
 * tables/fourier.h, from planes of real and imaginary parts to others and back. */
#include "fourier.h"

#include <math.h>

#include "../base/arith.h"
#include "../base/isa.h"
#include "../base/mem.h"
#include "math.h"
#include "scalar.h"

/* ── roots ──────────────────────────────────────────────────────────────────────────── */

/* exp(-2πi e÷n), 0 ≤ e < n: the angle from the nearest axis, at most ¼π, in two doubles. */
static cx root_of(int64_t e, int64_t n) {
  const double quarter = 0x1.921fb54442d18p-1, rest = 0x1.1a62633145c07p-55; /* of π */
  int64_t octant = 8 * e / n, r = 8 * e % n;
  if (octant % 2) r = n - r;
  double turn = (double)r / (double)n,
         left = fma(-turn, (double)n, (double)r) / (double)n;
  double h = turn * quarter;
  double l = fma(turn, quarter, -h) + (turn * rest + left * quarter);
  double c = math_COS_AT(h, l, 0), s = math_SIN_AT(h, l, 0);
  if ((octant + 1) / 2 % 2) { /* counted from the imaginary axis */
    double t = c;
    c = s;
    s = t;
  }
  if (octant >= 2 && octant < 6) c = -c;
  return (cx){c, octant < 4 && s != 0 ? -s : s};
}

arr *prim_fourier_table(ctx *c, int64_t n) {
  int64_t low = fourier_low(n), all = fourier_table(n);
  OWNED arr *r = arr_vec(c, ET_C128, all);
  for (int64_t k = 0; r && k < all; k++) {
    if (stops_at(c, k)) return NULL;
    ((cx *)r->host)[k] = root_of(k < low ? k : (k - low) * low, n);
  }
  return arr_move(&r);
}

arr *prim_fourier_chirp(ctx *c, int64_t n, bool inverse) {
  __extension__ typedef unsigned __int128 u128;
  OWNED arr *r = arr_vec(c, ET_C128, n);
  for (int64_t k = 0; r && k < n; k++) {
    if (stops_at(c, k)) return NULL;
    cx v = root_of((int64_t)((u128)k * (u128)k % (u128)(2 * n)), 2 * n);
    if (inverse && v.im != 0) v.im = -v.im;
    ((cx *)r->host)[k] = v;
  }
  return arr_move(&r);
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

typedef struct planes { /* n × inner real parts and as many imaginary ones, twice */
  ctx *c;
  double *all, *part[2][2];
  bool finite; /* all numbers of the row were */
} planes;
#define OWNED_PLANES __attribute__((cleanup(planes_free)))

static void planes_free(planes *p) { mem_free(p->c, p->all); }

static bool planes_make(planes *p, int64_t n) {
  if (n > INT64_MAX / 64)
    return err_set(p->c, ERR_WS_FULL, "a transform of too many numbers");
  p->all = mem_alloc(p->c, (size_t)n * 4 * sizeof(double));
  for (int i = 0; p->all && i < 4; i++) p->part[i / 2][i % 2] = p->all + i * n;
  return p->all != NULL;
}

/* Is one of them no finite number? */
static bool has_none(const double *v, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += v[i] - v[i];
  return sum != 0;
}

/* The inverse transform is the transform of the numbers whose parts are exchanged, exchanged again. */
static bool load_row(planes *p, const fourier_call *f, int64_t row) {
  int64_t n = f->n * f->inner, first = row * n;
  double *re = p->part[0][f->inverse], *im = p->part[0][!f->inverse];
  p->finite = true;
  for (int64_t i = 0; i < n; i += SC_BLOCK) {
    int64_t some = min_i64(n - i, SC_BLOCK);
    if (interrupted(p->c)) return false;
    if (f->y->type == ET_C128) {
      const cx *from = (const cx *)f->y->host + first + i;
      for (int64_t k = 0; k < some; k++) re[i + k] = from[k].re;
      for (int64_t k = 0; k < some; k++) im[i + k] = from[k].im;
    } else {
      sc_load(f->y, first + i, 1, some, SC_F64, re + i);
      for (int64_t k = 0; k < some; k++) im[i + k] = 0;
    }
    if (has_none(re + i, some) || has_none(im + i, some)) p->finite = false;
  }
  return true;
}

/* From the planes number `at`. */
static bool store_row(const planes *p, int at, const fourier_call *f, int64_t row,
                      arr *r) {
  int64_t n = f->n * f->inner;
  const double *re = p->part[at][f->inverse], *im = p->part[at][!f->inverse];
  cx *to = (cx *)r->host + row * n;
  double bad = 0;
  for (int64_t i = 0; i < n; i++) {
    to[i] = (cx){re[i] * f->by, im[i] * f->by};
    bad += (to[i].re - to[i].re) + (to[i].im - to[i].im);
    if (stops_at(p->c, i)) return false;
  }
  if (bad == 0 || !p->finite) return true;
  return err_set(p->c, ERR_DOMAIN, "⎕FFT: a result is too large for a number");
}

static fourier_loop *best_loop(void) {
  static fourier_loop *const *const all[] = FOR_ISA(fourier_loop);
  return *all[isa_best()];
}

static bool take_steps(ctx *c, const fourier_call *f, const fourier_plan *plan,
                       planes *p) {
  enum { AT_ONCE = 1 << 14 };
  fourier_step s = {
      .n = f->n, .m = f->n, .done = 1, .inner = f->inner, .table = f->table->host};
  for (int i = 0; i < plan->n; i++) {
    s.radix = plan->radix[i];
    s.m /= s.radix;
    s.roots = fourier_roots_of(f->n, s.done);
    int64_t all = s.m * s.done * s.inner;
    for (int64_t b = 0; b < all; b += AT_ONCE) {
      if (interrupted(c)) return false;
      best_loop()(&s, p->part[i % 2], p->part[1 - i % 2], b, min_i64(all, b + AT_ONCE));
    }
    s.done *= s.radix;
  }
  return true;
}

arr *prim_fourier(prim_env *e, const fourier_call *f) {
  fourier_plan plan;
  OWNED_PLANES planes p = {.c = e->c};
  if (!fourier_plan_of(f->n, &plan)) return NULL;
  OWNED arr *r = arr_new(e->c, ET_C128, f->y->rank, f->y->shape);
  if (!r || !planes_make(&p, f->n * f->inner)) return NULL;
  for (int64_t row = 0; row < f->rows; row++)
    if (!load_row(&p, f, row) || !take_steps(e->c, f, &plan, &p) ||
        !store_row(&p, plan.n % 2, f, row, r))
      return NULL;
  return cx_demote(e->c, arr_move(&r));
}
