/* SPDX-License-Identifier: MIT */
/* bind.c - a statement's row of items becomes applications.
 *
 * What a row means depends on the classes of its names at the moment it runs: f x y may apply
 * f to a strand, or x to y. bind looks the classes up, makes nodes, and keeps the result in
 * the tree together with the classes it relied on, so that a statement in a loop is bound
 * once. From the strongest binding to the weakest: brackets with what is left of them; an
 * operator with its right operand; adjacent arrays as a strand; an operator with everything
 * that can be its left operand; functions with their arguments; the arrow.
 *
 *   row        split at its arrows, from the right; each part is a segment
 *   segment    left to right: units, which are strands, functions, derived functions
 *              right to left: the units become the steps of a chain, or a train
 *
 * Values are not recursive: a chain is a flat list of steps, so that a line of ten thousand
 * additions needs no C stack. A statement that cannot be bound becomes an error node, which
 * is kept and raised like any other. Constants, and functions made of constants, are made
 * here once. */
#include "bind.h"
#include "../../base/utf8.h"
#include <stdio.h>
#include <string.h>

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
static bnode *constant(binder *b, value x, uint32_t begin, uint32_t end) {
  bnode *n = x.cls ? bind_node(b, B_CONST, x.cls, begin, end) : NULL;
  if (n) n->val = x;
  if (n && vec_push(b->v->c, &b->k->u->held, x)) return n;
  value_release(b->v, x);
  return NULL;
}

