/* SPDX-License-Identifier: MIT */
/* test_deep.c - long chains in texts and deep nests of arrays, under threads of 8 MB and 256 KB:
 * each gives a result or an error, and none a crash.
 *
 *   test_deep [-v]     (with -v all rows are told as they are run)
 *
 * Every primitive takes deep arrays on each side; a chain is a text of LONG times the same.
 * VAPL_TEST_ALL=1 takes 400000 levels. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/vapl.h"
#include "src/tables/prim.h"

/* Arrays: both sides of a pair are equal and apart. `n` is the number of levels. */
static const char *const setup[] = {"a←{⊂⍵,1}⍣n⊢1 ⋄ A←{⊂⍵,1}⍣n⊢1",
                                    "b←{⊂1,⍵}⍣n⊢1 ⋄ B←{⊂1,⍵}⍣n⊢1",
                                    "c←{⍵ 'a'}⍣n⊢'bc' ⋄ C←{⍵ 'a'}⍣n⊢'bc'",
                                    "d←{2 1⍴⍵ 1}⍣n⊢1 ⋄ D←{2 1⍴⍵ 1}⍣n⊢1",
                                    "s←(x:1) ⋄ S←{(x:⍵)}⍣n⊢1",
                                    "o←() ⋄ o.o←o ⋄ O←() ⋄ O.o←O",
                                    "p←{0⍴⊂⍵}⍣500⊢1 ⋄ P←{0⍴⊂⍵}⍣500⊢1"};
static const char pairs[][2] = {"aA", "bB", "cC", "dD", "sS", "oO", "pP"};

/* What is done with the deep array x, and y, which is as deep. */
static const char *const rows[] = {"⍕x",
                                   "⎕FMT x",
                                   "x≡y",
                                   "(⊂x)∊⊂y",
                                   "(x 1)⍳y 1",
                                   "∪x y",
                                   "⍋x y",
                                   "(x y)⍸x y",
                                   "x=y",
                                   "x+1",
                                   "?x",
                                   "1⎕JSON x",
                                   "z←x ⋄ (∊z)←0",
                                   "z←x ⋄ (⊃z)←0",
                                   "z←x ⋄ (n⍴1)⊃z",
                                   "z←x ⋄ ((n⍴1)⊃z)←3",
                                   "z←x ⋄ z[⊂n⍴1]←3",
                                   "x[⊂n⍴1]",
                                   "≢¨x",
                                   "x∘.≡y",
                                   "+/x y",
                                   "+\\x y",
                                   "(x+⊢)⍣¯1⊢y",
                                   "⌽⍣¯1⊢x",
                                   "{≢⍵}⌸x y x",
                                   "1⎕C x",
                                   "⎕SIZE 'x'",
                                   "'a'⎕R'b'⊢x",
                                   "f←x∘≡ ⋄ ⎕CR'f'",
                                   "⎕NS x",
                                   "⎕CSV x",
                                   "9@1⊢x",
                                   "(a z)←x",
                                   "⍎x",
                                   "⎕FIX x",
                                   "⎕VFI x",
                                   "x ⎕SIGNAL 11",
                                   "{0::0 ⋄ x+'a'}0",
                                   "⎕DR x"};

/* Texts; N is how often. */
static const char *const texts[] = {"'+',(N⍴'⍨'),'1'",
                                    "'1+',(N⍴'⍨'),'1'",
                                    "'+',(N⍴'¨'),'1'",
                                    "'+',(N⍴'/'),'1'",
                                    "'+',(∊N⍴⊂'∘+'),'1'",
                                    "'+',(∊N⍴⊂'⍤1'),'⊢1'",
                                    "'+',(∊N⍴⊂'⍥+'),'1'",
                                    "'+',(∊N⍴⊂'⍣1'),'1'",
                                    "'1+',(∊N⍴⊂'.+'),'1'",
                                    "'1',(∊N⍴⊂'∘.+'),'1'",
                                    "'+',(∊N⍴⊂'@1'),'1'",
                                    "'+',(∊N⍴⊂'⌺3'),'1'",
                                    "'+',(N⍴'⌸'),'1'",
                                    "'+',(N⍴'&'),'1'",
                                    "'{⍵}',(∊N⍴⊂'{⍺⍺ ⍵}'),'1'",
                                    "'(',(N⍴'+'),')1'",
                                    "'(',(N⍴'+-'),')1'",
                                    "'f←(',(N⍴'+-'),')'",
                                    "'+',(∊N⍴⊂'[1]'),'1'",
                                    "'v',∊N⍴⊂'[1]'",
                                    "'v',(∊N⍴⊂'[1]'),'←2'",
                                    "'v',(∊N⍴⊂'[1]'),'+←2'",
                                    "'o',∊N⍴⊂'.o'",
                                    "'o',(∊N⍴⊂'.o'),'.x←1'",
                                    "'o',∊N⍴⊂'.(o)'",
                                    "'o',∊N⍴⊂'.o[1]'",
                                    "'#',∊N⍴⊂'.##'",
                                    "'o',∊N⍴⊂'.⎕IO'",
                                    "(N⍴'('),'1',N⍴')'",
                                    "(N⍴'{'),'1',N⍴'}'",
                                    "(∊N⍴⊂'v['),'1',N⍴']'",
                                    "(∊N⍴⊂'(1 ⋄ '),'1',N⍴')'",
                                    "(∊N⍴⊂'[1 ⋄ '),'1',N⍴']'",
                                    "(∊N⍴⊂'(a:'),'1',N⍴')'",
                                    "(∊N⍴⊂'(q '),'q',(N⍴')'),'←1'",
                                    "'1',∊N⍴⊂'+1'",
                                    "'1',∊N⍴⊂' 1'",
                                    "(N⍴'-'),'v'",
                                    "'v',∊N⍴⊂'+v'",
                                    "(∊N⍴⊂'q←'),'1'",
                                    "(∊N⍴⊂'q+←'),'1'",
                                    "(N⍴'q '),'←1'",
                                    "'{',(∊N⍴⊂'0:1 ⋄ '),'1}0'",
                                    "'{',(∊N⍴⊂'q←1 ⋄ '),'1}0'",
                                    "'1',∊N⍴⊂' (1+1)'",
                                    "'1',∊N⍴⊂'+(q←1)'",
                                    "'(',(∊N⍴⊂'⌽'),'v)←1'",
                                    "'(',(∊N⍴⊂'⊃'),'v)←1'",
                                    "'⍎',N⍴'⍎'",
                                    "'→',N⍴'→'",
                                    "N⍴'()'",
                                    "N⍴'{}'",
                                    "N⍴'##.'",
                                    "N⍴'1E1J'",
                                    "N⍴'9'",
                                    "N⍴'⍺'",
                                    "'{',(∊{'q',(⍕⍵),'←1 ⋄ '}¨⍳N),'1}0'",
                                    "'(',(∊{'q',(⍕⍵),' '}¨⍳N),')←1'",
                                    "'1',∊{'+q',(⍕⍵),'←1'}¨⍳N"};
