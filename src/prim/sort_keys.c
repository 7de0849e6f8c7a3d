/* SPDX-License-Identifier: MIT */
/* sort_keys.c - sorting by 64-bit keys.
 *
 * Numbers and characters become keys in the same order, which are sorted by radix, 8 or 11
 * bits at a time from the lowest, over the bits that their range has: stable, and linear
 * in the length. Few items are sorted by insertion; many are cut into parts that threads share.
 *
 * TRIED for the positions of short keys: all digits counted in one pass, positions alone in the last one: 1.0 to 1.1. */
#include "sort_keys.h"
#include "../tables/fast.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../base/mem.h"

#include <math.h>
#include <stdatomic.h>
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

/* Short lists are not worth many buckets. Between so many items a sort looks for Ctrl-C. */
enum {
  FEW = 32,
  SHORT = 1 << 9,
  SHORT_DIGIT = 8,
  DIGIT = 11,
  BUCKETS = 1 << DIGIT,
  LOOK = 1 << 16
};

/* Sorts n items by so many bits from bit `low` on, of which the key is (v ^ flip) - base. */
typedef struct radix {
  ctx *c;
  int64_t n;
  int low, bits; /* bits > 0 */
  uint64_t flip, base;
} radix;

static int passes_of(const radix *k) {
  return (int)ceil_div(k->bits, k->n < SHORT ? SHORT_DIGIT : DIGIT);
}

/* Counts become the places where their buckets begin. */
static void begin_buckets(int64_t *count, uint64_t buckets) {
  int64_t sum = 0;
  for (uint64_t b = 0; b < buckets; b++) {
    int64_t some = count[b];
    count[b] = sum;
    sum += some;
  }
}

typedef void part_task(void *job, int64_t from, int64_t to);

/* The task for stretches of n elements, for each of which it takes a few steps; false after INTERRUPT. */
static bool each_stretch(ctx *c, int64_t n, int64_t steps, part_task *task, void *job) {
  if (!each_is_long(c, n)) {
    task(job, 0, n);
    return true;
  }
  each_loop loop = {.n = n, .cell = 1, .steps = steps, .task = task, .job = job};
  return each_part(c, &loop);
}
/* What several stretches find. */
static void to_least(_Atomic uint64_t *least, uint64_t v) {
  uint64_t now = atomic_load(least);
  while (v < now && !atomic_compare_exchange_weak(least, &now, v)) {}
}

enum { IN_TURN = 3, GATHERED = 20 }; /* steps for an element: side by side, anywhere */

/* Many items are cut into parts, which threads share: each counts its digits, and then puts its items behind
 * those of the parts before that have the same digit. */
typedef struct shared_pass {
  const radix *k;
  const void *from;
  void *to;
  int64_t parts, part, table; /* items of all parts but the last; places of one */
  int64_t *place;             /* the tables of all parts, side by side */
  int low;
  uint64_t mask;
} shared_pass;

/* What each_part is asked to do; a part is EACH_ALIGN positions. */
static each_loop loop_of_parts(const radix *k, int64_t parts, part_task *task,
                               void *job) {
  enum { STEPS = 8 };
  return (each_loop){.n = parts * EACH_ALIGN,
                     .cell = k->n / (parts * EACH_ALIGN),
                     .steps = STEPS,
                     .task = task,
                     .job = job};
}

/* 1: they are not worth threads. */
static int64_t parts_of(const radix *k) {
  enum { STRETCHES = 4, MOST = 64 }; /* of a part at least; parts */
  int64_t parts = min_i64(k->n / (STRETCHES * k->c->team.part), MOST);
  if (parts < 2) return 1;
  each_loop loop = loop_of_parts(k, parts, NULL, NULL);
  return each_is_shared(k->c, &loop) ? parts : 1;
}

/* Counts of all parts become the places where their items of each bucket begin. */
static void begin_parts(const shared_pass *p) {
  int64_t sum = 0;
  for (uint64_t b = 0; b <= p->mask; b++)
    for (int64_t k = 0; k < p->parts; k++) {
      int64_t *at = p->place + k * p->table + (int64_t)b, some = *at;
      *at = sum;
      sum += some;
    }
}

