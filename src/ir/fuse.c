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
#include <float.h>
#include <string.h>
#include "../kir/lower.h"
#include "join.h"
#include "plan.h"
#include "../array/element.h"

/* ── what has to be made first ── */

static arr *edge_itself(arr *a, int *k) {
  if (!is_pending(a) || is_linked(a)) return NULL;
  return (*k)-- == 0 ? a : NULL;
}

/* The argument of ⌊ ⌈ × of complex numbers: only where it is known to be real, all of it, they give
 * integers. */
static arr *undecided(const ir_node *n) {
  bool dyadic = n->x != NULL;
  if (!n->kind->scalar || n->fn || n->row != CLS_C) return NULL;
  if (prim_result(n->p, dyadic, CLS_F) > CLS_I) return NULL;
  return prim_result(n->p, dyadic, CLS_C) > CLS_I ? n->y : NULL;
}

/* The pending array at the edge below a which has *k others before it; NULL: there are no
 * more, and *k is less by those that there are. */
static arr *edge_below(const plan *p, arr *a, index_map at, int *k) {
  if (plan_is_edge(p, a, at)) return edge_itself(a, k);
  ir_node *n = a->node;
  arr *edge = undecided(n);
  if (edge) edge = edge_itself(edge, k);
  if (!edge && n->x) edge = edge_below(p, n->x, plan_below(p, n, true, at), k);
  if (!edge && n->y) edge = edge_below(p, n->y, plan_below(p, n, false, at), k);
  return edge;
}

