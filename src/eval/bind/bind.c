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
 * is kept and raised like any other. */
#include "binder.h"
#include <string.h>
#include "../value/items.h"

static bool is_dot(const tnode *t) {
  return t->kind == T_DOT || (t->kind == T_OPER && t->code == OP_DOT);
}

static bool is_hybrid(const bnode *n) {
  return n->kind == B_CONST && n->cls == C_OP && n->val.f->kind == F_OPER &&
         is_fold(n->val.f->code);
}

static bnode *with_brackets(binder *b, bnode *n, tnode **it, uint32_t count,
                            uint32_t *i) {
  while (n && n->cls != C_OP && *i < count && it[*i]->kind == T_BRACKET)
    n = bind_bracket(b, n, it[(*i)++]);
  return n;
}

/* / ⌿ \ ⍀ where it is a function. */
static bnode *as_function(binder *b, const bnode *op) {
  return bind_constant(b, value_fn(fn_new(b->v, F_REPL, op->val.f->code), C_FN),
                       op->begin, op->end);
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
      if (!(*k++ =
                bind_constant(b, value_arr(literal_numbers(b->v->c, &p->lit->num[i], 1)),
                              p->begin, p->end)))
        return NULL;
    if (!p->lit) *k++ = p;
  }
  return bind_fold(b, bind_kids(b, B_STRAND, C_ARR, n, kid));
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
  bnode *d = bind_fold(b, bind_kids(b, B_DERIVED, alone ? C_OP : C_FN, 4, kid));
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
  r = t->kind == T_NAME ? bind_member(b, on, t) : bind_paren(b, t);
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
  return f && push_unit(b, from, bind_fold(b, bind_kids(b, B_DERIVED, C_FN, 4, kid)));
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
      last = bind_fold(b, bind_kids(b, B_ATOP, C_FN, 2, kid));
      n--;
    } else {
      if (u[n - 2].cls == C_OP) return bind_bad(b, ERR_SYNTAX, g->begin, g->end, "");
      kid[0] = strand(b, &u[n - 2]);
      kid[1] = g;
      kid[2] = last;
      if (!kid[0]) return NULL;
      last = bind_fold(b, bind_kids(b, B_FORK, C_FN, 3, kid));
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
    if (bind_class_now(e, &b->key[i]) != b->key[i].cls) return false;
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
