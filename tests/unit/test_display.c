/* SPDX-License-Identifier: MIT */
/* test_display.c - arrays and numbers as text. */
#include "make.h"
#include "random.h"
#include <math.h>
#include <stdio.h>
#include "src/array/number.h"

static void is_at(arr *a, int pp, int pw, int boxed, const char *want) {
  assert_string_equal(shown(a, pp, pw, boxed), want);
}
static void is(arr *a, const char *want) { is_at(a, 10, 80, false, want); }
static void boxed(arr *a, const char *want) { is_at(a, 10, 80, BOX_MIN, want); }

static void number_is(double v, int pp, const char *want) {
  str s = {.c = &C};
  num_format_float(&s, v, pp);
  assert_string_equal(s.at, want);
  s.n = 0;
  if (v == (double)(int64_t)v && (v > -9e15 && v < 9e15)) {
    num_format_int(&s, (int64_t)v, pp); /* the width of storage does not show */
    assert_string_equal(s.at, want);
  }
  str_free(&s);
}

static void numbers_at_a_precision(void **state) {
  (void)state;
  static const struct {
    double v;
    int pp;
    const char *want;
  } row[] = {{0, 10, "0"},
             {-0.0, 10, "0"},
             {1, 10, "1"},
             {-1, 10, "¯1"},
             {0.5, 10, "0.5"},
             {-0.25, 10, "¯0.25"},
             {1.0 / 3, 10, "0.3333333333"},
             {2.0 / 3, 10, "0.6666666667"},
             {1.0 / 3, 3, "0.333"},
             {500000500000., 10, "5.000005E11"},
             {1234567890, 10, "1234567890"},
             {12345678901, 10, "1.23456789E10"},
             {10000000000, 10, "1E10"},
             {9999999999.4, 10, "9999999999"},
             {9999999999.6, 10, "1E10"},
             {123456.7894999, 10, "123456.7895"},
             {0.000001, 10, "0.000001"},
             {0.0000012345, 10, "0.0000012345"},
             {0.0000001, 10, "1E¯7"},
             {-1.5e-7, 10, "¯1.5E¯7"},
             {1.5e300, 10, "1.5E300"},
             {123, 3, "123"},
             {1234, 3, "1.23E3"},
             {12345, 3, "1.23E4"},
             {0.12345, 3, "0.123"},
             {0.00012345, 3, "0.000123"},
             {0.00000012345, 3, "1.23E¯7"},
             {9.99, 2, "10"},
             {99.9, 2, "1E2"},
             {25, 1, "2E1"},
             {35, 1, "4E1"},
             {0.1, 17, "0.10000000000000001"},
             {0.1, 16, "0.1"},
             {0.1, 34, "0.10000000000000001"},
             {1152921504606846976., 18, "1.15292150460684698E18"},
             {1152921504606846976., 19, "1152921504606846976"},
             {1e20, 19, "1E20"},
             {1.5e300, 34, "1.5000000000000001E300"},
             {1e22, 34, "10000000000000000000000"},
             {5e-324, 10, "4.940656458E¯324"},
             {1.7976931348623157e308, 17, "1.7976931348623157E308"},
             {1e9, 9, "1E9"},
             {1e8, 9, "100000000"}};
  for (size_t i = 0; i < ARRAY_LEN(row); i++) number_is(row[i].v, row[i].pp, row[i].want);
  double zero = 0;
  number_is(zero / zero, 10, "NaN");
  number_is(1 / zero, 10, "∞");
  number_is(-1 / zero, 10, "¯∞");
  str s = {.c = &C};
  num_format_int(&s, INT64_MAX, 34);
  num_format_int(&s, INT64_MIN, 19);
  num_format_int(&s, INT64_MIN, 18);
  num_format_int(&s, 999999, 5);
  assert_string_equal(
      s.at, "9223372036854775807¯9223372036854775808¯9.22337203685477581E181E6");
  str_free(&s);
}

/* Some of many sorts: decimal fractions, ties, neighbours of powers of ten, any exponent. */
static double some_float(int sort) {
  uint64_t r = next(), bits = (1023 - 70 + r % 220) << 52 | r >> 12;
  double v;
  memcpy(&v, &bits, sizeof v);
  switch (sort) {
  case 0: return (double)(r % 100000000 + 1) / 10000;
  case 1: return (double)(r % 2000001 + 1) / 2 * pow(10, (int)(next() % 30) - 12);
  case 2: return (double)(r % 1000) + 0.5;
  case 3: v = pow(10, (int)(r % 60) - 20); break;
  default: return v;
  }
  if (r & 1024) v = nextafter(v, 0);
  if (r & 2048) v = nextafter(v, 1e300);
  return v;
}

