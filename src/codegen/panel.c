/* SPDX-License-Identifier: MIT */
/* panel.c - the template for the reflections of a panel, by the order of operations of tables/panel.h.
 *
 *   PANEL_FIRST    the panel is stored; its blocks' sums for step 0
 *   PANEL_STEP     for each step k, with the sums of the pass before:
 *                    a workgroup for a block: its rows less the reflection; their sums for step k + 1
 *                    two more: row k of T', row k of R's inverse
 *
 * A thread has one column of one strip, and loads some rows of it together. Workgroups of a step read what others
 * change: so what is left of the panel goes from one of two places to the other, and only what is final is stored
 * where the result is. Panels that fit are panel_held.c's.
 *
 * A step takes 7 µs whether the panel has 256 rows or 8192: it is a dispatch, and what waits for what.
 *
 * TRIED on an H200: rows loaded while those before are worked on, the first ones while the sums are made: 40 lines for a
 * tenth of the time. The rows of T' that a step adds up loaded early, too: registers do not suffice. All steps in one
 * dispatch, whose workgroups publish sums by atomics and wait for one another by a counter: 6 to 7 µs a step, too. */
#include "reflect.h"

#include "../base/arith.h"

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool panel_serves(const cg_task *t) { return t->kind == CG_TASK_PANEL; }

static cg_pass *add_pass(cg_passes *p, const cg_task *t, const panel_shape *s) {
  cg_pass *pass = cg_add_pass(p, t, CG_PANEL);
  pass->o.width = 1;
  pass->o.workgroup = PANEL_THREADS;
  pass->o.panel.columns = (uint32_t)s->columns;
  pass->geom = (cg_geom){.rows = 1, .len = t->len, .inner = t->columns};
  pass->geom.workgroups = s->blocks;
  pass->geom.panel = (panel_geom){.rows = t->len / t->columns,
                                  .length = s->length,
                                  .blocks = s->blocks,
                                  .steps = (t->places - t->len) / t->columns / 3};
  pass->geom.tiles = 1;
  pass->to = CG_OWN;
  return pass;
}

