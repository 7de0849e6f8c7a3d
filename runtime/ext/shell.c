/* SPDX-License-Identifier: MIT */
/* shell.c - ⎕SH and ⎕SHELL: commands of the system's shell.
 *
 * The command runs in a process group of its own, with nothing to read; what it writes is
 * gathered as it comes. Ctrl-C ends the group. */
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
enum { LOOK_MS = 50 };

static bool shell_start(vm *v, const char *who, const char *command, int out,
                        pid_t *child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t none, usual;
  char *argv[] = {"sh", "-c", NULL, NULL};
  OWNED_STR str text = {.c = v->c};
  str_puts(&text, command);
  if (text.failed) return false;
  argv[2] = text.at;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  if (posix_spawn_file_actions_init(&files)) return ext_os_error(v, who, "sh");
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, 1);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                     POSIX_SPAWN_SETSIGDEF);
  int number = posix_spawn(child, "/bin/sh", &files, &how, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  errno = number;
  return !number || ext_os_error(v, who, "/bin/sh");
}

/* All that comes out of fd, until its end. */
static bool gather(vm *v, int fd, const char *who, str *out) {
  char part[65536];
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int ready = poll(&p, 1, LOOK_MS);
    if (interrupted(v->c) || out->failed) return false;
    if (ready <= 0) continue;
    ssize_t n = read(fd, part, sizeof part);
    if (n < 0 && errno != EINTR) return ext_os_error(v, who, "a pipe");
    if (n == 0) return true;
    if (n > 0) str_put(out, part, (size_t)n);
  }
}

/* The end of the process: its exit code, 128 and more for a signal. It is waited for by looks,
 * for it may have closed its output and go on. */
static bool end_of(vm *v, pid_t child, bool ok, int *code) {
  int status = 0;
  while (ok && !waitpid(child, &status, WNOHANG)) {
    poll(NULL, 0, 1);
    ok = !interrupted(v->c);
    if (ok) continue;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
  }
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ok;
}

/* What it wrote as lines. */
static arr *shell_run(vm *v, const char *who, arr *y, int *code) {
  OWNED_STR str command = {.c = v->c};
  OWNED_STR str out = {.c = v->c};
  int ends[2];
  pid_t child;
  if (!ext_may(v, MAY_RUN, who) || !arg_text(v, y, who, &command)) return NULL;
  if (strlen(command.at) != command.n)
    return err_null(v->c, ERR_DOMAIN, "%s: a command has no NUL in it", who);
  if (pipe2(ends, O_CLOEXEC)) {
    ext_os_error(v, who, "a pipe");
    return NULL;
  }
  bool ok = shell_start(v, who, command.at, ends[1], &child);
  close(ends[1]);
  if (ok) {
    ok = gather(v, ends[0], who, &out);
    if (!ok) {
      kill(-child, SIGKILL);
      waitpid(child, NULL, 0);
    } else ok = end_of(v, child, ok, code);
  }
  close(ends[0]);
  if (!ok) return NULL;
  text_format f = {UTF_8, false};
  int line_end;
  OWNED arr *bytes = arr_vec(v->c, ET_C8, (int64_t)out.n);
  if (!bytes) return NULL;
  if (out.n) memcpy(bytes->host, out.at, out.n);
  OWNED arr *text = text_decode(v, bytes, who, &f, &line_end);
  return text ? text_lines(v, text) : NULL;
}

bool ext_sh(vm *v, arr *x, arr *y, arr **r) {
  int code = 0;
  UNUSED(x);
  OWNED arr *lines = shell_run(v, "⎕SH", y, &code);
  if (!lines) return false;
  if (code)
    return err_set(v->c, ERR_DOMAIN, "⎕SH: the command ended with exit code %d", code);
  return give_result(r, arr_move(&lines));
}

bool ext_shell(vm *v, arr *x, arr *y, arr **r) {
  int code = 0;
  UNUSED(x);
  arr *lines = shell_run(v, "⎕SHELL", y, &code);
  return lines && give_result(r, items_pair(v, lines, arr_int(v->c, code)));
}
