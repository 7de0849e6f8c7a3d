/* SPDX-License-Identifier: MIT */
/* launch.c - vapl -n N: N processes, started by mpirun, for which this one keeps the terminal.
 *
 *   terminal ◀──▶ this process ──pipe──▶ mpirun ──▶ vapl --ranks (rank 0) … (rank N-1)
 *                              ◀──pipe──
 *
 * A launcher of MPI takes the terminal away from those that it starts: input is a pipe for rank 0 and nothing for
 * the others, and Ctrl-C ends all of them. So this process reads lines with the editor of a session, and hands them
 * to rank 0 when that asks (session_ranks.h). mpirun runs in a process group of its own: Ctrl-C is for this
 * process, which sends SIGUSR1, that launchers hand on to every rank. A second one within two seconds ends the job.
 *
 * Nothing of mpirun is relied on but standard streams, SIGUSR1 and the exit code. That is 0 whenever the ranks end
 * in order: rank 0 says what code the program has ended with, and so mpirun has nothing to complain about. */
#include "launch.h"
#include "../src/base/mem.h"
#include "ranks.h"
#include "session_ranks.h"
#include "terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct job {
  session *s;
  front front;
  char mark[KEY_BYTES + 2]; /* ASK, the key and a blank: a message begins so */
  pid_t pid;                /* mpirun's; 0: it has ended */
  int status;               /* then, as waitpid has it */
  int to, from, errors; /* pipes: input, output, errors; -1: there is none, or no more */
  bool relays;          /* what is typed goes to the program as it is */
  str got;              /* what came and is not shown yet */
  int code;             /* what rank 0 said; -1: nothing yet */
  double stopped;       /* when the last Ctrl-C was */
  bool given_up;        /* a second one followed at once */
} job;

/* ── what is started ────────────────────────────────────────────────────────────────── */

/* Is it a program that is found as a shell finds it? */
static bool is_program(const char *name) {
  const char *path = getenv("PATH");
  char file[PATH_MAX];
  if (strchr(name, '/')) return !access(name, X_OK);
  while (path && *path) {
    size_t n = strcspn(path, ":");
    int length = snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
    if (length < (int)sizeof file && !access(file, X_OK)) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

/* "8" or "8@FILE". */
static bool read_count(const char *text, long *n, const char **hosts) {
  char *end;
  *n = strtol(text, &end, 10);
  *hosts = *end == '@' && end[1] ? end + 1 : NULL;
  return *n > 0 && *n <= 1 << 20 && (!*end || *hosts);
}

/* What mpirun is told by variables of Open MPI's, which another MPI does not read. What the user has set stays. */
static void set_variables(long n, bool hosts) {
  if (!geteuid()) {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  }
  /* It would bind two processes to a core each, with all their threads. */
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
  /* It counts cores, of which there may be half as many as processors. */
  if (!hosts && 2 * n > sysconf(_SC_NPROCESSORS_ONLN))
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
}

/* In the child: becomes mpirun. */
static void become(char **argv, int in, int out, int errors) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigaction(SIGPIPE, &usual, NULL);
  sigaction(SIGCHLD, &usual, NULL);
  if (in >= 0) dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execvp(argv[0], argv);
  fprintf(stderr, "vapl: %s: %s\n", argv[0], strerror(errno));
  _exit(EXIT_USAGE);
}

static volatile pid_t child; /* for the signal handler */
static ctx *volatile waiting;

/* The job has ended while a line is typed. */
static void on_child(int sig) {
  UNUSED(sig);
  siginfo_t info = {.si_pid = 0};
  int before = errno;
  if (child && !waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) &&
      info.si_pid)
    atomic_store(&waiting->interrupt, true);
  errno = before;
}

static bool start(job *j, char **argv) {
  int in[2] = {-1, -1}, out[2], errors[2];
  bool talks = j->front.typed || j->relays;
  if (talks && pipe2(in, O_CLOEXEC)) return false;
  if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC)) return false;
  j->to = in[1];
  j->from = out[0];
  j->errors = errors[0];
  fflush(stdout);
  signal(SIGPIPE, SIG_IGN);
  waiting = &j->s->c;
  j->pid = fork();
  if (!j->pid) become(argv, in[0], out[1], errors[1]);
  child = j->pid;
  sigaction(SIGCHLD, &(struct sigaction){.sa_handler = on_child}, NULL);
  if (in[0] >= 0) close(in[0]);
  close(out[1]);
  close(errors[1]);
  return j->pid > 0;
}

