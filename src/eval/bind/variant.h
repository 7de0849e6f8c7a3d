/* SPDX-License-Identifier: MIT */
/* variant.h - f⍠options: the options that change how a function works. */
#ifndef VAPL_EVAL_VARIANT_H
#define VAPL_EVAL_VARIANT_H
#include "../value/vm.h"

/* f⍠options as a function. */
fn *variant_derive(vm *v, fn *f, arr *options);

/* The bits of fn.fold_options, which an operand of / and \ has; PRODUCT_FAST an inner product. */
enum {
  FOLD_ASSOC = 1,
  FOLD_FORWARD = 2,
  FOLD_IDENTITY = 4,
  PRODUCT_FAST = 8,
  FOLD_STRICT = 16,      /* floats from the right, one after the other */
  PRODUCT_PRECISION = 32 /* an option alone: it sets PRODUCT_FAST */
};
/* The function itself, without the options that it was given. */
static inline fn *without_variant(fn *f) { return f->fold_options ? f->l.f : f; }
/* What its reduction of an empty axis gives, borrowed; NULL: it was not given. */
static inline arr *identity_given(const fn *f) {
  return f->fold_options & FOLD_IDENTITY ? f->options : NULL;
}

/* Of ⎕R and ⎕S: a vector of numbers, kept in `options`. */
typedef enum regex_option {
  REGEX_IC,
  REGEX_MODE,
  REGEX_DOTALL,
  REGEX_EOL,
  REGEX_NEOL,
  REGEX_ML,
  REGEX_GREEDY,
  REGEX_OM,
  REGEX_RESULT,
  REGEX_UCP,
  REGEX_SEARCH, /* are the patterns regular expressions? */
  REGEX_TO,     /* is the transformation one? */
  REGEX_OPTIONS
} regex_option;

int regex_option_of(const fn *f, regex_option o);
#endif
