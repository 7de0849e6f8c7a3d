/* SPDX-License-Identifier: MIT */
/* ext.c - what the files of runtime/ext stand on: permissions, files, and state that lasts as long as the interpreter. Nothing is opened before a program
 * asks for it. */
#include "../value/arg.h"
#include "../value/items.h"
#include "ext.h"
#include "../../base/hash.h"
#include "../../base/mapped.h"
#include "../../dist/dist.h"
#include "../../array/element.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PART_BYTES = 1 << 22 }; /* read or written between two looks at Ctrl-C */

/* ── permissions ──────────────────────────────────────────────────────────────────── */

bool ext_may(vm *v, unsigned what, const char *who) {
  static const struct {
    unsigned bit;
    int code;
    const char *what;
  } row[] = {{MAY_READ, ERR_FILE_ACCESS, "reading files"},
             {MAY_WRITE, ERR_FILE_ACCESS, "writing files"},
             {MAY_RUN, ERR_PERM, "running processes"},
             {MAY_ENV, ERR_PERM, "reading the environment"},
             {MAY_CALL, ERR_PERM, "calling C libraries"},
             {MAY_NET, ERR_PERM, "using the network"}};
  for (size_t i = 0; i < ARRAY_LEN(row); i++)
    if (what & row[i].bit & ~v->c->may)
      return err_set(v->c, row[i].code, "%s: %s is not permitted here", who, row[i].what);
  return verify(v);
}

/* ── names of files ─────────────────────────────────────────────────────────────────── */

bool ext_name(vm *v, arr *a, const char *who, str *path) {
  static const char scheme[] = "file://";
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, a, who, &s)) return false;
  if (strlen(s.at) != s.n)
    return err_set(v->c, ERR_FILE_NAME, "%s: a name has no NUL in it", who);
  const char *from = s.at;
  if (!strncmp(from, scheme, strlen(scheme))) from += strlen(scheme);
  str_puts(path, from);
  return !path->failed;
}

bool ext_path(vm *v, arr *a, const char *who, str *path) {
  if (!ext_name(v, a, who, path)) return false;
  return path->n || err_set(v->c, ERR_FILE_NAME, "%s: the name is empty", who);
}

bool ext_path_flag(vm *v, arr *y, const char *who, int most, str *path, int64_t *flag) {
  *flag = 0;
  if (!is_nested(y)) return ext_path(v, y, who, path);
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "%s takes a name and a number", who);
  if (!y->count || y->count > 2)
    return err_set(v->c, ERR_LENGTH, "%s takes a name and a number", who);
  if (!ext_path(v, arr_item(y, 0), who, path)) return false;
  return y->count < 2 || arg_number(v, value_arr(arr_item(y, 1)), 0, most, who, flag);
}

/* ── files read and written ─────────────────────────────────────────────────────────── */

/* Is it an error of a call that is made again? */
static bool is_passing(int number) { return number == EINTR || number == EAGAIN; }

/* Reads fd to its end behind the first `have` bytes of *a, which is replaced when it is full. */
static bool fill(vm *v, int fd, arr **a, bool shown, const char *who, const char *path) {
  size_t have = 0;
  for (;;) {
    size_t room = (size_t)(*a)->count - have;
    share_is(v->c, shown, (int64_t)have);
    if (interrupted(v->c) || !ext_ready(v, fd, POLLIN)) return false;
    if (!room) { /* one byte more, to see the end; then the file has grown */
      char more;
      ssize_t got = read(fd, &more, 1);
      if (got < 0 && !is_passing(errno)) return ext_os_error(v, who, path);
      if (got == 0) return true;
      if (got < 0) continue;
      arr *larger = arr_vec(v->c, ET_C8, (int64_t)(have * 2 + PART_BYTES));
      if (!larger) return false;
      memcpy(larger->host, (*a)->host, have);
      ((char *)larger->host)[have++] = more;
      arr_release(*a);
      *a = larger;
      continue;
    }
    ssize_t got =
        read(fd, (char *)(*a)->host + have, room < PART_BYTES ? room : PART_BYTES);
    if (got < 0 && !is_passing(errno)) return ext_os_error(v, who, path);
    if (got > 0) have += (size_t)got;
    if (got != 0) continue;
    int64_t n = (int64_t)have; /* shorter than it said */
    arr *r = arr_vec(v->c, ET_C8, n);
    if (!r) return false;
    if (n) memcpy(r->host, (*a)->host, have);
    arr_release(*a);
    *a = r;
    return true;
  }
}

