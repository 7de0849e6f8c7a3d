/* SPDX-License-Identifier: MIT */
/* build_windows.c - folds of long windows that overlap: n f/ y and f/⍵ within ⌺.
 *
 * Read one by one, windows of n elements cost n steps each. Two ways cost less:
 *
 * Where no bracketing shows, a line is cut into blocks that are one shorter than a window. Each
 * window is the end of one block and the beginning of the next, and the blocks are scanned from
 * both sides (van Herk, Gil and Werman): three steps for an element, whatever the width.
 *
 *     windows of 4        a  b  c │ d  e  f │ g  h  i
 *     from the right    abc bc  c │def ef f │            bcde: bc of the first, de of the second
 *     from the left              │ d de def│ g gh ghi
 *
 * Sums of floats keep the fold's tree, which joins neighbours (tables/fold.h): windows of 4 are
 * joined to windows of 16, these to 64, and of those that the binary digits of n name, the longest
 * first, the result is put together. */
#include "../array/view.h"
#include "../base/arith.h"
#include "../tables/fast.h"
#include "../tables/prim_fold.h"
#include "build.h"

#include <string.h>

enum { LEAST = 17 }; /* shorter windows are read one by one: a kernel does */

/* ── windows along one axis ── */

/* Those that begin size - 1 apart fewer than y has elements along the axis. */
typedef struct run {
  const ir_call *call;
  prim f;
  int axis;
  int64_t size;
  int64_t count; /* of windows, in a line */
} run;

