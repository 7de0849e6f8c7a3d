/* SPDX-License-Identifier: MIT */
/* str.c - the string builder of str.h. Its room doubles, so that n puts cost O(n). */
#include "str.h"
#include "mem.h"
#include "utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool str_room(str *s, size_t n) {
  if (s->failed) return false;
  if (s->cap - s->n > n) return true;
  size_t cap = s->cap ? s->cap * 2 : 64;
  while (cap - s->n <= n) cap *= 2;
  char *p = mem_resize(s->c, s->at, cap);
  if (!p) {
    s->failed = true;
    return false;
  }
  s->at = p;
  s->cap = cap;
  return true;
}

void str_put(str *s, const char *p, size_t n) {
  if (!str_room(s, n)) return;
  if (n) memcpy(s->at + s->n, p, n);
  s->n += n;
  s->at[s->n] = 0;
}

void str_puts(str *s, const char *z) { str_put(s, z, strlen(z)); }

void str_putc(str *s, uint32_t code_point) {
  char b[4];
  str_put(s, b, (size_t)utf8_put(b, code_point));
}

void str_printf(str *s, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n >= 0 && str_room(s, (size_t)n)) {
    vsnprintf(s->at + s->n, (size_t)n + 1, fmt, again);
    s->n += (size_t)n;
  }
  va_end(again);
}

void str_pad(str *s, size_t n) {
  if (!str_room(s, n)) return;
  memset(s->at + s->n, ' ', n);
  s->n += n;
  s->at[s->n] = 0;
}

void str_free(str *s) {
  mem_free(s->c, s->at);
  s->at = NULL;
  s->n = s->cap = 0;
  s->failed = false;
}
