/* SPDX-License-Identifier: MIT */
/* source.c - definitions as text: ]save writes the workspace as a script, ⎕FIX runs one.
 *
 * What ]save writes gives the same values when it is run: numbers have as many digits as give
 * them back, arrays their shape and type, functions their text. It is meant for functions and
 * small data; )SAVE is for large arrays. */
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "csv.h"
#include "link.h"
#include "text.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "workspace.h"

/* ── arrays as text ─────────────────────────────────────────────────────────────────── */

typedef struct met { /* a namespace that is met */
  arr *a;
  bool apart;      /* it is made before what has it, for a literal would not do */
  const sym *name; /* it is the value of this one; NULL: it gets a name meanwhile */
} met;
typedef struct writer {
  vm *v;
  bool failed;
  VEC(met) spaces;
  VEC(const fn *)
  trads; /* definitions by ∇ that have other names meanwhile, for others are made of them */
} writer;

static met *met_of(const writer *w, const arr *a) {
  for (size_t i = 0; i < w->spaces.n; i++)
    if (w->spaces.at[i].a == a) return &w->spaces.at[i];
  return NULL;
}

/* Of a definition by ∇, among those; how many they are: it is none of them. */
static size_t trad_at(const writer *w, const fn *f) {
  size_t i = 0;
  while (i < w->trads.n && w->trads.at[i] != f) i++;
  return i;
}

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

