/* SPDX-License-Identifier: MIT */
/* native.h - tied files (native.c) for what reads on in them. */
#ifndef VAPL_EXT_NATIVE_H
#define VAPL_EXT_NATIVE_H
#include "../../src/eval/value/vm.h"

/* No more than so many bytes of the file tied to the number y, from where its last read ended,
 * as characters, owned; *more: are there some behind them? FILE TIE ERROR. */
arr *native_next(vm *v, const arr *y, const char *who, int64_t bytes, bool *more);
void native_pass(vm *v, const arr *y,
                 int64_t bytes); /* the next read begins behind them */
/* The name of the file tied to the number y, borrowed; *at: its position. FILE TIE ERROR. */
const char *native_name(vm *v, const arr *y, const char *who, int64_t *at);
#endif
