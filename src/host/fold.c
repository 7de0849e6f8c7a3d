/* SPDX-License-Identifier: MIT */
/* block_fold.c - REDUCE and SCAN on the host, by the fold tree of tables/fold.h.
 *
 *   short rows   a block holds several: one pass of the producer, then each row is folded
 *   long rows    tiles, each streamed block by block; what a tile gives is folded at the end
 *
 * A scan reads its input once. Its tiles are begun in order; a tile's carry is known when the
 * total of the tile before it is, so the totals are scanned as they come (`carry_push`), and
 * a thread waits for its turn before it scans. One thread alone never waits, and makes total
 * and scan from the same block in L1; with several, a tile's producer is run first for the
 * total, its values are kept in the cache, and scanned after the wait.
 *
 * Integer sums, extremes of integers, ∧ and ∨ come out the same in any order. They take the
 * same ways with a 128-bit accumulator instead of lanes. */
#include "block.h"
#include "../base/mem.h"

#include <sched.h>
#include <string.h>

enum { EXACT_TILE = 1 << 16, LEVELS = 3 };

/* ── integers: the accumulator ──────────────────────────────────────────────────────── */

blk_wide blk_identity(const blk_plan *p) {
  if (p->exact == EXACT_ADD) return 0;
  bool least = p->exact == EXACT_MIN;
  switch (p->fold_src) {
  case KB: return least;
  case KI32: return least ? INT32_MAX : INT32_MIN;
  default: return least ? INT64_MAX : INT64_MIN;
  }
}

blk_wide blk_join(const blk_plan *p, blk_wide a, blk_wide b) {
  if (p->exact == EXACT_ADD) return a + b;
  return (p->exact == EXACT_MIN) == (b < a) ? b : a;
}

void blk_put(blk_thread *t, void *r, size_t i, blk_wide v) {
  const blk_plan *p = &t->job->plan;
  switch (blk_res_type(p)) {
  case KB: ((uint8_t *)r)[i] = (uint8_t)v; break;
  case KI32: ((int32_t *)r)[i] = (int32_t)v; break;
  case KI64:
    ((int64_t *)r)[i] = (int64_t)v;
    if (p->k->wide) blk_flag(t, v != (int64_t)v);
    break;
  default: ((double *)r)[i] = (double)v;
  }
}

blk_wide blk_get(kty ty, const void *x, size_t i) {
  return ty == KB     ? ((const uint8_t *)x)[i]
         : ty == KI32 ? ((const int32_t *)x)[i]
                      : ((const int64_t *)x)[i];
}

/* Scans n elements of x from *acc on, and leaves the last in *acc. Sums run in 64 bits; a
 * block in which one does not fit is done again, element by element in 128. */
static void exact_scan(blk_thread *t, void *r, const void *x, size_t n, blk_wide *acc) {
  const blk_plan *p = &t->job->plan;
  const blk_exact *e = &p->isa->exact[p->exact][p->fold_src];
  uint32_t wrapped = e->scan(r, x, n, (int64_t)*acc);
  kty ty = blk_res_type(p);
  if (p->exact == EXACT_ADD && p->k->wide && (wrapped || *acc != (int64_t)*acc)) {
    for (size_t i = 0; i < n; i++) {
      *acc += blk_get(p->fold_src, x, i);
      blk_put(t, r, i, *acc);
    }
    return;
  }
  *acc = blk_get(ty == KF64 ? KI64 : ty, r, n - 1);
  if (ty == KF64) blk_sums_as_f64(r, n);
}

void blk_sums_as_f64(void *r, size_t n) {
  char *at = r;
  for (size_t i = 0; i < n; i++, at += 8) {
    int64_t v;
    memcpy(&v, at, sizeof v);
    double d = (double)v;
    memcpy(at, &d, sizeof d);
  }
}

/* ── reduce ─────────────────────────────────────────────────────────────────────────── */

static void fold_lanes(blk_thread *t, char *lanes, size_t n, const void *x, size_t from) {
  const blk_plan *p = &t->job->plan;
  blk_flag(t, p->tree->lanes(lanes + from % KIR_LANES * blk_src_size(p), x, n));
}

