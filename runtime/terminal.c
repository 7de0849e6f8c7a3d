/* SPDX-License-Identifier: MIT */
/* terminal.c - text to a terminal, in which control characters are shown.
 *
 * A line feed, a tab, and a carriage return before a line feed do what they are for. */
#include "terminal.h"
#include "../src/base/utf8.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum { ASK_STREAM, SHOWN, NOT_SHOWN } known;

void terminal_is(bool shown) { known = shown ? SHOWN : NOT_SHOWN; }

bool terminal_shows(FILE *to) { return known ? known == SHOWN : isatty(fileno(to)); }

/* The escape of the character at p, whose end is *next; 0: it is sent. */
static int escape_at(const char *p, const char *end, const char **next, char to[12]) {
  uint32_t u = utf8_next(p, end, next);
  if (u == '\r' && *next < end && **next == '\n') return 0;
  return utf8_escape(u, to);
}

void terminal_write(FILE *to, const char *text, size_t n) {
  const char *end = text + n, *from = text, *next;
  char escape[12];
  bool shows = terminal_shows(to);
  for (const char *p = text; shows && p < end; p = next) {
    int length = escape_at(p, end, &next, escape);
    if (!length) continue;
    fwrite(from, 1, (size_t)(p - from), to);
    fwrite(escape, 1, (size_t)length, to);
    from = next;
  }
  fwrite(from, 1, (size_t)(end - from), to);
}

void terminal_escape(str *to, const char *text, size_t n) {
  const char *end = text + n, *next;
  char escape[12];
  for (const char *p = text; p < end; p = next) {
    int length = escape_at(p, end, &next, escape);
    if (length) str_put(to, escape, (size_t)length);
    else str_put(to, p, (size_t)(next - p));
  }
  str_put(to, "", 0);
}

void terminal_print(FILE *to, const char *fmt, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, fmt);
  int n = vasprintf(&text, fmt, args);
  va_end(args);
  if (n >= 0) terminal_write(to, text, (size_t)n);
  if (n >= 0) free(text);
}
