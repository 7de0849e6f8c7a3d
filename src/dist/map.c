/* SPDX-License-Identifier: MIT */
/* map.c - what every rank makes of its own part, without a word to the others: functions of elements, folds and
 * scans of rows along another axis than the first, and arrays that are made of few numbers. */
#include "fold.h"
#include "../array/element.h"
#include "../ir/build.h"
#include <string.h>

/* ── functions of elements ── */

/* Both of one shape, or one of them a single element that the other's shape takes in? */
static bool are_alike(const dist *d, const arr *x, const arr *y) {
  if (x->type == ET_NEST || y->type == ET_NEST) return false;
  if (x->count == 1 && x->rank <= y->rank) return is_for_parts(d, y);
  if (y->count == 1 && y->rank <= x->rank) return is_for_parts(d, x);
  return is_for_parts(d, x) && arr_same_shape(x, y);
}

/* Has some rank a single element of it? x○y and x*y go by another function where x or y is one. */
static bool has_single_part(const dist *d, prim f, const arr *a) {
  if (f != P_CIRCLE && f != P_POWER) return false;
  return a->count == a->shape[0] && a->count < 2 * d->ranks;
}

static arr *scalar_dyadic(const ir_call *call, prim f, arr *x, arr *y) {
  dist *d = dist_of(call);
  if (!are_alike(d, x, y)) return NULL;
  const arr *like = x->count == 1 && x->rank <= y->rank ? y : x;
  if (has_single_part(d, f, like) || !op_begins(d, call->at)) return NULL;
  return cut_map(call, f, x, y, like->rank, like->shape);
}

arr *map_convert(const ir_call *call, arr *y, elt t) {
  dist *d = dist_of(call);
  if (!parts_ready(call, NULL, y) || !op_begins(d, call->at)) return NULL;
  int64_t first = my_first(d, y->shape[0]) * arr_product(y->rank - 1, y->shape + 1);
  OWNED arr *part = part_for(call, y);
  inside_begin(d);
  arr *r = part ? node_convert_from(call, part, t, call->env.io + first) : NULL;
  inside_end(d);
  OWNED arr *all = cut_array_as(call, r, t, y->rank, y->shape);
  /* What is too large on another rank is an error here, too, before anything is taken of the result. */
  return all && part_settle(call->g, all) ? arr_move(&all) : NULL;
}

/* ── random numbers ── */

/* The draws that one rank alone would take, of which a rank makes those of its elements. */
static arr *rolled(const ir_call *call, arr *y) {
  dist *d = dist_of(call);
  if (!op_begins(d, call->at)) return NULL;
  prim_random *all = call->env.random, mine = *all;
  int64_t inner = arr_product(y->rank - 1, y->shape + 1);
  uint64_t first = prim_random_take(all, (uint64_t)y->count);
  mine = *all;
  mine.drawn = first + (uint64_t)(my_first(d, y->shape[0]) * inner);
  ir_call of_part = *call;
  of_part.env.random = &mine;
  OWNED arr *part = part_for(call, y);
  inside_begin(d);
  arr *r = part ? ir_monadic(&of_part, P_ROLL, part) : NULL;
  inside_end(d);
  arr *all_parts = cut_array(call, r, y->rank, y->shape);
  if (!all_parts) all->drawn = first; /* as where one rank fails before it draws */
  return all_parts;
}

/* ── few numbers ── */

arr *map_numbers_here(const ir_call *call, int64_t first, int64_t n) {
  dist *d = dist_of(call);
  ir_call zero = from_zero(*call);
  OWNED arr *rows = arr_int(call->env.c, my_rows(d, n));
  return with_number(call, P_PLUS, first + my_first(d, n),
                     ir_monadic(&zero, P_IOTA, rows));
}

arr *map_numbers(const ir_call *call, int64_t first, int64_t n) {
  dist *d = dist_of(call);
  if (n < d->cut_from || n < d->ranks || !op_begins(d, call->at)) return NULL;
  inside_begin(d);
  arr *part = map_numbers_here(call, first, n);
  inside_end(d);
  return cut_array_as(call, part, ET_I64, 1, &n);
}

/* y's elements again and again, from number `from` of them on. */
static arr *turned(const ir_call *call, arr *y, int64_t from) {
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  OWNED arr *by = line ? arr_int(call->env.c, from % y->count) : NULL;
  return by ? ir_dyadic(call, P_REVERSE, by, line) : NULL;
}

