/* SPDX-License-Identifier: MIT */
/* test_scalar.c - the scalar primitives on the direct path: expectations row by row, shapes,
 * errors, nesting, f32, failing allocations, interrupts; and the main one: every body as
 * KIR, run by a tiny evaluator written here, gives the same bits, the same escapes and the
 * same faults as the C expansion, on special and random values, for every row and type. */
#include "src/kir/lower.h"
#include "src/prim/direct.h"
#include "src/array/convert.h"
#include "src/array/match.h"
#include "src/base/isa.h"
#include "src/prim/sort_keys.h"
#include "src/prim/relations.h"
#include "src/prim/scalar.h"
#include "src/prim/set_loops.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "random.h"

#define S(...) reals(ET_F32, N_OF(double, __VA_ARGS__), (double[]){__VA_ARGS__})
#define TEXT(z) arr_text(&c, z, strlen(z))
static arr *nest(int n, arr **items) { /* takes the items */
  arr *a = arr_vec(&c, ET_NEST, n);
  for (int i = 0; i < n; i++) ((arr **)a->host)[i] = items[i];
  return a;
}
#define NEST(...) nest(N_OF(arr *, __VA_ARGS__), (arr *[]){__VA_ARGS__})

/* Calls and consumes. */
static arr *mon(prim f, arr *y) {
  arr *r = prim_monadic(&env, f, y);
  arr_release(y);
  return r;
}
static arr *dya(prim f, arr *x, arr *y) {
  arr *r = prim_dyadic(&env, f, x, y);
  arr_release(x);
  arr_release(y);
  return r;
}

/* r is what is wanted, of the same kind; both are released. */
static void same(arr *r, arr *want) {
  assert_non_null(r);
  assert_true(arr_match(r, want, 0));
  assert_int_equal(elt_kind((elt)r->type), elt_kind((elt)want->type));
  arr_release(r);
  arr_release(want);
}
/* Likewise, of the very storage type. */
static void exactly(arr *r, arr *want) {
  assert_non_null(r);
  assert_int_equal(r->type, want->type);
  same(r, want);
}
static void fails(arr *r, int code) {
  assert_null(r);
  assert_int_equal(c.err.code, code);
  err_clear(&c);
}

/* ── expectations ───────────────────────────────────────────────────────────────────── */

#define MAX64 INT64_MAX
#define MIN64 INT64_MIN
static const double inf = HUGE_VAL;

static void test_arithmetic(void **state) {
  UNUSED(state);
  exactly(dya(P_PLUS, I(1, 2, 3), I(4, 5, 6)), ints(ET_I8, 3, (int64_t[]){5, 7, 9}));
  exactly(dya(P_PLUS, BITS(1, 0), BITS(0, 0)), BITS(1, 0));
  exactly(dya(P_PLUS, I(MAX64), I(1)), F(0x1p63));
  same(dya(P_PLUS, I(MAX64, 1), I(-1, 1)), I(MAX64 - 1, 2));
  same(dya(P_PLUS, I(MAX64, 1), I(1, 1)), F(0x1p63, 2));
  same(mon(P_MINUS, I(MIN64)), F(0x1p63));
  same(mon(P_MINUS, I(MAX64, 0)), I(-MAX64, 0));
  same(dya(P_MINUS, I(MIN64), I(1)), F(-0x1p63));
  same(dya(P_TIMES, I(3037000500), I(3037000500)), F(3037000500.0 * 3037000500.0));
  same(dya(P_TIMES, I(MIN64), I(-1)), F(0x1p63));
  same(mon(P_TIMES, I(-7, 0, 9)), I(-1, 0, 1));
  same(mon(P_TIMES, F(-2.5, 0, inf)), I(-1, 0, 1));
  same(mon(P_PLUS, F(1.5)), F(1.5));
  fails(dya(P_PLUS, F(DBL_MAX), F(DBL_MAX)), ERR_DOMAIN);
  same(dya(P_PLUS, F(inf), F(1)), F(inf));
  fails(dya(P_TIMES, F(1e200), F(-1e200)), ERR_DOMAIN);
  same(dya(P_DIVIDE, I(0, 6, 7), I(0, 3, 2)), F(1, 2, 3.5));
  fails(dya(P_DIVIDE, I(1), I(0)), ERR_DOMAIN);
  fails(mon(P_DIVIDE, I(2, 0)), ERR_DOMAIN);
  same(mon(P_DIVIDE, I(4)), F(0.25));
  same(dya(P_CEIL, I(3, -1), F(2.5, 7)), F(3, 7));
  same(dya(P_FLOOR, I(3, -1), I(2, 7)), I(2, -1));
  exactly(dya(P_FLOOR, BITS(1, 1), BITS(0, 1)), BITS(0, 1));
}

static void test_rounding(void **state) {
  UNUSED(state);
  exactly(mon(P_FLOOR, F(2.5, -2.5, 3)), ints(ET_I8, 3, (int64_t[]){2, -3, 3}));
  same(mon(P_CEIL, F(2.5, -2.5, 3)), I(3, -2, 3));
  same(mon(P_FLOOR, F(3 - 1e-14, 3 - 1e-12, 1 - 1.2e-14, 1 - 0.6e-14)), I(3, 2, 0, 1));
  same(mon(P_CEIL, F(3 + 1e-14, 3 + 1e-12, -3 + 1e-14, 1e-20)), I(3, 4, -3, 1));
  same(mon(P_FLOOR, F(-1e-20)), I(-1));
  same(mon(P_FLOOR, F(1e18)), I(1000000000000000000));
  same(mon(P_FLOOR, F(1e19, 2.5)), F(1e19, 2));
  same(mon(P_CEIL, F(-1e300, 2.5)), F(-1e300, 3));
  same(mon(P_FLOOR, F(-0x1p63)), I(MIN64));
  same(mon(P_FLOOR, F(inf, 0.5)), F(inf, 0));
  same(mon(P_CEIL, I(5, -5)), I(5, -5));
  env.ct = 0;
  same(mon(P_FLOOR, F(3 - 1e-14)), I(2));
}

