/* SPDX-License-Identifier: MIT */
/* node_move.c - what only moves elements: strided views, boxes side by side with fill elements, one
 * element everywhere. A kernel reads through such nodes: they change where it finds what it needs. */
#include "../array/convert.h"
#include "../array/view.h"
#include "../base/arith.h"
#include "plan.h"
#include "../tables/fast.h"

/* ── views ── */

/* Do positions along axes, each times its stride, keep groups of four of the last? */
static bool keeps_quads(int rank, const int64_t *stride) {
  for (int d = 0; d + 1 < rank; d++)
    if (stride[d] % 4) return false;
  return stride[rank - 1] == 1;
}

static bool view_keeps_quads(const ir_node *n) {
  if (n->first % 4 || n->step != 1) return false;
  if (!n->dims) return true;
  return n->strided.n[n->dims - 1] % 4 == 0 && keeps_quads(n->dims, n->strided.stride);
}

/* Through a view: where it is a strided one behind another move, the kernel computes. */
static index_map below_view(const plan *p, const ir_node *n, bool of_x, index_map at) {
  UNUSED(of_x);
  bool direct = plan_is_direct(at);
  at.quads &= view_keeps_quads(n);
  if (at.computed || (n->dims && !direct)) {
    at.computed = true;
    at.all = false;
    at.place = 0;
    return at;
  }
  if (n->dims) at.strided = n;
  at.off = n->first + n->step * at.off;
  at.step *= n->step;
  return plan_row_map(p, at);
}

static kv emit_view(plan *p, ir_node *n, index_map at) {
  index_map below = plan_below(p, n, false, at);
  if (below.computed) {
    kty ty = plan_place_type(p, n->self->count, n->y->count);
    kv i = plan_place(p, at, ty);
    if (n->dims) i = plan_strided_place(p, ty, i, n);
    below.place = plan_plus(p, ty, plan_times(p, ty, i, n->step), n->first);
  }
  return plan_value(p, n->y, below);
}

/* The view that the node is: whole lines of its first dimension, and, where it cycles,
 * the beginning of one more. */
static bool view_of(const ir_node *n, view *v) {
  int dims = n->dims;
  if (!view_shape(n->g->c, v, n->self->rank, n->self->shape)) return false;
  bool cycles = dims == 2 && !n->first && !n->strided.stride[0] &&
                n->step * n->strided.stride[1] == 1;
  if (cycles) {
    v->modulo = n->strided.n[1];
    return true;
  }
  view_part *p = view_add(v);
  p->from = n->first;
  p->rank = dims ? dims : 1;
  p->stride[0] = n->step;
  int64_t line = 1; /* elements in it */
  for (int k = dims - 1; k >= 0; k--) {
    p->len[k] = n->strided.n[k];
    p->to_stride[k] = line;
    p->stride[k] = n->step * n->strided.stride[k];
    p->list[k] = NULL;
    if (k) line *= p->len[k];
  }
  p->len[0] = v->count / line;
  p->to_stride[0] = line;
  p->list[0] = NULL;
  int64_t rest = v->count % line;
  if (!rest) return true;
  v->part[1] = *p;
  v->parts = 2;
  p = &v->part[1];
  p->rank = 1;
  p->to = v->count - rest;
  p->from = n->first + v->part[0].len[0] * p->stride[0];
  p->len[0] = rest;
  p->to_stride[0] = 1;
  p->stride[0] = p->stride[1];
  return true;
}

/* A view or a fill of complex numbers, which no kernel reads. */
static arr *copy_view(prim_env *e, ir_node *n) {
  view v;
  if (!view_of(n, &v)) return NULL;
  return cx_demote(e->c, view_copy(e->c, &v, &n->y));
}

KIND(view, .infer = infer_as_y, .below = below_view, .emit = emit_view,
     .reference = copy_view, .show = "fvy", .view = true, .free = true, .at_once = true);

/* ── one element everywhere ── */

static kv emit_fill(plan *p, ir_node *n, index_map at) {
  return plan_scalar(p, n->y, kir_arg_type((elt)n->y->type), at.im);
}

KIND(fill, .infer = infer_as_y, .emit = emit_fill, .reference = copy_view, .free = true,
     .same = true);

/* ── boxes side by side ── */

static void infer_parts(ir_node *n) {
  elt type = (elt)n->y->type;
  range r = range_of(n->y);
  infer_same(n, n->y);
  if (n->x) {
    range x = range_of(n->x);
    type = elt_join(type, (elt)n->x->type);
    r = (range){range_least(r.lo, x.lo), range_most(r.hi, x.hi)};
  }
  if (n->move->fills) r = range_with_fill(type, r);
  n->self->type = (uint8_t)type;
  n->self->has_range = false;
  if (cls_of(type) < CLS_F) set_range(n->self, r);
}

