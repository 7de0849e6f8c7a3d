/* SPDX-License-Identifier: MIT */
/* build_select.c - nodes that choose elements: y[x], x/y and ⍸y where a kernel reads through
 * them; and reductions of segments.
 *
 * The host has loops of its own for what only moves elements, and they are faster than its
 * kernels: so these are nodes where a device has the arrays, or is to have them. */
#include "../array/element.h"
#include "../base/arith.h"
#include "../prim/axis.h"
#include "../tables/prim_fold.h"
#include "build.h"
#include "place.h"
#include "plan.h"

/* ── selection ── */

/* How many ones x has; -1 after an error. */
static int64_t ones(const ir_call *call, arr *x) {
  OWNED arr *n = ir_reduce(call, P_PLUS, x, 0);
  if (!n || !ir_host(call->g, n)) return -1;
  return arr_get_int(n, 0);
}

/* Is a selection from y by the truth values x a matter for a kernel? The host's own loop is
 * faster than its kernels are. */
static bool selects_by_kernel(const ir_call *call, const arr *x, const arr *y) {
  if (!is_long(call, y->count) || !is_readable(y, true) || x->type != ET_BIT)
    return false;
  if (x->rank != 1 || y->rank != 1 || x->count != y->count) return false;
  if (y->dev && !y->host) return true;
  return prefers_device(call->g, 2 * elt_bytes((elt)y->type, y->count));
}

arr *ir_index(const ir_call *call, arr *y, arr *x) {
  if (!elt_is_int((elt)x->type) || y->rank != 1 || !y->count || !is_readable(y, true))
    return NULL;
  if (!is_long(call, x->count)) return NULL;
  uint64_t bytes = elt_bytes((elt)x->type, x->count) + elt_bytes((elt)y->type, x->count);
  bool there = (y->dev && !y->host) || (x->dev && !x->host);
  if (!there && !prefers_device(call->g, bytes)) return NULL;
  ir_node n = {.kind = N_INDEX, .p = P_SQUAD, .x = x, .y = y, .first = call->env.io};
  return node_new(call, n, x->rank, x->shape);
}

/* The truth values are stored: they are read to be counted, and twice by the kernel. */
arr *ir_compress(const ir_call *call, arr *x, arr *y) {
  prim_env e = call->env;
  if (selects_by_kernel(call, x, y)) {
    if (!ir_settle(call->g, x)) return NULL;
    int64_t n = ones(call, x);
    if (n < 0) return NULL;
    if (n == y->count) return arr_retain(y);
    ir_node taken = {.kind = N_COMPRESS, .p = P_RIGHT, .x = x, .y = y, .rows = 1};
    taken.len = y->count;
    taken.inner = 1;
    if (n) return node_new(call, taken, 1, &n);
  }
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  return prim_replicate(&e, x, y, 0);
}

arr *where_ones(const ir_call *call, arr *y) {
  if (!is_long(call, y->count) || !selects_by_kernel(call, y, y)) return NULL;
  OWNED arr *n = arr_int(call->env.c, y->count);
  if (!n) return NULL;
  OWNED arr *numbers = ir_monadic(call, P_IOTA, n);
  if (!numbers) return NULL;
  return ir_compress(call, y, numbers);
}

/* ── segments ── */

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

arr *ir_reduce_segments(const ir_call *call, prim f, arr *y, arr *pairs) {
  prim_env e = call->env;
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  int64_t rows = pairs->shape[0], longest = longest_segment(pairs);
  bool lazy = rows && is_long(call, y->count) && is_readable(y, false) && row &&
              row->over != OVER_EVENNESS;
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
