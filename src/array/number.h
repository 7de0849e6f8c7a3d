/* SPDX-License-Identifier: MIT */
/* number.h - the decimal digits of a number at a print precision, before they are laid out,
 * and numbers as text. */
#ifndef VAPL_NUMBER_H
#define VAPL_NUMBER_H
#include "../base/str.h"
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
/* Element i of a; of a complex one the real part. */
void num_of_item(num_digits *t, const arr *a, int64_t i, int pp);
/* The precision at which a's numbers are shown: ⎕PP is not for integers, unless one of them
 * is beyond 32 bits, for then they are floats in Dyalog. */
int num_pp(const arr *a, int pp);

/* Columns before the decimal point (the sign included) and from it on, in plain form. */
int num_left(const num_digits *t);
int num_right(const num_digits *t);
/* Columns from the mantissa's point on, in E form. */
int num_mantissa(const num_digits *t);
/* Writes the number in UTF-8, in E form if `sci` with `mantissa` columns from the point on;
 * returns the bytes, below NUM_TEXT_MAX; no final NUL. */
int num_write(const num_digits *t, bool sci, int mantissa, char *out);

/* Element i of a as it is shown alone, into 2 × NUM_TEXT_MAX bytes; the parts of a complex
 * number are formatted each on their own. Returns the bytes; *left: columns in front of the
 * J, or all. */
int num_text_of_item(const arr *a, int64_t i, int pp, char *out, int64_t *left);
/* One number as Dyalog shows it at precision pp: "¯1.5E10". */
void num_format_int(str *s, int64_t v, int pp);
void num_format_float(str *s, double v, int pp);

/* Formatting by specification (⍕ and ⎕FMT): |v| with so many decimals, or as a mantissa of so
 * many digits. Halves go up; digits that a float does not hold are shown as `_`. */
void num_fixed(str *s, double v, int decimals);
void num_scaled(str *s, double v, int digits);

/* Columns behind the E that a field of given width keeps for the exponent, if it has room. */
enum { EXPONENT_WIDTH = 3 };
bool num_is_zero(double v, int decimals); /* does num_fixed give nothing but zeros? */
#endif
