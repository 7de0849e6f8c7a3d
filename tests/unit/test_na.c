/* SPDX-License-Identifier: MIT */
/* test_na.c - ⎕NA with declarations and arguments that nobody would write.
 *
 * Declarations are made of pieces of the grammar, most of them with something wrong; those that are
 * right are called with arrays of every kind. The function is getpid, which looks at none of its
 * arguments, so whatever is declared is safe. What comes is a value or an error, and no memory is
 * lost. `test_na N` tries N of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "src/eval/eval.h"
#include "random.h"

static ctx C;
static vm *V;
static int rounds = 100000;

static bool run(const char *text) {
  bool ok =
      vm_run(V, &(vm_text){.name = "", .at = text, .n = strlen(text)}, false, NULL, NULL);
  if (!ok) assert_string_not_equal(err_name(C.err.code), "");
  return ok;
}

static void must(const char *text) {
  if (run(text)) return;
  printf("%s: %s: %s\n", text, err_name(C.err.code), C.err.msg);
  fail();
}

#define ANY(list) list[next() % ARRAY_LEN(list)]
static const char *const ways[] = {"<", ">", "=", "<", ">", "=", "", ""};
static const char *const forms[] = {"", "", "", "", "0", "#"};
static const char *const kinds[] = {"I1", "I2", "I4", "I8", "U1", "U2",   "U4",    "U8",
                                    "F4", "F8", "J",  "P",  "C",  "C2",   "C4",    "T",
                                    "T1", "T2", "I",  "u",  "f",  "UTF8", "UTF16", "J16"};
static const char *const extents[] = {"",   "",    "[]",  "[3]",
                                      "[]", "[7]", "[0]", "[100000]"};
static const char *const wrong[] = {"{",  "}",  "[",           "]",  "|", "<", "∇",
                                    "D8", "I3", "\"",          "0",  "#", "*", "&",
                                    " ",  "é",  "99999999999", "{}", "A"};

static void put_type(str *s, bool field, int depth) {
  if (!field) str_puts(s, ANY(ways));
  if (depth < 4 && next() % 5 == 0) {
    str_puts(s, "{");
    for (uint64_t n = next() % 4 + 1; n; n--) {
      put_type(s, true, depth + 1);
      str_puts(s, " ");
    }
    str_puts(s, "}");
  } else {
    str_puts(s, ANY(forms));
    str_puts(s, ANY(kinds));
  }
  str_puts(s, ANY(extents));
}

static void put_declaration(str *s) {
  if (next() % 3 == 0) {
    put_type(s, false, 0);
    str_puts(s, " ");
  } else if (next() % 2) str_puts(s, "I4 ");
  str_puts(s, "|getpid");
  for (uint64_t n = next() % 4; n; n--) {
    str_puts(s, " ");
    put_type(s, false, 0);
  }
  if (next() % 4) return;
  size_t at = next() % s->n;
  while (((unsigned char)s->at[at] & 0xC0) == 0x80) at--;
  OWNED_STR str tail = {.c = &C};
  str_puts(&tail, s->at + at);
  s->n = at;
  if (next() % 2) str_puts(s, ANY(wrong));
  else str_puts(s, tail.n > 1 && (unsigned char)tail.at[1] < 128 ? tail.at + 1 : "");
  str_puts(s, tail.at);
}

/* A result is what getpid gives: it leads nowhere. */
static bool is_safe(const char *declaration) {
  const char *bar = strchr(declaration, '|');
  return bar && !memchr(declaration, '<', (size_t)(bar - declaration)) &&
         !memchr(declaration, '>', (size_t)(bar - declaration)) &&
         !memchr(declaration, '=', (size_t)(bar - declaration));
}

