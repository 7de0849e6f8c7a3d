/* SPDX-License-Identifier: MIT */
/* few.c - the reduce template for rows of a few elements: n of them, 1 to 7.
 *
 * Four rows are n quads side by side, which one thread loads; in its registers the elements
 * are rows again, and each row folds by neighbours. Four results are one quad.
 *
 *     n = 3    a a a b | b b c c | c d d d  ──▶  A B C D */
#include "template.h"

enum { FEW_MOST = 7 };

/* The accumulators of the thread's quads, element by element. */
static void few_load(cg *g, uint32_t first, cg_acc *v) {
  uint32_t raw[FEW_MOST][KIR_MAX_IN], n = g->o->items;
  cg_pos p[FEW_MOST];
  g->lanes = 4;
  for (uint32_t q = 0; q < n; q++) {
    uint32_t i = q ? cg_x(g, SpvOpIAdd, first, cg_ixc(g, 4 * q)) : first;
    p[q] = (cg_pos){.i = i, .tail = true};
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &p[q], raw[q]);
  }
  cg_acc none = cg_identity(g);
  for (uint32_t q = 0; q < n; q++) {
    cg_acc x = cg_source(g, &p[q], raw[q]);
    x = cg_combine(g, none, cg_acc_sel(g, cg_ok(g, &p[q]), x, none), 0);
    for (uint32_t j = 0; j < 4; j++) v[4 * q + j] = cg_acc_part(g, x, j);
  }
}

static cg_acc few_fold(cg *g, cg_acc *v) {
  for (uint32_t n = g->o->items; n > 1; n = (n + 1) / 2)
    for (uint32_t i = 0; i < n; i += 2)
      v[i / 2] = i + 1 < n ? cg_combine(g, v[i], v[i + 1], 0) : v[i];
  return v[0];
}

void cg_few(cg *g) {
  const kir *k = g->k;
  cg_acc v[4 * FEW_MOST], r[4];
  cg_flat(g);
  uint32_t thread = cg_ui(g, SpvOpShiftLeftLogical, g->wid, 8);
  thread = cg_u(g, SpvOpIAdd, thread, g->thread);
  cg_pos p = {.i = cg_x(g, SpvOpIMul, cg_to_ix(g, thread), cg_ixc(g, 4)), .tail = true};
  few_load(g, cg_x(g, SpvOpIMul, p.i, cg_ixc(g, g->o->items)), v);
  g->lanes = 1;
  for (uint32_t j = 0; j < 4; j++) r[j] = few_fold(g, v + j * g->o->items);
  g->lanes = 4;
  cg_acc all = cg_acc_join(g, r);
  g->len = cg_slot_ix(g, CG_SLOT_ROWS); /* from here on positions are those of results */
  g->last = cg_x(g, SpvOpISub, g->len, cg_ixc(g, 1));
  if (!g->o->final) {
    cg_put_acc(g, cg_slot(g, CG_SLOT_TO), &p, all);
    return;
  }
  g->val[k->fold_at] = cg_fold_result(g, all, cg_ok(g, &p));
  cg_range(g, k->fold_at + 1, k->n_ins, &p, NULL);
  cg_put_outputs(g, &p);
}
