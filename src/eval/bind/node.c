/* SPDX-License-Identifier: MIT */
/* node.c - nodes of bound statements, constants, and the classes of names.
 *
 * What is wrong with an item alone becomes an error node, which is raised when it is
 * evaluated. Constants, and functions made of constants, are made here once; the unit of the
 * text holds them. */
#include <stdio.h>
#include <string.h>
#include "../../array/element.h"
#include "../value/items.h"
#include "../value/space.h"
#include "../value/sysname.h"
#include "binder.h"
#include "bind.h"

/* ── nodes ──────────────────────────────────────────────────────────────────────────── */

bnode *bind_node(binder *b, bkind kind, int nc, extent at) {
  bnode *n = arena_alloc(b->mem, sizeof *n);
  if (!n) return NULL;
  n->kind = (uint8_t)kind;
  n->cls = (uint8_t)nc;
  n->begin = at.begin;
  n->end = at.end;
  n->slot = -1;
  return n;
}

bnode *bind_kids(binder *b, bkind kind, int nc, uint32_t n, bnode **kid) {
  extent at = {UINT32_MAX, 0};
  bnode *r = bind_node(b, kind, nc, at);
  if (!r) return NULL;
  r->n = n;
  r->kid = arena_alloc(b->mem, (n + !n) * sizeof *r->kid);
  if (!r->kid) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    r->kid[i] = kid[i];
    if (kid[i] && kid[i]->begin < r->begin) r->begin = kid[i]->begin;
    if (kid[i] && kid[i]->end > r->end) r->end = kid[i]->end;
  }
  return r;
}

bnode *bind_error(binder *b, int nc, int code, extent at, const char *fmt,
                  const char *arg) {
  char msg[200];
  snprintf(msg, sizeof msg, fmt, arg);
  bnode *n = bind_node(b, B_ERROR, nc, at);
  char *text = n ? arena_alloc(b->mem, strlen(msg) + 1) : NULL;
  if (!text) return NULL;
  memcpy(text, msg, strlen(msg) + 1);
  n->code = (uint32_t)code;
  n->text = text;
  return n;
}

bnode *bind_bad(binder *b, int code, extent at, const char *msg) {
  if (!b->bad) b->bad = bind_error(b, C_ARR, code, at, "%s", msg);
  return NULL;
}

bnode *bind_syntax(binder *b, const tnode *t, const char *msg) {
  return bind_bad(b, ERR_SYNTAX, extent_of(t), msg);
}

/* ── constants ──────────────────────────────────────────────────────────────────────── */

bnode *bind_constant(binder *b, value x, extent at) {
  bnode *n = x.cls ? bind_node(b, B_CONST, x.cls, at) : NULL;
  if (n) n->val = x;
  bool number = n && x.cls == C_ARR && prim_number_of(x.a, &n->number);
  if (n && !number) n->number.of = CLS_NONE;
  if (n && vec_push(b->v->c, &b->k->u->held, x)) return n;
  value_release(x);
  return NULL;
}

/* The array that a strand of constants is. */
static arr *strand_of(binder *b, const bnode *n) {
  OWNED_LIST arr_list items = {.v = b->v};
  for (uint32_t i = 0; i < n->n; i++)
    if (!list_add(&items, arr_retain(n->kid[i]->val.a))) return NULL;
  return list_array(&items);
}

static fn *function_of(binder *b, const bnode *n) {
  value part[DERIVE_PARTS] = {0};
  for (uint32_t i = 0; i < n->n; i++)
    if (n->kid[i]) part[i] = n->kid[i]->val;
  return derive(b->v, n, part);
}

/* Where making the constant fails, the program is wrong, and the error must wait until the
 * statement runs: then the node stays as it is. */
