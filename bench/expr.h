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

#include "runtime/api.h"
#include "src/eval/value/vm.h"
#include "src/ir/graph.h"

typedef struct bench_options {
  const char *device, *types,
      *only,    /* NULL: what vapl chooses; a bench's own; all rows */
      *rows;    /* a file of rows (device.c); NULL: the bench's own */
  int min, max; /* of log2 n */
  int most;     /* log2 of the elements of the longest arrays */
} bench_options;

/* Fills in what the command line says; false, after a message: it says something unknown. */
static inline bool bench_parse(bench_options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i += 2) {
    const char *word = i + 1 < argc ? argv[i + 1] : NULL;
    if (word && !strcmp(argv[i], "--device")) o->device = word;
    else if (word && !strcmp(argv[i], "--types")) o->types = word;
    else if (word && !strcmp(argv[i], "--only")) o->only = word;
    else if (word && !strcmp(argv[i], "--rows")) o->rows = word;
    else if (word && !strcmp(argv[i], "--most")) o->most = atoi(word);
    else if (word && !strcmp(argv[i], "--min")) o->min = atoi(word);
    else if (word && !strcmp(argv[i], "--max")) o->max = atoi(word);
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
typedef bool bench_settle(vapl *v, vapl_array *result);
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

/* Seconds of one evaluation; NaN: the text is in error. */
static inline double bench_once(vapl *v, const char *text, bench_settle *settle) {
  double from = bench_now();
  return bench_run(v, text, settle) ? bench_now() - from : NAN;
}

/* How many pipelines the device has been given. */
static inline uint64_t bench_pipelines(const vapl *v) {
  const gpu *dev = v->m->g->dev;
  return dev && !gpu_lost(dev) ? gpu_get_usage(dev).pipelines : 0;
}

/* Evaluates until nothing is compiled any more: what is learnt of a result may choose another
 * kernel the next time. Seconds of the last evaluation; NaN: the text is in error. */
static inline double bench_compile(vapl *v, const char *text, bench_settle *settle) {
  double s = 0;
  uint64_t made = UINT64_MAX;
  for (int i = 0; i < 8 && made != bench_pipelines(v) && !isnan(s); i++) {
    made = bench_pipelines(v);
    s = bench_once(v, text, settle);
  }
  return s;
}

/* Median seconds of one evaluation of what is compiled, after a warm-up, for an idle GPU's clock is low:
 * of 60 ms behind another row, of half a second behind a pause (compilation, data that are made); of one
 * alone if that takes longer than 5 s, of three if longer than 1 s. NaN: the text is in error. */
static inline double bench_seconds(vapl *v, const char *text, bench_settle *settle) {
  enum { MOST = 101 };
  static double ended;
  double t[MOST], once = bench_compile(v, text, settle), start = bench_now() - once;
  double warm = start - ended > 0.05 ? 0.5 : 0.06;
  int n = 0, least = once > 1 ? 3 : 5;
  if (isnan(once) || once > 5) return once;
  while (bench_now() - start < warm)
    if (!bench_run(v, text, settle)) return NAN;
  for (start = bench_now(); n < least || (n < MOST && bench_now() - start < 0.25); n++)
    if (isnan(t[n] = bench_once(v, text, settle))) return NAN;
  qsort(t, (size_t)n, sizeof *t, bench_by_value);
  ended = bench_now();
  return t[n / 2];
}

/* Columns that a text takes. */
static inline int bench_columns(const char *utf8) {
  int n = 0;
  for (; *utf8; utf8++) n += (*utf8 & 0xC0) != 0x80;
  return n;
}
#endif
