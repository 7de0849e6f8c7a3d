/* SPDX-License-Identifier: MIT */
/* match.h - do arrays or numbers agree, within a comparison tolerance (⎕CT)? */
#ifndef VAPL_MATCH_H
#define VAPL_MATCH_H
#include "array.h"

#include <math.h>

/* ≡: same structure, equal within ct. */
bool arr_match(const arr *x, const arr *y, double ct);
/* The same, but LIMIT ERROR where arr_match gives up: when items that are not the last
 * of their array nest deeper than the C stack allows. */
bool arr_match_checked(ctx *c, const arr *x, const arr *y, double ct, bool *same);

/* NaN equals NaN here, as ≡ has it. */
static inline bool num_equal(double x, double y, double ct) {
  double most = fabs(x);
  if (fabs(y) > most) most = fabs(y);
  if (x == y) return true;
  if (fabs(x - y) <= ct * most) return isfinite(x) && isfinite(y);
  return isnan(x) && isnan(y);
}
bool num_equal_complex(double xr, double xi, double yr, double yi, double ct);
/* Element i of x and j of y, both numeric: integers exactly, f32 with f32 exactly. */
bool arr_num_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct);
/* Are all numbers of a simple array finite? */
bool arr_all_finite(const arr *a);
#endif
