/* SPDX-License-Identifier: MIT */
/* peer_cuda.c - memory on NVIDIA's GPUs that several processes map (peer_cuda.h).
 *
 * What was measured on two H200s (NV18): 386 GB/s each way, both at once; 374 by copies of 32 MiB, 302 by 4 MiB, 126 by
 * 512 KiB. TRIED: Vulkan's own memory exported to CUDA, 37 GB/s and a context more for each process; copies on
 * two streams by turns, an exchange of 4.3 GB each way in 16.9 ms as on one. */
#include "peer_cuda.h"
#include "../libcuda.h"
#include <stdbool.h>
#include <stdlib.h>

/* ── libcuda ── */

enum { PINNED = 1, BY_FD = 1, ON_DEVICE = 1, READ_WRITE = 3, RECOMMENDED = 1 };
enum { HAS_MAPPING = 102, HAS_FDS = 103, NON_BLOCKING = 1 };
enum { TOO_MANY = -1 };

typedef uint64_t cu_handle;
typedef struct cu_place {
  int kind, number;
} cu_place;
typedef struct cu_wish { /* CUmemAllocationProp */
  int kind, handles;
  cu_place place;
  void *windows;
  struct {
    unsigned char compression, rdma;
    unsigned short usage;
    unsigned char reserved[4];
  } flags;
} cu_wish;
typedef struct cu_access { /* CUmemAccessDesc */
  cu_place place;
  int flags;
} cu_access;
typedef struct cu_stream *cu_stream;

/* clang-format off */
#define FUNCTIONS(F) \
  F(DeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, int device)) \
  F(DeviceCanAccessPeer, "cuDeviceCanAccessPeer", (int *can, int device, int peer)) \
  F(CtxSetCurrent, "cuCtxSetCurrent", (cu_context c)) \
  F(GetGranularity, "cuMemGetAllocationGranularity", (size_t *n, const cu_wish *w, int which)) \
  F(MemCreate, "cuMemCreate", (cu_handle *h, size_t n, const cu_wish *w, unsigned long long flags)) \
  F(MemRelease, "cuMemRelease", (cu_handle h)) \
  F(Export, "cuMemExportToShareableHandle", (void *to, cu_handle h, int type, unsigned long long flags)) \
  F(Import, "cuMemImportFromShareableHandle", (cu_handle *h, void *from, int type)) \
  F(AddressReserve, "cuMemAddressReserve", \
    (cu_address *at, size_t n, size_t align, cu_address hint, unsigned long long flags)) \
  F(AddressFree, "cuMemAddressFree", (cu_address at, size_t n)) \
  F(MemMap, "cuMemMap", (cu_address at, size_t n, size_t offset, cu_handle h, unsigned long long flags)) \
  F(MemUnmap, "cuMemUnmap", (cu_address at, size_t n)) \
  F(MemSetAccess, "cuMemSetAccess", (cu_address at, size_t n, const cu_access *a, size_t count)) \
  F(CopyAsync, "cuMemcpyDtoDAsync_v2", (cu_address to, cu_address from, size_t n, cu_stream s)) \
  F(CopyToHost, "cuMemcpyDtoH_v2", (void *to, cu_address from, size_t n)) \
  F(CopyToDevice, "cuMemcpyHtoD_v2", (cu_address to, const void *from, size_t n)) \
  F(StreamCreate, "cuStreamCreate", (cu_stream *s, unsigned flags)) \
  F(StreamDestroy, "cuStreamDestroy_v2", (cu_stream s)) \
  F(EventRecord, "cuEventRecord", (cu_event e, cu_stream s))
/* clang-format on */

struct peers {
  libcuda cuda;
  int device;
  bool ready; /* the context is there */
  cu_context context;
  cu_stream stream;
  cu_event event[PEER_COPIES];
  bool used[PEER_COPIES];
  size_t grain;
  FUNCTIONS(LIBCUDA_FIELD)
};

/* What is missing, or NULL. */
static const char *load(peers *p) {
  libcuda *l = &p->cuda;
  const char *missing = libcuda_open(l);
  if (missing) return missing;
  FUNCTIONS(LIBCUDA_FIND)
  return NULL;
}

const char *peer_text(peers *p, int error) {
  return error == TOO_MANY ? "too many copies are under way"
                           : libcuda_text(&p->cuda, error);
}

/* ── opening ── */

static cu_wish wish_for(const peers *p) {
  return (cu_wish){.kind = PINNED, .handles = BY_FD, .place = {ON_DEVICE, p->device}};
}

static int open_context(peers *p) {
  cu_wish wish = wish_for(p);
  int error = p->cuda.PrimaryCtxRetain(&p->context, p->device);
  if (error) return error;
  p->ready = true;
  error = p->CtxSetCurrent(p->context);
  if (!error) error = p->StreamCreate(&p->stream, NON_BLOCKING);
  for (int i = 0; i < PEER_COPIES && !error; i++)
    error = p->cuda.EventCreate(&p->event[i], CU_WITHOUT_TIMES);
  if (!error) error = p->GetGranularity(&p->grain, &wish, RECOMMENDED);
  return error;
}

static bool refuse(char *why, size_t n, const char *text) {
  snprintf(why, n, "%s", text);
  return false;
}

