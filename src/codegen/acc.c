/* SPDX-License-Identifier: MIT */
/* acc.c - where accumulators come from and go to: the producer's elements, or memory.
 *
 * In memory an accumulator takes cg_acc_bytes. A truth value is a word of 0 or 1, a wide
 * sum two words of 64 bits, the low one first. A tuple's values stand together, those of
 * 64 bits before those of 32, so that each is aligned; arrays of one value are read and
 * written four at a time, as elements are. */
#include "cg_fold.h"

#include "../kir/folds.h"

#include "cg_arith.h"
#include "memory.h"
#include "instructions.h"

/* The storage type of id number i. */
static elt elt_of(const kir *k, uint32_t i) {
  switch (cg_acc_type(k, i)) {
  case KB:
  case KI32: return ET_I32;
  case KI64: return ET_I64;
  case KF32: return ET_F32;
  default: return ET_F64;
  }
}

static bool is_tuple(const kir *k) { return k->n_acc > 1 || k->acc[0].wide; }

/* ── arrays of one value ────────────────────────────────────────────────────────────── */

static cg_acc from_element(cg *g, uint32_t v) {
  return (cg_acc){{cg_cvt(g, v, kir_arg_type(elt_of(g->k, 0)), cg_acc_type(g->k, 0))}};
}

static uint32_t to_element(cg *g, cg_acc v) {
  return cg_cvt(g, v.id[0], cg_acc_type(g->k, 0), kir_arg_type(elt_of(g->k, 0)));
}

/* ── arrays of tuples ───────────────────────────────────────────────────────────────── */

static uint32_t id_bytes(const kir *k, uint32_t i) {
  return (uint32_t)kty_bytes(kir_arg_type(elt_of(k, i)));
}

/* Where id number `at` stands in its accumulator. */
static uint32_t offset_of(const kir *k, uint32_t at) {
  uint32_t n = 0, bytes = id_bytes(k, at);
  CG_EACH_ID(k, i)
  if (id_bytes(k, i) > bytes || (id_bytes(k, i) == bytes && i < at)) n += id_bytes(k, i);
  return n;
}

static uint32_t acc_addr(cg *g, uint32_t base, uint32_t index) {
  uint32_t bytes = (uint32_t)cg_acc_bytes(g->k);
  if ((bytes & (bytes - 1)) == 0) return cg_addr(g, base, index, cg_log2(bytes));
  if (g->ix == g->u32) index = spv_op(g->b, g->u64, SpvOpUConvert, index);
  uint32_t skip = spv_op(g->b, g->u64, SpvOpIMul, index, cg_u64(g, bytes));
  return spv_op(g->b, g->u64, SpvOpIAdd, base, skip);
}

static cg_acc get_tuple(cg *g, uint32_t base, uint32_t index) {
  uint32_t addr = acc_addr(g, base, index), lanes = g->lanes;
  cg_acc r = {{0}};
  g->lanes = 1;
  CG_EACH_ID(g->k, i) {
    kty t = kir_arg_type(elt_of(g->k, i));
    uint32_t at = cg_plus(g, addr, offset_of(g->k, i));
    uint32_t v = cg_load(g, cg_scalar_type(g, t), at, id_bytes(g->k, i));
    r.id[i] = cg_cvt(g, v, t, cg_acc_type(g->k, i));
  }
  g->lanes = lanes;
  return r;
}

/* The lanes are one. */
static void put_tuple(cg *g, uint32_t base, uint32_t index, cg_acc v) {
  uint32_t addr = acc_addr(g, base, index);
  CG_EACH_ID(g->k, i) {
    kty t = kir_arg_type(elt_of(g->k, i));
    uint32_t at = cg_plus(g, addr, offset_of(g->k, i));
    uint32_t x = cg_cvt(g, v.id[i], cg_acc_type(g->k, i), t);
    cg_store(g, cg_scalar_type(g, t), at, x, id_bytes(g->k, i));
  }
}

/* ── either ─────────────────────────────────────────────────────────────────────────── */

cg_acc cg_get_acc_at(cg *g, uint32_t base, uint32_t index) {
  if (is_tuple(g->k)) return get_tuple(g, base, index);
  uint32_t v = cg_get_at(g, elt_of(g->k, 0), base, index), lanes = g->lanes;
  g->lanes = 1;
  cg_acc r = from_element(g, v);
  g->lanes = lanes;
  return r;
}

