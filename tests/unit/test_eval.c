/* SPDX-License-Identifier: MIT */
/* test_eval.c - the interpreter from inside: what a session shows, how errors look, where
 * pending work is verified and what is undone, depth, and memory that runs out.
 *
 * What the language means is tested by tests/lang; here is what needs a hand on the engine:
 * an allocator that fails at the n-th call, input, journals, the C stack. */
#include "make.h"

#include <stdio.h>

#include "src/eval/eval.h"

typedef struct session {
  vm *v;
  str out;
  const char *input; /* lines, each ended by \n */
} session;

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  session *s = user;
  assert_int_equal(fd, 1);
  int kept = fail_at;
  fail_at = 0;
  str_put(&s->out, utf8, n);
  fail_at = kept;
}

static ptrdiff_t on_read(void *user, int mode, const char *prompt, char *buf, size_t n) {
  session *s = user;
  assert_true(mode == 0 || mode == 1);
  assert_non_null(prompt);
  const char *nl = s->input ? strchr(s->input, '\n') : NULL;
  if (!nl || (size_t)(nl - s->input) > n) return -1;
  ptrdiff_t got = nl - s->input;
  memcpy(buf, s->input, (size_t)got);
  s->input = nl + 1;
  return got;
}

static session S_;

static bool begin(const char *tune, uint32_t max_depth) {
  ctx_init(&C, test_resize, NULL);
  S_ = (session){.out = {.c = &C}};
  vm_config cfg = {.c = &C,
                   .ir = {.device = "host", .threads = 1, .tune = tune},
                   .write = on_write,
                   .read = on_read,
                   .user = &S_,
                   .max_depth = max_depth};
  S_.v = vm_new(&cfg);
  return S_.v != NULL;
}

static void end(void) {
  vm_free(S_.v);
  str_free(&S_.out);
  err_clear(&C);
  assert_int_equal(C.blocks_live, 0);
}

/* What a line of the session shows, with its error. */
static const char *line(const char *text) {
  bool off;
  int how;
  S_.out.n = 0;
  str_put(&S_.out, "", 0);
  if (!vm_line(S_.v, &(vm_text){.name = "", .at = text, .n = strlen(text)}, &off, &how)) {
    vm_error_text(S_.v, &S_.out);
    err_clear(&C);
  }
  return S_.out.at;
}

#define SHOWS(text, want) assert_string_equal(line(text), want)

/* ── how errors look ────────────────────────────────────────────────────────────────── */

