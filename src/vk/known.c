/* SPDX-License-Identifier: MIT */
/* known.c - looks up known.def. */
#include "known.h"
#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan_core.h>

typedef struct known {
  uint32_t driver, from, below, doubt;
  const char *why, *where;
} known;

static const known rows[] = {
#define KNOWN(driver, from, below, doubt, why, where)                                    \
  {VK_DRIVER_ID_##driver, from, below, doubt, why, where},
#define CURED(driver, why, where) {VK_DRIVER_ID_##driver, 0, 0, 0, why, where},
#include "known.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_of(const known *k, uint32_t driver, uint32_t version) {
  return k->driver == driver && version >= k->from && (!k->below || version < k->below);
}

uint32_t vk_doubts(uint32_t driver, uint32_t version) {
  uint32_t all = 0;
  for (int i = 0; i < ROWS; i++)
    if (is_of(&rows[i], driver, version)) all |= rows[i].doubt;
  return all;
}

const char *vk_known_of(uint32_t driver, uint32_t version, int n, const char **where) {
  for (int i = 0; i < ROWS; i++) {
    if (!is_of(&rows[i], driver, version) || n--) continue;
    *where = rows[i].where;
    return rows[i].why;
  }
  return NULL;
}
