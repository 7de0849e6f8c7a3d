/* SPDX-License-Identifier: MIT */
/* tolerant_hash.c - cells that are looked for by a hash, though they may be equal only within ⎕CT.
 *
 * Each cell has a place, a number of 64 bits: equal cells have places at most `width` apart, where it is 0 the
 * same one. The hash ignores a place's lowest bits. So all places of such a stretch are in one chain; a place near the
 * end of its stretch is looked for in the neighbouring one, too.
 *
 *   elements        the key that sorts them (sort_keys.h)
 *   bytes           of cells without floats: themselves, or their hash; of items that are vectors of one such type, too
 *   sums            of anything else: the keys of its numbers, shapes and characters, each with a weight of its own. To
 *                   multiply and keep the upper 64 bits of 128 brings nothing further apart, and to add modulo 2*64 adds
 *                   up what is apart.
 *
 * Chains of x⍳y are in the order of the positions. ≠y enters the new cells only, from the first one on, which is
 * the definition. */
#include "lookup.h"
#include "complex.h"
#include "scalar.h"
#include "sort_keys.h"
#include "../array/element.h"
#include "../array/match.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../base/hash.h"
#include "../base/macros.h"
#include "../base/mem.h"

#include <math.h>
#include <string.h>

typedef enum place_kind { ELEMENTS, BYTES, TEXTS, SUMS } place_kind;

typedef struct entry {
  uint64_t place;
  int64_t next; /* of its chain; -1: none */
} entry;

typedef struct chains {
  cells *s;
  place_kind kind;
  bool whole;  /* ELEMENTS: compared exactly */
  bool placed; /* x's places are known */
  int shift, low;
  uint64_t width, factor; /* of the hash */
  arr *heads, *entries;
  int64_t *head; /* of the chain of each hash; -1: none */
  entry *cell;   /* one for each of x's */
} chains;

static void chains_free(chains *t) {
  if (t->heads) arr_release(t->heads);
  if (t->entries) arr_release(t->entries);
}
#define OWNED_CHAINS __attribute__((cleanup(chains_free)))

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 32;
}

/* ── places by bytes ────────────────────────────────────────────────────────────────── */

static const char *cell_bytes(const cells *s, const arr *a, int64_t i) {
  return (const char *)a->host + elt_bytes((elt)a->type, i * s->size);
}

/* Up to 64 truth values of a from i on, which end at `end`. */
static uint64_t bits_until(const arr *a, int64_t i, int64_t end) {
  uint64_t w = sc_word_from(a, i);
  return end - i < 64 ? w & (((uint64_t)1 << (end - i)) - 1) : w;
}

static bool equal_bits(const arr *a, int64_t i, const arr *b, int64_t j, int64_t n) {
  for (int64_t k = 0; k < n; k += 64)
    if (bits_until(a, i + k, i + n) != bits_until(b, j + k, j + n)) return false;
  return true;
}

enum { KEY_BYTES = 7 };
#define KEY_HASHED ((uint64_t)1 << 63)

/* n bytes themselves where they are few, and their number; else a hash. */
static uint64_t key_of_bytes(const void *from, size_t n, uint64_t seed) {
  if (n <= KEY_BYTES) return few_bytes(from, n) | (uint64_t)n << 56;
  return hash_bytes(from, n, seed) | KEY_HASHED;
}

static uint64_t place_of_bytes(const cells *s, const arr *a, int64_t i) {
  uint64_t h = s->e->c->seed;
  int64_t end = (i + 1) * s->size;
  if (a->type != ET_BIT)
    return key_of_bytes(cell_bytes(s, a, i), elt_bytes((elt)a->type, s->size), h);
  if (s->size < 64) return bits_until(a, end - s->size, end);
  for (int64_t k = end - s->size; k < end; k += 64) h = mix(h, bits_until(a, k, end));
  return h | KEY_HASHED;
}

