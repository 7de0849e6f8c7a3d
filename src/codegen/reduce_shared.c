/* SPDX-License-Identifier: MIT */
/* reduce_shared.c - the reduce template for lines that are too short, or too few side by
 * side, to have threads of their own: a shared-memory tile, a stretch of neighbouring
 * elements, goes through workgroup memory.
 *
 *     elements of the shared-memory tile, as they stand in memory, to neighbouring threads
 *       │ producer; SHARED_LANES: each entry folds the rows of its tile, 1024×inner apart
 *     entries in workgroup memory, one for each (row, lane, column); SHARED_QUADS: each is four
 *       │ lanes, for every row is cut into quads of its own, wherever it begins
 *       │ phase: the values of 8 neighbouring lanes, `inner` apart, become one
 *     entries, an eighth of them … until a line has one: the consumer, or `to`
 *
 * SHARED_LANES: a row's elements go to the threads in turn, by loads of one each, whose addresses
 * differ by constants, and which need no mask but in the last rows. So an element costs few
 * instructions.
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

/* LANES_SIZE: elements of a shared-memory tile whose entries are folded down a tile first. */
enum { MOST_QUADS = 8, MOST_EACH = 24, FEW_COLUMNS = 4 };
enum { LANES_SIZE = 2304, LANES_SIZE_SUMS = 1280 };
enum { IN_FLIGHT = 16 }; /* loads of a thread, at least */

/* ── how ────────────────────────────────────────────────────────────────────────────── */

/* Quads of a thread that its part of workgroup memory can take: 16 kB in all. */
static uint32_t most_quads(const cg_task *t) {
  uint32_t most = cg_repeat(t, 16 / (uint32_t)cg_acc_bytes(t->k));
  return most ? most : 1; /* long tuples: an entry a quad, a quarter of an element's */
}

/* Elements of a thread, likewise: all there is, 24 kB at most. */
static uint32_t most_each(const cg_task *t) {
  uint32_t most = t->choice->shared / CG_WORKGROUP / (uint32_t)cg_acc_bytes(t->k);
  return cg_repeat(t, most < MOST_EACH ? most : MOST_EACH);
}

/* Elements in the shared-memory tile. */
static int64_t most_elements(const cg_task *t) { return CG_WORKGROUP * most_each(t); }

/* Too few columns for a thread on each. Of short lines threads that are neighbours read the next ones. */
static bool few_columns(const cg_task *t) {
  bool few = t->inner < FEW_COLUMNS && t->len > KIR_LANES;
  return few || t->rows * t->inner < cg_enough_groups(t) / 2;
}

/* Exact sums have accumulators of twice their elements' size: half as many. */
static int64_t lanes_size(const cg_task *t) {
  bool sums = cg_fold_exact(t->k) && cg_acc_bytes(t->k) >= 8;
  return min_i64(sums ? LANES_SIZE_SUMS : LANES_SIZE, most_elements(t));
}

/* A part of fewer than 4 lanes would leave the next pass too much. */
static bool lanes_fit(const cg_task *t) {
  if (t->inner * 4 > lanes_size(t)) return false;
  return few_columns(t) || t->len > 4 * KIR_LANES;
}

bool reduce_shared_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD) return false;
  return t->inner == 1 || lanes_fit(t);
}

static int64_t phases_before_last(int64_t n) {
  int64_t count = 0;
  for (; n > 8; n = ceil_div(n, 8)) count++;
  return count;
}

static void quads_pass(const cg_task *t, cg_pass *s) {
  reduce_shared_opts *o = &s->o.reduce_shared;
  reduce_shared_geom *z = &s->geom.reduce_shared;
  o->layout = SHARED_QUADS;
  o->each = most_quads(t);
  o->deep = t->len > KIR_LANES; /* two rows: longer ones are reduce_tile's */
  s->o.width = t->len % 4 || t->small ? 1 : 4;
  z->values = ceil_div(min_i64(t->len, KIR_LANES), 4);
  z->inverse = ceil_div(1 << CG_INVERSE_SHIFT, z->values);
  z->rows = CG_WORKGROUP * o->each / z->values;
  z->phases = phases_before_last(z->values);
  s->geom.workgroups = ceil_div(t->rows, z->rows);
}

/* Is n a better number of lanes than m? By the share of threads' elements that are. */
static bool fills_better(int64_t n, int64_t m, int64_t inner) {
  int64_t a = ceil_div(n * inner, CG_WORKGROUP), b = ceil_div(m * inner, CG_WORKGROUP);
  return n * b > m * a;
}

/* As many lanes as fit and fill the threads best: a tile of a few columns is cut into
 * some such parts. */
