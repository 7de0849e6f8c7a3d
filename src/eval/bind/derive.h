/* SPDX-License-Identifier: MIT */
/* derive.h - functions made of functions: operators applied to operands, axes, trains. Making
 * one runs nothing, so bind makes those whose parts are constants once. */
#ifndef VAPL_EVAL_DERIVE_H
#define VAPL_EVAL_DERIVE_H
#include "bind.h"

enum { DERIVE_PARTS = 4 };
/* What the node b, a B_DERIVED, B_AXIS, B_ATOP or B_FORK, is with the parts part[i] of its
 * kids: a function or operator, owned, or NULL. The parts are borrowed. */
fn *derive(vm *v, const bnode *b, const value *part);
/* Are operands of these classes what the operator takes? False after an error. */
bool derive_takes(vm *v, const oper_row *op, value l, value r);
#endif
