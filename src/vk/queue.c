/* SPDX-License-Identifier: MIT */
/* queue.c - commands into batches, batches to the one queue, and waiting for them.
 *
 *   timeline   …  completed  ………  submitted   submitted + 1
 *                 (done)     (in flight)      (the open batch, being recorded)
 *
 * Each batch is a command buffer and one value of the timeline semaphore; up to 8 are in
 * flight, then the oldest is waited for. Its argument blocks and upload data lie in
 * rings, whose space comes back when the timeline passes the batch.
 *
 * Barriers: an epoch is what lies between two barriers. A buffer remembers the epochs of
 * its last read and last write; a command that reads what was written in the running
 * epoch, or writes what was touched in it, gets a barrier first, which begins a new epoch
 * for every buffer. One global barrier is as good as many small ones on the GPUs we know,
 * and dispatches without a dependency overlap. Barriers work across batches, as
 * submission order does.
 *
 * Time: no dispatch is to keep the device longer than CUT_NS, and no more than FLIGHT_NS
 * of work is handed over ahead of what the device has done, so that an interrupt is
 * answered soon and the driver's watchdog does not reset the device. A dispatch says what
 * work it has, and each kernel's rate is learned from how long its batches take; a kernel
 * that was never timed is taken to be slow. What would take longer is cut by workgroups
 * into dispatches that are submitted one by one; they need no barrier between them.
 * Waiting reads the interrupt flag every SLICE_NS. An interrupt ends the wait; the work in
 * flight runs to its end.
 *
 * A batch whose submission fails is dropped: its timeline value goes to the next batch,
 * and since its barriers are gone, the next command starts with a full one. */
#include <string.h>
#include <time.h>
#include "vk.h"
#include "../base/arith.h"

enum {
  RING_ALIGN = 64,
  RING_LEAST = 256,
  ARGS_BYTES = 1 << 20,
  ARGS_LEAST = 4096,
  UP_BYTES = 32 << 20
};
/* Polling sees the end sooner than a wait does, which takes 30 to 400 µs more: so long about when it is expected. */
#define POLL_NS 400000
/* A wait is cut into these, so that an interrupt or a lost device is seen. */
#define SLICE_NS 20000000
#define CUT_NS 50e6
#define GATHER_NS 1e6
#define FLIGHT_NS 100e6
/* Batches that took less say no more of their kernel's rate than that it is as high as if they had taken this. */
#define TIMED_NS 200000
/* Elements × instructions per ns, before a kernel was timed: what the slower kernels
 * reach on a device of that sort. */
#define RATE_DISCRETE 1000.0
#define RATE_SHARED 100.0
#define RATE_CPU 0.2

#define BOTH_STAGES                                                                      \
  (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)

bool vk_queue_open(gpu *g) {
  VkCommandBuffer cmd[VK_BATCHES];
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .flags =
                                      VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                  .queueFamilyIndex = g->family};
  VK_NEW(g, &g->pool, CreateCommandPool, g->device, &pool);
  VkCommandBufferAllocateInfo buffers = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = g->pool,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = VK_BATCHES};
  VK(g, AllocateCommandBuffers, g->device, &buffers, cmd);
  for (int i = 0; i < VK_BATCHES; i++) g->batch[i].cmd = cmd[i];
  VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo sem = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                               .pNext = &type};
  VK_NEW(g, &g->timeline, CreateSemaphore, g->device, &sem);
  if (g->info.timestamp_ns > 0) {
    VkQueryPoolCreateInfo query = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                   .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                   .queryCount = 2 + 2 * VK_BATCHES};
    VK_NEW(g, &g->query, CreateQueryPool, g->device, &query);
  }
  g->epoch = 1; /* 0 in a buffer is: never */
  g->rate = RATE_SHARED;
  if (g->info.cpu) g->rate = RATE_CPU;
  else if (g->info.discrete) g->rate = RATE_DISCRETE;
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

int64_t vk_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A kernel's measured rate, in work per ns. */
static double rate_of(const gpu *g, gpu_kernel *k) {
  double rate = *vk_kernel_rate(k);
  return rate > 0 ? rate : g->rate;
}

