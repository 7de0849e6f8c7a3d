/* SPDX-License-Identifier: MIT */
/* oper.c - which function calls what an operator derived. What each operator does is in a
 * file of its own; bind/derive.c checks the operands and makes the derived function. */
#include "oper.h"
#include <string.h>
#include "../bind/variant.h"

static bool derived_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
#define OPER(id, point, glyph, name, valence, operands, function, help)                  \
  if (f->code == OP_##id) return function(v, f, x, y, r);
#include "../../tables/oper.def"
  return err_set(v->c, ERR_NONCE, "the operator is not in this version");
}

/* What the host did of it, cell by cell or at once. */
static void tell(vm *v, const fn *f, const ir_step *s) {
  enum { SHOWN = 40 };
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str why = {.c = v->c};
  bool dfn = f->l.cls == C_FN && (f->l.f->kind == F_DFN || f->l.f->kind == F_DOPPED);
  const char *what = dfn ? "a dfn" : "its operand";
  fn_text(f, &name);
  if (f->l.cls == C_FN && f->l.f->fold_options & FOLD_STRICT)
    str_puts(&why, "from the right, one element after the other, as ⍠ says");
  else if (s->calls) str_printf(&why, "%lld calls of %s", (long long)s->calls, what);
  if (s->calls && s->met) str_printf(&why, ", for there is no rule for %s here", s->met);
  if (name.failed || why.failed) {
    err_clear(v->c);
    return;
  }
  size_t cut = strcspn(name.at, "\n");
  if (cut > SHOWN) cut = SHOWN;
  while (cut < name.n && (name.at[cut] & 0xC0) == 0x80) cut++;
  if (cut < name.n) {
    name.n = cut;
    str_puts(&name, "…");
  }
  ir_step_tell(v->g, s, name.at, why.at);
}

bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  ir_step s;
  ir_step_begin(v->g, &s);
  v->unlifted = NULL;
  bool ok = derived_call(v, f, x, y, r);
  if (ir_step_end(v->g, &s) && ok) tell(v, f, &s);
  return ok;
}
