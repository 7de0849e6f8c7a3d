/* SPDX-License-Identifier: MIT */
/* test_complex.c - the functions of cmath.c against long double complex ones of the C library:
 * the error relative to the magnitude of the result, in units of 2^-53. Gamma has no such
 * reference: its functional equations and the real gamma serve. What is exact, and which side
 * of a cut counts, is written in tests/lang/complex.apl. */
#include "src/prim/complex.h"
#include "src/array/element.h"
#include "src/array/match.h"
#include "src/base/isa.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "random.h"

typedef long double complex lc;
static lc wide(cx z) { return (long double)z.re + (long double)z.im * _Complex_I; }

static double error_of(cx r, lc want) {
  long double size = cabsl(want);
  return size > 0 ? (double)(cabsl(wide(r) - want) / size) * 0x1p53
                  : r.re != 0 || r.im != 0;
}

static cx narrow(lc z) { return (cx){(double)creall(z), (double)cimagl(z)}; }

/* x f y, or f y. */
static cx call(prim f, bool dyadic, cx x, cx y) {
  sc_state s = {.ct = 1e-14};
  cx r = cx_row_of(f, dyadic)(&s, x, y);
  assert_false(s.err || s.inf || s.esc);
  return r;
}

static lc lc_div(lc x, lc y) { return x / y; }
static lc lc_mul(lc x, lc y) { return x * y; }
static lc lc_logb(lc x, lc y) { return clogl(y) / clogl(x); }
static lc lc_exp(lc x, lc y) { return UNUSED(x), cexpl(y); }
static lc lc_log(lc x, lc y) { return UNUSED(x), clogl(y); }

/* The value and the bound: functions whose result may be much smaller than its terms are
 * tested where it is not. */
static void test_two(void **state) {
  UNUSED(state);
  static const struct {
    const char *name;
    prim f;
    bool dyadic;
    lc (*want)(lc, lc);
    double range, bound;
  } rows[] = {
      {"×", P_TIMES, true, lc_mul, 1e100, 2}, {"÷", P_DIVIDE, true, lc_div, 1e100, 4},
      {"*", P_POWER, false, lc_exp, 300, 3},  {"⍟", P_LOG, false, lc_log, 1e6, 3},
      {"⍟", P_LOG, false, lc_log, 2, 3},      {"x*y", P_POWER, true, cpowl, 4, 40},
      {"x⍟y", P_LOG, true, lc_logb, 1000, 6}};
  for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
    double worst = 0, m = rows[k].range;
    for (int i = 0; i < 4000; i++) {
      cx x = {uniform(-m, m), uniform(-m, m)}, y = {uniform(-m, m), uniform(-m, m)};
      worst =
          fmax(worst, error_of(call(rows[k].f, rows[k].dyadic, rows[k].dyadic ? x : y, y),
                               rows[k].want(wide(x), wide(y))));
    }
    printf("%-5s %.3g: %.2f\n", rows[k].name, m, worst);
    assert_true(worst < rows[k].bound);
  }
}

static lc l0(lc z) { return csqrtl(1 - z * z); }
static lc l4(lc z) { return csqrtl(1 + z * z); }
static lc l8(lc z) { return csqrtl(-1 - z * z); }
static lc lm4(lc z) { return (z + 1) * csqrtl((z - 1) / (z + 1)); }
static lc lm8(lc z) { return -l8(z); }
static lc lm12(lc z) { return cexpl(z * _Complex_I); }

static void test_circle(void **state) {
  UNUSED(state);
  static const struct {
    int code;
    lc (*want)(lc);
  } rows[] = {{1, csinl},    {2, ccosl},    {3, ctanl},   {5, csinhl},  {6, ccoshl},
              {7, ctanhl},   {-1, casinl},  {-2, cacosl}, {-3, catanl}, {-5, casinhl},
              {-6, cacoshl}, {-7, catanhl}, {0, l0},      {4, l4},      {8, l8},
              {-4, lm4},     {-8, lm8},     {-12, lm12}};
  for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
      static const double sizes[] = {0.5, 1.5, 5, 30};
      double m = sizes[i % 4];
      cx z = {uniform(-m, m), uniform(-m, m)};
      cx r = call(P_CIRCLE, true, (cx){rows[k].code, 0}, z);
      worst = fmax(worst, error_of(r, rows[k].want(wide(z))));
    }
    printf("%3d○ %.2f\n", rows[k].code, worst);
    assert_true(worst < 12);
  }
}

