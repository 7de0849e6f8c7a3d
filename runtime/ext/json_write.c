/* SPDX-License-Identifier: MIT */
/* json_write.c - 1 ⎕JSON: arrays as JSON text. It needs no library.
 *
 * A namespace is an object, and so is a table of two columns whose first holds texts; other
 * arrays of rank 2 and more are errors unless HighRank is 'Split'. A scalar that holds a text is
 * that text as it stands, such as null; one that holds a code and an array is a wrapper: 1 and
 * such a text, or a dataset, which becomes an array of objects:
 *
 *   2 table, whose first row are names   3 (table names)   4 (columns names)
 *
 * and perhaps which records, and which fields of them. */
#include "../../src/array/element.h"
#include "../../src/array/match.h"
#include "../../src/eval/value/arg.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "../../src/lexer/token.h"
#include "csv.h"
#include "json.h"
#include <stdio.h>
#include <string.h>

typedef struct writer {
  vm *v;
  const json_options *o;
  str out;
  const arr *rows; /* of Format 'M' */
  int64_t row;
} writer;

static bool put_value(writer *w, arr *a, int depth);
static bool put_item(writer *w, arr *a, int64_t i, int depth);

static void put_break(writer *w, int depth) {
  if (w->o->compact) return;
  str_puts(&w->out, "\n");
  str_pad(&w->out, (size_t)depth * 2);
}

/* The break before a closing bracket: JSON5 has a comma behind the last item of several lines. */
static void put_last_break(writer *w, int depth) {
  if (w->o->dialect && !w->o->compact) str_puts(&w->out, ",");
  put_break(w, depth);
}

/* \uNNNN, or two of them; in JSON5 \xNN where that will do. */
static void put_unicode(writer *w, uint32_t u) {
  if (w->o->dialect && u < 256) {
    str_printf(&w->out, "\\x%02X", u);
    return;
  }
  if (u > 0xFFFF) {
    str_printf(&w->out, "\\u%04X", 0xD800 + ((u - 0x10000) >> 10));
    u = 0xDC00 + (u & 0x3FF);
  }
  str_printf(&w->out, "\\u%04X", u);
}

/* A text's quotes: in JSON5 ' ' if fewer characters in it need an escape then. */
static char quote_of(const writer *w, const arr *a) {
  int64_t singles = 0, doubles = 0;
  for (int64_t i = 0; w->o->dialect && i < a->count; i++) {
    singles += arr_get_int(a, i) == '\'';
    doubles += arr_get_int(a, i) == '"';
  }
  return doubles > singles ? '\'' : '"';
}

static bool json_put_text(writer *w, const arr *a) {
  char quote = quote_of(w, a);
  str_put(&w->out, &quote, 1);
  for (int64_t i = 0; i < a->count && !stops_at(w->v->c, i + 1); i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    static const char named[] = "b\bf\fn\nr\rt\t";
    const char *at = u && u < 32 ? strchr(named, (int)u) : NULL;
    if (u == (uint32_t)quote || u == '\\') str_printf(&w->out, "\\%c", (char)u);
    else if (at) str_printf(&w->out, "\\%c", at[-1]);
    else if (!utf8_holds(u)) return arg_no_char(w->v, "⎕JSON", u);
    else if (u < 32 || u == 127 || (u > 127 && w->o->ascii)) put_unicode(w, u);
    else str_putc(&w->out, u);
  }
  str_put(&w->out, &quote, 1);
  return !w->out.failed;
}

/* Is the text a name that JSON5 has without quotes? */
static bool is_word(const writer *w, const arr *a) {
  bool is = w->o->dialect && a->count;
  for (int64_t i = 0; is && i < a->count; i++) {
    int64_t u = arr_get_int(a, i);
    is = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' || u == '$' ||
         (i && u >= '0' && u <= '9');
  }
  return is;
}

static bool json_put_number(writer *w, const arr *a, int64_t i) {
  if (elt_is_int((elt)a->type)) {
    str_printf(&w->out, "%lld", (long long)arr_get_int(a, i));
    return true;
  }
  double d = arr_get_float(a, i);
  if (a->type == ET_C128 && arr_get_imag(a, i) != 0)
    return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: there are no complex numbers");
  if (d - d != 0)
    return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: there are no infinities and no NaN");
  csv_put_float(&w->out, d, a->type == ET_F32, '.');
  return true;
}

static bool is_text(const arr *a) {
  return a->rank == 1 && (elt_is_char((elt)a->type) || !a->count);
}

