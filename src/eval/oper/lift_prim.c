/* SPDX-License-Identifier: MIT */
/* lift_prim.c - the primitives on values with a frame (lift_value.h): what each does to all
 * cells at once. What is not here is not lifted.
 *
 * Scalar functions go along the frame as along any axes. Folds, movements and indices are
 * those of the whole array along axes that are counted from the frame on. Shapes are the same
 * for all cells. */
#include "../../array/element.h"
#include "../../prim/product.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "fold_fn.h"
#include "lift_value.h"

#include <string.h>

/* ── results ── */

static lifted *value_at(lift *l, int i) { return &l->at[i]; }

/* r, unless elements have left the class that they have in a cell. */
int lift_add_class(lift *l, arr *r, int frame, cls most) {
  bool left = r && !r->node && cls_of((elt)r->type) > most;
  if (!left) return lift_add(l, r, frame);
  arr_release(r);
  return NONE;
}

static cls class_of(const lifted *x) { return cls_of((elt)x->a->type); }

static bool is_char(const lifted *x) { return elt_is_char((elt)x->a->type); }

/* Numbers or characters, as the other one. */
static bool alike(const lifted *x, const lifted *y) { return is_char(x) == is_char(y); }

/* Do the elements of x and y make a simple array? */
static bool go_side_by_side(const lifted *x, const lifted *y) {
  return !is_nested(x->a) && !is_nested(y->a) && alike(x, y);
}

/* The numbers of a value that all cells share; -1: it has none, or more than a shape has. */
static int numbers(lift *l, const lifted *x, int64_t *to) {
  arr *a = x->a;
  if (x->frame || a->rank > 1 || a->count > ARR_MAX_RANK || is_nested(a)) return -1;
  if (!ir_host(l->w.v->g, a)) return -1;
  if (a->count && !elt_is_int((elt)a->type)) return -1;
  for (int64_t i = 0; i < a->count; i++) to[i] = arr_get_int(a, i);
  return (int)a->count;
}

/* ── scalar functions ── */

/* f32 with one number is f32, with an array of f64 is f64: a number for each cell is an array
 * here. */
static bool widths_agree(const lifted *x, const lifted *y) {
  bool differ = (x->a->type == ET_F32) != (y->a->type == ET_F32);
  if (!differ || (x->a->type != ET_F64 && y->a->type != ET_F64)) return true;
  if (x->a->type == ET_F64) return !x->a->rank;
  return !y->a->rank;
}

