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
#include "expr.h"

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
  if (!bench_run(apl, text, NULL)) exit(1);
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
    double s = bench_seconds(apl, idioms[i].text, NULL),
           rate = idioms[i].moves * bytes / s * 1e-9;
    if (!i) sum = rate;
    printf("%s\t%d\t%-14s\t%10.1f µs\t%8.1f GB/s\t%5.2f\n", type, log2, idioms[i].name,
           s * 1e6, rate, rate / sum);
    fflush(stdout);
  }
  run("x←y←m←z←0");
}

int main(int argc, char **argv) {
  bench_options o = {.types = "f32,f64", .min = 10, .max = 24};
  if (!bench_parse(&o, argc, argv)) return 2;
  apl = bench_open(o.device);
  for (size_t i = 0; i < sizeof idioms / sizeof *idioms; i++)
    printf("# %-14s %s%*s floor %d: %s\n", idioms[i].name, idioms[i].text,
           48 - bench_columns(idioms[i].text), "", idioms[i].moves, idioms[i].why);
  for (int log2 = o.min; log2 <= o.max; log2 += log2 < 20 ? 5 : 4) {
    if (strstr(o.types, "f32")) all_of("f32", log2);
    if (strstr(o.types, "f64")) all_of("f64", log2);
  }
  vapl_close(apl);
  return 0;
}
