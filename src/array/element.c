/* SPDX-License-Identifier: MIT */
/* element.c - the elements of a host array, one at a time. */
#include "element.h"

#include <assert.h>

int64_t arr_get_int(const arr *a, int64_t i) {
  switch (a->type) {
  case ET_BIT: return bit_at(a->host, i);
  case ET_I8: return ((const int8_t *)a->host)[i];
  case ET_I16: return ((const int16_t *)a->host)[i];
  case ET_I32: return ((const int32_t *)a->host)[i];
  case ET_I64: return ((const int64_t *)a->host)[i];
  case ET_C8: return ((const uint8_t *)a->host)[i];
  case ET_C16: return ((const uint16_t *)a->host)[i];
  case ET_C32: return ((const uint32_t *)a->host)[i];
  default: assert(false); return 0; /* not an integer type */
  }
}

double arr_get_float(const arr *a, int64_t i) {
  if (a->type == ET_F64) return ((const double *)a->host)[i];
  if (a->type == ET_F32) return (double)((const float *)a->host)[i];
  if (a->type == ET_C128) return ((const double *)a->host)[2 * i];
  return (double)arr_get_int(a, i);
}

void arr_put_int(arr *a, int64_t i, int64_t v) {
  switch (a->type) {
  case ET_BIT: {
    uint8_t *p = (uint8_t *)a->host + (i >> 3);
    uint8_t m = (uint8_t)(1u << (i & 7));
    if (v) *p |= m;
    else *p &= (uint8_t)~m;
    return;
  }
  case ET_I8:
  case ET_C8: ((uint8_t *)a->host)[i] = (uint8_t)v; return;
  case ET_I16:
  case ET_C16: ((uint16_t *)a->host)[i] = (uint16_t)v; return;
  case ET_I32:
  case ET_C32: ((uint32_t *)a->host)[i] = (uint32_t)v; return;
  case ET_I64: ((int64_t *)a->host)[i] = v; return;
  default: arr_put_float(a, i, (double)v);
  }
}

void arr_put_float(arr *a, int64_t i, double v) {
  switch (a->type) {
  case ET_F64: ((double *)a->host)[i] = v; return;
  case ET_F32: ((float *)a->host)[i] = (float)v; return;
  case ET_C128: arr_put_complex(a, i, v, 0); return;
  default: assert(elt_is_int((elt)a->type)); arr_put_int(a, i, (int64_t)v);
  }
}

void arr_put_complex(arr *a, int64_t i, double re, double im) {
  double *d = a->host;
  d[2 * i] = re;
  d[2 * i + 1] = im;
}

arr *arr_scalar_at(ctx *c, const arr *a, int64_t i) {
  if (a->type == ET_NEST) return arr_retain(arr_item(a, i));
  if (a->type == ET_C128 && arr_get_imag(a, i) == 0)
    return arr_float(c, arr_get_float(a, i)); /* one number's type is by its value */
  arr *r = arr_new(c, (elt)a->type, 0, NULL);
  if (r) arr_copy(r, 0, a, i, 1);
  return r;
}
