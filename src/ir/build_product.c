/* SPDX-License-Identifier: MIT */
/* build_product.c - x f.g y of scalar functions as a node, where a device has x or y or is to have
 * them; else it is computed at once (prim/inner_product.h).
 *
 *   x ─▶ VIEW batch × m × k × n ─┐
 *                                DYAD g ─▶ REDUCE f along k
 *   y ─▶ VIEW batch × m × k × n ─┘
 *
 * All x g y have no memory: the DYAD is the REDUCE's alone, which is at fault for it. What reads x
 * or y turned reads it as it lies. */
#include "../base/arith.h"
#include "../tables/prim_fold.h"
#include "build.h"
#include "cuts.h"
#include "plan.h"

/* An argument: the array that lies in memory, or will, and the steps to its lines' next elements,
 * batches and places of k. */
typedef struct factor {
  arr *a; /* borrowed */
  int64_t from, batch, line, k;
} factor;

/* How rows (x) or columns (y) are read; a view of a matrix, or of lines of one, is read through. */
static factor factor_of(arr *a, bool of_x, const product_sizes *s, bool batches) {
  factor f = {.a = a, .line = 1, .k = s->n};
  int64_t last = of_x ? s->k : s->n;
  if (of_x) f = (factor){.a = a, .line = s->k, .k = 1};
  if (batches) f.batch = s->k * (of_x ? s->m : s->n);
  const ir_node *n = a->node;
  bool turned = n && n->dims == 2 && a->rank == 2 && !batches && n->strided.n[1] == last;
  if (!turned && !(n && is_slice(n) && !batches)) return f;
  f.a = n->y;
  f.from = n->first;
  if (!turned) return f;
  f.line = n->strided.stride[of_x ? 0 : 1];
  f.k = n->strided.stride[of_x ? 1 : 0];
  return f;
}

static arr *spread(const ir_call *call, const factor *f, bool of_x,
                   const product_sizes *s) {
  const int64_t shape[3] = {s->batch * s->m, s->k, s->n};
  ir_node n = {
      .kind = &kind_view, .p = P_RHO, .y = f->a, .first = f->from, .step = 1, .dims = 4};
  n.strided = (kstrided){.n = {s->batch, s->m, s->k, s->n}};
  n.strided.stride[0] = f->batch;
  n.strided.stride[2] = f->k;
  n.strided.stride[of_x ? 1 : 3] = f->line;
  return node_new(call, n, 3, shape);
}

/* The elements of a factor are stored. Floats may turn out to be complex when they are. */
static bool store(const ir_call *call, arr *a) {
  if (elt_is_float((elt)a->type)) return ir_begin(call->g, a);
  return ir_settle(call->g, a);
}

static bool is_kernels(const arr *a, prim g) {
  bool chars = (g == P_EQ || g == P_NE) && elt_is_char((elt)a->type);
  return (is_readable(a, chars) || a->type == ET_C128) && a->count > 1;
}

/* Does f fold elements of that class? Complex ones by sums of both parts. */
static bool folds(prim f, cls of) {
  return of == CLS_C ? f == P_PLUS : fold_of(f, of) != NULL;
}

/* Is f a fold of what g gives of such arguments? */
static bool has_fold(const prim_factors *p, const arr *x, const arr *y) {
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type)) return false;
  cls row = prim_row_of(p->g, true, arguments_class(x, y));
  return row != CLS_NONE && folds(p->f, prim_result(p->g, true, row));
}

static bool is_worth_it(const ir_call *call, const prim_factors *p,
                        const product_sizes *s) {
  enum { LONGEST = INT32_MAX - 65536, EACH = 64 };
  int64_t all;
  if (!call->g->tune.fuse || s->m > LONGEST || s->n > LONGEST || s->k > LONGEST)
    return false;
  if (__builtin_mul_overflow(s->batch * s->m, s->n, &all)) return false;
  if (__builtin_mul_overflow(all, s->k, &all) || all > INT64_MAX / 64) return false;
  all = all / EACH + p->x->count + p->y->count;
  return is_for_kernels(call, p->x, all) || is_for_kernels(call, p->y, all);
}

enum { WORD = 32 };

/* ∨ ∧ of ∧ ∨ on truth values, y's rows being whole words: an element of x is all ones or zeros. */
static bool goes_by_words(const prim_factors *p, const factor *x, const factor *y,
                          const product_sizes *s) {
  bool map = p->g == P_AND || p->g == P_OR || p->g == P_TIMES;
  bool fold = p->f == P_AND || p->f == P_OR;
  bool truths = is_truths(x->a) && is_truths(y->a);
  return map && fold && truths && s->n % WORD == 0 && y->line == 1 && y->k == s->n &&
         y->from == 0;
}

