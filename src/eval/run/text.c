/* SPDX-License-Identifier: MIT */
/* text.c - whole texts run: lines of a session and scripts, what ⎕ reads, and ⍎.
 *
 * In the workspace ⍎ runs its text like a line of the session. Within a dfn it has an
 * environment of its own that shares the dfn's ⍺, ⍵, ∇ and names (env_text); a name that no dfn
 * around it assigns is made where a traditional function would make it. Its statements but the last show their values, unless
 * assigned; the last one's value is the result, shy if it was assigned; there may be none.
 * The text is kept as long as a function that was made in it, and an error shows its
 * line. */
#include "../system/error.h"
#include "../system/show.h"
#include "../system/system.h"
#include "../trad/trad.h"
#include "../value/arg.h"
#include "call.h"
#include "../value/space.h"
#include "../value/threads.h"
#include "eval.h"
#include <string.h>

/* The line of a command, whose error has the command's word as its place. */
static bool run_command(vm *v, const env *e, const tnode *s) {
  const char *at = e->body->src->text + s->begin;
  bool (*session)(void *) = v->suspend;
  v->suspend = NULL;
  v->at = span_in(e, s->begin, s->end);
  bool ok = v->command(v, at, at + (s->end - s->begin));
  v->suspend = session;
  if (ok) return true;
  uint32_t word = (uint32_t)strcspn(at, " \t\r\n");
  err_at(v->c, span_in(e, s->begin, s->begin + word));
  return false;
}

static bool no_class(vm *v, const tnode *s) {
  if (s->kind == T_SCRIPT && s->code != SCRIPT_PROPERTY)
    return err_set(v->c, ERR_NONCE, "classes are not in this build");
  return err_set(v->c, ERR_SYNTAX, "it stands in a class");
}

/* The statements of :Namespace … :EndNamespace in the new namespace `in`, with nothing shown but
 * by ⎕←. */
static bool run_within(vm *v, const env *e, const tnode *s, arr *in) {
  env own = {
      .v = v, .refs = 1, .body = e->body->u->top, .sv = &space_of(in)->vars, .space = in};
  env *outer = v->env;
  sysvars *sv = v->sv;
  bool shy, ok = !out_of_stack(v->c);
  v->env = &own;
  v->sv = own.sv;
  for (uint32_t i = 1; ok && i < s->n; i++) {
    OWNED_VALUE value ignored = {0};
    ok = run_stmt(v, &own, s->kid[i], false, &ignored, &shy);
  }
  v->env = outer;
  v->sv = sv;
  return ok;
}

/* A scripted namespace, which its name in e's namespace stands for before its lines run: *r. */
static bool run_script(vm *v, env *e, const tnode *s, value *r) {
  const tnode *name = s->kid[0];
  if (s->code == SCRIPT_PROPERTY || (s->code && !v->classes)) return no_class(v, s);
  if (s->code) return v->classes->fix(v, e, s, r);
  sym *k = name ? sym_intern(v, name->text, name->n) : NULL;
  if (name && !k) return false;
  OWNED arr *in = space_new(v, e->space, name ? name->text : NULL);
  if (!in || (k && !name_set(v, e->space, k, value_arr(in)))) return false;
  space_of(in)->script = (span){source_retain(e->body->src), s->begin, s->end};
  if (!run_within(v, e, s, in)) return false;
  *r = value_arr(arr_move(&in));
  return true;
}

/* The statement →…, which ⍎ or a line of a script runs: the function that runs the text goes there when it has
 * left its statement (trad/steps.c). */
static bool run_branch(vm *v, env *e, const tnode *s) {
  tnode to = *s;
  OWNED_VALUE value x = {0};
  if (s->n == 1) {
    v->aborts = true;
    return err_set(v->c, ERR_INTERRUPT, "→");
  }
  to.kid++;
  to.n--;
  to.begin = to.kid[0]->begin;
  if (!eval_stmt(v, e, &to, false, &x) || !value_box(v->c, &x)) return false;
  v->shy = true;
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "a branch is to a line's number");
  if (!verify(v) || !ir_host(v->g, x.a) || !x.a->count) return !err_is(v->c);
  shadow *k = e->text && v->env ? v->env->trad : NULL;
  if (!k) return err_set(v->c, ERR_SYNTAX, "a branch is within a traditional function");
  v->aborts = true;
  k->branch = value_move(&x).a;
  return err_set(v->c, ERR_INTERRUPT, "→");
}

bool run_stmt(vm *v, env *e, tnode *s, bool show, value *r, bool *shy) {
  value_clear(r);
  if (!step_begins(v->c)) return false;
  *shy = true;
  switch ((tkind)s->kind) {
  case T_TRAD: return trad_define(v, e, s);
  case T_CONTROL: return run_control(v, e, s);
  case T_SCRIPT: return run_script(v, e, s, r);
  case T_COMMAND: return run_command(v, e, s);
  case T_EDIT: return v->edit_lines(v, e, s);
  case T_DECLARE: return no_class(v, s);
  default: break;
  }
  if (s->kind == T_STMT && s->n && s->kid[0]->kind == T_BRANCH) {
    *shy = true;
    return run_branch(v, e, s);
  }
  if (!eval_stmt(v, e, s, false, r) || !value_box(v->c, r)) return false;
  *shy = v->shy;
  if (show && r->cls && !*shy && !show_value(v, *r)) {
    err_at(v->c, span_in(e, s->begin, s->end));
    return false;
  }
  return true;
}

