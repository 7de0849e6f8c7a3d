/* SPDX-License-Identifier: MIT */
/* component.h - component files: component.c ties them to numbers, component_data.c reads and writes. */
#ifndef VAPL_EXT_COMPONENT_H
#define VAPL_EXT_COMPONENT_H
#include "sqlite.h"
#ifdef HAS_SQLITE

/* Statements that each tied file keeps prepared. */
typedef enum cf_ask {
  CF_META, /* first, next, limit, journal, checksum, compress */
  CF_READ,
  CF_ADD,
  CF_REPLACE,
  CF_DROP,
  CF_INFO,
  CF_NUMBERS,
  CF_SET_RANGE,
  CF_SET_LIMIT,
  CF_SET_PROPERTIES,
  CF_ACCESS,
  CF_SET_ACCESS,
  CF_BYTES,
  CF_ASKS
} cf_ask;

typedef struct cf_meta {
  int64_t first, next, limit; /* limit: in bytes, 0: none */
  int64_t property[3];        /* J C Z */
} cf_meta;

typedef struct cf {
  struct cf *next;
  int64_t number;
  sqlite3 *db;
  sqlite3_stmt *ask[CF_ASKS];
  int fd; /* that the locks are on */
  bool exclusive, read_only, held;
  uint64_t device, inode;
  str name; /* as it was tied */
} cf;

/* The file tied to element k of y. FILE TIE ERROR. */
cf *cf_tied(vm *v, arr *y, int64_t k, const char *who);
/* Element k of y, a number; a simple vector. */
bool cf_number(vm *v, arr *y, int64_t k, const char *who, int64_t *n);
bool cf_counts(vm *v, const arr *y, int64_t least, int64_t most, const char *who);

/* Work on a file: nothing of it is seen by others before cf_commit, and all of it then. `writes`: it
 * waits until nobody else holds the file. */
bool cf_begin(vm *v, cf *f, const char *who, bool writes);
bool cf_commit(vm *v, cf *f, const char *who, bool writes, bool ok);
/* Runs a statement with these numbers up to its first row: *row, or its end. It is reset by the next. */
bool cf_asks(vm *v, cf *f, const char *who, cf_ask which, int n, const int64_t *number);
bool cf_steps(vm *v, cf *f, const char *who, cf_ask which, bool *row);
bool cf_reads_meta(vm *v, cf *f, const char *who, cf_meta *m);
bool cf_fails(vm *v, cf *f, const char *who);
/* The name gets .dcf if it has no extension. */
bool cf_extension(str *path);
/* The file of that name: the tied one, or *opened, to be closed. */
cf *cf_borrow(vm *v, const char *who, str *path, bool *opened);
void cf_close(vm *v, cf *f);
#endif
#endif
