/* SPDX-License-Identifier: MIT */
/* fourier.h - the steps of a Fourier transform. The host's loops and the kernels take the same ones, and
 * do the same arithmetic in them (fourier.def), so that both give the same bits.
 *
 * Stockham's: n is the product of small radices. Before a step with radix r, `done` being the product of the
 * radices before it and m×r×done = n, element (i, j, q) of r × m × done is number (i×m + j)×done + q;
 * behind it the numbers (j×r + k)×done + q have what became of the r numbers of (j, q). So no step
 * reverses digits, and all of them read and write lines that lie side by side:
 *
 *   in r × m × done ─▶ r numbers ─ butterfly ─ number k times the root e = j×k×done ─▶ out m × r × done
 *
 * Root e of n is exp(-2πi e÷n). There is a table of the first 2^FOURIER_LOW of them, behind it one of every
 * 2^FOURIER_LOW-th: a root is one of either, or a product of two. It is looked up for k = 1 2 4 8, the others
 * are products of these.
 *
 * Steps between two `ends` are for one kernel, which has lines of that many numbers in its workgroup memory:
 * with which steps it does so changes no bit. Lengths with a larger prime factor than 13 are Bluestein's
 * (ir/build_fourier.c). */
#ifndef VAPL_TABLES_FOURIER_H
#define VAPL_TABLES_FOURIER_H
#include <stdbool.h>
#include <stdint.h>

enum { FOURIER_RADIX = 16, FOURIER_STEPS = 40, FOURIER_LOW = 12 };

typedef struct fourier_plan {
  int n;
  uint8_t radix[FOURIER_STEPS];
  bool ends[FOURIER_STEPS];
} fourier_plan;
/* False: it has a larger prime factor. n is 2^40 at most, else false, too. */
bool fourier_plan_of(int64_t n, fourier_plan *p);

/* Where a root of a step is. */
typedef enum fourier_roots {
  FOURIER_IS_LOW,
  FOURIER_IS_HIGH,
  FOURIER_IS_PRODUCT
} fourier_roots;
static inline fourier_roots fourier_roots_of(int64_t n, int64_t done) {
  if (n <= INT64_C(1) << FOURIER_LOW) return FOURIER_IS_LOW;
  return done % (INT64_C(1) << FOURIER_LOW) ? FOURIER_IS_PRODUCT : FOURIER_IS_HIGH;
}
/* How many roots are in the first table, and in both. */
static inline int64_t fourier_low(int64_t n) {
  return n < INT64_C(1) << FOURIER_LOW ? n : INT64_C(1) << FOURIER_LOW;
}
static inline int64_t fourier_table(int64_t n) {
  int64_t low = fourier_low(n);
  return n == low ? low : low + (n - 1) / low + 1;
}
#endif
