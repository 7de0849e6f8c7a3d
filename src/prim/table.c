/* SPDX-License-Identifier: MIT */
/* table.c - x⍳y, x∊y and ≠y of whole numbers, or of characters, of a small range.
 *
 * A table has a place for each number of the range, and one more for whatever is beyond it. The
 * elements are read as they are stored, by a loop for each type, and looked up at their distance
 * from the least:
 *
 *   x  5 3 4 3          first  2 3 1 | 5          y  4 5 9  →  3 1 5
 *
 * An array of a small range has every number of it soon: the table is looked at after 512 elements,
 * 1024, 2048 and so on, and once it is full the rest tells nothing new. */
#include "../tables/fast.h"
#include "sort_keys.h"
#include "scalar.h"
#include "set_loops.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/convert.h"

#include <string.h>

/* ── loops ──────────────────────────────────────────────────────────────────────────── */

/* What is done to elements i to end - 1 of v. An element's place in the table is its distance from
 * `lo`; `beyond` is that of all that are further away. */
typedef struct loops {
  void (*first)(const void *v, int64_t i, int64_t end, int64_t lo, int64_t add,
                int32_t *of);
  void (*mark)(const void *v, int64_t i, int64_t end, int64_t lo, bool *of);
  void (*news)(const void *v, int64_t i, int64_t end, int64_t lo, bool *of, bool *r);
  void (*find)(const void *v, int64_t i, int64_t end, int64_t lo, uint64_t beyond,
               const int32_t *of, int32_t *r);
  void (*among)(const void *v, int64_t i, int64_t end, int64_t lo, uint64_t beyond,
                const bool *of, uint8_t *bits);
} loops;

#define UNROLLED _Pragma("GCC unroll 8")
#define PLACE(v) ((uint64_t)(v) - (uint64_t)lo)
#define WITHIN(k) ((k) < beyond ? (k) : beyond)
#define LOOPS(T)                                                                         \
  static void first_##T(const void *v, int64_t i, int64_t end, int64_t lo, int64_t add,  \
                        int32_t *of) {                                                   \
    for (const T *a = v; i < end; i++) {                                                 \
      uint64_t k = PLACE(a[i]);                                                          \
      int32_t at = (int32_t)(i + add);                                                   \
      of[k] = at < of[k] ? at : of[k];                                                   \
    }                                                                                    \
  }                                                                                      \
  static void mark_##T(const void *v, int64_t i, int64_t end, int64_t lo, bool *of) {    \
    for (const T *a = v; i < end; i++) of[PLACE(a[i])] = true;                           \
  }                                                                                      \
  static void news_##T(const void *v, int64_t i, int64_t end, int64_t lo, bool *of,      \
                       bool *r) {                                                        \
    for (const T *a = v; i < end; i++, r++) {                                            \
      uint64_t k = PLACE(a[i]);                                                          \
      *r = !of[k];                                                                       \
      of[k] = true;                                                                      \
    }                                                                                    \
  }                                                                                      \
  static void find_##T(const void *v, int64_t i, int64_t end, int64_t lo,                \
                       uint64_t beyond, const int32_t *of, int32_t *r) {                 \
    UNROLLED for (const T *a = v; i < end; i++) {                                        \
      uint64_t k = PLACE(a[i]);                                                          \
      *r++ = of[WITHIN(k)];                                                              \
    }                                                                                    \
  }                                                                                      \
  static void among_##T(const void *v, int64_t i, int64_t end, int64_t lo,               \
                        uint64_t beyond, const bool *of, uint8_t *bits) {                \
    const T *a = v;                                                                      \
    for (; end - i >= 8; i += 8) {                                                       \
      unsigned w = 0;                                                                    \
      UNROLLED for (int b = 0; b < 8; b++) {                                             \
        uint64_t k = PLACE(a[i + b]);                                                    \
        w |= (unsigned)of[WITHIN(k)] << b;                                               \
      }                                                                                  \
      *bits++ = (uint8_t)w;                                                              \
    }                                                                                    \
    unsigned w = 0;                                                                      \
    for (int b = 0; i < end; i++, b++) {                                                 \
      uint64_t k = PLACE(a[i]);                                                          \
      w |= (unsigned)of[WITHIN(k)] << b;                                                 \
      *bits = (uint8_t)w;                                                                \
    }                                                                                    \
  }                                                                                      \
  static const loops of_##T = {first_##T, mark_##T, news_##T, find_##T, among_##T};
