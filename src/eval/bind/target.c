/* SPDX-License-Identifier: MIT */
/* target.c - what is left of an arrow: names, strands of names, x[i], selections.
 *
 * The target reaches as far left as it can be one, and what lies between it and the arrow is
 * the function of a modified assignment: (a b)f← and x[i]+←. A parenthesis that is neither
 * names nor a function is a selection, an expression that ends in the name it changes. */
#include "../value/sysname.h"
#include "binder.h"

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static bnode *target_item(binder *b, tnode *t);

/* The names of a target are those of the namespace. */
static void set_in_space(bnode *n) {
  n->slot = -1;
  for (uint32_t i = 0; n->kind == G_STRAND && i < n->n; i++) set_in_space(n->kid[i]);
}

/* The target it[i] with the path before it, which begins at `from`. */
static bnode *target_member(binder *b, tnode **it, uint32_t from, uint32_t i,
                            bnode *target) {
  extent at = {it[from]->begin, it[i - 2]->end};
  bnode *kid[2] = {bind_row(b, it + from, i - 1 - from, at), target};
  if (!kid[0]) return NULL;
  if (kid[0]->cls != C_ARR) return bind_syntax(b, it[from], "a namespace is wanted here");
  set_in_space(target);
  return bind_kids(b, G_MEMBER, C_ARR, 2, kid);
}

/* The target it[i], to which the items from it[from] on are the path. */
static bnode *target_path(binder *b, tnode **it, uint32_t from, uint32_t i) {
  bnode *n = target_item(b, it[i]);
  if (!n || from == i) return n;
  return target_member(b, it, from, i, n);
}

/* The names it[0] to it[n-1]; one alone is itself. */
static bnode *target_strand(binder *b, tnode **it, uint32_t n) {
  bnode **end = arena_alloc(b->mem, n * sizeof *end), **kid;
  if (!end) return NULL;
  kid = end += n;
  for (uint32_t i = n, from; i > 0; i = from) {
    from = path_begin(it, i - 1);
    *--kid = target_path(b, it, from, i - 1);
    if (!*kid) return NULL;
  }
  if (end - kid == 1) return *kid;
  return bind_kids(b, G_STRAND, C_ARR, (uint32_t)(end - kid), kid);
}

static bnode *target_name(binder *b, tnode *t) {
  bnode *n = bind_node(b, G_NAME, C_ARR, extent_of(t));
  if (!n) return NULL;
  n->s = symbol_of(b->v, t);
  if (!n->s) return NULL;
  n->slot = slot_of(b->k, n->s);
  return n;
}

static bnode *target_system(binder *b, tnode *t) {
  int row = sys_find(t->text, t->n);
  if (row < 0) return bind_system(b, t, false); /* which says what is wrong */
  bnode *n = bind_node(b, G_SYS, C_ARR, extent_of(t));
  if (n) n->code = (uint32_t)row;
  return n;
}

static bnode *target_item(binder *b, tnode *t) {
  if (t->kind == T_SYSNAME) return target_system(b, t);
  if (t->kind == T_ALPHA && !b->k->node)
    return bind_syntax(b, t, "it has a meaning only within a dfn");
  if (t->kind == T_ALPHA) return bind_node(b, G_ALPHA, C_ARR, extent_of(t));
  if (t->kind != T_PAREN) return target_name(b, t);
  return target_strand(b, t->kid[0]->kid, t->kid[0]->n);
}

static bool is_target(const tnode *t) {
  return t->kind == T_SYSNAME || t->kind == T_ALPHA || is_names(t);
}

/* Is it[i] a name, not at the end of a path, that stands for something else than an array? */
static bool names_function(binder *b, tnode **it, uint32_t i) {
  if (it[i]->kind == T_SYSNAME) { /* ⎕DF text←… */
    int row = sys_find(it[i]->text, it[i]->n);
    return row >= 0 && sys_class(row) != C_ARR;
  }
  if (it[i]->kind != T_NAME || (i && it[i - 1]->kind == T_DOT)) return false;
  return bind_class(b, it[i]) != C_ARR;
}

/* ── indices and selections ─────────────────────────────────────────────────────────── */

/* it[j] is a bracket: the target that it indexes, from it[from] on. */
static bnode *target_indexed(binder *b, tnode **it, uint32_t from, uint32_t j) {
  tnode *t = it[j];
  bnode **kid = arena_alloc(b->mem, (t->n + 1) * sizeof *kid);
  if (!kid) return NULL;
  kid[0] = target_path(b, it, from, j - 1);
  if (!kid[0] || !bind_indices(b, t, kid + 1)) return NULL;
  bnode *n = bind_kids(b, G_INDEX, C_ARR, t->n + 1, kid);
  if (!n) return NULL;
  n->begin = it[from]->begin;
  n->end = t->end;
  return n;
}

