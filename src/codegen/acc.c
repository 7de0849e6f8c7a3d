/* SPDX-License-Identifier: MIT */
/* acc.c - where accumulators come from and go to: the producer's elements, or memory.
 *
 * In memory an accumulator takes cg_acc_bytes; a truth value is a word of 0 or 1, a wide
 * sum two words of 64 bits, the low one first. */
#include "fold.h"

#include "arith.h"
#include "memory.h"
#include "ops.h"

static elt cg_acc_elt(cg *g) {
  switch (cg_acc_type(g->k)) {
  case KB:
  case KI32: return ET_I32;
  case KI64: return ET_I64;
  case KF32: return ET_F32;
  default: return ET_F64;
  }
}

cg_acc cg_get_acc_at(cg *g, uint32_t base, uint32_t index) {
  if (!g->k->acc[0].wide) {
    elt t = cg_acc_elt(g);
    uint32_t v = cg_get_at(g, t, base, index), lanes = g->lanes;
    g->lanes = 1;
    v = cg_cvt(g, v, kir_arg_type(t), cg_acc_type(g->k));
    g->lanes = lanes;
    return (cg_acc){v, 0};
  }
  uint32_t v = cg_load(g, spv_vec(g->b, g->u64, 2), cg_addr(g, base, index, 4), 16);
  uint32_t lo = spv_op(g->b, g->u64, SpvOpCompositeExtract, v, 0);
  return (cg_acc){lo, spv_op(g->b, g->u64, SpvOpCompositeExtract, v, 1)};
}

cg_acc cg_get_acc(cg *g, uint32_t base, cg_pos *p) {
  cg_acc v[4] = {{0, 0}};
  if (!g->k->acc[0].wide) {
    elt t = cg_acc_elt(g);
    return (cg_acc){cg_cvt(g, cg_get(g, t, base, p), kir_arg_type(t), cg_acc_type(g->k)),
                    0};
  }
  for (uint32_t j = 0; j < g->lanes; j++) {
    v[j] = cg_get_acc_at(g, base, cg_lane_index(g, p, j));
  }
  return cg_acc_join(g, v);
}

void cg_put_acc_at(cg *g, uint32_t base, uint32_t index, cg_acc v) {
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  if (!g->k->acc[0].wide) {
    elt t = cg_acc_elt(g);
    cg_put_at(g, t, base, index, cg_cvt(g, v.lo, cg_acc_type(g->k), kir_arg_type(t)));
  } else {
    uint32_t two = spv_vec(g->b, g->u64, 2);
    uint32_t pair = spv_op(g->b, two, SpvOpCompositeConstruct, v.lo, v.hi);
    cg_store(g, two, cg_addr(g, base, index, 4), pair, 16);
  }
  g->lanes = lanes;
}

void cg_put_acc(cg *g, uint32_t base, cg_pos *p, cg_acc v) {
  if (!g->k->acc[0].wide) {
    elt t = cg_acc_elt(g);
    cg_put(g, t, base, p, cg_cvt(g, v.lo, cg_acc_type(g->k), kir_arg_type(t)));
    return;
  }
  for (uint32_t j = 0; j < g->lanes; j++) {
    cg_acc x = cg_acc_part(g, v, j);
    uint32_t merge = cg_guard(g, p, j);
    cg_put_acc_at(g, base, cg_store_index(g, p, j), x);
    cg_unguard(g, merge);
  }
}

/* ── accumulators that other workgroups of the same dispatch read ──────────────────── */

static uint32_t word_pointer(cg *g, uint32_t acc_addr, uint32_t word) {
  return cg_pointer(g, g->u32, cg_plus(g, acc_addr, 4 * word));
}

static uint32_t acc_addr(cg *g, uint32_t base, uint32_t index) {
  return cg_addr(g, base, index, cg_log2((uint32_t)cg_acc_bytes(g->k)));
}

