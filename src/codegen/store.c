/* SPDX-License-Identifier: MIT */
/* store.c - elements from registers into buffers, for every storage type; see load.c.
 *
 * A word that several threads fill is put together by shuffles (through workgroup memory
 * where subgroups are too small) and stored by the first of them; where neighbours belong
 * to other workgroups it is OR-ed in atomically, into an output that the caller has
 * cleared (cg_needs_clear). Nothing is stored behind len but what shares a quad (of 32
 * bits or less) or half of one (64 bits) with the last element. */
#include "memory.h"

#include "cg_arith.h"

uint32_t cg_store_index(cg *g, const cg_pos *p, uint32_t j) {
  return cg_in_row(g, p, cg_beyond(g, p->i, j));
}

uint32_t cg_guard(cg *g, const cg_pos *p, uint32_t j) {
  if (!p->tail) return 0;
  if (p->origin)
    return spv_if(g->b, cg_less(g, spv_u32(g->b, p->skip + j + CG_BEFORE), p->left));
  return spv_if(g->b, cg_less(g, cg_beyond(g, p->i, j), g->len));
}

void cg_unguard(cg *g, uint32_t merge) {
  if (merge) spv_endif(g->b, merge);
}

/* The address of element i + j, whole words behind a multiple of them. */
static uint32_t store_addr(cg *g, elt t, uint32_t base, const cg_pos *p, uint32_t j) {
  uint32_t shift = cg_bits_log2(t) - 3, far = j * (uint32_t)elt_bits(t) / 8, at;
  uint32_t i = p->origin ? cg_in_row(g, p, p->origin) : cg_store_index(g, p, j);
  uint32_t addr;
  if (elt_bits(t) < 8) addr = cg_word_addr(g, t, base, i, &at);
  else addr = cg_addr(g, base, i, shift);
  if (!p->origin || far + p->skip == 0) return addr;
  return cg_plus(g, addr, far + p->skip * (uint32_t)elt_bits(t) / 8);
}

/* ── words made of several elements ────────────────────────────────────────────────── */

static uint32_t cg_or_parts(cg *g, uint32_t v, uint32_t from, uint32_t n) {
  uint32_t r = cg_part(g, KI32, v, from);
  for (uint32_t j = 1; j < n; j++)
    r = cg_u(g, SpvOpBitwiseOr, r, cg_part(g, KI32, v, from + j));
  return r;
}

/* The lanes' low `bits` bits, side by side: in one word, or in two for four of 16
 * bits. */
static void cg_pack_quad(cg *g, uint32_t v, uint32_t bits, uint32_t word[2]) {
  static const uint64_t down[3][4] = {{0, 1, 2, 3}, {0, 8, 16, 24}, {0, 16, 0, 16}};
  uint32_t type = cg_type(g, KI32), by = spv_const4(g->b, g->u32, 32, down[bits / 8]);
  v = spv_op(g->b, type, SpvOpBitwiseAnd, v, cg_const(g, KI32, (1u << bits) - 1));
  v = spv_op(g->b, type, SpvOpShiftLeftLogical, v, by);
  word[0] = cg_or_parts(g, v, 0, bits == 16 ? 2 : 4);
  if (bits == 16) word[1] = cg_or_parts(g, v, 2, 2);
}

/* The same across small subgroups, through workgroup memory. */
static uint32_t cg_gather_far(cg *g, uint32_t part, uint32_t log, uint32_t inside) {
  uint32_t max = spv_u32(g->b, g->o->workgroup - 1);
  if (!g->word_share) g->word_share = spv_shared(g->b, g->u32, g->o->workgroup);
  cg_barrier(g);
  spv_do(g->b, SpvOpStore, cg_shared_ptr(g, g->u32, g->word_share, g->thread), part);
  cg_barrier(g);
  for (uint32_t n = 1; n < 1u << (log - inside); n++) {
    uint32_t at = cg_ui(g, SpvOpIAdd, g->thread, n << inside);
    at = cg_least(g, g->u32, at, max);
    uint32_t ptr = cg_shared_ptr(g, g->u32, g->word_share, at);
    part = cg_u(g, SpvOpBitwiseOr, part, spv_op(g->b, g->u32, SpvOpLoad, ptr));
  }
  return part;
}

