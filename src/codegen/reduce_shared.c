/* SPDX-License-Identifier: MIT */
/* reduce_shared.c - the reduce template for lines that are too short, or too few side by
 * side, to have threads of their own: a shared-memory tile, a stretch of neighbouring
 * elements, goes through workgroup memory.
 *
 *     elements of the shared-memory tile, as they stand in memory: quads to threads, coalesced
 *       │ producer; SHARED_LANES: each entry folds the rows of its tile, 1024×inner apart
 *     entries in workgroup memory, one for each (row, lane, column); SHARED_QUADS: each is four
 *       │ lanes, for every row is cut into quads of its own, wherever it begins
 *       │ phase: the values of 8 neighbouring lanes, `inner` apart, become one
 *     entries, an eighth of them … until a line has one: the consumer, or `to`
 *
 * A phase is three levels of the fold tree. Lanes that a line lacks are identities on the
 * right, which change nothing, so they are not there. Phases write where they do not
 * read: the entries lie from 0 on, an eighth of them (at most a quarter) from `half` on,
 * alternately. Every 32 entries are followed by an unused one, or lines of 8 would all
 * begin in one bank. */
#include "template.h"

#include "../base/arith.h"

#include <assert.h>

#define SLOT(field) CG_OWN_SLOT(reduce_shared_geom, field)

static const reduce_shared_opts *opts(const cg *g) { return &g->o->reduce_shared; }

enum { MOST_QUADS = 8, LOAD_ROWS = 2, FEW_COLUMNS = 4 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

/* Quads of a thread that its part of workgroup memory can take: 16 kB in all. */
static uint32_t most_quads(const cg_task *t) {
  return cg_repeat(t, 16 / (uint32_t)cg_acc_bytes(t->k));
}

/* Elements in the shared-memory tile. */
static int64_t most_elements(const cg_task *t) { return 1024 * (int64_t)most_quads(t); }

/* Too few columns for a thread on each. */
static bool few_columns(const cg_task *t) {
  return t->inner < FEW_COLUMNS || t->rows * t->inner < CG_ENOUGH_GROUPS / 2;
}

static bool lines_fit(const cg_task *t) {
  if (t->len > KIR_LANES || t->len * t->inner > most_elements(t)) return false;
  return few_columns(t) || t->small;
}

/* A part of fewer than 8 lanes would not be worth it. */
static bool lanes_fit(const cg_task *t) {
  if (t->inner * 8 > most_elements(t)) return false;
  return few_columns(t) || t->len > 4 * KIR_LANES;
}

bool reduce_shared_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD) return false;
  return t->inner == 1 || lines_fit(t) || lanes_fit(t);
}

static int64_t phases_before_last(int64_t n) {
  int64_t count = 0;
  for (; n > 8; n = ceil_div(n, 8)) count++;
  return count;
}

static void lines_pass(const cg_task *t, cg_pass *s) {
  reduce_shared_opts *o = &s->o.reduce_shared;
  reduce_shared_geom *z = &s->geom.reduce_shared;
  int64_t row = t->len * t->inner;
  o->layout = SHARED_LINES;
  o->quads = most_quads(t);
  z->rows = most_elements(t) / row;
  if (z->rows >= 4 && row % 4) z->rows -= z->rows % 4;
  bool aligned = z->rows * row % 4 == 0 || z->rows >= t->rows;
  s->o.width = aligned && !t->small ? 4 : 1;
  z->phases = phases_before_last(t->len);
  s->geom.workgroups = ceil_div(t->rows, z->rows);
}