/* As radix_… below; count and put are of the items' type. */
static void *radix_shared(const radix *k, int64_t parts, part_task *count, part_task *put,
                          const void *from, void *to, void *spare) {
  enum { APART = 8 }; /* tables are not a power of two apart */
  int passes = passes_of(k), digit = (int)ceil_div(k->bits, passes);
  shared_pass p = {.k = k, .from = from, .to = to, .parts = parts, .low = k->low};
  p.mask = ((uint64_t)1 << digit) - 1;
  p.part = k->n / parts;
  p.table = (int64_t)p.mask + 1 + APART;
  each_loop counts = loop_of_parts(k, parts, count, &p),
            puts = loop_of_parts(k, parts, put, &p);
  p.place = mem_alloc(k->c, (size_t)(parts * p.table) * sizeof *p.place);
  bool ok = p.place;
  for (; ok && passes--; p.low += digit) {
    ok = each_part(k->c, &counts);
    if (ok) begin_parts(&p);
    ok = ok && each_part(k->c, &puts);
    p.from = p.to;
    p.to = spare;
    spare = (void *)(uintptr_t)p.from;
  }
  if (p.place) mem_free(k->c, p.place);
  return ok ? spare : NULL;
}

/* What of the items of parts from/EACH_ALIGN to to/EACH_ALIGN - 1 DO makes. */
#define EACH_OF_PARTS(T, name, BEGIN, DO)                                                \
  const shared_pass *p = job;                                                            \
  const T *v = p->from;                                                                  \
  for (int64_t i = from / EACH_ALIGN; i < to / EACH_ALIGN; i++) {                        \
    int64_t *place = p->place + i * p->table, j = i * p->part;                           \
    int64_t end = i == p->parts - 1 ? p->k->n : j + p->part;                             \
    BEGIN;                                                                               \
    for (; j < end; j++) {                                                               \
      int64_t *at = place + (key_of_##name(p->k, v[j]) >> p->low & p->mask);             \
      DO;                                                                                \
    }                                                                                    \
  }

/* For items v of type T: `from` is read only, the items are then by turns in `to` and `spare`,
 * which may be `from`. Where they are in the end; NULL after INTERRUPT. While a digit is
 * distributed the next one is counted. */
#define RADIX(T, name, KEY)                                                              \
  static inline uint64_t key_of_##name(const radix *k, T v) { return KEY; }              \
  static void count_##name(void *job, int64_t from, int64_t to) {                        \
    EACH_OF_PARTS(T, name, memset(place, 0, (p->mask + 1) * sizeof *place), ++*at)       \
  }                                                                                      \
  static void put_##name(void *job, int64_t from, int64_t to) {                          \
    T *r = ((const shared_pass *)job)->to;                                               \
    EACH_OF_PARTS(T, name, (void)0, r[(*at)++] = v[j])                                   \
  }                                                                                      \
  static T *radix_##name(const radix *k, const T *from, T *to, T *spare) {               \
    int64_t counts[2][BUCKETS], *place = counts[0], *next = counts[1], n = k->n;         \
    int64_t parts = parts_of(k);                                                         \
    if (parts > 1)                                                                       \
      return radix_shared(k, parts, count_##name, put_##name, from, to, spare);          \
    int passes = passes_of(k), digit = (int)ceil_div(k->bits, passes), low = k->low;     \
    uint64_t buckets = (uint64_t)1 << digit, mask = buckets - 1;                         \
    memset(place, 0, buckets * sizeof *place);                                           \
    for (int64_t i = 0, end; i < n; i = end) {                                           \
      end = min_i64(n, i + LOOK);                                                        \
      if (interrupted(k->c)) return NULL;                                                \
      for (int64_t j = i; j < end; j++)                                                  \
        place[key_of_##name(k, from[j]) >> low & mask]++;                                \
    }                                                                                    \
    for (;; low += digit) {                                                              \
      bool last = --passes == 0;                                                         \
      begin_buckets(place, buckets);                                                     \
      memset(next, 0, buckets * sizeof *next);                                           \
      for (int64_t i = 0, end; i < n; i = end) {                                         \
        end = min_i64(n, i + LOOK);                                                      \
        if (interrupted(k->c)) return NULL;                                              \
        if (last) {                                                                      \
          for (int64_t j = i; j < end; j++)                                              \
            to[place[key_of_##name(k, from[j]) >> low & mask]++] = from[j];              \
          continue;                                                                      \
        }                                                                                \
        for (int64_t j = i; j < end; j++) {                                              \
          uint64_t key = key_of_##name(k, from[j]) >> low;                               \
          to[place[key & mask]++] = from[j];                                             \
          next[key >> digit & mask]++;                                                   \
        }                                                                                \
      }                                                                                  \
      if (last) return to;                                                               \
      int64_t *counted = next;                                                           \
      T *sorted = to;                                                                    \
      next = place;                                                                      \
      place = counted;                                                                   \
      from = sorted;                                                                     \
      to = spare;                                                                        \
      spare = sorted;                                                                    \
    }                                                                                    \
  }
RADIX(sort_item, items, (v.key ^ k->flip) - k->base)
RADIX(uint64_t, words, (v ^ k->flip) - k->base)
RADIX(uint32_t, halves, (v ^ (uint32_t)k->flip) - (uint32_t)k->base)

/* Bits of a key that tell most items apart, of few and of many. */
enum { MANY = 1 << 19, PREFIX = 24, LONG_PREFIX = 32 };

/* How many bits numbers up to v have. */
static int bits_of(uint64_t v) { return v ? 64 - __builtin_clzll(v) : 0; }

/* m items from i on, that differ in the lowest bits of their distance from `least`. */
static bool sort_run(sort_list *s, int64_t i, int64_t m, uint64_t least, int bits) {
  sort_item *item = s->item + i;
  radix k = {.c = s->c, .n = m, .bits = bits, .base = least};
  if (m < FEW) {
    sort_few(item, m);
    return true;
  }
  const sort_item *r = radix_items(&k, item, s->spare + i, item);
  if (r && r != item) memcpy(item, r, (size_t)m * sizeof *item);
  return r != NULL;
}

/* The items are in order but for the lowest bits of their distances from `least`. */
static bool sort_runs(sort_list *s, uint64_t least, int bits) {
  const sort_item *item = s->item;
  for (int64_t i = 0, end; i < s->n; i = end) {
    uint64_t high = (item[i].key - least) >> bits;
    bool ordered = true;
    for (end = i + 1; end < s->n && (item[end].key - least) >> bits == high; end++)
      ordered = ordered && item[end - 1].key <= item[end].key;
    if (!ordered && !sort_run(s, i, end - i, least, bits)) return false;
    if (i / LOOK != end / LOOK && interrupted(s->c)) return false;
  }
  return true;
}

/* Items, and words of a position below the highest bits of its key's distance from `least`, of which `low`
 * are left out; in stretches. */
typedef struct words {
  sort_list *s;
  const arr *a; /* whose keys they are */
  uint64_t flip, least;
  int low;
  int64_t first; /* position */
  uint64_t *word, *key;
} words;

static void item_words(void *job, int64_t from, int64_t to) {
  const words *w = job;
  for (int64_t i = from; i < to; i++)
    w->word[i] = (w->s->item[i].key - w->least) >> w->low << 32 | (uint64_t)i;
}

static void word_items(void *job, int64_t from, int64_t to) {
  const words *w = job;
  for (int64_t i = from; i < to; i++) {
    uint64_t v = w->word[i];
    w->s->item[i] = (sort_item){(v >> 32) + w->least, (int64_t)(v & UINT32_MAX)};
  }
}

static void gather_keys(void *job, int64_t from, int64_t to) {
  const words *w = job;
  for (int64_t i = from; i < to; i++) w->key[i] = w->s->item[w->word[i] & UINT32_MAX].key;
}

static void key_items(void *job, int64_t from, int64_t to) {
  const words *w = job;
  for (int64_t i = from; i < to; i++)
    w->s->item[i] = (sort_item){w->key[i], (int64_t)(w->word[i] & UINT32_MAX)};
}

/* w->word has the words, with room for as many behind them: the items in order. */
static bool sort_words(words *w, int bits) {
  sort_list *s = w->s;
  radix k = {.c = s->c, .n = s->n, .low = 32, .bits = bits - w->low};
  uint64_t *word = w->word, *other = word + s->n;
  w->word = radix_words(&k, word, other, word);
  if (!w->word) return false;
  if (!w->low) return each_stretch(s->c, s->n, IN_TURN, word_items, w);
  w->key = w->word == word ? other : word;
  return each_stretch(s->c, s->n, GATHERED, gather_keys, w) &&
         each_stretch(s->c, s->n, IN_TURN, key_items, w) &&
         sort_runs(s, w->least, w->low);
}

/* Items at their own positions whose keys are from `least` to `most`; false after INTERRUPT. */
static bool sort_by_key(sort_list *s, uint64_t least, uint64_t most) {
  int bits = bits_of(most - least), low = bits - (s->n < MANY ? PREFIX : LONG_PREFIX);
  if (s->n < FEW || !bits || s->n > UINT32_MAX)
    return !bits || sort_run(s, 0, s->n, least, bits);
  if (low < 0) low = 0;
  words w = {.s = s, .least = least, .low = low, .word = (uint64_t *)(void *)s->spare};
  return each_stretch(s->c, s->n, IN_TURN, item_words, &w) && sort_words(&w, bits);
}

/* ── without positions ── */

static void sort_few_keys(uint64_t *key, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    uint64_t v = key[i];
    int64_t j = i;
    for (; j && key[j - 1] > v; j--) key[j] = key[j - 1];
    key[j] = v;
  }
}

/* n keys, that differ in their lowest bits; `spare` has room for as many. False after INTERRUPT. */
static bool sort_alike(ctx *c, uint64_t *key, uint64_t *spare, int64_t n, int bits) {
  radix k = {.c = c, .n = n, .bits = bits};
  if (n < FEW) sort_few_keys(key, n);
  if (n < FEW) return true;
  const uint64_t *r = radix_words(&k, key, spare, key);
  if (r == spare) memcpy(key, r, (size_t)n * sizeof *key);
  return r != NULL;
}

/* n keys that are in order but for their lowest bits. */
static bool finish_keys(ctx *c, uint64_t *key, uint64_t *spare, int64_t n, int bits) {
  for (int64_t i = 0, end; i < n; i = end) {
    bool ordered = true;
    for (end = i + 1; end < n && key[end] >> bits == key[i] >> bits; end++)
      ordered = ordered && key[end - 1] <= key[end];
    if (!ordered && !sort_alike(c, key + i, spare, end - i, bits)) return false;
    if (i / LOOK != end / LOOK && interrupted(c)) return false;
  }
  return true;
}

/* Doubles and their keys, in stretches. */
typedef struct float_keys {
  const arr *a;
  uint64_t flip, *key;
  _Atomic uint64_t least, most, other; /* other: of bits that a key does not have */
} float_keys;

static void keys_stretch(void *job, int64_t from, int64_t to) {
  float_keys *f = job;
  const uint64_t *bits = f->a->host, top = (uint64_t)1 << 63;
  uint64_t lo = UINT64_MAX, hi = 0, other = 0;
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    sort_keys(f->a, i, m, false, f->key + i);
    for (int64_t k = i; k < i + m; k++) {
      uint64_t v = f->key[k];
      other |= (v & top ? v ^ top : ~v) ^ bits[k];
      f->key[k] = v ^= f->flip;
      lo = min_u64(lo, v);
      hi = max_u64(hi, v);
    }
  }
  to_least(&f->least, lo);
  to_least(&f->most, ~hi);
  atomic_fetch_or(&f->other, other);
}

static void distances_stretch(void *job, int64_t from, int64_t to) {
  const float_keys *f = job;
  uint64_t least = f->least;
  for (int64_t i = from; i < to; i++) f->key[i] -= least;
}

static void values_stretch(void *job, int64_t from, int64_t to) {
  const float_keys *f = job;
  uint64_t least = f->least, flip = f->flip;
  double *r = f->a->host;
  for (int64_t i = from; i < to; i++) r[i] = sort_key_value((f->key[i] + least) ^ flip);
}

static bool each_key(ctx *c, float_keys *f, part_task *task) {
  return each_stretch(c, f->a->count, IN_TURN, task, f);
}

/* The keys of doubles as distances from the least one; false after INTERRUPT, and for a number whose key has
 * another's bits, too: a zero below 0, or what is no number. */
static bool float_keys_of(ctx *c, float_keys *f, uint64_t *most) {
  f->least = f->most = UINT64_MAX;
  f->other = 0;
  if (!each_key(c, f, keys_stretch) || !each_key(c, f, distances_stretch)) return false;
  *most = ~f->most - f->least;
  return !f->other;
}

/* Doubles: by the bits that tell most apart, then what is alike there by the rest. */
static arr *sort_floats(ctx *c, const arr *a, bool down) {
  uint64_t most;
  int64_t n = a->count;
  OWNED arr *r = arr_vec(c, ET_F64, n);
  OWNED arr *room = r ? arr_vec(c, ET_I64, n) : NULL;
  float_keys f = {.a = a, .flip = down ? UINT64_MAX : 0};
  if (!room) return NULL;
  f.key = r->host;
  if (!float_keys_of(c, &f, &most)) return NULL;
  radix k = {.c = c, .n = n, .bits = bits_of(most)};
  k.low = (int)max_i64(0, k.bits - (n < MANY ? PREFIX : LONG_PREFIX));
  int low = k.low;
  k.bits -= low;
  uint64_t *key = r->host, *spare = room->host;
  if (k.bits && radix_words(&k, key, spare, key) == spare) {
    uint64_t *sorted = spare;
    spare = key;
    key = sorted;
  }
  if (err_is(c) || (low && !finish_keys(c, key, spare, n, low))) return NULL;
  f.a = r;
  f.key = key;
  return each_key(c, &f, values_stretch) ? arr_move(&r) : NULL;
}

/* The lowest k bits of a word, k being as large or small as it may. */
static uint64_t lowest(int64_t k) {
  if (k <= 0) return 0;
  return k >= 64 ? UINT64_MAX : ((uint64_t)1 << k) - 1;
}

/* Truth values in order are as many noughts and ones as there are. */
static arr *sort_truths(ctx *c, const arr *a, bool down) {
  int64_t ones = sc_ones(a), from = down ? 0 : a->count - ones, to = from + ones;
  arr *r = arr_vec(c, ET_BIT, a->count);
  for (int64_t i = 0; r && i < a->count; i += 64)
    ((uint64_t *)r->host)[i / 64] = lowest(to - i) & ~lowest(from - i);
  return r;
}

arr *sort_values(ctx *c, arr *a, bool down) {
  int64_t lo, hi;
  bool wide = a->type == ET_I64;
  if (a->type == ET_BIT && a->rank == 1) return sort_truths(c, a, down);
  if (a->type == ET_F64 && a->rank == 1 && a->count >= FEW)
    return sort_floats(c, a, down);
  if (!sort_is_whole(a) || a->rank != 1 || !a->count) return NULL;
  arr *counted = NULL;
#define FAST_SORT(way) FAST_FIRST(counted, c, way(c, a, down))
#include "../tables/fast.def"
  if (counted || err_is(c) || (!wide && a->type != ET_I32)) return counted;
  sc_bounds(a, &lo, &hi);
  if (lo == hi) return arr_retain(a);
  radix k = {.c = c, .n = a->count, .bits = bits_of((uint64_t)hi - (uint64_t)lo)};
  k.base = (uint64_t)lo;
  if (down) {
    k.flip = UINT64_MAX;
    k.base = ~(uint64_t)hi;
  }
  OWNED arr *r = arr_vec(c, (elt)a->type, a->count);
  OWNED arr *spare = arr_vec(c, (elt)a->type, a->count);
  if (!r || !spare) return NULL;
  void *to = r->host, *other = spare->host; /* the last pass goes to r */
  if (passes_of(&k) % 2 == 0) {
    to = spare->host;
    other = r->host;
  }
  bool ok;
  if (wide) ok = radix_words(&k, a->host, to, other) != NULL;
  else ok = radix_halves(&k, a->host, to, other) != NULL;
  if (!ok) return NULL;
  arr_set_range(r, lo, hi);
  return arr_move(&r);
}

/* ── by position ── */

void sort_keys(const arr *a, int64_t i, int64_t m, bool whole, uint64_t *key) {
  int64_t b[SC_BLOCK];
  const void *v = b;
  if ((elt)a->type == (whole ? ET_I64 : ET_F64)) v = (const int64_t *)a->host + i;
  else sc_load(a, i, 1, m, whole ? SC_I64 : SC_F64, b);
  sc_block()->keys(whole, v, m, key);
}

static void short_words(void *job, int64_t from, int64_t to) {
  const words *w = job;
  uint64_t key[SC_BLOCK];
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    sort_keys(w->a, i, m, true, key);
    for (int64_t k = 0; k < m; k++)
      w->word[i + k] =
          ((key[k] ^ w->flip) - w->least) << 32 | (uint64_t)(i + k + w->first);
  }
}

