/* SPDX-License-Identifier: MIT */
/* dfn.c - the calls of dfns: guards, error guards, tail calls.
 *
 * A call has an environment of its own and runs statements until one gives the result. What
 * eval.c left in vm.tail is called here, when the environment of the call that asked for it
 * is gone.
 *
 * Error guards: setting one verifies the pending work, for an error of what came before is
 * not its business, and keeps a copy of the dfn's names; catching an error restores them. */
#include "../system/error.h"
#include "call.h"
#include "eval.h"
#include "../../array/element.h"

/* The truth value of a guard's condition. */
static bool test(vm *v, env *e, tnode *cond, bool *truth) {
  value x;
  bool shy, ok = eval_stmt(v, e, cond, false, &x, &shy);
  if (ok && x.cls != C_ARR)
    ok = err_set(v->c, x.cls ? ERR_SYNTAX : ERR_VALUE, "a guard needs a truth value");
  ok = ok && verify(v) && ir_host(v->g, x.a);
  if (ok) {
    double d = x.a->count == 1 && x.a->type <= ET_F64 ? arr_get_float(x.a, 0) : 2;
    *truth = d == 1;
    ok = d == 0 || d == 1 || err_set(v->c, ERR_DOMAIN, "a guard needs a single 0 or 1");
  }
  if (!ok) err_at(v->c, span_in(e, cond->begin, cond->end));
  value_release(x);
  return ok;
}

static bool set_guard(vm *v, env *e, tnode *t) {
  value x;
  bool shy, ok = eval_stmt(v, e, t->kid[0], false, &x, &shy);
  uint32_t n = e->body->n;
  if (ok &&
      (x.cls != C_ARR || !ir_host(v->g, x.a) || x.a->rank > 1 || x.a->type > ET_F64))
    ok = err_set(v->c, ERR_DOMAIN, "an error guard needs error numbers");
  ok = ok && verify(v);
  errguard *g = ok ? mem_alloc(v->c, sizeof *g + n * sizeof *g->slot) : NULL;
  if (!g) {
    err_at(v->c, span_in(e, t->kid[0]->begin, t->kid[0]->end));
    value_release(x);
    return false;
  }
  g->c = v->c;
  g->n = n;
  g->next = e->guard;
  g->codes = x.a;
  g->node = t;
  g->alpha = value_retain(e->alpha);
  for (uint32_t i = 0; i < n; i++) g->slot[i] = value_retain(e->slot[i]);
  e->guard = g;
  return true;
}

static bool catches(const errguard *g, int code) {
  for (int64_t i = 0; i < g->codes->count; i++) {
    double d = arr_get_float(g->codes, i);
    if (d == (double)code || (d == 0 && code < 1000) || (d == 0 && code > 2000) ||
        (d == 1000 && code > 1000 && code < 2000))
      return true;
  }
  return false;
}

/* If a guard of this call catches the recorded error: its handler, with the names as they
 * were when it was set. NULL: none does. */
static tnode *caught(vm *v, env *e) {
  if (!e->guard || v->off || v->signalled) return NULL;
  settle_error(v);
  errguard *g = e->guard;
  while (g && !catches(g, v->c->err.code)) g = g->next;
  if (!g) return NULL;
  error_note(v);
  err_clear(v->c);
  while (e->guard != g) {
    errguard *inner = e->guard;
    e->guard = inner->next;
    errguard_free(inner);
  }
  e->guard = g->next;
  tnode *t = g->node;
  value old = e->alpha;
  e->alpha = g->alpha;
  g->alpha = old;
  for (uint32_t i = 0; i < e->body->n; i++) {
    old = e->slot[i];
    e->slot[i] = g->slot[i];
    g->slot[i] = old;
  }
  errguard_free(g);
  return t;
}

/* Runs the statements up to the one that gives the result. */
static bool run_body(vm *v, env *e, value *r, bool *shy) {
  const tnode *t = e->body->node;
  *r = (value){0};
  for (uint32_t i = 0; i < t->n; i++) {
    tnode *s = t->kid[i];
    bool truth = false;
    value_release(*r);
    *r = (value){0};
    if (s->kind == T_GUARD) {
      if (!test(v, e, s->kid[0], &truth)) return false;
      if (truth) return !s->kid[1] || eval_stmt(v, e, s->kid[1], !e->guard, r, shy);
    } else if (s->kind == T_ERRGUARD) {
      if (!set_guard(v, e, s)) return false;
    } else {
      const bound *k = bound_of(v, e, s);
      if (!k) return false;
      if (k->defaults && e->alpha.cls) continue;
      if (!eval_bound(v, e, k, !e->guard, r, shy)) return false;
      if (!k->assigns) return true;
    }
  }
  return true;
}

static bool run_dfn(vm *v, env *e, value *r, bool *shy) {
  bool ok = run_body(v, e, r, shy);
  for (;;) {
    if (ok && e->guard && !verify(v)) ok = false;
    if (ok) break;
    value_release(*r);
    *r = (value){0};
    tnode *t = caught(v, e);
    if (!t) return false;
    ok = !t->kid[1] || eval_stmt(v, e, t->kid[1], !e->guard, r, shy);
  }
  if (r->cls > C_ARR) { /* an assigned function is no result */
    bool assigned = *shy;
    value_release(*r);
    *r = (value){0};
    if (!assigned)
      return err_set(v->c, ERR_SYNTAX, "a dfn cannot have a function as its result");
  }
  return true;
}

bool call_dfn(vm *v, fn *f, arr *x, arr *y, arr **out) {
  span at = v->at;
  sysvars *sv = v->sv;
  env *caller = v->env;
  value r = {0};
  bool ok, shy = false;
  if (v->cfg.max_depth && v->depth >= v->cfg.max_depth)
    return err_set(v->c, ERR_LIMIT, "more than %u calls are nested", v->cfg.max_depth);
  v->depth++;
  fn_retain(f);
  if (x) arr_retain(x);
  arr_retain(y);
  for (;;) {
    env *e = env_new(v, body_of(v, f->u, f->node), f, x, y);
    fn_release(f);
    arr_release(x);
    arr_release(y);
    if (!e) {
      ok = false;
      break;
    }
    e->called = at;
    v->sv = e->sv;
    v->env = e;
    shy = false;
    ok = run_dfn(v, e, &r, &shy);
    if (v->signalled == e) v->signalled = NULL;
    env_leave(e);
    env_release(e);
    if (!v->tail.f) break;
    f = v->tail.f, x = v->tail.x, y = v->tail.y;
    v->tail.f = NULL;
    if (!ok || interrupted(v->c)) {
      fn_release(f);
      arr_release(x);
      arr_release(y);
      ok = false;
      break;
    }
  }
  v->depth--;
  v->env = caller;
  v->sv = sv;
  v->at = at;
  v->shy = shy;
  *out = r.cls == C_ARR ? r.a : NULL;
  return ok;
}
