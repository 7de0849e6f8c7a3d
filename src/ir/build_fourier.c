/* SPDX-License-Identifier: MIT */
/* build_fourier.c - Fourier transforms. A length that is a product of small primes is a node for a kernel, or
 * the host's loops (prim/fourier.c), by the steps of tables/fourier.h. Any other length n is Bluestein's, with
 * c[k] = exp(-πi k²÷n) and jk = (j² + k² - (k-j)²)÷2:
 *
 *   ∑ y[j] exp(-2πi jk÷n) = c[k] × ∑ (y×c)[j] × conjugate c[k-j]
 *
 * a convolution, which is two transforms of at least 2n-1 numbers and products, all of them functions of this
 * language: so it has the same bits on host and device. */
#include "../base/arith.h"
#include "../prim/fourier.h"
#include "../prim/math.h"
#include "build.h"
#include "plan.h"

/* ── tables ─────────────────────────────────────────────────────────────────────────── */

enum { ROOTS, CHIRP, CHIRP_INVERSE, SPECTRUM, SPECTRUM_INVERSE };
enum { LONGEST_KEPT = 1 << 21 };

static arr *make_spectrum(ctx *c, int64_t n, bool inverse);

static arr *make_table(ctx *c, int64_t n, int what) {
  switch (what) {
  case ROOTS: return prim_fourier_table(c, n);
  case CHIRP:
  case CHIRP_INVERSE: return prim_fourier_chirp(c, n, what == CHIRP_INVERSE);
  default: return make_spectrum(c, n, what == SPECTRUM_INVERSE);
  }
}

/* A table that was made lately, or anew; owned. */
static arr *table_of(const ir_call *call, int64_t n, int what) {
  ir *g = call->g;
  for (int i = 0; i < IR_TABLES; i++)
    if (g->table[i].a && g->table[i].n == n && g->table[i].what == what)
      return arr_retain(g->table[i].a);
  arr *a = make_table(call->env.c, n, what);
  if (!a || a->count > LONGEST_KEPT) return a;
  struct ir_table *to = &g->table[g->table_next++ % IR_TABLES];
  arr_release(to->a);
  *to = (struct ir_table){.n = n, .what = what, .a = arr_retain(a)};
  return a;
}

/* ── products of small primes ───────────────────────────────────────────────────────── */

/* n, whose arguments are at hand, on the host. */
static arr *on_host(prim_env *e, ir_node *n) {
  fourier_call f = {n->y, n->x, n->rows, n->len, n->inner, n->inverse, n->by};
  return prim_fourier(e, &f);
}

static void infer_fourier(ir_node *n) {
  n->row = CLS_C;
  n->ty = KF64;
  n->may_fault = n->leaves_reals = true;
  set_result(n->self, CLS_C, ET_F64, (range){0, 0});
}

/* The error of a number that is not finite: whose fault it is the host finds. */
static kv finite(plan *p, ir_node *n, kv v) {
  kv none = plan_op(p, KOP_SUB, KF64, v, v, 0);
  none = plan_op(p, KOP_NE, KB, none, plan_constant(p, KF64, (kimm){0}), 0);
  plan_op(p, KOP_ERR, KB, none, 0, plan_fault(p, n));
  return v;
}

/* A part of y's element. Complex numbers in memory are fetched by their place, which the template sees. */
static kv part_of(plan *p, arr *y, index_map at) {
  if (y->type == ET_C128 && plan_is_edge(p, y, identity_map)) return plan_get(p, y, at);
  return plan_element(p, y, at, KF64);
}

/* The inverse is the transform of the numbers whose parts are exchanged, exchanged again. */
static void emit_fourier(plan *p, ir_node *n) {
  kacc acc[2] = {{.ty = KF64, .fault = -1}, {.ty = KF64, .fault = -1}};
  index_map at = identity_map;
  kv part[2];
  p->phase = 0;
  for (int im = 0; im < 2; im++) {
    at.im = im;
    acc[im ^ n->inverse].from = part_of(p, n->y, at);
  }
  p->k.roots = (uint8_t)plan_fetched(p, n->x);
  p->phase = 1;
  part[0] = kir_fold(p->c, &p->k, acc, 2);
  part[1] = kir_part(p->c, &p->k, 1);
  kv by = plan_param(p, KF64, (kimm){.f = n->by});
  for (int im = 0; im < 2; im++) {
    at.im = im;
    kv v = plan_op(p, KOP_MUL, KF64, part[im ^ n->inverse], by, 0);
    plan_remember(p, n->self, at, finite(p, n, v));
  }
  vec_push(p->c, &p->whole, n);
}

