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

void sort_positions(sort_list *s) {
  for (int64_t i = 0; i < s->n; i++) s->item[i] = (sort_item){0, i};
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
enum { FEW = 32, SHORT = 4096, SHORT_DIGIT = 8, DIGIT = 11, BUCKETS = 1 << DIGIT };

/* One pass over the digit of so many bits at `shift`. */
static void sort_pass(const sort_item *from, sort_item *to, int64_t n, int shift,
                      int bits) {
  int64_t count[BUCKETS], buckets = (int64_t)1 << bits, sum = 0;
  uint64_t mask = (uint64_t)buckets - 1;
  memset(count, 0, (size_t)buckets * sizeof *count);
  for (int64_t i = 0; i < n; i++) count[from[i].key >> shift & mask]++;
  for (int64_t b = 0; b < buckets; b++) {
    int64_t c = count[b];
    count[b] = sum;
    sum += c;
  }
  for (int64_t i = 0; i < n; i++) to[count[from[i].key >> shift & mask]++] = from[i];
}

/* False after INTERRUPT. */
static bool sort_by_key(ctx *c, sort_item *item, sort_item *spare, int64_t n) {
  uint64_t least = UINT64_MAX, most = 0;
  if (n < FEW) {
    sort_few(item, n);
    return true;
  }
  for (int64_t i = 0; i < n; i++) {
    if (item[i].key < least) least = item[i].key;
    if (item[i].key > most) most = item[i].key;
  }
  for (int64_t i = 0; i < n; i++) item[i].key -= least; /* only the range counts */
  sort_item *from = item, *to = spare;
  int digit = n < SHORT ? SHORT_DIGIT : DIGIT;
  for (int shift = 0; shift < 64 && (most - least) >> shift; shift += digit) {
    if (interrupted(c)) return false;
    sort_pass(from, to, n, shift, digit);
    sort_item *swap = from;
    from = to;
    to = swap;
  }
  if (from != item) memcpy(item, from, (size_t)n * sizeof *item);
  for (int64_t i = 0; i < n; i++) item[i].key += least;
  return true;
}

void sort_keys(const arr *a, int64_t i, int64_t m, bool whole, uint64_t *key) {
  int64_t v[SC_BLOCK];
  double d[SC_BLOCK];
  if (whole) sc_load(a, i, 1, m, SC_I, v);
  else sc_load(a, i, 1, m, SC_D, d);
  for (int64_t k = 0; k < m; k++) key[k] = whole ? key_int(v[k]) : sort_key_float(d[k]);
}

bool sort_elements(sort_list *s, const arr *a, bool whole, bool down) {
  uint64_t flip = 0, key[SC_BLOCK];
  if (down) flip = UINT64_MAX;
  for (int64_t i = 0; i < s->n; i += SC_BLOCK) {
    int64_t m = min_i64(s->n - i, SC_BLOCK);
    sort_keys(a, i, m, whole, key);
    for (int64_t k = 0; k < m; k++) s->item[i + k] = (sort_item){key[k] ^ flip, i + k};
  }
  bool ok = sort_by_key(s->c, s->item, s->spare, s->n);
  free_spare(s);
  return ok;
}
