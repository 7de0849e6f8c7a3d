/* SPDX-License-Identifier: MIT */
/* test_math.c - math.def's bodies as C: the error in ULP against MPFR (-DHAVE_MPFR -lmpfr) or
 * else long double, in f64 and rounded to f32, exact cases, special values, residues against
 * fmod, and the tolerance against the one that ≡ uses. That KIR computes the same bits is
 * test_scalar.c's matter.
 *
 * A row of `functions` has a range of arguments and the bound that the documentation states.
 * Without MPFR the reference is long double, which knows nothing of sines far out. */
#include "src/prim/math.h"

#include "src/prim/ops.h"
#include "src/array/match.h"

#include <setjmp.h>
#include <string.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#ifdef HAVE_MPFR
#include <mpfr.h>
#endif

static double m_exp(double x, double y) { return UNUSED(x), math_EXP(y); }
static double m_exp_s(double x, double y) { /* f32 alone: elsewhere as EXP */
  UNUSED(x);
  return y == (double)(float)y ? math_EXP_S(y) : math_EXP(y);
}
static double m_log(double x, double y) { return UNUSED(x), math_LN(y); }
static double m_pow(double x, double y) { return math_POW(x, y); }

#include "random.h"

/* |r - exact| in units of the last place of the exact result. */
static double ulps(double r, long double exact) {
  int e = 0;
  frexpl(exact, &e);
  return (double)fabsl(((long double)r - exact) / ldexpl(1, e - 53));
}

/* Every function of one or two arguments that MPFR and the C library both have. */
#define ONE(f) F(f, 1)
#define TWO(f) F(f, 2)
/* clang-format off */
#define REFERENCES \
  ONE(exp) ONE(log) TWO(pow) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) \
  ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) \
  ONE(log1p) TWO(hypot) TWO(atan2)
/* clang-format on */
#ifdef HAVE_MPFR
typedef mpfr_t number;
#define OP1(f) mpfr_##f(r, y, MPFR_RNDN)
#define OP2(f) mpfr_##f(r, x, y, MPFR_RNDN)
#define F(f, n)                                                                          \
  static void r_##f(mpfr_t r, mpfr_t x, mpfr_t y) { UNUSED(x), OP##n(f); }
REFERENCES
#undef F
typedef void ref_fn(mpfr_t r, mpfr_t x, mpfr_t y);
static void r_logb(mpfr_t r, mpfr_t x, mpfr_t y) {
  mpfr_log(x, x, MPFR_RNDN);
  mpfr_log(y, y, MPFR_RNDN);
  mpfr_div(r, y, x, MPFR_RNDN);
}
static void r_pi(mpfr_t r, mpfr_t x, mpfr_t y) {
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_mul(r, x, y, MPFR_RNDN);
}
static void r_fact(mpfr_t r, mpfr_t x, mpfr_t y) {
  mpfr_add_ui(x, y, 1, MPFR_RNDN);
  mpfr_gamma(r, x, MPFR_RNDN);
}
static void r_binomial(mpfr_t r, mpfr_t x, mpfr_t y) {
  mpfr_t t;
  mpfr_init2(t, 300);
  mpfr_sub(t, y, x, MPFR_RNDN);
  r_fact(r, t, t);
  r_fact(t, x, x);
  mpfr_mul(t, t, r, MPFR_RNDN);
  r_fact(r, y, y);
  mpfr_div(r, r, t, MPFR_RNDN);
  mpfr_clear(t);
}
/* √(y² + x), and √(1 - y²) for x = 0 */
static void r_co(mpfr_t r, mpfr_t x, mpfr_t y) {
  mpfr_sqr(r, y, MPFR_RNDN);
  if (mpfr_zero_p(x)) mpfr_ui_sub(r, 1, r, MPFR_RNDN);
  else mpfr_add(r, r, x, MPFR_RNDN);
  mpfr_sqrt(r, r, MPFR_RNDN);
}
static long double reference(ref_fn *f, double x, double y) {
  mpfr_t a, b, r;
  mpfr_inits2(300, a, b, r, (mpfr_ptr)0);
  mpfr_set_d(a, x, MPFR_RNDN);
  mpfr_set_d(b, y, MPFR_RNDN);
  f(r, a, b);
  long double v = mpfr_get_ld(r, MPFR_RNDN);
  mpfr_clears(a, b, r, (mpfr_ptr)0);
  return v;
}
#else
typedef long double ref_fn(long double x, long double y);
#define OP1(f) f##l(y)
#define OP2(f) f##l(x, y)
#define F(f, n)                                                                          \
  static long double r_##f(long double x, long double y) { return UNUSED(x), OP##n(f); }