static KIND(fourier, .infer = infer_fourier, .fold = emit_fourier, .reference = on_host,
            .show = "⎕FFT y", .task = KIR_FOURIER);

static arr *smooth(const ir_call *call, arr *y, int axis, bool inverse, double by) {
  prim_env e = call->env;
  split s = split_at(y, axis);
  OWNED arr *table = table_of(call, s.n, ROOTS);
  if (!table) return NULL;
  ir_node n = {.kind = &kind_fourier, .p = P_COUNT, .x = table, .y = y, .by = by};
  n.rows = s.outer;
  n.len = s.n;
  n.inner = s.inner;
  n.inverse = inverse;
  if (is_for_kernels(call, y, y->count)) return node_new(call, n, y->rank, y->shape);
  if (!ir_host(call->g, y) || !ir_host(call->g, table)) return NULL;
  return on_host(&e, &n);
}

/* ── Bluestein ──────────────────────────────────────────────────────────────────────── */

static int64_t longer(int64_t n) { return next_pow2(2 * n - 1); }

/* The transform of the conjugate roots, the first ones from both ends. */
static arr *make_spectrum(ctx *c, int64_t n, bool inverse) {
  prim_env e = {.c = c};
  int64_t m = longer(n);
  OWNED arr *roots = prim_fourier_chirp(c, n, !inverse), *line = arr_vec(c, ET_C128, m);
  OWNED arr *table = prim_fourier_table(c, m);
  if (!roots || !line || !table || !mem_fill(c, line->host, 0, elt_bytes(ET_C128, m)))
    return NULL;
  const cx *from = roots->host;
  cx *to = line->host;
  for (int64_t k = 0; k < n; k++) {
    if (stops_at(c, k)) return NULL;
    to[k] = from[k];
    if (k) to[m - k] = from[k];
  }
  fourier_call f = {.y = line, .table = table, .rows = 1, .n = m, .inner = 1, .by = 1};
  return prim_fourier(&e, &f);
}

/* y times the table along the axis. */
static arr *times_along(const ir_call *call, arr *y, int axis, arr *table) {
  if (!y || !table) return NULL;
  OWNED arr *all = ir_spread(call, table, y->rank, y->shape, &axis);
  return ir_dyadic(call, P_TIMES, y, all);
}

/* n elements along the axis, of which those behind y's are 0. */
static arr *of_length(const ir_call *call, arr *y, int axis, int64_t n) {
  int64_t shape[ARR_MAX_RANK];
  if (!y) return NULL;
  for (int k = 0; k < y->rank; k++) shape[k] = k == axis ? n : y->shape[k];
  OWNED arr *to = arr_int_vec(call->env.c, y->rank, shape);
  return ir_dyadic(call, P_TAKE, to, y);
}

static arr *bluestein(const ir_call *call, arr *y, int axis, bool inverse, double by) {
  int64_t n = y->shape[axis];
  if (n > INT64_C(1) << 38)
    return err_null(call->env.c, ERR_LIMIT, "⎕FFT: a line of too many numbers");
  int64_t m = longer(n);
  OWNED arr *chirp = table_of(call, n, inverse ? CHIRP_INVERSE : CHIRP);
  OWNED arr *spectrum =
      chirp ? table_of(call, n, inverse ? SPECTRUM_INVERSE : SPECTRUM) : NULL;
  OWNED arr *turned = spectrum ? times_along(call, y, axis, chirp) : NULL;
  OWNED arr *padded = of_length(call, turned, axis, m);
  OWNED arr *there = padded ? smooth(call, padded, axis, false, 1) : NULL;
  OWNED arr *product = times_along(call, there, axis, spectrum);
  OWNED arr *back = product ? smooth(call, product, axis, true, by / (double)m) : NULL;
  OWNED arr *first = of_length(call, back, axis, n);
  return times_along(call, first, axis, chirp);
}

arr *ir_fourier(const ir_call *call, arr *y, int axis, bool inverse, double by) {
  fourier_plan p;
  if (y->shape[axis] < 2 || !y->count) return arr_retain(y);
  if (fourier_plan_of(y->shape[axis], &p)) return smooth(call, y, axis, inverse, by);
  return bluestein(call, y, axis, inverse, by);
}
