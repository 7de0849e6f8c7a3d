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
#endif
