/* SPDX-License-Identifier: MIT */
/* idiom.c - which operands are idioms, by what they are bound to: blanks, comments and
 * redundant parentheses make no difference. */
#include "../bind/bind.h"
#include "idiom.h"

/* What the first `steps` steps of a chain give, or what any other node gives. */
typedef struct expr {
  const bnode *b;
  uint32_t steps;
} expr;

static expr expr_of(const bnode *b) {
  while (b->kind == B_CHAIN && !b->n) b = b->kid[0]; /* a parenthesis */
  if (b->kind != B_CHAIN) return (expr){b, 0};
  return (expr){b, b->n};
}

static bool is_node(const bnode *b, bkind kind) { return expr_of(b).b->kind == kind; }

/* The function application that e is: NULL if it is none, else *y is its right argument. */
static const step *application(expr e, expr *y) {
  if (!e.steps) return NULL;
  if (e.steps > 1) *y = (expr){e.b, e.steps - 1};
  else *y = expr_of(e.b->kid[0]);
  return &e.b->step[e.steps - 1];
}

static bool is_prim(const bnode *f, prim p) {
  return f->kind == B_CONST && f->cls == C_FN && fn_is(f->val.f, p);
}

/* ≢⍵ */
static bool is_size(expr e) {
  expr y;
  const step *s = application(e, &y);
  if (!s || s->kind != S_MONADIC || !is_prim(s->f, P_TALLY)) return false;
  return !y.steps && y.b->kind == B_OMEGA;
}

static key_idiom key_idiom_of_node(const bnode *b) {
  expr e = expr_of(b), y;
  if (is_size(e)) return KEY_SIZE;
  if (e.b->kind == B_STRAND) {
    bnode **item = e.b->kid;
    bool pair = e.b->n == 2 && is_node(item[0], B_ALPHA) && is_size(expr_of(item[1]));
    if (pair) return KEY_STRANDED;
    return KEY_NONE;
  }
  const step *s = application(e, &y);
  if (!s || s->kind != S_DYADIC || !is_prim(s->f, P_COMMA)) return KEY_NONE;
  if (is_node(s->x, B_ALPHA) && is_size(y)) return KEY_CATENATED;
  return KEY_NONE;
}

/* ,∘≢ and ⊢∘≢ */
static key_idiom key_idiom_of_derived(const fn *f) {
  if (f->code != OP_JOT || f->l.cls != C_FN || f->r.cls != C_FN) return KEY_NONE;
  if (!fn_is(f->r.f, P_TALLY)) return KEY_NONE;
  if (fn_is(f->l.f, P_COMMA)) return KEY_CATENATED;
  if (fn_is(f->l.f, P_RIGHT)) return KEY_SIZE;
  return KEY_NONE;
}

bool key_idiom_of(vm *v, fn *f, arr *keys, key_idiom *idiom) {
  *idiom = KEY_NONE;
  if (f->kind == F_DERIVED) *idiom = key_idiom_of_derived(f);
  if (f->kind != F_DFN || f->node->n != 1) return true;
  tnode *only = f->node->kid[0];
  if (only->kind != T_STMT) return true;
  env *e = env_new(v, body_of(v, f->u, f->node), f, keys, keys);
  if (!e) return false;
  const bound *k = bind(v, e, only);
  if (k) *idiom = key_idiom_of_node(k->root);
  env_leave(e);
  env_release(e);
  return k != NULL;
}