/* A batch that was watched to its end tells the rate of the kernel that most of it went
 * to. */
static void learn(gpu *g, const struct vk_batch *b, int64_t now) {
  int64_t took = now - max_i64(b->begun, g->retired);
  if (!b->longest || b->begun < g->unsure) return;
  double was = rate_of(g, b->longest), rate = b->work / (double)max_i64(took, TIMED_NS);
  if (took < TIMED_NS && rate < was) return;
  if (rate > 8 * was) rate = 8 * was;
  if (rate < was / 8) rate = was / 8;
  *vk_kernel_rate(b->longest) = rate;
}

/* The first query of a batch's pair. */
static uint32_t query_of(const gpu *g, const struct vk_batch *b) {
  return 2 + 2 * (uint32_t)(b - g->batch);
}

static double ticks_ns(const gpu *g, const uint64_t t[2]) {
  uint64_t mask = UINT64_MAX;
  if (g->timestamp_bits < 64) mask = ((uint64_t)1 << g->timestamp_bits) - 1;
  return (double)((t[1] - t[0]) & mask) * g->info.timestamp_ns;
}

static void took(gpu *g, const struct vk_batch *b, double ns) {
  g->usage.device_ns += ns;
  if (g->took) g->took(g->took_user, b->owner, ns);
}

/* Adds what a batch took, if the driver gives its timestamps. */
static void meter(gpu *g, const struct vk_batch *b) {
  uint64_t t[2];
  if (b->metered &&
      VK_CALL(g, GetQueryPoolResults, g->device, g->query, query_of(g, b), 2, sizeof t, t,
              sizeof t[0], VK_QUERY_RESULT_64_BIT) == VK_SUCCESS)
    took(g, b, ticks_ns(g, t));
}

static bool is_done(const gpu *g, uint64_t batch) {
  return batch != g->newest && g->batch[batch % VK_BATCHES].value <= g->completed;
}

/* Gives back what batches up to `completed` held. Of several that ended since the last look nobody
 * knows when each did. */
static void retire(gpu *g) {
  int64_t now = 0;
  bool seen = g->watching && g->oldest != g->newest && !is_done(g, g->oldest + 1);
  if (g->oldest != g->newest) now = vk_now();
  for (; g->oldest != g->newest; g->oldest++) {
    struct vk_batch *b = &g->batch[g->oldest % VK_BATCHES];
    if (b->value > g->completed) return;
    if (seen) {
      learn(g, b, now);
      g->retired = now;
    } else {
      g->unsure = now;
    }
    meter(g, b);
    g->in_flight -= b->ns;
    g->args.tail = b->args_end;
    g->up.tail = b->up_end;
  }
  g->in_flight = 0;
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
  /* The open batch; or one that was dropped, but not those before. */
  if (value > g->submitted) {
    if (g->recording) return false;
    value = g->submitted;
  }
  if (value <= g->completed) return true;
  if (gpu_lost(g)) return false;
  if (!ask_timeline(g)) {
    g->lost |= g->result == VK_ERROR_DEVICE_LOST;
    g->result = VK_SUCCESS; /* the caller does without, no error */
  }
  return value <= g->completed;
}

/* When the device is expected to have reached that value, by the rates of kernels. */
static int64_t expected_end(const gpu *g, uint64_t value) {
  int64_t end = g->retired;
  for (uint64_t k = g->oldest; k != g->newest; k++) {
    const struct vk_batch *b = &g->batch[k % VK_BATCHES];
    if (b->value <= value) end = max_i64(end, b->begun) + (int64_t)b->ns;
  }
  return end;
}

static bool wait_for(gpu *g, uint64_t value, int64_t ns) {
  VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                              .semaphoreCount = 1,
                              .pSemaphores = &g->timeline,
                              .pValues = &value};
  VK(g, WaitSemaphores, g->device, &wait, (uint64_t)ns);
  return ask_timeline(g);
fail:
  return false;
}

