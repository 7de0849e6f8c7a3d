/* SPDX-License-Identifier: MIT */
/* line_edit.c - lines edited by libedit, when the build has it.
 *
 * An entry is edited as a whole, however many lines it has: Enter asks the parser whether a
 * bracket is open and then inserts a line break and the prompt's blanks instead of ending the
 * entry, so that Up recalls a function in one piece and a pasted block arrives in one piece.
 *
 *   backtick key   the glyph of glyphs.def; backtick Tab shows them all
 *   Tab            completes a name, or turns the name of a primitive into its glyph; names of
 *                  files in a text that is open and behind )LOAD and its like
 *   Up, Down       move within an entry of several lines, at its ends through the history
 *   Ctrl-_, Alt-_  undoes, does again
 *   Ctrl-R         searches the history; Ctrl-D on an empty entry ends; Ctrl-C drops it
 *
 * Three facts about libedit shape this file. A function of ours cannot call one of its own, so
 * Enter pushes a private key that is bound to ed-newline, Up and Down likewise. It cannot be told that a
 * read was interrupted, so all reading goes through get_key(), which notes why it gave up.
 * And it drops glyphs unless LC_CTYPE is a UTF-8 locale: main.c sees to that. */
#include "line.h"
#include "terminal.h"
#include "../src/base/mem.h"
#include "../src/base/utf8.h"
#ifdef HAVE_LIBEDIT
#include "../src/tables/help.h"
#include "keymap.h"
#include "line_undo.h"
#include "paint.h"
#include <errno.h>
#include <glob.h>
#include <histedit.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

const char line_hint[] = "` then a key types a glyph, ` Tab shows them";

/* Key sequences that no keyboard sends, bound to the actions that our functions continue with. */
#define END_ENTRY "[990~" /* behind an escape */
#define OLDER "[991~"
#define NEWER "[992~"
enum { HISTORY = 1000 };

struct line {
  ctx *c;
  line_config cfg;
  EditLine *el;
  History *history;
  const char *prompt;
  bool program, smart; /* smart: the terminal understands escapes */
  line_status why;     /* what get_key gave up for */
  str text;
  line_undo undo;
};

static volatile sig_atomic_t resized, continued; /* told by the handlers below */
static void on_resize(int sig) {
  UNUSED(sig);
  resized = 1;
}
static void on_continue(int sig) {
  UNUSED(sig);
  continued = 1;
}

static line *line_of(EditLine *el) {
  void *l = NULL;
  el_get(el, EL_CLIENTDATA, &l);
  return l;
}

/* ── keys ───────────────────────────────────────────────────────────────────────────── */

static int columns(void) {
  struct winsize w;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col) return 80;
  return w.ws_col;
}

/* Lines of the terminal above the cursor that the entry takes, now that they have `wide`
 * columns: the terminal has wrapped them anew. */
static int lines_above(const line *l, int wide) {
  const LineInfoW *i = el_wline(l->el);
  int x = (int)utf8_count(l->prompt, strlen(l->prompt)), y = 0;
  for (const wchar_t *p = i->buffer; p < i->cursor; p++) {
    if (*p == '\n') {
      x = 0;
      y++;
      continue;
    }
    int w = utf8_width((uint32_t)*p);
    if (x + w > wide) {
      x = 0;
      y++;
    }
    x += w;
  }
  return y + x / wide;
}

/* Draws the entry again from its first line on. */
static void redraw(line *l) {
  int up = lines_above(l, columns());
  if (l->smart) {
    if (up) printf("\033[%dA", up);
    printf("\r\033[J");
    fflush(stdout);
  }
  el_resize(l->el);
  el_set(l->el, EL_REFRESH);
}

/* After a signal: true if reading goes on. */
static bool go_on(line *l) {
  if (resized) {
    resized = 0;
    redraw(l);
  }
  if (continued) {
    continued = 0;
    el_set(l->el, EL_PREP_TERM, 1);
    el_set(l->el, EL_REFRESH);
  }
  if (!atomic_load(&l->c->interrupt)) return true;
  l->why = LINE_CANCELLED;
  return false;
}

