/* SPDX-License-Identifier: MIT */
/* test_interrupt.c - vapl_interrupt stops long evaluations soon, each primitive that may last.
 *
 *   test_interrupt [PATTERN]     (with one, rows that hold it, and all are told)
 *
 * A thread interrupts each expression after a while; then it must return within LATE seconds of
 * its own processor time, for other programs may run beside it, and so must the next statement. 10^6 elements, of which many
 * expressions are done before they are interrupted; VAPL_TEST_ALL=1 takes 10^7. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/vapl.h"

#define AFTER 0.03
#define NEVER 3
#if defined(__SANITIZE_ADDRESS__)
#define LATE 0.4 /* each access is looked at: twice the time */
#elif defined(__OPTIMIZE__)
#define LATE 0.2
#else
#define LATE 1.0 /* nothing is fast without optimisation */
#endif

static const char *const setup[] = {
    "⎕RL←42 ⋄ f←?N⍴0 ⋄ g←⌽f ⋄ i←?N⍴1000 ⋄ w←?N⍴2*30 ⋄ b←1=?N⍴2 ⋄ z←f+0J1×g ⋄ S←⌊N*0.5",
    "t←'the rains in spain stay '[?N⍴24] ⋄ cm←(S,S)⍴t ⋄ m←(S,S)⍴f ⋄ im←(S,S)⍴i ⋄ ix←?N⍴N",
    "u←f[⍋f] ⋄ W←(⌈N÷8)⍴(?(⌈N÷80)⍴7)↑¨⊂'abcdefg' ⋄ V←W,¨'x' ⋄ deep←{⍵ ⍵}⍣60⊢1 ⋄ k←?N⍴20",
    "long←(N÷4)⍴⊂1 2 ⋄ cells←(2,N÷2)⍴t"};