/* ── stopping ───────────────────────────────────────────────────────────────────────── */

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Has it ended? */
static bool has_ended(job *j, bool wait) {
  if (j->pid && waitpid(j->pid, &j->status, wait ? 0 : WNOHANG) == j->pid)
    j->pid = child = 0;
  return !j->pid;
}

/* Ctrl-C, if it was typed. */
static void hand_on_interrupt(job *j) {
  enum { PATIENCE = 2 };
  if (!atomic_exchange(&j->s->c.interrupt, false) || has_ended(j, false)) return;
  double now = seconds_now();
  j->given_up |= now - j->stopped < PATIENCE;
  j->stopped = now;
  kill(j->pid, j->given_up ? SIGTERM : SIGUSR1);
}

/* ── what rank 0 says ───────────────────────────────────────────────────────────────── */

static void show(const char *text, size_t n) {
  fwrite(text, 1, n, stdout);
  fflush(stdout);
}

static void forget(str *s, size_t n) {
  memmove(s->at, s->at + n, s->n - n);
  s->n -= n;
}

/* Shows what came up to a message, which is moved to `to`, without its mark. False: there is none, and what may be
 * the beginning of one stays. */
static bool take_message(job *j, str *to) {
  str *g = &j->got;
  size_t n = strlen(j->mark), shown = 0;
  for (;;) {
    const char *at = memchr(g->at + shown, ASK, g->n - shown);
    size_t left = at ? (size_t)(g->at + g->n - at) : 0;
    shown = g->n - left;
    bool begins = at && !memcmp(at, j->mark, left < n ? left : n);
    if (at && !begins) {
      shown++;
      continue;
    }
    show(g->at, shown);
    const char *end = left > n ? memchr(at, '\n', left) : NULL;
    to->n = 0;
    if (end) str_put(to, at + n, (size_t)(end - at) - n);
    forget(g, end ? (size_t)(end + 1 - g->at) : shown);
    return end && !to->failed;
  }
}

/* What was typed goes on to the program; at the end of input no more does. */
static void relay(job *j) {
  char part[4096];
  ssize_t n = read(STDIN_FILENO, part, sizeof part);
  if (n < 0 && errno == EINTR) return;
  if (n > 0 && write(j->to, part, (size_t)n) == n) return;
  close(j->to);
  j->to = -1;
}

/* Errors go on to where this process writes its own, but for what Open MPI's mpirun says of each signal. */
static void relay_errors(job *j) {
  static const char noise[] = ": Forwarding signal ";
  char part[4096];
  ssize_t n = read(j->errors, part, sizeof part);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) {
    close(j->errors);
    j->errors = -1;
    return;
  }
  const char *end = part + n, *hit = memmem(part, (size_t)n, noise, sizeof noise - 1);
  const char *from = hit ? hit : end;
  const char *to = hit ? memchr(hit, '\n', (size_t)(end - hit)) : end;
  while (hit && from > part && from[-1] != '\n') from--;
  fwrite(part, 1, (size_t)(from - part), stderr);
  if (hit && to) fwrite(to + 1, 1, (size_t)(end - to) - 1, stderr);
}

static void take_output(job *j) {
  char part[65536];
  ssize_t n = read(j->from, part, sizeof part);
  if (n < 0 && errno == EINTR) return;
  if (n > 0) {
    str_put(&j->got, part, (size_t)n);
    return;
  }
  close(j->from);
  j->from = -1;
}

/* Takes in what there is, output before errors; false when the job has nothing to say any more. */
static bool take_in(job *j) {
  int typed = j->relays && j->to >= 0 ? STDIN_FILENO : -1;
  struct pollfd p[3] = {{.fd = j->from, .events = POLLIN},
                        {.fd = j->errors, .events = POLLIN},
                        {.fd = typed, .events = POLLIN}};
  hand_on_interrupt(j);
  if (poll(p, 3, 200) <= 0) return true;
  if (p[2].revents) relay(j);
  if (p[0].revents) take_output(j);
  else if (p[1].revents) relay_errors(j);
  return j->from >= 0 || j->errors >= 0;
}

