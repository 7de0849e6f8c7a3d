/* SPDX-License-Identifier: MIT */
/* reduce_exact_columns.c - the reduce template for columns side by side of an exact monoid:
 * a thread has one, or four next to each other, and goes straight down its part of them.
 *
 * The order never shows, so there is one accumulator where reduce_strided keeps one for
 * each level of the tree: more threads fit, and more loads are in flight. A line's parts
 * are its tiles for the next pass.
 *
 * TRIED without it (H200, 2^24 to 2^27 elements, least of four): reduce_strided takes 0.9 to 1.3 times as long. Not worth a
 * template: to be deleted, with test_schedule's spills, which count its loads. */
#include "template.h"

#include "../base/arith.h"

static const reduce_exact_columns_opts *opts(const cg *g) {
  return &g->o->reduce_exact_columns;
}

#define SLOT(field) CG_OWN_SLOT(reduce_exact_columns_geom, field)

/* FEWEST_COLUMNS: fewer have too few threads side by side. */
enum { MAX_BATCH = 16, FEWEST_COLUMNS = 320, PART = 128, SHORTEST_PART = 16 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool reduce_exact_columns_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD || t->inner < 2 || t->small) return false;
  return cg_fold_exact(t->k) && t->rows * t->inner >= FEWEST_COLUMNS && t->len > 16;
}

/* Four elements of less than 32 bits come in one word or two, where one would cost as
 * much; of wider ones a thread's own column is as good, and leaves more threads. */
static bool reads_narrow(const cg_task *t) {
  for (uint32_t i = 0; i < t->k->n_in && !t->from_partials; i++)
    if (elt_bits((elt)t->k->in[i].type) < 32 && t->k->in[i].view == KV_FLAT) return true;
  return false;
}

/* Parts of 128 elements, or less where the device would not be busy. */
void reduce_exact_columns_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_EXACT_COLUMNS);
  reduce_exact_columns_opts *o = &s->o.reduce_exact_columns;
  reduce_exact_columns_geom *z = &s->geom.reduce_exact_columns;
  int64_t columns = CG_WORKGROUP, length = min_i64(t->len, PART);
  if (!cg_fold_is_wide(t->k) && t->inner % 4 == 0) o->four = reads_narrow(t);
  if (o->four) columns *= 4;
  o->batch = cg_repeat(t, o->four ? MAX_BATCH / 2 : MAX_BATCH);
  s->o.width = o->four ? 4 : 1;
  int64_t blocks = ceil_div(t->rows * t->inner, columns);
  z->columns = t->rows * t->inner / (columns / CG_WORKGROUP);
  while (blocks * ceil_div(t->len, length) < cg_enough_groups(t) / 4 &&
         length > SHORTEST_PART)
    length /= 2;
  if (t->len <= 2 * PART && blocks >= cg_enough_groups(t) / 4) length = t->len;
  z->length = length;
  p->tiles = s->geom.tiles = ceil_div(t->len, length);
  s->geom.workgroups = ceil_div(z->columns * p->tiles, CG_WORKGROUP);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct exact_column {
  cg_column column;
  uint32_t mine; /* bool: there is such a column */
  uint32_t part; /* u32 */
  uint32_t base; /* ix: the number of the part's first element */
  uint32_t left; /* u32: its elements */
} exact_column;

static void place_column(cg *g, exact_column *z) {
  cg_column *c = &z->column;
  uint32_t columns = cg_slot_u32(g, SLOT(columns));
  uint32_t length = cg_slot_ix(g, SLOT(length)), four = opts(g)->four;
  uint32_t id = cg_ui(g, SpvOpIMul, g->wid, CG_WORKGROUP);
  z->part = cg_u(g, SpvOpIAdd, id, g->thread);
  uint32_t x = cg_split(g, &z->part, columns);
  if (four) x = cg_ui(g, SpvOpShiftLeftLogical, x, 2);
  z->mine = cg_less(g, z->part, cg_slot_u32(g, CG_SLOT_TILES));
  c->inner = g->inner;
  c->at = cg_to_ix(g, x);
  c->row = cg_x(g, SpvOpUDiv, c->at, c->inner);
  /* element i of the column is number (row × len + i) × inner + j */
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, z->part), length);
  uint32_t less1 = cg_x(g, SpvOpISub, g->line, cg_ixc(g, 1));
  uint32_t skip = cg_x(g, SpvOpIMul, c->row, less1);
  skip = cg_x(g, SpvOpIMul, cg_x(g, SpvOpIAdd, skip, first), c->inner);
  z->base = cg_x(g, SpvOpIAdd, c->at, skip);
  uint32_t rest = cg_x(g, SpvOpISub, g->line, first);
  z->left = cg_to_u32(g, cg_least(g, g->ix, rest, length));
}

/* The batch of elements from `first` (u32) on; masked: those from the part's end on are
 * left out. */
static void fold_batch(cg *g, const exact_column *z, cg_var acc, uint32_t first,
                       bool masked) {
  uint32_t raw[MAX_BATCH][KIR_MAX_IN], n = opts(g)->batch;
  cg_pos p[MAX_BATCH];
  uint32_t at = cg_x(g, SpvOpIMul, cg_to_ix(g, first), z->column.inner);
  at = cg_x(g, SpvOpIAdd, z->base, at);
  for (uint32_t s = 0; s < n; s++) {
    if (s) at = cg_x(g, SpvOpIAdd, at, z->column.inner);
    p[s] = (cg_pos){.i = at};
    if (masked) {
      uint32_t is = cg_less(g, cg_next(g, first, s), z->left);
      p[s].i = cg_pick(g, g->ix, is, at, z->base);
      p[s].ok = cg_splat(g, KB, is);
    }
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[s], raw[s]);
  }
  cg_var_set(g, acc, cg_fold_at(g, cg_var_get(g, acc), p, raw, n));
}

void reduce_exact_columns_emit(cg *g) {
  exact_column z = {.mine = 0};
  cg_flat(g);
  place_column(g, &z);
  uint32_t batch = spv_u32(g->b, opts(g)->batch);
  uint32_t full = cg_u(g, SpvOpUDiv, z.left, batch);
  uint32_t merge = spv_if(g->b, z.mine);
  g->lanes = opts(g)->four ? 4 : 1;
  cg_var acc = cg_local_acc(g, cg_identity(g));
  spv_loop l = spv_for(g->b, full);
  fold_batch(g, &z, acc, cg_u(g, SpvOpIMul, l.i, batch), false);
  spv_endfor(g->b, &l);
  uint32_t done = cg_u(g, SpvOpIMul, full, batch);
  uint32_t tail = spv_if(g->b, cg_less(g, done, z.left));
  fold_batch(g, &z, acc, done, true);
  spv_endif(g->b, tail);
  cg_pos p = {.i = z.column.at};
  if (!g->o->final) {
    uint32_t parts = cg_slot_ix(g, CG_SLOT_TILES);
    p = cg_column_partial(g, &z.column, parts, z.part);
  }
  cg_finish(g, cg_result(g), &p, cg_var_get(g, acc), 0);
  spv_endif(g->b, merge);
}
