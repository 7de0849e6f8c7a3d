/* SPDX-License-Identifier: MIT */
/* memory.c - device memory: blocks from the driver, ranges from the blocks.
 *
 *   block   |  live  | free |  live  |        free        |    one allocation, one buffer
 *            gpu_buf ↔ gpu_buf ↔ ...                             ranges in address order
 *
 * The driver takes milliseconds for an allocation, so it gives blocks of 64 to 256 MiB
 * and ranges come from them: free ranges are in bins by the logarithm of their size, a
 * request takes the best of the first few that fit, and a freed range merges with its
 * neighbours at once. What is larger than half a block has a block of its own; when
 * freed, that block waits whole for a request of like size. Empty blocks are kept up to a
 * quarter of the memory, of a device's own up to half of it: a new block of an H200 takes 60 ms for each GB.
 *
 * A freed range may be handed out while the device still works on its last use. That is
 * safe without waiting: there is one queue, and the range carries its last accesses
 * along, so its next user gets the barrier (queue.c), and the host stays away until the
 * timeline has passed (transfer.c). Chains of large temporaries so need no more memory
 * than they have live. Only giving a block back to the driver waits for the timeline.
 *
 * What is larger than one allocation may be has a sparse buffer: one range of addresses
 * over as many allocations as it takes, bound once, when it is made, and dropped whole.
 * Binding is no command of a batch; it has a semaphore of its own, and the host waits for
 * it, which is nothing beside the allocations.
 *
 * Buffers that carry a tag are in a ring, the one used longest ago in front: an owner that
 * keeps copies elsewhere gives that one up first when memory is short. */
#include <assert.h>
#include <string.h>
#include "share.h"
#include "../base/arith.h"

enum { ALIGN = 256, SLACK = 16, BIN_TRIES = 32 };
#define MIB ((uint64_t)1 << 20)

struct vk_block {
  struct vk_block *next;
  struct vk_mem m;
  gpu_buf *first;
  bool dedicated;
  bool foreign; /* memory of the host program's, given back by drop, which may be NULL */
  void (*drop)(void *user);
  void *user;
  bool imported; /* foreign: the memory is the host's, the buffer over it ours */
};

/* ── allocations from the driver ────────────────────────────────────────────────────── */

/* What a kind of memory must have and must not have, the best first; a zero row ends. */
#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define MAPPED                                                                           \
  (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
struct wish {
  VkMemoryPropertyFlags have, avoid;
};
enum { WISHES = 4 };
static const struct wish unified_memory = {LOCAL | MAPPED | CACHED, 0};
static const struct wish wishes[][WISHES] = {
    [VK_MEM_DEVICE] = {{LOCAL, MAPPED}, {LOCAL, 0}},
    [VK_MEM_UPLOAD] = {{MAPPED, LOCAL}, {MAPPED, 0}},
    [VK_MEM_DOWNLOAD] = {{MAPPED | CACHED, LOCAL}, {MAPPED | CACHED, 0}, {MAPPED, 0}},
    [VK_MEM_ARGS] = {{LOCAL | MAPPED, 0}, {MAPPED, 0}},
    [VK_MEM_IMPORT] = {{MAPPED | CACHED, LOCAL}, {MAPPED | CACHED, 0}, {MAPPED, 0}},
};

/* Whether the type is of the ordinary sort: no protected, lazy or vendor's special
 * memory. */
static bool plain(VkMemoryPropertyFlags f) {
  return !(f & ~(VkMemoryPropertyFlags)(LOCAL | MAPPED | CACHED));
}

static int pick_type(const gpu *g, uint32_t bits, struct wish w) {
  for (uint32_t i = 0; i < g->memory.memoryTypeCount; i++) {
    VkMemoryPropertyFlags f = g->memory.memoryTypes[i].propertyFlags;
    if ((bits >> i & 1) && plain(f) && (f & w.have) == w.have &&
        !(w.avoid && (f & w.avoid) == w.avoid))
      return (int)i;
  }
  return -1;
}

static VkResult mem_try(gpu *g, struct vk_mem *m, int type, uint64_t bytes,
                        const void *more) {
  VkExportMemoryAllocateInfo export = {.sType =
                                           VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                       .handleTypes = VK_FD_MEMORY};
  VkMemoryAllocateFlagsInfo flags = {.sType =
                                         VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                     .pNext = m->exports ? &export : more,
                                     .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .pNext = &flags,
                               .allocationSize = bytes,
                               .memoryTypeIndex = (uint32_t)type};
  VK_NEW(g, &m->mem, AllocateMemory, g->device, &info);
fail:
  return g->result;
}

static VkResult buffer_make(gpu *g, struct vk_mem *m, VkBufferCreateFlags flags,
                            const void *more, VkMemoryRequirements *need) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .pNext = more,
                             .flags = flags,
                             .size = m->size,
                             .usage = VK_BUFFER_USES};
  VK_NEW(g, &m->buf, CreateBuffer, g->device, &info);
  g->vk.GetBufferMemoryRequirements(g->device, m->buf, need);
  g->call = "vkAllocateMemory";
