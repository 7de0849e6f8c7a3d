/* SPDX-License-Identifier: MIT */
/* reduce_tile.c - the reduce template for long rows.
 *
 * A workgroup has 256 threads, each of which takes four elements that lie side by side, its
 * lanes: together they cover one row of a tile, KIR_LANES elements. The workgroup goes down the
 * tile's rows in batches whose loads are issued together, every lane folding into its own
 * accumulator; full batches need no mask, the batch with the row's end selects the
 * identity behind it. Then neighbours fold: the four lanes of a thread, threads within a
 * subgroup (cg_group_reduce), subgroups through workgroup memory, again by subgroups,
 * until one is left.
 *
 *     lanes 0 1 2 3 | 4 5 6 7 | …      in the thread
 *           └┬┘ └┬┘
 *            └─┬─┘                     subgroup | shared | subgroup …
 *
 * If a whole array has only some tiles, the last workgroup folds their accumulators, by
 * the same code and so by the same tree as a second pass over them (finish.c); for longer
 * arrays, and for rows, another pass does.
 *
 * Only the first thread's result is used. Its left operand is always its own value, so
 * the order is right there; the other threads may combine in the wrong order.
 *
 * TRIED on an H200: several tiles a workgroup, or the next tile loaded ahead: 4465 to 4492 GB/s where one tile a
 * workgroup gives 4523; a code path of its own for full batches: slower, for both run. */
#include "template.h"
#include "../tables/fast.h"

#include "../base/arith.h"

#include <string.h>

enum { MAX_BATCH = 16, LONG_ROW = 2047, MOST_ABREAST = 4 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool reduce_tile_serves(const cg_task *t) {
  bool long_row = t->rows == 1 || t->len > LONG_ROW;
  return t->kind == CG_TASK_FOLD && t->inner == 1 && long_row;
}

bool reduce_reads_words(const kir *k, const cg_opts *o) {
#define FAST_WORDS(way)                                                                  \
  if (way(k, o)) return true;
#include "../tables/fast.def"
  return false;
}

/* Elements of a row that a workgroup folds. */
static int64_t tile_size(const kir *k, const cg_opts *o) {
  int64_t size = (int64_t)o->reduce_tile.tile_rows * KIR_LANES;
  return reduce_reads_words(k, o) ? size * REDUCE_TILE_BITS : size;
}

/* The last workgroup folds one row of KIR_LANES accumulators. */
static bool finishes(const cg_task *t, int64_t tiles) {
  if (t->kind != CG_TASK_FOLD || t->from_partials || t->rows > 1) return false;
  return tiles > 1 && tiles <= t->finish_tiles && tiles <= KIR_LANES;
}

static bool is_narrow(const kir *k, uint32_t input) {
  const kin *in = &k->in[input];
  uint32_t bits = (uint32_t)elt_bits((elt)in->type);
  return in->view == KV_FLAT && (bits == 8 || bits == 16);
}

/* Quads of a thread that are neighbours, for 16-byte loads of narrow elements: where the
 * order does not show. */
static uint32_t adjacent(const cg_task *t) {
  uint32_t most = 1;
  if (t->from_partials || !cg_fold_exact(t->k)) return 1;
  for (uint32_t i = 0; i < t->k->n_in; i++) {
    if (!is_narrow(t->k, i)) continue;
    uint32_t per = cg_quads_per_load((elt)t->k->in[i].type);
    if (per > most) most = per;
  }
  return most;
}

/* Rows whose loads are issued together: fewer when the producer is long, since its
 * instructions are repeated for each. An exact sum has long accumulators and few
 * instructions between loads: many in flight are worth their registers there, where a
 * float's tile gains nothing, and rows of some tiles would lose what the last batch
 * lacks. Partial results are few, there is often one workgroup that reads them: all in
 * flight at once, its time is one trip to memory and not four. */
static uint32_t batch_of(const cg_task *t, uint32_t rows) {
  uint32_t n = t->k->fold_at, batch = 4;
  bool exact = t->rows == 1 && !t->small && cg_fold_exact(t->k);
  if (exact && n <= CG_SHORT_PRODUCER && t->k->n_in == 1) batch = MAX_BATCH;
  if (n > CG_LONG_PRODUCER) batch = 2;
  if (n > CG_VERY_LONG_PRODUCER) batch = 1;
  if (t->from_partials) batch = 4 * MAX_BATCH / (uint32_t)cg_acc_bytes(t->k);
  batch >>= t->choice->smaller;
  if (batch < 1) batch = 1;
  if (batch > cg_loads(t)) batch = cg_loads(t);
  return batch < rows ? batch : rows;
}

/* Are a tile's elements of one line of every strided index map? */
static bool tiles_lie_in_lines(const cg_task *t) {
  enum { TILE = KIR_REDUCE_ROWS * KIR_LANES };
  if (t->from_partials || !t->stretch) return false;
  if (t->stretch % t->len == 0) return true;
  return t->len % t->stretch == 0 && t->stretch % TILE == 0;
}

/* Rows of a table that are folded together: what they share is loaded once for all. */
static uint32_t abreast_of(const cg_task *t, int64_t tiles) {
  uint32_t n = cg_acc_bytes(t->k) > 8 ? 1 : MOST_ABREAST;
  if (t->kind != CG_TASK_FOLD || t->from_partials || !t->table) return 0;
  if (t->k->fold_at > CG_SHORT_PRODUCER) n /= 2;
  if (t->k->fold_at > CG_LONG_PRODUCER || t->choice->smaller) n = 0;
  return n > 1 && t->rows * tiles / n >= 8 * t->choice->busy ? n : 0;
}

void reduce_tile_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_REDUCE_TILE);
  s->o.width = cg_row_width(t);
  s->o.reduce_tile.tile_rows = KIR_REDUCE_ROWS;
  p->tiles = s->geom.tiles = ceil_div(t->len, tile_size(t->k, &s->o));
  s->geom.workgroups = t->rows * s->geom.tiles;
  if (t->rows == 1 && t->kind == CG_TASK_FOLD) s->o.reduce_tile.adjacent = adjacent(t);
  if (t->kind == CG_TASK_FOLD && s->geom.tiles == 1)
    s->o.reduce_tile.tile_rows = cg_fit_tile(t, KIR_REDUCE_ROWS);
  s->o.reduce_tile.batch = batch_of(t, s->o.reduce_tile.tile_rows);
  s->o.reduce_tile.line = tiles_lie_in_lines(t);
  uint32_t abreast = abreast_of(t, s->geom.tiles);
  s->o.reduce_tile.abreast = abreast;
  if (abreast) s->geom.workgroups = ceil_div(t->rows, abreast) * s->geom.tiles;
  if (!finishes(t, s->geom.tiles)) return;
  s->o.reduce_tile.finish = 1;
  s->to = CG_OWN;
  p->own[0] = s->geom.tiles;
  p->tiles = 1;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* Input i at n quads that are neighbours. */
