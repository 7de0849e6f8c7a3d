/* SPDX-License-Identifier: MIT */
/* identical.c - x≡y and x≢y: simple arrays stretch by stretch, which threads share; nested ones item by item
 * (array/match.h). */
#include "lookup.h"
#include "relations.h"
#include "../array/match.h"
#include "../base/arith.h"
#include "../base/each.h"

typedef struct matching { /* of simple arrays of one shape and kind */
  const arr *x, *y;
  double ct;
  sc_type type; /* in which elements are compared; SC_TYPES: one by one */
  sc_relation equal;
  atomic_bool differs; /* somewhere */
} matching;

/* m elements of a from i on in the type in which they are compared. */
static const void *identical_elements(const arr *a, int64_t i, int64_t m, sc_type t,
                                      void *room) {
  if (a->type == sc_elt(t) && t != SC_B)
    return (const char *)a->host + (size_t)i * sc_size(t);
  sc_load(a, i, 1, m, t, room);
  return room;
}

/* Are elements identical although = is false for them? NaN is. */
static bool are_same(const matching *p, int64_t i, int64_t m, const uint8_t *equal) {
  for (int64_t at = 0; at < m; at += 64) {
    uint64_t most = m - at < 64 ? ((uint64_t)1 << (m - at)) - 1 : UINT64_MAX;
    for (uint64_t w = ~bits_word(equal, m, at) & most; w; w &= w - 1) {
      int64_t k = i + at + __builtin_ctzll(w);
      if (p->type < SC_F64 || !arr_num_equal_at(p->x, k, p->y, k, p->ct)) return false;
    }
  }
  return true;
}

static bool match_blocks(const matching *p, int64_t from, int64_t to) {
  double room[2][SC_BLOCK];
  uint8_t equal[SC_BLOCK / 8];
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    sc_arg x = {identical_elements(p->x, i, m, p->type, room[0]), 1},
           y = {identical_elements(p->y, i, m, p->type, room[1]), 1};
    sc_relate(&p->equal, x, y, m, equal);
    if (!are_same(p, i, m, equal)) return false;
  }
  return true;
}

static bool match_each(const matching *p, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; i++)
    if (!arr_num_equal_at(p->x, i, p->y, i, p->ct)) return false;
  return true;
}

/* Compares elements of one type by their bytes first. Numbers may be equal although
 * their bytes differ. */
static bool stretch_matches(const matching *p, int64_t from, int64_t to) {
  elt type = (elt)p->x->type;
  size_t at = elt_bytes(type, from), n = elt_bytes(type, to - from);
  if (p->y->type == type) {
    if (!memcmp((const char *)p->x->host + at, (const char *)p->y->host + at, n))
      return true;
    if (!elt_is_float(type) && type != ET_C128) return false;
  }
  return p->type == SC_TYPES ? match_each(p, from, to) : match_blocks(p, from, to);
}

static void match_stretch(void *job, int64_t from, int64_t to) {
  enum { PIECE = 8192 }; /* what is read twice is in the cache */
  matching *p = job;
  for (int64_t i = from, m; i < to; i += m) {
    m = min_i64(to - i, PIECE);
    if (atomic_load_explicit(&p->differs, memory_order_relaxed)) return;
    if (!stretch_matches(p, i, i + m))
      atomic_store_explicit(&p->differs, true, memory_order_relaxed);
  }
}

/* The type in which elements of both are told apart as arr_num_equal_at does it, NaN aside. */
static sc_type identical_type(const arr *x, const arr *y) {
  bool x_is_float = elt_is_float((elt)x->type), y_is_float = elt_is_float((elt)y->type);
  if (x->type == ET_C128 || y->type == ET_C128) return SC_TYPES;
  if (x_is_float || y_is_float) return SC_F64;
  return (sc_type)max_i64(sc_ints_of(x), sc_ints_of(y));
}

/* Simple arrays of one shape and kind. */
static bool match_simple(prim_env *e, const arr *x, const arr *y, bool *same) {
  matching p = {.x = x, .y = y, .ct = lookup_tolerance(x, y, e->ct)};
  p.type = identical_type(x, y);
  if (p.type != SC_TYPES)
    p.equal = sc_relation_of(P_EQ, p.type, sc_row_of(P_EQ, true, p.type)->fn, p.ct);
  each_loop l = {.n = x->count, .cell = 1, .steps = 1, .task = match_stretch, .job = &p};
  if (x->type == y->type && x->type != ET_C128) l.per = 64 / elt_bits((elt)x->type);
  if (!each_part(e->c, &l)) return false;
  *same = !p.differs;
  return true;
}

static arr *match(prim_env *e, const arr *x, const arr *y, bool wanted) {
  bool same, text = elt_is_char((elt)x->type),
             nests = x->type == ET_NEST || y->type == ET_NEST,
             alike = text == elt_is_char((elt)y->type) && arr_same_shape(x, y);
  bool done = nests || !alike || x == y ? arr_match_checked(e->c, x, y, e->ct, &same)
                                        : match_simple(e, x, y, &same);
  return done ? arr_int(e->c, same == wanted) : NULL;
}
arr *prim_match(prim_env *e, arr *x, arr *y) { return match(e, x, y, true); }
arr *prim_not_match(prim_env *e, arr *x, arr *y) { return match(e, x, y, false); }