static arr *read_here(vm *v, const char *who, const char *path) {
  struct stat st = {0};
  int fd = ext_open(v, who, path, O_RDONLY);
  bool ok = fd >= 0 && !fstat(fd, &st);
  if (ok && S_ISDIR(st.st_mode)) {
    errno = EISDIR;
    ok = false;
  }
  if (!ok) ext_os_error(v, who, path);
  int64_t n = 0;
  if (S_ISREG(st.st_mode)) n = st.st_size;
  OWNED arr *a = ok ? arr_vec(v->c, ET_C8, n) : NULL;
  bool shown = share_begins(v->c, n);
  ok = a && fill(v, fd, &a, shown, who, path);
  share_ends(v->c, shown);
  if (fd >= 0) close(fd);
  return ok ? arr_move(&a) : NULL;
}

arr *ext_read(vm *v, const char *who, const char *path) {
  arr *r = NULL;
  if (!is_ranked(v->c)) return read_here(v, who, path);
  if (dist_alone_begins(v->c)) r = read_here(v, who, path);
  return dist_alone_ends(v->c, &r) ? r : NULL;
}

bool ext_write(vm *v, int fd, const void *at, size_t n, const char *who,
               const char *path) {
  bool shown = n > PART_BYTES && share_begins(v->c, (int64_t)n);
  size_t done = 0;
  while (done < n) {
    size_t part = n - done < PART_BYTES ? n - done : PART_BYTES;
    ssize_t put = write(fd, (const char *)at + done, part);
    bool failed = put < 0 && !is_passing(errno);
    if (failed) ext_os_error(v, who, path);
    if (failed || interrupted(v->c) || (put < 0 && !ext_ready(v, fd, POLLOUT))) break;
    if (put > 0) done += (size_t)put;
    share_is(v->c, shown, (int64_t)done);
  }
  share_ends(v->c, shown);
  return done == n;
}

void ext_extend(str *name, int i) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t seed = (uint64_t)getpid() << 32 | (uint32_t)i;
  str_printf(name, "%06llx",
             (unsigned long long)hash_bytes(&now, sizeof now, seed) & 0xFFFFFF);
}

/* A file beside the one of the place, under a name that nothing has. */
static bool make_temporary(ext_file *f) {
  int how = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  for (int i = 0; i < EXT_TRIES; i++) {
    f->temporary.n = 0;
    str_printf(&f->temporary, "%s.", f->place.name.at);
    ext_extend(&f->temporary, i);
    if (f->temporary.failed) return false;
    f->fd = openat(f->place.folder, f->temporary.at, how, 0600);
    if (f->fd >= 0 || errno != EEXIST) break;
  }
  return f->fd >= 0;
}

/* What is there already is a file that may be written. */
static bool may_replace(const ext_file *f, const struct stat *st) {
  if (S_ISREG(st->st_mode)) return !faccessat(f->place.folder, f->place.name.at, W_OK, 0);
  errno = S_ISDIR(st->st_mode) ? EISDIR : ENOTSUP;
  return false;
}

static bool begin_here(ext_file *f, const char *path) {
  vm *v = f->v;
  char *real = v->reach ? NULL : realpath(path, NULL); /* a link stays one */
  str_puts(&f->path, real ? real : path);
  free(real);
  if (f->path.failed) return false;
  struct stat st;
  bool ok = ext_find(&f->place, v, f->who, f->path.at, true);
  bool known = ok && !fstatat(f->place.folder, f->place.name.at, &st, 0);
  ok = ok && (!known || may_replace(f, &st)) && make_temporary(f);
  mode_t mask = umask(0);
  umask(mask);
  ok = ok && !fchmod(f->fd, known ? st.st_mode & 07777 : 0666 & ~mask);
  return ok || ext_os_error(v, f->who, f->path.at);
}

