/* SPDX-License-Identifier: MIT */
/* csv.c - ⎕CSV: separated values read; csv_write.c writes them.
 *
 *   text ─▶ records ─▶ fields ─▶ columns, each in the narrowest of: integers, floats, arrays
 *                                  ─▶ a table, or the columns themselves
 *
 * Fields are csv_fields.c's, large files of numbers alone csv_threads.c's. A field is read by
 * its column's type: 0 left out, 1 text, 2 a number, 3 a number or, for all else, Fill, 4 a
 * number or text, 5 a number or, where it is empty, Fill. Equal texts of a column, if they come soon after one another, are
 * one array. Errors name the record and the field, from 1. */
#include "csv.h"
#include "../../src/array/element.h"
#include "../../src/base/hash.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "native.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

enum { CACHE_LEAST = 256, CACHE_STEP = 16, CACHE_MOST = 1 << 20, LOOK_EVERY = 4096 };
enum { TIED_BYTES = 1 << 18 }; /* what is looked at first in a tied file */

/* ── columns ────────────────────────────────────────────────────────────────────────── */

static bool column_room(ctx *c, column *k) {
  return k->n < k->cap || vec_room(c, &k->at, k->n, &k->cap, 8);
}

/* What the column holds as arrays: scalars. */
static bool to_items(ctx *c, column *k) {
  for (size_t i = 0; i < k->n; i++) {
    arr *a = k->held == INTS ? arr_int(c, k->i[i]) : arr_float(c, k->d[i]);
    if (!a) { /* the rest is not of this kind any more */
      while (i > 0) arr_release(k->a[--i]);
      k->n = 0;
      return false;
    }
    k->a[i] = a;
  }
  k->held = ITEMS;
  return true;
}

static bool push_item(ctx *c, column *k, arr *a) { /* takes a over */
  if (!a) return false;
  bool ok = column_room(c, k) && (k->held == ITEMS || to_items(c, k));
  if (ok) k->a[k->n++] = a;
  else arr_release(a);
  return ok;
}

static bool push_number(ctx *c, column *k, bool whole, int64_t i, double d) {
  if (!column_room(c, k)) return false;
  if (k->held == ITEMS) return push_item(c, k, whole ? arr_int(c, i) : arr_float(c, d));
  if (k->held == INTS && whole) {
    k->i[k->n++] = i;
    return true;
  }
  if (k->held == INTS)
    for (size_t j = 0; j < k->n; j++) k->d[j] = (double)k->i[j];
  k->held = FLOATS;
  k->d[k->n++] = d;
  return true;
}

/* Places for the texts of a column: 256, and 16 times as many when it has that many rows, if
 * some of them were equal: more places would only make a column of different texts slower. */
static bool cache_room(ctx *c, column *k) {
  bool grows = k->n >= CACHE_STEP * k->cached && k->cached < CACHE_MOST;
  if (k->cache && (!grows || k->hits < k->n / 1024)) return true;
  size_t n = k->cached ? CACHE_STEP * k->cached : CACHE_LEAST;
  cached *more = mem_zalloc(c, n * sizeof *more);
  if (!more) return false;
  mem_free(c, k->cache);
  k->cache = more;
  k->cached = n;
  return true;
}

/* Is a, which was made of n bytes, these? */
static bool is_text(const arr *a, const char *p, size_t n) {
  const char *end = p + n;
  int64_t i = 0;
  if (a->type == ET_C8 && (size_t)a->count == n) return !n || !memcmp(a->host, p, n);
  for (; p < end && i < a->count; i++)
    if (arr_get_int(a, i) != utf8_next(p, end, &p)) return false;
  return p == end && i == a->count;
}

static bool push_text(ctx *c, column *k, const char *p, size_t n) {
  uint64_t hash = 0; /* with the length in its lowest 7 bits; 0: too long to be kept */
  if (n <= 64) hash = (hash_bytes(p, n, 0) & ~(uint64_t)127) | (n + 1);
  if (!cache_room(c, k)) return false;
  cached *slot = &k->cache[hash >> 8 & (k->cached - 1)];
  if (hash && slot->hash == hash && is_text(slot->a, p, n)) {
    k->hits++;
    return push_item(c, k, arr_retain(slot->a));
  }
  arr *a = arr_pool_text(c, &k->pool, p, n);
  if (!push_item(c, k, a)) return false;
  if (hash) *slot = (cached){hash, a};
  return true;
}

