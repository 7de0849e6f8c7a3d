/* SPDX-License-Identifier: MIT */
/* vulkan_share.c - a GPU that your program and vapl share. Your commands fill a buffer, APL computes
 * on it where it lies, your commands read APL's result where that lies; a semaphore each way, and
 * the host waits only at the end.
 *
 *   cc vulkan_share.c $(pkg-config --cflags --libs vapl) -o vulkan_share
 *
 * Of Vulkan only the headers are needed: vapl hands out its functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vapl_vulkan.h>

enum { N = 100000, BYTES = N * 4 + 64 };

/* clang-format off */
#define FUNCTIONS(F) \
  F(CreateBuffer) F(DestroyBuffer) F(GetBufferMemoryRequirements) F(AllocateMemory) \
  F(FreeMemory) F(BindBufferMemory) F(MapMemory) F(CreateCommandPool) \
  F(DestroyCommandPool) F(AllocateCommandBuffers) F(BeginCommandBuffer) \
  F(EndCommandBuffer) F(CmdFillBuffer) F(CmdCopyBuffer) F(CmdPipelineBarrier) \
  F(CreateSemaphore) F(DestroySemaphore) F(QueueSubmit) F(WaitSemaphores)
/* clang-format on */

typedef struct app {
  vapl *apl;
  vapl_vulkan vk;
  PFN_vkGetPhysicalDeviceMemoryProperties GetPhysicalDeviceMemoryProperties;
#define F(name) PFN_vk##name name;
  FUNCTIONS(F)
#undef F
  VkCommandPool pool;
  VkSemaphore done; /* ours: 1 when the buffer is filled, 2 when the result is copied */
} app;

static void must(int ok, const char *what) {
  if (ok) return;
  printf("failed: %s\n", what);
  exit(1);
}

static void load(app *p) {
  PFN_vkGetDeviceProcAddr get =
      (PFN_vkGetDeviceProcAddr)p->vk.get_proc(p->vk.instance, "vkGetDeviceProcAddr");
  p->GetPhysicalDeviceMemoryProperties =
      (PFN_vkGetPhysicalDeviceMemoryProperties)p->vk.get_proc(
          p->vk.instance, "vkGetPhysicalDeviceMemoryProperties");
#define F(name) p->name = (PFN_vk##name)get(p->vk.device, "vk" #name);
  FUNCTIONS(F)
#undef F
}

/* ── memory and commands, as every Vulkan program has them ── */

typedef struct memory {
  VkBuffer buffer;
  VkDeviceMemory memory;
} memory;

static memory make(app *p, VkBufferUsageFlags usage, VkMemoryPropertyFlags want) {
  memory m;
  VkBufferCreateInfo info;
  VkMemoryRequirements need;
  VkPhysicalDeviceMemoryProperties all;
  VkMemoryAllocateInfo allocate;
  VkMemoryAllocateFlagsInfo flags;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = BYTES;
  info.usage = usage;
  must(p->CreateBuffer(p->vk.device, &info, NULL, &m.buffer) == VK_SUCCESS, "a buffer");
  p->GetBufferMemoryRequirements(p->vk.device, m.buffer, &need);
  p->GetPhysicalDeviceMemoryProperties(p->vk.physical, &all);
  memset(&flags, 0, sizeof flags);
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  memset(&allocate, 0, sizeof allocate);
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = &flags;
  allocate.allocationSize = need.size;
  while (allocate.memoryTypeIndex < all.memoryTypeCount &&
         (!(need.memoryTypeBits >> allocate.memoryTypeIndex & 1) ||
          (all.memoryTypes[allocate.memoryTypeIndex].propertyFlags & want) != want))
    allocate.memoryTypeIndex++;
  must(p->AllocateMemory(p->vk.device, &allocate, NULL, &m.memory) == VK_SUCCESS &&
           p->BindBufferMemory(p->vk.device, m.buffer, m.memory, 0) == VK_SUCCESS,
       "memory");
  return m;
}

static void destroy(app *p, memory m) {
  p->DestroyBuffer(p->vk.device, m.buffer, NULL);
  p->FreeMemory(p->vk.device, m.memory, NULL);
}

static void make_semaphore(app *p) {
  VkSemaphoreTypeCreateInfo type;
  VkSemaphoreCreateInfo info;
  memset(&type, 0, sizeof type);
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  must(p->CreateSemaphore(p->vk.device, &info, NULL, &p->done) == VK_SUCCESS,
       "a semaphore");
}

static VkCommandBuffer begin(app *p) {
  VkCommandBuffer commands;
  VkCommandPoolCreateInfo pool;
  VkCommandBufferAllocateInfo allocate;
  VkCommandBufferBeginInfo info;
  memset(&pool, 0, sizeof pool);
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = p->vk.queue_family;
  if (!p->pool)
    must(p->CreateCommandPool(p->vk.device, &pool, NULL, &p->pool) == VK_SUCCESS,
         "a pool");
  memset(&allocate, 0, sizeof allocate);
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = p->pool;
  allocate.commandBufferCount = 1;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  must(p->AllocateCommandBuffers(p->vk.device, &allocate, &commands) == VK_SUCCESS &&
           p->BeginCommandBuffer(commands, &info) == VK_SUCCESS,
       "commands");
  return commands;
}

