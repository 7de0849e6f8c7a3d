/* SPDX-License-Identifier: MIT */
/* sysname.h - the ⎕-names as words: which there are and of what class. What they do is
 * system/system.c's; both read tables/sysname.def. */
#ifndef VAPL_EVAL_SYSNAME_H
#define VAPL_EVAL_SYSNAME_H
#include "value.h"

/* How a function is called: with which arguments, whether it fetches them itself, whether it reads
 * what ⍠ gives; and whether a name asks, or changes, what is outside: the first of several ranks alone does
 * that, and all have its answer (src/dist/dist.h). */
enum {
  SYS_MONADIC = 1,
  SYS_DYADIC = 2,
  SYS_EITHER = 3,
  SYS_FETCHES = 4,
  SYS_OPTIONS = 8,
  SYS_OUTSIDE = 16,
  SYS_AXIS = 32, /* takes one, in vm.axis */
  SYS_LIFTS =
      64 /* a function of each element alone; a variable that is the same for all cells */
};

int sys_find(const char *name, size_t n);   /* row, -1 */
bool sys_known(const char *name, size_t n); /* in the language, but not here */
uint32_t sys_oper(int row);                 /* an operator's code */
int sys_class(int row);                     /* C_ARR, C_FN, C_OP */
int sys_valence(int row);                   /* of a function: SYS_…; 0 */
bool sys_stands_alone(int row);             /* a function that needs no argument */
bool sys_inverts_itself(int row);           /* a function that is its own inverse */
bool sys_turns(int row);                    /* whose inverse has ¯1 for 1 on its left */
const char *sys_name(int row);              /* NULL behind the last one */
const char *sys_help(int row);
#endif
