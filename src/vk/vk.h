/* SPDX-License-Identifier: MIT */
/* vk.h - inside of src/vk: what its files share; the unit test includes it too.
 *
 *   loader.c    the entry points, held by our tables
 *   instance.c  the instance
 *   open.c      the list of devices, choice, device, close
 *   memory.c    blocks of device memory and the ranges in them
 *   queue.c     batches of commands, barriers, the timeline, waiting, timestamps
 *   transfer.c  upload and download rings
 *   pipeline.c  kernels, their cache in memory and on disk
 *   known.c     what drivers are known for (known.def)
 *   statistics.c  what the driver says of a pipeline
 *   share.c     the host program's device, queue and buffers */
#ifndef VAPL_VK_H
#define VAPL_VK_H
#include "gpu.h"
#include "vk_table.h"
#include "../base/mem.h"
#include <unistd.h>

/* One allocation of memory with one buffer over all of it; or a sparse buffer over
 * several. */
enum vk_kind {
  VK_MEM_DEVICE,
  VK_MEM_UPLOAD,
  VK_MEM_DOWNLOAD,
  VK_MEM_ARGS,
  VK_MEM_IMPORT
};
#define VK_HOST_MEMORY VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
#define VK_FD_MEMORY VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
/* What every buffer may be used for. */
#define VK_BUFFER_USES                                                                   \
  (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |      \
   VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)
struct vk_mem {
  VkBuffer buf;
  VkDeviceMemory mem;
  VkDeviceMemory *piece; /* of a sparse buffer: n_piece of them, `mem` is none */
  uint32_t n_piece;
  VkDeviceAddress address;
  char *host; /* mapped, or NULL */
  uint64_t size;
  bool exports; /* others may open it (share.h), and what one of them has made of it */
  void *seen;
  void (*unsee)(void *seen);
};

/* A ring in mapped memory. Positions count on and on; an offset is the position modulo
 * the size. What a batch took is given back when the timeline passes it. */
struct vk_ring {
  struct vk_mem m;
  uint64_t head, tail;
};

enum { VK_BATCHES = 8, VK_BATCH_COMMANDS = 128, VK_BINS = 64 };
/* One command buffer, and where the rings stood when it was submitted. */
struct vk_batch {
  VkCommandBuffer cmd;
  uint64_t value, args_end, up_end;
  double work, ns;     /* of its dispatches; as estimated */
  gpu_kernel *longest; /* the kernel that most of it goes to, or NULL, and its share */
  double most;
  int64_t begun; /* when it was submitted, by the host's clock */
  bool metered;
  uint64_t owner; /* gpu_own's when it was opened */
};

struct vk_block;
struct gpu_buf { /* a range of a block: in use, or free */
  struct vk_block *block;
  uint64_t offset, size, bytes; /* bytes: as asked; size: with slack and alignment */
  gpu_buf *prev, *next;         /* neighbours in the block */
  gpu_buf *bin_prev, *bin_next; /* free ranges of like size */
  uint64_t last_use;            /* timeline value */
  uint64_t read_epoch, write_epoch;
  bool live;
  uint32_t shares; /* gpu_free's that are to come before the last */
  void *tag;       /* gpu_set_tag's; then it is in the list of the tagged */
  gpu_buf *cold_prev, *cold_next;
};

