/* SPDX-License-Identifier: MIT */
/* share.h - what is in common with the program that vapl is in: its device, whose queue it may use
 * too; its buffers as gpu_buf's, gpu_buf's as buffers, and a timeline semaphore each way. */
#ifndef VAPL_VK_SHARE_H
#define VAPL_VK_SHARE_H
#include "vk.h"

/* A chain of features, in the order of its parts. */
typedef struct gpu_features {
  VkPhysicalDeviceFeatures2 f;
  VkPhysicalDeviceVulkan12Features f12;
  VkPhysicalDeviceSubgroupSizeControlFeaturesEXT control;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic;
} gpu_features;

/* A device that the host program made, and will destroy. */
typedef struct gpu_given {
  PFN_vkGetInstanceProcAddr get_proc; /* NULL: the loader's */
  VkInstance instance;
  uint32_t api; /* what the instance was made for */
  VkPhysicalDevice physical;
  VkDevice device; /* none: it is still to be made */
  VkQueue queue;
  uint32_t family;
  gpu_features on; /* which it was made with */
  /* Called around each use of the queue; NULL: the queue is ours alone. */
  void (*lock)(void *user);
  void (*unlock)(void *user);
  void *user;
} gpu_given;

/* Is there such a device? */
static inline bool vk_is_given(const gpu *g) {
  return g->cfg.given && g->cfg.given->device;
}

enum { GPU_EXTENSIONS = 3 };
/* Sets at->on and at->family to what a device should be made with, ext[0..*n) to its extensions:
 * names that stay. False where no device of at->physical would do. */
bool gpu_wants(ctx *c, gpu_given *at, const char *ext[GPU_EXTENSIONS], uint32_t *n);

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

/* Memory that another API opens by a file descriptor. From now on all memory of arrays is such; what
 * was allocated before is not given out again. DEVICE ERROR where the device has none. */
bool gpu_begin_exports(gpu *g);
/* Does b lie in such memory? What has several allocations does not. */
bool gpu_is_exported(const gpu_buf *b);
/* A new opaque descriptor of that allocation, of vk_buf_mem(b)->size bytes. */
bool gpu_export_fd(gpu *g, const gpu_buf *b, int *fd);
/* What the other API made of the allocation stays with it: unsee(seen) comes before it is freed. */
void gpu_set_seen(gpu_buf *b, void *seen, void (*unsee)(void *seen));
#endif
