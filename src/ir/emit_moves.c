/* SPDX-License-Identifier: MIT */
/* emit_moves.c - the nodes that read or write elements at computed places: boxes side by side,
 * indices, selections.
 *
 * A kernel knows the number of the element that it computes. Quotients by the lengths of axes
 * take that apart into positions, sums of positions by strides put it together again, in the
 * array that is read: nothing is stored in between, and what is read may be an expression
 * again, computed for that element. In memory GET reads any element; what has no element is
 * an error, or is not looked at. What a selection takes is put behind what it has taken
 * before. */
#include "../array/element.h"
#include "../base/arith.h"
#include "plan.h"

/* ── places ── */

/* A number of a position: first + step × it, of what is `count` long. */
kv plan_position(plan *p, kty ty, int64_t first, int64_t step) {
  kv v = plan_op(p, KOP_IOTA, ty, 0, 0, 0);
  if (step != 1) v = plan_op(p, KOP_MUL, ty, v, plan_param(p, ty, (kimm){.i = step}), 0);
  if (!first) return v;
  return plan_op(p, KOP_ADD, ty, v, plan_param(p, ty, (kimm){.i = first}), 0);
}

/* Places fit 32 bits where the domain and the arrays do. */
static kty place_type(const plan *p, int64_t x, int64_t y) {
  int64_t most = max_i64(plan_domain(p), max_i64(x, y));
  return most < INT32_MAX ? KI32 : KI64;
}

/* Lengths and strides are parameters, so that one kernel serves all shapes; of many axes there
 * are too many for that. Equal ones are one, so that equal quotients are. */
static kv number(plan *p, kty ty, int64_t v) {
  enum { LEFT = 8 };
  kimm value = {.i = v};
  for (uint32_t i = 0; i < p->k.n_param; i++)
    if (p->k.param[i] == ty && p->param[i].i == v)
      return plan_op(p, KOP_PARAM, ty, 0, 0, i);
  if (p->k.n_param + LEFT < KIR_MAX_PARAM) return plan_param(p, ty, value);
  return plan_constant(p, ty, value);
}

static kv times(plan *p, kty ty, kv v, int64_t by) {
  return by == 1 ? v : plan_op(p, KOP_MUL, ty, v, number(p, ty, by), 0);
}

static kv plus(plan *p, kty ty, kv v, int64_t by) {
  return by ? plan_op(p, KOP_ADD, ty, v, number(p, ty, by), 0) : v;
}

/* v × by ÷ 2^31, of 64 bits. */
static kv scaled(plan *p, kv v, int64_t by) {
  return plan_op(p, KOP_SAR, KI64, times(p, KI64, v, by), 0, 31);
}

/* i ÷ n, of an i that is not negative and n > 1. With 2^l ≥ n it is i × ⌈2^(31+l) ÷ n⌉ ÷ 2^(31+l),
 * for i below 2^31: the error is below 2^-l, and so below 1 ÷ n. */
static kv quotient(plan *p, kty ty, kv i, int64_t n) {
  if (ty != KI32) return plan_op(p, KOP_QUOT, ty, i, number(p, ty, n), 0);
  int l = 64 - __builtin_clzll((uint64_t)n - 1);
  uint64_t most = (uint64_t)1 << (31 + l), by = (uint64_t)n;
  kv v = scaled(p, plan_convert(p, i, KI64), (int64_t)((most + by - 1) / by));
  return plan_convert(p, scaled(p, v, (int64_t)1 << (31 - l)), KI32);
}

/* The positions c along axes of these lengths, of which the first is not needed. */
static void positions(plan *p, kty ty, kv i, int rank, const int64_t *n, kv *c) {
  for (int k = rank; k-- > 1;) {
    if (n[k] == 1) {
      c[k] = plan_constant(p, ty, (kimm){0});
      continue;
    }
    kv line = quotient(p, ty, i, n[k]);
    c[k] = plan_op(p, KOP_SUB, ty, i, times(p, ty, line, n[k]), 0);
    i = line;
  }
  c[0] = i;
}

/* Σ c × stride. */
static kv sum_of(plan *p, kty ty, int rank, const kv *c, const int64_t *stride) {
  kv sum = 0;
  bool some = false;
  for (int k = rank; k-- > 0;) {
    if (!stride[k]) continue;
    kv v = times(p, ty, c[k], stride[k]);
    sum = some ? plan_op(p, KOP_ADD, ty, sum, v, 0) : v;
    some = true;
  }
  return some ? sum : plan_constant(p, ty, (kimm){0});
}