static void quads_pass(const cg_task *t, cg_pass *s) {
  reduce_shared_opts *o = &s->o.reduce_shared;
  reduce_shared_geom *z = &s->geom.reduce_shared;
  o->layout = SHARED_QUADS;
  o->quads = most_quads(t);
  if (!o->quads)
    o->quads = 1; /* long tuples: an entry a quad, a quarter of an element's */
  o->deep = t->len > KIR_LANES;
  s->o.width = t->len % 4 || t->small ? 1 : 4;
  z->values = ceil_div(min_i64(t->len, KIR_LANES), 4);
  z->inverse = ceil_div(1 << CG_INVERSE_SHIFT, z->values);
  z->rows = CG_WORKGROUP * o->quads / z->values;
  z->phases = phases_before_last(z->values);
  s->geom.workgroups = ceil_div(t->rows, z->rows);
}

/* As many lanes as fit: a tile of a few columns is cut into some such parts. */
static void lanes_pass(const cg_task *t, cg_pass *s) {
  reduce_shared_opts *o = &s->o.reduce_shared;
  reduce_shared_geom *z = &s->geom.reduce_shared;
  int64_t lanes = min_i64(t->len, KIR_LANES);
  o->layout = SHARED_LANES;
  z->values = next_pow2(lanes);
  while (z->values * t->inner > most_elements(t)) z->values /= 2;
  o->quads = most_quads(t);
  if (!t->small) o->quads = (uint32_t)ceil_div(z->values * t->inner, 1024);
  z->parts = ceil_div(lanes, z->values);
  bool aligned = t->rows == 1 || t->len * t->inner % 4 == 0;
  aligned = aligned && z->values * t->inner % 4 == 0;
  s->o.width = aligned && !t->small ? 4 : 1;
  z->phases = phases_before_last(z->values);
  s->geom.tiles = ceil_div(t->len, KIR_REDUCE_ROWS * KIR_LANES);
  s->geom.workgroups = t->rows * s->geom.tiles * z->parts;
}

void reduce_shared_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_SHARED);
  s->geom.reduce_shared.parts = 1;
  if (t->inner == 1) quads_pass(t, s);
  else if (lines_fit(t)) lines_pass(t, s);
  else lanes_pass(t, s);
  p->tiles = s->geom.tiles;
  p->parts = s->geom.reduce_shared.parts;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

static bool has_layout(const cg *g, shared_layout layout) {
  return opts(g)->layout == layout;
}

typedef struct shared {
  uint32_t base;        /* ix: the shared-memory tile's first element */
  uint32_t count, left; /* u32: its entries; its elements, all rows of the tile counted */
  uint32_t deep;        /* u32: rows of KIR_LANES in the tile, from these lanes on */
  uint32_t rows, lanes; /* u32: lines of a column, and their length */
  uint32_t inner;       /* u32 */
  uint32_t out;         /* ix: the first result's number */
  /* SHARED_QUADS: the length of a row, and of each of the thread's quads */
  uint32_t len;
  uint32_t start[MOST_QUADS]; /* ix: the first element of its row */
  uint32_t place[MOST_QUADS]; /* u32: its first element in the row */
  uint32_t end[MOST_QUADS];   /* u32: where the row ends; 0: there is none */
  cg_var room;
} shared;

/* ⌈a ÷ 2^log */
static uint32_t up(cg *g, uint32_t a, uint32_t log) {
  a = cg_ui(g, SpvOpIAdd, a, (1u << log) - 1);
  return cg_ui(g, SpvOpShiftRightLogical, a, log);
}

/* ── the shared-memory tile ─────────────────────────────────────────────────────────── */

static void place_rows(cg *g, shared *z) {
  uint32_t each = cg_slot_ix(g, SLOT(rows)), rows = cg_slot_ix(g, CG_SLOT_ROWS);
  uint32_t len = cg_slot_ix(g, CG_SLOT_LEN), inner = cg_slot_ix(g, CG_SLOT_INNER);
  uint32_t row = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), each);
  uint32_t line = cg_x(g, SpvOpIMul, len, inner);
  uint32_t rest = cg_x(g, SpvOpISub, rows, row);
  rest = cg_least(g, g->ix, rest, each);
  z->base = cg_x(g, SpvOpIMul, row, line);
  z->rows = cg_to_u32(g, rest);
  z->len = z->lanes = cg_to_u32(g, len);
  if (has_layout(g, SHARED_QUADS)) z->lanes = cg_slot_u32(g, SLOT(values));
  z->deep = up(g, z->len, cg_log2(KIR_LANES));
  z->count = z->left = cg_to_u32(g, cg_x(g, SpvOpIMul, rest, line));
  z->out = cg_x(g, SpvOpIMul, row, inner);
}

