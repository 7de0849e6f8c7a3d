/* SPDX-License-Identifier: MIT */
/* reduce_ordered.c - the reduce template for joins, in which elements keep their order, and
 * the totals of the tiles of a join's scan.
 *
 * A workgroup has a tile of a line, or several short lines. Both are groups of 128
 * elements; 32 threads with a quad each make a group's total, eight groups at a time:
 *
 *   128 elements     quads left to right, threads by neighbours  ─▶  a total   in
 *   groups           left to right within their strip            ─▶  a total   workgroup
 *   strips           left to right within the line's tile        ─▶  result    memory
 *
 * which is steps 1 to 5 of the scan tree of tables/fold.h. Threads of the first step pass
 * on what they have by shuffles as far as a subgroup reaches, and through workgroup memory
 * beyond; in the second a thread has a strip, in the third a line.
 *
 * What is missing is left out: a join need not have an identity. It is always on the
 * right, so a value that exists stays as it is where its right neighbour does not.
 *
 * The tiles' totals of a long line are a line themselves, which another pass folds. */
#include "template.h"

#include "../base/arith.h"

#define SLOT(field) CG_OWN_SLOT(reduce_ordered_geom, field)

enum { MAX_BATCH = 4, TOGETHER = CG_WORKGROUP / 32 }; /* groups at a time */

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool reduce_ordered_serves(const cg_task *t) {
  return !cg_fold_commutes(t->k) && t->kind == CG_TASK_FOLD;
}

static int64_t strip_groups(const kir *k) { return KIR_SCAN_GROUPS(cg_acc_bytes(k)); }

void reduce_ordered_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_ORDERED);
  reduce_ordered_geom *z = &s->geom.reduce_ordered;
  int64_t groups = ceil_div(t->len, KIR_SCAN_GROUP);
  int64_t most = KIR_SCAN_STRIPS * strip_groups(t->k);
  s->o.width = cg_row_width(t);
  p->tiles = s->geom.tiles = ceil_div(groups, most);
  z->groups = min_i64(groups, most);
  z->lines = most / z->groups;
  s->geom.workgroups = ceil_div(t->rows, z->lines) * s->geom.tiles;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct ordered {
  uint32_t lines, groups; /* u32: of the workgroup; of each line's tile */
  uint32_t row, rows;     /* ix: the first line, how many there are */
  uint32_t tile;          /* u32 */
  uint32_t start;         /* ix: the tile's first element in its line */
  uint32_t here;          /* u32: groups of the tile that there are */
  uint32_t strip;         /* groups of a strip */
  uint32_t parts;         /* of a group, each what a subgroup makes */
  cg_var group, total;    /* workgroup memory: parts of groups, strips */
} ordered;

static uint32_t ordered_both(cg *g, uint32_t a, uint32_t b) {
  return cg_is(g, SpvOpLogicalAnd, a, b);
}

/* a ∘ b where b is there, else a. It may escape where `used` holds (0: everywhere). */
static cg_acc join_if(cg *g, uint32_t there, cg_acc a, cg_acc b, uint32_t used) {
  if (used) used = ordered_both(g, there, used);
  else used = there;
  return cg_acc_sel(g, there, cg_combine(g, a, b, used), a);
}

static ordered find_place(cg *g) {
  uint32_t wg = g->wid, tiles = cg_slot_u32(g, CG_SLOT_TILES);
  ordered z = {.strip = (uint32_t)strip_groups(g->k), .parts = 32 / cg_subgroup(g)};
  uint32_t most = KIR_SCAN_STRIPS * z.strip;
  z.lines = cg_slot_u32(g, SLOT(lines));
  z.groups = cg_slot_u32(g, SLOT(groups));
  z.rows = cg_slot_ix(g, CG_SLOT_ROWS);
  z.tile = cg_split(g, &wg, tiles);
  z.row = cg_x(g, SpvOpIMul, cg_to_ix(g, wg), cg_to_ix(g, z.lines));
  uint32_t size = cg_ixc(g, (uint64_t)most * KIR_SCAN_GROUP);
  z.start = cg_x(g, SpvOpIMul, cg_to_ix(g, z.tile), size);
  uint32_t left = cg_x(g, SpvOpISub, g->len, z.start);
  left = cg_to_u32(g, cg_least(g, g->ix, left, size));
  left = cg_ui(g, SpvOpIAdd, left, KIR_SCAN_GROUP - 1);
  z.here = cg_ui(g, SpvOpUDiv, left, KIR_SCAN_GROUP);
  z.group = cg_shared_acc(g, most * z.parts);
  z.total = cg_shared_acc(g, most);
  return z;
}

