/* SPDX-License-Identifier: MIT */
/* steps.c - steps run: statements, branches, control structures.
 *
 * A block that needs a state has one on a stack: the rounds of :For, the value of :Select, the
 * numbers of :Trap, the namespace of :With. A jump leaves those that its target is not in, and
 * who comes into a block by a jump finds no state there: its loop has no more rounds.
 *
 * Nothing is forced but what has to be known: conditions, the values of :For and :Select,
 * branches, and at its end all that the block of a :Trap did, so that an error which a kernel
 * finds late is caught by the :Trap around the statement that asked for it. */
#include "trad.h"
#include "../../array/element.h"
#include "../run/call.h"
#include "../run/element.h"
#include "../run/eval.h"
#include "../run/primitive.h"
#include "../system/error.h"
#include "../system/show.h"
#include "../system/system.h"
#include "../value/frame.h"
#include "../value/items.h"
#include "../value/space.h"
#include "../value/threads.h"
#include <string.h>

typedef struct state { /* of a block */
  uint32_t begin;      /* its first step */
  arr *x;              /* what goes along, is selected, is trapped; owned */
  int64_t i, n;        /* of :For: the next round, how many there are */
  int slot;            /* of the only name of :For; -1: it has none */
  VEC(uint64_t)
  begun; /* … the graph's clock as each of the last rounds began, while work is pending */
  env *with, *before; /* of :With */
  sysvars *sv;
  bool holds; /* of :Hold: x are its tokens */
} state;

typedef struct stay { /* a namespace that ⎕CS went to, and what runs there; both owned */
  arr *in;
  env *e;
} stay;

typedef struct run {
  vm *v;
  struct run *outer;
  env *e; /* of the function or, within :With, of the namespace */
  const trad *t;
  shadow *k;
  uint32_t at; /* the next step */
  bool done;
  uint32_t passes; /* the step before which it has stopped, and goes on; NO_BLOCK: none */
  int code;        /* of the error that :Trap caught */
  VEC(state) states;
  VEC(stay) stays; /* each namespace once */
} run;

/* ── blocks ─────────────────────────────────────────────────────────────────────────── */

static state *top(run *w) { return w->states.n ? &w->states.at[w->states.n - 1] : NULL; }

static bool push(run *w, state s) {
  if (vec_push(w->v->c, &w->states, s)) return true;
  arr_release(s.x);
  return false;
}

static void leave_env(env *e) {
  e->locals = e->trad = NULL;
  env_end(e);
}

static void pop(run *w) {
  state s = w->states.at[--w->states.n];
  if (s.holds) w->v->threads->release(w->v, s.x);
  arr_release(s.x);
  vec_free(w->v->c, &s.begun);
  if (!s.with) return;
  vm *v = w->v;
  if (v->signalled == s.with) v->signalled = s.before;
  w->e = v->env = s.before;
  v->sv = s.sv;
  leave_env(s.with);
}

/* Is step `at` in the block that begins with step `begin`? */
static bool is_in(const run *w, uint32_t at, uint32_t begin) {
  uint32_t b = at < w->t->n ? w->t->step[at].in : NO_BLOCK;
  while (b != NO_BLOCK && b != begin) b = w->t->step[b].in;
  return b == begin;
}

/* To step `to`, out of the blocks that it is not in. */
static void go(run *w, uint32_t to) {
  while (w->states.n && !is_in(w, to, top(w)->begin)) pop(w);
  w->at = to;
}

/* ── values ─────────────────────────────────────────────────────────────────────────── */

static bool fail(run *w, int code, const char *msg) {
  return err_set(w->v->c, code, "%s", msg);
}

static bool eval_expr(run *w, const tstep *s, value *r) {
  if (!s->expr) return fail(w, ERR_SYNTAX, "an expression is missing behind the word");
  return eval_stmt(w->v, w->e, s->expr, false, r);
}

/* The array that the step's expression is, on the host; all that it took is right. NULL: an error. */
static arr *array_of(run *w, const tstep *s) {
  vm *v = w->v;
  OWNED_VALUE value x = {0};
  if (!eval_expr(w, s, &x) || !value_box(v->c, &x)) return NULL;
  if (!x.cls) no_result(v);
  else if (x.cls != C_ARR) fail(w, ERR_SYNTAX, "an array is wanted here");
  else if (verify(v) && ir_host(v->g, x.a)) return value_move(&x).a;
  return NULL;
}

