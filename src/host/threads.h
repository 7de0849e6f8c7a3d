/* SPDX-License-Identifier: MIT */
/* threads.h - a run cut into tasks, and the threads that take them.
 *
 * Threads take the next number from a counter. The limits of tasks depend on the lengths
 * and the number of threads alone; what a task gives does not depend on who does it. */
#ifndef VAPL_HOST_THREADS_H
#define VAPL_HOST_THREADS_H
#include "host.h"
#include "steps.h"

typedef struct blk_job blk_job;
struct blk_job {
  ctx *c;
  int threads;
  blk_thread *team; /* one each; NULL: the task needs none */
  void (*task)(blk_job *j, blk_thread *t, int64_t i);
  int64_t n_task;
  atomic_llong next, turn; /* turn: the task whose turn it is, where tasks wait for one */
  atomic_bool stop;        /* interrupted */
  bool shown;              /* its share is */
};

/* How many threads a run of so many element-steps gets; starts them if they are not yet. */
int blk_threads_for(blk_pool *p, int64_t work);
/* Runs job->task for every i below n_task, on all its threads. */
void blk_each(blk_pool *p, blk_job *j);
bool blk_stopped(blk_job *j); /* polls the interrupt flag */
/* Waits until task i may go on; false after an interrupt. blk_next_turn lets i + 1 go. */
bool blk_wait_turn(blk_job *j, int64_t i);
void blk_next_turn(blk_job *j, int64_t i);

/* Memory that a pool keeps from run to run. */
typedef struct blk_keep {
  void *at;
  size_t size;
} blk_keep;
const blk_isa *blk_pool_isa(const blk_pool *p);
/* Two of them: the plan's and the threads'. */
blk_keep *blk_pool_keep(blk_pool *p);

/* The context's loops are shared by this pool, from so many steps of work on (each.h). */
void blk_pool_lend(blk_pool *p, ctx *c);

/* For tests: the instruction set, and the element-steps from which threads are used. */
void blk_pool_tune(blk_pool *p, const blk_isa *isa, int64_t thread_work);
#endif
