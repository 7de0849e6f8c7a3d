/* SPDX-License-Identifier: MIT */
/* ext.h - what the files of runtime/ext stand on: permissions, paths, files read and written
 * whole, errors of the operating system, and state that lasts as long as the interpreter.
 *
 * Each file there is a set of ⎕-names that may be left out: without the file its rows of
 * sysname.def are not compiled, and its names answer NONCE ERROR. */
#ifndef VAPL_EVAL_EXT_H
#define VAPL_EVAL_EXT_H
#include "../value/vm.h"

/* May the program do that (MAY_…)? Else FILE ACCESS ERROR or PERMISSION ERROR. Pending work is
 * verified, for what comes now is seen from outside. `who`: the ⎕-name. */
bool ext_may(vm *v, unsigned what, const char *who);
/* errno as an error: "who: path: No space left on device". Always false. */
bool ext_os_error(vm *v, const char *who, const char *path);

/* Where there are ranks (src/dist/dist.h), all of them call what follows, and the first one does it: ext_stat,
 * ext_list, ext_read, ext_map, and ext_begin to ext_commit. What else reaches outside stands between
 * dist_alone_begins and dist_alone_ends, or in a function whose row has SYS_OUTSIDE. */

/* ── reach.c: which files a program reaches ── */

/* Confines the vm's programs to these folders, which NULL ends; NULL: they reach all. */
bool reach_open(vm *v, const char *const *folders);
void reach_close(vm *v);

/* Where a file is: its folder, open, and its name there, for openat() and the like. */
typedef struct ext_place {
  int folder; /* -1: none */
  str name;
} ext_place;
/* Looks the path up; `follow`: where it is a link, what that leads to. False with errno, or with
 * FILE ACCESS ERROR recorded (which ext_os_error keeps) where the program may not reach it. */
bool ext_find(ext_place *p, vm *v, const char *who, const char *path, bool follow);
void ext_leave(ext_place *p);
#define OWNED_PLACE __attribute__((cleanup(ext_leave)))
/* open(), for what has a name: -1 with the error. Does not wait, nor does reading what it gives:
 * ext_ready does that, false after Ctrl-C. */
int ext_open(vm *v, const char *who, const char *path, int how);
bool ext_ready(vm *v, int fd, int events); /* POLLIN, POLLOUT */
struct stat;
bool ext_stat(vm *v, const char *who, const char *path, bool follow,
              struct stat *st); /* false as of ext_find */
/* The names in a folder, sorted. */
typedef struct ext_names {
  ctx *c;
  char **at;
  size_t n, cap;
} ext_names;
bool ext_list(vm *v, const char *who, const char *path, ext_names *k);
void ext_names_free(ext_names *k);
#define OWNED_NAMES __attribute__((cleanup(ext_names_free)))

/* A file's name as UTF-8; file:// in front of it is dropped. Of ext_path it is not empty. */
bool ext_name(vm *v, arr *a, const char *who, str *path);
bool ext_path(vm *v, arr *a, const char *who, str *path);
/* y is a name, or a name and a number of 0 to `most`, else *flag is 0. */
bool ext_path_flag(vm *v, arr *y, const char *who, int most, str *path, int64_t *flag);

/* The bytes of a file as characters below 256, owned; of the open file fd likewise, which
 * stays open. Ctrl-C stops it. */
arr *ext_read(vm *v, const char *who, const char *path);
/* Writes n bytes to fd in parts, so that Ctrl-C stops it. */
bool ext_write(vm *v, int fd, const void *at, size_t n, const char *who,
               const char *path);

/* A file that takes the place of `path` when all of it is written, or leaves no trace. */
typedef struct ext_file {
  vm *v;
  int fd; /* -1: none */
  bool
      shared; /* several ranks write it: the first one does, and ext_commit tells the others */
  err failed; /* its error, until then */
  const char *who;
  str path, temporary; /* temporary: its name beside that of the place */
  ext_place place;
} ext_file;
/* Six digits behind the name, for the i-th time from 0, that it hardly has had before. */
enum { EXT_TRIES = 100 };
void ext_extend(str *name, int i);
bool ext_begin(ext_file *f, vm *v, const char *who, const char *path);
bool ext_put(ext_file *f, const void *at, size_t n);
bool ext_rewind(ext_file *f); /* what is put next is put from the beginning on */
bool ext_commit(ext_file *f);
void ext_abandon(ext_file *f);
#define OWNED_FILE __attribute__((cleanup(ext_abandon)))

/* A file's bytes at hand: `bytes` from `at` on, private to us, followed by at least 8 readable
 * ones. Mapped, without being read, where a program may do that (MAY_MAP: somebody handles what
 * comes of a file that grows shorter, see mapped.h); else a copy. */
typedef struct ext_mapping {
  ctx *c;
  bool mapped;
  void *base;
  size_t length;
  struct mapped_file *file;
  char *at;
  size_t bytes;
} ext_mapping;
bool ext_map(vm *v, const char *who, const char *path, ext_mapping *m);
void ext_unmap(ext_mapping *m);
/* An array whose elements lie in the mapping, which it takes over; `offset` is a multiple of
 * 16, else they are copied. */
arr *ext_mapped_array(ext_mapping *m, size_t offset, elt t, int rank,
                      const int64_t *shape);

/* State of `bytes` bytes under the address `key`, zeroed and made when it is first asked for;
 * `close` is called with it at the end. NULL: WS FULL. */
typedef void ext_closer(vm *v, void *state);
void *ext_state_of(vm *v, ext_closer *key, size_t bytes);
void *ext_state_if(vm *v, ext_closer *key); /* the same if it was made; else NULL */
void ext_close(vm *v);                      /* all of it */

/* A shared library, opened when it is first needed: `names` are tried in turn, then each of
 * `functions` is stored in `to`. NONCE ERROR. */
void *ext_library(vm *v, const char *who, const char *name, const char *const *functions,
                  void **to);
#endif
