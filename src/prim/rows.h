/* SPDX-License-Identifier: MIT */
/* rows.h - one pass over prim.def: the bodies of one class as functions, a loop around
 * each, and the table of these loops. rows.c includes it once per C type after setting
 *
 *   CLS  B, I or F, the rows that this pass takes    SUF  b q h w i d s, the type's suffix
 *   V    the C type of arguments, V_INT and V_REAL those of I and F results; V_UINT: of integers
 *        the unsigned one
 *
 * and finds loops in mon_SUF and dya_SUF, and the float variants in float_variant_M_SUF
 * and float_variant_D_SUF. */
#define RES_B bool
#define RES_I V_INT
#define RES_F V_REAL
#define NAME4(a, b, c, d) a##_##b##_##c##_##d
#define NAME(kind, id, class, suf) NAME4(kind, id, class, suf)

/* Only this class: TAKE_B_I(…) and the like are empty. Rows of int32_t are those that KIR can
 * express, without float variants: results that escape are computed again in int64_t. */
#ifdef NARROW
#define WIDE(class) TAKE2(NONE, class)
#else
#define WIDE(class) TAKE2(CLS, class)
#endif
#define TAKE_NONE_B(...)
#define TAKE_NONE_I(...)
#define TAKE_NONE_F(...)
#define TAKE_B_B(...) __VA_ARGS__
#define TAKE_I_I(...) __VA_ARGS__
#define TAKE_F_F(...) __VA_ARGS__
#define TAKE_B_I(...)
#define TAKE_B_F(...)
#define TAKE_I_B(...)
#define TAKE_I_F(...)
#define TAKE_F_B(...)
#define TAKE_F_I(...)
#define TAKE3(a, b) TAKE_##a##_##b
#define TAKE2(a, b) TAKE3(a, b)
#ifdef SHORT
#define TAKE(kind, id, class) TAKE2(SECOND(SHORT_##kind##_##id, NONE, ~), class)
#else
#define TAKE(kind, id, class) TAKE2(CLS, class)
#endif

#ifdef NARROW /* a number that the type cannot hold makes the row escape */
#undef L
#define L(c) OP(literal_)(s, (int64_t)(c))
#endif

/* The careful loops are the same for all instruction sets. */
#ifdef ISA_IS_BASE
#define SLOW(kind, id, result)                                                           \
  CAREFUL sc_fn NAME(kind, id, slow, SUF);                                               \
  CAREFUL void NAME(kind, id, slow, SUF)(sc_state * state, sc_arg left, sc_arg right,    \
                                         void *to, int64_t n) {                          \
    OP(lanes_) s = {.ct = state->ct, .careful = true};                                   \
    const V *x = left.at, *y = right.at;                                                 \
    RES_##result *r = to;                                                                \
    for (int64_t i = 0; i < n; i++)                                                      \
      r[i] = NAME(kind, id, fn, SUF)(&s, x[i * left.step], y[i * right.step]);           \
    state->err |= s.err != 0;                                                            \
    state->inf |= s.inf != 0;                                                            \
    state->esc |= ESCAPED(s);                                                            \
  }
#else
#define SLOW(kind, id, result) sc_fn NAME(kind, id, slow, SUF);
#endif
/* One number: a scalar without an array (direct.h). */
#ifdef NUMBERS
#define NUMBER(kind, id, result)                                                         \
  CAREFUL static bool NAME(kind, id, number, SUF)(double ct, prim_bits x, prim_bits y,   \
                                                  prim_bits *r) {                        \
    OP(lanes_) s = {.ct = ct, .careful = true};                                          \
    BITS_##result(*r) = NAME(kind, id, fn, SUF)(&s, OP(bits_)(x), OP(bits_)(y));         \
    return !(s.err | s.inf | ESCAPED(s));                                                \
  }
#else
#define NUMBER(kind, id, result)
#endif
/* The same for arguments in int8_t: V holds every result of two of them, so overflow is not
 * checked. */
