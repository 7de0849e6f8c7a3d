/* SPDX-License-Identifier: MIT */
/* api_cuda.c - vapl_cuda.h: device memory that CUDA maps, and copies from CUDA's memory.
 *
 *   Vulkan's allocation ──fd──▶ mapping: CUDA's address of all of it, once for each allocation
 *        ▲ part of it                ▲
 *      gpu_buf ◀────── held ─────────┘    one for each vapl_cuda_map
 *
 * A `held` keeps the buffer from being used again, and the mapping. vapl_cuda_unmap notes in an event what CUDA
 * has to do at that time; a later call of the interpreter, by v->attend, gives the buffer back once the event has come.
 * When the interpreter closes, Vulkan frees its memory, but a mapping keeps what it maps: a held that is
 * out then stays valid. So what is shared with it (cuda, mapping) is counted, and not in the interpreter's memory.
 *
 * What has no allocation of its own (an array of several, a buffer that the program lent) is copied instead, to memory that CUDA
 * allocates, part by part through memory that both have.
 */
#include "vapl_cuda.h"
#include "../src/base/mapped.h"
#include "../src/dist/dist.h"
#include "../src/eval/value/vm.h"
#include "../src/ir/build.h"
#include "../src/ir/device.h"
#include "../src/vk/share.h"
#include "api.h"
#include "api_convert.h"
#include "libcuda.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── libcuda ────────────────────────────────────────────────────────────────────────── */

enum { OPAQUE_FD = 1, ORDINAL = 9, NO_MEMORY = 2 };
typedef struct cu_memory *cu_memory;
typedef struct cu_import { /* CUDA_EXTERNAL_MEMORY_HANDLE_DESC */
  int kind;
  union {
    int fd;
    void *others[2];
  } from;
  unsigned long long bytes;
  unsigned flags, reserved[16];
} cu_import;
typedef struct cu_part { /* CUDA_EXTERNAL_MEMORY_BUFFER_DESC */
  unsigned long long offset, bytes;
  unsigned flags, reserved[16];
} cu_part;

/* clang-format off */
#define FUNCTIONS(F) \
  F(CtxPush, "cuCtxPushCurrent_v2", (cu_context c)) \
  F(CtxPop, "cuCtxPopCurrent_v2", (cu_context *c)) \
  F(CtxSynchronize, "cuCtxSynchronize", (void)) \
  F(PointerGetAttribute, "cuPointerGetAttribute", (void *value, int attribute, cu_address at)) \
  F(ImportExternalMemory, "cuImportExternalMemory", (cu_memory *m, const cu_import *from)) \
  F(GetMappedBuffer, "cuExternalMemoryGetMappedBuffer", (cu_address *at, cu_memory m, const cu_part *part)) \
  F(DestroyExternalMemory, "cuDestroyExternalMemory", (cu_memory m)) \
  F(MemAlloc, "cuMemAlloc_v2", (cu_address *at, size_t n)) \
  F(MemFree, "cuMemFree_v2", (cu_address at)) \
  F(CopyAsync, "cuMemcpyAsync", (cu_address to, cu_address from, size_t n, void *stream)) \
  F(StreamSynchronize, "cuStreamSynchronize", (void *stream)) \
  F(EventSynchronize, "cuEventSynchronize", (cu_event e))
/* clang-format on */

typedef struct held held;

struct api_cuda {
  pthread_mutex_t lock; /* of what is below `closed` */
  libcuda l;
  int device; /* CUDA's number of vapl's device; -1: not looked for yet */
  cu_context context;
  pid_t process;
  bool closed; /* the interpreter is */
  size_t refs; /* the interpreter's, and one for each mapping and held */
  held *out, *ended;
  atomic_bool waits; /* are there ended ones? */
  uint64_t ended_bytes;
  FUNCTIONS(LIBCUDA_FIELD)
  /* CUDA 12.5: an event behind all work of a context; NULL where it is missing. */
  int (*CtxRecordEvent)(cu_context c, cu_event e);
};
typedef struct api_cuda cuda;