static void fold_pairs(blk_thread *t, void *lanes) {
  for (size_t w = KIR_LANES / 2; w; w /= 2)
    blk_flag(t, t->job->plan.tree->pairs(lanes, lanes, w));
}

/* Folds n values, which are overwritten, by the rule for tiles of `tile` elements. */
static void fold_values(blk_thread *t, char *v, size_t n, size_t tile, void *result) {
  const blk_plan *p = &t->job->plan;
  size_t size = blk_src_size(p), many = n;
  do {
    n = many, many = 0;
    for (size_t at = 0; at < n; at += tile) {
      p->tree->fill(t->lanes, KIR_LANES);
      for (size_t i = at; i < n && i < at + tile; i += KIR_LANES)
        fold_lanes(t, t->lanes, n - i < KIR_LANES ? n - i : KIR_LANES, v + i * size, 0);
      fold_pairs(t, t->lanes);
      memcpy(v + many++ * size, t->lanes, size);
    }
  } while (many > 1);
  memcpy(result, v, size);
}

static void fold_row(blk_thread *t, const char *x, size_t rows, size_t len, size_t at) {
  const blk_plan *p = &t->job->plan;
  if (p->tree) {
    blk_flag(t, p->tree->rows((char *)t->res + at * blk_src_size(p), x, rows, len));
    return;
  }
  for (size_t i = 0; i < rows; i++, x += len * blk_src_size(p)) {
    blk_wide acc = blk_identity(p);
    p->isa->exact[p->exact][p->fold_src].fold(&acc, x, len);
    blk_put(t, t->res, at + i, acc);
  }
}

void blk_consume(blk_thread *t, int64_t o, size_t n) {
  const blk_plan *p = &t->job->plan;
  blk_at w = {o, o, p->b->rows * p->b->inner, n, 1};
  blk_pad(t->res, (size_t)kty_bytes(blk_res_type(p)), w.n);
  blk_aim(t, w);
  t->at[p->fold_r] = t->res;
  blk_post(t, w);
}

static void short_rows_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  int64_t len = p->b->len, r0 = i * (int64_t)p->block;
  int64_t r1 = blk_min(r0 + (int64_t)p->block, p->b->rows), per = (int64_t)p->block / len;
  for (int64_t r = r0; r < r1; r += per) {
    if (blk_stopped(j)) return;
    int64_t rows = blk_min(per, r1 - r);
    blk_pre(t, (blk_at){r * len, 0, len, (size_t)(rows * len), 1});
    fold_row(t, t->at[p->fold_x], (size_t)rows, (size_t)len, (size_t)(r - r0));
  }
  blk_consume(t, r0, (size_t)(r1 - r0));
}

const char *blk_plain(const blk_plan *p) {
  const blk_step *s = p->step;
  if (p->n_pre != 1 || s->kind != STEP_LOAD || p->k->in[s->in].view != KV_FLAT)
    return NULL;
  elt type = p->k->in[s->in].type;
  return p->isa->load[type] ? NULL : p->b->in[s->in].host;
}

/* A producer that does nothing but read bits: they are counted where they are. */
static bool only_bits(const blk_plan *p) {
  return p->n_pre == 1 && !p->tree && p->fold_src == KB && p->step[0].kind == STEP_LOAD &&
         p->k->in[p->step[0].in].view == KV_FLAT;
}

static blk_wide count_bits(const blk_plan *p, int64_t from, int64_t n) {
  int64_t ones = p->isa->count(p->b->in[p->step[0].in].host, from, n);
  return p->exact == EXACT_ADD ? ones : p->exact == EXACT_MIN ? ones == n : ones > 0;
}

