/* SPDX-License-Identifier: MIT */
/* lift_put.c - elements of all cells replaced at once (lift_value.h): y[i]←v, and @.
 *
 *     {b←⍵ ⋄ b[⍵⍳⌈/⍵]←0 ⋄ b}⍤1⊢m     m's elements as one vector, place + row × length ◀─ 0
 *
 * What a function makes of those that a mask tells is made of them as elements of groups
 * (lift_select.c), and goes back to where they were. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"
#include "oper.h"

/* May v's elements take the place of y's? */
static bool may_replace(const lifted *y, const lifted *v) {
  bool fit = y->kind == LIFT_ARRAY && v->kind == LIFT_ARRAY;
  if (!fit || !go_side_by_side(y, v) || is_f32(y) != is_f32(v)) return false;
  return class_of(y) != CLS_C && class_of(v) != CLS_C;
}

/* The numbers of the elements that y[at] has in y's ravel, as a value of its own. */
static int own_places(lift *l, const lifted *y, int n, const int *at) {
  vm *v = l->w.v;
  arr *ix[ARR_MAX_RANK] = {NULL};
  int64_t count = arr_product(cell_rank(y), cell_shape(y));
  int frame = 0;
  for (int k = 0; k < n; k++) {
    if (at[k] == NONE) continue;
    const lifted *i = value_at(l, at[k]);
    if (i->kind != LIFT_ARRAY || is_char(i) || (n > 1 && i->frame)) return NONE;
    if (i->frame && is_nested(i->a)) return NONE;
    frame = i->frame;
    ix[k] = i->a;
  }
  OWNED arr *all = arr_int(v->c, count);
  OWNED arr *numbers = all ? prim1(v, P_IOTA, all) : NULL;
  OWNED arr *box = numbers ? lift_reshape(l, numbers, 0, n, cell_shape(y)) : NULL;
  return box ? lift_add(l, index_of(v, box, n, ix), frame) : NONE;
}

/* y's cells with those of v at `places`, which own_places gave. */
static int put_cells(lift *l, const lifted *y, const lifted *places, const lifted *v) {
  int frame = longer_frame(y, v), k = cell_rank(places);
  if (places->frame > frame) frame = places->frame;
  if (!frame || (cell_rank(v) && !same_cells(places, v))) return NONE;
  int64_t count = arr_product(cell_rank(y), cell_shape(y));
  OWNED arr *own = lift_align(l, places, frame, k, cell_shape(places));
  OWNED arr *first = own ? lift_first_places(l, frame, count, own) : NULL;
  OWNED arr *at = first ? prim2(l->w.v, P_PLUS, own, first) : NULL;
  OWNED arr *all = at ? lift_align(l, y, frame, cell_rank(y), cell_shape(y)) : NULL;
  OWNED arr *new = NULL;
  if (all && !v->a->rank) new = arr_retain(v->a);
  else if (all) new = lift_align(l, v, frame, k, cell_shape(places));
  OWNED arr *vals = new ? prim1(l->w.v, P_COMMA, new) : NULL;
  OWNED arr *line = vals ? prim1(l->w.v, P_COMMA, all) : NULL;
  OWNED arr *to = line ? prim1(l->w.v, P_COMMA, at) : NULL;
  OWNED arr *put = to ? at_put(l->w.v, line, 1, &to, v->a->rank ? vals : new) : NULL;
  OWNED arr *shape = put ? arr_int_vec(l->w.v->c, all->rank, all->shape) : NULL;
  return shape ? lift_add(l, prim2(l->w.v, P_RHO, shape, put), frame) : NONE;
}

static int put_by_rule(lift *l, int yi, int n, const int *at, int vi) {
  const lifted *y = value_at(l, yi), *v = value_at(l, vi);
  if (!n || !may_replace(y, v) || n != cell_rank(y)) return NONE;
  int places = own_places(l, y, n, at);
  if (places == NONE) return NONE;
  int r = put_cells(l, y, value_at(l, places), v);
  walk_drop(&l->w, places);
  return r;
}

int lift_put(walk *w, int y, int n, const int *at, int v) {
  lift *l = lift_of(w);
  bool far =
      n == 1 && at[0] != NONE &&
      (value_at(l, at[0])->kind == LIFT_GROUPS || value_at(l, y)->kind == LIFT_GROUPS);
  int r = far ? lift_group_put(l, y, at[0], v) : put_by_rule(l, y, n, at, v);
  return r != NONE ? r : lift_loop_put(w, y, n, at, v);
}

