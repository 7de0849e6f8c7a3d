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
 *   segment    left to right: phrases, which are strands, functions, derived functions
 *              right to left: the phrases become the steps of a chain, or a train
 *
 * Values are not recursive: a chain is a flat list of steps, so that a line of ten thousand
 * additions needs no C stack. A statement that cannot be bound becomes an error node, which
 * is kept and raised like any other. */
#include <string.h>
#include "binder.h"

/* ── chains and trains: right to left ───────────────────────────────────────────────── */

typedef struct chain { /* the value so far */
  bnode *base;         /* NULL: there is none yet */
  uint8_t cls;
  size_t from; /* where its steps begin on b->steps */
} chain;

/* The scalar function of which f is the reduction; P_COUNT: it is something else. */
static prim folded_by(const fn *f) {
  const fn *g = is_scan(f->code) ? NULL : fn_folded(f);
  return g && fn_is_scalar(g, true) ? (prim)g->prim : P_COUNT;
}

/* Is step i a selection x/y or ⍸y of which the next step makes one number? */
static bool selects(const bnode *b, uint32_t i) {
  const step *s = &b->step[i], *next = s + 1;
  if (i + 1 >= b->n || next->kind != S_MONADIC || next->f->kind != B_CONST) return false;
  if (s->kind != S_MONADIC && s->kind != S_DYADIC) return false;
  if (s->f->kind != B_CONST || s->f->cls != C_FN || next->f->cls != C_FN) return false;
  const fn *f = s->f->val.f, *g = next->f->val.f;
  bool counts = fn_is(g, P_TALLY),
       replicates = f->kind == F_REPLICATE && f->code == OP_REDUCE;
  if (s->kind == S_MONADIC) return counts && fn_is(f, P_WHERE);
  return replicates && (counts || folded_by(g) < P_COUNT);
}

/* How step i is run. */
static void finish_step(bnode *b, uint32_t i) {
  step *s = &b->step[i];
  bool known = s->kind <= S_DYADIC && s->f->kind == B_CONST;
  s->prim = P_COUNT;
  if (known && s->f->val.f->kind == F_PRIM) s->prim = s->f->val.f->prim;
  s->run = R_CALL;
  if (s->kind == S_DYADIC && bind_is_open(s->x)) s->run = R_OPEN;
  else if (s->kind == S_SET) s->run = R_SET;
  else if (s->kind == S_MODIFY) {
    s->run = R_MODIFY;
    const fn *f = s->f->kind == B_CONST ? s->f->val.f : NULL;
    if (f && f->kind == F_PRIM) s->on = prim_number_find((prim)f->prim, true);
  } else if (selects(b, i)) s->run = R_SELECT;
  else if (s->prim < P_COUNT) {
    bool tally = s->kind == S_MONADIC && s->prim == P_TALLY;
    s->run = tally ? R_TALLY : R_PRIMITIVE;
    s->on = prim_number_find((prim)s->prim, s->kind == S_DYADIC);
    s->scalar = prim_is_scalar((prim)s->prim, s->kind == S_DYADIC);
  } else if (known && s->kind == S_MONADIC && folded_by(s->f->val.f) < P_COUNT)
    s->run = R_FOLD;
}

/* The chain as a node. */
static bnode *finish(binder *b, const chain *c) {
  uint32_t n = (uint32_t)(b->steps.n - c->from);
  bnode *base = c->base;
  if (!n || !base) return base;
  bnode *r = bind_kids(b, B_CHAIN, c->cls, 1, &base);
  if (!r) return NULL;
  r->step = arena_alloc(b->mem, n * sizeof *r->step);
  if (!r->step) return NULL;
  memcpy(r->step, b->steps.at + c->from, n * sizeof *r->step);
  b->steps.n = c->from;
  r->n = n;
  for (uint32_t i = 0; i < n; i++) {
    const step *s = &r->step[i];
    if (s->begin < r->begin) r->begin = s->begin;
    if (s->x && s->x->begin < r->begin) r->begin = s->x->begin;
    if (s->end > r->end) r->end = s->end;
    finish_step(r, i);
  }
  return bind_flat(b, r);
}

