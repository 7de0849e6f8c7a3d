/* SPDX-License-Identifier: MIT */
/* test_lift.c - random functions applied to cells, lifted and not: the same elements bit by
 * bit, of the same class, or the same error at the same place.
 *
 * `test_lift` runs some, always the same ones; for more: test_lift [-s FIRST] [-n COUNT] [-v] [-k]; -v shows them, -k goes on behind a
 * difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "src/array/element.h"
#include "src/eval/eval.h"
#include "random.h"

/* ── random programs ── */

/* A grammar: a capital, or $ and one more, stands for a text of its rule, everything else for
 * itself. Where the depth is used up, texts in which nothing of "ACDEFG" stands. */
static const char *const arrays[] = {
    "m", "m", "m", "m", "m", "m", "m", "f", "f", "f", "f", "f", "g", "g", "v", "b",
    "b", "w", "h", "c", "t", "v", "u", "s", "e", "k", "g", "g", "z", "n", "d", "y"};
static const char *const frames[] = {"V",     "V",    "V",     "V",     "V",      "V",
                                     "V",     "V",    "(0↑V)", "(1↑V)", "(2↑V)",  "(3↑V)",
                                     "(l V)", "(⌽V)", "(⍉V)",  "(V×2)", "(V-1)",  "(2↓V)",
                                     "(⌊V)",  "V",    "V",     "V",     "(0j1×V)"};
static const char *const items[] = {
    "↓V",         "↓V",        "↓Y",          "⊂⍤1⊢V",       "q⊂u",
    "q⊂v,1 2 3",  "q⊆u",       "(30⍴q)⊂30⍴f", "(q,1)⊂13⍴V",  "(12⍴1 1 2 2 2 0)⊆12⍴V",
    "↓6 3⍴1 4 7", "6 3⍴1 4 7", "n",           "Y",           "(x V)(x V)",
    "⍳¨12⍴3 1 4", "(13 2⍴f)",  "600⍴↓V",      "(12⍴j)⊂12⍴V", "{⊂⍵}⌸12⍴V"};
static const char *const keyed[] = {"jG⌸12⍴V",
                                    "(12⍴V)G⌸12⍴V",
                                    "(12 2⍴V)G⌸12⍴V",
                                    "(12⍴'abca')G⌸12⍴V",
                                    "j G⌸12 3⍴V",
                                    "j G⌸12 2 2⍴V",
                                    "(12⍴V)G⌸12 3⍴V",
                                    "G⌸V",
                                    "G⌸12⍴V",
                                    "(600⍴V)G⌸600⍴V",
                                    "(600⍴j)G⌸600 2⍴V",
                                    "(⍳600)G⌸600⍴V",
                                    "(⌊0.6×⍳600)G⌸600⍴V",
                                    "G⌸600⍴V",
                                    "n G⌸n",
                                    "(0⍴V)G⌸0⍴V",
                                    "(0 2⍴V)G⌸0⍴V",
                                    "(600⍴⍳7)G⌸600⍴V"};
static const char *const windows[] = {"3 3", "3", "2",     "4 2", "(2 2⍴3 3 2 1)",
                                      "5 1", "1", "2 3 2", "7"};
static const char *const ranks[] = {"0", "1", "1", "¯1", "2", "1 0", "0 1", "1 2"};
static const char *const numbers[] = {
    "1",  "2",     "¯1",       "0.5",     "3",      "0",  "2 3", "4 1", "1 2 3",
    "⍬",  "1 0 1", "1e300",    "5",       "'a'",    "⍳4", "v",   "7",   "0j1",
    "''", "'abc'", "(2 2⍴⍳4)", "1 2 3j1", "(1 2)3", "n",  "q"};
static const char *const places[] = {"1",   "1",   "1",         "2 1", "2 1", "2",
                                     "1 1", "¯1",  "≢⍵",        "1;2", ";1",  "⊂1 2",
                                     "⍋⍵",  "⊃⍋⍵", "(⍴⍵)⌊⌈\\⍵", "A",   "E"};
static const char *const conditions[] = {
    "0<⊃,⍵", "2<≢⍵", "⍵≡⌽⍵",      "0<+/,⍵", "0=2|⊃,⍵", "∧/,0<⍵", "'a'∊⍵", "0<A",
    "1∊E",   "⍬≡⍴E", "(⊃,E)>⊃,E", "0<E",    "A≡E",     "∧/,E",   "L≡p",   "~1∊E"};
