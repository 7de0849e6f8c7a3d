/* SPDX-License-Identifier: MIT */
/* ops.h - the macro language of prim.def and math.def as C. An operation's name pasted with
 * SUF, which rows.h sets, is one of op_functions.h's for that C type. */
#ifndef VAPL_PRIM_OPS_H
#define VAPL_PRIM_OPS_H
#include "op_functions.h"

#define OP_PASTE2(a, b) a##b
#define OP_PASTE(a, b) OP_PASTE2(a, b)
#define OP(name) OP_PASTE(name, SUF)
#define VB bool
#define VI int64_t
#define VD double
#define VC cx
#define CX(re, im) ((cx){re, im})
#define L(c) ((V)(c))
#define LI(c) ((int64_t)(c))
#define LD(c) ((double)(c))
#define ADD(a, b) OP(add_)(a, b)
#define SUB(a, b) OP(sub_)(a, b)
#define MUL(a, b) OP(mul_)(a, b)
#define DIV(a, b) OP(div_)(a, b)
#define NEG(a) OP(neg_)(a)
#define ABS(a) OP(abs_)(a)
#define MIN(a, b) OP(min_)(a, b)
#define MAX(a, b) OP(max_)(a, b)
#define QUOT(a, b) OP(quot_)(a, b)
#define ADDO(a, b) OP(addo_)(s, a, b)
#define SUBO(a, b) OP(subo_)(s, a, b)
#define MULO(a, b) OP(mulo_)(s, a, b)
#define SQRT(a) OP(sqrt_)(a)
#define FLOOR(a) OP(floor_)(a)
#define RINT(a) OP(rint_)(a)
#define AND(a, b) op_and(a, b)
#define OR(a, b) op_or(a, b)
#define XOR(a, b) op_xor(a, b)
#define NOT(a) op_not(a)
#define BAND(a, b) ((a) & (b))
#define BOR(a, b) ((a) | (b))
#define BXOR(a, b) ((a) ^ (b))
#define HALF(a) ((a) >> 1)
#define EQ(a, b) OP(eq_)(a, b)
#define NE(a, b) OP(ne_)(a, b)
#define LT(a, b) OP(lt_)(a, b)
#define LE(a, b) OP(le_)(a, b)
#define GT(a, b) OP(gt_)(a, b)
#define GE(a, b) OP(ge_)(a, b)
#define SEL(c, a, b) OP(sel_)(c, a, b)
#define TOI(a) OP(toi_)(a)
#define TOF(a) OP(tof_)(a)
#define FIN(r, a, b) OP(fin_)(s, r, a, b)
#define ERRIF(c, v) OP_RESULT(c, v)
#define ESCIF(c, v) OP(escif_)(s, c, v)
#define OP_RESULT(c, v) (s->err |= (c), (v))
#define TEQ(a, b) OP(teq_)(s, a, b)
#define REPEAT2(a, b, turns, again, ...)                                                 \
  while (again) { __VA_ARGS__ }
#define FOUND(a, ...)                                                                    \
  if (s->turn == DIVISOR_TURN) a = (V)s->divisor;                                        \
  else __VA_ARGS__
#define LOOP2(a, b, again, next_a, next_b)                                               \
  while (again) {                                                                        \
    const __typeof__(a) a##_next = next_a;                                               \
    const __typeof__(b) b##_next = next_b;                                               \
    a = a##_next, b = b##_next;                                                          \
  }
#define LOOP4(a, b, c, d, again, next_a, next_b, next_c, next_d)                         \
  while (again) {                                                                        \
    const __typeof__(a) a##_next = next_a;                                               \
    const __typeof__(b) b##_next = next_b;                                               \
    const __typeof__(c) c##_next = next_c;                                               \
    const __typeof__(d) d##_next = next_d;                                               \
    a = a##_next, b = b##_next, c = c##_next, d = d##_next;                              \
  }
#define LOOP3(a, b, c, again, next_a, next_b, next_c)                                    \
  while (again) {                                                                        \
    const __typeof__(a) a##_next = next_a;                                               \
    const __typeof__(b) b##_next = next_b;                                               \
    const __typeof__(c) c##_next = next_c;                                               \
    a = a##_next, b = b##_next, c = c##_next;                                            \
  }
/* The functions of math.def: math.c's, unless a file has its own. */
#ifndef MATH_NAME
#define MATH_NAME(name) math_##name
#endif
/* In f64, and rounded to V. */
#define MATH1(name, a) ((V)MATH_NAME(name)((double)(a)))
/* Likewise, but in f32 by a function of its own, shorter and as good. */
#define MATH1S(name, a)                                                                  \
  (sizeof(V) == sizeof(float) ? (V)MATH_NAME(name##_S)((double)(a)) : MATH1(name, a))
#define MATH2(name, a, b) ((V)MATH_NAME(name)((double)(a), (double)(b)))
#define WHOLE2(name, a, b) MATH_NAME(WHOLE_##name)(a, b)
#define FIND(r) OP(fin_)(s, r, 0, 0)
#define TOLERANT2(name, a, b) ((V)MATH_NAME(name)((double)(a), (double)(b), s->ct))
#define HARD1(c, name, a)                                                                \
  (s->careful ? (V)hard_##name((double)(a))                                              \
              : (OP(hard_)(s, c), (V)MATH_NAME(name)((double)(a))))
/* math.def */
#define BITSI(a) op_bitsi(a)
#define BITSF(a) op_bitsf(a)
#define ITOD(a) tof_d(a)
#define DTOI(a) toi_d(a)
#define IADD(a, b) add_i(a, b)
#define ISUB(a, b) sub_i(a, b)
#define IMUL(a, b) mul_i(a, b)
#define IAND(a, b) ((a) & (b))
#define ISEL(c, a, b) sel_i(c, a, b)
#define ILT(a, b) lt_i(a, b)
#define ISHL(a, k) ((int64_t)((uint64_t)(a) << (k)))
#define ISAR(a, k) ((a) >> (k))
#define IQUOT(a, b) quot_i(a, b)
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) /* an instruction, not a function */
#define MUL_ADD(a, b, c) __builtin_fma(a, b, c)
#endif
#define OTHER(name, ...) MATH_NAME(name)(__VA_ARGS__)
#define HARD(c, name, a) ((void)(c), hard_##name(a))
#endif
