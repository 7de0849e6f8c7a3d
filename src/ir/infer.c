/* SPDX-License-Identifier: MIT */
/* infer.c - what a pending array's elements are: the row of prim.def that serves it, the
 * type it is computed in and stored as, and the range of its integers.
 *
 * Types are speculative while an argument is: an integer node is taken to stay in i64
 * until a kernel says otherwise (escape), then its `wide` is set and inference runs again
 * over the nodes above it. Ranges are interval arithmetic: where they prove that nothing
 * overflows, the checks vanish and the arithmetic and the storage become narrow.
 *
 * f32 is a storage type that the user chose, but an integer's width is not visible to
 * him, so it must not decide a result's type: f32 with any integer, or with any rank-0
 * number, is f32; only an f64 array makes it f64. */
#include <float.h>
#include <math.h>
#include "../kir/lower.h"
#include "../kir/range.h"
#include "join.h"
#include "plan.h"
#include "../tables/prim_fold.h"
#include "../array/convert.h"
#include "../array/element.h"

static kty class_type(cls row, elt float_type, bool narrow) {
  if (row == CLS_B) return KB;
  if (row == CLS_I) return narrow ? KI32 : KI64;
  return float_type == ET_F32 ? KF32 : KF64;
}

range range_of(const arr *a) {
  if (a->has_range) return (range){a->lo, a->hi};
  if (a->count == 1 && a->host &&
      (elt_is_int((elt)a->type) || elt_is_char((elt)a->type))) {
    int64_t v = arr_get_int(a, 0);
    return (range){v, v};
  }
  switch (a->type) {
  case ET_BIT: return (range){0, 1};
  case ET_I8: return (range){INT8_MIN, INT8_MAX};
  case ET_I16: return (range){INT16_MIN, INT16_MAX};
  case ET_I32: return (range){INT32_MIN, INT32_MAX};
  case ET_C8: return (range){0, 0xFF};
  case ET_C16: return (range){0, 0xFFFF};
  case ET_C32: return (range){0, 0x10FFFF};
  default: return range_i64();
  }
}

static void set_range(arr *a, range r) {
  a->has_range = range_in64(r);
  if (!a->has_range) return;
  a->lo = (int64_t)r.lo;
  a->hi = (int64_t)r.hi;
}

static void set_result(arr *a, cls result, elt ftype, range r) {
  if (result == CLS_B) r = (range){0, 1};
  a->has_range = false;
  if (result >= CLS_F) {
    a->type = (uint8_t)(result == CLS_C ? ET_C128 : ftype);
    return;
  }
  set_range(a, r);
  a->type = ET_I64;
  if (result == CLS_B) a->type = ET_BIT;
  else if (a->has_range) a->type = (uint8_t)elt_for_range(a->lo, a->hi);
}

/* What no kernel computes: ∧ ∨ of what were truth values until something below them
 * escaped, and what else reads complex numbers. It goes the reference path, and inference
 * is repeated then. */
static void infer_unsupported(ir_node *n) {
  n->row = CLS_NONE;
  n->float_variant = n->no_overflow = n->wide_sum = false;
  n->may_fault = n->leaves_reals = true;
  n->ty = KF64;
  set_result(n->self, CLS_F, ET_F64, (range){0, 0});
}

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

prim_body infer_body(const ir_node *n) {
  return (prim_body){.p = n->p,
                     .dyadic = n->x != NULL,
                     .row = n->row,
                     .float_variant = n->float_variant,
                     .no_overflow = n->no_overflow};
}

cls arguments_class(const arr *x, const arr *y) {
  cls of_y = cls_of((elt)y->type);
  if (!x) return of_y;
  cls of_x = cls_of((elt)x->type);
  return of_x > of_y ? of_x : of_y;
}

static void infer_map_of(ir_node *n) {
  range y = range_of(n->y), x = n->x ? range_of(n->x) : y;
  if (!infer_map(n, x, y)) infer_unsupported(n);
  else
    set_result(n->self, n->row, n->ty == KF32 ? ET_F32 : ET_F64, n->code->body.of_state);
}

