/* SPDX-License-Identifier: MIT */
/* node_numbers.c - elements that are made of their numbers, in whatever kernel reads them: ⍳, ? and long
 * deals. Random ones are those that the host makes (prim/random.c): what ? takes of the generator is
 * settled when the node is made, so ⎕RL goes on as it does on the host. */
#include "../array/element.h"
#include "../kir/lower.h"
#include "../prim/args.h"
#include "build.h"
#include "place.h"
#include "plan.h"

/* ── numbers that are counted ── */

static void infer_iota(ir_node *n) {
  range_int a = n->first, b = n->first + (range_int)n->step * (n->self->count - 1);
  set_result(n->self, CLS_I, ET_I64, (range){range_least(a, b), range_most(a, b)});
  n->may_fault = false;
}

static kv emit_iota(plan *p, ir_node *n, index_map at) {
  const arr *a = n->self;
  bool narrow =
      a->has_range && a->lo >= INT32_MIN && a->hi < INT32_MAX && a->count < INT32_MAX;
  kty ty = narrow ? KI32 : KI64;
  int64_t first = n->first, step = n->step;
  bool line = !at.computed && !at.strided && plan_is_line(p);
  kv v = line ? plan_op(p, KOP_IOTA, ty, 0, 0, 0) : plan_place(p, at, ty);
  if (line) {
    first += step * at.off;
    step *= at.step;
  }
  if (step != 1) v = plan_op(p, KOP_MUL, ty, v, plan_param(p, ty, (kimm){.i = step}), 0);
  if (!first) return v;
  return plan_op(p, KOP_ADD, ty, v, plan_param(p, ty, (kimm){.i = first}), 0);
}

static arr *iota_reference(prim_env *e, ir_node *n) {
  return n->step == 1 ? prim_numbers(e->c, n->first, n->self->count) : NULL;
}

KIND(iota, .infer = infer_iota, .emit = emit_iota, .reference = iota_reference,
     .show = "f#", .free = true, .unordered = true, .at_once = true);

arr *node_numbers(const ir_call *call, int64_t n) {
  return node_new(call, (ir_node){.kind = &kind_iota, .p = P_IOTA, .step = 1}, 1, &n);
}

/* ── random numbers ── */

static bool draws_fractions(const ir_node *n) {
  return n->y->count == 1 && arr_get_int(n->y, 0) == 0;
}

static void infer_roll(ir_node *n) {
  range below = range_of(n->y);
  if (draws_fractions(n)) set_result(n->self, CLS_F, ET_F64, below);
  else set_result(n->self, CLS_I, ET_F64, (range){0, below.hi - 1});
  n->may_fault = false;
}

static void infer_deal(ir_node *n) {
  set_result(n->self, CLS_I, ET_F64, (range){0, arr_get_int(n->y, 0) - 1});
  n->ty = KI64;
  n->may_fault = n->loops = true;
}

static kv emit_roll(plan *p, ir_node *n, index_map at) {
  kv first = plan_param(p, KI64, (kimm){.i = n->first});
  kv draw = plan_op(p, KOP_ADD, KI64, plan_place(p, at, KI64), first, 0);
  kv seed = plan_param(p, KI64, (kimm){.i = n->step});
  if (draws_fractions(n)) return random_lower(p->c, &p->k, draw, seed, NULL);
  kv below = plan_value(p, n->y, at);
  bool small = n->y->has_range && n->y->hi <= INT32_MAX;
  if (small || plan_type(p, below) == KB) below = plan_convert(p, below, KI32);
  return random_lower(p->c, &p->k, draw, seed, &below);
}

static kv emit_deal(plan *p, ir_node *n, index_map at) {
  int64_t up = (INT64_C(1) << 32) / n->len;
  const int64_t how[6] = {arr_get_int(n->y, 0), n->len, up, n->rows, n->first, n->step};
  kv v[6];
  for (int i = 0; i < 6; i++) v[i] = plan_param(p, KI64, (kimm){.i = how[i]});
  return deal_lower(p->c, &p->k, plan_place(p, at, KI64), v, plan_fault(p, n));
}

static arr *dealt(prim_env *e, ir_node *n) {
  prim_dealing how = {.n = arr_get_int(n->y, 0), .a = n->len, .b = n->rows};
  how.key = n->first;
  how.by = n->step;
  e->io = 0;
  return prim_dealt(e, &how, n->self->count);
}

KIND(roll, .infer = infer_roll, .emit = emit_roll, .draws = true, .computes = true,
     .unordered = true);
KIND(deal, .infer = infer_deal, .emit = emit_deal, .reference = dealt, .draws = true,
     .computes = true, .unordered = true);

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
  if (!opens_device(call->g, 8 * (uint64_t)y->count)) {
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
