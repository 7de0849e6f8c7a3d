/* SPDX-License-Identifier: MIT */
/* cut.c - where an array is cut. */
#include "cut.h"
#include "../tables/fold.h"

enum {
  LINES = 15 *
          (1 << 14), /* rows: a multiple of the tiles of reductions, scans and products */
  SUPER = 64 * LINES, /* and of the super-tiles of scans */
  FEW = 1 << 14,      /* the tile of a reduction */
  UNITS = 64,         /* that each rank is to have at least */
  UNITS_LINES =
      8 /* ... of these, for +\ of parts that are cut within tiles is the host's */
};
_Static_assert(LINES % (KIR_LANES * KIR_REDUCE_ROWS) == 0, "of whole tiles");
_Static_assert(LINES % KIR_SCAN_TILE(4) == 0 && LINES % KIR_SCAN_TILE(8) == 0 &&
                   LINES % KIR_SCAN_TILE(16) == 0 && LINES % KIR_SCAN_TILE(32) == 0,
               "of whole tiles");
_Static_assert(LINES % PRODUCT_BLOCK == 0, "of whole blocks");

static int64_t unit_of(int64_t n, int ranks) {
  int64_t each = n / ranks;
  if (each >= (int64_t)UNITS * SUPER) return SUPER;
  if (each >= (int64_t)UNITS_LINES * LINES) return LINES;
  return each >= FEW ? FEW : 1;
}

int64_t cut_at(int64_t n, int ranks, int r) {
  int64_t unit = unit_of(n, ranks), units = n / unit + (n % unit > 0);
  /* units × r ÷ ranks, where the product could be too large. */
  int64_t at = units / ranks * r + units % ranks * r / ranks;
  return r == ranks || at > n / unit ? n : at * unit;
}

int cut_owner(int64_t n, int ranks, int64_t i) {
  int lo = 0, hi = ranks; /* cut_at(lo) ≤ i < cut_at(hi) */
  while (hi - lo > 1) {
    int middle = lo + (hi - lo) / 2;
    if (cut_at(n, ranks, middle) <= i) lo = middle;
    else hi = middle;
  }
  return lo;
}
