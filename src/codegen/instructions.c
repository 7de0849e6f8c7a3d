/* SPDX-License-Identifier: MIT */
/* instructions.c - the kernel's instructions at a position, one after the other.
 *
 * A template maps over positions and calls cg_range to emit a stretch of the instructions
 * there, as often as it unrolls.
 *
 * TRIED on an H200: what is known to be below 2^32, as in the random generator, as words of 32 bits, products by
 * OpUMulExtended. 2^24 fractions take 67 µs in place of 73, whole numbers below 1000 80 in place of 74, normal numbers 290 in
 * place of 302: the driver finds out by itself. */
#include "instructions.h"

#include "cg_arith.h"
#include "memory.h"
#include "soft.h"

#include <math.h>
#include <string.h>

/* ── one operation ─────────────────────────────────────────────────────────────────── */

static void cg_fin(cg *g, const kins *in, uint32_t ok) {
  uint32_t a = cg_finite(g, in->ty, g->val[in->a]);
  uint32_t none = spv_op(g->b, cg_type(g, KB), SpvOpLogicalNot, a);
  if (in->a == in->b && in->a == in->c) {
    cg_raise(g, none, ok, in->imm.i, false);
    return;
  }
  uint32_t b = cg_finite(g, in->ty, g->val[in->b]);
  uint32_t c = cg_finite(g, in->ty, g->val[in->c]), both = cg_both(g, b, c);
  cg_raise(g, cg_both(g, both, none), ok, in->imm.i, false);
}

static uint32_t cg_checked(cg *g, const kins *in, uint32_t a, uint32_t b, uint32_t ok) {
  uint32_t over, r;
  if (in->op == KOP_MULO) r = cg_mulo(g, in->ty, a, b, &over);
  else r = cg_addo(g, in->op, in->ty, a, b, &over);
  cg_raise(g, over, ok, in->imm.i, true);
  return r;
}

static uint32_t cg_literal(cg *g, const kins *in) {
  if (kty_is_float(in->ty)) return cg_real(g, in->ty, in->imm.f);
  return cg_int(g, in->ty, in->imm.i);
}

/* Is it a number that is known to be none of those where the order of operands matters? */
static bool is_plain(const cg *g, const kins *n) {
  if (n->op == KOP_PARAM) return g->top->plain[n->imm.i];
  return n->op == KOP_CONST && !isnan(n->imm.f);
}

/* MIN or MAX of floats, one of them a constant or a parameter. */
static bool cg_bounded(cg *g, const kins *in, uint32_t *r) {
  const kins *a = &g->k->ins[in->a], *b = &g->k->ins[in->b];
  bool fits = (in->op == KOP_MIN || in->op == KOP_MAX) && kty_is_float(in->ty);
  bool second = is_plain(g, b);
  if (!fits || (!second && !is_plain(g, a))) return false;
  const kins *c = second ? b : a;
  kv to = second ? in->b : in->a, v = second ? in->a : in->b;
  bool minus_zero = c->op == KOP_CONST && c->imm.f == 0 && signbit(c->imm.f);
  *r = cg_extreme_of(g, in->op, in->ty, g->val[v], g->val[to], minus_zero);
  return true;
}

/* What a sum takes: where a device has such sums, they have the negative, too. */
static uint32_t cg_summand(cg *g, kv v) {
  const kins *n = &g->k->ins[v];
  if (n->op != KOP_NEG || is_soft(g, n->ty)) return g->val[v];
  return spv_op(g->b, cg_type(g, n->ty), SpvOpFNegate, g->val[n->a]);
}

static uint32_t cg_ins(cg *g, const kins *in, cg_pos *p) {
  kty t = in->ty, from = g->k->ins[in->a].ty;
  uint32_t a = g->val[in->a], b = g->val[in->b]; /* what is no operand is not used */
  uint32_t by = (uint32_t)in->imm.i, r;
  if (cg_bounded(g, in, &r)) return r;
  switch ((kop)in->op) {
  case KOP_GET:
    return cg_cvt(g, cg_fetch(g, by, from, a), kir_arg_type((elt)g->top->in[by].type), t);
  case KOP_CONST: return cg_literal(g, in);
  case KOP_CVT: return cg_cvt(g, a, from, t);
  case KOP_BITS: return from == t ? a : cg_bits(g, t, a);
  case KOP_DIV: return cg_div(g, t, a, b);
  case KOP_FMA: return cg_fma(g, cg_summand(g, in->a), b, cg_summand(g, in->c));
  case KOP_SQRT: return cg_sqrt(g, t, a);
  case KOP_QUOT: return cg_quot(g, t, a, b);
  case KOP_NEG: return cg_neg(g, t, a);
  case KOP_ABS: return cg_abs(g, t, a);
  case KOP_FLOOR: return cg_floor(g, t, a);
  case KOP_RINT: return cg_rint(g, t, a);
  case KOP_NOT: return cg_not(g, t, a);
  case KOP_SHL: return cg_shift(g, t, SpvOpShiftLeftLogical, a, by);
  case KOP_SAR: return cg_shift(g, t, SpvOpShiftRightArithmetic, a, by);
  case KOP_EQ:
  case KOP_NE:
  case KOP_LT:
  case KOP_LE:
  case KOP_GT:
  case KOP_GE: return cg_cmp(g, in->op, from, a, b);
  case KOP_SEL: return cg_sel(g, t, a, b, g->val[in->c]);
  case KOP_ADDO:
  case KOP_SUBO:
  case KOP_MULO: return cg_checked(g, in, a, b, cg_ok(g, p));
  case KOP_FIN: cg_fin(g, in, cg_ok(g, p)); return a;
  case KOP_ERR:
  case KOP_ESC: cg_raise(g, a, cg_ok(g, p), in->imm.i, in->op == KOP_ESC); return 0;
  default: return cg_arith(g, in->op, t, a, b);
  }
}

