/* SPDX-License-Identifier: MIT */
/* row.c - the steps of a row that seldom run, or that are not on numbers (row.h). */
#include "row.h"
#include "primitive.h"

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

bool no_result_at(vm *v, const env *e, const bnode *b) {
  no_result(v);
  return fail_at(v, e, b);
}

bool no_array(vm *v, env *e, const bnode *b, value *r) {
  bool none = !r->cls;
  value_clear(r);
  if (none) return no_result_at(v, e, b);
  return fail_node(v, e, b, ERR_SYNTAX, "an array is wanted here");
}

bool no_argument(vm *v, const env *e, const step *s, value x) {
  if (x.cls) err_set(v->c, ERR_SYNTAX, "a function cannot be an argument");
  else no_result(v);
  err_at(v->c, span_in(e, s[-1].begin, s[-1].end));
  return false;
}

/* ── functions ──────────────────────────────────────────────────────────────────────── */

bool number_in(const env *e, const bnode *b, prim_number *n) {
  const value *x = value_at_hand(e, b);
  return x && number_of(x, n);
}

fn *function_made(vm *v, env *e, const step *s) {
  value f = {0};
  if (!eval(v, e, s->f, &f)) return NULL;
  if (f.cls == C_FN) return f.f;
  value_release(f);
  v->at = span_in(e, s->begin, s->end);
  return err_null(v->c, ERR_SYNTAX, "a function is wanted here");
}

/* Applies the primitive of s to *r, which it takes over. */
static bool apply_to_arrays(vm *v, prim p, value *x, value *r) {
  OWNED_VALUE value y = value_move(r);
  if (!value_box(v->c, x) || !value_box(v->c, &y)) return false;
  *r = value_arr(prim_call(v, p, x->a, y.a));
  return r->cls;
}

static bool run_primitive(vm *v, env *e, row_at *at, value *r) {
  const step *s = at->s;
  OWNED_VALUE value x = {0};
  prim_number a, b;
  if (s->x && !left_of(v, e, at, r, &x)) return false;
  v->shy = false;
  if (s->x && number_of(&x, &a) && number_of(r, &b)) {
    if (!v->sv->div && prim_on_numbers(v->sv->ct, &s->on, a, &b)) {
      value_release(*r);
      number_into(r, b);
      return true;
    }
  }
  v->at = span_in(e, s->begin, s->end);
  return apply_to_arrays(v, (prim)s->prim, &x, r);
}

static bool modify(vm *v, env *e, const step *s, value *y) {
  OWNED_VALUE value f = {0};
  if (!eval(v, e, s->f, &f)) return false;
  v->at = span_in(e, s->begin, s->end);
  return assign_with(v, e, s->x, f.f, *y);
}

/* What step f makes of x/y, or of ⍸y if x is NULL; NULL without an error: it needs that. */
static arr *of_selected(vm *v, const fn *f, arr *x, arr *y) {
  ir_call at = call_of(v);
  if (!fn_is(f, P_TALLY))
    return ir_reduce_where(&at, prim_in_force(v, (prim)f->l.f->prim, true), x, y);
  arr *mask = x ? x : y;
  if (y->rank != 1 || mask->rank != 1 || y->count != mask->count) return NULL;
  return ir_ones(&at, mask);
}

/* Step at->s and the next one at once, or else that one alone. */
static bool run_selected(vm *v, env *e, row_at *at, value *r) {
  const step *s = at->s;
  OWNED_VALUE value x = {0};
  if (s->x && !left_of(v, e, at, r, &x)) return false;
  OWNED_VALUE value y = value_move(r);
  if (!value_box(v->c, &x) || !value_box(v->c, &y)) return false;
  v->shy = false;
  v->at = span_in(e, s->begin, s->end);
  arr *next = of_selected(v, s[1].f->val.f, x.a, y.a);
  if (next) at->s++;
  else if (!err_is(v->c)) next = call2(v, s->f->val.f, x.a, y.a);
  *r = value_arr(next);
  return next != NULL;
}

bool run_other(vm *v, env *e, row_at *at, value *r) {
  const step *s = at->s;
  bool ok;
  switch ((rkind)s->run) {
  case R_LOAD: return eval_load(v, e, s->x, r);
  case R_SET: return r->cls ? assign(v, e, s->x, *r) : no_argument(v, e, s, *r);
  case R_PAREN: v->shy = false; return r->cls || no_result_at(v, e, s->x);
  default:
    if (r->cls != C_ARR) return no_argument(v, e, s, *r);
  }
  if (s->run == R_HOLD) {
    value_give(at->held++, r);
    return true;
  }
  if (s->run == R_PRIMITIVE) ok = run_primitive(v, e, at, r);
  else if (s->run == R_SELECT) ok = run_selected(v, e, at, r);
  else ok = modify(v, e, s, r);
  if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
  return ok;
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

bool eval_chain(vm *v, env *e, const bnode *b, value *r) {
  *r = (value){0};
  if (out_of_stack(v)) return fail_at(v, e, b);
  return run_row(v, e, b->flat, false, r);
}

bool eval_stmt(vm *v, env *e, tnode *stmt, bool tail, value *r) {
  *r = (value){0};
  v->shy = false;
  const bound *k = bound_of(v, e, stmt);
  return k && eval_bound(v, e, k, tail, r);
}
