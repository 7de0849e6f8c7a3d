/* SPDX-License-Identifier: MIT */
/* facts.c - modules that ask a device what it does, for its description may be wrong (vk/known.def).
 *
 * The first has one workgroup; each thread stores FACT_WORDS words. What it computes with is loaded, so that no compiler
 * knows the answers: the input has 1, 0, the least integer, and the bits of a number of f32 below the normal
 * ones and of 1.
 *
 * The second has many: each waits for the one that began before it, as workgroups do that look at one another's
 * totals (scan_ahead.c). A look at a word that is still missing is counted, and one workgroup that gives up ends the
 * waiting of all, so the module ends on any device. */
#include "template.h"

#include "memory.h"
#include <spirv/unified1/GLSL.std.450.h>

static uint32_t input(cg *g, uint32_t i) {
  return cg_load(g, g->u32, cg_plus(g, cg_slot(g, CG_SLOT_INPUTS), 4 * i), 4);
}

static uint32_t same(cg *g, uint32_t a, uint32_t b) {
  return cg_is(g, SpvOpIEqual, a, b);
}

/* all, with the bit of a fact that holds. */
static uint32_t with(cg *g, uint32_t all, uint32_t fact, uint32_t holds) {
  uint32_t bit = cg_pick(g, g->u32, holds, spv_u32(g->b, 1u << fact), spv_u32(g->b, 0));
  return cg_u(g, SpvOpBitwiseOr, all, bit);
}

/* What a thread gets from others, against the place of these. */
static uint32_t shuffles(cg *g, uint32_t all) {
  for (uint32_t i = 0; i < CG_FACT_BY_INDEX; i++) {
    uint32_t far = spv_u32(g->b, 1u << i);
    uint32_t got = cg_shuffle_word(g, g->u32, g->thread, far, true);
    all = with(g, all, i, same(g, got, cg_u(g, SpvOpBitwiseXor, g->thread, far)));
  }
  uint32_t one = spv_u32(g->b, 1), from = cg_u(g, SpvOpBitwiseXor, g->lane, one);
  uint32_t got = cg_shuffle_word(g, g->u32, g->thread, from, false);
  uint32_t want = cg_u(g, SpvOpBitwiseXor, g->thread, one);
  return with(g, all, CG_FACT_BY_INDEX, same(g, got, want));
}

static uint32_t integers(cg *g, uint32_t all) {
  uint32_t kb = spv_bool(g->b), one = input(g, 0), none = input(g, 1),
           least = input(g, 2);
  uint32_t yes = cg_is(g, SpvOpINotEqual, one, none),
           no = cg_is(g, SpvOpIEqual, one, none);
  uint32_t first = spv_op(g->b, kb, SpvOpSelect, yes, yes, no);
  uint32_t second = spv_op(g->b, kb, SpvOpSelect, no, yes, no);
  uint32_t not = spv_op(g->b, kb, SpvOpLogicalNot, second);
  all = with(g, all, CG_FACT_SELECT, spv_op(g->b, kb, SpvOpLogicalAnd, first, not ));
  uint32_t size = spv_glsl(g->b, g->u32, GLSLstd450SAbs, least);
  return with(g, all, CG_FACT_LEAST, same(g, size, least));
}

static uint32_t subnormals(cg *g, uint32_t all) {
  uint32_t f32 = spv_float(g->b, 32), kb = spv_bool(g->b), bits = input(g, 3);
  uint32_t x = spv_op(g->b, f32, SpvOpBitcast, bits), ones = input(g, 4);
  uint32_t one = spv_op(g->b, f32, SpvOpBitcast, ones);
  uint32_t product = spv_flop(g->b, f32, SpvOpFMul, x, one);
  uint32_t back = spv_op(g->b, g->u32, SpvOpBitcast, product), none = input(g, 1);
  uint32_t zero = spv_op(g->b, f32, SpvOpBitcast, none);
  all = with(g, all, CG_FACT_KEPT, same(g, back, bits));
  return with(g, all, CG_FACT_COMPARED, spv_op(g->b, kb, SpvOpFOrdGreaterThan, x, zero));
}

/* How many threads are here: bits of a ballot. */
static uint32_t ballot(cg *g) {
  uint32_t v4 = spv_vec(g->b, g->u32, 4), scope = spv_u32(g->b, SpvScopeSubgroup);
  uint32_t yes = spv_true(g->b, true, 1);
  spv_cap(g->b, SpvCapabilityGroupNonUniformBallot);
  uint32_t votes = spv_op(g->b, v4, SpvOpGroupNonUniformBallot, scope, yes);
  return spv_op(g->b, g->u32, SpvOpGroupNonUniformBallotBitCount, scope,
                SpvGroupOperationReduce, votes);
}

