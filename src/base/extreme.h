/* SPDX-License-Identifier: MIT */
/* extreme.h - the lesser and the greater of two numbers: what ⌊ and ⌈ mean. For floats they are
 * minimum and maximum of IEEE 754-2019 (section 9.6): NaN if one of the two is a NaN, and ¯0 is
 * less than 0. So they commute and are associative, and the order of a fold never shows.
 *
 * A comparison that is false for a NaN and for 0 and ¯0 picks one operand, the same comparison the
 * other way round the other one: else both pick the same. The OR of both patterns is a NaN if one
 * is, and ¯0 of zeros that differ; where the sign is that of the AND, it is 0. Any NaN will do:
 * where bits are shown, a NaN has one pattern (arr_plain_nan).
 *
 * LESSER and GREATER are the same for vectors of gcc: V a type of float vectors, M that of masks. */
#ifndef VAPL_EXTREME_H
#define VAPL_EXTREME_H
#include <stdint.h>
#include <string.h>

#define EXTREMES(T, S)                                                                   \
  static inline T least_##S(T a, T b) { return b < a ? b : a; }                          \
  static inline T most_##S(T a, T b) { return b > a ? b : a; }
EXTREMES(int8_t, i8)
EXTREMES(int16_t, i16)
EXTREMES(int32_t, i32)
EXTREMES(int64_t, i64)
#undef EXTREMES

#define EXTREMES(T, U, S, TOP)                                                           \
  static inline U extreme_bits_##S(T v) {                                                \
    U r;                                                                                 \
    memcpy(&r, &v, sizeof r);                                                            \
    return r;                                                                            \
  }                                                                                      \
  static inline T extreme_of_##S(U v) {                                                  \
    T r;                                                                                 \
    memcpy(&r, &v, sizeof r);                                                            \
    return r;                                                                            \
  }                                                                                      \
  static inline T least_##S(T a, T b) {                                                  \
    U p = extreme_bits_##S(b < a ? b : a), q = extreme_bits_##S(a < b ? a : b);          \
    return extreme_of_##S(p | q);                                                        \
  }                                                                                      \
  static inline T most_##S(T a, T b) {                                                   \
    U p = extreme_bits_##S(b > a ? b : a), q = extreme_bits_##S(a > b ? a : b);          \
    return extreme_of_##S((p & q) | ((p | q) & ((TOP)-1)));                              \
  }
EXTREMES(double, uint64_t, f64, UINT64_C(1) << 63)
EXTREMES(float, uint32_t, f32, UINT32_C(1) << 31)
#undef EXTREMES

#define LESSER(V, M, a, b) ((V)(((M)(a) & ~(M)((b) < (a))) | ((M)(b) & ~(M)((a) < (b)))))
#define GREATER(V, M, a, b)                                                              \
  ((V)(((M)(a) & ~(M)((a) <= (b))) | ((M)(b) & ~(M)((b) <= (a))) | ((M)(a) & (M)(b))))
#endif
