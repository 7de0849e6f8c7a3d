/* SPDX-License-Identifier: MIT */
/* sum.c - sums of words over a workgroup, which templates that count are made of: within a unit
 * of up to 32 neighbouring threads by shuffles, over units through workgroup memory. */
#include "template.h"

cg_units cg_find_units(cg *g) {
  cg_units z = {.size = cg_subgroup(g)};
  z.count = g->o->workgroup / z.size;
  z.in = cg_ui(g, SpvOpBitwiseAnd, g->thread, z.size - 1);
  z.first = cg_u(g, SpvOpISub, g->lane, z.in);
  z.number = cg_ui(g, SpvOpUDiv, g->thread, z.size);
  z.shared = spv_shared(g->b, g->u32, z.count);
  return z;
}

uint32_t cg_sum_upto(cg *g, const cg_units *z, uint32_t v) {
  for (uint32_t k = 0; 1u << k < z->size; k++) {
    uint32_t half = cg_ui(g, SpvOpShiftRightLogical, g->lane, k);
    uint32_t start = cg_ui(g, SpvOpShiftLeftLogical, half, k);
    uint32_t odd = cg_ui(g, SpvOpBitwiseAnd, half, 1), none = spv_u32(g->b, 0);
    uint32_t below = cg_u(g, SpvOpISub, start, odd);
    below = cg_shuffle_word(g, g->u32, v, below, false);
    below = cg_pick(g, g->u32, cg_is_zero(g, odd), none, below);
    v = cg_u(g, SpvOpIAdd, v, below);
  }
  return v;
}

uint32_t cg_unit_last(cg *g, const cg_units *z, uint32_t v) {
  return cg_shuffle_word(g, g->u32, v, cg_ui(g, SpvOpIAdd, z->first, z->size - 1), false);
}

uint32_t cg_sum_before_unit(cg *g, const cg_units *z, uint32_t total, uint32_t *all) {
  uint32_t merge = spv_if(g->b, cg_is_zero(g, z->in));
  spv_do(g->b, SpvOpStore, cg_shared_ptr(g, g->u32, z->shared, z->number), total);
  spv_endif(g->b, merge);
  cg_barrier(g);
  uint32_t sum = spv_u32(g->b, 0), none = sum;
  *all = sum;
  for (uint32_t i = 0; i < z->count; i++) {
    uint32_t number = spv_u32(g->b, i);
    uint32_t v =
        spv_op(g->b, g->u32, SpvOpLoad, cg_shared_ptr(g, g->u32, z->shared, number));
    *all = cg_u(g, SpvOpIAdd, *all, v);
    v = cg_pick(g, g->u32, cg_less(g, number, z->number), v, none);
    sum = cg_u(g, SpvOpIAdd, sum, v);
  }
  return sum;
}

uint32_t cg_sum_before(cg *g, const cg_units *z, uint32_t v, uint32_t *all) {
  uint32_t upto = cg_sum_upto(g, z, v);
  uint32_t before = cg_sum_before_unit(g, z, cg_unit_last(g, z, upto), all);
  return cg_u(g, SpvOpIAdd, before, cg_u(g, SpvOpISub, upto, v));
}