static void test_residue(void **state) {
  UNUSED(state);
  same(dya(P_RESIDUE, I(3, 3, -3, -3, 0, 0), I(7, -7, 7, -7, 5, -5)),
       I(1, 2, -2, -1, 5, -5));
  same(dya(P_RESIDUE, I(-1, 1, MIN64, MIN64, MAX64, 0),
           I(MIN64, MIN64, MIN64, 1, MIN64, MIN64)),
       I(0, 0, 0, MIN64 + 1, MAX64 - 1, MIN64));
  exactly(dya(P_RESIDUE, BITS(0, 0, 1, 1), BITS(0, 1, 0, 1)), BITS(0, 1, 0, 0));
  same(dya(P_RESIDUE, F(0.1), F(1)), F(0));
  same(dya(P_RESIDUE, F(2.5, -2.5, 0), F(4, 4, 1.25)), F(1.5, -1, 1.25));
  same(mon(P_RESIDUE, I(-3, 4)), I(3, 4));
  same(mon(P_RESIDUE, I(MIN64)), F(0x1p63));
  same(mon(P_RESIDUE, F(-3.5)), F(3.5));
}

static void test_power(void **state) {
  UNUSED(state);
  same(dya(P_POWER, I(2, 2, 0, 0, -2), I(10, 62, 0, 5, 63)),
       I(1024, 1LL << 62, 1, 0, MIN64));
  same(dya(P_POWER, I(-8, 3, 1, -1, -1, 0, 1), I(21, 39, MAX64, MAX64, MIN64, 1000, -5)),
       I(MIN64, 4052555153018976267, 1, -1, 1, 0, 1));
  same(dya(P_POWER, I(2), I(63)), F(0x1p63));
  same(dya(P_POWER, I(2, 10), I(-1, 2)), F(0.5, 100));
  same(dya(P_POWER, I(3037000500), I(2)), F(3037000500.0 * 3037000500.0));
  exactly(dya(P_POWER, BITS(0, 0, 1, 1), BITS(0, 1, 0, 1)), BITS(1, 0, 1, 1));
  same(dya(P_POWER, F(10, 2, 10, -2, 9), F(3, 10, 2, 3, 0.5)), F(1000, 1024, 100, -8, 3));
  same(dya(P_POWER, F(1e-200), F(2)), F(0));
  fails(dya(P_POWER, I(0), I(-1)), ERR_DOMAIN);
  fails(dya(P_POWER, F(10), F(400)), ERR_DOMAIN);
  fails(mon(P_POWER, I(1000)), ERR_DOMAIN);
  same(mon(P_POWER, I(0)), F(1));
  arr *r = mon(P_POWER, I(1));
  assert_true(fabs(arr_get_float(r, 0) - 2.718281828459045) < 1e-15);
  arr_release(r);
}

static void test_comparing(void **state) {
  UNUSED(state);
  const double one = 1 + 0.5e-14, two = 1 + 2e-14;
  exactly(dya(P_EQ, F(1, 1, 1), F(one, two, 1)), BITS(1, 0, 1));
  exactly(dya(P_LT, F(1, 1, 1), F(one, two, 1)), BITS(0, 1, 0));
  exactly(dya(P_LE, F(one, two, 2), F(1, 1, 1)), BITS(1, 0, 0));
  exactly(dya(P_GE, F(1, 1, 2), F(one, two, 1)), BITS(1, 0, 1));
  exactly(dya(P_GT, F(one, two, 2), F(1, 1, 1)), BITS(0, 1, 1));
  exactly(dya(P_NE, F(1, 1, (double)NAN), F(one, two, (double)NAN)), BITS(0, 1, 1));
  exactly(dya(P_EQ, I(MAX64), I(MAX64 - 1)), BITS(0));
  exactly(dya(P_EQ, I(MAX64), F(0x1p63)), BITS(1));
  exactly(dya(P_EQ, F(inf, inf), F(1e308, inf)), BITS(0, 1));
  exactly(dya(P_EQ, TEXT("abc"), TEXT("axc")), BITS(1, 0, 1));
  exactly(dya(P_EQ, TEXT("a"), TEXT("é∇a")), BITS(0, 0, 1));
  exactly(dya(P_EQ, TEXT("ab"), I(97, 98)), BITS(0, 0));
  exactly(dya(P_NE, I(1), TEXT("ab")), BITS(1, 1));
  fails(dya(P_LT, TEXT("a"), TEXT("b")), ERR_DOMAIN);
  fails(dya(P_PLUS, I(1), TEXT("b")), ERR_DOMAIN);
  fails(mon(P_MINUS, TEXT("b")), ERR_DOMAIN);
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++) { /* the bit rows say what the integer rows say */
      for (prim f = P_LT; f <= P_OR; f++)
        same(dya(f, ints(ET_BIT, 1, (int64_t[]){x}), ints(ET_BIT, 1, (int64_t[]){y})),
             dya(f, ints(ET_I8, 1, (int64_t[]){x}), ints(ET_I8, 1, (int64_t[]){y})));
    }
}

static void test_logic(void **state) {
  UNUSED(state);
  exactly(dya(P_AND, BITS(0, 0, 1, 1), BITS(0, 1, 0, 1)), BITS(0, 0, 0, 1));
  exactly(dya(P_OR, BITS(0, 0, 1, 1), BITS(0, 1, 0, 1)), BITS(0, 1, 1, 1));
  same(dya(P_AND, I(4, -4, 0, 15), I(6, 6, 5, 35)), I(12, -12, 0, 105));
  same(dya(P_OR, I(4, -4, 0, 15, 0), I(6, 6, -5, 35, 0)), I(2, 2, 5, 5, 0));
  same(dya(P_OR, I(MIN64), I(MIN64)), F(0x1p63));
  same(dya(P_AND, I(1LL << 62), I(3)), F(0x1.8p63));
  same(dya(P_OR, F(0.3, 7.5, 1.25), F(0.1, 2.5, 0)), F(0.1, 2.5, 1.25));
  same(dya(P_AND, F(1.5, 0), F(2.5, 3)), F(7.5, 0));
  fails(dya(P_AND, F(1e308), F(1.1e307 / 3)), ERR_DOMAIN);
  exactly(mon(P_NOT, BITS(0, 1)), BITS(1, 0));
  exactly(mon(P_NOT, I(0, 1)), BITS(1, 0));
  exactly(mon(P_NOT, F(0, 1, 1 + 1e-15)), BITS(1, 0, 0));
  fails(mon(P_NOT, I(1, 2)), ERR_DOMAIN);
  fails(mon(P_NOT, F(0.5)), ERR_DOMAIN);
  fails(mon(P_LT, I(1)), ERR_SYNTAX);
  assert_false(prim_has(P_LT, false));
  assert_true(prim_has(P_NE, false) && !prim_is_scalar(P_NE, false) &&
              prim_is_scalar(P_NE, true));
}

