/* SPDX-License-Identifier: MIT */
/* test_exec.c - the executor under pressure: a device that is small, full, lost, interrupted.
 *
 * Whatever happens to the device, an array's elements are the same afterwards, or the error
 * says what is the matter; and the number of pipelines does not grow with lengths, scalars or
 * starts. The device is lavapipe or what VAPL_TEST_DEVICE names; without one nothing is tested,
 * and that is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "src/ir/place.h"
#include "src/vk/vk.h"
#include "src/array/convert.h"
#include "src/array/element.h"
#include "src/tables/fast.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ctx c;
static const char *device = "cpu";

/* A primitive called with the defaults of a clear workspace. */
#define CALL(g) (&(ir_call){.g = (g), .env = {.c = &c, .ct = 1e-14, .io = 1, .pp = 10}})

static ir *opened(ir_config cfg) {
  cfg.c = &c;
  cfg.device = device;
  cfg.threads = 2;
  ir *g = ir_new(&cfg);
  assert_non_null(g);
  if (!device_open(g)) fail_msg("%s", c.err.msg);
  return g;
}

static void closed(ir *g) {
  ir_free(g);
  assert_false(err_is(&c));
  assert_int_equal(c.blocks_live, 0);
}

/* ── expressions ── */

static arr *keep(arr *y) {
  if (!y) fail_msg("%s: %s", err_name(c.err.code), c.err.msg);
  return y;
}

static arr *f2(ir *g, arr *x, prim p, arr *y) { /* consumes both */
  arr *r = ir_dyadic(CALL(g), p, x, y);
  arr_release(x);
  arr_release(y);
  return keep(r);
}

static arr *fold(ir *g, prim p, arr *y) { /* consumes y */
  arr *r = ir_reduce(CALL(g), p, y, y->rank - 1);
  arr_release(y);
  return keep(r);
}

static arr *scan(ir *g, prim p, arr *y) {
  arr *r = ir_scan(CALL(g), p, y, y->rank - 1);
  arr_release(y);
  return keep(r);
}

static double element(int64_t i, int k) { return (double)((i * 8 + k * 13) % 1001) / 4; }

static arr *floats(int64_t n, int k) {
  arr *a = arr_vec(&c, ET_F64, n);
  for (int64_t i = 0; i < n; i++) arr_put_float(keep(a), i, element(i, k));
  return a;
}

static arr *matrix(int64_t rows, int64_t columns) {
  arr *flat = floats(rows * columns, 0);
  int64_t shape[] = {rows, columns};
  arr *m = keep(arr_reshape(&c, flat, 2, shape));
  arr_release(flat);
  return m;
}

/* x×2, on the device alone, where there is room. */
static arr *twice(ir *g, int64_t n, int k) {
  arr *r = f2(g, floats(n, k), P_TIMES, arr_int(&c, 2));
  if (!ir_settle(g, r)) fail_msg("%s", c.err.msg);
  return r;
}

static void is_twice(ir *g, arr *a, int k) {
  if (!ir_host(g, a)) fail_msg("%s", c.err.msg);
  for (int64_t i = 0; i < a->count; i++)
    if (arr_get_float(a, i) != 2 * element(i, k))
      fail_msg("element %lld of %d", (long long)i, k);
}

static uint64_t pipelines(ir *g) { return gpu_get_usage(g->dev).pipelines; }

/* ── a small device ── */

enum { LEN = 40000, MANY = 24 }; /* 320 kB each; a device of 3 MB holds about nine */

static void test_evict(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.max_device_bytes = 3 << 20, .tune = "direct=0"});
  arr *all[MANY];
  for (int k = 0; k < MANY; k++) all[k] = twice(g, LEN, k);
  assert_true(g->evicted > 0);
  assert_int_equal(g->fallbacks, 0);
  assert_true(gpu_get_usage(g->dev).reserved <= 3 << 20);
  for (int k = 0; k < MANY; k += 2) { /* the old come back, others go, in any order */
    arr *s = fold(g, P_PLUS,
                  f2(g, arr_retain(all[k]), P_MINUS, arr_retain(all[MANY - 1 - k])));
    double sum = 0;
    for (int64_t i = 0; i < LEN; i++)
      sum += 2 * element(i, k) - 2 * element(i, MANY - 1 - k);
    assert_true(ir_host(g, s) && arr_get_float(s, 0) == sum);
    arr_release(s);
  }
  for (int k = 0; k < MANY; k++) is_twice(g, all[k], k);
  for (int k = 0; k < MANY; k++) arr_release(all[k]);
  closed(g);
}

/* Each array is larger than what is left beside it: the kernel runs on the host. One that is
 * larger than the device is a LIMIT ERROR with both sizes. */
static void test_fallback(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.max_device_bytes = 1 << 20, .tune = "direct=0"});
  arr *a = twice(g, 70000, 1), *b = twice(g, 70000, 2);
  assert_true(g->fallbacks > 0);
  is_twice(g, a, 1);
  is_twice(g, b, 2);
  arr_release(a);
  arr_release(b);
  a = f2(g, floats(200000, 0), P_TIMES, arr_int(&c, 2));
  assert_false(ir_settle(g, a));
  assert_int_equal(c.err.code, ERR_LIMIT);
  assert_non_null(strstr(c.err.msg, "1600000"));
  assert_non_null(strstr(c.err.msg, "1048576"));
  err_clear(&c);
  arr_release(a);
  closed(g);
}

/* An array above one allocation: put together from several where the device can; else an error
 * with both sizes, or the host's work where the device was chosen automatically. */
