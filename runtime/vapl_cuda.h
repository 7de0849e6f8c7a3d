/* SPDX-License-Identifier: MIT */
/* vapl_cuda.h - arrays on an NVIDIA GPU, shared with CUDA programs: PyTorch, CuPy, your own kernels.
 * Needs no headers of CUDA: libcuda.so.1 is opened when one of these functions is first called.
 *
 * OUT (vapl_cuda_map): CUDA maps the memory that Vulkan has; the elements are read where they are.
 * IN (vapl_cuda_new): the elements are copied on the device, from CUDA's memory to Vulkan's.
 *
 * Both work on the device of CUDA that has the UUID of vapl's. They use its primary context, as
 * CUDA's runtime does, and leave the calling thread's current context as it was. Functions answer as in
 * vapl.h; VAPL_EDEVICE, and a message that says why, where there is no such device, no libcuda, or no
 * memory that both can open. */
#ifndef VAPL_CUDA_H
#define VAPL_CUDA_H
#include "vapl.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The number that CUDA gives to vapl's device, which is opened if it was not yet. From the first call
 * of this or one of the next functions on, arrays are computed into memory that CUDA can map. Arrays
 * that were there before are copied on the device when they are mapped. */
VAPL_API vapl_status vapl_cuda_get(vapl *v, int *device);

/* Elements where CUDA sees them. Set .size = sizeof before the call that fills it. */
typedef struct vapl_cuda_view {
  size_t size;
  vapl_type type;
  uint32_t rank;
  const int64_t *shape; /* lives as long as the array */
  size_t count, bytes;
  uint64_t address; /* a CUdeviceptr; 0 if there are no elements */
  int device;
  void *held; /* for vapl_cuda_unmap */
} vapl_cuda_view;

/* The elements of an array on CUDA's device, as type `want` (vapl_map tells which are possible). They are
 * complete on return: no stream needs to wait. With VAPL_AS_IT_IS, or the type that the array has, they are
 * not copied, unless the array is too large for one allocation of Vulkan's, or in a buffer of yours (vapl_vk_import).
 * Wider integers, and truth values as another type, are computed on the device; other conversions go through the host. Truth
 * values are stored as VAPL_BIT: ask for VAPL_BOOL to have a byte for each.
 *
 * You may read the elements, not write them, until vapl_cuda_unmap, whatever happens to the array and to the
 * interpreter before that. v may be NULL: the array's own interpreter. */
VAPL_API vapl_status vapl_cuda_map(vapl *v, vapl_array *a, vapl_type want,
                                   vapl_cuda_view *out);

/* Gives view.held back, once; NULL is fine. What was given to CUDA before this call, in any stream, may
 * still read the elements: vapl uses the memory again when that has ended. May be called from
 * any thread, at any time. */
VAPL_API void vapl_cuda_unmap(void *held);

/* As vapl_new, with the elements in CUDA's memory, one behind the other from `address` on. They are read when `stream`, a
 * CUstream (NULL: the legacy default stream), has come to this call, and are copied on return. Where vapl has no device, or
 * another one than that memory, the copy goes to the host. For numbers but VAPL_BIT; of VAPL_BOOL every byte but 0
 * is 1. */
VAPL_API vapl_status vapl_cuda_new(vapl *v, vapl_type t, uint32_t rank,
                                   const int64_t *shape, uint64_t address, void *stream,
                                   vapl_array **out);

#ifdef __cplusplus
}
#endif
#endif