/* The next message; false when there is none any more, and all is shown. */
static bool next_message(job *j, str *to) {
  do {
    if (j->got.n && take_message(j, to)) return true;
  } while (take_in(j));
  if (j->got.n && take_message(j, to)) return true;
  show(j->got.at, j->got.n);
  j->got.n = 0;
  return false;
}

/* The text behind the word of a message; NULL if it is another word. */
static const char *is_word(const str *message, const char *word) {
  size_t n = strlen(word);
  bool same = message->n > n && !memcmp(message->at, word, n) && message->at[n] == ' ';
  return same ? message->at + n + 1 : NULL;
}

/* ── a session ──────────────────────────────────────────────────────────────────────── */

static void measure_terminal(front *f) {
  struct winsize size = {.ws_col = 0};
  f->columns = f->lines = 0;
  if (!isatty(STDOUT_FILENO)) return;
  f->columns = 80;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col) return;
  f->columns = size.ws_col;
  f->lines = size.ws_row;
}

static void answer(job *j, const char *word, const char *text, size_t n) {
  char head[64];
  measure_terminal(&j->front);
  int length = snprintf(head, sizeof head, "%s %d %d %zu\n", word, j->front.columns,
                        j->front.lines, n);
  if (write(j->to, head, (size_t)length) != length) return;
  while (n) {
    ssize_t done = write(j->to, text, n);
    if (done < 0) return; /* the job is gone: reading from it says so */
    text += done;
    n -= (size_t)done;
  }
}

/* Asks rank 0, which waits for a line, for what the editor wants to know; false if it is gone. */
static bool inquire(job *j, const char *word, const char *text, size_t n, str *message) {
  answer(j, word, text, n);
  while (next_message(j, message))
    if (is_word(message, word)) return true;
  return false;
}

static void give_names(void *user, void (*each)(void *to, const char *name), void *to) {
  job *j = user;
  OWNED_STR str message = {.c = &j->s->c};
  if (!inquire(j, "names", "", 0, &message)) return;
  char *rest, *name = strtok_r((char *)is_word(&message, "names"), " ", &rest);
  for (; name; name = strtok_r(NULL, " ", &rest)) each(to, name);
}

static bool is_open(void *user, const char *text, size_t n) {
  job *j = user;
  OWNED_STR str message = {.c = &j->s->c};
  if (line_is_command(text, n) || !line_is_open(text, n)) return false;
  return inquire(j, "open", text, n, &message) && *is_word(&message, "open") == '1';
}

/* Rank 0 waits for a line. */
static void type_line(job *j, const char *prompt, bool entry) {
  const char *text = "";
  size_t n = 0;
  line_status got = line_read(j->s->lines, prompt, entry, &text, &n);
  atomic_store(&j->s->c.interrupt, false);
  static const char *const words[] = {
      [LINE_TEXT] = "text", [LINE_END] = "end", [LINE_CANCELLED] = "cancel"};
  if (!has_ended(j, false)) answer(j, words[got], text, got ? 0 : n);
}

/* Until the job has ended. */
static void serve(job *j) {
  OWNED_STR str message = {.c = &j->s->c};
  while (next_message(j, &message)) {
    const char *prompt = is_word(&message, "line"), *code = is_word(&message, "code");
    if (is_word(&message, "entry")) type_line(j, "      ", true);
    if (prompt) type_line(j, prompt, false);
    if (code) j->code = atoi(code);
  }
}

/* ── the whole ──────────────────────────────────────────────────────────────────────── */

