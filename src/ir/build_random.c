/* SPDX-License-Identifier: MIT */
/* build_random.c - ? as a node: element i is made from the number of its draw, as the host
 * makes it (prim/random.c), in whatever kernel reads it; so are long deals. What ? takes of the generator is
 * settled when the node is made, so ⎕RL goes on as it does on the host. */
#include "../array/element.h"
#include "../prim/args.h"
#include "build.h"
#include "exec.h"
#include "place.h"

static arr *draws(const ir_call *call, arr *y, arr *below) {
  uint64_t first = prim_random_take(call->env.random, (uint64_t)y->count);
  ir_node n = {.kind = &kind_roll, .p = P_ROLL, .y = below};
  n.first = (int64_t)first;
  n.step = (int64_t)call->env.random->seed;
  return node_new(call, n, y->rank, y->shape);
}

arr *ir_roll(const ir_call *call, arr *y) {
  int64_t least, most;
  if (!is_long(call, y->count) || !is_readable(y, false)) return NULL;
  if (!prefers_device(call->g, 8 * (uint64_t)y->count)) {
    prim_env e = call->env;
    bool fill = y->node && y->node->kind == &kind_fill && elt_is_int((elt)y->type);
    if (!fill || !ir_host(call->g, y->node->y)) return NULL;
    return prim_roll_shape(&e, y->node->y, y->rank, y->shape);
  }
  if (y->node && y->node->unresolved && !ir_settle(call->g, y)) return NULL;
  if (!elt_is_int((elt)y->type)) return NULL;
  arr *below = y;
  if (y->node && y->node->kind == &kind_fill) below = y->node->y;
  if (!ir_bounds(call, below, &least, &most) || least < 0 || (!least && most))
    return NULL;
  if (!most) {
    OWNED arr *zero = arr_int(call->env.c, 0);
    return zero ? draws(call, y, zero) : NULL;
  }
  OWNED arr *io = arr_int(call->env.c, call->env.io);
  OWNED arr *r = io ? draws(call, y, below) : NULL;
  return ir_dyadic(call, P_PLUS, r, io);
}

arr *ir_deal(const ir_call *call, arr *x, arr *y) {
  prim_env e = call->env;
  int64_t n, of;
  bool numbers =
      x->count == 1 && y->count == 1 && is_readable(x, false) && is_readable(y, false);
  if (!numbers || !ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  if (!prim_int_at(&e, x, 0, &n) || !prim_int_at(&e, y, 0, &of)) return NULL;
  if (n > of || !prim_deal_is_long(n, of) || !is_for_kernels(call, y, n)) return NULL;
  OWNED arr *all = arr_int(e.c, of);
  OWNED arr *io = all ? arr_int(e.c, e.io) : NULL;
  if (!io) return NULL;
  prim_dealing how = prim_deal_begin(e.random, of);
  ir_node want = {.kind = &kind_deal, .p = P_ROLL, .y = all};
  want.first = how.key;
  want.step = how.by;
  want.len = how.a;
  want.rows = how.b;
  OWNED arr *r = node_new(call, want, 1, &n);
  OWNED arr *dealt = ir_dyadic(call, P_PLUS, r, io);
  if (dealt) dealt->distinct = true;
  return arr_move(&dealt);
}
