/* SPDX-License-Identifier: MIT */
/* test_lexer.c - tokens, numeric literals, trees, their spans, the errors, and what happens
 * to texts that are no APL at all.
 *
 * Most tests are tables: a source and its dump, or a source and its error with the span that
 * the caret shows. Numbers are compared with the compiler's own reading of the same decimal.
 * The last tests let every allocation fail in turn and feed thousands of mutated sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/lexer/tree.h"
#include "src/lexer/token.h"
#include "src/base/hash.h"
#include "src/base/utf8.h"

/* ── helpers ────────────────────────────────────────────────────────────────────────── */

static tree *parse_text(ctx *c, const char *text, size_t n) {
  source *src = source_new(c, "", text, n);
  tree *t = src ? parse(c, src) : NULL;
  source_release(c, src);
  return t;
}

/* The dump of a text, its lines joined by " | ", or "NAME [begin,end) message" of its error. */
static void outcome(const char *text, size_t n, char *out, size_t room) {
  ctx c;
  ctx_init(&c, NULL, NULL);
  tree *t = parse_text(&c, text, n);
  out[0] = 0;
  if (t) {
    str s = {.c = &c};
    tree_dump(t->root, &s);
    for (size_t i = 0, k = 0; i + 1 < s.n && k + 4 < room; i++) {
      if (s.at[i] == '\n') k += (size_t)snprintf(out + k, room - k, " | ");
      else out[k++] = s.at[i], out[k] = 0;
    }
    str_free(&s);
    tree_release(&c, t);
  } else {
    assert_true(err_is(&c));
    snprintf(out, room, "%s [%u,%u) %s", err_name(c.err.code), c.err.at.begin,
             c.err.at.end, c.err.msg);
    assert_non_null(c.err.at.src);
  }
  err_clear(&c);
  assert_int_equal(c.blocks_live, 0);
  assert_int_equal(c.bytes_live, 0);
}

typedef struct pair {
  const char *text, *want;
} pair;

static void check(const pair *rows, size_t n) {
  char got[4096];
  for (size_t i = 0; i < n; i++) {
    outcome(rows[i].text, strlen(rows[i].text), got, sizeof got);
    if (strcmp(got, rows[i].want) != 0)
      fail_msg("«%s»\n  gives «%s»\n  not   «%s»", rows[i].text, got, rows[i].want);
  }
}
#define CHECK(rows) check(rows, ARRAY_LEN(rows))

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

static size_t number(const char *text, tnum *v) {
  memset(v, 0x5A, sizeof *v);
  return lex_number(text, text + strlen(text), v);
}

static void test_integers(void **state) {
  UNUSED(state);
  static const struct {
    const char *text;
    int64_t want;
  } rows[] = {
      {"0", 0},
      {"1", 1},
      {"¯1", -1},
      {"¯0", 0},
      {"007", 7},
      {"127", 127},
      {"65537", 65537},
      {"9007199254740992", INT64_C(9007199254740992)},
      {"9007199254740993", INT64_C(9007199254740993)},
      {"¯9007199254740993", -INT64_C(9007199254740993)},
      {"9223372036854775807", INT64_MAX},
      {"¯9223372036854775808", INT64_MIN},
      {"00000000000000000000009223372036854775807", INT64_MAX},
      {"5.", 5},
      {"23.0", 23},
      {"¯0.0", 0},
      {"0E5", 0},
      {"1E6", 1000000},
      {"1e15", 1000000000000000},
      {"2.5e1", 25},
      {"5.E1", 50},
      {".5E1", 5},
      {"1E¯400", 0},
      {"9.007199254740992E15", 9007199254740992},
      {"2J0", 2},
      {"¯3j¯0", -3},
      {"0.99999999999999999999", 1},
  };
  tnum v;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
    assert_int_equal(number(rows[i].text, &v), strlen(rows[i].text));
    assert_int_equal(v.kind, 0);
    assert_true(v.i == rows[i].want && v.re == (double)rows[i].want);
  }
}

