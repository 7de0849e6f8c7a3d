/* SPDX-License-Identifier: MIT */
/* panel_held.c - the template for the reflections of a panel that a few workgroups hold in registers, by the order
 * of operations of tables/panel.h.
 *
 *   HELD_COPY   the panel's columns, a workgroup each, are put where neighbouring threads will load neighbours; V's
 *                 columns are marked as missing
 *   HELD_STEP   a workgroup for each group of `columns` columns changes them by reflection after reflection, as the
 *                 groups before publish them; then it publishes its own; then it gives the products d of its columns
 *                 with the reflections of the groups behind
 *   HELD_JOIN   some workgroups: T' from the products, R's inverse from R, four threads for each column; others put V's
 *                 columns in their places
 *
 * A thread has one strip: `length` rows of all columns of its workgroup's group. So a sum over rows is one of each
 * thread's, of four neighbouring threads, and of all blocks by way of workgroup memory, two barriers; where panel.c's
 * steps meet in memory, a dispatch for each.
 *
 * What is published is an atomic word of 64 bits for each number, and needs no order: one that no arithmetic makes
 * says that the number is missing. Every wait ends: a thread that has looked `patience` times goes on with anything, and
 * the panel escapes to the host. Where they may not wait for long (and tests do not starve them) workgroups work one after
 * another, a dispatch for each, and one for the products.
 *
 * TRIED on an H200: a dispatch for each group, which takes the reflections of the group before: 225 µs a panel of 2048 rows,
 * of which dispatches 60, loads and stores of columns 45. */
#include "reflect.h"

#include "../base/arith.h"

enum {
  STRIPS = PANEL_THREADS / PANEL_COLUMNS, /* of a block: neighbouring threads */
  HELD = 32,                              /* numbers of a thread, at most */
  HELD_BY_MOST = 16,                      /* where workgroups have MOST_THREADS */
  FEW_THREADS = 256,
  MOST_THREADS = 512,
  JOINERS = 4, /* workgroups for each of T' and R's inverse */
  LONG = 1024  /* looks */
};

/* ── how ────────────────────────────────────────────────────────────────────────────── */

static bool has_many_strips(const panel_shape *s) {
  return s->blocks * s->strips > FEW_THREADS;
}
static int64_t columns_of(const panel_shape *s) {
  return (has_many_strips(s) ? HELD_BY_MOST : HELD) / s->length;
}

/* Workgroups wait for one another: all of them are to run, one to a processor. */
bool panel_held_serves(const cg_task *t) {
  if (t->kind != CG_TASK_PANEL || t->common->subgroup < STRIPS) return false;
  panel_shape s = panel_shape_of(t->len / t->columns, t->columns);
  if (s.strips != STRIPS || s.length > HELD_BY_MOST) return false;
  int64_t groups = ceil_div(t->columns, columns_of(&s));
  return 2 * groups <= t->resident && MOST_THREADS <= t->most_threads;
}

static cg_pass *add_pass(cg_passes *p, const cg_task *t, held_phase phase,
                         int64_t workgroups, const held_opts *o) {
  cg_pass *pass = cg_add_pass(p, t, CG_PANEL_HELD);
  pass->o.panel_held = *o;
  pass->o.panel_held.phase = phase;
  pass->o.width = 1;
  pass->o.workgroup = phase == HELD_JOIN ? FEW_THREADS : o->threads;
  pass->geom = (cg_geom){.rows = 1, .len = t->len, .inner = t->columns, .tiles = 1};
  pass->geom.workgroups = workgroups;
  pass->geom.panel = (panel_geom){.rows = t->len / t->columns,
                                  .steps = (t->places - t->len) / t->columns / 3};
  pass->to = CG_OWN;
  return pass;
}

