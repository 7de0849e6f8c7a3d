/* SPDX-License-Identifier: MIT */
/* fold.c - accumulators: the monoids of tables/fold.h, and how accumulators travel
 * between lanes.
 *
 * An accumulator is a value of cg_acc_type, or two KI64 (low, high) when the sum is wide.
 * cg_combine is a∘b, a being the left one: that shows in minimum and maximum of floats
 * alone. Between threads an accumulator goes by shuffle or through workgroup memory,
 * truth values as words; group.c folds and scans within a subgroup. */
#include "fold.h"

#include "../kir/folds.h"
#include "arith.h"
#include "memory.h"

bool cg_fold_escapes(const kir *k) {
  return kfold_escapes(k->acc[0].monoid, cg_acc_type(k));
}

/* The operation that joins two accumulators. */
static kop cg_join_op(const kir *k) {
  return kfold_table[k->acc[0].monoid].on[cg_acc_type(k)].op;
}

/* ⌊ and ⌈ of floats: the left operand shows where the right one is a NaN. */
bool cg_fold_selects(const kir *k) {
  kop op = cg_join_op(k);
  return kty_is_float(cg_acc_type(k)) && (op == KOP_MIN || op == KOP_MAX);
}

cg_acc cg_identity(cg *g) {
  kty t = cg_acc_type(g->k);
  kimm v = kfold_identity(g->k->acc[0].monoid, t);
  if (t == KB) return (cg_acc){cg_const(g, KB, v.i != 0), 0};
  if (kty_is_float(t)) return (cg_acc){cg_real(g, t, v.f), 0};
  cg_acc r = {cg_int(g, t, v.i), 0};
  if (g->k->acc[0].wide) r.hi = cg_int(g, t, 0);
  return r;
}

static cg_acc cg_add_wide(cg *g, cg_acc a, cg_acc b) {
  uint32_t ty = cg_type(g, KI64);
  uint32_t lo = spv_op(g->b, ty, SpvOpIAdd, a.lo, b.lo);
  uint32_t over = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, lo, a.lo);
  uint32_t hi = spv_op(g->b, ty, SpvOpIAdd, a.hi, b.hi);
  return (cg_acc){lo, spv_op(g->b, ty, SpvOpIAdd, hi, cg_cvt(g, over, KB, KI64))};
}

cg_acc cg_combine(cg *g, cg_acc a, cg_acc b, uint32_t ok) {
  kty t = cg_acc_type(g->k);
  if (g->k->acc[0].wide) return cg_add_wide(g, a, b);
  if (!cg_fold_escapes(g->k))
    return (cg_acc){cg_arith(g, cg_join_op(g->k), t, a.lo, b.lo), 0};
  uint32_t over, r = cg_mulo(g, t, a.lo, b.lo, &over);
  cg_raise(g, over, ok, g->k->ins[g->k->fold_at].imm.i, true);
  return (cg_acc){r, 0};
}

/* ── results of wide sums ───────────────────────────────────────────────────────────── */

/* 128 bits → f64, rounded once. The magnitude's upper 63 bits, the lowest of them
 * standing for all that follow if any is set, convert with the right rounding; a power of
 * two scales exactly. n: how far to shift, the bits of hi, read off hi's own conversion
 * (one more does no harm). |hi| is far below 2^62: it would take 2^61 elements. */