/* ORs the parts of 2^log neighbouring threads; the first of them has the whole. */
static uint32_t cg_gather(cg *g, uint32_t part, uint32_t log) {
  uint32_t inside = cg_log2(cg_subgroup(g));
  for (uint32_t l = 0; l < log && l < inside; l++) {
    uint32_t other = cg_shuffle_word(g, g->u32, part, spv_u32(g->b, 1u << l), true);
    part = cg_u(g, SpvOpBitwiseOr, part, other);
  }
  return log > inside ? cg_gather_far(g, part, log, inside) : part;
}

/* A word made of the parts of 2^log threads, stored by the first. */
static void cg_put_word(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t part,
                        uint32_t log) {
  uint32_t word = cg_gather(g, part, log);
  uint32_t mine = cg_ui(g, SpvOpBitwiseAnd, g->thread, (1u << log) - 1);
  uint32_t first = cg_is_zero(g, mine);
  if (p->tail) {
    uint32_t in = cg_less(g, p->i, g->len);
    first = spv_op(g->b, spv_bool(g->b), SpvOpLogicalAnd, first, in);
  }
  uint32_t merge = spv_if(g->b, first);
  cg_store(g, g->u32, store_addr(g, t, base, p, 0), word, 4);
  spv_endif(g->b, merge);
}

/* Bits, or one lane of 8 or 16 bits: v is KI32; what does not exist must not leave a
 * trace. */
static void cg_put_shared_word(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  uint32_t bits = (uint32_t)elt_bits(t), per = 32 / bits / g->lanes, word[2];
  uint32_t ok = cg_ok(g, p);
  if (ok) v = cg_sel(g, KI32, ok, v, cg_int(g, KI32, 0));
  if (g->lanes == 4) cg_pack_quad(g, v, bits, word);
  else word[0] = cg_ui(g, SpvOpBitwiseAnd, v, (1u << bits) - 1);
  uint32_t at = cg_ui(g, SpvOpBitwiseAnd, g->thread, per - 1);
  at = cg_ui(g, SpvOpIMul, at, bits * g->lanes);
  cg_put_word(g, t, base, p, cg_u(g, SpvOpShiftLeftLogical, word[0], at), cg_log2(per));
}

/* ── four neighbours, one element ──────────────────────────────────────────────────── */

static uint32_t cg_half(cg *g, uint32_t two, uint32_t v, uint32_t h) {
  return spv_op(g->b, two, SpvOpVectorShuffle, v, v, 2 * h, 2 * h + 1);
}

/* Two 16-byte stores of a thread, each a half of a 32-byte sector, would cost a GPU as
 * much as whole sectors. So neighbours trade: together they store the even one's quad,
 * then the odd one's. *p becomes the position of the even one's quad, moved by two
 * elements in the odd. */
static void cg_trade_halves(cg *g, kty ty, cg_pos *p, uint32_t half[2]) {
  uint32_t kb = spv_bool(g->b), one = spv_u32(g->b, 1), lanes = g->lanes, got[2];
  uint32_t low = cg_u(g, SpvOpBitwiseAnd, g->thread, one);
  uint32_t odd = spv_op(g->b, kb, SpvOpIEqual, low, one), type = cg_scalar_type(g, ty);
  uint32_t two = spv_vec(g->b, type, 2), back = cg_ui(g, SpvOpIMul, low, 2);
  uint32_t both = spv_op(g->b, spv_vec(g->b, kb, 2), SpvOpCompositeConstruct, odd, odd);
  uint32_t give = spv_op(g->b, two, SpvOpSelect, both, half[0], half[1]);
  g->lanes = 1;
  for (uint32_t j = 0; j < 2; j++) {
    uint32_t x = spv_op(g->b, type, SpvOpCompositeExtract, give, j);
    got[j] = cg_shuffle_word(g, type, x, one, true);
  }
  g->lanes = lanes;
  uint32_t taken = spv_op(g->b, two, SpvOpCompositeConstruct, got[0], got[1]);
  half[0] = spv_op(g->b, two, SpvOpSelect, both, taken, half[0]);
  half[1] = spv_op(g->b, two, SpvOpSelect, both, half[1], taken);
  p->i = cg_x(g, SpvOpISub, p->i, cg_to_ix(g, back));
  if (!p->origin) return;
  p->origin = cg_x(g, SpvOpISub, p->origin, cg_to_ix(g, back));
  p->left = cg_u(g, SpvOpIAdd, p->left, back);
}

