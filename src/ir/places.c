/* SPDX-License-Identifier: MIT */
/* places.c - places of elements in a kernel, and reading there.
 *
 * A kernel knows the number of the element that it computes. Quotients by the lengths of axes
 * take that apart into positions, sums of positions by strides put it together again, in the
 * array that is read: nothing is stored in between, and what is read may be an expression
 * again, computed for that element. In memory GET reads any element. */
#include "../base/arith.h"
#include "plan.h"

/* ── places ── */

/* Places fit 32 bits where the domain and the arrays do. */
kty plan_place_type(const plan *p, int64_t x, int64_t y) {
  int64_t most = max_i64(plan_domain(p), max_i64(x, y));
  return most < INT32_MAX ? KI32 : KI64;
}

/* Lengths and strides are parameters, so that one kernel serves all shapes; of many axes there
 * are too many for that. Equal ones are one, so that equal quotients are. */
kv plan_number(plan *p, kty ty, int64_t v) {
  enum { LEFT = 8 };
  kimm value = {.i = v};
  for (uint32_t i = 0; i < p->k.n_param; i++)
    if (p->k.param[i] == ty && p->param[i].i == v)
      return plan_op(p, KOP_PARAM, ty, 0, 0, i);
  if (p->k.n_param + LEFT < KIR_MAX_PARAM) return plan_param(p, ty, value);
  return plan_constant(p, ty, value);
}

kv plan_times(plan *p, kty ty, kv v, int64_t by) {
  return by == 1 ? v : plan_op(p, KOP_MUL, ty, v, plan_number(p, ty, by), 0);
}

kv plan_plus(plan *p, kty ty, kv v, int64_t by) {
  return by ? plan_op(p, KOP_ADD, ty, v, plan_number(p, ty, by), 0) : v;
}

/* v × by ÷ 2^31, of 64 bits. */
static kv scaled(plan *p, kv v, int64_t by) {
  return plan_op(p, KOP_SAR, KI64, plan_times(p, KI64, v, by), 0, 31);
}

/* i ÷ n, of an i that is not negative and n > 1. With 2^l ≥ n it is i × ⌈2^(31+l) ÷ n⌉ ÷ 2^(31+l),
 * for i below 2^31: the error is below 2^-l, and so below 1 ÷ n. */
static kv quotient(plan *p, kty ty, kv i, int64_t n) {
  if (ty != KI32) return plan_op(p, KOP_QUOT, ty, i, plan_number(p, ty, n), 0);
  int l = 64 - __builtin_clzll((uint64_t)n - 1);
  uint64_t most = (uint64_t)1 << (31 + l), by = (uint64_t)n;
  kv v = scaled(p, plan_convert(p, i, KI64), (int64_t)((most + by - 1) / by));
  return plan_convert(p, scaled(p, v, (int64_t)1 << (31 - l)), KI32);
}

/* The positions c along axes of these lengths, of which the first is not needed. */
void plan_positions(plan *p, kty ty, kv i, int rank, const int64_t *n, kv *c) {
  for (int k = rank; k-- > 1;) {
    if (n[k] == 1) {
      c[k] = plan_constant(p, ty, (kimm){0});
      continue;
    }
    kv line = quotient(p, ty, i, n[k]);
    c[k] = plan_op(p, KOP_SUB, ty, i, plan_times(p, ty, line, n[k]), 0);
    i = line;
  }
  c[0] = i;
}

/* Σ c × stride. */
kv plan_sum(plan *p, kty ty, int rank, const kv *c, const int64_t *stride) {
  kv sum = 0;
  bool some = false;
  for (int k = rank; k-- > 0;) {
    if (!stride[k]) continue;
    kv v = plan_times(p, ty, c[k], stride[k]);
    sum = some ? plan_op(p, KOP_ADD, ty, sum, v, 0) : v;
    some = true;
  }
  return some ? sum : plan_constant(p, ty, (kimm){0});
}

/* Σ of the positions, of which element i is, times strides. */
kv plan_strided_place(plan *p, kty ty, kv i, const ir_node *n) {
  kv c[ARR_MAX_RANK];
  plan_positions(p, ty, i, n->dims, n->strided.n, c);
  return plan_sum(p, ty, n->dims, c, n->strided.stride);
}

kv plan_place(plan *p, index_map at, kty ty) {
  if (at.computed) return plan_convert(p, at.place, ty);
  kty own = plan_place_type(p, 0, 0);
  if (ty == KI64) own = KI64;
  kv v = plan_op(p, plan_is_line(p) ? KOP_IOTA : KOP_NUMBER, own, 0, 0, 0);
  if (at.strided) v = plan_strided_place(p, own, v, at.strided);
  return plan_convert(p, plan_plus(p, own, plan_times(p, own, v, at.step), at.off), ty);
}

/* ── reading there ── */

/* The number of an input that is for GET. */
static int64_t fetched(plan *p, arr *a, bool quads) {
  index_map any = {.off = a->count - 1, .quads = quads};
  if (a->type == ET_C128) any.off = 2 * a->count - 1;
  uint32_t i = 0;
  while (i < p->k.n_in &&
         (p->in[i] != a || p->k.in[i].view != KV_GET || p->at[i].quads != quads))
    i++;
  if (i == KIR_MAX_IN) return plan_full(p);
  if (i == p->k.n_in) plan_input(p, a, any, KV_GET);
  if (quads) p->k.quads |= 1u << i;
  return i;
}

int64_t plan_fetched(plan *p, arr *a) { return fetched(p, a, false); }

kv plan_get(plan *p, arr *a, index_map at) {
  kv i = at.place;
  if (!at.computed) i = plan_place(p, at, plan_place_type(p, a->count, 0));
  bool pairs = a->type == ET_C128;
  if (pairs) {
    kty ty = plan_place_type(p, 2 * a->count, 0);
    i = plan_plus(p, ty, plan_times(p, ty, plan_convert(p, i, ty), 2), at.im);
  }
  int64_t in = fetched(p, a, at.quads && !pairs);
  return plan_op(p, KOP_GET, kir_arg_type((elt)a->type), i, 0, in);
}

kv plan_fill_element(plan *p, const arr *a) {
  kty ty = kir_arg_type((elt)a->type);
  kimm fill = {.i = elt_is_char((elt)a->type) ? ' ' : 0};
  if (kty_is_float(ty)) fill.f = 0;
  return plan_constant(p, ty, fill);
}
