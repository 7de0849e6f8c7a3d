/* SPDX-License-Identifier: MIT */
/* regex_template.c - what takes the place of a match: a template, in which
 *
 *   &  \0           the match               \1 … \9  \(12)  \<name>   a group of it
 *   %               the text searched       \n  \r  \x{1F600}         characters
 *   \u…  \l…  \f…   the match, a group or the text, its case changed
 *   \\  \&  \%      these characters themselves */
#include "case.h"
#include "regex.h"
#include <string.h>
#include "../base/utf8.h"

typedef struct expansion {
  const regex *x;
  const regex_match *m;
  const char *end; /* of the template */
  str *out;
} expansion;

enum { AS_IT_IS = 0 }; /* beside CASE_… */

static void put_cased(const expansion *e, const char *p, size_t n, int to) {
  const char *end = p + n;
  if (to == AS_IT_IS) {
    str_put(e->out, p, n);
    return;
  }
  while (p < end) str_putc(e->out, case_change(utf8_next(p, end, &p), to));
}

static void put_group(const expansion *e, int i, int to) {
  regex_part g = regex_group(e->x, e->m, i);
  put_cased(e, g.at, g.n, to);
}

static void put_whole_text(const expansion *e, int to) {
  put_cased(e, e->x->text, e->x->n, to);
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return INT8_MAX;
}

/* The digits from p on up to `close`: returns where it ends, or NULL. A number that is too
 * large for either use ends early, and so before `close`. */
static const char *number_to(const char *p, const char *end, char close, int base,
                             int64_t *n) {
  const char *from = p;
  *n = 0;
  while (p < end && *n < 0x110000 && digit(*p) < base) *n = *n * base + digit(*p++);
  if (p == from || p == end || *p != close) return NULL;
  return p + 1;
}

/* The character of {hex} at p; returns what is behind it, or NULL. */
static const char *put_hex(const expansion *e, const char *p) {
  int64_t u;
  if (p == e->end || *p != '{') return NULL;
  p = number_to(p + 1, e->end, '}', 16, &u);
  if (!p || u < 1 || !utf8_holds((uint32_t)u)) return NULL;
  str_putc(e->out, (uint32_t)u);
  return p;
}

/* The group that the name at p, ended by >, belongs to; returns what is behind it, or NULL. */
static const char *named_group(const expansion *e, const char *p, int64_t *i) {
  const char *close = memchr(p, '>', (size_t)(e->end - p));
  if (!close) return NULL;
  OWNED_STR str name = {.c = e->x->c};
  str_put(&name, p, (size_t)(close - p));
  if (name.failed) return NULL;
  *i = regex_group_number(e->x, e->m->pattern, name.at);
  return close + 1;
}

/* What the sequence of character c, and what follows at p, stands for: the match or a group of
 * it. Returns what is behind it, or NULL if there is no such group. */
static const char *put_part(const expansion *e, char c, const char *p, int to) {
  int64_t i = -1;
  if (c == '&') i = 0;
  else if (c >= '0' && c <= '9') i = c - '0';
  else if (c == '(') p = number_to(p, e->end, ')', 10, &i);
  else if (c == '<') p = named_group(e, p, &i);
  if (!p || i < 0 || i > regex_groups(e->x, e->m->pattern)) return NULL;
  put_group(e, (int)i, to);
  return p;
}

/* Appends the meaning of the template's sequence at p, behind a backslash. Returns the
 * end of the sequence, or NULL if it has no meaning. */
static const char *put_sequence(const expansion *e, const char *p) {
  int to = AS_IT_IS;
  if (p < e->end && *p == 'u') to = CASE_UPPER;
  if (p < e->end && *p == 'l') to = CASE_LOWER;
  if (p < e->end && *p == 'f') to = CASE_FOLD;
  if (to != AS_IT_IS) p++;
  if (p == e->end) return NULL;
  char c = *p++;
  if (to != AS_IT_IS) {
    if (c != '%') return put_part(e, c, p, to);
    put_whole_text(e, to);
    return p;
  }
  switch (c) {
  case 'n': str_putc(e->out, '\n'); return p;
  case 'r': str_putc(e->out, '\r'); return p;
  case 'x': return put_hex(e, p);
  case '\\':
  case '%':
  case '&': str_put(e->out, &c, 1); return p;
  default: return put_part(e, c, p, to);
  }
}

bool regex_expand(const regex *x, const regex_match *m, const str *template, str *out) {
  const char *p = template->at;
  expansion e = {x, m, p + template->n, out};
  while (p && p < e.end) {
    const char *from = p;
    while (p < e.end && *p != '\\' && *p != '%' && *p != '&') p++;
    str_put(out, from, (size_t)(p - from));
    if (p == e.end) break;
    char c = *p++;
    if (c == '%') put_whole_text(&e, AS_IT_IS);
    else if (c == '&') put_group(&e, 0, AS_IT_IS);
    else p = put_sequence(&e, p);
  }
  if (p) return !out->failed;
  return err_set(x->c, ERR_DOMAIN,
                 "the transformation %s has an unknown sequence behind \\", template->at);
}
