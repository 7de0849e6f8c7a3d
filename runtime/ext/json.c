/* SPDX-License-Identifier: MIT */
/* json.c - ⎕JSON: text to arrays, by the library jansson, which is loaded when it is first
 * needed; arrays to text is json_write.c's.
 *
 *   number             a scalar                  true false null   ⊂'true' ⊂'false' ⊂'null'
 *   string             a character vector        array             a vector of its items
 *   object             a namespace; with Format 'T' a table of two columns: names and values
 *
 * With Format 'M' the text becomes a table with a row for each value, depth first: depth, name,
 * value, and type as Dyalog numbers them (1 object, 2 array, 3 number, 4 text, 5 null true and
 * false). */
#include "json.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include <string.h>

#ifdef __has_include
#if __has_include(<jansson.h>) && !defined(NO_JANSSON)
#include <jansson.h>
#endif
#endif

#ifdef JANSSON_VERSION
/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(json_loadb) X(json_delete) X(json_object_size) X(json_object_iter)                   \
  X(json_object_iter_next) X(json_object_iter_key) X(json_object_iter_value)             \
  X(json_array_size) X(json_array_get) X(json_string_value) X(json_string_length)        \
  X(json_integer_value) X(json_real_value)
/* clang-format on */

#define LIBRARY_USER "⎕JSON"
#define LIBRARY_FILE "libjansson.so.4"
#include "library.h"

typedef struct reader {
  vm *v;
  const library *l;
  const json_options *o;
  arr_list rows; /* of Format 'M': four items a row */
} reader;

/* ── values as arrays ───────────────────────────────────────────────────────────────── */

static arr *value_array(reader *p, json_t *j);

/* A scalar that holds the word. */
static arr *word(vm *v, const char *z) {
  OWNED arr *text = arr_text(v->c, z, strlen(z));
  return text ? arr_enclose(v->c, text) : NULL;
}

static arr *real_value(vm *v, double d) {
  if (d == (double)(int64_t)d && d > -0x1p53 && d < 0x1p53)
    return arr_int(v->c, (int64_t)d);
  return arr_float(v->c, d);
}

static arr *text_value(reader *p, const char *z, size_t n) {
  return arr_text(p->v->c, z, n);
}

static arr *plain_value(reader *p, json_t *j) {
  vm *v = p->v;
  const library *l = p->l;
  switch (j->type) {
  case JSON_STRING:
    return text_value(p, l->json_string_value(j), l->json_string_length(j));
  case JSON_INTEGER: return arr_int(v->c, l->json_integer_value(j));
  case JSON_REAL: return real_value(v, l->json_real_value(j));
  case JSON_TRUE: return word(v, "true");
  case JSON_FALSE: return word(v, "false");
  default: return p->o->null ? arr_retain(p->o->null) : word(v, "null");
  }
}

/* A vector of n items, one of which may be no more than a scalar. */
static arr *vector_of(vm *v, arr_list *items) {
  if (!items->n) return arr_vec(v->c, ET_BIT, 0);
  return list_array(items);
}

static arr *array_value(reader *p, json_t *j) {
  OWNED_LIST arr_list items = {.v = p->v};
  size_t n = p->l->json_array_size(j);
  for (size_t i = 0; i < n; i++) {
    if (i % 4096 == 4095 && interrupted(p->v->c)) return NULL;
    if (!list_add(&items, value_array(p, p->l->json_array_get(j, i)))) return NULL;
  }
  return vector_of(p->v, &items);
}

static arr *object_space(reader *p, json_t *j) {
  vm *v = p->v;
  const library *l = p->l;
  OWNED arr *r = space_new(v, NULL, "[JSON object]");
  void *at = r ? l->json_object_iter(j) : NULL;
  for (; at; at = l->json_object_iter_next(j, at)) {
    OWNED_STR str name = {.c = v->c};
    json_mangle(l->json_object_iter_key(at), &name);
    OWNED_VALUE value x = value_arr(value_array(p, l->json_object_iter_value(at)));
    sym *s = !x.cls || name.failed ? NULL : sym_intern(v, name.at, name.n);
    value *place = s ? space_place(r, s) : NULL;
    if (!place) return NULL;
    *place = value_move(&x);
  }
  return arr_move(&r);
}

static arr *object_table(reader *p, json_t *j) {
  const library *l = p->l;
  OWNED_LIST arr_list items = {.v = p->v};
  for (void *at = l->json_object_iter(j); at; at = l->json_object_iter_next(j, at)) {
    const char *name = l->json_object_iter_key(at);
    if (!list_add(&items, arr_text(p->v->c, name, strlen(name))) ||
        !list_add(&items, value_array(p, l->json_object_iter_value(at))))
      return NULL;
  }
  int64_t shape[2] = {(int64_t)(items.n / 2), 2};
  OWNED arr *pairs = list_array(&items);
  return pairs ? arr_reshape(p->v->c, pairs, 2, shape) : NULL;
}

static arr *value_array(reader *p, json_t *j) {
  if (out_of_stack(p->v->c)) return NULL;
  if (j->type == JSON_OBJECT)
    return p->o->table ? object_table(p, j) : object_space(p, j);
  if (j->type == JSON_ARRAY) return array_value(p, j);
  return plain_value(p, j);
}

/* ── Format 'M' ─────────────────────────────────────────────────────────────────────── */

enum { M_OBJECT = 1, M_ARRAY, M_NUMBER, M_TEXT, M_WORD };

