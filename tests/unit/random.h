/* SPDX-License-Identifier: MIT */
/* random.h - numbers that look random and are the same in every run. */
#ifndef VAPL_TEST_RANDOM_H
#define VAPL_TEST_RANDOM_H
#include <stdint.h>

static uint64_t seed = 88172645463325252u;
static inline uint64_t next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}
static inline double uniform(double lo, double hi) {
  return lo + (hi - lo) * ((double)(next() >> 11) * 0x1p-53);
}
#endif
