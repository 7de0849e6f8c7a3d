/* SPDX-License-Identifier: MIT */
/* host.h - the block interpreter: KIR on the host, over blocks that stay in the L1 cache. The
 * folder's files are a line, each knows those before it:
 *
 *   loops_map.c                one tight loop per operation, for one instruction set; loops.c
 *                              chooses among the sets
 *   plan.c                     a kernel → steps over cells, its scalars computed
 *   steps.c loop.c             the steps of a block, its loads and stores; its LOOPs
 *   threads.c                  the pool, and jobs cut into tasks
 *   fold.c fold_…              REDUCE and SCAN over strips of columns, by the loops and the tree of
 *                              src/fold
 *   fold_several.c             a REDUCE by several folds
 *   body.c                     a join's instructions: tuples side by side, or one by one
 *   fold_unit.c fold_join.c    REDUCE and SCAN by a join's tree; fold_line.c by one that is
 *                              not associative
 *   run.c                      a run: memory, MAP, flags */
#ifndef VAPL_HOST_H
#define VAPL_HOST_H
#include "../kir/kir.h"

/* A pool of threads for long arrays. threads 0: as many as processors; 1: none but the
 * caller's. NULL only when memory is out. */
typedef struct blk_pool blk_pool;
blk_pool *blk_pool_new(ctx *c, int threads);
void blk_pool_free(ctx *c, blk_pool *p);
/* How many threads may share long work, the caller's too. */
int blk_pool_size(const blk_pool *p);
/* Runs a kernel on host pointers (in[].host, out[].host, flags); false after WS FULL or
 * INTERRUPT, the outputs being undefined. */
bool blk_run(ctx *c, blk_pool *p, const kir *k, const kir_bind *b);
/* memcpy by all threads where that pays; p NULL: by the caller's alone. */
void blk_copy(blk_pool *p, void *to, const void *from, size_t n);
#endif