/* The condition: one 0 or 1. */
static bool truth(run *w, const tstep *s, bool *is) {
  vm *v = w->v;
  OWNED_VALUE value x = {0};
  if (!eval_expr(w, s, &x)) return false;
  if (x.num == CLS_I && (uint64_t)x.i < 2) {
    *is = x.i;
    return verify(v);
  }
  if (!value_box(v->c, &x)) return false;
  if (!x.cls) return no_result(v);
  if (x.cls != C_ARR) return fail(w, ERR_SYNTAX, "a condition is an array");
  if (!verify(v) || !ir_host(v->g, x.a)) return false;
  double d = x.a->count == 1 && x.a->type <= ET_F64 ? arr_get_float(x.a, 0) : 2;
  *is = d == 1;
  return d == 0 || d == 1 || fail(w, ERR_DOMAIN, "a condition is a single 0 or 1");
}

/* ── statements and branches ────────────────────────────────────────────────────────── */

/* f[3] and a value that ⎕TRACE asks for, which it takes over. */
static bool show_traced(run *w, arr *x) {
  vm *v = w->v;
  str s = {.c = v->c};
  str_printf(&s, "%s[%u]", w->t->name->text, w->k->line);
  OWNED arr *both = items_pair(v, str_take(v, &s), x);
  return both && show_value(v, value_arr(both));
}

static bool statement(run *w, const tstep *s) {
  vm *v = w->v;
  OWNED_VALUE value r = {0};
  w->at++;
  if (!eval_expr(w, s, &r)) return false;
  bool traced = s->look & LOOK_TRACE && r.cls == C_ARR;
  if (traced) return value_box(v->c, &r) && show_traced(w, value_move(&r).a);
  if (!r.cls || v->shy || s->op == STEP_EVAL) return true;
  return value_box(v->c, &r) && show_value(v, r);
}

/* :Implements Constructor: the base's constructor runs, of the value behind :Base. */
static bool construct(run *w, const tstep *s) {
  vm *v = w->v;
  OWNED_VALUE value x = {0};
  w->at++;
  if (s->expr && (!eval_expr(w, s, &x) || !value_box(v->c, &x))) return false;
  if (s->expr && !x.cls) return no_result(v);
  return !v->classes || v->classes->base_step(v, w->e, &x);
}

static void go_to_line(run *w, int64_t line) {
  w->done = line < 1 || line > w->t->lines;
  if (!w->done) go(w, w->t->line[line]);
}

/* To the line that a branch names: none, and the next statement is the next one. */
static bool branch_to(run *w, const arr *to) {
  int64_t line;
  if (!to->count) return true;
  if (!line_of_branch(w->v, to, &line)) return false;
  go_to_line(w, line);
  return true;
}

static bool trace_branch(run *w, const arr *to) {
  str s = {.c = w->v->c};
  int64_t line;
  str_puts(&s, "→");
  if (to->count) {
    if (!line_of_branch(w->v, to, &line)) return false;
    str_printf(&s, "%lld", (long long)line);
  }
  return show_traced(w, str_take(w->v, &s));
}

static bool branch(run *w, const tstep *s) {
  OWNED arr *to = array_of(w, s);
  w->at++;
  if (!to) return false;
  if (!w->k && !w->v->halt) return fail(w, ERR_SYNTAX, "a branch is within a function");
  if (!w->k) { /* in an entry of a session in a function that is suspended */
    w->done = to->count;
    return branch_in_session(w->v, to);
  }
  return (!(s->look & LOOK_TRACE) || trace_branch(w, to)) && branch_to(w, to);
}

static bool jump_if(run *w, const tstep *s, bool when) {
  bool is;
  if (!truth(w, s, &is)) return false;
  if (is == when) w->at = s->to;
  else w->at++;
  return true;
}

/* ── :For ───────────────────────────────────────────────────────────────────────────── */

static bool intern_names(vm *v, const tnode *names) {
  for (uint32_t i = 0; i < names->n; i++)
    if (!symbol_of(v, names->kid[i])) return false;
  return true;
}

