/* SPDX-License-Identifier: MIT */
/* open.c - which devices there are, which one is taken, and its opening and closing; or, by the
 * same tests, one that the host program made.
 *
 * A device is described once (describe), and the same description is what gpu_list shows
 * and what gpu_open chooses by, so that the number, name or UUID a user reads is what he
 * may ask for. A device that lacks something we cannot do without is listed with the
 * feature's name in `refused` and is never taken. The automatic choice goes by the kind
 * of device, then by Vulkan's order, and by nothing else: the same machine gives the same
 * device each time.
 *
 * A gpu that is partly open is closed like a whole one: gpu_close looks at each
 * handle. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/arith.h"
#include "known.h"
#include "matrix.h"
#include "../base/str.h"

#define STATISTICS VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME
#define HOST_MEMORY VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME
#define FD_MEMORY VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME
enum { LEAST_WORKGROUP = 256 }; /* of the kernels there are */

/* ── description ────────────────────────────────────────────────────────────────────── */

struct device_ext {
  bool subgroup_size, portability, atomic_float, sm_builtins, statistics, matrix, pci;
  bool host_memory, fd_memory;
};

static bool device_exts(gpu *g, VkPhysicalDevice p, struct device_ext *e) {
  uint32_t n = 0;
  VkExtensionProperties *x = NULL;
  *e = (struct device_ext){0};
  VK(g, EnumerateDeviceExtensionProperties, p, NULL, &n, NULL);
  if (!n) return true;
  x = mem_alloc(g->c, n * sizeof *x);
  if (!x) goto fail;
  VK(g, EnumerateDeviceExtensionProperties, p, NULL, &n, x);
  for (uint32_t i = 0; i < n; i++) {
    const char *s = x[i].extensionName;
    if (!strcmp(s, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) e->subgroup_size = true;
    if (!strcmp(s, "VK_KHR_portability_subset")) e->portability = true;
    if (!strcmp(s, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) e->atomic_float = true;
    if (!strcmp(s, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) e->sm_builtins = true;
    if (!strcmp(s, STATISTICS)) e->statistics = true;
    if (!strcmp(s, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) e->pci = true;
    if (!strcmp(s, VK_MATRIX_EXTENSION)) e->matrix = true;
    if (!strcmp(s, HOST_MEMORY)) e->host_memory = true;
    if (!strcmp(s, FD_MEMORY)) e->fd_memory = true;
  }
  mem_free(g->c, x);
  return true;
fail:
  mem_free(g->c, x);
  return vk_error(g);
}

/* The chain of features; `control` and `atomic_float` say whether the third and the fourth may
 * be asked for. */
static void features_chain(gpu_features *f, bool control, bool atomic_float) {
  *f = (gpu_features){
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT},
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT}};
  f->f.pNext = &f->f12;
  if (control) f->f12.pNext = &f->control;
  if (!atomic_float) return;
  f->atomic.pNext = f->f12.pNext;
  f->f12.pNext = &f->atomic;
}

/* clang-format off */
/* The device's features that kernels and the executor may use. */
#define FEATURES(F) \
  F(f.features, shaderInt64) F(f.features, shaderFloat64) F(f.features, sparseBinding) \
  F(f12, bufferDeviceAddress) F(f12, timelineSemaphore) F(f12, scalarBlockLayout) \
  F(f12, shaderBufferInt64Atomics) F(f12, shaderSubgroupExtendedTypes) \
  F(control, subgroupSizeControl) F(control, computeFullSubgroups) \
  F(atomic, shaderBufferFloat32AtomicAdd) F(atomic, shaderSharedFloat32AtomicAdd)
/* clang-format on */

static void features_and(gpu_features *f, const gpu_features *on) {
#define AND(part, name) f->part.name = f->part.name && on->part.name;
  FEATURES(AND)
#undef AND
}

/* What the device has; of the host program's, what that made it with. */
static void features_of(gpu *g, VkPhysicalDevice p, bool control,
                        const struct device_ext *e, gpu_features *f) {
  features_chain(f, control, e->atomic_float);
  g->vk.GetPhysicalDeviceFeatures2(p, &f->f);
  if (vk_is_given(g)) features_and(f, &g->cfg.given->on);
}

/* The first queue family that computes, or the host program's, and the first that binds sparse
 * memory, the same one if it does both; UINT32_MAX when none does. */
static bool find_families(gpu *g, VkPhysicalDevice p, uint32_t *family, uint32_t *bind,
                          uint32_t *stamp_bits) {
  uint32_t n = 0;
  *family = *bind = UINT32_MAX;
  g->vk.GetPhysicalDeviceQueueFamilyProperties(p, &n, NULL);
  VkQueueFamilyProperties *q = mem_alloc(g->c, (n + 1) * sizeof *q);
  if (!q) return false;
  g->vk.GetPhysicalDeviceQueueFamilyProperties(p, &n, q);
  for (uint32_t i = n; i-- > 0;) {
    if (vk_is_given(g) && i != g->cfg.given->family) continue;
    if (q[i].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT) *bind = i;
    if (q[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
      *family = i;
      *stamp_bits = q[i].timestampValidBits;
    }
  }
  if (*family < n && (q[*family].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT))
    *bind = *family;
  mem_free(g->c, q);
  return true;
}

static uint64_t largest_local_heap(gpu *g, VkPhysicalDevice p) {
  VkPhysicalDeviceMemoryProperties m;
  uint64_t most = 0;
  g->vk.GetPhysicalDeviceMemoryProperties(p, &m);
  for (uint32_t i = 0; i < m.memoryHeapCount; i++)
    if ((m.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
        m.memoryHeaps[i].size > most)
      most = m.memoryHeaps[i].size;
  return most;
}

static void describe_limits(gpu *g, VkPhysicalDevice p, const struct device_ext *e,
                            gpu_info *i) {
  bool v13 = i->api >= VK_API_VERSION_1_3;
  VkPhysicalDeviceMaintenance4Properties m4 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
      .pNext = v13 ? &m4 : NULL};
  VkPhysicalDeviceVulkan12Properties p12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
      .pNext = v13 || e->subgroup_size ? &sizes : NULL};
  VkPhysicalDeviceVulkan11Properties p11 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &p12};
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sm = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV,
      .pNext = &p11};
  VkPhysicalDeviceProperties2 p2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &p11};
  if (e->sm_builtins) p2.pNext = &sm;
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT,
      .pNext = p2.pNext};
  if (e->pci) p2.pNext = &pci;
  g->vk.GetPhysicalDeviceProperties2(p, &p2);
  const VkPhysicalDeviceLimits *l = &p2.properties.limits;
  /* Both texts are 256 bytes: the driver's release is cut where they do not fit. */
  snprintf(i->driver, sizeof i->driver, "%.100s %.150s", p12.driverName, p12.driverInfo);
  for (unsigned k = 0; k < VK_UUID_SIZE; k++)
    snprintf(i->uuid + 2 * k, 3, "%02x", p11.deviceUUID[k]);
  i->driver_id = p12.driverID;
  i->driver_version = p2.properties.driverVersion;
  i->preserve32 = p12.shaderSignedZeroInfNanPreserveFloat32;
  i->preserve64 = p12.shaderSignedZeroInfNanPreserveFloat64;
  i->subnormal32 = p12.shaderDenormPreserveFloat32;
  i->subnormal64 = p12.shaderDenormPreserveFloat64;
  i->subgroup = i->subgroup_min = i->subgroup_max = p11.subgroupSize;
  if (p12.pNext && sizes.minSubgroupSize) {
    i->subgroup_min = sizes.minSubgroupSize;
    i->subgroup_max = sizes.maxSubgroupSize;
    i->max_subgroups = sizes.maxComputeWorkgroupSubgroups;
    i->subgroup_control = sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT;
  }
  VkSubgroupFeatureFlags can = 0;
  if (p11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
    can = p11.subgroupSupportedOperations;
  i->shuffle = can & VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  i->vote = can & VK_SUBGROUP_FEATURE_VOTE_BIT;
  i->ballot = can & VK_SUBGROUP_FEATURE_BALLOT_BIT;
  i->arithmetic = can & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  i->clustered = can & VK_SUBGROUP_FEATURE_CLUSTERED_BIT;
  i->max_workgroup =
      (uint32_t)min_u64(l->maxComputeWorkGroupInvocations, l->maxComputeWorkGroupSize[0]);
  i->max_groups_x = l->maxComputeWorkGroupCount[0];
  i->max_shared = l->maxComputeSharedMemorySize;
  i->max_allocation = p11.maxMemoryAllocationSize;
  i->max_sparse = l->sparseAddressSpaceSize;
  i->max_buffer = v13 ? m4.maxBufferSize : UINT64_MAX;
  i->timestamp_ns = (double)l->timestampPeriod;
  i->processors = sm.shaderSMCount;
  i->pci = (uint64_t)pci.pciDomain << 24 | pci.pciBus << 16 | pci.pciDevice << 8 |
           pci.pciFunction;
}

