/* SPDX-License-Identifier: MIT */
/* fuse.c - from a pending array to one kernel: which nodes it computes, and its
 * instructions.
 *
 * The region that the kernel computes (edge.c) is gone through twice:
 *
 *   plan_edge   finds what is at the edge and pending (a reduction, a second scan, a
 *               value that was computed twice already and is still held): exec.c
 *               forces it first
 *   plan_emit   types and ranges, from the edge up (infer.c); then the instructions. An
 *               element of a node is asked for where an index map leads in its ravel, so
 *               views cost index arithmetic in the readers below them
 *
 * A root that is a reduction or a scan, or a map above one scan, has a FOLD: `phase` 0
 * emits what feeds it, phase 1 what comes behind. */
#include "place.h"
#include "plan.h"
#include "schedule.h"
#include <math.h>
#include "../array/element.h"
#include "../tables/fast.h"

/* ── what has to be made first ── */

static arr *edge_itself(arr *a, int *k) {
  if (!is_pending(a) || is_linked(a)) return NULL;
  return (*k)-- == 0 ? a : NULL;
}

/* ⌊ ⌈ × of complex numbers give integers if every one of them is real. Then the argument has to be computed first: returns
 * it. NULL: n is no such function. */
static arr *must_know_if_real(const ir_node *n) {
  bool dyadic = n->x != NULL;
  if (!n->kind->scalar || n->fn || n->row != CLS_C) return NULL;
  if (prim_result(n->p, dyadic, CLS_F) > CLS_I) return NULL;
  return prim_result(n->p, dyadic, CLS_C) > CLS_I ? n->y : NULL;
}

/* Pending array number *k, from 0, at the edge below a, x before y. If there are fewer, subtracts their number from *k and
 * returns NULL. */
static arr *edge_below(const plan *p, arr *a, index_map at, int *k) {
  if (plan_is_edge(p, a, at)) return edge_itself(a, k);
  ir_node *n = a->node;
  arr *edge = must_know_if_real(n);
  if (edge) edge = edge_itself(edge, k);
  if (!edge && n->x) edge = edge_below(p, n->x, plan_below(p, n, true, at), k);
  if (!edge && n->y) edge = edge_below(p, n->y, plan_below(p, n, false, at), k);
  return edge;
}

/* The first scan below a map root that nobody else needs: the map can run behind it. */
static ir_node *find_scan(const arr *root, arr *a) {
  ir_node *n = a->node;
  if (!n || (n->begun && a != root)) return NULL;
  if (n->kind->behind && a->refs == 1u + n->listed) return n;
  if (n->kind->by_x && n->rows * n->inner == 1 && a == root) return find_scan(root, n->x);
  if (!n->kind->scalar || n->loops) return NULL;
  if (a != root && plan_asked_again(a)) return NULL;
  if (n->x) {
    ir_node *s = find_scan(root, n->x);
    if (s) return s;
  }
  return find_scan(root, n->y);
}

bool plan_fits(const plan *p) {
#define FAST_FITS(way)                                                                   \
  if (!way(p)) return false;
#include "../tables/fast.def"
  return true;
}

static void find_fold(plan *p) {
  ir *g = p->g;
  ir_node *n = p->root->node;
  p->n_row_nodes = 0;
  p->near = 0;
  p->relaxed = false;
  p->fold = NULL;
  p->rows = p->inner = 1;
  p->len = n->kind->puts ? n->x->count : p->root->count;
  if (n->kind->task != KIR_MAP) p->fold = n;
  else if (g->tune.fuse) p->fold = find_scan(p->root, p->root);
  if (!p->fold) {
    bool apart = !g->tune.fuse || g->apart || !n->kind->scalar;
    if (apart || !plan_prefers_device(p)) return;
#define FAST_MAP(way)                                                                    \
  if (way(p)) return;
#include "../tables/fast.def"
    return;
  }
  p->rows = p->fold->rows;
  p->len = p->fold->len;
  p->inner = p->fold->inner;
  if (plan_has_segments(p)) p->len = p->fold->y->count;
}

void plan_begin(plan *p, ir *g, arr *root) {
  *p = (plan){.g = g, .c = g->c, .root = root};
}

