/* SPDX-License-Identifier: MIT */
/* fio.c - ⎕FIO of GNU APL: files, folders and processes by the functions of C's library, which have numbers:
 * x ⎕FIO[3] y, or ⎕FIO.fopen y; ⎕FIO n for those without arguments. They answer as the C functions do: -1, and the cause in
 * ⎕FIO 1, where the system refuses; what is wrong in a call, and what the host program does not permit, are errors
 * of APL. Bytes are numbers of 0 to 255. What is read from a file is buffered, what is written is not. */
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  PART = 5000,
  FIRST = 3
}; /* bytes that are read without a number; the first file's handle */

typedef struct stream {
  int fd; /* -1: it was closed */
  FILE *process;
  str ahead; /* what was read and not given yet, from byte `from` on */
  size_t from;
  bool ended, failed;
} stream;

typedef struct streams {
  int last; /* errno of the last call */
  VEC(stream) at;
} streams;

static void stream_close(stream *s) {
  str_free(&s->ahead);
  if (s->process) pclose(s->process);
  else if (s->fd >= 0) close(s->fd);
  *s = (stream){.fd = -1};
}

static void close_streams(vm *v, void *state) {
  streams *k = state;
  for (size_t i = 0; i < k->at.n; i++) stream_close(&k->at.at[i]);
  vec_free(v->c, &k->at);
}

typedef struct fio { /* a call */
  vm *v;
  streams *all;
  arr *x, *y; /* NULL: not given */
} fio;

/* ── results and arguments ──────────────────────────────────────────────────────────── */

static const char who[] = "⎕FIO";

static bool give(const fio *k, int64_t n, arr **r) {
  return give_result(r, arr_int(k->v->c, n));
}

/* What a function of C gave: -1 with errno, or something else. */
static bool answer(fio *k, int64_t n, arr **r) {
  if (n < 0) k->all->last = errno;
  return give(k, n, r);
}

static bool fio_text(const fio *k, arr *a, str *s) {
  return arg_text(k->v, a, who, s) &&
         (strlen(s->at) == s->n ||
          err_set(k->v->c, ERR_DOMAIN, "⎕FIO: a name has no NUL in it"));
}

/* The file of the handle y. */
static stream *stream_of(const fio *k) {
  int64_t n;
  if (!arg_number(k->v, value_arr(k->y), 0, INT32_MAX, "⎕FIO: a handle", &n)) return NULL;
  size_t i = (size_t)n - FIRST;
  if (n < FIRST || i >= k->all->at.n || k->all->at.at[i].fd < 0) {
    err_set(k->v->c, ERR_DOMAIN, "⎕FIO: no file has the handle %lld", (long long)n);
    return NULL;
  }
  return &k->all->at.at[i];
}

/* x, a number of bytes; without it PART. */
static bool fio_size(const fio *k, int64_t *n) {
  *n = PART;
  return !k->x ||
         arg_number(k->v, value_arr(k->x), 0, INT32_MAX, "⎕FIO: a number of bytes", n);
}

static bool give_bytes(const fio *k, const char *at, size_t n, arr **r) {
  OWNED arr *a = arr_vec(k->v->c, ET_I16, (int64_t)n);
  for (size_t i = 0; a && i < n; i++) arr_put_int(a, (int64_t)i, (unsigned char)at[i]);
  return give_result(r, arr_move(&a));
}

/* The bytes that x is: numbers of -128 to 255, or characters below 256. */
static bool bytes_of(const fio *k, const arr *x, str *s) {
  bool ok = !is_nested(x) && (x->type <= ET_F64 || elt_is_char((elt)x->type));
  for (int64_t i = 0; ok && i < x->count; i++) {
    if (stops_at(k->v->c, i)) return false;
    int64_t n =
        elt_is_char((elt)x->type) || elt_is_int((elt)x->type) ? arr_get_int(x, i) : 256;
    ok = n >= -128 && n < 256;
    char c = (char)n;
    if (ok) str_put(s, &c, 1);
  }
  return (ok || err_set(k->v->c, ERR_DOMAIN, "⎕FIO: bytes are wanted, 0 to 255")) &&
         !s->failed;
}