/* What the device does with memory of that sort for buffers. */
static VkExternalMemoryFeatureFlags
external_features(gpu *g, VkPhysicalDevice p, VkExternalMemoryHandleTypeFlagBits how) {
  VkPhysicalDeviceExternalBufferInfo asked = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
      .usage = VK_BUFFER_USES,
      .handleType = how};
  VkExternalBufferProperties can = {.sType =
                                        VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  g->vk.GetPhysicalDeviceExternalBufferProperties(p, &asked, &can);
  return can.externalMemoryProperties.externalMemoryFeatures;
}

static bool can_import(gpu *g, VkPhysicalDevice p,
                       VkExternalMemoryHandleTypeFlagBits how) {
  return external_features(g, p, how) & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
}

static uint64_t host_align_of(gpu *g, VkPhysicalDevice p) {
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 p2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &host};
  g->vk.GetPhysicalDeviceProperties2(p, &p2);
  return host.minImportedHostPointerAlignment;
}

/* Takes from i what its driver is known not to have. */
static void doubt_features(gpu_info *i) {
  uint32_t doubts = vk_doubts(i->driver_id, i->driver_version);
  i->ordered = !(doubts & DOUBT_ORDER);
  i->short_loops = doubts & DOUBT_LONG_LOOPS;
  i->rounds64 = !(doubts & DOUBT_ROUND64);
  if (doubts & DOUBT_WIDE) i->shuffle64 = false;
  if (doubts & DOUBT_SCANS) i->arithmetic = i->clustered = false;
}

