/* SPDX-License-Identifier: MIT */
/* lib.h - where scripts lie that others use: lib.c finds one by its name. */
#ifndef VAPL_EXT_LIB_H
#define VAPL_EXT_LIB_H
#include "../../src/eval/value/vm.h"

/* The file `name`, with one of the endings (up to a NULL) behind it: beside the script that runs, as it
 * stands, or in a folder of libraries. *path is empty where there is none; false: an error is recorded. */
bool lib_find(vm *v, const char *name, const char *const *endings, str *path);
/* The text of the script name.apl that comes with the program, and its path; *path is empty where there is none.
 * A program that may read nothing else may read these, for they are a part of this one. */
bool lib_own(vm *v, const char *name, str *path, str *text);
#endif
