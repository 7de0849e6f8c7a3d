/* SPDX-License-Identifier: MIT */
/* order.c - ⍋ ⍒ and sorted vectors in parts.
 *
 *   part ─ parted by bounds that samples give (partition.c) ─▶ what belongs to each rank, nearly ─ ordered ─▶ a run of
 *        the result ─ what is a rank too far goes to the next one ─▶ part of the result
 *
 * Parts have their usual lengths, and the order is the stable one: that of one rank. Every rank learns all counts, so
 * what goes from whom to whom is known without a word. Each rank orders and moves elements where it computes: those of
 * a device do not come to the host, but for samples. */
#include "forms.h"
#include "../ir/build.h"
#include "../prim/sort_keys.h"
#include "fetch.h"

typedef struct ordering {
  dist *d;
  prim f;
  arr *y;
  arr *
      along; /* y: the elements of y are wanted; those of another array; NULL: their places in y */
  arr *with; /* what goes along with this rank's elements of y, unless these are wanted */
  int64_t *starts; /* of parts of y, and of the result */
} ordering;

static elt type_of_places(const ir_call *call, const arr *y) {
  return elt_for_range(call->env.io, y->count - 1 + call->env.io);
}

/* The places in y of elements of this rank's part. */
static arr *own_places(const ir_call *call, const ordering *o) {
  int64_t n = o->y->count;
  OWNED arr *all = map_numbers_here(call, call->env.io, n);
  return node_convert(call, all, type_of_places(call, o->y));
}

static arr *own_part(const ir_call *call, void *user) {
  ordering *o = user;
  OWNED arr *part = part_for(call, o->y);
  bool alone = o->along == o->y;
  arr_release(o->with);
  o->with = NULL;
  if (part && !alone) o->with = o->along ? part_for(call, o->along) : own_places(call, o);
  bool ok = o->with && (!o->along || ir_settle(call->g, o->with));
  return part && (alone || ok) ? arr_move(&part) : NULL;
}

/* What came, in order. */
static arr *in_order(const ir_call *call, const ordering *o, arr *run, arr *with) {
  inside_begin(o->d);
  ir_call zero = from_zero(*call);
  OWNED arr *order = ir_monadic(&zero, o->f, run);
  OWNED arr *r = order ? elements_at(call, with ? with : run, order) : NULL;
  bool ok = r && ir_settle(call->g, r);
  inside_end(o->d);
  return ok ? arr_move(&r) : NULL;
}

static elt type_along(const ir_call *call, const ordering *o) {
  return o->along ? (elt)o->along->type : type_of_places(call, o->y);
}

static void want_part(const void *user, wanted *w) {
  const ordering *o = user;
  want(w, o->starts[w->rank], o->starts[w->rank + 1]);
}

/* Runs lie one behind the other, rank r's having as many elements as came to it: this rank's part of them. */
static arr *moved_on(const ir_call *call, const ordering *o, arr *run,
                     const int64_t *counts) {
  int ranks = o->d->ranks;
  int64_t *starts = mem_zalloc(o->d->c, ((size_t)ranks + 1) * sizeof *starts);
  for (int r = 0; starts && r < ranks; r++) {
    starts[r + 1] = starts[r];
    for (int q = 0; q < ranks; q++) starts[r + 1] += counts[q * ranks + r];
  }
  fetching f = {
      .starts = starts, .wants = want_part, .user = o, .t = type_along(call, o)};
  arr *r = fetched(call, starts ? run : NULL, &f);
  mem_free(o->d->c, starts);
  return r;
}

static arr *run_order(const ir_call *call, ordering *o) {
  elt type;
  size_t n = (size_t)o->d->ranks;
  if (!op_begins(o->d, call->at)) return NULL;
  o->starts = part_starts(o->d, 1, o->y->shape); /* without, all hear of it next */
  int64_t *counts = o->starts ? mem_alloc(o->d->c, n * n * sizeof *counts) : NULL;
  OWNED arr *part = local_part(call, own_part, o, &type), *run = NULL, *all = NULL;
  elt along = type_along(call, o);
  if (part) run = parted(call, o->f, part, &o->with, along, o->starts, counts);
  if (run) all = in_order(call, o, run, o->with);
  arr *r = run ? moved_on(call, o, all, counts) : NULL;
  mem_free(o->d->c, counts);
  return r;
}

/* This rank's part. */
static arr *ordered(const ir_call *call, prim f, arr *y, arr *along) {
  ordering o = {.d = dist_of(call), .f = f, .y = y, .along = along};
  arr *part = run_order(call, &o);
  arr_release(o.with);
  mem_free(o.d->c, o.starts);
  return part;
}

/* ── the entries ── */

arr *order_made(const ir_call *call, prim f, arr *y) { return ordered(call, f, y, NULL); }

/* Sorting needs no places, so that an order waits until somebody asks for it itself. */
arr *order_grade(const ir_call *call, prim f, arr *y) {
  if (!is_for_parts(dist_of(call), y) || y->rank != 1) return NULL;
  if (!ir_settle(call->g, y) || !sort_has_keys(y)) return NULL;
  return cut_later(call, f, y, type_of_places(call, y));
}

arr *order_sorted(const ir_call *call, arr *y, const arr *x) {
  const ir_node *n = x->node;
  bool is = !n->pairs && (n->p == P_UP || n->p == P_DOWN) && n->x;
  if (!is || n->axis != call->env.io || !is_cut(y)) return NULL;
  /* Elements of another array go along, but where the order is there they are looked up. */
  bool along = !n->y && n->x != y && y->count == n->x->count && y->type != ET_NEST;
  if (n->x != y && !along) return NULL;
  if (!parts_ready(call, NULL, y) || !part_settle(call->g, y)) return NULL;
  arr *part = ordered(call, n->p, n->x, y);
  /* After an error here the others are in the agreement that cut_array would begin. */
  return cut_array_as(call, part, (elt)y->type, 1, y->shape);
}