static void test_error_text(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  SHOWS("1 2+1 2 3", "LENGTH ERROR: shapes 2 and 3\n      1 2+1 2 3\n         ^\n");
  SHOWS("'é世'≡⍳¯1", "DOMAIN ERROR: the argument must not be negative\n      'é世'≡⍳¯1\n "
                     "           ^\n");
  SHOWS("zz+1", "VALUE ERROR: zz has no value\n      zz+1\n      ^\n");
  SHOWS("f←{1+÷⍵}", "");
  SHOWS("2+f 0", "DOMAIN ERROR: ÷: division by zero\n      f←{1+÷⍵}\n           ^\n"
                 "called here\n      2+f 0\n        ^\n");
  SHOWS("g←{3+f ⍵}", "");
  SHOWS("⍎'1+g¨0 0'", "DOMAIN ERROR: ÷: division by zero\n      f←{1+÷⍵}\n           ^\n"
                      "called here\n      g←{3+f ⍵}\n           ^\n"
                      "called here\n      1+g¨0 0\n        ^\n"
                      "called here\n      ⍎'1+g¨0 0'\n      ^\n");
  SHOWS("{0::'caught' ⋄ 1+g ⍵}0", "caught\n");
  SHOWS("h←{⍵=0:÷⍵ ⋄ 1+h ⍵-1}", "");
  SHOWS("h 30",
        "DOMAIN ERROR: ÷: division by zero\n      h←{⍵=0:÷⍵ ⋄ 1+h ⍵-1}\n"
        "             ^\n"
        "called here 30 times\n      h←{⍵=0:÷⍵ ⋄ 1+h ⍵-1}\n                    ^\n"
        "called here\n      h 30\n      ^\n");
  SHOWS("p←{⍵=0:÷⍵ ⋄ 2+q ⍵-1} ⋄ q←{1+p ⍵}", "");
  assert_non_null(strstr(line("p 20"), "… 29 more calls\ncalled here\n      p 20\n"));
  static const char script[] = "a←1\n\nb←{\n  ÷⍵\n}\nb 0\n";
  assert_false(vm_run(S_.v,
                      &(vm_text){.name = "job.apl", .at = script, .n = strlen(script)},
                      true, NULL, NULL));
  S_.out.n = 0;
  vm_error_text(S_.v, &S_.out);
  assert_string_equal(S_.out.at,
                      "job.apl:4:3: DOMAIN ERROR: ÷: division by zero\n  ÷⍵\n  ^\n"
                      "job.apl:6:1: called here\nb 0\n^\n");
  err_clear(&C);
  SHOWS("a", "1\n"); /* what came before the error stands */
  SHOWS("1 2 3+",
        "SYNTAX ERROR: the right argument is missing\n      1 2 3+\n            ^\n");
  SHOWS("(1+)×2",
        "SYNTAX ERROR: the right argument is missing\n      (1+)×2\n         ^\n");
  SHOWS("(1+2", "SYNTAX ERROR: ( is not closed\n      (1+2\n      ^\n");
  SHOWS("{'too bad'⎕SIGNAL 500}0", "too bad\n      {'too bad'⎕SIGNAL 500}0\n      ^\n");
  SHOWS("{11::'mine' ⋄ ⎕SIGNAL 11}0",
        "DOMAIN ERROR\n      {11::'mine' ⋄ ⎕SIGNAL 11}0\n      ^\n");
  SHOWS("sig←{⎕SIGNAL ⍵} ⋄ {11::'mine' ⋄ sig 11}0", "mine\n");
  line("⎕PW←200");
  SHOWS("{11::⎕DM ⋄ ÷0}0 ⋄ ⎕EN", " DOMAIN ERROR        {11::⎕DM ⋄ ÷0}0 ⋄ ⎕EN "
                                 "                  ^ \n11\n");
  end();
}

static void test_nonce(void **state) {
  UNUSED(state);
  static const char *const texts[] = {"⎕SVO 1", "⎕FHIST 1", "⎕NXLATE 1"};
  begin(NULL, 0);
  for (size_t i = 0; i < ARRAY_LEN(texts); i++)
    assert_int_equal(strncmp(line(texts[i]), "NONCE ERROR: ", 13), 0);
  end();
}

/* ── the session ────────────────────────────────────────────────────────────────────── */

