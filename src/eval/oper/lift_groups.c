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
  if (l->groups->are_parts || l->groups->cells || !ir_settle(at.g, y) ||
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

static arr *scanned(lift *l, prim p, arr *y) {
  arr *pairs = groups_pairs(l->w.v, l->groups);
  ir_call at = call_of(l->w.v);
  return pairs ? ir_scan_segments(&at, p, y, pairs) : NULL;
}

int lift_group_fold(walk *w, const part_derived *f, int i) {
  lift *l = lift_of(w);
  arr *y = l->at[i].a;
  bool reduces = f->code == OP_REDUCE || f->code == OP_REDUCE1;
  bool scans = is_fold(f->code) && !reduces && l->groups->are_parts;
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  if ((!reduces && !scans) || f->axis.v || f->axis.b || p == P_COUNT) return NONE;
  bool end = p == P_LEFT || p == P_RIGHT;
  if (reduces && end) return lift_add(l, ends(l, y, p == P_RIGHT), 1);
  const fold_row *row = fold_of(p, cls_of((elt)y->type));
  if (elt_is_char((elt)y->type) || !row) return NONE;
  if (reduces) return lift_add_class(l, folded(l, p, y), 1, row->result);
  if (row->over == OVER_EVENNESS) return NONE;
  return as_grouped(l, lift_add_class(l, scanned(l, p, y), 1, row->result));
}

/* ── others ── */

/* x,y of parts as what ¯1↓ leaves of it: the element before each one of its part, or x. */
static int led(lift *l, const lifted *x, const lifted *y) {
  ir_call at = call_of(l->w.v);
  at.env.io = 0;
  bool one = x->kind == LIFT_ARRAY && !x->frame && !x->a->rank;
  if (!l->groups->are_parts || !one || is_nested(x->a) || !alike(x, y)) return NONE;
  arr *of = groups_of(l->w.v, l->groups);
  OWNED arr *none = of ? arr_int(at.env.c, -1) : NULL;
  OWNED arr *count = none ? arr_int(at.env.c, y->a->count) : NULL;
  OWNED arr *later = ir_dyadic(&at, P_COMMA, none, of);
  OWNED arr *before = ir_dyadic(&at, P_DROP, none, later);
  OWNED arr *same = ir_dyadic(&at, P_EQ, of, before);
  OWNED arr *numbers = ir_monadic(&at, P_IOTA, count);
  OWNED arr *from = ir_dyadic(&at, P_TIMES, same, numbers);
  OWNED arr *all = from ? ir_dyadic(&at, P_COMMA, x->a, y->a) : NULL;
  int r = all ? lift_add(l, elements_at(l->w.v, all, from), 1) : NONE;
  if (r != NONE) l->at[r].kind = LIFT_LED;
  return r;
}

static int cut(lift *l, prim p, const lifted *x, const lifted *y) {
  int64_t n[ARR_MAX_RANK];
  bool last = p == P_DROP && x && x->kind == LIFT_ARRAY && y->kind == LIFT_LED;
  if (!last || lift_numbers(l, x, n) != 1 || n[0] != -1) return NONE;
  return as_grouped(l, lift_add(l, arr_retain(y->a), 1));
}

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
  if (!is_grouped(y) && !(x && is_grouped(x))) return cut(l, p, x, y);
  if (prim_is_scalar(p, x != NULL)) return scalar(l, p, x, y);
  if (x && p == P_COMMA && is_grouped(y)) return led(l, x, y);
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

/* Scalars as rows of one element, and rows. */
static arr *column(lift *l, const lifted *x) {
  bool is_few = x->frame == 1 && l->rank == 1 && x->a->rank <= 2;
  if (!is_few || x->kind == LIFT_GROUPS) return NULL;
  return prim1(l->w.v, P_COMMA1, x->a);
}

int lift_mixed(walk *w, int xi, int yi) {
  lift *l = lift_of(w);
  OWNED arr *x = column(l, &l->at[xi]), *y = column(l, &l->at[yi]);
  return x && y && x->rank == 2 && y->rank == 2 ? lift_last(l, prim2(w->v, P_COMMA, x, y))
                                                : NONE;
}
