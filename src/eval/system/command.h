/* SPDX-License-Identifier: MIT */
/* command.h - the commands of the session, ) and ]. */
#ifndef VAPL_EVAL_COMMAND_H
#define VAPL_EVAL_COMMAND_H
#include "../value/vm.h"

bool command(vm *v, const char *p, const char *end);

typedef struct words words; /* of a line, command.c */
typedef struct command_row {
  const char *name, *args, *help;
  bool (*run)(vm *v, words w);
  bool (*beyond)(vm *v, const char *at,
                 const char *end); /* NULL run: it is in runtime/ext */
  bool unsuspended;                /* not while functions are suspended */
} command_row;
const command_row *command_at(size_t i); /* NULL behind the last one */

/* help.c: what there is to say about a topic; which topics there are. */
void help_about(str *s, const char *word, size_t n);
void help_all(str *s);
void help_meaning(str *s,
                  const char *key); /* what it is; nothing: this build has it not */
#endif
