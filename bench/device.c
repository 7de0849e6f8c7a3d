/* SPDX-License-Identifier: MIT */
/* device.c - every kind of primitive on one device: wall time, and which side did the work.
 *
 *   device [--device D] [--min LOG2] [--max LOG2] [--only NAME] [--rows FILE [--most LOG2]]
 *
 * Each row is an expression as a user types it, on arrays of N = 2*LOG2 elements that earlier
 * lines made: its text is read, and its result waited for, every time. What it prints of a row,
 * tab-separated: LOG2, the name, median wall time in µs, GB/s, kernels of one run on the host and
 * on the device (a row that the host computes without a kernel has none), and the device's own
 * time in µs. GB/s is over the bytes that an element of N must be read and written, argued in the
 * table; a row from a file has none. bench/device.py runs the same rows in PyTorch, CuPy and JAX,
 * where they are installed.
 *
 * --rows takes the rows from a file instead, bench/rows.txt for one:
 *
 *   # a comment
 *   : x←?N⍴0 ⋄ m←(SIDE,N÷SIDE)⍴x     a line that is run when it is reached
 *   sum<TAB>+/x                      a row: its name, its expression
 *   ! 7                              what follows has arrays of N×2*7 elements: the file ends
 *                                    here where these are more than --most allows (2*28)
 *
 * LOG2, N and SIDE (2*⌊LOG2÷2) are variables. A line in error says so, and the next one runs. */
#include "expr.h"

/* What the rows read. */
static const char *const setup[] = {
    "⎕RL←42",
    "x←?N⍴0",
    "y←?N⍴0",
    "f←⎕F32 x",
    "k←?N⍴1000",
    "i←?N⍴N",
    "j←(i×0)+1+N|⌽(⍳N)×7",
    "b←x>0.5",
    "m←(SIDE,N÷SIDE)⍴x",
    "q←(SIDE,N÷SIDE)⍴f",
    "r←?SIDE⍴SIDE",
    "c←(((⍳SIDE)÷SIDE÷3)-2)∘.+0J1×((⍳SIDE)÷SIDE÷3)-1.5",
    ("steps←{x←⍺ ⋄ y←⍵ ⋄ {(re im n)←⍵ ⋄ n=32:n ⋄ 4<(re×re)+im×im:n ⋄ "
     "∇(x+(re×re)-im×im)(y+2×re×im)(n+1)}0 0 0}"),
    "v←x",
    "h←1000⍴0",
    "t←N⍴'the quick brown fox jumps over the lazy dog and goes home '",
    "cdf←{÷1+*-⍵×1.5976+0.07056×⍵×⍵}",
    "bs←{s←50+100×⍵ ⋄ d←((⍟s÷100)+0.07)÷0.3 ⋄ (s×cdf d)-95×cdf d-0.3}",
};

typedef struct row {
  const char *name, *text;
  double bytes; /* an element of n; 0: no floor is given */
  const char *why;
} row;

