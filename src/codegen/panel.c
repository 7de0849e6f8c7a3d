/* SPDX-License-Identifier: MIT */
/* panel.c - the template for the reflections of a panel, by the order of operations of tables/panel.h.
 *
 *   PANEL_FIRST    the panel is stored; its blocks' sums for step 0
 *   PANEL_STEP     for each step k, with the sums of the pass before:
 *                    a workgroup for a block: its rows less the reflection; their sums for step k + 1
 *                    two more: row k of T', row k of R's inverse
 *
 * A thread has one column of one strip, and loads some rows of it together: WIDE rows of which none is one that a step treats
 * otherwise, the first ones or one behind the last, and else a batch. Workgroups of a step read what others change: so the panel
 * goes from one of two places to the other, whole rows of it, for parts of lines of memory are read before they are
 * written; the last step's is the result. Panels that fit are panel_held.c's.
 *
 * A step takes 7 µs whether the panel has 256 rows or 8192: it is a dispatch, and what waits for what. One of 2^20 × 9 numbers
 * on an H200 takes 55 µs, some 2.7 TB/s.
 *
 * TRIED on an H200: only what changes is stored, and V's columns where the result is, from where they are read: 2^20 × 9
 * 103 µs a step, for memory joins parts of lines. Rows are not loaded while those before are worked on: 2^18 × 33 1.3
 * times as long, 2^20 × 9 1.03. The rows of T' that a step adds up loaded early, too: registers do not suffice. All steps
 * in one dispatch, whose workgroups publish sums by atomics and wait for one another by a counter: 6 to 7 µs a step, too. */
#include "reflect.h"

#include "../base/arith.h"

enum { WIDE = 2 * PANEL_BATCH };
_Static_assert(WIDE *PANEL_THREADS / PANEL_COLUMNS >= PANEL_COLUMNS,
               "a step's row and the next one are among the first of these");

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool panel_serves(const cg_task *t) { return t->kind == CG_TASK_PANEL; }