/* Text as it stands: true, null, or what the program knows to be JSON. */
static bool put_raw(writer *w, arr *a) {
  return ir_host(w->v->g, a) && arg_text(w->v, a, "⎕JSON", &w->out);
}

/* ── datasets ───────────────────────────────────────────────────────────────────────── */

enum { RAW = 1, TABLE, TABLE_NAMES, COLUMNS_NAMES };

typedef struct dataset {
  int64_t code, records, fields;
  arr *names, *data;
} dataset;

static bool no_wrapper(const writer *w, const char *why) {
  return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: %s", why);
}

/* Column k of columns: how many records it has; -1: it is none. */
static int64_t column_length(const writer *w, const arr *a) {
  bool matrix = a->rank == 2 && elt_is_char((elt)a->type) && w->o->split;
  return a->rank == 1 || matrix ? a->shape[0] : -1;
}

static bool read_columns(const writer *w, dataset *d) {
  arr *data = d->data;
  bool ok = is_nested(data) && data->rank == 1 && data->count;
  for (int64_t k = 0; ok && k < data->count; k++) {
    if (!ir_host(w->v->g, arr_item(data, k))) return false;
    int64_t n = column_length(w, arr_item(data, k));
    ok = n >= 0 && (!k || n == d->records);
    d->records = n;
  }
  d->fields = data->count;
  return ok || no_wrapper(w, "wrapper 4 takes columns of one length");
}

static bool read_dataset(const writer *w, arr *a, int64_t code, dataset *d) {
  *d = (dataset){.code = code, .data = a, .names = a};
  if (!ir_host(w->v->g, a)) return false;
  if (code != TABLE) {
    if (!is_nested(a) || a->rank != 1 || a->count != 2)
      return no_wrapper(w, "wrappers 3 and 4 take data and names");
    d->data = arr_item(a, 0);
    d->names = arr_item(a, 1);
    if (!ir_host(w->v->g, d->data) || !ir_host(w->v->g, d->names)) return false;
  }
  if (code == COLUMNS_NAMES && !read_columns(w, d)) return false;
  if (code != COLUMNS_NAMES) {
    if (d->data->rank != 2 || (code == TABLE && !d->data->shape[0]))
      return no_wrapper(w, "wrappers 2 and 3 take a table");
    d->records = d->data->shape[0] - (code == TABLE);
    d->fields = d->data->shape[1];
  }
  if (code == TABLE || (d->names->rank == 1 && d->names->count == d->fields)) return true;
  return no_wrapper(w, "a dataset has a name for each field");
}

/* The name of a member and the colon. */
static bool json_put_name(writer *w, arr *name) {
  if (!ir_host(w->v->g, name)) return false;
  if (name->rank > 1 || (name->count && !elt_is_char((elt)name->type)))
    return no_wrapper(w, "a member's name is text");
  if (is_word(w, name) ? !put_raw(w, name) : !json_put_text(w, name)) return false;
  str_puts(&w->out, w->o->compact ? ":" : ": ");
  return true;
}

static bool put_field(writer *w, const dataset *d, int64_t i, int64_t k, int depth) {
  if (d->code != COLUMNS_NAMES)
    return put_item(w, d->data, (i + (d->code == TABLE)) * d->fields + k, depth);
  arr *field = arr_item(d->data, k);
  if (field->rank == 1) return put_item(w, field, i, depth);
  int64_t n = field->shape[1];
  OWNED arr *row = arr_vec(w->v->c, (elt)field->type, n);
  if (!row) return false;
  arr_copy(row, 0, field, i * n, n);
  return json_put_text(w, row);
}

/* Which of n: the k-th that x selects, from 0; NULL or ⊂⍬: all. */
static bool selects_all(const arr *x) { return !x || (!x->rank && is_nested(x)); }
static bool selected(const writer *w, const arr *x, int64_t n, int64_t k, int64_t *at) {
  *at = k;
  if (selects_all(x)) return true;
  *at = arr_get_int(x, k) - w->v->sv->io;
  return (*at >= 0 && *at < n) ||
         err_set(w->v->c, ERR_INDEX, "⎕JSON: there is no record or field %lld",
                 (long long)arr_get_int(x, k));
}

static bool check_selection(const writer *w, arr *x) {
  if (selects_all(x)) return true;
  if (!ir_host(w->v->g, x)) return false;
  bool ok = x->rank < 2 && (!x->count || elt_is_int((elt)x->type));
  return ok || no_wrapper(w, "records and fields are selected by numbers");
}

