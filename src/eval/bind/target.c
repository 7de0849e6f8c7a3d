/* SPDX-License-Identifier: MIT */
/* target.c - what is left of an arrow: names, strands of names, x[i], selections.
 *
 * The target reaches as far left as it can be one, and what lies between it and the arrow is
 * the function of a modified assignment: (a b)f← and x[i]+←. A parenthesis that is neither
 * names nor a function is a selection, an expression that ends in the name it changes. */
#include "../value/sysname.h"
#include "binder.h"

static bnode *target_item(binder *b, tnode *t) {
  if (t->kind == T_PAREN) {
    tnode *s = t->kid[0];
    bnode **kid = arena_alloc(b->mem, s->n * sizeof *kid);
    if (s->n == 1) return target_item(b, s->kid[0]);
    for (uint32_t i = 0; kid && i < s->n; i++)
      if (!(kid[i] = target_item(b, s->kid[i]))) return NULL;
    return kid ? bind_kids(b, G_STRAND, C_ARR, s->n, kid) : NULL;
  }
  bkind kind = t->kind == T_ALPHA ? G_ALPHA : t->kind == T_SYSNAME ? G_SYS : G_NAME;
  bnode *n = bind_node(b, kind, C_ARR, t->begin, t->end);
  if (!n) return NULL;
  if (kind == G_ALPHA && !b->k->node)
    return bind_syntax(b, t, "it has a meaning only within a dfn");
  if (kind == G_SYS) {
    int row = sys_find(t->text, t->n);
    if (row < 0) return bind_system(b, t, false);
    n->code = (uint32_t)row;
  }
  if (kind == G_NAME) {
    if (!(n->s = symbol_of(b->v, t))) return NULL;
    n->slot = slot_of(b->k, n->s);
  }
  return n;
}

static bool is_target(const tnode *t) {
  return t->kind == T_SYSNAME || t->kind == T_ALPHA || is_names(t);
}

/* it[j] is a bracket: the target that it indexes. */
static bnode *target_indexed(binder *b, tnode **it, uint32_t j) {
  tnode *t = it[j], *on = it[j - 1];
  bnode **kid = arena_alloc(b->mem, (t->n + 1) * sizeof *kid);
  if (!kid || !(kid[0] = target_item(b, on)) || !bind_indices(b, t, kid + 1)) return NULL;
  bnode *n = bind_kids(b, G_INDEX, C_ARR, t->n + 1, kid);
  if (n) n->begin = on->begin, n->end = t->end;
  return n;
}

/* The name that a selection ends in, NULL if it ends in none. */
static const bnode *selected(const bnode *b) {
  while (b->kind == B_CHAIN || b->kind == B_INDEX) b = b->kid[0];
  return b->kind == B_NAME && b->cls == C_ARR ? b : NULL;
}

/* A parenthesis left of an arrow that holds more than names: a selection, which the brackets
 * `at` may index (NULL: none), or, *f, the function of a modified assignment. */
static bool bind_selection(binder *b, tnode *t, tnode *at, bnode **x, bool *f) {
  bnode *in = t->n && t->kid[0] ? bind_paren(b, t) : NULL;
  *f = in && in->cls != C_ARR;
  if (*f && !vec_push(b->v->c, &b->seen, ((looked){t, in}))) return false;
  if (!in || *f) return in || bind_syntax(b, t, "nothing is in the parentheses");
  if (!selected(in)) return bind_syntax(b, t, "no name to assign to"), false;
  if (at && !(in = bind_bracket(b, in, at))) return false;
  if (!(*x = bind_kids(b, G_SELECT, C_ARR, 1, &in))) return false;
  (*x)->begin = t->begin;
  (*x)->end = at ? at->end : t->end;
  return true;
}

bool bind_target(binder *b, tnode **it, uint32_t p, uint8_t nc, uint32_t *begin,
                 step *st) {
  uint32_t j = p; /* the target ends before j, the function lies in j … p */
  if (!p) return bind_syntax(b, it[p], "nothing is left of the arrow"), false;
  uint8_t last = it[p - 1]->kind == T_NAME ? bind_class(b, it[p - 1]) : C_ARR;
  if (!last) return false;
  const tnode *l = p > 1 ? it[p - 2] : NULL; /* x f←, x+op← with names for f and op */
  bool named = l && (last == C_OP ||
                     (last == C_FN &&
                      ((l->kind == T_NAME && bind_class(b, it[p - 2]) == C_ARR) ||
                       l->kind == T_OPER || l->kind == T_BRACKET || l->kind == T_PAREN)));
  if (named) j--;
  for (bool f = true; j > 0; j--) {
    tnode *t = it[j - 1];
    tnode *at = t->kind == T_BRACKET && j > 1 ? t : NULL, *on = at ? it[j - 2] : t;
    bool fun = j < p && t->kind == T_NAME && bind_class(b, t) != C_ARR; /* x f¨← */
    if ((at && on->kind == T_NAME) || (is_target(t) && !fun)) break;
    if (on->kind != T_PAREN) continue;
    if (!bind_selection(b, on, at, &st->x, &f)) return false;
    if (!f) break;
  }
  if (!j)
    return bind_bad(b, ERR_SYNTAX, it[p - 1]->begin, it[p]->end, "no name to assign to"),
           false;
  tnode *t = it[j - 1];
  if (j < p) {
    st->f = bind_row(b, it + j, p - j, it[j]->begin, it[p - 1]->end);
    if (!st->f) return false;
    if (st->f->cls != C_FN)
      return bind_syntax(b, it[j], "a function is wanted here"), false;
  }
  if (st->x) return *begin = j - 1 - (t->kind == T_BRACKET), true;
  if (t->kind == T_BRACKET) {
    *begin = j - 2;
    return (st->x = target_indexed(b, it, j - 1)) != NULL;
  }
  *begin = j - 1;
  while (is_names(t) && nc == C_ARR && j == p && *begin > 0 && is_names(it[*begin - 1])) {
    tnode *more = it[*begin - 1];
    if (more->kind == T_NAME && bind_class(b, more) != C_ARR) break;
    --*begin;
  }
  if (*begin == j - 1) return (st->x = target_item(b, t)) != NULL;
  bnode **kid = arena_alloc(b->mem, (j - *begin) * sizeof *kid);
  for (uint32_t i = *begin; kid && i < j; i++)
    if (!(kid[i - *begin] = target_item(b, it[i]))) return false;
  return kid && (st->x = bind_kids(b, G_STRAND, C_ARR, j - *begin, kid));
}
