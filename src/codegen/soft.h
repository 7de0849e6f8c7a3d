/* SPDX-License-Identifier: MIT */
/* soft.h - f64 in integers, for devices that have none; values are patterns, KI64. */
#ifndef VAPL_CG_SOFT_H
#define VAPL_CG_SOFT_H
#include "cg_arith.h"

/* Are values of this type patterns? */
static inline bool is_soft(const cg *g, kty t) { return t == KF64 && !g->o->float64; }

uint32_t soft_add(cg *g, uint32_t x, uint32_t y);
uint32_t soft_mul(cg *g, uint32_t x, uint32_t y);
uint32_t soft_div(cg *g, uint32_t x, uint32_t y);
uint32_t soft_cmp(cg *g, kop op, uint32_t x, uint32_t y); /* EQ NE LT LE GT GE */
uint32_t soft_rint(cg *g, uint32_t x);
uint32_t soft_floor(cg *g, uint32_t x);
uint32_t soft_of_int(cg *g, uint32_t v); /* KI64 */
uint32_t soft_to_int(cg *g, uint32_t x); /* that is in range */
uint32_t soft_of_f32(cg *g, uint32_t v);
uint32_t soft_to_f32(cg *g, uint32_t x);
#endif
