/* SPDX-License-Identifier: MIT */
/* main.c - the command line: options, scripts, pipes; repl.c is the session at a terminal.
 *
 *   arguments ─▶ options ─▶ interpreter ─▶ -e texts │ a file │ a pipe, entry by entry │ repl
 *
 * Everything that belongs to a process and not to a library happens here: environment
 * variables, the locale, the interrupt signal, standard streams, the exit code. Standard output
 * carries only what the program shows; errors and dumps go to standard error. No device is
 * opened, and libvulkan not even loaded, unless an option or the work asks for it. */
#include "../src/vk/gpu.h"
#include "keymap.h"
#include "script.h"
#include "session.h"
#include "vapl.h"
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: vapl [options]                a session, or the program on standard input\n"
    "       vapl [options] file [args]    a script; its arguments are \u2395ARG\n"
    "       vapl [options] -e text [args] a text\n"
    "       vapl [options] - [args]       the program on standard input\n";

static const char HELP[] =
    "\n"
    "  -e, --eval TEXT        run TEXT; may be repeated\n"
    "      --device WHICH     auto (default), host, a number, part of a name, or a UUID\n"
    "      --devices          list the devices and leave\n"
    "      --print-keymap F   print the glyphs' keys for xcompose, inputrc, vim or "
    "emacs\n"
    "      --version          print the version\n"
    "  -h, --help             print this\n"
    "\n"
    "exit codes: 0 done, 1 APL error, 2 wrong usage, 3 no such device, 130 interrupted,\n"
    "n after \u2395OFF n.\n";

typedef struct options {
  const char **texts; /* of -e */
  int n_texts;
  const char *file; /* NULL: none; "-": standard input */
  const char *device;
  const char *keymap;
  int argc; /* what ⎕ARG will hold */
  const char *const *argv;
  bool devices, version, help;
} options;

/* ── the interrupt ──────────────────────────────────────────────────────────────────── */

static ctx *volatile stoppable; /* the running interpreter's, for the signal handler */

static void on_interrupt(int sig) {
  UNUSED(sig);
  if (stoppable) atomic_store(&stoppable->interrupt, true);
}

/* Unless whoever started us had it ignored, as a shell does for a job in the background. */
static void catch_interrupts(ctx *c) {
  struct sigaction now;
  stoppable = c;
  if (!sigaction(SIGINT, NULL, &now) && now.sa_handler != SIG_IGN)
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
}

/* ── options ────────────────────────────────────────────────────────────────────────── */

static int usage_error(const char *what, const char *arg) {
  fprintf(stderr, "vapl: %s%s\n%s", what, arg, USAGE);
  return EXIT_USAGE;
}

/* If arg is --name or --name=value, sets *value (from the next argument if need be). */
static bool takes(const char *name, char **argv, int argc, int *i, const char **value) {
  size_t n = strlen(name);
  if (strncmp(argv[*i], name, n)) return false;
  if (argv[*i][n] == '=') *value = argv[*i] + n + 1;
  else if (argv[*i][n]) return false;
  else *value = *i + 1 < argc ? argv[++*i] : NULL;
  return true;
}

/* One option at argv[*i]; 0, or the exit code of a wrong one. */
static int read_option(options *o, char **argv, int argc, int *i) {
  const char *arg = argv[*i], *value = "";
  if (takes("-e", argv, argc, i, &value) || takes("--eval", argv, argc, i, &value)) {
    if (value) o->texts[o->n_texts++] = value;
  } else if (takes("--device", argv, argc, i, &value)) o->device = value;
  else if (takes("--print-keymap", argv, argc, i, &value)) o->keymap = value;
  else if (!strcmp(arg, "--devices")) o->devices = true;
  else if (!strcmp(arg, "--version")) o->version = true;
  else if (!strcmp(arg, "--help") || !strcmp(arg, "-h")) o->help = true;
  else return usage_error("unknown option ", arg);
  return value ? 0 : usage_error("a value is missing after ", arg);
}

