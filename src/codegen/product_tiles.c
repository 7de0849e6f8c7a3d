/* SPDX-License-Identifier: MIT */
/* product_tiles.c - what a workgroup does with the tiles: the steps along k, blocks of them, the
 * results; and the join of parts.
 *
 * TRIED on an H200, f32 4096², ms; used 5.12. Sums of blocks of 512 are as
 * many registers as the results.
 *   128×128×8, 8×8: 5.53 by single loads, 5.60 by loads of 16 bytes; 64×128×8: 8×8 5.29, 4×8 5.27; 128×64×8, 8×4: 5.20; 64×64×8, 8×4: 5.12
 *   sums of blocks in workgroup memory: 8.5 to 17.5; in a thread's own array: 6.1 to 6.6; 128×128×16: 6.2
 *   an address for each load instead of one an argument: 5.77, 'Fast' 3.13 → 4.24
 *   k of 64, 2048 × 2048, µs: 52 by 128×128×8, 8×8; 46 by 64×64×16, 4×4; 40 by 64×64×8, 8×4 (used), 36 with stores of 16 bytes
 *   complex 512², 1024² and 2048²: none of ten shapes beats those in use, which are at 0.68, 0.85 and 0.83
 *   of what multiplications and additions allow
 *   'Fast' f64 64×64×8, 8×4: 6.82 (used), 4×4: 6.76; 128×64×8, 4×8: 6.59; 128×128×8, 8×8: 6.44; nine others 6.9 to 9.2
 *   f64 64×64×8, 8×4: 10.0, 4×4: 9.54 (used); a matrix by a vector in tiles of 32×1: 70 → 76 µs of f64, 46 → 44 of f32 */
#include "product.h"

#include <spirv/unified1/GLSL.std.450.h>

enum { JOIN_TOGETHER = 8, JOIN_READS = 32 };

static const product_opts *opts(const cg *g) { return &g->o->product; }

void product_make_rest(cg *g, const parting *p) {
  static const uint32_t raw[KIR_MAX_IN];
  cg_pos at = {.i = cg_ixc(g, 0)};
  for (uint32_t n = 0; n < g->k->fold_at; n++)
    if (!p->of[n]) cg_range(g, n, n + 1, &at, raw);
}

cg_acc product_pair(cg *g, const parting *p, const uint32_t *x, const uint32_t *y,
                    uint32_t at, cg_acc a) {
  static const uint32_t raw[KIR_MAX_IN];
  cg_pos pos = {.i = at ? at : cg_ixc(g, 0), .iota = at};
  for (uint32_t q = 0; q < p->n_bound[LEFT]; q++) g->val[p->bound[LEFT][q]] = x[q];
  for (uint32_t q = 0; q < p->n_bound[RIGHT]; q++) g->val[p->bound[RIGHT][q]] = y[q];
  if (product_contracts(g->k, p, g->o->float64)) {
    const kins *map = &g->k->ins[g->k->acc[0].from];
    a.id[0] = spv_glsl(g->b, cg_type(g, (kty)map->ty), GLSLstd450Fma, g->val[map->a],
                       g->val[map->b], a.id[0]);
    return a;
  }
  for (uint32_t n = 0; n < g->k->fold_at; n++)
    if (p->of[n] == 3) cg_range(g, n, n + 1, &pos, raw);
  return cg_combine(g, a, cg_acc_here(g), 0);
}

/* One step: each result joins x g y. place: of k (ix), where the kernel asks for it; 0. */
static void one_step(cg *g, tiles *t, product_values v[SIDES], uint32_t place,
                     cg_acc acc[MOST_TILE][MOST_TILE]) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++)
      acc[i][j] = product_pair(g, &t->part, v[LEFT][i], v[RIGHT][j], place, acc[i][j]);
}

static void get_all(cg *g, tiles *t, cg_acc acc[MOST_TILE][MOST_TILE]) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++)
      acc[i][j] = cg_var_get(g, t->acc[i][j]);
}

static void put_all(cg *g, tiles *t, cg_acc acc[MOST_TILE][MOST_TILE]) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++)
      cg_var_set(g, t->acc[i][j], acc[i][j]);
}

static uint32_t tile_place(cg *g, const tiles *t, uint32_t in_part) {
  if (!t->part.position) return 0;
  return cg_to_ix(g, cg_u(g, SpvOpIAdd, t->k0, in_part));
}

