/* SPDX-License-Identifier: MIT */
/* choice.c - what the table of shapes (codegen/choice.c) is asked with. */
#include "schedule.h"

#include "graph.h"

cg_choice choice_of(const ir *g) {
  const gpu_info *i = gpu_get_info(g->dev);
  cg_device d = {.vendor = i->vendor,
                 .cpu = i->cpu,
                 .subgroup = i->subgroup_control ? i->subgroup : i->subgroup_min,
                 .shared = i->max_shared,
                 .processors = i->processors,
                 .matrix = i->matrix,
                 .halves = i->halves};
  if (i->subgroup_control) {
    d.least = i->subgroup_min;
    d.most = i->subgroup_max;
  }
  cg_choice c = cg_choose(&d, (uint32_t)g->tune.device_class);
  c.smaller = (uint32_t)g->tune.smaller;
  return c;
}
