/* SPDX-License-Identifier: MIT */
/* range.h - intervals of integers: between which values the results of a primitive lie.
 *
 * The ends are 128 bits wide, so that what leaves i64 shows as an interval that is not in
 * it. Planning relies on these: where a result is in i64 the checks for overflow are left
 * out, and a result is stored as narrow as its interval. prim.def's RANGE rows say which
 * function belongs to which primitive; tests/unit/test_range.c tries every row. */
#ifndef VAPL_KIR_RANGE_H
#define VAPL_KIR_RANGE_H
#include "../tables/prim.h"

__extension__ typedef __int128 range_int;
typedef struct range {
  range_int lo, hi;
} range;

static inline range_int range_least(range_int a, range_int b) { return a < b ? a : b; }
static inline range_int range_most(range_int a, range_int b) { return a > b ? a : b; }
static inline bool range_in32(range r) { return r.lo >= INT32_MIN && r.hi <= INT32_MAX; }
static inline bool range_in64(range r) { return r.lo >= INT64_MIN && r.hi <= INT64_MAX; }
static inline bool range_is_f64(range r) {
  return r.lo >= -F64_WHOLE && r.hi <= F64_WHOLE;
}
range range_i64(void); /* all of i64 */
range range_unknown(
    void); /* more than i64: the result may overflow, or nothing is known */

/* The interval of p's integer results for arguments in x and y (a monadic form has only
 * y), both in i64; unknown where prim.def has no RANGE row. If it is in i64, no operation
 * of the integer row overflows. */
range range_of_result(prim p, bool dyadic, range x, range y);

/* What the RANGE row promises. */
typedef enum range_kind {
  RANGE_NONE,
  RANGE_BOUND, /* every result lies inside */
  RANGE_EXACT  /* and both ends are results */
} range_kind;
range_kind range_promise(prim p, bool dyadic);
#endif
