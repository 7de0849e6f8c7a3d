/* SPDX-License-Identifier: MIT */
/* matrix.c - which matrices does a device multiply by units of its own (VK_KHR_cooperative_matrix)?
 *
 * Asked for is what codegen/product_matrix.c has, by a subgroup: s8 × s8 → s32 of 16 × 32 × 16, which is exact, and f16 ×
 * f16 → f32 of 16 × 16 × 16; with Vulkan's memory model, which the extension wants. The numbers are here, for the headers
 * of 2022 do not have them. */
#include "matrix.h"

enum { PROPERTIES = 1000506001, SUBGROUP = 3 };
enum { FLOAT16 = 0, FLOAT32 = 1, SINT8 = 3, SINT32 = 5 };

typedef struct matrix_shape { /* VkCooperativeMatrixPropertiesKHR */
  VkStructureType type;
  void *next;
  uint32_t m, n, k;
  int32_t a, b, c, result; /* types of components */
  VkBool32 saturates;
  int32_t scope;
} matrix_shape;

typedef VkResult(VKAPI_PTR *shapes_fn)(VkPhysicalDevice, uint32_t *, matrix_shape *);

/* MATRICES_…, or 0. */
static uint32_t kind_of(const matrix_shape *s) {
  bool bytes = s->a == SINT8 && s->b == SINT8 && s->c == SINT32 && s->result == SINT32;
  bool f16 =
      s->a == FLOAT16 && s->b == FLOAT16 && s->c == FLOAT32 && s->result == FLOAT32;
  bool size = s->m == 16 && s->n == 16 && !s->saturates && s->scope == SUBGROUP;
  if (size && bytes && s->k == 32) return MATRICES_OF_BYTES;
  return size && f16 && s->k == 16 ? MATRICES_OF_F16 : 0;
}

uint32_t vk_matrices(gpu *g, VkPhysicalDevice p, const gpu_features *f) {
  enum { MOST = 64 };
  matrix_shape s[MOST];
  uint32_t n = MOST, has = 0;
  shapes_fn shapes = (shapes_fn)g->vk.GetInstanceProcAddr(
      g->instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  vk_matrix_features m = VK_MATRIX_FEATURES;
  VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                   .pNext = &m};
  g->vk.GetPhysicalDeviceFeatures2(p, &all);
  bool model = f->f12.vulkanMemoryModel && f->f12.vulkanMemoryModelDeviceScope;
  for (uint32_t i = 0; i < MOST; i++)
    s[i] = (matrix_shape){.type = (VkStructureType)PROPERTIES};
  if (!m.on || !model || !shapes || shapes(p, &n, s) < 0) return 0;
  for (uint32_t i = 0; i < n; i++) has |= kind_of(&s[i]);
  if (!f->f12.shaderInt8) has &= MATRICES_OF_F16;
  return f->f12.shaderFloat16 ? has : has & MATRICES_OF_BYTES;
}
