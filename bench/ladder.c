/* SPDX-License-Identifier: MIT */
/* ladder.c - every step from a naive reduction or scan to a fast one, measured on your device.
 *
 *   ladder [--device D] [--log2 N] [--types f32,i32,u32] [--subgroup N] [--explain 1]
 *          [--check 1]
 *
 * Tutorials of GPU programming walk through these steps, each on its author's device of its
 * year. Here each one is a kernel that runs (rungs/), verified against exact arithmetic: sums
 * of f32 as whole numbers of 2^-24, of i32 modulo 2^32, the maximum of u32. A line a rung:
 *
 *   name   µs   GB/s of the bytes that must move   share of a copy's GB/s   relative error
 *
 * GB/s count what the task must read and write (4n for a reduction, 8n for a scan, 4n and what
 * is kept for a compaction), whatever the rung moves, so that the column compares. Below them
 * stand vapl's own kernels for the
 * same task, run through its graph with the options that the line names. Time is the device's
 * own, warm (src/ir/steady.h), the median of nine samples.
 *
 * --subgroup asks for another size of subgroups than 32, where the device has several.
 * --explain 1 adds a sentence to each line; --check 1 verifies 2^16 elements of each type and
 * measures nothing, for the tests. Exit code 1 when a rung is wrong. */
#include "bench/rungs/ladder.h"
#include "bench/rungs/rungs.h"
#include "src/array/element.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNGS = 32, CHECK_LOG2 = 16 };

/* ── exact results ── */

static uint32_t next_random(uint32_t *r) {
  *r = *r * 1664525u + 1013904223u;
  return *r >> 8; /* 24 bits */
}

/* Element as the whole number that it stands for: of 2^-24 if it is a float. */
static int64_t element(monoid m, uint32_t *r) {
  uint32_t v = next_random(r);
  return m == SUM_I32 ? v % 100 : v;
}

static int64_t join(monoid m, int64_t a, int64_t b) {
  if (m == MAX_U32) return a > b ? a : b;
  return a + b;
}

/* |result - exact| relative to it; integers must be right to the bit. */
static double error_of(monoid m, const void *result, int64_t exact) {
  if (m == SUM_F32) {
    double should = (double)exact, is = (double)*(const float *)result * 0x1p24;
    return should == 0 ? fabs(is) : fabs(is - should) / should;
  }
  return *(const uint32_t *)result == (uint32_t)exact ? 0 : 1;
}

/* A float sum in any of these orders is far nearer than this. */
static verdict judge(double error) {
  return (verdict){.right = error < 0.01, .error = error, .why = "the result is wrong"};
}

static verdict judge_reduce(ladder *b, part result) {
  uint32_t word;
  if (!gpu_download(b->d, result.buf, 4 * result.at, &word, 4)) ladder_die(b, "download");
  return judge(error_of(b->m, &word, b->exact));
}

static verdict judge_scan(ladder *b, const void *elements) {
  uint32_t r = 12345;
  int64_t exact = 0;
  double worst = 0;
  for (uint64_t i = 0; i < b->n; i++) {
    exact = join(b->m, exact, element(b->m, &r));
    double e = error_of(b->m, (const uint32_t *)elements + i, exact);
    if (!(e <= worst)) worst = e;
  }
  return judge(worst);
}

/* ── reductions ── */

/* Why a rung cannot run here; NULL: it can. */
static const char *reduce_lacks(const ladder *b, const reduce_rung *r) {
  bool floats = b->m == SUM_F32;
  if (r->tree == TREE_INSTRUCTION && !b->info->arithmetic)
    return "no arithmetic of subgroups";
  if (r->finish == FINISH_ATOMIC && floats && !b->info->atomic_f32)
    return "no atomic + of f32 in buffers";
  if (r->tree == TREE_LOCAL_ATOMIC && floats && !b->info->shared_atomic_f32)
    return "no atomic + of f32 in workgroup memory";
  return NULL;
}