void panel_held_passes(const cg_task *t, cg_passes *p) {
  panel_shape s = panel_shape_of(t->len / t->columns, t->columns);
  held_opts o = {.length = (uint32_t)s.length, .patience = t->patience};
  o.alone = t->patience < LONG && !t->starve;
  o.threads = has_many_strips(&s) ? MOST_THREADS : FEW_THREADS;
  o.columns = (uint32_t)columns_of(&s);
  int64_t groups = ceil_div(t->columns, o.columns), columns = groups * o.columns;
  p->own[0] = 2 * columns * o.length * o.threads + PANEL_COLUMNS * (PANEL_COLUMNS + 1);
  add_pass(p, t, HELD_COPY, columns, &o);
  cg_pass *step = add_pass(p, t, HELD_STEP, groups, &o);
  if (o.alone) step->times = (uint32_t)groups + 1;
  add_pass(p, t, HELD_JOIN, 2 * JOINERS + t->columns, &o);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct held {
  uint32_t columns, length, threads; /* numbers */
  uint32_t f64;                      /* a type */
  uint32_t n, m, steps, groups;      /* u32 */
  uint32_t block, strip;             /* u32: the thread's, of the panel and of that */
  uint32_t first;                    /* u32: the group's first column */
  uint32_t v, t, r;                  /* u64: parts of the result, by rows of n */
  /* u64: columns, of each the threads' first rows, then their second; likewise V's, and β; products d */
  uint32_t work, told, beta, d;
  uint32_t row[HELD]; /* u32: the thread's */
  uint32_t a[HELD];   /* variables: a row's columns lie behind one another */
  /* Variables: the words of the next reflection, of the thread's rows, v and β; has a wait timed out, bool */
  uint32_t by[HELD + 2], late;
  /* workgroup memory: sums of blocks, a column behind another; of all; row k of the group, in one of four places, for some
   * threads may still read the one before; where it is, u32 */
  uint32_t blocks, sums, pivots, pivot;
} held;

static uint32_t get(cg *g, const held *z, uint32_t var) {
  return spv_op(g->b, z->f64, SpvOpLoad, var);
}
static void set(cg *g, uint32_t var, uint32_t v) { spv_do(g->b, SpvOpStore, var, v); }
static uint32_t shared(cg *g, const held *z, uint32_t array, uint32_t i) {
  return cg_shared_ptr(g, z->f64, array, i);
}
static uint32_t column_of(cg *g, const held *z, uint32_t c) {
  return cg_next(g, z->first, c);
}
static uint32_t equal(cg *g, uint32_t a, uint32_t b) {
  return cg_is(g, SpvOpIEqual, a, b);
}

static held held_begin(cg *g) {
  const held_opts *o = &g->o->panel_held;
  held z = {.columns = o->columns, .length = o->length, .threads = o->threads};
  z.f64 = cg_scalar_type(g, KF64);
  z.n = cg_slot_u32(g, CG_SLOT_INNER);
  z.m = PANEL_SLOT(g, rows);
  z.steps = PANEL_SLOT(g, steps);
  uint32_t part = cg_u(g, SpvOpIMul, z.steps, z.n);
  z.v = cg_slot(g, cg_out_slot(g->k, 0)); /* all passes store there, not the last alone */
  z.t = panel_at(g, z.v, cg_u(g, SpvOpIMul, z.m, z.n));
  z.r = panel_at(g, z.t, cg_ui(g, SpvOpIMul, part, 2));
  z.d = cg_slot(g, CG_SLOT_TO);
  z.beta = panel_at(g, z.d, spv_u32(g->b, PANEL_COLUMNS * PANEL_COLUMNS));
  z.told = panel_at(g, z.beta, spv_u32(g->b, PANEL_COLUMNS));
  z.groups = panel_quotient(g, z.n, z.columns);
  z.block = cg_ui(g, SpvOpUDiv, g->thread, STRIPS);
  z.strip = cg_ui(g, SpvOpBitwiseAnd, g->thread, STRIPS - 1);
  uint32_t columns = cg_ui(g, SpvOpIMul, z.groups, z.columns * z.length * z.threads);
  z.work = panel_at(g, z.told, columns);
  z.first = cg_ui(g, SpvOpIMul, g->wid, z.columns);
  return z;
}

/* The rows of thread number `thread` (u32): of a block of four strips, every fourth. */
static void find_rows(cg *g, held *z, uint32_t thread) {
  uint32_t block = cg_ui(g, SpvOpUDiv, thread, STRIPS);
  uint32_t strip = cg_ui(g, SpvOpBitwiseAnd, thread, STRIPS - 1);
  uint32_t at = panel_place(g, strip, block, spv_u32(g->b, STRIPS * z->length));
  for (uint32_t i = 0; i < z->length; i++) z->row[i] = cg_next(g, at, i * STRIPS);
}

/* Where the thread's row i of a column (u32) is. */
static uint32_t work_at(cg *g, const held *z, uint32_t column, uint32_t i,
                        uint32_t thread) {
  uint32_t at = cg_next(g, cg_ui(g, SpvOpIMul, column, z->length), i);
  return panel_place(g, thread, at, spv_u32(g->b, z->threads));
}

/* ── what is published ──────────────────────────────────────────────────────────────── */

static const uint64_t missing = 0xFFFDA55A5AA55A5A;

/* Word i (u32) at an address. */
static void publish(cg *g, uint32_t base, uint32_t i, uint32_t word) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t ptr = cg_pointer(g, g->u64, panel_at(g, base, i));
  spv_cap(g->b, SpvCapabilityInt64Atomics);
  spv_do(g->b, SpvOpAtomicStore, ptr, device, relaxed, word);
}
static void publish_real(cg *g, uint32_t base, uint32_t i, uint32_t v) {
  publish(g, base, i, spv_op(g->b, g->u64, SpvOpBitcast, v));
}
static uint32_t look_at(cg *g, uint32_t base, uint32_t i) {
  uint32_t device = spv_u32(g->b, SpvScopeDevice), relaxed = spv_u32(g->b, 0);
  uint32_t ptr = cg_pointer(g, g->u64, panel_at(g, base, i));
  return spv_op(g->b, g->u64, SpvOpAtomicLoad, ptr, device, relaxed);
}

