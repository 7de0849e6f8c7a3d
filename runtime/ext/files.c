/* SPDX-License-Identifier: MIT */
/* files.c - the folder: ⎕NEXISTS ⎕NDELETE ⎕MKDIR ⎕NINFO ⎕NPARTS.
 *
 * Each takes a name or a vector of names, and gives a value for each. */
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "files.h"
#include "native.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static arr *one_name(const task *t, arr *name, name_fn *f) {
  OWNED_STR str path = {.c = t->v->c};
  task of = *t;
  if (t->ties && elt_is_num((elt)name->type)) {
    const char *tied = native_name(t->v, name, t->who, &of.position);
    return tied ? f(&of, tied) : NULL;
  }
  bool ok = t->empty ? ext_name(t->v, name, t->who, &path)
                     : ext_path(t->v, name, t->who, &path);
  return ok ? f(&of, path.at) : NULL;
}

bool each_name(const task *t, arr *y, name_fn *f, arr **r) {
  vm *v = t->v;
  OWNED_LIST arr_list items = {.v = v};
  bool several = is_nested(y) || (t->ties && y->rank && elt_is_num((elt)y->type));
  if (!several) return give_result(r, one_name(t, y, f));
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "%s takes a vector of names", t->who);
  for (int64_t i = 0; i < y->count; i++) {
    OWNED arr *name = item_at(v, y, i);
    if (!name || interrupted(v->c) || !list_add(&items, one_name(t, name, f)))
      return false;
  }
  return give_result(r, list_array(&items));
}

/* Recurse: 0, 1 or 2, and how deep. */
static bool set_recurse(vm *v, void *to, const char *what, arr *x) {
  task *t = to;
  bool ok = x->rank < 2 && x->count >= 1 && x->count <= 2 && elt_is_int((elt)x->type);
  t->depth = -1;
  if (ok) t->recurse = arr_get_int(x, 0);
  if (ok && x->count > 1) t->depth = arr_get_int(x, 1);
  return (ok && t->recurse >= 0 && t->recurse <= 2 && t->depth >= -1) ||
         err_set(v->c, ERR_DOMAIN, "%s takes 0, 1 or 2, and how deep", what);
}

static const option_row wildcard_row[] = {WILDCARD, {0}};
static const option_row unique_row[] = {
    {.name = "Unique", .hi = 1, .at = offsetof(task, unique)}, {0}};
static const option_row info_rows[] = {
    WILDCARD,
    {.name = "Follow", .hi = 1, .at = offsetof(task, follow)},
    {.name = "Recurse", .set = set_recurse},
    {0}};

bool task_read(task *t, arr *x, int most, const option_row *rows) {
  if (x && !arg_number(t->v, value_arr(x), 0, most, t->who, &t->how)) return false;
  return arg_option_rows(t->v, t->v->options, t->who, rows, t);
}

/* ── names that match a pattern ─────────────────────────────────────────────────────── */