arr *plan_edge(plan *p, int k) {
  find_fold(p);
  return edge_below(p, p->root, identity_map, &k);
}

arr *heavy_part(arr *a) {
  uint32_t want = a->node->weight / 2;
  do {
    uint32_t x = weight_of(a->node->x), y = weight_of(a->node->y);
    if (!x && !y) break;
    a = x > y ? a->node->x : a->node->y;
  } while (a->node->weight > want);
  return a;
}

/* ── pieces of a kernel ── */

kv plan_convert(plan *p, kv v, kty to) {
  if (plan_type(p, v) == to) return v;
  return plan_op(p, KOP_CVT, to, v, 0, 0);
}

/* Gives up on the plan: one kernel cannot hold the region. */
int plan_full(plan *p) {
  p->full = true;
  err_set(p->c, ERR_LIMIT, "the expression is too large for one kernel");
  return 0;
}

kv plan_param(plan *p, kty ty, kimm value) {
  if (p->k.n_param == KIR_MAX_PARAM) return (kv)plan_full(p);
  uint32_t i = p->k.n_param++;
  p->k.param[i] = (uint8_t)ty;
  p->param[i] = value;
  p->k.plain[i] =
      kty_is_float(ty) && !isnan(value.f) && (value.f != 0 || !signbit(value.f));
  return plan_op(p, KOP_PARAM, ty, 0, 0, i);
}

/* The one element of a in another type, converted as CVT would. */
static kimm element_as(const arr *a, kty ty) {
  kimm v = {0};
  bool real = elt_is_float((elt)a->type);
  if (ty == KF64) v.f = arr_get_float(a, 0);
  else if (ty == KF32 && real) v.f = (double)(float)arr_get_float(a, 0);
  else if (ty == KF32) v.f = (double)(float)arr_get_int(a, 0);
  else if (real) v.i = (int64_t)arr_get_float(a, 0);
  else if (ty == KB) v.i = arr_get_int(a, 0) != 0;
  else v.i = arr_get_int(a, 0);
  return v;
}

int plan_fault(plan *p, ir_node *n) {
  for (uint32_t s = 0; s < p->k.n_fault; s++)
    if (p->fault[s] == n) return (int)s;
  if (p->k.n_fault == KIR_MAX_FAULT) return plan_full(p);
  p->fault[p->k.n_fault] = n;
  return (int)p->k.n_fault++;
}

int plan_fault_if_any(plan *p, ir_node *n) {
  if (!n->may_fault) return 0;
  return plan_fault(p, n);
}

/* The number of a strided index map in the kernel: maps of equal strides and lengths
 * share one. */
static uint8_t strided_of(plan *p, const ir_node *n) {
  uint8_t i = 0;
  while (i < p->k.n_strided && !plan_same_strides(p->strided[i], n)) i++;
  if (i == KIR_MAX_STRIDED) return (uint8_t)plan_full(p);
  if (i == p->k.n_strided) {
    p->strided[i] = n;
    p->k.strided[i] = n->dims;
    p->k.n_strided++;
  }
  return i;
}

static uint8_t view_kind(plan *p, const arr *a, index_map at) {
  if (in_results(a)) return KV_ONE;
  if (at.strided) return (uint8_t)(KV_STRIDED + strided_of(p, at.strided));
  return plan_same_map(at, identity_map) ? KV_FLAT : KV_STEP;
}

/* Complex numbers are read as f64, twice as many. */
void plan_input(plan *p, arr *a, index_map at, uint8_t how) {
  uint32_t i = p->k.n_in++;
  p->k.in[i] = (kin){.type = a->type, .view = how};
  if (a->type == ET_C128) p->k.in[i].type = ET_F64;
  p->in[i] = a;
  p->at[i] = at;
}

/* Does an input read a like that, an element for each of the kernel's? The maps of those for GET and
 * NEAR are no such places. */
static bool reads_same(const plan *p, uint32_t i, const arr *a, index_map at) {
  uint8_t how = p->k.in[i].view;
  return p->in[i] == a && how != KV_GET && how != KV_NEAR && plan_same_map(p->at[i], at);
}