/* Looks at reflection k (u32). */
static void look(cg *g, const held *z, uint32_t k) {
  uint32_t word[HELD + 2], n = z->length, size = STRIPS * n;
  uint32_t i = cg_ui(g, SpvOpUMod, cg_ui(g, SpvOpUDiv, k, STRIPS), n);
  uint32_t thread = cg_ui(g, SpvOpIMul, cg_ui(g, SpvOpUDiv, k, size), STRIPS);
  thread = cg_u(g, SpvOpIAdd, thread, cg_ui(g, SpvOpBitwiseAnd, k, STRIPS - 1));
  i = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, k, n), i);
  for (uint32_t j = 0; j < n; j++)
    word[j] = look_at(g, z->told, work_at(g, z, k, j, g->thread));
  word[n] = look_at(g, z->told, panel_place(g, thread, i, spv_u32(g->b, z->threads)));
  word[n + 1] = look_at(g, z->beta, k);
  for (uint32_t j = 0; j < n + 2; j++) set(g, z->by[j], word[j]);
}

/* Looks again until all of it is there, or patience ends. */
static void await_reflection(cg *g, const held *z, uint32_t k) {
  uint32_t kb = spv_bool(g->b), looks = spv_local(g->b, g->u32, 0),
           patience = g->o->panel_held.patience;
  spv_do(g->b, SpvOpStore, looks, spv_u32(g->b, 0));
  spv_loop l = spv_forever(g->b);
  uint32_t lacks = 0, n = spv_op(g->b, g->u32, SpvOpLoad, looks);
  for (uint32_t j = 0; j < z->length + 2; j++) {
    uint32_t word = spv_op(g->b, g->u64, SpvOpLoad, z->by[j]);
    uint32_t is = cg_is(g, SpvOpIEqual, word, cg_u64(g, missing));
    lacks = lacks ? spv_op(g->b, kb, SpvOpLogicalOr, lacks, is) : is;
  }
  spv_break_if(g->b, &l, cg_not(g, KB, lacks));
  uint32_t late = spv_op(g->b, kb, SpvOpLoad, z->late);
  late = spv_op(g->b, kb, SpvOpLogicalOr, late, cg_less(g, spv_u32(g->b, patience), n));
  spv_do(g->b, SpvOpStore, z->late, late);
  spv_break_if(g->b, &l, late);
  spv_do(g->b, SpvOpStore, looks, cg_ui(g, SpvOpIAdd, n, 1));
  look(g, z, k);
  spv_again(g->b, &l);
}

