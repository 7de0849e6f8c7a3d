/* SPDX-License-Identifier: MIT */
/* test_glyphs.c - the keymap: every glyph of the language that a keyboard lacks has a key, no key
 * two glyphs, and no glyph two keys; the printed forms hold every row. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtime/keymap.h"
#include "src/tables/prim.h"
#include <string.h>

static const glyph_row *key_of(const char *glyph) {
  for (int i = 0; i < glyph_count; i++)
    if (!strcmp(glyph_table[i].glyph, glyph)) return &glyph_table[i];
  return NULL;
}

static void test_unique(void **state) {
  (void)state;
  for (int i = 0; i < glyph_count; i++) {
    assert_ptr_equal(glyph_of_key((uint32_t)glyph_table[i].key), &glyph_table[i]);
    assert_ptr_equal(key_of(glyph_table[i].glyph), &glyph_table[i]);
    assert_ptr_equal(glyph_of_name(glyph_table[i].name, strlen(glyph_table[i].name)),
                     &glyph_table[i]);
  }
  assert_null(glyph_of_key(' '));
  assert_null(glyph_of_key(0x2373));
  assert_null(glyph_of_name("iotas", 5));
}

static void test_complete(void **state) {
  (void)state;
  static const char *const others[] = {
      "¨", "⍨", "⍣", "∘", "⍤", "⍥", "⍛", "⌸", "⌺", "⍠", "⌶", "⌿", "⍀", "←", "→",
      "⋄", "¯", "⍬", "⍺", "⍵", "∇", "∆", "⍙", "⎕", "⍞", "⍝", "⍟", "○", "⌹", "⍋",
      "⍒", "⍸", "∊", "⍷", "∪", "∩", "⊥", "⊤", "⍎", "⍕", "⍱", "⍲", "⊆", "⌷"};
  for (int p = 0; p < P_COUNT; p++)
    if ((unsigned char)prim_table[p].glyph[0] >= 0x80)
      assert_non_null(key_of(prim_table[p].glyph));
  for (size_t i = 0; i < ARRAY_LEN(others); i++) assert_non_null(key_of(others[i]));
}

static int lines(const char *s) {
  int n = 0;
  for (; *s; s++) n += *s == '\n';
  return n;
}

static void test_printed(void **state) {
  (void)state;
  ctx c;
  ctx_init(&c, NULL, NULL);
  static const char *const formats[] = {"xcompose", "inputrc", "vim", "emacs"};
  for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
    str s = {.c = &c};
    assert_true(glyph_print(&s, formats[f]));
    assert_int_equal(lines(s.at), glyph_count);
    assert_non_null(strstr(s.at, "⍳"));
    str_free(&s);
  }
  str s = {.c = &c};
  assert_false(glyph_print(&s, "word"));
  glyph_show(&s, 80);
  for (int i = 0; i < glyph_count; i++)
    assert_non_null(strstr(s.at, glyph_table[i].glyph));
  str_free(&s);
  glyph_show(&s, 1);
  assert_int_equal(lines(s.at), glyph_count);
  str_free(&s);
  assert_int_equal(c.blocks_live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_unique),
                                     cmocka_unit_test(test_complete),
                                     cmocka_unit_test(test_printed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
