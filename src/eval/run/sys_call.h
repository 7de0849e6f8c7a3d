/* SPDX-License-Identifier: MIT */
/* sys_call.h - ⎕-names read, assigned and called. Their table is vm.sys: what a row does is known to that
 * table alone (system/system.c), so that nothing here depends on it. */
#ifndef VAPL_EVAL_SYS_CALL_H
#define VAPL_EVAL_SYS_CALL_H
#include "../value/sysname.h"
#include "../value/vm.h"

typedef arr *sys_getter(vm *v);
typedef bool sys_setter(vm *v, env *e, value x);
typedef bool sys_caller(vm *v, arr *x, arr *y, arr **r);

typedef struct sys_row {
  const char *name;
  uint8_t valence; /* SYS_… */
  sys_getter *get;
  sys_setter *set;
  sys_caller *call;
  uint16_t field; /* without get: an int in sysvars, lo to hi */
  int lo, hi;
} sys_row;

/* The ⎕-name of that row (value/sysname.h). */
arr *sys_get(vm *v, int row);
bool sys_set(vm *v, env *e, int row, value x);
bool sys_call(vm *v, const fn *f, arr *x, arr *y, arr **r);
/* call(v, x, y, r), by one rank for all of them where `valence` has SYS_OUTSIDE. */
bool sys_apply(vm *v, int valence, sys_caller *call, arr *x, arr *y, arr **r);
/* One that a function may have as its own, having no field; it becomes again what it was, x. */
bool sys_is_variable(const vm *v, int row);
void sys_restore(vm *v, env *e, int row, arr *x);
sysvars *sys_own(vm *v, env *e); /* the variables that e may change */
#endif
