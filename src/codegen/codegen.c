/* SPDX-License-Identifier: MIT */
/* codegen.c - one module from one kernel: everything that the templates share.
 *
 *   entry ─ read arguments ─ leave if there is no work ─ template ─ raise flags ─ return
 *
 * A template (kernels.def) strided maps over positions and calls cg_range to emit a stretch of the
 * kernel's instructions there, as often as it unrolls. What is uniform (addresses, lengths,
 * params, ONE inputs) is loaded once at the entry. Conditions that raise a flag are gathered
 * in one Function variable per flag, which drivers keep in a register; it is looked at once,
 * at the end, by one lane of each subgroup. */
#include "cg.h"

#include <string.h>

/* ── types and constants ────────────────────────────────────────────────────────────── */

uint32_t cg_scalar_type(cg *g, kty t) {
  switch (t) {
  case KB: return spv_bool(g->b);
  case KI32: return g->u32;
  case KI64: return g->u64;
  case KF32: return spv_float(g->b, 32);
  default: return spv_float(g->b, 64);
  }
}

uint32_t cg_type(cg *g, kty t) { return spv_vec(g->b, cg_scalar_type(g, t), g->lanes); }

uint32_t cg_const(cg *g, kty t, uint64_t bits) {
  if (t == KB) return spv_true(g->b, bits != 0, g->lanes);
  uint32_t width = (uint32_t)kty_bytes(t) * 8;
  return spv_const(g->b, cg_scalar_type(g, t), width, bits, g->lanes);
}

uint32_t cg_int(cg *g, kty t, int64_t v) { return cg_const(g, t, (uint64_t)v); }

uint32_t cg_real(cg *g, kty t, double v) {
  uint64_t d;
  uint32_t s;
  float f = (float)v;
  memcpy(&d, &v, sizeof d);
  memcpy(&s, &f, sizeof s);
  return cg_const(g, t, t == KF32 ? s : d);
}

uint32_t cg_join(cg *g, kty t, const uint32_t v[4]) {
  if (g->lanes == 1) return v[0];
  return spv_op(g->b, cg_type(g, t), SpvOpCompositeConstruct, v[0], v[1], v[2], v[3]);
}

uint32_t cg_splat(cg *g, kty t, uint32_t x) {
  return cg_join(g, t, (const uint32_t[]){x, x, x, x});
}

uint32_t cg_part(cg *g, kty t, uint32_t v, uint32_t j) {
  if (g->lanes == 1) return v;
  return spv_op(g->b, cg_scalar_type(g, t), SpvOpCompositeExtract, v, j);
}

uint32_t cg_sel(cg *g, kty t, uint32_t cond, uint32_t a, uint32_t b) {
  return spv_op(g->b, cg_type(g, t), SpvOpSelect, cond, a, b);
}

uint32_t cg_ixc(cg *g, uint64_t v) {
  return spv_const(g->b, g->ix, g->ix == g->u64 ? 64 : 32, v, 1);
}

uint32_t cg_to_ix(cg *g, uint32_t v) {
  return g->ix == g->u32 ? v : spv_op(g->b, g->u64, SpvOpUConvert, v);
}

uint32_t cg_to_u32(cg *g, uint32_t v) {
  return g->ix == g->u32 ? v : spv_op(g->b, g->u32, SpvOpUConvert, v);
}

uint32_t cg_is_zero(cg *g, uint32_t v) {
  return spv_op(g->b, spv_bool(g->b), SpvOpIEqual, v, spv_u32(g->b, 0));
}

uint32_t cg_least(cg *g, uint32_t type, uint32_t a, uint32_t b) {
  return spv_op(g->b, type, SpvOpSelect, cg_less(g, a, b), a, b);
}

uint32_t cg_log2(uint32_t v) {
  uint32_t n = 0;
  while (v >> (n + 1)) n++;
  return n;
}

uint32_t cg_subgroup(const cg *g) { return g->o->subgroup < 32 ? g->o->subgroup : 32; }

/* ── arguments ──────────────────────────────────────────────────────────────────────── */

uint32_t cg_out_slot(const kir *k, uint32_t out) {
  return CG_SLOT_INPUTS + 3 * k->n_in + out;
}
uint32_t cg_param_slot(const kir *k, uint32_t n) { return cg_out_slot(k, k->n_out) + n; }
uint32_t cg_strided_slot(const kir *k, uint32_t strided, uint32_t dim) {
  uint32_t at = cg_param_slot(k, k->n_param);
  for (uint32_t w = 0; w < strided; w++) at += CG_STRIDED_SLOTS * k->strided[w];
  return at + CG_STRIDED_SLOTS * dim;
}
uint32_t cg_arg_slots(const kir *k) { return cg_strided_slot(k, k->n_strided, 0); }