#define ROW(decimal)                                                                     \
  { #decimal, decimal }
static void test_floats(void **state) {
  UNUSED(state);
  static const struct {
    const char *text;
    double want;
  } rows[] = {
      ROW(0.5),
      ROW(.5),
      ROW(0.1),
      ROW(3.14),
      ROW(1e22),
      ROW(1e23),
      ROW(1E100),
      ROW(1.7976931348623157E308),
      ROW(9223372036854775808.0),
      ROW(9007199254740993.0E1),
      ROW(123456789012345678901234567890.0),
      ROW(0.3e1),
      ROW(8.5E15),
      ROW(1.5),
      {"179769313486231580793E288", DBL_MAX},
      ROW(9214843084008499.5),
      ROW(30078505129381147446200.0),
      ROW(1777820000000000000001.0),
      ROW(500000000000000144115188075855872.5),
      ROW(9007199254740993.000000000000000000000000000000000000000000000000000001),
      ROW(9007199254740992.999999999999999999999999999999999999999999999999999999),
      {"2.2250738585072014E¯308", DBL_MIN},
      {"4.9E¯324", 4.9e-324},
      {"1E¯7", 1e-7},
      {"2.2250738585072011E¯308", 2.2250738585072011e-308},
      {"¯1.5E¯3", -1.5e-3},
      {"¯.5", -0.5},
      {"6.02e23", 6.02e23},
      {"0.000001", 1e-6},
      {"9223372036854775808", 9223372036854775808.0},
      {"¯9223372036854775809", -9223372036854775808.0},
      {"1E18", 1e18},
      {"1.5J0", 1.5},
      {"18446744073709551616", 18446744073709551616.0},
      {"99999999999999999999", 1e20},
  };
  tnum v;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
    assert_int_equal(number(rows[i].text, &v), strlen(rows[i].text));
    if (v.re != rows[i].want) fail_msg("%s is read as %.17g", rows[i].text, v.re);
    assert_int_equal(v.kind, v.re == floor(v.re) && fabs(v.re) <= 0x1p53 ? 0 : 1);
  }
}

/* Every double, written with 17 digits or with all its digits, reads back. */
static void test_round_trip(void **state) {
  UNUSED(state);
  char text[1500];
  uint64_t seed = 1;
  for (int i = 0; i < 4000; i++) {
    uint64_t bits = hash_bytes(&i, sizeof i, seed) & INT64_MAX;
    double d;
    memcpy(&d, &bits, sizeof d);
    if (!isfinite(d)) continue;
    snprintf(text, sizeof text, i % 4 ? "%.17g" : "%.1074f", d);
    char *sign = strpbrk(text, "+-"); /* of the exponent */
    if (sign && *sign == '+') memmove(sign, sign + 1, strlen(sign));
    if (sign && *sign == '-') {
      memmove(sign + 2, sign + 1, strlen(sign));
      memcpy(sign, "¯", 2);
    }
    tnum v;
    assert_int_equal(number(text, &v), strlen(text));
    assert_true(v.re == d);
  }
}

/* Digits far behind the midpoint between two doubles decide; so do digits beyond any buffer. */
static void test_long_numbers(void **state) {
  UNUSED(state);
  enum { ZEROS = 5000 };
  char text[ZEROS + 64];
  tnum v;
  int n = snprintf(text, sizeof text, "9007199254740993.");
  memset(text + n, '0', ZEROS);
  strcpy(text + n + ZEROS, "1");
  number(text, &v);
  assert_true(v.re == 9007199254740994.0);
  strcpy(text + n + ZEROS, "0");
  number(text, &v);
  assert_true(v.re == 9007199254740992.0);
  snprintf(text, 3, "0.");
  memset(text + 2, '0', ZEROS);
  strcpy(text + 2 + ZEROS, "15E5000");
  assert_int_equal(number(text, &v), strlen(text));
  assert_true(v.re == 0.15);
  memset(text, '1', ZEROS);
  strcpy(text + ZEROS, "E¯4990");
  number(text, &v);
  assert_true(v.re == 1111111111.1111111);
}

static void test_complex(void **state) {
  UNUSED(state);
  static const struct {
    const char *text;
    double re, im;
  } rows[] = {
      {"2J3", 2, 3}, {"2j¯3", 2, -3}, {".3j.5", 0.3, 0.5}, {"1.2E5J¯4E¯4", 120000, -4e-4},
      {"0J1", 0, 1}, {"¯0J1", 0, 1},  {"1.J.5", 1, 0.5},
  };
  tnum v;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
    assert_int_equal(number(rows[i].text, &v), strlen(rows[i].text));
    assert_int_equal(v.kind, 2);
    assert_true(v.re == rows[i].re && v.im == rows[i].im && !signbit(v.re));
  }
}

/* A number ends where its grammar does; none is 0 bytes. */
static void test_prefixes(void **state) {
  UNUSED(state);
  static const struct {
    const char *text;
    size_t want;
  } rows[] = {
      {"", 0},
      {".", 0},
      {"¯", 0},
      {"¯.", 0},
      {"x", 0},
      {"-5", 0},
      {"E5", 0},
      {"¯¯5", 0},
      {"∞", 0},
      {"1E", 1},
      {"1E¯", 1},
      {"1E+5", 1},
      {"1J", 1},
      {"1J¯", 1},
      {"1J.", 1},
      {"1.2.3", 3},
      {"1..5", 2},
      {"5abc", 1},
      {"1E5.5", 3},
      {"1J2J3", 3},
      {"1 2", 1},
      {"1¯2", 1},
      {"1E999", 0},
      {"¯1E309", 0},
      {"1J1E400", 0},
      {"1.7976931348623159E308", 0},
      {"1E99999999999999999999999", 0},
      {"0E99999999999999999999999", 25},
      {"1E¯99999999999999999999999", 27},
  };
  tnum v;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (number(rows[i].text, &v) != rows[i].want) fail_msg("%s", rows[i].text);
}

