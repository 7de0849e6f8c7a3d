/* SPDX-License-Identifier: MIT */
/* command.h - the commands of the session, ) and ]. */
#ifndef VAPL_EVAL_COMMAND_H
#define VAPL_EVAL_COMMAND_H
#include "../value/vm.h"

bool command(vm *v, const char *p, const char *end);
const char *command_name(size_t i); /* NULL behind the last one */
#endif
