/* SPDX-License-Identifier: MIT */
/* box_copy.c - the one place where elements move: runs (arr_copy) and boxes (copy_box, put_box).
 *
 * A box is moved plane by plane: its last axis, and where it helps a second one, are the two
 * loops of a function for the element's size (1, 2, 4, 8 or 16 bytes, bits, references); the
 * other axes are counted through around it. The second axis is the one along which the source
 * lies closest together. If that is not the last axis too (⍉), the plane is cut into tiles, so
 * that the lines of the cache that a tile reads and writes stay there.
 *
 * TRIED: transposing two at a time, and one line again and again by longer and longer runs: no gain. */
#include "box_copy.h"
#include "bits.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "element.h"

#include <assert.h>
#include <string.h>

static inline void bit_put(uint8_t *p, int64_t i, bool v) {
  uint8_t m = (uint8_t)(1u << (i & 7));
  if (v) p[i >> 3] |= m;
  else p[i >> 3] &= (uint8_t)~m;
}

/* ── runs ───────────────────────────────────────────────────────────────────────────── */

/* n bits of one byte of r; y's may be those of two. */
static inline void copy_few_bits(uint8_t *r, int64_t i, const uint8_t *y, int64_t j,
                                 int64_t n) {
  int shift = (int)(i & 7), off = (int)(j & 7);
  unsigned w = (unsigned)y[j >> 3] >> off, mask = ((1u << n) - 1) << shift;
  if (off + n > 8) w |= (unsigned)y[(j >> 3) + 1] << (8 - off);
  r[i >> 3] = (uint8_t)((r[i >> 3] & ~mask) | (w << shift & mask));
}

static void copy_bits(uint8_t *r, int64_t i, const uint8_t *y, int64_t j, int64_t n) {
  int64_t m = min_i64(n, -i & 7);
  if (m > 0) copy_few_bits(r, i, y, j, m);
  i += m;
  j += m;
  n -= m;
  if (n >= 8 && !(j & 7)) {
    memcpy(r + (i >> 3), y + (j >> 3), (size_t)(n >> 3));
    i += n & ~7ll;
    j += n & ~7ll;
    n &= 7;
  }
  for (; n >= 64; i += 64, j += 64, n -= 64) { /* j is no multiple of 8 then */
    uint64_t w;
    memcpy(&w, y + (j >> 3), sizeof w);
    w = w >> (j & 7) | (uint64_t)y[(j >> 3) + 8] << (64 - (j & 7));
    memcpy(r + (i >> 3), &w, sizeof w);
  }
  for (; n > 0; i += 8, j += 8, n -= 8) copy_few_bits(r, i, y, j, min_i64(n, 8));
}

#define WIDEN(R, Y)                                                                      \
  {                                                                                      \
    const Y *yp = (const Y *)y->host + j;                                                \
    R *rp = (R *)r->host + i;                                                            \
    for (int64_t k = 0; k < n; k++) rp[k] = (R)yp[k];                                    \
    return;                                                                              \
  }
#define WIDEN_BITS(R)                                                                    \
  {                                                                                      \
    const uint8_t *yp = y->host;                                                         \
    R *rp = (R *)r->host + i;                                                            \
    for (int64_t k = 0; k < n; k++) rp[k] = (R)(yp[(j + k) >> 3] >> ((j + k) & 7) & 1);  \
    return;                                                                              \
  }
#define PAIR(r, y) ((r)*ET_COUNT + (y))

