/* SPDX-License-Identifier: MIT */
/* lift_prim.c - the primitives on values with a frame (lift_value.h): what each does to all
 * cells at once. What is not here is not lifted.
 *
 * Scalar functions go along the frame as along any axes. Folds, movements and indices are
 * those of the whole array along axes that are counted from the frame on: lift_fold.c and
 * lift_move.c. Shapes are the same for all cells. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"
#include "../../tables/fast.h"

/* ── results and arguments ── */

/* r, unless elements have left the class that they have in a cell. */
int lift_add_class(lift *l, arr *r, int frame, cls most) {
  bool left = r && !r->node && cls_of((elt)r->type) > most;
  if (!left) return lift_add(l, r, frame);
  arr_release(r);
  return NONE;
}

int lift_numbers(lift *l, const lifted *x, int64_t *to) {
  arr *a = x->a;
  if (x->frame || a->rank > 1 || a->count > ARR_MAX_RANK || is_nested(a)) return -1;
  if (!ir_host(l->w.v->g, a)) return -1;
  if (a->count && !elt_is_int((elt)a->type)) return -1;
  for (int64_t i = 0; i < a->count; i++) to[i] = arr_get_int(a, i);
  return (int)a->count;
}

/* ── scalar functions ── */

bool lift_widths_agree(const lifted *x, const lifted *y) {
  bool differ = (x->a->type == ET_F32) != (y->a->type == ET_F32);
  if (!differ || (x->a->type != ET_F64 && y->a->type != ET_F64)) return true;
  if (x->a->type != ET_F64) x = y;
  return !x->a->rank || arr_product(cell_rank(x), cell_shape(x)) > 1;
}

cls lift_result_class(prim p, const lifted *x, const lifted *y) {
  cls need = class_of(y);
  bool chars = is_char(y) || (x && is_char(x));
  if (chars && (!x || !alike(x, y) || (p != P_EQ && p != P_NE))) return CLS_NONE;
  if (x && class_of(x) > need) need = class_of(x);
  if (x && p == P_CIRCLE && x->a->rank) return CLS_NONE;
  if (x && p == P_CIRCLE && need != CLS_C) return CLS_F;
  if (x && p == P_CIRCLE) return CLS_C;
  /* Of a cell whose numbers are real the result has another class. */
  if (need == CLS_C && prim_result(p, x != NULL, CLS_F) == CLS_I) return CLS_NONE;
  cls row = prim_row_of(p, x != NULL, need);
  if (row == CLS_NONE) return row;
  return prim_result(p, x != NULL, row);
}

static int scalar1(lift *l, prim p, const lifted *y) {
  cls most = lift_result_class(p, NULL, y);
  if (most == CLS_NONE) return NONE;
  return lift_add_class(l, prim1(l->w.v, p, y->a), y->frame, most);
}

/* An argument beside one whose cells are wide's: a number for all is one. */
static arr *operand(lift *l, const lifted *x, int frame, const lifted *wide) {
  if (!x->a->rank) return arr_retain(x->a);
  return lift_align(l, x, frame, cell_rank(wide), cell_shape(wide));
}

static int scalar2(lift *l, prim p, const lifted *x, const lifted *y) {
  int frame = longer_frame(x, y), nx = cell_rank(x), ny = cell_rank(y);
  if ((nx && ny && !same_cells(x, y)) || !lift_widths_agree(x, y)) return NONE;
  cls most = lift_result_class(p, x, y);
  if (most == CLS_NONE) return NONE;
  const lifted *wide = nx ? x : y;
  OWNED arr *a = operand(l, x, frame, wide);
  if (!a) return NONE;
  OWNED arr *b = operand(l, y, frame, wide);
  return lift_add_class(l, prim2(l->w.v, p, a, b), frame, most);
}

int lift_scalar(lift *l, prim p, const lifted *x, const lifted *y) {
  if (!x) return scalar1(l, p, y);
  return scalar2(l, p, x, y);
}

arr *lift_reduce_last(lift *l, prim p, arr *y) {
  ir_call at = call_of(l->w.v);
  arr *r = NULL;
#define FAST_LINES(way) FAST_FIRST(r, at.env.c, way(&at, p, y))
#include "../../tables/fast.def"
  if (!r && !err_is(at.env.c)) r = ir_reduce(&at, p, y, y->rank - 1);
  return r;
}

