/* SPDX-License-Identifier: MIT */
/* lang_runner.c - runs language tests: .apl lines beside their expectation.
 *
 *   +/⍳10          ⍝ → 55
 *   1 2+1 2 3      ⍝ ! LENGTH ERROR
 *   x←3 4⍴⍳12
 *
 * A line (or a command of the session) is run in a workspace that lasts for its file. `⍝ →`
 * is followed by what the line displays, lines joined by ⏎; trailing blanks count only where
 * the expectation shows them as ␠. `⍝ !` is followed by the error's name, or NAME: message.
 * A line with no expectation must succeed. A line whose brackets are open goes on with the
 * next.
 *
 * Of a page (.md) the blocks between ```apl and ``` are run, and those between ```session and ```
 * as somebody typed them: a line behind six blanks is typed, what follows is what it shows, an
 * error with its line and caret too. A file that has `⍝ needs EXPR` in a line is skipped, and
 * says so, where that is a NONCE ERROR.
 *
 *   lang_runner [--device D] [--tune T] [--validate] [--spirv DIR] [--cache DIR] [--part K/N] [--each] [--ranks] FILE…
 *
 * ⎕ENV 'LIBRARY' is a C library to call, ⎕ENV 'TMP' is an empty folder of the file's own, and the working folder; everything is
 * permitted. A file that takes more than ten seconds says so.
 * --ranks: it is one of several processes that mpirun started (runtime/vapl_comm.h). Each runs every line and
 * compares its own text; rank 0 counts and reports, the others say only what differs.
 * --part runs every N-th, from the K-th on, of those lines that nothing after them depends on
 * (stands_alone); the others always. --each says which file is run, "[3/70] FILE".
 * --spirv writes every module that is emitted into DIR, for spirv-val, as TEMPLATE-HASH.spv. --cache keeps pipelines,
 * and what was measured of the device, in DIR. The last line printed
 * is "N passed, N failed"; the exit code is 1 if any failed. */
#include "src/eval/eval.h"
#include "runtime/ranks.h"
#include "src/base/hash.h"
#include <ctype.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct runner {
  ctx c;
  str out;
  const char *device, *tune, *cache; /* cache: or NULL */
  bool validate;
  int passed, failed, logged;
  int part, parts, alone; /* --part; how many lines stood alone so far */
  bool in_order;          /* the file says so */
  bool asks_errors;       /* the file asks what the last error was */
  const char *text;       /* the file's */
  const vapl_comm *comm;  /* --ranks, or NULL */
  int home;               /* the folder that the runner was started in */
  char folder[32], spirv[PATH_MAX], library[PATH_MAX];
} runner;

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  UNUSED(fd);
  str_put(&((runner *)user)->out, utf8, n);
}

/* ⎕ENV 'TMP' is a folder that is there while a file runs. Each rank has its own, by one name. */
static const char *on_getenv(void *user, const char *name) {
  const runner *r = user;
  if (!strcmp(name, "LIBRARY")) return r->library;
  if (strcmp(name, "TMP")) return NULL;
  return r->comm ? "." : r->folder;
}

/* ⎕ENV 'LIBRARY' is the library of tests/na_library.c, which is built beside the runner. */
static void find_library(runner *r) {
  static const char name[] = "na_library.so";
  ssize_t n = readlink("/proc/self/exe", r->library, sizeof r->library - sizeof name);
  char *end = n > 0 ? memrchr(r->library, '/', (size_t)n) : NULL;
  strcpy(end ? end + 1 : r->library, name);
}

static int remove_entry(const char *path, const struct stat *st, int flag,
                        struct FTW *where) {
  UNUSED(st);
  UNUSED(flag);
  UNUSED(where);
  return remove(path);
}

static void on_log(void *user, const char *text) {
  runner *r = user;
  if (r->logged++ < 20) fprintf(stderr, "validation: %s\n", text);
}

/* That a rank waits long tells of the machine's load, which no test is about. */
static void on_hint(void *user, const char *text) {
  UNUSED(user);
  UNUSED(text);
}

static void on_module(void *user, char stage, const char *text, const uint32_t *words,
                      size_t n) {
  runner *r = user;
  if (stage != 's') return;
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s-%016llx.spv", r->spirv, text,
           (unsigned long long)hash_bytes(words, n * 4, 0));
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(words, 4, n, f) != n) {
    perror(path);
    r->failed++;
  }
  if (f) fclose(f);
}

