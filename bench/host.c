/* SPDX-License-Identifier: MIT */
/* host.c - how near to the speed of the memory the host's block interpreter folds and scans,
 * along every axis.
 *
 *   host [--log2 N] [--threads T] [--types f64,f32,…] [--only RxLxI] [--kind scan]
 *
 * For arrays of 2^N elements of many shapes: time of +/ and +\ along an axis, GB/s of the bytes
 * that must move, and the ratio to what moving them costs: a memcpy for scans, which read and
 * write, a read of the array for reductions. The best of several runs each, by turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/host/host.h"
#include "src/host/threads.h"
#include "src/kir/kir.h"
#include "src/prim/direct.h"

enum { RUNS = 9 };
static ctx C;
static blk_pool *pool;

static bool busy; /* one thread: processor time, since other programs may run beside it */

static double now(void) {
  struct timespec t;
  clock_gettime(busy ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static volatile uint64_t sink;

static void read_all(const void *p, size_t n) {
  const uint64_t *x = p;
  uint64_t s[8] = {0};
  for (size_t i = 0; i + 8 <= n / 8; i += 8)
    for (size_t k = 0; k < 8; k++) s[k] += x[i + k];
  for (size_t k = 0; k < 8; k++) sink += s[k];
}

static void one(kir_kind kind, elt t, const int64_t dim[3], const void *x, void *r) {
  int64_t n = dim[0] * dim[1] * dim[2], outs = kind == KIR_SCAN ? n : dim[0] * dim[2];
  kty ty = kir_arg_type(t), to = kty_is_float(ty) ? ty : KI64;
  kir k = {.kind = kind, .n_in = 1, .n_fault = 1, .acc[0].monoid = KF_ADD};
  k.in[0] = (kin){(uint8_t)t, KV_FLAT};
  kir_bind b = {.rows = dim[0], .len = dim[1], .inner = dim[2]};
  uint32_t flags[2] = {0};
  kv v = kir_add(&C, &k, (kins){.op = KOP_ARG, .ty = (uint8_t)(ty == KB ? KI32 : ty)});
  v = kir_add(&C, &k, (kins){.op = KOP_FOLD, .ty = (uint8_t)to, .a = v});
  elt out = to == KF32 ? ET_F32 : to == KF64 ? ET_F64 : ET_I64;
  k.out[k.n_out++] = (kout){.value = v, .type = (uint8_t)out};
  b.in[0].host = x, b.out[0].host = r, b.flags = flags;
  size_t in_bytes = elt_bytes(t, n), bytes = in_bytes + elt_bytes(out, outs);
  double ns[RUNS], base[RUNS];
  for (int i = -1; i < RUNS; i++) { /* the first run warms up */
    double t0 = now();
    if (!blk_run(&C, pool, &k, &b)) exit(1);
    double t1 = now();
    if (kind == KIR_SCAN) memcpy(r, x, in_bytes);
    else read_all(x, in_bytes);
    double t2 = now();
    if (i >= 0) ns[i] = t1 - t0, base[i] = t2 - t1;
  }
  qsort(ns, RUNS, sizeof *ns, by_value);
  qsort(base, RUNS, sizeof *base, by_value);
  double floor =
      base[0] * (double)bytes / (double)(kind == KIR_SCAN ? 2 * in_bytes : in_bytes);
  printf(
      "%-9s %-4s %9lld x %9lld x %9lld %9.3f ms %7.2f GB/s  %5.2f of %s, %6.3f ns each\n",
      kind == KIR_SCAN ? "scan +\\" : "reduce +/", elt_table[t].name, (long long)dim[0],
      (long long)dim[1], (long long)dim[2], ns[0] / 1e6, (double)bytes / ns[0],
      floor / ns[0], kind == KIR_SCAN ? "memcpy" : "a read", ns[0] / (double)n);
  fflush(stdout);
  kir_free(&C, &k);
}

static int unknown(const char *option) {
  fprintf(stderr,
          "host: %s: no such option, or without its value; bench/host.c tells them\n",
          option);
  return 2;
}

int main(int argc, char **argv) {
  int log2n = 23, threads = 1;
  const char *types = "f64";
  long long only[3] = {0, 0, 0};
  int first = KIR_REDUCE, last = KIR_SCAN;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return unknown(argv[i]);
    else if (!strcmp(argv[i], "--log2")) log2n = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--threads")) threads = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--types")) types = argv[i + 1];
    else if (!strcmp(argv[i], "--kind"))
      last = first = !strcmp(argv[i + 1], "scan") ? KIR_SCAN : KIR_REDUCE;
    else if (!strcmp(argv[i], "--only"))
      sscanf(argv[i + 1], "%lldx%lldx%lld", &only[0], &only[1], &only[2]);
    else return unknown(argv[i]);
  }
  busy = threads == 1;
  ctx_init(&C, NULL, NULL);
  pool = blk_pool_new(&C, threads);
  int64_t n = (int64_t)1 << log2n;
  void *x = malloc((size_t)n * 8 + 64), *r = malloc((size_t)n * 8 + 64);
  if (!pool || !x || !r) return 1;
  static const int64_t lens[] = {2,  3,   5,   7,   8,   13,   16,   31,
                                 64, 100, 128, 200, 500, 1000, 5000, 20000};
  static const int64_t inners[] = {2, 3, 7, 16, 30, 100, 256, 1000, 5000, 100000};
  static const int64_t mid[] = {3, 10, 100, 1000};
  memset(r, 0, (size_t)n * 8), memset(x, 1, (size_t)n * 8);
  for (elt t = ET_BIT; t <= ET_F64; t++) {
    if (!strstr(types, elt_table[t].name)) continue;
    for (int64_t i = 0; i < n; i++) {
      if (t == ET_F64) ((double *)x)[i] = (double)(i % 1000) / 8;
      else if (t == ET_F32) ((float *)x)[i] = (float)(i % 1000) / 8;
      else ((uint8_t *)x)[i] = (uint8_t)(i % 7);
    }
    for (kir_kind kind = (kir_kind)first; kind <= (kir_kind)last; kind++) {
      if (only[0]) {
        int64_t d[3] = {only[0], only[1], only[2]};
        one(kind, t, d, x, r);
        continue;
      }
      one(kind, t, (int64_t[]){1, n, 1}, x, r);
      for (size_t i = 0; i < ARRAY_LEN(lens); i++)
        one(kind, t, (int64_t[]){n / lens[i], lens[i], 1}, x, r);
      for (size_t i = 0; i < ARRAY_LEN(inners); i++)
        one(kind, t, (int64_t[]){1, n / inners[i], inners[i]}, x, r);
      for (size_t i = 0; i < ARRAY_LEN(mid); i++)
        for (size_t k = 0; k < ARRAY_LEN(mid); k++)
          one(kind, t, (int64_t[]){n / (mid[i] * mid[k]), mid[i], mid[k]}, x, r);
    }
  }
  blk_pool_free(&C, pool);
  free(x);
  free(r);
  return 0;
}
