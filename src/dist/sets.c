/* SPDX-License-Identifier: MIT */
/* sets.c - searches in parts: each element that is sought is one for itself, so that every rank seeks its own in
 * all of the other argument, which is brought together if it is cut, too; of whole numbers, the different ones.
 * x~y, x∩y and x∪y select by such a search.
 *
 * ∪y is, of each rank's different elements or rows, brought together, the different ones; ≠y tells which these are. */
#include "forms.h"
#include "../prim/sort_keys.h"
#include <string.h>

/* Different ones by exact comparison, whatever ⎕CT is: what equals an earlier one exactly compares with all others as
 * that does, so ∪ by ⎕CT of these is ∪ of all. */
static arr *unique_part(const ir_call *call, void *user) {
  ir_call exact = exactly(*call);
  OWNED arr *part = part_for(call, user);
  return part ? ir_monadic(&exact, P_UNION, part) : NULL;
}

/* Those of all ranks, behind one another: different within each part. */
static arr *different_in_parts(const ir_call *call, arr *y) {
  elt type;
  if (!op_begins(dist_of(call), call->at)) return NULL;
  OWNED arr *part = local_part(call, unique_part, y, &type);
  return part ? select_even(call, part, y) : NULL;
}

arr *sets_unique(const ir_call *call, arr *y) {
  if (!is_cut(y) || !part_settle(call->g, y)) return NULL;
  OWNED arr *all = different_in_parts(call, y);
  return all && part_whole(call->g, all) ? ir_monadic(call, P_UNION, all) : NULL;
}

/* ── searches ── */

typedef struct search {
  prim f;
  arr *sought, *among;
} search;

static arr *search_part(const ir_call *call, void *user) {
  const search *s = user;
  OWNED arr *part = part_for(call, s->sought);
  if (!part) return NULL;
  if (s->f == P_MEMBER) return ir_dyadic(call, s->f, part, s->among);
  return ir_dyadic(call, s->f, s->among, part);
}

/* What is sought in y is a member of its different elements, too: of a cut list of whole numbers or characters these
 * alone are brought together. *few is owned. False after an error. */
static bool only_different(const ir_call *call, search *s, arr **few) {
  arr *y = s->among;
  if (s->f != P_MEMBER || !is_cut(y) || y->rank != 1) return true;
  if (!part_settle(call->g, y)) return false;
  if (!sort_is_whole(y)) return true;
  *few = s->among = different_in_parts(call, y);
  return *few != NULL;
}

arr *sets_search(const ir_call *call, prim f, arr *x, arr *y) {
  dist *d = dist_of(call);
  search s = {f, x, y};
  if (f != P_MEMBER) s = (search){f, y, x};
  if (!is_for_parts(d, s.sought) || s.among->type == ET_NEST) return NULL;
  if (f != P_MEMBER && s.among->rank != 1) return NULL;
  OWNED arr *few = NULL;
  if (!only_different(call, &s, &few)) return NULL;
  if (!part_whole(call->g, s.among) || !op_begins(d, call->at)) return NULL;
  elt type;
  arr *part = local_part(call, search_part, &s, &type);
  return cut_array(call, part, s.sought->rank, s.sought->shape);
}

/* The elements of x that are y's, or are not. */
static arr *sieve(const ir_call *call, arr *x, arr *y, bool in) {
  OWNED arr *is = ir_dyadic(call, P_MEMBER, x, y), *chosen = NULL;
  if (is) chosen = in ? arr_retain(is) : ir_monadic(call, P_NOT, is);
  return chosen ? ir_replicate(call, chosen, x, 0, false) : NULL;
}

arr *sets_combined(const ir_call *call, prim f, arr *x, arr *y) {
  bool lists = x->rank <= 1 && (f == P_NOT || y->rank <= 1) && (is_cut(x) || is_cut(y));
  if (!lists || x->type == ET_NEST || y->type == ET_NEST) return NULL;
  if (f != P_UNION) return sieve(call, x, y, f == P_INTERSECT);
  OWNED arr *more = sieve(call, y, x, false);
  return more ? ir_dyadic(call, P_COMMA, x, more) : NULL;
}

/* ── ≠y ── */

/* What differs exactly from all before in this rank's rows is told from the same in all ranks' rows. */
typedef struct news {
  arr *y, *here; /* here: which of this rank's rows are; owned */
} news;

static arr *rows_that_differ(const ir_call *call, void *user) {
  news *k = user;
  ir_call exact = exactly(*call);
  arr_release(k->here);
  k->here = NULL;
  OWNED arr *part = part_for(call, k->y);
  if (part) k->here = ir_monadic(&exact, P_NE, part);
  return k->here ? ir_replicate(call, k->here, part, 0, false) : NULL;
}

/* These rows of all ranks, rows[r] of rank r: which are new by ⎕CT. This rank's, spread over its part. */
static arr *news_here(const ir_call *call, const news *k, arr *all, const int64_t *rows) {
  dist *d = dist_of(call);
  OWNED arr *are = all && part_whole(call->g, all) ? ir_monadic(call, P_NE, all) : NULL;
  if (!are || !part_whole(call->g, are)) return NULL;
  int64_t from = 0;
  for (int r = 0; r < d->me; r++) from += rows[r];
  inside_begin(d);
  OWNED arr *own = ir_box(call, are, &from, &rows[d->me]);
  arr *part = own ? ir_replicate(call, k->here, own, 0, true) : NULL;
  inside_end(d);
  return part;
}

arr *sets_news(const ir_call *call, arr *y) {
  dist *d = dist_of(call);
  elt type;
  if (!is_cut(y) || !part_settle(call->g, y) || !op_begins(d, call->at)) return NULL;
  news k = {.y = y};
  int64_t shape[ARR_MAX_RANK], *rows = mem_alloc(d->c, (size_t)d->ranks * sizeof *rows);
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  OWNED arr *part = local_part(call, rows_that_differ, &k, &type), *all = NULL;
  bool met = part && select_numbers(d, rows != NULL, part->shape[0], rows);
  if (met) all = select_rows(call, part, (elt)y->type, rows, y->rank, shape);
  arr *r = all ? news_here(call, &k, all, rows) : NULL;
  arr_release(k.here);
  mem_free(d->c, rows);
  return all ? cut_array(call, r, 1, y->shape) : NULL;
}
