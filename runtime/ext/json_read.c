/* SPDX-License-Identifier: MIT */
/* json_read.c - ⎕JSON: text as arrays, straight from the text, without a tree in between.
 *
 *   number             a scalar                  true false null   ⊂'true' ⊂'false' ⊂'null'
 *   string             a character vector        array             a vector of its items
 *   object             a namespace; with Format 'T' a table of two columns: names and values
 *
 * With Format 'M' the text becomes a table with a row for each value, depth first: depth, name,
 * value, and type as Dyalog numbers them (1 object, 2 array, 3 number, 4 text, 5 null, 6 true
 * and false).
 *
 * The Dialect JSON5 has besides: comments, more blanks, a comma behind the last item, names without quotes, texts
 * in ' ', more escapes, numbers such as +1 .5 5. 0xFF, and the words Infinity and NaN.
 *
 * It is no library's parser, for what is read is counted, may be interrupted, and its names are
 * hashed as all names are. */
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/base/mem.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "csv.h"
#include "json.h"
#include <string.h>

enum { MOST_DEPTH = 2048 };

typedef struct reader {
  vm *v;
  const json_options *o;
  const char *text, *at, *end;
  int64_t values; /* begun so far */
  int depth;
  str string;    /* the one that was read last */
  arr_list rows; /* of Format 'M': four items a row */
} reader;

/* ── the text ───────────────────────────────────────────────────────────────────────── */

/* An error at p->at. */
static bool wrong(reader *p, const char *why) {
  const char *line = p->text, *next = p->end;
  size_t lines = 1;
  for (const char *q = p->text; q < p->at; q++)
    if (*q == '\n') lines++, line = q + 1;
  if (p->at < p->end) utf8_next(p->at, p->end, &next);
  size_t place = utf8_count(line, (size_t)(p->at - line)) + 1;
  OWNED_STR str near = {.c = p->v->c};
  str_put(&near, p->at, (size_t)(next - p->at));
  bool ends = p->at == p->end || near.failed;
  return err_set(p->v->c, ERR_DOMAIN, "⎕JSON: line %zu, column %zu: %s near %s%s%s",
                 lines, place, why, ends ? "" : "'", ends ? "the end" : near.at,
                 ends ? "" : "'");
}

/* What JSON5 has as a blank besides: of Unicode's spaces, and a comment. */
static bool pass_blank_of_five(reader *p) {
  const char *next = p->at, *from = p->at + 2;
  if (p->at == p->end) return false;
  uint32_t u = utf8_next(p->at, p->end, &next);
  bool blank = u == 11 || u == 12 || u == 0xA0 || u == 0x1680 ||
               (u >= 0x2000 && u <= 0x200A) || u == 0x2028 || u == 0x2029 ||
               u == 0x202F || u == 0x205F || u == 0x3000 || u == 0xFEFF;
  if (blank) p->at = next;
  if (blank || u != '/' || p->end - p->at < 2) return blank;
  if (p->at[1] == '/') {
    while (from < p->end && *from != '\n' && *from != '\r') from++;
    p->at = from;
    return true;
  }
  while (p->end - from >= 2 && memcmp(from, "*/", 2)) from++;
  if (p->at[1] != '*' || p->end - from < 2) return false;
  p->at = from + 2;
  return true;
}

