/* SPDX-License-Identifier: MIT */
/* costs.c - what the ways to compute on the host cost on this machine, and from which length on
 * each is taken: a loop for each primitive at once, kernels of blocks, threads. (From how many bytes
 * on a device is, probe.c measures when one is opened.)
 *
 * It is measured once for a machine, in some 30 ms, when an array of a million elements is first
 * computed with, or by ]device measure, and kept beside the pipelines; an array of 65536 elements
 * has it read. Where there is no such folder (cache_dir) what is built in stays. Results do not
 * depend on it. What tune says is not changed. */
#include "place.h"
#include "../base/hash.h"
#include "../base/kept.h"
#include "../base/arith.h"
#include "../host/threads.h"
#include "../tables/fast.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COSTS_VERSION = 2, MOST = 1 << 20, RUNS = 3 };
#define PATIENCE_NS 6e7 /* what is not measured by then stays as it is */

/* ── the file ── */

static uint64_t processor_name(void) {
  char line[256];
  uint64_t h = 0;
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && !h && fgets(line, sizeof line, f))
    if (!strncmp(line, "model name", 10)) h = hash_bytes(line, strlen(line), 0);
  if (f) fclose(f);
  return h;
}

/* Its name tells the processor, how many threads there are, and which loops. */
static bool file_name(const ir *g, str *s) {
  if (!g->cfg.cache_dir) return false;
  str_printf(s, "%s/host-%016llx-%d-%s.note", g->cfg.cache_dir,
             (unsigned long long)processor_name(), blk_pool_size(g->pool),
             blk_pool_isa(g->pool)->name);
  return s->at && !s->failed;
}

static bool read_costs(ir *g) {
  OWNED_STR str path = {.c = g->c};
  size_t n = 0;
  void *blob = file_name(g, &path) ? kept_read(g->c, path.at, &n) : NULL;
  bool ok = blob && n == sizeof g->costs && *(uint32_t *)blob == COSTS_VERSION;
  if (ok) memcpy(&g->costs, blob, n);
  mem_free(g->c, blob);
  return ok;
}

static void write_costs(const ir *g) {
  OWNED_STR str path = {.c = g->c};
  if (!file_name(g, &path)) return;
  kept_folder(path.at);
  kept_write(g->c, path.at, &g->costs, sizeof g->costs);
}

/* ── measuring ── */

typedef struct measuring {
  ir *g;
  ir_call call;
  double end; /* when it must be done */
} measuring;

static void nothing(void *job, int64_t i) {
  UNUSED(job);
  UNUSED(i);
}

/* Until all threads have been woken and are done. */
static double time_wake(const measuring *m) {
  ctx_team *t = &m->g->c->team;
  double best = INFINITY;
  for (int i = 0; t->share && i < 8 * RUNS; i++) {
    double begun = now_ns();
    t->share(t->pool, m->g->c, 2 * blk_pool_size(m->g->pool), nothing, NULL);
    best = fmin(best, now_ns() - begun);
  }
  return best;
}

static arr *numbers(const measuring *m, int64_t n) {
  arr *x = arr_vec(m->g->c, ET_F64, n);
  for (int64_t i = 0; x && i < n; i++) ((double *)x->host)[i] = 0.5 + (double)i;
  return x;
}

/* (x f x) g x: the best of a few runs; infinity after an error. */
static double time_chain(const measuring *m, prim f, prim then, arr *x) {
  double best = INFINITY;
  for (int i = 0; i < RUNS; i++) {
    double begun = now_ns();
    OWNED arr *a = ir_dyadic(&m->call, f, x, x);
    OWNED arr *b = then == P_COUNT ? arr_retain(a) : ir_dyadic(&m->call, then, a, x);
    OWNED arr *r = b ? ir_reduce(&m->call, P_PLUS, b, 0) : NULL;
    if (!r || !ir_settle(m->g, r)) return INFINITY;
    best = fmin(best, now_ns() - begun);
  }
  return best;
}

/* The length, doubled from `from` on, at which kernels of blocks are quicker; 2×`to` if none is;
 * 0: it took too long. */
