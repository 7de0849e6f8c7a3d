/* SPDX-License-Identifier: MIT */
/* ranks_outside.c - several ranks, each in a world of its own, have one answer.
 *
 *   mpirun -n 3 ranks_outside
 *
 * Each rank has its own environment, input, terminal, files, clock that runs behind, stack and seeds; of each
 * statement all ranks must show the same text, what the first one's world gives. */
#include "runtime/ranks.h"
#include "runtime/vapl_comm.h"
#include "src/base/str.h"
#include "src/eval/eval.h"
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct world {
  ctx c;
  const vapl_comm *comm;
  vm *v;
  str out;
  int lines_read, failed;
  char folder[PATH_MAX];
} world;

/* ── what is outside ── */

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  world *w = user;
  (void)fd;
  str_put(&w->out, utf8, n);
}

/* The first rank has two lines, then no more; the others have none, or long ones. */
static ptrdiff_t on_read(void *user, int mode, const char *prompt, char *buf, size_t n) {
  world *w = user;
  (void)mode;
  (void)prompt;
  if (w->comm->rank == 1 || ++w->lines_read > 2) return -1;
  return snprintf(buf, n, "%d%d", w->comm->rank, w->lines_read);
}

static const char *on_getenv(void *user, const char *name) {
  static char text[64];
  const world *w = user;
  if (w->comm->rank == 2 || strcmp(name, "WHO")) return NULL;
  snprintf(text, sizeof text, "rank %d", w->comm->rank);
  return text;
}

static int on_terminal(void *user, int *lines) {
  const world *w = user;
  *lines = 5 + w->comm->rank;
  return 60 + w->comm->rank;
}

static void put_file(const char *name, const char *text) {
  FILE *f = fopen(name, "wb");
  if (f) fputs(text, f);
  if (f) fclose(f);
}

/* A file here and not there, one that differs, one on ranks other than the first alone. */
static void put_files(const world *w) {
  char text[64];
  snprintf(text, sizeof text, "of rank %d\n", w->comm->rank);
  if (w->comm->rank != 1) put_file("some", text);
  put_file("all", text);
  if (w->comm->rank) put_file("none", text);
  put_file("table.csv", w->comm->rank ? "a,b\n1\n" : "a,b\n1,2\n");
  if (!w->comm->rank) mkdir("src", 0777);
  if (!w->comm->rank) put_file("src/twice.aplf", "twice←{2×⍵}\n");
}

/* ── the ranks' texts ── */

static void wait_for(const world *w, int begun, void **request) {
  int done = 0, error = begun;
  while (!error && !done) {
    error = w->comm->test(w->comm->user, request, &done);
    if (!done) usleep(50);
  }
  if (error) w->comm->abort(w->comm->user, 70);
}

/* Has everybody this text? Those who have not say so. */
static bool is_same(world *w, const char *statement) {
  size_t n = w->out.n;
  uint64_t size = n;
  void *request = NULL;
  int begun = w->comm->bcast(w->comm->user, &size, sizeof size, 0, &request);
  wait_for(w, begun, &request);
  char *text = calloc(size + 1, 1);
  if (!w->comm->rank) memcpy(text, w->out.at, n);
  request = NULL;
  wait_for(w, w->comm->bcast(w->comm->user, text, size, 0, &request), &request);
  bool same = n == size && !memcmp(text, w->out.at, n);
  if (!same)
    printf("FAIL %s\n  rank 0: %s\n  rank %d: %s\n", statement, text, w->comm->rank,
           w->out.at);
  free(text);
  return same;
}

static void run(world *w, const char *statement) {
  vm_text t = {.name = "", .at = statement, .n = strlen(statement)};
  w->out.n = 0;
  str_put(&w->out, "", 0);
  limits_begin(&w->c);
  if (vm_line(w->v, &t, NULL, NULL)) return;
  vm_error_text(w->v, &w->out);
  err_clear(&w->c);
}

/* want: a part of what all show; NULL: that it is the same. */
static void check(world *w, const char *statement, const char *want) {
  run(w, statement);
  bool ok = is_same(w, statement);
  if (ok && want && !strstr(w->out.at, want)) {
    if (!w->comm->rank) printf("FAIL %s\n  %s, not %s\n", statement, w->out.at, want);
    ok = false;
  }
  w->failed += !ok;
}

/* Files on this rank may have no more than that many bytes: as a disk that is full. */
static void bound_files(rlim_t bytes) {
  struct rlimit l;
  getrlimit(RLIMIT_FSIZE, &l);
  l.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &l);
}

/* Has this rank more of its C stack in use than others, recursion ends at the same depth. */
static void check_depth(world *w, int more) {
  volatile char used[9000];
  used[0] = (char)more;
  if (more > 0) check_depth(w, more - 1);
  else check(w, "n←0 ⋄ {10::n ⋄ {n+←1 ⋄ 1+∇⍵}0}0", NULL);
  used[1] = used[0];
}

