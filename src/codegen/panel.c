/* SPDX-License-Identifier: MIT */
/* panel.c - the template for the reflections of a panel, by the order of operations of tables/panel.h.
 *
 *   PANEL_FIRST    the panel is stored; its blocks' sums for step 0
 *   PANEL_STEP     for each step k, with the sums of the pass before:
 *                    a workgroup for a block: its rows less the reflection; their sums for step k + 1
 *                    two more: row k of T', row k of R's inverse
 *
 * A thread has one column of one strip. It loads some rows of it while it works on those before, the first ones
 * while the sums are made (a system of 2048 columns: 19.1 to 18.0 ms on an H200). Workgroups of a step read what
 * others change: so what is left of the panel goes from one of two places to the other, and only what is final is
 * stored where the result is.
 *
 * A step takes 7 µs whether the panel has 256 rows or 8192: it is a dispatch, and what waits for what.
 *
 * TRIED: the rows of T' that a step adds up loaded early, too: registers do not suffice, 18.0 to 20.8 ms, of 4096
 * columns 46 to 101. By estimate: all steps in one workgroup. Its processor reads a panel of 2048 × 64 at a tenth of
 * the speed of all of them; panels of 8 columns would stay in its registers. All steps in one dispatch, whose workgroups
 * keep their rows in registers, publish sums by atomics and wait for one another by a counter: 6 to 7 µs a step, too.
 * Row k in a place of its own, one body for the first pass and the steps, only the first batch loaded ahead: 41 lines
 * less, 16.5 to 17.9 ms of the device, of 4096 columns 43.8 to 46.6.
 */
#include "template.h"

#include "../base/arith.h"
#include "../tables/panel.h"
#include "cg_arith.h"

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

static uint32_t element_at(cg *g, uint32_t base, uint32_t i) {
  return cg_addr(g, base, cg_to_ix(g, i), 3);
}
static uint32_t get(cg *g, const panel_state *z, uint32_t base, uint32_t i) {
  return cg_load(g, z->type, element_at(g, base, i), 8);
}
static void put(cg *g, const panel_state *z, uint32_t base, uint32_t i, uint32_t v) {
  cg_store(g, z->type, element_at(g, base, i), v, 8);
}
static uint32_t real(cg *g, kop op, uint32_t a, uint32_t b) {
  return cg_arith(g, op, KF64, a, b);
}
/* a + b × c, of u32. */
static uint32_t place(cg *g, uint32_t a, uint32_t b, uint32_t c) {
  return cg_u(g, SpvOpIAdd, a, cg_u(g, SpvOpIMul, b, c));
}
static uint32_t quotient_up(cg *g, uint32_t a, uint32_t by) {
  return cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, a, by - 1), by);
}
static uint32_t shared_at(cg *g, const panel_state *z, uint32_t i) {
  return cg_shared_ptr(g, z->type, z->shared, i);
}
static uint32_t factor_at(cg *g, const panel_state *z, uint32_t i) {
  return cg_shared_ptr(g, z->type, z->factors, i);
}
static uint32_t own_slot(cg *g, uint32_t which) {
  return cg_slot_u32(g, CG_SLOT_OWN + which);
}
#define PANEL_SLOT(field) (uint32_t)(offsetof(panel_geom, field) / sizeof(int64_t))

static panel_state panel_begin(cg *g) {
  panel_state z = {.columns = g->o->panel.columns, .type = cg_scalar_type(g, KF64)};
  z.strips = PANEL_THREADS / z.columns;
  z.m = own_slot(g, PANEL_SLOT(rows));
  z.length = own_slot(g, PANEL_SLOT(length));
  z.blocks = own_slot(g, PANEL_SLOT(blocks));
  z.k = own_slot(g, PANEL_SLOT(step));
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
  z->from = element_at(g, own, cg_u(g, SpvOpIMul, all, odd));
  z->to = element_at(g, own, cg_u(g, SpvOpIMul, all, even));
  uint32_t sums = element_at(g, own, cg_ui(g, SpvOpIMul, all, 2));
  z->sums = element_at(g, sums, cg_u(g, SpvOpIMul, each, odd));
  z->sums_to = element_at(g, sums, cg_u(g, SpvOpIMul, each, even));
}

/* ── sums ───────────────────────────────────────────────────────────────────────────── */