REFERENCES
#undef F
static long double r_logb(long double x, long double y) { return logl(y) / logl(x); }
static long double r_pi(long double x, long double y) { return UNUSED(x), y * acosl(-1); }
static long double r_fact(long double x, long double y) {
  return UNUSED(x), tgammal(y + 1);
}
static long double r_binomial(long double x, long double y) {
  return tgammal(y + 1) / (tgammal(x + 1) * tgammal(y - x + 1));
}
static long double r_co(long double x, long double y) {
  return sqrtl(x == 0 ? (1 - y) * (1 + y) : y * y + x);
}
static long double reference(ref_fn *f, double x, double y) {
  return f((long double)x, (long double)y);
}
#endif

#define C1(name, fn)                                                                     \
  static double name(double x, double y) { return UNUSED(x), fn(y); }
/* clang-format off */
C1(m_sin, hard_SIN)
C1(m_cos, hard_COS)
C1(m_tan, hard_TAN)
C1(m_asin, math_ASIN)
C1(m_acos, math_ACOS)
C1(m_atan, math_ATAN)
C1(m_sinh, math_SINH)
C1(m_cosh, math_COSH)
C1(m_tanh, math_TANH)
C1(m_asinh, math_ASINH)
C1(m_acosh, math_ACOSH)
C1(m_atanh, math_ATANH)
C1(m_ln1p, math_LN1P)
C1(m_pi, math_PI)
C1(m_fact, hard_FACT)
/* clang-format on */
static double m_atan2(double x, double y) { return math_ATAN2(x, y); }
static double m_binomial(double x, double y) {
  bool fault = false;
  return binomial(x, y, &fault);
}
static double m_co(double x, double y) {
  return x == 0 ? math_CO_SIN(y) : x > 0 ? math_CO_SINH(y) : fabs(math_CO_COSH(y));
}

