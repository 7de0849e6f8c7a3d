/* SPDX-License-Identifier: MIT */
/* find.c - x⍷y of a cut y in parts: a box that begins in a rank's rows may end in those of the next ones, which are
 * fetched. */
#include "forms.h"
#include "../base/arith.h"
#include "fetch.h"
#include <string.h>

typedef struct finding {
  const dist *d;
  int64_t rows, inner; /* of y */
  int64_t behind;      /* rows of the others that a box may take in */
} finding;

static int64_t end_of(const finding *f, int rank) {
  return min_i64(cut_at(f->rows, f->d->ranks, rank + 1) + f->behind, f->rows);
}

static void want_with_next(const void *user, wanted *w) {
  const finding *f = user;
  int64_t from = cut_at(f->rows, f->d->ranks, w->rank);
  want(w, from * f->inner, end_of(f, w->rank) * f->inner);
}

/* This rank's rows, and those behind them. */
static arr *rows_with_next(const ir_call *call, arr *y, const finding *f) {
  dist *d = dist_of(call);
  if (!f->behind) return part_for(call, y);
  int64_t size[ARR_MAX_RANK];
  memcpy(size, y->shape, (size_t)y->rank * sizeof *size);
  size[0] = end_of(f, d->me) - my_first(d, f->rows);
  int64_t *starts = part_starts(d, y->rank, y->shape);
  fetching of = {.starts = starts, .wants = want_with_next, .user = f};
  of.t = (elt)y->type;
  of.rank = y->rank;
  of.shape = size;
  arr *r =
      dist_meet(d, AGREE_VALUES) && starts ? fetched(call, part_of(d, y), &of) : NULL;
  mem_free(d->c, starts);
  return r;
}

arr *sets_find(const ir_call *call, arr *x, arr *y) {
  dist *d = dist_of(call);
  if (!is_cut(y) || is_cut(x) || !x->count || x->rank > y->rank) return NULL;
  if (x->type == ET_NEST || !ir_settle(call->g, x) || !part_settle(call->g, y))
    return NULL;
  finding f = {.d = d, .rows = y->shape[0]};
  f.inner = arr_product(y->rank - 1, y->shape + 1);
  if (x->rank == y->rank) f.behind = x->shape[0] - 1;
  if (f.behind > f.rows / d->ranks || !op_begins(d, call->at)) return NULL;
  OWNED arr *rows = rows_with_next(call, y, &f);
  if (!rows) return NULL;
  inside_begin(d);
  OWNED arr *are = ir_dyadic(call, P_FIND, x, rows);
  arr *part = are ? some_rows(call, are, 0, my_rows(d, f.rows)) : NULL;
  inside_end(d);
  return cut_array_as(call, part, ET_BIT, y->rank, y->shape);
}