/* ── opening and closing ────────────────────────────────────────────────────────────── */

/* The handle of a file that is open; -1: WS FULL. */
static int64_t add_stream(fio *k, int fd, FILE *process) {
  stream s = {.fd = fd, .process = process, .ahead = {.c = k->v->c}};
  size_t i = 0;
  while (i < k->all->at.n && k->all->at.at[i].fd >= 0) i++;
  if (i < k->all->at.n) k->all->at.at[i] = s;
  else if (!vec_push(k->v->c, &k->all->at, s)) {
    stream_close(&s);
    return -1;
  }
  return (int64_t)i + FIRST;
}

static bool mode_of(const fio *k, str *mode, int *how) {
  static const struct {
    const char *name;
    int how;
  } modes[] = {{"r", O_RDONLY},
               {"w", O_WRONLY | O_CREAT | O_TRUNC},
               {"a", O_WRONLY | O_CREAT | O_APPEND},
               {"r+", O_RDWR},
               {"w+", O_RDWR | O_CREAT | O_TRUNC},
               {"a+", O_RDWR | O_CREAT | O_APPEND}};
  if (!k->x) str_puts(mode, "r");
  else if (!fio_text(k, k->x, mode)) return false;
  char *binary = mode->at ? strchr(mode->at, 'b') : NULL;
  if (binary) memmove(binary, binary + 1, strlen(binary));
  for (size_t i = 0; i < ARRAY_LEN(modes); i++)
    if (mode->at && !strcmp(mode->at, modes[i].name)) {
      *how = modes[i].how;
      return true;
    }
  return err_set(k->v->c, ERR_DOMAIN, "⎕FIO[3]: a mode is r, w, a, r+, w+ or a+");
}

static unsigned may_of(int how) {
  switch (how & O_ACCMODE) {
  case O_RDONLY: return MAY_READ;
  case O_WRONLY: return MAY_WRITE;
  default: return MAY_READ | MAY_WRITE;
  }
}

static bool fio_open(fio *k, arr **r) {
  OWNED_STR str name = {.c = k->v->c};
  OWNED_STR str mode = {.c = k->v->c};
  OWNED_PLACE ext_place p = {.folder = -1, .name = {.c = k->v->c}};
  int how = 0;
  if (!mode_of(k, &mode, &how) || !fio_text(k, k->y, &name)) return false;
  if (!ext_may(k->v, may_of(how), who)) return false;
  bool found = ext_find(&p, k->v, who, name.at, true);
  if (!found && err_is(k->v->c)) return false;
  int fd = found ? openat(p.folder, p.name.at, how | O_CLOEXEC, 0666) : -1;
  if (fd < 0) return answer(k, -1, r);
  int64_t n = add_stream(k, fd, NULL);
  return n >= 0 && give(k, n, r);
}

static bool fio_close(fio *k, arr **r) {
  stream *s = stream_of(k);
  if (!s) return false;
  if (!s->process) {
    stream_close(s);
    return give(k, 0, r);
  }
  int status = pclose(s->process);
  s->process = NULL;
  s->fd = -1;
  stream_close(s);
  return answer(k, status, r);
}

static bool fio_popen(fio *k, arr **r) {
  OWNED_STR str command = {.c = k->v->c};
  OWNED_STR str mode = {.c = k->v->c};
  if (!k->x) str_puts(&mode, "r");
  else if (!fio_text(k, k->x, &mode)) return false;
  if (!fio_text(k, k->y, &command) || !ext_may(k->v, MAY_RUN, who)) return false;
  if (!mode.at || (strcmp(mode.at, "r") && strcmp(mode.at, "w")))
    return err_set(k->v->c, ERR_DOMAIN, "⎕FIO[24]: a mode is r or w");
  FILE *f = popen(command.at, strcmp(mode.at, "r") ? "we" : "re");
  if (!f) return answer(k, -1, r);
  int64_t n = add_stream(k, fileno(f), f);
  return n >= 0 && give(k, n, r);
}

