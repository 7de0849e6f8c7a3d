/* SPDX-License-Identifier: MIT */
/* ops.h - the macro language of prim.def and math.def as C. An operation's name pasted
 * with SUF, which rows.h sets, is an inline function of that type: b bool, i int64_t, d
 * double, s float. They are functions, not operators, so that integers wrap around,
 * nothing traps and an argument is evaluated once; what they do with NaN is kir.h's
 * definition. */
#ifndef VAPL_PRIM_OPS_H
#define VAPL_PRIM_OPS_H
#include "scalar.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define OP_INT(T, U, S)                                                                  \
  static inline T add_##S(T a, T b) { return (T)((U)a + (U)b); }                         \
  static inline T sub_##S(T a, T b) { return (T)((U)a - (U)b); }                         \
  static inline T mul_##S(T a, T b) { return (T)((U)a * (U)b); }
#define OP_FLOAT(T, S, F)                                                                \
  static inline T add_##S(T a, T b) { return a + b; }                                    \
  static inline T sub_##S(T a, T b) { return a - b; }                                    \
  static inline T mul_##S(T a, T b) { return a * b; }                                    \
  static inline T div_##S(T a, T b) { return a / b; }                                    \
  static inline T neg_##S(T a) { return -a; }                                            \
  static inline T abs_##S(T a) { return fabs##F(a); }                                    \
  static inline T sqrt_##S(T a) { return sqrt##F(a); }                                   \
  static inline T floor_##S(T a) { return floor##F(a); }                                 \
  static inline T rint_##S(T a) { return rint##F(a); }                                   \
  static inline T tof_##S(int64_t a) { return (T)a; }                                    \
  static inline int64_t toi_##S(T a) {                                                   \
    return a >= (T)-0x1p63 && a < (T)0x1p63 ? (int64_t)a : 0;                            \
  }                                                                                      \
  static inline T fin_##S(sc_state *s, T r, T a, T b) {                                  \
    if (!isfinite(r) && isfinite(a) && isfinite(b)) s->inf = true;                       \
    return r;                                                                            \
  }
#define OP_ANY(T, S)                                                                     \
  static inline T min_##S(T a, T b) { return b < a ? b : a; }                            \
  static inline T max_##S(T a, T b) { return b > a ? b : a; }                            \
  static inline bool eq_##S(T a, T b) { return a == b; }                                 \
  static inline bool ne_##S(T a, T b) { return a != b; }                                 \
  static inline bool lt_##S(T a, T b) { return a < b; }                                  \
  static inline bool le_##S(T a, T b) { return a <= b; }                                 \
  static inline bool gt_##S(T a, T b) { return a > b; }                                  \
  static inline bool ge_##S(T a, T b) { return a >= b; }                                 \
  static inline T sel_##S(bool c, T a, T b) { return c ? a : b; }                        \
  static inline T escif_##S(sc_state *s, bool c, T v) {                                  \
    s->esc |= c;                                                                         \
    return v;                                                                            \
  }
OP_INT(int64_t, uint64_t, i)
OP_FLOAT(double, d, )
OP_FLOAT(float, s, f)
OP_ANY(int64_t, i)
OP_ANY(double, d)
OP_ANY(float, s)
#undef OP_INT
#undef OP_FLOAT
#undef OP_ANY

static inline bool op_not(bool a) { return !a; }
static inline bool op_and(bool a, bool b) { return a & b; }
static inline bool op_or(bool a, bool b) { return a | b; }
static inline bool op_xor(bool a, bool b) { return a ^ b; }
static inline int64_t abs_i(int64_t a) { return a < 0 ? sub_i(0, a) : a; }
static inline int64_t quot_i(int64_t a, int64_t b) {
  if (b == 0) return a;
  return b == -1 ? sub_i(0, a) : a / b;
}
static inline int64_t addo_i(sc_state *s, int64_t a, int64_t b) {
  int64_t r;
  s->esc |= __builtin_add_overflow(a, b, &r);
  return r;
}
static inline int64_t subo_i(sc_state *s, int64_t a, int64_t b) {
  int64_t r;
  s->esc |= __builtin_sub_overflow(a, b, &r);
  return r;
}
static inline int64_t mulo_i(sc_state *s, int64_t a, int64_t b) {
  int64_t r;
  s->esc |= __builtin_mul_overflow(a, b, &r);
  return r;
}
static inline int64_t op_bitsi(double a) {
  int64_t r;
  memcpy(&r, &a, sizeof r);
  return r;
}
static inline double op_bitsf(int64_t a) {
  double r;
  memcpy(&r, &a, sizeof r);
  return r;
}

#define OP_PASTE2(a, b) a##b
#define OP_PASTE(a, b) OP_PASTE2(a, b)
#define OP(name) OP_PASTE(name, SUF)
#define VB bool
#define VI int64_t
#define VD double
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
#define QUOT(a, b) quot_i(a, b)
#define ADDO(a, b) addo_i(s, a, b)
#define SUBO(a, b) subo_i(s, a, b)
#define MULO(a, b) mulo_i(s, a, b)
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
/* In f64, and rounded to V. */
#define MATH1(name, a) ((V)math_##name((double)(a)))
/* Likewise, but in f32 by a function of its own, shorter and as good. */
#define MATH1S(name, a)                                                                  \
  (sizeof(V) == sizeof(float) ? (V)math_##name##_S((double)(a)) : MATH1(name, a))
#define MATH2(name, a, b) ((V)math_##name((double)(a), (double)(b)))
#define HARD1(c, name, a) ((V)hard_##name((double)(a)))
#define RESID(a, b) ((V)math_RESID((double)(a), (double)(b), s->ct))
/* math.def */
#define BITSI(a) op_bitsi(a)
#define BITSF(a) op_bitsf(a)
#define ITOD(a) ((double)(a))
#define DTOI(a) toi_d(a)
#define IADD(a, b) add_i(a, b)
#define ISUB(a, b) sub_i(a, b)
#define IAND(a, b) ((a) & (b))
#define ISHL(a, k) ((int64_t)((uint64_t)(a) << (k)))
#define ISAR(a, k) ((a) >> (k))
#endif