/* x⍴y, of a short y. */
static arr *reshaped(const ir_call *call, arr *x, arr *y) {
  dist *d = dist_of(call);
  int64_t shape[ARR_MAX_RANK], count;
  if (x->rank > 1 || x->count < 1 || x->count > ARR_MAX_RANK) return NULL;
  if (!y->count || y->type == ET_NEST || is_for_parts(d, y)) return NULL;
  if (!elt_is_int((elt)x->type) || !ir_host(call->g, x)) return NULL;
  int rank = (int)x->count;
  for (int k = 0; k < rank; k++)
    if ((shape[k] = arr_get_int(x, k)) < 0) return NULL;
  count = arr_product(rank, shape);
  if (count < d->cut_from || shape[0] < d->ranks || count == INT64_MAX) return NULL;
  if (!op_begins(d, call->at) || !ir_settle(call->g, y)) return NULL;
  int64_t inner = count / shape[0], first = my_first(d, shape[0]), n = shape[0];
  inside_begin(d);
  OWNED arr *from = y->count > 1 ? turned(call, y, first * inner) : arr_retain(y);
  int64_t mine[ARR_MAX_RANK];
  memcpy(mine, shape, sizeof mine);
  mine[0] = my_rows(d, n);
  arr *part = ir_reshape(call, from, rank, mine);
  inside_end(d);
  return cut_array_as(call, part, (elt)y->type, rank, shape);
}

/* ── rows ── */

static arr *fold_here(const ir_call *call, const fold_call *of, arr *y, int axis) {
  if (of->fn) return ir_fold_function(call, of->fn, y, axis, of->scan);
  return of->scan ? ir_scan(call, of->f, y, axis) : ir_reduce(call, of->f, y, axis);
}

arr *map_fold(const ir_call *call, const fold_call *of, arr *y, int axis) {
  dist *d = dist_of(call);
  if (!is_for_parts(d, y) || !y->shape[axis]) return NULL;
  if (!op_begins(d, call->at)) return NULL;
  int64_t shape[ARR_MAX_RANK];
  int rank = 0;
  for (int k = 0; k < y->rank; k++)
    if (k != axis || of->scan) shape[rank++] = y->shape[k];
  /* Ranks that have other rows may fold them in another type: theirs is agreed on. And no kernel may do it. */
  for (;;) {
    OWNED arr *part = part_for(call, y);
    inside_begin(d);
    OWNED arr *r = part ? fold_here(call, of, part, axis) : NULL;
    bool settled = r && ir_settle(call->g, r);
    inside_end(d);
    int64_t value[2] = {settled ? r->type : -1, !settled};
    agreed is = dist_agree(d, AGREE_VALUES, value, 2);
    if (is == AGREED_WIDER) continue;
    bool done = is == AGREED && !value[1];
    return done ? cut_array(call, arr_move(&r), rank, shape) : NULL;
  }
}

/* ── the entries ── */

arr *map_monadic(const ir_call *call, prim f, arr *y) {
  dist *d = dist_of(call);
  if (!is_for_parts(d, y) || !parts_ready(call, NULL, y)) return NULL;
  if (prim_is_scalar(f, false) && elt_is_num((elt)y->type))
    return op_begins(d, call->at) ? cut_map(call, f, NULL, y, y->rank, y->shape) : NULL;
  if (f == P_ROLL) return rolled(call, y);
  if (f == P_UP || f == P_DOWN) return order_grade(call, f, y);
  if (f == P_UNION) return sets_unique(call, y);
  if (f == P_NE) return sets_news(call, y);
  if ((f == P_COMMA && y->rank == 1) || f == P_TAKE) return arr_retain(y);
  return NULL;
}

arr *map_dyadic(const ir_call *call, prim f, arr *x, arr *y) {
  if (!parts_ready(call, x, y)) return NULL;
  if (prim_is_scalar(f, true)) return scalar_dyadic(call, f, x, y);
  if (f == P_RHO) return reshaped(call, x, y);
  if (f == P_IOTA) {
    arr *r = place_of_few(call, x, y);
    if (r || err_is(call->env.c)) return r;
  }
  if (f == P_MEMBER || f == P_IOTA) {
    arr *r = place_of_short(call, f, x, y);
    if (r || err_is(call->env.c)) return r;
  }
  if (f == P_FIND) return sets_find(call, x, y);
  if (f == P_NOT || f == P_INTERSECT || f == P_UNION) return sets_combined(call, f, x, y);
  if (f == P_MEMBER || f == P_IOTA || f == P_WHERE) return sets_search(call, f, x, y);
  if (f == P_MATCH || f == P_TALLY) return select_match(call, f, x, y);
  return NULL;
}
