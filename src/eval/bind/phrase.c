/* SPDX-License-Identifier: MIT */
/* phrase.c - a segment's items from left to right: phrases.
 *
 * Adjacent arrays are one strand; an operator takes the phrase before it, and the item or
 * strand behind it if it is dyadic, and makes a function of them. Brackets index the strand
 * that they follow, back to the last item that has brackets of its own. */
#include "../value/items.h"
#include "binder.h"
#include <string.h>

static phrase *last_phrase(binder *b, size_t from) {
  return b->phrases.n > from ? &b->phrases.at[b->phrases.n - 1] : NULL;
}

static bool is_dot(const tnode *t) {
  return t->kind == T_DOT || (t->kind == T_OPER && t->code == OP_DOT);
}

/* ── strands ────────────────────────────────────────────────────────────────────────── */

/* The items of a list of numbers, each a constant of its own. */
static bnode **spread_literal(binder *b, const bnode *p, bnode **to) {
  for (uint32_t i = 0; i < p->lit->n; i++) {
    arr *a = literal_numbers(b->v->c, &p->lit->num[i], 1);
    *to = bind_constant(b, value_arr(a), extent_of_node(p));
    if (!*to++) return NULL;
  }
  return to;
}

bnode *phrase_array(binder *b, const phrase *u) {
  if (u->n == 1) return u->first;
  uint32_t n = 0;
  for (bnode *p = u->first; p; p = p->next) {
    if (p->lit) n += p->lit->n;
    else n++;
  }
  bnode **kid = arena_alloc(b->mem, n * sizeof *kid), **to = kid;
  for (bnode *p = u->first; p && to; p = p->next) {
    if (p->lit) to = spread_literal(b, p, to);
    else *to++ = p;
  }
  if (!to) return NULL;
  return bind_fold(b, bind_kids(b, B_STRAND, C_ARR, n, kid));
}

bool phrase_push(binder *b, size_t from, bnode *n) {
  phrase *top = last_phrase(b, from);
  if (!n) return false;
  if (n->cls == C_ARR && top && top->cls == C_ARR) {
    top->last->next = n;
    top->last = n;
    top->n++;
    return true;
  }
  return vec_push(b->v->c, &b->phrases, ((phrase){n, n, 1, n->cls, NULL, 0}));
}

/* May the item be part of a strand? A name only if it is an array's. */
static bool is_strandable(binder *b, tnode *t) {
  bnode *n;
  switch ((tkind)t->kind) {
  case T_NUMBERS:
  case T_STRING:
  case T_ZILDE:
  case T_OMEGA:
  case T_VECTOR:
  case T_MATRIX:
  case T_SPACE:
  case T_HASH: return true;
  case T_NAME:
  case T_ALPHA:
  case T_ALPHA2:
  case T_OMEGA2:
  case T_SYSNAME: n = bind_item(b, t, false); return n && n->cls == C_ARR;
  case T_PAREN:
    n = bind_item(b, t, false);
    if (!n || !vec_push(b->v->c, &b->early, ((early){t, n}))) return false;
    return n->cls == C_ARR;
  default: return false;
  }
}

/* ── brackets ───────────────────────────────────────────────────────────────────────── */

static bool at_bracket(const segment *s) {
  return s->i < s->n && s->it[s->i]->kind == T_BRACKET;
}

static bnode *with_brackets(binder *b, segment *s, bnode *n) {
  while (n && n->cls != C_OP && at_bracket(s)) n = bind_bracket(b, n, s->it[s->i++]);
  return n;
}

/* `p` with the points that follow it, and with brackets that points follow. */
static bnode *with_path(binder *b, segment *s, bnode *p) {
  for (;;) {
    p = bind_members(b, s, p);
    uint32_t i = s->i;
    while (i < s->n && s->it[i]->kind == T_BRACKET) i++;
    bool goes_on = p && p->cls == C_ARR && i > s->i && i < s->n;
    if (!goes_on || s->it[i]->kind != T_DOT) return p;
    while (p && s->i < i) p = bind_bracket(b, p, s->it[s->i++]);
  }
}

