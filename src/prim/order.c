/* SPDX-License-Identifier: MIT */
/* order.c - sorting by 64-bit keys.
 *
 * Numbers and characters become keys in the same order, which are sorted by radix, 8 or 11
 * bits at a time from the lowest, over the bits that their range has: stable, and linear
 * in the length. Few items are sorted by insertion. */
#include "order.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../array/element.h"

#include <math.h>
#include <string.h>

bool sort_new(ctx *c, int64_t n, sort_list *s) {
  *s = (sort_list){.c = c, .n = n};
  if ((uint64_t)n > SIZE_MAX / (4 * sizeof *s->item))
    return err_set(c, ERR_WS_FULL, "%lld cells", (long long)n);
  s->item = mem_alloc(c, (size_t)n * sizeof *s->item);
  if (s->item) s->spare = mem_alloc(c, (size_t)n * sizeof *s->spare);
  return s->spare != NULL;
}

static void free_spare(sort_list *s) {
  if (s->spare) mem_free(s->c, s->spare);
  s->spare = NULL;
}

void sort_free(sort_list *s) {
  free_spare(s);
  if (s->item) mem_free(s->c, s->item);
}

bool sort_copy(const sort_list *from, sort_list *to) {
  size_t bytes = (size_t)from->n * sizeof *to->item;
  *to = (sort_list){.c = from->c, .n = from->n};
  to->item = mem_alloc(to->c, bytes);
  if (!to->item) return false;
  memcpy(to->item, from->item, bytes);
  return true;
}

bool sort_positions(sort_list *s) {
  for (int64_t i = 0; i < s->n; i++) {
    if (stops_at(s->c, i)) return false;
    s->item[i] = (sort_item){0, i};
  }
  return true;
}

/* ── keys ───────────────────────────────────────────────────────────────────────────── */

static uint64_t key_int(int64_t v) { return (uint64_t)v ^ (1ull << 63); }

uint64_t sort_key_float(double v) {
  uint64_t b;
  if (v == 0) v = 0;
  if (isnan(v)) return UINT64_MAX;
  memcpy(&b, &v, sizeof b);
  if (b >> 63) return ~b;
  return b | 1ull << 63;
}

/* ── by radix ───────────────────────────────────────────────────────────────────────── */

static void sort_few(sort_item *item, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    sort_item it = item[i];
    int64_t j = i;
    for (; j && item[j - 1].key > it.key; j--) item[j] = item[j - 1];
    item[j] = it;
  }
}

/* Short lists are not worth many buckets. */
enum { FEW = 32, SHORT = 1 << 16, SHORT_DIGIT = 8, DIGIT = 11, BUCKETS = 1 << DIGIT };

/* For items of type T, of which KEY is one's key: sorts n of them by so many bits from bit `low`
 * on, by turns between two places. Where they are then; NULL after INTERRUPT. */
#define RADIX(T, name, KEY)                                                              \
  static T *radix_##name(ctx *c, T *from, T *to, int64_t n, int low, int bits) {         \
    int64_t place[BUCKETS];                                                              \
    int passes = (int)ceil_div(bits, n < SHORT ? SHORT_DIGIT : DIGIT);                   \
    int digit = passes ? (int)ceil_div(bits, passes) : 0;                                \
    for (; passes > 0; passes--, low += digit) {                                         \
      int64_t buckets = (int64_t)1 << digit, sum = 0;                                    \
      uint64_t mask = (uint64_t)buckets - 1;                                             \
      memset(place, 0, (size_t)buckets * sizeof *place);                                 \
      for (int64_t i = 0; i < n; i++) {                                                  \
        place[from[i] KEY >> low & mask]++;                                              \
        if (stops_at(c, i)) return NULL;                                                 \
      }                                                                                  \
      for (int64_t b = 0; b < buckets; b++) {                                            \
        int64_t some = place[b];                                                         \
        place[b] = sum;                                                                  \
        sum += some;                                                                     \
      }                                                                                  \
      for (int64_t i = 0; i < n; i++) {                                                  \
        to[place[from[i] KEY >> low & mask]++] = from[i];                                \
        if (stops_at(c, i)) return NULL;                                                 \
      }                                                                                  \
      T *swap = from;                                                                    \
      from = to;                                                                         \
      to = swap;                                                                         \
    }                                                                                    \
    return from;                                                                         \
  }
RADIX(sort_item, items, .key)
RADIX(uint64_t, words, )
RADIX(uint32_t, halves, )

/* How many bits numbers up to v have. */
static int bits_of(uint64_t v) { return v ? 64 - __builtin_clzll(v) : 0; }

/* Items at their own positions whose keys are at least `least`, of so few bits that key and
 * position make one word. */
static bool sort_words(ctx *c, sort_item *item, uint64_t *word, int64_t n, uint64_t least,
                       int bits) {
  for (int64_t i = 0; i < n; i++) word[i] = (item[i].key - least) << 32 | (uint64_t)i;
  const uint64_t *r = radix_words(c, word, word + n, n, 32, bits);
  for (int64_t i = 0; i < n && r; i++)
    item[i] = (sort_item){(r[i] >> 32) + least, (int64_t)(r[i] & UINT32_MAX)};
  return r != NULL;
}

