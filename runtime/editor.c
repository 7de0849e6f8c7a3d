/* SPDX-License-Identifier: MIT */
/* editor.c - a person's editor: $VISUAL, else $EDITOR, else vi, on a text in a file of a private
 * folder.
 *
 * The editor has the terminal to itself, as the line editor leaves it when it has read a line;
 * signals of its keys are not ours meanwhile, and the terminal's modes are put back however it
 * ends. The folder goes afterwards, with what the editor left there; it stays if the person gives
 * up a text that could not be taken. */
#include "progress.h"
#include "script.h"
#include "session.h"
#include "terminal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;
enum { LONGEST_NAME = 200 };

/* ── the file ───────────────────────────────────────────────────────────────────────── */

static bool complain(ctx *c, const char *what) {
  return err_set(c, ERR_FILE_SYSTEM, "%s: %s", what, strerror(errno));
}

static bool editor_make_folder(str *folder) {
  const char *in = getenv("TMPDIR");
  str_printf(folder, "%s/vapl-XXXXXX", in && *in ? in : "/tmp");
  return !folder->failed && (mkdtemp(folder->at) || complain(folder->c, folder->at));
}

static bool write_all(int fd, const char *p, size_t n) {
  while (n) {
    ssize_t did = write(fd, p, n);
    if (did < 0 && errno != EINTR) return false;
    if (did < 0) continue;
    p += did;
    n -= (size_t)did;
  }
  return true;
}

/* The text as a new file that only its owner reads. */
static bool editor_write_file(const char *path, const str *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  bool ok = fd >= 0 && write_all(fd, text->at, text->n);
  if (fd >= 0 && close(fd)) ok = false;
  return ok || complain(text->c, path);
}

static bool read_file(const char *path, str *text) {
  char *at = NULL;
  size_t n = 0;
  bool ok = script_read(text->c, path, &at, &n);
  text->n = 0;
  if (ok) str_put(text, at, n);
  str_put(text, "", 0);
  mem_free(text->c, at);
  return ok && !text->failed;
}

/* The folder and the files in it, backups of the editor among them. */
static void remove_folder(const char *folder) {
  DIR *d = opendir(folder);
  if (!d) return;
  for (const struct dirent *k; (k = readdir(d));)
    if (strcmp(k->d_name, ".") && strcmp(k->d_name, ".."))
      unlinkat(dirfd(d), k->d_name, 0);
  closedir(d);
  rmdir(folder);
}

/* ── the editor ─────────────────────────────────────────────────────────────────────── */

static const char *editor(void) {
  static const char *const variables[] = {"VISUAL", "EDITOR"};
  for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
    const char *name = getenv(variables[i]);
    if (name && *name) return name;
  }
  return "vi";
}

/* Starts it by the shell, for its name may have options behind it; 0 or an error number. */
static int editor_start(const str *command, char *path, pid_t *child) {
  char sh[] = "sh", c[] = "-c";
  char *argv[] = {sh, c, command->at, sh, path, NULL};
  posix_spawnattr_t how;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int number = posix_spawn(child, "/bin/sh", NULL, &how, argv, environ);
  posix_spawnattr_destroy(&how);
  return number;
}

/* Runs it on the file until it ends; false: it could not, or says that it failed. */
static bool run_editor(ctx *c, const char *path) {
  OWNED_STR str command = {.c = c};
  OWNED_STR str name = {.c = c};
  struct sigaction ignore = {.sa_handler = SIG_IGN}, was[2];
  struct termios modes;
  pid_t child;
  int status = 0;
  str_printf(&command, "%s \"$1\"", editor());
  str_puts(&name, path);
  if (command.failed || name.failed) return false;
  bool terminal = !tcgetattr(STDIN_FILENO, &modes);
  fflush(stdout);
  sigaction(SIGINT, &ignore, &was[0]);
  sigaction(SIGQUIT, &ignore, &was[1]);
  errno = editor_start(&command, name.at, &child);
  bool ok = !errno;
  while (ok && waitpid(child, &status, 0) < 0) ok = errno == EINTR;
  sigaction(SIGINT, &was[0], NULL);
  sigaction(SIGQUIT, &was[1], NULL);
  if (terminal) tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
  if (!ok) return complain(c, editor());
  if (WIFEXITED(status) && !WEXITSTATUS(status)) return true;
  return err_set(c, ERR_FILE_SYSTEM, "%s: the editor failed, and nothing was changed",
                 editor());
}

/* ── both ───────────────────────────────────────────────────────────────────────────── */

/* Shows why a text was not taken, and asks. */
static bool goes_on(session *s, const char *again) {
  const char *text;
  size_t n;
  fflush(stdout);
  terminal_print(stderr, "%s", again);
  line_status got = line_read(s->lines, "edit it again? [y]/n ", false, &text, &n);
  return got == LINE_TEXT && (!n || (*text | 32) == 'y');
}

bool session_edit(void *user, const char *file, const char *again, str *text) {
  session *s = user;
  if (s->ranks)
    return err_set(&s->c, ERR_NONCE,
                   "an editor needs the terminal, which ranks have not");
  OWNED_STR str folder = {.c = &s->c};
  OWNED_STR str path = {.c = &s->c};
  if (!editor_make_folder(&folder)) return false;
  size_t n = strlen(file);
  const char *name = n < LONGEST_NAME ? file : "text.apl";
  str_printf(&path, "%s/%s", folder.at, name);
  progress_set(s->progress, false);
  bool ok = !path.failed && editor_write_file(path.at, text);
  bool written = ok;
  if (ok && again) ok = goes_on(s, again);
  ok = ok && run_editor(&s->c, path.at) && read_file(path.at, text);
  if (written && again && !ok) terminal_print(stderr, "the text is in %s\n", path.at);
  else remove_folder(folder.at);
  progress_set(s->progress, true);
  return ok;
}
