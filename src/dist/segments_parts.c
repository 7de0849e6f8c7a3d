/* SPDX-License-Identifier: MIT */
/* segments_parts.c - folds of stretches of a cut vector, which all ranks know: of groups in their order, and of parts.
 *
 *   a stretch belongs to the rank that has its first element ─▶ that fetches the rest of its last one, and folds its
 *   stretches as one rank folds them ─▶ results behind one another
 *
 * so each stretch is folded by its own tree. */
#include "fetch.h"
#include "fold.h"

typedef struct stretches {
  const dist *d;
  const int64_t *pairs; /* where each begins and ends; they ascend */
  const int64_t *starts;
  int64_t *first; /* the number of each rank's first one; of the one behind all */
} stretches;

static int64_t stretch_begin(const stretches *s, int64_t i) { return s->pairs[2 * i]; }
static int64_t stretch_end(const stretches *s, int64_t i) { return s->pairs[2 * i + 1]; }

static void want_stretches(const void *user, wanted *w) {
  const stretches *s = user;
  int64_t lo = s->first[w->rank], hi = s->first[w->rank + 1];
  if (lo < hi) want(w, stretch_begin(s, lo), stretch_end(s, hi - 1));
}

/* This rank's results, settled; NULL also where there is no way to them. */
static arr *folded_here(const ir_call *call, prim f, const stretches *s, arr *elements) {
  ctx *c = call->env.c;
  int64_t lo = s->first[s->d->me], n = s->first[s->d->me + 1] - lo;
  if (!n) return arr_vec(c, ET_BIT, 0);
  OWNED arr *own = arr_new(c, ET_I64, 2, (int64_t[]){n, 2});
  if (!own) return NULL;
  for (int64_t i = 0; i < 2 * n; i++)
    ((int64_t *)own->host)[i] = s->pairs[2 * lo + i] - stretch_begin(s, lo);
  OWNED arr *r = ir_reduce_segments(call, f, elements, own);
  return r && ir_settle(call->g, r) ? arr_move(&r) : NULL;
}

/* Have all ranks their results, of one class? *type is the widest. False without an error: it is for one rank. */
static bool agree_type(dist *d, const arr *part, elt *type) {
  enum { MOST, LEAST, FAILS, VALUES };
  int64_t value[VALUES] = {-1, INT64_MIN};
  if (part && part->count) {
    value[MOST] = part->type;
    value[LEAST] = ~(int64_t)part->type;
  }
  value[FAILS] = !part || op_gives_up(d);
  op_keeps_type(d);
  if (!dist_meet_values(d, AGREE_VALUES, value, VALUES) || value[FAILS]) return false;
  *type = (elt)value[MOST];
  return cls_of((elt)value[MOST]) == cls_of((elt)~value[LEAST]);
}

static arr *fold_all(const ir_call *call, prim f, arr *y, stretches *s, int64_t n) {
  dist *d = dist_of(call);
  fetching of = {.starts = s->starts, .wants = want_stretches, .user = s};
  of.t = (elt)y->type;
  int64_t i = 0;
  for (int r = 0; r <= d->ranks; r++) {
    while (i < n && (r == d->ranks || stretch_begin(s, i) < s->starts[r])) i++;
    s->first[r] = i;
  }
  if (!may_gather(d, of.t, fetch_count(&of, d->ranks))) return NULL;
  OWNED arr *elements = fetched(call, part_of(d, y), &of);
  if (!elements) return NULL;
  inside_begin(d);
  OWNED arr *part = folded_here(call, f, s, elements);
  inside_end(d);
  elt type;
  if (!agree_type(d, part, &type)) return NULL;
  int64_t shape[1] = {n};
  for (int r = 0; r < d->ranks; r++) s->first[r] = s->first[r + 1] - s->first[r];
  return select_rows(call, part, type, s->first, 1, shape);
}

arr *fold_stretches(const ir_call *call, prim f, arr *y, arr *pairs) {
  dist *d = dist_of(call);
  if (y->rank != 1 || pairs->type != ET_I64 || !parts_ready(call, NULL, y)) return NULL;
  if (!fold_way_of(f, cls_of((elt)y->type)) || y->type == ET_C128) return NULL;
  if (!parts_settle(d, y) || !ir_host(call->g, pairs) || !op_begins(d, call->at))
    return NULL;
  int64_t *starts = part_starts(d, 1, y->shape);
  int64_t *first = mem_alloc(d->c, ((size_t)d->ranks + 1) * sizeof *first);
  stretches s = {.d = d, .pairs = pairs->host, .starts = starts, .first = first};
  arr *r = NULL;
  if (dist_meet(d, AGREE_VALUES) && starts && first)
    r = fold_all(call, f, y, &s, pairs->shape[0]);
  mem_free(d->c, starts);
  mem_free(d->c, first);
  return r;
}
