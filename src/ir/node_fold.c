/* SPDX-License-Identifier: MIT */
/* node_fold.c - reductions and scans: types, the FOLD of their kernel, what feeds it and what they make
 * of what it gives. Sums, products and extremes are monoids; ∧ ∨ ≠ = of truth values come of their
 * sums; a float result that left the finite numbers raises an escape.
 *
 *     x ─▶ alternate, masked ─▶ FOLD ─▶ parity, checks ─▶ f/x */
#include <float.h>
#include <math.h>
#include "../codegen/codegen.h"
#include "../kir/folds.h"
#include "join.h"
#include "../array/convert.h"
#include "../prim/axis.h"
#include "../tables/prim_fold.h"
#include "plan.h"

/* ── types and ranges ── */

/* The range of all sums of up to n->len integers of range y. In -/ every second one is
 * negative. */
static range sum_range(const ir_node *n, range y, bool negates) {
  range all = {y.lo * n->len, y.hi * n->len};
  if (n->x) all = (range){range_least(all.lo, 0), range_most(all.hi, 0)};
  if (negates) {
    all.hi = (range_most(y.hi, 0) - range_least(y.lo, 0)) * (n->len / 2 + 1);
    all.lo = -all.hi;
  }
  if (n->kind->task == KIR_REDUCE) return all;
  if (n->exclusive) y = (range){0, 0};
  return (range){range_least(y.lo, all.lo), range_most(y.hi, all.hi)};
}

static void infer_integer_sum(ir_node *n, bool negates) {
  range y = range_of(n->y), r = sum_range(n, y, negates);
  /* A negated element may not fit. */
  bool narrow = range_in32(y) && !(negates && y.lo == INT32_MIN);
  n->wide_sum = !range_in64(r);
  if (n->wide_sum) r = range_i64();
  n->may_fault = (n->wide_sum && !n->wide) || (negates && y.lo == INT64_MIN);
  n->ty = class_type(CLS_I, ET_F64, narrow);
  set_result(n->self, n->wide ? CLS_F : CLS_I, ET_F64, r);
}

static void infer_fold(ir_node *n) {
  if (n->seeks) {
    infer_seek(n);
    return;
  }
  if (n->fn) {
    range y = range_of(n->y);
    if (!infer_join(n, y)) infer_unsupported(n);
    else
      set_result(n->self, join_result(n), n->ty == KF32 ? ET_F32 : ET_F64, join_range(n));
    return;
  }
  bool pairs = n->factors && n->y->type == ET_C128; /* sums of both parts */
  const fold_row *f = fold_of(n->p, pairs ? CLS_F : cls_of((elt)n->y->type));
  bool can = !n->factors || (n->y->node && !n->y->node->loops);
  if (!f || !can) {
    infer_unsupported(n);
    return;
  }
  n->row = f->on;
  n->wide_sum = n->may_fault = n->no_overflow = false;
  if (f->on == CLS_I && f->monoid == KF_ADD) {
    infer_integer_sum(n, f->over == OVER_ALTERNATING);
    return;
  }
  range r = range_of(n->y);
  bool narrow = range_in32(r);
  if (f->monoid == KF_MUL) {
    r = range_i64();
    narrow = false;
    n->may_fault = true;
  } else if (f->on == CLS_F) {
    n->may_fault = f->monoid == KF_ADD;
  }
  if (n->x && (f->monoid == KF_MIN || f->monoid == KF_MAX)) n->may_fault = true;
  elt ft = arr_float_type(NULL, n->y);
  n->ty = class_type(f->on, ft, narrow);
  set_result(n->self, pairs ? CLS_C : f->result, ft, r);
}

/* ── in a kernel ── */

/* Raises an escape where a float fold left the finite numbers, or a product
 * underflowed; where it is complex an error, for its escape says that it is not real. */
