/* SPDX-License-Identifier: MIT */
/* lookup.c - for each major cell of y, which is the first cell of x that equals it?
 *
 * The answer is that of the plain definition, a search from the front with tolerant
 * comparison, found by one of four strategies (a fifth, of whole numbers of a small range, is
 * table.c's):
 *
 *   sorting  other vectors of numbers, both put in order: what equals y within ⎕CT is an
 *            interval of x, and the first position in it is the answer, exactly. (Sorting
 *            beats hashing: it runs through memory in order.)
 *   hash     cells without floats, or where ⎕CT is 0; items that are simple vectors of one
 *            type, by their bytes
 *   line     cells and items that hold floats, and complex numbers, by their places on a
 *            line: what equals y within ⎕CT has its place near that of y
 *   search   the definition itself: few things to find */
#include "lookup.h"
#include "complex.h"
#include "sort_keys.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../base/hash.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/match.h"
#include "../array/view.h"

#include <math.h>
#include <string.h>

enum { FEW = 4 };                 /* no more than this is searched for one by one */
enum { SOUGHT = 16, KNOWN = 32 }; /* nor than this in vectors; among no more than this */

typedef struct cells {
  prim_env *e;
  const arr *x, *y;
  int64_t nx, ny, size; /* cells, and elements in one */
  bool plain; /* both are of one type, whose elements are equal where their bits are */
  double ct;
  int64_t *to; /* ny: the positions that are found */
} cells;

/* ── equality and hashing of cells ──────────────────────────────────────────────────── */

bool lookup_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct) {
  bool same;
  if (x->type == ET_NEST) {
    arr_match_checked(x->c, arr_item(x, i), arr_item(y, j), ct, &same);
    return same;
  }
  if (elt_is_char((elt)x->type)) return arr_get_int(x, i) == arr_get_int(y, j);
  return arr_num_equal_at(x, i, y, j, ct);
}

double lookup_tolerance(const arr *x, const arr *y, double ct) {
  if (x->type == ET_F32 && y->type == ET_F32) return 0;
  return ct;
}

bool lookup_equal_cells(const arr *x, int64_t i, const arr *y, int64_t j, int64_t size,
                        double ct) {
  for (int64_t k = 0; k < size; k++)
    if (!lookup_equal_at(x, i * size + k, y, j * size + k, ct)) return false;
  return true;
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

static const char *cell_bytes(const cells *s, const arr *a, int64_t i) {
  return (const char *)a->host + elt_bytes((elt)a->type, i * s->size);
}

static bool equal_cells(const cells *s, int64_t i, const arr *b, int64_t j) {
  if (!s->plain) return lookup_equal_cells(s->x, i, b, j, s->size, s->ct);
  if (b->type == ET_BIT) return equal_bits(s->x, i * s->size, b, j * s->size, s->size);
  size_t n = elt_bytes((elt)b->type, s->size);
  return !memcmp(cell_bytes(s, s->x, i), cell_bytes(s, b, j), n);
}

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 32;
}

/* A number's hash depends on its value alone, not on its type. */
static uint64_t hash_number(uint64_t h, const arr *a, int64_t i) {
  if (!elt_is_float((elt)a->type)) return mix(h, (uint64_t)arr_get_int(a, i));
  double v = arr_get_float(a, i);
  if (v >= -0x1p63 && v < 0x1p63 && v == rint(v)) return mix(h, (uint64_t)(int64_t)v);
  return mix(h, sort_key_float(v));
}

/* The last item is gone into without recursion: lists that are linked through it may be
 * long. */
static uint64_t hash_array(uint64_t h, const arr *a) {
  for (;;) {
    int64_t last = a->count - 1;
    h = mix(h, a->rank);
    for (int k = 0; k < a->rank; k++) h = mix(h, (uint64_t)a->shape[k]);
    if (!a->count) return h;
    if (a->ref) return mix(h, (uintptr_t)a);
    if (a->type != ET_NEST) {
      for (int64_t i = 0; i <= last; i++) h = hash_number(h, a, i);
      return h;
    }
    for (int64_t i = 0; i < last; i++) h = hash_array(h, arr_item(a, i));
    a = arr_item(a, last);
  }
}