/* What was displayed, as an expectation is written. */
static char *shown(runner *r, const str *out, bool keep_blanks) {
  str s = {.c = &r->c};
  const char *p = out->at ? out->at : "", *end = p + out->n;
  if (end > p && end[-1] == '\n') end--;
  while (p <= end) {
    const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
    const char *last = stop;
    while (!keep_blanks && last > p && last[-1] == ' ') last--;
    str_put(&s, p, (size_t)(last - p));
    if (!nl) break;
    str_puts(&s, " ⏎ ");
    p = nl + 1;
  }
  return s.at;
}

static char *copy_text(runner *r, const char *p, size_t n) {
  str s = {.c = &r->c};
  while (n) { /* ␠ is E2 90 A0 */
    const char *hit = NULL;
    for (size_t i = 0; i + 3 <= n && !hit; i++)
      if (!memcmp(p + i, "\xE2\x90\xA0", 3)) hit = p + i;
    size_t take = hit ? (size_t)(hit - p) : n;
    str_put(&s, p, take);
    if (hit) {
      str_puts(&s, " ");
      take += 3;
    }
    p += take;
    n -= take;
  }
  str_put(&s, "", 0);
  return s.at;
}

typedef struct test_case { /* a statement and what is expected of it */
  const char *file;
  int line;
  const char *text;
  size_t n;
  const char *begin, *after; /* in the file's text: of the statement, behind its line */
  const char *want;          /* NULL: that it succeeds */
  size_t want_n;
  bool want_error;
} test_case;

/* Rank 0 says what belongs to the report; of the others only what differs is of interest. */
static bool speaks(const runner *r) { return !r->comm || !r->comm->rank; }

static void report(runner *r, const test_case *t, const char *want, const char *got) {
  FILE *to = speaks(r) ? stdout : stderr;
  r->failed++;
  if (!speaks(r)) fprintf(to, "rank %d: ", r->comm->rank);
  fprintf(to, "%s:%d: %.*s\n  wanted: %s\n  got:    %s\n", t->file, t->line, (int)t->n,
          t->text, want, got);
}

/* The last " ⍝ → " or " ⍝ ! " of a line; NULL: none. */
static const char *expectation(const char *p, const char *end, bool *error) {
  static const char yes[] = "⍝ → ", no[] = "⍝ ! ", empty[] = "⍝ →";
  for (const char *q = end; q-- > p;) {
    size_t left = (size_t)(end - q);
    *error = left >= sizeof no - 1 && !memcmp(q, no, sizeof no - 1);
    if (*error || (left >= sizeof yes - 1 && !memcmp(q, yes, sizeof yes - 1)) ||
        (left == sizeof empty - 1 && !memcmp(q, empty, left)))
      return q;
  }
  return NULL;
}

static bool error_fits(const runner *r, const char *want) {
  const char *name = err_name(r->c.err.code);
  size_t n = strlen(name);
  if (strncmp(want, name, n)) return false;
  return !want[n] || (want[n] == ':' && !strcmp(want + n + 2, r->c.err.msg));
}

/* Runs it, as a command if it looks like one. */
static bool run_line(runner *r, vm *v, const test_case *t) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  vm_text text = {.name = "", .at = t->text, .n = t->n};
  r->out.n = 0;
  if (r->out.at) r->out.at[0] = 0;
  bool command = t->n > 1 && strchr(")]", *t->text) && strchr(letters, t->text[1]);
  if (command) return vm_line(v, &text, NULL, NULL);
  return vm_run(v, &text, true, NULL, NULL);
}

/* It succeeded: is what it displayed as expected? */
static void check_output(runner *r, const test_case *t, const char *want, bool keep) {
  char *got = shown(r, &r->out, keep);
  bool same = !strcmp(want, got ? got : "");
  if (t->want_error || (t->want && !same)) report(r, t, want, got ? got : "");
  else if (t->want) r->passed++;
  mem_free(&r->c, got);
}

/* It failed: by the error that is expected? */
static void check_error(runner *r, const test_case *t, const char *want) {
  char got[560];
  snprintf(got, sizeof got, "! %s: %s", err_name(r->c.err.code), r->c.err.msg);
  if (t->want_error && error_fits(r, want)) r->passed++;
  else report(r, t, t->want ? want : "(success)", got);
  err_clear(&r->c);
}