/* All steps of the tile number `tile` (u32) of the part, in buffer `buffer` (u32). */
static void tile_steps(cg *g, tiles *t, uint32_t tile, uint32_t buffer) {
  cg_acc acc[MOST_TILE][MOST_TILE];
  product_values v[2][SIDES];
  uint32_t at[SIDES];
  get_all(g, t, acc);
  for (int n = 0; n < SIDES; n++) {
    tile_side *s = &t->of[n];
    uint32_t from = cg_ui(g, SpvOpIMul, buffer, t->bk * s->stride);
    at[n] = cg_u(g, SpvOpIAdd, from, s->own);
    product_fragment(g, t, s, at[n], v[0][n]);
  }
  for (uint32_t k = 0; k < t->bk; k++) {
    for (int n = 0; n < SIDES && k + 1 < t->bk; n++) {
      const tile_side *s = &t->of[n];
      product_fragment(g, t, s, cg_next(g, at[n], (k + 1) * s->stride),
                       v[(k + 1) % 2][n]);
    }
    uint32_t in_part = cg_next(g, cg_ui(g, SpvOpIMul, tile, t->bk), k);
    one_step(g, t, v[k % 2], tile_place(g, t, in_part), acc);
  }
  put_all(g, t, acc);
}

/* What the block has joins what the blocks before it have. */
static void end_block(cg *g, tiles *t) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++) {
      cg_acc all = cg_var_get(g, t->all[i][j]), acc = cg_var_get(g, t->acc[i][j]);
      cg_var_set(g, t->all[i][j], cg_combine(g, all, acc, 0));
      cg_var_set(g, t->acc[i][j], cg_identity(g));
    }
}

static void end_block_if_full(cg *g, tiles *t, uint32_t tile) {
  if (!opts(g)->blocks) return;
  uint32_t done = cg_ui(g, SpvOpUMod, cg_next(g, tile, 1), opts(g)->blocks);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, done));
  end_block(g, t);
  spv_endif(g->b, merge);
}

/* Whole rounds. In a round of two tiles it is known which buffer each is in, and what is read from
 * there has an address that does not change. */
static void whole_rounds(cg *g, tiles *t) {
  uint32_t none = spv_u32(g->b, 0), one = spv_u32(g->b, 1);
  uint32_t some = spv_if(g->b, cg_less(g, none, t->rounds));
  uint32_t all = cg_ui(g, SpvOpIMul, t->rounds, t->round);
  product_load_next(g, t, cg_less(g, one, all));
  product_store_tile(g, t, none);
  cg_barrier(g);
  spv_loop l = spv_for(g->b, t->rounds);
  for (uint32_t i = 0; i < t->round; i++) {
    uint32_t tile = cg_next(g, cg_ui(g, SpvOpIMul, l.i, t->round), i), more = 0;
    uint32_t buffer = spv_u32(g->b, i);
    if (t->round == 1) buffer = cg_ui(g, SpvOpBitwiseAnd, l.i, 1);
    if (i == 0) more = cg_less(g, cg_next(g, tile, 2), all);
    product_load_next(g, t, more);
    tile_steps(g, t, tile, buffer);
    product_store_tile(g, t, cg_ui(g, SpvOpBitwiseXor, buffer, 1));
    if (i + 1 == t->round) end_block_if_full(g, t, tile);
    cg_barrier(g);
  }
  spv_endfor(g->b, &l);
  spv_endif(g->b, some);
}

/* `count` steps of the tile that begins at place `first` (u32), one by one. */
static void few_steps(cg *g, tiles *t, uint32_t first, uint32_t count) {
  product_values v[SIDES];
  cg_acc acc[MOST_TILE][MOST_TILE];
  spv_loop l = spv_for(g->b, count);
  for (int n = 0; n < SIDES; n++) {
    const tile_side *s = &t->of[n];
    uint32_t at = cg_u(g, SpvOpIAdd, s->own, cg_ui(g, SpvOpIMul, l.i, s->stride));
    product_fragment(g, t, s, at, v[n]);
  }
  get_all(g, t, acc);
  one_step(g, t, v, tile_place(g, t, cg_u(g, SpvOpIAdd, first, l.i)), acc);
  put_all(g, t, acc);
  spv_endfor(g->b, &l);
}

/* What is less than a round. */
static void last_tiles(cg *g, tiles *t) {
  uint32_t behind = cg_ui(g, SpvOpIMul, t->rounds, t->round * t->bk);
  uint32_t n = cg_ui(g, SpvOpUDiv, cg_next(g, t->rest, t->bk - 1), t->bk);
  spv_loop l = spv_for(g->b, n);
  uint32_t at = cg_ui(g, SpvOpIMul, l.i, t->bk), first = cg_u(g, SpvOpIAdd, behind, at);
  uint32_t count = cg_u(g, SpvOpISub, t->rest, at);
  count = cg_least(g, g->u32, count, spv_u32(g->b, t->bk));
  product_load_rest(g, t, first, count);
  product_store_tile(g, t, spv_u32(g->b, 0));
  cg_barrier(g);
  few_steps(g, t, first, count);
  cg_barrier(g);
  spv_endfor(g->b, &l);
}