static uint32_t cg_slot_addr(cg *g, uint32_t slot) {
  uint32_t at = spv_const(g->b, g->u64, 64, 8ull * slot, 1);
  return spv_op(g->b, g->u64, SpvOpIAdd, g->args, at);
}

uint32_t cg_slot(cg *g, uint32_t slot) {
  return cg_load(g, g->u64, cg_slot_addr(g, slot), 8);
}

uint32_t cg_slot_ix(cg *g, uint32_t slot) {
  return cg_load(g, g->ix, cg_slot_addr(g, slot), 8); /* the low word comes first */
}

uint32_t cg_slot_u32(cg *g, uint32_t slot) {
  return cg_load(g, g->u32, cg_slot_addr(g, slot), 8);
}

static uint32_t cg_slot_param(cg *g, uint32_t slot, kty t) {
  uint32_t type = cg_scalar_type(g, t == KB ? KI32 : t);
  uint32_t v = cg_load(g, type, cg_slot_addr(g, slot), 8);
  return t == KB ? cg_cvt(g, v, KI32, KB) : v;
}

/* The parts of the kernel that this pass emits. */
static bool cg_produces(const cg *g) { return !g->o->from_partials; }
static bool cg_consumes(const cg *g) { return g->k->kind != KIR_MAP && g->o->final; }

static bool cg_in_pass(const cg *g, uint32_t n) {
  return n < g->k->fold_at ? cg_produces(g) : n > g->k->fold_at && cg_consumes(g);
}

static void cg_read_uniforms(cg *g) {
  const kir *k = g->k;
  for (uint32_t n = 0; n < k->n_ins; n++) {
    const kins *in = &k->ins[n];
    uint32_t i = (uint32_t)in->imm.i, slot = CG_SLOT_INPUTS + 3 * i;
    if (!cg_in_pass(g, n)) continue;
    if (in->op == KOP_PARAM && !g->uniform[KIR_MAX_IN + i])
      g->uniform[KIR_MAX_IN + i] =
          cg_slot_param(g, cg_param_slot(k, i), (kty)k->param[i]);
    if (in->op != KOP_ARG || g->base[i]) continue;
    g->base[i] = cg_slot(g, slot);
    if (k->in[i].view == KV_ONE)
      g->uniform[i] = cg_get_at(g, (elt)k->in[i].type, g->base[i], cg_ixc(g, 0));
    if (k->in[i].view != KV_STEP && k->in[i].view < KV_STRIDED) continue;
    g->offset[i] = cg_slot_ix(g, slot + 1);
    g->step[i] = cg_slot_ix(g, slot + 2);
  }
  for (uint32_t w = 0; w < k->n_strided; w++)
    for (uint32_t d = 0; d < k->strided[w]; d++) {
      uint32_t slot = cg_strided_slot(k, w, d), *to = g->strided[w][d];
      to[CG_STRIDED_STRIDE] = cg_slot_ix(g, slot + CG_STRIDED_STRIDE);
      if (!d) continue;
      to[CG_STRIDED_N] = cg_slot_ix(g, slot + CG_STRIDED_N);
      to[CG_STRIDED_MAGIC] = cg_slot(g, slot + CG_STRIDED_MAGIC);
    }
  if (g->o->from_partials) g->from = cg_slot(g, CG_SLOT_FROM);
  bool stores = k->kind == KIR_MAP || g->o->final;
  for (uint32_t n = 0; n < k->n_out && stores; n++)
    g->out[n] = cg_slot(g, cg_out_slot(k, n));
}

/* ── where this invocation is ───────────────────────────────────────────────────────── */

static uint32_t cg_builtin(cg *g, SpvBuiltIn what, uint32_t n) { /* the first component */
  uint32_t type = spv_vec(g->b, g->u32, n);
  uint32_t var = spv_builtin(g->b, what, type);
  uint32_t v = spv_op(g->b, type, SpvOpLoad, var);
  return n == 1 ? v : spv_op(g->b, g->u32, SpvOpCompositeExtract, v, 0);
}