/* f g, f g h: the phrases u[0] to u[n-1], the last of which is no array. */
static bnode *bind_train(binder *b, const phrase *u, size_t n) {
  bnode *last = u[n - 1].first;
  extent hole = {extent_of_node(last).end, extent_of_node(last).end};
  if (n > 1 && u[n - 1].cls != C_FN)
    return bind_bad(b, ERR_SYNTAX, extent_of_node(last), "");
  for (n--; n > 0 && last;) {
    bnode *g = u[n - 1].first;
    extent at = extent_of_node(g);
    if (u[n - 1].cls != C_FN)
      return bind_bad(b, ERR_SYNTAX, hole, "the right argument is missing");
    if (n == 1) {
      bnode *kid[] = {g, last};
      return bind_fold(b, bind_kids(b, B_ATOP, C_FN, 2, kid));
    }
    if (u[n - 2].cls == C_OP) return bind_bad(b, ERR_SYNTAX, at, "");
    bnode *kid[] = {phrase_array(b, &u[n - 2]), g, last};
    if (!kid[0]) return NULL;
    last = bind_fold(b, bind_kids(b, B_FORK, C_FN, 3, kid));
    n -= 2;
  }
  return last;
}

static bool assigns(const tnode *t) {
  if (t->kind != T_PAREN || !t->n || !t->kid[0]) return false;
  const tnode *s = t->kid[0];
  for (uint32_t i = 0; i < s->n; i++)
    if (s->kid[i]->kind == T_ASSIGN) return true;
  return false;
}

/* Parentheses that assign are bound before what is left of them, which sees the new
 * classes. */
static bool bind_assigning(binder *b, tnode **it, uint32_t n) {
  for (uint32_t i = n; i-- > 1;) {
    if (!assigns(it[i])) continue;
    bnode *as = bind_paren(b, it[i]);
    if (!as || !vec_push(b->v->c, &b->early, ((early){it[i], as}))) return false;
  }
  return true;
}

/* Applies the last phrase, with the strand before it if there is one, to the value so far. */
static bool bind_step(binder *b, size_t from) {
  phrase f = b->phrases.at[--b->phrases.n];
  step s = {
      .kind = S_MONADIC, .begin = f.first->begin, .end = f.first->end, .f = f.first};
  if (f.cls != C_FN) {
    extent at = {f.first->begin, f.last->end};
    bind_bad(b, ERR_SYNTAX, at, "a function is missing here");
    return false;
  }
  if (b->phrases.n > from && b->phrases.at[b->phrases.n - 1].cls == C_ARR) {
    phrase x = b->phrases.at[--b->phrases.n];
    s.kind = S_DYADIC;
    s.x = phrase_array(b, &x);
    if (!s.x) return false;
  }
  return vec_push(b->v->c, &b->steps, s);
}