static void test_root(void **state) {
  UNUSED(state);
  double worst = 0;
  for (int i = 0; i < 4000; i++) {
    int e = (int)(next() % 2000) - 1000;
    cx z = {scalbn(uniform(-1, 1), e), scalbn(uniform(-1, 1), e)};
    worst = fmax(worst, error_of(call(P_POWER, true, z, (cx){0.5, 0}), csqrtl(wide(z))));
  }
  printf("root %.2f\n", worst);
  assert_true(worst < 3);
}

static void test_gamma(void **state) {
  UNUSED(state);
  double real = 0, step = 0;
  for (int i = 0; i < 2000; i++) {
    double x = uniform(-30, 100);
    cx r = call(P_FACT, false, (cx){x, 0}, (cx){x, 0});
    real = fmax(real,
                error_of(r, tgammal((long double)x + 1)) / (1 + 1 / fabs(x - rint(x))));
    cx z = {uniform(-20, 20), uniform(-20, 20)}, next_z = {z.re + 1, z.im};
    cx a = call(P_FACT, false, z, z), b = call(P_FACT, false, next_z, next_z);
    step = fmax(step, error_of(b, wide(a) * wide(next_z)));
  }
  printf("gamma: real %.1f, step %.1f\n", real, step);
  assert_true(real < 1500 && step < 300);
}

/* A quotient of whole numbers that is one, but for the rounding of long double. */
static bool is_whole(cx z) {
  return fabs(z.re - rint(z.re)) < 1e-12 && fabs(z.im - rint(z.im)) < 1e-12;
}

static void test_whole(void **state) {
  UNUSED(state);
  for (int i = 0; i < 2000; i++) {
    cx a = {rint(uniform(-50, 50)), rint(uniform(-50, 50))},
       b = {rint(uniform(-50, 50)), 0};
    cx g = call(P_OR, true, a, b), l = call(P_AND, true, a, b),
       f = call(P_FLOOR, false, a, a);
    assert_true(cx_equal(f, a, 0));
    if (g.re == 0) continue;
    assert_true(g.re > 0 && g.im >= 0);
    cx p = narrow(wide(a) / wide(g)), q = narrow(wide(b) / wide(g));
    assert_true(is_whole(p) && is_whole(q));
    cx left = narrow(wide(a) * wide(b)), right = narrow(wide(g) * wide(l));
    assert_true(cx_equal(left, right, 1e-15));
    cx z = {uniform(-9, 9), uniform(-9, 9)}, n = call(P_FLOOR, false, z, z);
    assert_true(cabsl(wide(z) - wide(n)) < 1);
    cx rest = call(P_RESIDUE, true, g, z);
    assert_true(cabsl(wide(rest)) < cabsl(wide(g)) * 1.0000001L);
  }
}

/* Complex numbers near one another, some within ⎕CT, some on an axis, some no numbers. */
static arr *cloud(ctx *c, int64_t n) {
  arr *r = arr_vec(c, ET_C128, n);
  for (int64_t i = 0; i < n; i++) {
    double near = 1 + (double)(next() % 7) * 0.4e-14, size = next() % 3 ? 1 : 1e9;
    double re = rint(uniform(-3, 3)) * size * near,
           im = next() % 4 ? rint(uniform(-3, 3)) * size : 0;
    if (next() % 40 == 0) re = next() % 2 ? HUGE_VAL : (double)NAN;
    if (next() % 60 == 0) im = -HUGE_VAL;
    arr_put_complex(r, i, re, im);
  }
  return r;
}

/* x⍳y is the definition's answer. */
static void test_lookup(void **state) {
  UNUSED(state);
  ctx c;
  ctx_init(&c, NULL, NULL);
  prim_env e = {.c = &c, .ct = 1e-14, .io = 0};
  for (int round = 0; round < 60; round++) {
    e.ct = round % 3 ? 1e-14 : 0;
    arr *x = cloud(&c, 1 + (int64_t)(next() % 300)),
        *y = cloud(&c, 5 + (int64_t)(next() % 300));
    arr *r = prim_index_of(&e, x, y);
    assert_non_null(r);
    for (int64_t j = 0; j < y->count; j++) {
      int64_t i = 0;
      while (i < x->count && !arr_num_equal_at(x, i, y, j, e.ct)) i++;
      assert_int_equal(arr_get_int(r, j), i);
    }
    arr_release(r);
    arr_release(x);
    arr_release(y);
  }
  assert_int_equal(c.blocks_live, 0);
}