/* The class of f y, x f y for such arguments; CLS_NONE: not known. x may be NULL. */
static cls result_class(prim p, const lifted *x, const lifted *y) {
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
  cls most = result_class(p, NULL, y);
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
  if ((nx && ny && !same_cells(x, y)) || !widths_agree(x, y)) return NONE;
  cls most = result_class(p, x, y);
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

/* p/ of y along its last axis, which the cells have. */
static arr *reduce_last(lift *l, prim p, arr *y) {
  ir_call at = call_of(l->w.v);
  arr *r = ir_reduce_few(&at, p, y);
  if (!r && !err_is(at.env.c)) r = ir_reduce(&at, p, y, y->rank - 1);
  return r;
}

/* ── shapes ── */

/* The length of a cell along its first axis. */
static int64_t cell_tally(const lifted *y) {
  if (!cell_rank(y)) return 1;
  return cell_shape(y)[0];
}

static int tally(lift *l, const lifted *y) {
  if (y->kind == LIFT_ARRAY) return lift_add(l, arr_int(l->w.v->c, cell_tally(y)), 0);
  if (y->kind != LIFT_WHERE) return NONE;
  int64_t n = arr_product(cell_rank(y), cell_shape(y));
  OWNED arr *line = lift_reshape(l, y->a, y->frame, 1, &n);
  if (!line) return NONE;
  return lift_add(l, reduce_last(l, P_PLUS, line), y->frame);
}

static int reshaped(lift *l, const lifted *y, int rank, const int64_t *cell) {
  return lift_add(l, lift_reshape(l, y->a, y->frame, rank, cell), y->frame);
}

static int ravel(lift *l, const lifted *y, bool table) {
  int n = cell_rank(y);
  int64_t cell[2] = {arr_product(n, cell_shape(y))};
  if (table) {
    cell[1] = 1;
    if (n) cell[1] = arr_product(n - 1, cell_shape(y) + 1);
    cell[0] = cell_tally(y);
  }
  return reshaped(l, y, 1 + table, cell);
}

/* The first n elements of each ravelled cell. */
static arr *first_of_ravel(lift *l, const lifted *y, int64_t n) {
  vm *v = l->w.v;
  int64_t from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  int64_t all = arr_product(cell_rank(y), cell_shape(y));
  OWNED arr *line = lift_reshape(l, y->a, y->frame, 1, &all);
  if (!line) return NULL;
  for (int i = 0; i < y->frame; i++) size[i] = line->shape[i];
  size[y->frame] = n;
  ir_call at = call_of(v);
  return ir_box(&at, line, from, size);
}

static int first(lift *l, const lifted *y) {
  OWNED arr *one = first_of_ravel(l, y, 1);
  return lift_add(l, lift_reshape(l, one, y->frame, 0, NULL), y->frame);
}

static int reshape(lift *l, const lifted *x, const lifted *y) {
  int64_t cell[ARR_MAX_RANK], have = arr_product(cell_rank(y), cell_shape(y));
  int n = numbers(l, x, cell);
  for (int i = 0; i < n; i++)
    if (cell[i] <= 0) return NONE;
  if (n < 0) return NONE;
  int64_t want = arr_product(n, cell);
  if (want == have) return reshaped(l, y, n, cell);
  if (want > 0 && !cell_rank(y))
    return lift_add(l, lift_align(l, y, y->frame, n, cell), y->frame);
  if (want > have) return NONE;
  OWNED arr *some = first_of_ravel(l, y, want);
  return lift_add(l, lift_reshape(l, some, y->frame, n, cell), y->frame);
}

/* ── movements ── */

/* p along the first axis of the cells, or the last one. */
static int along(lift *l, prim p, const lifted *x, const lifted *y) {
  vm *v = l->w.v;
  arr *by = NULL;
  if (x) by = x->a;
  if (!cell_rank(y) && !x) return walk_keep(&l->w, (int)(y - l->at));
  if (!cell_rank(y) || (by && (x->frame || by->rank))) return NONE;
  if (cell_rank(y) == 1) p = P_REVERSE;
  if (p == P_REVERSE || !y->frame)
    return lift_add(l, prim_call(v, p, by, y->a), y->frame);
  OWNED arr *axis = arr_int(v->c, y->frame + v->sv->io);
  if (!axis) return NONE;
  return lift_add(l, prim_axis_call(v, p, by, y->a, axis), y->frame);
}

/* p with numbers for the frame's axes before those of x. */
static int with_frame(lift *l, prim p, const int64_t *lead, int n, const int64_t *by,
                      const lifted *y) {
  int64_t all[2 * ARR_MAX_RANK];
  for (int i = 0; i < y->frame; i++) all[i] = lead[i];
  for (int i = 0; i < n; i++) all[y->frame + i] = by[i];
  OWNED arr *x = arr_int_vec(l->w.v->c, y->frame + n, all);
  return lift_add(l, prim2(l->w.v, p, x, y->a), y->frame);
}

static int take_or_drop(lift *l, prim p, const lifted *x, const lifted *y) {
  static const int64_t none[ARR_MAX_RANK];
  int64_t by[ARR_MAX_RANK];
  int n = numbers(l, x, by);
  if (n < 0 || n > cell_rank(y)) return NONE;
  if (p == P_TAKE) return with_frame(l, p, y->a->shape, n, by, y);
  return with_frame(l, p, none, n, by, y);
}

static int transpose(lift *l, const lifted *x, const lifted *y) {
  int64_t lead[ARR_MAX_RANK], by[ARR_MAX_RANK];
  int io = l->w.v->sv->io, n = cell_rank(y);
  for (int i = 0; i < n; i++) by[i] = n - 1 - i + io;
  if (x && numbers(l, x, by) != n) return NONE;
  for (int i = 0; i < y->frame; i++) lead[i] = i + io;
  for (int i = 0; i < n; i++) by[i] += y->frame;
  return with_frame(l, P_TRANSPOSE, lead, n, by, y);
}

/* One side of x,y or x⍪y whose cells are to have `rank` axes, those of `wide` but for the one
 * that they are joined along; a scalar is repeated, what lacks that axis has it of length 1. */
static arr *side(lift *l, const lifted *x, int frame, const lifted *wide, int rank,
                 int along) {
  int64_t cell[ARR_MAX_RANK];
  int n = cell_rank(x);
  for (int i = 0; i < rank && cell_rank(wide); i++) cell[i] = cell_shape(wide)[i];
  if (n == rank) cell[along] = cell_shape(x)[along];
  else cell[along] = 1;
  if (n && n < rank - 1) return NULL;
  for (int i = 0, j = 0; i < rank && n; i++)
    if ((n == rank || i != along) && cell[i] != cell_shape(x)[j++]) return NULL;
  if (!n || n == rank) return lift_align(l, x, frame, rank, cell);
  OWNED arr *own = lift_reshape(l, x->a, x->frame, rank, cell);
  if (!own) return NULL;
  lifted as = {.a = own, .frame = x->frame};
  return lift_align(l, &as, frame, rank, cell);
}

static int catenate(lift *l, prim p, const lifted *x, const lifted *y) {
  vm *v = l->w.v;
  const lifted *wide = y;
  if (cell_rank(x) > cell_rank(y)) wide = x;
  int frame = longer_frame(x, y), rank = cell_rank(wide), at = 0;
  if (!rank) rank = 1;
  if (p == P_COMMA) at = rank - 1;
  if (!alike(x, y) || !widths_agree(x, y)) return NONE;
  OWNED arr *a = side(l, x, frame, wide, rank, at);
  if (!a) return NONE;
  OWNED arr *b = side(l, y, frame, wide, rank, at);
  if (!b) return NONE;
  if (at == rank - 1) return lift_add(l, prim2(v, P_COMMA, a, b), frame);
  OWNED arr *axis = arr_int(v->c, frame + at + v->sv->io);
  if (!axis) return NONE;
  return lift_add(l, prim_axis_call(v, P_COMMA, a, b, axis), frame);
}

int lift_strand(walk *w, int n, const int *item) {
  lift *l = lift_of(w);
  int frame = 0;
  for (int i = 0; i < n; i++) {
    const lifted *x = value_at(l, item[i]);
    /* An item of a strand is a value: of a nested scalar it is one level deeper. */
    if (x->a->rank != x->frame || is_nested(x->a)) return NONE;
    if (!go_side_by_side(x, value_at(l, item[0]))) {
      if (!l->groups || n != 2) return NONE;
      return lift_mixed(w, item[0], item[1]);
    }
    frame = longer_frame(x, &(lifted){.frame = frame});
  }
  int64_t one = 1;
  lifted all = {0};
  for (int i = n; i-- > 0;) {
    OWNED arr *a = lift_align(l, value_at(l, item[i]), frame, 0, NULL);
    OWNED arr *behind = all.a;
    OWNED arr *own = lift_reshape(l, a, frame, 1, &one);
    if (behind) all.a = prim2(w->v, P_COMMA, own, behind);
    else all.a = arr_move(&own);
    if (!all.a) return NONE;
  }
  return lift_add(l, all.a, frame);
}

/* ── selection ── */

int lift_index(walk *w, int y, int n, const int *at) {
  lift *l = lift_of(w);
  const lifted *of = value_at(l, y);
  arr *ix[ARR_MAX_RANK] = {NULL};
  int frame = of->frame;
  if (is_nested(of->a) || n != cell_rank(of)) return NONE;
  if (n == 1 && at[0] != NONE) {
    ir_call call = call_of(w->v);
    arr *sorted = ir_sorted(&call, of->a, value_at(l, at[0])->a);
    if (sorted) return lift_add(l, sorted, of->frame);
  }
  for (int k = 0; k < n; k++) {
    if (at[k] == NONE) continue;
    const lifted *i = value_at(l, at[k]);
    if (is_nested(i->a) || is_char(i)) return NONE;
    ix[of->frame + k] = i->a;
    if (!i->frame) continue;
    if (frame) return NONE; /* elements that differ, from places that differ */
    frame = i->frame;
    for (int j = 0; j < k; j++) /* its axes are to be the first of the result's */
      if (!ix[j] || ix[j]->rank) return NONE;
  }
  return lift_add(l, index_of(w->v, of->a, of->frame + n, ix), frame);
}

/* x⌷y, and x⊃y of vectors, for numbers that all cells share. */
static int pick(lift *l, const lifted *x, const lifted *y) {
  int64_t by[ARR_MAX_RANK];
  arr *at[ARR_MAX_RANK] = {NULL};
  int n = numbers(l, x, by), r = NONE;
  if (n < 1 || n != cell_rank(y)) return NONE;
  bool ok = true;
  for (int i = 0; i < n && ok; i++) {
    at[y->frame + i] = arr_int(l->w.v->c, by[i]);
    ok = at[y->frame + i] != NULL;
  }
  if (ok) r = lift_add(l, index_of(l->w.v, y->a, y->frame + n, at), y->frame);
  for (int i = 0; i < n; i++)
    if (at[y->frame + i]) arr_release(at[y->frame + i]);
  return r;
}

/* Each element of x, or of y, looked up in a vector that all cells share. */
static int look_up(lift *l, prim p, const lifted *x, const lifted *y) {
  const lifted *in = x, *what = y;
  if (p == P_MEMBER) {
    in = y;
    what = x;
  }
  if (in->frame || in->a->rank != 1 || is_nested(in->a)) return NONE;
  return lift_add(l, prim2(l->w.v, p, x->a, y->a), what->frame);
}

/* x≡y, of cells that are all alike or all different in shape. */
static int match(lift *l, const lifted *x, const lifted *y, bool not ) {
  vm *v = l->w.v;
  prim each = P_EQ, all = P_AND;
  if (not ) {
    each = P_NE;
    all = P_OR;
  }
  if (!same_cells(x, y)) return lift_add(l, arr_int(v->c, not ), 0);
  if (!alike(x, y)) return NONE;
  int equal = scalar2(l, each, x, y);
  if (equal == NONE) return NONE;
  const lifted *e = value_at(l, equal);
  int64_t n = arr_product(cell_rank(e), cell_shape(e));
  OWNED arr *line = lift_reshape(l, e->a, e->frame, 1, &n);
  int frame = e->frame;
  walk_drop(&l->w, equal);
  if (!line) return NONE;
  return lift_add(l, reduce_last(l, all, line), frame);
}

/* Places of yes, or no, in yes and no side by side, counted from ⎕IO: 2i + not c. */
static arr *places_of(vm *v, arr *c) {
  OWNED arr *two = arr_int(v->c, 2);
  OWNED arr *io = arr_int(v->c, v->sv->io);
  OWNED arr *n = arr_int(v->c, c->count);
  if (!two || !io || !n) return NULL;
  OWNED arr *numbers = prim1(v, P_IOTA, n);
  OWNED arr *twice = prim2(v, P_TIMES, two, numbers);
  OWNED arr *first = prim2(v, P_MINUS, twice, io);
  OWNED arr *line = prim1(v, P_COMMA, c);
  OWNED arr *other = prim1(v, P_NOT, line);
  return prim2(v, P_PLUS, first, other);
}

int lift_select(walk *w, int ci, int yi, int ni) {
  lift *l = lift_of(w);
  vm *v = w->v;
  const lifted *c = value_at(l, ci), *x = value_at(l, yi), *y = value_at(l, ni);
  bool fit = c->kind == LIFT_ARRAY && x->kind == LIFT_ARRAY && y->kind == LIFT_ARRAY;
  if (!fit || c->a->type != ET_BIT || cell_rank(c) || !same_cells(x, y)) return NONE;
  if (is_nested(x->a) || is_nested(y->a) || x->a->type == ET_C128) return NONE;
  if (!alike(x, y) || class_of(x) != class_of(y) || !widths_agree(x, y)) return NONE;
  int frame = longer_frame(x, y), rank = cell_rank(x);
  if (c->frame > frame) frame = c->frame;
  int64_t cell[ARR_MAX_RANK + 1] = {0};
  for (int k = 0; k < rank; k++) cell[k] = cell_shape(x)[k];
  cell[rank] = 1;
  OWNED arr *a = lift_align(l, x, frame, rank, cell);
  OWNED arr *b = lift_align(l, y, frame, rank, cell);
  OWNED arr *truth = lift_align(l, c, frame, rank, cell);
  if (!a || !b || !truth) return NONE;
  OWNED arr *left = lift_reshape(l, a, frame, rank + 1, cell);
  OWNED arr *right = lift_reshape(l, b, frame, rank + 1, cell);
  OWNED arr *both = prim2(v, P_COMMA, left, right);
  OWNED arr *line = prim1(v, P_COMMA, both);
  OWNED arr *at = places_of(v, truth);
  if (!line || !at) return NONE;
  OWNED arr *some = index_of(v, line, 1, &at);
  OWNED arr *shape = arr_int_vec(v->c, a->rank, a->shape);
  return lift_add(l, prim2(v, P_RHO, shape, some), frame);
}

/* ── ⊥ and ⊤ ── */

/* a with its axis `from` as axis `to`. */
static arr *move_axis(lift *l, arr *a, int from, int to) {
  int64_t order[ARR_MAX_RANK];
  for (int i = 0, j = 0; i < a->rank; i++) {
    if (i == from) continue;
    j += j == to;
    order[i] = j++ + l->w.v->sv->io;
  }
  order[from] = to + l->w.v->sv->io;
  OWNED arr *x = arr_int_vec(l->w.v->c, a->rank, order);
  return prim2(l->w.v, P_TRANSPOSE, x, a);
}

/* Both go along the first axis of an array: the cells' axis for a while. */
static int radix(lift *l, prim p, const lifted *x, const lifted *y) {
  vm *v = l->w.v;
  if (x->frame || x->a->rank > 1 || is_nested(x->a) || is_char(x) || is_char(y))
    return NONE;
  cls most = class_of(y);
  if (class_of(x) > most) most = class_of(x);
  if (most == CLS_B) most = CLS_I;
  if (p == P_DECODE) {
    if (cell_rank(y) != 1) return NONE;
    OWNED arr *digits = move_axis(l, y->a, y->frame, 0);
    return lift_add_class(l, prim2(v, p, x->a, digits), y->frame, most);
  }
  OWNED arr *digits = prim2(v, p, x->a, y->a);
  if (!digits || !x->a->rank) return lift_add_class(l, arr_move(&digits), y->frame, most);
  return lift_add_class(l, move_axis(l, digits, 0, y->frame), y->frame, most);
}

/* ── folds ── */

/* Which axis f goes along; false: of no array is that known. */
static bool fold_along(lift *l, const part_derived *f, const lifted *y, int *axis) {
  bool leading = f->code == OP_REDUCE1 || f->code == OP_SCAN1;
  *axis = y->a->rank - 1;
  if (leading) *axis = y->frame;
  if (!f->axis.v && !f->axis.b) return true;
  const arr *k = part_array(&f->axis);
  if (!k || k->rank || !k->host || !elt_is_int((elt)k->type)) return false;
  int64_t n = arr_get_int(k, 0) - l->w.v->sv->io;
  *axis = y->frame + (int)n;
  return n >= 0 && n < cell_rank(y);
}

/* The fold of the cells by a primitive; NULL: its results may be of any class. */
static arr *fold_prim(lift *l, prim p, const lifted *y, int axis, bool scan, cls *most) {
  const fold_row *row = fold_of(p, class_of(y));
  if (is_char(y) || result_class(p, y, y) == CLS_NONE) return NULL;
  if (row) *most = row->result;
  else if (result_class(p, y, y) > *most) *most = result_class(p, y, y);
  ir_call at = call_of(l->w.v);
  if (scan) return ir_scan(&at, p, y->a, axis);
  if (axis == y->a->rank - 1) return reduce_last(l, p, y->a);
  return ir_reduce(&at, p, y->a, axis);
}

int lift_fold(walk *w, const part_derived *f, int i) {
  lift *l = lift_of(w);
  const lifted *y = value_at(l, i);
  bool scan = is_scan(f->code);
  cls most = class_of(y);
  int axis;
  if (!y->a->count) return NONE;
  bool has_axis = f->axis.v || f->axis.b;
  if (!cell_rank(y) && has_axis) return NONE;
  if (!cell_rank(y)) return walk_keep(w, i);
  if (!fold_along(l, f, y, &axis)) return NONE;
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  arr *r = NULL;
  if (p < P_COUNT && prim_is_scalar(p, true)) r = fold_prim(l, p, y, axis, scan, &most);
  else if (f->l.v || f->l.b->kind == B_CONST) {
    fn *g = NULL;
    if (f->l.v) g = f->l.v->f;
    else g = f->l.b->val.f;
    if (!g->fold_options) r = fold_by_kernel(w->v, g, y->a, axis, scan, 0);
  }
  return lift_add_class(l, r, y->frame, most);
}

/* n f/ y of few neighbours: slices, each shifted by one, joined from the right (n_wise.c). */
int lift_windows(walk *w, const part_derived *f, int xi, int yi) {
  enum { LONGEST = 15 }; /* longer ones are joined from windows */
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi);
  int64_t by[ARR_MAX_RANK], from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  int axis;
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  if (p == P_COUNT || !prim_is_scalar(p, true) || is_scan(f->code)) return NONE;
  if (numbers(l, value_at(l, xi), by) != 1 || !cell_rank(y) || is_char(y)) return NONE;
  int64_t n = by[0];
  if (!fold_along(l, f, y, &axis) || n == 0 || n > LONGEST || n < -LONGEST) return NONE;
  int64_t many = n;
  if (n < 0) many = -n;
  for (int k = 0; k < y->a->rank; k++) size[k] = y->a->shape[k];
  size[axis] -= many - 1;
  if (size[axis] < 1) return NONE;
  ir_call at = call_of(w->v);
  int r = NONE;
  for (int64_t i = 0; i < many; i++) {
    from[axis] = i;
    if (n > 0) from[axis] = many - 1 - i;
    int slice = lift_add(l, ir_box(&at, y->a, from, size), y->frame), right = r;
    if (slice == NONE) return NONE;
    r = slice;
    if (right == NONE) continue;
    r = scalar2(l, p, value_at(l, slice), value_at(l, right));
    walk_drop(w, slice);
    walk_drop(w, right);
    if (r == NONE) return NONE;
  }
  return r;
}

