/* SPDX-License-Identifier: MIT */
/* trad.c - calls of traditional functions: what a call is given, and what it gives.
 *
 *   call_trad ─▶ local names ─▶ arguments ─▶ steps (steps.c) ─▶ result ─▶ names as they were
 *
 * Names are dynamic. The local ones have slots in the call's environment, which the function's lines
 * read as those of a dfn do; while it runs the cells of these names point to the slots (value/names.h),
 * so that what it calls, and ⍎, find them too. */
#include "trad.h"
#include "../../tables/prim.h"
#include "../bind/bind.h"
#include "../run/call.h"
#include "../run/sys_call.h"
#include "../value/frame.h"
#include "../value/items.h"
#include <string.h>

/* ── definitions ────────────────────────────────────────────────────────────────────── */

bool trad_define(vm *v, const env *e, tnode *t) {
  sym *s = symbol_of(v, t->trad->name);
  if (!s) return false;
  arr *in = env_home(e, s);
  const value *now = location_in(in, s).val;
  if (now->cls == C_ARR)
    return err_set(v->c, ERR_SYNTAX, "%s is a variable: a function cannot have its name",
                   s->text);
  OWNED_FN fn *f = fn_of_trad(v, e, t);
  return f && name_set(v, in, s, value_fn(f, t->trad->lop ? C_OP : C_FN));
}

/* Lends the call the names that it mentions of the dfns that led to it. */
static bool borrow(vm *v, trad_code *c, shadow *k, const fn *f) {
  const body *names = trad_mentions(v, f, c);
  return names && (!names->n || shadow_lend(v, k, names));
}

/* ── what a call is given ───────────────────────────────────────────────────────────── */

/* Are these the arguments that the header has? An error is the caller's. */
static bool fits(vm *v, const fn *f, const value *x, const value *y) {
  const trad *t = f->node->trad;
  const char *name = t->name->text;
  if (x->cls && !t->left)
    return err_set(v->c, ERR_SYNTAX, "%s takes no left argument", name);
  if (!x->cls && t->left && !t->optional)
    return err_set(v->c, ERR_SYNTAX, "%s needs a left argument", name);
  if (!t->right_list) return true;
  return (!y->num && y->a->rank == 1 && y->a->count == t->right.n) ||
         err_set(v->c, ERR_LENGTH, "%s takes a vector of %u items", name, t->right.n);
}

static value *own(const shadow *k, const tnode *t) {
  return &k->e->slot[slot_of(k->own, t->cache)];
}

/* The local name t gets x, if that has a value. */
static void give(const shadow *k, const tnode *t, const value *x) {
  value *at = own(k, t);
  if (!x->cls) return;
  value_clear(at);
  value_share(at, x);
}

static bool give_right(vm *v, const shadow *k, const trad *t, const value *y) {
  if (y->cls && !t->right_list) give(k, t->right.at[0], y);
  if (!y->cls || !t->right_list) return true;
  if (!ir_host(v->g, y->a)) return false;
  for (uint32_t i = 0; i < t->right.n; i++) {
    OWNED_VALUE value item = value_arr(item_at(v, y->a, i));
    if (!item.cls) return false;
    give(k, t->right.at[i], &item);
  }
  return true;
}

/* The ⎕-names that are its own keep their values, which are theirs again when it ends. */
static bool keep_variables(vm *v, const trad_code *c, shadow *k) {
  if (LIKELY(!c->vars)) return true;
  k->kept = mem_zalloc(v->c, c->vars * sizeof *k->kept);
  for (uint32_t i = 0; k->kept && i < c->vars; i++)
    if (sys_is_variable(v, c->var[i]) && !(k->kept[i] = sys_get(v, c->var[i])))
      return false;
  return k->kept;
}

static bool enter(vm *v, trad_code *c, shadow *k, const fn *f, const value *x,
                  const value *y) {
  const trad *t = f->node->trad;
  k->sys = c->sys;
  if (k->sys) k->vars = *k->e->sv;
  if (k->sys & SHADOW_RL) {
    k->random = v->random;
    k->rl_hidden = v->rl_hidden;
    k->rl_generator = v->rl_generator;
  }
  if (!shadow_enter(v, k, &c->body) || !keep_variables(v, c, k)) return false;
  if (!LIKELY(!k->lender) && !borrow(v, c, k, f)) return false;
  for (uint32_t i = t->label.n; i-- > 0;)
    value_put_number(own(k, t->label.at[i]), CLS_I, t->label_line[i]);
  if (t->lop) give(k, t->lop, &f->l);
  if (t->rop) give(k, t->rop, &f->r);
  if (t->left) give(k, t->left, x);
  return give_right(v, k, t, y);
}

