/* SPDX-License-Identifier: MIT */
/* stage.c - the reduce template for lines that are too short, or too few side by side, to have
 * threads of their own: a panel of neighbouring elements goes through workgroup memory.
 *
 *     elements of the panel, as they stand in memory: quads to threads, coalesced
 *       │ producer; with `lanes` each slot folds the rows of its tile, 1024×inner apart
 *     slots in workgroup memory, one for each (row, lane, column); with `quads`, of rows, each
 *       │ is four lanes: every row is cut into quads of its own, wherever it begins
 *       │ phase: the values of 8 neighbouring lanes, `inner` apart, become one
 *     slots, an eighth of them … until a line has one: the consumer, or `to`
 *
 * A phase is three levels of the fold tree. Lanes that a line lacks are identities on the
 * right, which change nothing, so they are not there. Phases write where they do not read:
 * the slots lie from 0 on, an eighth of them (at most a quarter) from `half` on, turn about.
 * An index has a hole behind every 32 slots, or lines of 8 would all begin in one bank. */
#include "template.h"

#include <assert.h>

enum { STAGE_QUADS = 8, STAGE_ROWS = 2 };

typedef struct stage {
  uint32_t base;        /* ix: the panel's first element */
  uint32_t count, left; /* u32: its slots; its elements, all rows of the tile counted */
  uint32_t deep; /* u32: rows of KIR_LANES in the tile, from this panel's lanes on */
  uint32_t rows, lanes; /* u32: lines of a column, and their length */
  uint32_t inner;       /* u32 */
  uint32_t len;         /* u32: of a row, with quads */
  uint32_t start[STAGE_QUADS], place[STAGE_QUADS],
      end[STAGE_QUADS]; /* with quads: ix, the
                           first element of the row; u32: the place in it; its length, or 0 */
  uint32_t out;         /* ix: the first result's number */
  cg_cell room;
} stage;

/* ⌈a ÷ 2^log */
static uint32_t up(cg *g, uint32_t a, uint32_t log) {
  a = cg_ui(g, SpvOpIAdd, a, (1u << log) - 1);
  return cg_ui(g, SpvOpShiftRightLogical, a, log);
}

/* ── the panel ──────────────────────────────────────────────────────────────────────── */

static void stage_rows(cg *g, stage *z) {
  uint32_t each = cg_slot_ix(g, CG_SLOT_EACH), rows = cg_slot_ix(g, CG_SLOT_ROWS);
  uint32_t len = cg_slot_ix(g, CG_SLOT_LEN), inner = cg_slot_ix(g, CG_SLOT_INNER);
  uint32_t row = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), each),
           line = cg_x(g, SpvOpIMul, len, inner);
  uint32_t rest = cg_x(g, SpvOpISub, rows, row);
  rest = cg_least(g, g->ix, rest, each);
  z->base = cg_x(g, SpvOpIMul, row, line);
  z->rows = cg_to_u32(g, rest);
  z->len = z->lanes = cg_to_u32(g, len);
  if (g->o->quads) z->lanes = cg_slot_u32(g, CG_SLOT_PART);
  z->deep = up(g, z->len, cg_log2(KIR_LANES));
  z->count = z->left = cg_to_u32(g, cg_x(g, SpvOpIMul, rest, line));
  z->out = cg_x(g, SpvOpIMul, row, inner);
}