/* The decimal point is a point even where the locale's is a comma. */
static void test_locale(void **state) {
  UNUSED(state);
  static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8",
                                      "fr_FR"};
  const pair rows[] = {{"1.5 0.1 1E¯300 123456789012345678901.5",
                        "(stmt (num 1.5 0.1 1E¯300 1.2345678901234568E20))"}};
  for (size_t i = 0; i < ARRAY_LEN(names); i++)
    if (setlocale(LC_ALL, names[i])) break;
  CHECK(rows);
  setlocale(LC_ALL, "C");
  CHECK(rows);
}

/* ── tokens ─────────────────────────────────────────────────────────────────────────── */

static void test_tokens(void **state) {
  UNUSED(state);
  ctx c;
  ctx_init(&c, NULL, NULL);
  const char *text = "ab1 ⎕io←'it''s'⍝ end\r\n ⍵⍵+/::⋄1¯2";
  static const struct {
    tok kind;
    uint32_t code, begin, end;
    bool blank;
  } want[] = {
      {TOK_NAME, 0, 0, 3, false},         {TOK_SYSNAME, 0x2395, 4, 9, true},
      {TOK_PUNCT, 0x2190, 9, 12, false},  {TOK_STRING, '\'', 12, 19, false},
      {TOK_COMMENT, 0, 19, 26, false},    {TOK_PUNCT, '\n', 26, 28, false},
      {TOK_GREEK, 0x2375, 29, 35, true},  {TOK_PRIM, '+', 35, 36, false},
      {TOK_OPER, '/', 36, 37, false},     {TOK_PUNCT, 0x2237, 37, 39, false},
      {TOK_PUNCT, 0x22C4, 39, 42, false}, {TOK_NUMBER, 0, 42, 43, false},
      {TOK_NUMBER, 0, 43, 46, false},     {TOK_END, 0, 46, 46, false},
      {TOK_END, 0, 46, 46, false},
  };
  lexer l = {.c = &c, .text = text, .len = strlen(text), .keep_comments = true};
  for (size_t i = 0; i < ARRAY_LEN(want); i++) {
    token t = lex_next(&l);
    assert_int_equal(t.kind, want[i].kind);
    assert_int_equal(t.code, want[i].code);
    assert_int_equal(t.begin, want[i].begin);
    assert_int_equal(t.end, want[i].end);
    assert_int_equal(t.after_blank, want[i].blank);
  }
  assert_false(err_is(&c));
  l = (lexer){.text = "☠", .len = 3};
  assert_int_equal(lex_next(&l).kind, TOK_ERROR);
  assert_int_equal(lex_next(&l).kind, TOK_END);
}

/* Every glyph of the language is a token of the right kind. */
static void test_glyphs(void **state) {
  UNUSED(state);
  const char *prims = "+-×÷⌈⌊|*⍟!○?~∧∨⍲⍱<≤=≥>≠≡≢⍴,⍪⌽⊖⍉↑↓⊂⊃⊆∊⍳⍸∪∩⍷⍋⍒⌷⊣⊢⊤⊥⌹⍕";
  const char *opers = "/⌿\\⍀¨⍨⍣∘⍤⍥⍛@⌸⌺⍠&⌶";
  lexer l = {.text = prims, .len = strlen(prims)};
  token t;
  int n = 0;
  for (; (t = lex_next(&l)).kind == TOK_PRIM; n++) {}
  assert_int_equal(t.kind, TOK_END);
  assert_int_equal(n, utf8_count(prims, strlen(prims)));
  l = (lexer){.text = opers, .len = strlen(opers)};
  while ((t = lex_next(&l)).kind == TOK_OPER) {}
  assert_int_equal(t.kind, TOK_END);
}

/* ── trees ──────────────────────────────────────────────────────────────────────────── */