static const char *const folded[] = {"+", "×", "⌈",       "⌊",       "-",     "∧", "∨",
                                     "≠", "+", "⌈",       "+",       "⌈",     "+", "⌊",
                                     ",", "=", "{⍺+2×⍵}", "{⍺⌈⍵-1}", "{⍵,⍺}", "⊢", "⊣"};
static const char *const scalars[] = {"+", "-", "×", "÷", "⌈", "⌊", "|", "*", "⍟",
                                      "<", "≤", "=", "≥", ">", "≠", "∧", "∨", "○",
                                      "!", "⍲", "⍱", "+", "-", "×", "⌊", "=", "+"};
static const char *const operands[] = {
    "N",    "⍵",       "⍵",    "⍵",    "⍵",    "⍵",   "⍵",   "p",      "p",      "o",
    "L",    "L",       "L",    "(⊃⍵)", "(≢⍵)", "2",   "1",   "(,⍵)",   "(+/⍵)",  "(⌈/⍵)",
    "⍵[1]", "⍵[;2 1]", "⍵[J]", "(E)",  "(E)",  "(E)", "(E)", "(E)(E)", "(A)(A)", "(E)"};
static const char *const expressions[] = {"⍵",       "A",       "F A",   "F A",
                                          "F A",     "A G A",   "A G A", "A G A",
                                          "F A G A", "A G F A", "F F A", "A S A"};
static const char *const bodies[] = {
    "⍵+1",           "p←⍵⋄E",      "p←⍵⋄E",     "p←E⋄E",        "p←E⋄E",
    "p←⍵⋄C:E⋄E",     "C:E⋄E",      "C:E⋄C:E⋄E", "p o←(E)(E)⋄E", "p o←2↑⍵⋄E",
    "o←E⋄p←E⋄o G p", "p←⍵⋄p+←E⋄E", "0::E⋄E",    "E E",          "p←{D}⍵⋄E",
    "p←F L⋄E",       "(E)(E)",     "(E),E",     "C:p←E⋄o←E⋄o"};
static const char *const functions1[] = {
    "$1",    "$1",      "$1",      "$2",    "$2",     "$2",    "O/",    "O/",
    "$3",    "$4",      "$4",      "$5",    "$5",     "$6",    "$6",    "$7",
    "$7",    "$8",      "$9",      "$0",    "$a",     "{D}",   "{D}",   "{D}",
    "(F⍤X)", "F¨",      "(F S F)", "(F F)", "(F∘F)",  "(F⍤F)", "S⍨",    "G⍨",
    "N∘G",   "(N G F)", "G⌸",      "(G⌺3)", "(⊢G F)", "O/",    "(F⍥F)", "(F⍣2)"};
static const char *const functions2[] = {
    "S",     "S",     "S",   "S",  "S",     "S",     "$b",   "$b",    "$c",   "$d",
    "$d",    "$e",    "$f",  "$g", "{D}",   "{D}",   "{D}",  "(G⍤X)", "G¨",   "(G S G)",
    "(F G)", "(F⍤G)", "∘.G", "G⍨", "(G⍥F)", "(G∘F)", "(F⊢)", "G⌸",    "{⍺G⍵}"};
static const char *const scalar1[] = {"+", "-", "×", "÷", "⌈", "⌊",
                                      "|", "*", "⍟", "○", "!", "~"};
static const char *const axis1[] = {
    "⌽",  "⊖",     "⍉",      "↑",   ",",    "⍪",    "2-/", "¯3+/", "O/",  "O⌿", "O\\",
    "O⍀", "O/[1]", "O\\[2]", "3O/", "⌽[1]", ",[1]", "1⌽",  "2↑",   "¯1↓", "1↓", "3↑"};
static const char *const shape1[] = {"≢", "⍴", "≡", "⊢",  "⍳",
                                     "∊", "⊆", "⊂", "3⍴", "2 2⍴"};
static const char *const order1[] = {
    "⍋",       "⍒",        "⍋⍋",      "{⍵[⍋⍵]}", "{⍵[(⍋⍵)[⌈0.5×≢⍵]]}",
    "{⍵[⍒⍵]}", "{⍵[⍋-⍵]}", "{⍵[⍋p]}", "{(⍋⍵)⌷⍵}"};
