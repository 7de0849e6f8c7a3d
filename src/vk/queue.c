/* SPDX-License-Identifier: MIT */
/* queue.c - commands into batches, batches to the one queue, and waiting for them.
 *
 *   timeline   …  completed  ………  submitted   submitted + 1
 *                 (done)     (in flight)      (the open batch, being recorded)
 *
 * Each batch is a command buffer and one value of the timeline semaphore; up to 8 are in
 * flight, then the oldest is waited for. Its argument blocks and upload data lie in rings,
 * whose space comes back when the timeline passes the batch.
 *
 * Barriers: an epoch is what lies between two barriers. A buffer remembers the epochs of
 * its last read and last write; a command that reads what was written in the running epoch,
 * or writes what was touched in it, gets a barrier first, which begins a new epoch for
 * every buffer. One global barrier is as good as many small ones on the GPUs we know, and
 * dispatches without a dependency overlap. Barriers work across batches, as submission
 * order does.
 *
 * A batch whose submission fails is dropped: its timeline value goes to the next batch, and
 * since its barriers are gone, the next command starts with a full one. */
#include <string.h>
#include <time.h>
#include "vk.h"

enum {
  RING_ALIGN = 64,
  RING_LEAST = 256,
  ARGS_BYTES = 1 << 20,
  ARGS_LEAST = 4096,
  UP_BYTES = 16 << 20
};
#define POLL_NS  50000 /* polling sees the end sooner than a wait does: 13 µs, not 30 */
#define SLICE_NS 100000000 /* a wait is cut into these, so that a lost device is noticed   \
                            */

#define BOTH_STAGES (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)

bool vk_queue_open(gpu *g) {
  VkCommandBuffer cmd[VK_BATCHES];
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                  .queueFamilyIndex = g->family};
  VK(g, CreateCommandPool, g->device, &pool, NULL, &g->pool);
  VkCommandBufferAllocateInfo buffers = {.sType =
                                             VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .commandPool = g->pool,
                                         .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                         .commandBufferCount = VK_BATCHES};
  VK(g, AllocateCommandBuffers, g->device, &buffers, cmd);
  for (int i = 0; i < VK_BATCHES; i++) g->batch[i].cmd = cmd[i];
  VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo sem = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                               .pNext = &type};
  VK(g, CreateSemaphore, g->device, &sem, NULL, &g->timeline);
  if (g->info.timestamp_ns > 0) {
    VkQueryPoolCreateInfo query = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                   .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                   .queryCount = 2};
    VK(g, CreateQueryPool, g->device, &query, NULL, &g->query);
  }
  g->epoch = 1; /* 0 in a buffer is: never */
  return true;
fail:
  return vk_error(g);
}

void vk_queue_close(gpu *g) {
  vk_mem_drop(g, &g->args.m);
  vk_mem_drop(g, &g->up.m);
  if (g->query) g->vk.DestroyQueryPool(g->device, g->query, NULL);
  if (g->timeline) g->vk.DestroySemaphore(g->device, g->timeline, NULL);
  if (g->pool) g->vk.DestroyCommandPool(g->device, g->pool, NULL);
}

/* ── the timeline ───────────────────────────────────────────────────────────────────── */

/* Gives back what batches up to `completed` held. */
static void retire(gpu *g) {
  for (; g->oldest != g->newest; g->oldest++) {
    struct vk_batch *b = &g->batch[g->oldest % VK_BATCHES];
    if (b->value > g->completed) return;
    g->args.tail = b->args_end;
    g->up.tail = b->up_end;
  }
  if (g->recording) return;
  g->args.head = g->args.tail = 0;
  g->up.head = g->up.tail = 0;
}

static bool ask_timeline(gpu *g) {
  uint64_t now = 0;
  VK(g, GetSemaphoreCounterValue, g->device, g->timeline, &now);
  if (now > g->completed) {
    g->completed = now;
    retire(g);
  }
  return true;
fail:
  return false;
}

bool vk_done(gpu *g, uint64_t value) {
  if (value <= g->completed) return true;
  if (value > g->submitted)
    return !g->recording; /* the open batch, or one that was dropped */
  if (g->lost) return false;
  if (!ask_timeline(g)) {
    g->lost |= g->result == VK_ERROR_DEVICE_LOST;
    g->result = VK_SUCCESS; /* the caller does without, no error */
  }
  return value <= g->completed;
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What is in flight is bounded, so the interrupt flag is left to the caller. */
bool vk_wait_value(gpu *g, uint64_t value) {
  if (g->completed >= value) return true;
  if (vk_is_lost(g)) return false;
  if (!g->info.cpu)
    for (int64_t end = now_ns() + POLL_NS; g->completed < value && now_ns() < end;)
      if (!ask_timeline(g)) goto fail;
  while (g->completed < value) {
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &g->timeline,
                                .pValues = &value};
    VK(g, WaitSemaphores, g->device, &wait, SLICE_NS);
    if (!ask_timeline(g)) goto fail;
  }
  return true;
fail:
  return vk_error(g);
}

