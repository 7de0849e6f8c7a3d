/* SPDX-License-Identifier: MIT */
/* build_search.c - x⍸y, x⍷y, x≡y and x≢y as nodes, where a device has the arrays or is to have
 * them: places found by halves in what ascends, boxes compared element by element, and a fold
 * of whether elements are equal. */
#include "../array/element.h"
#include "../array/view.h"
#include "build.h"

static bool are_readable(const arr *x, const arr *y) {
  bool alike = elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
  return is_readable(x, true) && is_readable(y, true) && alike;
}

/* ── x≡y ── */

/* Where x and y, of one shape, are equal; NaN is itself. */
static arr *equal_elements(const ir_call *call, arr *x, arr *y) {
  OWNED arr *equal = ir_dyadic(call, P_EQ, x, y);
  if (!elt_is_float((elt)x->type) || !elt_is_float((elt)y->type) || !equal)
    return arr_move(&equal);
  OWNED arr *odd = ir_dyadic(call, P_NE, x, x), *too = ir_dyadic(call, P_NE, y, y);
  OWNED arr *none = ir_dyadic(call, P_AND, odd, too);
  return ir_dyadic(call, P_OR, equal, none);
}

static arr *all_ones(const ir_call *call, arr *a) {
  OWNED arr *line = ir_monadic(call, P_COMMA, a);
  return ir_reduce(call, P_AND, line, 0);
}

bool are_all(const ir_call *call, arr *truths) {
  OWNED arr *all = all_ones(call, truths);
  return all && ir_host(call->g, all) && arr_get_int(all, 0);
}

arr *ir_match(const ir_call *call, prim f, arr *x, arr *y) {
  bool away = is_for_kernels(call, x, x->count) || is_for_kernels(call, y, y->count);
  if (!away || !ir_resolve(call->g, x) || !ir_resolve(call->g, y)) return NULL;
  if (!is_movable(x) || !is_movable(y)) return NULL;
  bool alike = elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
  if (!alike || !arr_same_shape(x, y)) return arr_int(call->env.c, f == P_TALLY);
  if ((x->type == ET_F32) != (y->type == ET_F32)) return NULL;
  OWNED arr *equal = equal_elements(call, x, y);
  bool complex = x->type == ET_C128 || y->type == ET_C128;
  /* The host compares NaNs part by part where numbers are complex. */
  OWNED arr *own = complex ? ir_dyadic(call, P_EQ, x, x) : NULL;
  if (complex && !are_all(call, own)) return NULL;
  OWNED arr *all = all_ones(call, equal);
  if (!all || f == P_MATCH) return arr_move(&all);
  return ir_monadic(call, P_NOT, all);
}

/* ── x⍸y ── */

/* Do the elements of the vector x, numbers or characters, ascend? */
static bool ascends(const ir_call *call, arr *x) {
  ir_call exact = exactly(*call);
  if (x->count < 2) return true;
  OWNED arr *numbers =
      elt_is_char((elt)x->type) ? node_convert(call, x, ET_I32) : arr_retain(x);
  OWNED arr *more = numbers ? with_number(call, P_DROP, 1, arr_retain(numbers)) : NULL;
  OWNED arr *less = more ? with_number(call, P_DROP, -1, arr_retain(numbers)) : NULL;
  OWNED arr *is = ir_dyadic(&exact, P_LE, less, more);
  return are_all(call, is);
}

/* What does not ascend, by the order of floats, is for the host, which knows NaN. */
arr *ir_interval(const ir_call *call, arr *x, arr *y) {
  if (x->rank != 1 || !x->count || !are_readable(x, y)) return NULL;
  if (!is_for_kernels(call, y, y->count) || !ir_settle(call->g, x)) return NULL;
  if (!is_readable(x, true) || !ascends(call, x)) return NULL;
  ir_node n = {.kind = &kind_search, .p = P_WHERE, .x = y, .y = x};
  OWNED arr *upto = node_new(call, n, y->rank, y->shape);
  return upto ? with_number(call, P_PLUS, call->env.io - 1, arr_move(&upto)) : NULL;
}

/* ── x⍷y ── */

/* For each element of x how far it is from the first one, in y; *box: how many places along
 * each axis of y the whole of x can have. NULL without an error: none. */
static arr *offsets_in(const ir_call *call, const arr *x, const arr *y, int64_t *box) {
  int64_t strides[ARR_MAX_RANK], at[ARR_MAX_RANK] = {0}, far = 0;
  int lead = y->rank - x->rank;
  strides_of(y->rank, y->shape, strides);
  for (int k = 0; k < y->rank; k++) {
    int64_t own = k < lead ? 1 : x->shape[k - lead];
    box[k] = y->shape[k] - own + 1;
    if (box[k] < 1) return NULL;
  }
  arr *r = arr_vec(call->env.c, y->count < INT32_MAX ? ET_I32 : ET_I64, x->count);
  for (int64_t i = 0; r && i < x->count; i++) {
    arr_put_int(r, i, far);
    for (int k = x->rank; k-- > 0;) { /* the next one in ravel order */
      far += strides[lead + k];
      if (++at[k] < x->shape[k]) break;
      far -= at[k] * strides[lead + k];
      at[k] = 0;
    }
  }
  return r;
}

/* 1 in that box of an array of y's shape. */
static arr *ones_in(const ir_call *call, const arr *y, const int64_t *box) {
  OWNED arr *one = arr_int(call->env.c, 1);
  OWNED arr *shape = arr_int_vec(call->env.c, y->rank, y->shape);
  OWNED arr *ones = ir_reshape(call, one, y->rank, box);
  return ir_dyadic(call, P_TAKE, shape, ones);
}

arr *ir_find(const ir_call *call, arr *x, arr *y) {
  enum { LONGEST = 1 << 20 };
  int64_t box[ARR_MAX_RANK];
  bool fit = x->rank <= y->rank && x->count && x->count <= LONGEST && y->rank;
  if (!fit || !are_readable(x, y) || !is_for_kernels(call, y, y->count)) return NULL;
  if (!ir_settle(call->g, x) || !ir_settle(call->g, y)) return NULL;
  if (!is_readable(x, true) || !is_readable(y, true)) return NULL;
  OWNED arr *offsets = offsets_in(call, x, y, box);
  if (!offsets) return NULL;
  ir_node n = {.kind = &kind_find, .p = P_FIND, .x = x, .y = y, .pairs = offsets};
  OWNED arr *are = node_new(call, n, y->rank, y->shape);
  OWNED arr *in = are ? ones_in(call, y, box) : NULL;
  return ir_dyadic(call, P_AND, are, in);
}