static void check_float_fold(plan *p, ir_node *n, kfold monoid, kv r) {
  kty ty = plan_type(p, r);
  if (!kty_is_float(ty)) return;
  double largest = DBL_MAX, smallest = DBL_MIN;
  if (ty == KF32) {
    largest = (double)FLT_MAX;
    smallest = (double)FLT_MIN;
  }
  kv mag = plan_op(p, KOP_ABS, ty, r, 0, 0);
  kv most = plan_constant(p, ty, (kimm){.f = largest});
  kv ok = plan_op(p, KOP_LE, KB, mag, most, 0);
  if (monoid == KF_MUL) {
    kv least = plan_constant(p, ty, (kimm){.f = smallest});
    ok = plan_op(p, KOP_AND, KB, ok, plan_op(p, KOP_GE, KB, mag, least, 0), 0);
  }
  kop what = n->y->type == ET_C128 ? KOP_ERR : KOP_ESC;
  plan_op(p, what, KB, plan_op(p, KOP_NOT, KB, ok, 0, 0), 0, plan_fault(p, n));
}

/* Is v odd? */
static kv is_odd(plan *p, kty ty, kv v) {
  return plan_convert(
      p, plan_op(p, KOP_AND, ty, v, plan_constant(p, ty, (kimm){.i = 1}), 0), KB);
}

/* Is the position along the axis odd? */
static kv position_is_odd(plan *p) {
  kty ty = p->len < INT32_MAX ? KI32 : KI64;
  return is_odd(p, ty, plan_op(p, KOP_IOTA, ty, 0, 0, 0));
}

/* -/ is a sum in which every second element is negative. An integer that has no negative
 * escapes, and goes the reference path; a float's is exact. */
static kv alternate(plan *p, ir_node *n, kv v) {
  kv minus;
  if (kty_is_float(n->ty)) minus = plan_op(p, KOP_NEG, n->ty, v, 0, 0);
  else {
    kv zero = plan_constant(p, n->ty, (kimm){0});
    bool checked = n->may_fault && n->ty != KI32;
    if (checked) minus = plan_op(p, KOP_SUBO, n->ty, zero, v, plan_fault(p, n));
    else minus = plan_op(p, KOP_SUB, n->ty, zero, v, 0);
  }
  return plan_select(p, n->ty, position_is_odd(p), minus, v);
}

/* ≠/ and =/ of truth values, from their sum: is it odd; and = is ≠ but for n - 1
 * negations. */
static kv parity(plan *p, const ir_node *n, kv sum, bool even) {
  kv odd = is_odd(p, KI64, sum);
  if (!even) return odd;
  if (n->kind->task == KIR_SCAN)
    return plan_op(p, KOP_XOR, KB, odd, position_is_odd(p), 0);
  if (n->len % 2) return odd;
  return plan_op(p, KOP_NOT, KB, odd, 0, 0);
}

/* The type of a fold's result from that of what it folds. */
static kty fold_type(const ir_node *n, kfold monoid, kty ty) {
  if (monoid != KF_ADD || !kty_is_int(ty)) return ty;
  return n->wide_sum && n->wide ? KF64 : KI64;
}

static bool counts_truths(const fold_row *f) {
  return f->over == OVER_PARITY || f->over == OVER_EVENNESS;
}

/* v where n's mask is 1, else the identity. */
static kv masked(plan *p, ir_node *n, kfold monoid, kty ty, kv v) {
  kv mask = plan_element(p, n->x, identity_map, KB);
  kv none = plan_constant(p, ty, kfold_identity(monoid, ty));
  return plan_select(p, ty, mask, v, none);
}

