/* SPDX-License-Identifier: MIT */
/* thread_place.c - where a thread of a REDUCE or SCAN works, and where its results go. */
#include "template.h"

#include "memory.h"

void cg_flat(cg *g) {
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS);
  g->inner = cg_slot_ix(g, CG_SLOT_INNER);
  g->line = g->len;
  g->len = cg_x(g, SpvOpIMul, cg_x(g, SpvOpIMul, rows, g->inner), g->len);
  g->last = cg_x(g, SpvOpISub, g->len, cg_ixc(g, 1));
}

uint32_t cg_split(cg *g, uint32_t *t, uint32_t by) {
  uint32_t quotient = cg_u(g, SpvOpUDiv, *t, by);
  uint32_t rest = cg_u(g, SpvOpISub, *t, cg_u(g, SpvOpIMul, quotient, by));
  *t = quotient;
  return rest;
}

uint32_t cg_inverse(cg *g, uint32_t by) {
  uint32_t all = spv_u32(g->b, UINT32_MAX);
  return cg_ui(g, SpvOpIAdd, cg_u(g, SpvOpUDiv, all, by), 1);
}

/* t × ⌈2^32÷by⌉ is off by less than t×by, below 2^32; 1 has no such inverse. */
uint32_t cg_split_small(cg *g, uint32_t *t, uint32_t by, uint32_t inverse) {
  uint32_t pair = spv_pair(g->b, g->u32), one = cg_is_zero(g, inverse);
  uint32_t product = spv_op(g->b, pair, SpvOpUMulExtended, *t, inverse);
  uint32_t quotient = cg_u(g, SpvOpCompositeExtract, product, 1);
  quotient = cg_pick(g, g->u32, one, *t, quotient);
  uint32_t rest = cg_u(g, SpvOpISub, *t, cg_u(g, SpvOpIMul, quotient, by));
  *t = quotient;
  return rest;
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

/* The whole workgroup on a tile of a row. */
static void place_tile(cg *g, cg_place *w, int64_t tile) {
  uint32_t tiles = cg_slot_u32(g, CG_SLOT_TILES), row = g->wid;
  w->tile = cg_split(g, &row, tiles);
  w->row = cg_to_ix(g, row);
  uint32_t size = cg_ixc(g, (uint64_t)tile);
  w->start = cg_x(g, SpvOpIMul, cg_to_ix(g, w->tile), size);
  w->first = w->start;
  w->left = cg_to_u32(g, cg_least(g, g->ix, cg_x(g, SpvOpISub, g->len, w->first), size));
}

/* Some threads on a row; those behind the last row get positions behind its end. */
static void place_short(cg *g, cg_place *w) {
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS);
  uint32_t each = cg_ixc(g, g->o->workgroup / w->threads);
  uint32_t base = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), each);
  uint32_t row = cg_x(g, SpvOpIAdd, base, cg_to_ix(g, w->sub));
  w->there = cg_less(g, row, rows);
  uint32_t end = cg_x(g, SpvOpISub, rows, cg_ixc(g, 1));
  w->row = cg_pick(g, g->ix, w->there, row, end);
  w->tile = spv_u32(g->b, 0);
  w->first = cg_ixc(g, 0);
}

cg_place cg_find_place(cg *g, uint32_t threads, int64_t size) {
  cg_place w = {.threads = threads};
  w.u = cg_ui(g, SpvOpBitwiseAnd, g->thread, threads - 1);
  w.sub = cg_ui(g, SpvOpUDiv, g->thread, threads);
  if (threads == g->o->workgroup) place_tile(g, &w, size);
  else place_short(g, &w);
  w.row_at = cg_x(g, SpvOpIMul, w.row, g->len);
  uint32_t lane = cg_ui(g, SpvOpIMul, w.u, 4);
  w.first = cg_x(g, SpvOpIAdd, w.first, cg_to_ix(g, lane));
  if (w.there) w.first = cg_pick(g, g->ix, w.there, w.first, g->len);
  return w;
}

uint32_t cg_partial_index(cg *g, uint32_t row, uint32_t tile) {
  uint32_t at = cg_x(g, SpvOpIMul, row, cg_slot_ix(g, CG_SLOT_TILES));
  return cg_x(g, SpvOpIAdd, at, cg_to_ix(g, tile));
}

/* ── columns ────────────────────────────────────────────────────────────────────────── */

/* It is number (row × n + i) × inner + j, and the column row × inner + j. */
cg_pos cg_column_partial(cg *g, const cg_column *c, uint32_t n, uint32_t i) {
  uint32_t less1 = cg_x(g, SpvOpISub, n, cg_ixc(g, 1));
  uint32_t skip = cg_x(g, SpvOpIMul, c->row, less1);
  skip = cg_x(g, SpvOpIAdd, skip, cg_to_ix(g, i));
  return (cg_pos){.i = cg_x(g, SpvOpIAdd, c->at, cg_x(g, SpvOpIMul, skip, c->inner))};
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

uint32_t cg_result(cg *g) { return g->o->final ? 0 : cg_slot(g, CG_SLOT_TO); }

void cg_finish(cg *g, uint32_t to, cg_pos *p, cg_acc acc, uint32_t ok) {
  const kir *k = g->k;
  if (!g->o->final) {
    cg_put_acc(g, to, p, acc);
    return;
  }
  cg_fold_results(g, acc, ok);
  cg_range(g, k->fold_at + 1, k->n_ins, p, NULL);
  cg_put_outputs(g, p);
}