/* ── reading ────────────────────────────────────────────────────────────────────────── */

/* Reads more into `ahead`; Ctrl-C ends it with an error. */
static bool read_ahead(const fio *k, stream *s) {
  char part[4096];
  if (s->from == s->ahead.n) s->from = s->ahead.n = 0;
  if (!ext_ready(k->v, s->fd, POLLIN)) return false;
  ssize_t n = read(s->fd, part, sizeof part);
  if (n < 0 && errno == EINTR) return !interrupted(k->v->c);
  if (n < 0) {
    k->all->last = errno;
    s->failed = true;
  }
  s->ended |= n == 0;
  if (n > 0) str_put(&s->ahead, part, (size_t)n);
  return !s->ahead.failed;
}

/* Up to n bytes, or up to the first line feed; at the end of the file -1. */
static bool take(fio *k, int64_t n, bool line, arr **r) {
  stream *s = stream_of(k);
  const char *feed = NULL;
  if (!s) return false;
  for (;;) {
    size_t there = s->ahead.n - s->from;
    feed = line && there ? memchr(s->ahead.at + s->from, '\n', there) : NULL;
    if (feed || there >= (size_t)n || s->ended || s->failed) break;
    if (!read_ahead(k, s)) return false;
  }
  const char *at = s->ahead.at + s->from;
  size_t size = feed ? (size_t)(feed + 1 - at) : s->ahead.n - s->from;
  if (size > (size_t)n) size = (size_t)n;
  if (!size && n) return give(k, -1, r);
  s->from += size;
  return give_bytes(k, at, size, r);
}

static bool fio_read(fio *k, arr **r) {
  int64_t n;
  return fio_size(k, &n) && take(k, n, false, r);
}

static bool fio_gets(fio *k, arr **r) {
  int64_t n;
  return fio_size(k, &n) && take(k, n, true, r);
}

static bool fio_getc(fio *k, arr **r) {
  OWNED arr *one = NULL;
  if (!take(k, 1, false, &one)) return false;
  return give(k, arr_get_int(one, 0), r);
}

static bool fio_eof(fio *k, arr **r) {
  const stream *s = stream_of(k);
  return s && give(k, s->ended && s->from == s->ahead.n, r);
}

static bool fio_error(fio *k, arr **r) {
  const stream *s = stream_of(k);
  return s && give(k, s->failed, r);
}

/* ── writing and places ─────────────────────────────────────────────────────────────── */

/* The bytes go to the file, or to output (1) or the errors (2). */
static bool put(fio *k, const str *s, arr **r) {
  const vm *v = k->v;
  int64_t n = k->y->count == 1 && elt_is_int((elt)k->y->type) ? arr_get_int(k->y, 0) : 0;
  if (n == 1 && !put_out(k->v, s->at ? s->at : "", s->n)) return false;
  if (n == 2 && v->cfg.write && s->n) v->cfg.write(v->cfg.user, 2, s->at, s->n);
  if (n != 1 && n != 2) {
    stream *to = stream_of(k);
    if (!to) return false;
    if (to->from < to->ahead.n) lseek(to->fd, -(off_t)(to->ahead.n - to->from), SEEK_CUR);
    to->from = to->ahead.n = 0;
    if (s->n && !ext_write(k->v, to->fd, s->at, s->n, who, "a file")) return false;
  }
  return give(k, (int64_t)s->n, r);
}

static bool fio_write(fio *k, arr **r) {
  OWNED_STR str s = {.c = k->v->c};
  return bytes_of(k, k->x, &s) && put(k, &s, r);
}

static bool fio_write_text(fio *k, arr **r) {
  OWNED_STR str s = {.c = k->v->c};
  return arg_text(k->v, k->x, who, &s) && put(k, &s, r);
}

