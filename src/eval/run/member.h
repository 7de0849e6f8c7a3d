/* SPDX-License-Identifier: MIT */
/* member.h - namespaces in statements: what is behind a point, # and ##, literals. */
#ifndef VAPL_EVAL_MEMBER_H
#define VAPL_EVAL_MEMBER_H
#include "eval.h"

bool eval_member(vm *v, env *e, const bnode *b, value *r);
arr *member_call(vm *v, fn *f, arr *x, arr *y); /* F_SPREAD */
arr *eval_hash(vm *v, env *e, const bnode *b);
arr *eval_space(vm *v, env *e, const bnode *b);
/* b←x, or b f←x, b being a G_MEMBER; an array of namespaces takes an array of values. */
bool assign_member(vm *v, env *e, const bnode *b, fn *f, value x);
arr *eval_namespace(vm *v, env *e, const bnode *b); /* one, or DOMAIN ERROR; owned */
#endif