typedef struct mapping {
  cuda *cu;
  cu_memory memory;
  cu_address at;
  size_t refs; /* the allocation's, and one for each held */
} mapping;

struct held {
  cuda *cu;
  mapping *map;   /* NULL: it is a copy */
  gpu_buf *buf;   /* NULL: it is a copy, or the interpreter has been closed */
  cu_address own; /* of a copy */
  uint64_t bytes;
  cu_event event;
  bool recorded;
  held *prev, *next;
};

/* What is missing, or NULL. */
static const char *load(cuda *p) {
  libcuda *l = &p->l;
  const char *missing = libcuda_open(l);
  if (missing) return missing;
  FUNCTIONS(LIBCUDA_FIND)
  *(void **)&p->CtxRecordEvent = dlsym(l->lib, "cuCtxRecordEvent");
  return NULL;
}

static bool is_child(const cuda *cu) { return cu->process != getpid(); }

/* Was the call right? Else an error of the device, which says what was done. */
static bool fine(vapl *v, const cuda *cu, int error, const char *what) {
  return !error || err_set(&v->c, error == NO_MEMORY ? ERR_WS_FULL : ERR_DEVICE,
                           "CUDA: %s: %s", what, libcuda_text(&cu->l, error));
}

/* ── opening ────────────────────────────────────────────────────────────────────────── */

static void attend(vapl *v, bool closing);

/* Between the two libcuda is called, and what threads share is changed. The second is told what the first said, and
 * frees cu without references; the library stays loaded, for it has threads. */
static bool begin(cuda *cu) {
  bool current = !cu->CtxPush(cu->context);
  pthread_mutex_lock(&cu->lock);
  return current;
}

static void end(cuda *cu, bool current) {
  bool last = !cu->refs;
  pthread_mutex_unlock(&cu->lock);
  if (current) cu->CtxPop(&(cu_context){NULL});
  if (!last) return;
  cu->l.PrimaryCtxRelease(cu->device);
  pthread_mutex_destroy(&cu->lock);
  free(cu);
}

/* Recursive, for attend frees Vulkan's memory, which calls on_free. */
static void make_lock(pthread_mutex_t *lock) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &kind);
  pthread_mutexattr_destroy(&kind);
}

/* v's, with the library; NULL after an error. */
static cuda *open_library(vapl *v) {
  if (v->cuda && !is_child(v->cuda)) return v->cuda;
  if (v->cuda) {
    err_set(&v->c, ERR_DEVICE, "CUDA belongs to the process that forked");
    return NULL;
  }
  cuda *cu = calloc(1, sizeof *cu);
  if (!cu) {
    err_set(&v->c, ERR_WS_FULL, "%zu bytes for CUDA", sizeof *cu);
    return NULL;
  }
  const char *missing = load(cu);
  if (missing || !fine(v, cu, cu->l.Init(0), "cuInit")) {
    if (missing) err_set(&v->c, ERR_DEVICE, "CUDA: there is no %s", missing);
    free(cu);
    return NULL;
  }
  make_lock(&cu->lock);
  cu->device = -1;
  cu->process = getpid();
  cu->refs = 1;
  v->cuda = cu;
  v->attend = attend;
  return cu;
}

static bool find_device(vapl *v, cuda *cu, const gpu_info *info) {
  int device = -1;
  if (!fine(v, cu, libcuda_find(&cu->l, info->uuid, &device), "the devices"))
    return false;
  if (device < 0)
    return err_set(&v->c, ERR_DEVICE, "CUDA shows no %.80s with the UUID %s", info->name,
                   info->uuid);
  if (!fine(v, cu, cu->l.PrimaryCtxRetain(&cu->context, device), "its context"))
    return false;
  cu->device = device;
  return true;
}

/* v's, with the device that v has; NULL after an error. */
static cuda *open_device(vapl *v) {
  gpu *g = ir_gpu(vm_ir(v->m));
  cuda *cu = g && !vk_is_lost(g) ? open_library(v) : NULL;
  if (!cu || (cu->device < 0 && !find_device(v, cu, gpu_get_info(g)))) return NULL;
  return gpu_begin_exports(g) ? cu : NULL;
}

