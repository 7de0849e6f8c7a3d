/* SPDX-License-Identifier: MIT */
/* na_parse.c - the declaration of a function of a C library, as Dyalog writes it:
 *
 *   declaration  [type] library|function[*][&] type …
 *   type         [< > =] [0 #] name[width] [ [n] [] ]
 *                [< > =] { type … } [ [n] [] ]
 *
 *   name         I U integers, C T characters, F floats, J complex, P pointer, UTF texts;
 *                widths in bytes 1 2 4 8, J 16, UTF 8 or 16 bits */
#include "../../src/base/utf8.h"
#include "na.h"
#include <ctype.h>
#include <string.h>

typedef struct parser {
  vm *v;
  na_declaration *d;
  const char *text, *at, *end;
} parser;

static bool wrong(const parser *p, const char *at, const char *why) {
  size_t column = utf8_count(p->text, (size_t)(at - p->text)) + 1;
  return err_set(p->v->c, ERR_DOMAIN, "⎕NA: column %zu: %s", column, why);
}

static bool is_at(const parser *p, char k) { return p->at < p->end && *p->at == k; }
static bool skip(parser *p, char k) {
  bool is = is_at(p, k);
  p->at += is;
  return is;
}
static void skip_blanks(parser *p) {
  while (skip(p, ' ')) {}
}

/* A whole number; its digits may be missing: -1. */
static bool number(parser *p, int64_t *n) {
  const char *from = p->at;
  *n = -1;
  for (; p->at < p->end && isdigit((unsigned char)*p->at); p->at++) {
    if (*n < 0) *n = 0;
    *n = *n * 10 + (*p->at - '0');
    if (*n > INT32_MAX) return wrong(p, from, "the number is too large");
  }
  return true;
}

/* The kinds by their names, with the widths that they may have, the usual one first. */
static const struct name_row {
  const char *name;
  na_kind kind;
  uint8_t width[5];
} names[] = {{"UTF", NA_UTF, {8, 16}},         {"I", NA_INT, {4, 1, 2, 8}},
             {"U", NA_UNSIGNED, {4, 1, 2, 8}}, {"C", NA_CHAR, {1, 2, 4}},
             {"T", NA_CHAR, {4, 1, 2}},        {"F", NA_FLOAT, {8, 4}},
             {"J", NA_COMPLEX, {16}},          {"P", NA_POINTER, {8}}};

static const struct name_row *name_row_at(parser *p) {
  for (size_t i = 0; i < ARRAY_LEN(names); i++) {
    size_t n = strlen(names[i].name);
    if ((size_t)(p->end - p->at) < n || strncasecmp(p->at, names[i].name, n)) continue;
    p->at += n;
    return &names[i];
  }
  return NULL;
}

static bool no_such_type(const parser *p) {
  char k = p->at < p->end ? (char)toupper((unsigned char)*p->at) : 0;
  if (k == 'D' || k == 'A' || k == 'Z' || (unsigned char)k == 0xE2)
    return err_set(p->v->c, ERR_NONCE,
                   "⎕NA: column %zu: D, A, Z and ∇ are not in this version",
                   utf8_count(p->text, (size_t)(p->at - p->text)) + 1);
  return wrong(p, p->at, "a type is wanted: I U C T F J P UTF8 UTF16 or {…}");
}

static bool simple_type(parser *p, na_type *t) {
  const char *from = p->at;
  const struct name_row *row = name_row_at(p);
  int64_t width;
  if (!row) return no_such_type(p);
  if (!number(p, &width)) return false;
  t->kind = row->kind;
  t->width = row->width[0];
  for (size_t i = 0; width >= 0 && t->width != width; i++) {
    if (!row->width[i]) return wrong(p, from, "the type has no such width");
    t->width = row->width[i];
  }
  if (t->kind == NA_UTF) t->width /= 8;
  t->element = t->width;
  bool text = t->kind == NA_CHAR || t->kind == NA_UTF;
  if (t->form == NA_ZERO && !text) return wrong(p, from, "0 is for characters");
  if (t->form == NA_COUNTED && !text && t->kind > NA_UNSIGNED)
    return wrong(p, from, "# is for characters and integers");
  return true;
}

static bool type(parser *p, na_type **r, bool field);

static bool structure(parser *p, na_type *t) {
  const char *from = p->at - 1;
  na_type **at = &t->first;
  t->kind = NA_STRUCT;
  if (t->form != NA_ONE) return wrong(p, from, "0 and # are for characters");
  for (skip_blanks(p); !skip(p, '}'); skip_blanks(p)) {
    size_t bytes;
    if (p->at == p->end) return wrong(p, from, "} is missing");
    if (!type(p, at, true)) return false;
    if (!na_bytes(*at, (*at)->sized ? (*at)->n : 1, &bytes) ||
        __builtin_add_overflow(t->element, bytes, &t->element) || t->element > INT32_MAX)
      return wrong(p, from, "the structure is too large");
    at = &(*at)->next;
  }
  return t->first || wrong(p, from, "a structure has fields");
}

