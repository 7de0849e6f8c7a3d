/* SPDX-License-Identifier: MIT */
/* matrix.h - units that multiply matrices of bytes. */
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

/* Of a device that has the extension and these features. */
bool vk_has_matrices(gpu *g, VkPhysicalDevice p, const gpu_features *f);
#endif
