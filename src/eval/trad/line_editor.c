/* SPDX-License-Identifier: MIT */
/* line_editor.c - functions edited by their lines, as APL had it before there were editors.
 *
 *   ∇f[⎕]     shows all lines; [⎕n] from n on, [⎕n-m], [n⎕] one      ∇f∇  shows f
 *   [n]       goes to line n; [n]text  puts text there; [n.m] is between two lines
 *   [∆n]      deletes line n; [∆n-m], [n∆m] m lines from n on
 *   [n⎕m]     shows line n; the next one has marks under it: / deletes, 1 to 9 and A to Z put in
 *             blanks, . puts in what is behind it, as , does, after which it is shown again.
 *             m 0: what the next line has comes behind its end
 *   [→]       leaves f as it was; ∇ defines it, with its lines numbered anew
 *
 * Lines have numbers in thousandths. In a text all lines are there up to the last ∇; a person is
 * asked for further ones by their numbers, and to mend what cannot be defined. */
#include "../../base/utf8.h"
#include "../system/show.h"
#include "../system/system.h"
#include "../../lexer/token.h"
#include "../value/space.h"
#include "trad.h"
#include <string.h>

enum { ONE = 1000, HIGHEST = 1000000 * ONE, PREFIX = 6 };

typedef struct row {
  int64_t at;
  str text;
} row;

typedef struct editor {
  vm *v;
  arr *in; /* the namespace */
  VEC(row) rows;
  int64_t at;          /* the line that comes next */
  const char *p, *end; /* what is left of the text */
  bool done;
} editor;

/* ── lines ──────────────────────────────────────────────────────────────────────────── */

/* The place of the first line from number `at` on. */
static size_t place_of(const editor *d, int64_t at) {
  size_t i = 0;
  while (i < d->rows.n && d->rows.at[i].at < at) i++;
  return i;
}

static row *row_at(editor *d, int64_t at) {
  size_t i = place_of(d, at);
  return i < d->rows.n && d->rows.at[i].at == at ? &d->rows.at[i] : NULL;
}

static bool put_row(editor *d, int64_t at, const char *p, size_t n) {
  row *k = row_at(d, at);
  if (!k) {
    size_t i = place_of(d, at);
    if (!vec_push(d->v->c, &d->rows, ((row){.at = at}))) return false;
    k = &d->rows.at[i];
    memmove(k + 1, k, (d->rows.n - 1 - i) * sizeof *k);
    *k = (row){at, {.c = d->v->c}};
  }
  k->text.n = 0;
  str_put(&k->text, p, n);
  str_put(&k->text, "", 0);
  return !k->text.failed;
}

/* Deletes the lines of the numbers from..to. */
static void delete_rows(editor *d, int64_t from, int64_t to) {
  size_t i = place_of(d, from), k = place_of(d, to + 1);
  for (size_t j = i; j < k; j++) str_free(&d->rows.at[j].text);
  memmove(d->rows.at + i, d->rows.at + k, (d->rows.n - k) * sizeof *d->rows.at);
  d->rows.n -= k - i;
}

static int64_t behind_all(const editor *d) {
  return d->rows.n ? (d->rows.at[d->rows.n - 1].at / ONE + 1) * ONE : 0;
}

static void put_number(int64_t at, str *s) {
  size_t from = s->n;
  str_printf(s, "[%lld", (long long)(at / ONE));
  if (at % ONE) {
    str_printf(s, ".%03d", (int)(at % ONE));
    while (s->n && s->at[s->n - 1] == '0') s->n--;
  }
  str_puts(s, "]");
  str_pad(s, s->n - from < PREFIX ? PREFIX - (s->n - from) : 1);
}

static void show_row(const row *k, str *s) {
  put_number(k->at, s);
  str_printf(s, "%s\n", k->text.at);
}

static bool show_rows(editor *d, int64_t from, int64_t to) {
  OWNED_STR str s = {.c = d->v->c};
  for (size_t i = place_of(d, from); i < d->rows.n && d->rows.at[i].at <= to; i++)
    show_row(&d->rows.at[i], &s);
  return !s.failed && put_out(d->v, s.at, s.n);
}

/* Cuts a text into lines numbered from 0. */
static bool load(editor *d, const str *s) {
  const char *p = s->at, *end = p + s->n;
  for (int64_t at = 0; p <= end; at += ONE) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    size_t n = (size_t)(stop - p);
    while (n && (p[n - 1] == '\r' || p[n - 1] == ' ')) n--;
    if (!put_row(d, at, p, n) || interrupted(d->v->c)) return false;
    p = stop + 1;
  }
  return true;
}

/* ── what is read ───────────────────────────────────────────────────────────────────── */