/* The number that a field is, thousands left out; false: it is none. */
static bool field_number(const csv_reader *p, const csv_field *f, bool *whole, int64_t *i,
                         double *d) {
  const char *end = f->at + f->n;
  char at = p->o->thousands;
  if (!f->n) return false;
  if (csv_number(f->at, end, p->o->decimal, whole, i, d) == end) return true;
  if (!at || !memchr(f->at, at, f->n)) return false;
  OWNED_STR str s = {.c = p->v->c};
  for (const char *q = f->at; q < end; q++)
    if (*q != at) str_put(&s, q, 1);
  if (s.failed || !s.n) return false;
  return csv_number(s.at, s.at + s.n, p->o->decimal, whole, i, d) == s.at + s.n;
}

static bool push_fill(const csv_reader *p, column *k) {
  ctx *c = p->v->c;
  arr *fill = p->o->fill;
  if (!fill) return push_number(c, k, true, 0, 0);
  if (fill->type == ET_C128) return push_item(c, k, arr_retain(fill));
  bool whole = elt_is_int((elt)fill->type);
  return push_number(c, k, whole, whole ? arr_get_int(fill, 0) : 0,
                     arr_get_float(fill, 0));
}

static bool no_number(const csv_reader *p, int64_t k, const csv_field *f) {
  char why[96];
  int n = f->n < 40 ? (int)f->n : 40;
  while (n > 0 && n < (int)f->n && ((unsigned char)f->at[n] & 0xC0) == 0x80) n--;
  snprintf(why, sizeof why, "'%.*s' is no number", n, f->at);
  return csv_wrong(p, k, f->n ? why : "it is empty");
}

static bool push_field(csv_reader *p, int64_t at, const csv_field *f) {
  column *k = &p->columns[at];
  ctx *c = p->v->c;
  bool whole;
  int64_t i = 0;
  double d;
  if (k->type == SKIPPED) return true;
  if (k->type == TEXT) return push_text(c, k, f->at, f->n);
  csv_field number = *f; /* in a fixed width it has blanks beside it */
  if (p->o->widths) csv_trim(&number);
  if (field_number(p, &number, &whole, &i, &d)) return push_number(c, k, whole, i, d);
  if (err_is(c)) return false;
  if (k->type == NUMBER_OR_TEXT) return push_text(c, k, f->at, f->n);
  if (k->type == NUMBER_OR_FILL || (k->type == NUMBER_OR_EMPTY && !number.n))
    return push_fill(p, k);
  return no_number(p, at, &number);
}

/* Plain numbers are read where they stand; true: that was one, and its end has been passed. */
static inline bool push_plain_number(csv_reader *p, column *k, csv_field *f, bool *ok) {
  bool whole;
  int64_t i = 0;
  double d;
  const char *behind = csv_plain_number(p->at, p->end, p->o->decimal, &whole, &i, &d);
  if (!behind) return false;
  const char *from = p->at;
  p->at = behind;
  if (!csv_at_end(p)) {
    p->at = from;
    return false;
  }
  csv_pass_end(p, f);
  *ok = push_number(p->v->c, k, whole, i, d);
  return true;
}

/* ── records ────────────────────────────────────────────────────────────────────────── */

static bool new_columns(csv_reader *p, int64_t n) {
  if (p->o->ragged && p->types && p->types->rank) n = p->types->count;
  if (p->types && p->types->rank && p->types->count != n)
    return err_set(p->v->c, ERR_LENGTH, "⎕CSV: %lld column types, but %lld columns",
                   (long long)p->types->count, (long long)n);
  p->columns = mem_zalloc(p->v->c, (size_t)(n + 1) * sizeof *p->columns);
  if (!p->columns) return false;
  p->n_columns = n;
  for (int64_t k = 0; k < n; k++) {
    int64_t type = TEXT;
    if (p->types) type = arr_get_int(p->types, p->types->rank ? k : 0);
    if (type < 0 || type > NUMBER_OR_EMPTY)
      return err_set(p->v->c, ERR_DOMAIN, "⎕CSV: column types are 0 to 5");
    if (type == NUMBER_OR_TEXT && p->o->invert == 1)
      return err_set(p->v->c, ERR_DOMAIN, "⎕CSV: Invert 1 takes no columns of type 4");
    p->columns[k].type = (int)type;
    if (type == TEXT) p->columns[k].held = ITEMS;
  }
  return true;
}