/* ── in the workspace ───────────────────────────────────────────────────────────────── */

/* →x in an entry of a session: of the function that is suspended. */
static bool session_branch(vm *v, env *e, tnode *s) {
  OWNED_VALUE value x = {0};
  tnode behind = {.kind = T_STMT, .begin = s->begin, .end = s->end, .n = s->n - 1};
  if (s->n == 1) return branch_in_session(v, NULL);
  behind.kid = s->kid + 1;
  if (!eval_stmt(v, e, &behind, false, &x) || !value_box(v->c, &x)) return false;
  if (!x.cls) return no_result(v);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "a branch is to a line's number");
  return verify(v) && ir_host(v->g, x.a) && branch_in_session(v, x.a);
}

/* The same by a text that ⍎ ran in the entry: it was left for that. */
static bool left_for_branch(vm *v) {
  shadow *k = v->halt ? v->halt->k : NULL;
  OWNED arr *to = k ? k->branch : NULL;
  if (!to) return false;
  k->branch = NULL;
  v->aborts = false;
  err_clear(v->c);
  return branch_in_session(v, to);
}

/* Each of u's statements. What → alone leaves is the statement; in a session the whole entry. */
static bool run_entry(vm *v, env *e, const unit *u, bool show, value *r, bool *shy) {
  const tnode *root = u->t->root;
  bool ok = true, is_entry = v->depth == (v->halt ? v->halt->depth : 0);
  if (is_entry && root->n && root->kid[0]->kind != T_COMMAND) failed_forget(v);
  for (uint32_t i = 0; ok && i < root->n && !v->off; i++) {
    tnode *s = root->kid[i];
    bool branches = s->kind == T_STMT && s->n && s->kid[0]->kind == T_BRANCH;
    if (branches && is_entry && v->suspend) {
      *shy = true;
      ok = session_branch(v, e, s);
    } else ok = run_stmt(v, e, s, show, r, shy);
    if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
    if (!ok && is_entry) ok = left_for_branch(v);
    if (is_entry && v->suspend && vm_resumes(v)) break;
    if (!ok && is_entry && !v->suspend) ok = trad_aborted(v);
    if (is_entry && v->spawned && ok && !v->off)
      ok = v->threads->line(v, i + 1 == root->n && !v->suspend);
  }
  return ok;
}

bool run_text(vm *v, const vm_text *t, bool show, value *r, bool *shy) {
  return run_text_in(v, t, NULL, show, r, shy);
}

bool run_text_in(vm *v, const vm_text *t, arr *in, bool show, value *r, bool *shy) {
  *r = (value){0};
  *shy = false;
  OWNED_UNIT unit *u = unit_new(v, t);
  return u && run_unit_in(v, u, in, show, r, shy);
}

bool run_unit_in(vm *v, unit *u, arr *in, bool show, value *r, bool *shy) {
  *r = (value){0};
  *shy = false;
  env e = {.v = v, .refs = 1, .body = u->top, .sv = &v->vars, .space = in};
  env *outer = v->env;
  sysvars *sv = v->sv;
  span at = v->at; /* of the call that needs the text, as the first use of ⎕SE does */
  if (in) e.sv = &space_of(in)->vars;
  v->sv = e.sv;
  v->env = in ? &e : NULL;
  bool ok = run_entry(v, &e, u, show, r, shy);
  v->sv = sv;
  v->env = outer;
  v->at = at;
  if (!ok) value_clear(r);
  return ok;
}

bool run_suspended(vm *v, const vm_text *t, value *r, bool *shy) {
  env *at = v->halt->e;
  *r = (value){0};
  *shy = false;
  OWNED_UNIT unit *u = names_lend(v) ? unit_new(v, t) : NULL;
  body *k = u ? body_of_text(u, at) : NULL;
  env *e = k ? env_text(v, k, at, u) : NULL;
  if (!e) return false;
  bool ok = run_entry(v, e, u, true, r, shy);
  v->env = at;
  v->sv = at->sv;
  v->at = (span){0};
  env_leave(e);
  env_release(e);
  if (!ok) value_clear(r);
  return ok;
}

/* ── definitions ────────────────────────────────────────────────────────────────────── */

/* Is the node a function or an operator made of what is known, or one of the given arrays, so
 * that nothing runs when it is evaluated? */