/* [n] or [] */
static bool extent(parser *p, na_type *t) {
  const char *from = p->at;
  if (!skip(p, '[')) return true;
  if (!number(p, &t->n)) return false;
  if (!skip(p, ']')) return wrong(p, p->at, "] is missing");
  t->sized = t->n >= 0;
  if (t->form == NA_ONE) t->form = NA_ARRAY;
  if (t->sized && !t->n) return wrong(p, from, "an array of 0 elements");
  return true;
}

/* Where a type may stand: a field has no direction, and a known length. */
static bool fits_here(parser *p, const na_type *t, const char *from, bool field) {
  bool many = t->form != NA_ONE || t->kind == NA_UTF;
  if (field && t->way) return wrong(p, from, "a field has no direction");
  if (field && many && !t->sized) return wrong(p, from, "a field has a length: [n]");
  if (!field && !t->way && (many || t->sized))
    return wrong(p, from, "an array has a direction: < into C, > out of it, = both");
  if (!field && !t->way && t->kind == NA_STRUCT)
    return err_set(p->v->c, ERR_NONCE,
                   "⎕NA: a structure by value is not in this version");
  return true;
}

static bool type(parser *p, na_type **r, bool field) {
  const char *from = p->at;
  na_type *t = arena_alloc(&p->d->mem, sizeof *t);
  if (!t || out_of_stack(p->v->c)) return false;
  *r = t;
  t->at = (uint32_t)(from - p->text);
  if (is_at(p, '<') || is_at(p, '>') || is_at(p, '=')) t->way = *p->at++;
  if (skip(p, '0')) t->form = NA_ZERO;
  else if (skip(p, '#')) t->form = NA_COUNTED;
  bool ok = skip(p, '{') ? structure(p, t) : simple_type(p, t);
  if (!ok || !extent(p, t)) return false;
  t->end = (uint32_t)(p->at - p->text);
  if (t->kind == NA_UTF && t->form == NA_ONE)
    return wrong(p, from, "a text has a 0 in front, or [] behind");
  bool ends = p->at == p->end || *p->at == ' ' || *p->at == '{' || *p->at == '}' ||
              (field && p->at[-1] == '}');
  if (!ends) return wrong(p, p->at, "a blank or the end is wanted");
  return fits_here(p, t, from, field);
}

/* A result is a number, a character, a pointer, or leads to a text or an array of known length. */
static bool right_result(const parser *p, const na_type *t) {
  const char *at = p->text + t->at;
  if (t->kind == NA_STRUCT && !t->sized && t->form == NA_ARRAY)
    return wrong(p, at, "a result has a known length");
  if (t->way && t->form == NA_ARRAY && !t->sized)
    return wrong(p, at, "a result has a known length");
  return true;
}

/* The text up to `stop` is the library's name, perhaps behind the type of the result. */
static bool library(parser *p, const char *stop) {
  na_declaration *d = p->d;
  const char *end = p->end;
  bool quoted = is_at(p, '"');
  if (!quoted && memchr(p->at, ' ', (size_t)(stop - p->at))) {
    p->end = stop;
    bool ok = type(p, &d->result, false);
    p->end = end;
    if (!ok || !right_result(p, d->result)) return false;
    skip_blanks(p);
    quoted = is_at(p, '"');
  }
  const char *last = stop;
  while (last > p->at && last[-1] == ' ') last--;
  if (quoted && (last - p->at < 2 || last[-1] != '"'))
    return wrong(p, p->at, "the name's other \" is missing");
  str_put(&d->library, p->at + quoted, (size_t)(last - p->at) - 2 * (size_t)quoted);
  p->at = stop + 1;
  return !d->library.failed;
}

static bool function(parser *p) {
  na_declaration *d = p->d;
  skip_blanks(p);
  const char *from = p->at;
  while (p->at < p->end && *p->at != ' ' && *p->at != '&' && *p->at != '*') p->at++;
  str_put(&d->function, from, (size_t)(p->at - from));
  if (p->at == from) return wrong(p, from, "a function's name is wanted");
  while (skip(p, '*') || skip(p, '&')) {}
  if (p->at < p->end && *p->at != ' ') return wrong(p, p->at, "a blank is wanted");
  return !d->function.failed;
}

bool na_parse(vm *v, na_declaration *d) {
  parser p = {.v = v, .d = d, .text = d->text.at, .at = d->text.at};
  p.end = p.text + d->text.n;
  if (d->text.n > 1 << 20) return err_set(v->c, ERR_LIMIT, "⎕NA: the text is too long");
  if (strlen(d->text.at) != d->text.n) return wrong(&p, p.text + strlen(p.text), "a NUL");
  while (p.end > p.at && p.end[-1] == ' ') p.end--;
  skip_blanks(&p);
  const char *stop = memchr(p.at, '|', (size_t)(p.end - p.at));
  if (!stop) return wrong(&p, p.end, "a library's name, | and a function's are wanted");
  if (!library(&p, stop) || !function(&p)) return false;
  for (skip_blanks(&p); p.at < p.end; skip_blanks(&p)) {
    if (d->n == NA_MOST)
      return err_set(v->c, ERR_LIMIT, "⎕NA: more than %d arguments", NA_MOST);
    if (!type(&p, &d->arg[d->n++], false)) return false;
  }
  return true;
}

void na_drop(na_declaration *d) {
  arena_free(&d->mem);
  str_free(&d->text);
  str_free(&d->library);
  str_free(&d->function);
}