/* ── @ ── */

/* f@i: at major cells. */
static int at_indices(walk *w, const part_derived *f, int x, int y) {
  lift *l = lift_of(w);
  int n = cell_rank(value_at(l, y)), at[ARR_MAX_RANK], new = NONE, r = NONE;
  for (int k = 0; k < n; k++) at[k] = NONE;
  at[0] = walk_array(w, f->r);
  if (!n || at[0] == NONE || is_nested(value_at(l, at[0])->a)) return NONE;
  if (part_class(&f->l) == C_ARR) new = walk_array(w, f->l);
  else {
    int old = lift_index(w, y, n, at);
    new = old == NONE ? NONE : walk_apply(w, f->l, x, old);
    walk_drop(w, old);
  }
  if (new != NONE) r = put_by_rule(l, y, n, at, new);
  walk_drop(w, new);
  walk_drop(w, at[0]);
  return r;
}

/* What goes to the ones of `truths`, of which each cell has so many elements of `line`. */
static arr *new_elements(walk *w, const part_derived *f, int x, arr *truths, arr *line,
                         arr *sizes) {
  lift *l = lift_of(w);
  int old = lift_ragged(l, l->shape[0], sizes, truths, line);
  int new = old == NONE ? NONE : walk_apply(w, f->l, x, old);
  if (new == NONE) return NULL;
  const lifted *from = value_at(l, old), *to = value_at(l, new);
  bool each = to->kind == LIFT_GROUPS && to->of == from->of && to->a->rank == 1;
  bool fit = each && to->a->type != ET_C128 && alike(to, from) &&
             class_of(to) <= class_of(from) && is_f32(to) == is_f32(from);
  arr *r = fit ? arr_retain(to->a) : NULL;
  walk_drop(w, old);
  walk_drop(w, new);
  return r;
}

/* f@g: where g y is 1. A cell that has no such keeps its class. */
static int at_ones(walk *w, const part_derived *f, int x, int yi) {
  lift *l = lift_of(w);
  vm *v = w->v;
  int mask = walk_apply(w, f->r, NONE, yi);
  if (mask == NONE || l->rank != 1) return NONE;
  const lifted *y = value_at(l, yi), *m = value_at(l, mask);
  bool fit = m->kind == LIFT_ARRAY && class_of(m) == CLS_B && same_cells(m, y) &&
             cell_rank(y) && class_of(y) != CLS_C && !is_nested(y->a);
  if (!fit) return NONE;
  int64_t n = arr_product(cell_rank(y), cell_shape(y));
  OWNED arr *all = lift_align(l, y, 1, cell_rank(y), cell_shape(y));
  OWNED arr *truths = all ? lift_align(l, m, 1, cell_rank(m), cell_shape(m)) : NULL;
  OWNED arr *rows = lift_reshape(l, truths, 1, 1, &n);
  OWNED arr *bits = rows ? prim1(v, P_COMMA, rows) : NULL;
  OWNED arr *line = bits ? prim1(v, P_COMMA, all) : NULL;
  OWNED arr *new = NULL;
  walk_drop(w, mask);
  if (line && part_class(&f->l) == C_ARR) {
    int one = walk_array(w, f->l);
    const lifted *c = one == NONE ? NULL : value_at(l, one);
    bool ok = c && !c->a->rank && may_replace(y, c) && class_of(c) <= class_of(y);
    new = ok ? arr_retain(c->a) : NULL;
  } else if (line) {
    OWNED arr *sizes = lift_reduce_last(l, P_PLUS, rows);
    new = sizes ? new_elements(w, f, x, bits, line, sizes) : NULL;
  }
  OWNED arr *to = new ? prim1(v, P_WHERE, bits) : NULL;
  if (!to || !ir_settle(v->g, to)) return NONE;
  OWNED arr *put = to->count ? at_put(v, line, 1, &to, new) : arr_retain(line);
  OWNED arr *shape = put ? arr_int_vec(v->c, all->rank, all->shape) : NULL;
  return shape ? lift_add(l, prim2(v, P_RHO, shape, put), 1) : NONE;
}

int lift_at(walk *w, const part_derived *f, int x, int y) {
  if (x != NONE && part_class(&f->l) == C_ARR) return NONE;
  if (part_class(&f->r) == C_ARR) return at_indices(w, f, x, y);
  return at_ones(w, f, x, y);
}