static arr *shaped(arr *y, int rank, const int64_t *shape) {
  arr *r = arr_reshape(&c, y, rank, shape);
  arr_release(y);
  return r;
}
#define SHAPE(y, ...) shaped(y, N_OF(int64_t, __VA_ARGS__), (int64_t[]){__VA_ARGS__})

static void test_extension(void **state) {
  UNUSED(state);
  same(dya(P_PLUS, arr_int(&c, 1), I(1, 2, 3)), I(2, 3, 4));
  same(dya(P_PLUS, I(1), I(1, 2, 3)), I(2, 3, 4));
  same(dya(P_PLUS, SHAPE(I(1, 2), 2, 1), SHAPE(I(5), 1, 1, 1)), SHAPE(I(6, 7), 2, 1));
  same(dya(P_PLUS, I(1), arr_int(&c, 2)), I(3));
  same(dya(P_PLUS, SHAPE(I(1), 1, 1), I(2)), SHAPE(I(3), 1, 1));
  fails(dya(P_PLUS, I(1, 2), I(1, 2, 3)), ERR_LENGTH);
  fails(dya(P_PLUS, I(1, 2), SHAPE(I(1, 2), 1, 2)), ERR_RANK);
  assert_null(dya(P_PLUS, SHAPE(I(1, 2, 3, 4, 5, 6), 2, 3), I(1, 2)));
  assert_non_null(strstr(c.err.msg, "2 3"));
  err_clear(&c);
  exactly(dya(P_PLUS, I(1), ints(ET_I64, 0, NULL)), ints(ET_BIT, 0, NULL));
  exactly(dya(P_DIVIDE, I(1), ints(ET_I64, 0, NULL)), reals(ET_F64, 0, NULL));
  exactly(dya(P_PLUS, I(1), TEXT("")), ints(ET_BIT, 0, NULL));
  exactly(mon(P_NOT, TEXT("")), ints(ET_BIT, 0, NULL));
  fails(dya(P_PLUS, I(1, 2), ints(ET_I64, 0, NULL)), ERR_LENGTH);
  arr *z = arr_vec(&c, ET_C128, 1);
  arr_put_complex(z, 0, 0, 0);
  exactly(mon(P_MINUS, z), F(-0.0));
}

static void test_single(void **state) {
  UNUSED(state);
  exactly(dya(P_PLUS, S(0.1), S(0.2)), S((double)((float)0.1 + (float)0.2)));
  exactly(dya(P_TIMES, S(0.1), arr_float(&c, 0.3)), S((double)((float)0.1 * (float)0.3)));
  exactly(dya(P_TIMES, S(0.5, 1.5), I(1000000, 3)), S(500000, 4.5));
  exactly(dya(P_TIMES, S(0.5), F(3)), F(1.5));
  exactly(dya(P_TIMES, arr_float(&c, 2), S(0.5)), S(1));
  exactly(dya(P_EQ, S(0.1), arr_float(&c, 0.1)), BITS(1));
  exactly(dya(P_EQ, S(1), S(1 + 0x1p-23)), BITS(0));
  exactly(mon(P_FLOOR, S(2.75, -2.75)), ints(ET_I8, 2, (int64_t[]){2, -3}));
  exactly(mon(P_FLOOR, S(1e20)), S((double)(float)1e20));
  exactly(dya(P_POWER, S(9), S(0.5)), S(3));
  exactly(dya(P_RESIDUE, S(1), S(-1e-10)), S(0));
  exactly(dya(P_OR, S(6), S(4)), S(2));
  fails(dya(P_TIMES, S(1e38), S(10)), ERR_DOMAIN);
  fails(dya(P_TIMES, S(1e-38), arr_float(&c, 1e300)), ERR_DOMAIN);
  exactly(dya(P_LT, S(1), arr_float(&c, 1e300)), BITS(1));
  exactly(mon(P_POWER, S(1)), S((double)(float)2.718281828459045));
}

static void test_nested(void **state) {
  UNUSED(state);
  same(dya(P_PLUS, I(1), NEST(I(1, 2), arr_int(&c, 5))), NEST(I(2, 3), arr_int(&c, 6)));
  same(dya(P_TIMES, NEST(I(1, 2), I(3)), NEST(I(2), I(1, 2))), NEST(I(2, 4), I(3, 6)));
  same(mon(P_MINUS, NEST(I(1), NEST(I(2), F(0.5)))), NEST(I(-1), NEST(I(-2), F(-0.5))));
  exactly(dya(P_EQ, NEST(arr_char(&c, 'a'), arr_int(&c, 1)), arr_int(&c, 1)), BITS(0, 1));
  fails(dya(P_PLUS, NEST(I(1, 2), I(1)), NEST(I(1, 2, 3), I(1))), ERR_LENGTH);
  fails(dya(P_PLUS, arr_int(&c, 1), NEST(I(1, 2), TEXT("a"))), ERR_DOMAIN);
  arr *e = arr_vec(&c, ET_NEST, 0);
  ((arr **)e->host)[0] = NEST(I(0, 0), TEXT("a"));
  arr *r = dya(P_PLUS, I(1), e);
  assert_true(r && r->type == ET_NEST && r->count == 0);
  assert_true(arr_item(r, 0)->type == ET_NEST && arr_item(r, 0)->count == 2);
  assert_int_equal(arr_item(arr_item(r, 0), 0)->count, 2);
  arr_release(r);
  for (int depth = 100; depth <= 400000; depth += 400000 - 100) {
    arr *deep = I(1, 2);
    for (int i = 0; i < depth; i++) deep = NEST(deep);
    r = mon(P_MINUS, deep);
    if (depth > 100) fails(r, ERR_LIMIT);
    else assert_non_null(r), arr_release(r);
  }
}

/* Is r in the narrowest type for its elements, and what it says of their range true? Only of 16 bits it may say
 * nothing. */
static void assert_narrowest(const arr *r) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (int64_t i = 0; i < r->count; i++) {
    int64_t v = arr_get_int(r, i);
    lo = v < lo ? v : lo;
    hi = v > hi ? v : hi;
  }
  assert_int_equal(r->type, elt_for_range(lo, hi));
  if (r->has_range) assert_true(r->lo <= lo && r->hi >= hi);
  else assert_int_equal(r->type, ET_I16);
}