/* A line may end anywhere. */
static bool parts_keep_quads(const node_move *m) {
  int last = m->rank - 1;
  if (m->rank > 1 && m->n[last] % 4) return false;
  for (int k = 0; k < m->parts; k++) {
    const view_part *p = &m->part[k];
    int64_t lo = m->lo[k][last], end = lo + p->len[last];
    if (p->from % 4 || lo % 4 || (end % 4 && end < m->n[last])) return false;
    if (!keeps_quads(m->rank, p->stride)) return false;
  }
  return true;
}

/* Have the parts of n all elements of its argument a? They are boxes, which lie apart. */
static bool has_all(const ir_node *n, const arr *a) {
  int64_t count = 0;
  for (int k = 0; k < n->move->parts; k++) {
    const view_part *part = &n->move->part[k];
    int64_t own = part_source(n, k) == a;
    for (int d = 0; d < n->move->rank; d++) own *= part->stride[d] ? part->len[d] : 0;
    count += own;
  }
  return count == a->count;
}

static index_map below_parts(const plan *p, const ir_node *n, bool of_x, index_map at) {
  bool all = plan_reaches_all(at, n, plan_domain(p)) && has_all(n, of_x ? n->x : n->y);
  index_map below = {.computed = true, .all = all, .random = at.random, .im = at.im};
  below.quads = at.quads && parts_keep_quads(n->move);
  return below;
}

/* Are positions c in part k? 0: all are. (Value 0 is never a comparison.) */
static kv is_in_part(plan *p, kty ty, const node_move *m, int k, const kv *c) {
  kv is = 0;
  for (int d = 0; d < m->rank; d++) {
    int64_t lo = m->lo[k][d], end = lo + m->part[k].len[d];
    if (lo) is = plan_and(p, is, plan_op(p, KOP_GE, KB, c[d], plan_number(p, ty, lo), 0));
    if (end < m->n[d])
      is = plan_and(p, is, plan_op(p, KOP_LT, KB, c[d], plan_number(p, ty, end), 0));
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
    at.place = plan_where(p, ty, is, at.place, plan_constant(p, ty, (kimm){0}));
  return plan_element(p, a, at, kir_arg_type((elt)n->self->type));
}

/* Two parts of one source are read as one. What no part has is a fill element. */
static kv emit_parts(plan *p, ir_node *n, index_map at) {
  const node_move *m = n->move;
  arr *a = part_source(n, 0), *b = part_source(n, m->parts - 1);
  kty ty = kir_arg_type((elt)n->self->type);
  kty where = plan_place_type(p, n->self->count, max_i64(a->count, b->count));
  kv c[ARR_MAX_RANK], is[2] = {0}, place[2];
#define FAST_SHIFTED(way)                                                                \
  if (!at.computed && !at.strided && !at.off && at.step == 1 && way(p, n, &c[0]))        \
    return c[0];
#include "../tables/fast.def"
  plan_positions(p, where, plan_place(p, at, where), m->rank, m->n, c);
  for (int k = 0; k < m->parts; k++) {
    kv sum = plan_sum(p, where, m->rank, c, m->part[k].stride);
    is[k] = is_in_part(p, where, m, k, c);
    place[k] = plan_plus(p, where, sum, part_first(m, k));
  }
  kv any = is[0];
  if (m->parts > 1) any = m->fills ? plan_op(p, KOP_OR, KB, is[0], is[1], 0) : 0;
  index_map from = plan_below(p, n, a == n->x, at);
  from.place = place[0];
  if (m->parts > 1 && a == b)
    from.place = plan_where(p, where, is[0], place[0], place[1]);
  kv v = element_there(p, n, a, from, a == b ? any : is[0]);
  if (a != b) {
    from = plan_below(p, n, b == n->x, at);
    from.place = place[1];
    v = plan_where(p, ty, is[0], v, element_there(p, n, b, from, is[1]));
  }
  return m->fills ? plan_where(p, ty, any, v, plan_fill_element(p, n->self)) : v;
}

/* Boxes side by side, of complex numbers. */
static arr *copy_parts(prim_env *e, ir_node *n) {
  ctx *c = e->c;
  arr *from[2] = {n->x ? n->x : n->y, n->y};
  view v;
  if (!view_shape(c, &v, n->self->rank, n->self->shape)) return NULL;
  v.parts = n->move->parts;
  v.fills = n->move->fills;
  for (int k = 0; k < v.parts; k++) v.part[k] = n->move->part[k];
  return cx_demote(c, view_copy(c, &v, from));
}

KIND(parts, .infer = infer_parts, .below = below_parts, .emit = emit_parts,
     .reference = copy_parts, .show = "xfy", .unordered = true);
