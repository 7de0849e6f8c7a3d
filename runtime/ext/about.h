/* SPDX-License-Identifier: MIT */
/* about.h - what is known of a name besides its value (about.c). */
#ifndef VAPL_EXT_ABOUT_H
#define VAPL_EXT_ABOUT_H
#include "../../src/eval/value/vm.h"

typedef struct origin { /* where a function or namespace was defined */
  const char *file;     /* "": in no file; borrowed of the value */
  int64_t line, lines;  /* the first one, from 0, and how many */
  bool alone;           /* there is nothing else in the file */
} origin;
origin about_origin(value x);
#endif
