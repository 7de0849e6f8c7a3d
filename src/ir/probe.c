/* SPDX-License-Identifier: MIT */
/* probe.c - what no property of a device says and has to be measured, once for each device and
 * driver: the answers are kept beside its pipelines (gpu_note_read).
 *
 * Quotients: Vulkan lets a division be off by 2.5 units. Whether this device's is correctly
 * rounded is asked of the worst operands there are. For an odd B of p bits and a small odd r,
 * X with X×B = r (mod 2^(p+1)) gives A = (X×B - r) ÷ 2^(p+1), and A÷B is X÷2^(p+1), the
 * middle between two floats, less r÷(B×2^(p+1)): no quotient is harder to round. A device that
 * gets any of them wrong has its quotients settled in integers (cg_opts.exact_div). It is
 * asked when the first kernel that divides is planned.
 *
 * Crossover: a kernel is worth a device when the host would need longer than a round trip to
 * the device and back. Both are timed when the device is opened, in a few hundred
 * microseconds; neither changes a result. */
#include "../codegen/codegen.h"
#include "../host/host.h"
#include "place.h"
#include <string.h>
#include <time.h>

enum { NOTE_VERSION = 1, OPERANDS = 2048, TRIPS = 6, COPY_BYTES = 4 << 20 };

static void note_load(ir *g) {
  device_note n;
  if (g->note.version) return;
  bool ok = gpu_note_read(g->dev, &n, sizeof n) && n.version == NOTE_VERSION;
  g->note = ok ? n : (device_note){.version = NOTE_VERSION};
}

/* ── quotients ── */

static uint64_t next_random(uint64_t *s) {
  *s = *s * 6364136223846793005u + 1442695040888963407u;
  return *s >> 11;
}

/* x[i]÷y[i] lies next to the middle between two floats of p bits; see above. */
static void hard_operands(int p, double *x, double *y) {
  uint64_t seed = 1, top = (uint64_t)1 << (p - 1), mask = 4 * top - 1;
  for (int i = 0; i < OPERANDS; i++) {
    uint64_t B, X, r = (uint64_t)(2 * (i % 32) + 1);
    if (i & 32) r = 0 - r;
    do {
      B = top | (next_random(&seed) & (top - 1)) | 1;
      uint64_t inverse = B; /* right modulo 8; each step doubles the bits */
      for (int k = 0; k < 5; k++) inverse *= 2 - B * inverse;
      X = inverse * r & mask;
    } while (X < 2 * top);
    __extension__ unsigned __int128 product =
        (unsigned __int128)X * B - (unsigned __int128)(__int128)(int64_t)r;
    x[i] = (double)(uint64_t)(product >> (p + 1)) * (i & 64 ? -1 : 1);
    y[i] = (double)B;
  }
}

/* r[i] = x[i]÷y[i] as the device divides, elements of type t. */
static bool device_quotients(ir *g, elt t, const void *x, const void *y, void *r) {
  const gpu_info *info = gpu_get_info(g->dev);
  uint64_t bytes = elt_bytes(t, OPERANDS);
  kty k = kir_arg_type(t);
  kir q = {.kind = KIR_MAP, .n_in = 2, .n_out = 1};
  cg_opts o = {.subgroup = info->subgroup,
               .workgroup = 256,
               .width = 1,
               .items = 1,
               .float64 = info->float64,
               .tile_rows = KIR_REDUCE_ROWS};
  cg_module m = {0};
  gpu_buf *b = gpu_alloc(g->dev, 3 * bytes);
  for (int i = 0; i < 2; i++) {
    q.in[i] = (kin){.type = (uint8_t)t, .view = KV_FLAT};
    kir_add(g->c, &q, (kins){.op = KOP_ARG, .ty = (uint8_t)k, .imm.i = i});
  }
  q.out[0] = (kout){.type = (uint8_t)t};
  q.out[0].value =
      kir_add(g->c, &q, (kins){.op = KOP_DIV, .ty = (uint8_t)k, .a = 0, .b = 1});
  q.fold_at = q.n_ins;
  uint64_t at = b ? gpu_address(b) : 0;
  uint64_t args[CG_SLOT_INPUTS + 7] = {
      [CG_SLOT_LEN] = OPERANDS, [CG_SLOT_ROWS] = 1, [CG_SLOT_GROUPS] = OPERANDS / 256};
  args[CG_SLOT_INPUTS] = at;
  args[CG_SLOT_INPUTS + 3] = at + bytes;
  args[CG_SLOT_INPUTS + 6] = at + 2 * bytes;
  gpu_kernel *kernel = NULL;
  if (b && !err_is(g->c) && cg_emit(g->c, &q, &o, &m))
    kernel = gpu_kernel_get(g->dev, m.words, m.n, o.subgroup, "quotients");
  gpu_use use = {b, true};
  gpu_dispatch d = {.kernel = kernel,
                    .groups = OPERANDS / 256,
                    .args = args,
                    .arg_bytes = cg_arg_slots(&q) * 8,
                    .uses = &use,
                    .n_uses = 1};
  bool ok = kernel && gpu_upload(g->dev, b, 0, x, bytes) &&
            gpu_upload(g->dev, b, bytes, y, bytes) && gpu_record(g->dev, &d) &&
            gpu_download(g->dev, b, 2 * bytes, r, bytes);
  gpu_free(g->dev, b);
  mem_free(g->c, m.words);
  kir_free(g->c, &q);
  return ok;
}

