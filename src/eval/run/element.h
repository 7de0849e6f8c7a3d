/* SPDX-License-Identifier: MIT */
/* element.h - numbers without an array, and what is at hand. */
#ifndef VAPL_EVAL_ELEMENT_H
#define VAPL_EVAL_ELEMENT_H
#include "eval.h"
#include "../../prim/direct.h"

static inline bool number_of(const value *x, prim_number *n) {
  if (!x->num) return x->cls == C_ARR && prim_number_of(x->a, n);
  n->of = (cls)x->num;
  n->as.i = x->i;
  return true;
}

static inline value value_number(const prim_number *n) {
  return (value){.cls = C_ARR, .num = (uint8_t)n->of, .i = n->as.i};
}

static inline void number_into(value *r, prim_number n) {
  value_put_number(r, n.of, n.as.i);
}

/* The array of e's namespace that b names, where no call has the name; NULL: it is none. (primitive.c) */
const value *value_in_space(const env *e, const bnode *b);
/* What a node stands for, where nothing need run to know it, or NULL. */
static inline const value *value_at_hand(const env *e, const bnode *b) {
  const value *x;
  switch ((bkind)b->kind) {
  case B_CONST: return &b->val;
  case B_OMEGA: return &e->omega;
  case B_ALPHA: x = &e->alpha; break;
  case B_NAME:
    x = env_at_once(e, b->s, b->slot);
    if (!LIKELY(x || !e->space)) return value_in_space(e, b);
    break;
  default: return NULL;
  }
  return x && x->cls == b->cls ? x : NULL;
}
#endif