static void lanes_pass(const cg_task *t, cg_pass *s) {
  reduce_shared_opts *o = &s->o.reduce_shared;
  reduce_shared_geom *z = &s->geom.reduce_shared;
  int64_t lanes = min_i64(t->len, KIR_LANES), n = next_pow2(lanes);
  o->layout = SHARED_LANES;
  while (n * t->inner > lanes_size(t)) n /= 2;
  z->values = n;
  for (int64_t m = n / 2; m >= 4 && m * t->inner >= 2 * CG_WORKGROUP; m /= 2)
    if (fills_better(m, z->values, t->inner)) z->values = m;
  int64_t elements = t->small ? lanes_size(t) : z->values * t->inner;
  o->each =
      (uint32_t)(t->small ? elements / CG_WORKGROUP : ceil_div(elements, CG_WORKGROUP));
  uint32_t batch = cg_repeat(t, (uint32_t)ceil_div(IN_FLIGHT, o->each) * o->each);
  o->batch = (uint32_t)max_i64(batch / o->each, 1);
  z->parts = ceil_div(lanes, z->values);
  s->o.width = 1;
  z->phases = phases_before_last(z->values);
  s->geom.tiles = ceil_div(t->len, KIR_REDUCE_ROWS * KIR_LANES);
  s->geom.workgroups = t->rows * s->geom.tiles * z->parts;
}

void reduce_shared_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_SHARED);
  s->geom.reduce_shared.parts = 1;
  if (t->inner == 1) quads_pass(t, s);
  else lanes_pass(t, s);
  p->tiles = s->geom.tiles;
  p->parts = s->geom.reduce_shared.parts;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

static bool has_quads(const cg *g) { return opts(g)->layout == SHARED_QUADS; }

typedef struct shared {
  uint32_t base;        /* ix: the shared-memory tile's first element */
  uint32_t count, left; /* u32: its entries; its elements, all rows of the tile counted */
  uint32_t deep;        /* u32: rows of KIR_LANES in the tile, from these lanes on */
  uint32_t rows, lanes; /* u32: lines of a column, and their length */
  uint32_t inner;       /* u32 */
  uint32_t per_inner;   /* u32: what divides by it */
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
  uint32_t len = cg_slot_ix(g, CG_SLOT_LEN);
  uint32_t row = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), each);
  uint32_t rest = cg_x(g, SpvOpISub, rows, row);
  z->base = cg_x(g, SpvOpIMul, row, len);
  z->rows = cg_to_u32(g, cg_least(g, g->ix, rest, each));
  z->len = cg_to_u32(g, len);
  z->lanes = cg_slot_u32(g, SLOT(values));
  z->out = row;
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

/* ── quads into workgroup memory ────────────────────────────────────────────────────── */

static uint32_t shared_index(cg *g, uint32_t entry) {
  uint32_t holes = cg_ui(g, SpvOpShiftRightLogical, entry, 5);
  return cg_u(g, SpvOpIAdd, entry, holes);
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

/* Quad m of the thread in row k of the tile (0: the only one). */
static cg_pos quad_at(cg *g, const shared *z, uint32_t m, uint32_t k) {
  uint32_t in = z->place[m], v4 = spv_vec(g->b, g->u32, 4);
  if (k) in = cg_u(g, SpvOpIAdd, in, cg_ui(g, SpvOpIMul, k, KIR_LANES));
  uint32_t at = cg_x(g, SpvOpIAdd, z->start[m], cg_to_ix(g, in));
  cg_pos p = {.tail = g->o->width == 1};
  p.i = cg_pick(g, g->ix, cg_less(g, in, z->end[m]), at, z->start[m]);
  uint32_t lane = spv_op(g->b, v4, SpvOpIAdd, cg_splat(g, KI32, in), cg_steps(g, g->u32));
  uint32_t all = cg_splat(g, KI32, z->end[m]);
  p.ok = spv_op(g->b, cg_type(g, KB), SpvOpULessThan, lane, all);
  return p;
}

/* The thread's quads in one row of the tile. */
typedef struct quad_row {
  cg_pos p[MOST_QUADS];
  uint32_t raw[MOST_QUADS][KIR_MAX_IN];
} quad_row;

static void load_quads(cg *g, const shared *z, uint32_t k, quad_row *q) {
  for (uint32_t m = 0; m < opts(g)->each; m++) {
    q->p[m] = quad_at(g, z, m, k);
    if (!g->o->from_partials) cg_load_raw(g, 0, g->k->fold_at, &q->p[m], q->raw[m]);
  }
}

static cg_acc quad_value(cg *g, quad_row *q, uint32_t m) {
  return cg_acc_sel(g, q->p[m].ok, cg_source(g, &q->p[m], q->raw[m]), cg_identity(g));
}

/* Each of the thread's quads as one entry. */
static void store_quads(cg *g, const shared *z, const cg_acc *acc) {
  for (uint32_t m = 0; m < opts(g)->each; m++) {
    cg_acc v[4];
    g->lanes = 4;
    for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, acc[m], j);
    g->lanes = 1;
    v[0] = cg_combine(g, v[0], v[1], 0);
    v[2] = cg_combine(g, v[2], v[3], 0);
    uint32_t entry = cg_next(g, g->thread, CG_WORKGROUP * m);
    cg_shared_put(g, z->room, shared_index(g, entry), cg_combine(g, v[0], v[2], 0));
  }
}

