/* SPDX-License-Identifier: MIT */
/* index.c - y[i;j…] in parts.
 *
 * Of an array that is the same everywhere each rank takes what its part of i names. Of a cut one, other axes than the
 * first are looked up in each rank's rows. For the first one
 *
 *   a rank's indices ─▶ by the rank that has the row ─▶ there ─▶ these rows ─▶ back ─▶ in the order of the indices
 *
 * where a rank's indices are those of its part of the result or, of a short result, all. */
#include "forms.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/mem.h"
#include "../prim/args.h"
#include "../prim/subscript.h"
#include "fetch.h"
#include <string.h>

/* y[at] of what is here. */
static arr *index_here(const ir_call *call, arr *y, int n, arr *const *at) {
  prim_env e = call->env;
  arr *r = ir_index(call, y, n, at);
  if (r || err_is(e.c)) return r;
  for (int k = 0; k < n; k++)
    if (at[k] && !ir_host(call->g, at[k])) return NULL;
  return ir_host_part(call->g, y) ? cx_demote(e.c, prim_index(&e, y, n, at)) : NULL;
}

/* The shape of y[;at[1];…], or of y[at[0];at[1];…]; its rank, or -1: it is too large, or empty. */
static int index_shape(const arr *y, int n, arr *const *at, bool first, int64_t *shape) {
  int rank = 0;
  for (int k = 0; k < n; k++) {
    const arr *i = k || first ? at[k] : NULL;
    int more = i ? i->rank : 1;
    if (rank + more > ARR_MAX_RANK) return -1;
    memcpy(shape + rank, i ? i->shape : y->shape + k, (size_t)more * sizeof *shape);
    rank += more;
  }
  int64_t count = arr_product(rank, shape);
  return count && count < INT64_MAX ? rank : -1;
}

/* A cut array, or one that is the same everywhere, of parts that each rank has made or failed to make. */
static arr *as_cut(const ir_call *call, arr *part, elt t, int rank,
                   const int64_t *shape) {
  dist *d = dist_of(call);
  OWNED arr *own = part;
  if (!is_cut_shape(d, rank, shape) && !may_gather(d, t, arr_product(rank, shape)))
    return NULL;
  return cut_array_as(call, arr_move(&own), t, rank, shape);
}

/* ── an array that is the same everywhere, by cut indices ── */

static arr *of_same(const ir_call *call, arr *y, int n, arr *const *at) {
  dist *d = dist_of(call);
  int64_t shape[ARR_MAX_RANK];
  int rank = index_shape(y, n, at, true, shape);
  if (y->type == ET_NEST || rank < 0 || !is_cut_shape(d, rank, shape)) return NULL;
  if (!op_begins(d, call->at)) return NULL;
  if (!part_settle(d->g, at[0]) || !ir_settle(d->g, y)) return NULL;
  arr *own[ARR_MAX_RANK];
  memcpy(own, at, (size_t)n * sizeof *own);
  inside_begin(d);
  own[0] = part_of(d, at[0]);
  arr *part = index_here(call, y, n, own);
  inside_end(d);
  return as_cut(call, part, (elt)y->type, rank, shape);
}

/* ── other axes of a cut array ── */

static arr *of_other_axes(const ir_call *call, arr *y, int n, arr *const *at) {
  dist *d = dist_of(call);
  int64_t shape[ARR_MAX_RANK];
  int rank = index_shape(y, n, at, false, shape);
  if (rank < 0) return NULL;
  if (!op_begins(d, call->at) || !part_settle(d->g, y)) return NULL;
  arr *own[ARR_MAX_RANK];
  memcpy(own, at, (size_t)n * sizeof *own);
  own[0] = NULL;
  inside_begin(d);
  arr *part = index_here(call, part_of(d, y), n, own);
  inside_end(d);
  return as_cut(call, part, (elt)y->type, rank, shape);
}

/* ── rows ── */

/* What this rank asks others for, and what it is asked for. */
typedef struct request {
  const ir_call *call;
  dist *d;
  elt t;         /* of the elements that are sent: whole bytes */
  int64_t inner; /* elements of a row */
  by_owner by;   /* the rows that this rank wants */
  arr *place;    /* of each index: where its row stands among those that come, by owner */
  arr **out;     /* rows of this rank's, for each rank */
  int64_t *in;   /* elements that come from each rank */
} request;

