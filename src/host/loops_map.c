/* SPDX-License-Identifier: MIT */
/* loops_map.c - the elementwise loops of the block interpreter, for one instruction set.
 *
 * The loops are plain C that gcc and clang vectorise: element counts are multiples of 64
 * wherever that can be had, so there is no tail. Arithmetic on integers is unsigned, so that
 * it wraps; comparisons and conversions are written so that no value is undefined. */
#include "loops_isa.h"

#include "../base/arith.h"
#include "../base/extreme.h"

/* BLK_ONE: for single elements, so that a loop is a call and its operation. */
#ifdef BLK_ONE
#define WHOLE(n) 1
#else
#define WHOLE(n) ((n) & ~(size_t)(BLK_UNI - 1))
#endif
#define FN(name)                                                                         \
  static uint32_t name(void *rv, const void *av, const void *bv, const void *cv, size_t n)

/* ── elementwise ────────────────────────────────────────────────────────────────────── */

/* R r = e(x) */
#define UNARY(name, R, A, e)                                                             \
  FN(name) {                                                                             \
    R *r = rv;                                                                           \
    const A *a = av;                                                                     \
    UNUSED(bv), UNUSED(cv);                                                              \
    n = WHOLE(n);                                                                        \
    IVDEP for (size_t i = 0; i < n; i++) {                                               \
      const A x = a[i];                                                                  \
      r[i] = (R)(e);                                                                     \
    }                                                                                    \
    return 0;                                                                            \
  }

/* R r = e(x, y); `fault` may look at x, y and z, the result, and is or-ed into f */
#define FORM(name, R, A, X, Y, e, F, fault, test)                                        \
  FN(name) {                                                                             \
    R *r = rv;                                                                           \
    const A *a = av, *b = bv;                                                            \
    F f = 0;                                                                             \
    UNUSED(cv);                                                                          \
    n = WHOLE(n);                                                                        \
    const A x0 = *a, y0 = *b;                                                            \
    UNUSED(x0), UNUSED(y0);                                                              \
    IVDEP for (size_t i = 0; i < n; i++) {                                               \
      const A x = X, y = Y;                                                              \
      const R z = (R)(e);                                                                \
      fault;                                                                             \
      r[i] = z;                                                                          \
    }                                                                                    \
    return (uint32_t)(test);                                                             \
  }
