/* SPDX-License-Identifier: MIT */
/* item.c - one item of a row: a literal, a name, a primitive, what stands in brackets. */
#include <string.h>
#include "../../base/utf8.h"
#include "../value/items.h"
#include "../value/sysname.h"
#include "binder.h"

/* ── literals ───────────────────────────────────────────────────────────────────────── */

/* One character in single quotes is a scalar. */
static arr *string(ctx *c, const tnode *t) {
  int64_t n = t->n;
  return arr_chars(c, n != 1 || t->code == '"', &n, t->chars);
}

static bnode *literal(binder *b, tnode *t) {
  ctx *c = b->v->c;
  arr *a;
  if (t->kind == T_ZILDE) a = arr_vec(c, ET_I8, 0);
  else if (t->kind == T_STRING) a = string(c, t);
  else a = literal_numbers(c, t->num, t->n);
  bnode *n = bind_constant(b, value_arr(a), extent_of(t));
  if (n && t->kind == T_NUMBERS && t->n > 1) n->lit = t;
  return n;
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static bnode *bind_name(binder *b, tnode *t) {
  uint8_t nc = bind_class_or_hybrid(b, t);
  if (!nc) return NULL;
  bkind kind = nc == C_NILADIC ? B_NILADIC : B_NAME;
  bnode *n = bind_node(b, kind, bind_plain_class(nc), extent_of(t));
  if (!n) return NULL;
  n->s = symbol_of(b->v, t);
  n->slot = slot_of(b->k, n->s);
  n->code = bind_code(nc);
  return n;
}

bnode *bind_operator(binder *b, uint32_t op, extent at) {
  fn *f = fn_new(b->v, F_OPER, op);
  const oper_row *row = oper_find(op);
  if (f && row) f->valence = row->valence;
  return bind_constant(b, value_fn(f, C_OP), at);
}

/* A ⎕-name that there is not. */
static bnode *no_system(binder *b, const tnode *t) {
  extent at = extent_of(t);
  if (sys_known(t->text, t->n))
    return bind_error(b, C_ARR, ERR_NONCE, at, "%s is not in this version", t->text);
  return bind_error(b, C_ARR, ERR_SYNTAX, at, "there is no system name %s", t->text);
}

bnode *bind_system(binder *b, tnode *t, bool last) {
  extent at = extent_of(t);
  int row = sys_find(t->text, t->n);
  if (row < 0) return no_system(b, t);
  int nc = sys_class(row);
  if (nc == C_OP) return bind_operator(b, sys_oper(row), at);
  if (nc == C_FN && last && sys_stands_alone(row)) nc = C_ARR; /* no argument */
  if (nc == C_FN) {
    fn *f = fn_new(b->v, F_SYS, (uint32_t)row);
    return bind_constant(b, value_fn(f, C_FN), at);
  }
  bnode *n = bind_node(b, B_SYS, C_ARR, at);
  if (n) n->code = (uint32_t)row;
  return n;
}

static bnode *bind_greek(binder *b, tnode *t) {
  static const uint8_t kinds[] = {B_ALPHA, B_OMEGA, B_LOP, B_ROP, B_DEL, B_DEL2};
  bkind kind = (bkind)kinds[t->kind - T_ALPHA];
  const tnode *dfn = b->k->node;
  uint8_t nc;
  if (!dfn) return bind_syntax(b, t, "it has a meaning only within a dfn");
  if (kind == B_DEL2 && !dfn->dop) return bind_syntax(b, t, "∇∇ outside an operator");
  switch (kind) {
  case B_OMEGA: nc = C_ARR; break;
  case B_DEL: nc = C_FN; break;
  case B_DEL2: nc = C_OP; break;
  default: nc = bind_class_of(b, kind);
  }
  if (!nc) return NULL;
  bnode *n = bind_node(b, kind, nc, extent_of(t));
  if (n && kind == B_DEL2) n->code = dfn->dop;
  return n;
}

static bnode *bind_prim(binder *b, tnode *t) {
  char glyph[5] = {0};
  if (t->prim < P_COUNT) {
    fn *f = fn_prim(b->v, (prim)t->prim);
    if (!f) return NULL;
    return bind_constant(b, value_fn(fn_retain(f), C_FN), extent_of(t));
  }
  utf8_put(glyph, t->code);
  return bind_error(b, C_FN, ERR_NONCE, extent_of(t), "%s is not in this version", glyph);
}

/* ── ⍎'text' ────────────────────────────────────────────────────────────────────────── */

/* A text that cannot be bound says so when it is run; that memory is out is said now. */
static void forget_error(ctx *c) {
  if (c->err.code != ERR_WS_FULL) err_clear(c);
}

/* What the text's last statement is now, without anything being run; C_ARR if it cannot be
 * known. */
static uint8_t class_of_text(binder *b, const tnode *t) {
  OWNED_STR str s = {.c = b->v->c};
  for (uint32_t i = 0; i < t->n; i++) str_putc(&s, t->chars[i]);
  OWNED_UNIT unit *u = unit_new(b->v, &(vm_text){.name = "", .at = s.at, .n = s.n});
  const tnode *root = u ? u->t->root : NULL;
  if (!root || !root->n || !root->kid[root->n - 1]->n) {
    forget_error(b->v->c);
    return C_ARR;
  }
  bnode *bad = b->bad;
  size_t phrases = b->phrases.n, steps = b->steps.n, ahead = b->early.n;
  bnode *last = bind_statement(b, root->kid[root->n - 1]);
  b->bad = bad;
  b->phrases.n = phrases; /* where it could not be bound some are left */
  b->steps.n = steps;
  b->early.n = ahead;
  if (!last) forget_error(b->v->c);
  return last ? last->cls : C_ARR;
}

bnode *bind_execute(binder *b, tnode **it, uint32_t n) {
  bool fits = n == 2 && it[0]->kind == T_SYSNAME && it[1]->kind == T_STRING;
  if (!fits || strcmp(it[0]->text, "⍎")) return NULL;
  uint8_t nc = class_of_text(b, it[1]);
  if (nc != C_FN && nc != C_OP) return NULL;
  bnode *kid[] = {literal(b, it[1])};
  return kid[0] ? bind_kids(b, B_EXECUTE, nc, 1, kid) : NULL;
}

/* ── what is in parentheses, braces, brackets ───────────────────────────────────────── */

static bnode *member_name(binder *b, tnode *t) {
  bnode *n = bind_node(b, B_NAME, C_ARR, extent_of(t));
  if (!n) return NULL;
  n->s = symbol_of(b->v, t);
  return n->s ? n : NULL;
}

/* Arrays, or of a namespace (name: value ⋄ …) its names and whatever they stand for. */
static bnode *bind_notation(binder *b, tnode *t, bkind kind) {
  bnode **kid = arena_alloc(b->mem, (t->n + 1) * sizeof *kid);
  if (!kid) return NULL;
  for (uint32_t i = 0; i < t->n; i++) {
    if (interrupted(b->v->c)) return NULL;
    bool name = kind == B_SPACE && i % 2 == 0;
    kid[i] = name ? member_name(b, t->kid[i]) : bind_statement(b, t->kid[i]);
    if (!kid[i]) return NULL;
    if (kind != B_SPACE && kid[i]->cls != C_ARR)
      return bind_syntax(b, t->kid[i], "an array is wanted here");
  }
  bnode *n = bind_kids(b, kind, C_ARR, t->n, kid);
  if (!n) return NULL;
  n->begin = t->begin;
  n->end = t->end;
  return n;
}

/* May its result be shy? Not if the last step applies a function that is known, unless it is
 * one of the system's. */
static bool may_be_shy(const bnode *n) {
  if (n->kind != B_CHAIN || !n->n) return false;
  const step *last = &n->step[n->n - 1];
  if (last->kind >= S_SET || last->f->kind != B_CONST) return true;
  return last->f->val.f->kind == F_SYS;
}

bnode *bind_paren(binder *b, tnode *t) {
  size_t n = b->early.n;
  if (n && b->early.at[n - 1].t == t) {
    b->early.n--;
    return b->early.at[n - 1].as;
  }
  if (!t->n || !t->kid[0]) return bind_syntax(b, t, "nothing is in the parentheses");
  bnode *in = bind_statement(b, t->kid[0]);
  if (!in) return NULL;
  /* A chain without steps: what was shy is not any more, and a function in a strand has no
   * argument behind the parenthesis. */
  if (may_be_shy(in) || (in->kind == B_STRAND && bind_is_open(in))) {
    bnode *r = bind_kids(b, B_CHAIN, in->cls, 1, &in);
    if (!r) return NULL;
    r->n = 0;
    return bind_flat(b, r);
  }
  if (!in->lit) return in;
  bnode *r =
      bind_node(b, B_CONST, in->cls, extent_of_node(in)); /* (1 2) 3 has two items */
  if (r) r->val = in->val;
  return r;
}

static bnode *bind_dfn(binder *b, tnode *t) {
  bnode *n = bind_node(b, B_DFN, t->dop ? C_OP : C_FN, extent_of(t));
  if (!n) return NULL;
  n->code = t->dop;
  n->tree = t;
  return n;
}

/* ── namespaces ─────────────────────────────────────────────────────────────────────── */

static bnode *bind_hash(binder *b, tnode *t, bnode *on) {
  bnode *r = on ? bind_kids(b, B_HASH, C_ARR, 1, &on)
                : bind_node(b, B_HASH, C_ARR, extent_of(t));
  if (r) r->code = t->n;
  return r;
}

static bnode *parenthesis(binder *b, tnode *t) {
  if (!t->n || !t->kid[0]) return bind_syntax(b, t, "nothing is in the parentheses");
  bnode *n = bind_node(b, B_STATEMENT, C_ARR, extent_of(t));
  if (n) n->tree = t->kid[0];
  return n;
}

/* Array notation in a namespace: a statement of it alone. */
static bnode *notation_in(binder *b, tnode *t) {
  bnode *n = bind_node(b, B_STATEMENT, C_ARR, extent_of(t));
  tnode *row = arena_alloc(b->mem, sizeof *row);
  tnode **kid = arena_alloc(b->mem, sizeof *kid);
  if (!n || !row || !kid) return NULL;
  *kid = t;
  *row = (tnode){.kind = T_STMT, .begin = t->begin, .end = t->end, .n = 1, .kid = kid};
  n->tree = row;
  return n;
}

/* What t is in the namespace that `on` gives. */
static bnode *member(binder *b, bnode *on, tnode *t, bool last) {
  bnode *kid[2] = {on};
  switch ((tkind)t->kind) {
  case T_HASH: return bind_hash(b, t, on);
  case T_NAME: kid[1] = member_name(b, t); break;
  case T_SYSNAME: kid[1] = bind_system(b, t, last); break;
  case T_PAREN: kid[1] = parenthesis(b, t); break;
  case T_DFN: kid[1] = bind_dfn(b, t); break;
  case T_VECTOR:
  case T_SPACE: kid[1] = notation_in(b, t); break;
  default: return bind_syntax(b, t, "a namespace has no such member");
  }
  if (!kid[1]) return NULL;
  uint8_t nc = kid[1]->cls;
  if (nc == C_OP && t->kind == T_SYSNAME) return kid[1];
  bnode *n = bind_kids(b, B_MEMBER, nc, 2, kid);
  if (!n || t->kind != T_NAME) return n;
  nc = bind_note(b, (bkey){.kind = B_MEMBER, .node = n});
  if (nc == C_NILADIC) kid[1]->kind = B_NILADIC;
  n->cls = bind_plain_class(nc);
  n->code = bind_code(nc);
  return nc ? n : NULL;
}

/* Has the system function `on` functions that names behind a point are of? */
static bool has_named(const bnode *on) {
  return on && on->kind == B_CONST && on->cls == C_FN && on->val.f->kind == F_SYS &&
         sys_valence((int)on->val.f->code) & SYS_AXIS;
}

/* ⎕FIO.fopen is ⎕FIO['fopen']. */
static bnode *named(binder *b, const bnode *on, const tnode *t) {
  fn *f = fn_new(b->v, F_AXIS, 0);
  if (!f) return NULL;
  f->l = value_retain(on->val);
  f->axis = arr_text(b->v->c, t->text, t->n);
  extent at = {on->begin, t->end};
  if (f->axis) return bind_constant(b, value_fn(f, C_FN), at);
  fn_release(f);
  return NULL;
}

bnode *bind_members(binder *b, segment *s, bnode *on) {
  bool point = s->i + 1 < s->n && s->it[s->i]->kind == T_DOT;
  if (point && s->it[s->i + 1]->kind == T_NAME && has_named(on)) {
    s->i += 2;
    return named(b, on, s->it[s->i - 1]);
  }
  while (on && on->cls == C_ARR && s->i + 1 < s->n && s->it[s->i]->kind == T_DOT) {
    s->i += 2;
    on = member(b, on, s->it[s->i - 1], s->i == s->n);
  }
  return on;
}

/* ── any item ───────────────────────────────────────────────────────────────────────── */

bnode *bind_item(binder *b, tnode *t, bool last) {
  switch ((tkind)t->kind) {
  case T_NUMBERS:
  case T_STRING:
  case T_ZILDE: return literal(b, t);
  case T_NAME: return bind_name(b, t);
  case T_SYSNAME: return bind_system(b, t, last);
  case T_ALPHA:
  case T_OMEGA:
  case T_ALPHA2:
  case T_OMEGA2:
  case T_DEL:
  case T_DEL2: return bind_greek(b, t);
  case T_PRIM: return bind_prim(b, t);
  case T_OPER: return bind_operator(b, t->code, extent_of(t));
  case T_PAREN: return bind_paren(b, t);
  case T_DFN: return bind_dfn(b, t);
  case T_VECTOR: return bind_notation(b, t, B_VECTOR);
  case T_MATRIX: return bind_notation(b, t, B_MATRIX);
  case T_BRANCH:
    return bind_syntax(b, t,
                       "→ stands where a statement of a traditional function begins");
  case T_HASH: return bind_hash(b, t, NULL);
  case T_SPACE: return bind_notation(b, t, B_SPACE);
  case T_BRACKET:
    return bind_syntax(b, t,
                       "nothing to index is left of the bracket; 1 2 3 is a vector");
  default: return bind_syntax(b, t, "it cannot stand here");
  }
}

bool bind_indices(binder *b, tnode *t, bnode **kid) {
  for (uint32_t i = 0; i < t->n; i++) {
    const tnode *s = t->kid[i];
    kid[i] = NULL;
    if (!s) continue;
    kid[i] = bind_statement(b, s);
    if (!kid[i]) return false;
    if (kid[i]->cls != C_ARR) return bind_refuse(b, s, "an index must be an array");
  }
  return true;
}

bnode *bind_bracket(binder *b, bnode *on, tnode *t) {
  bool axis = on->cls == C_FN;
  bnode **kid = arena_alloc(b->mem, (t->n + 1) * sizeof *kid);
  if (!kid || !bind_indices(b, t, kid + 1)) return NULL;
  kid[0] = on;
  if (axis && (t->n != 1 || !kid[1])) return bind_syntax(b, t, "one axis is wanted here");
  bnode *n = bind_kids(b, axis ? B_AXIS : B_INDEX, on->cls, t->n + 1, kid);
  if (n) n->end = t->end;
  return axis ? bind_fold(b, n) : n;
}