static void test_statements(void **state) {
  UNUSED(state);
  static const pair rows[] = {
      {"", ""},
      {" \t ⍝ nothing", ""},
      {"⋄⋄\n\r\n\r⋄", ""},
      {"1", "(stmt 1)"},
      {"1 2 3", "(stmt (num 1 2 3))"},
      {"1.2.3", "(stmt (num 1.2 0.3))"},
      {"1..5¯2", "(stmt (num 1 0.5 ¯2))"},
      {"¯.5 2j¯3 1e5 5.", "(stmt (num ¯0.5 2J¯3 100000 5))"},
      {"9223372036854775807 9223372036854775808",
       "(stmt (num 9223372036854775807 9.223372036854776E18))"},
      {"¯9223372036854775808", "(stmt ¯9223372036854775808)"},
      {"2⍵3'a'4", "(stmt 2 ⍵ 3 'a' 4)"},
      {"x←⍳5 ⋄ +/x\ny", "(stmt x ← ⍳ 5) | (stmt + / x) | (stmt y)"},
      {"a\rb\r\nc\xC2\x85"
       "d",
       "(stmt a) | (stmt b) | (stmt c) | (stmt d)"},
      {"x ⍝ ⋄ y 'open", "(stmt x)"},
      {"'it''s' \"a\"\"b\" '' 'x' \"x\" '\"' '⍝'",
       "(stmt 'it''s' \"a\"\"b\" '' 'x' \"x\" '\"' '⍝')"},
      {"⎕←⍞ ⎕io ⎕IO ⎕F32x ⎕ ⎕5", "(stmt ⎕ ← ⍞ ⎕IO ⎕IO ⎕F32X ⎕ ⎕ 5)"},
      {"∆x_1⍙ Éàþ ÿ", "SYNTAX ERROR [17,19) stray character ÿ (U+00FF) in column 11"},
      {"∆x_1⍙ Éàþ Ⓐ _", "(stmt ∆x_1⍙ Éàþ Ⓐ _)"},
      {"⍬,⍺ ⍵ ⍺⍺ ⍵⍵ ∇∇ ⍺⍺⍺", "(stmt ⍬ , ⍺ ⍵ ⍺⍺ ⍵⍵ ∇∇ ⍺⍺ ⍺)"},
      {"→0", "(stmt → 0)"},
      {"→", "(stmt →)"},
      {"⌽⍟⍋x", "(stmt ⌽ ⍟ ⍋ x)"},
      {"a∘.×b", "(stmt a ∘ . × b)"},
      {"a+.×b", "(stmt a + . × b)"},
      {"a+.5", "(stmt a + 0.5)"},
      {"f⍣2⊢x⍤1", "(stmt f ⍣ 2 ⊢ x ⍤ 1)"},
      {"(a b)←1 2", "(stmt (paren (stmt a b)) ← (num 1 2))"},
      {"x[1;2]+←3", "(stmt x (index (stmt 1) (stmt 2)) + ← 3)"},
      {"x[;2] x[] x[;] +/[1]x", "(stmt x (index () (stmt 2)) x (index ()) x (index () "
                                "()) + / (index (stmt 1)) x)"},
      {"((1)) [2]", "(stmt (paren (stmt (paren (stmt 1)))) (index (stmt 2)))"},
      {"\xEF\xBB\xBF#!/usr/bin/vapl\n1", "(stmt 1)"},
      {"#!/usr/bin/vapl", ""},
      {"\xEF\xBB\xBF"
       "2",
       "(stmt 2)"},
  };
  CHECK(rows);
}

static void test_paths(void **state) {
  UNUSED(state);
  static const pair rows[] = {
      {"#.a.b", "(stmt # (dot) a (dot) b)"},
      {"##.x ##.##.y", "(stmt ## (dot) x ## (dot) ## (dot) y)"},
      {"a.⎕IO", "(stmt a (dot) ⎕IO)"},
      {"a.(x y)", "(stmt a (dot) (paren (stmt x y)))"},
      {"x[1].y (f g).z ⍵.w",
       "(stmt x (index (stmt 1)) (dot) y (paren (stmt f g)) (dot) z ⍵ (dot) w)"},
      {"∘.f +.g f.× {⍵}.g ⍺⍺.f",
       "(stmt ∘ . f + . g f . × (dfn (stmt ⍵)) . g ⍺⍺ (dot) f)"},
  };
  CHECK(rows);
}

static void test_dfns(void **state) {
  UNUSED(state);
  static const pair rows[] = {
      {"{}", "(stmt (dfn))"},
      {"{⍺+⍵}", "(stmt (dfn (stmt ⍺ + ⍵)))"},
      {"{⍺←1 ⋄ ⍵≤1:⍺ ⋄ (⍺×⍵)∇⍵-1}",
       "(stmt (dfn (stmt ⍺ ← 1) (guard (stmt ⍵ ≤ 1) (stmt ⍺)) "
       "(stmt (paren (stmt ⍺ × ⍵)) ∇ ⍵ - 1)))"},
      {"{\n  ⍵:1 ⍝ yes\n\n  2\r\n}5",
       "(stmt (dfn (guard (stmt ⍵) (stmt 1)) (stmt 2)) 5)"},
      {"{∇⍵}", "(stmt (dfn (stmt ∇ ⍵)))"},
      {"{⍵:}", "(stmt (dfn (guard (stmt ⍵) ())))"},
      {"{11::'oops' ⋄ 0::⋄÷⍵}", "(stmt (dfn (errguard (stmt 11) (stmt 'oops')) (errguard "
                                "(stmt 0) ()) (stmt ÷ ⍵)))"},
      {"{⍺⍺ ⍵}", "(stmt (dop1 (stmt ⍺⍺ ⍵)))"},
      {"{⍺⍺ ⍵⍵ ⍵}", "(stmt (dop2 (stmt ⍺⍺ ⍵⍵ ⍵)))"},
      {"{⍵⍵ ⍺⍺ ⍵}", "(stmt (dop2 (stmt ⍵⍵ ⍺⍺ ⍵)))"},
      {"{x[(⍺⍺ ⍵)]}", "(stmt (dop1 (stmt x (index (stmt (paren (stmt ⍺⍺ ⍵)))))))"},
      {"{{⍺⍺ ⍵}⍵}", "(stmt (dfn (stmt (dop1 (stmt ⍺⍺ ⍵)) ⍵)))"},
      {"{⍺⍺{⍵⍵ ⍵}⍵}", "(stmt (dop1 (stmt ⍺⍺ (dop2 (stmt ⍵⍵ ⍵)) ⍵)))"},
      {"{{⍵}⍵⍵}", "(stmt (dop2 (stmt (dfn (stmt ⍵)) ⍵⍵)))"},
      {"{'⍺⍺' ⍝ ⍵⍵\n}", "(stmt (dfn (stmt '⍺⍺')))"},
  };
  CHECK(rows);
}

