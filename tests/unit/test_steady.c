/* SPDX-License-Identifier: MIT */
/* test_steady.c - when a measurement counts as settled, and what it says of its samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "src/ir/steady.h"

/* Work whose times are known: run number i takes at[i], or the last one for ever after. */
typedef struct work {
  const double *at;
  int n, runs;
} work;

static double next_time(void *user, int repeat) {
  work *w = user;
  int i = w->runs < w->n ? w->runs : w->n - 1;
  w->runs += 1;
  (void)repeat;
  return w->at[i];
}

static void test_settles(void **state) {
  static const double at[] = {9e7, 8e7, 7e7, 6e7, 6e7, 5e7, 6e7, 4e7};
  work w = {at, 8, 0};
  (void)state;
  /* One run, then 8 7 6 6: two agree; the samples are 5 6 4. */
  steady s = steady_samples(next_time, &w, &(steady_how){3, 0, STEADY_LEAST_NS});
  assert_true(s.settled);
  assert_false(s.failed);
  assert_true(s.best == 4e7);
  assert_true(s.median == 5e7);
  assert_int_equal(w.runs, 8);
}

static void test_warms_up(void **state) {
  static const double at[] = {1e6};
  work w = {at, 1, 0};
  (void)state;
  /* The same time from the beginning on is not believed before the clock can have risen. */
  steady s = steady_samples(next_time, &w, &(steady_how){1, 0, STEADY_LEAST_NS});
  assert_true(s.settled);
  assert_true(w.runs > STEADY_LEAST_NS / 1e6);
}

static void test_never(void **state) {
  static double at[200];
  work w = {at, 200, 0};
  (void)state;
  for (int i = 0; i < 200; i++) at[i] = i % 2 ? 1e7 : 2e7;
  steady s = steady_samples(next_time, &w, &(steady_how){STEADY_MOST, 0, 0});
  assert_false(s.settled);
  assert_false(s.failed);
  assert_true(s.best == 1e7);
  assert_true(w.runs < 200);
}

static void test_fails(void **state) {
  static const double at[] = {1e8, 1e8, -1};
  work w = {at, 3, 0};
  (void)state;
  assert_true(steady_time(next_time, &w).failed);
  assert_int_equal(w.runs, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_settles), cmocka_unit_test(test_warms_up),
      cmocka_unit_test(test_never), cmocka_unit_test(test_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
