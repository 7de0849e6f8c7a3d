/* SPDX-License-Identifier: MIT */
/* variant.h - f⍠options: what an operand says of how a function works. */
#ifndef VAPL_EVAL_VARIANT_H
#define VAPL_EVAL_VARIANT_H
#include "../value/vm.h"

/* Of an operand of / and \: kept in `prim` of a function derived by ⍠. */
enum { SAYS_ASSOC = 1, SAYS_FORWARD = 2 };
fn *fold_variant(vm *v, fn *f, arr *options);
int says_of(const fn *f);
static inline fn *without_variant(fn *f) { return says_of(f) ? f->l.f : f; }

/* Of ⎕R and ⎕S: a vector of numbers, kept where other derived functions keep an axis. */
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

static inline bool regex_is(value x) {
  return x.cls == C_FN && x.f->kind == F_DERIVED && x.f->code >= OP_QUAD_R;
}
fn *regex_variant(vm *v, fn *f, arr *options);
int regex_says(const fn *f, regex_option o);
#endif
