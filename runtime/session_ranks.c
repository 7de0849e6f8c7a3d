/* SPDX-License-Identifier: MIT */
/* session_ranks.c - one of several processes that run one program: rank 0 reads and writes, and what it
 * reads becomes everybody's. */
#include "session_ranks.h"
#include "../src/base/mem.h"
#include "ranks.h"
#include "terminal.h"
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── what the process of -n says ────────────────────────────────────────────────────── */

void front_print(const front *f, char *to, size_t n) {
  snprintf(to, n, "%s,%d,%d,%s%s%s", f->key, f->columns, f->lines, f->typed ? "s" : "",
           f->asks ? "i" : "", f->merged ? "m" : "");
}

bool front_read(front *f, const char *text) {
  char flags[8] = "";
  *f = (front){.columns = 0};
  int n = sscanf(text, "%16[0-9a-f],%d,%d,%7s", f->key, &f->columns, &f->lines, flags);
  f->typed = strchr(flags, 's') != NULL;
  f->asks = strchr(flags, 'i') != NULL;
  f->merged = strchr(flags, 'm') != NULL;
  return n >= 3;
}

/* ── beginning ──────────────────────────────────────────────────────────────────────── */

/* Ranks other than 0 write nothing. */
static void silence(ranks *r) {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  r->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  if (nowhere >= 0) close(nowhere);
}

int ranks_begin(session *s, ranks *r, const char *comm, const char *said) {
  char why[600];
  if (said && !front_read(&r->front, said)) {
    terminal_print(stderr, "vapl: --front is for -n\n");
    return EXIT_USAGE;
  }
  r->comm = ranks_open(comm, why, sizeof why);
  if (!r->comm) {
    terminal_print(stderr, "vapl: %s\n", why);
    return EXIT_USAGE;
  }
  r->text.c = &s->c;
  r->errors = STDERR_FILENO;
  terminal_is(r->front.columns > 0);
  if (r->comm->rank) silence(r);
  else if (r->front.merged) dup2(STDOUT_FILENO, STDERR_FILENO);
  s->ranks = r;
  return 0;
}

/* The next of a list with commas, without it. */
static size_t item_length(const char *list) { return strcspn(list, ","); }

const char *ranks_device(session *s, const char *list) {
  ranks *r = s->ranks;
  if (!r || !list || !strchr(list, ',')) return list;
  int n = 1;
  for (const char *p = list; *p; p++) n += *p == ',';
  const char *at = list;
  for (int i = r->comm->host_rank % n; i > 0; i--) at += item_length(at) + 1;
  snprintf(r->device, sizeof r->device, "%.*s", (int)item_length(at), at);
  return r->device;
}

/* Where the launcher bound each rank to processors of its own they are as many as those. */
int ranks_threads(const session *s) {
  cpu_set_t set;
  if (!s->ranks || s->ranks->comm->host_ranks < 2) return 0;
  long share = sysconf(_SC_NPROCESSORS_ONLN) / s->ranks->comm->host_ranks;
  if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) < share)
    share = CPU_COUNT(&set);
  return share > 1 ? (int)share : 1;
}

/* ── ending ─────────────────────────────────────────────────────────────────────────── */

void ranks_keep(session *s, const char *text, size_t n) {
  ranks *r = s->ranks;
  enum { MOST = sizeof r->kept };
  if (!r || !r->comm->rank) return;
  if (n > MOST) {
    text += n - MOST;
    n = MOST;
  }
  size_t stay = r->n_kept + n > MOST ? MOST - n : r->n_kept;
  memmove(r->kept, r->kept + r->n_kept - stay, stay);
  memcpy(r->kept + stay, text, n);
  r->n_kept = stay + n;
}

void ranks_hint(session *s, const char *text) {
  const ranks *r = s->ranks;
  if (r && r->comm->rank && !strncmp(text, "rank ", 5))
    dprintf(r->errors, "vapl: %s\n", text);
}

/* Says on the standard error that it was given where this rank is, and what it wrote last. */
static void tell_last_words(const session *s, int code) {
  const ranks *r = s->ranks;
  dprintf(r->errors, "vapl: rank %d ends with code %d, others do not%s\n", r->comm->rank,
          code, r->n_kept ? "; the last that it had to say:" : "");
  dprintf(r->errors, "%.*s\n", (int)r->n_kept, r->kept);
}

/* The codes stand where an interpreter that still runs (src/dist/agree.c) has nothing, and the first two words
 * tell it that this is the end. */
int ranks_end(session *s, int code) {
  const ranks *r = s->ranks;
  if (!r) return code;
  enum { LAST = VAPL_COMM_WORDS - 1 };
  vapl_agreement mine = {.most = {-1, 0, 0, 0, INT64_MIN, INT64_MIN}}, all;
  mine.most[LAST - 1] = code;
  mine.most[LAST] = ~code;
  str_free(&s->ranks->text);
  ranks_agree(r->comm, &mine, &all);
  bool apart = all.most[0] != -1 || all.most[1] != 0;
  int most = (int)all.most[LAST - 1];
  if (apart || (most != ~all.most[LAST] && code == most)) tell_last_words(s, code);
  if (apart) r->comm->abort(r->comm->user, RANKS_FAILED);
  if (!*r->front.key) return most;
  if (!r->comm->rank) printf("%c%s code %d\n", ASK, r->front.key, most);
  return 0;
}

/* ── what rank 0 reads ──────────────────────────────────────────────────────────────── */

bool ranks_first(const session *s) { return !s->ranks || !s->ranks->comm->rank; }

