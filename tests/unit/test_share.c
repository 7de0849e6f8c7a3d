/* SPDX-License-Identifier: MIT */
/* test_share.c - vapl_vulkan.h: what it refuses, that lent memory is never written, and when it is
 * given back. The buffers are vapl's own, exported by one array and imported as another;
 * examples/vulkan_share.c has a program with its own, and semaphores. Skipped without lavapipe. */
#include "api.h"
#include "runtime/vapl_vulkan.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
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

/* ── a device of the program's ──────────────────────────────────────────────────────── */

#define VALIDATION "VK_LAYER_KHRONOS_validation"

/* clang-format off */
#define FUNCTIONS(F) \
  F(EnumeratePhysicalDevices) F(GetPhysicalDeviceProperties) F(CreateDevice) \
  F(DestroyDevice) F(DestroyInstance) F(GetDeviceQueue) F(QueueSubmit) F(DeviceWaitIdle)
/* clang-format on */

typedef struct host {
  vapl_vk_device d;
  VkDebugUtilsMessengerEXT messenger;
  pthread_mutex_t mutex;
#define F(name) PFN_vk##name name;
  FUNCTIONS(F)
#undef F
} host;

static PFN_vkGetInstanceProcAddr loader;
static atomic_int messages, locks,
    forbidden; /* what validation said; of vk_lock; calls */
static atomic_bool lost, locked;

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  (void)severity, (void)type, (void)user;
  messages++;
  print_error("validation: %s\n", data->pMessage);
  return VK_FALSE;
}

static void lock(void *user) {
  pthread_mutex_lock(user);
  locked = true;
  locks++;
}
static void unlock(void *user) {
  locked = false;
  pthread_mutex_unlock(user);
}

/* What vapl gets instead of three functions of the device: one fails as if the device was lost,
 * two are not for vapl to call. */
static PFN_vkQueueSubmit really_submit;
static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue q, uint32_t n, const VkSubmitInfo *s,
                                             VkFence f) {
  if (!locked) forbidden++;
  return lost ? VK_ERROR_DEVICE_LOST : really_submit(q, n, s, f);
}
static VKAPI_ATTR VkResult VKAPI_CALL no_wait(VkDevice d) {
  (void)d;
  forbidden++;
  return VK_SUCCESS;
}
static VKAPI_ATTR void VKAPI_CALL no_destroy(void) { forbidden++; }
static PFN_vkGetDeviceProcAddr really_get;
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice d,
                                                            const char *name) {
  if (!strcmp(name, "vkQueueSubmit")) return (PFN_vkVoidFunction)submit;
  if (!strcmp(name, "vkDeviceWaitIdle")) return (PFN_vkVoidFunction)no_wait;
  if (!strcmp(name, "vkDestroyDevice")) return (PFN_vkVoidFunction)no_destroy;
  return really_get(d, name);
}
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance i,
                                                              const char *name) {
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (PFN_vkVoidFunction)device_proc;
  if (!strcmp(name, "vkDestroyInstance")) return (PFN_vkVoidFunction)no_destroy;
  return loader(i, name);
}

static bool validates(void) {
  uint32_t n = 64;
  VkLayerProperties p[64];
  PFN_vkEnumerateInstanceLayerProperties list =
      (PFN_vkEnumerateInstanceLayerProperties)loader(
          NULL, "vkEnumerateInstanceLayerProperties");
  list(&n, p);
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(p[i].layerName, VALIDATION)) return true;
  return false;
}

