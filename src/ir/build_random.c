/* SPDX-License-Identifier: MIT */
/* build_random.c - ? as a node: element i is made from the number of its draw, as the host
 * makes it (prim/random.c), in whatever kernel reads it. What ? takes of the generator is
 * settled when the node is made, so ⎕RL goes on as it does on the host. */
#include "../array/element.h"
#include "build.h"
#include "exec.h"
#include "place.h"

static arr *draws(const ir_call *call, arr *y, arr *below) {
  uint64_t first = prim_random_take(call->env.random, (uint64_t)y->count);
  ir_node n = {.kind = N_ROLL, .p = P_ROLL, .y = below};
  n.first = (int64_t)first;
  n.step = (int64_t)call->env.random->seed;
  return node_new(call, n, y->rank, y->shape);
}

arr *ir_roll(const ir_call *call, arr *y) {
  int64_t least, most;
  if (!is_long(call, y->count) || !is_readable(y, false) ||
      !prefers_device(call->g, 8 * (uint64_t)y->count))
    return NULL;
  if (y->node && y->node->unresolved && !ir_settle(call->g, y)) return NULL;
  if (!elt_is_int((elt)y->type)) return NULL;
  arr *below = y;
  if (y->node && y->node->kind == N_FILL) below = y->node->y;
  if (!ir_bounds(call, below, &least, &most) || least < 0 || (!least && most))
    return NULL;
  if (!most) {
    OWNED arr *zero = arr_int(call->env.c, 0);
    return zero ? draws(call, y, zero) : NULL;
  }
  OWNED arr *io = arr_int(call->env.c, call->env.io);
  OWNED arr *r = io ? draws(call, y, below) : NULL;
  return r ? ir_dyadic(call, P_PLUS, r, io) : NULL;
}
