/* SPDX-License-Identifier: MIT */
/* fn_show.c - how functions are displayed.
 *
 * A primitive is its glyph, a dfn its text. What is made of functions is a nested array of
 * its parts (fn_parts, which ⎕CR gives too) and is displayed as such; with ]box on it is
 * drawn in boxes, as a tree (fn_tree.c), or written on a line. */
#include <string.h>
#include "../../array/element.h"
#include "../value/items.h"
#include "show.h"

/* ── parts ──────────────────────────────────────────────────────────────────────────── */

/* A text as a part: a glyph, a vector, or lines as a matrix. */
static arr *text_part(vm *v, str *s, bool cells) {
  bool lines = s->at && memchr(s->at, '\n', s->n);
  OWNED arr *t = str_take(v, s);
  if (!t) return NULL;
  if (lines) return arr_format_matrix(v->c, t, 10);
  if (t->count == 1 && !cells) return arr_scalar_at(v->c, t, 0);
  return arr_move(&t);
}

static arr *glyph_part(vm *v, const char *glyph, bool cells) {
  str s = {.c = v->c};
  str_puts(&s, glyph);
  return text_part(v, &s, cells);
}

static arr *fn_part(vm *v, const fn *f, bool cells) {
  str s = {.c = v->c};
  fn_text(f, &s);
  return text_part(v, &s, cells);
}

static arr *value_part(vm *v, value x, bool cells) {
  if (x.cls == C_ARR) return arr_retain(x.a);
  return fn_parts(v, x.f, cells);
}

const fn *fn_unwrap_axis(const fn *f, fn *bare, fn *wrap) {
  if (f->kind != F_DERIVED || !f->axis) return f;
  *bare = *f;
  bare->axis = NULL;
  *wrap = (fn){.kind = F_AXIS, .axis = f->axis, .l = {.cls = C_FN, .f = bare}};
  return wrap;
}

/* One text: no operands, nor an operator's right operand alone. */
static bool one_part(const fn *f) { return f->kind < F_DERIVED && !f->r.cls; }

/* [axis]: a part with a bracket, and the axis; or, as cells, one text. */
static bool add_axis(vm *v, const fn *f, bool cells, arr_list *parts) {
  str s = {.c = v->c};
  if (!cells)
    return list_add(parts, glyph_part(v, "[", cells)) &&
           list_add(parts, arr_retain(f->axis));
  str_puts(&s, "[");
  fn_axis_text(f, &s);
  str_puts(&s, "]");
  return list_add(parts, text_part(v, &s, cells));
}

/* What stands between the operands of f, or between the parts of a train. */
static bool add_middle(vm *v, const fn *f, bool cells, arr_list *parts) {
  if (f->kind == F_AXIS) return add_axis(v, f, cells, parts);
  if (f->kind == F_DERIVED) {
    str s = {.c = v->c};
    fn oper = {.kind = F_DERIVED, .code = f->code};
    oper_text(&oper, &s);
    return list_add(parts, text_part(v, &s, cells));
  }
  return !f->m.cls || list_add(parts, value_part(v, f->m, cells));
}

/* ∘.f */
static bool add_outer(vm *v, const fn *f, bool cells, arr_list *parts) {
  return list_add(parts, glyph_part(v, "∘", cells)) &&
         list_add(parts, glyph_part(v, ".", cells)) &&
         list_add(parts, value_part(v, f->l, cells));
}

/* The operator that has its right operand alone. */
static bool add_curried(vm *v, const fn *f, bool cells, arr_list *parts) {
  fn op = *f;
  op.r = (value){0};
  return list_add(parts, fn_part(v, &op, cells));
}

arr *fn_parts(vm *v, const fn *f, bool cells) {
  OWNED_LIST arr_list parts = {.v = v};
  fn bare, wrap;
  if (deep(v)) return NULL;
  f = fn_unwrap_axis(f, &bare, &wrap);
  if (one_part(f)) return fn_part(v, f, cells);
  bool ok;
  if (f->kind == F_DERIVED && f->code == OP_OUTER) ok = add_outer(v, f, cells, &parts);
  else if (f->kind < F_DERIVED) ok = add_curried(v, f, cells, &parts);
  else
    ok = list_add(&parts, value_part(v, f->l, cells)) && add_middle(v, f, cells, &parts);
  if (ok && f->r.cls) ok = list_add(&parts, value_part(v, f->r, cells));
  return ok ? list_array(&parts) : NULL;
}

/* ── display ────────────────────────────────────────────────────────────────────────── */

bool fn_show(vm *v, fn *f, const fmt_opts *o, str *s) {
  fmt_opts plain = {o->pp, o->pw, o->boxed ? BOX_MIN : BOX_NONE};
  bool line = one_part(f) || (o->boxed && v->box.trains >= TRAINS_PARENS);
  if (line) {
    if (v->box.trains == TRAINS_PARENS) fn_text_parens(f, s);
    else fn_text(f, s);
    str_puts(s, "\n");
    return !s->failed;
  }
  if (o->boxed && v->box.trains == TRAINS_TREE) return fn_show_tree(v, f, s);
  OWNED arr *parts = fn_parts(v, f, o->boxed != BOX_NONE);
  return parts && arr_display(v->c, parts, &plain, s);
}