/* The name t becomes x, whose reference it takes over. */
static bool assign_name(run *w, const tnode *t, value x) {
  OWNED_VALUE value item = value_move(&x);
  if (!item.cls) return false;
  location at = env_locate(w->e, t->cache, slot_of(w->e->body, t->cache));
  return name_put(w->v, w->e, t->cache, at, item);
}

/* Item i of a, or its only one. */
static arr *item_or_only(vm *v, arr *a, int64_t i) {
  return item_at(v, a, a->count == 1 ? 0 : i);
}

/* The names of a :For get those of round i. */
static bool assign_round(run *w, const tstep *s, const state *k, int64_t i) {
  vm *v = w->v;
  uint32_t n = s->names->n;
  prim_number item;
  bool number = n == 1 && prim_number_at(k->x, i, &item);
  if (number && k->slot >= 0 && env_is_plain(v, w->e)) {
    value_set_number(&w->e->slot[k->slot], item.of, item.as.i);
    return true;
  }
  if (number) return assign_name(w, s->names->kid[0], value_number(&item));
  if (n == 1) return assign_name(w, s->names->kid[0], value_arr(item_at(v, k->x, i)));
  OWNED arr *each = s->list ? arr_retain(k->x) : item_at(v, k->x, i);
  if (!each) return false;
  if (!s->list && each->count != 1 && each->count != n)
    return fail(w, ERR_LENGTH, "an item for each name is wanted");
  for (uint32_t j = n; j-- > 0;) {
    OWNED arr *of = item_or_only(v, each, j);
    arr *x = NULL;
    if (of && s->list) x = item_or_only(v, of, i);
    else if (of) x = arr_retain(of);
    if (!assign_name(w, s->names->kid[j], value_arr(x))) return false;
  }
  return true;
}

/* How many rounds :InEach has: its lists are of one length, or of one item. */
static bool rounds_each(run *w, const tstep *s, state *k) {
  uint32_t n = s->names->n;
  if (k->x->count != n) return fail(w, ERR_LENGTH, "a list for each name is wanted");
  k->n = 1;
  for (uint32_t j = 0; j < n; j++) {
    OWNED arr *of = item_at(w->v, k->x, j);
    if (!of) return false;
    if (of->count == 1 || of->count == k->n) continue;
    if (k->n != 1) return fail(w, ERR_LENGTH, "lists of one length are wanted");
    k->n = of->count;
  }
  return true;
}

static bool begin_for(run *w, const tstep *s) {
  state k = {.begin = w->at};
  if (!intern_names(w->v, s->names)) return false;
  k.x = array_of(w, s);
  if (!k.x) return false;
  k.n = k.x->count;
  if (s->list && s->names->n > 1 && !rounds_each(w, s, &k)) {
    arr_release(k.x);
    return false;
  }
  k.slot = slot_of(w->e->body, s->names->kid[0]->cache);
  if (k.slot < (int)w->e->body->fixed) k.slot = -1; /* none, or a label */
  w->at++;
  return push(w, k);
}

/* The recorded error becomes the first one that there is, and the loops go back to where it was made. */
static void settle(run *w) {
  vm *v = w->v;
  settle_error(v);
  for (size_t i = 0; i < w->states.n; i++) {
    state *k = &w->states.at[i];
    while (k->begun.n && k->begun.at[k->begun.n - 1] > ir_error_seq(v->g)) {
      k->begun.n--;
      k->i--;
    }
  }
}

static bool next_round(run *w, const tstep *s) {
  vm *v = w->v;
  state *k = top(w);
  bool own = k && k->begin + 1 == w->at;
  if (own && k->i >= k->n && v->suspend && !verify(v)) return false;
  if (!own || k->i >= k->n) {
    if (own) pop(w);
    w->at = s->to;
    return true;
  }
  w->at++;
  /* What is pending may turn out to be wrong: then the loop is in the round in which that was made. */
  if (LIKELY(*v->clock == v->verified_seq)) k->begun.n = 0;
  else if (!vec_push(v->c, &k->begun, *v->clock)) return false;
  return assign_round(w, &w->t->step[k->begin], k, k->i++);
}

/* ── :Select ────────────────────────────────────────────────────────────────────────── */

