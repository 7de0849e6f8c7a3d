/* SPDX-License-Identifier: MIT */
/* set_loops.h - which elements are in a set that a few vectors hold (set_loops.c): a leaf's own. */
#ifndef VAPL_PRIM_SET_LOOPS_H
#define VAPL_PRIM_SET_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

typedef struct set_loops {
  /* Is each byte one of the set? Byte v is there as bit v÷16 of set[v%16], from 128 on as bit
   * v÷16 - 8 of set[16 + v%16]. Zeros behind the last. */
  void (*among)(const uint8_t set[32], const uint8_t *from, int64_t n, uint8_t *bits);
  /* The same of numbers of 2 or 4 bytes from lo to lo + 511, one bit each; of others it is `far`. */
  void (*near)(const uint8_t set[64], int64_t lo, bool far, int width, const void *from,
               int64_t n, uint8_t *bits);
} set_loops;
extern const set_loops set_loops_base, set_loops_avx2, set_loops_avx512;
const set_loops *set_loops_here(void); /* for this machine */
#endif
