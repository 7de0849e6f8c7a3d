/* SPDX-License-Identifier: MIT */
/* thread.c - threads: f&y, ⎕TSYNC and its kin, tokens, :Hold.
 *
 * One runs at a time, each on a C stack of its own, and gives way where it waits and at the end of a line of a
 * traditional function, a script or a session: nowhere else, so that a program does the same each time.
 * Whose turn it is goes round, in the order in which they were made.
 *
 *   thread 0 ──▶ 1 ──▶ 2 ──▶ … ──▶ 0        those that wait, for a thread, tokens, a :Hold or a time, are passed over
 *
 * What a thread leaves behind while others run is exchanged (leave, arrive): where it stands, and the names that are
 * local to its calls, whose cells have what they are outside meanwhile. All that is pending is verified before. A
 * new thread sees the caller's local names with the values that they have then. */
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/oper/oper.h"
#include "../../src/eval/run/call.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "../../src/eval/value/threads.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 4 << 20, RESERVE = 256 << 10, MOST = 10000 };

typedef struct base_name { /* a local name of the caller, as a new thread sees it */
  arr *space;              /* owned; NULL: the workspace */
  sym *s;
  value val; /* owned: of the thread, or, while it runs, what the cell was */
} base_name;

typedef struct standing { /* where a thread stands */
  env *env, *tail;
  sysvars *sv;
  span at;
  shadow *shadow;
  const env *executes, *signalled;
  uint32_t trap_over, depth;
  struct run *run;
  halt *halt;
  bool (*suspend)(void *user);
  arr *options, *axis;
  str *captured;
  bool shy;
  ctx_stack stack;
  ir_step *step;
} standing;

typedef struct threads threads;
typedef struct thread {
  int64_t id, parent;
  ucontext_t context;
  void *memory; /* its stack; NULL: none, or it was given back */
  standing is;
  VEC(base_name) base;
  fn *f;
  arr *x, *y, *space; /* owned, until it has ended */
  value r;            /* its result, owned */
  arr *name;          /* ⎕TNAME; owned, NULL: none */
  bool begun, ended, killed, shy, awaited;
  /* What it waits for: nothing, if all are empty. */
  arr *ends;    /* numbers of threads; owned */
  arr *tokens;  /* of ⎕TGET; owned */
  arr *hold;    /* of :Hold; owned */
  double until; /* a time; 0: none */
} thread;

typedef struct held {
  str name;
  int64_t id;
  uint32_t times;
} held;

typedef struct token {
  int64_t type;
  arr *x; /* owned */
} token;

struct threads {
  vm *v;
  VEC(thread *) all; /* the first is thread 0 */
  thread *now;
  int64_t last; /* number that was given */
  VEC(held) holds;
  VEC(token) pool;
  err pending;         /* an error of thread 0, which came in another */
  bool fails;          /* there is one */
  bool ending, begins; /* begins: a call has, and none of its lines */
};

static void thread_free(vm *v, thread *t) {
  for (size_t i = 0; i < t->base.n; i++) {
    arr_release(t->base.at[i].space);
    value_release(t->base.at[i].val);
  }
  vec_free(v->c, &t->base);
  if (t->memory) munmap(t->memory, STACK);
  if (t->f) fn_release(t->f);
  arr_release(t->x);
  arr_release(t->y);
  arr_release(t->space);
  arr_release(t->name);
  arr_release(t->ends);
  arr_release(t->tokens);
  arr_release(t->hold);
  value_release(t->r);
  mem_free(v->c, t);
}

static void close_threads(vm *v, void *state) {
  threads *k = state;
  for (size_t i = 0; i < k->all.n; i++) thread_free(v, k->all.at[i]);
  for (size_t i = 0; i < k->pool.n; i++) arr_release(k->pool.at[i].x);
  for (size_t i = 0; i < k->holds.n; i++) str_free(&k->holds.at[i].name);
  vec_free(v->c, &k->all);
  vec_free(v->c, &k->pool);
  vec_free(v->c, &k->holds);
}

static thread *thread_new(threads *k, int64_t id) {
  thread *t = mem_zalloc(k->v->c, sizeof *t);
  if (!t) return NULL;
  t->id = id;
  if (vec_push(k->v->c, &k->all, t)) return t;
  mem_free(k->v->c, t);
  return NULL;
}