static void cg_put_quad64(cg *g, elt t, uint32_t base, const cg_pos *at, uint32_t v) {
  cg_pos p = *at;
  kty ty = kir_arg_type(t);
  uint32_t two = spv_vec(g->b, cg_scalar_type(g, ty), 2);
  uint32_t half[2], apart = g->trades ? 4 : 2;
  for (uint32_t h = 0; h < 2; h++) half[h] = cg_half(g, two, v, h);
  if (g->trades) cg_trade_halves(g, ty, &p, half);
  for (uint32_t h = 0; h < 2; h++) {
    uint32_t off = h * apart, merge = cg_guard(g, &p, off);
    cg_store(g, two, store_addr(g, t, base, &p, off), half[h], 16);
    cg_unguard(g, merge);
  }
}

static void cg_put_quad(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  uint32_t bits = (uint32_t)elt_bits(t), type = cg_type(g, kir_arg_type(t)), w[2];
  if (bits == 64) {
    cg_put_quad64(g, t, base, p, v);
    return;
  }
  if (bits < 32) {
    cg_pack_quad(g, v, bits, w);
    type = g->u32;
    v = w[0];
  }
  if (bits == 16) {
    type = spv_vec(g->b, g->u32, 2);
    v = spv_op(g->b, type, SpvOpCompositeConstruct, w[0], w[1]);
  }
  uint32_t merge = cg_guard(g, p, 0);
  cg_store(g, type, store_addr(g, t, base, p, 0), v, bits / 2);
  cg_unguard(g, merge);
}

/* Memory at addr, of an integer type, becomes what it is `op` v; relaxed. */
static void cg_atomic(cg *g, SpvOp op, uint32_t type, uint32_t addr, uint32_t v) {
  uint32_t ptr = cg_pointer(g, type, addr), device = spv_u32(g->b, SpvScopeDevice);
  (void)spv_op(g->b, type, op, ptr, device, spv_u32(g->b, 0), v);
}

static void cg_or_in(cg *g, uint32_t addr, uint32_t v) {
  cg_atomic(g, SpvOpAtomicOr, g->u32, addr, v);
}

/* One element of less than 32 bits, into a word that others may share. */
static void cg_put_narrow(cg *g, elt t, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t at, addr = cg_word_addr(g, t, base, index, &at);
  uint32_t low = spv_u32(g->b, (1u << elt_bits(t)) - 1);
  v = cg_u(g, SpvOpBitwiseAnd, cg_cvt(g, v, kir_arg_type(t), KI32), low);
  if (g->o->single) cg_store(g, g->u32, base, v, 4);
  else cg_or_in(g, addr, cg_u(g, SpvOpShiftLeftLogical, v, at));
}

void cg_put_at(cg *g, elt t, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t bits = (uint32_t)elt_bits(t), lanes = g->lanes;
  g->lanes = 1;
  if (bits >= 32) {
    uint32_t addr = cg_addr(g, base, index, cg_bits_log2(t) - 3);
    cg_store(g, cg_type(g, kir_arg_type(t)), addr, v, bits / 8);
  } else {
    cg_put_narrow(g, t, base, index, v);
  }
  g->lanes = lanes;
}

static void cg_put_each(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t x = cg_part(g, kir_arg_type(t), v, j), merge = cg_guard(g, p, j);
    cg_put_at(g, t, base, cg_store_index(g, p, j), x);
    cg_unguard(g, merge);
  }
}