static void run_case(runner *r, vm *v, const test_case *t) {
  bool ok = run_line(r, v, t);
  char *want = copy_text(r, t->want ? t->want : "", t->want_n);
  bool keep = t->want && memmem(t->want, t->want_n, "\xE2\x90\xA0", 3);
  while (!keep && want && *want && want[strlen(want) - 1] == ' ')
    want[strlen(want) - 1] = 0;
  if (ok) check_output(r, t, want, keep);
  else check_error(r, t, want);
  mem_free(&r->c, want);
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Does the ← at p give a name without a path a value, and no array a part? */
static bool sets_name(const char *text, const char *p) {
  while (p > text && p[-1] == ' ') p--;
  const char *end = p;
  while (p > text && is_of_name(p[-1])) p--;
  return p < end && (p == text || p[-1] != '.');
}

/* Does a statement begin at p? */
static bool begins(const char *text, const char *p) {
  size_t sign = strlen("⋄");
  while (p > text && p[-1] == ' ') p--;
  return p == text || p[-1] == '\n' ||
         ((size_t)(p - text) >= sign && !memcmp(p - sign, "⋄", sign));
}

/* Where the name is next, from p on; or NULL. */
static const char *next_use(const char *p, const char *name, size_t n) {
  for (; (p = strstr(p, name)); p += n)
    if (!is_of_name(p[-1]) && !is_of_name(p[n])) return p;
  return NULL;
}

/* Is p in braces that its line opens? */
static bool in_braces(const char *text, const char *p) {
  int depth = 0;
  for (; p > text && p[-1] != '\n'; p--) depth += (p[-1] == '{') - (p[-1] == '}');
  return depth > 0;
}

/* Nothing sees the value that the ← at p, outside braces, gives a name: what comes next in the file gives it another, and
 * no function before has it. */
static bool sets_unseen(const runner *r, const test_case *t, const char *p) {
  char name[64] = "";
  const char *end = p;
  while (end > t->text && end[-1] == ' ') end--;
  for (p = end; p > t->text && is_of_name(p[-1]);) p--;
  size_t n = (size_t)(end - p);
  if (!n || n >= sizeof name || !begins(t->text, p)) return false;
  memcpy(name, p, n);
  for (const char *q = r->text + 1; (q = next_use(q, name, n)) && q < t->begin; q += n)
    if (in_braces(r->text, q)) return false;
  const char *next = next_use(t->after, name, n);
  if (!next) return true;
  bool fresh = begins(r->text, next);
  for (next += n; *next == ' ';) next++;
  if (!fresh || strncmp(next, "←", strlen("←"))) return false;
  const char *line = strchr(next, '\n'), *old = next_use(next, name, n);
  return !old || (line && old > line); /* as s←s,1 has it */
}

/* Is the ⎕ at p that of a function or constant, which leaves nothing behind? */
static bool is_passing(const char *p) {
  static const char *const passing[] = {"NC", "UCS", "DR", "F32", "F64",
                                        "C",  "A",   "D",  "FFT"};
  p += strlen("⎕");
  for (size_t i = 0; i < ARRAY_LEN(passing); i++) {
    size_t n = strlen(passing[i]);
    if (!strncmp(p, passing[i], n) && !is_of_name(p[n])) return true;
  }
  return false;
}

/* Is the statement a test that no later line depends on? Not what gives a name outside a function's braces a value that
 * something sees, or in them another thing than a name, asks for what lasts or runs a text. An error is told to nobody
 * later if no line of the file asks. Nor is any of a file that says `⍝ in order`, whose functions have effects. */
static bool stands_alone(const runner *r, const test_case *t) {
  static const char *const lasting[] = {"←", "⎕", "⍎", "⍞", "→", "∇"};
  if (!t->want || (t->want_error && r->asks_errors) || strchr(")]", *t->text))
    return false;
  int depth = 0;
  for (const char *p = t->text, *end = p + t->n; p < end; p++) {
    depth += (*p == '{') - (*p == '}');
    for (size_t i = 0; i < ARRAY_LEN(lasting); i++) {
      if (strncmp(p, lasting[i], strlen(lasting[i]))) continue;
      bool leaves_none = (!i && depth && sets_name(t->text, p)) ||
                         (!i && !depth && sets_unseen(r, t, p)) ||
                         (i == 1 && is_passing(p));
      if (!leaves_none) return false;
    }
  }
  return true;
}

/* Of the lines that stand alone, is it one of those to run? */
static bool in_part(runner *r, const test_case *t) {
  return !r->parts || r->in_order || !stands_alone(r, t) ||
         r->alone++ % r->parts == r->part;
}

static void run_text(runner *r, vm *v, const char *file, int line, const char *p,
                     const char *end) {
  str open = {.c = &r->c}; /* lines of a statement that is not complete yet */
  test_case t = {.file = file};
  for (; p < end; line++) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    t.want_error = false;
    const char *mark = expectation(p, stop, &t.want_error), *code_end = stop;
    t.want = NULL;
    t.want_n = 0;
    if (mark) {
      size_t skip = t.want_error ? strlen("⍝ ! ") : strlen("⍝ → ");
      if ((size_t)(stop - mark) < skip) skip = (size_t)(stop - mark);
      t.want = mark + skip;
      t.want_n = (size_t)(stop - t.want);
      code_end = mark;
    }
    if (open.n) str_puts(&open, "\n");
    else t.line = line, t.begin = p;
    str_put(&open, p, (size_t)(code_end - p));
    t.text = open.at;
    t.n = open.n;
    t.after = stop;
    if (!parse_open(open.at, open.n)) {
      if (in_part(r, &t)) run_case(r, v, &t);
      open.n = 0;
    }
    p = stop + 1;
  }
  if (open.n) report(r, &t, "(a complete statement)", "(end of file)");
  str_free(&open);
}

