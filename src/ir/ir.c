/* SPDX-License-Identifier: MIT */
/* ir.c - the ir itself: options, the release of arrays that have a node or device memory,
 * and making elements present where they are wanted.
 *
 * `tune` (ir_config) is a list "name=value …" for tests and benchmarks:
 *   direct=N      arrays of up to N elements are computed at once (128)
 *   middle=N      likewise what is done by one loop over elements at hand: 16384, or as direct
 *                 says if that is given or a device is named
 *   at_once=N     likewise what is one loop of several instructions: 1048576, of which those of many
 *                 or to short elements have no limit, or 65536 where there are more than two threads
 *   measure=0     middle, at_once and share are not measured (costs.c), nor subgroups (measure.c)
 *   threads=N     of the host; share=N: they share loops of N steps, in stretches of N elements
 *   device_min=N  bytes a kernel must move before the automatic choice takes a device;
 *                 measured when the device is opened, if it is not given
 *   allocation=N  the largest allocation of device memory; staging=N: size of the rings;
 *   cut=N         elements × instructions of one dispatch: longer ones are cut
 *   fuse=0        every primitive is computed by a kernel of its own
 *   wg=N items=N width=N  workgroup, loads a thread, elements a load of map kernels
 *   loop=N        steps of a loop after which a device leaves an element to the host; 0:
 *                 as many as no driver loses patience with
 *   finish=N      whole arrays of up to N tiles are reduced by one dispatch, whose last
 *                 workgroup finishes (1024 at most); 0: by two
 *   scan=ahead    scans are one pass, whose workgroups look at one another's totals, on any
 *                 device that can; scan=two: a pass before makes the totals
 *   patience=N    looks at a missing total before a workgroup gives up
 *   lift=N        a function is applied to N cells and more at once where that can be;
 *                 0: never
 *   starve=N      one of every N totals is never published: the others must do without
 *   kernels=1     what moves elements is a kernel on the host too, whose loops are faster
 *   mask=A,B      features that the device is not to have: fp64 int64 shuffle vote ballot
 *                 arithmetic clustered extended (64 bits in subgroups) atomic64 sparse matrix halves, and
 *                 workgroup: they are of 128 at most. A blank ends the list
 *   class=N       shapes are chosen as for class N of devices, from 1 (codegen/choice.c)
 *   smaller=N     shapes N steps below those that are chosen, up to 2
 *   cut_from=N    arrays of N elements are cut where there are several ranks (16777216)
 *   exchange_from=N  bytes of an array from which ranks exchange it by their devices (1048576), not from the host
 *   rank_wait=N   seconds after which a rank that waits for others ends all of them (300); 0: never
 *   hints=0       no hints (steps.c); hints=2: also of a device that is a CPU */
#include "ir.h"
#include "../array/element.h"
#include "../array/grow.h"
#include "../codegen/task.h"
#include <stdlib.h>
#include <string.h>
#include "../host/host.h"
#include "build.h"
#include "cuts.h"
#include "device.h"
#include "exec.h"
#include "place.h"

/* ── life ── */

static void owner_release(arr_owner *o, arr *a) {
  ir *g = (ir *)o;
  node_drop(g, a);
  device_release(g, a);
  a->owner = NULL;
}

static void tune_set(ir_tune *t, const char *s) {
  while (s && *s) {
    const char *eq = strchr(s, '=');
    if (!eq) return;
    char *end;
    long long v = strtoll(eq + 1, &end, 10);
    size_t n = (size_t)(eq - s);
    bool mask = n == 4 && !memcmp(s, "mask", n);
    if (end == eq + 1) end += strcspn(end, mask ? " " : " ,");
    if (mask) t->mask = eq + 1;
#define IS(name) (n == strlen(name) && !memcmp(s, name, n))
    if (IS("direct")) t->direct = v;
    if (IS("direct") || IS("middle")) {
      t->middle = v;
      t->given_middle = true;
    } else if (IS("at_once")) {
      t->at_once = v;
      t->given_at_once = true;
    } else if (IS("measure")) t->measure = v;
    else if (IS("threads") && v > 0 && v <= INT32_MAX) t->threads = v;
    else if (IS("share") && v > 0) t->share = v;
    else if (IS("device_min")) t->device_min = v;
    else if (IS("allocation") && v > 0) t->allocation = v;
    else if (IS("staging") && v > 0) t->staging = v;
    else if (IS("cut") && v > 0) t->cut = v;
    else if (IS("fuse")) t->fuse = v != 0;
    else if (IS("wg") && v >= 64 && v <= 1024) t->wg = v / 64 * 64;
    else if (IS("items") && v >= 1 && v <= 16) t->items = v;
    else if (IS("finish") && v >= 0) t->finish = v;
    else if (IS("loop") && v >= 0) t->loop = v;
    else if (IS("scan")) t->scan = eq[1] == 'a' ? SCAN_ONE_PASS : SCAN_TWO_PASSES;
    else if (IS("lift") && v >= 0) t->lift = v;
    else if (IS("patience") && v >= 1 && v <= INT32_MAX) t->patience = v;
    else if (IS("starve") && v >= 0 && v <= INT32_MAX) t->starve = v;
    else if (IS("exchange_from") && v >= 0) t->exchange_from = v;
    else if (IS("rank_wait") && v >= 0) t->rank_wait = v;
    else if (IS("cut_from") && v >= 2) t->cut_from = v;
    else if (IS("hints")) t->hints = v;
    else if (IS("smaller") && v >= 0 && v <= CG_SMALLER) t->smaller = v;
    else if (IS("class") && v >= 0 && v <= CG_CLASSES) t->device_class = v;
    else if (IS("kernels")) t->kernels = v != 0;
    else if (IS("width") && (v == 1 || v == 4)) t->width = v;
#undef IS
    s = end + strspn(end, " ,");
  }
}