/* The digits are those of the C library, which rounds the exact value. */
static void digits_of_floats(void **state) {
  UNUSED(state);
  for (int i = 0; i < 50000; i++) {
    double v = some_float(i % 5);
    int pp = 1 + (int)(next() % 17);
    char want[64], got[64] = "", zeros[] = "0000000000000000000";
    num_digits t;
    num_of_float(&t, v, pp);
    snprintf(want, sizeof want, "%.*e", pp - 1, v);
    snprintf(got, sizeof got, "%c%s%.*s%.*se%s%02d", t.d[0], pp > 1 ? "." : "", t.n - 1,
             t.d + 1, pp - t.n, zeros, t.e < 0 ? "-" : "+", abs(t.e));
    assert_string_equal(got, want);
  }
}

static void simple_vectors(void **state) {
  (void)state;
  is(S("", I("3")), "3\n");
  is(I("1 2 3"), "1 2 3\n");
  is(F("0.1 1 1.12"), "0.1 1 1.12\n");
  is(I("-1 1"), "¯1 1\n");
  is(T("hello ⍳"), "hello ⍳\n");
  is(T(""), "\n");
  is(I(""), "\n");
  is(N(4, S("", T("A")), S("", I("2")), S("", T("B")), S("", T("C"))), "A 2 BC\n");
  is(F("1e10 1"), "1E10 1\n");
  is(F("nan inf -inf 0.5"), "NaN ∞ ¯∞ 0.5\n");
  is(typed(ET_BIT, "1 0 1"), "1 0 1\n");
  arr *z = typed(ET_C128, "1 2");
  ((double *)z->host)[1] = -2.5;
  is(z, "1J¯2.5 2\n");
}

static void simple_matrices(void **state) {
  (void)state;
  is(S("2 4", T("HANDFIST")), "HAND\nFIST\n");
  is(S("3 3", I("6 2 5 12 4 10 18 6 15")), " 6 2  5\n12 4 10\n18 6 15\n");
  is(S("2 2", F("1 2.5 10 100")), " 1   2.5\n10 100  \n");
  is(S("2 3", F("2 4 6.1 8 10.24 12")), "2  4     6.1\n8 10.24 12  \n");
  is(S("2 4",
       N(8, S("", I("4")), S("", T("A")), S("", T("B")), S("", I("5")),
         S("", F("-0.000000003")), S("", T("C")), S("", T("D")), S("", F("123.56")))),
     " 4E0  AB   5   \n¯3E¯9 CD 123.56\n");
  is(S("3 1", F("1.25e20 7 -2e-10")), " 1.25E20 \n 7.00E0  \n¯2.00E¯10\n");
  is(S("3 1", F("nan -0.5 100")), "  NaN\n ¯0.5\n100  \n");
  is(S("2 2", N(4, S("", I("100")), S("", T("a")), S("", T("b")), S("", I("7")))),
     "100 a\n  b 7\n");
  is(S("5 1", F("1 0.5 0.33333333333333333 0.25 0.2")),
     "1           \n0.5         \n0.3333333333\n0.25        \n0.2         \n");
  is(S("0 3", I("1")), "");
  is(S("3 0", I("1")), "\n\n\n");
  is(S("0 3", T("a")), "");
  is(S("2 3 0", I("1")), "\n\n\n\n\n\n\n");
  is(S("3 0 7", I("1")), "\n\n"); /* what stands between the planes */
  is(S("2 2 0 1", T("a")), "\n\n\n\n");
  is(S("2 0 3 0", I("1")), "");
  is(S("0 3 0", I("1")), "");
}

static void planes(void **state) {
  (void)state;
  is(S("2 2 2", I("1 2 3 4 5 6 7 80")), "1  2\n3  4\n\n5  6\n7 80\n");
  is(S("3 1 1 3", T("THEREDFOX")), "THE\n\n\nRED\n\n\nFOX\n");
  is(S("2 2 1 2", I("1 2 3 4 5 6 7 8")), "1 2\n\n3 4\n\n\n5 6\n\n7 8\n");
  is(S("1 1 1 1 1 1 1 1 1 1 1 1 1 1 2", I("1 2")), "1 2\n");
}

static void nested(void **state) {
  (void)state;
  is(E(I("1 2 3")), " 1 2 3 \n");
  is(E(E(I("1 2 3"))), "  1 2 3  \n");
  is(N(3, S("", I("1")), I("2 3"), T("abc")), "1  2 3  abc \n");
  is(N(3, I("1 2"), S("", I("0")), T("ab")), " 1 2  0  ab \n");
  is(N(2, I("1 2"), S("", I("3"))), " 1 2  3\n");
  is(N(4, N(2, T("ONE"), S("", I("1"))), N(2, T("TWO"), S("", I("2"))),
       N(2, T("THREE"), S("", I("3"))), N(2, T("FOUR"), S("", I("4")))),
     "  ONE  1   TWO  2   THREE  3   FOUR  4 \n");
  is(S("2 4", N(8, T("ONE"), S("", I("1")), T("TWO"), S("", I("2")), T("THREE"),
                S("", I("3")), T("FOUR"), S("", I("4")))),
     " ONE    1  TWO   2\n THREE  3  FOUR  4\n");
  is(S("2 2", N(4, S("", T(" ")), T("West"), T("Cakes"), S("", F("20.15")))),
     "         West \n Cakes  20.15 \n");
  is(N(2, S("2 2", I("1 2 3 4")), T("HELLO")), " 1 2  HELLO \n 3 4        \n");
  is(S("3 2",
       N(6, S("", I("3")), I("1"), S("", I("4")), I("2 7"), S("", I("10")), I("18"))),
     " 3  1   \n 4  2 7 \n10  18  \n");
  is(N(2, T(""), I("")), "    \n");
  is(S("0", N(1, I("1 2"))), "\n");
  is(N(2, N(1, N(1, I("1 2"))), S("", T("x"))), "   1 2   x\n");
}

