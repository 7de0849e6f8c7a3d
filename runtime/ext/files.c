/* SPDX-License-Identifier: MIT */
/* files.c - the folder: ⎕NEXISTS ⎕NDELETE ⎕MKDIR ⎕NINFO ⎕NPARTS.
 *
 * Each takes a name or a vector of names, and gives a value for each. */
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct task {
  vm *v;
  const char *who;
  int64_t how; /* the left argument */
  bool wildcard;
  const arr *properties; /* of ⎕NINFO */
} task;

/* What is done with one name: an array, owned. */
typedef arr *name_fn(const task *t, const char *path);

/* f of the name or names in y. */
static bool each_name(const task *t, arr *y, name_fn *f, arr **r) {
  vm *v = t->v;
  OWNED_LIST arr_list items = {.v = v};
  int64_t n = is_nested(y) ? y->count : 1;
  for (int64_t i = 0; i < n; i++) {
    OWNED_STR str path = {.c = v->c};
    if (!ext_path(v, is_nested(y) ? arr_item(y, i) : y, t->who, &path)) return false;
    if (interrupted(v->c) || !list_add(&items, f(t, path.at))) return false;
  }
  if (is_nested(y)) return give_result(r, list_array(&items));
  *r = items.at[0];
  items.n = 0;
  return true;
}

static bool set_option(vm *v, void *user, arr *name, arr *x) {
  task *t = user;
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, name, "⍠: an option's name", &s)) return false;
  if (strcmp(s.at, "Wildcard"))
    return err_set(v->c, ERR_DOMAIN, "%s has no option %s", t->who, s.at);
  int64_t n;
  if (!arg_number(v, value_arr(x), 0, 1, "⍠: Wildcard", &n)) return false;
  t->wildcard = n;
  return true;
}

/* The left argument, 0 to `most`, and the options. */
static bool task_read(task *t, arr *x, int most) {
  if (x && !arg_number(t->v, value_arr(x), 0, most, t->who, &t->how)) return false;
  return ext_options(t->v, set_option, t);
}

/* ── names that match a pattern ─────────────────────────────────────────────────────── */

/* The paths that match `pattern`, whose last part may have * and ?; sorted, owned. */
static arr *matching(vm *v, const char *who, const char *pattern) {
  OWNED_LIST arr_list items = {.v = v};
  const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
  OWNED_STR str folder = {.c = v->c};
  str_put(&folder, pattern, (size_t)(last - pattern));
  if (!folder.n) str_puts(&folder, "./");
  if (folder.failed) return NULL;
  OWNED_NAMES ext_names names = {.c = v->c};
  struct stat st;
  bool there = ext_stat(v, who, folder.at, true, &st) || errno != ENOENT;
  bool ok = !err_is(v->c) && (!there || ext_list(v, who, folder.at, &names));
  for (size_t i = 0; ok && i < names.n; i++) {
    if (fnmatch(last, names.at[i], FNM_PERIOD)) continue;
    OWNED_STR str path = {.c = v->c};
    str_put(&path, pattern, (size_t)(last - pattern));
    str_puts(&path, names.at[i]);
    ok = !path.failed && list_add(&items, arr_text(v->c, path.at, path.n));
  }
  return ok ? list_array(&items) : NULL;
}

/* ── ⎕NEXISTS and ⎕NDELETE ──────────────────────────────────────────────────────────── */

static arr *exists(const task *t, const char *path) {
  struct stat st;
  if (!t->wildcard) {
    bool there = ext_stat(t->v, t->who, path, true, &st);
    return err_is(t->v->c) ? NULL : arr_int(t->v->c, there);
  }
  OWNED arr *found = matching(t->v, t->who, path);
  return found ? arr_int(t->v->c, found->count > 0) : NULL;
}

bool ext_nexists(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NEXISTS"};
  UNUSED(x);
  return ext_may(v, MAY_READ, t.who) && task_read(&t, NULL, 0) &&
         each_name(&t, y, exists, r);
}

/* Removes one file or an empty folder. */
static bool removed_one(vm *v, const char *path) {
  OWNED_PLACE ext_place p;
  if (!ext_find(&p, v, "⎕NDELETE", path, false)) return false;
  if (!unlinkat(p.folder, p.name.at, 0)) return true;
  return (errno == EISDIR || errno == EPERM) &&
         !unlinkat(p.folder, p.name.at, AT_REMOVEDIR);
}