/* Submits them to wait for a semaphore, if there is one, and to set ours to `value`. */
static void submit(app *p, VkCommandBuffer commands, VkSemaphore wait,
                   uint64_t wait_value, uint64_t value) {
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo values;
  VkSubmitInfo info;
  memset(&values, 0, sizeof values);
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.waitSemaphoreValueCount = wait ? 1 : 0;
  values.pWaitSemaphoreValues = &wait_value;
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &values;
  info.waitSemaphoreCount = wait ? 1 : 0;
  info.pWaitSemaphores = &wait;
  info.pWaitDstStageMask = &stage;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &p->done;
  must(p->EndCommandBuffer(commands) == VK_SUCCESS &&
           p->QueueSubmit(p->vk.queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS,
       "submission");
}

/* ── what this is about ── */

static void free_again(void *user, VkBuffer buffer) {
  (void)buffer;
  printf("%s\n", (const char *)user);
}

/* Your commands fill a buffer with 7s; the array is made at once. */
static vapl_array *sevens(app *p, VkBuffer buffer) {
  static char say[] = "the buffer is free again";
  const int64_t shape[1] = {N};
  vapl_vk_buffer in;
  vapl_array *a;
  VkCommandBuffer commands = begin(p);
  p->CmdFillBuffer(commands, buffer, 0, BYTES, 7);
  submit(p, commands, VK_NULL_HANDLE, 0, 1);
  memset(&in, 0, sizeof in);
  in.size = sizeof in;
  in.buffer = buffer;
  in.bytes = BYTES;
  in.timeline = p->done; /* APL's kernels wait for it, on the device */
  in.value = 1;
  must(vapl_vk_import(p->apl, VAPL_I32, 1, shape, &in, free_again, say, &a) == VAPL_OK,
       "import");
  return a;
}

/* Your commands copy APL's result to where the host reads it. */
static const int64_t *copied(app *p, vapl_array *a, memory to) {
  vapl_vk_buffer out;
  VkBufferCopy range;
  VkMemoryBarrier for_host;
  VkSemaphoreWaitInfo wait;
  uint64_t two = 2;
  void *data;
  VkCommandBuffer commands = begin(p);
  memset(&out, 0, sizeof out);
  out.size = sizeof out;
  must(vapl_vk_export(p->apl, a, &out) == VAPL_OK, "export");
  memset(&range, 0, sizeof range);
  range.srcOffset = out.offset;
  range.size = out.bytes;
  p->CmdCopyBuffer(commands, out.buffer, to.buffer, 1, &range);
  memset(&for_host, 0, sizeof for_host);
  for_host.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  for_host.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  for_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  p->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                        VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &for_host, 0, NULL, 0, NULL);
  submit(p, commands, out.timeline, out.value, 2); /* waits for APL's kernels */
  memset(&wait, 0, sizeof wait);
  wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  wait.semaphoreCount = 1;
  wait.pSemaphores = &p->done;
  wait.pValues = &two;
  must(p->WaitSemaphores(p->vk.device, &wait, UINT64_MAX) == VK_SUCCESS, "waiting");
  must(p->MapMemory(p->vk.device, to.memory, 0, VK_WHOLE_SIZE, 0, &data) == VK_SUCCESS,
       "mapping");
  return (const int64_t *)data;
}

int main(int argc, char **argv) {
  static app p;
  vapl_config config;
  memset(&config, 0, sizeof config);
  config.size = sizeof config;
  config.device = argc > 1 ? argv[1] : "cpu";
  vapl_status s = vapl_open(&config, &p.apl);
  if (s) return s == VAPL_EDEVICE ? 77 : 1; /* no device: nothing to show */
  p.vk.size = sizeof p.vk;
  must(vapl_vk_get(p.apl, &p.vk) == VAPL_OK, "the device");
  load(&p);
  make_semaphore(&p);
  memory from = make(
      &p,
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
          VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  memory to =
      make(&p, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
           VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);

  vapl_array *x = sevens(&p, from.buffer), *sum = NULL, *scan = NULL;
  int64_t total = 0;
  s = vapl_call(p.apl, "+/", NULL, x, &sum);
  if (!s) s = vapl_read(p.apl, sum, VAPL_I64, &total, sizeof total);
  if (!s) s = vapl_call(p.apl, "{50000↑2147483648+⍵×⍳≢⍵}", NULL, x, &scan); /* 64 bits */
  must(s == VAPL_OK, "APL");
  printf("%d sevens are %d\n", (int)N, (int)total);
  const int64_t *numbers = copied(&p, scan, to);
  printf("2147483648 and %lld … %lld\n", (long long)(numbers[0] - 2147483648LL),
         (long long)(numbers[49999] - 2147483648LL));

  vapl_release(sum);
  vapl_release(scan);
  vapl_release(x); /* the last that uses the buffer */
  destroy(&p, from);
  destroy(&p, to);
  p.DestroySemaphore(p.vk.device, p.done, NULL);
  p.DestroyCommandPool(p.vk.device, p.pool, NULL);
  vapl_close(p.apl);
  return 0;
}