void panel_passes(const cg_task *t, cg_passes *p) {
  int64_t n = t->columns;
  panel_shape s = panel_shape_of(t->len / n, n);
  p->own[0] = 2 * (t->len + s.blocks * s.columns);
  add_pass(p, t, &s)->o.panel.phase = PANEL_FIRST;
  cg_pass *steps = add_pass(p, t, &s);
  steps->o.panel.phase = PANEL_STEP;
  steps->geom.workgroups += 2;
  steps->times = (uint32_t)steps->geom.panel.steps;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct panel_state {
  uint32_t columns, strips;  /* numbers of the shape */
  uint32_t n, blocks, strip; /* u32 */
  uint32_t m, length;        /* u32 */
  uint32_t j, there,
      column; /* u32: the thread's column; bool: it exists; u32: if not, the last */
  uint32_t from, to; /* u64: what is left of the panel before the pass, and behind it */
  uint32_t sums, sums_to; /* u64: of blocks */
  uint32_t shared,
      factors;        /* workgroup memory: a value for each thread; for each column */
  uint32_t type, sum; /* of f64; a variable */
  /* PANEL_STEP: the step, u32; k + 1; that kept below n. */
  uint32_t k, after, next;
  /* What it has in column k of row k, the thread's of row k, of R's column k; the column's length, squared. */
  uint32_t pivot, mine, of_r, square;
  uint32_t v, by, by_next; /* a[k;k]; t[j], t[k + 1] */
  uint32_t r, to_r;        /* of R's diagonal; u64: R */
  uint32_t extra;          /* u64: T', or the inverse, for the two other workgroups */
  uint32_t scale;          /* ... β, or the inverse of r */
} panel_state;

static uint32_t shared_at(cg *g, const panel_state *z, uint32_t i) {
  return cg_shared_ptr(g, z->type, z->shared, i);
}
static uint32_t factor_at(cg *g, const panel_state *z, uint32_t i) {
  return cg_shared_ptr(g, z->type, z->factors, i);
}

static panel_state panel_begin(cg *g) {
  panel_state z = {.columns = g->o->panel.columns, .type = cg_scalar_type(g, KF64)};
  z.strips = PANEL_THREADS / z.columns;
  z.m = PANEL_SLOT(g, rows);
  z.length = PANEL_SLOT(g, length);
  z.blocks = PANEL_SLOT(g, blocks);
  z.k = PANEL_SLOT(g, step);
  z.n = cg_slot_u32(g, CG_SLOT_INNER);
  z.j = cg_ui(g, SpvOpBitwiseAnd, g->thread, z.columns - 1);
  z.strip = cg_ui(g, SpvOpUDiv, g->thread, z.columns);
  z.there = cg_less(g, z.j, z.n);
  z.column = cg_least(g, g->u32, z.j, cg_ui(g, SpvOpISub, z.n, 1));
  z.shared = spv_shared(g->b, z.type, PANEL_THREADS);
  z.factors = spv_shared(g->b, z.type, z.columns);
  z.sum = spv_local(g->b, z.type, 0);
  spv_do(g->b, SpvOpStore, z.sum, cg_real(g, KF64, 0));
  return z;
}

/* The memory of the passes: twice what is left of the panel, twice the blocks' sums. */
static void find_memory(cg *g, panel_state *z) {
  uint32_t all = cg_u(g, SpvOpIMul, z->m, z->n);
  uint32_t odd = cg_ui(g, SpvOpBitwiseAnd, z->k, 1),
           even = cg_ui(g, SpvOpBitwiseXor, odd, 1);
  if (g->o->panel.phase == PANEL_FIRST) even = odd = spv_u32(g->b, 0);
  uint32_t own = cg_slot(g, CG_SLOT_TO),
           each = cg_ui(g, SpvOpIMul, z->blocks, z->columns);
  z->from = panel_at(g, own, cg_u(g, SpvOpIMul, all, odd));
  z->to = panel_at(g, own, cg_u(g, SpvOpIMul, all, even));
  uint32_t sums = panel_at(g, own, cg_ui(g, SpvOpIMul, all, 2));
  z->sums = panel_at(g, sums, cg_u(g, SpvOpIMul, each, odd));
  z->sums_to = panel_at(g, sums, cg_u(g, SpvOpIMul, each, even));
}

/* ── sums ───────────────────────────────────────────────────────────────────────────── */

static void add_where(cg *g, const panel_state *z, uint32_t is, uint32_t v) {
  uint32_t old = spv_op(g->b, z->type, SpvOpLoad, z->sum);
  v = cg_pick(g, z->type, is, v, cg_real(g, KF64, 0));
  spv_do(g->b, SpvOpStore, z->sum, panel_real(g, KOP_ADD, old, v));
}

/* The strips' sums are joined: those of the columns are the first ones in workgroup memory. */
static void join_strips(cg *g, const panel_state *z) {
  cg_barrier(g);
  spv_do(g->b, SpvOpStore, shared_at(g, z, g->thread),
         spv_op(g->b, z->type, SpvOpLoad, z->sum));
  cg_barrier(g);
  for (uint32_t half = z->strips / 2; half; half /= 2) {
    uint32_t merge = spv_if(g->b, cg_less(g, z->strip, spv_u32(g->b, half)));
    uint32_t a = spv_op(g->b, z->type, SpvOpLoad, shared_at(g, z, g->thread));
    uint32_t other = shared_at(g, z, cg_ui(g, SpvOpIAdd, g->thread, half * z->columns));
    uint32_t b = spv_op(g->b, z->type, SpvOpLoad, other);
    spv_do(g->b, SpvOpStore, shared_at(g, z, g->thread), panel_real(g, KOP_ADD, a, b));
    spv_endif(g->b, merge);
    cg_barrier(g);
  }
  spv_do(g->b, SpvOpStore, z->sum, cg_real(g, KF64, 0));
}

typedef uint32_t panel_item(cg *g, const panel_state *z, uint32_t i);

/* Items 0 to count - 1 (u32) are added, each to its strip. */
static void add_items(cg *g, const panel_state *z, uint32_t count, panel_item *item) {
  enum { ITEMS = 16 }; /* whose loads are issued together */
  uint32_t v[ITEMS], is[ITEMS], last = cg_ui(g, SpvOpISub, count, 1);
  spv_loop l = spv_for(g->b, panel_quotient(g, count, ITEMS * z->strips));
  for (uint32_t i = 0; i < ITEMS; i++) {
    uint32_t at = cg_next(g, cg_ui(g, SpvOpIMul, l.i, ITEMS), i);
    at = panel_place(g, z->strip, at, spv_u32(g->b, z->strips));
    is[i] = cg_less(g, at, count);
    v[i] = item(g, z, cg_least(g, g->u32, at, last));
  }
  for (uint32_t i = 0; i < ITEMS; i++) add_where(g, z, is[i], v[i]);
  spv_endfor(g->b, &l);
}

static uint32_t block_sum(cg *g, const panel_state *z, uint32_t i) {
  return panel_get(g, z->sums, panel_place(g, z->j, i, spv_u32(g->b, z->columns)));
}
static uint32_t joined_row(cg *g, const panel_state *z, uint32_t i) {
  uint32_t by = spv_op(g->b, z->type, SpvOpLoad, factor_at(g, z, i));
  uint32_t v = panel_get(g, z->extra, panel_place(g, z->column, i, z->n));
  return panel_real(g, KOP_MUL, by, v);
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

/* A row of the thread's: its number and the place of its first element, u32; bool: it exists. */
typedef struct panel_row {
  uint32_t i, first, there;
  uint32_t a, v, c; /* the thread's element; what the row has in columns k and k + 1 */
} panel_row;

static panel_row find_row(cg *g, const panel_state *z, uint32_t number) {
  uint32_t size = cg_ui(g, SpvOpIMul, z->length, z->strips), i = number;
  i = panel_place(g, z->strip, i, spv_u32(g->b, z->strips));
  i = panel_place(g, i, g->wid, size);
  panel_row r = {.i = i, .there = cg_less(g, i, z->m)};
  i = cg_least(g, g->u32, i, cg_ui(g, SpvOpISub, z->m, 1));
  r.first = cg_u(g, SpvOpIMul, i, z->n);
  return r;
}

uint32_t panel_input(cg *g, uint32_t i) {
  cg_pos p = {.i = cg_to_ix(g, i)};
  return cg_source(g, &p, NULL).id[0];
}

static void load_row(cg *g, const panel_state *z, panel_row *r) {
  uint32_t mine = cg_u(g, SpvOpIAdd, r->first, z->column);
  if (g->o->panel.phase == PANEL_FIRST) {
    r->a = panel_input(g, mine);
    r->c = panel_input(g, r->first);
    return;
  }
  /* Left of column k it is V's, which are stored where the result is. */
  uint32_t left = cg_less(g, z->column, z->k);
  r->a = panel_get(g, cg_pick(g, g->u64, left, g->out[0], z->from), mine);
  r->v = panel_get(g, z->from, cg_u(g, SpvOpIAdd, r->first, z->k));
  r->c = panel_get(g, z->from, cg_u(g, SpvOpIAdd, r->first, z->next));
}

static void first_row(cg *g, const panel_state *z, const panel_row *r) {
  uint32_t merge = spv_if(g->b, cg_both(g, r->there, z->there));
  panel_put(g, z->to, cg_u(g, SpvOpIAdd, r->first, z->j), r->a);
  spv_endif(g->b, merge);
  uint32_t below = cg_less(g, spv_u32(g->b, 0), r->i);
  add_where(g, z, cg_both(g, below, r->there), panel_real(g, KOP_MUL, r->c, r->a));
}

/* Column k of V is done with, and so is row k, to R; what is below it goes on. */
static void store_row(cg *g, const panel_state *z, const panel_row *r, uint32_t v,
                      uint32_t a) {
  uint32_t above = cg_less(g, r->i, z->k), is_row = cg_is(g, SpvOpIEqual, r->i, z->k);
  uint32_t is_v = cg_is(g, SpvOpIEqual, z->j, z->k), right = cg_less(g, z->k, z->j);
  uint32_t mine = cg_u(g, SpvOpIAdd, r->first, z->j), to = z->to;
  uint32_t to_r = panel_at(g, z->to_r, panel_place(g, z->j, z->k, z->n));
  uint32_t to_v = panel_at(g, g->out[0], mine);
  to = panel_at(g, z->to, mine);
  to = cg_pick(g, g->u64, is_row, to_r, to);
  to = cg_pick(g, g->u64, is_v, to_v, to);
  v = cg_pick(g, z->type, above, cg_real(g, KF64, 0), v);
  a = cg_pick(g, z->type, is_v, v, a);
  uint32_t below = cg_not(g, KB, above);
  below = cg_both(g, below, right);
  uint32_t is = spv_op(g->b, spv_bool(g->b), SpvOpLogicalOr, is_v, below);
  is = cg_both(g, is, r->there);
  uint32_t merge = spv_if(g->b, cg_both(g, is, z->there));
  cg_store(g, z->type, to, a, 8);
  spv_endif(g->b, merge);
}

static void step_row(cg *g, const panel_state *z, const panel_row *r) {
  uint32_t is_row = cg_is(g, SpvOpIEqual, r->i, z->k);
  uint32_t v = cg_pick(g, z->type, is_row, z->v, r->v);
  uint32_t a = panel_less(g, r->a, v, z->by), c = panel_less(g, r->c, v, z->by_next);
  store_row(g, z, r, v, a);
  uint32_t right = cg_less(g, z->k, z->j), is_v = cg_is(g, SpvOpIEqual, z->j, z->k);
  uint32_t x = cg_pick(g, z->type, is_v, v, r->a);
  x = cg_pick(g, z->type, right, a, x);
  uint32_t below = cg_both(g, cg_less(g, z->after, r->i), r->there);
  add_where(g, z, below, panel_real(g, KOP_MUL, c, x));
}

/* The rows of the workgroup's block, whose loads are issued together; none of the two workgroups behind the blocks. */
static void add_rows(cg *g, const panel_state *z) {
  panel_row r[PANEL_BATCH];
  uint32_t batches = cg_ui(g, SpvOpUDiv, z->length, PANEL_BATCH), none = spv_u32(g->b, 0);
  uint32_t is = cg_less(g, g->wid, z->blocks);
  spv_loop l = spv_for(g->b, cg_pick(g, g->u32, is, batches, none));
  uint32_t first = cg_ui(g, SpvOpIMul, l.i, PANEL_BATCH);
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    r[i] = find_row(g, z, cg_next(g, first, i));
    load_row(g, z, &r[i]);
  }
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    if (g->o->panel.phase == PANEL_FIRST) first_row(g, z, &r[i]);
    else step_row(g, z, &r[i]);
  }
  spv_endfor(g->b, &l);
}

