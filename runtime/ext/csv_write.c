/* SPDX-License-Identifier: MIT */
/* csv_write.c - ⎕CSV with a left argument: a table, or columns, as separated values; and its
 * options.
 *
 * A text is quoted where it must be: if it has a separator, a quote or a line end in
 * it, or blanks at its ends. Numbers have as few digits as give them back. A file is written
 * beside the one of that name and takes its place when it is complete. */
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "csv.h"
#include "text.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_BYTES = 1 << 20 };

typedef struct writer {
  vm *v;
  const csv_options *o;
  ext_file *file; /* NULL: the text is the result */
  str out, cell;
  int64_t bytes, row, column; /* row, column: of the cell, from 0 */
  bool shown;                 /* the share of the rows, on a terminal */
} writer;

static void writer_free(writer *w) {
  share_ends(w->v->c, w->shown);
  str_free(&w->out);
  str_free(&w->cell);
}

static bool flush(writer *w) {
  if (w->out.failed) return false;
  if (!w->file) return true;
  w->bytes += (int64_t)w->out.n;
  bool ok = ext_put(w->file, w->out.at, w->out.n);
  w->out.n = 0;
  return ok;
}

/* ── options ────────────────────────────────────────────────────────────────────────── */

/* One ASCII character, or with `may_lack` none. */
static bool set_char(vm *v, const char *what, arr *x, bool may_lack, char *to) {
  bool ok = x->count <= 1 && (!x->count || elt_is_char((elt)x->type));
  int64_t u = ok && x->count ? arr_get_int(x, 0) : 0;
  *to = (char)u;
  ok = ok && u < 128 && u != '\n' && u != '\r' && (u || (may_lack && !x->count));
  return ok || err_set(v->c, ERR_DOMAIN, "%s is one ASCII character%s", what,
                       may_lack ? " or ''" : "");
}

static bool set_separator(vm *v, void *to, const char *what, arr *x) {
  return set_char(v, what, x, false, &((csv_options *)to)->separator);
}
static bool set_quote(vm *v, void *to, const char *what, arr *x) {
  return set_char(v, what, x, true, &((csv_options *)to)->quote);
}
static bool set_escape(vm *v, void *to, const char *what, arr *x) {
  return set_char(v, what, x, true, &((csv_options *)to)->escape);
}
static bool set_thousands(vm *v, void *to, const char *what, arr *x) {
  return set_char(v, what, x, true, &((csv_options *)to)->thousands);
}
static bool set_decimal(vm *v, void *to, const char *what, arr *x) {
  char *c = &((csv_options *)to)->decimal;
  if (!set_char(v, what, x, false, c)) return false;
  return *c == '.' || *c == ',' || err_set(v->c, ERR_DOMAIN, "%s is . or ,", what);
}

static bool set_line_end(vm *v, void *to, const char *what, arr *x) {
  static const char *const ends[] = {"\n", "\r", "\r\n", "\xC2\x85"};
  OWNED_STR str s = {.c = v->c};
  bool codes = elt_is_char((elt)x->type) || elt_is_int((elt)x->type);
  for (int64_t i = 0; codes && x->rank < 2 && i < x->count && i < 3; i++)
    str_putc(&s, (uint32_t)arr_get_int(x, i));
  for (size_t i = 0; s.n && i < ARRAY_LEN(ends); i++) {
    if (strcmp(s.at, ends[i])) continue;
    strcpy(((csv_options *)to)->line_end, ends[i]);
    return true;
  }
  return err_set(v->c, ERR_DOMAIN, "%s is 10, 13, 13 10 or 133", what);
}

/* A vector, or a number alone, of whole numbers lo to hi. */
static bool are_numbers(const arr *x, int64_t lo, int64_t hi) {
  bool ok = x->rank < 2 && (!x->count || elt_is_int((elt)x->type));
  for (int64_t i = 0; ok && i < x->count; i++)
    ok = arr_get_int(x, i) >= lo && arr_get_int(x, i) <= hi;
  return ok;
}

static bool set_widths(vm *v, void *to, const char *what, arr *x) {
  ((csv_options *)to)->widths = x->count ? x : NULL;
  return are_numbers(x, 1, INT32_MAX) ||
         err_set(v->c, ERR_DOMAIN, "%s are whole numbers above 0", what);
}

