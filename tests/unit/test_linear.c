/* SPDX-License-Identifier: MIT */
/* test_linear.c - ? against the published answer of its generator and a χ² bound, ⌹ against
 * inverses that are known exactly, and ⊥ ⊤ ⌹ ? under a failing allocator. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/fixture.h"
#include "src/array/convert.h"
#include "src/prim/linear.h"

static prim_random generator;

static int start(void **state) {
  setup(state);
  prim_random_seed(&generator, 0);
  env.random = &generator;
  return 0;
}

static void release(arr *a) { arr_release(a); }

/* Philox4x32-10 of key 0 and counter 0 is 6627e8d5 e169c58d bc57ac4c 9b00dbd8. */
static void known_answer(void **state) {
  UNUSED(state);
  const int64_t range = (int64_t)1 << 62;
  arr *y = ints(ET_I64, -1, &range), *r = prim_roll(&env, y);
  assert_true(arr_get_int(r, 0) - 1 == (int64_t)(0x9b00dbd8bc57ac4cu >> 2));
  release(r);
  release(y);
}

static void evenly(void **state) {
  UNUSED(state);
  enum { N = 60000, FACES = 7 };
  int64_t seen[FACES] = {0};
  arr *y = arr_vec(&c, ET_I64, N);
  for (int i = 0; i < N; i++) arr_put_int(y, i, FACES);
  arr *r = prim_roll(&env, y);
  for (int i = 0; i < N; i++) seen[arr_get_int(r, i) - 1]++;
  double chi = 0, want = (double)N / FACES;
  for (int f = 0; f < FACES; f++) chi += pow((double)seen[f] - want, 2) / want;
  assert_true(chi < 22.5); /* 6 degrees of freedom: 0.1 % */
  release(r);
  release(y);
}

/* The inverse of the inverse of Hilbert's matrix: integers in, 1÷i+j-1 out, rounded well. */
static void hilbert(void **state) {
  UNUSED(state);
  enum { N = 5 };
  static const int64_t inverse[N * N] = {
      25,     -300,   1050,   -1400,  630,     -300,   4800,  -18900, 26880,
      -12600, 1050,   -18900, 79380,  -117600, 56700,  -1400, 26880,  -117600,
      179200, -88200, 630,    -12600, 56700,   -88200, 44100};
  int64_t shape[2] = {N, N};
  arr *flat = ints(ET_I64, N * N, inverse), *y = arr_reshape(&c, flat, 2, shape);
  arr *r = prim_inverse(&env, y);
  assert_int_equal(r->rank, 2);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert_true(fabs(arr_get_float(r, i * N + j) - 1.0 / (i + j + 1)) <=
                  0x1p-53 / (i + j + 1));
  release(r);
  release(y);
  release(flat);
}

/* A random permutation's inverse is exactly its transpose: no noise where a 0 belongs. */
static void zeros_are_zeros(void **state) {
  UNUSED(state);
  enum { N = 31 };
  int64_t n = N, shape[2] = {N, N};
  arr *size = ints(ET_I64, -1, &n), *p = prim_deal(&env, size, size);
  arr *y = arr_new(&c, ET_F64, 2, shape);
  for (int i = 0; i < N * N; i++)
    arr_put_float(y, i, arr_get_int(p, i / N) - 1 == i % N ? 3 : 0);
  arr *r = prim_inverse(&env, y);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert_true(arr_get_float(r, i * N + j) ==
                  (arr_get_float(y, j * N + i) != 0 ? 1.0 / 3 : 0));
  release(r);
  release(y);
  release(p);
  release(size);
}

/* I - VT'V' of a panel is orthogonal and makes R of it; the inverse is R's. The last column goes along. */
static void reflections(void **state) {
  UNUSED(state);
  enum { M = 7, N = 4, STEPS = 3 };
  double q[M][M], square[STEPS] = {0}, worst = 0;
  int64_t shape[2] = {M, N};
  arr *y = arr_new(&c, ET_F64, 2, shape);
  double *a = y->host;
  for (int i = 0; i < M * N; i++) a[i] = (i * i + 3) % 11 - 4;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < STEPS; j++) square[j] += a[i * N + j] * a[i * N + j];
  arr *r = prim_qr_panel(&env, y, STEPS, square);
  const double *v = r->host, *t = v + M * N, *inverse = t + STEPS * N,
               *up = inverse + STEPS * N;
  for (int i = 0; i < M; i++)
    for (int k = 0; k < M; k++) {
      q[i][k] = i == k;
      for (int b = 0; b < STEPS; b++)
        for (int d = 0; d < STEPS; d++)
          q[i][k] -= v[i * N + b] * t[b * N + d] * v[k * N + d];
    }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = i < STEPS ? -up[i * N + j] : 0;
      for (int k = 0; k < M; k++) sum += q[i][k] * a[k * N + j];
      if (j < STEPS || i < STEPS) worst = fmax(worst, fabs(sum));
    }
  for (int i = 0; i < STEPS; i++)
    for (int j = 0; j < STEPS; j++) {
      double sum = -(i == j);
      for (int k = 0; k < STEPS; k++) sum += up[i * N + k] * inverse[j * N + k];
      worst = fmax(worst, fabs(sum));
    }
  assert_true(worst < 1e-13);
  release(r);
  release(y);
}

static arr *attempt(int which, arr *x, arr *y, arr *m) {
  switch (which) {
  case 0: return prim_decode(&env, x, y);
  case 1: return prim_encode(&env, x, y);
  case 2: return prim_roll(&env, y);
  case 3: return prim_inverse(&env, m);
  case 4: return prim_matrix_divide(&env, y, m);
  case 5: return prim_deal(&env, x, m);
  case 6: return prim_qr_panel(&env, m, 2, (const double[]){2, 2});
  default: return NULL;
  }
}

static void failing_allocator(void **state) {
  UNUSED(state);
  const int64_t many = 1000;
  int64_t shape[2] = {3, 2};
  arr *x = F(2.5, 3, 4), *y = I(7, 8, 9), *flat = F(1, 0, 0, 1, 1, 1);
  arr *m = arr_reshape(&c, flat, 2, shape), *few = I(9), *big = ints(ET_I64, -1, &many);
  size_t before = c.blocks_live;
  for (int which = 0; which < 7; which++)
    for (int n = 1;; n++) {
      fail_at = n;
      arr *r = attempt(which, which == 5 ? few : x, y, which == 5 ? big : m);
      bool struck = fail_at == 0;
      fail_at = 0;
      assert_true(struck ? !r && c.err.code == ERR_WS_FULL : r != NULL);
      release(r);
      err_clear(&c);
      assert_int_equal(c.blocks_live, before);
      if (!struck) break;
    }
  arr *const all[] = {x, y, flat, m, few, big};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) release(all[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, start, teardown)
      TEST(known_answer),    TEST(evenly),      TEST(hilbert),
      TEST(zeros_are_zeros), TEST(reflections), TEST(failing_allocator)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
