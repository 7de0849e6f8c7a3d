/* SPDX-License-Identifier: MIT */
/* call.c - functions called: by their kind, to where each kind is done. */
#include "call.h"
#include "eval.h"
#include "member.h"
#include "../trad/trad.h"
#include "primitive.h"
#include "sys_call.h"

/* The row of a ⎕-name has SYS_AXIS. */
static bool call_sys_axis(vm *v, fn *f, arr *x, arr *y, arr **r) {
  arr *was = v->axis;
  v->axis = f->axis;
  bool ok = ir_host(v->g, f->axis) && sys_call(v, f->l.f, x, y, r);
  v->axis = was;
  return ok;
}

static bool call_fork(vm *v, fn *f, arr *x, arr *y, arr **r) {
  OWNED arr *right = call2(v, f->r.f, x, y);
  if (!right) return false;
  OWNED arr *left = NULL;
  if (f->l.cls == C_ARR) left = arr_retain(f->l.a);
  else left = call2(v, f->l.f, x, y);
  return left && call(v, f->m.f, left, right, r);
}

bool call_on(vm *v, fn *f, arr *x, arr *y, arr **r) {
  OWNED arr *own = y;
  return own && call(v, f, x, own, r);
}

bool call_too_deep(vm *v) {
  err_set(v->c, ERR_LIMIT, "more than %u calls are nested", v->cfg.max_depth);
  return true;
}

/* A function of the host program. It may run texts in turn, which then stand in the workspace.
 * All that is pending is verified before, so that it meets no errors but its own. */
static bool call_host(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (calls_too_deep(v) || !verify(v)) return false;
  OWNED_FN fn *kept = fn_retain(f); /* it may give its name to something else */
  span at = v->at;
  env *caller = v->env;
  sysvars *sv = v->sv;
  v->env = NULL;
  v->sv = &v->vars;
  v->depth++;
  bool ok = kept->host->as.call(kept->host->as.user, x, y, r);
  v->depth--;
  v->sv = sv;
  v->env = caller;
  v->at = at;
  v->shy = false;
  if (ok && !v->off) return true;
  arr_release(*r);
  *r = NULL;
  return false;
}

/* A dfn's result as an array. */
static bool call_boxed(vm *v, fn *f, arr *x, arr *y, arr **r) {
  pending_call p = {.f = fn_retain(f), .y = value_arr(arr_retain(y))};
  if (x) p.x = value_arr(arr_retain(x));
  value got;
  if (!call_dfn(v, &p, &got) || !value_box(v->c, &got)) return false;
  *r = got.a;
  return true;
}

static bool call_trad_boxed(vm *v, fn *f, arr *x, arr *y, arr **r) {
  OWNED_VALUE value got = {0};
  value left = value_arr(x), right = value_arr(y);
  if (!call_trad(v, f, &left, &right, &got) || !value_box(v->c, &got)) return false;
  if (got.cls == C_ARR) *r = value_move(&got).a;
  return true;
}

/* Of what is no dfn, or may not be called any more. */
bool call_other(vm *v, pending_call *p, value *r) {
  OWNED_FN fn *f = p->f;
  OWNED_VALUE value x = p->x;
  OWNED_VALUE value y = p->y;
  arr *got = NULL;
  *r = (value){0};
  if (err_is(v->c)) return false;
  if (f->kind == F_TRAD || f->kind == F_TROPPED)
    return step_begins(v->c) && call_trad(v, f, &x, &y, r);
  if (!value_box(v->c, &x) || !value_box(v->c, &y)) return false;
  if (f->kind == F_SYS && !f->space && !f->options && v->sys[f->code].call == sys_execute)
    return step_begins(v->c) && execute_in(v, x.a, y.a, r);
  bool ok = call(v, f, x.a, y.a, &got);
  *r = value_arr(got);
  return ok;
}

bool call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (!step_begins(v->c)) return false;
  if (is_dfn(f)) return call_boxed(v, f, x, y, r);
  v->shy = false; /* a derived function's result is shy if its operand's last one was */
  if (f->kind == F_PRIM) return give_result(r, primitive_call(v, (prim)f->prim, x, y));
  if (out_of_stack(v->c)) return false;
  switch ((fkind)f->kind) {
  case F_REPLICATE: return give_result(r, replicate(v, f->code, NULL, x, y));
  case F_SYS: return sys_call(v, f, x, y, r);
  case F_HOST:
  case F_HOST_NILADIC: return call_host(v, f, x, y, r);
  case F_TRAD:
  case F_TROPPED: return call_trad_boxed(v, f, x, y, r);
  case F_SPREAD: return member_call(v, f, x, y, r);
  case F_DERIVED: return v->derived(v, f, x, y, r);
  case F_AXIS: {
    if (f->l.f->kind == F_SYS) return call_sys_axis(v, f, x, y, r);
    if (f->l.f->kind == F_REPLICATE)
      return give_result(r, replicate(v, f->l.f->code, f->axis, x, y));
    prim p = prim_in_force(v, (prim)f->l.f->prim, x != NULL);
    return give_result(r, prim_axis_call(v, p, x, y, f->axis));
  }
  case F_ATOP: return call_on(v, f->l.f, NULL, call2(v, f->r.f, x, y), r);
  case F_FORK: return call_fork(v, f, x, y, r);
  default: return err_set(v->c, ERR_SYNTAX, "an operator is no function");
  }
}

bool call_niladic(vm *v, fn *f, value *r) {
  static const value none;
  arr *got = NULL;
  if (f->kind == F_NILADIC) return call_trad(v, f, &none, &none, r);
  bool ok = call(v, f, NULL, NULL, &got);
  *r = value_arr(got);
  return ok;
}

bool no_result(vm *v) { return err_set(v->c, ERR_VALUE, "the function gave no result"); }

arr *call1(vm *v, fn *f, arr *y) { return call2(v, f, NULL, y); }

arr *call2(vm *v, fn *f, arr *x, arr *y) {
  arr *r;
  if (call(v, f, x, y, &r) && !r) no_result(v);
  return r;
}
