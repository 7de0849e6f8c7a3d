/* SPDX-License-Identifier: MIT */
/* box_search.c - x⍷y: the places of y where a box like x begins.
 *
 * In the ravel of y each element of x is so far behind the first. Stretches of places are compared with
 * one element of x after the other, to bits, until none is left, or few, for which the whole of x is compared:
 *
 *   y  in spain again       n  .1.....1.....1       x  'n a'
 *                          " "  .1...........        one place is left: is it 'n a'?
 *
 * Places from which the box would reach beyond y are taken away at last.
 *
 * TRIED for complex numbers: looking for x's first element by = first: 1.3 to 1.6. */
#include "lookup.h"
#include "relations.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/view.h"
#include "../base/arith.h"
#include "../base/each.h"

#include <math.h>
#include <string.h>

typedef struct box_search {
  const arr *x, *y;
  double ct;
  int rank; /* y's */
  int64_t n[ARR_MAX_RANK],
      strides[ARR_MAX_RANK]; /* x's lengths in that rank; y's strides */
  sc_type type;              /* in which elements are compared; SC_TYPES: one by one */
  sc_relation equal;
  uint8_t *r;
} box_search;

/* An element of x: its position along each axis, and its distance in y from the first
 * element. */
typedef struct box_place {
  int64_t at[ARR_MAX_RANK], far;
} box_place;

/* To the one that is `by` further along the last axis, or the next one behind its end. */
static void advance(const box_search *s, box_place *p, int64_t by) {
  for (int k = s->rank - 1; k >= 0; k--, by = 1) {
    p->at[k] += by;
    p->far += by * s->strides[k];
    if (p->at[k] < s->n[k]) return;
    p->far -= p->at[k] * s->strides[k];
    p->at[k] = 0;
  }
}

/* ── one place ──────────────────────────────────────────────────────────────────────── */

/* Does the box that begins at position `pos` of y hold x? */
static bool box_equal(const box_search *s, int64_t pos) {
  size_t size =
      s->type < SC_F64 && s->type != SC_B ? sc_size(s->type) : 0; /* exact types */
  int64_t run = size && s->rank ? s->n[s->rank - 1] : 1;
  const char *x = s->x->host, *y = s->y->host;
  box_place p = {{0}, 0};
  for (int64_t i = 0; i < s->x->count; i += run, advance(s, &p, run)) {
    int64_t at = pos + p.far;
    if (!size && !lookup_equal_at(s->x, i, s->y, at, s->ct)) return false;
    if (memcmp(y + (size_t)at * size, x + (size_t)i * size, (size_t)run * size))
      return false;
  }
  return true;
}

/* ── stretches of places ────────────────────────────────────────────────────────────── */

enum { AT_ONCE = 4096, FEW = AT_ONCE / 256 };

/* Compares the whole of x at those of the m places from i on that are still
 * candidates. */
static void compare_few(const box_search *s, int64_t i, int64_t m) {
  for (int64_t at = 0; at < m; at += 64)
    for (uint64_t w = bits_word(s->r + i / 8, m, at); w; w &= w - 1) {
      int64_t k = i + at + __builtin_ctzll(w);
      if (!box_equal(s, k)) s->r[k / 8] &= (uint8_t) ~(1u << k % 8);
    }
}

/* m elements of y from i on as the type in which they are compared. */
static const void *box_elements(const box_search *s, int64_t i, int64_t m, void *room) {
  if (s->type != SC_F64 || s->y->type == ET_F64)
    return (const char *)s->y->host + (size_t)i * sc_size(s->type);
  sc_load(s->y, i, 1, m, s->type, room);
  return room;
}

static void compare_block(const box_search *s, int64_t i, int64_t m) {
  static const bool both[4] = {0, 0, 0, 1};
  uint8_t also[AT_ONCE / 8], *r = s->r + i / 8;
  double room[SC_BLOCK], one[SC_BLOCK];
  size_t size = sc_size(s->type);
  box_place p = {{0}, 0};
  for (int64_t k = 0; k < s->x->count; k++, advance(s, &p, 1)) {
    memcpy(one, (const char *)s->x->host + (size_t)k * size, size);
    sc_block()->repeat(size, min_i64(m, s->equal.run ? 64 : SC_BLOCK), one);
    sc_arg y = {box_elements(s, i + p.far, m, room), 1};
    sc_relate(&s->equal, y, (sc_arg){one, 0}, m, k ? also : r);
    if (k) sc_block()->truths(both, r, also, m, r);
    int64_t left = bits_loops()->count(r, m);
    if (left <= FEW && left) compare_few(s, i, m);
    if (left <= FEW) return;
  }
}

static void compare_bits(const box_search *s, int64_t i, int64_t m) {
  uint64_t w = m < 64 ? ((uint64_t)1 << m) - 1 : UINT64_MAX;
  box_place p = {{0}, 0};
  for (int64_t k = 0; w && k < s->x->count; k++, advance(s, &p, 1)) {
    uint64_t is = sc_word_from(s->y, i + p.far);
    w &= bit_at(s->x->host, k) ? is : ~is;
  }
  memcpy(s->r + i / 8, &w, (size_t)(m + 7) / 8);
}

static void compare_stretch(void *job, int64_t from, int64_t to) {
  const box_search *s = job;
  bool placed = s->type != SC_F64 || s->y->type == ET_F64;
  int64_t most = s->type == SC_B ? 64 : placed ? AT_ONCE : SC_BLOCK;
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, most);
    if (s->type == SC_B) compare_bits(s, i, m);
    else compare_block(s, i, m);
  }
}

/* ── boxes ──────────────────────────────────────────────────────────────────────────── */

