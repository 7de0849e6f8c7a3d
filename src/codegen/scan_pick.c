/* SPDX-License-Identifier: MIT */
/* scan_pick.c - the scan template for what stored truth values select: elements go behind those
 * that are selected before them (ir/emit_moves.c), which a count of bits tells.
 *
 *   PICK_COUNTS   a workgroup counts the ones of a tile of 1024 words
 *   PICK_BASES    one workgroup: counts → how many come before each tile
 *   PICK_STORES   a workgroup a tile, a subgroup neighbouring words of it: a word after the other,
 *                 a bit a thread. Its element goes to the base + the ones below it
 *
 * Bits are read twice, elements once, and nothing waits for another workgroup.
 *
 * TRIED without it (H200, 2^24 elements): scan_tile takes 1.34 times as long for b/x, 1.64 of f32, 1.47 for ⍸b. */
#include "template.h"

#include "../base/arith.h"

enum { WORDS = 4, TILE_WORDS = WORDS * CG_WORKGROUP, TILE = 32 * TILE_WORDS, BATCH = 8 };
typedef enum pick_phase { PICK_COUNTS, PICK_BASES, PICK_STORES } pick_phase;

/* ── how ────────────────────────────────────────────────────────────────────────────── */

/* 1 + the input of bits that the kernel selects by; 0: it does something else. */
static uint32_t mask_of(const kir *k) {
  const kins *v = k->ins, *from = &v[k->acc[0].from];
  if (k->n_out != 1 || k->out[0].put != KPUT_ONCE || k->out[0].kept || k->n_acc != 1)
    return 0;
  if (k->join || k->segments || k->exclusive || k->acc[0].monoid != KF_ADD) return 0;
  if (k->acc[0].wide || from->op != KOP_CVT || v[from->a].op != KOP_ARG) return 0;
  const kins *when = &v[k->out[0].when], *at = &v[k->out[0].at];
  uint32_t in = (uint32_t)v[from->a].imm.i;
  bool same = when->op == KOP_ARG && when->imm.i == (int64_t)in;
  if (!same || k->in[in].type != ET_BIT || k->in[in].view != KV_FLAT) return 0;
  bool behind = at->op == KOP_SUB && at->a == k->fold_at && v[at->b].op == KOP_CONST;
  return behind && v[at->b].imm.i == 1 ? in + 1 : 0;
}

bool scan_pick_serves(const cg_task *t) {
  if (t->kind != CG_TASK_SCAN || t->rows * t->inner > 1 || t->common->wide_index)
    return false;
  return t->len > TILE && mask_of(t->k);
}

static cg_pass *add_phase(const cg_task *t, cg_passes *p, pick_phase phase) {
  cg_pass *s = cg_add_pass(p, t, CG_SCAN_PICK);
  s->o.scan_pick.phase = phase;
  s->o.width = 1;
  s->geom.tiles = ceil_div(t->len, TILE);
  s->geom.workgroups = phase == PICK_BASES ? 1 : s->geom.tiles;
  if (phase != PICK_STORES) s->to = CG_OWN;
  else s->carry = CG_OWN;
  return s;
}

void scan_pick_passes(const cg_task *t, cg_passes *p) {
  add_phase(t, p, PICK_COUNTS);
  add_phase(t, p, PICK_BASES);
  add_phase(t, p, PICK_STORES);
  p->own[0] = p->at[0].geom.tiles; /* words of 32 bits are less */
}

typedef struct pick {
  cg_units unit;
  uint32_t mask; /* the input */
} pick;

/* ── words ──────────────────────────────────────────────────────────────────────────── */

/* The mask's word of that number (u32), 0 behind the last. */
static uint32_t word_at(cg *g, const pick *z, uint32_t number) {
  uint32_t last = cg_ui(g, SpvOpShiftRightLogical, cg_to_u32(g, g->last), 5);
  uint32_t at = cg_least(g, g->u32, number, last), none = spv_u32(g->b, 0);
  uint32_t v = cg_load(g, g->u32, cg_addr(g, g->base[z->mask], at, 2), 4);
  return cg_pick(g, g->u32, cg_less(g, last, number), none, v);
}

