/* SPDX-License-Identifier: MIT */
/* expand.c - x⍀y in parts.
 *
 *   x, of each rank its numbers ─▶ how many rows these take ─▶ all ranks' counts ─▶ the next so many rows of y
 *   these numbers ⍀ these rows ─▶ the rows of the result are fetched (select.c)
 *
 * A number above 0 takes the next row of y, so the rows that a rank takes stand behind those of the ranks before. */
#include "../array/element.h"
#include "../ir/build.h"
#include "../prim/args.h"
#include "fetch.h"
#include "forms.h"
#include <string.h>

typedef struct taking {
  int64_t *first; /* the first row that each rank takes; the one behind all */
  int64_t inner;  /* elements of a row */
} taking;

static void want_taken(const void *user, wanted *w) {
  const taking *t = user;
  want(w, t->first[w->rank] * t->inner, t->first[w->rank + 1] * t->inner);
}

/* This rank's part of x, whole numbers; *takes is how many of them are above 0. */
static arr *numbers_here(const ir_call *call, arr *x, int64_t *takes) {
  dist *d = dist_of(call);
  prim_env e = call->env;
  OWNED arr *part = part_for(call, x), *r = NULL;
  if (!part) return NULL;
  inside_begin(d);
  if (elt_is_int((elt)part->type)) r = arr_retain(part);
  else if (ir_host(call->g, part)) r = prim_ints(&e, part, "the left argument");
  OWNED arr *above = r ? with_number(call, P_LT, 0, arr_retain(r)) : NULL;
  OWNED arr *sum = above ? ir_reduce(call, P_PLUS, above, 0) : NULL;
  bool ok = sum && ir_host(call->g, sum);
  inside_end(d);
  if (ok) *takes = arr_get_int(sum, 0);
  return ok ? arr_move(&r) : NULL;
}

/* The rows of y that this rank takes; NULL after an error, of which the others hear, and without a part. */
static arr *rows_taken(const ir_call *call, arr *y, const taking *t, int64_t n) {
  dist *d = dist_of(call);
  int64_t from[ARR_MAX_RANK] = {t->first[d->me]}, size[ARR_MAX_RANK];
  memcpy(size, y->shape, (size_t)y->rank * sizeof *size);
  size[0] = n;
  if (!is_cut(y)) {
    if (!n) return arr_new(d->c, (elt)y->type, y->rank, size);
    inside_begin(d);
    arr *r = ir_box(call, y, from, size);
    inside_end(d);
    return r;
  }
  fetching f = {.wants = want_taken, .user = t, .t = (elt)y->type, .rank = y->rank};
  int64_t *starts = part_starts(d, y->rank, y->shape);
  f.starts = starts;
  if (n) f.shape = size;
  bool met = dist_meet_values(d, AGREE_VALUES, &(int64_t){!starts}, 1);
  OWNED arr *r = met && starts ? fetched(call, part_of(d, y), &f) : NULL;
  mem_free(d->c, starts);
  return r && !n ? arr_new(d->c, (elt)y->type, y->rank, size) : arr_move(&r);
}

/* Which rows each rank takes, and that it is all of n. */
static bool find_taken(dist *d, taking *t, int64_t n, const int64_t *takes) {
  t->first[0] = 0;
  for (int r = 0; r < d->ranks; r++) t->first[r + 1] = t->first[r] + takes[r];
  int64_t all = t->first[d->ranks];
  return all == n || err_set(d->c, ERR_LENGTH, "%lld cells are wanted of %lld",
                             (long long)all, (long long)n);
}

static arr *expanded_here(const ir_call *call, arr *x, arr *rows) {
  dist *d = dist_of(call);
  inside_begin(d);
  arr *r = x && rows ? ir_replicate(call, x, rows, 0, true) : NULL;
  inside_end(d);
  return r;
}

/* This rank's numbers and what they take of y; *made: all ranks came to where they make their parts. */
static arr *expanded_part(const ir_call *call, arr *x, arr *y, bool *made) {
  dist *d = dist_of(call);
  int64_t takes = 0;
  bool one = y->count == 1 || !y->rank || y->shape[0] == 1;
  OWNED arr *own = numbers_here(call, x, &takes);
  if (one) {
    *made = true;
    return expanded_here(call, own, y);
  }
  int64_t *each = mem_alloc(d->c, (size_t)d->ranks * sizeof *each);
  taking t = {.inner = arr_product(y->rank - 1, y->shape + 1)};
  t.first = mem_alloc(d->c, ((size_t)d->ranks + 1) * sizeof *t.first);
  bool ok = select_numbers(d, own && each && t.first, takes, each) &&
            find_taken(d, &t, y->shape[0], each);
  OWNED arr *rows = ok ? rows_taken(call, y, &t, takes) : NULL;
  arr *r = ok ? expanded_here(call, own, rows) : NULL;
  *made = ok;
  mem_free(d->c, each);
  mem_free(d->c, t.first);
  return r;
}

arr *select_expand(const ir_call *call, arr *x, arr *y) {
  bool made = false;
  OWNED arr *part = expanded_part(call, x, y, &made);
  return made ? select_even(call, part, y) : NULL;
}