/* Long arrays go in blocks: the same as element by element. */
static void test_blocks(void **state) {
  UNUSED(state);
  const int64_t lens[] = {1, 7, 8, 9, 511, 512, 513, 1024, 4099};
  for (size_t l = 0; l < ARRAY_LEN(lens); l++) {
    arr *x = arr_vec(&c, ET_I16, lens[l]), *y = arr_vec(&c, ET_I8, lens[l]);
    for (int64_t i = 0; i < lens[l]; i++) {
      arr_put_int(x, i, i * 37 % 1001 - 500);
      arr_put_int(y, i, i * 11 % 100 - 50);
    }
    arr *sum = prim_dyadic(&env, P_PLUS, x, y), *less = prim_dyadic(&env, P_LT, x, y);
    arr *half = prim_dyadic(&env, P_DIVIDE, x, x);
    for (int64_t i = 0; i < lens[l]; i++) {
      assert_int_equal(arr_get_int(sum, i), arr_get_int(x, i) + arr_get_int(y, i));
      assert_int_equal(arr_get_int(less, i), arr_get_int(x, i) < arr_get_int(y, i));
      assert_true(arr_get_float(half, i) == 1);
    }
    assert_narrowest(sum);
    assert_true(sum->type <= ET_I16 && less->type == ET_BIT);
    arr *all[] = {x, y, sum, less, half};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  }
}

/* ── bodies as KIR ──────────────────────────────────────────────────────────────────── */

typedef union val {
  int64_t i;
  double f;
} val; /* KB and integers in i; f32 exactly in f */

static int64_t wrap(kty t, uint64_t v) {
  return t == KI32 ? (int32_t)(uint32_t)v : (int64_t)v;
}
static double narrow(kty t, double v) { return t == KF32 ? (double)(float)v : v; }
static bool out_of(kty t, int64_t v) { return t == KI32 && v != (int32_t)v; }

/* One checked or plain integer operation; true if it overflows. */
static bool int_op(int op, kty t, int64_t a, int64_t b, int64_t *r) {
  bool o = op == KOP_ADD || op == KOP_ADDO   ? __builtin_add_overflow(a, b, r)
           : op == KOP_SUB || op == KOP_SUBO ? __builtin_sub_overflow(a, b, r)
                                             : __builtin_mul_overflow(a, b, r);
  o |= out_of(t, *r);
  *r = wrap(t, (uint64_t)*r);
  return o;
}

typedef struct outcome {
  bool err, esc;
} outcome;

static bool compare(int op, bool flt, val a, val b) {
  bool lt = flt ? a.f < b.f : a.i < b.i, eq = flt ? a.f == b.f : a.i == b.i;
  bool gt = flt ? a.f > b.f : a.i > b.i;
  switch (op) {
  case KOP_EQ: return eq;
  case KOP_NE: return !eq;
  case KOP_LT: return lt;
  case KOP_LE: return lt || eq;
  case KOP_GT: return gt;
  default: return gt || eq;
  }
}

static val cvt(kty from, kty to, val a) {
  if (kty_is_float(to)) {
    if (kty_is_float(from)) return (val){.f = narrow(to, a.f)};
    return (val){.f = to == KF32 ? (double)(float)a.i : (double)a.i};
  }
  if (to == KB) return (val){.i = kty_is_float(from) ? a.f != 0 : a.i != 0};
  if (!kty_is_float(from)) return (val){.i = wrap(to, (uint64_t)a.i)};
  return (val){.i = a.f >= -0x1p63 && a.f < 0x1p63 ? wrap(to, (uint64_t)(int64_t)a.f)
                                                   : 12345};
}

/* Of IEEE 754-2019: a NaN if one is, and ¯0 is less than 0. */
static double extreme(bool least, double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? a : b;
  if (a == b) return (signbit(a) != 0) == least ? a : b;
  return (a < b) == least ? a : b;
}

static val float_op(int op, kty t, double a, double b) {
  switch (op) { /* f32: one rounding of the f64 result is correct for + - × ÷ √ */
  case KOP_ADD: return (val){.f = narrow(t, a + b)};
  case KOP_SUB: return (val){.f = narrow(t, a - b)};
  case KOP_MUL: return (val){.f = narrow(t, a * b)};
  case KOP_DIV: return (val){.f = narrow(t, a / b)};
  case KOP_SQRT: return (val){.f = narrow(t, sqrt(a))};
  case KOP_NEG: return (val){.f = -a};
  case KOP_ABS: return (val){.f = fabs(a)};
  case KOP_MIN: return (val){.f = extreme(true, a, b)};
  case KOP_MAX: return (val){.f = extreme(false, a, b)};
  case KOP_FLOOR: return (val){.f = floor(a)};
  case KOP_RINT: return (val){.f = rint(a)};
  default: fail_msg("float operation %d", op); return (val){0};
  }
}

static val step(const kins *n, kty ta, const val *v, outcome *o) {
  kty t = n->ty;
  val a = v[n->a], b = v[n->b], r = {0};
  switch (n->op) {
  case KOP_CONST: return kty_is_float(t) ? (val){.f = n->imm.f} : (val){.i = n->imm.i};
  case KOP_CVT: return cvt(ta, t, a);
  case KOP_BITS: return a;
  case KOP_EQ:
  case KOP_NE:
  case KOP_LT:
  case KOP_LE:
  case KOP_GT:
  case KOP_GE: return (val){.i = compare(n->op, kty_is_float(ta), a, b)};
  case KOP_SEL: return a.i ? b : v[n->c];
  case KOP_FMA: return (val){.f = fma(a.f, b.f, v[n->c].f)};
  case KOP_FIN:
    o->err |= !isfinite(a.f) && isfinite(b.f) && isfinite(v[n->c].f);
    return a;
  case KOP_ERR: o->err |= a.i != 0; return r;
  case KOP_ESC: o->esc |= a.i != 0; return r;
  default: break;
  }
  if (kty_is_float(t)) return float_op(n->op, t, a.f, b.f);
  switch (n->op) {
  case KOP_ADDO:
  case KOP_SUBO:
  case KOP_MULO: o->esc |= int_op(n->op, t, a.i, b.i, &r.i); return r;
  case KOP_ADD:
  case KOP_SUB:
  case KOP_MUL: int_op(n->op, t, a.i, b.i, &r.i); return r;
  case KOP_QUOT:
    if (b.i == 0) return a;
    return (val){.i = b.i == -1 ? wrap(t, 0 - (uint64_t)a.i) : a.i / b.i};
  case KOP_NEG: return (val){.i = wrap(t, 0 - (uint64_t)a.i)};
  case KOP_ABS: return (val){.i = a.i < 0 ? wrap(t, 0 - (uint64_t)a.i) : a.i};
  case KOP_MIN: return (val){.i = b.i < a.i ? b.i : a.i};
  case KOP_MAX: return (val){.i = b.i > a.i ? b.i : a.i};
  case KOP_AND: return (val){.i = a.i & b.i};
  case KOP_OR: return (val){.i = a.i | b.i};
  case KOP_XOR: return (val){.i = a.i ^ b.i};
  case KOP_NOT: return (val){.i = t == KB ? !a.i : ~a.i};
  case KOP_SHL: return (val){.i = wrap(t, (uint64_t)a.i << n->imm.i)};
  case KOP_SAR: return (val){.i = a.i >> n->imm.i};
  default: fail_msg("operation %d", n->op); return r;
  }
}