/* To go through a body's hundreds of operations takes a while: once for each of its forms. */
static unsigned faults_of(ir_node *n) {
  prim_body body = infer_body(n);
  uint8_t form = (uint8_t)(1 + 4 * body.row + 2 * body.no_overflow + body.float_variant);
  if (n->form != form) n->faults = (uint8_t)prim_faults(&body);
  n->form = form;
  return n->faults;
}

static void infer_scalar(ir_node *n) {
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
  range y = range_of(n->y), x = y, r = y;
  if (dyadic) x = range_of(n->x);
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

/* ── folds ── */

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
  if (n->fn) {
    range y = range_of(n->y);
    if (!infer_join(n, y)) infer_unsupported(n);
    else
      set_result(n->self, join_result(n), n->ty == KF32 ? ET_F32 : ET_F64, join_range(n));
    return;
  }
  const fold_row *f = fold_of(n->p, cls_of((elt)n->y->type));
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
  set_result(n->self, f->result, ft, r);
}

/* ── all kinds ── */

static void infer_iota(ir_node *n) {
  range_int a = n->first, b = n->first + (range_int)n->step * (n->self->count - 1);
  set_result(n->self, CLS_I, ET_I64, (range){range_least(a, b), range_most(a, b)});
  n->may_fault = false;
}

static void infer_same(ir_node *n, const arr *a) {
  n->self->type = a->type;
  n->may_fault = false;
  n->self->has_range = false;
  if (cls_of((elt)a->type) < CLS_F) set_range(n->self, range_of(a));
}

/* With fill elements. */
static range range_with_fill(elt t, range r) {
  int64_t fill = elt_is_char(t) ? ' ' : 0;
  return (range){range_least(r.lo, fill), range_most(r.hi, fill)};
}

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

static void infer_order(ir_node *n) {
  if (n->sorted && n->x) infer_same(n, n->x);
  else if (n->sorted) infer_same(n, n->y);
  else set_result(n->self, CLS_I, ET_I64, (range){n->first, n->first + n->len - 1});
  n->may_fault = false;
}

bool draws_fractions(const ir_node *n) {
  return n->y->count == 1 && arr_get_int(n->y, 0) == 0;
}

static void infer_roll(ir_node *n) {
  range below = range_of(n->y);
  if (draws_fractions(n)) set_result(n->self, CLS_F, ET_F64, below);
  else set_result(n->self, CLS_I, ET_F64, (range){0, below.hi - 1});
  n->may_fault = false;
}

static void infer_deal(ir_node *n) {
  set_result(n->self, CLS_I, ET_F64, (range){0, arr_get_int(n->y, 0) - 1});
  n->ty = KI64;
  n->may_fault = n->loops = true;
}

/* Numbers that are no element's are an error; those that do not fit 32 bits are subtracted
 * from in 64. */
static void infer_index(ir_node *n) {
  range at = range_of(n->x);
  if (cls_of((elt)n->x->type) > CLS_I) {
    infer_unsupported(n);
    return;
  }
  infer_same(n, n->y);
  n->row = CLS_I;
  n->may_fault = at.lo < n->first || at.hi - n->first >= n->len;
  if (!n->fills) return;
  n->may_fault = false;
  elt type = (elt)n->self->type;
  if (n->self->has_range) set_range(n->self, range_with_fill(type, range_of(n->y)));
}

/* Can this node itself still escape to another type? */
static bool may_escape(const ir_node *n) {
  if (!n->may_fault || !(n->kind->scalar || n->kind->folds)) return false;
  if (!n->kind->scalar && n->row != CLS_F) return true;
  return (n->kind->scalar || n->fn) &&
         (!elt_is_float((elt)n->self->type) || n->leaves_reals);
}

static bool is_unresolved(const arr *a) { return a && a->node && a->node->unresolved; }
static bool may_be_complex(const arr *a) { return a && a->node && a->node->complex; }
bool may_read_complex(const ir_node *n) {
  return may_be_complex(n->x) || may_be_complex(n->y);
}

static bool may_be_none(const arr *a) { return a && a->node && a->node->none; }
bool may_fault_later(const ir_node *n) {
  return may_read_complex(n) || may_be_none(n->x) || may_be_none(n->y);
}

