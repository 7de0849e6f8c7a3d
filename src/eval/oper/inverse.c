/* SPDX-License-Identifier: MIT */
/* inverse.c - the inverses of derived functions and trains, which are taken apart:
 *
 *   undo(f∘g, y)     g⁻¹ f⁻¹ y           undo(A∘g, y)   undo(g, A, y)
 *   undo(f¨, y)      f⁻¹¨ y              undo(f∘A, y)   undo_left(f, A, y), for z f A
 *   undo(+\, y)      differences         undo(×⍨, y)    y*0.5
 *
 * An inverse that is a function itself, for ¨ ⍤ and ∘., is f⍣¯1. */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../run/primitive.h"
#include "../value/arg.h"
#include "../value/sysname.h"
#include "oper.h"

/* f⍣¯1 as a function. */
static fn *inverse_of(vm *v, fn *f) {
  OWNED_FN fn *r = fn_new(v, F_DERIVED, OP_POWER);
  if (!r) return NULL;
  r->l = value_fn(fn_retain(f), C_FN);
  r->r = value_arr(arr_int(v->c, -1));
  if (!r->r.cls) return NULL;
  return fn_move(&r);
}

/* ── ⍨ \ ∘. ────────────────────────────────────────────────────────────────────────── */

/* f⍨z is y, z f⍨ being z f z. */
static arr *unself(vm *v, const fn *f, arr *y) {
  if (fn_is(f, P_PLUS)) return prim2_owned(v, P_DIVIDE, arr_retain(y), arr_int(v->c, 2));
  if (fn_is(f, P_TIMES))
    return prim2_owned(v, P_POWER, arr_retain(y), arr_float(v->c, 0.5));
  return no_inverse(v);
}

/* What gives an element of z from two neighbours of f\z; P_COUNT: nothing does. */
static prim unscan_step(const fn *f) {
  if (f->kind != F_PRIM) return P_COUNT;
  switch ((prim)f->prim) {
  case P_PLUS:
  case P_MINUS: return P_MINUS;
  case P_TIMES:
  case P_DIVIDE: return P_DIVIDE;
  case P_NE: return P_NE;
  case P_EQ: return P_EQ;
  default: return P_COUNT;
  }
}

/* -\ and ÷\ turn every second element round: d turned back along the axis k. */
static arr *turn_back(vm *v, const fn *f, arr *d, int k, arr *axis) {
  if (f->prim != P_MINUS && f->prim != P_DIVIDE) return arr_retain(d);
  OWNED arr *sign = arr_vec(v->c, ET_I8, d->shape[k]);
  if (!sign) return NULL;
  for (int64_t i = 0; i < sign->count; i++) arr_put_int(sign, i, i % 2 * 2 - 1);
  prim turn = f->prim == P_MINUS ? P_TIMES : P_POWER;
  return prim_axis_call(v, turn, d, sign, axis);
}

/* f\z is y: each element from its neighbours in y. */
static arr *unscan(vm *v, const fn *f, arr *y) {
  int k;
  if (!fold_axis(v, f->code, f->axis, y, &k)) return NULL;
  prim g = unscan_step(f->l.f);
  if (g == P_COUNT || !ir_host(v->g, y)) return no_inverse(v);
  if (!y->rank || y->shape[k] < 2) return arr_retain(y);
  OWNED arr *one = arr_int(v->c, 1), *last = arr_int(v->c, -1);
  OWNED arr *axis = arr_int(v->c, k + v->sv->io);
  if (!one || !last || !axis) return NULL;
  OWNED arr *head = prim_axis_call(v, P_TAKE, one, y, axis);
  if (!head) return NULL;
  OWNED arr *rest = prim_axis_call(v, P_DROP, one, y, axis);
  if (!rest) return NULL;
  OWNED arr *before = prim_axis_call(v, P_DROP, last, y, axis);
  OWNED arr *d = prim2(v, g, rest, before);
  if (!d) return NULL;
  OWNED arr *turned = turn_back(v, f->l.f, d, k, axis);
  if (!turned) return NULL;
  return prim_axis_call(v, P_COMMA, head, turned, axis);
}

/* x∘.f z is y: what the first element of x gives tells z; that the others agree is checked. */
static arr *unouter(vm *v, fn *f, fn *inverse, arr *x, arr *y) {
  prim_env pe = env_of(v);
  int64_t zero[ARR_MAX_RANK] = {0}, one[ARR_MAX_RANK];
  if (!x || !ir_host(v->g, x) || !ir_host(v->g, y) || !x->count || y->rank < x->rank)
    return no_inverse(v);
  for (int k = 0; k < x->rank; k++) one[k] = 1;
  OWNED arr *box = prim_window(&pe, y, x->rank, zero, one);
  if (!box) return NULL;
  OWNED arr *part = arr_reshape(v->c, box, y->rank - x->rank, y->shape + x->rank);
  if (!part) return NULL;
  OWNED arr *first = arr_scalar_at(v->c, x, 0);
  if (!first) return NULL;
  OWNED arr *all = arr_enclose(v->c, first);
  if (!all) return NULL;
  OWNED arr *r = each_call(v, inverse, all, part);
  if (!r) return NULL;
  OWNED arr *again = call2(v, f, x, r);
  if (!arrays_match(v, again, y)) return no_inverse(v);
  return arr_move(&r);
}

