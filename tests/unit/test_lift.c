/* SPDX-License-Identifier: MIT */
/* test_lift.c - random functions applied to cells, lifted and not: the same elements bit by
 * bit, of the same class, or the same error at the same place.
 *
 * `test_lift` runs some, always the same ones; for more: test_lift [-s FIRST] [-n COUNT] [-v] */
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

static char line[2000];
static size_t length;
static void say(const char *s) {
  size_t n = strlen(s);
  if (length + n + 1 > sizeof line) return;
  memcpy(line + length, s, n + 1);
  length += n;
}
#define PICK(table) (table)[next() % ARRAY_LEN(table)]
static bool one_in(unsigned n) { return next() % n == 0; }

static const char *const arguments[] = {"m", "m", "m", "f", "f", "b", "w", "h",
                                        "c", "t", "v", "u", "s", "e", "k", "g"};
static const char *const parts[] = {
    "↓m",        "↓f",  "↓c",          "↓h",    "⊂⍤1⊢g",      "q⊂u",
    "q⊂v,1 2 3", "q⊆u", "(30⍴q)⊂30⍴f", "↓k",    "↓6 3⍴1 4 7", "6 3⍴1 4 7",
    "(13 2⍴f)",  "⌽m",  "⍉m",          "(m×2)", "(f-1)",      "2↓w"};
static const char *const numbers[] = {"1",   "2",   "¯1",    "0.5", "3",     "0",
                                      "2 3", "4 1", "1 2 3", "⍬",   "1 0 1", "1E300",
                                      "5",   "'a'", "⍳4",    "v",   "7"};
static const char *const monads[] = {
    "+",        "-",       "×", "÷", "⌈", "⌊", "|", "*", "⍟", "○",   "!",
    "~",        "≢",       "⍴", ",", "⍪", "⌽", "⊖", "⍉", "↑", "2-/", "¯3+/",
    "1 0 1 1/", "1 1 0\\", "⊃", "⊢", "∊", "≢", ",", "⍳", "≡", "≢⍸",  "⍋"};
static const char *const dyads[] = {
    "+", "-", "×", "÷", "⌈", "⌊", "|", "*",   "⍟",   "<", "≤", "=", "≥", ">", "≠", "∧",
    "∨", "○", ",", "⍪", "⌽", "⊖", "⍴", "↑",   "↓",   "⊣", "⊢", "∊", "⍳", "⌷", "⊃", "≡",
    "≢", "⊥", "/", "⌿", "⊤", "⍉", "⍸", "+.×", "⌈.-", "+", "-", "×", "⌊", "=", ","};
static const char *const folded[] = {"+", "×", "⌈", "⌊", "-",       "∧",
                                     "∨", "≠", "+", "⌈", "{⍺+2×⍵}", "{⍺⌈⍵-1}"};
static const char *const folds[] = {"/", "/", "⌿", "\\", "⍀", "/[1]", "\\[2]"};
static const char *const windows[] = {"3 3",           "3",   "2", "4 2",
                                      "(2 2⍴3 3 2 1)", "5 1", "1", "2 3 2"};
static const char *const ranks[] = {"0", "1", "¯1", "2", "1 0", "0 1", "1 2"};

static void expression(int depth, bool left);

static void function(int depth, bool left) {
  switch (depth > 0 ? next() % 12 : 0) {
  case 0:
  case 1:
  case 2: say(left ? PICK(dyads) : PICK(monads)); break;
  case 3:
    if (left) say(PICK(dyads));
    else {
      say(PICK(folded));
      say(PICK(folds));
    }
    break;
  case 4:
    function(depth - 1, left);
    say("⍤");
    say(PICK(ranks));
    break;
  case 5:
    function(depth - 1, left);
    say("¨");
    break;
  case 6:
    say("(");
    function(depth - 1, left);
    say(PICK(dyads));
    function(depth - 1, left);
    say(")");
    break;
  case 7:
    if (left) say("∘.");
    say(left ? PICK(dyads) : "-");
    if (!left) say("⍨");
    break;
  case 8:
    say("(");
    function(depth - 1, false);
    say(one_in(2) ? "∘" : "⍤");
    function(depth - 1, left);
    say(")");
    break;
  default:
    say("{");
    if (one_in(3)) {
      say("p←");
      expression(depth - 1, left);
      say("⋄");
    } else if (one_in(6)) {
      say(one_in(2) ? "2<≢⍵:" : "0<⊃,⍵:");
      expression(depth - 1, left);
      say("⋄");
    } else say("p←⍵⋄");
    expression(depth - 1, left);
    say("}");
  }
}

static void operand(int depth, bool left) {
  switch (next() % (depth > 0 ? 7 : 5)) {
  case 0: say(PICK(numbers)); break;
  case 1: say(left ? "⍺" : "⍵"); break;
  case 2: say("p"); break;
  case 3:
  case 4: say("⍵"); break;
  case 5:
    say("⍵[");
    say(one_in(2) ? "1" : ";2 1");
    say("]");
    break;
  default:
    say("(");
    expression(depth - 1, left);
    say(")");
  }
}

/* In ⍵, ⍺ if `left`, and p. */
static void expression(int depth, bool left) {
  for (int n = 1 + (int)(next() % 2); n-- > 0;) {
    bool dyadic = one_in(2);
    if (dyadic) operand(depth - 1, left);
    say(" ");
    function(depth - 1, dyadic);
  }
  operand(depth - 1, left);
}

