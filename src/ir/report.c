/* SPDX-License-Identifier: MIT */
/* report.c - what the session says of the machine: ]device (which one, and what it is
 * good for), ]mem (who holds how much, and what moved), ]time (where an expression's time
 * went) and ]time -n (how near to the memory's speed it runs).
 *
 * Counts come from vk (gpu_usage) and from the ir. ]time puts two readings side by side;
 * in between every submission is stamped by the device (gpu_meter), so that the device's
 * own time stands beside the clock's. */
#include <math.h>
#include <string.h>
#include "../host/host.h"
#include "place.h"
#include "show.h"
#include "steady.h"

typedef unsigned long long ull;

static void show_ns(str *s, double ns) {
  if (ns < 1e6) str_printf(s, "%.1f µs", ns / 1e3);
  else if (ns < 1e9) str_printf(s, "%.3f ms", ns / 1e6);
  else str_printf(s, "%.3f s", ns / 1e9);
}

void show_count(str *s, uint64_t n, const char *one, const char *more) {
  str_printf(s, "%llu %s%s", (unsigned long long)n, one, n == 1 ? "" : more);
}

void show_bytes(str *s, uint64_t n) {
  if (n < 10000) str_printf(s, "%llu B", (unsigned long long)n);
  else if (n < 1000000) str_printf(s, "%.1f kB", (double)n / 1e3);
  else if (n < 10000000000u) str_printf(s, "%.1f MB", (double)n / 1e6);
  else str_printf(s, "%.1f GB", (double)n / 1e9);
}

void show_row(str *s, const char *name) { str_printf(s, "%-10s", name); }

static const char *asked(const ir *g) { return g->cfg.device ? g->cfg.device : "auto"; }

/* ── ]device ── */

static void show_crossover(const ir *g, str *s) {
  show_row(s, "used for");
  if (!is_automatic(g)) {
    str_puts(s, "every kernel, for it was asked for\n");
    return;
  }
  str_puts(s, "kernels that move ");
  show_bytes(s, (uint64_t)g->tune.device_min);
  str_puts(s, " or more");
  if (g->note.round_trip > 0) {
    str_puts(s, ": a round trip takes ");
    show_ns(s, g->note.round_trip);
    str_printf(s, ", the host moves %.1f GB/s", g->note.host_rate);
  }
  str_puts(s, "\n");
}

/* From how many elements on which way is taken on the host. */
static void show_costs(const ir *g, str *s) {
  const host_costs *k = &g->costs;
  const ir_tune *t = &g->tune;
  show_row(s, "host");
  show_count(s, (uint64_t)blk_pool_size(g->pool), "thread", "s");
  if (g->c->team.share)
    str_printf(s, " share loops of %llu steps or more", (ull)g->c->team.least);
  if (k->wake > 0 && isfinite(k->wake)) {
    str_puts(s, ": waking them takes ");
    show_ns(s, k->wake);
  }
  str_puts(s, "\n");
  show_row(s, "at once");
  str_printf(s,
             "each primitive runs by itself up to %llu elements, several in a row up to "
             "%llu%s; longer arrays by kernels (%s)\n",
             (ull)t->middle, (ull)t->at_once,
             t->any_length ? ", many, or to short elements, at any length" : "",
             k->version ? "measured here" : "as built in; ]device measure measures");
}

bool ir_describe(ir *g, str *s) {
  if (g->costs_from == COSTS_READ_FROM) g->costs_wanted(g, COSTS_READ_FROM);
  static const char *const quotients[] = {
      "not asked for yet", "correctly rounded by the device",
      "settled in integers: the device rounds them wrongly"};
  show_row(s, "device");
  if (!g->dev) {
    str_printf(s, "none is open yet: work that is long enough opens one (--device %s)\n",
               asked(g));
    show_costs(g, s);
    return !s->failed;
  }
  const gpu_info *i = gpu_get_info(g->dev);
  gpu_usage u = gpu_get_usage(g->dev);
  str_printf(s, "%s%s (--device %s)\n", i->name, gpu_lost(g->dev) ? ", lost" : "",
             asked(g));
  show_row(s, "driver");
  str_printf(s, "%s, Vulkan %u.%u\n", i->driver, (unsigned)(i->api >> 22 & 127),
             (unsigned)(i->api >> 12 & 1023));
  show_row(s, "subgroup");
  const char *f64 = i->int64 ? "no: on the host; * ⍟ ○ of f32 in integers"
                             : "no: on the host, as are * ⍟ ○ of f32";
  str_printf(s, "%u (%u to %u), workgroup up to %u, f64 %s\n", i->subgroup,
             i->subgroup_min, i->subgroup_max, i->max_workgroup,
             i->float64 ? "yes" : f64);
  if (!i->int64) {
    show_row(s, "integers");
    str_puts(s, "those of 64 bits are pairs of words here: slower\n");
  }
  show_row(s, "memory");
  show_bytes(s, u.limit);
  str_puts(s, ", one allocation at most ");
  show_bytes(s, i->max_allocation);
  str_puts(s, i->sparse ? ", larger arrays put together from several\n"
                        : ", no larger array\n");
  show_row(s, "subnormal");
  str_printf(s, "f32 %s, f64 %s\n", i->subnormal32 ? "kept" : "the driver's choice",
             i->subnormal64 ? "kept" : "the driver's choice");
  show_row(s, "quotients");
  str_printf(s, "%s\n", quotients[g->note.rounds[0]]);
  show_facts(g, s);
  show_crossover(g, s);
  show_costs(g, s);
  show_row(s, "kernels");
  show_count(s, u.pipelines, "pipeline", "s");
  str_printf(s, " made, %llu from disk; ", (ull)u.pipelines_disk);
  show_count(s, u.dispatches, "dispatch", "es");
  str_puts(s, " in ");
  show_count(s, u.submits, "submission", "s");
  str_puts(s, "\n");
  return !s->failed;
}