fail:
  return g->result;
}

/* Drivers were met that say they have addresses, and give 0. */
static VkResult find_address(gpu *g, struct vk_mem *m) {
  m->address = g->vk.GetBufferDeviceAddress(
      g->device,
      &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                   .buffer = m->buf});
  if (!m->address) g->call = "vkGetBufferDeviceAddress gives 0";
  g->result = m->address ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT;
  return g->result;
}

/* Memory of the kind, of the first wish that the device grants. Its type; no memory on
 * failure. */
static int allocate(gpu *g, struct vk_mem *m, enum vk_kind kind,
                    const VkMemoryRequirements *need) {
  g->result = VK_ERROR_OUT_OF_DEVICE_MEMORY; /* unless a type is found */
  for (int k = kind == VK_MEM_DEVICE && g->unified ? -1 : 0; k < WISHES; k++) {
    struct wish w = k < 0 ? unified_memory : wishes[kind][k];
    if (!w.have || g->result == VK_ERROR_DEVICE_LOST) break;
    int type = pick_type(g, need->memoryTypeBits, w);
    if (type >= 0 && mem_try(g, m, type, need->size, NULL) >= 0) return type;
  }
  return -1;
}

/* A buffer of `size` bytes on memory of its own, mapped if the kind is. On failure
 * nothing is held, and g->result is left for the caller to record or to try again. */
VkResult vk_mem_make(gpu *g, struct vk_mem *m, enum vk_kind kind, uint64_t size) {
  VkMemoryRequirements need;
  VkExternalMemoryBufferCreateInfo external = {
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
      .handleTypes = VK_FD_MEMORY};
  *m = (struct vk_mem){.size = size, .exports = g->exports && kind == VK_MEM_DEVICE};
  if (buffer_make(g, m, 0, m->exports ? &external : NULL, &need) < 0) goto fail;
  int type = allocate(g, m, kind, &need);
  if (!m->mem) goto fail;
  VK(g, BindBufferMemory, g->device, m->buf, m->mem, 0);
  if (find_address(g, m) < 0) goto fail;
  bool map = (g->memory.memoryTypes[type].propertyFlags & MAPPED) == MAPPED;
  if (map && (kind != VK_MEM_DEVICE || g->unified))
    VK(g, MapMemory, g->device, m->mem, 0, VK_WHOLE_SIZE, 0, (void **)&m->host);
  return VK_SUCCESS;
fail:
  vk_mem_drop(g, m);
  return g->result;
}

/* Memory that others made. */
struct import {
  VkExternalMemoryHandleTypeFlagBits how;
  const void *info; /* for the allocation */
  enum vk_kind kind;
  uint32_t types; /* of memory, that it may be of */
  bool taken;     /* the driver has it */
};

/* It, and a buffer over it. As vk_mem_make. */
static VkResult mem_import(gpu *g, struct vk_mem *m, struct import *x, uint64_t size) {
  VkExternalMemoryBufferCreateInfo external = {
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
      .handleTypes = x->how};
  VkMemoryRequirements need;
  int type = -1;
  *m = (struct vk_mem){.size = size};
  if (buffer_make(g, m, 0, &external, &need) < 0) goto fail;
  for (int k = 0; k < WISHES && type < 0; k++)
    if (wishes[x->kind][k].have)
      type = pick_type(g, need.memoryTypeBits & x->types, wishes[x->kind][k]);
  g->result = VK_ERROR_FEATURE_NOT_PRESENT; /* of no type of ours, or with more behind */
  if (type < 0 || need.size > size || mem_try(g, m, type, size, x->info) < 0) goto fail;
  x->taken = true;
  VK(g, BindBufferMemory, g->device, m->buf, m->mem, 0);
  if (find_address(g, m) < 0) goto fail;
  return VK_SUCCESS;
fail:
  vk_mem_drop(g, m);
  return g->result;
}

