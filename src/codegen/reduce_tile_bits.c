/* SPDX-License-Identifier: MIT */
/* reduce_tile_bits.c - sums, ∧/ and ∨/ of bits, 32 elements at a time.
 *
 * Where the producer of a reduction is made of bits alone and of operations that work on
 * whole words too (∧ ∨ ≠ ~ …), 32 elements are computed as one word. A tile's ones are
 * counted; for ∧/ its zeros, since all elements hold if none is zero. The order does not
 * show in any of these: reduce_tile leaves the tile to this file, and makes it
 * REDUCE_TILE_BITS times as long.
 *
 *      begin                                 end          bits of the row's tile
 *   ┊····████┊████████┊████████┊████████┊█████···┊        quads of 128 bits
 *     edge     inner: whole quads, loaded as such   edge
 *
 * A tile may begin anywhere in a word, as rows do: eight threads have a word of the edges
 * each, of which they mask what belongs to a neighbour. */
#include "template.h"
#include "../tables/fast.h"

#include "../kir/folds.h"

/* Does this instruction work on whole words? */
static bool count_word(const kir *k, const kins *in) {
  switch ((kop)in->op) {
  case KOP_ARG: {
    const kin *a = &k->in[in->imm.i];
    return a->type == ET_BIT && (a->view == KV_FLAT || a->view == KV_ONE);
  }
  case KOP_CONST:
  case KOP_PARAM:
  case KOP_AND:
  case KOP_OR:
  case KOP_XOR:
  case KOP_NOT: return in->ty == KB;
  case KOP_EQ:
  case KOP_NE:
  case KOP_LT:
  case KOP_LE:
  case KOP_GT:
  case KOP_GE: return k->ins[in->a].ty == KB;
  default: return false;
  }
}

bool reduce_tile_bits_serves(const kir *k, const cg_opts *o) {
  if (k->kind != KIR_REDUCE || o->from_partials || k->n_acc > 1) return false;
  if (k->acc[0].monoid != KF_AND && k->acc[0].monoid != KF_OR &&
      (k->acc[0].monoid != KF_ADD || kfold_acc_type(k, 0) != KI64))
    return false;
  bool flat = false;
  kv last = k->ins[k->fold_at].a;
  for (uint32_t n = 0; n < k->fold_at; n++) {
    const kins *in = &k->ins[n];
    bool number =
        n == last && kty_is_int((kty)in->ty); /* the fold's operand: a count of bits */
    bool cvt = number && in->op == KOP_CVT && k->ins[in->a].ty == KB;
    if (!cvt && !count_word(k, in)) return false;
    if (in->ty != KB && !number) return false;
    if (in->op == KOP_ARG && k->in[in->imm.i].view == KV_FLAT) flat = true;
  }
  return flat;
}

/* ── words ──────────────────────────────────────────────────────────────────────────── */

static uint32_t count_op(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, cg_type(g, KI32), op, a, b);
}
static uint32_t count_not(cg *g, uint32_t a) {
  return spv_op(g->b, cg_type(g, KI32), SpvOpNot, a);
}
/* A truth value for all 32 elements, and for all lanes. */
static uint32_t count_spread(cg *g, uint32_t bit) {
  uint32_t all = spv_u32(g->b, UINT32_MAX), none = spv_u32(g->b, 0);
  return cg_splat(g, KI32, cg_pick(g, g->u32, bit, all, none));
}

static uint32_t count_ins(cg *g, const kins *in, const uint32_t *raw) {
  uint32_t a = g->val[in->a], b = g->val[in->b], i = (uint32_t)in->imm.i;
  switch ((kop)in->op) {
  case KOP_ARG:
    if (g->k->in[i].view == KV_ONE) return count_spread(g, g->uniform[i]);
    return raw[i];
  case KOP_CONST: return cg_int(g, KI32, in->imm.i ? -1 : 0);
  case KOP_PARAM: return count_spread(g, g->uniform[KIR_MAX_IN + i]);
  case KOP_AND: return count_op(g, SpvOpBitwiseAnd, a, b);
  case KOP_OR: return count_op(g, SpvOpBitwiseOr, a, b);
  case KOP_XOR:
  case KOP_NE: return count_op(g, SpvOpBitwiseXor, a, b);
  case KOP_NOT: return count_not(g, a);
  case KOP_EQ: return count_not(g, count_op(g, SpvOpBitwiseXor, a, b));
  case KOP_LT: return count_op(g, SpvOpBitwiseAnd, count_not(g, a), b);
  case KOP_LE: return count_op(g, SpvOpBitwiseOr, count_not(g, a), b);
  case KOP_GT: return count_op(g, SpvOpBitwiseAnd, a, count_not(g, b));
  case KOP_GE: return count_op(g, SpvOpBitwiseOr, a, count_not(g, b));
  default: return a; /* CVT */
  }
}

