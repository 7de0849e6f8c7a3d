/* SPDX-License-Identifier: MIT */
/* sqlite.h - databases for component files and ⎕SQL: SQLite, which is opened when it is first needed. */
#ifndef VAPL_EXT_SQLITE_H
#define VAPL_EXT_SQLITE_H
#include "../../src/eval/system/system.h"

#ifdef __has_include
#if __has_include(<sqlite3.h>) && !defined(NO_SQLITE)
#include <sqlite3.h>
#define HAS_SQLITE
/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(sqlite3_open_v2) X(sqlite3_close_v2) X(sqlite3_prepare_v3) X(sqlite3_step)           \
  X(sqlite3_reset) X(sqlite3_finalize) X(sqlite3_clear_bindings) X(sqlite3_exec)         \
  X(sqlite3_bind_int64) X(sqlite3_bind_double) X(sqlite3_bind_text64)                    \
  X(sqlite3_bind_blob64) X(sqlite3_bind_null) X(sqlite3_bind_parameter_count)            \
  X(sqlite3_column_count) X(sqlite3_column_name) X(sqlite3_column_type)                  \
  X(sqlite3_column_int64) X(sqlite3_column_double) X(sqlite3_column_text)                \
  X(sqlite3_column_blob) X(sqlite3_column_bytes) X(sqlite3_errmsg)                       \
  X(sqlite3_extended_errcode) X(sqlite3_busy_handler) X(sqlite3_progress_handler)        \
  X(sqlite3_changes64) X(sqlite3_limit) X(sqlite3_wal_checkpoint_v2)                     \
  X(sqlite3_get_autocommit) X(sqlite3_total_changes64)
/* clang-format on */
#define LIBRARY_USER "it"
#define LIBRARY_FILE "libsqlite3.so.0"
#ifndef SQLITE_BODY
#define LIBRARY_TYPE
#endif
#include "library.h"

const library *sqlite_of(vm *v); /* NULL: NONCE ERROR */

/* Opens the file of that name, where the program reaches it; `how`: SQLITE_OPEN_…. Work on it answers
 * Ctrl-C and the limits, and waits for other processes. */
sqlite3 *sqlite_open(vm *v, const char *who, const char *path, int how);
/* What went wrong last, as an error; always false. */
bool sqlite_fails(vm *v, sqlite3 *db, const char *who, const char *path);
/* Interrupts it, as sqlite_open has it. */
void sqlite_guard(vm *v, sqlite3 *db);
/* Statements that have no result. */
bool sqlite_run(vm *v, sqlite3 *db, const char *who, const char *path, const char *sql);
/* The path of the place, whatever the current folder becomes. */
bool sqlite_path(vm *v, const char *who, const ext_place *p, str *path);
#endif
#endif
#endif
