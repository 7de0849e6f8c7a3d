/* SPDX-License-Identifier: MIT */
/* fmt_parse.c - the format of ⎕FMT to phrases.
 *
 *   '2I4,F7.1,<|>,A3' ⎕FMT data      phrases, separated by commas, used cyclically
 *
 *   rAw  characters       rIw  integers       rFw.d  decimals     rEw.s  E form
 *   rG<pattern>  digits in a pattern          Tn  to column n     Xn  n columns on
 *   <text>  in every row  r(…)  phrases in a group, r times
 *
 * Qualifiers stand before the letter:
 *
 *   B blank if zero   C commas   Km times 10*m   L flush left   Z leading zeros
 *   Ov<t> the text t for the value v   S<pairs> other symbols
 *   M N <t> before, behind a negative number; P Q <t> others; R<t> what the field begins as
 */
#include "fmt.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 32767 };

typedef struct reader {
  ctx *c;
  const uint32_t *spec;
  int64_t at, n;
} reader;

static bool ill(reader *f, const char *why) {
  return err_set(f->c, ERR_FORMAT, "%s at character %lld of the format", why,
                 (long long)f->at + 1);
}

/* ── numbers and texts ──────────────────────────────────────────────────────────────── */

/* The next character that is no blank, 0 at the end. */
static uint32_t peek(reader *f) {
  while (f->at < f->n && f->spec[f->at] == ' ') f->at++;
  if (f->at == f->n) return 0;
  return f->spec[f->at];
}

static bool is_digit(uint32_t u) { return u >= '0' && u <= '9'; }

static bool fmt_count(reader *f, int64_t *n) {
  if (!is_digit(peek(f))) return ill(f, "a number is wanted");
  for (*n = 0; f->at < f->n && is_digit(f->spec[f->at]); f->at++) {
    *n = *n * 10 + (f->spec[f->at] - '0');
    if (*n > NUMBER_MAX) return ill(f, "the number is too large");
  }
  return true;
}

static bool take_minus(reader *f) {
  uint32_t u = peek(f);
  if (u != 0xAF && u != '-') return false;
  f->at++;
  return true;
}

static bool whole(reader *f, int64_t *n) {
  bool negative = take_minus(f);
  if (!fmt_count(f, n)) return false;
  if (negative) *n = -*n;
  return true;
}

/* What closes a text that u opens; 0 if u opens none. */
static uint32_t closer(uint32_t u) {
  static const uint32_t pairs[] = U"<>⊂⊃⎕⎕¨¨⍞⍞";
  for (int i = 0; pairs[i]; i += 2)
    if (pairs[i] == u) return pairs[i + 1];
  return 0;
}

static bool delimited(reader *f, text *t) {
  uint32_t end = closer(peek(f));
  if (!end) return ill(f, "a text is wanted");
  f->at++;
  int64_t from = f->at;
  while (f->at < f->n && f->spec[f->at] != end) f->at++;
  if (f->at == f->n) return ill(f, "a text is not closed");
  *t = (text){f->spec + from, f->at - from};
  f->at++;
  return true;
}

/* ── qualifiers ─────────────────────────────────────────────────────────────────────── */

/* A value with a point and an exponent; 0 if there is none. It is read as digits and an
 * exponent, without a point, for strtod reads that alike in every locale. */
static bool value(reader *f, double *v) {
  char buf[64];
  size_t n = 0;
  int64_t exponent = 0, more = 0;
  bool negative = take_minus(f), point = false;
  for (;; f->at++) {
    uint32_t u = peek(f);
    if (!is_digit(u) && (u != '.' || point)) break;
    if (n >= sizeof buf - 16) return ill(f, "the value is too long");
    if (u == '.') {
      point = true;
      continue;
    }
    buf[n++] = (char)u;
    if (point) exponent--;
  }
  *v = 0;
  if (n && peek(f) == 'E') {
    f->at++;
    if (!whole(f, &more)) return false;
  }
  snprintf(buf + n, sizeof buf - n, "E%d", (int)(exponent + more));
  if (n) *v = strtod(buf, NULL);
  if (isinf(*v)) return ill(f, "the value is too large");
  if (negative) *v = -*v;
  return true;
}

