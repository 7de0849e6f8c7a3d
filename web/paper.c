/* SPDX-License-Identifier: MIT */
/* paper.c - a device that exists on paper, in the place of src/vk: kernels are made for it, and none runs. The page
 * shows the SPIR-V that a graphics card would be given (web.c).
 *
 * It says of itself what a usual card says: subgroups of 32 threads, 64-bit integers and floats. Its memory is the
 * host's and begins with zeros, so what a kernel should have computed is 0. */
#include "src/ir/graph.h"
#include "src/vk/gpu.h"
#include <stdlib.h>
#include <string.h>

struct gpu {
  ctx *c;
  gpu_info info;
};
struct gpu_buf {
  uint64_t bytes;
  uint32_t held;
  void *tag;
  char *at;
};
struct gpu_kernel {
  char none;
};

static const gpu_info paper = {.name = "paper",
                               .driver = "none",
                               .discrete = true,
                               .float64 = true,
                               .int64 = true,
                               .preserve32 = true,
                               .preserve64 = true,
                               .subnormal32 = true,
                               .subnormal64 = true,
                               .subgroup = 32,
                               .subgroup_min = 32,
                               .subgroup_max = 32,
                               .subgroup_control = true,
                               .shuffle = true,
                               .vote = true,
                               .ballot = true,
                               .arithmetic = true,
                               .clustered = true,
                               .shuffle64 = true,
                               .atomic_f32 = true,
                               .shared_atomic_f32 = true,
                               .atomic_i64 = true,
                               .ordered = true,
                               .rounds64 = true,
                               .max_workgroup = 1024,
                               .max_groups_x = 65535,
                               .max_shared = 48 << 10,
                               .memory_bytes = 1 << 30,
                               .max_allocation = 1 << 30,
                               .max_buffer = 1 << 30};

/* ── devices ── */

bool gpu_list(ctx *c, gpu_info **out, int *n, char why[160]) {
  *out = NULL;
  *n = 0;
  if (why) strcpy(why, "a browser has none");
  return true;
}

int gpu_choose(ctx *c, const gpu_info *infos, int n, const char *want, int nth) {
  err_set(c, ERR_DEVICE, "there is no device in a browser");
  return -1;
}

gpu *gpu_open(ctx *c, const gpu_config *cfg) {
  bool asked = cfg->device && !strcmp(cfg->device, paper.name);
  if (!asked) return err_null(c, ERR_DEVICE, "there is no device in a browser");
  gpu *g = mem_zalloc(c, sizeof *g);
  if (g) *g = (gpu){c, paper};
  return g;
}

void gpu_close(gpu *g) {
  if (g) mem_free(g->c, g);
}

const gpu_info *gpu_get_info(const gpu *g) { return &g->info; }
void gpu_set_subgroup(gpu *g, uint32_t threads) { g->info.subgroup = threads; }
bool gpu_lost(const gpu *g) { return !g; }
int gpu_validation_messages(const gpu *g) { return !g; }
const char *gpu_known(const gpu_info *i, int n, const char **where) { return NULL; }

struct gpu_given *gpu_given_copy(ctx *c, const struct gpu_given *given) {
  return err_null(c, ERR_DEVICE, "there is no device in a browser");
}

/* ── memory ── */

gpu_buf *gpu_alloc(gpu *g, uint64_t bytes) {
  gpu_buf *b = bytes < paper.max_buffer ? calloc(1, sizeof *b + bytes + 16) : NULL;
  if (!b) return err_null(g->c, ERR_WS_FULL, "too much for the page");
  *b = (gpu_buf){.bytes = bytes, .held = 1, .at = (char *)(b + 1)};
  return b;
}

void gpu_free(gpu *g, gpu_buf *b) {
  if (b && !--b->held) free(b);
}

gpu_buf *gpu_share(gpu_buf *b) {
  b->held++;
  return b;
}

bool gpu_is_shared(const gpu_buf *b) { return b->held > 1; }
uint64_t gpu_address(const gpu_buf *b) { return (uintptr_t)b->at; }
uint64_t gpu_bytes(const gpu_buf *b) { return b->bytes; }
void gpu_set_tag(gpu *g, gpu_buf *b, void *tag) { b->tag = tag; }
void *gpu_get_tag(const gpu_buf *b) { return b->tag; }
gpu_buf *gpu_cold(const gpu *g, const gpu_buf *b) { return NULL; }

bool gpu_upload(gpu *g, gpu_buf *b, uint64_t offset, const void *src, uint64_t n) {
  memcpy(b->at + offset, src, n);
  return true;
}

bool gpu_download(gpu *g, gpu_buf *b, uint64_t offset, void *dst, uint64_t n) {
  memcpy(dst, b->at + offset, n);
  return true;
}

bool gpu_clear(gpu *g, gpu_buf *b, uint64_t offset, uint64_t n) {
  memset(b->at + offset, 0, n);
  return true;
}

bool gpu_copy(gpu *g, gpu_buf *from, uint64_t at, gpu_buf *to, uint64_t to_at,
              uint64_t n) {
  return gpu_upload(g, to, to_at, from->at + at, n);
}

gpu_buf *gpu_import_host(gpu *g, void *host, uint64_t bytes) {
  return err_null(g->c, ERR_DEVICE, "paper imports nothing");
}

gpu_buf *gpu_import_fd(gpu *g, int fd, uint64_t bytes) {
  return gpu_import_host(g, NULL, bytes);
}

gpu_usage gpu_get_usage(const gpu *g) {
  return (gpu_usage){.limit = g->info.memory_bytes};
}

/* ── kernels, of which none runs ── */

gpu_kernel *gpu_kernel_get(gpu *g, const uint32_t *words, size_t n, uint32_t subgroup,
                           const char *name) {
  static gpu_kernel any;
  return &any;
}

void gpu_kernel_keep(gpu *g, gpu_kernel *k) {}

gpu_statistics gpu_kernel_statistics(const gpu_kernel *k) { return (gpu_statistics){0}; }

bool gpu_record(gpu *g, const gpu_dispatch *d) { return g && d; }
bool gpu_submit(gpu *g) { return g; }
bool gpu_flush(gpu *g) { return g; }
bool gpu_is_recording(const gpu *g) { return !g; }
bool gpu_wait(gpu *g) { return g; }
bool gpu_own(gpu *g, uint64_t owner) { return g || owner; }
bool gpu_set_mark(gpu *g, gpu_mark *mark) {
  *mark = 0;
  return g;
}
bool gpu_reached(gpu *g, gpu_mark mark, bool *reached) {
  *reached = true;
  return g;
}

bool gpu_time_begin(gpu *g) { return g; }
bool gpu_time_end(gpu *g, double *ns) {
  *ns = -1;
  return g;
}
void gpu_meter(gpu *g, bool on) {}
void gpu_tell_times(gpu *g, gpu_took *took, void *user) {}

/* Its arithmetic is right. */
bool gpu_note_read(gpu *g, void *note, size_t n) {
  enum { VERSION = 5 }; /* NOTE_VERSION of src/ir/probe.c */
  device_note *d = note;
  if (n != sizeof *d) return false;
  *d = (device_note){.version = VERSION, .round_trip = 1, .host_rate = 1};
  for (size_t i = 0; i < ARRAY_LEN(d->rounds); i++) d->rounds[i] = ROUNDS_EXACTLY;
  return true;
}
void gpu_note_write(gpu *g, const void *note, size_t n) {}