static void clear_bits(uint8_t *r, int64_t from, int64_t to) {
  for (; from < to && from % 8; from++) r[from / 8] &= (uint8_t) ~(1u << from % 8);
  if (to - from >= 8) memset(r + from / 8, 0, (size_t)(to - from) / 8);
  for (from += (to - from) / 8 * 8; from < to; from++)
    r[from / 8] &= (uint8_t) ~(1u << from % 8);
}

/* Clears the places where the box would reach beyond the end of an axis. */
static bool clear_ends(ctx *c, const box_search *s) {
  for (int k = 0; k < s->rank; k++) {
    int64_t inner = s->strides[k], line = s->y->shape[k] * inner;
    int64_t lost = max_i64(s->n[k] - 1, 0) * inner;
    for (int64_t at = line, i = 0; lost && at <= s->y->count; at += line, i++) {
      if (stops_at(c, i)) return false;
      clear_bits(s->r, at - lost, at);
    }
  }
  return true;
}

/* Searches elements that have no common type for comparing them in vectors. */
static bool compare_each(ctx *c, const box_search *s, int64_t places) {
  int64_t often = max_i64(1, AT_ONCE / s->x->count); /* each may look at all of x */
  for (int64_t i = 0; i < places; i++) {
    if (i % often == 0 && interrupted(c)) return false;
    if (box_equal(s, i)) bit_add(s->r, i, 1);
  }
  return true;
}

static bool has_nan(const arr *a) {
  const double *v = a->host;
  for (int64_t i = 0; i < a->count; i++)
    if (isnan(v[i])) return true;
  return false;
}

/* The type of y holds all integers, or characters, of x. */
static bool is_held(const arr *x, const arr *y) {
  int64_t lo, hi;
  sc_bounds(x, &lo, &hi);
  if (elt_is_char((elt)x->type)) return elt_for_char((uint32_t)hi) <= (elt)y->type;
  return elt_for_range(lo, hi) <= (elt)y->type;
}

static bool box_is_whole(const arr *a) {
  return elt_is_int((elt)a->type) || elt_is_char((elt)a->type);
}

/* Chooses how x and y are compared, and the arrays *a and *b that replace them (NULL:
 * no memory). False: an element of x is nowhere in y. */
static bool prepare(ctx *c, box_search *s, arr *x, arr *y, arr **a, arr **b) {
  static const sc_type of_size[] = {SC_I8, SC_I16, SC_I32, SC_I64};
  bool nested = x->type == ET_NEST || y->type == ET_NEST;
  bool whole = !nested && box_is_whole(x) && box_is_whole(y);
  elt to = (elt)x->type;
  s->type = SC_TYPES;
  if (nested) to = ET_NEST;
  else if (whole && !is_held(x, y)) return false;
  else if (whole) {
    to = (elt)y->type;
    s->type = to == ET_BIT ? SC_B : of_size[bits_size(elt_bits(to))];
  } else if (to != ET_C128 && y->type != ET_C128) {
    to = ET_F64;
    s->type = SC_F64;
  }
  *a = arr_convert(c, x, to);
  *b = nested ? arr_convert(c, y, to) : arr_retain(y);
  if (s->type == SC_F64 && *a && has_nan(*a))
    s->type = SC_TYPES; /* which = does not find */
  if (s->type != SC_TYPES && s->type != SC_B)
    s->equal = sc_relation_of(P_EQ, s->type, sc_row_of(P_EQ, true, s->type)->fn, s->ct);
  s->x = *a;
  s->y = *b;
  return true;
}

/* The positions of the ravel of y from which the last element of x is still in y; 0: x is longer than y along
 * an axis. */
static int64_t places_of(box_search *s, const arr *x, const arr *y) {
  int64_t far = 0;
  int lead = y->rank - x->rank;
  s->rank = y->rank;
  strides_of(y->rank, y->shape, s->strides);
  for (int k = 0; k < y->rank; k++) {
    s->n[k] = k < lead ? 1 : x->shape[k - lead];
    if (s->n[k] > y->shape[k]) return 0;
    far += max_i64(s->n[k] - 1, 0) * s->strides[k];
  }
  return y->count - far;
}

static bool find_boxes(ctx *c, const box_search *s, int64_t places) {
  int64_t count = max_i64(s->x->count, 1), vector = s->type < SC_F64 ? 8 : 1;
  each_loop l = {.n = places,
                 .cell = count, /* so that a stretch is short where x is long */
                 .steps = 1,
                 .per = count * vector,
                 .task = compare_stretch,
                 .job = (void *)(uintptr_t)s};
  bool done = s->type == SC_TYPES ? compare_each(c, s, places) : each_part(c, &l);
  return done && !err_is(c) && clear_ends(c, s);
}

arr *prim_find(prim_env *e, arr *x, arr *y) {
  OWNED arr *r = arr_new(e->c, ET_BIT, y->rank, y->shape);
  bool nested = x->type == ET_NEST || y->type == ET_NEST;
  bool mixed = elt_is_char((elt)x->type) != elt_is_char((elt)y->type);
  if (!r || !r->count) return arr_move(&r);
  if (!arr_blank(r)) return NULL;
  if (x->rank > y->rank || (!nested && x->count && mixed)) return arr_move(&r);
  box_search s = {.ct = lookup_tolerance(x, y, e->ct), .y = y, .r = r->host};
  int64_t places = places_of(&s, x, y);
  if (!x->count) {
    for (int64_t i = 0; i < places; i++) bit_add(s.r, i, 1);
    return clear_ends(e->c, &s) ? arr_move(&r) : NULL;
  }
  OWNED arr *a = NULL, *b = NULL;
  if (!places || !prepare(e->c, &s, x, y, &a, &b)) return arr_move(&r);
  return a && b && find_boxes(e->c, &s, places) ? arr_move(&r) : NULL;
}
