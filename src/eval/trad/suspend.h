/* SPDX-License-Identifier: MIT */
/* suspend.h - suspended functions. */
#ifndef VAPL_EVAL_SUSPEND_H
#define VAPL_EVAL_SUSPEND_H
#include "../value/vm.h"

bool can_suspend(vm *v); /* now, if nobody handles the error */
/* The function of *h, in which the recorded error was, is suspended: true if it goes on, with line
 * h->to; else it is given up, and all that it called from. */
bool suspend(vm *v, halt *h);
bool give_up(vm *v); /* →: false */
/* → in an entry: to the line, or (NULL) giving the newest suspension up. */
bool branch_in_session(vm *v, const arr *to);
/* The line that a branch to `to`, which is not empty, goes to; DOMAIN ERROR. */
bool line_of_branch(vm *v, const arr *to, int64_t *line);
#endif
