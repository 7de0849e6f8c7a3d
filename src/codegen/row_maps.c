/* SPDX-License-Identifier: MIT */
/* row_maps.c - the template for maps of rows that use folds of the same rows: a softmax, what is
 * normalised or standardised.
 *
 *     a row, in quads, in the registers of its threads
 *       │ instructions                                  ┐
 *       │ FOLD: a thread's quads, its subgroup, the row  ├ for each FOLD
 *       ▼ its value, in all threads of the row          ┘
 *     instructions, outputs
 *
 * So a row is read once and written once, whatever is folded. The tree is that of
 * tables/fold.h: rows of KIR_LANES one over the other, then neighbours: those in a quad, in a
 * subgroup, in the subgroups of a round, the rounds.
 *
 *     quad m of thread u: elements 4 × (m × threads + u) and on, of each row of KIR_LANES
 *
 * What has one value for the whole row is computed once by a thread, and not for each of its
 * elements.
 *
 * TRIED: storing e^x of a softmax instead of computing it twice: 4 to 8 % by estimate. Rows of 8192 spill: 206 µs where
 * the same elements in rows of 4096 take 76. */
#include "template.h"

#include "../base/arith.h"
#include "cg_arith.h"

#include <assert.h>

static const rows_opts *opts(const cg *g) { return &g->o->rows; }
static uint32_t quads_of(const rows_opts *o) { return o->rounds * o->deep; }

/* ── how ────────────────────────────────────────────────────────────────────────────── */

enum { MOST_INVERSES = 4 };
enum { SUBGROUP_QUADS = 4 }; /* up to so many a row stays with one subgroup */

bool row_maps_serves(const cg_task *t) { return t->kind == CG_TASK_ROWS; }

void row_maps_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_ROW_MAPS);
  rows_opts *o = &s->o.rows;
  int64_t quads = ceil_div(t->len, 4);
  s->o.width = cg_row_width(t);
  o->threads = o->rounds = o->deep = 1;
  while (o->threads < 32 && o->threads < quads) o->threads *= 2;
  if (quads > 32 * SUBGROUP_QUADS) o->threads = CG_WORKGROUP;
  while (o->rounds * o->threads < quads && o->rounds * o->threads < KIR_LANES / 4)
    o->rounds *= 2;
  while (o->deep * KIR_LANES < t->len) o->deep++;
  assert(quads_of(o) <= ROWS_MOST_QUADS);
  s->geom.workgroups = ceil_div(t->rows, CG_WORKGROUP / o->threads);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

typedef struct rows {
  cg_place w;
  cg_pos p[ROWS_MOST_QUADS], row; /* row: it exists, or no lane does */
  uint32_t raw[ROWS_MOST_QUADS][KIR_MAX_IN];
  uint32_t *same; /* by instruction: the value that is the row's, lanes being one; 0 */
  uint32_t n;     /* quads */
  /* Divisors that are the row's, by instruction, and 1 ÷ each of them, an f64. */
  struct {
    kv of;
    uint32_t id;
  } inverse[MOST_INVERSES];
  uint32_t n_inverses;
} rows;

static uint32_t *values_of(const cg *g, uint32_t quad) {
  return g->join_val + quad * cg_values(g->k);
}

static void find_quads(cg *g, rows *z) {
  const rows_opts *o = opts(g);
  z->w = cg_find_place(g, o->threads, ROWS_MOST);
  z->row = (cg_pos){.i = z->w.first, .tail = true};
  uint32_t none = cg_ixc(g, 0);
  z->row.i = z->w.there ? cg_pick(g, g->ix, z->w.there, none, g->len) : none;
  for (uint32_t d = 0; d < o->deep; d++)
    for (uint32_t m = 0; m < o->rounds; m++) {
      uint32_t by = d * KIR_LANES + m * 4 * o->threads;
      z->p[d * o->rounds + m] = (cg_pos){
          .i = cg_beyond(g, z->w.first, by), .row_at = z->w.row_at, .tail = true};
    }
}

/* ── a FOLD ─────────────────────────────────────────────────────────────────────────── */

/* Round m: the thread's quads of it, from the first row of KIR_LANES to the last. */
static cg_acc fold_round(cg *g, rows *z, uint32_t m) {
  cg_acc v[4];
  g->lanes = 4;
  cg_acc none = cg_identity(g), acc = none;
  for (uint32_t q = m; q < z->n; q += opts(g)->rounds) {
    g->val = g->join_val + q * cg_values(g->top);
    acc = cg_combine(g, acc, cg_acc_sel(g, cg_ok(g, &z->p[q]), cg_acc_here(g), none), 0);
  }
  for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, acc, j);
  g->lanes = 1;
  cg_acc low = cg_combine(g, v[0], v[1], 0);
  return cg_combine(g, low, cg_combine(g, v[2], v[3], 0), 0);
}

