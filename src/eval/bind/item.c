/* SPDX-License-Identifier: MIT */
/* item.c - one item of a row: a literal, a name, a primitive, what stands in brackets.
 *
 * What is wrong with an item alone becomes an error node, which is raised when it is
 * evaluated. Constants, and functions made of constants, are made here once. */
#include "binder.h"
#include "../../base/utf8.h"
#include <stdio.h>
#include <string.h>
#include "../value/items.h"
#include "../value/record.h"
#include "../value/sysname.h"
#include "derive.h"

/* ── nodes ──────────────────────────────────────────────────────────────────────────── */

bnode *bind_node(binder *b, bkind kind, int nc, uint32_t begin, uint32_t end) {
  bnode *n = arena_alloc(b->mem, sizeof *n);
  if (!n) return NULL;
  n->kind = (uint8_t)kind;
  n->cls = (uint8_t)nc;
  n->begin = begin;
  n->end = end;
  n->slot = -1;
  return n;
}

bnode *bind_kids(binder *b, bkind kind, int nc, uint32_t n, bnode **kid) {
  uint32_t begin = UINT32_MAX, end = 0;
  bnode *r = bind_node(b, kind, nc, 0, 0);
  if (!r || !(r->kid = arena_alloc(b->mem, (n ? n : 1) * sizeof *r->kid))) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    r->kid[i] = kid[i];
    if (kid[i] && kid[i]->begin < begin) begin = kid[i]->begin;
    if (kid[i] && kid[i]->end > end) end = kid[i]->end;
  }
  r->n = n;
  r->begin = begin;
  r->end = end;
  return r;
}

/* An error that is raised when the node is evaluated. */
static bnode *error_node(binder *b, int nc, int code, uint32_t begin, uint32_t end,
                         const char *fmt, const char *arg) {
  char msg[200];
  snprintf(msg, sizeof msg, fmt, arg);
  bnode *n = bind_node(b, B_ERROR, nc, begin, end);
  char *text = n ? arena_alloc(b->mem, strlen(msg) + 1) : NULL;
  if (!text) return NULL;
  memcpy(text, msg, strlen(msg) + 1);
  n->code = (uint32_t)code;
  n->text = text;
  return n;
}

/* The whole statement is wrong: remembers why; NULL. */
bnode *bind_bad(binder *b, int code, uint32_t begin, uint32_t end, const char *msg) {
  if (!b->bad) b->bad = error_node(b, C_ARR, code, begin, end, "%s", msg);
  return NULL;
}

bnode *bind_syntax(binder *b, const tnode *t, const char *msg) {
  return bind_bad(b, ERR_SYNTAX, t->begin, t->end, msg);
}

/* A constant; x's reference goes to the unit. */
bnode *bind_constant(binder *b, value x, uint32_t begin, uint32_t end) {
  bnode *n = x.cls ? bind_node(b, B_CONST, x.cls, begin, end) : NULL;
  if (n) n->val = x;
  if (n && vec_push(b->v->c, &b->k->u->held, x)) return n;
  value_release(x);
  return NULL;
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static const uint32_t hybrids[] = {OP_REDUCE, OP_REDUCE1, OP_SCAN, OP_SCAN1};

uint8_t bind_class_now(env *e, const bkey *k) {
  uint8_t nc = C_ARR;
  if (k->kind == B_NAME) {
    const value *x = env_find(e, k->s, k->slot);
    nc = x->cls;
    for (uint8_t i = 0; nc == C_FN && x->f->kind == F_REPL && i < 4; i++)
      if (x->f->code == hybrids[i]) nc = (uint8_t)(C_HYBRID + i);
  } else if (k->kind == B_ALPHA) nc = e->alpha.cls;
  else if (e->self) nc = k->kind == B_LOP ? e->self->l.cls : e->self->r.cls;
  return nc ? nc : C_ARR; /* an unknown name is taken for an array: VALUE ERROR later */
}

static uint8_t class_by_key(binder *b, bkind kind, sym *s, int slot) {
  bkey k = {.kind = (uint8_t)kind, .slot = slot, .s = s};
  k.cls = bind_class_now(b->e, &k);
  return vec_push(b->v->c, &b->keys, k) ? k.cls : C_NONE;
}

/* C_NONE: out of memory. What stands further right in the statement runs first: of the
 * assignments there the nearest decides. */
static uint8_t class_or_hybrid(binder *b, tnode *t) {
  sym *s = symbol_of(b->v, t);
  const over *near = NULL;
  if (!s) return C_NONE;
  for (const over *o = b->overs.at, *end = o + b->overs.n; o < end; o++)
    if (o->s == s && o->at > t->begin && (!near || o->at < near->at)) near = o;
  if (near) return near->cls;
  return class_by_key(b, B_NAME, s, slot_of(b->k, s));
}

uint8_t bind_class(binder *b, tnode *t) {
  uint8_t nc = class_or_hybrid(b, t);
  return nc >= C_HYBRID ? C_FN : nc;
}

/* ── literals ───────────────────────────────────────────────────────────────────────── */

static arr *string(ctx *c, const tnode *t) {
  int64_t n = t->n;
  return arr_chars(c, n != 1 || t->dop, &n, t->chars);
}

static bnode *literal(binder *b, tnode *t) {
  ctx *c = b->v->c;
  if (t->kind == T_ZILDE)
    return bind_constant(b, value_arr(arr_vec(c, ET_I8, 0)), t->begin, t->end);
  if (t->kind == T_STRING)
    return bind_constant(b, value_arr(string(c, t)), t->begin, t->end);
  bnode *n =
      bind_constant(b, value_arr(literal_numbers(c, t->num, t->n)), t->begin, t->end);
  if (n && t->n > 1) n->lit = t;
  return n;
}

/* ── folding of constants ───────────────────────────────────────────────────────────── */

/* The array that a strand of constants is. */
static arr *strand_of(binder *b, const bnode *n) {
  arr_list items = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < n->n; i++)
    ok = list_add(b->v, &items, arr_retain(n->kid[i]->val.a));
  return list_end(b->v, &items, ok);
}