static uint32_t cg_wide_to_f64(cg *g, cg_acc v) {
  spv *b = g->b;
  uint32_t ty = cg_type(g, KI64), kb = cg_type(g, KB), zero = cg_int(g, KI64, 0);
  uint32_t one = cg_int(g, KI64, 1), all = cg_int(g, KI64, 63);
  uint32_t minus = cg_cmp(g, KOP_LT, KI64, v.hi, zero);
  uint32_t nlo = cg_ineg(g, KI64, v.lo), nhi = spv_op(b, ty, SpvOpNot, v.hi);
  uint32_t wrap = cg_cvt(g, cg_cmp(g, KOP_EQ, KI64, v.lo, zero), KB, KI64);
  nhi = spv_op(b, ty, SpvOpIAdd, nhi, wrap);
  uint32_t lo = cg_sel(g, KI64, minus, nlo, v.lo), hi = cg_sel(g, KI64, minus, nhi, v.hi);
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

uint32_t cg_fold_result(cg *g, cg_acc v, uint32_t ok) {
  const kins *f = &g->k->ins[g->k->fold_at];
  if (!g->k->acc[0].wide) return cg_cvt(g, v.lo, cg_acc_type(g->k), f->ty);
  if (f->ty == KF64) return cg_wide_to_f64(g, v);
  uint32_t sign = cg_shift(g, KI64, SpvOpShiftRightArithmetic, v.lo, 63);
  cg_raise(g, cg_cmp(g, KOP_NE, KI64, v.hi, sign), ok, f->imm.i, true);
  return v.lo;
}

/* ── shapes ─────────────────────────────────────────────────────────────────────────── */

cg_acc cg_acc_sel(cg *g, uint32_t cond, cg_acc a, cg_acc b) {
  kty t = cg_acc_type(g->k);
  cg_acc r = {cg_sel(g, t, cond, a.lo, b.lo), 0};
  if (a.hi) r.hi = cg_sel(g, t, cond, a.hi, b.hi);
  return r;
}

cg_acc cg_acc_part(cg *g, cg_acc v, uint32_t j) {
  kty t = cg_acc_type(g->k);
  cg_acc r = {cg_part(g, t, v.lo, j), 0};
  if (v.hi) r.hi = cg_part(g, t, v.hi, j);
  return r;
}

cg_acc cg_acc_join(cg *g, const cg_acc v[4]) {
  kty t = cg_acc_type(g->k);
  uint32_t lo[4] = {v[0].lo, v[1].lo, v[2].lo, v[3].lo};
  uint32_t hi[4] = {v[0].hi, v[1].hi, v[2].hi, v[3].hi};
  cg_acc r = {cg_join(g, t, lo), 0};
  if (v[0].hi) r.hi = cg_join(g, t, hi);
  return r;
}

cg_acc cg_acc_splat(cg *g, cg_acc v) {
  kty t = cg_acc_type(g->k);
  cg_acc r = {cg_splat(g, t, v.lo), 0};
  if (v.hi) r.hi = cg_splat(g, t, v.hi);
  return r;
}

/* ── between threads ────────────────────────────────────────────────────────────────── */

/* What travels for an accumulator's half: itself, or a word for a truth value. */
static kty cg_travel(cg *g) {
  kty t = cg_acc_type(g->k);
  return t == KB ? KI32 : t;
}

cg_acc cg_shuffle(cg *g, cg_acc v, uint32_t lane, bool is_xor) {
  kty t = cg_acc_type(g->k), w = cg_travel(g);
  uint32_t type = cg_type(g, w), lo = cg_cvt(g, v.lo, t, w);
  cg_acc r = {cg_shuffle_word(g, type, lo, lane, is_xor), 0};
  r.lo = cg_cvt(g, r.lo, w, t);
  if (v.hi) r.hi = cg_shuffle_word(g, type, v.hi, lane, is_xor);
  return r;
}

cg_var cg_local_acc(cg *g, cg_acc initial) {
  uint32_t type = cg_type(g, cg_acc_type(g->k));
  cg_var r = {spv_local(g->b, type, initial.lo), 0};
  if (initial.hi) r.hi = spv_local(g->b, type, initial.hi);
  return r;
}

cg_var cg_var_acc(cg *g, cg_acc v) {
  cg_var r = cg_local_acc(g, cg_identity(g));
  cg_var_set(g, r, v);
  return r;
}

cg_acc cg_var_get(cg *g, cg_var v) {
  uint32_t type = cg_type(g, cg_acc_type(g->k));
  cg_acc r = {spv_op(g->b, type, SpvOpLoad, v.lo), 0};
  if (v.hi) r.hi = spv_op(g->b, type, SpvOpLoad, v.hi);
  return r;
}

void cg_var_set(cg *g, cg_var v, cg_acc a) {
  spv_do(g->b, SpvOpStore, v.lo, a.lo);
  if (v.hi) spv_do(g->b, SpvOpStore, v.hi, a.hi);
}

cg_var cg_shared_acc(cg *g, uint32_t count) {
  uint32_t type = cg_scalar_type(g, cg_travel(g));
  cg_var r = {spv_shared(g->b, type, count), 0};
  if (g->k->acc[0].wide) r.hi = spv_shared(g->b, type, count);
  return r;
}

cg_acc cg_shared_get(cg *g, cg_var v, uint32_t index) {
  uint32_t type = cg_scalar_type(g, cg_travel(g));
  cg_acc r = {spv_op(g->b, type, SpvOpLoad, cg_shared_ptr(g, type, v.lo, index)), 0};
  r.lo = cg_cvt(g, r.lo, cg_travel(g), cg_acc_type(g->k));
  if (v.hi) r.hi = spv_op(g->b, type, SpvOpLoad, cg_shared_ptr(g, type, v.hi, index));
  return r;
}

void cg_shared_put(cg *g, cg_var v, uint32_t index, cg_acc a) {
  uint32_t type = cg_scalar_type(g, cg_travel(g));
  uint32_t lo = cg_cvt(g, a.lo, cg_acc_type(g->k), cg_travel(g));
  spv_do(g->b, SpvOpStore, cg_shared_ptr(g, type, v.lo, index), lo);
  if (v.hi) spv_do(g->b, SpvOpStore, cg_shared_ptr(g, type, v.hi, index), a.hi);
}