static value of_arr(arr *a) { return (value){.cls = a ? C_ARR : C_NONE, .a = a}; }
static value of_fn(fn *f, int nc) {
  return (value){.cls = (uint8_t)(f ? nc : C_NONE), .f = f};
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static const uint32_t hybrids[] = {OP_REDUCE, OP_REDUCE1, OP_SCAN, OP_SCAN1};

static uint8_t class_now(env *e, const bkey *k) {
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
  k.cls = class_now(b->e, &k);
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

arr *numbers_of(ctx *c, const tnum *num, int64_t n) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  int kind = 0;
  for (int64_t i = 0; i < n; i++) {
    if (num[i].kind > kind) kind = num[i].kind;
    if (num[i].i < lo) lo = num[i].i;
    if (num[i].i > hi) hi = num[i].i;
  }
  elt type = kind == 2 ? ET_C128 : kind == 1 ? ET_F64 : elt_for_range(lo, hi);
  arr *a = arr_new(c, type, n > 1, &n);
  for (int64_t i = 0; a && i < n; i++) {
    if (kind == 2) arr_put_complex(a, i, num[i].re, num[i].im);
    else if (kind == 1) arr_put_float(a, i, num[i].re);
    else arr_put_int(a, i, num[i].i);
  }
  if (a && !kind) arr_set_range(a, lo, hi);
  return a;
}

static arr *string(ctx *c, const tnode *t) {
  int64_t n = t->n;
  return arr_chars(c, n != 1 || t->dop, &n, t->chars);
}

static bnode *literal(binder *b, tnode *t) {
  ctx *c = b->v->c;
  if (t->kind == T_ZILDE)
    return constant(b, of_arr(arr_vec(c, ET_I8, 0)), t->begin, t->end);
  if (t->kind == T_STRING) return constant(b, of_arr(string(c, t)), t->begin, t->end);
  bnode *n = constant(b, of_arr(numbers_of(c, t->num, t->n)), t->begin, t->end);
  if (n && t->n > 1) n->lit = t;
  return n;
}

/* ── folding of constants ───────────────────────────────────────────────────────────── */

/* A node all of whose kids are constants becomes one. The makers of functions can fail only
 * for what a program got wrong, which must wait until it runs. */
static bnode *fold_constant(binder *b, bnode *n) {
  value r;
  if (!n) return NULL;
  for (uint32_t i = 0; i < n->n; i++)
    if (n->kid[i] && n->kid[i]->kind != B_CONST) return n;
  if (eval(b->v, b->e, n, &r)) return constant(b, r, n->begin, n->end);
  if (b->v->c->err.code == ERR_WS_FULL) return NULL;
  err_clear(b->v->c);
  return n;
}

/* ── items ──────────────────────────────────────────────────────────────────────────── */

static bool is_dot(const tnode *t) {
  return t->kind == T_DOT || (t->kind == T_OPER && t->code == OP_DOT);
}

static bool is_hybrid(const bnode *n) {
  return n->kind == B_CONST && n->cls == C_OP && n->val.f->kind == F_OPER &&
         is_fold(n->val.f->code);
}

/* on.t, t being the name of a field. */
static bnode *member(binder *b, bnode *on, tnode *t) {
  bnode *name = bind_node(b, B_ERROR, C_ARR, t->begin, t->end), *kid[] = {on, name};
  if (name) name->text = t->text;
  return name ? bind_kids(b, B_MEMBER, C_ARR, 2, kid) : NULL;
}

static bnode *bind_name(binder *b, tnode *t) {
  if (b->record && record_has(t->text)) return member(b, b->record, t);
  uint8_t nc = class_or_hybrid(b, t);
  bnode *n =
      nc ? bind_node(b, B_NAME, nc >= C_HYBRID ? C_FN : nc, t->begin, t->end) : NULL;
  if (!n) return NULL;
  n->s = symbol_of(b->v, t);
  n->slot = slot_of(b->k, n->s);
  if (nc >= C_HYBRID) n->code = hybrids[nc - C_HYBRID];
  return n;
}

static bnode *bind_operator(binder *b, uint32_t op, uint32_t begin, uint32_t end) {
  fn *f = fn_new(b->v, F_OPER, op);
  if (f) f->valence = (uint8_t)oper_valence(op);
  return constant(b, of_fn(f, C_OP), begin, end);
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
    return constant(b, of_fn(fn_new(b->v, F_SYS, (uint32_t)row), C_FN), t->begin, t->end);
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
    return f ? constant(b, of_fn(fn_retain(f), C_FN), t->begin, t->end) : NULL;
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
static bnode *bind_item(binder *b, tnode *t, bool last) {
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
  return n && on->cls == C_FN ? fold_constant(b, n) : n;
}

static bnode *with_brackets(binder *b, bnode *n, tnode **it, uint32_t count,
                            uint32_t *i) {
  while (n && n->cls != C_OP && *i < count && it[*i]->kind == T_BRACKET)
    n = bind_bracket(b, n, it[(*i)++]);
  return n;
}

/* / ⌿ \ ⍀ where it is a function. */
static bnode *as_function(binder *b, const bnode *op) {
  return constant(b, of_fn(fn_new(b->v, F_REPL, op->val.f->code), C_FN), op->begin,
                  op->end);
}

/* ── units: left to right ───────────────────────────────────────────────────────────── */

/* The array that a strand's parts make. */
static bnode *strand(binder *b, const run_of *u) {
  if (u->n == 1) return u->first;
  uint32_t n = 0;
  for (bnode *p = u->first; p; p = p->next) n += p->lit ? p->lit->n : 1;
  bnode **kid = arena_alloc(b->mem, n * sizeof *kid), **k = kid;
  if (!kid) return NULL;
  for (bnode *p = u->first; p; p = p->next) {
    for (uint32_t i = 0; p->lit && i < p->lit->n; i++)
      if (!(*k++ = constant(b, of_arr(numbers_of(b->v->c, &p->lit->num[i], 1)), p->begin,
                            p->end)))
        return NULL;
    if (!p->lit) *k++ = p;
  }
  return fold_constant(b, bind_kids(b, B_STRAND, C_ARR, n, kid));
}

static bool push_unit(binder *b, size_t from, bnode *n) {
  run_of *top = b->units.n > from ? &b->units.at[b->units.n - 1] : NULL;
  if (!n) return false;
  if (n->cls == C_ARR && top && top->cls == C_ARR) {
    top->last->next = n;
    top->last = n;
    top->n++;
    return true;
  }
  run_of u = {n, n, 1, n->cls, NULL, 0};
  return vec_push(b->v->c, &b->units, u);
}

/* May the item be part of a strand? A name only if it is an array's. */
static bool is_strandable(binder *b, tnode *t) {
  switch ((tkind)t->kind) {
  case T_NUMBERS:
  case T_STRING:
  case T_ZILDE:
  case T_OMEGA:
  case T_VECTOR:
  case T_MATRIX: return true;
  case T_NAME:
  case T_PAREN:
  case T_ALPHA:
  case T_ALPHA2:
  case T_OMEGA2:
  case T_SYSNAME: {
    bnode *n = bind_item(b, t, false);
    if (n && t->kind == T_PAREN && !vec_push(b->v->c, &b->seen, ((looked){t, n})))
      return false;
    return n && n->cls == C_ARR;
  }
  default: return false;
  }
}

/* What is to the right of a dyadic operator: one function, or a strand. */
static bnode *right_operand(binder *b, tnode **it, uint32_t n, uint32_t *i,
                            const tnode *op) {
  if (*i >= n) return bind_syntax(b, op, "the operator's right operand is missing");
  tnode *t = it[(*i)++];
  bnode *r = bind_item(b, t, false);
  if (r && is_hybrid(r)) r = as_function(b, r);
  if (r && r->cls == C_OP) return bind_syntax(b, t, "an operator cannot be an operand");
  r = with_brackets(b, r, it, n, i);
  if (!r || r->cls != C_ARR) return r;
  run_of u = {r, r, 1, C_ARR, NULL, 0};
  while (*i < n && is_strandable(b, it[*i])) {
    t = it[(*i)++];
    if (!(r = bind_item(b, t, *i == n))) return NULL;
    u.last = u.last->next = r;
    u.n++;
  }
  return b->bad ? NULL : with_brackets(b, strand(b, &u), it, n, i);
}

static int valence_of(const bnode *op, env *e) {
  if (op->kind == B_CONST) return op->val.f->valence;
  if (op->kind == B_NAME) return env_find(e, op->s, op->slot)->f->valence;
  return (int)op->code; /* B_DFN, B_DEL2 */
}

/* Applies an operator to the last unit. With nothing left of it, it stands for itself, or a
 * dyadic one with its right operand for a monadic one. */
static bool bind_applied(binder *b, size_t from, bnode *op, tnode **it, uint32_t n,
                         uint32_t *i, tnode *t) {
  bnode *axis = NULL, *right = NULL, *left = NULL;
  bool alone = b->units.n == from;
  if (*i < n && it[*i]->kind == T_BRACKET) {
    tnode *br = it[(*i)++];
    if (br->n != 1 || !br->kid[0] || !bind_indices(b, br, &axis))
      return bind_syntax(b, br, "one axis is wanted here"), false;
  }
  if (alone && *i == n && !axis) return push_unit(b, from, op);
  if (op->kind == B_NAME && env_find(b->e, op->s, op->slot)->cls != C_OP)
    return bind_syntax(b, t, "an operator that the same statement makes"), false;
  bool dyadic = valence_of(op, b->e) == 2;
  if (alone && (!dyadic || axis))
    return bind_syntax(b, t, "the operator's left operand is missing"), false;
  if (!alone) {
    run_of u = b->units.at[--b->units.n];
    if (!(left = strand(b, &u))) return false;
  }
  if (dyadic && !(right = right_operand(b, it, n, i, t))) return false;
  if (alone && *i < n)
    return bind_syntax(b, t, "the operator's left operand is missing"), false;
  bnode *kid[] = {op, left, right, axis};
  bnode *d = fold_constant(b, bind_kids(b, B_DERIVED, alone ? C_OP : C_FN, 4, kid));
  if (d && alone) d->code = 1; /* its valence */
  return push_unit(b, from, d);
}

/* The last array of the units, with what follows the point: a field, or (an expression with
 * fields). */
static bool bind_dot(binder *b, size_t from, tnode **it, uint32_t n, uint32_t *i) {
  tnode *t = it[*i];
  run_of *top = b->units.n > from ? &b->units.at[b->units.n - 1] : NULL;
  bool field =
      *i < n && top && top->cls == C_ARR && (t->kind == T_NAME || t->kind == T_PAREN);
  if (!field)
    return bind_bad(b, ERR_NONCE, it[*i - 1]->begin, it[*i - 1]->end,
                    "namespaces are not in this version"),
           false;
  bnode *on = arena_alloc(b->mem, sizeof *on), *outer = b->record, *r;
  if (!on) return false;
  *on = *top->last;
  ++*i;
  b->record = on;
  r = t->kind == T_NAME ? member(b, on, t) : bind_paren(b, t);
  b->record = outer;
  if (r) r = with_brackets(b, r, it, n, i);
  if (!r) return false;
  top = &b->units.at[b->units.n - 1];
  *top->last = *r;
  top->last->next = NULL;
  return true;
}

static bool bind_outer(binder *b, size_t from, tnode **it, uint32_t n, uint32_t *i) {
  tnode *t = it[*i];
  *i += 2;
  bnode *op = bind_operator(b, OP_OUTER, t->begin, it[*i - 1]->end);
  bnode *f = op ? right_operand(b, it, n, i, t) : NULL;
  bnode *kid[] = {op, f, NULL, NULL};
  return f && push_unit(b, from, fold_constant(b, bind_kids(b, B_DERIVED, C_FN, 4, kid)));
}

/* An item that brackets may follow: they index the strand that it ends, a b[1] being (a b)[1],
 * back to the last item that has brackets of its own. */
static bool push_bracketed(binder *b, size_t from, bnode *p, tnode **it, uint32_t n,
                           uint32_t *i) {
  if (!p || p->cls != C_ARR || *i >= n || it[*i]->kind != T_BRACKET)
    return push_unit(b, from, with_brackets(b, p, it, n, i));
  if (!push_unit(b, from, p)) return false;
  run_of u = b->units.at[b->units.n - 1],
         part = u; /* binding the brackets may move the units */
  if (u.cut) part = (run_of){u.cut->next, u.last, u.n - u.cut_n, C_ARR, NULL, 0};
  bnode *r = with_brackets(b, strand(b, &part), it, n, i);
  if (!r) return false;
  if (u.cut) u.cut->next = r;
  else u.first = r;
  u.last = u.cut = r;
  u.n = ++u.cut_n;
  b->units.at[b->units.n - 1] = u;
  return true;
}

/* A name for / ⌿ \ ⍀, or one in parentheses, is the operator behind a function: its code. */
static uint32_t hybrid_of(const bnode *p) {
  if (p->cls != C_FN) return 0;
  if (p->kind == B_NAME) return p->code;
  return p->kind == B_CONST && p->val.f->kind == F_REPL ? p->val.f->code : 0;
}

/* The units of a segment, on b->units from `from` on. */
static bool bind_units(binder *b, tnode **it, uint32_t n, size_t from) {
  for (uint32_t i = 0, op; i < n;) {
    tnode *t = it[i];
    bool after_fn = b->units.n > from && b->units.at[b->units.n - 1].cls == C_FN;
    if (t->kind == T_OPER && t->code == OP_JOT && i + 1 < n && is_dot(it[i + 1])) {
      if (!bind_outer(b, from, it, n, &i)) return false;
      continue;
    }
    i++;
    bnode *p;
    if (t->kind == T_DOT && !after_fn) {
      if (!bind_dot(b, from, it, n, &i)) return false;
      continue;
    }
    if (is_dot(t)) p = bind_operator(b, OP_DOT, t->begin, t->end);
    else p = bind_item(b, t, i == n);
    if (!p) return false;
    if (is_hybrid(p) && !after_fn) p = as_function(b, p);
    if (after_fn && p && (op = hybrid_of(p))) p = bind_operator(b, op, p->begin, p->end);
    if (p && p->cls == C_OP) {
      if (!bind_applied(b, from, p, it, n, &i, t)) return false;
    } else if (!push_bracketed(b, from, p, it, n, &i)) return false;
  }
  return true;
}

/* ── chains and trains: right to left ───────────────────────────────────────────────── */

/* The value so far with the steps that have been made of it. */
static bnode *finish(binder *b, bnode *base, uint8_t nc, size_t from) {
  uint32_t n = (uint32_t)(b->steps.n - from);
  if (!n || !base) return base;
  bnode *r = bind_kids(b, B_CHAIN, nc, 1, &base);
  if (!r || !(r->step = arena_alloc(b->mem, n * sizeof *r->step))) return NULL;
  memcpy(r->step, b->steps.at + from, n * sizeof *r->step);
  b->steps.n = from;
  r->n = n;
  for (uint32_t i = 0; i < n; i++) {
    const step *s = &r->step[i];
    uint32_t begin = s->x && s->x->begin < s->begin ? s->x->begin : s->begin;
    if (begin < r->begin) r->begin = begin;
    if (s->end > r->end) r->end = s->end;
  }
  return r;
}

static bnode *bind_train(binder *b, size_t from) {
  run_of *u = b->units.at + from;
  size_t n = b->units.n - from;
  bnode *last = u[n - 1].first;
  if (n > 1 && u[n - 1].cls != C_FN)
    return bind_bad(b, ERR_SYNTAX, last->begin, last->end, "");
  for (n--; n > 0 && last;) {
    bnode *g = u[n - 1].first, *kid[3] = {g, last, NULL};
    if (u[n - 1].cls != C_FN)
      return bind_bad(b, ERR_SYNTAX, g->begin, g->end, "the right argument is missing");
    if (n == 1) {
      last = fold_constant(b, bind_kids(b, B_ATOP, C_FN, 2, kid));
      n--;
    } else {
      if (u[n - 2].cls == C_OP) return bind_bad(b, ERR_SYNTAX, g->begin, g->end, "");
      kid[0] = strand(b, &u[n - 2]);
      kid[1] = g;
      kid[2] = last;
      if (!kid[0]) return NULL;
      last = fold_constant(b, bind_kids(b, B_FORK, C_FN, 3, kid));
      n -= 2;
    }
  }
  b->units.n = from;
  return last;
}

/* Parentheses that assign are bound before what is left of them, which sees the new classes. */
static bool bind_assigning(binder *b, tnode **it, uint32_t n) {
  for (uint32_t i = n; i-- > 1;) {
    const tnode *s = it[i]->kind == T_PAREN && it[i]->n ? it[i]->kid[0] : NULL;
    bool assigns = false;
    for (uint32_t k = 0; s && k < s->n; k++) assigns |= s->kid[k]->kind == T_ASSIGN;
    bnode *as = assigns ? bind_paren(b, it[i]) : NULL;
    if (assigns && (!as || !vec_push(b->v->c, &b->seen, ((looked){it[i], as}))))
      return false;
  }
  return true;
}

/* One part of a row between arrows. *base and the steps from `from` on are the value of what
 * is right of it (*base NULL: nothing), and then of all. */
static bool bind_segment(binder *b, tnode **it, uint32_t n, bnode **base, uint8_t *nc,
                         size_t from) {
  size_t u0 = b->units.n;
  if (!bind_assigning(b, it, n) || !bind_units(b, it, n, u0)) return false;
  if (b->units.n == u0) return *base != NULL;
  if (*base && *nc != C_ARR) { /* a function was assigned: the last part of a train */
    bnode *f = finish(b, *base, *nc, from);
    *base = NULL;
    if (!f || !push_unit(b, u0, f)) return false;
  }
  run_of *top = &b->units.at[b->units.n - 1];
  if (!*base && top->cls != C_ARR) {
    *nc = top->cls;
    return (*base = bind_train(b, u0)) != NULL;
  }
  if (!*base) {
    *nc = C_ARR;
    if (!(*base = strand(b, top))) return false;
    b->units.n--;
  }
  while (b->units.n > u0) {
    run_of f = b->units.at[--b->units.n],
           *x = b->units.n > u0 ? &b->units.at[b->units.n - 1] : NULL;
    step s = {S_MONADIC, f.first->begin, f.first->end, f.first, NULL};
    if (f.cls != C_FN)
      return bind_bad(b, ERR_SYNTAX, f.first->begin, f.last->end,
                      "a function is missing here"),
             false;
    if (x && x->cls == C_ARR) {
      s.kind = S_DYADIC;
      if (!(s.x = strand(b, x))) return false;
      b->units.n--;
    }
    if (!vec_push(b->v->c, &b->steps, s)) return false;
  }
  return true;
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

/* What is left of an arrow in the same statement sees the class that the name will have. */
static bool note_class(binder *b, const bnode *t, uint8_t nc) {
  if (t->kind == G_NAME)
    return vec_push(b->v->c, &b->overs, ((over){t->s, t->begin, nc}));
  for (uint32_t i = 0; t->kind == G_STRAND && i < t->n; i++)
    if (!note_class(b, t->kid[i], nc)) return false;
  return true;
}

bnode *bind_row(binder *b, tnode **it, uint32_t n, uint32_t begin, uint32_t end) {
  bnode *base = NULL;
  uint8_t nc = C_NONE;
  size_t from = b->steps.n, units = b->units.n;
  if (deep(b->v)) return NULL;
  for (uint32_t stop = n, start;; stop = start) {
    for (start = stop; start > 0 && it[start - 1]->kind != T_ASSIGN;) start--;
    if (!bind_segment(b, it + start, stop - start, &base, &nc, from)) {
      if (!base && !b->bad && !err_is(b->v->c))
        bind_bad(b, ERR_SYNTAX, begin, end, "a value is missing");
      return NULL;
    }
    if (!start) break;
    step s = {.begin = it[start - 1]->begin, .end = it[start - 1]->end};
    if (!bind_target(b, it, start - 1, nc, &start, &s)) return NULL;
    s.kind = s.f ? S_MODIFY : S_SET;
    if (s.f) s.begin = s.f->begin, s.end = s.f->end;
    if (!vec_push(b->v->c, &b->steps, s)) return NULL;
    if (!s.f && !note_class(b, s.x, nc)) return NULL;
    if (!start) break;
  }
  b->units.n = units;
  return finish(b, base, nc, from);
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

static bool fits(env *e, const bound *b) {
  for (uint32_t i = 0; i < b->n; i++)
    if (class_now(e, &b->key[i]) != b->key[i].cls) return false;
  return true;
}

static bound *bound_new(binder *b, bnode *root) {
  bound *r = arena_alloc(b->mem, sizeof *r);
  size_t n = b->keys.n;
  if (!r || (n && !(r->key = arena_alloc(b->mem, n * sizeof *r->key)))) return NULL;
  if (n) memcpy(r->key, b->keys.at, n * sizeof *r->key);
  r->n = (uint32_t)n;
  r->root = root;
  if (root->kind == B_CHAIN && root->n) {
    const step *last = &root->step[root->n - 1];
    r->assigns = last->kind >= S_SET;
    r->defaults = last->kind == S_SET && last->x->kind == G_ALPHA;
  }
  return r;
}

bound *bind(vm *v, env *e, tnode *stmt) {
  for (bound *k = stmt->cache; k; k = k->next)
    if (fits(e, k)) return k;
  binder b = {.v = v, .e = e, .k = e->body, .mem = &e->body->u->t->mem};
  bnode *root = bind_row(&b, stmt->kid, stmt->n, stmt->begin, stmt->end);
  if (!root && !err_is(v->c)) root = b.bad;
  bound *r = root ? bound_new(&b, root) : NULL;
  if (r) {
    r->next = stmt->cache;
    stmt->cache = r;
  }
  vec_free(v->c, &b.keys);
  vec_free(v->c, &b.overs);
  vec_free(v->c, &b.seen);
  vec_free(v->c, &b.units);
  vec_free(v->c, &b.steps);
  return r;
}