/* The first scan below a map root that nobody else needs: the map can run behind it. */
static ir_node *find_scan(const arr *root, arr *a) {
  ir_node *n = a->node;
  if (!n) return NULL;
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

static void find_fold(plan *p) {
  ir_node *n = p->root->node;
  p->n_row_nodes = 0;
  p->near = 0;
  p->relaxed = false;
  p->fold = NULL;
  p->rows = p->inner = 1;
  p->len = n->kind->puts ? n->x->count : p->root->count;
  if (n->kind->task != KIR_MAP) p->fold = n;
  else if (p->g->tune.fuse) p->fold = find_scan(p->root, p->root);
  if (!p->fold) {
    plan_find_rows(p);
    if (!p->n_row_nodes) plan_find_near(p);
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
    arr *x = a->node->x, *y = a->node->y;
    if (weight_of(x) > weight_of(y)) a = x;
    else if (weight_of(y)) a = y;
    else break;
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
  kv near;
  if (!at.strided && !steps && plan_near_itself(p, a, &near)) return near;
  while (i < p->k.n_in && !reads_same(p, i, a, at)) i++;
  if (i == KIR_MAX_IN) return (kv)plan_full(p);
  if (i == p->k.n_in) plan_input(p, a, at, view_kind(p, a, at));
  if (at.strided && at.quads) p->k.quads |= 1u << i;
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

static bool is_tolerant(const ir_node *n) {
  return n->ty == KF64 && (n->faults & PRIM_TOLERANT);
}

/* ⎕CT, for the rows that compare f64 within it: one parameter for one ⎕CT and phase. */
static kv tolerance(plan *p, const ir_node *n) {
  if (!is_tolerant(n)) return 0;
  for (uint32_t i = 0; i < p->memo.n; i++) {
    const plan_memo *m = &p->memo.at[i];
    if (!m->a && m->phase == p->phase && p->param[m->at.off].f == n->ct) return m->v;
  }
  kv v = plan_param(p, KF64, (kimm){.f = n->ct});
  plan_memo m = {.at.off = (int64_t)p->k.n_param - 1, .phase = p->phase, .v = v};
  vec_push(p->c, &p->memo, m);
  return v;
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

static kv emit_iota(plan *p, const ir_node *n, index_map at) {
  const arr *a = n->self;
  bool narrow =
      a->has_range && a->lo >= INT32_MIN && a->hi < INT32_MAX && a->count < INT32_MAX;
  kty ty = narrow ? KI32 : KI64;
  if (!at.computed && !at.strided && plan_is_line(p))
    return plan_position(p, ty, n->first + n->step * at.off, n->step * at.step);
  kv v = plan_place(p, at, ty);
  if (n->step != 1)
    v = plan_op(p, KOP_MUL, ty, v, plan_param(p, ty, (kimm){.i = n->step}), 0);
  if (!n->first) return v;
  return plan_op(p, KOP_ADD, ty, v, plan_param(p, ty, (kimm){.i = n->first}), 0);
}

static kv emit_roll(plan *p, const ir_node *n, index_map at) {
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
  const int64_t how[5] = {arr_get_int(n->y, 0), n->len, n->rows, n->first, n->step};
  kv v[5];
  for (int i = 0; i < 5; i++) v[i] = plan_param(p, KI64, (kimm){.i = how[i]});
  return deal_lower(p->c, &p->k, plan_place(p, at, KI64), v, plan_fault(p, n));
}

/* Gives up on the plan for a node that only the reference path computes. */
kv plan_unsupported(plan *p, ir_node *n) {
  if (!err_is(p->c)) p->unsupported = n;
  err_set(p->c, ERR_NONCE, "no kernel computes this");
  return 0;
}

/* x*2 and x*0.5. The body of * says that they are x×x and the square root of x, and that
 * only a negative x escapes: the other three hundred operations of it need not be
 * emitted. */
static kv emit_short_power(plan *p, ir_node *n, index_map at) {
  kv x = plan_element(p, n->x, at, n->ty);
  int fault = plan_fault_if_any(p, n);
  if (short_exponent(n->p, n->y) == 2) {
    prim_body times = infer_body(n);
    times.p = P_TIMES;
    return prim_lower(p->c, &p->k, &times, &(prim_values){x, x, .fault = fault});
  }
  kv zero = plan_constant(p, n->ty, (kimm){0});
  plan_op(p, KOP_ESC, KB, plan_op(p, KOP_LT, KB, x, zero, 0), 0, fault);
  return plan_op(p, KOP_SQRT, n->ty, x, 0, 0);
}

/* Raises an escape where the argument a is an integer that f64 does not hold. */
static void check_exact(plan *p, ir_node *n, arr *a, index_map at) {
  kv v = plan_value(p, a, at);
  if (plan_type(p, v) != KI64) return;
  kv most = plan_constant(p, KI64, (kimm){.i = F64_WHOLE});
  kv least = plan_constant(p, KI64, (kimm){.i = -F64_WHOLE});
  kv above = plan_op(p, KOP_GT, KB, v, most, 0);
  kv out = plan_op(p, KOP_OR, KB, above, plan_op(p, KOP_LT, KB, v, least, 0), 0);
  plan_op(p, KOP_ESC, KB, out, 0, plan_fault(p, n));
}

static bool is_linked_f64(const arr *a) {
  return a && in_results(a) && a->type == ET_F64;
}

/* In which a map's function takes elements of a (kir/expr.h). */
static kty class_type_of(const arr *a) {
  if (a->type == ET_BIT) return KB;
  return elt_is_float((elt)a->type) ? kir_arg_type((elt)a->type) : KI64;
}

static kv emit_map(plan *p, ir_node *n, index_map at) {
  kv args[2] = {0, plan_element(p, n->y, at, class_type_of(n->y))};
  if (n->x) args[0] = plan_element(p, n->x, at, class_type_of(n->x));
  return join_emit_map(p, n, args);
}

/* Both parts of n's element are remembered. */
static kv emit_complex(plan *p, ir_node *n, index_map at) {
  prim_values v = {.fault = plan_fault(p, n), .ct = tolerance(p, n)};
  prim_body body = infer_body(n);
  index_map re = at, im = at;
  re.im = false;
  im.im = true;
  if (n->x) v.x = plan_element(p, n->x, re, KF64);
  if (n->x) v.x_im = plan_element(p, n->x, im, KF64);
  double exponent = n->x ? short_exponent(n->p, n->y) : 0;
  if (exponent != 0) {
    body.p = exponent == 2 ? P_TIMES : P_ROOT;
    body.dyadic = exponent == 2;
    v.y = v.x;
    v.y_im = v.x_im;
  } else {
    v.y = plan_element(p, n->y, re, KF64);
    v.y_im = plan_element(p, n->y, im, KF64);
  }
  kv part[2];
  part[0] = prim_lower_complex(p->c, &p->k, &body, &v, &part[1]);
  plan_remember(p, n->self, re, part[0]);
  if (n->self->type == ET_C128) plan_remember(p, n->self, im, part[1]);
  return part[at.im];
}

static kv emit_scalar(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  if (n->fn) return emit_map(p, n, at);
  if (n->row == CLS_C) return emit_complex(p, n, at);
  if (n->x && n->row >= CLS_I && short_exponent(n->p, n->y) != 0)
    return emit_short_power(p, n, at);
  kv x = 0;
  if (n->x) x = plan_element(p, n->x, at, n->ty);
  kv y = plan_element(p, n->y, at, n->ty);
  int fault = plan_fault_if_any(p, n);
  if (n->inexact && n->x) check_exact(p, n, n->x, at);
  if (n->inexact) check_exact(p, n, n->y, at);
  if (n->ty == KF32 && (is_linked_f64(n->x) || is_linked_f64(n->y)))
    return plan_unsupported(p, n); /* whether f32 can hold it is not known yet */
  /* It has come to stand beside f32 only when ⌈ or ⌊ of that escaped: build.c could not
   * know. */
  if (n->ty == KF32 && (beyond_f32(n->x) || beyond_f32(n->y)))
    plan_op(p, KOP_ERR, KB, plan_constant(p, KB, (kimm){.i = 1}), 0, plan_fault(p, n));
  prim_body body = infer_body(n);
  prim_values v = {x, y, .ct = tolerance(p, n), .fault = fault};
  return prim_lower(p->c, &p->k, &body, &v);
}

/* A finite f64 that is none as an f32 is an error. */
static kv emit_convert(plan *p, ir_node *n, index_map at) {
  if (n->may_fault) {
    kv size = plan_op(p, KOP_ABS, KF64, plan_element(p, n->y, at, KF64), 0, 0);
    kv least = plan_constant(p, KF64, (kimm){.f = 0x1.ffffffp127});
    kv most = plan_constant(p, KF64, (kimm){.f = DBL_MAX});
    kv large = plan_op(p, KOP_GE, KB, size, least, 0);
    kv finite = plan_op(p, KOP_LE, KB, size, most, 0);
    plan_op(p, KOP_ERR, KB, plan_op(p, KOP_AND, KB, large, finite, 0), 0,
            plan_fault(p, n));
  }
  return plan_element(p, n->y, at, kir_arg_type(n->as));
}

static kv emit_node(plan *p, ir_node *n, index_map at) {
  switch (n->kind->number) {
  case N_IOTA: return emit_iota(p, n, at);
  case N_ROLL: return emit_roll(p, n, at);
  case N_DEAL: return emit_deal(p, n, at);
  case N_FILL: return plan_scalar(p, n->y, kir_arg_type((elt)n->y->type), at.im);
  case N_VIEW: return plan_viewed(p, n, at);
  case N_PARTS: return plan_parts(p, n, at);
  case N_INDEX: return plan_index(p, n, at);
  case N_COMPRESS: return plan_compress(p, n);
  case N_SEARCH: return plan_search(p, n, at);
  case N_CONVERT: return emit_convert(p, n, at);
  case N_PUT: return plan_put(p, n);
  case N_LOOKUP: return plan_lookup(p, n, at);
  case N_FIND: return plan_find(p, n, at);
  case N_RUNS: return plan_runs(p, n, at);
  case N_REDUCE: return plan_row_fold(p, n); /* another has been emitted, or is an edge */
  case N_ITEMS:
  case N_SCAN:
  case N_ORDER: return plan_unsupported(p, n);
  case N_SCALAR: break;
  }
  return emit_scalar(p, n, at);
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
  kv v;
  if (!plan_find_equal(p, a, at, &v)) v = emit_node(p, a->node, at);
  plan_remember(p, a, at, v);
  /* Elements between segments are not computed. */
  if (plan_has_segments(p) && a->node != p->fold) return v;
  int64_t domain = a->node == p->fold ? a->count : plan_domain(p);
  if (at.im) return v;
  if (plan_reaches_all(at, a->node, domain) || plan_of_row(p, a->node, at))
    vec_push(p->c, &p->whole, a->node);
  return v;
}

bool is_by_value(const ir_node *n) { return !n->kind->typed; }

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
    if (!im || !is_by_value(a->node)) continue;
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

static kir_kind kind_of(const plan *p) {
  if (!p->fold) return p->n_row_nodes ? KIR_ROWS : KIR_MAP;
  return p->fold->kind->task;
}

static bool emit_all(plan *p) {
  p->k.kind = kind_of(p);
  if (p->fold) p->k.exclusive = p->fold->exclusive;
  if (p->fold) p->k.product = p->fold->factors != NULL;
  if (p->k.product) p->k.fast = p->fold->factors->fast;
  /* A fold is emitted first, so that what feeds it stands before it. */
  if (p->fold && p->fold->kind != &kind_compress) plan_folds(p);
  for (uint32_t i = 0; i < p->n_out; i++) {
    p->first[i] = (uint8_t)p->k.n_out;
    if (p->out[i]->type == ET_C128) emit_parts(p, p->out[i]);
    else emit_output(p, p->out[i], plan_value(p, p->out[i], identity_map));
  }
  plan_relax(p);
  if (p->k.n_ins >= KIR_MAX_INS || p->k.n_loop >= KIR_MAX_LOOP) p->full = true;
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
  if (p->fold) plan_take_others(p);
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

uint64_t plan_bytes_read(const plan *p) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    int64_t count = p->in[i]->count;
    if (i && p->in[i] == p->in[i - 1]) continue; /* the other parts */
    if (i + 1 != p->k.segments && plan_domain(p) < count) count = plan_domain(p);
    n += elt_bytes((elt)p->in[i]->type, count);
  }
  return n;
}

uint64_t plan_bytes_written(const plan *p) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->n_out; i++) {
    int64_t count = p->out[i]->count;
    if (plan_into(p)) count = plan_domain(p);
    n += elt_bytes((elt)p->out[i]->type, count);
  }
  return n;
}
