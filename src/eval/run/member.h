/* SPDX-License-Identifier: MIT */
/* member.h - namespaces in statements: what is behind a point, # and ##, literals. */
#ifndef VAPL_EVAL_MEMBER_H
#define VAPL_EVAL_MEMBER_H
#include "call.h"
#include "eval.h"
#include "primitive.h"
#include "../trad/trad.h"
#include "../value/space.h"

/* Calls the function f without arguments that a name of `in` stands for, or gives the property's value. */
static inline bool member_read(vm *v, fn *f, const arr *in, value *r) {
  return LIKELY(!f->member) ? call_niladic(v, f, r) : v->classes->read(v, f, in, r);
}
bool eval_member(vm *v, env *e, const bnode *b, value *r);
bool member_call(vm *v, fn *f, arr *x, arr *y, arr **r); /* F_SPREAD; *r as of call */
arr *eval_hash(vm *v, env *e, const bnode *b);
arr *eval_space(vm *v, env *e, const bnode *b);
/* What stands left of the brackets b, a name of a function without arguments or a member that is one, at the indices
 * `at`: a property is asked by them. */
arr *member_at(vm *v, env *e, const bnode *b, int n, arr *const *at);
/* `on`, a reference, indexed, or n PART_… (class.h): by its class, or as any array. */
arr *reference_at(vm *v, arr *on, int n, arr *const *at);
/* x⌷y, ⌷y of a reference y. */
static inline arr *primitive_call(vm *v, prim p, arr *x, arr *y) {
  if (LIKELY(p != P_SQUAD || !y->ref)) return prim_call(v, p, x, y);
  return reference_at(v, y, PART_SQUAD, &x);
}
/* b←x, or b f←x, b being a G_MEMBER; an array of namespaces takes an array of values. */
bool assign_member(vm *v, env *e, const bnode *b, fn *f, value x);
arr *eval_namespace(vm *v, env *e, const bnode *b); /* one, or DOMAIN ERROR; owned */
#endif
