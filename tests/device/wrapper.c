/* SPDX-License-Identifier: MIT */
/* wrapper.c - a Vulkan driver for tests that is another driver with less: features hidden, numbers
 * changed, calls that fail. tests/device.sh makes its driver file and names it by VK_DRIVER_FILES.
 *
 *   vapl ─ loader ─▶ wrapper ─▶ the driver whose library WRAP_DRIVER names (lavapipe)
 *
 * WRAP, words with commas between them:
 *   -NAME      hides a feature (a row of `features`), or the extension of that name
 *   NAME=N     a number that the device has (a row of `numbers`). A size of subgroups that is not the
 *              driver's is a lie: the driver is not asked for it
 *   fail=N     the Nth call that returns a result, from 0, fails, as does each of the name refuse=NAME
 *              (which alone takes vkGetSemaphoreCounterValue: how often that is called is chance);
 *   code=N     with this result (-2). The handle that such a call should make is no handle
 *   queue=0    the device gives no queue, likewise address=0
 *   lie=NAME   modules are changed so that the device does one thing wrongly (a row of `lies`, or none)
 *   idle       nothing is compiled, and no command buffer begins: the host computes what the device
 *              should. For modules that are made for a device that is not here; WRAP_COMPILER names the library of
 *              its driver, whose compiler makes them and says what it made (compiler.c)
 *   spill=N    the device says what it made of a pipeline: one whose module has more than N words does without 100
 *              registers
 * WRAP_REPORT names a file that gets a line for each fact when an instance goes: `calls N`, `failed
 * NAME`, `live NAME N` for what was made by that call and is left, `asked NAME` for a hidden feature
 * that a device was asked for, `dropped NAME` for a handle that was none; and at once `module HASH` for each that
 * WRAP_COMPILER's compiler made. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>
#include "compiler.h"
#define EXPORTED __attribute__((visibility("default")))
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ── what is asked of it ────────────────────────────────────────────────────────────── */

/* The word that begins so, behind that; NULL. */
static const char *word(const char *begin) {
  const char *at = getenv("WRAP");
  size_t n = strlen(begin);
  while (at && *at) {
    if (!strncmp(at, begin, n)) return at + n;
    at += strcspn(at, ",");
    at += *at == ',';
  }
  return NULL;
}

static bool is_end(const char *at) { return at && (!*at || *at == ','); }

static bool hidden(const char *name) {
  char text[128];
  snprintf(text, sizeof text, "-%s", name);
  return is_end(word(text));
}

static bool number(const char *name, unsigned long long *v) {
  char text[64];
  snprintf(text, sizeof text, "%s=", name);
  const char *at = word(text);
  if (at) *v = strtoull(at, NULL, 0);
  return at;
}

static bool is_idle(void) { return is_end(word("idle")); }

/* Does the device say what it made of a pipeline, though the driver may not? */
static bool has_statistics(void) {
  return word("spill=") || (is_idle() && getenv("WRAP_COMPILER"));
}

static void report(const char *what, const char *name, long long n) {
  const char *path = getenv("WRAP_REPORT");
  FILE *f = path ? fopen(path, "a") : NULL;
  if (!f) return;
  fprintf(f, "%s %s", what, name);
  if (n >= 0) fprintf(f, " %lld", n);
  fprintf(f, "\n");
  fclose(f);
}

/* ── calls that fail ────────────────────────────────────────────────────────────────── */

static _Atomic long long calls;
#define NO_HANDLE ((uintptr_t)0xbad0bad0bad0)

/* Does this call fail, and how? */
static bool fails(const char *name, VkResult *r) {
  unsigned long long at;
  const char *code = word("code="), *refused = word("refuse=");
  size_t n = strlen(name);
  bool polls = !strcmp(name, "vkGetSemaphoreCounterValue");
  long long call = polls ? -1 : calls++;
  bool now = number("fail", &at) && call == (long long)at;
  if (refused && !strncmp(refused, name, n) && is_end(refused + n)) now = true;
  if (is_idle() && !strcmp(name, "vkBeginCommandBuffer")) {
    *r = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return true;
  }
  if (!now) return false;
  *r = (VkResult)(code ? atoi(code) : VK_ERROR_OUT_OF_DEVICE_MEMORY);
  report("failed", name, -1);
  return true;
}

