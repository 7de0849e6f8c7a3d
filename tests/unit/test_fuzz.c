/* SPDX-License-Identifier: MIT */
/* test_fuzz.c - sessions that nobody would type: lines of tests/lang with tokens lost, doubled,
 * moved and replaced by others of their kind, axes and assignments put in, brackets broken.
 *
 * Each session runs in interpreters of its own, once for each way that an expression can go
 * (at once, by kernels on the host, without fusion): all must show the same text and raise the
 * same error, lose no memory, and stop soon when they are asked to.
 *
 * `test_fuzz` runs a few sessions, always the same ones; for more:
 *   test_fuzz [-s FIRST] [-n COUNT] [-d DEVICE] [-f] [-v] [FILE…]
 * -f makes single allocations fail instead: the outcome is the same, or WS FULL (or an error
 * of its own that catches it), and the session goes on. Before it dies it shows the session. */
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "src/eval/eval.h"
#include "random.h"
#include "src/base/utf8.h"

/* ── lines to begin with ── */

typedef struct text {
  char *at;
  size_t n;
} text;
static struct {
  text *at;
  size_t n, cap;
} corpus;

static void corpus_add(const char *p, size_t n) {
  if (!n || memmem(p, n, "⎕DL", 5)) return;
  if (corpus.n == corpus.cap)
    corpus.at =
        realloc(corpus.at, (corpus.cap = corpus.cap * 2 + 1024) * sizeof *corpus.at);
  corpus.at[corpus.n++] = (text){strndup(p, n), n};
}

/* What stands before a comment that begins with ⍝ and a blank, and its expectation. */
static void corpus_file(const char *path) {
  char line[4096];
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) {
    char *end = strstr(line, "⍝ ");
    size_t n = end ? (size_t)(end - line) : strcspn(line, "\n");
    while (n && line[n - 1] == ' ') n--;
    corpus_add(line, n);
  }
  if (f) fclose(f);
}

/* ── what is put in their place ── */

static const char *const functions[] = {
    "+",    "-",    "×",   "÷",  "⌈",    "⌊",   "|",   "*",    "⍟",    "○", "!", "<", "≤",
    "=",    "≥",    ">",   "≠",  "∧",    "∨",   "⍲",   "⍱",    "~",    "?", "⍳", "⍴", "≢",
    "≡",    ",",    "⍪",   "⌽",  "⊖",    "⍉",   "↑",   "↓",    "⊂",    "⊃", "⊣", "⊢", "⊆",
    "∊",    "∪",    "∩",   "⍸",  "⍷",    "⌷",   "⍋",   "⍒",    "⊥",    "⊤", "⌹", "⍕", "⍎",
    "⎕UCS", "⎕FMT", "⎕DR", "⎕C", "⎕VFI", "⎕NC", "⎕CR", "⎕F32", "⎕F64", "f", "g"};
static const char *const operators[] = {"/", "⌿", "\\", "⍀",  "¨",  "⍨", "⍣",
                                        ".", "∘", "⍤",  "⍥",  "⍛",  "@", "⌸",
                                        "⌺", "⍠", "h",  "∘.", "⎕R", "⎕S"};
static const char *const others[] = {
    "(", ")",  "[",        "]",   "{",   "}",    "⋄",   ":",  "::", "←", "⍺",
    "⍵", "⍺⍺", "⍵⍵",       "∇",   "∇∇",  ";",    "'",   "\n", "⍬",  "→", "#",
    "⍞", "⎕",  "⎕IO←0 ⋄ ", "⎕ML", "⎕CT", "⎕DIV", "⎕PP", "¯",  "∞",  "&", "$"};
static const char *const numbers[] = {"0",
                                      "1",
                                      "¯1",
                                      "2",
                                      "3",
                                      "0.5",
                                      "¯0",
                                      "1E308",
                                      "1E¯308",
                                      "9223372036854775807",
                                      "¯9223372036854775808",
                                      "9223372036854775808",
                                      "1J1",
                                      "0J1",
                                      "1E15J¯1E300",
                                      "2147483648",
                                      "255",
                                      "65536",
                                      "1000000",
                                      "1000000000000",
                                      "0.1",
                                      "1E¯15",
                                      "4294967296",
                                      "16",
                                      "100",
                                      "127",
                                      "128"};
