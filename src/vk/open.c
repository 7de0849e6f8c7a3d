/* SPDX-License-Identifier: MIT */
/* open.c - which devices there are, which one is taken, and its opening and closing.
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
#include "vk.h"
#include "../base/str.h"

#define VALIDATION "VK_LAYER_KHRONOS_validation"

/* ── instance ───────────────────────────────────────────────────────────────────────── */

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  gpu *g = user;
  UNUSED(severity);
  UNUSED(type);
  g->messages++;
  if (g->cfg.log) g->cfg.log(g->cfg.log_user, data->pMessage);
  return VK_FALSE;
}

/* Whether the layer (NULL: the loader and its drivers) offers an instance extension;
 * *found false on failure. */
static bool instance_has(gpu *g, const char *layer, const char *ext, bool *found) {
  uint32_t n = 0;
  VkExtensionProperties *p = NULL;
  *found = false;
  VK(g, EnumerateInstanceExtensionProperties, layer, &n, NULL);
  if (!n) return true;
  p = mem_alloc(g->c, n * sizeof *p);
  if (!p) goto fail;
  VK(g, EnumerateInstanceExtensionProperties, layer, &n, p);
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(p[i].extensionName, ext)) *found = true;
  mem_free(g->c, p);
  return true;
fail:
  mem_free(g->c, p);
  return vk_error(g);
}

static bool has_validation(gpu *g, bool *found) {
  uint32_t n = 0;
  VkLayerProperties *p = NULL;
  *found = false;
  VK(g, EnumerateInstanceLayerProperties, &n, NULL);
  if (!n) return true;
  p = mem_alloc(g->c, n * sizeof *p);
  if (!p) goto fail;
  VK(g, EnumerateInstanceLayerProperties, &n, p);
  for (uint32_t i = 0; i < n; i++)
    if (!strcmp(p[i].layerName, VALIDATION)) *found = true;
  mem_free(g->c, p);
  return true;
fail:
  mem_free(g->c, p);
  return vk_error(g);
}

/* What the instance can have, and is asked for. */
struct instance_has {
  bool portability, validation, debug;
};

static bool instance_ask(gpu *g, struct instance_has *has) {
  *has = (struct instance_has){0};
  if (!instance_has(g, NULL, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME,
                    &has->portability))
    return false;
  if (!g->cfg.validate) return true;
  if (!has_validation(g, &has->validation)) return false;
  if (!has->validation) return true;
  return instance_has(g, NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, &has->debug);
}

/* Creates the instance, without its functions. True without an instance: there is no
 * driver. */
static bool instance_make(gpu *g, const struct instance_has *has, uint32_t version,
                          VkDebugUtilsMessengerCreateInfoEXT *messages) {
  const char *layer = VALIDATION, *ext[3];
  uint32_t n_ext = 0;
  VkValidationFeatureEnableEXT synchronisation =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT checks = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                    .pNext = messages,
                                    .enabledValidationFeatureCount = 1,
                                    .pEnabledValidationFeatures = &synchronisation};
  VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                           .pApplicationName = "vapl",
                           .apiVersion = VK_API_VERSION_1_2};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &app,
                               .enabledLayerCount = has->validation,
                               .ppEnabledLayerNames = &layer,
                               .ppEnabledExtensionNames = ext};
  if (version >= VK_API_VERSION_1_3) app.apiVersion = VK_API_VERSION_1_3;
  if (has->portability) {
    ext[n_ext++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }
  if (has->debug) {
    ext[n_ext++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    ext[n_ext++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;
    info.pNext = &checks;
  }
  info.enabledExtensionCount = n_ext;
  g->result = VK_CALL(g, CreateInstance, &info, NULL, &g->instance);
  if (g->result >= 0) return true;
  g->instance = VK_NULL_HANDLE;
  if (g->result == VK_ERROR_INCOMPATIBLE_DRIVER) return true;
  g->call = "vkCreateInstance";
  return vk_error(g);
}

/* What the loader complained of first. */
static VKAPI_ATTR VkBool32 VKAPI_CALL on_complaint(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
  char *first = user;
  const char *text = data->pMessage;
  UNUSED(severity);
  UNUSED(type);
  if (*first || strstr(text, "Found no drivers")) return VK_FALSE;
  if (!strncmp(text, "loader_", 7) && strstr(text, ": ")) text = strstr(text, ": ") + 2;
  snprintf(first, 160, "%s", text);
  return VK_FALSE;
}

/* No instance could be made. Asks the loader again for one, to hear which driver's file or
 * library is at fault: why stays as it is where it is none. A file that is no JSON is to the
 * loader a want of memory; here it is no WS FULL. */
static bool instance_why(gpu *g, char why[160]) {
  char said[160] = "";
  const char *ext = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerCreateInfoEXT messages = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
      .pfnUserCallback = on_complaint,
      .pUserData = said};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pNext = &messages,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = &ext};
  if (g->vk.CreateInstance(&info, NULL, &instance) >= 0) {
    struct vk_table t = g->vk;
    if (!vk_load_instance(&t, instance)) t.DestroyInstance(instance, NULL);
    return !err_is(g->c);
  }
  if (!*said) return !err_is(g->c);
  memcpy(why, said, sizeof said);
  if (!err_is(g->c)) return true;
  err_clear(g->c);
  return err_set(g->c, ERR_DEVICE, "the Vulkan loader stops: %s", said);
}