static bool fio_tell(fio *k, arr **r) {
  const stream *s = stream_of(k);
  if (!s) return false;
  off_t at = lseek(s->fd, 0, SEEK_CUR);
  return answer(k, at < 0 ? -1 : (int64_t)at - (int64_t)(s->ahead.n - s->from), r);
}

static bool seek(fio *k, int from, arr **r) {
  stream *s = stream_of(k);
  int64_t n;
  if (!s || !arg_int(k->v, k->x, &n, "⎕FIO: a place")) return false;
  if (from == SEEK_CUR) n -= (int64_t)(s->ahead.n - s->from);
  s->from = s->ahead.n = 0;
  s->ended = false;
  return answer(k, lseek(s->fd, n, from) < 0 ? -1 : 0, r);
}

static bool fio_seek(fio *k, arr **r) { return seek(k, SEEK_SET, r); }
static bool fio_seek_on(fio *k, arr **r) { return seek(k, SEEK_CUR, r); }
static bool fio_seek_end(fio *k, arr **r) { return seek(k, SEEK_END, r); }

static bool fio_sync(fio *k, arr **r) {
  const stream *s = stream_of(k);
  return s && answer(k, fsync(s->fd), r);
}

static bool fio_flush(fio *k, arr **r) { return stream_of(k) && give(k, 0, r); }

/* ── printf ─────────────────────────────────────────────────────────────────────────── */

/* The value of a conversion; its letter is `letter`, what stands before it `spec`. */
static bool put_conversion(const fio *k, str *spec, char letter, arr *a, str *s) {
  OWNED_STR str text = {.c = k->v->c};
  if (strchr("diuxXoc", letter)) {
    int64_t n = a->count == 1 && elt_is_char((elt)a->type) ? arr_get_int(a, 0) : 0;
    if (letter == 'c' && n) {
      str_putc(s, (uint32_t)n);
      return !s->failed;
    }
    if (!arg_int(k->v, a, &n, "⎕FIO: a number to print")) return false;
    str_printf(spec, "ll%c", letter);
    if (letter == 'c') str_putc(s, (uint32_t)n);
    else str_printf(s, spec->at, (long long)n);
  } else if (strchr("eEfFgG", letter)) {
    if (a->count != 1 || a->type > ET_F64)
      return err_set(k->v->c, ERR_DOMAIN, "⎕FIO: a number to print is wanted");
    str_printf(spec, "%c", letter);
    str_printf(s, spec->at, arr_get_float(a, 0));
  } else if (letter == 's') {
    if (!arg_text(k->v, a, who, &text)) return false;
    str_puts(spec, "s");
    str_printf(s, spec->at, text.at);
  } else return err_set(k->v->c, ERR_DOMAIN, "⎕FIO: %%%c is no conversion", letter);
  return !s->failed && !spec->failed;
}

/* x: a format, or that and what it prints. */
static bool fio_print(fio *k, arr **r) {
  vm *v = k->v;
  OWNED_STR str format = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  bool several = is_nested(k->x) && k->x->count;
  int64_t next = 1;
  if (!arg_text(v, several ? arr_item(k->x, 0) : k->x, who, &format)) return false;
  for (const char *p = format.at; *p;) {
    OWNED_STR str spec = {.c = v->c};
    if (*p != '%' || p[1] == '%') {
      str_put(&s, p, 1);
      p += *p == '%' ? 2 : 1;
      continue;
    }
    size_t n = 1 + strspn(p + 1, "-+ #0123456789.");
    str_put(&spec, p, n);
    p += n + strspn(p + n, "hlLqjzt");
    if (n > 40 || !*p)
      return err_set(v->c, ERR_DOMAIN, "⎕FIO: a conversion is not complete");
    if (!several || next >= k->x->count)
      return err_set(v->c, ERR_LENGTH,
                     "⎕FIO: the format has more conversions than values");
    if (spec.failed || !put_conversion(k, &spec, *p++, arr_item(k->x, next++), &s))
      return false;
  }
  return !s.failed && put(k, &s, r);
}

