/* SPDX-License-Identifier: MIT */
/* build_count.c - +/x∘.=y and +⌿y∘.=x without the table of all pairs: how often each element of x
 * is in y. Whole numbers and characters are exact, so that a table of counts answers; floats that
 * equal others within ⎕CT are for the fold. A device adds by atomics, in workgroup memory where
 * the table is small (codegen/map.c). */
#include "../array/element.h"
#include "../base/arith.h"
#include "../prim/scalar.h"
#include "build.h"
#include "cuts.h"
#include "exec.h"
#include "place.h"
#include "plan.h"
#include "../tables/fast.h"

/* The vector that a, a matrix, repeats along the other axis; NULL: it does not. */
static arr *repeated(const arr *a, int axis) {
  const ir_node *n = a->node;
  if (!n || n->dims != 2 || a->rank != 2 || n->first) return NULL;
  bool along = n->strided.stride[axis] == 1 && n->strided.stride[1 - axis] == 0;
  bool all = n->strided.n[1] == a->shape[1] && n->y->count == a->shape[axis];
  if (!along || !all || n->y->rank != 1) return NULL;
  return n->y;
}

static bool can_count(const ir_call *call, arr *a) {
  if (a->node && a->node->unresolved && !ir_settle(call->g, a)) return false;
  return elt_is_int((elt)a->type) || elt_is_char((elt)a->type);
}

/* By a device. */
static arr *counts_there(const ir_call *call, arr *x, arr *y) {
  int64_t lo, hi;
  if (!ir_settle(call->g, x) || !ir_settle(call->g, y)) return NULL;
  OWNED arr *a = whole_numbers(call, x);
  OWNED arr *b = a ? whole_numbers(call, y) : NULL;
  if (!b || !ir_bounds(call, a, &lo, &hi) || !fits_table(lo, hi, y->count)) return NULL;
  OWNED arr *at = clamped(call, b, lo, hi);
  elt t = y->count < INT32_MAX ? ET_I32 : ET_I64;
  OWNED arr *table = stored_fill(call, hi - lo + 3, 0, t);
  if (!at || !table || !put_counts(call, &table, at, lo - 1)) return NULL;
  arr_set_range(table, 0, y->count);
  return looked_up(call, table, lo - 1, a);
}

arr *count_equal(const ir_call *call, const arr *equal, int axis) {
  const ir_node *n = equal->node;
  bool is = n && n->kind->scalar && n->x && n->p == P_EQ && equal->rank == 2;
  if (!is || !is_long(call, equal->count)) return NULL;
  arr *y = repeated(n->x, axis), *x = repeated(n->y, 1 - axis);
  if (!y || !x) {
    y = repeated(n->y, axis);
    x = repeated(n->x, 1 - axis);
  }
  if (!y || !x || !can_count(call, x) || !can_count(call, y)) return NULL;
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type)) return NULL;
  if (is_for_kernels(call, y, y->count)) return counts_there(call, x, y);
  prim_env e = call->env;
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  arr *r = NULL;
#define FAST_COUNT_EQUAL(way) FAST_FIRST(r, e.c, way(&e, x, y))
#include "../tables/fast.def"
  return r;
}
