/* SPDX-License-Identifier: MIT */
/* few.c - few elements looked for among many, or many among few: by comparing stretches with one
 * element at a time, in the loops of =. */
#include "lookup.h"
#include "scalar.h"
#include "../base/arith.h"
#include "../tables/fast.h"

#include <math.h>

typedef struct needle { /* one element, as often as a stretch has elements */
  const sc_row *row;    /* of = */
  sc_type type;
  double ct;
  int64_t copies[SC_BLOCK];
} needle;

/* The type in which elements of both are compared exactly as lookup.c compares them; SC_TYPES: none. */
static sc_type few_type(const arr *x, const arr *y) {
  bool chars = elt_is_char((elt)x->type), whole = x->type <= ET_I64 && y->type <= ET_I64;
  if (chars != elt_is_char((elt)y->type)) return SC_TYPES;
  if (whole || chars) {
    int64_t t = max_i64(sc_ints_of(x), sc_ints_of(y));
    return (sc_type)max_i64(t, SC_I16);
  }
  if (x->type == ET_F32 && y->type == ET_F32) return SC_F32;
  bool x_fits = x->type <= ET_F64 && x->type != ET_I64;
  bool y_fits = y->type <= ET_F64 && y->type != ET_I64;
  return x_fits && y_fits ? SC_F64 : SC_TYPES;
}

/* Takes element i of a. Returns false for NaN, which = does not find. */
static bool few_take(needle *n, const arr *a, int64_t i) {
  sc_load(a, i, 1, 1, n->type, n->copies);
  double v = 0;
  if (n->type >= SC_F64) sc_load(a, i, 1, 1, SC_F64, &v);
  if (isnan(v)) return false;
  size_t one = sc_size(n->type), all = one * SC_BLOCK;
  for (size_t is = one; is < all; is *= 2)
    memcpy((char *)n->copies + is, n->copies, is < all - is ? is : all - is);
  return true;
}

/* Which of the m elements of a from `at` on are it? */
static void compare(const needle *n, const arr *a, int64_t at, int64_t m, bool *is) {
  int64_t room[SC_BLOCK];
  sc_state s = {.ct = n->ct};
  const void *from = room;
  if (a->type == sc_elt(n->type))
    from = (const char *)a->host + (size_t)at * sc_size(n->type);
  else sc_load(a, at, 1, m, n->type, room);
  n->row->fn(&s, (sc_arg){from, 1}, (sc_arg){n->copies, 0}, is, m);
}

/* The number of the first bit of x that is v; the count of x if there is none. */
static int64_t first_bit(const arr *x, bool v) {
  for (int64_t i = 0; i < x->count; i += 64) {
    uint64_t w = sc_word(x, i);
    if (!v) w = ~w;
    if (w) return min_i64(i + __builtin_ctzll(w), x->count);
  }
  return x->count;
}

/* The number of the first element of x that equals it; the count of x if there is
 * none; -1 after INTERRUPT. */
static int64_t first_of(ctx *c, const needle *n, const arr *x) {
  bool is[SC_BLOCK];
  for (int64_t at = 0; at < x->count; at += SC_BLOCK) {
    int64_t m = min_i64(x->count - at, SC_BLOCK);
    if (stops_at(c, at)) return -1;
    compare(n, x, at, m, is);
    const bool *found = memchr(is, 1, (size_t)m);
    if (found) return at + (found - is);
  }
  return x->count;
}

/* For each element of y, the place of the first equal element of x, if y has few. Returns false after INTERRUPT, and,
 * with no error, if not applicable. */
static bool find_few(prim_env *e, const arr *x, const arr *y, int64_t *to) {
  needle n = {.type = few_type(x, y), .ct = e->ct};
  if (n.type == SC_TYPES) return false;
  n.row = sc_row_of(P_EQ, true, n.type);
  for (int64_t j = 0; j < y->count; j++) {
    if (!few_take(&n, y, j)) return false;
    int64_t v = -1;
    if (n.type < SC_F64) sc_load(y, j, 1, 1, SC_I64, &v);
    if (x->type == ET_BIT && (v == 0 || v == 1)) to[j] = first_bit(x, v);
    else to[j] = first_of(e->c, &n, x);
    if (to[j] < 0) return false;
  }
  return true;
}

/* The same, if x has few. */
static bool find_among_few(prim_env *e, const arr *x, const arr *y, int64_t *to) {
  bool is[SC_BLOCK];
  needle n = {.type = few_type(x, y), .ct = e->ct};
  if (n.type == SC_TYPES) return false;
  n.row = sc_row_of(P_EQ, true, n.type);
  for (int64_t j = 0; j < y->count; j++) to[j] = x->count;
  for (int64_t i = x->count - 1; i >= 0; i--) {
    if (!few_take(&n, x, i)) return false;
    for (int64_t at = 0; at < y->count; at += SC_BLOCK) {
      int64_t m = min_i64(y->count - at, SC_BLOCK);
      if (stops_at(e->c, at)) return false;
      compare(&n, y, at, m, is);
      for (int64_t k = 0; k < m; k++) to[at + k] = is[k] ? i : to[at + k];
    }
  }
  return true;
}

bool prim_try_few(cells *s) {
  enum { SOUGHT = 16, AMONG = 16, KNOWN = 12, MANY_SOUGHT = 1 << 9 };
  prim_env e = *s->e;
  e.ct = s->ct;
  if (s->size != 1 || s->x->type == ET_NEST) return false;
  if (s->ny <= SOUGHT && s->ny * AMONG <= s->nx) return find_few(&e, s->x, s->y, s->to);
  return s->nx <= KNOWN && s->ny >= MANY_SOUGHT && find_among_few(&e, s->x, s->y, s->to);
}
