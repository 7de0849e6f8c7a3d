/* SPDX-License-Identifier: MIT */
/* build_few.c - folds of a few elements each, of what reads overlapping windows: +/,⍵ and
 * +/,w×⍵ within ⌺.
 *
 * A reduction over such a view reads every element as often as there are windows over it, and
 * finds its place each time. Here the k-th elements of all windows are one array, which is the
 * source shifted; these few are joined by scalar functions, as the fold's tree joins them
 * (tables/fold.h): one map, which reads along lines and computes an element's place once.
 *
 * Products of floats are looked at: where one underflows, they are reduced as others are.
 *
 *     windows of 3:  a b c d e      0 a b c d
 *                                   a b c d e   neighbours first: (0+a)+b, (a+b)+c, …
 *                                   b c d e 0 */
#include "../array/element.h"
#include "../array/view.h"
#include "../tables/fast.h"
#include "../tables/prim_fold.h"
#include "build.h"

#include <float.h>

enum { FEW = 128 };

/* What is taken apart: lines of `len` elements each, which give arrays of that shape. */
typedef struct few {
  const ir_call *call;
  int64_t len;
  int rank;
  const int64_t *shape;
} few;

/* Is z an array with fill elements around it, axis by axis? */
static bool is_padded(const ir_node *z) {
  int64_t own[ARR_MAX_RANK];
  if (!z || z->kind != &kind_parts || z->x || z->p != P_TAKE) return false;
  const node_move *m = z->move;
  if (m->parts != 1 || m->rank != z->y->rank || m->rank != z->self->rank) return false;
  strides_of(m->rank, z->y->shape, own);
  for (int k = 0; k < m->rank; k++)
    if (m->part[0].len[k] != z->y->shape[k] || m->part[0].stride[k] != own[k])
      return false;
  return true;
}

/* The box of the padded array z that begins at its element `first`, as one of what is padded:
 * where that ends is asked once for each axis then, and not for each box. */
static arr *box_within(const few *s, const ir_node *z, const kstrided *by,
                       int64_t first) {
  int64_t own[ARR_MAX_RANK], from[ARR_MAX_RANK];
  strides_of(z->self->rank, z->self->shape, own);
  if (s->rank != z->self->rank) return NULL;
  for (int k = 0; k < s->rank; k++) {
    if (by->stride[k] != own[k]) return NULL;
    from[k] = first / own[k] - z->move->lo[0][k];
    first %= own[k];
  }
  return ir_box(s->call, z->y, from, s->shape);
}

/* The k-th elements of the lines of the strided view n. */
static arr *nth_of_view(const few *s, const ir_node *n, int64_t k) {
  int line = axes_of_line(n, s->len);
  if (!line) return NULL;
  ir_node to = {.kind = &kind_view, .p = n->p, .y = n->y, .first = n->first, .step = 1};
  int dims = n->dims - line;
  bool still = true; /* every line has the same */
  for (int i = n->dims - 1; i >= dims; i--) {
    to.first += k % n->strided.n[i] * n->strided.stride[i];
    k /= n->strided.n[i];
  }
  for (int i = 0; i < dims; i++) {
    to.strided.stride[i] = n->strided.stride[i];
    if (i) to.strided.n[i] = n->strided.n[i];
    if (n->strided.stride[i]) still = false;
  }
  if (still && n->y->host) return arr_scalar_at(s->call->env.c, n->y, to.first);
  if (n->y->node && n->y->node->unresolved) return NULL;
  if (is_padded(n->y->node) && dims == s->rank) {
    arr *box = box_within(s, n->y->node, &to.strided, to.first);
    if (box || err_is(s->call->env.c)) return box;
  }
  to.dims = dims > 1 ? (uint8_t)dims : 0;
  if (dims == 1) to.step = to.strided.stride[0];
  return node_new(s->call, to, s->rank, s->shape);
}

