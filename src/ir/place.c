/* SPDX-License-Identifier: MIT */
/* place.c - where a kernel runs: the host's threads, the device, and the choice between
 * them.
 *
 * Both are made when they are first needed. Unless the user named a device, the choice
 * goes by the bytes that a kernel must move: below tune.device_min (measured, see
 * probe.c) the host is done before a device has answered. */
#include <string.h>
#include <time.h>

#include "../base/arith.h"
#include "../codegen/task.h"
#include "../host/threads.h"
#include "place.h"
#include "plan.h"

/* It costs little: threads are started by the first long work. */
bool host_pool_open(ir *g) {
  enum { FEW = 2, OF_MANY = 1 << 16 };
  int64_t threads = g->cfg.threads, share = g->tune.share;
  if (g->tune.threads) threads = g->tune.threads;
  g->pool = blk_pool_new(g->c, (int)threads);
  if (!g->pool) return false;
  if (share) blk_pool_tune(g->pool, blk_pool_isa(g->pool), share);
  blk_pool_lend(g->pool, g->c);
  bool few = blk_pool_size(g->pool) <= FEW;
  if (!g->tune.given_at_once && !few) g->tune.at_once = OF_MANY;
  g->tune.any_length = !g->tune.given_at_once && few;
  if (share) g->c->team.part = share;
  return true;
}

/* ── the device ── */

static void host_copy(void *user, void *to, const void *from, size_t n) {
  blk_copy(((ir *)user)->pool, to, from, n);
}

bool device_open(ir *g) {
  if (g->dev) return true;
  const ir_config *f = &g->cfg;
  gpu_config cfg = {.device = f->device,
                    .nth = f->nth,
                    .given = f->given,
                    .cache_dir = f->cache_dir,
                    .validate = f->validate,
                    .log = f->log,
                    .log_user = f->log_user,
                    .max_bytes = f->max_device_bytes,
                    .max_allocation = (uint64_t)g->tune.allocation,
                    .staging_bytes = (uint64_t)g->tune.staging,
                    .cut_work = (double)g->tune.cut,
                    .mask = g->tune.mask,
                    .copy = host_copy,
                    .copy_user = g};
  gpu *dev = gpu_open(g->c, &cfg);
  if (!dev) return false;
  g->results = gpu_alloc(dev, IR_RESULT_BYTES);
  if (!g->results) {
    gpu_close(dev);
    return false;
  }
  g->dev = dev;
  if (!device_measure(g)) {
    gpu_free(dev, g->results);
    gpu_close(dev);
    g->results = NULL;
    g->dev = NULL;
    return false;
  }
  gpu_meter(dev, g->metering);
  if (g->onlooker) gpu_tell_times(dev, g->onlooker->took, g->onlooker->user);
  steps_tell(g);
  note_load(g);
  find_crossover(g);
  return true;
}

static bool has_float64(const kir *k) {
  for (uint32_t i = 0; i < k->n_ins; i++)
    if (k->ins[i].ty == KF64) return true;
  const kir *inner;
  for (uint32_t i = 0; (inner = kir_inner(k, i)); i++)
    if (has_float64(inner)) return true;
  return false;
}

enum { SOFT_MOST = 1000 }; /* f64 instructions by integers: some fifty each */

/* Is its f64 all between numbers of other types, as in * ⍟ ○ of f32? Then a device without f64
 * computes it in integers (codegen/soft.c); what is f64 in memory is for the host. So is all of it
 * where integers of 64 bits are pairs of words: ⍟ of f32 is 44000 words of SPIR-V then, which
 * a driver compiles for seconds, and ○ ends one. */
static bool float64_is_inside(const kir *k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *in = &k->ins[i];
    if (in->ty != KF64) continue;
    bool computed = in->op == KOP_CONST || in->op == KOP_CVT || in->op == KOP_SEL ||
                    in->op == KOP_BITS || (in->op >= KOP_ADD && in->op <= KOP_RINT);
    if (!computed || ++n > SOFT_MOST) return false;
  }
  for (uint32_t i = 0; i < k->n_out; i++)
    if (k->out[i].type == ET_F64) return false;
  return !kir_inner(k, 0);
}

/* A scan's kernel has the join in many places: compiling one with a long join takes
 * seconds, or fails. */
static bool serves_join(const kir *k) {
  enum { COPIES = 13, MOST = 1000 };
  if (k->join_order > KJOIN_EXACT) return false;
  int64_t copies = COPIES * KIR_SCAN_GROUPS(cg_acc_bytes(k)) + 2 * COPIES;
  return k->kind == KIR_REDUCE || k->join->n_ins * copies <= MOST;
}

