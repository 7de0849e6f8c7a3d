/* SPDX-License-Identifier: MIT */
/* fn_text.c - functions as text, on one line, as they could be typed. */
#include "../../array/array.h"
#include "../../array/element.h"
#include "../../array/number.h"
#include "fn.h"
#include "sysname.h"

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

void oper_text(const fn *f, str *s) {
  if (f->kind == F_DOPPED) text_of(f->m.f, false, s);
  else str_puts(s, oper_find(f->code)->glyph);
  axis_text(f->axis, s);
}

static void text_of(const fn *f, bool full, str *s) {
  bool outer = f->kind == F_DERIVED && f->code == OP_OUTER;
  switch ((fkind)f->kind) {
  case F_PRIM: str_puts(s, prim_table[f->prim].glyph); break;
  case F_REPLICATE:
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