bool vk_wait_value(gpu *g, uint64_t value) {
  /* Work that is not submitted was dropped and will not be signalled. */
  value = min_u64(value, g->submitted);
  if (g->completed >= value) return true;
  /* A batch that was done before the first wait ended at an unknown time, so it gives no rate. */
  if (vk_is_lost(g) || !ask_timeline(g)) goto fail;
  g->watching = true;
  bool polls =
      !g->info.cpu; /* at first, for what is short, and about when the end is expected */
  while (g->completed < value) {
    if (interrupted(g->c)) goto fail;
    for (int64_t end = vk_now() + POLL_NS;
         polls && g->completed < value && vk_now() < end;)
      if (!ask_timeline(g)) goto fail;
    if (g->completed >= value) break;
    int64_t early = expected_end(g, value) - vk_now() - POLL_NS / 2;
    polls = !g->info.cpu && early > 0 && early < SLICE_NS;
    if (!wait_for(g, value, early > 0 ? min_i64(early, SLICE_NS) : SLICE_NS)) goto fail;
  }
  g->watching = false;
  return true;
fail:
  g->watching = false;
  return vk_error(g);
}

bool gpu_wait(gpu *g) { return gpu_submit(g) && vk_wait_value(g, g->submitted); }

bool gpu_set_mark(gpu *g, gpu_mark *mark) {
  bool ok = gpu_submit(g);
  *mark = g->submitted;
  return ok;
}

bool gpu_reached(gpu *g, gpu_mark mark, bool *reached) {
  *reached = vk_done(g, mark);
  return *reached || !vk_is_lost(g);
}

/* ── batches ────────────────────────────────────────────────────────────────────────── */

VkCommandBuffer vk_cmd(const gpu *g) { return g->batch[g->newest % VK_BATCHES].cmd; }

static bool wait_oldest(gpu *g) {
  return vk_wait_value(g, g->batch[g->oldest % VK_BATCHES].value);
}

/* Opens a batch unless one is open that has room for more commands. */
bool vk_batch_open(gpu *g) {
  if (vk_is_lost(g)) return false;
  if (g->recording && g->commands < VK_BATCH_COMMANDS) return true;
  if (!gpu_submit(g)) return false;
  while (g->newest != g->oldest &&
         (g->newest - g->oldest == VK_BATCHES || g->in_flight > FLIGHT_NS))
    if (!wait_oldest(g)) return false;
  struct vk_batch *b = &g->batch[g->newest % VK_BATCHES];
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VK(g, BeginCommandBuffer, b->cmd, &begin);
  b->work = b->ns = b->most = 0;
  b->longest = NULL;
  b->owner = g->owner;
  b->metered = g->meter && g->query;
  if (b->metered) {
    g->vk.CmdResetQueryPool(b->cmd, g->query, query_of(g, b), 2);
    g->vk.CmdWriteTimestamp(b->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->query,
                            query_of(g, b));
  }
  g->recording = true;
  g->to_host = g->unified;
  g->commands = 0;
  g->bound = VK_NULL_HANDLE;
  return true;
fail:
  return vk_error(g);
}

bool gpu_is_recording(const gpu *g) { return g->recording; }

/* Is there as much before the device as lets it go on while more is recorded? */
bool gpu_is_busy(gpu *g) {
  return g->newest - g->oldest > 1 &&
         !vk_done(g, g->batch[(g->newest - 2) % VK_BATCHES].value);
}

/* Between two submissions a device does nothing for some 10 µs, between commands of one for 1 or 2. So
 * commands are gathered while the device has two submissions before it: as many as the host records
 * meanwhile, up to GATHER_NS of work. */