/* An instance of that version, and llvmpipe. */
static void host_begin(host *h, uint32_t version) {
  void *lib = dlopen("libvulkan.so.1", RTLD_NOW);
  if (!lib) skip();
  void *at = dlsym(lib, "vkGetInstanceProcAddr");
  memcpy(&loader, &at, sizeof loader);
  const char *layer = VALIDATION, *ext = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  bool checked = validates();
  VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                           .apiVersion = version};
  VkDebugUtilsMessengerCreateInfoEXT say = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = on_message};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &app,
                               .enabledLayerCount = checked,
                               .ppEnabledLayerNames = &layer,
                               .enabledExtensionCount = checked,
                               .ppEnabledExtensionNames = &ext};
  *h = (host){
      .d = {.size = sizeof h->d, .get_proc = instance_proc, .api_version = version}};
  pthread_mutex_init(&h->mutex, NULL);
  messages = locks = forbidden = 0;
  lost = locked = false;
  PFN_vkCreateInstance make = (PFN_vkCreateInstance)loader(NULL, "vkCreateInstance");
  if (make(&info, NULL, &h->d.instance) < 0) skip();
#define F(name) h->name = (PFN_vk##name)loader(h->d.instance, "vk" #name);
  FUNCTIONS(F)
#undef F
  really_submit = h->QueueSubmit;
  really_get = (PFN_vkGetDeviceProcAddr)loader(h->d.instance, "vkGetDeviceProcAddr");
  if (checked)
    ((PFN_vkCreateDebugUtilsMessengerEXT)loader(
        h->d.instance, "vkCreateDebugUtilsMessengerEXT"))(h->d.instance, &say, NULL,
                                                          &h->messenger);
  VkPhysicalDevice all[16];
  uint32_t n = 16;
  VkPhysicalDeviceProperties p;
  h->EnumeratePhysicalDevices(h->d.instance, &n, all);
  for (uint32_t i = 0; i < n; i++) {
    h->GetPhysicalDeviceProperties(all[i], &p);
    if (strstr(p.deviceName, "llvmpipe")) h->d.physical = all[i];
  }
  if (!h->d.physical) skip();
}

static void host_device(host *h) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = h->d.queue_family,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &h->d.features,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .enabledExtensionCount = h->d.n_extensions,
                             .ppEnabledExtensionNames = h->d.extensions};
  assert_int_equal(h->CreateDevice(h->d.physical, &info, NULL, &h->d.device), VK_SUCCESS);
  h->GetDeviceQueue(h->d.device, h->d.queue_family, 0, &h->d.queue);
  h->d.lock = lock;
  h->d.unlock = unlock;
  h->d.user = &h->mutex;
}

static void host_end(host *h) {
  if (h->d.device) h->DestroyDevice(h->d.device, NULL);
  if (h->messenger)
    ((PFN_vkDestroyDebugUtilsMessengerEXT)loader(
        h->d.instance, "vkDestroyDebugUtilsMessengerEXT"))(h->d.instance, h->messenger,
                                                           NULL);
  h->DestroyInstance(h->d.instance, NULL);
  assert_int_equal(messages, 0);
  assert_int_equal(forbidden, 0);
}

static const vapl_config on_it = {.size = sizeof on_it, .device = "0", .threads = 1};

/* The device's answers are those of the host. */
static void compute(vapl *v) {
  assert_int_equal(number(v, "+/100000⍴7"), 700000);
  assert_int_equal(number(v, "x←100000⍴2.5 1 ⋄ ⌊+/x×⍳100000"), 8750050000);
  assert_int_equal(number(v, "(+\\⍳100000)[100000]"), 5000050000);
  assert_int_equal(number(v, "(⍋1000000|7919×⍳50000)[1]"), 17679);
  assert_int_equal(number(v, "≢∪1000|⍳50000"), 1000);
  assert_int_equal(number(v, "+/{≢⍵}⌸1000|⍳50000"), 50000);
}