/* Passes go to and fro between two halves of `out`; returns where the result is. */
static part reduce_steps(ladder *b, const reduce_rung *r, gpu_kernel *k, steps *s) {
  uint64_t n = b->n, half = b->n / 2 + 64;
  part from = {b->in, 0}, to = {b->out, 0}, scratch = {0};
  if (r->finish == FINISH_LAST) scratch.buf = b->scratch;
  for (bool more = true; more; to.at = half - to.at) {
    kern_args a = {.n = n};
    a.groups = reduce_groups(r, n, &a.own);
    steps_add(s, k, a, from, to, scratch);
    n = a.groups;
    from = to;
    more = r->finish == FINISH_PASSES && n > 1;
  }
  return from;
}

static verdict verify_reduce(ladder *b, const reduce_rung *r, steps *s, part result) {
  if (!gpu_clear(b->d, b->scratch, 0, 4) || !steps_record(s)) ladder_die(b, r->text.name);
  verdict v = judge_reduce(b, result);
  count_verdict(b, r->text, v);
  return v;
}

static void reduce_line(ladder *b, const reduce_rung *r, verdict *v) {
  const char *lacks = reduce_lacks(b, r);
  cg_module m;
  if (lacks) {
    put_skipped(b, r->text, lacks);
    return;
  }
  bool made = reduce_emit(&b->c, r, b->m, b->subgroup, &m);
  gpu_kernel *k = ladder_kernel(b, made, &m, r->text.name);
  steps s = {.b = b};
  if (r->finish == FINISH_ATOMIC) s.clear = b->out, s.clear_bytes = 4;
  part result = reduce_steps(b, r, k, &s);
  if (!b->timing) {
    *v = verify_reduce(b, r, &s, result);
    return;
  }
  steady t = steps_time(&s);
  if (t.failed) ladder_die(b, r->text.name);
  put_line(b, r->text, t, 4 * b->n, *v);
}

/* ── scans ── */

static const char *scan_lacks(const ladder *b, const scan_rung *r) {
  if (r->block == BLOCK_STRIPS && !b->info->arithmetic)
    return "no arithmetic of subgroups";
  return NULL;
}

typedef struct scan_kernels {
  gpu_kernel *scan, *add, *total, *carry, *lookback;
} scan_kernels;

static gpu_kernel *scan_kernel(ladder *b, const scan_rung *r, scan_role role, monoid m) {
  cg_module code;
  bool made = scan_emit(&b->c, r, role, m, b->subgroup, &code);
  return ladder_kernel(b, made, &code, r->text.name);
}

/* Scans n elements; totals of tiles lie in the scratch from element `at` on. */
static void scan_level(steps *s, const scan_rung *r, const scan_kernels *k, part in,
                       part out, uint64_t n, uint64_t at) {
  ladder *b = s->b;
  uint64_t tile = scan_tile(r), tiles = (n + tile - 1) / tile;
  kern_args a = {.n = n, .groups = tiles};
  part totals = {b->scratch, at};
  bool first_adds = r->plan == PLAN_TOTALS && in.buf == b->in && tiles > 1;
  steps_add(s, first_adds ? k->total : k->scan, a, in, out, totals);
  if (tiles == 1) return;
  scan_level(s, r, k, totals, totals, tiles, at + (tiles + 63) / 64 * 64);
  if (first_adds) steps_add(s, k->carry, a, in, out, totals);
  else steps_add(s, k->add, a, out, out, totals);
}

static void scan_steps(ladder *b, const scan_rung *r, steps *s) {
  uint64_t tile = scan_tile(r), tiles = (b->n + tile - 1) / tile;
  part in = {b->in, 0}, out = {b->out, 0};
  scan_kernels k = {0};
  if (r->plan == PLAN_LOOKBACK) {
    k.lookback = scan_kernel(b, r, ROLE_LOOKBACK, b->m);
    kern_args a = {.n = b->n, .groups = tiles};
    s->clear = b->scratch;
    s->clear_bytes = 4 * (LOOKBACK_STATE + 4 * tiles);
    steps_add(s, k.lookback, a, in, out, (part){b->scratch, 0});
    return;
  }
  k.scan = scan_kernel(b, r, ROLE_SCAN, b->m);
  k.add = scan_kernel(b, r, ROLE_ADD, b->m);
  if (r->plan == PLAN_TOTALS) {
    k.total = scan_kernel(b, r, ROLE_TOTAL, b->m);
    k.carry = scan_kernel(b, r, ROLE_CARRY, b->m);
  }
  scan_level(s, r, &k, in, out, b->n, 0);
}

