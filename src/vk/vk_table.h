/* SPDX-License-Identifier: MIT */
/* vk_table.h - the Vulkan functions that src/vk uses, and the table that holds them. Each
 * gpu has one of its own (loader.c fills it).
 *
 * Every Vulkan call that returns a result is written VK(g, Name, arguments): the tests'
 * hook may take it over, its result is kept in g->result, and a failure goes to `fail:`,
 * where the function frees what it holds and returns vk_error(g), which records the
 * error. */
#ifndef VAPL_VK_TABLE_H
#define VAPL_VK_TABLE_H
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>
#include "gpu.h"

/* clang-format off */
/* Before there is an instance. */
#define VK_GLOBAL_TABLE(F) \
  F(CreateInstance) F(EnumerateInstanceLayerProperties) \
  F(EnumerateInstanceExtensionProperties)
/* Functions of an instance. */
#define VK_INSTANCE_TABLE(F) \
  F(DestroyInstance) F(EnumeratePhysicalDevices) F(GetPhysicalDeviceProperties) \
  F(GetPhysicalDeviceProperties2) F(GetPhysicalDeviceFeatures2) \
  F(GetPhysicalDeviceMemoryProperties) F(GetPhysicalDeviceQueueFamilyProperties) \
  F(GetPhysicalDeviceExternalBufferProperties) \
  F(EnumerateDeviceExtensionProperties) F(CreateDevice) F(GetDeviceProcAddr)
/* ... only with the validation layer. */
#define VK_DEBUG_TABLE(F) \
  F(CreateDebugUtilsMessengerEXT) F(DestroyDebugUtilsMessengerEXT) \
  F(SetDebugUtilsObjectNameEXT)
/* Functions of a device. */
#define VK_DEVICE_TABLE(F) \
  F(DestroyDevice) F(GetDeviceQueue) F(DeviceWaitIdle) F(QueueSubmit) \
  F(AllocateMemory) F(FreeMemory) F(MapMemory) F(CreateBuffer) F(DestroyBuffer) \
  F(GetBufferMemoryRequirements) F(BindBufferMemory) F(GetBufferDeviceAddress) \
  F(CreateCommandPool) F(DestroyCommandPool) F(AllocateCommandBuffers) \
  F(BeginCommandBuffer) F(EndCommandBuffer) F(ResetCommandBuffer) F(CmdPipelineBarrier) \
  F(CmdBindPipeline) F(CmdPushConstants) F(CmdDispatch) F(CmdCopyBuffer) \
  F(CmdFillBuffer) F(CmdResetQueryPool) F(CmdWriteTimestamp) F(CreateQueryPool) \
  F(DestroyQueryPool) F(GetQueryPoolResults) F(CreateSemaphore) F(DestroySemaphore) \
  F(WaitSemaphores) F(GetSemaphoreCounterValue) F(CreateShaderModule) \
  F(DestroyShaderModule) F(CreatePipelineLayout) F(DestroyPipelineLayout) \
  F(CreatePipelineCache) F(DestroyPipelineCache) F(GetPipelineCacheData) \
  F(CreateComputePipelines) F(DestroyPipeline)
/* ... only where a device has it. */
#define VK_OPTIONAL_TABLE(F) \
  F(QueueBindSparse) F(GetPipelineExecutablePropertiesKHR) \
  F(GetPipelineExecutableStatisticsKHR) F(GetMemoryHostPointerPropertiesEXT) \
  F(GetMemoryFdKHR)
/* clang-format on */

struct vk_table {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr; /* where the others come from */
#define F(name) PFN_vk##name name;
  VK_GLOBAL_TABLE(F)
  VK_INSTANCE_TABLE(F)
  VK_DEBUG_TABLE(F)
  VK_DEVICE_TABLE(F)
  VK_OPTIONAL_TABLE(F)
#undef F
};

/* The call's result, or what the hook says instead. */
#define VK_CALL(g, name, ...)                                                            \
  ((g)->cfg.fail && vk_hooked((g), "vk" #name) ? (g)->hooked : (g)->vk.name(__VA_ARGS__))
#define VK(g, name, ...)                                                                 \
  do {                                                                                   \
    if (((g)->result = VK_CALL(g, name, __VA_ARGS__)) < 0) {                             \
      (g)->call = "vk" #name;                                                            \
      goto fail;                                                                         \
    }                                                                                    \
  } while (0)
/* The same for a call that makes a handle, its last argument: what a call that fails leaves there
 * is undefined, so it is cleared. */
#define VK_NEW(g, handle, name, ...)                                                     \
  do {                                                                                   \
    (g)->result = VK_CALL(g, name, __VA_ARGS__, NULL, handle);                           \
    if ((g)->result >= 0) break;                                                         \
    *(handle) = VK_NULL_HANDLE;                                                          \
    (g)->call = "vk" #name;                                                              \
    goto fail;                                                                           \
  } while (0)

/* loader.c */
bool vk_load_global(struct vk_table *t, uint32_t *version); /* false: no loader */
/* From t->GetInstanceProcAddr. What is missing, or NULL. */
const char *vk_load_instance(struct vk_table *t, VkInstance i);
const char *vk_load_device(struct vk_table *t, VkDevice d);
void vk_pin_drivers(void); /* once there is an instance */
void vk_load_debug(struct vk_table *t, VkInstance i);
/* errors */
bool vk_hooked(gpu *g, const char *call);
bool vk_error(gpu *g);   /* records g->result, if it is a failure; false */
bool vk_is_lost(gpu *g); /* true, with the error recorded */
#endif
