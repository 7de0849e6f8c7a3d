/* SPDX-License-Identifier: MIT */
/* dfn.c - the calls of dfns: guards, error guards, tail calls.
 *
 * A call has an environment of its own and runs statements until one gives the result. What
 * eval.c left in vm.tail is called here, when the environment of the call that asked for it
 * is gone.
 *
 * Error guards: setting one verifies the pending work, because a guard must not catch the
 * errors of what ran before it. The first time that the dfn then assigns one of its names,
 * whichever way, the guard keeps what it was; that comes back with the error that it catches.
 * What other functions change, those within the dfn too, stays changed. */
#include "../../array/element.h"
#include "../system/error.h"
#include "row.h"

/* ── guards ─────────────────────────────────────────────────────────────────────────── */

/* Of a condition that is no 0 or 1 without an array. */
static SELDOM bool truth_of_other(vm *v, value x, bool *truth) {
  if (!x.cls) return err_set(v->c, ERR_VALUE, "a guard needs a truth value");
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "a guard needs a truth value");
  if (!verify(v) || (!x.num && !x.a->host && !ir_host(v->g, x.a))) return false;
  double d = 2;
  if (x.num == CLS_I) d = (double)x.i;
  else if (x.num) d = x.d;
  else if (x.a->count == 1 && x.a->type <= ET_F64) d = arr_get_float(x.a, 0);
  *truth = d == 1;
  if (d == 0 || d == 1) return true;
  return err_set(v->c, ERR_DOMAIN, "a guard needs a single 0 or 1");
}

static inline bool truth_of(vm *v, const value *x, bool *truth) {
  *truth = x->i;
  if (LIKELY(x->num == CLS_I && (uint64_t)x->i < 2)) return verify(v);
  return truth_of_other(v, *x, truth);
}

/* The truth value of a guard's condition; r is none before and after. */
INLINE bool test(vm *v, env *e, tnode *cond, value *r, bool *truth) {
  const bound *k = bound_of(v, e, cond);
  bool ok = k && eval_bound(v, e, k, false, r) && truth_of(v, r, truth);
  if (!LIKELY(ok)) err_at(v->c, span_in(e, cond->begin, cond->end));
  value_clear(r);
  return ok;
}

/* ── error guards ───────────────────────────────────────────────────────────────────── */

/* The error numbers of a guard, checked. */
static arr *codes_of(vm *v, env *e, tnode *stmt) {
  OWNED_VALUE value x = {0};
  if (!eval_stmt(v, e, stmt, false, &x) || !value_box(v->c, &x)) return NULL;
  bool numbers = x.cls == C_ARR && ir_host(v->g, x.a);
  if (numbers && x.a->rank <= 1 && x.a->type <= ET_F64) return value_move(&x).a;
  return err_null(v->c, ERR_DOMAIN, "an error guard needs error numbers");
}

static bool set_guard(vm *v, env *e, tnode *t) {
  OWNED arr *codes = codes_of(v, e, t->kid[0]);
  errguard *g = NULL;
  if (codes && verify(v)) g = mem_zalloc(v->c, sizeof *g + e->body->n + 1);
  if (!g) {
    err_at(v->c, span_in(e, t->kid[0]->begin, t->kid[0]->end));
    return false;
  }
  *g = (errguard){.c = v->c, .next = e->guard, .node = t};
  g->codes = arr_move(&codes);
  e->guard = g;
  e->holds = true;
  return true;
}

/* If a guard of this call catches the recorded error: its handler, with the names as they
 * were when it was set. NULL: none does. */