static void run_from(const kir *k, uint32_t from, uint32_t to, const val *arg, val *v,
                     outcome *o);

/* The carried values of a loop, at its end. */
static void run_loop(const kloop *l, const val *around, val *carried, outcome *o) {
  const kir *body = l->body;
  val arg[KIR_MAX_IN], *v = calloc(body->n_ins, sizeof *v);
  for (uint32_t i = 0; i < body->n_in; i++) arg[i] = around[l->from[i]];
  for (;;) {
    run_from(body, 0, l->test, arg, v, o);
    if (!v[body->out[l->n].value].i) break;
    run_from(body, l->test, body->n_ins, arg, v, o);
    for (uint32_t i = 0; i < l->n; i++) arg[i] = v[body->out[i].value];
  }
  memcpy(carried, arg, l->n * sizeof *arg);
  free(v);
}

static void run_from(const kir *k, uint32_t from, uint32_t to, const val *arg, val *v,
                     outcome *o) {
  val carried[KIR_MAX_CARRIED] = {{0}};
  for (uint32_t i = from; i < to; i++) {
    const kins *n = &k->ins[i];
    if (n->op == KOP_LOOP) run_loop(&k->loop[n->imm.i], v, carried, o);
    if (n->op == KOP_ARG) v[i] = arg[n->imm.i];
    else if (n->op == KOP_LOOP) v[i] = carried[0];
    else if (n->op == KOP_PART) v[i] = carried[n->imm.i];
    else v[i] = step(n, k->ins[n->a].ty, v, o);
  }
}

static val run(const kir *k, kv result, val x, val y, outcome *o) {
  static val v[KIR_MAX_INS];
  run_from(k, 0, k->n_ins, (val[]){x, y}, v, o);
  return v[result];
}

/* One row as a kernel on the type t. */
static kv lower(kir *k, prim_body b, kty t) {
  static const uint8_t elts[] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  *k = (kir){.n_fault = 1, .n_in = 2, .in = {{elts[t], KV_FLAT}, {elts[t], KV_FLAT}}};
  kv x = kir_add(&c, k, (kins){.op = KOP_ARG, .ty = (uint8_t)t});
  kv y = kir_add(&c, k, (kins){.op = KOP_ARG, .ty = (uint8_t)t, .imm = {.i = 1}});
  kv ct = kir_add(&c, k, (kins){.op = KOP_CONST, .ty = KF64, .imm = {.f = env.ct}});
  kv r = prim_lower(&c, k, &b, &(prim_values){.x = x, .y = y, .ct = ct});
  assert_false(err_is(&c));
  assert_true(kir_check(k));
  cls result = b.float_variant ? CLS_F : prim_result(b.p, b.dyadic, b.row);
  kty want = result == CLS_B ? KB : result == CLS_F ? t : b.row == CLS_F ? KI64 : t;
  if (result == CLS_F && kty_is_int(t)) want = KF64;
  assert_int_equal(k->ins[r].ty, want);
  bool faults = false;
  for (uint32_t i = 0; i < k->n_ins; i++) faults |= kop_has_effect(k->ins[i].op);
  unsigned may = prim_faults(&b) & (PRIM_ERRS | PRIM_ESCAPES | PRIM_LOOPS);
  assert_int_equal(may != 0, faults);
  return r;
}

static bool same_bits(double a, double b) {
  return isnan(a) ? isnan(b) : !memcmp(&a, &b, sizeof a);
}

static arr *arg(kty t,
                val v) { /* a vector of one, so that f64 does not give way to f32 */
  switch (t) {
  case KB: return ints(ET_BIT, 1, &v.i);
  case KI32:
  case KI64: return ints(t == KI32 ? ET_I32 : ET_I64, 1, &v.i);
  default: return reals(t == KF32 ? ET_F32 : ET_F64, 1, &v.f);
  }
}

typedef struct lowered {
  kir k, float_variant;
  kv r, float_variant_r;
  prim f;
  bool dyadic, has_float_variant;
  kty t;
} lowered;

/* The kernel's outcome on (x, y) is the direct path's. */
static void agree(const lowered *w, val x, val y) {
  outcome o = {0};
  val r = run(&w->k, w->r, x, y, &o);
  bool flt = kty_is_float(w->k.ins[w->r].ty);
  if (o.esc && w->has_float_variant) {
    o = (outcome){0};
    r = run(&w->float_variant, w->float_variant_r, x, y, &o);
    flt = true;
  }
  arr *a = arg(w->t, x), *b = arg(w->t, y);
  arr *want = w->dyadic ? prim_dyadic(&env, w->f, a, b) : prim_monadic(&env, w->f, b);
  if (o.esc) {
    if (!want) assert_int_equal(c.err.code, ERR_DOMAIN);
    else if (elt_is_int((elt)want->type) && w->f != P_FACT) /* 1!MIN, by way of -MIN */
      assert_true(out_of(w->t, arr_get_int(want, 0)));
  } else if (o.err && want) { /* HARD1 */
    assert_true(w->f == P_SIN || w->f == P_COS || w->f == P_TAN || w->f == P_FACT);
  } else if (o.err) {
    assert_int_equal(c.err.code, ERR_DOMAIN);
  } else {
    assert_non_null(want);
    assert_int_equal(elt_is_float((elt)want->type), flt);
    bool ok = flt ? same_bits(arr_get_float(want, 0), r.f) : arr_get_int(want, 0) == r.i;
    if (!ok) fail_msg("%s on %d: %a %a", prim_table[w->f].glyph, (int)w->t, x.f, y.f);
  }
  err_clear(&c);
  arr_release(a);
  arr_release(b);
  arr_release(want);
}

