/* SPDX-License-Identifier: MIT */
/* size.c - arrays as large as the device's memory: right, and at the memory's speed?
 *
 *   size [--device D] [--gb N,N,…] [--arrays N] [--threads N] [--tune T]
 *
 * For each size in GB and for f32 and f64: x is 1000|⍳n and y 777|⍳n, made on the device. Sum,
 * greatest product, mean, variance and scan are compared with what follows from the period in
 * long double arithmetic here; sums of f64 must be exact, the others near. GB/s are bytes that
 * must move by the device's own time, warm. Then --arrays N arrays of the first size in turn, more
 * than fit together, each summed again afterwards; the error for what is larger than the
 * device; and the speed of moving 4 GB up and down. Exit code 1 when anything is wrong. */
#include "src/array/element.h"
#include "src/ir/device.h"
#include "src/ir/place.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A primitive called with the defaults of a clear workspace. */
#define CALL(g) (&(ir_call){.g = (g), .env = {.c = &c, .ct = 1e-14, .io = 0, .pp = 10}})

enum { PX = 1000, PY = 777 };
static ctx c;
static ir *g;
static bool wrong;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static arr *need(arr *a) {
  if (a) return a;
  printf("%s: %s\n", err_name(c.err.code), c.err.msg);
  exit(1);
}

static arr *f2(arr *x, prim p, arr *y) { /* consumes both */
  arr *r = ir_dyadic(CALL(g), p, x, y);
  arr_release(x);
  arr_release(y);
  return need(r);
}

/* The type's (period|⍳n) + plus, pending; ⍳ counts from 0. */
static arr *pattern(elt t, int64_t n, int period, int plus) {
  arr *zero = need(arr_new(&c, t, 0, NULL)), *len = need(arr_int(&c, n));
  arr_put_float(zero, 0, plus);
  arr *i = need(ir_monadic(CALL(g), P_IOTA, len)),
      *z = need(ir_dyadic(CALL(g), P_RHO, len, zero));
  arr_release(len);
  arr_release(zero);
  return f2(z, P_PLUS, f2(arr_int(&c, period), P_RESIDUE, i));
}

/* What the kernel that makes pending `a` takes: the median of three, warm, for an idle GPU's clock
 * is low. */
static arr *timed(const char *what, arr *a, uint64_t bytes) {
  double ns[3] = {0}, spent = 0;
  uint64_t moved;
  for (double begun = seconds(); spent < 0.1; spent = seconds() - begun)
    if (!ir_bench(g, need(a), 1, 1, ns, &moved)) need(NULL);
  if (!ir_bench(g, a, 3, 1, ns, &moved)) need(NULL);
  double mid = fmax(fmin(ns[0], ns[1]), fmin(fmax(ns[0], ns[1]), ns[2]));
  printf("  %-12s %9.3f ms %8.0f GB/s\n", what, mid / 1e6, (double)bytes / mid);
  return a;
}

/* The value of a scalar, or element i of a vector; consumes a. */
static double value(arr *a, int64_t i) {
  if (!ir_settle(g, a)) need(NULL);
  arr *one = a->count == 1 ? arr_retain(a) : need(ir_pick(CALL(g), a, i));
  if (!ir_host(g, one)) need(NULL);
  double v = arr_get_float(one, 0);
  arr_release(one);
  arr_release(a);
  return v;
}

static void check(const char *what, double is, long double should, double within) {
  double off = fabs((double)((long double)is - should));
  bool ok = off <= within * fabs((double)should);
  wrong |= !ok;
  printf("  %-12s %.17g, should be %.17Lg: %s\n", what, is, should,
         ok ? "right" : "WRONG");
}

/* Σ (i mod period) for i below n; with each squared if `squares`. */
static long double sum_of(int64_t n, int period, bool squares) {
  long double whole = 0, part = 0;
  for (int i = 0; i < period; i++) {
    long double v = squares ? (long double)i * i : i;
    whole += v;
    if (i < n % period) part += v;
  }
  return whole * (long double)(n / period) + part;
}

static double greatest_product(int64_t n) {
  double best = 0;
  for (int64_t i = 0; i < n && i < PX * PY; i++)
    if ((double)(i % PX) * (double)(i % PY) > best)
      best = (double)(i % PX) * (double)(i % PY);
  return best;
}

static void one_size(double gb, elt t) {
  uint64_t width = elt_bytes(t, 1), bytes;
  int64_t n = (int64_t)(gb * 1e9) / (int64_t)width;
  double near = t == ET_F32 ? 1e-5 : 1e-13, exact = t == ET_F32 ? 1e-6 : 0;
  bytes = (uint64_t)n * width;
  printf("%.3g GB, %lld of %s\n", gb, (long long)n, elt_table[t].name);
  arr *x = pattern(t, n, PX, 0), *y = pattern(t, n, PY, 0);
  value(arr_retain(timed("make", x, bytes)), 0);
  value(arr_retain(y), 0);
  long double s = sum_of(n, PX, false), s2 = sum_of(n, PX, true),
              mean = s / (long double)n;
  check("+/x", value(timed("+/x", ir_reduce(CALL(g), P_PLUS, x, 0), bytes), 0), s, exact);
  arr *p = need(ir_dyadic(CALL(g), P_TIMES, x, y));
  arr_release(y);
  double top = value(timed("max/x*y", ir_reduce(CALL(g), P_CEIL, p, 0), 2 * bytes), 0);
  arr_release(p);
  check("max/x*y", top, greatest_product(n), 0);
  double m =
      value(f2(need(ir_reduce(CALL(g), P_PLUS, x, 0)), P_DIVIDE, arr_int(&c, n)), 0);
  check("mean", m, mean, near);
  arr *d = f2(arr_retain(x), P_MINUS, arr_float(&c, m));
  d = f2(d, P_POWER, arr_int(&c, 2));
  arr *sum = timed("+/(x-m)*2", ir_reduce(CALL(g), P_PLUS, d, 0), bytes);
  arr_release(d);
  double var = value(f2(sum, P_DIVIDE, arr_int(&c, n)), 0);
  check("variance", var, s2 / (long double)n - mean * mean, near);
  arr *scan = timed("+\\x", ir_scan(CALL(g), P_PLUS, x, 0), 2 * bytes);
  int64_t at[] = {n - 1, n / 3, n / 2 + 12345};
  for (int i = 0; i < 3; i++)
    check("+\\x at", value(arr_retain(scan), at[i]), sum_of(at[i] + 1, PX, false), exact);
  arr_release(scan);
  arr_release(x);
}

