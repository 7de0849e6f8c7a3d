/* SPDX-License-Identifier: MIT */
/* terminal.h - what is written to a person's terminal: data, file names and messages cannot steer
 * it, for control characters are shown (utf8_escape) instead of sent. Pipes and files get every
 * byte as it is. */
#ifndef VAPL_TERMINAL_H
#define VAPL_TERMINAL_H
#include "../src/base/str.h"
#include <stdio.h>

/* From now on it is taken for granted that standard output goes, or does not go, to a terminal: a rank's stream looks
 * like one wherever its output goes. */
void terminal_is(bool shown);
bool terminal_shows(FILE *to);
void terminal_write(FILE *to, const char *text, size_t n);
void terminal_print(FILE *to, const char *fmt, ...) PRINTF_LIKE(2, 3);
void terminal_escape(str *to, const char *text,
                     size_t n); /* as a terminal would be shown it */
#endif
