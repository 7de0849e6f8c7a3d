/* SPDX-License-Identifier: MIT */
/* space_collect.c - namespaces that only circles of them keep.
 *
 * References are counted, so that a namespace which refers to itself, or has a function that
 * runs in it, never loses its last one. Once in a while what namespaces hold is looked through,
 * and each reference found is counted where it leads. What has more references than were found
 * is held from elsewhere, and so is all that it leads to; the namespaces that are left are
 * emptied, and counting does the rest. What is not looked into counts as elsewhere. */
#include "../../array/element.h"
#include "../../array/grow.h"
#include "space.h"

typedef enum holder { ARRAY, FUNCTION, CALL } holder;
typedef struct edge { /* to an arr, a fn, an env */
  holder kind;
  const void *to;
} edge;

typedef struct node { /* small, for there is one for each namespace */
  const void *to;     /* NULL: a free place */
  uint32_t found;     /* references to it */
  uint8_t kind;       /* holder */
  bool alive;
} node;

typedef struct graph {
  ctx *c;
  node *at;
  uint32_t n, size; /* size: places, a power of 2 */
  VEC(edge) waiting;
  void (*follow)(struct graph *g, edge e);
  bool failed;
} graph;

static node *place_of(const graph *g, const void *to) {
  uint32_t i = (uint32_t)(((uintptr_t)to >> 4) * 0x9E3779B97F4A7C15u >> 32);
  while (g->at[i & (g->size - 1)].to && g->at[i & (g->size - 1)].to != to) i++;
  return &g->at[i & (g->size - 1)];
}

static bool make_room(graph *g) {
  if (2 * g->n < g->size) return true;
  graph old = *g;
  g->size = old.size ? 2 * old.size : 1024;
  g->at = mem_zalloc(g->c, g->size * sizeof *g->at);
  for (uint32_t i = 0; g->at && i < old.size; i++)
    if (old.at[i].to) *place_of(g, old.at[i].to) = old.at[i];
  mem_free(g->c, old.at);
  return g->at != NULL;
}

static uint32_t refs_of(edge e) {
  switch (e.kind) {
  case ARRAY: return ((const arr *)e.to)->refs;
  case FUNCTION: return ((const fn *)e.to)->refs;
  default: return ((const env *)e.to)->refs;
  }
}

/* The node, made and put among the waiting if it is new; NULL: no memory. */
static node *node_of(graph *g, edge e) {
  if (g->failed || !make_room(g)) {
    g->failed = true;
    return NULL;
  }
  node *n = place_of(g, e.to);
  if (n->to) return n;
  if (!vec_push(g->c, &g->waiting, e)) g->failed = true;
  g->n++;
  *n = (node){.to = e.to, .kind = (uint8_t)e.kind};
  return n;
}

static void count(graph *g, edge e) {
  node *n = node_of(g, e);
  if (n) n->found++;
}

static void revive(graph *g, edge e) {
  node *n = place_of(g, e.to);
  if (!n->to || n->alive) return;
  n->alive = true;
  if (!vec_push(g->c, &g->waiting, e)) g->failed = true;
}

/* ── what leads where ───────────────────────────────────────────────────────────────── */

static void follow(graph *g, holder k, const void *to) {
  if (to && !g->failed) g->follow(g, (edge){k, to});
}

static void follow_array(graph *g, const arr *a) {
  if (a && a->type == ET_NEST) follow(g, ARRAY, a);
}

static void follow_value(graph *g, value x) {
  if (x.num || x.cls == C_SLOT) return; /* a call holds what is in a slot */
  if (x.cls == C_ARR) follow_array(g, x.a);
  else if (x.cls) follow(g, FUNCTION, x.f);
}

static void follow_member(void *g, value x) { follow_value(g, x); }

static void from_array(graph *g, const arr *a) {
  if (a->ref) {
    const space *p = space_of(a);
    if (p->part && !p->v->classes->follow(a, follow_member, g)) return;
    for (uint32_t i = 0; i < p->n; i++) follow_value(g, p->at[i].val);
    follow_array(g, p->parent);
  } else if (arr_shows(a)) {
    follow_array(g, a->drop_user);
  } else if (a->host && !a->drop) {
    for (int64_t i = 0; i < arr_item_count(a); i++) follow_array(g, arr_item(a, i));
  }
}

static void from(graph *g, edge e) {
  if (e.kind == ARRAY) from_array(g, e.to);
  else if (e.kind == CALL) {
    const env *k = e.to;
    follow(g, FUNCTION, k->self);
    follow(g, CALL, k->outer);
    follow_value(g, k->alpha);
    follow_value(g, k->omega);
    for (uint32_t i = 0; i < k->body->n; i++) follow_value(g, k->slot[i]);
  } else {
    const fn *f = e.to;
    follow_value(g, f->l);
    follow_value(g, f->m);
    follow_value(g, f->r);
    follow_array(g, f->space);
    follow(g, CALL, f->env);
  }
}

static void walk(graph *g, void (*follow_by)(graph *g, edge e)) {
  g->follow = follow_by;
  while (g->waiting.n && !g->failed) from(g, g->waiting.at[--g->waiting.n]);
}

/* ── collecting ─────────────────────────────────────────────────────────────────────── */

void spaces_collect(vm *v) {
  graph g = {.c = v->c};
  VEC(arr *) dead = {0};
  if (err_is(v->c)) return;
  for (const space *p = v->spaces; p; p = p->next) {
    node_of(&g, (edge){ARRAY, p->ref});
    walk(&g, count);
  }
  for (uint32_t i = 0; i < g.size && !g.failed; i++) {
    edge e = {(holder)g.at[i].kind, g.at[i].to};
    if (!e.to || refs_of(e) <= g.at[i].found) continue;
    revive(&g, e);
    walk(&g, revive);
  }
  for (space *p = v->spaces; p && !g.failed; p = p->next)
    if (!place_of(&g, p->ref)->alive && !vec_push(v->c, &dead, p->ref)) g.failed = true;
  if (g.failed) {
    err_clear(v->c); /* another time */
    dead.n = 0;
  }
  for (size_t i = 0; i < dead.n; i++) arr_retain(dead.at[i]);
  for (size_t i = 0; i < dead.n; i++) {
    space *p = space_of(dead.at[i]);
    if (!p->part || !v->classes->stays(p)) space_empty(p);
  }
  for (size_t i = 0; i < dead.n; i++) arr_release(dead.at[i]);
  vec_free(v->c, &dead);
  vec_free(v->c, &g.waiting);
  mem_free(v->c, g.at);
}