#define ALL HUGE_VAL /* both ends: patterns of bits, so that every exponent is met */
typedef struct function {
  const char *name;
  double (*f)(double, double);
  ref_fn *ref;
  double x0, x1, y0, y1, bound;
} function;
static const function functions[] = {
    {"exp", m_exp, r_exp, 0, 0, -708, 709.7, 0.75},
    {"exp", m_exp, r_exp, 0, 0, -2, 2, 0.75},
    {"exp f32", m_exp_s, r_exp, 0, 0, -87, 88.7, 3e-4 * 0x1p29},
    {"exp f32", m_exp_s, r_exp, 0, 0, -2, 2, 3e-4 * 0x1p29},
    {"ln", m_log, r_log, 0, 0, 0, ALL, 0.85},
    {"ln", m_log, r_log, 0, 0, 0.5, 2, 0.85},
    {"ln", m_log, r_log, 0, 0, 0.999, 1.001, 0.85},
    {"pow", m_pow, r_pow, 0, ALL, 0, ALL, 0.75},
    {"pow", m_pow, r_pow, 0, 10, -30, 30, 0.75},
    {"pow", m_pow, r_pow, 0.999, 1.001, -500000, 500000, 0.75},
    {"logb", math_LOGB, r_logb, 0, ALL, 0, ALL, 0.51},
    {"logb", math_LOGB, r_logb, 0.99, 1.01, 0.99, 1.01, 0.51},
    {"logb", math_LOGB, r_logb, 0, 20, 0, 1000, 0.51},
    {"ln1p", m_ln1p, r_log1p, 0, 0, -0.5, 1, 0.55},
    {"ln1p", m_ln1p, r_log1p, 0, 0, 0, ALL, 0.65},
    {"hypot", math_HYPOT, r_hypot, -ALL, ALL, -ALL, ALL, 0.55},
    {"hypot", math_HYPOT, r_hypot, -3, 3, -3, 3, 0.55},
    {"pi times", m_pi, r_pi, 0, 0, -100, 100, 0.51},
    {"pi times", m_pi, r_pi, 0, 0, -ALL, ALL, 0.85},
    {"sin", m_sin, r_sin, 0, 0, -1, 1, 0.8},
    {"sin", m_sin, r_sin, 0, 0, -20, 20, 0.8},
    {"sin", m_sin, r_sin, 0, 0, -1.4e8, 1.4e8, 0.8},
    {"sin", m_sin, r_sin, 0, 0, -ALL, ALL, 0.8},
    {"cos", m_cos, r_cos, 0, 0, -1, 1, 0.8},
    {"cos", m_cos, r_cos, 0, 0, -20, 20, 0.8},
    {"cos", m_cos, r_cos, 0, 0, -1.4e8, 1.4e8, 0.8},
    {"cos", m_cos, r_cos, 0, 0, -ALL, ALL, 0.8},
    {"tan", m_tan, r_tan, 0, 0, -1, 1, 0.9},
    {"tan", m_tan, r_tan, 0, 0, -20, 20, 0.9},
    {"tan", m_tan, r_tan, 0, 0, -1.4e8, 1.4e8, 1.0},
    {"tan", m_tan, r_tan, 0, 0, -ALL, ALL, 1.0},
    {"asin", m_asin, r_asin, 0, 0, -1, 1, 0.75},
    {"asin", m_asin, r_asin, 0, 0, 0.99999, 1, 0.75},
    {"asin", m_asin, r_asin, 0, 0, -1e-5, 1e-5, 0.75},
    {"acos", m_acos, r_acos, 0, 0, -1, 1, 0.75},
    {"acos", m_acos, r_acos, 0, 0, 0.99999, 1, 0.75},
    {"acos", m_acos, r_acos, 0, 0, -1, -0.99999, 0.75},
    {"atan", m_atan, r_atan, 0, 0, -1.2, 1.2, 0.75},
    {"atan", m_atan, r_atan, 0, 0, -9, 9, 0.75},
    {"atan", m_atan, r_atan, 0, 0, -ALL, ALL, 0.75},
    {"atan2", m_atan2, r_atan2, -2, 2, -2, 2, 0.75},
    {"atan2", m_atan2, r_atan2, -1e-3, 1e-3, -2, 2, 0.75},
    {"atan2", m_atan2, r_atan2, -2, 2, -1e-3, 1e-3, 0.75},
    {"atan2", m_atan2, r_atan2, -ALL, ALL, -ALL, ALL, 1.0},
    {"sinh", m_sinh, r_sinh, 0, 0, -2, 2, 0.8},
    {"sinh", m_sinh, r_sinh, 0, 0, -710.4, 710.4, 0.8},
    {"sinh", m_sinh, r_sinh, 0, 0, -1e-3, 1e-3, 0.8},
    {"cosh", m_cosh, r_cosh, 0, 0, -2, 2, 0.8},
    {"cosh", m_cosh, r_cosh, 0, 0, -710.4, 710.4, 0.8},
    {"tanh", m_tanh, r_tanh, 0, 0, -0.5, 0.5, 0.85},
    {"tanh", m_tanh, r_tanh, 0, 0, -25, 25, 0.85},
    {"tanh", m_tanh, r_tanh, 0, 0, -ALL, ALL, 0.85},
    {"asinh", m_asinh, r_asinh, 0, 0, -2, 2, 0.55},
    {"asinh", m_asinh, r_asinh, 0, 0, -1e-5, 1e-5, 0.55},
    {"asinh", m_asinh, r_asinh, 0, 0, -ALL, ALL, 0.55},
    {"acosh", m_acosh, r_acosh, 0, 0, 1, 3, 0.55},
    {"acosh", m_acosh, r_acosh, 0, 0, 1, 1.0001, 0.55},
    {"acosh", m_acosh, r_acosh, 0, 0, 0, ALL, 0.55},
    {"atanh", m_atanh, r_atanh, 0, 0, -1, 1, 0.55},
    {"atanh", m_atanh, r_atanh, 0, 0, 0.9999, 1, 0.55},
    {"atanh", m_atanh, r_atanh, 0, 0, -1e-5, 1e-5, 0.55},
    {"!", m_fact, r_fact, 0, 0, -0.5, 8, 0.7},
    {"!", m_fact, r_fact, 0, 0, 8, 170.6, 0.7},
    {"!", m_fact, r_fact, 0, 0, -3, 0, 2},
    {"!", m_fact, r_fact, 0, 0, -160, 0, 2},
    {"!", m_fact, r_fact, 0, 0, -1e-5, 1e-5, 0.7},
    {"binomial", m_binomial, r_binomial, -5, 5, -5, 5, 2},
    {"binomial", m_binomial, r_binomial, 0, 60, 0, 60, 2},
    {"binomial", m_binomial, r_binomial, -100, 100, -100, 100, 2},
    {"binomial", m_binomial, r_binomial, 0, 3, 1000, 1001, 2},
    {"binomial", m_binomial, r_binomial, -9, 9, 10, 1e5, 2},
    {"binomial", m_binomial, r_binomial, 480, 520, 1000, 1020, 3},
    {"sqrt(1-x2)", m_co, r_co, 0, 0, -1, 1, 0.51},
    {"sqrt(1-x2)", m_co, r_co, 0, 0, 0.9999, 1, 0.51},
    {"sqrt(1+x2)", m_co, r_co, 1, 1, -3, 3, 0.51},
    {"sqrt(1+x2)", m_co, r_co, 1, 1, -ALL, ALL, 0.51},
    {"sqrt(x2-1)", m_co, r_co, -1, -1, 1, 3, 0.51},
    {"sqrt(x2-1)", m_co, r_co, -1, -1, 1, ALL, 0.51},
};

