/* SPDX-License-Identifier: MIT */
/* workspace.h - a workspace in a file (workspace.c), and what the session does with one
 * (keep.c). docs/data.md has the format. */
#ifndef VAPL_EXT_WORKSPACE_H
#define VAPL_EXT_WORKSPACE_H
#include "../../src/eval/value/vm.h"

/* What was read: names and their values, owned. */
typedef struct ws_entry {
  sym *name;
  value x;
} ws_entry;
typedef struct ws_contents {
  vm *v;
  VEC(ws_entry) entries;
  sysvars vars;
  arr *lx; /* NULL: none */
} ws_contents;
void ws_contents_free(ws_contents *w);
#define OWNED_CONTENTS __attribute__((cleanup(ws_contents_free)))

/* Writes every name of the workspace that has a value; the file is there whole, or as it was. */
bool ws_write(vm *v, const char *who, const char *path, arr *lx);
/* Reads a file; nothing of the workspace is touched. FILE DAMAGED. */
bool ws_read(vm *v, const char *who, const char *path, ws_contents *w);
/* An array as bytes, and back; DOMAIN ERROR for what are none of them. */
arr *ws_pack(vm *v, const char *who, arr *a);
arr *ws_unpack(vm *v, const char *who, arr *bytes);
/* Can the function be written down? Not what calls a function of the host program, nor, unless `lines`,
 * what is made of one defined by ∇. */
bool ws_keeps(const fn *f, bool lines);
#endif
