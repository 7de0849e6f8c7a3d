/* SPDX-License-Identifier: MIT */
/* instance.c - Vulkan's instance: made with the validation layer if that is asked for, or the
 * host program's (share.h), and what there is to say where none can be made. */
#include <stdio.h>
#include <string.h>
#include "share.h"

#define VALIDATION "VK_LAYER_KHRONOS_validation"

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

/* The layers and extensions that the instance offers and that are asked for. */
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

static bool instance_given(gpu *g, VkInstance instance) {
  g->instance = instance;
  const char *missing = vk_load_instance(&g->vk, instance);
  return !missing || err_set(g->c, ERR_DEVICE, "the instance has no %s", missing);
}

bool vk_instance_open(gpu *g, char why[160]) {
  uint32_t version = 0;
  struct instance_has has;
  const gpu_given *at = g->cfg.given;
  if (at && at->get_proc) {
    g->vk.GetInstanceProcAddr = at->get_proc;
  } else if (!vk_load_global(&g->vk, &version)) {
    snprintf(why, 160, "no Vulkan loader (libvulkan.so.1) is installed");
    return true;
  }
  if (at) return instance_given(g, at->instance);
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
  VK_NEW(g, &g->messenger, CreateDebugUtilsMessengerEXT, g->instance, &messages);
  return true;
fail:
  return vk_error(g);
}

void vk_instance_close(gpu *g) {
  if (g->cfg.given) return;
  if (g->messenger) g->vk.DestroyDebugUtilsMessengerEXT(g->instance, g->messenger, NULL);
  if (g->instance && g->vk.DestroyInstance) g->vk.DestroyInstance(g->instance, NULL);
}