static void program(uint64_t from) {
  seed = from * 0x9E3779B97F4A7C15u + 88172645463325252u;
  for (int i = 0; i < 9; i++) next();
  line[length = 0] = 0;
  say("r←");
  bool left = one_in(3);
  if (left) say(PICK(arguments));
  bool outer = left && one_in(4);
  if (outer) say("∘.");
  say("{p←⍵⋄");
  expression(3, left);
  say("}");
  if (!outer && one_in(8)) {
    length = strlen("r←");
    line[length] = 0;
    left = false;
    say("↑{p←⍵⋄");
    expression(3, false);
    say("}¨");
  } else if (!outer && !left && one_in(5)) {
    say("⌺");
    say(PICK(windows));
  } else if (!outer) {
    say(one_in(3) ? "¨" : "⍤");
    if (line[length - 1] != '\xa8') say(PICK(ranks));
  }
  say(left ? " " : "⊢");
  if (!left && one_in(4)) say(PICK(parts));
  else say(PICK(arguments));
}

/* ── running them ── */

static const char preamble[] =
    "m←9 4⍴¯7+⍳11 ⋄ f←8 5⍴0.37×¯4+⍳9 ⋄ b←10 3⍴1 0 0 1 1 ⋄ v←⍳9 ⋄ u←12⍴2.5 ¯1 3 ⋄ s←5\n"
    "w←3 4 5⍴¯20+⍳37 ⋄ h←9 2⍴9223372036854775807 4 ¯3 9007199254740993 ⋄ e←0 3⍴0\n"
    "c←9 3⍴'banana split' ⋄ t←8 3 3⍴⍳5 ⋄ k←⎕F32 9 4⍴0.3×⍳5 ⋄ g←13 11⍴0.5×⍳77\n"
    "q←1 0 1 0 0 1 1 0 1 0 1 0";

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

/* Bits and integers are one: how wide integers are stored shows nowhere but in ⎕DR. */
static int class_of(const arr *a) {
  cls of = cls_of((elt)a->type);
  return of == CLS_B ? CLS_I : (int)of;
}

static bool same(const arr *x, const arr *y) {
  if (!arr_same_shape(x, y)) return false;
  if (elt_is_char((elt)x->type) != elt_is_char((elt)y->type)) return false;
  bool nested = x->type == ET_NEST;
  if (class_of(x) != class_of(y) || nested != (y->type == ET_NEST)) return false;
  for (int64_t i = 0; i < x->count; i++) {
    if (nested) {
      if (!same(arr_item(x, i), arr_item(y, i))) return false;
    } else if (elt_is_float((elt)x->type)) {
      double a = arr_get_float(x, i), b = arr_get_float(y, i);
      if (memcmp(&a, &b, sizeof a)) return false;
    } else if (x->type != ET_C128 && arr_get_int(x, i) != arr_get_int(y, i)) return false;
  }
  return true;
}

/* The line in one of the interpreters; its result is in s->r, or its error in s->error. */
static void try_it(session *s) {
  s->r = NULL;
  s->error.n = 0;
  if (!run(s, line)) return;
  s->r = vm_get(s->v, "r");
  assert_true(s->r && ir_host(vm_ir(s->v), s->r));
}

static uint64_t first = 1, count = 1500;
static bool verbose;

static void test_random(void **state) {
  static const char *const tunes[] = {"lift=0", "lift=2", "lift=2 direct=0",
                                      "lift=1 direct=0"};
  enum { WAYS = ARRAY_LEN(tunes) };
  session s[WAYS];
  uint64_t results = 0;
  UNUSED(state);
  for (int i = 0; i < WAYS; i++) begin(&s[i], tunes[i]);
  for (uint64_t n = first; n < first + count; n++) {
    program(n);
    if (verbose) fprintf(stderr, "%llu: %s\n", (unsigned long long)n, line);
    for (int i = 0; i < WAYS; i++) {
      try_it(&s[i]);
      bool alike = !s[i].r == !s[0].r;
      if (alike && s[0].r) alike = same(s[0].r, s[i].r);
      else if (alike)
        alike = s[i].error.n == s[0].error.n &&
                !memcmp(s[i].error.at, s[0].error.at, s[0].error.n);
      bool full = s[0].error.n > 7 && !memcmp(s[0].error.at, "WS FULL", 7);
      if (alike || full) continue; /* that tells how much is in use */
      fail_msg("seed %llu, %s: %s\n%.*s\n%.*s", (unsigned long long)n, tunes[i], line,
               (int)s[0].error.n, s[0].error.at ? s[0].error.at : "", (int)s[i].error.n,
               s[i].error.at ? s[i].error.at : "");
    }
    results += s[0].r != NULL;
    for (int i = 0; i < WAYS; i++)
      if (s[i].r) arr_release(s[i].r);
  }
  if (verbose) fprintf(stderr, "%llu have a result\n", (unsigned long long)results);
  for (int i = 0; i < WAYS; i++) end(&s[i]);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-v")) verbose = true;
    else if (i + 1 < argc && !strcmp(argv[i], "-s"))
      first = strtoull(argv[++i], NULL, 10);
    else if (i + 1 < argc && !strcmp(argv[i], "-n"))
      count = strtoull(argv[++i], NULL, 10);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