static void publish_word(cg *g, uint32_t addr, uint32_t n, uint32_t word) {
  uint32_t ptr = word_pointer(g, addr, n), device = spv_u32(g->b, SpvScopeDevice);
  spv_do(g->b, SpvOpAtomicStore, ptr, device, spv_u32(g->b, 0), word);
}

static uint32_t published_word(cg *g, uint32_t addr, uint32_t n) {
  uint32_t ptr = word_pointer(g, addr, n), device = spv_u32(g->b, SpvScopeDevice);
  return spv_op(g->b, g->u32, SpvOpAtomicLoad, ptr, device, spv_u32(g->b, 0));
}

/* Half an accumulator, of type t, whose first word is number n. */
static void publish_half(cg *g, kty t, uint32_t addr, uint32_t n, uint32_t v) {
  if (kty_bytes(t) == 4) {
    if (t == KF32) v = spv_op(g->b, g->u32, SpvOpBitcast, v);
    publish_word(g, addr, n, v);
    return;
  }
  uint32_t two = spv_op(g->b, spv_vec(g->b, g->u32, 2), SpvOpBitcast, v);
  for (uint32_t i = 0; i < 2; i++)
    publish_word(g, addr, n + i, spv_op(g->b, g->u32, SpvOpCompositeExtract, two, i));
}

static uint32_t published_half(cg *g, kty t, uint32_t addr, uint32_t n) {
  uint32_t first = published_word(g, addr, n), type = cg_scalar_type(g, t);
  if (t == KI32) return first;
  if (t == KF32) return spv_op(g->b, type, SpvOpBitcast, first);
  uint32_t second = published_word(g, addr, n + 1), v2 = spv_vec(g->b, g->u32, 2);
  uint32_t two = spv_op(g->b, v2, SpvOpCompositeConstruct, first, second);
  return spv_op(g->b, type, SpvOpBitcast, two);
}

void cg_publish_acc(cg *g, uint32_t base, uint32_t index, cg_acc v) {
  kty t = kir_arg_type(cg_acc_elt(g));
  uint32_t addr = acc_addr(g, base, index);
  publish_half(g, t, addr, 0, cg_cvt(g, v.lo, cg_acc_type(g->k), t));
  if (v.hi) publish_half(g, t, addr, 2, v.hi);
}

static cg_acc published_acc(cg *g, uint32_t base, uint32_t index) {
  kty t = kir_arg_type(cg_acc_elt(g));
  uint32_t addr = acc_addr(g, base, index), lanes = g->lanes;
  g->lanes = 1;
  cg_acc v = {published_half(g, t, addr, 0), 0};
  v.lo = cg_cvt(g, v.lo, t, cg_acc_type(g->k));
  if (g->k->acc[0].wide) v.hi = published_half(g, t, addr, 2);
  g->lanes = lanes;
  return v;
}

static cg_acc published(cg *g, uint32_t base, cg_pos *p) {
  cg_acc v[4] = {{0, 0}};
  for (uint32_t j = 0; j < g->lanes; j++)
    v[j] = published_acc(g, base, cg_lane_index(g, p, j));
  return cg_acc_join(g, v);
}

/* ── the producer ──────────────────────────────────────────────────────────────────── */

static cg_acc to_acc(cg *g, uint32_t v) {
  const kins *f = &g->k->ins[g->k->fold_at];
  kty t = cg_acc_type(g->k);
  cg_acc a = {cg_cvt(g, v, g->k->ins[f->a].ty, t), 0};
  if (g->k->acc[0].wide) a.hi = cg_shift(g, t, SpvOpShiftRightArithmetic, a.lo, 63);
  return a;
}

cg_acc cg_source(cg *g, cg_pos *p, const uint32_t *raw) {
  const kir *k = g->k;
  if (g->published) return published(g, g->from, p);
  if (g->o->from_partials) return cg_get_acc(g, g->from, p);
  cg_range(g, 0, k->fold_at, p, raw);
  return to_acc(g, g->val[k->ins[k->fold_at].a]);
}