/* One part of a row between arrows: c is what is right of it, and then all. */
static bool bind_segment(binder *b, tnode **it, uint32_t n, chain *c) {
  segment s = {.it = it, .n = n, .from = b->phrases.n};
  bnode *executed = NULL;
  if (!c->base) executed = bind_execute(b, it, n);
  if (err_is(b->v->c)) return false;
  if (executed) {
    c->base = executed;
    c->cls = executed->cls;
    return true;
  }
  if (!bind_assigning(b, it, n) || !bind_phrases(b, &s)) return false;
  if (b->phrases.n == s.from) return c->base != NULL;
  if (c->base &&
      c->cls != C_ARR) { /* a function was assigned: the last part of a train */
    bnode *f = finish(b, c);
    c->base = NULL;
    if (!phrase_push(b, s.from, f)) return false;
  }
  const phrase *top = &b->phrases.at[b->phrases.n - 1];
  if (!c->base && top->cls != C_ARR) {
    c->cls = top->cls;
    c->base = bind_train(b, b->phrases.at + s.from, b->phrases.n - s.from);
    b->phrases.n = s.from;
    return c->base != NULL;
  }
  if (!c->base) {
    phrase x = b->phrases.at[--b->phrases.n];
    c->cls = C_ARR;
    c->base = phrase_array(b, &x);
    if (!c->base) return false;
  }
  while (b->phrases.n > s.from)
    if (!bind_step(b, s.from)) return false;
  return true;
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

/* Those of a name are linked from the left; they are met from the right but for parentheses. */
static bool note_override(binder *b, override o) {
  if (!vec_push(b->v->c, &b->overrides, o)) return false;
  override *all = b->overrides.at, *new = all + b->overrides.n - 1;
  uint32_t *link = &o.s->overrides;
  while (*link && all[*link - 1].at < o.at) link = &all[*link - 1].next;
  new->next = *link;
  *link = (uint32_t)b->overrides.n;
  return true;
}

/* What is left of an arrow in the same statement sees the class that the name will have. */
static bool note_class(binder *b, const bnode *t, uint8_t nc) {
  if (t->kind == G_NAME)
    return note_override(b, (override){.s = t->s, .at = t->begin, .cls = nc});
  for (uint32_t i = 0; t->kind == G_STRAND && i < t->n; i++)
    if (!note_class(b, t->kid[i], nc)) return false;
  return true;
}

/* The arrow at it[p] and its target; *begin is the first item of that. */
static bool bind_arrow(binder *b, tnode **it, uint32_t p, uint8_t nc, uint32_t *begin) {
  step s = {.kind = S_SET, .begin = it[p]->begin, .end = it[p]->end};
  if (!bind_target(b, it, p, nc, begin, &s)) return false;
  if (s.f) {
    s.kind = S_MODIFY;
    s.begin = s.f->begin;
    s.end = s.f->end;
  }
  if (!vec_push(b->v->c, &b->steps, s)) return false;
  return s.f || note_class(b, s.x, nc);
}

bnode *bind_row(binder *b, tnode **it, uint32_t n, extent at) {
  chain c = {.from = b->steps.n};
  size_t phrases = b->phrases.n;
  if (out_of_stack(b->v->c)) return NULL;
  uint32_t start = n;
  do {
    uint32_t stop = start;
    while (start > 0 && it[start - 1]->kind != T_ASSIGN) start--;
    if (!bind_segment(b, it + start, stop - start, &c)) {
      if (!c.base && !b->bad && !err_is(b->v->c))
        bind_bad(b, ERR_SYNTAX, at, "a value is missing");
      return NULL;
    }
    if (start && !bind_arrow(b, it, start - 1, c.cls, &start)) return NULL;
  } while (start);
  b->phrases.n = phrases;
  return finish(b, &c);
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

static bound *bound_new(binder *b, bnode *root) {
  bound *r = arena_alloc(b->mem, sizeof *r);
  size_t n = b->keys.n;
  if (!r) return NULL;
  r->n = (uint32_t)n;
  r->of = b->k;
  r->root = root;
  if (n) r->key = arena_alloc(b->mem, n * sizeof *r->key);
  if (n && !r->key) return NULL;
  if (n) memcpy(r->key, b->keys.at, n * sizeof *r->key);
  if (root->kind == B_CHAIN) r->row = root->flat;
  if (root->kind == B_CHAIN && root->n) {
    const step *last = &root->step[root->n - 1];
    r->assigns = last->kind >= S_SET;
    r->sets_default = last->kind == S_SET && last->x->kind == G_ALPHA;
  }
  return r;
}

bound *bind_cached(vm *v, env *e, tnode *stmt) {
  for (bound *k = stmt->cache; k; k = k->next)
    if (bind_fits(e, k)) return k;
  binder b = {.v = v, .e = e, .k = e->body, .mem = &e->body->u->t->mem};
  bnode *root = bind_statement(&b, stmt);
  if (!root && !err_is(v->c)) root = b.bad;
  bound *r = root ? bound_new(&b, root) : NULL;
  if (r) {
    r->next = stmt->cache;
    stmt->cache = r;
  }
  vec_free(v->c, &b.keys);
  for (size_t i = 0; i < b.overrides.n; i++) b.overrides.at[i].s->overrides = 0;
  vec_free(v->c, &b.overrides);
  vec_free(v->c, &b.phrases);
  vec_free(v->c, &b.steps);
  vec_free(v->c, &b.early);
  return r;
}