/* A column of the panel, 0 where there are no rows. */
static void copy_column(cg *g, const held *z) {
  uint32_t v[HELD], last = cg_ui(g, SpvOpISub, z->m, 1), none = cg_real(g, KF64, 0);
  uint32_t column = cg_least(g, g->u32, g->wid, cg_ui(g, SpvOpISub, z->n, 1));
  for (uint32_t i = 0; i < z->length; i++) {
    uint32_t row = cg_least(g, g->u32, z->row[i], last);
    v[i] = panel_input(g, panel_place(g, column, row, z->n));
    v[i] = cg_pick(g, z->f64, cg_less(g, z->row[i], z->m), v[i], none);
  }
  for (uint32_t i = 0; i < z->length; i++)
    panel_put(g, z->work, work_at(g, z, g->wid, i, g->thread), v[i]);
  for (uint32_t i = 0; i < z->length; i++)
    publish(g, z->told, work_at(g, z, g->wid, i, g->thread), cg_u64(g, missing));
  uint32_t is = cg_both(g, cg_is_zero(g, g->thread), cg_less(g, g->wid, z->n));
  uint32_t merge = spv_if(g->b, is);
  publish(g, z->beta, g->wid, cg_u64(g, missing));
  spv_endif(g->b, merge);
}

/* ── sums ───────────────────────────────────────────────────────────────────────────── */

/* The strips' sums of a block, v, by halves: all four threads have it. */
static uint32_t join_strips(cg *g, const held *z, uint32_t v) {
  for (uint32_t half = STRIPS / 2; half; half /= 2) {
    uint32_t other = cg_shuffle_word(g, z->f64, v, spv_u32(g->b, half), true);
    v = panel_real(g, KOP_ADD, v, other);
  }
  return v;
}

/* The first threads, four to a column, add up the blocks' sums. */
static void join_blocks(cg *g, const held *z) {
  uint32_t merge =
      spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, STRIPS * z->columns)));
  uint32_t column = z->block, blocks = z->threads / STRIPS, sum = cg_real(g, KF64, 0);
  uint32_t at = panel_place(g, z->strip, column, spv_u32(g->b, blocks));
  uint32_t v[MOST_THREADS / STRIPS / STRIPS];
  for (uint32_t i = 0; i < blocks / STRIPS; i++)
    v[i] = get(g, z, shared(g, z, z->blocks, cg_next(g, at, i * STRIPS)));
  for (uint32_t i = 0; i < blocks / STRIPS; i++) sum = panel_real(g, KOP_ADD, sum, v[i]);
  sum = join_strips(g, z, sum);
  uint32_t first = spv_if(g->b, cg_is_zero(g, z->strip));
  set(g, shared(g, z, z->sums, column), sum);
  spv_endif(g->b, first);
  spv_endif(g->b, merge);
}

/* What the group has in row k (u32) is put where all threads see it, behind a barrier. Rows that follow one another have
 * different places, and so has the last of the group's own reflections from the first that it takes. */
static void show_row(cg *g, held *z, uint32_t k, bool own) {
  uint32_t is[HELD], mine = 0;
  for (uint32_t i = 0; i < z->length; i++) {
    is[i] = equal(g, z->row[i], k);
    mine = mine ? spv_op(g->b, spv_bool(g->b), SpvOpLogicalOr, mine, is[i]) : is[i];
  }
  z->pivot = cg_ui(g, SpvOpIMul, cg_ui(g, SpvOpBitwiseAnd, k, 1), z->columns);
  z->pivot = cg_next(g, z->pivot, own ? 2 * z->columns : 0);
  uint32_t merge = spv_if(g->b, mine);
  for (uint32_t c = 0; c < z->columns; c++) {
    uint32_t v = get(g, z, z->a[c]);
    for (uint32_t i = 1; i < z->length; i++)
      v = cg_pick(g, z->f64, is[i], get(g, z, z->a[i * z->columns + c]), v);
    set(g, shared(g, z, z->pivots, cg_next(g, z->pivot, c)), v);
  }
  spv_endif(g->b, merge);
}

/* Sums over the rows below k (u32) of by × the group's columns from `from` on; row k is shown, too. own: it is the group's
 * reflection. */