static void add_where(cg *g, const panel_state *z, uint32_t is, uint32_t v) {
  uint32_t old = spv_op(g->b, z->type, SpvOpLoad, z->sum);
  v = cg_pick(g, z->type, is, v, cg_real(g, KF64, 0));
  spv_do(g->b, SpvOpStore, z->sum, real(g, KOP_ADD, old, v));
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
    spv_do(g->b, SpvOpStore, shared_at(g, z, g->thread), real(g, KOP_ADD, a, b));
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
  spv_loop l = spv_for(g->b, quotient_up(g, count, ITEMS * z->strips));
  for (uint32_t i = 0; i < ITEMS; i++) {
    uint32_t at = cg_next(g, cg_ui(g, SpvOpIMul, l.i, ITEMS), i);
    at = place(g, z->strip, at, spv_u32(g->b, z->strips));
    is[i] = cg_less(g, at, count);
    v[i] = item(g, z, cg_least(g, g->u32, at, last));
  }
  for (uint32_t i = 0; i < ITEMS; i++) add_where(g, z, is[i], v[i]);
  spv_endfor(g->b, &l);
}

static uint32_t block_sum(cg *g, const panel_state *z, uint32_t i) {
  return get(g, z, z->sums, place(g, z->j, i, spv_u32(g->b, z->columns)));
}
static uint32_t joined_row(cg *g, const panel_state *z, uint32_t i) {
  uint32_t by = spv_op(g->b, z->type, SpvOpLoad, factor_at(g, z, i));
  uint32_t v = get(g, z, z->extra, place(g, z->column, i, z->n));
  return real(g, KOP_MUL, by, v);
}

/* ── rows ───────────────────────────────────────────────────────────────────────────── */

/* A row of the thread's: its number and the place of its first element, u32; bool: it exists. */
typedef struct panel_row {
  uint32_t i, first, there;
  uint32_t a, v, c; /* the thread's element; what the row has in columns k and k + 1 */
} panel_row;

static panel_row find_row(cg *g, const panel_state *z, uint32_t number) {
  uint32_t size = cg_ui(g, SpvOpIMul, z->length, z->strips), i = number;
  i = place(g, z->strip, i, spv_u32(g->b, z->strips));
  i = place(g, i, g->wid, size);
  panel_row r = {.i = i, .there = cg_less(g, i, z->m)};
  i = cg_least(g, g->u32, i, cg_ui(g, SpvOpISub, z->m, 1));
  r.first = cg_u(g, SpvOpIMul, i, z->n);
  return r;
}

static uint32_t input_at(cg *g, uint32_t i) {
  cg_pos p = {.i = cg_to_ix(g, i)};
  return cg_source(g, &p, NULL).id[0];
}

static void load_row(cg *g, const panel_state *z, panel_row *r) {
  uint32_t mine = cg_u(g, SpvOpIAdd, r->first, z->column);
  if (g->o->panel.phase == PANEL_FIRST) {
    r->a = input_at(g, mine);
    r->c = input_at(g, r->first);
    return;
  }
  /* Left of column k it is V's, which are stored where the result is. */
  uint32_t left = cg_less(g, z->column, z->k);
  r->a = get(g, z, cg_pick(g, g->u64, left, g->out[0], z->from), mine);
  r->v = get(g, z, z->from, cg_u(g, SpvOpIAdd, r->first, z->k));
  r->c = get(g, z, z->from, cg_u(g, SpvOpIAdd, r->first, z->next));
}

static void first_row(cg *g, const panel_state *z, const panel_row *r) {
  uint32_t merge = spv_if(g->b, cg_both(g, r->there, z->there));
  put(g, z, z->to, cg_u(g, SpvOpIAdd, r->first, z->j), r->a);
  spv_endif(g->b, merge);
  uint32_t below = cg_less(g, spv_u32(g->b, 0), r->i);
  add_where(g, z, cg_both(g, below, r->there), real(g, KOP_MUL, r->c, r->a));
}

/* a - v × t. */
static uint32_t reflected(cg *g, uint32_t a, uint32_t v, uint32_t by) {
  return real(g, KOP_SUB, a, real(g, KOP_MUL, v, by));
}

/* Column k of V is done with, and so is row k, to R; what is below it goes on. */
static void store_row(cg *g, const panel_state *z, const panel_row *r, uint32_t v,
                      uint32_t a) {
  uint32_t above = cg_less(g, r->i, z->k), is_row = cg_is(g, SpvOpIEqual, r->i, z->k);
  uint32_t is_v = cg_is(g, SpvOpIEqual, z->j, z->k), right = cg_less(g, z->k, z->j);
  uint32_t mine = cg_u(g, SpvOpIAdd, r->first, z->j), to = z->to;
  uint32_t to_r = element_at(g, z->to_r, place(g, z->j, z->k, z->n));
  uint32_t to_v = element_at(g, g->out[0], mine);
  to = element_at(g, z->to, mine);
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
  uint32_t a = reflected(g, r->a, v, z->by), c = reflected(g, r->c, v, z->by_next);
  store_row(g, z, r, v, a);
  uint32_t right = cg_less(g, z->k, z->j), is_v = cg_is(g, SpvOpIEqual, z->j, z->k);
  uint32_t x = cg_pick(g, z->type, is_v, v, r->a);
  x = cg_pick(g, z->type, right, a, x);
  uint32_t below = cg_both(g, cg_less(g, z->after, r->i), r->there);
  add_where(g, z, below, real(g, KOP_MUL, c, x));
}