static void test_commands(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  line("b←1 ⋄ a←2 ⋄ f←{⍵} ⋄ op←{⍺⍺ ⍵}");
  SHOWS(")VARS", "a       b\n");
  SHOWS(")fns", "f\n");
  SHOWS(")OPS", "op\n");
  SHOWS(")ERASE a zz", "not found zz\n");
  SHOWS(")VARS", "b\n");
  SHOWS(")ERASE ⎕IO q b", "not found ⎕IO q\n");
  line("b←1 ⋄ c←2 ⋄ bb←3");
  SHOWS(")VARS", "b       bb      c\n");
  SHOWS(")vars bb", "bb      c\n");
  SHOWS(")VARS d", "");
  SHOWS(")WSID", "is CLEAR WS\n");
  SHOWS(")WSID mine", "was CLEAR WS\n");
  SHOWS(")wsid", "is mine\n");
  SHOWS("⎕WSID", "mine\n");
  SHOWS(")SI", "");
  SHOWS("  ]box on", "Was OFF\n");
  SHOWS("1 (2 3)", "┌─┬───┐\n│1│2 3│\n└─┴───┘\n");
  SHOWS("]box off", "Was ON\n");
  SHOWS("2+3", "5\n");
  SHOWS("x←2×⎕_", "");
  SHOWS("x ⎕_", "10 5\n");
  SHOWS(")WHAT", "SYNTAX ERROR: )WHAT is no command of this version: see ]help\n"
                 "      )WHAT\n      ^\n");
  assert_non_null(strstr(line("]help +"), "add"));
  assert_non_null(strstr(line("]help ⍳z⍳"), "index of")); /* ⍳ whole, not twice */
  assert_non_null(strstr(line("]help ⍤"), "rank"));
  assert_non_null(strstr(line("]help ⌸"), "different"));
  assert_non_null(strstr(line("]help ⎕io"), "indices"));
  assert_non_null(strstr(line("]plan "), "]plan needs an expression behind it\n"));
  assert_non_null(strstr(line("]help"), ")ERASE"));
  assert_non_null(strstr(line("]help reduce"), "\n      +/⍳10\n55\n"));
  assert_non_null(strstr(line("]help Index Of"), "x ⍳ y"));
  assert_non_null(strstr(line("]help ]plan"), "step by step"));
  assert_non_null(strstr(line("]help sort"), "⍋ y"));
  assert_non_null(strstr(line("]help ⎕csv"), "arguments: ⎕CSV y, x ⎕CSV y"));
  assert_non_null(strstr(line("]help same"), "⊣ y"));
  assert_non_null(strstr(line("]help reshap"), "near it: reshape"));
  assert_non_null(strstr(line("]help matrix multiply"), "× y"));
  assert_non_null(strstr(line("]help +/"), "/  reduce"));
  assert_non_null(strstr(line("]help csv"), "⎕CSV"));
  assert_non_null(strstr(line("]help date"), "\n⎕DT"));
  assert_non_null(strstr(line("]help join"), "one of these says more"));
  assert_non_null(strstr(line("]help join"), "x , y  catenate"));
  assert_non_null(strstr(line("]help :If"), "guard"));
  assert_non_null(strstr(line("]help :EndSelect"), "guard"));
  SHOWS("]help qqqqqqqq", "nothing is known about qqqqqqqq\n");
  assert_non_null(strstr(line("]plan +/⍳100000"), "reduce"));
  assert_non_null(strstr(line("]plan ⍕?1000⍴9"), "host  ⍕  1000 elements: text\n"));
  assert_non_null(strstr(line("]plan {⍵⊣⍕⍵}⍣3⊢⍳1000"), "⍕  1000 elements  ×3: text\n"));
  assert_non_null(strstr(line("]plan {⍎'⍵'}¨⍳1000"), "1000 calls of a dfn"));
  SHOWS("]plan 1+1", "no kernel, and nothing long on the host\n");
  assert_non_null(strstr(line("]time 1+1"), "on        the host\n"));
  assert_non_null(strstr(line("]time -3 +/⍳1000"), " of 3 runs"));
  assert_null(strstr(line("]time -3"), "runs")); /* an expression */
  assert_non_null(strstr(line("]time -3 ÷0"), "DOMAIN ERROR"));
  assert_non_null(strstr(line("]time ÷0"), "DOMAIN ERROR"));
  SHOWS("⎕IO←0", "");
  SHOWS(")CLEAR", "clear ws\n");
  SHOWS(")VARS", "");
  SHOWS("⎕IO", "1\n");
  int how = -1;
  assert_false(vm_off(S_.v, &how));
  SHOWS("x←1 ⋄ ⎕OFF 3 ⋄ x←2", "");
  assert_true(vm_off(S_.v, &how));
  assert_int_equal(how, 3);
  end();
}

static void test_off_is_not_caught(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  SHOWS("{0 1000::'no' ⋄ ⎕OFF}0", "");
  assert_true(vm_off(S_.v, NULL));
  end();
}

static void test_input(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  S_.input = "hello\n\n1+1\n÷0\nworld\n";
  SHOWS("⌽⍞", "olleh\n");
  SHOWS("10×⎕", "20\n"); /* an empty line asks again */
  SHOWS("⎕", "DOMAIN ERROR: ÷: division by zero\n      ÷0\n      ^\n");
  SHOWS("⍞←'name? ' ⋄ 6↓⍞", "name? world\n");
  SHOWS("⍞", "EOF INTERRUPT: no more input\n      ⍞\n      ^\n");
  SHOWS("{1005::'over' ⋄ ⍞}0", "over\n");
  SHOWS("⎕←⎕←1 2", "1 2\n1 2\n");
  SHOWS("x←⎕←3", "3\n");
  SHOWS("⍞←2 2⍴⍳4", "1 2\n3 4\n");
  end();
}

