/* SPDX-License-Identifier: MIT */
/* derive.c - functions made of functions: operators applied to operands, axes, trains.
 *
 * What operands an operator takes is its row's in tables/oper.def. How deep a function is
 * built is bounded, because functions are taken apart by recursion. */
#include "bind.h"
#include "variant.h"
#include "../value/sysname.h"

enum { DEPTH_MAX = 1000 };

/* ── operators ──────────────────────────────────────────────────────────────────────── */

bool derive_takes(vm *v, const oper_row *op, value l, value r) {
  bool fl = l.cls == C_FN, fr = r.cls == C_FN;
  switch ((operands)op->operands) {
  case OPERANDS_ANY: return true;
  case OPERANDS_PATTERNS:
    if (l.cls == C_ARR && r.cls) return true;
    return err_set(v->c, ERR_SYNTAX,
                   "patterns are wanted on the left, a transformation on the right");
  case OPERANDS_EITHER:
    if (fl || fr) return true;
    return err_set(v->c, ERR_SYNTAX, "%s needs a function", op->glyph);
  case OPERANDS_FUNCTIONS:
    if (fl && fr) return true;
    return err_set(v->c, ERR_SYNTAX, "%s needs two functions", op->glyph);
  case OPERANDS_SIZES:
    if (fl && fr) return err_set(v->c, ERR_SYNTAX, "⌺ needs sizes on its right");
    break;
  case OPERANDS_OPTIONS:
    if (fl && r.cls != C_ARR)
      return err_set(v->c, ERR_SYNTAX, "⍠ needs options on its right");
    break;
  case OPERANDS_FUNCTION: break;
  case OPERANDS_ABSENT: return err_set(v->c, ERR_NONCE, "%s is %s", op->glyph, op->help);
  }
  return fl || err_set(v->c, ERR_SYNTAX, "%s needs a function on its left", op->glyph);
}

/* The operator applied to its operands, r.cls C_NONE if it takes one. */
static fn *apply(vm *v, const fn *op, value l, value r, arr *axis) {
  const oper_row *row = oper_find(op->code);
  if (op->r.cls) r = op->r;
  if (!derive_takes(v, row, l, r)) return NULL;
  if (axis && !is_fold(op->code))
    return err_null(v->c, ERR_SYNTAX, "this operator takes no axis");
  if (op->code == OP_VARIANT) return variant_derive(v, l.f, r.a);
  fn *f = fn_new(v, F_DERIVED, op->code);
  if (!f) return NULL;
  f->l = value_retain(l);
  f->r = value_retain(r);
  if (axis) f->axis = arr_retain(axis);
  return f;
}

/* f is of the text, the environment and the namespace that g is of. */
static void share_origin(fn *f, const fn *g) {
  f->node = g->node;
  f->u = unit_retain(g->u);
  f->env = env_retain(g->env);
  if (g->space) f->space = arr_retain(g->space);
}

/* A dyadic operator with its right operand: a monadic one. */
static fn *curried(vm *v, const fn *op, value r) {
  fn *f = fn_new(v, (fkind)op->kind, op->code);
  if (!f) return NULL;
  f->valence = 1;
  f->r = value_retain(r);
  share_origin(f, op);
  return f;
}

/* A defined operator applied to its operands. */
static fn *dopped(vm *v, fn *dop, value l, value r) {
  if (dop->r.cls) r = dop->r;
  fn *f = fn_new(v, dop->kind == F_TROP ? F_TROPPED : F_DOPPED, 0);
  if (!f) return NULL;
  share_origin(f, dop);
  f->l = value_retain(l);
  f->r = value_retain(r);
  f->m = value_fn(fn_retain(dop), C_OP);
  return f;
}

/* ── what a node makes ──────────────────────────────────────────────────────────────── */

/* Parts: operator, left operand, right operand or none, axis or none. */
static fn *derived(vm *v, const bnode *b, const value *part) {
  fn *op = part[0].f;
  if (b->cls == C_OP) return curried(v, op, part[2]);
  arr *axis = part[3].cls ? part[3].a : NULL;
  if (op->kind == F_OPER) return apply(v, op, part[1], part[2], axis);
  if (!axis) return dopped(v, op, part[1], part[2]);
  return err_null(v->c, ERR_SYNTAX, "a defined operator takes no axis");
}

static fn *with_axis(vm *v, const value *part) {
  const fn *g = part[0].f;
  /* (f/)[k] and the like: the axis of a derived function is its operator's. */
  if (g->kind == F_DERIVED && is_fold(g->code) && !g->axis) {
    fn *f = fn_new(v, F_DERIVED, g->code);
    if (!f) return NULL;
    f->l = value_retain(g->l);
    f->axis = arr_retain(part[1].a);
    return f;
  }
  bool takes = g->kind == F_SYS && sys_valence((int)g->code) & SYS_AXIS;
  if (g->kind != F_PRIM && g->kind != F_REPLICATE && !takes)
    return err_null(v->c, ERR_SYNTAX, "this function takes no axis");
  fn *f = fn_new(v, F_AXIS, 0);
  if (!f) return NULL;
  f->l = value_retain(part[0]);
  f->axis = arr_retain(part[1].a);
  return f;
}

static fn *train(vm *v, const bnode *b, const value *part) {
  bool fork = b->kind == B_FORK;
  fn *f = fn_new(v, fork ? F_FORK : F_ATOP, 0);
  if (!f) return NULL;
  f->l = value_retain(part[0]);
  if (fork) f->m = value_retain(part[1]);
  f->r = value_retain(part[b->n - 1]);
  return f;
}

static uint32_t depth_of(value x) { return x.cls > C_ARR ? x.f->depth : 0; }

static bool measure(vm *v, fn *f) {
  const value part[] = {f->l, f->m, f->r};
  for (size_t i = 0; i < ARRAY_LEN(part); i++)
    if (depth_of(part[i]) > f->depth) f->depth = depth_of(part[i]);
  if (++f->depth <= DEPTH_MAX) return true;
  return err_set(v->c, ERR_LIMIT, "the function has too many parts");
}

fn *derive(vm *v, const bnode *b, const value *part) {
  OWNED_FN fn *f = NULL;
  if (b->kind == B_DERIVED) f = derived(v, b, part);
  else if (b->kind == B_AXIS) f = with_axis(v, part);
  else f = train(v, b, part);
  if (!f || !measure(v, f)) return NULL;
  return fn_move(&f);
}
