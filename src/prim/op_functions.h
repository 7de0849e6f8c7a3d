/* SPDX-License-Identifier: MIT */
/* op_functions.h - the operations of ops.h as inline functions of each C type, which the
 * suffix says: b bool, i int64_t, d double, s float. They are functions, not operators, so
 * that integers wrap around, nothing traps and an argument is evaluated once; what they do
 * with NaN is kir.h's definition. */
#ifndef VAPL_PRIM_OP_FUNCTIONS_H
#define VAPL_PRIM_OP_FUNCTIONS_H
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
#endif