LOOPS(int8_t)
LOOPS(int16_t)
LOOPS(int32_t)
LOOPS(int64_t)
LOOPS(uint8_t)
LOOPS(uint16_t)
LOOPS(uint32_t)

static const loops *loops_of(const arr *a) {
  switch (a->type) {
  case ET_I8: return &of_int8_t;
  case ET_I16: return &of_int16_t;
  case ET_I32: return &of_int32_t;
  case ET_C8: return &of_uint8_t;
  case ET_C16: return &of_uint16_t;
  case ET_C32: return &of_uint32_t;
  default: return &of_int64_t;
  }
}

/* Whole numbers or characters that have loops: truth values become bytes. */
static arr *with_loops(ctx *c, arr *a) {
  return a->type == ET_BIT ? arr_convert(c, a, ET_I8) : arr_retain(a);
}

/* ── tables ─────────────────────────────────────────────────────────────────────────── */

enum { FEW = 4, LOOK = 1 << 16 };

typedef struct table {
  ctx *c;
  arr *a, *room; /* whose elements are entered, and what the table lies in */
  int64_t lo, add;
  uint64_t beyond;
  int32_t none, *first; /* either a first position for each number, or `none` */
  bool *marks;          /* or whether it is there */
  arr *
      news; /* NULL, or truth values, all false so far: is an element the first of its kind? */
} table;

static void table_free(table *t) {
  if (t->a) arr_release(t->a);
  if (t->room) arr_release(t->room);
}
#define OWNED_TABLE __attribute__((cleanup(table_free)))

/* A table is to be cleared, and much of it to stay in the cache. */
static bool is_small(int64_t lo, int64_t hi, int64_t n, int64_t looked_up) {
  uint64_t all = (uint64_t)n + (uint64_t)looked_up;
  return (uint64_t)hi - (uint64_t)lo < min_u64(1024 + 16 * all, 65536 + 4 * all);
}

static bool are_alike(const arr *x, const arr *y) {
  bool text = elt_is_char((elt)x->type);
  return sort_is_whole(x) && sort_is_whole(y) && text == elt_is_char((elt)y->type);
}

/* A table for a's elements, with nothing entered. Returns false, with no error, if it would not be
 * small. `first`: of positions, which `none` is beyond; else of marks. */
static bool try_table_new(ctx *c, arr *a, int64_t looked_up, bool first, table *t) {
  int64_t hi;
  if (!a->count || looked_up <= FEW || a->count >= INT32_MAX) return false;
  t->c = c;
  t->a = with_loops(c, a);
  if (!t->a) return false;
  sc_bounds(t->a, &t->lo, &hi);
  if (!is_small(t->lo, hi, a->count, looked_up)) return false;
  t->beyond = (uint64_t)hi - (uint64_t)t->lo + 1;
  enum { VECTOR = 16 }; /* which `repeat` writes whole */
  int64_t places = (int64_t)t->beyond + 1;
  t->room = arr_vec(c, first ? ET_I32 : ET_I8, places + (first ? VECTOR : 0));
  if (!t->room) return false;
  if (!first) {
    t->marks = memset(t->room->host, 0, (size_t)places);
    return true;
  }
  t->first = t->room->host;
  t->first[0] = t->first[1] = t->none;
  sc_block()->repeat(sizeof *t->first, places, t->first);
  return true;
}

static bool is_full(const table *t) {
  if (t->marks) return !memchr(t->marks, 0, t->beyond);
  for (uint64_t k = 0; k < t->beyond; k++)
    if (t->first[k] == t->none) return false;
  return true;
}