/* A number of the range; half of those between a positive and a negative end are near 0. */
static double pick(double lo, double hi) {
  if (hi != HUGE_VAL) return uniform(lo, hi);
  for (;;) {
    double v = op_bitsf((int64_t)next());
    if (isfinite(v) && fabs(v) >= DBL_MIN) return lo < 0 ? v : fabs(v);
  }
}

#ifndef ROUNDS
#define ROUNDS 6000
#endif

/* The greatest error of one row, in f64 (*f: where the f32 argument is exact, in f32). */
static double worst(const function *t, double *single) {
  double max = *single = 0;
  for (int i = 0; i < ROUNDS; i++) {
    double x = pick(t->x0, t->x1), y = pick(t->y0, t->y1);
    if (t->f == m_pow && t->y1 == ALL) y = uniform(-720, 720) / math_LN(x);
    double far = fmax(fabs(x), fabs(y)), near = fmin(fabs(x), fabs(y));
    bool narrow = i % 4 == 0 && far < 0x1p127 && (near > 0x1p-126 || t->x1 == 0);
    if (narrow) x = (double)(float)x, y = (double)(float)y;
    long double exact = reference(t->ref, x, y);
    if (!(fabsl(exact) >= 0x1p-1020L && fabsl(exact) < 0x1p1024L)) continue;
    double r = t->f(x, y), u = ulps(r, exact);
    if (u > max) max = u;
    if (!narrow || !(fabsl(exact) > 0x1p-126L && fabsl(exact) < 0x1p127L)) continue;
    u = ulps((double)(float)r, exact) * 0x1p-29;
    if (u > *single) *single = u;
  }
  return max;
}

static void test_errors(void **state) {
  UNUSED(state);
  bool good = true;
  for (const function *t = functions; t < functions + ARRAY_LEN(functions); t++) {
#ifndef HAVE_MPFR
    if (fabs(t->y1) > 1e3 || t->bound < 0.52) continue; /* long double is not enough */
#endif
    double single, max = worst(t, &single);
    bool bad = !(max < t->bound) || !(single < 0.51);
    if (bad || getenv("VERBOSE"))
      print_message("%-10s [%g, %g] [%g, %g] f64 %.4f f32 %.4f\n", t->name, t->x0, t->x1,
                    t->y0, t->y1, max, single);
    good &= !bad;
  }
  assert_true(good);
}