static bool open_front(job *j, bool typed) {
  uint64_t key;
  front *f = &j->front;
  if (getentropy(&key, sizeof key)) key = (uint64_t)getpid();
  snprintf(f->key, sizeof f->key, "%016llx", (unsigned long long)key);
  snprintf(j->mark, sizeof j->mark, "%c%s ", ASK, f->key);
  measure_terminal(f);
  f->typed = typed;
  f->asks = isatty(STDIN_FILENO);
  f->merged = f->columns && isatty(STDERR_FILENO);
  j->relays = !typed && f->asks;
  if (!typed) return true;
  line_config k = {.c = &j->s->c, .names = give_names, .is_open = is_open, .user = j};
  j->s->lines = session_lines(j->s, k);
  return j->s->lines != NULL;
}

static int exit_code(const job *j) {
  if (j->given_up) return EXIT_STOPPED;
  if (WIFSIGNALED(j->status)) return 128 + WTERMSIG(j->status);
  int code = WEXITSTATUS(j->status);
  return !code && j->code >= 0 ? j->code : code;
}

static int run(job *j, char **argv) {
  if (!start(j, argv)) {
    terminal_print(stderr, "vapl: %s: %s\n", argv[0], strerror(errno));
    return EXIT_APL;
  }
  serve(j);
  has_ended(j, true);
  return exit_code(j);
}

/* mpirun -n N vapl --ranks --front … and what the command line has besides. */
static bool fill_arguments(char **argv, const options *o, const char *count,
                           const char *said, const char *hosts) {
  static char self[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return false;
  const char *name = o->value[OPT_MPIRUN];
  int k = 0;
  argv[k++] = (char *)(name ? name : "mpirun");
  argv[k++] = (char *)"-n";
  argv[k++] = (char *)count;
  if (hosts) argv[k++] = (char *)"-hostfile";
  if (hosts) argv[k++] = (char *)hosts;
  argv[k++] = self;
  argv[k++] = (char *)"--ranks";
  argv[k++] = (char *)"--front";
  argv[k++] = (char *)said;
  for (char **p = o->others; *p; p++) argv[k++] = *p;
  return true;
}

enum { OWN_ARGUMENTS = 9 };

static int launch_job(job *j, const options *o, long n, const char *hosts) {
  char count[24], said[80];
  size_t others = 0;
  while (o->others[others]) others++;
  ctx *c = &j->s->c;
  char **argv = mem_zalloc(c, (OWN_ARGUMENTS + others + 1) * sizeof *argv);
  snprintf(count, sizeof count, "%ld", n);
  front_print(&j->front, said, sizeof said);
  set_variables(n, hosts != NULL);
  int code = EXIT_APL;
  if (argv && fill_arguments(argv, o, count, said, hosts)) code = run(j, argv);
  mem_free(c, argv);
  return code;
}

/* Is everything there? False after a message. */
static bool can_launch(const options *o) {
  char why[600], file[PATH_MAX];
  const char *name = o->value[OPT_MPIRUN] ? o->value[OPT_MPIRUN] : "mpirun";
  if (!is_program(name)) {
    terminal_print(stderr,
                   "vapl: -n needs MPI, whose %s is not here: install it (on Debian `apt "
                   "install openmpi-bin libopenmpi-dev`), then `make mpi`\n",
                   name);
    return false;
  }
  if (o->value[OPT_COMM] || ranks_find(file, why, sizeof why)) return true;
  terminal_print(stderr, "vapl: %s\n", why);
  return false;
}

int launch(session *s, const options *o, bool typed) {
  job j = {.s = s,
           .got = {.c = &s->c},
           .to = -1,
           .from = -1,
           .errors = -1,
           .code = -1,
           .stopped = -1e9};
  long n;
  const char *hosts;
  if (o->value[OPT_RANKS]) return usage_error("-n starts what --ranks is for", "");
  if (!read_count(o->value[OPT_PROCESSES], &n, &hosts))
    return usage_error("-n takes a number of processes, not ", o->value[OPT_PROCESSES]);
  if (!can_launch(o)) return EXIT_USAGE;
  int code = EXIT_APL;
  if (open_front(&j, typed)) code = launch_job(&j, o, n, hosts);
  else session_complain(s);
  line_free(s->lines);
  s->lines = NULL;
  str_free(&j.got);
  if (j.to >= 0) close(j.to);
  if (j.from >= 0) close(j.from);
  if (j.errors >= 0) close(j.errors);
  return code;
}
