/* SPDX-License-Identifier: MIT */
/* resident.c - which arrays are on the device: moving them there and back, and evicting
 * them.
 *
 * An array whose elements are on the device owns a buffer that carries the array as its
 * tag. When an allocation finds the device full (vk has given back every block that it
 * had cached by then), arrays are evicted until it fits, always the one used longest ago:
 *
 *   1. those that the host has too: their device memory is let go;
 *   2. those that only the device has: they are downloaded first.
 *
 * The arguments and the result of the kernel that is being recorded (ir.running) stay. If
 * an array cannot be brought to the host, for want of memory there, it stays where it is:
 * none is ever lost. When no more can be evicted the error is the allocation's, with its
 * sizes, and exec.c runs the kernel on the host instead. */
#include "../vk/share.h"
#include "device.h"
#include "plan.h"

static bool is_running(const ir *g, const arr *a) {
  const plan *p = g->running;
  if (!p) return false;
  if (plan_into(p) == a) return true;
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (p->in[i] == a) return true;
  for (uint32_t i = 0; i < p->n_out; i++)
    if (p->out[i] == a) return true;
  return false;
}

void device_release(ir *g, arr *a) {
  if (!a->dev) return;
  if (gpu_get_tag(a->dev) == a) gpu_set_tag(g->dev, a->dev, NULL);
  gpu_free(g->dev, a->dev);
  a->dev = NULL;
}

void device_forget(ir *g, arr *a) {
  if (!a->dev) return;
  device_release(g, a);
  if (!is_pending(a)) a->owner = NULL;
}

/* A system may grant more memory than the machine has, and end the process when it writes
 * to it. So no array is downloaded for which the machine's memory does not suffice; an
 * eighth is left to others. */
static bool host_has_room(const ir *g, const arr *a) {
  size_t all = mem_installed(), n = elt_bytes((elt)a->type, a->count);
  if (!all || g->c->bytes_live + n <= all - all / 8) return true;
  return err_set(g->c, ERR_WS_FULL,
                 "%zu bytes are wanted, %zu are in use, the machine has %zu", n,
                 g->c->bytes_live, all);
}

static bool evict(ir *g, arr *a) {
  if (!a->host && (!host_has_room(g, a) || !ir_download(g, a))) return false;
  device_forget(g, a);
  g->evicted++;
  g->bytes_evicted += elt_bytes((elt)a->type, a->count);
  return true;
}

/* Evicts the array used longest ago that the host has, or has not, and has room for. The
 * bytes that it had and one more; 0: none went, or (then the error is recorded) the
 * device is lost. */
static uint64_t evict_one(ir *g, bool has_copy) {
  for (gpu_buf *b = gpu_cold(g->dev, NULL); b; b = gpu_cold(g->dev, b)) {
    arr *a = gpu_get_tag(b);
    if ((a->host != NULL) != has_copy || is_running(g, a) || is_linked(a)) continue;
    uint64_t bytes = gpu_bytes(b);
    if (evict(g, a)) return bytes + 1;
    if (g->c->err.code != ERR_WS_FULL) return 0;
    err_clear(g->c);
  }
  return 0;
}

/* Evicts arrays of at least `bytes` in all, if there are so many, for a new buffer rarely
 * fits where one old one was; what only the device has, one at a time. False: nothing
 * went. */
static bool evict_bytes(ir *g, uint64_t bytes) {
  uint64_t gone = 0;
  while (gone < bytes) {
    uint64_t one = evict_one(g, true);
    if (!one) break;
    gone += one;
  }
  return gone || evict_one(g, false);
}

gpu_buf *device_alloc(ir *g, uint64_t bytes, arr *tag) {
  gpu_buf *b = gpu_alloc(g->dev, bytes);
  while (!b && g->c->err.code == ERR_WS_FULL && gpu_cold(g->dev, NULL)) {
    err full = err_take(g->c);
    bool gone = evict_bytes(g, bytes);
    if (!gone && !err_is(g->c)) err_put_back(g->c, full);
    else err_drop(g->c, &full);
    if (!gone) return NULL;
    b = gpu_alloc(g->dev, bytes);
  }
  if (b && tag) gpu_set_tag(g->dev, b, tag);
  return b;
}

void ir_adopt(ir *g, arr *a, gpu_buf *b) {
  a->dev = b;
  a->owner = &g->owner;
  gpu_set_tag(g->dev, b, a);
}

bool ir_upload(ir *g, arr *a) {
  if (a->dev && !gpu_get_tag(a->dev)) gpu_set_tag(g->dev, a->dev, a); /* was shared */
  if (a->dev) return true;
  uint64_t n = elt_bytes((elt)a->type, a->count);
  gpu_buf *b = device_alloc(g, n, a);
  if (!b) return false;
  if (n && !gpu_upload(g->dev, b, 0, a->host, n)) {
    gpu_free(g->dev, b);
    return false;
  }
  a->dev = b;
  a->owner = &g->owner;
  return true;
}

bool ir_download(ir *g, arr *a) {
  if (a->host) return true;
  if (!arr_alloc_host(g->c, a)) return false;
  uint64_t n = elt_bytes((elt)a->type, a->count);
  if (n && !gpu_download(g->dev, a->dev, 0, a->host, n)) {
    mem_free(g->c, a->host);
    a->host = NULL;
    return false;
  }
  return true;
}

/* ── memory that another API opens ──────────────────────────────────────────────────── */

/* Its elements move to other memory. Arrays that share the old memory stay there. */
static bool move_to_exported(ir *g, arr *a, uint64_t n) {
  gpu_buf *old = gpu_share(a->dev), *b = device_alloc(g, n, NULL);
  bool ok = b && gpu_copy(g->dev, old, 0, b, 0, n);
  if (ok) {
    device_release(g, a);
    ir_adopt(g, a, b);
  } else {
    gpu_free(g->dev, b);
  }
  gpu_free(g->dev, old);
  return ok;
}

bool device_export(ir *g, arr *a) {
  uint64_t n = elt_bytes((elt)a->type, a->count);
  return gpu_is_exported(a->dev) || move_to_exported(g, a, n);
}

bool device_room(ir *g, arr *a) {
  gpu_buf *b = device_alloc(g, elt_bytes((elt)a->type, a->count), NULL);
  if (!b) return false;
  ir_adopt(g, a, b);
  return gpu_wait(g->dev); /* it may have been another's */
}