static bool begin_state(run *w, const tstep *s) {
  state k = {.begin = w->at};
  k.x = array_of(w, s);
  w->at++;
  return k.x && push(w, k);
}

/* :Hold: no other thread is in one with the same tokens, or :Else is where it goes on. */
static bool begin_hold(run *w, const tstep *s) {
  vm *v = w->v;
  if (!begin_state(w, s)) return false;
  arr *x = top(w)->x;
  if (!v->threads) return true;
  bool at_once = true;
  if (!v->threads->hold(v, x, s->list ? &at_once : NULL)) return false;
  top(w)->holds = at_once;
  if (!at_once) w->at = s->to;
  return true;
}

static bool matches(run *w, arr *x, arr *y, bool *is) {
  OWNED arr *r = prim_call(w->v, P_MATCH, x, y);
  *is = r && ir_host(w->v->g, r) && arr_get_int(r, 0);
  return !err_is(w->v->c);
}

static bool select_case(run *w, const tstep *s) {
  state *k = top(w);
  if (!k || k->begin != s->in) { /* met from above, or by a jump */
    w->at = s->to;
    return true;
  }
  bool is = false, ok = true;
  OWNED arr *of = arr_retain(k->x);
  OWNED arr *y = array_of(w, s);
  if (!y) return false;
  if (!s->list) ok = matches(w, of, y, &is);
  for (int64_t i = 0; s->list && ok && !is && i < y->count; i++) {
    OWNED arr *item = item_at(w->v, y, i);
    ok = item && matches(w, of, item, &is) && !interrupted(w->v->c);
  }
  if (is) w->at++;
  else w->at = s->to;
  return ok;
}

/* ── :Trap ──────────────────────────────────────────────────────────────────────────── */

static bool begin_trap(run *w, const tstep *s) {
  if (!begin_state(w, s)) return false;
  if (top(w)->x->type <= ET_F64 || !top(w)->x->count) return true;
  return fail(w, ERR_DOMAIN, ":Trap needs error numbers");
}

static bool trap_case(run *w, const tstep *s) {
  OWNED arr *codes = array_of(w, s);
  if (!codes) return false;
  if (codes->count && codes->type > ET_F64)
    return fail(w, ERR_DOMAIN, ":Case in :Trap needs error numbers");
  if (error_among(codes, w->code)) w->at++;
  else w->at = s->to;
  return true;
}

/* The number, from 1, of the innermost state that is a :Trap of the code, or (0) of any; 0: there is none. */
static size_t trap_of(const run *w, int code) {
  size_t i = w->states.n;
  for (; i > 0; i--) {
    const state *k = &w->states.at[i - 1];
    bool is = w->t->step[k->begin].op == STEP_TRAP;
    if (is && (!code || error_among(k->x, code))) break;
  }
  return i;
}

/* If a :Trap of this function catches the recorded error, its cases are next. */
static bool trapped(run *w) {
  vm *v = w->v;
  if (v->off || v->signalled || v->aborts || !trap_of(w, 0)) return false;
  settle(w);
  size_t i = trap_of(w, v->c->err.code);
  if (!i) return false;
  uint32_t begin = w->states.at[i - 1].begin;
  w->code = v->c->err.code;
  error_note(v);
  failed_forget(v);
  err_clear(v->c);
  v->trap_over = 0;
  while (w->states.n >= i) pop(w);
  w->at = w->t->step[begin].to;
  return true;
}

/* ── ⎕TRAP ──────────────────────────────────────────────────────────────────────────── */

/* The text of the first item of the ⎕TRAP `of` for the code, and its letter; NULL: it has none. */
static arr *trap_for(run *w, arr *of, int code, char *how) {
  int64_t i = 0, n = of ? of->count : 0;
  while (i < n && !error_among(arr_item(arr_item(of, i), 0), code)) i++;
  if (i == n) return NULL;
  const arr *item = arr_item(of, i);
  *how = (char)arr_get_int(arr_item(item, 1), 0);
  if (*how == 'N') return NULL;
  return item->count > 2 ? arr_retain(arr_item(item, 2)) : arr_text(w->v->c, "", 0);
}