/* The words of each input at a word's address ÷ 4, as many as lanes. */
void cg_bits_load(cg *g, uint32_t word, uint32_t *raw) {
  const kir *k = g->k;
  for (uint32_t n = 0; n < k->n_in; n++)
    if (k->in[n].view == KV_FLAT && g->base[n])
      raw[n] =
          cg_load(g, cg_type(g, KI32), cg_addr(g, g->base[n], word, 2), g->lanes * 4);
}

/* How many of the words' elements count, of those in mask (0: all), per lane. */
uint32_t cg_bits_count(cg *g, const uint32_t *raw, uint32_t mask) {
  const kir *k = g->k;
  for (uint32_t n = 0; n < k->fold_at; n++) g->val[n] = count_ins(g, &k->ins[n], raw);
  uint32_t v = g->val[k->ins[k->fold_at].a];
  if (k->acc[0].monoid == KF_AND) v = count_not(g, v);
  if (mask) v = count_op(g, SpvOpBitwiseAnd, v, mask);
  return spv_op(g->b, cg_type(g, KI32), SpvOpBitCount, v);
}

/* ── a tile ─────────────────────────────────────────────────────────────────────────── */

enum { COUNT_BATCH = 4 };

/* A batch of quads a thread, 256 apart, from quad `first` on; those from `end` on (0: no
 * end) are not counted. */
static void count_quads(cg *g, uint32_t sum, uint32_t first, uint32_t end) {
  uint32_t raw[COUNT_BATCH][KIR_MAX_IN], in[COUNT_BATCH], most = 0;
  g->lanes = 4;
  for (uint32_t r = 0; r < COUNT_BATCH; r++) {
    uint32_t q = cg_beyond(g, first, CG_WORKGROUP * r);
    if (end) {
      in[r] = cg_is(g, SpvOpULessThan, q, end);
      most = cg_x(g, SpvOpISub, end, cg_ixc(g, 1));
      q = cg_pick(g, g->ix, in[r], q, most);
    }
    cg_bits_load(g, cg_x(g, SpvOpShiftLeftLogical, q, cg_ixc(g, 2)), raw[r]);
  }
  uint32_t type = cg_type(g, KI32), total = spv_op(g->b, type, SpvOpLoad, sum);
  for (uint32_t r = 0; r < COUNT_BATCH; r++) {
    uint32_t mask = 0;
    if (end) mask = count_spread(g, in[r]);
    total = count_op(g, SpvOpIAdd, total, cg_bits_count(g, raw[r], mask));
  }
  spv_do(g->b, SpvOpStore, sum, total);
  g->lanes = 1;
}

/* Bits below `to` (a position) in the word that begins at `at`. */
static uint32_t count_below(cg *g, uint32_t at, uint32_t to) {
  uint32_t more = cg_is(g, SpvOpUGreaterThan, to, at), d = cg_x(g, SpvOpISub, to, at);
  uint32_t some = cg_is(g, SpvOpULessThan, d, cg_ixc(g, 32)),
           all = spv_u32(g->b, UINT32_MAX);
  if (g->ix != g->u32) d = spv_op(g->b, g->u32, SpvOpUConvert, d);
  d = cg_u(g, SpvOpBitwiseAnd, d, spv_u32(g->b, 31));
  uint32_t part = cg_u(g, SpvOpShiftLeftLogical, all, d);
  part = cg_pick(g, g->u32, some, spv_op(g->b, g->u32, SpvOpNot, part), all);
  return cg_pick(g, g->u32, more, part, spv_u32(g->b, 0));
}

/* The quads that the row's tile shares with its neighbours: threads 0 to 3 have the words
 * of the first, 4 to 7 those of the last. */
