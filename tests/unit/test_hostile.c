/* SPDX-License-Identifier: MIT */
/* test_hostile.c - programs that want all there is, under limits of memory and time.
 *
 *   test_hostile [PATTERN]     (with one, programs that hold it, and all are told)
 *
 * Each runs in a process of its own and may end as it likes; but what is resident stays below
 * 1.1 times the limit, and its processor time below 1.2 times the limit of time (processor time,
 * for other programs may run beside it). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/vapl.h"

enum { MEMORY = 256 << 20 };
#define SECONDS 2.0
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
enum { MEASURES = false }; /* a sanitizer has memory of its own, and all is slower */
#else
enum { MEASURES = true };
#endif

static char folder[] = "/tmp/vapl-hostile.XXXXXX";

/* F is a file's name in a folder of the test's own. */
static const char *const programs[] = {
    "⎕JSON '[',(20000000⍴'1,'),'1]'",
    "⎕JSON '[',(¯1↓15000000⍴'{},'),']'",
    "⎕JSON '[',(¯1↓20000000⍴'\"a\",'),']'",
    "(⎕JSON⍠'Format' 'M')'[',(10000000⍴'1,'),'1]'",
    "⎕JSON '{',(1↓∊{',\"k',(⍕⍵),'\":1'}¨⍳200000),'}'",
    "1 ⎕JSON 20000000⍴1.5",
    "(2⍴⊂'P5 30000 30000 255 x')⎕NPUT F 1 ⋄ ⎕IMG F",
    "(12000 12000⍴⍳255)⎕IMG F,'.png'",
    "x←⍳¨3000000⍴3 ⋄ x←(3000000⍴1,63⍴0)/x ⋄ y←25000000⍴0.5",
    "x←{⍵⍴'x'}¨1000000⍴100 ⋄ x←0 ⋄ y←{⍵⍴'x'}¨300000⍴500 ⋄ y←0 ⋄ z←30000000⍴0.5 ⋄ z←z+1",
    "⍬{∇⍨⍺,⊂⍳10}0",
    "x←1 ⋄ {x,←x ⋄ ∇⍵}0",
    "s←'' ⋄ {s,←1000⍴'abc' ⋄ ∇⍵}0",
    "⍋?10000000⍴0",
    "∪?20000000⍴0",
    "(?10000000⍴0)⍳?10000000⍴0",
    "∘.+⍨⍳10000",
    "1E10⍴0",
    "↑⍳¨10000⍴10000",
    "⍕?3000000⍴0",
    "⎕FMT ?2000 2000⍴0",
    "'F20.10'⎕FMT ?3000000⍴0",
    "'(a|aa)+$'⎕S 0⊢(1000000⍴'a'),'b'",
    "'x'⎕R(1000⍴'abc')⊢1000000⍴'x'",
    "('.'⎕S'&')10000000⍴'abc'",
    "⎕CSV(20000000⍴'1,2,ab',⎕UCS 10)'S' 4",
    "⎕CSV(20000000⍴'\"ab\"\",')'S'",
    "(60000000⍴'abc ')⎕NPUT F 1 ⋄ ⎕NGET F 1",
    "⎕VFI 30000000⍴'1 '",
    "1 ⎕C 200000000⍴'abc'",
    "'UTF-8'⎕UCS 60000000⍴'é'",
    "{⍵+1}¨⍳20000000",
    "{⍺⍵}⌸?4000000⍴1000000",
    ",⍨⍣30⊢1",
    "⊂⍣1000000⊢1",
    "⍎30000000⍴'1 '",
    "⎕FIX 500000⍴⊂'x←1 2 3'",
    "f←{1+f 1+⍵} ⋄ f 0",
    "⍕{⍵ ⍵}⍣25⊢1",
    "1+{⍵ ⍵}⍣28⊢1",
    "⎕NS¨300000⍴⊂''",
    "{⍎'v',(⍕⍵),'←⍳100'}¨⍳300000",
    "30000000?30000000",
    "60 ⎕DT⍳5000000",
    "↑3 3⍴⊂20000000⍴'x'",
    "(⎕NS ⍬).x←10000000⍴⊂1 2 3"};

static bool run(vapl *v, const char *text) {
  return vapl_eval(v, text, VAPL_STRLEN, NULL, NULL) == VAPL_OK;
}

/* In a process of its own. */
static void child(const char *text) {
  vapl_config cfg = {.size = sizeof cfg,
                     .device = "host",
                     .threads = 2,
                     .may = VAPL_MAY_READ | VAPL_MAY_WRITE,
                     .max_host_bytes = MEMORY,
                     .max_seconds = SECONDS};
  vapl *v;
  char name[100];
  if (vapl_open(&cfg, &v) != VAPL_OK) _exit(1);
  snprintf(name, sizeof name, "F←'%s/f'", folder);
  bool ok = run(v, name);
  run(v, text);
  vapl_close(v);
  _exit(!ok);
}

static double seconds_of(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static bool tame(const char *text, bool shown) {
  struct rusage used;
  int status;
  fflush(stdout);
  pid_t id = fork();
  if (!id) child(text);
  if (id < 0 || wait4(id, &status, 0, &used) != id) return false;
  double bytes = (double)used.ru_maxrss * 1024;
  double seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  bool fits = bytes <= 1.1 * MEMORY && seconds <= 2 * 1.2 * SECONDS; /* two threads */
  bool ok = !status && (fits || !MEASURES);
  if (shown || !ok)
    printf("%s %4.0f MiB %5.2f s  %s\n", ok ? "    " : "WILD", bytes / (1 << 20), seconds,
           text);
  return ok;
}

int main(int argc, char **argv) {
  int wild = 0;
  char command[100];
  if (!mkdtemp(folder)) return 1;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    if (argc < 2 || strstr(programs[i], argv[1])) wild += !tame(programs[i], argc > 1);
  printf("%zu programs, %d took more than they may\n", sizeof programs / sizeof *programs,
         wild);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command)) wild++;
  return wild != 0;
}
