/* SPDX-License-Identifier: MIT */
/* member.c - namespaces in a row: literals, # and ##, and what is behind a point.
 *
 * What an item with a point is, an array or a function, is decided by the class that the name has
 * in the namespace now, as for any name, where what is left of the point can be seen without
 * running anything: names, ⍺ ⍵, # and paths of them, and what primitives or an index take from
 * one. Any other expression has arrays as its members. */
#include "../../array/element.h"
#include "../value/space.h"
#include "../value/sysname.h"
#include "binder.h"

/* ── classes ────────────────────────────────────────────────────────────────────────── */

static const value *member_now(env *e, const bnode *on, sym *s);

/* The value that b will have, or one that its value is taken from; NULL: not known. */
static const arr *seen(env *e, const bnode *b) {
  const value *x = NULL;
  switch ((bkind)b->kind) {
  case B_CONST: x = &b->val; break;
  case B_NAME: x = env_find(e, b->s, b->slot); break;
  case B_ALPHA: x = &e->alpha; break;
  case B_OMEGA: x = &e->omega; break;
  case B_MEMBER:
    if (b->kid[1]->kind == B_NAME) x = member_now(e, b->kid[0], b->kid[1]->s);
    break;
  case B_CHAIN:
    for (uint32_t i = 0; i < b->n; i++)
      if (b->step[i].prim == P_COUNT) return NULL; /* fall through */
  case B_INDEX: return seen(e, b->kid[0]);
  default: break;
  }
  return x && x->cls == C_ARR && !x->num ? x->a : NULL;
}

/* What s stands for in the namespace, or the first of those, that `on` gives; NULL: not known. */
static const value *member_now(env *e, const bnode *on, sym *s) {
  if (on->kind == B_HASH && !on->n)
    return on->code == 1 ? &s->val : space_find(space_parent(e->space), s);
  const arr *a = seen(e, on);
  while (a && a->host && arr_nests(a)) a = arr_item(a, 0);
  return a && a->ref ? space_find(a, s) : NULL;
}

uint8_t bind_class_of_member(env *e, const bkey *k) {
  const value *x = member_now(e, k->on, k->s);
  return x ? x->cls : C_NONE;
}

/* ── items ──────────────────────────────────────────────────────────────────────────── */

bnode *bind_hash(binder *b, tnode *t, bnode *on) {
  bnode *r = on ? bind_kids(b, B_HASH, C_ARR, 1, &on)
                : bind_node(b, B_HASH, C_ARR, extent_of(t));
  if (r) r->code = t->n;
  return r;
}

static bnode *name_in(binder *b, tnode *t, bkind kind) {
  bnode *n = bind_node(b, kind, C_ARR, extent_of(t));
  if (!n) return NULL;
  n->s = symbol_of(b->v, t);
  return n->s ? n : NULL;
}

/* (name: value ⋄ …) */
bnode *bind_space(binder *b, tnode *t) {
  bnode **kid = arena_alloc(b->mem, (t->n + 1) * sizeof *kid);
  if (!kid) return NULL;
  for (uint32_t i = 0; i < t->n; i += 2) {
    kid[i] = name_in(b, t->kid[i], B_NAME);
    kid[i + 1] = bind_statement(b, t->kid[i + 1]);
    if (!kid[i] || !kid[i + 1]) return NULL;
  }
  bnode *n = bind_kids(b, B_SPACE, C_ARR, t->n, kid);
  if (!n) return NULL;
  n->begin = t->begin;
  n->end = t->end;
  return n;
}

static bnode *parenthesis(binder *b, tnode *t) {
  if (!t->n || !t->kid[0]) return bind_syntax(b, t, "nothing is in the parentheses");
  bnode *n = bind_node(b, B_STATEMENT, C_ARR, extent_of(t));
  if (n) n->tree = t->kid[0];
  return n;
}

/* What t is in the namespace that `on` gives. */
static bnode *member(binder *b, bnode *on, tnode *t, bool last) {
  bnode *kid[2] = {on};
  switch ((tkind)t->kind) {
  case T_HASH: return bind_hash(b, t, on);
  case T_NAME: kid[1] = name_in(b, t, B_NAME); break;
  case T_SYSNAME: kid[1] = bind_system(b, t, last); break;
  case T_PAREN: kid[1] = parenthesis(b, t); break;
  default: return bind_syntax(b, t, "a namespace has no such member");
  }
  if (!kid[1]) return NULL;
  uint8_t nc = kid[1]->cls;
  if (t->kind == T_NAME)
    nc = bind_note(b, (bkey){.kind = B_MEMBER, .on = on, .s = kid[1]->s});
  if (nc == C_OP && t->kind == T_SYSNAME) return kid[1];
  return nc ? bind_kids(b, B_MEMBER, nc, 2, kid) : NULL;
}

bnode *bind_members(binder *b, segment *s, bnode *on) {
  while (on && on->cls == C_ARR && s->i + 1 < s->n && s->it[s->i]->kind == T_DOT) {
    s->i += 2;
    on = member(b, on, s->it[s->i - 1], s->i == s->n);
  }
  return on;
}

/* ── targets ────────────────────────────────────────────────────────────────────────── */

uint32_t path_begin(tnode *const *it, uint32_t i) {
  while (i > 1 && it[i - 1]->kind == T_DOT) {
    i -= 2;
    while (i > 0 && it[i]->kind == T_BRACKET) i--;
  }
  return i;
}

/* The names of a target are those of the namespace. */
static void set_in_space(bnode *n) {
  n->slot = -1;
  for (uint32_t i = 0; n->kind == G_STRAND && i < n->n; i++) set_in_space(n->kid[i]);
}

bnode *target_member(binder *b, tnode **it, uint32_t from, uint32_t i, bnode *target) {
  extent at = {it[from]->begin, it[i - 2]->end};
  bnode *kid[2] = {bind_row(b, it + from, i - 1 - from, at), target};
  if (!kid[0]) return NULL;
  if (kid[0]->cls != C_ARR) return bind_syntax(b, it[from], "a namespace is wanted here");
  set_in_space(target);
  return bind_kids(b, G_MEMBER, C_ARR, 2, kid);
}