/* Takes from i the features that the mask names. */
static void mask_features(const char *mask, gpu_info *i) {
  const struct {
    const char *name;
    bool *has;
  } can[] = {{"fp64", &i->float64},          {"int64", &i->int64},
             {"shuffle", &i->shuffle},       {"vote", &i->vote},
             {"ballot", &i->ballot},         {"arithmetic", &i->arithmetic},
             {"clustered", &i->clustered},   {"extended", &i->shuffle64},
             {"atomic64", &i->atomic_i64},   {"sparse", &i->sparse},
             {"statistics", &i->statistics}, {"matrix", &i->matrix},
             {"halves", &i->halves},         {"import", &i->import_fd},
             {"ordered", &i->ordered}};
  while (mask && *mask) {
    size_t n = strcspn(mask, ", ");
    for (size_t k = 0; k < ARRAY_LEN(can); k++)
      if (n == strlen(can[k].name) && !memcmp(mask, can[k].name, n)) *can[k].has = false;
    if (n == 6 && !memcmp(mask, "import", n)) i->host_align = 0;
    if (n == 9 && !memcmp(mask, "workgroup", n)) i->max_workgroup = LEAST_WORKGROUP / 2;
    mask += n + (mask[n] == ',');
    if (*mask == ' ') break;
  }
}

