/* SPDX-License-Identifier: MIT */
/* transpose.c - views of which the source's rows are another axis than the first: ⍉ and the like.
 *
 *   a rank's rows of the source ─▶ a block for each rank: what these rows have of its rows of the result ─▶ to that
 *   rank ─▶ a view of all blocks that came
 *
 * A block has the source's rows as its first axis, then the result's axes. So blocks that arrive one behind the other
 * are one array of all rows of the source. Truth values travel as bytes. */
#include "../array/convert.h"
#include "../base/mem.h"
#include "../ir/build.h"
#include "fetch.h"
#include "forms.h"
#include <string.h>

int block_axis(const view *v, const arr *y) {
  const view_part *p = &v->part[0];
  int64_t inner = arr_product(y->rank - 1, y->shape + 1), reach = p->from;
  int axis = 0;
  if (v->parts != 1 || v->fills || p->from >= inner) return 0;
  for (int k = 1; k < p->rank && !axis; k++)
    if (p->stride[k] == inner && p->len[k] == y->shape[0] && p->len[k] > 1) axis = k;
  for (int k = 0; k < p->rank; k++) {
    if (p->list[k] || p->stride[k] < 0 || p->len[k] != v->shape[k]) return 0;
    if (k != axis) reach += (p->len[k] - 1) * p->stride[k];
  }
  return reach < inner ? axis : 0;
}

typedef struct blocks {
  dist *d;
  const view *v;
  int axis; /* of v: the source's rows */
} blocks;

/* The lengths of a block of so many rows of the source and of the result. */
static void block_lengths(const blocks *b, int64_t source_rows, int64_t rows,
                          int64_t *len) {
  const view *v = b->v;
  len[0] = source_rows;
  len[1] = rows;
  for (int k = 1, at = 2; k < v->rank; k++)
    if (k != b->axis) len[at++] = v->shape[k];
}

/* The block of this rank's part, of so many rows, for rank r; a node perhaps. */
static arr *block_for(const ir_call *call, const blocks *b, arr *part, int r) {
  const view_part *p = &b->v->part[0];
  int64_t first = cut_at(b->v->shape[0], b->d->ranks, r), len[ARR_MAX_RANK];
  int64_t rows = cut_at(b->v->shape[0], b->d->ranks, r + 1) - first;
  view v;
  block_lengths(b, part->shape[0], rows, len);
  if (!view_shape(call->env.c, &v, b->v->rank, len)) return NULL;
  view_part *q = view_add(&v);
  q->from = p->from + first * p->stride[0];
  q->stride[0] = p->stride[b->axis];
  q->stride[1] = p->stride[0];
  for (int k = 1, at = 2; k < p->rank; k++)
    if (k != b->axis) q->stride[at++] = p->stride[k];
  return viewed(call, P_TAKE, &v, part);
}

/* All blocks of this rank's part, with their elements. False after an error. */
static bool blocks_out(const ir_call *call, const blocks *b, arr *y, elt t, arr **out) {
  dist *d = b->d;
  arr *part = part_of(d, y);
  inside_begin(d);
  OWNED arr *own = part_as(d, part, t);
  bool ok = own != NULL;
  for (int r = 0; ok && r < d->ranks; r++) {
    OWNED arr *block = block_for(call, b, own, r);
    ok = (out[r] = part_as(d, block, t)) != NULL;
  }
  inside_end(d);
  return ok;
}

/* The part of the result: these blocks of all rows of the source, its axes in their places. */
static arr *blocks_placed(const ir_call *call, const blocks *b, arr *in,
                          int64_t source_rows) {
  int64_t shape[ARR_MAX_RANK], len[ARR_MAX_RANK], stride[ARR_MAX_RANK];
  int rank = b->v->rank;
  view v;
  memcpy(shape, b->v->shape, (size_t)rank * sizeof *shape);
  shape[0] = my_rows(b->d, shape[0]);
  block_lengths(b, source_rows, shape[0], len);
  strides_of(rank, len, stride);
  if (!view_shape(call->env.c, &v, rank, shape)) return NULL;
  view_part *q = view_add(&v);
  q->stride[0] = stride[1];
  q->stride[b->axis] = stride[0];
  for (int k = 1, at = 2; k < rank; k++)
    if (k != b->axis) q->stride[k] = stride[at++];
  return viewed(call, P_TAKE, &v, in);
}

static int64_t elements_from(const blocks *b, int64_t rows, int r) {
  int64_t n = cut_at(rows, b->d->ranks, r + 1) - cut_at(rows, b->d->ranks, r);
  int64_t len[ARR_MAX_RANK];
  block_lengths(b, n, my_rows(b->d, b->v->shape[0]), len);
  return arr_product(b->v->rank, len);
}

arr *blocks_part(const ir_call *call, const view *v, arr *y, elt t) {
  dist *d = dist_of(call);
  size_t n = (size_t)d->ranks;
  elt sent = sent_as(t);
  blocks b = {.d = d, .v = v, .axis = block_axis(v, y)};
  arr **out = mem_zalloc(d->c, n * sizeof *out);
  int64_t *in = out ? mem_alloc(d->c, n * sizeof *in) : NULL;
  for (int r = 0; in && r < d->ranks; r++) in[r] = elements_from(&b, y->shape[0], r);
  bool ok = in && blocks_out(call, &b, y, sent, out);
  OWNED arr *all = exchanged(call, ok ? out : NULL, in, sent);
  for (size_t r = 0; out && r < n; r++) arr_release(out[r]);
  mem_free(d->c, out);
  mem_free(d->c, in);
  inside_begin(d);
  OWNED arr *r = all ? blocks_placed(call, &b, all, y->shape[0]) : NULL;
  ok = r && (t == sent || ir_host(d->g, r));
  inside_end(d);
  return ok ? (t == sent ? arr_move(&r) : arr_convert(d->c, r, t)) : NULL;
}
