/* SPDX-License-Identifier: MIT */
/* reach.c - which files a program reaches: every name that it gives is looked up here.
 *
 * A name becomes the folder that the file is in, open, and its name there; what is done to the file
 * is done by these two, so that what was looked at is what is used. Without vm.roots the system
 * looks the folder up. With them the name is freed of links first, has to lie below a root, and
 * is gone from there part by part, following no link: one that is put in its way meanwhile is an
 * error.
 *
 * A program that may run processes reaches all that there is. Any other one reaches files and
 * folders alone, for devices, pipes and sockets do something when they are read; and none of the
 * system's own (/proc, /sys), for these show the environment and the memory of this process.
 *
 * Nothing waits in open(): a pipe is opened at once, and then waited for by looks. */
#include "ext.h"
#include "../../dist/dist.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LOOK_MS = 50 };
enum { FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC };

/* ── errors of the operating system ───────────────────────────────────────────────────── */

static int code_of(int number) {
  switch (number) {
  case ENOENT:
  case ENOTDIR:
  case EEXIST:
  case EISDIR:
  case ENAMETOOLONG: return ERR_FILE_NAME;
  case ENOTEMPTY:
  case EACCES:
  case EPERM:
  case EROFS: return ERR_FILE_ACCESS;
  case ENOSPC:
  case EDQUOT:
  case EFBIG: return ERR_FILE_NO_SPACE;
  case EMFILE:
  case ENFILE: return ERR_FILE_TIES_USED_UP;
  default: return ERR_FILE_SYSTEM;
  }
}

bool ext_os_error(vm *v, const char *who, const char *path) {
  int number = errno;
  return err_set(v->c, code_of(number), "%s: %s: %s", who, path, strerror(number));
}

/* ── the folders that a program is confined to ──────────────────────────────────────── */

typedef struct root {
  int fd;
  char *path; /* of no links; the C library's memory */
} root;
struct reach {
  size_t n;
  root at[];
};

bool reach_open(vm *v, const char *const *folders) {
  size_t n = 0;
  while (folders && folders[n]) n++;
  if (!folders) return true;
  v->reach = mem_zalloc(v->c, sizeof *v->reach + n * sizeof *v->reach->at);
  if (!v->reach) return false;
  for (size_t i = 0; i < n; i++) {
    root *r = &v->reach->at[v->reach->n];
    r->path = realpath(folders[i], NULL);
    r->fd = r->path ? open(r->path, FOLDER | O_NOFOLLOW) : -1;
    v->reach->n++;
    if (r->fd < 0) return ext_os_error(v, "a folder for files", folders[i]);
  }
  return true;
}