static const char *const rows[] = {"f+g",
                                   "f×g",
                                   "f÷g",
                                   "f*g",
                                   "f⍟2+g",
                                   "*f",
                                   "⍟f",
                                   "1○f",
                                   "!f",
                                   "2|w",
                                   "f|g",
                                   "⌊f×9",
                                   "w∧i",
                                   "w∨i",
                                   "i!20",
                                   "f<g",
                                   "f=g",
                                   "i+w",
                                   "z×z",
                                   "*z",
                                   "z÷z+1",
                                   "+/f",
                                   "×/1+f÷N",
                                   "⌈/f",
                                   "-/f",
                                   "÷/1+f",
                                   "+\\f",
                                   "×\\1+f÷N",
                                   "-\\i[⍳N⌊20000]",
                                   "≠\\b",
                                   "+/m",
                                   "+⌿m",
                                   "⌈\\m",
                                   "+.×⍨m",
                                   "m∨.∧m",
                                   "(⍳N)∘.,⍳2",
                                   "⎕FFT f",
                                   "⎕FFT⍣¯1⊢z",
                                   "f⌹⍉(2,N)⍴f,g*2",
                                   "m⌊.+m",
                                   "i∘.+2000↑i",
                                   "⍳N",
                                   "⍳S,S",
                                   "⍸b",
                                   "⍸2|im",
                                   "⌽f",
                                   "⊖m",
                                   "⍉m",
                                   "7⌽f",
                                   "(S⍴⍳S)⌽m",
                                   "f,g",
                                   "m⍪m",
                                   "N⍴1 2 3",
                                   "b/f",
                                   "k/f",
                                   "b\\(+/b)↑f",
                                   "b⊂f",
                                   "b⊆f",
                                   "f[ix]",
                                   "m[⌽⍳S;⍳S]",
                                   "f[⍋f]",
                                   "⍋f",
                                   "⍒w",
                                   "⍋t",
                                   "⍋cm",
                                   "⍋m",
                                   "⍋W",
                                   "⍋z",
                                   "⍋V",
                                   "'abcdefghijklmnopqrstuvwxyz '⍋cm",
                                   "∪f",
                                   "∪i",
                                   "∪w",
                                   "∪W",
                                   "∪V",
                                   "∪z",
                                   "≠f",
                                   "≠W",
                                   "f⍳g",
                                   "w⍳⌽w",
                                   "W⍳V",
                                   "w∊ix",
                                   "f∊g",
                                   "t∊'aeiou'",
                                   "V∊W",
                                   "f~g",
                                   "w∩ix",
                                   "w∪ix",
                                   "'rain'⍷t",
                                   "(2 3⍴t)⍷cm",
                                   "1 2⍷i",
                                   "(⊂'abc')⍷W",
                                   "(10000⍴0.5)⍷N⍴0.5",
                                   "(1000⍴1J1)⍷N⍴1J1",
                                   "(1000⍴b)⍷b",
                                   "⍋im",
                                   "⍋long",
                                   "k/b",
                                   "b\\(+/b)↑b",
                                   "⎕UCS 32768|w",
                                   "u⍸f",
                                   "N?N",
                                   "(N÷2)?N",
                                   "?N⍴100",
                                   "?N⍴0",
                                   "10 10 10⊤w",
                                   "(20⍴2)⊤w",
                                   "0 60 60⊤f",
                                   "10⊥(9,N÷9)⍴i",
                                   "2⊥b",
                                   "⍕f",
                                   "⍕i",
                                   "⍕W",
                                   "8 3⍕f",
                                   "'F8.3'⎕FMT f",
                                   "1⎕C t",
                                   "≡deep",
                                   "deep≡{⍵ ⍵}⍣60⊢1",
                                   "⍋deep deep 1 deep",
                                   "∊deep",
                                   "0⍴⊂deep",
                                   "1⎕C deep",
                                   "deep=deep",
                                   "⎕FMT deep",
                                   "∪6⍴⊂deep",
                                   "∪↓(2,⍨N÷8)⍴f",
                                   "≠1+f×1E¯11",
                                   "z⍳⌽z",
                                   "⍕deep",
                                   "≡W",
                                   "W≡V",
                                   "f≡u",
                                   "⊂⍤1⊢m",
                                   "↓m",
                                   "↑W",
                                   "∊W",
                                   "∊long",
                                   "⊃,/W",
                                   "≢¨W",
                                   "⌽¨W",
                                   "{⍵+1}¨i",
                                   "{≢⍵}⌸i",
                                   "{⊂⍵}⌸k",
                                   "i{+/⍵}⌸f",
                                   "W{≢⍵}⌸⍳≢W",
                                   "{+/,⍵}⌺3⊢f",
                                   "{⌈/,⍵}⌺3 3⊢m",
                                   "{⍵[⍋⍵]}⍤1⊢m",
                                   "+/¨long",
                                   "{⍵×2}⍣1000⊢f",
                                   "⌹(1000⌊S)↑[1](1000⌊S)↑[2]m",
                                   "⎕UCS t",
                                   "⎕DR f",
                                   "⎕JSON W",
                                   "2+/f",
                                   "9⌈/f",
                                   "cells∧.=⍉cells[;⍳2000]",
                                   "{⍺+⍵}/i",
                                   "{⍺+⍵}\\i",
                                   "i⌷⍨⊂ix",
                                   "⍸,200×N",
                                   "(¯1,200×N)/1 0",
                                   "+/○⍳200×N",
                                   "○○⍳30×N",
                                   "⎕JSON 1 ⎕JSON f",
                                   "⎕JSON 1 ⎕JSON W,0",
                                   "⎕JSON 1⌽'][',N⍴'{\"a\":1},'",
                                   "1 ⎕JSON t",
                                   "1 ⎕JSON m[⍳10;],N",
                                   "⎕VFI N⍴'12 '",
                                   "1 ⎕C(10×N)⍴t",
                                   "¯3 ⎕C W",
                                   "↑((40×N)⍴0)(1 2)",
                                   "≢∪(10×N)⍴0",
                                   "≢∪?N⍴0",
                                   "(10×N)⍴⊂1 2",
                                   "⎕FMT m",
                                   "⍕m",
                                   "⍕z",
                                   "⍕b",
                                   "⍕cm",
                                   "⎕FMT t",
                                   "'I6,F8.2'⎕FMT(⍪i),f",
                                   "⎕CSV(N⍴'1,2',⎕UCS 10)'S'",
                                   "⎕CSV(N⍴'ab,c',⎕UCS 10)'S'",
                                   "⎕CSV(N⍴'\"ab\"\",')'S'",
                                   "⎕CSV(N⍴'1,')'S' 4",
                                   "(⍪f)⎕CSV ''",
                                   "'UTF-8'⎕UCS(4×N)⍴t",
                                   "'UTF-16'⎕UCS(4×N)⍴t",
                                   "'UTF-8'⎕UCS(4×N)⍴65",
                                   "11 ⎕DR f",
                                   "83 ⎕DR f",
                                   "0 645 ⎕DR i",
                                   "60 ⎕DT i",
                                   "⎕SIZE'W'",
                                   "⎕SIZE↑'deep' 'W'",
                                   "2 9(219⌶)¯128+256|w",
                                   "¯2(219⌶)2⊃2 1(219⌶)N⍴0",
                                   "1(220⌶)W",
                                   "0(220⌶)1(220⌶)f",
                                   "⎕AF 128|w",
                                   "'a'⎕R'bb'⊢t",
                                   "'[a-e]+'⎕S 0 1⊢t",
                                   "'(a+)+$'⎕R'x'⊢(100⍴'a'),'b'",
                                   "'(a|aa)+$'⎕S 0⊢(N⍴'a'),'b'"};

