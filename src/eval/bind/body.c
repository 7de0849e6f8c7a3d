/* SPDX-License-Identifier: MIT */
/* body.c - what is known of a dfn before it runs: the names that it assigns.
 *
 * A name is local to the dfn whose statements assign it, plainly or in a strand, wherever in
 * them; dfns inside it have names of their own. Each local name has a slot in the
 * environment of a call, and bind.c resolves names to slots. */
#include <string.h>
#include "binder.h"

sym *symbol_of(vm *v, tnode *t) {
  if (!t->cache) t->cache = sym_intern(v, t->text, t->n);
  return t->cache;
}

uint32_t path_begin(tnode *const *it, uint32_t i) {
  while (i > 1 && it[i - 1]->kind == T_DOT) {
    i -= 2;
    while (i > 0 && it[i]->kind == T_BRACKET) i--;
  }
  return i;
}

bool is_names(const tnode *t) { /* a name or ⎕IO …, or names and paths in parentheses */
  if (t->kind == T_NAME || (t->kind == T_SYSNAME && t->n > strlen("⎕"))) return true;
  if (t->kind != T_PAREN || !t->n || !t->kid[0]) return false;
  const tnode *in = t->kid[0];
  for (uint32_t i = 0; i < in->n; i++) {
    const tnode *k = in->kid[i];
    bool begins = k->kind == T_HASH || (k->kind >= T_ALPHA && k->kind <= T_OMEGA2);
    bool path = begins && i + 1 < in->n && in->kid[i + 1]->kind == T_DOT;
    if (!path && k->kind != T_DOT && !is_names(k)) return false;
  }
  return true;
}

/* Those of the items it[0] to it[n-1], which end in names, that are no paths. */
static bool add_row(vm *v, tnode **it, uint32_t n, name_list *out);

static bool add_names(vm *v, tnode *t, name_list *out) {
  if (t->kind == T_SYSNAME) return true;
  if (t->kind == T_PAREN) return add_row(v, t->kid[0]->kid, t->kid[0]->n, out);
  sym *s = symbol_of(v, t);
  return s && vec_push(v->c, out, s);
}

static bool add_row(vm *v, tnode **it, uint32_t n, name_list *out) {
  uint32_t from;
  if (out_of_stack(v->c)) return false;
  for (; n > 0 && is_names(it[n - 1]); n = from) {
    from = path_begin(it, n - 1);
    if (from == n - 1 && !add_names(v, it[from], out)) return false;
  }
  return true;
}

static bool is_leaf(const tnode *t) {
  return t->kind < T_PAREN || t->kind == T_ASSIGN || t->kind == T_BRANCH ||
         t->kind == T_DOT || t->kind == T_SCRIPT || t->kind == T_DECLARE;
}

bool body_mentions(vm *v, tnode *t, name_list *out) {
  if (t && t->kind == T_NAME) return add_names(v, t, out);
  if (!t || is_leaf(t)) return true;
  if (interrupted(v->c) || out_of_stack(v->c)) return false;
  for (uint32_t i = 0; i < t->n; i++)
    if (!body_mentions(v, t->kid[i], out)) return false;
  return true;
}

/* The names that stand before an arrow, inner dfns left out. */
static bool scan_locals(vm *v, tnode *t, name_list *out) {
  if (!t || is_leaf(t) || t->kind == T_DFN) return true;
  if (interrupted(v->c) || out_of_stack(v->c)) return false;
  for (uint32_t i = 0; i < t->n; i++) {
    bool row = t->kind == T_STMT, inside = row && i && t->kid[i - 1]->kind == T_DOT;
    if (!inside && !scan_locals(v, t->kid[i], out)) return false;
    bool arrow = row && t->kid[i]->kind == T_ASSIGN;
    if (arrow && !add_row(v, t->kid, i, out)) return false;
  }
  return true;
}

bool body_names(body *k, arena *mem, const name_list *names) {
  uint32_t size = 2 * BODY_FEW;
  while (size < 2 * names->n) size *= 2;
  if (names->n > BODY_FEW) k->index = arena_alloc(mem, size * sizeof *k->index);
  k->local = arena_alloc(mem, names->n * sizeof *k->local);
  if (!k->local || (names->n > BODY_FEW && !k->index)) return false;
  k->mask = size - 1;
  for (size_t i = 0; i < names->n; i++) {
    sym *s = names->at[i];
    if (slot_of(k, s) >= 0) continue;
    k->bits |= body_bit(s);
    k->local[k->n++] = s;
    if (k->index) *body_place(k, s) = k->n;
  }
  return true;
}

static body *body_new(unit *u, tnode *dfn, const name_list *names) {
  body *k = arena_alloc(&u->t->mem, sizeof *k);
  if (!k) return NULL;
  k->u = u;
  k->src = u->t->src;
  k->node = dfn;
  return !names->n || body_names(k, &u->t->mem, names) ? k : NULL;
}

body *body_of(vm *v, unit *u, tnode *dfn) {
  if (dfn->cache) return dfn->cache;
  name_list names = {0};
  bool ok = true;
  for (uint32_t i = 0; i < dfn->n && ok; i++) ok = scan_locals(v, dfn->kid[i], &names);
  body *k = ok ? body_new(u, dfn, &names) : NULL;
  if (k) dfn->cache = k;
  vec_free(v->c, &names);
  return k;
}

body *body_of_text(unit *u, const env *e) {
  static const name_list none = {0};
  return body_new(u, e->body->node, &none);
}