static void test_allocation(void **state) {
  UNUSED(state);
  for (int automatic = 0; automatic < 2; automatic++) {
    ir *g = opened((ir_config){.tune = "direct=0 device_min=0 allocation=131072"});
    bool sparse = gpu_get_info(g->dev)->sparse;
    if (automatic) g->cfg.device = "auto", g->dev->info.cpu = false;
    arr *r = f2(g, floats(LEN, 1), P_TIMES, arr_int(&c, 2));
    if (sparse || automatic) is_twice(g, r, 1);
    else {
      assert_false(ir_settle(g, r));
      assert_int_equal(c.err.code, ERR_LIMIT);
      assert_non_null(strstr(c.err.msg, "320000"));
      assert_non_null(strstr(c.err.msg, "131072"));
      err_clear(&c);
    }
    assert_int_equal(g->fallbacks, !sparse && automatic);
    arr_release(r);
    closed(g);
  }
}

/* The host has no room for the large array that was used longest ago: that stays, others go. */
static void test_small_host(void **state) {
  UNUSED(state);
  enum { SMALL = 5 };
  ir *g = opened((ir_config){.max_device_bytes = 3750000, .tune = "direct=0"});
  arr *large = twice(g, 5 * LEN, 1), *small[SMALL];
  assert_true(!large->host);
  c.bytes_max = c.bytes_live + 5 * LEN * 8 - 1000;
  for (int k = 0; k < SMALL; k++) small[k] = twice(g, LEN, k);
  c.bytes_max = 0;
  assert_true(!large->host && g->evicted > 0 && !g->fallbacks);
  is_twice(g, large, 1);
  for (int k = 0; k < SMALL; k++) is_twice(g, small[k], k), arr_release(small[k]);
  arr_release(large);
  closed(g);
}

/* Neither the device nor the host has room: the error has the sizes, and nothing is lost. */
static void test_full(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.max_device_bytes = 2 << 20, .tune = "direct=0"});
  arr *all[5];
  for (int k = 0; k < 5; k++) all[k] = twice(g, LEN, k);
  arr *r = f2(g, arr_retain(all[0]), P_PLUS, floats(LEN, 9));
  c.bytes_max = c.bytes_live + 100000;
  bool room = ir_settle(g, r);
  arr *s = f2(g, arr_retain(all[1]), P_PLUS, arr_retain(r));
  room = room && ir_settle(g, s);
  assert_false(room);
  assert_int_equal(c.err.code, ERR_WS_FULL);
  assert_non_null(strstr(c.err.msg, "320000"));
  assert_non_null(strstr(c.err.msg, "2097152"));
  err_clear(&c);
  c.bytes_max = 0;
  for (int k = 0; k < 5; k++) is_twice(g, all[k], k);
  assert_true(ir_host(g, r) && arr_get_float(r, 5) == 2 * element(5, 0) + element(5, 9));
  for (int k = 0; k < 5; k++) arr_release(all[k]);
  arr_release(r);
  arr_release(s);
  closed(g);
}

/* ── a device whose calls fail ── */

static struct {
  const char *only;
  long left; /* the call that fails; negative: none */
  int code;
  bool interrupts;
} trap;

static int on_call(void *user, const char *call) {
  UNUSED(user);
  if (trap.left < 0 || (trap.only && strcmp(trap.only, call)) || trap.left-- > 0)
    return 0;
  if (!trap.interrupts) return trap.code;
  atomic_store(&c.interrupt, true);
  return 0;
}

static void set_trap(ir *g) {
  g->dev->cfg.fail = on_call;
  trap.left = -1;
  trap.only = NULL;
  trap.interrupts = false;
}

/* ⌈/m+y-m with m the least of y: kernels that read one another's results. */
static arr *greatest(ir *g, arr *y) {
  OWNED arr *m = ir_reduce(CALL(g), P_FLOOR, y, 0);
  OWNED arr *d = m ? ir_dyadic(CALL(g), P_MINUS, y, m) : NULL;
  OWNED arr *back = d ? ir_dyadic(CALL(g), P_PLUS, m, d) : NULL;
  return back ? ir_reduce(CALL(g), P_CEIL, back, 0) : NULL;
}

/* One expression with everything in it. NULL: the error is recorded. */
static arr *work(ir *g, arr *x) {
  arr *y = ir_dyadic(CALL(g), P_PLUS, x, x),
      *s = y ? ir_scan(CALL(g), P_PLUS, y, 0) : NULL;
  arr *r = s && ir_host(g, s) ? greatest(g, y) : NULL;
  if (r && !ir_host(g, r)) arr_release(r), r = NULL;
  arr_release(y);
  arr_release(s);
  return r;
}

/* The driver has no memory for the n-th thing it is asked: the answer is right all the same, or
 * the error is WS FULL and the arrays are there still. */
static void no_memory(const char *tune) {
  ir *g = opened((ir_config){.tune = tune});
  set_trap(g);
  arr *mine = twice(g, LEN, 3);
  bool fired = true;
  for (int n = 0; fired; n++) {
    arr *x = floats(LEN, n);
    trap.code = n & 1 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_OUT_OF_DEVICE_MEMORY;
    trap.left = n;
    arr *r = work(g, x);
    fired = trap.left < 0;
    trap.left = -1;
    if (!r) assert_int_equal(c.err.code, ERR_WS_FULL);
    else assert_true(arr_get_float(r, 0) == 500);
    err_clear(&c);
    arr_release(r);
    r = f2(g, arr_retain(x), P_TIMES,
           arr_int(&c, 2)); /* was x uploaded, or was it not? */
    is_twice(g, r, n);
    arr_release(r);
    arr_release(x);
  }
  is_twice(g, mine, 3);
  arr_release(mine);
  closed(g);
}

static void test_no_memory(void **state) {
  UNUSED(state);
  no_memory("direct=0");
  no_memory(
      "direct=0 staging=65536"); /* transfers by the rings, also where memory is shared */
}