/* ── a stretch of instructions ─────────────────────────────────────────────────────── */

/* Positions along the axis of elements that are counted through the whole input. */
static uint32_t cg_flat_iota(cg *g, kty t, const cg_pos *p) {
  kty kx = g->ix == g->u64 ? KI64 : KI32;
  uint32_t type = cg_type(g, kx);
  uint32_t i = cg_splat(g, kx, p->i), line = cg_splat(g, kx, g->line);
  if (g->lanes == 4) i = spv_op(g->b, type, SpvOpIAdd, i, cg_steps(g, g->ix));
  i = spv_op(g->b, type, SpvOpUDiv, i, cg_splat(g, kx, g->inner));
  i = spv_op(g->b, type, SpvOpUMod, i, line);
  if (t == kx) return i;
  return spv_op(g->b, cg_type(g, t), SpvOpUConvert, i);
}

/* i, i + 1, … as many as there are lanes; or i in all of them. */
static uint32_t cg_count_from(cg *g, kty t, uint32_t i, bool same) {
  uint32_t type = cg_scalar_type(g, t);
  if (type != g->ix) i = spv_op(g->b, type, SpvOpUConvert, i);
  if (g->lanes == 1 || same) return cg_splat(g, t, i);
  uint32_t by = cg_steps(g, type);
  return spv_op(g->b, cg_type(g, t), SpvOpIAdd, cg_splat(g, t, i), by);
}

static uint32_t cg_iota(cg *g, kty t, const cg_pos *p) {
  return cg_count_from(g, t, p->iota ? p->iota : p->i, p->iota != 0);
}

void cg_load_raw(cg *g, uint32_t from, uint32_t to, cg_pos *p, uint32_t *raw) {
  memset(raw, 0, KIR_MAX_IN * sizeof *raw);
  for (uint32_t n = from; n < to; n++) {
    uint32_t i = (uint32_t)g->k->ins[n].imm.i;
    if (g->k->ins[n].op == KOP_ARG && !raw[i]) raw[i] = cg_get_input(g, i, p);
  }
}

void cg_range(cg *g, uint32_t from, uint32_t to, cg_pos *p, const uint32_t *raw) {
  uint32_t own[KIR_MAX_IN];
  if (!raw) {
    cg_load_raw(g, from, to, p, own);
    raw = own;
  }
  for (uint32_t n = from; n < to; n++) {
    const kins *in = &g->k->ins[n];
    uint32_t i = (uint32_t)in->imm.i;
    kty t = (kty)in->ty;
    bool flat = g->line && !p->iota && n < g->k->fold_at;
    switch ((kop)in->op) {
    case KOP_ARG:
      g->val[n] = cg_cvt(g, raw[i], kir_arg_type((elt)g->k->in[i].type), t);
      break;
    case KOP_IOTA: g->val[n] = flat ? cg_flat_iota(g, t, p) : cg_iota(g, t, p); break;
    case KOP_NUMBER: g->val[n] = cg_count_from(g, t, cg_in_row(g, p, p->i), false); break;
    case KOP_LOOP: g->val[n] = cg_loop(g, i, p); break;
    case KOP_NEAR: break; /* near.c has it */
    case KOP_PART:
      if (g->k->ins[in->a].op == KOP_LOOP)
        g->val[n] = *cg_loop_result(g, (uint32_t)g->k->ins[in->a].imm.i, i);
      else g->val[n] = g->result[i];
      break;
    case KOP_PARAM: g->val[n] = cg_splat(g, t, g->uniform[KIR_MAX_IN + i]); break;
    default: g->val[n] = cg_ins(g, in, p); break;
    }
  }
}