static bool set_force(vm *v, void *to, const char *what, arr *x) {
  ((csv_options *)to)->force = x;
  return (are_numbers(x, 0, 2) && x->count) ||
         err_set(v->c, ERR_DOMAIN, "%s takes 0 to 2, for all columns or each", what);
}

static bool set_fill(vm *v, void *to, const char *what, arr *x) {
  ((csv_options *)to)->fill = x;
  return (x->count == 1 && elt_is_num((elt)x->type)) ||
         err_set(v->c, ERR_DOMAIN, "%s is a number", what);
}

bool csv_read_options(vm *v, csv_options *o) {
#define FIELD(f) .at = offsetof(csv_options, f)
  static const option_row rows[] = {
      {.name = "Invert", .hi = 2, FIELD(invert), .principal = true},
      {.name = "Separator", .set = set_separator},
      {.name = "QuoteChar", .set = set_quote},
      {.name = "EscapeChar", .set = set_escape},
      {.name = "Decimal", .set = set_decimal},
      {.name = "Thousands", .set = set_thousands},
      {.name = "DoubleQuote", .hi = 1, FIELD(double_quote)},
      {.name = "Trim", .hi = 1, FIELD(trim)},
      {.name = "Ragged", .hi = 1, FIELD(ragged)},
      {.name = "Records", .hi = INT64_MAX, FIELD(records)},
      {.name = "Fill", .set = set_fill},
      {.name = "Widths", .set = set_widths},
      {.name = "ForceQuotes", .set = set_force},
      {.name = "LineEnding", .set = set_line_end},
      {.name = "IfExists", .words = "Error Replace ", FIELD(overwrite)},
      {.name = "Overwrite", .hi = 1, FIELD(overwrite)},
      {0}};
#undef FIELD
  if (!arg_option_rows(v, v->options, "⎕CSV", rows, o)) return false;
  bool same = o->separator == o->quote || o->separator == o->escape ||
              (o->quote && o->quote == o->escape);
  return !same || err_set(v->c, ERR_DOMAIN,
                          "⎕CSV: Separator, QuoteChar and EscapeChar must differ");
}

/* ── cells ──────────────────────────────────────────────────────────────────────────── */

