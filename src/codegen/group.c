/* SPDX-License-Identifier: MIT */
/* group.c - accumulators of neighbouring threads folded or scanned within a subgroup.
 *
 * Where the order never shows (rows EXACT and SUM of tables/folds.def) one instruction of
 * SPIR-V does it, of the driver's choice of order: the one that the row names. Else, and
 * where the device or the width has no such instruction, shuffles go through the tree of
 * tables/fold.h, from the lowest level up.
 *
 *   threads that take part        instruction of an exact monoid
 *   the whole physical subgroup   Reduce, InclusiveScan
 *   a smaller power of two        ClusteredReduce; a scan goes by shuffles
 *
 * A kernel may run on subgroups larger than it was made for (codegen.h). So "whole" is
 * said by the options, where the scheduler knows that the pipeline asks for just that
 * size. Sums of 128 bits go by shuffles: no instruction carries. */
#include "cg_fold.h"

#include "../kir/folds.h"

/* The rows' instructions, by monoid and type of accumulator. */
#define AT(id, ty, group) [KF_##id][ty] = SpvOpGroupNonUniform##group,
#define EACH_B(id, group) AT(id, KB, group)
#define EACH_I(id, group) AT(id, KI32, group) AT(id, KI64, group)
#define EACH_F(id, group) AT(id, KF32, group) AT(id, KF64, group)
static const uint16_t group_ops[KF_COUNT][KTY_COUNT] = {
#define ON(id, class, order, op, identity, group) EACH_##class(id, group)
#include "../tables/folds.def"
};

/* Is a value a pair of words, which no instruction of a subgroup takes? */
static bool has_pairs(const kir *k, const cg_opts *o) {
  for (uint32_t n = 0; o->words && n < k->n_acc; n++)
    if (kty_bytes(kfold_acc_type(k, n)) == 8) return true;
  return false;
}

bool cg_group_exact(const kir *k, const cg_opts *o) {
  if (has_pairs(k, o)) return false;
  return (o->group & CG_GROUP_EXACT) && cg_fold_exact(k) && !cg_fold_is_wide(k);
}

static bool group_is_whole(const cg *g, uint32_t width) {
  return (g->o->group & CG_GROUP_WHOLE) && width == g->o->subgroup;
}

static uint32_t value_by_instruction(cg *g, uint32_t n, uint32_t v, SpvGroupOperation how,
                                     uint32_t width) {
  kty t = kfold_acc_type(g->k, n);
  SpvOp op = (SpvOp)group_ops[g->k->acc[n].monoid][t];
  uint32_t type = cg_type(g, t), scope = spv_u32(g->b, SpvScopeSubgroup);
  if (how != SpvGroupOperationClusteredReduce) {
    spv_cap(g->b, SpvCapabilityGroupNonUniformArithmetic);
    return spv_op(g->b, type, op, scope, how, v);
  }
  uint32_t size = spv_u32(g->b, width);
  spv_cap(g->b, SpvCapabilityGroupNonUniformClustered);
  return spv_op(g->b, type, op, scope, how, v, size);
}

static cg_acc by_instruction(cg *g, cg_acc v, SpvGroupOperation how, uint32_t width) {
  CG_EACH_ID(g->k, i)
  v.id[i] = value_by_instruction(g, i / 2, v.id[i], how, width);
  return v;
}

cg_acc cg_group_reduce(cg *g, cg_acc v, uint32_t width) {
  if (width > 1 && cg_group_exact(g->k, g->o)) {
    if (group_is_whole(g, width))
      return by_instruction(g, v, SpvGroupOperationReduce, width);
    if (g->o->group & CG_GROUP_CLUSTERED)
      return by_instruction(g, v, SpvGroupOperationClusteredReduce, width);
  }
  for (uint32_t m = 1; m < width; m *= 2)
    v = cg_combine(g, v, cg_shuffle(g, v, spv_u32(g->b, m), true), 0);
  return v;
}

/* Level k of Sklansky's scan: threads whose bit k is set take in the last thread of the
 * half block below. */
static cg_acc scan_level(cg *g, cg_acc v, uint32_t k) {
  uint32_t half = cg_ui(g, SpvOpShiftRightLogical, g->lane, k);
  uint32_t start = cg_ui(g, SpvOpShiftLeftLogical, half, k);
  uint32_t odd = cg_ui(g, SpvOpBitwiseAnd, half, 1), none = spv_u32(g->b, 0);
  uint32_t is = spv_op(g->b, spv_bool(g->b), SpvOpINotEqual, odd, none);
  cg_acc below = cg_shuffle(g, v, cg_u(g, SpvOpISub, start, odd), false);
  return cg_acc_sel(g, is, cg_combine(g, below, v, is), v);
}

cg_acc cg_group_scan(cg *g, cg_acc v, uint32_t width) {
  if (width > 1 && cg_group_exact(g->k, g->o) && group_is_whole(g, width))
    return by_instruction(g, v, SpvGroupOperationInclusiveScan, width);
  for (uint32_t k = 0; 1u << k < width; k++) v = scan_level(g, v, k);
  return v;
}