int lift_replicate(walk *w, uint32_t code, int xi, int yi) {
  lift *l = lift_of(w);
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  bool leading = code == OP_REDUCE1 || code == OP_SCAN1;
  if (x->kind != LIFT_ARRAY || y->kind != LIFT_ARRAY || x->frame) return NONE;
  if (is_nested(x->a) || is_nested(y->a) || !cell_rank(y)) return NONE;
  ir_call at = call_of(w->v);
  int axis = y->a->rank - 1;
  if (leading) axis = y->frame;
  return lift_add(l, ir_replicate(&at, x->a, y->a, axis, is_scan(code)), y->frame);
}

/* x with its axes as the result's from the frame on, and the one that is folded, `k`, last. */
static arr *factor(lift *l, const lifted *x, int frame, int rank, const int64_t *shape,
                   int before, int folded) {
  int k[ARR_MAX_RANK];
  int n = cell_rank(x);
  for (int i = 0; i < x->frame; i++) k[i] = i;
  for (int i = 0, j = 0; i < n; i++) {
    if (i == folded) k[x->frame + i] = rank - 1;
    else k[x->frame + i] = frame + before + j++;
  }
  ir_call at = call_of(l->w.v);
  return ir_spread(&at, x->a, rank, shape, k);
}

/* The shape of all products before they are folded; false: there is no such array, or the host
 * would have to make it. */
