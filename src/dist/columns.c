/* SPDX-License-Identifier: MIT */
/* columns.c - f⌿y and f⍀y of a table of which every rank gets whole columns: whatever f is, and however few rows
 * there are, its columns are folded as one rank folds them.
 *
 *     rank 0   a a b b c c             a a      b b      c c
 *              a a b b c c     ──▶     a a      b b      c c       what was scanned goes back the same way
 *     rank 1   a a b b c c             a a      b b      c c
 *
 * That is y with its first two axes exchanged, which is cut along the columns, as f⌿y is. */
#include "fold.h"
#include <string.h>

/* y, its first two axes exchanged, in parts. */
static arr *turned(const ir_call *call, arr *y) {
  int64_t shape[ARR_MAX_RANK], stride[ARR_MAX_RANK];
  view v;
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[0] = y->shape[1];
  shape[1] = y->shape[0];
  if (!view_shape(call->env.c, &v, y->rank, shape)) return NULL;
  view_part *p = view_add(&v);
  strides_of(y->rank, y->shape, stride);
  memcpy(p->stride, stride, (size_t)y->rank * sizeof *stride);
  p->stride[0] = stride[1];
  p->stride[1] = stride[0];
  return shift_view(call, P_TRANSPOSE, &v, NULL, y);
}

arr *fold_by_columns(const ir_call *call, const fold_call *of, arr *y) {
  const dist *d = dist_of(call);
  if (y->rank < 2 || y->shape[1] < d->ranks || y->type == ET_NEST) return NULL;
  OWNED arr *columns = turned(call, y);
  arr *r = columns ? map_fold(call, of, columns, 1) : NULL;
  if (!r || !of->scan) return r;
  OWNED arr *scanned = r;
  return turned(call, scanned);
}