/* ── what the device says ───────────────────────────────────────────────────────────── */

struct place {
  const char *name;
  VkStructureType in;
  size_t at, bytes;
};
#define PLACE(name, type, of, member)                                                    \
  { name, VK_STRUCTURE_TYPE_##type, offsetof(of, member), sizeof(((of *)0)->member) }
#define BASE(name, member)                                                               \
  PLACE(name, PHYSICAL_DEVICE_FEATURES_2, VkPhysicalDeviceFeatures2, features.member)
#define V12(name, member)                                                                \
  PLACE(name, PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, VkPhysicalDeviceVulkan12Features,     \
        member)
#define CONTROL(name, member)                                                            \
  PLACE(name, PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,                            \
        VkPhysicalDeviceSubgroupSizeControlFeatures, member)
#define ATOMIC(name, member)                                                             \
  PLACE(name, PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,                          \
        VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, member)
static const struct place features[] = {
    BASE("fp64", shaderFloat64),
    BASE("int64", shaderInt64),
    BASE("sparse", sparseBinding),
    V12("atomic64", shaderBufferInt64Atomics),
    V12("extended", shaderSubgroupExtendedTypes),
    V12("timeline", timelineSemaphore),
    V12("addresses", bufferDeviceAddress),
    V12("scalar", scalarBlockLayout),
    CONTROL("control", subgroupSizeControl),
    CONTROL("control", computeFullSubgroups),
    ATOMIC("atomic-float", shaderBufferFloat32AtomicAdd),
    ATOMIC("atomic-float", shaderSharedFloat32AtomicAdd)};

#define DEVICE(name, member)                                                             \
  PLACE(name, PHYSICAL_DEVICE_PROPERTIES_2, VkPhysicalDeviceProperties2,                 \
        properties.member)
#define LIMIT(name, member) DEVICE(name, limits.member)
#define P11(name, member)                                                                \
  PLACE(name, PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, \
        member)
#define P12(name, member)                                                                \
  PLACE(name, PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, \
        member)
#define SIZES(name, member)                                                              \
  PLACE(name, PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,                          \
        VkPhysicalDeviceSubgroupSizeControlProperties, member)
static const struct place numbers[] = {
    DEVICE("api", apiVersion),
    DEVICE("vendor", vendorID),
    DEVICE("version", driverVersion),
    DEVICE("type", deviceType),
    LIMIT("shared", maxComputeSharedMemorySize),
    LIMIT("workgroup", maxComputeWorkGroupInvocations),
    LIMIT("workgroup", maxComputeWorkGroupSize[0]),
    LIMIT("workgroup", maxComputeWorkGroupSize[1]),
    LIMIT("groups", maxComputeWorkGroupCount[0]),
    LIMIT("groups", maxComputeWorkGroupCount[1]),
    P11("allocation", maxMemoryAllocationSize),
    P11("subgroup", subgroupSize),
    P11("operations", subgroupSupportedOperations),
    P12("driver", driverID),
    P12("special32", shaderSignedZeroInfNanPreserveFloat32),
    P12("special64", shaderSignedZeroInfNanPreserveFloat64),
    P12("subnormal32", shaderDenormPreserveFloat32),
    P12("subnormal64", shaderDenormPreserveFloat64),
    SIZES("least", minSubgroupSize),
    SIZES("most", maxSubgroupSize),
    SIZES("subgroups", maxComputeWorkgroupSubgroups),
    SIZES("control", requiredSubgroupSizeStages)};

static void put(void *s, const struct place *p, unsigned long long v) {
  uint32_t word = (uint32_t)v;
  if (p->bytes == sizeof word) memcpy((char *)s + p->at, &word, sizeof word);
  else memcpy((char *)s + p->at, &v, sizeof v);
}

/* Every structure of the chain gets the numbers that are asked for; of features, 0. */
static void change(void *chain, const struct place *p, size_t n, bool feature) {
  for (VkBaseOutStructure *s = chain; s; s = s->pNext)
    for (size_t i = 0; i < n; i++) {
      unsigned long long v = 0;
      if (s->sType != p[i].in) continue;
      if (feature ? hidden(p[i].name) : number(p[i].name, &v)) put(s, &p[i], v);
    }
}

/* ── the calls ──────────────────────────────────────────────────────────────────────── */

#define ALLOC const VkAllocationCallbacks *a
#define PIPELINES                                                                        \
  VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *i, ALLOC
/* Those that make something: the last parameter is the handle. */
#define MAKES(F)                                                                         \
  F(CreateInstance, (const VkInstanceCreateInfo *i, ALLOC, VkInstance *h), (i, a, h))    \
  F(CreateDevice, (VkPhysicalDevice p, const VkDeviceCreateInfo *i, ALLOC, VkDevice *h), \
    (p, i, a, h))                                                                        \
  F(AllocateMemory,                                                                      \
    (VkDevice d, const VkMemoryAllocateInfo *i, ALLOC, VkDeviceMemory *h), (d, i, a, h)) \
  F(CreateBuffer, (VkDevice d, const VkBufferCreateInfo *i, ALLOC, VkBuffer *h),         \
    (d, i, a, h))                                                                        \
  F(CreateCommandPool,                                                                   \
    (VkDevice d, const VkCommandPoolCreateInfo *i, ALLOC, VkCommandPool *h),             \
    (d, i, a, h))                                                                        \
  F(CreateQueryPool,                                                                     \
    (VkDevice d, const VkQueryPoolCreateInfo *i, ALLOC, VkQueryPool *h), (d, i, a, h))   \
  F(CreateSemaphore,                                                                     \
    (VkDevice d, const VkSemaphoreCreateInfo *i, ALLOC, VkSemaphore *h), (d, i, a, h))   \
  F(CreateShaderModule,                                                                  \
    (VkDevice d, const VkShaderModuleCreateInfo *i, ALLOC, VkShaderModule *h),           \
    (d, i, a, h))                                                                        \
  F(CreatePipelineLayout,                                                                \
    (VkDevice d, const VkPipelineLayoutCreateInfo *i, ALLOC, VkPipelineLayout *h),       \
    (d, i, a, h))                                                                        \
  F(CreatePipelineCache,                                                                 \
    (VkDevice d, const VkPipelineCacheCreateInfo *i, ALLOC, VkPipelineCache *h),         \
    (d, i, a, h))                                                                        \
  F(CreateComputePipelines, (PIPELINES, VkPipeline * h), (d, c, n, i, a, h))

/* Those that unmake it: the name of what made it. */
#define DROPS(F)                                                                         \
  F(DestroyDevice, CreateDevice, (VkDevice h, ALLOC), (h, a))                            \
  F(FreeMemory, AllocateMemory, (VkDevice d, VkDeviceMemory h, ALLOC), (d, h, a))        \
  F(DestroyBuffer, CreateBuffer, (VkDevice d, VkBuffer h, ALLOC), (d, h, a))             \
  F(DestroyCommandPool, CreateCommandPool, (VkDevice d, VkCommandPool h, ALLOC),         \
    (d, h, a))                                                                           \
  F(DestroyQueryPool, CreateQueryPool, (VkDevice d, VkQueryPool h, ALLOC), (d, h, a))    \
  F(DestroySemaphore, CreateSemaphore, (VkDevice d, VkSemaphore h, ALLOC), (d, h, a))    \
  F(DestroyShaderModule, CreateShaderModule, (VkDevice d, VkShaderModule h, ALLOC),      \
    (d, h, a))                                                                           \
  F(DestroyPipelineLayout, CreatePipelineLayout,                                         \
    (VkDevice d, VkPipelineLayout h, ALLOC), (d, h, a))                                  \
  F(DestroyPipelineCache, CreatePipelineCache, (VkDevice d, VkPipelineCache h, ALLOC),   \
    (d, h, a))                                                                           \
  F(DestroyPipeline, CreateComputePipelines, (VkDevice d, VkPipeline h, ALLOC), (d, h, a))

/* Others that return a result. */
#define CALLS(F)                                                                         \
  F(EnumeratePhysicalDevices, (VkInstance i, uint32_t * n, VkPhysicalDevice * p),        \
    (i, n, p))                                                                           \
  F(AllocateCommandBuffers,                                                              \
    (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *c), (d, i, c))   \
  F(BindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize at),       \
    (d, b, m, at))                                                                       \
  F(MapMemory,                                                                           \
    (VkDevice d, VkDeviceMemory m, VkDeviceSize at, VkDeviceSize n, VkMemoryMapFlags f,  \
     void **to),                                                                         \
    (d, m, at, n, f, to))                                                                \
  F(BeginCommandBuffer, (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))  \
  F(EndCommandBuffer, (VkCommandBuffer c), (c))                                          \
  F(QueueSubmit, (VkQueue q, uint32_t n, const VkSubmitInfo *i, VkFence f),              \
    (q, n, i, f))                                                                        \
  F(GetSemaphoreCounterValue, (VkDevice d, VkSemaphore s, uint64_t * v), (d, s, v))      \
  F(WaitSemaphores, (VkDevice d, const VkSemaphoreWaitInfo *i, uint64_t ns), (d, i, ns)) \
  F(GetQueryPoolResults,                                                                 \
    (VkDevice d, VkQueryPool p, uint32_t at, uint32_t n, size_t bytes, void *to,         \
     VkDeviceSize step, VkQueryResultFlags f),                                           \
    (d, p, at, n, bytes, to, step, f))                                                   \
  F(GetPipelineCacheData, (VkDevice d, VkPipelineCache c, size_t * n, void *to),         \
    (d, c, n, to))

