/* SPDX-License-Identifier: MIT */
/* row.h - a chain's row of steps run (flat.c makes it), in line where the statements of dfns are.
 *
 * Primitives that follow one another on numbers of rank 0 need no array between them, and what
 * they make stays in registers: no number is copied as a whole, nor has an address. Calls of
 * dfns stay in the row, too. All else is eval.c's. */
#ifndef VAPL_EVAL_ROW_H
#define VAPL_EVAL_ROW_H
#include "call.h"
#include "../value/frame.h"
#include "element.h"

/* ── what is seldom (eval.c) ────────────────────────────────────────────────────────── */

/* An array or a number is wanted of b, which gave *r; false. */
bool no_array(vm *v, env *e, const bnode *b, value *r);
/* Step s cannot take the value so far; false. */
bool no_argument(vm *v, const env *e, const step *s, value x);
/* The number that an array at hand is. */
bool number_in(const env *e, const bnode *b, prim_number *n);
/* The function that b, a member or a name of e's namespace, stands for, where nothing need run to know it; owned.
 * NULL without an error: it is for function_made. */
fn *member_function(vm *v, const env *e, const bnode *b);
/* The value of s->f, which must be a function; owned. */
fn *function_made(vm *v, env *e, const step *s);
/* Of the dfn f, what x f⍨ y calls, f, and its arguments in their order: a call that can be left to
 * the caller, as one of f can. Any other function as it is. */
fn *operand_of_self(fn *f, value *x, value *y);
typedef struct row_at { /* where a row is: the step, and behind what was put aside */
  const step *s;
  value *held;
} row_at;
/* The primitive of at->s on *r, an array or a number. */
bool run_primitive(vm *v, env *e, row_at *at, value *r);
/* What R_TALLY or R_FOLD makes of an array at hand, which *r is: a number; *r is none then. False: nothing has
 * happened. */
bool number_made(vm *v, const step *s, value *r, prim_number *n);
/* Step at->s, which is none of these, no call and no load; it becomes the last one that was run. */
bool run_other(vm *v, env *e, row_at *at, value *r);

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

/* The number without an array that s->x is, if nothing need run to know it. */
INLINE bool number_at_once(const env *e, const step *s, prim_number *n) {
  const char *in = (const char *)s;
  if (s->at == AT_ENV) in = (const char *)e;
  const value *x = (const value *)(const void *)(in + s->offset);
  if (!LIKELY(x->num)) return false;
  n->of = (cls)x->num;
  n->as.i = x->i;
  return true;
}

/* The same, perhaps of an array. */
INLINE bool number_at_hand(const env *e, const step *s, prim_number *n) {
  prim_number got;
  if (number_at_once(e, s, n)) return true;
  if (!number_in(e, s->x, &got)) return false;
  n->of = got.of;
  n->as.i = got.as.i;
  return true;
}

/* Loads what s stands for, if nothing need run to know it: a number into *y, which an array of one is, too,
 * if the next step is on numbers; anything else into *r. */
INLINE bool loaded(const env *e, const step *s, value *r, prim_number *y) {
  if (LIKELY(number_at_once(e, s, y))) return true;
  const value *x = value_at_hand(e, s->x);
  if (!x) return false;
  if ((s->feeds || x->num) && number_of(x, y)) return true;
  y->of = CLS_NONE;
  *r = value_retain(*x);
  return true;
}

INLINE bool number_into_row(vm *v, const step *s, value *r, prim_number *y) {
  prim_number got;
  if (!number_made(v, s, r, &got)) return false;
  y->of = got.of;
  y->as.i = got.as.i;
  return true;
}

/* *y becomes what the primitive of s makes of it and x, integers. */
INLINE bool step_on_wholes(const step *s, prim_number x, prim_number *y) {
  if (!LIKELY(x.of == CLS_I && y->of == CLS_I)) return false;
  return prim_whole_in_line((prim)s->prim, x.as.i, &y->as.i);
}

/* What *at loads, and of a number, if it can, what the next step makes of it, which then is *at. */
INLINE bool loaded_and_used(const env *e, const step **at, value *r, prim_number *y) {
  const step *s = *at;
  prim_number x;
  if (!loaded(e, s, r, y)) return false;
  if (number_at_once(e, s + 1, &x) && LIKELY(step_on_wholes(s + 1, x, y))) ++*at;
  return true;
}