static void load_input(cg *g, uint32_t i, cg_pos *p, uint32_t n,
                       uint32_t (*raw)[KIR_MAX_IN]) {
  elt t = (elt)g->k->in[i].type;
  uint32_t v[4], per = is_narrow(g->k, i) ? cg_quads_per_load(t) : 0;
  for (uint32_t r = 0; r < n; r++) {
    if (per && r % per == 0) cg_get_quads(g, t, g->base[i], &p[r], v);
    raw[r][i] = per ? v[r % per] : cg_get_input(g, i, &p[r]);
  }
}

static void load_adjacent(cg *g, cg_pos *p, uint32_t n, uint32_t (*raw)[KIR_MAX_IN]) {
  for (uint32_t r = 0; r < n; r++) memset(raw[r], 0, sizeof raw[r]);
  for (uint32_t k = 0; k < g->k->fold_at; k++) {
    uint32_t i = (uint32_t)g->k->ins[k].imm.i;
    if (g->k->ins[k].op == KOP_ARG && !raw[0][i]) load_input(g, i, p, n, raw);
  }
}

/* What a workgroup folds: some rows of a table, or one row. */
typedef struct tile_rows {
  uint32_t n, row[MOST_ABREAST]; /* ix; the last one may be there several times */
  uint32_t held[MOST_ABREAST][KIR_MAX_IN];
  cg_var acc[MOST_ABREAST];
} tile_rows;

/* Quads, whose elements are loaded, of row r of a table. */
static void take_row(cg *g, const tile_rows *t, uint32_t r, uint32_t n,
                     uint32_t (*raw)[KIR_MAX_IN]) {
  for (uint32_t i = 0; i < g->k->n_in; i++)
    for (uint32_t q = 0; q < n && (g->k->still >> i & 1); q++)
      raw[q][i] = cg_splat(g, kir_arg_type((elt)g->k->in[i].type), t->held[r][i]);
}

