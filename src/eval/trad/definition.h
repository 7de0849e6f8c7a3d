/* SPDX-License-Identifier: MIT */
/* definition.h - what is known of a traditional function before it is called: its names, their slots, and which
 * names of others its lines mention. */
#ifndef VAPL_EVAL_DEFINITION_H
#define VAPL_EVAL_DEFINITION_H
#include "../value/vm.h"

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