void vk_mem_drop(gpu *g, struct vk_mem *m) {
  if (vk_is_forked(g)) return;
  if (m->unsee) m->unsee(m->seen);
  if (m->buf) g->vk.DestroyBuffer(g->device, m->buf, NULL);
  if (m->mem) g->vk.FreeMemory(g->device, m->mem, NULL);
  for (uint32_t i = 0; i < m->n_piece; i++)
    if (m->piece[i]) g->vk.FreeMemory(g->device, m->piece[i], NULL);
  mem_free(g->c, m->piece);
  *m = (struct vk_mem){0};
}

/* ── sparse buffers ─────────────────────────────────────────────────────────────────── */

static uint64_t one_allocation(const gpu *g) {
  return min_u64(g->info.max_allocation, g->info.max_buffer);
}

/* Binds all pieces and waits until that is done. */
static VkResult sparse_bind(gpu *g, const struct vk_mem *m, VkSparseMemoryBind *binds) {
  uint64_t value = g->binds + 1;
  VkSparseBufferMemoryBindInfo buffer = {m->buf, m->n_piece, binds};
  VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &value};
  VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo sem = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                               .pNext = &type};
  if (!g->bind_done) VK_NEW(g, &g->bind_done, CreateSemaphore, g->device, &sem);
  VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                           .pNext = &values,
                           .bufferBindCount = 1,
                           .pBufferBinds = &buffer,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &g->bind_done};
  VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                              .semaphoreCount = 1,
                              .pSemaphores = &g->bind_done,
                              .pValues = &value};
  vk_lock(g);
  g->result = VK_CALL(g, QueueBindSparse, g->bind_queue, 1, &info, VK_NULL_HANDLE);
  vk_unlock(g);
  g->call = "vkQueueBindSparse";
  if (g->result < 0) goto fail;
  g->binds = value;
  VK(g, WaitSemaphores, g->device, &wait, UINT64_MAX);
fail:
  return g->result;
}

/* A buffer larger than one allocation, never mapped. As vk_mem_make. */
static VkResult sparse_make(gpu *g, struct vk_mem *m, uint64_t size) {
  VkMemoryRequirements need;
  VkSparseMemoryBind *binds = NULL;
  *m = (struct vk_mem){.size = size};
  if (buffer_make(g, m, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, NULL, &need) < 0) goto fail;
  uint64_t most_of = max_u64(one_allocation(g) / need.alignment, 1) * need.alignment;
  uint32_t n = (uint32_t)((need.size + most_of - 1) / most_of);
  int type = pick_type(g, need.memoryTypeBits, wishes[VK_MEM_DEVICE][0]);
  if (type < 0) type = pick_type(g, need.memoryTypeBits, wishes[VK_MEM_DEVICE][1]);
  g->result = type < 0 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_ERROR_OUT_OF_HOST_MEMORY;
  if (type < 0) goto fail;
  m->piece = mem_zalloc(g->c, n * sizeof *m->piece);
  if (!m->piece) goto fail;
  m->n_piece = n;
  binds = mem_zalloc(g->c, n * sizeof *binds);
  if (!binds) goto fail;
  for (uint32_t i = 0; i < n; i++) {
    struct vk_mem part = {0};
    uint64_t at = i * most_of, bytes = min_u64(most_of, need.size - at);
    if (mem_try(g, &part, type, bytes, NULL) < 0) goto fail;
    m->piece[i] = part.mem;
    binds[i] =
        (VkSparseMemoryBind){.resourceOffset = at, .size = bytes, .memory = part.mem};
  }
  if (sparse_bind(g, m, binds) < 0) goto fail;
  if (find_address(g, m) < 0) goto fail;
  mem_free(g->c, binds);
  return VK_SUCCESS;
fail:
  mem_free(g->c, binds);
  vk_mem_drop(g, m);
  return g->result;
}

static VkResult block_make(gpu *g, struct vk_mem *m, uint64_t size) {
  if (size > one_allocation(g)) return sparse_make(g, m, size);
  return vk_mem_make(g, m, VK_MEM_DEVICE, size);
}

