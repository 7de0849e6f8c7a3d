/* SPDX-License-Identifier: MIT */
/* sets.c - what is made of looking up: x⍳y ∊ ∪ ∩ ~ ≠, and x⍷y, which looks for boxes.
 *
 * Tolerant equality is not transitive, so ∪ looks whether the first cell that equals
 * another was itself kept, and only if somewhere it was not goes by the definition. */
#include "lookup.h"
#include "axis.h"
#include "relations.h"
#include "struct.h"
#include "table.h"
#include "../base/arith.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <string.h>

/* ── ⍳ ∊ ────────────────────────────────────────────────────────────────────────────── */

arr *prim_index_of(prim_env *e, arr *x, arr *y) {
  arr *found = table_positions(e, x, y);
  if (found || err_is(e->c)) return found;
  OWNED arr *at = lookup_positions(e, x, y);
  if (!at) return NULL;
  int64_t none = x->shape[0] + e->io;
  const int64_t *p = at->host;
  OWNED arr *r = arr_new(e->c, elt_for_range(e->io, none), at->rank, at->shape);
  if (!r) return NULL;
  sc_put_ints(r, 0, r->count, p, e->io);
  arr_set_range(r, e->io, none);
  return arr_move(&r);
}

/* For each element of x: is it one of y's (`in`), or is it none of them? */
static arr *member(prim_env *e, arr *x, arr *y, bool in) {
  arr *found = table_members(e, x, y, in);
  if (found || err_is(e->c)) return found;
  OWNED arr *list = prim_ravel(e, y);
  if (!list) return NULL;
  OWNED arr *at = lookup_positions(e, list, x);
  if (!at) return NULL;
  const int64_t *p = at->host;
  OWNED arr *r = arr_new(e->c, ET_BIT, x->rank, x->shape);
  if (!r) return NULL;
  bool b[SC_BLOCK];
  for (int64_t j = 0; j < r->count; j += SC_BLOCK) {
    int64_t m = min_i64(r->count - j, SC_BLOCK);
    if (stops_at(e->c, j)) return NULL;
    for (int64_t k = 0; k < m; k++) b[k] = (p[j + k] < list->count) == in;
    sc_store(r, j, 1, m, SC_B, b);
  }
  return arr_move(&r);
}

arr *prim_member(prim_env *e, arr *x, arr *y) { return member(e, x, y, true); }

/* ── ∪ ≠ ∩ ~ ────────────────────────────────────────────────────────────────────────── */

arr *prim_unique_mask(prim_env *e, arr *y) {
  OWNED arr *list = NULL;
  if (!y->rank) {
    list = prim_ravel(e, y);
    if (!list) return NULL;
    y = list;
  }
  arr *news = table_news(e, y);
  if (!news && !err_is(e->c)) news = seats_news(e, y, lookup_tolerance(y, y, e->ct));
  if (news || err_is(e->c)) return news;
  OWNED arr *first = lookup_positions(e, y, y);
  if (!first) return NULL;
  OWNED arr *r = arr_vec(e->c, ET_BIT, first->count);
  if (!r) return NULL;
  int64_t *at = first->host;
  bool transitive = true;
  arr_blank(r);
  for (int64_t j = 0; j < r->count; j++) {
    if (stops_at(e->c, j)) return NULL;
    bit_add(r->host, j, at[j] == j);
    if (at[at[j]] != at[j]) transitive = false;
  }
  if (!transitive && !lookup_new(e, y, r)) return NULL;
  return arr_move(&r);
}

arr *prim_unique(prim_env *e, arr *y) {
  OWNED arr *mask = prim_unique_mask(e, y);
  if (!mask) return NULL;
  return prim_replicate(e, mask, y, 0);
}

static bool is_list(prim_env *e, const arr *a) {
  if (a->rank <= 1) return true;
  return err_set(e->c, ERR_RANK, "the argument must be a scalar or a vector");
}