/* Runs it once; b->host is what comes out. Did a workgroup give up waiting for another? */
static bool run_gives_up(ladder *b, rung_text r, const steps *s, bool looks_back) {
  uint32_t gave_up = 0;
  if (!steps_record(s) || !gpu_download(b->d, b->out, 0, b->host, 4 * b->n))
    ladder_die(b, r.name);
  if (looks_back && !gpu_download(b->d, b->scratch, 4 * LOOKBACK_DEAD, &gave_up, 4))
    ladder_die(b, r.name);
  return gave_up;
}

/* The same; false: one did. A processor that has other programs to run may leave a workgroup alone for
 * longer than another one waits: there it is tried again. */
static bool run_to_end(ladder *b, rung_text r, const steps *s, bool looks_back) {
  enum { TURNS = 8 };
  int turns = gpu_get_info(b->d)->cpu ? TURNS : 1;
  while (turns--)
    if (!run_gives_up(b, r, s, looks_back)) return true;
  return false;
}

static const verdict gave_up = {.why = "a workgroup gave up waiting for another",
                                .error = 1};

static verdict verify_scan(ladder *b, const scan_rung *r, steps *s) {
  verdict v = gave_up;
  if (run_to_end(b, r->text, s, r->plan == PLAN_LOOKBACK)) v = judge_scan(b, b->host);
  count_verdict(b, r->text, v);
  return v;
}

static void scan_line(ladder *b, const scan_rung *r, verdict *v) {
  const char *lacks = scan_lacks(b, r);
  if (lacks) {
    put_skipped(b, r->text, lacks);
    return;
  }
  steps s = {.b = b};
  scan_steps(b, r, &s);
  if (!b->timing) {
    *v = verify_scan(b, r, &s);
    return;
  }
  steady t = steps_time(&s);
  if (t.failed) ladder_die(b, r->text.name);
  put_line(b, r->text, t, 8 * b->n, *v);
}

/* ── compactions ── */

static uint32_t word_of(monoid m, int64_t v) {
  float f = (float)v * 0x1p-24f;
  uint32_t w = (uint32_t)v;
  if (m == SUM_F32) memcpy(&w, &f, sizeof w);
  return w;
}

/* Words from here on are kept: floats of 0.5, integers of the middle of their range. */
static uint32_t threshold(monoid m) { return word_of(m, m == SUM_I32 ? 50 : 1 << 23); }

static gpu_kernel *compact_kernel(ladder *b, const compact_rung *r, compact_role role) {
  cg_module m;
  bool made = compact_emit(&b->c, r->way, role, b->subgroup, &m);
  return ladder_kernel(b, made, &m, r->text.name);
}

static void compact_steps(ladder *b, const compact_rung *r, steps *s) {
  const scan_rung *totals = &scan_rungs[2]; /* by strips */
  uint64_t tiles = (b->n + COMPACT_TILE - 1) / COMPACT_TILE;
  kern_args a = {.n = b->n, .groups = tiles, .own = threshold(b->m)};
  part in = {b->in, 0}, out = {b->out, 0}, scratch = {b->scratch, 0};
  if (r->way == TWO_PASS) {
    scan_kernels k = {.scan = scan_kernel(b, totals, ROLE_SCAN, SUM_I32),
                      .add = scan_kernel(b, totals, ROLE_ADD, SUM_I32)};
    steps_add(s, compact_kernel(b, r, COMPACT_COUNT), a, in, scratch, scratch);
    scan_level(s, totals, &k, scratch, scratch, tiles, (tiles + 63) / 64 * 64);
    steps_add(s, compact_kernel(b, r, COMPACT_WRITE), a, in, out, scratch);
    return;
  }
  s->clear = b->scratch;
  s->clear_bytes = r->way == ONE_PASS ? 4 * (LOOKBACK_STATE + 4 * tiles) : 4;
  steps_add(s, compact_kernel(b, r, COMPACT_ALL), a, in, out, scratch);
}