/* Kernels have pairs of words for 64-bit integers then (codegen/spv_wide.c), and offsets of 32
 * bits behind an array's address. What is 64 bits wide besides is not used. */
static void without_int64(gpu_info *i) {
  i->float64 = i->shuffle64 = i->atomic_i64 = i->sparse = i->matrix = i->halves = false;
  i->max_allocation = min_u64(i->max_allocation, UINT32_MAX - 65535);
}

/* What gpu_list shows of a device. */
static bool describe(gpu *g, VkPhysicalDevice p, int index, gpu_info *i) {
  VkPhysicalDeviceProperties base;
  struct device_ext e;
  gpu_features f;
  uint32_t family, bind, bits = 0;
  g->vk.GetPhysicalDeviceProperties(p, &base);
  *i = (gpu_info){.index = index,
                  .cpu = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                  .discrete = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
                  .integrated = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
                  .virtual_gpu = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU,
                  .api = base.apiVersion,
                  .vendor = base.vendorID};
  if (g->cfg.given) i->api = (uint32_t)min_u64(i->api, g->cfg.given->api);
  snprintf(i->name, sizeof i->name, "%s", base.deviceName);
  i->memory_bytes = largest_local_heap(g, p);
  if (i->api < VK_API_VERSION_1_2) {
    snprintf(i->refused, sizeof i->refused, "Vulkan 1.2 (this is %u.%u)",
             VK_API_VERSION_MAJOR(i->api), VK_API_VERSION_MINOR(i->api));
    return true;
  }
  if (!device_exts(g, p, &e) || !find_families(g, p, &family, &bind, &bits)) return false;
  describe_limits(g, p, &e, i);
  features_of(g, p, i->subgroup_control, &e, &f);
  i->atomic_f32 = f.atomic.shaderBufferFloat32AtomicAdd;
  i->shared_atomic_f32 = f.atomic.shaderSharedFloat32AtomicAdd;
  i->float64 = f.f.features.shaderFloat64;
  i->int64 = f.f.features.shaderInt64;
  i->shuffle64 = f.f12.shaderSubgroupExtendedTypes;
  i->atomic_i64 = f.f12.shaderBufferInt64Atomics;
  i->sparse = f.f.features.sparseBinding && bind != UINT32_MAX;
  i->subgroup_control = i->subgroup_control && f.control.subgroupSizeControl &&
                        f.control.computeFullSubgroups;
  if (!bits) i->timestamp_ns = 0;
  i->statistics = e.statistics && !vk_is_given(g); /* that was made without */
  uint32_t matrices = e.matrix && !vk_is_given(g) ? vk_matrices(g, p, &f) : 0;
  i->matrix = matrices & MATRICES_OF_BYTES;
  i->halves = matrices & MATRICES_OF_F16;
  if (e.host_memory && !vk_is_given(g) && can_import(g, p, VK_HOST_MEMORY))
    i->host_align = host_align_of(g, p);
  i->import_fd = e.fd_memory && !vk_is_given(g) && can_import(g, p, VK_FD_MEMORY);
  doubt_features(i);
  mask_features(g->cfg.mask, i);
  if (!i->int64) without_int64(i);
  /* Kernels count in 64 bits: without them in subgroups they shuffle two words. */
  i->arithmetic = i->arithmetic && i->shuffle64;
  i->clustered = i->clustered && i->shuffle64;
  const char *lacks = "";
  if (family == UINT32_MAX) lacks = "a compute queue";
  else if (!f.f12.bufferDeviceAddress) lacks = "bufferDeviceAddress";
  else if (!f.f12.timelineSemaphore) lacks = "timelineSemaphore";
  else if (!i->memory_bytes) lacks = "device-local memory";
  else if (!i->shuffle) lacks = "subgroup shuffles in compute shaders";
  else if (!i->vote) lacks = "subgroup votes in compute shaders";
  else if (!i->ballot) lacks = "subgroup ballots in compute shaders";
  snprintf(i->refused, sizeof i->refused, "%s", lacks);
  if (!*lacks && i->max_workgroup < LEAST_WORKGROUP)
    snprintf(i->refused, sizeof i->refused, "workgroups of %d invocations (it has %u)",
             LEAST_WORKGROUP, i->max_workgroup);
  return true;
}

