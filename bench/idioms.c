/* SPDX-License-Identifier: MIT */
/* idioms.c - what people write, whole expressions: wall time and how near to their floor.
 *
 *   idioms [--device D] [--min LOG2] [--max LOG2] [--types f32,f64]
 *
 * Each row is an expression as a user types it, its text read and its result waited for every
 * time. The floor is the number of arrays of n elements that must be read and written, argued
 * in the table; GB/s is that traffic over the median wall time. The last column compares it
 * with the sum of the same array in the same run, which reads it once and writes nothing.
 * bench/idioms.py runs the same rows in PyTorch, where it is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/vapl.h"

typedef struct idiom {
  const char *name, *text;
  int moves; /* arrays of n elements, read or written */
  const char *why;
} idiom;

/* m is a matrix of the elements of x, √n by √n as nearly as powers of two allow. */
static const idiom idioms[] = {
    {"sum", "+/x", 1, "read"},
    {"mean", "(+/x)÷≢x", 1, "read"},
    {"norm", "(+/x*2)*0.5", 1, "read"},
    {"dot", "+/x×y", 2, "read both"},
    {"distance", "(+/(x-y)*2)*0.5", 2, "read both"},
    {"min max sum", "z←(⌊/x)(⌈/x)(+/x)", 1, "read once for all three"},
    {"cosine", "(+/x×y)÷((+/x×x)×+/y×y)*0.5", 2, "read both once for all three"},
    {"covariance", "((+/x×y)÷≢x)-((+/x)÷≢x)×(+/y)÷≢y", 2, "read both once for all three"},
    {"variance", "{m←(+/⍵)÷≢⍵ ⋄ (+/(⍵-m)*2)÷≢⍵}x", 2,
     "the mean must be known: read twice"},
    {"normalise", "z←{d←⍵-(+/⍵)÷≢⍵ ⋄ d÷((+/d*2)÷≢⍵)*0.5}x", 4,
     "the mean, then the deviation must be known: read three times, write"},
    {"softmax", "z←{e←*⍵-⌈/⍵ ⋄ e÷+/e}x", 4,
     "the maximum, then the sum must be known: read three times, write"},
    {"row sums", "z←+/m", 1, "read"},
    {"column sums", "z←+⌿m", 1, "read"},
    {"row softmax", "z←{e←*⍵-[1]⌈/⍵ ⋄ e÷[1]+/e}m", 4, "as softmax"},
    {"centre columns", "z←m-[2](+⌿m)÷≢m", 3, "read twice, write"},
};

static vapl *apl;

static void run(const char *text) {
  if (vapl_eval(apl, text, VAPL_STRLEN, NULL, NULL) == VAPL_OK) return;
  const vapl_error *e = vapl_last_error(apl);
  fprintf(stderr, "idioms: %s: %s\n", text, e ? e->message : "?");
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median seconds of one evaluation, after a warm-up of 60 ms, for an idle GPU's clock is low. */
static double seconds(const char *text) {
  enum { MOST = 101 };
  double t[MOST], start = now();
  int n = 0;
  do run(text);
  while (now() - start < 0.06);
  for (start = now(); n < 5 || (n < MOST && now() - start < 0.25); n++) {
    double from = now();
    run(text);
    t[n] = now() - from;
  }
  qsort(t, (size_t)n, sizeof *t, by_value);
  return t[n / 2];
}

static void all_of(const char *type, int log2) {
  char text[200];
  double bytes = (type[1] == '3' ? 4.0 : 8.0) * (double)(1ll << log2), sum = 0;
  snprintf(text, sizeof text, "x←%s0.5+(⍳2*%d)÷2*%d", type[1] == '3' ? "⎕F32 " : "", log2,
           log2);
  run(text);
  run("y←⌽x ⋄ y←y+x-x");
  snprintf(text, sizeof text, "m←(2*%d %d)⍴x", log2 / 2, log2 - log2 / 2);
  run(text);
  for (size_t i = 0; i < sizeof idioms / sizeof *idioms; i++) {
    double s = seconds(idioms[i].text), rate = idioms[i].moves * bytes / s * 1e-9;
    if (!i) sum = rate;
    printf("%s\t%d\t%-14s\t%10.1f µs\t%8.1f GB/s\t%5.2f\n", type, log2, idioms[i].name,
           s * 1e6, rate, rate / sum);
    fflush(stdout);
  }
  run("x←y←m←z←0");
}

static int columns(const char *utf8) {
  int n = 0;
  for (; *utf8; utf8++) n += (*utf8 & 0xC0) != 0x80;
  return n;
}

static int unknown(const char *option) {
  fprintf(stderr,
          "idioms: %s: no such option, or without its value; bench/idioms.c tells them\n",
          option);
  return 2;
}

int main(int argc, char **argv) {
  vapl_config cfg = {.size = sizeof cfg};
  const char *types = "f32,f64";
  int min = 10, max = 24;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return unknown(argv[i]);
    else if (!strcmp(argv[i], "--device")) cfg.device = argv[i + 1];
    else if (!strcmp(argv[i], "--types")) types = argv[i + 1];
    else if (!strcmp(argv[i], "--min")) min = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--max")) max = atoi(argv[i + 1]);
    else return unknown(argv[i]);
  }
  if (vapl_open(&cfg, &apl) != VAPL_OK)
    return fprintf(stderr, "idioms: no such device\n"), 1;
  for (size_t i = 0; i < sizeof idioms / sizeof *idioms; i++)
    printf("# %-14s %s%*s floor %d: %s\n", idioms[i].name, idioms[i].text,
           48 - columns(idioms[i].text), "", idioms[i].moves, idioms[i].why);
  for (int log2 = min; log2 <= max; log2 += log2 < 20 ? 5 : 4) {
    if (strstr(types, "f32")) all_of("f32", log2);
    if (strstr(types, "f64")) all_of("f64", log2);
  }
  vapl_close(apl);
  return 0;
}