/* What n's fold is of: before the FOLD. */
static kacc fold_operand(plan *p, ir_node *n) {
  if (n->seeks) return seek_operand(p, n);
  const fold_row *f = fold_of(n->p, n->row);
  kv v = plan_element(p, n->y, identity_map, n->ty);
  kty ty = n->ty;
  if (f->over == OVER_ALTERNATING) v = alternate(p, n, v);
  if (counts_truths(f)) {
    ty = KI32;
    v = plan_convert(p, v, ty);
  }
  if (n->x) v = masked(p, n, f->monoid, ty, v);
  kacc a = {.from = v, .monoid = (uint8_t)f->monoid, .wide = n->wide_sum};
  a.ty = (uint8_t)fold_type(n, f->monoid, ty);
  if (kty_is_int(n->ty)) a.fault = (int16_t)plan_fault_if_any(p, n);
  return a;
}

/* n's value from v, that of its fold: behind the FOLD. */
static kv fold_value(plan *p, ir_node *n, kv v) {
  if (n->seeks) return seek_value(p, n, v);
  const fold_row *f = fold_of(n->p, n->row);
  if (n->x && (f->monoid == KF_MIN || f->monoid == KF_MAX)) {
    kty ty = plan_type(p, v); /* an escape: it may be that of no element */
    kv none = plan_constant(p, ty, kfold_identity(f->monoid, ty));
    plan_op(p, KOP_ESC, KB, plan_op(p, KOP_EQ, KB, v, none, 0), 0, plan_fault(p, n));
  } else if (n->may_fault && !kty_is_int(n->ty)) check_float_fold(p, n, f->monoid, v);
  if (counts_truths(f)) return parity(p, n, v, f->over == OVER_EVENNESS);
  return v;
}

static kv emit_reduction(plan *p, ir_node *n, index_map at) {
  UNUSED(at);
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  kacc a = fold_operand(p, n);
  return fold_value(p, n, kir_row_fold(p->c, &p->k, &a));
}

/* The input that says where segments are; of a scan how they are cut depends on the FOLD. */
static void add_segments(plan *p) {
  arr *table = p->fold->pairs;
  if (p->k.n_in == KIR_MAX_IN) {
    plan_full(p);
    return;
  }
  bool cut = p->fold->kind->task == KIR_SCAN && table->shape[1] < 3;
  if (cut && !err_is(p->c)) {
    int64_t strip = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(cg_acc_bytes(&p->k));
    table = p->table = strips_of_segments(p->c, p->fold->pairs, strip, &p->rows);
  }
  if (!table) return;
  plan_input(p, table, identity_map, KV_ONE);
  p->k.segments = (uint8_t)p->k.n_in;
}

/* Raises an escape of n where the float v is no number up to `most` in magnitude. */
static void check_most(plan *p, ir_node *n, kv v, double most) {
  kty ty = plan_type(p, v);
  kv end = plan_constant(p, ty, (kimm){.f = most});
  kv ok = plan_op(p, KOP_LE, KB, plan_op(p, KOP_ABS, ty, v, 0, 0), end, 0);
  plan_op(p, KOP_ESC, KB, plan_op(p, KOP_NOT, KB, ok, 0, 0), 0, plan_fault(p, n));
}

/* Whether all x g y of a product are finite is not asked of each: before ⌊ and ⌈ x and y are so small
 * that there is none. */
static void drop_check(plan *p, ir_node *n, kacc *a) {
  kins fin = p->k.ins[a->from], of = p->k.ins[fin.a];
  if (fin.op != KOP_FIN || (a->monoid != KF_MIN && a->monoid != KF_MAX)) return;
  bool product = of.op == KOP_MUL, known = of.a == fin.b && of.b == fin.c;
  double most = fin.ty == KF32 ? (double)FLT_MAX : DBL_MAX;
  if (!known || (!product && of.op != KOP_ADD && of.op != KOP_SUB)) return;
  most = product ? sqrt(most) / 2 : most / 2;
  check_most(p, n, of.a, most);
  check_most(p, n, of.b, most);
  p->k.ins[a->from] = (kins){.op = KOP_CONST, .ty = fin.ty};
  a->from = fin.a;
}