/* Memory that both sides reach at full speed: then the host copies by itself. A ring size
 * that was asked for means the rings are wanted. */
static bool is_unified(const gpu *g) {
  if (g->info.discrete || g->info.virtual_gpu || g->cfg.staging_bytes) return false;
  return pick_type(g, UINT32_MAX, unified_memory) >= 0;
}

bool vk_memory_open(gpu *g) {
  uint64_t heap = g->info.memory_bytes;
  uint64_t block = max_u64(64 * MIB, min_u64(heap / 32, 256 * MIB));
  g->unified = is_unified(g);
  g->limit = heap;
  if (g->cfg.max_bytes) g->limit = min_u64(g->cfg.max_bytes, heap);
  g->cold.cold_next = g->cold.cold_prev = &g->cold;
  g->keep = g->limit / (g->info.discrete ? 2 : 4);
  if (g->cfg.block_bytes) block = g->cfg.block_bytes;
  block = min_u64(min_u64(block, g->limit / 8), one_allocation(g));
  g->block_bytes = round_up_u64(max_u64(block, 4096), ALIGN);
  return true;
}

/* ── free ranges ────────────────────────────────────────────────────────────────────── */

static int bin_of(uint64_t size) {
  int b = 0;
  while (size >>= 1) b++;
  return b;
}

/* Ranges of dedicated blocks are in no bin: small requests must not pin them. */
static void bin_put(gpu *g, gpu_buf *r) {
  if (r->block->dedicated) return;
  gpu_buf **bin = &g->bins[bin_of(r->size)];
  r->bin_prev = NULL;
  r->bin_next = *bin;
  if (*bin) (*bin)->bin_prev = r;
  *bin = r;
}

static void bin_remove(gpu *g, gpu_buf *r) {
  if (r->block->dedicated) return;
  if (r->bin_prev) r->bin_prev->bin_next = r->bin_next;
  else g->bins[bin_of(r->size)] = r->bin_next;
  if (r->bin_next) r->bin_next->bin_prev = r->bin_prev;
}

/* The best of the first few ranges of the own bin, else one of the next bin that has any.
 */
static gpu_buf *bin_find(gpu *g, uint64_t need) {
  int bin = bin_of(need), tries = BIN_TRIES;
  gpu_buf *best = NULL;
  for (gpu_buf *r = g->bins[bin]; r && tries--; r = r->bin_next)
    if (r->size >= need && (!best || r->size < best->size)) best = r;
  while (!best && ++bin < VK_BINS) best = g->bins[bin];
  return best;
}

static bool block_empty(const struct vk_block *b) {
  return !b->first->live && !b->first->next;
}

/* ── blocks ─────────────────────────────────────────────────────────────────────────── */

/* Where the empty block is listed whose last use was the earliest, if its work is done, or NULL;
 * of several the one that was made first. */
static struct vk_block **oldest_empty(gpu *g) {
  struct vk_block **best = NULL;
  for (struct vk_block **at = &g->blocks; *at; at = &(*at)->next)
    if (block_empty(*at) && (!best || (*at)->first->last_use <= (*best)->first->last_use))
      best = at;
  return best && vk_done(g, (*best)->first->last_use) ? best : NULL;
}

/* Gives empty blocks whose work is done back to the driver until at most `keep` bytes of
 * empty blocks are left: what a program uses again and again stays. */
static void trim(gpu *g, uint64_t keep) {
  struct vk_block **at;
  while (g->empty_bytes > keep && (at = oldest_empty(g))) {
    struct vk_block *b = *at;
    *at = b->next;
    bin_remove(g, b->first);
    g->empty_bytes -= b->m.size;
    g->usage.reserved -= b->m.size;
    vk_mem_drop(g, &b->m);
    mem_free(g->c, b->first);
    mem_free(g->c, b);
  }
}

static bool full(gpu *g, uint64_t bytes) {
  g->result = VK_SUCCESS;
  return err_set(g->c, ERR_WS_FULL,
                 "%llu bytes of device memory asked, %llu of %llu are held",
                 (unsigned long long)bytes, (unsigned long long)g->usage.used,
                 (unsigned long long)g->limit);
}

