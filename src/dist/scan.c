/* SPDX-License-Identifier: MIT */
/* scan.c - f⍀y in parts, with the bits of one rank.
 *
 *   SUM, PARITY, EXTREME   Everybody gets what each rank's rows fold to (fold.c). A rank's rows are scanned by
 *                          themselves, and joined with what comes before them: one kernel, which reads them a second
 *                          time.
 *   TREE                   Vectors of floats: long sums by strips.c, others on the host. A tile of the tree (tables/fold.h) belongs to the rank that
 *                          has its last element; those before it come from the ranks that have them. Everybody gets
 *                          the tiles' totals, and each rank the prefix of its first tile from them.
 *
 * What leaves 64 bits, or is a float that only a look at all elements tells to be right, is computed of all of y. */
#include "fold.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../fold/tree.h"
#include "../prim/scalar.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ── behind one row ── */

/* What the sums of column j's rows before rank `to` come to. False: it is too much. */
static bool sum_before(const first_fold *z, int to, int64_t j, int64_t *sum) {
  *sum = 0;
  for (int r = 0; r < to; r++) {
    bool minus = z->f == P_MINUS && cut_at(z->n, z->d->ranks, r) % 2;
    if (minus ? __builtin_sub_overflow(*sum, fold_whole(z, r, j), sum)
              : __builtin_add_overflow(*sum, fold_whole(z, r, j), sum))
      return false;
  }
  return true;
}

static int64_t whole_before(const first_fold *z, int64_t j) {
  int64_t sum;
  if (z->way == WAY_SUM) return sum_before(z, z->d->me, j, &sum) ? sum : 0;
  bool turns = z->f == P_EQ && cut_at(z->n, z->d->ranks, z->d->me) % 2;
  return fold_wholes(z, z->d->me, j) ^ (z->way == WAY_PARITY && turns);
}

/* A row: what this rank's rows come behind. */
static arr *row_before(const first_fold *z) {
  ctx *c = z->call->env.c;
  if (z->on == CLS_F) return fold_reals(z, z->d->me, 1, &z->inner);
  bool truths = z->on == CLS_B && z->way != WAY_SUM;
  arr *r = arr_vec(c, truths ? ET_BIT : ET_I64, z->inner);
  for (int64_t j = 0; r && j < z->inner; j++) arr_put_int(r, j, whole_before(z, j));
  return r;
}

static prim joins_by(const first_fold *z) {
  if (z->way == WAY_PARITY) return P_NE;
  bool minus = z->f == P_MINUS && cut_at(z->n, z->d->ranks, z->d->me) % 2;
  if (z->way == WAY_SUM) return minus ? P_MINUS : P_PLUS;
  prim f = fold_extreme_of(z->f, z->on);
  if (z->on == CLS_B) return f == P_CEIL ? P_OR : P_AND;
  return f;
}

/* The row, for each row of an array of that shape. */
static arr *repeated(const first_fold *z, arr *row, const arr *like) {
  const ir_call *call = z->call;
  int axis[ARR_MAX_RANK];
  if (like->rank == 1) {
    OWNED arr *host = ir_host(call->g, row) ? arr_retain(row) : NULL;
    return host ? arr_reshape(call->env.c, host, 0, NULL) : NULL;
  }
  OWNED arr *shaped = ir_reshape(call, row, like->rank - 1, like->shape + 1);
  for (int k = 1; k < like->rank; k++) axis[k - 1] = k;
  return shaped ? ir_spread(call, shaped, like->rank, like->shape, axis) : NULL;
}

/* This rank's rows, scanned. */
static arr *scan_behind(first_fold *z) {
  const ir_call *call = z->call;
  OWNED arr *part = part_for(call, z->y);
  OWNED arr *own = part ? ir_scan(call, z->f, part, 0) : NULL;
  if (!own || !z->d->me) return arr_move(&own);
  OWNED arr *row = row_before(z);
  OWNED arr *before = row ? repeated(z, row, part) : NULL;
  return before ? ir_dyadic(call, joins_by(z), before, own) : NULL;
}

static arr *scan_by_rows(first_fold *z) {
  dist *d = z->d;
  bool whole = z->on != CLS_F;
  int64_t sum;
  if (z->wide || !fold_gather(d, &z->all, z->mine->host)) return NULL;
  for (int64_t j = 0; z->way == WAY_SUM && j < z->inner; j++)
    if (!sum_before(z, d->ranks, j, &sum)) return NULL; /* it does not fit */
  inside_begin(d);
  OWNED arr *r = scan_behind(z);
  bool ok = r && ir_settle(z->call->g, r) && elt_is_int((elt)r->type) == whole;
  inside_end(d);
  if (!fold_agreed(z, ok)) return NULL;
  return cut_array(z->call, arr_move(&r), z->y->rank, z->y->shape);
}

/* ── by the tree ── */

typedef struct tree_scan {
  first_fold *z;
  size_t size;        /* bytes of an element */
  int64_t tile, head; /* elements of a tile; those before the part in its first tile */
  int64_t n;          /* of the line: the head and the part */
  arr *part, *line;   /* owned */
  char *totals;       /* of tiles that end in the part */
  fold_rows_of tails, all;
} tree_scan;

static int64_t first_of(const tree_scan *s, int r) {
  return cut_at(s->z->n, s->z->d->ranks, r);
}

/* Elements at rank r's end that are of a tile which ends behind it. */
static int64_t tail_of(const tree_scan *s, int r) {
  int64_t from = first_of(s, r), to = first_of(s, r + 1);
  if (r + 1 == s->z->d->ranks) return 0;
  return min_i64(to - from, to % s->tile);
}