static void tile_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  int64_t row = i / j->tiles, len = p->b->len, step = (int64_t)p->block;
  int64_t tile = p->tree ? REDUCE_TILE : EXACT_TILE;
  int64_t at = i % j->tiles * tile, end = at + blk_min(tile, len - at);
  blk_wide acc = p->tree ? 0 : blk_identity(p);
  if (p->tree) p->tree->fill(t->lanes, KIR_LANES);
  if (only_bits(p)) acc = count_bits(p, row * len + at, end - at), at = end;
  const char *plain = p->tree ? blk_plain(p) : NULL;
  if (plain) plain += (size_t)(row * len + at) * blk_src_size(p);
  for (; plain && end - at >= 4 * KIR_LANES; at += 4 * KIR_LANES) {
    blk_flag(t, p->tree->lanes4(t->lanes, plain));
    plain += 4 * KIR_LANES * blk_src_size(p);
  }
  for (; at < end; at += step) {
    if (blk_stopped(j)) return;
    size_t n = (size_t)blk_min(step, end - at);
    blk_pre(t, (blk_at){row * len + at, at, len, n, 1});
    const void *x = t->at[p->fold_x];
    if (p->tree) fold_lanes(t, t->lanes, n, x, (size_t)at);
    else p->isa->exact[p->exact][p->fold_src].fold(&acc, x, n);
  }
  if (p->tree) {
    fold_pairs(t, t->lanes);
    memcpy(j->partial + (size_t)i * blk_src_size(p), t->lanes, blk_src_size(p));
  } else {
    memcpy(j->partial + (size_t)i * sizeof acc, &acc, sizeof acc);
  }
}

/* Folds the tiles' results of row r into t->res[at]. */
static void fold_partials(blk_job *j, blk_thread *t, int64_t r, size_t at) {
  const blk_plan *p = &j->plan;
  size_t size = p->tree ? blk_src_size(p) : sizeof(blk_wide), n = (size_t)j->tiles;
  char *v = j->partial + (size_t)r * n * size;
  if (p->tree) {
    char *to = (char *)t->res + at * size;
    if (n > 1) fold_values(t, v, n, REDUCE_TILE, to);
    else memcpy(to, v, size);
    return;
  }
  blk_wide acc = blk_identity(p), x;
  for (size_t i = 0; i < n; i++) {
    memcpy(&x, v + i * size, size);
    acc = blk_join(p, acc, x);
  }
  blk_put(t, t->res, at, acc);
}

bool blk_reduce(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t) {
  const blk_plan *p = &j->plan;
  int64_t rows = p->b->rows, step = (int64_t)p->block;
  if (p->b->len <= step) {
    j->task = short_rows_task;
    j->n_task = (rows + step - 1) / step;
    blk_each(pool, j, t);
    return true;
  }
  int64_t tile = p->tree ? REDUCE_TILE : EXACT_TILE;
  j->tiles = (p->b->len - 1) / tile + 1;
  j->task = tile_task;
  j->n_task = rows * j->tiles;
  j->partial =
      mem_alloc(c, (size_t)j->n_task * (p->tree ? blk_src_size(p) : sizeof(blk_wide)));
  if (!j->partial) return false;
  blk_each(pool, j, t);
  for (int64_t r0 = 0; r0 < rows && !blk_stopped(j); r0 += step) {
    int64_t r1 = blk_min(r0 + step, rows);
    for (int64_t r = r0; r < r1; r++) fold_partials(j, t, r, (size_t)(r - r0));
    blk_consume(t, r0, (size_t)(r1 - r0));
  }
  mem_free(c, j->partial);
  return true;
}

/* ── the scan's carries ─────────────────────────────────────────────────────────────── */

/* The totals of a row's tiles are scanned by the same rule, as they come. A level keeps the
 * totals of its current tile and the scan's state at the last whole group; a full tile's own
 * total goes to the next level. */
typedef struct carry_level {
  char *total; /* up to SCAN_TILE */
  size_t n;
  blk_scan st; /* before the group of total[n] */
} carry_level;

struct blk_carry {
  carry_level level[LEVELS];
  blk_num tree; /* the carry into the next tile */
  blk_wide exact;
};

