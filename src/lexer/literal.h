/* SPDX-License-Identifier: MIT */
/* literal.h - numeric literals (numeral.c). */
#ifndef VAPL_LITERAL_H
#define VAPL_LITERAL_H
#include "../base/types.h"

typedef struct tnum {
  uint8_t kind; /* KIND_INT, KIND_FLOAT or KIND_COMPLEX */
  int64_t i;    /* of an integer */
  double re, im;
} tnum;

/* Reads one numeric literal ("¯1.5E3", "2J3") from [p, end): bytes taken, 0 if there is none
 * or it is out of range. `re` holds the value for ints too. */
size_t lex_number(const char *p, const char *end, tnum *out);
/* The double nearest to the decimal in [p, q), digits with at most one point, times 10*e;
 * infinite if it is beyond all of them. */
double lex_decimal(const char *p, const char *q, char point, int64_t e);
#endif
