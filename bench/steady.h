/* SPDX-License-Identifier: MIT */
/* steady.h - time that is worth quoting, for every benchmark that reads a device's clock.
 *
 * An idle GPU runs at a low clock and needs some tens of milliseconds of work to raise it, and
 * a shared one has slow phases. So a measurement repeats the work until a sample lasts about a
 * millisecond, goes on until two samples behind one another agree within 1 %, and takes its
 * samples from there. What has not settled after WARM_NS says so: `settled` is false, and the
 * row is printed with a mark. */
#ifndef VAPL_BENCH_STEADY_H
#define VAPL_BENCH_STEADY_H
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { STEADY_SAMPLES = 9 };
#define STEADY_SAMPLE_NS 1e6
#define STEADY_WARM_NS 3e8
#define STEADY_AGREE 0.01

/* Runs the work `repeat` times and returns the mean of a run in nanoseconds; below 0: failed. */
typedef double steady_run(void *user, int repeat);

typedef struct steady {
  double median, best; /* ns of one run */
  bool settled;        /* two warm-up samples agreed before the samples were taken */
  bool failed;
} steady;

static int steady_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static steady steady_time(steady_run *run, void *user) {
  steady r = {0};
  double first = run(user, 1), one = run(user, 1), spent = 0, last = 0;
  if (first < 0 || one < 0) {
    r.failed = true;
    return r;
  }
  int repeat = 1;
  if (one < STEADY_SAMPLE_NS) repeat = (int)(STEADY_SAMPLE_NS / fmax(one, 500)) + 1;
  while (!r.settled && spent < STEADY_WARM_NS) {
    one = run(user, repeat);
    if (one < 0) break;
    r.settled = last > 0 && fabs(one - last) <= STEADY_AGREE * last;
    last = one;
    spent += one * repeat;
  }
  double ns[STEADY_SAMPLES];
  for (int i = 0; i < STEADY_SAMPLES && one >= 0; i++) ns[i] = one = run(user, repeat);
  r.failed = one < 0;
  if (r.failed) return r;
  qsort(ns, STEADY_SAMPLES, sizeof *ns, steady_order);
  r.best = ns[0];
  r.median = ns[STEADY_SAMPLES / 2];
  return r;
}
#endif