static bool open_device(peers *p, const char *uuid, char *why, size_t n) {
  int maps = 0, fds = 0, error = p->cuda.Init(0);
  if (!error) error = libcuda_find(&p->cuda, uuid, &p->device);
  if (!error && p->device < 0) return refuse(why, n, "libcuda has no such device");
  if (!error) error = p->DeviceGetAttribute(&maps, HAS_MAPPING, p->device);
  if (!error) error = p->DeviceGetAttribute(&fds, HAS_FDS, p->device);
  if (!error && !(maps && fds)) return refuse(why, n, "its memory cannot be shared");
  if (!error) error = open_context(p);
  return !error || refuse(why, n, peer_text(p, error));
}

peers *peer_open(const char *uuid, char *why, size_t n) {
  peers *p = calloc(1, sizeof *p);
  const char *missing = p ? load(p) : "memory";
  if (missing) snprintf(why, n, "there is no %s", missing);
  else if (open_device(p, uuid, why, n)) return p;
  peer_close(p);
  return NULL;
}

void peer_close(peers *p) {
  if (!p) return;
  for (int i = 0; i < PEER_COPIES; i++)
    if (p->event[i]) p->cuda.EventDestroy(p->event[i]);
  if (p->stream) p->StreamDestroy(p->stream);
  if (p->ready) p->cuda.PrimaryCtxRelease(p->device);
  free(p);
}

int peer_reaches(peers *p, const char *uuid, int *reaches) {
  int other;
  *reaches = 0;
  int error = libcuda_find(&p->cuda, uuid, &other);
  if (error || other < 0) return error;
  if (other != p->device) return p->DeviceCanAccessPeer(reaches, p->device, other);
  *reaches = 1;
  return 0;
}

/* ── memory ── */

/* Addresses for the memory of m->handle, which this device may read and write. */
static int map_handle(peers *p, peer_memory *m) {
  cu_access access = {.place = {ON_DEVICE, p->device}, .flags = READ_WRITE};
  int error = p->AddressReserve(&m->at, m->bytes, 0, 0, 0);
  if (error) {
    m->at = 0;
    return error;
  }
  error = p->MemMap(m->at, m->bytes, 0, m->handle, 0);
  if (!error) {
    error = p->MemSetAccess(m->at, m->bytes, &access, 1);
    if (!error) return 0;
    p->MemUnmap(m->at, m->bytes);
  }
  p->AddressFree(m->at, m->bytes);
  m->at = 0;
  return error;
}

static int map_or_release(peers *p, peer_memory *m) {
  int error = map_handle(p, m);
  if (!error) return 0;
  p->MemRelease(m->handle);
  *m = (peer_memory){0};
  return error;
}

int peer_make(peers *p, size_t bytes, peer_memory *m) {
  cu_wish wish = wish_for(p);
  size_t whole = (bytes + p->grain - 1) / p->grain * p->grain;
  *m = (peer_memory){.bytes = whole};
  int error = p->CtxSetCurrent(p->context);
  if (!error) error = p->MemCreate(&m->handle, whole, &wish, 0);
  if (error) *m = (peer_memory){0};
  return error ? error : map_or_release(p, m);
}

int peer_export(peers *p, const peer_memory *m, int *fd) {
  return p->Export(fd, m->handle, BY_FD, 0);
}

int peer_map(peers *p, int fd, size_t bytes, peer_memory *m) {
  *m = (peer_memory){.bytes = bytes};
  int error = p->CtxSetCurrent(p->context);
  if (!error) error = p->Import(&m->handle, (void *)(intptr_t)fd, BY_FD);
  if (error) *m = (peer_memory){0};
  return error ? error : map_or_release(p, m);
}

void peer_drop(peers *p, peer_memory *m) {
  if (!m->at) return;
  p->CtxSetCurrent(p->context);
  p->MemUnmap(m->at, m->bytes);
  p->AddressFree(m->at, m->bytes);
  p->MemRelease(m->handle);
  *m = (peer_memory){0};
}

/* ── copies ── */

int peer_copy(peers *p, uint64_t to, uint64_t from, size_t n, int *request) {
  int k = 0;
  while (k < PEER_COPIES && p->used[k]) k++;
  if (k == PEER_COPIES) return TOO_MANY;
  int error = p->CtxSetCurrent(p->context);
  if (!error) error = p->CopyAsync(to, from, n, p->stream);
  if (!error) error = p->EventRecord(p->event[k], p->stream);
  if (error) return error;
  p->used[k] = true;
  *request = k;
  return 0;
}

int peer_test(peers *p, int request, int *done) {
  int error = p->cuda.EventQuery(p->event[request]);
  *done = error != CU_NOT_READY;
  if (*done) p->used[request] = false;
  return *done ? error : 0;
}

int peer_write(peers *p, uint64_t to, const void *from, size_t n) {
  int error = p->CtxSetCurrent(p->context);
  return error ? error : p->CopyToDevice(to, from, n);
}

int peer_read(peers *p, void *to, uint64_t from, size_t n) {
  int error = p->CtxSetCurrent(p->context);
  return error ? error : p->CopyToHost(to, from, n);
}