/* Does the selection end in a name? */
static bool ends_in_name(const bnode *b) {
  while (b->kind == B_CHAIN || b->kind == B_INDEX) b = b->kid[0];
  if (b->kind == B_MEMBER) b = b->kid[1];
  return (b->kind == B_NAME && b->cls == C_ARR) || b->kind == B_NILADIC;
}

/* A parenthesis left of an arrow that holds more than names: a selection, which the brackets
 * `at` may index (NULL: none), or, *f, the function of a modified assignment. */
static bool bind_selection(binder *b, tnode *t, tnode *at, bnode **x, bool *f) {
  if (!t->n || !t->kid[0]) return bind_refuse(b, t, "nothing is in the parentheses");
  bnode *in = bind_paren(b, t);
  if (!in) return false;
  *f = in->cls != C_ARR;
  if (*f) return vec_push(b->v->c, &b->early, ((early){t, in}));
  if (!ends_in_name(in)) return bind_refuse(b, t, "no name to assign to");
  if (at) in = bind_bracket(b, in, at);
  if (!in) return false;
  *x = bind_kids(b, G_SELECT, C_ARR, 1, &in);
  if (!*x) return false;
  (*x)->begin = t->begin;
  (*x)->end = at ? at->end : t->end;
  return true;
}

/* ── targets ────────────────────────────────────────────────────────────────────────── */

/* Is the name left of the arrow at it[p] the function of x f← or x+op←? *ok: not out of
 * memory. */
static bool ends_in_function(binder *b, tnode **it, uint32_t p, bool *ok) {
  *ok = true;
  if (p < 2) return false;
  bool own = it[p - 1]->kind == T_NAME && it[p - 2]->kind != T_DOT;
  uint8_t last = own ? bind_class(b, it[p - 1]) : C_ARR;
  *ok = last != C_NONE;
  if (last < C_FN) return false;
  if (last == C_OP) return true;
  tnode *l = it[p - 2];
  if (l->kind == T_NAME) return bind_class(b, l) == C_ARR;
  return l->kind == T_OPER || l->kind == T_BRACKET || l->kind == T_PAREN;
}

/* The end of the target: what it[j-1], a name, a bracket or a selection (st->x), closes, for
 * the function in it[j] … it[p-1]. 0: there is no target; *ok: nothing else is wrong. */
static uint32_t target_end(binder *b, tnode **it, uint32_t p, step *st, bool *ok) {
  uint32_t j = p;
  if (ends_in_function(b, it, p, ok)) j--;
  for (; *ok && j > 0; j--) {
    tnode *t = it[j - 1], *at = NULL, *on = t;
    if (t->kind == T_BRACKET && j > 1) {
      at = t;
      on = it[j - 2];
    }
    if (at && on->kind == T_NAME) return j;
    if (is_target(t) && !(j < p && names_function(b, it, j - 1)))
      return j; /* not x f¨← */
    if (on->kind != T_PAREN || (j > 1 && it[j - 2]->kind == T_DOT)) continue;
    bool f;
    *ok = bind_selection(b, on, at, &st->x, &f);
    if (*ok && !f) return j;
  }
  return 0;
}

/* The function in it[j] … it[p-1]. */
static bool bind_modifier(binder *b, tnode **it, uint32_t j, uint32_t p, step *st) {
  extent at = {it[j]->begin, it[p - 1]->end};
  st->f = bind_row(b, it + j, p - j, at);
  if (!st->f) return false;
  return st->f->cls == C_FN || bind_refuse(b, it[j], "a function is wanted here");
}

bool bind_target(binder *b, tnode **it, uint32_t p, uint8_t nc, uint32_t *begin,
                 step *st) {
  bool ok = true;
  if (!p) return bind_refuse(b, it[p], "nothing is left of the arrow");
  uint32_t j = target_end(b, it, p, st, &ok);
  if (!ok) return false;
  if (!j) {
    extent at = {it[p - 1]->begin, it[p]->end};
    bind_bad(b, ERR_SYNTAX, at, "no name to assign to");
    return false;
  }
  if (j < p && !bind_modifier(b, it, j, p, st)) return false;
  bool indexed = it[j - 1]->kind == T_BRACKET;
  *begin = j - 1 - indexed;
  if (st->x) return true;
  *begin = path_begin(it, *begin);
  bool strand = is_names(it[j - 1]) && nc == C_ARR; /* a b←, a b f← */
  while (strand && *begin > 0 && is_names(it[*begin - 1])) {
    if (names_function(b, it, *begin - 1)) break;
    *begin = path_begin(it, *begin - 1);
  }
  if (indexed) st->x = target_indexed(b, it, *begin, j - 1);
  else st->x = target_strand(b, it + *begin, j - *begin);
  return st->x != NULL;
}
