/* SPDX-License-Identifier: MIT */
/* threads.h - what the evaluator asks of threads, which runtime/ext/thread.c has. */
#ifndef VAPL_EVAL_THREADS_H
#define VAPL_EVAL_THREADS_H
#include "vm.h"

typedef struct thread_hooks {
  /* A line of a script or session has ended: others run. `last`: until none is ready any more. */
  bool (*line)(vm *v, bool last);
  /* :Hold begins, once no other thread has one of them; if that is not at once, and `at_once` is not NULL, *at_once
   * becomes false instead. */
  bool (*hold)(vm *v, arr *tokens, bool *at_once);
  void (*release)(vm *v, arr *tokens);
  bool (*delay)(vm *v, double until); /* ⎕DL: others run until then (now_seconds) */
  void (*end)(vm *v);                 /* all are ended */
} thread_hooks;
extern const thread_hooks thread_hooks_of_vm;
#endif