static bool only_defines(vm *v, const bnode *b, const given_arrays *k) {
  bool made =
      b->kind == B_DERIVED || b->kind == B_AXIS || b->kind == B_ATOP || b->kind == B_FORK;
  if (b->kind == B_CONST || b->kind == B_DFN) return true;
  if (b->kind == B_NAME) {
    uint32_t i = 0;
    while (i < k->n && k->name[i] != b->s) i++;
    return i < k->n;
  }
  if (!made || out_of_stack(v->c) || interrupted(v->c)) return false;
  for (uint32_t i = 0; i < b->n; i++)
    if (b->kid[i] && !only_defines(v, b->kid[i], k)) return false;
  return true;
}

static bool define_stmt(vm *v, env *e, tnode *stmt, const given_arrays *k, value *r) {
  if (stmt->kind == T_TRAD) {
    *r = value_fn(fn_of_trad(v, e, stmt), stmt->trad->lop ? C_OP : C_FN);
    return r->cls;
  }
  const bound *as = stmt->kind == T_STMT ? bind_cached(v, e, stmt) : NULL;
  if (err_is(v->c)) return false;
  bool fits = as && (as->root->cls == C_FN || as->root->cls == C_OP) &&
              only_defines(v, as->root, k);
  if (!fits) return err_set(v->c, ERR_SYNTAX, "it is no function");
  return eval(v, e, as->root, r);
}

/* Exchanges what the names stand for in the workspace with the given arrays. */
static void exchange(const given_arrays *k) {
  for (uint32_t i = 0; i < k->n; i++) {
    value was = k->name[i]->val;
    k->name[i]->val = k->array[i];
    k->array[i] = was;
  }
}

bool define(vm *v, const vm_text *t, const given_arrays *k, value *r) {
  *r = (value){0};
  OWNED_UNIT unit *u = unit_new(v, t);
  if (!u) return false;
  const tnode *root = u->t->root;
  if (root->n != 1) return err_set(v->c, ERR_SYNTAX, "one expression is wanted");
  env e = {.v = v, .refs = 1, .body = u->top, .sv = &v->vars};
  exchange(k);
  bool ok = define_stmt(v, &e, root->kid[0], k, r);
  exchange(k);
  return ok;
}

/* ── ⍎ ──────────────────────────────────────────────────────────────────────────────── */

/* The statements of the text u in e, with the executing call's state put back. */
static bool run_unit(vm *v, env *e, const unit *u, value *r) {
  const tnode *root = u->t->root;
  const env *executes = v->executes;
  span was = v->at;
  uint64_t since = ir_seq(v->g);
  bool ok = true, shy = false;
  v->executes = v->env;
  for (uint32_t i = 0; ok && i < root->n; i++) {
    tnode *s = root->kid[i];
    ok = run_stmt(v, e, s, i + 1 < root->n, r, &shy);
    if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
  }
  if (!ir_left_call(v->g, was, since)) ok = false;
  if (!ok) err_called(v->c, was, since);
  v->executes = executes;
  v->at = was;
  v->shy = shy;
  return ok;
}

/* Within what runs in `at`, or (NULL) in the workspace. */
static bool run_in(vm *v, env *at, unit *u, value *r) {
  sysvars *sv = v->sv;
  if (!at) {
    env top = {.v = v, .refs = 1, .body = u->top, .sv = &v->vars};
    v->sv = &v->vars;
    bool ok = run_unit(v, &top, u, r);
    v->sv = sv;
    return ok;
  }
  env *e = names_lend(v) ? env_text(v, body_of_text(u, at), at, u) : NULL;
  if (!e) return false;
  bool ok = run_unit(v, e, u, r);
  v->sv = at->sv;
  env_leave(e);
  env_release(e);
  return ok;
}

/* A text as a unit. */
static unit *unit_of(vm *v, arr *y) {
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, y, "what ⍎ runs", &s)) return NULL;
  unit *u = unit_new(v, &(vm_text){.name = "", .at = s.at, .n = s.n});
  source *src = u ? u->t->src : v->c->err.at.src;
  if (src) src->executed = true; /* its errors say so */
  return u;
}

bool execute(vm *v, env *at, arr *y, value *r) {
  *r = (value){0};
  OWNED_UNIT unit *u = unit_of(v, y);
  return u && run_in(v, at, u, r);
}

bool execute_in(vm *v, arr *x, arr *y, value *r) {
  space_visit i;
  *r = (value){0};
  if (!x) return execute(v, v->env, y, r);
  OWNED arr *in = space_named(v, x, "⍎");
  if (!in || !space_enter(&i, v, v->env, in)) return false;
  bool ok = execute(v, v->env, y, r);
  space_leave(&i);
  return ok;
}

bool sys_execute(vm *v, arr *x, arr *y, arr **r) {
  OWNED_VALUE value got = {0};
  if (!execute_in(v, x, y, &got)) return false;
  if (got.cls > C_ARR && !v->shy)
    return err_set(v->c, ERR_SYNTAX,
                   "⍎ gives a function that is not known before it runs: f←⍎…");
  if (got.cls == C_ARR) *r = value_move(&got).a;
  return true;
}
