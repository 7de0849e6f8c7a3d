/* SPDX-License-Identifier: MIT */
/* partition.c - the elements of an unordered vector that belong to each rank's part of the ordered one, nearly: order.c
 * orders them where they arrive, and moves the few that are one rank too far.
 *
 *   samples of all parts, in order ─▶ a bound for each rank's beginning ─▶ this rank's elements between two bounds
 *
 * Elements are ordered by their value, those of one value by rank and place. A bound is an element; its equals go where
 * it goes, if their rank does not come after its own. Samples are taken at places that a hash draws, for a vector may
 * have any period. With s samples of n elements a part is off by some n ÷ √s, and by its equals of one rank.
 *
 * TRIED before it: each rank orders its part first, which tells exact bounds, and orders again what arrives. On two
 * H200s that is two times 15.7 ms of 2^30 i32, for which one needs 33.4. */
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../ir/build.h"
#include "../prim/index.h"
#include "../prim/scalar.h"
#include "../prim/sort_keys.h"
#include "fetch.h"
#include "forms.h"
#include <math.h>
#include <stdlib.h>

enum { LEAST = 256, SHARED = 4096 };

typedef struct sample {
  uint64_t key;
  int64_t place; /* in all of the vector */
  int rank;
  int64_t number; /* among all samples */
} sample;

typedef struct partition {
  dist *d;
  const ir_call *call; /* without tolerance */
  prim f;
  elt t, along; /* of the elements, and of what goes along */
  const int64_t *starts;
  int64_t each;         /* samples of a rank */
  arr *values;          /* of all samples */
  sample *all;          /* in order */
  const sample **bound; /* where rank b's part begins, from b = 1 on */
} partition;

/* Where sample i of rank r is, in its part. */
static int64_t place_in_part(const partition *p, int r, int64_t i) {
  __extension__ typedef unsigned __int128 u128;
  uint64_t x = (uint64_t)(r + 1) * 0x9e3779b97f4a7c15u + (uint64_t)i;
  uint64_t n = (uint64_t)(p->starts[r + 1] - p->starts[r]);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
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
      p->all[at] = (sample){p->f == P_DOWN ? ~key[k] : key[k], place, r, at};
    }
  }
  qsort(p->all, (size_t)n, sizeof *p->all, compare);
}

static bool share_samples(partition *p, arr *part) {
  dist *d = p->d;
  size_t n = (size_t)d->ranks;
  inside_begin(d);
  OWNED arr *own = own_samples(p, part);
  inside_end(d);
  if (own) p->values = arr_vec(d->c, p->t, (int64_t)n * p->each);
  if (p->values) p->all = mem_alloc(d->c, (size_t)p->values->count * sizeof *p->all);
  if (p->all) p->bound = mem_zalloc(d->c, n * sizeof *p->bound);
  bool met = dist_meet(d, AGREE_GATHER);
  bool ok = met && p->bound &&
            dist_gather_same(d, own->host, p->values->host, elt_bytes(p->t, p->each));
  if (ok) order_samples(p);
  return ok;
}

/* Nothing compares with a NaN, which is behind all others in ⍋y: before it comes what does before the bound before. */
static void find_bounds(partition *p) {
  int ranks = p->d->ranks;
  bool real = !sort_is_whole(p->values);
  for (int b = 1; b < ranks; b++) {
    double share = (double)p->starts[b] / (double)p->starts[ranks];
    p->bound[b] = &p->all[(int64_t)(share * (double)p->values->count)];
  }
  for (int b = 2; b < ranks; b++) {
    int at = p->f == P_DOWN ? ranks - b : b, before = p->f == P_DOWN ? at + 1 : at - 1;
    if (real && isnan(arr_get_float(p->values, p->bound[at]->number)))
      p->bound[at] = p->bound[before];
  }
}

/* ── this rank's elements ── */