/* ── a step ─────────────────────────────────────────────────────────────────────────── */

static uint32_t column_sum(cg *g, const panel_state *z, uint32_t j) {
  return spv_op(g->b, z->type, SpvOpLoad, shared_at(g, z, j));
}

/* Where the parts of the result behind V are. */
static void find_parts(cg *g, panel_state *z) {
  uint32_t v = cg_u(g, SpvOpIMul, z->m, z->n), part = PANEL_SLOT(g, steps);
  part = cg_u(g, SpvOpIMul, part, z->n);
  uint32_t last = cg_is(g, SpvOpUGreaterThan, g->wid, z->blocks);
  uint32_t t = panel_at(g, g->out[0], v), inverse = panel_at(g, t, part);
  z->extra = cg_pick(g, g->u64, last, inverse, t);
  z->to_r = panel_at(g, inverse, part);
}

uint32_t panel_square(cg *g, uint32_t k) {
  uint32_t at = cg_slot_ix(g, CG_SLOT_INPUTS + 1);
  at = cg_x(g, SpvOpIAdd, at, cg_to_ix(g, k));
  at = cg_addr(g, cg_slot(g, CG_SLOT_INPUTS), at, 3);
  return cg_load(g, cg_scalar_type(g, KF64), at, 8);
}

/* What a step reads besides rows: it is under way while the sums are made. */
static void load_step(cg *g, panel_state *z) {
  uint32_t first = cg_u(g, SpvOpIMul, z->k, z->n);
  z->pivot = panel_get(g, z->from, cg_u(g, SpvOpIAdd, first, z->k));
  uint32_t is_left = cg_less(g, z->column, z->k);
  uint32_t row = cg_pick(g, g->u64, is_left, g->out[0], z->from);
  z->mine = panel_get(g, row, cg_u(g, SpvOpIAdd, first, z->column));
  /* R's rows that are not there yet count for nothing. */
  uint32_t there = cg_least(g, g->u32, z->column, z->k);
  z->of_r = panel_get(g, z->to_r, panel_place(g, z->k, there, z->n));
  z->square = panel_square(g, z->k);
}

