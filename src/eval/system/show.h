/* SPDX-License-Identifier: MIT */
/* show.h - output: how values and functions are displayed. */
#ifndef VAPL_EVAL_SHOW_H
#define VAPL_EVAL_SHOW_H
#include "../value/vm.h"
#include "../../array/display.h"

bool put_out(vm *v, const char *p, size_t n);
bool show_value(vm *v, value x); /* displays it */
fmt_opts show_options(vm *v);    /* in force here */

/* fn_show.c */
enum { TRAINS_BOX, TRAINS_TREE, TRAINS_PARENS, TRAINS_DEF };
/* As its lines are displayed. */
bool fn_show(vm *v, fn *f, const fmt_opts *o, str *s);
arr *fn_parts(vm *v, const fn *f, bool cells); /* ⎕CR; cells: glyphs as vectors */
#endif
