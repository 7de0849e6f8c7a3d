/* SPDX-License-Identifier: MIT */
/* gpu.h - the Vulkan executor: SPIR-V words and buffers in, results out. Knows no APL.
 *
 * Six nouns: a `gpu` is an opened device with its one queue, timeline semaphore, memory
 * blocks, staging rings and pipeline cache; a `gpu_buf` is a range of device memory with
 * an address; a `gpu_kernel` a compute pipeline; commands are recorded in order, batched,
 * and handed over by gpu_submit; each submission is a value of the timeline; gpu_wait
 * waits. Barriers come from each buffer's last access. A buffer that is freed may be
 * handed out again at once, for work on it comes later on the same queue; it returns to
 * the driver when the timeline passes its last use. Everything is synchronous to the
 * caller but for the device's own work: no threads, no global state but the loader's
 * address.
 *
 * Every Vulkan call goes through a table of the gpu's own, and tests may make any call
 * that returns a result fail (gpu_config.fail). A failed call records an error in the
 * context (WS FULL with both sizes for memory, DEVICE ERROR naming the call and the
 * result else) and leaves the gpu usable, except that a lost device stays lost:
 * gpu_lost(). In a child after fork() it counts as lost. */
#ifndef VAPL_GPU_H
#define VAPL_GPU_H
#include "../base/ctx.h"
#include "gpu_info.h"

typedef struct gpu gpu;
typedef struct gpu_kernel gpu_kernel; /* owned by the gpu's pipeline cache */
typedef struct gpu_buf gpu_buf;

struct gpu_given;

typedef struct gpu_config {
  /* A device of the host program's, which is then the only one there is (share.h); NULL. It
   * lives as long as the gpu. */
  const struct gpu_given *given;
  /* NULL, "auto": the best; "#1", "1": by number; "cpu": the first; part of a name; a
   * UUID. */
  const char *device;
  /* Several processes, each with a device: of those that are as good as the best, the one that the nth is given, from
   * 1, in the order of their PCI addresses and round again. 0: the first of Vulkan's order. */
  int nth;
  const char *cache_dir; /* pipelines on disk; NULL: none. Created when missing. */
  bool validate;         /* by the validation layer: messages are counted and logged */
  void (*log)(void *user, const char *text);
  void *log_user;
  uint64_t max_bytes;      /* of device memory; 0: what the device has */
  uint64_t max_allocation; /* larger arrays are put together; 0: what the device allows */
  uint64_t block_bytes;    /* size of a memory block; 0: chosen (64 to 256 MiB) */
  uint64_t staging_bytes;  /* of a ring; 0: chosen, none where memory is shared */
  /* Copies n bytes between an array and a staging ring; NULL: memcpy. One thread fills a
   * tenth of what a bus takes, so a host with threads to spare lends them here. */
  void (*copy)(void *user, void *to, const void *from, size_t n);
  void *copy_user;
  /* tests: features that the device is not to have: "fp64,shuffle", see open.c; NULL */
  const char *mask;
  double cut_work; /* tests: the work of one dispatch (gpu_dispatch); 0: by time */
  /* tests: asked before each Vulkan call; a negative VkResult: the call fails, unmade. */
  int (*fail)(void *user, const char *call);
  void *fail_user;
} gpu_config;

/* mem_alloc'ed. */
struct gpu_given *gpu_given_copy(ctx *c, const struct gpu_given *given);

/* The index of the device to take, of the n that there are, or -1 after recording why there is none. */
int gpu_choose(ctx *c, const gpu_info *infos, int n, const char *want, int nth);
/* Opens a device. DEVICE ERROR, naming what was looked for and what is there, if none
 * fits. */
