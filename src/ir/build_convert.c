/* SPDX-License-Identifier: MIT */
/* build_convert.c - elements in another type, and characters through a table. */
#include <float.h>
#include "../array/convert.h"
#include "../array/element.h"
#include "build.h"
#include "cuts.h"
#include "plan.h"

static void infer_convert(ir_node *n) {
  infer_same(n, n->y);
  n->may_fault = n->as == ET_F32 && n->y->type == ET_F64;
  n->self->type = (uint8_t)n->as;
  n->self->has_range &= n->as <= ET_I64;
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

static arr *convert_reference(prim_env *e, ir_node *n) {
  if (n->as == ET_F32) return arr_to_f32(e->c, n->y, n->first);
  return arr_convert(e->c, n->y, n->as);
}

KIND(convert, .infer = infer_convert, .emit = emit_convert,
     .reference = convert_reference, .typed = true);

arr *node_convert_from(const ir_call *call, arr *y, elt t, int64_t first) {
  ir_node want = {.kind = &kind_convert, .p = P_RIGHT, .y = y, .as = t, .first = first};
  return node_new(call, want, y->rank, y->shape);
}

arr *node_convert(const ir_call *call, arr *y, elt t) {
  if (!y) return NULL;
  if (is_cut(y)) return call->g->cuts->convert(call, y, t);
  return node_convert_from(call, y, t, call->env.io);
}

/* A simple array for a kernel, whose type is known: what it reads cannot become complex. */
static bool is_settled_for_kernels(const ir_call *call, arr *y, bool chars) {
  if (!is_readable(y, chars) || !ir_is_for_device(call, y)) return false;
  bool open = y->node && (y->node->unresolved || y->node->complex);
  return !open || (ir_settle(call->g, y) && is_readable(y, chars));
}

arr *ir_floats(const ir_call *call, arr *y, elt t) {
  if (!is_settled_for_kernels(call, y, false) || y->type == t) return NULL;
  OWNED arr *wide = arr_retain(y);
  if (elt_is_int((elt)y->type)) { /* rounded to f64 first, as the host does */
    arr_release(wide);
    wide = node_convert(call, y, ET_F64);
  }
  if (!wide || wide->type == t) return arr_move(&wide);
  return node_convert(call, wide, t);
}

bool ir_extremes(const ir_call *call, arr *y, int64_t *lo, int64_t *hi) {
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  OWNED arr *least = ir_reduce(call, P_FLOOR, line, 0);
  OWNED arr *most = least ? ir_reduce(call, P_CEIL, line, 0) : NULL;
  if (!most || !ir_host(call->g, least) || !ir_host(call->g, most)) return false;
  if (!elt_is_int((elt)least->type) || !elt_is_int((elt)most->type)) return false;
  *lo = arr_get_int(least, 0);
  *hi = arr_get_int(most, 0);
  return true;
}

/* Numbers as characters, characters as numbers, or likewise, stored as narrow as can be. */
static arr *code_points(const ir_call *call, arr *y, bool to_chars) {
  int64_t lo, hi;
  bool chars = elt_is_char((elt)y->type);
  if (!ir_settle(call->g, y)) return NULL;
  OWNED arr *codes = chars ? node_convert(call, y, ET_I32) : arr_retain(y);
  if (!codes || !ir_extremes(call, codes, &lo, &hi) || lo < 0 || hi > 0x10FFFF)
    return NULL;
  elt t = to_chars ? elt_for_char((uint32_t)hi) : elt_for_range(0, hi);
  return t == y->type ? arr_retain(y) : node_convert(call, y, t);
}

arr *ir_code_points(const ir_call *call, arr *y) {
  if (!is_settled_for_kernels(call, y, true) || elt_is_float((elt)y->type)) return NULL;
  return code_points(call, y, !elt_is_char((elt)y->type));
}

/* What `change` makes of the code points below n, as characters. */
static arr *table_of(const ir_call *call, int64_t n, uint32_t (*change)(uint32_t, int),
                     int how) {
  OWNED arr *codes = arr_vec(call->env.c, ET_C32, n);
  if (!codes) return NULL;
  uint32_t *at = codes->host;
  for (int64_t i = 0; i < n; i++) at[i] = change((uint32_t)i, how);
  return arr_chars(call->env.c, 1, &n, at);
}

arr *ir_translate(const ir_call *call, arr *y, uint32_t (*change)(uint32_t, int),
                  int how) {
  int64_t lo, hi = UINT8_MAX;
  ir_call zero = from_zero(*call);
  if (!elt_is_char((elt)y->type) || !is_settled_for_kernels(call, y, true)) return NULL;
  OWNED arr *codes = node_convert(call, y, ET_I32);
  if (!codes || !ir_settle(call->g, y)) return NULL;
  if (y->type != ET_C8 && !ir_extremes(call, codes, &lo, &hi)) return NULL;
  OWNED arr *table = table_of(call, hi + 1, change, how);
  OWNED arr *r = table ? ir_index(&zero, table, 1, &codes) : NULL;
  if (!r || table->type == ET_C8) return arr_move(&r);
  return code_points(call, r, true);
}
