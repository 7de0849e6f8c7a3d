/* SPDX-License-Identifier: MIT */
/* rate.c - how fast the host's and the device's memory are copied: what ]time -n and the
 * benchmarks compare a kernel's bytes a second with.
 *
 * A copy is the fairest measure that there is, for it does nothing but read and write. Small
 * ones live in caches and large ones do not, so a copy is timed for each power of two, when it
 * is first asked for, up to a size beyond which the rate stays. */
#include "../host/host.h"
#include "device.h"
#include "steady.h"
#include <string.h>

enum { LEAST_LOG2 = 10 };

typedef struct copy_job {
  gpu *dev;
  gpu_dispatch run;
  struct blk_pool *pool;
  char *from, *to;
  size_t bytes;
} copy_job;

static double run_device_copy(void *user, int repeat) {
  copy_job *j = user;
  double ns = -1;
  bool ok = gpu_time_begin(j->dev);
  for (int i = 0; ok && i < repeat; i++) ok = gpu_record(j->dev, &j->run);
  if (!gpu_time_end(j->dev, &ns) || !ok) return -1;
  return ns / repeat;
}

static double run_host_copy(void *user, int repeat) {
  copy_job *j = user;
  double begun = now_ns();
  for (int i = 0; i < repeat; i++) blk_copy(j->pool, j->to, j->from, j->bytes);
  return (now_ns() - begun) / repeat;
}

static gpu_kernel *copy_kernel(ir *g) {
  cg_module m;
  bool words = !gpu_get_info(g->dev)->int64;
  if (!g->copier.at) {
    if (!cg_emit_copy(g->c, CG_WORKGROUP, words, &m)) return NULL;
    g->copier = (struct ir_words){m.words, m.n};
  }
  return gpu_kernel_get(g->dev, g->copier.at, g->copier.n, 0, "copy");
}

enum { WORD = 16, COPY_SLOTS = CG_SLOT_INPUTS + 4 };

/* Of n words of 16 bytes; args and uses are of as long as it. */
static gpu_dispatch copy_of(gpu_kernel *k, uint64_t from, uint64_t to, uint64_t n,
                            uint64_t args[COPY_SLOTS], const gpu_use uses[2]) {
  uint64_t groups = (n + CG_WORKGROUP - 1) / CG_WORKGROUP;
  memset(args, 0, COPY_SLOTS * sizeof *args);
  args[CG_SLOT_LEN] = n;
  args[CG_SLOT_ROWS] = 1;
  args[CG_SLOT_GROUPS] = args[CG_SLOT_TILES] = groups;
  args[CG_SLOT_INPUTS] = from;
  args[CG_SLOT_INPUTS + 3] = to;
  return (gpu_dispatch){.kernel = k,
                        .groups = groups,
                        .args = args,
                        .arg_bytes = COPY_SLOTS * sizeof *args,
                        .uses = uses,
                        .n_uses = 2};
}

static steady time_device_copy(ir *g, uint64_t bytes) {
  steady t = {.failed = true};
  uint64_t args[COPY_SLOTS];
  gpu_buf *from = gpu_alloc(g->dev, bytes), *to = gpu_alloc(g->dev, bytes);
  gpu_kernel *k = from && to ? copy_kernel(g) : NULL;
  if (k && gpu_clear(g->dev, from, 0, bytes)) {
    gpu_use uses[] = {{from, false}, {to, true}};
    copy_job j = {.dev = g->dev};
    j.run = copy_of(k, gpu_address(from), gpu_address(to), bytes / WORD, args, uses);
    t = steady_time(run_device_copy, &j);
  }
  gpu_free(g->dev, from);
  gpu_free(g->dev, to);
  return t;
}

/* By a kernel, where both places are those of its words: copy commands reach a tenth of that (416 GB/s on an H200). */
bool device_copy(ir *g, gpu_buf *from, uint64_t at, gpu_buf *to, uint64_t to_at,
                 uint64_t n) {
  enum { FEW = 1 << 20 };
  uint64_t args[COPY_SLOTS], x = gpu_address(from) + at, y = gpu_address(to) + to_at;
  uint64_t rest = n % WORD;
  if (n < FEW || x % WORD || y % WORD || n / WORD > UINT32_MAX)
    return gpu_copy(g->dev, from, at, to, to_at, n);
  gpu_kernel *k = copy_kernel(g);
  if (!k) return false;
  gpu_use uses[] = {{from, false}, {to, true}};
  gpu_dispatch d = copy_of(k, x, y, n / WORD, args, uses);
  return gpu_record(g->dev, &d) &&
         gpu_copy(g->dev, from, at + n - rest, to, to_at + n - rest, rest);
}

static steady time_host_copy(ir *g, uint64_t bytes) {
  steady t = {.failed = true};
  char *a = mem_zalloc(g->c, 2 * (size_t)bytes);
  if (a) {
    copy_job j = {.pool = g->pool, .from = a, .to = a + bytes, .bytes = (size_t)bytes};
    if (j.pool) t = steady_time(run_host_copy, &j);
  }
  mem_free(g->c, a);
  return t;
}

double ir_copy_rate(ir *g, bool device, uint64_t moved) {
  int at = LEAST_LOG2;
  if (device && !g->dev) return 0;
  while (at < LEAST_LOG2 + IR_COPY_SIZES - 1 && UINT64_C(2) << at < moved) at++;
  double *rate = &g->copy_rate[device][at - LEAST_LOG2];
  if (*rate > 0) return *rate;
  uint64_t bytes = UINT64_C(1) << at;
  steady t = device ? time_device_copy(g, bytes) : time_host_copy(g, bytes);
  if (!t.failed && t.median > 0) *rate = 2.0 * (double)bytes / t.median;
  return *rate;
}