static bool product_shape(lift *l, const lifted *x, const lifted *y, int64_t *shape) {
  int frame = longer_frame(x, y), nx = cell_rank(x) - 1, ny = cell_rank(y) - 1, at = 0;
  if (nx < 0 || ny < 0 || frame + nx + ny + 1 > ARR_MAX_RANK) return false;
  if (cell_shape(x)[nx] != cell_shape(y)[0]) return false;
  for (int i = 0; i < frame; i++) shape[at++] = l->shape[i];
  for (int i = 0; i < nx; i++) shape[at++] = cell_shape(x)[i];
  for (int i = 0; i < ny; i++) shape[at++] = cell_shape(y)[i + 1];
  shape[at++] = cell_shape(y)[0];
  return true;
}

/* x f.g y: as product.c has it. Of vectors f/ of every row g every column. */
int lift_inner(walk *w, prim f, prim g, int xi, int yi) {
  lift *l = lift_of(w);
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  int64_t shape[ARR_MAX_RANK];
  f = prim_in_force(w->v, f, true);
  g = prim_in_force(w->v, g, true);
  if (f == P_COUNT || g == P_COUNT || !prim_is_scalar(f, true)) return NONE;
  if (!prim_is_scalar(g, true) || !product_shape(l, x, y, shape)) return NONE;
  if (!widths_agree(x, y) || x->a->count == 1 || y->a->count == 1) return NONE;
  int frame = longer_frame(x, y), nx = cell_rank(x) - 1;
  int rank = frame + nx + cell_rank(y);
  ir_call at = call_of(w->v);
  bool vectors = cell_rank(x) == 1 && cell_rank(y) == 1;
  bool together = !x->frame || !y->frame || x->frame == y->frame;
  if (!vectors && (!together || !arr_product(rank, shape))) return NONE;
  /* On the host long products are faster one by one. */
  bool here = vectors && x->a->host && y->a->host;
  if (here && arr_product(rank - frame, shape + frame) > 4096) return NONE;
  cls most = result_class(g, x, y);
  if (most == CLS_NONE || most > CLS_F) return NONE;
  const fold_row *row = fold_of(f, most);
  if (!row) return NONE;
  if (!vectors) {
    prim_factors p = {f, g, x->a, y->a, x->frame, y->frame, false};
    return lift_add_class(l, ir_product(&at, &p), frame, row->result);
  }
  OWNED arr *a = factor(l, x, frame, rank, shape, 0, nx);
  if (!a) return NONE;
  OWNED arr *b = factor(l, y, frame, rank, shape, nx, 0);
  if (!b) return NONE;
  if (a->host && b->host && a->count > 1 << 20) return NONE; /* no kernel: all of it */
  OWNED arr *z = prim2(w->v, g, a, b);
  if (!z || (!z->node && cls_of((elt)z->type) > most)) return NONE;
  return lift_add_class(l, ir_reduce(&at, f, z, rank - 1), frame, row->result);
}

