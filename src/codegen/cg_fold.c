/* SPDX-License-Identifier: MIT */
/* cg_fold.c - accumulators: the monoids of tables/fold.h, and how accumulators travel
 * between lanes.
 *
 * An accumulator is a tuple of 1 to KIR_MAX_ACC values: each has the type of
 * kfold_acc_type, or is two KI64 (low, high) when its sum is wide. cg_combine is a∘b, a
 * being the left one: by the join's instructions, or value by value. Between threads an
 * accumulator goes by shuffle or through workgroup memory, truth values as words; group.c
 * folds and scans within a subgroup. */
#include "cg_fold.h"

#include "../kir/folds.h"
#include "cg_arith.h"
#include "memory.h"
#include "instructions.h"

kty cg_acc_type(const kir *k, uint32_t i) { return kfold_acc_type(k, i / 2); }

static bool has_effect(const kir *join) {
  for (uint32_t i = 0; i < join->n_ins; i++)
    if (kop_has_effect((kop)join->ins[i].op)) return true;
  return false;
}

bool cg_fold_escapes(const kir *k) {
  if (k->join) return has_effect(k->join);
  for (uint32_t n = 0; n < k->n_acc; n++)
    if (kfold_escapes(k->acc[n].monoid, kfold_acc_type(k, n))) return true;
  return false;
}

/* The operation that joins two of value n. */
static kop op_of(const kir *k, uint32_t n) {
  return (kop)kfold_table[k->acc[n].monoid].on[kfold_acc_type(k, n)].op;
}

bool cg_fold_selects(const kir *k) { return k->join; }

bool cg_fold_commutes(const kir *k) { return !k->join; }

/* Is every value by an EXACT or SUM row, or, with `extremes`, by ⌊ or ⌈? */
static bool folds_by(const kir *k, bool extremes) {
  for (uint32_t n = 0; n < k->n_acc; n++) {
    kfold f = (kfold)k->acc[n].monoid;
    korder order = (korder)kfold_table[f].on[kfold_acc_type(k, n)].order;
    if (extremes && (f == KF_MIN || f == KF_MAX)) continue;
    if (order != KORDER_EXACT && order != KORDER_SUM) return false;
  }
  return !k->join;
}

bool cg_fold_exact(const kir *k) { return folds_by(k, false); }

bool cg_fold_associates(const kir *k) { return folds_by(k, true); }

bool cg_fold_is_wide(const kir *k) {
  for (uint32_t n = 0; n < k->n_acc; n++)
    if (k->acc[n].wide) return true;
  return false;
}

static uint32_t identity_of(cg *g, uint32_t n) {
  kty t = kfold_acc_type(g->k, n);
  kimm v = g->k->identity[n];
  if (!g->k->join) v = kfold_identity(g->k->acc[n].monoid, t);
  if (t == KB) return cg_const(g, KB, v.i != 0);
  if (kty_is_float(t)) return cg_real(g, t, v.f);
  return cg_int(g, t, v.i);
}

cg_acc cg_identity(cg *g) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) {
    if (i % 2) r.id[i] = cg_int(g, KI64, 0);
    else r.id[i] = identity_of(g, i / 2);
  }
  return r;
}

static void add_wide(cg *g, const uint32_t a[2], const uint32_t b[2], uint32_t r[2]) {
  uint32_t ty = cg_type(g, KI64);
  r[0] = spv_op(g->b, ty, SpvOpIAdd, a[0], b[0]);
  uint32_t over = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, r[0], a[0]);
  uint32_t hi = spv_op(g->b, ty, SpvOpIAdd, a[1], b[1]);
  r[1] = spv_op(g->b, ty, SpvOpIAdd, hi, cg_cvt(g, over, KB, KI64));
}

static uint32_t combine_values(cg *g, uint32_t n, uint32_t a, uint32_t b, uint32_t ok) {
  kty t = kfold_acc_type(g->k, n);
  if (!kfold_escapes(g->k->acc[n].monoid, t)) return cg_arith(g, op_of(g->k, n), t, a, b);
  uint32_t over, r = cg_mulo(g, t, a, b, &over);
  cg_raise(g, over, ok, g->k->acc[n].fault, true);
  return r;
}

/* The join's instructions: its inputs are the tuples, its faults and parameters the
 * kernel's. */
static cg_acc join_tuples(cg *g, const cg_acc *a, const cg_acc *b, uint32_t ok) {
  const kir *k = g->k, *join = k->join;
  uint32_t raw[KIR_MAX_IN] = {0}, *val = g->val;
  cg_pos p = {.tail = ok != 0, .ok = ok};
  cg_acc r = {{0}};
  for (uint32_t n = 0; n < k->n_acc; n++) {
    raw[n] = a->id[2 * n];
    raw[k->n_acc + n] = b->id[2 * n];
  }
  g->k = join;
  g->val = g->join_val;
  cg_range(g, 0, join->n_ins, &p, raw);
  for (uint32_t n = 0; n < k->n_acc; n++) r.id[2 * n] = g->val[join->out[n].value];
  g->k = k;
  g->val = val;
  return r;
}

