/* SPDX-License-Identifier: MIT */
/* api_error.c - the bracket around every public function, and the error record.
 *
 * api_enter() checks the interpreter, finds out how far the thread's C stack reaches and sets the
 * floating-point environment that the numbers of vapl are defined in; api_leave() turns the context's error into the record that the host
 * reads and restores the environment. Breaches of the header's rules never reach the context:
 * api_bad() writes the record itself. */
#include "api.h"
#include "../src/base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ── the record ─────────────────────────────────────────────────────────────────────── */

void api_clear_record(vapl *v) {
  for (size_t i = 0; i < ARRAY_LEN(v->kept); i++) {
    source_release(&v->c, v->kept[i].src);
    mem_free(&v->c, v->kept[i].line);
    v->kept[i] = (kept_place){0};
  }
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
static const char *keep_line(vapl *v, kept_place *kept, const char *line, size_t n) {
  if (n && line[n - 1] == '\r') n--;
  kept->line = mem_alloc(&v->c, n + 1);
  if (!kept->line) return "";
  memcpy(kept->line, line, n);
  kept->line[n] = 0;
  return kept->line;
}

/* Where a span lies in its text: line and column from 1, and the line itself. */
static vapl_frame error_place(vapl *v, kept_place *kept, span at) {
  const char *text = at.src->text;
  size_t begin = at_most(at.begin, at.src->len), end = at_most(at.end, at.src->len);
  line_bounds l = line_around(at.src, begin);
  vapl_frame f = {.file = at.src->name, .line = (int)at.src->first_line, .times = 1};
  for (size_t i = 0; i < l.from; i++) f.line += text[i] == '\n';
  f.column = (int)utf8_count(text + l.from, begin - l.from) + 1;
  if (end > begin && begin < l.to)
    f.length = (int)utf8_count(text + begin, at_most(end, l.to) - begin);
  kept->src = source_retain(at.src);
  f.source = keep_line(v, kept, text + l.from, l.to - l.from);
  return f;
}

static void record_place(vapl *v, span at) {
  vapl_error *e = &v->error;
  vapl_frame f = error_place(v, &v->kept[0], at);
  size_t begin = at_most(at.begin, at.src->len), end = at_most(at.end, at.src->len);
  e->file = f.file;
  e->source = f.source;
  e->line = f.line;
  e->column = f.column;
  e->length = f.length;
  e->byte_offset = begin;
  if (end > begin) e->byte_length = end - begin;
}

static void record_frames(vapl *v, const err *e) {
  for (uint32_t i = 0; i < e->calls.n; i++) {
    v->frame[i] = error_place(v, &v->kept[1 + i], e->calls.call[i].at);
    v->frame[i].times = e->calls.call[i].times;
  }
  v->error.frames = e->calls.n ? v->frame : NULL;
  v->error.n_frames = e->calls.n;
  v->error.frames_hidden = e->calls.n_hidden;
}

/* Moves the context's error to the record. */
static vapl_status record(vapl *v) {
  err e = err_take(&v->c);
  api_clear_record(v);
  v->error.status = (vapl_status)e.code;
  v->error.name = err_name(e.code);
  memcpy(v->message, e.msg, sizeof v->message);
  if (e.at.src) record_place(v, e.at);
  record_frames(v, &e);
  err_clear(&v->c); /* what failed while it was kept */
  vapl_status status = v->error.status;
  err_drop(&v->c, &e);
  return status;
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

vapl_status vapl_fail(vapl *v, vapl_status status, const char *message) {
  if (!status) status = VAPL_EARG;
  if (!v) return status;
  api_bad(v, "%s", message ? message : "");
  v->error.status = status;
  v->error.name = err_name((int)status);
  return status;
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
  if (!v->inside) limits_begin(&v->c);
  stack_enter(&v->c);
  fegetenv(&v->fenv);
  fesetenv(FE_DFL_ENV);
  if (v->attend) v->attend(v, false);
  return true;
}

fenv_t api_step_out(vapl *v) {
  fenv_t fenv = v->fenv;
  api_clear_record(v);
  fesetenv(&fenv);
  v->busy = false;
  v->inside++;
  return fenv;
}

void api_step_in(vapl *v, const fenv_t *fenv) {
  v->inside--;
  v->busy = true;
  v->fenv = *fenv;
  fesetenv(FE_DFL_ENV);
}

vapl_status api_leave(vapl *v, bool ok) {
  fesetenv(&v->fenv);
  v->busy = false;
  if (!v->inside) v->c.limit.on = false;
  if (!ok) return record(v);
  err_clear(&v->c);
  return VAPL_OK;
}
