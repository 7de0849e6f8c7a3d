/* SPDX-License-Identifier: MIT */
/* compiler.c - see compiler.h. A pipeline is made as vapl makes it (src/vk/pipeline.c), on the first device of the
 * driver, which needs no hardware: RADV's null device, ANV with a library that stands for its kernel.
 *
 * WRAP_COMPILED has a line for each pipeline: the module's hash, the size of subgroups, the VkResult, then the statistics,
 * NAME=N, with tabs between all. A line without a result is a module at which the driver crashed. */
#include <stdbool.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>
#include "compiler.h"

/* Functions of the driver, which no loader knows. */
#define FUNCTIONS(F)                                                                     \
  F(CreateComputePipelines)                                                              \
  F(CreateDevice)                                                                        \
  F(CreatePipelineLayout)                                                                \
  F(CreateShaderModule)                                                                  \
  F(DestroyPipeline)                                                                     \
  F(DestroyShaderModule)                                                                 \
  F(EnumerateDeviceExtensionProperties)                                                  \
  F(EnumeratePhysicalDevices)                                                            \
  F(GetPhysicalDeviceFeatures2)                                                          \
  F(GetPhysicalDeviceProperties2) F(GetPipelineExecutableStatisticsKHR)
#define DECLARE(name) static PFN_vk##name vk##name;
FUNCTIONS(DECLARE)
#define LOAD(name) vk##name = (PFN_vk##name)get(instance, "vk" #name);

static void must(VkResult r, const char *what) {
  if (r >= 0) return;
  fprintf(stderr, "compiler: %s: %d\n", what, (int)r);
  exit(2);
}
#define MUST(call) must(call, #call)

/* ── the device, with all the features that modules may need ────────────────────────── */

static struct device {
  VkPhysicalDevice physical;
  VkDevice on;
  VkPipelineLayout layout;
  bool sizes, statistics; /* sizes: a pipeline may demand one */
} device;

static bool has(const VkExtensionProperties *x, uint32_t n, const char *name) {
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(x[i].extensionName, name)) return true;
  return false;
}

static void open_instance(struct device *d) {
  typedef VkResult negotiate(uint32_t *);
  const char *path = getenv("WRAP_COMPILER");
  void *lib = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  uint32_t version = 5, one = 1;
  VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                           .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &app};
  VkInstance instance;
  if (!lib) {
    fprintf(stderr, "compiler: %s\n", dlerror());
    exit(2);
  }
  MUST(((negotiate *)dlsym(lib, "vk_icdNegotiateLoaderICDInterfaceVersion"))(&version));
  PFN_vkGetInstanceProcAddr get =
      (PFN_vkGetInstanceProcAddr)dlsym(lib, "vk_icdGetInstanceProcAddr");
  PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
  MUST(create(&info, NULL, &instance));
  FUNCTIONS(LOAD)
  MUST(vkEnumeratePhysicalDevices(instance, &one, &d->physical));
  if (one) return;
  fprintf(stderr, "compiler: the driver has no device\n");
  exit(2);
}

