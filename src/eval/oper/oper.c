/* SPDX-License-Identifier: MIT */
/* oper.c - which function calls what an operator derived. What each operator does is in a
 * file of its own; bind/derive.c checks the operands and makes the derived function. */
#include "oper.h"

bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
#define OPER(id, point, glyph, name, valence, operands, function, help)                  \
  if (f->code == OP_##id) return function(v, f, x, y, r);
#include "../../tables/oper.def"
  return err_set(v->c, ERR_NONCE, "the operator is not in this version");
}