gpu *gpu_open(ctx *c, const gpu_config *cfg);
void gpu_close(gpu *g); /* waits for the device, frees all its buffers; NULL is fine */
const gpu_info *gpu_get_info(const gpu *g);
/* Subgroups have that many threads, whatever was said, and nobody can choose. */
void gpu_set_subgroup(gpu *g, uint32_t threads);
/* The nth thing, from 0, that the device's driver is known for, and where it was met; NULL: no more. */
const char *gpu_known(const gpu_info *i, int n, const char **where);
bool gpu_lost(const gpu *g);
int gpu_validation_messages(const gpu *g); /* warnings and errors so far */

/* ── memory ── */
/* Aligned to 256, with 16 bytes or more of slack behind; uninitialised. One range of
 * addresses however many allocations it takes. LIMIT ERROR with both sizes for what the
 * device cannot hold at all, WS FULL with what was asked, what is held and what there
 * is. */
gpu_buf *gpu_alloc(gpu *g, uint64_t bytes);
void gpu_free(gpu *g, gpu_buf *b); /* NULL is fine; memory is reused after its last use */
/* One more gpu_free is needed; b. A tag stays until its owner takes it away. */
gpu_buf *gpu_share(gpu_buf *b);
bool gpu_is_shared(const gpu_buf *b);
uint64_t gpu_address(const gpu_buf *b);
uint64_t gpu_bytes(const gpu_buf *b);
/* Copies src at once. */
bool gpu_upload(gpu *g, gpu_buf *b, uint64_t offset, const void *src, uint64_t n);
/* Submits and waits. */
bool gpu_download(gpu *g, gpu_buf *b, uint64_t offset, void *dst, uint64_t n);
/* The same for two pieces, which waits once if they are short. */
typedef struct gpu_piece {
  gpu_buf *b;
  uint64_t offset, n;
  void *to;
} gpu_piece;
bool gpu_download_two(gpu *g, const gpu_piece p[2]);
/* Zeroes; multiples of 4. */
bool gpu_clear(gpu *g, gpu_buf *b, uint64_t offset, uint64_t n);
/* Host memory as a buffer, which gpu_upload and gpu_download reach, too; `host` and `bytes` are
 * multiples of gpu_info.host_align. The same memory may be imported by several processes and
 * devices. gpu_free waits for the device; it comes before gpu_close. DEVICE ERROR where the device
 * cannot. */
gpu_buf *gpu_import_host(gpu *g, void *host, uint64_t bytes);
/* Device memory of as many bytes that another API or process made on this device, and exported as an
 * opaque file descriptor, which is taken over, after an error, too. Likewise. */
gpu_buf *gpu_import_fd(gpu *g, int fd, uint64_t bytes);
/* Records a copy of n bytes; not within one buffer. */
bool gpu_copy(gpu *g, gpu_buf *from, uint64_t at, gpu_buf *to, uint64_t to_at,
              uint64_t n);
/* A tagged buffer is one that its owner could give up when memory is short. gpu_cold
 * lists them from the one used longest ago: the one after b, the first if b is NULL;
 * NULL: no more. */
void gpu_set_tag(gpu *g, gpu_buf *b, void *tag);
void *gpu_get_tag(const gpu_buf *b);
gpu_buf *gpu_cold(const gpu *g, const gpu_buf *b);
typedef struct gpu_usage {
  uint64_t used, reserved, peak,
      limit; /* bytes: in buffers, taken from the driver, its most */
  uint64_t uploaded, downloaded, uploads, downloads;
  uint64_t submits, dispatches;
  uint64_t pipelines, pipelines_disk, pipeline_hits; /* made; found on disk; in memory */
  double device_ns; /* the device's own time, while gpu_meter is on */
  double host_ns;   /* spent in uploads and downloads, waiting included */
  double pipeline_ns;
} gpu_usage;
gpu_usage gpu_get_usage(const gpu *g);

/* ── kernels ── */
/* The pipeline for these words, from the memory cache (keyed by their hash and
 * `subgroup`), else created with the disk cache's help. subgroup 0: any size. `name` for
 * debuggers. Look it up for each use: with more than 4096 kernels those unused for 2048
 * look-ups are freed. */
gpu_kernel *gpu_kernel_get(gpu *g, const uint32_t *words, size_t n, uint32_t subgroup,
                           const char *name);
