/* SPDX-License-Identifier: MIT */
/* probe.c - what no property of a device says and has to be measured, once for each
 * device and driver: the answers are kept beside its pipelines (gpu_note_read).
 *
 * Rounding: Vulkan lets a division be off by 2.5 units, a square root by more, and a×b+c be rounded
 * twice. Whether this device rounds them correctly is asked of the worst operands there are. For an odd
 * B of p bits and a small odd r, X with X×B = r (mod 2^(p+1)) gives A = (X×B - r) ÷ 2^(p+1), and A÷B is
 * X÷2^(p+1), the middle between two floats, less r÷(B×2^(p+1)): no quotient is harder to round. An odd T
 * with T×T = 4r+1 (mod 2^(p+2)) gives M = (T×T - 4r - 1) ÷ 2^(p+1), whose root likewise is next to T, a
 * middle. Of a product what its rounding leaves out is asked for. What a device gets wrong is made of
 * other operations (cg_opts.native). It is asked when the first kernel that needs it is planned.
 *
 * Crossover: a kernel is worth a device when the host would need longer than a round trip
 * to the device and back. Both are timed when the device is opened, in a few hundred
 * microseconds; neither changes a result. */
#include "../codegen/task.h"
#include "../host/host.h"
#include "place.h"
#include "schedule.h"
#include <string.h>
#include <math.h>

enum { NOTE_VERSION = 6, OPERANDS = 2048, TRIPS = 6, COPY_BYTES = 4 << 20 };

void note_load(ir *g) {
  device_note n;
  if (g->note.version) return;
  g->note = (device_note){.version = NOTE_VERSION};
  if (gpu_note_read(g->dev, &n, sizeof n) && n.version == NOTE_VERSION) g->note = n;
}

/* ── rounding ── */

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
    x[i] = (double)(uint64_t)(product >> (p + 1));
    if (i & 64) x[i] = -x[i];
    y[i] = (double)B;
  }
}

/* √x[i] lies next to the middle between two floats of p bits. A root modulo 2^k is one modulo 2^(k+1)
 * if its bit k-1 is right. */
static void hard_squares(int p, double *x) {
  for (int i = 0; i < OPERANDS; i++) {
    int64_t r = i & 1 ? -1 - i : 2 + i;
    uint64_t t = 1, a = (uint64_t)(4 * r + 1), end = (uint64_t)1 << (p + 1);
    for (int k = 3; k < p + 2; k++)
      if ((t * t - a) >> k & 1) t += (uint64_t)1 << (k - 1);
    t &= end - 1;
    if (t < end / 2) t = end - t;
    __extension__ unsigned __int128 square =
        (unsigned __int128)t * t - (unsigned __int128)(__int128)(4 * r + 1);
    x[i] = ldexp((double)(uint64_t)(square >> (p + 1)), !(p & 1));
  }
}

/* What is asked, by the bits of CG_NATIVE_…. */
enum { ASK_DIV, ASK_SQRT32, ASK_SQRT64, ASK_FMA };
enum {
  ASK_MOST = 8
}; /* questions in a session, of a device that has no room to answer */

static double rounded(int what, elt t, double x, double y) {
  if (what == ASK_FMA) return fma(x, y, -(x * y));
  if (what == ASK_DIV) return t == ET_F64 ? x / y : (double)((float)x / (float)y);
  return t == ET_F64 ? sqrt(x) : (double)sqrtf((float)x);
}

/* The kernel q of inputs 0 and 1, of type t. False: the error is recorded. */
static bool asking_kernel(ctx *c, int what, elt t, kir *q) {
  static const kop op[] = {KOP_DIV, KOP_SQRT, KOP_SQRT, KOP_FMA};
  kins in = {.op = (uint8_t)op[what], .ty = (uint8_t)kir_arg_type(t), .a = 0, .b = 1};
  *q = (kir){.kind = KIR_MAP, .n_in = 2, .n_out = 1};
  for (int i = 0; i < 2; i++) {
    q->in[i] = (kin){.type = (uint8_t)t, .view = KV_FLAT};
    kir_add(c, q, (kins){.op = KOP_ARG, .ty = in.ty, .imm.i = i});
  }
  if (what == ASK_FMA) {
    in.c = kir_add(c, q, (kins){.op = KOP_MUL, .ty = in.ty, .a = 0, .b = 1});
    in.c = kir_add(c, q, (kins){.op = KOP_NEG, .ty = in.ty, .a = in.c});
  } else if (what != ASK_DIV) in.b = 0;
  q->out[0] = (kout){.value = kir_add(c, q, in), .type = (uint8_t)t};
  return !err_is(c);
}

