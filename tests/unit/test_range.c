/* SPDX-License-Identifier: MIT */
/* test_range.c - prim.def's RANGE rows against the bodies of the direct path.
 *
 * A wrong row would drop a check for overflow or store a result too narrow, and nothing would
 * say so. Hence every pair of small intervals is tried with every pair of their elements: all
 * results lie inside, and at the ends where the row says EXACT. Then intervals between values
 * near the ends of i8 … i64: where the row gives an interval in i64, nothing escapes. */
#include "src/kir/range.h"
#include "src/prim/scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { SMALL = 5, WIDTH = 2 * SMALL + 1 };

typedef struct outcome {
  int64_t v;
  bool escapes;
} outcome;

/* The integer row's result. */
static outcome result_of(prim p, bool dyadic, int64_t x, int64_t y) {
  cls row;
  const sc_row *r = sc_find(p, dyadic, CLS_I, false, &row);
  sc_state s = {0};
  outcome o = {0};
  assert_non_null(r);
  assert_int_equal(row, CLS_I);
  assert_int_equal(r->result, CLS_I);
  r->fn(&s, (sc_arg){&x, 1}, (sc_arg){&y, 1}, &o.v, 1);
  o.escapes = s.esc;
  return o;
}

static void wrong(prim p, range x, range y, const char *what) {
  fail_msg("%s (%d) of [%lld, %lld] and [%lld, %lld]: %s", prim_table[p].glyph, (int)p,
           (long long)x.lo, (long long)x.hi, (long long)y.lo, (long long)y.hi, what);
}

/* One pair of intervals; v has the values to try, n of them, ascending. A monadic form is
 * tried with one x. */
static void try_pair(prim p, bool dyadic, const int64_t *v, size_t n,
                     const size_t at[4]) {
  range x = {v[at[0]], v[at[1]]}, y = {v[at[2]], v[at[3]]};
  range r = range_of_result(p, dyadic, x, y);
  bool low = false, high = false, small = n == WIDTH;
  for (size_t i = at[0]; i <= at[1]; i++)
    for (size_t j = at[2]; j <= at[3]; j++) {
      outcome o = result_of(p, dyadic, v[i], v[j]);
      if (o.escapes && range_in64(r)) wrong(p, x, y, "an element escapes");
      if (o.escapes) continue;
      if (o.v < r.lo || o.v > r.hi) wrong(p, x, y, "a result lies outside");
      low |= o.v == r.lo;
      high |= o.v == r.hi;
    }
  if (small && range_promise(p, dyadic) == RANGE_EXACT && !(low && high))
    wrong(p, x, y, "an end is no result");
}

static void try_all(prim p, bool dyadic, const int64_t *v, size_t n) {
  size_t most = dyadic ? n : 1, at[4];
  for (at[0] = 0; at[0] < most; at[0]++)
    for (at[1] = at[0]; at[1] < most; at[1]++)
      for (at[2] = 0; at[2] < n; at[2]++)
        for (at[3] = at[2]; at[3] < n; at[3]++) try_pair(p, dyadic, v, n, at);
}

static size_t each_row(const int64_t *v, size_t n) {
  size_t rows = 0;
  for (prim p = 0; p < P_COUNT; p++)
    for (int dyadic = 0; dyadic < 2; dyadic++) {
      if (range_promise(p, dyadic) == RANGE_NONE) continue;
      try_all(p, dyadic, v, n);
      rows++;
    }
  return rows;
}

static void test_small(void **state) {
  (void)state;
  int64_t v[WIDTH];
  for (int i = 0; i < WIDTH; i++) v[i] = i - SMALL;
  assert_true(each_row(v, WIDTH) >=
              17); /* the rows that were there when this was written */
}

static void test_limits(void **state) {
  (void)state;
  static const int64_t v[] = {INT64_MIN,
                              INT64_MIN + 1,
                              INT32_MIN - 1ll,
                              INT32_MIN,
                              -129,
                              -128,
                              -1,
                              0,
                              1,
                              2,
                              127,
                              128,
                              62,
                              63,
                              65536,
                              INT32_MAX,
                              INT32_MAX + 1ll,
                              3037000500,
                              INT64_MAX - 1,
                              INT64_MAX};
  int64_t sorted[ARRAY_LEN(v)];
  for (size_t i = 0; i < ARRAY_LEN(v); i++) { /* insertion sort */
    size_t j = i;
    for (; j > 0 && sorted[j - 1] > v[i]; j--) sorted[j] = sorted[j - 1];
    sorted[j] = v[i];
  }
  each_row(sorted, ARRAY_LEN(v));
}

/* Of floats only the integers that they become are bounded: the row must hold for all. */
static void test_float_rows(void **state) {
  (void)state;
  static const double v[] = {-0x1p62, -7.5, -1, -0.0, 0.25, 1, 2.5, 0x1p62};
  for (prim p = 0; p < P_COUNT; p++) {
    cls row;
    if (range_promise(p, false) == RANGE_NONE) continue;
    const sc_row *f = sc_find(p, false, CLS_F, false, &row);
    if (!f || f->result != CLS_I) continue;
    range r = range_of_result(p, false, range_i64(), range_i64());
    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
      sc_state s = {0};
      int64_t got;
      f->fn(&s, (sc_arg){&v[i], 1}, (sc_arg){&v[i], 1}, &got, 1);
      if (!s.esc && (got < r.lo || got > r.hi)) wrong(p, r, r, "a float's result");
    }
  }
}

/* No row: more than i64, so that checks stay. */
static void test_unknown(void **state) {
  (void)state;
  range small = {0, 1};
  assert_int_equal(range_promise(P_FACT, false), RANGE_NONE);
  assert_false(range_in64(range_of_result(P_FACT, false, small, small)));
  assert_true(range_in64(range_i64()));
  assert_false(range_in32(range_i64()));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_float_rows), cmocka_unit_test(test_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
