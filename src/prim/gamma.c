/* SPDX-License-Identifier: MIT */
/* gamma.c - factorials and binomial coefficients that need loops or cases, for the host.
 *
 * y! of whole numbers is multiplied out in two doubles and so correctly rounded; left of
 * -½ it is π ÷ sin(π(y+1)) (-y-1)!.
 *
 * x!y is y! ÷ x! (y-x)!, of which any may have a pole, at the negative whole numbers. As
 * in Dyalog, with < 0 meaning a negative whole number:
 *
 *   x<0  y<0  y-x<0
 *    0    0    0     y! ÷ x! (y-x)!
 *    0    0    1     0
 *    0    1    1     (¯1*x) × x!x-y+1
 *    1    0    0     0
 *    1    1    0     (¯1*y-x) × (|y+1)!|x+1
 *    1    1    1     0
 *    0    1    0     x and y-x are fractions: infinite, a DOMAIN ERROR
 *
 * Where x or y-x is whole there are as many factors (y-k+i) ÷ i, multiplied in two
 * doubles, or exactly in integers; else the logarithms of three factorials are added, in
 * two doubles: 2^-65 of the greatest is lost, which from y of some 1000 on shows, unless
 * x or y-x is small beside y: then the logarithms of the others are one expression. */
#include "math.h"

#include "ops.h"
#include "../base/arith.h"

typedef struct dd {
  double h, l;
} dd;

static dd sum2(double a, double b) {
  double s = a + b, t = s - a;
  return (dd){s, (a - (s - t)) + (b - t)};
}

static dd product2(double a, double b) {
  double p = a * b;
  double ah = op_bitsf(op_bitsi(a) & -0x8000000), al = a - ah;
  double bh = op_bitsf(op_bitsi(b) & -0x8000000), bl = b - bh;
  return (dd){p, (((ah * bh - p) + ah * bl) + al * bh) + al * bl};
}

static dd dd_add(dd a, dd b) {
  dd s = sum2(a.h, b.h);
  return sum2(s.h, s.l + (a.l + b.l));
}

static dd dd_times(dd a, dd b) {
  dd p = product2(a.h, b.h);
  return sum2(p.h, p.l + (a.h * b.l + a.l * b.h));
}

static dd dd_over(dd a, double b) {
  double q = a.h / b;
  dd p = product2(q, b);
  return sum2(q, (((a.h - p.h) - p.l) + a.l) / b);
}

static bool whole(double v) { return floor(v) == v; }
static bool pole(double v) { return v < 0 && whole(v); }
static bool odd(double v) { return floor(v / 2) != v / 2; }

static dd dd_minus(dd a) { return (dd){-a.h, -a.l}; }
static const dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/* sin πy for a finite y that is not whole */
static dd sine_of_pi(double y) {
  double n = rint(y), f = fabs(y - n);
  bool k = f > 0.25;
  if (k) f = 0.5 - f;
  dd a = dd_times(pi, (dd){f, 0});
  dd r = {math_SIN_AT(a.h, a.l, k), math_SIN_REST_AT(a.h, a.l, k)};
  if ((y < n) != odd(n)) return dd_minus(r);
  return r;
}

static dd dd_log(dd a) { return (dd){math_LN_HIGH(a.h), math_LN_REST(a.h) + a.l / a.h}; }

double hard_FACT(double y) {
  if (y == HUGE_VAL) return y;
  if (!(fabs(y) < HUGE_VAL)) return y - y; /* NaN */
  if (pole(y) || y >= 171) return HUGE_VAL;
  if (whole(y)) {
    dd p = {1, 0};
    for (double k = 2; k <= y; k++) p = dd_times(p, (dd){k, 0});
    return p.h;
  }
  if (y >= -0.5) return math_FACT(y);
  if (y < -190) return 0;
  dd d = dd_times(sine_of_pi(y), (dd){math_FACT(-y - 1), 0});
  dd q = dd_over(pi, d.h);
  return -(q.h - q.h * (d.l / d.h));
}

/* ln |v!| and the sign of v!, for v that is no pole. */
static dd log_factorial(double v, double *sign) {
  if (v < -0.5) {
    dd turn = sine_of_pi(v), r = log_factorial(-v - 1, sign);
    *sign = -1;
    if (turn.h < 0) {
      *sign = 1;
      turn = dd_minus(turn);
    }
    return dd_add(dd_log(pi), dd_minus(dd_add(dd_log(turn), r)));
  }
  dd low = {1, 0}, w = {v, 0};
  for (double k = 1; w.h < 7.5; k++) {
    w = sum2(v, k);
    low = dd_times(low, w);
  }
  *sign = 1;
  dd r = dd_add(dd_times(dd_add(w, (dd){0.5, 0}), dd_log(w)), dd_minus(w));
  r = dd_add(r, (dd){0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55});
  r = dd_add(r, (dd){math_STIRLING(w.h), 0});
  return dd_add(r, dd_minus(dd_log(low)));
}

/* The product of (base+i) ÷ i, i from 1 to k, for a whole k ≥ 0. It is kept small, so that
 * nothing but the result itself can leave the numbers, and stops where it has. */
