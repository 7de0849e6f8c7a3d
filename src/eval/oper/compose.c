/* SPDX-License-Identifier: MIT */
/* compose.c - the operators that join two functions, or a function and an argument:
 * f⍨ f∘g a∘g f∘a f⍥g f⍛g. */
#include "../bind/variant.h"
#include "oper.h"

/* y f x, y f y; a⍨ is the constant function a. */
bool oper_commute(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (f->l.cls == C_ARR) return give_result(r, arr_retain(f->l.a));
  if (!x) x = y;
  return call(v, f->l.f, y, x, r);
}

/* x f g y, a g y, y f a. */
bool oper_jot(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (f->l.cls == C_FN && f->r.cls == C_FN)
    return call_on(v, f->l.f, x, call1(v, f->r.f, y), r);
  if (x)
    return err_set(v->c, ERR_SYNTAX,
                   "a function with a bound argument takes no left one");
  if (f->l.cls == C_ARR) return call(v, f->r.f, f->l.a, y, r);
  return call(v, f->l.f, y, f->r.a, r);
}

/* (f x) g y, (f y) g y. */
bool oper_behind(vm *v, fn *f, arr *x, arr *y, arr **r) {
  OWNED arr *left = NULL;
  if (f->l.cls == C_ARR) left = arr_retain(f->l.a);
  else if (x) left = call1(v, f->l.f, x);
  else left = call1(v, f->l.f, y);
  if (!left) return false;
  if (f->r.cls != C_FN)
    return err_set(v->c, ERR_SYNTAX, "⍛ needs a function on its right");
  return call(v, f->r.f, left, y, r);
}

/* (g x) f g y, f g y. */
bool oper_over(vm *v, fn *f, arr *x, arr *y, arr **r) {
  OWNED arr *b = call1(v, f->r.f, y);
  if (!b) return false;
  if (!x) return call(v, f->l.f, NULL, b, r);
  OWNED arr *a = call1(v, f->r.f, x);
  return a && call(v, f->l.f, a, b, r);
}

/* f⍠options calls f: the reduction or scan that has it as its operand reads the options; of ⎕R
 * and ⎕S it calls the one that has them. */
bool oper_variant(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (f->m.cls) return call(v, f->m.f, x, y, r);
  const fn *g = f->l.f;
  bool inner = g->kind == F_DERIVED && g->code == OP_DOT;
  if (x && inner && (f->fold_options & PRODUCT_FAST))
    return give_result(r, inner_with(v, g, x, y, f->digits));
  return call(v, f->l.f, x, y, r);
}