static void convert_run(arr *r, int64_t i, const arr *y, int64_t j, int64_t n) {
  switch (PAIR(r->type, y->type)) { /* the pairs that long arrays meet */
  case PAIR(ET_I8, ET_BIT): WIDEN_BITS(int8_t)
  case PAIR(ET_I16, ET_BIT): WIDEN_BITS(int16_t)
  case PAIR(ET_I32, ET_BIT): WIDEN_BITS(int32_t)
  case PAIR(ET_I64, ET_BIT): WIDEN_BITS(int64_t)
  case PAIR(ET_F64, ET_BIT): WIDEN_BITS(double)
  case PAIR(ET_I16, ET_I8): WIDEN(int16_t, int8_t)
  case PAIR(ET_I32, ET_I8): WIDEN(int32_t, int8_t)
  case PAIR(ET_I32, ET_I16): WIDEN(int32_t, int16_t)
  case PAIR(ET_I64, ET_I8): WIDEN(int64_t, int8_t)
  case PAIR(ET_I64, ET_I16): WIDEN(int64_t, int16_t)
  case PAIR(ET_I64, ET_I32): WIDEN(int64_t, int32_t)
  case PAIR(ET_F64, ET_I8): WIDEN(double, int8_t)
  case PAIR(ET_F64, ET_I16): WIDEN(double, int16_t)
  case PAIR(ET_F64, ET_I32): WIDEN(double, int32_t)
  case PAIR(ET_F64, ET_I64): WIDEN(double, int64_t)
  case PAIR(ET_F64, ET_F32): WIDEN(double, float)
  case PAIR(ET_F64, ET_C128): /* the real parts */
    for (int64_t k = 0; k < n; k++)
      ((double *)r->host)[i + k] = ((const double *)y->host)[2 * (j + k)];
    return;
  case PAIR(ET_C16, ET_C8): WIDEN(uint16_t, uint8_t)
  case PAIR(ET_C32, ET_C8): WIDEN(uint32_t, uint8_t)
  case PAIR(ET_C32, ET_C16): WIDEN(uint32_t, uint16_t)
  default: break;
  }
  if (elt_is_float((elt)y->type) || y->type == ET_C128)
    for (int64_t k = 0; k < n; k++) arr_put_float(r, i + k, arr_get_float(y, j + k));
  else
    for (int64_t k = 0; k < n; k++) arr_put_int(r, i + k, arr_get_int(y, j + k));
}

static void copy_run(arr *r, int64_t i, const arr *y, int64_t j, int64_t n) {
  if (r->type != y->type) {
    convert_run(r, i, y, j, n);
    return;
  }
  size_t size = (size_t)elt_bits((elt)r->type) / 8;
  if (!size) {
    copy_bits(r->host, i, y->host, j, n);
    return;
  }
  memcpy((char *)r->host + (size_t)i * size, (char *)y->host + (size_t)j * size,
         (size_t)n * size);
  if (r->type != ET_NEST) return;
  for (int64_t k = i; k < i + n; k++) {
    arr *item = arr_item(r, k);
    if (item) arr_retain(item);
  }
}

/* How many elements of a's type are in a word of 64 bits? */
static int64_t per_word(const arr *a) {
  int bits = elt_bits((elt)a->type);
  return bits < 64 ? 64 / bits : 1;
}

/* A long run: its elements are copied by stretches. */
typedef struct long_run {
  arr *r;
  const arr *y;
  int64_t i, j;
} long_run;

static void copy_stretch(void *job, int64_t from, int64_t to) {
  const long_run *k = job;
  copy_run(k->r, k->i + from, k->y, k->j + from, to - from);
}

/* Can stretches of r from element i on be written at once? References are counted one after the
 * other, and two stretches of bits may have a byte together. */
static bool is_shareable(const arr *r, int64_t i) {
  return r->type != ET_NEST && (r->type != ET_BIT || i % EACH_ALIGN == 0);
}

static bool copy_by_stretches(arr *r, int64_t i, const arr *y, int64_t j, int64_t n,
                              bool whole) {
  if (n <= 0) return true;
  long_run k = {r, y, i, j};
  int64_t per = r->type == y->type ? per_word(r) : 1;
  if (each_is_long(r->c, n / per) && is_shareable(r, i))
    return each_part(r->c, &(each_loop){.n = n,
                                        .cell = 1,
                                        .steps = 3,
                                        .per = per,
                                        .task = copy_stretch,
                                        .job = &k,
                                        .whole = whole});
  int64_t part = whole ? n : r->c->team.part * EACH_ALIGN; /* of items, by one thread */
  for (int64_t at = 0; at < n; at += part) {
    if (at && interrupted(r->c)) return false;
    copy_run(r, i + at, y, j + at, min_i64(part, n - at));
  }
  return true;
}

void arr_copy(arr *r, int64_t i, const arr *y, int64_t j, int64_t n) {
  copy_by_stretches(r, i, y, j, n, true);
}

bool arr_copy_long(arr *r, int64_t i, const arr *y, int64_t j, int64_t n) {
  return copy_by_stretches(r, i, y, j, n, false);
}

/* The first element of r, which has so many bits, again and again by words, which end in zeros.
 * Returns how many elements there are of it then. */