/* The fields of the record at p->at, counted without being kept. */
static bool count_fields(csv_reader *p, int64_t *n) {
  const char *from = p->at;
  csv_field f = {.last = false};
  p->record++;
  for (*n = 0; !f.last; ++*n)
    if (stops_at(p->v->c, *n + 1) || !csv_next_field(p, *n, &f)) return false;
  p->record--;
  p->at = from;
  return true;
}

/* A record that ends early is filled up with empty fields if it may be ragged. */
static bool short_record(csv_reader *p, int64_t k) {
  const csv_field none = {.at = ""};
  if (!p->o->ragged)
    return err_set(p->v->c, ERR_DOMAIN, "⎕CSV: row %lld has %lld fields, not %lld",
                   (long long)p->record, (long long)k, (long long)p->n_columns);
  for (; k < p->n_columns; k++)
    if (!push_field(p, k, &none)) return false;
  return true;
}

static bool read_record(csv_reader *p) {
  csv_field f = {.last = false};
  int64_t k = 0;
  p->record++;
  for (; !f.last; k++) {
    bool ok = true;
    if (stops_at(p->v->c, k + 1)) return false;
    if (k == p->n_columns) {
      int64_t n = k;
      while (!f.last && csv_next_field(p, n, &f)) n++;
      return err_is(p->v->c) ? false : short_record(p, n);
    }
    column *at = &p->columns[k];
    bool plain = at->type >= NUMBER && !p->o->widths;
    if (plain && push_plain_number(p, at, &f, &ok)) {
      if (!ok) return false;
    } else if (!csv_next_field(p, k, &f) || !push_field(p, k, &f)) return false;
  }
  return k == p->n_columns || short_record(p, k);
}

static bool read_in_turn(csv_reader *p, bool shown) {
  const char *from = p->at;
  int64_t n = 0, most = p->o->records ? p->o->records : INT64_MAX;
  while (p->at < p->end && p->rows < most) {
    if (!p->columns) {
      if (!count_fields(p, &n) || !new_columns(p, n)) return false;
    }
    if (!read_record(p)) return false;
    if (++p->rows % LOOK_EVERY) continue;
    share_is(p->v->c, shown, p->at - from);
    if (interrupted(p->v->c)) return false;
  }
  if (p->types && p->types->rank) n = p->types->count;
  if (p->o->widths) n = p->o->widths->count;
  return p->columns || new_columns(p, n);
}

static bool read_records(csv_reader *p) {
  int64_t n;
  if (p->at < p->end && !p->o->ragged) {
    if (!count_fields(p, &n) || !new_columns(p, n)) return false;
    p->rows = csv_numbers(p->v, p->o, p->at, p->end, p->columns, n);
    if (p->rows > 0) return true;
    if (err_is(p->v->c)) return false;
    p->rows = 0;
  }
  bool shown = share_begins(p->v->c, p->end - p->at);
  bool ok = read_in_turn(p, shown);
  share_ends(p->v->c, shown);
  return ok;
}

/* The first record as texts. */
static arr *read_header(csv_reader *p) {
  OWNED_LIST arr_list names = {.v = p->v};
  csv_field f = {.last = p->at == p->end};
  p->record++;
  for (int64_t k = 0; !f.last; k++)
    if (!csv_next_field(p, k, &f) || !list_add(&names, arr_text(p->v->c, f.at, f.n)))
      return NULL;
  return list_array(&names);
}