static void test_array_notation(void **state) {
  UNUSED(state);
  static const pair rows[] = {
      {"(1 ⋄ 2 3)", "(stmt (vector (stmt 1) (stmt (num 2 3))))"},
      {"(1⋄)", "(stmt (vector (stmt 1)))"},
      {"(⋄1)", "(stmt (vector (stmt 1)))"},
      {"('Three' ⍝ mice\n 'Blind'\n\n 'Mice')",
       "(stmt (vector (stmt 'Three') (stmt 'Blind') (stmt 'Mice')))"},
      {"z←[1 2\n3 4]", "(stmt z ← (matrix (stmt (num 1 2)) (stmt (num 3 4))))"},
      {"[⋄1]", "(stmt (matrix (stmt 1)))"},
      {"0⌿[\n'a' 1\n]", "(stmt 0 ⌿ (matrix (stmt 'a' 1)))"},
      {"[('a'⋄)⋄('b'⋄)]",
       "(stmt (matrix (stmt (vector (stmt 'a'))) (stmt (vector (stmt 'b')))))"},
      {"()", "(stmt (space))"},
      {"(⋄) (\n)", "(stmt (space) (space))"},
      {"(⋄⋄1)", "(stmt (vector (stmt 1)))"},
      {"(()⋄())", "(stmt (vector (stmt (space)) (stmt (space))))"},
      {"(x:'hello')", "(stmt (space x (stmt 'hello')))"},
      {"(⋄a:1⋄⋄b:(c:2)\n)", "(stmt (space a (stmt 1) b (stmt (space c (stmt 2)))))"},
      {"(f:{⍵:1⋄2}).f",
       "(stmt (space f (stmt (dfn (guard (stmt ⍵) (stmt 1)) (stmt 2)))) (dot) f)"},
      {"({1=⍵:'y' ⋄ 'n'}?2)",
       "(stmt (paren (stmt (dfn (guard (stmt 1 = ⍵) (stmt 'y')) (stmt 'n')) ? 2)))"},
  };
  CHECK(rows);
}

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