/* ── ]mem ── */

static void show_held(str *s, const char *name, uint64_t live, uint64_t peak,
                      uint64_t limit) {
  show_row(s, name);
  show_bytes(s, live);
  str_puts(s, " in use, ");
  show_bytes(s, peak);
  str_puts(s, " at most");
  if (limit) {
    str_puts(s, ", limit ");
    show_bytes(s, limit);
  }
  str_puts(s, "\n");
}

static void show_resident(const ir *g, str *s) {
  uint64_t bytes[2] = {0}, n[2] = {0};
  for (gpu_buf *b = gpu_cold(g->dev, NULL); b; b = gpu_cold(g->dev, b)) {
    int copy = ((const arr *)gpu_get_tag(b))->host != NULL;
    bytes[copy] += gpu_bytes(b);
    n[copy]++;
  }
  show_row(s, "arrays");
  show_bytes(s, bytes[1]);
  str_printf(s, " in %llu that the host has too, ", (ull)n[1]);
  show_bytes(s, bytes[0]);
  str_printf(s, " in %llu others\n", (ull)n[0]);
  show_row(s, "evicted");
  show_bytes(s, g->bytes_evicted);
  str_printf(s, " in %llu arrays; %llu kernels ran on the host for want of memory\n",
             (ull)g->evicted, (ull)g->fallbacks);
}

static void show_moved(const gpu_usage *u, str *s) {
  show_row(s, "moved");
  show_bytes(s, u->uploaded);
  str_printf(s, " up in %llu, ", (ull)u->uploads);
  show_bytes(s, u->downloaded);
  str_printf(s, " down in %llu, in ", (ull)u->downloads);
  show_ns(s, u->host_ns);
  str_puts(s, "\n");
}

bool ir_memory(ir *g, str *s) {
  mem_trim(g->c);
  show_held(s, "host", g->c->bytes_live, g->c->bytes_peak, g->c->bytes_max);
  if (g->dev) {
    gpu_usage u = gpu_get_usage(g->dev);
    show_held(s, "device", u.used, u.peak, u.limit);
    show_row(s, "cached");
    show_bytes(s, u.reserved - u.used);
    str_puts(s, " that the driver gave and nothing uses now\n");
    show_resident(g, s);
    show_moved(&u, s);
  } else {
    show_row(s, "device");
    str_puts(s, "none opened yet\n");
  }
  show_row(s, "kernels");
  str_printf(s, "%llu on the host, %llu on the device\n", (ull)g->host_runs,
             (ull)g->device_runs);
  return !s->failed;
}

/* ── ]time ── */

void ir_meter(ir *g, bool on) {
  g->metering = on;
  steps_tell(g);
  if (g->dev && !gpu_lost(g->dev)) gpu_meter(g->dev, on);
}

void ir_time_begin(ir *g) {
  ir_meter(g, true);
  g->was = g->dev ? gpu_get_usage(g->dev) : (gpu_usage){0};
  if (!ir_read(g, &g->time_was)) err_clear(g->c);
}

bool ir_read(ir *g, ir_reading *r) {
  *r = (ir_reading){.kernels = {g->host_runs, g->device_runs},
                    .bytes = {g->bytes_worked[0], g->bytes_worked[1]},
                    .steps = g->host_steps};
  if (!g->dev || gpu_lost(g->dev)) return true;
  if (!gpu_wait(g->dev)) return false;
  gpu_usage u = gpu_get_usage(g->dev);
  r->crossed = u.uploaded + u.downloaded;
  r->dispatches = u.dispatches;
  r->device_ns = u.device_ns;
  return true;
}

