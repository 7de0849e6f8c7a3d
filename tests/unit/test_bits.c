/* SPDX-License-Identifier: MIT */
/* test_bits.c - the loops over truth values of each instruction set, beside definitions bit by bit,
 * at the lengths where words and vectors begin and end; nothing is written beyond the room. */
#include "../../src/array/bits.h"
#include "../../src/base/isa.h"
#include "../../src/base/macros.h"
#include "../../src/prim/running_loops.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <stdlib.h>
#include <cmocka.h>

static const bit_loops *const sets[] = FOR_BIT_ISA(bit_loops);
static const running_loops *const running[] = FOR_BIT_ISA(running_loops);

enum { MOST = 4200, TIMES = 20, GUARD = 0x5a };

typedef struct sample {
  uint8_t bits[MOST / 8 + 16], one[MOST];
  int64_t n, ones;
} sample;

/* n bits of which about `share` of 8 are ones; behind them others. */
static void draw(sample *s, int64_t n, int share) {
  s->n = n;
  s->ones = 0;
  memset(s->bits, 0xff, sizeof s->bits);
  for (int64_t i = 0; i < n; i++) {
    s->one[i] = uniform(0, 8) < share;
    s->ones += s->one[i];
    if (!s->one[i]) s->bits[i / 8] &= (uint8_t) ~(1u << i % 8);
  }
}

static bool bit_of(const void *bits, int64_t i) {
  return ((const uint8_t *)bits)[i / 8] >> (i % 8) & 1;
}

/* Element i, of that many bytes. */
static int64_t element(const void *v, int64_t i, int size) {
  int64_t r = 0;
  memcpy(&r, (const char *)v + i * size, (size_t)size);
  return r;
}

static void check_guard(const uint8_t *r, int64_t elements, int size) {
  for (int64_t i = elements * size; i < elements * size + 64; i++)
    assert_int_equal(r[i], GUARD);
}

static void check_folds(const bit_loops *l, const sample *s) {
  assert_int_equal(l->count(s->bits, s->n), s->ones);
  assert_int_equal(l->any(s->bits, s->n, true), s->ones > 0);
  assert_int_equal(l->any(s->bits, s->n, false), s->ones < s->n);
}

static void check_scans(const running_loops *l, const sample *s, uint8_t *r, int k) {
  int64_t sum = 0, n = s->n;
  memset(r, GUARD, (size_t)(n * 8 + 64));
  l->parities(s->bits, n, r);
  check_guard(r, (n + 7) / 8, 1);
  for (int64_t i = 0; i < n; i++) assert_int_equal(bit_of(r, i), (sum += s->one[i]) & 1);
  for (int64_t i = n; i % 8; i++) assert_false(bit_of(r, i));
  if (k == BITS_1 && s->ones > 127) return;
  memset(r, GUARD, (size_t)(n * 8 + 64));
  l->bits[k](s->bits, n, r);
  check_guard(r, n, 1 << k);
  sum = 0;
  for (int64_t i = 0; i < n; i++)
    assert_int_equal(element(r, i, 1 << k), sum += s->one[i]);
}

static void check_choices(const bit_loops *l, const sample *s, uint8_t *r, int k) {
  static uint8_t y[MOST * 8];
  int64_t at = 0, size = 1 << k, first = 1, n = s->n;
  for (int64_t i = 0; i < n * size; i++) y[i] = (uint8_t)uniform(0, 256);
  memset(r, GUARD, (size_t)(n * 8 + 64));
  assert_int_equal(l->select[k](s->bits, n, y, r, s->ones), s->ones);
  check_guard(r, s->ones, (int)size);
  for (int64_t i = 0; i < n; i++)
    if (s->one[i]) assert_memory_equal(r + at++ * size, y + i * size, (size_t)size);
  if (k == BITS_1 && n > 127) return;
  at = 0;
  memset(r, GUARD, (size_t)(n * 8 + 64));
  assert_int_equal(l->places[k](s->bits, n, first, r, s->ones), s->ones);
  check_guard(r, s->ones, (int)size);
  for (int64_t i = 0; i < n; i++)
    if (s->one[i]) assert_int_equal(element(r, at++, (int)size), i + first);
}

static void check_repeat(const bit_loops *l, int64_t n, uint8_t *r, int k) {
  static uint8_t y[MOST * 8];
  static int64_t times[MOST];
  int64_t total = 0, at = 0, size = 1 << k;
  for (int64_t i = 0; i < n; i++) {
    times[i] = uniform(0, 2) < 1 ? 0 : (int64_t)uniform(0, n < 64 ? 300 : TIMES);
    total += times[i];
    for (int64_t b = 0; b < size; b++) y[i * size + b] = (uint8_t)uniform(0, 256);
  }
  memset(r, GUARD, (size_t)(total * size + 64));
  assert_int_equal(l->repeat[k](times, n, y, r, total), total);
  check_guard(r, total, (int)size);
  for (int64_t i = 0; i < n; i++)
    for (int64_t t = 0; t < times[i]; t++)
      assert_memory_equal(r + at++ * size, y + i * size, (size_t)size);
}

static void check_reverse(const bit_loops *l, const sample *s, uint8_t *r) {
  for (int64_t first = 0; first < 16 && first + 64 <= s->n; first++) {
    int64_t n = (s->n - first) / 64 * 64;
    memset(r, GUARD, (size_t)(n / 8 + 64));
    l->reverse(s->bits, first, n / 64, r);
    check_guard(r, n / 8, 1);
    for (int64_t i = 0; i < n; i++)
      assert_int_equal(bit_of(r, i), s->one[first + n - 1 - i]);
  }
}

static void test_all(void **state) {
  UNUSED(state);
  static const int64_t lengths[] = {
      0,   1,   2,   7,   8,   9,   31,  32,   33,   63,   64,   65,   127,  128, 129,
      500, 511, 512, 513, 575, 576, 577, 1023, 1024, 1025, 2047, 2048, 2049, 4200};
  static sample s;
  uint8_t *r = malloc(MOST * TIMES * 8 + 64 * 300 * 8 + 64);
  assert_non_null(r);
  for (size_t set = 0; set < ARRAY_LEN(sets); set++)
    for (size_t i = 0; i < ARRAY_LEN(lengths) && isa_has((int)set); i++)
      for (int share = 0; share <= 8; share += 2)
        for (int k = 0; k < BITS_SIZES; k++) {
          draw(&s, lengths[i], share);
          check_folds(sets[set], &s);
          check_scans(running[set], &s, r, k);
          check_choices(sets[set], &s, r, k);
          check_repeat(sets[set], lengths[i], r, k);
          if (!k) check_reverse(sets[set], &s, r);
        }
  free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
