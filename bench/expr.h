/* SPDX-License-Identifier: MIT */
/* expr.h - what the benches of whole expressions share: an interpreter, and the time of a text. */
#ifndef VAPL_BENCH_EXPR_H
#define VAPL_BENCH_EXPR_H
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/vapl.h"

typedef struct bench_options {
  const char *device, *types,
      *only;    /* NULL: what vapl chooses; a bench's own; all rows */
  int min, max; /* of log2 n */
} bench_options;

/* Fills in what the command line says; false, after a message: it says something unknown. */
static inline bool bench_parse(bench_options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (value && !strcmp(argv[i], "--device")) o->device = value;
    else if (value && !strcmp(argv[i], "--types")) o->types = value;
    else if (value && !strcmp(argv[i], "--only")) o->only = value;
    else if (value && !strcmp(argv[i], "--min")) o->min = atoi(value);
    else if (value && !strcmp(argv[i], "--max")) o->max = atoi(value);
    else {
      fprintf(stderr, "%s: no such option, or without its value; the source tells them\n",
              argv[i]);
      return false;
    }
  }
  return true;
}

/* An interpreter on that device; ends the program where there is none. */
static inline vapl *bench_open(const char *device) {
  vapl_config cfg = {.size = sizeof cfg, .device = device};
  vapl *v = NULL;
  if (vapl_open(&cfg, &v) == VAPL_OK) return v;
  fprintf(stderr, "no such device\n");
  exit(1);
}

/* Evaluates the text and gives its value to `settle`, which waits for it (NULL: nobody does).
 * False, after a message: it is in error. */
typedef bool bench_settle(vapl *v, vapl_array *value);
static inline bool bench_run(vapl *v, const char *text, bench_settle *settle) {
  vapl_array *r = NULL;
  bool ok = vapl_eval(v, text, VAPL_STRLEN, NULL, settle ? &r : NULL) == VAPL_OK;
  if (ok && r) ok = settle(v, r);
  if (r) vapl_release(r);
  if (ok) return true;
  const vapl_error *e = vapl_last_error(v);
  fprintf(stderr, "%s: %s\n", text, e ? e->message : "?");
  return false;
}

static inline double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int bench_by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median seconds of one evaluation, after a warm-up of 60 ms, for an idle GPU's clock is low;
 * of one alone if that takes longer than a second. NaN: the text is in error. */
static inline double bench_seconds(vapl *v, const char *text, bench_settle *settle) {
  enum { MOST = 101 };
  double t[MOST], start = bench_now();
  int n = 0;
  do
    if (!bench_run(v, text, settle)) return NAN;
  while (bench_now() - start < 0.06);
  if (bench_now() - start > 1) return bench_now() - start;
  for (start = bench_now(); n < 5 || (n < MOST && bench_now() - start < 0.25); n++) {
    double from = bench_now();
    if (!bench_run(v, text, settle)) return NAN;
    t[n] = bench_now() - from;
  }
  qsort(t, (size_t)n, sizeof *t, bench_by_value);
  return t[n / 2];
}

/* Columns that a text takes. */
static inline int bench_columns(const char *utf8) {
  int n = 0;
  for (; *utf8; utf8++) n += (*utf8 & 0xC0) != 0x80;
  return n;
}
#endif