static const char *const arrays[] = {"⍬",
                                     "''",
                                     "'a'",
                                     "'abc'",
                                     "(,1)",
                                     "(,'a')",
                                     "(0 3⍴0)",
                                     "(3 0⍴'')",
                                     "(⊂1 2)",
                                     "(0⍴⊂1 2)",
                                     "(1 2)",
                                     "(1 2)'ab'",
                                     "(2 3⍴⍳6)",
                                     "(2 2⍴⍳4)",
                                     "(2 3⍴'abcdef')",
                                     "(15⍴1)",
                                     "((15⍴1)⍴5)",
                                     "(⍳10)",
                                     "(⍳300)",
                                     "(0.5×⍳300)",
                                     "(2 3 4⍴⍳24)",
                                     "(300⍴0 1 1)",
                                     "(⊂⊂'a')",
                                     "((1 2)(3 4))",
                                     "(0J1×⍳5)",
                                     "(0 0⍴0)",
                                     "(1 1⍴1)",
                                     "(20 20⍴⍳400)",
                                     "(⎕F32 ⍳200)",
                                     "(0⍴⊂'')",
                                     "(1 0 1)",
                                     "(100⍴'xyz')",
                                     "(1E8⍴0)",
                                     "x",
                                     "y",
                                     "z",
                                     "a",
                                     "b",
                                     "m",
                                     "n",
                                     "v",
                                     "(⍳2 3)",
                                     "(1 'a')",
                                     "(¯1+⍳200)",
                                     "(200⍴1 ¯1)"};
static const char *const axes[] = {"[1]",  "[2]",   "[0]",   "[¯1]",  "[1.5]", "[0.5]",
                                   "[⍬]",  "[1 2]", "[2 1]", "['a']", "[3]",   "[1E9]",
                                   "[;1]", "[]",    "[⊂1]",  "[x]",   "[1;1]", "[;]"};
static const char *const sets[] = {
    "x←",     "x+←",        "x,←",      "x[1]←", "x[1 2]←", "(x y)←",   "(2↑x)←",
    "x[;1]←", "((⊂1)⌷x)←",  "(1⊃x)←",   "f←",    "x⊢←",     "x[⊂1 2]←", "(,x)←",
    "(⍉x)←",  "((x>1)/x)←", "((⍳1)x)←", "⎕←",    "x{⍺+⍵}←", "(⊃x)+←",   "m[1;]×←"};
static const char preamble[] = "⎕RL←16807 1 ⋄ x←1 2 3 ⋄ y←2 3⍴⍳6 ⋄ z←'abc'(1 2)(⊂3) ⋄ "
                               "a←5 ⋄ b←0 1 1 ⋄ m←20 20⍴⍳400 ⋄ n←0.5 1.5 ⋄ v←⍳300\n"
                               "f←{⍺←1 ⋄ ⍺+⍵} ⋄ g←+/ ⋄ h←{⍺⍺ ⍵}";

#define PICK(table) (table)[next() % ARRAY_LEN(table)]

static const char *any_piece(char *buf) {
  switch (next() % 8) {
  case 0:
  case 1: return PICK(functions);
  case 2: return PICK(operators);
  case 3: return PICK(others);
  case 4: return PICK(numbers);
  case 5: return PICK(arrays);
  case 6: return PICK(axes);
  default: /* any character, most of them of the planes that matter */
    buf[utf8_put(buf, (uint32_t)(next() % (next() % 4 ? 0x3000 : 0x110000)))] = 0;
    return buf;
  }
}

/* ── tokens ── */

enum { MAX_TOKENS = 400 };
typedef struct piece {
  const char *at;
  size_t n;
} piece;
typedef struct row {
  piece at[MAX_TOKENS];
  size_t n;
} row;

