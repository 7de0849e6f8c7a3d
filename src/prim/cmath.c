/* SPDX-License-Identifier: MIT */
/* cmath.c - the functions of complex numbers, one number at a time: prim.def's CPLX rows.
 *
 * They are made of the four operations, the square root and the real functions of math.def
 * alone, in a fixed order, so that they give the same bits on every machine; libm serves for
 * exact operations only (floor, rint, scalbn). Powers of two keep intermediate squares from
 * over- and underflowing and cost no accuracy.
 *
 * Values on a branch cut are those of the side where the imaginary part is +0, as in C. */
#include "complex.h"

#include <float.h>
#include <math.h>

static cx of(double re) { return (cx){re, 0}; }
static cx minus(cx z) { return (cx){-z.re, -z.im}; }
static cx plus(cx x, cx y) { return (cx){x.re + y.re, x.im + y.im}; }
static cx scaled(cx z, int e) { return (cx){scalbn(z.re, e), scalbn(z.im, e)}; }
static bool is_zero(cx z) { return z.re == 0 && z.im == 0; }
static double larger(cx z) { return fmax(fabs(z.re), fabs(z.im)); }

/* ── arithmetic ─────────────────────────────────────────────────────────────────────── */

/* The power of two that brings the larger part of z near 1; 0 for zeros and infinities. */
static int exponent(cx z) {
  double m = larger(z);
  return m > 0 && m <= DBL_MAX ? ilogb(m) : 0;
}

double cx_magnitude(cx z) {
  if (isinf(z.re) || isinf(z.im)) return HUGE_VAL;
  int e = exponent(z);
  z = scaled(z, -e);
  return scalbn(sqrt(z.re * z.re + z.im * z.im), e);
}

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
  if (x.re == y.re && x.im == y.im) return true;
  double a = cx_magnitude(x), b = cx_magnitude(y), d = cx_magnitude(plus(x, minus(y)));
  return d <= ct * (a > b ? a : b) && d <= DBL_MAX;
}

cx cx_conjugate(sc_state *s, cx x, cx y) { return UNUSED(s), UNUSED(x), (cx){y.re, -y.im}; }
cx cx_negate(sc_state *s, cx x, cx y) { return UNUSED(s), UNUSED(x), minus(y); }
cx cx_add(sc_state *s, cx x, cx y) { return UNUSED(s), plus(x, y); }
cx cx_subtract(sc_state *s, cx x, cx y) { return UNUSED(s), plus(x, minus(y)); }
cx cx_multiply(sc_state *s, cx x, cx y) { return UNUSED(s), cx_times(x, y); }

cx cx_divide(sc_state *s, cx x, cx y) {
  s->err |= is_zero(y);
  return is_zero(y) ? y : cx_over(x, y);
}

cx cx_reciprocal(sc_state *s, cx x, cx y) { return UNUSED(x), cx_divide(s, of(1), y); }

cx cx_direction(sc_state *s, cx x, cx y) {
  UNUSED(s), UNUSED(x);
  y = scaled(y, -exponent(y));
  return is_zero(y) ? y : cx_over(y, of(cx_magnitude(y)));
}

cx cx_absolute(sc_state *s, cx x, cx y) { return UNUSED(s), UNUSED(x), of(cx_magnitude(y)); }

/* Two real numbers compare as such: a difference in kind is one in value. */
cx cx_same(sc_state *s, cx x, cx y) { return of(cx_equal(x, y, s->ct)); }
cx cx_differ(sc_state *s, cx x, cx y) { return of(!cx_equal(x, y, s->ct)); }

/* ── whole numbers ──────────────────────────────────────────────────────────────────── */

static cx nearest(cx z) { return (cx){rint(z.re), rint(z.im)}; }

static bool teq(double x, double y, double ct) { return cx_equal(of(x), of(y), ct); }

static double floor_within(double a, double ct) {
  double n = rint(a);
  return n > a && !teq(n, a, ct) ? n - 1 : n;
}

/* McDonnell's floor: of the squares of whole numbers the one at the lower left, or where the
 * fractions add up to 1 or more, its neighbour in the direction of the larger fraction. */
static cx floor_of(cx z, double ct) {
  if (cx_equal(z, nearest(z), ct)) return nearest(z);
  cx n = {floor_within(z.re, ct), floor_within(z.im, ct)};
  double a = z.re - n.re, b = z.im - n.im;
  if (a + b < 1 && !teq(a + b, 1, ct)) return n;
  if (a < b && !teq(a, b, ct)) return (cx){n.re, n.im + 1};
  return (cx){n.re + 1, n.im};
}

cx cx_floor(sc_state *s, cx x, cx y) { return UNUSED(x), floor_of(y, s->ct); }
cx cx_ceiling(sc_state *s, cx x, cx y) { return UNUSED(x), minus(floor_of(minus(y), s->ct)); }

/* y - x×⌊y÷x, and nothing where the quotient is whole within ⎕CT. */
cx cx_residue(sc_state *s, cx x, cx y) {
  if (is_zero(x)) return y;
  cx q = cx_over(y, x);
  if (s->ct > 0 && !is_zero(nearest(q)) && cx_equal(q, nearest(q), s->ct)) return of(0);
  return plus(y, minus(cx_times(x, floor_of(q, s->ct))));
}

/* Euclid with the nearest whole quotient: remainders lose half their square each time. Of the
 * four associates the one in the first quadrant. */
cx cx_gcd(sc_state *s, cx x, cx y) {
  if (larger(x) > DBL_MAX || larger(y) > DBL_MAX) return plus(x, y);
  bool whole = cx_equal(x, nearest(x), 0) && cx_equal(y, nearest(y), 0);
  double least = whole ? 0 : s->ct * fmax(larger(x), larger(y));
  while (larger(y) > least) {
    cx r = plus(x, minus(cx_times(y, nearest(cx_over(x, y)))));
    x = y;
    y = cx_magnitude(r) < cx_magnitude(y) ? r : of(0);
  }
  while (!is_zero(x) && !(x.re > 0 && x.im >= 0)) x = (cx){-x.im, x.re};
  return x;
}

cx cx_lcm(sc_state *s, cx x, cx y) {
  cx g = cx_gcd(s, x, y);
  return is_zero(g) ? g : cx_times(x, cx_over(y, g));
}

/* ── powers ─────────────────────────────────────────────────────────────────────────── */

static cx root(cx z) {
  int e = exponent(z) / 2;
  z = scaled(z, -2 * e);
  double t = sqrt((cx_magnitude(z) + fabs(z.re)) / 2);
  if (t == 0) return z;
  double u = fabs(z.im) / (2 * t);
  cx r = z.re >= 0 ? (cx){t, u} : (cx){u, t};
  if (z.im < 0) r.im = -r.im;
  return scaled(r, e);
}

/* By squaring: exact while the parts are whole. */
static cx whole_power(cx x, double n) {
  cx r = of(1);
  for (int64_t k = (int64_t)fabs(n); k; k >>= 1) {
    if (k & 1) r = cx_times(r, x);
    if (k > 1) x = cx_times(x, x);
  }
  return n < 0 ? cx_over(of(1), r) : r;
}

cx cx_power(sc_state *s, cx x, cx y) {
  if (is_zero(y)) return of(1);
  if (is_zero(x)) return s->err |= !(y.re > 0), x;
  if (y.im == 0 && y.re == rint(y.re) && fabs(y.re) <= 1024) return whole_power(x, y.re);
  if (y.im == 0 && y.re == 0.5) return root(x);
  s->err = true;
  return x;
}