static int64_t repeat_first(arr *r, int bits) {
  enum { MOST_WORDS = 64 };
  uint64_t *to = r->host, w = *to;
  int64_t n = min_i64(r->count, MOST_WORDS * 64 / bits), words = n * bits / 64;
  if (bits < 64) w &= ((uint64_t)1 << bits) - 1;
  for (int b = bits; b < 64; b *= 2) w |= w << b;
  for (int64_t i = 0; i < words; i++) to[i] = w;
  if (n * bits % 64) to[words] = w & (((uint64_t)1 << n * bits % 64) - 1);
  return n;
}

bool arr_repeat(arr *r, int64_t n) {
  int bits = elt_bits((elt)r->type);
  if (n == 1 && bits <= 64 && r->type != ET_NEST) n = repeat_first(r, bits);
  for (int64_t more; n < r->count; n += more) {
    more = min_i64(n, r->count - n);
    if (!arr_copy_long(r, n, r, 0, more)) return false;
  }
  return true;
}

/* ── planes ─────────────────────────────────────────────────────────────────────────── */

enum {
  SHORT_RUN = 16, /* elements that a loop copies faster than a call of memcpy */
  TILE = 32,      /* the side of a tile, in elements */
  POSITIONS = 256 /* positions of a list that are read at a time */
};

/* Element (i, j) goes from i×from[0] + j×from[1] to i×to[0] + j×to[1], counted from the plane's
 * first elements. With positions, at[j] takes the place of the step along the second axis on
 * one side: of the result if `put`, else of the source. */
typedef struct plane {
  int64_t n[2], to[2], from[2];
  const int64_t *at;
  bool put;
} plane;

/* For elements of type T: a plane by strides, and one by positions. */
#define PLANES(T, name)                                                                  \
  static void stride_##name(T *to, const T *from, const plane *p) {                      \
    int64_t n = p->n[1], ts = p->to[1], fs = p->from[1];                                 \
    for (int64_t i = 0; i < p->n[0]; i++, to += p->to[0], from += p->from[0]) {          \
      int64_t j = 0;                                                                     \
      if (ts == 1 && fs == 1 && n >= SHORT_RUN) {                                        \
        memcpy(to, from, (size_t)n * sizeof *to);                                        \
        continue;                                                                        \
      }                                                                                  \
      if (ts == 1 && fs == -1 && n >= SHORT_RUN && sizeof *to <= 8) {                    \
        bits_loops()->backwards[bits_size(8 * sizeof *to)](from, n, to);                 \
        continue;                                                                        \
      }                                                                                  \
      for (; ts == 1 && j + 4 <= n; j += 4) {                                            \
        const T *f = from + j * fs;                                                      \
        to[j] = f[0];                                                                    \
        to[j + 1] = f[fs];                                                               \
        to[j + 2] = f[2 * fs];                                                           \
        to[j + 3] = f[3 * fs];                                                           \
      }                                                                                  \
      for (; j < n; j++) to[j * ts] = from[j * fs];                                      \
    }                                                                                    \
  }                                                                                      \
  static void list_##name(T *to, const T *from, const plane *p) {                        \
    const int64_t *at = p->at, n = p->n[1], ts = p->to[1], fs = p->from[1];              \
    for (int64_t i = 0; i < p->n[0]; i++, to += p->to[0], from += p->from[0]) {          \
      int64_t j = 0;                                                                     \
      for (; p->put && j < n; j++) to[at[j]] = from[j * fs];                             \
      for (; ts == 1 && j + 4 <= n; j += 4) {                                            \
        T a = from[at[j]], b = from[at[j + 1]], c = from[at[j + 2]],                     \
          d = from[at[j + 3]];                                                           \
        to[j] = a;                                                                       \
        to[j + 1] = b;                                                                   \
        to[j + 2] = c;                                                                   \
        to[j + 3] = d;                                                                   \
      }                                                                                  \
      for (; j < n; j++) to[j * ts] = from[at[j]];                                       \
    }                                                                                    \
  }                                                                                      \
  static void plane_##name(arr *r, int64_t to, const arr *y, int64_t from,               \
                           const plane *p) {                                             \
    T *t = (T *)r->host + to;                                                            \
    const T *f = (const T *)y->host + from;                                              \
    if (p->at) list_##name(t, f, p);                                                     \
    else stride_##name(t, f, p);                                                         \
  }

typedef struct pair {
  double a, b;
} pair;
PLANES(uint8_t, 8)
PLANES(uint16_t, 16)
PLANES(uint32_t, 32)
PLANES(uint64_t, 64)
PLANES(pair, 128)