/* Σ of the positions, of which element i is, times strides. */
static kv strided_place(plan *p, kty ty, kv i, const ir_node *n) {
  kv c[ARR_MAX_RANK];
  positions(p, ty, i, n->dims, n->strided.n, c);
  return sum_of(p, ty, n->dims, c, n->strided.stride);
}

kv plan_place(plan *p, index_map at, kty ty) {
  if (at.computed) return plan_convert(p, at.place, ty);
  kty own = place_type(p, 0, 0);
  if (ty == KI64) own = KI64;
  kv v = plan_op(p, plan_is_line(p) ? KOP_IOTA : KOP_NUMBER, own, 0, 0, 0);
  if (at.strided) v = strided_place(p, own, v, at.strided);
  return plan_convert(p, plus(p, own, times(p, own, v, at.step), at.off), ty);
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
  if (!at.computed) i = plan_place(p, at, place_type(p, a->count, 0));
  bool pairs = a->type == ET_C128;
  if (pairs) {
    kty ty = place_type(p, 2 * a->count, 0);
    i = plus(p, ty, times(p, ty, plan_convert(p, i, ty), 2), at.im);
  }
  int64_t in = fetched(p, a, at.quads && !pairs);
  return plan_op(p, KOP_GET, kir_arg_type((elt)a->type), i, 0, in);
}

kv plan_viewed(plan *p, ir_node *n, index_map at) {
  index_map below = plan_below(p, n, false, at);
  if (below.computed) {
    kty ty = place_type(p, n->self->count, n->y->count);
    kv i = plan_place(p, at, ty);
    if (n->dims) i = strided_place(p, ty, i, n);
    below.place = plus(p, ty, times(p, ty, i, n->step), n->first);
  }
  return plan_value(p, n->y, below);
}

/* ── boxes side by side ── */

static kv and (plan * p, kv a, kv b) { return a ? plan_op(p, KOP_AND, KB, a, b, 0) : b; }

/* a where `is`, else b; is 0: it always is. */
static kv select(plan *p, kty ty, kv is, kv a, kv b) {
  return is ? plan_select(p, ty, is, a, b) : a;
}

/* Are positions c in part k? 0: all are. (Value 0 is never a comparison.) */
static kv is_in_part(plan *p, kty ty, const node_move *m, int k, const kv *c) {
  kv is = 0;
  for (int d = 0; d < m->rank; d++) {
    int64_t lo = m->lo[k][d], end = lo + m->part[k].len[d];
    if (lo) is = and(p, is, plan_op(p, KOP_GE, KB, c[d], number(p, ty, lo), 0));
    if (end < m->n[d])
      is = and(p, is, plan_op(p, KOP_LT, KB, c[d], number(p, ty, end), 0));
  }
  return is;
}

/* Where part k's element at positions c is in its source, less Σ c × stride. */
static int64_t part_first(const node_move *m, int k) {
  int64_t first = m->part[k].from;
  for (int d = 0; d < m->rank; d++) first -= m->lo[k][d] * m->part[k].stride[d];
  return first;
}

/* a's element number i, where `is`; else any. What is in memory is not read beyond its end. */
static kv element_there(plan *p, ir_node *n, arr *a, index_map at, kv is) {
  kty ty = plan_type(p, at.place);
  if (is_pending(a) && !plan_is_edge(p, a, at))
    at.place = select(p, ty, is, at.place, plan_constant(p, ty, (kimm){0}));
  return plan_element(p, a, at, kir_arg_type((elt)n->self->type));
}

static kv fill_element(plan *p, const arr *a) {
  kty ty = kir_arg_type((elt)a->type);
  kimm fill = {.i = elt_is_char((elt)a->type) ? ' ' : 0};
  if (kty_is_float(ty)) fill.f = 0;
  return plan_constant(p, ty, fill);
}