/* One byte as read() gives it, EINTR after a signal: also after one that came while the last
 * key was worked on. So signals are let in only while ppoll waits, which no signal can slip
 * past. */
static ssize_t read_byte(const line *l, char *byte) {
  struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGWINCH);
  sigaddset(&ours, SIGCONT);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  int ready = -1, why = EINTR;
  if (!resized && !continued && !atomic_load(&l->c->interrupt)) {
    ready = ppoll(&in, 1, NULL, &before);
    why = errno;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  if (ready < 0) return -1;
  return read(STDIN_FILENO, byte, 1);
}

/* One character, as libedit wants it: 1, 0 at the end, -1 when interrupted. */
static int get_key(EditLine *el, wchar_t *to) {
  line *l = line_of(el);
  mbstate_t state;
  memset(&state, 0, sizeof state);
  undo_note(&l->undo, el);
  for (;;) {
    char byte;
    ssize_t got = read_byte(l, &byte);
    if (got < 0 && errno == EINTR) {
      if (go_on(l)) continue;
      return -1;
    }
    if (got <= 0) {
      l->why = LINE_END;
      return (int)got;
    }
    size_t n = mbrtowc(to, &byte, 1, &state);
    if (n == (size_t)-2) continue;
    if (n == (size_t)-1) {
      memset(&state, 0, sizeof state);
      continue;
    }
    return 1;
  }
}

static void insert(EditLine *el, const char *utf8) {
  const char *end = utf8 + strlen(utf8);
  while (utf8 < end) {
    wchar_t w[2] = {(wchar_t)utf8_next(utf8, end, &utf8), 0};
    el_winsertstr(el, w);
  }
}

/* The entry so far as UTF-8: all of it, or what stands before the cursor. */
static void entry(EditLine *el, bool before_cursor, str *s) {
  const LineInfoW *i = el_wline(el);
  const wchar_t *end = i->lastchar;
  if (before_cursor) end = i->cursor;
  for (const wchar_t *p = i->buffer; p < end; p++) str_putc(s, (uint32_t)*p);
  str_put(s, "", 0);
}

static unsigned char on_enter(EditLine *el, int ch) {
  UNUSED(ch);
  line *l = line_of(el);
  OWNED_STR str s = {.c = l->c};
  entry(el, false, &s);
  if (l->program && !s.failed && l->cfg.is_open(l->cfg.user, s.at, s.n)) {
    insert(el, "\n");
    insert(el, l->prompt);
    return CC_REFRESH;
  }
  el_wpush(el, L"\033" END_ENTRY);
  return CC_NORM;
}

/* Prints below the entry, which is then drawn again. */
static unsigned char show_below(const str *s) {
  terminal_print(stdout, "\n%s", s->failed ? "" : s->at);
  fflush(stdout);
  return CC_REDISPLAY;
}

/* Tab shows the keys, of which the next one is still to be typed. */
static unsigned char on_prefix(EditLine *el, int ch) {
  UNUSED(ch);
  wchar_t key;
  if (el_wgetc(el, &key) != 1) return CC_EOF;
  if (key == '\t') {
    OWNED_STR str s = {.c = line_of(el)->c};
    glyph_show(&s, columns());
    show_below(&s);
    el_set(el, EL_REFRESH);
    if (el_wgetc(el, &key) != 1) return CC_EOF;
  }
  const glyph_row *g = glyph_of_key((uint32_t)key);
  if (!g) return CC_ERROR;
  insert(el, g->glyph);
  return CC_REFRESH;
}

/* Where the line that holds p begins, and its end. */
static const wchar_t *line_begin(const LineInfoW *i, const wchar_t *p) {
  while (p > i->buffer && p[-1] != '\n') p--;
  return p;
}
static const wchar_t *line_end(const LineInfoW *i, const wchar_t *p) {
  while (p < i->lastchar && *p != '\n') p++;
  return p;
}

