/* SPDX-License-Identifier: MIT */
/* paint.h - colours on a person's terminal. */
#ifndef VAPL_PAINT_H
#define VAPL_PAINT_H
#include "../src/base/str.h"
#include <stdio.h>

/* Is the stream a terminal that shows colours, and NO_COLOR not set? */
bool paint_shows(FILE *to);
extern const char paint_error[], paint_end[];
/* Appends an entry, its glyphs coloured by what they are. */
void paint_entry(str *s, const char *text, size_t n);
#endif