bool cg_emit_facts(ctx *c, const cg_opts *o, cg_module *out) {
  static const kir none = {.kind = KIR_MAP};
  spv b;
  cg g = {.b = &b, .k = &none, .top = &none, .o = o};
  *out = (cg_module){0};
  spv_begin(&b, c);
  cg_open(&g);
  uint32_t word[CG_FACT_WORDS] = {cg_find_lane(&g)};
  word[1] = ballot(&g);
  word[2] = g.lane;
  word[3] = g.thread;
  uint32_t facts = shuffles(&g, spv_u32(&b, 0));
  facts = integers(&g, facts);
  word[CG_FACT_WORDS - 1] = subnormals(&g, facts);
  uint32_t place = cg_builtin(&g, SpvBuiltInLocalInvocationId, 3);
  uint32_t to = cg_slot(&g, CG_SLOT_INPUTS + 3);
  uint32_t first = cg_u(&g, SpvOpIMul, place, spv_u32(&b, 4 * CG_FACT_WORDS));
  to = cg_addr(&g, to, cg_to_ix(&g, first), 0);
  for (uint32_t i = 0; i < CG_FACT_WORDS; i++)
    cg_store(&g, g.u32, cg_plus(&g, to, 4 * i), word[i], 4);
  spv_do(&b, SpvOpReturn);
  return spv_finish(&b, o->workgroup, &out->words, &out->n);
}

static uint32_t atomic_word(cg *g, SpvOp op, uint32_t address, uint32_t v) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t at = cg_pointer(g, g->u32, address);
  if (op == SpvOpAtomicLoad) return spv_op(g->b, g->u32, op, at, device, relaxed);
  if (op == SpvOpAtomicIAdd) return spv_op(g->b, g->u32, op, at, device, relaxed, v);
  spv_do(g->b, op, at, device, relaxed, v);
  return 0;
}

/* Looks at the word at `mine` until it is there, somebody has given up, or it was looked at often enough. A bool: it
 * is there. */
static uint32_t await(cg *g, uint32_t mine, uint32_t lost) {
  uint32_t looks = spv_local(g->b, g->u32, 0), zero = spv_u32(g->b, 0);
  spv_do(g->b, SpvOpStore, looks, zero);
  spv_loop l = spv_forever(g->b);
  uint32_t n = spv_op(g->b, g->u32, SpvOpLoad, looks);
  uint32_t there = atomic_word(g, SpvOpAtomicLoad, mine, 0);
  uint32_t over =
      cg_u(g, SpvOpBitwiseOr, there, atomic_word(g, SpvOpAtomicLoad, lost, 0));
  over = cg_is(g, SpvOpINotEqual, over, zero);
  uint32_t often = cg_is(g, SpvOpUGreaterThanEqual, n, spv_u32(g->b, CG_LOOKS));
  spv_break_if(g->b, &l, cg_is(g, SpvOpLogicalOr, over, often));
  spv_do(g->b, SpvOpStore, looks, cg_ui(g, SpvOpIAdd, n, 1));
  spv_again(g->b, &l);
  return cg_is(g, SpvOpINotEqual, atomic_word(g, SpvOpAtomicLoad, mine, 0), zero);
}

bool cg_emit_progress(ctx *c, const cg_opts *o, cg_module *out) {
  static const kir none = {.kind = KIR_MAP};
  spv b;
  cg g = {.b = &b, .k = &none, .top = &none, .o = o};
  *out = (cg_module){0};
  spv_begin(&b, c);
  cg_open(&g);
  uint32_t one = spv_u32(&b, 1), words = cg_slot(&g, CG_SLOT_INPUTS);
  uint32_t merge = spv_if(&b, cg_is_zero(&g, g.thread));
  uint32_t place = atomic_word(&g, SpvOpAtomicIAdd, words, one);
  uint32_t lost = cg_plus(&g, words, 4);
  uint32_t at = cg_to_ix(&g, cg_ui(&g, SpvOpIMul, place, 4));
  uint32_t mine = cg_addr(&g, cg_plus(&g, words, 8), at, 0);
  uint32_t there = await(&g, mine, lost);
  uint32_t next = cg_plus(&g, mine, 4), to = cg_pick(&g, g.u64, there, next, lost);
  (void)atomic_word(&g, SpvOpAtomicStore, to, one);
  spv_endif(&b, merge);
  spv_do(&b, SpvOpReturn);
  return spv_finish(&b, o->workgroup, &out->words, &out->n);
}