bool gpu_wait(gpu *g) { return gpu_submit(g) && vk_wait_value(g, g->submitted); }

/* ── batches ────────────────────────────────────────────────────────────────────────── */

VkCommandBuffer vk_cmd(const gpu *g) { return g->batch[g->newest % VK_BATCHES].cmd; }

/* Opens a batch unless one is open that has room for more commands. */
bool vk_batch_open(gpu *g) {
  if (vk_is_lost(g)) return false;
  if (g->recording && g->commands < VK_BATCH_COMMANDS) return true;
  if (!gpu_submit(g)) return false;
  if (g->newest - g->oldest == VK_BATCHES &&
      !vk_wait_value(g, g->batch[g->oldest % VK_BATCHES].value))
    return false;
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VK(g, BeginCommandBuffer, vk_cmd(g), &begin);
  g->recording = true;
  g->to_host = g->unified;
  g->commands = 0;
  g->bound = VK_NULL_HANDLE;
  return true;
fail:
  return vk_error(g);
}

bool gpu_submit(gpu *g) {
  if (vk_is_lost(g)) return false;
  if (!g->recording) return true;
  struct vk_batch *b = &g->batch[g->newest % VK_BATCHES];
  uint64_t value = g->submitted + 1;
  if (g->to_host) { /* what the host will read through a mapping */
    VkMemoryBarrier m = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                         .srcAccessMask =
                             VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                         .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    g->vk.CmdPipelineBarrier(b->cmd, BOTH_STAGES, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &m, 0,
                             NULL, 0, NULL);
  }
  VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &value};
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .pNext = &values,
                       .commandBufferCount = 1,
                       .pCommandBuffers = &b->cmd,
                       .signalSemaphoreCount = 1,
                       .pSignalSemaphores = &g->timeline};
  g->recording = false;
  VK(g, EndCommandBuffer, b->cmd);
  VK(g, QueueSubmit, g->queue, 1, &info, VK_NULL_HANDLE);
  b->value = g->submitted = value;
  b->args_end = g->args.head;
  b->up_end = g->up.head;
  g->newest++;
  g->usage.submits++;
  return true;
fail:
  g->vk.ResetCommandBuffer(b->cmd, 0);
  g->must_barrier = true;
  g->timing = false;
  retire(g);
  return vk_error(g);
}

/* Makes a ring when it is first needed. */
bool vk_ring_open(gpu *g, struct vk_ring *r) {
  bool args = r == &g->args;
  uint64_t size = args ? ARGS_BYTES : UP_BYTES, asked = g->cfg.staging_bytes;
  if (r->m.buf) return true;
  if (asked && asked < size) size = asked;
  if (args && size < ARGS_LEAST) size = ARGS_LEAST;
  size = (size + RING_LEAST - 1) / RING_LEAST * RING_LEAST;
  return vk_mem_make(g, &r->m, args ? VK_MEM_ARGS : VK_MEM_UPLOAD, size) >= 0 ||
         vk_error(g);
}

/* n bytes of a ring for the open batch, which is opened if need be. When the ring is full,
 * older batches are waited for, and the open one is submitted if there is no other. */
bool vk_ring_take(gpu *g, struct vk_ring *r, uint64_t n, uint64_t *offset) {
  if (!vk_ring_open(g, r)) return false;
  if (n > r->m.size)
    return err_set(g->c, ERR_LIMIT, "%llu bytes of arguments, at most %llu",
                   (unsigned long long)n, (unsigned long long)r->m.size);
  while (vk_batch_open(g)) {
    bool idle = g->oldest == g->newest;
    if (idle && r->head == r->tail) r->head = r->tail = 0;
    uint64_t at = (r->head + RING_ALIGN - 1) / RING_ALIGN * RING_ALIGN;
    if (at % r->m.size + n > r->m.size) at += r->m.size - at % r->m.size;
    if (at + n - r->tail <= r->m.size) {
      r->head = at + n;
      *offset = at % r->m.size;
      return true;
    }
    if (idle ? !gpu_submit(g) : !vk_wait_value(g, g->batch[g->oldest % VK_BATCHES].value))
      break;
  }
  return false;
}

