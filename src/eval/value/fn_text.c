/* SPDX-License-Identifier: MIT */
/* fn_text.c - functions as text, on one line, as they could be typed. */
#include "../../array/array.h"
#include "../../array/element.h"
#include "../../array/number.h"
#include "fn.h"
#include "sysname.h"
#include "vm.h"

typedef struct teller { /* how a function is told */
  bool full;            /* with every parenthesis */
  fn_array_text *array; /* tells arrays; NULL: short, "…" for long ones */
  fn_trad_text *trad;   /* tells definitions by ∇; NULL: by name */
  void *user;
} teller;

static void put_chars(const arr *a, str *s) {
  for (int64_t i = 0; i < a->count; i++) str_putc(s, (uint32_t)arr_get_int(a, i));
}

static void array_text(const arr *a, str *s) {
  if (!a->host || a->type == ET_NEST || a->type == ET_C128 || a->rank > 1 ||
      a->count > 20) {
    str_puts(s, "…");
    return;
  }
  if (!a->count) str_puts(s, elt_is_char((elt)a->type) ? "''" : "⍬");
  if (a->count && elt_is_char((elt)a->type)) {
    str_puts(s, "'");
    put_chars(a, s);
    str_puts(s, "'");
    return;
  }
  for (int64_t i = 0; i < a->count; i++) {
    if (i) str_puts(s, " ");
    if (elt_is_int((elt)a->type)) num_format_int(s, arr_get_int(a, i), 17);
    else num_format_float(s, arr_get_float(a, i), 10);
  }
}

static void tell_array(const teller *t, arr *a, str *s) {
  if (t->array) t->array(t->user, a, s);
  else array_text(a, s);
}

static void text_of(const fn *f, const teller *t, str *s);

static bool is_derived(const fn *f) {
  return f->kind == F_DERIVED || f->kind == F_DOPPED || f->kind == F_TROPPED;
}
static bool is_train(const fn *f) { return f->kind == F_ATOP || f->kind == F_FORK; }

static void in_parens(value x, bool parens, const teller *t, str *s) {
  if (parens) str_puts(s, "(");
  if (x.cls == C_ARR) tell_array(t, x.a, s);
  else text_of(x.f, t, s);
  if (parens) str_puts(s, ")");
}

/* An operand; in parentheses where it could be misread. */
static void operand_text(value x, bool right, const teller *t, str *s) {
  if (x.cls == C_ARR) in_parens(x, right && x.a->rank && x.a->count != 1, t, s);
  else in_parens(x, is_train(x.f) || (is_derived(x.f) && (right || t->full)), t, s);
}

/* A part of a train. The last one needs no parentheses if reading on gives the same. */
static void part_text(value x, bool last_fork, const teller *t, str *s) {
  bool train = x.cls != C_ARR && is_train(x.f),
       derived = x.cls != C_ARR && is_derived(x.f);
  bool reads_on = last_fork && !t->full && train && x.f->kind == F_FORK;
  in_parens(x, (train && !reads_on) || (derived && t->full), t, s);
}

void fn_axis_text(const fn *f, str *s) { array_text(f->axis, s); }

static void axis_text(arr *axis, const teller *t, str *s) {
  if (!axis) return;
  str_puts(s, "[");
  tell_array(t, axis, s);
  str_puts(s, "]");
}

static void oper_of(const fn *f, const teller *t, str *s) {
  if (f->kind == F_DOPPED || f->kind == F_TROPPED) text_of(f->m.f, t, s);
  else str_puts(s, oper_find(f->code)->glyph);
  axis_text(f->axis, t, s);
}

void oper_text(const fn *f, str *s) { oper_of(f, &(teller){.full = false}, s); }

/* nss.f; where arrays are told whole, with a name, behind which a function is known. */
static void spread_text(const fn *f, const teller *t, str *s) {
  const char *before = "", *point = ".", *behind = "";
  if (t->array) {
    before = "(";
    point = "{∆∆s←⍺⍺ ⋄ ⍺←⊢ ⋄ ⍺ ∆∆s.";
    behind = " ⍵})";
  }
  str_puts(s, before);
  tell_array(t, f->l.a, s);
  str_puts(s, point);
  if (f->m.cls > C_ARR) text_of(f->m.f, t, s);
  else if (f->m.cls == C_ARR) put_chars(f->m.a, s);
  str_puts(s, behind);
}

static void text_of(const fn *f, const teller *t, str *s) {
  bool outer = f->kind == F_DERIVED && f->code == OP_OUTER;
  s->failed |= out_of_stack(s->c);
  if (s->failed) return;
  switch ((fkind)f->kind) {
  case F_PRIM: str_puts(s, prim_table[f->prim].glyph); break;
  case F_REPLICATE:
  case F_OPER:
    oper_of(f, t, s);
    if (f->r.cls) operand_text(f->r, true, t, s);
    break;
  case F_SYS:
    if (!f->options || !t->array) {
      str_puts(s, sys_name((int)f->code));
      break;
    }
    str_printf(s, "(%s⍠", sys_name((int)f->code));
    tell_array(t, f->options, s);
    str_puts(s, ")");
    break;
  case F_SPREAD: spread_text(f, t, s); break;
  case F_HOST:
  case F_HOST_NILADIC: str_puts(s, f->host->name); break;
  case F_DFN:
  case F_DOP:
    str_put(s, f->u->t->src->text + f->node->begin, f->node->end - f->node->begin);
    if (f->r.cls) operand_text(f->r, true, t, s);
    break;
  case F_TRAD:
  case F_NILADIC:
  case F_TROP:
    if (t->trad) t->trad(t->user, f, s);
    else str_puts(s, f->node->trad->name->text);
    if (f->r.cls) operand_text(f->r, true, t, s);
    break;
  case F_DERIVED:
  case F_DOPPED:
  case F_TROPPED:
    if (outer) oper_of(f, t, s);
    operand_text(f->l, outer, t, s);
    if (!outer) oper_of(f, t, s);
    if (f->r.cls) operand_text(f->r, true, t, s);
    break;
  case F_AXIS:
    text_of(f->l.f, t, s);
    axis_text(f->axis, t, s);
    break;
  case F_FORK:
  case F_ATOP:
    part_text(f->l, false, t, s);
    if (f->m.cls) part_text(f->m, false, t, s);
    part_text(f->r, true, t, s);
  }
}

void fn_text(const fn *f, str *s) { text_of(f, &(teller){.full = false}, s); }
void fn_text_parens(const fn *f, str *s) { text_of(f, &(teller){.full = true}, s); }
void fn_put_trad(const fn *f, str *s) {
  const trad *t = f->node->trad;
  size_t n = t->end - t->begin;
  const char *p = f->u->t->src->text + t->begin;
  while (n && (p[n - 1] == ' ' || p[n - 1] == '\t')) n--; /* before the closing ∇ */
  if (n && p[n - 1] == '\n') n--;
  str_put(s, p, n);
}

void fn_put_definition(const fn *f, const char *name, str *s) {
  if (fn_is_trad(f)) fn_put_trad(f, s);
  else {
    str_printf(s, "%s←", name);
    fn_text(f, s);
  }
  str_put(s, "", 0);
}

void fn_source(const fn *f, fn_array_text *array, fn_trad_text *name, void *user,
               str *s) {
  if (fn_is_trad(f)) {
    str_puts(s, "∇ ");
    fn_put_trad(f, s);
    str_puts(s, fn_is_locked(f) ? "\n⍫" : "\n∇");
    return;
  }
  text_of(f, &(teller){true, array, name, user}, s);
}
