/* SPDX-License-Identifier: MIT */
/* lines.h - where the lines of a UTF-8 text end. */
#ifndef VAPL_LINES_H
#define VAPL_LINES_H
#include "../base/str.h"

/* The line ends, in the order of the words that the option EOL takes. */
enum { LINE_ENDS = 8 };
extern const char *const line_ends[LINE_ENDS];

/* Where the line from p on stops: at a line end of *bytes bytes, or at `end`, *bytes being 0. */
const char *line_stop(const char *p, const char *end, size_t *bytes);
/* Appends n bytes, every line end being replaced by eol. */
void lines_put(str *s, const char *p, size_t n, const char *eol);
/* Breaks lines that are wider than `width` columns between words; those that begin with a blank stay. */
void lines_wrap(str *s, int width);
#endif