/* Asks the device; an answer that could not be had counts as no. */
static uint32_t ask_quotients(ir *g) {
  bool wide = gpu_get_info(g->dev)->float64;
  double *v = mem_alloc(g->c, 5 * OPERANDS * sizeof *v), *x = v, *y = v + OPERANDS;
  uint32_t answer = QUOTIENTS_UNKNOWN;
  if (!v) return answer;
  hard_operands(wide ? 53 : 24, x, y);
  float *xf = (float *)(v + 3 * OPERANDS), *yf = xf + OPERANDS, *rf = yf + OPERANDS;
  double *r = v + 2 * OPERANDS;
  for (int i = 0; i < OPERANDS && !wide; i++) xf[i] = (float)x[i], yf[i] = (float)y[i];
  if (wide ? device_quotients(g, ET_F64, x, y, r)
           : device_quotients(g, ET_F32, xf, yf, rf)) {
    answer = QUOTIENTS_EXACT;
    for (int i = 0; i < OPERANDS; i++)
      if (wide ? r[i] != x[i] / y[i] : rf[i] != xf[i] / yf[i]) answer = QUOTIENTS_ROUGH;
  }
  mem_free(g->c, v);
  return answer;
}

bool division_is_exact(ir *g) {
  note_load(g);
  if (g->note.quotients == QUOTIENTS_UNKNOWN && !err_is(g->c) && !gpu_lost(g->dev)) {
    g->note.quotients = ask_quotients(g);
    err_clear(g->c);
    if (g->note.quotients) gpu_note_write(g->dev, &g->note, sizeof g->note);
  }
  return g->note.quotients == QUOTIENTS_EXACT;
}

/* ── the crossover ── */

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The best of a few round trips: a command handed over, its result read. */
static double time_trip(ir *g) {
  double best = 0;
  uint32_t word;
  for (int i = 0; i < TRIPS; i++) {
    double begun = now_ns();
    if (!gpu_clear(g->dev, g->results, 0, 4) ||
        !gpu_download(g->dev, g->results, 0, &word, 4))
      return 0;
    double took = now_ns() - begun;
    if (i == 1 || (i > 1 && took < best)) best = took; /* the first one makes the rings */
  }
  return best;
}

static double time_host(ir *g) {
  double best = 0;
  char *a = mem_zalloc(g->c, 2 * COPY_BYTES);
  for (int i = 0; a && i < 3; i++) {
    double begun = now_ns();
    blk_copy(g->pool, a + COPY_BYTES, a, COPY_BYTES);
    double rate = 2.0 * COPY_BYTES / (now_ns() - begun);
    if (rate > best) best = rate;
  }
  mem_free(g->c, a);
  return best;
}

void find_crossover(ir *g) {
  enum { LEAST = 64 << 10, USUAL = 1 << 20, MOST = 64 << 20 };
  if (g->tune.device_min >= 0) return;
  g->tune.device_min = USUAL;
  note_load(g);
  if (gpu_get_info(g->dev)->cpu || err_is(g->c)) return; /* never chosen by itself */
  if (!(g->note.round_trip > 0 && g->note.host_rate > 0)) {
    g->note.round_trip = time_trip(g);
    g->note.host_rate = time_host(g);
    err_clear(g->c);
    if (!(g->note.round_trip > 0 && g->note.host_rate > 0)) return;
    gpu_note_write(g->dev, &g->note, sizeof g->note);
  }
  double bytes = g->note.round_trip * g->note.host_rate;
  g->tune.device_min = bytes < LEAST ? LEAST : bytes > MOST ? MOST : (int64_t)bytes;
}
