/* SPDX-License-Identifier: MIT */
/* cg_arith.h - arithmetic on values; `t` is the type of the operands. */
#ifndef VAPL_CG_ARITH_H
#define VAPL_CG_ARITH_H
#include "cg.h"

uint32_t cg_number(cg *g, kty t, int v); /* the constant v of type t */
uint32_t cg_cvt(cg *g, uint32_t v, kty from, kty to);
uint32_t cg_bits(cg *g, kty to, uint32_t v); /* the same bits as another type */
uint32_t cg_cmp(cg *g, kop op, kty t, uint32_t a, uint32_t b); /* EQ NE LT LE GT GE */
uint32_t cg_arith(cg *g, kop op, kty t, uint32_t a,
                  uint32_t b); /* ADD … MAX, AND OR XOR */
/* MIN or MAX of v and a number, which is no NaN, and ¯0 or not: one comparison is enough. */
uint32_t cg_extreme_of(cg *g, kop op, kty t, uint32_t v, uint32_t to, bool minus_zero);
uint32_t cg_quot(cg *g, kty t, uint32_t a, uint32_t d);
uint32_t cg_neg(cg *g, kty t, uint32_t v);
uint32_t cg_not(cg *g, kty t, uint32_t v);
uint32_t cg_abs(cg *g, kty t, uint32_t v);
/* Floats: the nearest whole number, the even one of two; the largest one not above v. */
uint32_t cg_rint(cg *g, kty t, uint32_t v);
uint32_t cg_floor(cg *g, kty t, uint32_t v);
uint32_t cg_ineg(cg *g, kty t, uint32_t a); /* integers: wraps around */
uint32_t cg_shift(cg *g, kty t, SpvOp op, uint32_t v, uint32_t by);
uint32_t cg_finite(cg *g, kty t, uint32_t v); /* KB: v is neither infinite nor NaN */
/* The wrapped result; *over (KB): it is not the true one. */
uint32_t cg_addo(cg *g, kop op, kty t, uint32_t a, uint32_t b, uint32_t *over);
uint32_t cg_mulo(cg *g, kty t, uint32_t a, uint32_t b, uint32_t *over);

/* Correctly rounded on every device (root.c). */
uint32_t cg_sqrt(cg *g, kty t, uint32_t x);
uint32_t cg_div(cg *g, kty t, uint32_t a, uint32_t b);
uint32_t cg_fma(cg *g, uint32_t a, uint32_t b, uint32_t c); /* KF64 */
#endif
