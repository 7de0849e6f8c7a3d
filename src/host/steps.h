/* SPDX-License-Identifier: MIT */
/* steps.h - the steps of a plan run for one block, with its loads and stores. */
#ifndef VAPL_HOST_STEPS_H
#define VAPL_HOST_STEPS_H
#include "plan.h"

typedef struct blk_thread {
  const blk_plan *plan;
  void **at; /* per cell: where it is now */
  char *regs;
  uint32_t *flags;
  void *tmp;   /* 8 bytes × block: narrowing at the tail */
  ctx *c;      /* loops look whether they are interrupted, */
  bool raised; /* or a fault was seen, so that nobody waits for results */
  struct blk_loop_thread *loop; /* what the plan's loops need: loop.c */
  struct blk_fold *fold;        /* what a fold needs besides: fold.h */
  struct blk_join_thread *join; /* or one by a join: fold_join.h */
} blk_thread;

/* The block of n elements from flat position e0, whose first is at `pos` of its line. Of columns
 * (inner > 1) `inner` elements have the same position. */
typedef struct blk_at {
  int64_t e0, pos, len;
  size_t n;
  int64_t inner;
} blk_at;

/* A thread's registers, flags and addresses for a plan, from *mem on; nothing is set. */
void blk_thread_take(blk_thread *t, const blk_plan *p, uintptr_t *mem);
/* All cells but uniform ones are in their registers, no flag is set. */
void blk_thread_init(blk_thread *t);
/* Steps from … to - 1 for the block. */
void blk_run_steps(blk_thread *t, uint32_t from, uint32_t to, const blk_at *w);
void blk_pre(blk_thread *t, const blk_at *w); /* makes fold_x */
void blk_aim(blk_thread *t,
             const blk_at *w); /* decides where this block's results are made */
void blk_post(blk_thread *t,
              const blk_at *w); /* MAP: all; else from fold_r on; then stores */
/* loop.c: memory of the plan's loops; that memory laid out; a step that is a LOOP. */
size_t blk_loops_bytes(const blk_plan *p);
void blk_loops_init(blk_thread *t);
void blk_loop_run(blk_thread *t, const blk_step *s, size_t n);
/* The loop of a FIN saw a result that is not finite: is element i an error, its arguments
 * being finite? */
bool blk_fin_fault(const blk_thread *t, const blk_step *s, size_t i);
void blk_pad(void *v, size_t size, size_t n); /* up to a multiple of 64 */
#endif