/* A short result comes to the host with the flags of its kernel: one submission, and none for what the
 * host has. A kernel that fails leaves nothing. */
static void test_comes_along(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0 staging=65536"});
  arr_release(twice(g, 1000, 1));
  for (int64_t n = 2; n <= 2000; n += 1998) {
    arr *r = f2(g, floats(n, 1), P_TIMES, arr_int(&c, 2));
    uint64_t before = gpu_get_usage(g->dev).submits;
    assert_true(ir_host(g, r));
    assert_int_equal(gpu_get_usage(g->dev).submits, before + 1);
    assert_non_null(r->dev);
    is_twice(g, r, 1);
    arr_release(r);
  }
  arr *bad = f2(g, floats(1000, 0), P_DIVIDE, arr_int(&c, 0));
  assert_false(ir_host(g, bad));
  assert_true(c.err.code == ERR_DOMAIN && !bad->host && !bad->dev);
  err_clear(&c);
  arr_release(bad);
  closed(g);
}

/* A loop of so few steps that the device ends it never gives up: what escapes is computed wider at once. */
static void test_short_loop(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  arr *k = arr_vec(&c, ET_I64, 1000);
  for (int i = 0; i < 1000; i++) arr_put_int(keep(k), i, i % 100);
  arr *r = f2(g, k, P_FACT, arr_int(&c, 100));
  assert_true(ir_host(g, r));
  assert_int_equal(g->host_runs, 0);
  assert_true(arr_get_float(r, 2) == 4950 && arr_get_float(r, 50) > 1e29);
  arr_release(r);
  closed(g);
}

/* The device is lost: what the host has is there, what only the device had is said to be lost,
 * and with the automatic choice work goes on, on the host. */
static void lost_with(bool automatic) {
  ir *g = opened((ir_config){.tune = "direct=0 device_min=0"});
  set_trap(g);
  arr *there = twice(g, LEN, 1), *gone = twice(g, LEN, 2), *both = twice(g, LEN, 3);
  is_twice(g, both, 3);
  arr *x = floats(LEN, 0);
  trap.only = "vkQueueSubmit";
  trap.code = VK_ERROR_DEVICE_LOST;
  trap.left = 0;
  if (automatic) g->cfg.device = "auto", g->dev->info.cpu = false; /* else never chosen */
  arr *r = f2(g, arr_retain(x), P_PLUS, arr_retain(x));
  bool ok = ir_host(g, r);
  assert_int_equal(ok, automatic);
  if (!ok) assert_int_equal(c.err.code, ERR_DEVICE);
  err_clear(&c);
  assert_true(gpu_lost(g->dev));
  is_twice(g, both, 3);
  arr *mine[] = {there, gone};
  for (int i = 0; i < 2; i++) {
    assert_false(ir_host(g, mine[i]));
    assert_int_equal(c.err.code, ERR_DEVICE);
    assert_non_null(strstr(c.err.msg, "lost"));
    err_clear(&c);
    arr_release(mine[i]);
  }
  arr *s = f2(g, arr_retain(both), P_TIMES, arr_int(&c, 1));
  assert_int_equal(ir_host(g, s), automatic);
  if (automatic) is_twice(g, s, 3);
  err_clear(&c);
  arr_release(r);
  arr_release(s);
  arr_release(x);
  arr_release(both);
  closed(g);
}

static void test_lost(void **state) {
  UNUSED(state);
  lost_with(false);
  lost_with(true);
}

/* At any call. */
static void test_lost_anywhere(void **state) {
  UNUSED(state);
  bool fired = true;
  for (int n = 0; fired; n += 2) {
    ir *g = opened(
        (ir_config){.tune = "direct=0 staging=65536", .max_device_bytes = 3 << 20});
    set_trap(g);
    arr *mine = twice(g, LEN, 3), *x = floats(LEN, 0);
    is_twice(g, mine, 3);
    trap.code = VK_ERROR_DEVICE_LOST;
    trap.left = n;
    arr *r = work(g, x);
    fired = trap.left < 0;
    trap.left = -1;
    if (r) assert_true(arr_get_float(r, 0) == 500);
    else assert_int_equal(c.err.code, ERR_DEVICE);
    err_clear(&c);
    is_twice(g, mine, 3);
    arr *all[] = {mine, x, r};
    for (int i = 0; i < 3; i++) arr_release(all[i]);
    closed(g);
  }
}

/* Cut into many dispatches the result is the same; an interrupt stops between two of them, and
 * everything can be computed afterwards. */
static void test_interrupt(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0 cut=200000"});
  set_trap(g);
  arr *mine = twice(g, LEN, 3), *m = matrix(300, 400);
  for (int n = 0;; n++) {
    arr *x = floats(LEN, 0), *r, *rows;
    trap.only = "vkQueueSubmit";
    trap.interrupts = true;
    trap.left = n;
    r = work(g, x);
    rows = r ? ir_reduce(CALL(g), P_PLUS, m, 1) : NULL;
    bool ok = rows && ir_host(g, rows);
    bool fired = trap.left < 0;
    trap.left = -1;
    if (!ok) assert_int_equal(c.err.code, ERR_INTERRUPT);
    atomic_store(&c.interrupt, false);
    err_clear(&c);
    assert_true(!r || arr_get_float(r, 0) == 500);
    if (rows) assert_true(ir_host(g, rows));
    for (int64_t i = 0; rows && i < 300; i++) {
      double sum = 0;
      for (int64_t j = 0; j < 400; j++) sum += element(i * 400 + j, 0);
      assert_true(arr_get_float(rows, i) == sum);
    }
    arr_release(rows);
    arr_release(r);
    arr_release(x);
    if (!fired) {
      assert_true(ok && n > 6);
      break;
    }
  }
  is_twice(g, mine, 3);
  arr_release(mine);
  arr_release(m);
  closed(g);
}