static const char *const arrays[] = {"3",
                                     "0",
                                     "¯1",
                                     "1.5",
                                     "'a'",
                                     "'⍳'",
                                     "2J1",
                                     "1E300",
                                     "(⊂⍳3)",
                                     "(⊂'abc')",
                                     "(⊂3 7⍴⍳21)",
                                     "(⊂'⍳⍴')",
                                     "(⊂⍬)",
                                     "(⊂'')",
                                     "(⊂1 0 1)",
                                     "(⊂0.5×⍳7)",
                                     "(⊂1 'ab'(2 3))",
                                     "(⊂(1 2)(3 4)(5 6))",
                                     "(⊂3⍴⊂1 2 3)",
                                     "(⊂0⍴⊂1 2)",
                                     "⎕NULL",
                                     "(⊂⊂⊂1)",
                                     "(⊂7⍴'a')",
                                     "(⊂3⍴200)",
                                     "(⊂2*61 62 63)",
                                     "(⊂'a' 1)",
                                     "(⊂300⍴'x')",
                                     "(⎕NS'')"};

static void test_declarations(void **state) {
  UNUSED(state);
  int right = 0, called = 0;
  for (int i = 0; i < rounds; i++) {
    OWNED_STR str d = {.c = &C};
    OWNED_STR str text = {.c = &C};
    put_declaration(&d);
    arr *a = arr_text(&C, d.at, d.n);
    assert_non_null(a);
    assert_true(vm_set(V, "D", a));
    arr_release(a);
    if (!run("n←'f'⎕NA D")) {
      err_clear(&C);
      continue;
    }
    right++;
    if (!is_safe(d.at)) continue;
    for (int k = 0; k < 3; k++) {
      text.n = 0;
      str_puts(&text, "_←f ");
      for (uint64_t n = next() % 4; n; n--) str_puts(&text, ANY(arrays));
      str_puts(&text, text.n == strlen("_←f ") ? "⍬" : "");
      called += run(text.at);
      err_clear(&C);
    }
  }
  printf("%d of %d were right, of their calls %d\n", right, rounds, called);
  assert_true(right > rounds / 10);
  assert_true(called > rounds / 50);
  must("⎕EX 'f' 'D' 'n' '_'");
}

static double price(double x, int n) { return x * n; }
static int count(const char *text) { return (int)strlen(text); }

/* What the program itself has registered needs no permission; all else does. */
static void test_own(void **state) {
  static const char *const own_names[] = {"price", "count"};
  void (*const code[])(void) = {(void (*)(void))price, (void (*)(void))count};
  UNUSED(state);
  C.may = 0;
  assert_true(vm_library(V, "host", 2, own_names, code));
  must("⎕NA 'F8 host|price F8 I4'");
  must("'n' ⎕NA 'I4 host|count <0C'");
  must("{⍵:0 ⋄ ÷0}(7.5=price 2.5 3)∧3=n⊂'abc'");
  static const char *const refused[] = {"⎕NA 'I4 |getpid'", "⎕NA 'I4 host|other I4'",
                                        "⎕NA 'F8 m|cos F8'"};
  for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
    assert_false(run(refused[i]));
    assert_int_equal(C.err.code, ERR_PERM);
    err_clear(&C);
  }
}

static int setup(void **state) {
  UNUSED(state);
  ctx_init(&C, NULL, NULL);
  C.idle.on = 0;
  C.may = MAY_CALL;
  C.bytes_max = (size_t)64 << 20;
  vm_config cfg = {.c = &C, .ir = {.device = "host", .threads = 1}};
  V = vm_new(&cfg);
  return V ? 0 : -1;
}

static int teardown(void **state) {
  UNUSED(state);
  vm_free(V);
  return C.blocks_live ? -1 : 0;
}

int main(int argc, char **argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  if (!rounds) rounds = 100000;
  setup(NULL);
  bool there = run("⎕NA '|getpid'") || C.err.code != ERR_NONCE;
  err_clear(&C);
  teardown(NULL);
  if (!there) {
    printf("test_na: skipped, libffi is missing\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_own, setup, teardown),
      cmocka_unit_test_setup_teardown(test_declarations, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
