/* SPDX-License-Identifier: MIT */
/* trad.h - traditional functions, and control structures (lexer/parse_trad.c has their form). */
#ifndef VAPL_EVAL_TRAD_H
#define VAPL_EVAL_TRAD_H
#include "../value/vm.h"

/* The T_TRAD becomes a function or an operator of e's namespace. */
bool trad_define(vm *v, const env *e, tnode *t);
/* f is an F_TRAD, F_NILADIC or F_TROPPED; x none: no left argument; y none: no argument. *r is none if it
 * gave no result. x, y and *r may be numbers without arrays. */
bool call_trad(vm *v, fn *f, const value *x, const value *y, value *r);
/* The T_CONTROL of a text, run in e. */
bool run_control(vm *v, env *e, tnode *t);
/* line_editor.c: what the lines of a T_EDIT say. */
bool line_editor(vm *v, const env *e, const tnode *t);
/* Defines the function that a text is, f←{…} or ∇ … ∇, in a namespace, NULL the workspace; *name
 * becomes its name. */
bool trad_fix(vm *v, const vm_text *t, arr *in, str *name);
/* If what failed was left by →: forgets it, for the text goes on. */
bool trad_aborted(vm *v);

/* ── steps.c ── */
/* Runs those of t in e; k: the local names, NULL outside functions. */
bool run_steps(vm *v, env *e, const trad *t, shadow *k);
/* trad.c: what its function's result is now; *r is none if that has no value. */
bool trad_result(vm *v, const shadow *k, const trad *t, value *r);

/* ── suspend.c: suspended functions ── */
bool can_suspend(vm *v); /* now, if nobody handles the error */
/* The function of *h, in which the recorded error was, is suspended: true if it goes on, with line
 * h->to; else it is given up, and all that it called from. */
bool suspend(vm *v, halt *h);
bool give_up(vm *v); /* →: false */
/* → in an entry: to the line, or (NULL) giving the newest suspension up. */
bool branch_in_session(vm *v, const arr *to);
/* The line that a branch to `to`, which is not empty, goes to; DOMAIN ERROR. */
bool line_of_branch(vm *v, const arr *to, int64_t *line);

/* ── definition.c: what is known of a traditional function before it is called: its names, their slots, and which names
 * of others its lines mention ── */

/* In the tree's arena. */
typedef struct trad_code {
  body body;
  body *others; /* other names that its lines mention; NULL until they are needed */
  unsigned sys; /* SHADOW_… */
  int *var;     /* the rows of its other local ⎕-names */
  uint32_t vars;
} trad_code;

trad_code *trad_code_of(vm *v, const fn *f); /* NULL: WS FULL */
/* The names that the lines of f mention and the header has not; NULL: out of memory, or an interrupt. */
const body *trad_mentions(vm *v, const fn *f, trad_code *k);
/* The names of f, which may be gone through without a call; NULL: it has ⎕-names of its own, it may see
 * names of a dfn that runs, or WS FULL. */
body *trad_body(vm *v, const fn *f);
#endif
