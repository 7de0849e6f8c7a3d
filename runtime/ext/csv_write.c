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

static bool set_char(vm *v, arr *x, const char *name, char *to) {
  if (!ir_host(v->g, x)) return false;
  *to = 0;
  bool ok = x->count <= 1 && (!x->count || elt_is_char((elt)x->type));
  int64_t u = ok && x->count ? arr_get_int(x, 0) : 0;
  *to = (char)u;
  return (ok && u < 128) ||
         err_set(v->c, ERR_DOMAIN, "⎕CSV: %s is one ASCII character", name);
}

static bool set_flag(vm *v, arr *x, const char *name, int most, int64_t *n) {
  return arg_number(v, value_arr(x), 0, most, name, n);
}

static bool set_line_end(vm *v, arr *x, csv_options *o) {
  OWNED_STR str s = {.c = v->c};
  if (elt_is_char((elt)x->type)) {
    if (!arg_text(v, x, "⎕CSV: LineEnding", &s)) return false;
  } else {
    for (int64_t i = 0; elt_is_int((elt)x->type) && i < x->count; i++)
      str_putc(&s, (uint32_t)arr_get_int(x, i));
  }
  if (!s.n || s.n > 2)
    return err_set(v->c, ERR_DOMAIN, "⎕CSV: LineEnding is 10 or 13 10");
  memcpy(o->line_end, s.at, s.n + 1);
  return true;
}

static bool set_widths(vm *v, arr *x, csv_options *o) {
  bool ok = x->rank < 2 && (!x->count || elt_is_int((elt)x->type));
  for (int64_t i = 0; ok && i < x->count; i++)
    ok = arr_get_int(x, i) > 0 && arr_get_int(x, i) <= INT32_MAX;
  o->widths = NULL;
  if (x->count) o->widths = x;
  return ok || err_set(v->c, ERR_DOMAIN, "⎕CSV: Widths are whole numbers above 0");
}

bool csv_set_option(vm *v, void *user, arr *name, arr *x) {
  csv_options *o = user;
  OWNED_STR str s = {.c = v->c};
  int64_t n = 0;
  bool ok = true;
  if (!arg_text(v, name, "⍠: an option's name", &s) || !ir_host(v->g, x)) return false;
  const char *k = s.at;
  if (!strcmp(k, "Invert")) ok = set_flag(v, x, k, 2, &o->invert);
  else if (!strcmp(k, "Separator")) ok = set_char(v, x, k, &o->separator);
  else if (!strcmp(k, "QuoteChar")) ok = set_char(v, x, k, &o->quote);
  else if (!strcmp(k, "EscapeChar")) ok = set_char(v, x, k, &o->escape);
  else if (!strcmp(k, "Decimal")) ok = set_char(v, x, k, &o->decimal);
  else if (!strcmp(k, "Thousands")) ok = set_char(v, x, k, &o->thousands);
  else if (!strcmp(k, "DoubleQuote")) ok = set_flag(v, x, k, 1, &n), o->double_quote = n;
  else if (!strcmp(k, "Trim")) ok = set_flag(v, x, k, 1, &n), o->trim = n;
  else if (!strcmp(k, "Ragged")) ok = set_flag(v, x, k, 1, &n), o->ragged = n;
  else if (!strcmp(k, "Overwrite")) ok = set_flag(v, x, k, 1, &n), o->overwrite = n;
  else if (!strcmp(k, "LineEnding")) ok = set_line_end(v, x, o);
  else if (!strcmp(k, "Widths")) ok = set_widths(v, x, o);
  else if (!strcmp(k, "Fill")) o->fill = x;
  else if (!strcmp(k, "Records"))
    ok = arg_number(v, value_arr(x), 0, INT64_MAX, k, &o->records);
  else if (!strcmp(k, "IfExists")) {
    OWNED_STR str how = {.c = v->c};
    if (!arg_text(v, x, "⎕CSV: IfExists", &how)) return false;
    o->overwrite = !strcmp(how.at, "Replace");
    if (!o->overwrite && strcmp(how.at, "Error"))
      return err_set(v->c, ERR_DOMAIN, "⎕CSV: IfExists is Error or Replace");
  } else return err_set(v->c, ERR_DOMAIN, "⎕CSV has no option %s", k);
  return ok;
}

