/* SPDX-License-Identifier: MIT */
/* api_vulkan.c - vapl_vulkan.h: the device shared with the host program. */
#include "../src/base/mapped.h"
#include "../src/vk/share.h"
#include "api.h"
#include "api_convert.h"
#include "vapl_vulkan.h"
#include <stdio.h>

enum {
  BEHIND = 16,
  STARTS_AT = 16
}; /* what kernels may read behind the last, and alignment */

vapl_status vapl_vk_get(vapl *v, vapl_vulkan *out) {
  if (v && (!out || out->size != sizeof *out))
    return api_bad(v, "out is NULL, or its size is not sizeof(vapl_vulkan)");
  if (!api_enter(v)) return VAPL_EARG;
  const gpu *g = ir_gpu(vm_ir(v->m));
  if (!g || gpu_lost(g)) return api_leave(v, g && !vk_is_lost(ir_gpu(vm_ir(v->m))));
  *out = (vapl_vulkan){.size = sizeof *out,
                       .get_proc = g->vk.GetInstanceProcAddr,
                       .instance = g->instance,
                       .physical = g->physical,
                       .device = g->device,
                       .queue = g->queue,
                       .queue_family = g->family};
  return api_leave(v, true);
}

/* ── a device of the host program's ─────────────────────────────────────────────────── */

/* What the program filled in, if that is all right. */
static bool given_by(vapl_vk_device *d, bool whole, gpu_given *at) {
  const char *bad = NULL;
  if (!d || d->size != sizeof *d) return false;
  d->why[0] = 0;
  if (!d->instance || !d->physical) bad = "instance or physical is not set";
  else if (whole && (!d->device || !d->queue)) bad = "device or queue is not set";
  else if (!d->lock != !d->unlock) bad = "lock without unlock";
  if (bad) snprintf(d->why, sizeof d->why, "%s", bad);
  *at = (gpu_given){.get_proc = d->get_proc,
                    .instance = d->instance,
                    .api = d->api_version,
                    .physical = d->physical,
                    .queue = d->queue,
                    .family = d->queue_family,
                    .on = {d->features, d->features12, d->subgroup_size, d->atomic_float},
                    .lock = d->lock,
                    .unlock = d->unlock,
                    .user = d->user};
  if (whole) at->device = d->device;
  return !bad;
}

static void put_features(vapl_vk_device *d, const gpu_features *on) {
  d->features = on->f;
  d->features12 = on->f12;
  d->subgroup_size = on->control;
  d->atomic_float = on->atomic;
  d->features.pNext = &d->features12;
  d->features12.pNext = d->subgroup_size.pNext = d->atomic_float.pNext = NULL;
  if (on->control.subgroupSizeControl) d->features12.pNext = &d->subgroup_size;
  if (!on->atomic.shaderBufferFloat32AtomicAdd &&
      !on->atomic.shaderSharedFloat32AtomicAdd)
    return;
  d->atomic_float.pNext = d->features12.pNext;
  d->features12.pNext = &d->atomic_float;
}

vapl_status vapl_vk_wants(vapl_vk_device *d) {
  gpu_given at;
  if (!given_by(d, false, &at)) return VAPL_EARG;
  ctx c;
  ctx_init(&c, NULL, NULL);
  bool ok = gpu_wants(&c, &at, d->extensions, &d->n_extensions);
  vapl_status status = (vapl_status)c.err.code;
  if (ok) put_features(d, &at.on);
  if (ok) d->queue_family = at.family;
  else snprintf(d->why, sizeof d->why, "%.255s", c.err.msg);
  err_clear(&c);
  ctx_close(&c);
  return status;
}

