/* SPDX-License-Identifier: MIT */
/* fold.c - f⌿y in parts, with the bits of one rank: everybody gets what each rank's rows come to (fold_rows.c), and
 * joins that.
 *
 * What comes out of no way as on one rank is computed by whole columns (columns.c), or of all of y. */
#include "fold.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/extreme.h"
#include "../fold/tree.h"
#include "../ir/device.h"
#include "../ir/build.h"
#include "../prim/scalar.h"
#include <float.h>
#include <math.h>
#include <string.h>

__extension__ typedef __int128 i128;

/* Element j of row i of everybody's. */
static int64_t whole_at(const first_fold *z, int64_t i, int64_t j) {
  return ((const int64_t *)(const void *)z->all.all)[i * z->inner + j];
}

/* Rank r's sum in column j. -/ of rows behind an odd number of others begins with a minus. */
static i128 sum_of(const first_fold *z, int r, int64_t j) {
  i128 sum = whole_at(z, z->wide ? 2 * r + 1 : r, j);
  if (z->wide) sum = sum * ((i128)1 << 64) + (uint64_t)whole_at(z, 2 * r, j);
  bool minus = z->f == P_MINUS && cut_at(z->n, z->d->ranks, r) % 2;
  return minus ? -sum : sum;
}

static i128 sum_of_all(const first_fold *z, int64_t j) {
  i128 sum = 0;
  for (int r = 0; r < z->d->ranks; r++) sum += sum_of(z, r, j);
  return sum;
}

static arr *new_result(const first_fold *z, elt t) {
  return arr_new(z->call->env.c, t, z->y->rank - 1, z->y->shape + 1);
}

/* Integers if all fit, else floats, each rounded once. */
static arr *join_sums(const first_fold *z) {
  bool fits = true;
  for (int64_t j = 0; fits && j < z->inner; j++) {
    i128 sum = sum_of_all(z, j);
    fits = sum >= INT64_MIN && sum <= INT64_MAX;
  }
  OWNED arr *r = new_result(z, fits ? ET_I64 : ET_F64);
  for (int64_t j = 0; r && j < z->inner; j++) {
    i128 sum = sum_of_all(z, j);
    if (fits) arr_put_int(r, j, (int64_t)sum);
    else arr_put_float(r, j, (double)sum);
  }
  return r ? sc_narrow(z->call->env.c, arr_move(&r)) : NULL;
}

static arr *join_parities(const first_fold *z) {
  arr *r = new_result(z, ET_BIT);
  bool turns = fold_of(z->f, CLS_B)->over == OVER_EVENNESS && z->n % 2 == 0;
  for (int64_t j = 0; r && j < z->inner; j++) {
    int64_t sum = turns;
    for (int i = 0; i < z->d->ranks; i++) sum += whole_at(z, i, j);
    arr_put_int(r, j, sum & 1);
  }
  return r;
}

static double extreme(double a, double b, bool most) {
  return most ? most_f64(a, b) : least_f64(a, b);
}

static double real_at(const first_fold *z, int64_t i, int64_t j) {
  int64_t at = i * z->inner + j;
  if (z->type == ET_F32) return (double)((const float *)(const void *)z->all.all)[at];
  return ((const double *)(const void *)z->all.all)[at];
}

static arr *join_extremes(const first_fold *z) {
  ctx *c = z->call->env.c;
  bool most = fold_extreme_of(z->f, z->on) == P_CEIL;
  elt t = z->on == CLS_F ? z->type : z->on == CLS_B ? ET_BIT : ET_I64;
  OWNED arr *r = new_result(z, t);
  for (int64_t j = 0; r && j < z->inner; j++) {
    double real = 0;
    int64_t whole = 0;
    for (int i = 0; i < z->d->ranks; i++) {
      if (z->on == CLS_F) {
        real = i ? extreme(real, real_at(z, i, j), most) : real_at(z, 0, j);
        continue;
      }
      int64_t v = whole_at(z, i, j);
      if (!i || (most ? v > whole : v < whole)) whole = v;
    }
    if (z->on == CLS_F) arr_put_float(r, j, real);
    else arr_put_int(r, j, whole);
  }
  return r && z->on == CLS_I ? sc_narrow(c, arr_move(&r)) : arr_move(&r);
}

/* Did a sum or a product leave the numbers that need no second look? */
static bool is_off(const first_fold *z, double v) {
  double least = z->type == ET_F32 ? (double)FLT_MIN : DBL_MIN;
  return !isfinite(v) || (z->f == P_TIMES && fabs(v) < least);
}

/* What was told of a column, and what tiles of the next level come to. */
typedef struct tile_column {
  const tree_loops *loops;
  size_t size;
  const char *told;
  char *top, *room;
  int64_t tops;
} tile_column;

static void fold_line(tile_column *t, const char *from, int64_t n, char *to) {
  tree_line(t->loops, t->size, from, n, t->room, to);
}

/* Those of which tiles number `from` to `to` - 1 of what was told are all. */
static void take_tiles(tile_column *t, int64_t from, int64_t to) {
  for (; from < to; from += FOLD_TILE, t->tops++)
    fold_line(t, t->told + (size_t)from * t->size, min_i64(FOLD_TILE, to - from),
              t->top + (size_t)t->tops * t->size);
}