static int64_t to_step(const plane *p, int64_t j) {
  return p->at && p->put ? p->at[j] : j * p->to[1];
}
static int64_t from_step(const plane *p, int64_t j) {
  return p->at && !p->put ? p->at[j] : j * p->from[1];
}

/* Bits to consecutive places of r: whole bytes are made in a register. */
static void collect_bits(uint8_t *r, int64_t to, const uint8_t *y, int64_t from,
                         const plane *p) {
  int64_t m;
  for (int64_t j = 0; j < p->n[1]; j += m) {
    uint64_t w = 0;
    m = 64 - ((to + j) & 7); /* the next word begins with a byte of r */
    m = min_i64(m, p->n[1] - j);
    for (int64_t k = 0; k < m; k++)
      w |= (uint64_t)bit_at(y, from + from_step(p, j + k)) << k;
    copy_bits(r, to + j, (const uint8_t *)&w, 0, m);
  }
}

/* n bits to consecutive places of r, from bit `from` of y backwards. */
static void reverse_bits(uint8_t *r, int64_t to, const uint8_t *y, int64_t from,
                         int64_t n) {
  if (!(to & 7) && n >= 64) { /* whole words */
    int64_t words = n / 64;
    bits_loops()->reverse(y, from - 64 * words + 1, words, r + (to >> 3));
    to += 64 * words;
    from -= 64 * words;
    n -= 64 * words;
  }
  for (int64_t m; n > 0; to += m, from -= m, n -= m) {
    uint64_t w = 0;
    m = min_i64(n, 64 - (to & 7)); /* the next word begins with a byte of r */
    copy_bits((uint8_t *)&w, 0, y, from - m + 1, m);
    w = bits_reversed(w) >> (64 - m);
    copy_bits(r, to, (const uint8_t *)&w, 0, m);
  }
}

static void plane_bits(arr *r, int64_t to, const arr *y, int64_t from, const plane *p) {
  bool packed = p->to[1] == 1 && !p->put;
  for (int64_t i = 0; i < p->n[0]; i++, to += p->to[0], from += p->from[0]) {
    if (packed && p->from[1] == 1 && !p->at) {
      copy_bits(r->host, to, y->host, from, p->n[1]);
    } else if (packed && p->from[1] == -1 && !p->at) {
      reverse_bits(r->host, to, y->host, from, p->n[1]);
    } else if (packed) {
      collect_bits(r->host, to, y->host, from, p);
    } else {
      for (int64_t j = 0; j < p->n[1]; j++)
        bit_put(r->host, to + to_step(p, j), bit_at(y->host, from + from_step(p, j)));
    }
  }
}

/* Releases the old item: none in a new array, one in an array that is written over. */
static void plane_items(arr *r, int64_t to, const arr *y, int64_t from, const plane *p) {
  for (int64_t i = 0; i < p->n[0]; i++, to += p->to[0], from += p->from[0]) {
    arr **places = (arr **)r->host + to, *const *items = (arr *const *)y->host + from;
    for (int64_t j = 0; j < p->n[1]; j++) {
      arr **place = places + to_step(p, j), *old = *place;
      *place = arr_retain(items[from_step(p, j)]);
      if (old) arr_release(old);
    }
  }
}

static void plane_converted(arr *r, int64_t to, const arr *y, int64_t from,
                            const plane *p) {
  assert(!p->at && !p->put);
  for (int64_t i = 0; i < p->n[0]; i++, to += p->to[0], from += p->from[0]) {
    if (p->to[1] == 1 && p->from[1] == 1) {
      convert_run(r, to, y, from, p->n[1]);
      continue;
    }
    for (int64_t j = 0; j < p->n[1]; j++)
      convert_run(r, to + j * p->to[1], y, from + j * p->from[1], 1);
  }
}

typedef void plane_fn(arr *r, int64_t to, const arr *y, int64_t from, const plane *p);

static plane_fn *plane_of(const arr *r, const arr *y) {
  if (r->type != y->type) return plane_converted;
  if (r->type == ET_NEST) return plane_items;
  switch (elt_bits((elt)r->type)) {
  case 1: return plane_bits;
  case 8: return plane_8;
  case 16: return plane_16;
  case 32: return plane_32;
  case 64: return plane_64;
  default: return plane_128;
  }
}

/* ── boxes ──────────────────────────────────────────────────────────────────────────── */

