/* SPDX-License-Identifier: MIT */
/* build_segments.c - folds of stretches of a vector; and arrays whose items are stretches of one
 * vector, x⊂y and x⊆y: the vector and where its stretches lie are kept, and items are made only
 * when somebody asks for them. */
#include "../array/element.h"
#include "../array/view.h"
#include "../base/arith.h"
#include "../prim/axis.h"
#include "../tables/prim_fold.h"
#include "build.h"
#include "place.h"
#include "plan.h"

#include <string.h>

/* ── folds ── */

/* A kernel folds a segment in one piece. */
enum { SEGMENT = KIR_LANES * KIR_REDUCE_ROWS };

static int64_t longest_segment(const arr *pairs) {
  const int64_t *at = pairs->host;
  int64_t most = 0;
  for (int64_t i = 0; i < pairs->shape[0]; i++)
    most = max_i64(most, at[2 * i + 1] - at[2 * i]);
  return most;
}

/* Do the sums of pieces surely stay in i64? Else the way to the whole would show. */
static bool pieces_fit(ir *g, const fold_row *f, arr *y) {
  if (f->monoid == KF_MUL && f->on == CLS_I) return false;
  if (f->monoid != KF_ADD || f->on != CLS_I) return true;
  infer(g, y);
  if (y->has_range) return y->lo > -(1 << 30) && y->hi < 1 << 30;
  return elt_bits((elt)y->type) <= 32;
}

/* The pieces of the segments: *pieces has their pairs, *lines which pieces are a segment's. */
static bool cut_segments(ctx *c, const arr *pairs, arr **pieces, arr **lines) {
  const int64_t *at = pairs->host;
  int64_t n = pairs->shape[0], all = 0;
  for (int64_t i = 0; i < n; i++) all += ceil_div(at[2 * i + 1] - at[2 * i], SEGMENT);
  *pieces = arr_new(c, ET_I64, 2, (int64_t[]){all, 2});
  *lines = arr_new(c, ET_I64, 2, (int64_t[]){n, 2});
  if (!*pieces || !*lines) return false;
  int64_t *piece = (*pieces)->host, *line = (*lines)->host, k = 0;
  for (int64_t i = 0; i < n; i++) {
    *line++ = k;
    for (int64_t from = at[2 * i]; from < at[2 * i + 1]; from += SEGMENT, k++) {
      *piece++ = from;
      *piece++ = min_i64(from + SEGMENT, at[2 * i + 1]);
    }
    *line++ = k;
  }
  return true;
}

/* Long segments are folded in two steps, by the tree's own rule: a tile's elements, then the
 * tiles' results, of which those of -/ are added. */
static arr *fold_pieces(const ir_call *call, prim f, arr *y, arr *pairs) {
  OWNED arr *pieces = NULL, *lines = NULL;
  if (!cut_segments(call->env.c, pairs, &pieces, &lines)) return NULL;
  OWNED arr *tiles = ir_reduce_segments(call, f, y, pieces);
  if (!tiles) return NULL;
  if (f == P_MINUS) f = P_PLUS;
  return ir_reduce_segments(call, f, tiles, lines);
}

arr *ir_scan_segments(const ir_call *call, prim f, arr *y, arr *pairs, bool exclusive) {
  prim_env e = call->env;
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  bool exact = f == P_PLUS && row && row->on == CLS_I;
  if (is_long(call, y->count) && is_readable(y, false) && row && (exact || !exclusive)) {
    ir_node n = {.kind = N_SCAN, .p = f, .y = y, .rows = pairs->shape[0], .inner = 1};
    n.len = longest_segment(pairs);
    n.exclusive = exclusive;
    n.pairs = pairs;
    return node_new(call, n, 1, &y->count);
  }
  if (!ir_host(call->g, y)) return NULL;
  return prim_scan_segments(&e, f, y, pairs, exclusive);
}

/* Are the segments all of y, one behind the other, and of one length? */
static bool are_rows(const arr *y, const arr *pairs) {
  const int64_t *at = pairs->host;
  int64_t n = pairs->shape[0], len = n ? y->count / n : 0;
  if (!len || len * n != y->count) return false;
  for (int64_t i = 0; i < n; i++)
    if (at[2 * i] != i * len || at[2 * i + 1] != (i + 1) * len) return false;
  return true;
}

static arr *reduce_rows(const ir_call *call, prim f, arr *y, int64_t rows) {
  OWNED arr *shape = arr_int_vec(call->env.c, 2, (int64_t[]){rows, y->count / rows});
  OWNED arr *m = ir_dyadic(call, P_RHO, shape, y);
  return ir_reduce(call, f, m, 1);
}

arr *ir_reduce_segments(const ir_call *call, prim f, arr *y, arr *pairs) {
  prim_env e = call->env;
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  int64_t rows = pairs->shape[0], longest = longest_segment(pairs);
  bool lazy = rows && is_long(call, y->count) && is_readable(y, false) && row &&
              row->over != OVER_EVENNESS;
  if (lazy && are_rows(y, pairs)) return reduce_rows(call, f, y, rows);
  if (lazy && longest > SEGMENT) {
    if (pieces_fit(call->g, row, y)) return fold_pieces(call, f, y, pairs);
    lazy = false;
  }
  if (lazy) {
    ir_node n = {.kind = N_REDUCE, .p = f, .y = y, .rows = rows, .inner = 1};
    n.len = longest;
    n.pairs = pairs;
    return node_new(call, n, 1, &rows);
  }
  if (!ir_host(call->g, y)) return NULL;
  return prim_reduce_segments(&e, f, y, pairs);
}