static cg_pass *add_pass(cg_passes *p, const cg_task *t, const panel_shape *s) {
  cg_pass *pass = cg_add_pass(p, t, CG_PANEL);
  pass->o.width = 1;
  uint32_t unit = pass->o.subgroup > 32 ? pass->o.subgroup : 32;
  uint64_t threads = (uint64_t)(s->strips * t->columns);
  pass->o.workgroup = (uint32_t)round_up_u64(threads, unit);
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
  uint32_t columns, strips; /* numbers of the shape */
  uint32_t n, m;            /* u32 */
  uint32_t blocks, length;  /* u32 */
  uint32_t j, strip;        /* u32: the thread's column and strip, or the last one */
  uint32_t there;           /* bool: it has one */
  uint32_t place;           /* u32: of its value in workgroup memory */
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
  uint32_t right;          /* bool: the thread's column is behind column k */
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
  z.strip = cg_u(g, SpvOpUDiv, g->thread, z.n);
  z.j = cg_u(g, SpvOpISub, g->thread, cg_u(g, SpvOpIMul, z.strip, z.n));
  z.there = cg_less(g, z.strip, spv_u32(g->b, z.strips));
  z.strip = cg_least(g, g->u32, z.strip, spv_u32(g->b, z.strips - 1));
  z.place = panel_place(g, z.j, z.strip, spv_u32(g->b, z.columns));
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
  spv_do(g->b, SpvOpStore, shared_at(g, z, z->place),
         spv_op(g->b, z->type, SpvOpLoad, z->sum));
  cg_barrier(g);
  for (uint32_t half = z->strips / 2; half; half /= 2) {
    uint32_t merge = spv_if(g->b, cg_less(g, z->strip, spv_u32(g->b, half)));
    uint32_t a = spv_op(g->b, z->type, SpvOpLoad, shared_at(g, z, z->place));
    uint32_t other = shared_at(g, z, cg_ui(g, SpvOpIAdd, z->place, half * z->columns));
    uint32_t b = spv_op(g->b, z->type, SpvOpLoad, other);
    spv_do(g->b, SpvOpStore, shared_at(g, z, z->place), panel_real(g, KOP_ADD, a, b));
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
  uint32_t v = panel_get(g, z->extra, panel_place(g, z->j, i, z->n));
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
  uint32_t mine = cg_u(g, SpvOpIAdd, r->first, z->j);
  if (g->o->panel.phase == PANEL_FIRST) {
    r->a = panel_input(g, mine);
    r->c = panel_input(g, r->first);
    return;
  }
  r->a = panel_get(g, z->from, mine);
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

/* Column k of V is done with, and so is row k, to R; what is below it, a, and the columns before go on. */
static void store_row(cg *g, const panel_state *z, const panel_row *r, uint32_t v,
                      uint32_t a) {
  uint32_t above = cg_less(g, r->i, z->k), is_row = cg_is(g, SpvOpIEqual, r->i, z->k);
  uint32_t is_v = cg_is(g, SpvOpIEqual, z->j, z->k);
  uint32_t to_r = panel_at(g, z->to_r, panel_place(g, z->j, z->k, z->n));
  uint32_t to = panel_at(g, z->to, cg_u(g, SpvOpIAdd, r->first, z->j));
  to = cg_pick(g, g->u64, cg_both(g, is_row, z->right), to_r, to);
  v = cg_pick(g, z->type, above, cg_real(g, KF64, 0), v);
  a = cg_pick(g, z->type, cg_both(g, z->right, cg_not(g, KB, above)), a, r->a);
  a = cg_pick(g, z->type, is_v, v, a);
  uint32_t merge = spv_if(g->b, cg_both(g, r->there, z->there));
  cg_store(g, z->type, to, a, 8);
  spv_endif(g->b, merge);
}

static void step_row(cg *g, const panel_state *z, const panel_row *r) {
  uint32_t is_row = cg_is(g, SpvOpIEqual, r->i, z->k);
  uint32_t v = cg_pick(g, z->type, is_row, z->v, r->v);
  uint32_t a = panel_less(g, r->a, v, z->by), c = panel_less(g, r->c, v, z->by_next);
  store_row(g, z, r, v, a);
  uint32_t is_v = cg_is(g, SpvOpIEqual, z->j, z->k);
  uint32_t x = cg_pick(g, z->type, is_v, v, r->a);
  x = cg_pick(g, z->type, z->right, a, x);
  uint32_t below = cg_both(g, cg_less(g, z->after, r->i), r->there);
  add_where(g, z, below, panel_real(g, KOP_MUL, c, x));
}

/* A batch of the thread's rows, from number `first` (u32) on, whose loads are issued together. */
static void add_batch(cg *g, const panel_state *z, uint32_t first) {
  panel_row r[PANEL_BATCH];
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    r[i] = find_row(g, z, cg_next(g, first, i));
    load_row(g, z, &r[i]);
  }
  for (uint32_t i = 0; i < PANEL_BATCH; i++) {
    if (g->o->panel.phase == PANEL_FIRST) first_row(g, z, &r[i]);
    else step_row(g, z, &r[i]);
  }
}

/* Places of the thread's rows of WIDE × strips rows, the first of which is row `first` (u32). */
static void wide_places(cg *g, const panel_state *z, uint32_t first, uint32_t at[WIDE]) {
  uint32_t apart = cg_ui(g, SpvOpIMul, z->n, z->strips);
  at[0] = cg_u(g, SpvOpIMul, cg_u(g, SpvOpIAdd, first, z->strip), z->n);
  for (uint32_t i = 1; i < WIDE; i++) at[i] = cg_u(g, SpvOpIAdd, at[i - 1], apart);
}

static void load_wide(cg *g, const panel_state *z, uint32_t first, const uint32_t *var) {
  uint32_t at[WIDE];
  wide_places(g, z, first, at);
  for (uint32_t i = 0; i < WIDE; i++)
    spv_do(g->b, SpvOpStore, var[i],
           panel_get(g, z->from, cg_u(g, SpvOpIAdd, at[i], z->j)));
}

/* They are all below row k + 1; what the thread has of column k is v. */
static void step_wide(cg *g, const panel_state *z, const uint32_t *at, uint32_t *a) {
  uint32_t sum = spv_op(g->b, z->type, SpvOpLoad, z->sum);
  for (uint32_t i = 0; i < WIDE; i++) {
    uint32_t v = panel_get(g, z->from, cg_u(g, SpvOpIAdd, at[i], z->k));
    uint32_t c = panel_get(g, z->from, cg_u(g, SpvOpIAdd, at[i], z->next));
    uint32_t less = panel_less(g, a[i], v, z->by);
    a[i] = cg_pick(g, z->type, z->right, less, a[i]);
    c = panel_less(g, c, v, z->by_next);
    sum = panel_real(g, KOP_ADD, sum, panel_real(g, KOP_MUL, c, a[i]));
  }
  spv_do(g->b, SpvOpStore, z->sum, sum);
  uint32_t merge = spv_if(g->b, z->there);
  for (uint32_t i = 0; i < WIDE; i++)
    panel_put(g, z->to, cg_u(g, SpvOpIAdd, at[i], z->j), a[i]);
  spv_endif(g->b, merge);
}

/* The block's rows from number WIDE × `from` to WIDE × `end` - 1 of each strip, u32: the next ones are loaded while
 * some are worked on. */
static void add_wide(cg *g, const panel_state *z, uint32_t from, uint32_t end) {
  uint32_t var[WIDE], at[WIDE], a[WIDE], unit = spv_u32(g->b, WIDE * z->strips);
  uint32_t block = cg_u(g, SpvOpIMul, g->wid, cg_ui(g, SpvOpIMul, z->length, z->strips));
  uint32_t some = cg_less(g, from, end), last = cg_ui(g, SpvOpISub, end, 1);
  for (uint32_t i = 0; i < WIDE; i++) var[i] = spv_local(g->b, z->type, 0);
  uint32_t merge = spv_if(g->b, some);
  load_wide(g, z, panel_place(g, block, from, unit), var);
  spv_endif(g->b, merge);
  uint32_t n = cg_pick(g, g->u32, some, cg_u(g, SpvOpISub, end, from), spv_u32(g->b, 0));
  spv_loop l = spv_for(g->b, n);
  uint32_t now = cg_u(g, SpvOpIAdd, from, l.i);
  uint32_t next = cg_least(g, g->u32, cg_ui(g, SpvOpIAdd, now, 1), last);
  for (uint32_t i = 0; i < WIDE; i++) a[i] = spv_op(g->b, z->type, SpvOpLoad, var[i]);
  load_wide(g, z, panel_place(g, block, next, unit), var);
  wide_places(g, z, panel_place(g, block, now, unit), at);
  step_wide(g, z, at, a);
  spv_endfor(g->b, &l);
}

/* Batches from number `from` to `end` - 1, u32. */
static void add_batches(cg *g, const panel_state *z, uint32_t from, uint32_t end) {
  uint32_t n = cg_u(g, SpvOpISub, end, from);
  n = cg_pick(g, g->u32, cg_less(g, from, end), n, spv_u32(g->b, 0));
  spv_loop l = spv_for(g->b, n);
  uint32_t batch = cg_u(g, SpvOpIAdd, from, l.i);
  add_batch(g, z, cg_ui(g, SpvOpIMul, batch, PANEL_BATCH));
  spv_endfor(g->b, &l);
}

/* `batches` (u32) batches, those that may be by two: some may be before these, some behind them. */
static void add_step(cg *g, panel_state *z, uint32_t batches) {
  uint32_t none = spv_u32(g->b, 0), one = spv_u32(g->b, 1), unit = WIDE * z->strips;
  uint32_t block = cg_u(g, SpvOpIMul, g->wid, cg_ui(g, SpvOpIMul, z->length, z->strips));
  uint32_t rows = cg_u(g, SpvOpISub, z->m, block);
  uint32_t end = cg_least(g, g->u32, cg_ui(g, SpvOpUDiv, batches, 2),
                          cg_ui(g, SpvOpUDiv, rows, unit));
  uint32_t from = cg_pick(g, g->u32, cg_is_zero(g, g->wid), one, none);
  from = cg_least(g, g->u32, from, end);
  spv_loop l = spv_for(g->b, spv_u32(g->b, 2));
  uint32_t begins = cg_is_zero(g, l.i);
  uint32_t first = cg_pick(g, g->u32, begins, none, cg_ui(g, SpvOpIMul, end, 2));
  uint32_t then = cg_pick(g, g->u32, begins, cg_ui(g, SpvOpIMul, from, 2), batches);
  add_batches(g, z, first, then);
  add_wide(g, z, cg_pick(g, g->u32, begins, from, end), end);
  spv_endfor(g->b, &l);
}

/* The rows of the workgroup's block; none of the two workgroups behind the blocks. */
static void add_rows(cg *g, panel_state *z) {
  uint32_t batches = cg_ui(g, SpvOpUDiv, z->length, PANEL_BATCH), none = spv_u32(g->b, 0);
  batches = cg_pick(g, g->u32, cg_less(g, g->wid, z->blocks), batches, none);
  if (g->o->panel.phase == PANEL_STEP) add_step(g, z, batches);
  else add_batches(g, z, none, batches);
}

/* ── a step ─────────────────────────────────────────────────────────────────────────── */

static uint32_t column_sum(cg *g, const panel_state *z, uint32_t j) {
  return spv_op(g->b, z->type, SpvOpLoad, shared_at(g, z, j));
}

/* Where the parts of the result behind V are; V itself with the last step. */
static void find_parts(cg *g, panel_state *z) {
  uint32_t v = cg_u(g, SpvOpIMul, z->m, z->n), part = PANEL_SLOT(g, steps);
  part = cg_u(g, SpvOpIMul, part, z->n);
  uint32_t last = cg_is(g, SpvOpUGreaterThan, g->wid, z->blocks);
  uint32_t t = panel_at(g, g->out[0], v), inverse = panel_at(g, t, part);
  z->extra = cg_pick(g, g->u64, last, inverse, t);
  z->to_r = panel_at(g, inverse, part);
  uint32_t done = cg_is(g, SpvOpIEqual, z->after, PANEL_SLOT(g, steps));
  z->to = cg_pick(g, g->u64, done, g->out[0], z->to);
  z->right = cg_less(g, z->k, z->j);
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
  z->mine = panel_get(g, z->from, cg_u(g, SpvOpIAdd, first, z->j));
  /* R's rows that are not there yet count for nothing. */
  uint32_t there = cg_least(g, g->u32, z->j, z->k);
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
