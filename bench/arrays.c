/* SPDX-License-Identifier: MIT */
/* arrays.c - nanoseconds a call of expressions that it reads, for bench/arrays.py, which asks
 * for those of NumPy beside them.
 *
 *   arrays [--device D]
 *
 * A line that begins with a colon is evaluated, any other one timed and answered by a line: the
 * least of the medians of a few batches, the call of a function with nothing in it taken off.
 * NaN: an error. The result is waited for, on the host or the device. */
#include "expr.h"
#include "runtime/api.h"
#include "src/eval/run/call.h"
#include "src/ir/exec.h"

enum { BATCHES = 5, LINE = 4096 };

/* Processor time, since other programs may run beside it; wall time if WALL is set in the environment. */
static clockid_t clock_used = CLOCK_PROCESS_CPUTIME_ID;

static double seconds(void) {
  struct timespec t;
  clock_gettime(clock_used, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The value of the function of that name, called as the steps of a dfn call it, is waited for. */
static bool once(vm *m, fn *f, arr *zero) {
  arr *r = call1(m, f, zero);
  bool ok = r && ir_settle(m->g, r);
  arr_release(r);
  return ok;
}

/* Nanoseconds of one call: the least of the batches' means. */
static double nanoseconds(vm *m, const char *name, arr *zero) {
  fn *f = sym_find(m, name, strlen(name))->val.f;
  double best = INFINITY, first = seconds();
  stack_enter(m->c);
  if (!once(m, f, zero)) return NAN;
  first = seconds() - first;
  int most = first > 1 ? 0 : first > 0.2 ? 1 : BATCHES;
  if (!most) return first * 1e9;
  for (int i = 0; i < most; i++) {
    int n = 0;
    double start = seconds(), now;
    do {
      for (int k = 0; k < 8; k++, n++)
        if (!once(m, f, zero)) return NAN;
      now = seconds();
    } while (now - start < 0.02 && first < 0.01);
    best = fmin(best, (now - start) / n);
  }
  return best * 1e9;
}

int main(int argc, char **argv) {
  bench_options o = {0};
  static char line[LINE], text[LINE + 8];
  if (!bench_parse(&o, argc, argv)) return 2;
  vapl *apl = bench_open(o.device ? o.device : "host");
  bench_run(apl, "EMPTY←{0}", NULL);
  arr *zero = arr_int(apl->m->c, 0);
  const char *middle = getenv("MIDDLE"); /* tune.middle, to find crossovers */
  if (middle) apl->m->g->tune.middle = atoll(middle);
  if (getenv("WALL")) clock_used = CLOCK_MONOTONIC;
  double call =
      INFINITY; /* of the function with nothing in it: the least that was seen */
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == ':') {
      bench_run(apl, line + 1, NULL);
      continue;
    }
    snprintf(text, sizeof text, "ROW←{%s}", line);
    double ns = NAN;
    call = fmin(call, nanoseconds(apl->m, "EMPTY", zero));
    if (bench_run(apl, text, NULL)) ns = nanoseconds(apl->m, "ROW", zero) - call;
    printf("%.1f\n", ns);
    fflush(stdout);
  }
  arr_release(zero);
  vapl_close(apl);
  return 0;
}
