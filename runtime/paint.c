/* SPDX-License-Identifier: MIT */
/* paint.c - colours of a session: functions, operators, ⎕-names, texts and comments of an entry that was typed, and
 * errors. Names and numbers have the terminal's own colour.
 *
 * The colours are those of the terminal's palette, so that light and dark ones stay readable. */
#include "paint.h"
#include "../src/lexer/token.h"
#include "line.h"
#include "terminal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char paint_error[] = "\033[31m", paint_end[] = "\033[0m";

bool paint_shows(FILE *to) {
  const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fileno(to)) && !(none && *none) && term && strcmp(term, "dumb");
}

static const char *paint_of(const token *t) {
  switch (t->kind) {
  case TOK_PRIM: return "\033[36m";
  case TOK_OPER: return "\033[35m";
  case TOK_GREEK: return "\033[34m";
  case TOK_SYSNAME: return "\033[33m";
  case TOK_STRING: return "\033[32m";
  case TOK_COMMENT: return "\033[90m";
  default: return NULL;
  }
}

/* A command of the session has one colour, and what is wrong none. */
void paint_entry(str *s, const char *text, size_t n) {
  lexer l = {.text = text, .len = n, .keep_comments = true};
  size_t done = 0;
  token t = {.kind = TOK_END};
  if (!line_is_command(text, n)) t = lex_next(&l);
  for (; t.kind != TOK_END && t.kind != TOK_ERROR; t = lex_next(&l)) {
    const char *colour = paint_of(&t);
    if (!colour) continue;
    terminal_escape(s, text + done, t.begin - done);
    str_puts(s, colour);
    terminal_escape(s, text + t.begin, t.end - t.begin);
    str_puts(s, paint_end);
    done = t.end;
  }
  terminal_escape(s, text + done, n - done);
}