/* The second row of the tile, where the thread has some of it: one after the other the
 * loads of two rows would take twice the time of one. All of the thread's quads are at
 * the same place in their rows. */
static void second_row(cg *g, const shared *z, const cg_var *second) {
  quad_row q;
  uint32_t k = spv_u32(g->b, 1), at = cg_ui(g, SpvOpIAdd, z->place[0], KIR_LANES);
  uint32_t merge = spv_if(g->b, cg_less(g, at, z->len));
  load_quads(g, z, k, &q);
  for (uint32_t m = 0; m < opts(g)->each; m++)
    cg_var_set(g, second[m], quad_value(g, &q, m));
  spv_endif(g->b, merge);
}

static void fill_quads(cg *g, shared *z) {
  cg_var second[MOST_QUADS];
  cg_acc acc[MOST_QUADS];
  quad_row q;
  uint32_t n = opts(g)->each;
  assert(n <= MOST_QUADS);
  for (uint32_t m = 0; m < n; m++) place_quad(g, z, m);
  g->lanes = 4;
  cg_acc none = cg_identity(g);
  load_quads(g, z, 0, &q);
  for (uint32_t m = 0; m < n && opts(g)->deep; m++) second[m] = cg_local_acc(g, none);
  if (opts(g)->deep) second_row(g, z, second);
  for (uint32_t m = 0; m < n; m++) {
    acc[m] = cg_combine(g, none, quad_value(g, &q, m), 0);
    if (opts(g)->deep) acc[m] = cg_combine(g, acc[m], cg_var_get(g, second[m]), 0);
  }
  store_quads(g, z, acc);
}

/* ── elements into workgroup memory ─────────────────────────────────────────────────── */

/* Folds the thread's elements of n rows, `apart` (u32) from each other, the first of them
 * `by` (u32) further on, into acc, all loads first; those from `most` on (0: all are there)
 * are not. */
typedef struct each_rows {
  uint32_t n, by, apart, most;
} each_rows;

static void load_each(cg *g, const shared *z, const each_rows *r, uint32_t k, cg_pos *p) {
  uint32_t first = z->base, by = r->by;
  if (k) by = cg_u(g, SpvOpIAdd, by, cg_ui(g, SpvOpIMul, r->apart, k));
  first = cg_x(g, SpvOpIAdd, first, cg_to_ix(g, by));
  first = cg_x(g, SpvOpIAdd, first, cg_to_ix(g, g->thread));
  for (uint32_t m = 0; m < opts(g)->each; m++) {
    p[m] = (cg_pos){.i = cg_beyond(g, first, CG_WORKGROUP * m)};
    if (!r->most) continue;
    p[m].ok = cg_less(g, cg_next(g, g->thread, CG_WORKGROUP * m), r->most);
    p[m].i = cg_pick(g, g->ix, p[m].ok, p[m].i, z->base);
  }
}

static void fold_each(cg *g, const shared *z, const cg_var *acc, const each_rows *r) {
  uint32_t raw[2 * MOST_EACH][KIR_MAX_IN], n = opts(g)->each;
  cg_pos p[2 * MOST_EACH];
  assert(r->n * n <= 2 * MOST_EACH);
  for (uint32_t k = 0; k < r->n; k++) load_each(g, z, r, k, p + k * n);
  for (uint32_t i = 0; i < r->n * n && !g->o->from_partials; i++)
    cg_load_raw(g, 0, g->k->fold_at, &p[i], raw[i]);
  cg_acc none = cg_identity(g);
  for (uint32_t i = 0; i < r->n * n; i++) {
    cg_acc x = cg_source(g, &p[i], raw[i]), a = cg_var_get(g, acc[i % n]);
    if (r->most) x = cg_acc_sel(g, p[i].ok, x, none);
    cg_var_set(g, acc[i % n], cg_combine(g, a, x, 0));
  }
}