static threads *threads_of(vm *v) {
  threads *k = ext_state_of(v, close_threads, sizeof *k);
  if (!k) return NULL;
  k->v = v;
  if (!k->all.n) k->now = thread_new(k, 0);
  return k->now ? k : NULL;
}

static thread *thread_at(const threads *k, int64_t id) {
  for (size_t i = 0; i < k->all.n; i++)
    if (k->all.at[i]->id == id) return k->all.at[i];
  return NULL;
}

/* ── leaving and arriving ───────────────────────────────────────────────────────────── */

static void exchange(const arr *in, sym *s, value *with) {
  value *cell = space_make_cell(in, s), was;
  if (!cell) return; /* no memory for a name that is there: it cannot be */
  value_copy(&was, cell);
  value_copy(cell, with);
  value_copy(with, &was);
}

#define EXCHANGE(type, a, b)                                                             \
  do {                                                                                   \
    type was_ = a;                                                                       \
    a = b;                                                                               \
    b = was_;                                                                            \
  } while (0)

/* The local ⎕-variables of a call, and what they are outside. */
static void exchange_variables(vm *v, shadow *k) {
  sysvars *sv = k->e->sv, *old = &k->vars;
  if (k->sys & SHADOW_IO) EXCHANGE(int, sv->io, old->io);
  if (k->sys & SHADOW_ML) EXCHANGE(int, sv->ml, old->ml);
  if (k->sys & SHADOW_CT) EXCHANGE(double, sv->ct, old->ct);
  if (k->sys & SHADOW_DIV) EXCHANGE(int, sv->div, old->div);
  if (k->sys & SHADOW_PP) EXCHANGE(int, sv->pp, old->pp);
  if (k->sys & SHADOW_PW) EXCHANGE(int, sv->pw, old->pw);
  if (!(k->sys & SHADOW_RL)) return;
  EXCHANGE(prim_random, v->random, k->random);
  EXCHANGE(bool, v->rl_hidden, k->rl_hidden);
  EXCHANGE(int, v->rl_generator, k->rl_generator);
}

static void unbind(vm *v, shadow *k) {
  exchange_variables(v, k);
  for (size_t i = k->more.n; i-- > 0;)
    exchange(k->space, k->more.at[i].s, &k->more.at[i].old);
  for (uint32_t i = k->n; i-- > 0;) exchange(k->space, k->own->local[i], &k->old[i]);
}

/* The innermost call last. */
static void rebind(vm *v, shadow *k) {
  if (!k) return;
  rebind(v, k->outer);
  for (uint32_t i = 0; i < k->n; i++) exchange(k->space, k->own->local[i], &k->old[i]);
  for (size_t i = 0; i < k->more.n; i++)
    exchange(k->space, k->more.at[i].s, &k->more.at[i].old);
  exchange_variables(v, k);
}

static void exchange_base(thread *t) {
  for (size_t i = 0; i < t->base.n; i++)
    exchange(t->base.at[i].space, t->base.at[i].s, &t->base.at[i].val);
}

static void leave(vm *v, thread *t) {
  t->is = (standing){.env = v->env,
                     .tail = v->tail,
                     .sv = v->sv,
                     .at = v->at,
                     .shadow = v->shadow,
                     .executes = v->executes,
                     .signalled = v->signalled,
                     .trap_over = v->trap_over,
                     .depth = v->depth,
                     .run = v->run,
                     .halt = v->halt,
                     .suspend = v->suspend,
                     .options = v->options,
                     .axis = v->axis,
                     .captured = v->captured,
                     .shy = v->shy,
                     .stack = v->c->stack,
                     .step = ir_step_now(v->g, NULL)};
  for (shadow *k = v->shadow; k; k = k->outer) unbind(v, k);
  exchange_base(t);
}

