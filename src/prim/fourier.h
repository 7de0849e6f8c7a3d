/* SPDX-License-Identifier: MIT */
/* fourier.h - Fourier transforms on the host, by the steps of tables/fourier.h. */
#ifndef VAPL_PRIM_FOURIER_H
#define VAPL_PRIM_FOURIER_H
#include "../tables/fourier.h"
#include "direct.h"

/* The table of the roots of n (tables/fourier.h). */
arr *prim_fourier_table(ctx *c, int64_t n);
/* The n roots exp(∓πi k²÷n), upper sign of `inverse`: Bluestein's. */
arr *prim_fourier_chirp(ctx *c, int64_t n, bool inverse);

/* Of y, numbers, as rows × n × inner each line along n, times a factor. n is a product of small primes. */
typedef struct fourier_call {
  const arr *y, *table;
  int64_t rows, n, inner;
  bool inverse; /* the roots are the conjugates */
  double by;
} fourier_call;
/* DOMAIN ERROR where numbers become too large. */
arr *prim_fourier(prim_env *e, const fourier_call *f);

/* One step of a row: lines of planes of real and imaginary parts (fourier_loops.c). */
typedef struct fourier_step {
  int radix;
  fourier_roots roots;
  int64_t n, m, done, inner;
  const double *table;
} fourier_step;
/* Butterflies number `from` to end-1, from the planes `in` to the planes `out`. */
typedef void fourier_loop(const fourier_step *s, double *const in[2],
                          double *const out[2], int64_t from, int64_t end);
extern fourier_loop *const fourier_loop_base, *const fourier_loop_avx2,
                                                  *const fourier_loop_avx512;
#endif