/* ── barriers ───────────────────────────────────────────────────────────────────────── */

static void barrier(gpu *g) {
  VkPipelineStageFlags from = g->must_barrier ? BOTH_STAGES : g->stages;
  VkMemoryBarrier m = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask =
          (from & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT ? VK_ACCESS_SHADER_WRITE_BIT : 0u) |
          (from & VK_PIPELINE_STAGE_TRANSFER_BIT ? VK_ACCESS_TRANSFER_WRITE_BIT : 0u),
      .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
  g->vk.CmdPipelineBarrier(vk_cmd(g), from, BOTH_STAGES, 0, 1, &m, 0, NULL, 0, NULL);
  g->epoch++;
  g->stages = 0;
  g->must_barrier = false;
}

void vk_touch(gpu *g, VkPipelineStageFlags stage, const gpu_use *uses, uint32_t n) {
  bool need = g->must_barrier;
  for (uint32_t i = 0; i < n && !need; i++)
    need = uses[i].buf->write_epoch == g->epoch ||
           (uses[i].write && uses[i].buf->read_epoch == g->epoch);
  if (need) barrier(g);
  g->stages |= stage;
  for (uint32_t i = 0; i < n; i++) {
    gpu_buf *b = uses[i].buf;
    if (uses[i].write) b->write_epoch = g->epoch;
    else b->read_epoch = g->epoch;
    b->last_use = g->submitted + 1;
  }
  g->commands++;
}

/* ── dispatch ───────────────────────────────────────────────────────────────────────── */

/* Spreads groups over x and y so that fewer than y of them are idle. */
static bool spread(gpu *g, uint64_t groups, uint32_t *x, uint32_t *y) {
  uint64_t limit = g->info.max_groups_x, rows = (groups - 1) / limit + 1;
  if (rows > g->max_groups_y)
    return err_set(g->c, ERR_LIMIT, "%llu workgroups, the device takes at most %llu",
                   (unsigned long long)groups, (unsigned long long)limit * g->max_groups_y);
  *y = (uint32_t)rows;
  *x = (uint32_t)((groups + rows - 1) / rows);
  return true;
}

bool gpu_record(gpu *g, const gpu_dispatch *d) {
  uint32_t x = 1, y = 1;
  uint64_t offset;
  if (!d->groups) return true;
  if (!spread(g, d->groups, &x, &y)) return false;
  if (!vk_ring_take(g, &g->args, d->arg_bytes ? d->arg_bytes : 8, &offset)) return false;
  if (d->arg_bytes) memcpy(g->args.m.host + offset, d->args, d->arg_bytes);
  uint64_t address = g->args.m.address + offset;
  VkPipeline pipeline = vk_kernel_pipeline(d->kernel);
  VkCommandBuffer cmd = vk_cmd(g);
  vk_touch(g, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, d->uses, d->n_uses);
  if (pipeline != g->bound)
    g->vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  g->bound = pipeline;
  g->vk.CmdPushConstants(cmd, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof address,
                         &address);
  g->vk.CmdDispatch(cmd, x, y, 1);
  g->usage.dispatches++;
  return true;
}

/* ── timing ─────────────────────────────────────────────────────────────────────────── */

/* Both stamps wait for all that was recorded before them. */
bool gpu_time_begin(gpu *g) {
  if (!g->query) return !vk_is_lost(g);
  if (!vk_batch_open(g)) return false;
  g->vk.CmdResetQueryPool(vk_cmd(g), g->query, 0, 2);
  g->vk.CmdWriteTimestamp(vk_cmd(g), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->query, 0);
  g->timing = true;
  return true;
}

bool gpu_time_end(gpu *g, double *ns) {
  uint64_t t[2];
  *ns = -1;
  if (!g->query || !g->timing) return gpu_wait(g);
  if (!vk_batch_open(g)) return false;
  g->vk.CmdWriteTimestamp(vk_cmd(g), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->query, 1);
  if (!gpu_wait(g)) return false;
  g->timing = false;
  VK(g, GetQueryPoolResults, g->device, g->query, 0, 2, sizeof t, t, sizeof t[0],
     VK_QUERY_RESULT_64_BIT);
  if (g->result != VK_SUCCESS) return true; /* not ready: a driver without them after all */
  uint64_t mask =
      g->timestamp_bits < 64 ? ((uint64_t)1 << g->timestamp_bits) - 1 : UINT64_MAX;
  *ns = (double)((t[1] - t[0]) & mask) * g->info.timestamp_ns;
  return true;
fail:
  return vk_error(g);
}