void cg_put(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v) {
  /* Results of most reductions and of columns are not side by side in a subgroup: bits are
   * OR-ed in. */
  bool singly = g->k->kind == KIR_MAP || (g->k->kind == KIR_REDUCE && g->packs);
  bool together = g->packs && (cg_quads(g) || singly);
  if (t == ET_BIT && together) cg_put_shared_word(g, t, base, p, cg_cvt(g, v, KB, KI32));
  else if (t == ET_BIT) cg_put_each(g, t, base, p, v);
  else if (cg_quads(g)) cg_put_quad(g, t, base, p, v);
  else if (elt_bits(t) < 32 && singly) cg_put_shared_word(g, t, base, p, v);
  else cg_put_each(g, t, base, p, v);
}

/* The same where the word keeps its other elements: the old one's bits go first. */
static void cg_replace_narrow(cg *g, elt t, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t at, addr = cg_word_addr(g, t, base, index, &at);
  uint32_t low = spv_u32(g->b, (1u << elt_bits(t)) - 1);
  uint32_t mask = cg_u(g, SpvOpShiftLeftLogical, low, at);
  v = cg_u(g, SpvOpBitwiseAnd, cg_cvt(g, v, kir_arg_type(t), KI32), low);
  v = cg_u(g, SpvOpShiftLeftLogical, v, at);
  cg_atomic(g, SpvOpAtomicAnd, g->u32, addr,
            cg_u(g, SpvOpBitwiseOr, spv_op(g->b, g->u32, SpvOpNot, mask), v));
  cg_or_in(g, addr, v);
}

/* A truth value by ∧ or ∨: only one of the two changes anything. */
static void cg_join_bit(cg *g, kfold f, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t at, addr = cg_word_addr(g, ET_BIT, base, index, &at);
  uint32_t bit = cg_u(g, SpvOpShiftLeftLogical, spv_u32(g->b, 1), at);
  if (f == KF_AND) v = spv_op(g->b, spv_bool(g->b), SpvOpLogicalNot, v);
  uint32_t merge = spv_if(g->b, v);
  if (f == KF_OR) cg_or_in(g, addr, bit);
  else cg_atomic(g, SpvOpAtomicAnd, g->u32, addr, spv_op(g->b, g->u32, SpvOpNot, bit));
  spv_endif(g->b, merge);
}

/* What changes nothing that it is joined with, of i32. */
static int64_t join_neutral(kfold f) {
  if (f == KF_MIN) return INT32_MAX;
  return f == KF_MAX ? INT32_MIN : 0;
}

/* The integer at ptr joins v. Whether a lesser or greater number changes anything is looked at
 * first: most do not, and atomics on one place follow one another. */
static void cg_join_at(cg *g, kfold f, uint32_t type, uint32_t ptr, SpvScope within,
                       uint32_t v) {
  uint32_t scope = spv_u32(g->b, within), relaxed = spv_u32(g->b, 0);
  if (f == KF_ADD) {
    (void)spv_op(g->b, type, SpvOpAtomicIAdd, ptr, scope, relaxed, v);
    return;
  }
  bool least = f == KF_MIN;
  uint32_t old = spv_op(g->b, type, SpvOpAtomicLoad, ptr, scope, relaxed);
  SpvOp changes = least ? SpvOpSLessThan : SpvOpSGreaterThan;
  uint32_t merge = spv_if(g->b, spv_op(g->b, spv_bool(g->b), changes, v, old));
  (void)spv_op(g->b, type, least ? SpvOpAtomicSMin : SpvOpAtomicSMax, ptr, scope, relaxed,
               v);
  spv_endif(g->b, merge);
}

/* A thread's n-th place. */
static uint32_t own_place(cg *g, uint32_t n) {
  return n ? cg_ui(g, SpvOpIAdd, g->thread, n * g->o->workgroup) : g->thread;
}

void cg_begin_sums(cg *g, uint32_t places) {
  uint32_t type = cg_scalar_type(g, KI32), lanes = g->lanes;
  int64_t neutral = join_neutral((kfold)g->k->out[0].monoid);
  g->lanes = 1;
  g->sums = spv_shared(g->b, type, places);
  for (uint32_t n = 0; n < places / g->o->workgroup; n++)
    spv_do(g->b, SpvOpStore, cg_shared_ptr(g, type, g->sums, own_place(g, n)),
           cg_int(g, KI32, neutral));
  g->lanes = lanes;
  cg_barrier(g);
}