/* The elements of x that are in y, or that are not. */
static arr *sieve(prim_env *e, arr *x, arr *y, bool in) {
  if (!is_list(e, x)) return NULL;
  OWNED arr *mask = member(e, x, y, in);
  if (!mask) return NULL;
  return prim_replicate(e, mask, x, 0);
}

arr *prim_without(prim_env *e, arr *x, arr *y) { return sieve(e, x, y, false); }

arr *prim_intersection(prim_env *e, arr *x, arr *y) {
  if (!is_list(e, y)) return NULL;
  return sieve(e, x, y, true);
}

arr *prim_union(prim_env *e, arr *x, arr *y) {
  if (!is_list(e, x)) return NULL;
  OWNED arr *more = sieve(e, y, x, false);
  if (!more) return NULL;
  OWNED arr *list = prim_ravel(e, x);
  if (!list) return NULL;
  return prim_catenate(e, list, more);
}

/* ── ⍷ ──────────────────────────────────────────────────────────────────────────────── */

typedef struct box_search {
  const arr *x, *y;
  double ct;
  int64_t n[ARR_MAX_RANK],
      strides[ARR_MAX_RANK]; /* x's lengths in y's rank; y's strides */
} box_search;

/* Does the box of x's shape that begins at position `pos` of y hold x? */
static bool box_equal(const box_search *b, int64_t pos) {
  int64_t at[ARR_MAX_RANK] = {0};
  for (int64_t i = 0; i < b->x->count; i++) {
    if (!lookup_equal_at(b->x, i, b->y, pos, b->ct)) return false;
    for (int k = b->y->rank - 1; k >= 0; k--) {
      pos += b->strides[k];
      at[k]++;
      if (at[k] < b->n[k]) break;
      pos -= b->strides[k] * b->n[k];
      at[k] = 0;
    }
  }
  return true;
}

/* Does a box of x's shape that begins at these coordinates end within y? */
static bool box_fits(const box_search *b, const int64_t *at) {
  for (int k = 0; k < b->y->rank; k++)
    if (at[k] + b->n[k] > b->y->shape[k]) return false;
  return true;
}

/* Places of y are looked at together: which of them begin with the first elements of x, as bits,
 * and what is behind these one by one. */
enum { FIND_FIRST = 4, FIND_AT_ONCE = 4096 };
typedef struct line_search {
  const arr *x, *y;
  uint8_t *r;
  size_t size;
  sc_relation equal;
  char first[FIND_FIRST][SC_BLOCK * 8]; /* copies of an element each */
} line_search;

/* Of the places from i on, m of them, that begin so: are the rest of x's elements there, too? */
static bool find_rest(ctx *c, const line_search *l, int64_t i, int64_t m) {
  const char *y = (const char *)l->y->host + i * (int64_t)l->size,
             *x = (const char *)l->x->host + FIND_FIRST * l->size;
  int64_t n = l->x->count - FIND_FIRST;
  for (int64_t at = 0; at < m; at += 64)
    for (uint64_t w = bits_word(l->r + i / 8, m, at); w; w &= w - 1) {
      int64_t k = at + __builtin_ctzll(w);
      if (memcmp(y + (k + FIND_FIRST) * (int64_t)l->size, x, (size_t)n * l->size))
        l->r[(i + k) / 8] &= (uint8_t) ~(1u << k % 8);
      if (n > FIND_AT_ONCE && interrupted(c)) return false;
    }
  return true;
}

static bool find_block(ctx *c, const line_search *l, int64_t i, int64_t m) {
  static const bool both[4] = {0, 0, 0, 1};
  uint8_t also[FIND_AT_ONCE / 8], *r = l->r + i / 8;
  const char *y = (const char *)l->y->host + i * (int64_t)l->size;
  for (int64_t k = 0; k < min_i64(l->x->count, FIND_FIRST); k++, y += l->size) {
    sc_relate(&l->equal, (sc_arg){y, 1}, (sc_arg){l->first[k], 0}, m, k ? also : r);
    if (k) sc_block()->truths(both, r, also, m, r);
    if (!bits_loops()->any(r, m, true)) return true;
  }
  return l->x->count <= FIND_FIRST || find_rest(c, l, i, m);
}