/* In order, or as a set: by the count, the sum and the sum of squares of what is there. */
static verdict judge_compact(ladder *b, bool ordered) {
  uint32_t r = 12345, least = threshold(b->m);
  uint64_t sum = 0, squares = 0;
  bool right = true;
  b->kept = 0;
  for (uint64_t i = 0; i < b->n; i++) {
    uint64_t w = word_of(b->m, element(b->m, &r));
    if (w < least) continue;
    uint64_t is = b->host[b->kept++];
    if (ordered) right = right && is == w;
    sum += is - w;
    squares += is * is - w * w;
  }
  right = right && sum == 0 && squares == 0;
  return (verdict){.right = right, .error = !right, .why = "the result is wrong"};
}

static verdict verify_compact(ladder *b, const compact_rung *r, steps *s) {
  bool ordered = r->way == TWO_PASS || r->way == ONE_PASS;
  verdict v = gave_up;
  if (!gpu_clear(b->d, b->out, 0, 4 * b->n)) ladder_die(b, r->text.name);
  if (run_to_end(b, r->text, s, r->way == ONE_PASS)) v = judge_compact(b, ordered);
  count_verdict(b, r->text, v);
  return v;
}

static void compact_line(ladder *b, const compact_rung *r, verdict *v) {
  if (r->way != BUMP_EACH && !b->info->arithmetic) {
    put_skipped(b, r->text, "no arithmetic of subgroups");
    return;
  }
  steps s = {.b = b};
  compact_steps(b, r, &s);
  if (!b->timing) {
    *v = verify_compact(b, r, &s);
    return;
  }
  steady t = steps_time(&s);
  if (t.failed) ladder_die(b, r->text.name);
  put_line(b, r->text, t, 4 * (b->n + b->kept), *v);
}

/* ── vapl's own ── */

#define CALL(b)                                                                          \
  (&(ir_call){.g = (b)->g, .env = {.c = &(b)->c, .ct = 1e-14, .io = 1, .pp = 10}})

typedef struct own_job {
  ladder *b;
  arr *a; /* pending */
} own_job;

static double run_own(void *user, int repeat) {
  own_job *j = user;
  uint64_t bytes;
  double ns = 0;
  return ir_bench(j->b->g, j->a, 1, repeat, &ns, &bytes) ? ns : -1;
}

typedef enum own_task { OWN_REDUCE, OWN_SCAN, OWN_KEEP } own_task;

/* The largest relative error of what vapl computed. */
static verdict judge_own(ladder *b, arr *a, own_task task) {
  uint32_t r = 12345, least = threshold(b->m);
  int64_t exact = 0;
  double worst = 0;
  if (!ir_settle(b->g, a) || !ir_host(b->g, a)) ladder_die(b, "vapl's own");
  if (task == OWN_REDUCE) exact = b->exact;
  for (uint64_t i = 0; i < (uint64_t)a->count; i++) {
    int64_t v = 0;
    if (task != OWN_REDUCE) v = element(b->m, &r);
    while (task == OWN_KEEP && word_of(b->m, v) < least) v = element(b->m, &r);
    if (task == OWN_SCAN) exact = join(b->m, exact, v);
    if (task == OWN_KEEP) exact = v;
    double should = (double)exact, is = arr_get_float(a, (int64_t)i);
    if (b->m == SUM_F32) is *= 0x1p24;
    double e = should == 0 ? fabs(is) : fabs(is - should) / should;
    if (!(e <= worst)) worst = e;
  }
  bool right = worst < 0.01 && (b->m == SUM_F32 || worst == 0);
  if (task == OWN_KEEP) right = worst == 0 && (uint64_t)a->count == b->kept;
  return (verdict){.right = right, .error = worst, .why = "the result is wrong"};
}

/* What vapl does, as the named options have it. */
typedef enum own_option { AS_CHOSEN, BY_FINISH_0, BY_TWO, BY_AHEAD } own_option;

typedef struct own_rung {
  rung_text text;
  own_task task;
  own_option option;
} own_rung;