/* ── items ── */

/* Where the stretches of x⊂y begin, x being truth values that the device has: a row for each. NULL
 * without an error: those are so many that x is less. */
static arr *pairs_on_device(const ir_call *call, arr *x, int64_t n) {
  ir_call zero = *call;
  zero.env.io = 0;
  if (x->host || x->type != ET_BIT || x->count != n || !ir_settle(call->g, x))
    return NULL;
  if (!is_truths(x)) return NULL;
  int64_t count = ones_of(call, x);
  if (count < 1 || 64 * count > n) return NULL;
  OWNED arr *at = where_ones(&zero, x);
  if (!at || !ir_host(call->g, at)) return NULL;
  OWNED arr *r = arr_new(call->env.c, ET_I64, 2, (int64_t[]){count, 2});
  if (!r) return NULL;
  int64_t *to = r->host;
  for (int64_t i = 0; i < count; i++) {
    to[2 * i] = arr_get_int(at, i);
    to[2 * i + 1] = i + 1 < count ? arr_get_int(at, i + 1) : n;
  }
  return arr_move(&r);
}

arr *ir_items(const ir_call *call, arr *y, arr *pairs) {
  ir_node n = {.kind = N_ITEMS, .p = P_ENCLOSE, .y = y, .pairs = pairs};
  return node_new(call, n, 1, pairs->shape);
}

arr *partitioned(const ir_call *call, prim f, arr *x, arr *y) {
  prim_env e = call->env;
  if (y->rank != 1 || !is_long(call, y->count) || !is_readable(y, true)) return NULL;
  OWNED arr *pairs = NULL;
  if (f == P_ENCLOSE) pairs = pairs_on_device(call, x, y->count);
  if (err_is(e.c) || (!pairs && !ir_host(call->g, x))) return NULL;
  if (!pairs) pairs = partition_rows(&e, f, x, y, 0);
  if (!pairs || !pairs->shape[0]) return NULL;
  return ir_items(call, y, pairs);
}

/* The rows of a matrix. */
arr *split_rows(const ir_call *call, arr *y) {
  int64_t n = y->rank == 2 ? y->shape[0] : 0;
  if (!n || !is_long(call, y->count) || !is_readable(y, true)) return NULL;
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  OWNED arr *pairs = arr_new(call->env.c, ET_I64, 2, (int64_t[]){n, 2});
  if (!line || !pairs) return NULL;
  int64_t *to = pairs->host;
  for (int64_t i = 0; i < 2 * n; i++) to[i] = (i + 1) / 2 * y->shape[1];
  return ir_items(call, line, pairs);
}

bool ir_stretches(const arr *a, arr **y, arr **pairs) {
  if (!a->node || a->node->kind != N_ITEMS) return false;
  *y = a->node->y;
  *pairs = a->node->pairs;
  return true;
}

/* Stretches of one length, one behind the other, as the rows of a matrix. */
arr *mixed_rows(const ir_call *call, arr *y) {
  arr *line, *pairs;
  if (!ir_stretches(y, &line, &pairs)) return NULL;
  const int64_t *at = pairs->host, n = pairs->shape[0], len = at[1] - at[0];
  const int64_t size = n * len, shape[2] = {n, len};
  for (int64_t i = 0; i < 2 * n; i++)
    if (at[i] != at[0] + (i + 1) / 2 * len) return NULL;
  OWNED arr *z = len ? ir_box(call, line, at, &size) : NULL;
  OWNED arr *to = arr_int_vec(call->env.c, 2, shape);
  return ir_dyadic(call, P_RHO, to, z);
}

/* Bits from … end - 1 become 1: most of them a word at a time. */
static void set_bits(uint64_t *bits, int64_t from, int64_t end) {
  while (from < end) {
    int64_t n = min_i64(64 - from % 64, end - from);
    bits[from / 64] |= (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << (from % 64);
    from += n;
  }
}

/* 1 for each element that is in a stretch; NULL without an error: those follow one another. */
static arr *in_stretches(ctx *c, const arr *pairs, int64_t n) {
  const int64_t *at = pairs->host, last = 2 * pairs->shape[0] - 2;
  bool gaps = false;
  for (int64_t i = 0; i < last && !gaps; i += 2) gaps = at[i + 1] != at[i + 2];
  arr *r = gaps ? arr_vec(c, ET_BIT, n) : NULL;
  if (!r) return NULL;
  memset(r->host, 0, elt_bytes(ET_BIT, n));
  for (int64_t i = 0; i <= last; i += 2) set_bits(r->host, at[i], at[i + 1]);
  return r;
}

arr *ir_together(const ir_call *call, arr *y, const arr *pairs) {
  const int64_t *at = pairs->host;
  OWNED arr *mask = in_stretches(call->env.c, pairs, y->count);
  if (mask) return ir_compress(call, mask, y);
  if (err_is(call->env.c)) return NULL;
  int64_t size = at[2 * pairs->shape[0] - 1] - at[0];
  return ir_box(call, y, at, &size);
}
