/* SPDX-License-Identifier: MIT */
/* arith.h - the few integer functions that every folder needs: divide upwards, the
 * smaller, the larger, the next multiple, the next power of two. Lengths are never
 * negative, so nothing here is asked for a negative quotient. */
#ifndef VAPL_ARITH_H
#define VAPL_ARITH_H
#include <stdint.h>

/* a÷b rounded up, 0 ≤ a, 0 < b. Does not overflow. */
static inline int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The least multiple of `by` that is at least n, by > 0. The sum must not overflow. */
static inline uint64_t round_up_u64(uint64_t n, uint64_t by) {
  return (n + by - 1) / by * by;
}

/* The least power of two that is at least n, 1 ≤ n ≤ 2^62. */
static inline int64_t next_pow2(int64_t n) {
  int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

/* The exponent of next_pow2(n): how often 2 is multiplied to reach n. */
static inline int64_t ceil_log2(int64_t n) {
  int64_t log = 0;
  while (INT64_C(1) << log < n) log++;
  return log;
}
#endif