static bool put_record(writer *w, const dataset *d, int64_t i, const arr *fields,
                       int depth) {
  int64_t n = selects_all(fields) ? d->fields : fields->count, at;
  str_puts(&w->out, "{");
  for (int64_t k = 0; k < n; k++) {
    if (!selected(w, fields, d->fields, k, &at)) return false;
    if (k) str_puts(&w->out, ",");
    put_break(w, depth + 1);
    OWNED arr *name = item_at(w->v, d->names, at);
    if (!name || !json_put_name(w, name) || !put_field(w, d, i, at, depth + 1))
      return false;
  }
  if (n) put_last_break(w, depth);
  str_puts(&w->out, "}");
  return true;
}

static bool put_dataset(writer *w, const dataset *d, arr *records, arr *fields,
                        int depth) {
  if (!check_selection(w, records) || !check_selection(w, fields)) return false;
  int64_t n = selects_all(records) ? d->records : records->count, at;
  str_puts(&w->out, "[");
  for (int64_t i = 0; i < n; i++) {
    if (!selected(w, records, d->records, i, &at)) return false;
    if (i) str_puts(&w->out, ",");
    put_break(w, depth + 1);
    if (interrupted(w->v->c) || !put_record(w, d, at, fields, depth + 1)) return false;
  }
  if (n) put_last_break(w, depth);
  str_puts(&w->out, "]");
  return !w->out.failed;
}

/* What a scalar holds: raw text, or a wrapper. */
static bool put_enclosed(writer *w, arr *a, int depth) {
  dataset d;
  int64_t code;
  if (!ir_host(w->v->g, a)) return false;
  if (is_text(a) && a->count) return put_raw(w, a);
  bool wraps = is_nested(a) && a->rank == 1 && a->count >= 2 && a->count <= 4;
  const arr *first = wraps ? arr_item(a, 0) : a;
  wraps = wraps && !first->rank && elt_is_int((elt)first->type);
  if (!wraps)
    return no_wrapper(w, "a scalar that holds an array is neither text nor a wrapper");
  code = arr_get_int(first, 0);
  if (code == RAW && a->count == 2) return put_raw(w, arr_item(a, 1));
  if (code < TABLE || code > COLUMNS_NAMES)
    return no_wrapper(w, "the codes of wrappers are 1 to 4");
  return read_dataset(w, arr_item(a, 1), code, &d) &&
         put_dataset(w, &d, a->count > 2 ? arr_item(a, 2) : NULL,
                     a->count > 3 ? arr_item(a, 3) : NULL, depth);
}

/* ── arrays and objects ─────────────────────────────────────────────────────────────── */

static bool is_object(const arr *a) {
  if (!is_nested(a) || a->rank != 2 || a->shape[1] != 2) return false;
  for (int64_t i = 0; i < a->shape[0]; i++) {
    const arr *name = arr_item(a, 2 * i);
    if (name->rank > 1 || (!elt_is_char((elt)name->type) && name->count)) return false;
  }
  return true;
}