/* Goes where a → that ⍎ ran goes, if that is what the statement was left for. */
static bool branched(run *w) {
  vm *v = w->v;
  OWNED arr *to = w->k ? w->k->branch : NULL;
  if (!to) return false;
  w->k->branch = NULL;
  v->aborts = false;
  err_clear(v->c);
  return branch_to(w, to);
}

/* Runs the text, whose branch, *moved, is one of this function. */
static bool run_trap(run *w, arr *text, bool *moved) {
  vm *v = w->v;
  OWNED_VALUE value r = {0};
  if (!execute(v, w->e, text, &r)) {
    *moved = w->k->branch;
    return branched(w);
  }
  return !r.cls || v->shy || (value_box(v->c, &r) && show_value(v, r));
}

/* What the ⎕TRAP of a function, or (of: NULL) of the workspace, says of an error. */
typedef struct trap_item {
  arr *text; /* owned */
  char how;
  const shadow *of;
} trap_item;

static bool guards(const errguard *g, int code) {
  while (g && !error_among(g->codes, code)) g = g->next;
  return g;
}

/* The ⎕TRAP that lists the code, from this function outwards up to a session in a suspended one; false: there is none
 * before a :Trap or an error guard that does. */
static bool trap_says(run *w, int code, trap_item *it) {
  const halt *h = w->v->halt;
  for (const env *e = w->e; e && e != (h ? h->e : NULL); e = e->caller) {
    const shadow *k = e->trad;
    if (guards(e->guard, code)) return false;
    if (!k) continue;
    if (k != w->k && trap_of(k->run, code)) return false;
    it->of = k;
    if (k->sys & SHADOW_TRAP) it->text = trap_for(w, k->trap, code, &it->how);
    if (it->text) return true;
  }
  it->of = NULL;
  it->text = trap_for(w, w->v->trap, code, &it->how);
  return it->text;
}

/* Acts on the ⎕TRAP that is nearest to the error and lists it: E in the function where the error is, C in
 * the one where it is local. */
static bool trap_acts(run *w) {
  vm *v = w->v;
  trap_item it = {0};
  if (v->off || v->signalled || v->aborts || !w->k || v->trap_over > w->k->depth)
    return false;
  err *k = &v->c->err;
  if (k->trap && k->trap != w->k->depth) return false; /* the walk was made farther in */
  settle(w);
  if (trap_says(w, k->code, &it)) k->trap = it.of ? it.of->depth : UINT32_MAX;
  else k->trap = UINT32_MAX;
  if (!it.text) return false;
  OWNED arr *text = it.text;
  if (it.how == 'C' && it.of != w->k) return false;
  v->trap_over = w->k->depth;
  if (it.how != 'E' && it.how != 'C') return false;
  error_note(v);
  err kept = err_take(v->c);
  bool moved = false, ok = run_trap(w, text, &moved);
  if (moved || !ok) err_drop(v->c, &kept);
  else err_put_back(v->c, kept);
  if (moved && ok) v->trap_over = 0;
  return moved && ok;
}

/* ── stops, suspension ──────────────────────────────────────────────────────────────── */

/* Is an error in w with that code handled, by the steps `from` or farther out? Those who run a session in a
 * suspended function are not asked, nor who called where a ⎕TRAP says S. */
static bool is_handled(run *w, const run *from, int code) {
  const halt *h = w->v->halt;
  trap_item it = {0};
  bool says = trap_says(w, code, &it);
  arr_release(it.text);
  if (says && it.how != 'S')
    return from == w || (it.how == 'C' && it.of && it.of != w->k);
  if (says) return from == w && trap_of(w, code);
  for (; from != (h ? h->run : NULL); from = from->outer)
    if (trap_of(from, code)) return true;
  for (const env *e = w->v->env; e && e != (h ? h->e : NULL); e = e->caller)
    if (guards(e->guard, code)) return true;
  return false;
}

/* The line of the function in which the recorded error is, or the call that led to it. */
static uint32_t line_of_error(const run *w) {
  const err *k = &w->v->c->err;
  const source *src = w->e->body->src;
  span at = k->calls.n ? k->calls.call[k->calls.n - 1].at : k->at;
  uint32_t line = 0;
  if (at.src != src || at.begin < w->t->begin || at.begin >= w->t->end) return w->k->line;
  for (uint32_t i = w->t->begin; i < at.begin; i++) line += src->text[i] == '\n';
  return line;
}

