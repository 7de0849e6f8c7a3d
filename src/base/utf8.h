/* SPDX-License-Identifier: MIT */
/* utf8.h - code points out of UTF-8 and into it, and their width on a terminal. */
#ifndef VAPL_UTF8_H
#define VAPL_UTF8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May UTF-8 hold it? Not half of a surrogate pair, and nothing above 0x10FFFF. */
bool utf8_holds(uint32_t code_point);
/* Decodes one code point from [p, end), p < end, and sets *next behind it. A malformed
 * byte decodes alone as 0xFFFD. */
uint32_t utf8_next(const char *p, const char *end, const char **next);
/* Writes 1 to 4 bytes, returns how many. What is no code point is written as 0xFFFD. */
int utf8_put(char *p, uint32_t code_point);
const char *utf8_ascii(const char *p, const char *end); /* behind the ASCII from p on */
size_t utf8_count(const char *p, size_t n);             /* code points in n bytes */
bool utf8_among(uint32_t code_point, const char *p, const char *end);
/* Columns that a code point takes on a terminal: 0, 1 or 2. */
int utf8_width(uint32_t code_point);
/* How a character is shown that would steer the terminal: ^[ for a control character, <U+009B>
 * for those from U+0080 on and for what turns the direction of text. Writes that and returns its
 * length; 0: it may be sent as it is, as may a tab and a line feed. */
int utf8_escape(uint32_t code_point, char to[12]);
/* The number, 1 to UTF8_MARKS, of what combines with the character before it; 0: it does not.
 * The mark of that number. */
enum { UTF8_MARKS = 2047 };
uint32_t utf8_mark(uint32_t code_point);
uint32_t utf8_mark_at(uint32_t number);
#endif