static void add_up(cg *g, held *z, uint32_t k, const uint32_t *by, uint32_t from,
                   bool own) {
  uint32_t x[HELD], sum[HELD], none = cg_real(g, KF64, 0), mine = 0;
  show_row(g, z, k, own);
  for (uint32_t i = 0; i < z->length; i++)
    x[i] = cg_pick(g, z->f64, cg_less(g, k, z->row[i]), by[i], none);
  for (uint32_t c = from; c < z->columns; c++) {
    sum[c] = none;
    for (uint32_t i = 0; i < z->length; i++) {
      uint32_t v = panel_real(g, KOP_MUL, x[i], get(g, z, z->a[i * z->columns + c]));
      sum[c] = panel_real(g, KOP_ADD, sum[c], v);
    }
    sum[c] = join_strips(g, z, sum[c]);
    if (!mine) mine = sum[c];
    mine = cg_pick(g, z->f64, equal(g, z->strip, spv_u32(g->b, c)), sum[c], mine);
  }
  /* Each of the four threads stores one column's, where there are as many. */
  uint32_t merge = spv_if(g->b, cg_less(g, z->strip, spv_u32(g->b, z->columns)));
  uint32_t at = panel_place(g, z->block, z->strip, spv_u32(g->b, z->threads / STRIPS));
  set(g, shared(g, z, z->blocks, at), mine);
  spv_endif(g->b, merge);
  cg_barrier(g);
  join_blocks(g, z);
  cg_barrier(g);
}

static uint32_t pivot_of(cg *g, const held *z, uint32_t c) {
  return get(g, z, shared(g, z, z->pivots, cg_next(g, z->pivot, c)));
}
static uint32_t sum_of(cg *g, const held *z, uint32_t c) {
  return get(g, z, shared(g, z, z->sums, spv_u32(g->b, c)));
}

/* ── reflections ────────────────────────────────────────────────────────────────────── */

/* Column c less a reflection, by × t, whose row k (u32) has v: that row is done with, and goes to R. */
static void change_column(cg *g, const held *z, uint32_t c, uint32_t k,
                          const uint32_t *by, uint32_t v, uint32_t t) {
  uint32_t column = column_of(g, z, c), none = cg_real(g, KF64, 0);
  uint32_t of_r = panel_less(g, pivot_of(g, z, c), v, t);
  for (uint32_t i = 0; i < z->length; i++) {
    uint32_t var = z->a[i * z->columns + c];
    uint32_t a = panel_less(g, get(g, z, var), by[i], t);
    set(g, var, cg_pick(g, z->f64, equal(g, z->row[i], k), none, a));
  }
  uint32_t is = cg_both(g, cg_is_zero(g, g->thread), cg_less(g, column, z->n));
  uint32_t merge = spv_if(g->b, is);
  panel_put(g, z->r, panel_place(g, column, k, z->n), of_r);
  spv_endif(g->b, merge);
}

/* Reflection k (u32) for the group's columns: they are right of it, or to be multiplied with it. */
static void take_reflection(cg *g, held *z, uint32_t k) {
  uint32_t by[HELD + 2], d[HELD];
  uint32_t next =
      cg_least(g, g->u32, cg_ui(g, SpvOpIAdd, k, 1), cg_ui(g, SpvOpISub, z->steps, 1));
  await_reflection(g, z, k);
  for (uint32_t i = 0; i < z->length + 2; i++) {
    by[i] = spv_op(g->b, g->u64, SpvOpLoad, z->by[i]);
    by[i] = spv_op(g->b, z->f64, SpvOpBitcast, by[i]);
  }
  look(g, z, next);
  add_up(g, z, k, by, 0, false);
  uint32_t v = by[z->length], beta = by[z->length + 1];
  for (uint32_t c = 0; c < z->columns; c++) {
    d[c] = panel_real(g, KOP_MUL, v, pivot_of(g, z, c));
    d[c] = panel_real(g, KOP_ADD, sum_of(g, z, c), d[c]);
  }
  uint32_t right = cg_less(g, k, z->first), merge = spv_if(g->b, right);
  for (uint32_t c = 0; c < z->columns; c++)
    change_column(g, z, c, k, by, v, panel_real(g, KOP_MUL, beta, d[c]));
  spv_endif(g->b, merge);
  merge = spv_if(g->b, cg_both(g, cg_not(g, KB, right), cg_is_zero(g, g->thread)));
  for (uint32_t c = 0; c < z->columns; c++) {
    uint32_t at = panel_place(g, column_of(g, z, c), k, spv_u32(g->b, PANEL_COLUMNS));
    panel_put(g, z->d, at, d[c]);
  }
  spv_endif(g->b, merge);
}