/* An error that nobody handles suspends the function, unless it is one of who called it. True: it goes
 * on with another line. */
static bool suspends(run *w) {
  vm *v = w->v;
  err *k = &v->c->err;
  if (!w->k || k->passes || !v->suspend || v->signalled || v->aborts) return false;
  if (w->t->lock & LOCK_SUSPENSION) return false;
  settle(w);
  if (k->built && k->built <= w->k->since) return false;
  bool stopped = k->code == ERR_STOP;
  k->passes = !can_suspend(v) || is_handled(w, w->outer, k->code);
  if (k->passes) return false;
  if (!stopped) w->k->line = line_of_error(w);
  halt h = {.e = w->e, .k = w->k, .run = w};
  uint32_t line = w->k->line;
  if (!suspend(v, &h)) return false;
  v->trap_over = 0;
  go_to_line(w, h.to);
  w->passes = NO_BLOCK;
  if (stopped && h.to == line) w->passes = w->done ? w->t->n : w->at;
  return true;
}

/* A stop before step w->at, t->n: before the exit. True: none, or nobody asks for it. */
static bool passes_stop(run *w) {
  vm *v = w->v;
  if (w->passes == (w->done ? w->t->n : w->at)) {
    w->passes = NO_BLOCK;
    return true;
  }
  if (!verify(v)) return false;
  if (!can_suspend(v) && !is_handled(w, w, ERR_STOP)) return true;
  return err_set(v->c, ERR_STOP, "%s", "");
}

/* Before the function ends; false: an error. In a session what is pending is looked at before its names
 * go. */
static bool may_end(run *w) {
  vm *v = w->v;
  const shadow *end = v->halt ? v->halt->k : NULL;
  if (!w->k) return true;
  while (w->states.n) pop(w);
  if (v->suspend && w->k->outer == end && !verify(v)) return false;
  if (!w->t->look_at_exit) return true;
  w->k->line = 0;
  if (w->t->look_at_exit & LOOK_STOP && !passes_stop(w)) return false;
  if (!(w->t->look_at_exit & LOOK_TRACE)) return true;
  OWNED_VALUE value r = {0};
  if (!trad_result(v, w->k, w->t, &r) || !value_box(v->c, &r)) return false;
  return !r.cls || show_traced(w, value_move(&r).a);
}

/* ── :With ──────────────────────────────────────────────────────────────────────────── */

/* For what runs in the namespace `in` as a part of w; NULL: out of memory. */
static env *env_there(run *w, arr *in) {
  env *e = env_within(w->v, w->e, in);
  if (!e) return NULL;
  e->called = w->e->called;
  e->caller = w->e->caller;
  e->trad = w->e->trad;
  e->locals = w->k;
  return e;
}

static void go_there(run *w, env *e) {
  w->e = w->v->env = e;
  w->v->sv = e->sv;
}

static bool begin_with(run *w, const tstep *s) {
  vm *v = w->v;
  state k = {.begin = w->at, .before = w->e, .sv = v->sv};
  OWNED arr *x = array_of(w, s);
  if (x) k.x = space_named(v, x, ":With");
  if (!k.x) return false;
  k.with = env_there(w, k.x);
  if (!k.with) {
    arr_release(k.x);
    return false;
  }
  if (!push(w, k)) {
    leave_env(k.with);
    return false;
  }
  go_there(w, k.with);
  w->at++;
  return true;
}

/* What ⎕CS has for the namespace `in`, made at the first time; NULL: out of memory. */
static env *moved_to(run *w, arr *in) {
  for (size_t i = 0; i < w->stays.n; i++)
    if (w->stays.at[i].in == in) return w->stays.at[i].e;
  stay m = {in, env_there(w, in)};
  if (!m.e) return NULL;
  if (vec_push(w->v->c, &w->stays, m)) {
    arr_retain(in);
    return m.e;
  }
  leave_env(m.e);
  return NULL;
}