static void pass_blanks(reader *p) {
  do
    while (p->at < p->end &&
           (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
      p->at++;
  while (p->o->dialect && pass_blank_of_five(p));
}

/* Is that the next character? Then it is passed. */
static bool passes(reader *p, char c) {
  bool there = p->at < p->end && *p->at == c;
  p->at += there;
  return there;
}

static bool is_digit_at(const reader *p) {
  return p->at < p->end && *p->at >= '0' && *p->at <= '9';
}

/* Behind the bracket of an array or object, or behind an item: is there one more? */
static bool one_more(reader *p, char close, bool first, bool *more) {
  pass_blanks(p);
  *more = !passes(p, close);
  if (!*more || first) return true;
  if (passes(p, ',')) {
    if (!p->o->dialect) return true;
    pass_blanks(p);
    *more = !passes(p, close);
    return true;
  }
  return wrong(p, close == ']' ? "']' expected" : "'}' expected");
}

/* ── strings ────────────────────────────────────────────────────────────────────────── */

/* The value of the hexadecimal digit at p->at; -1: it is none. */
static int hex_at(const reader *p) {
  static const char digits[] = "0123456789abcdef";
  char c = p->at < p->end ? *p->at : 0;
  const char *d = strchr(digits, c >= 'A' && c <= 'F' ? c | 32 : c);
  return c && d ? (int)(d - digits) : -1;
}

/* So many hexadecimal digits; -1: they are not there. */
static int take_unit(reader *p, int digits) {
  int u = 0;
  for (const char *from = p->at; p->at < from + digits; p->at++) {
    int d = hex_at(p);
    if (d < 0) {
      p->at = from;
      return -1;
    }
    u = u * 16 + d;
  }
  return u;
}

/* What stands behind \u: one unit, or two that are a pair. */
static bool take_escaped(reader *p) {
  const char *from = p->at;
  int u = take_unit(p, 4), low = -1;
  bool high = u >= 0xD800 && u < 0xDC00;
  if (high && passes(p, '\\') && passes(p, 'u')) low = take_unit(p, 4);
  bool pair = low >= 0xDC00 && low < 0xE000;
  if (u < 0 || high != pair || (!high && !utf8_holds((uint32_t)u))) {
    p->at = from;
    return wrong(p,
                 u < 0 ? "four hexadecimal digits expected" : "half of a surrogate pair");
  }
  if (pair) u = 0x10000 + ((u - 0xD800) << 10) + low - 0xDC00;
  str_putc(&p->string, (uint32_t)u);
  return true;
}

/* Of JSON5: \xNN, \v, \0, nothing for the end of a line, any other character but a digit as it stands. */
static bool take_escape_of_five(reader *p) {
  const char *next = p->at;
  if (passes(p, 'x')) {
    int u = take_unit(p, 2);
    if (u >= 0) str_putc(&p->string, (uint32_t)u);
    return u >= 0 || wrong(p, "two hexadecimal digits expected");
  }
  if (passes(p, 'v')) return str_puts(&p->string, "\v"), true;
  if (passes(p, '0') && !is_digit_at(p)) return str_put(&p->string, "", 1), true;
  if (p->at == p->end || is_digit_at(p)) return wrong(p, "an escape expected");
  uint32_t u = utf8_next(p->at, p->end, &next);
  p->at = next;
  if (u == '\r') passes(p, '\n');
  if (u != '\r' && u != '\n' && u != 0x2028 && u != 0x2029) str_putc(&p->string, u);
  return true;
}

static bool take_escape(reader *p) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (passes(p, 'u')) return take_escaped(p);
  const char *k = p->at < p->end && *p->at ? strchr(names, *p->at) : NULL;
  if (!k && p->o->dialect) return take_escape_of_five(p);
  if (!k) return wrong(p, "an escape expected");
  str_put(&p->string, &values[k - names], 1);
  p->at++;
  return true;
}

/* May the character stand in a string as it is? */
static bool stands(const reader *p, char c) {
  return (unsigned char)c >= 32 || (p->o->dialect && c != '\n' && c != '\r');
}

/* Is there the quote of a string? Then it is passed, and is *quote. */
static bool passes_quote(reader *p, char *quote) {
  *quote = '"';
  if (passes(p, '"')) return true;
  *quote = '\'';
  return p->o->dialect && passes(p, '\'');
}

/* The string whose quote has been passed, into p->string. */
static bool take_string(reader *p, char quote) {
  p->string.n = 0;
  for (;;) {
    const char *from = p->at;
    while (p->at < p->end && *p->at != quote && *p->at != '\\' && stands(p, *p->at))
      p->at++;
    str_put(&p->string, from, (size_t)(p->at - from));
    if (passes(p, quote)) return !p->string.failed;
    if (!passes(p, '\\')) return wrong(p, "a string does not end");
    if (!take_escape(p)) return false;
  }
}

static bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         (unsigned char)c >= 128;
}

/* The name without quotes that stands there, into p->string. */
static bool take_word(reader *p) {
  const char *from = p->at;
  p->string.n = 0;
  while (p->at < p->end &&
         (begins_word(*p->at) || *p->at == '\\' || (p->at > from && is_digit_at(p)))) {
    if (!passes(p, '\\')) str_put(&p->string, p->at++, 1);
    else if (!passes(p, 'u')) return wrong(p, "an escape expected");
    else if (!take_escaped(p)) return false;
  }
  return p->at > from ? !p->string.failed : wrong(p, "a name or '}' expected");
}

/* The name of a member, into p->string, and the colon. */
static bool take_name(reader *p) {
  char quote;
  pass_blanks(p);
  bool quoted = passes_quote(p, &quote);
  if (!quoted && !p->o->dialect) return wrong(p, "string or '}' expected");
  if (quoted ? !take_string(p, quote) : !take_word(p)) return false;
  pass_blanks(p);
  return passes(p, ':') || wrong(p, "':' expected");
}

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

