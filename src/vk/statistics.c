/* SPDX-License-Identifier: MIT */
/* statistics.c - what the driver says of a pipeline that it has made: registers, what of them went
 * to memory, workgroup memory (VK_KHR_pipeline_executable_properties).
 *
 * Each driver has names of its own for these, and may have none. What cannot be read is not known,
 * which is no error: everything works without. */
#include <ctype.h>
#include <string.h>
#include "vk.h"

typedef enum fact { NOTHING, SPILLED, REGISTERS, SHARED } fact;

/* A statistic is what the first of these says that its name contains, in capitals or not: the names
 * of nine drivers. Scalar registers that are
 * spilled go to vector registers, and predicates to others: they cost little. */
static const struct {
  const char *part;
  fact is;
} names[] = {{"sgpr", NOTHING},
             {"spills to reg", NOTHING},
             {"spill", SPILLED},
             {"scratch", SPILLED},
             {"stp count", SPILLED},
             {"local memory", SPILLED},
             {"half-reg", NOTHING},
             {"numavailablevgprs", NOTHING},
             {"privmem", NOTHING},
             {"register", REGISTERS},
             {"vgprs", REGISTERS},
             {"gprs", REGISTERS},
             {"ldsusage", SHARED},
             {"lds size", SHARED},
             {"workgroup memory", SHARED},
             {"shared memory", SHARED}};

static bool begins(const char *s, const char *part) {
  for (; *part; s++, part++)
    if (tolower((unsigned char)*s) != *part) return false;
  return true;
}

static fact fact_of(const char *name) {
  for (size_t i = 0; i < ARRAY_LEN(names); i++)
    for (const char *at = name; *at; at++)
      if (begins(at, names[i].part)) return names[i].is;
  return NOTHING;
}

static uint64_t value_of(const VkPipelineExecutableStatisticKHR *s) {
  switch (s->format) {
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return s->value.u64;
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
    return s->value.i64 > 0 ? (uint64_t)s->value.i64 : 0;
  default: return 0;
  }
}

/* No register file and no memory of a thread or workgroup has 4 GiB, but a driver gives the
 * bytes of local memory with something else in the upper half. */
static void statistics_take(gpu_statistics *r,
                            const VkPipelineExecutableStatisticKHR *s) {
  uint32_t v = (uint32_t)value_of(s);
  switch (fact_of(s->name)) {
  case SPILLED: r->spilled += v; break;
  case SHARED: r->shared = v; break;
  case REGISTERS: r->registers = v; break;
  case NOTHING: return;
  }
  r->known = true;
}

/* Those of executable number `which` of a pipeline; false: they cannot be had. */
static bool read_one(gpu *g, VkPipeline p, uint32_t which, gpu_statistics *r) {
  enum { MOST = 64 };
  VkPipelineExecutableStatisticKHR s[MOST];
  uint32_t n = MOST;
  VkPipelineExecutableInfoKHR info = {.sType =
                                          VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                      .pipeline = p,
                                      .executableIndex = which};
  memset(s, 0, sizeof s);
  for (int i = 0; i < MOST; i++)
    s[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  if (VK_CALL(g, GetPipelineExecutableStatisticsKHR, g->device, &info, &n, s) < 0)
    return false;
  *r = (gpu_statistics){.known = false};
  for (uint32_t i = 0; i < n && i < MOST; i++) statistics_take(r, &s[i]);
  return r->known;
}

/* Where there are several, one for each size of subgroups, the driver takes what suits: the one
 * that spills least counts. */
gpu_statistics vk_read_statistics(gpu *g, VkPipeline p) {
  gpu_statistics best = {.known = false}, r;
  uint32_t n = 0;
  VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = p};
  if (!g->info.statistics) return best;
  if (VK_CALL(g, GetPipelineExecutablePropertiesKHR, g->device, &info, &n, NULL) < 0)
    return best;
  for (uint32_t i = 0; i < n; i++)
    if (read_one(g, p, i, &r) && (!best.known || r.spilled < best.spilled)) best = r;
  return best;
}