/* Batch number `batch` (u32) of the thread's rows is loaded, into variables. */
typedef struct panel_rows {
  uint32_t a[PANEL_BATCH], v[PANEL_BATCH], c[PANEL_BATCH];
} panel_rows;

static panel_rows rows_begin(cg *g, const panel_state *z) {
  panel_rows to;
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    to.a[i] = spv_local(g->b, z->type, 0);
    to.v[i] = spv_local(g->b, z->type, 0);
    to.c[i] = spv_local(g->b, z->type, 0);
  }
  return to;
}

static void load_rows(cg *g, const panel_state *z, uint32_t batch, const panel_rows *to) {
  panel_row r[PANEL_BATCH];
  uint32_t first = cg_ui(g, SpvOpIMul, batch, PANEL_BATCH);
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    r[i] = find_row(g, z, cg_next(g, first, i));
    load_row(g, z, &r[i]);
  }
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    spv_do(g->b, SpvOpStore, to->a[i], r[i].a);
    if (r[i].v) spv_do(g->b, SpvOpStore, to->v[i], r[i].v);
    spv_do(g->b, SpvOpStore, to->c[i], r[i].c);
  }
}

/* The workgroup's block, whose first batch is loaded; none of the two workgroups behind the blocks. */
static void add_rows(cg *g, const panel_state *z, const panel_rows *from) {
  panel_row r[PANEL_BATCH];
  uint32_t batches = cg_ui(g, SpvOpUDiv, z->length, PANEL_BATCH), none = spv_u32(g->b, 0);
  uint32_t is = cg_less(g, g->wid, z->blocks);
  spv_loop l = spv_for(g->b, cg_pick(g, g->u32, is, batches, none));
  uint32_t first = cg_ui(g, SpvOpIMul, l.i, PANEL_BATCH);
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    r[i] = find_row(g, z, cg_next(g, first, i));
    r[i].a = spv_op(g->b, z->type, SpvOpLoad, from->a[i]);
    r[i].v = spv_op(g->b, z->type, SpvOpLoad, from->v[i]);
    r[i].c = spv_op(g->b, z->type, SpvOpLoad, from->c[i]);
  }
  uint32_t next = cg_ui(g, SpvOpIAdd, l.i, 1),
           merge = spv_if(g->b, cg_less(g, next, batches));
  load_rows(g, z, next, from);
  spv_endif(g->b, merge);
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
  uint32_t v = cg_u(g, SpvOpIMul, z->m, z->n), part = own_slot(g, PANEL_SLOT(steps));
  part = cg_u(g, SpvOpIMul, part, z->n);
  uint32_t last = cg_is(g, SpvOpUGreaterThan, g->wid, z->blocks);
  uint32_t t = element_at(g, g->out[0], v), inverse = element_at(g, t, part);
  z->extra = cg_pick(g, g->u64, last, inverse, t);
  z->to_r = element_at(g, inverse, part);
}

/* What a step reads besides rows: it is under way while the sums are made. */
static void load_step(cg *g, panel_state *z) {
  uint32_t first = cg_u(g, SpvOpIMul, z->k, z->n), at = cg_slot_ix(g, CG_SLOT_INPUTS + 1);
  z->pivot = get(g, z, z->from, cg_u(g, SpvOpIAdd, first, z->k));
  uint32_t is_left = cg_less(g, z->column, z->k);
  uint32_t row = cg_pick(g, g->u64, is_left, g->out[0], z->from);
  z->mine = get(g, z, row, cg_u(g, SpvOpIAdd, first, z->column));
  /* R's rows that are not there yet count for nothing. */
  uint32_t there = cg_least(g, g->u32, z->column, z->k);
  z->of_r = get(g, z, z->to_r, place(g, z->k, there, z->n));
  at = cg_x(g, SpvOpIAdd, at, cg_to_ix(g, z->k));
  z->square = cg_load(g, z->type, cg_addr(g, cg_slot(g, CG_SLOT_INPUTS), at, 3), 8);
}