static void boxes(void **state) {
  (void)state;
  boxed(I("1 2 3"), "1 2 3\n");
  boxed(N(3, S("", I("1")), I("2 3"), T("abc")),
        "┌─┬───┬───┐\n│1│2 3│abc│\n└─┴───┴───┘\n");
  boxed(E(T("ab")), "┌──┐\n│ab│\n└──┘\n");
  boxed(N(2, T("ab"), T("")), "┌──┬┐\n│ab││\n└──┴┘\n");
  boxed(S("2 2", N(4, T("Tea"), S("2 1", I("4 2")), S("", T("&")), I("2 40"))),
        "┌───┬────┐\n│Tea│4   │\n│   │2   │\n├───┼────┤\n│&  │2 40│\n└───┴────┘\n");
  boxed(N(2, S("", I("1")), N(2, S("", I("2")), N(2, S("", I("3")), I("4 5")))),
        "┌─┬───────────┐\n│1│┌─┬───────┐│\n│ ││2│┌─┬───┐││\n│ ││ ││3│4 5│││\n"
        "│ ││ │└─┴───┘││\n│ │└─┴───────┘│\n└─┴───────────┘\n");
  boxed(N(2, S("", I("1")), S("", T("a"))), "1 a\n");
}

static void folding(void **state) {
  (void)state;
  is_at(S("20", I("100")), 10, 30, false,
        "100 100 100 100 100 100 100\n"
        "      100 100 100 100 100 100\n      100 100 100 100 100 100\n      100\n");
  is_at(S("70", T("abcdefghij")), 10, 30, false,
        "abcdefghijabcdefghijabcdefghij\n      abcdefghijabcdefghijabcd\n"
        "      efghijabcdefghij\n");
  is_at(S("2 11", I("54 22 5")), 10, 20, false,
        "54 22  5 54 22  5 54\n 5 54 22  5 54 22  5\n"
        "      22  5 54 22\n      54 22  5 54\n");
  is_at(S("15", I("1")), 10, 29, false, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"); /* exactly */
  is_at(S("2 1", N(2, S("", T("x")), T("0123456789012345678901234567890"))), 10, 30,
        false,
        " x                            \n 01234567890123456789012345678\n"
        "         \n      90 \n");
}

static void refusals(void **state) {
  (void)state;
  arr *x = I("1 2");
  for (int i = 0; i < 5000; i++) x = N(2, x, S("", I("1")));
  ctx_stack whole = C.stack; /* as if 64 KB of it were left */
  C.stack.low = (char *)__builtin_frame_address(0) - (64 << 10);
  C.stack.room = 128 << 10;
  assert_string_equal(shown(x, 10, 80, false), "LIMIT ERROR");
  C.stack = whole;
  atomic_store(&C.interrupt, true);
  assert_string_equal(shown(I("1 2 3"), 10, 80, false), "INTERRUPT");
}

static void failing_allocator(void **state) {
  (void)state;
  for (int style = 0; style < 2; style++)
    for (int n = 1;; n++) {
      arr *a =
          S("2 2", N(4, S("", I("1")), T("ab"), N(2, T("c"), I("1 2")), F("0.5 1e30")));
      str s = {.c = &C};
      fmt_opts o = {10, 80, style == 1};
      fail_at = n;
      bool ok = arr_display(&C, a, &o, &s);
      bool failed = fail_at == 0;
      fail_at = 0;
      assert_int_equal(ok, !failed);
      assert_int_equal(err_is(&C), failed);
      err_clear(&C);
      str_free(&s);
      arr_release(a);
      assert_int_equal(C.blocks_live, 0);
      if (!failed) break;
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_at_a_precision),
                                     cmocka_unit_test(digits_of_floats),
                                     cmocka_unit_test(simple_vectors),
                                     cmocka_unit_test(simple_matrices),
                                     cmocka_unit_test(planes),
                                     cmocka_unit_test(nested),
                                     cmocka_unit_test(boxes),
                                     cmocka_unit_test(folding),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(failing_allocator)};
  ctx_init(&C, test_resize, NULL);
  return cmocka_run_group_tests(tests, NULL, no_leak);
}
