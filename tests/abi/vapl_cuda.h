#ifndef VAPL_CUDA_H
#define VAPL_CUDA_H
#include "vapl.h"
#ifdef __cplusplus
extern "C" {
#endif
VAPL_API vapl_status vapl_cuda_get(vapl *v, int *device);
typedef struct vapl_cuda_view {
  size_t size;
  vapl_type type;
  uint32_t rank;
  const int64_t *shape;
  size_t count, bytes;
  uint64_t address;
  int device;
  void *held;
} vapl_cuda_view;
VAPL_API vapl_status vapl_cuda_map(vapl *v, vapl_array *a, vapl_type want,
                                   vapl_cuda_view *out);
VAPL_API void vapl_cuda_unmap(void *held);
VAPL_API vapl_status vapl_cuda_new(vapl *v, vapl_type t, uint32_t rank,
                                   const int64_t *shape, uint64_t address, void *stream,
                                   vapl_array **out);
#ifdef __cplusplus
}
#endif
#endif