/* ── counts, order, equality ── */

static int tally(lift *l, const lifted *y) {
  if (y->kind == LIFT_ARRAY) return lift_add(l, arr_int(l->w.v->c, cell_tally(y)), 0);
  if (y->kind != LIFT_WHERE) return NONE;
  int64_t n = arr_product(cell_rank(y), cell_shape(y));
  OWNED arr *line = lift_reshape(l, y->a, y->frame, 1, &n);
  if (!line) return NONE;
  return lift_add(l, lift_reduce_last(l, P_PLUS, line), y->frame);
}

/* x≡y, of cells that are all alike or all different in shape. */
static int match(lift *l, const lifted *x, const lifted *y, bool not ) {
  vm *v = l->w.v;
  if (!same_cells(x, y)) return lift_add(l, arr_int(v->c, not ), 0);
  if (!alike(x, y)) return NONE;
  int equal = lift_equals(l, x, y, not );
  if (equal == NONE) return NONE;
  const lifted *e = value_at(l, equal);
  int64_t n = arr_product(cell_rank(e), cell_shape(e));
  OWNED arr *line = lift_reshape(l, e->a, e->frame, 1, &n);
  int frame = e->frame;
  walk_drop(&l->w, equal);
  if (!line) return NONE;
  return lift_add(l, lift_reduce_last(l, not ? P_OR : P_AND, line), frame);
}

static int order(lift *l, prim p, const lifted *y) {
  if (cell_rank(y) != 1) return NONE;
  ir_call at = call_of(l->w.v);
  return lift_add(l, ir_order_lines(&at, p, y->a), y->frame);
}

static int where(lift *l, const lifted *y) {
  if (class_of(y) != CLS_B || !cell_rank(y)) return NONE;
  int r = lift_add(l, arr_retain(y->a), y->frame);
  if (r != NONE) l->at[r].kind = LIFT_WHERE;
  return r;
}

/* x⌹y, or ⌹y where x is NULL. What a cell of complex numbers gives may be real. */
static int divide(lift *l, const lifted *x, const lifted *y) {
  int frame = x ? longer_frame(x, y) : y->frame;
  bool numbers = class_of(y) <= CLS_F && (!x || class_of(x) <= CLS_F);
  if (!numbers || is_char(y) || (x && (is_char(x) || !lift_widths_agree(x, y))))
    return NONE;
  OWNED arr *a = lift_align(l, y, frame, cell_rank(y), cell_shape(y));
  OWNED arr *b = x && a ? lift_align(l, x, frame, cell_rank(x), cell_shape(x)) : NULL;
  if (!a || (x && !b)) return NONE;
  ir_call at = call_of(l->w.v);
  return lift_add_class(l, ir_divide_cells(&at, b, a, frame), frame, CLS_F);
}

/* ── random numbers ── */

/* n copies of a number in each cell. */
static arr *padding(vm *v, int64_t cells, int64_t n, int64_t number) {
  OWNED arr *shape = arr_int_vec(v->c, 2, (int64_t[]){cells, n});
  OWNED arr *one = shape ? arr_int(v->c, number) : NULL;
  return prim2(v, P_RHO, shape, one);
}

/* ?y of cells of n numbers each: cell k draws those from its own place on, which is behind all that the
 * cells before it draw, of which this ? has only a part. */
static arr *rolled(lift *l, arr *y, int64_t n, int64_t number) {
  vm *v = l->w.v;
  int64_t each = l->draws ? l->draws : n, before = l->draws ? l->drawn_each : 0;
  int64_t cells = l->shape[0], behind = each - before - n;
  if (behind < 0) return NULL;
  OWNED arr *all = arr_retain(y);
  for (int k = 0; k < 2 && all; k++) {
    int64_t many = k ? behind : before;
    OWNED arr *pad = many ? padding(v, cells, many, number) : NULL, *own = all;
    if (!many) all = arr_retain(own);
    else all = k ? prim2(v, P_COMMA, own, pad) : prim2(v, P_COMMA, pad, own);
  }
  v->random.drawn = l->drawn;
  OWNED arr *drawn = prim1(v, P_ROLL, all);
  ir_call at = call_of(v);
  return drawn && all->shape[1] > n
             ? ir_box(&at, drawn, (int64_t[]){0, before}, (int64_t[]){cells, n})
             : arr_move(&drawn);
}