/* A box on its way. The packed side is the box itself, the viewed side is what it reads; if
 * `put` elements go to the viewed side. */
typedef struct move {
  arr *r;
  const arr *y, *list; /* list: of the last axis */
  int64_t list_stride;
  plane_fn *fn;
  plane p;
} move;

#define POSITIONS_OF(T)                                                                  \
  for (const T *at = (const T *)list->host + i; k + 4 <= n; k += 4) {                    \
    to[k] = at[k] * stride;                                                              \
    to[k + 1] = at[k + 1] * stride;                                                      \
    to[k + 2] = at[k + 2] * stride;                                                      \
    to[k + 3] = at[k + 3] * stride;                                                      \
  }                                                                                      \
  for (; k < n; k++) to[k] = ((const T *)list->host)[i + k] * stride;                    \
  return

/* Elements i to i+n of a list, each times the stride. */
static void read_positions(const arr *list, int64_t i, int64_t n, int64_t stride,
                           int64_t *to) {
  int64_t k = 0;
  switch (list->type) {
  case ET_I8: POSITIONS_OF(int8_t);
  case ET_I16: POSITIONS_OF(int16_t);
  case ET_I32: POSITIONS_OF(int32_t);
  case ET_I64: POSITIONS_OF(int64_t);
  default:
    for (; k < n; k++) to[k] = bit_at(list->host, i + k) * stride;
  }
}

/* Must the copying stop before piece i? An array that is written over is written
 * whole, and so is one that threads share (each.h). */
static bool move_stops(const move *m, int64_t i) {
  ctx *c = m->r->c;
  return !m->p.put && !c->team.busy && stops_at(c, i);
}

/* A plane whose second axis has a list; false after INTERRUPT, as the following. */
static bool move_listed(const move *m, int64_t to, int64_t from) {
  int64_t at[POSITIONS], n;
  plane p = m->p;
  p.at = at;
  for (int64_t j = 0; j < m->p.n[1]; j += n) {
    n = min_i64(m->p.n[1] - j, POSITIONS);
    if (move_stops(m, j)) return false;
    read_positions(m->list, j, n, m->list_stride, at);
    p.n[1] = n;
    m->fn(m->r, to, m->y, from, &p);
    if (p.put) from += n * p.from[1];
    else to += n * p.to[1];
  }
  return true;
}

static int64_t size_of_step(int64_t stride) { return stride < 0 ? -stride : stride; }

/* A plane whose two axes are close together on different sides. */
static bool move_tiles(const move *m, int64_t to, int64_t from) {
  plane p = m->p;
  int64_t rows = min_i64(p.n[0], TILE), columns = TILE * TILE / rows;
  for (int64_t i = 0; i < m->p.n[0]; i += rows) {
    if (move_stops(m, 0)) return false;
    for (int64_t j = 0; j < m->p.n[1]; j += columns) {
      p.n[0] = min_i64(m->p.n[0] - i, rows);
      p.n[1] = min_i64(m->p.n[1] - j, columns);
      m->fn(m->r, to + i * p.to[0] + j * p.to[1], m->y,
            from + i * p.from[0] + j * p.from[1], &p);
    }
  }
  return true;
}

/* A plane of many short lines: strips of it, along its first axis. */
static bool move_strips(const move *m, int64_t to, int64_t from) {
  enum { LINES = 256 };
  plane p = m->p;
  p.n[0] = m->p.n[1];
  for (int k = 0; k < 2; k++) {
    p.to[k] = m->p.to[1 - k];
    p.from[k] = m->p.from[1 - k];
  }
  for (int64_t i = 0; i < m->p.n[0]; i += LINES) {
    if (move_stops(m, i)) return false;
    p.n[1] = min_i64(m->p.n[0] - i, LINES);
    m->fn(m->r, to + i * p.to[1], m->y, from + i * p.from[1], &p);
  }
  return true;
}

static bool move_plane(const move *m, int64_t packed, int64_t viewed) {
  const plane *p = &m->p;
  int64_t to = p->put ? viewed : packed, from = p->put ? packed : viewed;
  bool thin = p->n[1] < SHORT_RUN / 2 && p->n[0] > SHORT_RUN;
  bool apart = size_of_step(p->from[1]) > 1; /* the last axis, in the source */
  bool crossed = apart && size_of_step(p->from[0]) < size_of_step(p->from[1]) &&
                 size_of_step(p->to[0]) > size_of_step(p->to[1]);
  if (m->list) return move_listed(m, to, from);
  if (thin && m->r->type != ET_BIT) return move_strips(m, to, from);
  if (crossed && p->n[0] > 1) return move_tiles(m, to, from);
  m->fn(m->r, to, m->y, from, p);
  return true;
}

