/* SPDX-License-Identifier: MIT */
/* rate.c - how fast the host's and the device's memory are copied: what ]time -n and the
 * benchmarks compare a kernel's bytes a second with.
 *
 * A copy is the fairest measure that there is, for it does nothing but read and write. Small
 * ones live in caches and large ones do not, so a copy is timed for each power of two, when it
 * is first asked for, up to a size beyond which the rate stays. */
#include "../codegen/codegen.h"
#include "../host/host.h"
#include "place.h"
#include "steady.h"
#include <time.h>

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
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  double begun = (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
  for (int i = 0; i < repeat; i++) blk_copy(j->pool, j->to, j->from, j->bytes);
  clock_gettime(CLOCK_MONOTONIC, &t);
  return ((double)t.tv_sec * 1e9 + (double)t.tv_nsec - begun) / repeat;
}

static gpu_kernel *copy_kernel(ir *g) {
  cg_module m;
  if (!cg_emit_copy(g->c, CG_WORKGROUP, !gpu_get_info(g->dev)->int64, &m)) return NULL;
  gpu_kernel *k = gpu_kernel_get(g->dev, m.words, m.n, 0, "copy");
  mem_free(g->c, m.words);
  return k;
}

static steady time_device_copy(ir *g, uint64_t bytes) {
  steady t = {.failed = true};
  gpu_buf *from = gpu_alloc(g->dev, bytes), *to = gpu_alloc(g->dev, bytes);
  gpu_kernel *k = from && to ? copy_kernel(g) : NULL;
  if (k && gpu_clear(g->dev, from, 0, bytes)) {
    uint64_t groups = (bytes / 16 + CG_WORKGROUP - 1) / CG_WORKGROUP;
    uint64_t args[CG_SLOT_INPUTS + 4] = {bytes / 16, 1, groups, groups};
    args[CG_SLOT_INPUTS] = gpu_address(from);
    args[CG_SLOT_INPUTS + 3] = gpu_address(to);
    gpu_use uses[] = {{from, false}, {to, true}};
    copy_job j = {.dev = g->dev,
                  .run = {.kernel = k,
                          .groups = groups,
                          .args = args,
                          .arg_bytes = sizeof args,
                          .uses = uses,
                          .n_uses = 2}};
    t = steady_time(run_device_copy, &j);
  }
  gpu_free(g->dev, from);
  gpu_free(g->dev, to);
  return t;
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