cg_acc cg_combine(cg *g, cg_acc a, cg_acc b, uint32_t ok) {
  cg_acc r = {{0}};
  if (g->k->join) return join_tuples(g, &a, &b, ok);
  for (uint32_t n = 0; n < g->k->n_acc; n++) {
    uint32_t i = 2 * n;
    if (g->k->acc[n].wide) add_wide(g, &a.id[i], &b.id[i], &r.id[i]);
    else r.id[i] = combine_values(g, n, a.id[i], b.id[i], ok);
  }
  return r;
}

/* ── results of wide sums ───────────────────────────────────────────────────────────── */

/* 128 bits → f64, rounded once. The magnitude's upper 63 bits, the lowest of them
 * standing for all that follow if any is set, convert with the right rounding; a power of
 * two scales exactly. n: how far to shift, the bits of hi, read off hi's own conversion
 * (one more does no harm). |hi| is far below 2^62: it would take 2^61 elements. */
static uint32_t cg_wide_to_f64(cg *g, uint32_t lower, uint32_t upper) {
  spv *b = g->b;
  uint32_t ty = cg_type(g, KI64), kb = cg_type(g, KB), zero = cg_int(g, KI64, 0);
  uint32_t one = cg_int(g, KI64, 1), all = cg_int(g, KI64, 63);
  uint32_t minus = cg_cmp(g, KOP_LT, KI64, upper, zero);
  uint32_t nlo = cg_ineg(g, KI64, lower), nhi = spv_op(b, ty, SpvOpNot, upper);
  uint32_t wrap = cg_cvt(g, cg_cmp(g, KOP_EQ, KI64, lower, zero), KB, KI64);
  nhi = spv_op(b, ty, SpvOpIAdd, nhi, wrap);
  uint32_t lo = cg_sel(g, KI64, minus, nlo, lower),
           hi = cg_sel(g, KI64, minus, nhi, upper);
  uint32_t f = spv_op(b, ty, SpvOpBitcast, cg_cvt(g, hi, KI64, KF64));
  uint32_t e = cg_shift(g, KI64, SpvOpShiftRightLogical, f, 52);
  uint32_t n = spv_op(b, ty, SpvOpISub, e, cg_int(g, KI64, 1022));
  uint32_t none = cg_cmp(g, KOP_EQ, KI64, hi, zero);
  n = cg_sel(g, KI64, none, zero, n);
  uint32_t left = spv_op(b, ty, SpvOpISub, all, n);
  /* top = (hi:lo) >> n, rest = what falls out; shifts of 64 - n in two steps */
  uint32_t down = spv_op(b, ty, SpvOpShiftRightLogical, lo, n);
  uint32_t h1 = spv_op(b, ty, SpvOpShiftLeftLogical, hi, left);
  uint32_t up = spv_op(b, ty, SpvOpShiftLeftLogical, h1, one);
  uint32_t top = spv_op(b, ty, SpvOpBitwiseOr, up, down);
  uint32_t l1 = spv_op(b, ty, SpvOpShiftLeftLogical, lo, left);
  uint32_t rest = spv_op(b, ty, SpvOpShiftLeftLogical, l1, one);
  uint32_t low = spv_op(b, ty, SpvOpBitwiseAnd, top, one);
  rest = spv_op(b, ty, SpvOpBitwiseOr, rest, low);
  uint32_t sticky = cg_cvt(g, cg_cmp(g, KOP_NE, KI64, rest, zero), KB, KI64);
  uint32_t half = spv_op(b, ty, SpvOpShiftRightLogical, top, one);
  half = spv_op(b, ty, SpvOpBitwiseOr, half, sticky);
  uint32_t big = cg_cvt(g, half, KI64, KF64);
  uint32_t field = spv_op(b, ty, SpvOpIAdd, n, cg_int(g, KI64, 1024));
  uint32_t scale = spv_op(b, ty, SpvOpShiftLeftLogical, field, cg_int(g, KI64, 52));
  scale = spv_op(b, cg_type(g, KF64), SpvOpBitcast, scale);
  big = cg_arith(g, KOP_MUL, KF64, big, scale);
  uint32_t fits = cg_cmp(g, KOP_GE, KI64, lo, zero);
  fits = spv_op(b, kb, SpvOpLogicalAnd, none, fits);
  uint32_t r = cg_sel(g, KF64, fits, cg_cvt(g, lo, KI64, KF64), big);
  uint32_t neg = spv_op(b, cg_type(g, KF64), SpvOpFNegate, r);
  return cg_sel(g, KF64, minus, neg, r);
}