static cg_acc neighbours(cg *g, cg_acc *v, uint32_t n) {
  for (; n > 1; n /= 2)
    for (uint32_t i = 0; i < n / 2; i++) v[i] = cg_combine(g, v[2 * i], v[2 * i + 1], 0);
  return v[0];
}

/* The first thread's value is that of the tree (cg_fold.h). */
static cg_acc first_of(cg *g, cg_acc v, uint32_t threads) {
  if (threads == 1 || !cg_fold_selects(g->k)) return v;
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, g->lane, ~(threads - 1));
  return cg_shuffle(g, v, lane, false);
}

/* The subgroups of a row, through workgroup memory that no other FOLD uses. */
static void fold_subgroups(cg *g, cg_acc *v) {
  uint32_t S = cg_subgroup(g), rounds = opts(g)->rounds, each = CG_WORKGROUP / S;
  uint32_t per = opts(g)->threads / S, mine = cg_ui(g, SpvOpUDiv, g->thread, S);
  cg_var room = cg_shared_acc(g, rounds * each);
  uint32_t in = cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, in));
  for (uint32_t m = 0; m < rounds; m++)
    cg_shared_put(g, room, cg_next(g, mine, m * each), v[m]);
  spv_endif(g->b, merge);
  cg_barrier(g);
  uint32_t first = cg_ui(g, SpvOpBitwiseAnd, mine, ~(per - 1));
  for (uint32_t m = 0; m < rounds; m++) {
    cg_acc part[CG_WORKGROUP];
    for (uint32_t i = 0; i < per; i++)
      part[i] = cg_shared_get(g, room, cg_next(g, first, m * each + i));
    v[m] = neighbours(g, part, per);
  }
}

static cg_acc fold_row(cg *g, rows *z) {
  cg_acc v[ROWS_MOST_QUADS];
  uint32_t S = cg_subgroup(g), threads = opts(g)->threads, near = threads;
  if (near > S) near = S;
  for (uint32_t m = 0; m < opts(g)->rounds; m++)
    v[m] = cg_group_reduce(g, fold_round(g, z, m), near);
  if (threads > S) fold_subgroups(g, v);
  cg_acc all = neighbours(g, v, opts(g)->rounds);
  return threads > S ? all : first_of(g, all, threads);
}

/* What is common to folds sees a kernel that has this one alone. */
static void fold_at(cg *g, rows *z, uint32_t n) {
  const kir *k = g->k;
  kir one = *k;
  one.acc[0] = k->acc[k->ins[n].b];
  one.n_acc = 1;
  one.fold_at = n;
  g->k = &one;
  cg_acc v = fold_row(g, z);
  g->val = z->same;
  cg_fold_results(g, v, cg_ok(g, &z->row));
  g->k = k;
}

/* ── instructions ───────────────────────────────────────────────────────────────────── */

/* Has instruction n one value for the row? Or, without a value, is it the same for all? */
static bool is_same(const kir *k, const uint32_t *same, uint32_t n) {
  const kins *in = &k->ins[n];
  const kop_row *row = &kop_table[in->op];
  kv v[3] = {in->a, in->b, in->c};
  if (in->op == KOP_CONST || in->op == KOP_PARAM || in->op == KOP_FOLD) return true;
  if (in->op == KOP_ARG) return k->in[in->imm.i].view == KV_ONE;
  if (row->operands == 0) return false;
  for (int i = 0; i < row->operands; i++)
    if (!same[v[i]]) return false;
  return true;
}

/* All quads have it: a constant as one of four lanes, else copies. */
static void row_maps_spread(cg *g, rows *z, uint32_t n) {
  const kins *in = &g->k->ins[n];
  uint32_t v = 0;
  if (!kop_has_value((kop)in->op)) return;
  g->lanes = 4;
  if (in->op == KOP_CONST) {
    g->val = values_of(g, 0);
    cg_range(g, n, n + 1, &z->p[0], z->raw[0]);
    v = g->val[n];
  } else {
    v = cg_splat(g, (kty)in->ty, z->same[n]);
  }
  for (uint32_t q = 0; q < z->n; q++) values_of(g, q)[n] = v;
}

