/* SPDX-License-Identifier: MIT */
/* segments.c - the table by which a scan of segments goes: a row for each strip of each segment,
 * then one for each of their tiles (codegen/scan_segments.c reads it). */
#include "../base/arith.h"
#include "plan.h"

arr *strips_of_segments(ctx *c, const arr *pairs, int64_t strip, int64_t *strips) {
  const int64_t *at = pairs->host, n = pairs->shape[0];
  int64_t tiles = 0;
  *strips = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t some = ceil_div(at[2 * i + 1] - at[2 * i], strip);
    *strips += some;
    if (some > 1) tiles += ceil_div(some, KIR_SCAN_STRIPS);
  }
  OWNED arr *r = arr_vec(c, ET_I64, 3 * *strips + 4 * tiles);
  if (!r) return NULL;
  int64_t *to = r->host, *tile = to + 3 * *strips, first = 0;
  for (int64_t i = 0; i < n; i++, at += 2) {
    int64_t some = ceil_div(at[1] - at[0], strip), last = ceil_div(some, KIR_SCAN_STRIPS);
    for (int64_t k = 0; k < some; k++, to += 3) {
      to[0] = at[0];
      to[1] = at[1];
      to[2] = k;
    }
    for (int64_t t = 0; t < last && some > 1; t++, tile += 4) {
      tile[0] = first + t * KIR_SCAN_STRIPS;
      tile[1] = min_i64(KIR_SCAN_STRIPS, some - t * KIR_SCAN_STRIPS);
      tile[2] = t;
      tile[3] = last - 1 - t;
    }
    first += some;
  }
  return arr_move(&r);
}