void reach_close(vm *v) {
  for (size_t i = 0; v->reach && i < v->reach->n; i++) {
    if (v->reach->at[i].fd >= 0) close(v->reach->at[i].fd);
    free(v->reach->at[i].path);
  }
  mem_free(v->c, v->reach);
  v->reach = NULL;
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* Where the last part of a path begins, behind which slashes may stand. */
static size_t last_part(const char *path, size_t n) {
  while (n && path[n - 1] == '/') n--;
  while (n && path[n - 1] != '/') n--;
  return n;
}

/* The first n bytes of a path as one of no links, as far as there is such a file; the rest as it
 * stands. */
static void put_real(const char *path, size_t n, str *to) {
  size_t cut = n;
  char *real;
  for (;;) {
    OWNED_STR str s = {.c = to->c};
    if (cut) str_put(&s, path, cut);
    else str_puts(&s, ".");
    real = s.failed ? NULL : realpath(s.at, NULL);
    if (real || !cut) break;
    cut = last_part(path, cut);
  }
  if (real) str_puts(to, real);
  if (real && cut < n) str_puts(to, "/");
  str_put(to, path + cut, n - cut);
  free(real);
}

/* A path of no links but for the last part, unless that is followed too. */
static bool put_plain(const char *path, bool follow, str *to) {
  size_t n = strlen(path), cut = last_part(path, n);
  const char *last = path + cut;
  size_t dots = strspn(last, "."), more = dots + strspn(last + dots, "/");
  bool named = last[more] || dots > 2; /* neither . nor .. nor / */
  if (follow || !named) {
    put_real(path, n, to);
  } else {
    put_real(path, cut, to);
    if (to->n > 1) str_puts(to, "/");
    str_puts(to, last);
  }
  return !to->failed;
}

/* The root that a path of no links is below; *rest is what it is there. */
static const root *root_of(const struct reach *k, const char *path, const char **rest) {
  for (size_t i = 0; i < k->n; i++) {
    size_t n = strlen(k->at[i].path);
    if (n == 1) n = 0; /* "/" */
    if (strncmp(path, k->at[i].path, n) || (path[n] && path[n] != '/')) continue;
    *rest = path + n;
    return &k->at[i];
  }
  return NULL;
}

/* ── places ─────────────────────────────────────────────────────────────────────────── */

void ext_leave(ext_place *p) {
  if (p->folder >= 0) close(p->folder);
  p->folder = -1;
  str_free(&p->name);
}

static bool enter(ext_place *p, const char *folder, int how) {
  int next = openat(p->folder, folder, FOLDER | how);
  if (p->folder >= 0) close(p->folder);
  p->folder = next;
  return next >= 0;
}

/* From the root on, part by part. */
static bool descend(ext_place *p, const root *r, const char *rest) {
  p->folder = fcntl(r->fd, F_DUPFD_CLOEXEC, 0);
  if (p->folder < 0) return false;
  str_puts(&p->name, ".");
  while (*rest) {
    size_t n = strcspn(rest, "/");
    bool here = n == 1 && *rest == '.';
    if (n == 2 && !memcmp(rest, "..", 2)) { /* of a folder that there was not */
      errno = ENOENT;
      return false;
    }
    if (n && !here) {
      if (p->name.failed || !enter(p, p->name.at, O_NOFOLLOW)) return false;
      p->name.n = 0;
      str_put(&p->name, rest, n);
    }
    rest += n;
    rest += *rest == '/';
  }
  return !p->name.failed;
}

static bool refuse(vm *v, const char *who, const char *path, const char *why) {
  return err_set(v->c, ERR_FILE_ACCESS, "%s: %s: %s", who, path, why);
}

static bool find_below(ext_place *p, vm *v, const char *who, const char *path,
                       bool follow) {
  OWNED_STR str plain = {.c = v->c};
  const char *rest;
  if (!put_plain(path, follow, &plain)) return false;
  const root *r = root_of(v->reach, plain.at, &rest);
  if (!r)
    return refuse(v, who, path, "it is outside the folders that are permitted here");
  return descend(p, r, rest);
}

static bool find_anywhere(ext_place *p, const char *path) {
  OWNED_STR str folder = {.c = p->name.c};
  size_t cut = last_part(path, strlen(path));
  str_put(&folder, path, cut);
  if (!cut) str_puts(&folder, ".");
  str_puts(&p->name, path[cut] ? path + cut : ".");
  if (folder.failed || p->name.failed) return false;
  p->folder = AT_FDCWD;
  return enter(p, folder.at, 0);
}

/* The system's own file systems, in which files are what a kernel or a process says. */
static bool is_of_system(int fd) {
  static const unsigned long magic[] = {
      0x9fa0 /* proc */,        0x62656572 /* sys */,      0x64626720 /* debug */,
      0x74726163 /* trace */,   0x73636673 /* security */, 0x27e0eb /* cgroup */,
      0x63677270 /* cgroup2 */, 0xcafe4a11 /* bpf */,      0x62656570 /* config */,
      0xf97cff8c /* selinux */, 0x1cd1 /* devpts */,       0xde5e81e4 /* efivars */,
      0x19800202 /* mqueue */,  0x42494e4d /* binfmt */,   0x6165676c /* pstore */};
  struct statfs s;
  if (fstatfs(fd, &s)) return true;
  for (size_t i = 0; i < ARRAY_LEN(magic); i++)
    if ((unsigned long)s.f_type == magic[i]) return true;
  return false;
}

static const char PLAIN[] = "only files and folders are permitted here",
                  SYSTEM[] = "files of the system are not permitted here";

static bool reaches_all(const vm *v) { return v->c->may & MAY_RUN; }

bool ext_find(ext_place *p, vm *v, const char *who, const char *path, bool follow) {
  *p = (ext_place){.folder = -1, .name = {.c = v->c}};
  bool ok = v->reach ? find_below(p, v, who, path, follow) : find_anywhere(p, path);
  if (!ok || reaches_all(v) || !is_of_system(p->folder)) return ok;
  return refuse(v, who, path, SYSTEM);
}

/* ── opening ────────────────────────────────────────────────────────────────────────── */

/* Is what was opened what the program may reach? */
static bool may_use(vm *v, int fd, const char *who, const char *path) {
  struct stat st;
  if (fstat(fd, &st)) return false;
  if (reaches_all(v)) return true;
  if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) return refuse(v, who, path, PLAIN);
  return !is_of_system(fd) || refuse(v, who, path, SYSTEM);
}

static bool is_pipe(const ext_place *p) {
  struct stat st;
  return !fstatat(p->folder, p->name.at, &st, 0) && S_ISFIFO(st.st_mode);
}