static const char *const search1[] = {
    "∪",        "≠",        "⍸",      "≢⍸",          "≢∪",    "{⍵⍳⌈/⍵}", "{⍵⍳⊃⍵}",
    "{(∪⍵)⍳⍵}", "{+/⍵∊⌽⍵}", "{⍵⍸⌽⍵}", "{(⍵[⍋⍵])⍸⍵}", "{⍵⍳E}", "{(E)∊⍵}"};
static const char *const select1[] = {
    "{(⍵>N)/⍵}",  "⍸",          "∪",    "{⍵/⍨1 0 1⍴⍨≢⍵}", "{(C)/⍵}", "{1 0 1 1/⍵}",
    "{1 1 0\\⍵}", "(⊢⊢⍤/⍨0<⊢)", "+/∘⍸", "{⍵~N}",          "{(E)/⍵}", "{⌽(0<⍵)/⍵}"};
static const char *const index1[] = {
    "⊃",       "{⍵[1]}",          "{⍵[⍵]}",      "(N@1)",          "(F@1)",
    "(N@2 1)", "(F@(0<⊢))",       "(-@{⍵=⌈/⍵})", "{b←⍵⋄b[J]←E⋄b}", "{b←⍵⋄b[1]+←E⋄b}",
    "{1+2⌷⍵}", "{b←⍵⋄(1↑b)←E⋄b}", "⊃⌽",          "{(⊂J)⌷⍵}",       "{⍵[J]}"};
static const char *const product1[] = {"{⍵+.×⍵}",  "{⍵∘.×⍵}",     "⌹",     "{⍵+.×⍉⍵}",
                                       "{⍵∧.=⌽⍵}", "{(⍳≢⍵)+.×⍵}", "{⍵⌹⍵}", "{(⍉⍵)⌹2+⍵}"};
static const char *const random1[] = {"?", "{?≢⍵}", "{⍵[?≢⍵]}", "{2?≢⍵}", "{⍵×?0}"};
static const char *const other1[] = {
    "⍕",     "⍎",  "⍎⍕", "i",   "{⊂⍵}",      "{⍵ ⍵}", "{⍵'a'}", "x",
    "(x∘x)", "≢⍕", "{}", "⊢∘⊂", "{⍺←2⋄⍺+⍵}", "(+∘1)", "{x ⍵}",  "{⍎'⍵+1'}"};
static const char *const loops[] = {"{⍺←0⋄⍺≥4⌊⌊⊃⍵:⍵⋄(⍺+1)∇E}",
                                    "{⍺←0⋄⍺≥3:⍵⋄(⍺+1)∇E}",
                                    "{2>≢⍵:⍵⋄∇1↓⍵}",
                                    "{2>≢⍵:⊃⍵⋄(⊃⍵)+∇1↓⍵}",
                                    "{⍵>99:⍵⋄∇9+",
                                    "⍵}",
                                    "(F⍣2)",
                                    "(F⍣3)",
                                    "({⌊⍵÷2}⍣≡)",
                                    "({9⌊2⌈⍵+2}⍣≡)",
                                    "{b g←⍵⋄b≤0:g⋄b>9:g⋄∇(b-1)(g×2)}",
                                    "{1≥⍵:⍵⋄∇⌊⍵÷2}",
                                    "{⍵>9:⍵⋄⍵<¯9:⍵⋄⍵<0:∇⍵-1⋄∇⍵+1}",
                                    "{b←E⋄g←⌊/b⋄∨/g>3:b⋄E}",
                                    "{b←0⋄_←{b+←⍵}¨⍵⋄b}"};
static const char *const axis2[] = {"⌽",    "⊖",      "⍉",    "↑",    "↓",  ",", "⍪",
                                    "⊥",    "⊤",      "/",    "⌿",    "\\", "⍀", "↑[1]",
                                    "↓[1]", ",[0.5]", "⌽[1]", "+[1]", "⊂",  "⊆"};
static const char *const shape2[] = {"⍴", "⊣", "⊢", "≡", "≢"};
static const char *const search2[] = {"⍳", "∊",  "∪",  "~", "∩", "⍸",
                                      "⍷", "⍳⍨", "∊⍨", "⍋", "⍸⍨"};
