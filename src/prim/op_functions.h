/* SPDX-License-Identifier: MIT */
/* op_functions.h - the operations of ops.h as inline functions of each C type, which the
 * suffix says: b bool, i int64_t, d double, s float. They are functions, not operators, so
 * that integers wrap around, nothing traps and an argument is evaluated once; what they do
 * with NaN is kir.h's definition. */
#ifndef VAPL_PRIM_OP_FUNCTIONS_H
#define VAPL_PRIM_OP_FUNCTIONS_H
#include "math.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../base/extreme.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What the bodies report about many elements, in words of their width, so that a loop keeps it
 * in vector registers. `off`, whose uppermost bit counts, and `hard` say that a block is to be
 * done again `careful`ly, element by element: a result is not finite, which FIN forgives where
 * an argument was not either, or a function of math.def does not serve an argument. */
enum { DIVISOR_TURN = 4 }; /* of `turn`: `divisor` is the greatest common one, negative */
#define LANES(S, U)                                                                      \
  typedef struct lanes_##S {                                                             \
    double ct;                                                                           \
    U err, inf, esc, off, hard, over;                                                    \
    bool careful;                                                                        \
    int turn;                                                                            \
    U divisor;                                                                           \
    cx part;                                                                             \
  } lanes_##S;                                                                           \
  static inline U hard_##S(lanes_##S *s, bool c) { return s->hard |= c; }
LANES(b, uint8_t)
LANES(q, uint8_t)
LANES(h, uint16_t)
LANES(w, uint32_t)
LANES(i, uint64_t)
LANES(d, uint64_t)
LANES(s, uint32_t)
#undef LANES

/* Has an element left the row? What overflows says so by the uppermost bit of `over`. */
#define ESCAPED(s) ((s).esc || (s).over >> (8 * sizeof(s).over - 1))

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
/* The uppermost bit says that it is not finite. */
static inline uint64_t off_d(double a) {
  return ((uint64_t)op_bitsi(a) & 0x7fffffffffffffffu) + 0x0010000000000000u;
}
static inline uint32_t off_s(float a) {
  uint32_t r;
  memcpy(&r, &a, sizeof r);
  return (r & 0x7fffffffu) + 0x00800000u;
}

/* Whole numbers of 64 bits from doubles and back. AVX2 has no instruction for it, and loops with one that is no
 * vector's take up to fourteen times as long: there, by halves, which stand in the digits of doubles. */
#if defined(__AVX2__) && !defined(__AVX512DQ__)
static inline int64_t toi_d(double a) {
  double whole = ((a >= -0x1p63) & (a < 0x1p63)) ? trunc(a) : 0,
         high = floor(whole * 0x1p-32), low = whole - high * 0x1p32;
  uint64_t h = (uint64_t)op_bitsi(high + 0x1.8p52), l = (uint64_t)op_bitsi(low + 0x1p52);
  return (int64_t)((h << 32) + (l & UINT32_MAX));
}
static inline double tof_d(int64_t a) {
  double high = op_bitsf((int64_t)((uint64_t)a >> 32 ^ 0x4530000080000000u)),
         low = op_bitsf((int64_t)(((uint64_t)a & UINT32_MAX) | 0x4330000000000000u));
  return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
}
#else
static inline int64_t toi_d(double a) {
  return a >= -0x1p63 && a < 0x1p63 ? (int64_t)a : 0;
}
static inline double tof_d(int64_t a) { return (double)a; }
#endif
static inline int64_t toi_s(float a) { return toi_d((double)a); }
static inline float tof_s(int64_t a) { return (float)a; }

