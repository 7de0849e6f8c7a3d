/* SPDX-License-Identifier: MIT */
/* calls.c - what a scalar, a call, an append and a large result cost on the host.
 *
 *   calls [--only NAME]
 *
 * Nanoseconds of processor time of this thread for each unit of a row: a primitive, a call, an
 * append, an element. The least of several evaluations, since other programs only add to it. A
 * row that is run for n and for 4n shows whether its cost is linear: `growth` is the ratio of
 * the costs of a unit. */
#include "expr.h"

typedef struct row {
  const char *name;
  const char *before; /* run once; %d is the count */
  const char *text;   /* measured; likewise */
  int count;          /* units in it */
  bool grows;         /* also for 4×count */
} row;

/* A primitive costs what nine of them cost in a call less what one does, by eight. */
static const row rows[] = {
    {"call", "", "{⍵+1}⍣%d⊢0", 400000, false},
    {"call of 8", "", "{1+1-1+1-1+1-1+1-⍵}⍣%d⊢0", 100000, false},
    {"fib", "fib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}", "fib 24", 150049, false},
    {"each", "x←⍳%d", "{⍵×2.5}¨x", 200000, false},
    {"each names", "x←⍳%d", "{a←⍵×2 ⋄ b←a+1 ⋄ a-b}¨x", 100000, false},
    {"guarded tail", "f←{⍺=0:⍵ ⋄ (⍺-1)∇⍵+⍺}", "%d f 0", 200000, false},
    {"float call", "", "{⍵×1.0000001}⍣%d⊢1.5", 400000, false},
    {"each sort", "x←%d⍴⊂3 1 4 1 5", "{⍵[⍋⍵]}¨x", 50000, false},
    {"each number", "s←0 ⋄ x←⍳%d", "{s+←⍵ ⋄ ⍵}¨x", 100000, false},
    {"rows", "m←%d 5⍴⍳97", "{(+/⍵),⌈/⍵}⍤1⊢m", 50000, false},
    {"fold call", "x←⍳%d", "{⍺+⍵}/x", 200000, false},
    {":For", "_←⎕FX'r←lp n;i' ':For i :In ⍳n' ':EndFor' 'r←0'", "lp %d", 1000000, false},
    {":For x+←i", "_←⎕FX'x←lp n;i' 'x←0' ':For i :In ⍳n' 'x+←i' ':EndFor'", "lp %d",
     400000, false},
    {":While of 2", "_←⎕FX'x←lp n' 'x←0' ':While n>0' 'x←x+n' 'n←n-1' ':EndWhile'",
     "lp %d", 400000, false},
    {"∇ call", "_←⎕FX'r←f y' 'r←y+1' ⋄ _←⎕FX'r←lp n;i' ':For i :In ⍳n' 'r←f i' ':EndFor'",
     "lp %d", 200000, false},
    {"∇ each",
     "_←⎕FX'r←f n' 'r←0' ':While n≠1' ':If 0=2|n' 'n÷←2' ':Else' 'n←1+3×n' "
     "':EndIf' 'r+←1' ':EndWhile'",
     "f¨⍳%d", 20000, false},
    {"short vector", "", "{⍵+1 2 3}⍣%d⊢0 0 0", 200000, false},
    {"index", "x←⍳100", "{⍵+x[3]}⍣%d⊢0", 200000, false},
    {"x,←v", "", "{x←⍬ ⋄ {x,←⍵}¨⍳⍵}%d", 16000, true},
    {"r,←v inner", "r←⍬", "r←⍬ ⋄ {r,←⍵}¨⍳%d", 16000, true},
    {"r,←⊂v inner", "", "r←⍬ ⋄ {r,←⊂'ab'}¨⍳%d", 8000, true},
    {"v,⍨←⍵", "", "r←⍬ ⋄ {r,⍨←⍵}¨⍳%d", 16000, true},
    {"m⍪←row", "", "r←0 3⍴0 ⋄ {r⍪←⍵ 1 2}¨⍳%d", 8000, true},
    {"chain ⍵,", "", "{⍵,1}⍣%d⊢⍬", 16000, true},
    {"⍪⌿m", "x←%d 3⍴⍳9", "⍪⌿x", 16000, true},
    {",/ nested", "x←%d⍴⊂1 2 3", ",/x", 16000, true},
    {"⍪/ nested", "x←%d⍴⊂1 2 3", "⍪/x", 16000, true},
    {"fresh x+y", "x←⍳%d ⋄ y←0.5+x", "y+y", 2500000, true},
    {"take", "x←0.5+⍳%d", "1000000↑x", 2500000, true},
};

static vapl *apl;

/* Its elements are asked for, so that nothing of it is left to do; a nested array has them. */
static bool waits(vapl *v, vapl_array *result) {
  vapl_view seen = {.size = sizeof seen};
  if (vapl_info(result, &seen) != VAPL_OK || seen.type == VAPL_NESTED) return true;
  return vapl_map(v, result, VAPL_AS_IT_IS, &seen) == VAPL_OK;
}

static double processor(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds of a unit, of n of them; -1: the text is in error. */
static double cost(const row *r, int n) {
  char text[300];
  double best = 1e300, spent = 0;
  snprintf(text, sizeof text, r->before, n);
  if (!bench_run(apl, text, NULL)) return -1;
  snprintf(text, sizeof text, r->text, n);
  for (int i = 0; i < 3 || (i < 15 && spent < 1e9); i++) {
    double from = processor();
    if (!bench_run(apl, text, waits)) return -1;
    double took = processor() - from;
    spent += took;
    if (took < best) best = took;
    if (i == 0 && took > 3e9) break;
  }
  return best / n;
}

int main(int argc, char **argv) {
  bench_options o = {.device = "host"};
  if (!bench_parse(&o, argc, argv)) return 1;
  apl = bench_open(o.device);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    if (o.only && strcmp(o.only, r->name)) continue;
    double one = cost(r, r->count);
    printf("%s%*s%9.1f ns", r->name, 16 - bench_columns(r->name), "", one);
    if (r->grows) printf("   growth %.2f", cost(r, 4 * r->count) / one);
    printf("\n");
    fflush(stdout);
  }
  vapl_close(apl);
  return 0;
}