static const double MOST_WHOLE = 0x1p53; /* below it every whole number is a float */

typedef struct number {
  bool wide; /* it is i, which is no float */
  int64_t i;
  double d;
} number;

static bool pass_digits(reader *p) {
  const char *from = p->at;
  while (is_digit_at(p)) p->at++;
  return p->at > from || wrong(p, "a digit expected");
}

/* The number that p->at is behind and that the text from..to has. */
static bool read_number(reader *p, const char *from, const char *to, number *n) {
  bool whole = false;
  bool known = csv_number(from, to, '.', &whole, &n->i, &n->d);
  n->wide = whole && (n->d >= MOST_WHOLE || n->d <= -MOST_WHOLE);
  return (known && n->d - n->d == 0) || wrong(p, "a number that is too large");
}

static bool take_exponent(reader *p) {
  if (!passes(p, 'e') && !passes(p, 'E')) return true;
  if (!passes(p, '-')) passes(p, '+');
  return pass_digits(p);
}

/* The hexadecimal number behind 0x. */
static bool take_hex(reader *p, bool minus, number *n) {
  uint64_t u = 0;
  bool wide = false;
  *n = (number){0};
  if (hex_at(p) < 0) return wrong(p, "a hexadecimal digit expected");
  for (int d; (d = hex_at(p)) >= 0; p->at++) {
    wide |= u >> 59 != 0;
    u = u << 4 | (unsigned)d;
    n->d = n->d * 16 + d;
  }
  if (n->d - n->d != 0) return wrong(p, "a number that is too large");
  if (minus) n->d = -n->d;
  n->i = minus ? -(int64_t)(u & INT64_MAX) : (int64_t)(u & INT64_MAX);
  n->wide = !wide && (n->d >= MOST_WHOLE || n->d <= -MOST_WHOLE);
  return true;
}

/* A number of JSON5: as one of JSON, with a digit on both sides of its point. */
static bool take_number_of_five(reader *p, number *n) {
  OWNED_STR str s = {.c = p->v->c};
  bool minus = passes(p, '-');
  if (!minus) passes(p, '+');
  const char *from = p->at;
  bool zero = passes(p, '0');
  if (zero && (passes(p, 'x') || passes(p, 'X'))) return take_hex(p, minus, n);
  while (!zero && is_digit_at(p)) p->at++;
  size_t before = (size_t)(p->at - from);
  str_puts(&s, minus ? "-" : "");
  str_put(&s, before ? from : "0", before ? before : 1);
  from = p->at;
  if (passes(p, '.')) {
    while (is_digit_at(p)) p->at++;
    if (!before && p->at == from + 1) return wrong(p, "a digit expected");
    if (p->at > from + 1) str_put(&s, from, (size_t)(p->at - from));
  } else if (!before) return wrong(p, "a digit expected");
  from = p->at;
  if (!take_exponent(p)) return false;
  str_put(&s, from, (size_t)(p->at - from));
  return !s.failed && read_number(p, s.at, s.at + s.n, n);
}

static bool take_number(reader *p, number *n) {
  const char *from = p->at;
  if (p->o->dialect) return take_number_of_five(p, n);
  passes(p, '-');
  if (!passes(p, '0') && !pass_digits(p)) return false;
  if (passes(p, '.') && !pass_digits(p)) return false;
  if (!take_exponent(p)) return false;
  const char *to = p->at;
  p->at = from; /* an error is told there */
  if (!read_number(p, from, to, n)) return false;
  p->at = to;
  return true;
}

/* Does a number begin there, and no word? */
static bool begins_number(const reader *p) {
  const char *at = p->at;
  if (at == p->end || !p->o->dialect)
    return is_digit_at(p) || (at < p->end && *at == '-');
  at += *at == '-' || *at == '+';
  return at == p->end || *at == '.' || (*at >= '0' && *at <= '9');
}

static bool json_is_whole(double d) {
  return d > -MOST_WHOLE && d < MOST_WHOLE && d == (double)(int64_t)d;
}

static arr *number_array(ctx *c, const number *n) {
  if (n->wide) return arr_int(c, n->i);
  if (json_is_whole(n->d)) return arr_int(c, (int64_t)n->d);
  return arr_float(c, n->d);
}

/* ── arrays ─────────────────────────────────────────────────────────────────────────── */

static arr *take_value(reader *p);

/* Items that are read: numbers as they are while there is nothing else, for an array of each
 * of them would take much more. */
typedef struct vector {
  arr_list items;
  VEC(double) numbers;
} vector;