static double rising(double k, dd base) {
  dd r = {0x1p-100, 0};
  for (double i = 1; i <= k && r.h != 0 && fabs(r.h) < 0x1p925; i++)
    r = dd_over(dd_times(r, dd_add(base, (dd){i, 0})), i);
  return r.h * 0x1p100;
}

/* The derivative of ln v!, roughly. It multiplies the rounding error of v. */
static double slope(double v) {
  double r = math_LN(fabs(v) + 0.5);
  if (v < 0) r -= pi.h / math_TAN((v - rint(v)) * pi.h);
  return r;
}

/* ln y! - ln d! for d = y - x, both from 7.5 on: of Stirling's terms the great ones
 * cancel, and (d + ½) ln(1 + x÷d) + x ln y - x is left. */
static dd log_ratio(double y, double x, dd d) {
  dd q = dd_over((dd){x, 0}, d.h);
  q.l -= q.h * (d.l / d.h);
  dd r = dd_times(dd_add(d, (dd){0.5, 0}), dd_log(dd_add((dd){1, 0}, q)));
  r = dd_add(r, dd_times((dd){x, 0}, dd_log((dd){y, 0})));
  return dd_add(r, sum2(-x, math_STIRLING(y) - math_STIRLING(d.h)));
}

static double general(double x, double y) {
  double sy = 1, sx, sd = 1;
  dd d = sum2(y, -x), top;
  if (fabs(d.h) < fabs(x) && d.l == 0) return general(d.h, y);
  if (y >= 7.5 && d.h >= 7.5) {
    top = log_ratio(y, x, d);
  } else {
    dd ld = log_factorial(d.h, &sd);
    ld.l += d.l * slope(d.h);
    top = dd_add(log_factorial(y, &sy), dd_minus(ld));
  }
  dd r = dd_add(top, dd_minus(log_factorial(x, &sx)));
  return sy * sx * sd * math_EXP_OF(r.h, r.l);
}

enum { FACTORS = 4096 }; /* beyond so many, logarithms */

/* (¯1*n) × r */
static double alternate(double n, double r) {
  if (odd(n)) return -r;
  return r;
}

/* For a negative whole y. */
static double binomial_at_pole(double x, double y, bool *fault) {
  double d = y - x;
  if (!whole(x)) {
    *fault = true;
    return 0;
  }
  if (x >= 0) return alternate(x, binomial(x, x - y - 1, fault));
  if (d < 0) return 0;
  return alternate(d, binomial(-y - 1, -x - 1, fault));
}

double binomial(double x, double y, bool *fault) {
  double d = y - x;
  if (!isfinite(x) || !isfinite(y)) return d * 0; /* NaN */
  if (pole(y)) return binomial_at_pole(x, y, fault);
  if (pole(x) || pole(d)) return 0;
  double factors = HUGE_VAL;
  if (whole(x)) factors = x;
  if (whole(d) && y - d == x) factors = fmin(factors, d);
  if (factors <= FACTORS) return rising(factors, sum2(y, -factors));
  return general(x, y);
}

/* y over x for 0 ≤ x ≤ y; each step is exact, and doubles the result at least. */
static bool gamma_choose(int64_t x, int64_t y, int64_t *r) {
  int64_t k = min_i64(x, y - x);
  __extension__ unsigned __int128 p = 1;
  for (int64_t i = 1; i <= k; i++) {
    p = p * (uint64_t)(y - k + i) / (uint64_t)i;
    if (p > INT64_MAX) return false;
  }
  *r = (int64_t)p;
  return true;
}

bool binomial_int(int64_t x, int64_t y, int64_t *r) {
  int64_t d, n = 0;
  *r = 0;
  if (__builtin_sub_overflow(y, x, &d)) return x < 0 && y >= 0;
  if (y >= 0) return x < 0 || x > y || gamma_choose(x, y, r);
  if (x < 0) {
    if (d < 0) return true;
    if (!gamma_choose(-(y + 1), -(x + 1), r)) return false;
    if (d & 1) *r = -*r;
    return true;
  }
  if (__builtin_sub_overflow(-1, d, &n) || !gamma_choose(x, n, r)) return false;
  if (x & 1) *r = -*r;
  return true;
}

/* a in a + b; y < 0 may make it negative. */
double binomial_wide(int64_t x, int64_t y, bool *fault) {
  int64_t r, a = x, b = ~y; /* -y - 1, which fits */
  bool minus = y < 0 && x & 1;
  if (binomial_int(x, y, &r)) return (double)r;
  if (x < 0) {
    a = b;
    minus = (y ^ x) & 1;
  }
  bool large = (x < 0 || y >= 0) && __builtin_sub_overflow(y, x, &b);
  if (large || min_i64(a, b) > FACTORS) return binomial((double)x, (double)y, fault);
  int64_t base = max_i64(a, b), low = base & 0x7ff;
  double v = rising((double)min_i64(a, b), sum2((double)(base - low), (double)low));
  return minus ? -v : v;
}