static kv leaf(plan *p, arr *a, index_map at) {
  uint32_t i = 0;
  bool pairs = a->type == ET_C128;
  bool steps = !at.strided && (pairs || !plan_same_map(at, identity_map));
  if (at.computed || (steps && !plan_is_line(p) && !in_results(a)))
    return plan_get(p, a, at);
  if (pairs) {
    at.off = 2 * at.off + at.im;
    at.step *= 2;
    at.quads = false;
  }
#define FAST_ITSELF(way)                                                                 \
  kv near;                                                                               \
  if (!at.strided && !steps && way(p, a, &near)) return near;
#include "../tables/fast.def"
  while (i < p->k.n_in && !reads_same(p, i, a, at)) i++;
  if (i == KIR_MAX_IN) return (kv)plan_full(p);
  if (i == p->k.n_in) plan_input(p, a, at, view_kind(p, a, at));
  if (at.strided) {
    const kstrided *w = &at.strided->strided;
    int last = at.strided->dims - 1;
    bool still = w->stride[last] == 0;
    if (at.quads || (still && (!last || w->n[last] % 4 == 0))) p->k.quads |= 1u << i;
    if (still) p->k.still |= 1u << i;
  }
  return plan_op(p, KOP_ARG, kir_arg_type((elt)a->type), 0, 0, i);
}

/* The one element of a as a scalar of the kernel: a parameter, or read where an earlier
 * kernel of the chain leaves it, or where the device has it. */
kv plan_scalar(plan *p, arr *a, kty ty, bool im) {
  kimm v = {0};
  if (is_linked(a)) return plan_convert(p, leaf(p, a, identity_map), ty);
  if (!a->host) {
    index_map first = {.computed = true, .place = plan_integer(p, KI32, 0), .im = im};
    return plan_convert(p, plan_get(p, a, first), ty);
  }
  if (im) v.f = arr_get_imag(a, 0);
  else v = element_as(a, ty);
  return plan_param(p, ty, v);
}

/* ── emit ── */

void plan_remember(plan *p, const arr *a, index_map at, kv v) {
  plan_memo m = {.a = a, .at = at, .phase = p->phase, .v = v};
  vec_push(p->c, &p->memo, m);
}

/* a's element in a wanted type. */
kv plan_element(plan *p, arr *a, index_map at, kty ty) {
  if (at.im && a->type != ET_C128) return plan_constant(p, ty, (kimm){0});
  if (a->count == 1 && plan_domain(p) > 1 && plan_is_edge(p, a, at))
    return plan_scalar(p, a, ty, at.im);
  if (is_pending(a) && a->node->kind->same) return plan_scalar(p, a->node->y, ty, at.im);
  kv v = plan_value(p, a, at);
  return plan_convert(p, v, ty);
}

/* Gives up on the plan for a node that only the reference path computes. */
kv plan_unsupported(plan *p, ir_node *n) {
  if (!err_is(p->c)) p->unsupported = n;
  err_set(p->c, ERR_NONCE, "no kernel computes this");
  return 0;
}

kv plan_value(plan *p, arr *a, index_map at) {
  if (err_is(p->c)) return 0;
  for (size_t i = 0; i < p->memo.n; i++) {
    const plan_memo *m = &p->memo.at[i];
    if (m->a == a && plan_same_map(m->at, at) && m->phase == p->phase) return m->v;
  }
  if (plan_is_edge(p, a, at)) {
    if (a->count == 1) return plan_scalar(p, a, kir_arg_type((elt)a->type), at.im);
    return leaf(p, a, at);
  }
  const node_kind *kind = a->node->kind;
  kv v = kind->emit ? kind->emit(p, a->node, at) : plan_unsupported(p, a->node);
  plan_remember(p, a, at, v);
  /* Elements between segments are not computed. */
  if (plan_has_segments(p) && a->node != p->fold && !p->fold->certain) return v;
  int64_t domain = a->node == p->fold ? a->count : plan_domain(p);
  if (at.im) return v;
  if (plan_reaches_all(at, a->node, domain) || plan_of_row(p, a->node, at))
    vec_push(p->c, &p->whole, a->node);
  return v;
}