/* A pipe that nobody reads is waited for. */
static int open_place(vm *v, const ext_place *p, int how) {
  int fd;
  if (v->reach) how |= O_NOFOLLOW;
  for (;;) {
    fd = openat(p->folder, p->name.at, how | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (fd >= 0) return fd;
    int number = errno;
    bool waits = number == ENXIO && (how & O_ACCMODE) == O_WRONLY && is_pipe(p);
    errno = number;
    if ((!waits && number != EINTR) || (waits && !reaches_all(v))) return fd;
    if (interrupted(v->c)) return -1;
    poll(NULL, 0, LOOK_MS);
  }
}

int ext_open(vm *v, const char *who, const char *path, int how) {
  OWNED_PLACE ext_place p;
  struct stat st;
  int fd = -1;
  bool ok = ext_find(&p, v, who, path, true);
  if (ok) fd = open_place(v, &p, how & ~O_TRUNC); /* not before it is known what it is */
  if (ok && fd < 0 && errno == ENXIO && !reaches_all(v)) refuse(v, who, path, PLAIN);
  ok = fd >= 0 && may_use(v, fd, who, path);
  if (ok && (how & O_TRUNC))
    ok = !fstat(fd, &st) && (!S_ISREG(st.st_mode) || !ftruncate(fd, 0));
  if (ok) return fd;
  ext_os_error(v, who, path);
  if (fd >= 0) close(fd);
  return -1;
}

bool ext_ready(vm *v, int fd, int events) {
  struct pollfd p = {.fd = fd, .events = (short)events};
  while (poll(&p, 1, LOOK_MS) <= 0)
    if (interrupted(v->c)) return false;
  return true;
}

static int by_bytes(const void *x, const void *y) {
  return strcmp(*(char *const *)x, *(char *const *)y);
}

void ext_names_free(ext_names *k) {
  for (size_t i = 0; i < k->n; i++) mem_free(k->c, k->at[i]);
  vec_free(k->c, k);
}

static bool add_name(ext_names *k, const char *name) {
  size_t n = strlen(name) + 1;
  if (!strcmp(name, ".") || !strcmp(name, "..")) return true;
  char *own = mem_alloc(k->c, n);
  if (own) memcpy(own, name, n);
  if (own && vec_push(k->c, k, own)) return true;
  mem_free(k->c, own);
  return false;
}

static bool list_here(vm *v, const char *who, const char *path, ext_names *k) {
  int fd = ext_open(v, who, path, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return false;
  DIR *d = fdopendir(fd);
  if (!d) {
    close(fd);
    return ext_os_error(v, who, path);
  }
  const struct dirent *e;
  bool ok = true;
  while (ok && (e = readdir(d))) ok = add_name(k, e->d_name) && !interrupted(v->c);
  closedir(d);
  if (ok && k->n) qsort(k->at, k->n, sizeof *k->at, by_bytes);
  return ok;
}

/* The names, each with its NUL, and back. */
static void put_list(const ext_names *k, str *s) {
  for (size_t i = 0; i < k->n; i++) str_put(s, k->at[i], strlen(k->at[i]) + 1);
}
static bool take_list(const str *s, ext_names *k) {
  for (size_t i = 0; i < s->n; i += strlen(s->at + i) + 1)
    if (!add_name(k, s->at + i)) return false;
  return true;
}

bool ext_list(vm *v, const char *who, const char *path, ext_names *k) {
  OWNED_STR str s = {.c = v->c};
  *k = (ext_names){.c = v->c};
  if (!v->c->together) return list_here(v, who, path, k);
  if (dist_alone_begins(v->c) && list_here(v, who, path, k)) put_list(k, &s);
  if (!dist_alone_ends(v->c, NULL)) return false;
  void *at = s.at;
  bool ok = dist_same_bytes(v->c, &at, &s.n);
  s.at = at;
  return ok && (is_first_rank(v->c) || take_list(&s, k));
}

static bool stat_here(vm *v, const char *who, const char *path, bool follow,
                      struct stat *st) {
  OWNED_PLACE ext_place p;
  if (!ext_find(&p, v, who, path, follow)) return false;
  bool links = follow && !v->reach;
  if (fstatat(p.folder, p.name.at, st, links ? 0 : AT_SYMLINK_NOFOLLOW)) return false;
  if (follow && S_ISLNK(st->st_mode)) { /* to nothing, or it would have been followed */
    errno = ENOENT;
    return false;
  }
  if (!links || reaches_all(v)) return true;
  int fd = openat(p.folder, p.name.at, O_PATH | O_CLOEXEC);
  bool ok = fd >= 0 && (!is_of_system(fd) || refuse(v, who, path, SYSTEM));
  if (fd >= 0) close(fd);
  return ok;
}

/* What fstatat said, with errno. */
typedef struct answer {
  bool there;
  int number;
  struct stat st;
} answer;

bool ext_stat(vm *v, const char *who, const char *path, bool follow, struct stat *st) {
  answer a = {0};
  if (!v->c->together) return stat_here(v, who, path, follow, st);
  if (dist_alone_begins(v->c)) {
    a.there = stat_here(v, who, path, follow, &a.st);
    a.number = errno;
  }
  if (!dist_alone_ends(v->c, NULL) || !dist_same(v->c, &a, sizeof a)) return false;
  *st = a.st;
  errno = a.number;
  return a.there;
}