/* ── the file system ────────────────────────────────────────────────────────────────── */

/* The place of the file that y is; *found: there may be something. */
static bool fio_place(const fio *k, arr *a, unsigned may, bool follow, ext_place *p,
                      bool *found) {
  OWNED_STR str name = {.c = k->v->c};
  if (!fio_text(k, a, &name) || !ext_may(k->v, may, who)) return false;
  *found = ext_find(p, k->v, who, name.at, follow);
  return *found || !err_is(k->v->c);
}
#define PLACE(v)                                                                         \
  {                                                                                      \
    .folder = -1, .name = {.c = (v)->c }                                                 \
  }

static bool remove_with(fio *k, int flag, arr **r) {
  OWNED_PLACE ext_place p = PLACE(k->v);
  bool found;
  return fio_place(k, k->y, MAY_WRITE, false, &p, &found) &&
         answer(k, found ? unlinkat(p.folder, p.name.at, flag) : -1, r);
}
static bool fio_unlink(fio *k, arr **r) { return remove_with(k, 0, r); }
static bool fio_rmdir(fio *k, arr **r) { return remove_with(k, AT_REMOVEDIR, r); }

static bool fio_mkdir(fio *k, arr **r) {
  OWNED_PLACE ext_place p = PLACE(k->v);
  int64_t mode = 0777;
  bool found;
  if (k->x && !arg_number(k->v, value_arr(k->x), 0, 07777, "⎕FIO: a mode", &mode))
    return false;
  return fio_place(k, k->y, MAY_WRITE, false, &p, &found) &&
         answer(k, found ? mkdirat(p.folder, p.name.at, (mode_t)mode) : -1, r);
}

static bool fio_rename(fio *k, arr **r) {
  OWNED_PLACE ext_place from = PLACE(k->v);
  OWNED_PLACE ext_place to = PLACE(k->v);
  bool a, b;
  return fio_place(k, k->x, MAY_WRITE, false, &from, &a) &&
         fio_place(k, k->y, MAY_WRITE, false, &to, &b) &&
         answer(k,
                a && b ? renameat(from.folder, from.name.at, to.folder, to.name.at) : -1,
                r);
}

static bool fio_access(fio *k, arr **r) {
  OWNED_STR str how = {.c = k->v->c};
  OWNED_PLACE ext_place p = PLACE(k->v);
  bool found;
  int mode = F_OK;
  if (!fio_text(k, k->x, &how)) return false;
  for (const char *c = how.at; *c; c++) {
    if (*c == 'R') mode |= R_OK;
    else if (*c == 'W') mode |= W_OK;
    else if (*c == 'X') mode |= X_OK;
    else if (*c != 'F')
      return err_set(k->v->c, ERR_DOMAIN, "⎕FIO[31] takes letters of RWXF");
  }
  return fio_place(k, k->y, MAY_READ, true, &p, &found) &&
         answer(k, found ? faccessat(p.folder, p.name.at, mode, 0) : -1, r);
}

static bool fio_names(fio *k, arr **r) {
  vm *v = k->v;
  OWNED_STR str name = {.c = v->c};
  OWNED_NAMES ext_names names = {.c = v->c};
  OWNED_LIST arr_list items = {.v = v};
  if (!fio_text(k, k->y, &name) || !ext_may(v, MAY_READ, who)) return false;
  if (!ext_list(v, who, name.at, &names)) {
    if (v->c->err.code == ERR_FILE_ACCESS) return false;
    k->all->last = errno;
    err_clear(v->c);
    return give(k, -1, r);
  }
  for (size_t i = 0; i < names.n; i++)
    if (!list_add(&items, arr_text(v->c, names.at[i], strlen(names.at[i])))) return false;
  return give_result(r, items.n ? list_array(&items) : items_of(v, 0, NULL));
}

