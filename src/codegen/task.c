/* SPDX-License-Identifier: MIT */
/* task.c - what the templates share when they choose the passes of a task.
 *
 * Which template serves a fold is decided by how memory is read:
 *
 *   inner 1      many lines, the order never shows          reduce_exact_rows
 *                a line of 2048 or more, or all there is    reduce_tile
 *                many short lines                           reduce_shared, rows cut into quads
 *   inner > 1    long lines, not more than some hundred     reduce_shared, lanes down a tile
 *                the others                                 reduce_strided
 *
 * A workgroup's loads should be of neighbouring elements: where columns are 512 bytes
 * wide or less, and far fewer than threads, those of several lanes together. Each thread
 * should have 64 bytes in flight, and the device 30 times as many workgroups as it has
 * processors, for one of them is always late. Measured on an H200. What
 * each of these is worth on a device, bench/ladder says (4-wide loads, many items a thread).
 *
 * Small kernels (cg_is_small) take as long as a dispatch does, however they are done.
 * There are two kinds for their short rows and one for the others, where large arrays
 * have one per power of two and one for aligned rows, so that tables of many shapes make
 * few pipelines. */
#include "task.h"

#include <assert.h>
#include <string.h>

cg_pass *cg_add_pass(cg_passes *p, const cg_task *t, cg_template by) {
  assert(p->n < CG_MAX_PASSES);
  cg_pass *s = &p->at[p->n++];
  memset(s, 0, sizeof *s);
  s->o = *t->common;
  s->o.template = by;
  s->o.from_partials = t->from_partials;
  s->geom = (cg_geom){.rows = t->rows, .len = t->len, .inner = t->inner};
  s->geom.workgroups = s->geom.tiles = 1;
  if (t->from_partials) s->from = CG_SOURCE;
  s->to = CG_RESULT;
  return s;
}

uint32_t cg_repeat(const cg_task *t, uint32_t want) {
  uint32_t most = cg_loads(t), n = t->k->fold_at;
  if (t->from_partials) n = 0;
  if (n > CG_LONG_PRODUCER && most > 4) most = 4;
  if (n > CG_VERY_LONG_PRODUCER) most = 1;
  return want < most ? want : most;
}

static bool has_bit_output(const kir *k) {
  for (uint32_t i = 0; i < k->n_out; i++)
    if (k->out[i].type == ET_BIT) return true;
  return false;
}

uint32_t cg_row_width(const cg_task *t) {
  if (t->rows == 1) return 4;
  if (t->len % 4 || t->small) return 1;
  /* Rows of bits share words with their neighbours. */
  bool words = t->k->kind != KIR_REDUCE && t->len % 32 && has_bit_output(t->k);
  return words ? 1 : 4;
}

uint32_t cg_fit_tile(const cg_task *t, uint32_t rows) {
  if ((t->rows > 1 && t->small) || t->len > 4 * KIR_LANES) return rows;
  return t->len <= KIR_LANES ? 1 : 4;
}

bool cg_needs_clear(const kir *k, const cg_opts *o, uint32_t out) {
  int bits = elt_bits((elt)k->out[out].type);
  if (bits >= 32 || o->single) return false;
  if (k->out[out].put) return !k->out[out].kept;
  if (k->kind == KIR_MAP) return false;
  if (o->template == CG_REDUCE_EXACT_ROWS) return false; /* neighbours pack them */
  if (k->kind == KIR_REDUCE || o->width == 1) return true;
  return bits == 1 && o->template == CG_SCAN_COLUMNS;
}
