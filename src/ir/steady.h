/* SPDX-License-Identifier: MIT */
/* steady.h - time that is worth quoting, for ]time -n and for every benchmark.
 *
 * An idle GPU runs at a low clock and needs some tens of milliseconds of work to raise it, and
 * a shared one has slow phases. So a measurement repeats the work until a sample lasts as long
 * as asked, goes on for STEADY_LEAST_NS (at a low clock two samples agree as well) and until
 * two samples behind one another agree, and takes its samples from there. What has not settled
 * after STEADY_WARM_NS says so. */
#ifndef VAPL_IR_STEADY_H
#define VAPL_IR_STEADY_H
#include <stdbool.h>

enum { STEADY_SAMPLES = 9, STEADY_MOST = 99 };
#define STEADY_SAMPLE_NS 1e6
#define STEADY_LEAST_NS 1e8
#define STEADY_WARM_NS 5e8
#define STEADY_AGREE 0.01

/* Runs the work `repeat` times and returns the mean of a run in nanoseconds; below 0: failed. */
typedef double steady_run(void *user, int repeat);

typedef struct steady {
  double median, best; /* ns of one run */
  bool settled;        /* two warm-up samples agreed before the samples were taken */
  bool failed;
} steady;

/* With STEADY_SAMPLES of STEADY_SAMPLE_NS. */
steady steady_time(steady_run *run, void *user);
/* `samples` of them, 1 to STEADY_MOST, each of at least sample_ns. */
steady steady_samples(steady_run *run, void *user, int samples, double sample_ns);
/* Sorts them and returns the one in the middle. */
double steady_median(double *ns, int samples);
#endif