/* Ov<t>: v may be left out for 0. */
static bool add_substitute(reader *f, phrase *p) {
  if (p->substitutes == FMT_MAX_SUBSTITUTES) return ill(f, "too many texts for values");
  substitute *o = &p->o[p->substitutes++];
  return value(f, &o->v) && delimited(f, &o->t);
}

static bool symbols(reader *f, phrase *p) {
  if (!delimited(f, &p->symbols)) return false;
  return p->symbols.n % 2 == 0 || ill(f, "symbols stand in pairs");
}

static bool is_qualifier(uint32_t u) {
  return u && u < 0x80 && strchr("BCKLMNOPQRSZ", (int)u);
}

static bool qualifier(reader *f, phrase *p) {
  uint32_t u = peek(f);
  f->at++;
  switch (u) {
  case 'B': p->blank = true; return true;
  case 'C': p->commas = true; return true;
  case 'L': p->left = true; return true;
  case 'Z': p->zeros = true; return true;
  case 'K': return whole(f, &p->scale);
  case 'O': return add_substitute(f, p);
  case 'M': return delimited(f, &p->before_neg);
  case 'N': return delimited(f, &p->behind_neg);
  case 'P': return delimited(f, &p->before);
  case 'Q': return delimited(f, &p->behind);
  case 'R': return delimited(f, &p->preset);
  default: return symbols(f, p);
  }
}

/* ── phrases ────────────────────────────────────────────────────────────────────────── */

/* w.d of F, w.s of E. */
static bool width_and_digits(reader *f, phrase *p) {
  if (!fmt_count(f, &p->w)) return false;
  if (peek(f) != '.') return ill(f, "a point and a number are wanted");
  f->at++;
  if (!fmt_count(f, &p->d)) return false;
  if (p->kind == 'E' && !p->d) return ill(f, "no digits");
  return p->d <= p->w - 2 || ill(f, "more digits than the width has room for");
}

/* What follows the letter. */
static bool sizes(reader *f, phrase *p) {
  switch (p->kind) {
  case 'A':
  case 'I': return fmt_count(f, &p->w) && (p->w || ill(f, "the width is 0"));
  case 'E':
  case 'F': return width_and_digits(f, p);
  case 'G':
    if (!delimited(f, &p->t)) return false;
    p->w = p->t.n;
    return true;
  case 'T': return fmt_count(f, &p->w);
  case 'X': return whole(f, &p->w);
  default: return ill(f, "A, E, F, G, I, T, X, a text or a group is wanted");
  }
}

/* Qualifiers, a letter and its sizes. */
static bool letter(reader *f, phrase *p) {
  while (is_qualifier(peek(f)))
    if (!qualifier(f, p)) return false;
  bool repeated = f->at && is_digit(f->spec[f->at - 1]);
  p->kind = peek(f);
  if (p->kind) f->at++;
  if ((p->kind == 'T' || p->kind == 'X') && repeated)
    return ill(f, "T and X are not repeated");
  return sizes(f, p);
}

static bool parse_phrase(reader *f, int *depth, phrase_list *phrases) {
  phrase p = {.r = 1};
  if (is_digit(peek(f)) && !fmt_count(f, &p.r)) return false;
  if (peek(f) == '(') {
    ++*depth;
    if (*depth > FMT_MAX_GROUPS) return ill(f, "groups are nested too deeply");
    p.kind = '(';
    f->at++;
    return vec_push(f->c, phrases, p) && parse_phrase(f, depth, phrases);
  }
  if (closer(peek(f))) {
    p.kind = '<';
    if (!delimited(f, &p.t)) return false;
    p.w = p.t.n;
  } else if (!letter(f, &p)) {
    return false;
  }
  return vec_push(f->c, phrases, p);
}

bool fmt_parse(ctx *c, const uint32_t *spec, int64_t n, phrase_list *phrases) {
  reader f = {.c = c, .spec = spec, .n = n};
  int depth = 0;
  for (;;) {
    if (!parse_phrase(&f, &depth, phrases)) return false;
    for (; peek(&f) == ')'; f.at++) {
      if (!depth) return ill(&f, "no group is open");
      depth--;
      if (!vec_push(c, phrases, ((phrase){.kind = ')'}))) return false;
    }
    if (!peek(&f)) return !depth || ill(&f, "a group is not closed");
    if (peek(&f) != ',') return ill(&f, "a comma is wanted");
    f.at++;
  }
}
