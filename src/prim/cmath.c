/* SPDX-License-Identifier: MIT */
/* cmath.c - prim.def's CPLX rows as C functions, one number at a time, and those rows that only
 * the host has: divisors, multiples, ! and ○ of several codes. They use complex.def's functions,
 * in a fixed order, so that they give the same bits on every machine. */
#include "complex.h"

#include "ops.h"

#define SUF d
#define V double
#define CT s->ct

/* ── the rows ───────────────────────────────────────────────────────────────────────── */

#define RES_B bool
#define RES_F double
#define RES_C cx
#define CX_B(v) CX(v, 0)
#define CX_F(v) CX(v, 0)
#define CX_C(v) (v)
#define ROW(name, result, ...)                                                           \
  static inline RES_##result name##_of(sc_state *s, cx x, cx y) {                        \
    UNUSED(s);                                                                           \
    UNUSED(x);                                                                           \
    __VA_ARGS__                                                                          \
  }                                                                                      \
  static cx name(sc_state *s, cx x, cx y) { return CX_##result(name##_of(s, x, y)); }
#define CPLX1(id, result, ...) ROW(monadic_##id, result, __VA_ARGS__)
#define CPLX2(id, result, ...) ROW(dyadic_##id, result, __VA_ARGS__)
#define HOSTCPLX1(id, function) static cx_fn function;
#define HOSTCPLX2(id, function) static cx_fn function;
#include "../tables/prim.def"

static cx_fn *const rows[P_COUNT + 1][2] = {
#define CPLX1(id, ...) [P_##id][0] = monadic_##id,
#define CPLX2(id, ...) [P_##id][1] = dyadic_##id,
#define HOSTCPLX1(id, function) [P_##id][0] = function,
#define HOSTCPLX2(id, function) [P_##id][1] = function,
#include "../tables/prim.def"
    [P_COUNT] = {NULL, NULL}};

cx_fn *cx_row_of(prim f, bool dyadic) { return rows[f][dyadic]; }

static cx cx_circle(sc_state *s, cx x, cx y) {
  double code = rint(x.re);
  bool is = cx_equal(x, CX(code, 0), s->ct) && fabs(code) <= 12;
  s->err |= !is;
  if (!is) return y;
  return rows[prim_of_code((int64_t)code)][0](s, y, y);
}

/* ── divisors ───────────────────────────────────────────────────────────────────────── */

bool cx_equal(cx x, cx y, double ct) { return math_C_TEQ(x, y, ct); }

static cx of(double re) { return CX(re, 0); }
static cx minus(cx z) { return CX(-z.re, -z.im); }
static cx plus(cx x, cx y) { return CX(x.re + y.re, x.im + y.im); }
static cx nearest(cx z) { return CX(rint(z.re), rint(z.im)); }
static cx one_plus(cx z) { return CX(1 + z.re, z.im); }
static bool is_zero(cx z) { return z.re == 0 && z.im == 0; }
static double larger(cx z) { return fmax(fabs(z.re), fabs(z.im)); }
static cx cx_times(cx x, cx y) { return math_C_MULTIPLY(x, y); }
static cx over(cx x, cx y) { return math_C_OVER(x, y); }
static double magnitude(cx z) { return math_HYPOT(z.re, z.im); }

/* Euclid with the nearest whole quotient, as on real numbers (rows.c): remainders lose
 * half their square each time. The result is the associate in the first quadrant. */
static cx cx_gcd(sc_state *s, cx x, cx y) {
  double ex = s->ct * larger(x), ey = s->ct * larger(y);
  if (larger(x) > DBL_MAX || larger(y) > DBL_MAX) return plus(x, y);
  bool whole = cx_equal(x, nearest(x), 0) && cx_equal(y, nearest(y), 0);
  if (whole) ex = ey = 0;
  while (larger(y) > ey) {
    cx q = nearest(over(x, y)), r = plus(x, minus(cx_times(y, q)));
    double er = ex + magnitude(q) * ey;
    if (!(magnitude(r) < magnitude(y))) r = of(0);
    x = y;
    ex = ey;
    y = r;
    ey = er;
  }
  /* At most three turns: a NaN is in no quadrant. */
  for (int k = 0; k < 3 && !(x.re > 0 && x.im >= 0); k++) x = CX(-x.im, x.re);
  return x;
}

static cx cx_lcm(sc_state *s, cx x, cx y) {
  cx g = cx_gcd(s, x, y);
  if (is_zero(g)) return g;
  return cx_times(x, over(y, g));
}

/* ── gamma ──────────────────────────────────────────────────────────────────────────── */

/* sin πz, whole turns of the real part left out. */
static cx sine_pi(cx z) {
  double a = (z.re - 2 * rint(z.re / 2)) * M_PI, b = z.im * M_PI;
  cx t = math_C_TURNED(a);
  return CX(t.im * math_COSH(b), t.re * math_SINH(b));
}

/* Stirling's series from |z| = 12 on, where eight terms leave 2^-63; to there by z Γ(z) =
 * Γ(z+1), and from the left half plane by Γ(z) Γ(1-z) = π ÷ sin πz. */
static cx gamma_of(cx z) {
  static const double series[] = {1.0 / 12,    -1.0 / 360,      1.0 / 1260,
                                  -1.0 / 1680, 1.0 / 1188,      -691.0 / 360360,
                                  1.0 / 156,   -3617.0 / 122400};
  if (z.re < 0.5)
    return over(of(M_PI), cx_times(sine_pi(z), gamma_of(one_plus(minus(z)))));
  cx below = of(1);
  for (; magnitude(z) < 12; z.re++) below = cx_times(below, z);
  cx w = over(of(1), z), w2 = cx_times(w, w), sum = of(0);
  for (int k = (int)ARRAY_LEN(series) - 1; k >= 0; k--)
    sum = plus(of(series[k]), cx_times(sum, w2));
  cx log = plus(cx_times(CX(z.re - 0.5, z.im), math_C_LOG(z)), minus(z));
  log = plus(log, plus(of(0x1.d67f1c864beb5p-1), cx_times(sum, w))); /* ½ ln 2π */
  return over(math_C_EXP(log), below);
}

static bool cx_is_whole(cx z) { return z.im == 0 && z.re == rint(z.re); }

static cx cx_factorial(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return gamma_of(one_plus(y));
}

/* n!y = y × (y-1) × … ÷ !n */
static cx few(double n, cx y) {
  cx r = of(1);
  for (double k = 0; k < n; k++) {
    r = cx_times(r, CX(y.re - k, y.im));
    r = over(r, of(k + 1));
  }
  return r;
}

static cx cx_binomial(sc_state *s, cx x, cx y) {
  cx rest = plus(y, minus(x));
  if (cx_is_whole(x) && x.re >= 0 && x.re <= 1000) return few(x.re, y);
  if (cx_is_whole(rest) && rest.re >= 0 && rest.re <= 1000) return few(rest.re, y);
  if ((cx_is_whole(x) && x.re < 0) || (cx_is_whole(rest) && rest.re < 0)) return of(0);
  if (cx_is_whole(y) && y.re < 0) {
    s->err = true;
    return y;
  }
  cx below = cx_times(gamma_of(one_plus(x)), gamma_of(one_plus(rest)));
  return over(gamma_of(one_plus(y)), below);
}