/* Its only pass, an element a load: the device's own operations. */
static cg_pass asking_pass(const ir *g, const kir *q) {
  const gpu_info *info = gpu_get_info(g->dev);
  cg_choice choice = choice_of(g);
  cg_opts common;
  cg_passes passes;
  memset(&common, 0, sizeof common);
  common.subgroup = info->subgroup;
  common.workgroup = CG_WORKGROUP;
  common.float64 = info->float64;
  common.words = !info->int64;
  common.native = (1 << CG_NATIVE_KINDS) - 1;
  cg_task task = {.k = q,
                  .rows = 1,
                  .len = OPERANDS,
                  .inner = 1,
                  .common = &common,
                  .choice = &choice,
                  .map_width = 1,
                  .map_items = 1};
  cg_task_passes(&task, &passes);
  return passes.at[0];
}

static gpu_kernel *asking_pipeline(ir *g, const kir *q, const cg_opts *o) {
  cg_module m;
  if (!cg_emit(g->c, q, o, &m)) return NULL;
  gpu_kernel *kernel = gpu_kernel_get(g->dev, m.words, m.n, o->subgroup, "rounding");
  mem_free(g->c, m.words);
  return kernel;
}

/* Runs the pass on buffer b: x, y and the results in turn, `bytes` of each. */
static bool record_asking(ir *g, const kir *q, gpu_buf *b, uint64_t bytes) {
  cg_pass pass = asking_pass(g, q);
  gpu_kernel *kernel = asking_pipeline(g, q, &pass.o);
  if (!kernel) return false;
  uint64_t at = gpu_address(b), groups = (uint64_t)pass.geom.workgroups;
  uint64_t args[CG_SLOT_INPUTS + 7] = {
      [CG_SLOT_LEN] = OPERANDS,          [CG_SLOT_ROWS] = 1,
      [CG_SLOT_GROUPS] = groups,         [CG_SLOT_INPUTS] = at,
      [CG_SLOT_INPUTS + 3] = at + bytes, [CG_SLOT_INPUTS + 6] = at + 2 * bytes};
  gpu_use use = {b, true};
  return gpu_record(g->dev, &(gpu_dispatch){.kernel = kernel,
                                            .groups = groups,
                                            .args = args,
                                            .arg_bytes = cg_arg_slots(q) * 8,
                                            .uses = &use,
                                            .n_uses = 1});
}

/* r[i] of x[i] and y[i] as the device has it, elements of type t. */
static bool device_answers(ir *g, int what, elt t, const void *x, const void *y,
                           void *r) {
  uint64_t bytes = elt_bytes(t, OPERANDS);
  gpu_buf *b = gpu_alloc(g->dev, 3 * bytes);
  if (!b) return false;
  kir q;
  bool ok = asking_kernel(g->c, what, t, &q) && gpu_upload(g->dev, b, 0, x, bytes) &&
            gpu_upload(g->dev, b, bytes, y, bytes) && record_asking(g, &q, b, bytes) &&
            gpu_download(g->dev, b, 2 * bytes, r, bytes);
  gpu_free(g->dev, b);
  kir_free(g->c, &q);
  return ok;
}

static void to_floats(double *v) {
  for (int i = 0; i < OPERANDS; i++) {
    float f = (float)v[i];
    memcpy((char *)v + sizeof f * (size_t)i, &f, sizeof f);
  }
}

/* v has room for operands, what is right, and results. */
static uint32_t ask(ir *g, int what, double *v) {
  elt t = what != ASK_SQRT32 && gpu_get_info(g->dev)->float64 ? ET_F64 : ET_F32;
  double *x = v, *y = v + OPERANDS, *want = y + OPERANDS, *r = want + OPERANDS;
  hard_operands(t == ET_F64 ? 53 : 24, x, y);
  if (what == ASK_SQRT32 || what == ASK_SQRT64) hard_squares(t == ET_F64 ? 53 : 24, x);
  for (int i = 0; i < OPERANDS; i++) want[i] = rounded(what, t, x[i], y[i]);
  if (t == ET_F32) {
    to_floats(x);
    to_floats(y);
    to_floats(want);
  }
  if (!device_answers(g, what, t, x, y, r)) return ROUNDS_UNKNOWN;
  return memcmp(r, want, elt_bytes(t, OPERANDS)) ? ROUNDS_ROUGHLY : ROUNDS_EXACTLY;
}

bool device_rounds(ir *g, int native) {
  note_load(g);
  uint32_t *is = &g->note.rounds[native];
  bool in_vain = g->asked[native] == ASK_MOST;
  if (*is == ROUNDS_UNKNOWN && !in_vain && !err_is(g->c) && !gpu_lost(g->dev)) {
    g->asked[native]++;
    double *v = mem_alloc(g->c, 4 * OPERANDS * sizeof *v);
    if (v) *is = ask(g, native, v);
    mem_free(g->c, v);
    err_clear(g->c);
    if (*is) gpu_note_write(g->dev, &g->note, sizeof g->note);
  }
  return *is == ROUNDS_EXACTLY;
}

/* ── the crossover ── */

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
  g->tune.device_min = (int64_t)fmin(fmax(bytes, LEAST), MOST);
}
