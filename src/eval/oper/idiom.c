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

/* ≢ and f/ */
static part_idiom part_of_fn(fn *f) {
  if (fn_is(f, P_TALLY)) return (part_idiom){.kind = PART_SIZE};
  bool folds = f->kind == F_DERIVED && (f->code == OP_REDUCE || f->code == OP_REDUCE1);
  if (!folds || f->axis || f->l.cls != C_FN) return (part_idiom){PART_NONE, NULL};
  return (part_idiom){PART_FOLD, f->l.f};
}

/* ≢⍵ and f/⍵ */
static part_idiom part_of_expr(expr e) {
  expr y;
  const part_idiom none = {PART_NONE, NULL};
  const step *s = application(e, &y);
  if (!s || s->kind != S_MONADIC || y.steps || y.b->kind != B_OMEGA) return none;
  if (s->f->kind != B_CONST || s->f->cls != C_FN) return none;
  return part_of_fn(s->f->val.f);
}

static key_idiom key_idiom_of_node(const bnode *b) {
  const key_idiom none = {KEY_NONE, {PART_NONE, NULL}};
  expr e = expr_of(b), y;
  part_idiom part = part_of_expr(e);
  if (part.kind) return (key_idiom){KEY_PART, part};
  if (e.b->kind == B_STRAND) {
    bnode **item = e.b->kid;
    if (e.b->n != 2 || !is_node(item[0], B_ALPHA)) return none;
    part = part_of_expr(expr_of(item[1]));
    return part.kind ? (key_idiom){KEY_STRANDED, part} : none;
  }
  const step *s = application(e, &y);
  if (!s || s->kind != S_DYADIC || !is_prim(s->f, P_COMMA)) return none;
  part = part_of_expr(y);
  if (!part.kind || !is_node(s->x, B_ALPHA)) return none;
  return (key_idiom){KEY_CATENATED, part};
}

/* ,∘≢ and ⊢∘≢, ,∘(f/) and ⊢∘(f/) */
static key_idiom key_idiom_of_derived(const fn *f) {
  const key_idiom none = {KEY_NONE, {PART_NONE, NULL}};
  if (f->code != OP_JOT || f->l.cls != C_FN || f->r.cls != C_FN) return none;
  part_idiom part = part_of_fn(f->r.f);
  if (!part.kind) return none;
  if (fn_is(f->l.f, P_COMMA)) return (key_idiom){KEY_CATENATED, part};
  if (fn_is(f->l.f, P_RIGHT)) return (key_idiom){KEY_PART, part};
  return none;
}

/* The only statement of a dfn, bound; *root is NULL if it has more. */
static bool only_statement(vm *v, fn *f, arr *any, const bnode **root) {
  *root = NULL;
  if (f->kind != F_DFN || f->node->n != 1) return true;
  tnode *only = f->node->kid[0];
  if (only->kind != T_STMT) return true;
  env *e = env_new(v, body_of(v, f->u, f->node), f, any, any);
  if (!e) return false;
  const bound *k = bind(v, e, only);
  if (k) *root = k->root;
  env_leave(e);
  env_release(e);
  return k != NULL;
}

bool part_idiom_of(vm *v, fn *f, arr *any, part_idiom *idiom) {
  const bnode *root;
  *idiom = part_of_fn(f);
  if (idiom->kind) return true;
  if (!only_statement(v, f, any, &root)) return false;
  if (root) *idiom = part_of_expr(expr_of(root));
  return true;
}

bool key_idiom_of(vm *v, fn *f, arr *any, key_idiom *idiom) {
  const bnode *root;
  *idiom = (key_idiom){KEY_NONE, {PART_NONE, NULL}};
  if (f->kind == F_DERIVED) *idiom = key_idiom_of_derived(f);
  if (!only_statement(v, f, any, &root)) return false;
  if (root) *idiom = key_idiom_of_node(root);
  return true;
}
