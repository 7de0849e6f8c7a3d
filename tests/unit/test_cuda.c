/* SPDX-License-Identifier: MIT */
/* test_cuda.c - vapl_cuda.h with a libcuda of the tests' own (tests/device/fake_cuda.c), whose device is lavapipe: what
 * comes out and goes in, what is refused, how long memory is kept; then every call of CUDA's fails once.
 * Skipped without lavapipe. */
#include "api.h"
#include "runtime/vapl_cuda.h"
#include "runtime/vapl_vulkan.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 5000 };

static void (*busy)(int is);
static void (*live)(int live[4]);
static int (*fail_call)(int n);

/* The fake, found beside this program; its device gets the UUID that the message tells. */
static void load(void) {
  char path[4096] = "";
  if (live) return;
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 40);
  assert_true(n > 0);
  strcpy(strrchr(path, '/'), "/../device/fake_cuda.so");
  void *lib = dlopen(path, RTLD_NOW);
  if (!lib) skip();
  *(void **)&busy = dlsym(lib, "fake_cuda_busy");
  *(void **)&live = dlsym(lib, "fake_cuda_live");
  *(void **)&fail_call = dlsym(lib, "fake_cuda_fail");
  assert_true(busy && live && fail_call);
}

static vapl *open_device(const char *device) {
  vapl *v = NULL;
  vapl_config k = {.size = sizeof k, .device = device};
  load();
  if (vapl_open(&k, &v) == VAPL_EDEVICE) skip();
  assert_non_null(v);
  int number = 7;
  if (!getenv("FAKE_CUDA_UUID") && strcmp(device, "host") != 0) {
    assert_int_equal(vapl_cuda_get(v, &number), VAPL_EDEVICE);
    assert_int_equal(number, -1);
    const char *uuid = strstr(vapl_last_error(v)->message, "UUID ");
    assert_non_null(uuid);
    setenv("FAKE_CUDA_UUID", uuid + 5, 1);
  }
  return v;
}

static void is_live(int mappings, int events) {
  int now[4];
  live(now);
  assert_int_equal(now[0], mappings);
  assert_int_equal(now[1], events);
  assert_int_equal(now[3], 0); /* the thread's context is what it was */
}

/* The elements as CUDA sees them. */
static vapl_cuda_view mapped(vapl *v, vapl_array *a, vapl_type want) {
  vapl_cuda_view x = {.size = sizeof x};
  vapl_status s = vapl_cuda_map(v, a, want, &x);
  if (s) print_error("%s\n", vapl_last_error(v)->message);
  OK(s);
  return x;
}

static const void *at(const vapl_cuda_view *x) {
  return (const void *)(uintptr_t)x->address;
}

static void test_out(void **state) {
  (void)state;
  static const vapl_type wants[] = {VAPL_BIT, VAPL_BOOL, VAPL_I8,  VAPL_U8, VAPL_I16,
                                    VAPL_I32, VAPL_I64,  VAPL_F32, VAPL_F64};
  vapl *v = open_device("llvmpipe");
  int number = 7;
  OK(vapl_cuda_get(v, &number));
  assert_int_equal(number, 1);
  vapl_array *truths = value(v, "2|⍳5000"), *small = value(v, "1↑2|⍳5000");
  vapl_array *both[] = {truths, small, value(v, "⍬"), value(v, "0 7⍴0"), value(v, "1")};
  for (size_t i = 0; i < sizeof both / sizeof *both; i++)
    for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) {
      vapl_view host = {.size = sizeof host};
      vapl_cuda_view x = mapped(v, both[i], wants[k]);
      OK(vapl_map(v, both[i], wants[k], &host));
      assert_int_equal(x.bytes, host.bytes);
      assert_int_equal(x.type, host.type);
      assert_int_equal(x.rank, host.rank);
      assert_ptr_equal(x.shape, host.shape);
      if (host.bytes) assert_memory_equal(at(&x), host.data, host.bytes);
      else assert_null(x.held);
      vapl_cuda_unmap(x.held);
    }
  /* What does not fit is refused; what is stored so is where it is. */
  vapl_array *wide = value(v, "70000×⍳5000"), *nested = value(v, "1 'ab'");
  vapl_cuda_view x = {.size = sizeof x};
  assert_int_equal(vapl_cuda_map(v, wide, VAPL_I16, &x), VAPL_DOMAIN);
  assert_int_equal(vapl_cuda_map(v, nested, VAPL_AS_IT_IS, &x), VAPL_DOMAIN);
  x = mapped(v, wide, VAPL_AS_IT_IS);
  vapl_cuda_view y = mapped(v, wide, VAPL_I32);
  assert_int_equal(x.type, VAPL_I32);
  assert_true(x.address == y.address);
  assert_int_equal(((const int32_t *)at(&x))[N - 1], 70000 * N);
  vapl_cuda_unmap(x.held);
  vapl_cuda_unmap(y.held);
  vapl_cuda_unmap(NULL);
  vapl_release(wide), vapl_release(nested);
  for (size_t i = 0; i < sizeof both / sizeof *both; i++) vapl_release(both[i]);
  vapl_close(v);
  is_live(0, 0);
}