static void test_given(void **state) {
  (void)state;
  host h;
  vapl *v = NULL;
  vapl_array *a, *x;
  host_begin(&h, VK_API_VERSION_1_2);
  OK(vapl_vk_wants(&h.d));
  host_device(&h);
  OK(vapl_vk_open(&on_it, &h.d, &v));
  vapl_vulkan vk = {.size = sizeof vk};
  OK(vapl_vk_get(v, &vk));
  assert_ptr_equal(vk.device, h.d.device);
  assert_ptr_equal(vk.queue, h.d.queue);
  assert_true(vk.get_proc == instance_proc);
  compute(v);
  assert_true(locks > 0);
  a = source(v);
  drops = 0;
  vapl_vk_buffer b = exported(v, a);
  OK(vapl_vk_import(v, VAPL_I32, 1, shape, &b, on_drop, &one, &x));
  OK(vapl_set(v, "x", x));
  vapl_release(x);
  assert_int_equal(number(v, "+/x-100000"), N * (N + 1) / 2);
  vapl_close(v);
  assert_int_equal(drops, 1);
  host_end(&h); /* and what outlives the device is on the host */
  int32_t first[5000];
  OK(vapl_read(NULL, a, VAPL_I32, first, sizeof first));
  assert_int_equal(first[4999], 105000);
  vapl_release(a);
}

/* A device that was made without a feature: refused with its name, or used without it. */
static void test_given_lacks(void **state) {
  (void)state;
  enum { TRIALS = 9 };
  for (int i = 0; i < TRIALS; i++) {
    host h;
    vapl *v = NULL;
    host_begin(&h, i == 8 ? VK_API_VERSION_1_1 : VK_API_VERSION_1_3);
    if (i != 8) OK(vapl_vk_wants(&h.d));
    VkBool32 none, *off[TRIALS] = {&h.d.features12.bufferDeviceAddress,
                                   &h.d.features12.timelineSemaphore,
                                   &h.d.features.features.shaderInt64,
                                   &none,
                                   &h.d.features.features.shaderFloat64,
                                   &h.d.features12.shaderBufferInt64Atomics,
                                   &h.d.features12.shaderSubgroupExtendedTypes,
                                   &h.d.subgroup_size.subgroupSizeControl,
                                   &none};
    const char *lacks[TRIALS] = {"bufferDeviceAddress", "timelineSemaphore", NULL,
                                 "a compute queue"};
    *off[i] = VK_FALSE;
    if (i == 2) h.d.features12.shaderBufferInt64Atomics = VK_FALSE;
    if (i == 7) h.d.subgroup_size.computeFullSubgroups = VK_FALSE;
    lacks[8] = "Vulkan 1.2 (this is 1.1)";
    if (i == 8) {
      assert_int_equal(vapl_vk_wants(&h.d), VAPL_EDEVICE);
    } else {
      host_device(&h);
      if (i == 3) h.d.queue_family = 99;
      vapl_status s = vapl_vk_open(&on_it, &h.d, &v);
      assert_int_equal(s, lacks[i] ? VAPL_EDEVICE : VAPL_OK);
    }
    if (lacks[i]) assert_non_null(strstr(h.d.why, lacks[i]));
    else compute(v);
    vapl_close(v);
    host_end(&h);
  }
}

static void test_given_refuses(void **state) {
  (void)state;
  host h;
  vapl *v = NULL;
  host_begin(&h, VK_API_VERSION_1_3);
  OK(vapl_vk_wants(&h.d));
  EARG(vapl_vk_wants(NULL));
  EARG(vapl_vk_open(&on_it, NULL, &v));
  EARG(vapl_vk_open(&on_it, &h.d, &v)); /* no device yet */
  assert_string_equal(h.d.why, "device or queue is not set");
  host_device(&h);
  EARG(vapl_vk_open(&on_it, &h.d, NULL));
  EARG(vapl_vk_open(&(vapl_config){.size = 1}, &h.d, &v));
  vapl_vk_device d = h.d;
  d.size--;
  EARG(vapl_vk_open(&on_it, &d, &v));
  EARG(vapl_vk_wants(&d));
  d = h.d;
  d.physical = VK_NULL_HANDLE;
  EARG(vapl_vk_wants(&d));
  EARG(vapl_vk_open(&on_it, &d, &v));
  d = h.d;
  d.unlock = NULL;
  EARG(vapl_vk_open(&on_it, &d, &v));
  vapl_config other = {.size = sizeof other, .device = "1"};
  assert_int_equal(vapl_vk_open(&other, &h.d, &v), VAPL_EDEVICE);
  assert_non_null(strstr(h.d.why, "no device is \"1\"; there is #0 llvmpipe"));
  other.device = "llvm";
  OK(vapl_vk_open(&other, &h.d, &v));
  vapl_close(v);
  OK(vapl_vk_open(NULL, &h.d,
                  &v)); /* the host is faster than llvmpipe, but it is there */
  assert_int_equal(number(v, "+/⍳1000"), 500500);
  vapl_array *a = source(v);
  exported(v, a);
  vapl_release(a);
  vapl_close(v);
  host_end(&h);
}

