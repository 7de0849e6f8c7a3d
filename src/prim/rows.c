/* SPDX-License-Identifier: MIT */
/* rows.c - the rows of prim.def as C: each scalar function's bodies and a loop around
 * each of them, once for every C type (rows.h makes them), for one instruction set.
 *
 * The functions of math.def are expanded here once more, for the compiler to vectorise with
 * the loops that call them. What KIR cannot say (gcd, lcm, binomial coefficients, x○y with a
 * variable code) is a function here, which a HOSTDYA row of prim.def names. */
#define ISA_NO_PEELING
#include "../base/isa.h"

/* gcc would specialise the code behind a comparison, and such a path is not
 * vectorised. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-thread-jumps,no-tree-pre")
#endif

#define MATH_NAME(name) row_##name
#include "scalar.h"
#include "math.h"

#include "ops.h"

#define CAREFUL __attribute__((noinline, cold)) /* small, then: it is not vectorised */

/* ── math.def ───────────────────────────────────────────────────────────────────────── */

#define SUF d
#define V double
#define ARGS(...) (__VA_ARGS__)
#ifdef ISA_IS_BASE
#define IN_LOOPS inline
#else /* inlined: a call would prevent vectorisation */
#define IN_LOOPS inline __attribute__((always_inline))
#endif
#define MATH(type, name, args, ...)                                                      \
  static IN_LOOPS type row_##name args { __VA_ARGS__ }
#include "../tables/math.def"
#undef SUF
#undef V

/* The part of MATH2P that depends on v alone: in turns 1 and 2, which a loop runs
 * before 3, or at once in turn 0. */
static IN_LOOPS cx row_part(int turn, double v, cx p) {
  if (turn < 2) p = row_LN_RATIO(v);
  if (turn == 0 || turn == 2) p = row_LN_PAIR(v, p);
  return p;
}
/* Likewise of one argument. */
#define MATH1P(name, a)                                                                  \
  ((V)row_##name##_FROM(                                                                 \
      (double)(a), s->part = s->turn < 2 ? row_##name##_FIRST((double)(a)) : s->part))
#define MATH1SP(name, a) (sizeof(V) == sizeof(float) ? MATH1S(name, a) : MATH1P(name, a))
#define HARD1P(c, name, a)                                                               \
  (s->careful ? (V)hard_##name((double)(a)) : (OP(hard_)(s, c), MATH1SP(name, a)))
#define MATH2P(name, v, a, b)                                                            \
  ((V)row_##name##_OF((double)(a), (double)(b),                                          \
                      s->part = row_part(s->turn, (double)(v), s->part)))

/* ── the bodies ─────────────────────────────────────────────────────────────────────── */

static inline bool teq_d(lanes_d *s, double x, double y) { return row_TEQ(x, y, s->ct); }
static inline bool teq_s(lanes_s *s, float x, float y) {
  UNUSED(s);
  return x == y;
}

static int64_t binomial_whole(lanes_i *s, int64_t x, int64_t y) {
  int64_t r;
  s->esc |= !binomial_int(x, y, &r);
  return r;
}

static double binomial_large(lanes_i *s, int64_t x, int64_t y) {
  bool fault = false;
  double r = binomial_wide(x, y, &fault);
  s->err |= fault;
  return r;
}

/* For float, too: s has the flags of either type. */
#define BINOMIAL(suf)                                                                    \
  static double binomial_real_##suf(lanes_##suf *s, double x, double y) {                \
    bool fault = false;                                                                  \
    double r = binomial(x, y, &fault);                                                   \
    s->err |= fault;                                                                     \
    return r;                                                                            \
  }                                                                                      \
  static double circle_##suf(lanes_##suf *s, double x, double y);
BINOMIAL(d)
BINOMIAL(s)
#define binomial_real OP(binomial_real_)
#define circle OP(circle_)

/* Numbers have two classes: truth values are integers. */
#define BITS_B(u) ((u).i)
#define BITS_I(u) ((u).i)
#define BITS_F(u) ((u).d)
#define BITS_CLS_B CLS_I
#define BITS_CLS_I CLS_I
#define BITS_CLS_F CLS_F
#define bits_i(u) ((u).i)
#define bits_d(u) ((u).d)

/* The rows in int8_t and int16_t: those that are instructions of a processor. Products
 * are in int16_t only. */
#define SECOND(...) SECOND2(__VA_ARGS__)
#define SECOND2(a, b, ...) b
#define SHORT_dya_PLUS ~, I
#define SHORT_dya_MINUS ~, I
#define SHORT_dya_CEIL ~, I
#define SHORT_dya_FLOOR ~, I
#define SHORT_dya_LT ~, I
#define SHORT_dya_LE ~, I
#define SHORT_dya_EQ ~, I
#define SHORT_dya_GE ~, I
#define SHORT_dya_GT ~, I
#define SHORT_dya_NE ~, I
#define SHORT_dya_RESIDUE ~, I
#define SHORT_dya_OR ~, I
#define SHORT_mon_MINUS ~, I
#define SHORT_mon_RESIDUE ~, I