bnode *bind_fold(binder *b, bnode *n) {
  value r;
  if (!n) return NULL;
  for (uint32_t i = 0; i < n->n; i++)
    if (n->kid[i] && n->kid[i]->kind != B_CONST) return n;
  if (n->kind == B_STRAND) r = value_arr(strand_of(b, n));
  else r = value_fn(function_of(b, n), n->cls);
  if (r.cls) return bind_constant(b, r, extent_of_node(n));
  if (b->v->c->err.code == ERR_WS_FULL) return NULL;
  err_clear(b->v->c);
  return n;
}

/* ── classes of names ───────────────────────────────────────────────────────────────── */

static const uint32_t hybrids[] = {OP_REDUCE, OP_REDUCE1, OP_SCAN, OP_SCAN1};

uint32_t bind_code(uint8_t nc) {
  if (nc == C_OP) return 1;
  if (nc == C_DYADIC) return 2;
  return nc >= C_HYBRID && nc < C_NILADIC ? hybrids[nc - C_HYBRID] : 0;
}

static uint8_t class_of_value(value x) {
  if (x.cls == C_FN && fn_is_niladic(x.f)) return C_NILADIC;
  if (x.cls == C_OP && x.f->valence == 2) return C_DYADIC;
  if (x.cls != C_FN || x.f->kind != F_REPLICATE) return x.cls;
  uint8_t i = 0;
  while (hybrids[i] != x.f->code) i++;
  return (uint8_t)(C_HYBRID + i);
}

/* What an item with a point is, is decided by the class that the name has in the namespace now,
 * where what is left of the point can be seen without running anything: names, ⍺ ⍵, # and paths
 * of them, and what primitives or an index take from one. Any other expression has arrays as its
 * members. */
/* The value that b will have, or one that its value is taken from; NULL: not known. */
static const arr *seen(env *e, const bnode *b) {
  const value *x = NULL;
  bool part = b->kind == B_CHAIN || b->kind == B_INDEX;
  for (; b->kind == B_CHAIN || b->kind == B_INDEX; b = b->kid[0])
    for (uint32_t i = 0; b->kind == B_CHAIN && i < b->n; i++)
      if (b->step[i].prim == P_COUNT) return NULL;
  switch ((bkind)b->kind) {
  case B_CONST: x = &b->val; break;
  case B_NAME:
    x = env_at_once(e, b->s, b->slot);
    if (!x || !x->cls) x = env_read(e, b->s, b->slot);
    break;
  case B_ALPHA: x = &e->alpha; break;
  case B_OMEGA: x = &e->omega; break;
  case B_MEMBER: x = b->found; break;
  default: break;
  }
  if (!x || x->cls != C_ARR || x->num) return NULL;
  return part && x->a->ref && space_has_members(x->a) ? NULL : x->a;
}

static bool is_named(const bnode *on, const char *name) {
  return on->kind == B_SYS && !strcmp(sys_name((int)on->code), name);
}

/* Is the namespace, or the first of those, that `on` gives known? *in is it, NULL the workspace. */
static bool space_seen(env *e, const bnode *on, const arr **in) {
  uint32_t up = 0;
  for (; on->kind == B_HASH && on->n; on = on->kid[0]) up += on->code == 2;
  if (on->kind == B_HASH) *in = on->code == 2 ? space_parent(e->space) : NULL;
  else if (is_named(on, "⎕THIS")) *in = e->space;
  else {
    const arr *a = is_named(on, "⎕SE") && e->v->se ? e->v->se(e->v) : seen(e, on);
    while (a && a->host && arr_nests(a)) a = arr_item(a, 0);
    if (!a || !a->ref) return false;
    *in = a;
  }
  while (up--) *in = space_parent(*in);
  return true;
}

/* What s stands for in the namespace, or the first of those, that `on` gives; NULL: not known. */
static const value *member_now(env *e, const bnode *on, sym *s) {
  const arr *in;
  if (is_named(on, "⎕BASE")) return e->v->classes->base_find(e, s);
  return space_seen(e, on, &in) ? space_find(in, s) : NULL;
}

