/* SPDX-License-Identifier: MIT */
/* matrix.h - units that multiply matrices. */
#ifndef VAPL_VK_MATRIX_H
#define VAPL_VK_MATRIX_H
#include "share.h"

#define VK_MATRIX_EXTENSION "VK_KHR_cooperative_matrix"
/* VkPhysicalDeviceCooperativeMatrixFeaturesKHR */
typedef struct vk_matrix_features {
  VkStructureType type;
  void *next;
  VkBool32 on, robust;
} vk_matrix_features;
#define VK_MATRIX_FEATURES                                                               \
  { (VkStructureType)1000506000, NULL, VK_FALSE, VK_FALSE }

/* Which matrices a device that has the extension and these features multiplies, as codegen/product_matrix.c has
 * them. */
enum { MATRICES_OF_BYTES = 1, MATRICES_OF_F16 = 2 };
uint32_t vk_matrices(gpu *g, VkPhysicalDevice p, const gpu_features *f);
#endif
