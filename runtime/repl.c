/* SPDX-License-Identifier: MIT */
/* repl.c - a person's session: read an entry, run it, show what it shows, again.
 *
 * The prompt is six blanks and output is flush left, so that a session can be pasted back as
 * it stands. An error shows and the session goes on; Ctrl-C stops what runs, or drops what was
 * being typed; the end of input, )OFF and ⎕OFF leave. Before the first prompt runs
 * $XDG_CONFIG_HOME/vapl/init.apl, if there is one. */
#include "progress.h"
#include "ranks.h"
#include "script.h"
#include "session_ranks.h"
#include "vapl.h"
#include <string.h>

/* The caller that asked for the names, and is given each. */
typedef struct asker {
  void (*each)(void *to, const char *name);
  void *to;
} asker;

static void give_name(void *user, const char *name, int name_class) {
  const asker *a = user;
  UNUSED(name_class);
  a->each(a->to, name);
}

static void names(void *user, void (*each)(void *to, const char *name), void *to) {
  session *s = user;
  asker a = {each, to};
  vm_names(s->m, give_name, &a);
}

static bool is_open(void *user, const char *text, size_t n) {
  const session *s = user;
  return !line_is_command(text, n) && vm_entry_is_open(s->m, text, n);
}

/* Runs a text entry by entry, like what is typed: one that fails shows why, and the rest
 * runs. */
static void run_entries(session *s, program p, const char *end) {
  const char *at = p.text;
  while (at < end && !s->ended) {
    uint32_t lines = 0;
    p.text = at;
    do {
      const char *newline = memchr(at, '\n', (size_t)(end - at));
      at = newline ? newline + 1 : end;
      lines++;
    } while (at < end && line_is_open(p.text, (size_t)(at - p.text)));
    p.n = (size_t)(at - p.text);
    if (at[-1] == '\n') p.n--;
    session_run(s, &p);
    p.first_line += lines;
  }
}

static void run_init(session *s) {
  char path[PATH_BYTES],
      *text = NULL; /* a rank that does not read has none, without a file */
  program p = {.name = path, .first_line = 1, .commands = true};
  if (!session_path(path, "XDG_CONFIG_HOME", ".config", "vapl/init.apl")) return;
  session_limits_begin(s);
  bool ok = ranks_first(s) && script_read(&s->c, path, &text, &p.n);
  if (ranks_same_text(s, ok, &text, &p.n)) {
    p.text = text;
    run_entries(s, p, text + p.n);
  } else if (err_is(&s->c) && s->c.err.code != ERR_FILE_NAME) {
    session_complain(s);
  }
  session_limits_end(s);
  err_clear(&s->c);
  mem_free(&s->c, text);
}

static bool blank(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!strchr(" \t\r\n", text[i])) return false;
  return true;
}

/* Runs a copy: ⎕ and ⍞ read further lines into the place where the entry stands. */
static void run_entry(session *s, const char *text, size_t n) {
  OWNED_STR str own = {.c = &s->c};
  str_put(&own, text, n);
  if (own.failed) {
    session_complain(s);
    return;
  }
  program p = {"", own.at, own.n, 1, true, false};
  session_run(s, &p);
}

/* Reads entries and runs them, until the session ends or (`within`) the function that is suspended goes
 * on: then with what its last entry may use. */
static void read_entries(session *s, bool within) {
  while (!s->ended) {
    const char *text;
    size_t n;
    vm_look(s->m);
    line_status got = ranks_entry(s, "      ", &text, &n);
    if (got == LINE_END) s->ended = true;
    atomic_store(&s->c.interrupt, false);
    if (got != LINE_TEXT || blank(text, n)) continue;
    session_limits_begin(s);
    run_entry(s, text, n);
    if (within && vm_resumes(s->m)) return;
    session_limits_end(s);
  }
}

/* A function is suspended: the session goes on within it. */
static bool on_suspend(void *user) {
  session *s = user;
  progress_set(s->progress, false);
  session_report(s);
  session_limits_end(s);
  read_entries(s, true);
  progress_set(s->progress, true);
  return !s->ended;
}

static void print_banner(const session *s) {
  printf("vapl %s", VAPL_VERSION_TEXT);
  if (s->ranks) printf(" on %d ranks, %s\n", s->ranks->comm->ranks, s->ranks->comm->name);
  else printf("   ");
  printf("%s, ]help, )OFF leaves\n", line_hint);
}

int repl(session *s) {
  line_config k = {.c = &s->c, .names = names, .is_open = is_open, .user = s};
  if (!s->ranks && !(s->lines = session_lines(s, k))) return session_complain(s);
  s->live = true;
  print_banner(s);
  run_init(s);
  vm_suspend_by(s->m, on_suspend);
  read_entries(s, false);
  vm_suspend_by(s->m, NULL);
  line_free(s->lines);
  s->lines = NULL;
  s->live = false;
  return s->code;
}