/* Axis k becomes axis `at`, which is behind it. */
static void move_axis(view_part *b, int k, int at) {
  int64_t n = b->len[k], to = b->to_stride[k], from = b->stride[k];
  const arr *list = b->list[k];
  for (; k < at; k++) {
    b->len[k] = b->len[k + 1];
    b->to_stride[k] = b->to_stride[k + 1];
    b->stride[k] = b->stride[k + 1];
    b->list[k] = b->list[k + 1];
  }
  b->len[at] = n;
  b->to_stride[at] = to;
  b->stride[at] = from;
  b->list[at] = list;
}

/* Brings the axis along which the viewed side lies closest together in front of the last. If
 * that leaves a list there, and cells too short to be copied one by one, the list comes last. */
static void choose_second(view_part *b) {
  int last = b->rank - 1, best = last - 1;
  for (int k = best - 1; k >= 0; k--) {
    if (b->list[k]) continue;
    if (b->list[best] || size_of_step(b->stride[k]) < size_of_step(b->stride[best]))
      best = k;
  }
  move_axis(b, best, last - 1);
  bool cells = b->list[last - 1] && !b->list[last];
  if (cells && b->len[last] < SHORT_RUN) move_axis(b, last - 1, last);
}

/* The distance of position i along axis k on the viewed side. */
static int64_t viewed_step(const view_part *b, int k, int64_t i) {
  int64_t position = b->list[k] ? arr_get_int(b->list[k], i) : i;
  return position * b->stride[k];
}

/* Makes axis k of b axis `at` of the plane. */
static void set_axis(plane *p, int at, const view_part *b, int k) {
  p->n[at] = b->len[k];
  p->to[at] = b->to_stride[k];
  p->from[at] = b->stride[k];
}

/* A move with a plane of one element. Its fields are set one by one, because short
 * vectors use this path, too. */
static void move_begin(move *m, arr *r, const arr *y, bool put) {
  m->r = r;
  m->y = y;
  m->fn = plane_of(r, y);
  m->list = NULL;
  m->p.n[0] = m->p.n[1] = 1;
  m->p.to[0] = m->p.from[0] = m->p.to[1] = m->p.from[1] = 0;
  m->p.at = NULL;
  m->p.put = put;
}

static void set_last_axis(move *m, const view_part *b, int k) {
  set_axis(&m->p, 1, b, k);
  m->list = b->list[k];
  m->list_stride = b->stride[k];
}

/* Makes the plane of the last one or two axes; returns how many are left. */
static int plane_axes(move *m, view_part *b) {
  int last = b->rank - 1;
  if (last < 0) return 0;
  if (last > 0) choose_second(b);
  set_last_axis(m, b, last);
  if (last == 0 || b->list[last - 1]) return last;
  set_axis(&m->p, 0, b, last - 1);
  return last - 1;
}

static void swap_sides(plane *p) {
  for (int k = 0; k < 2; k++) {
    int64_t to = p->to[k];
    p->to[k] = p->from[k];
    p->from[k] = to;
  }
}

/* The planes at all positions of the first `axes` axes. */
static bool move_planes(const move *m, const view_part *b, int axes) {
  int64_t i[ARR_MAX_RANK],
      step[ARR_MAX_RANK]; /* step: how far along on the viewed side */
  int64_t packed = b->to, viewed = b->from;
  for (int k = 0; k < axes; k++) {
    i[k] = 0;
    step[k] = viewed_step(b, k, 0);
    viewed += step[k];
  }
  for (int64_t planes = 0;; planes++) {
    if (move_stops(m, planes) || !move_plane(m, packed, viewed)) return false;
    int k = axes - 1;
    for (; k >= 0; k--) { /* the next plane */
      bool more = ++i[k] < b->len[k];
      if (!more) i[k] = 0;
      viewed -= step[k];
      step[k] = viewed_step(b, k, i[k]);
      viewed += step[k];
      if (more) break;
      packed -= (b->len[k] - 1) * b->to_stride[k];
    }
    if (k < 0) return true;
    packed += b->to_stride[k];
  }
}

