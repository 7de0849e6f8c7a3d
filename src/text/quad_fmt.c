/* SPDX-License-Identifier: MIT */
/* fmt.c - ⎕FMT by specification: columns of reports.
 *
 *   '2I4,F7.1,<|>,A3' ⎕FMT data      phrases, separated by commas, used cyclically
 *
 *   rAw  characters       rIw  integers       rFw.d  decimals     rEw.s  E form
 *   rG<pattern>  digits in a pattern          Tn  to column n     Xn  n columns on
 *   <text>  in every row  r(…)  phrases in a group, r times
 *
 * The format is parsed into a list of phrases; walking over it deals out the columns of the
 * data and gives each a place in the result (a `spot`); then the spots are drawn from left
 * to right, so that a later one overwrites an earlier one. Qualifiers stand before the
 * letter:
 *
 *   B blank if zero   C commas   Km times 10*m   L flush left   Z leading zeros
 *   Ov<t> the text t for the value v   S<pairs> other symbols
 *   M N <t> before, behind a negative number; P Q <t> others; R<t> what the field begins as
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../array/number.h"
#include "../prim/struct.h"
#include "../base/mem.h"
#include "../base/utf8.h"
#include "../array/element.h"
#include "../array/match.h"

enum { MAX_GROUPS = 32, MAX_SUBSTITUTES = 8, NUMBER_MAX = 32767 };

typedef struct text {
  const uint32_t *at;
  int64_t n;
} text;

typedef struct phrase {
  uint32_t kind; /* A I F E G T X, < for text, ( and ) */
  int64_t r, w, d;
  bool blank, commas, left, zeros;
  int64_t scale;
  text t, before_neg, behind_neg, before, behind, preset, symbols; /* t: of G and < */
  int substitutes;
  struct {
    double v;
    text t;
  } o[MAX_SUBSTITUTES];
} phrase;

typedef struct column {
  const arr *a;
  int64_t at, step, n;
} column; /* n elements of a */
typedef struct spot {
  const phrase *p;
  column c;
  int64_t x;
} spot; /* text: c.a is NULL */

typedef struct fmt {
  prim_env *e;
  uint32_t *spec; /* the format, n characters */
  int64_t at, n;
  VEC(phrase) phrases;
  VEC(column) columns;
  VEC(spot) spots;
  int64_t rows, width;
} fmt;

/* ── the format ─────────────────────────────────────────────────────────────────────── */

static bool ill(fmt *f, const char *why) {
  return err_set(f->e->c, ERR_FORMAT, "%s at character %lld of the format", why,
                 (long long)f->at + 1);
}

static uint32_t peek(fmt *f) {
  while (f->at < f->n && f->spec[f->at] == ' ') f->at++;
  return f->at < f->n ? f->spec[f->at] : 0;
}

static bool is_digit(uint32_t u) { return u >= '0' && u <= '9'; }

static bool count(fmt *f, int64_t *n) {
  if (!is_digit(peek(f))) return ill(f, "a number is wanted");
  for (*n = 0; f->at < f->n && is_digit(f->spec[f->at]); f->at++) {
    *n = *n * 10 + (f->spec[f->at] - '0');
    if (*n > NUMBER_MAX) return ill(f, "the number is too large");
  }
  return true;
}

static bool minus(fmt *f) {
  uint32_t u = peek(f);
  bool is = u == 0xAF || u == '-';
  f->at += is;
  return is;
}

