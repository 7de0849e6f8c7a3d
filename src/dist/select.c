/* SPDX-License-Identifier: MIT */
/* select.c - x/y, x⌿y, ⍸y and x≡y in parts; x⍀y is in expand.c.
 *
 *   x and y, of each rank its rows ─▶ x⌿y of these ─▶ all ranks' counts ─▶ the rows of the result are fetched
 *
 * What a rank selects are the next rows of the result behind those of the rank before; they go where the result is
 * cut. Of a short result everybody gets all of it. */
#include "forms.h"
#include "../array/element.h"
#include "../base/mem.h"
#include "fetch.h"
#include <string.h>

/* ── rows that are not where the result is cut ── */

typedef struct uneven {
  const dist *d;
  int64_t rows, inner; /* of the result */
  bool is_cut;
} uneven;

static void want_rows(const void *user, wanted *w) {
  const uneven *u = user;
  int64_t from = 0, to = u->rows;
  if (u->is_cut) {
    from = cut_at(u->rows, u->d->ranks, w->rank);
    to = cut_at(u->rows, u->d->ranks, w->rank + 1);
  }
  want(w, from * u->inner, to * u->inner);
}

arr *select_rows(const ir_call *call, arr *part, elt t, const int64_t *rows, int rank,
                 int64_t *shape) {
  dist *d = dist_of(call);
  uneven u = {.d = d, .inner = arr_product(rank - 1, shape + 1)};
  for (int r = 0; r < d->ranks; r++)
    if (__builtin_add_overflow(u.rows, rows[r], &u.rows))
      return err_null(d->c, ERR_LIMIT, "an axis would be longer than 2*63");
  shape[0] = u.rows;
  int64_t all;
  if (!arr_count(d->c, rank, shape, &all)) return NULL;
  if (!all) return arr_new(d->c, t, rank, shape);
  u.is_cut = is_cut_shape(d, rank, shape);
  if (!u.is_cut && !may_gather(d, t, all)) return NULL;
  int64_t mine[ARR_MAX_RANK];
  memcpy(mine, shape, (size_t)rank * sizeof *mine);
  if (u.is_cut) mine[0] = my_rows(d, u.rows);
  int64_t *starts = mem_alloc(d->c, ((size_t)d->ranks + 1) * sizeof *starts);
  if (!starts) return NULL;
  starts[0] = 0;
  for (int r = 0; r < d->ranks; r++) starts[r + 1] = starts[r] + rows[r] * u.inner;
  fetching f = {.starts = starts, .wants = want_rows, .user = &u, .t = t, .rank = rank};
  f.shape = mine;
  arr *r = fetched(call, part, &f);
  mem_free(d->c, starts);
  if (r && t == ET_C128) r = cx_demote(d->c, r);
  return u.is_cut ? cut_array_as(call, r, t, rank, shape) : r;
}

/* Would x, which counts how often, repeat more rows than a number counts? */
static bool is_too_many(const ir_call *call, arr *x) {
  if (x->type == ET_BIT || !elt_is_int((elt)x->type)) return false;
  OWNED arr *sizes = ir_monadic(call, P_RESIDUE, x);
  OWNED arr *sum = sizes ? ir_reduce(call, P_PLUS, sizes, 0) : NULL;
  return sum && ir_host(call->g, sum) && !elt_is_int((elt)sum->type);
}

bool select_numbers(dist *d, bool ok, int64_t mine, int64_t *all) {
  bool met = dist_meet(d, AGREE_GATHER);
  return met && ok && dist_gather_same(d, &mine, all, sizeof mine);
}

/* ── x⌿y ── */

/* The rows of a that stand beside this rank's of the others; all of what has only one. */
static arr *beside(const ir_call *call, arr *a) {
  bool one = a->count == 1 || !a->rank || a->shape[0] == 1;
  return one ? arr_retain(a) : part_for(call, a);
}

static arr *replicated_part(const ir_call *call, arr *x, arr *y, int k, bool expand) {
  dist *d = dist_of(call);
  OWNED arr *a = k ? arr_retain(x) : beside(call, x);
  OWNED arr *b = a ? beside(call, y) : NULL;
  if (!b) return NULL;
  inside_begin(d);
  arr *r = ir_replicate(call, a, b, k, expand);
  inside_end(d);
  return r;
}