/* ── cells ──────────────────────────────────────────────────────────────────────────── */

static bool must_quote(const csv_options *o, const char *p, size_t n) {
  if (!n) return false;
  if (o->trim && (*p == ' ' || *p == '\t' || p[n - 1] == ' ' || p[n - 1] == '\t'))
    return true;
  for (size_t i = 0; i < n; i++)
    if (p[i] == o->separator || p[i] == '\n' || p[i] == '\r' ||
        (o->quote && p[i] == o->quote))
      return true;
  return false;
}

static bool put_quoted(writer *w, const char *p, size_t n) {
  const csv_options *o = w->o;
  if (!o->quote || !must_quote(o, p, n)) {
    str_put(&w->out, p, n);
    return true;
  }
  str_put(&w->out, &o->quote, 1);
  for (size_t i = 0; i < n; i++) {
    if (p[i] == o->quote && !o->double_quote && !o->escape)
      return err_set(w->v->c, ERR_DOMAIN,
                     "⎕CSV: a quote in a text needs DoubleQuote or EscapeChar");
    bool escapes = o->escape && (p[i] == o->escape || p[i] == o->quote);
    if (escapes) str_put(&w->out, &o->escape, 1);
    else if (p[i] == o->quote) str_put(&w->out, &o->quote, 1);
    str_put(&w->out, p + i, 1);
  }
  str_put(&w->out, &o->quote, 1);
  return true;
}

static bool no_cell(const writer *w, const char *why) {
  return err_set(w->v->c, ERR_DOMAIN, "⎕CSV: row %lld, column %lld %s",
                 (long long)w->row + 1, (long long)w->column + 1, why);
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

static bool put_number(writer *w, const arr *a, int64_t i) {
  bool whole = elt_is_int((elt)a->type), narrow = a->type == ET_F32;
  double d = arr_get_float(a, i);
  str *to = &w->out;
  if (w->o->widths) to = &w->cell;
  w->cell.n = 0;
  if (whole) str_printf(to, "%lld", (long long)arr_get_int(a, i));
  else csv_put_float(to, d, narrow, w->o->decimal);
  if (to == &w->out || to->failed) return !to->failed;
  if (!whole) shorten(w, d, narrow);
  return put_fixed(w, true);
}

/* Characters i to i + n of a, as UTF-8, blanks at the end left out if it is a row. */
static bool put_chars(writer *w, const arr *a, int64_t i, int64_t n, bool row) {
  while (row && n && arr_get_int(a, i + n - 1) == ' ') n--;
  w->cell.n = 0;
  str_put(&w->cell, "", 0);
  for (int64_t k = i; k < i + n; k++) str_putc(&w->cell, (uint32_t)arr_get_int(a, k));
  if (w->cell.failed) return false;
  if (w->o->widths) return put_fixed(w, false);
  return put_quoted(w, w->cell.at, w->cell.n);
}

/* Element i of a. */
static bool put_cell(writer *w, arr *a, int64_t i) {
  static const char *const neither = "is no text and no real number";
  if (is_nested(a)) {
    a = arr_item(a, i);
    if (!ir_host(w->v->g, a)) return false;
    bool text = a->rank < 2 && (elt_is_char((elt)a->type) || !a->count);
    if (text) return put_chars(w, a, 0, a->count, false);
    if (a->rank || is_nested(a)) return no_cell(w, neither);
    i = 0;
  }
  if (elt_is_char((elt)a->type)) return put_chars(w, a, i, 1, false);
  if (a->type == ET_C128) return no_cell(w, neither);
  return put_number(w, a, i);
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
      bool ok =
          one->rank == 2 ? put_chars(w, one, i * wide, wide, true) : put_cell(w, one, i);
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
  if (is_nested(y) && y->count > 1 &&
      !arg_text(v, arr_item(y, 1), "⎕CSV's description", &how))
    return false;
  bool lines = how.n == 1 && *how.at == 'N';
  if (name->count && !(how.n == 1 && (*how.at == 'S' || lines))) {
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
