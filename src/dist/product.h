/* SPDX-License-Identifier: MIT */
/* product.h - x f.g y in parts, as the table of functions (ir/cuts.h) has it. */
#ifndef VAPL_DIST_PRODUCT_H
#define VAPL_DIST_PRODUCT_H
#include "../prim/inner_product.h"
#include "part.h"

arr *product_cut(const ir_call *call, const prim_factors *p);
#endif
