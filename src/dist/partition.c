/* SPDX-License-Identifier: MIT */
/* partition.c - the elements of an unordered vector that belong to each rank's part of the ordered one, nearly: order.c
 * orders them where they arrive, and moves the few that are one rank too far.
 *
 *   samples of all parts, in order ─▶ a bound for each rank's beginning ─▶ this rank's elements between two bounds
 *
 * Elements are ordered by their value, those of one value by rank and place: so is a bound, which is an element, and
 * equal elements are parted, too. Samples are taken at places that a hash draws, for a vector may have any period.
 * With n elements and s samples a part is off by some n ÷ √s.
 *
 * TRIED before it: each rank orders its part first, which tells exact bounds (splitters.c), and orders again what
 * arrives. On two H200s 2^30 i32 took 33.4 ms on one, and two times 15.7 on two. */
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../ir/build.h"
#include "../prim/scalar.h"
#include "../prim/sort_keys.h"
#include "fetch.h"
#include "order.h"
#include <math.h>
#include <stdlib.h>

enum { LEAST = 256, SHARED = 4096, MOST_RANKS = 16 };

typedef struct sample {
  uint64_t key;
  int64_t place; /* in all of the vector */
  int64_t number;
} sample;

typedef struct partition {
  dist *d;
  const ir_call *call; /* without tolerance */
  prim f;
  elt t;
  const int64_t *starts;
  int64_t each; /* samples of a rank */
  arr *values;  /* of all samples */
  sample *all;
} partition;

/* Where sample i of rank r is, in its part. */
static int64_t place_in_part(const partition *p, int r, int64_t i) {
  uint64_t x = (uint64_t)(r + 1) * 0x9e3779b97f4a7c15u + (uint64_t)i;
  uint64_t n = (uint64_t)(p->starts[r + 1] - p->starts[r]);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  __extension__ typedef unsigned __int128 u128;
  return (int64_t)((u128)(x ^ x >> 31) * n >> 64);
}

/* This rank's samples, on the host. */
static arr *own_samples(const partition *p, arr *part) {
  OWNED arr *at = arr_vec(p->d->c, ET_I64, p->each);
  int64_t *place = at ? at->host : NULL;
  for (int64_t i = 0; place && i < p->each; i++) place[i] = place_in_part(p, p->d->me, i);
  OWNED arr *r = at ? elements_at(p->call, part, at) : NULL;
  if (!r || !ir_host(p->d->g, r)) return NULL;
  return arr_convert(p->d->c, r, p->t);
}

