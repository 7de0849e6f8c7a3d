/* SPDX-License-Identifier: MIT */
/* vapl_vulkan.h - a GPU that vapl and your program share: buffers both ways without a copy, each
 * with a timeline semaphore. For programs that use Vulkan; needs its headers.
 *
 * THE DEVICE is the one that vapl opened (vapl_vk_get): make your buffers, pipelines and images on
 * it. Vulkan 1.2; its one queue is shared: submit to it only while no call of this interpreter
 * runs, and never destroy the device. It lives until vapl_close. vapl's buffers and yours belong
 * to that queue's family (VK_SHARING_MODE_EXCLUSIVE).
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