/* ── the last workgroup finishes ── */

/* Any numbers; or, for products, such near 1. */
static arr *vector(elt t, int64_t n, bool near) {
  arr *a = keep(arr_vec(&c, t, n));
  uint64_t r = 88172645463325252u;
  for (int64_t i = 0; i < n; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    int64_t v = (int64_t)(r >> 40) - (1 << 23);
    if (elt_is_float(t) && near) arr_put_float(a, i, 1 + (double)v / 3e10);
    else if (elt_is_float(t)) arr_put_float(a, i, (double)v / 3e6);
    else if (near) arr_put_int(a, i, t == ET_BIT || i % 1000 ? 1 : -1 - (i == 9000));
    else arr_put_int(a, i, t == ET_BIT ? v & 1 : v % 100);
  }
  return a;
}

/* Device and host, one dispatch and two: the same bits. */
static void test_finish(void **state) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I32, ET_I64, ET_F32, ET_F64};
  static const prim folds[] = {P_PLUS, P_TIMES, P_CEIL, P_FLOOR};
  static const int64_t lens[] = {16383, 16384, 16385, 70001, 1 << 18, 300007, 1 << 22};
  UNUSED(state);
  ir *by[] = {opened((ir_config){.tune = "direct=0"}),
              opened((ir_config){.tune = "direct=0 finish=0"}),
              ir_new(&(ir_config){.c = &c, .device = "host", .tune = "direct=0"})};
  for (size_t t = 0; t < ARRAY_LEN(types); t++)
    for (size_t n = 0; n < ARRAY_LEN(lens); n++)
      for (size_t f = 0; f < ARRAY_LEN(folds); f++) {
        uint64_t bits[3] = {0};
        if (lens[n] == 1 << 22 && f != t % 4) continue;
        for (size_t i = 0; i < ARRAY_LEN(by); i++) {
          OWNED arr *r =
              fold(by[i], folds[f], vector(types[t], lens[n], folds[f] == P_TIMES));
          if (!ir_host(by[i], r)) fail_msg("%s", c.err.msg);
          memcpy(&bits[i], r->host, elt_bytes((elt)r->type, 1));
          if (bits[i] != bits[0])
            fail_msg("type %zu fold %zu length %lld by %zu: %llx, not %llx", t, f,
                     (long long)lens[n], i, (unsigned long long)bits[i],
                     (unsigned long long)bits[0]);
        }
      }
  for (size_t i = 0; i < ARRAY_LEN(by); i++) ir_free(by[i]);
  assert_int_equal(c.blocks_live, 0);
}

/* ── reductions together ── */

/* Four reductions of x and of |x, as they are when the first is asked for. */
static void folded(ir *g, arr *x, int axis, arr **r) {
  static const prim folds[4] = {P_PLUS, P_CEIL, P_TIMES, P_FLOOR};
  OWNED arr *magnitude = keep(ir_monadic(CALL(g), P_RESIDUE, x));
  for (int i = 0; i < 4; i++)
    r[i] = keep(ir_reduce(CALL(g), folds[i], i % 2 ? x : magnitude, axis));
}

static arr *shaped(elt t, int rank, const int64_t *shape) {
  int64_t n = 1;
  for (int i = 0; i < rank; i++) n *= shape[i];
  OWNED arr *flat = vector(t, n, true);
  return keep(arr_reshape(&c, flat, rank, shape));
}

/* One kernel computes them all, to the bits that each has alone. */
static void test_together(void **state) {
  static const elt types[] = {ET_I8, ET_I32, ET_I64, ET_F32, ET_F64};
  static const int64_t shapes[][2] = {{2, 35001}, {300, 9}, {9, 300}, {3, 5000}};
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  ir *apart = opened((ir_config){.tune = "direct=0 fuse=0"});
  for (size_t t = 0; t < ARRAY_LEN(types); t++)
    for (size_t n = 0; n < 2 * ARRAY_LEN(shapes); n++) {
      arr *x = shaped(types[t], 2, shapes[n / 2]), *r[4], *want[4];
      folded(g, x, n % 2, r);
      uint64_t runs = g->device_runs;
      if (!ir_settle(g, r[0])) fail_msg("%s", c.err.msg);
      for (int i = 0; i < 4; i++) assert_false(is_pending(r[i]));
      if (types[t] >= ET_F32) assert_int_equal(g->device_runs - runs, 1);
      folded(apart, x, n % 2, want);
      for (int i = 0; i < 4; i++) {
        if (!ir_host(g, r[i]) || !ir_host(apart, want[i])) fail_msg("%s", c.err.msg);
        assert_int_equal(r[i]->type, want[i]->type);
        assert_memory_equal(r[i]->host, want[i]->host,
                            elt_bytes((elt)r[i]->type, r[i]->count));
        arr_release(r[i]);
        arr_release(want[i]);
      }
      arr_release(x);
    }
  ir_free(apart);
  closed(g);
}

/* What is not of the same lines, reads something else, or waits for another kernel is left
 * to a kernel of its own; what nobody holds is gone. */