/* A literal that the type cannot hold makes the row escape. */
#define OP_INT(T, U, S)                                                                  \
  static inline T literal_##S(lanes_##S *s, int64_t c) {                                 \
    s->esc |= (U)(c != (T)c);                                                            \
    return (T)c;                                                                         \
  }                                                                                      \
  static inline T add_##S(T a, T b) { return (T)((U)a + (U)b); }                         \
  static inline T sub_##S(T a, T b) { return (T)((U)a - (U)b); }                         \
  static inline T mul_##S(T a, T b) { return (T)(U)(1u * (U)a * (U)b); }                 \
  static inline T abs_##S(T a) { return a < 0 ? sub_##S(0, a) : a; }                     \
  static inline T addo_##S(lanes_##S *s, T a, T b) {                                     \
    T r = add_##S(a, b);                                                                 \
    s->over |= (U)((a ^ r) & (b ^ r));                                                   \
    return r;                                                                            \
  }                                                                                      \
  static inline T subo_##S(lanes_##S *s, T a, T b) {                                     \
    T r = sub_##S(a, b);                                                                 \
    s->over |= (U)((a ^ b) & (a ^ r));                                                   \
    return r;                                                                            \
  }
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
  static inline T fin_##S(lanes_##S *s, T r, T a, T b) {                                 \
    if (s->careful) s->inf |= !isfinite(r) && isfinite(a) && isfinite(b);                \
    else s->off |= off_##S(r);                                                           \
    return r;                                                                            \
  }
#define OP_ANY(T, S, E)                                                                  \
  static inline T min_##S(T a, T b) { return least_##E(a, b); }                          \
  static inline T max_##S(T a, T b) { return most_##E(a, b); }                           \
  static inline bool eq_##S(T a, T b) { return a == b; }                                 \
  static inline bool ne_##S(T a, T b) { return a != b; }                                 \
  static inline bool lt_##S(T a, T b) { return a < b; }                                  \
  static inline bool le_##S(T a, T b) { return a <= b; }                                 \
  static inline bool gt_##S(T a, T b) { return a > b; }                                  \
  static inline bool ge_##S(T a, T b) { return a >= b; }                                 \
  static inline T sel_##S(bool c, T a, T b) { return c ? a : b; }                        \
  static inline T escif_##S(lanes_##S *s, bool c, T v) {                                 \
    s->esc |= c;                                                                         \
    return v;                                                                            \
  }
OP_INT(int8_t, uint8_t, q)
OP_INT(int16_t, uint16_t, h)
OP_INT(int32_t, uint32_t, w)
OP_INT(int64_t, uint64_t, i)
OP_FLOAT(double, d, )
OP_FLOAT(float, s, f)
OP_ANY(int8_t, q, i8)
OP_ANY(int16_t, h, i16)
OP_ANY(int32_t, w, i32)
OP_ANY(int64_t, i, i64)
OP_ANY(double, d, f64)
OP_ANY(float, s, f32)
#undef OP_INT
#undef OP_FLOAT
#undef OP_ANY

static inline int8_t quot_q(int8_t a, int8_t b) { return quot_i8(a, b); }
static inline int16_t quot_h(int16_t a, int16_t b) { return quot_i16(a, b); }
static inline int32_t quot_w(int32_t a, int32_t b) { return quot_i32(a, b); }
static inline int64_t quot_i(int64_t a, int64_t b) { return quot_i64(a, b); }

/* A float that an I body gives. */
static inline double fin_i(lanes_i *s, double r, double a, double b) {
  UNUSED(a), UNUSED(b);
  s->off |= off_d(r);
  if (s->careful) s->inf |= (uint64_t)!isfinite(r);
  return r;
}

static inline bool op_not(bool a) { return !a; }
static inline bool op_and(bool a, bool b) { return a & b; }
static inline bool op_or(bool a, bool b) { return a | b; }
static inline bool op_xor(bool a, bool b) { return a ^ b; }
static inline int64_t mulo_i(lanes_i *s, int64_t a, int64_t b) {
  int64_t r;
  s->esc |= (uint64_t)__builtin_mul_overflow(a, b, &r);
  return r;
}
static inline int16_t mulo_h(lanes_h *s, int16_t a, int16_t b) {
  int16_t r = mul_h(a, b), high = (int16_t)(a * b >> 16);
  s->esc |= (uint16_t)(high ^ (r >> 15));
  return r;
}
/* A float decides whether the product fits. It rejects some that would. */
static inline int32_t mulo_w(lanes_w *s, int32_t a, int32_t b) {
  s->esc |= (uint32_t) !(fabsf((float)a * (float)b) < 0x1.fffff0p30f);
  return mul_w(a, b);
}
#endif