/* Makes the instance. False: an error is recorded. True without an instance: there is no
 * Vulkan here, and `why` says what is missing. */
static bool instance_open(gpu *g, char why[160]) {
  uint32_t version = 0;
  struct instance_has has;
  if (!vk_load_global(&g->vk, &version)) {
    snprintf(why, 160, "no Vulkan loader (libvulkan.so.1) is installed");
    return true;
  }
  if (version < VK_API_VERSION_1_2) {
    snprintf(why, 160, "the Vulkan loader is older than 1.2");
    return true;
  }
  VkDebugUtilsMessengerCreateInfoEXT messages = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = g};
  bool made = instance_ask(g, &has) && instance_make(g, &has, version, &messages);
  if (!made || !g->instance) {
    snprintf(why, 160, "no Vulkan driver is installed");
    return instance_why(g, why);
  }
  vk_pin_drivers();
  const char *missing = vk_load_instance(&g->vk, g->instance);
  if (missing) return err_set(g->c, ERR_DEVICE, "the Vulkan loader lacks %s", missing);
  if (!has.debug) return true;
  vk_load_debug(&g->vk, g->instance);
  VK(g, CreateDebugUtilsMessengerEXT, g->instance, &messages, NULL, &g->messenger);
  return true;
fail:
  return vk_error(g);
}

static void instance_close(gpu *g) {
  if (g->messenger) g->vk.DestroyDebugUtilsMessengerEXT(g->instance, g->messenger, NULL);
  if (g->instance && g->vk.DestroyInstance) g->vk.DestroyInstance(g->instance, NULL);
}

enum { LEAST_WORKGROUP = 256 }; /* of the kernels there are */

/* ── description ────────────────────────────────────────────────────────────────────── */

struct device_ext {
  bool subgroup_size, portability, atomic_float, sm_builtins;
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
  }
  mem_free(g->c, x);
  return true;
fail:
  mem_free(g->c, x);
  return vk_error(g);
}

/* The feature structs, chained; `control` and `atomic_float` say whether the third and the
 * fourth may be asked for. */
struct features {
  VkPhysicalDeviceFeatures2 f;
  VkPhysicalDeviceVulkan12Features f12;
  VkPhysicalDeviceSubgroupSizeControlFeatures control;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic;
};
static void features_chain(struct features *f, bool control, bool atomic_float) {
  *f = (struct features){
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES},
      {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT}};
  f->f.pNext = &f->f12;
  if (control) f->f12.pNext = &f->control;
  if (!atomic_float) return;
  f->atomic.pNext = f->f12.pNext;
  f->f12.pNext = &f->atomic;
}

/* The first queue family that computes, and the first that binds sparse memory, the same
 * one if it does both; UINT32_MAX when none does. */