/* Removes a file or a folder, and what is in it if `all`. */
static bool removed(vm *v, const char *path, bool all) {
  OWNED_NAMES ext_names names = {.c = v->c};
  if (removed_one(v, path)) return true;
  if (!all || (errno != ENOTEMPTY && errno != EEXIST))
    return ext_os_error(v, "⎕NDELETE", path);
  bool ok = ext_list(v, "⎕NDELETE", path, &names);
  for (size_t i = 0; ok && i < names.n; i++) {
    OWNED_STR str inner = {.c = v->c};
    str_printf(&inner, "%s/%s", path, names.at[i]);
    ok = !inner.failed && !out_of_stack(v->c) && !interrupted(v->c) &&
         removed(v, inner.at, true);
  }
  return ok && (removed_one(v, path) || ext_os_error(v, "⎕NDELETE", path));
}

static arr *delete_one(const task *t, const char *path) {
  struct stat st;
  bool there = ext_stat(t->v, t->who, path, false, &st);
  if (err_is(t->v->c)) return NULL;
  if (!there && (t->how & 1)) return arr_int(t->v->c, 0);
  return removed(t->v, path, t->how & 2) ? arr_int(t->v->c, 1) : NULL;
}

static arr *delete_names(const task *t, const char *path) {
  vm *v = t->v;
  if (!t->wildcard) return delete_one(t, path);
  OWNED arr *found = matching(v, t->who, path);
  OWNED arr *done = NULL;
  if (!found || !each_name(t, found, delete_one, &done)) return NULL;
  return arr_int(v->c, found->count);
}

bool ext_ndelete(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NDELETE"};
  return ext_may(v, MAY_WRITE, t.who) && task_read(&t, x, 3) &&
         each_name(&t, y, delete_names, r);
}

/* ── ⎕MKDIR ─────────────────────────────────────────────────────────────────────────── */

static bool made(const task *t, const char *path) {
  OWNED_PLACE ext_place p;
  return ext_find(&p, t->v, t->who, path, true) && !mkdirat(p.folder, p.name.at, 0777);
}

/* Makes the folders above the last part of the path that are missing. Those that may not be
 * reached are left to be: where one is missing, what is below it cannot be made. */
static bool make_parents(const task *t, const char *path) {
  ctx *c = t->v->c;
  OWNED_STR str part = {.c = c};
  for (const char *p = path; *p; p++) {
    if (*p == '/' && part.n && !made(t, part.at) && errno != EEXIST && !err_is(c))
      return ext_os_error(t->v, t->who, part.at);
    if (c->err.code == ERR_FILE_ACCESS) err_clear(c);
    str_put(&part, p, 1);
    if (err_is(c)) return false;
  }
  return true;
}

static arr *make_folder(const task *t, const char *path) {
  struct stat st;
  if ((t->how & 2) && !make_parents(t, path)) return NULL;
  if (made(t, path)) return arr_int(t->v->c, 1);
  int number = errno;
  if ((t->how & 1) && number == EEXIST && ext_stat(t->v, t->who, path, true, &st) &&
      S_ISDIR(st.st_mode))
    return arr_int(t->v->c, 0);
  errno = number;
  ext_os_error(t->v, t->who, path);
  return NULL;
}

bool ext_mkdir(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕MKDIR"};
  return ext_may(v, MAY_WRITE, t.who) && task_read(&t, x, 3) &&
         each_name(&t, y, make_folder, r);
}

/* ── ⎕NPARTS ────────────────────────────────────────────────────────────────────────── */

/* The folder, the name without its extension, the extension. */
static arr *parts(const task *t, const char *path) {
  vm *v = t->v;
  OWNED_PLACE ext_place at = {.folder = -1};
  if (t->how && !ext_find(&at, v, t->who, path, true)) {
    ext_os_error(v, t->who, path);
    return NULL;
  }
  char *real = t->how ? realpath(path, NULL) : NULL;
  if (t->how && !real) {
    ext_os_error(v, t->who, path);
    return NULL;
  }
  if (real) path = real;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *end = name + strlen(name), *dot = strrchr(name, '.');
  if (!dot || dot == name) dot = end;
  arr *part[] = {arr_text(v->c, path, (size_t)(name - path)),
                 arr_text(v->c, name, (size_t)(dot - name)),
                 arr_text(v->c, dot, (size_t)(end - dot))};
  arr *r = items_of(v, 3, part);
  free(real);
  return r;
}

bool ext_nparts(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NPARTS"};
  if (!task_read(&t, x, 1)) return false;
  if (t.how && !ext_may(v, MAY_READ, t.who)) return false;
  return each_name(&t, y, parts, r);
}

/* ── ⎕NINFO ─────────────────────────────────────────────────────────────────────────── */

