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
#include "../kir/range.h"
#include "plan.h"
#include "../array/element.h"

kty class_type(cls row, elt float_type, bool narrow) {
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

/* One of 2*62 numbers or more, as that of ⌊ of floats, tells too little: who needs it looks at the elements. */
void set_range(arr *a, range r) {
  const int64_t wide = INT64_C(1) << 62;
  a->has_range = range_in64(r) && r.hi - r.lo < wide;
  if (!a->has_range) return;
  a->lo = (int64_t)r.lo;
  a->hi = (int64_t)r.hi;
}

void set_result(arr *a, cls result, elt ftype, range r) {
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
void infer_unsupported(ir_node *n) {
  n->row = CLS_NONE;
  n->float_variant = n->no_overflow = n->wide_sum = false;
  n->may_fault = n->leaves_reals = true;
  n->ty = KF64;
  set_result(n->self, CLS_F, ET_F64, (range){0, 0});
}

cls arguments_class(const arr *x, const arr *y) {
  cls of_y = cls_of((elt)y->type);
  if (!x) return of_y;
  cls of_x = cls_of((elt)x->type);
  return of_x > of_y ? of_x : of_y;
}

void infer_same(ir_node *n, const arr *a) {
  n->self->type = a->type;
  n->may_fault = false;
  n->self->has_range = false;
  if (cls_of((elt)a->type) < CLS_F) set_range(n->self, range_of(a));
}

void infer_as_y(ir_node *n) { infer_same(n, n->y); }

range range_with_fill(elt t, range r) {
  int64_t fill = elt_is_char(t) ? ' ' : 0;
  return (range){range_least(r.lo, fill), range_most(r.hi, fill)};
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

void infer_node(ir_node *n) {
  range measured = range_of(n->self);
  if (n->kind->real && arguments_class(n->x, n->y) == CLS_C) infer_unsupported(n);
  else n->kind->infer(n);
  if (n->self->type == ET_NEST) return;
  if (n->bounded) set_range(n->self, measured);
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