static void request_free(request *q) {
  ctx *c = q->d->c;
  for (int r = 0; q->out && r < q->d->ranks; r++) arr_release(q->out[r]);
  by_owner_free(&q->by);
  arr_release(q->place);
  mem_free(c, q->out);
  mem_free(c, q->in);
}

/* Those that come stand by owner, each owner's in the order of the indices. */
static bool place_rows(request *q, const arr *at) {
  q->place = arr_new(q->d->c, ET_I64, at->rank, at->shape);
  int64_t n = 0, *place = q->place ? q->place->host : NULL;
  for (int r = 0; place && r < q->d->ranks; r++) {
    const arr *chosen = q->by.chosen[r];
    for (int64_t i = 0; i < chosen->count; i++)
      place[((const int64_t *)chosen->host)[i]] = n++;
  }
  return place;
}

/* Whose rows the indices name. */
static bool list_rows(request *q, arr *indices, int64_t rows) {
  ctx *c = q->d->c;
  prim_env e = q->call->env;
  q->out = mem_zalloc(c, (size_t)q->d->ranks * sizeof *q->out);
  q->in = mem_alloc(c, (size_t)q->d->ranks * sizeof *q->in);
  OWNED arr *ints = ir_host(q->d->g, indices) ? prim_ints(&e, indices, "indices") : NULL;
  OWNED arr *at = ints ? arr_convert(c, ints, ET_I64) : NULL;
  return q->out && q->in && at && by_owner_list(&q->by, at, e.io, 1, &rows, false) &&
         place_rows(q, at);
}

/* The rows of y's part that rank r asked for, their numbers being asked's from *from on. */
static arr *rows_for(request *q, arr *y, const arr *asked, int64_t *from, int r) {
  dist *d = q->d;
  ir_call zero = from_zero(*q->call);
  int64_t n = q->by.counts[r * d->ranks + d->me];
  OWNED arr *at = arr_vec(d->c, ET_I64, n);
  if (!at || !n) return n ? NULL : arr_vec(d->c, q->t, 0);
  arr_copy(at, 0, asked, *from, n);
  *from += n;
  arr *all[ARR_MAX_RANK] = {at};
  OWNED arr *rows = index_here(&zero, part_of(d, y), y->rank, all);
  return part_as(d, rows, q->t);
}

/* All rows that this rank is asked for. */
static bool make_rows(request *q, arr *y, arr *asked) {
  int64_t from = 0;
  inside_begin(q->d);
  bool ok = ir_host(q->d->g, asked);
  for (int r = 0; ok && r < q->d->ranks; r++)
    ok = (q->out[r] = rows_for(q, y, asked, &from, r)) != NULL;
  inside_end(q->d);
  return ok;
}

/* How many elements come from each rank: numbers, or rows. */
static const int64_t *set_in(request *q, bool asks) {
  int n = q->d->ranks, me = q->d->me;
  for (int r = 0; r < n; r++)
    q->in[r] = asks ? q->by.counts[r * n + me] : q->by.counts[me * n + r] * q->inner;
  return q->in;
}

/* Those that this rank wants, in the order of its indices: what came, by owner, in `rows`. */
static arr *in_order(request *q, arr *y, arr *rows) {
  ir_call zero = from_zero(*q->call);
  int64_t shape[ARR_MAX_RANK];
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[0] = q->place->count;
  OWNED arr *table = ir_reshape(&zero, rows, y->rank, shape);
  arr *all[ARR_MAX_RANK] = {q->place};
  return table ? index_here(&zero, table, y->rank, all) : NULL;
}

/* The result, as much of it as this rank wants. */
static arr *rows_asked(request *q, arr *y, arr *indices) {
  dist *d = q->d;
  elt t = (elt)y->type;
  q->t = sent_as(t);
  q->inner = arr_product(y->rank - 1, y->shape + 1);
  bool ok = indices && list_rows(q, indices, y->shape[0]);
  if (!counts_shared(d, q->by.counts, ok)) return NULL;
  OWNED arr *asked = exchanged(q->call, q->by.places, set_in(q, true), ET_I64);
  if (!asked) return NULL;
  ok = make_rows(q, y, asked);
  OWNED arr *rows = exchanged(q->call, ok ? q->out : NULL, set_in(q, false), q->t);
  inside_begin(d);
  OWNED arr *r = rows ? in_order(q, y, rows) : NULL;
  ok = r && (t == r->type || ir_host(d->g, r));
  inside_end(d);
  return ok ? arr_convert(d->c, r, t) : NULL;
}