static bool are_same_bytes(const cells *s, int64_t i, const arr *b, int64_t j) {
  if (b->type == ET_BIT) return equal_bits(s->x, i * s->size, b, j * s->size, s->size);
  size_t n = elt_bytes((elt)b->type, s->size);
  return !memcmp(cell_bytes(s, s->x, i), cell_bytes(s, b, j), n);
}

/* ── places by sums ─────────────────────────────────────────────────────────────────── */

/* The limit of terms and levels: equal cells have the same first ones. */
enum { MOST_TERMS = 1 << 14, MOST_LEVELS = 1 << 8 };

typedef struct summed {
  uint64_t sum, seed;
  int64_t terms;
} summed;

static void add_term(summed *p, uint64_t term) {
  uint64_t weight = mix(p->seed, (uint64_t)++p->terms) | (uint64_t)1 << 63;
  __extension__ unsigned __int128 product = (unsigned __int128)term * weight;
  p->sum += (uint64_t)(product >> 64);
}

/* About the logarithm of a number's magnitude, straight between powers of 2, and its direction. Both change by a
 * few times ⎕CT where the number does by that much of itself. */
static uint64_t term_of(cx z) {
  const double along = 0.37, across = 0.71;
  double size = fabs(z.re), towards = z.re < 0 ? -along : along;
  uint64_t bits, half = 0;
  if (z.im != 0) { /* large values are halved, so that nothing overflows */
    half = size > 1 || fabs(z.im) > 1;
    if (half) z = (cx){z.re / 2, z.im / 2};
    size = fabs(z.re) + fabs(z.im);
    towards = (along * z.re + across * z.im) / size;
  }
  if (!isfinite(size)) return 0;
  memcpy(&bits, &size, sizeof bits);
  return bits + (half << 52) + (uint64_t)(int64_t)(towards * 0x1p53);
}

/* How far apart the terms of two numbers are that are equal within ct: of the magnitude √2×ct, of the direction
 * 2×√2×ct, and twice that where numbers are so small that they have fewer bits. */
static uint64_t term_width(double ct) { return (uint64_t)(6 * ct * 0x1p53) + 16; }

static void add_elements(summed *p, const arr *a, int64_t from, int64_t to) {
  for (int64_t i = from; i < to && p->terms < MOST_TERMS; i++)
    add_term(p, term_of(cx_at(a, i)));
}

/* The last item is gone into without recursion: lists that are linked through it may be long. */
static void add_array(summed *p, const arr *a, int level) {
  while (p->terms < MOST_TERMS) {
    for (int k = 0; k < a->rank; k++) add_term(p, (uint64_t)a->shape[k] << 32);
    if (!a->count || a->ref) return;
    if (a->type != ET_NEST) add_elements(p, a, 0, a->count);
    if (a->type != ET_NEST || level >= MOST_LEVELS) return;
    for (int64_t i = 0; i < a->count - 1; i++) add_array(p, arr_item(a, i), level + 1);
    a = arr_item(a, a->count - 1);
  }
}

/* The place of cell i of a, and how many terms it has. */
static uint64_t place_of_sum(const cells *s, const arr *a, int64_t i, int64_t *terms) {
  summed p = {.seed = s->e->c->seed};
  int64_t from = i * s->size, to = from + s->size;
  if (a->type != ET_NEST) add_elements(&p, a, from, to);
  else
    for (; from < to; from++) add_array(&p, arr_item(a, from), 0);
  *terms = p.terms;
  return p.sum;
}

/* ── places ─────────────────────────────────────────────────────────────────────────── */

