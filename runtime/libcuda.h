/* SPDX-License-Identifier: MIT */
/* libcuda.h - libcuda, opened by dlopen where it is wanted: its devices, for the files that use it (api_cuda.c,
 * comm/peer_cuda.c). Each of these can be left out, and declares the other functions that it uses.
 *
 * The declarations are our own, so that nothing is needed to build them. Functions return 0, or an error's number. */
#ifndef VAPL_LIBCUDA_H
#define VAPL_LIBCUDA_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>

enum { CU_NOT_READY = 600, CU_WITHOUT_TIMES = 2 };
typedef uint64_t cu_address;
typedef struct cu_context *cu_context;
typedef struct cu_event *cu_event;
typedef struct cu_uuid {
  unsigned char bytes[16];
} cu_uuid;

/* clang-format off */
#define LIBCUDA_DEVICES(F) \
  F(Init, "cuInit", (unsigned flags)) \
  F(GetErrorString, "cuGetErrorString", (int error, const char **text)) \
  F(DeviceGetCount, "cuDeviceGetCount", (int *n)) \
  F(DeviceGet, "cuDeviceGet", (int *device, int number)) \
  F(DeviceGetUuid, "cuDeviceGetUuid", (cu_uuid *uuid, int device)) \
  F(PrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (cu_context *c, int device)) \
  F(PrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int device)) \
  F(EventCreate, "cuEventCreate", (cu_event *e, unsigned flags)) \
  F(EventQuery, "cuEventQuery", (cu_event e)) \
  F(EventDestroy, "cuEventDestroy_v2", (cu_event e))
/* clang-format on */

/* A field of a struct for each function of such a list; and what fills field `name` of *p from l->lib, in a function
 * that returns what is missing. */
#define LIBCUDA_FIELD(name, symbol, arguments) int(*name) arguments;
#define LIBCUDA_FIND(name, symbol, arguments)                                            \
  if (!(*(void **)&p->name = dlsym(l->lib, symbol))) return symbol;

typedef struct libcuda {
  void *lib;
  LIBCUDA_DEVICES(LIBCUDA_FIELD)
} libcuda;

/* What is missing: the library, which stays loaded once it is there (it has threads, and a second loading costs static
 * thread storage), or a function of it; NULL: nothing. */
static inline const char *libcuda_open(libcuda *l) {
  libcuda *p = l;
  l->lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!l->lib) return "libcuda.so.1";
  LIBCUDA_DEVICES(LIBCUDA_FIND)
  return NULL;
}

static inline const char *libcuda_text(const libcuda *l, int error) {
  const char *text = NULL;
  if (l->GetErrorString(error, &text) || !text)
    return "an error that libcuda does not know";
  return text;
}

/* The device with that UUID, 32 hexadecimal digits; -1: there is none. */
static inline int libcuda_find(const libcuda *l, const char *uuid, int *device) {
  char text[33] = "";
  cu_uuid its;
  int n = 0, error = l->DeviceGetCount(&n);
  for (int i = 0; i < n && !error; i++) {
    error = l->DeviceGet(device, i);
    if (!error) error = l->DeviceGetUuid(&its, *device);
    for (int k = 0; k < 16 && !error; k++)
      snprintf(text + 2 * k, 3, "%02x", its.bytes[k]);
    if (!error && !strcasecmp(text, uuid)) return 0;
  }
  *device = -1;
  return error;
}
#endif