panel_reflection panel_reflect(cg *g, uint32_t pivot, uint32_t below, uint32_t square,
                               uint32_t m) {
  panel_reflection to;
  uint32_t type = cg_scalar_type(g, KF64), none = cg_real(g, KF64, 0);
  uint32_t left = panel_real(g, KOP_ADD, below, panel_real(g, KOP_MUL, pivot, pivot));
  left = cg_sqrt(g, KF64, left);
  uint32_t rows = spv_op(g->b, type, SpvOpConvertUToF, m);
  rows = panel_real(g, KOP_MUL, rows, cg_real(g, KF64, 0x1p-52));
  uint32_t least = panel_real(g, KOP_MUL, cg_sqrt(g, KF64, square), rows);
  uint32_t is = cg_cmp(g, KOP_GT, KF64, left, least);
  is = cg_both(g, is, cg_finite(g, KF64, left));
  cg_raise(g, cg_not(g, KB, is), 0, g->k->acc[0].fault, false);
  uint32_t minus = cg_cmp(g, KOP_GT, KF64, pivot, none);
  to.r = cg_pick(g, type, minus, cg_neg(g, KF64, left), left);
  to.v = panel_real(g, KOP_SUB, pivot, to.r);
  to.beta = cg_div(g, KF64, cg_real(g, KF64, -1), panel_real(g, KOP_MUL, to.r, to.v));
  return to;
}