/* Folds n rows of lanes, whose first is at position `first`, into the accumulators. */
static void reduce_rows(cg *g, const tile_rows *t, uint32_t first, uint32_t row_at,
                        uint32_t n, bool tail) {
  uint32_t raw[MAX_BATCH][KIR_MAX_IN], near = g->o->reduce_tile.adjacent;
  cg_pos p[MAX_BATCH];
  if (near < 2 || n % near) near = 1;
  for (uint32_t r = 0; r < n; r++) {
    uint32_t i = cg_beyond(g, first, r / near * near * KIR_LANES + r % near * 4);
    p[r] = (cg_pos){.i = i, .row_at = row_at, .tail = tail};
    if (!g->o->from_partials && near == 1)
      cg_load_raw(g, 0, g->k->fold_at, &p[r], raw[r]);
    if (near > 1 && r % near + 1 == near)
      load_adjacent(g, p + r + 1 - near, near, raw + r + 1 - near);
  }
  for (uint32_t r = 0; r < t->n; r++) {
    if (t->n > 1) take_row(g, t, r, n, raw);
    cg_var_set(g, t->acc[r], cg_fold_at(g, cg_var_get(g, t->acc[r]), p, raw, n));
  }
}

/* All rows of the tile: full batches in a loop, then the one with the end. */
static void reduce_whole(cg *g, const tile_rows *t, const cg_place *w) {
  uint32_t rows = g->o->reduce_tile.batch, batch = rows * KIR_LANES;
  uint32_t left = w->left, size = spv_u32(g->b, batch);
  uint32_t full = cg_u(g, SpvOpUDiv, left, size), begin = w->first;
  uint32_t near = g->o->reduce_tile.adjacent;
  if (near > 1 && rows % near == 0) { /* the thread's first lane, of several quads */
    uint32_t lane = cg_ui(g, SpvOpIMul, w->u, 4 * (near - 1));
    begin = cg_x(g, SpvOpIAdd, begin, cg_to_ix(g, lane));
  }
  spv_loop l = spv_for(g->b, full);
  uint32_t by = cg_u(g, SpvOpIMul, l.i, size);
  uint32_t first = cg_x(g, SpvOpIAdd, begin, cg_to_ix(g, by));
  reduce_rows(g, t, first, w->row_at, rows, false);
  spv_endfor(g->b, &l);
  uint32_t done = cg_u(g, SpvOpIMul, full, size);
  uint32_t merge = spv_if(g->b, cg_less(g, done, left));
  first = cg_x(g, SpvOpIAdd, begin, cg_to_ix(g, done));
  reduce_rows(g, t, first, w->row_at, rows, true);
  spv_endif(g->b, merge);
}

/* One accumulator from each thread. */
static cg_acc reduce_threads(cg *g, cg_acc a) {
  uint32_t S = cg_subgroup(g), count = CG_WORKGROUP, used = 0;
  cg_var var = {{0}};
  while (count > 1) {
    uint32_t before = count, here = count < S ? count : S;
    a = cg_group_reduce(g, a, here);
    count /= here;
    if (count == 1) break;
    /* the leaders of each subgroup pass on theirs; everyone continues with a copy */
    if (!var.id[0]) var = cg_shared_acc(g, 96); /* 64 + 16 + 4 at most */
    uint32_t lead = cg_is_zero(g, cg_ui(g, SpvOpBitwiseAnd, g->thread, S - 1));
    uint32_t live = cg_less(g, g->thread, spv_u32(g->b, before));
    uint32_t merge = spv_if(g->b, cg_is(g, SpvOpLogicalAnd, lead, live));
    uint32_t mine = cg_ui(g, SpvOpUDiv, g->thread, S);
    cg_shared_put(g, var, cg_ui(g, SpvOpIAdd, mine, used), a);
    spv_endif(g->b, merge);
    cg_barrier(g);
    mine = cg_ui(g, SpvOpBitwiseAnd, g->thread, count - 1);
    a = cg_shared_get(g, var, cg_ui(g, SpvOpIAdd, mine, used));
    used += count;
  }
  return a;
}

static void reduce_finish(cg *g, cg_acc a, const cg_place *w) {
  cg_pos p = {.i = w->row};
  if (!g->o->final) p.i = cg_partial_index(g, w->row, w->tile);
  cg_finish(g, cg_result(g), &p, a, 0);
}

