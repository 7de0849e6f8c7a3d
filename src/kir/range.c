/* SPDX-License-Identifier: MIT */
/* range.c - interval arithmetic, and the RANGE rows of prim.def as a function. */
#include "range.h"

#include "../base/macros.h"

#include <stddef.h>

range range_i64(void) { return (range){INT64_MIN, INT64_MAX}; }
range range_unknown(void) { return (range){INT64_MIN, (range_int)INT64_MAX + 1}; }

static range_int magnitude(range_int a) { return a < 0 ? -a : a; }
/* The largest magnitude in r. */
static range_int farthest(range r) {
  return range_most(magnitude(r.lo), magnitude(r.hi));
}

/* ── the functions that RANGE rows name ────────────────────────────────────────────── */

static range range_between(range_int lo, range_int hi) { return (range){lo, hi}; }
static range range_negate(range y) { return (range){-y.hi, -y.lo}; }
static range range_add(range x, range y) { return (range){x.lo + y.lo, x.hi + y.hi}; }
static range range_subtract(range x, range y) {
  return (range){x.lo - y.hi, x.hi - y.lo};
}

/* Each product is below 2^126: both factors are i64. */
static range range_multiply(range x, range y) {
  range_int a = x.lo * y.lo, b = x.lo * y.hi, c = x.hi * y.lo, d = x.hi * y.hi;
  return (range){range_least(range_least(a, b), range_least(c, d)),
                 range_most(range_most(a, b), range_most(c, d))};
}

static range range_maximum(range x, range y) {
  return (range){range_most(x.lo, y.lo), range_most(x.hi, y.hi)};
}
static range range_minimum(range x, range y) {
  return (range){range_least(x.lo, y.lo), range_least(x.hi, y.hi)};
}

static range range_magnitude(range y) {
  range r = {0, farthest(y)};
  if (y.lo > 0) r.lo = y.lo;
  if (y.hi < 0) r.lo = -y.hi;
  return r;
}

/* x|y has the sign of x and is nearer to 0, but 0|y is y. */
static range range_residue(range x, range y) {
  if (x.lo > 0) return (range){0, x.hi - 1};
  range_int most = range_most(farthest(x), farthest(y));
  if (most > INT64_MAX) return range_unknown();
  return (range){-most, most};
}

static range range_divisor(range x, range y) {
  return (range){0, range_most(farthest(x), farthest(y))};
}

/* ⌊y÷x lies between 0, or ¯1, and y. */
static range range_quotient(range x, range y) {
  if (x.lo <= 0) return range_unknown();
  return (range){y.lo < 0 ? (y.lo - x.lo + 1) / x.lo : 0, y.hi < 0 ? -1 : y.hi / x.lo};
}

static range range_power(range x, range y) {
  if (y.lo < 0 || y.hi > 62) return range_unknown();
  range_int base = range_most(farthest(x), 1), most = 1;
  for (range_int k = 0; k < y.hi; k++) {
    most *= base;
    if (most > INT64_MAX) return range_unknown();
  }
  return (range){x.lo >= 0 ? 0 : -most, most};
}

/* ── the rows ──────────────────────────────────────────────────────────────────────── */

typedef range row_fn(range x, range y);
#define RANGE(id, form, kind, result)                                                    \
  static range row_##id##_##form(range x, range y) {                                     \
    UNUSED(x), UNUSED(y);                                                                \
    return result;                                                                       \
  }
#include "../tables/prim.def"

typedef struct range_row {
  row_fn *fn;
  range_kind kind;
} range_row;
static const range_row rows[P_COUNT + 1][2] = {
#define RANGE(id, form, kind, result)                                                    \
  [P_##id][FORM_##form] = {row_##id##_##form, RANGE_##kind},
#include "../tables/prim.def"
    [P_COUNT] = {{NULL, RANGE_NONE}}};

range range_of_result(prim p, bool dyadic, range x, range y) {
  row_fn *fn = rows[p][dyadic].fn;
  return fn ? fn(x, y) : range_unknown();
}

range_kind range_promise(prim p, bool dyadic) { return rows[p][dyadic].kind; }
