/* SPDX-License-Identifier: MIT */
/* locals.c - names with their values in short form: ]locals, of the call that failed, and of its callers; ]display, of a
 * namespace.
 *
 *   f[1]
 *     x   1000000⍴1 2 3 4 5 6 7 8 9 10 …
 *     g   {⍵+1}
 *
 * The calls of dfns that the last error ended come first, the innermost first; then the functions
 * that are suspended, and their callers. */
#include "../../src/array/display.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/system/error.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/space.h"
#include <string.h>

enum { ITEMS_MOST = 20, COLUMNS_MOST = 60 };

/* The first line of the text, cut where it is too long. */
static void put_cut(const str *text, str *s) {
  const char *p = text->at, *end = p + text->n, *next = p;
  int columns = 0;
  bool cut = false;
  for (; p < end && *p != '\n' && !cut; p = cut ? p : next) {
    int wide = utf8_width(utf8_next(p, end, &next));
    columns += wide;
    cut = columns > COLUMNS_MOST;
  }
  str_put(s, text->at, (size_t)(p - text->at));
  if (p + 1 < end) str_puts(s, " …");
}

/* 2 3⍴ in front of what is no scalar, nor a short vector. */
static void put_shape(const arr *a, str *s) {
  bool vector = a->rank == 1 && a->count <= ITEMS_MOST && a->count;
  if (!a->rank || vector) return;
  for (int i = 0; i < a->rank; i++)
    str_printf(s, "%s%lld", i ? " " : "", (long long)a->shape[i]);
  str_puts(s, "⍴");
}

/* The elements of a, or the first ones. */
static bool put_elements(vm *v, arr *a, str *s) {
  OWNED_STR str text = {.c = v->c};
  fmt_opts o = {.pp = v->sv->pp, .pw = INT32_MAX};
  bool chars = elt_is_char((elt)a->type);
  prim_env e = env_of(v);
  int64_t most = chars ? 3 * ITEMS_MOST : ITEMS_MOST;
  OWNED arr *all = a->rank ? prim_monadic(&e, P_COMMA, a) : arr_retain(a);
  OWNED arr *n = all && all->count > most ? arr_int(v->c, most) : NULL;
  OWNED arr *some = n ? prim_dyadic(&e, P_TAKE, n, all) : NULL;
  arr *shown = some ? some : all;
  if (!shown || err_is(v->c) || !arr_display(v->c, shown, &o, &text)) return false;
  while (text.n && text.at[text.n - 1] == '\n' && !chars) text.n--;
  if (chars) str_puts(s, "'");
  if (chars && text.n) text.n--;
  put_cut(&text, s);
  if (chars) str_puts(s, "'");
  if (some) str_puts(s, " …");
  return !text.failed;
}

static bool put_value(vm *v, value x, str *s) {
  OWNED_VALUE value kept = value_retain(x);
  if (!value_box(v->c, &kept)) return false;
  if (kept.cls != C_ARR) {
    OWNED_STR str text = {.c = v->c};
    if (fn_is_trad(kept.f)) str_puts(&text, "∇");
    else fn_text(kept.f, &text);
    put_cut(&text, s);
    return !text.failed;
  }
  if (!ir_host(v->g, kept.a)) return false;
  put_shape(kept.a, s);
  return !kept.a->count || put_elements(v, kept.a, s);
}

static bool locals_put_name(vm *v, const char *name, value x, str *s) {
  if (!x.cls) return true;
  size_t n = utf8_count(name, strlen(name));
  str_printf(s, "  %s", name);
  str_pad(s, n < 7 ? 8 - n : 1);
  bool ok = put_value(v, x, s);
  str_puts(s, "\n");
  return ok && !interrupted(v->c);
}

/* The call in e, which stands at that byte of its text. */
static bool put_call(vm *v, const env *e, uint32_t at, str *s) {
  const shadow *k = e->trad;
  stack_put_call(v, e, at, s);
  str_puts(s, stack_is_halted(v, e) ? "*\n" : "\n");
  bool ok = locals_put_name(v, "⍺", e->alpha, s) && locals_put_name(v, "⍵", e->omega, s);
  sym *name;
  for (size_t i = 0; ok && k && (name = shadow_nth(k, i)); i++)
    ok = locals_put_name(v, name->text,
                         *slot_read(name, shadow_cell(v, k->space, name, k->depth)), s);
  for (uint32_t i = 0; ok && !k && i < e->body->n; i++)
    ok = locals_put_name(v, e->body->local[i]->text, e->slot[i], s);
  return ok;
}

bool ext_cmd_locals(vm *v, const char *at, const char *end) {
  OWNED_STR str s = {.c = v->c};
  bool ok = verify(v);
  UNUSED(at);
  UNUSED(end);
  for (uint32_t i = 0; ok && i < v->failed_n; i++)
    ok = put_call(v, v->failed[i].e, v->failed[i].at, &s);
  uint32_t byte = 0;
  for (const env *e = ok && v->halt ? v->halt->e : NULL; ok && e; e = e->caller) {
    if (e->trad || e->body->node) ok = put_call(v, e, byte, &s);
    byte = e->called.begin;
  }
  if (ok && !s.n) str_puts(&s, "no call has failed, or its names are gone\n");
  return ok && !s.failed && put_out(v, s.at, s.n);
}

static bool is_any_name(void *user, const sym *k, location at) {
  UNUSED(user);
  UNUSED(k);
  return at.val->cls != C_NONE;
}

bool ext_show_members(vm *v, arr *in) {
  OWNED_STR str s = {.c = v->c};
  name_list list = {0};
  space_visit visit;
  if (!space_enter(&visit, v, v->env, in)) return false;
  bool ok = names_sorted(v, is_any_name, NULL, &list);
  for (size_t i = 0; ok && i < list.n; i++)
    ok = locals_put_name(v, list.at[i]->text, *name_here(v, list.at[i]).val, &s);
  space_leave(&visit);
  vec_free(v->c, &list);
  return ok && !s.failed && put_out(v, s.at, s.n);
}
