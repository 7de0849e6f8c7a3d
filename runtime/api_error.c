/* SPDX-License-Identifier: MIT */
/* api_error.c - the bracket around every public function, and the error record.
 *
 * api_enter() checks the interpreter and sets the floating-point environment that the numbers
 * of vapl are defined in; api_leave() turns the context's error into the record that the host
 * reads and restores the environment. Breaches of the header's rules never reach the context:
 * api_bad() writes the record itself. */
#include "api.h"
#include "../src/base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ── the record ─────────────────────────────────────────────────────────────────────── */

void api_clear_record(vapl *v) {
  source_release(&v->c, v->error_source);
  mem_free(&v->c, v->error_line);
  v->error_source = NULL;
  v->error_line = NULL;
  v->error = (vapl_error){.size = sizeof v->error,
                          .name = "",
                          .message = v->message,
                          .file = "",
                          .source = ""};
  v->message[0] = 0;
}

static size_t at_most(size_t n, size_t most) { return n < most ? n : most; }

/* The line of a text in which byte `at` lies: the bytes [from, to). */
typedef struct line_bounds {
  size_t from, to;
} line_bounds;

static line_bounds line_around(const source *src, size_t at) {
  const char *text = src->text;
  line_bounds l = {at, at};
  while (l.from && text[l.from - 1] != '\n') l.from--;
  while (l.to < src->len && text[l.to] != '\n') l.to++;
  return l;
}

/* Keeps a copy of the line for the record; a line that does not fit into memory is "". */
static void keep_line(vapl *v, const char *line, size_t n) {
  if (n && line[n - 1] == '\r') n--;
  v->error_line = mem_alloc(&v->c, n + 1);
  if (!v->error_line) return;
  memcpy(v->error_line, line, n);
  v->error_line[n] = 0;
  v->error.source = v->error_line;
}

/* Where a span lies in its text: line and column from 1, and the line itself. */
static void record_place(vapl *v, span at) {
  vapl_error *e = &v->error;
  const char *text = at.src->text;
  size_t begin = at_most(at.begin, at.src->len), end = at_most(at.end, at.src->len);
  if (end < begin) end = begin;
  line_bounds l = line_around(at.src, begin);
  e->line = (int)at.src->first_line;
  for (size_t i = 0; i < l.from; i++) e->line += text[i] == '\n';
  e->column = (int)utf8_count(text + l.from, begin - l.from) + 1;
  if (begin < l.to) e->length = (int)utf8_count(text + begin, at_most(end, l.to) - begin);
  e->byte_offset = begin;
  e->byte_length = end - begin;
  v->error_source = source_retain(at.src);
  e->file = at.src->name;
  keep_line(v, text + l.from, l.to - l.from);
}

/* Moves the context's error to the record. */
static vapl_status record(vapl *v) {
  int code = v->c.err.code;
  span at = v->c.err.at;
  api_clear_record(v);
  v->error.status = (vapl_status)code;
  v->error.name = err_name(code);
  memcpy(v->message, v->c.err.msg, sizeof v->message);
  if (at.src) record_place(v, at);
  err_clear(&v->c);
  return (vapl_status)code;
}

vapl_status api_bad(vapl *v, const char *fmt, ...) {
  if (!v) return VAPL_EARG;
  api_clear_record(v);
  v->error.status = VAPL_EARG;
  v->error.name = err_name(ERR_ARG);
  va_list args;
  va_start(args, fmt);
  vsnprintf(v->message, sizeof v->message, fmt, args);
  va_end(args);
  return VAPL_EARG;
}

const vapl_error *vapl_last_error(const vapl *v) { return v ? &v->error : NULL; }

/* ── the bracket ────────────────────────────────────────────────────────────────────── */

bool api_enter(vapl *v) {
  if (!v) return false;
  if (v->busy) {
    api_bad(v, "vapl was called from inside one of its callbacks");
    return false;
  }
  err_clear(&v->c);
  v->busy = true;
  fegetenv(&v->fenv);
  fesetenv(FE_DFL_ENV);
  return true;
}

vapl_status api_leave(vapl *v, bool ok) {
  fesetenv(&v->fenv);
  v->busy = false;
  if (!ok) return record(v);
  err_clear(&v->c);
  return VAPL_OK;
}