static value function_of(binder *b, const bnode *n) {
  value part[DERIVE_PARTS] = {{0}};
  for (uint32_t i = 0; i < n->n; i++)
    if (n->kid[i]) part[i] = n->kid[i]->val;
  return value_fn(derive(b->v, n, part), n->cls);
}

/* A node all of whose kids are constants becomes one. The makers of functions can fail only
 * for what a program got wrong, which must wait until it runs. */
bnode *bind_fold(binder *b, bnode *n) {
  value r;
  if (!n) return NULL;
  for (uint32_t i = 0; i < n->n; i++)
    if (n->kid[i] && n->kid[i]->kind != B_CONST) return n;
  if (n->kind == B_STRAND) r = value_arr(strand_of(b, n));
  else r = function_of(b, n);
  if (r.cls) return bind_constant(b, r, n->begin, n->end);
  if (b->v->c->err.code == ERR_WS_FULL) return NULL;
  err_clear(b->v->c);
  return n;
}

/* ── items ──────────────────────────────────────────────────────────────────────────── */

/* on.t, t being the name of a field. */
bnode *bind_member(binder *b, bnode *on, tnode *t) {
  bnode *name = bind_node(b, B_ERROR, C_ARR, t->begin, t->end), *kid[] = {on, name};
  if (name) name->text = t->text;
  return name ? bind_kids(b, B_MEMBER, C_ARR, 2, kid) : NULL;
}

static bnode *bind_name(binder *b, tnode *t) {
  if (b->record && record_has(t->text)) return bind_member(b, b->record, t);
  uint8_t nc = class_or_hybrid(b, t);
  bnode *n =
      nc ? bind_node(b, B_NAME, nc >= C_HYBRID ? C_FN : nc, t->begin, t->end) : NULL;
  if (!n) return NULL;
  n->s = symbol_of(b->v, t);
  n->slot = slot_of(b->k, n->s);
  if (nc >= C_HYBRID) n->code = hybrids[nc - C_HYBRID];
  return n;
}

bnode *bind_operator(binder *b, uint32_t op, uint32_t begin, uint32_t end) {
  fn *f = fn_new(b->v, F_OPER, op);
  const oper_row *row = oper_find(op);
  if (f && row) f->valence = row->valence;
  return bind_constant(b, value_fn(f, C_OP), begin, end);
}

/* `last`: nothing follows, so ⎕OFF has no argument. */
bnode *bind_system(binder *b, tnode *t, bool last) {
  int row = sys_find(t->text, t->n);
  if (row < 0)
    return sys_known(t->text, t->n) ? error_node(b, C_ARR, ERR_NONCE, t->begin, t->end,
                                                 "%s is not in this version", t->text)
                                    : error_node(b, C_ARR, ERR_SYNTAX, t->begin, t->end,
                                                 "there is no system name %s", t->text);
  int nc = sys_class(row);
  if (nc == C_OP) return bind_operator(b, sys_oper(row), t->begin, t->end);
  if (nc == C_FN && last && !strcmp(t->text, "⎕OFF")) nc = C_ARR;
  if (nc == C_FN)
    return bind_constant(b, value_fn(fn_new(b->v, F_SYS, (uint32_t)row), C_FN), t->begin,
                         t->end);
  bnode *n = bind_node(b, B_SYS, C_ARR, t->begin, t->end);
  if (n) n->code = (uint32_t)row;
  return n;
}

static bnode *bind_greek(binder *b, tnode *t) {
  static const uint8_t kinds[] = {B_ALPHA, B_OMEGA, B_LOP, B_ROP, B_DEL, B_DEL2};
  bkind kind = (bkind)kinds[t->kind - T_ALPHA];
  tnode *dfn = b->k->node;
  uint8_t nc = C_ARR;
  if (!dfn) return bind_syntax(b, t, "it has a meaning only within a dfn");
  if (kind == B_DEL2 && !dfn->dop) return bind_syntax(b, t, "∇∇ outside an operator");
  if (kind == B_ALPHA || kind == B_LOP || kind == B_ROP)
    nc = class_by_key(b, kind, NULL, 0);
  else if (kind != B_OMEGA) nc = kind == B_DEL ? C_FN : C_OP;
  bnode *n = nc ? bind_node(b, kind, nc, t->begin, t->end) : NULL;
  if (n && kind == B_DEL2) n->code = dfn->dop;
  return n;
}

