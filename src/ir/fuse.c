/* SPDX-License-Identifier: MIT */
/* fuse.c - from a pending array to one kernel: what is drawn in, and its instructions.
 *
 * A region is the root and every pending node below it that the kernel can compute on the
 * way. Three strided maps, in this order, over the same region:
 *
 *   prepare   finds the region's edge. What must be in memory first (a reduction, a second
 *             scan, a value that was computed twice already and is still held) is forced.
 *   infer     types and ranges, from the edge up (infer.c)
 *   emit      instructions; an element of a node is asked for where a route leads in its
 *             ravel, so views cost index arithmetic in the readers below them
 *
 * A root that is a reduction or a scan, or a map above one scan, has a FOLD: `phase` 0 emits
 * what feeds it, phase 1 what comes behind. */
#include "graph.h"
#include <float.h>
#include <string.h>

/* ── the edge of the region ── */

static int64_t domain(const plan *p) { return p->rows * p->len * p->inner; }

static bool
costly(const arr *a) { /* does computing it again read memory, or much work? */
  if (!is_pending(a)) return a->count > 1;
  const ir_node *n = a->node;
  return n->weight > 600 || (n->x && costly(n->x)) || (n->y && costly(n->y));
}

/* Is a held by something besides the region that is being planned, and asked for again? */
static bool asked_again(const arr *a) {
  const ir_node *n = a->node;
  return n->forced > 0 && a->refs > 1u + n->listed && costly(a);
}

static const route straight = {NULL, 0, 1};
static bool same_path(route a, route b) {
  return a.strided == b.strided && a.off == b.off && a.step == b.step;
}

/* Would a be computed again for many elements of a view that repeats it? */
static bool repeated(const plan *p, const arr *a) {
  return a->count < domain(p) && a->node->kind != N_VIEW && a->node->kind != N_FILL;
}

static bool is_edge(const plan *p, const arr *a, route at) {
  if (!is_pending(a)) return true;
  if (a == p->root) return false;
  const ir_node *n = a->node;
  if (n->kind == N_REDUCE || (n->kind == N_SCAN && n != p->fold)) return true;
  bool direct = same_path(at, straight);
  if (n == p->fold) return !direct;
  bool turned =
      n->kind == N_VIEW && (n->first != 0 || n->step != 1); /* a new shape is none */
  if (p->rows * p->inner > 1 &&
      (n->kind == N_IOTA || (!at.strided && (turned || !direct))))
    return true;
  if (at.strided && (n->kind == N_IOTA || n->dims || repeated(p, a))) return true;
  if (n->dims && !direct) return true;
  return n->kind != N_IOTA && n->kind != N_FILL && asked_again(a);
}

static route through_view(const ir_node *n, route at) {
  return (route){n->dims ? n : at.strided, n->first + n->step * at.off,
                 n->step * at.step};
}

static bool prepare(plan *p, arr *a, route at) {
  if (is_edge(p, a, at)) return !is_pending(a) || force(p->g, a, p->dry, p->out);
  ir_node *n = a->node;
  if (n->kind == N_VIEW) at = through_view(n, at);
  return (!n->x || prepare(p, n->x, at)) && (!n->y || prepare(p, n->y, at));
}

/* The first scan below a map root that nobody else needs: the map can run behind it. */
static ir_node *find_scan(const arr *root, arr *a) {
  ir_node *n = a->node;
  if (!n) return NULL;
  if (n->kind == N_SCAN) return a->refs == 1u + n->listed ? n : NULL;
  if ((n->kind != N_MONAD && n->kind != N_DYAD) || (a != root && asked_again(a)))
    return NULL;
  ir_node *s = n->x ? find_scan(root, n->x) : NULL;
  return s ? s : find_scan(root, n->y);
}

/* ── pieces of a kernel ── */

static kv add(plan *p, kop op, kty ty, kv a, kv b, int64_t imm) {
  return kir_add(
      p->c, &p->k,
      (kins){.op = (uint8_t)op, .ty = (uint8_t)ty, .a = a, .b = b, .imm.i = imm});
}

static kty type_at(const plan *p, kv v) {
  return v < p->k.n_ins ? (kty)p->k.ins[v].ty : KB;
}

static kv convert(plan *p, kv v, kty to) {
  return type_at(p, v) == to ? v : add(p, KOP_CVT, to, v, 0, 0);
}

static void full(plan *p) {
  p->full = true;
  err_set(p->c, ERR_LIMIT, "the expression is too large for one kernel");
}

static kv param(plan *p, kty ty, kimm value) {
  if (p->k.n_param == KIR_MAX_PARAM) return full(p), (kv)0;
  uint32_t i = p->k.n_param++;
  p->k.param[i] = (uint8_t)ty;
  p->param[i] = value;
  return add(p, KOP_PARAM, ty, 0, 0, i);
}

