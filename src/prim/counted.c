/* SPDX-License-Identifier: MIT */
/* counted.c - whole numbers, or characters, of a small range in order: how many there are of each
 * says where they begin.
 *
 * Of equal neighbours each would wait for the count of the one before. So a vector is counted, and
 * then distributed, in four parts at once, which have a table each:
 *
 *   y     2 0 | 0 1 | 2 2 | 0 1        0   1   2
 *   parts                           1 1 0 1 | 0 1 0 1 | 1 0 2 0     counts
 *                                   0 1 2 2 | 3 3 4 4 | 5 6 6 8     places where they begin
 */
#include "counted.h"
#include "scalar.h"
#include "../base/arith.h"

#include <string.h>

enum {
  PARTS = 4,
  MOST = 1 << 12,
  KEYS = 1 << 16
}; /* keys whose places stay in the cache; that have a number of 16 bits */

typedef struct counting {
  ctx *c;
  const arr *y;
  uint16_t lo;
  int64_t keys;           /* an element's key is its distance from lo */
  int64_t part;           /* elements of a part; what is left belongs to the last one */
  int first;              /* part that there is: of few elements only the last */
  uint32_t *place[PARTS]; /* keys each */
  arr *room;
} counting;

static void counting_free(counting *w) {
  if (w->room) arr_release(w->room);
}
#define OWNED_COUNTING __attribute__((cleanup(counting_free)))

/* Keys of m elements from i on, of all parts or of what is behind them. */
typedef struct block {
  uint16_t key[PARTS][SC_BLOCK];
} block;

/* What is done to the elements at i to i + m - 1 of each part; `one`: of the last one alone, which
 * goes on to the end. */
typedef void step(const counting *w, const block *b, int64_t i, int64_t m, bool one,
                  void *job);

static bool each_block(const counting *w, step *f, void *job) {
  block b;
  int64_t end =
      w->y->count - (PARTS - 1) * w->part; /* of the last part and what follows */
  for (int64_t i = 0, m; i < end; i += m) {
    bool one = i >= w->part;
    m = min_i64((one ? end : w->part) - i, SC_BLOCK);
    for (int k = one ? PARTS - 1 : 0; k < PARTS; k++)
      sc_load(w->y, k * w->part + i, 1, m, SC_H, b.key[k]);
    if (interrupted(w->c)) return false;
    f(w, &b, i, m, one, job);
  }
  return true;
}

/* The next place of the element's key. */
#define NEXT(part, k) w->place[part][(uint16_t)(b->key[part][k] - lo)]++

static void count_block(const counting *w, const block *b, int64_t i, int64_t m, bool one,
                        void *job) {
  uint16_t lo = w->lo;
  (void)i, (void)job;
  for (int64_t k = 0; !one && k < m; k++) {
    NEXT(0, k);
    NEXT(1, k);
    NEXT(2, k);
    NEXT(3, k);
  }
  for (int64_t k = 0; one && k < m; k++) NEXT(3, k);
}

/* The counts of y's elements, which are from lo to lo + keys - 1; false after an error. */
static bool counting_new(ctx *c, const arr *y, int64_t lo, int64_t keys, counting *w) {
  enum { ALIGN = 64 };
  *w = (counting){.c = c, .y = y, .lo = (uint16_t)lo, .keys = keys};
  w->part = y->count / (PARTS * ALIGN) * ALIGN;
  if (y->count < PARTS * keys) w->part = 0;
  w->first = w->part ? 0 : PARTS - 1;
  w->room = arr_vec(c, ET_I32, (PARTS - w->first) * keys);
  if (!w->room) return false;
  memset(w->room->host, 0, elt_bytes(ET_I32, w->room->count));
  for (int k = w->first; k < PARTS; k++)
    w->place[k] = (uint32_t *)w->room->host + (k - w->first) * keys;
  return each_block(w, count_block, NULL);
}

static int64_t count_of(const counting *w, int64_t k) {
  int64_t n = 0;
  for (int part = w->first; part < PARTS; part++) n += w->place[part][k];
  return n;
}

/* Counts become the places where their elements begin. */
static void begin(const counting *w, bool down) {
  uint32_t sum = 0;
  for (int64_t i = 0; i < w->keys; i++) {
    int64_t k = down ? w->keys - 1 - i : i;
    for (int part = w->first; part < PARTS; part++) {
      uint32_t n = w->place[part][k];
      w->place[part][k] = sum;
      sum += n;
    }
  }
}

/* ── counts ─────────────────────────────────────────────────────────────────────────── */

static bool count_within(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of) {
  OWNED_COUNTING counting w;
  if (!counting_new(c, y, lo, n, &w)) return false;
  for (int64_t k = 0; k < n; k++) of[k] += count_of(&w, k);
  return true;
}

bool count_each(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of) {
  int64_t least, most, b[SC_BLOCK];
  if (!y->count) return true;
  sc_bounds(y, &least, &most);
  bool dense = n <= KEYS && n <= y->count && y->count <= INT32_MAX;
  if (dense && lo <= least && most - lo < n) return count_within(c, y, lo, n, of);
  for (int64_t i = 0; i < y->count; i += SC_BLOCK) {
    int64_t m = min_i64(y->count - i, SC_BLOCK);
    sc_load(y, i, 1, m, SC_I, b);
    for (int64_t k = 0; k < m; k++) {
      uint64_t at = (uint64_t)b[k] - (uint64_t)lo;
      if (at < (uint64_t)n) of[at]++;
    }
    if (interrupted(c)) return false;
  }
  return true;
}

/* ── positions and elements ─────────────────────────────────────────────────────────── */

