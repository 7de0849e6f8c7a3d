/* SPDX-License-Identifier: MIT */
/* main.c - the command line: scripts, pipes, the interrupt, limits. options.c reads the
 * options, session.c is the interpreter on standard streams, repl.c the session at a terminal.
 *
 *   arguments ─▶ options ─▶ interpreter ─▶ -e texts │ a file │ a pipe, entry by entry │ repl
 *
 * Everything that belongs to a process and not to a library happens here: environment
 * variables, the locale, the interrupt signal, standard streams, the exit code. Standard
 * output carries only what the program shows; errors and dumps go to standard error. No
 * device is opened, and libvulkan not even loaded, unless an option or the work asks for
 * it. */
#include "../src/base/mapped.h"
#include "doctor.h"
#include "keymap.h"
#include "launch.h"
#include "options.h"
#include "progress.h"
#include "script.h"
#include "session_ranks.h"
#include "terminal.h"
#include "vapl.h"
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── the interrupt ──────────────────────────────────────────────────────────────────── */

static ctx *volatile stoppable; /* the running interpreter's, for the signal handler */

static void on_interrupt(int sig) {
  UNUSED(sig);
  if (stoppable) atomic_store(&stoppable->interrupt, true);
}

/* A file that is mapped grew shorter. Anything else ends the process, as it would have. */
static void on_fault(int sig, siginfo_t *info, void *context) {
  UNUSED(context);
  if (!stoppable || !mapped_fault(stoppable, info->si_addr)) signal(sig, SIG_DFL);
}

/* Unless the parent process had it ignored, as a shell does for a job in the background. A launcher hands SIGUSR1
 * on to all ranks, where Ctrl-C would end them. */
static void catch_interrupts(ctx *c, bool by_launcher) {
  struct sigaction now;
  stoppable = c;
  if (!sigaction(SIGINT, NULL, &now) && now.sa_handler != SIG_IGN)
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
  if (by_launcher)
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &fault, NULL);
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

