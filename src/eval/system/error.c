/* SPDX-License-Identifier: MIT */
/* error.c - how an error looks: its name and message, the line, a caret under the place.
 *
 *   DOMAIN ERROR: a divisor is 0            job.apl:12:7: DOMAIN ERROR: a divisor is 0
 *         1÷0                               mean←{(+/⍵)÷≢⍵}
 *          ^                                           ^
 *                                           job.apl:14:5: called here
 *                                           x←3+mean ⍬
 *                                               ^
 *
 * The calls that the error left follow, the innermost first; a place that calls itself is
 * shown once, with how often.
 *
 * Lines and columns count from 1, columns in characters; the caret is placed by display
 * width. A line of the prompt is indented as it was typed. */
#include "error.h"
#include <string.h>
#include "../../array/element.h"
#include "../../lexer/token.h"
#include "../../base/utf8.h"

typedef struct place {
  const char *from, *at,
      *to; /* its line, or the statements of that in a function defined by ∇ */
  int column;
  const source_def *def; /* that; NULL: none */
  unsigned line;         /* of the function */
} place;

/* Where a span lies in its text; false if that is not known. */
static bool find_place(span at, place *p) {
  const source *s = at.src;
  if (!s) return false;
  const char *end = s->text + s->len;
  p->at = at.begin < s->len ? s->text + at.begin : end;
  p->from = p->to = p->at;
  while (p->from > s->text && p->from[-1] != '\n') p->from--;
  while (p->to < end && *p->to != '\n') p->to++;
  if (p->to > p->from && p->to[-1] == '\r') p->to--;
  p->column = (int)utf8_count(p->from, (size_t)(p->at - p->from)) + 1;
  /* In a function defined by ∇ the line is told by the function's name and its number there. */
  p->def = source_def_at(s, (uint32_t)(p->at - s->text));
  if (!p->def) return true;
  p->line = 0;
  for (const char *q = s->text + p->def->begin; q < p->at; q++) p->line += *q == '\n';
  while (p->from < p->at && (*p->from == ' ' || *p->from == '\t')) p->from++;
  return true;
}

void error_event(const err *e, str *s) {
  const char *name = err_name(e->code);
  if (e->event) str_put(s, e->msg, e->event);
  else if (strcmp(name, "ERROR")) str_puts(s, name);
  else str_printf(s, "ERROR %d", e->code);
}

/* Was the error in a statement of a text that ⍎ ran, and not in a function that the text has? */
static bool is_executed(const err *e) {
  const source *src = e->at.src;
  int open = 0;
  if (!src || !src->executed || source_def_at(src, e->at.begin)) return false;
  lexer l = {.text = src->text, .len = src->len};
  for (token t = lex_next(&l); t.kind > TOK_ERROR && t.begin < e->at.begin;
       t = lex_next(&l))
    if (t.kind == TOK_PUNCT) open += (t.code == '{') - (t.code == '}');
  return !open;
}

/* What stands before the line, in as many columns as it says. */
static size_t put_before(span at, const place *p, int indent, str *s) {
  if (!p->def) {
    str_pad(s, (size_t)indent);
    return (size_t)indent;
  }
  const char *name = at.src->text + p->def->name;
  size_t from = s->n, n = p->def->name_end - p->def->name;
  str_put(s, name, n);
  str_printf(s, "[%u] ", p->line);
  return utf8_count(name, n) + (s->n - from - n);
}

static void put_line(span at, const place *p, int indent, str *s) {
  put_before(at, p, indent, s);
  str_put(s, p->from, (size_t)(p->to - p->from));
}

static void put_caret(span at, const place *p, int indent, str *s) {
  OWNED_STR str before = {.c = s->c};
  str_pad(s, put_before(at, p, indent, &before));
  for (const char *q = p->from; q < p->at;) {
    char escape[12];
    uint32_t u = utf8_next(q, p->to, &q);
    int wide = utf8_escape(u, escape); /* as a terminal shows it */
    if (u == '\t') str_puts(s, "\t");
    else str_pad(s, (size_t)(wide ? wide : utf8_width(u)));
  }
  str_puts(s, "^");
}

