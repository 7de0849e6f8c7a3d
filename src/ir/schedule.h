/* SPDX-License-Identifier: MIT */
/* schedule.h - a kernel on the device as an array of passes.
 *
 *   plan (kernel, lengths) + device  ──▶  tasks  ──▶  passes, and the scratch between them
 *
 * schedule_make is the one planner. A MAP is one task. A REDUCE is folds, of the inputs
 * and then of what each fold leaves, until one accumulator is left of each line; a fold
 * that has scratch and is final too is one whose last workgroup finishes. A SCAN is one
 * task. Which passes do a task the templates say (codegen/task.h).
 *
 * The run, the clearing of outputs, the estimate of work and ]plan all read this
 * array. */
#ifndef VAPL_IR_SCHEDULE_H
#define VAPL_IR_SCHEDULE_H
#include "../codegen/task.h"

struct plan;
struct ir;

enum { SCHEDULE_PASSES = 26, NO_SCRATCH = -1 };

typedef struct sched_pass {
  cg_opts o;
  cg_geom geom;
  int from, to,
      carry;      /* scratch buffers, or NO_SCRATCH: none, or the kernel's own arrays */
  uint32_t times; /* as of a cg_pass */
  int64_t words;  /* of 64 bits, by which workgroups look ahead; 0: they do not */
  struct gpu_kernel *kernel; /* by schedule_ready */
  double work;               /* elements × instructions */
  uint64_t bytes;            /* that it reads and writes */
} sched_pass;

typedef struct schedule {
  uint32_t n, n_scratch;
  uint32_t smaller; /* steps down from the first choice, some pass of which did not fit */
  int cleared;      /* the scratch buffer that is zero at first, or NO_SCRATCH */
  sched_pass pass[SCHEDULE_PASSES];  /* in the order in which they run */
  uint64_t scratch[SCHEDULE_PASSES]; /* sizes in bytes */
} schedule;

/* A pass that leaves accumulators in scratch and folds them itself. */
static inline bool last_workgroup_finishes(const sched_pass *s) {
  return s->o.final && s->to != NO_SCRATCH && !s->times;
}

/* May a loop of its kernel have more steps than a device waits for? */
bool plan_may_give_up(const struct plan *p);
/* What the choice of shapes depends on (choice.c). */
cg_choice choice_of(const struct ir *g);
void schedule_make(const struct plan *p, schedule *s);
/* Makes the passes' pipelines, and the schedule anew where one is too large. False: one cannot be
 * made. */
bool schedule_ready(const struct plan *p, schedule *s);

/* ── pipeline.c ── */

/* Sets the passes' pipelines, which are made if need be; *too_large: a bit for each that was made
 * now and is. False: one cannot be made. */
bool pipelines_get(struct ir *g, const kir *k, schedule *s, uint32_t *too_large);
/* This pass is too large, now and at the next start; o NULL: the kernel, in its smallest shape. */
void pipelines_note(struct ir *g, const kir *k, const cg_opts *o);
bool pipelines_is_noted(const struct ir *g, const kir *k, const cg_opts *o);
#endif