/* The one element of a as a scalar of the kernel, converted here as CVT would. */
static kv scalar(plan *p, const arr *a, kty ty) {
  kimm v = {0};
  if (a->host) {
    bool real = elt_is_float((elt)a->type);
    if (ty == KF64) v.f = arr_get_float(a, 0);
    else if (ty == KF32)
      v.f = (double)(real ? (float)arr_get_float(a, 0) : (float)arr_get_int(a, 0));
    else if (real) v.i = (int64_t)arr_get_float(a, 0);
    else v.i = ty == KB ? arr_get_int(a, 0) != 0 : arr_get_int(a, 0);
  }
  return param(p, ty, v);
}

static int fault_of(plan *p, ir_node *n) {
  for (uint32_t s = 0; s < p->k.n_fault; s++)
    if (p->fault[s] == n) return (int)s;
  if (p->k.n_fault == KIR_MAX_FAULT) return full(p), 0;
  p->fault[p->k.n_fault] = n;
  return (int)p->k.n_fault++;
}

/* The number of a strided in the kernel: strided maps of equal strides and lengths share one. */
static uint8_t strided_of(plan *p, const ir_node *n) {
  uint8_t i = 0;
  while (i < p->k.n_strided &&
         (p->strided[i]->dims != n->dims ||
          memcmp(&p->strided[i]->strided, &n->strided, sizeof n->strided) != 0))
    i++;
  if (i == KIR_MAX_STRIDED) return full(p), (uint8_t)0;
  if (i == p->k.n_strided) {
    p->strided[i] = n;
    p->k.strided[i] = n->dims;
    p->k.n_strided++;
  }
  return i;
}

static kv leaf(plan *p, arr *a, route at) {
  kin in = {.type = a->type, .view = same_path(at, straight) ? KV_FLAT : KV_STEP};
  uint32_t i = 0;
  while (i < p->k.n_in && (p->in[i] != a || !same_path(p->at[i], at))) i++;
  if (i == KIR_MAX_IN) return full(p), (kv)0;
  if (i == p->k.n_in) {
    if (at.strided) in.view = (uint8_t)(KV_STRIDED + strided_of(p, at.strided));
    p->k.n_in++;
    p->in[i] = a;
    p->at[i] = at;
    p->k.in[i] = in;
  }
  return add(p, KOP_ARG, kir_arg_type((elt)a->type), 0, 0, i);
}

/* ⎕CT, for the rows that compare f64 within it. */
static kv tolerance(plan *p, const ir_node *n) {
  if (n->ty != KF64 ||
      !(prim_faults(n->p, n->kind == N_DYAD, n->row, n->float_variant, n->no_overflow) &
        PRIM_TOLERANT))
    return 0;
  for (uint32_t i = 0; i < p->memo.n; i++) /* one parameter for one ⎕CT and phase */
    if (!p->memo.at[i].a && p->memo.at[i].phase == p->phase &&
        p->param[p->memo.at[i].at.off].f == n->ct)
      return p->memo.at[i].v;
  kv v = param(p, KF64, (kimm){.f = n->ct});
  plan_memo m = {
      .a = NULL, .at.off = (int64_t)p->k.n_param - 1, .phase = p->phase, .v = v};
  vec_push(p->c, &p->memo, m);
  return v;
}

/* ── emit ── */

static kv emit(plan *p, arr *a, route at);

/* a's element in a wanted type. */
static kv emit_as(plan *p, arr *a, route at, kty ty) {
  if (a->count == 1 && domain(p) > 1 && is_edge(p, a, at)) return scalar(p, a, ty);
  if (is_pending(a) && a->node->kind == N_FILL) return scalar(p, a->node->y, ty);
  kv v = emit(p, a, at);
  return convert(p, v, ty);
}

static kv emit_iota(plan *p, const ir_node *n, route at) {
  const arr *a = n->self;
  bool narrow =
      a->has_range && a->lo >= INT32_MIN && a->hi < INT32_MAX && a->count < INT32_MAX;
  kty ty = narrow ? KI32 : KI64;
  kv v = add(p, KOP_IOTA, ty, 0, 0, 0);
  int64_t by = n->step * at.step;
  if (by != 1) v = add(p, KOP_MUL, ty, v, param(p, ty, (kimm){.i = by}), 0);
  return add(p, KOP_ADD, ty, v, param(p, ty, (kimm){.i = n->first + n->step * at.off}),
             0);
}

