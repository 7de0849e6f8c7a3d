/* SPDX-License-Identifier: MIT */
/* test_glyphs.c - the keymap: every glyph of the language that a keyboard lacks has a key, no key
 * two glyphs, and no glyph two keys; the printed forms hold every row. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtime/keymap.h"
#include "src/eval/system/command.h"
#include "src/eval/value/sysname.h"
#include "src/tables/help.h"
#include "src/tables/oper.h"
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

static void assert_types(const char *word, const char *text) {
  help_name name;
  assert_true(help_type(word, strlen(word), &name));
  assert_int_equal(name.text_n, strlen(text));
  assert_memory_equal(name.text, text, name.text_n);
}

static bool has_topic(const char *key) {
  for (size_t i = 0; help_at(i); i++)
    if (!strcmp(help_at(i)->key, key)) return true;
  return false;
}

/* All that there is has a topic; each topic has two examples at least. */
static void test_topics(void **state) {
  (void)state;
  help_name name, names[HELP_NAMES];
  for (size_t i = 0; help_at(i); i++) {
    const help_topic *t = help_at(i);
    assert_true(help_names(t, names) < HELP_NAMES);
    assert_non_null(t->examples[0]);
    assert_non_null(t->examples[2]);
    assert_null(t->examples[2 * HELP_EXAMPLES]);
  }
  for (int p = 0; p < P_COUNT; p++)
    if (prim_has((prim)p, false) || prim_has((prim)p, true))
      assert_true(has_topic(prim_table[p].glyph));
  for (size_t i = 0; oper_at_row(i); i++)
    if (*oper_at_row(i)->help && oper_at_row(i)->operands != OPERANDS_ABSENT)
      assert_true(has_topic(oper_at_row(i)->glyph));
  for (int i = 0; sys_name(i); i++)
    if (!has_topic(sys_name(i))) fail_msg("help.def has no TOPIC %s", sys_name(i));
  for (size_t i = 0; command_at(i); i++)
    if (!has_topic(command_at(i)->name))
      fail_msg("help.def has no TOPIC %s", command_at(i)->name);
  assert_types("sum", "+/");
  assert_types("sort", "{⍵[⍋⍵]}");
  assert_types("shape", "⍴");
  assert_types("reshape", "⍴");
  assert_types("minus", "-");
  assert_types("iota", "⍳");
  assert_types("gradeup", "⍋");
  assert_false(help_type("nowhere", 7, &name));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unique), cmocka_unit_test(test_complete),
      cmocka_unit_test(test_printed), cmocka_unit_test(test_topics)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
