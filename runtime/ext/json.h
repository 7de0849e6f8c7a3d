/* SPDX-License-Identifier: MIT */
/* json.h - what ⎕JSON's reader and writer share. */
#ifndef VAPL_EXT_JSON_H
#define VAPL_EXT_JSON_H
#include "../../src/eval/value/vm.h"

typedef struct json_options {
  bool matrix; /* Format 'M' */
  bool table;  /* Format 'T': an object is a table of names and values */
  bool spread; /* Compact 0: a line for each value */
  bool split;  /* HighRank 'Split': an array of arrays for a matrix */
  arr *null;   /* what null is; NULL: ⊂'null' */
} json_options;

/* A JSON name as an APL name, as Dyalog has it: what cannot stand in one is ⍙ and its number. */
void json_mangle(const char *name, size_t n, str *s);
bool json_read(vm *v, const json_options *o, arr *y, arr **r);
bool json_write(vm *v, const json_options *o, arr *y, arr **r);
#endif