/* A budget of allocations: whatever fails, nothing is lost. */
static void *failing(void *user, void *p, size_t old, size_t n) {
  UNUSED(old);
  int *left = user;
  if (n == 0) return free(p), NULL;
  return (*left)-- > 0 ? realloc(p, n) : NULL;
}

static arr *work(prim_env *e, int which, arr *x, arr *y) {
  switch (which) {
  case 0: return prim_dyadic(e, P_TIMES, x, y);
  case 1: return prim_dyadic(e, P_POWER, y, x);
  case 2: return prim_reduce(e, P_PLUS, x, 0);
  case 3: return prim_scan(e, P_PLUS, x, 0);
  case 4: return prim_reduce(e, P_EQ, x, 0);
  case 5: return prim_reduce(e, P_TIMES, x, 0);
  case 6: return prim_unique(e, x);
  default: return prim_monadic(e, P_UP, x);
  }
}

static void test_failing(void **state) {
  UNUSED(state);
  for (int which = 0; which < 8; which++)
    for (int limit = 0; limit < 60; limit++) {
      ctx c;
      int left = 1 << 30;
      ctx_init(&c, failing, &left);
      prim_env e = {.c = &c, .ct = 1e-14, .io = 1};
      arr *x = arr_vec(&c, ET_C128, 700), *y = arr_vec(&c, ET_F64, 700);
      for (int64_t i = 0; i < 700; i++) {
        arr_put_complex(x, i, 1, (double)(i % 9) * 0x1p-9);
        arr_put_float(y, i, i % 2 ? -1 : 1);
      }
      left = limit;
      arr *r = work(&e, which, x, y);
      if (!r) assert_int_equal(c.err.code, ERR_WS_FULL);
      arr_release(r);
      arr_release(x);
      arr_release(y);
      assert_int_equal(c.blocks_live, 0);
      if (r) break;
    }
}

#if defined(__x86_64__)
static const cx_loops *const sets[ISA_COUNT] = {&cx_loops_base, &cx_loops_avx2,
                                                &cx_loops_avx512};
#else
static const cx_loops *const sets[ISA_COUNT] = {&cx_loops_base};
#endif

/* Of numbers of many sizes, some real or whole, or far from 0. */
static double some_part(int k) {
  static const double special[] = {0, 0.5, 1, -1, 2, 1024, 0x1p27, -0x1p40, M_PI, -700};
  double v = uniform(-1, 1);
  if (k % 5 == 0) return special[(size_t)(fabs(v) * ARRAY_LEN(special))];
  return k % 7 ? v * 4 : v * exp2(uniform(-900, 900));
}

/* The loops of every instruction set, of every length, beside the functions: the same bits wherever
 * a result is finite. */
static void test_loops(void **state) {
  UNUSED(state);
  enum { N = 133, ROUNDS = 40, ROWS = 2 * (P_COUNT + 1) };
  cx x[N], y[N], r[N];
  int loops = 0;
  for (int k = 0; k < ROUNDS * ROWS * ISA_COUNT; k++) {
    int set = k % ISA_COUNT, row = k / ISA_COUNT % ROWS, n = 1 + k % N;
    cx_loop *loop = isa_has(set) ? sets[set]->of[row / 2][row % 2] : NULL;
    if (!loop) continue;
    loops++;
    for (int i = 0; i < n; i++) {
      x[i] = (cx){some_part(7 * k + i), some_part(3 * k + i)};
      y[i] = (cx){some_part(5 * k + i), some_part(2 * k + i)};
    }
    sc_state all = {.ct = 1e-14}, s = {.ct = 1e-14};
    loop(&all, x, y, n, r);
    for (int i = 0; i < n; i++) {
      cx one = cx_row_of((prim)(row / 2), row % 2)(&s, x[i], y[i]);
      if (isfinite(r[i].re) && isfinite(r[i].im))
        assert_memory_equal(&r[i], &one, sizeof one);
    }
    assert_int_equal(all.err, s.err);
  }
  assert_true(loops > 30 * ROUNDS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two),     cmocka_unit_test(test_circle),
      cmocka_unit_test(test_root),    cmocka_unit_test(test_gamma),
      cmocka_unit_test(test_whole),   cmocka_unit_test(test_lookup),
      cmocka_unit_test(test_failing), cmocka_unit_test(test_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
