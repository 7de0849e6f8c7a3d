/* SPDX-License-Identifier: MIT */
/* lsp_text.c - texts that an editor has open: how they change, which places are where, what is wrong in them.
 *
 * Lines end at \n, \r\n or \r, as the protocol has it. A text is read anew at each change: a file of a
 * thousand lines takes about a millisecond. */
#include "../src/base/utf8.h"
#include "check.h"
#include "lsp.h"
#include <string.h>

lsp_doc *lsp_doc_new(ctx *c, const char *uri) {
  lsp_doc *d = mem_zalloc(c, sizeof *d);
  if (!d) return NULL;
  d->c = d->text.c = d->names.c = c;
  d->uri = mem_alloc(c, strlen(uri) + 1);
  if (d->uri) strcpy(d->uri, uri);
  str_put(&d->text, "", 0);
  if (d->uri && !d->text.failed) return d;
  lsp_doc_free(d);
  return NULL;
}

static void forget(lsp_doc *d) {
  lsp_names_free(&d->names);
  tree_release(d->c, d->tree);
  d->tree = NULL;
}

void lsp_doc_free(lsp_doc *d) {
  forget(d);
  vec_free(d->c, &d->lines);
  str_free(&d->text);
  mem_free(d->c, d->uri);
  mem_free(d->c, d);
}

/* ── places ─────────────────────────────────────────────────────────────────────────── */

static bool find_lines(lsp_doc *d) {
  const char *text = d->text.at;
  size_t n = d->text.n;
  d->lines.n = d->seen_line = d->seen_byte = d->seen_unit = 0;
  if (!vec_push(d->c, &d->lines, 0)) return false;
  for (size_t i = 0; i < n; i++) {
    bool ends =
        text[i] == '\n' || (text[i] == '\r' && (i + 1 == n || text[i + 1] != '\n'));
    if (ends && !vec_push(d->c, &d->lines, (uint32_t)(i + 1))) return false;
  }
  return true;
}

static size_t line_of(const lsp_doc *d, size_t byte) {
  size_t low = 0, high = d->lines.n - 1;
  while (low < high) {
    size_t mid = (low + high + 1) / 2;
    if (d->lines.at[mid] <= byte) low = mid;
    else high = mid - 1;
  }
  return low;
}

static size_t line_stop(const lsp_doc *d, size_t line) {
  size_t begin = d->lines.at[line], end = d->text.n;
  if (line + 1 < d->lines.n) end = d->lines.at[line + 1];
  while (end > begin && strchr("\r\n", d->text.at[end - 1])) end--;
  return end;
}

size_t lsp_line(const lsp_doc *d, size_t at, size_t *begin) {
  size_t line = line_of(d, at);
  *begin = d->lines.at[line];
  return line_stop(d, line);
}

size_t lsp_units(const char *text, size_t n) {
  size_t units = 0;
  const char *end = text + n;
  while (text < end) units += utf8_next(text, end, &text) > 0xFFFF ? 2 : 1;
  return units;
}

void lsp_place(lsp_doc *d, size_t byte, size_t *line, size_t *unit) {
  size_t from;
  *line = line_of(d, byte);
  from = d->lines.at[*line];
  *unit = 0;
  if (*line == d->seen_line && byte >= d->seen_byte && d->seen_byte >= from) {
    from = d->seen_byte; /* it goes on from where it was */
    *unit = d->seen_unit;
  }
  *unit += lsp_units(d->text.at + from, byte - from);
  d->seen_line = *line;
  d->seen_byte = byte;
  d->seen_unit = *unit;
}

static json_t *position(lsp_doc *d, size_t byte) {
  size_t line, unit;
  lsp_place(d, byte, &line, &unit);
  return json_pack("{s:I,s:I}", "line", (json_int_t)line, "character", (json_int_t)unit);
}

json_t *lsp_range(lsp_doc *d, size_t begin, size_t end) {
  json_t *from = position(d, begin);
  return json_pack("{s:o,s:o}", "start", from, "end", position(d, end));
}

/* Behind the end of a line is its end, behind that of the text the text's; within a pair of surrogates is before it. */
size_t lsp_byte(const lsp_doc *d, json_t *at) {
  json_int_t line = json_integer_value(json_object_get(at, "line"));
  json_int_t left = json_integer_value(json_object_get(at, "character"));
  if (line < 0) return 0;
  if ((size_t)line >= d->lines.n) return d->text.n;
  const char *p = d->text.at + d->lines.at[line], *next;
  const char *end = d->text.at + line_stop(d, (size_t)line);
  for (; p < end && left > 0; p = next) {
    left -= utf8_next(p, end, &next) > 0xFFFF ? 2 : 1;
    if (left < 0) break;
  }
  return (size_t)(p - d->text.at);
}

/* ── changes ────────────────────────────────────────────────────────────────────────── */

enum { MOST_BYTES = 64 << 20 };

bool lsp_doc_change(lsp_doc *d, json_t *change) {
  json_t *range = json_object_get(change, "range"),
         *text = json_object_get(change, "text");
  size_t begin = 0, end = d->text.n;
  if (!json_is_string(text)) return false;
  if (json_is_object(range)) {
    begin = lsp_byte(d, json_object_get(range, "start"));
    end = lsp_byte(d, json_object_get(range, "end"));
  }
  if (end < begin) end = begin;
  OWNED_STR str now = {.c = d->c};
  str_put(&now, d->text.at, begin);
  str_put(&now, json_string_value(text), json_string_length(text));
  str_put(&now, d->text.at + end, d->text.n - end);
  if (now.failed || now.n > MOST_BYTES) return false;
  str was = d->text;
  d->text = now;
  now = was; /* is freed */
  return find_lines(d);
}

unsigned lsp_as(const lsp_doc *d) {
  const char *name = strrchr(d->uri, '/');
  return check_as(name ? name : d->uri);
}

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

typedef struct found {
  lsp_doc *d;
  json_t *list;
} found;

/* At least one character is marked, and nothing behind the line. */
static void add_error(const check *k, const err *e, size_t begin, size_t end) {
  const found *f = k->user;
  size_t line, stop = lsp_line(f->d, begin, &line);
  if (end <= begin && begin < stop) {
    const char *next;
    utf8_next(f->d->text.at + begin, f->d->text.at + stop, &next);
    end = (size_t)(next - f->d->text.at);
  }
  if (end > stop) end = stop;
  if (end < begin) end = begin;
  char message[sizeof e->msg + 40];
  snprintf(message, sizeof message, "%s: %s", err_name(e->code), e->msg);
  json_array_append_new(f->list, json_pack("{s:o,s:i,s:s,s:s}", "range",
                                           lsp_range(f->d, begin, end), "severity", 1,
                                           "source", "vapl", "message", message));
}

bool lsp_doc_read(lsp_doc *d, json_t **errors) {
  found f = {d, json_array()};
  OWNED_STR str copy = {.c = d->c};
  forget(d);
  str_put(&copy, d->text.at, d->text.n);
  if (copy.failed) return false;
  check k = {.c = d->c,
             .name = d->uri,
             .text = copy.at,
             .n = copy.n,
             .each = add_error,
             .user = &f};
  k.as = lsp_as(d);
  d->tree = check_text(&k);
  *errors = f.list;
  return !d->tree || lsp_names_read(&d->names, d->tree);
}