static void stage_lanes(cg *g, stage *z) {
  uint32_t parts = cg_slot_u32(g, CG_SLOT_PARTS), tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t len = cg_slot_ix(g, CG_SLOT_LEN), inner = cg_slot_ix(g, CG_SLOT_INNER);
  uint32_t size = cg_ixc(g, KIR_REDUCE_ROWS * KIR_LANES);
  uint32_t q = cg_u(g, SpvOpUDiv, g->wid, parts);
  uint32_t part = cg_u(g, SpvOpISub, g->wid, cg_u(g, SpvOpIMul, q, parts));
  uint32_t row = cg_u(g, SpvOpUDiv, q, tiles);
  uint32_t tile = cg_u(g, SpvOpISub, q, cg_u(g, SpvOpIMul, row, tiles));
  z->rows = spv_u32(g->b, 1);
  z->lanes = cg_slot_u32(g, CG_SLOT_PART);
  uint32_t lane = cg_u(g, SpvOpIMul, part, z->lanes);
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, tile), size);
  uint32_t rest = cg_x(g, SpvOpISub, len, first);
  rest = cg_to_u32(g, cg_least(g, g->ix, rest, size));
  uint32_t some = cg_less(g, lane, rest), none = spv_u32(g->b, 0);
  rest = spv_op(g->b, g->u32, SpvOpSelect, some, cg_u(g, SpvOpISub, rest, lane), none);
  z->deep = up(g, rest, cg_log2(KIR_LANES));
  z->count = cg_u(g, SpvOpIMul, z->lanes, z->inner);
  z->left = cg_u(g, SpvOpIMul, rest, z->inner);
  uint32_t at = cg_x(g, SpvOpIMul, cg_to_ix(g, row), len);
  at = cg_x(g, SpvOpIAdd, at, cg_x(g, SpvOpIAdd, first, cg_to_ix(g, lane)));
  z->base = cg_x(g, SpvOpIMul, at, inner);
  z->out = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), inner);
}

/* ── into workgroup memory ──────────────────────────────────────────────────────────── */

/* Slot e and the three behind it, of those below `most`; `by` elements on in memory. */
static cg_pos stage_pos(cg *g, const stage *z, uint32_t e, uint32_t by, uint32_t most) {
  static const uint64_t steps[4] = {0, 1, 2, 3};
  uint32_t at = cg_x(g, SpvOpIAdd, z->base,
                     by ? cg_x(g, SpvOpIAdd, by, cg_to_ix(g, e)) : cg_to_ix(g, e));
  cg_pos p = {.i = spv_op(g->b, g->ix, SpvOpSelect, cg_less(g, e, most), at, z->base),
              .tail = g->o->width == 1};
  uint32_t v4 = spv_vec(g->b, g->u32, 4), all = cg_splat(g, KI32, most);
  uint32_t lane = spv_op(g->b, v4, SpvOpIAdd, cg_splat(g, KI32, e),
                         spv_const4(g->b, g->u32, 32, steps));
  p.ok = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, lane, all);
  return p;
}

/* Which row the quad number q of the panel is in, and where: q ÷ lanes by a multiplication. */
static void stage_quad(cg *g, stage *z, uint32_t m) {
  uint32_t q = cg_ui(g, SpvOpIAdd, g->thread, 256 * m),
           by = cg_slot_u32(g, CG_SLOT_PARTS);
  uint32_t row =
      cg_ui(g, SpvOpShiftRightLogical, cg_u(g, SpvOpIMul, q, by), CG_QUAD_SHIFT);
  uint32_t in = cg_u(g, SpvOpISub, q, cg_u(g, SpvOpIMul, row, z->lanes));
  uint32_t first = cg_u(g, SpvOpIMul, row, z->len), is = cg_less(g, row, z->rows);
  z->start[m] = cg_x(g, SpvOpIAdd, z->base, cg_to_ix(g, first));
  z->place[m] = cg_ui(g, SpvOpShiftLeftLogical, in, 2);
  z->end[m] = spv_op(g->b, g->u32, SpvOpSelect, is, z->len, spv_u32(g->b, 0));
}

static cg_pos stage_quad_pos(cg *g, const stage *z, uint32_t m, uint32_t k) {
  uint32_t down = k ? cg_ui(g, SpvOpIMul, k, KIR_LANES) : 0;
  uint32_t in = down ? cg_u(g, SpvOpIAdd, z->place[m], down) : z->place[m];
  stage row = *z;
  row.base = z->start[m];
  return stage_pos(g, &row, in, 0, z->end[m]);
}