/* Raises an escape where a float fold left the finite numbers, or a product underflowed. */
static void check_float_fold(plan *p, ir_node *n, kv r) {
  kty ty = type_at(p, r);
  if (!kty_is_float(ty)) return;
  kins limit = {.op = KOP_CONST,
                .ty = (uint8_t)ty,
                .imm.f = ty == KF32 ? (double)FLT_MAX : DBL_MAX};
  kv mag = add(p, KOP_ABS, ty, r, 0, 0);
  kv ok = add(p, KOP_LE, KB, mag, kir_add(p->c, &p->k, limit), 0);
  if (p->k.fold == KF_MUL) {
    kins tiny = {.op = KOP_CONST,
                 .ty = (uint8_t)ty,
                 .imm.f = ty == KF32 ? (double)FLT_MIN : DBL_MIN};
    ok = add(p, KOP_AND, KB, ok, add(p, KOP_GE, KB, mag, kir_add(p->c, &p->k, tiny), 0),
             0);
  }
  add(p, KOP_ESC, KB, add(p, KOP_NOT, KB, ok, 0, 0), 0, fault_of(p, n));
}

/* Gives up on the plan for a node that only the direct route can compute. */
static kv odd(plan *p, ir_node *n) {
  if (!err_is(p->c)) p->odd = n;
  err_set(p->c, ERR_NONCE, "no kernel computes this");
  return 0;
}

static kv odd_place(plan *p) { /* is the position along the axis odd? */
  kty ty = p->len < INT32_MAX ? KI32 : KI64;
  kins one = {.op = KOP_CONST, .ty = (uint8_t)ty, .imm.i = 1};
  kv i = add(p, KOP_IOTA, ty, 0, 0, 0);
  return convert(p, add(p, KOP_AND, ty, i, kir_add(p->c, &p->k, one), 0), KB);
}

/* -/ is a sum in which every second element is negative. What has no negative escapes, and goes
 * the direct path. */
static kv alternate(plan *p, ir_node *n, kv v) {
  kins zero = {.op = KOP_CONST, .ty = (uint8_t)n->ty};
  bool safe = !n->faulty || n->ty == KI32;
  kv minus = add(p, safe ? KOP_SUB : KOP_SUBO, n->ty, kir_add(p->c, &p->k, zero), v,
                 safe ? 0 : fault_of(p, n));
  kins sel = {.op = KOP_SEL, .ty = (uint8_t)n->ty, .a = odd_place(p), .b = minus, .c = v};
  return kir_add(p->c, &p->k, sel);
}

/* ≠/ and =/ of truth values, from their sum: is it odd; and = is ≠ but for n - 1 negations. */
static kv parity(plan *p, const ir_node *n, kv sum) {
  kins one = {.op = KOP_CONST, .ty = KI64, .imm.i = 1};
  kv odd = convert(p, add(p, KOP_AND, KI64, sum, kir_add(p->c, &p->k, one), 0), KB);
  if (n->p == P_NE) return odd;
  if (n->kind == N_SCAN) return add(p, KOP_XOR, KB, odd, odd_place(p), 0);
  return n->len % 2 ? odd : add(p, KOP_NOT, KB, odd, 0, 0);
}

static kv emit_fold(plan *p, ir_node *n) {
  if (n->row == CLS_NONE) return odd(p, n);
  p->phase = 0;
  kv v = emit_as(p, n->y, straight, n->ty);
  p->k.fold = fold_monoid(n);
  p->k.wide = n->wide_sum;
  kty ty = n->ty;
  bool counts = p->k.fold == KF_ADD && ty == KB;
  if (n->p == P_MINUS) v = alternate(p, n, v);
  if (counts) v = convert(p, v, ty = KI32);
  p->phase = 1;
  if (p->k.fold == KF_ADD && kty_is_int(ty)) ty = n->wide_sum && n->wide ? KF64 : KI64;
  bool escapes = kty_is_int(n->ty) && n->faulty;
  v = add(p, KOP_FOLD, ty, v, 0, escapes ? fault_of(p, n) : 0);
  if (n->faulty && !kty_is_int(n->ty)) check_float_fold(p, n, v);
  return counts ? parity(p, n, v) : v;
}

/* x*2 and x*0.5. The body of * says that they are x×x and the square root of x, and that only
 * a negative x escapes: the other three hundred operations of it need not be emitted. */
static bool emit_short_power(plan *p, ir_node *n, route at, kv *r) {
  double e = short_exponent(n->p, n->y);
  if (n->kind != N_DYAD || n->row < CLS_I || e == 0) return false;
  kv x = emit_as(p, n->x, at, n->ty);
  int fault = n->faulty ? fault_of(p, n) : 0;
  if (e == 2) {
    *r = prim_lower(p->c, &p->k, P_TIMES, true, n->row, false, x, x, 0, fault,
                    n->no_overflow);
    return true;
  }
  kv zero = kir_add(p->c, &p->k, (kins){.op = KOP_CONST, .ty = (uint8_t)n->ty});
  add(p, KOP_ESC, KB, add(p, KOP_LT, KB, x, zero, 0), 0, fault);
  *r = add(p, KOP_SQRT, n->ty, x, 0, 0);
  return true;
}