/* Of m cells of a from i on, SC_BLOCK at most; the most terms that a sum has, if there are. */
static int64_t places_of(const chains *t, const arr *a, int64_t i, int64_t m,
                         uint64_t *to) {
  const cells *s = t->s;
  int64_t terms, most = 0;
  uint64_t seed = s->e->c->seed;
  switch (t->kind) {
  case ELEMENTS: sort_keys(a, i, m, t->whole, to); break;
  case BYTES:
    for (int64_t k = 0; k < m; k++) to[k] = place_of_bytes(s, a, i + k);
    break;
  case TEXTS:
    for (int64_t k = 0; k < m; k++) {
      const arr *item = arr_item(a, i + k);
      to[k] = key_of_bytes(item->host, elt_bytes((elt)item->type, item->count), seed);
    }
    break;
  case SUMS:
    for (int64_t k = 0; k < m; k++) {
      to[k] = place_of_sum(s, a, i + k, &terms);
      most = max_i64(most, terms);
    }
  }
  return most;
}

/* Is cell i of x, whose place is `own`, equal to cell j of a? ct is s->ct, or 0. */
static bool are_same_cells(const chains *t, int64_t i, uint64_t own, const arr *a,
                           int64_t j, double ct) {
  const arr *x, *y;
  bool hashed = own & KEY_HASHED;
  switch (t->kind) {
  case BYTES: return !hashed || are_same_bytes(t->s, i, a, j);
  case TEXTS:
    if (!hashed) return true;
    x = arr_item(t->s->x, i);
    y = arr_item(a, j);
    return x->count == y->count &&
           !memcmp(x->host, y->host, elt_bytes((elt)x->type, x->count));
  default: return lookup_equal_cells(t->s->x, i, a, j, t->s->size, ct);
  }
}

/* The same, cell j having that place; kind is t->kind. */
INLINE bool is_equal(const chains *t, place_kind kind, int64_t i, const arr *a, int64_t j,
                     uint64_t place, double ct) {
  uint64_t own = t->cell[i].place, apart = own - place;
  if (own == place && kind == ELEMENTS) return true;
  if (apart > t->width && -apart > t->width) return false;
  if (kind == ELEMENTS) return num_equal(sort_key_value(own), sort_key_value(place), ct);
  return are_same_cells(t, i, own, a, j, ct);
}

/* ── chains ─────────────────────────────────────────────────────────────────────────── */

static uint64_t hash_of(const chains *t, uint64_t place) {
  return (place >> t->low) * t->factor >> t->shift;
}

/* The first cell of a chain that equals cell j of a. */
INLINE int64_t find_in(const chains *t, place_kind kind, uint64_t hash, const arr *a,
                       int64_t j, uint64_t place) {
  int64_t i = t->head[hash];
  while (i >= 0 && !is_equal(t, kind, i, a, j, place, t->s->ct)) i = t->cell[i].next;
  return i;
}

/* A block of cells that are looked for: hashes of their places, and of those in the neighbouring stretch where that
 * may have equal cells, too. */
typedef struct sought {
  uint64_t place[SC_BLOCK], hash[SC_BLOCK], beside[SC_BLOCK];
} sought;

/* The first cell that equals cell j of a, number k of the block; or any one. */
INLINE int64_t find(const chains *t, place_kind kind, const sought *f, int64_t k,
                    const arr *a, int64_t j, bool any) {
  int64_t i = find_in(t, kind, f->hash[k], a, j, f->place[k]);
  if (!t->width || (any && i >= 0) || f->beside[k] == f->hash[k]) return i;
  int64_t other = find_in(t, kind, f->beside[k], a, j, f->place[k]);
  return other >= 0 && (i < 0 || other < i) ? other : i;
}

static uint64_t place_beside(const chains *t, uint64_t place) {
  uint64_t size = (uint64_t)1 << t->low, at = place & (size - 1);
  if (at < t->width) return place - size;
  return at >= size - t->width ? place + size : place;
}

/* Chains are in memory soon, with their first cells. */
static void fetch(const chains *t, const uint64_t *hash, int64_t m) {
  enum { CACHED = 1 << 12 };
  if (t->heads->count <= CACHED) return;
  for (int64_t k = 0; k < m; k++) __builtin_prefetch(&t->head[hash[k]]);
  for (int64_t k = 0; k < m; k++) {
    int64_t first = t->head[hash[k]];
    __builtin_prefetch(&t->cell[first < 0 ? 0 : first]);
  }
}