static void return_if(cg *g, uint32_t cond) {
  uint32_t merge = spv_if(g->b, cond);
  spv_do(g->b, SpvOpReturn);
  spv_do(g->b, SpvOpLabel, merge);
}

/* x + y × groups in x: a long grid is folded into two dimensions. Behind the first of the
 * workgroups that this dispatch runs; those at and behind its end leave. */
static void cg_find_group(cg *g) {
  uint32_t type = spv_vec(g->b, g->u32, 3);
  uint32_t id = spv_builtin(g->b, SpvBuiltInWorkgroupId, type);
  uint32_t v = spv_op(g->b, type, SpvOpLoad, id);
  uint32_t x = spv_op(g->b, g->u32, SpvOpCompositeExtract, v, 0);
  uint32_t y = spv_op(g->b, g->u32, SpvOpCompositeExtract, v, 1);
  uint32_t nx = cg_builtin(g, SpvBuiltInNumWorkgroups, 3);
  uint32_t up = spv_op(g->b, g->u32, SpvOpIMul, y, nx);
  g->wid = spv_op(g->b, g->u32, SpvOpIAdd, x, up);
  uint32_t two = spv_vec(g->b, g->u32, 2);
  uint32_t range = cg_load(g, two, cg_slot_addr(g, CG_SLOT_GROUPS), 8);
  uint32_t end = spv_op(g->b, g->u32, SpvOpCompositeExtract, range, 0);
  uint32_t first = spv_op(g->b, g->u32, SpvOpCompositeExtract, range, 1);
  g->wid = spv_op(g->b, g->u32, SpvOpIAdd, g->wid, first);
  return_if(g, spv_op(g->b, spv_bool(g->b), SpvOpUGreaterThanEqual, g->wid, end));
}

static bool cg_packs(const kir *k) { /* do threads of a map share words of an output? */
  for (uint32_t n = 0; n < k->n_out; n++)
    if (elt_bits((elt)k->out[n].type) < 32) return true;
  return false;
}

/* With shuffles the place in the workgroup must follow the subgroups. The physical size is
 * read, so that a module made for 8 lanes also runs where subgroups have 16 or 32. */
static void cg_find_thread(cg *g) {
  if (g->k->kind == KIR_MAP && !cg_packs(g->k)) {
    g->thread = cg_builtin(g, SpvBuiltInLocalInvocationId, 3);
    return;
  }
  spv_cap(g->b, SpvCapabilityGroupNonUniform);
  uint32_t id = cg_builtin(g, SpvBuiltInSubgroupId, 1);
  uint32_t size = cg_builtin(g, SpvBuiltInSubgroupSize, 1);
  g->lane = cg_builtin(g, SpvBuiltInSubgroupLocalInvocationId, 1);
  uint32_t first = spv_op(g->b, g->u32, SpvOpIMul, id, size);
  g->thread = spv_op(g->b, g->u32, SpvOpIAdd, first, g->lane);
}

void cg_barrier(cg *g) { /* acquire and release, workgroup memory */
  uint32_t scope = spv_u32(g->b, SpvScopeWorkgroup), how = spv_u32(g->b, 0x108);
  spv_do(g->b, SpvOpControlBarrier, scope, scope, how);
}

static uint32_t cg_read_args(cg *g) {
  uint32_t var = spv_push(g->b, g->u64),
           ptr = spv_ptr(g->b, SpvStorageClassPushConstant, g->u64);
  uint32_t at = spv_op(g->b, ptr, SpvOpAccessChain, var, spv_u32(g->b, 0));
  return spv_op(g->b, g->u64, SpvOpLoad, at);
}

/* All value types first, so that no id depends on the order in which a C compiler evaluates
 * two arguments that ask for types. */
static void cg_name_types(cg *g) {
  g->u32 = spv_int(g->b, 32);
  g->u64 = spv_int(g->b, 64);
  for (uint32_t n = 1; n <= 4; n += 3)
    for (int t = KB; t < KTY_COUNT; t++) {
      g->lanes = n;
      if (t != KF64 || g->o->float64) (void)cg_type(g, (kty)t);
    }
  g->lanes = 1;
}

static void cg_open(cg *g) {
  if (g->o->preserve32) spv_preserve(g->b, 32);
  if (g->o->preserve64 && g->o->float64) spv_preserve(g->b, 64);
  cg_name_types(g);
  g->ix = g->o->wide_index ? g->u64 : g->u32;
  g->args = cg_read_args(g);
  cg_find_group(g);
  cg_find_thread(g);
  g->len = cg_slot_ix(g, CG_SLOT_LEN);
  g->last = spv_op(g->b, g->ix, SpvOpISub, g->len, cg_ixc(g, 1));
}

