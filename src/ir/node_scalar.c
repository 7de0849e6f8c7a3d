/* SPDX-License-Identifier: MIT */
/* node_scalar.c - scalar functions: rows of prim.def, maps by a function of scalars, and in complex numbers. */
#include <float.h>
#include <math.h>
#include "../array/convert.h"
#include "../array/element.h"
#include "join.h"
#include "plan.h"

/* ── the row, the type, the range ── */

double short_exponent(prim p, const arr *y) {
  if (p != P_POWER || y->count != 1 || !y->host || y->type > ET_F64) return 0;
  double e = arr_get_float(y, 0);
  if (e != 2 && e != 0.5) return 0;
  return e;
}

bool beyond_f32(const arr *a) {
  if (!a || a->type != ET_F64 || a->count != 1 || !a->host) return false;
  return fabs(arr_get_float(a, 0)) > (double)FLT_MAX;
}

/* May an F row with these flags leave the real numbers? A negative number to a power that
 * is not whole does. */
static bool leaves_reals(const ir_node *n, unsigned faults, range x) {
  if (n->row != CLS_F || n->float_variant || !(faults & PRIM_ESCAPES)) return false;
  if (n->p != P_POWER) return true;
  return (cls_of((elt)n->x->type) == CLS_F || x.lo < 0) &&
         cls_of((elt)n->y->type) == CLS_F && short_exponent(n->p, n->y) != 2;
}

static prim_body body_of(const ir_node *n) {
  return (prim_body){.p = n->p,
                     .dyadic = n->x != NULL,
                     .row = n->row,
                     .float_variant = n->float_variant,
                     .no_overflow = n->no_overflow};
}

/* To go through a body's hundreds of operations takes a while: once for each of its forms. */
static unsigned faults_of(ir_node *n) {
  prim_body body = body_of(n);
  uint8_t form = (uint8_t)(1 + 4 * body.row + 2 * body.no_overflow + body.float_variant);
  if (n->form != form) n->faults = (uint8_t)prim_faults(&body);
  n->form = form;
  return n->faults;
}

static void infer_scalar(ir_node *n) {
  range y = range_of(n->y), x = n->x ? range_of(n->x) : y, r = y;
  if (n->fn) {
    if (!infer_map(n, x, y)) infer_unsupported(n);
    else
      set_result(n->self, n->row, n->ty == KF32 ? ET_F32 : ET_F64,
                 n->code->body.of_state);
    return;
  }
  bool dyadic = n->x != NULL;
  cls need = arguments_class(n->x, n->y);
  bool exact = need <= CLS_I && prim_has_float_variant(n->p, dyadic, CLS_I);
  if (n->left) need = CLS_C;
  else if (n->wide && need < CLS_C) need = exact ? CLS_I : CLS_F;
  n->row = prim_row_of(n->p, dyadic, need);
  if (need == CLS_I && n->wide && exact) n->row = CLS_I;
  if (n->row == CLS_NONE) {
    infer_unsupported(n);
    return;
  }
  cls result = prim_result(n->p, dyadic, n->row);
  n->float_variant =
      n->wide && n->row < CLS_C && prim_has_float_variant(n->p, dyadic, n->row);
  if (n->float_variant) result = CLS_F;
  elt ft = arr_float_type(n->x, n->y);
  if (n->row == CLS_C) ft = ET_F64;
  n->no_overflow = n->inexact = false;
  bool narrow = false;
  if (exact && n->row == CLS_F) n->inexact = !range_is_f64(x) || !range_is_f64(y);
  if (n->row == CLS_I && !n->float_variant) {
    r = (range){0, 1};
    if (result == CLS_I) r = range_of_result(n->p, dyadic, x, y);
    n->no_overflow = range_in64(r);
    narrow = range_in32(x) && range_in32(y) && range_in32(r);
  } else if (n->row == CLS_F) { /* of floats nothing is known, of what fits i64 all */
    r = range_of_result(n->p, dyadic, range_i64(), range_i64());
    if (!range_in64(r)) r = range_i64();
  }
  n->ty = class_type(n->row, ft, narrow);
  unsigned faults = faults_of(n);
  n->loops = (faults & PRIM_LOOPS) != 0;
  n->may_fault = n->inexact || n->loops || (faults & (PRIM_ERRS | PRIM_ESCAPES));
  n->leaves_reals = result == CLS_F && leaves_reals(n, faults, x);
  set_result(n->self, result, ft, r);
}

/* ── in a kernel ── */

/* ⎕CT, for the rows that compare f64 within it: one parameter for one ⎕CT and phase. */
static kv tolerance(plan *p, const ir_node *n) {
  if (n->ty != KF64 || !(n->faults & PRIM_TOLERANT)) return 0;
  for (uint32_t i = 0; i < p->memo.n; i++) {
    const plan_memo *m = &p->memo.at[i];
    if (!m->a && m->phase == p->phase && p->param[m->at.off].f == n->ct) return m->v;
  }
  kv v = plan_param(p, KF64, (kimm){.f = n->ct});
  plan_memo m = {.at.off = (int64_t)p->k.n_param - 1, .phase = p->phase, .v = v};
  vec_push(p->c, &p->memo, m);
  return v;
}

/* x*2 and x*0.5. The body of * says that they are x×x and the square root of x, and that
 * only a negative x escapes: the other three hundred operations of it need not be
 * emitted. */
static kv emit_short_power(plan *p, ir_node *n, index_map at) {
  kv x = plan_element(p, n->x, at, n->ty);
  int fault = plan_fault_if_any(p, n);
  if (short_exponent(n->p, n->y) == 2) {
    prim_body times = body_of(n);
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
  prim_body body = body_of(n);
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
  prim_body body = body_of(n);
  prim_values v = {x, y, .ct = tolerance(p, n), .fault = fault};
  return prim_lower(p->c, &p->k, &body, &v);
}

static arr *scalar_reference(prim_env *e, ir_node *n) {
  if (n->fn) return NULL; /* what asked for the map knows another way */
  return n->x ? prim_dyadic(e, n->p, n->x, n->y) : prim_monadic(e, n->p, n->y);
}

KIND(scalar, .infer = infer_scalar, .emit = emit_scalar, .reference = scalar_reference,
     .show = "xfy", .scalar = true, .computes = true, .at_once = true);