static const char *const index2[] = {
    "⌷", "⊃", "{⍵[⍺]}", "{⍺[⍵]}", "{(⊂⍺)⌷⍵}", "{b←⍵⋄b[1]←⊃⍺⋄b}", "{b←⍺⋄b[⍵]←0⋄b}"};
static const char *const product2[] = {"+.×", "⌈.-", "∧.=",       "⌹",
                                       "∘.S", "S.S", "∘.{⍺+2×⍵}", "+.×⍨"};
static const char *const other2[] = {"⍕", "{⍺ ⍵}", "{⍺←1⋄⍺+⍵}", "?", "{⍺,x⍵}", "⊢⍤⊣"};
static const char *const programs[] = {
    "{D}⍤1⊢V",     "{D}⍤1⊢V",    "{D}⍤1⊢V",    "{D}⍤1⊢(l V)", "{D}¨↓V",
    "{D}¨V",       "{D}¨V",      "V{D}¨⌽V",    "m{D}⍤1⊢mS2",  "f{D}⍤1⊢fSf",
    "m{D}⍤1⊢⌽m",   "{D}⍤X⊢Y",    "{D}⍤X⊢Y",    "{D}⍤X⊢Y",     "F⍤X⊢Y",
    "m{D}⍤X⊢mS2",  "Y{D}⍤X⊢Y",   "f{D}⍤X⊢fSf", "g{D}⍤1⊢⍳11",  "(l m){D}⍤X⊢l m",
    "(⍳9){D}⍤X⊢m", "c G⍤X⊢⌽c",   "h{D}⍤X⊢⌽h",  "z{D}⍤X⊢⌽z",   "u{D}¨⌽u",
    "s{D}¨Y",      "(⍳9){D}¨↓m", "Y G⍤X⊢V",    "{D}¨I",       "{D}¨I",
    "↑{D}¨I",      "F¨I",        "Y{D}¨Y",     "Y∘.{D}Y",     "{D}⌺W⊢Y",
    "{D}⌺W⊢Y",     "F⌺W⊢V",      "K",          "K",           "K",
    "F⊢Y"};

typedef struct rule {
  char name;
  const char *const *of;
  size_t n;
} rule;
#define RULE(name, of)                                                                   \
  { name, of, ARRAY_LEN(of) }
static const rule rules[] = {
    RULE('V', arrays),      RULE('Y', frames),   RULE('I', items),
    RULE('K', keyed),       RULE('W', windows),  RULE('X', ranks),
    RULE('N', numbers),     RULE('J', places),   RULE('C', conditions),
    RULE('O', folded),      RULE('S', scalars),  RULE('A', operands),
    RULE('E', expressions), RULE('D', bodies),   RULE('F', functions1),
    RULE('G', functions2),  RULE('1', scalar1),  RULE('2', axis1),
    RULE('3', shape1),      RULE('4', order1),   RULE('5', search1),
    RULE('6', select1),     RULE('7', index1),   RULE('8', product1),
    RULE('9', random1),     RULE('0', other1),   RULE('a', loops),
    RULE('b', axis2),       RULE('c', shape2),   RULE('d', search2),
    RULE('e', index2),      RULE('f', product2), RULE('g', other2),
    RULE('P', programs),
};

static char line[6000];
static size_t length;

static const char *pick(char name, int depth) {
  const rule *r = rules;
  while (r->name != name) r++;
  const char *text = r->of[next() % r->n];
  for (int i = 0; depth <= 0 && i < 99 && strpbrk(text, "ACDEFG"); i++)
    text = r->of[next() % r->n];
  return text;
}

/* The text with each rule's name replaced; `left`: there is ⍺. */
static void grow(const char *text, int depth, bool left) {
  for (const char *s = text; *s; s++) {
    bool named = *s == '$', rules_name = named || (*s >= 'A' && *s <= 'Z');
    if (length + 8 > sizeof line) return;
    if (!rules_name) {
      line[length++] = *s;
      continue;
    }
    s += named;
    if (*s == 'L') grow(left ? "⍺" : "⍵", depth, left);
    else
      grow(pick(*s, depth), depth - !!strchr("ACDEFG", *s),
           *s == 'G' || (left && *s != 'F'));
  }
}

