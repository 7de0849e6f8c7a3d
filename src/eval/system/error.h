/* SPDX-License-Identifier: MIT */
/* error.h - what is left of an error. */
#ifndef VAPL_EVAL_ERROR_H
#define VAPL_EVAL_ERROR_H
#include "../value/vm.h"

void error_note(vm *v); /* ⎕EN ⎕DM ⎕DMX from the recorded error */
void error_forget(vm *v);
#endif
