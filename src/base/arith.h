/* SPDX-License-Identifier: MIT */
/* arith.h - the few integer functions that every folder needs: divide upwards, the
 * smaller, the larger, the next multiple, the next power of two, and quotients of elements.
 * Lengths are never negative. */
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

/* a÷b towards 0; a where b is 0; what is too large wraps around. Short integers are multiplied by a
 * reciprocal, which vectors can do, and which a loop makes once of a divisor for all. The half that
 * is added to the magnitude of a keeps quotients further from whole numbers than they are rounded:
 * a has fewer bits than half of what the float keeps. */
#define QUOTIENT(T, S, U, F)                                                             \
  static inline T quot_##S(T a, T b) {                                                   \
    F by = (F)1 / (F)(b == 0 || b == -1 ? 1 : b), half = (F)0.5;                         \
    T q = (T)(((F)a + (a < 0 ? -half : half)) * by);                                     \
    q = b == -1 ? (T)(0 - (U)a) : q;                                                     \
    return b == 0 ? a : q;                                                               \
  }
QUOTIENT(int8_t, i8, uint8_t, float)
QUOTIENT(int16_t, i16, uint16_t, float)
QUOTIENT(int32_t, i32, uint32_t, double)
#undef QUOTIENT
static inline int64_t quot_i64(int64_t a, int64_t b) {
  if (b == 0) return a;
  if (b == -1) return (int64_t)(0 - (uint64_t)a);
  return a / b;
}
#endif
