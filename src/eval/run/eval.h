/* SPDX-License-Identifier: MIT */
/* eval.h - bound nodes to values (eval.c), the targets of arrows (assign.c), whole texts
 * (text.c). */
#ifndef VAPL_EVAL_RUN_H
#define VAPL_EVAL_RUN_H
#include "../bind/bind.h"

/* An array that it gives may be a number without one; of eval_arr it is none. */
bool eval(vm *v, env *e, const bnode *b, value *r);
arr *eval_arr(vm *v, env *e, const bnode *b);
bool eval_chain(vm *v, env *e, const bnode *b, value *r); /* a B_CHAIN */
/* The statement bound; NULL, the error having its place, when memory is out. */
bound *bound_for_names(vm *v, env *e, tnode *stmt);
static inline const bound *bound_of(vm *v, env *e, tnode *stmt) {
  const bound *k = stmt->cache;
  if (LIKELY(k && bind_fits(e, k))) return k;
  return bound_for_names(v, e, stmt);
}
/* A statement in e, whose last call may be left to the caller of the dfn if it is a `tail`.
 * v->shy says then whether its value is one that was assigned. */
bool eval_stmt(vm *v, env *e, tnode *stmt, bool tail, value *r);

typedef struct indices { /* what stands in brackets; none where elided */
  int n, from;           /* those from `from` on are there */
  value of[ARR_MAX_RANK];
  arr *at[ARR_MAX_RANK]; /* the same as arrays, NULL where elided: borrowed of `of` */
} indices;
/* Those of a B_INDEX or G_INDEX node, evaluated from the right: of[i], perhaps numbers. */
bool indices_of(vm *v, env *e, const bnode *b, indices *ix);
bool indices_box(vm *v, indices *ix);        /* at[i] */
bool indices_host(vm *v, const indices *ix); /* brings them to the host */
void indices_release(indices *ix);
#define OWNED_INDICES __attribute__((cleanup(indices_release)))

static inline span span_in(const env *e, uint32_t begin, uint32_t end) {
  return (span){e->body->src, begin, end};
}
bool fail_at(vm *v, const env *e, const bnode *b); /* gives the error its place; false */
bool fail_node(vm *v, const env *e, const bnode *b, int code,
               const char *msg); /* false */

/* assign.c */
bool assign(vm *v, env *e, const bnode *target, value x);
/* target f← y, which is an array or a number. */
bool assign_with(vm *v, env *e, const bnode *target, fn *f, value y);

/* text.c */
/* Runs a text in the workspace, each statement's value displayed unless it was assigned
 * (`show`); *r is the last one's. */
bool run_text(vm *v, const vm_text *t, bool show, value *r, bool *shy);
/* The same of an entry, with show, in the function that was suspended last. */
bool run_suspended(vm *v, const vm_text *t, value *r, bool *shy);
/* One of its statements in e; *r is none, or what a statement before gave. */
bool run_stmt(vm *v, env *e, tnode *s, bool show, value *r, bool *shy);
/* As run_text, in a namespace; NULL: the workspace. */
bool run_text_in(vm *v, const vm_text *t, arr *in, bool show, value *r, bool *shy);
bool run_unit_in(vm *v, unit *u, arr *in, bool show, value *r, bool *shy);
/* Arrays that a text has by names, each of them another one. */
typedef struct given_arrays {
  uint32_t n;
  sym **name;
  value *array;
} given_arrays;
/* The function or operator that a text of one expression is. Nothing is run: it may have
 * primitives, ⎕-names, dfns, the given arrays, and what operators and trains make of them; SYNTAX
 * ERROR for all else. */
bool define(vm *v, const vm_text *t, const given_arrays *k, value *r);
/* ⍎y in a dfn's environment, NULL: in the workspace. */
bool execute(vm *v, env *at, arr *y, value *r);
/* x⍎y: in the namespace that x is or names; NULL: ⍎y. */
bool execute_in(vm *v, arr *x, arr *y, value *r);
bool sys_execute(vm *v, arr *x, arr *y, arr **r); /* as a row of vm.sys calls it */
#endif