static void place_lanes(cg *g, shared *z) {
  uint32_t parts = cg_slot_u32(g, SLOT(parts)), tiles = cg_slot_u32(g, CG_SLOT_TILES);
  uint32_t len = cg_slot_ix(g, CG_SLOT_LEN), inner = cg_slot_ix(g, CG_SLOT_INNER);
  uint32_t size = cg_ixc(g, KIR_REDUCE_ROWS * KIR_LANES);
  uint32_t row = g->wid, part = cg_split(g, &row, parts);
  uint32_t tile = cg_split(g, &row, tiles);
  z->rows = spv_u32(g->b, 1);
  z->lanes = cg_slot_u32(g, SLOT(values));
  uint32_t lane = cg_u(g, SpvOpIMul, part, z->lanes);
  uint32_t first = cg_x(g, SpvOpIMul, cg_to_ix(g, tile), size);
  uint32_t rest = cg_x(g, SpvOpISub, len, first);
  rest = cg_to_u32(g, cg_least(g, g->ix, rest, size));
  uint32_t some = cg_less(g, lane, rest), none = spv_u32(g->b, 0);
  rest = cg_pick(g, g->u32, some, cg_u(g, SpvOpISub, rest, lane), none);
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
static cg_pos quad_at(cg *g, const shared *z, uint32_t e, uint32_t by, uint32_t most) {
  uint32_t at = cg_to_ix(g, e);
  if (by) at = cg_x(g, SpvOpIAdd, by, at);
  at = cg_x(g, SpvOpIAdd, z->base, at);
  cg_pos p = {.tail = g->o->width == 1};
  p.i = cg_pick(g, g->ix, cg_less(g, e, most), at, z->base);
  uint32_t v4 = spv_vec(g->b, g->u32, 4), all = cg_splat(g, KI32, most);
  uint32_t lane = spv_op(g->b, v4, SpvOpIAdd, cg_splat(g, KI32, e), cg_steps(g, g->u32));
  p.ok = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, lane, all);
  return p;
}

/* Which row quad number q is in, and where: q ÷ lanes by a multiplication. */
static void place_quad(cg *g, shared *z, uint32_t m) {
  uint32_t q = cg_ui(g, SpvOpIAdd, g->thread, CG_WORKGROUP * m);
  uint32_t row = cg_u(g, SpvOpIMul, q, cg_slot_u32(g, SLOT(inverse)));
  row = cg_ui(g, SpvOpShiftRightLogical, row, CG_INVERSE_SHIFT);
  uint32_t in = cg_u(g, SpvOpISub, q, cg_u(g, SpvOpIMul, row, z->lanes));
  uint32_t first = cg_u(g, SpvOpIMul, row, z->len), is = cg_less(g, row, z->rows);
  z->start[m] = cg_x(g, SpvOpIAdd, z->base, cg_to_ix(g, first));
  z->place[m] = cg_ui(g, SpvOpShiftLeftLogical, in, 2);
  z->end[m] = cg_pick(g, g->u32, is, z->len, spv_u32(g->b, 0));
}

static cg_pos row_quad_at(cg *g, const shared *z, uint32_t m, uint32_t k) {
  uint32_t in = z->place[m];
  if (k) in = cg_u(g, SpvOpIAdd, in, cg_ui(g, SpvOpIMul, k, KIR_LANES));
  shared row = *z;
  row.base = z->start[m];
  return quad_at(g, &row, in, 0, z->end[m]);
}