static uint64_t hash_cell(const cells *s, const arr *a, int64_t i) {
  uint64_t h = s->e->c->seed;
  int64_t end = (i + 1) * s->size;
  if (s->plain && a->type != ET_BIT)
    return hash_bytes(cell_bytes(s, a, i), elt_bytes((elt)a->type, s->size), h);
  for (int64_t k = end - s->size; s->plain && k < end; k += 64)
    h = mix(h, bits_until(a, k, end));
  for (int64_t k = end - s->size; !s->plain && k < end; k++) {
    if (a->type == ET_NEST) h = hash_array(h, arr_item(a, k));
    else h = hash_number(h, a, k);
  }
  return mix(h, h >> 29);
}

/* ── search ─────────────────────────────────────────────────────────────────────────── */

static bool by_search(cells *s) {
  for (int64_t j = 0; j < s->ny; j++) {
    if (interrupted(s->e->c)) return false;
    int64_t i = 0;
    for (; i < s->nx && !equal_cells(s, i, s->y, j); i++)
      if (stops_at(s->e->c, i)) return false;
    s->to[j] = i;
  }
  return true;
}

/* ── hash ───────────────────────────────────────────────────────────────────────────── */

/* Open addressing: the slot of the cell of x that equals cell j of a, or the free one
 * where the search for it ends. */
static uint64_t slot_of(const cells *s, const arr *slots, const arr *a, int64_t j) {
  const int64_t *slot = slots->host;
  uint64_t mask = (uint64_t)slots->count - 1, h = hash_cell(s, a, j) & mask;
  while (slot[h] >= 0 && !equal_cells(s, slot[h], a, j)) h = (h + 1) & mask;
  return h;
}

/* Looks the cells of y up, by stretches; threads share them if they are many. */
static bool find_all(const cells *s, void (*task)(void *job, int64_t from, int64_t to),
                     void *job) {
  int64_t steps = s->plain ? 1 : 10;
  each_loop loop = {
      .n = s->ny, .cell = s->size, .steps = steps, .task = task, .job = job};
  if (s->y->type == ET_NEST) loop.steps = 0; /* items are compared by one thread */
  return each_part(s->e->c, &loop);
}

typedef struct hash_of {
  const cells *s;
  const arr *slots;
} hash_of;

static void find_by_hash(void *job, int64_t from, int64_t to) {
  const hash_of *k = job;
  const int64_t *slot = k->slots->host;
  for (int64_t j = from; j < to; j++) {
    int64_t found = slot[slot_of(k->s, k->slots, k->s->y, j)];
    k->s->to[j] = found >= 0 ? found : k->s->nx;
  }
}

static bool by_hash(cells *s) {
  ctx *c = s->e->c;
  if (s->nx >= 1ll << 60) return err_set(c, ERR_WS_FULL, "%lld cells", (long long)s->nx);
  OWNED arr *slots = arr_vec(c, ET_I64, next_pow2(max_i64(8, s->nx * 2)));
  if (!slots) return false;
  int64_t *slot = slots->host;
  if (!mem_fill(c, slot, -1, (size_t)slots->count * sizeof *slot)) return false;
  for (int64_t i = 0; i < s->nx; i++) {
    if (stops_at(c, i)) return false;
    uint64_t h = slot_of(s, slots, s->x, i);
    if (slot[h] < 0) slot[h] = i;
  }
  return find_all(s, find_by_hash, &(hash_of){s, slots});
}

/* ── vectors that are equal where their bytes are ───────────────────────────────────── */

/* Is it a simple vector without floats, of type t? */
static bool is_plain(const arr *item, uint8_t t) {
  return item->type == t && item->rank == 1;
}

enum { KEY_BYTES = 7 };
#define KEY_HASHED ((uint64_t)1 << 63)

/* A key that equal vectors of one type share: their bytes and length if they are short, and then different
 * vectors differ in it; otherwise a hash. */