/* Which of a's elements come before that bound: truth values. ⍒ has NaNs first. */
static arr *before(const partition *p, arr *a, const sample *s) {
  const ir_call *call = p->call;
  bool down = p->f == P_DOWN, with = p->d->me <= s->rank;
  OWNED arr *v = arr_scalar_at(p->d->c, p->values, s->number);
  OWNED arr *y = arr_retain(a);
  if (v && elt_is_char((elt)a->type)) {
    OWNED arr *code = node_convert(call, v, ET_I32);
    arr_release(y);
    y = node_convert(call, a, ET_I32);
    arr_release(v);
    v = settled(call, &code);
  }
  if (!v || !y) return NULL;
  OWNED arr *r = ir_dyadic(call, with == down ? P_LT : P_LE, y, v);
  OWNED arr *is = r && down ? ir_monadic(call, P_NOT, r) : arr_move(&r);
  return settled(call, &is);
}

static arr *chosen(const partition *p, arr *mask, arr *of) {
  OWNED arr *r = ir_replicate(p->call, mask, of, 0, false);
  return settled(p->call, &r);
}

static arr *converted(const partition *p, arr *a, elt t) {
  if (a->type == sent_as(t)) return arr_retain(a);
  return ir_host(p->d->g, a) ? arr_convert(p->d->c, a, sent_as(t)) : NULL;
}

/* a's elements and those of `with` (or NULL), for ranks lo to hi - 1: half of them, and half of these. */
static bool halved(const partition *p, arr *a, arr *with, int lo, int hi, arr **out) {
  int middle = lo + (hi - lo) / 2;
  if (hi - lo == 1) {
    arr **also = &out[p->d->ranks + lo];
    out[lo] = converted(p, a, p->t);
    *also = with ? converted(p, with, p->along) : NULL;
    return out[lo] && !with == !*also;
  }
  OWNED arr *mask = before(p, a, p->bound[middle]);
  for (int half = 0; half < 2 && mask; half++) {
    OWNED arr *some = chosen(p, mask, a);
    OWNED arr *also = some && with ? chosen(p, mask, with) : NULL;
    if (!some || (with && !also)) return false;
    if (!halved(p, some, also, half ? middle : lo, half ? hi : middle, out)) return false;
    arr *rest = half ? NULL : ir_monadic(p->call, P_NOT, mask);
    arr_release(mask);
    mask = rest;
  }
  return !err_is(p->d->c);
}

static bool part_split(const partition *p, arr *part, arr *with, arr **out,
                       int64_t *counts) {
  dist *d = p->d;
  inside_begin(d);
  bool ok = out && counts && halved(p, part, with, 0, d->ranks, out);
  inside_end(d);
  for (int r = 0; ok && r < d->ranks; r++) counts[d->me * d->ranks + r] = out[r]->count;
  return ok;
}

/* What comes of out[], and of what goes along. */
static arr *arrived(const partition *p, arr **out, arr **with, const int64_t *counts) {
  dist *d = p->d;
  int64_t *in = mem_alloc(d->c, (size_t)d->ranks * sizeof *in);
  for (int q = 0; in && q < d->ranks; q++) in[q] = counts[q * d->ranks + d->me];
  OWNED arr *r = exchanged(p->call, in ? out : NULL, in, sent_as(p->t));
  if (r && *with) {
    arr_release(*with);
    *with = exchanged(p->call, out + d->ranks, in, sent_as(p->along));
    if (!*with) arr_release(arr_move(&r));
  }
  mem_free(d->c, in);
  return arr_move(&r);
}

arr *parted(const ir_call *call, prim f, arr *part, arr **with, elt along,
            const int64_t *starts, int64_t *counts) {
  ir_call exact = exactly(*call);
  dist *d = dist_of(call);
  partition p = {.d = d, .call = &exact, .f = f, .starts = starts, .along = along};
  p.t = (elt)part->type;
  p.each = max_i64(LEAST, SHARED / d->ranks);
  for (int r = 0; r < d->ranks; r++) p.each = min_i64(p.each, starts[r + 1] - starts[r]);
  arr *r = NULL, **out = mem_zalloc(d->c, 2 * (size_t)d->ranks * sizeof *out);
  if (share_samples(&p, part)) {
    find_bounds(&p);
    bool ok = part_split(&p, part, *with, out, counts);
    if (counts_shared(d, counts, ok)) r = arrived(&p, out, with, counts);
  }
  for (int k = 0; out && k < 2 * d->ranks; k++) arr_release(out[k]);
  mem_free(d->c, out);
  arr_release(p.values);
  mem_free(d->c, p.all);
  mem_free(d->c, p.bound);
  return r;
}