/* Where the thread's quads of row k of the tile (0: the only one) are. */
static void stage_row(cg *g, const stage *z, const uint32_t *e, uint32_t k, cg_pos *p) {
  uint32_t by = 0, most = z->count;
  if (k && !g->o->quads) {
    uint32_t row = cg_ui(g, SpvOpIMul, z->inner, KIR_LANES);
    by = cg_u(g, SpvOpIMul, k, row);
    uint32_t is = cg_less(g, by, z->left), left = cg_u(g, SpvOpISub, z->left, by);
    most = spv_op(g->b, g->u32, SpvOpSelect, is, cg_least(g, g->u32, most, left),
                  spv_u32(g->b, 0));
    by = cg_to_ix(g, by);
  }
  for (uint32_t m = 0; m < g->o->items; m++)
    p[m] = g->o->quads ? stage_quad_pos(g, z, m, k) : stage_pos(g, z, e[m], by, most);
}

/* Folds the thread's quads of some rows of the tile into acc, all loads first. */
static void stage_load(cg *g, const stage *z, cg_cell *acc, const uint32_t *e,
                       const uint32_t *k, uint32_t rows) {
  uint32_t raw[STAGE_ROWS * STAGE_QUADS][KIR_MAX_IN], n = g->o->items;
  cg_pos p[STAGE_ROWS * STAGE_QUADS];
  for (uint32_t r = 0; r < rows; r++) {
    stage_row(g, z, e, k[r], p + r * n);
    for (uint32_t m = r * n; m < (r + 1) * n && !g->o->from_partials; m++)
      cg_load_raw(g, 0, g->k->fold_at, &p[m], raw[m]);
  }
  cg_acc none = cg_identity(g);
  for (uint32_t m = 0; m < rows * n; m++) {
    cg_acc x = cg_source(g, &p[m], raw[m]);
    x = cg_acc_sel(g, p[m].ok, x, none);
    cg_cell_set(g, acc[m % n], cg_combine(g, cg_cell_get(g, acc[m % n]), x, 0));
  }
}

static uint32_t stage_index(cg *g, uint32_t slot) {
  uint32_t holes = cg_ui(g, SpvOpShiftRightLogical, slot, 5);
  return cg_u(g, SpvOpIAdd, slot, holes);
}

static void stage_keep(cg *g, stage *z, const cg_cell *acc, const uint32_t *e) {
  for (uint32_t m = 0; m < g->o->items; m++) {
    cg_acc v[4], a;
    g->lanes = 4;
    a = cg_cell_get(g, acc[m]);
    for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, a, j);
    g->lanes = 1;
    uint32_t slot = e[m];
    if (g->o->quads) {
      v[0] = cg_combine(g, v[0], v[1], 0);
      v[2] = cg_combine(g, v[2], v[3], 0);
      v[0] = cg_combine(g, v[0], v[2], 0);
      slot = cg_ui(g, SpvOpShiftRightLogical, slot, 2);
    }
    uint32_t at = stage_index(g, slot);
    for (uint32_t j = 0; j < (g->o->quads ? 1 : 4); j++)
      cg_shared_put(g, z->room, j ? cg_ui(g, SpvOpIAdd, at, j) : at, v[j]);
  }
  cg_barrier(g);
}

static void stage_fill(cg *g, stage *z) {
  uint32_t e[STAGE_QUADS], k[STAGE_ROWS] = {0};
  cg_cell acc[STAGE_QUADS];
  assert(g->o->items <= STAGE_QUADS);
  for (uint32_t m = 0; m < g->o->items; m++) {
    e[m] = cg_ui(g, SpvOpIAdd, g->thread, 256 * m);
    e[m] = cg_ui(g, SpvOpShiftLeftLogical, e[m], 2);
    if (g->o->quads) stage_quad(g, z, m);
  }
  g->lanes = 4;
  for (uint32_t m = 0; m < g->o->items; m++) acc[m] = cg_local_acc(g, cg_identity(g));
  if (g->o->lanes &&
      g->o->quads) { /* all of the thread's quads are in one place of their rows */
    spv_loop l = spv_for(g->b, z->deep);
    uint32_t at = cg_u(g, SpvOpIAdd, z->place[0], cg_ui(g, SpvOpIMul, l.i, KIR_LANES));
    uint32_t merge = spv_if(g->b, cg_less(g, at, z->len));
    stage_load(g, z, acc, e, &l.i, 1);
    spv_endif(g->b, merge);
    spv_endfor(g->b, &l);
  } else if (g->o->lanes) {
    spv_loop l = spv_for(g->b, up(g, z->deep, 1));
    k[0] = cg_ui(g, SpvOpShiftLeftLogical, l.i, 1);
    k[1] = cg_ui(g, SpvOpBitwiseOr, k[0], 1);
    stage_load(g, z, acc, e, k, STAGE_ROWS);
    spv_endfor(g->b, &l);
  } else {
    stage_load(g, z, acc, e, k, 1);
  }
  stage_keep(g, z, acc, e);
}