/* The doubles that come nearest to multiples of ½π, each in its binade: where a reduction
 * that is not exact shows. */
static void test_near_multiples(void **state) {
  UNUSED(state);
#ifdef HAVE_MPFR
  static const function sine = {"sin", m_sin, r_sin, 0, 0, 0, 0, 0.8};
  static const function others[] = {{"cos", m_cos, r_cos, 0, 0, 0, 0, 0.8},
                                    {"tan", m_tan, r_tan, 0, 0, 0, 0, 1.0}};
  mpfr_t a, b;
  mpfr_inits2(1300, a, b, (mpfr_ptr)0);
  for (int e = 0; e < 1020; e++)
    for (int i = 0; i < 12; i++) {
      mpfr_const_pi(a,
                    MPFR_RNDN); /* half of a random multiple of ½π, rounded to a double */
      mpfr_set_d(
          b, (e > 52 ? ldexp(1, e) : rint(ldexp(1, e))) + rint(ldexp(uniform(0, 1), e)),
          MPFR_RNDN);
      mpfr_mul(a, a, b, MPFR_RNDN);
      mpfr_div_2ui(a, a, 1, MPFR_RNDN);
      double y = mpfr_get_d(a, MPFR_RNDN);
      if (!isfinite(y)) continue;
      y = i % 3 ? y : -y;
      assert_true(ulps(sine.f(0, y), reference(sine.ref, 0, y)) < sine.bound);
      for (int k = 0; k < 2; k++)
        assert_true(ulps(others[k].f(0, y), reference(others[k].ref, 0, y)) <
                    others[k].bound);
    }
  mpfr_clears(a, b, (mpfr_ptr)0);
  mpfr_free_cache();
#endif
  const double nearest =
      0x1.6ac5b262ca1ffp+849; /* the nearest of all, 2^-61 of ½π away */
  assert_true(fabs(hard_COS(nearest)) < 5e-19 && fabs(hard_COS(nearest)) > 4e-19);
}

