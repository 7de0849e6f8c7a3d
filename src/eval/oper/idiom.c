/* SPDX-License-Identifier: MIT */
/* idiom.c - which operands are idioms, by what they are bound to: blanks, comments and
 * redundant parentheses make no difference. */
#include "../bind/bind.h"
#include "../../array/element.h"
#include "../value/frame.h"
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

/* ≢ ⊃ f/ f\ */
static part_idiom part_of_fn(fn *f) {
  const part_idiom none = {PART_NONE, NULL};
  if (fn_is(f, P_TALLY)) return (part_idiom){PART_SIZE, NULL};
  if (fn_is(f, P_PICK)) return (part_idiom){PART_FIRST, NULL};
  if (f->kind != F_DERIVED || f->axis || f->l.cls != C_FN) return none;
  bool scans = f->code == OP_SCAN || f->code == OP_SCAN1;
  if (scans) return (part_idiom){PART_SCAN, f};
  if (f->code != OP_REDUCE && f->code != OP_REDUCE1) return none;
  return (part_idiom){PART_FOLD, f};
}

/* Is e that number, p and something? Then that is *y. */
static bool is_number_and(expr e, double number, prim p, expr *y) {
  const step *s = application(e, y);
  if (!s || s->kind != S_DYADIC || !is_prim(s->f, p)) return false;
  const bnode *x = expr_of(s->x).b;
  if (x->kind != B_CONST || x->cls != C_ARR) return false;
  const arr *a = x->val.a;
  return !a->rank && a->host && a->type <= ET_F64 && arr_get_float(a, 0) == number;
}

/* ≢⍵ and the others */
static part_idiom part_of_expr(expr e) {
  expr y;
  part_idiom part = {PART_NONE, NULL};
  bool before = is_number_and(e, -1, P_DROP, &y) && is_number_and(y, 0, P_COMMA, &e);
  const step *s = application(e, &y);
  if (!s || s->kind != S_MONADIC || y.steps || y.b->kind != B_OMEGA) return part;
  if (s->f->kind == B_CONST && s->f->cls == C_FN) part = part_of_fn(s->f->val.f);
  if (before && part.kind == PART_SCAN) part.kind = PART_BEFORE;
  else if (before) part.kind = PART_NONE;
  return part;
}

/* The only statement of a dfn, bound; *root is NULL if it has more. */
static bool only_statement(vm *v, fn *f, arr *any, const bnode **root) {
  *root = NULL;
  if (f->kind != F_DFN || f->node->n != 1) return true;
  tnode *only = f->node->kid[0];
  if (only->kind != T_STMT) return true;
  env *e = env_new(v, body_of(v, f->u, f->node), fn_retain(f));
  if (!e) return false;
  e->alpha = value_arr(arr_retain(any));
  e->omega = value_arr(arr_retain(any));
  const bound *k = bind_cached(v, e, only);
  if (k) *root = k->root;
  env_end(e);
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
