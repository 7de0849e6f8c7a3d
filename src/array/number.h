/* SPDX-License-Identifier: MIT */
/* number.h - the decimal digits of a number at a print precision, before they are laid out.
 */
#ifndef VAPL_NUMBER_H
#define VAPL_NUMBER_H
#include "array.h"

enum { NUM_PP_MAX = 34, NUM_TEXT_MAX = 96 };

/* A finite number is ±d[0].d[1]d[2]… × 10^e, d without trailing zeros (zero is one "0"). */
typedef struct num_digits {
  const char *special; /* "NaN" or "∞", else NULL */
  bool neg;
  bool sci; /* shown alone it takes the E form */
  int e, n;
  char d[48];
} num_digits;

void num_of_int(num_digits *t, int64_t v, int pp);
void num_of_float(num_digits *t, double v, int pp);
void num_of_item(num_digits *t, const arr *a, int64_t i, int pp); /* real numeric a */

/* Columns before the decimal point (the sign included) and from it on, in plain form. */
int num_left(const num_digits *t);
int num_right(const num_digits *t);
int num_mantissa(const num_digits *t); /* columns from the mantissa's point on, in E form */
/* Writes the number in UTF-8, in E form if `sci` with `mantissa` columns from the point on;
 * returns the bytes, below NUM_TEXT_MAX; no final NUL. */
int num_write(const num_digits *t, bool sci, int mantissa, char *out);
#endif