typedef struct put {
  void *to;
  const void *from;
  int io;
} put;

/* The elements of a block, of all parts, that VALUE(part, k) gives. */
#define PUT(T, VALUE)                                                                    \
  {                                                                                      \
    T *r = p->to;                                                                        \
    for (int64_t k = 0; !one && k < m; k++) {                                            \
      r[NEXT(0, k)] = (T)(VALUE(0, k));                                                  \
      r[NEXT(1, k)] = (T)(VALUE(1, k));                                                  \
      r[NEXT(2, k)] = (T)(VALUE(2, k));                                                  \
      r[NEXT(3, k)] = (T)(VALUE(3, k));                                                  \
    }                                                                                    \
    for (int64_t k = 0; one && k < m; k++) r[NEXT(3, k)] = (T)(VALUE(3, k));             \
  }

#define POSITION(which, k) ((which)*part + first + (k))
#define POSITIONS(T)                                                                     \
  static void positions_##T(const counting *w, const block *b, int64_t i, int64_t m,     \
                            bool one, void *job) {                                       \
    const put *p = job;                                                                  \
    uint16_t lo = w->lo;                                                                 \
    int64_t part = w->part, first = i + p->io;                                           \
    PUT(T, POSITION)                                                                     \
  }
POSITIONS(int8_t)
POSITIONS(int16_t)
POSITIONS(int32_t)

#define ELEMENT(which, k) from[(which)*part + (k)]
#define ELEMENTS(T)                                                                      \
  static void elements_##T(const counting *w, const block *b, int64_t i, int64_t m,      \
                           bool one, void *job) {                                        \
    const put *p = job;                                                                  \
    const T *from = (const T *)p->from + i;                                              \
    uint16_t lo = w->lo;                                                                 \
    int64_t part = w->part;                                                              \
    PUT(T, ELEMENT)                                                                      \
  }
ELEMENTS(uint8_t)
ELEMENTS(uint16_t)
ELEMENTS(uint32_t)
ELEMENTS(uint64_t)

/* Of a vector that is worth so many tables of that length? */
static bool is_small(const arr *y, int64_t lo, int64_t hi) {
  enum { EACH = 4 };
  uint64_t wide = (uint64_t)hi - (uint64_t)lo;
  return wide < (uint64_t)min_i64(MOST, EACH * y->count) && y->count < INT32_MAX;
}

arr *counted_order(prim_env *e, const arr *y, bool down) {
  int64_t lo, hi, last = y->count - 1 + e->io;
  sc_bounds(y, &lo, &hi);
  if (!is_small(y, lo, hi)) return NULL;
  OWNED_COUNTING counting w;
  if (!counting_new(e->c, y, lo, hi - lo + 1, &w)) return NULL;
  begin(&w, down);
  elt type = elt_for_range(e->io, last);
  OWNED arr *r = arr_vec(e->c, type, y->count);
  if (!r) return NULL;
  put p = {.to = r->host, .io = e->io};
  step *f = positions_int32_t;
  if (type == ET_I8) f = positions_int8_t;
  if (type == ET_I16) f = positions_int16_t;
  if (!each_block(&w, f, &p)) return NULL;
  arr_set_range(r, e->io, last);
  return arr_move(&r);
}

arr *counted_groups(ctx *c, const arr *of, int64_t n, const arr *y) {
  step *const steps[] = {elements_uint8_t, elements_uint16_t, elements_uint32_t,
                         elements_uint64_t};
  int bits = elt_bits((elt)y->type);
  if (n > KEYS || bits < 8 || bits > 64 || arr_nests(y) || y->count > INT32_MAX)
    return NULL;
  OWNED_COUNTING counting w;
  if (!counting_new(c, of, 0, n, &w)) return NULL;
  begin(&w, false);
  OWNED arr *r = arr_vec(c, (elt)y->type, y->count);
  if (!r) return NULL;
  put p = {.to = r->host, .from = y->host};
  if (!each_block(&w, steps[ceil_log2(bits / 8)], &p)) return NULL;
  if (y->has_range) arr_set_range(r, y->lo, y->hi);
  return arr_move(&r);
}

/* ── values ─────────────────────────────────────────────────────────────────────────── */

#define RUNS(T)                                                                          \
  {                                                                                      \
    T *to = r->host;                                                                     \
    for (int64_t i = 0; i < w.keys; i++) {                                               \
      int64_t k = down ? w.keys - 1 - i : i;                                             \
      T v = (T)(lo + k), *end = to + count_of(&w, k);                                    \
      while (to < end) *to++ = v;                                                        \
    }                                                                                    \
    break;                                                                               \
  }

arr *counted_values(ctx *c, const arr *y, bool down) {
  int64_t lo, hi, n = y->count;
  sc_bounds(y, &lo, &hi);
  uint64_t wide = (uint64_t)hi - (uint64_t)lo;
  if (wide >= (uint64_t)min_i64(KEYS, n) || n > INT32_MAX || y->type == ET_BIT)
    return NULL;
  OWNED_COUNTING counting w;
  if (!counting_new(c, y, lo, hi - lo + 1, &w)) return NULL;
  OWNED arr *r = arr_vec(c, (elt)y->type, n);
  if (!r) return NULL;
  switch (elt_bits((elt)y->type)) {
  case 8: RUNS(uint8_t)
  case 16: RUNS(uint16_t)
  case 32: RUNS(uint32_t)
  default: RUNS(uint64_t)
  }
  if (elt_is_int((elt)y->type)) arr_set_range(r, lo, hi);
  return arr_move(&r);
}
