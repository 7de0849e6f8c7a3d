/* SPDX-License-Identifier: MIT */
/* fn.c - function values: making and releasing them, and how they look.
 *
 * A function is an immutable, reference-counted tree: primitives at the leaves, operators and
 * trains above them, closures of dfns anywhere. Primitives are made once per interpreter. */
#include "../internal.h"
#include <string.h>

fn *fn_new(vm *v, fkind kind, uint32_t code) {
  fn *f = mem_zalloc(v->c, sizeof *f);
  if (!f) return NULL;
  f->refs = 1;
  f->kind = (uint8_t)kind;
  f->code = code;
  return f;
}

fn *fn_prim(vm *v, prim p) {
  if (!v->prim_fn[p] && (v->prim_fn[p] = fn_new(v, F_PRIM, 0)))
    v->prim_fn[p]->prim = (uint16_t)p;
  return v->prim_fn[p];
}

fn *fn_closure(vm *v, env *e, unit *u, tnode *dfn) {
  fn *f = fn_new(v, dfn->dop ? F_DOP : F_DFN, 0);
  if (!f) return NULL;
  f->valence = dfn->dop;
  f->node = dfn;
  f->u = u;
  u->refs++;
  if (e->body
          ->node) { /* what a whole text defines needs no environment: it has the workspace */
    f->env = e;
    e->refs++;
  }
  return f;
}

void fn_release(vm *v, fn *f) {
  if (!f || --f->refs) return;
  value_release(v, f->l);
  value_release(v, f->m);
  value_release(v, f->r);
  arr_release(f->axis);
  env_release(v, f->env);
  unit_release(v, f->u);
  mem_free(v->c, f);
}

static bool value_uses(value x, const env *e) { return x.cls > C_ARR && fn_uses(x.f, e); }

bool fn_uses(const fn *f, const env *e) {
  for (const env *o = f->env; o; o = o->outer)
    if (o == e) return true;
  return value_uses(f->l, e) || value_uses(f->m, e) || value_uses(f->r, e);
}

/* ── units ──────────────────────────────────────────────────────────────────────────── */

unit *unit_new(vm *v, const char *name, const char *text, size_t n) {
  source *src = source_new(v->c, name, text, n);
  unit *u = src ? mem_zalloc(v->c, sizeof *u) : NULL;
  if (u) u->refs = 1;
  if (u) u->t = parse(v->c, src);
  if (u && u->t) u->top = arena_alloc(&u->t->mem, sizeof *u->top);
  source_release(v->c, src);
  if (u && u->top) {
    u->top->u = u;
    return u;
  }
  unit_release(v, u);
  return NULL;
}

void unit_release(vm *v, unit *u) {
  if (!u || --u->refs) return;
  for (size_t i = 0; i < u->held.n; i++) value_release(v, u->held.at[i]);
  vec_free(v->c, &u->held);
  tree_release(v->c, u->t);
  mem_free(v->c, u);
}

/* ── how a function looks ───────────────────────────────────────────────────────────── */

static void array_text(const arr *a, str *s) {
  if (!a->host || a->type == ET_NEST || a->type == ET_C128 || a->rank > 1 ||
      a->count > 20) {
    str_puts(s, "…");
    return;
  }
  if (!a->count) str_puts(s, elt_is_char((elt)a->type) ? "''" : "⍬");
  if (a->count && elt_is_char((elt)a->type)) {
    str_puts(s, "'");
    for (int64_t i = 0; i < a->count; i++) str_putc(s, (uint32_t)arr_get_int(a, i));
    str_puts(s, "'");
    return;
  }
  for (int64_t i = 0; i < a->count; i++) {
    if (i) str_puts(s, " ");
    if (elt_is_int((elt)a->type)) num_format_int(s, arr_get_int(a, i), 17);
    else num_format_float(s, arr_get_float(a, i), 10);
  }
}

static void text_of(const fn *f, bool full, str *s);

static bool is_derived(const fn *f) {
  return f->kind == F_DERIVED || f->kind == F_DOPPED;
}
static bool is_train(const fn *f) { return f->kind == F_ATOP || f->kind == F_FORK; }

static void in_parens(value x, bool parens, bool full, str *s) {
  if (parens) str_puts(s, "(");
  if (x.cls == C_ARR) array_text(x.a, s);
  else text_of(x.f, full, s);
  if (parens) str_puts(s, ")");
}

/* An operand; in parentheses where it could be misread. */
static void operand_text(value x, bool right, bool full, str *s) {
  if (x.cls == C_ARR) in_parens(x, right && x.a->rank && x.a->count != 1, full, s);
  else in_parens(x, is_train(x.f) || (is_derived(x.f) && (right || full)), full, s);
}

/* A part of a train. The last one needs no parentheses if reading on gives the same. */
static void part_text(value x, bool last_fork, bool full, str *s) {
  bool train = x.cls != C_ARR && is_train(x.f),
       derived = x.cls != C_ARR && is_derived(x.f);
  bool reads_on = last_fork && !full && train && x.f->kind == F_FORK;
  in_parens(x, (train && !reads_on) || (derived && full), full, s);
}

void fn_axis_text(const fn *f, str *s) { array_text(f->axis, s); }

static void axis_text(const arr *axis, str *s) {
  if (!axis) return;
  str_puts(s, "[");
  array_text(axis, s);
  str_puts(s, "]");
}

/* Of an operator that is no single glyph. */
static const char *oper_name(uint32_t code) {
  return code == OP_OUTER    ? "∘."
         : code == OP_QUAD_R ? "⎕R"
         : code == OP_QUAD_S ? "⎕S"
                             : "";
}

void oper_text(const fn *f, str *s) {
  if (f->kind == F_DOPPED) text_of(f->m.f, false, s);
  else if (f->code >= OP_OUTER) str_puts(s, oper_name(f->code));
  else str_putc(s, f->code);
  if (f->kind != F_DOPPED && f->code <= OP_OUTER) axis_text(f->axis, s);
}

static void text_of(const fn *f, bool full, str *s) {
  bool outer = f->kind == F_DERIVED && f->code == OP_OUTER;
  switch ((fkind)f->kind) {
  case F_PRIM: str_puts(s, prim_table[f->prim].glyph); break;
  case F_REPL:
  case F_OPER:
    oper_text(f, s);
    if (f->r.cls) operand_text(f->r, true, full, s);
    break;
  case F_SYS: str_puts(s, sys_name((int)f->code)); break;
  case F_DFN:
  case F_DOP:
    str_put(s, f->u->t->src->text + f->node->begin, f->node->end - f->node->begin);
    if (f->r.cls) operand_text(f->r, true, full, s);
    break;
  case F_DERIVED:
  case F_DOPPED:
    if (outer) oper_text(f, s);
    operand_text(f->l, outer, full, s);
    if (!outer) oper_text(f, s);
    if (f->r.cls) operand_text(f->r, true, full, s);
    break;
  case F_AXIS:
    text_of(f->l.f, full, s);
    axis_text(f->axis, s);
    break;
  case F_FORK:
  case F_ATOP:
    part_text(f->l, false, full, s);
    if (f->m.cls) part_text(f->m, false, full, s);
    part_text(f->r, true, full, s);
  }
}

void fn_text(const fn *f, str *s) { text_of(f, false, s); }
void fn_text_parens(const fn *f, str *s) { text_of(f, true, s); }