/* Whole numbers and characters whose keys differ in 32 bits at most become words at once. */
static bool sort_short_keys(sort_list *s, const arr *a, uint64_t flip, bool *are) {
  int64_t lo, hi;
  sc_bounds(a, &lo, &hi);
  int bits = bits_of((uint64_t)hi - (uint64_t)lo);
  *are = bits > 0 && bits <= 32;
  if (!*are) return true;
  words w = {.s = s, .a = a, .flip = flip, .word = (uint64_t *)(void *)s->spare};
  w.least = key_int(flip ? hi : lo) ^ flip;
  return each_stretch(s->c, s->n, IN_TURN, short_words, &w) && sort_words(&w, bits);
}

/* Items of a's elements, and the range of their keys. */
typedef struct keyed {
  sort_list *s;
  const arr *a;
  uint64_t flip;
  bool whole;
  _Atomic uint64_t least, most; /* the latter inverted */
} keyed;

static void keyed_stretch(void *job, int64_t from, int64_t to) {
  keyed *f = job;
  uint64_t key[SC_BLOCK], least = UINT64_MAX, most = 0;
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    sort_keys(f->a, i, m, f->whole, key);
    for (int64_t k = 0; k < m; k++) {
      uint64_t v = key[k] ^ f->flip;
      f->s->item[i + k] = (sort_item){v, i + k};
      least = min_u64(least, v);
      most = max_u64(most, v);
    }
  }
  to_least(&f->least, least);
  to_least(&f->most, ~most);
}

