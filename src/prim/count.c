/* SPDX-License-Identifier: MIT */
/* count.c - how often each element of x is in y, by a table of the numbers between x's least and
 * greatest element. */
#include "../base/arith.h"
#include "scalar.h"
#include "../tables/fast.h"

#include <string.h>

arr *prim_try_count_equal(prim_env *e, const arr *x, const arr *y) {
  enum { TABLE = 1 << 16, EACH = 4, FEW = 1 << 13, OF_FEW = 64 }; /* entries */
  int64_t lo, hi, b[SC_BLOCK], n = x->count + y->count;
  sc_bounds(x, &lo, &hi);
  uint64_t wide = (uint64_t)hi - (uint64_t)lo;
  if (wide >= (uint64_t)(min_i64(TABLE, FEW + OF_FEW * n) + EACH * n)) return NULL;
  OWNED arr *table = arr_vec(e->c, ET_I64, (int64_t)wide + 1);
  OWNED arr *r = arr_new(e->c, elt_for_range(0, y->count), x->rank, x->shape);
  if (!table || !r) return NULL;
  int64_t *of = table->host;
  memset(of, 0, (size_t)table->count * sizeof *of);
  if (!prim_count_each(e->c, y, lo, table->count, of)) return NULL;
  for (int64_t i = 0; i < x->count; i += SC_BLOCK) {
    int64_t m = min_i64(x->count - i, SC_BLOCK);
    sc_load(x, i, 1, m, SC_I64, b);
    for (int64_t k = 0; k < m; k++) b[k] = of[b[k] - lo];
    sc_put_ints(r, i, m, b, 0);
  }
  return arr_move(&r);
}