#ifdef BYTES
#define BYTES_LOOP(kind, id) (DIVISORS(kind, id) ? NULL : NAME(kind, id, bytes, SUF))
#define OF_BYTES(kind, id, result)                                                       \
  static void NAME(kind, id, bytes, SUF)(sc_state * state, sc_arg left, sc_arg right,    \
                                         void *to, int64_t n) {                          \
    OP(lanes_) s = {.ct = state->ct};                                                    \
    const int8_t *x = left.at, *y = right.at;                                            \
    RES_##result *r = to;                                                                \
    IVDEP for (int64_t i = 0; i < n; i++) r[i] =                                         \
        NAME(kind, id, fn, SUF)(&s, x[i], y[i]);                                         \
  }
#else
#define BYTES_LOOP(kind, id) NULL
#define OF_BYTES(kind, id, result)
#endif
/* r[i] becomes the negative of the greatest common divisor. It is GCD of prim.def for
 * many pairs side by side, in vectors: all pairs take a step until none needs one. */
#ifdef V_UINT
enum { OP(DIVISORS_) = 256 / sizeof(V) };
static inline void OP(divisor_step_)(V_UINT *x, V_UINT *y, V_UINT unit) {
  V_UINT less = *x < *y ? *x : *y, more = *x < *y ? *y : *x;
  bool odd = (*y & unit) != 0;
  V_UINT gap = (V_UINT)(more - less);
  *x = odd ? less : *x;
  *y = (V_UINT)((odd ? gap : *y) >> 1);
}
static inline void OP(few_divisors_)(const V *left, const V *right, V *r) {
  V_UINT x[OP(DIVISORS_)], y[OP(DIVISORS_)], unit[OP(DIVISORS_)], some;
  for (int k = 0; k < OP(DIVISORS_); k++) {
    V_UINT a = (V_UINT)OP(abs_)(left[k]), b = (V_UINT)OP(abs_)(right[k]), both = a | b;
    unit[k] = both = (V_UINT)(both & (0u - both));
    x[k] = a & both ? a : b;
    y[k] = a & both ? b : a;
  }
  do {
    some = 0;
    for (int k = 0; k < OP(DIVISORS_); k++) {
      for (int step = 0; step < 4; step++) OP(divisor_step_)(&x[k], &y[k], unit[k]);
      some |= y[k];
    }
  } while (some);
  for (int k = 0; k < OP(DIVISORS_); k++) r[k] = (V)(V_UINT)(0u - x[k]);
}
static __attribute__((noinline)) void OP(divisors_)(const V *x, const V *y, int64_t n,
                                                    V *r) {
  V a[OP(DIVISORS_)] = {0}, b[OP(DIVISORS_)] = {0}, few[OP(DIVISORS_)];
  for (int64_t at = 0, m; at < n; at += m) {
    m = n - at < OP(DIVISORS_) ? n - at : OP(DIVISORS_);
    memcpy(a, x + at, (size_t)m * sizeof *x);
    memcpy(b, y + at, (size_t)m * sizeof *y);
    OP(few_divisors_)(a, b, few);
    memcpy(r + at, few, (size_t)m * sizeof *r);
  }
}
#define DIVISORS(kind, id) SECOND(DIVISORS_##kind##_##id, false, ~)
#define FIND_DIVISORS(...) OP(divisors_)(__VA_ARGS__)
#else
#define DIVISORS(kind, id) false
#define FIND_DIVISORS(...)
#endif
/* r ← left f y. A function of several TURNS runs turn by turn over some elements at a
 * time; the results of a turn wait in memory for the next. */
#define TURN(kind, id, left, which)                                                      \
  IVDEP for (int64_t i = at; i < at + m; i++) {                                          \
    OP(lanes_) early = {.turn = which};                                                  \
    if (which > 1) early.part = (cx){re[i - at], im[i - at]};                            \
    UNUSED(NAME(kind, id, fn, SUF)(&early, left, y[i]));                                 \
    re[i - at] = early.part.re;                                                          \
    im[i - at] = early.part.im;                                                          \
  }