arr *select_even(const ir_call *call, arr *part, const arr *like) {
  dist *d = dist_of(call);
  int64_t shape[ARR_MAX_RANK];
  int rank = like->rank ? like->rank : 1;
  memcpy(shape, like->shape, (size_t)like->rank * sizeof *shape);
  int64_t *rows = mem_alloc(d->c, (size_t)d->ranks * sizeof *rows);
  arr *r = NULL;
  if (select_numbers(d, part && rows, part ? part->shape[0] : 0, rows))
    r = select_rows(call, part, (elt)like->type, rows, rank, shape);
  mem_free(d->c, rows);
  return r;
}

/* Another axis: rows stay where they are. */
static arr *other_axis(const ir_call *call, arr *x, arr *y, int k, bool expand) {
  dist *d = dist_of(call);
  int64_t shape[ARR_MAX_RANK], n = -1, all;
  OWNED arr *part = replicated_part(call, x, y, k, expand);
  if (part) n = part->shape[k];
  bool met = dist_meet_values(d, AGREE_VALUES, &n, 1);
  if (!met) return NULL;
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[k] = n;
  if (!arr_count(d->c, y->rank, shape, &all)) return NULL;
  if (!all) return arr_new(d->c, (elt)y->type, y->rank, shape);
  if (!is_cut_shape(d, y->rank, shape) && !may_gather(d, (elt)y->type, all)) return NULL;
  return cut_array(call, arr_move(&part), y->rank, shape);
}

/* Have x and y one number of rows, or one of them a single one? x that expands has a number for each row, or more. */
static bool fit(const arr *x, const arr *y, bool expand) {
  bool one = !y->rank || y->shape[0] == 1;
  if (expand) return x->rank && (one ? is_cut(x) : x->count >= y->shape[0]);
  return one || x->count == 1 || x->count == y->shape[0];
}

arr *select_replicate(const ir_call *call, arr *x, arr *y, int k, bool expand) {
  dist *d = dist_of(call);
  bool simple = elt_is_num((elt)x->type) && y->type != ET_NEST && x->rank < 2;
  if (!simple || (k ? is_cut(x) : !fit(x, y, expand))) return NULL;
  if (!is_cut(x) && (!is_cut(y) || !x->count)) return NULL;
  if (!parts_ready(call, x, y)) return NULL;
  if (!op_begins(d, call->at) || !parts_settle(d, x) || !parts_settle(d, y)) return NULL;
  if (is_too_many(call, x) || err_is(d->c)) return NULL; /* the host says so */
  if (k) return other_axis(call, x, y, k, expand);
  if (expand) return select_expand(call, x, y);
  OWNED arr *part = replicated_part(call, x, y, 0, false);
  return select_even(call, part, y);
}

arr *select_where(const ir_call *call, arr *y) {
  dist *d = dist_of(call);
  if (y->rank != 1 || !elt_is_num((elt)y->type)) return NULL;
  if (!parts_ready(call, NULL, y)) return NULL;
  if (!op_begins(d, call->at) || !part_settle(call->g, y)) return NULL;
  if (y->type != ET_BIT) return NULL;
  OWNED arr *numbers = call->g->cuts->numbers(call, call->env.io, y->count);
  return numbers ? select_replicate(call, y, numbers, 0, false) : NULL;
}

/* ── x≡y ── */

/* Do this rank's rows match? -1 after an error. */
static int parts_match(const ir_call *call, arr *x, arr *y) {
  dist *d = dist_of(call);
  OWNED arr *a = part_for(call, x), *b = a ? part_for(call, y) : NULL;
  if (!b) return -1;
  inside_begin(d);
  OWNED arr *r = ir_dyadic(call, P_MATCH, a, b);
  int is = r && ir_host(d->g, r) ? (int)arr_get_int(r, 0) : -1;
  inside_end(d);
  return is;
}

arr *select_match(const ir_call *call, prim f, arr *x, arr *y) {
  dist *d = dist_of(call);
  if (!is_cut(x) && !is_cut(y)) return NULL;
  bool alike = arr_same_shape(x, y) && y->type != ET_NEST && x->type != ET_NEST &&
               elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
  if (!alike) return arr_int(d->c, f == P_TALLY);
  if (!op_begins(d, call->at) || !parts_settle(d, x) || !parts_settle(d, y)) return NULL;
  int64_t differ = parts_match(call, x, y) != 1;
  bool met = dist_meet_values(d, AGREE_VALUES, &differ, 1);
  return met ? arr_int(d->c, differ == (f == P_TALLY)) : NULL;
}