void cg_flat(cg *g) {
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS);
  g->inner = cg_slot_ix(g, CG_SLOT_INNER);
  g->line = g->len;
  uint32_t lines = spv_op(g->b, g->ix, SpvOpIMul, rows, g->inner);
  g->len = spv_op(g->b, g->ix, SpvOpIMul, lines, g->len);
  g->last = spv_op(g->b, g->ix, SpvOpISub, g->len, cg_ixc(g, 1));
}

static void cg_open_copy(cg *g) {
  cg_open(g);
  g->base[0] = cg_slot(g, CG_SLOT_INPUTS);
  g->out[0] = cg_slot(g, CG_SLOT_INPUTS + 3);
}

/* The whole workgroup on a tile of a row. */
static void cg_place_tile(cg *g, cg_place *w) {
  spv *b = g->b;
  uint32_t tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t row = spv_op(b, g->u32, SpvOpUDiv, g->wid, tiles);
  w->tile =
      spv_op(b, g->u32, SpvOpISub, g->wid, spv_op(b, g->u32, SpvOpIMul, row, tiles));
  w->row = cg_to_ix(g, row);
  uint32_t size = cg_ixc(g, (uint64_t)cg_tile(g->k, g->o));
  w->first = w->start = spv_op(b, g->ix, SpvOpIMul, cg_to_ix(g, w->tile), size);
  uint32_t left = spv_op(b, g->ix, SpvOpISub, g->len, w->first);
  uint32_t less = spv_op(b, spv_bool(b), SpvOpULessThan, left, size);
  left = spv_op(b, g->ix, SpvOpSelect, less, left, size);
  w->left = g->ix == g->u32 ? left : spv_op(b, g->u32, SpvOpUConvert, left);
}

/* P threads on a row; threads behind the last row get positions behind its end. */
static void cg_place_short(cg *g, cg_place *w) {
  spv *b = g->b;
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS), each = cg_ixc(g, 256 / w->threads);
  uint32_t base = spv_op(b, g->ix, SpvOpIMul, cg_to_ix(g, g->wid), each);
  uint32_t row = spv_op(b, g->ix, SpvOpIAdd, base, cg_to_ix(g, w->sub));
  w->there = spv_op(b, spv_bool(b), SpvOpULessThan, row, rows);
  uint32_t end = spv_op(b, g->ix, SpvOpISub, rows, cg_ixc(g, 1));
  w->row = spv_op(b, g->ix, SpvOpSelect, w->there, row, end);
  w->tile = spv_u32(b, 0);
  w->first = cg_ixc(g, 0);
}

cg_place cg_find_place(cg *g) {
  spv *b = g->b;
  cg_place w = {.threads = cg_row_threads(g->o)};
  w.u = spv_op(b, g->u32, SpvOpBitwiseAnd, g->thread, spv_u32(b, w.threads - 1));
  w.sub = spv_op(b, g->u32, SpvOpUDiv, g->thread, spv_u32(b, w.threads));
  if (w.threads == 256) cg_place_tile(g, &w);
  else cg_place_short(g, &w);
  w.row_at = spv_op(b, g->ix, SpvOpIMul, w.row, g->len);
  uint32_t lane = spv_op(b, g->u32, SpvOpIMul, w.u, spv_u32(b, 4));
  w.first = spv_op(b, g->ix, SpvOpIAdd, w.first, cg_to_ix(g, lane));
  if (w.there) w.first = spv_op(b, g->ix, SpvOpSelect, w.there, w.first, g->len);
  return w;
}

uint32_t cg_partial_index(cg *g, uint32_t row, uint32_t tile) {
  uint32_t tiles = cg_slot_ix(g, CG_SLOT_TILES);
  uint32_t at = spv_op(g->b, g->ix, SpvOpIMul, row, tiles);
  return spv_op(g->b, g->ix, SpvOpIAdd, at, cg_to_ix(g, tile));
}

/* ── positions and instructions ─────────────────────────────────────────────────────── */