product_work product_own_work(cg *g) {
  product_work w;
  uint32_t wid = g->wid;
  w.across = cg_split(g, &wid, cg_slot_u32(g, CG_OWN_SLOT(product_geom, across)));
  w.down = cg_split(g, &wid, cg_slot_u32(g, CG_OWN_SLOT(product_geom, down)));
  w.piece = cg_split(g, &wid, cg_slot_u32(g, CG_SLOT_TILES));
  w.batch = wid;
  uint32_t chunk = cg_slot_u32(g, CG_OWN_SLOT(product_geom, chunk));
  w.k0 = cg_u(g, SpvOpIMul, w.piece, chunk);
  uint32_t left = cg_u(g, SpvOpISub, cg_slot_u32(g, CG_SLOT_LEN), w.k0);
  w.count = cg_least(g, g->u32, left, chunk);
  return w;
}

static void open_tiles(cg *g, tiles *t) {
  product_part(g->k, &t->part);
  t->bk = opts(g)->bk;
  t->rows = cg_slot_u32(g, cg_strided_slot(g->k, LEFT, 1) + CG_STRIDED_N);
  t->columns = cg_slot_u32(g, CG_SLOT_INNER);
  product_work own = product_own_work(g);
  t->piece = own.piece;
  t->batch = own.batch;
  t->k0 = own.k0;
  t->round = opts(g)->along & PRODUCT_ROUNDS ? 2 : 1;
  t->rounds = cg_ui(g, SpvOpUDiv, own.count, t->round * t->bk);
  t->rest = cg_ui(g, SpvOpUMod, own.count, t->round * t->bk);
  product_open_side(g, t, LEFT, own.down);
  product_open_side(g, t, RIGHT, own.across);
  product_place_thread(g, t);
  product_make_rest(g, &t->part);
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++) {
      t->acc[i][j] = cg_var_acc(g, cg_identity(g));
      if (opts(g)->blocks) t->all[i][j] = cg_var_acc(g, cg_identity(g));
    }
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

uint32_t product_result(cg *g, product_at a) {
  uint32_t at = cg_x(g, SpvOpIMul, cg_to_ix(g, a.batch), cg_to_ix(g, a.rows));
  at = cg_x(g, SpvOpIAdd, at, cg_to_ix(g, a.row));
  if (!g->o->final) {
    at = cg_x(g, SpvOpIMul, at, cg_slot_ix(g, CG_SLOT_TILES));
    at = cg_x(g, SpvOpIAdd, at, cg_to_ix(g, a.piece));
  }
  at = cg_x(g, SpvOpIMul, at, cg_to_ix(g, a.columns));
  return cg_x(g, SpvOpIAdd, at, cg_to_ix(g, a.column));
}

/* Four neighbours of a row are a store, where the pass has that width. */
static void store_results(cg *g, tiles *t) {
  product_at at = {
      .batch = t->batch, .piece = t->piece, .rows = t->rows, .columns = t->columns};
  uint32_t to = cg_result(g), wide = g->o->width;
  g->lanes = wide;
  if (wide > 1) product_make_rest(g, &t->part);
  for (uint32_t i = 0; i < t->of[LEFT].each; i++) {
    at.row = product_line(g, &t->of[LEFT], i);
    uint32_t there = spv_if(g->b, cg_less(g, at.row, t->rows));
    for (uint32_t j = 0; j < t->of[RIGHT].each; j += wide) {
      cg_acc v[MOST_WIDE];
      at.column = product_line(g, &t->of[RIGHT], j);
      uint32_t merge = spv_if(g->b, cg_less(g, at.column, t->columns));
      cg_pos p = {.i = product_result(g, at)};
      g->lanes = 1;
      for (uint32_t n = 0; n < wide; n++) {
        v[n] = cg_var_get(g, t->acc[i][j + n]);
        if (opts(g)->blocks)
          v[n] = cg_combine(g, cg_var_get(g, t->all[i][j + n]), v[n], 0);
      }
      g->lanes = wide;
      cg_finish(g, to, &p, cg_acc_join(g, v), 0);
      spv_endif(g->b, merge);
    }
    spv_endif(g->b, there);
  }
}