ir *graph_new(const ir_config *cfg) {
  ir *g = mem_zalloc(cfg->c, sizeof *g);
  if (!g) return NULL;
  g->owner.release = owner_release;
  g->cfg = *cfg;
  g->c = cfg->c;
  g->tune = (ir_tune){.direct = 128,
                      .middle = chooses_ways(g) ? 16384 : 128,
                      .at_once = 1 << 20,
                      .measure = 1,
                      .device_min = -1,
                      .fuse = true,
                      .wg = 256,
                      .finish = CG_FINISH_TILES,
                      .lift = 4,
                      .patience = CG_PATIENCE,
                      .cut_from = 1 << 24,
                      .rank_wait = 300,
                      .exchange_from = 1 << 20,
                      .hints = 1};
  tune_set(&g->tune, cfg->tune);
  g->seq = 1;
  g->costs_from = g->cut_above = INT64_MAX;
  if (host_pool_open(g)) return g;
  mem_free(g->c, g);
  return NULL;
}

void ir_free(ir *g) {
  if (!g) return;
  while (g->unverified) unverified_remove(g->unverified);
  pipelines_free(g);
  join_forget(g);
  for (int i = 0; i < IR_TABLES; i++) arr_release(g->table[i].a);
  ir_watch_end(g, NULL);
  vec_free(g->c, &g->scratch);
  mem_free(g->c, g->copier.at);
  if (g->dev) gpu_free(g->dev, g->results);
  if (g->dev) gpu_free(g->dev, g->words);
  gpu_close(g->dev);
  blk_pool_free(g->c, g->pool);
  mem_free(g->c, g);
}

uint64_t ir_seq(const ir *g) { return g->seq; }
const uint64_t *ir_clock(const ir *g) { return &g->seq; }
uint64_t ir_error_seq(const ir *g) { return g->error_seq; }
bool ir_unverified(const ir *g) { return g->unverified != NULL; }
bool ir_may_fail(const ir *g) {
  return g->unverified || (g->cuts && g->cuts->is_open(g));
}
bool ir_lifts(const ir *g, int64_t calls) {
  return g->tune.lift && calls >= g->tune.lift;
}

void ir_set_sink(ir *g, ir_sink sink, void *user) {
  g->sink = sink;
  g->sink_user = user;
}

struct gpu *ir_gpu(ir *g) {
  return device_open(g) ? g->dev : NULL;
}

/* ── moving ── */

bool ir_settle(ir *g, arr *a) { return !is_pending(a) || force(g, a); }

bool ir_resolve(ir *g, arr *a) {
  return !is_pending(a) || !a->node->unresolved || force(g, a);
}

bool ir_await(ir *g, arr *a) {
  g->awaited = a;
  bool ok = ir_settle(g, a);
  g->awaited = NULL;
  return ok && ir_download(g, a);
}

static bool host_deep(ir *g, arr *a) {
  if (is_cut(a) && !g->cuts->here(g, a)) return false;
  if (!ir_await(g, a)) return false;
  if (a->type != ET_NEST || a->items_on_host) return true;
  if (out_of_stack(g->c)) return false;
  arr *all = a;
  if (arr_shows(a))
    all = a->drop_user; /* so that it is looked through once for all slices */
  int64_t n = arr_item_count(all);
  for (int64_t i = 0; i < n && !all->items_on_host; i++)
    if (arr_item(all, i) && !host_deep(g, arr_item(all, i))) return false;
  all->items_on_host = true;
  /* So that a loop that uses a long nested array looks through it once. */
  a->items_on_host = true;
  return true;
}

/* The same while somebody looks on. */
static bool host_for_step(ir *g, arr *a) {
  ir_step *s = g->step;
  bool was_here = !g->dev || a->host;
  uint64_t was = was_here ? 0 : gpu_get_usage(g->dev).downloaded;
  if (a->count > s->elements) s->elements = a->count;
  if (!host_deep(g, a)) return false;
  if (!was_here) s->came += gpu_get_usage(g->dev).downloaded - was;
  return true;
}

bool ir_host(ir *g, arr *a) {
  if (g->step) return host_for_step(g, a);
  if (a->host && (a->type != ET_NEST || a->items_on_host)) return true;
  return host_deep(g, a);
}

bool ir_host_own(ir *g, arr *a) {
  return a->type == ET_NEST ? ir_settle(g, a) && ir_download(g, a) : ir_host(g, a);
}

bool ir_keeps_items(const ir *g, const arr *a) {
  if (!arr_nests(a) || !a->host || a->items_on_host) return false;
  for (int64_t i = 0; i < a->count; i++) {
    const arr *item = arr_item(a, i);
    bool here = !item || item->host; /* else it is pending, or on the device */
    if (!here && item->type != ET_NEST && item->count > g->tune.direct) return true;
  }
  return false;
}

bool ir_host_frame(ir *g, arr *a) {
  if (!arr_nests(a) || a->items_on_host) return ir_host(g, a);
  return ir_settle(g, a) && (ir_keeps_items(g, a) || ir_host(g, a));
}

bool ir_host_part(ir *g, arr *a) {
  ir_step *s = g->step;
  int64_t elements = s ? s->elements : 0;
  uint64_t came = s ? s->came : 0;
  if (!ir_host(g, a)) return false;
  if (s && s->came == came) s->elements = elements;
  return true;
}

bool ir_device(ir *g, arr *a) {
  if (is_cut(a) && !g->cuts->here(g, a)) return false;
  if (!ir_settle(g, a)) return false;
  if (a->dev) return true;
  if (!device_open(g) || !ir_upload(g, a)) return false;
  if (gpu_submit(g->dev)) return true;
  device_forget(g, a);
  return false;
}