/* Value i of a type: specials first, then random ones of every size. */
static val sample(kty t, int i) {
  static const double reals_of[] = {
      0.0,       -0.0,    1,        -1,      2,       0.5,      -0.5,      3,
      -3,        10,      1.5,      2.5,     -2.5,    64,       1 + 1e-15, 1 - 1e-15,
      3 - 1e-14, 0.1,     1e10,     1e-10,   1e17,    -1e19,    0x1p53,    0x1p63,
      -0x1p63,   DBL_MAX, -DBL_MAX, DBL_MIN, FLT_MAX, HUGE_VAL, -HUGE_VAL, (double)NAN};
  static const int64_t ints_of[] = {0,
                                    1,
                                    -1,
                                    2,
                                    -2,
                                    3,
                                    -3,
                                    7,
                                    10,
                                    21,
                                    31,
                                    32,
                                    62,
                                    63,
                                    64,
                                    65,
                                    -64,
                                    INT32_MAX,
                                    INT32_MIN,
                                    INT32_MAX - 1,
                                    46341,
                                    3037000500,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MIN + 1,
                                    INT64_MAX - 1};
  uint64_t r = next();
  if (t == KB) return (val){.i = i & 1};
  if (kty_is_int(t)) {
    int64_t v = i < (int)ARRAY_LEN(ints_of) ? ints_of[i] : (int64_t)r >> (next() % 63);
    return (val){.i = t == KI32 ? (int32_t)(uint32_t)(uint64_t)v : v};
  }
  val v = {.f = i < (int)ARRAY_LEN(reals_of) ? reals_of[i] : 0};
  if (i >= (int)ARRAY_LEN(reals_of)) {
    if (i % 3 == 0) v.i = (int64_t)r;
    else v.f = (double)((int64_t)r >> (next() % 63)) * (i % 3 == 1 ? 1 : 0x1p-20);
  }
  if (fabs(v.f) > 0 && fabs(v.f) < DBL_MIN)
    v.f = 0; /* subnormals are outside the promise */
  return t == KF32 ? (val){.f = (double)(float)v.f} : v;
}

static void all_pairs(lowered *w) {
  enum { N = 60 };
  int n = w->t == KB ? 2 : N;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < (w->dyadic ? n : 1); i++)
      agree(w, sample(w->t, i), sample(w->t, j));
}

static void test_lowering(void **state) {
  UNUSED(state);
  static const struct {
    cls row;
    kty t;
  } types[] = {{CLS_B, KB}, {CLS_I, KI32}, {CLS_I, KI64}, {CLS_F, KF32}, {CLS_F, KF64}};
  int rows = 0;
  for (prim f = 0; f < P_COUNT; f++)
    for (int d = 0; d < 2; d++)
      for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (!prim_is_scalar(f, d) || prim_row_of(f, d, types[i].row) != types[i].row)
          continue;
        lowered w = {.f = f, .dyadic = d, .t = types[i].t};
        w.r = lower(&w.k, (prim_body){.p = f, .dyadic = d, .row = types[i].row}, w.t);
        w.has_float_variant = w.t != KI32 && prim_has_float_variant(f, d, types[i].row);
        if (w.has_float_variant)
          w.float_variant_r =
              lower(&w.float_variant,
                    (prim_body){f, d, types[i].row, .float_variant = true}, w.t);
        all_pairs(&w);
        kir_free(&c, &w.k);
        kir_free(&c, &w.float_variant);
        rows++;
      }
  assert_true(rows > 60);
  kir k = {0};
  env.ct = 0;
  lower(&k, (prim_body){P_PLUS, true, CLS_I, .no_overflow = true}, KI64);
  for (uint32_t i = 0; i < k.n_ins; i++) assert_int_not_equal(k.ins[i].op, KOP_ADDO);
  kir_free(&c, &k);
  assert_int_equal(prim_row_of(P_CIRCLE, true, CLS_F),
                   CLS_NONE); /* host rows are not for kernels */
  assert_int_equal(prim_row_of(P_DIVIDE, true, CLS_B), CLS_F);
}

/* ── instruction sets ───────────────────────────────────────────────────────────────── */

static const sc_rows *const sets[ISA_COUNT] = FOR_ISA(sc_rows);
static const sc_relations *const relations[ISA_COUNT] = FOR_ISA(sc_relations);

/* Every loop over floats in vectors, of both arguments and of a scalar one, as each instruction set
 * has it: the same bits. The numbers are such that few results leave the floats, which would have the
 * loop that is the same for all. */
static void test_instruction_sets(void **state) {
  UNUSED(state);
  enum { N = 603, ROUNDS = 8 };
  double x[N], y[N], r[ISA_COUNT][N];
  for (prim f = 0; f < P_COUNT; f++)
    for (int k = 0; k < 4 * ROUNDS; k++) {
      const sc_row *row = &sets[0]->row[k & 1][SC_F64][f];
      if (!row->fn || row->result != CLS_F || row->host) continue;
      double high = exp2(uniform(-8, 8));
      for (int i = 0; i < N; i++) {
        x[i] = exp2(uniform(-20, 20));
        y[i] = uniform(-high * (i & 1), high);
        if (k & 2) x[i] = x[0];
      }
      sc_state s[ISA_COUNT];
      for (int set = 0; set < ISA_COUNT; set++) {
        if (!isa_has(set)) continue;
        s[set] = (sc_state){.ct = 1e-14};
        const sc_arg left = {x, !(k & 2)}, right = {y, 1};
        sets[set]->row[k & 1][SC_F64][f].fn(&s[set], left, right, r[set], N);
        assert_true(s[0].err == s[set].err && s[0].inf == s[set].inf &&
                    s[0].esc == s[set].esc);
        for (int i = 0; i < N; i++)
          if (!isnan(r[0][i]) || !isnan(r[set][i]))
            assert_memory_equal(&r[0][i], &r[set][i], sizeof **r);
      }
    }
}

static double one_of(const double *of, int n) { return of[(int)uniform(0, n)]; }

/* Every loop from floats to integers and from integers to floats, as each instruction set has it: the results
 * and the flags of one element after the other. */
