/* SPDX-License-Identifier: MIT */
/* lines.c - where the lines of a UTF-8 text end: at any line end that Unicode has. */
#include "lines.h"
#include "../base/utf8.h"
#include <string.h>

const char *const line_ends[LINE_ENDS] = {"\r\n",     "\r", "\n",     "\v",
                                          "\xC2\x85", "\f", "\u2028", "\u2029"};

/* The bytes of the line end at p; 0: there is none. */
static size_t line_end_at(const char *p, const char *end) {
  unsigned char c = (unsigned char)*p;
  if (c > '\r' && c != 0xC2 && c != 0xE2) return 0; /* what no line end begins with */
  for (size_t i = 0; i < LINE_ENDS; i++) {
    size_t n = strlen(line_ends[i]);
    if ((size_t)(end - p) >= n && !memcmp(p, line_ends[i], n)) return n;
  }
  return 0;
}

const char *line_stop(const char *p, const char *end, size_t *bytes) {
  *bytes = 0;
  for (; p < end; p++) {
    *bytes = line_end_at(p, end);
    if (*bytes) break;
  }
  return p;
}

void lines_put(str *s, const char *p, size_t n, const char *eol) {
  const char *end = p + n;
  while (p < end) {
    size_t bytes;
    const char *stop = line_stop(p, end, &bytes);
    str_put(s, p, (size_t)(stop - p));
    if (bytes) str_puts(s, eol);
    p = stop + bytes;
  }
  str_put(s, "", 0);
}

void lines_wrap(str *s, int width) {
  char *p = s->at, *blank = NULL;
  bool stays = p && *p == ' ';
  int column = 0, behind = 0; /* columns of the line; behind its last blank */
  for (const char *next, *end = p + s->n; p < end; p = s->at + (next - s->at)) {
    uint32_t u = utf8_next(p, end, &next);
    int wide = utf8_width(u);
    column += wide;
    behind += wide;
    if (u == ' ') blank = p, behind = 0;
    if (column > width && blank && !stays) {
      *blank = '\n';
      blank = NULL;
      column = behind;
    }
    if (u != '\n') continue;
    stays = next < end && *next == ' ';
    blank = NULL;
    column = 0;
  }
}