/* The factors, which the node keeps. */
static prim_factors *keep(ctx *c, const prim_factors *p) {
  prim_factors *f = mem_alloc(c, sizeof *f);
  if (!f) return NULL;
  *f = *p;
  arr_retain(f->x);
  arr_retain(f->y);
  return f;
}

/* Finds the range of a's numbers of 16 bits where units for matrices may then make do with fewer products. False: an error. */
static bool look_at_range(const ir_call *call, arr *a, const product_sizes *s) {
  const double much = 1 << 30, all = (double)s->m * (double)s->n * (double)s->k;
  int64_t lo, hi;
  bool worth = a->type == ET_I16 && all >= much && call->g->dev;
  if (!worth || !gpu_get_info(call->g->dev)->matrix) return true;
  return ir_bounds(call, a, &lo, &hi) || !err_is(call->env.c);
}

/* All x g y; NULL without an error: no kernel does it. */
static arr *all_pairs(const ir_call *call, const prim_factors *p, product_sizes *s,
                      bool *words) {
  factor fx = factor_of(p->x, true, s, p->x_frame > 0),
         fy = factor_of(p->y, false, s, p->y_frame > 0);
  /* What a factor is a view of may be held by that view alone, which has its own elements, and
   * lets go, as soon as the other factor needs it. */
  OWNED arr *ax = arr_retain(fx.a), *ay = arr_retain(fy.a);
  if (!store(call, ax) || !store(call, ay)) return NULL;
  if (!is_kernels(fx.a, p->g) || !is_kernels(fy.a, p->g) || !has_fold(p, fx.a, fy.a))
    return NULL;
  *words = goes_by_words(p, &fx, &fy, s);
  if (*words) s->n = fy.k = s->n / WORD;
  if (*words) fy.batch /= WORD;
  enum { WORTH_A_LOOK = 1 << 12 }; /* integers of a small range may do without checks */
  if (!find_range(call, fx.a, WORTH_A_LOOK) || !find_range(call, fy.a, WORTH_A_LOOK))
    return NULL;
  if (!look_at_range(call, fx.a, s) || !look_at_range(call, fy.a, s)) return NULL;
  OWNED arr *x = spread(call, &fx, true, s);
  if (!x) return NULL;
  OWNED arr *y = spread(call, &fy, false, s);
  if (!y) return NULL;
  ir_node n = {.kind = &kind_scalar, .p = p->g, .x = x, .y = y};
  OWNED arr *z = node_new(call, n, 3, x->shape);
  if (!z) return NULL;
  unverified_remove(z->node); /* the product is */
  if (z->node->loops || z->node->row == CLS_NONE) return NULL;
  return arr_move(&z);
}

static arr *product_node(const ir_call *call, const prim_factors *p) {
  product_sizes s;
  if (!product_measure(call->env.c, p, &s) || !is_worth_it(call, p, &s)) return NULL;
  bool words;
  OWNED arr *z = all_pairs(call, p, &s, &words);
  if (!z || !folds(p->f, cls_of((elt)z->type))) return NULL;
  ir_node n = {.kind = &kind_reduce, .p = p->f, .y = z, .axis = 1};
  n.rows = s.batch * s.m;
  n.len = s.k;
  n.inner = s.n;
  n.words = words;
  n.factors = keep(call->env.c, p);
  if (!n.factors) return NULL;
  arr *r = node_new(call, n, s.rank, s.shape);
  if (!r) {
    arr_release(n.factors->x);
    arr_release(n.factors->y);
    mem_free(call->env.c, n.factors);
    return NULL;
  }
  z->node->of = r->node;
  if (z->node->may_fault && !r->node->listed) unverified_add(r->node);
  return r;
}

arr *ir_product(const ir_call *call, const prim_factors *p) {
  bool is_long = max_i64(p->x->count, p->y->count) > call->g->cut_above;
  arr *r = is_long ? call->g->cuts->product(call, p) : NULL;
  if (r || err_is(call->env.c)) return r;
  r = product_node(call, p);
  if (r || err_is(call->env.c)) return r;
  if (!ir_host(call->g, p->x) || !ir_host(call->g, p->y)) return NULL;
  prim_env e = call->env;
  return prim_product(&e, p);
}

/* What is longer than half a GB is a node, which may need no memory. */
arr *ir_outer_truths(const ir_call *call, prim f, const arr *x, const arr *y) {
  const int64_t most = (int64_t)1 << 32;
  bool truths = x->type == ET_BIT && y->type == ET_BIT && x->host && y->host;
  int64_t n;
  if (!truths || __builtin_mul_overflow(x->count, y->count, &n) || n > most) return NULL;
  if (x->dev || y->dev || is_for_kernels(call, y, n)) return NULL;
  prim_env e = call->env;
  return prim_try_outer_truths(&e, f, x, y);
}