static int compare(const void *x, const void *y) {
  const sample *a = x, *b = y;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

/* Everybody's, in order. */
static void order_samples(partition *p) {
  uint64_t key[SC_BLOCK];
  int64_t n = p->values->count;
  bool whole = sort_is_whole(p->values);
  for (int64_t i = 0; i < n; i += SC_BLOCK) {
    int64_t m = min_i64(SC_BLOCK, n - i);
    sort_keys(p->values, i, m, whole, key);
    for (int64_t k = 0, at = i; k < m; k++, at++) {
      int r = (int)(at / p->each);
      int64_t place = p->starts[r] + place_in_part(p, r, at % p->each);
      p->all[at] = (sample){p->f == P_DOWN ? ~key[k] : key[k], place, at};
    }
  }
  qsort(p->all, (size_t)n, sizeof *p->all, compare);
}

static bool share_samples(partition *p, arr *part) {
  dist *d = p->d;
  size_t n = (size_t)d->ranks;
  size_t *each = mem_alloc(d->c, n * sizeof *each);
  inside_begin(d);
  OWNED arr *own = each ? own_samples(p, part) : NULL;
  inside_end(d);
  if (own) p->values = arr_vec(d->c, p->t, (int64_t)n * p->each);
  if (p->values) p->all = mem_alloc(d->c, (size_t)p->values->count * sizeof *p->all);
  for (size_t r = 0; each && r < n; r++) each[r] = elt_bytes(p->t, p->each);
  bool met = dist_meet(d, AGREE_GATHER);
  bool ok = met && p->all && own && dist_gather(d, own->host, p->values->host, each);
  mem_free(d->c, each);
  if (ok) order_samples(p);
  return ok;
}

/* ── this rank's elements ── */

/* Which elements come before that sample: truth values. */
static arr *before(const partition *p, arr *part, const sample *s) {
  const ir_call *call = p->call;
  int64_t from = p->starts[p->d->me], to = p->starts[p->d->me + 1];
  prim less = p->f == P_DOWN ? P_GT : P_LT;
  OWNED arr *v = arr_scalar_at(p->d->c, p->values, s->number);
  if (!v) return NULL;
  if (s->place <= from) return ir_dyadic(call, less, part, v);
  if (s->place >= to) return ir_dyadic(call, p->f == P_DOWN ? P_GE : P_LE, part, v);
  OWNED arr *is_less = ir_dyadic(call, less, part, v);
  OWNED arr *is_equal = is_less ? ir_dyadic(call, P_EQ, part, v) : NULL;
  OWNED arr *n = is_equal ? arr_int(p->d->c, part->count) : NULL;
  OWNED arr *at = n ? ir_monadic(call, P_IOTA, n) : NULL;
  OWNED arr *place = at ? arr_int(p->d->c, s->place - from) : NULL;
  OWNED arr *first = place ? ir_dyadic(call, P_LT, at, place) : NULL;
  OWNED arr *both = first ? ir_dyadic(call, P_AND, is_equal, first) : NULL;
  return both ? ir_dyadic(call, P_OR, is_less, both) : NULL;
}

/* The elements of `of` for rank r, of type t. */
static arr *chosen(const partition *p, arr *of, elt t, arr *const *bound, int r) {
  const ir_call *call = p->call;
  OWNED arr *mask = NULL;
  if (!r) mask = arr_retain(bound[0]);
  else if (r + 1 == p->d->ranks) mask = ir_monadic(call, P_NOT, bound[r - 1]);
  else mask = ir_dyadic(call, P_GT, bound[r], bound[r - 1]);
  OWNED arr *some = mask ? ir_replicate(call, mask, of, 0, false) : NULL;
  if (!some || !ir_settle(call->g, some)) return NULL;
  if (some->type == t) return arr_move(&some);
  return ir_host(call->g, some) ? arr_convert(p->d->c, some, t) : NULL;
}

static bool choose(const partition *p, arr *of, elt t, arr *const *bound, arr **out) {
  for (int r = 0; r < p->d->ranks; r++)
    if (!(out[r] = chosen(p, of, t, bound, r))) return false;
  return true;
}

/* The samples at which ranks' parts begin, but for the first one's; NULL: there is a NaN, which is less than nothing. */
static bool find_bounds(const partition *p, const sample **bound) {
  for (int b = 1; b < p->d->ranks; b++) {
    double share = (double)p->starts[b] / (double)p->starts[p->d->ranks];
    const sample *s = &p->all[(int64_t)(share * (double)p->values->count)];
    if (!elt_is_int(p->t) && isnan(arr_get_float(p->values, s->number))) return false;
    bound[b - 1] = s;
  }
  return true;
}

static void release_all(arr **a) {
  for (int i = 0; i < MOST_RANKS; i++) arr_release(a[i]);
}

/* out[r] and out[MOST_RANKS + r] of it and what goes along, which may be NULL; their counts. */
static bool part_split(const partition *p, arr *part, arr *with, elt along,
                       const sample *const *bound, arr **out, int64_t *counts) {
  dist *d = p->d;
  arr *is[MOST_RANKS] = {NULL};
  inside_begin(d);
  bool ok = true;
  for (int b = 0; ok && b + 1 < d->ranks; b++) {
    arr *mask = before(p, part, bound[b]);
    ok = (is[b] = settled(p->call, &mask)) != NULL;
    if (!is[b]) arr_release(mask);
  }
  ok = ok && choose(p, part, p->t, is, out);
  ok = ok && (!with || choose(p, with, along, is, out + MOST_RANKS));
  inside_end(d);
  release_all(is);
  for (int r = 0; ok && r < d->ranks; r++) counts[d->me * d->ranks + r] = out[r]->count;
  return ok;
}

static bool partition_open(partition *p, const ir_call *call, prim f, const arr *part,
                           const int64_t *starts) {
  dist *d = dist_of(call);
  *p = (partition){.d = d, .call = call, .f = f, .t = (elt)part->type, .starts = starts};
  p->each = max_i64(LEAST, SHARED / d->ranks);
  for (int r = 0; r < d->ranks; r++)
    p->each = min_i64(p->each, starts[r + 1] - starts[r]);
  return true;
}

bool is_for_partition(const dist *d, const arr *y, const arr *along) {
  bool numbers = elt_is_num((elt)y->type) && y->type != ET_BIT && y->type != ET_C128;
  return d->ranks <= MOST_RANKS && numbers && (!along || along->type != ET_BIT);
}

arr *parted(const ir_call *call, prim f, arr *part, arr **with, elt along,
            const int64_t *starts, int64_t *counts, bool *nan) {
  ir_call exact = *call;
  exact.env.ct = 0;
  exact.env.io = 0;
  partition p;
  const sample *bound[MOST_RANKS];
  arr *out[2 * MOST_RANKS] = {NULL}, *r = NULL;
  int64_t in[MOST_RANKS];
  partition_open(&p, &exact, f, part, starts);
  dist *d = p.d;
  bool ok = share_samples(&p, part);
  *nan = ok && !find_bounds(&p, bound);
  if (ok && !*nan) {
    ok = counts && part_split(&p, part, *with, along, bound, out, counts);
    ok = counts_shared(d, counts, ok);
    for (int q = 0; ok && q < d->ranks; q++) in[q] = counts[q * d->ranks + d->me];
    if (ok) r = exchanged(call, out, in, p.t);
    if (r && *with) {
      arr_release(*with);
      *with = exchanged(call, out + MOST_RANKS, in, along);
      if (!*with) arr_release(r), r = NULL;
    }
  }
  release_all(out);
  release_all(out + MOST_RANKS);
  arr_release(p.values);
  mem_free(d->c, p.all);
  return r;
}