static void test_refuses(void **state) {
  (void)state;
  const int64_t shape[] = {N};
  vapl *v = open_device("llvmpipe"), *other = NULL;
  vapl_array *a = value(v, "0.5×⍳5000"), *r = NULL;
  vapl_cuda_view x = {.size = 3};
  uint64_t address = (uintptr_t)calloc(N, 8);
  EARG(vapl_cuda_get(v, NULL));
  EARG(vapl_cuda_get(NULL, &(int){0}));
  EARG(vapl_cuda_map(v, a, VAPL_F64, &x));
  EARG(vapl_cuda_map(v, a, VAPL_F64, NULL));
  x.size = sizeof x;
  EARG(vapl_cuda_map(v, NULL, VAPL_F64, &x));
  EARG(vapl_cuda_map(v, a, VAPL_NESTED, &x));
  EARG(vapl_cuda_map(v, a, (vapl_type)77, &x));
  EARG(vapl_cuda_new(v, VAPL_BIT, 1, shape, address, NULL, &r));
  EARG(vapl_cuda_new(v, VAPL_CHAR8, 1, shape, address, NULL, &r));
  EARG(vapl_cuda_new(v, VAPL_NESTED, 1, shape, address, NULL, &r));
  EARG(vapl_cuda_new(v, (vapl_type)77, 1, shape, address, NULL, &r));
  EARG(vapl_cuda_new(v, VAPL_F64, 1, shape, 0, NULL, &r));
  EARG(vapl_cuda_new(v, VAPL_F64, 1, (int64_t[]){-1}, address, NULL, &r));
  EARG(vapl_cuda_new(v, VAPL_F64, 1, shape, address, NULL, NULL));
  EARG(vapl_cuda_new(NULL, VAPL_F64, 1, shape, address, NULL, &r));
  assert_null(r);
  vapl_close(v);
  EARG(vapl_cuda_map(NULL, a, VAPL_F64, &x));
  vapl_release(a);
  other = open_device("host"); /* takes, but has nothing to show */
  assert_int_equal(vapl_cuda_get(other, &(int){0}), VAPL_EDEVICE);
  OK(vapl_cuda_new(other, VAPL_F64, 1, shape, address, NULL, &r));
  assert_int_equal(vapl_cuda_map(other, r, VAPL_F64, &x), VAPL_EDEVICE);
  vapl_release(r);
  vapl_close(other);
  free((void *)(uintptr_t)address);
  is_live(0, 0);
}

static void test_in(void **state) {
  (void)state;
  static const char *const devices[] = {"llvmpipe", "host"};
  uint8_t bytes[N];
  for (int i = 0; i < N; i++) bytes[i] = (uint8_t)(7 * i);
  for (size_t k = 0; k < 2; k++) {
    vapl *v = open_device(devices[k]);
    for (int64_t n = 0; n <= N; n = n * 10 + 5) { /* 0 5 55 555 */
      const int64_t shape[] = {1, n};
      const vapl_type types[] = {VAPL_I8, VAPL_U8, VAPL_BOOL};
      for (size_t t = 0; t < 3; t++) {
        vapl_array *r = NULL;
        int16_t got[N], want[N];
        OK(vapl_cuda_new(v, types[t], 2, shape, (uintptr_t)bytes, NULL, &r));
        OK(vapl_read(v, r, VAPL_I16, got, sizeof got));
        for (int i = 0; i < n; i++) {
          want[i] = bytes[i];
          if (types[t] == VAPL_I8) want[i] = (int8_t)bytes[i];
          if (types[t] == VAPL_BOOL) want[i] = bytes[i] != 0;
        }
        assert_memory_equal(got, want, (size_t)n * 2);
        vapl_release(r);
      }
    }
    vapl_close(v);
  }
  is_live(0, 0);
}

