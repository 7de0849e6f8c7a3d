/* SPDX-License-Identifier: MIT */
/* idiom.c - which operands are idioms, by what they are bound to: blanks, comments and
 * redundant parentheses make no difference. */
#include "../bind/bind.h"
#include "../../array/element.h"
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

/* Those that a group makes one number of. */
static part_idiom number_of_expr(expr e) {
  part_idiom part = part_of_expr(e);
  if (part.kind > PART_FOLD) part.kind = PART_NONE;
  return part;
}

static key_idiom key_idiom_of_node(const bnode *b) {
  const key_idiom none = {KEY_NONE, {PART_NONE, NULL}};
  expr e = expr_of(b), y;
  part_idiom part = number_of_expr(e);
  if (part.kind) return (key_idiom){KEY_PART, part};
  if (e.b->kind == B_STRAND) {
    bnode **item = e.b->kid;
    if (e.b->n != 2 || !is_node(item[0], B_ALPHA)) return none;
    part = number_of_expr(expr_of(item[1]));
    return part.kind ? (key_idiom){KEY_STRANDED, part} : none;
  }
  const step *s = application(e, &y);
  if (!s || s->kind != S_DYADIC || !is_prim(s->f, P_COMMA)) return none;
  part = number_of_expr(y);
  if (!part.kind || !is_node(s->x, B_ALPHA)) return none;
  return (key_idiom){KEY_CATENATED, part};
}

/* ,∘≢ and ⊢∘≢, ,∘(f/) and ⊢∘(f/) */
static key_idiom key_idiom_of_derived(const fn *f) {
  const key_idiom none = {KEY_NONE, {PART_NONE, NULL}};
  if (f->code != OP_JOT || f->l.cls != C_FN || f->r.cls != C_FN) return none;
  part_idiom part = part_of_fn(f->r.f);
  if (!part.kind || part.kind > PART_FOLD) return none;
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
  env *e = env_new(v, body_of(v, f->u, f->node), fn_retain(f), arr_retain(any),
                   arr_retain(any));
  if (!e) return false;
  const bound *k = bind(v, e, only);
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

bool key_idiom_of(vm *v, fn *f, arr *any, key_idiom *idiom) {
  const bnode *root;
  *idiom = (key_idiom){KEY_NONE, {PART_NONE, NULL}};
  if (f->kind == F_DERIVED) *idiom = key_idiom_of_derived(f);
  if (!only_statement(v, f, any, &root)) return false;
  if (root) *idiom = key_idiom_of_node(root);
  return true;
}