static void test_apart(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  OWNED arr *x = floats(5000, 0), *y = floats(5000, 1), *z = floats(4000, 2);
  OWNED arr *sum = keep(ir_reduce(CALL(g), P_PLUS, x, 0));
  OWNED arr *other = keep(ir_reduce(CALL(g), P_PLUS, y, 0));
  OWNED arr *shorter = keep(ir_reduce(CALL(g), P_PLUS, z, 0));
  OWNED arr *running = keep(ir_scan(CALL(g), P_PLUS, x, 0));
  OWNED arr *last = keep(ir_reduce(CALL(g), P_CEIL, running, 0));
  arr_release(keep(ir_reduce(CALL(g), P_FLOOR, x, 0)));
  uint64_t runs = g->device_runs;
  if (!ir_settle(g, sum)) fail_msg("%s", c.err.msg);
  assert_int_equal(g->device_runs - runs, 1);
  assert_true(is_pending(other) && is_pending(shorter) && is_pending(last));
  /* One that reads both joins it. */
  OWNED arr *both = keep(ir_dyadic(CALL(g), P_TIMES, x, y));
  OWNED arr *product = keep(ir_reduce(CALL(g), P_PLUS, both, 0));
  if (!ir_settle(g, other)) fail_msg("%s", c.err.msg);
  assert_false(is_pending(product));
  arr **all[] = {&x, &y, &z, &sum, &other, &shorter, &running, &last, &both, &product};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) {
    arr_release(*all[i]);
    *all[i] = NULL;
  }
  closed(g);
}

/* Stretches that are all of a vector compute all of it: nothing of it is verified by itself. */
static void test_certain(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  for (int certain = 0; certain < 2; certain++) {
    arr *x = floats(5000, 1), *lengths = arr_int_vec(&c, 2, (int64_t[]){2000, 3000});
    OWNED arr *inverse =
        f2(g, arr_int(&c, 1), P_DIVIDE, f2(g, x, P_PLUS, arr_int(&c, 9)));
    OWNED arr *pairs = keep(ir_part_pairs(CALL(g), lengths));
    arr_release(lengths);
    if (!ir_host(g, pairs)) fail_msg("%s", c.err.msg);
    OWNED arr *sums = keep(ir_reduce_segments(CALL(g), P_PLUS, inverse, pairs));
    if (certain) ir_certain(sums);
    uint64_t runs = g->device_runs;
    if (!ir_settle(g, sums) || !ir_verify(g)) fail_msg("%s", c.err.msg);
    assert_int_equal(g->device_runs - runs, certain ? 1 : 2);
  }
  closed(g);
}

/* Scalars that are made of pending ones wait, too: the covariance is one kernel. */
static void test_waiting_scalars(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  arr *x = floats(5000, 0), *y = floats(5000, 1), *mean[3];
  arr *folded[3] = {keep(ir_dyadic(CALL(g), P_TIMES, x, y)), arr_retain(x),
                    arr_retain(y)};
  uint64_t runs = g->device_runs;
  for (int i = 0; i < 3; i++)
    mean[i] = f2(g, fold(g, P_PLUS, folded[i]), P_DIVIDE, arr_int(&c, 5000));
  arr *r = f2(g, mean[0], P_MINUS, f2(g, mean[1], P_TIMES, mean[2]));
  assert_int_equal(g->device_runs, runs);
  if (!ir_host(g, r)) fail_msg("%s", c.err.msg);
  assert_int_equal(g->device_runs - runs, 1);
  double sum[3] = {0};
  for (int64_t i = 0; i < 5000; i++) { /* quarters: exact */
    sum[0] += element(i, 0) * element(i, 1);
    sum[1] += element(i, 0);
    sum[2] += element(i, 1);
  }
  double want = sum[0] / 5000 - sum[1] / 5000 * (sum[2] / 5000);
  assert_true(arr_get_float(r, 0) == want);
  arr_release(r);
  arr_release(x);
  arr_release(y);
  closed(g);
}

/* (+/,⌈/,⌊/)x */
static void test_waiting_list(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  arr *x = floats(5000, 0);
  uint64_t runs = g->device_runs;
  arr *list =
      f2(g, fold(g, P_CEIL, arr_retain(x)), P_COMMA, fold(g, P_FLOOR, arr_retain(x)));
  arr *r = f2(g, fold(g, P_PLUS, arr_retain(x)), P_COMMA, list);
  if (!ir_host(g, r)) fail_msg("%s", c.err.msg);
  assert_int_equal(g->device_runs - runs, 1);
  double sum = 0;
  for (int64_t i = 0; i < 5000; i++) sum += element(i, 0);
  assert_true(arr_get_float(r, 0) == sum);
  assert_true(arr_get_float(r, 1) == 250 && arr_get_float(r, 2) == 0);
  arr_release(r);
  arr_release(x);
  closed(g);
}

/* x-m with m the mean of x; both released by the caller. */
static arr *centred(ir *g, arr *x) {
  arr *sum = fold(g, P_PLUS, arr_retain(x));
  return f2(g, arr_retain(x), P_MINUS, f2(g, sum, P_DIVIDE, arr_int(&c, x->count)));
}

static arr *variance(ir *g, arr *x) {
  arr *d = centred(g, x);
  arr *sum = fold(g, P_PLUS, f2(g, arr_retain(d), P_TIMES, d));
  return f2(g, sum, P_DIVIDE, arr_int(&c, x->count));
}

static arr *normalised(ir *g, arr *x) {
  arr *half = arr_new(&c, ET_F64, 0, NULL);
  arr_put_float(half, 0, 0.5);
  return f2(g, centred(g, x), P_DIVIDE, f2(g, variance(g, x), P_POWER, half));
}

static arr *softmax(ir *g, arr *x) {
  arr *d = f2(g, arr_retain(x), P_MINUS, fold(g, P_CEIL, arr_retain(x)));
  arr *e = keep(ir_monadic(CALL(g), P_POWER, d));
  arr_release(d);
  arr *sum = fold(g, P_PLUS, arr_retain(e));
  return f2(g, e, P_DIVIDE, sum);
}

/* 2.5>+/m+m, whose sums the host is not asked for. */
static void compared(ir *g) {
  OWNED arr *m = matrix(300, 100);
  OWNED arr *a = f2(g, arr_retain(m), P_PLUS, arr_retain(m));
  if (!ir_settle(g, a)) fail_msg("%s", c.err.msg);
  assert_true(a->dev && !a->host);
  OWNED arr *sums = ir_reduce(CALL(g), P_PLUS, a, 1);
  OWNED arr *less = f2(g, arr_retain(sums), P_LT, arr_float(&c, 2.5));
  assert_true(sums->node && less->node);
  if (!ir_host(g, less)) fail_msg("%s", c.err.msg);
}