/* Most workgroups have nothing for some of the places. */
void cg_end_sums(cg *g, uint32_t places) {
  uint32_t type = cg_scalar_type(g, KI32);
  kfold f = (kfold)g->k->out[0].monoid;
  g->lanes = 1;
  cg_barrier(g);
  for (uint32_t n = 0; n < places / g->o->workgroup; n++) {
    uint32_t at = own_place(g, n), none = cg_int(g, KI32, join_neutral(f));
    uint32_t v = spv_op(g->b, type, SpvOpLoad, cg_shared_ptr(g, type, g->sums, at));
    uint32_t some = spv_op(g->b, spv_bool(g->b), SpvOpINotEqual, v, none);
    uint32_t merge = spv_if(g->b, some);
    uint32_t ptr = cg_pointer(g, type, cg_addr(g, g->out[0], cg_to_ix(g, at), 2));
    cg_join_at(g, f, type, ptr, SpvScopeDevice, v);
    spv_endif(g->b, merge);
  }
  g->sums = 0;
}

static void cg_join_word(cg *g, const kout *o, uint32_t base, uint32_t index,
                         uint32_t v) {
  kty ty = kir_arg_type(o->type);
  uint32_t type = cg_scalar_type(g, ty);
  if (g->sums) {
    uint32_t near = cg_shared_ptr(g, type, g->sums, cg_to_u32(g, index));
    cg_join_at(g, (kfold)o->monoid, type, near, SpvScopeWorkgroup, v);
    return;
  }
  uint32_t addr = cg_addr(g, base, index, cg_bits_log2(o->type) - 3);
  if (ty == KI64) spv_cap(g->b, SpvCapabilityInt64Atomics);
  cg_join_at(g, (kfold)o->monoid, type, cg_pointer(g, type, addr), SpvScopeDevice, v);
}

/* Goes from place to place to one that is free or has an equal element. A thread that comes there
 * later finds an equal element again, so no place is read twice, except where another thread takes
 * a free place first. */
static void cg_take_seat(cg *g, const kout *o, uint32_t base, const uint32_t way[2],
                         uint32_t v) {
  kty ty = kir_arg_type((elt)g->k->in[o->keys].type);
  uint32_t none = spv_u32(g->b, 0), device = spv_u32(g->b, SpvScopeDevice);
  uint32_t last = cg_to_u32(g, g->offset[o->keys]), kb = spv_bool(g->b);
  uint32_t key = cg_fetch(g, o->keys, KI32, v);
  uint32_t place = spv_local(g->b, g->u32, 0), there = spv_local(g->b, g->u32, 0);
  spv_do(g->b, SpvOpStore, place, cg_to_u32(g, way[0]));
  spv_loop l = spv_forever(g->b);
  uint32_t h = spv_op(g->b, g->u32, SpvOpLoad, place);
  uint32_t addr = cg_addr(g, base, cg_to_ix(g, h), 2), ptr = cg_pointer(g, g->u32, addr);
  uint32_t old = spv_op(g->b, g->u32, SpvOpAtomicLoad, ptr, device, none);
  spv_do(g->b, SpvOpStore, there, old);
  uint32_t merge = spv_if(g->b, cg_less(g, last, old));
  uint32_t found =
      spv_op(g->b, g->u32, SpvOpAtomicCompareExchange, ptr, device, none, none, v, old);
  uint32_t mine = spv_op(g->b, kb, SpvOpIEqual, found, old);
  spv_do(g->b, SpvOpStore, there, cg_sel(g, KI32, mine, v, found));
  spv_endif(g->b, merge);
  old = spv_op(g->b, g->u32, SpvOpLoad, there);
  uint32_t same = cg_cmp(g, KOP_EQ, ty, cg_fetch(g, o->keys, KI32, old), key);
  merge = spv_if(g->b, cg_both(g, same, cg_less(g, v, old)));
  cg_atomic(g, SpvOpAtomicUMin, g->u32, addr, v);
  spv_endif(g->b, merge);
  spv_break_if(g->b, &l, same);
  h = cg_u(g, SpvOpBitwiseAnd, cg_ui(g, SpvOpIAdd, h, 1), way[1]);
  spv_do(g->b, SpvOpStore, place, h);
  spv_again(g->b, &l);
}

