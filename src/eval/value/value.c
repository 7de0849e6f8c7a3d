/* SPDX-License-Identifier: MIT */
/* value.c - making and releasing what names stand for: functions, texts, environments.
 *
 * They hold one another (a value a function, a function its environment and text, both of
 * these values), so their lifetimes are one page. */
#include "value.h"
#include <string.h>
#include <time.h>
#include "frame.h"

/* ── values ─────────────────────────────────────────────────────────────────────────── */

void value_drop(value x) {
  if (x.cls == C_ARR) arr_release(x.a);
  else if (x.cls != C_SLOT) fn_release(x.f);
}

bool value_make_array(ctx *c, value *x) {
  arr *a;
  if (x->num == CLS_F) a = arr_float(c, x->d);
  else a = arr_int(c, x->i);
  if (a) *x = value_arr(a);
  return a != NULL;
}

/* ── functions ──────────────────────────────────────────────────────────────────────── */

fn *fn_new(vm *v, fkind kind, uint32_t code) {
  fn *f = mem_zalloc(v->c, sizeof *f);
  if (!f) return NULL;
  f->v = v;
  f->refs = 1;
  f->kind = (uint8_t)kind;
  f->code = code;
  return f;
}

fn *fn_prim(vm *v, prim p) {
  if (!v->prim_fn[p] && (v->prim_fn[p] = fn_new(v, F_PRIM, 0)))
    v->prim_fn[p]->prim = (uint16_t)p;
  return v->prim_fn[p];
}

fn *fn_of_host(vm *v, const char *name) {
  size_t n = strlen(name) + 1;
  OWNED_FN fn *f = fn_new(v, F_HOST, 0);
  if (f) f->host = mem_zalloc(v->c, sizeof *f->host + n);
  if (!f || !f->host) return NULL;
  memcpy(f->host->name, name, n);
  return fn_move(&f);
}

fn *fn_closure(vm *v, env *e, unit *u, tnode *dfn) {
  fn *f = fn_new(v, dfn->dop ? F_DOP : F_DFN, 0);
  if (!f) return NULL;
  f->valence = dfn->dop;
  f->node = dfn;
  f->u = unit_retain(u);
  /* What a whole text defines needs no environment: it has the workspace. */
  if (e->body->node || e->locals) f->env = env_retain(e);
  if (e->space) f->space = arr_retain(e->space);
  return f;
}

fn *fn_of_trad(vm *v, const env *e, tnode *t) {
  const trad *k = t->trad;
  fkind kind = k->niladic ? F_NILADIC : F_TRAD;
  fn *f = fn_new(v, k->lop ? F_TROP : kind, 0);
  if (!f) return NULL;
  if (k->lop) f->valence = k->rop ? 2 : 1;
  t->trad->fixed = time(NULL);
  f->node = t;
  f->u = unit_retain(e->body->u);
  if (e->space) f->space = arr_retain(e->space);
  return f;
}

fn *fn_in_space(vm *v, fn *f, arr *in) {
  bool runs = f->kind == F_DFN || f->kind == F_DOP || f->kind == F_SYS || fn_is_trad(f);
  if (!runs || f->space == in) return fn_retain(f);
  fn *r = fn_new(v, (fkind)f->kind, f->code);
  if (!r) return NULL;
  *r = *f;
  r->refs = 1;
  value_retain(r->l);
  value_retain(r->m);
  value_retain(r->r);
  if (r->axis) arr_retain(r->axis);
  if (r->options) arr_retain(r->options);
  unit_retain(r->u);
  env_retain(r->env);
  r->space = in ? arr_retain(in) : NULL;
  r->member = NULL;
  return r;
}

static void free_one(fn *f) {
  ctx *c = f->v->c;
  if (f->member && f->v->classes->keeps(f)) return;
  value_release(f->l);
  value_release(f->m);
  value_release(f->r);
  arr_release(f->axis);
  arr_release(f->options);
  arr_release(f->space);
  env_release(f->env);
  unit_release(f->u);
  if (f->host && f->host->as.drop) f->host->as.drop(f->host->as.user);
  mem_free(c, f->host);
  mem_free(c, f);
}

/* Functions may be a list of a million that each holds the next: what dies while another one is
 * let go of waits for its turn. */
