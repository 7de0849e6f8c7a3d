/* SPDX-License-Identifier: MIT */
/* execute.c - ⍎: a text that runs where it stands; and ⎕FMT, which is none but text too.
 *
 * In the workspace it runs like a line of the session. Within a dfn it has an environment
 * of its own that shares the dfn's ⍺, ⍵, ∇ and names (env_text); a name that it makes is
 * the dfn's from then on. Its statements but the last show their values, unless assigned;
 * the last one's value is the result, shy if it was assigned; there may be none. The text
 * is kept as long as a function that was made in it, and an error shows its line. */
#include "../system/system.h"

static bool run_all(vm *v, env *e, const tnode *root, value *r) {
  bool ok = true, shy = false;
  for (uint32_t i = 0; ok && i < root->n; i++) {
    value_release(v, *r);
    ok = eval_stmt(v, e, root->kid[i], false, r, &shy) && !interrupted(v->c);
    if (ok && i + 1 < root->n && r->cls && !shy) ok = show_value(v, *r);
    if (!ok) err_at(v->c, span_in(e, root->kid[i]->begin, root->kid[i]->end));
  }
  v->shy = shy;
  return ok;
}

static bool run_in(vm *v, env *at, unit *u, value *r) {
  env top = {.refs = 1, .body = u->top, .sv = &v->vars};
  env *e = at ? env_text(v, at, u) : &top;
  const env *executes = v->executes;
  sysvars *sv = v->sv;
  span was = v->at;
  if (!e) return false;
  if (!at) v->sv = &v->vars;
  v->executes = v->env;
  bool ok = run_all(v, e, u->t->root, r);
  v->executes = executes;
  v->sv = at ? at->sv : sv;
  v->at = was;
  if (!at) return ok;
  if (!e->body->n) env_leave(v, e);
  env_release(v, e);
  return ok;
}

/* Does x name a space that there is: the current one or the workspace? */
static bool space_of(vm *v, arr *x, env **at) {
  str s = {.c = v->c};
  bool ok = sys_utf8(v, x, "the name of a space", &s);
  if (ok && s.n == 1 && *s.at == '#') *at = NULL;
  else if (ok && s.n) ok = err_set(v->c, ERR_NONCE, "namespaces are not in this version");
  str_free(&s);
  return ok;
}

bool sys_execute(vm *v, arr *x, arr *y, arr **r) {
  str s = {.c = v->c};
  value got = {0};
  env *at = v->env;
  bool ok = (!x || space_of(v, x, &at)) && sys_utf8(v, y, "what ⍎ runs", &s);
  unit *u = ok ? unit_new(v, "", s.at, s.n) : NULL;
  str_free(&s);
  ok = u && run_in(v, at, u, &got);
  if (u) unit_release(v, u);
  if (ok && got.cls == C_ARR) return *r = got.a, true;
  if (ok && got.cls && !v->shy)
    ok = err_set(v->c, ERR_SYNTAX, "⍎ cannot give a function");
  value_release(v, got);
  return ok;
}

bool sys_fmt(vm *v, arr *x, arr *y, arr **r) {
  prim_env e = env_of(v);
  return (*r = x ? prim_fmt(&e, x, y) : arr_format_matrix(v->c, y, e.pp)) != NULL;
}