uint32_t cg_ok(cg *g, cg_pos *p) {
  static const uint64_t steps[4] = {0, 1, 2, 3};
  if (p->ok || !p->tail) return p->ok;
  uint32_t i = p->i, len = g->len;
  if (g->lanes == 4) {
    uint32_t v4 = spv_vec(g->b, g->ix, 4);
    i = spv_op(g->b, v4, SpvOpCompositeConstruct, i, i, i, i);
    len = spv_op(g->b, v4, SpvOpCompositeConstruct, len, len, len, len);
    i = spv_op(g->b, v4, SpvOpIAdd, i,
               spv_const4(g->b, g->ix, g->ix == g->u64 ? 64 : 32, steps));
  }
  return p->ok = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, i, len);
}

/* Positions along the axis of elements that are counted through the whole input. */
static uint32_t cg_flat_iota(cg *g, kty t, const cg_pos *p) {
  static const uint64_t steps[4] = {0, 1, 2, 3};
  kty kx = g->ix == g->u64 ? KI64 : KI32;
  uint32_t type = cg_type(g, kx), i = cg_splat(g, kx, p->i),
           line = cg_splat(g, kx, g->line);
  if (g->lanes == 4)
    i = spv_op(g->b, type, SpvOpIAdd, i,
               spv_const4(g->b, g->ix, (uint32_t)kty_bytes(kx) * 8, steps));
  i = spv_op(g->b, type, SpvOpUDiv, i, cg_splat(g, kx, g->inner));
  i = spv_op(g->b, type, SpvOpUMod, i, line);
  return t == kx ? i : spv_op(g->b, cg_type(g, t), SpvOpUConvert, i);
}

static uint32_t cg_iota(cg *g, kty t, const cg_pos *p) {
  static const uint64_t steps[4] = {0, 1, 2, 3};
  uint32_t type = cg_scalar_type(g, t);
  uint32_t i = p->iota ? p->iota : p->i;
  if (type != g->ix) i = spv_op(g->b, type, SpvOpUConvert, i);
  if (g->lanes == 1 || p->iota) return cg_splat(g, t, i);
  uint32_t by = spv_const4(g->b, type, (uint32_t)kty_bytes(t) * 8, steps);
  return spv_op(g->b, cg_type(g, t), SpvOpIAdd, cg_splat(g, t, i), by);
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
  if (!raw) cg_load_raw(g, from, to, p, own), raw = own;
  for (uint32_t n = from; n < to; n++) {
    const kins *in = &g->k->ins[n];
    uint32_t i = (uint32_t)in->imm.i;
    kty t = (kty)in->ty;
    if (in->op == KOP_ARG)
      g->val[n] = cg_cvt(g, raw[i], kir_arg_type((elt)g->k->in[i].type), t);
    else if (in->op == KOP_IOTA && g->line && !p->iota && n < g->k->fold_at)
      g->val[n] = cg_flat_iota(g, t, p);
    else if (in->op == KOP_IOTA) g->val[n] = cg_iota(g, t, p);
    else if (in->op == KOP_PARAM) g->val[n] = cg_splat(g, t, g->uniform[KIR_MAX_IN + i]);
    else g->val[n] = cg_ins(g, in, p);
  }
}

/* ── flags ──────────────────────────────────────────────────────────────────────────── */

void cg_raise(cg *g, uint32_t cond, uint32_t ok, int64_t slot, bool escape) {
  uint32_t kb = spv_bool(g->b), *var = &g->flag[slot][escape];
  if (ok) cond = spv_op(g->b, cg_type(g, KB), SpvOpLogicalAnd, cond, ok);
  if (g->lanes == 4) cond = spv_op(g->b, kb, SpvOpAny, cond);
  if (!*var) *var = spv_local(g->b, kb, spv_true(g->b, false, 1));
  uint32_t old = spv_op(g->b, kb, SpvOpLoad, *var);
  spv_do(g->b, SpvOpStore, *var, spv_op(g->b, kb, SpvOpLogicalOr, old, cond));
}

static void cg_write_flag(cg *g, uint32_t base, uint32_t var, uint32_t word) {
  uint32_t kb = spv_bool(g->b), scope = spv_u32(g->b, SpvScopeSubgroup);
  uint32_t mine = spv_op(g->b, kb, SpvOpLoad, var);
  uint32_t any = spv_op(g->b, kb, SpvOpGroupNonUniformAny, scope, mine);
  uint32_t outer = spv_if(g->b, any);
  uint32_t inner = spv_if(g->b, spv_op(g->b, kb, SpvOpGroupNonUniformElect, scope));
  uint32_t at = spv_const(g->b, g->u64, 64, 4ull * word, 1);
  uint32_t addr = spv_op(g->b, g->u64, SpvOpIAdd, base, at);
  uint32_t type = spv_ptr(g->b, SpvStorageClassPhysicalStorageBuffer, g->u32);
  uint32_t ptr = spv_op(g->b, type, SpvOpConvertUToPtr, addr);
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  spv_do(g->b, SpvOpAtomicStore, ptr, device, relaxed, spv_u32(g->b, 1));
  spv_endif(g->b, inner);
  spv_endif(g->b, outer);
}

