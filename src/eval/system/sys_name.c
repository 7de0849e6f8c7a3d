/* SPDX-License-Identifier: MIT */
/* sys_name.c - names as data: ⎕NC ⎕NL ⎕EX, and the text of functions: ⎕CR ⎕NR ⎕VR.
 *
 * A name means what it means where the function is called: the names of the dfn that runs
 * and of those around it come before the workspace's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../array/element.h"
#include "../../base/utf8.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "../value/sysname.h"
#include "show.h"
#include "system.h"

/* ── names from text ────────────────────────────────────────────────────────────────── */

/* Characters from..from+n of a as UTF-8, blanks around them left out. */
static bool name_text(vm *v, const arr *a, int64_t from, int64_t n, str *s) {
  if (!elt_is_char((elt)a->type) && a->count)
    return err_set(v->c, ERR_DOMAIN, "a name must be text");
  while (n > 0 && arr_get_int(a, from + n - 1) == ' ') n--;
  while (n > 0 && arr_get_int(a, from) == ' ') {
    from++;
    n--;
  }
  s->n = 0;
  for (int64_t i = 0; i < n; i++) str_putc(s, (uint32_t)arr_get_int(a, from + i));
  str_put(s, "", 0);
  return !s->failed;
}

/* ⍺ ⍵ ⍺⍺ ⍵⍵ ∇ ∇∇ of the dfn that runs. */
static bool greek(vm *v, const str *s, value *x) {
  static const char *const names[] = {"⍺", "⍵", "⍺⍺", "⍵⍵", "∇", "∇∇"};
  size_t i = 0;
  while (i < ARRAY_LEN(names) && strcmp(names[i], s->at)) i++;
  if (i == ARRAY_LEN(names)) return false;
  if (!v->env || !v->env->self) return true;
  const env *e = v->env;
  value of[] = {e->alpha,  e->omega, e->self->l, e->self->r, {.cls = C_FN, .f = e->self},
                e->self->m};
  *x = of[i];
  return true;
}

enum { LABEL = 1 }; /* the class of one, though its value is an array */

static double subclass(value x) {
  if (!x.cls) return 0;
  if (x.cls == C_ARR && x.a->ref && space_of(x.a)->part)
    return space_of(x.a)->v->classes->space_class(x.a);
  if (x.cls == C_ARR) return (x.a->ref ? C_SPACE : C_ARR) + 0.1;
  switch ((fkind)x.f->kind) {
  case F_DFN:
  case F_DOP: return x.cls + 0.2;
  case F_TRAD:
  case F_NILADIC:
  case F_TROP: return x.cls + 0.1;
  case F_HOST:
  case F_HOST_NILADIC: return x.cls + 0.6;
  default: return x.cls + 0.3;
  }
}

static bool is_label(const vm *v, location at, const sym *k) {
  if (at.e) return at.e->trad && at.slot < at.e->body->fixed;
  return name_is_label(v, at.space, k);
}

/* As a member of the class or instance in which it was found; 0: it is none. */
static double class_as_member(const vm *v, location at, sym *k, bool fine) {
  if (at.e || !space_has_members(at.space)) return 0;
  return v->classes->name_class(at.space, k, fine);
}

/* What the name or path stands for, and its class; false: it is none. */
static bool stands_for(vm *v, const str *s, value *x, double *c, bool fine) {
  OWNED arr *in = NULL;
  sym *k;
  if (!path_of(v, s, &in, &k)) return false;
  location at = name_there(v, in, k);
  *x = *at.val;
  *c = class_as_member(v, at, k, true);
  if (*c != 0) {
    *c = class_as_member(v, at, k, fine); /* 0 where ⎕NC says so */
    return true;
  }
  *c = is_label(v, at, k) ? LABEL : subclass(*x);
  if (!fine) *c = floor(*c);
  return true;
}