static uint64_t key_of(const arr *a) {
  size_t n = elt_bytes((elt)a->type, a->count);
  if (n <= KEY_BYTES) return few_bytes(a->host, n) | (uint64_t)n << 56;
  return hash_bytes(a->host, n, a->c->seed) | KEY_HASHED;
}

typedef struct keyed { /* a slot: the key of an item of x and its number, -1: free */
  uint64_t key;
  int64_t at;
} keyed;

static bool has_bytes_of(const arr *a, const arr *b) {
  return a->count == b->count &&
         !memcmp(a->host, b->host, elt_bytes((elt)a->type, a->count));
}

/* The slot of the item of x that equals this one, which has the key, or a free one. */
static keyed *keyed_slot(const cells *s, keyed *slots, uint64_t mask, const arr *item,
                         uint64_t key) {
  uint64_t h = mix(key, s->e->c->seed) & mask;
  for (; slots[h].at >= 0; h = (h + 1) & mask) {
    if (slots[h].key != key) continue;
    if (!(key & KEY_HASHED) || has_bytes_of(arr_item(s->x, slots[h].at), item)) break;
  }
  return &slots[h];
}

/* *plain: all items have the type of x's first one, so the result is right. */
static bool find_keys(cells *s, keyed *slots, uint64_t mask, bool *plain) {
  uint8_t t = arr_item(s->x, 0)->type;
  *plain = t != ET_BIT && (elt_is_int((elt)t) || elt_is_char((elt)t));
  for (int64_t i = 0; *plain && i < s->nx; i++) {
    if (stops_at(s->e->c, i)) return false;
    const arr *item = arr_item(s->x, i);
    if (!is_plain(item, t)) *plain = false;
    else {
      uint64_t key = key_of(item);
      keyed *k = keyed_slot(s, slots, mask, item, key);
      if (k->at < 0) *k = (keyed){key, i};
      if (s->y == s->x) s->to[i] = k->at;
    }
  }
  for (int64_t j = 0; *plain && j < s->ny && s->y != s->x; j++) {
    if (stops_at(s->e->c, j)) return false;
    const arr *item = arr_item(s->y, j);
    if (!is_plain(item, t)) *plain = false;
    else {
      int64_t at = keyed_slot(s, slots, mask, item, key_of(item))->at;
      s->to[j] = at < 0 ? s->nx : at;
    }
  }
  return true;
}

static bool by_keys(cells *s, bool *plain) {
  ctx *c = s->e->c;
  if (s->nx >= 1ll << 59) return err_set(c, ERR_WS_FULL, "%lld cells", (long long)s->nx);
  uint64_t n = (uint64_t)next_pow2(max_i64(8, s->nx * 2));
  keyed *slots = mem_alloc(c, n * sizeof *slots);
  if (!slots) return false;
  bool ok =
      mem_fill(c, slots, -1, n * sizeof *slots) && find_keys(s, slots, n - 1, plain);
  mem_free(c, slots);
  return ok;
}

/* ── sorting ────────────────────────────────────────────────────────────────────────── */

static bool sorted(ctx *c, const arr *a, bool whole, sort_list *to) {
  if (!sort_new(c, a->count, to)) return false;
  return sort_elements(to, a, whole, false);
}

/* Leaves one item for each value, that of its first position; false after INTERRUPT. */
static bool keep_distinct(sort_list *s) {
  int64_t m = 0;
  for (int64_t i = 0; i < s->n; i++) {
    if (stops_at(s->c, i)) return false;
    if (!m || s->item[i].key != s->item[m - 1].key) s->item[m++] = s->item[i];
  }
  s->n = m;
  return true;
}

static bool within(const cells *s, const sort_item *x, double v) {
  return num_equal(sort_key_value(x->key), v, s->ct);
}

/* The first position in x of what equals v within ct, given that the distinct values
 * x[0..lo) are below v and the others are not. */
static int64_t first_within(const cells *s, const sort_list *x, int64_t lo, double v) {
  const sort_item *item = x->item;
  int64_t best = s->nx;
  for (int64_t i = lo; i < x->n && within(s, &item[i], v); i++)
    best = min_i64(best, item[i].at);
  for (int64_t i = lo - 1; i >= 0 && within(s, &item[i], v); i--)
    best = min_i64(best, item[i].at);
  return best;
}

