/* SPDX-License-Identifier: MIT */
/* by_owner.c - see fetch.h. */
#include "fetch.h"
#include "../prim/args.h"

static void drop_all(const by_owner *b, arr **all) {
  for (int r = 0; all && r < b->d->ranks; r++) arr_release(all[r]);
  mem_free(b->d->c, all);
}

void by_owner_free(by_owner *b) {
  drop_all(b, b->places);
  drop_all(b, b->chosen);
  mem_free(b->d->c, b->starts);
  mem_free(b->d->c, b->counts);
}

static bool make_room(by_owner *b, int rank, const int64_t *shape) {
  ctx *c = b->d->c;
  size_t n = (size_t)b->d->ranks;
  b->starts = part_starts(b->d, rank, shape);
  b->places = mem_zalloc(c, n * sizeof *b->places);
  b->chosen = mem_zalloc(c, n * sizeof *b->chosen);
  b->counts = mem_zalloc(c, n * n * sizeof *b->counts);
  return b->starts && b->places && b->chosen && b->counts;
}

/* The rank that has number i; -1: none. */
static int owner_of(const by_owner *b, int64_t i) {
  int lo = 0, hi = b->d->ranks; /* of lo on, before hi */
  if (i < 0 || i >= b->starts[hi]) return -1;
  while (hi - lo > 1) {
    int middle = (lo + hi) / 2;
    if (b->starts[middle] <= i) lo = middle;
    else hi = middle;
  }
  return lo;
}

static bool count_all(const by_owner *b, const arr *at, int io) {
  const int64_t *number = at->host;
  int64_t *count = b->counts + b->d->me * b->d->ranks;
  for (int64_t i = 0; i < at->count; i++) {
    if (stops_at(b->d->c, i)) return false;
    int owner = owner_of(b, number[i] - io);
    if (owner >= 0) count[owner]++;
    else if (b->fills && number[i] == io - 1) return false;
    else
      return err_set(b->d->c, ERR_INDEX, "there is no index %s in an axis of length %lld",
                     prim_int_text(number[i]).at, (long long)b->starts[b->d->ranks]);
  }
  return true;
}

/* Arrays for those of each rank, or of this one alone. */
static bool make_lists(by_owner *b, bool alone) {
  const dist *d = b->d;
  for (int r = 0; r < d->ranks; r++) {
    int64_t n = alone && r != d->me ? 0 : b->counts[d->me * d->ranks + r];
    b->places[r] = arr_vec(d->c, ET_I64, n);
    b->chosen[r] = b->places[r] ? arr_vec(d->c, ET_I64, n) : NULL;
    if (!b->chosen[r]) return false;
  }
  return true;
}

bool by_owner_list(by_owner *b, const arr *at, int io, int rank, const int64_t *shape,
                   bool alone) {
  const dist *d = b->d;
  if (!make_room(b, rank, shape) || !count_all(b, at, io) || !make_lists(b, alone))
    return false;
  int64_t *next = mem_zalloc(d->c, (size_t)d->ranks * sizeof *next);
  bool ok = next != NULL;
  for (int64_t i = 0; ok && i < at->count; i++) {
    ok = !stops_at(d->c, i);
    int64_t number = ((const int64_t *)at->host)[i] - io;
    int r = owner_of(b, number);
    if (alone && r != d->me) continue;
    ((int64_t *)b->places[r]->host)[next[r]] = number - b->starts[r];
    ((int64_t *)b->chosen[r]->host)[next[r]++] = i;
  }
  mem_free(d->c, next);
  return ok;
}
