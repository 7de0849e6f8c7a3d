/* SPDX-License-Identifier: MIT */
/* seats.c - ≠y of numbers that have no small range: each takes a seat by a hash, unless its equal has.
 *
 * What equals a float within ⎕CT has a key (order.h) near its own. So the hash is that of a key
 * without its lowest bits, and all keys that are alike but for these are met on the way from its
 * seat; a key next to the end of such a stretch is looked for in the one beside, too. While no two
 * different numbers are equal, the answer is that of exact comparison; else this is given up, for
 * the definition goes from the front (sets.c). It is given up as well where seats are far from where
 * they should be. */
#include "table.h"
#include "order.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../array/match.h"

#include <math.h>
#include <string.h>

typedef struct seats {
  arr *room;
  uint64_t *seat, mask; /* 0: free */
  int shift, low;       /* of a hash; bits that a stretch has */
  uint64_t near; /* keys that are further apart are of different numbers; 0: all are */
  double ct;
  int64_t steps; /* that may be gone yet */
  bool zero;     /* the key 0 has been met */
} seats;

static void seats_free(seats *s) {
  if (s->room) arr_release(s->room);
}
#define OWNED_SEATS __attribute__((cleanup(seats_free)))

static bool seats_new(ctx *c, int64_t n, double ct, seats *s) {
  enum { STRETCH = 7, EACH = 8 };
  int64_t count = next_pow2(2 * n + 1);
  int bits = (int)ceil_log2(count);
  *s = (seats){.mask = (uint64_t)count - 1, .shift = 64 - bits, .ct = ct};
  s->steps = EACH * n;
  if (ct > 0) s->near = (uint64_t)(ct * 0x1p53) + 2;
  while (s->near && s->near >> s->low) s->low++;
  if (s->near) s->low += STRETCH;
  s->room = arr_vec(c, ET_I64, count);
  if (!s->room) return false;
  s->seat = memset(s->room->host, 0, (size_t)count * sizeof *s->seat);
  return true;
}

static uint64_t seat_of(const seats *s, uint64_t stretch) {
  return stretch * 0x9E3779B97F4A7C15u >> s->shift;
}

/* Are two different keys those of equal numbers? */
static bool are_equal(const seats *s, uint64_t a, uint64_t b) {
  uint64_t apart = a > b ? a - b : b - a;
  return apart <= s->near && num_equal(sort_key_value(a), sort_key_value(b), s->ct);
}

/* Where key k is, or a free seat, from h on; false if it equals another one, or is too far. */
static inline bool find(seats *s, uint64_t k, uint64_t *h) {
  uint64_t i = *h;
  for (; s->seat[i] != k && s->seat[i]; i = (i + 1) & s->mask) {
    if (s->near && are_equal(s, s->seat[i], k)) return false;
    if (!s->steps--) return false;
  }
  *h = i;
  return true;
}

/* Is none of the stretch beside equal to k? */
static bool is_apart(seats *s, uint64_t k) {
  uint64_t size = (uint64_t)1 << s->low, at = k & (size - 1), beside = k >> s->low;
  if (!s->near || (at >= s->near && at < size - s->near)) return true;
  uint64_t h = seat_of(s, at < s->near ? beside - 1 : beside + 1);
  return find(s, k, &h);
}

/* Keys take their seats: which are the first of their kind? False: two different ones are equal. */
static bool take_seats(seats *s, const uint64_t *key, int64_t m, bool *news) {
  uint64_t h[SC_BLOCK];
  for (int64_t i = 0; i < m; i++) {
    h[i] = seat_of(s, key[i] >> s->low);
    __builtin_prefetch(&s->seat[h[i]]);
  }
  for (int64_t i = 0; i < m; i++) {
    uint64_t k = key[i];
    if (!k) { /* of the least integer */
      news[i] = !s->zero;
      s->zero = true;
      continue;
    }
    if (!find(s, k, &h[i])) return false;
    news[i] = !s->seat[h[i]];
    if (!news[i]) continue;
    s->seat[h[i]] = k;
    if (!is_apart(s, k)) return false;
  }
  return true;
}

arr *seats_news(prim_env *e, const arr *y, double ct) {
  enum { FEW = 8 };
  OWNED_SEATS seats s = {.ct = 0};
  bool whole = sort_is_whole(y), news[SC_BLOCK];
  uint64_t key[SC_BLOCK];
  if (y->rank != 1 || !sort_has_keys(y) || y->count < FEW || y->count > INT64_MAX / 64)
    return NULL;
  if (!seats_new(e->c, y->count, whole ? 0 : ct, &s)) return NULL;
  OWNED arr *r = arr_vec(e->c, ET_BIT, y->count);
  if (!r) return NULL;
  for (int64_t i = 0; i < y->count; i += SC_BLOCK) {
    int64_t m = min_i64(y->count - i, SC_BLOCK);
    if (interrupted(e->c)) return NULL;
    sort_keys(y, i, m, whole, key);
    if (!take_seats(&s, key, m, news)) return NULL;
    sc_block()->pack(news, m, (uint8_t *)r->host + i / 8);
  }
  return arr_move(&r);
}
