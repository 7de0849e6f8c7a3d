/* SPDX-License-Identifier: MIT */
/* test_share.c - vapl_vulkan.h: what it refuses, that lent memory is never written, and when it is
 * given back. The buffers are vapl's own, exported by one array and imported as another;
 * examples/vulkan_share.c has a program with its own, and semaphores. Skipped without lavapipe. */
#include "api.h"
#include "runtime/vapl_vulkan.h"
#include <string.h>

static int drops;
static VkBuffer dropped_last;
static void on_drop(void *user, VkBuffer buffer) {
  drops += *(int *)user;
  dropped_last = buffer;
}
static int one = 1;

static vapl *open_device(void) {
  vapl *v = NULL;
  vapl_config k = {.size = sizeof k, .device = "llvmpipe"};
  if (vapl_open(&k, &v) == VAPL_EDEVICE) skip();
  assert_non_null(v);
  drops = 0;
  return v;
}

static vapl_vk_buffer exported(vapl *v, vapl_array *a) {
  vapl_vk_buffer b = {.size = sizeof b};
  OK(vapl_vk_export(v, a, &b));
  assert_true(b.buffer && b.timeline && b.address);
  return b;
}

enum { N = 4000 };
static const int64_t shape[] = {N};

/* Its elements are 100001 100002 …, which are I32. */
static vapl_array *source(vapl *v) { return value(v, "100000+⍳5000"); }

static void test_lent(void **state) {
  (void)state;
  vapl *v = open_device();
  vapl_array *a = source(v), *x = NULL;
  vapl_vk_buffer b = exported(v, a);
  OK(vapl_vk_import(v, VAPL_I32, 1, shape, &b, on_drop, &one, &x));
  OK(vapl_set(v, "x", x));
  vapl_release(x);
  assert_int_equal(number(v, "+/x-100000"), N * (N + 1) / 2);
  /* Nothing writes to it, though nobody else holds the array. */
  OK(vapl_eval(v, "x[1 2]←5 ⋄ x[4000]+←1", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(number(v, "x[2]+x[4000]"), 5 + 104001);
  int32_t first[5000];
  OK(vapl_read(v, a, VAPL_I32, first, sizeof first));
  assert_int_equal(first[0], 100001);
  assert_int_equal(first[N - 1], 104000);
  OK(vapl_eval(v, "x←0", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(drops, 1);
  assert_ptr_equal(dropped_last, b.buffer);
  /* What the host has too is read where it is; a view of it, a matrix. */
  const int64_t table[] = {40, 100};
  OK(vapl_vk_import(v, VAPL_I32, 2, table, &b, on_drop, &one, &x));
  OK(vapl_read(v, x, VAPL_I32, first, sizeof first));
  assert_int_equal(first[100], 100101);
  OK(vapl_set(v, "m", x));
  assert_int_equal(number(v, "+/(⌽m)[1;]-100000"), 5050);
  vapl_release(x);
  vapl_release(a);
  vapl_close(v);
  assert_int_equal(drops, 2);
}

static void test_refuses(void **state) {
  (void)state;
  vapl *v = open_device();
  vapl_array *a = source(v), *x = NULL, *nested = value(v, "1 'ab'"),
             *none = value(v, "⍬");
  vapl_vk_buffer b = exported(v, a), c = b;
  vapl_vulkan vk = {.size = sizeof vk};
  OK(vapl_vk_get(v, &vk));
  assert_true(vk.get_proc && vk.instance && vk.physical && vk.device && vk.queue);
  vk.size = 1;
  EARG(vapl_vk_get(v, &vk));
  EARG(vapl_vk_get(v, NULL));
  EARG(vapl_vk_get(NULL, &vk));
  assert_int_equal(vapl_vk_export(v, nested, &c), VAPL_DOMAIN);
  EARG(vapl_vk_export(v, none, &c));
  EARG(vapl_vk_export(v, a, NULL));
  EARG(vapl_vk_export(v, NULL, &c));
  c = b;
  c.bytes = N * 4 + 15; /* too few behind */
  EARG(vapl_vk_import(v, VAPL_I32, 1, shape, &c, on_drop, &one, &x));
  c = b;
  c.address += 4;
  EARG(vapl_vk_import(v, VAPL_I32, 1, shape, &c, on_drop, &one, &x));
  assert_null(x);
  c.size = 3;
  EARG(vapl_vk_import(v, VAPL_I32, 1, shape, &c, on_drop, &one, &x));
  EARG(vapl_vk_import(v, VAPL_U8, 1, shape, &b, on_drop, &one, &x));
  EARG(vapl_vk_import(v, VAPL_NESTED, 1, shape, &b, on_drop, &one, &x));
  EARG(vapl_vk_import(v, VAPL_I32, 1, (int64_t[]){-1}, &b, on_drop, &one, &x));
  EARG(vapl_vk_import(v, VAPL_I32, 1, (int64_t[]){0}, &b, on_drop, &one, &x));
  EARG(vapl_vk_import(v, VAPL_I32, 1, shape, NULL, on_drop, &one, &x));
  EARG(vapl_vk_import(NULL, VAPL_I32, 1, shape, &b, on_drop, &one, &x));
  assert_int_equal(drops, 0);
  vapl_release(nested), vapl_release(none);
  /* Arrays that outlive the interpreter are on the host then, and what was lent is back. */
  OK(vapl_vk_import(v, VAPL_I32, 1, shape, &b, on_drop, &one, &x));
  vapl_close(v);
  assert_int_equal(drops, 1);
  int32_t first[N];
  OK(vapl_read(NULL, x, VAPL_I32, first, sizeof first));
  assert_int_equal(first[7], 100008);
  EARG(vapl_vk_export(NULL, x, &b));
  vapl_release(x);
  vapl_release(a);
  vapl_config k = {.size = sizeof k, .device = "host"};
  vk.size = sizeof vk;
  OK(vapl_open(&k, &v));
  assert_int_not_equal(vapl_vk_get(v, &vk), VAPL_OK);
  vapl_close(v);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lent),
                                     cmocka_unit_test(test_refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
