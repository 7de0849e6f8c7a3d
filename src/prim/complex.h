/* SPDX-License-Identifier: MIT */
/* complex.h - complex numbers in the direct path: one number, its functions (cmath.c),
 * and prim.def's CPLX rows applied to arrays (complex.c). */
#ifndef VAPL_PRIM_COMPLEX_H
#define VAPL_PRIM_COMPLEX_H
#include "math.h"
#include "scalar.h"

/* A CPLX row: x f y, or f y (x is y then). Truth values are 0 and 1. */
typedef cx cx_fn(sc_state *s, cx x, cx y);
/* Computes n elements; functions that only the host has have none. What is not finite may be another
 * number: the function computes it again. */
typedef void cx_loop(sc_state *s, const cx *x, const cx *y, int64_t n, cx *r);
typedef struct cx_loops { /* of one instruction set (complex_loops.c), [dyadic] */
  cx_loop *of[P_COUNT + 1][2];
} cx_loops;
extern const cx_loops cx_loops_base, cx_loops_avx2, cx_loops_avx512;

/* One scalar function on numbers of any kind, element by element. */
typedef struct cx_call {
  prim f;
  const sc_row *row, *float_variant; /* prim.def's F row, for arguments that are real */
  cx_fn *complex;                    /* its CPLX row; NULL: they are refused */
  cx_loop *many;                     /* likewise, or NULL */
  sc_state s;
  bool refused;
} cx_call;
cx_call cx_calling(const prim_env *e, prim f, bool dyadic);
/* Faults are left in the call; then its result is invalid. */
cx cx_apply(cx_call *j, cx x, cx y);
bool cx_failed(const cx_call *j);
arr *cx_fault(ctx *c, const cx_call *j, bool dyadic); /* DOMAIN ERROR; NULL */

cx cx_at(const arr *a, int64_t i); /* element i of a simple array of numbers */
/* f on simple arrays of numbers that are complex or leave the reals; x is y if
 * monadic. */
arr *cx_simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
               const arr *like);

/* cmath.c, for complex.c */
cx_fn *cx_row_of(prim f, bool dyadic);
cx_loop *cx_loop_of(prim f, bool dyadic); /* find.c */
bool cx_equal(cx x, cx y, double ct);
#endif