/* Nor is it asked of v, which a sum of floats adds up: the sum of one that is not finite is not finite,
 * and is looked at itself; nor of what + - × make v of, some levels deep. Returns v without its check, of
 * which others read a copy; of a product there are none, and each step costs. Not of segments: what is in
 * none of them is in no sum. */
static kv unchecked(plan *p, kv v, int levels) {
  kins *n = &p->k.ins[v];
  kop op = (kop)n->op;
  if (op == KOP_FIN) {
    n->op = p->fold->factors ? KOP_CONST : KOP_CVT;
    return unchecked(p, n->a, levels);
  }
  if (levels && (op == KOP_ADD || op == KOP_SUB || op == KOP_MUL)) {
    n->a = unchecked(p, n->a, levels - 1);
    n->b = unchecked(p, n->b, levels - 1);
  }
  return v;
}

/* A product of truth values, 32 columns at a time: y's words as they lie, x's elements spread over
 * words. */
static void emit_words(plan *p, const ir_node *n) {
  ir_node *g = n->y->node;
  kv x = plan_convert(p, plan_value(p, g->x, identity_map), KI32);
  x = plan_op(p, KOP_NEG, KI32, x, 0, 0);
  kv y = plan_value(p, g->y, identity_map);
  if (err_is(p->c)) return;
  p->k.ins[y].ty = KI32;
  p->k.in[p->k.ins[y].imm.i].type = ET_I32;
  kacc a = {.monoid = KF_EACH_OR, .ty = KI32, .fault = -1};
  if (n->p == P_AND) a.monoid = KF_EACH_AND;
  a.from = plan_op(p, g->p == P_OR ? KOP_OR : KOP_AND, KI32, x, y, 0);
  p->phase = 1;
  plan_remember(p, n->self, identity_map, kir_fold(p->c, &p->k, &a, 1));
  vec_push(p->c, &p->whole, p->fold);
}

/* The imaginary part v: never -0 (prim/complex.c). */
static kv imaginary(plan *p, kv v) {
  kv zero = plan_constant(p, KF64, (kimm){0});
  return plan_select(p, KF64, plan_op(p, KOP_EQ, KB, v, zero, 0), zero, v);
}

/* The parts of x×y. Where both are real, too: what is not finite shows in the sum. */
static void emit_times(plan *p, const ir_node *g, kv part[2]) {
  index_map at[2] = {identity_map, identity_map};
  arr *a[2] = {g->x, g->y};
  kv v[2][2];
  at[1].im = true;
  for (int i = 0; i < 4; i++)
    v[i / 2][i % 2] = plan_element(p, a[i / 2], at[i % 2], KF64);
  for (int i = 0; i < 2; i++)
    if (a[i]->type == ET_C128) v[i][1] = imaginary(p, v[i][1]);
  for (int im = 0; im < 2; im++) {
    kv b = plan_op(p, KOP_MUL, KF64, v[0][0], v[1][im], 0);
    kv c = plan_op(p, KOP_MUL, KF64, v[0][1], v[1][!im], 0);
    part[im] = plan_op(p, im ? KOP_ADD : KOP_SUB, KF64, b, c, 0);
  }
}

/* A product of complex numbers: the sums of both parts of x g y. */
static void emit_pairs(plan *p, ir_node *n) {
  index_map at = identity_map;
  ir_node *g = n->y->node;
  kacc acc[2];
  kv part[2];
  if (g->p == P_TIMES) emit_times(p, g, part);
  for (int im = 0; im < 2; im++) {
    at.im = im;
    if (g->p != P_TIMES) part[im] = plan_element(p, n->y, at, KF64);
    acc[im] = (kacc){.from = part[im], .monoid = KF_ADD, .ty = KF64, .fault = -1};
  }
  if (err_is(p->c)) return;
  p->phase = 1;
  kir_fold(p->c, &p->k, acc, 2);
  for (int im = 0; im < 2; im++) {
    kv v = kir_part(p->c, &p->k, (uint32_t)im);
    check_float_fold(p, n, KF_ADD, v);
    at.im = im;
    plan_remember(p, n->self, at, im ? imaginary(p, v) : v);
  }
  vec_push(p->c, &p->whole, n);
}

