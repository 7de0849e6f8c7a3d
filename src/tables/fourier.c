/* SPDX-License-Identifier: MIT */
/* fourier.c - see fourier.h. */
#include "fourier.h"

/* Numbers that one kernel may have in a line: the whole, or parts of it side by side. */
enum {
  WHOLE = 1 << 11,
  PART = 1 << 9,
  WHOLE_BITS = 11,
  CACHED_BITS = 20,
  PART_BITS = 8,
  LONGEST_BITS = 40
};

static void add(fourier_plan *p, int radix) {
  p->ends[p->n] = false;
  p->radix[p->n++] = (uint8_t)radix;
}

/* 2^bits, up to WHOLE, as few radices as there can be that are about alike. */
static void add_bits(fourier_plan *p, int bits) {
  static const uint8_t of[WHOLE_BITS + 1][3] = {
      {0},    {2},     {4},      {8},       {16},       {8, 4},
      {8, 8}, {16, 8}, {16, 16}, {8, 8, 8}, {16, 8, 8}, {16, 16, 8}};
  for (int i = 0; i < 3 && of[bits][i]; i++) add(p, of[bits][i]);
}

/* The power of two as parts of about one length. Parts of 2^9 leave a tile four columns, 64 bytes side by
 * side: on an H200 a pass of such a part moved 2.2 TB/s, one of 2^8 3.3. So they are for what stays in the
 * cache, where a pass less counts more. */
static void plan_bits(fourier_plan *p, int bits) {
  int most = bits <= CACHED_BITS ? PART_BITS + 1 : PART_BITS;
  int parts = bits <= WHOLE_BITS ? 1 : (bits + most - 1) / most;
  for (int i = 0; i < parts; i++) {
    add_bits(p, bits * (i + 1) / parts - bits * i / parts);
    p->ends[p->n - 1] = true;
  }
}

/* Parts of neighbouring radices, as long as they may be. */
static void find_ends(fourier_plan *p, int64_t n) {
  int64_t most = n <= WHOLE ? WHOLE : PART, length = 1;
  for (int i = 0; i < p->n; i++) {
    length *= p->radix[i];
    bool last = i + 1 == p->n;
    p->ends[i] = last || length * p->radix[i + 1] > most;
    if (p->ends[i]) length = 1;
  }
}

bool fourier_plan_of(int64_t n, fourier_plan *p) {
  static const uint8_t odd[] = {13, 11, 7, 5, 3};
  int bits = 0;
  int64_t left = n;
  p->n = 0;
  if (n < 1 || n > INT64_C(1) << LONGEST_BITS) return false;
  while (left % 2 == 0) left /= 2, bits++;
  if (left == 1 && bits) plan_bits(p, bits);
  if (left == 1) return true;
  for (; bits > 4; bits -= bits == 5 ? 2 : 4) add(p, bits == 5 ? 4 : 16);
  if (bits) add(p, 1 << bits);
  for (int i = 0; i < 5; i++)
    for (; left % odd[i] == 0; left /= odd[i]) add(p, odd[i]);
  find_ends(p, n);
  return left == 1;
}
