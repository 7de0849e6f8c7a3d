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

int64_t fold_whole(const first_fold *z, int64_t i, int64_t j) {
  return ((const int64_t *)(const void *)z->all.all)[i * z->inner + j];
}

/* Rank r's sum in column j. -/ of rows behind an odd number of others begins with a minus. */
static i128 sum_of(const first_fold *z, int r, int64_t j) {
  i128 sum = fold_whole(z, z->wide ? 2 * r + 1 : r, j);
  if (z->wide) sum = sum * ((i128)1 << 64) + (uint64_t)fold_whole(z, 2 * r, j);
  bool minus = z->f == P_MINUS && cut_at(z->n, z->d->ranks, r) % 2;
  return minus ? -sum : sum;
}

int64_t fold_wholes(const first_fold *z, int ranks, int64_t j) {
  bool most = z->way == WAY_EXTREME && fold_extreme_of(z->f, z->on) == P_CEIL;
  int64_t v = fold_whole(z, 0, j);
  for (int r = 1; r < ranks; r++) {
    int64_t w = fold_whole(z, r, j);
    if (z->way == WAY_PARITY) v ^= w;
    else if (most ? w > v : w < v) v = w;
  }
  return v;
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

static double extreme(double a, double b, bool most) {
  return most ? most_f64(a, b) : least_f64(a, b);
}

static double real_at(const first_fold *z, int64_t i, int64_t j) {
  int64_t at = i * z->inner + j;
  if (z->type == ET_F32) return (double)((const float *)(const void *)z->all.all)[at];
  return ((const double *)(const void *)z->all.all)[at];
}

arr *fold_reals(const first_fold *z, int ranks, int rank, const int64_t *shape) {
  bool most = fold_extreme_of(z->f, z->on) == P_CEIL;
  arr *r = arr_new(z->call->env.c, z->type, rank, shape);
  for (int64_t j = 0; r && j < z->inner; j++) {
    double v = real_at(z, 0, j);
    for (int i = 1; i < ranks; i++) v = extreme(v, real_at(z, i, j), most);
    arr_put_float(r, j, v);
  }
  return r;
}

/* By PARITY or an EXTREME. */
static arr *join_wholes(const first_fold *z) {
  bool parity = z->way == WAY_PARITY;
  bool turns = parity && fold_of(z->f, CLS_B)->over == OVER_EVENNESS && z->n % 2 == 0;
  OWNED arr *r = new_result(z, z->on == CLS_B ? ET_BIT : ET_I64);
  for (int64_t j = 0; r && j < z->inner; j++)
    arr_put_int(r, j, fold_wholes(z, z->d->ranks, j) ^ turns);
  return r && z->on == CLS_I ? sc_narrow(z->call->env.c, arr_move(&r)) : arr_move(&r);
}

/* Did a sum or a product leave the numbers that need no second look? */
static bool is_off(const first_fold *z, double v) {
  double least = z->type == ET_F32 ? (double)FLT_MIN : DBL_MIN;
  return !isfinite(v) || (z->f == P_TIMES && fabs(v) < least);
}

/* ── by the tree ── */

enum { HEAD_TAG = 2 };

/* Heads go to the ranks that began what they complete, and come behind this rank's tail. */
static bool send_heads(first_fold *z, size_t row) {
  dist *d = z->d;
  const vapl_comm *t = d->comm;
  fold_told own = fold_tells(z, d->me);
  void *sent = NULL, *got = NULL;
  int begun = 0;
  int64_t tail_at = own.head + own.whole * FOLD_TILE;
  char *to = z->line->host;
  memcpy(to, (char *)z->mine->host + (size_t)tail_at * row, (size_t)own.tail * row);
  to += (size_t)own.tail * row;
  if (own.head)
    begun = t->send(t->user, z->mine->host, (size_t)own.head * row, fold_owner(z, d->me),
                    HEAD_TAG, &sent);
  dist_sent(d, "totals of what ranks before began", (size_t)own.head * row);
  bool ok = true;
  for (int r = d->me + 1; ok && own.tail && r < d->ranks && fold_owner(z, r) == d->me;
       r++) {
    size_t n = (size_t)fold_tells(z, r).head * row;
    if (n) ok = dist_wait(d, t->receive(t->user, to, n, r, HEAD_TAG, &got), &got);
    to += n;
  }
  return (!own.head || dist_wait(d, begun, &sent)) && ok;
}

/* Column j of n rows, the fold of which becomes *to. */
static void fold_column(const first_fold *z, const char *rows, int64_t n, int64_t j,
                        void *to) {
  bool product = z->f == P_TIMES;
  size_t size = z->type == ET_F32 ? 4 : 8;
  const tree_loops *loops =
      tree_loops_of(product ? KF_MUL : KF_ADD, size == 4 ? KF32 : KF64);
  char *line = z->column->host, *room = line + (size_t)(z->column->count / 2) * size;
  const char *from = rows + (size_t)j * size;
  if (z->inner == 1) line = (char *)from;
  for (int64_t i = 0; z->inner > 1 && i < n; i++)
    memcpy(line + (size_t)i * size, from + (size_t)(i * z->inner) * size, size);
  tree_line(loops, size, line, n, room, to);
}

/* What tiles of the next level that begin in this rank come to. */
static void find_tops(const first_fold *z, size_t size) {
  fold_told own = fold_tells(z, z->d->me);
  size_t row = size * (size_t)z->inner;
  int64_t last = z->line->count / z->inner; /* of the tail and heads */
  const char *whole = (char *)z->mine->host + (size_t)own.head * row;
  char *to = z->tops->host;
  for (int64_t k = 0; k < own.whole; k++, to += row)
    for (int64_t j = 0; j < z->inner; j++)
      fold_column(z, whole + (size_t)(k * FOLD_TILE) * row, FOLD_TILE, j,
                  to + (size_t)j * size);
  for (int64_t j = 0; own.tail && j < z->inner; j++)
    fold_column(z, z->line->host, last, j, to + (size_t)j * size);
}

/* The tree of everybody's. NULL without an error: only the elements tell what the result is. */
static arr *join_tiles(const first_fold *z, size_t size) {
  OWNED arr *r = new_result(z, z->type);
  bool again = false;
  int64_t n = 0;
  for (int k = 0; k < z->d->ranks; k++) n += z->rows[k];
  for (int64_t j = 0; r && j < z->inner; j++) {
    fold_column(z, z->all.all, n, j, (char *)r->host + (size_t)j * size);
    again |= is_off(z, arr_get_float(r, j)) && (z->f == P_TIMES || !z->off);
  }
  return again ? NULL : arr_move(&r);
}

static arr *fold_by_tree(first_fold *z) {
  size_t size = z->type == ET_F32 ? 4 : 8;
  if (!send_heads(z, size * (size_t)z->inner)) return NULL;
  find_tops(z, size);
  return fold_gather(z->d, &z->all, z->tops->host) ? join_tiles(z, size) : NULL;
}

static arr *fold_as_rows(first_fold *z) {
  if (!fold_parts(z) || !z->way || !fold_again(z)) return NULL;
  if (z->way == WAY_TREE) return fold_by_tree(z);
  if (!fold_gather(z->d, &z->all, z->mine->host)) return NULL;
  if (z->way == WAY_SUM) return join_sums(z);
  if (z->on != CLS_F) return join_wholes(z);
  return fold_reals(z, z->d->ranks, z->y->rank - 1, z->y->shape + 1);
}

/* f⌿y, of the elements where the mask is 1. NULL without an error: in no way of these. */
static arr *fold_first(const ir_call *call, prim f, arr *mask, arr *y) {
  first_fold z;
  bool begins = fold_begins(&z, call, false, f, y);
  z.mask = mask;
  arr *r = begins ? fold_as_rows(&z) : NULL;
  fold_ends(&z);
  return r;
}

/* Can elements be left out of f/ of them? */
static bool can_select(prim f) {
  const fold_row *row = fold_of(f, CLS_B);
  return row && row->over != OVER_ALTERNATING && row->over != OVER_EVENNESS;
}

arr *part_fold_where(const ir_call *call, prim f, arr *x, arr *y) {
  dist *d = dist_of(call);
  if (!parts_ready(call, x, y)) return NULL;
  if (!is_for_parts(d, y) || !is_for_parts(d, x) || !elt_is_num((elt)y->type))
    return NULL;
  if (y->type == ET_C128 || x->type != ET_BIT || !can_select(f)) return NULL;
  return fold_first(call, f, x, y);
}

arr *part_fold(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  dist *d = dist_of(call);
  const fold_call of = {.f = f, .scan = scan};
  if (!parts_ready(call, NULL, y)) return NULL;
  if (axis) return map_fold(call, &of, y, axis);
  if (!is_for_parts(d, y) || !elt_is_num((elt)y->type) || y->type == ET_C128) return NULL;
  arr *r = scan ? scan_first(call, f, y) : fold_first(call, f, NULL, y);
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