static void arrive(vm *v, thread *t) {
  const standing *s = &t->is;
  exchange_base(t);
  rebind(v, s->shadow);
  v->env = s->env;
  v->tail = s->tail;
  v->sv = s->sv;
  v->at = s->at;
  v->shadow = s->shadow;
  v->executes = s->executes;
  v->signalled = s->signalled;
  v->trap_over = s->trap_over;
  v->depth = s->depth;
  v->run = s->run;
  v->halt = s->halt;
  v->suspend = s->suspend;
  v->options = s->options;
  v->axis = s->axis;
  v->captured = s->captured;
  v->shy = s->shy;
  v->c->stack = s->stack;
  ir_step_now(v->g, s->step);
}

/* ── tokens and holds ───────────────────────────────────────────────────────────────── */

/* A token that a request is for: of its type, or for a positive one of the negative type, which stays in the
 * pool. taken: a bit for each that is taken already. */
static bool fits(const token *t, int64_t type) {
  return t->type == type || (type > 0 && t->type == -type);
}

/* Finds a token for each type in a, the earliest that fits; at: their places. False: one is not there. */
static bool match(const threads *k, const arr *a, size_t *at) {
  for (int64_t i = 0; i < a->count; i++) {
    size_t j = 0;
    for (; j < k->pool.n; j++) {
      bool used = false;
      for (int64_t m = 0; m < i && k->pool.at[j].type > 0; m++) used |= at[m] == j;
      if (!used && fits(&k->pool.at[j], arr_get_int(a, i))) break;
    }
    if (j == k->pool.n) return false;
    at[i] = j;
  }
  return true;
}

static bool are_there(const threads *k, const arr *a) {
  size_t *at = mem_alloc(k->v->c, (size_t)(a->count + 1) * sizeof *at);
  bool is = at && match(k, a, at);
  mem_free(k->v->c, at);
  return is;
}

/* The i-th text of :Hold's tokens. */
static bool hold_name(threads *k, arr *a, int64_t i, str *s) {
  s->n = 0;
  return arg_text(k->v, is_nested(a) ? arr_item(a, i) : a, ":Hold", s);
}

static int64_t hold_count(const arr *a) { return is_nested(a) ? a->count : a->count > 0; }

static held *held_of(threads *k, const str *s) {
  for (size_t i = 0; i < k->holds.n; i++)
    if (!strcmp(k->holds.at[i].name.at, s->at)) return &k->holds.at[i];
  return NULL;
}

static bool may_hold(threads *k, const thread *t) {
  OWNED_STR str s = {.c = k->v->c};
  for (int64_t i = 0; i < hold_count(t->hold); i++) {
    if (!hold_name(k, t->hold, i, &s)) return true; /* with an error */
    const held *h = held_of(k, &s);
    if (h && h->id != t->id) return false;
  }
  return true;
}

/* ── whose turn it is ───────────────────────────────────────────────────────────────── */

static bool have_ended(const threads *k, const arr *ids) {
  for (int64_t i = 0; i < ids->count; i++) {
    const thread *t = thread_at(k, arr_get_int(ids, i));
    if (t && !t->ended) return false;
  }
  return true;
}

static bool is_ready(threads *k, const thread *t) {
  if (t->ended) return false;
  if (t->killed || (!t->id && k->fails)) return true;
  if (t->until > 0 && now_seconds() >= t->until) return true;
  if (t->ends) return have_ended(k, t->ends);
  if (t->tokens) return are_there(k, t->tokens);
  if (t->hold) return may_hold(k, t);
  return t->until <= 0;
}

/* The next thread that is ready, the present one last; `other`: not that. NULL: none. */
static thread *choose(threads *k, bool other) {
  size_t n = k->all.n, from = 0;
  while (k->all.at[from] != k->now) from++;
  for (size_t i = 1; i <= n; i++) {
    thread *t = k->all.at[(from + i) % n];
    if ((t != k->now || !other) && is_ready(k, t)) return t;
  }
  return NULL;
}

/* Is there a time that a thread waits for? */
static bool times_come(const threads *k) {
  for (size_t i = 0; i < k->all.n; i++)
    if (!k->all.at[i]->ended && k->all.at[i]->until > 0) return true;
  return false;
}

/* A part of the time until one is ready. Ctrl-C is thread 0's. */
static void sleep_some(threads *k) {
  struct timespec t = {.tv_nsec = 2000000};
  nanosleep(&t, NULL);
  if (!interrupted(k->v->c)) return;
  k->pending = err_take(k->v->c);
  k->fails = true;
}

