/* SPDX-License-Identifier: MIT */
/* json.h - what ⎕JSON's reader and writer share. */
#ifndef VAPL_EXT_JSON_H
#define VAPL_EXT_JSON_H
#include "../../src/eval/value/vm.h"

enum { FORMAT_D, FORMAT_M, FORMAT_T };

typedef struct json_options { /* numbers as ⍠ gives them */
  int64_t format;             /* FORMAT_T: an object is a table of names and values */
  int64_t compact;            /* 0: a line for each value */
  int64_t split;              /* HighRank 'Split': an array of arrays for a matrix */
  int64_t ascii;              /* all other characters are \uNNNN */
  int64_t dialect;            /* 0: JSON, 1: JSON5 */
  arr *null;                  /* what null is; NULL: ⊂'null' */
} json_options;

/* A JSON name as an APL name, as Dyalog has it: what cannot stand in one is ⍙ and its number. */
void json_mangle(const char *name, size_t n, str *s);
void json_unmangle(const char *name, size_t n, str *s); /* and back */
bool json_read(vm *v, const json_options *o, arr *y, arr **r);
bool json_write(vm *v, const json_options *o, arr *y, arr **r);
#endif