static VkResult list_devices(gpu *g, uint32_t *count, VkPhysicalDevice *out) {
  const gpu_given *at = g->cfg.given;
  if (!at) return VK_CALL(g, EnumeratePhysicalDevices, g->instance, count, out);
  *count = 1;
  if (out) *out = at->physical;
  return VK_SUCCESS;
}

/* Describes all devices, or the host program's alone; *infos and *physical are mem_alloc'ed,
 * NULL when *n is 0. */
static bool describe_all(gpu *g, gpu_info **infos, VkPhysicalDevice **physical, int *n) {
  uint32_t count = 0;
  *infos = NULL;
  *physical = NULL;
  *n = 0;
  VkResult r = list_devices(g, &count, NULL);
  if (r == VK_ERROR_INITIALIZATION_FAILED) return true; /* drivers, but no hardware */
  g->call = "vkEnumeratePhysicalDevices";
  if ((g->result = r) < 0) goto fail;
  if (!count) return true;
  *physical = mem_alloc(g->c, count * sizeof **physical);
  *infos = mem_alloc(g->c, count * sizeof **infos);
  if (!*physical || !*infos) goto fail;
  if ((g->result = list_devices(g, &count, *physical)) < 0) goto fail;
  for (uint32_t i = 0; i < count; i++)
    if (!describe(g, (*physical)[i], (int)i, &(*infos)[i])) goto fail;
  *n = (int)count;
  return true;
fail:
  mem_free(g->c, *physical);
  mem_free(g->c, *infos);
  *physical = NULL;
  *infos = NULL;
  return vk_error(g);
}

bool gpu_list(ctx *c, gpu_info **out, int *n, char why[160]) {
  char reason[160] = "";
  VkPhysicalDevice *physical = NULL;
  *out = NULL;
  *n = 0;
  gpu *g = mem_zalloc(c, sizeof *g);
  if (!g) return false;
  g->c = c;
  bool ok =
      vk_instance_open(g, reason) && (!g->instance || describe_all(g, out, &physical, n));
  if (ok && g->instance && *n == 0)
    snprintf(reason, sizeof reason, "no Vulkan driver shows a device");
  if (why) memcpy(why, reason, sizeof reason);
  vk_instance_close(g);
  mem_free(c, physical);
  mem_free(c, g);
  return ok;
}

/* ── choice ─────────────────────────────────────────────────────────────────────────── */

static int rank_of(const gpu_info *i) {
  if (i->discrete) return 4;
  if (i->integrated) return 3;
  if (i->virtual_gpu) return 2;
  return i->cpu;
}

static bool name_has(const char *name, const char *part) {
  size_t n = strlen(part);
  for (; *name; name++) {
    size_t k = 0;
    while (k < n && name[k] &&
           tolower((unsigned char)name[k]) == tolower((unsigned char)part[k]))
      k++;
    if (k == n) return true;
  }
  return false;
}

/* A UUID as 32 hexadecimal digits, dashes anywhere. */
static bool uuid_is(const char *uuid, const char *want) {
  for (; *want; want++) {
    if (*want == '-') continue;
    if (!*uuid || tolower((unsigned char)*want) != *uuid++) return false;
  }
  return !*uuid;
}