/* All whole, and all 0 or none: then all results have one class. */
static bool may_roll(lift *l, arr *y, int64_t *lo, int64_t *hi) {
  ir_call at = call_of(l->w.v);
  if (!ir_settle(at.g, y) || !elt_is_int((elt)y->type)) return false;
  return ir_extremes(&at, y, lo, hi) && (*lo > 0 || (*lo == 0 && *hi == 0));
}

int lift_roll(lift *l, int yi) {
  const lifted *y = value_at(l, yi);
  int64_t lo, hi, n = arr_product(cell_rank(y), cell_shape(y));
  bool ragged = y->kind == LIFT_GROUPS && y->of->in_order && y->a->rank == 1;
  if (l->choosing || l->scope || l->rank != 1 || !may_roll(l, y->a, &lo, &hi))
    return NONE;
  if (ragged && !l->rolls) {
    groups *was = l->groups;
    l->rolls++;
    l->draws = l->drawn_each = -1; /* there may be no other one */
    l->groups = y->of;
    int r = lift_grouped_line(l, prim1(l->w.v, P_ROLL, y->a));
    l->groups = was;
    return r;
  }
  if (y->kind != LIFT_ARRAY || l->draws < 0) return NONE;
  int64_t to[ARR_MAX_RANK] = {l->shape[0]};
  int rank = cell_rank(y);
  for (int k = 0; k < rank; k++) to[k + 1] = cell_shape(y)[k];
  OWNED arr *a = lo == hi ? arr_retain(y->a) : lift_align(l, y, 1, rank, cell_shape(y));
  OWNED arr *rows = NULL;
  if (a) rows = lo == hi ? padding(l->w.v, to[0], n, lo) : lift_reshape(l, a, 1, 1, &n);
  OWNED arr *drawn = rows ? rolled(l, rows, n, lo > 0) : NULL;
  l->rolls++;
  l->drawn_each += n;
  OWNED arr *shape = drawn ? arr_int_vec(l->w.v->c, rank + 1, to) : NULL;
  return shape ? lift_add(l, prim2(l->w.v, P_RHO, shape, drawn), 1) : NONE;
}

/* x?y, where nothing else is drawn: the cells' numbers follow one another. */
static int deal(walk *w, int xi, int yi) {
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi);
  bool alone = !l->choosing && !l->scope && l->rank == 1 && !l->rolls;
  if (!alone || y->kind != LIFT_ARRAY) return NONE;
  int all = lift_add(l, lift_align(l, y, 1, cell_rank(y), cell_shape(y)), 1);
  if (all == NONE) return NONE;
  l->rolls++;
  l->draws = l->drawn_each = -1;
  int r = lift_loop_primitive(w, P_ROLL, xi, all);
  walk_drop(w, all);
  return r;
}

/* ── all of them ── */

static int monadic(lift *l, prim p, int i) {
  const lifted *y = value_at(l, i);
  int n = cell_rank(y);
  switch (p) {
  case P_LEFT:
  case P_RIGHT: return walk_keep(&l->w, i);
  case P_TALLY: return tally(l, y);
  case P_RHO: return lift_add(l, arr_int_vec(l->w.v->c, n, cell_shape(y)), 0);
  case P_COMMA:
  case P_COMMA1: return lift_ravel(l, y, p == P_COMMA1);
  case P_MEMBER:
    if (!l->w.v->sv->ml) return NONE;
    return lift_ravel(l, y, false);
  case P_REVERSE:
  case P_REVERSE1: return lift_along(l, p, NULL, y);
  case P_TRANSPOSE:
    if (n < 2) return walk_keep(&l->w, i);
    return lift_transpose(l, NULL, y);
  case P_TAKE: return walk_keep(&l->w, i);
  case P_UP:
  case P_DOWN: return order(l, p, y);
  case P_PICK:
    if (!n) return walk_keep(&l->w, i);
    return lift_first(l, y);
  case P_WHERE: return where(l, y);
  case P_UNION: return lift_unique(l, y, false);
  case P_NE: return lift_unique(l, y, true);
  case P_ENCLOSE: return n ? NONE : walk_keep(&l->w, i);
  case P_IOTA: return lift_iota(l, i);
  case P_FORMAT: return lift_format(l, i);
  case P_DOMINO: return divide(l, NULL, y);
  default: break;
  }
  if (!prim_is_scalar(p, false)) return NONE;
  return scalar1(l, p, y);
}

