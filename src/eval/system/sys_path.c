/* SPDX-License-Identifier: MIT */
/* sys_path.c - names in texts: which texts are names, and where one leads, alone or by a path: 'ns.sub.x'. */
#include <string.h>
#include "../value/arg.h"
#include "../value/space.h"
#include "../../lexer/token.h"
#include "system.h"

/* ── which texts are names ──────────────────────────────────────────────────────────── */

static bool is_token(const char *text, size_t n, token *t) {
  lexer l = {.text = text, .len = n};
  *t = lex_next(&l);
  return n && t->begin == 0 && t->end == n;
}

bool is_valid_name(const str *s) {
  token t;
  return is_token(s->at, s->n, &t) && (t.kind == TOK_NAME || t.kind == TOK_SYSNAME);
}

bool is_own_name(const char *text, size_t n) {
  token t;
  return is_token(text, n, &t) && t.kind == TOK_NAME;
}

/* ── where we are ───────────────────────────────────────────────────────────────────── */

arr *space_here(const vm *v) { return v->env ? v->env->space : NULL; }

arr *sys_get_this(vm *v) {
  arr *in = space_here(v);
  return in ? arr_retain(space_of(in)->ref) : space_workspace(v);
}

location name_here(vm *v, sym *k) {
  static value none; /* with an error */
  if (!names_lend(v)) return (location){.val = &none};
  if (!v->env) return location_in(NULL, k);
  location at = env_locate(v->env, k, slot_of(v->env->body, k));
  if (!value_box(v->c, at.val)) at.val = &none;
  return at;
}

location name_there(vm *v, arr *in, sym *k) {
  static value none; /* with an error */
  location at = in ? location_in(in, k) : name_here(v, k);
  if (!value_box(v->c, at.val)) at.val = &none;
  return at;
}

/* ── paths ──────────────────────────────────────────────────────────────────────────── */

/* What the part of a path means in `in`, or here if it is the first one; owned, NULL: no
 * namespace. */
static arr *step_into(vm *v, arr *in, bool first, const char *at, size_t n) {
  if (n == 1 && *at == '#') return space_workspace(v);
  if (n == 2 && at[0] == '#' && at[1] == '#') {
    in = space_parent(first ? space_here(v) : in);
    return in ? arr_retain(space_of(in)->ref) : space_workspace(v);
  }
  if (first && n == strlen("⎕THIS") && !memcmp(at, "⎕THIS", n)) return sys_get_this(v);
  int se = first ? sys_find("⎕SE", strlen("⎕SE")) : -1;
  if (se >= 0 && n == strlen("⎕SE") && !memcmp(at, "⎕SE", n)) return sys_get(v, se);
  sym *s = sym_find(v, at, n);
  if (!s) return NULL;
  const value *x = first ? name_here(v, s).val : space_find(in, s);
  return x && x->cls == C_ARR && x->a->ref ? arr_retain(x->a) : NULL;
}

bool path_of(vm *v, const str *path, arr **in, sym **s) {
  const char *at = path->at, *end = at + path->n, *dot;
  *in = NULL;
  if (!names_lend(v)) return false;
  while ((dot = memchr(at, '.', (size_t)(end - at)))) {
    OWNED arr *was = *in;
    *in = step_into(v, was, at == path->at, at, (size_t)(dot - at));
    if (!*in) return false;
    at = dot + 1;
  }
  OWNED_STR str name = {.c = v->c};
  str_put(&name, at, (size_t)(end - at));
  str_put(&name, "", 0);
  *s = NULL;
  if (!name.failed && is_valid_name(&name)) *s = sym_intern(v, name.at, name.n);
  if (*s) return true;
  arr_release(*in);
  *in = NULL;
  return false;
}

arr *space_named(vm *v, arr *x, const char *who) {
  OWNED_STR str s = {.c = v->c};
  OWNED arr *in = NULL;
  sym *k;
  if (x->ref) return arr_retain(x);
  if (!arg_text(v, x, who, &s)) return NULL;
  if (!s.n) return sys_get_this(v);
  if (*s.at == '#' && strspn(s.at, "#") == s.n)
    return step_into(v, NULL, true, s.at, s.n);
  if (!path_of(v, &s, &in, &k))
    return err_is(v->c) ? NULL
                        : err_null(v->c, ERR_DOMAIN, "%s: %s is no namespace", who, s.at);
  const value *at = name_there(v, in, k).val;
  if (at->cls == C_ARR && at->a->ref) return arr_retain(at->a);
  return err_null(v->c, ERR_VALUE, "%s: there is no namespace %s", who, s.at);
}