struct gpu {
  ctx *c;
  gpu_config cfg;
  gpu_info info;
  gpu_usage usage;
  struct vk_table vk;
  VkResult result, hooked;
  const char *call; /* the last one that failed */
  bool lost, unified;
  pid_t opened_by; /* a child of that process must make no call: see vk_is_lost */
  const volatile bool *here; /* true, but in such a child; NULL: it is not known so */
  int messages;
  VkInstance instance;
  VkDebugUtilsMessengerEXT messenger;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue, bind_queue; /* the second one binds sparse memory; mostly the same */
  uint32_t family, bind_family, max_groups_y, timestamp_bits;
  VkPhysicalDeviceMemoryProperties memory;
  /* queue.c */
  VkCommandPool pool;
  VkSemaphore timeline;
  /* Timeline values; the open batch will be submitted + 1. */
  uint64_t submitted, completed;
  struct vk_batch batch[VK_BATCHES];
  /* Batches in flight, modulo VK_BATCHES; `newest` is the open one. */
  uint64_t oldest, newest;
  bool recording, to_host;
  uint32_t commands; /* in the open batch */
  VkPipeline bound;
  uint64_t epoch;              /* barriers so far */
  VkPipelineStageFlags stages; /* that touched buffers since the last barrier */
  bool must_barrier;
  bool apart; /* gpu_apart */
  VkQueryPool query;
  bool timing, meter;
  gpu_took *took; /* is told of metered batches */
  void *took_user;
  uint64_t owner;
  double rate;      /* work per ns, of kernels that are not timed yet */
  double in_flight; /* ns of work that is submitted and not done */
  int64_t retired;  /* when a batch was last seen to end */
  int64_t unsure;   /* when one was last seen to have ended some time ago */
  bool watching;    /* the host is waiting: what ends ends now */
  struct vk_ring args, up;
  struct vk_mem down;
  uint64_t down_value;  /* the last batch that wrote to `down` */
  VkSemaphore wait_for; /* of the host program: the next batch waits for it (share.c) */
  uint64_t wait_value;
  /* memory.c */
  struct vk_block *blocks;
  gpu_buf *bins[VK_BINS];
  uint64_t block_bytes, limit, keep, empty_bytes;
  bool can_export, exports; /* memory that others may open; all new memory is such */
  gpu_buf cold;             /* head of the ring of tagged buffers, the coldest next */
  VkSemaphore bind_done;
  uint64_t binds;
  /* pipeline.c */
  VkPipelineLayout layout;
  VkPipelineCache cache;
  char *cache_file;
  bool cache_dirty;
  VEC(uint64_t) known;  /* names of the kernels in the file or to be in it */
  gpu_kernel **kernels; /* open addressing */
  size_t n_kernels, kernel_slots, max_kernels;
  uint64_t tick;
};

/* By a page that a child gets cleared, where there is such: it is asked for several times a kernel, and
 * getpid() is a call of the system. */
static inline bool vk_is_forked(const gpu *g) {
  return g->here ? !*g->here : getpid() != g->opened_by;
}

/* instance.c */
/* False: an error is recorded. True without an instance: there is no Vulkan here, and `why` says
 * what is missing. */
bool vk_instance_open(gpu *g, char why[160]);
void vk_instance_close(gpu *g);
/* loader.c */
void vk_fork_open(gpu *g);
void vk_fork_close(const gpu *g);
/* share.c */
void vk_lock(
    gpu *g); /* the queue, for one call; its result is looked at after vk_unlock */
void vk_unlock(gpu *g);
void vk_idle(gpu *g); /* waits for what was submitted, not through the hook */
/* memory.c */
VkResult vk_mem_make(gpu *g, struct vk_mem *m, enum vk_kind kind, uint64_t size);
void vk_mem_drop(gpu *g, struct vk_mem *m);
bool vk_memory_open(gpu *g);
void vk_memory_close(gpu *g);
const struct vk_mem *vk_buf_mem(const gpu_buf *b);
void vk_warm(gpu *g, gpu_buf *b); /* it is being used */
/* A range of a buffer of the host program's, which gpu_free gives back by drop. */
gpu_buf *vk_foreign(gpu *g, const struct vk_mem *m, uint64_t offset, uint64_t bytes,
                    void (*drop)(void *user), void *user);
/* queue.c */
bool vk_queue_open(gpu *g);
void vk_queue_close(gpu *g);
bool vk_batch_open(gpu *g); /* the open batch is g->batch[g->newest % VK_BATCHES] */
VkCommandBuffer vk_cmd(const gpu *g);
/* Before a command of `stage` that touches these: inserts the barrier, marks the buffers.
 * ordered: a command before it, with the same uses, had the barrier already. */
void vk_touch(gpu *g, VkPipelineStageFlags stage, const gpu_use *uses, uint32_t n,
              bool ordered);
bool vk_done(gpu *g, uint64_t value);       /* no work of up to that value is in flight */
bool vk_wait_value(gpu *g, uint64_t value); /* submitted already */
bool vk_ring_open(gpu *g, struct vk_ring *r);
bool vk_ring_take(gpu *g, struct vk_ring *r, uint64_t n, uint64_t *offset);
int64_t vk_now(void); /* ns */
/* transfer.c */
void vk_transfer_close(gpu *g);
/* pipeline.c */
bool vk_pipeline_open(gpu *g);
void vk_pipeline_close(gpu *g);
VkPipeline vk_kernel_pipeline(const gpu_kernel *k);
double *vk_kernel_rate(gpu_kernel *k); /* work per ns; 0: not known yet */
/* statistics.c: not known where the device has none, or a call fails. */
gpu_statistics vk_read_statistics(gpu *g, VkPipeline p);
#endif