static int dyadic(lift *l, prim p, int xi, int yi) {
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  switch (p) {
  case P_RHO: return lift_reshape_by(l, x, y);
  case P_COMMA:
  case P_COMMA1: return lift_catenate(l, p, x, y);
  case P_REVERSE:
  case P_REVERSE1: return lift_along(l, p, x, y);
  case P_TRANSPOSE: return lift_transpose(l, x, y);
  case P_TAKE:
  case P_DROP: return lift_take_or_drop(l, p, x, y);
  case P_IOTA:
  case P_WHERE:
  case P_MEMBER: return lift_search(l, p, x, y);
  case P_PICK:
    if (cell_rank(y) != 1) return NONE;
    return lift_pick_own(l, x, y);
  case P_SQUAD: return lift_pick_own(l, x, y);
  case P_MATCH: return match(l, x, y, false);
  case P_TALLY: return match(l, x, y, true);
  case P_DECODE:
  case P_ENCODE: return lift_radix(l, p, x, y);
  case P_DOMINO: return divide(l, x, y);
  default: break;
  }
  if (!prim_is_scalar(p, true)) return NONE;
  return scalar2(l, p, x, y);
}

static int by_rule(walk *w, prim p, int xi, int yi) {
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi), *x = NULL;
  if (xi != NONE) x = value_at(l, xi);
  if (y->kind == LIFT_CELLS || (x && x->kind == LIFT_CELLS)) return NONE;
  if (y->kind == LIFT_PARTS) return x ? NONE : lift_of_cells_parts(l, p, yi);
  if (x && x->kind == LIFT_PARTS) return NONE;
  bool ones = y->kind == LIFT_WHERE || y->kind == LIFT_SOME;
  if (ones && (x || p != P_TALLY)) {
    int numbers = lift_unfold(l, yi);
    int r = numbers == NONE ? NONE : by_rule(w, p, xi, numbers);
    walk_drop(w, numbers);
    return r;
  }
  bool differs = y->frame || (x && x->frame);
  if (x && differs && (p == P_NOT || p == P_INTERSECT || p == P_UNION))
    return lift_sets(w, p, xi, yi);
  if (x && differs && (p == P_ENCLOSE || p == P_NEST)) return lift_parts(l, p, xi, yi);
  if (x && differs && p == P_FIND) return lift_find(w, xi, yi);
  if (is_of_groups(y) || (x && is_of_groups(x))) return lift_grouped(w, p, xi, yi);
  if (l->groups && x && p == P_COMMA && !go_side_by_side(x, y))
    return lift_mixed(w, xi, yi);
  if (x && x->kind != LIFT_ARRAY) return NONE;
  if (y->kind != LIFT_ARRAY && (p != P_TALLY || x)) return NONE;
  if (!y->frame && !x) return lift_add(l, prim1(w->v, p, y->a), 0);
  if (!y->frame && !x->frame) return lift_add(l, prim2(w->v, p, x->a, y->a), 0);
  if (is_nested(y->a) || (x && is_nested(x->a))) return NONE;
  if (!x) return monadic(l, p, yi);
  int r = dyadic(l, p, xi, yi);
  return r != NONE ? r : lift_ragged_move(w, p, xi, yi);
}

int lift_primitive(walk *w, prim p, int x, int y) {
  p = prim_in_force(w->v, p, x != NONE);
  if (p == P_ROLL) return x == NONE ? lift_roll(lift_of(w), y) : deal(w, x, y);
  if (x != NONE && p == P_LEFT)
    return walk_keep(w, x); /* x⊢y and x⊣y ask for one alone */
  if (x != NONE && p == P_RIGHT) return walk_keep(w, y);
  if (is_mixed(lift_of(w), x) || is_mixed(lift_of(w), y))
    return lift_mixed_scalar(lift_of(w), p, x, y);
  int r = by_rule(w, p, x, y);
  return r != NONE ? r : lift_loop_primitive(w, p, x, y);
}

int lift_both(lift *l, prim p, int x, int y) {
  int r = NONE;
  if (x != NONE && y != NONE) r = lift_primitive(&l->w, p, x, y);
  walk_drop(&l->w, x);
  walk_drop(&l->w, y);
  return r;
}
