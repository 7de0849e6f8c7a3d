/* SPDX-License-Identifier: MIT */
/* arg.h - arguments that must be of some kind: a number, a text, options. Each says so in an
 * error when it is not; `what` and `name` are for the message. */
#ifndef VAPL_EVAL_ARG_H
#define VAPL_EVAL_ARG_H
#include "vm.h"

bool arg_int(vm *v, arr *a, int64_t *n, const char *what); /* one integer */
/* One whole number in lo..hi. */
bool arg_number(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n);
/* A simple character scalar or vector as UTF-8 into s, NUL-terminated. DOMAIN ERROR for what
 * UTF-8 does not hold (arg_no_char): it would be read back as something else. */
bool arg_no_char(vm *v, const char *what, uint32_t u);
bool arg_text(vm *v, arr *a, const char *what, str *s);
/* Hands the names and values in an operand of ⍠ to `set`: one pair, or a vector of pairs. The
 * value of the principal option stands alone, as a scalar; its name is empty. */
typedef bool option_setter(vm *v, void *user, arr *name, arr *x);
bool arg_options(vm *v, arr *x, option_setter *set, void *user);
/* Two operands of ⍠ as one; where both name an option, more has its value. */
arr *arg_options_both(vm *v, arr *first, arr *more);

/* An option of a function: a whole number lo to hi, or one of `words`, each ended by a blank,
 * as its number from 0; stored `at` so many bytes behind the function's settings. Or `set`
 * reads it; what: its name, for errors. */
typedef struct option_row {
  const char *name, *words;
  int64_t lo, hi;
  size_t at; /* of an int64_t */
  bool (*set)(vm *v, void *to, const char *what, arr *x);
  bool principal;
} option_row;
/* The number that a value of the option o of the function who is. */
bool arg_option_value(vm *v, const char *who, const option_row *o, arr *x, int64_t *n);
/* The options in x into the function's settings. rows: up to one without a name. */
bool arg_option_rows(vm *v, arr *x, const char *who, const option_row *rows, void *to);
/* The axis, from 0, that one of / ⌿ \ ⍀ goes along; axis: what stood in brackets, or NULL. */
bool fold_axis(vm *v, uint32_t code, arr *axis, const arr *y, int *k);
#endif
