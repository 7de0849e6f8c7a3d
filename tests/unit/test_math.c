/* SPDX-License-Identifier: MIT */
/* test_math.c - math.def's bodies as C: the error in ULP against MPFR (-DHAVE_MPFR -lmpfr) or
 * else long double, exact cases, special values, residues against fmod, and the tolerance
 * against the one that ≡ uses. That KIR computes the same bits is test_scalar.c's matter. */
#include "src/prim/ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#ifdef HAVE_MPFR
#include <mpfr.h>
#endif

#define SUF d
#define V double
#define ARGS(...) (sc_state * s, __VA_ARGS__)
#define MATH(type, name, args, ...)                                                      \
  static type math_##name ARGS args {                                                    \
    UNUSED(s);                                                                           \
    __VA_ARGS__                                                                          \
  }
#include "src/math.def"

static double m_exp(double x, double y) { return UNUSED(x), math_EXP(NULL, y); }
static double m_log(double x, double y) { return UNUSED(x), math_LN(NULL, y); }
static double m_pow(double x, double y) { return math_POW(NULL, x, y); }

#include "random.h"

/* |r - exact| in units of the last place of the exact result. */
static double ulps(double r, long double exact) {
  int e = 0;
  frexpl(exact, &e);
  return (double)fabsl(((long double)r - exact) / ldexpl(1, e - 53));
}

#ifdef HAVE_MPFR
typedef int ref_fn(mpfr_t r, const mpfr_t x, const mpfr_t y);
static int r_exp(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  return UNUSED(x), mpfr_exp(r, y, MPFR_RNDN);
}
static int r_log(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  return UNUSED(x), mpfr_log(r, y, MPFR_RNDN);
}
static int r_pow(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  return mpfr_pow(r, x, y, MPFR_RNDN);
}
static long double reference(ref_fn *f, double x, double y) {
  mpfr_t a, b, r;
  mpfr_inits2(200, a, b, r, (mpfr_ptr)0);
  mpfr_set_d(a, x, MPFR_RNDN);
  mpfr_set_d(b, y, MPFR_RNDN);
  f(r, a, b);
  long double v = mpfr_get_ld(r, MPFR_RNDN);
  mpfr_clears(a, b, r, (mpfr_ptr)0);
  return v;
}
#else
typedef long double ref_fn(long double x, long double y);
static long double r_exp(long double x, long double y) { return UNUSED(x), expl(y); }
static long double r_log(long double x, long double y) { return UNUSED(x), logl(y); }
static long double r_pow(long double x, long double y) { return powl(x, y); }
static long double reference(ref_fn *f, double x, double y) {
  return f((long double)x, (long double)y);
}
#endif

static double worst(double (*f)(double, double), ref_fn *ref, double x0, double x1, double y0,
                    double y1, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) {
    double x = uniform(x0, x1), y = uniform(y0, y1);
    long double exact = reference(ref, x, y);
    if (!(fabsl(exact) >= 0x1p-1020L && fabsl(exact) < 0x1p1024L)) continue;
    double u = ulps(f(x, y), exact);
    if (u > max) max = u;
  }
  return max;
}

static double worst_bits(double (*f)(double, double), ref_fn *ref, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) {
    double x = op_bitsf((int64_t)(next() & INT64_MAX)), y = op_bitsf((int64_t)(next() & INT64_MAX));
    if (!isfinite(x) || !isfinite(y)) continue;
    if (f == m_pow) y = uniform(-720, 720) / log(x);
    long double exact = reference(ref, x, y);
    if (!(fabsl(exact) >= 0x1p-1020L && fabsl(exact) < 0x1p1024L)) continue;
    double u = ulps(f(x, y), exact);
    if (u > max) max = u;
  }
  return max;
}

#ifndef ROUNDS
#define ROUNDS 40000
#endif

static void test_errors(void **state) {
  UNUSED(state);
  double exp_max = fmax(worst(m_exp, r_exp, 0, 0, -708, 709.7, ROUNDS),
                        worst(m_exp, r_exp, 0, 0, -2, 2, ROUNDS));
  double log_max = worst_bits(m_log, r_log, ROUNDS);
  log_max = fmax(log_max, worst(m_log, r_log, 0, 0, 0.5, 2, ROUNDS));
  log_max = fmax(log_max, worst(m_log, r_log, 0, 0, 0.999, 1.001, ROUNDS));
  double pow_max = worst_bits(m_pow, r_pow, ROUNDS);
  pow_max = fmax(pow_max, worst(m_pow, r_pow, 0, 10, -30, 30, ROUNDS));
  pow_max = fmax(pow_max, worst(m_pow, r_pow, 0.999, 1.001, -500000, 500000, ROUNDS));
  print_message("max ULP: exp %.3f, log %.3f, pow %.3f\n", exp_max, log_max, pow_max);
  assert_true(exp_max < 0.75);
  assert_true(log_max < 0.55);
  assert_true(pow_max < 0.75);
}

