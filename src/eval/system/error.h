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
void stack_put(vm *v, str *s);                /* as )SI does */
void call_name(vm *v, const env *e, str *s);  /* of the call in e; nothing: it has none */
void stack_forget(vm *v);
void error_fields_clear(arr **fields); /* DMX_FIELDS of them, each an array or NULL */
#endif