static const row rows[] = {
    {"map", "x+y×2", 24, "read both, write"},
    {"sum", "+/x", 8, "read"},
    {"scan", "+\\x", 16, "read, write"},
    {"random", "?N⍴0", 8, "write"},
    {"random integers", "?N⍴1000", 2, "write"},
    {"random sum", "+/?N⍴0", 0, ""},
    {"select computed", "(x>0.5)/x", 12, "read, write half"},
    {"select", "b/x", 12.125, "read the mask and all, write half"},
    {"select f32", "b/f", 6.125, "likewise"},
    {"masked sum", "+/b/k", 2.125, "read both"},
    {"where", "⍸b", 2.125, "read the mask, write half as i32"},
    {"gather", "x[i]", 20, "read the indices and as many, write"},
    {"gather f32", "f[i]", 12, "likewise"},
    {"gather rows", "q[r;]", 8, "read, write"},
    {"scatter", "v[j]←x", 20, "read the indices and all, write"},
    {"histogram", "h[k]+←1", 2, "read"},
    {"amend", "0@(⍳1000)⊢x", 16, "read, write"},
    {"one element", "v[77]←5", 0, ""},
    {"reverse", "⌽x", 16, "read, write"},
    {"rotate", "1⌽x", 16, "read, write"},
    {"rotate columns", "7⊖m", 16, "read, write"},
    {"catenate", "x,y", 32, "read both, write both"},
    {"catenate columns", "m,m", 24, "read once, write twice"},
    {"take with fill", "(N+10)↑x", 16, "read, write"},
    {"transpose", "⍉m", 16, "read, write"},
    {"transpose f32", "⍉q", 8, "read, write"},
    {"replicate", "(N⍴1 2 0)/x", 16.125, "read, write"},
    {"replicate rows", "b[⍳SIDE]⌿m", 12, "read half, write half"},
    {"convert", "⎕F32 x", 12, "read, write"},
    {"case", "1⎕C t", 2, "read, write"},
    {"count words", "+/' '=t", 1, "read"},
    {"find text", "+/'the'⍷t", 1, "read"},
    {"difference", "2-/x", 16, "read, write"},
    {"encode", "(4⍴10)⊤k", 6, "read, write four"},
    {"decode", "1 2 3⊥⍤1⊢x∘.*0 1 2", 16, "read, write"},
    {"gcd", "k∨1000", 4, "read, write"},
    {"row softmax", "{(*⍵)÷+/*⍵}⍤1⊢q", 8, "read, write: a row fits a workgroup"},
    {"row sums each", "+/¨↓m", 8, "read"},
    {"row centre", "{⍵-(+/⍵)÷≢⍵}⍤1⊢q", 8, "read, write"},
    {"stencil", "({+/,⍵}⌺3 3)q", 8, "read, write"},
    {"each", "{⍵>0.5:⍵×2 ⋄ ⍵÷2}¨x", 16, "read, write"},
    {"outer", "(SIDE↑x)∘.×SIDE↑y", 8, "write"},
    {"Black-Scholes", "bs x", 16, "read, write"},
    {"normalise", "{d←⍵-(+/⍵)÷≢⍵ ⋄ d÷((+/d*2)÷≢⍵)*0.5}f", 16, "read three times, write"},
    {"Mandelbrot", "(⊣/9○c)∘.steps 11○c[1;]", 0, ""},
    {"complex map", "c+c×c", 32, "read, write"},
    {"argmax", "x⍳⌈/x", 8, "read"},
    {"affine fold", "{⍺+0.5×⍵}/x", 8, "read"},
    {"partition sums", "+/¨b⊂x", 12, "read, write half"},
    {"unique", "∪k", 2, "read"},
    {"member", "k∊⍳100", 2.125, "read, write bits"},
    {"lookup", "(⍳1000)⍳k", 4, "read, write"},
    {"count by key", "{≢⍵}⌸k", 2, "read"},
    {"sum by key", "k{+/⍵}⌸x", 10, "read both"},
    {"grade f64", "⍋x", 0, ""},
    {"grade i16", "⍋k", 0, ""},
    {"grade f32", "⍋f", 0, ""},
    {"grade matrix", "⍋m[;⍳4]", 0, ""},
    {"sort f64", "{⍵[⍋⍵]}x", 0, ""},
    {"sort f32", "{⍵[⍋⍵]}f", 0, ""},
    {"sort i32", "{⍵[⍋⍵]}i", 0, ""},
    {"sort i16", "{⍵[⍋⍵]}k", 0, ""},
    {"sort bits", "{⍵[⍋⍵]}b", 0.25, "read, write"},
    {"sort rows", "{⍵[⍋⍵]}⍤1⊢m", 0, ""},
    {"product 512", "(512 512⍴x)+.×512 512⍴y", 0, ""},
    {"product", "m+.×⍉m", 0, ""},
    {"product f32", "q+.×⍉q", 0, ""},
    {"product f32 fast", "q(+.×⍠'Fast' 1)⍉q", 0, ""},
    {"product by vector", "q+.×q[1;]", 4, "read"},
    {"shortest ways", "q⌊.+⍉q", 0, ""},
};
enum { ROWS = sizeof rows / sizeof *rows, LINES = sizeof setup / sizeof *setup };

