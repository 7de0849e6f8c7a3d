/* SPDX-License-Identifier: MIT */
/* match.c - comparing arrays and numbers.
 *
 * A nested array may be a million levels deep: the last item of an array is followed by a
 * loop, and the recursion into the others ends where the C stack does. */
#include "match.h"
#include "element.h"

#include <math.h>
#include <string.h>

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

/* √(a² + b²), the squares kept within the numbers. */
static double magnitude(double a, double b) {
  double m = fmax(fabs(a), fabs(b));
  int e = 0;
  if (m > 0 && isfinite(m)) e = ilogb(m);
  a = scalbn(a, -e);
  b = scalbn(b, -e);
  return scalbn(sqrt(a * a + b * b), e);
}

/* Are they surely too far apart? Small numbers, of which not all bits are there, and large ones may be near. */
static bool are_far(double xr, double xi, double yr, double yi, double ct) {
  double ax = fabs(xr) + fabs(xi), ay = fabs(yr) + fabs(yi), most = ax > ay ? ax : ay;
  double r = fabs(xr - yr), i = fabs(xi - yi), d = r > i ? r : i;
  return d > 1.0001 * ct * most && d > 0x1p-900;
}

bool num_equal_complex(double xr, double xi, double yr, double yi, double ct) {
  if (xr == yr && xi == yi) return true;
  if (are_far(xr, xi, yr, yi, ct)) return false;
  double ax = magnitude(xr, xi), ay = magnitude(yr, yi), d = magnitude(xr - yr, xi - yi);
  if (isfinite(ax) && isfinite(ay)) return d <= ct * fmax(ax, ay);
  return num_equal(xr, yr, 0) && num_equal(xi, yi, 0);
}

bool arr_num_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct) {
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type))
    return arr_get_int(x, i) == arr_get_int(y, j);
  if (x->type == ET_F32 && y->type == ET_F32) ct = 0;
  if (x->type != ET_C128 && y->type != ET_C128)
    return num_equal(arr_get_float(x, i), arr_get_float(y, j), ct);
  return num_equal_complex(arr_get_float(x, i), arr_get_imag(x, i), arr_get_float(y, j),
                           arr_get_imag(y, j), ct);
}

/* ── arrays ─────────────────────────────────────────────────────────────────────────── */

typedef enum answer { DIFFERENT, SAME, TOO_DEEP } answer;

static answer answer_of(bool same) { return same ? SAME : DIFFERENT; }

static bool same_kind(const arr *x, const arr *y) {
  return elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
}

static bool is_simple_scalar(const arr *a) { return !a->rank && a->type != ET_NEST; }

/* References are the same where they are the same array. */
static bool one_refers(const arr *x, const arr *y) { return x->ref || y->ref; }

static bool match_chars(const arr *x, const arr *y) {
  if (x->type == y->type)
    return !memcmp(x->host, y->host, elt_bytes((elt)x->type, x->count));
  for (int64_t i = 0; i < x->count; i++)
    if (arr_get_int(x, i) != arr_get_int(y, i)) return false;
  return true;
}

static bool match_nums(const arr *x, const arr *y, double ct) {
  if (x->type == y->type && elt_is_int((elt)x->type))
    return !memcmp(x->host, y->host, elt_bytes((elt)x->type, x->count));
  for (int64_t i = 0; i < x->count; i++)
    if (!arr_num_equal_at(x, i, y, i, ct)) return false;
  return true;
}

/* Do the prototypes of two arrays agree? The items of a simple array are scalars of its own
 * kind, so that x and y may stand for their items. */
static answer match_protos(const arr *x, const arr *y) {
  for (;;) {
    bool x_nests = x->type == ET_NEST, y_nests = y->type == ET_NEST;
    if (x == y || (x->ref && y->ref)) return SAME; /* fills: each is another one */
    if (one_refers(x, y) || !arr_same_shape(x, y)) return DIFFERENT;
    if (!x_nests && !y_nests) return answer_of(same_kind(x, y));
    if (stack_is_low(x->c)) return TOO_DEEP;
    int64_t last = arr_item_count(x) - 1;
    for (int64_t i = 0; i < last; i++) {
      const arr *x_item = x, *y_item = y;
      if (x_nests) x_item = arr_item(x, i);
      if (y_nests) y_item = arr_item(y, i);
      answer m = match_protos(x_item, y_item);
      if (m != SAME) return m;
    }
    if (x_nests && y_nests) {
      x = arr_item(x, last);
      y = arr_item(y, last);
      continue;
    }
    const arr *nested = x_nests ? x : y, *simple = x_nests ? y : x;
    const arr *item = arr_item(nested, last);
    return answer_of(is_simple_scalar(item) && same_kind(item, simple));
  }
}

