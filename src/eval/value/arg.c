/* SPDX-License-Identifier: MIT */
/* arg.c - arguments that must be of some kind: a number, a text, options, an axis. */
#include "arg.h"
#include <string.h>
#include "items.h"
#include "../../array/element.h"
#include "../../base/utf8.h"
#include "../../prim/args.h"

bool arg_int(vm *v, arr *a, int64_t *n, const char *what) {
  if (!ir_host(v->g, a)) return false;
  int code = a->rank > 1 ? ERR_RANK : ERR_LENGTH;
  if (a->count != 1) return err_set(v->c, code, "%s must be one number", what);
  if (a->type > ET_C128) return err_set(v->c, ERR_DOMAIN, "%s must be a number", what);
  prim_env pe = env_of(v);
  return prim_int(&pe, a, what, n);
}

bool arg_number(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n) {
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "%s takes a number", name);
  if (!arg_int(v, x.a, n, name)) return false;
  if (*n >= lo && *n <= hi) return true;
  return err_set(v->c, ERR_DOMAIN, "%s takes %s%lld to %lld", name, lo < 0 ? "¯" : "",
                 lo < 0 ? -(long long)lo : (long long)lo, (long long)hi);
}

bool arg_no_char(vm *v, const char *what, uint32_t u) {
  return err_set(v->c, ERR_DOMAIN, "%s: ⎕UCS %u is half of a pair and no character", what,
                 u);
}

bool arg_text(vm *v, arr *a, const char *what, str *s) {
  if (!ir_host(v->g, a)) return false;
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "%s must be a vector", what);
  if (a->count && !elt_is_char((elt)a->type))
    return err_set(v->c, ERR_DOMAIN, "%s must be text", what);
  for (int64_t i = 0; i < a->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    if (!utf8_holds(u)) return arg_no_char(v, what, u);
    str_putc(s, u);
    if (i % 1048576 == 1048575 && interrupted(v->c)) return false;
  }
  str_put(s, "", 0);
  return !s->failed;
}

/* A name and a value. */
static bool is_option(const arr *a) {
  if (a->type != ET_NEST || a->rank != 1 || a->count != 2) return false;
  const arr *name = arr_item(a, 0);
  return elt_is_char((elt)name->type) && name->rank < 2;
}

bool arg_options(vm *v, arr *x, option_setter *set, void *user) {
  if (is_option(x)) return set(v, user, arr_item(x, 0), arr_item(x, 1));
  if (!x->rank) {
    OWNED arr *none = arr_text(v->c, "", 0);
    return none && set(v, user, none, is_nested(x) ? arr_item(x, 0) : x);
  }
  for (int64_t i = 0; i < x->count; i++) {
    arr *p = is_nested(x) ? arr_item(x, i) : x;
    if (!is_option(p)) return err_set(v->c, ERR_DOMAIN, "⍠ takes names and values");
    if (!set(v, user, arr_item(p, 0), arr_item(p, 1))) return false;
  }
  return true;
}

static bool list_option(vm *v, void *user, arr *name, arr *x) {
  OWNED arr *pair = items_pair(v, arr_retain(name), arr_retain(x));
  return pair && list_add(user, arr_move(&pair));
}

arr *arg_options_both(vm *v, arr *first, arr *more) {
  OWNED_LIST arr_list items = {.v = v};
  if (!arg_options(v, first, list_option, &items) ||
      !arg_options(v, more, list_option, &items))
    return NULL;
  return list_array(&items);
}

/* ── options of a function ──────────────────────────────────────────────────────────── */

/* Which of the words, each ended by a blank, s is; -1: none. */
static int64_t word_index(const char *words, const str *s) {
  int64_t k = 0;
  for (const char *p = words; *p; k++) {
    const char *end = strchr(p, ' ');
    if (s->n == (size_t)(end - p) && !memcmp(p, s->at, s->n)) return k;
    p = end + 1;
  }
  return -1;
}

bool arg_option_value(vm *v, const char *who, const option_row *o, arr *x, int64_t *n) {
  OWNED_STR str what = {.c = v->c};
  OWNED_STR str word = {.c = v->c};
  str_printf(&what, "%s: %s", who, o->name);
  if (what.failed || !ir_host(v->g, x)) return false;
  if (!o->words) return arg_number(v, value_arr(x), o->lo, o->hi, what.at, n);
  *n = -1;
  if (elt_is_char((elt)x->type) && !arg_text(v, x, what.at, &word)) return false;
  if (word.n) *n = word_index(o->words, &word);
  if (*n >= 0) return true;
  return err_set(v->c, ERR_DOMAIN, "%s takes one of: %.*s", what.at,
                 (int)strlen(o->words) - 1, o->words);
}

typedef struct settings {
  const char *who;
  const option_row *rows;
  void *to;
} settings;

static bool set_row(vm *v, void *user, arr *name, arr *x) {
  settings *s = user;
  const option_row *o = s->rows;
  OWNED_STR str k = {.c = v->c};
  if (!arg_text(v, name, "⍠: an option's name", &k)) return false;
  while (o->name && (k.n ? strcmp(o->name, k.at) != 0 : !o->principal)) o++;
  if (!o->name && k.n)
    return err_set(v->c, ERR_DOMAIN, "%s has no option %s", s->who, k.at);
  if (!o->name)
    return err_set(v->c, ERR_DOMAIN, "%s has no principal option: a name and a value",
                   s->who);
  if (!o->set)
    return arg_option_value(v, s->who, o, x, (int64_t *)(void *)((char *)s->to + o->at));
  OWNED_STR str what = {.c = v->c};
  str_printf(&what, "%s: %s", s->who, o->name);
  return !what.failed && ir_host(v->g, x) && o->set(v, s->to, what.at, x);
}

bool arg_option_rows(vm *v, arr *x, const char *who, const option_row *rows, void *to) {
  settings s = {who, rows, to};
  return !x || arg_options(v, x, set_row, &s);
}

bool fold_axis(vm *v, uint32_t code, arr *axis, const arr *y, int *k) {
  int64_t n;
  bool first = code == OP_REDUCE1 || code == OP_SCAN1 || !y->rank;
  *k = first ? 0 : y->rank - 1;
  if (!axis) return true;
  if (!arg_int(v, axis, &n, "the axis")) return false;
  if (n < v->sv->io || n - v->sv->io >= y->rank)
    return err_set(v->c, ERR_RANK, "there is no such axis");
  *k = (int)(n - v->sv->io);
  return true;
}