/* ── derived functions ──────────────────────────────────────────────────────────────── */

/* What f derived from a function calls with that function's inverse. */
static arr *call_inverse(vm *v, fn *f, arr *x, arr *y) {
  OWNED_FN fn *inverse = inverse_of(v, f->l.f);
  if (!inverse) return NULL;
  switch (f->code) {
  case OP_EACH: return each_call(v, inverse, x, y);
  case OP_RANK: return rank_call(v, inverse, f->r.a, x, y);
  case OP_OUTER: return unouter(v, f, inverse, x, y);
  default: return call2(v, inverse, x, y); /* ⍨ */
  }
}

/* z f a is y. */
static arr *undo_left(vm *v, fn *f, arr *a, arr *y) {
  if (f->kind == F_DERIVED && f->code == OP_SELF && f->l.cls == C_FN)
    return call_inverse(v, f, a, y); /* a f z */
  if (f->kind != F_PRIM) return no_inverse(v);
  return undo_prim_left(v, (prim)f->prim, a, y);
}

/* g⁻¹ of t, or of x and t; consumes t. */
static arr *undo_then(vm *v, fn *g, arr *x, arr *t) {
  OWNED arr *arg = t;
  if (!arg) return NULL;
  return undo(v, g, x, arg);
}

static arr *undo_jot(vm *v, fn *f, arr *x, arr *y) {
  if (f->l.cls == C_FN && f->r.cls == C_FN)
    return undo_then(v, f->r.f, NULL, undo(v, f->l.f, x, y));
  if (x) return no_inverse(v);
  if (f->r.cls == C_FN) return undo(v, f->r.f, f->l.a, y);
  return undo_left(v, f->l.f, f->r.a, y);
}

static arr *undo_over(vm *v, fn *f, arr *x, arr *y) {
  OWNED arr *a = NULL;
  if (x) {
    a = call1(v, f->r.f, x);
    if (!a) return NULL;
  }
  return undo_then(v, f->r.f, NULL, undo(v, f->l.f, a, y));
}

static arr *undo_behind(vm *v, fn *f, arr *x, arr *y) {
  if (f->r.cls != C_FN || (!x && f->l.cls == C_FN)) return no_inverse(v);
  if (f->l.cls == C_ARR) return undo(v, f->r.f, f->l.a, y);
  OWNED arr *a = call1(v, f->l.f, x);
  if (!a) return NULL;
  return undo(v, f->r.f, a, y);
}

static arr *undo_power(vm *v, fn *f, arr *x, arr *y) {
  int64_t n;
  if (f->r.cls == C_FN) return no_inverse(v);
  if (!arg_int(v, f->r.a, &n, "the number of times")) return NULL;
  if (n > INT64_MIN) n = -n;
  return power_times(v, f->l.f, n, x, y);
}

static arr *undo_derived(vm *v, fn *f, arr *x, arr *y) {
  switch (f->code) {
  case OP_JOT: return undo_jot(v, f, x, y);
  case OP_OVER: return undo_over(v, f, x, y);
  case OP_BEHIND: return undo_behind(v, f, x, y);
  case OP_SELF:
    if (f->l.cls != C_FN) return no_inverse(v);
    return x ? undo_left(v, f->l.f, x, y) : unself(v, f->l.f, y);
  case OP_SCAN:
  case OP_SCAN1: return x ? no_inverse(v) : unscan(v, f, y);
  case OP_POWER: return undo_power(v, f, x, y);
  case OP_RANK:
    if (f->r.cls == C_FN) return undo_then(v, f->r.f, x, undo(v, f->l.f, NULL, y));
    return call_inverse(v, f, x, y);
  case OP_EACH:
  case OP_OUTER: return call_inverse(v, f, x, y);
  default: return no_inverse(v);
  }
}

/* x is 1, or NULL, or ¯1. */
static arr *undo_turn(vm *v, fn *f, arr *x, arr *y) {
  OWNED arr *one = x ? arr_retain(x) : arr_int(v->c, 1);
  prim_env e = env_of(v);
  OWNED arr *other = one ? prim_monadic(&e, P_MINUS, one) : NULL;
  return other ? call2(v, f, other, y) : NULL;
}

arr *undo(vm *v, fn *f, arr *x, arr *y) {
  if (out_of_stack(v->c)) return NULL;
  switch ((fkind)f->kind) {
  case F_PRIM: return undo_prim(v, (prim)f->prim, NULL, x, y);
  case F_AXIS:
    if (f->l.f->kind != F_PRIM) return no_inverse(v);
    return undo_prim(v, (prim)f->l.f->prim, f->axis, x, y);
  case F_SYS:
    if (sys_turns((int)f->code)) return undo_turn(v, f, x, y);
    if (!sys_inverts_itself((int)f->code)) return no_inverse(v);
    return call2(v, f, x, y);
  case F_DERIVED: return undo_derived(v, f, x, y);
  case F_ATOP: return undo_then(v, f->r.f, x, undo(v, f->l.f, NULL, y));
  case F_FORK:
    if (f->l.cls != C_ARR) return undo_by_search(v, f, x, y);
    return undo_then(v, f->r.f, x, undo(v, f->m.f, f->l.a, y));
  default: return no_inverse(v);
  }
}
