/* SPDX-License-Identifier: MIT */
/* bits.h - loops over truth values, 64 of them in a word, for the instruction set of this machine
 * (bits.c): what selections, positions and folds of truth values are made of.
 *
 * Truth values lie from a whole byte on, the first in its lowest bit. What is behind the last of n
 * is not read as one of them. */
#ifndef VAPL_BITS_H
#define VAPL_BITS_H
#include "../base/types.h"

#include <stdint.h>
#include <string.h>

/* Elements of 1, 2, 4 and 8 bytes: the place in a table of loops. */
enum { BITS_1, BITS_2, BITS_4, BITS_8, BITS_SIZES };

/* Functions that write to `to` are told how many elements they may write there. They
 * return the number of results; behind the results they may write anything. */
typedef struct bit_loops {
  int64_t (*count)(const void *bits, int64_t n);     /* ones */
  bool (*any)(const void *bits, int64_t n, bool of); /* is one of them so? */
  /* The elements from[i] where bit i is 1. */
  int64_t (*select[BITS_SIZES])(const void *bits, int64_t n, const void *from, void *to,
                                int64_t room);
  /* The numbers first + i where bit i is 1, which fit. */
  int64_t (*places[BITS_SIZES])(const void *bits, int64_t n, int64_t first, void *to,
                                int64_t room);
  /* from[i] as often as times[i] says, which is not negative. */
  int64_t (*repeat[BITS_SIZES])(const int64_t *times, int64_t n, const void *from,
                                void *to, int64_t room);
  /* Words whose bits are in the order from the last of the words from bit `first` on backwards. */
  void (*reverse)(const uint8_t *bits, int64_t first, int64_t words, uint8_t *to);
  /* n elements, from `last` on backwards. */
  void (*backwards[BITS_SIZES])(const void *last, int64_t n, void *to);
} bit_loops;
extern const bit_loops bit_loops_base, bit_loops_avx2, bit_loops_avx512,
    bit_loops_avx512b;
const bit_loops *bits_loops(void);

/* The place in a table of elements of so many bits; -1: there is none. */
static inline int bits_size(int bits) {
  return bits < 8 || bits > 64 ? -1 : __builtin_ctz((unsigned)bits) - 3;
}

/* Bits i to i + 63 of n, i a multiple of 8; zeros behind the last. */
static inline uint64_t bits_word(const void *bits, int64_t n, int64_t i) {
  const char *at = (const char *)bits + i / 8;
  uint64_t w = 0;
  if (n - i >= 64) {
    memcpy(&w, at, 8);
    return w;
  }
  memcpy(&w, at, (size_t)(n - i + 7) / 8);
  return w & (((uint64_t)1 << (n - i)) - 1);
}

/* A word's bits from the last one on. */
static inline uint64_t bits_reversed(uint64_t w) {
  w = __builtin_bswap64(w);
  w = (w >> 4 & 0x0f0f0f0f0f0f0f0f) | (w & 0x0f0f0f0f0f0f0f0f) << 4;
  w = (w >> 2 & 0x3333333333333333) | (w & 0x3333333333333333) << 2;
  return (w >> 1 & 0x5555555555555555) | (w & 0x5555555555555555) << 1;
}
#endif