static int64_t crossover(const measuring *m, prim f, prim then, int64_t from,
                         int64_t to) {
  ir_tune *t = &m->g->tune, was = *t;
  int64_t found = 0, n = from;
  for (; !found && n <= to && now_ns() < m->end; n *= 2) {
    OWNED arr *x = numbers(m, n);
    if (!x) return 0;
    t->middle = t->at_once = INT64_MAX;
    double loops = time_chain(m, f, then, x);
    t->middle = t->direct + 1;
    t->at_once = 0;
    if (time_chain(m, f, then, x) < loops) found = n;
    *t = was;
  }
  if (!found && n > to) found = n;
  return found;
}

/* A step is a quarter of what x+x costs for an element in the cache. */
static double time_step(const measuring *m) {
  enum { N = 16384, STEPS = 4 };
  double best = INFINITY;
  OWNED arr *x = numbers(m, N);
  for (int i = 0; x && i < 4 * RUNS; i++) {
    prim_env e = m->call.env;
    double begun = now_ns();
    OWNED arr *r = prim_dyadic(&e, P_PLUS, x, x);
    if (!r) return INFINITY;
    best = fmin(best, now_ns() - begun);
  }
  return best / N / STEPS;
}

/* Measures with the host alone, and nobody looking on. An interrupt waits. */
static void measure(ir *g) {
  measuring m = {.g = g,
                 .call = {.g = g, .env = {.c = g->c, .ct = 0, .io = 1, .pp = 10}},
                 .end = now_ns() + PATIENCE_NS};
  const char *device = g->cfg.device;
  struct ir_step *step = g->step;
  g->cfg.device = "host";
  g->step = NULL;
  g->costs = (host_costs){0};
  host_costs *k = &g->costs;
  int threads = blk_pool_size(g->pool);
  double each = time_step(&m);
  k->version = COSTS_VERSION;
  k->wake = time_wake(&m);
  if (threads > 1 && isfinite(k->wake) && isfinite(each) && each > 0) {
    double saved = each * (threads - 1) / threads;
    k->share = (int64_t)fmin(fmax(2 * k->wake / saved, 1 << 16), 1 << 22);
  }
  k->middle = min_i64(crossover(&m, P_PLUS, P_TIMES, 4096, 32768), 32768);
  k->at_once = min_i64(crossover(&m, P_DIVIDE, P_COUNT, 32768, MOST), 2 * MOST);
  g->step = step;
  g->cfg.device = device;
  if (g->c->err.code == ERR_INTERRUPT) atomic_store(&g->c->interrupt, true);
  if (err_is(g->c)) g->costs = (host_costs){0};
  err_clear(g->c);
}

/* ── using ── */

static void use(ir *g) {
  const host_costs *k = &g->costs;
  ir_tune *t = &g->tune;
  if (k->middle && !t->given_middle) t->middle = k->middle;
  if (k->at_once && !t->given_at_once) t->at_once = k->at_once;
  if (!k->share || t->share) return;
  blk_pool_tune(g->pool, blk_pool_isa(g->pool), k->share);
  blk_pool_lend(g->pool, g->c);
}

/* Work on n elements, ir.costs_from at least, begins: tune.middle and others become what was
 * measured on this machine, once. */
static void costs_wanted(ir *g, int64_t n) {
  bool had_error = err_is(g->c), measures = n >= MOST;
  g->costs_from = MOST;
  if (measures) g->costs_from = INT64_MAX;
  if (!g->cfg.cache_dir || had_error || !chooses_ways(g) || g->tune.measure == 0) {
    g->costs_from = INT64_MAX;
    return;
  }
  if (g->costs.version || read_costs(g)) {
    g->costs_from = INT64_MAX;
  } else if (measures) {
    measure(g);
    if (g->costs.version) write_costs(g);
  }
  if (!had_error) err_clear(g->c);
  use(g);
}

void ir_use_costs(ir *g) {
  g->costs_from = COSTS_READ_FROM;
  g->costs_wanted = costs_wanted;
}

bool ir_measure_costs(ir *g) {
  g->costs_from = INT64_MAX;
  measure(g);
  if (g->costs.version) write_costs(g);
  use(g);
  return !interrupted(g->c);
}