static void count_edges(cg *g, uint32_t sum, const cg_place *w, uint32_t begin,
                        uint32_t end) {
  uint32_t low = cg_ixc(g, 127), zero = cg_ixc(g, 0), kb = spv_bool(g->b),
           raw[KIR_MAX_IN];
  uint32_t head = cg_is(g, SpvOpINotEqual, cg_x(g, SpvOpBitwiseAnd, begin, low), zero);
  uint32_t tail = cg_is(g, SpvOpINotEqual, cg_x(g, SpvOpBitwiseAnd, end, low), zero);
  uint32_t qb = cg_x(g, SpvOpShiftRightLogical, begin, cg_ixc(g, 7));
  uint32_t qe = cg_x(g, SpvOpShiftRightLogical, end, cg_ixc(g, 7));
  uint32_t same = cg_is(g, SpvOpIEqual, qb, qe);
  same = cg_is(g, SpvOpLogicalAnd, head, same);
  tail = cg_is(g, SpvOpLogicalAnd, tail, spv_op(g->b, kb, SpvOpLogicalNot, same));
  uint32_t is_head = cg_is(g, SpvOpULessThan, w->u, spv_u32(g->b, 4));
  uint32_t is_edge = cg_is(g, SpvOpULessThan, w->u, spv_u32(g->b, 8));
  uint32_t mine = cg_pick(g, kb, is_head, head, tail);
  uint32_t merge = spv_if(g->b, cg_is(g, SpvOpLogicalAnd, is_edge, mine));
  uint32_t q = cg_pick(g, g->ix, is_head, qb, qe);
  uint32_t in = cg_u(g, SpvOpBitwiseAnd, w->u, spv_u32(g->b, 3));
  uint32_t word = cg_x(g, SpvOpShiftLeftLogical, q, cg_ixc(g, 2));
  word = cg_x(g, SpvOpIAdd, word, cg_to_ix(g, in));
  uint32_t at = cg_x(g, SpvOpShiftLeftLogical, word, cg_ixc(g, 5));
  uint32_t upto = count_below(g, at, end), before = count_below(g, at, begin);
  before = spv_op(g->b, g->u32, SpvOpNot, before);
  cg_bits_load(g, word, raw);
  uint32_t n = cg_bits_count(g, raw, cg_u(g, SpvOpBitwiseAnd, upto, before));
  spv_do(g->b, SpvOpStore, sum, n);
  spv_endif(g->b, merge);
}

cg_acc cg_bits_acc(cg *g, uint32_t n) {
  uint32_t zero = spv_u32(g->b, 0);
  const kacc *fold = &g->k->acc[0];
  if (fold->monoid == KF_AND) return (cg_acc){{cg_is(g, SpvOpIEqual, n, zero)}};
  if (fold->monoid == KF_OR) return (cg_acc){{cg_is(g, SpvOpINotEqual, n, zero)}};
  cg_acc a = {{spv_op(g->b, g->u64, SpvOpUConvert, n)}};
  if (fold->wide) a.id[1] = cg_int(g, KI64, 0);
  return a;
}

cg_acc reduce_tile_bits(cg *g, const cg_place *w) {
  uint32_t begin = cg_x(g, SpvOpIAdd, w->row_at, w->start), seven = cg_ixc(g, 7);
  uint32_t end = cg_x(g, SpvOpIAdd, begin, cg_to_ix(g, w->left)), edge, inner, zero;
  g->lanes = 4;
  zero = cg_int(g, KI32, 0);
  inner = spv_local(g->b, cg_type(g, KI32), 0);
  g->lanes = 1;
  edge = spv_local(g->b, g->u32, 0);
  spv_do(g->b, SpvOpStore, inner, zero);
  spv_do(g->b, SpvOpStore, edge, spv_u32(g->b, 0));
  uint32_t size = cg_ixc(g, COUNT_BATCH * 256);
  uint32_t up = cg_x(g, SpvOpIAdd, begin, cg_ixc(g, 127));
  uint32_t first = cg_x(g, SpvOpShiftRightLogical, up, seven);
  uint32_t last = cg_x(g, SpvOpShiftRightLogical, end, seven);
  uint32_t any = cg_is(g, SpvOpULessThan, first, last);
  uint32_t quads = cg_x(g, SpvOpISub, last, first);
  quads = cg_pick(g, g->ix, any, quads, cg_ixc(g, 0));
  uint32_t full = cg_x(g, SpvOpUDiv, quads, size), done = cg_x(g, SpvOpIMul, full, size);
  if (g->ix != g->u32) full = spv_op(g->b, g->u32, SpvOpUConvert, full);
  uint32_t mine = cg_x(g, SpvOpIAdd, first, cg_to_ix(g, w->u));
  spv_loop l = spv_for(g->b, full);
  uint32_t by = cg_x(g, SpvOpIMul, cg_to_ix(g, l.i), size);
  count_quads(g, inner, cg_x(g, SpvOpIAdd, mine, by), 0);
  spv_endfor(g->b, &l);
  uint32_t merge = spv_if(g->b, cg_is(g, SpvOpULessThan, done, quads));
  count_quads(g, inner, cg_x(g, SpvOpIAdd, mine, done), last);
  spv_endif(g->b, merge);
  count_edges(g, edge, w, begin, end);
  g->lanes = 4;
  uint32_t v = spv_op(g->b, cg_type(g, KI32), SpvOpLoad, inner), part[4];
  for (uint32_t j = 0; j < 4; j++) part[j] = cg_part(g, KI32, v, j);
  g->lanes = 1;
  uint32_t n = spv_op(g->b, g->u32, SpvOpLoad, edge);
  for (uint32_t j = 0; j < 4; j++) n = cg_u(g, SpvOpIAdd, n, part[j]);
  return cg_bits_acc(g, n);
}
