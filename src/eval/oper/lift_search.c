/* SPDX-License-Identifier: MIT */
/* lift_search.c - searches of all cells at once (lift_value.h).
 *
 * Where all cells share the table it is searched for everything. Where each has its own, every element
 * is compared with all of its cell's table, in one kernel: the least place with an equal, or whether there is
 * one.
 *
 *     cells x: frame n        x≠y, n times that + place, ⌊/ ─▶ x⍳y: frame m
 *     cells y: frame m        frame m n
 *
 * A long table that is asked much is left to lift_loop.c, which has a hash for each cell. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"

/* Comparisons a cell: so many kernels make in less time than it takes to bring the cells to the host, and
 * calls on the host. */
enum { COMPARED_THERE = 1 << 16, COMPARED_HERE = 64 };

/* Each element of `what` looked up in a vector that all cells share. */
static int in_shared(lift *l, prim p, const lifted *x, const lifted *y, const lifted *in,
                     const lifted *what) {
  if (in->a->rank != 1 || is_nested(in->a)) return NONE;
  return lift_add(l, prim2(l->w.v, p, x->a, y->a), what->frame);
}

/* The table and what is looked up beside each other: frame, what's axes, table. */
typedef struct pairs {
  int frame, rank; /* rank: of the cells */
  int64_t cell[ARR_MAX_RANK];
} pairs;

static bool pairs_of(lift *l, const lifted *table, const lifted *what, pairs *p) {
  int n = cell_rank(what);
  *p = (pairs){.frame = longer_frame(table, what), .rank = n + 1};
  if (p->frame + p->rank > ARR_MAX_RANK) return false;
  for (int k = 0; k < n; k++) p->cell[k] = cell_shape(what)[k];
  p->cell[n] = cell_shape(table)[0];
  bool here = table->a->host && what->a->host;
  return arr_product(p->rank, p->cell) <= (here ? COMPARED_HERE : COMPARED_THERE) &&
         l->rank >= p->frame;
}

/* x, whose axes are the first of the cells, or the last one, along all of these. */
static arr *spread_over(lift *l, const lifted *x, const pairs *p, bool last) {
  int64_t shape[ARR_MAX_RANK];
  int k[ARR_MAX_RANK], n = cell_rank(x);
  for (int i = 0; i < p->frame; i++) shape[i] = l->shape[i];
  for (int i = 0; i < p->rank; i++) shape[p->frame + i] = p->cell[i];
  for (int i = 0; i < x->frame; i++) k[i] = i;
  for (int i = 0; i < n; i++) k[x->frame + i] = p->frame + (last ? p->rank - n : 0) + i;
  ir_call at = call_of(l->w.v);
  return ir_spread(&at, x->a, p->frame + p->rank, shape, k);
}

int lift_equals(lift *l, const lifted *x, const lifted *y, bool not ) {
  prim eq = not ? P_NE : P_EQ, ne = not ? P_EQ : P_NE, join = not ? P_AND : P_OR;
  int r = lift_scalar(l, eq, x, y);
  if (class_of(x) < CLS_F || class_of(y) < CLS_F || r == NONE) return r;
  int nans = lift_both(l, not ? P_OR : P_AND, lift_scalar(l, ne, x, x),
                       lift_scalar(l, ne, y, y));
  return lift_both(l, join, r, nans);
}

/* Is each element equal to each of the table, or `not`? */
static int compared(lift *l, const lifted *table, const lifted *what, const pairs *p,
                    bool not ) {
  OWNED arr *a = spread_over(l, table, p, true);
  OWNED arr *b = a ? spread_over(l, what, p, false) : NULL;
  if (!b) return NONE;
  lifted x = {.a = a, .frame = p->frame}, y = {.a = b, .frame = p->frame};
  return lift_equals(l, &x, &y, not );
}

/* The least place of a difference that is none, or behind all places. */
static int first_place(lift *l, const lifted *differs, int64_t many) {
  vm *v = l->w.v;
  OWNED arr *n = arr_int(v->c, many);
  OWNED arr *beyond = n ? prim2(v, P_TIMES, differs->a, n) : NULL;
  OWNED arr *place = beyond ? prim1(v, P_IOTA, n) : NULL;
  lifted all = {.a = beyond, .frame = differs->frame}, one = {.a = place};
  if (!place) return NONE;
  int k = all.a->rank - 1;
  ir_call at = call_of(v);
  OWNED arr *places = ir_spread(&at, one.a, all.a->rank, all.a->shape, &k);
  OWNED arr *sum = places ? prim2(v, P_PLUS, places, all.a) : NULL;
  return sum ? lift_add(l, lift_reduce_last(l, P_FLOOR, sum), differs->frame) : NONE;
}

/* A table for each cell. */
static int in_own(lift *l, prim p, const lifted *table, const lifted *what) {
  pairs all;
  if (cell_rank(table) != 1 || is_nested(what->a) || !alike(table, what)) return NONE;
  if (!pairs_of(l, table, what, &all)) return NONE;
  if (class_of(table) == CLS_C || class_of(what) == CLS_C) return NONE;
  int i = compared(l, table, what, &all, p == P_IOTA), r = NONE;
  if (i == NONE) return NONE;
  const lifted *c = value_at(l, i);
  if (p == P_IOTA) r = first_place(l, c, cell_shape(table)[0]);
  else r = lift_add(l, lift_reduce_last(l, P_OR, c->a), c->frame);
  walk_drop(&l->w, i);
  return r;
}

int lift_search(lift *l, prim p, const lifted *x, const lifted *y) {
  const lifted *in = x, *what = y;
  if (p == P_MEMBER) {
    in = y;
    what = x;
  }
  if (!in->frame) return in_shared(l, p, x, y, in, what);
  if (p == P_WHERE) return NONE;
  if (p == P_IOTA || cell_rank(in) == 1) return in_own(l, p, in, what);
  int line = lift_ravel(l, in, false);
  if (line == NONE) return NONE;
  int r = in_own(l, p, value_at(l, line), what);
  walk_drop(&l->w, line);
  return r;
}