vapl_status vapl_cuda_get(vapl *v, int *device) {
  if (device) *device = -1;
  if (v && !device) return api_bad(v, "device is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  const cuda *cu = open_device(v);
  if (cu) *device = cu->device;
  return api_leave(v, cu != NULL);
}

/* ── mappings ───────────────────────────────────────────────────────────────────────── */

static void drop_mapping(mapping *m) {
  if (--m->refs) return;
  m->cu->MemFree(m->at);
  m->cu->DestroyExternalMemory(m->memory);
  m->cu->refs--;
  free(m);
}

/* Vulkan frees the allocation: CUDA's mapping keeps the memory as long as it is needed. */
static void on_free(void *seen) {
  mapping *m = seen;
  cuda *cu = m->cu;
  if (is_child(cu)) return;
  bool current = begin(cu);
  drop_mapping(m);
  end(cu, current);
}

/* CUDA's address of all of b's allocation, which keeps it; NULL after an error. */
static mapping *map_allocation(vapl *v, cuda *cu, gpu_buf *b) {
  const struct vk_mem *memory = vk_buf_mem(b);
  int fd = -1;
  if (memory->seen) return memory->seen;
  mapping *m = calloc(1, sizeof *m);
  if (!m) {
    err_set(&v->c, ERR_WS_FULL, "no memory for a mapping");
    return NULL;
  }
  *m = (mapping){.cu = cu, .refs = 1};
  if (!gpu_export_fd(ir_gpu(vm_ir(v->m)), b, &fd)) goto fail;
  cu_import from = {.kind = OPAQUE_FD, .from = {.fd = fd}, .bytes = memory->size};
  if (!fine(v, cu, cu->ImportExternalMemory(&m->memory, &from), "Vulkan's memory"))
    goto fail;
  fd = -1; /* it is CUDA's */
  cu_part all = {.bytes = memory->size};
  if (!fine(v, cu, cu->GetMappedBuffer(&m->at, m->memory, &all), "mapping memory")) {
    cu->DestroyExternalMemory(m->memory);
    goto fail;
  }
  gpu_set_seen(b, m, on_free);
  cu->refs++;
  return m;
fail:
  if (fd >= 0) close(fd);
  free(m);
  return NULL;
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

/* a's elements as type t, which may be a itself; owned, NULL after an error. Wider integers are a kernel's, other
 * types, and what one rank has alone, the host's. */
static arr *as_type(vapl *v, vapl_array *h, vapl_type want) {
  elt t = want == VAPL_BOOL ? ET_I8 : want == VAPL_U8 ? ET_COUNT : convert_elt(want);
  elt has = (elt)h->a->type;
  ir_call call = call_of(v->m);
  if (want == VAPL_AS_IT_IS || t == has) return arr_retain(h->a);
  bool wider = elt_is_int(has) && elt_is_int(t) && t > has && want != VAPL_BOOL;
  if (!h->part && (wider || (has == ET_BIT && t <= ET_F64)))
    return node_convert(&call, h->a, t);
  if (t == ET_COUNT) t = ET_I8; /* as many bytes */
  if (!api_to_host(v, h)) return NULL;
  OWNED arr *r = arr_new(&v->c, t, h->a->rank, h->a->shape);
  if (!r || !convert_out(&v->c, h->a, want, r->host)) return NULL;
  return arr_move(&r);
}

static void put_into(held **list, held *k) {
  k->prev = NULL;
  k->next = *list;
  if (k->next) k->next->prev = k;
  *list = k;
}

static void take_from(held **list, held *k) {
  if (k->prev) k->prev->next = k->next;
  else *list = k->next;
  if (k->next) k->next->prev = k->prev;
}

/* Of one allocation, which is Vulkan's? */
static bool is_whole(const arr *a) { return vk_buf_mem(a->dev)->mem != VK_NULL_HANDLE; }

/* n bytes from `address` on to the place `to`, in a context of the device that has them. */
static bool copy_bytes(vapl *v, const cuda *cu, cu_context context, cu_address to,
                       cu_address address, size_t n, void *stream) {
  if (!fine(v, cu, cu->CtxPush(context), "its context")) return false;
  bool ok = fine(v, cu, cu->CopyAsync(to, address, n, stream), "copying") &&
            fine(v, cu, cu->StreamSynchronize(stream), "waiting for the copy");
  cu->CtxPop(&(cu_context){NULL});
  return ok;
}

/* CUDA's address of what a's buffer has, which is of one allocation; 0 after an error. */
static cu_address address_of(vapl *v, cuda *cu, const arr *a) {
  bool current = begin(cu);
  const mapping *m = map_allocation(v, cu, a->dev);
  end(cu, current);
  return m ? m->at + a->dev->offset : 0;
}

enum { PART = 256 << 20 };

/* b's n bytes to CUDA's memory, or from there, through memory that both have. */
static bool copy_by_parts(vapl *v, cuda *cu, gpu_buf *b, cu_address there, size_t n,
                          bool out, void *stream) {
  gpu *g = ir_gpu(vm_ir(v->m));
  int64_t most = n < PART ? (int64_t)n : PART;
  OWNED arr *part = arr_new_pending(&v->c, ET_I8, 1, &most);
  bool ok = part && device_room(vm_ir(v->m), part);
  cu_address here = ok ? address_of(v, cu, part) : 0;
  ok = ok && here;
  for (size_t at = 0; ok && at < n; at += PART) {
    size_t k = n - at < PART ? n - at : PART;
    if (out)
      ok = gpu_copy(g, b, at, part->dev, 0, k) && gpu_wait(g) &&
           copy_bytes(v, cu, cu->context, there + at, here, k, stream);
    else
      ok = copy_bytes(v, cu, cu->context, here, there + at, k, stream) &&
           gpu_copy(g, part->dev, 0, b, at, k) && gpu_wait(g);
  }
  return ok;
}

/* Makes k a copy of a's elements. */
static bool hold_copy(vapl *v, cuda *cu, held *k, const arr *a) {
  gpu_buf *b = gpu_share(a->dev); /* a itself may leave the device for want of memory */
  bool current = begin(cu);
  bool ok = fine(v, cu, cu->MemAlloc(&k->own, k->bytes), "memory for a copy");
  if (!ok) k->own = 0;
  end(cu, current);
  ok = ok && copy_by_parts(v, cu, b, k->own, k->bytes, true, NULL);
  gpu_free(ir_gpu(vm_ir(v->m)), b);
  return ok;
}

/* A held of a's elements, which are on the device. */
static held *hold(vapl *v, cuda *cu, const arr *a) {
  held *k = calloc(1, sizeof *k);
  if (!k) {
    err_set(&v->c, ERR_WS_FULL, "no memory to hold an array");
    return NULL;
  }
  *k = (held){.cu = cu, .bytes = elt_bytes((elt)a->type, a->count)};
  bool ok = is_whole(a) || hold_copy(v, cu, k, a);
  bool current = begin(cu);
  if (ok && is_whole(a)) {
    k->map = map_allocation(v, cu, a->dev);
    ok = k->map != NULL;
  }
  ok = ok && fine(v, cu, cu->l.EventCreate(&k->event, CU_WITHOUT_TIMES), "an event");
  if (ok && k->map) {
    k->map->refs++;
    k->buf = gpu_share(a->dev);
  }
  if (ok) {
    cu->refs++;
    put_into(&cu->out, k);
  } else if (k->own) cu->MemFree(k->own);
  end(cu, current);
  if (ok) return k;
  free(k);
  return NULL;
}

/* Inside the bracket. */
static bool map_out(vapl *v, vapl_array *h, vapl_type want, vapl_cuda_view *out) {
  if (!api_settle(v, h)) return false;
  if (h->a->type == ET_NEST)
    return err_set(&v->c, ERR_DOMAIN, "a nested array has no elements in a row");
  ir *g = vm_ir(v->m);
  cuda *cu = open_device(v);
  if (!cu || (h->a->count && !ir_device(g, h->a))) return false;
  OWNED arr *a = as_type(v, h, want);
  if (!a) return false;
  vapl_type type = want == VAPL_AS_IT_IS ? convert_type((elt)a->type) : want;
  held *k = NULL;
  if (a->count) {
    if (!ir_device(g, a) || !mapped_whole(&v->c)) return false;
    if ((is_whole(a) && !device_export(g, a)) || !gpu_wait(ir_gpu(g))) return false;
    k = hold(v, cu, a);
    if (!k) return false;
  }
  *out = (vapl_cuda_view){.size = sizeof *out,
                          .type = type,
                          .rank = h->a->rank,
                          .shape = h->a->shape,
                          .count = (size_t)h->a->count,
                          .bytes = convert_bytes(type, h->a->count),
                          .device = cu->device,
                          .held = k};
  if (k) out->address = k->map ? k->map->at + k->buf->offset : k->own;
  return true;
}

vapl_status vapl_cuda_map(vapl *v, vapl_array *a, vapl_type want, vapl_cuda_view *out) {
  v = api_home(v, a);
  if (!v) return VAPL_EARG;
  if (!out || out->size != sizeof *out)
    return api_bad(v, "out is NULL, or its size is not sizeof(vapl_cuda_view)");
  if (!v->m) return api_bad(v, "the interpreter is closed");
  if (want != VAPL_AS_IT_IS && (convert_elt(want) == ET_COUNT || want == VAPL_NESTED))
    return api_bad(v, "%d is no type to read elements as", (int)want);
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, map_out(v, a, want, out));
}

/* ── back ───────────────────────────────────────────────────────────────────────────── */

/* Has CUDA done what it had to do when k was given back? An error of its device is an end, too. */
static bool has_ended(const cuda *cu, const held *k, bool wait) {
  if (!k->recorded) return !cu->CtxSynchronize() || wait;
  if (!wait) return cu->l.EventQuery(k->event) != CU_NOT_READY;
  cu->EventSynchronize(k->event);
  return true;
}

/* k is in no list, and nothing uses what it holds. */
static void drop_held(cuda *cu, held *k) {
  cu->l.EventDestroy(k->event);
  if (k->map) drop_mapping(k->map);
  else cu->MemFree(k->own);
  cu->refs--;
  free(k);
}

void vapl_cuda_unmap(void *pointer) {
  held *k = pointer;
  if (!k || is_child(k->cu)) return;
  cuda *cu = k->cu;
  bool current = begin(cu);
  k->recorded = cu->CtxRecordEvent && !cu->CtxRecordEvent(cu->context, k->event);
  take_from(&cu->out, k);
  if (cu->closed) {
    has_ended(cu, k, true);
    drop_held(cu, k);
  } else {
    put_into(&cu->ended, k);
    cu->ended_bytes += k->bytes;
    atomic_store(&cu->waits, true);
  }
  end(cu, current);
}

/* So many bytes may wait for CUDA; beyond it vapl waits. */
#define PATIENCE ((uint64_t)1 << 30)

/* Gives back what has ended; everything, when the interpreter closes. */
static void attend(vapl *v, bool closing) {
  cuda *cu = v->cuda;
  if (!closing && !atomic_load(&cu->waits)) return;
  if (closing) {
    v->attend = NULL;
    v->cuda = NULL;
  }
  if (is_child(cu)) return;
  if (cu->device < 0) {
    free(cu); /* it was of no use */
    return;
  }
  gpu *g = ir_gpu(vm_ir(v->m));
  bool current = begin(cu);
  for (held *k = cu->ended, *next; k; k = next) {
    next = k->next;
    if (!has_ended(cu, k, closing || cu->ended_bytes > PATIENCE)) continue;
    cu->ended_bytes -= k->bytes;
    take_from(&cu->ended, k);
    gpu_free(g, k->buf);
    drop_held(cu, k);
  }
  for (held *k = cu->out; closing && k; k = k->next) {
    gpu_free(g, k->buf);
    k->buf = NULL;
  }
  cu->closed = closing;
  atomic_store(&cu->waits, cu->ended != NULL);
  if (closing) cu->refs--;
  end(cu, current);
}

/* ── in ─────────────────────────────────────────────────────────────────────────────── */

enum { FEW_BYTES = 4096 }; /* that are for the host, where short arrays are computed */

/* The elements as a, which has none, on v's device. */
static bool copy_to_device(vapl *v, cuda *cu, arr *a, cu_address address, void *stream) {
  size_t n = elt_bytes((elt)a->type, a->count);
  if (!device_room(vm_ir(v->m), a)) return false;
  if (!is_whole(a)) {
    gpu *g = ir_gpu(vm_ir(v->m));
    gpu_set_tag(g, a->dev, NULL); /* it stays on the device */
    bool ok = copy_by_parts(v, cu, a->dev, address, n, false, stream);
    gpu_set_tag(g, a->dev, a);
    return ok;
  }
  cu_address to = address_of(v, cu, a);
  return to && copy_bytes(v, cu, cu->context, to, address, n, stream);
}

static bool copy_to_host(vapl *v, cuda *cu, arr *a, cu_address address, int device,
                         void *stream) {
  cu_context context;
  if (!arr_alloc_host(&v->c, a) ||
      !fine(v, cu, cu->l.PrimaryCtxRetain(&context, device), "its context"))
    return false;
  bool ok = copy_bytes(v, cu, context, (uintptr_t)a->host, address,
                       elt_bytes((elt)a->type, a->count), stream);
  cu->l.PrimaryCtxRelease(device);
  return ok;
}

/* Has v the device that memory of CUDA's device of that number is on? */
static bool has_device(vapl *v, int device) {
  const cuda *cu = open_device(v);
  err_clear(&v->c);
  return cu && cu->device == device;
}

static arr *copy_in(vapl *v, elt t, int rank, const int64_t *shape, cu_address address,
                    void *stream) {
  int device = -1;
  cuda *cu = open_library(v);
  if (!cu ||
      !fine(v, cu, cu->PointerGetAttribute(&device, ORDINAL, address), "the address"))
    return NULL;
  OWNED arr *a = arr_new_pending(&v->c, t, rank, shape);
  if (!a) return NULL;
  if (elt_bytes(t, a->count) > FEW_BYTES && has_device(v, device)) {
    return copy_to_device(v, cu, a, address, stream) ? arr_move(&a) : NULL;
  }
  if (!copy_to_host(v, cu, a, address, device, stream)) return NULL;
  return arr_move(&a);
}

/* Bytes as truth values, or as numbers from 0 on. One of several ranks may have others than the rest: the host
 * converts them. */
static bool bytes_as(vapl *v, vapl_type t, arr *bytes, arr **r) {
  if (!is_ranked(&v->c))
    return vm_call(v->m, t == VAPL_BOOL ? "0∘≠" : "256∘|", NULL, bytes, r);
  if (!ir_host(vm_ir(v->m), bytes)) return false;
  uint8_t *at = bytes->host;
  for (int64_t i = 0; t == VAPL_BOOL && i < bytes->count; i++) at[i] = at[i] != 0;
  *r = arr_new(&v->c, convert_elt(t), bytes->rank, bytes->shape);
  return *r && convert_in(&v->c, *r, t, at);
}

vapl_status vapl_cuda_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                          uint64_t address, void *stream, vapl_array **out) {
  const void *data = (const void *)(uintptr_t)address;
  int64_t n = api_check_new(v, t, rank, shape, data, out);
  if (n < 0) return VAPL_EARG;
  if (t == VAPL_BIT || t > VAPL_C128)
    return api_bad(v, "%s is no type of numbers in CUDA's memory", convert_name(t));
  if (!api_enter(v)) return VAPL_EARG;
  bool bytes = t == VAPL_BOOL || t == VAPL_U8;
  elt raw = bytes ? ET_I8 : convert_elt(t);
  OWNED arr *a = n ? copy_in(v, raw, (int)rank, shape, address, stream)
                   : arr_new(&v->c, raw, (int)rank, shape);
  OWNED arr *r = NULL;
  bool ok = a != NULL;
  if (ok && bytes) ok = bytes_as(v, t, a, &r);
  if (ok) ok = api_give(v, arr_move(bytes ? &r : &a), false, out);
  return api_leave(v, ok);
}