/* The same for n of them at once; threads make those that are not there side by side. */
enum { GPU_TOGETHER = 32 };
typedef struct gpu_code {
  const uint32_t *words;
  size_t n;
  uint32_t subgroup;
  const char *name;
} gpu_code;
bool gpu_kernels_get(gpu *g, const gpu_code *code, int n, gpu_kernel **kernel);
/* The same as getting k again: counts as a use, so that k is not among those destroyed
 * next. */
void gpu_kernel_keep(gpu *g, gpu_kernel *k);

/* What the driver reports of it, if anything: registers of a thread and how many
 * spilled to memory, in the driver's unit; bytes of workgroup memory. */
typedef struct gpu_statistics {
  bool known;
  uint32_t registers;
  uint64_t spilled, shared;
} gpu_statistics;
gpu_statistics gpu_kernel_statistics(const gpu_kernel *k);

typedef struct gpu_use {
  gpu_buf *buf;
  bool write;
} gpu_use;
typedef struct gpu_dispatch {
  gpu_kernel *kernel;
  uint64_t groups;  /* spread over x and y as the device's limits need */
  const void *args; /* the argument block, copied */
  uint32_t arg_bytes;
  const gpu_use *uses; /* every buffer the kernel touches, for barriers and lifetimes */
  uint32_t n_uses;
  /* Work that would keep the device for long is cut into several dispatches, submitted
   * one by one with the interrupt flag read between them: what took its part has happened
   * then. */
  double work; /* elements × instructions, roughly; 0: little */
  /* Where in args two u32 stand, filled in here: the end of the workgroups that this
   * dispatch runs, and its first. 0: it cannot be cut. */
  uint32_t range_at;
  bool guessed; /* its work may be far more: it gives no rate */
} gpu_dispatch;
bool gpu_record(gpu *g, const gpu_dispatch *d);
bool gpu_submit(gpu *g); /* hands over what is recorded; nothing recorded: true */
/* The same, unless the device has enough to do: then it waits for more, or for whoever submits. */
bool gpu_flush(gpu *g);
bool gpu_is_recording(const gpu *g); /* is something recorded that was not handed over? */
bool gpu_is_busy(gpu *g);            /* has it two submissions before it? */
bool gpu_wait(gpu *g); /* submits and waits for everything; INTERRUPT leaves it running */
/* A mark stands behind all that was recorded before it, which is handed over. Once it is reached
 * the host sees what was copied into imported memory. Asking does not wait; false after an error:
 * a lost device reaches nothing. */
typedef uint64_t gpu_mark;
/* Commands from now on, until it is off again, touch places of buffers that none of the others does before the host
 * has seen that one reached: they need not wait for one another. */
void gpu_apart(gpu *g, bool on);
bool gpu_set_mark(gpu *g, gpu_mark *mark);
bool gpu_reached(gpu *g, gpu_mark mark, bool *reached);

/* ── timing ── */
/* Device time, in nanoseconds, between begin and end, both recorded in order with the
 * dispatches. gpu_time_end waits. Negative: no timestamps (the device has none, or a
 * submission between the two failed). One timing at a time. */
bool gpu_time_begin(gpu *g);
bool gpu_time_end(gpu *g, double *ns);
/* While it is on, usage.device_ns adds up what the device took for each submission. */
void gpu_meter(gpu *g, bool on);
/* Called then with the time that a submission took and its owner; NULL: no calls. */
typedef void gpu_took(void *user, uint64_t owner, double ns);
void gpu_tell_times(gpu *g, gpu_took *took, void *user);
/* The owner of all commands recorded from now on; commands of different owners are
 * submitted separately. */
bool gpu_own(gpu *g, uint64_t owner);

/* A small record kept beside the pipeline cache, so that it is measured once for each
 * device and driver. False: there is none of this size. */
bool gpu_note_read(gpu *g, void *note, size_t n);
void gpu_note_write(gpu *g, const void *note, size_t n);
#endif