/* The hashes of a block's m places. */
static void prepare(const chains *t, sought *f, int64_t m) {
  for (int64_t k = 0; k < m; k++) f->hash[k] = hash_of(t, f->place[k]);
  fetch(t, f->hash, m);
  if (!t->width) return;
  for (int64_t k = 0; k < m; k++) f->beside[k] = hash_of(t, place_beside(t, f->place[k]));
  fetch(t, f->beside, m);
}

/* The places of m cells of x from i on. */
static void own_places(const chains *t, int64_t i, int64_t m, uint64_t *place) {
  if (!t->placed) places_of(t, t->s->x, i, m, place);
  for (int64_t k = 0; k < m && t->placed; k++) place[k] = t->cell[i + k].place;
}

/* Enters cell i of x as the first of its chain. The same cell is taken away, if it is one of the first that are there. */
static void enter(const chains *t, int64_t i, uint64_t hash, uint64_t place) {
  enum { FIRST = 16 };
  int64_t *to = &t->cell[i].next;
  t->cell[i] = (entry){place, t->head[hash]};
  t->head[hash] = i;
  for (int k = 0; *to >= 0 && k < FIRST; k++, to = &t->cell[*to].next) {
    if (t->cell[*to].place != place) continue;
    if (!is_equal(t, t->kind, *to, t->s->x, i, place, 0)) continue;
    *to = t->cell[*to].next;
    return;
  }
}

/* Are all items vectors of x's first item's type, which has no floats? */
static bool are_texts(ctx *c, const arr *x, const arr *y) {
  uint8_t type = arr_item(x, 0)->type;
  if (type == ET_BIT || (!elt_is_int((elt)type) && !elt_is_char((elt)type))) return false;
  for (const arr *a = x;; a = y) {
    for (int64_t i = 0; i < a->count; i++) {
      const arr *item = arr_item(a, i);
      if (item->type != type || item->rank != 1 || stops_at(c, i)) return false;
    }
    if (a == y) return true;
  }
}

static place_kind kind_of(cells *s) {
  if (s->x->type == ET_NEST)
    return s->size == 1 && are_texts(s->e->c, s->x, s->y) ? TEXTS : SUMS;
  if (s->size == 1 && sort_has_keys(s->x) && sort_has_keys(s->y)) return ELEMENTS;
  return sort_is_whole(s->x) && sort_is_whole(s->y) ? BYTES : SUMS;
}

/* The places of x's items, and the most terms that one has; false after INTERRUPT. */
static bool place_items(chains *t, int64_t *terms) {
  uint64_t place[SC_BLOCK];
  for (int64_t i = 0; i < t->s->nx; i += SC_BLOCK) {
    int64_t m = min_i64(t->s->nx - i, SC_BLOCK);
    if (interrupted(t->s->e->c)) return false;
    *terms = max_i64(*terms, places_of(t, t->s->x, i, m, place));
    for (int64_t k = 0; k < m; k++) t->cell[i + k].place = place[k];
  }
  return true;
}

/* How far apart the places of equal cells are; false after INTERRUPT. */
static bool find_width(chains *t) {
  enum { WIDER = 2 }; /* bits of a stretch besides those in which equal cells differ */
  const cells *s = t->s;
  int64_t terms = min_i64(s->size, MOST_TERMS);
  t->placed = t->kind == SUMS && s->x->type == ET_NEST;
  if (t->placed && !place_items(t, &terms)) return false;
  if (s->ct > 0 && t->kind == SUMS) t->width = (uint64_t)terms * (term_width(s->ct) + 1);
  if (s->ct > 0 && t->kind == ELEMENTS && !t->whole)
    t->width = (uint64_t)(s->ct * 0x1p53) + 2;
  while (t->width >> t->low) t->low++;
  if (t->width) t->low += WIDER;
  return true;
}