/* The next line, of the text or of a person, who is asked with a prompt. */
static bool next_line(editor *d, const char *prompt, str *s) {
  s->n = 0;
  if (d->p < d->end) {
    const char *stop = memchr(d->p, '\n', (size_t)(d->end - d->p));
    if (!stop) stop = d->end;
    str_put(s, d->p, (size_t)(stop - d->p));
    d->p = stop < d->end ? stop + 1 : stop;
  } else if (!d->v->cfg.edit) {
    return err_set(d->v->c, ERR_SYNTAX, "∇ is not closed");
  } else if (!read_line(d->v, 1, prompt, s)) return false;
  str_put(s, "", 0);
  return !s->failed;
}

static void skip(const char **p, const char *end) {
  while (*p < end && (**p == ' ' || **p == '\t')) ++*p;
}

static bool take(const char **p, const char *end, const char *word) {
  size_t n = strlen(word);
  skip(p, end);
  if ((size_t)(end - *p) < n || memcmp(*p, word, n)) return false;
  *p += n;
  return true;
}

/* A number with up to three decimals, in thousandths; -1: there is none. */
static int64_t take_number(const char **p, const char *end) {
  int64_t n = 0, step = ONE;
  skip(p, end);
  const char *from = *p;
  for (; *p < end && **p >= '0' && **p <= '9'; ++*p)
    if (n < HIGHEST) n = n * 10 + (**p - '0') * ONE;
  if (*p > from && *p < end && **p == '.')
    for (++*p; *p < end && **p >= '0' && **p <= '9'; ++*p)
      n += (**p - '0') * (step /= 10);
  if (*p == from) return -1;
  return n < HIGHEST ? n : HIGHEST;
}

/* ── [n⎕m] ──────────────────────────────────────────────────────────────────────────── */

/* What the marks make of the line `shown`; *more: it is to be shown again. */
static void apply_marks(const char *shown, const char *marks, str *to, bool *more) {
  const char *p = shown, *end = p + strlen(p), *next;
  *more = false;
  for (; *marks; marks++) {
    char c = *marks;
    if (c == ',' || c == '.') {
      str_puts(to, marks + 1);
      *more = c == ',';
      break;
    }
    if (c >= '1' && c <= '9') str_pad(to, (size_t)(c - '0'));
    if (c >= 'A' && c <= 'Z') str_pad(to, 5 * (size_t)(c - 'A' + 1));
    if (p == end) continue;
    utf8_next(p, end, &next);
    if (c != '/') str_put(to, p, (size_t)(next - p));
    p = next;
  }
  str_put(to, p, (size_t)(end - p));
  str_put(to, "", 0);
}

static bool run_line(editor *d, const char *p, const char *end);

static bool edit_row(editor *d, const row *k, int64_t column) {
  OWNED_STR str shown = {.c = d->v->c};
  OWNED_STR str marks = {.c = d->v->c};
  bool more = true;
  show_row(k, &shown);
  while (more) {
    OWNED_STR str made = {.c = d->v->c};
    if (shown.failed || !put_out(d->v, shown.at, shown.n)) return false;
    if (!next_line(d, "", &marks)) return false;
    shown.at[--shown.n] = 0; /* its line feed */
    more = false;
    if (column) apply_marks(shown.at, marks.at, &made, &more);
    else str_printf(&made, "%s%s", shown.at, marks.at);
    if (made.failed) return false;
    shown.n = 0;
    str_printf(&shown, "%s\n", made.at);
  }
  return !shown.failed && run_line(d, shown.at, shown.at + shown.n - 1);
}

/* ── directives ─────────────────────────────────────────────────────────────────────── */

typedef struct directive {
  char op;          /* S shows, D deletes, Q quits, 0 goes there */
  int64_t n, m, to; /* before and behind the sign, and behind the dash; -1: none */
} directive;

/* The one behind a bracket, and *p behind its end. */
static bool read_directive(const char **p, const char *end, directive *r) {
  *r = (directive){.n = take_number(p, end), .to = -1};
  if (take(p, end, "⎕")) r->op = 'S';
  else if (take(p, end, "∆")) r->op = 'D';
  else if (take(p, end, "→")) r->op = 'Q';
  r->m = take_number(p, end);
  if (take(p, end, "-")) {
    r->to = take_number(p, end);
    if (r->to < 0) r->to = HIGHEST;
  } else r->to = r->m;
  return take(p, end, "]");
}

static bool show(editor *d, const directive *r) {
  row *k = r->n < 0 ? NULL : row_at(d, r->n);
  if (k && r->m >= 0) return edit_row(d, k, r->m);
  d->at = r->n < 0 ? behind_all(d) : r->n;
  if (r->n >= 0) return show_rows(d, r->n, r->n);
  return show_rows(d, r->m < 0 ? 0 : r->m, r->to == r->m ? HIGHEST : r->to);
}