static void forget_wait(thread *t) {
  arr_release(t->ends);
  arr_release(t->tokens);
  arr_release(t->hold);
  t->ends = t->tokens = t->hold = NULL;
  t->until = 0;
}

/* Stacks of threads that have ended go, and all but the latest of them. */
static void reap(threads *k) {
  enum { KEPT = 1000 };
  size_t ended = 0;
  for (size_t i = k->all.n; i-- > 1;) {
    thread *t = k->all.at[i];
    if (!t->ended || t == k->now) continue;
    if (t->memory) munmap(t->memory, STACK);
    t->memory = NULL;
    if (++ended <= KEPT) continue;
    thread_free(k->v, t);
    memmove(&k->all.at[i], &k->all.at[i + 1], (--k->all.n - i) * sizeof *k->all.at);
  }
}

/* The present thread goes on when it is its turn again. */
static void switch_to(threads *k, thread *t) {
  thread *from = k->now;
  if (t == from) return;
  leave(k->v, from);
  k->now = t;
  swapcontext(&from->context, &t->context);
  k->now = from;
  arrive(k->v, from);
  reap(k);
}

/* What others did to the present thread while they ran; false: an error. */
static bool goes_on(threads *k) {
  vm *v = k->v;
  thread *t = k->now;
  if (t->killed) {
    v->aborts = true;
    return err_set(v->c, ERR_INTERRUPT, "→");
  }
  if (t->id || !k->fails) return true;
  k->fails = false;
  err_put_back(v->c, k->pending);
  k->pending = (err){0};
  return false;
}

/* Until what the present thread waits for has come, if it waits. */
static bool give_way(threads *k) {
  vm *v = k->v;
  if (!verify(v)) return false;
  for (thread *t; !(t = choose(k, false));) {
    if (!times_come(k)) {
      forget_wait(k->now);
      return err_set(v->c, ERR_DEADLOCK, "each thread waits for another");
    }
    sleep_some(k);
  }
  switch_to(k, choose(k, false));
  return goes_on(k);
}

/* ── a thread's life ────────────────────────────────────────────────────────────────── */

static bool run_function(vm *v, thread *t) {
  space_visit i = {0};
  arr *r = NULL;
  if (t->space && !space_enter(&i, v, NULL, t->space)) return false;
  bool ok = call(v, t->f, t->x, t->y, &r) && verify(v) && (!r || ir_settle(v->g, r));
  t->shy = v->shy;
  if (i.e) space_leave(&i);
  if (ok && r) t->r = value_arr(r);
  else arr_release(r);
  return ok;
}

/* An error ends the thread, and is told; Ctrl-C and limits are thread 0's. */
static void report(threads *k, const thread *t) {
  vm *v = k->v;
  OWNED_STR str s = {.c = v->c};
  settle_error(v);
  int code = v->c->err.code;
  bool ends_all = v->off || (code >= 1000 && code < 2000 && code != ERR_DEADLOCK);
  if (t->killed || v->aborts) {
    v->aborts = false;
    err_clear(v->c);
  } else if (ends_all && !k->fails) {
    k->pending = err_take(v->c);
    k->fails = true;
  } else {
    str_printf(&s, "thread %lld: ", (long long)t->id);
    vm_error_text(v, &s);
    if (s.n && s.at[s.n - 1] != '\n') str_puts(&s, "\n");
    if (!s.failed && v->cfg.write) v->cfg.write(v->cfg.user, 2, s.at, s.n);
    err_clear(v->c);
  }
}

static bool is_awaited(const threads *k, const thread *t) {
  for (size_t i = 0; i < k->all.n; i++) {
    const arr *ends = k->all.at[i]->ends;
    for (int64_t j = 0; ends && j < ends->count; j++)
      if (arr_get_int(ends, j) == t->id) return true;
  }
  return false;
}

static void drop_holds(threads *k, const thread *t) {
  for (size_t i = k->holds.n; i-- > 0;)
    if (k->holds.at[i].id == t->id) {
      str_free(&k->holds.at[i].name);
      k->holds.at[i] = k->holds.at[--k->holds.n];
    }
}

static const call_watch thread_watch;