/* Where the thread's quads of row k of the tile (0: the only one) are. */
static void tile_row(cg *g, const shared *z, const uint32_t *e, uint32_t k, cg_pos *p) {
  uint32_t by = 0, most = z->count;
  if (k && !has_layout(g, SHARED_QUADS)) {
    uint32_t row = cg_ui(g, SpvOpIMul, z->inner, KIR_LANES);
    by = cg_u(g, SpvOpIMul, k, row);
    uint32_t is = cg_less(g, by, z->left), left = cg_u(g, SpvOpISub, z->left, by);
    most = cg_pick(g, g->u32, is, cg_least(g, g->u32, most, left), spv_u32(g->b, 0));
    by = cg_to_ix(g, by);
  }
  for (uint32_t m = 0; m < opts(g)->quads; m++) {
    if (has_layout(g, SHARED_QUADS)) p[m] = row_quad_at(g, z, m, k);
    else p[m] = quad_at(g, z, e[m], by, most);
  }
}

/* Folds the thread's quads of some rows of the tile into acc, all loads first. */
static void fold_quads(cg *g, const shared *z, cg_var *acc, const uint32_t *e,
                       const uint32_t *k, uint32_t rows) {
  uint32_t raw[LOAD_ROWS * MOST_QUADS][KIR_MAX_IN], n = opts(g)->quads;
  cg_pos p[LOAD_ROWS * MOST_QUADS];
  for (uint32_t r = 0; r < rows; r++) {
    tile_row(g, z, e, k[r], p + r * n);
    for (uint32_t m = r * n; m < (r + 1) * n && !g->o->from_partials; m++)
      cg_load_raw(g, 0, g->k->fold_at, &p[m], raw[m]);
  }
  cg_acc none = cg_identity(g);
  for (uint32_t m = 0; m < rows * n; m++) {
    cg_acc x = cg_source(g, &p[m], raw[m]);
    x = cg_acc_sel(g, p[m].ok, x, none);
    cg_var_set(g, acc[m % n], cg_combine(g, cg_var_get(g, acc[m % n]), x, 0));
  }
}

static uint32_t shared_index(cg *g, uint32_t entry) {
  uint32_t holes = cg_ui(g, SpvOpShiftRightLogical, entry, 5);
  return cg_u(g, SpvOpIAdd, entry, holes);
}

static void store_quads(cg *g, shared *z, const cg_var *acc, const uint32_t *e) {
  for (uint32_t m = 0; m < opts(g)->quads; m++) {
    cg_acc v[4], a;
    g->lanes = 4;
    a = cg_var_get(g, acc[m]);
    for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, a, j);
    g->lanes = 1;
    uint32_t entry = e[m];
    if (has_layout(g, SHARED_QUADS)) {
      v[0] = cg_combine(g, v[0], v[1], 0);
      v[2] = cg_combine(g, v[2], v[3], 0);
      v[0] = cg_combine(g, v[0], v[2], 0);
      entry = cg_ui(g, SpvOpShiftRightLogical, entry, 2);
    }
    uint32_t at = shared_index(g, entry);
    for (uint32_t j = 0; j < 4; j++) {
      if (j && has_layout(g, SHARED_QUADS)) break;
      uint32_t to = at;
      if (j) to = cg_ui(g, SpvOpIAdd, at, j);
      cg_shared_put(g, z->room, to, v[j]);
    }
  }
  cg_barrier(g);
}