/* Adds to the keys of n items; false after INTERRUPT. */
static bool move_keys(ctx *c, sort_item *item, int64_t n, uint64_t by) {
  for (int64_t i = 0; i < n; i++) {
    item[i].key += by;
    if (stops_at(c, i)) return false;
  }
  return true;
}

/* The keys are from `least` to `most`; the sorted ones are in s->item. False after INTERRUPT. */
static bool sort_by_key(sort_list *s, uint64_t least, uint64_t most) {
  if (s->n < FEW) {
    sort_few(s->item, s->n);
    return true;
  }
  int bits = bits_of(most - least);
  if (bits <= 32 && s->n <= UINT32_MAX)
    return sort_words(s->c, s->item, (uint64_t *)(void *)s->spare, s->n, least, bits);
  if (!move_keys(s->c, s->item, s->n, 0 - least)) return false; /* the range counts */
  sort_item *r = radix_items(s->c, s->item, s->spare, s->n, 0, bits);
  if (r == s->spare) {
    s->spare = s->item;
    s->item = r;
  }
  return r && move_keys(s->c, s->item, s->n, least);
}

/* ── without positions ── */

/* From the least or, if `down`, the greatest element to m others, as many as there is between. */
static void distances(int64_t end, bool down, int64_t m, int64_t *v) {
  for (int64_t k = 0; k < m; k++) {
    uint64_t d = (uint64_t)v[k] - (uint64_t)end;
    v[k] = (int64_t)(down ? 0 - d : d);
  }
}

/* Elements i to i + m of the numbers that lie so far from there. */
static void put_at(arr *r, int64_t i, int64_t m, const arr *far, int64_t end, bool down) {
  int64_t v[SC_BLOCK];
  sc_load(far, i, 1, m, SC_I, v);
  for (int64_t k = 0; k < m; k++) {
    uint64_t d = (uint64_t)v[k];
    if (far->type == ET_I32) d &= UINT32_MAX;
    v[k] = (int64_t)((uint64_t)end + (down ? 0 - d : d));
  }
  sc_put_ints(r, i, m, v, 0);
}

arr *sort_values(ctx *c, const arr *a, bool down) {
  int64_t lo, hi, n = a->count, v[SC_BLOCK];
  if (!elt_is_int((elt)a->type) || a->type == ET_BIT || a->rank != 1 || !n) return NULL;
  sc_bounds(a, &lo, &hi);
  int bits = bits_of((uint64_t)hi - (uint64_t)lo);
  int64_t end = down ? hi : lo;
  elt type = bits > 32 ? ET_I64 : ET_I32;
  OWNED arr *keys = arr_vec(c, type, n), *spare = arr_vec(c, type, n);
  OWNED arr *r = arr_vec(c, (elt)a->type, n);
  if (!keys || !spare || !r) return NULL;
  for (int64_t i = 0; i < n; i += SC_BLOCK) {
    int64_t m = min_i64(n - i, SC_BLOCK);
    if (stops_at(c, i)) return NULL;
    sc_load(a, i, 1, m, SC_I, v);
    distances(end, down, m, v);
    sc_put_ints(keys, i, m, v, 0);
  }
  const void *sorted = NULL;
  if (bits > 32) sorted = radix_words(c, keys->host, spare->host, n, 0, bits);
  else sorted = radix_halves(c, keys->host, spare->host, n, 0, bits);
  if (!sorted) return NULL;
  const arr *far = sorted == keys->host ? keys : spare;
  for (int64_t i = 0; i < n; i += SC_BLOCK)
    put_at(r, i, min_i64(n - i, SC_BLOCK), far, end, down);
  arr_set_range(r, lo, hi);
  return arr_move(&r);
}

/* ── by position ── */

void sort_keys(const arr *a, int64_t i, int64_t m, bool whole, uint64_t *key) {
  int64_t v[SC_BLOCK];
  double d[SC_BLOCK];
  if (whole) sc_load(a, i, 1, m, SC_I, v);
  else sc_load(a, i, 1, m, SC_D, d);
  for (int64_t k = 0; k < m; k++) key[k] = whole ? key_int(v[k]) : sort_key_float(d[k]);
}

bool sort_elements(sort_list *s, const arr *a, bool whole, bool down) {
  uint64_t flip = 0, least = UINT64_MAX, most = 0, key[SC_BLOCK];
  if (down) flip = UINT64_MAX;
  for (int64_t i = 0; i < s->n; i += SC_BLOCK) {
    int64_t m = min_i64(s->n - i, SC_BLOCK);
    if (stops_at(s->c, i)) return false;
    sort_keys(a, i, m, whole, key);
    for (int64_t k = 0; k < m; k++) {
      uint64_t v = key[k] ^ flip;
      s->item[i + k] = (sort_item){v, i + k};
      if (v < least) least = v;
      if (v > most) most = v;
    }
  }
  bool ok = sort_by_key(s, least, most);
  free_spare(s);
  return ok;
}