/* The first of the group's words in round i (u32) of WORDS. */
static uint32_t first_word(cg *g, const pick *z, uint32_t i) {
  uint32_t at = cg_ui(g, SpvOpIMul, g->wid, TILE_WORDS);
  uint32_t mine = cg_ui(g, SpvOpIMul, z->unit.number, WORDS);
  mine = cg_ui(g, SpvOpIMul, cg_u(g, SpvOpIAdd, mine, i), z->unit.size);
  return cg_u(g, SpvOpIAdd, at, mine);
}

/* The ones in all of the group's words. */
static uint32_t ones_of_group(cg *g, const pick *z) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < WORDS; i++) {
    uint32_t at = cg_u(g, SpvOpIAdd, first_word(g, z, spv_u32(g->b, i)), z->unit.in);
    uint32_t n = cg_ones(g, word_at(g, z, at));
    sum = sum ? cg_u(g, SpvOpIAdd, sum, n) : n;
  }
  return cg_unit_last(g, &z->unit, cg_sum_upto(g, &z->unit, sum));
}

static uint32_t own_word(cg *g, uint32_t slot, uint32_t number) {
  return cg_addr(g, cg_slot(g, slot), number, 2);
}

/* ── phases ─────────────────────────────────────────────────────────────────────────── */

static void emit_counts(cg *g, const pick *z) {
  uint32_t all;
  (void)cg_sum_before_unit(g, &z->unit, ones_of_group(g, z), &all);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, g->thread));
  cg_store(g, g->u32, own_word(g, CG_SLOT_TO, g->wid), all, 4);
  spv_endif(g->b, merge);
}

/* Each thread has neighbouring tiles. */
static void emit_bases(cg *g, const pick *z) {
  uint32_t tiles = cg_slot_u32(g, CG_SLOT_TILES), none = spv_u32(g->b, 0), all;
  uint32_t each = cg_ui(g, SpvOpIAdd, tiles, CG_WORKGROUP - 1);
  each = cg_ui(g, SpvOpUDiv, each, CG_WORKGROUP);
  uint32_t first = cg_least(g, g->u32, cg_u(g, SpvOpIMul, g->thread, each), tiles);
  uint32_t n = cg_least(g, g->u32, each, cg_u(g, SpvOpISub, tiles, first));
  uint32_t run = spv_local(g->b, g->u32, none);
  for (int again = 0; again < 2; again++) {
    spv_loop l = spv_for(g->b, n);
    uint32_t addr = own_word(g, CG_SLOT_TO, cg_u(g, SpvOpIAdd, first, l.i));
    uint32_t v = cg_load(g, g->u32, addr, 4);
    uint32_t sum = spv_op(g->b, g->u32, SpvOpLoad, run);
    if (again) cg_store(g, g->u32, addr, sum, 4);
    spv_do(g->b, SpvOpStore, run, cg_u(g, SpvOpIAdd, sum, v));
    spv_endfor(g->b, &l);
    if (again) return;
    uint32_t total = spv_op(g->b, g->u32, SpvOpLoad, run);
    spv_do(g->b, SpvOpStore, run, cg_sum_before(g, &z->unit, total, &all));
  }
}

/* BATCH steps of S bits of the group's words, from step `step` (u32) on: `word` and what is
 * `before` it are of the thread's, `first` is the first word's number. */