static void fill(cg *g, shared *z) {
  uint32_t e[MOST_QUADS], k[LOAD_ROWS] = {0};
  cg_var acc[MOST_QUADS];
  assert(opts(g)->quads <= MOST_QUADS);
  for (uint32_t m = 0; m < opts(g)->quads; m++) {
    e[m] = cg_ui(g, SpvOpIAdd, g->thread, CG_WORKGROUP * m);
    e[m] = cg_ui(g, SpvOpShiftLeftLogical, e[m], 2);
    if (has_layout(g, SHARED_QUADS)) place_quad(g, z, m);
  }
  g->lanes = 4;
  for (uint32_t m = 0; m < opts(g)->quads; m++) acc[m] = cg_local_acc(g, cg_identity(g));
  if (opts(g)->deep) { /* all of the thread's quads are at the same place in their rows */
    spv_loop l = spv_for(g->b, z->deep);
    uint32_t at = cg_u(g, SpvOpIAdd, z->place[0], cg_ui(g, SpvOpIMul, l.i, KIR_LANES));
    uint32_t merge = spv_if(g->b, cg_less(g, at, z->len));
    fold_quads(g, z, acc, e, &l.i, 1);
    spv_endif(g->b, merge);
    spv_endfor(g->b, &l);
  } else if (has_layout(g, SHARED_LANES)) {
    spv_loop l = spv_for(g->b, up(g, z->deep, 1));
    k[0] = cg_ui(g, SpvOpShiftLeftLogical, l.i, 1);
    k[1] = cg_ui(g, SpvOpBitwiseOr, k[0], 1);
    fold_quads(g, z, acc, e, k, LOAD_ROWS);
    spv_endfor(g->b, &l);
  } else {
    fold_quads(g, z, acc, e, k, 1);
  }
  store_quads(g, z, acc, e);
}

/* ── phases ─────────────────────────────────────────────────────────────────────────── */

/* Lane s of a group, identity from `n` on. */
static cg_acc value_at(cg *g, const shared *z, uint32_t at, uint32_t s, uint32_t n) {
  if (!s) return cg_shared_get(g, z->room, shared_index(g, at));
  uint32_t is = cg_less(g, spv_u32(g->b, s), n), by = cg_ui(g, SpvOpIMul, z->inner, s);
  by = cg_pick(g, g->u32, is, by, spv_u32(g->b, 0));
  cg_acc v = cg_shared_get(g, z->room, shared_index(g, cg_u(g, SpvOpIAdd, at, by)));
  return cg_acc_sel(g, is, v, cg_identity(g));
}

static cg_acc fold_pair(cg *g, const shared *z, uint32_t at, uint32_t s, uint32_t n) {
  cg_acc a = value_at(g, z, at, s, n), b = value_at(g, z, at, s + 1, n);
  return cg_combine(g, a, b, 0);
}

/* Up to 8 lanes from entry `at` on, n of them there; no line has more than `lanes`. */
static cg_acc fold_eight(cg *g, const shared *z, uint32_t at, uint32_t n,
                         uint32_t lanes) {
  cg_var v = cg_var_acc(g, fold_pair(g, z, at, 0, n));
  uint32_t some = spv_if(g->b, cg_less(g, spv_u32(g->b, 2), lanes));
  cg_acc a = fold_pair(g, z, at, 2, n);
  cg_var_set(g, v, cg_combine(g, cg_var_get(g, v), a, 0));
  uint32_t many = spv_if(g->b, cg_less(g, spv_u32(g->b, 4), lanes));
  a = fold_pair(g, z, at, 4, n);
  cg_acc b = fold_pair(g, z, at, 6, n);
  a = cg_combine(g, a, b, 0);
  cg_var_set(g, v, cg_combine(g, cg_var_get(g, v), a, 0));
  spv_endif(g->b, many);
  spv_endif(g->b, some);
  return cg_var_get(g, v);
}

/* For each of n results, which the threads take in turn: opens a loop and a branch. */
typedef struct result_loop {
  spv_loop l;
  uint32_t merge, t;
} result_loop;

static result_loop begin_results(cg *g, uint32_t n) {
  result_loop e = {.l = spv_for(g->b, up(g, n, 8))};
  uint32_t first = cg_ui(g, SpvOpShiftLeftLogical, e.l.i, 8);
  e.t = cg_u(g, SpvOpIAdd, first, g->thread);
  e.merge = spv_if(g->b, cg_less(g, e.t, n));
  return e;
}

static void end_results(cg *g, const result_loop *e) {
  spv_endif(g->b, e->merge);
  spv_endfor(g->b, &e->l);
}

