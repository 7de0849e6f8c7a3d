/* SPDX-License-Identifier: MIT */
/* cmath.c - the functions of complex numbers, one number at a time: prim.def's CPLX rows.
 *
 * They are made of the four operations, the square root and the real functions of
 * math.def alone, in a fixed order, so that they give the same bits on every machine;
 * libm serves for exact operations only (floor, rint, scalbn). Powers of two keep
 * intermediate squares from over- and underflowing and cost no accuracy.
 *
 * Logarithms, roots and powers take the principal value, where a negative number has the
 * phase π. The inverse circular and hyperbolic functions are Kahan's, but real numbers on
 * a cut go with the defining formulas of Penfield (APL81), as other APLs have it:
 * arcsine, arctangent and their likes stay odd functions. */
#include "complex.h"

#include "math.h"
#include "../array/match.h"

#include <float.h>
#include <math.h>

static cx of(double re) { return (cx){re, 0}; }
static cx minus(cx z) { return (cx){-z.re, -z.im}; }
static cx plus(cx x, cx y) { return (cx){x.re + y.re, x.im + y.im}; }
static cx scaled(cx z, int e) { return (cx){scalbn(z.re, e), scalbn(z.im, e)}; }
static cx times_i(cx z) { return (cx){-z.im, z.re}; }
static bool is_zero(cx z) { return z.re == 0 && z.im == 0; }
static double larger(cx z) { return fmax(fabs(z.re), fabs(z.im)); }

/* ── arithmetic ─────────────────────────────────────────────────────────────────────── */

/* The power of two that brings the larger part of z near 1; 0 for zeros and
 * infinities. */
static int exponent(cx z) {
  double m = larger(z);
  if (m > 0 && m <= DBL_MAX) return ilogb(m);
  return 0;
}

double cx_magnitude(cx z) { return math_HYPOT(z.re, z.im); }

