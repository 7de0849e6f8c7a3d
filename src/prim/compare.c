/* SPDX-License-Identifier: MIT */
/* compare.c - the total order of arrays.
 *
 * Numbers come before characters. Arrays are compared element by element in ravel order,
 * of which a missing one comes first; then by rank, then by shape. The order is exact:
 * ⎕CT plays no part. NaN comes after infinity. */
#include "sort_keys.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../array/element.h"

#include <math.h>

static int compare_ints(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int compare_floats(double a, double b) {
  if (isnan(a) || isnan(b)) return (isnan(a) != 0) - (isnan(b) != 0);
  return (a > b) - (a < b);
}

/* Elements of simple arrays. */
static int compare_plain(const arr *x, int64_t i, const arr *y, int64_t j) {
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type))
    return compare_ints(arr_get_int(x, i), arr_get_int(y, j));
  bool x_char = elt_is_char((elt)x->type), y_char = elt_is_char((elt)y->type);
  if (x_char != y_char) return x_char - y_char;
  if (x_char) return compare_ints(arr_get_int(x, i), arr_get_int(y, j));
  int c = compare_floats(arr_get_float(x, i), arr_get_float(y, j));
  if (c || (x->type != ET_C128 && y->type != ET_C128)) return c;
  return compare_floats(arr_get_imag(x, i), arr_get_imag(y, j));
}

#define FIRST_APART(T)                                                                   \
  {                                                                                      \
    const T *a = (const T *)x->host + i, *b = (const T *)y->host + j;                    \
    for (int64_t k = 0; k < n; k++)                                                      \
      if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;                                     \
    return 0;                                                                            \
  }
static int compare_bits(const arr *x, int64_t i, const arr *y, int64_t j, int64_t n) {
  for (int64_t k = 0; k < n; k += 64) {
    uint64_t a = sc_word_from(x, i + k), apart = a ^ sc_word_from(y, j + k);
    if (n - k < 64) apart &= ((uint64_t)1 << (n - k)) - 1;
    if (apart) return a & apart & (0 - apart) ? 1 : -1;
  }
  return 0;
}

static int compare_doubles(const double *a, const double *b, int64_t n) {
  int c = 0;
  for (int64_t k = 0; k < n && !c; k++) c = compare_floats(a[k], b[k]);
  return c;
}

/* n elements side by side, of simple arrays. */
static int compare_runs(const arr *x, int64_t i, const arr *y, int64_t j, int64_t n) {
  if (x->type == y->type) switch (x->type) {
    case ET_BIT: return compare_bits(x, i, y, j, n);
    case ET_I8: FIRST_APART(int8_t)
    case ET_I16: FIRST_APART(int16_t)
    case ET_I32: FIRST_APART(int32_t)
    case ET_I64: FIRST_APART(int64_t)
    case ET_C8: FIRST_APART(uint8_t)
    case ET_C16: FIRST_APART(uint16_t)
    case ET_C32: FIRST_APART(uint32_t)
    case ET_F64: return compare_doubles((double *)x->host + i, (double *)y->host + j, n);
    default: break;
    }
  int c = 0;
  for (int64_t k = 0; k < n && !c; k++) c = compare_plain(x, i + k, y, j + k);
  return c;
}

static int compare_arrays(const arr *x, const arr *y, undecided *why);
static int compare_simple(const arr *x, int64_t i, const arr *y, undecided *why);

/* From an element of a nested array to its item: true if that is a simple scalar. An
 * element of a simple array is one. */
static bool is_simple(const arr **a, int64_t *i) {
  if ((*a)->type != ET_NEST) return true;
  *a = arr_item(*a, *i);
  *i = 0;
  return !(*a)->rank && (*a)->type != ET_NEST;
}

static int compare_items(const arr *x, int64_t i, const arr *y, int64_t j,
                         undecided *why) {
  bool x_simple = is_simple(&x, &i), y_simple = is_simple(&y, &j);
  if (x_simple && y_simple) return compare_plain(x, i, y, j);
  if (x_simple) return compare_simple(x, i, y, why);
  if (y_simple) return -compare_simple(y, j, x, why);
  return compare_arrays(x, y, why);
}

static int compare_elements(const arr *x, int64_t i, const arr *y, int64_t j,
                            undecided *why) {
  if (x->type == ET_NEST || y->type == ET_NEST) return compare_items(x, i, y, j, why);
  return compare_plain(x, i, y, j);
}