/* The memory of a new block: at least need bytes, `want` if the limit leaves them. When
 * there is not enough, everything in flight is waited for, the empty blocks go back and
 * it is tried once more, for no more than is needed. */
static bool block_memory(gpu *g, struct vk_mem *m, uint64_t need, uint64_t want,
                         uint64_t bytes) {
  for (bool again = false;; again = true) {
    uint64_t room = g->limit - min_u64(g->limit, g->usage.reserved);
    uint64_t size = max_u64(need, min_u64(want, room));
    if (need <= room) {
      VkResult r = block_make(g, m, size);
      if (r >= 0) return true;
      if (r != VK_ERROR_OUT_OF_DEVICE_MEMORY && r != VK_ERROR_OUT_OF_HOST_MEMORY)
        return vk_error(g);
    }
    if (again) return full(g, bytes);
    if (!gpu_wait(g)) return false;
    trim(g, 0);
    want = need;
  }
}

/* A new block of one free range that holds `need` bytes, or NULL. */
static struct vk_block *block_new(gpu *g, uint64_t need, uint64_t want, bool dedicated,
                                  uint64_t bytes) {
  struct vk_block *b = mem_zalloc(g->c, sizeof *b);
  gpu_buf *r = mem_zalloc(g->c, sizeof *r);
  if (!b || !r || !block_memory(g, &b->m, need, want, bytes)) goto fail;
  /* 0 with every driver that we met. */
  uint64_t skip = round_up_u64(b->m.address, ALIGN) - b->m.address;
  if (skip + need > b->m.size) {
    vk_mem_drop(g, &b->m);
    err_set(g->c, ERR_DEVICE, "the driver aligns buffers to less than %d bytes",
            (int)ALIGN);
    goto fail;
  }
  b->dedicated = dedicated;
  b->first = r;
  b->next = g->blocks;
  g->blocks = b;
  *r = (gpu_buf){
      .block = b, .offset = skip, .size = (b->m.size - skip) & ~(uint64_t)(ALIGN - 1)};
  g->usage.reserved += b->m.size;
  g->usage.peak = max_u64(g->usage.peak, g->usage.reserved);
  g->empty_bytes += b->m.size;
  bin_put(g, r);
  return b;
fail:
  mem_free(g->c, b);
  mem_free(g->c, r);
  return NULL;
}

/* A free range of at least `need` bytes for a small request. */
static gpu_buf *range_small(gpu *g, uint64_t need, uint64_t bytes) {
  gpu_buf *r = bin_find(g, need);
  if (r) return r;
  struct vk_block *b = block_new(g, need, g->block_bytes, false, bytes);
  if (!b) return NULL;
  return b->first;
}

/* A block for a large request: an empty one at most a quarter larger, else a new one. */
static gpu_buf *range_large(gpu *g, uint64_t need, uint64_t bytes) {
  struct vk_block *best = NULL;
  for (struct vk_block *b = g->blocks; b; b = b->next)
    if (b->dedicated && b->m.exports == g->exports && !b->first->live &&
        b->first->size >= need && b->first->size - need <= need / 4 &&
        (!best || b->first->size < best->first->size))
      best = b;
  if (!best) best = block_new(g, need, need, true, bytes);
  if (!best) return NULL;
  return best->first;
}

/* ── the public part ────────────────────────────────────────────────────────────────── */

/* Cuts what is behind the first `need` bytes off a free range, into `rest`. */
static void split(gpu *g, gpu_buf *r, uint64_t need, gpu_buf *rest) {
  *rest = *r;
  rest->offset += need;
  rest->size -= need;
  rest->prev = r;
  if (rest->next) rest->next->prev = rest;
  r->next = rest;
  r->size = need;
  bin_put(g, rest);
}

/* Could an array of this size be held if it were the only one? */
static bool can_hold(gpu *g, uint64_t bytes) {
  uint64_t range = one_allocation(g);
  if (g->info.sparse) range = min_u64(g->info.max_sparse, g->info.max_buffer);
  const char *what = range < g->limit ? "in one array at most" : "of memory";
  uint64_t max = min_u64(range, g->limit);
  if (bytes <= max - min_u64(max, 2 * ALIGN)) return true;
  return err_set(g->c, ERR_LIMIT, "an array of %llu bytes, the device has %llu bytes %s",
                 (unsigned long long)bytes, (unsigned long long)max, what);
}

