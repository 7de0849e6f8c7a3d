/* SPDX-License-Identifier: MIT */
/* unique_hash.c - ≠y of numbers without a small range, by a hash table of the numbers
 * that are new. Numbers that equal a float within ⎕CT have keys (sort_keys.h) near its
 * key. So the hash ignores the lowest bits of a key, and all keys of such a stretch
 * lie behind one slot; a key near the end of its stretch is looked up in the
 * neighbouring stretch, too. Only new numbers are inserted, from the first element on:
 * that is the definition. If many numbers are close together, the hash is given up, and
 * tolerant_hash.c does it. */
#include "lookup.h"
#include "../tables/fast.h"
#include "sort_keys.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../array/match.h"

typedef struct slots {
  arr *room;
  uint64_t *slot, mask; /* 0: free */
  int shift, low;       /* of a hash; bits that a stretch has */
  uint64_t near; /* keys that are further apart are of different numbers; 0: all are */
  double ct;
  int64_t steps; /* that may be gone yet */
  bool zero;     /* the key 0 has been met */
} slots;

static void slots_free(slots *s) {
  if (s->room) arr_release(s->room);
}
#define OWNED_SLOTS __attribute__((cleanup(slots_free)))

static bool slots_new(ctx *c, int64_t n, double ct, slots *s) {
  enum {
    EACH = 8,
    BESIDE = 7
  }; /* bits of a stretch besides those in which equal numbers differ */
  int64_t count = next_pow2(2 * n + 1);
  int bits = (int)ceil_log2(count);
  *s = (slots){.mask = (uint64_t)count - 1, .shift = 64 - bits, .ct = ct};
  s->steps = EACH * n;
  if (ct > 0) s->near = (uint64_t)(ct * 0x1p53) + 2;
  while (s->near && s->near >> s->low) s->low++;
  if (s->near) s->low += BESIDE;
  s->room = arr_vec(c, ET_I64, count);
  if (!s->room) return false;
  s->slot = s->room->host;
  return mem_fill(c, s->slot, 0, (size_t)count * sizeof *s->slot);
}

static uint64_t slot_of(const slots *s, uint64_t stretch) {
  return stretch * 0x9E3779B97F4A7C15u >> s->shift;
}

/* Are two different keys those of equal numbers? */
static bool are_equal(const slots *s, uint64_t a, uint64_t b) {
  uint64_t apart = a > b ? a - b : b - a;
  return apart <= s->near && num_equal(sort_key_value(a), sort_key_value(b), s->ct);
}

enum { TOO_FAR = -1 };
/* The first slot from i on with a key that equals k, or a free one; or TOO_FAR. */
static inline int64_t find(slots *s, uint64_t k, uint64_t i) {
  for (; s->slot[i] != k && s->slot[i]; i = (i + 1) & s->mask) {
    if (s->near && are_equal(s, s->slot[i], k)) break;
    if (!s->steps--) return TOO_FAR;
  }
  return (int64_t)i;
}

/* May the neighbouring stretch have an equal key? */
static inline bool is_at_end(const slots *s, uint64_t k) {
  uint64_t size = (uint64_t)1 << s->low, at = k & (size - 1);
  return s->near && (at < s->near || at >= size - s->near);
}

/* The slot of such a key in that stretch. */
static int64_t find_beside(slots *s, uint64_t k) {
  uint64_t at = k & (((uint64_t)1 << s->low) - 1), beside = k >> s->low;
  return find(s, k, slot_of(s, at < s->near ? beside - 1 : beside + 1));
}

/* Inserts keys; news: which were new. False: a slot is too far. */
static bool insert_keys(slots *s, const uint64_t *key, int64_t m, bool *news) {
  uint64_t h[SC_BLOCK];
  for (int64_t i = 0; i < m; i++) {
    h[i] = slot_of(s, key[i] >> s->low);
    __builtin_prefetch(&s->slot[h[i]]);
  }
  for (int64_t i = 0; i < m; i++) {
    uint64_t k = key[i];
    if (!k) { /* of the least integer */
      news[i] = !s->zero;
      s->zero = true;
      continue;
    }
    int64_t at = find(s, k, h[i]);
    if (at < 0) return false;
    news[i] = !s->slot[at];
    if (!news[i]) continue;
    int64_t beside = is_at_end(s, k) ? find_beside(s, k) : at;
    if (beside < 0) return false;
    news[i] = !s->slot[beside];
    if (news[i]) s->slot[at] = k;
  }
  return true;
}

static bool insert_all(prim_env *e, slots *s, const arr *y, bool whole, uint8_t *r) {
  bool news[SC_BLOCK];
  uint64_t key[SC_BLOCK];
  for (int64_t i = 0; i < y->count; i += SC_BLOCK) {
    int64_t m = min_i64(y->count - i, SC_BLOCK);
    if (interrupted(e->c)) return false;
    sort_keys(y, i, m, whole, key);
    if (!insert_keys(s, key, m, news)) return false;
    sc_block()->pack(news, m, r + i / 8);
  }
  return true;
}

arr *unique_hash_try_news(prim_env *e, arr *y) {
  enum { FEW = 8 };
  bool whole = sort_is_whole(y);
  double ct = lookup_tolerance(y, y, e->ct);
  if (y->rank != 1 || !sort_has_keys(y) || y->count < FEW || y->count > INT64_MAX / 64)
    return NULL;
  OWNED arr *r = arr_vec(e->c, ET_BIT, y->count);
  OWNED_SLOTS slots s = {.ct = 0};
  if (!r || !slots_new(e->c, y->count, whole ? 0 : ct, &s)) return NULL;
  return insert_all(e, &s, y, whole, r->host) ? arr_move(&r) : NULL;
}