bool gpu_flush(gpu *g) {
  const struct vk_batch *b = &g->batch[g->newest % VK_BATCHES];
  if (g->recording && b->ns < GATHER_NS && gpu_is_busy(g)) return true;
  return gpu_submit(g);
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
  if (b->metered)
    g->vk.CmdWriteTimestamp(b->cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->query,
                            query_of(g, b) + 1);
  uint32_t waits = g->wait_for != VK_NULL_HANDLE;
  VkPipelineStageFlags stages = BOTH_STAGES;
  VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = waits,
      .pWaitSemaphoreValues = &g->wait_value,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &value};
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .pNext = &values,
                       .waitSemaphoreCount = waits,
                       .pWaitSemaphores = &g->wait_for,
                       .pWaitDstStageMask = &stages,
                       .commandBufferCount = 1,
                       .pCommandBuffers = &b->cmd,
                       .signalSemaphoreCount = 1,
                       .pSignalSemaphores = &g->timeline};
  g->recording = false;
  VK(g, EndCommandBuffer, b->cmd);
  vk_lock(g);
  g->result = VK_CALL(g, QueueSubmit, g->queue, 1, &info, VK_NULL_HANDLE);
  vk_unlock(g);
  g->call = "vkQueueSubmit";
  if (g->result < 0) goto fail;
  g->wait_for = VK_NULL_HANDLE;
  b->value = g->submitted = value;
  b->begun = vk_now();
  g->in_flight += b->ns;
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
  uint64_t size = args ? ARGS_BYTES : UP_BYTES;
  if (r->m.buf) return true;
  if (g->cfg.staging_bytes) size = min_u64(size, g->cfg.staging_bytes);
  if (args) size = max_u64(size, ARGS_LEAST);
  size = round_up_u64(size, RING_LEAST);
  return vk_mem_make(g, &r->m, args ? VK_MEM_ARGS : VK_MEM_UPLOAD, size) >= 0 ||
         vk_error(g);
}

/* n bytes of a ring for the open batch, which is opened if need be. When the ring is
 * full, older batches are waited for, and the open one is submitted if there is no
 * other. */
bool vk_ring_take(gpu *g, struct vk_ring *r, uint64_t n, uint64_t *offset) {
  if (!vk_ring_open(g, r)) return false;
  if (n > r->m.size)
    return err_set(g->c, ERR_LIMIT, "%llu bytes of arguments, at most %llu",
                   (unsigned long long)n, (unsigned long long)r->m.size);
  while (vk_batch_open(g)) {
    bool idle = g->oldest == g->newest;
    if (idle && r->head == r->tail) r->head = r->tail = 0;
    uint64_t at = round_up_u64(r->head, RING_ALIGN);
    if (at % r->m.size + n > r->m.size) at += r->m.size - at % r->m.size;
    if (at + n - r->tail <= r->m.size) {
      r->head = at + n;
      *offset = at % r->m.size;
      return true;
    }
    bool ok = idle ? gpu_submit(g) : wait_oldest(g);
    if (!ok) break;
  }
  return false;
}

/* ── barriers ───────────────────────────────────────────────────────────────────────── */

/* How commands of these stages write. */
static VkAccessFlags writes_of(VkPipelineStageFlags stages) {
  VkAccessFlags f = 0;
  if (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) f |= VK_ACCESS_SHADER_WRITE_BIT;
  if (stages & VK_PIPELINE_STAGE_TRANSFER_BIT) f |= VK_ACCESS_TRANSFER_WRITE_BIT;
  return f;
}

static void barrier(gpu *g) {
  VkPipelineStageFlags from = g->must_barrier ? BOTH_STAGES : g->stages;
  VkMemoryBarrier m = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                       .srcAccessMask = writes_of(from),
                       .dstAccessMask =
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                           VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
  g->vk.CmdPipelineBarrier(vk_cmd(g), from, BOTH_STAGES, 0, 1, &m, 0, NULL, 0, NULL);
  g->epoch++;
  g->stages = 0;
  g->must_barrier = false;
}

/* What was before comes first, and what is behind last. */
void gpu_apart(gpu *g, bool on) {
  g->apart = on;
  g->must_barrier = true;
}

void vk_touch(gpu *g, VkPipelineStageFlags stage, const gpu_use *uses, uint32_t n,
              bool ordered) {
  bool need = g->must_barrier;
  for (uint32_t i = 0; i < n && !need && !ordered && !g->apart; i++)
    need = uses[i].buf->write_epoch == g->epoch ||
           (uses[i].write && uses[i].buf->read_epoch == g->epoch);
  if (need) barrier(g);
  g->stages |= stage;
  for (uint32_t i = 0; i < n; i++) {
    gpu_buf *b = uses[i].buf;
    if (uses[i].write) b->write_epoch = g->epoch;
    else b->read_epoch = g->epoch;
    b->last_use = g->submitted + 1;
    vk_warm(g, b);
  }
  g->commands++;
}