/* A time as ⎕TS has it. */
static arr *time_stamp(vm *v, struct timespec at) {
  struct tm d;
  localtime_r(&at.tv_sec, &d);
  return arr_int_vec(v->c, 7,
                     (int64_t[]){d.tm_year + 1900, d.tm_mon + 1, d.tm_mday, d.tm_hour,
                                 d.tm_min, d.tm_sec, at.tv_nsec / 1000000});
}

static arr *text_of(vm *v, const char *z) { return arr_text(v->c, z, strlen(z)); }

/* Folder 1, file 2, device 3, link 4, pipe or socket 5 and 6, else 0: as Dyalog numbers them. */
static int kind_of(mode_t m) {
  if (S_ISDIR(m)) return 1;
  if (S_ISREG(m)) return 2;
  if (S_ISCHR(m)) return 3;
  if (S_ISLNK(m)) return 4;
  if (S_ISBLK(m)) return 5;
  if (S_ISFIFO(m)) return 6;
  return S_ISSOCK(m) ? 7 : 0;
}

static arr *link_target(vm *v, const ext_place *p, const struct stat *st) {
  char to[4096];
  ssize_t n = 0;
  if (S_ISLNK(st->st_mode)) n = readlinkat(p->folder, p->name.at, to, sizeof to);
  return arr_text(v->c, to, n > 0 ? (size_t)n : 0);
}

static arr *number_text(vm *v, long n) {
  char text[24];
  snprintf(text, sizeof text, "%ld", n);
  return text_of(v, text);
}

static bool hidden(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash[1] == '.' : *path == '.';
}

/* Property k: name, type, size, modified, the owner's number and name, hidden, where a link
 * leads, position, accessed, changed, readable, writeable. */
static arr *property(vm *v, const char *path, const ext_place *p, const struct stat *st,
                     int64_t k) {
  const struct passwd *user;
  switch (k) {
  case 0: return text_of(v, path);
  case 1: return arr_int(v->c, kind_of(st->st_mode));
  case 2: return arr_int(v->c, st->st_size);
  case 3: return time_stamp(v, st->st_mtim);
  case 4: return number_text(v, st->st_uid);
  case 5: user = getpwuid(st->st_uid); return text_of(v, user ? user->pw_name : "");
  case 6: return arr_int(v->c, hidden(path));
  case 7: return link_target(v, p, st);
  case 8: return arr_int(v->c, 0);
  case 9: return time_stamp(v, st->st_atim);
  case 10: return time_stamp(v, st->st_ctim);
  case 11: return arr_int(v->c, !faccessat(p->folder, p->name.at, R_OK, 0));
  case 12: return arr_int(v->c, !faccessat(p->folder, p->name.at, W_OK, 0));
  default: return err_null(v->c, ERR_DOMAIN, "⎕NINFO: properties are 0 to 12");
  }
}

static arr *info_of(const task *t, const char *path) {
  struct stat st;
  vm *v = t->v;
  OWNED_PLACE ext_place at;
  if (!ext_find(&at, v, t->who, path, false) ||
      fstatat(at.folder, at.name.at, &st, AT_SYMLINK_NOFOLLOW)) {
    ext_os_error(v, t->who, path);
    return NULL;
  }
  const arr *p = t->properties;
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < p->count; i++)
    if (!list_add(&items, property(v, path, &at, &st, arr_get_int(p, i)))) return NULL;
  if (p->rank) return list_array(&items);
  items.n = 0;
  return items.at[0];
}

static arr *info(const task *t, const char *path) {
  if (!t->wildcard) return info_of(t, path);
  /* A row for each property: its values for all files. */
  vm *v = t->v;
  OWNED arr *found = matching(v, t->who, path);
  if (!found) return NULL;
  OWNED_LIST arr_list rows = {.v = v};
  const arr *p = t->properties;
  for (int64_t k = 0; k < p->count; k++) {
    OWNED arr *one = arr_int(v->c, arr_get_int(p, k));
    task of = {.v = v, .who = t->who, .properties = one};
    arr *row = NULL;
    if (!one || !each_name(&of, found, info_of, &row) || !list_add(&rows, row))
      return NULL;
  }
  if (p->rank) return list_array(&rows);
  rows.n = 0;
  return rows.at[0];
}

bool ext_ninfo(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NINFO"};
  OWNED arr *zero = arr_int(v->c, 0);
  if (!zero || !ext_may(v, MAY_READ, t.who) || !task_read(&t, NULL, 0)) return false;
  t.properties = x ? x : zero;
  if (!elt_is_int((elt)t.properties->type) || t.properties->rank > 1)
    return err_set(v->c, ERR_DOMAIN, "⎕NINFO: properties are 0 to 12");
  return each_name(&t, y, info, r);
}