static bool is_special(const csv_options *o, char c) {
  return c == o->separator || c == '\n' || c == '\r' || (o->quote && c == o->quote) ||
         (o->escape && c == o->escape);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool must_quote(const csv_options *o, const char *p, size_t n) {
  if (!n) return false;
  if (o->trim && (is_blank(*p) || is_blank(p[n - 1]))) return true;
  for (size_t i = 0; i < n; i++)
    if (is_special(o, p[i])) return true;
  return false;
}

static bool no_cell(const writer *w, const char *why) {
  return err_set(w->v->c, ERR_DOMAIN, "⎕CSV: row %lld, column %lld %s",
                 (long long)w->row + 1, (long long)w->column + 1, why);
}

/* A character as it is read back; a line feed is the line end that was asked for. */
static void put_literal(writer *w, char c) {
  if (c == '\n') str_puts(&w->out, w->o->line_end);
  else str_put(&w->out, &c, 1);
}

/* Without quotes every character that means something, or would be trimmed, is escaped. */
static bool put_escaped(writer *w, const char *p, size_t n) {
  const csv_options *o = w->o;
  if (!o->escape) return no_cell(w, "needs a QuoteChar or an EscapeChar");
  for (size_t i = 0; i < n; i++) {
    bool end = o->trim && is_blank(p[i]) && (i == 0 || i == n - 1);
    if (end || is_special(o, p[i])) str_put(&w->out, &o->escape, 1);
    put_literal(w, p[i]);
  }
  return true;
}

/* What the option ForceQuotes says of the column. */
static int64_t force_of(const writer *w) {
  const arr *force = w->o->force;
  if (!force) return 0;
  return arr_get_int(force, force->count > 1 ? w->column : 0);
}

static bool put_quoted(writer *w, const char *p, size_t n, bool force) {
  const csv_options *o = w->o;
  if (!force && !must_quote(o, p, n)) {
    str_put(&w->out, p, n);
    return true;
  }
  if (!o->quote) return put_escaped(w, p, n);
  str_put(&w->out, &o->quote, 1);
  for (size_t i = 0; i < n; i++) {
    if (p[i] == o->quote && !o->double_quote && !o->escape)
      return err_set(w->v->c, ERR_DOMAIN,
                     "⎕CSV: a quote in a text needs DoubleQuote or EscapeChar");
    bool escapes = o->escape && (p[i] == o->escape || p[i] == o->quote);
    if (escapes) str_put(&w->out, &o->escape, 1);
    else if (p[i] == o->quote) str_put(&w->out, &o->quote, 1);
    put_literal(w, p[i]);
  }
  str_put(&w->out, &o->quote, 1);
  return true;
}

/* What is in the cell, with blanks up to its column's width. */
static bool put_fixed(writer *w, bool right) {
  char why[80];
  long long width = arr_get_int(w->o->widths, w->column);
  long long n = (long long)utf8_count(w->cell.at, w->cell.n);
  snprintf(why, sizeof why, "has %lld characters and a width of %lld", n, width);
  if (n > width) return no_cell(w, why);
  for (size_t i = 0; i < w->cell.n; i++)
    if (w->cell.at[i] == '\n' || w->cell.at[i] == '\r')
      return no_cell(w, "has a line end, which no fixed width can hold");
  if (right) str_pad(&w->out, (size_t)(width - n));
  str_put(&w->out, w->cell.at, w->cell.n);
  if (!right) str_pad(&w->out, (size_t)(width - n));
  return !w->cell.failed;
}

/* The float in the cell loses the last of its digits until it fits: those before the point
 * stay. */
static void shorten(writer *w, double d, bool narrow) {
  char text[40];
  size_t width = (size_t)arr_get_int(w->o->widths, w->column);
  size_t before = strspn(w->cell.at + (*w->cell.at == '-'), "0123456789");
  for (size_t n = 16; w->cell.n > width && n >= before && n; n--) {
    snprintf(text, sizeof text, "%.*e", (int)n - 1, d);
    w->cell.n = 0;
    csv_put_float(&w->cell, strtod(text, NULL), narrow, w->o->decimal);
  }
}

/* Separators between the digits in front of the point in the cell, by threes. */
static void put_thousands(writer *w) {
  char digits[40];
  size_t minus = *w->cell.at == '-', n = strspn(w->cell.at + minus, "0123456789");
  if (n >= sizeof digits || w->cell.at[minus + n] == 'e') return;
  OWNED_STR str all = {.c = w->v->c};
  str_put(&all, w->cell.at, minus);
  for (size_t i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) str_put(&all, &w->o->thousands, 1);
    str_put(&all, w->cell.at + minus + i, 1);
  }
  str_puts(&all, w->cell.at + minus + n);
  w->cell.n = 0;
  str_put(&w->cell, all.failed ? "" : all.at, all.failed ? 0 : all.n);
  w->cell.failed |= all.failed;
}

static bool csv_put_number(writer *w, const arr *a, int64_t i) {
  const csv_options *o = w->o;
  bool whole = elt_is_int((elt)a->type), narrow = a->type == ET_F32;
  bool plain = !o->widths && !o->thousands && !o->force && o->separator != o->decimal &&
               o->separator != '-' && o->separator != 'e';
  double d = arr_get_float(a, i);
  str *to = plain ? &w->out : &w->cell;
  w->cell.n = 0;
  if (whole) str_printf(to, "%lld", (long long)arr_get_int(a, i));
  else csv_put_float(to, d, narrow, o->decimal);
  if (plain || to->failed) return !to->failed;
  if (o->widths && !whole) shorten(w, d, narrow);
  if (o->thousands) put_thousands(w);
  if (w->cell.failed) return false;
  if (o->widths) return put_fixed(w, true);
  return put_quoted(w, w->cell.at, w->cell.n, force_of(w) > 1);
}

/* Characters i to i + n of a, as UTF-8, blanks at the end left out if it is a row. */
static bool csv_put_chars(writer *w, const arr *a, int64_t i, int64_t n, bool row) {
  while (row && n && arr_get_int(a, i + n - 1) == ' ') n--;
  w->cell.n = 0;
  str_put(&w->cell, "", 0);
  for (int64_t k = i; k < i + n; k++) {
    uint32_t u = (uint32_t)arr_get_int(a, k);
    if (!utf8_holds(u)) return no_cell(w, "has half of a pair, which is no character");
    str_putc(&w->cell, u);
  }
  if (w->cell.failed) return false;
  if (w->o->widths) return put_fixed(w, false);
  return put_quoted(w, w->cell.at, w->cell.n, force_of(w) > 0);
}