/* ── pages of the manual ────────────────────────────────────────────────────────────── */

static const char typed[] = "      "; /* what stands before a line that somebody typed */

typedef struct lines { /* a page's, from the one that is read next */
  const char *at, *end;
  int number;
} lines;

static bool at_typed(const lines *l) {
  return l->end - l->at >= 6 && !memcmp(l->at, typed, 6);
}

/* Moves the next line, with its line feed, to the end of s. */
static void take_line(lines *l, size_t skip, str *s) {
  const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
  stop = stop ? stop + 1 : l->end;
  str_put(s, l->at + skip, (size_t)(stop - l->at) - skip);
  l->at = stop;
  l->number++;
}

/* An entry: what is typed, until its brackets are closed, and what it has to show. As many
 * lines as it shows are its own whatever they begin with, as the line above a caret does. */
static void run_entry(runner *r, vm *v, const char *file, lines *l) {
  str code = {.c = &r->c}, page = {.c = &r->c};
  test_case t = {.file = file, .line = l->number};
  do take_line(l, at_typed(l) ? 6 : 0, &code);
  while (l->at < l->end && parse_open(code.at, code.n));
  t.text = code.at;
  t.n = code.n - 1;
  if (!run_line(r, v, &t)) {
    vm_error_text(v, &r->out);
    err_clear(&r->c);
  }
  size_t n = 0;
  for (size_t i = 0; i < r->out.n; i++) n += r->out.at[i] == '\n';
  while (l->at < l->end && (n || !at_typed(l))) {
    take_line(l, 0, &page);
    if (n) n--;
  }
  char *got = shown(r, &r->out, false), *want = shown(r, &page, false);
  if (strcmp(got, want)) report(r, &t, want, got);
  else r->passed++;
  mem_free(&r->c, got);
  mem_free(&r->c, want);
  str_free(&code);
  str_free(&page);
}

static void run_page(runner *r, vm *v, const char *file, lines l) {
  while (l.at < l.end) {
    const char *next = strstr(l.at, "\n```");
    const char *begin = next ? strchr(next + 1, '\n') : NULL;
    const char *end = begin ? strstr(begin, "\n```") : NULL;
    if (!end) return;
    for (; l.at <= begin; l.at++) l.number += *l.at == '\n';
    lines block = {l.at, end + 1, l.number};
    if (!memcmp(next, "\n```apl\n", 8))
      run_text(r, v, file, block.number, block.at, block.end);
    if (!memcmp(next, "\n```session\n", 12))
      while (block.at < block.end) run_entry(r, v, file, &block);
    for (; l.at < end + 4; l.at++) l.number += *l.at == '\n';
  }
}

static char *slurp(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char *p = malloc((size_t)size + 1);
  *n = p ? fread(p, 1, (size_t)size, f) : 0;
  if (p) p[*n] = 0;
  fclose(f);
  return p;
}