static uint32_t result_of(cg *g, uint32_t n, uint32_t low, uint32_t high, uint32_t ok) {
  const kacc *a = &g->k->acc[n];
  if (!a->wide) return cg_cvt(g, low, kfold_acc_type(g->k, n), (kty)a->ty);
  if (a->ty == KF64) return cg_wide_to_f64(g, low, high);
  uint32_t sign = cg_shift(g, KI64, SpvOpShiftRightArithmetic, low, 63);
  cg_raise(g, cg_cmp(g, KOP_NE, KI64, high, sign), ok, a->fault, true);
  return low;
}

void cg_fold_results(cg *g, cg_acc v, uint32_t ok) {
  for (uint32_t n = 0; n < g->k->n_acc; n++)
    g->result[n] = result_of(g, n, v.id[2 * n], v.id[2 * n + 1], ok);
  g->val[g->k->fold_at] = g->result[0];
}

/* ── shapes ─────────────────────────────────────────────────────────────────────────── */

cg_acc cg_acc_sel(cg *g, uint32_t cond, cg_acc a, cg_acc b) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i)
  r.id[i] = cg_sel(g, cg_acc_type(g->k, i), cond, a.id[i], b.id[i]);
  return r;
}

cg_acc cg_acc_part(cg *g, cg_acc v, uint32_t j) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) r.id[i] = cg_part(g, cg_acc_type(g->k, i), v.id[i], j);
  return r;
}

cg_acc cg_acc_join(cg *g, const cg_acc v[4]) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) {
    uint32_t lane[4] = {v[0].id[i], v[1].id[i], v[2].id[i], v[3].id[i]};
    r.id[i] = cg_join(g, cg_acc_type(g->k, i), lane);
  }
  return r;
}

cg_acc cg_acc_splat(cg *g, cg_acc v) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) r.id[i] = cg_splat(g, cg_acc_type(g->k, i), v.id[i]);
  return r;
}

/* ── between threads ────────────────────────────────────────────────────────────────── */

/* What travels for an id: itself, or a word for a truth value. */
static kty cg_travel(cg *g, uint32_t i) {
  kty t = cg_acc_type(g->k, i);
  return t == KB ? KI32 : t;
}

cg_acc cg_shuffle(cg *g, cg_acc v, uint32_t lane, bool is_xor) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) {
    kty t = cg_acc_type(g->k, i), w = cg_travel(g, i);
    uint32_t word = cg_cvt(g, v.id[i], t, w), type = cg_type(g, w);
    r.id[i] = cg_cvt(g, cg_shuffle_word(g, type, word, lane, is_xor), w, t);
  }
  return r;
}

cg_var cg_local_acc(cg *g, cg_acc initial) {
  cg_var r = {{0}};
  CG_EACH_ID(g->k, i) {
    uint32_t type = cg_type(g, cg_acc_type(g->k, i));
    r.id[i] = spv_local(g->b, type, initial.id[i]);
  }
  return r;
}

cg_var cg_var_acc(cg *g, cg_acc v) {
  cg_var r = cg_local_acc(g, cg_identity(g));
  cg_var_set(g, r, v);
  return r;
}

cg_acc cg_var_get(cg *g, cg_var v) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) {
    uint32_t type = cg_type(g, cg_acc_type(g->k, i));
    r.id[i] = spv_op(g->b, type, SpvOpLoad, v.id[i]);
  }
  return r;
}

void cg_var_set(cg *g, cg_var v, cg_acc a) {
  CG_EACH_ID(g->k, i) spv_do(g->b, SpvOpStore, v.id[i], a.id[i]);
}

cg_var cg_shared_acc(cg *g, uint32_t count) {
  cg_var r = {{0}};
  CG_EACH_ID(g->k, i) {
    uint32_t type = cg_scalar_type(g, cg_travel(g, i));
    r.id[i] = spv_shared(g->b, type, count);
  }
  return r;
}

cg_acc cg_shared_get(cg *g, cg_var v, uint32_t index) {
  cg_acc r = {{0}};
  CG_EACH_ID(g->k, i) {
    kty t = cg_acc_type(g->k, i), w = cg_travel(g, i);
    uint32_t type = cg_scalar_type(g, w), ptr = cg_shared_ptr(g, type, v.id[i], index);
    r.id[i] = cg_cvt(g, spv_op(g->b, type, SpvOpLoad, ptr), w, t);
  }
  return r;
}

void cg_shared_put(cg *g, cg_var v, uint32_t index, cg_acc a) {
  CG_EACH_ID(g->k, i) {
    kty t = cg_acc_type(g->k, i), w = cg_travel(g, i);
    uint32_t type = cg_scalar_type(g, w), word = cg_cvt(g, a.id[i], t, w);
    spv_do(g->b, SpvOpStore, cg_shared_ptr(g, type, v.id[i], index), word);
  }
}
