/* SPDX-License-Identifier: MIT */
/* node_index.c - what reads an element of y whose number has to be found: y[x], and searches in what
 * ascends. */
#include "../array/convert.h"
#include "../prim/index.h"
#include "plan.h"

/* ── y[x] ── */

/* Numbers that are no element's are an error; those that do not fit 32 bits are subtracted
 * from in 64. */
static void infer_index(ir_node *n) {
  range at = range_of(n->x);
  if (cls_of((elt)n->x->type) > CLS_I) {
    infer_unsupported(n);
    return;
  }
  infer_same(n, n->y);
  n->row = CLS_I;
  n->may_fault = !n->certain && (at.lo < n->first || at.hi - n->first >= n->len);
  if (!n->fills) return;
  n->may_fault = false;
  elt type = (elt)n->self->type;
  if (n->self->has_range) set_range(n->self, range_with_fill(type, range_of(n->y)));
}

/* Element i reads x's element i where y is a line. */
static index_map below_index(const plan *p, const ir_node *n, bool of_x, index_map at) {
  UNUSED(p);
  bool line = n->rows == 1 && n->inner == 1;
  index_map below = {.computed = true, .random = !of_x || at.random};
  if (of_x && !line) return below;
  if (of_x) {
    at.im = false;
    return at;
  }
  below.im = at.im;
  below.quads = !line && at.quads && n->inner % 4 == 0;
  return below;
}

/* Element number x - first along an axis of y; an error if there is no such element, or where
 * the node fills and that is negative, a fill element. */
static kv emit_index(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  kty where = plan_place_type(p, n->self->count, n->y->count);
  const int64_t shape[3] = {n->rows, n->x->count, n->inner};
  bool line = n->rows == 1 && n->inner == 1;
  kv c[3];
  index_map of_x = plan_below(p, n, true, at);
  if (!line) {
    plan_positions(p, where, plan_place(p, at, where), 3, shape, c);
    of_x.place = c[1];
  }
  kv i = plan_value(p, n->x, of_x), no = 0;
  if (plan_type(p, i) == KB) i = plan_convert(p, i, KI32);
  kty ty = plan_type(p, i);
  kv none = plan_constant(p, ty, (kimm){0});
  i = plan_op(p, KOP_SUB, ty, i, plan_param(p, ty, (kimm){.i = n->first}), 0);
  if (n->may_fault || n->fills) no = plan_op(p, KOP_LT, KB, i, none, 0);
  if (n->may_fault) {
    kv high = plan_op(p, KOP_GT, KB, i, plan_param(p, ty, (kimm){.i = n->len - 1}), 0);
    no = plan_op(p, KOP_OR, KB, no, high, 0);
    plan_op(p, KOP_ERR, KB, no, 0, plan_fault(p, n));
  }
  if (no) i = plan_where(p, ty, no, none, i);
  if (!line) {
    const int64_t stride[3] = {n->len * n->inner, n->inner, 1};
    c[1] = plan_convert(p, i, where);
    i = plan_sum(p, where, 3, c, stride);
  }
  index_map there = plan_below(p, n, false, at);
  there.place = i;
  kv v = plan_value(p, n->y, there);
  return n->fills ? plan_where(p, plan_type(p, v), no, plan_fill_element(p, n->self), v)
                  : v;
}

static arr *index_reference(prim_env *e, ir_node *n) {
  const int64_t shape[3] = {n->rows, n->len, n->inner};
  arr *at[3] = {NULL, n->x, NULL};
  e->io = (int)n->first;
  OWNED arr *y = arr_reshape(e->c, n->y, 3, shape);
  OWNED arr *r = y ? prim_index(e, y, 3, at) : NULL;
  return r ? arr_reshape(e->c, r, n->self->rank, n->self->shape) : NULL;
}

KIND(index, .infer = infer_index, .below = below_index, .emit = emit_index,
     .reference = index_reference, .show = "Y[X]", .by_x = true);

/* ── searches ── */

static void infer_search(ir_node *n) {
  n->row = CLS_I;
  n->ty = n->x ? plan_compared(n->x, n->y) : KI64;
  n->may_fault = false;
  set_result(n->self, CLS_I, ET_I64, (range){0, n->y->count - !n->x});
}

static index_map below_search(const plan *p, const ir_node *n, bool of_x, index_map at) {
  UNUSED(p);
  UNUSED(n);
  if (of_x) return at;
  return (index_map){.computed = true, .random = true, .im = at.im};
}

/* Is v no greater than the key? NaN is greater than numbers. */
static kv is_up_to(plan *p, kty as, kv v, kv key) {
  kv is = plan_op(p, KOP_LE, KB, v, key, 0);
  if (!kty_is_float(as)) return is;
  return plan_op(p, KOP_OR, KB, is, plan_op(p, KOP_NE, KB, key, key, 0), 0);
}

/* By halves: the steps are unrolled, for they are few. */
static kv emit_search(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  int64_t count = n->y->count, step = 1;
  kty ty = plan_place_type(p, n->self->count, count), as = ty;
  if (n->x) as = plan_compared(n->x, n->y);
  kv key = n->x ? plan_element(p, n->x, at, as) : plan_place(p, at, ty);
  kv all = plan_number(p, ty, count), found = plan_constant(p, ty, (kimm){0});
  index_map there = plan_below(p, n, false, at);
  while (step <= count / 2) step *= 2;
  for (; step; step /= 2) {
    kimm before = {.i = step - 1};
    there.place = plan_op(p, KOP_ADD, ty, found, plan_constant(p, ty, before), 0);
    kv is = is_up_to(p, as, plan_element(p, n->y, there, as), key);
    is = plan_and(p, is, plan_op(p, KOP_LT, KB, there.place, all, 0));
    before.i = step;
    kv next = plan_op(p, KOP_ADD, ty, found, plan_constant(p, ty, before), 0);
    found = plan_where(p, ty, is, next, found);
  }
  return found;
}

static arr *search_reference(prim_env *e, ir_node *n) {
  return n->x ? prim_interval(e, n->y, n->x) : NULL;
}

KIND(search, .infer = infer_search, .below = below_search, .emit = emit_search,
     .reference = search_reference, .computes = true, .real = true);