static void program(uint64_t from) {
  seed = from * 0x9E3779B97F4A7C15u + 88172645463325252u;
  for (int i = 0; i < 9; i++) next();
  length = 0;
  const char *text = pick('P', 1);
  bool left = *text != '{' && *text != 'F' && !strstr(text, "}¨I");
  grow("⎕rl←7⋄r←", 0, false);
  grow(text, 2 + (int)(next() % 4), left);
  line[length] = 0;
  if (!strchr(line, '?')) return;
  grow("⋄r←r(?999999)", 0, false); /* as many numbers have been drawn */
  line[length] = 0;
}

/* ── running them ── */

static const char preamble[] =
    "m←9 4⍴¯7+⍳11 ⋄ f←8 5⍴0.37×¯4+⍳9 ⋄ b←10 3⍴1 0 0 1 1 ⋄ v←⍳9 ⋄ u←12⍴2.5 ¯1 3 ⋄ s←5\n"
    "w←3 4 5⍴¯20+⍳37 ⋄ h←9 2⍴9223372036854775807 4 ¯3 9007199254740993 ⋄ e←0 3⍴0\n"
    "c←9 3⍴'banana split' ⋄ t←8 3 3⍴⍳5 ⋄ k←⎕F32 9 4⍴0.3×⍳5 ⋄ g←13 11⍴0.5×⍳77\n"
    "z←6 3⍴1J2 3 0J¯1 2.5J1 3 ⋄ n←6 2⍴(1 2)'ab'(⍳3)5(2 2⍴⍳4)(1 2) ⋄ d←12⍴'abcabd'\n"
    "y←5 4⍴3J0 1J1 ⋄ q←1 0 1 0 0 1 1 0 1 0 1 0 ⋄ j←12⍴3 1 3 2 ⋄ p←3 ⋄ o←1 0 2 ⋄ i←⎕UCS\n"
    "l←{(⊂1+(≢⍵)|⍳1000)⌷⍵} ⋄ x←{⍵}";

static void write_nothing(void *user, int fd, const char *utf8, size_t n) {
  UNUSED(user);
  UNUSED(fd);
  UNUSED(utf8);
  UNUSED(n);
}

typedef struct session {
  ctx c;
  vm *v;
  str error;
  arr *r;
} session;

static bool run(session *s, const char *text) {
  limits_begin(&s->c);
  bool ok = vm_run(s->v, &(vm_text){.name = "", .at = text, .n = strlen(text)}, false,
                   NULL, NULL);
  if (ok) return true;
  vm_error_text(s->v, &s->error);
  err_clear(&s->c);
  return false;
}

static void begin(session *s, const char *tune) {
  *s = (session){.v = NULL};
  ctx_init(&s->c, NULL, NULL);
  s->c.limit.seconds = 4;
  s->c.bytes_max = 1 << 29;
  s->c.idle.on = 0; /* a sanitizer sees what is released */
  vm_config cfg = {.c = &s->c, .write = write_nothing};
  cfg.ir = (ir_config){.device = "host", .tune = tune, .threads = 1};
  s->v = vm_new(&cfg);
  s->error = (str){.c = &s->c};
  assert_true(s->v && run(s, preamble));
}

static void end(session *s) {
  str_free(&s->error);
  vm_free(s->v);
  assert_int_equal(s->c.blocks_live, 0);
}

static double imaginary(const arr *a, int64_t i) {
  return a->type == ET_C128 ? ((const double *)a->host)[2 * i + 1] : 0;
}

static double real(const arr *a, int64_t i) {
  return a->type == ET_C128 ? ((const double *)a->host)[2 * i] : arr_get_float(a, i);
}

/* Bits and integers are one: how wide integers are stored shows nowhere but in ⎕DR. Complex
 * numbers without imaginary parts are real ones. */
static int class_of(const arr *a) {
  cls of = cls_of((elt)a->type);
  if (of != CLS_C) return of == CLS_B ? CLS_I : (int)of;
  for (int64_t i = 0; i < a->count; i++)
    if (imaginary(a, i) != 0) return CLS_C;
  return CLS_F;
}

static bool same_number(const arr *x, const arr *y, int64_t i) {
  double a = real(x, i), b = real(y, i), c = imaginary(x, i), d = imaginary(y, i);
  return !memcmp(&a, &b, sizeof a) && (c == d || !memcmp(&c, &d, sizeof c));
}

