/* SPDX-License-Identifier: MIT */
/* counted.c - whole numbers, or characters, of a small range in order: how many there are of each
 * says where they begin.
 *
 * Equal neighbours would each wait for the count of the one before. So a vector is counted, and
 * then distributed, in four parts at once, which have a table each:
 *
 *   y     2 0 | 0 1 | 2 2 | 0 1        0   1   2
 *   parts                           1 1 0 1 | 0 1 0 1 | 1 0 2 0     counts
 *                                   0 1 2 2 | 3 3 4 4 | 5 6 6 8     places where they begin
 *
 * A long vector is cut into pieces of four parts, which threads share. */
#include "scalar.h"
#include "../tables/fast.h"
#include "../base/arith.h"
#include "../base/each.h"

#include <string.h>

enum {
  PARTS = 4,
  PIECES = 16,
  MOST = 1 << 12,
  KEYS = 1 << 16
}; /* keys whose places stay in the cache; that have a number of 16 bits */

/* Elements of y from `at` on, in four parts. */
typedef struct piece {
  const arr *y;
  int64_t at, n;
  int64_t part; /* elements of a part; what is left belongs to the last one */
  int first;    /* part that there is: of few elements only the last */
  uint16_t lo;  /* an element's key is its distance from it */
  uint32_t *place
      [PARTS]; /* a table for each part; the tables of all pieces follow one another */
} piece;

