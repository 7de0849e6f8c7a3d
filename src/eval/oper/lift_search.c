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
 * In a long table that is asked much, and in groups, what is looked up is a pair of the cell's number and the
 * value. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"

/* Comparisons a cell: so many kernels make in less time than it takes to bring the cells to the host, and
 * calls on the host. */
enum { COMPARED_THERE = 1 << 16, COMPARED_HERE = 64 };

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
  bool one = !what->a->rank; /* for all of them */
  OWNED arr *b = one ? arr_retain(what->a) : NULL;
  if (a && !one) b = spread_over(l, what, p, false);
  if (!a || !b) return NONE;
  lifted x = {.a = a, .frame = p->frame}, y = {.a = b, .frame = one ? 0 : p->frame};
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
  ir_call at = call_of(l->w.v);
  arr *extreme = p == P_IOTA && what->frame == table->frame && !cell_rank(what)
                     ? ir_place_of_extreme(&at, table->a, what->a)
                     : NULL;
  if (extreme || err_is(at.env.c)) return lift_add(l, extreme, table->frame);
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
  if (!in->frame && (in->a->rank != 1 || is_nested(in->a))) return NONE;
  if (!in->frame) return lift_add(l, prim2(l->w.v, p, x->a, y->a), what->frame);
  if (p == P_WHERE) return NONE;
  if (p == P_IOTA || cell_rank(in) == 1) {
    int r = in_own(l, p, in, what);
    if (r != NONE) return r;
    return lift_group_search(&l->w, p, (int)(x - l->at), (int)(y - l->at));
  }
  int line = lift_ravel(l, in, false);
  if (line == NONE) return NONE;
  int r = in_own(l, p, value_at(l, line), what);
  walk_drop(&l->w, line);
  return r;
}

/* ── (cell, value) looked up: groups, and long tables ── */

/* For each element of x a number that is the same for equal elements of one group. */
static arr *keys_of(lift *l, const lifted *x, arr *kinds) {
  vm *v = l->w.v;
  l->groups = x->of;
  arr *of = groups_of(v, l->groups);
  OWNED arr *kind = of ? prim2(v, P_IOTA, kinds, x->a) : NULL;
  OWNED arr *many = kind ? arr_int(v->c, kinds->count + v->sv->io) : NULL;
  OWNED arr *base = many ? prim2(v, P_TIMES, of, many) : NULL;
  return base ? prim2(v, P_PLUS, base, kind) : NULL;
}

/* The first place in its own group of what was found in all of them, or behind that. */
static int own_place(lift *l, const lifted *table, const lifted *what, arr *found) {
  int io = l->w.v->sv->io;
  l->groups = table->of;
  int begin = lift_of_parts(l, PART_BEGIN, 0), size = lift_of_parts(l, PART_LENGTH, io);
  l->groups = what->of;
  int at = lift_grouped_line(l, arr_retain(found));
  if (at == NONE || begin == NONE || size == NONE) return NONE;
  int here =
      lift_both(l, P_LT, walk_keep(&l->w, at), lift_number(l, table->a->count + io));
  int place = lift_both(l, P_MINUS, at, begin);
  int less = lift_both(l, P_MINUS, place, walk_keep(&l->w, size));
  return lift_both(l, P_PLUS, size, lift_both(l, P_TIMES, here, less));
}

/* What is equal or not, whatever the tolerance. */
static bool is_exact(lift *l, const lifted *x) {
  return is_char(x) || class_of(x) <= (l->w.v->sv->ct == 0 ? CLS_F : CLS_I);
}

static int in_groups(lift *l, prim p, const lifted *table, const lifted *what) {
  vm *v = l->w.v;
  OWNED arr *all = prim2(v, P_COMMA, table->a, what->a);
  OWNED arr *kinds = all ? prim1(v, P_UNION, all) : NULL;
  if (!kinds || !ir_settle(v->g, kinds)) return NONE;
  OWNED arr *keys = keys_of(l, table, kinds), *of = keys ? keys_of(l, what, kinds) : NULL;
  if (!of) return NONE;
  if (p == P_MEMBER) return lift_grouped_line(l, prim2(v, P_MEMBER, of, keys));
  OWNED arr *found = prim2(v, P_IOTA, keys, of);
  return found ? own_place(l, table, what, found) : NONE;
}

int lift_group_search(walk *w, prim p, int xi, int yi) {
  lift *l = lift_of(w);
  int ti = p == P_MEMBER ? yi : xi, wi = p == P_MEMBER ? xi : yi;
  const lifted *table = value_at(l, ti), *what = value_at(l, wi);
  groups *was = l->groups;
  int r = NONE;
  if (p == P_IOTA && table->kind == LIFT_ARRAY && cell_rank(table) != 1) return NONE;
  if (table->kind == LIFT_ARRAY && !table->frame && what->kind == LIFT_GROUPS) {
    l->groups = what->of;
    r = lift_grouped_line(l, prim2(w->v, p, value_at(l, xi)->a, value_at(l, yi)->a));
  } else if (p != P_WHERE && is_exact(l, table) && is_exact(l, what) &&
             alike(table, what) && lift_is_far(l, table)) {
    int a = lift_as_groups(l, ti), b = a == NONE ? NONE : lift_as_groups(l, wi);
    if (b != NONE) r = in_groups(l, p, value_at(l, a), value_at(l, b));
    if (what->kind == LIFT_ARRAY) /* as it came: vectors, or scalars */
      r = lift_regular(l, r, cell_rank(what), cell_shape(what));
    walk_drop(w, a);
    walk_drop(w, b);
  }
  l->groups = was;
  return r;
}