static void open_device(struct device *d) {
  VkExtensionProperties x[512];
  const char *ext[3];
  uint32_t n = 512, n_ext = 0;
  float priority = 1;
  MUST(vkEnumerateDeviceExtensionProperties(d->physical, NULL, &n, x));
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
      .sType =
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};
  VkPhysicalDeviceSubgroupSizeControlFeatures control = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
  VkPhysicalDeviceVulkan12Features v12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceFeatures2 f = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                 .pNext = &v12};
  void **end = &v12.pNext;
  if (has(x, n, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
    ext[n_ext++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
    *end = &control;
    end = &control.pNext;
  }
  if (has(x, n, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) {
    ext[n_ext++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
    *end = &atomic;
    end = &atomic.pNext;
  }
  if (has(x, n, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) {
    ext[n_ext++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    *end = &statistics;
  }
  vkGetPhysicalDeviceFeatures2(d->physical, &f);
  d->statistics = statistics.pipelineExecutableInfo;
  VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceProperties2 p = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
  vkGetPhysicalDeviceProperties2(d->physical, &p);
  d->sizes =
      control.subgroupSizeControl && sizes.minSubgroupSize != sizes.maxSubgroupSize;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &f,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .enabledExtensionCount = n_ext,
                             .ppEnabledExtensionNames = ext};
  MUST(vkCreateDevice(d->physical, &info, NULL, &d->on));
  VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
  VkPipelineLayoutCreateInfo layout = {.sType =
                                           VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &push};
  MUST(vkCreatePipelineLayout(d->on, &layout, NULL, &d->layout));
}

/* ── what was compiled ──────────────────────────────────────────────────────────────── */

static compiled *known;
static size_t n_known;

static compiled *one_more(void) {
  if (!(n_known & (n_known - 1)))
    known = realloc(known, (n_known ? 2 * n_known : 1) * sizeof *known);
  if (!known) abort();
  memset(&known[n_known], 0, sizeof *known);
  return &known[n_known++];
}

static void add(compiled *c, const char *name, unsigned long long value) {
  if (c->n == COMPILED_MOST) return;
  snprintf(c->of[c->n].name, COMPILED_NAME, "%s", name);
  c->of[c->n++].value = value;
}

static void read_line(char *line) {
  unsigned long long module;
  unsigned subgroup;
  int code, end = 0;
  if (sscanf(line, "%llx\t%u\t%d%n", &module, &subgroup, &code, &end) < 3) return;
  compiled *c = one_more();
  c->module = module;
  c->subgroup = subgroup;
  c->code = code;
  for (char *at = strtok(line + end, "\t\n"); at; at = strtok(NULL, "\t\n")) {
    char *value = strrchr(at, '=');
    if (!value) continue;
    *value = 0;
    add(c, at, strtoull(value + 1, NULL, 10));
  }
}

static void read_file(const char *path) {
  char line[8192];
  FILE *f = path ? fopen(path, "r") : NULL;
  while (f && fgets(line, sizeof line, f)) read_line(line);
  if (f) fclose(f);
}

/* ── a module ───────────────────────────────────────────────────────────────────────── */

uint64_t compiler_hash(const uint32_t *words, size_t n) { /* FNV-1a */
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; i++) h = (h ^ words[i]) * 0x100000001b3u;
  return h ^ h >> 32;
}

static void read_statistics(VkPipeline p, compiled *c) {
  VkPipelineExecutableStatisticKHR s[COMPILED_MOST];
  uint32_t n = COMPILED_MOST;
  VkPipelineExecutableInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = p};
  memset(s, 0, sizeof s);
  for (int i = 0; i < COMPILED_MOST; i++)
    s[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  if (vkGetPipelineExecutableStatisticsKHR(device.on, &info, &n, s) < 0) return;
  for (uint32_t i = 0; i < n; i++)
    if (s[i].format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR)
      add(c, s[i].name, s[i].value.u64);
}

static void compile(const uint32_t *words, size_t n, compiled *c) {
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline p = VK_NULL_HANDLE;
  VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = n * sizeof *words,
                                   .pCode = words};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = c->subgroup};
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main"},
      .layout = device.layout};
  c->code = vkCreateShaderModule(device.on, &code, NULL, &module);
  if (c->code < 0) return;
  info.stage.module = module;
  if (device.statistics) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (c->subgroup && device.sizes) {
    info.stage.pNext = &size;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  c->code = vkCreateComputePipelines(device.on, VK_NULL_HANDLE, 1, &info, NULL, &p);
  if (c->code >= 0 && device.statistics) read_statistics(p, c);
  if (c->code >= 0) vkDestroyPipeline(device.on, p, NULL);
  vkDestroyShaderModule(device.on, module, NULL);
}

const compiled *compiler_make(const uint32_t *words, size_t n, unsigned subgroup) {
  const char *path = getenv("WRAP_COMPILED");
  uint64_t module = compiler_hash(words, n);
  if (!device.on) {
    open_instance(&device);
    open_device(&device);
    read_file(path);
  }
  for (size_t i = n_known; i-- > 0;)
    if (known[i].module == module && known[i].subgroup == subgroup) return &known[i];
  compiled *c = one_more();
  c->module = module;
  c->subgroup = subgroup;
  FILE *f = path ? fopen(path, "a") : NULL;
  if (f) fprintf(f, "%016llx\t%u", (unsigned long long)module, subgroup), fflush(f);
  compile(words, n, c);
  if (f) fprintf(f, "\t%d", c->code);
  for (unsigned i = 0; f && i < c->n; i++)
    fprintf(f, "\t%s=%llu", c->of[i].name, c->of[i].value);
  if (f) fprintf(f, "\n"), fclose(f);
  return c;
}