static vapl *apl;
static pthread_t evaluator;
static double interrupted; /* when, in seconds of the evaluator's work; 0: not yet */

static double work_done(void) {
  clockid_t id;
  struct timespec t;
  if (pthread_getcpuclockid(evaluator, &id)) id = CLOCK_PROCESS_CPUTIME_ID;
  clock_gettime(id, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Interrupts AFTER seconds of work; ends the process when that has no effect for long. */
static void *interrupter(void *text) {
  double from = work_done();
  for (;;) {
    struct timespec t = {0, 2000000};
    nanosleep(&t, NULL);
    double now = work_done();
    if (!(interrupted > 0) && now > from + AFTER) {
      vapl_interrupt(apl); /* first, for this thread may have to wait between the two */
      interrupted = work_done();
    }
    if (interrupted > 0 && now > interrupted + NEVER) {
      printf("LATE   never   %s\n", (const char *)text);
      fflush(stdout);
      _exit(1);
    }
  }
  return NULL;
}

/* Is the row done, or stopped in time? In a process of its own. */
static int row(const char *text, int shown) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  if (child) return child > 0 && waitpid(child, &status, 0) == child && !status;
  pthread_t thread;
  vapl_array *r = NULL;
  char *copy = strdup(text);
  evaluator = pthread_self();
  if (!copy || pthread_create(&thread, NULL, interrupter, copy)) _exit(1);
  bool done = vapl_eval(apl, text, VAPL_STRLEN, NULL, &r) == VAPL_OK;
  double late = interrupted > 0 ? work_done() - interrupted : 0;
  const vapl_error *e = vapl_last_error(apl);
  double from = work_done();
  if (!done && late <= LATE && vapl_eval(apl, "1", VAPL_STRLEN, NULL, NULL) == VAPL_OK)
    late = work_done() - from; /* what was stopped is not done by the next statement */
  if (shown || late > LATE)
    printf("%s %6.3f s  %s: %s\n", late > LATE ? "LATE" : "    ", late, text,
           done || !e ? "done" : e->name);
  fflush(stdout);
  _exit(late > LATE);
}

int main(int argc, char **argv) {
  int n = getenv("VAPL_TEST_ALL") ? 10000000 : 1000000, late = 0;
  vapl_config cfg = {.size = sizeof cfg, .device = "host", .threads = 1};
  char text[100];
  if (vapl_open(&cfg, &apl) != VAPL_OK) return 1;
  snprintf(text, sizeof text, "N←%d", n);
  vapl_eval(apl, text, VAPL_STRLEN, NULL, NULL);
  for (size_t i = 0; i < sizeof setup / sizeof *setup; i++)
    if (vapl_eval(apl, setup[i], VAPL_STRLEN, NULL, NULL) != VAPL_OK) {
      printf("%s: %s\n", setup[i], vapl_last_error(apl)->message);
      return 1;
    }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (argc < 2 || strstr(rows[i], argv[1])) late += !row(rows[i], argc > 1);
  printf("%zu expressions, %d answered too late\n", sizeof rows / sizeof *rows, late);
  vapl_close(apl);
  return late != 0;
}