/* The first of x's memory is what it was, whatever is computed. */
static void test_kept(void **state) {
  (void)state;
  vapl *v = open_device("llvmpipe");
  vapl_array *a = value(v, "0.5×⍳5000");
  vapl_cuda_view x = mapped(NULL, a, VAPL_F64), y = mapped(v, a, VAPL_F64);
  const double *d = at(&x);
  vapl_release(a);
  for (int i = 0; i < 4; i++) number(v, "⌊+/0.25×⍳5000");
  assert_true(d[0] == 0.5 && d[N - 1] == 0.5 * N);
  /* What CUDA has to read still is kept after unmap. */
  busy(1);
  vapl_cuda_unmap(x.held);
  vapl_cuda_unmap(y.held);
  for (int i = 0; i < 4; i++) number(v, "⌊+/0.25×⍳5000");
  is_live(1, 2);
  assert_true(d[0] == 0.5 && d[N - 1] == 0.5 * N);
  busy(0);
  number(v, "1");
  is_live(1, 0);
  /* Closing leaves what is held. */
  a = value(v, "÷⍳5000");
  x = mapped(v, a, VAPL_F64);
  d = at(&x);
  vapl_release(a);
  vapl_close(v);
  is_live(1, 1);
  assert_true(d[1] == 0.5);
  vapl_cuda_unmap(x.held);
  is_live(0, 0);
}

/* More than a block, so that blocks go back to Vulkan while CUDA has them. */
static void test_blocks(void **state) {
  (void)state;
  vapl *v = open_device("llvmpipe");
  vapl_cuda_view x[6];
  for (int i = 0; i < 6; i++) {
    vapl_array *a = value(v, "0.5×⍳5e6");
    x[i] = mapped(v, a, VAPL_F64);
    vapl_release(a);
  }
  for (int i = 0; i < 6; i++) {
    assert_true(((const double *)at(&x[i]))[4999999] == 2.5e6);
    vapl_cuda_unmap(x[i].held);
    number(v, "1");
  }
  vapl_close(v);
  is_live(0, 0);
}

static void on_drop(void *user, VkBuffer buffer) {
  (void)buffer;
  ++*(int *)user;
}

/* Memory that Vulkan cannot export is copied. */
static void test_lent(void **state) {
  (void)state;
  const int64_t shape[] = {N};
  int drops = 0;
  vapl *v = open_device("llvmpipe");
  vapl_array *a = value(v, "0.5×⍳6000"), *lent = NULL;
  vapl_vk_buffer b = {.size = sizeof b};
  OK(vapl_vk_export(v, a, &b));
  OK(vapl_vk_import(v, VAPL_F64, 1, shape, &b, on_drop, &drops, &lent));
  vapl_cuda_view x = mapped(v, lent, VAPL_F64);
  const double *d = at(&x);
  assert_true(d[0] == 0.5 && d[N - 1] == 0.5 * N);
  vapl_release(lent);
  assert_int_equal(drops, 1);
  assert_true(d[1] == 1);
  vapl_release(a);
  vapl_cuda_unmap(x.held);
  x = mapped(v, a = value(v, "0.5×⍳5000"), VAPL_F64);
  vapl_release(a);
  vapl_close(v);
  vapl_cuda_unmap(x.held);
  is_live(0, 0);
}

static void *unmap_all(void *views) {
  for (int i = 0; i < 50; i++) vapl_cuda_unmap(((vapl_cuda_view *)views)[i].held);
  return NULL;
}

/* Any thread gives back. */
static void test_threads(void **state) {
  (void)state;
  vapl *v = open_device("llvmpipe");
  vapl_cuda_view x[100];
  vapl_array *a = value(v, "0.5×⍳5000");
  for (int i = 0; i < 100; i++) x[i] = mapped(v, a, VAPL_F64);
  vapl_release(a);
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&t[i], NULL, unmap_all, x + 50 * i), 0);
  for (int i = 0; i < 20; i++) number(v, "⌊+/0.25×⍳5000");
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  vapl_close(v);
  is_live(0, 0);
}

/* The nth call of CUDA's fails: an error or none, and nothing is left. */
static void test_failures(void **state) {
  (void)state;
  const int64_t shape[] = {N};
  double *data = calloc(N, sizeof *data);
  vapl_close(open_device("llvmpipe"));
  int failed = 0;
  for (int n = 1, left = 0; !left; n++) {
    vapl *v = open_device("llvmpipe");
    vapl_array *a = value(v, "0.5×⍳5000"), *r = NULL;
    vapl_cuda_view x = {.size = sizeof x};
    fail_call(n);
    vapl_status out = vapl_cuda_map(v, a, VAPL_F64, &x);
    vapl_cuda_unmap(x.held);
    vapl_status in = vapl_cuda_new(v, VAPL_F64, 1, shape, (uintptr_t)data, NULL, &r);
    assert_int_equal(number(v, "⌊+/0.25×⍳5000"), 3125625);
    left = fail_call(0);
    failed += out || in;
    assert_true(!out || out == VAPL_EDEVICE);
    assert_true(!in || in == VAPL_EDEVICE);
    vapl_release(a), vapl_release(r);
    vapl_close(v);
    is_live(0, 0);
  }
  assert_in_range(failed, 10, 30);
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_out),      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_in),       cmocka_unit_test(test_kept),
      cmocka_unit_test(test_blocks),   cmocka_unit_test(test_threads),
      cmocka_unit_test(test_failures), cmocka_unit_test(test_lent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