static void cg_write_flags(cg *g) {
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

/* ── entry points ───────────────────────────────────────────────────────────────────── */

enum cg_kernel {
#define KERNEL(id, function, what) CG_##id,
#include "kernels.def"
  CG_KERNELS
};
static void (*const cg_template[CG_KERNELS])(cg *) = {
#define KERNEL(id, function, what) function,
#include "kernels.def"
};

static enum cg_kernel cg_choose(const kir *k, const cg_opts *o) {
  if (k->kind == KIR_MAP) return CG_MAP;
  if (k->kind == KIR_REDUCE)
    return o->way == CG_STAGE     ? CG_PANEL
           : o->way == CG_COLUMNS ? CG_SIDE
           : o->way == CG_FEW     ? CG_FOUR
                                  : CG_REDUCE;
  if (o->columns) return o->totals ? CG_SIDE : CG_DOWN;
  return o->totals ? CG_TOTALS : CG_SCAN;
}

uint32_t cg_row_threads(const cg_opts *o) {
  return o->row_threads && o->row_threads < 256 ? o->row_threads : 256;
}

int64_t cg_tile(const kir *k, const cg_opts *o) {
  if (k->kind == KIR_MAP) return (int64_t)o->workgroup * o->items * o->width;
  uint32_t p = cg_row_threads(o);
  if (p < 256) return 4 * p;
  return (int64_t)o->tile_rows * KIR_LANES * (cg_counts(k, o) ? CG_COUNT_ROWS : 1);
}

bool cg_needs_clear(const kir *k, const cg_opts *o, uint32_t out) {
  int bits = elt_bits((elt)k->out[out].type);
  if (o->single) return false;
  if (o->columns && bits == 1) return true;
  return bits < 32 && (k->kind == KIR_REDUCE || (k->kind == KIR_SCAN && o->width == 1));
}

bool cg_emit(ctx *c, const kir *k, const cg_opts *o, cg_module *out) {
  spv b;
  *out = (cg_module){0};
  cg *g = mem_zalloc(c, sizeof *g + k->n_ins * sizeof *g->val);
  if (!g) return false;
  *g = (cg){.b = &b, .k = k, .o = o, .val = (uint32_t *)(g + 1)};
  spv_begin(&b, c);
  cg_open(g);
  cg_read_uniforms(g);
  cg_template[cg_choose(k, o)](g);
  cg_write_flags(g);
  spv_do(&b, SpvOpReturn);
  mem_free(c, g);
  return spv_finish(&b, k->kind == KIR_MAP ? o->workgroup : 256, &out->words, &out->n);
}

bool cg_emit_copy(ctx *c, uint32_t workgroup, cg_module *out) {
  static const kir none = {.kind = KIR_MAP};
  const cg_opts o = {
      .workgroup = workgroup, .subgroup = 4, .width = 1, .wide_index = true};
  spv b;
  cg g = {.b = &b, .k = &none, .o = &o};
  *out = (cg_module){0};
  spv_begin(&b, c);
  cg_open_copy(&g);
  uint32_t v4 = spv_vec(&b, g.u32, 4);
  uint32_t first =
      spv_op(&b, g.u64, SpvOpIMul, cg_to_ix(&g, g.wid), cg_ixc(&g, workgroup));
  uint32_t i = spv_op(&b, g.u64, SpvOpIAdd, first, cg_to_ix(&g, g.thread));
  uint32_t merge = spv_if(&b, spv_op(&b, spv_bool(&b), SpvOpULessThan, i, g.len));
  uint32_t v = cg_load(&g, v4, cg_addr(&g, g.base[0], i, 4), 16);
  cg_store(&g, v4, cg_addr(&g, g.out[0], i, 4), v, 16);
  spv_endif(&b, merge);
  spv_do(&b, SpvOpReturn);
  return spv_finish(&b, workgroup, &out->words, &out->n);
}