static bool word(char ch) {
  return ch &&
         strchr("_.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ch);
}

static void cut(row *t, const char *p, const char *end) {
  t->n = 0;
  while (p < end && t->n < MAX_TOKENS) {
    const char *q = p;
    if (*p == '\'') {
      for (q++; q < end && *q != '\'';) q++;
      q += q < end;
    } else {
      if (!strncmp(p, "⎕", 3)) q += 3;
      while (q < end && (word(*q) || !strncmp(q, "¯", 2))) q += word(*q) ? 1 : 2;
      if (q > end) q = end;
      if (q == p) utf8_next(p, end, &q);
    }
    t->at[t->n++] = (piece){p, (size_t)(q - p)};
    p = q;
  }
}

static bool is_one_of(piece p, const char *const *table, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strlen(table[i]) == p.n && !memcmp(table[i], p.at, p.n)) return true;
  return false;
}
#define ONE_OF(p, table) is_one_of(p, table, ARRAY_LEN(table))

static const char *same_kind(piece p) {
  if (ONE_OF(p, functions)) return PICK(functions);
  if (ONE_OF(p, operators)) return PICK(operators);
  if (ONE_OF(p, others)) return PICK(others);
  if (*p.at == ' ') return " ";
  return next() % 2 ? PICK(numbers) : PICK(arrays);
}

static void insert(row *t, size_t i, const char *z) {
  if (t->n == MAX_TOKENS) return;
  memmove(t->at + i + 1, t->at + i, (t->n++ - i) * sizeof *t->at);
  t->at[i] = (piece){z, strlen(z)};
}

static void mutate(row *t, char *buf) {
  size_t i = t->n ? next() % t->n : 0, j = t->n ? next() % t->n : 0;
  if (!t->n) insert(t, 0, PICK(arrays));
  switch (next() % 14) {
  case 0: memmove(t->at + i, t->at + i + 1, (--t->n - i) * sizeof *t->at); break;
  case 1:
    insert(t, i, "");
    if (i + 1 < t->n) t->at[i] = t->at[i + 1];
    break;
  case 2: {
    piece p = t->at[i];
    t->at[i] = t->at[j];
    t->at[j] = p;
    break;
  }
  case 3:
  case 4:
  case 5:
  case 6: {
    const char *z = same_kind(t->at[i]);
    t->at[i] = (piece){z, strlen(z)};
    break;
  }
  case 7: insert(t, i, any_piece(buf)); break;
  case 8: insert(t, i, PICK(axes)); break;
  case 9: insert(t, 0, PICK(sets)); break;
  case 10: insert(t, i, PICK(functions)); break;
  case 11: insert(t, i, PICK(operators)); break;
  case 12: {
    bool curly = next() % 2;
    insert(t, i > j ? i : j, curly ? "}" : ")");
    insert(t, i < j ? i : j, curly ? "{" : "(");
    break;
  }
  default: { /* a piece of another line */
    text other = corpus.at[next() % corpus.n];
    row o;
    cut(&o, other.at, other.at + other.n);
    if (!o.n) return;
    for (size_t k = next() % o.n, left = next() % 6; k < o.n && left && t->n < MAX_TOKENS;
         k++, left--) {
      insert(t, i, "");
      t->at[i++] = o.at[k];
    }
  }
  }
}

/* ── a session ── */

enum { LINES = 5 };
typedef struct session {
  str line[LINES];
  int n;
  uint64_t from;
} session;
static session S;
static ctx own; /* of the tests' texts */

static void show_session(void) {
  fprintf(stderr, "── the session, seed %llu:\n", (unsigned long long)S.from);
  for (int i = 0; i < S.n; i++) fprintf(stderr, "%.*s\n", (int)S.line[i].n, S.line[i].at);
}

static void session_make(uint64_t from) {
  for (int i = 0; i < S.n; i++) str_free(&S.line[i]);
  S.from = from;
  seed = from * 0x9E3779B97F4A7C15u + 88172645463325252u;
  for (int i = 0; i < 9; i++) next();
  size_t at = next() % corpus.n;
  int plain = (int)(next() % 3);
  S.n = 1 + plain + (int)(next() % 2);
  for (int i = 0; i < S.n; i++) {
    text l = corpus.at[(at + (size_t)i) % corpus.n];
    char buf[8][8];
    row t;
    cut(&t, l.at, l.at + l.n);
    if (i >= plain || next() % 4 == 0)
      for (int k = 0, m = 1 + (int)(next() % 4); k < m; k++) mutate(&t, buf[k]);
    S.line[i] = (str){.c = &own};
    for (size_t k = 0; k < t.n; k++) str_put(&S.line[i], t.at[k].at, t.at[k].n);
    str_put(&S.line[i], "", 0);
  }
}