/* Options come first; the first other argument is the file, unless there was -e. */
static int read_options(options *o, int argc, char **argv) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
    if (!strcmp(argv[i], "--")) {
      i++;
      break;
    }
    int wrong = read_option(o, argv, argc, &i);
    if (wrong) return wrong;
  }
  if (i < argc && !o->n_texts) o->file = argv[i++];
  o->argc = argc - i;
  o->argv = (const char *const *)argv + i;
  return 0;
}

/* ── the session's services ─────────────────────────────────────────────────────────── */

/* Keeps the end of what was written in s->tail, from behind the last line break. */
static void keep_tail(session *s, const char *text, size_t n) {
  size_t from = n, have = strlen(s->tail);
  while (from > 0 && text[from - 1] != '\n') from--;
  if (from > 0) have = 0;
  n -= from;
  if (n < sizeof s->tail - have) memcpy(s->tail + have, text + from, n);
  else n = 0; /* too long to be a prompt */
  s->tail[have + n] = 0;
}

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  if (fd == 2) fflush(stdout);
  fwrite(utf8, 1, n, fd == 2 ? stderr : stdout);
  if (fd == 1) keep_tail(user, utf8, n);
}

/* A person's line: the editor is given as its prompt all that stands on the line already. */
static ptrdiff_t read_typed(session *s, char *buf, size_t n) {
  const char *text;
  char prompt[sizeof s->tail];
  size_t got;
  memcpy(prompt, s->tail, sizeof prompt);
  if (*prompt) putchar('\r');
  fflush(stdout);
  line_status status = line_read(s->lines, prompt, false, &text, &got);
  s->tail[0] = 0;
  if (status) return -1;
  if (got > n) got = n;
  memcpy(buf, text, got);
  return (ptrdiff_t)got;
}

/* Input for ⎕ and ⍞. From a pipe it is not asked for: standard output stays clean. */
static ptrdiff_t on_read(void *user, int mode, const char *prompt, char *buf, size_t n) {
  session *s = user;
  size_t got = 0;
  int ch;
  UNUSED(mode);
  if (prompt && isatty(STDIN_FILENO)) on_write(s, 1, prompt, strlen(prompt));
  if (s->lines) return read_typed(s, buf, n);
  fflush(stdout);
  for (; (ch = getchar()) != EOF && ch != '\n'; got++)
    if (got < n) buf[got] = (char)ch;
  s->taken++;
  return ch == EOF && !got ? -1 : (ptrdiff_t)(got < n ? got : n);
}

static void on_log(void *user, const char *text) {
  const session *s = user;
  if (s->lines || s->dump) fprintf(stderr, "vapl: %s\n", text);
}

void session_complain(session *s) {
  fflush(stdout);
  fprintf(stderr, "vapl: %s%s%s\n", err_name(s->c.err.code), *s->c.err.msg ? ": " : "",
          s->c.err.msg);
  err_clear(&s->c);
}