static const own_rung own_rungs[] = {
    {{"vapl, finish=0", "a tree that depends on the length alone, so the same bits "
                        "everywhere; a second dispatch reduces the tiles"},
     OWN_REDUCE,
     BY_FINISH_0},
    {{"vapl", "what vapl chooses; ]plan +/x says what that is"}, OWN_REDUCE, AS_CHOSEN},
    {{"vapl, scan=two", "totals of tiles first; for devices that promise no progress"},
     OWN_SCAN,
     BY_TWO},
    {{"vapl, scan=ahead",
      "look-ahead: persistent workgroups add up the totals of the tiles that the others "
      "have in hand, never their prefixes, so the same bits every time"},
     OWN_SCAN,
     BY_AHEAD},
    {{"vapl", "what vapl chooses; ]plan +\\x says what that is"}, OWN_SCAN, AS_CHOSEN},
    {{"vapl", "m/x: the marks are given, a bit each, and counted before"},
     OWN_KEEP,
     AS_CHOSEN},
};
enum { OWN_RUNGS = sizeof own_rungs / sizeof *own_rungs };

/* x at least as large as the threshold, as bits on the device. */
static arr *marks(ladder *b) {
  arr *least = b->m == SUM_F32 ? arr_float(&b->c, 0.5)
                               : arr_int(&b->c, b->m == SUM_I32 ? 50 : 1 << 23);
  arr *m = least ? ir_dyadic(CALL(b), P_GE, b->x, least) : NULL;
  arr_release(least);
  if (!m || !ir_settle(b->g, m)) ladder_die(b, "marks");
  return m;
}

/* Pending. */
static arr *own_result(ladder *b, const own_rung *r) {
  prim f = b->m == MAX_U32 ? P_CEIL : P_PLUS;
  if (r->task == OWN_REDUCE) return ir_reduce(CALL(b), f, b->x, 0);
  if (r->task == OWN_SCAN) return ir_scan(CALL(b), f, b->x, 0);
  arr *m = marks(b), *a = ir_compress(CALL(b), m, b->x);
  arr_release(m);
  return a;
}

static void own_line(ladder *b, const own_rung *r, verdict *v) {
  const uint64_t moved[] = {4 * b->n, 8 * b->n, 4 * (b->n + b->kept)};
  ir_tune as_chosen = b->g->tune;
  if (r->option == BY_FINISH_0) b->g->tune.finish = 0;
  if (r->option == BY_TWO) b->g->tune.scan = SCAN_TWO_PASSES;
  if (r->option == BY_AHEAD) b->g->tune.scan = SCAN_ONE_PASS;
  arr *a = own_result(b, r);
  if (!a) ladder_die(b, r->text.name);
  if (b->timing) {
    steady t = steady_time(run_own, &(own_job){b, a});
    if (t.failed) ladder_die(b, r->text.name);
    put_line(b, r->text, t, moved[r->task], *v);
  } else {
    *v = judge_own(b, a, r->task);
    count_verdict(b, r->text, *v);
  }
  arr_release(a);
  b->g->tune = as_chosen;
}

static void own_lines(ladder *b, own_task task, verdict *v) {
  for (int i = 0; i < OWN_RUNGS; i++)
    if (own_rungs[i].task == task) own_line(b, &own_rungs[i], v++);
}

/* ── tables ── */

static arr *elements(ladder *b, monoid m, uint64_t n) {
  arr *a = arr_vec(&b->c, m == SUM_F32 ? ET_F32 : ET_I32, (int64_t)n);
  uint32_t r = 12345;
  if (!a) ladder_die(b, "data");
  b->exact = 0;
  for (uint64_t i = 0; i < n; i++) {
    int64_t v = element(m, &r);
    if (m == SUM_F32) arr_put_float(a, (int64_t)i, ldexp((double)v, -24));
    else arr_put_int(a, (int64_t)i, v);
    b->exact = join(m, b->exact, v);
  }
  if (!ir_device(b->g, a)) ladder_die(b, "upload");
  return a;
}

static void open_type(ladder *b, monoid m, uint64_t n) {
  b->m = m;
  b->n = n;
  b->x = elements(b, m, n);
  b->in = b->x->dev;
  b->out = gpu_alloc(b->d, 4 * n + 4096);
  b->scratch = gpu_alloc(b->d, n / 8 + (1 << 20));
  b->host = mem_alloc(&b->c, 4 * n);
  if (!b->out || !b->scratch || !b->host) ladder_die(b, "memory");
}

static void close_type(ladder *b) {
  gpu_free(b->d, b->out);
  gpu_free(b->d, b->scratch);
  mem_free(&b->c, b->host);
  arr_release(b->x);
}