/* ── phases ─────────────────────────────────────────────────────────────────────────── */

/* Lane s of a group, identity from `n` on. */
static cg_acc stage_get(cg *g, const stage *z, uint32_t at, uint32_t s, uint32_t n) {
  if (!s) return cg_shared_get(g, z->room, stage_index(g, at));
  uint32_t is = cg_less(g, spv_u32(g->b, s), n), by = cg_ui(g, SpvOpIMul, z->inner, s);
  by = spv_op(g->b, g->u32, SpvOpSelect, is, by, spv_u32(g->b, 0));
  cg_acc v = cg_shared_get(g, z->room, stage_index(g, cg_u(g, SpvOpIAdd, at, by)));
  return cg_acc_sel(g, is, v, cg_identity(g));
}

static cg_acc stage_pair(cg *g, const stage *z, uint32_t at, uint32_t s, uint32_t n) {
  cg_acc a = stage_get(g, z, at, s, n), b = stage_get(g, z, at, s + 1, n);
  return cg_combine(g, a, b, 0);
}

/* Up to 8 lanes from slot `at` on, n of them there; no line has more than `lanes`. */
static cg_acc stage_eight(cg *g, const stage *z, uint32_t at, uint32_t n,
                          uint32_t lanes) {
  cg_cell v = cg_var_acc(g, stage_pair(g, z, at, 0, n));
  uint32_t some = spv_if(g->b, cg_less(g, spv_u32(g->b, 2), lanes));
  cg_acc a = stage_pair(g, z, at, 2, n);
  cg_cell_set(g, v, cg_combine(g, cg_cell_get(g, v), a, 0));
  uint32_t many = spv_if(g->b, cg_less(g, spv_u32(g->b, 4), lanes));
  a = stage_pair(g, z, at, 4, n);
  cg_acc b = stage_pair(g, z, at, 6, n);
  a = cg_combine(g, a, b, 0);
  cg_cell_set(g, v, cg_combine(g, cg_cell_get(g, v), a, 0));
  spv_endif(g->b, many);
  spv_endif(g->b, some);
  return cg_cell_get(g, v);
}

/* For each of n tasks, this thread's among them: opens a loop and a branch. */
typedef struct stage_each {
  spv_loop l;
  uint32_t merge, t;
} stage_each;

static stage_each stage_tasks(cg *g, uint32_t n) {
  stage_each e = {.l = spv_for(g->b, up(g, n, 8))};
  uint32_t first = cg_ui(g, SpvOpShiftLeftLogical, e.l.i, 8);
  e.t = cg_u(g, SpvOpIAdd, first, g->thread);
  e.merge = spv_if(g->b, cg_less(g, e.t, n));
  return e;
}
static void stage_tasked(cg *g, const stage_each *e) {
  spv_endif(g->b, e->merge);
  spv_endfor(g->b, &e->l);
}

/* t = quotient × by + rest; *t becomes the quotient. */
static uint32_t stage_rest(cg *g, uint32_t *t, uint32_t by) {
  uint32_t q = cg_u(g, SpvOpUDiv, *t, by),
           r = cg_u(g, SpvOpISub, *t, cg_u(g, SpvOpIMul, q, by));
  *t = q;
  return r;
}