/* The names of the columns that were not left out; takes all of them over. */
static arr *kept_names(csv_reader *p, arr *names) {
  OWNED arr *all = names;
  OWNED_LIST arr_list kept = {.v = p->v};
  if (names->count != p->n_columns || !is_nested(names)) return arr_move(&all);
  for (int64_t k = 0; k < p->n_columns; k++) {
    bool skipped = p->columns[k].type == SKIPPED;
    if (!skipped && !list_add(&kept, arr_retain(arr_item(names, k)))) return NULL;
  }
  return list_array(&kept);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

static arr *ints_of(ctx *c, const column *k) {
  int64_t lo = INT64_MAX, hi = INT64_MIN, n = (int64_t)k->n;
  for (int64_t i = 0; i < n; i++) {
    if (k->i[i] < lo) lo = k->i[i];
    if (k->i[i] > hi) hi = k->i[i];
  }
  if (!n) lo = hi = 0;
  arr *r = arr_vec(c, elt_for_range(lo, hi), n);
  if (!r) return NULL;
  for (int64_t i = 0; i < n; i++) {
    if (r->type == ET_I8) ((int8_t *)r->host)[i] = (int8_t)k->i[i];
    else if (r->type == ET_I16) ((int16_t *)r->host)[i] = (int16_t)k->i[i];
    else if (r->type == ET_I32) ((int32_t *)r->host)[i] = (int32_t)k->i[i];
    else if (r->type == ET_I64) ((int64_t *)r->host)[i] = k->i[i];
    else arr_put_int(r, i, k->i[i]);
  }
  arr_set_range(r, lo, hi);
  return r;
}

/* The column as a vector. What it holds goes over to it, or stays. */
static arr *column_array(vm *v, column *k) {
  ctx *c = v->c;
  int64_t n = (int64_t)k->n;
  if (k->held == INTS) return ints_of(c, k);
  arr *r = arr_vec(c, k->held == FLOATS ? ET_F64 : ET_NEST, n);
  if (!r) return NULL;
  if (n)
    memcpy(r->host, k->at, (size_t)n * (k->held == FLOATS ? sizeof *k->d : sizeof *k->a));
  if (k->held == FLOATS) return r;
  k->n = 0;
  if (!n) {
    ((arr **)r->host)[0] = arr_text(c, "", 0);
    if (((arr **)r->host)[0]) return r;
    arr_release(r);
    return NULL;
  }
  return r;
}

static arr *inverted(csv_reader *p) {
  OWNED_LIST arr_list items = {.v = p->v};
  prim_env e = env_of(p->v);
  for (int64_t k = 0; k < p->n_columns; k++) {
    column *at = &p->columns[k];
    if (at->type == SKIPPED) continue;
    bool matrix = p->o->invert == 1 && at->type == TEXT;
    OWNED arr *a = column_array(p->v, at);
    if (a && matrix && a->count) {
      arr *m = prim_monadic(&e, P_TAKE, a);
      arr_release(a);
      a = m;
    } else if (a && matrix) {
      arr_release(a);
      a = arr_new(p->v->c, ET_C8, 2, (int64_t[]){0, 0});
    }
    if (!list_add(&items, arr_move(&a))) return NULL;
  }
  int64_t n = (int64_t)items.n;
  arr *r = arr_vec(p->v->c, ET_NEST, n);
  if (r && n) memcpy(r->host, items.at, (size_t)n * sizeof(arr *));
  if (r && !n) ((arr **)r->host)[0] = arr_vec(p->v->c, ET_BIT, 0);
  if (r) items.n = 0;
  return r;
}

/* Rows by columns: numbers if all are, else arrays. */
static arr *table(csv_reader *p) {
  ctx *c = p->v->c;
  int64_t wide = 0, shape[2] = {p->rows, 0}, at = 0;
  int held = INTS;
  for (int64_t k = 0; k < p->n_columns; k++) {
    if (p->columns[k].type == SKIPPED) continue;
    wide++;
    if (p->columns[k].held > held) held = p->columns[k].held;
  }
  shape[1] = wide;
  if (held == ITEMS || !wide) {
    OWNED arr *r = arr_new(c, ET_NEST, 2, shape);
    if (!r) return NULL;
    if (!r->count) ((arr **)r->host)[0] = arr_text(c, "", 0);
    for (int64_t k = 0; k < p->n_columns; k++) {
      column *from = &p->columns[k];
      if (from->type == SKIPPED) continue;
      if (from->held != ITEMS && !to_items(c, from)) return NULL;
      for (int64_t i = 0; i < p->rows; i++) ((arr **)r->host)[i * wide + at] = from->a[i];
      from->n = 0;
      at++;
    }
    return arr_move(&r);
  }
  OWNED arr *r = arr_new(c, held == INTS ? ET_I64 : ET_F64, 2, shape);
  if (!r) return NULL;
  for (int64_t k = 0; k < p->n_columns; k++) {
    const column *from = &p->columns[k];
    if (from->type == SKIPPED) continue;
    for (int64_t i = 0; i < p->rows; i++) {
      if (held == INTS) ((int64_t *)r->host)[i * wide + at] = from->i[i];
      else
        ((double *)r->host)[i * wide + at] =
            from->held == INTS ? (double)from->i[i] : from->d[i];
    }
    at++;
  }
  return held == INTS ? arr_ints(c, 2, shape, r->host) : arr_move(&r);
}

static void reader_free(csv_reader *p) {
  for (int64_t k = 0; k < p->n_columns; k++) {
    column *at = &p->columns[k];
    if (at->held == ITEMS)
      for (size_t i = 0; i < at->n; i++) arr_release(at->a[i]);
    mem_free(p->v->c, at->at);
    mem_free(p->v->c, at->cache);
    arr_pool_end(&at->pool);
  }
  mem_free(p->v->c, p->columns);
  str_free(&p->unquoted);
}
#define OWNED_READER __attribute__((cleanup(reader_free)))

/* ── what is asked for ──────────────────────────────────────────────────────────────── */

/* A text ('S'), or lines as one ('N'). */
static bool join_lines(vm *v, arr *y, char how, str *s) {
  if (how == 'S') return arg_text(v, y, "⎕CSV: the text", s);
  if (!is_nested(y))
    return err_set(v->c, ERR_DOMAIN, "⎕CSV: 'N' takes a vector of lines");
  for (int64_t i = 0; i < y->count; i++) {
    if (!arg_text(v, arr_item(y, i), "⎕CSV: a line", s)) return false;
    str_puts(s, "\n");
  }
  return !s->failed;
}

/* The bytes of a file as UTF-8: *held owns them, or s does. */
static bool read_source(vm *v, arr *name, const char *code, arr **held, str *s) {
  OWNED_STR str path = {.c = v->c};
  text_format f = {ENCODINGS, false};
  int line_end;
  if (!ext_may(v, MAY_READ, "⎕CSV") || !ext_path(v, name, "⎕CSV", &path)) return false;
  if (*code && !text_encoding(v, code, &f)) return false;
  *held = ext_read(v, "⎕CSV", path.at);
  if (!*held) return false;
  if (text_stands(v, (*held)->host, (size_t)(*held)->count, "⎕CSV", &f)) return true;
  if (err_is(v->c)) return false;
  OWNED arr *text = text_decode(v, *held, "⎕CSV", &f, &line_end);
  if (!text) return false;
  arr_release(*held);
  *held = NULL;
  return arg_text(v, text, "⎕CSV", s);
}

/* Item k of y, or NULL. */
static arr *csv_part(arr *y, int64_t k) {
  return is_nested(y) && y->rank == 1 && k < y->count ? arr_item(y, k) : NULL;
}

static bool prepare(csv_reader *p, arr *types) {
  const csv_options *o = p->o;
  const char also[] = {o->separator, o->quote, o->escape, '\n', '\r'};
  for (size_t i = 0; i < sizeof also; i++)
    if (also[i]) p->stops[(unsigned char)also[i]] = true;
  if (types && !types->count && types->rank) types = NULL;
  if (types &&
      (!ir_host(p->v->g, types) || types->rank > 1 || !elt_is_int((elt)types->type)))
    return err_set(p->v->c, ERR_DOMAIN, "⎕CSV: column types are 0 to 5");
  p->types = types;
  if (p->end - p->at >= 3 && !memcmp(p->at, "\xEF\xBB\xBF", 3)) p->at += 3;
  return true;
}

/* From p->at to p->end; *r is the result. */
static bool read_source_as(csv_reader *p, arr *types, bool header, arr **r) {
  if (!prepare(p, types)) return false;
  OWNED arr *names = NULL;
  if (header) names = read_header(p);
  if (header && !names) return false;
  if (header && p->at == p->end && !new_columns(p, names->count)) return false;
  if (!read_records(p)) return false;
  OWNED arr *data = NULL;
  if (p->o->invert) data = inverted(p);
  else data = table(p);
  if (!data) return false;
  if (!header) return give_result(r, arr_move(&data));
  names = kept_names(p, arr_move(&names));
  return give_result(r, items_pair(p->v, arr_move(&data), arr_move(&names)));
}

/* The tied file from where it was read last. Where so many records are wanted, a part of it is
 * looked at, whole lines, and a larger one if its end is met: a record may go on behind it. */
static bool read_tied(vm *v, const csv_options *o, arr *y, const char *how, bool header,
                      arr **r) {
  arr *number = arr_nests(y) ? arr_item(y, 0) : y;
  text_format as = {UTF_8, false};
  if (*how && !text_encoding(v, how, &as)) return false;
  if (as.e != UTF_8)
    return err_set(v->c, ERR_NONCE, "⎕CSV reads UTF-8 only from a tied file");
  for (int64_t bytes = o->records ? TIED_BYTES : INT64_MAX;; bytes *= 4) {
    bool more;
    text_format f = {UTF_8, false};
    OWNED arr *held = native_next(v, number, "⎕CSV", bytes, &more);
    if (!held) return false;
    const char *from = held->host, *end = from + held->count;
    if (more) {
      end = memrchr(from, '\n', (size_t)held->count);
      if (!end++) continue;
    }
    if (!text_stands(v, from, (size_t)(end - from), "⎕CSV", &f)) return false;
    OWNED_READER csv_reader p = {
        .v = v, .o = o, .at = from, .end = end, .unquoted = {.c = v->c}};
    bool ok = read_source_as(&p, csv_part(y, 2), header, r);
    if (ok && (!more || p.at < p.end)) {
      native_pass(v, number, p.at - from);
      return true;
    }
    int code = (int)v->c->err.code;
    if (!more || code == ERR_INTERRUPT || code == ERR_WS_FULL) return false;
    err_clear(v->c);
    arr_release(*r);
    *r = NULL;
  }
}

/* y: a file's name or tie number; or that or text, description, column types, whether there is
 * a header. */
static bool csv_read(vm *v, const csv_options *o, arr *y, arr **r) {
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str how = {.c = v->c};
  OWNED arr *held = NULL;
  OWNED_READER csv_reader p = {.v = v, .o = o, .unquoted = {.c = v->c}};
  arr *first = csv_part(y, 0), *description = csv_part(y, 1);
  int64_t header = 0;
  if (is_nested(y) && y->rank == 1 && y->count > 4)
    return err_set(v->c, ERR_LENGTH,
                   "⎕CSV takes a source, its description, column types and header");
  if (!first) first = y;
  if (is_nested(first) && !first->rank) first = arr_item(first, 0);
  if (description && !arg_text(v, description, "⎕CSV's description", &how)) return false;
  if (csv_part(y, 3) &&
      !arg_number(v, value_arr(csv_part(y, 3)), 0, 1, "⎕CSV: header", &header))
    return false;
  const char *as = is_nested(first) ? "N" : "";
  if (how.n) as = how.at;
  bool is_text = !strcmp(as, "S") || !strcmp(as, "N");
  if (!is_text && elt_is_int((elt)first->type) && first->count == 1)
    return read_tied(v, o, y, as, header, r);
  if (is_text && !join_lines(v, first, *as, &text)) return false;
  if (!is_text && !read_source(v, first, as, &held, &text)) return false;
  p.at = "";
  if (text.n) p.at = text.at;
  p.end = p.at + text.n;
  if (held) {
    p.at = held->host;
    p.end = p.at + held->count;
  }
  return read_source_as(&p, csv_part(y, 2), header, r);
}

bool ext_csv(vm *v, arr *x, arr *y, arr **r) {
  csv_options o = {.separator = ',',
                   .quote = '"',
                   .decimal = '.',
                   .double_quote = true,
                   .trim = true,
                   .line_end = "\n"};
  if (!csv_read_options(v, &o)) return false;
  if (x) return csv_write(v, &o, x, y, r);
  return csv_read(v, &o, y, r);
}