static void end_thread(threads *k, thread *t, bool ok) {
  vm *v = k->v;
  if (ok && t->r.cls && !t->shy && !is_awaited(k, t)) ok = show_value(v, t->r);
  if (!ok) report(k, t);
  drop_holds(k, t);
  leave(v, t);
  fn_release(t->f);
  arr_release(t->x);
  arr_release(t->y);
  t->f = NULL;
  t->x = t->y = NULL;
  t->ended = true;
  v->spawned--;
  if (!v->spawned && v->watch == &thread_watch) v->watch = NULL;
}

/* The function that a new context runs; the halves of the address of the threads. */
static void begin_thread(unsigned high, unsigned low) {
  threads *k = (threads *)(uintptr_t)((uint64_t)high << 32 | low);
  thread *t = k->now;
  arrive(k->v, t);
  t->begun = true;
  end_thread(k, t, !t->killed && run_function(k->v, t));
  thread *next;
  while (!(next = choose(k, true))) {
    if (times_come(k)) sleep_some(k);
    else {
      /* Thread 0 waits for what never comes. */
      err_set(k->v->c, ERR_DEADLOCK, "each thread waits for another");
      k->pending = err_take(k->v->c);
      k->fails = true;
    }
  }
  k->now = next;
  setcontext(&next->context);
}

/* The local names that can be seen here, with the values that they have. */
static bool take_names(vm *v, thread *t) {
  for (const shadow *k = v->shadow; k; k = k->outer)
    for (size_t i = 0;; i++) {
      sym *s = shadow_nth(k, i);
      if (!s) break;
      bool known = false;
      for (size_t j = 0; j < t->base.n; j++)
        known |= t->base.at[j].s == s && t->base.at[j].space == k->space;
      if (known) continue;
      const value *x = space_find(k->space, s);
      base_name b = {.s = s, .space = k->space};
      if (x && x->cls) b.val = value_retain(*x);
      if (b.space) arr_retain(b.space);
      if (!value_box(v->c, &b.val) || !vec_push(v->c, &t->base, b)) return false;
    }
  return true;
}

static bool prepare(threads *k, thread *t) {
  uint64_t at = (uint64_t)(uintptr_t)k;
  t->memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (t->memory == MAP_FAILED) {
    t->memory = NULL;
    return err_set(k->v->c, ERR_WS_FULL, "&: no memory for the stack of a thread");
  }
  mprotect(t->memory, 4096, PROT_NONE);
  getcontext(&t->context);
  t->context.uc_stack.ss_sp = t->memory;
  t->context.uc_stack.ss_size = STACK;
  t->context.uc_link = NULL;
  makecontext(&t->context, (void (*)(void))begin_thread, 2, (unsigned)(at >> 32),
              (unsigned)at);
  t->is =
      (standing){.sv = &k->v->vars,
                 .stack = {(char *)t->memory + RESERVE, STACK - RESERVE, RESERVE, true}};
  return true;
}

static bool on_line(vm *v, bool last);

/* A line of a traditional function begins, and one has ended, if it is not the call's first. */
static void call_begins(vm *v, const env *e) {
  threads *k = threads_of(v);
  UNUSED(e);
  if (k) k->begins = true;
}
static void line_of_call(vm *v, uint32_t line) {
  threads *k = threads_of(v);
  UNUSED(line);
  if (!k || !v->spawned || !v->env || !v->env->trad) return;
  if (!k->begins) on_line(v, false);
  k->begins = false;
}
static void call_ends(vm *v) { UNUSED(v); }
static const call_watch thread_watch = {call_begins, line_of_call, call_ends};

/* x f&y */
bool ext_spawn(vm *v, fn *f, arr *x, arr *y, arr **r) {
  threads *k = threads_of(v);
  *r = NULL;
  if (!k) return false;
  if (is_ranked(v->c)) return err_set(v->c, ERR_NONCE, "&: there are several processes");
  if (v->spawned == MOST)
    return err_set(v->c, ERR_LIMIT, "&: there are %d threads", MOST);
  if (!verify(v) || (x && !ir_settle(v->g, x)) || !ir_settle(v->g, y)) return false;
  thread *t = thread_new(k, k->last + 1);
  if (!t) return false;
  t->parent = k->now->id;
  t->f = fn_retain(f->l.f);
  t->x = x ? arr_retain(x) : NULL;
  t->y = arr_retain(y);
  if (v->env && v->env->space) t->space = arr_retain(v->env->space);
  if (!take_names(v, t) || !prepare(k, t)) {
    k->all.n--;
    thread_free(v, t);
    return false;
  }
  k->last++;
  v->spawned++;
  if (!v->watch) v->watch = &thread_watch;
  v->shy = true;
  return give_result(r, arr_int(v->c, t->id));
}