/* ── what it gives ──────────────────────────────────────────────────────────────────── */

static bool result_at(vm *v, const shadow *k, const tnode *t, value *r) {
  value_share(r, own(k, t));
  if (r->cls <= C_ARR) return true;
  value_clear(r);
  return err_set(v->c, ERR_SYNTAX, "the result of a function cannot be a function");
}

static bool result_list(vm *v, const shadow *k, const trad *t, value *r) {
  OWNED_LIST arr_list items = {.v = v};
  for (uint32_t i = 0; i < t->result.n; i++) {
    OWNED_VALUE value x = {0};
    if (!result_at(v, k, t->result.at[i], &x)) return false;
    if (!x.cls) return true;
    if (!value_box(v->c, &x) || !list_add(&items, value_move(&x).a)) return false;
  }
  *r = value_arr(list_array(&items));
  return r->cls;
}

bool trad_result(vm *v, const shadow *k, const trad *t, value *r) {
  if (!t->result.n) return true;
  return t->result_list ? result_list(v, k, t, r) : result_at(v, k, t->result.at[0], r);
}

/* ── calls ──────────────────────────────────────────────────────────────────────────── */

/* The names of its labels are those of one call more, or less. */
static void count_labels(const trad *t, bool more) {
  for (uint32_t i = 0; i < t->label.n; i++) {
    sym *s = t->label.at[i]->cache;
    if (more) s->labels++;
    else s->labels--;
  }
}

/* Runs the call in e, whose local names are k's. */
static bool run_call(vm *v, env *e, shadow *k, const value *x, const value *y, value *r) {
  const fn *f = e->self;
  const trad *t = f->node->trad;
  const call_watch *w = v->watch;
  count_labels(t, true);
  if (w) w->enter(v, e);
  bool ok = enter(v, f->node->cache, k, f, x, y) && run_steps(v, e, t, k) &&
            trad_result(v, k, t, r);
  if (w) w->leave(v);
  if (v->signalled == e) v->signalled = NULL;
  const trad_code *c = f->node->cache;
  for (uint32_t i = 0; k->kept && i < c->vars; i++) {
    if (k->kept[i]) sys_restore(v, k->e, c->var[i], k->kept[i]);
    arr_release(k->kept[i]);
  }
  if (k->kept) mem_free(v->c, k->kept);
  v->shadow = k->outer;
  shadow_leave(v, k);
  count_labels(t, false);
  return ok;
}

bool call_trad(vm *v, fn *f, const value *x, const value *y, value *r) {
  *r = (value){0};
  if (!fits(v, f, x, y) || out_of_stack(v->c) || calls_too_deep(v)) return false;
  trad_code *c = trad_code_of(v, f);
  env *e = c ? env_new(v, &c->body, fn_retain(f)) : NULL;
  if (!e) return false;
  sysvars *sv = v->sv;
  uint64_t since = *v->clock;
  shadow k = {.outer = v->shadow,
              .e = e,
              .since = since,
              .space = f->space ? plain_space(f->space) : NULL,
              .monadic = y->cls && !x->cls};
  k.depth = k.outer ? k.outer->depth + 1 : 1;
  if (!k.outer) v->trap_over = 0;
  e->called = v->at;
  e->caller = v->env;
  shadow_lenders(&k, e->caller);
  e->trad = v->shadow = &k;
  v->env = e;
  v->sv = e->sv;
  v->depth++;
  bool ok = run_call(v, e, &k, x, y, r);
  v->depth--;
  v->at = e->called;
  v->env = e->caller;
  v->sv = sv;
  v->shy = f->node->trad->shy;
  e->trad = NULL;
  env_end(e);
  if (*v->clock != since && !ir_left_call(v->g, v->at, since)) ok = false;
  if (ok) return true;
  value_clear(r);
  err_called(v->c, v->at, since);
  return false;
}

bool trad_aborted(vm *v) {
  if (!v->aborts) return false;
  v->aborts = false;
  err_clear(v->c);
  return true;
}