static bool numbers_to_items(vector *x) {
  bool ok = true;
  for (size_t i = 0; ok && i < x->numbers.n; i++)
    ok = list_add(&x->items,
                  number_array(x->items.v->c, &(number){.d = x->numbers.at[i]}));
  x->numbers.n = 0;
  return ok;
}

static bool add_item(reader *p, vector *x) {
  ctx *c = p->v->c;
  pass_blanks(p);
  if (!begins_number(p)) return numbers_to_items(x) && list_add(&x->items, take_value(p));
  number n;
  if (stops_at(c, ++p->values) || !take_number(p, &n)) return false;
  if (!x->items.n && !n.wide) return vec_push(c, &x->numbers, n.d);
  return numbers_to_items(x) && list_add(&x->items, number_array(c, &n));
}

/* Numbers alone. */
static arr *numbers_array(ctx *c, const double *d, int64_t n) {
  bool whole = true;
  for (int64_t i = 0; whole && i < n; i++) whole = json_is_whole(d[i]);
  arr *r = arr_vec(c, whole ? ET_I64 : ET_F64, n);
  if (!r) return NULL;
  if (!whole) memcpy(r->host, d, (size_t)n * sizeof *d);
  if (!whole) return r;
  for (int64_t i = 0; i < n; i++) ((int64_t *)r->host)[i] = (int64_t)d[i];
  arr *narrow = arr_int_vec(c, n, r->host);
  arr_release(r);
  return narrow;
}

static arr *vector_array(vector *x) {
  ctx *c = x->items.v->c;
  if (x->items.n) return list_array(&x->items);
  if (!x->numbers.n) return arr_vec(c, ET_BIT, 0);
  return numbers_array(c, x->numbers.at, (int64_t)x->numbers.n);
}

static arr *array_value(reader *p) {
  vector x = {.items = {.v = p->v}};
  bool more, ok = one_more(p, ']', true, &more);
  while (ok && more) ok = add_item(p, &x) && one_more(p, ']', false, &more);
  arr *r = ok ? vector_array(&x) : NULL;
  list_free(&x.items);
  vec_free(p->v->c, &x.numbers);
  return r;
}

/* ── objects ────────────────────────────────────────────────────────────────────────── */

static bool add_member(reader *p, arr *to) {
  vm *v = p->v;
  OWNED_STR str name = {.c = v->c};
  if (!take_name(p)) return false;
  json_mangle(p->string.at, p->string.n, &name);
  OWNED_VALUE value x = value_arr(take_value(p));
  sym *s = !x.cls || name.failed ? NULL : sym_intern(v, name.at, name.n);
  value *place = s ? space_place(to, s) : NULL;
  if (place) value_set(place, x); /* of two of that name the last one stays */
  return place != NULL;
}

static arr *object_space(reader *p) {
  OWNED arr *r = space_new(p->v, NULL, "[JSON object]");
  bool more, ok = r && one_more(p, '}', true, &more);
  while (ok && more) ok = add_member(p, r) && one_more(p, '}', false, &more);
  return ok ? arr_move(&r) : NULL;
}

static bool add_pair(reader *p, arr_list *items) {
  return take_name(p) && list_add(items, arr_text(p->v->c, p->string.at, p->string.n)) &&
         list_add(items, take_value(p));
}

static arr *object_table(reader *p) {
  OWNED_LIST arr_list items = {.v = p->v};
  bool more, ok = one_more(p, '}', true, &more);
  while (ok && more) ok = add_pair(p, &items) && one_more(p, '}', false, &more);
  int64_t shape[2] = {(int64_t)(items.n / 2), 2};
  OWNED arr *pairs = ok ? list_array(&items) : NULL;
  return pairs ? arr_reshape(p->v->c, pairs, 2, shape) : NULL;
}

/* ── values ─────────────────────────────────────────────────────────────────────────── */

/* A scalar that holds the word. */
static arr *word(vm *v, const char *z) {
  OWNED arr *text = arr_text(v->c, z, strlen(z));
  return text ? arr_enclose(v->c, text) : NULL;
}

static arr *word_value(reader *p) {
  static const char *const words[] = {"true",      "false", "null", "Infinity",
                                      "-Infinity", "NaN",   "-NaN"};
  bool plus = p->o->dialect && passes(p, '+');
  for (size_t k = plus ? 3 : 0; k < (p->o->dialect ? ARRAY_LEN(words) : 3); k++) {
    size_t n = strlen(words[k]);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, words[k], n)) continue;
    if (plus && *words[k] == '-') continue;
    p->at += n;
    if (*words[k] == 'n' && p->o->null) return arr_retain(p->o->null);
    return word(p->v, words[k]);
  }
  wrong(p, "unexpected token");
  return NULL;
}