#define FORMS(name, R, A, e, F, fault, test)                                             \
  FORM(name##_vv, R, A, a[i], b[i], e, F, fault, test)                                   \
  FORM(name##_vs, R, A, a[i], y0, e, F, fault, test)                                     \
  FORM(name##_sv, R, A, x0, b[i], e, F, fault, test)
#define BINARY(name, R, A, e) FORMS(name, R, A, e, uint32_t, UNUSED(f), f)

#define INTEGER(s, T, U, MULO, MF, mfault, mtest)                                        \
  BINARY(add_##s, T, T, (U)x + (U)y)                                                     \
  BINARY(sub_##s, T, T, (U)x - (U)y)                                                     \
  BINARY(mul_##s, T, T, (U)x *(U)y)                                                      \
  BINARY(quot_##s, T, T, quot_##s(x, y))                                                 \
  FORMS(addo_##s, T, T, (U)x + (U)y, T, f |= (x ^ z) & (y ^ z), f < 0)                   \
  FORMS(subo_##s, T, T, (U)x - (U)y, T, f |= (x ^ y) & (x ^ z), f < 0)                   \
  FORMS(mulo_##s, T, T, MULO, MF, mfault, mtest)                                         \
  FORM(shl_##s##_vs, T, T, a[i], 0, (U)x << k, T, UNUSED(y), f)                          \
  FORM(sar_##s##_vs, T, T, a[i], 0, x >> k, T, UNUSED(y), f)                             \
  UNARY(neg_##s, T, T, 0 - (U)x)                                                         \
  UNARY(abs_##s, T, T, x < 0 ? 0 - (U)x : (U)x)                                          \
  UNARY(not_##s, T, T, ~x)                                                               \
  BITWISE(s, T)
#define BITWISE(s, T)                                                                    \
  BINARY(and_##s, T, T, x &y)                                                            \
  BINARY(or_##s, T, T, x | y)                                                            \
  BINARY(xor_##s, T, T, x ^ y)
#define ORDERED(s, T)                                                                    \
  BINARY(min_##s, T, T, least_##s(x, y))                                                 \
  BINARY(max_##s, T, T, most_##s(x, y))
#define COMPARE(s, T)                                                                    \
  BINARY(eq_##s, uint8_t, T, x == y)                                                     \
  BINARY(ne_##s, uint8_t, T, x != y)                                                     \
  BINARY(lt_##s, uint8_t, T, x < y)                                                      \
  BINARY(le_##s, uint8_t, T, x <= y)

/* A float is not finite when its exponent is all ones: then adding one to the exponent
 * carries into the sign. */
#define INFINITE_f32(z) ((bits32(z) & 0x7fffffffu) + 0x00800000u)
#define INFINITE_f64(z) ((bits64(z) & 0x7fffffffffffffffu) + 0x0010000000000000u)
#define FLOATING(s, T, U, SUFFIX, TOP)                                                   \
  BINARY(add_##s, T, T, x + y)                                                           \
  BINARY(sub_##s, T, T, x - y)                                                           \
  BINARY(mul_##s, T, T, x *y)                                                            \
  BINARY(div_##s, T, T, x / y)                                                           \
  FORMS(addfin_##s, T, T, x + y, U, f |= INFINITE_##s(z), f >> TOP)                      \
  FORMS(subfin_##s, T, T, x - y, U, f |= INFINITE_##s(z), f >> TOP)                      \
  FORMS(mulfin_##s, T, T, x *y, U, f |= INFINITE_##s(z), f >> TOP)                       \
  FORMS(divfin_##s, T, T, x / y, U, f |= INFINITE_##s(z), f >> TOP)                      \
  UNARY(neg_##s, T, T, -x)                                                               \
  UNARY(abs_##s, T, T, __builtin_fabs##SUFFIX(x))                                        \
  UNARY(floor_##s, T, T, __builtin_floor##SUFFIX(x))                                     \
  UNARY(rint_##s, T, T, __builtin_rint##SUFFIX(x))                                       \
  FN(fin_##s) {                                                                          \
    const T *a = av;                                                                     \
    U f = 0;                                                                             \
    UNUSED(rv), UNUSED(bv), UNUSED(cv);                                                  \
    n = WHOLE(n);                                                                        \
    for (size_t i = 0; i < n; i++) f |= INFINITE_##s(a[i]);                              \
    return (uint32_t)(f >> TOP);                                                         \
  }

static inline uint32_t bits32(float x) {
  union {
    float f;
    uint32_t u;
  } v = {x};
  return v.u;
}
static inline uint64_t bits64(double x) {
  union {
    double f;
    uint64_t u;
  } v = {x};
  return v.u;
}

FN(fma_f64) {
  double *r = rv;
  const double *a = av, *b = bv, *c = cv;
  n = WHOLE(n);
  IVDEP for (size_t i = 0; i < n; i++) r[i] = __builtin_fma(a[i], b[i], c[i]);
  return 0;
}

#define k (*(const int64_t *)bv) /* the shifts' count */
INTEGER(i32, int32_t, uint32_t, (uint32_t)x *(uint32_t)y, uint32_t,
        f |= (int64_t)x * y != z, f)
INTEGER(i64, int64_t, uint64_t, (uint64_t)x *(uint64_t)y, uint32_t, int64_t p;
        f |= __builtin_mul_overflow(x, y, &p), f)
#undef k
FLOATING(f32, float, uint32_t, f, 31)
FLOATING(f64, double, uint64_t, , 63)
BITWISE(b, uint8_t)
UNARY(not_b, uint8_t, uint8_t, x ^ 1)
ORDERED(i32, int32_t)
ORDERED(i64, int64_t)
ORDERED(f32, float)
ORDERED(f64, double)
COMPARE(b, uint8_t)
COMPARE(i32, int32_t)
COMPARE(i64, int64_t)
COMPARE(f32, float)
COMPARE(f64, double)

/* The compiler would call the library for the sake of errno; the divider is no faster on
 * wider vectors. */
#if defined(__SSE2__) && !defined(BLK_ONE)
#define ROOT(s, T, w, LOADU, SQRT, STOREU)                                               \
  FN(sqrt_##s) {                                                                         \
    T *r = rv;                                                                           \
    const T *a = av;                                                                     \
    UNUSED(bv), UNUSED(cv);                                                              \
    n = WHOLE(n);                                                                        \
    for (size_t i = 0; i < n; i += w) STOREU(r + i, SQRT(LOADU(a + i)));                 \
    return 0;                                                                            \
  }
ROOT(f32, float, 4, _mm_loadu_ps, _mm_sqrt_ps, _mm_storeu_ps)
ROOT(f64, double, 2, _mm_loadu_pd, _mm_sqrt_pd, _mm_storeu_pd)
#else
UNARY(sqrt_f32, float, float, __builtin_sqrtf(x))
UNARY(sqrt_f64, double, double, __builtin_sqrt(x))
#endif

FN(any_b) { /* is there a one among the bytes */
  const uint8_t *a = av;
  uint8_t f = 0;
  UNUSED(rv), UNUSED(bv), UNUSED(cv);
  n = WHOLE(n);
  for (size_t i = 0; i < n; i++) f |= a[i];
  return f;
}

#define SELECT(name, T, B, C)                                                            \
  FN(name) {                                                                             \
    T *r = rv;                                                                           \
    const uint8_t *a = av;                                                               \
    const T *b = bv, *c = cv;                                                            \
    const T b0 = *b, c0 = *c;                                                            \
    UNUSED(b0), UNUSED(c0);                                                              \
    n = WHOLE(n);                                                                        \
    IVDEP for (size_t i = 0; i < n; i++) {                                               \
      const T y = B, z = C;                                                              \
      r[i] = a[i] ? y : z;                                                               \
    }                                                                                    \
    return 0;                                                                            \
  }
#define SELECTS(s, T)                                                                    \
  SELECT(sel_##s##_vv, T, b[i], c[i])                                                    \
  SELECT(sel_##s##_sv, T, b0, c[i])                                                      \
  SELECT(sel_##s##_vs, T, b[i], c0)                                                      \
  SELECT(sel_##s##_ss, T, b0, c0)                                                        \
  FN(splat_##s) {                                                                        \
    T *r = rv;                                                                           \
    const T x = *(const T *)av;                                                          \
    UNUSED(bv), UNUSED(cv);                                                              \
    n = WHOLE(n);                                                                        \
    for (size_t i = 0; i < n; i++) r[i] = x;                                             \
    return 0;                                                                            \
  }
SELECTS(1, uint8_t)
SELECTS(4, uint32_t)
SELECTS(8, uint64_t)

#define IOTA(name, T)                                                                    \
  FN(name) {                                                                             \
    T *r = rv;                                                                           \
    const T x = (T) * (const int64_t *)av;                                               \
    UNUSED(bv), UNUSED(cv);                                                              \
    n = WHOLE(n);                                                                        \
    for (size_t i = 0; i < n; i++) r[i] = (T)(x + (T)i);                                 \
    return 0;                                                                            \
  }
IOTA(iota_i32, int32_t)
IOTA(iota_i64, int64_t)

/* ── conversions, loads, stores ─────────────────────────────────────────────────────── */

#define FITS(lo, hi) (x >= (lo) && x < (hi))
UNARY(b_i32, int32_t, uint8_t, x)
UNARY(b_i64, int64_t, uint8_t, x)
UNARY(b_f32, float, uint8_t, x)
UNARY(b_f64, double, uint8_t, x)
UNARY(i32_b, uint8_t, int32_t, x != 0)
UNARY(i32_i64, int64_t, int32_t, x)
UNARY(i32_f32, float, int32_t, x)
UNARY(i32_f64, double, int32_t, x)
UNARY(i64_b, uint8_t, int64_t, x != 0)
UNARY(i64_i32, int32_t, int64_t, x)
UNARY(i64_f32, float, int64_t, x)
UNARY(i64_f64, double, int64_t, x)
UNARY(f32_b, uint8_t, float, x != 0)
UNARY(f32_i32, int32_t, float, FITS(-0x1p31f, 0x1p31f) ? (int32_t)x : INT32_MIN)
UNARY(f32_i64, int64_t, float, FITS(-0x1p63f, 0x1p63f) ? (int64_t)x : INT64_MIN)
UNARY(f32_f64, double, float, x)
UNARY(f64_b, uint8_t, double, x != 0)
UNARY(f64_i32, int32_t, double,
      x > -0x1.00000002p31 && x < 0x1p31 ? (int32_t)x : INT32_MIN)
UNARY(f64_i64, int64_t, double, FITS(-0x1p63, 0x1p63) ? (int64_t)x : INT64_MIN)
UNARY(f64_f32, float, double, x)
UNARY(i32_i8, int8_t, int32_t, x)
UNARY(i32_i16, int16_t, int32_t, x)
UNARY(i64_i8, int8_t, int64_t, x)
UNARY(i64_i16, int16_t, int64_t, x)

#define LOAD(name, A)                                                                    \
  FN(name) {                                                                             \
    int32_t *r = rv;                                                                     \
    const A *a = av;                                                                     \
    UNUSED(bv), UNUSED(cv);                                                              \
    IVDEP for (size_t i = 0; i < n; i++) r[i] = a[i];                                    \
    return 0;                                                                            \
  }
LOAD(load_i8, int8_t)
LOAD(load_i16, int16_t)
LOAD(load_c8, uint8_t)
LOAD(load_c16, uint16_t)

/* n bits to truth values, whole bytes of them. A byte times 01…01 is copied eight times; a
 * different bit of each copy is kept and moved to the bottom. */
FN(load_bit) {
  uint8_t *r = rv;
  const uint8_t *a = av;
  UNUSED(bv), UNUSED(cv);
  for (size_t i = 0; i < (n + 7) / 8; i++) {
    uint64_t w = a[i] * 0x0101010101010101u & 0x8040201008040201u;
    w = ((w & 0x7f7f7f7f7f7f7f7fu) + 0x7f7f7f7f7f7f7f7fu) | w;
    w = w >> 7 & 0x0101010101010101u;
    memcpy(r + 8 * i, &w, 8);
  }
  return 0;
}

FN(store_bit) { /* truth values to bits */
  uint8_t *r = rv;
  const uint8_t *a = av;
  UNUSED(bv), UNUSED(cv);
  n = WHOLE(n);
#ifdef __SSE2__
  for (size_t i = 0; i < n; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(a + i));
    uint16_t w = (uint16_t)_mm_movemask_epi8(_mm_slli_epi16(v, 7));
    memcpy(r + i / 8, &w, 2);
  }
#else
  for (size_t i = 0; i < n; i += 8) { /* the product gathers the eight low bits on top */
    uint64_t w;
    memcpy(&w, a + i, 8);
    r[i / 8] = (uint8_t)(w * 0x0102040810204080u >> 56);
  }
#endif
  return 0;
}

/* ── the table ──────────────────────────────────────────────────────────────────────── */

#define T3(name)                                                                         \
  { name##_vv, name##_vs, name##_sv }
#define T1(name)                                                                         \
  { name, NULL, NULL }
#define TVS(name)                                                                        \
  { NULL, name##_vs, NULL }
#define TSEL(name)                                                                       \
  { name##_vv, name##_sv, name##_vs, name##_ss }
#define ON_INT(f, name) [KI32] = f(name##_i32), [KI64] = f(name##_i64)
#define ON_FLT(f, name) [KF32] = f(name##_f32), [KF64] = f(name##_f64)
#define ON_BITS(f, name) [KB] = f(name##_b), ON_INT(f, name)
#define ON_NUM(f, name) ON_INT(f, name), ON_FLT(f, name)
#define ON_ALL(f, name) [KB] = f(name##_b), ON_NUM(f, name)

const blk_map ISA_CAT(blk_map, ISA) = {
    .op =
        {
            [KOP_ADD] = {ON_NUM(T3, add)},      [KOP_SUB] = {ON_NUM(T3, sub)},
            [KOP_MUL] = {ON_NUM(T3, mul)},      [KOP_DIV] = {ON_FLT(T3, div)},
            [KOP_FMA] = {[KF64] = T1(fma_f64)}, [KOP_SQRT] = {ON_FLT(T1, sqrt)},
            [KOP_QUOT] = {ON_INT(T3, quot)},    [KOP_NEG] = {ON_NUM(T1, neg)},
            [KOP_ABS] = {ON_NUM(T1, abs)},      [KOP_MIN] = {ON_NUM(T3, min)},
            [KOP_MAX] = {ON_NUM(T3, max)},      [KOP_FLOOR] = {ON_FLT(T1, floor)},
            [KOP_RINT] = {ON_FLT(T1, rint)},    [KOP_AND] = {ON_BITS(T3, and)},
            [KOP_OR] = {ON_BITS(T3, or)},       [KOP_XOR] = {ON_BITS(T3, xor)},
            [KOP_NOT] = {ON_BITS(T1, not )},    [KOP_SHL] = {ON_INT(TVS, shl)},
            [KOP_SAR] = {ON_INT(TVS, sar)},     [KOP_EQ] = {ON_ALL(T3, eq)},
            [KOP_NE] = {ON_ALL(T3, ne)},        [KOP_LT] = {ON_ALL(T3, lt)},
            [KOP_LE] = {ON_ALL(T3, le)},        [KOP_ADDO] = {ON_INT(T3, addo)},
            [KOP_SUBO] = {ON_INT(T3, subo)},    [KOP_MULO] = {ON_INT(T3, mulo)},
            [KOP_FIN] = {ON_FLT(T1, fin)},      [KOP_ERR] = {[KB] = T1(any_b)},
            [KOP_ESC] = {[KB] = T1(any_b)},
        },
    .fin = {{T3(addfin_f32), T3(addfin_f64)},
            {T3(subfin_f32), T3(subfin_f64)},
            {T3(mulfin_f32), T3(mulfin_f64)},
            {T3(divfin_f32), T3(divfin_f64)}},
    .cvt =
        {
            [KB] = {[KI32] = b_i32, [KI64] = b_i64, [KF32] = b_f32, [KF64] = b_f64},
            [KI32] = {[KB] = i32_b, [KI64] = i32_i64, [KF32] = i32_f32, [KF64] = i32_f64},
            [KI64] = {[KB] = i64_b, [KI32] = i64_i32, [KF32] = i64_f32, [KF64] = i64_f64},
            [KF32] = {[KB] = f32_b, [KI32] = f32_i32, [KI64] = f32_i64, [KF64] = f32_f64},
            [KF64] = {[KB] = f64_b, [KI32] = f64_i32, [KI64] = f64_i64, [KF32] = f64_f32},
        },
    .sel = {TSEL(sel_1), TSEL(sel_4), TSEL(sel_8)},
    .splat = {splat_1, splat_4, splat_8},
    .iota = {iota_i32, iota_i64},
    .load = {[ET_BIT] = load_bit,
             [ET_I8] = load_i8,
             [ET_I16] = load_i16,
             [ET_C8] = load_c8,
             [ET_C16] = load_c16},
    .store =
        {
            [KB] = {[ET_BIT] = store_bit},
            [KI32] = {[ET_I8] = i32_i8,
                      [ET_C8] = i32_i8,
                      [ET_I16] = i32_i16,
                      [ET_C16] = i32_i16,
                      [ET_I64] = i32_i64},
            [KI64] = {[ET_I8] = i64_i8,
                      [ET_C8] = i64_i8,
                      [ET_I16] = i64_i16,
                      [ET_C16] = i64_i16,
                      [ET_I32] = i64_i32,
                      [ET_C32] = i64_i32},
        },
};
