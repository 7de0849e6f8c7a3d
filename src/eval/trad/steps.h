/* SPDX-License-Identifier: MIT */
/* steps.h - the steps of a definition, run. */
#ifndef VAPL_EVAL_STEPS_H
#define VAPL_EVAL_STEPS_H
#include "trad.h"

/* Those of t in e; k: the local names, NULL outside functions. */
bool run_steps(vm *v, env *e, const trad *t, shadow *k);
/* trad.c: what its function's result is now; *r is none if that has no value. */
bool trad_result(vm *v, const shadow *k, const trad *t, value *r);
#endif