/* ── groups ─────────────────────────────────────────────────────────────────────────── */

/* A thread's quad of group number `at` (u32) of the workgroup's lines. */
typedef struct quad {
  uint32_t at;
  uint32_t there; /* bool: there is such a group */
  cg_pos p;
} quad;

/* Is there a line number `line` (u32), and in its tile a group number `group`? *row: ix. */
static uint32_t exists(cg *g, const ordered *z, uint32_t line, uint32_t group,
                       uint32_t *row) {
  *row = cg_x(g, SpvOpIAdd, z->row, cg_to_ix(g, line));
  uint32_t there = cg_less(g, line, z->lines);
  there = ordered_both(g, there, cg_less(g, *row, z->rows));
  return ordered_both(g, there, cg_less(g, group, z->here));
}

static quad find_quad(cg *g, const ordered *z, uint32_t at) {
  quad q = {.at = at};
  uint32_t line = at, group = cg_split(g, &line, z->groups), row;
  q.there = exists(g, z, line, group, &row);
  uint32_t last = cg_x(g, SpvOpISub, z->rows, cg_ixc(g, 1));
  row = cg_least(g, g->ix, row, last);
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  uint32_t i = cg_ui(g, SpvOpIMul, group, KIR_SCAN_GROUP);
  i = cg_u(g, SpvOpIAdd, i, cg_ui(g, SpvOpIMul, lane, 4));
  i = cg_x(g, SpvOpIAdd, z->start, cg_to_ix(g, i));
  q.p = (cg_pos){.i = cg_pick(g, g->ix, q.there, i, g->len), .tail = true};
  q.p.row_at = cg_x(g, SpvOpIMul, row, g->len);
  return q;
}

static cg_acc fold_quad(cg *g, quad *q, const uint32_t *raw) {
  cg_acc x[4];
  uint32_t there[4];
  g->lanes = 4;
  cg_acc all = cg_source(g, &q->p, raw);
  uint32_t ok = cg_ok(g, &q->p);
  for (uint32_t j = 0; j < 4; j++) {
    x[j] = cg_acc_part(g, all, j);
    there[j] = cg_part(g, KB, ok, j);
  }
  g->lanes = 1;
  for (uint32_t j = 1; j < 4; j++) x[0] = join_if(g, there[j], x[0], x[j], 0);
  return x[0];
}

/* By neighbours, as far as a subgroup reaches. Only a thread whose own quad is the first
 * of those joined has them in order. */
static cg_acc fold_threads(cg *g, const quad *q, cg_acc v) {
  for (uint32_t m = 1; m < cg_subgroup(g); m *= 2) {
    uint32_t place = cg_ui(g, SpvOpBitwiseAnd, g->thread, 2 * m - 1);
    uint32_t left = cg_is_zero(g, place), right = cg_beyond(g, q->p.i, 4 * m);
    uint32_t there = cg_less(g, right, g->len);
    cg_acc other = cg_shuffle(g, v, spv_u32(g->b, m), true);
    v = join_if(g, there, v, other, left);
  }
  return v;
}

static void store_part(cg *g, const ordered *z, const quad *q, cg_acc v) {
  uint32_t S = cg_subgroup(g), lane = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  uint32_t first = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, lane, S - 1));
  uint32_t merge = spv_if(g->b, ordered_both(g, first, q->there));
  uint32_t at = cg_ui(g, SpvOpIMul, q->at, z->parts);
  at = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpUDiv, lane, S));
  cg_shared_put(g, z->group, at, v);
  spv_endif(g->b, merge);
}

/* Some groups a thread, their loads issued together. */
static void fold_batch(cg *g, const ordered *z, uint32_t it, uint32_t batch) {
  uint32_t raw[MAX_BATCH][KIR_MAX_IN], at = cg_ui(g, SpvOpIMul, it, batch * TOGETHER);
  quad q[MAX_BATCH];
  at = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpUDiv, g->thread, 32));
  for (uint32_t m = 0; m < batch; m++) {
    q[m] = find_quad(g, z, cg_next(g, at, m * TOGETHER));
    g->lanes = 4;
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &q[m].p, raw[m]);
    g->lanes = 1;
  }
  for (uint32_t m = 0; m < batch; m++) {
    cg_acc v = fold_quad(g, &q[m], raw[m]);
    store_part(g, z, &q[m], fold_threads(g, &q[m], v));
  }
}