/* A phase whose results stay: `lanes` of them become `next`, from slot `to` on. */
static void stage_phase(cg *g, const stage *z, uint32_t lanes, uint32_t next,
                        uint32_t from, uint32_t to) {
  uint32_t n = cg_u(g, SpvOpIMul, cg_u(g, SpvOpIMul, z->rows, next), z->inner),
           zero = spv_u32(g->b, 0);
  stage_each e = stage_tasks(g, n);
  uint32_t t = e.t, j = g->o->columns ? stage_rest(g, &t, z->inner) : zero;
  uint32_t group = stage_rest(g, &t, next),
           first = cg_ui(g, SpvOpShiftLeftLogical, group, 3);
  uint32_t at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, t, lanes), first);
  if (g->o->columns) at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, at, z->inner), j);
  at = cg_u(g, SpvOpIAdd, at, from);
  cg_acc v = stage_eight(g, z, at, cg_u(g, SpvOpISub, lanes, first), lanes);
  cg_shared_put(g, z->room, stage_index(g, cg_u(g, SpvOpIAdd, to, e.t)), v);
  stage_tasked(g, &e);
  cg_barrier(g);
}

/* The phases before the last; *lanes, *from: what they leave, and where. */
static void stage_phases(cg *g, const stage *z, uint32_t half, uint32_t *lanes,
                         uint32_t *from) {
  uint32_t n = spv_local(g->b, g->u32, 0), at = spv_local(g->b, g->u32, 0);
  spv_do(g->b, SpvOpStore, n, z->lanes);
  spv_do(g->b, SpvOpStore, at, spv_u32(g->b, 0));
  spv_loop l = spv_for(g->b, cg_slot_u32(g, CG_SLOT_STEPS));
  *lanes = spv_op(g->b, g->u32, SpvOpLoad, n);
  *from = spv_op(g->b, g->u32, SpvOpLoad, at);
  uint32_t next = up(g, *lanes, 3), to = cg_u(g, SpvOpISub, spv_u32(g->b, half), *from);
  stage_phase(g, z, *lanes, next, *from, to);
  spv_do(g->b, SpvOpStore, n, next);
  spv_do(g->b, SpvOpStore, at, to);
  spv_endfor(g->b, &l);
  *lanes = spv_op(g->b, g->u32, SpvOpLoad, n);
  *from = spv_op(g->b, g->u32, SpvOpLoad, at);
}

/* The last phase: a result a line. */
static void stage_finish(cg *g, const stage *z, uint32_t lanes, uint32_t from) {
  const kir *k = g->k;
  uint32_t to = g->o->final ? 0 : cg_slot(g, CG_SLOT_TO);
  stage_each e = stage_tasks(g, cg_u(g, SpvOpIMul, z->rows, z->inner));
  uint32_t t = e.t, j = g->o->columns ? stage_rest(g, &t, z->inner) : 0;
  uint32_t at = cg_u(g, SpvOpIMul, t, lanes);
  if (j) at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, at, z->inner), j);
  cg_acc v = stage_eight(g, z, cg_u(g, SpvOpIAdd, at, from), lanes, lanes);
  cg_pos p = {.i = cg_x(g, SpvOpIAdd, z->out, cg_to_ix(g, e.t))};
  if (g->o->final) {
    g->val[k->fold_at] = cg_fold_result(g, v, 0);
    cg_range(g, k->fold_at + 1, k->n_ins, &p, NULL);
    cg_put_outputs(g, &p);
  } else {
    cg_put_acc_at(g, to, p.i, v);
  }
  stage_tasked(g, &e);
}

void cg_stage(cg *g) {
  uint32_t half = 256 * g->o->items * (g->o->quads ? 1 : 4), slots = half + half / 4,
           lanes, from;
  stage z = {.inner = g->o->columns ? cg_slot_u32(g, CG_SLOT_INNER) : spv_u32(g->b, 1)};
  cg_flat(g);
  if (g->o->lanes && !g->o->quads) stage_lanes(g, &z);
  else stage_rows(g, &z);
  z.room = cg_shared_acc(g, slots + slots / 32 + 1);
  stage_fill(g, &z);
  stage_phases(g, &z, half, &lanes, &from);
  stage_finish(g, &z, lanes, from);
}