/* Vectors: the values of both in order, side by side. */
static bool by_sorting(cells *s) {
  ctx *c = s->e->c;
  bool whole = sort_is_whole(s->x) && sort_is_whole(s->y), ok;
  OWNED_SORT sort_list y = {0}, x = {0};
  if (!sorted(c, s->y, whole, &y)) return false;
  if (s->x == s->y) ok = sort_copy(&y, &x);
  else ok = sorted(c, s->x, whole, &x);
  if (!ok || !keep_distinct(&x)) return false;
  int64_t lo = 0;
  for (int64_t j = 0; j < s->ny; j++) {
    int64_t at = y.item[j].at, found = s->nx;
    while (lo < x.n && x.item[lo].key < y.item[j].key) lo++;
    if (stops_at(c, j)) return false;
    if (!whole) found = first_within(s, &x, lo, sort_key_value(y.item[j].key));
    else if (lo < x.n && x.item[lo].key == y.item[j].key) found = x.item[lo].at;
    s->to[at] = found;
  }
  return true;
}

/* ── line ───────────────────────────────────────────────────────────────────────────── */

/* Where a cell is on the line, a sum over its numbers, shapes and characters with weights that no
 * pattern is likely to follow; and how far from there a cell may be that equals it. */
typedef struct place {
  double at, width, all; /* all: the sum of magnitudes, of which each step rounds some */
  int64_t n;             /* terms */
} place;

/* The limit of terms and levels: equal cells have the same first ones. */
enum { MOST_TERMS = 1 << 12, MOST_LEVELS = 1 << 8 };

/* A term of a number: about the logarithm of its magnitude, straight between powers of 2, and its
 * direction. Both change by a few times ⎕CT where the number does by that much of itself. */
static void add_number(place *p, cx z, double ct) {
  const double steep = 6, along = 0.37, across = 0.71;
  double w = 0.5 + (double)(mix((uint64_t)p->n++, 0) >> 11) * 0x1p-54;
  double size = fabs(z.re), term = z.re < 0 ? -along : along, half = 0;
  if (z.im != 0) { /* large values are halved, so that nothing overflows */
    half = size > 1 || fabs(z.im) > 1;
    if (half > 0) z = (cx){z.re / 2, z.im / 2};
    size = fabs(z.re) + fabs(z.im);
    term = (along * z.re + across * z.im) / size;
  }
  int64_t bits, of_one = 0x3ff0000000000000;
  memcpy(&bits, &size, sizeof bits);
  if (isfinite(size)) term += (double)(bits - of_one) * 0x1p-52 + half;
  else term = 0;
  p->at += w * term;
  p->all += fabs(term);
  p->width += w * steep * ct;
}

static void add_elements(place *p, const arr *a, int64_t from, int64_t to, double ct) {
  for (int64_t i = from; i < to && p->n < MOST_TERMS; i++) add_number(p, cx_at(a, i), ct);
}

/* The last item is gone into without recursion, as in hash_array. */
static void add_array(place *p, const arr *a, double ct, int level) {
  while (p->n < MOST_TERMS && level < MOST_LEVELS) {
    for (int k = 0; k < a->rank; k++) add_number(p, (cx){(double)a->shape[k], 0}, 0);
    if (!a->count || a->ref) return;
    if (a->type != ET_NEST) {
      add_elements(p, a, 0, a->count, ct);
      return;
    }
    for (int64_t i = 0; i < a->count - 1 && p->n < MOST_TERMS; i++)
      add_array(p, arr_item(a, i), ct, level + 1);
    a = arr_item(a, a->count - 1);
  }
}

static place lookup_place(const cells *s, const arr *a, int64_t i) {
  place p = {0};
  int64_t from = i * s->size, to = from + s->size;
  if (a->type != ET_NEST) add_elements(&p, a, from, to, s->ct);
  else
    for (; from < to; from++) add_array(&p, arr_item(a, from), s->ct, 0);
  p.width += (double)p.n * p.all * 0x1p-51;
  return p;
}