bool name_value(vm *v, const str *s, value *x) {
  double c;
  *x = (value){0};
  return greek(v, s, x) || stands_for(v, s, x, &c, false);
}

double name_class(vm *v, const str *s, bool fine) {
  value x = {0};
  double c = 0;
  int row = sys_find(s->at, s->n);
  if (row >= 0) return sys_class(row);
  if (greek(v, s, &x)) c = fine ? subclass(x) : floor(subclass(x));
  else if (!stands_for(v, s, &x, &c, fine)) return -1;
  return c;
}

/* Erases the name where it is seen; false if it cannot be erased. */
static bool erase(vm *v, const str *s) {
  OWNED arr *in = NULL;
  sym *k;
  if (!path_of(v, s, &in, &k) || sys_find(s->at, s->n) >= 0) return false;
  if (in) return name_set(v, in, k, (value){0});
  int i = v->env ? slot_of(v->env->body, k) : -1;
  if (i >= 0 && v->env->slot[i].cls) {
    location at = {v->env, NULL, (uint32_t)i, &v->env->slot[i]};
    return name_put(v, v->env, k, at, (value){0});
  }
  return name_set(v, v->env ? env_home(v->env, k) : NULL, k, (value){0});
}

bool names_open(vm *v, const arr *y, names_in *names) {
  *names = (names_in){y, 1, y->count};
  bool nested = y->type == ET_NEST;
  if (y->rank > 2 || (nested && y->rank > 1))
    return err_set(v->c, ERR_RANK, "names are a vector or a matrix");
  if (nested) names->n = y->count;
  else if (y->rank == 2) {
    names->n = y->shape[0];
    names->width = y->shape[1];
  }
  return true;
}

bool name_at(vm *v, const names_in *names, int64_t i, str *s) {
  if (names->of->type != ET_NEST)
    return name_text(v, names->of, i * names->width, names->width, s);
  const arr *t = arr_item(names->of, i);
  if (t->rank > 1) return err_set(v->c, ERR_RANK, "a name must be a vector");
  return name_text(v, t, 0, t->count, s);
}

/* What each name in y stands for, or whether it was erased: a vector, but of ⊂'name' a scalar. */
static arr *on_names(vm *v, const arr *y, bool erasing) {
  OWNED_STR str s = {.c = v->c};
  names_in names;
  if (!names_open(v, y, &names)) return NULL;
  bool nested = y->type == ET_NEST;
  elt t = ET_I8;
  if (erasing) t = ET_BIT;
  else if (nested) t = ET_F64;
  OWNED arr *r = arr_new(v->c, t, !nested || y->rank, &names.n);
  if (!r) return NULL;
  for (int64_t i = 0; i < names.n; i++) {
    if (!name_at(v, &names, i, &s)) return NULL;
    if (erasing) arr_put_int(r, i, erase(v, &s));
    else arr_put_float(r, i, name_class(v, &s, nested));
  }
  if (err_is(v->c)) return NULL;
  return arr_move(&r);
}

bool sys_nc(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return give_result(r, on_names(v, y, false));
}

bool sys_ex(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  *r = on_names(v, y, true);
  v->shy = true;
  return *r != NULL;
}

/* ── ⎕NL ────────────────────────────────────────────────────────────────────────────── */

static int by_text(const void *a, const void *b) {
  return strcmp((*(const sym *const *)a)->text, (*(const sym *const *)b)->text);
}

bool names_sorted(vm *v, bool (*wanted)(void *user, const sym *k, location at),
                  void *user, name_list *out) {
  for (uint32_t i = 0; i < v->buckets; i++)
    for (sym *k = v->bucket[i]; k; k = k->next) {
      location at = name_here(v, k);
      bool is = at.val->cls || class_as_member(v, at, k, true) != 0;
      if (is && wanted(user, k, at) && !vec_push(v->c, out, k)) return false;
    }
  if (out->n) qsort(out->at, out->n, sizeof *out->at, by_text);
  return true;
}