/* Does the file need what this build has not? */
static bool lacking(runner *r, vm *v, const char *path, const char *text) {
  static const char mark[] = "\n⍝ needs ";
  const char *p = strstr(text, mark);
  if (!p) return false;
  p += sizeof mark - 1;
  if (vm_run(v, &(vm_text){.name = "", .at = p, .n = strcspn(p, "\n")}, false, NULL,
             NULL))
    return false;
  bool nonce = r->c.err.code == ERR_NONCE;
  if (nonce && speaks(r)) printf("%s: skipped: %s\n", path, r->c.err.msg);
  err_clear(&r->c);
  return nonce;
}

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run_file(runner *r, const char *path) {
  size_t n;
  char *text = slurp(path, &n);
  if (!text) {
    perror(path);
    r->failed++;
    return;
  }
  vm_config cfg = {.c = &r->c, .write = on_write, .getenv = on_getenv, .user = r};
  cfg.comm = r->comm;
  cfg.ir = (ir_config){.c = &r->c,
                       .device = r->device,
                       .tune = r->tune,
                       .validate = r->validate,
                       .cache_dir = r->cache,
                       .log = on_log,
                       .hint = on_hint,
                       .log_user = r};
  r->text = text;
  r->in_order = strstr(text, "\n⍝ in order") != NULL;
  r->asks_errors = strstr(text, "⎕DM") || strstr(text, "⎕EN") || strstr(text, "⎕SI") ||
                   strstr(text, ")SI");
  double begun = seconds_now();
  size_t length = strlen(path);
  bool page = length > 3 && !strcmp(path + length - 3, ".md");
  strcpy(r->folder, "/tmp/vapl-lang.XXXXXX");
  if (!mkdtemp(r->folder) || chdir(r->folder)) perror(r->folder);
  vm *v = vm_new(&cfg);
  if (!v) {
    fprintf(stderr, "%s: no interpreter\n", path);
    r->failed++;
  } else if (!lacking(r, v, path, text)) {
    if (*r->spirv) ir_set_sink(vm_ir(v), on_module, r);
    if (page) run_page(r, v, path, (lines){text, text + n, 1});
    else run_text(r, v, path, 1, text, text + n);
  }
  vm_free(v);
  if (fchdir(r->home)) perror("the folder of the start");
  nftw(r->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  free(text);
  double took = seconds_now() - begun;
  if (took > 10 && speaks(r)) printf("%s: %.0f s\n", path, took);
}

/* "K/N"; K may be larger than N. */
static void read_part(runner *r, const char *text) {
  char *slash;
  unsigned long k = strtoul(text, &slash, 10);
  r->parts = *slash == '/' ? atoi(slash + 1) : 0;
  if (r->parts > 0) r->part = (int)(k % (unsigned long)r->parts);
  else r->parts = 0;
}

static bool open_ranks(runner *r) {
  char why[500];
  r->comm = ranks_open(NULL, why, sizeof why);
  if (!r->comm) fprintf(stderr, "lang_runner: %s\n", why);
  return r->comm != NULL;
}

/* The most failures that a rank had: all of them end with the same exit code. */
static int most_failures(const runner *r) {
  vapl_agreement mine = {.most = {r->failed}}, all;
  if (!r->comm) return r->failed;
  ranks_agree(r->comm, &mine, &all);
  return (int)all.most[0];
}

int main(int argc, char **argv) {
  bool each = false;
  runner r = {.device = "host"};
  ctx_init(&r.c, NULL, NULL);
  r.out.c = &r.c;
  r.c.may = MAY_ALL;
#ifdef __EMSCRIPTEN__
  r.c.may &= ~(unsigned)MAY_MAP; /* there is nothing to map */
#endif
  find_library(&r);
  r.home = open(".", O_DIRECTORY | O_CLOEXEC);
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (!strcmp(argv[i], "--validate")) r.validate = true;
    else if (!strcmp(argv[i], "--each")) each = true;
    else if (!strcmp(argv[i], "--ranks")) {
      if (!open_ranks(&r)) return 2;
    } else if (i + 1 < argc && !strcmp(argv[i], "--device")) r.device = argv[++i];
    else if (i + 1 < argc && !strcmp(argv[i], "--tune")) r.tune = argv[++i];
    else if (i + 1 < argc && !strcmp(argv[i], "--part")) read_part(&r, argv[++i]);
    else if (i + 1 < argc && !strcmp(argv[i], "--cache")) r.cache = argv[++i];
    else if (i + 1 < argc && !strcmp(argv[i], "--spirv") &&
             !realpath(argv[++i], r.spirv)) {
      perror(argv[i]);
      return 2;
    }
  }
  for (int first = i; i < argc; i++) {
    if (each && speaks(&r))
      printf("[%d/%d] %s\n", i - first + 1, argc - first, argv[i]), fflush(stdout);
    run_file(&r, argv[i]);
  }
  str_free(&r.out);
  if (r.logged) printf("%d validation messages\n", r.logged), r.failed++;
  if (r.c.blocks_live) printf("%zu blocks were leaked\n", r.c.blocks_live), r.failed++;
  int failed = most_failures(&r);
  if (speaks(&r)) printf("%d passed, %d failed\n", r.passed, failed);
  return failed != 0;
}