/* Returns the inclusive scan of the level's elements up to x, which is the newest. */
static blk_num carry_push(blk_thread *t, int at, blk_num x) {
  const blk_plan *p = &t->job->plan;
  carry_level *l = &t->job->carry->level[at];
  size_t size = blk_src_size(p);
  blk_num v = {0};
  if (l->n == SCAN_TILE) {
    fold_values(t, l->total, l->n, SCAN_TILE, &v);
    l->st = (blk_scan){.carry = carry_push(t, at + 1, v), .has_carry = true};
    l->n = 0;
  }
  memcpy(l->total + l->n * size, &x, size);
  size_t in_group = l->n % BLK_GROUP;
  blk_scan st = l->st;
  blk_num out[BLK_GROUP];
  blk_flag(t, p->tree->scan(&st, out, l->total + (l->n - in_group) * size, in_group + 1));
  if (in_group == BLK_GROUP - 1) l->st = st;
  l->n++;
  memcpy(&v, (const char *)out + in_group * size, size);
  return v;
}

static void carry_reset(blk_job *j) {
  for (int i = 0; i < LEVELS; i++) {
    j->carry->level[i].n = 0;
    j->carry->level[i].st = (blk_scan){0};
  }
  j->carry->exact = blk_identity(&j->plan);
}

static struct blk_carry *carry_new(ctx *c, const blk_plan *p, int64_t tiles) {
  size_t size[LEVELS], all = sizeof(struct blk_carry);
  for (int i = 0; i < LEVELS; i++, tiles = tiles / SCAN_TILE + 1) {
    size[i] = (size_t)blk_min(tiles, SCAN_TILE) * blk_src_size(p);
    all += size[i];
  }
  struct blk_carry *w = mem_zalloc(c, all);
  if (!w) return NULL;
  char *m = (char *)(w + 1);
  for (int i = 0; i < LEVELS; m += size[i], i++) w->level[i].total = m;
  return w;
}

/* ── scan ───────────────────────────────────────────────────────────────────────────── */

/* The state in which a tile, or a short row, is scanned. */
typedef struct running {
  blk_scan tree;
  blk_wide exact;
} running;

static running running_new(const blk_plan *p) {
  return (running){.exact = p->tree ? 0 : blk_identity(p)};
}

static void scan_some(blk_thread *t, running *s, void *r, const void *x, size_t n) {
  const blk_plan *p = &t->job->plan;
  if (p->tree) blk_flag(t, p->tree->scan(&s->tree, r, x, n));
  else exact_scan(t, r, x, n, &s->exact);
}

void blk_scanned(blk_thread *t, blk_at w) {
  const blk_plan *p = &t->job->plan;
  if (w.n % BLK_UNI) blk_pad(t->at[p->fold_r], (size_t)kty_bytes(blk_res_type(p)), w.n);
  blk_post(t, w);
}

static void scan_rows_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  int64_t len = p->b->len, per = (int64_t)p->block / len;
  int64_t r = i * 16 * per, r1 = blk_min(r + 16 * per, p->b->rows);
  size_t from = (size_t)len * blk_src_size(p),
         to = (size_t)len * (size_t)kty_bytes(blk_res_type(p));
  for (; r < r1; r += per) {
    if (blk_stopped(j)) return;
    int64_t rows = blk_min(per, r1 - r);
    blk_at w = {r * len, 0, len, (size_t)(rows * len), 1};
    blk_pre(t, w);
    blk_aim(t, w);
    const char *x = t->at[p->fold_x];
    char *out = t->at[p->fold_r];
    for (int64_t k = 0; k < rows; k++, x += from, out += to) {
      running s = running_new(p);
      scan_some(t, &s, out, x, (size_t)len);
    }
    blk_scanned(t, w);
  }
}

/* Adds a block to the tile's total. */
static void total_some(blk_thread *t, blk_wide *acc, const void *x, size_t n, size_t at) {
  const blk_plan *p = &t->job->plan;
  if (p->tree) fold_lanes(t, t->lanes, n, x, at);
  else p->isa->exact[p->exact][p->fold_src].fold(acc, x, n);
}

/* The total of a tile makes the carry into the next. */
static void carry_on(blk_thread *t, blk_wide total) {
  blk_job *j = t->job;
  blk_num v = {0};
  if (j->plan.tree) {
    fold_pairs(t, t->lanes);
    memcpy(&v, t->lanes, blk_src_size(&j->plan));
    j->carry->tree = carry_push(t, 0, v);
  } else {
    j->carry->exact = blk_join(&j->plan, j->carry->exact, total);
  }
}