/* Of an f32 the short forms give the f32 that the long ones give: each 4099th is tried. */
static void test_singles(void **state) {
  UNUSED(state);
  enum { END = 0x4d000000, TANH_END = 0x7f800000, STEP = 4099 }; /* 2^27, infinity */
  for (uint32_t u = 0; u <= TANH_END; u += STEP) {
    float y;
    memcpy(&y, &u, sizeof y);
    assert_true((float)math_TANH_S(y) == (float)math_TANH(y));
    assert_true((float)math_TANH_S(-y) == (float)math_TANH(-y));
    if (u > END) continue;
    assert_true((float)math_SIN_S(y) == (float)math_SIN(y));
    assert_true((float)math_COS_S(y) == (float)math_COS(y));
    assert_true((float)math_TAN_S(y) == (float)math_TAN(y));
    assert_true((float)math_TAN_S(-y) == (float)math_TAN(-y));
  }
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

/* Factorials and binomial coefficients of whole numbers are correctly rounded. */
static void test_whole(void **state) {
  UNUSED(state);
#ifdef HAVE_MPFR
  for (int n = 0; n <= 170; n++) {
    long double exact = reference(r_fact, 0, n);
    assert_true(hard_FACT(n) == (double)exact);
    assert_true(hard_FACT(n + 1) > 1e308 || n < 170);
  }
  for (int i = 0; i < 20000; i++) {
    double y = (double)(next() % 1060), x = (double)(next() % (uint64_t)(y + 1));
    if (i % 4 == 0) x = (double)(next() % 12), y = (double)(next() >> 24);
    long double exact = reference(r_binomial, x, y);
    if (exact < 0x1p1023L) assert_true(ulps(m_binomial(x, y), exact) <= 0.5001);
    int64_t r;
    if (exact < 0x1p63L)
      assert_true(binomial_int((int64_t)x, (int64_t)y, &r) &&
                  (long double)r == roundl(exact));
  }
#endif
  int64_t r;
  assert_true(binomial_int(INT64_MIN, INT64_MIN, &r) && r == 1);
  assert_true(binomial_int(INT64_MIN, INT64_MAX, &r) && r == 0);
  assert_true(binomial_int(INT64_MAX, INT64_MAX, &r) && r == 1);
  assert_true(binomial_int(1, INT64_MIN + 2, &r) && r == INT64_MIN + 2);
  assert_false(binomial_int(2, INT64_MIN, &r));
}

static void test_special(void **state) {
  UNUSED(state);
  const double inf = HUGE_VAL,
               sample[] = {0.0,    -0.0, 1,    -1,     2,          -2,
                           3,      0.5,  -0.5, 2.5,    1e300,      1e-300,
                           -1e300, inf,  -inf, 0x1p53, 0x1p52 + 1, (double)NAN};
  for (size_t i = 0; i < ARRAY_LEN(sample); i++)
    for (size_t j = 0; j < ARRAY_LEN(sample); j++) {
      double x = sample[i], y = sample[j], r = m_pow(x, y), want = pow(x, y);
      if (x < 0 && isfinite(x) && y != floor(y)) continue; /* POWER's row refuses */
      if (x == 0 || (isinf(x) && x < 0))
        r = fabs(r), want = fabs(want); /* of no account */
      if (isnan(want)) assert_true(isnan(r));
      else assert_true(r == want || fabs(r - want) <= fabs(want) * 0x1p-52);
    }
  assert_true(m_exp(0, inf) == inf && m_exp(0, -inf) == 0 &&
              isnan(m_exp(0, (double)NAN)));
  assert_true(m_exp(0, 709.78) < inf && m_exp(0, 709.79) == inf &&
              m_exp(0, 1e308) == inf);
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
    double x = (double)(int64_t)(next() % 2001) - 1000,
           y = (double)(int64_t)(next() >> 20) - 0x1p43;
    if (i % 2) x /= 8, y /= 64;
    assert_true(math_RESID(x, y, 0) == residue(x, y));
    double xf = (double)(float)uniform(-3, 3), yf = (double)(float)uniform(-3000, 3000);
    assert_true(math_RESID(xf, yf, 0) == residue(xf, yf));
  }
  const double ct = 1e-14;
  assert_true(math_RESID(0.1, 1, ct) == 0 && math_RESID(0.1, 0.3, ct) == 0);
  assert_true(math_RESID(1, 1e-20, ct) == 1e-20 && math_RESID(3, 1e300, ct) == 0);
  assert_true(math_RESID(HUGE_VAL, 5, ct) == 5 && isnan(math_RESID(5, HUGE_VAL, ct)));
  assert_true(fabs(math_RESID(1, 2.75, ct) - 0.75) < 1e-15);
  assert_true(fabs(math_RESID(-1, 2.75, ct) + 0.25) < 1e-15);
}

static void test_tolerance(void **state) {
  UNUSED(state);
  const double cts[] = {0, 1e-14, 1e-9};
  for (int i = 0; i < 100000; i++) {
    double y = op_bitsf((int64_t)next()), ct = cts[i % 3];
    double x =
        i % 5 ? y * (1 + (double)(i % 41 - 20) * 1e-15) : op_bitsf((int64_t)next());
    if (isnan(x) || isnan(y)) continue;
    assert_true(math_TEQ(x, y, ct) == num_equal(x, y, ct));
  }
  assert_true(math_TEQ(HUGE_VAL, HUGE_VAL, 1e-14));
  assert_false(math_TEQ(HUGE_VAL, 1e308, 1e-14));
  assert_false(math_TEQ(-HUGE_VAL, HUGE_VAL, 1e-14));
  assert_false(math_TEQ(1e308, -1e308, 1e-9));
  assert_false(math_TEQ((double)NAN, (double)NAN, 1e-14));
  assert_true(math_TEQ(0.0, -0.0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),  cmocka_unit_test(test_near_multiples),
      cmocka_unit_test(test_singles), cmocka_unit_test(test_exact),
      cmocka_unit_test(test_whole),   cmocka_unit_test(test_special),
      cmocka_unit_test(test_residue), cmocka_unit_test(test_tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
