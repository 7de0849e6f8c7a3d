/* SPDX-License-Identifier: MIT */
/* oper.c - which function calls what an operator derived. What each operator does is in a
 * file of its own; bind/derive.c checks the operands and makes the derived function. */
#include "../system/system.h"
#include "oper.h"

bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  switch (f->code) {
  case OP_EACH: return oper_each(v, f, x, y, r);
  case OP_SELF: return oper_commute(v, f, x, y, r);
  case OP_QUAD_R:
  case OP_QUAD_S: return regex_call(v, f, x, y, r);
  case OP_OUTER: return oper_outer(v, f, x, y, r);
  case OP_DOT: return oper_inner(v, f, x, y, r);
  case OP_JOT: return oper_jot(v, f, x, y, r);
  case OP_BEHIND: return oper_behind(v, f, x, y, r);
  case OP_OVER: return oper_over(v, f, x, y, r);
  case OP_RANK: return oper_rank(v, f, x, y, r);
  case OP_VARIANT: return oper_variant(v, f, x, y, r);
  case OP_KEY: return oper_key(v, f, x, y, r);
  case OP_STENCIL: return oper_stencil(v, f, x, y, r);
  case OP_AT: return oper_at(v, f, x, y, r);
  case OP_POWER: return oper_power(v, f, x, y, r);
  case OP_SCAN:
  case OP_SCAN1: return oper_scan(v, f, x, y, r);
  default: return oper_reduce(v, f, x, y, r);
  }
}