/* The group's column c becomes a reflection, if there is to be one; those right of it are changed. */
static void make_reflection(cg *g, held *z, uint32_t c) {
  uint32_t k = column_of(g, z, c), merge = spv_if(g->b, cg_less(g, k, z->steps));
  uint32_t by[HELD], square = panel_square(g, k), at = panel_place(g, k, k, z->n);
  for (uint32_t i = 0; i < z->length; i++) by[i] = get(g, z, z->a[i * z->columns + c]);
  add_up(g, z, k, by, c, true);
  panel_reflection is =
      panel_reflect(g, pivot_of(g, z, c), sum_of(g, z, c), square, z->m);
  uint32_t first = spv_if(g->b, cg_is_zero(g, g->thread));
  publish_real(g, z->beta, k, is.beta);
  panel_put(g, z->t, at, is.beta);
  panel_put(g, z->r, at, is.r);
  spv_endif(g->b, first);
  for (uint32_t i = 0; i < z->length; i++) {
    by[i] = cg_pick(g, z->f64, equal(g, z->row[i], k), is.v, by[i]);
    publish_real(g, z->told, work_at(g, z, k, i, g->thread), by[i]);
    set(g, z->a[i * z->columns + c], by[i]);
  }
  for (uint32_t other = c + 1; other < z->columns; other++) {
    uint32_t d = panel_real(g, KOP_MUL, is.v, pivot_of(g, z, other));
    d = panel_real(g, KOP_ADD, sum_of(g, z, other), d);
    change_column(g, z, other, k, by, is.v, panel_real(g, KOP_MUL, is.beta, d));
  }
  spv_endif(g->b, merge);
}

static void emit_step(cg *g, held *z) {
  z->blocks = spv_shared(g->b, z->f64, z->columns * z->threads / STRIPS);
  z->sums = spv_shared(g->b, z->f64, z->columns);
  z->pivots = spv_shared(g->b, z->f64, 4 * z->columns);
  z->late = spv_local(g->b, spv_bool(g->b), spv_true(g->b, false, 1));
  uint32_t pass = PANEL_SLOT(g, step), mine = equal(g, g->wid, pass), from = z->work;
  uint32_t over = equal(g, z->groups, pass); /* the pass for products */
  bool alone = g->o->panel_held.alone;
  if (alone) from = cg_pick(g, g->u64, over, z->told, z->work);
  for (uint32_t i = 0; i < z->columns * z->length; i++) {
    z->a[i] = spv_local(g->b, z->f64, 0);
    uint32_t c = column_of(g, z, i % z->columns);
    set(g, z->a[i], panel_get(g, from, work_at(g, z, c, i / z->columns, g->thread)));
  }
  for (uint32_t i = 0; i < z->length + 2; i++) z->by[i] = spv_local(g->b, g->u64, 0);
  look(g, z, spv_u32(g->b, 0));
  spv_loop l = spv_for(g->b, z->steps);
  uint32_t begins = equal(g, l.i, z->first), right = cg_less(g, l.i, z->first);
  uint32_t merge = spv_if(g->b, alone ? cg_both(g, begins, mine) : begins);
  for (uint32_t c = 0; c < z->columns; c++) make_reflection(g, z, c);
  spv_endif(g->b, merge);
  if (alone) merge = spv_if(g->b, cg_sel(g, KB, right, mine, over));
  take_reflection(g, z, l.i);
  if (alone) spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
  cg_raise(g, spv_op(g->b, spv_bool(g->b), SpvOpLoad, z->late), 0, g->k->acc[0].fault,
           true);
}

/* ── T', and R's inverse ────────────────────────────────────────────────────────────── */