static bool put_object(writer *w, arr *a, int depth) {
  str_puts(&w->out, "{");
  for (int64_t i = 0; i < a->shape[0]; i++) {
    if (i) str_puts(&w->out, ",");
    put_break(w, depth + 1);
    if (!json_put_name(w, arr_item(a, 2 * i))) return false;
    if (!put_value(w, arr_item(a, 2 * i + 1), depth + 1)) return false;
  }
  if (a->shape[0]) put_last_break(w, depth);
  str_puts(&w->out, "}");
  return true;
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static const char MARK[] = "⍙";
enum { MARK_BYTES = sizeof MARK - 1 };

static bool in_name(uint32_t u) {
  char at[5] = {'a'}; /* behind a letter */
  lexer l = {.text = at, .len = 1 + (size_t)utf8_put(at + 1, u)};
  token t = lex_next(&l);
  return t.kind == TOK_NAME && t.end == l.len;
}

void json_mangle(const char *name, size_t n, str *s) {
  const char *end = name + n;
  lexer l = {.text = name, .len = n};
  token t = lex_next(&l);
  bool plain = t.kind == TOK_NAME && t.begin == 0 && t.end == l.len;
  if (plain && strncmp(name, MARK, MARK_BYTES)) {
    str_put(s, name, l.len);
    return;
  }
  str_puts(s, MARK);
  while (name < end) {
    uint32_t u = utf8_next(name, end, &name);
    if (u != 0x2359 && in_name(u)) str_putc(s, u);
    else str_printf(s, "⍙%u⍙", u);
  }
}

void json_unmangle(const char *p, size_t bytes, str *s) {
  const char *end = p + bytes;
  if (bytes < MARK_BYTES || memcmp(p, MARK, MARK_BYTES)) {
    str_put(s, p, bytes);
    return;
  }
  for (p += MARK_BYTES; p < end;) {
    unsigned u;
    int n = 0;
    if (!strncmp(p, MARK, MARK_BYTES) && sscanf(p, "⍙%u⍙%n", &u, &n) == 1 && n) {
      str_putc(s, u);
      p += n;
    } else str_put(s, p++, 1);
  }
}

static bool json_put_space(writer *w, arr *a, int depth) {
  const space *p = space_of(a);
  bool any = false;
  if (p->is_workspace) return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: # is no object");
  str_puts(&w->out, "{");
  for (uint32_t i = 0; i < p->n; i++) {
    OWNED_STR str name = {.c = w->v->c};
    value x = *space_read(&p->at[i]);
    bool hidden = p->part && w->v->classes->name_class(a, p->at[i].s, true) >= 0;
    if (!x.cls || hidden) continue; /* of an instance: what is public */
    if (x.cls != C_ARR)
      return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: %s is a function", p->at[i].s->text);
    json_unmangle(p->at[i].s->text, p->at[i].s->len, &name);
    OWNED arr *text = name.failed ? NULL : arr_text(w->v->c, name.at, name.n);
    if (!text) return false;
    if (any) str_puts(&w->out, ",");
    any = true;
    put_break(w, depth + 1);
    if (!json_put_name(w, text)) return false;
    if (!put_value(w, x.a, depth + 1)) return false;
  }
  if (any) put_last_break(w, depth);
  str_puts(&w->out, "}");
  return true;
}

static bool put_item(writer *w, arr *a, int64_t i, int depth) {
  if (is_nested(a)) {
    arr *item = arr_item(a, i);
    if (!ir_host(w->v->g, item)) return false;
    bool word = item->rank == 1 && elt_is_char((elt)item->type);
    return word ? json_put_text(w, item) : put_value(w, item, depth);
  }
  if (!elt_is_char((elt)a->type)) return json_put_number(w, a, i);
  OWNED arr *c = arr_scalar_at(w->v->c, a, i);
  return c && json_put_text(w, c);
}

/* Elements from `from` on along axis k. */
static bool put_axis(writer *w, arr *a, int k, int64_t from, int depth) {
  int64_t n = a->shape[k], step = arr_product(a->rank - k - 1, a->shape + k + 1);
  bool text = k == a->rank - 1 && elt_is_char((elt)a->type),
       lines = is_nested(a) || k + 1 < a->rank;
  if (text) {
    OWNED arr *row = arr_vec(w->v->c, (elt)a->type, n);
    if (!row) return false;
    arr_copy(row, 0, a, from, n);
    return json_put_text(w, row);
  }
  str_puts(&w->out, "[");
  for (int64_t i = 0; i < n; i++) {
    if (i) str_puts(&w->out, ",");
    if (i % 4096 == 4095 && interrupted(w->v->c)) return false;
    if (lines) put_break(w, depth + 1);
    bool ok = k + 1 < a->rank ? put_axis(w, a, k + 1, from + i * step, depth + 1)
                              : put_item(w, a, from + i, depth + 1);
    if (!ok || w->out.failed) return false;
  }
  if (n && lines) put_last_break(w, depth);
  str_puts(&w->out, "]");
  return true;
}

static bool put_value(writer *w, arr *a, int depth) {
  vm *v = w->v;
  if (!ir_host(v->g, a) || out_of_stack(v->c) || interrupted(v->c)) return false;
  if (w->o->null && is_nested(w->o->null) == is_nested(a) &&
      arr_match(a, w->o->null, 0)) {
    str_puts(&w->out, "null");
    return true;
  }
  if (a == v->null) {
    str_puts(&w->out, "null");
    return true;
  }
  if (a->ref) return json_put_space(w, a, depth);
  if (!a->rank && is_nested(a)) return put_enclosed(w, arr_item(a, 0), depth);
  if (!a->rank) return put_item(w, a, 0, depth);
  if (is_object(a) && !w->o->split) return put_object(w, a, depth);
  if (a->rank > 1 && !w->o->split)
    return err_set(
        v->c, ERR_DOMAIN,
        "⎕JSON: an array of rank %d: HighRank 'Split' makes arrays of arrays of it",
        a->rank);
  return put_axis(w, a, 0, 0, depth);
}

/* ── Format 'M' ─────────────────────────────────────────────────────────────────────── */

enum { M_DEPTH, M_NAME, M_VALUE, M_TYPE, M_COLUMNS };

static arr *row_item(const writer *w, int64_t row, int k) {
  return arr_item(w->rows, row * M_COLUMNS + k);
}

static bool row_number(writer *w, int k, int64_t *n) {
  return arg_int(w->v, row_item(w, w->row, k), n, "⎕JSON: a depth or type");
}

enum { M_OBJECT = 1, M_ARRAY, M_NUMBER, M_TEXT, M_NULL, M_RAW, M_CODE };

static bool row_wrong(const writer *w, const char *why) {
  return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: row %lld: %s",
                 (long long)(w->row + w->v->sv->io), why);
}

