/* SPDX-License-Identifier: MIT */
/* known.h - the table of what drivers are known for (known.def): what is not to be believed. */
#ifndef VAPL_VK_KNOWN_H
#define VAPL_VK_KNOWN_H
#include <stdint.h>

enum {
  DOUBT_WIDE = 1,       /* shaderSubgroupExtendedTypes */
  DOUBT_SCANS = 2,      /* arithmetic of subgroups, by clusters too */
  DOUBT_ORDER = 4,      /* memory barriers of device scope */
  DOUBT_LONG_LOOPS = 8, /* that loops go on as long as they should */
  DOUBT_ROUND64 = 16    /* Floor and RoundEven of f64 */
};

/* All doubts about a VkDriverId of that version. */
uint32_t vk_doubts(uint32_t driver, uint32_t version);
/* The nth thing known of it, from 0, and where it was found; NULL: there are no more. */
const char *vk_known_of(uint32_t driver, uint32_t version, int n, const char **where);
#endif