/* The rows whose loop does the work that depends on a scalar x alone once: of floats,
 * of integers. */
#define ON_REALS ((V)0.5 != 0)
#define ONCE(kind, id) SECOND(ONCE_##kind##_##id, false, ~)
#define ONCE_dya_POWER ~, ON_REALS
#define ONCE_dya_LOG ~, ON_REALS
#define ONCE_dya_RESIDUE ~, !ON_REALS

/* The rows of floats whose loop is split into two or three: a power is one chain of
 * some 200 dependent operations, and a processor's window would hold only few elements
 * of it. */
#ifdef ISA_IS_BASE /* which has no vectors of them */
#define TURNS(kind, id) 1
#else
#define TURNS(kind, id) (ON_REALS ? SECOND(TURNS_##kind##_##id, 1, ~) : 1)
#endif
#define TURNS_dya_POWER ~, 3
#define TURNS_dya_LOG ~, 3
#define TURNS_mon_POWER ~, (sizeof(V) == sizeof(double) ? 2 : 1)
#define TURNS_mon_SIN ~, 2
#define TURNS_mon_COS ~, 2
#define TURNS_mon_TAN ~, 2

/* The rows of integers for which greatest common divisors are found first, of many elements at
 * once. A number has one, however it is found. */
#define DIVISORS_dya_AND ~, true
#define DIVISORS_dya_OR ~, true
#define DIVISORS_float_variant_D_AND ~, true
#define DIVISORS_float_variant_D_OR ~, true

#define CLS B
#define SUF b
#define V bool
#define V_INT int64_t
#define V_REAL double
#include "rows.h"
#define NARROW
#define SHORT
#define CLS I
#define SUF q
#define V int8_t
#define V_UINT uint8_t
#define V_INT int8_t
#define V_REAL double
#include "rows.h"
#define SHORT_dya_TIMES ~, I
#define SHORT_dya_AND ~, I
#define NARROW
#define SHORT
#define BYTES
#define CLS I
#define SUF h
#define V int16_t
#define V_UINT uint16_t
#define V_INT int16_t
#define V_REAL double
#include "rows.h"
#define NARROW
#define CLS I
#define SUF w
#define V int32_t
#define V_UINT uint32_t
#define V_INT int32_t
#define V_REAL double
#include "rows.h"
#ifdef ISA_IS_BASE
#define NUMBERS
#endif
#define CLS I
#define SUF i
#define V int64_t
#define V_UINT uint64_t
#define V_INT int64_t
#define V_REAL double
#include "rows.h"
#ifdef ISA_IS_BASE
#define NUMBERS
#endif
#define CLS F
#define SUF d
#define V double
#define V_INT int64_t
#define V_REAL double
#include "rows.h"
#define CLS F
#define SUF s
#define V float
#define V_INT int64_t
#define V_REAL float
#include "rows.h"

static const sc_row none[P_COUNT + 1]; /* what escapes is redone in a wider type */
const sc_rows ISA_NAME(sc_rows) = {
    {{mon_b, mon_q, mon_h, mon_w, mon_i, mon_d, mon_s},
     {dya_b, dya_q, dya_h, dya_w, dya_i, dya_d, dya_s}},
    {{float_variant_M_b, none, none, none, float_variant_M_i, float_variant_M_d,
      float_variant_M_s},
     {float_variant_D_b, none, none, none, float_variant_D_i, float_variant_D_d,
      float_variant_D_s}}};

#ifdef ISA_IS_BASE
const prim_number_row *const prim_number_rows[2][2] = {{number_mon_i, number_mon_d},
                                                       {number_dya_i, number_dya_d}};
#endif

/* One element of x○y. Every code has a row on floats that gives a float. */
#define CIRCLE(suf)                                                                      \
  static double circle_##suf(lanes_##suf *s, double x, double y) {                       \
    double r = 0;                                                                        \
    prim p = sc_code(x, s->ct);                                                          \
    sc_state one = {.ct = s->ct};                                                        \
    const sc_arg arg = {&y, 0};                                                          \
    if (p < P_COUNT) mon_d[p].fn(&one, arg, arg, &r, 1);                                 \
    s->err |= p >= P_COUNT || one.err;                                                   \
    s->inf |= one.inf;                                                                   \
    s->esc |= one.esc;                                                                   \
    return r;                                                                            \
  }
CIRCLE(d)
CIRCLE(s)