/* y[i;;…] of a cut array, by a list of indices, cut or not. */
static arr *of_rows(const ir_call *call, arr *y, arr *i) {
  dist *d = dist_of(call);
  arr *at[ARR_MAX_RANK] = {i};
  int64_t shape[ARR_MAX_RANK];
  int rank = index_shape(y, y->rank, at, true, shape);
  if (rank < 0) return NULL;
  bool is = is_cut_shape(d, rank, shape);
  if (is_cut(i) && !is) return NULL;
  if (!op_begins(d, call->at) || !part_settle(d->g, y)) return NULL;
  if (is_cut(i) ? !part_settle(d->g, i) : !ir_settle(d->g, i)) return NULL;
  if (!is && !may_gather(d, (elt)y->type, arr_product(rank, shape))) return NULL;
  request q = {.call = call, .d = d, .by = {.d = d}};
  OWNED arr *indices = is ? part_for(call, i) : arr_retain(i);
  arr *r = rows_asked(&q, y, indices);
  request_free(&q);
  if (r && y->type == ET_C128) r = cx_demote(d->c, r);
  return is ? as_cut(call, r, (elt)y->type, rank, shape) : r;
}

/* y[i;;…] by one number: a box. */
static arr *of_row(const ir_call *call, arr *y, arr *i) {
  prim_env e = call->env;
  int64_t at;
  if (!ir_host(call->g, i) || !prim_int_at(&e, i, 0, &at)) return NULL;
  if (at < e.io || at - e.io >= y->shape[0])
    return err_null(e.c, ERR_INDEX, "there is no index %s in an axis of length %lld",
                    prim_int_text(at).at, (long long)y->shape[0]);
  if (y->rank == 1) return part_pick(call, y, at - e.io);
  OWNED arr *row = some_rows(call, y, at - e.io, 1);
  return ir_reshape(call, row, y->rank - 1, y->shape + 1);
}

/* ── the entry ── */

/* Are they numbers, and only the first ones cut? */
static bool are_indices(int n, arr *const *at) {
  for (int k = 0; k < n; k++)
    if (at[k] &&
        (at[k]->type == ET_NEST || !elt_is_num((elt)at[k]->type) || (k && is_cut(at[k]))))
      return false;
  return true;
}

/* Have other axes than the first what is asked of them? False after another error, too. */
static bool others_exist(const ir_call *call, arr *y, int n, arr *const *at) {
  prim_env e = call->env;
  arr *own[ARR_MAX_RANK] = {NULL};
  for (int k = 1; k < n; k++)
    if ((own[k] = at[k]) && !ir_host(call->g, at[k])) return false;
  subscripts s = {0};
  bool ok = subscripts_of(&e, y, n, own, &s);
  subscripts_free(&s);
  if (!ok && (e.c->err.code == ERR_INDEX || e.c->err.code == ERR_DOMAIN)) err_clear(e.c);
  return ok;
}

/* y[i;;…], where one of the two is cut. */
static arr *of_first_axis(const ir_call *call, arr *y, arr *i) {
  arr *at[ARR_MAX_RANK] = {i};
  if (!is_cut(y)) return of_same(call, y, y->rank, at);
  return i->rank ? of_rows(call, y, i) : of_row(call, y, i);
}

arr *select_index(const ir_call *call, arr *y, int n, arr *const *at) {
  bool others = false;
  if (n != y->rank || !n || !are_indices(n, at)) return NULL;
  if (!parts_ready(call, at[0], y)) return NULL;
  for (int k = 1; k < n; k++) others |= at[k] != NULL;
  if (others && at[0] &&
      !others_exist(call, y, n, at)) { /* the first axis has the first error */
    OWNED arr *rows = err_is(call->env.c) ? NULL : of_first_axis(call, y, at[0]);
    if (!rows && err_is(call->env.c)) return NULL;
  }
  if (!is_cut(y)) return of_same(call, y, n, at);
  OWNED arr *z = others ? of_other_axes(call, y, n, at) : arr_retain(y);
  if (!z || !at[0]) return arr_move(&z);
  arr *first[ARR_MAX_RANK] = {at[0]};
  if (!is_cut(z)) return index_here(call, z, z->rank, first);
  return of_first_axis(call, z, at[0]);
}