/* A power of whole numbers below 2^53 is exact; so is a root of one. */
static void test_exact(void **state) {
  UNUSED(state);
  for (int b = 2; b <= 1000; b++) {
    double p = 1;
    for (int e = 0; p < 0x1p53; e++, p *= b) {
      assert_true(m_pow(b, e) == p);
      assert_true(m_pow(-b, e) == (e % 2 ? -p : p));
      if (e > 1 && e <= 4 && (e & (e - 1)) == 0) assert_true(m_pow(p, 1.0 / e) == b);
    }
  }
  for (int e = -1022; e <= 1023; e++) assert_true(m_pow(2, e) == ldexp(1, e));
  for (int e = -255; e <= 255; e++) assert_true(m_pow(16, e) == ldexp(1, 4 * e));
  assert_true(m_pow(1.5, 3) == 3.375 && m_pow(0.25, -1.5) == 8);
  assert_true(m_exp(0, 0.0) == 1 && m_exp(0, -0.0) == 1 && m_log(0, 1) == 0);
  assert_true(m_pow(10, 22) == 1e22 && m_pow(10, -3) == 0.001);
}

static void test_special(void **state) {
  UNUSED(state);
  const double inf = HUGE_VAL, sample[] = {0.0, -0.0, 1, -1, 2, -2, 3, 0.5, -0.5, 2.5, 1e300,
                                           1e-300, -1e300, inf, -inf, 0x1p53, 0x1p52 + 1, (double)NAN};
  for (size_t i = 0; i < ARRAY_LEN(sample); i++)
    for (size_t j = 0; j < ARRAY_LEN(sample); j++) {
      double x = sample[i], y = sample[j], r = m_pow(x, y), want = pow(x, y);
      if (x < 0 && isfinite(x) && y != floor(y)) continue; /* POWER's row refuses */
      if (x == 0 || (isinf(x) && x < 0)) r = fabs(r), want = fabs(want); /* of no account */
      if (isnan(want)) assert_true(isnan(r));
      else assert_true(r == want || fabs(r - want) <= fabs(want) * 0x1p-52);
    }
  assert_true(m_exp(0, inf) == inf && m_exp(0, -inf) == 0 && isnan(m_exp(0, (double)NAN)));
  assert_true(m_exp(0, 709.78) < inf && m_exp(0, 709.79) == inf && m_exp(0, 1e308) == inf);
  assert_true(m_exp(0, -746) == 0 && m_exp(0, -1e308) == 0);
  assert_true(m_log(0, 0) == -inf && isnan(m_log(0, -1)) && isnan(m_log(0, -inf)));
  assert_true(m_log(0, inf) == inf && isnan(m_log(0, (double)NAN)));
  assert_true(fabs(m_log(0, 0x1p-1074) + 744.4400719213812) < 1e-12);
}

/* What fmod gives, with the sign of the divisor. */
static double residue(double x, double y) {
  if (x == 0) return y;
  double r = fmod(y, x);
  return r != 0 && (r < 0) != (x < 0) ? r + x : r;
}

static void test_residue(void **state) {
  UNUSED(state);
  for (int i = 0; i < 200000; i++) {
    double x = (double)(int64_t)(next() % 2001) - 1000, y = (double)(int64_t)(next() >> 20) - 0x1p43;
    if (i % 2) x /= 8, y /= 64;
    assert_true(math_RESID(NULL, x, y, 0) == residue(x, y));
    double xf = (double)(float)uniform(-3, 3), yf = (double)(float)uniform(-3000, 3000);
    assert_true(math_RESID(NULL, xf, yf, 0) == residue(xf, yf));
  }
  const double ct = 1e-14;
  assert_true(math_RESID(NULL, 0.1, 1, ct) == 0 && math_RESID(NULL, 0.1, 0.3, ct) == 0);
  assert_true(math_RESID(NULL, 1, 1e-20, ct) == 1e-20 && math_RESID(NULL, 3, 1e300, ct) == 0);
  assert_true(math_RESID(NULL, HUGE_VAL, 5, ct) == 5 && isnan(math_RESID(NULL, 5, HUGE_VAL, ct)));
  assert_true(fabs(math_RESID(NULL, 1, 2.75, ct) - 0.75) < 1e-15);
  assert_true(fabs(math_RESID(NULL, -1, 2.75, ct) + 0.25) < 1e-15);
}

static void test_tolerance(void **state) {
  UNUSED(state);
  const double cts[] = {0, 1e-14, 1e-9};
  for (int i = 0; i < 100000; i++) {
    double y = op_bitsf((int64_t)next()), ct = cts[i % 3];
    double x = i % 5 ? y * (1 + (double)(i % 41 - 20) * 1e-15) : op_bitsf((int64_t)next());
    if (isnan(x) || isnan(y)) continue;
    assert_true(math_TEQ(NULL, x, y, ct) == num_equal(x, y, ct));
  }
  assert_true(math_TEQ(NULL, HUGE_VAL, HUGE_VAL, 1e-14));
  assert_false(math_TEQ(NULL, HUGE_VAL, 1e308, 1e-14));
  assert_false(math_TEQ(NULL, -HUGE_VAL, HUGE_VAL, 1e-14));
  assert_false(math_TEQ(NULL, 1e308, -1e308, 1e-9));
  assert_false(math_TEQ(NULL, (double)NAN, (double)NAN, 1e-14));
  assert_true(math_TEQ(NULL, 0.0, -0.0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_exact),
                                     cmocka_unit_test(test_special), cmocka_unit_test(test_residue),
                                     cmocka_unit_test(test_tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