/* Nothing of the device comes back; another interpreter on another device is as new. */
static void test_given_lost(void **state) {
  (void)state;
  host h;
  vapl *v = NULL;
  host_begin(&h, VK_API_VERSION_1_3);
  OK(vapl_vk_wants(&h.d));
  host_device(&h);
  OK(vapl_vk_open(&on_it, &h.d, &v));
  vapl_array *kept = value(v, "⍳1000000");
  exported(v, kept);
  OK(vapl_set(v, "kept", kept));
  lost = true;
  assert_int_equal(vapl_eval(v, "⎕←+/(⌽kept)×⍳1000000", VAPL_STRLEN, NULL, NULL),
                   VAPL_EDEVICE);
  vapl_vulkan vk = {.size = sizeof vk};
  vapl_vk_buffer b = {.size = sizeof b};
  assert_int_equal(vapl_vk_get(v, &vk), VAPL_EDEVICE);
  assert_non_null(strstr(vapl_last_error(v)->message, "was lost"));
  assert_int_equal(vapl_vk_export(v, kept, &b), VAPL_EDEVICE);
  assert_int_equal(number(v, "2+2"), 4);
  vapl_close(v);
  vapl_release(kept);
  lost = false;
  OK(vapl_vk_open(&on_it, &h.d, &v));
  compute(v);
  vapl_close(v);
  host_end(&h);
}

/* Interpreters on threads, and the program itself, on one queue. */
static void *on_thread(void *user) {
  host *h = user;
  vapl *v = NULL;
  if (vapl_vk_open(&on_it, &h->d, &v)) return NULL;
  vapl_array *r = NULL;
  int64_t sum = 0;
  for (int i = 0;
       i < 20 && !vapl_eval(v, "+/(⌽⍳20000)×20000⍴1 0 0", VAPL_STRLEN, NULL, &r); i++) {
    vapl_read(v, r, VAPL_I64, &sum, sizeof sum);
    vapl_release(r);
    if (sum != 66676667) sum = -1, i = 20;
  }
  vapl_close(v);
  return sum == 66676667 ? h : NULL;
}

static void test_given_threads(void **state) {
  (void)state;
  enum { THREADS = 3 };
  host h;
  pthread_t t[THREADS];
  host_begin(&h, VK_API_VERSION_1_3);
  OK(vapl_vk_wants(&h.d));
  host_device(&h);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, on_thread, &h);
  for (int i = 0; i < 200; i++) {
    lock(&h.mutex);
    h.QueueSubmit(h.d.queue, 0, NULL, VK_NULL_HANDLE);
    unlock(&h.mutex);
  }
  for (int i = 0; i < THREADS; i++) {
    void *ok = NULL;
    pthread_join(t[i], &ok);
    assert_ptr_equal(ok, &h);
  }
  host_end(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lent),          cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_given),         cmocka_unit_test(test_given_lacks),
      cmocka_unit_test(test_given_refuses), cmocka_unit_test(test_given_lost),
      cmocka_unit_test(test_given_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