bool ranks_same_text(session *s, bool ok, char **text, size_t *n) {
  if (!s->ranks) return ok;
  uint64_t head[2] = {ok, ok ? *n : 0};
  ranks_share(s->ranks->comm, head, sizeof head);
  if (!head[0]) return false;
  *n = head[1];
  if (!ranks_first(s)) *text = mem_alloc(&s->c, *n + 1);
  if (!*text) s->ranks->comm->abort(s->ranks->comm->user, RANKS_FAILED);
  ranks_share(s->ranks->comm, *text, *n);
  if (!ranks_first(s)) (*text)[*n] = 0;
  return true;
}

bool ranks_same_number(session *s, int64_t *number) {
  if (!s->ranks) return !interrupted(&s->c);
  int64_t head[2] = {*number, atomic_exchange(&s->c.interrupt, false)};
  ranks_share(s->ranks->comm, head, sizeof head);
  *number = head[0];
  if (!head[1]) return true;
  return err_set(&s->c, ERR_INTERRUPT, "%s", "");
}

bool ranks_same_entry(session *s, str *entry, bool *more) {
  if (!s->ranks) return !interrupted(&s->c) && !entry->failed;
  int64_t head[3] = {*more, s->taken, entry->failed ? -1 : (int64_t)entry->n};
  if (!ranks_same_number(s, &head[0])) return false;
  ranks_share(s->ranks->comm, head + 1, sizeof head - sizeof *head);
  *more = head[0] > 0;
  s->taken = (uint32_t)head[1];
  if (head[2] < 0) return err_set(&s->c, ERR_WS_FULL, "no memory for an entry");
  if (!ranks_first(s)) str_pad(entry, (size_t)head[2]);
  if (entry->failed) s->ranks->comm->abort(s->ranks->comm->user, RANKS_FAILED);
  ranks_share(s->ranks->comm, entry->at, entry->n);
  return true;
}

/* ── talking with the process of -n ─────────────────────────────────────────────────── */

static void say(const session *s, const char *word, const char *text) {
  printf("%c%s %s %s\n", ASK, s->ranks->front.key, word, text);
  fflush(stdout);
}

/* A byte of the standard input: signals are for what runs, not for who waits. EOF. */
static int next_byte(void) {
  int ch;
  while ((ch = getchar()) == EOF && ferror(stdin)) clearerr(stdin);
  return ch;
}

/* One message: its word, its bytes in `text`. False at the end. */
static bool listen_for(session *s, char word[ASK_WORD], str *text) {
  front *f = &s->ranks->front;
  char head[64];
  size_t n = 0, bytes = 0;
  int ch = 0;
  while (n < sizeof head - 1 && (ch = next_byte()) != EOF && ch != '\n')
    head[n++] = (char)ch;
  head[n] = 0;
  if (ch != '\n' ||
      sscanf(head, "%15s %d %d %zu", word, &f->columns, &f->lines, &bytes) != 4)
    return false;
  text->n = 0;
  for (; bytes && (ch = next_byte()) != EOF; bytes--) str_put(text, &(char){(char)ch}, 1);
  str_put(text, "", 0);
  return !bytes && !text->failed;
}

static void put_name(void *user, const char *name, int name_class) {
  UNUSED(name_class);
  str_put(user, " ", 1);
  str_puts(user, name);
}

static void answer_names(session *s) {
  OWNED_STR str names = {.c = &s->c};
  str_put(&names, "", 0);
  vm_names(s->m, put_name, &names);
  say(s, "names", names.failed ? "" : names.at);
}

static void answer_open(session *s, const str *text) {
  bool is_open =
      !line_is_command(text->at, text->n) && vm_entry_is_open(s->m, text->at, text->n);
  say(s, "open", is_open ? "1" : "0");
}

/* Rank 0 asks, and answers what it is asked meanwhile. */
static line_status ask(session *s, const char *word, const char *prompt) {
  str *text = &s->ranks->text;
  char answer[ASK_WORD];
  say(s, word, prompt);
  for (;;) {
    if (!listen_for(s, answer, text) || !strcmp(answer, "end")) return LINE_END;
    if (!strcmp(answer, "text")) return LINE_TEXT;
    if (!strcmp(answer, "cancel")) return LINE_CANCELLED;
    if (!strcmp(answer, "names")) answer_names(s);
    if (!strcmp(answer, "open")) answer_open(s, text);
  }
}

/* What everybody has to know of a line. */
typedef struct heard {
  int status, columns, lines;
  uint64_t n;
} heard;

line_status ranks_data(session *s, const char *prompt, const char **text, size_t *n) {
  ranks *r = s->ranks;
  if (!r) return line_read(s->lines, prompt, false, text, n);
  line_status status = ask(s, "line", prompt);
  if (status == LINE_CANCELLED) atomic_store(&s->c.interrupt, true);
  *text = r->text.at;
  *n = r->text.n;
  return status;
}

line_status ranks_entry(session *s, const char *prompt, const char **text, size_t *n) {
  ranks *r = s->ranks;
  if (!r) return line_read(s->lines, prompt, true, text, n);
  heard h = {.status = 0};
  if (ranks_first(s)) {
    h.status = (int)ask(s, "entry", prompt);
    h = (heard){h.status, r->front.columns, r->front.lines, r->text.n};
  }
  ranks_share(r->comm, &h, sizeof h);
  r->front.columns = h.columns;
  r->front.lines = h.lines;
  *text = "";
  *n = 0;
  if (h.status == LINE_CANCELLED) atomic_store(&s->c.interrupt, true);
  if (h.status || !h.n) return (line_status)h.status;
  if (!ranks_first(s)) {
    r->text.n = 0;
    str_pad(&r->text, h.n);
  }
  if (r->text.failed) r->comm->abort(r->comm->user, RANKS_FAILED);
  ranks_share(r->comm, r->text.at, h.n);
  *text = r->text.at;
  *n = h.n;
  return LINE_TEXT;
}
