/* SPDX-License-Identifier: MIT */
/* gpu_info.h - which devices there are, and what each can do. */
#ifndef VAPL_GPU_INFO_H
#define VAPL_GPU_INFO_H
#include "../base/ctx.h"

typedef struct gpu_info { /* what was opened, or could be */
  char name[256], driver[256], uuid[33];
  char refused[160]; /* "" or the missing feature by name */
  int index;         /* in Vulkan's order */
  uint64_t
      pci; /* its address, ascending as a machine's slots are numbered; 0: it is not told */
  /* A CPU implementation; kinds of GPU. */
  bool cpu, discrete, integrated, virtual_gpu;
  uint32_t api, vendor; /* as Vulkan numbers them */
  uint32_t driver_id, driver_version;
  bool float64, int64; /* shaderFloat64, shaderInt64 */
  bool sparse;         /* one buffer may be put together from several allocations */
  bool preserve32, preserve64;   /* shaders may ask that -0, infinities and NaN be kept */
  bool subnormal32, subnormal64; /* and that numbers below the normal ones are */
  uint32_t subgroup, subgroup_min, subgroup_max; /* default and allowed sizes */
  uint32_t max_subgroups; /* of a workgroup whose size is required; 0: not said */
  bool subgroup_control;  /* a pipeline may require a size */
  /* Subgroup operations in compute: shuffles; arithmetic on all types that kernels have,
   * by whole subgroups and by clusters of them. */
  bool shuffle, vote, ballot, arithmetic, clustered;
  bool shuffle64;                     /* of 64-bit integers too */
  bool atomic_f32, shared_atomic_f32; /* atomic + on floats in buffers, in workgroups */
  bool atomic_i64;                    /* 64-bit atomics in buffers */
  bool
      ordered; /* behind a memory barrier workgroups see what others stored before theirs */
  bool short_loops; /* a function may leave its loops after 65535 steps */
  bool
      rounds64; /* its functions for the nearest whole number and the one below are right of f64 */
  bool matrix, halves; /* units that multiply matrices of bytes; and of f16 */
  uint32_t processors; /* that run workgroups; 0: not known */
  uint32_t max_workgroup, max_groups_x, max_shared; /* max_shared: bytes of a workgroup */
  uint64_t memory_bytes, max_allocation, max_buffer, max_sparse;
  uint64_t host_align; /* of host memory that gpu_import_host takes; 0: it takes none */
  bool import_fd;      /* gpu_import_fd */
  bool statistics;     /* of pipelines: gpu_kernel_statistics */
  double timestamp_ns; /* per tick; 0: no timestamps */
} gpu_info;

/* All devices that Vulkan shows, usable or refused; *out is mem_alloc'ed, n of them. Zero
 * devices (no loader, no driver) is no error: *why says which, if not NULL. */
bool gpu_list(ctx *c, gpu_info **out, int *n, char why[160]);
#endif
