/* SPDX-License-Identifier: MIT */
/* steady.c - warm up until two samples agree, then the median and the best of some. */
#include "steady.h"

#include <math.h>
#include <stdlib.h>

static int in_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double steady_median(double *ns, int samples) {
  qsort(ns, (size_t)samples, sizeof *ns, in_order);
  return ns[samples / 2];
}

steady steady_samples(steady_run *run, void *user, const steady_how *how) {
  steady r = {0};
  double ns[STEADY_MOST], one = run(user, 1), spent = one, last = 0;
  int repeat = 1;
  if (one >= 0 && how->sample_ns > 0)
    one = run(user, 1); /* the first one may make pipelines */
  if (one >= 0 && one < how->sample_ns)
    repeat = (int)(how->sample_ns / fmax(one, 500)) + 1;
  while (one >= 0 && !r.settled && spent < how->least_ns + STEADY_WARM_NS) {
    one = run(user, repeat);
    spent += one * repeat;
    r.settled = spent >= how->least_ns && fabs(one - last) <= STEADY_AGREE * last;
    last = one;
  }
  for (int i = 0; i < how->samples && one >= 0; i++) ns[i] = one = run(user, repeat);
  r.failed = one < 0;
  if (r.failed) return r;
  r.median = steady_median(ns, how->samples);
  r.best = ns[0];
  return r;
}

steady steady_time(steady_run *run, void *user) {
  const steady_how how = {STEADY_SAMPLES, STEADY_SAMPLE_NS, STEADY_LEAST_NS};
  return steady_samples(run, user, &how);
}

void steady_wake(steady_run *run, void *user) {
  const steady_how how = {1, STEADY_SAMPLE_NS, STEADY_WAKE_NS};
  (void)steady_samples(run, user, &how);
}