static bool is_folder(const char *path) {
  struct stat st;
  return path && !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Defines what a folder's files define; what is wrong in one of them does not stop the others. */
static int run_folder(session *s, const char *path, bool kept) {
  OWNED_STR str errors = {.c = &s->c};
  if (!vm_import(s->m, path, kept, &errors)) return session_report(s);
  if (!errors.n) return 0;
  terminal_print(stderr, "%s", errors.at);
  return EXIT_APL;
}

/* Runs a function without arguments, or with an empty one. */
static int run_call(session *s, const char *name) {
  OWNED_STR str text = {.c = &s->c};
  str_printf(&text, vm_is_niladic(s->m, name) ? "%s" : "%s ''", name);
  if (text.failed) return session_complain(s);
  program p = {.name = "--call", .text = text.at, .n = text.n, .first_line = 1};
  return session_run(s, &p);
}

static int run_file(session *s, const char *path) {
  program p = {.name = path, .first_line = 1, .commands = true};
  p.defines = script_is_definition(path);
  char *text = NULL;
  bool ok = ranks_first(s) && script_read(&s->c, path, &text, &p.n);
  if (!ranks_same_text(s, ok, &text, &p.n)) {
    terminal_print(stderr, "vapl: %s\n", s->c.err.msg);
    err_clear(&s->c);
    return EXIT_USAGE;
  }
  p.text = text;
  int code = session_run(s, &p);
  mem_free(&s->c, text);
  return code;
}

/* Appends the next line of standard input with its newline; false at the end. */
static bool next_line(session *s, str *to) {
  int ch;
  size_t before = to->n;
  while ((ch = line_byte(&s->c)) != EOF && ch != '\n') str_put(to, &(char){(char)ch}, 1);
  if (ch == '\n') str_put(to, "\n", 1);
  s->taken++;
  return to->n > before;
}

/* Collects the lines of an entry, until its brackets are closed; false at the end of input. */
static bool next_entry(session *s, str *entry) {
  while (next_line(s, entry)) {
    if (interrupted(&s->c) || entry->failed) return true;
    if (entry->n && !line_is_open(entry->at, entry->n)) return true;
  }
  return false;
}

/* Runs standard input as it comes: each entry as soon as its brackets are closed, so that a
 * program may sit behind a pipe and answer. */
static int run_pipe(session *s) {
  program p = {.name = "stdin", .first_line = 1, .commands = true};
  int code = 0;
  for (bool more = true; more && !code && !s->ended;) {
    OWNED_STR str entry = {.c = &s->c};
    if (ranks_first(s)) more = next_entry(s, &entry);
    if (!ranks_same_entry(s, &entry, &more)) return session_complain(s);
    if (!entry.n) continue;
    p.text = entry.at;
    p.n = entry.n;
    if (entry.at[entry.n - 1] == '\n') p.n--;
    code = session_run(s, &p);
    fflush(stdout);
    p.first_line = s->taken + 1;
  }
  return s->ended ? s->code : code;
}

static int run_texts(session *s, const options *o) {
  int code = 0;
  for (int i = 0; i < o->n_texts && !code && !s->ended; i++) {
    char name[24] = "-e";
    if (o->n_texts > 1) snprintf(name, sizeof name, "-e[%d]", i + 1);
    program p = {name, o->texts[i], strlen(o->texts[i]), 1, true, false};
    code = session_run(s, &p);
  }
  return code;
}

static int run_program(session *s, const options *o) {
  if (o->n_texts) return run_texts(s, o);
  if (is_folder(o->file)) return run_folder(s, o->file, false);
  if (o->file && strcmp(o->file, "-")) return run_file(s, o->file);
  return run_pipe(s);
}

/* Its exit code, and where that is 0 the one of the call; a folder's call is made in any case. */
static int run_and_call(session *s, const options *o) {
  const char *name = o->value[OPT_CALL];
  int code = run_program(s, o);
  if (!name || s->ended || (code && (code != EXIT_APL || !is_folder(o->file))))
    return code;
  int called = run_call(s, name);
  return called || s->ended ? called : code;
}

/* A folder is linked, and the session goes on with what it defines. */
static int run_session(session *s, const options *o) {
  if (o->file) run_folder(s, o->file, true);
  return repl(s);
}

/* A program has the limits for the whole of it, a session for each line. */
static int main_run(session *s, const options *o) {
  if (s->typed) return run_session(s, o);
  session_limits_begin(s);
  int code = run_and_call(s, o);
  session_limits_end(s);
  return code;
}

static void limit(session *s, const options *o) {
  s->c.limit.seconds = o->max_time;
  s->c.limit.max_steps = o->max_steps;
  if (o->max_memory) s->c.bytes_max = o->max_memory;
  s->max_device_bytes = o->max_memory;
}

/* Is a person to see how long work takes? */
static bool shows_progress(const session *s, const options *o) {
  if (o->value[OPT_QUIET]) return false;
  if (s->ranks) return ranks_first(s) && s->ranks->front.merged;
  return isatty(STDERR_FILENO);
}

static bool is_typed(const session *s, const options *o) {
  bool stays = !o->file || (is_folder(o->file) && !o->value[OPT_CALL]);
  bool person = s->ranks ? s->ranks->front.typed : isatty(STDIN_FILENO);
  return !o->n_texts && stays && person;
}

static int with_interpreter(session *s, const options *o) {
  if (o->n_folders) {
    s->folders = o->folders;
    s->c.may = MAY_READ | MAY_WRITE | MAY_MAP;
  } else if (!o->value[OPT_SAFE]) {
    s->c.may = MAY_ALL;
  }
  limit(s, o);
  if (shows_progress(s, o)) s->progress = progress_new(s);
  s->typed = is_typed(s, o);
  int code = session_open(s, o->value[OPT_DEVICE]);
  if (!code) {
    vm_set_args(s->m, o->argc, o->argv);
    code = main_run(s, o);
  }
  progress_free(s->progress);
  mem_free(&s->c, s->progress);
  session_close(s);
  return code;
}

/* As one of several processes, if it is one. */
static int as_rank(session *s, const options *o) {
  ranks r = {.comm = NULL};
  if (!o->value[OPT_RANKS]) return with_interpreter(s, o);
  int code = ranks_begin(s, &r, o->value[OPT_COMM], o->value[OPT_FRONT]);
  if (code) return code;
  code = ranks_end(s, with_interpreter(s, o));
  s->ranks = NULL;
  return code;
}

/* ── what needs no interpreter ──────────────────────────────────────────────────────── */

static int print_keymap(session *s, const char *format) {
  OWNED_STR str out = {.c = &s->c};
  if (!glyph_print(&out, format)) return usage_error("no such keymap: ", format);
  if (!out.failed) fputs(out.at, stdout);
  return 0;
}

/* Glyphs need a UTF-8 LC_CTYPE; numbers stay in the C locale. */
static void set_locale(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8")) setlocale(LC_CTYPE, "C.UTF-8");
}

static int serve_editor(session *s) {
#ifdef HAVE_LSP
  return lsp_serve(s);
#else
  UNUSED(s);
  fputs("vapl lsp: this build has none, for jansson (libjansson-dev) was missing when it "
        "was made\n",
        stderr);
  return EXIT_USAGE;
#endif
}

static int work(session *s, const options *o) {
  if (o->value[OPT_HELP]) {
    options_help();
    return 0;
  }
  if (o->value[OPT_VERSION]) {
    printf("vapl %s\n", VAPL_VERSION_TEXT);
    return 0;
  }
  if (o->value[OPT_PRINT_KEYMAP]) return print_keymap(s, o->value[OPT_PRINT_KEYMAP]);
  if (o->value[OPT_PRINT_COMPLETION])
    return options_completion(o->value[OPT_PRINT_COMPLETION]);
  if (o->value[OPT_DEVICES]) return list_devices(s);
  if (o->value[OPT_DOCTOR]) return run_doctor(s, o->max_time);
  if (o->file && !strcmp(o->file, "fmt")) return format_files(s, o->argc, o->argv);
  if (o->file && !strcmp(o->file, "lsp")) return serve_editor(s);
  if (o->value[OPT_CHECK]) return check_files(s, o->file, o->argc, o->argv);
  if (o->value[OPT_PROCESSES]) return launch(s, o, is_typed(s, o));
  return as_rank(s, o);
}

/* ── the stack ──────────────────────────────────────────────────────────────────────── */

/* The stack of a process's first thread is too small for programs that recurse, so a second
 * thread with a larger one does the work; pages of it that are never touched cost nothing.
 * Signals go to that thread, because they must interrupt its reading. */
enum { STACK_BYTES = 256 << 20, STACK_LEAST = 8 << 20 };

/* A quarter of the memory at most, where that is limited. */
static size_t stack_bytes(const options *o) {
  size_t n = STACK_BYTES;
  if (o->max_memory && o->max_memory / 4 < n) n = o->max_memory / 4;
  if (n < STACK_LEAST) n = STACK_LEAST;
  return n / 65536 * 65536;
}

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
  bool ok = !pthread_attr_setstacksize(&attr, stack_bytes(o)) &&
            !pthread_create(&thread, &attr, run_job, &j);
  if (ok) pthread_join(thread, NULL);
  pthread_sigmask(SIG_SETMASK, &j.signals, NULL);
  pthread_attr_destroy(&attr);
  if (!ok) return work(s, o);
  return j.code;
}

int main(int argc, char **argv) {
  session s = {.code = 0};
  ctx_init(&s.c, NULL, NULL);
  size_t most = ((size_t)argc + 1) * sizeof(char *);
  options o = {.texts = mem_alloc(&s.c, most),
               .folders = mem_zalloc(&s.c, most),
               .others = mem_zalloc(&s.c, most)};
  if (!o.texts || !o.folders || !o.others) return EXIT_APL;
  set_locale();
  int code = options_read(&o, argc, argv);
  catch_interrupts(&s.c, o.value[OPT_RANKS]);
  if (!code) code = work_deep(&s, &o);
  if ((fflush(stdout) || ferror(stdout)) && !code) {
    fprintf(stderr, "vapl: cannot write the output: %s\n", strerror(errno));
    code = EXIT_APL;
  }
  stoppable = NULL;
  mem_free(&s.c, o.texts);
  mem_free(&s.c, o.folders);
  mem_free(&s.c, o.others);
  ctx_close(&s.c);
  return code;
}