/* What comes of an array that the device alone has stays there, also where the host would be quicker with as many
 * elements at hand. */
static void test_away(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "middle=16384"});
  compared(g);
  closed(g);
}

/* What comes between is read where it lies: the device is waited for once. Integers whose
 * sum leaves their type, and so voids what was computed with it, need another try. */
static void test_one_wait(void **state) {
  static arr *(*const made[])(ir *, arr *) = {variance, normalised, softmax};
  static const elt types[] = {ET_F64, ET_F32, ET_I16, ET_I64};
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  ir *host = ir_new(&(ir_config){.c = &c, .device = "host", .tune = "direct=0"});
  for (size_t t = 0; t < ARRAY_LEN(types); t++)
    for (size_t m = 0; m < ARRAY_LEN(made); m++) {
      OWNED arr *x = vector(types[t], 70001, false);
      if (types[t] == ET_I64)
        for (int64_t i = 0; i < x->count; i++) arr_put_int(x, i, INT64_MAX - i % 977);
      if (!ir_device(g, x)) fail_msg("%s", c.err.msg);
      uint64_t waits = gpu_get_usage(g->dev).downloads;
      OWNED arr *r = made[m](g, x), *want = made[m](host, x);
      if (!ir_settle(g, r)) fail_msg("%s", c.err.msg);
      waits = gpu_get_usage(g->dev).downloads - waits;
      /* The very first kernels that divide and take roots ask how the device does so. */
      if (types[t] == ET_F64) assert_int_equal(waits, m < 2 ? 2 : 1);
      if (!ir_host(g, r) || !ir_host(host, want)) fail_msg("%s", c.err.msg);
      assert_int_equal(r->type, want->type);
      assert_memory_equal(r->host, want->host, elt_bytes((elt)r->type, r->count));
      if (types[t] != ET_F64) continue;
      /* Where no flag was raised, none is cleared by the next statement. */
      ir_drop_unused(g);
      assert_true(g->flags_clean);
    }
  ir_free(host);
  closed(g);
}

/* Rounds each of which is begun, as f⍣n has them: the device is waited for when the chain is full, and
 * at the end. A round that leaves its type voids those behind it; one that fails is the error. */
static void test_rounds(void **state) {
  enum { ROUNDS = 300 };
  static const struct {
    prim f;
    elt type;
    double first;
    uint64_t waits;
    bool fails;
  } rows[] = {{P_PLUS, ET_F64, 1, ROUNDS / (IR_CHAIN - 1) + 1, false},
              {P_CEIL, ET_F64, 1, 1, false}, /* without flags */
              {P_PLUS, ET_I64, 1, ROUNDS / 2, false},
              {P_TIMES, ET_F64, 2, ROUNDS, true}};
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
    arr *x = keep(arr_vec(&c, rows[k].type, 5000));
    for (int64_t i = 0; i < x->count; i++) {
      if (rows[k].type == ET_I64) arr_put_int(x, i, 1);
      else arr_put_float(x, i, rows[k].first);
    }
    uint64_t waits = gpu_get_usage(g->dev ? g->dev : ir_gpu(g)).downloads;
    bool ok = true;
    for (int i = 0; ok && i < ROUNDS; i++) {
      arr *next = keep(ir_dyadic(CALL(g), rows[k].f, x, x));
      arr_release(x);
      x = next;
      ok = ir_begin(g, x);
    }
    ok = ok && ir_settle(g, x);
    assert_int_equal(ok, !rows[k].fails);
    if (rows[k].fails) assert_int_equal(c.err.code, ERR_DOMAIN);
    err_clear(&c);
    waits = gpu_get_usage(g->dev).downloads - waits;
    assert_true(waits <= rows[k].waits);
    assert_true(!ok || ir_host(g, x));
    if (ok && rows[k].f == P_PLUS) {
      assert_int_equal(x->type, ET_F64);
      assert_true(((double *)x->host)[4999] == ldexp(1, ROUNDS));
    }
    arr_release(x);
    if (!ir_verify(g)) err_clear(&c);
  }
  closed(g);
}

/* What nobody else holds is written where it lies, and nothing moves; else a copy of it. */
static void test_put(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  OWNED arr *one = keep(arr_int(&c, 1)), *zeros = floats(5000, 0);
  OWNED arr *at = keep(arr_int_vec(&c, 3, (const int64_t[]){7, 1, 5000}));
  arr *x = keep(ir_dyadic(CALL(g), P_PLUS, zeros, one));
  assert_true(ir_settle(g, x) && !x->host);
  gpu_buf *was = x->dev;
  gpu_usage before = gpu_get_usage(g->dev), after;
  assert_true(ir_put(CALL(g), &x, at, one));
  after = gpu_get_usage(g->dev);
  assert_ptr_equal(x->dev, was);
  assert_int_equal(after.downloads, before.downloads);
  assert_true(after.uploaded - before.uploaded < 100);
  OWNED arr *y = arr_retain(x), *two = keep(arr_int(&c, 2));
  assert_true(ir_put(CALL(g), &x, at, two));
  assert_ptr_equal(y->dev, was);
  assert_ptr_not_equal(x->dev, was);
  assert_true(ir_host(g, x) && ir_host(g, y));
  for (int64_t i = 0; i < 5000; i++) {
    assert_true(arr_get_float(y, i) ==
                (i == 6 || i == 0 || i == 4999 ? 1 : arr_get_float(zeros, i) + 1));
    assert_true(arr_get_float(x, i) ==
                (i == 6 || i == 0 || i == 4999 ? 2 : arr_get_float(y, i)));
  }
  arr **all[] = {&x, &y, &two, &at, &zeros, &one};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) {
    arr_release(*all[i]);
    *all[i] = NULL;
  }
  closed(g);
}