vapl_status vapl_vk_open(const vapl_config *cfg, vapl_vk_device *d, vapl **out) {
  gpu_given at;
  if (out) *out = NULL;
  if (!given_by(d, true, &at)) return VAPL_EARG;
  return api_open(cfg, &at, d->why, out);
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

/* Its elements on the device, in a buffer that the handle keeps. */
static bool share_out(vapl *v, vapl_array *h, gpu_range *r) {
  ir *g = vm_ir(v->m);
  if (!api_settle(v, h)) return false;
  if (h->a->type == ET_NEST)
    return err_set(&v->c, ERR_DOMAIN, "a nested array has no elements in a row");
  if (!h->a->count) return err_set(&v->c, ERR_ARG, "an array of no elements");
  if (!ir_gpu(g) || !ir_device(g, h->a) || !mapped_whole(&v->c)) return false;
  if (!h->shared) h->shared = gpu_share(h->a->dev);
  return gpu_export(ir_gpu(g), h->shared, r);
}

vapl_status vapl_vk_export(vapl *v, vapl_array *a, vapl_vk_buffer *out) {
  gpu_range r;
  v = api_home(v, a);
  if (v && (!out || out->size != sizeof *out))
    return api_bad(v, "out is NULL, or its size is not sizeof(vapl_vk_buffer)");
  if (v && !v->m) return api_bad(v, "the interpreter is closed");
  if (!api_enter(v)) return VAPL_EARG;
  if (!share_out(v, a, &r)) return api_leave(v, false);
  *out = (vapl_vk_buffer){.size = sizeof *out,
                          .buffer = r.buffer,
                          .offset = r.offset,
                          .bytes = r.bytes,
                          .address = r.address,
                          .timeline = r.timeline,
                          .value = r.value};
  return api_leave(v, true);
}

/* ── in ─────────────────────────────────────────────────────────────────────────────── */

typedef struct lent {
  ctx *c;
  void (*drop)(void *user, VkBuffer buffer);
  void *user;
  VkBuffer buffer;
} lent;

static void give_back(void *user) {
  lent *l = user;
  if (l->drop) l->drop(l->user, l->buffer);
  mem_free(l->c, l);
}

static vapl_status check_import(vapl *v, vapl_type t, const vapl_vk_buffer *in,
                                int64_t n) {
  if (t == VAPL_BOOL || t == VAPL_U8)
    return api_bad(v, "%s is not stored as such", convert_name(t));
  if (!in || in->size != sizeof *in)
    return api_bad(v, "in is NULL, or its size is not sizeof(vapl_vk_buffer)");
  if (!n) return api_bad(v, "an array of no elements");
  size_t need = convert_bytes(t, n);
  if (!in->buffer || in->bytes < need || in->bytes - need < BEHIND)
    return api_bad(v,
                   "the buffer has %llu bytes, the elements take %zu and %d behind them",
                   (unsigned long long)in->bytes, need, (int)BEHIND);
  return VAPL_OK;
}

/* The address of the range's first byte; 0, with the error recorded, if it cannot be used. */
static VkDeviceAddress address_in(vapl *v, const gpu *g, const vapl_vk_buffer *in) {
  VkDeviceAddress at = in->address;
  VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                    .buffer = in->buffer};
  if (!at) at = g->vk.GetBufferDeviceAddress(g->device, &info) + in->offset;
  if (at % STARTS_AT == 0) return at;
  err_set(&v->c, ERR_ARG, "the elements do not begin at a multiple of %d",
          (int)STARTS_AT);
  return 0;
}

/* The array of a's type and shape gets the range as its elements. */
static bool lend(vapl *v, arr *a, const vapl_vk_buffer *in, lent *l) {
  ir *g = vm_ir(v->m);
  gpu_range r = {.buffer = in->buffer,
                 .offset = in->offset,
                 .bytes = in->bytes,
                 .timeline = in->timeline,
                 .value = in->value};
  gpu *dev = ir_gpu(g);
  if (dev) r.address = address_in(v, dev, in);
  if (!r.address) return false;
  gpu_buf *b = gpu_import(dev, &r, elt_bytes((elt)a->type, a->count), give_back, l);
  if (!b) return false;
  ir_adopt(g, a, b);
  return true;
}

vapl_status vapl_vk_import(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                           const vapl_vk_buffer *in,
                           void (*drop)(void *user, VkBuffer buffer), void *user,
                           vapl_array **out) {
  int64_t n = api_check_new(v, t, rank, shape, in, out);
  if (n < 0 || check_import(v, t, in, n) || !api_enter(v)) return VAPL_EARG;
  vapl_array *h = NULL;
  lent *l = mem_alloc(&v->c, sizeof *l);
  arr *a = arr_new_pending(&v->c, convert_elt(t), (int)rank, shape);
  bool ok = l && a && api_give(v, arr_retain(a), false, &h);
  if (l) *l = (lent){&v->c, NULL, user, in->buffer};
  if (ok && lend(v, a, in, l)) {
    l->drop = drop;
    *out = h;
    arr_release(a);
    return api_leave(v, true);
  }
  mem_free(&v->c, l);
  vapl_release(h);
  arr_release(a);
  return api_leave(v, false);
}