void fn_free(fn *f) {
  vm *v = f->v;
  f->next = v->dead_fns;
  v->dead_fns = f;
  if (f->next || v->frees) return;
  v->frees = true;
  while ((f = v->dead_fns)) {
    v->dead_fns = f->next;
    free_one(f);
  }
  v->frees = false;
}

static bool value_uses(value x, const env *e) { return x.cls > C_ARR && fn_uses(x.f, e); }

bool fn_uses(const fn *f, const env *e) {
  if (stack_is_low(f->v->c)) return true;
  for (const env *o = f->env; o; o = o->outer)
    if (o == e) return true;
  return value_uses(f->l, e) || value_uses(f->m, e) || value_uses(f->r, e);
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

unit *unit_new(vm *v, const vm_text *text) {
  OWNED_UNIT unit *u = mem_zalloc(v->c, sizeof *u);
  if (!u) return NULL;
  u->c = v->c;
  u->refs = 1;
  source *src = source_new(v->c, text->name, text->at, text->n);
  if (src) {
    if (text->first_line) src->first_line = text->first_line;
    u->t = parse_as(v->c, src, text->as);
  }
  source_release(v->c, src);
  if (u->t) u->top = arena_alloc(&u->t->mem, sizeof *u->top);
  if (!u->top) return NULL;
  u->top->u = u;
  u->top->src = u->t->src;
  u->top->open = true;
  return unit_retain(u);
}

void unit_release(unit *u) {
  if (!u || --u->refs) return;
  for (size_t i = 0; i < u->held.n; i++) value_release(u->held.at[i]);
  vec_free(u->c, &u->held);
  tree_release(u->c, u->t);
  mem_free(u->c, u);
}

/* ── environments ───────────────────────────────────────────────────────────────────── */

SELDOM env *env_alloc(vm *v, uint32_t n) {
  if (n < FRAME_SLOTS) n = FRAME_SLOTS;
  env *e = mem_zalloc(v->c, sizeof *e + n * sizeof(value));
  if (!e) return NULL;
  e->v = v;
  e->waits = n == FRAME_SLOTS && v->frames < FRAMES_MOST && v->c->idle.on;
  v->frames += e->waits;
  return e;
}

/* The body of statements in a namespace that stand in the body k. */
static body *inner_of(body *k) {
  static body none = {.open = true};
  if (!k) return &none;
  if (k->open && !k->n) return k;
  if (k->inner || !(k->inner = arena_alloc(&k->u->t->mem, sizeof *k))) return k->inner;
  *k->inner = (body){.u = k->u, .src = k->src, .node = k->node, .open = true};
  return k->inner;
}

env *env_within(vm *v, env *e, arr *in) {
  env *w = env_make(v, inner_of(e ? e->body : NULL), NULL);
  if (!w) return NULL;
  bool workspace = space_of(in)->is_workspace;
  if (!workspace) w->space = in;
  w->sv = workspace ? &v->vars : &space_of(in)->vars;
  if (!e) return w;
  if (e->self) w->self = fn_retain(e->self);
  w->alpha = value_retain(e->alpha);
  w->omega = value_retain(e->omega);
  return w;
}

env *env_text(vm *v, body *k, env *e, unit *u) {
  env *t = env_make(v, k, e);
  if (!t) return NULL;
  if (e->self) t->self = fn_retain(e->self);
  t->text = unit_retain(u);
  t->holds = true;
  t->alpha = value_retain(e->alpha);
  t->omega = value_retain(e->omega);
  t->sv = e->sv;
  t->space = e->space;
  return t;
}

void env_end_guard(env *e, bool restoring) {
  errguard *g = e->guard;
  e->guard = g->next;
  for (size_t i = 0; i < g->kept.n; i++) {
    kept_name k = g->kept.at[i];
    if (restoring) value_set(k.at, k.was);
    value_release(k.was);
  }
  vec_free(g->c, &g->kept);
  arr_release(g->codes);
  mem_free(g->c, g);
}

SELDOM void env_leave_more(env *e) {
  while (e->guard) env_end_guard(e, false);
}

void frames_free(vm *v) {
  for (env *e = v->frame, *next; e; e = next) {
    next = e->outer;
    mem_free(v->c, e);
  }
  v->frame = NULL;
  v->frames = 0;
}

void env_leave(env *e) { env_empty(e); }

void env_release(env *e) {
  if (!e || --e->refs) return;
  env_empty(e);
  env_free(e);
}