static void in_turn(double gb, int many) {
  int64_t n = (int64_t)(gb * 1e9) / 8;
  arr *all[64];
  if (many > 64) many = 64;
  printf("%d arrays of %.0f GB in turn, the device has %.0f GB\n", many, gb,
         (double)gpu_get_usage(g->dev).limit / 1e9);
  double begun = seconds();
  for (int k = 0; k < many; k++) value(arr_retain(all[k] = pattern(ET_F64, n, PX, k)), 0);
  printf("  made in %.1f s, %llu evicted\n", seconds() - begun,
         (unsigned long long)g->evicted);
  begun = seconds();
  for (int k = many - 1; k >= 0; k--) {
    double is = value(need(ir_reduce(CALL(g), P_PLUS, all[k], 0)), 0);
    check("+/", is, sum_of(n, PX, false) + (long double)k * (long double)n, 0);
  }
  printf("  summed in %.1f s, %llu evicted, %llu kernels on the host\n",
         seconds() - begun, (unsigned long long)g->evicted,
         (unsigned long long)g->fallbacks);
  for (int k = 0; k < many; k++) arr_release(all[k]);
}

static void too_large(void) {
  int64_t n = (int64_t)(gpu_get_usage(g->dev).limit / 8 * 3 / 2);
  arr *x = pattern(ET_F64, n, PX, 0);
  bool ok = ir_settle(g, x);
  printf("%.0f GB: %s: %s\n", (double)n * 8 / 1e9, ok ? "made" : err_name(c.err.code),
         c.err.msg);
  wrong |= ok || c.err.code != ERR_LIMIT;
  err_clear(&c);
  arr_release(x);
}

static void transfers(uint64_t bytes) {
  arr *x = need(arr_vec(&c, ET_F64, (int64_t)(bytes / 8)));
  uint64_t seed = 1, sum = 0;
  uint64_t *p = x->host;
  for (uint64_t i = 0; i < bytes / 8; i++)
    sum += p[i] = seed = seed * 6364136223846793005u + 1;
  for (int round = 0; round < 3; round++) {
    double begun = seconds();
    if (!ir_device(g, x) || !gpu_wait(g->dev)) need(NULL);
    double up = seconds() - begun;
    if (round < 2)
      memset(x->host, 0, bytes); /* its pages stay: a copy's speed, not the system's */
    begun = seconds();
    if (!gpu_download(g->dev, x->dev, 0, x->host, bytes)) need(NULL);
    double down = seconds() - begun;
    device_forget(g, x);
    printf("%.1f GB up %.1f GB/s, down %.1f GB/s\n", (double)bytes / 1e9,
           (double)bytes / up / 1e9, (double)bytes / down / 1e9);
  }
  for (uint64_t i = 0; i < bytes / 8; i++) sum -= p[i];
  wrong |= sum != 0;
  arr_release(x);
}

static int unknown(const char *option) {
  fprintf(stderr,
          "size: %s: no such option, or without its value; bench/size.c tells them\n",
          option);
  return 2;
}

int main(int argc, char **argv) {
  const char *device = NULL, *gb = "16,48", *tune = NULL;
  int arrays = 10, threads = 0;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return unknown(argv[i]);
    else if (!strcmp(argv[i], "--device")) device = argv[i + 1];
    else if (!strcmp(argv[i], "--gb")) gb = argv[i + 1];
    else if (!strcmp(argv[i], "--arrays")) arrays = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--threads")) threads = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--tune")) tune = argv[i + 1];
    else return unknown(argv[i]);
  }
  ctx_init(&c, NULL, NULL);
  g = ir_new(&(ir_config){
      .c = &c, .device = device ? device : "#0", .threads = threads, .tune = tune});
  if (!g || !device_open(g)) need(NULL);
  double first = atof(gb);
  transfers((uint64_t)(first > 0 && first < 4 ? first * 1e9 : 4e9) / 8 * 8);
  for (char *at = (char *)gb; *at; at += *at == ',') {
    double size = strtod(at, &at);
    if (size > 0) one_size(size, ET_F32), one_size(size, ET_F64);
  }
  too_large();
  if (arrays) in_turn(first, arrays);
  str s = {.c = &c};
  if (ir_describe(g, &s) && ir_memory(g, &s)) printf("%s", s.at);
  str_free(&s);
  ir_free(g);
  printf("%s\n", wrong ? "WRONG" : "all right");
  return wrong;
}
