/* SPDX-License-Identifier: MIT */
/* linear_loops.h - systems that are solved side by side, an element of each behind that of the one before
 * (linear_loops.c, once for each instruction set). */
#ifndef VAPL_PRIM_LINEAR_LOOPS_H
#define VAPL_PRIM_LINEAR_LOOPS_H
#include "../base/mem.h"

/* What came of systems: the worst is the greatest. */
typedef enum outcome { SOLVED, TOO_LARGE, SINGULAR, STOPPED } outcome;

typedef struct lsq { /* m×n, m≥n; matrices are stored by columns */
  arena memory;
  ctx *c;
  int64_t m, n;
  double *a; /* scaled */
  /* R in the upper triangle, the reflections' vectors below and on the diagonal. */
  double *qr;
  double *beta, *diag; /* n: of the reflections, R's diagonal */
  int *scale;          /* n: column k is the given one × 2^-scale */
  double *xh, *xl;     /* n: the solution, in twice the precision */
  double *x;           /* n: what it came to */
  double *rh, *rl;     /* m: its residual */
  double *b;           /* m: the right-hand side */
  double *f, *g;       /* m, n: those of a step */
} lsq;

typedef struct lsq_loops {
  int lanes; /* a power of two */
  outcome (*factor)(lsq *s);
  void (*solve)(lsq *s);
} lsq_loops;
extern const lsq_loops lsq_loops_base, lsq_loops_avx2, lsq_loops_avx512;
#endif