/* The factors of the rows before row k: i's is number k × (k - 1) ÷ 2 + i. */
static uint32_t factors_before(cg *g, uint32_t k) {
  uint32_t n = cg_u(g, SpvOpIMul, k, cg_ui(g, SpvOpISub, k, 1));
  return cg_ui(g, SpvOpShiftRightLogical, n, 1);
}

/* All of them, and what scales each row: β, or the inverse of r. */
static void load_factors(cg *g, const held *z, uint32_t factors, uint32_t scales,
                         uint32_t last) {
  enum { EACH = PANEL_COLUMNS * PANEL_COLUMNS / FEW_THREADS };
  uint32_t v[EACH], i[EACH], k[EACH], end = cg_ui(g, SpvOpISub, z->steps, 1);
  uint32_t row = cg_least(g, g->u32, g->thread, end);
  uint32_t beta = panel_get(g, z->t, panel_place(g, row, row, z->n));
  uint32_t r = panel_get(g, z->r, panel_place(g, row, row, z->n));
  for (uint32_t e = 0; e < EACH; e++) {
    uint32_t at = cg_next(g, g->thread, e * FEW_THREADS);
    k[e] = cg_ui(g, SpvOpUDiv, at, PANEL_COLUMNS);
    i[e] = cg_ui(g, SpvOpBitwiseAnd, at, PANEL_COLUMNS - 1);
    uint32_t x = cg_least(g, g->u32, i[e], end), y = cg_least(g, g->u32, k[e], end);
    uint32_t of_r = panel_at(g, z->r, panel_place(g, y, x, z->n));
    uint32_t of_d = panel_at(g, z->d, at);
    v[e] = cg_load(g, z->f64, cg_pick(g, g->u64, last, of_r, of_d), 8);
  }
  for (uint32_t e = 0; e < EACH; e++) {
    uint32_t at = cg_u(g, SpvOpIAdd, factors_before(g, k[e]), i[e]);
    uint32_t merge = spv_if(g->b, cg_less(g, i[e], k[e]));
    set(g, shared(g, z, factors, at), v[e]);
    spv_endif(g->b, merge);
  }
  uint32_t scale = cg_div(g, KF64, cg_real(g, KF64, 1), r);
  uint32_t merge = spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, PANEL_COLUMNS)));
  set(g, shared(g, z, scales, g->thread), cg_pick(g, z->f64, last, scale, beta));
  spv_endif(g->b, merge);
  cg_barrier(g);
}

/* A thread of the matrix of the workgroup: every fourth element of column j. */
typedef struct joiner {
  uint32_t j, last;                    /* u32; bool: it is R's inverse */
  uint32_t factors, scales;            /* workgroup memory */
  uint32_t of[PANEL_COLUMNS / STRIPS]; /* variables */
} joiner;

/* Element k (u32) of the column: all four threads have it. */
static uint32_t join_element(cg *g, const held *z, const joiner *y, uint32_t k) {
  uint32_t sum = cg_real(g, KF64, 0), none = sum, before = factors_before(g, k);
  for (uint32_t q = 0; q < PANEL_COLUMNS / STRIPS; q++) {
    uint32_t i = cg_next(g, z->strip, q * STRIPS), is = cg_less(g, i, k);
    uint32_t at = cg_u(g, SpvOpIAdd, before, cg_pick(g, g->u32, is, i, spv_u32(g->b, 0)));
    uint32_t v = get(g, z, shared(g, z, y->factors, at));
    v = panel_real(g, KOP_MUL, v, get(g, z, y->of[q]));
    sum = panel_real(g, KOP_ADD, sum, cg_pick(g, z->f64, is, v, none));
  }
  sum = join_strips(g, z, sum);
  uint32_t scale = get(g, z, shared(g, z, y->scales, k));
  uint32_t v = cg_neg(g, KF64, panel_real(g, KOP_MUL, scale, sum));
  v = cg_pick(g, z->f64, equal(g, y->j, k), scale, v);
  return cg_pick(g, z->f64, cg_less(g, k, y->j), none, v);
}