static void test_conversions(void **state) {
  UNUSED(state);
  enum { N = 67, ROUNDS = 400 };
  static const double edges[] = {0,      0.5,    1,      0x1p31, 0x1p32,
                                 0x1p51, 0x1p52, 0x1p53, 0x1p62, 0x1p63 - 1024};
  int64_t whole[2][N], want[N], got[N];
  double real[N];
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < N; i++) {
      double at = one_of(edges, ARRAY_LEN(edges)) + uniform(-4, 4);
      if (round % 2) at = floor(at * 2) / 2;
      real[i] = copysign(round % 3 ? at : exp2(uniform(-60, 62.9)), uniform(-1, 1));
      for (int k = 0; k < 2; k++)
        whole[k][i] = (int64_t)((uint64_t)(int64_t)uniform(-0x1p62, 0x1p62) * 3) >>
                      (int)uniform(0, 63);
    }
    for (int f = 0; f < 2 * P_COUNT; f++)
      for (int kind = 0; kind < 4; kind++) { /* which table of rows */
        bool variant = kind & 1, of_floats = kind & 2;
        sc_type t = of_floats ? SC_F64 : SC_I64;
        const sc_arg x = {of_floats ? (void *)real : whole[0], 1},
                     y = {of_floats ? (void *)real : whole[1], 1};
        for (int set = 0; set < ISA_COUNT; set++) {
          const sc_row *of =
              variant ? sets[set]->variant[f & 1][t] : sets[set]->row[f & 1][t];
          const sc_row *row = &of[f / 2];
          if (!row->fn || row->host || (of_floats && (row->result != CLS_I || f & 1)))
            continue;
          if (!isa_has(set)) continue;
          sc_state one = {.ct = 1e-14}, all = one;
          memset(want, 0, sizeof want), memset(got, 0, sizeof got);
          row->one(&one, x, y, want, N);
          row->fn(&all, x, y, got, N);
          assert_true(one.err == all.err && one.inf == all.inf && one.esc == all.esc);
          if (!one.err && !one.inf && !one.esc)
            assert_memory_equal(want, got, sizeof want);
        }
      }
  }
}

/* Comparisons to bits beside the rows, as each instruction set has them, of numbers of which many are equal, or as close as the
 * tolerance allows, or nearly so. */
static void test_relations(void **state) {
  UNUSED(state);
  enum { N = 200, ROUNDS = 40 };
  static const prim functions[] = {P_LT, P_LE, P_EQ, P_GE, P_GT, P_NE};
  double xs[N], ys[N];
  char x[N * 8], y[N * 8];
  bool want[N];
  uint8_t got[N / 8 + 2];
  for (int round = 0; round < ROUNDS * 6; round++) {
    double ct = round % 3 ? exp2(uniform(-60, -33)) : 0,
           scale = exp2(uniform(-1070, 1000));
    for (sc_type t = SC_I8; t < SC_TYPES; t++) {
      for (int i = 0; i < N; i++) {
        xs[i] = t < SC_F64 ? floor(uniform(-9, 9)) : uniform(-9, 9) * scale;
        ys[i] =
            t < SC_F64 ? floor(uniform(-9, 9)) : xs[i] * (1 + ct * uniform(-1.5, 1.5));
        if (i % 5 == 0) ys[i] = xs[i] * (1 + copysign(ct, uniform(-1, 1)));
        if (i % 7 == 0) ys[i] = i % 2 ? xs[i] : -xs[i];
#define PUT(T, type)                                                                     \
  if (t == (type)) ((T *)x)[i] = (T)xs[i], ((T *)y)[i] = (T)ys[i];
        PUT(int8_t, SC_I8)
        PUT(int16_t, SC_I16)
        PUT(int32_t, SC_I32) PUT(int64_t, SC_I64) PUT(double, SC_F64) PUT(float, SC_F32)
      }
      const prim f = functions[round % 6];
      const sc_row *row = sc_row_of(f, true, t);
      double tolerance = t == SC_F32 ? 0 : ct;
      sc_relation how = sc_relation_of(f, t, row->fn, tolerance);
      sc_state s = {.ct = tolerance};
      const sc_arg a = {x, 1}, b = {y, 1};
      row->one(&s, a, b, want, N);
      for (int set = 0; set < ISA_COUNT; set++) {
        how.run = isa_has(set) ? relations[set]->of[t] : NULL;
        for (int64_t n = 1; n <= N && how.run; n += n < 60 ? 31 : 1) {
          memset(got, 0xa5, sizeof got);
          how.run(&how, a, b, n, got);
          for (int64_t i = 0; i < n; i++)
            assert_int_equal(got[i / 8] >> (i % 8) & 1, want[i]);
          for (int64_t i = n; i % 8; i++) assert_int_equal(got[i / 8] >> (i % 8) & 1, 0);
          assert_int_equal(got[(n + 7) / 8], 0xa5);
        }
      }
    }
  }
}

/* Every pair of integers of 8 bits, by loops of 8 bits and by those that read them and compute in 16,
 * beside one element after the other. */
static void test_bytes(void **state) {
  UNUSED(state);
  enum { N = 256 };
  int8_t x[N], y[N], r[2][N];
  int16_t wide_x[N], wide_y[N], wide[2][N];
  int loops = 0;
  for (int i = 0; i < N; i++) wide_y[i] = y[i] = (int8_t)i;
  for (prim f = 0; f < P_COUNT; f++)
    for (int k = 0; k < 2 * ISA_COUNT * N; k++) {
      int set = k / 2 % ISA_COUNT;
      for (int i = 0; i < N; i++) wide_x[i] = x[i] = (int8_t)(k / 2 / ISA_COUNT);
      if (!isa_has(set)) continue;
      const sc_arg a = {x, 1}, b = {y, 1}, c16 = {wide_x, 1}, d16 = {wide_y, 1};
      const sc_row *row = &sets[set]->row[k & 1][SC_I8][f];
      sc_state s[2] = {{.ct = 0}, {.ct = 0}};
      for (int n = 1; row->fn && n <= N; n++) {
        s[0] = s[1] = (sc_state){.ct = 0};
        row->fn(&s[0], a, b, r[0], n);
        row->one(&s[1], a, b, r[1], n);
        assert_int_equal(s[0].esc, s[1].esc);
        assert_memory_equal(r[0], r[1], (size_t)n);
        if (n == 1) n = N - 66;
      }
      row = &sets[set]->row[k & 1][SC_I16][f];
      if (!row->bytes) continue;
      size_t size = row->result == CLS_I ? sizeof **wide : 1;
      loops++;
      row->bytes(&s[0], a, b, wide[0], N);
      s[1].esc = false;
      row->one(&s[1], c16, d16, wide[1], N);
      assert_false(s[1].esc);
      assert_memory_equal(wide[0], wide[1], N * size);
    }
  assert_true(loops >= 13 * N);
}

static const sc_blocks *const blocks[ISA_COUNT] = FOR_ISA(sc_blocks);
static const set_loops *const among[ISA_COUNT] = FOR_ISA(set_loops);

