/* SPDX-License-Identifier: MIT */
/* splitters.c - where sorted runs are cut, so that what lies before the cuts of all of them are the first n elements
 * of all (order.h).
 *
 * Elements are in the order of their keys (sort_keys.h), those of one key in the order of ranks and places: so there is
 * exactly one such place in each run. For each boundary and run one knows lo and hi, between which it lies. In each
 * round
 *
 *   every rank    takes SAMPLES elements of its run, evenly spread from lo to hi: all ranks get all of their keys
 *   of a sample   is known how many elements come before it, within the gaps between others' samples. If that is
 *                 less than n, the cut is behind the sample; if not, at it or before it
 *
 * What is in doubt lies within the sum of all gaps of the boundary; so a round leaves some 4 ÷ SAMPLES of all elements
 * that were. Once samples are all elements from lo to hi, nothing is in doubt. */
#include "order.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../prim/scalar.h"
#include "../prim/sort_keys.h"

typedef struct splitters {
  dist *d;
  const ir_call *call;
  prim f;
  arr *run;
  const int64_t *starts; /* where runs begin: of the result the parts begin there, too */
  int64_t samples;       /* of a run for a boundary, at most */
  /* For each run and boundary, which is a part's beginning or the last one's end: [run × (ranks + 1) + boundary] */
  int64_t *lo, *hi, *at; /* at: where its samples begin in `keys` */
  int64_t *next;         /* 2 numbers of each run */
  size_t *each;
  uint64_t *keys; /* of all ranks */
} splitters;

static bool open_splitters(splitters *s) {
  enum { ALL = 1 << 15, LEAST = 16, MOST = 4096 };
  ctx *c = s->d->c;
  int64_t ranks = s->d->ranks;
  size_t n = (size_t)(ranks * (ranks + 1)) * sizeof *s->lo;
  s->samples = max_i64(LEAST, min_i64(MOST, ALL / ranks));
  s->lo = mem_zalloc(c, n);
  s->hi = mem_zalloc(c, n);
  s->at = mem_zalloc(c, n);
  s->next = mem_zalloc(c, (size_t)ranks * 2 * sizeof *s->next);
  s->each = mem_zalloc(c, (size_t)ranks * sizeof *s->each);
  if (!s->lo || !s->hi || !s->at || !s->next || !s->each) return false;
  for (int64_t q = 0; q < ranks; q++) {
    int64_t *lo = s->lo + q * (ranks + 1), *hi = s->hi + q * (ranks + 1);
    for (int64_t b = 1; b <= ranks; b++) hi[b] = s->starts[q + 1] - s->starts[q];
    lo[ranks] = hi[ranks];
  }
  return true;
}

static void end_splitters(splitters *s) {
  ctx *c = s->d->c;
  mem_free(c, s->hi);
  mem_free(c, s->at);
  mem_free(c, s->next);
  mem_free(c, s->each);
  mem_free(c, s->keys);
}

/* The number of what is kept of rank q's run and boundary b. */
static int64_t of_run(const splitters *s, int q, int b) {
  return (int64_t)q * (s->d->ranks + 1) + b;
}

/* How many samples of it there are; the place of the i-th. */
static int64_t samples_of(const splitters *s, int64_t k) {
  return min_i64(s->samples, s->hi[k] - s->lo[k]);
}
static int64_t place_of(const splitters *s, int64_t k, int64_t i) {
  return s->lo[k] + i * (s->hi[k] - s->lo[k]) / samples_of(s, k);
}

/* ── a round's samples ── */

/* Where samples stand among all keys, and how many bytes of them are whose; how many there are. */
static int64_t lay_out(splitters *s) {
  int64_t all = 0;
  for (int q = 0; q < s->d->ranks; q++) {
    int64_t before = all;
    for (int b = 1; b < s->d->ranks; b++) {
      s->at[of_run(s, q, b)] = all;
      all += samples_of(s, of_run(s, q, b));
    }
    s->each[q] = (size_t)(all - before) * sizeof *s->keys;
  }
  return all;
}

/* The elements of this rank's run that are its samples. */
static arr *own_samples(const splitters *s) {
  int me = s->d->me;
  OWNED arr *at = arr_vec(s->d->c, ET_I64, (int64_t)(s->each[me] / sizeof *s->keys));
  int64_t *place = at ? at->host : NULL;
  for (int b = 1; place && b < s->d->ranks; b++) {
    int64_t k = of_run(s, me, b);
    for (int64_t i = 0; i < samples_of(s, k); i++) *place++ = place_of(s, k, i);
  }
  inside_begin(s->d);
  OWNED arr *r = at ? elements_at(s->call, s->run, at) : NULL;
  bool ok = r && ir_host(s->d->g, r);
  inside_end(s->d);
  return ok ? arr_move(&r) : NULL;
}

