/* SPDX-License-Identifier: MIT */
/* mapped.h - files that are mapped to memory, and what becomes of a program when one of them
 * grows shorter: reading beyond the new end raises SIGBUS. The handler of that signal calls
 * mapped_fault, and the program gets an error instead. */
#ifndef VAPL_MAPPED_H
#define VAPL_MAPPED_H
#include "ctx.h"

typedef struct mapped_file {
  _Atomic(struct mapped_file *) next;
  char *base;
  size_t length;
  _Atomic(char *) lost; /* from here on it is gone; NULL: it is whole */
  char name[];
} mapped_file;

/* Notes that the file of that name is mapped there. NULL: WS FULL. */
mapped_file *mapped_add(ctx *c, const char *name, void *base, size_t length);
/* Before it is unmapped; NULL is fine. */
void mapped_remove(ctx *c, mapped_file *m);
/* In a signal handler, on any thread: is `at` in a file? Then there are zeros now, and c's program
 * stops. */
bool mapped_fault(ctx *c, void *at);
/* False, with an error, if a file became shorter. Its missing part raises SIGBUS
 * again. */
bool mapped_whole(ctx *c);
#endif