gpu_buf *gpu_alloc(gpu *g, uint64_t bytes) {
  if (vk_is_lost(g) || !can_hold(g, bytes)) return NULL;
  uint64_t need = round_up_u64(bytes + SLACK, ALIGN);
  bool large = need > g->block_bytes / 2;
  gpu_buf *rest = large ? NULL : mem_alloc(g->c, sizeof *rest);
  if (!large && !rest) return NULL;
  gpu_buf *r = large ? range_large(g, need, bytes) : range_small(g, need, bytes);
  if (!r) {
    mem_free(g->c, rest);
    return NULL;
  }
  if (block_empty(r->block)) g->empty_bytes -= r->block->m.size;
  bin_remove(g, r);
  if (!large && r->size > need) split(g, r, need, rest);
  else mem_free(g->c, rest);
  r->live = true;
  r->bytes = bytes;
  g->usage.used += r->size;
  return r;
}

/* Merges b, the later neighbour of a, into it; the latest accesses stay. */
static void merge(gpu *g, gpu_buf *a, gpu_buf *b) {
  a->size += b->size;
  a->last_use = max_u64(a->last_use, b->last_use);
  a->read_epoch = max_u64(a->read_epoch, b->read_epoch);
  a->write_epoch = max_u64(a->write_epoch, b->write_epoch);
  a->next = b->next;
  if (a->next) a->next->prev = a;
  mem_free(g->c, b);
}

gpu_buf *gpu_share(gpu_buf *b) {
  b->shares++;
  return b;
}

bool gpu_is_shared(const gpu_buf *b) { return b->shares > 0 || b->block->foreign; }

gpu_buf *vk_foreign(gpu *g, const struct vk_mem *m, uint64_t offset, uint64_t bytes,
                    void (*drop)(void *user), void *user) {
  struct vk_block *block = mem_zalloc(g->c, sizeof *block);
  gpu_buf *b = mem_zalloc(g->c, sizeof *b);
  if (!block || !b) {
    mem_free(g->c, block);
    mem_free(g->c, b);
    return NULL;
  }
  *block = (struct vk_block){.m = *m,
                             .first = b,
                             .dedicated = true,
                             .foreign = true,
                             .drop = drop,
                             .user = user};
  *b = (gpu_buf){
      .block = block, .offset = offset, .size = bytes, .bytes = bytes, .live = true};
  return b;
}

/* Imported memory as a buffer; `host` is where the host sees it, or NULL. */
static gpu_buf *import_buf(gpu *g, struct import *x, void *host, uint64_t bytes) {
  struct vk_mem m;
  if (mem_import(g, &m, x, bytes) < 0) {
    vk_error(g);
    return NULL;
  }
  m.host = host;
  gpu_buf *b = vk_foreign(g, &m, 0, bytes, NULL, NULL);
  if (b) b->block->imported = true;
  else vk_mem_drop(g, &m);
  return b;
}

gpu_buf *gpu_import_host(gpu *g, void *host, uint64_t bytes) {
  uint64_t align = g->info.host_align;
  VkMemoryHostPointerPropertiesEXT can = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  VkImportMemoryHostPointerInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
      .handleType = VK_HOST_MEMORY,
      .pHostPointer = host};
  struct import x = {.how = VK_HOST_MEMORY, .info = &info, .kind = VK_MEM_IMPORT};
  if (vk_is_lost(g)) return NULL;
  if (!align) {
    err_set(g->c, ERR_DEVICE, "%.80s imports no host memory", g->info.name);
    return NULL;
  }
  assert(bytes && bytes % align == 0 && (uintptr_t)host % align == 0);
  VK(g, GetMemoryHostPointerPropertiesEXT, g->device, VK_HOST_MEMORY, host, &can);
  x.types = can.memoryTypeBits;
  return import_buf(g, &x, host, bytes);
fail:
  vk_error(g);
  return NULL;
}

gpu_buf *gpu_import_fd(gpu *g, int fd, uint64_t bytes) {
  VkImportMemoryFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                  .handleType = VK_FD_MEMORY,
                                  .fd = fd};
  struct import x = {
      .how = VK_FD_MEMORY, .info = &info, .kind = VK_MEM_DEVICE, .types = UINT32_MAX};
  gpu_buf *b = NULL;
  if (!g->info.import_fd)
    err_set(g->c, ERR_DEVICE, "%.80s imports no memory of others", g->info.name);
  else if (!vk_is_lost(g)) b = import_buf(g, &x, NULL, bytes);
  if (!x.taken) close(fd);
  return b;
}