static bool matches(const gpu_info *i, const char *want) {
  const char *digits = want + (*want == '#');
  size_t n = strspn(digits, "0123456789");
  if (!*want || !strcmp(want, "auto")) return true;
  if (n && n < 9 && !digits[n]) return atoi(digits) == i->index;
  if (!strcmp(want, "cpu")) return i->cpu;
  return name_has(i->name, want) || (i->uuid[0] && uuid_is(i->uuid, want));
}

static bool is_before(const gpu_info *x, const gpu_info *y) {
  if (x->pci != y->pci) return x->pci < y->pci;
  return x->index < y->index;
}

/* May it be taken as well as that one? */
static bool is_alike(const gpu_info *x, const gpu_info *best) {
  return !x->refused[0] && rank_of(x) == rank_of(best);
}

/* Of the devices that are as good as number `best`, the nth by address, and round again. */
static int nth_of(const gpu_info *infos, int n, int best, int nth) {
  int alike = 0;
  for (int i = 0; i < n; i++) alike += is_alike(&infos[i], &infos[best]);
  for (int i = 0; i < n; i++) {
    int before = 0;
    for (int k = 0; k < n; k++)
      before += is_alike(&infos[k], &infos[best]) && is_before(&infos[k], &infos[i]);
    if (is_alike(&infos[i], &infos[best]) && before == (nth - 1) % alike) return i;
  }
  return best;
}

int gpu_choose(ctx *c, const gpu_info *infos, int n, const char *want, int nth) {
  int best = -1, refused = -1;
  bool automatic = !want || !*want || !strcmp(want, "auto");
  for (int i = 0; i < n; i++) {
    if (!automatic && !matches(&infos[i], want)) continue;
    if (infos[i].refused[0]) {
      if (refused < 0) refused = i;
    } else if (best < 0 || (automatic && rank_of(&infos[i]) > rank_of(&infos[best])))
      best = i;
  }
  if (best >= 0 && automatic && nth > 0) return nth_of(infos, n, best, nth);
  if (best >= 0) return best;
  if (refused >= 0) {
    err_set(c, ERR_DEVICE, "%.80s cannot be used: it lacks %s", infos[refused].name,
            infos[refused].refused);
    return -1;
  }
  OWNED_STR str there = {.c = c};
  for (int i = 0; i < n; i++)
    str_printf(&there, "%s#%d %s%s", i ? ", " : "", i, infos[i].name,
               infos[i].refused[0] ? " (refused)" : "");
  if (!there.failed)
    err_set(c, ERR_DEVICE, "no device is \"%.60s\"; there is %s", want, there.at);
  return -1;
}

/* ── opening ────────────────────────────────────────────────────────────────────────── */

/* What the device is made with. */
struct wanted {
  gpu_features f;
  const char *ext[GPU_EXTENSIONS];
  uint32_t n_ext;
};

