/* SPDX-License-Identifier: MIT */
/* reduce_tiny_rows.c - the reduce template for rows of a few elements: n of them, 1 to 7.
 *
 * Four rows are n quads side by side, which one thread loads; in its registers the
 * elements are rows again, and each row folds by neighbours. Four results are one quad.
 *
 *     n = 3    a a a b | b b c c | c d d d  ──▶  A B C D
 *
 * TRIED without it (H200, 2^24 elements): rows of 3 take 1.35 times as long, of 5 1.01 times. */
#include "template.h"

#include "../base/arith.h"

enum { MOST = 7, BYTES = 24 }; /* elements of a row; bytes of its accumulators */

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool reduce_tiny_rows_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD || t->inner > 1 || t->small || cg_fold_is_wide(t->k))
    return false;
  return t->len * cg_acc_bytes(t->k) <= BYTES;
}

void reduce_tiny_rows_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_TINY_ROWS);
  s->o.width = 4;
  s->o.reduce_tiny_rows.len = (uint32_t)t->len;
  s->geom.workgroups = ceil_div(t->rows, 4 * CG_WORKGROUP);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* The accumulators of the thread's quads, element by element. */
static void tiny_load(cg *g, uint32_t first, cg_acc *v) {
  uint32_t raw[MOST][KIR_MAX_IN], n = g->o->reduce_tiny_rows.len;
  cg_pos p[MOST];
  g->lanes = 4;
  for (uint32_t q = 0; q < n; q++) {
    uint32_t i = first;
    if (q) i = cg_x(g, SpvOpIAdd, first, cg_ixc(g, 4 * q));
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

static cg_acc tiny_fold(cg *g, cg_acc *v) {
  for (uint32_t n = g->o->reduce_tiny_rows.len; n > 1; n = (n + 1) / 2)
    for (uint32_t i = 0; i < n; i += 2) {
      v[i / 2] = v[i];
      if (i + 1 < n) v[i / 2] = cg_combine(g, v[i], v[i + 1], 0);
    }
  return v[0];
}

void reduce_tiny_rows_emit(cg *g) {
  cg_acc v[4 * MOST], r[4];
  cg_flat(g);
  uint32_t thread = cg_ui(g, SpvOpShiftLeftLogical, g->wid, 8);
  thread = cg_u(g, SpvOpIAdd, thread, g->thread);
  cg_pos p = {.i = cg_x(g, SpvOpIMul, cg_to_ix(g, thread), cg_ixc(g, 4)), .tail = true};
  tiny_load(g, cg_x(g, SpvOpIMul, p.i, cg_ixc(g, g->o->reduce_tiny_rows.len)), v);
  g->lanes = 1;
  for (uint32_t j = 0; j < 4; j++)
    r[j] = tiny_fold(g, v + j * g->o->reduce_tiny_rows.len);
  g->lanes = 4;
  cg_acc all = cg_acc_join(g, r);
  g->len = cg_slot_ix(g, CG_SLOT_ROWS); /* from here on positions are those of results */
  g->last = cg_x(g, SpvOpISub, g->len, cg_ixc(g, 1));
  uint32_t ok = g->o->final ? cg_ok(g, &p) : 0;
  cg_finish(g, cg_result(g), &p, all, ok);
}