static void begin_total(blk_thread *t, blk_wide *acc) {
  const blk_plan *p = &t->job->plan;
  if (p->tree) p->tree->fill(t->lanes, KIR_LANES);
  else *acc = blk_identity(p);
}

static void take_carry(blk_job *j, running *s, bool first) {
  if (first) carry_reset(j);
  s->exact = j->carry->exact;
  s->tree = (blk_scan){.has_carry = !first, .carry = j->carry->tree};
}

bool blk_wait_turn(blk_job *j, int64_t i) {
  for (int spins = 0; atomic_load_explicit(&j->turn, memory_order_acquire) != i;
       spins++) {
    if (blk_stopped(j)) return false;
    if (spins > 100) sched_yield();
  }
  return true;
}

/* The producer of a whole tile, for its total. `keep`: it is made in t->tile, else it is only
 * read from memory, and can be read again. */
static bool tile_ahead(blk_thread *t, int64_t e0, int64_t at, int64_t end, bool keep,
                       blk_wide *acc) {
  blk_job *j = t->job;
  const blk_plan *p = &j->plan;
  int64_t step = (int64_t)p->block, first = at;
  begin_total(t, acc);
  for (; at < end; at += step) {
    if (blk_stopped(j)) return false;
    size_t n = (size_t)blk_min(step, end - at);
    if (keep) t->at[p->fold_x] = (char *)t->tile + (size_t)(at - first) * blk_src_size(p);
    blk_pre(t, (blk_at){e0 + at, at, p->b->len, n, 1});
    total_some(t, acc, t->at[p->fold_x], n, (size_t)at);
  }
  return true;
}

static void scan_tile_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  int64_t row = i / j->tiles, tile = i % j->tiles, e0 = row * p->b->len,
          step = (int64_t)p->block;
  int64_t first = tile * SCAN_TILE, end = blk_min(first + SCAN_TILE, p->b->len);
  bool carries = j->tiles > 1, ahead = carries && j->threads > 1;
  bool feeds =
      tile + 1 < j->tiles; /* a row's last total is nobody's carry: it is not made */
  bool keep = ahead && feeds && p->step[p->cell[p->fold_x].def].kind <= STEP_FIN;
  bool total = feeds && !ahead && p->tree;
  running s = running_new(p);
  blk_wide acc = 0;
  if (feeds && ahead && !tile_ahead(t, e0, first, end, keep, &acc)) return;
  if (ahead && !blk_wait_turn(j, i)) return;
  if (carries) take_carry(j, &s, tile == 0);
  if (ahead) {
    if (feeds) carry_on(t, acc);
    atomic_store_explicit(&j->turn, i + 1, memory_order_release);
  }
  if (total) begin_total(t, &acc);
  for (int64_t at = first; at < end; at += step) {
    if (blk_stopped(j)) return;
    blk_at w = {e0 + at, at, p->b->len, (size_t)blk_min(step, end - at), 1};
    if (keep) t->at[p->fold_x] = (char *)t->tile + (size_t)(at - first) * blk_src_size(p);
    else blk_pre(t, w);
    const void *x = t->at[p->fold_x];
    blk_aim(t, w);
    scan_some(t, &s, t->at[p->fold_r], x, w.n);
    if (total) total_some(t, &acc, x, w.n, (size_t)at);
    blk_scanned(t, w);
  }
  if (total) carry_on(t, acc);
  else if (carries && !ahead) j->carry->exact = s.exact;
}

bool blk_scan_run(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t) {
  const blk_plan *p = &j->plan;
  int64_t rows = p->b->rows, len = p->b->len;
  if (len <= (int64_t)p->block) {
    int64_t per = (int64_t)p->block / len * 16;
    j->task = scan_rows_task;
    j->n_task = (rows + per - 1) / per;
  } else {
    j->tiles = (len + SCAN_TILE - 1) / SCAN_TILE;
    j->task = scan_tile_task;
    j->n_task = rows * j->tiles;
    if (j->tiles > 1 && !(j->carry = carry_new(c, p, j->tiles))) return false;
  }
  blk_each(pool, j, t);
  mem_free(c, j->carry);
  return true;
}