/* Element i of a. */
static bool put_cell(writer *w, arr *a, int64_t i) {
  static const char *const neither = "is no text and no real number";
  if (is_nested(a)) {
    a = arr_item(a, i);
    if (!ir_host(w->v->g, a)) return false;
    bool text = a->rank < 2 && (elt_is_char((elt)a->type) || !a->count);
    if (text) return csv_put_chars(w, a, 0, a->count, false);
    if (a->rank || is_nested(a)) return no_cell(w, neither);
    i = 0;
  }
  if (elt_is_char((elt)a->type)) return csv_put_chars(w, a, i, 1, false);
  if (a->type == ET_C128) return no_cell(w, neither);
  return csv_put_number(w, a, i);
}

static bool end_row(writer *w) {
  str_puts(&w->out, w->o->line_end);
  if (w->file && w->out.n >= FLUSH_BYTES && !flush(w)) return false;
  if (w->row % 4096) return !w->out.failed;
  share_is(w->v->c, w->shown, w->row);
  return !interrupted(w->v->c) && !w->out.failed;
}

/* Begins column k of the row. */
static void begin_cell(writer *w, int64_t k) {
  w->column = k;
  if (k && !w->o->widths) str_put(&w->out, &w->o->separator, 1);
}

/* ── tables and columns ─────────────────────────────────────────────────────────────── */

/* The names of the columns, if there are some; and are there as many widths? */
static bool put_header(writer *w, arr *names, int64_t columns) {
  const arr *widths = w->o->widths;
  if (widths && widths->count != columns)
    return err_set(w->v->c, ERR_LENGTH, "⎕CSV: %lld widths, but %lld columns",
                   (long long)widths->count, (long long)columns);
  const arr *force = w->o->force;
  if (force && force->count > 1 && force->count != columns)
    return err_set(w->v->c, ERR_LENGTH, "⎕CSV: ForceQuotes for %lld of %lld columns",
                   (long long)force->count, (long long)columns);
  if (!names) return true;
  if (!ir_host(w->v->g, names)) return false;
  if (names->count != columns)
    return err_set(w->v->c, ERR_LENGTH, "⎕CSV: %lld names, but %lld columns",
                   (long long)names->count, (long long)columns);
  for (int64_t k = 0; k < columns; k++) {
    begin_cell(w, k);
    if (!put_cell(w, names, k)) return false;
  }
  return end_row(w);
}

static bool put_table(writer *w, arr *a, arr *names) {
  int64_t rows = a->shape[0], columns = a->shape[1];
  if (!put_header(w, names, columns)) return false;
  w->shown = share_begins(w->v->c, rows);
  for (int64_t i = 0; i < rows; i++) {
    w->row = i;
    for (int64_t k = 0; k < columns; k++) {
      begin_cell(w, k);
      if (!put_cell(w, a, i * columns + k)) return false;
    }
    if (!end_row(w)) return false;
  }
  return true;
}

/* Columns: vectors, or matrices of characters. */
static bool put_columns(writer *w, arr *a, arr *names) {
  int64_t columns = a->count, rows = columns ? arr_first_axis(arr_item(a, 0)) : 0;
  for (int64_t k = 0; k < columns; k++) {
    arr *one = arr_item(a, k);
    if (!ir_host(w->v->g, one)) return false;
    bool matrix = one->rank == 2 && elt_is_char((elt)one->type);
    if (one->rank != 1 && !matrix)
      return err_set(w->v->c, ERR_RANK,
                     "⎕CSV: a column is a vector, or a matrix of characters");
    if (one->shape[0] != rows)
      return err_set(w->v->c, ERR_LENGTH, "⎕CSV: columns of %lld and %lld rows",
                     (long long)rows, (long long)one->shape[0]);
  }
  if (!put_header(w, names, columns)) return false;
  w->shown = share_begins(w->v->c, rows);
  for (int64_t i = 0; i < rows; i++) {
    w->row = i;
    for (int64_t k = 0; k < columns; k++) {
      arr *one = arr_item(a, k);
      int64_t wide = arr_last_axis(one);
      begin_cell(w, k);
      bool ok = one->rank == 2 ? csv_put_chars(w, one, i * wide, wide, true)
                               : put_cell(w, one, i);
      if (!ok) return false;
    }
    if (!end_row(w)) return false;
  }
  return true;
}