cx cx_times(cx x, cx y) {
  return (cx){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

cx cx_over(cx x, cx y) {
  if (y.im == 0) return (cx){x.re / y.re, x.im / y.re};
  int e = exponent(y);
  y = scaled(y, -e);
  double d = y.re * y.re + y.im * y.im;
  cx r = {(x.re * y.re + x.im * y.im) / d, (x.im * y.re - x.re * y.im) / d};
  return scaled(r, -e);
}

bool cx_equal(cx x, cx y, double ct) {
  return num_equal_complex(x.re, x.im, y.re, y.im, ct) && x.re == x.re && x.im == x.im;
}

cx cx_conjugate(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return (cx){y.re, -y.im};
}
cx cx_negate(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return minus(y);
}
cx cx_add(sc_state *s, cx x, cx y) {
  UNUSED(s);
  return plus(x, y);
}
cx cx_subtract(sc_state *s, cx x, cx y) {
  UNUSED(s);
  return plus(x, minus(y));
}
cx cx_multiply(sc_state *s, cx x, cx y) {
  UNUSED(s);
  return cx_times(x, y);
}

/* x÷0 is 0. */
cx cx_divide0(sc_state *s, cx x, cx y) {
  UNUSED(s);
  if (is_zero(y)) return y;
  return cx_over(x, y);
}

cx cx_divide(sc_state *s, cx x, cx y) {
  s->err |= is_zero(y);
  return cx_divide0(s, x, y);
}

cx cx_reciprocal(sc_state *s, cx x, cx y) {
  UNUSED(x);
  return cx_divide(s, of(1), y);
}

cx cx_reciprocal0(sc_state *s, cx x, cx y) {
  UNUSED(x);
  return cx_divide0(s, of(1), y);
}

cx cx_direction(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  y = scaled(y, -exponent(y));
  if (is_zero(y)) return y;
  return cx_over(y, of(cx_magnitude(y)));
}

cx cx_absolute(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return of(cx_magnitude(y));
}

/* Two real numbers compare as such: a difference in kind is one in value. */
cx cx_same(sc_state *s, cx x, cx y) { return of(cx_equal(x, y, s->ct)); }
cx cx_differ(sc_state *s, cx x, cx y) { return of(!cx_equal(x, y, s->ct)); }

/* ── whole numbers ──────────────────────────────────────────────────────────────────── */

static cx nearest(cx z) { return (cx){rint(z.re), rint(z.im)}; }

static bool teq(double x, double y, double ct) { return cx_equal(of(x), of(y), ct); }

static double floor_within(double a, double ct) {
  double n = rint(a);
  if (n > a && !teq(n, a, ct)) return n - 1;
  return n;
}

/* McDonnell's floor: of the squares of whole numbers the one at the lower left, or where
 * the fractions add up to 1 or more, its neighbour in the direction of the larger
 * fraction. */
static cx floor_of(cx z, double ct) {
  if (cx_equal(z, nearest(z), ct)) return nearest(z);
  cx n = {floor_within(z.re, ct), floor_within(z.im, ct)};
  double a = z.re - n.re, b = z.im - n.im;
  if (a + b < 1 && !teq(a + b, 1, ct)) return n;
  if (a < b && !teq(a, b, ct)) return (cx){n.re, n.im + 1};
  return (cx){n.re + 1, n.im};
}

cx cx_floor(sc_state *s, cx x, cx y) {
  UNUSED(x);
  return floor_of(y, s->ct);
}
cx cx_ceiling(sc_state *s, cx x, cx y) {
  UNUSED(x);
  return minus(floor_of(minus(y), s->ct));
}

/* y - x×⌊y÷x, and nothing where the quotient is whole within ⎕CT. */
cx cx_residue(sc_state *s, cx x, cx y) {
  if (is_zero(x)) return y;
  cx q = cx_over(y, x);
  if (s->ct > 0 && !is_zero(nearest(q)) && cx_equal(q, nearest(q), s->ct)) return of(0);
  return plus(y, minus(cx_times(x, floor_of(q, s->ct))));
}

/* Euclid with the nearest whole quotient, as on real numbers (rows.c): remainders lose
 * half their square each time. Of the four associates the one in the first quadrant. */
cx cx_gcd(sc_state *s, cx x, cx y) {
  double ex = s->ct * larger(x), ey = s->ct * larger(y);
  if (larger(x) > DBL_MAX || larger(y) > DBL_MAX) return plus(x, y);
  bool whole = cx_equal(x, nearest(x), 0) && cx_equal(y, nearest(y), 0);
  if (whole) ex = ey = 0;
  while (larger(y) > ey) {
    cx q = nearest(cx_over(x, y)), r = plus(x, minus(cx_times(y, q)));
    double er = ex + cx_magnitude(q) * ey;
    if (!(cx_magnitude(r) < cx_magnitude(y))) r = of(0);
    x = y;
    ex = ey;
    y = r;
    ey = er;
  }
  /* A NaN is in no quadrant: three turns at most. */
  for (int k = 0; k < 3 && !(x.re > 0 && x.im >= 0); k++) x = times_i(x);
  return x;
}

cx cx_lcm(sc_state *s, cx x, cx y) {
  cx g = cx_gcd(s, x, y);
  if (is_zero(g)) return g;
  return cx_times(x, cx_over(y, g));
}

/* ── powers and logarithms ──────────────────────────────────────────────────────────── */

/* The root whose real part is not negative; the sign of the imaginary part, also of a
 * zero, stays. */
static cx root(cx z) {
  int e = exponent(z) / 2;
  z = scaled(z, -2 * e);
  double t = sqrt((cx_magnitude(z) + fabs(z.re)) / 2);
  if (t == 0) return z;
  double u = fabs(z.im) / (2 * t);
  cx r = {t, u};
  if (!(z.re >= 0)) r = (cx){u, t};
  r.im = copysign(r.im, z.im);
  return scaled(r, e);
}

/* The principal root: -0 counts as 0. */
static cx principal_root(cx z) {
  if (z.im == 0) z.im = 0;
  return root(z);
}

/* On the unit circle. Multiples of ½π, as far as numbers can say so, are met exactly:
 * this is what makes 0=1+*○0J1. */
static cx turned(double angle) {
  double k = rint(angle / M_PI_2);
  if (angle == k * M_PI_2 && fabs(k) < 0x1p50) {
    static const cx axis[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return axis[(int64_t)k & 3];
  }
  return (cx){hard_COS(angle), hard_SIN(angle)};
}

static cx times_real(cx z, double f) { return (cx){z.re * f, z.im * f}; }

static cx exp_of(cx z) {
  double half = math_EXP(z.re / 2); /* twice: the parts may be finite where e*re is not */
  if (fabs(z.re) > 700) return times_real(times_real(turned(z.im), half), half);
  return times_real(turned(z.im), math_EXP(z.re));
}

/* Near the unit circle |z|²-1 decides, and cancels if |z| is made first. */
static cx log_of(cx z) {
  double phase = math_ATAN2(z.im, z.re), m = cx_magnitude(z);
  if (!(m > 0.7 && m < 1.4)) return (cx){math_LN(m), phase};
  double a = larger(z), b = fmin(fabs(z.re), fabs(z.im));
  return (cx){math_LN1P((a - 1) * (a + 1) + b * b) / 2, phase};
}

/* By squaring: exact while the parts are whole. */
static cx whole_power(cx x, double n) {
  cx r = of(1);
  for (int64_t k = (int64_t)fabs(n); k; k >>= 1) {
    if (k & 1) r = cx_times(r, x);
    if (k > 1) x = cx_times(x, x);
  }
  if (n < 0) return cx_over(of(1), r);
  return r;
}

/* x to a real power: a negative real x turns by π, of which whole turns are left out. */
static cx real_power(cx x, double y) {
  double r = math_POW(cx_magnitude(x), y);
  if (x.im == 0 && x.re < 0) return times_real(turned((y - 2 * rint(y / 2)) * M_PI), r);
  return times_real(turned(y * math_ATAN2(x.im, x.re)), r);
}

cx cx_power(sc_state *s, cx x, cx y) {
  if (is_zero(y)) return of(1);
  if (is_zero(x)) {
    s->err |= !(y.re > 0);
    return x;
  }
  if (y.im == 0 && y.re == rint(y.re) && fabs(y.re) <= 1024) return whole_power(x, y.re);
  if (y.im == 0 && y.re == 0.5) return principal_root(x);
  if (y.im == 0) return real_power(x, y.re);
  return exp_of(cx_times(y, log_of(x)));
}

cx cx_exp(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return exp_of(y);
}

cx cx_log(sc_state *s, cx x, cx y) {
  UNUSED(x);
  s->err |= is_zero(y);
  if (is_zero(y)) return y;
  return log_of(y);
}

cx cx_log_base(sc_state *s, cx x, cx y) {
  bool one = x.re == 1 && x.im == 0, same = cx_equal(x, y, 0);
  s->err |= is_zero(x) || is_zero(y) || (one && !same);
  if (s->err) return x;
  if (same) return of(1);
  return cx_over(log_of(y), log_of(x));
}

/* ── circular and hyperbolic functions ──────────────────────────────────────────────── */

static cx over_i(cx z) { return (cx){z.im, -z.re}; }
static cx one_plus(cx z) { return (cx){1 + z.re, z.im}; }
static cx one_minus(cx z) { return (cx){1 - z.re, -z.im}; }

static cx sine(cx z) {
  return (cx){hard_SIN(z.re) * math_COSH(z.im), hard_COS(z.re) * math_SINH(z.im)};
}

static cx cosine(cx z) {
  return (cx){hard_COS(z.re) * math_COSH(z.im), -hard_SIN(z.re) * math_SINH(z.im)};
}

/* Far from the real axis the imaginary part is ±1 but for what rounding takes. */
static cx tangent(cx z) {
  double t = hard_TAN(z.re), h = math_TANH(z.im);
  if (fabs(z.im) < 20) return cx_over((cx){t, h}, (cx){1, -t * h});
  return (cx){4 * hard_SIN(z.re) * hard_COS(z.re) * math_EXP(-2 * fabs(z.im)), h};
}

/* On the real axis: the lower side of the cut above 1, the upper one of that below -1. */
static cx beside_cut(cx z) {
  if (z.im == 0) z.im = copysign(0, -z.re);
  return z;
}

static cx arcsine(cx z) {
  z = beside_cut(z);
  cx a = root(one_minus(z)), b = root(one_plus(z));
  return (cx){math_ATAN2(z.re, a.re * b.re - a.im * b.im),
              math_ASINH(a.re * b.im - a.im * b.re)};
}

static cx arccosine(cx z) {
  z = beside_cut(z);
  cx a = root(one_minus(z)), b = root(one_plus(z));
  return (cx){2 * math_ATAN2(a.re, b.re), math_ASINH(b.re * a.im - b.im * a.re)};
}

static cx arccosh(cx z) {
  cx a = principal_root((cx){z.re - 1, z.im}), b = principal_root(one_plus(z));
  return (cx){math_ASINH(a.re * b.re + a.im * b.im), 2 * math_ATAN2(a.im, b.re)};
}

static cx arctanh(cx z) {
  if (z.re < 0) return minus(arctanh(minus(z)));
  z = beside_cut(z);
  if (larger(z) > 0x1p500) return (cx){0, copysign(M_PI_2, z.im)};
  double below = 1 - z.re, im2 = z.im * z.im;
  double turn = math_ATAN2(2 * z.im, below * (1 + z.re) - im2);
  if (z.im == 0) turn = copysign(turn, z.im);
  return (cx){math_LN1P(4 * z.re / (below * below + im2)) / 4, turn / 2};
}

/* (z+1) × √(z-1)÷z+1 */
static cx pythagorean(cx z) {
  cx a = one_plus(z);
  if (is_zero(a)) return of(0);
  return cx_times(a, principal_root(cx_over((cx){z.re - 1, z.im}, a)));
}

static cx circle(sc_state *s, int code, cx z) {
  switch (code) {
  case 0: return principal_root(cx_times(one_minus(z), one_plus(z)));
  case 1: return sine(z);
  case -1: return arcsine(z);
  case 2: return cosine(z);
  case -2: return arccosine(z);
  case 3: return tangent(z);
  case -3: return over_i(arctanh(times_i(z)));
  case 4: return principal_root(cx_times(one_minus(times_i(z)), one_plus(times_i(z))));
  case -4: return pythagorean(z);
  case 5: return over_i(sine(times_i(z)));
  case -5: return times_i(arcsine(over_i(z)));
  case 6: return cosine(times_i(z));
  case -6: return arccosh(z);
  case 7: return over_i(tangent(times_i(z)));
  case -7: return arctanh(z);
  case 8:
    return principal_root(minus(cx_times(one_minus(times_i(z)), one_plus(times_i(z)))));
  case -8: return minus(circle(s, 8, z));
  case 9: return of(z.re);
  case -9: return z;
  case 10: return of(cx_magnitude(z));
  case -10: return (cx){z.re, -z.im};
  case 11: return of(z.im);
  case -11: return times_i(z);
  case 12: return of(math_ATAN2(z.im, z.re));
  case -12: return exp_of(times_i(z));
  default: s->err = true; return z;
  }
}

cx cx_circle(sc_state *s, cx x, cx y) {
  double code = rint(x.re);
  if (!cx_equal(x, of(code), s->ct) || fabs(code) > 12) {
    s->err = true;
    return y;
  }
  return circle(s, (int)code, y);
}

cx cx_pi(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return (cx){math_PI(y.re), math_PI(y.im)};
}

/* ── gamma ──────────────────────────────────────────────────────────────────────────── */

/* sin πz, whole turns of the real part left out. */
static cx sine_pi(cx z) {
  double a = (z.re - 2 * rint(z.re / 2)) * M_PI, b = z.im * M_PI;
  cx t = turned(a);
  return (cx){t.im * math_COSH(b), t.re * math_SINH(b)};
}

/* Stirling's series from |z| = 12 on, where eight terms leave 2^-63; to there by z Γ(z) =
 * Γ(z+1), and from the left half plane by Γ(z) Γ(1-z) = π ÷ sin πz. */
static cx gamma_of(cx z) {
  static const double series[] = {1.0 / 12,    -1.0 / 360,      1.0 / 1260,
                                  -1.0 / 1680, 1.0 / 1188,      -691.0 / 360360,
                                  1.0 / 156,   -3617.0 / 122400};
  if (z.re < 0.5) return cx_over(of(M_PI), cx_times(sine_pi(z), gamma_of(one_minus(z))));
  cx below = of(1);
  for (; cx_magnitude(z) < 12; z.re++) below = cx_times(below, z);
  cx w = cx_over(of(1), z), w2 = cx_times(w, w), sum = of(0);
  for (int k = (int)ARRAY_LEN(series) - 1; k >= 0; k--)
    sum = plus(of(series[k]), cx_times(sum, w2));
  cx log = plus(cx_times((cx){z.re - 0.5, z.im}, log_of(z)), minus(z));
  log = plus(log, plus(of(0x1.d67f1c864beb5p-1), cx_times(sum, w))); /* ½ ln 2π */
  return cx_over(exp_of(log), below);
}

static bool is_whole(cx z) { return z.im == 0 && z.re == rint(z.re); }

cx cx_factorial(sc_state *s, cx x, cx y) {
  UNUSED(s);
  UNUSED(x);
  return gamma_of(one_plus(y));
}

/* n!y = y × (y-1) × … ÷ !n */
static cx few(double n, cx y) {
  cx r = of(1);
  for (double k = 0; k < n; k++) {
    r = cx_times(r, (cx){y.re - k, y.im});
    r = cx_over(r, of(k + 1));
  }
  return r;
}

cx cx_binomial(sc_state *s, cx x, cx y) {
  cx rest = plus(y, minus(x));
  if (is_whole(x) && x.re >= 0 && x.re <= 1000) return few(x.re, y);
  if (is_whole(rest) && rest.re >= 0 && rest.re <= 1000) return few(rest.re, y);
  if ((is_whole(x) && x.re < 0) || (is_whole(rest) && rest.re < 0)) return of(0);
  if (is_whole(y) && y.re < 0) {
    s->err = true;
    return y;
  }
  cx below = cx_times(gamma_of(one_plus(x)), gamma_of(one_plus(rest)));
  return cx_over(gamma_of(one_plus(y)), below);
}
