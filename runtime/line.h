/* SPDX-License-Identifier: MIT */
/* line.h - lines typed by a person: edited by libedit (line_edit.c, HAVE_LIBEDIT) or plain
 * (line_plain.c). Exactly one of the two files has a body. */
#ifndef VAPL_LINE_H
#define VAPL_LINE_H
#include "../src/base/ctx.h"

typedef struct line line;
typedef enum line_status { LINE_TEXT, LINE_END, LINE_CANCELLED } line_status;

typedef struct line_config {
  ctx *c;
  const char *history; /* file, its folder made when missing; NULL: not kept; borrowed */
  /* Calls back with every name that Tab completes to. */
  void (*names)(void *user, void (*each)(void *to, const char *name), void *to);
  bool (*is_open)(void *user, const char *text, size_t n); /* does it need more lines? */
  void *user;
} line_config;

extern const char line_hint[]; /* how glyphs are typed, for the first line of a session */
line *line_new(const line_config *cfg); /* NULL: no terminal, or no memory */
void line_free(line *l);
/* Reads one entry. `program`: APL text, which goes on over further lines while it is open
 * (is_open), is completed and goes into the history; else one line of data. LINE_TEXT:
 * *text (n bytes, without the final newline) lives until the next call. LINE_CANCELLED: an
 * interrupt was typed and its flag is still set. */
line_status line_read(line *l, const char *prompt, bool program, const char **text,
                      size_t *n);
/* The next byte of standard input, for which a signal that stops nothing is no reason to end; EOF. */
int line_byte(const ctx *c);
/* Does the text so far need more lines? Commands ) and ] never do. */
bool line_is_open(const char *text, size_t n);
bool line_is_command(const char *text, size_t n);
#endif