/* Moves to the same column of the line that begins at `to`. In front of the first line stands
 * the prompt, which all the others begin with. */
static unsigned char move_to(EditLine *el, const wchar_t *to) {
  const LineInfoW *i = el_wline(el);
  const wchar_t *from = line_begin(i, i->cursor), *end = line_end(i, to);
  ptrdiff_t prompt = (ptrdiff_t)strlen(line_of(el)->prompt), x = i->cursor - from;
  if (from == i->buffer) x += prompt;
  if (to == i->buffer) x -= prompt;
  if (x < 0) x = 0;
  if (x > end - to) x = end - to;
  el_cursor(el, (int)(to + x - i->cursor));
  return CC_REFRESH;
}

static unsigned char on_up(EditLine *el, int ch) {
  UNUSED(ch);
  const LineInfoW *i = el_wline(el);
  const wchar_t *begin = line_begin(i, i->cursor);
  if (begin > i->buffer) return move_to(el, line_begin(i, begin - 1));
  el_wpush(el, L"\033" OLDER);
  return CC_NORM;
}

static unsigned char on_down(EditLine *el, int ch) {
  UNUSED(ch);
  const LineInfoW *i = el_wline(el);
  const wchar_t *end = line_end(i, i->cursor);
  if (end < i->lastchar) return move_to(el, end + 1);
  el_wpush(el, L"\033" NEWER);
  return CC_NORM;
}

/* Bracketed paste: everything up to ESC [ 201 ~ is one insertion, whatever it holds. */
static unsigned char on_paste(EditLine *el, int ch) {
  static const wchar_t END[] = L"\033[201~";
  UNUSED(ch);
  OWNED_STR str s = {.c = line_of(el)->c};
  size_t seen = 0;
  wchar_t w;
  while (END[seen] && el_wgetc(el, &w) == 1) {
    if (w == END[seen]) {
      seen++;
      continue;
    }
    for (size_t i = 0; i < seen; i++) str_putc(&s, (uint32_t)END[i]);
    seen = w == END[0];
    if (seen) continue;
    if (w == '\r') w = '\n';
    str_putc(&s, (uint32_t)w);
  }
  while (s.n && s.at[s.n - 1] == '\n') s.at[--s.n] = 0;
  if (s.at && !s.failed) insert(el, s.at);
  return CC_REFRESH;
}

static unsigned char on_undo(EditLine *el, int ch) {
  UNUSED(ch);
  return undo_move(&line_of(el)->undo, el, false) ? CC_REFRESH : CC_ERROR;
}

static unsigned char on_redo(EditLine *el, int ch) {
  UNUSED(ch);
  return undo_move(&line_of(el)->undo, el, true) ? CC_REFRESH : CC_ERROR;
}

/* ── completion ─────────────────────────────────────────────────────────────────────── */

typedef struct search {
  const char *word;
  size_t n;
  str common, list; /* what all matches share; the matches, to show */
  int found;
  size_t column; /* of the list */
} search;

/* Does a name begin with the word? Those that start with ⎕ ) ] take either case. */
static bool begins(const char *name, const search *s) {
  bool letter = (*name | 32) >= 'a' && (*name | 32) <= 'z';
  if (letter) return !strncmp(name, s->word, s->n);
  return !strncasecmp(name, s->word, s->n);
}