#define EACH(kind, id, left)                                                             \
  double re[SC_BLOCK / 2], im[SC_BLOCK / 2];                                             \
  for (int64_t at = 0, m; TURNS(kind, id) > 1 && at < n; at += m) {                      \
    m = n - at < SC_BLOCK / 2 ? n - at : SC_BLOCK / 2;                                   \
    TURN(kind, id, left, 1)                                                              \
    if (TURNS(kind, id) > 2) TURN(kind, id, left, 2)                                     \
    s.turn = 3;                                                                          \
    IVDEP for (int64_t i = at; i < at + m; i++) {                                        \
      s.part = (cx){re[i - at], im[i - at]};                                             \
      r[i] = NAME(kind, id, fn, SUF)(&s, left, y[i]);                                    \
    }                                                                                    \
  }                                                                                      \
  for (int64_t at = 0, m; DIVISORS(kind, id) && at < n; at += m) {                       \
    V found[SC_BLOCK];                                                                   \
    m = n - at < SC_BLOCK ? n - at : SC_BLOCK;                                           \
    FIND_DIVISORS(x + at, y + at, m, found);                                             \
    s.turn = DIVISOR_TURN;                                                               \
    IVDEP for (int64_t i = at; i < at + m; i++) {                                        \
      s.divisor = (__typeof__(s.divisor))found[i - at];                                  \
      r[i] = NAME(kind, id, fn, SUF)(&s, left, y[i]);                                    \
    }                                                                                    \
  }                                                                                      \
  bool plain = TURNS(kind, id) == 1 && !DIVISORS(kind, id);                              \
  IVDEP for (int64_t i = 0; plain && i < n; i++) r[i] =                                  \
      NAME(kind, id, fn, SUF)(&s, left, y[i]);
/* The vector loop has no branch that depends on an element, so that compilers
 * vectorise it. The careful loop serves single elements, and blocks where the vector
 * loop is not enough. */
#define BODY(kind, id, result, ...)                                                      \
  static IN_LOOPS RES_##result NAME(kind, id, fn, SUF)(OP(lanes_) * s, V x, V y) {       \
    UNUSED(s);                                                                           \
    UNUSED(x);                                                                           \
    __VA_ARGS__                                                                          \
  }                                                                                      \
  SLOW(kind, id, result)                                                                 \
  OF_BYTES(kind, id, result)                                                             \
  static void NAME(kind, id, loop, SUF)(sc_state * state, sc_arg left, sc_arg right,     \
                                        void *to, int64_t n) {                           \
    OP(lanes_) s = {.ct = state->ct};                                                    \
    const V *x = left.at, *y = right.at;                                                 \
    RES_##result *r = to;                                                                \
    if (n <= 1) n = -n;                                                                  \
    if (ONCE(kind, id) && !left.step) {                                                  \
      const V one = x[0];                                                                \
      EACH(kind, id, one)                                                                \
    } else {                                                                             \
      EACH(kind, id, x[i])                                                               \
    }                                                                                    \
    if (n < 0 || s.hard || s.off >> (8 * sizeof s.off - 1)) {                            \
      state->again = n > 0;                                                              \
      if (state->over && n > 0) return;                                                  \
      if (n < 0) n = -n;                                                                 \
      NAME(kind, id, slow, SUF)(state, left, right, to, n);                              \
      return;                                                                            \
    }                                                                                    \
    state->err |= s.err != 0;                                                            \
    state->esc |= ESCAPED(s);                                                            \
  }
#define MON(id, class, result, ...)                                                      \
  TAKE(mon, id, class)(BODY(mon, id, result, __VA_ARGS__) NUMBER(mon, id, result))
#define DYA(id, class, result, ...)                                                      \
  TAKE(dya, id, class)(BODY(dya, id, result, __VA_ARGS__) NUMBER(dya, id, result))