/* The k-th elements of the lines of y. NULL without an error: it is not to be had. */
static arr *nth(const few *s, arr *y, int64_t k) {
  ir_node *n = y->node;
  if (y->count == 1) return arr_retain(y);
  if (!n) return NULL;
  if (n->dims) return nth_of_view(s, n, k);
  bool same = is_slice(n) && !n->first && n->y->count == n->self->count;
  if (same) return nth(s, n->y, k); /* a reshape */
  if (!n->kind->scalar) return NULL;
  OWNED arr *b = nth(s, n->y, k);
  if (!b || !n->x) return ir_monadic(s->call, n->p, b);
  OWNED arr *a = nth(s, n->x, k);
  return ir_dyadic(s->call, n->p, a, b);
}

/* All elements of y have been taken: there each fault is found. */
static void all_taken(arr *y) {
  ir_node *n = y->node;
  if (!n || y->count == 1 || n->dims) return;
  if (n->kind->scalar) node_verified(n);
  if (n->kind->scalar && n->x) all_taken(n->x);
  all_taken(n->y);
}

/* By neighbours; the last of an odd number waits. */
static arr *join_few(const few *s, prim f, arr **at) {
  for (int64_t n = s->len; n > 1; n = (n + 1) / 2) {
    for (int64_t i = 0; i < n; i += 2) {
      OWNED arr *a = at[i], *b = i + 1 < n ? at[i + 1] : NULL;
      at[i] = NULL;
      if (b) at[i + 1] = NULL;
      at[i / 2] = b ? ir_dyadic(s->call, f, a, b) : arr_move(&a);
      if (!at[i / 2]) return NULL;
    }
  }
  return arr_retain(at[0]);
}

/* Where a line has an element 0. */
static arr *with_zero(const ir_call *call, arr *const *at, int64_t n) {
  OWNED arr *any = with_number(call, P_EQ, 0, arr_retain(at[0]));
  for (int64_t i = 1; i < n; i++) {
    OWNED arr *before = arr_move(&any),
              *is = with_number(call, P_EQ, 0, arr_retain(at[i]));
    any = ir_dyadic(call, P_OR, before, is);
  }
  return arr_move(&any);
}

/* Is each product r of floats a normal number, or of a line with an element 0? */
static bool are_products(const ir_call *call, arr *zero, arr *r) {
  ir_call exact = exactly(*call);
  OWNED arr *least =
      arr_float(call->env.c, r->type == ET_F32 ? (double)FLT_MIN : DBL_MIN);
  OWNED arr *size = ir_monadic(&exact, P_RESIDUE, r);
  OWNED arr *normal = least ? ir_dyadic(&exact, P_GE, size, least) : NULL;
  OWNED arr *sound = ir_dyadic(&exact, P_OR, normal, zero);
  return are_all(&exact, sound);
}

arr *ir_reduce_few(const ir_call *call, prim f, arr *y) {
  arr *at[FEW] = {NULL};
  if (!y->rank || !y->node || y->type > ET_F64) return NULL;
  few s = {
      .call = call, .len = y->shape[y->rank - 1], .rank = y->rank - 1, .shape = y->shape};
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  if (s.len < 2 || !row || row->over != OVER_VALUES) return NULL;
  if (!is_long(call, y->count / s.len)) return NULL;
  arr *run = reduce_windows(call, f, y);
  if (run || err_is(call->env.c) || s.len > FEW) return run;
  bool all = true;
  for (int64_t k = 0; all && k < s.len; k++) all = (at[k] = nth(&s, y, k)) != NULL;
  bool checked = f == P_TIMES && elt_is_float((elt)y->type);
  OWNED arr *zero = all && checked ? with_zero(call, at, s.len) : NULL;
  OWNED arr *r = all ? join_few(&s, f, at) : NULL;
  for (int64_t k = 0; k < s.len; k++)
    if (at[k]) arr_release(at[k]);
  if (!r || r->rank != s.rank) return NULL; /* all lines are the same */
  if (checked && !are_products(call, zero, r)) return NULL;
  all_taken(y);
  return arr_move(&r);
}
