/* SPDX-License-Identifier: MIT */
/* arg.h - arguments that must be of some kind: a number, a text, options. Each says so in an
 * error when it is not; `what` and `name` are for the message. */
#ifndef VAPL_EVAL_ARG_H
#define VAPL_EVAL_ARG_H
#include "vm.h"

bool arg_int(vm *v, arr *a, int64_t *n, const char *what); /* one integer */
/* One whole number in lo..hi. */
bool arg_number(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n);
/* A simple character scalar or vector as UTF-8 into s, NUL-terminated. */
bool arg_text(vm *v, arr *a, const char *what, str *s);
/* Hands the names and values in an operand of ⍠ to `set`: one pair, or a vector of pairs. */
typedef bool option_setter(vm *v, void *user, arr *name, arr *x);
bool arg_options(vm *v, arr *x, option_setter *set, void *user);
/* The axis, from 0, that one of / ⌿ \ ⍀ goes along; axis: what stood in brackets, or NULL. */
bool fold_axis(vm *v, uint32_t code, arr *axis, const arr *y, int *k);
#endif