/* *y becomes what the primitive of s makes of it, if its other argument is such a number too. */
INLINE bool step_on_number(const sysvars *sv, const env *e, const step *s,
                           prim_number *y) {
  prim_number x = *y;
  if (s->at != AT_NONE && !number_at_hand(e, s, &x)) return false;
  return !sv->div && prim_on_numbers(sv->ct, &s->on, x, y);
}

/* The same of a step that takes what was put aside; *y is its left argument. */
INLINE bool step_on_held(const sysvars *sv, const step *s, value **held, prim_number *y) {
  prim_number right = {(cls)(*held)[-1].num, {(*held)[-1].i}};
  if (!y->of || !right.of) return false;
  if (s->run != R_WHOLE_HELD || !step_on_wholes(s, *y, &right))
    if (sv->div || !prim_on_numbers(sv->ct, &s->on, *y, &right)) return false;
  *y = right;
  --*held;
  return true;
}

/* The name of the call that step s sets becomes y, a number, or what that makes of the number that it is. False:
 * nothing has happened. */
INLINE bool set_own(const vm *v, env *e, const step *s, prim_number y) {
  value *at = (value *)(void *)((char *)e + s->offset);
  if (!y.of || s->at != AT_ENV || !env_is_plain(v, e)) return false;
  if (s->run == R_MODIFY) {
    prim_number old = {(cls)at->num, {at->i}};
    bool can = old.of && s->on.ints && !v->sv->div;
    if (!can || !prim_on_numbers(v->sv->ct, &s->on, old, &y)) return false;
  }
  value_set_number(at, y.of, y.as.i);
  return true;
}

/* ── calls ──────────────────────────────────────────────────────────────────────────── */

static inline bool eval_load(vm *v, env *e, const bnode *b, value *r) {
  const value *x = value_at_hand(e, b);
  if (!x) return eval(v, e, b, r);
  *r = value_retain(*x);
  return true;
}

static inline bool eval_array(vm *v, env *e, const bnode *b, value *r) {
  if (!eval_load(v, e, b, r)) return false;
  return r->cls == C_ARR || no_array(v, e, b, r);
}

/* The left argument of s; then *r is the right one. */
static inline bool left_of(vm *v, env *e, row_at *at, value *r, value *x) {
  const step *s = at->s;
  if (s->at != AT_HELD) return eval_array(v, e, s->x, x);
  value_copy(x, r);
  value_copy(r, --at->held);
  return x->cls == C_ARR || no_array(v, e, s->x, x);
}

/* May a call of f be left to the caller of the dfn that runs in e? */
static inline bool can_leave(const fn *f, const env *e) {
  if (!is_dfn(f)) return false;
  return e->body->node && (f == e->self || !fn_uses(f, e)); /* it is older than e */
}

/* For a call of the dfn f, whose reference it takes over; NULL: out of memory. */
static inline env *env_for(vm *v, fn *f) {
  body *k = f->node->cache;
  if (!LIKELY(k)) k = body_of(v, f->u, f->node);
  return env_new(v, k, f);
}

/* Applies the function of s to *r, which becomes none if there is no result, or if the call was
 * left to the caller. */
INLINE bool apply(vm *v, env *e, row_at *at, bool tail, value *r) {
  const step *s = at->s;
  value x = {0};
  const value *named;
  fn *f;
  if (s->x && !left_of(v, e, at, r, &x)) return false;
  if (LIKELY(s->f->kind == B_DEL)) f = fn_retain(e->self);
  else if ((named = value_at_hand(e, s->f)) && named->cls == C_FN)
    f = fn_retain(named->f);
  else if (!(f = member_function(v, e, s->f)))
    f = err_is(v->c) ? NULL : function_made(v, e, s);
  if (!f) {
    value_release(x);
    return false;
  }
  if (!LIKELY(is_dfn(f))) f = operand_of_self(f, &x, r);
  v->shy = false;
  span here = span_in(e, s->begin, s->end);
  v->at = here;
  bool left = tail && can_leave(f, e);
  if (!LIKELY(is_dfn(f) && (left || step_begins(v->c)))) {
    pending_call p = {f, x, value_move(r)};
    return call_other(v, &p, r);
  }
  env *n = env_for(v, f);
  if (!n) {
    value_release(x);
    return false;
  }
  n->called = here;
  value_copy(&n->alpha, &x);
  value_give(&n->omega, r);
  if (!left) return call_env(v, n, r);
  v->tail = n;
  return true;
}