/* Results that differ from run to run, or where a guard catches that memory ran out. */
static bool varies(bool failing) {
  static const char *const words[] = {"⎕TS",      "⎕AI",   "⎕WA", "⎕RL", "⎕PROFILE",
                                      "⎕MONITOR", "⎕DT '", "⌶"}; /* 2000⌶: memory */
  for (int i = 0; i < S.n; i++) {
    const char *p = S.line[i].at;
    if (*p == ']' || (failing && strstr(p, "::"))) return true;
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
      if (strstr(p, words[k])) return true;
  }
  return false;
}

/* ── running it ── */

static struct
{ /* the watch: asks a line that runs too long to stop, and aborts if it does not */
  pthread_mutex_t lock;
  ctx *c;
  double since;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};
static double patience = 1;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *watcher(void *user) {
  UNUSED(user);
  for (;;) {
    usleep(100000);
    pthread_mutex_lock(&watch.lock);
    double ran = watch.c ? now() - watch.since : 0;
    if (ran > patience) watch.c->interrupt = true;
    if (ran > 4 * patience + 4) {
      fprintf(stderr, "DOES NOT STOP\n");
      abort();
    }
    pthread_mutex_unlock(&watch.lock);
  }
  return NULL;
}

static void watch_set(ctx *c) {
  pthread_mutex_lock(&watch.lock);
  watch.c = c;
  watch.since = now();
  pthread_mutex_unlock(&watch.lock);
}

static int64_t fail_at; /* the how manieth allocation from now fails; 0: none */
static bool did_fail;

static void *resize(void *user, void *p, size_t old, size_t size) {
  UNUSED(user);
  UNUSED(old);
  if (!size) return free(p), NULL;
  if (fail_at && --fail_at == 0) {
    did_fail = true;
    return NULL;
  }
  return realloc(p, size);
}

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  UNUSED(fd);
  str *s = user;
  if (s->n < 1 << 20) str_put(s, utf8, n < 1 << 16 ? n : 1 << 16);
}

typedef struct outcome {
  str out;
  bool full, stopped; /* memory ran out, or it was interrupted: nothing to compare */
} outcome;

/* Runs one line and puts what a person sees into o. */
static bool line_run(vm *v, ctx *c, const char *p, size_t n, outcome *o) {
  watch_set(c);
  bool ok = vm_line(v, &(vm_text){.name = "", .at = p, .n = n}, NULL, NULL);
  watch_set(NULL);
  if (c->interrupt) o->stopped = true;
  c->interrupt = false;
  if (ok) return true;
  o->full |= c->err.code == ERR_WS_FULL;
  o->stopped |= c->err.code == ERR_INTERRUPT;
  int64_t kept = fail_at;
  fail_at = 0;
  vm_error_text(v, &o->out);
  str_puts(&o->out, "\n");
  fail_at = kept;
  err_clear(c);
  return false;
}

static bool complain(const char *what) {
  fprintf(stderr, "%s\n", what);
  show_session();
  return false;
}

/* The whole session in a new interpreter; `fail`: in its last line that allocation fails. */
static bool session_run(const char *device, const char *tune, int64_t fail, outcome *o) {
  ctx c;
  ctx_init(&c, resize, NULL);
  c.bytes_max = 64u << 20;
  *o = (outcome){.out = {.c = &own}};
  vm_config cfg = {.c = &c, .write = on_write, .user = &o->out};
  cfg.ir = (ir_config){.device = device, .tune = tune, .threads = 1};
  vm *v = vm_new(&cfg);
  bool good =
      v && vm_run(v, &(vm_text){.name = "", .at = preamble, .n = sizeof preamble - 1},
                  false, NULL, NULL);
  for (int i = 0; i < S.n && good; i++) {
    fail_at = i == S.n - 1 ? fail : 0;
    line_run(v, &c, S.line[i].at, S.line[i].n, o);
    fail_at = 0;
  }
  int off;
  if (!good) complain("no session");
  else if (!vm_off(v, &off) && !o->stopped) {
    size_t n = o->out.n;
    line_run(v, &c, "⎕←(1+1)'ok'", strlen("⎕←(1+1)'ok'"), o);
    good = o->out.n > n;
    if (!good) complain("the session is unusable");
  }
  vm_free(v);
  if (c.blocks_live) good = complain("memory is lost");
  return good;
}