static void choose_features(gpu *g, const struct device_ext *e, struct wanted *w) {
  gpu_features have;
  bool control = g->info.subgroup_control;
  features_of(g, g->physical, control, e, &have);
  features_chain(&w->f, control, e->atomic_float);
#define TAKE(part, name) w->f.part.name = have.part.name;
  FEATURES(TAKE)
#undef TAKE
  w->f.f.features.shaderFloat64 &= g->info.float64;
  w->f.f.features.shaderInt64 &= g->info.int64;
  w->f.f12.shaderSubgroupExtendedTypes &= g->info.shuffle64;
  w->n_ext = 0;
  if (control && g->info.api < VK_API_VERSION_1_3)
    w->ext[w->n_ext++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
  if (e->portability) w->ext[w->n_ext++] = "VK_KHR_portability_subset";
  if (e->atomic_float) w->ext[w->n_ext++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
}

/* Makes the logical device, with one queue, or two where another family binds sparse
 * memory. */
static bool create_device(gpu *g, const struct device_ext *e) {
  struct wanted want;
  const float priority = 1;
  const char *ext[GPU_EXTENSIONS + 4];
  choose_features(g, e, &want);
  memcpy(ext, want.ext, sizeof want.ext);
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
      .sType =
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      .pNext = &want.f.f,
      .pipelineExecutableInfo = VK_TRUE};
  VkDeviceQueueCreateInfo queue[2] = {
      {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
       .queueFamilyIndex = g->family,
       .queueCount = 1,
       .pQueuePriorities = &priority}};
  queue[1] = queue[0];
  queue[1].queueFamilyIndex = g->bind_family;
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &want.f.f,
                             .queueCreateInfoCount = 1 + (g->bind_family != g->family),
                             .pQueueCreateInfos = queue,
                             .enabledExtensionCount = want.n_ext,
                             .ppEnabledExtensionNames = ext};
  if (g->info.statistics) { /* the extension implies the feature */
    info.pNext = &statistics;
    ext[info.enabledExtensionCount++] = STATISTICS;
  }
  if (g->info.host_align) ext[info.enabledExtensionCount++] = HOST_MEMORY;
  VkExternalMemoryFeatureFlags fds = 0;
  if (e->fd_memory) fds = external_features(g, g->physical, VK_FD_MEMORY);
  g->can_export = (fds & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) &&
                  !(fds & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT);
  if (g->info.import_fd || g->can_export) ext[info.enabledExtensionCount++] = FD_MEMORY;
  vk_matrix_features matrix = VK_MATRIX_FEATURES;
  if (g->info.matrix || g->info.halves) {
    matrix.on = VK_TRUE;
    matrix.next = want.f.f.pNext;
    want.f.f.pNext = &matrix;
    want.f.f12.shaderInt8 = g->info.matrix;
    want.f.f12.shaderFloat16 = g->info.halves;
    want.f.f12.vulkanMemoryModel = VK_TRUE;
    want.f.f12.vulkanMemoryModelDeviceScope = VK_TRUE;
    ext[info.enabledExtensionCount++] = VK_MATRIX_EXTENSION;
  }
  VK_NEW(g, &g->device, CreateDevice, g->physical, &info);
  return true;
fail:
  return vk_error(g);
}

static bool logical_device_open(gpu *g) {
  struct device_ext e;
  if (!device_exts(g, g->physical, &e) ||
      !find_families(g, g->physical, &g->family, &g->bind_family, &g->timestamp_bits))
    return false;
  if (!g->info.sparse) g->bind_family = g->family;
  if (vk_is_given(g)) g->device = g->cfg.given->device;
  else if (!create_device(g, &e)) return false;
  const char *missing = vk_load_device(&g->vk, g->device);
  if (missing) return err_set(g->c, ERR_DEVICE, "its driver lacks %s", missing);
  if (vk_is_given(g)) {
    g->queue = g->bind_queue = g->cfg.given->queue;
  } else {
    g->vk.GetDeviceQueue(g->device, g->family, 0, &g->queue);
    g->vk.GetDeviceQueue(g->device, g->bind_family, 0, &g->bind_queue);
  }
  if (!g->queue || !g->bind_queue)
    return err_set(g->c, ERR_DEVICE, "its driver gives no queue");
  if (!g->vk.QueueBindSparse) g->info.sparse = false;
  if (!g->vk.GetPipelineExecutablePropertiesKHR ||
      !g->vk.GetPipelineExecutableStatisticsKHR)
    g->info.statistics = false;
  if (!g->vk.GetMemoryHostPointerPropertiesEXT) g->info.host_align = 0;
  if (!g->vk.GetMemoryFdKHR) g->can_export = false;
  return true;
}

