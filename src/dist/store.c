/* SPDX-License-Identifier: MIT */
/* store.c - x[at]←v of a cut x, where `at` are numbers in x's ravel.
 *
 *   places that are the same everywhere ─▶ each rank takes those of its part
 *   cut places, or cut values           ─▶ each rank's to the ranks that have the elements, in the order of the ranks
 *
 * so a place that is named twice has the last value on any number of ranks. The first way needs no word to the others:
 * a loop of stores to single elements waits for nobody. */
#include "forms.h"
#include "../array/convert.h"
#include "../prim/index.h"
#include "fetch.h"

typedef struct store {
  const ir_call *call;
  dist *d;
  const arr *x;
  arr *at, *v; /* this rank's, settled; owned */
  bool one;    /* v is a single value for all of `at` */
  by_owner by; /* places in x's ravel */
  int64_t *in; /* how many come from each rank */
} store;

/* The owned *a becomes b, which it takes over. */
static void become(arr **a, arr *b) {
  arr_release(*a);
  *a = b;
}

/* For each rank, or for this one alone, its places. */
static bool list_places(store *s, bool alone) {
  if (!ir_host(s->d->g, s->at)) return false;
  become(&s->at, arr_convert(s->d->c, s->at, ET_I64));
  return s->at &&
         by_owner_list(&s->by, s->at, s->call->env.io, s->x->rank, s->x->shape, alone);
}

/* ── what this rank writes ── */

/* What rank r is to have of the values, as elements of whole bytes. */
static arr *values_for(const store *s, int r) {
  inside_begin(s->d);
  OWNED arr *some = elements_at(s->call, s->v, s->by.chosen[r]);
  arr *own = part_as(s->d, some, sent_as((elt)s->v->type));
  inside_end(s->d);
  return own;
}

/* The places become those that all ranks have for this one; the values likewise. */
static bool exchange_pairs(store *s) {
  dist *d = s->d;
  int ranks = d->ranks;
  elt t = (elt)s->v->type;
  bool one = s->one, ok = true;
  arr **values = one ? NULL : mem_zalloc(d->c, (size_t)ranks * sizeof *values);
  for (int r = 0; ok && !one && r < ranks; r++)
    ok = values && (values[r] = values_for(s, r)) != NULL;
  for (int r = 0; r < ranks; r++) s->in[r] = s->by.counts[r * ranks + d->me];
  OWNED arr *at = exchanged(s->call, s->by.places, s->in, ET_I64), *v = NULL;
  if (at && !one) v = exchanged(s->call, ok ? values : NULL, s->in, sent_as(t));
  for (int r = 0; values && r < ranks; r++) arr_release(values[r]);
  mem_free(d->c, values);
  if (!at || (!one && !v)) return false;
  become(&s->at, arr_move(&at));
  if (one) return true;
  if (t == ET_BIT && !ir_host(d->g, v)) return false;
  become(&s->v, arr_convert(d->c, v, t));
  return s->v != NULL;
}

/* The same where all ranks have the same places and values. */
static bool keep_own(store *s) {
  int me = s->d->me;
  become(&s->at, arr_retain(s->by.places[me]));
  if (s->one) return true;
  inside_begin(s->d);
  become(&s->v, elements_at(s->call, s->v, s->by.chosen[me]));
  inside_end(s->d);
  return s->v != NULL;
}

/* The places and values that this rank writes, once all ranks have theirs. False without an error, on all ranks: it is
 * for the host. */
static bool find_pairs(store *s, bool parted) {
  dist *d = s->d;
  s->in = mem_alloc(d->c, (size_t)d->ranks * sizeof *s->in);
  bool ok = s->at && s->v && s->in && list_places(s, !parted);
  if (!parted) return ok && keep_own(s); /* all ranks see the same */
  int64_t not = !ok;
  if (!dist_meet_values(d, AGREE_VALUES, &not, 1) || not ) return false;
  return counts_shared(d, s->by.counts, ok) && exchange_pairs(s);
}

/* ── writing ── */

/* They are written into this rank's part, which is of type t then. */
static bool write_part(const store *s, arr **part, elt t) {
  ir *g = s->d->g;
  prim_env e = s->call->env;
  if (s->at->count && !ir_put(s->call, part, s->at, s->v)) {
    if (err_is(e.c) || !ir_host_part(g, *part)) return false;
    if (!ir_host(g, s->at) || !ir_host(g, s->v)) return false;
    if (!prim_ravel_put(&e, part, s->at, s->v)) return false;
  }
  if ((*part)->type == t) return true;
  arr *r = ir_host(g, *part) ? arr_convert(e.c, *part, t) : NULL;
  if (r) become(part, r);
  return r != NULL;
}

/* *x with them: its part is written over where nobody else has it. After an error, of which the others hear later, *x
 * has what could be written. */
static bool write_all(const store *s, arr **x) {
  dist *d = s->d;
  ir_node *n = (*x)->node;
  elt t = elt_join((elt)(*x)->type, (elt)s->v->type);
  OWNED arr *part = arr_retain(n->y);
  bool own = (*x)->refs == 1 && (*x)->type == t;
  if (own) {
    arr_release(n->y);
    n->y = NULL;
  }
  inside_begin(d);
  bool ok = write_part(s, &part, t);
  inside_end(d);
  if (own) n->y = arr_retain(part);
  if (!ok) return false;
  arr *r = cut_array_as(s->call, arr_move(&part), t, (*x)->rank, (*x)->shape);
  if (r) become(x, r);
  return r != NULL;
}

/* ── the entry ── */

static bool are_for_parts(const arr *x, const arr *at, const arr *v) {
  if (!elt_is_int((elt)at->type) || at->rank != 1 || !at->count) return false;
  if (v->count != 1 && v->count != at->count) return false;
  return x->type != ET_C128 && v->type != ET_C128;
}

/* This rank's share of a, which is as long as `at`. */
static arr *share_of(const ir_call *call, arr *a, bool parted) {
  return parted && a->count > 1 ? part_for(call, a) : arr_retain(a);
}

bool store_put(const ir_call *call, arr **x, arr *at, arr *v) {
  dist *d = dist_of(call);
  if (!parts_ready(call, at, v) || !parts_ready(call, NULL, *x)) return false;
  if (!is_cut(*x) || !parts_settle(d, *x) || !parts_settle(d, at) || !parts_settle(d, v))
    return false;
  if (!are_for_parts(*x, at, v) || !op_begins(d, call->at)) return false;
  bool parted = is_cut(at) || is_cut(v);
  ir_call zero = from_zero(*call);
  store s = {.call = call, .d = d, .x = *x, .one = v->count == 1};
  s.by = (by_owner){.d = d, .fills = true};
  s.at = share_of(call, at, parted);
  s.v = s.at ? share_of(call, v, parted) : NULL;
  bool ok = find_pairs(&s, parted);
  s.call = &zero;
  ok = ok ? write_all(&s, x) : false;
  by_owner_free(&s.by);
  arr_release(s.at);
  arr_release(s.v);
  mem_free(d->c, s.in);
  return ok;
}
