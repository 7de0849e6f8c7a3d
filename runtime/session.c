/* SPDX-License-Identifier: MIT */
/* session.c - one interpreter on standard streams: what it writes, reads and logs, and how a
 * text is run and its error shown. main.c runs scripts and pipes through it, repl.c what a
 * person types. */
#include "session.h"
#include "paint.h"
#include "progress.h"
#include "session_ranks.h"
#include "terminal.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

/* ── what the interpreter asks for ──────────────────────────────────────────────────── */

/* Keeps the end of what was written in s->tail, from behind the last line break. */
static void keep_tail(session *s, const char *text, size_t n) {
  size_t from = n, have = strlen(s->tail);
  while (from > 0 && text[from - 1] != '\n') from--;
  if (from > 0) have = 0;
  n -= from;
  if (n >= sizeof s->tail - have) n = 0; /* too long to be a prompt */
  memcpy(s->tail + have, text + from, n);
  s->tail[have + n] = 0;
}

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  session *s = user;
  progress_lock(s->progress);
  ranks_keep(s, utf8, n);
  if (fd == 2) fflush(stdout);
  terminal_write(fd == 2 ? stderr : stdout, utf8, n);
  if (fd == 1) keep_tail(s, utf8, n);
  progress_unlock(s->progress);
}

/* A person's line: the editor is given as its prompt all that stands on the line already. */
static ptrdiff_t read_typed(session *s, char *buf, size_t n) {
  const char *text;
  OWNED_STR str prompt = {.c = &s->c};
  size_t got;
  terminal_escape(&prompt, s->tail, strlen(s->tail));
  if (prompt.n) putchar('\r');
  fflush(stdout);
  const char *shown = prompt.failed ? "" : prompt.at;
  line_status status = ranks_data(s, shown, &text, &got);
  s->tail[0] = 0;
  if (status) return -1;
  if (got > n) got = n;
  memcpy(buf, text, got);
  return (ptrdiff_t)got;
}

/* A line of a pipe; of one that is longer than n bytes the length is all that is given. */
static ptrdiff_t read_piped(session *s, char *buf, size_t n) {
  size_t got = 0;
  int ch;
  fflush(stdout);
  while ((ch = line_byte(&s->c)) != EOF && ch != '\n') {
    if (got < n) buf[got] = (char)ch;
    got++;
  }
  s->taken++;
  if (ch == EOF && !got) return -1;
  return (ptrdiff_t)got;
}

/* Is there a person whom a prompt tells what to type? */
static bool asks(const session *s) {
  return s->ranks ? s->ranks->front.asks : isatty(STDIN_FILENO);
}

/* Input for ⎕ and ⍞; of several ranks the first one is asked. From a pipe it is not asked for: standard output stays clean. */
static ptrdiff_t on_read(void *user, int mode, const char *prompt, char *buf, size_t n) {
  session *s = user;
  UNUSED(mode);
  if (prompt && asks(s)) on_write(s, 1, prompt, strlen(prompt));
  progress_set(s->progress, false);
  ptrdiff_t got = -1;
  if (s->live) got = read_typed(s, buf, n);
  else got = read_piped(s, buf, n);
  progress_set(s->progress, true);
  return got;
}

static void on_log(void *user, const char *text) {
  const session *s = user;
  if (s->live || s->dump) terminal_print(stderr, "vapl: %s\n", text);
}

static void on_hint(void *user, const char *text) {
  ranks_hint(user, text);
  fflush(stdout);
  terminal_print(stderr, "vapl: %s\n", text);
}

static const char *on_getenv(void *user, const char *name) {
  UNUSED(user);
  return getenv(name);
}

/* Asked for each result, so that a terminal may change its size. */
static int on_terminal(void *user, int *lines) {
  struct winsize size = {.ws_col = 0};
  const session *s = user;
  if (s->ranks) {
    *lines = s->ranks->front.lines;
    return s->ranks->front.columns;
  }
  if (!isatty(STDOUT_FILENO)) return 0;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col) return 80;
  *lines = size.ws_row;
  return size.ws_col;
}

/* ── errors and paths ───────────────────────────────────────────────────────────────── */

int session_complain(session *s) {
  int code = s->c.err.code == ERR_INTERRUPT ? EXIT_STOPPED : EXIT_APL;
  const char *why = s->c.err.msg, *colon = *why ? ": " : "";
  if (s->silent) return code;
  fflush(stdout);
  ranks_keep(s, why, strlen(why));
  terminal_print(stderr, "vapl: %s%s%s\n", err_name(s->c.err.code), colon, why);
  err_clear(&s->c);
  return code;
}

