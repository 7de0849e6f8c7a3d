/* SPDX-License-Identifier: MIT */
/* source.c - definitions as text: ]save writes the workspace as a script, ⎕FIX runs one.
 *
 * What ]save writes gives the same values when it is run: numbers have as many digits as give
 * them back, arrays their shape and type, functions their text. It is meant for functions and
 * small data; )SAVE is for large arrays. */
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "csv.h"
#include "text.h"
#include "workspace.h"
#include <string.h>

/* ── arrays as text ─────────────────────────────────────────────────────────────────── */

typedef struct writer {
  vm *v;
  bool failed;
} writer;

/* A number as APL has it: ¯ for -, E for e. */
static void put_real(str *s, double d, bool narrow) {
  OWNED_STR str plain = {.c = s->c};
  if (d != d || d - d != 0) {
    str_puts(s, d != d ? "NaN" : d > 0 ? "∞" : "¯∞");
    return;
  }
  csv_put_float(&plain, d, narrow, '.');
  for (size_t i = 0; i < plain.n; i++) {
    if (plain.at[i] == '-') str_puts(s, "¯");
    else if (plain.at[i] == 'e') str_puts(s, "E");
    else str_put(s, plain.at + i, 1);
  }
  s->failed |= plain.failed;
}

static void put_number(str *s, const arr *a, int64_t i) {
  if (elt_is_int((elt)a->type)) {
    int64_t n = arr_get_int(a, i);
    uint64_t size = n < 0 ? -(uint64_t)n : (uint64_t)n;
    str_printf(s, "%s%llu", n < 0 ? "¯" : "", (unsigned long long)size);
    return;
  }
  put_real(s, arr_get_float(a, i), a->type == ET_F32);
  if (a->type != ET_C128) return;
  str_puts(s, "J");
  put_real(s, arr_get_imag(a, i), false);
}

static bool is_printed(int64_t u) {
  return u >= ' ' && u != 127 && !(u >= 128 && u < 160);
}

/* Characters between quotes; those that cannot stand there by their numbers. */
static void put_chars(str *s, const arr *a) {
  bool plain = true;
  for (int64_t i = 0; i < a->count; i++) plain &= is_printed(arr_get_int(a, i));
  if (!plain) {
    str_puts(s, "(⎕UCS");
    for (int64_t i = 0; i < a->count; i++)
      str_printf(s, " %lld", (long long)arr_get_int(a, i));
    str_puts(s, ")");
    return;
  }
  str_puts(s, "'");
  for (int64_t i = 0; i < a->count; i++) {
    int64_t u = arr_get_int(a, i);
    str_puts(s, u == '\'' ? "'" : "");
    str_putc(s, (uint32_t)u);
  }
  str_puts(s, "'");
}

static void put_shape(str *s, const arr *a) {
  bool literal = a->rank == 1 && a->count > 1 && a->type != ET_NEST;
  bool text = a->rank == 1 && elt_is_char((elt)a->type) && a->count != 1;
  if (!a->rank || literal || text) return;
  if (a->rank == 1 && a->count == 1) {
    str_puts(s, ",");
    return;
  }
  for (int k = 0; k < a->rank; k++)
    str_printf(s, "%s%lld", k ? " " : "", (long long)a->shape[k]);
  str_puts(s, "⍴");
}

static void put_array(writer *w, arr *a, int depth, str *s) {
  if (a->ref) {
    w->failed |= !err_set(w->v->c, ERR_NONCE, "]save: a namespace is not kept yet");
    return;
  }
  if (depth > 1000 || !ir_host(w->v->g, a)) {
    w->failed |= err_is(w->v->c) ||
                 !err_set(w->v->c, ERR_LIMIT, "]save: an array is nested too deep");
    return;
  }
  if (a->type == ET_F32) str_puts(s, "⎕F32 ");
  put_shape(s, a);
  if (a->type == ET_NEST) {
    str_puts(s, a->count == 1 || !a->rank ? "⊂" : a->count ? "" : "⊂");
    for (int64_t i = 0; i < arr_item_count(a); i++) {
      str_puts(s, "(");
      put_array(w, arr_item(a, i), depth + 1, s);
      str_puts(s, ")");
    }
  } else if (elt_is_char((elt)a->type)) {
    if (a->count) put_chars(s, a);
    else str_puts(s, "''");
  } else {
    for (int64_t i = 0; i < a->count; i++) {
      if (i) str_puts(s, " ");
      put_number(s, a, i);
    }
    if (!a->count) str_puts(s, a->type == ET_F64 ? "0.5" : "0");
  }
  w->failed |= s->failed;
}

/* ── ]save ──────────────────────────────────────────────────────────────────────────── */

static void tell_array(void *user, arr *a, str *s) {
  str_puts(s, "(");
  put_array(user, a, 0, s);
  str_puts(s, ")");
}

static bool put_vars(const vm *v, str *s) {
  const sysvars *k = &v->vars;
  if (k->io != 1) str_printf(s, "⎕IO←%d\n", k->io);
  if (k->ml != 1) str_printf(s, "⎕ML←%d\n", k->ml);
  if (k->div) str_printf(s, "⎕DIV←%d\n", k->div);
  if (k->pp != 10) str_printf(s, "⎕PP←%d\n", k->pp);
  if (k->ct != 1e-14) {
    str_puts(s, "⎕CT←");
    put_real(s, k->ct, false);
    str_puts(s, "\n");
  }
  return !s->failed;
}

