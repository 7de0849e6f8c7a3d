/* SPDX-License-Identifier: MIT */
/* editor_lines.c - how far the lines go by which a function is edited: ∇f[2] … ∇.
 *
 * They are no statements but what the line editor reads (eval/trad/line_editor.c), so only their
 * end is looked for: a ∇ at the end of a line, outside quotes, comments and braces, or a line that
 * begins with [→]. */
#include "tree.h"
#include "token.h"
#include <string.h>

static const char del[] = "∇";

static bool starts(const char *p, const char *end, const char *with) {
  size_t n = strlen(with);
  return (size_t)(end - p) >= n && !memcmp(p, with, n);
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return p;
}

static bool is_digit(const char *p, const char *end) {
  return p < end && *p >= '0' && *p <= '9';
}

const char *parse_edit_close(const char *p, const char *end) {
  const char *last = NULL; /* a ∇ behind which there were blanks alone */
  int braces = 0;
  char quote = 0;
  while (p < end) {
    if (!quote && starts(p, end, "⍝")) break;
    bool is = !quote && !braces && starts(p, end, del);
    if (is) last = p;
    else if (*p != ' ' && *p != '\t' && *p != '\r') last = NULL;
    if (quote ? *p == quote : *p == '\'' || *p == '"') quote = quote ? 0 : *p;
    if (!quote) braces += (*p == '{') - (*p == '}');
    p += is ? strlen(del) : 1;
  }
  return last;
}

/* Does an editing directive begin behind the bracket, not the axis of a header? */
static bool is_directive(const char *p, const char *end) {
  p = skip_blanks(p, end);
  if (is_digit(p, end) || starts(p, end, "⎕") || starts(p, end, "→")) return true;
  return starts(p, end, "∆") && is_digit(p + strlen("∆"), end);
}

const char *parse_edit(const char *p, const char *end, bool *closed) {
  lexer l = {.text = p, .len = (size_t)(end - p)};
  token name = lex_next(&l);
  const char *at = skip_blanks(p + name.end, end);
  *closed = true;
  if (name.kind != TOK_NAME) return NULL;
  bool lists = starts(at, end, del);
  if (!lists && (!starts(at, end, "[") || !is_directive(at + 1, end))) return NULL;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    static const char quit[] = "[→]";
    const char *close = parse_edit_close(at, stop), *first = skip_blanks(at, stop);
    if (starts(first, stop, quit)) return first + strlen(quit);
    if (close) return close + strlen(del);
    if (lists) return NULL; /* ∇f∇ is a line of its own */
    at = stop < end ? stop + 1 : end;
  }
  *closed = false;
  return end;
}