/* An item that brackets may follow: they index the strand that it ends, a b[1] being (a b)[1],
 * back to the last item that has brackets of its own. */
static bool push_bracketed(binder *b, segment *s, bnode *p) {
  if (!p || p->cls != C_ARR || !at_bracket(s))
    return phrase_push(b, s->from, with_brackets(b, s, p));
  if (!phrase_push(b, s->from, p)) return false;
  phrase u = *last_phrase(b, s->from), part = u; /* copies: binding may move them */
  if (u.cut) part = (phrase){u.cut->next, u.last, u.n - u.cut_n, C_ARR, NULL, 0};
  bnode *r = with_brackets(b, s, phrase_array(b, &part));
  if (!r) return false;
  if (u.cut) u.cut->next = r;
  else u.first = r;
  u.last = u.cut = r;
  u.n = ++u.cut_n;
  *last_phrase(b, s->from) = u;
  return true;
}

/* ── operators ──────────────────────────────────────────────────────────────────────── */

static bool is_hybrid(const bnode *n) {
  return n->kind == B_CONST && n->cls == C_OP && n->val.f->kind == F_OPER &&
         is_fold(n->val.f->code);
}

/* / ⌿ \ ⍀ where it is a function. */
static bnode *as_function(binder *b, const bnode *op) {
  fn *f = fn_new(b->v, F_REPLICATE, op->val.f->code);
  return bind_constant(b, value_fn(f, C_FN), extent_of_node(op));
}

/* A name for / ⌿ \ ⍀, or one in parentheses, is the operator behind a function: its code. */
static uint32_t hybrid_of(const bnode *p) {
  if (p->cls != C_FN) return 0;
  if (p->kind == B_NAME || p->kind == B_MEMBER) return p->code;
  if (p->kind != B_CONST || p->val.f->kind != F_REPLICATE) return 0;
  return p->val.f->code;
}

/* What is to the right of a dyadic operator: one function, or a strand. */
static bnode *right_operand(binder *b, segment *s, const tnode *op) {
  if (s->i >= s->n) return bind_syntax(b, op, "the operator's right operand is missing");
  tnode *t = s->it[s->i++];
  bnode *r = with_path(b, s, bind_item(b, t, false));
  if (r && is_hybrid(r)) r = as_function(b, r);
  if (r && r->cls == C_OP) return bind_syntax(b, t, "an operator cannot be an operand");
  r = with_brackets(b, s, r);
  if (!r || r->cls != C_ARR) return r;
  phrase u = {r, r, 1, C_ARR, NULL, 0};
  while (s->i < s->n && is_strandable(b, s->it[s->i])) {
    uint32_t at = s->i;
    t = s->it[s->i++];
    r = with_path(b, s, bind_item(b, t, s->i == s->n));
    if (!r) return NULL;
    if (r->cls != C_ARR) { /* a namespace's function ends the strand */
      s->i = at;
      break;
    }
    u.last->next = r;
    u.last = r;
    u.n++;
  }
  if (b->bad) return NULL;
  return with_brackets(b, s, phrase_array(b, &u));
}

/* The axis behind an operator, NULL if there is none. */
static bool operator_axis(binder *b, segment *s, bnode **axis) {
  *axis = NULL;
  if (!at_bracket(s)) return true;
  tnode *t = s->it[s->i++];
  if (t->n == 1 && t->kid[0] && bind_indices(b, t, axis)) return true;
  return bind_refuse(b, t, "one axis is wanted here");
}

/* Is what may turn out to be a function a text that ⍎ runs, perhaps in a namespace? */
static bool runs_text(const bnode *n) {
  if (n->kind != B_MEMBER || n->kid[1]->kind != B_STATEMENT) return n->kind == B_CHAIN;
  const tnode *t = n->kid[1]->tree->kid[0];
  return t->kind == T_SYSNAME && !strcmp(t->text, "⍎");
}

/* The last phrase as the left operand of op. Of a strand it is the last item, if that may turn out to be
 * a function and ⍎ gives it or the operator takes no array. */