static bnode *bind_prim(binder *b, tnode *t) {
  char glyph[5] = {0};
  if (t->prim < P_COUNT) {
    fn *f = fn_prim(b->v, (prim)t->prim);
    return f ? bind_constant(b, value_fn(fn_retain(f), C_FN), t->begin, t->end) : NULL;
  }
  utf8_put(glyph, t->code);
  return error_node(b, C_FN, ERR_NONCE, t->begin, t->end, "%s is not in this version",
                    glyph);
}

static bnode *bind_parts(binder *b, tnode *t, bkind kind) {
  bnode **kid = arena_alloc(b->mem, t->n * sizeof *kid);
  for (uint32_t i = 0; kid && i < t->n; i++) {
    kid[i] = bind_row(b, t->kid[i]->kid, t->kid[i]->n, t->kid[i]->begin, t->kid[i]->end);
    if (!kid[i]) return NULL;
    if (kid[i]->cls != C_ARR) return bind_syntax(b, t->kid[i], "an array is wanted here");
  }
  bnode *n = kid ? bind_kids(b, kind, C_ARR, t->n, kid) : NULL;
  if (!n) return NULL;
  n->begin = t->begin;
  n->end = t->end;
  return n;
}

/* A parenthesis is what is in it, but what was shy in it is not shy any more. */
bnode *bind_paren(binder *b, tnode *t) {
  size_t seen = b->seen.n;
  if (seen && b->seen.at[seen - 1].t == t) return b->seen.at[--b->seen.n].as;
  if (!t->n || !t->kid[0]) return bind_syntax(b, t, "nothing is in the parentheses");
  tnode *s = t->kid[0];
  bnode *r = bind_row(b, s->kid, s->n, s->begin, s->end);
  const step *last = r && r->kind == B_CHAIN && r->n ? &r->step[r->n - 1] : NULL;
  bool known = last && last->kind < S_SET && last->f->kind == B_CONST;
  if (last && !(known && last->f->val.f->kind != F_SYS)) { /* its result may be shy */
    bnode *in = r;
    if (!(r = bind_kids(b, B_CHAIN, in->cls, 1, &in))) return NULL;
    r->n = 0;
  } else if (r && r->lit) { /* (1 2) 3 has two items */
    bnode *copy = bind_node(b, B_CONST, r->cls, r->begin, r->end);
    if (!copy) return NULL;
    copy->val = r->val;
    r = copy;
  }
  return r;
}

static bnode *bind_dfn(binder *b, tnode *t) {
  bnode *n = bind_node(b, B_DFN, t->dop ? C_OP : C_FN, t->begin, t->end);
  if (!n) return NULL;
  n->code = t->dop;
  n->tree = t;
  return n;
}

static bnode *nonce(binder *b, const tnode *t, int nc, const char *what) {
  return error_node(b, nc, ERR_NONCE, t->begin, t->end, "%s not in this version", what);
}

/* One item, brackets not yet attached. */
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
  case T_OPER: return bind_operator(b, t->code, t->begin, t->end);
  case T_PAREN: return bind_paren(b, t);
  case T_DFN: return bind_dfn(b, t);
  case T_VECTOR: return bind_parts(b, t, B_VECTOR);
  case T_MATRIX: return bind_parts(b, t, B_MATRIX);
  case T_BRANCH: return nonce(b, t, last ? C_ARR : C_FN, "→ is");
  case T_HASH:
  case T_SPACE: return nonce(b, t, C_ARR, "namespaces are");
  case T_BRACKET: return bind_syntax(b, t, "nothing to index is left of the bracket");
  default: return bind_syntax(b, t, "it cannot stand here");
  }
}

/* ── brackets ───────────────────────────────────────────────────────────────────────── */

/* The statements in a bracket; NULL where elided. */
bool bind_indices(binder *b, tnode *t, bnode **kid) {
  for (uint32_t i = 0; i < t->n; i++) {
    tnode *s = t->kid[i];
    kid[i] = s ? bind_row(b, s->kid, s->n, s->begin, s->end) : NULL;
    if (s && !kid[i]) return false;
    if (s && kid[i]->cls != C_ARR)
      return bind_syntax(b, s, "an index must be an array"), false;
  }
  return true;
}

/* What stands in the brackets behind an item: an index or an axis. */
bnode *bind_bracket(binder *b, bnode *on, tnode *t) {
  bnode **kid = arena_alloc(b->mem, (t->n + 1) * sizeof *kid);
  if (!kid || !bind_indices(b, t, kid + 1)) return NULL;
  kid[0] = on;
  if (on->cls == C_FN && (t->n != 1 || !kid[1]))
    return bind_syntax(b, t, "one axis is wanted here");
  bnode *n = bind_kids(b, on->cls == C_FN ? B_AXIS : B_INDEX, on->cls, t->n + 1, kid);
  if (n) n->end = t->end;
  return n && on->cls == C_FN ? bind_fold(b, n) : n;
}