bool session_path(char path[PATH_BYTES], const char *variable, const char *fallback,
                  const char *rest) {
  const char *base = getenv(variable), *home = getenv("HOME");
  int n = -1;
  if (base && *base == '/') n = snprintf(path, PATH_BYTES, "%s/%s", base, rest);
  else if (home && *home == '/')
    n = snprintf(path, PATH_BYTES, "%s/%s/%s", home, fallback, rest);
  return n > 0 && n < PATH_BYTES;
}

line *session_lines(session *s, line_config k) {
  if (session_path(s->history, "XDG_STATE_HOME", ".local/state", "vapl/history"))
    k.history = s->history;
  return line_new(&k);
}

/* ── opening ────────────────────────────────────────────────────────────────────────── */

static void read_dump_flags(session *s) {
  const char *stages = getenv("VAPL_DUMP");
  s->dump = dump_flags(stages);
  if (stages && *stages && !s->dump)
    fputs("vapl: VAPL_DUMP takes words out of: tokens ast graph kernels spirv\n", stderr);
}

int session_open(session *s, const char *device) {
  bool cached = session_path(s->cache, "XDG_CACHE_HOME", ".cache", "vapl");
  read_dump_flags(s);
  device = ranks_device(s, device);
  vm_config k = {.c = &s->c,
                 .ir = {.device = device,
                        .cache_dir = cached ? s->cache : NULL,
                        .threads = ranks_threads(s),
                        .log = on_log,
                        .hint = on_hint,
                        .log_user = s,
                        .max_device_bytes = s->max_device_bytes,
                        .tune = getenv("VAPL_TUNE")},
                 .write = on_write,
                 .read = on_read,
                 .getenv = on_getenv,
                 .terminal = on_terminal,
                 .edit = s->typed ? session_edit : NULL,
                 .comm = s->ranks ? s->ranks->comm : NULL,
                 .folders = s->folders,
                 .user = s};
  s->m = vm_new(&k);
  if (!s->m) return session_complain(s);
  bool named = device && strcmp(device, "auto") && strcmp(device, "host");
  if (named && !ir_gpu(vm_ir(s->m))) {
    session_complain(s);
    return EXIT_DEVICE;
  }
  dump_attach(s);
  return 0;
}

void session_close(session *s) {
  if (s->m) vm_free(s->m);
  s->m = NULL;
}

/* ── limits ─────────────────────────────────────────────────────────────────────────── */

static void on_alarm(int sig) { UNUSED(sig); }

/* When the time is up, signals end what waits for input, until it is looked whether to go on: a little
 * later, so that it is up by the clock that is looked at. */
static void set_alarm(double seconds) {
  double later = seconds + 0.002;
  struct timeval first = {(time_t)later, (suseconds_t)(fmod(later, 1) * 1e6)};
  struct itimerval alarm = {.it_value = first, .it_interval = {.tv_usec = 100000}};
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
  setitimer(ITIMER_REAL, &alarm, NULL);
}

void session_limits_begin(session *s) {
  limits_begin(&s->c);
  if (s->c.limit.seconds > 0) set_alarm(s->c.limit.seconds);
}

void session_limits_end(session *s) {
  const struct itimerval none = {.it_value = {0}};
  if (s->c.limit.seconds > 0) setitimer(ITIMER_REAL, &none, NULL);
  s->c.limit.on = false;
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

int session_report(session *s) {
  int code = EXIT_APL;
  if (s->c.err.code == ERR_INTERRUPT) code = EXIT_STOPPED;
  OWNED_STR str out = {.c = &s->c};
  vm_error_text(s->m, &out);
  fflush(stdout);
  if (s->live && code == EXIT_STOPPED) fputc('\n', stderr); /* behind the terminal's ^C */
  bool shown = out.at && !out.failed;
  if (shown) ranks_keep(s, out.at, out.n);
  bool red = !s->ranks && paint_shows(stderr);
  if (red) fputs(paint_error, stderr);
  terminal_print(stderr, "%s", shown ? out.at : err_name(s->c.err.code));
  if (red) fputs(paint_end, stderr);
  bool ended = shown && out.n && out.at[out.n - 1] == '\n';
  if (!ended) fputc('\n', stderr);
  err_clear(&s->c);
  return code;
}

static bool run_text(session *s, const program *p, bool *off, int *code) {
  vm_text t = {.name = p->name, .at = p->text, .n = p->n, .first_line = p->first_line};
  if (p->defines) t.as = TEXT_DEFINITION;
  if (p->commands) return vm_line(s->m, &t, off, code);
  return vm_run(s->m, &t, true, NULL, NULL);
}

int session_run(session *s, const program *p) {
  int code = 0;
  bool off = false;
  if (s->dump) dump_text(s, p->name, p->text, p->n);
  progress_set(s->progress, true);
  bool ok = run_text(s, p, &off, &code);
  progress_set(s->progress, false);
  if (off || vm_off(s->m, &code)) {
    s->ended = true;
    s->code = code;
    err_clear(&s->c);
    return code;
  }
  return ok ? 0 : session_report(s);
}