static bnode *left_operand(binder *b, const bnode *op) {
  phrase u = b->phrases.at[--b->phrases.n];
  const oper_row *row = op->kind == B_CONST ? oper_find(op->val.f->code) : NULL;
  bool part = u.n > 1 && u.cls == C_ARR && !u.cut && bind_is_open(u.last) &&
              ((row && row->operands == OPERANDS_FUNCTION) || runs_text(u.last));
  if (!part) return phrase_array(b, &u);
  bnode *last = u.last;
  u.last = u.first;
  while (u.last->next != last) u.last = u.last->next;
  u.last->next = NULL;
  u.n--;
  b->phrases.at[b->phrases.n++] = u;
  return last;
}

/* Applies an operator, the item t, to the last phrase. With nothing left of it, it stands for
 * itself, or a dyadic one with its right operand for a monadic one. */
static bool apply_operator(binder *b, segment *s, bnode *op, const tnode *t) {
  static const char no_left[] = "the operator's left operand is missing";
  bnode *axis, *right = NULL, *left = NULL;
  bool alone = b->phrases.n == s->from;
  if (!operator_axis(b, s, &axis)) return false;
  if (alone && s->i == s->n && !axis) return phrase_push(b, s->from, op);
  if (op->kind == B_NAME && env_read(b->e, op->s, op->slot)->cls != C_OP)
    return bind_refuse(b, t, "an operator that the same statement makes");
  bool dyadic = (op->kind == B_CONST ? op->val.f->valence : op->code) == 2;
  if (alone && (!dyadic || axis)) return bind_refuse(b, t, no_left);
  if (!alone && !(left = left_operand(b, op))) return false;
  if (dyadic) {
    right = right_operand(b, s, t);
    if (!right) return false;
  }
  if (alone && s->i < s->n) return bind_refuse(b, t, no_left);
  bnode *kid[] = {op, left, right, axis};
  bnode *d = bind_fold(b, bind_kids(b, B_DERIVED, alone ? C_OP : C_FN, 4, kid));
  if (d && alone) d->code = 1; /* its valence */
  return phrase_push(b, s->from, d);
}

/* ∘. and its operand. */
static bool bind_outer(binder *b, segment *s) {
  const tnode *jot = s->it[s->i], *dot = s->it[s->i + 1];
  s->i += 2;
  bnode *op = bind_operator(b, OP_OUTER, (extent){jot->begin, dot->end});
  if (!op) return false;
  bnode *f = right_operand(b, s, jot);
  bnode *kid[] = {op, f, NULL, NULL};
  if (!f) return false;
  return phrase_push(b, s->from, bind_fold(b, bind_kids(b, B_DERIVED, C_FN, 4, kid)));
}

/* ── phrases ────────────────────────────────────────────────────────────────────────── */

/* The next item, and what belongs to it. */
static bool bind_next(binder *b, segment *s) {
  tnode *t = s->it[s->i];
  const phrase *top = last_phrase(b, s->from);
  bool after_fn = top && top->cls == C_FN;
  if (t->kind == T_OPER && t->code == OP_JOT && s->i + 1 < s->n &&
      is_dot(s->it[s->i + 1]))
    return bind_outer(b, s);
  s->i++;
  bnode *p;
  if (is_dot(t)) p = bind_operator(b, OP_DOT, extent_of(t));
  else p = with_path(b, s, bind_item(b, t, s->i == s->n));
  if (!p) return false;
  uint32_t op = after_fn ? hybrid_of(p) : 0;
  if (op) p = bind_operator(b, op, extent_of_node(p));
  else if (is_hybrid(p) && !after_fn) p = as_function(b, p);
  if (p && p->cls == C_OP) return apply_operator(b, s, p, t);
  return push_bracketed(b, s, p);
}

bool bind_phrases(binder *b, segment *s) {
  while (s->i < s->n) {
    if ((s->i & 0xFF) == 0xFF && interrupted(b->v->c)) return false;
    if (!bind_next(b, s)) return false;
  }
  return true;
}
