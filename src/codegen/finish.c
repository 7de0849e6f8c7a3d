/* SPDX-License-Identifier: MIT */
/* finish.c - one dispatch where there were two: the workgroup that is the last to leave
 * its accumulator folds those of all.
 *
 *   workgroup i   accumulator i stored ─ counter + 1 ─ was it count - 1?
 *                     no:  the end
 *                     yes: it reads all, folds them, stores outputs, counter = 0
 *
 * No workgroup waits, so nothing is assumed of the order in which workgroups run, and a
 * dispatch may be cut anywhere (gpu_record).
 *
 * Why what the last one reads is what the others stored. Modules declare the GLSL450
 * memory model, where plain accesses of several workgroups to one place are a race even
 * in the right order. So accumulators travel in relaxed atomic stores and loads of
 * words, of device scope, each of which is available to, and sees, the whole device;
 * only their order is left to show:
 *   1. a workgroup's thread 0 stores its accumulator, has a memory barrier that
 *      releases (of device scope, for buffers), then adds to the counter: a relaxed
 *      read-modify-write. All threads have the barriers with it: a driver may make
 *      them barriers that each thread must reach (vk/known.def);
 *   2. all changes of the counter in a dispatch are such additions, so each is in the
 *      release sequence of all that came before it. The one that finds count - 1 comes
 *      after all others, and a memory barrier behind it acquires: it synchronises with
 *      each of the barriers of 1, and all stores happen before it;
 *   3. in the last workgroup thread 0 tells the others through workgroup memory, by a
 *      control barrier that acquires and releases both workgroup memory and buffers: so
 *      their loads of accumulators happen after the barrier in 2.
 * Each word is stored once in a dispatch, and what was stored before the dispatch lies
 * behind a barrier of the queue, so the loads can see nothing else. Barriers apart from
 * the addition are what drivers know from GLSL (memoryBarrierBuffer). All that is
 * needed of the device are 32-bit atomics on buffers, which flags and stores of single
 * bits (argument_block.c, store.c) need, too.
 *
 * The counter is zero before a dispatch and after it: the last workgroup stores zero
 * when all additions are done. The next dispatch with this counter is behind a barrier
 * of the queue, since both write it. After a dispatch that was left half done, ir/device.c
 * clears it. */
#include "template.h"

enum {
  BUFFERS = SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsUniformMemoryMask,
  BUFFERS_AND_SHARED = BUFFERS | SpvMemorySemanticsWorkgroupMemoryMask
};

static uint32_t counter(cg *g) {
  return cg_pointer(g, g->u32, cg_slot(g, CG_SLOT_COUNTER));
}

static void buffers_barrier(cg *g) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), how = spv_u32(g->b, BUFFERS);
  spv_do(g->b, SpvOpMemoryBarrier, device, how);
}

static uint32_t count_one(cg *g) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t one = spv_u32(g->b, 1), ptr = counter(g);
  return spv_op(g->b, g->u32, SpvOpAtomicIAdd, ptr, device, relaxed, one);
}

uint32_t cg_is_last(cg *g, uint32_t to, uint32_t index, uint32_t count, cg_acc a) {
  spv *b = g->b;
  uint32_t group = spv_u32(b, SpvScopeWorkgroup), how = spv_u32(b, BUFFERS_AND_SHARED);
  uint32_t shared = spv_shared(b, g->u32, 1), none = spv_u32(b, 0);
  uint32_t merge = spv_if(b, cg_is_zero(g, g->thread));
  cg_publish_acc(g, to, cg_to_ix(g, index), a);
  spv_endif(b, merge);
  buffers_barrier(g);
  merge = spv_if(b, cg_is_zero(g, g->thread));
  uint32_t before = count_one(g);
  spv_do(b, SpvOpStore, cg_shared_ptr(g, g->u32, shared, none), before);
  spv_endif(b, merge);
  buffers_barrier(g);
  spv_do(b, SpvOpControlBarrier, group, group, how);
  before = spv_op(b, g->u32, SpvOpLoad, cg_shared_ptr(g, g->u32, shared, none));
  return cg_is(g, SpvOpIEqual, cg_ui(g, SpvOpIAdd, before, 1), count);
}

void cg_last_leaves(cg *g) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), none = spv_u32(g->b, 0);
  spv_do(g->b, SpvOpAtomicStore, counter(g), device, none, none);
}
