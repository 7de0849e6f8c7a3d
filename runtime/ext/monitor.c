/* SPDX-License-Identifier: MIT */
/* monitor.c - ⎕MONITOR: how often lines of functions defined by ∇ ran, and how long: with all that they called.
 * Line 0 is the whole function. As long as a function is monitored the evaluator tells of calls and lines
 * (vm.watch); ⎕PROFILE, which is told likewise, waits until none is. */
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include <time.h>

typedef struct spent { /* nanoseconds */
  double cpu, elapsed;
} spent;

typedef struct counted { /* a line */
  bool on;
  uint64_t times;
  spent all;
} counted;

typedef struct monitored { /* a function */
  unit *u;                 /* keeps the definition */
  const tnode *node;
  VEC(counted) lines; /* from 0 on */
} monitored;

typedef struct frame { /* of a call that runs */
  const tnode *node;
  int64_t line; /* 0: none yet */
  spent entered, began;
} frame;

typedef struct monitors {
  VEC(monitored) fns;
  VEC(frame) calls;
} monitors;

static void monitored_free(vm *v, monitored *m) {
  unit_release(m->u);
  vec_free(v->c, &m->lines);
}

static void close_monitors(vm *v, void *state) {
  monitors *k = state;
  for (size_t i = 0; i < k->fns.n; i++) monitored_free(v, &k->fns.at[i]);
  vec_free(v->c, &k->fns);
  vec_free(v->c, &k->calls);
}

static monitors *monitors_of(vm *v) {
  return ext_state_of(v, close_monitors, sizeof(monitors));
}

static monitored *monitored_of(monitors *k, const tnode *node) {
  for (size_t i = 0; i < k->fns.n; i++)
    if (k->fns.at[i].node == node) return &k->fns.at[i];
  return NULL;
}

/* ── measuring ──────────────────────────────────────────────────────────────────────── */

static double read_ns(clockid_t which) {
  struct timespec t;
  /* A browser has no other clock. */
  if (clock_gettime(which, &t)) clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static spent read_now(void) {
  return (spent){read_ns(CLOCK_PROCESS_CPUTIME_ID), read_ns(CLOCK_MONOTONIC)};
}

/* The line ran from `began` until now. */
static void charge_line(monitors *k, const frame *f, int64_t line, spent began) {
  monitored *m = monitored_of(k, f->node);
  if (!m || line >= (int64_t)m->lines.n || !m->lines.at[line].on) return;
  spent now = read_now();
  counted *c = &m->lines.at[line];
  c->times++;
  c->all.cpu += now.cpu - began.cpu;
  c->all.elapsed += now.elapsed - began.elapsed;
}

static void on_enter(vm *v, const env *e) {
  monitors *k = monitors_of(v);
  frame f = {.node = e->self->node};
  if (monitored_of(k, f.node)) f.entered = read_now();
  if (!vec_push(v->c, &k->calls, f))
    err_clear(v->c); /* its caller is told of its lines */
}

static void on_line(vm *v, uint32_t line) {
  monitors *k = monitors_of(v);
  frame *f = k->calls.n ? &k->calls.at[k->calls.n - 1] : NULL;
  if (!f || !monitored_of(k, f->node)) return;
  if (f->line) charge_line(k, f, f->line, f->began);
  f->line = line;
  f->began = read_now();
}

static void on_leave(vm *v) {
  monitors *k = monitors_of(v);
  if (!k->calls.n) return; /* it was called before it was watched */
  frame f = k->calls.at[--k->calls.n];
  if (!(f.entered.elapsed > 0)) return;
  if (f.line) charge_line(k, &f, f.line, f.began);
  charge_line(k, &f, 0, f.entered);
}

static const call_watch monitor_watch = {on_enter, on_line, on_leave};

/* ── ⎕MONITOR ───────────────────────────────────────────────────────────────────────── */

/* The definition that y names; NULL without an error: it is not by ∇. */
static const fn *definition_named(vm *v, arr *y) {
  OWNED_STR str s = {.c = v->c};
  value x;
  if (!arg_text(v, y, "⎕MONITOR", &s) || !name_value(v, &s, &x)) return NULL;
  return x.cls > C_ARR && fn_is_trad(x.f) ? x.f : NULL;
}

/* The lines in x of the function are monitored, and no others; all that was counted of it is forgotten. */
static bool monitor_lines(vm *v, monitors *k, const fn *f, const arr *x) {
  monitored *m = monitored_of(k, f->node);
  uint32_t lines = f->node->trad->lines;
  bool any = false;
  if (m) {
    monitored_free(v, m);
    *m = k->fns.at[--k->fns.n];
  }
  monitored more = {.u = unit_retain(f->u), .node = f->node};
  bool ok = true;
  for (uint32_t i = 0; ok && i <= lines; i++)
    ok = vec_push(v->c, &more.lines, (counted){0});
  for (int64_t i = 0; ok && i < x->count; i++) {
    double d = arr_get_float(x, i);
    if (!(d >= 0 && d <= lines) || d != (double)(uint32_t)d) continue;
    more.lines.at[(uint32_t)d].on = any = true;
  }
  if (ok && any) ok = vec_push(v->c, &k->fns, more);
  if (!ok || !any) monitored_free(v, &more);
  if (!k->fns.n) k->calls.n = 0;
  v->watch = k->fns.n ? &monitor_watch : NULL;
  return ok;
}

static arr *lines_of(vm *v, const monitored *m) {
  OWNED_LIST arr_list items = {.v = v};
  for (size_t i = 0; m && i < m->lines.n; i++)
    if (m->lines.at[i].on && !list_add(&items, arr_int(v->c, (int64_t)i))) return NULL;
  return items.n ? list_array(&items) : arr_vec(v->c, ET_I32, 0);
}

/* Rows of a line, how often it ran, milliseconds of the processor and in all, 0. */
static arr *figures_table(vm *v, const monitored *m) {
  int64_t shape[2] = {0, 5};
  for (size_t i = 0; m && i < m->lines.n; i++) shape[0] += m->lines.at[i].on;
  OWNED arr *r = arr_new(v->c, ET_F64, 2, shape);
  double *at = r ? r->host : NULL;
  for (size_t i = 0; r && m && i < m->lines.n; i++) {
    const counted *c = &m->lines.at[i];
    if (!c->on) continue;
    const double row[] = {(double)i, (double)c->times, c->all.cpu / 1e6,
                          c->all.elapsed / 1e6, 0};
    memcpy(at, row, sizeof row);
    at += 5;
  }
  return arr_move(&r);
}

bool ext_monitor(vm *v, arr *x, arr *y, arr **r) {
  monitors *k = monitors_of(v);
  const fn *f = k ? definition_named(v, y) : NULL;
  if (!k || err_is(v->c)) return false;
  if (x && x->count && x->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "⎕MONITOR takes numbers of lines");
  if (x && v->watch && v->watch != &monitor_watch)
    return err_set(v->c, ERR_NONCE, "⎕MONITOR: ⎕PROFILE measures now, or threads run");
  if (x && f && !monitor_lines(v, k, f, x)) return false;
  const monitored *m = f ? monitored_of(k, f->node) : NULL;
  v->shy = x != NULL;
  return give_result(r, x ? lines_of(v, m) : figures_table(v, m)) &&
         dist_same_array(v->c, r);
}