/* What the device lacks that the kernel needs; NULL: nothing. Joins are reduced there, in an
 * order that has a tree. */
const char *device_lacks(const ir *g, const plan *p) {
  const gpu_info *info = gpu_get_info(g->dev);
  const kout *out = &p->k.out[0];
  if (out->put == KPUT_JOIN && out->type == ET_I64 && !info->atomic_i64)
    return "the device has no 64-bit atomics";
  if (p->k.join && !serves_join(&p->k)) return "a fold of such tuples is for the host";
  if (info->float64 || !has_float64(&p->k)) return NULL;
  if (info->int64 && float64_is_inside(&p->k)) return NULL;
  return "the device has no f64";
}

/* Likewise, told once. */
static bool device_serves(ir *g, const plan *p) {
  const char *lacks = device_lacks(g, p);
  if (lacks && !g->told_lack && g->cfg.hint && g->tune.hints && strstr(lacks, "f64")) {
    g->told_lack = true;
    g->cfg.hint(g->cfg.log_user,
                "the device has no f64: what computes in f64 runs on the host");
  }
  return !lacks;
}

bool is_automatic(const ir *g) {
  return !g->cfg.device || !strcmp(g->cfg.device, "auto");
}

bool chooses_ways(const ir *g) {
  return is_automatic(g) || !strcmp(g->cfg.device, "host");
}

/* Is there a device that is no CPU? An error counts as no. */
static bool has_real_device(ir *g) {
  gpu_info *list = NULL;
  int n = 0;
  bool found = false;
  char why[160];
  if (gpu_list(g->c, &list, &n, why))
    for (int i = 0; i < n; i++) found |= !list[i].cpu && !list[i].refused[0];
  mem_free(g->c, list);
  return found;
}

/* Automatic choice opens a device at most once, and keeps failures quiet. */
static bool find_device(ir *g) {
  g->dev_tried = true;
  if (has_real_device(g)) device_open(g);
  err_clear(g->c);
  return g->dev != NULL;
}

/* ── the choice ── */

/* Is the device to be opened now, for a kernel of so many bytes? Opening it costs what moving FIRST bytes does. A program
 * that has computed for as long with arrays of LEAST will go on to: it has lost no more than twice what it had to. */
static bool opens_now(ir *g, uint64_t bytes) {
  enum { FIRST = 64 << 20, LEAST = 1 << 20, OPENING_NS = 300000000 };
  struct timespec t;
  if (g->dev || g->dev_tried || bytes < LEAST) return g->dev;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  int64_t now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
  if (!g->asked_at) g->asked_at = now;
  return (bytes >= FIRST || now - g->asked_at > OPENING_NS) && find_device(g);
}

/* Is something that the kernel reads on the device alone? */
static bool reads_device_memory(const plan *p) {
  const arr *into = plan_into(p);
  if (into && into->dev && !into->host) return true;
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (is_linked(p->in[i]) || (p->in[i]->dev && !p->in[i]->host)) return true;
  return false;
}

bool on_device(ir *g, const plan *p, bool may_open) {
  if (g->cfg.device && !strcmp(g->cfg.device, "host")) return false;
  if (!is_automatic(g)) return device_open(g) && device_serves(g, p);
  /* A reduction of ⍳n moves nothing but does count: an element is worth its 8 bytes. */
  uint64_t counted = (uint64_t)plan_domain(p) * 8;
  uint64_t bytes = max_u64(plan_bytes_read(p) + plan_bytes_written(p), counted);
  if (!g->dev && (!may_open || !opens_now(g, bytes))) return false;
  if (gpu_get_info(g->dev)->cpu || gpu_lost(g->dev) || !device_serves(g, p)) return false;
  return reads_device_memory(p) || bytes >= (uint64_t)g->tune.device_min;
}

bool prefers_device(const ir *g, uint64_t bytes) {
  if (g->tune.kernels) return true;
  if (g->cfg.device && !strcmp(g->cfg.device, "host")) return false;
  if (!is_automatic(g)) return true;
  if (!g->dev || gpu_get_info(g->dev)->cpu || gpu_lost(g->dev)) return false;
  return bytes >= (uint64_t)g->tune.device_min;
}

bool opens_device(ir *g, uint64_t bytes) {
  if (is_automatic(g)) opens_now(g, bytes);
  return prefers_device(g, bytes);
}

bool plan_prefers_device(const plan *p) {
  return p->g->dev && prefers_device(p->g, 8 * (uint64_t)p->len);
}