/* ── hooks ──────────────────────────────────────────────────────────────────────────── */

static bool on_line(vm *v, bool last) {
  threads *k = threads_of(v);
  if (!k || !verify(v)) return false;
  for (bool more = true; more;) {
    thread *t = choose(k, true);
    if (t) switch_to(k, t);
    else if (last && times_come(k)) sleep_some(k);
    else break;
    if (!goes_on(k)) return false;
    more = last && v->spawned;
  }
  return true;
}

static bool on_hold(vm *v, arr *tokens, bool *at_once) {
  threads *k = threads_of(v);
  OWNED_STR str s = {.c = v->c};
  if (!k) return false;
  k->now->hold = arr_retain(tokens);
  for (int64_t i = 0; i < hold_count(tokens); i++)
    if (!hold_name(k, tokens, i, &s)) {
      forget_wait(k->now);
      return false;
    }
  bool may = may_hold(k, k->now), ok = may || at_once || give_way(k);
  forget_wait(k->now);
  if (at_once && !may) {
    *at_once = false;
    return ok;
  }
  for (int64_t i = 0; ok && i < hold_count(tokens); i++) {
    held more = {.name = {.c = v->c}, .id = k->now->id, .times = 1};
    held *h = hold_name(k, tokens, i, &s) ? held_of(k, &s) : NULL;
    if (h) h->times++;
    if (h) continue;
    str_puts(&more.name, s.at);
    ok = !more.name.failed && vec_push(v->c, &k->holds, more);
    if (!ok) str_free(&more.name);
  }
  return ok;
}

static void on_release(vm *v, arr *tokens) {
  threads *k = threads_of(v);
  OWNED_STR str s = {.c = v->c};
  for (int64_t i = 0; k && i < hold_count(tokens); i++) {
    held *h = hold_name(k, tokens, i, &s) ? held_of(k, &s) : NULL;
    if (!h || h->id != k->now->id || --h->times) continue;
    str_free(&h->name);
    *h = k->holds.at[--k->holds.n];
  }
}

static bool on_delay(vm *v, double until) {
  threads *k = threads_of(v);
  if (!k) return false;
  k->now->until = until;
  bool ok = give_way(k);
  forget_wait(k->now);
  return ok;
}

static void kill_thread(thread *t) {
  if (t->id) t->killed = true;
}

/* Each is told to end, and runs until it has. */
static void on_end(vm *v) {
  threads *k = v->spawned ? threads_of(v) : NULL;
  if (!k || k->ending || k->now->id) return;
  k->ending = true;
  for (size_t i = 1; i < k->all.n; i++) kill_thread(k->all.at[i]);
  err kept = err_take(v->c);
  bool off = v->off;
  v->off = false;
  for (thread *t; v->spawned && (t = choose(k, true));) switch_to(k, t);
  if (err_is(v->c)) err_clear(v->c);
  v->off = off;
  k->fails = false;
  k->ending = false;
  err_put_back(v->c, kept);
}

const thread_hooks thread_hooks_of_vm = {on_line, on_hold, on_release, on_delay, on_end};

/* ── ⎕-names ────────────────────────────────────────────────────────────────────────── */

static bool numbers(vm *v, const arr *y, const char *who) {
  if (elt_is_int((elt)y->type) || !y->count) return true;
  return err_set(v->c, ERR_DOMAIN, "%s takes whole numbers", who);
}

arr *ext_tid(vm *v) {
  const threads *k = threads_of(v);
  return k ? arr_int(v->c, k->now->id) : NULL;
}