/* "job.apl:12:7: ", where the text has a name. */
static void put_position(span at, const place *p, str *out) {
  if (!at.src->name[0]) return;
  unsigned line = at.src->first_line;
  for (const char *q = at.src->text; q < p->at; q++) line += *q == '\n';
  str_printf(out, "%s:%u:%d: ", at.src->name, line, p->column);
}

/* The line and the caret, lines of the prompt as they were typed. */
static void put_place(span at, const place *p, str *out) {
  int indent = at.src->name[0] ? 0 : 6;
  put_line(at, p, indent, out);
  str_puts(out, "\n");
  put_caret(at, p, indent, out);
  str_puts(out, "\n");
}

static void put_call(const err_call *k, str *out) {
  place p;
  if (!find_place(k->at, &p)) return;
  put_position(k->at, &p, out);
  str_puts(out, "called here");
  if (k->times > 1) str_printf(out, " %u times", (unsigned)k->times);
  str_puts(out, "\n");
  put_place(k->at, &p, out);
}

void vm_error_text(const vm *v, str *out) {
  place p;
  const err *e = &v->c->err;
  if (!err_is(v->c)) return;
  bool known = find_place(e->at, &p);
  if (known && e->code == ERR_STOP && p.def) {
    put_before(e->at, &p, 0, out);
    if (out->n) out->at[out->n - 1] = '\n'; /* in the place of the blank */
    return;
  }
  if (known) put_position(e->at, &p, out);
  if (is_executed(e)) str_puts(out, "⍎");
  error_event(e, out);
  if (e->msg[e->event]) str_printf(out, ": %s", e->msg + e->event);
  str_puts(out, "\n");
  if (known) put_place(e->at, &p, out);
  for (uint32_t i = 0; i < e->calls.n; i++) {
    if (e->calls.n_hidden && i + 1 == e->calls.n)
      str_printf(out, "… %u more calls\n", (unsigned)e->calls.n_hidden);
    put_call(&e->calls.call[i], out);
  }
}

/* ── what is left of an error ───────────────────────────────────────────────────────── */

void error_fields_clear(arr **fields) {
  for (int i = 0; i < DMX_FIELDS; i++) {
    arr_release(fields[i]);
    fields[i] = NULL;
  }
}

void error_forget(vm *v) {
  v->en = 0;
  v->executed = false;
  for (int i = 0; i < 3; i++) {
    str_free(&v->dm[i]);
    v->dm[i].c = v->c;
  }
  str_free(&v->message);
  v->message.c = v->c;
  stack_forget(v);
  error_fields_clear(v->dmx);
}

bool error_among(const arr *codes, int code) {
  bool interrupt = code > 1000 && code < 2000, other = code < 1000 || code > 2000;
  for (int64_t i = 0; i < codes->count; i++) {
    double d = arr_get_float(codes, i);
    if (d == (double)code || (d == 0 && other) || (d == 1000 && interrupt)) return true;
  }
  return false;
}

void error_note(vm *v) {
  place p;
  error_forget(v);
  err kept = v->c->err; /* a failed allocation here must not hide it */
  v->en = kept.code;
  v->executed = is_executed(&kept);
  if (v->executed) str_puts(&v->dm[0], "⍎");
  error_event(&kept, &v->dm[0]);
  str_puts(&v->message, kept.msg + kept.event);
  stack_note(v, &kept);
  if (find_place(kept.at, &p)) {
    put_line(kept.at, &p, 6, &v->dm[1]);
    put_caret(kept.at, &p, 6, &v->dm[2]);
  }
  for (int i = 0; i < DMX_FIELDS; i++) {
    v->dmx[i] = v->signal[i];
    v->signal[i] = NULL;
  }
  v->c->err = kept;
}