static void test_errors(void **state) {
  UNUSED(state);
  static const pair rows[] = {
      {"1+(2×3", "SYNTAX ERROR [2,3) ( is not closed"},
      {"(1\n2⋄3", "SYNTAX ERROR [0,1) ( is not closed"},
      {"{(1}", "SYNTAX ERROR [1,2) ( is not closed"},
      {"x[1)", "SYNTAX ERROR [1,2) [ is not closed"},
      {"{", "SYNTAX ERROR [0,1) { is not closed"},
      {"[(){}", "SYNTAX ERROR [0,1) [ is not closed"},
      {"1)", "SYNTAX ERROR [1,2) ) closes nothing"},
      {"{}}", "SYNTAX ERROR [2,3) } closes nothing"},
      {"]", "SYNTAX ERROR [0,1) ] closes nothing"},
      {")OFF", "SYNTAX ERROR [0,1) ) closes nothing: commands are for sessions and "
               "scripts"},
      {"a;b", "SYNTAX ERROR [1,2) ; cannot stand here"},
      {"r←f x;b",
       "SYNTAX ERROR [7,8) ; cannot stand here: ∇ begins a traditional function, "
       "before its header"},
      {"a:b", "SYNTAX ERROR [1,2) : cannot stand here: labels are within functions"},
      {"{a;b}", "SYNTAX ERROR [2,3) ; cannot stand here"},
      {"{a:b:c}", "SYNTAX ERROR [4,5) : cannot stand here"},
      {"(a;b)", "SYNTAX ERROR [2,3) ; cannot stand in ( )"},
      {"[a:b]", "SYNTAX ERROR [2,3) : cannot stand in [ ]"},
      {"(a::b)", "SYNTAX ERROR [2,4) :: cannot stand in ( )"},
      {"{:1}", "SYNTAX ERROR [1,2) nothing is before the colon"},
      {"{:: 1}", "SYNTAX ERROR [1,3) nothing is before the colon"},
      {":If 1", "SYNTAX ERROR [0,3) :If is not closed"},
      {":EndIf", "SYNTAX ERROR [0,6) :EndIf ends nothing"},
      {"1\n  :Namespace x", "SYNTAX ERROR [4,14) :Namespace is not closed"},
      {"{:If ⍵ ⋄ 1}", "SYNTAX ERROR [1,4) :If is a control word: a dfn has none"},
      {"∇ r←f x", "SYNTAX ERROR [0,3) ∇ is not closed"},
      {"[⋄]", "SYNTAX ERROR [0,5) [ ] without an element"},
      {"x[1⋄;2]", "SYNTAX ERROR [6,7) ; and a separator in one [ ]"},
      {"x[1;2\n]", "SYNTAX ERROR [5,6) ; and a separator in one [ ]"},
      {"(a:1⋄2)", "SYNTAX ERROR [0,9) values with a name and without"},
      {"(a:)", "SYNTAX ERROR [1,3) a name without a value"},
      {"(1:2)", "SYNTAX ERROR [2,3) a colon behind what is no name"},
      {"(a b:2)", "SYNTAX ERROR [4,5) a colon behind what is no name"},
      {"x←'abc", "SYNTAX ERROR [4,8) a quote in column 3 is not closed"},
      {"'abc\n'", "SYNTAX ERROR [0,4) a quote in column 1 is not closed"},
      {"'a''", "SYNTAX ERROR [0,4) a quote in column 1 is not closed"},
      {"\"a'", "SYNTAX ERROR [0,3) a quote in column 1 is not closed"},
      {"1E", "SYNTAX ERROR [0,2) malformed number 1E"},
      {"x←5EJ+1", "SYNTAX ERROR [4,7) malformed number 5EJ"},
      {"1E+5", "SYNTAX ERROR [0,2) malformed number 1E"},
      {"1J2J3", "SYNTAX ERROR [0,5) malformed number 1J2J3"},
      {"1J¯", "SYNTAX ERROR [0,4) malformed number 1J¯"},
      {"3-¯x", "SYNTAX ERROR [2,4) ¯ without a number"},
      {"¯¯5", "SYNTAX ERROR [0,2) ¯ without a number"},
      {"¯", "SYNTAX ERROR [0,2) ¯ without a number"},
      {"2+1E309", "DOMAIN ERROR [2,7) the number 1E309 is out of range"},
      {"¯1E999J1", "DOMAIN ERROR [0,9) the number ¯1E999J1 is out of range"},
      {"1J1E400", "DOMAIN ERROR [0,7) the number 1J1E400 is out of range"},
      {"1+∞", "SYNTAX ERROR [2,5) ∞ (U+221E) in column 3: infinity has no literal"},
      {"¯∞", "SYNTAX ERROR [2,5) ∞ (U+221E) in column 2: infinity has no literal"},
      {"x\n+ ☠ 1", "SYNTAX ERROR [4,7) stray character ☠ (U+2620) in column 3"},
      {"a§b", "SYNTAX ERROR [1,3) stray character § (U+00A7) in column 2"},
      {"1\xC2\xA0+", "SYNTAX ERROR [1,3) stray character U+00A0 in column 2"},
      {"1\x01", "SYNTAX ERROR [1,2) stray character U+0001 in column 2"},
      {"1+\xFF", "SYNTAX ERROR [2,3) malformed UTF-8: byte 0xFF in column 3"},
      {"'a\xE2\x8D'", "SYNTAX ERROR [2,3) malformed UTF-8: byte 0xE2 in column 3"},
      {"'\xEF\xBF\xBD'", "(stmt '\xEF\xBF\xBD')"},
      {"\xEF\xBF\xBD",
       "SYNTAX ERROR [0,3) stray character \xEF\xBF\xBD (U+FFFD) in column 1"},
      {"1 ⍝ \xFF\n2", "(stmt 1) | (stmt 2)"},
  };
  char got[200];
  CHECK(rows);
  outcome("1\0+", 3, got, sizeof got);
  assert_string_equal(got, "SYNTAX ERROR [1,2) stray character U+0000 in column 2");
}

/* A long malformed word is cut at a character, and the message holds it. */
static void test_long_word(void **state) {
  UNUSED(state);
  char text[4001] = "1E", got[400];
  for (int i = 2; i < 4000; i += 2) memcpy(text + i, "¯", 2);
  outcome(text, 4000, got, sizeof got);
  assert_non_null(strstr(got, "malformed number 1E¯¯¯¯¯¯¯¯¯¯¯¯¯"));
  assert_int_equal(strlen(strstr(got, "1E¯")), 40);
}

/* ── spans ──────────────────────────────────────────────────────────────────────────── */