static void test_outside(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  arr *a = I("3 4"), *r = NULL;
  assert_true(vm_set(S_.v, "x", a));
  SHOWS("x", "3 4\n");
  line("add←{⍺←100 ⋄ ⍺+⍵} ⋄ none←{} ⋄ bad←{÷⍵-⍵}");
  assert_true(vm_call(S_.v, "add", a, a, &r));
  assert_string_equal(shown(r, 10, 80, false), "6 8\n");
  assert_true(vm_call(S_.v, "add", NULL, a, &r));
  assert_string_equal(shown(r, 10, 80, false), "103 104\n");
  assert_true(vm_call(S_.v, "none", NULL, a, &r));
  assert_null(r);
  assert_false(vm_call(S_.v, "bad", NULL, a, &r));
  assert_int_equal(C.err.code, ERR_DOMAIN);
  err_clear(&C);
  assert_false(vm_call(S_.v, "x", NULL, a, &r));
  assert_int_equal(C.err.code, ERR_VALUE);
  err_clear(&C);
  arr_release(a);
  assert_null(vm_get(S_.v, "nowhere"));
  err_clear(&C);
  arr *io = vm_get(S_.v, "⎕IO");
  assert_int_equal(arr_get_int(io, 0), 1);
  arr_release(io);
  arr *zero = I("0");
  assert_true(vm_set(S_.v, "⎕IO", zero));
  SHOWS("⍳3", "0 1 2\n");
  assert_false(vm_set(S_.v, "⎕A", zero));
  err_clear(&C);
  arr_release(zero);
  static const char *const args[] = {"one", "two three"};
  vm_set_args(S_.v, 2, args);
  SHOWS("≢¨⎕ARG", "3 9\n");
  vm_set_args(S_.v, 0, NULL);
  SHOWS("⍴⎕ARG", "0\n");
  bool shy = false;
  vm_text t = {.name = "", .at = "5 ⋄ y←6 7", .n = strlen("5 ⋄ y←6 7")},
          none = {.name = "", .at = ""};
  assert_true(vm_run(S_.v, &t, false, &r, &shy));
  assert_true(shy);
  assert_string_equal(shown(r, 10, 80, false), "6 7\n");
  assert_true(vm_run(S_.v, &none, true, &r, &shy));
  assert_null(r);
  end();
}

/* ── pending work ───────────────────────────────────────────────────────────────────── */

/* With direct=4 longer arrays are computed late: errors come late, and must not show it. */
static void test_undo(void **state) {
  UNUSED(state);
  static const char at_div[] = "DOMAIN ERROR: ÷: division by zero\n      ";
  begin("direct=4", 0);
  line("a←1 ⋄ ⎕IO←0");
  assert_int_equal(strncmp(line("b←÷⍳9 ⋄ a←2 ⋄ c←3"), at_div, strlen(at_div)), 0);
  SHOWS("a", "1\n");
  assert_int_equal(strncmp(line("c"), "VALUE ERROR", 11), 0);
  assert_int_equal(strncmp(line("b"), "VALUE ERROR", 11), 0);
  /* An error that is raised at once gives way to an earlier pending one. */
  assert_int_equal(strncmp(line("b←÷⍳9 ⋄ a←2 ⋄ 1 2+1 2 3"), at_div, strlen(at_div)), 0);
  SHOWS("a", "1\n");
  /* Nothing is shown before what comes before it has been verified. */
  assert_int_equal(strncmp(line("b←÷⍳9 ⋄ ⎕←'shown'"), at_div, strlen(at_div)), 0);
  assert_int_equal(strncmp(line("{b←÷⍳9 ⋄ 1:'guard' ⋄ 2}0"), at_div, strlen(at_div)), 0);
  /* What was assigned before the faulty primitive stays, whichever name it is. */
  line("a←7 ⋄ b←÷⍳9 ⋄ a←8");
  SHOWS("a", "7\n");
  line("n←0 ⋄ f←{n+←1 ⋄ ÷⍳⍵} ⋄ z←f 9");
  SHOWS("n", "1\n"); /* before the division was applied */
  /* Error guards: pending errors of before are not theirs, those of inside are. */
  assert_int_equal(strncmp(line("b←÷⍳9 ⋄ {0::'wrong' ⋄ ⍵}5"), at_div, strlen(at_div)), 0);
  SHOWS("{0::'mine' ⋄ ÷⍳9}5", "mine\n");
  SHOWS("{x←1 ⋄ 0::x ⋄ y←÷⍳9 ⋄ x←2 ⋄ x}5", "1\n");
  SHOWS("{t←5 ⋄ {0::t ⋄ q←÷⍳9 ⋄ t⊢←6 ⋄ 0}0}0", "5\n");
  /* A name that a call made does not outlive it, nor its journal. */
  SHOWS("{k←÷1+⍳9 ⋄ {k+←1 ⋄ ⍴k}0}0", "9\n");
  for (int i = 0; i < 600; i++) line("p←÷1+⍳9 ⋄ p←2 ⋄ p←3");
  SHOWS("{m←0 ⋄ z←{m+←÷1+⍳9}⍣700⊢0 ⋄ ⌊0.5+⊃m}0", "700\n");
  /* Later, an error of its own undoes nothing. */
  line("a←1 ⋄ b←÷1+⍳9 ⋄ a←4 ⋄ ÷0");
  SHOWS("a", "4\n");
  end();
}