/* A thread's four lanes down the rows, then together: an accumulator for each of t's rows. */
static void reduce_lanes(cg *g, const cg_place *w, tile_rows *t, cg_acc *r) {
  g->lanes = 4;
  for (uint32_t i = 0; i < t->n; i++) t->acc[i] = cg_local_acc(g, cg_identity(g));
  reduce_whole(g, t, w);
  for (uint32_t i = 0; i < t->n; i++) {
    g->lanes = 4;
    cg_acc a = cg_var_get(g, t->acc[i]), v[4];
    for (uint32_t j = 0; j < 4; j++) v[j] = cg_acc_part(g, a, j);
    g->lanes = 1;
    cg_acc low = cg_combine(g, v[0], v[1], 0), high = cg_combine(g, v[2], v[3], 0);
    r[i] = cg_combine(g, low, high, 0);
  }
}

/* The workgroup's rows, and of each what all of it has. */
static void open_rows(cg *g, cg_place *w, tile_rows *t) {
  uint32_t end = cg_x(g, SpvOpISub, cg_slot_ix(g, CG_SLOT_ROWS), cg_ixc(g, 1));
  t->n = g->o->reduce_tile.abreast;
  w->row = cg_x(g, SpvOpIMul, w->row, cg_ixc(g, t->n));
  for (uint32_t r = t->n; r-- > 0;) { /* the first is held on */
    t->row[r] = cg_least(g, g->ix, cg_beyond(g, w->row, r), end);
    w->row_at = cg_x(g, SpvOpIMul, t->row[r], g->len);
    g->line_from = 0;
    cg_hold_line(g, cg_x(g, SpvOpIAdd, w->row_at, w->start));
    memcpy(t->held[r], g->line_held, sizeof g->line_held);
  }
}

/* In the last workgroup: folds the `count` (u32) accumulators of all tiles, which are at `to`, in the order of a second pass
 * of one tile, and stores the kernel's results. */
static void fold_partials(cg *g, uint32_t to, uint32_t count) {
  const cg_opts *outer = g->o;
  cg_opts o = *outer;
  cg_place w = {.u = g->thread, .row = cg_ixc(g, 0), .left = count};
  o.from_partials = true;
  o.reduce_tile.tile_rows = o.reduce_tile.adjacent = o.reduce_tile.batch = 1;
  g->o = &o;
  g->from = to;
  g->published = true;
  g->len = cg_to_ix(g, count);
  g->last = cg_x(g, SpvOpISub, g->len, cg_ixc(g, 1));
  w.first = cg_to_ix(g, cg_ui(g, SpvOpIMul, w.u, 4));
  tile_rows t = {.n = 1};
  cg_acc a;
  reduce_lanes(g, &w, &t, &a);
  a = reduce_threads(g, a);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, w.u));
  cg_last_leaves(g);
  reduce_finish(g, a, &w);
  spv_endif(g->b, merge);
  g->o = outer;
}

void reduce_tile_emit(cg *g) {
  cg_place w = cg_find_place(g, CG_WORKGROUP, tile_size(g->k, g->o));
  bool words = reduce_reads_words(g->k, g->o);
  tile_rows t = {.n = 1, .row[0] = w.row};
  cg_acc all[MOST_ABREAST];
  if (g->o->reduce_tile.abreast) open_rows(g, &w, &t);
  else if (g->o->reduce_tile.line) cg_hold_line(g, cg_x(g, SpvOpIAdd, w.row_at, w.start));
  if (!words) reduce_lanes(g, &w, &t, all);
#define FAST_WORDS_FOLD(way)                                                             \
  if (words) all[0] = way(g, &w);
#include "../tables/fast.def"
  for (uint32_t r = 0; r < t.n; r++) all[r] = reduce_threads(g, all[r]);
  if (g->o->reduce_tile.finish) {
    uint32_t to = cg_slot(g, CG_SLOT_TO), count = cg_slot_u32(g, CG_SLOT_TILES);
    uint32_t last = spv_if(g->b, cg_is_last(g, to, w.tile, count, all[0]));
    fold_partials(g, to, count);
    spv_endif(g->b, last);
    return;
  }
  uint32_t merge = spv_if(g->b, cg_is_zero(g, w.u));
  for (uint32_t r = 0; r < t.n; r++) {
    w.row = t.row[r];
    reduce_finish(g, all[r], &w);
  }
  spv_endif(g->b, merge);
}