/* x's cells in the order of their places, equal neighbours once. */
static bool sorted_places(const cells *s, sort_list *x) {
  OWNED arr *on_line = arr_vec(s->e->c, ET_F64, s->nx);
  if (!on_line) return false;
  for (int64_t i = 0; i < s->nx; i++) {
    if (stops_at(s->e->c, i)) return false;
    ((double *)on_line->host)[i] = lookup_place(s, s->x, i).at;
  }
  if (!sorted(s->e->c, on_line, false, x)) return false;
  int64_t n = 0;
  for (int64_t i = 0; i < s->nx; i++) {
    int64_t at = x->item[i].at;
    if (stops_at(s->e->c, i)) return false;
    if (!n || !lookup_equal_cells(s->x, at, s->x, x->item[n - 1].at, s->size, 0))
      x->item[n++] = x->item[i];
  }
  x->n = n;
  return true;
}

/* The first item whose key is not below `key`. */
static int64_t first_from(const sort_list *x, uint64_t key) {
  const sort_item *at = x->item;
  for (int64_t n = x->n, half; n > 1; n -= half) { /* no branch */
    half = n / 2;
    at += at[half - 1].key < key ? half : 0;
  }
  return at - x->item + (x->n && at->key < key);
}

/* The first position in x, below `end`, of what equals cell j of y and has a bit in `only`, if that is
 * not NULL; else s->nx. */
static int64_t first_near(const cells *s, const sort_list *x, int64_t j, int64_t end,
                          const arr *only) {
  place p = lookup_place(s, s->y, j);
  uint64_t to = sort_key_float(p.at + p.width);
  int64_t best = end;
  for (int64_t i = first_from(x, sort_key_float(p.at - p.width));
       i < x->n && x->item[i].key <= to; i++) {
    int64_t at = x->item[i].at;
    if (at >= best || (only && !bit_at(only->host, at))) continue;
    if (equal_cells(s, at, s->y, j)) best = at;
  }
  return best < end ? best : s->nx;
}

static bool by_line(cells *s) {
  OWNED_SORT sort_list x = {0};
  if (!sorted_places(s, &x)) return false;
  for (int64_t j = 0; j < s->ny; j++) {
    s->to[j] = first_near(s, &x, j, s->nx, NULL);
    if (stops_at(s->e->c, j)) return false;
  }
  return true;
}

/* ── which strategy ─────────────────────────────────────────────────────────────────── */

/* Does the item a hold a float, or so many arrays or levels (the same array may occur
 * often) that hashing would take long? */
static bool has_float(const arr *a, int level, int *left) {
  while (arr_nests(a) && a->count) {
    if (level > MOST_LEVELS || --*left < 0) return true;
    for (int64_t i = 0; i < a->count - 1; i++)
      if (has_float(arr_item(a, i), level + 1, left)) return true;
    a = arr_item(a, a->count - 1);
  }
  return a->type != ET_NEST && a->count &&
         (elt_is_float((elt)a->type) || a->type == ET_C128);
}

static bool have_floats(const arr *items) {
  for (int64_t i = 0; i < items->count; i++)
    if (has_float(arr_item(items, i), 0, &(int){MOST_TERMS})) return true;
  return false;
}

static bool look_elements(cells *s, bool complex) {
  prim_env e = *s->e;
  e.ct = s->ct;
  if (s->ny <= SOUGHT && few_sought(&e, s->x, s->y, s->to)) return true;
  if (err_is(e.c)) return false;
  if (s->nx <= KNOWN && few_known(&e, s->x, s->y, s->to)) return true;
  if (err_is(e.c)) return false;
  if (s->ny <= FEW) return by_search(s);
  if (complex) return by_line(s);
  return by_sorting(s);
}

/* Cells of whole numbers or characters, by their bytes in one type. */
static bool by_bytes(cells *s) {
  elt type = elt_join((elt)s->x->type, (elt)s->y->type);
  OWNED arr *x = arr_convert(s->e->c, (arr *)(uintptr_t)s->x, type);
  if (!x) return false;
  OWNED arr *y = arr_convert(s->e->c, (arr *)(uintptr_t)s->y, type);
  if (!y) return false;
  s->x = x;
  s->y = y;
  s->plain = true;
  return by_hash(s);
}