static void emit_same(cg *g, rows *z, uint32_t n) {
  g->lanes = 1;
  g->val = z->same;
  if (g->k->ins[n].op == KOP_FOLD) fold_at(g, z, n);
  else cg_range(g, n, n + 1, &z->row, NULL);
  if (!kop_has_value((kop)g->k->ins[n].op)) z->same[n] = 0;
  row_maps_spread(g, z, n);
}

/* An f32 divided by what is the row's? */
static bool divides_row(const cg *g, const rows *z, uint32_t n) {
  const kins *in = &g->k->ins[n];
  return in->op == KOP_DIV && in->ty == KF32 && g->o->float64 && z->same[in->b];
}

static uint32_t inverse_of(cg *g, rows *z, kv of) {
  uint32_t i = 0, lanes = g->lanes;
  while (i < z->n_inverses && z->inverse[i].of != of) i++;
  if (i == MOST_INVERSES) return 0;
  if (i < z->n_inverses) return z->inverse[i].id;
  g->lanes = 1;
  uint32_t x = cg_cvt(g, z->same[of], KF32, KF64), type = cg_type(g, KF64);
  uint32_t id = spv_flop(g->b, type, SpvOpFDiv, cg_real(g, KF64, 1), x);
  g->lanes = lanes;
  z->inverse[i].of = of;
  z->inverse[i].id = id;
  z->n_inverses++;
  return id;
}

/* a × (1 ÷ b) in f64 is within 2^-52 of a ÷ b, which is no nearer than 2^-49 to the middle between
 * two f32, unless it is that middle: only what is not normal can be. */
static void divide_by_row(cg *g, rows *z, uint32_t n) {
  const kins *in = &g->k->ins[n];
  uint32_t inverse = inverse_of(g, z, in->b), type = cg_type(g, KF64),
           kb = spv_bool(g->b);
  uint32_t a = g->val[in->a], x = cg_cvt(g, a, KF32, KF64);
  uint32_t q = spv_flop(g->b, type, SpvOpFMul, x, cg_splat(g, KF64, inverse));
  uint32_t low = cg_cmp(g, KOP_LT, KF64, cg_abs(g, KF64, q), cg_real(g, KF64, 0x1p-125));
  low = cg_both(g, low, cg_cmp(g, KOP_NE, KF64, x, cg_real(g, KF64, 0)));
  uint32_t r = spv_local(g->b, cg_type(g, KF32), 0);
  spv_do(g->b, SpvOpStore, r, cg_cvt(g, q, KF64, KF32));
  uint32_t merge = spv_if(g->b, spv_op(g->b, kb, SpvOpAny, low));
  spv_do(g->b, SpvOpStore, r, cg_div(g, KF32, a, g->val[in->b]));
  spv_endif(g->b, merge);
  g->val[n] = spv_op(g->b, cg_type(g, KF32), SpvOpLoad, r);
}

static void emit_of_quad(cg *g, rows *z, uint32_t n, uint32_t q) {
  if (divides_row(g, z, n) && inverse_of(g, z, g->k->ins[n].b)) divide_by_row(g, z, n);
  else cg_range(g, n, n + 1, &z->p[q], z->raw[q]);
}

/* From one FOLD to the next: what is the row's, then quad after quad. */
static void emit_stretch(cg *g, rows *z, uint32_t from, uint32_t to) {
  const kir *k = g->k;
  for (uint32_t n = from; n < to; n++)
    if (is_same(k, z->same, n)) emit_same(g, z, n);
  g->lanes = 4;
  for (uint32_t q = 0; q < z->n; q++) {
    g->val = values_of(g, q);
    for (uint32_t n = from; n < to; n++)
      if (!is_same(k, z->same, n)) emit_of_quad(g, z, n, q);
  }
}

void row_maps_emit(cg *g) {
  rows z = {.same = g->val, .n = quads_of(opts(g))};
  g->packs = true;
  find_quads(g, &z);
  g->lanes = 4;
  for (uint32_t q = 0; q < z.n; q++) cg_load_raw(g, 0, g->k->n_ins, &z.p[q], z.raw[q]);
  for (uint32_t from = 0, to; from < g->k->n_ins; from = to) {
    to = from + 1;
    while (to < g->k->n_ins && g->k->ins[to].op != KOP_FOLD) to++;
    emit_stretch(g, &z, from, to);
  }
  g->lanes = 4;
  for (uint32_t q = 0; q < z.n; q++) {
    g->val = values_of(g, q);
    cg_put_outputs(g, &z.p[q]);
  }
}