/* Is column k, of length `left`, one of those before it, or not finite? */
static void check_column(cg *g, const panel_state *z, uint32_t left) {
  uint32_t rows = spv_op(g->b, z->type, SpvOpConvertUToF, z->m);
  rows = real(g, KOP_MUL, rows, cg_real(g, KF64, 0x1p-52));
  uint32_t least = real(g, KOP_MUL, cg_sqrt(g, KF64, z->square), rows);
  uint32_t is = cg_cmp(g, KOP_GT, KF64, left, least);
  is = cg_both(g, is, cg_finite(g, KF64, left));
  cg_raise(g, cg_not(g, KB, is), 0, g->k->acc[0].fault, false);
}

/* The factors of the reflection, from the sums; of the two other workgroups, those of their rows. */
static void find_reflection(cg *g, panel_state *z) {
  uint32_t a = z->pivot, one = cg_real(g, KF64, 1);
  uint32_t square = real(g, KOP_ADD, column_sum(g, z, z->k), real(g, KOP_MUL, a, a));
  uint32_t left = cg_sqrt(g, KF64, square);
  check_column(g, z, left);
  uint32_t minus = cg_cmp(g, KOP_GT, KF64, a, cg_real(g, KF64, 0));
  z->r = cg_pick(g, z->type, minus, cg_neg(g, KF64, left), left);
  z->v = real(g, KOP_SUB, a, z->r);
  uint32_t beta = cg_div(g, KF64, cg_real(g, KF64, -1), real(g, KOP_MUL, z->r, z->v));
  uint32_t d = real(g, KOP_MUL, z->v, z->mine);
  d = real(g, KOP_ADD, column_sum(g, z, z->j), d);
  z->by = real(g, KOP_MUL, beta, d);
  uint32_t last = cg_is(g, SpvOpUGreaterThan, g->wid, z->blocks);
  z->scale = cg_pick(g, z->type, last, cg_div(g, KF64, one, z->r), beta);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, z->strip));
  spv_do(g->b, SpvOpStore, factor_at(g, z, z->j), cg_pick(g, z->type, last, z->of_r, d));
  spv_endif(g->b, merge);
  cg_barrier(g);
  d = spv_op(g->b, z->type, SpvOpLoad, factor_at(g, z, z->next));
  z->by_next = real(g, KOP_MUL, beta, d);
}

/* Row k of the matrix of one of the two other workgroups; R's diagonal, and left of it. */
static void store_joined(cg *g, const panel_state *z) {
  uint32_t none = cg_real(g, KF64, 0), at = place(g, z->j, z->k, z->n);
  uint32_t v = cg_neg(g, KF64, real(g, KOP_MUL, z->scale, column_sum(g, z, z->j)));
  uint32_t is = cg_is(g, SpvOpIEqual, z->j, z->k), right = cg_less(g, z->k, z->j);
  v = cg_pick(g, z->type, is, z->scale, v);
  v = cg_pick(g, z->type, right, none, v);
  uint32_t merge = spv_if(g->b, z->there);
  put(g, z, z->extra, at, v);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, cg_both(g, z->there, cg_not(g, KB, right)));
  put(g, z, z->to_r, at, cg_pick(g, z->type, is, z->r, none));
  spv_endif(g->b, merge);
}

void panel_emit(cg *g) {
  panel_state z = panel_begin(g);
  bool first = g->o->panel.phase == PANEL_FIRST;
  uint32_t none = spv_u32(g->b, 0), is_block = cg_less(g, g->wid, z.blocks);
  find_memory(g, &z);
  panel_rows rows = rows_begin(g, &z);
  if (!first) {
    z.after = cg_ui(g, SpvOpIAdd, z.k, 1);
    z.next = cg_least(g, g->u32, z.after, cg_ui(g, SpvOpISub, z.n, 1));
    find_parts(g, &z);
    load_step(g, &z);
  }
  load_rows(g, &z, none, &rows);
  if (!first) {
    add_items(g, &z, z.blocks, block_sum);
    join_strips(g, &z);
    find_reflection(g, &z);
    add_items(g, &z, cg_pick(g, g->u32, is_block, none, z.k), joined_row);
  }
  add_rows(g, &z, &rows);
  join_strips(g, &z);
  uint32_t outer = spv_if(g->b, cg_is_zero(g, z.strip));
  uint32_t merge = spv_if(g->b, is_block);
  put(g, &z, z.sums_to, place(g, z.j, g->wid, spv_u32(g->b, z.columns)),
      column_sum(g, &z, z.j));
  spv_endif(g->b, merge);
  if (!first) {
    merge = spv_if(g->b, cg_not(g, KB, is_block));
    store_joined(g, &z);
    spv_endif(g->b, merge);
  }
  spv_endif(g->b, outer);
}