/* Two parts of one source are read as one. What no part has is a fill element. */
kv plan_parts(plan *p, ir_node *n, index_map at) {
  const node_move *m = n->move;
  arr *a = part_source(n, 0), *b = part_source(n, m->parts - 1);
  kty ty = kir_arg_type((elt)n->self->type);
  kty where = place_type(p, n->self->count, max_i64(a->count, b->count));
  kv c[ARR_MAX_RANK], is[2] = {0}, place[2];
  if (!at.computed && !at.strided && !at.off && at.step == 1 && plan_near(p, n, &c[0]))
    return c[0];
  positions(p, where, plan_place(p, at, where), m->rank, m->n, c);
  for (int k = 0; k < m->parts; k++) {
    kv sum = sum_of(p, where, m->rank, c, m->part[k].stride);
    is[k] = is_in_part(p, where, m, k, c);
    place[k] = plus(p, where, sum, part_first(m, k));
  }
  kv any = is[0];
  if (m->parts > 1) any = m->fills ? plan_op(p, KOP_OR, KB, is[0], is[1], 0) : 0;
  index_map from = plan_below(p, n, a == n->x, at);
  from.place = place[0];
  if (m->parts > 1 && a == b) from.place = select(p, where, is[0], place[0], place[1]);
  kv v = element_there(p, n, a, from, a == b ? any : is[0]);
  if (a != b) {
    from = plan_below(p, n, b == n->x, at);
    from.place = place[1];
    v = select(p, ty, is[0], v, element_there(p, n, b, from, is[1]));
  }
  return m->fills ? select(p, ty, any, v, fill_element(p, n->self)) : v;
}

/* ── indices and selections ── */

/* Element number x - first along an axis of y; an error if there is no such element, or where
 * the node fills and that is negative, a fill element. */
kv plan_index(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  kty where = place_type(p, n->self->count, n->y->count);
  const int64_t shape[3] = {n->rows, n->x->count, n->inner};
  bool line = n->rows == 1 && n->inner == 1;
  kv c[3];
  index_map of_x = plan_below(p, n, true, at);
  if (!line) {
    positions(p, where, plan_place(p, at, where), 3, shape, c);
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
  if (no) i = select(p, ty, no, none, i);
  if (!line) {
    const int64_t stride[3] = {n->len * n->inner, n->inner, 1};
    c[1] = plan_convert(p, i, where);
    i = sum_of(p, where, 3, c, stride);
  }
  index_map there = plan_below(p, n, false, at);
  there.place = i;
  kv v = plan_value(p, n->y, there);
  return n->fills ? select(p, plan_type(p, v), no, fill_element(p, n->self), v) : v;
}

/* Is v no greater than the key? NaN is greater than numbers. */
static kv is_up_to(plan *p, kty as, kv v, kv key) {
  kv is = plan_op(p, KOP_LE, KB, v, key, 0);
  if (!kty_is_float(as)) return is;
  return plan_op(p, KOP_OR, KB, is, plan_op(p, KOP_NE, KB, key, key, 0), 0);
}

/* By halves: the steps are unrolled, for they are few. */
kv plan_search(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  int64_t count = n->y->count, step = 1;
  kty ty = place_type(p, n->self->count, count), as = ty;
  if (n->x) as = plan_compared(n->x, n->y);
  kv key = n->x ? plan_element(p, n->x, at, as) : plan_place(p, at, ty);
  kv all = number(p, ty, count), found = plan_constant(p, ty, (kimm){0});
  index_map there = plan_below(p, n, false, at);
  while (step <= count / 2) step *= 2;
  for (; step; step /= 2) {
    kimm before = {.i = step - 1};
    there.place = plan_op(p, KOP_ADD, ty, found, plan_constant(p, ty, before), 0);
    kv is = is_up_to(p, as, plan_element(p, n->y, there, as), key);
    is = and(p, is, plan_op(p, KOP_LT, KB, there.place, all, 0));
    before.i = step;
    kv next = plan_op(p, KOP_ADD, ty, found, plan_constant(p, ty, before), 0);
    found = select(p, ty, is, next, found);
  }
  return found;
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
  index_map im = identity_map;
  im.im = true;
  if (n->self->type == ET_C128)
    plan_remember(p, n->self, im, plan_element(p, n->y, im, KF64));
  return plan_value(p, n->y, identity_map);
}

/* The only element of an array at hand as a scalar, or those of a line as wide as the
 * kernel. */
static kv each_of(plan *p, arr *a, kty ty, bool im) {
  index_map at = identity_map;
  at.im = im;
  bool one = a->count == 1 && a->host && !(im && a->type != ET_C128);
  return one ? plan_scalar(p, a, ty, im) : plan_element(p, a, at, ty);
}

/* Element i goes to place x - first; if several are to, that one whose number `pairs` has
 * there. */
kv plan_put(plan *p, ir_node *n) {
  if (n->put == KPUT_SEAT) {
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
    when = plan_op(p, KOP_EQ, KB, last, plan_op(p, KOP_IOTA, number, 0, 0, 0), 0);
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