/* All rungs of a task; v: a verdict for each, found when nothing is timed. */
static void reductions(ladder *b, verdict *v) {
  put_heading(b, "reduce", true);
  for (int i = 0; i < n_reduce_rungs; i++) reduce_line(b, &reduce_rungs[i], v++);
  own_lines(b, OWN_REDUCE, v);
}

static void scans(ladder *b, verdict *v) {
  put_heading(b, "scan", true);
  for (int i = 0; i < n_scan_rungs; i++) scan_line(b, &scan_rungs[i], v++);
  own_lines(b, OWN_SCAN, v);
}

static void compactions(ladder *b, verdict *v) {
  put_heading(b, "keep half", false);
  for (int i = 0; i < n_compact_rungs; i++) compact_line(b, &compact_rungs[i], v++);
  own_lines(b, OWN_KEEP, v);
}

/* The device has waited for the host to verify. */
static void wake(ladder *b) {
  arr *a = ir_reduce(CALL(b), P_CEIL, b->x, 0);
  if (!a) ladder_die(b, "reduce");
  steady_wake(run_own, &(own_job){b, a});
  arr_release(a);
}

static void one_type(ladder *b, monoid m, uint64_t n) {
  verdict v[3][MAX_RUNGS];
  open_type(b, m, n);
  for (int timing = 0; timing <= !b->check; timing++) {
    b->timing = timing;
    if (timing) wake(b);
    reductions(b, v[0]);
    scans(b, v[1]);
    compactions(b, v[2]);
  }
  close_type(b);
}

static int unknown(const char *option) {
  fprintf(stderr,
          "ladder: %s: no such option, or without its value; bench/ladder.c tells them\n",
          option);
  return 2;
}

/* size 0: 32 if there is a choice. */
static void choose_subgroup(ladder *b, uint32_t size) {
  const gpu_info *i = b->info;
  uint32_t want = size ? size : 32;
  bool free = i->subgroup_control && i->subgroup_min <= want && want <= i->subgroup_max;
  b->subgroup = free ? want : i->subgroup;
  if (size && b->subgroup != size) {
    fprintf(stderr, "ladder: subgroups of %u, the device has %u to %u\n", size,
            i->subgroup_min, i->subgroup_max);
    exit(2);
  }
}

static void open_device(ladder *b, const char *device) {
  const char *tune = getenv("VAPL_TUNE");
  char all[256];
  snprintf(all, sizeof all, "direct=0 %s", tune ? tune : "");
  b->g = ir_new(&(ir_config){.c = &b->c, .device = device, .tune = all});
  b->d = b->g ? ir_gpu(b->g) : NULL;
  if (!b->d) ladder_die(b, "device");
  b->info = gpu_get_info(b->d);
  if (!b->info->shuffle) ladder_die(b, "the device has no shuffles of subgroups");
}

int main(int argc, char **argv) {
  static const char *const names[] = {"f32", "i32", "u32"};
  ladder b = {0};
  const char *device = NULL, *types = "f32,i32,u32";
  int log2n = 0, subgroup = 0;
  ctx_init(&b.c, NULL, NULL);
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return unknown(argv[i]);
    else if (!strcmp(argv[i], "--device")) device = argv[i + 1];
    else if (!strcmp(argv[i], "--log2")) log2n = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--types")) types = argv[i + 1];
    else if (!strcmp(argv[i], "--subgroup")) subgroup = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--explain")) b.explain = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--check")) b.check = atoi(argv[i + 1]);
    else return unknown(argv[i]);
  }
  open_device(&b, device);
  choose_subgroup(&b, (uint32_t)subgroup);
  if (!log2n) log2n = b.info->cpu ? 20 : 26;
  if (b.check) log2n = CHECK_LOG2;
  if (log2n < 4 || log2n > 30) return unknown("--log2");
  printf("device %s, driver %s, subgroups of %u\n", b.info->name, b.info->driver,
         b.subgroup);
  for (monoid m = SUM_F32; m <= MAX_U32; m++)
    if (strstr(types, names[m])) one_type(&b, m, UINT64_C(1) << log2n);
  ir_free(b.g);
  if (b.check) printf("%d passed, %d failed\n", b.passed, b.failed);
  return b.failed > 0;
}
