/* SPDX-License-Identifier: MIT */
/* emit_moves.c - the nodes that read or write elements at computed places: stretches side by
 * side, indices, selections.
 *
 * What is read so must be in memory: GET reads any element of an array, and what has no
 * element is an error, or is not looked at. What a selection takes is put behind what it has
 * taken before. */
#include "../array/element.h"
#include "../base/arith.h"
#include "plan.h"

/* A number of a position: first + step × it, of what is `count` long. */
kv plan_position(plan *p, kty ty, int64_t first, int64_t step) {
  kv v = plan_op(p, KOP_IOTA, ty, 0, 0, 0);
  if (step != 1) v = plan_op(p, KOP_MUL, ty, v, plan_param(p, ty, (kimm){.i = step}), 0);
  if (!first) return v;
  return plan_op(p, KOP_ADD, ty, v, plan_param(p, ty, (kimm){.i = first}), 0);
}

/* The number of an input that is for GET. */
static int64_t fetched(plan *p, arr *a) {
  const index_map any = {NULL, a->count - 1, 0};
  uint32_t i = 0;
  while (i < p->k.n_in && (p->in[i] != a || p->k.in[i].view != KV_GET)) i++;
  if (i == KIR_MAX_IN) return plan_full(p);
  if (i == p->k.n_in) plan_input(p, a, any, KV_GET);
  return i;
}

/* An element that the part has, if i is one of its numbers, else any. */
static kv emit_part(plan *p, const ir_node *n, const node_part *part, kty where, kv i) {
  arr *a = part->of_x ? n->x : n->y;
  kty ty = kir_arg_type((elt)n->self->type);
  if (a->count == 1) return plan_scalar(p, a, ty);
  int64_t first = part->from - part->to * part->step;
  if (part->step != 1)
    i = plan_op(p, KOP_MUL, where, i, plan_param(p, where, (kimm){.i = part->step}), 0);
  if (first)
    i = plan_op(p, KOP_ADD, where, i, plan_param(p, where, (kimm){.i = first}), 0);
  kv v = plan_op(p, KOP_GET, kir_arg_type((elt)a->type), i, 0, fetched(p, a));
  return plan_convert(p, v, ty);
}

/* Is i a number of the part? */
static kv is_in_part(plan *p, const node_part *part, int64_t count, kty where, kv i) {
  kv is = plan_constant(p, KB, (kimm){.i = 1});
  if (part->to) {
    kv low = plan_param(p, where, (kimm){.i = part->to});
    is = plan_op(p, KOP_GE, KB, i, low, 0);
  }
  if (part->to + part->len == count) return is;
  kv end = plan_param(p, where, (kimm){.i = part->to + part->len});
  kv below = plan_op(p, KOP_LT, KB, i, end, 0);
  return part->to ? plan_op(p, KOP_AND, KB, is, below, 0) : below;
}

/* What no part has is a fill element. */
kv plan_parts(plan *p, ir_node *n, index_map at) {
  kty ty = kir_arg_type((elt)n->self->type), where = KI64;
  int64_t count = n->self->count;
  bool fills = has_fill(n, count);
  if (max_i64(count, n->y->count) < INT32_MAX) where = KI32;
  kv i = plan_position(p, where, at.off, at.step);
  kimm fill = {.i = elt_is_char((elt)n->self->type) ? ' ' : 0};
  if (kty_is_float(ty)) fill.f = 0;
  kv v = 0;
  if (fills) v = plan_constant(p, ty, fill);
  for (int k = 0; k < n->parts; k++) {
    kv mine = emit_part(p, n, &n->part[k], where, i);
    if (!k && !fills) {
      v = mine;
      continue;
    }
    kins sel = {.op = KOP_SEL, .ty = (uint8_t)ty, .b = mine, .c = v};
    sel.a = is_in_part(p, &n->part[k], count, where, i);
    v = kir_add(p->c, &p->k, sel);
  }
  return v;
}

/* Element number x - first of y; an error if y has no such element. */
kv plan_index(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  kv i = plan_value(p, n->x, at);
  if (plan_type(p, i) == KB) i = plan_convert(p, i, KI32);
  kty ty = plan_type(p, i);
  i = plan_op(p, KOP_SUB, ty, i, plan_param(p, ty, (kimm){.i = n->first}), 0);
  if (n->may_fault) {
    kv last = plan_param(p, ty, (kimm){.i = n->y->count - 1});
    kv none = plan_constant(p, ty, (kimm){0});
    kv low = plan_op(p, KOP_LT, KB, i, none, 0),
       high = plan_op(p, KOP_GT, KB, i, last, 0);
    plan_op(p, KOP_ERR, KB, plan_op(p, KOP_OR, KB, low, high, 0), 0, plan_fault(p, n));
  }
  return plan_op(p, KOP_GET, kir_arg_type((elt)n->y->type), i, 0, fetched(p, n->y));
}

/* Element i goes behind the elements before it that are taken: a scan counts them. */
kv plan_compress(plan *p, ir_node *n) {
  const kacc count = {.monoid = KF_ADD, .ty = KI64, .fault = -1};
  kacc acc = count;
  p->phase = 0;
  kv taken = plan_element(p, n->x, identity_map, KB);
  acc.from = plan_convert(p, taken, KI32);
  p->phase = 1;
  kv upto = kir_fold(p->c, &p->k, &acc, 1);
  kv one = plan_constant(p, KI64, (kimm){.i = 1});
  p->put.at = plan_op(p, KOP_SUB, KI64, upto, one, 0);
  p->put.when = plan_element(p, n->x, identity_map, KB);
  p->put.put = KPUT_ONCE;
  return plan_value(p, n->y, identity_map);
}

/* The only element of an array at hand as a scalar, or those of a line as wide as the
 * kernel. */
static kv each_of(plan *p, arr *a, kty ty) {
  if (a->count == 1 && a->host) return plan_scalar(p, a, ty);
  return plan_element(p, a, identity_map, ty);
}

/* Element i goes to place x - first; if several are to, that one whose number `pairs` has
 * there. */
kv plan_put(plan *p, ir_node *n) {
  kty ty = p->root->count < INT32_MAX ? KI32 : KI64;
  kv at = each_of(p, n->x, elt_bits((elt)n->x->type) == 64 ? KI64 : KI32);
  if (n->first) {
    kv first = plan_param(p, plan_type(p, at), (kimm){.i = n->first});
    at = plan_op(p, KOP_SUB, plan_type(p, at), at, first, 0);
  }
  at = plan_convert(p, at, ty);
  kv when = plan_constant(p, KB, (kimm){.i = 1});
  if (n->pairs) {
    kty number = kir_arg_type((elt)n->pairs->type);
    kv last = plan_op(p, KOP_GET, number, at, 0, fetched(p, n->pairs));
    when = plan_op(p, KOP_EQ, KB, last, plan_op(p, KOP_IOTA, number, 0, 0, 0), 0);
  }
  p->put = (kout){.put = (uint8_t)n->put, .monoid = (uint8_t)n->monoid, .kept = true};
  p->put.at = at;
  p->put.when = when;
  return each_of(p, n->y, kir_arg_type((elt)n->self->type));
}