/* Is `a` columns, rather than one column of texts? Then one of them is no text. */
static bool are_columns(const arr *a) {
  if (!is_nested(a) || a->rank != 1) return false;
  for (int64_t k = 0; k < a->count; k++) {
    const arr *one = arr_item(a, k);
    bool text = elt_is_char((elt)one->type) && one->rank < 2;
    if (one->rank && !text) return true;
  }
  return false;
}

/* x: a table or columns; or that and the names of the columns. */
static bool put_all(writer *w, arr *x) {
  bool inverts = w->o->invert != 0;
  arr *data = x, *names = NULL;
  if (is_nested(x) && x->rank == 1 && x->count == 2) {
    arr *first = arr_item(x, 0);
    if (!ir_host(w->v->g, first)) return false;
    bool with_names = inverts ? are_columns(first) : first->rank == 2;
    if (with_names) data = first, names = arr_item(x, 1);
  }
  if (inverts && is_nested(data) && data->rank == 1) return put_columns(w, data, names);
  if (inverts || data->rank != 2)
    return err_set(w->v->c, ERR_RANK,
                   "⎕CSV writes a table of rank 2; with Invert 1, columns");
  return put_table(w, data, names);
}

bool csv_write(vm *v, const csv_options *o, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str how = {.c = v->c};
  ext_file file __attribute__((cleanup(ext_abandon))) = {.fd = -1};
  writer w __attribute__((cleanup(writer_free))) = {
      .v = v, .o = o, .out = {.c = v->c}, .cell = {.c = v->c}};
  arr *name = is_nested(y) && y->count ? arr_item(y, 0) : y;
  if (is_nested(y) && y->count > 2)
    return err_set(v->c, ERR_LENGTH, "⎕CSV writes to a name, with a description");
  if (name->count && !elt_is_char((elt)name->type))
    return err_set(v->c, elt_is_num((elt)name->type) ? ERR_NONCE : ERR_DOMAIN,
                   "⎕CSV writes to a name, not to a tied file");
  if (is_nested(y) && y->count > 1 &&
      !arg_text(v, arr_item(y, 1), "⎕CSV's description", &how))
    return false;
  bool lines = how.n == 1 && *how.at == 'N';
  if (name->count) {
    text_format f = {UTF_8, false};
    if (!ext_may(v, MAY_WRITE, "⎕CSV") || !ext_path(v, name, "⎕CSV", &path)) return false;
    if (how.n && !text_encoding(v, how.at, &f)) return false;
    if (f.e != UTF_8) return err_set(v->c, ERR_NONCE, "⎕CSV writes UTF-8 only");
    struct stat st;
    if (!o->overwrite && ext_stat(v, "⎕CSV", path.at, true, &st))
      return err_set(v->c, ERR_FILE_NAME, "⎕CSV: %s: File exists", path.at);
    if (!ext_begin(&file, v, "⎕CSV", path.at)) return false;
    w.file = &file;
    if (f.mark) str_puts(&w.out, "\xEF\xBB\xBF");
  }
  if (!put_all(&w, x) || !flush(&w)) return false;
  v->shy = w.file != NULL;
  if (w.file) return ext_commit(&file) && give_result(r, arr_int(v->c, w.bytes));
  OWNED arr *text = arr_text(v->c, w.out.at, w.out.n);
  if (!text || !lines) return give_result(r, arr_move(&text));
  text_format f = {UTF_8, false};
  int line_end;
  OWNED arr *bytes = arr_vec(v->c, ET_C8, (int64_t)w.out.n);
  if (!bytes) return false;
  if (w.out.n) memcpy(bytes->host, w.out.at, w.out.n);
  OWNED arr *plain = text_decode(v, bytes, "⎕CSV", &f, &line_end);
  return plain && give_result(r, text_lines(v, plain));
}