static void store_batch(cg *g, const pick *z, uint32_t step, uint32_t first,
                        uint32_t word, uint32_t before) {
  uint32_t raw[BATCH][KIR_MAX_IN], at[BATCH], parts = 32 / z->unit.size,
                                              one = spv_u32(g->b, 1);
  cg_pos p[BATCH];
  for (uint32_t r = 0; r < BATCH; r++) {
    uint32_t s = cg_next(g, step, r), j = cg_ui(g, SpvOpUDiv, s, parts);
    uint32_t bit =
        cg_ui(g, SpvOpIMul, cg_ui(g, SpvOpBitwiseAnd, s, parts - 1), z->unit.size);
    bit = cg_u(g, SpvOpIAdd, bit, z->unit.in);
    j = cg_u(g, SpvOpIAdd, z->unit.first, j);
    uint32_t w = cg_shuffle_word(g, g->u32, word, j, false);
    uint32_t skip = cg_shuffle_word(g, g->u32, before, j, false);
    uint32_t i = cg_ui(g, SpvOpIMul, s, z->unit.size);
    i = cg_u(g, SpvOpIAdd, i, cg_ui(g, SpvOpShiftLeftLogical, first, 5));
    i = cg_u(g, SpvOpIAdd, i, z->unit.in);
    p[r] = (cg_pos){.i = cg_least(g, g->u32, i, g->last)};
    cg_load_raw(g, g->k->fold_at + 1, g->k->n_ins, &p[r], raw[r]);
    uint32_t low = cg_u(g, SpvOpShiftLeftLogical, one, bit);
    uint32_t below = cg_u(g, SpvOpBitwiseAnd, w, cg_ui(g, SpvOpISub, low, 1));
    at[r] = cg_u(g, SpvOpIAdd, skip, cg_ones(g, below));
    uint32_t is = cg_u(g, SpvOpBitwiseAnd, w, low);
    raw[r][z->mask] = cg_is(g, SpvOpINotEqual, is, spv_u32(g->b, 0));
  }
  for (uint32_t r = 0; r < BATCH; r++) {
    cg_acc upto = {{0}};
    upto.id[0] =
        spv_op(g->b, cg_type(g, KI64), SpvOpUConvert, cg_ui(g, SpvOpIAdd, at[r], 1));
    cg_fold_results(g, upto, 0);
    cg_range(g, g->k->fold_at + 1, g->k->n_ins, &p[r], raw[r]);
    cg_put_outputs(g, &p[r]);
  }
}

static void emit_stores(cg *g, const pick *z) {
  uint32_t all, base = cg_load(g, g->u32, own_word(g, CG_SLOT_CARRY, g->wid), 4);
  uint32_t run = spv_local(g->b, g->u32, 0);
  base = cg_u(g, SpvOpIAdd, base,
              cg_sum_before_unit(g, &z->unit, ones_of_group(g, z), &all));
  spv_do(g->b, SpvOpStore, run, base);
  spv_loop l = spv_for(g->b, spv_u32(g->b, WORDS));
  uint32_t first = first_word(g, z, l.i);
  uint32_t word = word_at(g, z, cg_u(g, SpvOpIAdd, first, z->unit.in));
  uint32_t n = cg_ones(g, word), upto = cg_sum_upto(g, &z->unit, n);
  uint32_t so_far = spv_op(g->b, g->u32, SpvOpLoad, run);
  uint32_t before = cg_u(g, SpvOpIAdd, so_far, cg_u(g, SpvOpISub, upto, n));
  uint32_t next = cg_u(g, SpvOpIAdd, so_far, cg_unit_last(g, &z->unit, upto));
  spv_do(g->b, SpvOpStore, run, next);
  spv_loop batches = spv_for(g->b, spv_u32(g->b, 32 / BATCH));
  store_batch(g, z, cg_ui(g, SpvOpIMul, batches.i, BATCH), first, word, before);
  spv_endfor(g->b, &batches);
  spv_endfor(g->b, &l);
}

void scan_pick_emit(cg *g) {
  g->lanes = 1;
  pick z = {.unit = cg_find_units(g), .mask = mask_of(g->k) - 1};
  switch ((pick_phase)g->o->scan_pick.phase) {
  case PICK_COUNTS: emit_counts(g, &z); break;
  case PICK_BASES: emit_bases(g, &z); break;
  case PICK_STORES: emit_stores(g, &z); break;
  }
}