static bool same(const arr *x, const arr *y) {
  if (!arr_same_shape(x, y)) return false;
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type)) return false;
  bool nested = x->type == ET_NEST;
  if (class_of(x) != class_of(y) || nested != (y->type == ET_NEST)) return false;
  for (int64_t i = 0; i < x->count; i++) {
    if (nested) {
      if (!same(arr_item(x, i), arr_item(y, i))) return false;
    } else if (elt_is_float((elt)x->type) || x->type == ET_C128) {
      if (!same_number(x, y, i)) return false;
    } else if (arr_get_int(x, i) != arr_get_int(y, i)) return false;
  }
  return true;
}

/* The line in one of the interpreters; its result is in s->r, or its error in s->error. */
static void try_it(session *s) {
  s->r = NULL;
  s->error.n = 0;
  if (!run(s, line)) return;
  s->r = vm_get(s->v, "r");
  if (s->r && ir_host(vm_ir(s->v), s->r)) return;
  if (s->r) arr_release(s->r);
  s->r = NULL;
  str_puts(&s->error, err_name(s->c.err.code));
  err_clear(&s->c);
}

static bool begins_with(const str *s, const char *what) {
  return s->n >= strlen(what) && !memcmp(s->at, what, strlen(what));
}

/* Errors that say how much is in use, or how long it took. */
static bool is_of_limits(const session *s) {
  return begins_with(&s->error, "WS FULL") || begins_with(&s->error, "LIMIT");
}

static bool is_alike(const session *x, const session *y) {
  if (is_of_limits(x) || is_of_limits(y)) return true;
  if (!x->r || !y->r) {
    if (x->r || y->r || x->error.n != y->error.n) return false;
    return !memcmp(x->error.at, y->error.at, x->error.n);
  }
  return same(x->r, y->r);
}

static uint64_t first = 1, count = 1500;
static bool verbose, goes_on;

static void complain(const char *tune, uint64_t n, const session *x, const session *y) {
  fprintf(stderr, "seed %llu, %s: %s\n", (unsigned long long)n, tune, line);
  const session *both[] = {x, y};
  for (int i = 0; i < 2; i++)
    fprintf(stderr, "  %.*s\n", (int)both[i]->error.n,
            both[i]->error.n ? both[i]->error.at : "has a result");
}

static void test_random(void **state) {
  static const char *const tunes[] = {"lift=0", "lift=1", "lift=2 direct=0"};
  enum { WAYS = ARRAY_LEN(tunes) };
  session s[WAYS];
  uint64_t results = 0, fewer = 0, limits = 0, different = 0;
  UNUSED(state);
  for (int i = 0; i < WAYS; i++) begin(&s[i], tunes[i]);
  for (uint64_t n = first; n < first + count; n++) {
    program(n);
    if (verbose) fprintf(stderr, "%llu: %s\n", (unsigned long long)n, line);
    for (int i = 0; i < WAYS; i++) {
      try_it(&s[i]);
      if (is_alike(&s[0], &s[i])) continue;
      different++;
      complain(tunes[i], n, &s[0], &s[i]);
    }
    if (verbose)
      fprintf(stderr, "%.*s\n", (int)s[0].error.n, s[0].error.n ? s[0].error.at : "");
    results += s[0].r != NULL;
    fewer += s[0].r && s[1].c.limit.steps + 1 < s[0].c.limit.steps;
    limits += is_of_limits(&s[0]);
    for (int i = 0; i < WAYS; i++)
      if (s[i].r) arr_release(s[i].r);
    if (!goes_on) assert_int_equal(different, 0);
  }
  if (verbose || goes_on)
    fprintf(stderr,
            "%llu programs, %llu have a result, %llu of these with fewer calls, %llu "
            "reached a limit, %llu differ\n",
            (unsigned long long)count, (unsigned long long)results,
            (unsigned long long)fewer, (unsigned long long)limits,
            (unsigned long long)different);
  for (int i = 0; i < WAYS; i++) end(&s[i]);
  assert_int_equal(different, 0);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-v")) verbose = true;
    else if (!strcmp(argv[i], "-k")) goes_on = true;
    else if (i + 1 < argc && !strcmp(argv[i], "-s"))
      first = strtoull(argv[++i], NULL, 10);
    else if (i + 1 < argc && !strcmp(argv[i], "-n"))
      count = strtoull(argv[++i], NULL, 10);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
