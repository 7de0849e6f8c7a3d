/* SPDX-License-Identifier: MIT */
/* share.h - memory of the device in common with the program that vapl is in: its buffers as
 * gpu_buf's, gpu_buf's as buffers, and a timeline semaphore each way. */
#ifndef VAPL_VK_SHARE_H
#define VAPL_VK_SHARE_H
#include "vk.h"

/* A range of a buffer, complete once `timeline` (may be none) has reached `value`. */
typedef struct gpu_range {
  VkBuffer buffer;
  uint64_t offset, bytes;
  VkDeviceAddress address; /* of its first byte */
  VkSemaphore timeline;
  uint64_t value;
} gpu_range;

/* Where b lies; what was recorded is submitted. */
bool gpu_export(gpu *g, const gpu_buf *b, gpu_range *r);
/* The range, of which an array takes `bytes`, as a buffer that is never written and counts as
 * shared; its last gpu_free waits for the device and calls drop. NULL: nothing is kept. */
gpu_buf *gpu_import(gpu *g, const gpu_range *r, uint64_t bytes, void (*drop)(void *user),
                    void *user);
#endif