typedef struct counting {
  ctx *c;
  int64_t keys, steps; /* of a table; of work for an element */
  int pieces;
  piece piece[PIECES];
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

/* Does its work on elements i to i + m - 1 of each part; `one`: of the last part
 * alone, which extends to the end. */
typedef void step(const piece *w, const block *b, int64_t i, int64_t m, bool one,
                  void *job);

static void each_block(ctx *c, const piece *w, step *f, void *job) {
  block b;
  int64_t end = w->n - (PARTS - 1) * w->part; /* of the last part and what follows */
  for (int64_t i = 0, m; i < end && !stop_is_due(c); i += m) {
    bool one = i >= w->part;
    m = min_i64((one ? end : w->part) - i, SC_BLOCK);
    for (int k = one ? PARTS - 1 : 0; k < PARTS; k++)
      sc_load(w->y, w->at + k * w->part + i, 1, m, SC_I16, b.key[k]);
    f(w, &b, i, m, one, job);
  }
}

/* What is done to all pieces. */
typedef struct stepping {
  const counting *w;
  step *f;
  void *job;
} stepping;

/* A piece is EACH_ALIGN positions of the loop. */
static void step_pieces(void *job, int64_t from, int64_t to) {
  const stepping *s = job;
  for (int64_t i = from / EACH_ALIGN; i < to / EACH_ALIGN; i++)
    each_block(s->w->c, &s->w->piece[i], s->f, s->job);
}

/* False after INTERRUPT, which leaves elements out. */
static bool each_piece(const counting *w, step *f, void *job) {
  stepping s = {w, f, job};
  int64_t cell = w->piece[0].n / EACH_ALIGN, n = w->pieces * EACH_ALIGN;
  each_loop loop = {
      .n = n, .cell = cell, .steps = w->steps, .task = step_pieces, .job = &s};
  if (w->pieces == 1) step_pieces(&s, 0, n);
  else if (!each_part(w->c, &loop)) return false;
  return !interrupted(w->c);
}

/* The next place of the element's key. */
#define NEXT(part, k) w->place[part][(uint16_t)(b->key[part][k] - lo)]++

static void count_block(const piece *w, const block *b, int64_t i, int64_t m, bool one,
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

/* How many pieces: more than one if threads share the work and each piece has many
 * more elements than places. */
static int pieces_of(const counting *w, int64_t n) {
  enum { EACH = 8 };
  int64_t least = PARTS * max_i64(EACH_ALIGN, EACH * w->keys);
  int64_t pieces = min_i64(n / max_i64(w->c->team.part, least), PIECES);
  each_loop loop = {.n = n, .cell = 1, .steps = w->steps};
  return pieces > 1 && each_is_shared(w->c, &loop) ? (int)pieces : 1;
}

/* Tables of which no place has been counted; false after an error. */
static bool tables_new(counting *w, const arr *y, int64_t lo) {
  int64_t n = y->count / w->pieces / EACH_ALIGN * EACH_ALIGN;
  piece p = {.y = y, .n = n, .first = PARTS - 1, .lo = (uint16_t)lo};
  if (y->count >= PARTS * w->keys) p.part = n / (PARTS * EACH_ALIGN) * EACH_ALIGN;
  if (p.part) p.first = 0;
  w->room = arr_vec(w->c, ET_I32, w->pieces * (PARTS - p.first) * w->keys);
  if (!w->room) return false;
  uint32_t *place = w->room->host;
  memset(place, 0, elt_bytes(ET_I32, w->room->count));
  for (int i = 0; i < w->pieces; i++, p.at += n) {
    for (int k = p.first; k < PARTS; k++, place += w->keys) p.place[k] = place;
    w->piece[i] = p;
  }
  w->piece[w->pieces - 1].n = y->count - (w->pieces - 1) * n;
  return true;
}

/* Steps of work for an element: to count it, and to put it where it belongs, too. */
enum { COUNTED = 2, PLACED = 4 };

/* The counts of y's elements, which are from lo to lo + keys - 1; false after an error. */
static bool counting_new(ctx *c, int64_t steps, const arr *y, int64_t lo, int64_t keys,
                         counting *w) {
  w->c = c;
  w->keys = keys;
  w->steps = steps;
  w->room = NULL;
  w->pieces = pieces_of(w, y->count);
  return tables_new(w, y, lo) && each_piece(w, count_block, NULL);
}

static uint32_t *first_table(const counting *w) { return w->room->host; }

/* The tables, copied to locals so that the compiler knows that other writes do not
 * change them. */
typedef struct tables {
  const uint32_t *first;
  int64_t keys, n;
} tables;
static tables tables_of(const counting *w) {
  return (tables){first_table(w), w->keys, w->room->count / w->keys};
}

INLINE int64_t counted_count(tables t, int64_t k) {
  const uint32_t *of = t.first + k;
  if (t.n == PARTS) return (int64_t)of[0] + of[t.keys] + of[2 * t.keys] + of[3 * t.keys];
  int64_t n = 0;
  for (int64_t i = 0; i < t.n; i++) n += of[i * t.keys];
  return n;
}

/* Counts become the places where their elements begin. */
static void counted_begin(const counting *w, bool down) {
  uint32_t sum = 0, *end = first_table(w) + w->room->count;
  for (int64_t i = 0; i < w->keys; i++) {
    int64_t k = down ? w->keys - 1 - i : i;
    for (uint32_t *place = first_table(w) + k; place < end; place += w->keys) {
      uint32_t n = *place;
      *place = sum;
      sum += n;
    }
  }
}

/* ── counts ─────────────────────────────────────────────────────────────────────────── */

bool counted_try_each(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of) {
  int64_t least, most;
  if (!y->count || n > KEYS || n > y->count || y->count > INT32_MAX) return false;
  sc_bounds(y, &least, &most);
  if (lo > least || most - lo >= n) return false;
  OWNED_COUNTING counting w;
  if (!counting_new(c, COUNTED, y, lo, n, &w)) return false;
  tables t = tables_of(&w);
  for (int64_t k = 0; k < n; k++) of[k] += counted_count(t, k);
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
  static void positions_##T(const piece *w, const block *b, int64_t i, int64_t m,        \
                            bool one, void *job) {                                       \
    const put *p = job;                                                                  \
    uint16_t lo = w->lo;                                                                 \
    int64_t part = w->part, first = w->at + i + p->io;                                   \
    PUT(T, POSITION)                                                                     \
  }
POSITIONS(int8_t)
POSITIONS(int16_t)
POSITIONS(int32_t)

#define ELEMENT(which, k) from[(which)*part + (k)]
#define ELEMENTS(T)                                                                      \
  static void elements_##T(const piece *w, const block *b, int64_t i, int64_t m,         \
                           bool one, void *job) {                                        \
    const put *p = job;                                                                  \
    const T *from = (const T *)p->from + w->at + i;                                      \
    uint16_t lo = w->lo;                                                                 \
    int64_t part = w->part;                                                              \
    PUT(T, ELEMENT)                                                                      \
  }
ELEMENTS(uint8_t)
ELEMENTS(uint16_t)
ELEMENTS(uint32_t)
ELEMENTS(uint64_t)

/* Is the vector long enough for that many tables of that length? */
static bool is_small(const arr *y, int64_t lo, int64_t hi) {
  enum { EACH = 4 };
  uint64_t wide = (uint64_t)hi - (uint64_t)lo;
  return wide < (uint64_t)min_i64(MOST, EACH * y->count) && y->count < INT32_MAX;
}

arr *counted_try_order(prim_env *e, const arr *y, bool down) {
  int64_t lo, hi, last = y->count - 1 + e->io;
  sc_bounds(y, &lo, &hi);
  if (!is_small(y, lo, hi)) return NULL;
  OWNED_COUNTING counting w;
  if (!counting_new(e->c, PLACED, y, lo, hi - lo + 1, &w)) return NULL;
  counted_begin(&w, down);
  elt type = elt_for_range(e->io, last);
  OWNED arr *r = arr_vec(e->c, type, y->count);
  if (!r) return NULL;
  put p = {.to = r->host, .io = e->io};
  step *f = positions_int32_t;
  if (type == ET_I8) f = positions_int8_t;
  if (type == ET_I16) f = positions_int16_t;
  if (!each_piece(&w, f, &p)) return NULL;
  arr_set_range(r, e->io, last);
  return arr_move(&r);
}

arr *counted_try_groups(ctx *c, const arr *of, int64_t n, const arr *y) {
  step *const steps[] = {elements_uint8_t, elements_uint16_t, elements_uint32_t,
                         elements_uint64_t};
  int bits = elt_bits((elt)y->type);
  if (n > KEYS || bits < 8 || bits > 64 || arr_nests(y) || y->count > INT32_MAX)
    return NULL;
  OWNED_COUNTING counting w;
  if (!counting_new(c, PLACED, of, 0, n, &w)) return NULL;
  counted_begin(&w, false);
  OWNED arr *r = arr_vec(c, (elt)y->type, y->count);
  if (!r) return NULL;
  put p = {.to = r->host, .from = y->host};
  if (!each_piece(&w, steps[ceil_log2(bits / 8)], &p)) return NULL;
  if (y->has_range) arr_set_range(r, y->lo, y->hi);
  return arr_move(&r);
}

/* ── values ─────────────────────────────────────────────────────────────────────────── */

/* All elements in order, of which a stretch is the task. */
typedef struct values {
  arr *r;
  const uint32_t *first; /* where the elements of each key begin */
  int64_t lo, keys;
  bool down;
} values;

/* The counts of the first table become the places where the elements of each key begin. */
static void begin_runs(const counting *w, bool down) {
  uint32_t sum = 0, *first = first_table(w);
  tables t = tables_of(w);
  for (int64_t i = 0; i < w->keys; i++) {
    int64_t k = down ? w->keys - 1 - i : i, n = counted_count(t, k);
    first[k] = sum;
    sum += (uint32_t)n;
  }
}

/* The key that comes number k in the order. */
static inline int64_t key_in_turn(const values *v, int64_t k) {
  return v->down ? v->keys - 1 - k : k;
}

/* The last key whose elements begin at i or before: the key of element i. */
static int64_t turn_at(const values *v, int64_t i) {
  int64_t lo = 0, hi = v->keys;
  while (hi - lo > 1) {
    int64_t mid = lo + (hi - lo) / 2;
    if (v->first[key_in_turn(v, mid)] <= i) lo = mid;
    else hi = mid;
  }
  return lo;
}

/* Copies *v first, because for the compiler r may overlap it. */
#define RUNS(T)                                                                          \
  {                                                                                      \
    const values w = *v;                                                                 \
    T *r = w.r->host, *at = r + from, *end = r + to;                                     \
    for (int64_t k = from ? turn_at(v, from) : 0; at < end; k++) {                       \
      const T value = (T)(w.lo + key_in_turn(&w, k));                                    \
      T *next = end;                                                                     \
      if (k + 1 < w.keys) next = r + w.first[key_in_turn(&w, k + 1)];                    \
      if (next > end) next = end;                                                        \
      while (at < next) *at++ = value;                                                   \
    }                                                                                    \
    break;                                                                               \
  }
static void runs_stretch(void *job, int64_t from, int64_t to) {
  const values *v = job;
  switch (elt_bits((elt)v->r->type)) {
  case 8: RUNS(uint8_t)
  case 16: RUNS(uint16_t)
  case 32: RUNS(uint32_t)
  default: RUNS(uint64_t)
  }
}

/* The same for all elements by one thread, which needs no places. */
#define ALL_RUNS(T)                                                                      \
  {                                                                                      \
    T *at = v->r->host;                                                                  \
    const values of = *v;                                                                \
    for (int64_t i = 0; i < t.keys; i++) {                                               \
      int64_t k = key_in_turn(&of, i);                                                   \
      T value = (T)(of.lo + k), *next = at + counted_count(t, k);                        \
      while (at < next) *at++ = value;                                                   \
    }                                                                                    \
    break;                                                                               \
  }
static void all_runs(tables t, const values *v) {
  switch (elt_bits((elt)v->r->type)) {
  case 8: ALL_RUNS(uint8_t)
  case 16: ALL_RUNS(uint16_t)
  case 32: ALL_RUNS(uint32_t)
  default: ALL_RUNS(uint64_t)
  }
}

static bool put_runs(const counting *w, values *v) {
  each_loop loop = {
      .n = v->r->count, .cell = 1, .steps = 1, .task = runs_stretch, .job = v};
  loop.per = 64 / elt_bits((elt)v->r->type);
  if (!each_is_long(w->c, loop.n / loop.per)) {
    all_runs(tables_of(w), v);
    return true;
  }
  begin_runs(w, v->down);
  return each_part(w->c, &loop);
}

arr *counted_try_values(ctx *c, const arr *y, bool down) {
  int64_t lo, hi, n = y->count;
  sc_bounds(y, &lo, &hi);
  uint64_t wide = (uint64_t)hi - (uint64_t)lo;
  if (wide >= (uint64_t)min_i64(KEYS, n) || n > INT32_MAX || y->type == ET_BIT)
    return NULL;
  OWNED_COUNTING counting w;
  if (!counting_new(c, COUNTED, y, lo, hi - lo + 1, &w)) return NULL;
  OWNED arr *r = arr_vec(c, (elt)y->type, n);
  if (!r) return NULL;
  values v = {.r = r, .lo = lo, .keys = w.keys, .down = down};
  v.first = first_table(&w);
  if (!put_runs(&w, &v)) return NULL;
  if (elt_is_int((elt)y->type)) arr_set_range(r, lo, hi);
  return arr_move(&r);
}