static arr *ids_where(vm *v, int64_t parent) {
  const threads *k = threads_of(v);
  OWNED arr *r = k ? arr_vec(v->c, ET_I64, (int64_t)k->all.n) : NULL;
  int64_t n = 0;
  for (size_t i = 0; r && i < k->all.n; i++) {
    const thread *t = k->all.at[i];
    bool child = t->id && t->parent == parent;
    if (!t->ended && (parent < 0 || child)) arr_put_int(r, n++, t->id);
  }
  if (!r) return NULL;
  OWNED arr *few = arr_int(v->c, n);
  prim_env e = env_of(v);
  return few ? prim_dyadic(&e, P_TAKE, few, r) : NULL;
}

arr *ext_tnums(vm *v) { return ids_where(v, -1); }

bool ext_tcnums(vm *v, arr *x, arr *y, arr **r) {
  int64_t id;
  UNUSED(x);
  v->shy = false;
  return arg_number(v, value_arr(y), 0, INT64_MAX, "⎕TCNUMS", &id) &&
         give_result(r, ids_where(v, id));
}

arr *ext_get_tname(vm *v) {
  const threads *k = threads_of(v);
  if (!k) return NULL;
  return k->now->name ? arr_retain(k->now->name) : arr_text(v->c, "", 0);
}

bool ext_set_tname(vm *v, env *e, value x) {
  threads *k = threads_of(v);
  OWNED_STR str s = {.c = v->c};
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⎕TNAME takes text");
  if (!k || !arg_text(v, x.a, "⎕TNAME", &s)) return false;
  arr_release(k->now->name);
  k->now->name = arr_retain(x.a);
  return true;
}

/* The values of threads that have ended, NULL where one has none. */
static arr *values_of(threads *k, const arr *ids) {
  vm *v = k->v;
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < ids->count; i++) {
    const thread *t = thread_at(k, arr_get_int(ids, i));
    if (!t || !t->r.cls) return NULL;
    if (!list_add(&items, arr_retain(t->r.a))) return NULL;
  }
  if (!ids->rank) return arr_retain(items.at[0]);
  if (!items.n) return arr_vec(v->c, ET_BIT, 0);
  items.n = 0; /* collect takes them over */
  return collect(v, items.at, ids->rank, ids->shape);
}

bool ext_tsync(vm *v, arr *x, arr *y, arr **r) {
  threads *k = threads_of(v);
  UNUSED(x);
  if (!k || !numbers(v, y, "⎕TSYNC")) return false;
  for (int64_t i = 0; i < y->count; i++)
    if (arr_get_int(y, i) == k->now->id)
      return err_set(v->c, ERR_DEADLOCK, "⎕TSYNC: a thread waits for itself");
  k->now->ends = arr_retain(y);
  bool ok = have_ended(k, y) || give_way(k);
  *r = ok ? values_of(k, y) : NULL;
  forget_wait(k->now);
  v->shy = false;
  return ok && !err_is(v->c);
}

/* x ⎕TKILL y: 0: not those that they made. */
bool ext_tkill(vm *v, arr *x, arr *y, arr **r) {
  threads *k = threads_of(v);
  int64_t deep = 1;
  if (!k || !numbers(v, y, "⎕TKILL") ||
      (x && !arg_number(v, value_arr(x), 0, 1, "⎕TKILL's left argument", &deep)))
    return false;
  OWNED arr *gone = arr_vec(v->c, ET_I64, (int64_t)k->all.n);
  int64_t n = 0;
  for (size_t i = 1; gone && i < k->all.n; i++) { /* those that it made come behind it */
    thread *t = k->all.at[i];
    bool is = false;
    for (int64_t j = 0; j < y->count; j++) is |= arr_get_int(y, j) == t->id;
    for (int64_t j = 0; deep && j < n; j++) is |= arr_get_int(gone, j) == t->parent;
    if (!is || t->ended) continue;
    kill_thread(t);
    arr_put_int(gone, n++, t->id);
  }
  OWNED arr *few = gone ? arr_int(v->c, n) : NULL;
  prim_env e = env_of(v);
  if (!few) return false;
  *r = prim_dyadic(&e, P_TAKE, few, gone);
  v->shy = true;
  return *r && goes_on(k);
}