/* Whether some element is not real is told by the escape of its fault. */
static void emit_parts(plan *p, arr *a) {
  index_map at = identity_map;
  for (int im = 0; im < 2; im++) {
    at.im = im;
    kv v = plan_value(p, a, at);
    kout *o = &p->k.out[p->k.n_out++];
    *o = p->put;
    o->value = v;
    o->type = ET_F64;
    o->pair = (uint8_t)(im ? PAIR_IM : PAIR_RE);
    if (!im || a->node->kind->typed) continue;
    kv is = plan_op(p, KOP_NE, KB, v, plan_constant(p, KF64, (kimm){0}), 0);
    if (p->put.put) is = plan_op(p, KOP_AND, KB, is, p->put.when, 0);
    plan_op(p, KOP_ESC, KB, is, 0, plan_fault(p, a->node));
  }
}

static void emit_output(plan *p, const arr *a, kv v) {
  elt t = (elt)a->type;
  kty want = plan_type(p, v);
  if (p->fold && p->fold->words) t = ET_I32;
  else if (t == ET_BIT) want = KB;
  else if (elt_is_float(t)) want = kir_arg_type(t);
  else if (want == KB) want = KI32;
  kout *o = &p->k.out[p->k.n_out++];
  *o = p->put;
  o->value = plan_convert(p, v, want);
  o->type = (uint8_t)t;
}

/* If even the smallest shape of the kernel is noted to spill registers on this device (pipeline.c), and the array between two
 * kernels is at most FEW bytes more than the first one reads, the plan is full, so that `divide` makes two of it. */
static SELDOM void split_if_it_spills(plan *p) {
  enum { FEW = 1 << 22 };
  if (p->k.kind > KIR_SCAN || p->k.product || p->k.n_loop || err_is(p->c)) return;
  if (!p->g->dev || !pipelines_is_noted(p->g, &p->k, NULL)) return;
  const arr *part = heavy_part(p->root);
  size_t most = plan_bytes_read(p) + FEW;
  if (part != p->root && elt_bytes((elt)part->type, part->count) <= most) plan_full(p);
}

static bool emit_all(plan *p) {
  p->k.kind = p->n_row_nodes ? KIR_ROWS : KIR_MAP;
  if (p->fold) p->k.kind = p->fold->kind->task;
  if (p->fold) p->k.exclusive = p->fold->exclusive;
  if (p->fold) p->k.product = p->fold->factors != NULL;
  if (p->k.product) p->k.digits = p->fold->factors->digits;
  /* A fold is emitted first, so that what feeds it stands before it. */
  if (p->fold && p->fold->kind->fold) p->fold->kind->fold(p, p->fold);
  for (uint32_t i = 0; i < p->n_out; i++) {
    p->first[i] = (uint8_t)p->k.n_out;
    if (p->out[i]->type == ET_C128) emit_parts(p, p->out[i]);
    else emit_output(p, p->out[i], plan_value(p, p->out[i], identity_map));
  }
#define FAST_EMITTED(way) way(p);
#include "../tables/fast.def"
  if (p->k.n_ins >= KIR_MAX_INS || p->k.n_loop >= KIR_MAX_LOOP) p->full = true;
  split_if_it_spills(p);
  return !err_is(p->c);
}

/* Anew, the root and no other reductions. */
bool plan_emit_alone(plan *p) {
  plan was = *p;
  plan_free(p);
  plan_begin(p, was.g, was.root);
  p->fold = was.fold;
  p->rows = was.rows;
  p->len = was.len;
  p->inner = was.inner;
  p->out[0] = p->root;
  p->n_out = 1;
  return emit_all(p);
}

bool plan_emit(plan *p) {
  p->g->epoch++;
  infer(p->g, p->root);
  p->out[0] = p->root;
  p->n_out = 1;
#define FAST_REDUCTIONS(way)                                                             \
  if (p->fold) way(p);
#include "../tables/fast.def"
  if (emit_all(p)) return true;
  if (!p->full || p->n_out == 1) return false;
  err_clear(p->c); /* the others were too much */
  return plan_emit_alone(p);
}

void plan_free(plan *p) {
  kir_free(p->c, &p->k);
  vec_free(p->c, &p->memo);
  vec_free(p->c, &p->whole);
  arr_release(p->table);
}
