/* SPDX-License-Identifier: MIT */
/* build_order.c - ⍋y, ⍒y and y[⍋y] as nodes, where a device has the array or is to have it. No
 * kernel of the host does this: there the direct path does (exec.c). */
#include "../array/element.h"
#include "build.h"
#include "place.h"

enum { WORTH_A_LOOK = 1 << 16 };

/* May the range of y's integers be much less than their type's? Every byte of it is a pass. */
static bool hides_range(const arr *y) {
  return (y->type == ET_I32 || y->type == ET_I64) && !y->has_range &&
         y->count >= WORTH_A_LOOK;
}

static bool find_range(const ir_call *call, arr *y) {
  OWNED arr *least = ir_reduce(call, P_FLOOR, y, 0),
            *most = ir_reduce(call, P_CEIL, y, 0);
  if (!least || !most || !ir_host(call->g, least) || !ir_host(call->g, most))
    return false;
  if (!elt_is_int((elt)y->type)) return true; /* it has become real */
  y->lo = arr_get_int(least, 0);
  y->hi = arr_get_int(most, 0);
  y->has_range = true;
  return true;
}

arr *ir_grade(const ir_call *call, prim f, arr *y) {
  bool can = y->rank == 1 && y->count < INT32_MAX && is_readable(y, true);
  if (!can || !is_for_kernels(call, y, y->count)) return NULL;
  if (hides_range(y) && !find_range(call, y)) return NULL;
  ir_node n = {.kind = N_ORDER, .p = f, .y = y, .first = call->env.io};
  n.rows = n.inner = 1;
  n.len = y->count;
  return node_new(call, n, 1, y->shape);
}

arr *ir_sorted(const ir_call *call, arr *y, const arr *x) {
  const ir_node *order = x->node;
  bool is = order && order->kind == N_ORDER && !order->sorted && order->y == y;
  if (!is || order->first != call->env.io) return NULL;
  ir_node n = {.kind = N_ORDER, .p = order->p, .y = y, .sorted = true};
  n.rows = n.inner = 1;
  n.len = y->count;
  return node_new(call, n, 1, y->shape);
}