/* values ⎕TPUT types: tokens come into the pool, without values their types. */
bool ext_tput(vm *v, arr *x, arr *y, arr **r) {
  threads *k = threads_of(v);
  if (!k || !numbers(v, y, "⎕TPUT")) return false;
  if (x && y->rank && x->rank && x->count != 1 && x->count != y->count)
    return err_set(v->c, ERR_LENGTH, "⎕TPUT: as many values as tokens");
  for (int64_t i = 0; i < y->count; i++) {
    token t = {.type = arr_get_int(y, i)};
    if (!t.type) return err_set(v->c, ERR_DOMAIN, "⎕TPUT: a token is not 0");
    if (!x) t.x = arr_int(v->c, t.type);
    else if (!y->rank || (!x->rank && !is_nested(x))) t.x = arr_retain(x);
    else t.x = item_at(v, x, x->count > 1 ? i : 0);
    if (!t.x || !vec_push(v->c, &k->pool, t)) {
      arr_release(t.x);
      return false;
    }
  }
  v->shy = true;
  return give_result(r, arr_vec(v->c, ET_BIT, 0));
}

/* The tokens that a is for, and out of the pool with those that do not stay. */
static arr *take_tokens(threads *k, const arr *a) {
  vm *v = k->v;
  OWNED_LIST arr_list items = {.v = v};
  size_t *at = mem_alloc(v->c, (size_t)(a->count + 1) * sizeof *at);
  bool ok = at && match(k, a, at);
  for (int64_t i = 0; ok && i < a->count; i++)
    ok = list_add(&items, arr_retain(k->pool.at[at[i]].x));
  for (int64_t i = 0; ok && i < a->count; i++) {
    token *t = &k->pool.at[at[i]];
    if (t->type < 0) continue;
    arr_release(t->x);
    t->x = NULL;
  }
  size_t n = 0;
  for (size_t i = 0; i < k->pool.n; i++)
    if (k->pool.at[i].x) k->pool.at[n++] = k->pool.at[i];
  k->pool.n = n;
  mem_free(v->c, at);
  if (!ok) return NULL;
  if (!a->rank) return arr_retain(items.at[0]);
  return items.n ? list_array(&items) : arr_vec(v->c, ET_BIT, 0);
}

/* seconds ⎕TGET types: waits for tokens; ⍬ if the time is over before. */
bool ext_tget(vm *v, arr *x, arr *y, arr **r) {
  threads *k = threads_of(v);
  double seconds = 0;
  if (!k || !numbers(v, y, "⎕TGET")) return false;
  if (x && (x->count != 1 || x->type > ET_F64 || !((seconds = arr_get_float(x, 0)) >= 0)))
    return err_set(v->c, ERR_DOMAIN, "⎕TGET's left argument is a number of seconds");
  v->shy = false;
  if (!are_there(k, y)) {
    k->now->tokens = arr_retain(y);
    if (x) k->now->until = now_seconds() + seconds;
    bool ok = give_way(k);
    forget_wait(k->now);
    if (!ok || err_is(v->c)) return false;
  }
  v->shy = false;
  if (!are_there(k, y)) return give_result(r, arr_vec(v->c, ET_BIT, 0));
  return give_result(r, take_tokens(k, y));
}

arr *ext_tpool(vm *v) {
  const threads *k = threads_of(v);
  OWNED arr *r = k ? arr_vec(v->c, ET_I64, (int64_t)k->pool.n) : NULL;
  for (size_t i = 0; r && i < k->pool.n; i++)
    arr_put_int(r, (int64_t)i, k->pool.at[i].type);
  return arr_move(&r);
}

/* The tokens that threads wait for. */
bool ext_treq(vm *v, arr *x, arr *y, arr **r) {
  threads *k = threads_of(v);
  OWNED_LIST arr_list items = {.v = v};
  UNUSED(x);
  if (!k || !numbers(v, y, "⎕TREQ")) return false;
  for (int64_t i = 0; i < y->count; i++) {
    const thread *t = thread_at(k, arr_get_int(y, i));
    for (int64_t j = 0; t && t->tokens && j < t->tokens->count; j++)
      if (!list_add(&items, arr_int(v->c, arr_get_int(t->tokens, j)))) return false;
  }
  v->shy = false;
  return give_result(r, items.n ? list_array(&items) : arr_vec(v->c, ET_BIT, 0));
}
