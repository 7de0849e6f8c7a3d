/* SPDX-License-Identifier: MIT */
/* share.c - buffers that the host program made, and ours for it (share.h).
 *
 * A foreign buffer is a block of one range that is in no list of blocks: nothing is allocated
 * from it, and it goes with its range. What the host has not finished writing is waited for by
 * the next batch that is submitted, on the device. */
#include "share.h"

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

/* The next submission waits; one that waits for something else goes first. */
static bool wait_for(gpu *g, VkSemaphore timeline, uint64_t value) {
  if (!timeline) return true;
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