/* Then its owner may do anything with it, so the device must have finished with it. */
static void foreign_free(gpu *g, gpu_buf *b) {
  struct vk_block *block = b->block;
  if (!vk_done(g, b->last_use)) {
    if (!gpu_lost(g)) gpu_submit(g);
    if (!vk_is_forked(g)) vk_idle(g); /* a lost device may still work */
  }
  if (block->imported) vk_mem_drop(g, &block->m);
  if (block->drop) block->drop(block->user);
  mem_free(g->c, block);
  mem_free(g->c, b);
}

void gpu_free(gpu *g, gpu_buf *b) {
  if (!b) return;
  if (b->shares) {
    b->shares--;
    return;
  }
  struct vk_block *block = b->block;
  gpu_set_tag(g, b, NULL);
  if (block->foreign) {
    foreign_free(g, b);
    return;
  }
  g->usage.used -= b->size;
  b->live = false;
  if (b->next && !b->next->live) {
    bin_remove(g, b->next);
    merge(g, b, b->next);
  }
  if (b->prev && !b->prev->live) {
    b = b->prev;
    bin_remove(g, b);
    merge(g, b, b->next);
  }
  bin_put(g, b);
  if (!block_empty(block)) return;
  g->empty_bytes += block->m.size;
  if (g->empty_bytes > g->keep) trim(g, g->keep);
}

static void cold_insert(gpu *g, gpu_buf *b) { /* at the warm end */
  b->cold_next = &g->cold;
  b->cold_prev = g->cold.cold_prev;
  b->cold_prev->cold_next = b->cold_next->cold_prev = b;
}

static void cold_remove(gpu_buf *b) {
  b->cold_prev->cold_next = b->cold_next;
  b->cold_next->cold_prev = b->cold_prev;
}

void gpu_set_tag(gpu *g, gpu_buf *b, void *tag) {
  if (b->tag) cold_remove(b);
  b->tag = tag;
  if (tag) cold_insert(g, b);
}

void vk_warm(gpu *g, gpu_buf *b) { gpu_set_tag(g, b, b->tag); }

void *gpu_get_tag(const gpu_buf *b) { return b->tag; }

gpu_buf *gpu_cold(const gpu *g, const gpu_buf *b) {
  const gpu_buf *last = b ? b : &g->cold;
  gpu_buf *next = last->cold_next;
  return next == &g->cold ? NULL : next;
}

void vk_memory_close(gpu *g) {
  if (g->bind_done) g->vk.DestroySemaphore(g->device, g->bind_done, NULL);
  g->bind_done = VK_NULL_HANDLE;
  while (g->blocks) {
    struct vk_block *b = g->blocks;
    g->blocks = b->next;
    for (gpu_buf *r = b->first, *next; r; r = next) {
      next = r->next;
      mem_free(g->c, r);
    }
    vk_mem_drop(g, &b->m);
    mem_free(g->c, b);
  }
}

/* ── memory that others open (share.h) ──────────────────────────────────────────────── */

/* A block that was there before is emptied as what lies in it is freed. */
bool gpu_begin_exports(gpu *g) {
  if (g->exports || vk_is_lost(g)) return g->exports;
  if (!g->can_export)
    return err_set(g->c, ERR_DEVICE, "%.80s exports no memory", g->info.name);
  g->exports = true;
  for (struct vk_block *b = g->blocks; b; b = b->next) {
    for (gpu_buf *r = b->first; r; r = r->next)
      if (!r->live) bin_remove(g, r);
    b->dedicated = true;
  }
  trim(g, 0);
  return true;
}

bool gpu_is_exported(const gpu_buf *b) { return b->block->m.exports && b->block->m.mem; }

void gpu_set_seen(gpu_buf *b, void *seen, void (*unsee)(void *seen)) {
  b->block->m.seen = seen;
  b->block->m.unsee = unsee;
}

const struct vk_mem *vk_buf_mem(const gpu_buf *b) { return &b->block->m; }
uint64_t gpu_address(const gpu_buf *b) { return b->block->m.address + b->offset; }
uint64_t gpu_bytes(const gpu_buf *b) { return b->bytes; }
