/* SPDX-License-Identifier: MIT */
/* matrix.c - does a device multiply matrices of bytes by units of its own, exactly
 * (VK_KHR_cooperative_matrix)?
 *
 * Asked for is what codegen/product_matrix.c has: s8 × s8 → s32 of 16 × 32 × 16 by a subgroup, with
 * Vulkan's memory model, which the extension wants. The numbers are here, for the headers of 2022 do not
 * have them. */
#include "matrix.h"

enum { PROPERTIES = 1000506001, SINT8 = 3, SINT32 = 5, SUBGROUP = 3 };

typedef struct matrix_shape { /* VkCooperativeMatrixPropertiesKHR */
  VkStructureType type;
  void *next;
  uint32_t m, n, k;
  int32_t a, b, c, result; /* types of components */
  VkBool32 saturates;
  int32_t scope;
} matrix_shape;

typedef VkResult(VKAPI_PTR *shapes_fn)(VkPhysicalDevice, uint32_t *, matrix_shape *);

static bool is_ours(const matrix_shape *s) {
  bool types = s->a == SINT8 && s->b == SINT8 && s->c == SINT32 && s->result == SINT32;
  bool size = s->m == 16 && s->n == 16 && s->k == 32;
  return types && size && !s->saturates && s->scope == SUBGROUP;
}

static bool has_shape(gpu *g, VkPhysicalDevice p) {
  enum { MOST = 64 };
  matrix_shape s[MOST];
  uint32_t n = MOST;
  shapes_fn shapes = (shapes_fn)g->vk.GetInstanceProcAddr(
      g->instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  for (uint32_t i = 0; i < MOST; i++)
    s[i] = (matrix_shape){.type = (VkStructureType)PROPERTIES};
  if (!shapes || shapes(p, &n, s) < 0) return false;
  for (uint32_t i = 0; i < n; i++)
    if (is_ours(&s[i])) return true;
  return false;
}

bool vk_has_matrices(gpu *g, VkPhysicalDevice p, const gpu_features *f) {
  vk_matrix_features m = VK_MATRIX_FEATURES;
  VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                   .pNext = &m};
  g->vk.GetPhysicalDeviceFeatures2(p, &all);
  bool model = f->f12.vulkanMemoryModel && f->f12.vulkanMemoryModelDeviceScope;
  return m.on && model && f->f12.shaderInt8 && has_shape(g, p);
}