static bool is_wanted(void *user, const sym *k, value x) {
  UNUSED(user);
  UNUSED(x);
  return k->val.cls != C_NONE;
}

static bool put_definition(vm *v, const sym *k, str *s) {
  writer w = {.v = v};
  str_printf(s, "%s←", k->text);
  if (k->val.cls == C_ARR) put_array(&w, k->val.a, 0, s);
  else {
    if (!ws_keeps(k->val.f))
      return err_set(
          v->c, ERR_NONCE,
          "]save: %s cannot be kept: it has options of ⎕R or ⎕S, or is a function "
          "of the host program",
          k->text);
    fn_source(k->val.f, tell_array, &w, s);
  }
  str_puts(s, "\n");
  return !w.failed && !s->failed;
}

bool ext_cmd_script(vm *v, const char *at, const char *end) {
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  name_list names = {0};
  while (end > at && (end[-1] == ' ' || end[-1] == '\t')) end--;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  str_put(&path, at, (size_t)(end - at));
  if (path.failed) return false;
  if (!path.n) {
    static const char text[] = "]save needs the name of a file behind it\n";
    return put_out(v, text, strlen(text));
  }
  if (!ext_may(v, MAY_WRITE, "]save")) return false;
  ext_file f __attribute__((cleanup(ext_abandon)));
  bool ok = ext_begin(&f, v, "]save", path.at) && put_vars(v, &s) &&
            names_sorted(v, is_wanted, NULL, &names);
  for (size_t i = 0; ok && i < names.n; i++) {
    ok = put_definition(v, names.at[i], &s) && ext_put(&f, s.at, s.n);
    s.n = 0;
  }
  if (ok && !names.n && s.n) ok = ext_put(&f, s.at, s.n);
  vec_free(v->c, &names);
  if (!ok || !ext_commit(&f)) return false;
  str_printf(&s, "%s saved\n", path.at);
  return !s.failed && put_out(v, s.at, s.n);
}

/* ── ⎕FIX ───────────────────────────────────────────────────────────────────────────── */

/* The functions that there were before the script ran, to find what it defined. */
typedef struct before {
  const sym *name;
  fn *f;
} before;
typedef VEC(before) before_list;

static bool note_functions(vm *v, before_list *list) {
  for (uint32_t i = 0; i < v->buckets; i++)
    for (const sym *k = v->bucket[i]; k; k = k->next)
      if (k->val.cls > C_ARR && !vec_push(v->c, list, ((before){k, fn_retain(k->val.f)})))
        return false;
  return true;
}

static bool is_new(void *user, const sym *k, value x) {
  const before_list *list = user;
  UNUSED(x);
  if (k->val.cls <= C_ARR) return false;
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].name == k) return list->at[i].f != k->val.f;
  return true;
}

static arr *new_functions(vm *v, before_list *list) {
  OWNED_LIST arr_list items = {.v = v};
  name_list names = {0};
  bool ok = names_sorted(v, is_new, list, &names);
  for (size_t i = 0; ok && i < names.n; i++)
    ok = list_add(&items, arr_text(v->c, names.at[i]->text, names.at[i]->len));
  vec_free(v->c, &names);
  if (!ok) return NULL;
  return list_array(&items);
}

/* The script that y is, or names: its text and the name for errors. */
static bool read_script(vm *v, arr *y, str *text, str *name) {
  if (is_nested(y)) {
    for (int64_t i = 0; i < y->count; i++) {
      if (!arg_text(v, arr_item(y, i), "⎕FIX: a line", text)) return false;
      str_puts(text, "\n");
    }
    return true;
  }
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, y, "⎕FIX", &s)) return false;
  if (strncmp(s.at, "file://", 7)) {
    str_put(text, s.at, s.n);
    return !text->failed;
  }
  if (!ext_may(v, MAY_READ, "⎕FIX") || !ext_path(v, y, "⎕FIX", name)) return false;
  text_format f = {ENCODINGS, false};
  int line_end;
  OWNED arr *bytes = ext_read(v, "⎕FIX", name->at);
  OWNED arr *chars = bytes ? text_decode(v, bytes, "⎕FIX", &f, &line_end) : NULL;
  return chars && arg_text(v, chars, "⎕FIX", text);
}

/* The script runs in the workspace, whose names it makes; nothing is shown but by ⎕←. An error
 * in it is an error of ⎕FIX, at the script's line. */
bool ext_fix(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  OWNED_VALUE value got = {0};
  before_list list = {0};
  int64_t how = 2;
  bool shy, ok = !x || arg_number(v, value_arr(x), 0, 2, "⎕FIX's left argument", &how);
  str_put(&name, "", 0);
  ok = ok && read_script(v, y, &text, &name) && !text.failed && note_functions(v, &list);
  vm_text t = {.name = name.at ? name.at : "", .at = text.at ? text.at : "", .n = text.n};
  ok = ok && run_text(v, &t, false, &got, &shy);
  if (ok) *r = new_functions(v, &list);
  for (size_t i = 0; i < list.n; i++) fn_release(list.at[i].f);
  vec_free(v->c, &list);
  v->shy = true;
  return ok && *r;
}