static void source_put_number(str *s, const arr *a, int64_t i) {
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
static void source_put_chars(str *s, const arr *a) {
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

static void put_array(writer *w, arr *a, int depth, str *s);
static void put_value(writer *w, const sym *k, value x, int depth, str *s);

/* The name under which a namespace that is made apart, or # (NULL), is found. */
static void source_put_place(const writer *w, const arr *a, str *s) {
  const met *k = a ? met_of(w, a) : NULL;
  if (!k) str_puts(s, "#");
  else if (k->name) str_puts(s, k->name->text);
  else str_printf(s, "∆∆vapl%zu", (size_t)(k - w->spaces.at));
}

static void source_put_space(writer *w, const arr *a, int depth, str *s) {
  const char *before = "";
  const space *p = space_of(a);
  const met *at = met_of(w, a);
  if (p->is_workspace || (at && at->apart)) {
    source_put_place(w, p->is_workspace ? NULL : a, s);
    return;
  }
  str_puts(s, "(");
  for (uint32_t i = 0; i < p->n && !w->failed; i++) {
    const value *x = space_read(&p->at[i]);
    if (!x->cls) continue;
    str_printf(s, "%s%s:", before, p->at[i].s->text);
    put_value(w, p->at[i].s, *x, depth + 1, s);
    before = " ⋄ ";
  }
  str_puts(s, ")");
}

static void put_array(writer *w, arr *a, int depth, str *s) {
  if (depth > 1000 || !ir_host(w->v->g, a)) {
    w->failed |= err_is(w->v->c) ||
                 !err_set(w->v->c, ERR_LIMIT, "]save: an array is nested too deep");
    return;
  }
  if (a == w->v->null) {
    str_puts(s, "⎕NULL");
    return;
  }
  if (a->ref) {
    source_put_space(w, a, depth, s);
    return;
  }
  w->failed |= interrupted(w->v->c);
  if (a->type == ET_F32) str_puts(s, "⎕F32 ");
  put_shape(s, a);
  if (a->type == ET_NEST) {
    str_puts(s, a->count == 1 || !a->rank ? "⊂" : a->count ? "" : "⊂");
    for (int64_t i = 0; !w->failed && i < arr_item_count(a); i++) {
      str_puts(s, "(");
      put_array(w, arr_item(a, i), depth + 1, s);
      str_puts(s, ")");
    }
  } else if (elt_is_char((elt)a->type)) {
    if (a->count) source_put_chars(s, a);
    else str_puts(s, "''");
  } else {
    for (int64_t i = 0; !stops_at(w->v->c, i) && i < a->count; i++) {
      if (i) str_puts(s, " ");
      source_put_number(s, a, i);
    }
    if (!a->count) str_puts(s, a->type == ET_F64 ? "0.5" : "0");
  }
  w->failed |= s->failed || err_is(w->v->c);
}

bool array_source(vm *v, arr *a, str *s) {
  writer w = {.v = v};
  put_array(&w, a, 0, s);
  return !w.failed && !s->failed;
}

/* ── ]save ──────────────────────────────────────────────────────────────────────────── */

static void tell_array(void *user, arr *a, str *s) {
  str_puts(s, "(");
  put_array(user, a, 0, s);
  str_puts(s, ")");
}

/* The variables k that differ from those of `base`, as they are assigned behind `place`. */
static void put_vars(const char *place, const sysvars *k, const sysvars *base, str *s) {
  if (k->io != base->io) str_printf(s, "%s⎕IO←%d\n", place, k->io);
  if (k->ml != base->ml) str_printf(s, "%s⎕ML←%d\n", place, k->ml);
  if (k->div != base->div) str_printf(s, "%s⎕DIV←%d\n", place, k->div);
  if (k->pp != base->pp) str_printf(s, "%s⎕PP←%d\n", place, k->pp);
  if (k->ct == base->ct) return;
  str_printf(s, "%s⎕CT←", place);
  put_real(s, k->ct, false);
  str_puts(s, "\n");
}

static bool is_wanted(void *user, const sym *k, location at) {
  UNUSED(user);
  UNUSED(k);
  return at.val->cls != C_NONE;
}

static void tell_trad(void *user, const fn *f, str *s) {
  writer *w = user;
  size_t i = trad_at(w, f);
  str_printf(s, " ∆∆vaplf%zu ", i);
  if (i == w->trads.n && !w->failed)
    w->failed =
        !err_set(w->v->c, ERR_NONCE,
                 "]save: what is made of %s, which is defined by ∇ in a namespace",
                 f->node->trad->name->text);
}

static void put_value(writer *w, const sym *k, value x, int depth, str *s) {
  if (x.cls == C_ARR) {
    put_array(w, x.a, depth, s);
    return;
  }
  if (!ws_keeps(x.f, true)) {
    err_set(w->v->c, ERR_NONCE, "]save: %s calls a function of the host program",
            k->text);
    w->failed = true;
    return;
  }
  fn_source(x.f, tell_array, tell_trad, w, s);
}

/* ── namespaces ── */

/* The namespace, not `in`, in which the function x runs; NULL: there is none. */
static arr *elsewhere(value x, const arr *in) {
  return x.cls > C_ARR && x.f->space != in ? x.f->space : NULL;
}

/* Would a literal give it: its variables, what it is shown as, where its functions run? */
static bool is_literal(const writer *w, const arr *a) {
  const space *p = space_of(a);
  OWNED_STR str s = {.c = w->v->c};
  if (p->part) return false;
  put_vars("", &p->vars, &w->v->vars, &s);
  if (p->parent || s.n || s.failed || arr_ref_text(a)->count != 13) return false;
  for (uint32_t i = 0; i < p->n; i++) {
    value x = *space_read(&p->at[i]);
    if (elsewhere(x, a) || (x.cls > C_ARR && fn_is_trad(x.f))) return false;
  }
  return true;
}

static void meet_value(writer *w, value x, const arr *in, int depth);

static void meet_space(writer *w, arr *a, bool apart, int depth);

/* The base of a class, what it includes, its interfaces: they are made before it. */
static void meet_piece(void *user, value x) {
  if (x.cls == C_ARR && x.a && x.a->ref) meet_space(user, x.a, true, 0);
}

/* Notes it and what is in it; one that is met again is made apart, as what others run in is. */
static void meet_space(writer *w, arr *a, bool apart, int depth) {
  const space *p = space_of(a);
  if (p->is_workspace || a == w->v->null) return;
  if (p->part && (!p->script.src || p->parent)) {
    w->failed =
        !err_set(w->v->c, ERR_NONCE,
                 "]save writes no instances, and no classes of namespaces: )SAVE does");
    return;
  }
  w->failed |= out_of_stack(w->v->c);
  met *k = met_of(w, a);
  if (w->failed) return;
  if (!k && p->parent) {
    meet_space(w, p->parent, true, depth + 1);
    k = met_of(w, a); /* it may be in its parent */
    if (k) return;
  }
  if (k) {
    k->apart = true;
    return;
  }
  if (p->part) w->v->classes->follow(a, meet_piece, w);
  if (w->failed) return;
  met more = {.a = a, .apart = apart || !is_literal(w, a)};
  if (!vec_push(w->v->c, &w->spaces, more)) w->failed = true;
  if (p->part) return; /* its script says what is in it */
  for (uint32_t i = 0; i < p->n && !w->failed; i++)
    meet_value(w, *space_read(&p->at[i]), a, depth + 1);
}

static void meet_array(writer *w, arr *a, int depth) {
  if (w->failed) return;
  if (depth > 1000 || !ir_host(w->v->g, a)) {
    w->failed = err_is(w->v->c) ||
                !err_set(w->v->c, ERR_LIMIT, "]save: an array is nested too deep");
    return;
  }
  if (a->ref) meet_space(w, a, false, depth);
  for (int64_t i = 0; arr_nests(a) && i < arr_item_count(a); i++)
    meet_array(w, arr_item(a, i), depth + 1);
}

static void meet_told(void *user, arr *a, str *s) {
  UNUSED(s);
  meet_array(user, a, 0);
}

static void meet_trad(void *user, const fn *f, str *s) {
  writer *w = user;
  UNUSED(s);
  if (!f->space && trad_at(w, f) == w->trads.n && !vec_push(w->v->c, &w->trads, f))
    w->failed = true;
}

static void meet_value(writer *w, value x, const arr *in, int depth) {
  OWNED_STR str unused = {.c = w->v->c};
  if (x.cls == C_ARR) meet_array(w, x.a, depth);
  if (x.cls <= C_ARR || w->failed) return;
  fn_source(x.f, meet_told, meet_trad, w, &unused);
  arr *other = elsewhere(x, in);
  if (other) meet_space(w, other, true, depth);
}

/* A definition by ∇: as it stands or, in a namespace, by its ⎕FX. */
static bool put_trad(writer *w, const arr *in, const sym *k, const fn *f, str *s) {
  const trad *t = f->node->trad;
  OWNED_STR str text = {.c = w->v->c};
  size_t other = trad_at(w, f);
  if (!in && other < w->trads.n && strcmp(t->name->text, k->text)) {
    str_printf(s, "%s←∆∆vaplf%zu\n", k->text, other);
    return !s->failed;
  }
  if (f->space != in || strcmp(t->name->text, k->text))
    return err_set(w->v->c, ERR_NONCE,
                   "]save: %s is the function %s, defined by ∇, under another name",
                   k->text, t->name->text);
  if (!in) {
    fn_source(f, tell_array, NULL, w, s);
    str_puts(s, "\n");
    return !s->failed;
  }
  fn_put_trad(f, &text);
  str_put(&text, "", 0);
  if (text.failed) return false;
  source_put_place(w, in, s);
  str_puts(s, strchr(text.at, '\n') ? ".⎕FX '" : ".⎕FX ,⊂'");
  if (fn_is_locked(f)) str_puts(s, "⍫");
  for (const char *p = text.at; *p; p++) {
    if (*p == '\n') str_puts(s, "' '");
    else if (*p != '\r') str_put(s, p, 1);
    if (*p == '\'') str_puts(s, "'");
  }
  str_puts(s, "'\n");
  return !s->failed;
}

/* place.k←x; a function that runs in another namespace is made there first. */
static bool put_definition(writer *w, const arr *in, const sym *k, value x, str *s) {
  const arr *other = elsewhere(x, in);
  OWNED_STR str made = {.c = w->v->c};
  if (x.cls > C_ARR && fn_is_trad(x.f)) return put_trad(w, in, k, x.f, s);
  if (other) {
    source_put_place(w, other, &made);
    str_puts(&made, ".∆∆vapl");
    str_printf(s, "%s←", made.at);
    put_value(w, k, x, 0, s);
    str_puts(s, "\n");
  }
  if (in) source_put_place(w, in, s);
  str_printf(s, "%s%s←", in ? "." : "", k->text);
  if (other) str_printf(s, "%s\n⎕EX '%s'", made.at, made.at);
  else put_value(w, k, x, 0, s);
  str_puts(s, "\n");
  return !w->failed && !s->failed && !made.failed;
}

/* The last part of the name that a namespace is shown as; of ⎕DMX, which is shown as what it
 * says, nothing. */
static void put_shown(const arr *text, str *s) {
  bool named = text->rank == 1 && elt_is_char((elt)text->type);
  for (int64_t i = 0; named && i < text->count; i++) {
    if (arr_get_int(text, i) == '.') s->n = 0;
    else str_putc(s, (uint32_t)arr_get_int(text, i));
  }
  str_put(s, "", 0);
}

/* An empty namespace under the name that it has meanwhile, and its variables. Where it is shown
 * by a name it is made by that one. */
static void put_empty(writer *w, const met *k, str *s) {
  const space *p = space_of(k->a);
  if (p->part) {
    str_put(s, p->script.src->text + p->script.begin, p->script.end - p->script.begin);
    str_puts(s, "\n");
    return;
  }
  OWNED_STR str in = {.c = w->v->c};
  OWNED_STR str place = {.c = w->v->c};
  OWNED_STR str shown = {.c = w->v->c};
  if (p->parent) source_put_place(w, p->parent, &in);
  str_puts(&in, p->parent ? "." : "");
  source_put_place(w, k->a, &place);
  str_puts(&place, ".");
  put_shown(arr_ref_text(k->a), &shown);
  w->failed |= in.failed || place.failed || shown.failed;
  if (w->failed) return;
  int n = (int)place.n - 1;
  bool done = k->name && !p->parent && !strcmp(k->name->text, shown.at);
  if (!is_valid_name(&shown)) str_printf(s, "%.*s←%s(⎕NS ⍬)\n", n, place.at, in.at);
  else {
    str_printf(s, "'%s' %s⎕NS ⍬\n", shown.at, in.at);
    if (!done)
      str_printf(s, "%.*s←%s%s\n⎕EX '%s%s'\n", n, place.at, in.at, shown.at, in.at,
                 shown.at);
  }
  put_vars(place.at, &p->vars, p->parent ? &space_of(p->parent)->vars : &w->v->vars, s);
}

/* Those that literals would not give, and the names that they have meanwhile taken away. */
static bool put_spaces(writer *w, str *s) {
  for (size_t i = 0; i < w->spaces.n; i++)
    if (w->spaces.at[i].apart) put_empty(w, &w->spaces.at[i], s);
  for (size_t i = 0; i < w->spaces.n && !w->failed; i++) {
    const met *k = &w->spaces.at[i];
    const space *p = space_of(k->a);
    for (uint32_t j = 0; k->apart && !p->part && j < p->n; j++) {
      const value *x = space_read(&p->at[j]);
      if (x->cls && !put_definition(w, k->a, p->at[j].s, *x, s)) return false;
    }
  }
  return !w->failed;
}

/* Before all else, for their own names may mean something else. */
static void put_trads(writer *w, str *s) {
  for (size_t i = 0; i < w->trads.n; i++) {
    const char *name = w->trads.at[i]->node->trad->name->text;
    fn_source(w->trads.at[i], tell_array, NULL, w, s);
    str_printf(s, "\n∆∆vaplf%zu←%s\n⎕EX '%s'\n", i, name, name);
  }
}

static void put_end(const writer *w, str *s) {
  for (size_t i = 0; i < w->trads.n; i++) str_printf(s, "⎕EX '∆∆vaplf%zu'\n", i);
  for (size_t i = 0; i < w->spaces.n; i++)
    if (w->spaces.at[i].apart && !w->spaces.at[i].name)
      str_printf(s, "⎕EX '∆∆vapl%zu'\n", i);
}

static bool put_script(writer *w, const name_list *names, ext_file *f) {
  const sysvars first = {.io = 1, .ml = 1, .pp = 10, .ct = 1e-14};
  OWNED_STR str s = {.c = w->v->c};
  put_vars("", &w->v->vars, &first, &s);
  for (size_t i = 0; i < names->n; i++) {
    value x = *sym_read(names->at[i]);
    meet_value(w, x, NULL, 0);
    bool copied = x.cls > C_ARR && x.f->kind != F_NILADIC && fn_is_trad(x.f) &&
                  strcmp(x.f->node->trad->name->text, names->at[i]->text);
    if (copied) meet_trad(w, x.f, NULL);
    met *k = x.cls == C_ARR && x.a->ref ? met_of(w, x.a) : NULL;
    if (k && !k->name) k->name = names->at[i];
  }
  put_trads(w, &s);
  bool ok = !w->failed && put_spaces(w, &s);
  for (size_t i = 0; ok && i < names->n; i++) {
    const sym *name = names->at[i];
    value x = *sym_read(name);
    const met *k = x.cls == C_ARR && x.a->ref ? met_of(w, x.a) : NULL;
    bool done = k && k->apart && k->name == name;
    ok = (done || put_definition(w, NULL, name, x, &s)) && ext_put(f, s.at, s.n);
    s.n = 0;
  }
  if (ok) put_end(w, &s);
  return ok && !s.failed && ext_put(f, s.at, s.n);
}

/* The names that are given behind the file's, each of which has a value. */
static bool given_names(vm *v, const char *at, const char *end, name_list *names) {
  while (command_more(&at, end)) {
    OWNED_STR str word = {.c = v->c};
    if (!command_word(v, &at, end, &word)) return false;
    sym *k = sym_find(v, word.at, word.n);
    if (!k || !sym_read(k)->cls)
      return err_set(v->c, ERR_VALUE, "]save: %s has no value", word.at);
    if (!vec_push(v->c, names, k)) return false;
  }
  return true;
}

bool ext_cmd_script(vm *v, const char *at, const char *end) {
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  name_list names = {0};
  if (!command_more(&at, end)) {
    static const char text[] = "]save needs the name of a file behind it\n";
    return put_out(v, text, strlen(text));
  }
  if (!command_word(v, &at, end, &path) || !ext_may(v, MAY_WRITE, "]save")) return false;
  ext_file f __attribute__((cleanup(ext_abandon))) = {.fd = -1, .place = {.folder = -1}};
  writer w = {.v = v};
  bool all = !command_more(&at, end);
  bool ok =
      all ? names_sorted(v, is_wanted, NULL, &names) : given_names(v, at, end, &names);
  ok = ok && ext_begin(&f, v, "]save", path.at) && put_script(&w, &names, &f);
  vec_free(v->c, &w.spaces);
  vec_free(v->c, &w.trads);
  vec_free(v->c, &names);
  if (!ok || !ext_commit(&f)) return false;
  str_printf(&s, "%s saved\n", path.at);
  return !s.failed && put_out(v, s.at, s.n);
}

/* ── ⎕FIX ───────────────────────────────────────────────────────────────────────────── */

/* The functions and scripted namespaces that there were before the script ran, to find what it
 * defined. */
typedef struct before {
  const sym *name;
  value was;
} before;
typedef struct before_list {
  arr *in; /* the namespace; NULL: the workspace */
  before *at;
  size_t n, cap;
  arr *last; /* the last namespace of those that are new; borrowed */
} before_list;

static int by_name(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)((const before *)a)->name;
  uintptr_t y = (uintptr_t)((const before *)b)->name;
  return (x > y) - (x < y);
}

static bool is_defined(const value *x) {
  if (!x) return false;
  if (x->cls > C_ARR) return true;
  return x->cls == C_ARR && !x->num && x->a->ref && space_of(x->a)->script.src;
}

static bool note_names(vm *v, before_list *list) {
  for (uint32_t i = 0; i < v->buckets; i++)
    for (sym *k = v->bucket[i]; k; k = k->next) {
      const value *x = space_find(list->in, k);
      if (is_defined(x) && !vec_push(v->c, list, ((before){k, value_retain(*x)})))
        return false;
    }
  if (list->n) qsort(list->at, list->n, sizeof *list->at, by_name);
  return true;
}

static bool is_new(void *user, const sym *k, location at) {
  before_list *list = user;
  const value *now = space_find(list->in, (sym *)(uintptr_t)k);
  UNUSED(at);
  if (!is_defined(now)) return false;
  before key = {.name = k};
  const before *was = NULL;
  if (list->n) was = bsearch(&key, list->at, list->n, sizeof key, by_name);
  bool same = was && was->was.cls == now->cls &&
              (now->cls == C_ARR ? was->was.a == now->a : was->was.f == now->f);
  if (!same && now->cls == C_ARR) list->last = now->a;
  return !same;
}

static arr *new_names(vm *v, before_list *list) {
  OWNED_LIST arr_list items = {.v = v};
  name_list names = {0};
  bool ok = names_sorted(v, is_new, list, &names);
  for (size_t i = 0; ok && i < names.n; i++)
    ok = list_add(&items, arr_text(v->c, names.at[i]->text, names.at[i]->len));
  vec_free(v->c, &names);
  if (!ok) return NULL;
  return list_array(&items);
}

/* Is it a file of definitions, by its ending, and no text of one line? */
static bool is_file_name(const str *s) {
  bool one_line = !strpbrk(s->at, "\n\r{") && !strstr(s->at, "←") && !strstr(s->at, "∇");
  return one_line && strlen(s->at) == s->n && link_is_code(s->at);
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
  if (strncmp(s.at, "file://", 7) && !is_file_name(&s)) {
    str_put(text, s.at, s.n);
    return !text->failed;
  }
  if (!ext_may(v, MAY_READ, "⎕FIX") || !ext_path(v, y, "⎕FIX", name)) return false;
  return text_read(v, "⎕FIX", name->at, text);
}

/* Nothing is shown but by ⎕←. An error in the script is an error of ⎕FIX, at the script's line.
 * What it gives: the namespace that it has; 0 ⎕FIX: … that has its names; else names. */
static bool fix(vm *v, const vm_text *t, int64_t how, before_list *list, arr **r) {
  OWNED arr *alone = how ? NULL : space_new(v, list->in, NULL);
  OWNED_VALUE value got = {0};
  bool shy;
  if (!how && !alone) return false;
  if (!how) list->in = alone;
  if (!note_names(v, list) || !run_text_in(v, t, list->in, false, &got, &shy))
    return false;
  OWNED arr *names = new_names(v, list);
  if (!names) return false;
  if (how < 2 && got.cls == C_ARR && got.a->ref) return give_result(r, arr_retain(got.a));
  if (how < 2 && list->last) return give_result(r, arr_retain(list->last));
  return give_result(r, how ? arr_move(&names) : arr_move(&alone));
}

/* What they ask for happens anyway, or cannot be had: an error always ends it. */
static bool fix_options(vm *v) {
  struct options {
    int64_t quiet, anyway, late, references;
  } o = {0};
#define FIELD(f) .at = offsetof(struct options, f)
  static const option_row rows[] = {
      {.name = "Quiet", .hi = 1, FIELD(quiet)},
      {.name = "FixWithErrors", .hi = 2, FIELD(anyway)},
      {.name = "AllowLateBinding", .hi = 0, FIELD(late)},
      {.name = "InjectReferences", .words = "All InClasses None ", FIELD(references)},
      {0}};
#undef FIELD
  return arg_option_rows(v, v->options, "⎕FIX", rows, &o);
}

bool ext_fix(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  before_list list = {.in = v->env ? v->env->space : NULL};
  int64_t how = 1;
  bool ok = !x || arg_number(v, value_arr(x), 0, 2, "⎕FIX's left argument", &how);
  str_put(&name, "", 0);
  ok = ok && fix_options(v) && read_script(v, y, &text, &name) && !text.failed &&
       !name.failed;
  vm_text t = {.name = name.at, .at = text.at ? text.at : "", .n = text.n};
  if (how == 2) t.as = TEXT_DEFINITION;
  ok = ok && fix(v, &t, how, &list, r);
  for (size_t i = 0; i < list.n; i++) value_release(list.at[i].was);
  vec_free(v->c, &list);
  v->shy = true;
  return ok && *r;
}