static int kind_of(const json_t *j) {
  if (j->type == JSON_OBJECT) return M_OBJECT;
  if (j->type == JSON_ARRAY) return M_ARRAY;
  if (j->type == JSON_STRING) return M_TEXT;
  return j->type == JSON_INTEGER || j->type == JSON_REAL ? M_NUMBER : M_WORD;
}

static bool put_rows(reader *p, json_t *j, int64_t depth, const char *name) {
  vm *v = p->v;
  const library *l = p->l;
  int kind = kind_of(j);
  if (out_of_stack(v->c)) return false;
  arr *x = kind > M_ARRAY ? plain_value(p, j) : arr_text(v->c, "", 0);
  if (!list_add(&p->rows, arr_int(v->c, depth)) ||
      !list_add(&p->rows, arr_text(v->c, name, strlen(name))) || !list_add(&p->rows, x) ||
      !list_add(&p->rows, arr_int(v->c, kind)))
    return false;
  for (size_t i = 0; kind == M_ARRAY && i < l->json_array_size(j); i++)
    if (!put_rows(p, l->json_array_get(j, i), depth + 1, "")) return false;
  void *at = kind == M_OBJECT ? l->json_object_iter(j) : NULL;
  for (; at; at = l->json_object_iter_next(j, at))
    if (!put_rows(p, l->json_object_iter_value(at), depth + 1,
                  l->json_object_iter_key(at)))
      return false;
  return true;
}

static arr *matrix_of(reader *p, json_t *j) {
  arr *r = NULL;
  p->rows.v = p->v;
  if (put_rows(p, j, 0, "")) {
    int64_t shape[2] = {(int64_t)(p->rows.n / 4), 4};
    OWNED arr *all = list_array(&p->rows);
    if (all) r = arr_reshape(p->v->c, all, 2, shape);
  }
  list_free(&p->rows);
  return r;
}

/* ── the text ───────────────────────────────────────────────────────────────────────── */

static json_t *tree_of(vm *v, const library *l, const str *s) {
  json_error_t e = {.text = ""};
  size_t how = JSON_DECODE_ANY | JSON_ALLOW_NUL;
  json_t *j = l->json_loadb(s->at, s->n, how, &e);
  if (!j && strstr(e.text, "integer")) /* too big for 64 bits */
    j = l->json_loadb(s->at, s->n, how | JSON_DECODE_INT_AS_REAL, &e);
  if (!j)
    err_set(v->c, ERR_DOMAIN, "⎕JSON: line %d, column %d: %s", e.line, e.column, e.text);
  return j;
}

bool json_read(vm *v, const json_options *o, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  const library *l = library_of(v);
  if (!l || !arg_text(v, y, "⎕JSON's text", &s)) return false;
  json_t *j = tree_of(v, l, &s);
  if (!j) return false;
  reader p = {.v = v, .l = l, .o = o};
  *r = o->matrix ? matrix_of(&p, j) : value_array(&p, j);
  if (j->refcount != (size_t)-1 && --j->refcount == 0) l->json_delete(j);
  return *r != NULL;
}
#else
bool json_read(vm *v, const json_options *o, arr *y, arr **r) {
  UNUSED(o);
  UNUSED(y);
  UNUSED(r);
  return err_set(v->c, ERR_NONCE,
                 "⎕JSON: this program was built without the library jansson");
}
#endif

/* ── what is asked for ──────────────────────────────────────────────────────────────── */

static bool set_option(vm *v, void *user, arr *name, arr *x) {
  json_options *o = user;
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str given = {.c = v->c};
  int64_t n = 0;
  if (!arg_text(v, name, "⍠: an option's name", &s)) return false;
  if (!strcmp(s.at, "Compact")) {
    if (!arg_number(v, value_arr(x), 0, 1, "⎕JSON: Compact", &n)) return false;
    o->spread = !n;
    return true;
  }
  if (!strcmp(s.at, "Null")) {
    o->null = x;
    return ir_host(v->g, x);
  }
  bool format = !strcmp(s.at, "Format"), high = !strcmp(s.at, "HighRank");
  if (!format && !high) return err_set(v->c, ERR_DOMAIN, "⎕JSON has no option %s", s.at);
  if (!arg_text(v, x, "⎕JSON's option", &given)) return false;
  if (format) {
    o->matrix = !strcmp(given.at, "M");
    o->table = !strcmp(given.at, "T");
  }
  if (high) o->split = !strcmp(given.at, "Split");
  if (format && !o->matrix && !o->table && strcmp(given.at, "D"))
    return err_set(v->c, ERR_DOMAIN, "⎕JSON: Format is D, M or T");
  if (high && !o->split && strcmp(given.at, "Error"))
    return err_set(v->c, ERR_DOMAIN, "⎕JSON: HighRank is Error or Split");
  return true;
}

/* 0 ⎕JSON reads, 1 ⎕JSON writes; without a left argument text is read, all else written. */
bool ext_json(vm *v, arr *x, arr *y, arr **r) {
  json_options o = {.spread = false};
  int64_t writes = !elt_is_char((elt)y->type);
  if (x && !arg_number(v, value_arr(x), 0, 1, "⎕JSON's left argument", &writes))
    return false;
  if (!ext_options(v, set_option, &o)) return false;
  return writes ? json_write(v, &o, y, r) : json_read(v, &o, y, r);
}
