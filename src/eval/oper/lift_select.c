/* SPDX-License-Identifier: MIT */
/* lift_select.c - selections that give each cell another length: x/y, ⍸y, ∪y.
 *
 *     {(⍵>4)/⍵}⍤1⊢2 3⍴5 1 6 2 8 3       elements 5 6 8, lengths 2 1
 *
 * What is selected lies in one vector, cell by cell, as the elements of groups do that lie in order
 * (lift_groups.c), with a length for each cell. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"

/* The vectors of all cells, of n elements, one behind the other. */
static arr *all_cells(lift *l, const lifted *x, int64_t n) {
  OWNED arr *a = lift_align(l, x, 1, 1, &n);
  return a ? prim1(l->w.v, P_COMMA, a) : NULL;
}

int lift_ragged(lift *l, int64_t count, arr *sizes, arr *truths, arr *line) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  if (l->owned == LIFT_RAGGED || !sizes || !truths || !line) return NONE;
  if (!ir_settle(v->g, sizes)) return NONE;
  OWNED arr *least = ir_reduce(&at, P_FLOOR, sizes, 0);
  if (!least || !ir_host(v->g, least)) return NONE;
  OWNED arr *r = ir_replicate(&at, truths, line, 0, false);
  if (!r || !ir_settle(v->g, r)) return NONE;
  groups *g = &l->own[l->owned++];
  *g = (groups){.n = r->count, .count = count, .in_order = true};
  g->empties = !arr_get_int(least, 0);
  g->sizes = arr_retain(sizes);
  int i = lift_add(l, arr_move(&r), 1);
  if (i == NONE) return i;
  l->at[i].kind = LIFT_GROUPS;
  l->at[i].of = g;
  return i;
}

/* The elements of `line` where the cells of `mask` have 1. */
static int selected(lift *l, const lifted *mask, arr *line) {
  int64_t n = cell_tally(mask);
  if (l->rank != 1) return NONE;
  OWNED arr *all = lift_align(l, mask, 1, 1, &n);
  OWNED arr *sizes = all ? lift_reduce_last(l, P_PLUS, all) : NULL;
  OWNED arr *truths = sizes ? prim1(l->w.v, P_COMMA, all) : NULL;
  return lift_ragged(l, l->shape[0], sizes, truths, line);
}

int lift_compress(lift *l, const lifted *x, const lifted *y) {
  if (class_of(x) != CLS_B || cell_rank(x) != 1 || cell_rank(y) != 1) return NONE;
  if (cell_tally(x) != cell_tally(y) || y->a->type == ET_C128) return NONE;
  OWNED arr *line = all_cells(l, y, cell_tally(y));
  return selected(l, x, line);
}

/* ⍳n for each cell. */
static arr *places_in(lift *l, int64_t n) {
  OWNED arr *count = arr_int(l->w.v->c, n);
  OWNED arr *places = prim1(l->w.v, P_IOTA, count);
  return places ? all_cells(l, &(lifted){.a = places}, n) : NULL;
}

int lift_unfold(lift *l, int x) {
  lifted *y = value_at(l, x);
  if (y->kind == LIFT_SOME) return lift_group_where(l, x);
  if (y->kind != LIFT_WHERE) return walk_keep(&l->w, x);
  if (cell_rank(y) != 1) return NONE;
  OWNED arr *line = places_in(l, cell_tally(y));
  lifted mask = {.a = y->a, .frame = y->frame};
  return selected(l, &mask, line);
}

/* ── ∪ ── */

/* x[y] of two values that are given back. */
static int at_own(lift *l, int x, int y) {
  int r = x == NONE || y == NONE ? NONE : lift_index(&l->w, x, 1, &y);
  walk_drop(&l->w, x);
  walk_drop(&l->w, y);
  return r;
}

static int sorted_places(lift *l, const lifted *y) {
  ir_call at = call_of(l->w.v);
  return lift_add(l, ir_order_lines(&at, P_UP, y->a), y->frame);
}

/* Is each the first with its value? In order, what is before it differs; then as they lie. */
static int first_of_equals(lift *l, int yi) {
  vm *v = l->w.v;
  int64_t n = cell_tally(value_at(l, yi));
  int up = sorted_places(l, value_at(l, yi));
  int in_order = at_own(l, walk_keep(&l->w, yi), walk_keep(&l->w, up));
  if (in_order == NONE) return NONE;
  const lifted *s = value_at(l, in_order);
  ir_call at = call_of(v);
  int64_t from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  for (int k = 0; k < s->frame; k++) size[k] = s->a->shape[k];
  size[s->frame] = n - 1;
  OWNED arr *before = ir_box(&at, s->a, from, size);
  from[s->frame] = 1;
  OWNED arr *later = before ? ir_box(&at, s->a, from, size) : NULL;
  OWNED arr *differ = prim2(v, P_NE, before, later);
  int64_t one = 1;
  OWNED arr *yes = arr_int(v->c, 1);
  OWNED arr *first = yes ? lift_align(l, &(lifted){.a = yes}, s->frame, 1, &one) : NULL;
  OWNED arr *line = differ ? prim2(v, P_COMMA, first, differ) : NULL;
  int new = line ? lift_add(l, arr_move(&line), s->frame) : NONE;
  walk_drop(&l->w, in_order);
  int back = up == NONE ? NONE : sorted_places(l, value_at(l, up));
  walk_drop(&l->w, up);
  return at_own(l, new, back);
}

/* Of elements that are equal or not, whatever the tolerance. */
int lift_unique(lift *l, const lifted *y, bool mask) {
  bool exact = is_char(y) || class_of(y) <= CLS_I;
  if (!exact || cell_rank(y) != 1 || cell_tally(y) < 2) return NONE;
  int i = first_of_equals(l, (int)(y - l->at));
  if (mask || i == NONE) return i;
  int r = lift_compress(l, value_at(l, i), y);
  walk_drop(&l->w, i);
  return r;
}