/* Empty chains. */
static bool chains_new(cells *s, chains *t) {
  ctx *c = s->e->c;
  *t = (chains){.s = s, .kind = kind_of(s)};
  if (s->nx >= 1ll << 58) return err_set(c, ERR_WS_FULL, "%lld cells", (long long)s->nx);
  int64_t count = next_pow2(max_i64(8, s->nx));
  t->whole = sort_is_whole(s->x) && sort_is_whole(s->y);
  t->factor = (c->seed ^ 0x9E3779B97F4A7C15u) | 1;
  t->shift = 64 - (int)ceil_log2(count);
  t->heads = arr_vec(c, ET_I64, count);
  t->entries = t->heads ? arr_vec(c, ET_I64, 2 * s->nx) : NULL;
  if (!t->entries) return false;
  t->head = t->heads->host;
  t->cell = t->entries->host;
  return mem_fill(c, t->head, -1, (size_t)count * sizeof *t->head) && find_width(t);
}

/* Looks for m cells of y from j on. */
INLINE void find_block(const chains *t, place_kind kind, int64_t j, int64_t m) {
  const cells *s = t->s;
  sought f;
  if (s->x == s->y) own_places(t, j, m, f.place);
  else places_of(t, s->y, j, m, f.place);
  prepare(t, &f, m);
  for (int64_t k = 0; k < m; k++) {
    int64_t at = find(t, kind, &f, k, s->y, j + k, false);
    s->to[j + k] = at < 0 ? s->nx : at;
  }
}

static void find_stretch(void *job, int64_t from, int64_t to) {
  const chains *t = job;
  for (int64_t j = from; j < to; j += SC_BLOCK) {
    int64_t m = min_i64(to - j, SC_BLOCK);
    if (t->kind == ELEMENTS) find_block(t, ELEMENTS, j, m);
    else find_block(t, t->kind, j, m);
  }
}

bool lookup_by_hash(cells *s) {
  static const int steps[] = {[ELEMENTS] = 40, [BYTES] = 10, [SUMS] = 40};
  OWNED_CHAINS chains t;
  if (!chains_new(s, &t)) return false;
  for (int64_t i = s->nx; i > 0;) { /* blocks from the last one on */
    sought f;
    int64_t m = (i - 1) % SC_BLOCK + 1;
    i -= m;
    if (interrupted(s->e->c)) return false;
    own_places(&t, i, m, f.place);
    prepare(&t, &f, m);
    for (int64_t k = m - 1; k >= 0; k--) enter(&t, i + k, f.hash[k], f.place[k]);
  }
  each_loop loop = {.n = s->ny, .cell = s->size, .task = find_stretch, .job = &t};
  if (s->y->type != ET_NEST) /* items are compared by one thread */
    loop.steps = steps[t.kind];
  return each_part(s->e->c, &loop);
}

/* Which of m cells of x from i on are new? Enters those. */
INLINE void enter_news(const chains *t, place_kind kind, int64_t i, int64_t m,
                       bool *news) {
  sought f;
  own_places(t, i, m, f.place);
  prepare(t, &f, m);
  for (int64_t k = 0; k < m; k++) {
    news[k] = find(t, kind, &f, k, t->s->x, i + k, true) < 0;
    if (!news[k]) continue;
    t->cell[i + k] = (entry){f.place[k], t->head[f.hash[k]]};
    t->head[f.hash[k]] = i + k;
  }
}

bool lookup_new_by_hash(cells *s, uint8_t *r) {
  bool news[SC_BLOCK];
  OWNED_CHAINS chains t;
  if (!chains_new(s, &t)) return false;
  for (int64_t i = 0; i < s->nx; i += SC_BLOCK) {
    int64_t m = min_i64(s->nx - i, SC_BLOCK);
    if (interrupted(s->e->c)) return false;
    if (t.kind == ELEMENTS) enter_news(&t, ELEMENTS, i, m, news);
    else enter_news(&t, t.kind, i, m, news);
    sc_block()->pack(news, m, r + i / 8);
  }
  return true;
}