static kv emit_node(plan *p, ir_node *n, route at) {
  if (class_of(n->self) == CLS_C) return odd(p, n);
  switch (n->kind) {
  case N_IOTA: return emit_iota(p, n, at);
  case N_FILL: return scalar(p, n->y, kir_arg_type((elt)n->y->type));
  case N_VIEW: return emit(p, n->y, through_view(n, at));
  case N_REDUCE:
  case N_SCAN: return emit_fold(p, n);
  default: break;
  }
  if (n->row == CLS_NONE) return odd(p, n);
  kv r;
  if (emit_short_power(p, n, at, &r)) return r;
  kv x = n->x ? emit_as(p, n->x, at, n->ty) : 0;
  kv y = emit_as(p, n->y, at, n->ty);
  int fault = n->faulty ? fault_of(p, n) : 0;
  /* It has come to stand beside f32 only when ⌈ or ⌊ of that escaped: build.c could not know. */
  if (n->ty == KF32 && (beyond_f32(n->x) || beyond_f32(n->y)))
    add(p, KOP_ERR, KB, add(p, KOP_CONST, KB, 0, 0, 1), 0, fault_of(p, n));
  kv ct = tolerance(p, n);
  return prim_lower(p->c, &p->k, n->p, n->kind == N_DYAD, n->row, n->float_variant, x, y,
                    ct, fault, n->no_overflow);
}

static kv emit(plan *p, arr *a, route at) {
  if (err_is(p->c)) return 0;
  for (size_t i = 0; i < p->memo.n; i++) {
    const plan_memo *m = &p->memo.at[i];
    if (m->a == a && same_path(m->at, at) && m->phase == p->phase) return m->v;
  }
  if (is_edge(p, a, at)) {
    if (a->count == 1) return scalar(p, a, kir_arg_type((elt)a->type));
    return leaf(p, a, at);
  }
  kv v = emit_node(p, a->node, at);
  plan_memo m = {.a = a, .at = at, .phase = p->phase, .v = v};
  vec_push(p->c, &p->memo, m);
  bool all = at.strided ? at.step == 1 && at.off == at.strided->first
                        : at.step == 1 || at.step == -1;
  if (all && (a->count == domain(p) || a->node == p->fold))
    vec_push(p->c, &p->whole, a->node);
  return v;
}

static void output(plan *p, kv v) {
  elt t = (elt)p->root->type;
  kty have = type_at(p, v), want = have;
  if (t == ET_BIT) want = KB;
  else if (elt_is_float(t)) want = kir_arg_type(t);
  else if (have == KB) want = KI32;
  p->k.out[0] = (kout){.value = convert(p, v, want), .type = (uint8_t)t};
  p->k.n_out = 1;
}

/* The fold and the edge. Forcing one thing may compute another that was taken to be inside (the
 * scan itself, or a value that is held and was met before): again, until nothing is forced. */
static bool find_region(plan *p) {
  ir_node *n = p->root->node;
  uint64_t before;
  do {
    before = p->g->dropped;
    p->fold = n->kind == N_REDUCE || n->kind == N_SCAN ? n
              : p->g->tune.fuse                        ? find_scan(p->root, p->root)
                                                       : NULL;
    p->rows = p->fold ? p->fold->rows : 1;
    p->len = p->fold ? p->fold->len : p->root->count;
    p->inner = p->fold ? p->fold->inner : 1;
    if (!prepare(p, p->root, straight)) return false;
  } while (p->g->dropped != before);
  return true;
}

bool plan_make(plan *p, ir *g, arr *root, bool dry, str *out) {
  *p = (plan){.g = g, .c = g->c, .root = root, .dry = dry, .out = out};
  ir_node *n = root->node;
  if (!find_region(p)) return false;
  g->epoch++;
  infer(g, root);
  p->k.kind = !p->fold ? KIR_MAP : p->fold->kind == N_REDUCE ? KIR_REDUCE : KIR_SCAN;
  /* A fold below a map root is emitted first, so that what feeds it stands before it. */
  if (p->fold && p->fold != n) {
    kv v = emit_fold(p, p->fold);
    plan_memo m = {.a = p->fold->self, .at = straight, .phase = 1, .v = v};
    vec_push(p->c, &p->memo, m);
    vec_push(p->c, &p->whole, p->fold);
  }
  output(p, emit(p, root, straight));
  if (p->k.n_ins >= KIR_MAX_INS) p->full = true;
  return !err_is(p->c);
}

void plan_free(plan *p) {
  kir_free(p->c, &p->k);
  vec_free(p->c, &p->memo);
  vec_free(p->c, &p->whole);
}