static int order(lift *l, prim p, const lifted *y) {
  if (cell_rank(y) != 1) return NONE;
  ir_call at = call_of(l->w.v);
  return lift_add(l, ir_order_lines(&at, p, y->a), y->frame);
}

/* ── all of them ── */

static int where(lift *l, const lifted *y) {
  if (class_of(y) != CLS_B || !cell_rank(y)) return NONE;
  int r = lift_add(l, arr_retain(y->a), y->frame);
  if (r != NONE) l->at[r].kind = LIFT_WHERE;
  return r;
}

static int monadic(lift *l, prim p, int i) {
  const lifted *y = value_at(l, i);
  int n = cell_rank(y);
  switch (p) {
  case P_LEFT:
  case P_RIGHT: return walk_keep(&l->w, i);
  case P_TALLY: return tally(l, y);
  case P_RHO: return lift_add(l, arr_int_vec(l->w.v->c, n, cell_shape(y)), 0);
  case P_COMMA:
  case P_COMMA1: return ravel(l, y, p == P_COMMA1);
  case P_MEMBER:
    if (!l->w.v->sv->ml) return NONE;
    return ravel(l, y, false);
  case P_REVERSE:
  case P_REVERSE1: return along(l, p, NULL, y);
  case P_TRANSPOSE:
    if (n < 2) return walk_keep(&l->w, i);
    return transpose(l, NULL, y);
  case P_TAKE: return walk_keep(&l->w, i);
  case P_UP:
  case P_DOWN: return order(l, p, y);
  case P_PICK:
    if (!n) return walk_keep(&l->w, i);
    return first(l, y);
  case P_WHERE: return where(l, y);
  default: break;
  }
  if (!prim_is_scalar(p, false)) return NONE;
  return scalar1(l, p, y);
}

