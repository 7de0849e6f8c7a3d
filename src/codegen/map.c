/* SPDX-License-Identifier: MIT */
/* map.c - the map template: `items` loads of `width` elements per thread, strided by the
 * workgroup so that neighbouring threads touch neighbouring memory. The loads of all items
 * are issued first, so that they are in flight together; then each item is computed and
 * stored. The last workgroup's loads are clamped and its stores guarded: one path for all,
 * since the guards are a few instructions per 16 bytes of a kernel that waits for memory. */
#include "template.h"

#include <assert.h>

enum { CG_MAX_ITEMS = 16 };

static cg_pos map_pos(cg *g, uint32_t base, uint32_t item) {
  uint32_t stride = spv_u32(g->b, item * g->o->workgroup);
  uint32_t t = item ? spv_op(g->b, g->u32, SpvOpIAdd, g->thread, stride) : g->thread;
  t = spv_op(g->b, g->u32, SpvOpIMul, t, spv_u32(g->b, g->o->width));
  uint32_t i = spv_op(g->b, g->ix, SpvOpIAdd, base, cg_to_ix(g, t));
  return (cg_pos){.i = i, .tail = true};
}

void cg_map(cg *g) {
  uint32_t raw[CG_MAX_ITEMS][KIR_MAX_IN], items = g->o->items;
  cg_pos p[CG_MAX_ITEMS];
  assert(items <= CG_MAX_ITEMS);
  uint32_t tile = cg_ixc(g, (uint64_t)cg_tile(g->k, g->o));
  uint32_t base = spv_op(g->b, g->ix, SpvOpIMul, cg_to_ix(g, g->wid), tile);
  g->lanes = g->o->width;
  for (uint32_t n = 0; n < items; n++) {
    p[n] = map_pos(g, base, n);
    cg_load_raw(g, 0, g->k->n_ins, &p[n], raw[n]);
  }
  for (uint32_t n = 0; n < items; n++) {
    cg_range(g, 0, g->k->n_ins, &p[n], raw[n]);
    cg_put_outputs(g, &p[n]);
  }
}
