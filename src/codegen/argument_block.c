/* SPDX-License-Identifier: MIT */
/* argument_block.c - the argument block, which a kernel reads, and the flags, which it sets.
 *
 * Conditions that raise a flag are gathered in one Function variable per flag, which
 * drivers keep in a register; it is looked at once, at the end, by one lane of each
 * subgroup. */
#include "memory.h"

#include "cg_arith.h"

uint32_t cg_slot_addr(cg *g, uint32_t slot) { return cg_plus(g, g->args, 8 * slot); }

/* A slot's two words in workgroup memory. */
static uint32_t held(cg *g, uint32_t slot) {
  uint32_t two = spv_vec(g->b, g->u32, 2);
  return spv_op(g->b, two, SpvOpLoad,
                cg_shared_ptr(g, two, g->held, spv_u32(g->b, slot)));
}

/* A slot, or its low word, which comes first, as a value of `bits`. */
static uint32_t get_slot(cg *g, uint32_t slot, uint32_t type, uint32_t bits) {
  if (!g->held) return cg_load(g, type, cg_slot_addr(g, slot), 8);
  uint32_t v = held(g, slot);
  if (bits == 32) v = cg_u(g, SpvOpCompositeExtract, v, 0);
  if (type == g->u32) return v;
  return spv_op(g->b, type, SpvOpBitcast, v);
}

uint32_t cg_slot(cg *g, uint32_t slot) { return get_slot(g, slot, g->u64, 64); }

uint32_t cg_slot_ix(cg *g, uint32_t slot) {
  return get_slot(g, slot, g->ix, g->ix == g->u64 ? 64 : 32);
}

uint32_t cg_slot_u32(cg *g, uint32_t slot) { return get_slot(g, slot, g->u32, 32); }

uint32_t cg_slot_param(cg *g, uint32_t slot, kty t) {
  kty there = t == KB ? KI32 : t;
  uint32_t bits = (uint32_t)kty_bytes(there) * 8;
  return cg_cvt(g, get_slot(g, slot, cg_scalar_type(g, there), bits), there, t);
}

void cg_hold_args(cg *g) {
  uint32_t two = spv_vec(g->b, g->u32, 2), slots = cg_arg_slots(g->k);
  uint32_t array = spv_shared(g->b, two, slots);
  for (uint32_t first = 0; first < slots; first += g->o->workgroup) {
    uint32_t i = cg_ui(g, SpvOpIAdd, g->thread, first);
    uint32_t merge = spv_if(g->b, cg_less(g, i, spv_u32(g->b, slots)));
    uint32_t v = cg_load(g, two, cg_addr(g, g->args, cg_to_ix(g, i), 3), 8);
    spv_do(g->b, SpvOpStore, cg_shared_ptr(g, two, array, i), v);
    spv_endif(g->b, merge);
  }
  cg_barrier(g);
  g->held = array;
}

/* ── flags ─────────────────────────────────────────────────────────────────────────── */

void cg_raise(cg *g, uint32_t cond, uint32_t ok, int64_t fault, bool escape) {
  uint32_t kb = spv_bool(g->b), *var = &g->flag[fault][escape];
  if (ok) cond = cg_both(g, cond, ok);
  if (g->lanes == 4) cond = spv_op(g->b, kb, SpvOpAny, cond);
  if (!*var) *var = spv_local(g->b, kb, spv_true(g->b, false, 1));
  uint32_t old = spv_op(g->b, kb, SpvOpLoad, *var);
  spv_do(g->b, SpvOpStore, *var, spv_op(g->b, kb, SpvOpLogicalOr, old, cond));
}

/* Stores to one place follow one another, 1 ns each on an H200: where a map's results are complex every subgroup
 * has something to say, so it looks first, near by, whether somebody has said it. What it sees may be old; then the
 * same is stored again. */
static void cg_write_flag(cg *g, uint32_t base, uint32_t var, uint32_t word) {
  uint32_t kb = spv_bool(g->b), scope = spv_u32(g->b, SpvScopeSubgroup);
  uint32_t mine = spv_op(g->b, kb, SpvOpLoad, var);
  uint32_t any = spv_op(g->b, kb, SpvOpGroupNonUniformAny, scope, mine);
  uint32_t outer = spv_if(g->b, any);
  uint32_t inner = spv_if(g->b, spv_op(g->b, kb, SpvOpGroupNonUniformElect, scope));
  uint32_t ptr = cg_pointer(g, g->u32, cg_plus(g, base, 4 * word));
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t near = spv_u32(g->b, SpvScopeWorkgroup);
  uint32_t old = spv_op(g->b, g->u32, SpvOpAtomicLoad, ptr, near, relaxed);
  uint32_t first = spv_if(g->b, cg_is_zero(g, old));
  spv_do(g->b, SpvOpAtomicStore, ptr, device, relaxed, spv_u32(g->b, 1));
  spv_endif(g->b, first);
  spv_endif(g->b, inner);
  spv_endif(g->b, outer);
}

void cg_write_flags(cg *g) {
  uint32_t base = 0;
  for (uint32_t s = 0; s < KIR_MAX_FAULT; s++)
    for (uint32_t e = 0; e < 2; e++) {
      if (!g->flag[s][e]) continue;
      if (!base) base = cg_slot(g, CG_SLOT_FLAGS);
      spv_cap(g->b, SpvCapabilityGroupNonUniform);
      spv_cap(g->b, SpvCapabilityGroupNonUniformVote);
      cg_write_flag(g, base, g->flag[s][e], 2 * s + e);
    }
}