/* The keys of a path stand in the order of its points: what is left of one was found just now. */
static uint8_t class_of_member(env *e, const bkey *k) {
  const bnode *on = k->node->kid[0];
  const value *in = on->kind == B_NAME ? env_at_once(e, on->s, on->slot) : NULL;
  if (LIKELY(in && in->cls == C_ARR && !in->num && in->a->ref)) {
    const value *m = k->node->found = space_find(in->a, k->node->kid[1]->s);
    return m ? class_of_value(*m) : C_NONE;
  }
  const value *x = k->node->found = member_now(e, k->node->kid[0], k->node->kid[1]->s);
  return x ? class_of_value(*x) : C_NONE;
}

static bool executes(const step *s) {
  if (s->kind > S_DYADIC || s->f->kind != B_CONST || s->f->cls != C_FN) return false;
  const fn *f = s->f->val.f;
  return f->kind == F_SYS && !strcmp(sys_name((int)f->code), "⍎");
}

bool bind_is_open(const bnode *n) {
  if (n->cls != C_ARR) return false;
  bool inside = n->kind == B_CHAIN && !n->n; /* parentheses */
  while (n->kind == B_CHAIN && !n->n) n = n->kid[0];
  if (inside && n->kind == B_STRAND) return false;
  if (n->kind == B_CHAIN) return executes(&n->step[n->n - 1]);
  if (n->kind == B_STRAND) {
    uint32_t i = 0;
    while (i < n->n && (n->kid[i]->kind == B_STRAND || !bind_is_open(n->kid[i]))) i++;
    return i < n->n;
  }
  if (n->kind != B_MEMBER) return false;
  return n->kid[1]->kind == B_STATEMENT || (n->kid[1]->kind == B_NAME && !n->found);
}

static uint8_t class_of_name(env *e, const bkey *k) {
  const value *x = env_at_once(e, k->s, k->slot);
  if (!x && k->slot < 0 && env_has_no_other(e)) x = space_find(e->space, k->s);
  if (!x || (!x->cls && (e->space || e->v->path))) x = env_read(e, k->s, k->slot);
  return class_of_value(*x);
}

uint8_t bind_class_now(env *e, const bkey *k) {
  uint8_t nc = C_NONE;
  if (k->kind == B_NAME) nc = class_of_name(e, k);
  else if (k->kind == B_MEMBER) nc = class_of_member(e, k);
  else if (k->kind == B_ALPHA) nc = e->alpha.cls;
  else if (e->self && k->kind == B_LOP) nc = e->self->l.cls;
  else if (e->self) nc = e->self->r.cls;
  return nc ? nc : C_ARR; /* an unknown name is taken for an array: VALUE ERROR later */
}

uint8_t bind_note(binder *b, bkey k) {
  k.cls = bind_class_now(b->e, &k);
  return vec_push(b->v->c, &b->keys, k) ? k.cls : C_NONE;
}

uint8_t bind_class_of(binder *b, bkind kind) {
  return bind_note(b, (bkey){.kind = (uint8_t)kind});
}

/* What stands further right in the statement runs first: of the assignments there the nearest
 * decides. */
uint8_t bind_class_or_hybrid(binder *b, tnode *t) {
  sym *s = symbol_of(b->v, t);
  if (!s) return C_NONE;
  for (uint32_t i = s->overrides; i; i = b->overrides.at[i - 1].next)
    if (b->overrides.at[i - 1].at > t->begin) return b->overrides.at[i - 1].cls;
  return bind_note(b, (bkey){.kind = B_NAME, .slot = slot_of(b->k, s), .s = s});
}

uint8_t bind_plain_class(uint8_t nc) {
  if (nc == C_NILADIC) return C_ARR;
  if (nc == C_DYADIC) return C_OP;
  return nc >= C_HYBRID ? C_FN : nc;
}

uint8_t bind_class(binder *b, tnode *t) {
  uint8_t nc = bind_class_or_hybrid(b, t);
  return bind_plain_class(nc);
}