bool ext_begin(ext_file *f, vm *v, const char *who, const char *path) {
  *f = (ext_file){.v = v,
                  .fd = -1,
                  .shared = v->c->together,
                  .who = who,
                  .path = {.c = v->c},
                  .temporary = {.c = v->c},
                  .place = {.folder = -1}};
  if (!f->shared) return begin_here(f, path);
  if (dist_alone_begins(v->c)) begin_here(f, path);
  return dist_alone_ends(v->c, NULL);
}

/* Does this rank write what is still to be written? */
static bool is_written_here(const ext_file *f) {
  return !f->shared || (is_first_rank(f->v->c) && !f->failed.code);
}

/* What has failed here is kept until all hear of it. */
static bool kept(ext_file *f, bool ok) {
  if (ok || !f->shared) return ok;
  f->failed = err_take(f->v->c);
  return true;
}

bool ext_put(ext_file *f, const void *at, size_t n) {
  if (!is_written_here(f)) return true;
  return kept(f, ext_write(f->v, f->fd, at, n, f->who, f->path.at));
}

bool ext_rewind(ext_file *f) {
  if (!is_written_here(f) || !lseek(f->fd, 0, SEEK_SET)) return true;
  return kept(f, ext_os_error(f->v, f->who, f->path.at));
}

static bool commit_here(ext_file *f) {
  int in = f->place.folder;
  bool ok = !fsync(f->fd) && !close(f->fd);
  if (ok) {
    f->fd = -1;
    ok = !renameat(in, f->temporary.at, in, f->place.name.at);
  }
  if (!ok) {
    ext_os_error(f->v, f->who, f->path.at);
    unlinkat(in, f->temporary.at, 0);
  }
  str_free(&f->temporary);
  return ok;
}

bool ext_commit(ext_file *f) {
  ctx *c = f->v->c;
  if (!f->shared) return commit_here(f);
  if (dist_alone_begins(c)) {
    if (!f->failed.code) commit_here(f);
    else err_put_back(c, f->failed);
    f->failed = (err){0};
  }
  return dist_alone_ends(c, NULL);
}

void ext_abandon(ext_file *f) {
  if (f->failed.code) err_drop(f->v->c, &f->failed);
  if (f->fd >= 0) {
    close(f->fd);
    if (f->temporary.at) unlinkat(f->place.folder, f->temporary.at, 0);
  }
  f->fd = -1;
  ext_leave(&f->place);
  str_free(&f->path);
  str_free(&f->temporary);
}

/* ── files mapped ───────────────────────────────────────────────────────────────────── */

/* The mapping ends a page behind the file, so that elements may be read by whole words. */
static bool map_file(int fd, ext_mapping *m) {
  int how = PROT_READ | PROT_WRITE;
  m->length = m->bytes + (size_t)sysconf(_SC_PAGESIZE);
  m->base = mmap(NULL, m->length, how, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m->base == MAP_FAILED) m->base = NULL;
  return m->base && (!m->bytes || mmap(m->base, m->bytes, how, MAP_PRIVATE | MAP_FIXED,
                                       fd, 0) != MAP_FAILED);
}

static bool copy_file(int fd, const char *path, ext_mapping *m) {
  enum { AT_ONCE = 1 << 24, BEHIND = 16 };
  m->length = m->bytes + BEHIND;
  char *to = mem_alloc(m->c, m->length);
  m->base = to;
  if (!to) return false;
  memset(to + m->bytes, 0, BEHIND);
  for (size_t at = 0; at < m->bytes;) {
    size_t want = m->bytes - at;
    if (want > AT_ONCE) want = AT_ONCE;
    ssize_t n = pread(fd, to + at, want, (off_t)at);
    if (interrupted(m->c)) return false;
    if (!n) return err_set(m->c, ERR_FILE_DAMAGED, "%s has become shorter", path);
    if (n > 0) at += (size_t)n;
    else if (errno != EINTR) return false;
  }
  return true;
}

