/* SPDX-License-Identifier: MIT */
/* text.c - whole texts run: lines of a session and scripts, what ⎕ reads, and ⍎.
 *
 * In the workspace ⍎ runs its text like a line of the session. Within a dfn it has an environment
 * of its own that shares the dfn's ⍺, ⍵, ∇ and names (env_text); a name that it makes is
 * the dfn's from then on. Its statements but the last show their values, unless assigned;
 * the last one's value is the result, shy if it was assigned; there may be none. The text
 * is kept as long as a function that was made in it, and an error shows its line. */
#include "../system/show.h"
#include "../system/system.h"
#include "../value/arg.h"
#include "eval.h"

static bool run_stmt(vm *v, env *e, tnode *s, bool show, value *r, bool *shy) {
  value_release(*r);
  *r = (value){0};
  bool ok = eval_stmt(v, e, s, false, r, shy);
  if (ok && show && r->cls && !*shy) {
    ok = show_value(v, *r);
    if (!ok) err_at(v->c, (span){e->body->u->t->src, s->begin, s->end});
  }
  return ok && !interrupted(v->c);
}

bool run_text(vm *v, const char *name, const char *text, size_t n, bool show, value *r,
              bool *shy) {
  *r = (value){0};
  *shy = false;
  unit *u = unit_new(v, name, text, n);
  if (!u) return false;
  env e = {.refs = 1, .body = u->top, .sv = &v->vars}, *outer = v->env;
  sysvars *sv = v->sv;
  bool ok = true;
  v->sv = &v->vars;
  v->env = NULL;
  for (uint32_t i = 0; i < u->t->root->n && ok; i++)
    ok = run_stmt(v, &e, u->t->root->kid[i], show, r, shy);
  v->sv = sv;
  v->env = outer;
  v->at = (span){0};
  if (!ok) {
    value_release(*r);
    *r = (value){0};
  }
  unit_release(u);
  return ok;
}

static bool run_all(vm *v, env *e, const tnode *root, value *r) {
  bool ok = true, shy = false;
  for (uint32_t i = 0; ok && i < root->n; i++) {
    value_release(*r);
    ok = eval_stmt(v, e, root->kid[i], false, r, &shy) && !interrupted(v->c);
    if (ok && i + 1 < root->n && r->cls && !shy) ok = show_value(v, *r);
    if (!ok) err_at(v->c, span_in(e, root->kid[i]->begin, root->kid[i]->end));
  }
  v->shy = shy;
  return ok;
}

static bool run_in(vm *v, env *at, unit *u, value *r) {
  env top = {.refs = 1, .body = u->top, .sv = &v->vars};
  env *e = at ? env_text(v, body_of_text(v, u, at), at, u) : &top;
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
  if (!e->body->n) env_leave(e);
  env_release(e);
  return ok;
}

/* Does x name a space that there is: the current one or the workspace? */
static bool space_of(vm *v, arr *x, env **at) {
  str s = {.c = v->c};
  bool ok = arg_text(v, x, "the name of a space", &s);
  if (ok && s.n == 1 && *s.at == '#') *at = NULL;
  else if (ok && s.n) ok = err_set(v->c, ERR_NONCE, "namespaces are not in this version");
  str_free(&s);
  return ok;
}

bool sys_execute(vm *v, arr *x, arr *y, arr **r) {
  str s = {.c = v->c};
  value got = {0};
  env *at = v->env;
  bool ok = (!x || space_of(v, x, &at)) && arg_text(v, y, "what ⍎ runs", &s);
  unit *u = ok ? unit_new(v, "", s.at, s.n) : NULL;
  str_free(&s);
  ok = u && run_in(v, at, u, &got);
  if (u) unit_release(u);
  if (ok && got.cls == C_ARR) return *r = got.a, true;
  if (ok && got.cls && !v->shy)
    ok = err_set(v->c, ERR_SYNTAX, "⍎ cannot give a function");
  value_release(got);
  return ok;
}
