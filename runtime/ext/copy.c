/* SPDX-License-Identifier: MIT */
/* copy.c - ⎕NCOPY and ⎕NMOVE: files, and folders with all that is in them.
 *
 * A file is copied beside its place and renamed when it is whole, so that what stood there is
 * replaced at once or not at all. A folder that is there is filled up. */
#include "files.h"
#include "../../src/array/element.h"
#include "../../src/base/mem.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/items.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const task *t, int number, const char *path) {
  errno = number;
  return ext_os_error(t->v, t->who, path);
}

/* The properties of a path that must be there; links are followed. */
static bool look(const task *t, const char *path, struct stat *st) {
  return ext_stat(t->v, t->who, path, true, st) ||
         (!err_is(t->v->c) && ext_os_error(t->v, t->who, path));
}

/* The same of one that need not be; *there: is it? */
static bool look_for(const task *t, const char *path, struct stat *st, bool *there) {
  *there = ext_stat(t->v, t->who, path, true, st);
  if (*there) return true;
  if (err_is(t->v->c)) return false;
  return errno == ENOENT || errno == ENOTDIR || ext_os_error(t->v, t->who, path);
}

/* ── one file ───────────────────────────────────────────────────────────────────────── */

static bool copy_bytes(const task *t, int fd, const char *from, ext_file *to) {
  enum { PART = 1 << 20 };
  vm *v = t->v;
  char *part = mem_alloc(v->c, PART);
  bool ok = part != NULL;
  for (ssize_t n = 1; ok && n;) {
    n = read(fd, part, PART);
    if (n < 0 && errno != EINTR && errno != EAGAIN) ok = ext_os_error(v, t->who, from);
    else if (n < 0) ok = ext_ready(v, fd, POLLIN);
    else if (n > 0) ok = ext_put(to, part, (size_t)n);
    ok = ok && !interrupted(v->c);
    if (n < 0) n = 1;
  }
  mem_free(v->c, part);
  return ok;
}

/* Time and permissions of the file as st has them, as far as the system lets them be set. */
static void preserve(const ext_file *f, const struct stat *st) {
  const struct timespec times[] = {st->st_atim, st->st_mtim};
  if (fchmod(f->fd, st->st_mode & 07777)) errno = 0;
  if (futimens(f->fd, times)) errno = 0;
}

static bool copy_file(const task *t, const char *from, const char *to) {
  struct stat st;
  int fd = ext_open(t->v, t->who, from, O_RDONLY);
  if (fd < 0) return false;
  OWNED_FILE ext_file f = {.v = t->v, .fd = -1, .place = {.folder = -1}};
  bool ok = !fstat(fd, &st) || ext_os_error(t->v, t->who, from);
  if (ok && !S_ISREG(st.st_mode)) ok = refuse(t, ENOTSUP, from);
  ok = ok && ext_begin(&f, t->v, t->who, to) && copy_bytes(t, fd, from, &f);
  if (ok && t->preserve) preserve(&f, &st);
  ok = ok && ext_commit(&f);
  close(fd);
  return ok;
}

/* Is the file to be copied over what stands there, if anything? */
static bool wanted(const task *t, const struct stat *from, const char *to, bool *is) {
  struct stat st;
  bool there;
  *is = true;
  if (!look_for(t, to, &st, &there)) return false;
  if (!there) return true;
  if (S_ISDIR(st.st_mode)) return refuse(t, EISDIR, to);
  bool newer = from->st_mtim.tv_sec > st.st_mtim.tv_sec ||
               (from->st_mtim.tv_sec == st.st_mtim.tv_sec &&
                from->st_mtim.tv_nsec > st.st_mtim.tv_nsec);
  if (t->exists == EXISTS_ERROR) return refuse(t, EEXIST, to);
  *is = t->exists == EXISTS_REPLACE || (t->exists == EXISTS_NEWER && newer);
  return true;
}

/* ── folders ────────────────────────────────────────────────────────────────────────── */

/* A folder that is there then; where it was not, it is made. */
static bool copy_make_folder(const task *t, const char *path) {
  OWNED_PLACE ext_place p = {.folder = -1};
  struct stat st;
  bool there;
  if (!look_for(t, path, &st, &there)) return false;
  if (there) return S_ISDIR(st.st_mode) || refuse(t, ENOTDIR, path);
  if (ext_find(&p, t->v, t->who, path, true) && !mkdirat(p.folder, p.name.at, 0777))
    return true;
  return ext_os_error(t->v, t->who, path);
}

static bool transfer(const task *t, const char *from, const char *to,
                     const struct stat *root, bool *done);

/* What is in the folder, item by item; root: the folder in which the copy is made. */
static bool transfer_items(const task *t, const char *from, const char *to,
                           const struct stat *root, bool *all) {
  vm *v = t->v;
  OWNED_NAMES ext_names names = {.c = v->c};
  struct stat made;
  if (out_of_stack(v->c) || !copy_make_folder(t, to) || !look(t, to, &made)) return false;
  if (!root) root = &made;
  if (!ext_list(v, t->who, from, &names)) return false;
  *all = true;
  for (size_t i = 0; i < names.n; i++) {
    OWNED_STR str item = {.c = v->c};
    OWNED_STR str target = {.c = v->c};
    bool done;
    str_printf(&item, "%s/%s", from, names.at[i]);
    str_printf(&target, "%s/%s", to, names.at[i]);
    if (item.failed || target.failed || interrupted(v->c) ||
        !transfer(t, item.at, target.at, root, &done))
      return false;
    *all = *all && done;
  }
  return true;
}