bool sort_elements(sort_list *s, const arr *a, bool whole, bool down) {
  bool ok = true, done = false;
  keyed f = {.s = s, .a = a, .whole = whole, .least = UINT64_MAX, .most = UINT64_MAX};
  if (down) f.flip = UINT64_MAX;
  if (whole && s->n >= FEW && s->n <= UINT32_MAX)
    ok = sort_short_keys(s, a, f.flip, &done);
  if (ok && !done)
    ok = each_stretch(s->c, s->n, IN_TURN, keyed_stretch, &f) &&
         (!s->n || sort_by_key(s, f.least, ~f.most));
  free_spare(s);
  return ok;
}

/* ── places of whole numbers ── */

/* Positions that words end in, as elements of r. */
typedef struct placed {
  const uint64_t *word;
  arr *r;
} placed;

static void placed_stretch(void *job, int64_t from, int64_t to) {
  const placed *p = job;
  elt type = (elt)p->r->type;
  char *r = (char *)p->r->host + elt_bytes(type, from);
  sc_block()->store(SC_I64, p->word + from, to - from, type, r);
}

arr *sort_places(ctx *c, const arr *a, bool down, int io) {
  int64_t lo, hi, n = a->count;
  if (n < FEW || n >= INT32_MAX) return NULL;
  sc_bounds(a, &lo, &hi);
  radix k = {.c = c, .n = n, .low = 32, .bits = bits_of((uint64_t)hi - (uint64_t)lo)};
  if (!k.bits || k.bits > 32 || (k.bits > 16 && n <= SC_RANKED)) return NULL;
  words w = {.a = a, .flip = down ? UINT64_MAX : 0, .first = io};
  w.least = key_int(down ? hi : lo) ^ w.flip;
  OWNED arr *room = arr_vec(c, ET_I64, 2 * n);
  OWNED arr *r = room ? arr_vec(c, elt_for_range(io, n - 1 + io), n) : NULL;
  if (!r) return NULL;
  w.word = room->host;
  if (!each_stretch(c, n, IN_TURN, short_words, &w)) return NULL;
  placed p = {radix_words(&k, w.word, w.word + n, w.word), r};
  if (!p.word || !each_stretch(c, n, IN_TURN, placed_stretch, &p)) return NULL;
  arr_set_range(r, io, n - 1 + io);
  return arr_move(&r);
}