static tnode *caught(vm *v, env *e) {
  if (!e->guard || v->off || v->signalled || v->aborts) return NULL;
  settle_error(v);
  const errguard *g = e->guard;
  while (g && !error_among(g->codes, v->c->err.code)) g = g->next;
  if (!g) return NULL;
  error_note(v);
  failed_forget(v);
  err_clear(v->c);
  v->trap_over = 0;
  tnode *t = g->node;
  while (e->guard != g) env_end_guard(e, true);
  env_end_guard(e, true);
  return t;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct place { /* of a statement in a dfn whose lines are watched */
  uint32_t at, line;
} place;

/* Tells of the line of statement s if none was on it before; lines count from 0. */
static void watch_line(vm *v, const env *e, const tnode *s, place *k) {
  const char *text = e->body->src->text;
  bool first = k->at == e->body->node->begin;
  uint32_t was = k->line;
  for (; k->at < s->begin; k->at++) k->line += text[k->at] == '\n';
  if (v->watch && (first || k->line > was)) v->watch->line(v, k->line);
}

/* Runs the statements up to the one that gives the result; *r is none before. */
INLINE bool run_body(vm *v, env *e, bool watched, value *r) {
  const tnode *t = e->body->node;
  place seen = {t->begin, 0};
  v->shy = false;
  for (uint32_t i = 0; i < t->n; i++) {
    tnode *s = t->kid[i];
    bool truth = false;
    if (i) value_clear(r);
    if (watched) watch_line(v, e, s, &seen);
    if (s->kind == T_GUARD) {
      if (!test(v, e, s->kid[0], r, &truth)) return false;
      if (!truth) continue;
      s = s->kid[1];
      if (!s) return true;
    } else if (s->kind == T_ERRGUARD) {
      if (!set_guard(v, e, s)) return false;
      continue;
    }
    const bound *k = bound_of(v, e, s);
    if (!k) return false;
    if (k->sets_default && e->alpha.cls && !truth) continue;
    if (!eval_bound(v, e, k, !e->guard, r)) return false;
    if (truth || !k->assigns) return true;
  }
  return true;
}

/* Is that what a dfn may end in? An assigned function is no result; another one is an error. */
INLINE bool is_result(vm *v, value *r) {
  if (r->cls <= C_ARR) return true;
  value_clear(r);
  return v->shy ||
         err_set(v->c, ERR_SYNTAX, "a dfn cannot have a function as its result");
}

/* The body with its error guards. */
INLINE bool run_dfn(vm *v, env *e, bool watched, value *r) {
  bool ok = run_body(v, e, watched, r) && is_result(v, r);
  while (!ok || (e->guard && !verify(v))) {
    value_clear(r);
    const tnode *t = caught(v, e);
    if (!t) return false;
    bool given = !t->kid[1] || eval_stmt(v, e, t->kid[1], !e->guard, r);
    ok = given && is_result(v, r); /* what stands behind its colon, if anything */
  }
  return true;
}

static SELDOM bool run_watched(vm *v, env *e, value *r) {
  const call_watch *w = v->watch;
  w->enter(v, e);
  bool ok = run_dfn(v, e, true, r);
  w->leave(v);
  return ok;
}

/* ── calls ──────────────────────────────────────────────────────────────────────────── */

/* The call in e, if it may be made: `ok`. Gives e back; what the call ends in is in v->tail then,
 * for the same caller. */
INLINE bool call_in_env(vm *v, env *e, bool ok, value *r) {
  v->sv = e->sv;
  v->env = e;
  if (!LIKELY(!v->watch)) ok = ok && run_watched(v, e, r);
  else ok = ok && run_dfn(v, e, false, r);
  if (v->signalled == e) v->signalled = NULL;
  v->at = e->called;
  v->env = e->caller;
  if (v->tail) {
    v->tail->called = v->at;
    v->tail->caller = v->env;
  }
  if (LIKELY(ok) || !failed_keep(v, e)) env_end(e);
  return ok;
}

bool call_env(vm *v, env *e, value *r) {
  sysvars *sv = v->sv;
  uint64_t since = *v->clock;
  bool ok = !out_of_stack(v->c) && !calls_too_deep(v);
  *r = (value){0};
  e->caller = v->env;
  v->depth++;
  while (e) {
    ok = call_in_env(v, e, ok, r);
    e = v->tail;
    v->tail = NULL;
    if (e) ok = ok && step_begins(v->c);
  }
  if (*v->clock != since && !ir_left_call(v->g, v->at, since)) ok = false;
  if (!ok) err_called(v->c, v->at, since);
  v->depth--;
  v->sv = sv;
  if (!ok || r->cls != C_ARR) value_clear(r);
  return ok;
}

bool call_dfn(vm *v, pending_call *p, value *r) {
  *r = (value){0};
  env *e = env_for(v, p->f);
  if (!e) {
    value_release(p->x);
    value_release(p->y);
    return false;
  }
  e->called = v->at;
  value_copy(&e->alpha, &p->x);
  value_copy(&e->omega, &p->y);
  return call_env(v, e, r);
}
