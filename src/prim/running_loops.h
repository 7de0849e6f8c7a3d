/* SPDX-License-Identifier: MIT */
/* running_loops.h - +\ of short integers, +\ and ≠\ of truth values (running_loops.c): a leaf's own. */
#ifndef VAPL_PRIM_RUNNING_LOOPS_H
#define VAPL_PRIM_RUNNING_LOOPS_H
#include "../array/bits.h"

typedef struct running_loops {
  /* r[i] ← before + v[0] + … + v[i], all of which fit; the last one. r may be v. */
  int32_t (*ints)(const int32_t *v, int64_t n, int32_t before, int32_t *r);
  /* ≠\ of the bits behind an even number of ones, or an odd one; zeros behind the last. */
  void (*parities)(const void *bits, int64_t n, void *to);
  /* +\ of the bits, integers of that size. */
  void (*bits[BITS_SIZES])(const void *bits, int64_t n, void *to);
} running_loops;
extern const running_loops running_loops_base, running_loops_avx2, running_loops_avx512,
    running_loops_avx512b;
const running_loops *running_loops_here(void); /* for this machine */
#endif