/* An error in one of them is that of the one built first, whichever was asked for. */
static void test_error_together(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  OWNED arr *x = floats(5000, 0), *zero = keep(arr_int(&c, 0));
  OWNED arr *quotients = keep(ir_dyadic(CALL(g), P_DIVIDE, x, zero));
  OWNED arr *bad = keep(ir_reduce(CALL(g), P_CEIL, quotients, 0));
  OWNED arr *sum = keep(ir_reduce(CALL(g), P_PLUS, x, 0));
  assert_false(ir_settle(g, sum));
  assert_int_equal(c.err.code, ERR_DOMAIN);
  err_clear(&c);
  arr **all[] = {&x, &zero, &quotients, &bad, &sum};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) {
    arr_release(*all[i]);
    *all[i] = NULL;
  }
  closed(g);
}

/* A fold that was interrupted between two parts of its dispatch has counted some
 * workgroups, but not the last: the next one counts from zero. */
static void test_finish_interrupted(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0 cut=150000"});
  set_trap(g);
  int interrupted = 0;
  for (int n = 0; n < 30; n++) {
    OWNED arr *x = floats(5 * LEN, n);
    OWNED arr *r = fold(g, P_PLUS, arr_retain(x));
    double sum = 0;
    for (int64_t i = 0; i < x->count; i++) sum += element(i, n);
    trap.only = "vkQueueSubmit";
    trap.interrupts = true;
    trap.left = n % 5;
    if (!ir_host(g, r)) {
      assert_int_equal(c.err.code, ERR_INTERRUPT);
      interrupted++;
    }
    trap.left = -1;
    atomic_store(&c.interrupt, false);
    err_clear(&c);
    if (!ir_host(g, r)) fail_msg("%s", c.err.msg);
    assert_true(arr_get_float(r, 0) == sum);
  }
  assert_true(interrupted > 10);
  closed(g);
}

/* ── pipelines ── */

static arr *integers(int64_t n, int k) {
  arr *a = arr_vec(&c, ET_I32, n);
  for (int64_t i = 0; i < n; i++) arr_put_int(keep(a), i, (i * k) % 30011);
  return a;
}

enum work_kind { MAP, SUM, ROWS, SCAN, INTEGERS, INTEGER_SUM, KINDS };

/* One of a thousand lengths and scalars. */
static arr *instance(ir *g, enum work_kind kind, int i) {
  int64_t n = 2 + (int64_t)i * i / 17; /* to 58 000 */
  if (kind >= INTEGERS) {
    arr *r = f2(g, integers(n, i), P_TIMES, arr_int(&c, i * (int64_t)i * i));
    return kind == INTEGERS ? r : fold(g, P_PLUS, r);
  }
  arr *x = kind == ROWS ? matrix(1 + i % 9, 2 + i * 3) : floats(n, i);
  arr *r = f2(g, x, P_PLUS, i & 1 ? arr_float(&c, i / 8.0) : arr_int(&c, i));
  return kind == MAP ? r : kind == SCAN ? scan(g, P_PLUS, r) : fold(g, P_PLUS, r);
}

static void test_few_pipelines(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  for (enum work_kind kind = MAP; kind < KINDS; kind++) {
    uint64_t before = pipelines(g);
    for (int i = 0; i < 1000; i++) {
      arr *r = instance(g, kind, i);
      if (!ir_settle(g, r)) fail_msg("%s", c.err.msg);
      arr_release(r);
    }
    print_message("%d: %d pipelines\n", (int)kind, (int)(pipelines(g) - before));
    assert_true(pipelines(g) - before <= 12);
  }
  closed(g);
}

static void remove_folder(const char *dir) {
  char file[400];
  DIR *d = opendir(dir);
  for (struct dirent *e; (e = readdir(d));) {
    snprintf(file, sizeof file, "%s/%s", dir, e->d_name);
    remove(file);
  }
  closedir(d);
  assert_int_equal(rmdir(dir), 0);
}

/* The second start of a program makes none. */
static void test_second_start(void **state) {
  UNUSED(state);
  char dir[] = "/tmp/test_exec_XXXXXX";
  assert_non_null(mkdtemp(dir));
  for (int start = 0; start < 2; start++) {
    ir *g = opened((ir_config){.tune = "direct=0", .cache_dir = dir});
    arr *r, *x = floats(LEN, 1), *m = matrix(300, 400);
    assert_non_null(r = work(g, x));
    arr_release(r);
    r = fold(g, P_PLUS,
             f2(g, arr_float(&c, 1), P_DIVIDE, f2(g, m, P_PLUS, arr_int(&c, 1))));
    assert_true(ir_host(g, r));
    arr_release(r);
    arr_release(x);
    gpu_usage u = gpu_get_usage(g->dev);
    if (start == 0) assert_true(u.pipelines > 3 && !u.pipelines_disk);
    else
      assert_true(u.pipelines == 0 &&
                  u.pipelines_disk > 2); /* nor is division asked again */
    assert_int_equal(g->note.rounds[0], ROUNDS_EXACTLY);
    closed(g);
  }
  remove_folder(dir);
}