/* Tiles that end in rank r's part. */
static int64_t tiles_of(const tree_scan *s, int r) {
  return first_of(s, r + 1) / s->tile - first_of(s, r) / s->tile;
}

/* Memory, and the part on the host. */
static bool take_memory(tree_scan *s) {
  dist *d = s->z->d;
  ctx *c = d->c;
  int64_t *rows = s->z->rows;
  s->part = part_for(s->z->call, s->z->y);
  if (!s->part || !ir_host(d->g, s->part) || s->part->type != s->z->type) return false;
  s->head = first_of(s, d->me) % s->tile;
  s->n = s->head + s->part->count;
  s->line = arr_vec(c, s->z->type, s->n);
  s->totals = mem_alloc(c, (size_t)tiles_of(s, d->me) * s->size + 1);
  for (int r = 0; r < d->ranks; r++) rows[r] = tail_of(s, r);
  bool ok = s->line && s->totals && fold_room(d, &s->tails, rows, s->size);
  for (int r = 0; r < d->ranks; r++) rows[r] = tiles_of(s, r);
  return ok && fold_room(d, &s->all, rows, s->size);
}

/* Every second element of the line, whose first one has an even place, becomes negative. */
static void alternate(tree_scan *s) {
  double *r = s->line->host;
  float *f = s->line->host;
  for (int64_t i = 1; i < s->n; i += 2) {
    if (s->size == 8) r[i] = -r[i];
    else f[i] = -f[i];
  }
}

/* What comes before the part in its first tile comes from those that have it. */
static bool get_head(tree_scan *s) {
  dist *d = s->z->d;
  size_t head = (size_t)s->head * s->size, part = (size_t)s->part->count * s->size,
         tail = (size_t)tail_of(s, d->me) * s->size, end = 0;
  if (!fold_gather(d, &s->tails, (char *)s->part->host + part - tail)) return false;
  for (int r = 0; r < d->me; r++) end += s->tails.each[r];
  memcpy(s->line->host, s->tails.all + end - head, head);
  memcpy((char *)s->line->host + head, s->part->host, part);
  if (s->z->f == P_MINUS) alternate(s);
  return true;
}

static int64_t first_that_is_not_finite(const tree_scan *s) {
  for (int64_t i = s->head; i < s->n; i++)
    if (!isfinite(arr_get_float(s->line, i))) return i - s->head;
  return INT64_MAX / 2;
}

/* The line scanned: its first element that is no finite number, and its first such result. False: a product is to
 * be looked at. */
static bool scan_line(tree_scan *s, tree *t, int64_t *off) {
  sc_type type = s->size == 8 ? SC_F64 : SC_F32;
  int64_t before = first_of(s, s->z->d->me) / s->tile, from = first_of(s, s->z->d->me);
  char *mine = (char *)s->line->host + (size_t)s->head * s->size;
  off[0] = first_that_is_not_finite(s) + from;
  tree_scan_behind(t, s->all.all, (size_t)before, s->line->host, s->line->host,
                   (size_t)s->n);
  off[1] = first_that_is_not_finite(s) + from;
  memmove(s->line->host, mine, (size_t)s->part->count * s->size);
  return s->z->f != P_TIMES ||
         !sc_block()->off(type, s->line->host, s->part->count, true);
}

static bool scan_tiles(tree_scan *s) {
  _Alignas(64) char room[4096 * KIR_SCAN_TIERS];
  uintptr_t mem = (uintptr_t)room;
  dist *d = s->z->d;
  kfold f = s->z->f == P_TIMES ? KF_MUL : KF_ADD;
  kty ty = s->size == 8 ? KF64 : KF32;
  tree t = tree_of(tree_loops_of(f, ty), f, ty);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert(mem <= (uintptr_t)room + sizeof room);
  if (!fold_agreed(s->z, take_memory(s)) || !get_head(s)) return false;
  tree_totals(&t, s->totals, s->line->host, (size_t)tiles_of(s, d->me));
  if (!fold_agreed(s->z, true) || !fold_gather(d, &s->all, s->totals)) return false;
  int64_t off[2];
  bool ok = scan_line(s, &t, off);
  int64_t value[3] = {!ok, ~off[0], ~off[1]};
  bool met = dist_meet_values(d, AGREE_VALUES, value, 3);
  return met && !value[0] &&
         ~value[1] <= ~value[2]; /* else they cannot stay, on some rank */
}

static arr *scan_by_tree(first_fold *z) {
  tree_scan s = {.z = z, .size = z->type == ET_F32 ? 4 : 8};
  ctx *c = z->d->c;
  s.tile = KIR_SCAN_TILE((int64_t)s.size);
  arr *r = NULL;
  if (scan_tiles(&s)) r = arr_vec(c, z->type, s.part->count);
  if (r) memcpy(r->host, s.line->host, elt_bytes(z->type, r->count));
  arr_release(s.part);
  arr_release(s.line);
  mem_free(c, s.totals);
  fold_room_free(z->d, &s.tails);
  fold_room_free(z->d, &s.all);
  return cut_array(z->call, r, 1, z->y->shape);
}

arr *scan_first(const ir_call *call, prim f, arr *y) {
  first_fold z;
  arr *r = NULL;
  if (fold_begins(&z, call, true, f, y) && fold_parts(&z) && z.way) {
    bool by_tree = z.way == WAY_TREE;
    if (by_tree && is_for_strips(z.d, f, z.n, z.inner)) r = scan_by_strips(&z);
    if (!r && !err_is(call->env.c)) r = by_tree ? scan_by_tree(&z) : scan_by_rows(&z);
  }
  fold_ends(&z);
  return r;
}