/* `count` elements of y along the axis, from number `from` on; fill elements beyond its end. */
static arr *piece(const run *w, arr *y, int64_t from, int64_t count) {
  int64_t at[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  if (!y) return NULL;
  memcpy(size, y->shape, (size_t)y->rank * sizeof *size);
  at[w->axis] = from;
  size[w->axis] = count;
  return ir_box(w->call, y, at, size);
}

/* y, given up, with these axes in place of its own. */
static arr *shaped(const run *w, arr *y, int rank, const int64_t *shape) {
  OWNED arr *own = y;
  return ir_reshape(w->call, own, rank, shape);
}

static arr *reversed(const run *w, arr *y, int axis) {
  OWNED arr *k = arr_int(w->call->env.c, axis + w->call->env.io);
  return k && y ? ir_along(w->call, P_REVERSE, NULL, y, k) : NULL;
}

/* Every block, along the axis behind w's, scanned from the left or from the right. */
static arr *scanned(const run *w, arr *blocks, bool right) {
  int axis = w->axis + 1;
  OWNED arr *from = right ? reversed(w, blocks, axis) : arr_retain(blocks);
  OWNED arr *r = from ? ir_scan(w->call, w->f, from, axis) : NULL;
  if (!r || !ir_settle(w->call->g, r)) return NULL;
  return right ? reversed(w, r, axis) : arr_move(&r);
}

static arr *by_blocks(const run *w, arr *y) {
  int64_t block = w->size - 1, n = ceil_div(y->shape[w->axis], block);
  int64_t flat[ARR_MAX_RANK], cut[ARR_MAX_RANK + 1];
  if (y->rank == ARR_MAX_RANK) return NULL;
  for (int k = 0; k < y->rank; k++) flat[k] = cut[k + (k > w->axis)] = y->shape[k];
  flat[w->axis] = n * block;
  cut[w->axis] = n;
  cut[w->axis + 1] = block;
  OWNED arr *blocks = shaped(w, piece(w, y, 0, n * block), y->rank + 1, cut);
  if (!blocks) return NULL;
  OWNED arr *ends = shaped(w, scanned(w, blocks, true), y->rank, flat);
  OWNED arr *begins = shaped(w, scanned(w, blocks, false), y->rank, flat);
  OWNED arr *left = piece(w, ends, 0, w->count);
  OWNED arr *right = piece(w, begins, block, w->count);
  return ir_dyadic(w->call, w->f, left, right);
}

/* The window that begins `from` behind each place, of 2*bits elements; level[k] has those of 4*k. */
static arr *of_level(const run *w, arr *const *level, int bits, int64_t from) {
  OWNED arr *first = piece(w, level[bits / 2], from, w->count);
  if (bits % 2 == 0) return arr_move(&first);
  OWNED arr *second =
      piece(w, level[bits / 2], from + ((int64_t)1 << (bits - 1)), w->count);
  return ir_dyadic(w->call, w->f, first, second);
}

/* The windows of four times the length of y's. */
static arr *next_level(const run *w, arr *y, int64_t each) {
  int64_t count = y->shape[w->axis] - 3 * each;
  OWNED arr *r = NULL;
  for (int half = 0; half < 2; half++) {
    OWNED arr *a = piece(w, y, 2 * half * each, count),
              *b = piece(w, y, (2 * half + 1) * each, count);
    OWNED arr *both = ir_dyadic(w->call, w->f, a, b), *before = arr_move(&r);
    r = before ? ir_dyadic(w->call, w->f, before, both) : arr_move(&both);
  }
  return r && ir_settle(w->call->g, r) ? arr_move(&r) : NULL;
}

enum { LEVELS = 6 };

static arr *join_levels(const run *w, arr *const *level) {
  OWNED arr *r = NULL;
  int64_t done = w->size;
  for (int bits = 0; bits < 2 * LEVELS; bits++) {
    if (!(w->size >> bits & 1)) continue;
    done -= (int64_t)1 << bits;
    OWNED arr *left = of_level(w, level, bits, done), *right = arr_move(&r);
    r = right ? ir_dyadic(w->call, w->f, left, right) : arr_move(&left);
    if (!r) return NULL;
  }
  return arr_move(&r);
}

static arr *by_levels(const run *w, arr *y) {
  arr *level[LEVELS] = {y}, *r = NULL;
  int n = 1;
  for (int64_t each = 1; 4 * each <= w->size; each *= 4, n++)
    if (!(level[n] = next_level(w, level[n - 1], each))) break;
  if (level[n - 1] && (int64_t)1 << 2 * n > w->size) r = join_levels(w, level);
  for (int k = 1; k < n; k++) arr_release(level[k]);
  return r;
}

/* Does no bracketing of f/y show, nor leave the integers? */
static bool is_exact(const fold_row *row, elt t) {
  if (t == ET_BIT) return true;
  return row->monoid == KF_MIN || row->monoid == KF_MAX ||
         (row->monoid == KF_ADD && t <= ET_I32);
}

/* By the tree of the fold, if `tree` and a bracketing shows. */
static arr *fold_windows(const ir_call *call, prim f, arr *y, int axis, int64_t size,
                         bool tree) {
  run w = {.call = call, .f = f, .axis = axis, .size = size};
  w.count = y->shape[axis] - size + 1;
  if (w.count < 1 || size < 3 || !is_long(call, y->count)) return NULL;
  if (y->node && y->node->unresolved && !ir_settle(call->g, y)) return NULL;
  if (y->type > ET_F64) return NULL;
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  if (!row || row->over != OVER_VALUES) return NULL;
  bool bits = y->type == ET_BIT; /* many in a word, of which blocks would break */
  if (is_exact(row, (elt)y->type) && (!bits || size > KIR_LANES)) return by_blocks(&w, y);
  bool sum = tree && row->monoid == KF_ADD && elt_is_float((elt)y->type);
  return (bits || sum) && size <= KIR_LANES ? by_levels(&w, y) : NULL;
}

arr *ir_fold_windows(const ir_call *call, prim f, arr *y, int axis, int64_t size) {
  return size < LEAST ? NULL : fold_windows(call, f, y, axis, size, false);
}

/* ── folds of what a view makes windows of ── */

int axes_of_line(const ir_node *n, int64_t len) {
  int64_t all = 1;
  for (int k = n->dims - 1; k > 0; k--) {
    all *= n->strided.n[k];
    if (all == len) return n->dims - k;
  }
  return 0;
}

/* The windows that all of y is made of, by functions of scalars. */
typedef struct windows {
  const ir_call *call;
  const ir_node *view; /* the first one met; NULL: none yet */
} windows;

static bool same_windows(const ir_node *a, const ir_node *b) {
  bool same = a->dims == b->dims && a->first == b->first && arr_same_shape(a->y, b->y);
  for (int k = 0; same && k < a->dims; k++) {
    same = a->strided.stride[k] == b->strided.stride[k];
    if (k) same = same && a->strided.n[k] == b->strided.n[k];
  }
  return same;
}

/* What y is windows of. NULL without an error: of nothing. */
static arr *source_of(windows *w, arr *y) {
  const ir_node *n = y->node;
  if (y->count == 1) return arr_retain(y);
  if (!n || n->link) return NULL;
  if (n->dims) {
    if (!w->view) w->view = n;
    return same_windows(n, w->view) ? arr_retain(n->y) : NULL;
  }
  if (is_slice(n) && !n->first && n->y->count == y->count) return source_of(w, n->y);
  if (!n->kind->scalar || n->p == P_COUNT) return NULL;
  OWNED arr *b = source_of(w, n->y);
  if (!b || !n->x) return ir_monadic(w->call, n->p, b);
  OWNED arr *a = source_of(w, n->x);
  return ir_dyadic(w->call, n->p, a, b);
}

/* Which axis of an array of that shape a step of the view goes along, `step` at once, n times; -1: it
 * goes beyond the end of one. */
static int axis_of_step(const arr *z, int64_t stride, int64_t n, int64_t *step) {
  int64_t own[ARR_MAX_RANK];
  strides_of(z->rank, z->shape, own);
  for (int k = 0; k < z->rank; k++) {
    if (z->shape[k] == 1 || own[k] > stride || stride % own[k]) continue;
    *step = stride / own[k];
    return *step * (n - 1) < z->shape[k] ? k : -1;
  }
  return -1;
}

/* y folded along its last axis, which is axes `dims` and on of the view n: r is what n reads, folded
 * along these, and z what n read before. The other axes of the view lead through r. */
static arr *through_folds(const windows *w, const arr *y, const arr *z, arr *r,
                          int dims) {
  const ir_node *n = w->view;
  int64_t own[ARR_MAX_RANK], was[ARR_MAX_RANK], first = n->first, step = 0, to = 1;
  view v;
  if (!view_shape(w->call->env.c, &v, y->rank - 1, y->shape)) return NULL;
  view_part *p = view_add(&v);
  strides_of(r->rank, r->shape, own);
  strides_of(z->rank, z->shape, was);
  p->rank = dims;
  for (int i = dims - 1; i >= 0; i--) {
    p->len[i] = i ? n->strided.n[i] : v.count / to;
    p->to_stride[i] = to;
    to *= p->len[i];
    int k = axis_of_step(z, n->strided.stride[i], p->len[i], &step);
    if (k < 0) return NULL;
    p->stride[i] = step * own[k];
  }
  for (int k = 0; k < z->rank; k++) {
    p->from += first / was[k] * own[k];
    first %= was[k];
  }
  return viewed(w->call, P_TAKE, &v, r);
}

arr *reduce_windows(const ir_call *call, prim f, arr *y) {
  enum { OFTEN = 8 }; /* each element is in as many windows */
  windows w = {.call = call};
  int64_t step, len = y->shape[y->rank - 1];
  OWNED arr *z = len < LEAST ? NULL : source_of(&w, y);
  if (!z || !w.view || w.view->dims < 2 || y->count / OFTEN < z->count) return NULL;
  int dims = w.view->dims - axes_of_line(w.view, len);
  OWNED arr *r = arr_retain(z);
  bool tree = dims == w.view->dims - 1;
  for (int i = dims; i < w.view->dims; i++) {
    int k = axis_of_step(z, w.view->strided.stride[i], w.view->strided.n[i], &step);
    OWNED arr *before = arr_move(&r);
    if (k < 0 || step != 1) return NULL;
    r = fold_windows(call, f, before, k, w.view->strided.n[i], tree);
    if (!r) return NULL;
  }
  return dims < w.view->dims ? through_folds(&w, y, z, r, dims) : NULL;
}
