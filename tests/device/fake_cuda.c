/* SPDX-License-Identifier: MIT */
/* fake_cuda.c - a libcuda.so.1 for tests of runtime/api_cuda.c without NVIDIA's: a device whose memory is this
 * process's. What lavapipe exports as a file descriptor, a memfd, is mapped.
 *
 * FAKE_CUDA_UUID is the device's UUID. fake_cuda_busy(1) keeps events from coming; fake_cuda_fail(n) makes the nth
 * call from now on fail, of those that may; fake_cuda_live tells how many mappings, events and contexts there are, and how
 * many of them are current. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <stdint.h>

#define CALL __attribute__((visibility("default")))
enum { INVALID = 1, NOT_READY = 600, HEADER = 4096 };

typedef struct memory {
  char *at;
  size_t bytes;
} memory;
static int busy, mappings, events, contexts, current;
static int to_fail; /* calls until one fails; 0: none does */

CALL void fake_cuda_busy(int is);
CALL void fake_cuda_live(int live[4]);
CALL int fake_cuda_fail(int n);
void fake_cuda_busy(int is) { busy = is; }
/* How many calls were left of those before. */
int fake_cuda_fail(int n) {
  int left = to_fail;
  to_fail = n;
  return left;
}
static int fails(void) { return to_fail && !--to_fail; }
void fake_cuda_live(int live[4]) {
  live[0] = mappings;
  live[1] = events;
  live[2] = contexts;
  live[3] = current;
}

#define CUDA(name, ...)                                                                  \
  CALL int name(__VA_ARGS__);                                                            \
  int name(__VA_ARGS__)

CUDA(cuInit, unsigned flags) { return flags || fails() ? INVALID : 0; }
CUDA(cuGetErrorString, int error, const char **text) {
  *text = error == INVALID ? "invalid" : "some error";
  return 0;
}
CUDA(cuDeviceGetCount, int *n) { return *n = 2, fails(); }
CUDA(cuDeviceGet, int *device, int number) { return *device = number, fails(); }
/* Device 0 has another UUID. */
CUDA(cuDeviceGetUuid, unsigned char uuid[16], int device) {
  const char *text = getenv("FAKE_CUDA_UUID");
  memset(uuid, 0, 16);
  if (fails()) return INVALID;
  for (int i = 0; device == 1 && text && i < 16; i++) {
    unsigned byte = 0;
    if (sscanf(text + 2 * i, "%2x", &byte) != 1) return INVALID;
    uuid[i] = (unsigned char)byte;
  }
  return 0;
}
CUDA(cuDevicePrimaryCtxRetain, void **c, int device) {
  if (device < 0 || device > 1 || fails()) return INVALID;
  *c = &contexts;
  contexts++;
  return 0;
}
CUDA(cuDevicePrimaryCtxRelease_v2, int device) {
  contexts--;
  return device < 0;
}
CUDA(cuCtxPushCurrent_v2, void *c) {
  if (c != &contexts) return INVALID;
  current++;
  return 0;
}
CUDA(cuCtxPopCurrent_v2, void **c) {
  current--;
  *c = &contexts;
  return 0;
}
CUDA(cuCtxSynchronize, void) { return 0; }
CUDA(cuPointerGetAttribute, void *value, int attribute, uint64_t at) {
  if (attribute != 9 || !at || fails()) return INVALID;
  *(int *)value = 1;
  return 0;
}

/* Mesa puts the elements behind a page, whose last word says so. */
CUDA(cuImportExternalMemory, memory **m, const int *from) {
  struct stat is;
  int fd = from[2];
  if (fails() || from[0] != 1 || fstat(fd, &is) || is.st_size <= HEADER) return INVALID;
  char *at = mmap(NULL, (size_t)is.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return INVALID;
  *m = malloc(sizeof **m);
  **m = (memory){at, (size_t)is.st_size};
  close(fd);
  mappings++;
  return ((size_t *)(void *)(at + HEADER))[-1] == HEADER ? 0 : INVALID;
}
CUDA(cuExternalMemoryGetMappedBuffer, uint64_t *at, memory *m, const uint64_t part[2]) {
  *at = (uint64_t)(uintptr_t)(m->at + HEADER) + part[0];
  return fails() || part[0] + part[1] + HEADER > m->bytes ? INVALID : 0;
}
CUDA(cuDestroyExternalMemory, memory *m) {
  munmap(m->at, m->bytes);
  free(m);
  mappings--;
  return 0;
}
/* The page in front of what was allocated tells it from what was mapped. */
CUDA(cuMemAlloc_v2, uint64_t *at, size_t n) {
  if (fails()) return INVALID;
  memory *m = aligned_alloc(HEADER, HEADER + (n + HEADER - 1) / HEADER * HEADER);
  *m = (memory){(char *)m + HEADER, n};
  *at = (uint64_t)(uintptr_t)m->at;
  mappings++;
  return 0;
}
CUDA(cuMemFree_v2, uint64_t at) {
  memory *m = (memory *)(uintptr_t)(at - HEADER);
  if (!at) return INVALID;
  if ((uint64_t)(uintptr_t)m->at != at) return 0; /* cuDestroyExternalMemory unmaps */
  free(m);
  mappings--;
  return 0;
}
CUDA(cuMemcpyAsync, uint64_t to, uint64_t from, size_t n, void *stream) {
  if (fails()) return INVALID;
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n);
  return stream == &busy;
}
CUDA(cuStreamSynchronize, void *stream) { return stream == &busy || fails(); }
CUDA(cuEventCreate, int **e, unsigned flags) {
  if (flags != 2 || fails()) return INVALID;
  *e = calloc(1, sizeof **e);
  events++;
  return 0;
}
CUDA(cuCtxRecordEvent, void *c, int *e) {
  if (c != &contexts || fails()) return INVALID;
  *e = 1;
  return 0;
}
CUDA(cuEventQuery, const int *e) { return busy || !*e ? NOT_READY : 0; }
CUDA(cuEventSynchronize, const int *e) { return *e ? 0 : INVALID; }
CUDA(cuEventDestroy_v2, int *e) {
  free(e);
  events--;
  return 0;
}