static bool move_box(arr *r, const arr *y, view_part *b, bool put) {
  move m;
  move_begin(&m, r, y, put);
  int axes = plane_axes(&m, b);
  if (put) swap_sides(&m.p);
  if (axes) return move_planes(&m, b, axes);
  return move_plane(&m, b->to, b->from);
}

static bool copy_line_alone(arr *r, const arr *y, const view_part *p) {
  move m;
  if (!p->list[0] && p->to_stride[0] == 1 && p->stride[0] == 1) {
    arr_copy(r, p->to, y, p->from, p->len[0]);
    return true;
  }
  move_begin(&m, r, y, false);
  set_last_axis(&m, p, 0);
  return move_plane(&m, p->to, p->from);
}

static bool copy_box_alone(arr *r, const arr *y, view_part *b) {
  if (b->rank == 1) return copy_line_alone(r, y, b);
  if (b->rank) return move_box(r, y, b, false);
  arr_copy(r, b->to, y, b->from, 1);
  return true;
}

/* ── boxes in stretches ─────────────────────────────────────────────────────────────── */

typedef struct long_box {
  arr *r;
  const arr *y;
  const view_part *b;
  int k; /* the axis that is cut */
} long_box;

/* Positions from..to-1 along the axis. */
static void box_stretch(void *job, int64_t from, int64_t to) {
  const long_box *l = job;
  int k = l->k;
  view_part b = *l->b;
  arr list;
  b.len[k] = to - from;
  b.to += from * b.to_stride[k];
  if (b.list[k]) {
    list = *b.list[k];
    list.host = (char *)list.host + elt_bytes((elt)list.type, from);
    list.count = to - from;
    b.list[k] = &list;
  } else {
    b.from += from * b.stride[k];
  }
  copy_box_alone(l->r, l->y, &b);
}

/* The axis to cut: the first that is long enough for many threads, or the longest. */
static int axis_to_cut(const view_part *b) {
  enum { MANY = 64 };
  int best = 0;
  for (int k = 0; k < b->rank && b->len[best] < MANY * EACH_ALIGN; k++)
    if (b->len[k] > b->len[best]) best = k;
  return best;
}

/* Are two stretches never in one word of bits? */
static bool is_aligned(const arr *r, const view_part *b, int cut) {
  bool all = is_shareable(r, b->to);
  for (int k = 0; k < b->rank && r->type == ET_BIT; k++)
    all = all && (k == cut || b->to_stride[k] % EACH_ALIGN == 0);
  return all;
}

/* Can lines of b be copied by words, perhaps backwards? */
static bool is_run(const arr *r, const arr *y, const view_part *b) {
  int k = b->rank - 1;
  return r->type == y->type && !b->list[k] && b->to_stride[k] == 1 &&
         size_of_step(b->stride[k]) == 1;
}

static bool copy_long_box(arr *r, const arr *y, view_part *b, int64_t count) {
  enum { COPIED = 3, GATHERED = 12 }; /* steps for an element */
  long_box l = {r, y, b, axis_to_cut(b)};
  each_loop loop = {.n = b->len[l.k], .steps = COPIED, .task = box_stretch, .job = &l};
  loop.cell = count / loop.n;
  if (b->list[b->rank - 1]) loop.steps = GATHERED;
  else if (is_run(r, y, b)) loop.per = per_word(r);
  if (!is_aligned(r, b, l.k) || !each_is_shared(r->c, &loop))
    return copy_box_alone(r, y, b);
  return each_part(r->c, &loop);
}

bool copy_box(arr *r, const arr *y, view_part *b) {
  int64_t count = 1;
  if (!each_is_long(r->c, r->count)) return copy_box_alone(r, y, b);
  for (int k = 0; k < b->rank; k++) count *= b->len[k];
  if (!each_is_long(r->c, count)) return copy_box_alone(r, y, b);
  return copy_long_box(r, y, b, count);
}

bool copy_line(arr *r, const arr *y, const view_part *p) {
  int64_t work = p->len[0] / (is_run(r, y, p) ? per_word(r) : 1);
  if (!each_is_long(r->c, work)) return copy_line_alone(r, y, p);
  view_part b = *p;
  return copy_long_box(r, y, &b, p->len[0]);
}

void put_box(arr *r, const arr *y, view_part *b) {
  if (!b->rank && r->type != ET_NEST) arr_copy(r, b->from, y, b->to, 1);
  else move_box(r, y, b, true);
}
