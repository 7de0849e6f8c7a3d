/* SPDX-License-Identifier: MIT */
/* test_damage.c - files that were damaged: bytes changed, lost, put in, files cut off.
 *
 * Each format that a program may read has a file; some hundred damaged ones are made of it and
 * read. Whatever comes back, it is a value or an error that says what is wrong, no memory is
 * lost, and the session has what it had. A workspace's checksum is made right again for every
 * second one, so that what stands behind it is tried as well. `test_damage N` makes N of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "src/eval/eval.h"
#include "formats.h"
#include "random.h"

static ctx C;
static vm *V;
static char folder[] = "/tmp/vapl-damage.XXXXXX";
static int rounds = 150;

static bool run(const char *text) {
  bool ok =
      vm_run(V, &(vm_text){.name = "", .at = text, .n = strlen(text)}, false, NULL, NULL);
  return ok;
}

static void must(const char *text) {
  if (run(text)) return;
  printf("%s: %s: %s\n", text, err_name(C.err.code), C.err.msg);
  fail();
}

static unsigned char *slurp(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  unsigned char *p = malloc(1 << 20);
  *n = fread(p, 1, 1 << 19, f);
  fclose(f);
  return p;
}

static void spill(const char *path, const unsigned char *p, size_t n) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(p, 1, n, f), n);
  fclose(f);
}

/* One to four changes of the n bytes at p, which has room for more. */
static size_t damage(unsigned char *p, size_t n) {
  static const unsigned char odd[] = {0, 1, 127, 128, 255, '"', ',', '\n', '9', '-'};
  for (uint64_t k = next() % 4 + 1; k && n; k--) {
    size_t at = next() % n, some = next() % 9 + 1;
    switch (next() % 6) {
    case 0: n = at; break;
    case 1: p[at] ^= (unsigned char)(1u << next() % 8); break;
    case 2: p[at] = odd[next() % sizeof odd]; break;
    case 3:
      memmove(p + at + some, p + at, n - at);
      n += some;
      break;
    case 4:
      if (some > n - at) some = n - at;
      memmove(p + at, p + at + some, n - at - some);
      n -= some;
      break;
    default:
      for (size_t i = at; i < n && i < at + some; i++) p[i] = 255;
    }
  }
  return n;
}

static void test_format(const format *k) {
  char path[80], text[200];
  size_t n;
  snprintf(path, sizeof path, "%s/%s", folder, k->file);
  snprintf(text, sizeof text, "F←'%s'", path);
  must(text);
  must(k->write);
  must("kept←⍳5");
  if (!run(k->read)) { /* the library is missing */
    assert_int_equal(C.err.code, ERR_NONCE);
    err_clear(&C);
    return;
  }
  unsigned char *whole = slurp(path, &n), *part = malloc(1 << 20);
  for (int i = 0; i < rounds; i++) {
    memcpy(part, whole, n);
    size_t left = damage(part, n);
    if (i % 2) mend(path, part, left);
    spill(path, part, left);
    must(text);
    if (!run(k->read)) assert_true(*err_name(C.err.code));
    err_clear(&C);
  }
  must("kept≡⍳5");
  must(text);
  spill(path, whole, n);
  must(k->read);
  unlink(path);
  free(whole);
  free(part);
}

/* A function's text that does something is no definition, and does nothing. */
static void test_hostile(void) {
  static const char *const texts[] = {"hacked←1",
                                      "⎕OFF",
                                      "⍎'hacked←1'",
                                      "+⍎'hacked←1'",
                                      "{hacked∘←⍵}1",
                                      "#.hacked←1",
                                      "⎕SH'true'",
                                      "(hacked←1)∘+",
                                      "+⍤(hacked←1)",
                                      "kept∘+",
                                      "1",
                                      "",
                                      "+ ⋄ hacked←1",
                                      "hacked←1 ⋄ +",
                                      "⎕FIX'hacked←1'",
                                      "⎕NS⍬",
                                      "+[hacked←1]",
                                      "(a:hacked←1).a∘+",
                                      "{⍵} :: 1",
                                      "(+⍠(⍎'hacked←1'))",
                                      "{hacked∘←⍺⍺}1",
                                      "[1 ⋄ 2]∘+",
                                      "#.kept∘+",
                                      "{a←⍵}\n{b←⍵}",
                                      "⎕TS∘+"};
  char path[80], text[200];
  size_t n;
  snprintf(path, sizeof path, "%s/h.vws", folder);
  must("f←{⍵+1234567890123456789}");
  snprintf(text, sizeof text, "F←'%s' ⋄ ⎕SAVE F ⋄ ⎕EX'f' ⋄ kept←⍳5", path);
  must(text);
  unsigned char *whole = slurp(path, &n), *at = memmem(whole, n, "{⍵+", 5);
  assert_non_null(at);
  for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
    memset(at, ' ', strlen("{⍵+1234567890123456789}"));
    memcpy(at, texts[i], strlen(texts[i]));
    mend(path, whole, n);
    spill(path, whole, n);
    if (run("⎕CY F")) fail_msg("%s was read", texts[i]);
    if (C.err.code != ERR_FILE_DAMAGED) fail_msg("%s: %s", texts[i], C.err.msg);
    err_clear(&C);
    must("⎕SIGNAL 11/⍨~(0 0≡⎕NC'f' 'hacked')∧kept≡⍳5");
    int code;
    assert_false(vm_off(V, &code));
  }
  unlink(path);
  free(whole);
}

static void test_all(void **state) {
  UNUSED(state);
  ctx_init(&C, NULL, NULL);
  C.may = MAY_ALL;
  C.bytes_max = (size_t)1 << 30;
  vm_config cfg = {.c = &C, .ir = {.device = "host", .threads = 1}};
  V = vm_new(&cfg);
  assert_non_null(V);
  assert_true(uniform(0, 1) < 1);
  assert_non_null(mkdtemp(folder));
  for (size_t i = 0; i < ARRAY_LEN(formats); i++) test_format(&formats[i]);
  test_hostile();
  rmdir(folder);
  vm_free(V);
  assert_int_equal(C.blocks_live, 0);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
  if (argc > 1) rounds = atoi(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
