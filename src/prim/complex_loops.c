/* SPDX-License-Identifier: MIT */
/* complex_loops.c - prim.def's CPLX rows as loops over many numbers, for one instruction set.
 *
 * The functions of math.def are expanded here once more, for the compiler to vectorise with the
 * loops. Hard cases (HARD) give NaN here. A block with a result that is not finite is computed
 * again, number by number, by the functions of cmath.c; the bits are the same. */
#define ISA_NO_PEELING
#include "../base/isa.h"

/* gcc would specialise the code behind a comparison, and such a path is not
 * vectorised. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-thread-jumps,no-tree-pre")
#endif

#ifdef ISA_IS_BASE /* which has no vectors worth the code: math.c's functions */
#include "complex.h"
#include "ops.h"
#else
#define MATH_NAME(name) row_##name
#include "complex.h"
#include "ops.h"
#undef HARD
#define HARD(c, name, a) SEL(c, (double)NAN, OTHER(name, a))
#endif

#define NOINLINE __attribute__((noinline))
#define SUF d
#define V double
#define CT s->ct

#ifndef ISA_IS_BASE
#define ARGS(...) (__VA_ARGS__)
#define MATH(type, name, args, ...)                                                      \
  static inline __attribute__((always_inline)) type row_##name args { __VA_ARGS__ }
#include "../tables/math.def"
#endif

/* Some numbers, with real and imaginary parts in separate arrays. From interleaved pairs gcc 12
 * makes products that are added unrounded, though it is told not to. */
enum { PARTS = 128 };
typedef struct parts {
  double re[PARTS], im[PARTS];
} parts;

static NOINLINE void take_apart(const cx *from, int64_t n, parts *to) {
  for (int64_t i = 0; i < n; i++) {
    to->re[i] = from[i].re;
    to->im[i] = from[i].im;
  }
}

static NOINLINE void interleave(const parts *from, int64_t n, cx *to) {
  for (int64_t i = 0; i < n; i++) {
    to[i].re = from->re[i]; /* not as a whole: it is in two registers */
    to[i].im = from->im[i];
  }
}

/* Rows with long code that programs seldom use on millions of elements: only the base
 * instruction set has their loops. */
#define SECOND(...) SECOND2(__VA_ARGS__)
#define SECOND2(a, b, ...) b
#define CHOSEN(name) SECOND(RARE_##name, ROW, ~)
#define LEFT_OUT(...)
#ifndef ISA_IS_BASE
#define RARE_monadic_ASIN ~, LEFT_OUT
#define RARE_monadic_ACOS ~, LEFT_OUT
#define RARE_monadic_ATAN ~, LEFT_OUT
#define RARE_monadic_TAN ~, LEFT_OUT
#define RARE_monadic_ASINH ~, LEFT_OUT
#define RARE_monadic_ACOSH ~, LEFT_OUT
#define RARE_monadic_ATANH ~, LEFT_OUT
#define RARE_monadic_TANH ~, LEFT_OUT
#define RARE_monadic_CO_SIN ~, LEFT_OUT
#define RARE_monadic_CO_SINH ~, LEFT_OUT
#define RARE_monadic_CO_COSH ~, LEFT_OUT
#define RARE_monadic_ROOT_UP ~, LEFT_OUT
#define RARE_monadic_ROOT_DOWN ~, LEFT_OUT
#define RARE_dyadic_LOG ~, LEFT_OUT
#endif

#define RES_B bool
#define RES_F double
#define RES_C cx
#define CX_B(v) CX((v) ? 1.0 : 0.0, 0)
#define CX_F(v) CX(v, 0)
#define CX_C(v) (v)
#define ROW(name, result, ...)                                                           \
  static inline RES_##result name##_of(lanes_d *s, cx x, cx y) {                         \
    UNUSED(s);                                                                           \
    UNUSED(x);                                                                           \
    __VA_ARGS__                                                                          \
  }                                                                                      \
  static void name##_loop(sc_state *state, const cx *x, const cx *y, int64_t n, cx *r) { \
    lanes_d s = {.ct = state->ct};                                                       \
    parts a, b, z;                                                                       \
    for (int64_t at = 0, m; at < n; at += m) {                                           \
      m = n - at < PARTS ? n - at : PARTS;                                               \
      take_apart(x + at, m, &a);                                                         \
      take_apart(y + at, m, &b);                                                         \
      IVDEP for (int64_t i = 0; i < m; i++) {                                            \
        cx v = CX_##result(name##_of(&s, CX(a.re[i], a.im[i]), CX(b.re[i], b.im[i])));   \
        z.re[i] = v.re;                                                                  \
        z.im[i] = v.im;                                                                  \
      }                                                                                  \
      interleave(&z, m, r + at);                                                         \
    }                                                                                    \
    state->err |= s.err != 0;                                                            \
  }
#define CPLX1(id, result, ...) CHOSEN(monadic_##id)(monadic_##id, result, __VA_ARGS__)
#define CPLX2(id, result, ...) CHOSEN(dyadic_##id)(dyadic_##id, result, __VA_ARGS__)
#include "../tables/prim.def"

#undef ROW
#undef LEFT_OUT
#define LEFT_OUT(...) NULL
#define ROW(name, ...) name##_loop
const cx_loops ISA_NAME(cx_loops) = {{
#define CPLX1(id, ...) [P_##id][0] = CHOSEN(monadic_##id)(monadic_##id, ),
#define CPLX2(id, ...) [P_##id][1] = CHOSEN(dyadic_##id)(dyadic_##id, ),
#include "../tables/prim.def"
}};