static int dyadic(lift *l, prim p, int xi, int yi) {
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  switch (p) {
  case P_RHO: return reshape(l, x, y);
  case P_COMMA:
  case P_COMMA1: return catenate(l, p, x, y);
  case P_REVERSE:
  case P_REVERSE1: return along(l, p, x, y);
  case P_TRANSPOSE: return transpose(l, x, y);
  case P_TAKE:
  case P_DROP: return take_or_drop(l, p, x, y);
  case P_IOTA:
  case P_WHERE:
  case P_MEMBER: return look_up(l, p, x, y);
  case P_PICK:
    if (cell_rank(y) != 1) return NONE;
    return pick(l, x, y);
  case P_SQUAD: return pick(l, x, y);
  case P_MATCH: return match(l, x, y, false);
  case P_TALLY: return match(l, x, y, true);
  case P_DECODE:
  case P_ENCODE: return radix(l, p, x, y);
  default: break;
  }
  if (!prim_is_scalar(p, true)) return NONE;
  return scalar2(l, p, x, y);
}

int lift_primitive(walk *w, prim p, int xi, int yi) {
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi), *x = NULL;
  if (xi != NONE) x = value_at(l, xi);
  p = prim_in_force(w->v, p, x != NULL);
  if (p == P_ROLL) return NONE;
  if (x && p == P_LEFT) return walk_keep(w, xi); /* x⊢y and x⊣y ask for one alone */
  if (x && p == P_RIGHT) return walk_keep(w, yi);
  if (y->kind == LIFT_GROUPS || (x && x->kind == LIFT_GROUPS))
    return lift_grouped(w, p, xi, yi);
  if (l->groups && x && p == P_COMMA && !go_side_by_side(x, y))
    return lift_mixed(w, xi, yi);
  if (x && x->kind != LIFT_ARRAY) return NONE;
  if (y->kind != LIFT_ARRAY && (p != P_TALLY || x)) return NONE;
  if (!y->frame && !x) return lift_add(l, prim1(w->v, p, y->a), 0);
  if (!y->frame && !x->frame) return lift_add(l, prim2(w->v, p, x->a, y->a), 0);
  if (is_nested(y->a) || (x && is_nested(x->a))) return NONE;
  if (!x) return monadic(l, p, yi);
  return dyadic(l, p, xi, yi);
}