void ir_look_on(ir *g, const ir_onlooker *o) {
  g->onlooker = o;
  if (g->dev) gpu_tell_times(g->dev, o ? o->took : NULL, o ? o->user : NULL);
}

ir_reading ir_since(const ir_reading *now, const ir_reading *was) {
  ir_reading d = *now;
  for (int k = 0; k < 2; k++) {
    d.kernels[k] -= was->kernels[k];
    d.bytes[k] -= was->bytes[k];
  }
  d.dispatches -= was->dispatches;
  d.steps -= was->steps;
  d.crossed -= was->crossed;
  d.device_ns -= was->device_ns;
  return d;
}

/* Host, device or both, and what went between them. */
static void show_where(const ir *g, const ir_reading *run, str *s) {
  bool host = run->kernels[0] || run->steps || !run->kernels[1];
  show_row(s, "on");
  if (host) str_puts(s, "the host");
  if (host && run->kernels[1]) str_puts(s, " and ");
  if (run->kernels[1]) str_puts(s, gpu_get_info(g->dev)->name);
  if (g->dev) {
    str_puts(s, "; ");
    show_bytes(s, run->crossed);
    str_puts(s, " crossed the bus");
  }
  str_puts(s, "\n");
}

bool ir_time_end(ir *g, str *s) {
  ir_reading now, run;
  bool ok = ir_read(g, &now);
  ir_meter(g, false);
  if (!ok) return false;
  run = ir_since(&now, &g->time_was);
  show_where(g, &run, s);
  if (g->dev) {
    gpu_usage u = gpu_get_usage(g->dev);
    uint64_t made = u.pipelines - g->was.pipelines;
    if (run.kernels[1]) {
      show_row(s, "device");
      show_ns(s, run.device_ns);
      str_puts(s, " for ");
      show_count(s, run.kernels[1], "kernel", "s");
      str_puts(s, " in ");
      show_count(s, run.dispatches, "dispatch", "es");
      str_puts(s, "\n");
    }
    if (made) {
      show_row(s, "pipelines");
      str_printf(s, "%llu compiled in ", (ull)made);
      show_ns(s, u.pipeline_ns - g->was.pipeline_ns);
      str_puts(s, "\n");
    }
    u.uploaded -= g->was.uploaded;
    u.downloaded -= g->was.downloaded;
    u.uploads -= g->was.uploads;
    u.downloads -= g->was.downloads;
    u.host_ns -= g->was.host_ns;
    if (u.uploads + u.downloads) show_moved(&u, s);
  }
  if (!run.kernels[0] && !run.steps) return !s->failed;
  show_row(s, "host");
  if (run.kernels[0]) show_count(s, run.kernels[0], "kernel", "s");
  if (run.kernels[0] && run.steps) str_puts(s, ", ");
  if (run.steps) show_count(s, run.steps, "primitive", "s");
  str_puts(s, run.steps ? " at once, without a kernel\n" : "\n");
  return !s->failed;
}

/* ── ]time -n ── */

static void show_work(ir *g, bool device, const ir_reading *run, double ns, str *s) {
  if (!run->kernels[device]) return;
  show_row(s, device ? "device" : "host");
  if (device && run->device_ns > 0) {
    show_ns(s, run->device_ns);
    str_puts(s, " for ");
  }
  show_count(s, run->kernels[device], "kernel", "s");
  if (device) {
    str_puts(s, " in ");
    show_count(s, run->dispatches, "dispatch", "es");
  }
  str_puts(s, "\n");
  show_row(s, "memory");
  show_bytes(s, run->bytes[device]);
  if (ns > 0) { /* GB/s, beside a copy's */
    uint64_t bytes = run->bytes[device];
    double copy = ir_copy_rate(g, device, bytes), rate = (double)bytes / ns;
    err_clear(g->c); /* no room for a copy: then there is no share */
    str_printf(s, ", %.*f GB/s", rate < 100 ? 2 : 0, rate);
    if (copy > 0)
      str_printf(s, ": %.2f of a copy's %.*f", rate / copy, copy < 100 ? 2 : 0, copy);
  }
  str_puts(s, "\n");
}

bool ir_time_report(ir *g, const steady *t, int samples, const ir_reading *run, str *s) {
  bool mixed = run->kernels[0] && run->kernels[1];
  show_row(s, "median");
  show_ns(s, t->median);
  str_puts(s, ", best ");
  show_ns(s, t->best);
  str_puts(s, " of ");
  show_count(s, (uint64_t)samples, "run", "s");
  if (!t->settled) str_puts(s, "; no two runs before them took the same time");
  str_puts(s, "\n");
  show_where(g, run, s);
  show_work(g, true, run, run->device_ns, s);
  show_work(g, false, run, mixed ? 0 : t->median, s);
  return !s->failed;
}