/* The driver's own, and how much there is of each kind. */
#define REAL(name, ...) static PFN_vk##name real_##name;
MAKES(REAL)
DROPS(REAL)
CALLS(REAL)
REAL(DestroyInstance)
REAL(GetDeviceProcAddr)
REAL(GetDeviceQueue)
REAL(GetBufferDeviceAddress)
REAL(GetPhysicalDeviceFeatures2)
REAL(GetPhysicalDeviceProperties)
REAL(GetPhysicalDeviceProperties2)
REAL(EnumerateDeviceExtensionProperties)
#define KIND(name, ...) KIND_##name,
enum { MAKES(KIND) KINDS };
static _Atomic long long live[KINDS];
#define NAME(name, ...) "vk" #name,
static const char *const makers[] = {MAKES(NAME)};

static bool is_none(const void *handle, const char *name) {
  if ((uintptr_t)handle != NO_HANDLE) return false;
  report("dropped", name, -1);
  return true;
}

#define MAKE(name, params, args)                                                         \
  static VkResult VKAPI_CALL make_##name params {                                        \
    VkResult r;                                                                          \
    if (fails("vk" #name, &r)) {                                                         \
      memcpy(h, &(uintptr_t){NO_HANDLE}, sizeof *h);                                     \
      return r;                                                                          \
    }                                                                                    \
    r = real_##name args;                                                                \
    if (r >= 0) live[KIND_##name]++;                                                     \
    return r;                                                                            \
  }
MAKES(MAKE)
#define DROP(name, maker, params, args)                                                  \
  static void VKAPI_CALL our_##name params {                                             \
    if (!h || is_none((void *)h, "vk" #maker)) return;                                   \
    live[KIND_##maker]--;                                                                \
    real_##name args;                                                                    \
  }
DROPS(DROP)
#define CALL(name, params, args)                                                         \
  static VkResult VKAPI_CALL our_##name params {                                         \
    VkResult r;                                                                          \
    return fails("vk" #name, &r) ? r : real_##name args;                                 \
  }
CALLS(CALL)

/* ── calls that do more ─────────────────────────────────────────────────────────────── */

static void VKAPI_CALL our_DestroyInstance(VkInstance i, ALLOC) {
  if (!i) return;
  real_DestroyInstance(i, a);
  live[KIND_CreateInstance]--;
  report("calls", "", calls);
  for (int k = 0; k < KINDS; k++)
    if (live[k]) report("live", makers[k], live[k]);
}

/* A hidden feature that is asked for is reported. */
#define STATISTICS VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME
#define ASKS_STATISTICS                                                                  \
  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR
static VkResult VKAPI_CALL our_CreateDevice(VkPhysicalDevice p,
                                            const VkDeviceCreateInfo *i, ALLOC,
                                            VkDevice *h) {
  VkDeviceCreateInfo own = *i;
  const char *asked[64];
  uint32_t n = 0;
  for (const VkBaseInStructure *s = i->pNext; s; s = s->pNext)
    for (size_t k = 0; k < COUNT(features); k++) {
      VkBool32 on;
      if (s->sType != features[k].in || !hidden(features[k].name)) continue;
      memcpy(&on, (const char *)s + features[k].at, sizeof on);
      if (on) report("asked", features[k].name, -1);
    }
  if (!has_statistics()) return make_CreateDevice(p, i, a, h);
  for (uint32_t k = 0; k < i->enabledExtensionCount && n < COUNT(asked); k++)
    if (strcmp(i->ppEnabledExtensionNames[k], STATISTICS))
      asked[n++] = i->ppEnabledExtensionNames[k];
  own.enabledExtensionCount = n;
  own.ppEnabledExtensionNames = asked;
  for (VkBaseInStructure *s = (VkBaseInStructure *)&own; s->pNext;
       s = (VkBaseInStructure *)s->pNext)
    if (s->pNext->sType == ASKS_STATISTICS) {
      s->pNext = s->pNext->pNext;
      break;
    }
  return make_CreateDevice(p, &own, a, h);
}

/* ── what was made of a pipeline ──────────────────────────────────────────────────────── */

/* The module that this thread made last: its words, if they are wanted. vapl makes a pipeline of it at once, several
 * threads do side by side. */
static _Thread_local struct {
  uint32_t *words;
  size_t n;
} last;

static void keep_last(const uint32_t *words, size_t n) {
  if (!has_statistics()) return;
  free(last.words);
  last.words = malloc(4 * n);
  if (!last.words) abort();
  memcpy(last.words, words, 4 * n);
  last.n = n;
}

/* This thread's last pipeline: who makes one asks at once what was made of it. */
static _Thread_local compiled made;

static VkResult compile_last(unsigned subgroup) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  char name[32];
  pthread_mutex_lock(&lock);
  made = *compiler_make(last.words, last.n, subgroup);
  pthread_mutex_unlock(&lock);
  snprintf(name, sizeof name, "%016llx", (unsigned long long)made.module);
  report("module", name, -1);
  return (VkResult)made.code;
}

static void play_statistics(void) {
  unsigned long long most;
  if (!number("spill", &most)) return;
  made = (compiled){.n = 2, .of = {{"Register Count", 64}, {"Spill Count", 0}}};
  made.of[1].value = last.n > most ? 100 : 0;
}

static VkResult VKAPI_CALL our_GetPipelineExecutablePropertiesKHR(
    VkDevice d, const VkPipelineInfoKHR *i, uint32_t *n,
    VkPipelineExecutablePropertiesKHR *p) {
  VkResult r;
  (void)d, (void)i, (void)p;
  if (fails("vkGetPipelineExecutablePropertiesKHR", &r)) return r;
  *n = 1;
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL
our_GetPipelineExecutableStatisticsKHR(VkDevice d, const VkPipelineExecutableInfoKHR *i,
                                       uint32_t *n, VkPipelineExecutableStatisticKHR *s) {
  VkResult r;
  (void)d, (void)i;
  if (fails("vkGetPipelineExecutableStatisticsKHR", &r)) return r;
  if (made.n < *n) *n = made.n;
  for (uint32_t k = 0; k < *n; k++) {
    snprintf(s[k].name, sizeof s[k].name, "%s", made.of[k].name);
    s[k].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
    s[k].value.u64 = made.of[k].value;
  }
  return VK_SUCCESS;
}

/* ── a device that does one thing wrongly: what instructions of a module become ── */

typedef struct module {
  uint32_t *to;
  size_t n;                                    /* words of `to` */
  bool table;                                  /* it has a table that its threads share */
  bool facts;                                  /* it is src/codegen/facts.c's */
  uint32_t boolean, word, one[2], width_of[2]; /* ids of types, and of 1 in f32 and f64 */
} module;

static void put_words(module *m, uint32_t op, uint32_t n, const uint32_t *operands) {
  m->to[m->n++] = (n + 1) << 16 | op;
  memcpy(m->to + m->n, operands, n * sizeof *operands);
  m->n += n;
}
#define PUT(m, op, ...)                                                                  \
  put_words(m, op, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

/* The types that lies are about, and a constant behind each type of floats. */
static void note_type(module *m, const uint32_t *w) {
  switch (*w & 0xffff) {
  case SpvOpTypeBool: m->boolean = w[1]; break;
  case SpvOpTypeInt:
    if (w[2] == 32) m->word = w[1];
    break;
  case SpvOpTypeFloat: {
    int wide = w[2] == 64;
    m->width_of[wide] = w[1];
    m->one[wide] = m->to[3]++;
    if (wide) PUT(m, SpvOpConstant, w[1], m->one[1], 0, 0x3FF00000);
    else PUT(m, SpvOpConstant, w[1], m->one[0], 0x3F800000);
    break;
  }
  default: break;
  }
}

/* What others store is never seen, as on a device where nobody else goes on; but what a table of words is for
 * (KPUT_SEAT, KPUT_JOIN) works. */
static bool lie_progress(module *m, const uint32_t *w) {
  if ((*w & 0xffff) != SpvOpAtomicLoad || w[1] != m->word || m->table) return false;
  PUT(m, SpvOpCopyObject, w[1], w[2], w[5]); /* the semantics: 0 */
  return true;
}
static bool lie_shuffle(module *m, const uint32_t *w) {
  if ((*w & 0xffff) != SpvOpGroupNonUniformShuffleXor) return false;
  PUT(m, SpvOpCopyObject, w[1], w[2], w[4]);
  return true;
}
/* Of booleans that are the same for all threads: only facts.c selects some. */
static bool lie_select(module *m, const uint32_t *w) {
  if ((*w & 0xffff) != SpvOpSelect || w[1] != m->boolean || !m->facts) return false;
  PUT(m, SpvOpCopyObject, w[1], w[2], w[5]);
  return true;
}
static bool lie_least(module *m, const uint32_t *w) {
  if ((*w & 0xffff) != SpvOpExtInst || w[1] != m->word || w[4] != GLSLstd450SAbs)
    return false;
  PUT(m, SpvOpNot, w[1], w[2], w[5]);
  return true;
}
static bool is_float(const module *m, uint32_t type, int *wide) {
  *wide = type == m->width_of[1];
  return type && (type == m->width_of[0] || *wide);
}
/* A quotient is a product with an inverse. */
static bool lie_divide(module *m, const uint32_t *w) {
  int wide;
  uint32_t inverse = m->to[3];
  if ((*w & 0xffff) != SpvOpFDiv || !is_float(m, w[1], &wide)) return false;
  m->to[3]++;
  PUT(m, SpvOpFDiv, w[1], inverse, m->one[wide], w[4]);
  PUT(m, SpvOpFMul, w[1], w[2], w[3], inverse);
  return true;
}
static const struct {
  const char *name;
  bool (*instead)(module *m, const uint32_t *w); /* false: the instruction stays */
} lies[] = {{"progress", lie_progress},
            {"shuffle", lie_shuffle},
            {"select", lie_select},
            {"least", lie_least},
            {"divide", lie_divide}};

static VkResult VKAPI_CALL our_CreateShaderModule(VkDevice d,
                                                  const VkShaderModuleCreateInfo *i,
                                                  ALLOC, VkShaderModule *h) {
  const char *lie = word("lie=");
  size_t all = i->codeSize / 4, at = 5, l = 0;
  keep_last(i->pCode, all);
  if (!lie || !strncmp(lie, "none", 4)) return make_CreateShaderModule(d, i, a, h);
  while (l < COUNT(lies) && !(!strncmp(lie, lies[l].name, strlen(lies[l].name)) &&
                              is_end(lie + strlen(lies[l].name))))
    l++;
  if (l == COUNT(lies)) abort();
  module m = {.to = malloc(12 * all), .n = at};
  if (!m.to) abort();
  memcpy(m.to, i->pCode, at * 4);
  for (; at < all; at += i->pCode[at] >> 16) {
    uint32_t op = i->pCode[at] & 0xffff;
    m.table |= op >= SpvOpAtomicCompareExchange && op <= SpvOpAtomicUMax &&
               op != SpvOpAtomicIAdd;
    m.facts |= op == SpvOpExtInst && i->pCode[at + 4] == GLSLstd450SAbs;
  }
  for (at = 5; at < all; at += i->pCode[at] >> 16) {
    const uint32_t *w = i->pCode + at;
    if (lies[l].instead(&m, w)) continue;
    put_words(&m, *w & 0xffff, (*w >> 16) - 1, w + 1);
    note_type(&m, w);
  }
  VkShaderModuleCreateInfo changed = *i;
  changed.pCode = m.to;
  changed.codeSize = m.n * 4;
  VkResult r = make_CreateShaderModule(d, &changed, a, h);
  free(m.to);
  return r;
}

/* No size of subgroups is asked for that is none of the driver's. */
static VkResult VKAPI_CALL our_CreateComputePipelines(PIPELINES, VkPipeline *h) {
  VkComputePipelineCreateInfo one = *i;
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *asked = i->stage.pNext;
  unsigned long long size;
  VkResult r;
  if (is_idle()) {
    if (fails("vkCreateComputePipelines", &r)) return r;
    *h = (VkPipeline)(uintptr_t)8;
    if (!has_statistics()) return VK_SUCCESS;
    return compile_last(asked ? asked->requiredSubgroupSize : 0);
  }
  play_statistics();
  one.flags &=
      ~(VkPipelineCreateFlags)(has_statistics()
                                   ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR
                                   : 0);
  if (number("subgroup", &size) || number("least", &size)) {
    one.stage.pNext = NULL;
    one.stage.flags = 0;
  }
  return make_CreateComputePipelines(d, c, n, &one, a, h);
}

static void VKAPI_CALL drop_pipeline(VkDevice d, VkPipeline p, ALLOC) {
  if (!is_idle()) our_DestroyPipeline(d, p, a);
}

static void VKAPI_CALL our_GetDeviceQueue(VkDevice d, uint32_t family, uint32_t index,
                                          VkQueue *q) {
  unsigned long long v;
  real_GetDeviceQueue(d, family, index, q);
  if (number("queue", &v)) *q = NULL;
}

static VkDeviceAddress VKAPI_CALL
our_GetBufferDeviceAddress(VkDevice d, const VkBufferDeviceAddressInfo *i) {
  unsigned long long v;
  return number("address", &v) ? v : real_GetBufferDeviceAddress(d, i);
}

static void VKAPI_CALL our_GetPhysicalDeviceFeatures2(VkPhysicalDevice p,
                                                      VkPhysicalDeviceFeatures2 *f) {
  real_GetPhysicalDeviceFeatures2(p, f);
  change(f, features, COUNT(features), true);
}

static void VKAPI_CALL our_GetPhysicalDeviceProperties2(VkPhysicalDevice p,
                                                        VkPhysicalDeviceProperties2 *q) {
  real_GetPhysicalDeviceProperties2(p, q);
  change(q, numbers, COUNT(numbers), false);
}

static void VKAPI_CALL our_GetPhysicalDeviceProperties(VkPhysicalDevice p,
                                                       VkPhysicalDeviceProperties *q) {
  VkPhysicalDeviceProperties2 whole = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  real_GetPhysicalDeviceProperties(p, &whole.properties);
  change(&whole, numbers, COUNT(numbers), false);
  *q = whole.properties;
}

static VkResult VKAPI_CALL our_EnumerateDeviceExtensionProperties(
    VkPhysicalDevice p, const char *layer, uint32_t *n, VkExtensionProperties *x) {
  uint32_t all = 0, kept = 0, room = *n;
  VkResult r;
  if (fails("vkEnumerateDeviceExtensionProperties", &r)) return r;
  r = real_EnumerateDeviceExtensionProperties(p, layer, &all, NULL);
  VkExtensionProperties *own = calloc(all + 1, sizeof *own);
  if (r < 0 || !own) return VK_ERROR_OUT_OF_HOST_MEMORY;
  real_EnumerateDeviceExtensionProperties(p, layer, &all, own);
  if (!layer && has_statistics()) strcpy(own[all++].extensionName, STATISTICS);
  for (uint32_t i = 0; i < all; i++) {
    if (hidden(own[i].extensionName)) continue;
    if (x && kept < room) x[kept] = own[i];
    kept++;
  }
  free(own);
  *n = x && room < kept ? room : kept;
  return x && room < kept ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ── where the loader finds them ────────────────────────────────────────────────────── */

static PFN_vkVoidFunction VKAPI_CALL our_GetDeviceProcAddr(VkDevice d, const char *name);

/* Ours instead of the driver's f, if there is one. */
static PFN_vkVoidFunction ours(const char *name, PFN_vkVoidFunction f) {
#define OWN(call)                                                                        \
  if (has_statistics() && !strcmp(name, "vk" #call))                                     \
    return (PFN_vkVoidFunction)our_##call;
  OWN(GetPipelineExecutablePropertiesKHR)
  OWN(GetPipelineExecutableStatisticsKHR)
  if (!f) return NULL;
#define TAKE(call, function)                                                             \
  if (!strcmp(name, "vk" #call)) {                                                       \
    real_##call = (PFN_vk##call)f;                                                       \
    return (PFN_vkVoidFunction)function;                                                 \
  }
  TAKE(CreateDevice, our_CreateDevice)
  TAKE(CreateShaderModule, our_CreateShaderModule)
  TAKE(CreateComputePipelines, our_CreateComputePipelines)
  TAKE(DestroyPipeline, drop_pipeline)
#define TAKE_MAKE(name, ...) TAKE(name, make_##name)
#define TAKE_OWN(name, ...) TAKE(name, our_##name)
  MAKES(TAKE_MAKE)
  DROPS(TAKE_OWN)
  CALLS(TAKE_OWN)
  TAKE_OWN(DestroyInstance)
  TAKE_OWN(GetDeviceProcAddr)
  TAKE_OWN(GetDeviceQueue)
  TAKE_OWN(GetBufferDeviceAddress)
  TAKE_OWN(GetPhysicalDeviceFeatures2)
  TAKE_OWN(GetPhysicalDeviceProperties)
  TAKE_OWN(GetPhysicalDeviceProperties2)
  TAKE_OWN(EnumerateDeviceExtensionProperties)
  return f;
}

static PFN_vkVoidFunction VKAPI_CALL our_GetDeviceProcAddr(VkDevice d, const char *name) {
  return ours(name, real_GetDeviceProcAddr(d, name));
}

static void *driver(const char *name) {
  static void *lib;
  const char *path = getenv("WRAP_DRIVER");
  if (!lib && path) lib = dlopen(path, RTLD_NOW);
  if (lib) return dlsym(lib, name);
  fprintf(stderr, "wrapper: WRAP_DRIVER names no driver's library\n");
  exit(2);
}

EXPORTED VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);
EXPORTED PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance i, const char *name);
EXPORTED PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance i,
                                                            const char *name);

VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
  typedef VkResult f(uint32_t *);
  return ((f *)driver("vk_icdNegotiateLoaderICDInterfaceVersion"))(version);
}

PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance i, const char *name) {
  return ours(name,
              ((PFN_vkGetInstanceProcAddr)driver("vk_icdGetInstanceProcAddr"))(i, name));
}

PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance i, const char *name) {
  return ours(name, ((PFN_vkGetInstanceProcAddr)driver(
                        "vk_icdGetPhysicalDeviceProcAddr"))(i, name));
}