/* Where there are ranks a file is not mapped: all have what it was when one read it. */
static bool map_here(vm *v, const char *who, const char *path, ext_mapping *m) {
  struct stat st;
  *m = (ext_mapping){.c = v->c, .mapped = v->c->may & MAY_MAP && !is_ranked(v->c)};
  int fd = ext_open(v, who, path, O_RDONLY);
  if (fd < 0) return false;
  bool ok = !fstat(fd, &st);
  if (ok && !S_ISREG(st.st_mode)) {
    errno = S_ISDIR(st.st_mode) ? EISDIR : ENODEV;
    ok = false;
  }
  if (ok) {
    m->bytes = (size_t)st.st_size;
    if (m->mapped) ok = map_file(fd, m);
    else ok = copy_file(fd, path, m);
    m->at = m->base;
  }
  if (!ok) ext_os_error(v, who, path);
  if (ok && m->mapped) {
    m->file = mapped_add(v->c, path, m->base, m->length);
    ok = m->file != NULL;
  }
  close(fd);
  if (!ok) ext_unmap(m);
  return ok;
}

bool ext_map(vm *v, const char *who, const char *path, ext_mapping *m) {
  if (!v->c->together) return map_here(v, who, path, m);
  *m = (ext_mapping){.c = v->c};
  if (dist_alone_begins(v->c)) map_here(v, who, path, m);
  bool ok = dist_alone_ends(v->c, NULL) && dist_same(v->c, &m->bytes, sizeof m->bytes) &&
            dist_same_bytes(v->c, &m->base, &m->length);
  m->at = m->base;
  if (!ok) ext_unmap(m);
  return ok;
}

void ext_unmap(ext_mapping *m) {
  void *base = m->base;
  m->base = NULL;
  if (!base) return;
  if (m->mapped) {
    mapped_remove(m->c, m->file);
    munmap(base, m->length);
  } else {
    mem_free(m->c, base);
  }
}

static void drop_mapping(void *user, void *data) {
  ext_mapping *m = user;
  UNUSED(data);
  ctx *c = m->c;
  ext_unmap(m);
  mem_free(c, m);
}

arr *ext_mapped_array(ext_mapping *m, size_t offset, elt t, int rank,
                      const int64_t *shape) {
  ctx *c = m->c;
  int64_t n;
  if (!arr_count(c, rank, shape, &n)) return NULL;
  bool copies = offset % 16 || t == ET_BIT || n < 4096;
  OWNED arr *r = copies ? arr_new(c, t, rank, shape) : arr_new_pending(c, t, rank, shape);
  if (!r) return NULL;
  if (copies) {
    size_t bytes = elt_bytes(t, n);
    if (bytes) memcpy(r->host, m->at + offset, bytes);
    if (t == ET_BIT && n % 8)
      ((unsigned char *)r->host)[bytes - 1] &= (unsigned char)((1u << n % 8) - 1);
    ext_unmap(m);
    return arr_move(&r);
  }
  ext_mapping *own = mem_alloc(c, sizeof *own);
  if (!own) return NULL;
  *own = *m;
  m->base = NULL;
  r->host = own->at + offset;
  r->drop = drop_mapping;
  r->drop_user = own;
  return arr_move(&r);
}

/* ── state ──────────────────────────────────────────────────────────────────────────── */

typedef struct ext_state {
  struct ext_state *next;
  ext_closer *close; /* also what it is found by */
  max_align_t at[];
} ext_state;

void *ext_state_if(vm *v, ext_closer *key) {
  ext_state *s = v->states;
  while (s && s->close != key) s = s->next;
  return s ? s->at : NULL;
}

void *ext_state_of(vm *v, ext_closer *key, size_t bytes) {
  void *there = ext_state_if(v, key);
  if (there) return there;
  ext_state *s = mem_zalloc(v->c, sizeof *s + bytes);
  if (!s) return NULL;
  s->close = key;
  s->next = v->states;
  v->states = s;
  return s->at;
}

void ext_close(vm *v) {
  while (v->states) {
    ext_state *s = v->states;
    v->states = s->next;
    s->close(v, s->at);
    mem_free(v->c, s);
  }
}

void *ext_library(vm *v, const char *who, const char *name, const char *const *functions,
                  void **to) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return err_null(v->c, ERR_NONCE, "%s needs the library %s, which is not installed",
                    who, name);
  for (size_t i = 0; functions[i]; i++) {
    to[i] = dlsym(handle, functions[i]);
    if (to[i]) continue;
    dlclose(handle);
    return err_null(v->c, ERR_NONCE, "%s: the library %s has no %s", who, name,
                    functions[i]);
  }
  return handle;
}
