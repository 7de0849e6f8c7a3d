/* SPDX-License-Identifier: MIT */
/* json_write.c - 1 ⎕JSON: arrays as JSON text. It needs no library.
 *
 * A namespace is an object, and so is a table of two columns whose first holds texts; other arrays of rank 2 and more
 * are errors unless HighRank is 'Split'. A scalar that holds 'true', 'false' or 'null' is that
 * word. */
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

static void put_break(writer *w, int depth) {
  if (w->o->compact) return;
  str_puts(&w->out, "\n");
  str_pad(&w->out, (size_t)depth * 2);
}

static void put_text(writer *w, const arr *a) {
  str_puts(&w->out, "\"");
  for (int64_t i = 0; i < a->count && !stops_at(w->v->c, i + 1); i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    static const char named[] = "b\bf\fn\nr\rt\t";
    const char *at = u && u < 32 ? strchr(named, (int)u) : NULL;
    if (u == '"' || u == '\\') str_printf(&w->out, "\\%c", (char)u);
    else if (at) str_printf(&w->out, "\\%c", at[-1]);
    else if (u < 32 || u == 127 || (u >= 0xD800 && u < 0xE000))
      str_printf(&w->out, "\\u%04x", u);
    else str_putc(&w->out, u);
  }
  str_puts(&w->out, "\"");
}

static bool put_number(writer *w, const arr *a, int64_t i) {
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

static bool is_word(const arr *a, const char *z) {
  if (a->rank != 1 || !elt_is_char((elt)a->type) || a->count != (int64_t)strlen(z))
    return false;
  for (int64_t i = 0; i < a->count; i++)
    if (arr_get_int(a, i) != z[i]) return false;
  return true;
}

static bool put_enclosed(writer *w, arr *a, int depth) {
  static const char *const words[] = {"true", "false", "null"};
  for (size_t k = 0; k < ARRAY_LEN(words); k++) {
    if (!is_word(a, words[k])) continue;
    str_puts(&w->out, words[k]);
    return true;
  }
  return put_value(w, a, depth);
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
    arr *name = arr_item(a, 2 * i);
    if (!ir_host(w->v->g, name)) return false;
    put_text(w, name);
    str_puts(&w->out, w->o->compact ? ":" : ": ");
    if (!put_value(w, arr_item(a, 2 * i + 1), depth + 1)) return false;
  }
  if (a->shape[0]) put_break(w, depth);
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

static void unmangle(const sym *k, str *s) {
  const char *p = k->text, *end = p + k->len;
  if (k->len < MARK_BYTES || memcmp(p, MARK, MARK_BYTES)) {
    str_put(s, p, k->len);
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

static bool put_space(writer *w, arr *a, int depth) {
  const space *p = space_of(a);
  bool any = false;
  if (p->is_workspace) return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: # is no object");
  str_puts(&w->out, "{");
  for (uint32_t i = 0; i < p->n; i++) {
    OWNED_STR str name = {.c = w->v->c};
    value x = p->at[i].val;
    if (!x.cls) continue;
    if (x.cls != C_ARR)
      return err_set(w->v->c, ERR_DOMAIN, "⎕JSON: %s is a function", p->at[i].s->text);
    unmangle(p->at[i].s, &name);
    OWNED arr *text = name.failed ? NULL : arr_text(w->v->c, name.at, name.n);
    if (!text) return false;
    if (any) str_puts(&w->out, ",");
    any = true;
    put_break(w, depth + 1);
    put_text(w, text);
    str_puts(&w->out, w->o->compact ? ":" : ": ");
    if (!put_value(w, x.a, depth + 1)) return false;
  }
  if (any) put_break(w, depth);
  str_puts(&w->out, "}");
  return true;
}

static bool put_item(writer *w, arr *a, int64_t i, int depth) {
  if (is_nested(a)) {
    arr *item = arr_item(a, i);
    if (!ir_host(w->v->g, item)) return false;
    bool word = item->rank == 1 && elt_is_char((elt)item->type);
    return word ? (put_text(w, item), true) : put_value(w, item, depth);
  }
  if (!elt_is_char((elt)a->type)) return put_number(w, a, i);
  OWNED arr *c = arr_scalar_at(w->v->c, a, i);
  if (c) put_text(w, c);
  return c != NULL;
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
    put_text(w, row);
    return true;
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
  if (n && lines) put_break(w, depth);
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
  if (a->ref) return put_space(w, a, depth);
  if (!a->rank && is_nested(a)) return put_enclosed(w, arr_item(a, 0), depth);
  if (!a->rank) return put_item(w, a, 0, depth);
  if (is_object(a)) return put_object(w, a, depth);
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

/* The value in w->row and what is below it; w->row is behind them then. */
static bool put_row(writer *w, int depth) {
  int64_t at, type, below;
  if (out_of_stack(w->v->c) || !row_number(w, M_DEPTH, &at) ||
      !row_number(w, M_TYPE, &type))
    return false;
  arr *x = row_item(w, w->row, M_VALUE);
  w->row++;
  if (type != 1 && type != 2) {
    if (!ir_host(w->v->g, x)) return false;
    if (type == 4 && elt_is_char((elt)x->type)) return put_text(w, x), true;
    return put_value(w, x, depth);
  }
  str_puts(&w->out, type == 1 ? "{" : "[");
  bool any = false;
  for (; w->row < w->rows->shape[0]; any = true) {
    if (!row_number(w, M_DEPTH, &below)) return false;
    if (below <= at) break;
    if (any) str_puts(&w->out, ",");
    put_break(w, depth + 1);
    arr *name = row_item(w, w->row, M_NAME);
    if (type == 1) {
      if (!ir_host(w->v->g, name)) return false;
      put_text(w, name);
      str_puts(&w->out, w->o->compact ? ":" : ": ");
    }
    if (!put_row(w, depth + 1)) return false;
  }
  if (any) put_break(w, depth);
  str_puts(&w->out, type == 1 ? "}" : "]");
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