/* ── dispatch ───────────────────────────────────────────────────────────────────────── */

/* Spreads groups over x and y so that fewer than y of them are idle. */
static bool queue_spread(gpu *g, uint64_t groups, uint32_t *x, uint32_t *y) {
  uint64_t limit = g->info.max_groups_x, rows = (groups - 1) / limit + 1;
  if (rows > g->max_groups_y)
    return err_set(g->c, ERR_LIMIT, "%llu workgroups, the device takes at most %llu",
                   (unsigned long long)groups,
                   (unsigned long long)limit * g->max_groups_y);
  *y = (uint32_t)rows;
  *x = (uint32_t)((groups + rows - 1) / rows);
  return true;
}

/* How many of its workgroups a dispatch may have. */
static uint64_t groups_at_once(gpu *g, const gpu_dispatch *d) {
  double most = g->cfg.cut_work;
  double rate = rate_of(g, d->kernel);
  if (d->guessed && rate > g->rate) rate = g->rate;
  if (most <= 0) most = CUT_NS * rate;
  if (!d->range_at || d->work <= most) return d->groups;
  return max_u64(1, (uint64_t)((double)d->groups * (most / d->work)));
}

static void charge(gpu *g, const gpu_dispatch *d, double work) {
  struct vk_batch *b = &g->batch[g->newest % VK_BATCHES];
  b->work += work;
  b->ns += work / rate_of(g, d->kernel);
  if (work <= b->most) return;
  b->most = work;
  b->longest = d->kernel;
}

/* One dispatch, of the workgroups from first to end. */
static bool record_part(gpu *g, const gpu_dispatch *d, uint64_t first, uint64_t end) {
  uint32_t x = 1, y = 1, range[2] = {(uint32_t)end, (uint32_t)first};
  uint64_t offset;
  if (!queue_spread(g, end - first, &x, &y)) return false;
  if (!vk_ring_take(g, &g->args, max_u64(d->arg_bytes, 8), &offset)) return false;
  char *args = g->args.m.host + offset;
  if (d->arg_bytes) memcpy(args, d->args, d->arg_bytes);
  if (d->range_at) memcpy(args + d->range_at, range, sizeof range);
  uint64_t address = g->args.m.address + offset;
  VkPipeline pipeline = vk_kernel_pipeline(d->kernel);
  VkCommandBuffer cmd = vk_cmd(g);
  /* Later parts are ordered like the first, and need no order among themselves. */
  vk_touch(g, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, d->uses, d->n_uses, first > 0);
  charge(g, d, d->work * ((double)(end - first) / (double)d->groups));
  if (pipeline != g->bound)
    g->vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  g->bound = pipeline;
  g->vk.CmdPushConstants(cmd, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof address,
                         &address);
  g->vk.CmdDispatch(cmd, x, y, 1);
  g->usage.dispatches++;
  return true;
}

bool gpu_record(gpu *g, const gpu_dispatch *d) {
  if (d->range_at && d->groups > UINT32_MAX)
    return err_set(g->c, ERR_LIMIT, "%llu workgroups, at most %llu",
                   (unsigned long long)d->groups, (unsigned long long)UINT32_MAX);
  uint64_t end, first = 0;
  for (; first < d->groups; first = end) {
    if (first && (!gpu_submit(g) || interrupted(g->c))) return false;
    end = first + min_u64(groups_at_once(g, d), d->groups - first);
    if (!record_part(g, d, first, end)) return false;
  }
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
  /* Else the driver gives no timestamps after all. */
  if (g->result == VK_SUCCESS) *ns = ticks_ns(g, t);
  return true;
fail:
  return vk_error(g);
}

void gpu_meter(gpu *g, bool on) { g->meter = on; }

void gpu_tell_times(gpu *g, gpu_took *tell, void *user) {
  g->took = tell;
  g->took_user = user;
}

bool gpu_own(gpu *g, uint64_t owner) {
  bool same = owner == g->owner;
  g->owner = owner;
  return same || gpu_submit(g);
}