static void cg_put_one(cg *g, const kout *o, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t lanes = g->lanes;
  bool narrow = elt_bits(o->type) < 32;
  uint32_t way[2] = {index, 0};
  if (o->put == KPUT_INSERT) way[1] = cg_part(g, KI32, g->val[o->mask], 0);
  g->lanes = 1;
  if (o->put == KPUT_INSERT) cg_take_seat(g, o, base, way, v);
  else if (o->put == KPUT_JOIN && narrow)
    cg_join_bit(g, (kfold)o->monoid, base, index, v);
  else if (o->put == KPUT_JOIN) cg_join_word(g, o, base, index, v);
  else if (o->kept && narrow) cg_replace_narrow(g, o->type, base, index, v);
  else cg_put_at(g, o->type, base, index, v);
  g->lanes = lanes;
}

/* Where lane j of the output goes. */
static uint32_t cg_place_of(cg *g, const kout *o, uint32_t j) {
  kty where = (kty)g->k->ins[o->at].ty;
  uint32_t at = cg_part(g, where, g->val[o->at], j), lanes = g->lanes;
  g->lanes = 1;
  if (kty_bytes(where) == 8 && g->ix == g->u32)
    at = spv_op(g->b, g->u32, SpvOpUConvert, at);
  if (kty_bytes(where) == 4) at = cg_to_ix(g, at);
  g->lanes = lanes;
  return at;
}

/* Lanes go each to a place of its own, those that are to go anywhere. */
static void cg_scatter(cg *g, const kout *o, uint32_t base, cg_pos *p, uint32_t v) {
  kty ty = kir_arg_type(o->type);
  uint32_t ok = cg_ok(g, p), when = g->val[o->when];
  if (ok) when = cg_both(g, when, ok);
  for (uint32_t j = 0; j < g->lanes; j++) {
    uint32_t x = cg_part(g, ty, v, j), at = cg_place_of(g, o, j);
    uint32_t merge = spv_if(g->b, cg_part(g, KB, when, j));
    cg_put_one(g, o, base, at, x);
    spv_endif(g->b, merge);
  }
}

/* Complex numbers, of the values of output n and of the next: one store for both parts. */
static void cg_put_pairs(cg *g, uint32_t n, cg_pos *p) {
  const kout *o = &g->k->out[n];
  uint32_t lanes = g->lanes, two = spv_vec(g->b, cg_scalar_type(g, KF64), 2);
  uint32_t ok = o->put ? cg_ok(g, p) : 0, when = o->put ? g->val[o->when] : 0;
  if (ok) when = cg_both(g, when, ok);
  for (uint32_t j = 0; j < lanes; j++) {
    uint32_t re = cg_part(g, KF64, g->val[o->value], j), at;
    uint32_t im = cg_part(g, KF64, g->val[o[1].value], j), merge;
    uint32_t both = spv_op(g->b, two, SpvOpCompositeConstruct, re, im);
    if (o->put) at = cg_place_of(g, o, j);
    else at = cg_store_index(g, p, j);
    if (o->put) merge = spv_if(g->b, cg_part(g, KB, when, j));
    else merge = cg_guard(g, p, j);
    g->lanes = 1;
    cg_store(g, two, cg_addr(g, g->out[n], at, 4), both, 16);
    g->lanes = lanes;
    cg_unguard(g, merge);
  }
}

void cg_put_outputs(cg *g, cg_pos *p) {
  for (uint32_t n = 0; n < g->k->n_out; n++) {
    const kout *o = &g->k->out[n];
    if (o->pair == PAIR_RE) cg_put_pairs(g, n, p);
    if (o->pair) continue;
    uint32_t v =
        cg_cvt(g, g->val[o->value], g->k->ins[o->value].ty, kir_arg_type(o->type));
    if (o->put) cg_scatter(g, o, g->out[n], p, v);
    else cg_put(g, o->type, g->out[n], p, v);
  }
}