static bool differ(const outcome *a, const outcome *b, const char *how) {
  if (a->full || a->stopped || b->full || b->stopped) return false;
  if (a->out.n == b->out.n && !memcmp(a->out.at, b->out.at, a->out.n)) return false;
  fprintf(stderr, "DIFFERENT with %s:\n%.4000s── instead of\n%.4000s", how, b->out.at,
          a->out.at);
  complain("");
  return true;
}

static bool compare(const char *device) {
  static const char *const ways[] = {"direct=0", "direct=0 fuse=0 lift=0"};
  outcome a, b;
  bool good = session_run("host", NULL, 0, &a);
  for (size_t i = 0; i < ARRAY_LEN(ways) && good; i++) {
    if (device && i) break;
    good = session_run(device ? device : "host", ways[i], 0, &b);
    if (good && !varies(false)) good = !differ(&a, &b, ways[i]);
    str_free(&b.out);
  }
  str_free(&a.out);
  return good;
}

static bool starve(void) {
  outcome a, b;
  bool good = session_run("host", "direct=16", 0, &a), hit = good && !a.stopped;
  for (int64_t k = 1, step = 1; hit && good; k += step) {
    did_fail = false;
    good = session_run("host", "direct=16", k, &b);
    hit = did_fail;
    if (!b.full && !varies(true) && !b.stopped && good &&
        strstr(b.out.at, "WS FULL") == NULL)
      if (differ(&a, &b, "an allocation that fails")) good = false;
    str_free(&b.out);
    if (k > 150) step = k / 8;
  }
  str_free(&a.out);
  return good;
}

static bool sessions(uint64_t first, int n, const char *device, bool fail, bool verbose) {
  bool good = true;
  for (int i = 0; i < n; i++) {
    session_make(first + (uint64_t)i);
    if (verbose) show_session();
    good &= fail ? starve() : compare(device);
  }
  for (int i = 0; i < S.n; i++) str_free(&S.line[i]);
  S.n = 0;
  return good;
}

/* ── the test ── */

static void on_death(int sig) { /* sanitizers: …_OPTIONS=abort_on_error=1 */
  signal(sig, SIG_DFL);
  show_session();
  raise(sig);
}

static void begin(int n, char **files) {
  glob_t g = {0};
  ctx_init(&own, NULL, NULL);
  if (!n && !glob("tests/lang/*.apl", 0, NULL, &g))
    n = (int)g.gl_pathc, files = g.gl_pathv;
  for (int i = 0; i < n; i++) corpus_file(files[i]);
  globfree(&g);
  pthread_t t;
  pthread_create(&t, NULL, watcher, NULL);
  pthread_detach(t);
  signal(SIGABRT, on_death);
}

static void test_mutations(void **state) {
  UNUSED(state);
  if (!corpus.n) skip(); /* not run from the top folder */
  assert_true(sessions(1, 1500, NULL, false, false));
}
static void test_failing_allocator(void **state) {
  UNUSED(state);
  if (!corpus.n) skip();
  assert_true(sessions(1, 30, NULL, true, false));
}

int main(int argc, char **argv) {
  const char *device = NULL;
  uint64_t first = 1;
  int n = 0, o;
  bool fail = false, verbose = false;
  while ((o = getopt(argc, argv, "s:n:d:fv")) != -1) {
    if (o == 's') first = strtoull(optarg, NULL, 10);
    else if (o == 'n') n = atoi(optarg);
    else if (o == 'd') device = optarg;
    else if (o == 'f') fail = true;
    else verbose = true;
  }
  begin(argc - optind, argv + optind);
  if (n) return !corpus.n || !sessions(first, n, device, fail, verbose);
  patience = 0.5;
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutations),
                                     cmocka_unit_test(test_failing_allocator)};
  return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