static void emit_folds(plan *p, ir_node *fold) {
  enum { LEVELS = 4 };
  kacc acc[KIR_MAX_ACC];
  ir_node *n[KIR_MAX_ACC] = {fold};
  for (uint32_t i = 1; i < p->n_out; i++) n[i] = p->out[i]->node;
  if (fold->row == CLS_NONE) {
    plan_unsupported(p, fold);
    return;
  }
  if (fold->fn) {
    plan_remember(p, fold->self, identity_map, join_emit(p, fold));
    vec_push(p->c, &p->whole, fold);
    return;
  }
  p->phase = 0;
  if (fold->words || fold->y->type == ET_C128) {
    if (fold->words) emit_words(p, fold);
    else emit_pairs(p, fold);
    return;
  }
  for (uint32_t i = 0; i < p->n_out; i++) acc[i] = fold_operand(p, n[i]);
  if (err_is(p->c)) return;
  for (uint32_t i = 0; i < p->n_out; i++)
    if (acc[i].monoid == KF_ADD && kty_is_float(acc[i].ty) && n[i]->may_fault &&
        !n[i]->pairs)
      acc[i].from = unchecked(p, acc[i].from, LEVELS);
  if (fold->factors) drop_check(p, n[0], &acc[0]);
  p->phase = 1;
  kir_fold(p->c, &p->k, acc, p->n_out);
  if (fold->pairs) add_segments(p);
  for (uint32_t i = 0; i < p->n_out; i++) {
    kv v = fold_value(p, n[i], kir_part(p->c, &p->k, i));
    plan_remember(p, n[i]->self, identity_map, v);
    vec_push(p->c, &p->whole, n[i]);
  }
}

/* ── the direct path ── */

arr *folded_by_calls(prim_env *e, ir_node *n) {
  UNUSED(n);
  return err_null(e->c, ERR_DOMAIN, "no kernel folds this");
}

static arr *exclusive_scan(prim_env *e, const ir_node *n) {
  OWNED arr *zero = arr_int(e->c, 0), *less = arr_int(e->c, -1);
  OWNED arr *sums = prim_scan(e, n->p, n->y, n->axis);
  if (!zero || !less || !sums) return NULL;
  OWNED arr *all = prim_dyadic(e, P_COMMA, zero, sums);
  return all ? prim_dyadic(e, P_DROP, less, all) : NULL;
}

static arr *reduce_reference(prim_env *e, ir_node *n) {
  if (n->factors) return prim_product(e, n->factors);
  OWNED arr *some = n->x ? prim_replicate(e, n->x, n->y, 0) : NULL;
  if (n->x) return some ? prim_reduce(e, n->p, some, 0) : NULL;
  if (n->pairs) return prim_reduce_segments(e, n->p, n->y, n->pairs);
  if (n->p == P_COUNT || n->seeks) return folded_by_calls(e, n);
  return prim_reduce(e, n->p, n->y, n->axis);
}

static arr *scan_reference(prim_env *e, ir_node *n) {
  if (n->p == P_COUNT) return folded_by_calls(e, n);
  if (n->pairs) return prim_scan_segments(e, n->p, n->y, n->pairs);
  if (n->exclusive) return exclusive_scan(e, n);
  return prim_scan(e, n->p, n->y, n->axis);
}

KIND(reduce, .infer = infer_fold, .emit = emit_reduction, .fold = emit_folds,
     .reference = reduce_reference, .show = "f/y", .task = KIR_REDUCE, .folds = true);
KIND(scan, .infer = infer_fold, .fold = emit_folds, .reference = scan_reference,
     .show = "f\\y", .task = KIR_SCAN, .folds = true, .behind = true);
