/* SPDX-License-Identifier: MIT */
/* vapl_vulkan.h - a GPU that vapl and your program share: a device of yours or of vapl's, and
 * buffers both ways without a copy, each with a timeline semaphore. For programs that use Vulkan;
 * needs its headers.
 *
 * VAPL'S DEVICE (vapl_vk_get): make your buffers, pipelines and images on it. Vulkan 1.2; its one
 * queue is shared: submit to it only while no call of this interpreter runs, and never destroy
 * the device. It lives until vapl_close.
 *
 * YOUR DEVICE (vapl_vk_open): vapl makes its own objects on it and destroys these alone. Close
 * every interpreter that has it before you destroy it; arrays that you hold then are on the host.
 *
 * vapl's buffers and yours belong to the queue's family (VK_SHARING_MODE_EXCLUSIVE). A device that
 * is lost stays so: the calls that need it are VAPL_EDEVICE. Close the interpreter, and open
 * another.
 *
 * Functions answer as in vapl.h, VAPL_EDEVICE where there is no device or it failed. */
#ifndef VAPL_VULKAN_H
#define VAPL_VULKAN_H
#include "vapl.h"
#include <vulkan/vulkan_core.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Set .size = sizeof before the call that fills it. */
typedef struct vapl_vulkan {
  size_t size;
  PFN_vkGetInstanceProcAddr get_proc; /* where all of Vulkan's functions come from */
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device; /* with bufferDeviceAddress and timelineSemaphore */
  VkQueue queue;
  uint32_t queue_family;
} vapl_vulkan;
/* The device, which is opened if it was not yet. */
VAPL_API vapl_status vapl_vk_get(vapl *v, vapl_vulkan *out);

/* A device of yours. Clear it, set .size = sizeof. What vapl_vk_wants sets points into it: do not
 * move it. */
typedef struct vapl_vk_device {
  size_t size;
  /* vapl_vk_wants reads these and tells what vapl would do with them. */
  PFN_vkGetInstanceProcAddr get_proc; /* NULL: that of libvulkan.so.1 */
  VkInstance instance;
  uint32_t api_version; /* of its VkApplicationInfo: VK_API_VERSION_1_2 at least */
  VkPhysicalDevice physical;
  /* It sets what a device for vapl is to be made with: &features is the pNext of a
   * VkDeviceCreateInfo, with the two below chained to it where they are wanted. Add what you want
   * yourself; or leave out what you do not want, and set it to VK_FALSE here, for
   * vapl_vk_open takes what is VK_TRUE here to be enabled, whatever chain enabled it. */
  VkPhysicalDeviceFeatures2 features;
  VkPhysicalDeviceVulkan12Features features12;
  VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroup_size;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
  uint32_t n_extensions; /* those that the features need; you may enable more */
  const char *extensions[8];
  uint32_t queue_family; /* the first that computes; another may be set that does */
  /* Then these, for vapl_vk_open: the device, and a queue of that family. */
  VkDevice device;
  VkQueue queue;
  /* If another thread, another interpreter's too, may use the queue: called around each
   * vkQueueSubmit and vkQueueBindSparse of vapl's, on the thread that is in vapl. They must not
   * call vapl. NULL, both: only vapl uses the queue while it runs. */
  void (*lock)(void *user);
  void (*unlock)(void *user);
  void *user;
  char why[256]; /* where one of the two failed: "… lacks timelineSemaphore" */
} vapl_vk_device;
/* VAPL_EDEVICE where no device of d->physical would do. */
VAPL_API vapl_status vapl_vk_wants(vapl_vk_device *d);
/* As vapl_open, with your device as the only one there is: config.device chooses as ever, so
 * that "0" computes everything on it, NULL and "auto" only what is faster there than on the host
 * (on a CPU's device nothing). VAPL_EDEVICE for a device that lacks what vapl needs. */
VAPL_API vapl_status vapl_vk_open(const vapl_config *cfg, vapl_vk_device *d, vapl **out);

/* A range of a buffer that is complete once the timeline semaphore has reached `value`;
 * VK_NULL_HANDLE: it is. */
typedef struct vapl_vk_buffer {
  size_t size;
  VkBuffer buffer;
  VkDeviceSize offset, bytes;
  VkDeviceAddress address; /* of the first element */
  VkSemaphore timeline;
  uint64_t value;
} vapl_vk_buffer;

/* Where the elements of an array are on the device, computed there or brought there, as the type
 * that vapl_info tells. Before you read them wait for the semaphore, on the device or the host;
 * they are yours to read, not to write, until the array is released: do that when your work is
 * done. VAPL_DOMAIN for nested arrays, VAPL_EARG for arrays of no elements. */
VAPL_API vapl_status vapl_vk_export(vapl *v, vapl_array *a, vapl_vk_buffer *out);

/* An array whose elements lie in a buffer of yours: `in->bytes` from `in->offset` on, of which
 * those behind the last element, at least 16, may hold anything (of VAPL_BIT the bits behind
 * the last are zero). The first element's address is a multiple of 16; the buffer was made with
 * VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, TRANSFER_SRC_BIT and SHADER_DEVICE_ADDRESS_BIT; in->address may
 * be 0. vapl reads it when the semaphore, which must live as long, has reached the value, and it
 * must not change from then until drop(user, buffer) is called, once, when the device is done with it. (vapl_release may
 * wait for that.) On failure drop is not called. Not for VAPL_BOOL, VAPL_U8 and VAPL_NESTED;
 * numbers are not looked at: characters must be some. */
VAPL_API vapl_status vapl_vk_import(vapl *v, vapl_type t, uint32_t rank,
                                    const int64_t *shape, const vapl_vk_buffer *in,
                                    void (*drop)(void *user, VkBuffer buffer), void *user,
                                    vapl_array **out);

#ifdef __cplusplus
}
#endif
#endif