INLINE bool run_call(vm *v, env *e, row_at *at, bool tail, value *r) {
  const step *s = at->s;
  if (!LIKELY(r->cls == C_ARR)) return no_argument(v, e, s, *r);
  if (apply(v, e, at, tail && s[1].run == R_END, r)) return true;
  err_at(v->c, span_in(e, s->begin, s->end));
  return false;
}

/* ── the row ────────────────────────────────────────────────────────────────────────── */

/* A step that is not on numbers. */
INLINE bool run_step(vm *v, env *e, row_at *at, bool tail, value *r) {
  const step *s = at->s;
  if (s->run == R_CALL || s->run == R_FOLD) return run_call(v, e, at, tail, r);
  if (is_primitive(s) && r->cls == C_ARR) return run_primitive(v, e, at, r);
  if (s->run == R_LOAD || s->run == R_LOAD_WHOLE) return eval(v, e, s->x, r);
  return run_other(v, e, at, r);
}

/* The step *at, and perhaps the next one, on the number so far, *y, if all that it needs are
 * numbers, or a load; else nothing has happened. */
INLINE bool step_in_line(vm *v, env *e, const step **at, value **held, value *r,
                         prim_number *y) {
  const step *s = *at;
  prim_number x;
  switch ((rkind)s->run) {
  case R_LOAD: return loaded(e, s, r, y);
  case R_LOAD_WHOLE: return loaded_and_used(e, at, r, y);
  case R_PAREN: return y->of;
  case R_HOLD:
    if (!y->of) return false;
    number_into((*held)++, *y);
    y->of = CLS_NONE;
    return true;
  case R_WHOLE_CONST:
    x = (prim_number){CLS_I, {s->own.i}};
    if (LIKELY(step_on_wholes(s, x, y))) return true;
    break;
  case R_WHOLE_NAME:
    if (number_at_once(e, s, &x) && LIKELY(step_on_wholes(s, x, y))) return true;
    break;
  case R_WHOLE_HELD: return step_on_held(v->sv, s, held, y);
  case R_PRIMITIVE: break;
  case R_TALLY:
  case R_FOLD: return !y->of && number_into_row(v, s, r, y);
  case R_END:
  case R_SELECT:
  case R_CALL:
  case R_OPEN: return false;
  case R_SET:
  case R_MODIFY: return set_own(v, e, s, *y);
  default: NEVER;
  }
  if (s->at == AT_HELD) return step_on_held(v->sv, s, held, y);
  return y->of && step_on_number(v->sv, e, s, y);
}

/* From s on; a number is in y, and in *r for the steps that are not in line. The last call of a
 * `tail` may be left to the caller of the dfn. */
INLINE bool run_row(vm *v, env *e, const step *s, bool tail, value *r) {
  value aside[HELD_MOST], *held = aside;
  prim_number y = {CLS_NONE, {0}};
  bool ok = true;
  for (*r = (value){0}; ok; s++) {
    if (LIKELY(step_in_line(v, e, &s, &held, r, &y))) continue;
    if (y.of) number_into(r, y);
    if (s->run == R_END) return true;
    row_at at = {s, held};
    ok = run_step(v, e, &at, tail, r);
    s = at.s;
    held = at.held;
    y.of = (cls)r->num;
    y.as.i = r->i;
    if (s[1].run != R_END) v->shy = false;
  }
  while (held > aside) value_release(*--held);
  value_clear(r);
  return false;
}

/* v->shy says then whether its value is one that was assigned. */
INLINE bool eval_bound(vm *v, env *e, const bound *k, bool tail, value *r) {
  bool ok;
  v->shy = false;
  if (LIKELY(k->row)) ok = run_row(v, e, k->row, tail && !k->assigns, r);
  else ok = eval_load(v, e, k->root, r);
  v->shy |= k->assigns;
  return ok;
}
#endif
