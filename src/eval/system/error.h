/* SPDX-License-Identifier: MIT */
/* error.h - how an error looks, and what is left of it. */
#ifndef VAPL_EVAL_ERROR_H
#define VAPL_EVAL_ERROR_H
#include "../value/vm.h"

/* The event message: the error's name, or what ⎕SIGNAL made it. */
void error_event(const err *e, str *s);
void error_note(vm *v); /* ⎕EN ⎕DM ⎕DMX from the recorded error */
void error_forget(vm *v);
bool error_among(const arr *codes, int code); /* 0 is any error, 1000 any interrupt */
void stack_note(vm *v, const err *e);         /* sys_stack.c: )SI shows its calls */
void call_name(vm *v, const env *e, str *s);  /* of the call in e; nothing: it has none */
/* As )SI does: what is suspended, and what that called from, else the last error's calls; names: as )SINL. */
bool stack_put(vm *v, bool names, str *s);
void stack_forget(vm *v);
/* Functions that are suspended (trad/suspend.c): how many; is that one of them? */
uint32_t stack_halts(const vm *v);
bool stack_is_halted(const vm *v, const env *e);
/* The name and line of a call that runs in e, and stands at a byte of its text. */
void stack_put_call(vm *v, const env *e, uint32_t at, str *s);
/* The call of e that the recorded error ends is kept to be looked at, until failed_forget; false: it
 * is not. */
bool failed_keep(vm *v, env *e);
void failed_forget(vm *v);
void error_fields_clear(arr **fields); /* DMX_FIELDS of them, each an array or NULL */
#endif
