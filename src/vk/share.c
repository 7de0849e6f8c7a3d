/* SPDX-License-Identifier: MIT */
/* share.c - the queue of a device that the host program made, its buffers, and ours for it
 * (share.h).
 *
 * A foreign buffer is a block of one range that is in no list of blocks: nothing is allocated
 * from it, and it goes with its range. What the host has not finished writing is waited for by
 * the next batch that is submitted, on the device. */
#include "share.h"

gpu_given *gpu_given_copy(ctx *c, const gpu_given *given) {
  gpu_given *own = mem_alloc(c, sizeof *own);
  if (own) *own = *given;
  return own;
}

void vk_lock(gpu *g) {
  const gpu_given *at = g->cfg.given;
  if (at && at->lock) at->lock(at->user);
}

void vk_unlock(gpu *g) {
  const gpu_given *at = g->cfg.given;
  if (at && at->unlock) at->unlock(at->user);
}

/* vkDeviceWaitIdle forbids the use of all queues meanwhile, so on the host program's device we
 * wait for our own work only. On a lost device both return at once. */
void vk_idle(gpu *g) {
  VkSemaphoreWaitInfo ours = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                              .semaphoreCount = 1,
                              .pSemaphores = &g->timeline,
                              .pValues = &g->submitted};
  if (!g->submitted && !g->binds)
    return; /* a driver that made no timeline may crash here: known.def */
  if (!vk_is_given(g)) {
    if (g->vk.DeviceWaitIdle) g->vk.DeviceWaitIdle(g->device);
  } else if (g->timeline) {
    g->vk.WaitSemaphores(g->device, &ours, UINT64_MAX);
  }
}

bool gpu_export(gpu *g, const gpu_buf *b, gpu_range *r) {
  if (!gpu_submit(g)) return false;
  *r = (gpu_range){.buffer = vk_buf_mem(b)->buf,
                   .offset = b->offset,
                   .bytes = b->bytes,
                   .address = gpu_address(b),
                   .timeline = g->timeline,
                   .value = g->submitted};
  return true;
}

/* The next submission waits; one that waits for something else goes first. Behind our own work it
 * comes anyhow, on the same queue: a barrier is enough. (A driver takes notes of a wait in the
 * semaphore after the submission has ended, when we may have destroyed it: known.def.) */
static bool wait_for(gpu *g, VkSemaphore timeline, uint64_t value) {
  if (!timeline) return true;
  if (timeline == g->timeline) {
    g->must_barrier = true;
    return true;
  }
  if (g->wait_for && (!vk_batch_open(g) || !gpu_submit(g))) return false;
  g->wait_for = timeline;
  g->wait_value = value;
  return true;
}

gpu_buf *gpu_import(gpu *g, const gpu_range *r, uint64_t bytes, void (*drop)(void *user),
                    void *user) {
  if (vk_is_lost(g) || !wait_for(g, r->timeline, r->value)) return NULL;
  struct vk_mem m = {.buf = r->buffer, .size = r->offset + r->bytes};
  m.address = r->address - r->offset;
  return vk_foreign(g, &m, r->offset, bytes, drop, user);
}

bool gpu_export_fd(gpu *g, const gpu_buf *b, int *fd) {
  VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                               .memory = vk_buf_mem(b)->mem,
                               .handleType = VK_FD_MEMORY};
  if (vk_is_lost(g)) return false;
  VK(g, GetMemoryFdKHR, g->device, &info, fd);
  return true;
fail:
  return vk_error(g);
}
