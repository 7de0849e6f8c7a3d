/* SPDX-License-Identifier: MIT */
/* vulkan_device.c - a Vulkan device of your own program, given to vapl: what vapl wants of it is
 * asked first, your own wishes are added, then vapl works on it beside you, on the same queue.
 * examples/vulkan_share.c shows buffers that go back and forth.
 *
 *   cc vulkan_device.c $(pkg-config --cflags --libs vapl) -ldl -lpthread -o vulkan_device */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vapl_vulkan.h>

/* clang-format off */
#define FUNCTIONS(F) \
  F(EnumeratePhysicalDevices) F(GetPhysicalDeviceProperties) F(CreateDevice) \
  F(GetDeviceQueue) F(QueueSubmit) F(DeviceWaitIdle) F(DestroyDevice) F(DestroyInstance)
/* clang-format on */

typedef struct app {
  vapl_vk_device d; /* what vapl needs to know of it all */
  pthread_mutex_t queue;
#define F(name) PFN_vk##name name;
  FUNCTIONS(F)
#undef F
} app;

static void must(int ok, const char *what) {
  if (ok) return;
  printf("failed: %s\n", what);
  exit(1);
}

static void make_instance(app *p) {
  VkApplicationInfo about;
  VkInstanceCreateInfo info;
  void *vulkan = dlopen("libvulkan.so.1", RTLD_NOW), *at;
  if (!vulkan) exit(77); /* nothing to show */
  at = dlsym(vulkan, "vkGetInstanceProcAddr");
  memcpy(&p->d.get_proc, &at, sizeof at);
  memset(&about, 0, sizeof about);
  about.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  about.apiVersion = p->d.api_version = VK_API_VERSION_1_2;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &about;
  PFN_vkCreateInstance make =
      (PFN_vkCreateInstance)p->d.get_proc(VK_NULL_HANDLE, "vkCreateInstance");
  if (make(&info, NULL, &p->d.instance) != VK_SUCCESS) exit(77);
#define F(name) p->name = (PFN_vk##name)p->d.get_proc(p->d.instance, "vk" #name);
  FUNCTIONS(F)
#undef F
}

static void choose(app *p, const char *name) {
  VkPhysicalDevice all[16];
  VkPhysicalDeviceProperties about;
  uint32_t n = 16, i;
  if (p->EnumeratePhysicalDevices(p->d.instance, &n, all) < 0) exit(77);
  for (i = 0; i < n && !p->d.physical; i++) {
    p->GetPhysicalDeviceProperties(all[i], &about);
    if (strstr(about.deviceName, name)) p->d.physical = all[i];
  }
  if (!p->d.physical) exit(77);
}

static void make_device(app *p) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue;
  VkDeviceCreateInfo info;
  must(vapl_vk_wants(&p->d) == VAPL_OK, p->d.why);
  p->d.features.features.samplerAnisotropy = VK_TRUE; /* what else this program wants */
  memset(&queue, 0, sizeof queue);
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = p->d.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &p->d.features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = p->d.n_extensions;
  info.ppEnabledExtensionNames = p->d.extensions;
  must(p->CreateDevice(p->d.physical, &info, NULL, &p->d.device) == VK_SUCCESS, "device");
  p->GetDeviceQueue(p->d.device, p->d.queue_family, 0, &p->d.queue);
}

static void lock(void *user) { pthread_mutex_lock((pthread_mutex_t *)user); }
static void unlock(void *user) { pthread_mutex_unlock((pthread_mutex_t *)user); }

/* A thread of yours that uses the queue while vapl does. */
static void *draw(void *user) {
  app *p = (app *)user;
  int frame;
  for (frame = 0; frame < 100; frame++) {
    lock(&p->queue);
    p->QueueSubmit(p->d.queue, 0, NULL, VK_NULL_HANDLE);
    unlock(&p->queue);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static app p;
  vapl_config config;
  vapl *apl;
  vapl_array *sum;
  int64_t total = 0;
  pthread_t drawing;
  p.d.size = sizeof p.d;
  pthread_mutex_init(&p.queue, NULL);
  p.d.lock = lock;
  p.d.unlock = unlock;
  p.d.user = &p.queue;
  make_instance(&p);
  choose(&p, argc > 1 ? argv[1] : "llvmpipe");
  make_device(&p);

  memset(&config, 0, sizeof config);
  config.size = sizeof config;
  config.device = "0"; /* all of it there, as far as it pays off to ask a device at all */
  p.d.features12.timelineSemaphore = VK_FALSE; /* had you made it without ... */
  must(vapl_vk_open(&config, &p.d, &apl) == VAPL_EDEVICE,
       "a device that lacks something");
  printf("refused: %s\n", strstr(p.d.why, "it lacks"));
  p.d.features12.timelineSemaphore = VK_TRUE;
  must(vapl_vk_open(&config, &p.d, &apl) == VAPL_OK, p.d.why);

  pthread_create(&drawing, NULL, draw, &p);
  must(vapl_eval(apl, "+/×⍨⍳1000000", VAPL_STRLEN, NULL, &sum) == VAPL_OK, "APL");
  must(vapl_read(apl, sum, VAPL_I64, &total, sizeof total) == VAPL_OK, "the sum");
  pthread_join(drawing, NULL);
  printf("the squares to a million add up to %lld\n", (long long)total);

  vapl_release(sum);
  vapl_close(apl); /* before the device; of this vapl destroyed only what is its own */
  p.DeviceWaitIdle(p.d.device);
  p.DestroyDevice(p.d.device, NULL);
  p.DestroyInstance(p.d.instance, NULL);
  return 0;
}