/* The factors of the reflection, from the sums; of the two other workgroups, those of their rows. */
static void find_reflection(cg *g, panel_state *z) {
  uint32_t one = cg_real(g, KF64, 1);
  panel_reflection is =
      panel_reflect(g, z->pivot, column_sum(g, z, z->k), z->square, z->m);
  z->r = is.r;
  z->v = is.v;
  uint32_t d = panel_real(g, KOP_MUL, z->v, z->mine);
  d = panel_real(g, KOP_ADD, column_sum(g, z, z->j), d);
  z->by = panel_real(g, KOP_MUL, is.beta, d);
  uint32_t last = cg_is(g, SpvOpUGreaterThan, g->wid, z->blocks);
  z->scale = cg_pick(g, z->type, last, cg_div(g, KF64, one, z->r), is.beta);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, z->strip));
  spv_do(g->b, SpvOpStore, factor_at(g, z, z->j), cg_pick(g, z->type, last, z->of_r, d));
  spv_endif(g->b, merge);
  cg_barrier(g);
  d = spv_op(g->b, z->type, SpvOpLoad, factor_at(g, z, z->next));
  z->by_next = panel_real(g, KOP_MUL, is.beta, d);
}

/* Row k of the matrix of one of the two other workgroups; R's diagonal, and left of it. */
static void store_joined(cg *g, const panel_state *z) {
  uint32_t none = cg_real(g, KF64, 0), at = panel_place(g, z->j, z->k, z->n);
  uint32_t v = cg_neg(g, KF64, panel_real(g, KOP_MUL, z->scale, column_sum(g, z, z->j)));
  uint32_t is = cg_is(g, SpvOpIEqual, z->j, z->k), right = cg_less(g, z->k, z->j);
  v = cg_pick(g, z->type, is, z->scale, v);
  v = cg_pick(g, z->type, right, none, v);
  uint32_t merge = spv_if(g->b, z->there);
  panel_put(g, z->extra, at, v);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, cg_both(g, z->there, cg_not(g, KB, right)));
  panel_put(g, z->to_r, at, cg_pick(g, z->type, is, z->r, none));
  spv_endif(g->b, merge);
}

void panel_emit(cg *g) {
  panel_state z = panel_begin(g);
  bool first = g->o->panel.phase == PANEL_FIRST;
  uint32_t none = spv_u32(g->b, 0), is_block = cg_less(g, g->wid, z.blocks);
  find_memory(g, &z);
  if (!first) {
    z.after = cg_ui(g, SpvOpIAdd, z.k, 1);
    z.next = cg_least(g, g->u32, z.after, cg_ui(g, SpvOpISub, z.n, 1));
    find_parts(g, &z);
    load_step(g, &z);
    add_items(g, &z, z.blocks, block_sum);
    join_strips(g, &z);
    find_reflection(g, &z);
    add_items(g, &z, cg_pick(g, g->u32, is_block, none, z.k), joined_row);
  }
  add_rows(g, &z);
  join_strips(g, &z);
  uint32_t outer = spv_if(g->b, cg_is_zero(g, z.strip));
  uint32_t merge = spv_if(g->b, is_block);
  panel_put(g, z.sums_to, panel_place(g, z.j, g->wid, spv_u32(g->b, z.columns)),
            column_sum(g, &z, z.j));
  spv_endif(g->b, merge);
  if (!first) {
    merge = spv_if(g->b, cg_not(g, KB, is_block));
    store_joined(g, &z);
    spv_endif(g->b, merge);
  }
  spv_endif(g->b, outer);
}
