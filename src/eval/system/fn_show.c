/* SPDX-License-Identifier: MIT */
/* fn_show.c - how functions are displayed.
 *
 * A primitive is its glyph, a dfn its text. What is made of functions is a nested array of
 * its parts (fn_parts, which ⎕CR gives too) and is displayed as such; with ]box on it is
 * drawn in boxes, as a tree (text/drawing.h), or written on a line. */
#include <string.h>
#include "../../array/element.h"
#include "../../text/drawing.h"
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

/* f[axis] is shown as the operator [axis] applied to f: *bare and *wrap hold it. */
static const fn *unwrap_axis(const fn *f, fn *bare, fn *wrap) {
  if (f->kind != F_DERIVED || !f->axis) return f;
  *bare = *f;
  bare->axis = NULL;
  *wrap = (fn){.kind = F_AXIS, .axis = f->axis, .l = {.cls = C_FN, .f = bare}};
  return wrap;
}

/* One text: no operands, nor an operator's right operand alone. */
static bool one_part(const fn *f) { return f->kind < F_DERIVED && !f->r.cls; }

static void put_axis(const fn *f, str *s) {
  str_puts(s, "[");
  fn_axis_text(f, s);
  str_puts(s, "]");
}

/* [axis]: a part with a bracket, and the axis; or, as cells, one text. */
static bool add_axis(vm *v, const fn *f, bool cells, arr_list *parts) {
  if (!cells)
    return list_add(parts, glyph_part(v, "[", cells)) &&
           list_add(parts, arr_retain(f->axis));
  str s = {.c = v->c};
  put_axis(f, &s);
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

arr *fn_parts(vm *v, const fn *f, bool cells) {
  OWNED_LIST arr_list parts = {.v = v};
  fn bare, wrap;
  if (out_of_stack(v->c)) return NULL;
  f = unwrap_axis(f, &bare, &wrap);
  if (one_part(f)) return fn_part(v, f, cells);
  bool ok;
  if (f->kind == F_DERIVED && f->code == OP_OUTER) ok = add_outer(v, f, cells, &parts);
  else if (f->kind < F_DERIVED) { /* an operator that has its right operand alone */
    fn op = *f;
    op.r = (value){0};
    ok = list_add(&parts, fn_part(v, &op, cells));
  } else
    ok = list_add(&parts, value_part(v, f->l, cells)) && add_middle(v, f, cells, &parts);
  if (ok && f->r.cls) ok = list_add(&parts, value_part(v, f->r, cells));
  if (!ok) return NULL;
  return list_array(&parts);
}

/* ── trees ──────────────────────────────────────────────────────────────────────────── */

static bool draw_value(vm *v, value x, drawing *t);

/* The operands of an operator, or the parts of a train, with a bar above them. */
static bool draw_parts(vm *v, const fn *f, drawing *t) {
  OWNED_DRAWING drawing l = {0};
  OWNED_DRAWING drawing m = {0};
  OWNED_DRAWING drawing r = {0};
  if (!draw_value(v, f->l, &l)) return false;
  if (!f->r.cls) return draw_single(v->c, &l, t);
  if (f->kind == F_FORK && !draw_value(v, f->m, &m)) return false;
  if (!draw_value(v, f->r, &r)) return false;
  if (f->kind == F_FORK) return draw_three(v->c, &l, &m, &r, t);
  return draw_pair(v->c, &l, &r, t);
}

/* The operator's text above its operands. */
static bool draw_operator(vm *v, const fn *f, drawing *t) {
  OWNED_DRAWING drawing label = {0};
  OWNED_DRAWING drawing below = {0};
  OWNED_STR str s = {.c = v->c};
  fn bare, wrap;
  f = unwrap_axis(f, &bare, &wrap);
  if (f->kind == F_AXIS) put_axis(f, &s);
  else oper_text(f, &s);
  return draw_label(v->c, &s, &label) && draw_parts(v, f, &below) &&
         draw_above(v->c, &label, &below, t);
}

static bool draw_value(vm *v, value x, drawing *t) {
  OWNED_STR str s = {.c = v->c};
  if (out_of_stack(v->c)) return false;
  if (x.cls != C_ARR && (x.f->kind == F_ATOP || x.f->kind == F_FORK))
    return draw_parts(v, x.f, t);
  if (x.cls != C_ARR && x.f->kind >= F_DERIVED) return draw_operator(v, x.f, t);
  if (x.cls == C_ARR) fn_axis_text(&(fn){.kind = F_AXIS, .axis = x.a}, &s);
  else fn_text(x.f, &s);
  return draw_label(v->c, &s, t);
}

/* ── display ────────────────────────────────────────────────────────────────────────── */

/* f on a line. */
static void put_line(const vm *v, const fn *f, str *s) {
  if (v->box.trains == TRAINS_PARENS) fn_text_parens(f, s);
  else fn_text(f, s);
  str_puts(s, "\n");
}

bool fn_show(vm *v, fn *f, const fmt_opts *o, str *s) {
  bool boxed = o->boxed != BOX_NONE;
  if (one_part(f) || (boxed && v->box.trains >= TRAINS_PARENS)) put_line(v, f, s);
  else if (boxed && v->box.trains == TRAINS_TREE) {
    OWNED_DRAWING drawing t = {0};
    if (!draw_value(v, value_fn(f, C_FN), &t)) return false;
    draw_lines(&t, s);
  } else {
    OWNED arr *parts = fn_parts(v, f, boxed);
    fmt_opts plain = {o->pp, o->pw, boxed ? BOX_MIN : BOX_NONE};
    if (!parts || !arr_display(v->c, parts, &plain, s)) return false;
  }
  return !s->failed;
}
