#ifndef VAPL_VULKAN_H
#define VAPL_VULKAN_H
#include "vapl.h"
#include <vulkan/vulkan_core.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct vapl_vulkan {
  size_t size;
  PFN_vkGetInstanceProcAddr get_proc;
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  uint32_t queue_family;
} vapl_vulkan;
VAPL_API vapl_status vapl_vk_get(vapl *v, vapl_vulkan *out);
typedef struct vapl_vk_device {
  size_t size;
  PFN_vkGetInstanceProcAddr get_proc;
  VkInstance instance;
  uint32_t api_version;
  VkPhysicalDevice physical;
  VkPhysicalDeviceFeatures2 features;
  VkPhysicalDeviceVulkan12Features features12;
  VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroup_size;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
  uint32_t n_extensions;
  const char *extensions[8];
  uint32_t queue_family;
  VkDevice device;
  VkQueue queue;
  void (*lock)(void *user);
  void (*unlock)(void *user);
  void *user;
  char why[256];
} vapl_vk_device;
VAPL_API vapl_status vapl_vk_wants(vapl_vk_device *d);
VAPL_API vapl_status vapl_vk_open(const vapl_config *cfg, vapl_vk_device *d, vapl **out);
typedef struct vapl_vk_buffer {
  size_t size;
  VkBuffer buffer;
  VkDeviceSize offset, bytes;
  VkDeviceAddress address;
  VkSemaphore timeline;
  uint64_t value;
} vapl_vk_buffer;
VAPL_API vapl_status vapl_vk_export(vapl *v, vapl_array *a, vapl_vk_buffer *out);
VAPL_API vapl_status vapl_vk_import(vapl *v, vapl_type t, uint32_t rank,
                                    const int64_t *shape, const vapl_vk_buffer *in,
                                    void (*drop)(void *user, VkBuffer buffer), void *user,
                                    vapl_array **out);
#ifdef __cplusplus
}
#endif
#endif
