/* SPDX-License-Identifier: MIT */
/* sqlite.c - SQLite: opened when it is first needed, its errors as ours, its work interruptible. */
#define SQLITE_BODY
#include "sqlite.h"
#ifdef HAS_SQLITE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum { LOOK_MS = 2, STEPS = 20000 /* of SQLite's machine between two looks */ };

const library *sqlite_of(vm *v) { return library_of(v); }

static int code_of(int failed) {
  switch (failed & 0xFF) {
  case SQLITE_NOMEM: return ERR_WS_FULL;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return ERR_FILE_DAMAGED;
  case SQLITE_FULL: return ERR_FILE_NO_SPACE;
  case SQLITE_CANTOPEN: return ERR_FILE_NAME;
  case SQLITE_READONLY:
  case SQLITE_PERM:
  case SQLITE_AUTH: return ERR_FILE_ACCESS;
  case SQLITE_BUSY:
  case SQLITE_LOCKED: return ERR_FILE_TIED;
  case SQLITE_TOOBIG: return ERR_LIMIT;
  default: return ERR_FILE_SYSTEM;
  }
}

bool sqlite_fails(vm *v, sqlite3 *db, const char *who, const char *path) {
  const library *l = sqlite_of(v);
  int failed = db ? l->sqlite3_extended_errcode(db) : SQLITE_NOMEM;
  bool stopped = (failed & 0xFF) == SQLITE_INTERRUPT || (failed & 0xFF) == SQLITE_BUSY;
  if (stopped && interrupted(v->c)) return false;
  return err_set(v->c, code_of(failed), "%s: %s: %s", who, path,
                 db ? l->sqlite3_errmsg(db) : "there is no memory");
}

static int look(void *user) { return stop_is_due(((vm *)user)->c); }

static int wait_for_others(void *user, int times) {
  UNUSED(times);
  poll(NULL, 0, LOOK_MS);
  return !look(user);
}

bool sqlite_path(vm *v, const char *who, const ext_place *p, str *path) {
  char link[40], folder[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", p->folder);
  ssize_t n = readlink(link, folder, sizeof folder - 1);
  if (n < 0) return ext_os_error(v, who, p->name.at);
  str_put(path, folder, (size_t)n);
  str_printf(path, "/%s", p->name.at);
  return !path->failed;
}

void sqlite_guard(vm *v, sqlite3 *db) {
  const library *l = sqlite_of(v);
  l->sqlite3_busy_handler(db, wait_for_others, v);
  l->sqlite3_progress_handler(db, STEPS, look, v);
}

sqlite3 *sqlite_open(vm *v, const char *who, const char *path, int how) {
  const library *l = sqlite_of(v);
  sqlite3 *db = NULL;
  OWNED_STR str full = {.c = v->c};
  if (!l) return NULL;
  if (!*path) str_puts(&full, ":memory:");
  else {
    OWNED_PLACE ext_place p;
    bool ok = ext_find(&p, v, who, path, true) || ext_os_error(v, who, path);
    if (!ok || !sqlite_path(v, who, &p, &full)) return NULL;
    if (v->reach) how |= SQLITE_OPEN_NOFOLLOW;
  }
  if (full.failed) return NULL;
  how |=
      SQLITE_OPEN_NOMUTEX; /* one thread uses it at a time: a lock for each value took a third of the time */
  if (l->sqlite3_open_v2(full.at, &db, how, NULL)) {
    sqlite_fails(v, db, who, path);
    l->sqlite3_close_v2(db);
    return NULL;
  }
  sqlite_guard(v, db);
  return db;
}

bool sqlite_run(vm *v, sqlite3 *db, const char *who, const char *path, const char *sql) {
  const library *l = sqlite_of(v);
  return !l->sqlite3_exec(db, sql, NULL, NULL, NULL) || sqlite_fails(v, db, who, path);
}
#endif