static bool look_simple(cells *s) {
  bool complex = s->x->type == ET_C128 || s->y->type == ET_C128;
  bool whole = sort_is_whole(s->x) && sort_is_whole(s->y);
  s->ct = lookup_tolerance(s->x, s->y, s->ct);
  if (s->size == 1) return look_elements(s, complex);
  if (s->ny <= FEW) return by_search(s);
  if (whole) return by_bytes(s);
  return complex || s->ct > 0 ? by_line(s) : by_hash(s);
}

/* x or y is nested: both are made so. */
static bool look_nested(cells *s) {
  OWNED arr *x = arr_convert(s->e->c, (arr *)(uintptr_t)s->x, ET_NEST);
  if (!x) return false;
  OWNED arr *y = arr_convert(s->e->c, (arr *)(uintptr_t)s->y, ET_NEST);
  if (!y) return false;
  s->x = x;
  s->y = y;
  bool plain = s->size == 1;
  if (s->ny <= FEW) return by_search(s);
  if (plain && !by_keys(s, &plain)) return false;
  if (plain) return true;
  return have_floats(x) || have_floats(y) ? by_line(s) : by_hash(s);
}

static bool look(cells *s) {
  bool text = elt_is_char((elt)s->x->type), mixed = text != elt_is_char((elt)s->y->type);
  bool nested = s->x->type == ET_NEST || s->y->type == ET_NEST;
  if (!s->nx || !s->size || (!nested && mixed)) { /* nothing, or nothing to compare */
    int64_t at = s->nx;
    if (!s->size) at = 0;
    for (int64_t j = 0; j < s->ny; j++) s->to[j] = at;
    return true;
  }
  if (nested) return look_nested(s) && !err_is(s->e->c);
  return look_simple(s);
}

/* Cells of y of the shape of x's major cells; false after RANK or LENGTH ERROR. */
static bool cells_of(prim_env *e, const arr *x, const arr *y, cells *s) {
  if (!x->rank) return err_set(e->c, ERR_RANK, "a scalar has no major cells");
  int rank = y->rank - (x->rank - 1); /* of the result */
  if (rank < 0)
    return err_set(e->c, ERR_RANK, "rank %d has no cells of rank %d", y->rank,
                   x->rank - 1);
  for (int k = 1; k < x->rank; k++)
    if (x->shape[k] != y->shape[rank + k - 1])
      return err_set(e->c, ERR_LENGTH, "the cells of the arguments differ in shape");
  *s = (cells){.e = e, .x = x, .y = y, .nx = x->shape[0], .ct = e->ct};
  s->ny = arr_product(rank, y->shape);
  s->size = arr_product(x->rank - 1, x->shape + 1);
  return true;
}

bool prim_lookup(prim_env *e, const arr *x, const arr *y, int64_t *to) {
  cells s;
  if (!cells_of(e, x, y, &s)) return false;
  s.to = to;
  return look(&s);
}

arr *lookup_positions(prim_env *e, const arr *x, const arr *y) {
  cells s;
  if (!cells_of(e, x, y, &s)) return NULL;
  OWNED arr *r = arr_new(e->c, ET_I64, y->rank - (x->rank - 1), y->shape);
  if (!r) return NULL;
  s.to = r->host;
  if (!look(&s)) return NULL;
  return arr_move(&r);
}

bool lookup_new(prim_env *e, const arr *y, arr *mask) {
  cells s;
  OWNED_SORT sort_list x = {0};
  if (!cells_of(e, y, y, &s)) return false;
  s.ct = lookup_tolerance(y, y, e->ct);
  if (!sorted_places(&s, &x)) return false;
  if (!arr_blank(mask)) return false;
  for (int64_t j = 0; j < s.ny; j++) {
    if (stops_at(e->c, j)) return false;
    bool new = first_near(&s, &x, j, j, mask) == s.nx;
    bit_add(mask->host, j, new);
  }
  return !err_is(e->c);
}