/* ⎕CS y: the function goes on in the namespace y. The result is where it was. */
bool sys_cs(vm *v, arr *x, arr *y, arr **r) {
  run *w = v->run;
  if (!w || !w->k || v->env != w->e)
    return err_set(v->c, ERR_NONCE, "⎕CS stands in a traditional function");
  if (x) return err_set(v->c, ERR_NONCE, "⎕CS exports no names in this version");
  const arr *path = space_title(w->e->space);
  OWNED arr *was = path ? arr_retain((arr *)(uintptr_t)path) : arr_text(v->c, "#", 1);
  OWNED arr *in = was && y->count ? space_named(v, y, "⎕CS") : NULL;
  env *e = in ? moved_to(w, in) : w->e;
  if (!was || err_is(v->c) || !e) return false;
  go_there(w, e);
  v->shy = true;
  return give_result(r, arr_move(&was));
}

/* ── steps ──────────────────────────────────────────────────────────────────────────── */

static bool run_step(run *w, const tstep *s) {
  switch ((tstep_op)s->op) {
  case STEP_EXPR:
  case STEP_EVAL: return statement(w, s);
  case STEP_BRANCH: return branch(w, s);
  case STEP_ABORT: return give_up(w->v);
  case STEP_RETURN: w->done = true; return true;
  case STEP_JUMP: w->at = s->to; return true;
  case STEP_LEAVE: go(w, s->to); return true;
  case STEP_UNLESS: return jump_if(w, s, false);
  case STEP_WHEN: return jump_if(w, s, true);
  case STEP_FOR: return begin_for(w, s);
  case STEP_NEXT: return next_round(w, s);
  case STEP_SELECT: return begin_state(w, s);
  case STEP_CASE: return select_case(w, s);
  case STEP_TRAP: return begin_trap(w, s);
  case STEP_TRAP_CASE: return trap_case(w, s);
  case STEP_WITH: return begin_with(w, s);
  case STEP_HOLDS: return begin_hold(w, s);
  case STEP_TRAP_END:
  case STEP_END:
    if (s->op == STEP_TRAP_END && !verify(w->v)) return false;
    if (top(w) && top(w)->begin == s->in) pop(w);
    w->at++;
    return true;
  case STEP_BASE: return construct(w, s);
  }
  return false;
}

/* Tells of the line that begins with step `at`. A jump of a loop into its own line is none. */
static SELDOM bool watch_step(vm *v, const trad *t, uint32_t at) {
  uint32_t line = t->step[at].line;
  if (t->line[line] == at) v->watch->line(v, line);
  return !err_is(v->c);
}

/* The step at which it stands; false: an error. */
static bool next_step(run *w) {
  const tstep *s = &w->t->step[w->at];
  if (w->k) w->k->line = s->line;
  bool ok = LIKELY(!w->v->watch) || !w->k || watch_step(w->v, w->t, w->at);
  ok = ok && step_begins(w->v->c) && (!(s->look & LOOK_STOP) || passes_stop(w)) &&
       run_step(w, s);
  if (!LIKELY(ok)) err_at(w->v->c, span_in(w->e, s->begin, s->end));
  return ok;
}

bool run_steps(vm *v, env *e, const trad *t, shadow *k) {
  run w = {.v = v, .outer = v->run, .e = e, .t = t, .k = k, .passes = NO_BLOCK};
  bool ok = true, more = true;
  v->run = &w;
  if (k) k->run = &w;
  while (ok && more) {
    more = !w.done && w.at < t->n;
    ok = more ? next_step(&w) : may_end(&w);
    if (LIKELY(ok)) continue;
    err_at(v->c, span_in(e, t->begin, t->begin)); /* it is at the end: line 0 */
    w.done = false;
    ok = more = branched(&w) || trapped(&w) || trap_acts(&w) || suspends(&w);
  }
  while (w.states.n) pop(&w);
  vec_free(v->c, &w.states);
  while (w.stays.n) {
    stay m = w.stays.at[--w.stays.n];
    if (v->signalled == m.e) v->signalled = NULL;
    leave_env(m.e);
    arr_release(m.in);
  }
  vec_free(v->c, &w.stays);
  v->run = w.outer;
  return ok;
}

bool run_control(vm *v, env *e, tnode *t) {
  env *outer = v->env;
  bool ok = run_steps(v, e, t->trad, NULL);
  v->env = outer;
  return ok;
}