/* Compares a simple element with an array that is not a scalar: as if it had y's rank. */
static int compare_simple(const arr *x, int64_t i, const arr *y, undecided *why) {
  if (y->ref || stack_is_low(x->c)) {
    *why = y->ref ? NO_ORDER : TOO_DEEP;
    return 0;
  }
  if (!y->count) return 1;
  int c = compare_elements(x, i, y, 0, why);
  if (c) return c;
  return -1; /* y goes on, or has the higher rank */
}

/* ── arrays of different shapes ─────────────────────────────────────────────────────── */

/* Axis k of a frame of that rank, in which a's axes are the last ones and others have
 * length 1. */
static int64_t length_in(const arr *a, int rank, int k) {
  int j = k - (rank - a->rank);
  if (j < 0) return 1;
  return a->shape[j];
}

/* Position in `a` of the element at coordinates `at` of a frame of that rank, -1:
 * none. */
static int64_t find_at(const arr *a, int rank, const int64_t *at) {
  if (!a->count) return -1;
  int64_t pos = 0;
  for (int k = 0; k < rank; k++) {
    int64_t n = length_in(a, rank, k);
    if (at[k] >= n) return -1;
    pos = pos * n + at[k];
  }
  return pos;
}

/* The coordinates that follow in ravel order; false if there are none. */
static bool step(int rank, const int64_t *n, int64_t *at) {
  for (int k = rank - 1; k >= 0; k--) {
    at[k]++;
    if (at[k] < n[k]) return true;
    at[k] = 0;
  }
  return false;
}

/* Elements of arrays of different shapes, in the ravel order of a frame that holds
 * both. */
static int compare_framed(const arr *x, const arr *y, undecided *why) {
  int64_t n[ARR_MAX_RANK], at[ARR_MAX_RANK] = {0}, left = x->count + y->count;
  int rank = (int)max_i64(x->rank, y->rank);
  for (int k = 0; k < rank; k++)
    n[k] = max_i64(length_in(x, rank, k), length_in(y, rank, k));
  while (left > 0) {
    int64_t i = find_at(x, rank, at), j = find_at(y, rank, at);
    if ((i < 0) != (j < 0)) return (j < 0) - (i < 0);
    if (i >= 0) {
      int c = compare_elements(x, i, y, j, why);
      if (c) return c;
      left -= 2;
    }
    if (!step(rank, n, at)) break;
  }
  return 0;
}

/* From the last axis on; then by rank. */
static int compare_shapes(const arr *x, const arr *y) {
  int rank = (int)max_i64(x->rank, y->rank);
  for (int k = rank - 1; k >= 0; k--) {
    int c = compare_ints(length_in(x, rank, k), length_in(y, rank, k));
    if (c) return c;
  }
  return compare_ints(x->rank, y->rank);
}

/* ── whole arrays ───────────────────────────────────────────────────────────────────── */

static bool is_text(const arr *a) {
  while (arr_nests(a)) a = arr_item(a, 0);
  return elt_is_char((elt)a->type);
}

static int compare_arrays(const arr *x, const arr *y, undecided *why) {
  int c = 0;
  bool deep = stack_is_low(x->c), refers = x->ref || y->ref;
  if (deep || refers || stop_is_due(x->c)) {
    *why = refers ? NO_ORDER : TOO_DEEP; /* or stopped */
    return 0;
  }
  bool plain = x->type != ET_NEST && y->type != ET_NEST;
  if (!x->count && !y->count) {
    c = is_text(x) - is_text(y);
  } else if (plain && x->rank == 1 &&
             y->rank == 1) { /* the shorter one is first, if it is y's beginning */
    c = compare_runs(x, 0, y, 0, min_i64(x->count, y->count));
  } else if (plain && arr_same_shape(x, y)) {
    c = compare_runs(x, 0, y, 0, x->count);
  } else if (arr_same_shape(x, y)) {
    for (int64_t i = 0; i < x->count && !c; i++) c = compare_elements(x, i, y, i, why);
  } else {
    c = compare_framed(x, y, why);
  }
  if (c) return c;
  return compare_shapes(x, y);
}

int compare_cells(cell_pair *p, int64_t i, int64_t j) {
  const arr *x = p->x, *y = p->y;
  int64_t size = p->size, from = i * size, with = j * size;
  int c = 0;
  if (x->type == ET_NEST || y->type == ET_NEST) {
    for (int64_t k = 0; k < size && !c; k++)
      c = compare_items(x, from + k, y, with + k, &p->why);
    return c;
  }
  return compare_runs(x, from, y, with, size);
}