/* Their keys, which ascend along a run. */
static uint64_t *keys_of(const splitters *s, const arr *a) {
  uint64_t *key = mem_alloc(s->d->c, ((size_t)a->count + 1) * sizeof *key);
  for (int64_t i = 0; key && i < a->count; i += SC_BLOCK)
    sort_keys(a, i, min_i64(SC_BLOCK, a->count - i), sort_is_whole(a), key + i);
  for (int64_t i = 0; key && i < a->count && s->f == P_DOWN; i++) key[i] = ~key[i];
  return key;
}

/* Everybody's keys. False after an error, of which all ranks hear. */
static bool share_keys(splitters *s) {
  ctx *c = s->d->c;
  int64_t n = lay_out(s);
  OWNED arr *own = own_samples(s);
  uint64_t *mine = own ? keys_of(s, own) : NULL;
  mem_free(c, s->keys);
  s->keys = mem_alloc(c, ((size_t)n + 1) * sizeof *s->keys);
  bool met = dist_meet(s->d, AGREE_GATHER);
  bool ok = met && dist_gather(s->d, mine, s->keys, s->each);
  mem_free(c, mine);
  return ok;
}

/* ── what they tell ── */

/* How many of run q's samples have a key below this one, or (`with`) that key. */
static int64_t keys_below(const splitters *s, int64_t k, uint64_t key, bool with) {
  const uint64_t *of = s->keys + s->at[k];
  int64_t lo = 0, hi = samples_of(s, k);
  while (lo < hi) {
    int64_t middle = lo + (hi - lo) / 2;
    if (of[middle] < key || (with && of[middle] == key)) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

/* How many elements come before sample i of run q, of those that may be before boundary b: at least, or at most. */
static int64_t before_sample(const splitters *s, int q, int b, int64_t i, bool most) {
  int64_t mine = of_run(s, q, b), n = place_of(s, mine, i);
  uint64_t key = s->keys[s->at[mine] + i];
  for (int r = 0; r < s->d->ranks; r++) {
    int64_t k = of_run(s, r, b);
    if (r == q) continue;
    int64_t is = keys_below(s, k, key, r < q);
    if (most) n += is < samples_of(s, k) ? place_of(s, k, is) : s->hi[k];
    else n += is ? place_of(s, k, is - 1) + 1 : s->lo[k];
  }
  return n;
}

/* The first sample of run q of which at least, or at most, so many elements come before it as before boundary b. */
static int64_t first_sample(const splitters *s, int q, int b, bool most) {
  int64_t lo = 0, hi = samples_of(s, of_run(s, q, b));
  while (lo < hi) {
    int64_t middle = lo + (hi - lo) / 2;
    if (before_sample(s, q, b, middle, most) < s->starts[b]) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

/* The bounds of boundary b in all runs come closer; do they differ still? */
static bool narrow(splitters *s, int b) {
  bool differ = false;
  for (int q = 0; q < s->d->ranks; q++) {
    int64_t k = of_run(s, q, b), *next = s->next + 2 * q;
    int64_t in = first_sample(s, q, b, true), out = first_sample(s, q, b, false);
    next[0] = in ? place_of(s, k, in - 1) + 1 : s->lo[k];
    next[1] = out < samples_of(s, k) ? place_of(s, k, out) : s->hi[k];
  }
  for (int q = 0; q < s->d->ranks; q++) {
    int64_t k = of_run(s, q, b);
    s->lo[k] = s->next[2 * q];
    s->hi[k] = s->next[2 * q + 1];
    differ |= s->lo[k] < s->hi[k];
  }
  return differ;
}

int64_t *find_cuts(const ir_call *call, prim f, arr *run, const int64_t *starts) {
  splitters s = {.d = dist_of(call), .call = call, .f = f, .run = run, .starts = starts};
  bool ok = open_splitters(&s), differ = true;
  if (!dist_meet(s.d, AGREE_EXCHANGE)) ok = false;
  while (ok && differ) {
    ok = share_keys(&s);
    differ = false;
    for (int b = 1; ok && b < s.d->ranks; b++) differ |= narrow(&s, b);
  }
  if (!ok) mem_free(s.d->c, s.lo);
  end_splitters(&s);
  return ok ? s.lo : NULL;
}