/* Is the name what the pattern says, in which * is any characters and ? one? */
static bool matches(const char *pattern, const char *name) {
  const char *star = NULL, *from = NULL; /* the last star, and what it ends before */
  const char *end = name + strlen(name), *next;
  while (name < end) {
    utf8_next(name, end, &next);
    size_t n = (size_t)(next - name);
    if (*pattern == '*') {
      star = ++pattern;
      from = name;
    } else if (*pattern == '?') {
      pattern++;
      name = next;
    } else if (!strncmp(pattern, name, n)) {
      pattern += n;
      name = next;
    } else {
      if (!star) return false;
      utf8_next(from, end, &from);
      name = from;
      pattern = star;
    }
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}

/* Adds the paths in `folder` (its name, with a slash) and, so deep, in those below it. */
static bool search(const task *t, const char *folder, const char *pattern, int64_t depth,
                   arr_list *found) {
  vm *v = t->v;
  const char *from = *folder ? folder : "./";
  OWNED_NAMES ext_names names = {.c = v->c};
  struct stat st;
  if (out_of_stack(v->c) || interrupted(v->c)) return false;
  if (!ext_stat(v, t->who, from, true, &st)) {
    bool none = errno == ENOENT || errno == ENOTDIR;
    return !err_is(v->c) && (none || ext_os_error(v, t->who, from));
  }
  if (!S_ISDIR(st.st_mode)) return true;
  if (!ext_list(v, t->who, from, &names)) {
    if (t->recurse != 2 || v->c->err.code != ERR_FILE_ACCESS) return false;
    err_clear(v->c);
    return true;
  }
  for (size_t i = 0; i < names.n; i++) {
    const char *name = names.at[i];
    OWNED_STR str path = {.c = v->c};
    str_printf(&path, "%s%s", folder, name);
    if (path.failed) return false;
    bool is = t->wildcard ? matches(pattern, name) : !strcmp(pattern, name);
    if (is && !list_add(found, arr_text(v->c, path.at, path.n))) return false;
    bool below = depth && ext_stat(v, t->who, path.at, false, &st) && S_ISDIR(st.st_mode);
    if (err_is(v->c)) return false;
    str_puts(&path, "/");
    if (path.failed) return false;
    if (below && !search(t, path.at, pattern, depth < 0 ? depth : depth - 1, found))
      return false;
  }
  return true;
}

arr *matching(const task *t, const char *pattern) {
  OWNED_LIST arr_list items = {.v = t->v};
  const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
  OWNED_STR str folder = {.c = t->v->c};
  str_put(&folder, pattern, (size_t)(last - pattern));
  int64_t depth = t->recurse ? t->depth : 0;
  if (folder.failed || !search(t, folder.at, last, depth, &items)) return NULL;
  return list_array(&items);
}

/* ── ⎕NEXISTS and ⎕NDELETE ──────────────────────────────────────────────────────────── */

static arr *exists(const task *t, const char *path) {
  struct stat st;
  if (!t->wildcard) {
    bool there = ext_stat(t->v, t->who, path, true, &st);
    if (!there && !err_is(t->v->c))
      there = ext_stat(t->v, t->who, path, false, &st); /* a link to nothing */
    return err_is(t->v->c) ? NULL : arr_int(t->v->c, there);
  }
  OWNED arr *found = matching(t, path);
  return found ? arr_int(t->v->c, found->count > 0) : NULL;
}

bool ext_nexists(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NEXISTS"};
  UNUSED(x);
  return ext_may(v, MAY_READ, t.who) && task_read(&t, NULL, 0, wildcard_row) &&
         each_name(&t, y, exists, r);
}

/* Removes one file or an empty folder. */
static bool removed_one(vm *v, const char *who, const char *path) {
  OWNED_PLACE ext_place p;
  if (!ext_find(&p, v, who, path, false)) return false;
  if (!unlinkat(p.folder, p.name.at, 0)) return true;
  return (errno == EISDIR || errno == EPERM) &&
         !unlinkat(p.folder, p.name.at, AT_REMOVEDIR);
}

bool removed(vm *v, const char *who, const char *path, bool all) {
  OWNED_NAMES ext_names names = {.c = v->c};
  if (removed_one(v, who, path)) return true;
  if (!all || (errno != ENOTEMPTY && errno != EEXIST)) return ext_os_error(v, who, path);
  bool ok = ext_list(v, who, path, &names);
  for (size_t i = 0; ok && i < names.n; i++) {
    OWNED_STR str inner = {.c = v->c};
    str_printf(&inner, "%s/%s", path, names.at[i]);
    ok = !inner.failed && !out_of_stack(v->c) && !interrupted(v->c) &&
         removed(v, who, inner.at, true);
  }
  return ok && (removed_one(v, who, path) || ext_os_error(v, who, path));
}

static arr *delete_one(const task *t, const char *path) {
  struct stat st;
  bool there = ext_stat(t->v, t->who, path, false, &st);
  if (err_is(t->v->c)) return NULL;
  if (!there && (t->how & 1)) return arr_int(t->v->c, 0);
  return removed(t->v, t->who, path, t->how & 2) ? arr_int(t->v->c, 1) : NULL;
}

static arr *delete_names(const task *t, const char *path) {
  vm *v = t->v;
  if (!t->wildcard) return delete_one(t, path);
  OWNED arr *found = matching(t, path);
  OWNED arr *done = NULL;
  if (!found || !each_name(t, found, delete_one, &done)) return NULL;
  return arr_int(v->c, found->count);
}

bool ext_ndelete(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NDELETE"};
  v->shy = true;
  return ext_may(v, MAY_WRITE, t.who) && task_read(&t, x, 3, wildcard_row) &&
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

/* A folder whose name is extended so that there was none. */
static arr *make_unique(const task *t, const char *path) {
  ctx *c = t->v->c;
  for (int i = 0; i < EXT_TRIES; i++) {
    OWNED_STR str name = {.c = c};
    str_puts(&name, path);
    ext_extend(&name, i);
    if (name.failed) return NULL;
    if (made(t, name.at)) return arr_text(c, name.at, name.n);
    if (err_is(c) || errno != EEXIST) break;
  }
  ext_os_error(t->v, t->who, path);
  return NULL;
}

static arr *files_make_folder(const task *t, const char *path) {
  struct stat st;
  if ((t->how & 2) && !make_parents(t, path)) return NULL;
  if (t->unique) return make_unique(t, path);
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
  if (!ext_may(v, MAY_WRITE, t.who) || !task_read(&t, x, 3, unique_row)) return false;
  v->shy = !t.unique;
  return each_name(&t, y, files_make_folder, r);
}

/* ── ⎕NPARTS ────────────────────────────────────────────────────────────────────────── */

/* The path from the root on, without empty parts and "." in it. ".." stays: where it leads is
 * the file system's to say. */
static bool put_whole(const task *t, const char *path, str *s) {
  char here[PATH_MAX] = "";
  if (*path != '/' && !getcwd(here, sizeof here))
    return ext_os_error(t->v, t->who, "the current folder");
  OWNED_STR str all = {.c = t->v->c};
  str_printf(&all, "%s/%s", here, path);
  if (all.failed) return false;
  for (const char *p = all.at; *p;) {
    while (*p == '/') p++;
    size_t n = strcspn(p, "/");
    if (n != 1 || *p != '.') str_printf(s, "/%.*s", (int)n, p);
    p += n;
  }
  if (!s->n) str_puts(s, "/");
  return !s->failed;
}

/* The folder, the name without its extension, the extension. */
static arr *parts(const task *t, const char *path) {
  vm *v = t->v;
  OWNED_STR str whole = {.c = v->c};
  if (t->how && !put_whole(t, path, &whole)) return NULL;
  if (t->how) path = whole.at;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *end = name + strlen(name), *dot = strrchr(name, '.');
  if (!dot || dot == name || !strcmp(name, "..")) dot = end;
  arr *part[] = {arr_text(v->c, path, (size_t)(name - path)),
                 arr_text(v->c, name, (size_t)(dot - name)),
                 arr_text(v->c, dot, (size_t)(end - dot))};
  return items_of(v, 3, part);
}

bool ext_nparts(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NPARTS", .empty = true};
  if (x && !arg_number(v, value_arr(x), 0, 1, t.who, &t.how)) return false;
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

static arr *files_text(vm *v, const char *z) { return arr_text(v->c, z, strlen(z)); }

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
  return files_text(v, text);
}

static bool hidden(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash[1] == '.' : *path == '.';
}

/* As a day number, UTC. */
static arr *day_number(vm *v, struct timespec at) {
  enum { DAY = 86400, EPOCH = 25568 }; /* 1970-01-01 */
  double seconds = (double)at.tv_sec + (double)at.tv_nsec / 1e9;
  return arr_float(v->c, EPOCH + seconds / DAY);
}

/* Name, type, size, modified, the owner's number and name, hidden, where a link leads,
 * position, accessed, changed, readable, writeable, and the three times as day numbers. */
static arr *property(const task *t, const char *path, const ext_place *p,
                     const struct stat *st) {
  vm *v = t->v;
  const struct passwd *user;
  switch (t->property) {
  case 0: return files_text(v, path);
  case 1: return arr_int(v->c, kind_of(st->st_mode));
  case 2: return arr_int(v->c, st->st_size);
  case 3: return time_stamp(v, st->st_mtim);
  case 4: return number_text(v, st->st_uid);
  case 5: user = getpwuid(st->st_uid); return files_text(v, user ? user->pw_name : "");
  case 6: return arr_int(v->c, hidden(path));
  case 7: return link_target(v, p, st);
  case 8: return arr_int(v->c, t->position);
  case 9: return time_stamp(v, st->st_atim);
  case 10: return time_stamp(v, st->st_ctim);
  case 11: return arr_int(v->c, !faccessat(p->folder, p->name.at, R_OK, 0));
  case 12: return arr_int(v->c, !faccessat(p->folder, p->name.at, W_OK, 0));
  case 13: return day_number(v, st->st_mtim);
  case 14: return day_number(v, st->st_atim);
  case 15: return day_number(v, st->st_ctim);
  default: return arr_vec(v->c, ET_BIT, 0); /* Dyalog's, for what is none */
  }
}

static arr *info_of(const task *t, const char *path) {
  struct stat st;
  vm *v = t->v;
  OWNED_PLACE ext_place at;
  bool there = ext_find(&at, v, t->who, path, false) &&
               !fstatat(at.folder, at.name.at, &st, AT_SYMLINK_NOFOLLOW);
  struct stat to; /* a link to nothing, or to where the program may not look, stays one */
  if (there && t->follow && S_ISLNK(st.st_mode)) {
    if (ext_stat(v, t->who, path, true, &to)) st = to;
    else if (v->c->err.code == ERR_FILE_ACCESS) err_clear(v->c);
  }
  if (there && !err_is(v->c)) return property(t, path, &at, &st);
  ext_os_error(v, t->who, path);
  return NULL;
}

/* The properties of one path, or of all that match it. */
static arr *info(const task *t, const char *path) {
  if (!t->wildcard && !t->recurse) return info_of(t, path);
  OWNED arr *found = matching(t, path);
  arr *r = NULL;
  if (!found || !each_name(t, found, info_of, &r)) return NULL;
  return r;
}

/* For each of the properties x its value, or those of all files. */
bool ext_ninfo(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NINFO", .follow = 1, .ties = true};
  OWNED arr *zero = arr_int(v->c, 0);
  OWNED_LIST arr_list items = {.v = v};
  if (!zero || !ext_may(v, MAY_READ, t.who) || !task_read(&t, NULL, 0, info_rows))
    return false;
  if (!x) x = zero;
  if (is_nested(x))
    return err_set(v->c, ERR_NONCE, "⎕NINFO: setting properties is not in this version");
  if (!elt_is_int((elt)x->type))
    return err_set(v->c, ERR_DOMAIN, "⎕NINFO: properties are whole numbers");
  for (int64_t i = 0; i < x->count; i++) {
    arr *of = NULL;
    t.property = arr_get_int(x, i);
    if (!each_name(&t, y, info, &of) || !list_add(&items, of)) return false;
  }
  if (!items.n) return give_result(r, arr_new(v->c, ET_BIT, x->rank, x->shape));
  items.n = 0; /* collect takes them */
  return give_result(r, collect(v, items.at, x->rank, x->shape));
}