static void test_spans(void **state) {
  UNUSED(state);
  ctx c;
  ctx_init(&c, NULL, NULL);
  const char *text = "  x ← (1 2 ⋄ ¯3)  ⍝ c\n{⍵:'é' ⋄ 5} y";
  tree *t = parse_text(&c, text, strlen(text));
  assert_non_null(t);
  assert_int_equal(t->root->kind, T_PROGRAM);
  assert_int_equal(t->root->end, strlen(text));
  assert_int_equal(t->root->n, 2);
  const tnode *a = t->root->kid[0], *v = a->kid[2], *b = t->root->kid[1], *d = b->kid[0];
  assert_true(a->begin == 2 && a->end == 21 && a->n == 3);
  assert_true(v->kind == T_VECTOR && v->begin == 8 && v->end == 21 && v->n == 2);
  const tnode *one = v->kid[0]->kid[0];
  assert_true(one->kind == T_NUMBERS && one->n == 2 && one->begin == 9 && one->end == 12);
  assert_true(one->num[1].i == 2 && v->kid[1]->kid[0]->num[0].i == -3);
  assert_true(d->kind == T_DFN && text[d->begin] == '{' && text[d->end - 1] == '}');
  const tnode *g = d->kid[0], *s = g->kid[1]->kid[0];
  assert_true(g->kind == T_GUARD && g->begin == d->begin + 1 && g->end == s->end);
  assert_true(s->kind == T_STRING && s->n == 1 && s->chars[0] == 0xE9 && s->code == '\'');
  assert_string_equal(b->kid[1]->text, "y");
  assert_true(b->kid[1]->n == 1 && b->end == strlen(text));
  tree_release(&c, t);
  tree_release(&c, NULL);
  assert_int_equal(c.blocks_live, 0);
}

static void test_prims(void **state) {
  UNUSED(state);
  ctx c;
  ctx_init(&c, NULL, NULL);
  tree *t = parse_text(&c, "×/ \"a\"", 7);
  assert_non_null(t);
  tnode *const *k = t->root->kid[0]->kid;
  assert_true(k[0]->kind == T_PRIM && k[0]->prim == P_TIMES && k[0]->code == 0xD7);
  assert_true(k[1]->kind == T_OPER && k[1]->code == '/');
  assert_true(k[2]->kind == T_STRING && k[2]->code == '"' && k[2]->n == 1);
  tree_release(&c, t);
  assert_int_equal(c.blocks_live, 0);
}

/* ── the REPL's question, depth, memory, noise ──────────────────────────────────────── */

static void test_open(void **state) {
  UNUSED(state);
  static const struct {
    const char *text;
    int want;
  } rows[] = {
      {"", 0},       {"1+1", 0},         {"(", 1},       {"f←{", 1},
      {"f←{(x[", 3}, {"{\n⍵:(1\n2)", 1}, {"{}", 0},      {"'('", 0},
      {"1 ⍝ (", 0},  {"( ⍝ )", 1},       {"{')'", 1},    {"(]", 0},
      {"({)", 0},    {")(", 0},          {"{'abc", 0},   {"{1E", 0},
      {"{☠", 0},     {"{\"}\"\n'", 0},   {"#!( \n[", 1}, {"[1;", 1},
  };
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (parse_open(rows[i].text, strlen(rows[i].text)) != rows[i].want)
      fail_msg("«%s»", rows[i].text);
}

static void test_depth(void **state) {
  UNUSED(state);
  enum { DEEP = 200000 };
  static char text[DEEP], got[4000];
  static const char open[] = "([{";
  for (int k = 0; k < 3; k++) {
    memset(text, open[k], DEEP);
    outcome(text, DEEP, got, sizeof got);
    assert_string_equal(got, "LIMIT ERROR [1000,1001) nested more than 1000 deep");
    assert_int_equal(parse_open(text, DEEP), 0);
    assert_int_equal(parse_open(text, 1000), 1000);
    outcome(text, 1000, got, sizeof got);
    assert_non_null(strstr(got, "SYNTAX ERROR [999,1000)"));
  }
  memset(text, '{', 1000);
  memset(text + 1000, '}', 1000);
  outcome(text, 2000, got, sizeof got);
  assert_memory_equal(got, "(stmt (dfn", 10);
}

static const char *const SEEDS[] = {
    "mean←{(+⌿⍵)÷≢⍵}\nmean 3 1 4 1 5 ⍝ a comment\n",
    "{⍺←1 ⋄ 0=⍵:⍺ ⋄ 11::'err' ⋄ (⍺×⍵)∇⍵-1}5",
    "x←[1 2.5 ⋄ ¯3J4 1E5]\nx[;1]+←10 ⋄ ⎕←'it''s' \"q\"\"q\"",
    "(name:'vapl' ⋄ list:(1 ⋄ 2\n3)).name",
    "op←{⍺⍺ ⍵⍵⍣2⊢⍵} ⋄ #.a.b∘.×⍳⍴⍬ ⋄ →0",
    "\xEF\xBB\xBF#!/bin/vapl\r\n⍞←⎕ucs 8 9 10 ⋄ 'é∆' Àé⍙_1",
};

typedef struct limited {
  long left;
} limited; /* allocations before the one that fails */