/* Is x what Format 'M' has for null? */
static bool is_null(const writer *w, const arr *x) {
  static const char word[] = "null";
  const arr *null = w->o->null;
  if (x == w->v->null) return true;
  if (null) return is_nested(null) == is_nested(x) && arr_match(x, null, 0);
  const arr *text = is_nested(x) && !x->rank ? arr_item(x, 0) : x;
  bool same = text != x && is_text(text) && text->count == (int64_t)strlen(word);
  for (int64_t i = 0; same && i < text->count; i++)
    same = arr_get_int(text, i) == word[i];
  return same;
}

/* A value that holds no others, if it is of its type. */
static bool put_leaf(writer *w, arr *x, int64_t type) {
  if (!ir_host(w->v->g, x)) return false;
  bool fits = false;
  if (type == M_NUMBER) fits = !x->rank && elt_is_num((elt)x->type);
  if (type == M_TEXT) fits = x->rank < 2 && (elt_is_char((elt)x->type) || !x->count);
  if (type == M_NULL) fits = is_null(w, x);
  if (type == M_RAW || type == M_CODE)
    fits = !x->rank && is_nested(x) && is_text(arr_item(x, 0));
  if (!fits) return row_wrong(w, "the value is not of its type");
  if (type == M_NUMBER) return json_put_number(w, x, 0);
  if (type == M_NULL) return str_puts(&w->out, "null"), true;
  if (type != M_TEXT) return put_raw(w, arr_item(x, 0));
  return json_put_text(w, x);
}

/* The value in w->row and what is below it; w->row is behind them then. */
static bool put_row(writer *w, int depth) {
  int64_t at, type, below;
  if (out_of_stack(w->v->c) || !row_number(w, M_DEPTH, &at) ||
      !row_number(w, M_TYPE, &type))
    return false;
  if (interrupted(w->v->c)) return false;
  arr *x = row_item(w, w->row, M_VALUE);
  if (type != M_OBJECT && type != M_ARRAY) {
    if (!put_leaf(w, x, type)) return false;
    w->row++;
    return true;
  }
  if (x->count) return row_wrong(w, "an object or array has no value of its own");
  w->row++;
  str_puts(&w->out, type == M_OBJECT ? "{" : "[");
  bool any = false;
  for (; w->row < w->rows->shape[0]; any = true) {
    if (!row_number(w, M_DEPTH, &below)) return false;
    if (below <= at) break;
    if (below > at + 1) return row_wrong(w, "it is too deep");
    if (any) str_puts(&w->out, ",");
    put_break(w, depth + 1);
    if (type == M_OBJECT && !json_put_name(w, row_item(w, w->row, M_NAME))) return false;
    if (!put_row(w, depth + 1)) return false;
  }
  if (any) put_last_break(w, depth);
  str_puts(&w->out, type == M_OBJECT ? "}" : "]");
  return true;
}

static bool put_matrix(writer *w, arr *y) {
  if (!is_nested(y) || y->rank != 2 || y->shape[1] != M_COLUMNS || !y->shape[0])
    return err_set(w->v->c, ERR_DOMAIN,
                   "⎕JSON: Format 'M' takes depths, names, values and types");
  w->rows = y;
  return put_row(w, 0) &&
         (w->row == y->shape[0] ||
          err_set(w->v->c, ERR_DOMAIN, "⎕JSON: there is more than one value"));
}

bool json_write(vm *v, const json_options *o, arr *y, arr **r) {
  writer w = {.v = v, .o = o, .out = {.c = v->c}};
  bool ok = o->format == FORMAT_M ? put_matrix(&w, y) : put_value(&w, y, 0);
  ok = ok && !err_is(v->c);
  if (ok) *r = str_take(v, &w.out);
  str_free(&w.out);
  return ok && *r;
}