/* A phase whose results stay: `lanes` of them become `next`, from entry `to` on. */
static void phase(cg *g, const shared *z, uint32_t lanes, uint32_t next, uint32_t from,
                  uint32_t to) {
  uint32_t n = cg_u(g, SpvOpIMul, cg_u(g, SpvOpIMul, z->rows, next), z->inner);
  result_loop e = begin_results(g, n);
  uint32_t t = e.t, j = 0;
  if (!has_layout(g, SHARED_QUADS)) j = cg_split(g, &t, z->inner);
  uint32_t group = cg_split(g, &t, next),
           first = cg_ui(g, SpvOpShiftLeftLogical, group, 3);
  uint32_t at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, t, lanes), first);
  if (j) at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, at, z->inner), j);
  at = cg_u(g, SpvOpIAdd, at, from);
  cg_acc v = fold_eight(g, z, at, cg_u(g, SpvOpISub, lanes, first), lanes);
  cg_shared_put(g, z->room, shared_index(g, cg_u(g, SpvOpIAdd, to, e.t)), v);
  end_results(g, &e);
  cg_barrier(g);
}

/* The phases before the last; *lanes, *from: what they leave, and where. */
static void phases(cg *g, const shared *z, uint32_t half, uint32_t *lanes,
                   uint32_t *from) {
  uint32_t n = spv_local(g->b, g->u32, 0), at = spv_local(g->b, g->u32, 0);
  spv_do(g->b, SpvOpStore, n, z->lanes);
  spv_do(g->b, SpvOpStore, at, spv_u32(g->b, 0));
  spv_loop l = spv_for(g->b, cg_slot_u32(g, SLOT(phases)));
  *lanes = spv_op(g->b, g->u32, SpvOpLoad, n);
  *from = spv_op(g->b, g->u32, SpvOpLoad, at);
  uint32_t next = up(g, *lanes, 3), to = cg_u(g, SpvOpISub, spv_u32(g->b, half), *from);
  phase(g, z, *lanes, next, *from, to);
  spv_do(g->b, SpvOpStore, n, next);
  spv_do(g->b, SpvOpStore, at, to);
  spv_endfor(g->b, &l);
  *lanes = spv_op(g->b, g->u32, SpvOpLoad, n);
  *from = spv_op(g->b, g->u32, SpvOpLoad, at);
}

/* The last phase: a result a line. */
static void finish(cg *g, const shared *z, uint32_t lanes, uint32_t from) {
  uint32_t to = cg_result(g);
  result_loop e = begin_results(g, cg_u(g, SpvOpIMul, z->rows, z->inner));
  uint32_t t = e.t, j = 0;
  if (!has_layout(g, SHARED_QUADS)) j = cg_split(g, &t, z->inner);
  uint32_t at = cg_u(g, SpvOpIMul, t, lanes);
  if (j) at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, at, z->inner), j);
  cg_acc v = fold_eight(g, z, cg_u(g, SpvOpIAdd, at, from), lanes, lanes);
  cg_pos p = {.i = cg_x(g, SpvOpIAdd, z->out, cg_to_ix(g, e.t))};
  cg_finish(g, to, &p, v, 0);
  end_results(g, &e);
}

void reduce_shared_emit(cg *g) {
  bool quads = has_layout(g, SHARED_QUADS);
  uint32_t half = CG_WORKGROUP * opts(g)->quads, lanes, from;
  if (!quads) half *= 4; /* an entry for each element */
  uint32_t entries = half + half / 4;
  shared z = {.inner = 0};
  if (quads) z.inner = spv_u32(g->b, 1);
  else z.inner = cg_slot_u32(g, CG_SLOT_INNER);
  cg_flat(g);
  if (has_layout(g, SHARED_LANES)) place_lanes(g, &z);
  else place_rows(g, &z);
  z.room = cg_shared_acc(g, entries + entries / 32 + 1);
  fill(g, &z);
  phases(g, &z, half, &lanes, &from);
  finish(g, &z, lanes, from);
}
