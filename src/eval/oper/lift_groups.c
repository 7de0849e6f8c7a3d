/* SPDX-License-Identifier: MIT */
/* lift_groups.c - the groups of ⌸ as the value of a lifted function's ⍵.
 *
 * The elements of all groups stay in the order of the cells (LIFT_GROUPS): scalar functions go
 * along them as they lie, beside a number for each group that number is fetched for each
 * element. Counts are there already. Folds that do not depend on an order are atomics on a
 * device; any other brings the elements in the order of the groups, in which each group is a
 * segment and is folded by the tree of its own length.
 *
 *   {(+/⍵*2)÷≢⍵}     ⍵*2 elements ─ + by groups ─▶ a number for each group ÷ sizes */
#include "../../array/element.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "groups.h"
#include "lift_value.h"

static bool is_grouped(const lifted *x) { return x->kind == LIFT_GROUPS; }

/* ── scalar functions ── */

/* x beside elements of groups: these side by side, or a number for each group, or for all. A
 * NULL array: it is none of them. */
static lifted beside(lift *l, const lifted *x) {
  lifted r = {.a = NULL};
  if (is_grouped(x)) r.a = arr_retain(x->a);
  else if (x->kind != LIFT_ARRAY || cell_rank(x) || is_nested(x->a)) return r;
  else if (!x->frame) r.a = arr_retain(x->a);
  else if (groups_of(l->w.v, l->groups)) r.a = elements_at(l->w.v, x->a, l->groups->of);
  return r;
}

/* A value of frame 0 is one of each element then. */
static int as_grouped(lift *l, int r) {
  if (r == NONE) return r;
  l->at[r].frame = 1;
  l->at[r].kind = LIFT_GROUPS;
  return r;
}

static int scalar(lift *l, prim p, const lifted *x, const lifted *y) {
  lifted a = {.a = NULL}, b = beside(l, y);
  if (x) a = beside(l, x);
  int r = NONE;
  if (b.a && (!x || a.a)) r = lift_scalar(l, p, x ? &a : NULL, &b);
  if (a.a) arr_release(a.a);
  if (b.a) arr_release(b.a);
  return as_grouped(l, r);
}

/* ── folds ── */

/* What nothing changes that p joins with elements lo to hi: false, there is none. */
static bool start_of(prim p, elt t, int64_t lo, int64_t hi, int64_t *start) {
  *start = 0;
  if (p == P_CEIL) *start = lo;
  if (p == P_FLOOR) *start = hi;
  if (p == P_AND) *start = 1;
  bool bits = p == P_AND || p == P_OR;
  return p == P_PLUS || p == P_CEIL || p == P_FLOOR || (bits && t == ET_BIT);
}

/* By atomics, of integers, where that is exact; NULL without an error: it is not, or no device
 * has them. */
static arr *joined(lift *l, prim p, arr *y) {
  ir_call at = call_of(l->w.v);
  int64_t lo, hi, start;
  at.env.io = 0;
  if (l->groups->are_parts || l->groups->of->host || !ir_settle(at.g, y) ||
      !elt_is_int((elt)y->type))
    return NULL;
  if (!ir_bounds(&at, y, &lo, &hi) || !start_of(p, (elt)y->type, lo, hi, &start))
    return NULL;
  OWNED arr *one = arr_int(at.env.c, start);
  OWNED arr *n = one ? arr_int(at.env.c, l->groups->count) : NULL;
  OWNED arr *r = ir_dyadic(&at, P_RHO, n, one);
  return r && ir_put_joined(&at, p, &r, l->groups->of, y) ? arr_move(&r) : NULL;
}

/* The first or the last element of each group. */
static arr *ends(lift *l, arr *y, bool last) {
  vm *v = l->w.v;
  arr *pairs = groups_pairs(v, l->groups);
  OWNED arr *sorted = pairs ? groups_elements(v, l->groups, y) : NULL;
  ir_call call = call_of(v);
  OWNED arr *at =
      sorted ? ir_part_numbers(&call, pairs, last ? PART_END : PART_BEGIN) : NULL;
  return at ? elements_at(v, sorted, at) : NULL;
}

static arr *folded(lift *l, prim p, arr *y) {
  vm *v = l->w.v;
  arr *r = joined(l, p, y);
  if (r || err_is(v->c)) return r;
  arr *pairs = groups_pairs(v, l->groups);
  OWNED arr *sorted = pairs ? groups_elements(v, l->groups, y) : NULL;
  ir_call at = call_of(v);
  return sorted ? ir_reduce_segments(&at, p, sorted, pairs) : NULL;
}

int lift_group_fold(walk *w, const part_derived *f, int i) {
  lift *l = lift_of(w);
  arr *y = l->at[i].a;
  bool reduces = f->code == OP_REDUCE || f->code == OP_REDUCE1;
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  if (!reduces || f->axis.v || f->axis.b || p == P_COUNT) return NONE;
  if (p == P_LEFT || p == P_RIGHT) return lift_add(l, ends(l, y, p == P_RIGHT), 1);
  const fold_row *row = fold_of(p, cls_of((elt)y->type));
  if (elt_is_char((elt)y->type) || !row) return NONE;
  return lift_add_class(l, folded(l, p, y), 1, row->result);
}

/* ── others ── */

/* A vector of the groups, of which none is made before it is asked for. */
static int enclosed(lift *l, arr *y) {
  vm *v = l->w.v;
  arr *pairs = groups_pairs(v, l->groups);
  OWNED arr *sorted = pairs ? groups_elements(v, l->groups, y) : NULL;
  ir_call at = call_of(v);
  return lift_last(l, sorted ? ir_items(&at, sorted, pairs) : NULL);
}

int lift_grouped(walk *w, prim p, int xi, int yi) {
  lift *l = lift_of(w);
  const lifted *y = &l->at[yi], *x = xi == NONE ? NULL : &l->at[xi];
  if (prim_is_scalar(p, x != NULL)) return scalar(l, p, x, y);
  if (x) return NONE;
  switch (p) {
  case P_LEFT:
  case P_RIGHT:
  case P_COMMA:
  case P_TAKE: return walk_keep(w, yi);
  case P_TALLY: return lift_add(l, arr_retain(l->groups->sizes), 1);
  case P_PICK: return lift_add(l, ends(l, y->a, false), 1);
  case P_ENCLOSE: return enclosed(l, y->a);
  default: return NONE;
  }
}

/* ── side by side ── */

static arr *column(lift *l, const lifted *x) {
  if (x->frame != 1 || l->rank != 1 || x->kind == LIFT_GROUPS) return NULL;
  return prim1(l->w.v, P_COMMA1, x->a);
}

int lift_mixed(walk *w, int xi, int yi) {
  lift *l = lift_of(w);
  OWNED arr *x = column(l, &l->at[xi]), *y = column(l, &l->at[yi]);
  return x && y && x->rank == 2 && y->rank == 2 ? lift_last(l, prim2(w->v, P_COMMA, x, y))
                                                : NONE;
}
