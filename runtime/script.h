/* SPDX-License-Identifier: MIT */
/* script.h - the text of a program in a file, for the library and the command line. */
#ifndef VAPL_SCRIPT_H
#define VAPL_SCRIPT_H
#include "../src/base/ctx.h"
#include <stdio.h>

/* Reads a whole file. FILE NAME ERROR if there is none, FILE ERROR if it cannot be read. */
bool script_read(ctx *c, const char *path, char **text, size_t *n);
/* Is it called as a file of definitions is? */
bool script_is_definition(const char *path);
#endif