bool session_path(char path[4096], const char *variable, const char *fallback,
                  const char *rest) {
  const char *base = getenv(variable), *home = getenv("HOME");
  int n = -1;
  if (base && *base == '/') n = snprintf(path, 4096, "%s/%s", base, rest);
  else if (home && *home == '/')
    n = snprintf(path, 4096, "%s/%s/%s", home, fallback, rest);
  return n > 0 && n < 4096;
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

/* Prints the error of a text that began at line `first_line`. The evaluator numbers the lines of
 * each text from 1; if the error is in this very text, its lines get their true numbers. */
static int report(session *s, const char *text, size_t n, uint32_t first_line) {
  int code = s->c.err.code == ERR_INTERRUPT ? EXIT_STOPPED : EXIT_APL;
  source *at = s->c.err.at.src;
  if (at && at->len == n && !memcmp(at->text, text, n)) at->first_line = first_line;
  str out = {.c = &s->c};
  vm_error_text(s->m, &out);
  fflush(stdout);
  if (s->lines && code == EXIT_STOPPED)
    fputc('\n', stderr); /* behind the terminal's ^C */
  if (out.at && !out.failed)
    fprintf(stderr, "%s%s", out.at, out.n && out.at[out.n - 1] == '\n' ? "" : "\n");
  else fprintf(stderr, "%s\n", err_name(s->c.err.code));
  str_free(&out);
  err_clear(&s->c);
  return code;
}

int session_run(session *s, const char *name, const char *text, size_t n,
                uint32_t first_line, bool commands) {
  int code = 0;
  bool off = false;
  if (s->dump) dump_text(s, name, text, n);
  bool ok = commands ? vm_line(s->m, name, text, n, &off, &code)
                     : vm_run(s->m, name, text, n, true, NULL, NULL);
  if (off || vm_off(s->m, &code)) {
    s->ended = true;
    s->code = code;
    err_clear(&s->c);
    return code;
  }
  return ok ? 0 : report(s, text, n, first_line);
}

static int run_file(session *s, const char *path) {
  char *text;
  size_t n;
  if (!script_read(&s->c, path, &text, &n)) {
    fprintf(stderr, "vapl: %s\n", s->c.err.msg);
    err_clear(&s->c);
    return EXIT_USAGE;
  }
  int code = session_run(s, path, text, n, 1, false);
  mem_free(&s->c, text);
  return code;
}

/* Appends the next line of standard input with its newline; false at the end. */
static bool next_line(session *s, str *to) {
  int ch;
  size_t before = to->n;
  while ((ch = getchar()) != EOF && ch != '\n') str_put(to, &(char){(char)ch}, 1);
  if (ch == '\n') str_put(to, "\n", 1);
  s->taken++;
  return to->n > before;
}

/* Runs standard input as it comes: each entry as soon as its brackets are closed, so that a
 * program may sit behind a pipe and answer. */
static int run_pipe(session *s) {
  str entry = {.c = &s->c};
  uint32_t first = 1;
  int code = 0;
  for (bool more = true; more && !code && !s->ended;) {
    more = next_line(s, &entry);
    if (s->c.interrupt) code = EXIT_STOPPED;
    if (code || entry.failed || !entry.n) continue;
    if (more && line_is_open(entry.at, entry.n)) continue;
    size_t n = entry.at[entry.n - 1] == '\n' ? entry.n - 1 : entry.n;
    code = session_run(s, "stdin", entry.at, n, first, true);
    fflush(stdout);
    str_free(&entry);
    first = s->taken + 1;
  }
  if (entry.failed) session_complain(s), code = EXIT_APL;
  str_free(&entry);
  return s->ended ? s->code : code;
}

static int run_texts(session *s, const options *o) {
  int code = 0;
  for (int i = 0; i < o->n_texts && !code && !s->ended; i++)
    code = session_run(s, "-e", o->texts[i], strlen(o->texts[i]), 1, true);
  return code;
}

static int run(session *s, const options *o) {
  if (o->n_texts) return run_texts(s, o);
  if (o->file && strcmp(o->file, "-")) return run_file(s, o->file);
  if (!o->file && isatty(STDIN_FILENO)) return repl(s);
  return run_pipe(s);
}

static const char *on_getenv(void *user, const char *name) {
  UNUSED(user);
  return getenv(name);
}

/* Opens the interpreter, and at once the device that was asked for by name. */
static int with_interpreter(session *s, const options *o) {
  char cache[4096];
  bool cached = session_path(cache, "XDG_CACHE_HOME", ".cache", "vapl");
  const char *stages = getenv("VAPL_DUMP");
  s->dump = dump_flags(stages);
  if (stages && *stages && !s->dump)
    fprintf(stderr,
            "vapl: VAPL_DUMP takes words out of: tokens ast graph kernels spirv\n");
  vm_config k = {.c = &s->c,
                 .ir = {.device = o->device,
                        .cache_dir = cached ? cache : NULL,
                        .log = on_log,
                        .log_user = s,
                        .tune = getenv("VAPL_TUNE")},
                 .write = on_write,
                 .read = on_read,
                 .getenv = on_getenv,
                 .user = s};
  s->m = vm_new(&k);
  if (!s->m) {
    session_complain(s);
    return EXIT_APL;
  }
  int code = 0;
  bool named = o->device && strcmp(o->device, "auto") && strcmp(o->device, "host");
  if (named && !ir_gpu(vm_ir(s->m))) {
    session_complain(s);
    code = EXIT_DEVICE;
  } else {
    dump_attach(s);
    vm_set_args(s->m, o->argc, o->argv);
    code = run(s, o);
  }
  vm_free(s->m);
  return code;
}

/* ── what needs no interpreter ──────────────────────────────────────────────────────── */

static int list_devices(session *s) {
  gpu_info *list = NULL;
  int n = 0;
  char why[160] = "";
  if (!gpu_list(&s->c, &list, &n, why)) {
    session_complain(s);
    return EXIT_APL;
  }
  for (int i = 0; i < n; i++) {
    const gpu_info *g = &list[i];
    const char *kind = g->cpu ? "CPU" : g->discrete ? "GPU" : "integrated GPU";
    printf("%d  %s, %s, %.1f GiB, %s%s%s\n   uuid %s\n", g->index, g->name, g->driver,
           (double)g->memory_bytes / 0x1p30, kind, *g->refused ? ", refused: " : "",
           g->refused, g->uuid);
  }
  if (!n)
    printf("no Vulkan device%s%s: everything runs on the host\n", *why ? ": " : "", why);
  mem_free(&s->c, list);
  return 0;
}

static int print_keymap(session *s, const char *format) {
  str out = {.c = &s->c};
  if (!glyph_print(&out, format)) return usage_error("no such keymap: ", format);
  fputs(out.failed ? "" : out.at, stdout);
  str_free(&out);
  return 0;
}

/* Glyphs need a UTF-8 LC_CTYPE; numbers stay in the C locale. */
static void set_locale(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8")) setlocale(LC_CTYPE, "C.UTF-8");
}

static int work(session *s, const options *o) {
  if (o->help) return printf("%s%s", USAGE, HELP), 0;
  if (o->version) return printf("vapl %s\n", VAPL_VERSION_TEXT), 0;
  if (o->keymap) return print_keymap(s, o->keymap);
  if (o->devices) return list_devices(s);
  return with_interpreter(s, o);
}

/* ── the stack ──────────────────────────────────────────────────────────────────────── */

/* Programs recurse deeper than the stack of a process's first thread lets them, so the work is
 * done by a second one; what of its stack is never touched costs nothing. Signals are its too,
 * for they must interrupt its reading. */
enum { STACK_BYTES = 256 << 20 };
typedef struct job {
  session *s;
  const options *o;
  int code;
  sigset_t signals;
} job;

static void *run_job(void *user) {
  job *j = user;
  pthread_sigmask(SIG_SETMASK, &j->signals, NULL);
  j->code = work(j->s, j->o);
  return NULL;
}

static int work_deep(session *s, const options *o) {
  job j = {.s = s, .o = o};
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t all;
  if (pthread_attr_init(&attr)) return work(s, o);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &j.signals);
  bool ok = !pthread_attr_setstacksize(&attr, STACK_BYTES) &&
            !pthread_create(&thread, &attr, run_job, &j);
  if (ok) pthread_join(thread, NULL);
  pthread_sigmask(SIG_SETMASK, &j.signals, NULL);
  pthread_attr_destroy(&attr);
  return ok ? j.code : work(s, o);
}

int main(int argc, char **argv) {
  session s = {.code = 0};
  ctx_init(&s.c, NULL, NULL);
  s.c.bytes_max = mem_of_machine();
  options o = {.texts = mem_alloc(&s.c, ((size_t)argc + 1) * sizeof *o.texts)};
  if (!o.texts) return EXIT_APL;
  set_locale();
  catch_interrupts(&s.c);
  int code = read_options(&o, argc, argv);
  if (!code) code = work_deep(&s, &o);
  if ((fflush(stdout) || ferror(stdout)) && !code) {
    fprintf(stderr, "vapl: cannot write the output: %s\n", strerror(errno));
    code = EXIT_APL;
  }
  stoppable = NULL;
  mem_free(&s.c, o.texts);
  return code;
}