static const char *const more[] = {"⎕FIX(N⍴⊂':Namespace q'),N⍴⊂':EndNamespace'",
                                   "⎕JSON(N⍴'['),N⍴']'",
                                   "⎕JSON(∊N⍴⊂'{\"q\":'),'1',N⍴'}'",
                                   "((N⍴'('),'I2',N⍴')')⎕FMT 1",
                                   "r←(g:{⍵}) ⋄ {r⊢←(r.g){t←() ⋄ t.g←⍺⍺{⍺⍺ ⍵} ⋄ t}0}¨⍳N",
                                   "r←(g:{⍵}) ⋄ {r⊢←r.g{t←() ⋄ t.g←{⍵} ⋄ t}0}¨⍳N ⋄ r←0"};

static vapl *apl;
static bool shown;

static void run(const char *text) {
  clock_t from = clock();
  vapl_status status = vapl_eval(apl, text, VAPL_STRLEN, NULL, NULL);
  if (!shown) return;
  printf("%6.2f s %-60s %s\n", (double)(clock() - from) / CLOCKS_PER_SEC, text,
         status ? vapl_last_error(apl)->name : "");
  fflush(stdout);
}

static void run_primitives(void) {
  static const char *const forms[] = {"%sx", "x%sy", "1%sx", "x%s1"};
  for (int p = 0; p < P_COUNT; p++)
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
      char text[80];
      snprintf(text, sizeof text, forms[i], prim_table[p].glyph);
      run(text);
    }
}

static void *run_all(void *unused) {
  char text[200];
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    snprintf(text, sizeof text, "x←%c ⋄ y←%c", pairs[i][0], pairs[i][1]);
    run(text);
    run_primitives();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) run(rows[k]);
  }
  run("x←y←0");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    snprintf(text, sizeof text, "v←1 ⋄ ⍎%s", texts[i]);
    run(text);
  }
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) run(more[i]);
  return unused;
}

/* Under a stack of so many KiB. */
static bool run_under(size_t kib) {
  pthread_attr_t attr;
  pthread_t thread;
  if (shown) printf("── %zu KiB\n", kib);
  pthread_attr_init(&attr);
  bool ok = !pthread_attr_setstacksize(&attr, kib << 10) &&
            !pthread_create(&thread, &attr, run_all, NULL) && !pthread_join(thread, NULL);
  pthread_attr_destroy(&attr);
  return ok;
}

static void ignore(void *user, int fd, const char *text, size_t n) {
  (void)user;
  (void)fd;
  (void)text;
  (void)n;
}

int main(int argc, char **argv) {
  bool all = getenv("VAPL_TEST_ALL") != NULL, ok = true;
  vapl_config k = {.size = sizeof k, .device = "host", .write = ignore, .max_seconds = 2};
  shown = argc > 1 && !strcmp(argv[1], "-v");
  if (vapl_open(&k, &apl)) return 1;
  run(all ? "n←400000 ⋄ N←20000" : "n←40000 ⋄ N←3000");
  for (size_t i = 0; i < sizeof setup / sizeof *setup; i++) run(setup[i]);
  ok = run_under(256);
  run(all ? "N←400000" : "N←30000");
  ok = ok && run_under(8192);
  vapl_close(apl);
  puts(ok ? "ok" : "failed");
  return !ok;
}