/* The whole file: bytes as characters, or text. */
static bool whole(fio *k, bool lines, arr **r) {
  vm *v = k->v;
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str text = {.c = v->c};
  struct stat st;
  if (!fio_text(k, k->y, &name) || !ext_may(v, MAY_READ, who)) return false;
  if (!ext_stat(v, who, name.at, true, &st)) return !err_is(v->c) && answer(k, -1, r);
  if (!lines) return give_result(r, ext_read(v, who, name.at));
  if (!text_read(v, who, name.at, &text)) return false;
  OWNED arr *all = arr_text(v->c, text.at ? text.at : "", text.n);
  return all && give_result(r, text_lines(v, all));
}
static bool fio_whole(fio *k, arr **r) { return whole(k, false, r); }
static bool fio_lines(fio *k, arr **r) { return whole(k, true, r); }

static bool fio_cwd(fio *k, arr **r) {
  char now[PATH_MAX];
  if (!ext_may(k->v, MAY_READ, who)) return false;
  if (!getcwd(now, sizeof now)) return answer(k, -1, r);
  return give_result(r, arr_text(k->v->c, now, strlen(now)));
}

static bool fio_chdir(fio *k, arr **r) {
  OWNED_STR str name = {.c = k->v->c};
  if (!fio_text(k, k->y, &name) || !ext_may(k->v, MAY_READ, who)) return false;
  if (k->v->reach)
    return err_set(k->v->c, ERR_PERM, "⎕FIO[54]: the program is kept to folders");
  return answer(k, chdir(name.at), r);
}

/* ── others ─────────────────────────────────────────────────────────────────────────── */

static bool fio_errno(fio *k, arr **r) { return give(k, k->all->last, r); }

static bool fio_strerror(fio *k, arr **r) {
  int64_t n;
  if (!arg_number(k->v, value_arr(k->y), 0, 4095, "⎕FIO[2]", &n)) return false;
  const char *text = strerror((int)n);
  return give_result(r, arr_text(k->v->c, text, strlen(text)));
}

/* Time since 1970: ⎕FIO[50] 1000000: in microseconds. */
static bool fio_time(fio *k, arr **r) {
  struct timespec t;
  int64_t parts = 1000000;
  if (k->y->count && !arg_number(k->v, value_arr(k->y), 1, 1000000000,
                                 "⎕FIO[50]: parts of a second", &parts))
    return false;
  clock_gettime(CLOCK_REALTIME, &t);
  return give(k, (int64_t)t.tv_sec * parts + (int64_t)t.tv_nsec / (1000000000 / parts),
              r);
}

/* y random bits as a number. */
static bool fio_random(fio *k, arr **r) {
  uint64_t bits;
  int64_t n = 63;
  if (elt_is_int((elt)k->y->type) && k->y->count &&
      !arg_number(k->v, value_arr(k->y), 1, 63, "⎕FIO[60]: bits", &n))
    return false;
  if (getentropy(&bits, sizeof bits)) return answer(k, -1, r);
  return give(k, (int64_t)(bits >> (64 - n)), r);
}

/* ── the table ──────────────────────────────────────────────────────────────────────── */

