/* SPDX-License-Identifier: MIT */
/* build_order_part.c - neighbours in a long order without the rest of it: n↑y[⍒y], (⍋y)[i], the median. Keys of one
 * bin, which agree in all but their last bits, are counted, and those put in order whose bins have the places that are
 * asked for. */
#include "../array/element.h"
#include "../base/arith.h"
#include "../prim/scalar.h"
#include "../tables/fast.h"
#include "build.h"
#include "cuts.h"
#include "exec.h"

enum { LONG = 1 << 21, BINS = 4096, SHARE = 8 };

static arr *node_bins(const ir_call *call, arr *y, int bits) {
  elt as = elt_bits((elt)y->type) == 64 ? ET_I64 : ET_I32;
  ir_node n = {.kind = &kind_key, .p = P_UP, .y = y, .as = as, .step = bits};
  return node_new(call, n, 1, &y->count);
}

/* The bins of the places *from to `to`: *lo to *hi; *from becomes the place among these bins' elements, of which
 * there are so many. */
static int64_t find_bins(const arr *counts, bool down, int64_t *from, int64_t to,
                         int64_t *lo, int64_t *hi) {
  int64_t upto = 0, before = 0, first = -1, k = 0, last = counts->count - 1, of[BINS];
  sc_load(counts, 0, 1, counts->count, SC_I64, of);
  for (; upto <= to; k++) {
    upto += of[down ? last - k : k];
    if (first < 0 && upto > *from) first = k;
    if (first < 0) before = upto;
  }
  *lo += down ? last + 1 - k : first;
  *hi = *lo + k - 1 - first;
  *from -= before;
  return upto - before;
}

arr *part_of_order(const ir_call *call, const ir_node *v, int rank,
                   const int64_t *shape) {
  const ir_node *of = v->y->node;
  int64_t n = v->y->count, size = arr_product(rank, shape), lo, hi, bits = 0;
  ir_node part = *v;
  if (of->begun || of->rows > 1 || v->dims || n < LONG) return NULL;
  bool alone = v->y->refs <= 1u + of->listed && of->first == call->env.io;
  if (!alone || v->step < 1 || !size || v->step * size > n / SHARE) return NULL;
  if (is_cut(of->y) || !is_for_kernels(call, of->y, n)) return NULL;
  OWNED arr *keys = node_bins(call, of->y, 0);
  if (!keys || !ir_bounds(call, keys, &lo, &hi)) return NULL;
  while ((uint64_t)(hi >> bits) - (uint64_t)(lo >> bits) >= BINS) bits++;
  lo >>= bits;
  OWNED arr *bin = node_bins(call, of->y, (int)bits);
  elt t = n < INT32_MAX ? ET_I32 : ET_I64;
  OWNED arr *counts = bin ? stored_fill(call, (hi >> bits) - lo + 1, 0, t) : NULL;
  if (!counts || !put_counts(call, &counts, bin, lo) || !ir_host(call->g, counts))
    return NULL;
  int64_t to = v->first + v->step * (size - 1);
  if (find_bins(counts, of->p == P_DOWN, &part.first, to, &lo, &hi) > n / SHARE)
    return NULL;
  OWNED arr *again = node_bins(call, of->y, (int)bits); /* that is not stored */
  OWNED arr *above = again ? with_number(call, P_LE, lo, arr_retain(again)) : NULL;
  OWNED arr *below = above ? with_number(call, P_GE, hi, arr_retain(again)) : NULL;
  OWNED arr *is = ir_dyadic(call, P_AND, above, below);
  OWNED arr *at = is ? where_ones(call, is) : NULL;
  OWNED arr *some = at ? ir_index(call, of->y, 1, &at) : NULL, *y = settled(call, &some);
  OWNED arr *x = y && of->x ? ir_index(call, of->x, 1, &at) : NULL;
  OWNED arr *order = y && (x || !of->x) ? ir_monadic(call, of->p, y) : NULL;
  arr *line = of->sorted ? y : at;
  OWNED arr *all = order ? ir_index(call, x ? x : line, 1, &order) : NULL;
  part.y = all;
  return all ? node_new(call, part, rank, shape) : NULL;
}