/* ── depth ──────────────────────────────────────────────────────────────────────────── */

static void test_depth(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  SHOWS("{⍵=0:'done' ⋄ ∇ ⍵-1}200000", "done\n");
  SHOWS("f←{⍵=0:'done' ⋄ f ⍵-1} ⋄ f 100000", "done\n");
  SHOWS("{'op'}{⍵=0:⍺⍺ 0 ⋄ ∇ ⍵-1}100000", "op\n");
  assert_int_equal(strncmp(line("{1+∇ ⍵}0"), "LIMIT ERROR", 11), 0);
  SHOWS("{10::'deep' ⋄ {1+∇ ⍵}0}0", "deep\n");
  SHOWS("1+1", "2\n");
  str s = {.c = &C};
  for (int i = 0; i < 20000; i++) str_puts(&s, "1+");
  str_puts(&s, "1");
  SHOWS(s.at, "20001\n");
  s.n = 0;
  for (int i = 0; i < 900; i++) str_puts(&s, "(1+");
  str_puts(&s, "0");
  for (int i = 0; i < 900; i++) str_puts(&s, ")");
  SHOWS(s.at, "900\n");
  s.n = 0;
  str_puts(&s, "-");
  for (int i = 0; i < 5000; i++) str_puts(&s, "⍨");
  str_puts(&s, "1");
  assert_int_equal(strncmp(line(s.at), "LIMIT ERROR", 11), 0);
  str_free(&s);
  end();
  begin(NULL, 10);
  SHOWS("{⍵=0:0 ⋄ 1+∇ ⍵-1}9", "9\n");
  assert_int_equal(strncmp(line("{⍵=0:0 ⋄ 1+∇ ⍵-1}10"), "LIMIT ERROR: more than 10", 25),
                   0);
  SHOWS("{⍵=0:0 ⋄ ∇ ⍵-1}100", "0\n");
  end();
}

static void test_interrupt(void **state) {
  UNUSED(state);
  begin(NULL, 0);
  atomic_store(&C.interrupt, true);
  assert_int_equal(strncmp(line("{∇ ⍵}0"), "INTERRUPT", 9), 0);
  atomic_store(&C.interrupt, true);
  assert_int_equal(strncmp(line("{⍵}⍣{0}0"), "INTERRUPT", 9), 0);
  SHOWS("1", "1\n");
  end();
}

/* ── memory that runs out ───────────────────────────────────────────────────────────── */

/* Each line is run with every allocation failing in turn: it says WS FULL or shows what it
 * should, nothing leaks, and the session goes on. */