static const char *const rows[][2] = {
    {"⎕TS", NULL},
    {"⎕AI", NULL},
    {"⎕WA", NULL},
    {"?1e9", NULL},
    {"⎕RL←0 ⋄ ⎕RL", NULL},
    {"⎕RL←⍬ ⋄ ?5⍴1e9", NULL},
    {"120⌶4", NULL},
    {"2000⌶0 1 13 14", NULL},
    {"⎕DL 0.01", NULL},
    {"(⎕DL 0.01)>0.005", "1"},
    {"1 ⎕DT 'Z'", NULL},
    {"⎕ENV 'WHO'", "rank 0"},
    {"⎕AN", NULL},
    {"⎕PW,⎕SD", "60 5 60"},
    {"⍞", "01"},
    {"1+⎕", "3"},
    {"⍞", "EOF INTERRUPT"},
    {"⊃⎕NGET 'all'", "of rank 0"},
    {"⊃⎕NGET 'some'", "of rank 0"},
    {"⊃⎕NGET 'none'", "FILE NAME ERROR: ⎕NGET: none: No such file"},
    {"{22::'trapped' ⋄ ⎕NGET 'none'}0", "trapped"},
    {"⎕NEXISTS 'some' 'none'", "1 0"},
    {"⎕CSV 'table.csv'", "1  2"},
    {"⍴⎕←1 1 1 ⎕NINFO 'all'", NULL},
    {"0 1 2 (⎕NINFO⍠1) '*'", NULL},
    {"n←'all' ⎕NTIE 0 ⋄ ⎕NREAD n 80 7 0 ⋄ ⎕NNUMS ⋄ ⎕NUNTIE n", "of rank"},
    {"⎕NREAD ¯9 80 7", "FILE TIE ERROR"},
    {"(2 3⍴⍳6) ⎕NPY 'a.npy' ⋄ ⎕NPY 'a.npy'", "1 2 3"},
    {"(⍳300000) ⎕NPY 'b.npy' ⋄ b←⎕NPY 'b.npy' ⋄ +/b", "4.500015E10"},
    {"83 ¯1 ⎕MAP 'all'", NULL},
    {"⎕SH 'cat all; echo $$'", "of rank 0"},
    {"⎕SH 'exit 3'", NULL},
    {"⎕←⎕SHELL 'cat all; exit 3'", "3"},
    {"'x' ⎕NPUT '/dev/full' 2", "No space left"},
    {"⎕SE.Link.Import # 'src' ⋄ twice 4", "8"},
    {"]link.import # src", "Imported"},
    {"x←⍳9 ⋄ y←'text' (1 2⍴0.5) ⋄ ⎕SAVE 'kept' ⋄ x←0 ⋄ ⎕CY 'kept' ⋄ x y", "1 2 3"},
    {")SAVE other", "saved"},
    {")COPY none", "FILE NAME ERROR"},
    {"]save all.apl", "saved"},
    {"⊃⎕NGET 'all.apl'", "twice"},
    {"⎕FIX 'file://all.apl' ⋄ x", "1 2 3"},
    {"⎕ED 'x'", NULL},
    {"f←{⍵} ⋄ ⎕AT 'f'", NULL},
    {"⎕PROFILE 'start' ⋄ {}twice¨⍳100 ⋄ ⎕PROFILE 'data'", NULL},
    {"]time -3 +/⍳100", NULL},
    {"'deleted' ⋄ ⎕NDELETE 'all' ⋄ ⎕NEXISTS 'all'", "0"},
    {")CLEAR", NULL},
    {"?1e9", NULL},
};

static void check_all(world *w) {
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) check(w, rows[i][0], rows[i][1]);
  check_depth(w, w->comm->rank * 5);
  /* The disk of the first rank is full, then that of another one. */
  signal(SIGXFSZ, SIG_IGN);
  for (int full = 0; full < 2; full++) {
    static const char none[] = "FILE SYSTEM NO SPACE";
    if (w->comm->rank == full) bound_files(40);
    check(w, "z←⍳9999 ⋄ ⎕SAVE 'large'", full ? NULL : none);
    check(w, "]save large.apl", full ? "saved" : none);
    check(w, "(⍳999) ⎕NPY 'large.npy' ⋄ ⎕NEXISTS 'large.npy'", full ? "1" : none);
    bound_files(RLIM_INFINITY);
  }
  /* The clock of the first rank tells when time is used up. */
  w->c.limit.seconds = w->comm->rank ? 100 : 0.2;
  check(w, "{1:∇⍵+1}0", "LIMIT ERROR: the time of");
  check(w, "{10::⎕DM ⋄ {1:∇⍵+1}0}0", NULL);
  w->c.limit.seconds = w->comm->rank ? 0.01 : 100;
  check(w, "⍴{⍵+1}⍣20000⊢0", NULL);
  w->c.limit.seconds = 0;
}

/* ── the world ── */

static int remove_entry(const char *path, const struct stat *st, int flag,
                        struct FTW *where) {
  (void)st;
  (void)flag;
  (void)where;
  return remove(path);
}

int main(void) {
  static world w;
  char why[500];
  w.comm = ranks_open(NULL, why, sizeof why);
  if (!w.comm) return fprintf(stderr, "ranks_outside: %s\n", why), 2;
  ctx_init(&w.c, NULL, NULL);
  w.out.c = &w.c;
  w.c.may = MAY_ALL;
  if (w.comm->rank == 1) w.c.bytes_max /= 2;
  strcpy(w.folder, "/tmp/vapl-ranks.XXXXXX");
  if (!mkdtemp(w.folder) || chdir(w.folder)) return perror(w.folder), 2;
  put_files(&w);
  usleep(50000u * (unsigned)w.comm->rank);
  vm_config cfg = {.c = &w.c,
                   .ir = {.device = "host"},
                   .write = on_write,
                   .read = on_read,
                   .getenv = on_getenv,
                   .terminal = on_terminal,
                   .comm = w.comm,
                   .user = &w};
  w.v = vm_new(&cfg);
  if (!w.v) return fprintf(stderr, "ranks_outside: no interpreter\n"), 1;
  check_all(&w);
  vm_free(w.v);
  str_free(&w.out);
  if (w.c.blocks_live)
    printf("FAIL %zu blocks were leaked\n", w.c.blocks_live), w.failed++;
  nftw(w.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  if (!w.comm->rank)
    printf("%zu statements, %d failed\n", ARRAY_LEN(rows) + 10, w.failed);
  return w.failed != 0;
}