/* *to ← the tree of them all. What ranks tell of single tiles is together whole tiles of the next level. */
static void column_folded(tile_column *t, const first_fold *z, char *to) {
  int64_t from = 0, at = 0;
  t->tops = 0;
  for (int r = 0; r < z->d->ranks; r++) {
    fold_told is = fold_tells(z, r);
    at += is.head;
    if (!is.whole) continue;
    take_tiles(t, from, at);
    memcpy(t->top + (size_t)t->tops * t->size, t->told + (size_t)at * t->size,
           (size_t)is.whole * t->size);
    t->tops += is.whole;
    from = at + is.whole;
    at = from + is.tail;
  }
  take_tiles(t, from, at);
  fold_line(t, t->top, t->tops, to);
}

/* Column j of what was told. */
static void column_of(const first_fold *z, int64_t j, int64_t n, size_t size, char *to) {
  const char *from = z->all.all + (size_t)j * size;
  for (int64_t i = 0; i < n; i++, to += size)
    memcpy(to, from + (size_t)(i * z->inner) * size, size);
}

/* The tree of all tiles' results. NULL without an error: only the elements tell what the result is. */
static arr *join_tiles(const first_fold *z) {
  ctx *c = z->call->env.c;
  bool product = z->f == P_TIMES, again = false;
  size_t size = z->type == ET_F32 ? 4 : 8;
  sc_type type = size == 8 ? SC_F64 : SC_F32;
  int64_t n = 0;
  for (int r = 0; r < z->d->ranks; r++) n += z->rows[r];
  OWNED arr *line = arr_vec(c, z->type, z->inner > 1 ? n : 1);
  OWNED arr *room = line ? arr_vec(c, z->type, 2 * n) : NULL;
  OWNED arr *r = room ? new_result(z, z->type) : NULL;
  tile_column t = {.loops =
                       tree_loops_of(product ? KF_MUL : KF_ADD, size == 4 ? KF32 : KF64)};
  t.size = size;
  for (int64_t j = 0; r && j < z->inner; j++) {
    t.told = z->inner > 1 ? line->host : z->all.all;
    t.top = room->host;
    t.room = t.top + (size_t)n * size;
    if (z->inner > 1) column_of(z, j, n, size, line->host);
    column_folded(&t, z, (char *)r->host + (size_t)j * size);
    bool is = is_off(z, arr_get_float(r, j));
    again |= is && (product || !sc_block()->off(type, t.told, n, false));
  }
  return again ? NULL : arr_move(&r);
}

static arr *join(const first_fold *z) {
  switch (z->way) {
  case WAY_SUM: return join_sums(z);
  case WAY_PARITY: return join_parities(z);
  case WAY_EXTREME: return join_extremes(z);
  case WAY_TREE: return join_tiles(z);
  default: return NULL;
  }
}

/* f⌿y. NULL without an error: in no way of these. */
static arr *fold_as_rows(first_fold *z) {
  if (!fold_parts(z) || !z->way || !fold_again(z)) return NULL;
  return fold_gather(z->d, &z->all, z->mine->host) ? join(z) : NULL;
}

static arr *fold_first(const ir_call *call, prim f, arr *y) {
  first_fold z;
  arr *r = fold_begins(&z, call, false, f, y) ? fold_as_rows(&z) : NULL;
  fold_ends(&z);
  return r;
}

/* Can elements be left out of f/ of them? */
static bool can_select(prim f) {
  const fold_row *row = fold_of(f, CLS_B);
  return row && row->over != OVER_ALTERNATING && row->over != OVER_EVENNESS;
}

arr *part_fold_where(const ir_call *call, prim f, arr *x, arr *y) {
  first_fold z;
  dist *d = dist_of(call);
  if (!parts_ready(call, x, y)) return NULL;
  if (!is_for_parts(d, y) || !is_for_parts(d, x) || !elt_is_num((elt)y->type))
    return NULL;
  if (y->type == ET_C128 || x->type != ET_BIT || !can_select(f)) return NULL;
  bool begins = fold_begins(&z, call, false, f, y);
  z.mask = x;
  arr *r = begins ? fold_as_rows(&z) : NULL;
  fold_ends(&z);
  return r;
}

arr *part_fold(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  dist *d = dist_of(call);
  const fold_call of = {.f = f, .scan = scan};
  if (!parts_ready(call, NULL, y)) return NULL;
  if (axis) return map_fold(call, &of, y, axis);
  if (!is_for_parts(d, y) || !elt_is_num((elt)y->type) || y->type == ET_C128) return NULL;
  arr *r = scan ? scan_first(call, f, y) : fold_first(call, f, y);
  return r || err_is(call->env.c) ? r : fold_by_columns(call, &of, y);
}

arr *part_fold_function(const ir_call *call, const ir_function *f, arr *y, int axis,
                        bool scan) {
  dist *d = dist_of(call);
  const fold_call of = {.fn = f, .scan = scan};
  if (!parts_ready(call, NULL, y)) return NULL;
  if (!is_for_parts(d, y) || !elt_is_num((elt)y->type) || y->type == ET_C128) return NULL;
  return axis ? map_fold(call, &of, y, axis) : fold_by_columns(call, &of, y);
}