/* ── sets, and x⍷y ── */

/* The elements of x that y has, or has not. */
static int common(walk *w, int x, int y, bool not ) {
  lift *l = lift_of(w);
  int in = lift_primitive(w, P_MEMBER, x, y), r = NONE;
  if (in != NONE && not ) {
    int has = in;
    in = lift_primitive(w, P_NOT, NONE, has);
    walk_drop(w, has);
  }
  if (in == NONE) return NONE;
  if (value_at(l, in)->kind == LIFT_GROUPS && value_at(l, x)->kind == LIFT_GROUPS)
    r = lift_group_select(l, in, x);
  else if (value_at(l, in)->kind == LIFT_ARRAY)
    r = lift_compress(l, value_at(l, in), value_at(l, x));
  walk_drop(w, in);
  return r;
}

/* A scalar is a vector here. */
static int as_vector(lift *l, int x) {
  const lifted *y = value_at(l, x);
  if (y->kind == LIFT_ARRAY && !cell_rank(y)) return lift_ravel(l, y, false);
  return walk_keep(&l->w, x);
}

int lift_sets(walk *w, prim p, int xi, int yi) {
  lift *l = lift_of(w);
  int x = as_vector(l, xi), y = as_vector(l, yi), r = NONE;
  if (x == NONE || y == NONE) return NONE;
  for (int k = 0; k < 2; k++) {
    const lifted *of = value_at(l, k ? y : x);
    int rank = of->kind == LIFT_ARRAY ? cell_rank(of) : of->a->rank;
    if (is_nested(of->a) || rank != 1) return NONE;
  }
  if (p != P_UNION) r = common(w, x, y, p == P_NOT);
  else {
    int new = common(w, y, x, true);
    r = new == NONE ? NONE : lift_join(l, x, new, NONE);
    walk_drop(w, new);
  }
  walk_drop(w, x);
  walk_drop(w, y);
  return r;
}

/* x⍷y of a vector that all cells share in vectors of groups: where all of them lie behind each other. */
static int find_in_groups(lift *l, const lifted *x, int yi) {
  const lifted *y = value_at(l, yi);
  bool fit = x->kind == LIFT_ARRAY && !x->frame && x->a->rank <= 1 && y->a->rank == 1;
  if (!fit || !y->of->in_order) return NONE;
  groups *was = l->groups;
  l->groups = y->of;
  int found = lift_grouped_line(l, prim2(l->w.v, P_FIND, x->a, y->a));
  int fits = lift_both(l, P_LE, lift_own_numbers(l, 0),
                       lift_of_parts(l, PART_LENGTH, -x->a->count));
  int r = lift_both(l, P_AND, found, fits);
  l->groups = was;
  return r;
}

/* The n elements of each of y's cells from place k on; of x all of them. */
static int slice(lift *l, const lifted *y, int64_t k, int64_t n) {
  int64_t from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  ir_call at = call_of(l->w.v);
  for (int i = 0; i < y->frame; i++) size[i] = y->a->shape[i];
  from[y->frame] = k;
  size[y->frame] = n;
  return lift_add(l, ir_box(&at, y->a, from, size), y->frame);
}

/* In vectors of one length: as many comparisons as x is long. */
static int find_in_cells(lift *l, int xi, int yi) {
  enum { LONGEST = 16 };
  int64_t n = cell_tally(value_at(l, xi)), all = cell_tally(value_at(l, yi)), one = 1;
  int r = NONE;
  if (n < 1 || n > LONGEST || n > all) return NONE;
  for (int64_t i = 0; i < n; i++) {
    int a = slice(l, value_at(l, yi), i, all - n + 1);
    int b = slice(l, value_at(l, xi), i, one);
    if (a == NONE || b == NONE) return NONE;
    const lifted *y = value_at(l, a), *x = value_at(l, b);
    OWNED arr *at = lift_reshape(l, x->a, x->frame, 0, NULL);
    if (!at) return NONE;
    int same = lift_equals(l, &(lifted){.a = at, .frame = x->frame}, y, false);
    r = i ? lift_both(l, P_AND, r, same) : same;
    walk_drop(&l->w, a);
    walk_drop(&l->w, b);
    if (r == NONE) return NONE;
  }
  OWNED arr *width = arr_int_vec(l->w.v->c, 1, &all);
  int to = width ? lift_add(l, arr_move(&width), 0) : NONE;
  int filled = to == NONE ? NONE : lift_primitive(&l->w, P_TAKE, to, r);
  walk_drop(&l->w, to);
  walk_drop(&l->w, r);
  return filled;
}

int lift_find(walk *w, int xi, int yi) {
  lift *l = lift_of(w);
  int x = as_vector(l, xi), r = NONE;
  const lifted *y = value_at(l, yi), *p = x == NONE ? NULL : value_at(l, x);
  if (!p || is_nested(p->a) || is_nested(y->a) || !alike(p, y)) return NONE;
  if (y->kind == LIFT_GROUPS) r = find_in_groups(l, p, yi);
  else if (y->kind == LIFT_ARRAY && p->kind == LIFT_ARRAY && cell_rank(p) == 1 &&
           cell_rank(y) == 1 && class_of(p) != CLS_C && class_of(y) != CLS_C)
    r = find_in_cells(l, x, yi);
  walk_drop(w, x);
  return r;
}