#define FLOAT_VARIANT(id, form, class, ...)                                              \
  WIDE(class)(BODY(float_variant_##form, id, F, __VA_ARGS__))
#define HOSTDYA(id, class, result, function)                                             \
  WIDE(class)                                                                            \
  (BODY(dya, id, result, return HOST_##class(function(s, x, y));) NUMBER(dya, id, result))
#define HOSTVARIANT(id, class, function)                                                 \
  WIDE(class)(BODY(float_variant_D, id, F, return FIND(function(s, x, y));))
#define HOST_I(r) (r)
#define HOST_F(r) FIN((V)(r), x, y)
#include "../tables/prim.def"

#define ROW(kind, id, result, host)                                                      \
  [P_##id] = {NAME(kind, id, loop, SUF), NAME(kind, id, slow, SUF), CLS_##result, host,  \
              BYTES_LOOP(kind, id)},
#define MON(id, class, result, ...) TAKE(mon, id, class)(ROW(mon, id, result, false))
static const sc_row OP(mon_)[P_COUNT + 1] = {
#include "../tables/prim.def"
    [P_COUNT] = {0}};
#define DYA(id, class, result, ...) TAKE(dya, id, class)(ROW(dya, id, result, false))
#define HOSTDYA(id, class, result, function) WIDE(class)(ROW(dya, id, result, true))
static const sc_row OP(dya_)[P_COUNT + 1] = {
#include "../tables/prim.def"
    [P_COUNT] = {0}};
#ifndef NARROW
#define FLOAT_VARIANT_M(id) ROW(float_variant_M, id, F, false)
#define FLOAT_VARIANT_D(id)
#define FLOAT_VARIANT(id, form, class, ...) WIDE(class)(FLOAT_VARIANT_##form(id))
static const sc_row OP(float_variant_M_)[P_COUNT + 1] = {
#include "../tables/prim.def"
    [P_COUNT] = {0}};
#undef FLOAT_VARIANT_M
#undef FLOAT_VARIANT_D
#define FLOAT_VARIANT_M(id)
#define FLOAT_VARIANT_D(id) ROW(float_variant_D, id, F, false)
#define FLOAT_VARIANT(id, form, class, ...) WIDE(class)(FLOAT_VARIANT_##form(id))
#define HOSTVARIANT(id, class, function) WIDE(class)(FLOAT_VARIANT_D(id))
static const sc_row OP(float_variant_D_)[P_COUNT + 1] = {
#include "../tables/prim.def"
    [P_COUNT] = {0}};
#endif

#ifdef NUMBERS
#undef ROW
#define ROW(kind, id, result) [P_##id] = {NAME(kind, id, number, SUF), BITS_CLS_##result},
#define MON(id, class, result, ...) TAKE(mon, id, class)(ROW(mon, id, result))
static const prim_number_row OP(number_mon_)[P_COUNT + 1] = {
#include "../tables/prim.def"
    [P_COUNT] = {0}};
#define DYA(id, class, result, ...) TAKE(dya, id, class)(ROW(dya, id, result))
#define HOSTDYA(id, class, result, function) WIDE(class)(ROW(dya, id, result))
static const prim_number_row OP(number_dya_)[P_COUNT + 1] = {
#include "../tables/prim.def"
    [P_COUNT] = {0}};
#endif

#undef RES_B
#undef RES_I
#undef RES_F
#undef NAME4
#undef NAME
#ifdef NARROW
#undef L
#define L(c) ((V)(c))
#endif
#undef WIDE
#undef NARROW
#undef SHORT
#undef V_UINT
#undef DIVISORS
#undef FIND_DIVISORS
#undef BYTES
#undef BYTES_LOOP
#undef OF_BYTES
#undef TAKE_NONE_B
#undef TAKE_NONE_I
#undef TAKE_NONE_F
#undef TAKE_B_B
#undef TAKE_I_I
#undef TAKE_F_F
#undef TAKE_B_I
#undef TAKE_B_F
#undef TAKE_I_B
#undef TAKE_I_F
#undef TAKE_F_B
#undef TAKE_F_I
#undef TAKE3
#undef TAKE2
#undef TAKE
#undef BODY
#undef SLOW
#undef EACH
#undef TURN
#undef NUMBER
#undef NUMBERS
#undef HOST_I
#undef HOST_F
#undef ROW
#undef FLOAT_VARIANT_M
#undef FLOAT_VARIANT_D
#undef CLS
#undef SUF
#undef V
#undef V_REAL
#undef V_INT