static bool moves(const task *t) { return t->rename_only >= 0; }

/* Renames it, if nothing stands there; *done: it is. */
static bool rename_to(const task *t, const char *from, const char *to, bool *done) {
  OWNED_PLACE ext_place a = {.folder = -1}, b = {.folder = -1};
  struct stat st;
  bool there;
  *done = false;
  if (!look_for(t, to, &st, &there)) return false;
  if (there) return true;
  if (!ext_find(&a, t->v, t->who, from, false)) return ext_os_error(t->v, t->who, from);
  if (!ext_find(&b, t->v, t->who, to, false)) return ext_os_error(t->v, t->who, to);
  *done = !renameat(a.folder, a.name.at, b.folder, b.name.at);
  if (*done) return true;
  return (errno == EXDEV && !t->rename_only) || ext_os_error(t->v, t->who, from);
}

/* Copies or moves a file or folder; *done: not all of it was skipped, and what was moved is gone. */
static bool transfer(const task *t, const char *from, const char *to,
                     const struct stat *root, bool *done) {
  struct stat st;
  *done = false;
  if (!look(t, from, &st)) return false;
  if (root && st.st_dev == root->st_dev && st.st_ino == root->st_ino)
    return refuse(t, EINVAL, from); /* into itself */
  if (moves(t) && (!rename_to(t, from, to, done) || *done)) return !err_is(t->v->c);
  if (S_ISDIR(st.st_mode)) {
    if (!transfer_items(t, from, to, root, done)) return false;
  } else if (!wanted(t, &st, to, done) || (*done && !copy_file(t, from, to)))
    return false;
  return !moves(t) || !*done || removed(t->v, t->who, from, false);
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* The last part of a path, to behind which no slashes are. */
static const char *last_part(const char *path, size_t *n) {
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/') end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/') begin--;
  *n = end - begin;
  return path + begin;
}

static arr *transfer_one(const task *t, const char *path) {
  OWNED_STR str to = {.c = t->v->c};
  size_t n;
  const char *name = last_part(path, &n);
  bool dots = (n == 1 && *name == '.') || (n == 2 && !strncmp(name, "..", 2)), done;
  str_puts(&to, t->to);
  if (t->into) str_printf(&to, "/%.*s", (int)n, name);
  if (to.failed) return NULL;
  if (t->into && (dots || !n)) {
    refuse(t, EINVAL, path);
    return NULL;
  }
  bool whole = transfer(t, path, to.at, NULL, &done);
  return whole ? arr_int(t->v->c, done) : NULL;
}

/* One path, or all that match it: how many. */
static arr *transfer_names(const task *t, const char *path) {
  vm *v = t->v;
  OWNED arr *counts = NULL;
  int64_t n = 0;
  if (!t->wildcard) return transfer_one(t, path);
  OWNED arr *found = matching(t, path);
  if (!found || !each_name(t, found, transfer_one, &counts)) return NULL;
  for (int64_t i = 0; found->count && i < counts->count; i++) n += arr_get_int(counts, i);
  return arr_int(v->c, n);
}

static bool no_callback(vm *v, void *to, const char *what, arr *x) {
  UNUSED(to);
  UNUSED(x);
  return err_set(v->c, ERR_NONCE, "%s is not in this version", what);
}

#define EXISTS(list)                                                                     \
  { .name = "IfExists", .words = list, .at = offsetof(task, exists) }
#define CALLBACK                                                                         \
  { .name = "ProgressCallback", .set = no_callback }
static const option_row copy_rows[] = {
    WILDCARD,
    EXISTS("Error Skip Replace ReplaceIfNewer "),
    {.name = "PreserveAttributes", .hi = 1, .at = offsetof(task, preserve)},
    CALLBACK,
    {0}};
static const option_row move_rows[] = {
    WILDCARD,
    EXISTS("Error Skip "),
    {.name = "RenameOnly", .hi = 1, .at = offsetof(task, rename_only)},
    CALLBACK,
    {0}};

static bool transfer_all(task *t, const option_row *rows, arr *x, arr *y, arr **r) {
  vm *v = t->v;
  OWNED_STR str to = {.c = v->c};
  struct stat st;
  bool there;
  v->shy = true;
  if (!ext_may(v, MAY_READ | MAY_WRITE, t->who) || !task_read(t, NULL, 0, rows) ||
      !ext_path(v, x, t->who, &to) || !look_for(t, to.at, &st, &there))
    return false;
  t->to = to.at;
  t->into = there && S_ISDIR(st.st_mode);
  if ((t->wildcard || is_nested(y)) && !t->into) return refuse(t, ENOTDIR, to.at);
  return each_name(t, y, transfer_names, r);
}

bool ext_ncopy(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NCOPY", .rename_only = -1};
  return transfer_all(&t, copy_rows, x, y, r);
}

bool ext_nmove(vm *v, arr *x, arr *y, arr **r) {
  task t = {.v = v, .who = "⎕NMOVE", .preserve = 1};
  return transfer_all(&t, move_rows, x, y, r);
}