cg_acc cg_get_acc(cg *g, uint32_t base, cg_pos *p) {
  cg_acc v[4] = {{{0}}};
  if (!is_tuple(g->k)) return from_element(g, cg_get(g, elt_of(g->k, 0), base, p));
  for (uint32_t j = 0; j < g->lanes; j++)
    v[j] = get_tuple(g, base, cg_lane_index(g, p, j));
  return cg_acc_join(g, v);
}

void cg_put_acc_at(cg *g, uint32_t base, uint32_t index, cg_acc v) {
  uint32_t lanes = g->lanes;
  g->lanes = 1;
  if (is_tuple(g->k)) put_tuple(g, base, index, v);
  else cg_put_at(g, elt_of(g->k, 0), base, index, to_element(g, v));
  g->lanes = lanes;
}

void cg_put_acc(cg *g, uint32_t base, cg_pos *p, cg_acc v) {
  if (!is_tuple(g->k)) {
    cg_put(g, elt_of(g->k, 0), base, p, to_element(g, v));
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

static uint32_t word_pointer(cg *g, uint32_t addr, uint32_t byte) {
  return cg_pointer(g, g->u32, cg_plus(g, addr, byte));
}

static void publish_word(cg *g, uint32_t addr, uint32_t byte, uint32_t word) {
  uint32_t ptr = word_pointer(g, addr, byte), device = spv_u32(g->b, SpvScopeDevice);
  spv_do(g->b, SpvOpAtomicStore, ptr, device, spv_u32(g->b, 0), word);
}

static uint32_t published_word(cg *g, uint32_t addr, uint32_t byte) {
  uint32_t ptr = word_pointer(g, addr, byte), device = spv_u32(g->b, SpvScopeDevice);
  return spv_op(g->b, g->u32, SpvOpAtomicLoad, ptr, device, spv_u32(g->b, 0));
}

/* One id, of type t, as words; and back. */
static void words_of(cg *g, kty t, uint32_t v, uint32_t *w) {
  if (t == KF32) v = spv_op(g->b, g->u32, SpvOpBitcast, v);
  w[0] = v;
  if (kty_bytes(t) == 4) return;
  uint32_t two = spv_op(g->b, spv_vec(g->b, g->u32, 2), SpvOpBitcast, v);
  for (uint32_t i = 0; i < 2; i++)
    w[i] = spv_op(g->b, g->u32, SpvOpCompositeExtract, two, i);
}

static uint32_t of_words(cg *g, kty t, const uint32_t *w) {
  uint32_t type = cg_scalar_type(g, t), v2 = spv_vec(g->b, g->u32, 2);
  if (t == KI32) return w[0];
  if (t == KF32) return spv_op(g->b, type, SpvOpBitcast, w[0]);
  uint32_t two = spv_op(g->b, v2, SpvOpCompositeConstruct, w[0], w[1]);
  return spv_op(g->b, type, SpvOpBitcast, two);
}

uint32_t cg_acc_words(cg *g, cg_acc v, uint32_t w[CG_ACC_WORDS]) {
  uint32_t n = (uint32_t)cg_acc_bytes(g->k) / 4;
  for (uint32_t i = 0; i < n; i++) w[i] = spv_u32(g->b, 0); /* behind the last value */
  CG_EACH_ID(g->k, i) {
    kty t = kir_arg_type(elt_of(g->k, i));
    uint32_t x = cg_cvt(g, v.id[i], cg_acc_type(g->k, i), t);
    words_of(g, t, x, w + offset_of(g->k, i) / 4);
  }
  return n;
}

cg_acc cg_acc_of_words(cg *g, const uint32_t w[CG_ACC_WORDS]) {
  cg_acc v = {{0}};
  CG_EACH_ID(g->k, i) {
    kty t = kir_arg_type(elt_of(g->k, i));
    uint32_t x = of_words(g, t, w + offset_of(g->k, i) / 4);
    v.id[i] = cg_cvt(g, x, t, cg_acc_type(g->k, i));
  }
  return v;
}

void cg_publish_acc(cg *g, uint32_t base, uint32_t index, cg_acc v) {
  uint32_t w[CG_ACC_WORDS] = {0}, n = cg_acc_words(g, v, w);
  uint32_t addr = acc_addr(g, base, index);
  for (uint32_t i = 0; i < n; i++) publish_word(g, addr, 4 * i, w[i]);
}

static cg_acc published_acc(cg *g, uint32_t base, uint32_t index) {
  uint32_t addr = acc_addr(g, base, index), lanes = g->lanes, w[CG_ACC_WORDS] = {0};
  g->lanes = 1;
  for (uint32_t i = 0; i < (uint32_t)cg_acc_bytes(g->k) / 4; i++)
    w[i] = published_word(g, addr, 4 * i);
  cg_acc v = cg_acc_of_words(g, w);
  g->lanes = lanes;
  return v;
}

static cg_acc published(cg *g, uint32_t base, cg_pos *p) {
  cg_acc v[4] = {{{0}}};
  for (uint32_t j = 0; j < g->lanes; j++)
    v[j] = published_acc(g, base, cg_lane_index(g, p, j));
  return cg_acc_join(g, v);
}

/* ── the producer ──────────────────────────────────────────────────────────────────── */

cg_acc cg_acc_here(cg *g) {
  cg_acc r = {{0}};
  for (uint32_t n = 0; n < g->k->n_acc; n++) {
    const kacc *a = &g->k->acc[n];
    kty t = kfold_acc_type(g->k, n);
    uint32_t v = cg_cvt(g, g->val[a->from], (kty)g->k->ins[a->from].ty, t);
    r.id[2 * n] = v;
    if (a->wide) r.id[2 * n + 1] = cg_shift(g, t, SpvOpShiftRightArithmetic, v, 63);
  }
  return r;
}

cg_acc cg_source(cg *g, cg_pos *p, const uint32_t *raw) {
  if (g->published) return published(g, g->from, p);
  if (g->o->from_partials) return cg_get_acc(g, g->from, p);
  cg_range(g, 0, g->k->fold_at, p, raw);
  return cg_acc_here(g);
}

/* ── sums of small numbers ─────────────────────────────────────────────────────────── */

/* Is a value below 2^16 in magnitude? Truth values as numbers, elements of 8 and 16
 * bits. */
static bool is_small(const kir *k, kv v) {
  const kins *in = &k->ins[v];
  if (in->ty != KI32) return false;
  if (in->op == KOP_CVT) return k->ins[in->a].ty == KB;
  if (in->op != KOP_ARG) return false;
  elt t = (elt)k->in[in->imm.i].type;
  return !elt_is_float(t) && elt_bits(t) <= 16;
}

/* The only fold is a sum of such values, so some hundred add up in 32 bits. */
static bool sums_small(const cg *g) {
  const kir *k = g->k;
  if (g->published || g->o->from_partials || k->join || k->n_acc > 1) return false;
  return k->acc[0].monoid == KF_ADD && is_small(k, k->acc[0].from);
}

cg_acc cg_fold_at(cg *g, cg_acc a, cg_pos *p, uint32_t (*raw)[KIR_MAX_IN], uint32_t n) {
  cg_acc none = cg_identity(g);
  if (!sums_small(g)) {
    for (uint32_t i = 0; i < n; i++) {
      cg_acc x = cg_source(g, &p[i], raw[i]);
      uint32_t ok = cg_ok(g, &p[i]);
      if (ok) x = cg_acc_sel(g, ok, x, none);
      a = cg_combine(g, a, x, 0);
    }
    return a;
  }
  kv from = g->k->acc[0].from;
  uint32_t sum = 0, zero = cg_int(g, KI32, 0), type = cg_type(g, KI32);
  for (uint32_t i = 0; i < n; i++) {
    cg_range(g, 0, g->k->fold_at, &p[i], raw[i]);
    uint32_t x = g->val[from], ok = cg_ok(g, &p[i]);
    if (ok) x = cg_sel(g, KI32, ok, x, zero);
    sum = sum ? spv_op(g->b, type, SpvOpIAdd, sum, x) : x;
  }
  g->val[from] = sum;
  return cg_combine(g, a, cg_acc_here(g), 0);
}