static const char *const hungry[][2] = {
    {"1+2 3", "3 4\n"},
    {"x←⍳3 ⋄ x[2]+←10 ⋄ x", "1 12 3\n"},
    {"(a(b c))←1(2 3) ⋄ c b a", "3 2 1\n"},
    {"f←{⍺←1 ⋄ t←⍵ ⋄ g←{t+⍵} ⋄ ⍵≤1:⍺ ⋄ (⍺×g 0)∇ ⍵-1} ⋄ f 5", "120\n"},
    {"{11::⎕EN ⋄ ÷⍵}0", "11\n"},
    {"{⊃⌽⍵}¨(1 2)(3 4 5)'ab'", "2 5 b\n"},
    {"1 2 3∘.×1 2", "1 2\n2 4\n3 6\n"},
    {"(2 2⍴⍳4)+.×2 2⍴⍳4", " 7 10\n15 22\n"},
    {"1 2,.+3 4", " 4 6 \n"},
    {"{⍺+⍵}\\1 2 3", "1 3 6\n"},
    {",/(1 2)(3 4)", " 1 2 3 4 \n"},
    {"2,/1 2 3", " 1 2  2 3 \n"},
    {"2+/1 2 3", "3 5\n"},
    {"(+/÷≢)1 2 3 6", "3\n"},
    {"{⍵,⍴⍵}⍤1⊢2 2⍴⍳4", "1 2 2\n3 4 2\n"},
    {"-{⍺⍺ ⍵⍵ ⍵}÷4", "¯0.25\n"},
    {"2×⍣3⊢1", "8\n"},
    {"{⍵÷2}⍣{⍺<1}10", "0.625\n"},
    {"3(-⍤×⍥|)¯4", "¯12\n"},
    {"'abc'(1 'd')⍬", " abc  1 d   \n"},
    {"(1 ⋄ 2 3)", "1  2 3 \n"},
    {"[1 2 ⋄ 3]", "1 2\n3 0\n"},
    {"x←1 ⋄ f←{⍵} ⋄ ⎕NC 'x' (,'f') 'nix'", "2.1 3.2 0\n"},
    {"⎕UCS 'aé'", "97 233\n"},
    {"x←1 ⋄ ⎕EX'x'", ""},
    {"⌽[1]2 2⍴⍳4", "3 4\n1 2\n"},
    {"+/÷≢", " +/ ÷≢\n"},
    {"]help +", NULL},
    {"]plot -rows=2 1 2", NULL},
    {"⍴⍴(names:'a' 'b' ⋄ x:'p' 'q' ⋄ rows:2)⎕PLOT(1 2)(3 4)", "2\n"},
    {"4↑(kind:'hist' ⋄ format:'svg' ⋄ colours:'#123456' ⋄ xrange:0 5)⎕PLOT(a:1 2 ⋄ b:3 "
     "4)",
     "<svg\n"},
    {"4↑'svg'⎕PLOT 3 3⍴⍳9", "<svg\n"},
    {"{16::1 ⋄ 80=('png'⎕PLOT 1 ⎕NULL 4)[2]}0", NULL},
    {")VARS", NULL},
    {"{16::0 ⋄ ('(b)(?<n>.)'⎕R{⍵.(Match,∊Names)}⍠1)⍵}'aBcd'", NULL},
    {"{16::0 ⋄ ('bb' 'cc'⎕S'\\u&' '%'⍠'NEOL' 1)⍵}'aBcd' 'bc'", NULL},
    {"sig←{⎕SIGNAL⊂('EN' 200)('Vendor' 'x')} ⋄ {200::⎕DMX.(EN Vendor) ⋄ sig 0}0",
     "200 x\n"},
    {"f←{⍺+⍵} ⋄ (⎕NL ¯3)(⎕CR 'f')(⎕NR 'f')(⎕VR 'f')", NULL},
    {"(1 ⎕C 'aé')(⎕VFI '1 x')(11 ⎕DR 'a')('UTF-8'⎕UCS 'é')⎕RL", NULL},
    {"⍕1 'ab'(2 2⍴⍳4)(2 1 1⍴1.5)", NULL},
    {"8 2⍕1 2", "    1.00    2.00\n"},
    {"'I3,<x>,2(F5.1)' ⎕FMT 1 3⍴1 2 3", "  1x  2.0  3.0\n"},
    {"⎕FMT 'ab',⎕UCS 10", "ab\n"},
    {"{_←⍎'q←⍵' ⋄ ⍎'q+1 ⋄ q+2'}4", "5\n6\n"},
    {"(2×⊢)∘(+⌿÷≢)", " 2 ×⊢ ∘  +⌿ ÷≢ \n"},
    {"]display 1 'a'(1 2)''", NULL},
    {"]disp 1 'a'(1 2)''", NULL},
    {"]box on -trains=tree", NULL},
    {"x←'abc'(1 2 3) ⋄ (2↑¨x)←0 ⋄ x", " 0 0 c  0 0 3 \n"},
    {"x←3⍴0 ⋄ (5⍴x)+←1 ⋄ x[1 1]+←1 ⋄ x", "4 2 1\n"},
    {"x←(1 2)(3 4) ⋄ (2 1⊃x)←'ab' ⋄ (⊃x),←5 ⋄ x", NULL},
    {"x←⍳3 ⋄ x[2]←⊂1 2 ⋄ x[(1 ⋄ 2 1)]←8 9 ⋄ x", NULL},
    {"0@2 3⊢⍳4", "1 0 0 4\n"},
    {"n←(a:1 ⋄ f:{a+⍵}) ⋄ n.b←n.f 2 ⋄ n.c←n ⋄ n.(a+b),n.c.b", "4 3\n"},
    {"n←'a' 'b'⎕NS ⍬", NULL},
    {"(2⍴⊂(x:1 2)).(x+1)", NULL},
    {"n←()⎕VSET('p' 1)('q' 2) ⋄ n ⎕VGET 'p'('r' 3) ⋄ ⎕NC 'n.p'", NULL},
    {"{⎕DMX.EM}1", "\n"},
    {"⌽@(2∘|)⍳5", "5 2 3 4 1\n"},
    {"{⍺,≢⍵}⌸'aba'", "a 2\nb 1\n"},
    {"'aba'{+/⍵}⌸1 2 3", "4 2\n"},
    {"{+/,⍵}⌺2 2⊢2 3⍴⍳6", "12 16\n"},
    {"⍴({⍵ ⍵}⍤1)0 3⍴0", "0 2\n"},
    {"(2⊥⍣¯1⊢5)(+\\⍣¯1⊢1 3 6)", " 1 0 1  1 2 3 \n"},
    {"1 2(∘.+)⍣¯1⊢2 2⍴4 5 5 6", "3 4\n"},
    {"⍸⍣¯1⊢1 3 3", "1 0 2\n"},
    {"-\\⍣¯1⊢-\\3 1 4", "3 1 4\n"},
    {"×/0⍴⊂'ab'(1 2)", NULL},
    {",/(1 2)3 'ab'", NULL},
    {"(-⍠'Forward' 1)\\1 2 3 4", "1 1 2 2\n"},
    {"⊃(0 2⍴0),.,2 3⍴0", "0 0 0 0\n"},
    {"tw←⍣2 ⋄ {⍵×3}tw 1", "9\n"},
    {"]plan 1+⍳500", NULL},
    {"+/÷1+⍳500", NULL},
};

