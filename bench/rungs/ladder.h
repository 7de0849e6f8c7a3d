/* SPDX-License-Identifier: MIT */
/* ladder.h - the state of the ladder's run, the dispatches of a rung, and a line of its table. */
#ifndef VAPL_BENCH_LADDER_H
#define VAPL_BENCH_LADDER_H
#include "bench/rungs/kern.h"
#include "src/array/array.h"
#include "src/ir/graph.h"
#include "src/ir/steady.h"

enum { MAX_STEPS = 16 };

typedef struct ladder {
  ctx c;
  ir *g;
  gpu *d;
  const gpu_info *info;
  uint32_t subgroup;
  bool explain, check;
  bool timing; /* all rungs are verified first, then timed: a clock does not wait */
  int passed, failed;
  /* Of the type at hand: */
  monoid m;
  uint64_t n;
  arr *x;                      /* the elements, on the device too */
  gpu_buf *in, *out, *scratch; /* in: x's */
  uint32_t *host;              /* n elements, for what is downloaded */
  uint64_t kept;               /* by compactions */
  int64_t exact;               /* sum, in units of 2^-24 for floats, or maximum */
} ladder;

_Noreturn void ladder_die(ladder *b, const char *what);

/* ── dispatches ── */

/* Dispatches of a rung in order, a clear before them. */
typedef struct steps {
  ladder *b;
  gpu_buf *clear;
  uint64_t clear_bytes;
  int n;
  gpu_dispatch at[MAX_STEPS];
  kern_args args[MAX_STEPS];
  gpu_use uses[MAX_STEPS][3];
} steps;

typedef struct part { /* of a buffer, from element `at` on */
  gpu_buf *buf;
  uint64_t at;
} part;

/* The pipeline of a module that was made, or not; frees the module. */
gpu_kernel *ladder_kernel(ladder *b, bool made, cg_module *m, const char *name);
/* One more dispatch; a says all but the addresses. */
void steps_add(steps *s, gpu_kernel *k, kern_args a, part in, part out, part scratch);
bool steps_record(const steps *s);
steady steps_time(steps *s);

/* ── lines ── */

typedef struct verdict {
  bool right;
  double error; /* relative, the largest */
  const char *why;
} verdict;

/* What a rung is called, and what it changes. */
typedef struct rung_text {
  const char *name, *change;
} rung_text;

void put_heading(const ladder *b, const char *what, bool folds);
void put_line(ladder *b, rung_text r, steady t, uint64_t moved, verdict v);
void put_skipped(ladder *b, rung_text r, const char *why);
/* Counts a verdict among the passed or the failed. */
void count_verdict(ladder *b, rung_text r, verdict v);
#endif