static void *limited_resize(void *user, void *p, size_t old, size_t size) {
  limited *l = user;
  UNUSED(old);
  if (size == 0) return free(p), NULL;
  if (l->left-- == 0) return NULL;
  return realloc(p, size);
}

/* Every allocation fails once: WS FULL, and nothing is left behind. */
static void test_out_of_memory(void **state) {
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(SEEDS); i++)
    for (long n = 0;; n++) {
      limited l = {n};
      ctx c;
      ctx_init(&c, limited_resize, &l);
      tree *t = parse_text(&c, SEEDS[i], strlen(SEEDS[i]));
      bool done = t != NULL;
      if (t) tree_release(&c, t);
      else assert_int_equal(c.err.code, ERR_WS_FULL);
      err_clear(&c);
      assert_int_equal(c.blocks_live, 0);
      assert_int_equal(c.bytes_live, 0);
      if (done) break;
      assert_true(n < 1000);
    }
}

/* What must hold of every node: it lies within its parent, and siblings follow each other. */
static void check_node(const tnode *n) {
  uint32_t at = n->begin;
  bool kids = n->kind == T_PAREN || n->kind == T_BRACKET || n->kind == T_DFN ||
              n->kind >= T_VECTOR;
  for (uint32_t i = 0; kids && i < n->n; i++) {
    if (!n->kid[i]) continue;
    assert_true(n->kid[i]->begin >= at && n->kid[i]->end <= n->end);
    assert_true(n->kid[i]->begin < n->kid[i]->end);
    at = n->kid[i]->end;
    check_node(n->kid[i]);
  }
}

static uint64_t random_next(uint64_t *s) {
  *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *s >> 33;
}

/* Replaces, deletes, doubles or inserts a few bytes, or a glyph of the language. */
static size_t mutate(char *text, size_t n, size_t room, uint64_t *seed) {
  static const char *const bits[] = {
      "(", ")",  "[", "]", "{", "}",    ":",    "::",    ";",  "⋄",  "\n",
      "'", "\"", "¯", ".", "E", "J",    "9",    "⍺⍺",    "⍵⍵", "∇",  "←",
      "⎕", "#",  "⍝", " ", "x", "\xE2", "\x00", "1E308", "∞",  "\r", "\xC2\x85"};
  for (uint64_t k = 1 + random_next(seed) % 4; k > 0; k--) {
    size_t at = n ? random_next(seed) % n : 0;
    const char *b = bits[random_next(seed) % ARRAY_LEN(bits)];
    size_t len = strlen(b) ? strlen(b) : 1;
    switch (random_next(seed) % 4) {
    case 0:
      if (n > 0) text[at] = (char)random_next(seed);
      break;
    case 1:
      if (n > 0) memmove(text + at, text + at + 1, --n - at);
      break;
    case 2:
      if (n + n - at <= room) memmove(text + n, text + at, n - at), n += n - at;
      break;
    default:
      if (n + len > room) break;
      memmove(text + at + len, text + at, n - at);
      memcpy(text + at, b, len);
      n += len;
    }
  }
  return n;
}

static void test_mutations(void **state) {
  UNUSED(state);
  uint64_t seed = 20;
  size_t trees = 0, errors = 0;
  ctx c;
  ctx_init(&c, NULL, NULL);
  for (int i = 0; i < 12000; i++) {
    char *text = malloc(400);
    const char *from = SEEDS[(size_t)i % ARRAY_LEN(SEEDS)];
    size_t n = strlen(from);
    memcpy(text, from, n);
    n = mutate(text, n, 400, &seed);
    char *exact = malloc(n ? n : 1); /* so that a read beyond the end is seen */
    memcpy(exact, text, n);
    int open = parse_open(exact, n);
    tree *t = parse_text(&c, exact, n);
    assert_true(t ? !err_is(&c) : err_is(&c));
    if (t) {
      str s = {.c = &c};
      assert_int_equal(open, 0);
      check_node(t->root);
      tree_dump(t->root, &s);
      str_free(&s);
      tree_release(&c, t);
      trees++;
    } else {
      assert_true(c.err.at.begin <= c.err.at.end && c.err.at.end <= n);
      errors++;
    }
    err_clear(&c);
    free(text);
    free(exact);
  }
  assert_true(trees > 500 && errors > 500);
  assert_int_equal(c.blocks_live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),       cmocka_unit_test(test_floats),
      cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_long_numbers),
      cmocka_unit_test(test_complex),        cmocka_unit_test(test_prefixes),
      cmocka_unit_test(test_locale),         cmocka_unit_test(test_tokens),
      cmocka_unit_test(test_glyphs),         cmocka_unit_test(test_statements),
      cmocka_unit_test(test_paths),          cmocka_unit_test(test_dfns),
      cmocka_unit_test(test_array_notation), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_long_word),      cmocka_unit_test(test_spans),
      cmocka_unit_test(test_prims),          cmocka_unit_test(test_open),
      cmocka_unit_test(test_depth),          cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_mutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
