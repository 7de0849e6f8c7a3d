/* SPDX-License-Identifier: MIT */
/* files.h - what the ⎕-names for files and folders share (files.c): names, options, patterns. */
#ifndef VAPL_EXT_FILES_H
#define VAPL_EXT_FILES_H
#include "../../src/eval/value/arg.h"
#include <stddef.h>

/* What is done with names, and how. */
typedef struct task {
  vm *v;
  const char *who;
  int64_t how;                      /* the left argument */
  int64_t wildcard, unique, follow, /* options: 0 or 1 */
      recurse;      /* in folders below: 0 not, 1 all, 2 those that can be read */
  int64_t depth;    /* of folders below, -1: all */
  int64_t property; /* of ⎕NINFO */
  bool empty;       /* a name may be */
  bool ties;        /* a tied file's number may stand for its name */
  int64_t position; /* in it */
  int64_t exists, preserve,
      rename_only; /* options of ⎕NCOPY and ⎕NMOVE; exists: EXISTS_… */
  const char *to;  /* where they copy and move to */
  bool into;       /* … a folder that is there */
} task;

enum { EXISTS_ERROR, EXISTS_SKIP, EXISTS_REPLACE, EXISTS_NEWER };

/* What is done with one name: an array, owned. */
typedef arr *name_fn(const task *t, const char *path);
/* f of the name or names in y. */
bool each_name(const task *t, arr *y, name_fn *f, arr **r);
/* The left argument, 0 to `most`, and the options. */
bool task_read(task *t, arr *x, int most, const option_row *rows);
/* The paths that match, sorted by folder, owned. */
arr *matching(const task *t, const char *pattern);
#define WILDCARD                                                                         \
  { .name = "Wildcard", .hi = 1, .at = offsetof(task, wildcard), .principal = true }
/* Removes a file or a folder, and what is in it if `all`. */
bool removed(vm *v, const char *who, const char *path, bool all);
#endif
