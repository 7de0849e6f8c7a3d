/* SPDX-License-Identifier: MIT */
/* compile.c - makes a pipeline of each module, as vapl makes it (src/vk/pipeline.c), on the first device
 * of the loader, and says what the driver's compiler made of them.
 *
 *   compile SUBGROUP FILE…
 *
 * SUBGROUP is the size of subgroups that pipelines demand; 0: none. A driver may crash on a module: a child
 * compiles, and the next one goes on behind the module that ended it. The last line counts modules, what
 * failed, what spills registers, and what spills more than 16; exit code 1 if one failed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

enum { WORDS = 1 << 20, FEW = 16, PATIENCE = 300, STATISTICS = 64, NO_DEVICE = 3 };

typedef struct result {
  int code; /* VkResult; 1: not tried yet */
  unsigned registers, spilled;
  double ms;
} result;

/* What the children tell the parent. */
static struct shared {
  int at;
  char device[256];
  result r[];
} * all;

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void must(VkResult r, const char *what) {
  if (r >= 0) return;
  fprintf(stderr, "compile: %s: %d\n", what, (int)r);
  exit(NO_DEVICE);
}
#define MUST(call) must(call, #call)

/* ── the device, with all the features that modules may need ────────────────────────── */

struct device {
  VkPhysicalDevice physical;
  VkDevice on;
  VkPipelineLayout layout;
  bool sizes, statistics;                       /* sizes: a pipeline may demand one */
  PFN_vkGetPipelineExecutableStatisticsKHR ask; /* with `statistics` */
};

static bool has(const VkExtensionProperties *x, uint32_t n, const char *name) {
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(x[i].extensionName, name)) return true;
  return false;
}

static void open_instance(struct device *d) {
  VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                           .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &app};
  VkInstance instance;
  uint32_t one = 1;
  MUST(vkCreateInstance(&info, NULL, &instance));
  MUST(vkEnumeratePhysicalDevices(instance, &one, &d->physical));
  if (one) return;
  fprintf(stderr, "compile: there is no device\n");
  exit(NO_DEVICE);
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
  snprintf(all->device, sizeof all->device, "%s", p.properties.deviceName);
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
  d->ask = (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
      d->on, "vkGetPipelineExecutableStatisticsKHR");
  VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
  VkPipelineLayoutCreateInfo layout = {.sType =
                                           VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &push};
  MUST(vkCreatePipelineLayout(d->on, &layout, NULL, &d->layout));
}

/* ── a module ───────────────────────────────────────────────────────────────────────── */

/* Of the names that Mesa's drivers have. */
static void read_statistics(const struct device *d, VkPipeline p, result *r) {
  VkPipelineExecutableStatisticKHR s[STATISTICS];
  uint32_t n = STATISTICS;
  VkPipelineExecutableInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = p};
  memset(s, 0, sizeof s);
  for (int i = 0; i < STATISTICS; i++)
    s[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  if (!d->ask || d->ask(d->on, &info, &n, s) < 0) return;
  for (uint32_t i = 0; i < n; i++) {
    unsigned v = (unsigned)s[i].value.u64;
    if (!strcmp(s[i].name, "VGPRs")) r->registers = v;
    if (!strcmp(s[i].name, "Spilled VGPRs") || !strcmp(s[i].name, "Spill Count"))
      r->spilled = v;
  }
}

static void compile(const struct device *d, uint32_t subgroup, const uint32_t *words,
                    size_t n, result *r) {
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline p = VK_NULL_HANDLE;
  VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = n * sizeof *words,
                                   .pCode = words};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = subgroup};
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main"},
      .layout = d->layout};
  double begun = cpu_ms();
  r->code = vkCreateShaderModule(d->on, &code, NULL, &module);
  if (r->code < 0) return;
  info.stage.module = module;
  if (d->statistics) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (subgroup && d->sizes) {
    info.stage.pNext = &size;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  r->code = vkCreateComputePipelines(d->on, VK_NULL_HANDLE, 1, &info, NULL, &p);
  r->ms = cpu_ms() - begun;
  if (r->code >= 0 && d->statistics) read_statistics(d, p, r);
  if (r->code >= 0) vkDestroyPipeline(d->on, p, NULL);
  vkDestroyShaderModule(d->on, module, NULL);
}

static void compile_all(uint32_t subgroup, char **file, int n) {
  static uint32_t words[WORDS];
  struct device d = {0};
  open_instance(&d);
  open_device(&d);
  for (; all->at < n; all->at++) {
    FILE *f = fopen(file[all->at], "rb");
    size_t n_words = f ? fread(words, sizeof *words, WORDS, f) : 0;
    if (f) fclose(f);
    alarm(PATIENCE);
    if (n_words) compile(&d, subgroup, words, n_words, &all->r[all->at]);
  }
  _exit(0);
}

/* ── the whole ──────────────────────────────────────────────────────────────────────── */

static int by_registers(const void *x, const void *y) {
  const result *a = x, *b = y;
  return (int)a->registers - (int)b->registers;
}

static int say(char **file, int n) {
  int failed = 0, spill = 0, much = 0;
  double ms = 0, slowest = 0;
  for (int i = 0; i < n; i++) {
    const result *r = &all->r[i];
    if (r->code) printf("%s: result %d\n", file[i], r->code);
    if (r->spilled > FEW) printf("%s: %u registers spilled\n", file[i], r->spilled);
    failed += r->code != 0;
    spill += r->spilled > 0;
    much += r->spilled > FEW;
    ms += r->ms;
    if (r->ms > slowest) slowest = r->ms;
  }
  qsort(all->r, (size_t)n, sizeof *all->r, by_registers);
  printf("%s: registers %u in the middle, %u at 95 %%, %u at most; the slowest %.1f s, "
         "%.0f s "
         "in all\n",
         all->device, all->r[n / 2].registers, all->r[n - 1 - n / 20].registers,
         all->r[n - 1].registers, slowest * 1e-3, ms * 1e-3);
  printf("%d modules, %d failed, %d spill, %d spill more than %d registers\n", n, failed,
         spill, much, FEW);
  return failed > 0;
}

int main(int argc, char **argv) {
  int n = argc - 2, status;
  if (n < 1) {
    fprintf(stderr, "usage: compile SUBGROUP FILE…\n");
    return 2;
  }
  size_t bytes = sizeof *all + (size_t)n * sizeof *all->r;
  all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 2;
  for (int i = 0; i < n; i++) all->r[i].code = 1;
  while (all->at < n) {
    fflush(stdout);
    pid_t child = fork();
    if (!child) compile_all((uint32_t)atoi(argv[1]), argv + 2, n);
    if (child < 0 || waitpid(child, &status, 0) != child) return 2;
    if (WIFEXITED(status) && WEXITSTATUS(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) all->r[all->at++].code = -WTERMSIG(status);
  }
  return say(argv + 2, n);
}
