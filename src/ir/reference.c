/* SPDX-License-Identifier: MIT */
/* reference.c - the reference path: one node by the direct path of src/prim, whose result
 * or error is the one that the user gets. It gives what no kernel can compute (complex
 * numbers), the value where a kernel left its type's range, and the message of an error
 * that a kernel only flagged. */
#include "device.h"
#include "../array/element.h"
#include "exec.h"
#include "../array/convert.h"
#include "../array/view.h"
#include "../prim/axis.h"
#include "../prim/index.h"

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

/* Boxes side by side, of complex numbers. */
static arr *copy_parts(const ir_node *n) {
  ctx *c = n->g->c;
  arr *from[2] = {n->x ? n->x : n->y, n->y};
  view v;
  if (!view_shape(c, &v, n->self->rank, n->self->shape)) return NULL;
  v.parts = n->move->parts;
  v.fills = n->move->fills;
  for (int k = 0; k < v.parts; k++) v.part[k] = n->move->part[k];
  return cx_demote(c, view_copy(c, &v, from));
}

/* A view or a fill of complex numbers, which no kernel reads. */
static arr *copy_view(const ir_node *n) {
  ctx *c = n->g->c;
  view v;
  if (!view_of(n, &v)) return NULL;
  return cx_demote(c, view_copy(c, &v, &n->y));
}

/* A fold by a function that is no primitive, which the evaluator knows how to call. */
static arr *by_calls(const ir_node *n) {
  return err_null(n->g->c, ERR_DOMAIN, "no kernel folds this");
}

static arr *exclusive_scan(prim_env *e, const ir_node *n) {
  OWNED arr *zero = arr_int(e->c, 0), *less = arr_int(e->c, -1);
  OWNED arr *sums = prim_scan(e, n->p, n->y, n->axis);
  if (!zero || !less || !sums) return NULL;
  OWNED arr *all = prim_dyadic(e, P_COMMA, zero, sums);
  return all ? prim_dyadic(e, P_DROP, less, all) : NULL;
}

static arr *index_axis(prim_env *e, const ir_node *n) {
  const int64_t shape[3] = {n->rows, n->len, n->inner};
  arr *at[3] = {NULL, n->x, NULL};
  e->io = (int)n->first;
  OWNED arr *y = arr_reshape(e->c, n->y, 3, shape);
  OWNED arr *r = y ? prim_index(e, y, 3, at) : NULL;
  return r ? arr_reshape(e->c, r, n->self->rank, n->self->shape) : NULL;
}

static arr *ordered(prim_env *e, ir_node *n) {
  const int64_t first = n->sorted ? 1 : n->first;
  e->io = (int)first;
  if (n->y->rank == 1 && (!n->sorted || n->x)) {
    OWNED arr *at = prim_monadic(e, n->p, n->y);
    if (!at || !n->x) return arr_move(&at);
    return prim_index(e, n->x, 1, &at);
  }
  OWNED arr *all = arr_new(e->c, ET_I64, n->self->rank, n->self->shape);
  const int64_t shape[2] = {n->rows, n->len};
  OWNED arr *lines = arr_reshape(e->c, n->y, 2, shape);
  for (int64_t r = 0; r < n->rows && all; r++) {
    OWNED arr *number = arr_int(e->c, r + first);
    arr *at[2] = {number, NULL};
    OWNED arr *line = lines && number ? prim_index(e, lines, 2, at) : NULL;
    OWNED arr *numbers = line ? prim_monadic(e, n->p, line) : NULL;
    if (!numbers) return NULL;
    int64_t *to = (int64_t *)all->host + r * n->len, before = n->sorted ? r * n->len : 0;
    for (int64_t i = 0; i < n->len; i++) to[i] = arr_get_int(numbers, i) + before;
  }
  if (!all || !n->sorted) return arr_move(&all);
  OWNED arr *line = arr_reshape(e->c, n->y, 1, &n->y->count);
  return line ? prim_index(e, line, 1, &all) : NULL;
}

/* What a masked reduction selects, then reduced. */
static arr *by_selection(ir_node *n, prim_env *e) {
  OWNED arr *some = prim_replicate(e, n->x, n->y, 0);
  return some ? prim_reduce(e, n->p, some, 0) : NULL;
}

static arr *looked_up(prim_env *e, const ir_node *n) {
  OWNED arr *r = arr_new(e->c, ET_I64, n->self->rank, n->self->shape);
  if (!r || !prim_lookup(e, n->y, n->x, r->host)) return NULL;
  return arr_move(&r);
}

static arr *dealt(prim_env *e, const ir_node *n) {
  prim_dealing how = {.n = arr_get_int(n->y, 0), .a = n->len, .b = n->rows};
  how.key = n->first;
  how.by = n->step;
  e->io = 0;
  return prim_dealt(e, &how, n->self->count);
}

arr *node_reference(ir_node *n) {
  prim_env e = {.c = n->g->c, .ct = n->ct, .io = 1};
  if (n->factors) return prim_product(&e, n->factors);
  if (n->kind == &kind_iota && n->step == 1)
    return prim_numbers(e.c, n->first, n->self->count);
  if (n->x && !ir_download(n->g, n->x)) return NULL;
  if (n->pairs && !ir_download(n->g, n->pairs)) return NULL;
  if (!ir_download(n->g, n->y)) return NULL;
  switch (n->kind->number) {
  case N_SCALAR:
    if (n->fn) break;
    return n->x ? prim_dyadic(&e, n->p, n->x, n->y) : prim_monadic(&e, n->p, n->y);
  case N_REDUCE:
    if (n->x) return by_selection(n, &e);
    if (n->pairs) return prim_reduce_segments(&e, n->p, n->y, n->pairs);
    if (n->p == P_COUNT) return by_calls(n);
    return prim_reduce(&e, n->p, n->y, n->axis);
  case N_SCAN:
    if (n->p == P_COUNT) return by_calls(n);
    if (n->pairs) return prim_scan_segments(&e, n->p, n->y, n->pairs);
    if (n->exclusive) return exclusive_scan(&e, n);
    return prim_scan(&e, n->p, n->y, n->axis);
  case N_ORDER: return ordered(&e, n);
  case N_PARTS: return copy_parts(n);
  case N_INDEX: return index_axis(&e, n);
  case N_COMPRESS: return prim_replicate(&e, n->x, n->y, 0);
  case N_ITEMS: return partition_items(&e, n->pairs, n->y);
  case N_VIEW:
  case N_FILL: return copy_view(n);
  case N_LOOKUP: return looked_up(&e, n);
  case N_CONVERT:
    if (n->as == ET_F32) return arr_to_f32(n->g->c, n->y, n->first);
    return arr_convert(n->g->c, n->y, n->as);
  case N_RUNS: return by_calls(n);
  case N_DEAL: return dealt(&e, n);
  case N_FIND: return prim_find(&e, n->x, n->y);
  case N_SEARCH:
    if (n->x) return prim_interval(&e, n->y, n->x);
    break; /* cannot fault */
  case N_PUT:
  case N_ROLL:
  case N_IOTA: break; /* cannot fault */
  }
  return NULL;
}