typedef struct nl {
  vm *v;
  const arr *classes;
  const str *first;
} nl;

/* Is the name of a class in nl.classes, and does it start with one of nl.first? */
static bool nl_wants(void *user, const sym *k, location at) {
  const nl *w = user;
  double is = fabs(class_as_member(w->v, at, (sym *)(uintptr_t)k, true));
  if (is == 0) is = is_label(w->v, at, k) ? LABEL : subclass(*at.val);
  const str *first = w->first;
  const char *rest;
  uint32_t letter = utf8_next(k->text, k->text + k->len, &rest);
  if (first && !utf8_among(letter, first->at, first->at + first->n)) return false;
  for (int64_t i = 0; i < w->classes->count; i++) {
    double c = fabs(arr_get_float(w->classes, i));
    if (c == is || c == floor(is)) return true;
  }
  return false;
}

static arr *as_vectors(vm *v, const name_list *names) {
  OWNED_LIST arr_list items = {.v = v};
  for (size_t i = 0; i < names->n; i++) {
    const sym *k = names->at[i];
    if (!list_add(&items, arr_text(v->c, k->text, k->len))) return NULL;
  }
  return list_array(&items);
}

static arr *as_matrix(vm *v, const name_list *names) {
  if (!names->n) return arr_new(v->c, ET_C8, 2, (int64_t[]){0, 0});
  OWNED arr *rows = as_vectors(v, names);
  prim_env pe = env_of(v);
  return rows ? prim_mix(&pe, rows) : NULL;
}

static bool any_negative(const arr *classes) {
  int64_t i = 0;
  while (i < classes->count && arr_get_float(classes, i) >= 0) i++;
  return i < classes->count;
}

bool sys_nl(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str first = {.c = v->c};
  name_list names = {0};
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕NL takes a vector of name classes");
  if (y->type > ET_F64 && y->count)
    return err_set(v->c, ERR_DOMAIN, "⎕NL takes name classes");
  if (x && !arg_text(v, x, "⎕NL's left argument", &first)) return false;
  nl w = {v, y, x ? &first : NULL};
  bool ok = names_sorted(v, nl_wants, &w, &names);
  if (ok && any_negative(y)) *r = as_vectors(v, &names);
  else if (ok) *r = as_matrix(v, &names);
  vec_free(v->c, &names);
  return *r != NULL;
}

/* The names as a vector or matrix of text, or paired with their values. */
static arr *with_values(vm *v, const name_list *names, bool pairs) {
  OWNED_LIST arr_list items = {.v = v};
  for (size_t i = 0; i < names->n; i++) {
    const sym *k = names->at[i];
    arr *x = arr_retain(name_here(v, names->at[i]).val->a);
    if (pairs) x = items_pair(v, arr_text(v->c, k->text, k->len), x);
    if (!list_add(&items, x)) return NULL;
  }
  arr *values = list_array(&items);
  return pairs || !values ? values : items_pair(v, as_matrix(v, names), values);
}

arr *names_with_values(vm *v, const arr *classes) {
  name_list names = {0};
  bool pairs = any_negative(classes);
  nl w = {v, classes, NULL};
  arr *r = NULL;
  bool ok = names_sorted(v, nl_wants, &w, &names);
  size_t n = 0;
  for (size_t i = 0; ok && i < names.n; i++) /* a property has none, nor may a field */
    if (name_here(v, names.at[i]).val->cls == C_ARR) names.at[n++] = names.at[i];
  names.n = n;
  if (ok) r = with_values(v, &names, pairs);
  vec_free(v->c, &names);
  return r;
}

/* ── ⎕CR ⎕NR ⎕VR ────────────────────────────────────────────────────────────────────── */