static bool matches(const bench_options *o, const char *name) {
  return !o->only || strstr(name, o->only);
}

/* As ]time does: the value is computed, and the device has ended. */
static bool settle(vapl *apl, vapl_array *r) {
  ir_reading end;
  return ir_settle(apl->m->g, r->a) && ir_read(apl->m->g, &end);
}

/* What one evaluation took of both sides. */
static bool read_one(vapl *apl, const char *text, ir_reading *run) {
  ir *g = apl->m->g;
  ir_reading was, is;
  ir_meter(g, true);
  bool ok = ir_read(g, &was) && bench_run(apl, text, settle) && ir_read(g, &is);
  ir_meter(g, false);
  if (ok) *run = ir_since(&is, &was);
  return ok;
}

static void time_row(vapl *apl, const row *r, int log2) {
  ir_reading run;
  double s = bench_seconds(apl, r->text, settle);
  printf("%d\t%-17s\t", log2, r->name);
  if (isnan(s) || !read_one(apl, r->text, &run)) {
    printf("%s\n", vapl_last_error(apl)->name);
  } else {
    printf("%11.1f\t", s * 1e6);
    if (r->bytes > 0) printf("%7.1f", r->bytes * (double)(1ll << log2) / s * 1e-9);
    printf("\t%llu\t%llu\t%.1f\n", (unsigned long long)run.kernels[0],
           (unsigned long long)run.kernels[1], run.device_ns * 1e-3);
  }
  fflush(stdout);
}

/* The words for sizes, as variables. */
static bool name_sizes(vapl *apl, int log2) {
  char text[100];
  snprintf(text, sizeof text, "LOG2←%d ⋄ N←%lld ⋄ SIDE←%lld", log2, 1ll << log2,
           1ll << log2 / 2);
  return bench_run(apl, text, NULL);
}

static bool own_rows(vapl *apl, const bench_options *o, int log2) {
  for (int i = 0; i < LINES; i++)
    if (!bench_run(apl, setup[i], settle)) return false;
  for (int i = 0; i < ROWS; i++)
    if (matches(o, rows[i].name)) time_row(apl, &rows[i], log2);
  return true;
}

/* A line of a file; false: the file ends here. */
static bool file_line(vapl *apl, const bench_options *o, char *line, int log2) {
  char *tab = strchr(line, '\t');
  line[strcspn(line, "\r\n")] = 0;
  if (*line == '!') return log2 + atoi(line + 1) <= o->most;
  if (*line == ':') bench_run(apl, line + 1, settle);
  else if (tab && *line != '#') {
    *tab = 0;
    if (matches(o, line)) time_row(apl, &(row){.name = line, .text = tab + 1}, log2);
  }
  return true;
}

static bool file_rows(vapl *apl, const bench_options *o, int log2) {
  static char line[1 << 16];
  FILE *f = fopen(o->rows, "r");
  if (!f) return perror(o->rows), false;
  while (fgets(line, sizeof line, f) && file_line(apl, o, line, log2)) {}
  fclose(f);
  return true;
}

int main(int argc, char **argv) {
  bench_options o = {.min = 24, .max = 24, .most = 28};
  if (!bench_parse(&o, argc, argv)) return 2;
  vapl *apl = bench_open(o.device);
  for (int i = 0; i < ROWS && !o.rows; i++)
    if (matches(&o, rows[i].name))
      printf("# %-17s %s%*s %s\n", rows[i].name, rows[i].text,
             44 - bench_columns(rows[i].text), "", rows[i].why);
  printf("# log2\trow\tµs\tGB/s\thost\tdevice\tdevice µs\n");
  bool ok = true;
  for (int log2 = o.min; log2 <= o.max && ok; log2 += 2)
    ok = name_sizes(apl, log2) &&
         (o.rows ? file_rows(apl, &o, log2) : own_rows(apl, &o, log2));
  vapl_close(apl);
  return !ok;
}
