/* SPDX-License-Identifier: MIT */
/* math.h - the real functions of math.def as C functions math_NAME, double to double, and
 * what is made of them for the host alone. They have no state and raise nothing: what
 * they give outside their domain is of no account. Include this before ops.h. */
#ifndef VAPL_PRIM_MATH_H
#define VAPL_PRIM_MATH_H
#include <stdbool.h>
#include <stdint.h>

typedef struct cx { /* a complex number */
  double re, im;
} cx;

#define V double
#define VB bool
#define VI int64_t
#define VD double
#define VC cx
#define MATH(type, name, args, ...) type math_##name args;
#include "../tables/math.def"
#undef V
#undef VB
#undef VI
#undef VD
#undef VC

/* All of the functions that a kernel leaves to the host for hard arguments. */
double
hard_SIN(double x); /* for any finite x; beyond 2^27 by Payne and Hanek's reduction */
double hard_COS(double x);
double hard_TAN(double x);
double hard_FACT(double y); /* any y; infinite at poles and above 170 */

/* x!y (gamma.c). *fault is set where it is infinite; too large a result is an
 * infinity. */
double binomial(double x, double y, bool *fault);
bool binomial_int(int64_t x, int64_t y, int64_t *r);     /* false: it does not fit */
double binomial_wide(int64_t x, int64_t y, bool *fault); /* of what does not */
#endif