static void fold_groups(cg *g, const ordered *z) {
  uint32_t batch = MAX_BATCH, n = g->k->fold_at + g->k->join->n_ins;
  if (n > CG_LONG_PRODUCER) batch = 2;
  if (n > CG_VERY_LONG_PRODUCER) batch = 1;
  uint32_t all = cg_u(g, SpvOpIMul, z->lines, z->groups), step = batch * TOGETHER;
  all = cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, all, step - 1), step);
  spv_loop l = spv_for(g->b, all);
  fold_batch(g, z, l.i, batch);
  spv_endfor(g->b, &l);
  cg_barrier(g);
}

/* ── strips and lines ───────────────────────────────────────────────────────────────── */

/* The total of group `at` (u32) of all, which is number `group` of its tile. */
static cg_acc group_total(cg *g, const ordered *z, uint32_t at, uint32_t group) {
  uint32_t S = cg_subgroup(g), skip = cg_ui(g, SpvOpIMul, group, KIR_SCAN_GROUP);
  uint32_t first = cg_x(g, SpvOpIAdd, z->start, cg_to_ix(g, skip));
  cg_acc v[8];
  at = cg_ui(g, SpvOpIMul, at, z->parts);
  for (uint32_t q = 0; q < z->parts; q++)
    v[q] = cg_shared_get(g, z->group, cg_next(g, at, q));
  for (uint32_t n = 1; n < z->parts; n *= 2)
    for (uint32_t q = 0; q < z->parts; q += 2 * n) {
      uint32_t right = cg_beyond(g, first, 4 * S * (q + n));
      v[q] = join_if(g, cg_less(g, right, g->len), v[q], v[q + n], 0);
    }
  return v[0];
}

/* ⌈n ÷ a strip's groups⌉ */
static uint32_t strips_of(cg *g, const ordered *z, uint32_t n) {
  return cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, n, z->strip - 1), z->strip);
}

/* A thread has a strip: the groups of it that there are. */
static void fold_strips(cg *g, const ordered *z, uint32_t strips) {
  uint32_t line = g->thread, k = cg_split(g, &line, strips), row;
  uint32_t group = cg_ui(g, SpvOpIMul, k, z->strip);
  uint32_t merge = spv_if(g->b, exists(g, z, line, group, &row));
  uint32_t rest = cg_u(g, SpvOpISub, z->here, group);
  uint32_t more = cg_least(g, g->u32, rest, spv_u32(g->b, z->strip));
  more = cg_ui(g, SpvOpISub, more, 1);
  uint32_t at = cg_u(g, SpvOpIMul, line, z->groups);
  at = cg_u(g, SpvOpIAdd, at, group);
  cg_var run = cg_var_acc(g, group_total(g, z, at, group));
  spv_loop l = spv_for(g->b, more);
  uint32_t next = cg_ui(g, SpvOpIAdd, l.i, 1);
  at = cg_u(g, SpvOpIAdd, at, next);
  cg_acc v = group_total(g, z, at, cg_u(g, SpvOpIAdd, group, next));
  cg_var_set(g, run, cg_combine(g, cg_var_get(g, run), v, 0));
  spv_endfor(g->b, &l);
  cg_shared_put(g, z->total, g->thread, cg_var_get(g, run));
  spv_endif(g->b, merge);
  cg_barrier(g);
}

/* A thread has a line's tile: the strips of it that there are. */
static void fold_lines(cg *g, const ordered *z, uint32_t strips) {
  uint32_t row = cg_x(g, SpvOpIAdd, z->row, cg_to_ix(g, g->thread));
  uint32_t mine = cg_less(g, g->thread, z->lines);
  uint32_t merge = spv_if(g->b, ordered_both(g, mine, cg_less(g, row, z->rows)));
  uint32_t at = cg_u(g, SpvOpIMul, g->thread, strips);
  cg_var run = cg_var_acc(g, cg_shared_get(g, z->total, at));
  uint32_t here = strips_of(g, z, z->here), one = spv_u32(g->b, 1);
  here = cg_u(g, SpvOpISub, cg_pick(g, g->u32, cg_is_zero(g, here), one, here), one);
  spv_loop l = spv_for(g->b, here);
  uint32_t next = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpIAdd, l.i, 1));
  cg_acc v = cg_shared_get(g, z->total, next);
  cg_var_set(g, run, cg_combine(g, cg_var_get(g, run), v, 0));
  spv_endfor(g->b, &l);
  cg_pos p = {.i = row};
  if (!g->o->final) p.i = cg_partial_index(g, row, z->tile);
  cg_finish(g, cg_result(g), &p, cg_var_get(g, run), 0);
  spv_endif(g->b, merge);
}

void reduce_ordered_emit(cg *g) {
  ordered z = find_place(g);
  uint32_t strips = strips_of(g, &z, z.groups);
  fold_groups(g, &z);
  fold_strips(g, &z, strips);
  fold_lines(g, &z, strips);
}