/* The lines of the text of a traditional function, or of a dfn's behind its name, as vectors. */
static arr *lines_of(vm *v, const str *name, const fn *f) {
  OWNED_STR str s = {.c = v->c};
  OWNED_LIST arr_list lines = {.v = v};
  fn_put_definition(f, name->at, &s);
  if (s.failed) return NULL;
  const char *p = s.at, *end = s.at + s.n, *stop = NULL;
  for (; p <= end; p = stop + 1) {
    stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    size_t n = (size_t)(stop - p);
    while (n && (p[n - 1] == '\r' || (fn_is_trad(f) && p[n - 1] == ' '))) n--;
    if (!list_add(&lines, arr_text(v->c, p, n))) return NULL;
  }
  return list_array(&lines);
}

/* Is the line a comment or, if it may have one, labelled? */
static bool stands_out(const char *line, bool labels) {
  const char *colon = strchr(line, ':');
  if (!strncmp(line, "⍝", strlen("⍝"))) return true;
  return labels && colon && is_own_name(line, (size_t)(colon - line));
}

/* A line from column 7 on: statements begin with a blank there, comments and labels without one. */
static bool put_vr_line(vm *v, const arr *line, bool labels, str *to) {
  OWNED_STR str s = {.c = v->c};
  for (int64_t i = 0; i < line->count; i++) str_putc(&s, (uint32_t)arr_get_int(line, i));
  str_put(&s, "", 0);
  if (s.failed) return false;
  const char *text = s.at + (*s.at == ' ');
  if (*text && !stands_out(text, labels)) str_puts(to, " ");
  str_put(to, text, s.n - (size_t)(text - s.at));
  return true;
}

/* ⎕VR: lines with numbers between two ∇, ended by carriage returns. */
static arr *vr_of(vm *v, arr *lines, bool labels) {
  OWNED_STR str s = {.c = v->c};
  str_puts(&s, "     ∇");
  for (int64_t i = 0; i < lines->count; i++) {
    size_t from = s.n;
    if (i) str_printf(&s, "[%lld]", (long long)i);
    while (i && s.n < from + strlen("[1]   ")) str_puts(&s, " ");
    if (!put_vr_line(v, arr_item(lines, i), labels && i, &s)) return NULL;
    str_puts(&s, "\r");
  }
  str_puts(&s, "     ∇");
  return str_take(v, &s);
}

/* The representation `how`, C N or V, of nothing. */
static arr *empty_as(vm *v, char how) {
  if (how == 'C') return arr_new(v->c, ET_C8, 2, (int64_t[]){0, 0});
  if (how == 'V') return arr_text(v->c, "", 0);
  return items_of(v, 0, NULL);
}

/* The representation of the function that y names. */
static arr *representation(vm *v, arr *y, char how) {
  OWNED_STR str s = {.c = v->c};
  value x;
  if (!arg_text(v, y, "a name", &s)) return NULL;
  if (!name_value(v, &s, &x) && err_is(v->c)) return NULL;
  if (x.cls < C_FN || fn_is_locked(x.f)) return empty_as(v, how);
  if (x.f->host && x.f->host->source)
    return arr_text(v->c, x.f->host->source, strlen(x.f->host->source));
  if (x.f->kind != F_DFN && x.f->kind != F_DOP && !fn_is_trad(x.f)) {
    arr *parts = fn_parts(v, x.f, false); /* one of them as a vector of one element */
    return !parts || (parts->rank && x.f->kind != F_SYS) ? parts : items_of(v, 1, &parts);
  }
  OWNED arr *lines = lines_of(v, &s, x.f);
  if (!lines || how == 'N') return arr_move(&lines);
  if (how == 'V') return vr_of(v, lines, fn_is_trad(x.f));
  prim_env pe = env_of(v);
  return prim_mix(&pe, lines);
}

bool sys_cr(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return give_result(r, representation(v, y, 'C'));
}
bool sys_nr(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return give_result(r, representation(v, y, 'N'));
}
bool sys_vr(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return give_result(r, representation(v, y, 'V'));
}