/* Enters elements i to end - 1, which begin at a multiple of SC_BLOCK. */
static void table_enter(const table *t, int64_t i, int64_t end) {
  const loops *with = loops_of(t->a);
  bool b[SC_BLOCK];
  if (t->first) with->first(t->a->host, i, end, t->lo, t->add, t->first);
  else if (!t->news) with->mark(t->a->host, i, end, t->lo, t->marks);
  for (; t->news && i < end; i += SC_BLOCK) {
    int64_t m = min_i64(end - i, SC_BLOCK);
    with->news(t->a->host, i, i + m, t->lo, t->marks, b);
    sc_block()->pack(b, m, (uint8_t *)t->news->host + i / 8);
  }
}

/* Enters all elements; false after INTERRUPT. */
static bool fill(const table *t) {
  int64_t look = SC_BLOCK;
  for (int64_t i = 0, end; i < t->a->count; i = end) {
    end = min_i64(t->a->count, i + min_i64(max_i64(i, SC_BLOCK), LOOK));
    if (interrupted(t->c)) return false;
    table_enter(t, i, end);
    if (end < look) continue;
    if (is_full(t)) return true;
    look = 2 * end;
  }
  return true;
}

/* ── what is looked up ──────────────────────────────────────────────────────────────── */

typedef struct lookup {
  const table *t;
  arr *y, *r;
} lookup;

static void find_stretch(void *job, int64_t i, int64_t to) {
  const lookup *l = job;
  const table *t = l->t;
  int32_t b[SC_BLOCK];
  size_t width = (size_t)elt_bits((elt)l->r->type) / 8;
  for (int64_t m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    char *at = (char *)l->r->host + (size_t)i * width;
    int32_t *r = b;
    if (width == sizeof *b) r = (int32_t *)(void *)at;
    loops_of(l->y)->find(l->y->host, i, i + m, t->lo, t->beyond, t->first, r);
    if (r == b) sc_block()->store(SC_I32, b, m, (elt)l->r->type, at);
  }
}

static void among_stretch(void *job, int64_t i, int64_t to) {
  const lookup *l = job;
  const table *t = l->t;
  loops_of(l->y)->among(l->y->host, i, to, t->lo, t->beyond, t->marks,
                        (uint8_t *)l->r->host + i / 8);
}

/* A byte's bit in a set of all that bytes can be (set_loops.h says where it is). */
static void set_put(uint8_t set[32], uint8_t v, bool in) {
  uint8_t *at = &set[(v & 15) | (v >> 7 << 4)], one = (uint8_t)(1 << (v >> 4 & 7));
  *at = in ? *at | one : (uint8_t)(*at & ~one);
}

/* Bytes have a set of all that they can be. */
static void bytes_stretch(void *job, int64_t i, int64_t to) {
  const lookup *l = job;
  const table *t = l->t;
  uint8_t set[32];
  bool text = l->y->type == ET_C8;
  int64_t least = text ? 0 : INT8_MIN, most = text ? UINT8_MAX : INT8_MAX;
  int64_t end = min_i64(t->lo + (int64_t)t->beyond - 1, most);
  memset(set, t->marks[t->beyond] ? 0xff : 0, sizeof set);
  for (int64_t v = max_i64(t->lo, least); v <= end; v++)
    set_put(set, (uint8_t)v, t->marks[v - t->lo]);
  const uint8_t *from = (const uint8_t *)l->y->host + i;
  set_loops_here()->among(set, from, to - i, (uint8_t *)l->r->host + i / 8);
}

/* A range of 512 numbers is a set of bits. */
enum { NEAR = 512 };
static void near_stretch(void *job, int64_t i, int64_t to) {
  const lookup *l = job;
  const table *t = l->t;
  uint8_t set[NEAR / 8] = {0};
  int width = elt_bits((elt)l->y->type) / 8;
  bool far = t->marks[t->beyond];
  for (uint64_t k = 0; k < NEAR; k++)
    set[k / 8] |= (uint8_t)((k < t->beyond ? t->marks[k] : far) << k % 8);
  const char *from = (const char *)l->y->host + i * width;
  set_loops_here()->near(set, t->lo, far, width, from, to - i,
                         (uint8_t *)l->r->host + i / 8);
}