/* A vector in a vector of one type whose elements are equal where their bytes are. */
static bool find_line(ctx *c, const arr *x, const arr *y, arr *r) {
  line_search l;
  l.x = x;
  l.y = y;
  l.r = r->host;
  l.size = (size_t)elt_bits((elt)y->type) / 8;
  sc_type t = l.size == 1 ? SC_Q : l.size == 2 ? SC_H : l.size == 4 ? SC_W : SC_I;
  int64_t places = y->count - x->count + 1;
  l.equal = sc_relation_of(P_EQ, t, sc_row_of(P_EQ, true, t)->fn, 0);
  int64_t copies = min_i64(max_i64(places, 0), l.equal.run ? 64 : SC_BLOCK);
  for (int64_t k = 0; k < min_i64(x->count, FIND_FIRST); k++)
    bits_loops()->repeat[bits_size(8 * (int)l.size)](
        &copies, 1, (const char *)x->host + k * (int64_t)l.size, l.first[k], copies);
  for (int64_t i = 0; i < places; i += FIND_AT_ONCE)
    if (interrupted(c) || !find_block(c, &l, i, min_i64(places - i, FIND_AT_ONCE)))
      return false;
  return true;
}

static bool is_line(const arr *x, const arr *y) {
  elt t = (elt)y->type;
  return x->rank <= 1 && y->rank == 1 && x->count && x->type == t && t != ET_BIT &&
         (elt_is_char(t) || elt_is_int(t));
}

static bool find_boxes(ctx *c, const box_search *b, arr *r) {
  if (is_line(b->x, b->y)) return find_line(c, b->x, b->y, r);
  int64_t at[ARR_MAX_RANK] = {0};
  const arr *y = b->y;
  for (int64_t pos = 0; pos < y->count; pos++) {
    bool look = b->x->count > 4096 || !(pos & 4095);
    if (look && interrupted(c)) return false;
    if (box_fits(b, at) && box_equal(b, pos)) arr_put_int(r, pos, 1);
    for (int k = y->rank - 1; k >= 0; k--) {
      at[k]++;
      if (at[k] < y->shape[k]) break;
      at[k] = 0;
    }
  }
  return true;
}

arr *prim_find(prim_env *e, arr *x, arr *y) {
  OWNED arr *r = arr_new(e->c, ET_BIT, y->rank, y->shape);
  bool nested = x->type == ET_NEST || y->type == ET_NEST;
  if (!r || !r->count) return arr_move(&r);
  memset(r->host, 0, elt_bytes(ET_BIT, r->count));
  if (x->rank > y->rank) return arr_move(&r);
  if (!nested && x->count && elt_is_char((elt)x->type) != elt_is_char((elt)y->type))
    return arr_move(&r);
  elt x_type = (elt)x->type, y_type = (elt)y->type;
  if (nested) x_type = y_type = ET_NEST;
  OWNED arr *a = arr_convert(e->c, x, x_type);
  if (!a) return NULL;
  OWNED arr *b = arr_convert(e->c, y, y_type);
  if (!b) return NULL;
  box_search s = {.x = a, .y = b, .ct = lookup_tolerance(a, b, e->ct)};
  int lead = y->rank - x->rank;
  for (int k = 0; k < lead; k++) s.n[k] = 1;
  for (int k = lead; k < y->rank; k++) s.n[k] = x->shape[k - lead];
  strides_of(y->rank, y->shape, s.strides);
  if (!find_boxes(e->c, &s, r)) return NULL;
  return arr_move(&r);
}