static void test_memory(void **state) {
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(hungry); i++) {
    bool done = false;
    for (int n = 1; !done; n++) {
      assert_true(n < 3000);
      fail_at = n;
      if (!begin("direct=4", 0)) {
        assert_int_equal(C.err.code, ERR_WS_FULL);
        fail_at = 0;
        end();
        continue;
      }
      bool off;
      int how;
      bool ok = vm_line(
          S_.v, &(vm_text){.name = "", .at = hungry[i][0], .n = strlen(hungry[i][0])},
          &off, &how);
      done = fail_at > 0;
      fail_at = 0;
      if (!ok) {
        if (C.err.code != ERR_WS_FULL)
          fail_msg("%s: allocation %d: %s: %s", hungry[i][0], n, err_name(C.err.code),
                   C.err.msg);
        err_clear(&C);
      } else if (hungry[i][1] && strcmp(hungry[i][1], S_.out.at ? S_.out.at : ""))
        fail_msg("%s: allocation %d: %s", hungry[i][0], n, S_.out.at ? S_.out.at : "");
      SHOWS("+/⍳4", "10\n");
      end();
    }
  }
}

/* ── suspension ─────────────────────────────────────────────────────────────────────── */

/* A session in a suspended function: entries from S_.input, whose end is the session's. */
static bool on_suspend(void *user) {
  session *s = user;
  for (bool ok = false;;) {
    int kept = fail_at;
    fail_at = 0;
    if (!ok) vm_error_text(s->v, &s->out);
    fail_at = kept;
    err_clear(&C);
    if (vm_resumes(s->v)) return true;
    const char *text = s->input, *nl = text ? strchr(text, '\n') : NULL;
    bool off;
    int how;
    if (!nl) return false;
    s->input = nl + 1;
    ok = vm_line(s->v, &(vm_text){.name = "", .at = text, .n = (size_t)(nl - text)}, &off,
                 &how);
  }
}