/* What the host's ways cost is measured once for a machine, and changes no result. */
static void test_costs(void **state) {
  UNUSED(state);
  enum { FIRST, SECOND, GIVEN, OFF, CASES, N = 1 << 20 };
  static const char *const tunes[CASES] = {"", "", "middle=777 at_once=77777 share=7777",
                                           "measure=0"};
  char dir[] = "/tmp/test_exec_XXXXXX";
  assert_non_null(mkdtemp(dir));
  host_costs first = {0};
  for (int i = 0; i < CASES; i++) {
    ir *g = ir_new(&(ir_config){
        .c = &c, .device = "host", .threads = 2, .cache_dir = dir, .tune = tunes[i]});
    assert_non_null(g);
    ir_use_costs(g);
    assert_int_equal(g->costs.version, 0); /* what is built in */
    assert_int_equal(g->tune.middle, i == GIVEN ? 777 : 16384);
    int64_t n = i == FIRST ? N : N / 16;
    arr *x = floats(n, 1), *r = f2(g, arr_retain(x), P_PLUS, arr_float(&c, 1));
    assert_true(r && ir_host(g, r));
    for (int64_t k = 0; k < n; k += 999)
      assert_true(arr_get_float(r, k) == element(k, 1) + 1);
    assert_int_equal(g->costs.version != 0, i != OFF);
    if (i == FIRST) first = g->costs;
    if (i == SECOND) assert_memory_equal(&g->costs, &first, sizeof first);
    if (i == GIVEN) {
      assert_int_equal(g->tune.middle, 777);
      assert_int_equal(g->tune.at_once, 77777);
      assert_int_equal(c.team.least, 7777);
    }
    arr_release(r);
    arr_release(x);
    ir_free(g);
    assert_int_equal(c.blocks_live, 0);
  }
  remove_folder(dir);
}

/* A device that rounds quotients wrongly: they are settled in integers. */
static void test_quotients(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0"});
  g->note = (device_note){.version = 1, .rounds = {ROUNDS_ROUGHLY}};
  arr *r = f2(g, floats(LEN, 1), P_DIVIDE, f2(g, floats(LEN, 2), P_PLUS, arr_int(&c, 1)));
  assert_true(ir_host(g, r));
  for (int64_t i = 0; i < LEN; i++)
    assert_true(arr_get_float(r, i) == element(i, 1) / (element(i, 2) + 1));
  arr_release(r);
  closed(g);
}

/* ── reports ── */

static void has(const str *s, const char *what) {
  if (!s->at || !strstr(s->at, what))
    fail_msg("no \"%s\" in\n%s", what, s->at ? s->at : "");
}

static void test_reports(void **state) {
  UNUSED(state);
  ir *g = opened((ir_config){.tune = "direct=0", .max_device_bytes = 3 << 20});
  str t = {.c = &c}, m = {.c = &c}, d = {.c = &c};
  ir_time_begin(g);
  arr *all[MANY];
  for (int k = 0; k < MANY; k++) all[k] = twice(g, LEN, k);
  assert_true(ir_time_end(g, &t) && ir_memory(g, &m) && ir_describe(g, &d));
  has(&t, "for 24 kernels in 24 dispatches");
  has(&t, "pipelines 1 compiled in");
  has(&t, "7.7 MB up in 24");
  has(&m, "limit 3.1 MB");
  has(&m, "evicted");
  has(&m, "0 on the host, 24 on the device");
  has(&d, "every kernel, for it was asked for");
  for (int k = 0; k < MANY; k++) arr_release(all[k]);
  str_free(&t);
  str_free(&m);
  str_free(&d);
  ir_time_begin(g);
  assert_true(ir_time_end(g, &t)); /* nothing ran */
  assert_string_equal(t.at, "on        the host; 0 B crossed the bus\n");
  str_free(&t);
  closed(g);
}

/* A primitive without a kernel brings an array to the host: that is told, once. */
static void on_hint(void *user, const char *text) { str_printf(user, "%s\n", text); }

static void test_hint(void **state) {
  UNUSED(state);
  str told = {.c = &c};
  ir *g = opened((ir_config){.tune = "hints=2", .hint = on_hint, .log_user = &told});
  ir_call call = {.g = g, .env = {.c = &c, .io = 1}};
  for (int k = 0; k < 2; k++) {
    OWNED arr *y = twice(g, 1 << 17, k);
    OWNED arr *text = ir_monadic(&call, P_FORMAT, y);
    assert_non_null(text);
  }
  has(&told, "⍕ has no kernel yet (text): 1.0 MB came to the host");
  assert_null(strstr(strchr(told.at, '\n') + 1, "⍕"));
  str_free(&told);
  closed(g);
}

int main(int argc, char **argv) {
  const char *want = getenv("VAPL_TEST_DEVICE");
  gpu_info *list;
  int n = 0;
  char why[160] = "";
  if (want) device = want;
  if (argc > 1) device = argv[1];
  ctx_init(&c, NULL, NULL);
  if (gpu_list(&c, &list, &n, why)) mem_free(&c, list);
  if (n == 0) {
    printf("test_exec: skipped: %s\n", why);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_evict),
      cmocka_unit_test(test_fallback),
      cmocka_unit_test(test_allocation),
      cmocka_unit_test(test_small_host),
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_comes_along),
      cmocka_unit_test(test_short_loop),
      cmocka_unit_test(test_lost),
      cmocka_unit_test(test_lost_anywhere),
      cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_finish),
      cmocka_unit_test(test_together),
      cmocka_unit_test(test_apart),
      cmocka_unit_test(test_certain),
      cmocka_unit_test(test_waiting_scalars),
      cmocka_unit_test(test_waiting_list),
      cmocka_unit_test(test_put),
      cmocka_unit_test(test_away),
      cmocka_unit_test(test_one_wait),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_error_together),
      cmocka_unit_test(test_finish_interrupted),
      cmocka_unit_test(test_few_pipelines),
      cmocka_unit_test(test_costs),
      cmocka_unit_test(test_second_start),
      cmocka_unit_test(test_quotients),
      cmocka_unit_test(test_reports),
      cmocka_unit_test(test_hint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
