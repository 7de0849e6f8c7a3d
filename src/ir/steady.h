/* SPDX-License-Identifier: MIT */
/* steady.h - time that is worth quoting, for ]time -n and for every benchmark.
 *
 * An idle GPU runs at a low clock and needs some work to raise it: tens of milliseconds, after
 * a long pause some hundreds; and a shared one has slow phases. So a measurement repeats the
 * work until a sample lasts as long as asked, goes on for a while (at a low clock two samples
 * agree as well) and until two samples behind one another agree, and takes its samples from
 * there. What does not settle says so. */
#ifndef VAPL_IR_STEADY_H
#define VAPL_IR_STEADY_H
#include <stdbool.h>

enum { STEADY_SAMPLES = 9, STEADY_MOST = 99 };
#define STEADY_SAMPLE_NS 1e6
#define STEADY_LEAST_NS 1e8 /* of warm-up, behind other work */
#define STEADY_WAKE_NS 5e8  /* after a pause */
#define STEADY_WARM_NS 4e8  /* more than that: it does not settle */
#define STEADY_AGREE 0.01

/* Runs the work `repeat` times and returns the mean of a run in nanoseconds; below 0: failed. */
typedef double steady_run(void *user, int repeat);

typedef struct steady {
  double median, best; /* ns of one run */
  bool settled;        /* two warm-up samples agreed before the samples were taken */
  bool failed;
} steady;

typedef struct steady_how {
  int samples;      /* 1 to STEADY_MOST */
  double sample_ns; /* of each, at least: the work is repeated */
  double least_ns;  /* of warm-up */
} steady_how;

steady steady_samples(steady_run *run, void *user, const steady_how *how);
/* Nine samples of a millisecond, behind other work. */
steady steady_time(steady_run *run, void *user);
/* After a pause, before others are timed: runs the work for a while. */
void steady_wake(steady_run *run, void *user);
/* Sorts them and returns the one in the middle. */
double steady_median(double *ns, int samples);
#endif