static const char *const suspended[][2] = {
    {"", ""}, /* the input ends within it */
    {"→\n", ""},
    {"→0\n", NULL},
    {"y←8\n→⎕LC\n", "DOMAIN ERROR: ÷: division by zero\nf[2] r←÷y-4\n       ^\n10.25\n"},
    {"y←8 ⋄ →2\n", NULL},
    {"y←8\n:If y=8 ⋄ →2 ⋄ :EndIf\n", NULL},
    {"g 3\n)SI\n→\n)SINL\n]locals\n→\n", NULL},
    {"g 3\ng 3\n)RESET 2\ny\n)RESET\n", NULL},
    {"g 3\n)OFF\n", NULL},
    {"∇ r←f x\n", NULL},
    {"z←{v←⍵ ⋄ ÷v}0\n]locals\ny\n]locals\n→\n", NULL},
    {"⎕FX'r←f x' 'r←x'\n→1\n→\n", NULL},
    {"y←big÷0\n→\n", NULL},
    {"⍎'y←9' ⋄ h←{⍵+y} ⋄ →2\n", NULL},
};

static void define_suspended(void) {
  SHOWS("⎕FX 'r←f x;y' 'y←x+1' 'r←÷y-4'", "");
  SHOWS("⎕FX 'r←g x' 'r←10+f x'", "");
  SHOWS("big←⍳1000", "");
  vm_suspend_by(S_.v, on_suspend);
}

static void test_suspend(void **state) {
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(suspended); i++) {
    assert_true(begin(NULL, 0));
    define_suspended();
    S_.input = suspended[i][0];
    const char *got = line("g 3");
    if (suspended[i][1] && *suspended[i][1]) assert_string_equal(got, suspended[i][1]);
    assert_false(vm_resumes(S_.v) && !vm_off(S_.v, NULL));
    end();
  }
}

/* Nothing is lost when memory runs out while a function is suspended. */
static void test_suspend_memory(void **state) {
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(suspended); i++) {
    bool done = false;
    for (int n = 1; !done; n++) {
      assert_true(n < 3000);
      assert_true(begin(NULL, 0));
      define_suspended();
      S_.input = suspended[i][0];
      S_.out.n = 0;
      bool off;
      int how;
      fail_at = n;
      bool ok = vm_line(S_.v, &(vm_text){.name = "", .at = "g 3", .n = 3}, &off, &how);
      done = fail_at > 0;
      fail_at = 0;
      if (!ok && C.err.code != ERR_WS_FULL)
        fail_msg("%s: allocation %d: %s: %s", suspended[i][0], n, err_name(C.err.code),
                 C.err.msg);
      err_clear(&C);
      if (!vm_off(S_.v, NULL)) SHOWS("+/⍳4", "10\n");
      end();
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_text), cmocka_unit_test(test_nonce),
      cmocka_unit_test(test_commands),   cmocka_unit_test(test_off_is_not_caught),
      cmocka_unit_test(test_input),      cmocka_unit_test(test_outside),
      cmocka_unit_test(test_undo),       cmocka_unit_test(test_depth),
      cmocka_unit_test(test_interrupt),  cmocka_unit_test(test_memory),
      cmocka_unit_test(test_suspend),    cmocka_unit_test(test_suspend_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