/* What all threads' elements come to, of which `count` matter. */
static uint32_t all_elements(const cg *g) { return CG_WORKGROUP * opts(g)->each; }

/* Rows of the tile in which all elements are there, then the others. */
static void fold_deep(cg *g, const shared *z, const cg_var *acc) {
  uint32_t row = cg_ui(g, SpvOpIMul, z->inner, KIR_LANES), none = spv_u32(g->b, 0);
  uint32_t all = spv_u32(g->b, all_elements(g)), less = cg_less(g, z->left, all);
  uint32_t full = cg_u(g, SpvOpUDiv, cg_u(g, SpvOpISub, z->left, all), row);
  full = cg_pick(g, g->u32, less, none, cg_ui(g, SpvOpIAdd, full, 1));
  each_rows r = {.n = opts(g)->batch, .apart = row};
  uint32_t batch = spv_u32(g->b, r.n);
  full = cg_u(g, SpvOpUDiv, full, batch);
  spv_loop l = spv_for(g->b, full);
  r.by = cg_u(g, SpvOpIMul, cg_u(g, SpvOpIMul, l.i, batch), row);
  fold_each(g, z, acc, &r);
  spv_endfor(g->b, &l);
  full = cg_u(g, SpvOpIMul, full, batch);
  l = spv_for(g->b, cg_u(g, SpvOpISub, z->deep, full));
  r = (each_rows){.n = 1};
  r.by = cg_u(g, SpvOpIMul, cg_u(g, SpvOpIAdd, full, l.i), row);
  uint32_t is = cg_less(g, r.by, z->left), left = cg_u(g, SpvOpISub, z->left, r.by);
  r.most = cg_pick(g, g->u32, is, cg_least(g, g->u32, z->count, left), none);
  fold_each(g, z, acc, &r);
  spv_endfor(g->b, &l);
}

static void fill_each(cg *g, const shared *z) {
  cg_var acc[MOST_EACH];
  uint32_t n = opts(g)->each, at = shared_index(g, g->thread);
  assert(n <= MOST_EACH);
  for (uint32_t m = 0; m < n; m++) acc[m] = cg_local_acc(g, cg_identity(g));
  fold_deep(g, z, acc);
  for (uint32_t m = 0; m < n; m++) { /* 256 entries have 8 unused ones */
    uint32_t to = cg_next(g, at, (CG_WORKGROUP + CG_WORKGROUP / 32) * m);
    cg_shared_put(g, z->room, to, cg_var_get(g, acc[m]));
  }
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

/* Up to 8 lanes, n of them there; no line has more than `lanes`. */
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
  if (!has_quads(g)) j = cg_split_small(g, &t, z->inner, z->per_inner);
  uint32_t group = cg_split(g, &t, next);
  uint32_t first = cg_ui(g, SpvOpShiftLeftLogical, group, 3);
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
static void shared_finish(cg *g, const shared *z, uint32_t lanes, uint32_t from) {
  uint32_t to = cg_result(g);
  result_loop e = begin_results(g, cg_u(g, SpvOpIMul, z->rows, z->inner));
  uint32_t t = e.t, j = 0;
  if (!has_quads(g)) j = cg_split_small(g, &t, z->inner, z->per_inner);
  uint32_t at = cg_u(g, SpvOpIMul, t, lanes);
  if (j) at = cg_u(g, SpvOpIAdd, cg_u(g, SpvOpIMul, at, z->inner), j);
  cg_acc v = fold_eight(g, z, cg_u(g, SpvOpIAdd, at, from), lanes, lanes);
  cg_pos p = {.i = cg_x(g, SpvOpIAdd, z->out, cg_to_ix(g, e.t))};
  cg_finish(g, to, &p, v, 0);
  end_results(g, &e);
}

void reduce_shared_emit(cg *g) {
  bool quads = has_quads(g);
  uint32_t half = all_elements(g), lanes, from;
  uint32_t entries = half + half / 4;
  shared z = {.inner = 0};
  if (quads) z.inner = spv_u32(g->b, 1);
  else z.inner = cg_slot_u32(g, CG_SLOT_INNER);
  if (!quads) z.per_inner = cg_inverse(g, z.inner);
  cg_flat(g);
  if (quads) place_rows(g, &z);
  else place_lanes(g, &z);
  z.room = cg_shared_acc(g, entries + entries / 32 + 1);
  if (quads) fill_quads(g, &z);
  else fill_each(g, &z);
  cg_barrier(g);
  phases(g, &z, half, &lanes, &from);
  shared_finish(g, &z, lanes, from);
}