/* Row k (u32) of the workgroup's columns of one of the two matrices, `to`; left of R's diagonal there is nothing. */
static void join_row(cg *g, const held *z, const joiner *y, uint32_t to, uint32_t k) {
  uint32_t none = cg_real(g, KF64, 0);
  uint32_t v = join_element(g, z, y, k), at = panel_place(g, y->j, k, z->n);
  for (uint32_t q = 0; q < PANEL_COLUMNS / STRIPS; q++) {
    uint32_t is = equal(g, cg_next(g, z->strip, q * STRIPS), k);
    set(g, y->of[q], cg_pick(g, z->f64, is, v, get(g, z, y->of[q])));
  }
  uint32_t is = cg_both(g, cg_is_zero(g, z->strip), cg_less(g, y->j, z->n));
  uint32_t merge = spv_if(g->b, is);
  panel_put(g, to, at, v);
  spv_endif(g->b, merge);
  is = cg_both(g, cg_both(g, is, y->last), cg_less(g, y->j, k));
  merge = spv_if(g->b, is);
  panel_put(g, z->r, at, none);
  spv_endif(g->b, merge);
}

/* All threads load; those of the workgroup's columns go on, row after row: on an H200 64 of them in each of 8 workgroups
 * take a third of the time of 256 in two. */
static void emit_join(cg *g, const held *z) {
  enum { THREADS = PANEL_COLUMNS / JOINERS * STRIPS };
  uint32_t of = cg_ui(g, SpvOpUDiv, g->wid, JOINERS),
           part = cg_u(g, SpvOpIMul, z->steps, z->n);
  joiner y = {.last = equal(g, of, spv_u32(g->b, 1))};
  uint32_t to = cg_pick(g, g->u64, y.last, panel_at(g, z->t, part), z->t);
  y.j = panel_place(g, z->block, cg_ui(g, SpvOpBitwiseAnd, g->wid, JOINERS - 1),
                    spv_u32(g->b, PANEL_COLUMNS / JOINERS));
  y.factors = spv_shared(g->b, z->f64, PANEL_COLUMNS * (PANEL_COLUMNS - 1) / 2);
  y.scales = spv_shared(g->b, z->f64, PANEL_COLUMNS);
  load_factors(g, z, y.factors, y.scales, y.last);
  for (uint32_t q = 0; q < PANEL_COLUMNS / STRIPS; q++) {
    y.of[q] = spv_local(g->b, z->f64, 0);
    set(g, y.of[q], cg_real(g, KF64, 0));
  }
  uint32_t merge = spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, THREADS)));
  spv_loop l = spv_for(g->b, z->steps);
  join_row(g, z, &y, to, l.i);
  spv_endfor(g->b, &l);
  spv_endif(g->b, merge);
}

/* Column `column` (u32) of V. */
static void put_column(cg *g, held *z, uint32_t column) {
  for (uint32_t part = 0; part < z->threads; part += FEW_THREADS) {
    uint32_t v[HELD], thread = cg_next(g, g->thread, part);
    find_rows(g, z, thread);
    for (uint32_t i = 0; i < z->length; i++)
      v[i] = panel_get(g, z->told, work_at(g, z, column, i, thread));
    for (uint32_t i = 0; i < z->length; i++) {
      uint32_t at = panel_place(g, column, z->row[i], z->n);
      uint32_t merge = spv_if(g->b, cg_less(g, z->row[i], z->m));
      panel_put(g, z->v, at, v[i]);
      spv_endif(g->b, merge);
    }
  }
}

static void emit_last(cg *g, held *z) {
  uint32_t joiners = spv_u32(g->b, 2 * JOINERS), is = cg_less(g, g->wid, joiners);
  uint32_t merge = spv_if(g->b, is);
  emit_join(g, z);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, cg_not(g, KB, is));
  put_column(g, z, cg_u(g, SpvOpISub, g->wid, joiners));
  spv_endif(g->b, merge);
}

void panel_held_emit(cg *g) {
  held z = held_begin(g);
  find_rows(g, &z, g->thread);
  switch (g->o->panel_held.phase) {
  case HELD_COPY: copy_column(g, &z); return;
  case HELD_STEP: emit_step(g, &z); return;
  default: emit_last(g, &z);
  }
}
