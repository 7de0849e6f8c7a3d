/* SPDX-License-Identifier: MIT */
/* place.c - where a thread of a REDUCE or SCAN works. */
#include "template.h"

#include "memory.h"

void cg_flat(cg *g) {
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS);
  g->inner = cg_slot_ix(g, CG_SLOT_INNER);
  g->line = g->len;
  uint32_t lines = spv_op(g->b, g->ix, SpvOpIMul, rows, g->inner);
  g->len = spv_op(g->b, g->ix, SpvOpIMul, lines, g->len);
  g->last = spv_op(g->b, g->ix, SpvOpISub, g->len, cg_ixc(g, 1));
}

/* The whole workgroup on a tile of a row. */
static void cg_place_tile(cg *g, cg_place *w, int64_t tile) {
  spv *b = g->b;
  uint32_t tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t row = spv_op(b, g->u32, SpvOpUDiv, g->wid, tiles);
  w->tile =
      spv_op(b, g->u32, SpvOpISub, g->wid, spv_op(b, g->u32, SpvOpIMul, row, tiles));
  w->row = cg_to_ix(g, row);
  uint32_t size = cg_ixc(g, (uint64_t)tile);
  w->first = w->start = spv_op(b, g->ix, SpvOpIMul, cg_to_ix(g, w->tile), size);
  uint32_t left = spv_op(b, g->ix, SpvOpISub, g->len, w->first);
  uint32_t less = spv_op(b, spv_bool(b), SpvOpULessThan, left, size);
  left = spv_op(b, g->ix, SpvOpSelect, less, left, size);
  w->left = g->ix == g->u32 ? left : spv_op(b, g->u32, SpvOpUConvert, left);
}

/* P threads on a row; threads behind the last row get positions behind its end. */
static void cg_place_short(cg *g, cg_place *w) {
  spv *b = g->b;
  uint32_t rows = cg_slot_ix(g, CG_SLOT_ROWS),
           each = cg_ixc(g, CG_WORKGROUP / w->threads);
  uint32_t base = spv_op(b, g->ix, SpvOpIMul, cg_to_ix(g, g->wid), each);
  uint32_t row = spv_op(b, g->ix, SpvOpIAdd, base, cg_to_ix(g, w->sub));
  w->there = spv_op(b, spv_bool(b), SpvOpULessThan, row, rows);
  uint32_t end = spv_op(b, g->ix, SpvOpISub, rows, cg_ixc(g, 1));
  w->row = spv_op(b, g->ix, SpvOpSelect, w->there, row, end);
  w->tile = spv_u32(b, 0);
  w->first = cg_ixc(g, 0);
}

cg_place cg_find_place(cg *g, uint32_t threads, int64_t size) {
  spv *b = g->b;
  cg_place w = {.threads = threads};
  w.u = spv_op(b, g->u32, SpvOpBitwiseAnd, g->thread, spv_u32(b, w.threads - 1));
  w.sub = spv_op(b, g->u32, SpvOpUDiv, g->thread, spv_u32(b, w.threads));
  if (threads == CG_WORKGROUP) cg_place_tile(g, &w, size);
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