static bool whole(fmt *f, int64_t *n) {
  bool negative = minus(f);
  if (!count(f, n)) return false;
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

static bool delimited(fmt *f, text *t) {
  uint32_t end = closer(peek(f));
  if (!end) return ill(f, "a text is wanted");
  int64_t from = ++f->at;
  while (f->at < f->n && f->spec[f->at] != end) f->at++;
  if (f->at == f->n) return ill(f, "a text is not closed");
  *t = (text){f->spec + from, f->at++ - from};
  return true;
}

/* Ov<t>: v may be left out for 0. It is read as digits and an exponent, without a point,
 * for strtod reads that alike in every locale. */
static bool substitute(fmt *f, phrase *p) {
  char buf[64];
  size_t n = 0;
  int64_t exponent = 0, more = 0;
  bool negative = minus(f), point = false;
  if (p->substitutes == MAX_SUBSTITUTES) return ill(f, "too many texts for values");
  for (uint32_t u; (u = peek(f)) && (is_digit(u) || (u == '.' && !point)); f->at++) {
    if (n >= sizeof buf - 16) return ill(f, "the value is too long");
    if (u == '.') point = true;
    else buf[n++] = (char)u, exponent -= point;
  }
  if (n && peek(f) == 'E') {
    f->at++;
    if (!whole(f, &more)) return false;
  }
  snprintf(buf + n, sizeof buf - n, "E%d", (int)(exponent + more));
  double v = n ? strtod(buf, NULL) : 0;
  p->o[p->substitutes].v = negative ? -v : v;
  return delimited(f, &p->o[p->substitutes++].t);
}

static bool qualifier(fmt *f, phrase *p, bool *is) {
  uint32_t u = peek(f);
  *is = u && u < 0x80 && strchr("BCKLMNOPQRSZ", (int)u);
  if (!*is) return true;
  f->at++;
  switch (u) {
  case 'B': return p->blank = true;
  case 'C': return p->commas = true;
  case 'L': return p->left = true;
  case 'Z': return p->zeros = true;
  case 'K': return whole(f, &p->scale);
  case 'O': return substitute(f, p);
  case 'M': return delimited(f, &p->before_neg);
  case 'N': return delimited(f, &p->behind_neg);
  case 'P': return delimited(f, &p->before);
  case 'Q': return delimited(f, &p->behind);
  case 'R': return delimited(f, &p->preset);
  default: break;
  }
  return delimited(f, &p->symbols) &&
         (p->symbols.n % 2 == 0 || ill(f, "symbols stand in pairs"));
}

/* What follows the letter. */
static bool sizes(fmt *f, phrase *p) {
  switch (p->kind) {
  case 'A':
  case 'I': return count(f, &p->w) && (p->w || ill(f, "the width is 0"));
  case 'E':
  case 'F':
    if (!count(f, &p->w)) return false;
    if (peek(f) != '.') return ill(f, "a point and a number are wanted");
    f->at++;
    if (!count(f, &p->d)) return false;
    if (p->kind == 'E' && !p->d) return ill(f, "no digits");
    return p->d <= p->w - 2 || ill(f, "more digits than the width has room for");
  case 'G':
    if (!delimited(f, &p->t)) return false;
    p->w = p->t.n;
    return true;
  case 'T': return count(f, &p->w);
  case 'X': return whole(f, &p->w);
  default: return ill(f, "A, E, F, G, I, T, X, a text or a group is wanted");
  }
}

static bool parse_phrase(fmt *f, int *depth) {
  phrase p = {.r = 1};
  bool is = true;
  if (is_digit(peek(f)) && !count(f, &p.r)) return false;
  if (peek(f) == '(') {
    if (++*depth > MAX_GROUPS) return ill(f, "groups are nested too deeply");
    p.kind = '(';
    f->at++;
    return vec_push(f->e->c, &f->phrases, p) && parse_phrase(f, depth);
  }
  if (closer(peek(f))) {
    p.kind = '<';
    if (!delimited(f, &p.t)) return false;
    p.w = p.t.n;
  } else {
    while (is)
      if (!qualifier(f, &p, &is)) return false;
    bool bare = !f->at || !is_digit(f->spec[f->at - 1]);
    p.kind = peek(f);
    if (p.kind) f->at++;
    if ((p.kind == 'T' || p.kind == 'X') && !bare)
      return ill(f, "T and X are not repeated");
    if (!sizes(f, &p)) return false;
  }
  return vec_push(f->e->c, &f->phrases, p);
}

static bool parse_format(fmt *f) {
  int depth = 0;
  for (;;) {
    if (!parse_phrase(f, &depth)) return false;
    for (; peek(f) == ')'; f->at++) {
      if (!depth--) return ill(f, "no group is open");
      if (!vec_push(f->e->c, &f->phrases, ((phrase){.kind = ')'}))) return false;
    }
    if (!peek(f)) return !depth || ill(f, "a group is not closed");
    if (peek(f) != ',') return ill(f, "a comma is wanted");
    f->at++;
  }
}

/* ── dealing out the columns ────────────────────────────────────────────────────────── */

static bool add_columns(fmt *f, const arr *a) {
  if (a->rank > 2)
    return err_set(f->e->c, ERR_RANK, "⎕FMT takes tables of rank 2 at most");
  if (a->type == ET_NEST || a->type == ET_C128)
    return err_set(f->e->c, ERR_DOMAIN, "⎕FMT takes characters or real numbers");
  for (int64_t i = 0; elt_is_float((elt)a->type) && i < a->count; i++)
    if (!isfinite(arr_get_float(a, i)))
      return err_set(f->e->c, ERR_DOMAIN, "⎕FMT takes finite numbers");
  int64_t m = a->rank == 2 ? a->shape[1] : 1, n = arr_first_axis(a);
  for (int64_t j = 0; j < m; j++)
    if (!vec_push(f->e->c, &f->columns, ((column){a, j, m, n}))) return false;
  if (n > f->rows) f->rows = n;
  return true;
}

static bool collect(fmt *f, const arr *y) {
  if (y->type != ET_NEST) return add_columns(f, y);
  if (y->rank > 1)
    return err_set(f->e->c, ERR_RANK, "⎕FMT takes a table, or a vector of tables");
  for (int64_t i = 0; i < y->count; i++)
    if (!add_columns(f, arr_item(y, i))) return false;
  return true;
}

static bool add_spot(fmt *f, const phrase *p, column c, int64_t *x) {
  if (!vec_push(f->e->c, &f->spots, ((spot){p, c, *x}))) return false;
  *x += p->w;
  if (*x > f->width) f->width = *x;
  return true;
}

/* Numbers go to I F E G, characters to A. */
static bool suits(fmt *f, const phrase *p, const arr *a) {
  bool chars = elt_is_char((elt)a->type);
  if (chars == (p->kind == 'A')) return true;
  return err_set(f->e->c, ERR_FORMAT, "%s cannot be formatted by %c",
                 chars ? "characters" : "numbers", (int)p->kind);
}

/* One phrase at column *x; *k is the next column of the data. *stop: it wants data and
 * there is none. */
static bool deal(fmt *f, const phrase *p, size_t *k, int64_t *x, bool *stop) {
  switch (p->kind) {
  case 'T': *x = p->w ? p->w - 1 : f->width; return true;
  case 'X':
    *x += p->w;
    return *x >= 0 || err_set(f->e->c, ERR_FORMAT, "X goes back beyond the left margin");
  case '<':
    for (int64_t i = 0; i < p->r; i++)
      if (!add_spot(f, p, (column){0}, x)) return false;
    return true;
  default: break;
  }
  for (int64_t i = 0; i < p->r; i++, ++*k) {
    if ((*stop = *k == f->columns.n)) return true;
    if (!suits(f, p, f->columns.at[*k].a) || !add_spot(f, p, f->columns.at[*k], x))
      return false;
  }
  return true;
}

/* Walks over the phrases until the data are used up, and then on over texts to the end of
 * their group. */
static bool deal_all(fmt *f) {
  size_t from[MAX_GROUPS + 1], k = 0, before = 0;
  int64_t left[MAX_GROUPS + 1], x = 0;
  int depth = 0;
  for (size_t i = 0;; i++) {
    if (i == f->phrases.n) {
      if (k == f->columns.n) return true;
      if (k == before) return err_set(f->e->c, ERR_FORMAT, "the format takes no data");
      before = k;
      i = 0;
    }
    const phrase *p = &f->phrases.at[i];
    bool stop = false;
    if (p->kind == '(') {
      from[++depth] = i;
      left[depth] = p->r;
    } else if (p->kind == ')') {
      if (f->columns.n && k == f->columns.n) return true;
      if (--left[depth] > 0) i = from[depth];
      else depth--;
    } else if (!deal(f, p, &k, &x, &stop)) return false;
    if (stop) return true;
    if (interrupted(f->e->c)) return false;
  }
}

/* ── fields ─────────────────────────────────────────────────────────────────────────── */

static uint32_t symbol(const phrase *p, uint32_t u) {
  for (int64_t i = 0; i + 1 < p->symbols.n; i += 2)
    if (p->symbols.at[i] == u) return p->symbols.at[i + 1];
  return u;
}

static void put_text(str *s, text t) {
  for (int64_t i = 0; i < t.n; i++) str_putc(s, t.at[i]);
}

/* The digits in `num` with commas in their integer part, and zeros in front up to w
 * columns. */
static void put_digits(const phrase *p, const str *num, int64_t w, str *s) {
  const char *q = num->at, *point = memchr(q, '.', num->n);
  int64_t whole = point ? point - q : (int64_t)num->n, zeros = 0;
  int64_t used = (int64_t)num->n + (p->commas ? (whole - 1) / 3 : 0);
  while (p->zeros) {
    int64_t more = 1 + (p->commas && (whole + zeros) % 3 == 0);
    if (used + more > w) break;
    used += more;
    zeros++;
  }
  for (int64_t i = -zeros; i < (int64_t)num->n; i++) {
    if (i < whole && i > -zeros && p->commas && (whole - i) % 3 == 0)
      str_putc(s, symbol(p, ','));
    uint32_t u = i < 0 ? '0' : (uint32_t)q[i];
    str_putc(s, i >= 0 && is_digit(u) ? u : symbol(p, u));
  }
}

/* Would nothing but zeros be shown? */
static bool is_zero(const phrase *p, double v) {
  return p->kind == 'E' ? v == 0 : num_is_zero(v, (int)p->d);
}

/* The text of v for I, F and E, without what the field begins as. */
static void put_number(const phrase *p, double v, str *num, str *s) {
  bool negative = v < 0 && !is_zero(p, v);
  num->n = 0;
  if (p->kind == 'E') num_scaled(num, v, (int)p->d);
  else num_fixed(num, v, (int)p->d);
  text behind = negative ? p->behind_neg : p->behind;
  if (negative && p->before_neg.at) put_text(s, p->before_neg);
  else if (negative) str_putc(s, symbol(p, 0xAF));
  else put_text(s, p->before);
  if (num->failed || !num->at) return;
  int64_t used = s->n ? (int64_t)utf8_count(s->at, s->n) : 0;
  if (p->kind != 'E') {
    put_digits(p, num, p->w - used - behind.n, s);
  } else {
    const char *q = num->at, *end = q + num->n, *e = memchr(q, 'E', num->n);
    while (q < end) str_putc(s, symbol(p, utf8_next(q, end, &q)));
    int64_t room = p->w - used - behind.n - (int64_t)utf8_count(num->at, num->n);
    int64_t k = e ? (int64_t)utf8_count(e + 1, (size_t)(end - e - 1)) : EXPONENT_WIDTH;
    while (room-- > 0 && k++ < EXPONENT_WIDTH) str_putc(s, ' ');
  }
  put_text(s, behind);
}

/* G: the digits of v in the pattern; a Z shows a zero only between digits, and text between
 * two selectors shows only if digits are on both sides. False: too many digits. */
static bool put_pattern(const phrase *p, double v, str *num, str *s) {
  uint32_t nine = symbol(p, '9'), zed = symbol(p, 'Z');
  int64_t n = 0, first = -1, last = -1, i = 0;
  num->n = 0;
  num_fixed(num, v, 0);
  for (int64_t k = 0; k < p->t.n; k++) n += p->t.at[k] == nine || p->t.at[k] == zed;
  int64_t pad = n - (int64_t)num->n;
  if (pad == -1 && num->at[0] == '0') pad = 0;
  if (pad < 0 || num->failed) return false;
  for (int64_t k = 0, j = 0; k < p->t.n; k++) {
    bool is9 = p->t.at[k] == nine;
    if (!is9 && p->t.at[k] != zed) continue;
    if (is9 || (j >= pad && num->at[j - pad] != '0'))
      first = first < 0 ? j : first, last = j;
    j++;
  }
  for (int64_t k = 0; k < p->t.n; k++) {
    uint32_t u = p->t.at[k];
    if (u == nine || u == zed) {
      char digit = i < pad ? '0' : num->at[i - pad];
      str_putc(s, first >= 0 && i >= first && i <= last ? (uint32_t)digit : ' ');
      i++;
    } else {
      bool shown = !i || i == n || (first >= 0 && first < i && last >= i);
      str_putc(s, shown ? u : ' ');
    }
  }
  return true;
}

static const text *substituted(fmt *f, const phrase *p, double v) {
  for (int i = 0; i < p->substitutes; i++)
    if (num_equal(v, p->o[i].v, f->e->ct)) return &p->o[i].t;
  return NULL;
}

/* The text of one element into s; *fits is false if it is too wide. */
static void put_element(fmt *f, const spot *at, int64_t row, str *num, str *s,
                        bool *fits) {
  const phrase *p = at->p;
  const arr *a = at->c.a;
  int64_t i = at->c.at + row * at->c.step;
  if (p->kind == 'A') {
    str_putc(s, (uint32_t)arr_get_int(a, i));
    return;
  }
  double v = arr_get_float(a, i), scaled = v;
  const text *t = substituted(f, p, v);
  if (p->scale > 0) scaled = v * pow(10, (double)p->scale);
  if (p->scale < 0) scaled = v / pow(10, (double)-p->scale);
  if (t) put_text(s, *t);
  else if (p->blank && is_zero(p, scaled)) return;
  else if (p->kind == 'G') *fits = put_pattern(p, scaled, num, s);
  else put_number(p, scaled, num, s);
}

/* Draws one field of a row: what it begins as, then the text, flush left or right. */
static void draw_field(const phrase *p, uint32_t *to, const str *s, bool fits) {
  int64_t n = s->n ? (int64_t)utf8_count(s->at, s->n) : 0;
  fits = fits && n <= p->w;
  for (int64_t i = 0; i < p->w; i++)
    to[i] = !fits ? symbol(p, '*') : p->preset.n ? p->preset.at[i % p->preset.n] : ' ';
  if (!fits || !n) return;
  uint32_t *at = to + (p->left ? 0 : p->w - n);
  for (const char *q = s->at, *end = q + s->n; q < end;) *at++ = utf8_next(q, end, &q);
}

static bool draw_spot(fmt *f, const spot *at, uint32_t *to) {
  str s = {.c = f->e->c}, num = s;
  bool ok = !interrupted(f->e->c);
  for (int64_t row = 0; ok && row < f->rows; row++) {
    uint32_t *field = to + row * f->width + at->x;
    bool fits = true, none = at->c.a && row >= at->c.n;
    s.n = 0;
    if (!at->c.a) put_text(&s, at->p->t);
    else if (!none) put_element(f, at, row, &num, &s, &fits);
    ok = !s.failed && !num.failed;
    if (none)
      for (int64_t i = 0; i < at->p->w; i++) field[i] = ' ';
    else if (ok) draw_field(at->p, field, &s, fits);
  }
  str_free(&s);
  str_free(&num);
  return ok;
}

static arr *draw_all(fmt *f) {
  int64_t shape[2] = {f->rows, f->width}, n;
  if (f->width && f->rows > INT64_MAX / 8 / f->width)
    return fail(f->e, ERR_WS_FULL, "the result would be too large");
  n = f->rows * f->width;
  uint32_t *to = mem_alloc(f->e->c, (size_t)n * sizeof *to);
  bool ok = to != NULL;
  for (int64_t i = 0; ok && i < n; i++) to[i] = ' ';
  for (size_t i = 0; ok && i < f->spots.n; i++) ok = draw_spot(f, &f->spots.at[i], to);
  arr *r = ok ? arr_chars(f->e->c, 2, shape, to) : NULL;
  mem_free(f->e->c, to);
  return r;
}

arr *prim_fmt(prim_env *e, arr *x, arr *y) {
  fmt f = {.e = e, .n = x->count};
  if (x->rank > 1) return fail(e, ERR_RANK, "the format must be a character vector");
  if (!elt_is_char((elt)x->type))
    return fail(e, ERR_DOMAIN, "the format must be a character vector");
  f.spec = mem_alloc(e->c, ((size_t)f.n + 1) * sizeof *f.spec);
  for (int64_t i = 0; f.spec && i < f.n; i++) f.spec[i] = (uint32_t)arr_get_int(x, i);
  bool ok = f.spec && parse_format(&f) && collect(&f, y) && deal_all(&f);
  arr *r = ok ? draw_all(&f) : NULL;
  vec_free(e->c, &f.phrases);
  vec_free(e->c, &f.columns);
  vec_free(e->c, &f.spots);
  mem_free(e->c, f.spec);
  return r;
}