static const struct {
  int number;
  const char *name; /* behind a point: the function of C's */
  int valence;
  bool alone; /* ⎕FIO n is it */
  bool (*call)(fio *k, arr **r);
} rows[] = {
    {1, "errno", SYS_MONADIC, true, fio_errno},
    {2, "strerror", SYS_MONADIC, false, fio_strerror},
    {3, "fopen", SYS_EITHER, false, fio_open},
    {4, "fclose", SYS_MONADIC, false, fio_close},
    {6, "fread", SYS_EITHER, false, fio_read},
    {7, "fwrite", SYS_DYADIC, false, fio_write},
    {8, "fgets", SYS_EITHER, false, fio_gets},
    {9, "fgetc", SYS_MONADIC, false, fio_getc},
    {10, "feof", SYS_MONADIC, false, fio_eof},
    {11, "ferror", SYS_MONADIC, false, fio_error},
    {12, "ftell", SYS_MONADIC, false, fio_tell},
    {13, "fseek", SYS_DYADIC, false, fio_seek},
    {14, "", SYS_DYADIC, false, fio_seek_on},
    {15, "", SYS_DYADIC, false, fio_seek_end},
    {16, "fflush", SYS_MONADIC, false, fio_flush},
    {17, "fsync", SYS_MONADIC, false, fio_sync},
    {19, "unlink", SYS_MONADIC, false, fio_unlink},
    {20, "mkdir", SYS_EITHER, false, fio_mkdir},
    {21, "rmdir", SYS_MONADIC, false, fio_rmdir},
    {22, "fprintf", SYS_DYADIC, false, fio_print},
    {23, "", SYS_DYADIC, false, fio_write_text},
    {24, "popen", SYS_EITHER, false, fio_popen},
    {25, "pclose", SYS_MONADIC, false, fio_close},
    {26, "", SYS_MONADIC, false, fio_whole},
    {27, "rename", SYS_DYADIC, false, fio_rename},
    {29, "", SYS_MONADIC, false, fio_names},
    {30, "getcwd", SYS_MONADIC, true, fio_cwd},
    {31, "access", SYS_DYADIC, false, fio_access},
    {49, "", SYS_MONADIC, false, fio_lines},
    {50, "gettimeofday", SYS_MONADIC, true, fio_time},
    {54, "chdir", SYS_MONADIC, false, fio_chdir},
    {60, "random", SYS_MONADIC, true, fio_random},
};

/* The row of a name, ⎕FIO.fopen. */
static bool row_of_name(vm *v, arr *name, size_t *row) {
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, name, who, &s)) return false;
  for (*row = 0; s.n && *row < ARRAY_LEN(rows); ++*row)
    if (!strcmp(rows[*row].name, s.at)) return true;
  return err_set(v->c, ERR_NONCE, "⎕FIO.%s is not in this version", s.at);
}

/* The row of the function: by its number in brackets or its name, or by y itself where that needs nothing else. */
static bool fio_row(vm *v, arr *axis, arr *y, size_t *row) {
  int64_t n;
  if (axis && elt_is_char((elt)axis->type)) return row_of_name(v, axis, row);
  if (!axis && !y->count)
    return err_set(v->c, ERR_DOMAIN,
                   "⎕FIO takes the number of a function in brackets: ⎕FIO[3]");
  if (!arg_int(v, axis ? axis : y, &n, "⎕FIO: the number of a function")) return false;
  for (*row = 0; *row < ARRAY_LEN(rows); ++*row)
    if (rows[*row].number == n && (axis || rows[*row].alone)) return true;
  return err_set(v->c, ERR_NONCE, "⎕FIO%s%s%lld%s is not in this version",
                 axis ? "[" : " ", n < 0 ? "¯" : "", (long long)(n < 0 ? -n : n),
                 axis ? "]" : "");
}

/* Does it write to the output, as all ranks do? What else it does one of them does. */
static bool is_shown(int number, const arr *y) {
  bool writes = number == 7 || number == 22 || number == 23;
  int64_t n = writes && y->count == 1 && elt_is_int((elt)y->type) ? arr_get_int(y, 0) : 0;
  return n == 1 || n == 2;
}

bool ext_fio(vm *v, arr *x, arr *y, arr **r) {
  arr *axis = v->axis;
  fio k = {.v = v, .x = x, .y = y};
  size_t row = 0;
  if (!fio_row(v, axis, y, &row)) return false;
  if (!(rows[row].valence & (x ? SYS_DYADIC : SYS_MONADIC)))
    return err_set(v->c, ERR_SYNTAX, "⎕FIO[%d] takes %s left argument", rows[row].number,
                   x ? "no" : "a");
  k.all = ext_state_of(v, close_streams, sizeof *k.all);
  v->shy = false;
  if (!k.all || !verify(v)) return false;
  if (is_shown(rows[row].number, y)) return rows[row].call(&k, r);
  if (dist_alone_begins(v->c)) rows[row].call(&k, r);
  return dist_alone_ends(v->c, r);
}
