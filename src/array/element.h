/* SPDX-License-Identifier: MIT */
/* element.h - reading and writing the elements of host arrays; i from 0 in ravel order. */
#ifndef VAPL_ELEMENT_H
#define VAPL_ELEMENT_H
#include "array.h"

static inline bool bit_at(const void *p, int64_t i) {
  return ((const uint8_t *)p)[i >> 3] >> (i & 7) & 1;
}
/* Bit i, 0 so far, becomes v. */
static inline void bit_add(void *p, int64_t i, bool v) {
  ((uint8_t *)p)[i >> 3] |= (uint8_t)(v << (i & 7));
}
int64_t arr_get_int(const arr *a, int64_t i); /* integer and char types */
/* Any numeric type: f32 exactly, i64 rounded; of C128 the real part. */
double arr_get_float(const arr *a, int64_t i);
static inline double arr_get_imag(const arr *a, int64_t i) { /* any numeric type */
  if (a->type != ET_C128) return 0;
  return ((const double *)a->host)[2 * i + 1];
}
/* An item of a nested array, borrowed. */
static inline arr *arr_item(const arr *a, int64_t i) { return ((arr **)a->host)[i]; }
/* Item pointers that a nested array holds: an empty one keeps its prototype. */
static inline int64_t arr_item_count(const arr *a) { return a->count ? a->count : 1; }
/* Element i as a scalar array (NEST: the item itself). */
arr *arr_scalar_at(ctx *c, const arr *a, int64_t i);

void arr_put_int(arr *a, int64_t i, int64_t v); /* v fits */
void arr_put_float(arr *a, int64_t i, double v);
void arr_put_complex(arr *a, int64_t i, double re, double im); /* into C128 */
/* Copies n elements from y[j..] to r[i..]; r's type holds y's exactly (same kind). NEST
 * retains. */
void arr_copy(arr *r, int64_t i, const arr *y, int64_t j, int64_t n);
/* The same, but false after INTERRUPT. */
bool arr_copy_long(arr *r, int64_t i, const arr *y, int64_t j, int64_t n);
/* Repeats the first n elements of r, which nothing else has seen yet, until it is full; false
 * after INTERRUPT. */
bool arr_repeat(arr *r, int64_t n);
#endif