static void infer_convert(ir_node *n) {
  infer_same(n, n->y);
  n->may_fault = n->as == ET_F32 && n->y->type == ET_F64;
  n->self->type = (uint8_t)n->as;
  n->self->has_range &= n->as <= ET_I64;
}

/* What joins with the elements may leave their range. */
static void infer_put(ir_node *n) {
  arr *a = n->self;
  range old = range_of(n->into), new = range_of(n->y);
  n->may_fault = a->has_range = false;
  a->type = n->into->type;
  if (cls_of((elt)a->type) < CLS_F && (n->put == KPUT_ONCE || n->monoid != KF_ADD))
    set_range(a, (range){range_least(old.lo, new.lo), range_most(old.hi, new.hi)});
}

/* What it cannot decide is the reference path's, at once. */
static void infer_lookup(ir_node *n) {
  n->row = CLS_F;
  n->may_fault = true;
  set_result(n->self, CLS_I, ET_F64, (range){0, n->y->count});
  n->self->type = ET_I32;
}

static bool reads_complex(const ir_node *n) {
  return cls_of((elt)n->y->type) == CLS_C || (n->x && cls_of((elt)n->x->type) == CLS_C);
}

static void infer_search(ir_node *n) {
  if (reads_complex(n)) {
    infer_unsupported(n);
    return;
  }
  n->row = CLS_I;
  n->ty = n->x ? plan_compared(n->x, n->y) : KI64;
  n->may_fault = false;
  set_result(n->self, CLS_I, ET_I64, (range){0, n->y->count - !n->x});
}

/* Whose loop is long is for the reference path; a few elements need no loop. */
static void infer_find(ir_node *n) {
  enum { FEW = 8 };
  if (reads_complex(n)) {
    infer_unsupported(n);
    return;
  }
  n->row = CLS_I;
  n->ty = plan_compared(n->x, n->y);
  n->may_fault = n->x->count > FEW;
  set_result(n->self, CLS_B, ET_I64, (range){0, 1});
}

/* Runs are found among floats. */
static void infer_runs(ir_node *n) {
  infer_same(n, n->y);
  n->self->type = n->x->type;
  n->row = CLS_F;
  n->ty = kir_arg_type((elt)n->x->type);
  n->may_fault = n->loops = true;
}

void infer_node(ir_node *n) {
  switch (n->kind->number) {
  case N_SCALAR:
    if (n->fn) infer_map_of(n);
    else infer_scalar(n);
    break;
  case N_REDUCE:
  case N_SCAN: infer_fold(n); break;
  case N_IOTA: infer_iota(n); break;
  case N_ORDER: infer_order(n); break;
  case N_ROLL: infer_roll(n); break;
  case N_DEAL: infer_deal(n); break;
  case N_PARTS: infer_parts(n); break;
  case N_INDEX: infer_index(n); break;
  case N_SEARCH: infer_search(n); break;
  case N_FIND: infer_find(n); break;
  case N_CONVERT: infer_convert(n); break;
  case N_PUT: infer_put(n); break;
  case N_LOOKUP: infer_lookup(n); break;
  case N_RUNS: infer_runs(n); break;
  case N_ITEMS: n->self->type = ET_NEST; return;
  case N_COMPRESS:
  case N_FILL:
  case N_VIEW: infer_same(n, n->y); break;
  }
  if (n->real && n->self->type == ET_C128) n->self->type = ET_F64;
  bool truth = n->self->type == ET_BIT;
  n->complex = !n->verified && (n->leaves_reals || (may_read_complex(n) && !truth));
  bool masked = n->kind->task == KIR_REDUCE && n->x && n->may_fault;
  n->none = !n->verified && !truth && (masked || may_be_none(n->x) || may_be_none(n->y));
  n->unresolved = !n->verified && (may_escape(n) || is_unresolved(n->x) ||
                                   is_unresolved(n->y) || n->self->type == ET_C128);
}

void infer(ir *g, arr *a) {
  ir_node *n = a->node;
  if (!n || n->link || n->epoch == g->epoch) return;
  n->epoch = g->epoch;
  if (n->x) infer(g, n->x);
  if (n->y) infer(g, n->y);
  infer_node(n);
}