/* The values of a round join acc: the thread's own, or, through workgroup memory, those of all that
 * have the same result, by the first of them. */
static void join_round(cg *g, cg_var acc, const cg_var *side, const cg_acc *v) {
  uint32_t results = opts(g)->bn, each = opts(g)->bk;
  cg_acc sum;
  if (side) {
    for (uint32_t i = 0; i < each; i++)
      cg_shared_put(g, *side, cg_next(g, g->thread, i * CG_WORKGROUP), v[i]);
    cg_barrier(g);
    uint32_t all = each * (CG_WORKGROUP / results), some = all;
    while (some > JOIN_READS) some /= 2;
    uint32_t mine = spv_if(g->b, cg_less(g, g->thread, spv_u32(g->b, results)));
    spv_loop l = spv_for(g->b, spv_u32(g->b, all / some));
    uint32_t at = cg_ui(g, SpvOpIMul, l.i, some * results);
    at = cg_u(g, SpvOpIAdd, at, g->thread);
    cg_acc x[JOIN_READS];
    for (uint32_t i = 0; i < some; i++)
      x[i] = cg_shared_get(g, *side, cg_next(g, at, i * results));
    sum = cg_var_get(g, acc);
    for (uint32_t i = 0; i < some; i++) sum = cg_combine(g, sum, x[i], 0);
    cg_var_set(g, acc, sum);
    spv_endfor(g->b, &l);
    spv_endif(g->b, mine);
    cg_barrier(g);
    return;
  }
  sum = cg_var_get(g, acc);
  for (uint32_t i = 0; i < each; i++) sum = cg_combine(g, sum, v[i], 0);
  cg_var_set(g, acc, sum);
}

/* Some results a workgroup (bn), whose threads load `bk` parts each at a time, side by side; as many
 * threads as results then join them, from the first to the last. */
static void emit_join(cg *g) {
  uint32_t results = opts(g)->bn, each = opts(g)->bk, abreast = CG_WORKGROUP / results;
  uint32_t inner = cg_slot_ix(g, CG_SLOT_INNER), count = cg_slot_u32(g, CG_SLOT_LEN);
  uint32_t all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), inner);
  uint32_t own = cg_ui(g, SpvOpBitwiseAnd, g->thread, results - 1);
  uint32_t first = cg_ui(g, SpvOpShiftRightLogical, g->thread, cg_log2(results));
  uint32_t id = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, g->wid, results), own);
  uint32_t e = cg_to_ix(g, id), there = cg_less(g, e, all);
  uint32_t last = cg_x(g, SpvOpISub, all, cg_ixc(g, 1));
  e = cg_least(g, g->ix, e, last);
  cg_column c = {.inner = inner, .row = cg_x(g, SpvOpUDiv, e, inner), .at = e};
  cg_var acc = cg_var_acc(g, cg_identity(g)), side = {{0}};
  if (abreast > 1) side = cg_shared_acc(g, CG_WORKGROUP * each);
  uint32_t round = each * abreast;
  uint32_t rounds = cg_ui(g, SpvOpUDiv, cg_next(g, count, round - 1), round);
  cg_acc v[JOIN_TOGETHER];
  spv_loop l = spv_for(g->b, rounds);
  uint32_t from = cg_ui(g, SpvOpIMul, l.i, round), end = cg_ui(g, SpvOpISub, count, 1);
  for (uint32_t i = 0; i < each; i++) {
    uint32_t at = cg_u(g, SpvOpIAdd, from, cg_next(g, first, i * abreast));
    uint32_t is = cg_less(g, at, count);
    at = cg_least(g, g->u32, at, end);
    cg_pos p = cg_column_partial(g, &c, cg_to_ix(g, count), at);
    v[i] = cg_acc_sel(g, is, cg_get_acc_at(g, g->from, p.i), cg_identity(g));
  }
  join_round(g, acc, abreast > 1 ? &side : NULL, v);
  spv_endfor(g->b, &l);
  uint32_t mine = cg_both(g, there, cg_is_zero(g, first));
  uint32_t merge = spv_if(g->b, mine);
  cg_pos p = {.i = e};
  cg_finish(g, cg_result(g), &p, cg_var_get(g, acc), 0);
  spv_endif(g->b, merge);
}

void product_emit(cg *g) {
  g->lanes = 1;
  if (opts(g)->phase == PRODUCT_JOIN) {
    emit_join(g);
    return;
  }
  tiles t;
  open_tiles(g, &t);
  whole_rounds(g, &t);
  last_tiles(g, &t);
  store_results(g, &t);
}