/* Finds the device and takes its limits. */
static bool physical_open(gpu *g, const char *want) {
  char why[160] = "no Vulkan driver shows a device";
  gpu_info *infos = NULL;
  VkPhysicalDevice *physical = NULL;
  VkPhysicalDeviceProperties base;
  int n = 0, i = -1;
  if (!vk_instance_open(g, why) ||
      (g->instance && !describe_all(g, &infos, &physical, &n)))
    return false;
  if (!n) return err_set(g->c, ERR_DEVICE, "there is no GPU to open: %s", why);
  i = gpu_choose(g->c, infos, n, want, g->cfg.nth);
  if (i >= 0) {
    g->info = infos[i];
    if (g->cfg.max_allocation && g->cfg.max_allocation < g->info.max_allocation)
      g->info.max_allocation = g->cfg.max_allocation;
    g->physical = physical[i];
    g->vk.GetPhysicalDeviceProperties(g->physical, &base);
    g->max_groups_y = base.limits.maxComputeWorkGroupCount[1];
    g->vk.GetPhysicalDeviceMemoryProperties(g->physical, &g->memory);
  }
  mem_free(g->c, infos);
  mem_free(g->c, physical);
  return i >= 0;
}

bool gpu_wants(ctx *c, gpu_given *at, const char *ext[GPU_EXTENSIONS], uint32_t *n_ext) {
  struct device_ext e;
  struct wanted w = {.n_ext = 0};
  uint32_t bind, bits;
  gpu *g = mem_zalloc(c, sizeof *g);
  if (!g) return false;
  g->c = c;
  g->cfg.given = at;
  bool ok = physical_open(g, NULL) && device_exts(g, g->physical, &e) &&
            find_families(g, g->physical, &at->family, &bind, &bits);
  if (ok) {
    choose_features(g, &e, &w);
    memcpy(ext, w.ext, sizeof w.ext);
    *n_ext = w.n_ext;
    at->on = w.f;
  }
  mem_free(c, g);
  return ok;
}

/* The error says which device it was. */
static void cannot_open(gpu *g) {
  if (!g->physical || !err_is(g->c)) return;
  err was = err_take(g->c);
  err_set(g->c, was.code, "%.80s cannot be opened: %.380s", g->info.name, was.msg);
  err_drop(g->c, &was);
}

gpu *gpu_open(ctx *c, const gpu_config *cfg) {
  gpu *g = mem_zalloc(c, sizeof *g);
  if (!g) return NULL;
  g->c = c;
  vk_fork_open(g);
  if (cfg) g->cfg = *cfg;
  if (physical_open(g, g->cfg.device) && logical_device_open(g) && vk_memory_open(g) &&
      vk_queue_open(g) && vk_pipeline_open(g)) {
    g->cfg.device = g->cfg.cache_dir = g->cfg.mask =
        NULL; /* the caller's; not needed any more */
    return g;
  }
  cannot_open(g);
  gpu_close(g);
  return NULL;
}

void gpu_close(gpu *g) {
  if (!g || vk_is_forked(g)) return; /* a child leaves it all where it is */
  ctx *c = g->c;
  if (g->device && g->vk.DestroyDevice) {
    vk_idle(g);
    vk_pipeline_close(g);
    vk_transfer_close(g);
    vk_queue_close(g);
    vk_memory_close(g);
    if (!g->cfg.given) g->vk.DestroyDevice(g->device, NULL);
  }
  vk_instance_close(g);
  vk_fork_close(g);
  mem_free(c, g->cache_file);
  mem_free(c, g);
}

const gpu_info *gpu_get_info(const gpu *g) { return &g->info; }

void gpu_set_subgroup(gpu *g, uint32_t threads) {
  g->info.subgroup = g->info.subgroup_min = g->info.subgroup_max = threads;
  g->info.subgroup_control = false;
}

const char *gpu_known(const gpu_info *i, int n, const char **where) {
  return vk_known_of(i->driver_id, i->driver_version, n, where);
}

int gpu_validation_messages(const gpu *g) { return g->messages; }
gpu_usage gpu_get_usage(const gpu *g) {
  gpu_usage u = g->usage;
  u.limit = g->limit;
  return u;
}
