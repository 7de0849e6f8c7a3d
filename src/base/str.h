/* SPDX-License-Identifier: MIT */
/* str.h - the string builder. Its text is NUL-terminated once anything was put. Sticky:
 * after a failed allocation the puts do nothing and `failed` is set; check once at the
 * end. */
#ifndef VAPL_STR_H
#define VAPL_STR_H
#include "ctx.h"

typedef struct str {
  ctx *c;
  char *at;
  size_t n, cap;
  bool failed;
} str;

void str_put(str *s, const char *p, size_t n);
void str_puts(str *s, const char *z);
void str_putc(str *s, uint32_t code_point); /* as UTF-8 */
void str_printf(str *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void str_pad(str *s, size_t n); /* n blanks */
void str_free(str *s);
/* OWNED_STR str s = {.c = c}; frees s where its block ends, on every way out of it. */
#define OWNED_STR __attribute__((cleanup(str_free)))
#endif