static bool run_directive(editor *d, const directive *r) {
  if (r->op == 'S') return show(d, r);
  if (r->op == 'Q') d->done = true;
  if (r->op == 'D' && r->n < 0 && r->m >= 0) {
    d->at = r->m;
    delete_rows(d, r->m, r->to);
  } else if (r->op == 'D' && r->m > 0) {
    size_t i = place_of(d, r->n), last = i + (size_t)(r->m / ONE) - 1;
    d->at = r->n;
    if (last >= d->rows.n) last = d->rows.n - 1;
    if (i < d->rows.n) delete_rows(d, r->n, d->rows.at[last].at);
  } else if (!r->op && r->n >= 0) d->at = r->n;
  return true;
}

/* ── the definition ─────────────────────────────────────────────────────────────────── */

static bool fix(editor *d) {
  vm *v = d->v;
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str why = {.c = v->c};
  str_puts(&s, "∇");
  for (size_t i = 0; i < d->rows.n; i++) str_printf(&s, "%s\n", d->rows.at[i].text.at);
  str_puts(&s, "∇");
  if (s.failed) return false;
  d->done = trad_fix(v, &(vm_text){.name = "", .at = s.at, .n = s.n}, d->in, &name);
  if (d->done || !v->cfg.edit || v->c->err.code != ERR_SYNTAX) return d->done;
  vm_error_text(v, &why);
  err_clear(v->c);
  d->at = behind_all(d);
  if (!why.failed) v->cfg.write(v->cfg.user, 2, why.at, why.n);
  return true;
}

/* One line: directives, a line of the function, a ∇. */
static bool run_line(editor *d, const char *p, const char *end) {
  const char *from = p;
  while (!d->done && take(&from, end, "[")) {
    directive r;
    if (!read_directive(&from, end, &r))
      return err_set(d->v->c, ERR_SYNTAX, "%.*s is no editing of a line",
                     (int)lex_shown(p, (size_t)(end - p)), p);
    if (!run_directive(d, &r)) return false;
    skip(&from, end);
    p = from;
  }
  const char *close = parse_edit_close(p, end);
  if (close) end = close;
  while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
  if (p < end && !d->done) {
    if (!put_row(d, d->at, p, (size_t)(end - p))) return false;
    int64_t step = ONE; /* the last decimal place that the number is shown with */
    while (d->at % step) step /= 10;
    d->at += step;
  }
  return !close || d->done || fix(d);
}

/* The function that is edited, its text loaded; false: there is none. */
static bool open_function(editor *d, const token *name, value *f) {
  vm *v = d->v;
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str word = {.c = v->c};
  str_put(&word, d->p + name->begin, name->end - name->begin);
  str_put(&word, "", 0);
  sym *k = word.failed ? NULL : sym_intern(v, word.at, word.n);
  if (!k) return false;
  *f = value_retain(*location_in(d->in, k).val);
  bool lines =
      f->cls > C_ARR && (fn_is_trad(f->f) || f->f->kind == F_DFN || f->f->kind == F_DOP);
  if (!lines) return err_set(v->c, ERR_SYNTAX, "%s is no function of lines", word.at);
  fn_put_definition(f->f, word.at, &text);
  return !text.failed && load(d, &text);
}

static bool list(editor *d) {
  OWNED_STR str s = {.c = d->v->c};
  for (size_t i = 0; i < d->rows.n; i++) {
    size_t from = s.n;
    if (i) str_printf(&s, "[%zu]", i);
    else str_puts(&s, "     ∇");
    str_pad(&s, i ? 7 - (s.n - from) : 1);
    str_printf(&s, "%s\n", d->rows.at[i].text.at);
  }
  str_puts(&s, "     ∇\n");
  return !s.failed && put_out(d->v, s.at, s.n);
}

static bool run(editor *d) {
  OWNED_VALUE value f = {0};
  OWNED_STR str s = {.c = d->v->c};
  OWNED_STR str prompt = {.c = d->v->c};
  lexer l = {.text = d->p, .len = (size_t)(d->end - d->p)};
  token name = lex_next(&l);
  if (!open_function(d, &name, &f)) return false;
  d->p += name.end;
  d->at = behind_all(d);
  if (take(&d->p, d->end, "∇")) return list(d);
  while (!d->done) {
    prompt.n = 0;
    put_number(d->at, &prompt);
    if (prompt.failed || !step_begins(d->v->c) || !next_line(d, prompt.at, &s))
      return false;
    if (!run_line(d, s.at, s.at + s.n)) return false;
  }
  return true;
}

bool line_editor(vm *v, const env *e, const tnode *t) {
  const char *text = e->body->src->text;
  editor d = {.v = v, .in = e->space, .p = text + t->begin, .end = text + t->end};
  bool ok = run(&d);
  if (!ok) err_at(v->c, (span){e->body->src, t->begin, t->end});
  for (size_t i = 0; i < d.rows.n; i++) str_free(&d.rows.at[i].text);
  vec_free(v->c, &d.rows);
  return ok;
}