/* Is item i of a simple array the scalar s? */
static bool match_scalar(const arr *simple, int64_t i, const arr *s, double ct) {
  if (!is_simple_scalar(s) || !same_kind(simple, s)) return false;
  if (elt_is_char((elt)s->type)) return arr_get_int(simple, i) == arr_get_int(s, 0);
  return arr_num_equal_at(simple, i, s, 0, ct);
}

/* A nested array against a simple one of the same shape, not empty. */
static bool match_mixed(const arr *nested, const arr *simple, double ct) {
  for (int64_t i = 0; i < nested->count; i++)
    if (!match_scalar(simple, i, arr_item(nested, i), ct)) return false;
  return true;
}

static bool match_simple(const arr *x, const arr *y, double ct) {
  if (!same_kind(x, y)) return false;
  if (!x->count) return true;
  if (x->type == y->type && !memcmp(x->host, y->host, elt_bytes((elt)x->type, x->count)))
    return true;
  if (elt_is_char((elt)x->type)) return match_chars(x, y);
  return match_nums(x, y, ct);
}

/* Pairs of arrays that were found to be equal, so that an item in several places is
 * compared once: {⍵ ⍵}⍣60 has 2*60 items. The addresses choose a set, which keeps the
 * latest pairs: two pairs that evict each other would double the work with each level. */
enum { SETS = 128, LATEST = 4 };
typedef struct pair {
  const arr *x, *y;
} pair;
typedef struct pairs {
  bool any; /* else the sets were not cleared yet */
  pair same[SETS][LATEST];
} pairs;

static pair *set_of(pairs *known, const arr *x, const arr *y) {
  uint64_t h = (uint64_t)(uintptr_t)x * UINT64_C(0x9E3779B97F4A7C15);
  h = (h ^ (uint64_t)(uintptr_t)y) * UINT64_C(0xC2B2AE3D27D4EB4F);
  return known->same[(h >> 32) % SETS];
}

static answer match_at(const arr *x, const arr *y, double ct, pairs *known);

static answer match_item(const arr *x, const arr *y, double ct, pairs *known) {
  if (x->type != ET_NEST || x->refs == 1) return match_at(x, y, ct, known);
  if (!known->any) memset(known, 0, sizeof *known);
  known->any = true;
  pair *set = set_of(known, x, y);
  for (int i = 0; i < LATEST; i++)
    if (set[i].x == x && set[i].y == y) return SAME;
  answer m = match_at(x, y, ct, known);
  if (m != SAME) return m;
  memmove(set + 1, set, (LATEST - 1) * sizeof *set);
  *set = (pair){x, y};
  return SAME;
}

static answer match_at(const arr *x, const arr *y, double ct, pairs *known) {
  for (;;) {
    bool x_nests = x->type == ET_NEST, y_nests = y->type == ET_NEST;
    if (x == y) return SAME;
    if (one_refers(x, y) || !arr_same_shape(x, y)) return DIFFERENT;
    if (!x_nests && !y_nests) return answer_of(match_simple(x, y, ct));
    if (!x->count) return match_protos(x, y);
    if (!y_nests) return answer_of(match_mixed(x, y, ct));
    if (!x_nests) return answer_of(match_mixed(y, x, ct));
    if (stack_is_low(x->c)) return TOO_DEEP;
    int64_t last = x->count - 1;
    for (int64_t i = 0; i < last; i++) {
      answer m = match_item(arr_item(x, i), arr_item(y, i), ct, known);
      if (m != SAME) return m;
    }
    x = arr_item(x, last);
    y = arr_item(y, last);
  }
}

bool arr_match(const arr *x, const arr *y, double ct) {
  pairs known;
  known.any = false;
  return match_at(x, y, ct, &known) == SAME;
}

bool arr_match_checked(ctx *c, const arr *x, const arr *y, double ct, bool *same) {
  pairs known;
  known.any = false;
  answer m = match_at(x, y, ct, &known);
  *same = m == SAME;
  if (m != TOO_DEEP) return true;
  return !stack_error(c);
}

bool arr_all_finite(const arr *a) {
  if (!elt_is_float((elt)a->type)) return true;
  for (int64_t i = 0; i < a->count; i++)
    if (!isfinite(arr_get_float(a, i))) return false;
  return true;
}