/* Are y's elements of 16 or 32 bits, and all of the table's in their type? */
static bool is_near(const table *t, const arr *y) {
  int64_t hi = t->lo + (int64_t)t->beyond - 1, least = 0, most = UINT16_MAX;
  if (t->beyond > NEAR) return false;
  switch (y->type) {
  case ET_I16:
    least = INT16_MIN;
    most = INT16_MAX;
    break;
  case ET_I32:
    least = INT32_MIN;
    most = INT32_MAX;
    break;
  case ET_C16: break;
  case ET_C32: most = UINT32_MAX; break;
  default: return false;
  }
  return t->lo >= least && hi <= most;
}

static bool look_up(ctx *c, lookup *l,
                    void (*task)(void *job, int64_t from, int64_t to)) {
  enum { OF_BYTES = 32, OF_NEAR = 8 }; /* by vectors */
  each_loop loop = {.n = l->y->count, .cell = 1, .steps = 2, .task = task, .job = l};
  if (task == bytes_stretch) loop.per = OF_BYTES;
  if (task == near_stretch) loop.per = OF_NEAR;
  return each_part(c, &loop);
}

arr *table_try_positions(prim_env *e, arr *x, arr *y) {
  int64_t none = x->count + e->io;
  elt type = elt_for_range(e->io, none);
  OWNED_TABLE table t = {.none = (int32_t)none, .add = e->io};
  if (x->rank != 1 || !are_alike(x, y) || type == ET_BIT || !y->count) return NULL;
  if (!try_table_new(e->c, x, y->count, true, &t) || !fill(&t)) return NULL;
  OWNED arr *from = with_loops(e->c, y);
  OWNED arr *r = from ? arr_new(e->c, type, y->rank, y->shape) : NULL;
  if (!r || !look_up(e->c, &(lookup){&t, from, r}, find_stretch)) return NULL;
  arr_set_range(r, e->io, none);
  return arr_move(&r);
}

/* Few bytes among few need no table. Returns NULL, with no error, if there are more, or others. */
static arr *try_members_of_bytes(prim_env *e, const arr *x, const arr *y, bool in) {
  enum { SHORT = 4096, SET = 256 };
  const uint8_t *v = y->host;
  uint8_t set[32];
  if (x->type != y->type || (x->type != ET_C8 && x->type != ET_I8)) return NULL;
  if (x->count > SHORT || y->count > SET) return NULL;
  memset(set, in ? 0 : 0xff, sizeof set);
  for (int64_t i = 0; i < y->count; i++) set_put(set, v[i], in);
  arr *r = arr_new_as(e->c, ET_BIT, x);
  if (r) set_loops_here()->among(set, x->host, x->count, r->host);
  return r;
}

arr *table_try_members(prim_env *e, arr *x, arr *y, bool in) {
  enum { MANY = 64 }; /* so many are worth a set of their own */
  OWNED_TABLE table t = {.c = NULL};
  if (!are_alike(x, y) || !x->count) return NULL;
  arr *few = try_members_of_bytes(e, x, y, in);
  if (few || err_is(e->c)) return few;
  if (!try_table_new(e->c, y, x->count, false, &t) || !fill(&t)) return NULL;
  for (uint64_t k = 0; !in && k <= t.beyond; k++) t.marks[k] = !t.marks[k];
  OWNED arr *from = with_loops(e->c, x);
  OWNED arr *r = from ? arr_new(e->c, ET_BIT, x->rank, x->shape) : NULL;
  if (!r) return NULL;
  void (*task)(void *job, int64_t i, int64_t to) = among_stretch;
  if (elt_bits((elt)from->type) == 8 && from->count >= MANY) task = bytes_stretch;
  else if (is_near(&t, from) && from->count >= NEAR) task = near_stretch;
  return look_up(e->c, &(lookup){&t, from, r}, task) ? arr_move(&r) : NULL;
}

arr *table_try_news(prim_env *e, arr *y) {
  OWNED_TABLE table t = {.c = NULL};
  if (y->rank != 1 || !sort_is_whole(y)) return NULL;
  if (!try_table_new(e->c, y, y->count, false, &t)) return NULL;
  OWNED arr *r = arr_vec(e->c, ET_BIT, y->count);
  if (!r) return NULL;
  memset(r->host, 0, elt_bytes(ET_BIT, r->count));
  t.news = r;
  return fill(&t) ? arr_move(&r) : NULL;
}