static bool find_families(gpu *g, VkPhysicalDevice p, uint32_t *family, uint32_t *bind,
                          uint32_t *stamp_bits) {
  uint32_t n = 0;
  *family = *bind = UINT32_MAX;
  g->vk.GetPhysicalDeviceQueueFamilyProperties(p, &n, NULL);
  VkQueueFamilyProperties *q = mem_alloc(g->c, (n + 1) * sizeof *q);
  if (!q) return false;
  g->vk.GetPhysicalDeviceQueueFamilyProperties(p, &n, q);
  for (uint32_t i = n; i-- > 0;) {
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
  g->vk.GetPhysicalDeviceProperties2(p, &p2);
  const VkPhysicalDeviceLimits *l = &p2.properties.limits;
  /* Both texts are 256 bytes: the driver's release is cut where they do not fit. */
  snprintf(i->driver, sizeof i->driver, "%.100s %.150s", p12.driverName, p12.driverInfo);
  for (unsigned k = 0; k < VK_UUID_SIZE; k++)
    snprintf(i->uuid + 2 * k, 3, "%02x", p11.deviceUUID[k]);
  i->preserve32 = p12.shaderSignedZeroInfNanPreserveFloat32;
  i->preserve64 = p12.shaderSignedZeroInfNanPreserveFloat64;
  i->subgroup = i->subgroup_min = i->subgroup_max = p11.subgroupSize;
  if (p12.pNext && sizes.minSubgroupSize) {
    i->subgroup_min = sizes.minSubgroupSize;
    i->subgroup_max = sizes.maxSubgroupSize;
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
  i->max_allocation = p11.maxMemoryAllocationSize;
  i->max_sparse = l->sparseAddressSpaceSize;
  i->max_buffer = v13 ? m4.maxBufferSize : UINT64_MAX;
  i->timestamp_ns = (double)l->timestampPeriod;
  i->processors = sm.shaderSMCount;
}

/* Takes from i the features that the mask names. */
static void mask_features(const char *mask, gpu_info *i) {
  const struct {
    const char *name;
    bool *has;
  } can[] = {{"fp64", &i->float64},        {"int64", &i->int64},
             {"shuffle", &i->shuffle},     {"vote", &i->vote},
             {"ballot", &i->ballot},       {"arithmetic", &i->arithmetic},
             {"clustered", &i->clustered}, {"extended", &i->shuffle64},
             {"atomic64", &i->atomic_i64}, {"sparse", &i->sparse}};
  while (mask && *mask) {
    size_t n = strcspn(mask, ", ");
    for (size_t k = 0; k < ARRAY_LEN(can); k++)
      if (n == strlen(can[k].name) && !memcmp(mask, can[k].name, n)) *can[k].has = false;
    if (n == 9 && !memcmp(mask, "workgroup", n)) i->max_workgroup = LEAST_WORKGROUP / 2;
    mask += n + (mask[n] == ',');
    if (*mask == ' ') break;
  }
}

/* What gpu_list shows of a device. */
static bool describe(gpu *g, VkPhysicalDevice p, int index, gpu_info *i) {
  VkPhysicalDeviceProperties base;
  struct device_ext e;
  struct features f;
  uint32_t family, bind, bits = 0;
  g->vk.GetPhysicalDeviceProperties(p, &base);
  *i = (gpu_info){.index = index,
                  .cpu = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                  .discrete = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
                  .integrated = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
                  .virtual_gpu = base.deviceType == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU,
                  .api = base.apiVersion};
  snprintf(i->name, sizeof i->name, "%s", base.deviceName);
  i->memory_bytes = largest_local_heap(g, p);
  if (i->api < VK_API_VERSION_1_2) {
    snprintf(i->refused, sizeof i->refused, "Vulkan 1.2 (the driver has %u.%u)",
             VK_API_VERSION_MAJOR(i->api), VK_API_VERSION_MINOR(i->api));
    return true;
  }
  if (!device_exts(g, p, &e) || !find_families(g, p, &family, &bind, &bits)) return false;
  describe_limits(g, p, &e, i);
  features_chain(&f, i->subgroup_control, e.atomic_float);
  g->vk.GetPhysicalDeviceFeatures2(p, &f.f);
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
  mask_features(g->cfg.mask, i);
  /* Kernels count in 64 bits: without them in subgroups they shuffle two words. */
  i->arithmetic = i->arithmetic && i->shuffle64;
  i->clustered = i->clustered && i->shuffle64;
  const char *lacks = "";
  if (family == UINT32_MAX) lacks = "a compute queue";
  else if (!f.f12.bufferDeviceAddress) lacks = "bufferDeviceAddress";
  else if (!f.f12.timelineSemaphore) lacks = "timelineSemaphore";
  else if (!i->int64) lacks = "shaderInt64";
  else if (!i->shuffle) lacks = "subgroup shuffles in compute shaders";
  else if (!i->vote) lacks = "subgroup votes in compute shaders";
  else if (!i->ballot) lacks = "subgroup ballots in compute shaders";
  snprintf(i->refused, sizeof i->refused, "%s", lacks);
  if (!*lacks && i->max_workgroup < LEAST_WORKGROUP)
    snprintf(i->refused, sizeof i->refused, "workgroups of %d invocations (it has %u)",
             LEAST_WORKGROUP, i->max_workgroup);
  return true;
}

/* Describes all devices; *infos and *physical are mem_alloc'ed, NULL when *n is 0. */
static bool describe_all(gpu *g, gpu_info **infos, VkPhysicalDevice **physical, int *n) {
  uint32_t count = 0;
  *infos = NULL;
  *physical = NULL;
  *n = 0;
  VkResult r = VK_CALL(g, EnumeratePhysicalDevices, g->instance, &count, NULL);
  if (r == VK_ERROR_INITIALIZATION_FAILED) return true; /* drivers, but no hardware */
  if ((g->result = r) < 0) {
    g->call = "vkEnumeratePhysicalDevices";
    goto fail;
  }
  if (!count) return true;
  *physical = mem_alloc(g->c, count * sizeof **physical);
  *infos = mem_alloc(g->c, count * sizeof **infos);
  if (!*physical || !*infos) goto fail;
  VK(g, EnumeratePhysicalDevices, g->instance, &count, *physical);
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
      instance_open(g, reason) && (!g->instance || describe_all(g, out, &physical, n));
  if (ok && g->instance && *n == 0)
    snprintf(reason, sizeof reason, "no Vulkan driver shows a device");
  if (why) memcpy(why, reason, sizeof reason);
  instance_close(g);
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

/* The index of the device to take, or -1 after recording why there is none. */
static int choose(ctx *c, const gpu_info *infos, int n, const char *want) {
  int best = -1, refused = -1;
  bool automatic = !want || !*want || !strcmp(want, "auto");
  for (int i = 0; i < n; i++) {
    if (!automatic && !matches(&infos[i], want)) continue;
    if (infos[i].refused[0]) {
      if (refused < 0) refused = i;
    } else if (best < 0 || (automatic && rank_of(&infos[i]) > rank_of(&infos[best])))
      best = i;
  }
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

/* Those of the device's features that kernels and the executor may use. */
static void choose_features(const gpu *g, const struct device_ext *e,
                            struct features *want) {
  struct features have;
  bool control = g->info.subgroup_control;
  features_chain(&have, control, e->atomic_float);
  g->vk.GetPhysicalDeviceFeatures2(g->physical, &have.f);
  features_chain(want, control, e->atomic_float);
#define TAKE(part, name) want->part.name = have.part.name
  TAKE(f.features, shaderInt64);
  TAKE(f.features, shaderFloat64);
  TAKE(f.features, shaderInt16);
  TAKE(f.features, sparseBinding);
  TAKE(f12, shaderInt8);
  TAKE(f12, shaderBufferInt64Atomics);
  TAKE(f12, bufferDeviceAddress);
  TAKE(f12, timelineSemaphore);
  TAKE(f12, scalarBlockLayout);
  TAKE(f12, shaderSubgroupExtendedTypes);
  TAKE(f12, vulkanMemoryModel);
  TAKE(f12, vulkanMemoryModelDeviceScope);
  TAKE(atomic, shaderBufferFloat32AtomicAdd);
  TAKE(atomic, shaderSharedFloat32AtomicAdd);
#undef TAKE
  want->f.features.shaderFloat64 &= g->info.float64;
  want->f12.shaderSubgroupExtendedTypes &= g->info.shuffle64;
  want->control.subgroupSizeControl = want->control.computeFullSubgroups = VK_TRUE;
}

/* Makes the logical device, with one queue, or two where another family binds sparse
 * memory. */
static bool create_device(gpu *g, const struct device_ext *e) {
  struct features want;
  const char *ext[3];
  uint32_t n_ext = 0;
  const float priority = 1;
  choose_features(g, e, &want);
  if (g->info.subgroup_control && g->info.api < VK_API_VERSION_1_3)
    ext[n_ext++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
  if (e->portability) ext[n_ext++] = "VK_KHR_portability_subset";
  if (e->atomic_float) ext[n_ext++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
  VkDeviceQueueCreateInfo queue[2] = {
      {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
       .queueFamilyIndex = g->family,
       .queueCount = 1,
       .pQueuePriorities = &priority}};
  queue[1] = queue[0];
  queue[1].queueFamilyIndex = g->bind_family;
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &want.f,
                             .queueCreateInfoCount = 1 + (g->bind_family != g->family),
                             .pQueueCreateInfos = queue,
                             .enabledExtensionCount = n_ext,
                             .ppEnabledExtensionNames = ext};
  VK(g, CreateDevice, g->physical, &info, NULL, &g->device);
  return true;
fail:
  g->device = VK_NULL_HANDLE;
  return vk_error(g);
}

static bool logical_device_open(gpu *g) {
  struct device_ext e;
  if (!device_exts(g, g->physical, &e) ||
      !find_families(g, g->physical, &g->family, &g->bind_family, &g->timestamp_bits))
    return false;
  if (!g->info.sparse) g->bind_family = g->family;
  if (!create_device(g, &e)) return false;
  const char *missing = vk_load_device(&g->vk, g->device);
  if (missing)
    return err_set(g->c, ERR_DEVICE, "the driver of %.80s lacks %s", g->info.name,
                   missing);
  g->vk.GetDeviceQueue(g->device, g->family, 0, &g->queue);
  g->vk.GetDeviceQueue(g->device, g->bind_family, 0, &g->bind_queue);
  if (!g->vk.QueueBindSparse) g->info.sparse = false;
  return true;
}

/* Finds the device and takes its limits. */
static bool physical_open(gpu *g, const char *want) {
  char why[160] = "no Vulkan driver shows a device";
  gpu_info *infos = NULL;
  VkPhysicalDevice *physical = NULL;
  VkPhysicalDeviceProperties base;
  int n = 0, i = -1;
  if (!instance_open(g, why) || (g->instance && !describe_all(g, &infos, &physical, &n)))
    return false;
  if (!n) return err_set(g->c, ERR_DEVICE, "there is no GPU to open: %s", why);
  i = choose(g->c, infos, n, want);
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

gpu *gpu_open(ctx *c, const gpu_config *cfg) {
  gpu *g = mem_zalloc(c, sizeof *g);
  if (!g) return NULL;
  g->c = c;
  g->opened_by = getpid();
  if (cfg) g->cfg = *cfg;
  if (physical_open(g, g->cfg.device) && logical_device_open(g) && vk_memory_open(g) &&
      vk_queue_open(g) && vk_pipeline_open(g)) {
    g->cfg.device = g->cfg.cache_dir = g->cfg.mask =
        NULL; /* the caller's; not needed any more */
    return g;
  }
  gpu_close(g);
  return NULL;
}

void gpu_close(gpu *g) {
  if (!g || vk_is_forked(g)) return; /* a child leaves it all where it is */
  ctx *c = g->c;
  if (g->device && g->vk.DestroyDevice) {
    /* Not through the hook: nothing that the device still works on may be destroyed. On a
     * lost device this returns at once (Vulkan 1.2, 5.2.3). */
    if (g->vk.DeviceWaitIdle) g->vk.DeviceWaitIdle(g->device);
    vk_pipeline_close(g);
    vk_transfer_close(g);
    vk_queue_close(g);
    vk_memory_close(g);
    g->vk.DestroyDevice(g->device, NULL);
  }
  instance_close(g);
  mem_free(c, g->cache_file);
  mem_free(c, g);
}

const gpu_info *gpu_get_info(const gpu *g) { return &g->info; }
int gpu_validation_messages(const gpu *g) { return g->messages; }
gpu_usage gpu_get_usage(const gpu *g) {
  gpu_usage u = g->usage;
  u.limit = g->limit;
  return u;
}
