/* SPDX-License-Identifier: MIT */
/* call.h - functions called.
 *
 * THE LANGUAGE'S OWN RECURSION is one circle of nine files: a call runs a dfn, whose statements are evaluated,
 * call functions, execute texts and so call again.
 *
 *   run/call.c      a function and its arguments     → dfn, traditional function; by vm.derived and vm.sys
 *                                                      operator, ⎕-name; the host program
 *   run/dfn.c       a dfn's statements               → eval
 *   trad/trad.c, steps.c  traditional functions: their steps → eval
 *   run/eval.c      a statement's nodes              → call, assign
 *   run/assign.c    x[i]f←y                          → eval, select, call
 *   run/member.c    a.b, a.(…), and ←            → eval, assign
 *   run/select.c    (selection)←                     → eval, call
 *   run/text.c      a text's statements              → eval
 *
 * Operators (oper/), ⎕-names (system/, runtime/ext) and the editor of lines stand above the circle: they call, and
 * are known to it only as vm.c gave them to the vm. */
#ifndef VAPL_EVAL_CALL_H
#define VAPL_EVAL_CALL_H
#include "../value/vm.h"

/* f y, x f y (x may be NULL). *r is NULL if the function gave no result. */
bool call(vm *v, fn *f, arr *x, arr *y, arr **r);
/* The same; consumes y, which may be NULL after an error. */
bool call_on(vm *v, fn *f, arr *x, arr *y, arr **r);
/* The same where a result is wanted: no_result if there is none. */
arr *call1(vm *v, fn *f, arr *y);
arr *call2(vm *v, fn *f, arr *x, arr *y); /* x may be NULL */
/* A function without arguments; *r is none if it gave no result. */
bool call_niladic(vm *v, fn *f, value *r);
bool no_result(vm *v);                     /* VALUE ERROR; false */
bool call_too_deep(vm *v);                 /* LIMIT ERROR; true */
static inline bool calls_too_deep(vm *v) { /* LIMIT ERROR if so */
  return v->cfg.max_depth && v->depth >= v->cfg.max_depth && call_too_deep(v);
}
/* dfn.c: the call of a dfn in its environment, whose reference it takes over. */
bool call_env(vm *v, env *e, value *r);
bool call_dfn(vm *v, pending_call *p, value *r); /* call_value of a dfn */
bool call_other(vm *v, pending_call *p, value *r);
static inline bool is_dfn(const fn *f) { return f->kind == F_DFN || f->kind == F_DOPPED; }
/* The same as call of arguments (x may be none) and a result that may be numbers without an array;
 * takes the references of *p over. */
static inline bool call_value(vm *v, pending_call *p, value *r) {
  if (is_dfn(p->f) && step_begins(v->c)) return call_dfn(v, p, r);
  return call_other(v, p, r);
}
#endif
