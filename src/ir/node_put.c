/* SPDX-License-Identifier: MIT */
/* node_put.c - what puts elements at places: those that a selection takes, each behind the ones before
 * it, and y[x]←v into memory that has elements. */
#include "../prim/axis.h"
#include "plan.h"

/* ── selections ── */

/* Element i goes behind the elements before it that are taken: a scan counts them. */
static kv emit_compress(plan *p, ir_node *n, index_map at) {
  UNUSED(at);
  kacc acc = {.monoid = KF_ADD, .ty = KI64, .fault = -1};
  p->phase = 0;
  kv taken = plan_element(p, n->x, identity_map, KB);
  acc.from = plan_convert(p, taken, KI32);
  p->phase = 1;
  kv upto = kir_fold(p->c, &p->k, &acc, 1);
  kv one = plan_constant(p, KI64, (kimm){.i = 1});
  p->put.at = plan_op(p, KOP_SUB, KI64, upto, one, 0);
  p->put.when = plan_element(p, n->x, identity_map, KB);
  p->put.put = KPUT_ONCE;
  index_map im = identity_map;
  im.im = true;
  if (n->self->type == ET_C128)
    plan_remember(p, n->self, im, plan_element(p, n->y, im, KF64));
  return plan_value(p, n->y, identity_map);
}

static arr *compress_reference(prim_env *e, ir_node *n) {
  return prim_replicate(e, n->x, n->y, 0);
}

KIND(compress, .infer = infer_as_y, .emit = emit_compress,
     .reference = compress_reference, .show = "x/y", .task = KIR_SCAN);

/* ── y[x]←v ── */

/* What joins with the elements may leave their range. */
static void infer_put(ir_node *n) {
  arr *a = n->self;
  range old = range_of(n->into), new = range_of(n->y);
  n->may_fault = a->has_range = false;
  a->type = n->into->type;
  if (cls_of((elt)a->type) < CLS_F && (n->put == KPUT_ONCE || n->monoid != KF_ADD))
    set_range(a, (range){range_least(old.lo, new.lo), range_most(old.hi, new.hi)});
}

/* The only element of an array at hand as a scalar, or those of a line as wide as the
 * kernel. */
static kv each_of(plan *p, arr *a, kty ty, bool im) {
  index_map at = identity_map;
  at.im = im;
  bool one = a->count == 1 && a->host && !(im && a->type != ET_C128);
  return one ? plan_scalar(p, a, ty, im) : plan_element(p, a, at, ty);
}

/* Element i goes to place x - first; if several are to, that one whose number `pairs` has there, or
 * those whose number is less. */
static kv emit_put(plan *p, ir_node *n, index_map whole) {
  UNUSED(whole);
  if (n->put == KPUT_INSERT) {
    plan_seat(p, n);
    return plan_op(p, KOP_IOTA, KI32, 0, 0, 0);
  }
  kty ty = p->root->count < INT32_MAX ? KI32 : KI64;
  kv at = each_of(p, n->x, elt_bits((elt)n->x->type) == 64 ? KI64 : KI32, false);
  if (n->first) {
    kv first = plan_param(p, plan_type(p, at), (kimm){.i = n->first});
    at = plan_op(p, KOP_SUB, plan_type(p, at), at, first, 0);
  }
  at = plan_convert(p, at, ty);
  kv when = plan_constant(p, KB, (kimm){.i = 1});
  if (n->pairs) {
    kty number = kir_arg_type((elt)n->pairs->type);
    kv last = plan_op(p, KOP_GET, number, at, 0, plan_fetched(p, n->pairs));
    kv own = plan_op(p, KOP_IOTA, number, 0, 0, 0);
    when = plan_op(p, n->put == KPUT_JOIN ? KOP_LT : KOP_EQ, KB, own, last, 0);
  }
  p->put = (kout){.put = (uint8_t)n->put, .monoid = (uint8_t)n->monoid, .kept = true};
  p->put.at = at;
  p->put.when = when;
  kty ty_of = kir_arg_type((elt)n->self->type);
  if (n->self->type == ET_C128) {
    index_map im = identity_map;
    im.im = true;
    plan_remember(p, n->self, im, each_of(p, n->y, ty_of, true));
  }
  return each_of(p, n->y, ty_of, false);
}

KIND(put, .infer = infer_put, .emit = emit_put, .show = "·[X]+←y", .puts = true,
     .typed = true);
