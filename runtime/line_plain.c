/* SPDX-License-Identifier: MIT */
/* line_plain.c - lines as the terminal gives them, for builds without libedit.
 *
 * The terminal's own line discipline edits; rlwrap adds history. An entry that is open goes on
 * at a prompt of the same width. */
#include "line.h"
#include "../src/lexer/tree.h"
#include <errno.h>
#include <stdio.h>

bool line_is_command(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && (text[i] == ' ' || text[i] == '\t')) i++;
  return i < n && (text[i] == ')' || text[i] == ']');
}

bool line_is_open(const char *text, size_t n) {
  return !line_is_command(text, n) && parse_open(text, n) > 0;
}

int line_byte(const ctx *c) {
  int ch;
  while ((ch = getchar()) == EOF && ferror(stdin) && errno == EINTR && !stop_is_due(c))
    clearerr(stdin);
  return ch;
}

#ifndef HAVE_LIBEDIT

const char line_hint[] = "built without libedit: no editing, no keys for glyphs";

struct line {
  ctx *c;
  line_config cfg;
  str text;
};

line *line_new(const line_config *cfg) {
  line *l = mem_zalloc(cfg->c, sizeof *l);
  if (l) *l = (line){.c = cfg->c, .cfg = *cfg, .text = {.c = cfg->c}};
  return l;
}

void line_free(line *l) {
  if (!l) return;
  str_free(&l->text);
  mem_free(l->c, l);
}

/* Appends one line without its newline; LINE_END at the end of input if there is none. */
static line_status more(line *l) {
  int ch;
  size_t before = l->text.n;
  while ((ch = line_byte(l->c)) != EOF && ch != '\n')
    str_put(&l->text, &(char){(char)ch}, 1);
  if (ch == '\n') return LINE_TEXT;
  bool stopped = ferror(stdin) && errno == EINTR;
  clearerr(stdin);
  if (stopped && atomic_load(&l->c->interrupt)) return LINE_CANCELLED;
  return l->text.n > before ? LINE_TEXT : LINE_END;
}

line_status line_read(line *l, const char *prompt, bool program, const char **text,
                      size_t *n) {
  line_status status;
  str_free(&l->text);
  for (;;) {
    fputs(prompt, stdout);
    fflush(stdout);
    status = more(l);
    if (status || !program || !l->text.at) break;
    if (!l->cfg.is_open(l->cfg.user, l->text.at, l->text.n)) break;
    str_puts(&l->text, "\n");
  }
  if (status) putchar('\n');
  str_put(&l->text, "", 0);
  *text = "";
  *n = 0;
  if (l->text.failed) return status;
  *text = l->text.at;
  *n = l->text.n;
  return status;
}
#endif