/* Sets of bytes, and of numbers of 16 and 32 bits near one another, beside one bit after the other. */
static void test_sets(void **state) {
  UNUSED(state);
  enum { N = 200, ROUNDS = 20 };
  for (int k = 0; k < ROUNDS * ISA_COUNT; k++) {
    uint8_t set[64], v8[N], r[N / 8 + 1];
    uint16_t v16[N];
    uint32_t v32[N];
    if (!isa_has(k % ISA_COUNT)) continue;
    const set_loops *b = among[k % ISA_COUNT];
    int64_t lo = (int64_t)uniform(-40000, 40000);
    bool far = k & 4;
    for (int i = 0; i < 64; i++) set[i] = (uint8_t)uniform(0, 256);
    for (int i = 0; i < N; i++) {
      v8[i] = (uint8_t)uniform(0, 256);
      v16[i] = (uint16_t)(lo + (int64_t)uniform(-20, 530));
      v32[i] = (uint32_t)(lo + (int64_t)uniform(-20, 530));
    }
    for (int n = 1; n <= N; n++) {
      b->among(set, v8, n, r);
      for (int i = 0; i < n; i++)
        assert_int_equal(r[i / 8] >> i % 8 & 1,
                         set[v8[i] % 16 + v8[i] / 128 * 16] >> v8[i] / 16 % 8 & 1);
      assert_true(n % 8 == 0 || r[n / 8] >> n % 8 == 0);
      b->near(set, lo, far, 2, v16, n, r);
      for (int i = 0; i < n; i++) {
        uint16_t d = (uint16_t)(v16[i] - (uint16_t)lo);
        assert_int_equal(r[i / 8] >> i % 8 & 1, d < 512 ? set[d / 8] >> d % 8 & 1 : far);
      }
      assert_true(n % 8 == 0 || r[n / 8] >> n % 8 == 0);
      b->near(set, lo, far, 4, v32, n, r);
      for (int i = 0; i < n; i++) {
        uint32_t d = v32[i] - (uint32_t)lo;
        assert_int_equal(r[i / 8] >> i % 8 & 1, d < 512 ? set[d / 8] >> d % 8 & 1 : far);
      }
    }
  }
}

/* Keys, and steps down a tree of them. */
static void test_keys(void **state) {
  UNUSED(state);
  enum { N = 67, NODES = 5, ALL = NODES * SC_NODE };
  for (int k = 0; k < 20 * ISA_COUNT; k++) {
    double v[N];
    uint64_t key[2][N], level[ALL];
    int64_t at[N], from[N];
    if (!isa_has(k % ISA_COUNT)) continue;
    const sc_blocks *b = blocks[k % ISA_COUNT];
    for (int i = 0; i < N; i++) v[i] = (i % 3 - 1) * exp2(uniform(-1080, 1024));
    v[1] = NAN;
    v[2] = -0.0;
    v[3] = -INFINITY;
    b->keys(false, v, N, key[0]);
    for (int i = 0; i < N; i++) assert_true(key[0][i] == sort_key_float(v[i]));
    b->keys(true, v, N, key[1]);
    for (int i = 0; i < N; i++) {
      memcpy(&level[0], &v[i], sizeof *level);
      assert_true(key[1][i] == (level[0] ^ 1ull << 63));
      key[0][i] = (uint64_t)uniform(0, 3 * SC_NODE);
      from[i] = at[i] = (int64_t)uniform(0, NODES);
    }
    for (int i = 0; i < ALL; i++) level[i] = (uint64_t)(2 * (i % SC_NODE) + i % 2);
    if (k % 2) level[ALL - 1] = UINT64_MAX;
    key[0][5] = UINT64_MAX;
    b->descend(level, NULL, ALL - 2, key[0], N, at);
    for (int i = 0; i < N; i++) {
      int64_t to = from[i] * SC_NODE, end = to + SC_NODE;
      for (; to < end && level[to] <= key[0][i]; to++) {}
      assert_int_equal(at[i], to < ALL - 2 ? to : ALL - 2);
    }
  }
}

/* ── what goes wrong ────────────────────────────────────────────────────────────────── */

static arr *long_work(int which, arr *x, arr *n) {
  switch (which) {
  case 0: return prim_dyadic(&env, P_PLUS, x, x);
  case 1: return prim_dyadic(&env, P_TIMES, n, x);
  case 2: return prim_monadic(&env, P_MINUS, n);
  case 3: return prim_dyadic(&env, P_EQ, n, n);
  default: return prim_dyadic(&env, P_POWER, x, x);
  }
}

static void test_failing(void **state) {
  UNUSED(state);
  arr *x = arr_vec(&c, ET_I16, 3000), *e = arr_vec(&c, ET_NEST, 0);
  for (int64_t i = 0; i < x->count; i++) arr_put_int(x, i, i % 9);
  ((arr **)e->host)[0] = I(0, 0);
  arr *n = NEST(arr_retain(x), I(1, 2), e, arr_int(&c, 3));
  arr *by = NEST(arr_int(&c, 2), I(3, 4), I(5), arr_int(&c, 6));
  size_t live = c.blocks_live;
  for (int which = 0; which < 5; which++)
    for (int64_t at = 1;; at++) {
      fail_at = at;
      arr *r = long_work(which, which == 1 ? by : x, n);
      fail_at = 0;
      if (!r) assert_int_equal(c.err.code, ERR_WS_FULL);
      err_clear(&c);
      arr_release(r);
      assert_int_equal(c.blocks_live, live);
      if (r) break;
    }
  for (int which = 0; which < 5; which++) {
    atomic_store(&c.interrupt, true);
    fails(long_work(which, which == 1 ? by : x, n), ERR_INTERRUPT);
  }
  kir k = {0};
  for (int64_t at = 1;; at++) {
    k = (kir){.n_fault = 1};
    kv y = kir_add(&c, &k, (kins){.op = KOP_CONST, .ty = KF64});
    fail_at = at;
    prim_lower(&c, &k, &(prim_body){.p = P_POWER, .dyadic = true, .row = CLS_F},
               &(prim_values){.x = y, .y = y, .ct = y});
    fail_at = 0;
    bool ok = !err_is(&c);
    err_clear(&c);
    kir_free(&c, &k);
    if (ok) break;
  }
  arr_release(x);
  arr_release(n);
  arr_release(by);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_arithmetic), TEST(test_rounding),    TEST(test_residue),
      TEST(test_power),      TEST(test_comparing),   TEST(test_logic),
      TEST(test_extension),  TEST(test_single),      TEST(test_nested),
      TEST(test_blocks),     TEST(test_lowering),    TEST(test_instruction_sets),
      TEST(test_bytes),      TEST(test_sets),        TEST(test_keys),
      TEST(test_relations),  TEST(test_conversions), TEST(test_failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