/* A number, a string or a word. */
static arr *plain_value(reader *p) {
  number n;
  char quote;
  if (passes_quote(p, &quote))
    return take_string(p, quote) ? arr_text(p->v->c, p->string.at, p->string.n) : NULL;
  if (!begins_number(p)) return word_value(p);
  return take_number(p, &n) ? number_array(p->v->c, &n) : NULL;
}

/* Looked at more often than stops_at does, for a value may be a namespace. */
static bool value_stops(reader *p) {
  return !(++p->values & 1023) && interrupted(p->v->c);
}

/* One more value, or what it holds, may be read. */
static bool begins(reader *p) {
  pass_blanks(p);
  if (out_of_stack(p->v->c) || value_stops(p)) return false;
  return p->depth < MOST_DEPTH || wrong(p, "more than 2048 levels");
}

static arr *take_value(reader *p) {
  if (!begins(p)) return NULL;
  arr *r;
  p->depth++;
  if (passes(p, '[')) r = array_value(p);
  else if (!passes(p, '{')) r = plain_value(p);
  else r = p->o->format == FORMAT_T ? object_table(p) : object_space(p);
  p->depth--;
  return r;
}

/* ── Format 'M' ─────────────────────────────────────────────────────────────────────── */

enum { M_OBJECT = 1, M_ARRAY, M_NUMBER, M_TEXT, M_NULL, M_WORD };

static int kind_at(const reader *p) {
  char c = p->at < p->end ? *p->at : 0;
  switch (c) {
  case '{': return M_OBJECT;
  case '[': return M_ARRAY;
  case '\'':
    if (!p->o->dialect) return M_WORD;
    /* fall through */
  case '"': return M_TEXT;
  case 'n': return M_NULL;
  default: return begins_number(p) ? M_NUMBER : M_WORD;
  }
}

/* A row for the value at hand, whose name is `name`, and those for what it holds. */
static bool json_put_rows(reader *p, arr *name) {
  OWNED arr *own = name;
  if (!own || !begins(p)) return false;
  int kind = kind_at(p);
  ctx *c = p->v->c;
  bool holds = kind < M_NUMBER, more;
  char close = kind == M_ARRAY ? ']' : '}';
  p->at += holds;
  if (!list_add(&p->rows, arr_int(c, p->depth)) || !list_add(&p->rows, arr_move(&own)) ||
      !list_add(&p->rows, holds ? arr_text(c, "", 0) : plain_value(p)) ||
      !list_add(&p->rows, arr_int(c, kind)))
    return false;
  if (!holds) return true;
  bool ok = one_more(p, close, true, &more);
  p->depth++;
  while (ok && more) {
    p->string.n = 0;
    ok = (kind == M_ARRAY || take_name(p)) &&
         json_put_rows(p, arr_text(c, p->string.at, p->string.n)) &&
         one_more(p, close, false, &more);
  }
  p->depth--;
  return ok;
}

static arr *matrix(reader *p) {
  if (!json_put_rows(p, arr_text(p->v->c, "", 0))) return NULL;
  int64_t shape[2] = {(int64_t)(p->rows.n / 4), 4};
  OWNED arr *all = list_array(&p->rows);
  return all ? arr_reshape(p->v->c, all, 2, shape) : NULL;
}

/* A text; of a matrix its rows as lines. */
static bool take_text(vm *v, arr *y, str *s) {
  static const char what[] = "⎕JSON's text";
  if (!ir_host(v->g, y)) return false;
  bool rows = y->rank == 2 && elt_is_char((elt)y->type);
  if (!rows) return arg_text(v, y, what, s);
  for (int64_t i = 0; i < y->shape[0]; i++) {
    OWNED arr *row = arr_vec(v->c, (elt)y->type, y->shape[1]);
    if (!row) return false;
    arr_copy(row, 0, y, i * y->shape[1], y->shape[1]);
    if (!arg_text(v, row, what, s)) return false;
    str_puts(s, "\n");
  }
  str_puts(s, "");
  return !s->failed;
}

bool json_read(vm *v, const json_options *o, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  if (!take_text(v, y, &s)) return false;
  reader p = {.v = v,
              .o = o,
              .text = s.at,
              .at = s.at,
              .end = s.at + s.n,
              .string = {.c = v->c},
              .rows = {.v = v}};
  OWNED arr *all = o->format == FORMAT_M ? matrix(&p) : take_value(&p);
  pass_blanks(&p);
  bool ok = all && (p.at == p.end || wrong(&p, "the end expected"));
  str_free(&p.string);
  list_free(&p.rows);
  if (ok) *r = arr_move(&all);
  return ok;
}