static bool inside_char(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

/* Cuts what all matches share down to what it shares with one more; whole characters. */
static void keep_common(str *common, const char *name) {
  size_t k = 0;
  if (!common->at) return;
  while (k < common->n && common->at[k] == name[k]) k++;
  while (k && inside_char(common->at[k])) k--;
  common->n = k;
  common->at[k] = 0;
}

static void match(void *to, const char *name) {
  search *s = to;
  if (!begins(name, s)) return;
  size_t wide = utf8_count(name, strlen(name)) + 2;
  if (s->column && s->column + wide > (size_t)columns()) {
    str_puts(&s->list, "\n");
    s->column = 0;
  }
  str_printf(&s->list, "%s  ", name);
  s->column += wide;
  s->found++;
  if (s->found == 1) str_puts(&s->common, name);
  else keep_common(&s->common, name);
}

static bool in_name(const char *p, const char *end) {
  uint32_t c = utf8_next(p, end, &p);
  if (c == '_' || (c >= '0' && c <= '9')) return true;
  if ((c | 32) >= 'a' && (c | 32) <= 'z') return true;
  return c == 0x2206 || c == 0x2359 || c == 0x2395 || (c >= 0xC0 && c <= 0xFF);
}

/* Where the word before the end of the text begins: a name, with ) or ] before it if that is
 * the first character of all. */
static size_t word_start(const char *text, size_t n) {
  size_t from = n;
  while (from > 0) {
    size_t at = from - 1;
    while (at > 0 && inside_char(text[at])) at--;
    bool command = at == 0 && (text[0] == ')' || text[0] == ']');
    if (!command && !in_name(text + at, text + n)) break;
    from = at;
  }
  return from;
}

/* The names of primitives that begin with the word. */
static void match_help(search *s) {
  for (size_t i = 0; help_at(i); i++) {
    help_name names[HELP_NAMES];
    size_t n = help_names(help_at(i), names);
    for (size_t k = 1; k < n; k++) {
      OWNED_STR str own = {.c = s->common.c};
      help_name typed;
      str_put(&own, names[k].at, names[k].n);
      if (!own.failed && !strchr(own.at, ' ') && help_type(own.at, own.n, &typed) &&
          typed.at == names[k].at)
        match(s, own.at);
    }
  }
}

/* Where the name of a file begins: in a text that is open, or behind a command that takes one.
 * Behind the end: it is none. */
static size_t file_start(const char *text, size_t n) {
  static const char *const takers[] = {")LOAD ", ")COPY ", ")PCOPY ", ")SAVE ", "]save "};
  size_t from = n;
  char open = 0;
  for (size_t i = 0; i < n; i++) {
    bool quote = text[i] == '\'' || text[i] == '"';
    if (!quote || (open && text[i] != open)) continue;
    open = open ? 0 : text[i];
    from = i + 1;
  }
  if (open) return from;
  for (size_t i = 0; i < ARRAY_LEN(takers); i++) {
    if (strncasecmp(text, takers[i], strlen(takers[i]))) continue;
    for (from = n; text[from - 1] != ' ';) from--;
    return from;
  }
  return n + 1;
}

static void match_files(search *s) {
  OWNED_STR str pattern = {.c = s->common.c};
  glob_t got;
  for (size_t i = 0; i < s->n; i++) {
    if (strchr("*?[\\", s->word[i])) str_puts(&pattern, "\\");
    str_put(&pattern, s->word + i, 1);
  }
  str_puts(&pattern, "*");
  if (pattern.failed || glob(pattern.at, GLOB_MARK, NULL, &got)) return;
  for (size_t i = 0; i < got.gl_pathc; i++) match(s, got.gl_pathv[i]);
  globfree(&got);
}

/* Puts in what all that was found shares, or else lists it. */
static unsigned char offer(EditLine *el, search *s) {
  if (!s->found || s->common.failed || s->list.failed) return CC_ERROR;
  if (s->common.n > s->n) {
    insert(el, s->common.at + s->n);
    return CC_REFRESH;
  }
  if (s->found == 1) return CC_NORM;
  str_puts(&s->list, "\n");
  return show_below(&s->list);
}

static unsigned char complete(EditLine *el, line *l, search *s) {
  help_name name;
  l->cfg.names(l->cfg.user, match, s);
  if (!s->found && help_type(s->word, s->n, &name)) {
    OWNED_STR str own = {.c = l->c};
    str_put(&own, name.text, name.text_n);
    el_deletestr(el, (int)s->n); /* the names of primitives are ASCII */
    if (!own.failed) insert(el, own.at);
    return CC_REFRESH;
  }
  if (!s->found) match_help(s);
  return offer(el, s);
}

static unsigned char on_tab(EditLine *el, int ch) {
  UNUSED(ch);
  line *l = line_of(el);
  OWNED_STR str text = {.c = l->c};
  entry(el, true, &text);
  if (!l->program || text.failed || !text.n) return CC_ERROR;
  search s = {.common = {.c = l->c}, .list = {.c = l->c}};
  size_t from = file_start(text.at, text.n);
  unsigned char what = CC_ERROR;
  if (from <= text.n) {
    s.word = text.at + from;
    s.n = text.n - from;
    match_files(&s);
  }
  if (s.found) {
    what = offer(el, &s);
  } else if ((from = word_start(text.at, text.n)) < text.n) {
    s.word = text.at + from;
    s.n = text.n - from;
    what = complete(el, l, &s);
  }
  str_free(&s.common);
  str_free(&s.list);
  return what;
}

/* ── life ───────────────────────────────────────────────────────────────────────────── */

static char *prompt_of(EditLine *el) { return (char *)(uintptr_t)line_of(el)->prompt; }

static void bind_keys(EditLine *el) {
  /* Wide, because el_set would keep copies of narrow names for ever. */
  static const struct {
    const wchar_t *name, *help;
    unsigned char (*run)(EditLine *, int);
  } ours[] = {{L"apl-enter", L"End the entry, or go on if it is open", on_enter},
              {L"apl-glyph", L"Insert a glyph by its key", on_prefix},
              {L"apl-paste", L"Insert what is pasted", on_paste},
              {L"apl-up", L"The line above, or the entry before", on_up},
              {L"apl-down", L"The line below, or the entry after", on_down},
              {L"apl-undo", L"Undo", on_undo},
              {L"apl-redo", L"Do again what was undone", on_redo},
              {L"apl-complete", L"Complete a name", on_tab}};
  static const char *const keys[][2] = {{"\\e" END_ENTRY, "ed-newline"},
                                        {"\\e" OLDER, "ed-prev-history"},
                                        {"\\e" NEWER, "ed-next-history"},
                                        {"^_", "apl-undo"},
                                        {"\\e_", "apl-redo"},
                                        {"^X^U", "apl-undo"},
                                        {"\\e[A", "apl-up"},
                                        {"\\eOA", "apl-up"},
                                        {"\\e[B", "apl-down"},
                                        {"\\eOB", "apl-down"},
                                        {"^P", "apl-up"},
                                        {"^N", "apl-down"},
                                        {"^M", "apl-enter"},
                                        {"^J", "apl-enter"},
                                        {"`", "apl-glyph"},
                                        {"\\e[200~", "apl-paste"},
                                        {"^I", "apl-complete"},
                                        {"^R", "em-inc-search-prev"},
                                        {"\\e[3~", "ed-delete-next-char"},
                                        {"\\e[1;5D", "ed-prev-word"},
                                        {"\\e[1;5C", "em-next-word"}};
  for (size_t i = 0; i < ARRAY_LEN(ours); i++)
    el_wset(el, EL_ADDFN, ours[i].name, ours[i].help, ours[i].run);
  for (size_t i = 0; i < ARRAY_LEN(keys); i++)
    el_set(el, EL_BIND, keys[i][0], keys[i][1], NULL);
}

/* Makes the folder of a file, and those above it. */
static void make_folders(const char *path) {
  char folder[4096];
  size_t n = strlen(path);
  if (n >= sizeof folder) return;
  for (size_t i = 1; i < n; i++) {
    folder[i - 1] = path[i - 1];
    if (path[i] != '/') continue;
    folder[i] = 0;
    mkdir(folder, 0700); /* it may be there already; else saving the history will fail */
  }
}

line *line_new(const line_config *cfg) {
  line *l = mem_zalloc(cfg->c, sizeof *l);
  if (!l) return NULL;
  const char *term = getenv("TERM");
  *l = (line){.c = cfg->c,
              .cfg = *cfg,
              .prompt = "",
              .text = {.c = cfg->c},
              .undo = {.c = cfg->c}};
  l->smart = term && strcmp(term, "dumb");
  l->el = el_init("vapl", stdin, stdout, stderr);
  l->history = history_init();
  if (!l->el || !l->history) {
    line_free(l);
    return NULL;
  }
  HistEvent e;
  history(l->history, &e, H_SETSIZE, HISTORY);
  history(l->history, &e, H_SETUNIQUE, 1);
  if (cfg->history) {
    make_folders(cfg->history);
    history(l->history, &e, H_LOAD, cfg->history);
  }
  el_set(l->el, EL_CLIENTDATA, l);
  el_set(l->el, EL_EDITOR, "emacs");
  el_set(l->el, EL_SIGNAL, 0);
  el_set(l->el, EL_PROMPT, prompt_of);
  el_set(l->el, EL_HIST, history, l->history);
  el_wset(l->el, EL_GETCFN, get_key);
  bind_keys(l->el);
  el_source(l->el, NULL);
  sigaction(SIGWINCH, &(struct sigaction){.sa_handler = on_resize}, NULL);
  sigaction(SIGCONT, &(struct sigaction){.sa_handler = on_continue}, NULL);
  return l;
}

void line_free(line *l) {
  if (!l) return;
  if (l->el) el_end(l->el);
  if (l->history) history_end(l->history);
  str_free(&l->text);
  undo_clear(&l->undo);
  mem_free(l->c, l);
}

static void remember(line *l, const char *text) {
  HistEvent e;
  if (!*text) return;
  history(l->history, &e, H_ENTER, text);
  if (l->cfg.history) history(l->history, &e, H_SAVE, l->cfg.history);
}

/* Is every line of the entry shorter than the terminal is wide, and how many are there? */
static bool is_unwrapped(const line *l, int *lines) {
  int wide = columns(), x = (int)strlen(l->prompt);
  const char *end = l->text.at + l->text.n;
  *lines = 1;
  for (const char *p = l->text.at; p < end;) {
    uint32_t u = utf8_next(p, end, &p);
    x = u == '\n' ? 0 : x + utf8_width(u);
    *lines += u == '\n';
    if (x >= wide) return false;
  }
  return true;
}

/* Shows the entry that was read once more in its place, in colours. */
static void paint(const line *l) {
  enum { MOST_LINES = 20 };
  int lines;
  if (!paint_shows(stdout) || !is_unwrapped(l, &lines) || lines > MOST_LINES) return;
  OWNED_STR str s = {.c = l->c};
  paint_entry(&s, l->text.at, l->text.n);
  if (!s.failed) printf("\033[%dA\r%s%s\n", lines, l->prompt, s.at);
  fflush(stdout);
}

static void bracketed_paste(const line *l, bool on) {
  if (!l->smart) return;
  printf("\033[?2004%c", on ? 'h' : 'l');
  fflush(stdout);
}

line_status line_read(line *l, const char *prompt, bool program, const char **text,
                      size_t *n) {
  int got = 0;
  l->prompt = prompt;
  l->program = program;
  l->why = LINE_END;
  undo_clear(&l->undo);
  bracketed_paste(l, true);
  const char *typed = el_gets(l->el, &got);
  bracketed_paste(l, false);
  str_free(&l->text);
  if (!typed || got <= 0) {
    putchar('\n');
    fflush(stdout);
    return l->why;
  }
  size_t len = strlen(typed);
  if (len && typed[len - 1] == '\n') len--;
  str_put(&l->text, typed, len);
  *text = "";
  *n = 0;
  if (!l->text.failed) {
    *text = l->text.at;
    *n = l->text.n;
  }
  if (program && *n) paint(l);
  if (program) remember(l, *text);
  return LINE_TEXT;
}
#endif
