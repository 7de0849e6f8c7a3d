/* SPDX-License-Identifier: MIT */
/* lift_move.c - shapes, movements and selection of all cells at once (lift_value.h): those of
 * the whole array along axes that are counted from the frame on. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "lift_value.h"

/* ── shapes ── */

static int reshaped(lift *l, const lifted *y, int rank, const int64_t *cell) {
  return lift_add(l, lift_reshape(l, y->a, y->frame, rank, cell), y->frame);
}

int lift_ravel(lift *l, const lifted *y, bool table) {
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

int lift_first(lift *l, const lifted *y) {
  OWNED arr *one = first_of_ravel(l, y, 1);
  return lift_add(l, lift_reshape(l, one, y->frame, 0, NULL), y->frame);
}

int lift_reshape_by(lift *l, const lifted *x, const lifted *y) {
  int64_t cell[ARR_MAX_RANK], have = arr_product(cell_rank(y), cell_shape(y));
  int n = lift_numbers(l, x, cell);
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

int lift_along(lift *l, prim p, const lifted *x, const lifted *y) {
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

int lift_take_or_drop(lift *l, prim p, const lifted *x, const lifted *y) {
  static const int64_t none[ARR_MAX_RANK];
  int64_t by[ARR_MAX_RANK];
  int n = lift_numbers(l, x, by);
  if (n < 0 || n > cell_rank(y)) return NONE;
  if (p == P_TAKE) return with_frame(l, p, y->a->shape, n, by, y);
  return with_frame(l, p, none, n, by, y);
}

int lift_transpose(lift *l, const lifted *x, const lifted *y) {
  int64_t lead[ARR_MAX_RANK], by[ARR_MAX_RANK];
  int io = l->w.v->sv->io, n = cell_rank(y);
  for (int i = 0; i < n; i++) by[i] = n - 1 - i + io;
  if (x && lift_numbers(l, x, by) != n) return NONE;
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

int lift_catenate(lift *l, prim p, const lifted *x, const lifted *y) {
  vm *v = l->w.v;
  const lifted *wide = y;
  if (cell_rank(x) > cell_rank(y)) wide = x;
  int frame = longer_frame(x, y), rank = cell_rank(wide), at = 0;
  if (!rank) rank = 1;
  if (p == P_COMMA) at = rank - 1;
  if (!alike(x, y) || is_f32(x) != is_f32(y))
    return NONE; /* one number is as wide as f32 */
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
    if (is_f32(x) != is_f32(value_at(l, item[0]))) return NONE;
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

static arr *iota(vm *v, int64_t n) {
  OWNED arr *count = arr_int(v->c, n);
  return prim1(v, P_IOTA, count);
}

arr *lift_first_places(lift *l, int frame, int64_t n, const arr *places) {
  vm *v = l->w.v;
  int k[ARR_MAX_RANK];
  for (int i = 0; i < frame; i++) k[i] = i;
  OWNED arr *length = arr_int(v->c, n), *io = arr_int(v->c, v->sv->io);
  OWNED arr *numbers = io ? iota(v, arr_product(frame, l->shape)) : NULL;
  OWNED arr *from_0 = numbers ? prim2(v, P_MINUS, numbers, io) : NULL;
  OWNED arr *line = prim2(v, P_TIMES, from_0, length);
  OWNED arr *shape = arr_int_vec(v->c, frame, l->shape);
  OWNED arr *first = prim2(v, P_RHO, shape, line);
  ir_call at = call_of(v);
  return first ? ir_spread(&at, first, places->rank, places->shape, k) : NULL;
}

/* Elements of vectors that differ, at places that differ. That each is a place of its own cell is found
 * by indexing ⍳n. */
static int index_own(lift *l, const lifted *of, const lifted *i) {
  vm *v = l->w.v;
  int frame = longer_frame(of, i);
  int64_t n = cell_tally(of);
  if (cell_rank(of) != 1 || of->a->type == ET_C128) return NONE;
  OWNED arr *all = lift_align(l, of, frame, 1, &n);
  OWNED arr *places = all ? lift_align(l, i, frame, cell_rank(i), cell_shape(i)) : NULL;
  OWNED arr *numbers = places ? iota(v, n) : NULL;
  OWNED arr *own = numbers ? index_of(v, numbers, 1, &places) : NULL;
  OWNED arr *first = own ? lift_first_places(l, frame, n, places) : NULL;
  OWNED arr *at = prim2(v, P_PLUS, own, first);
  OWNED arr *line = at ? prim1(v, P_COMMA, all) : NULL;
  return line ? lift_add(l, index_of(v, line, 1, &at), frame) : NONE;
}

/* For index k of n of an axis of so many, `behind` elements apart: how far from the first element it is, along the axes of
 * a result of those cells, of which the first `before` are the indices' before it. NULL: an element is not there. */
static arr *index_part(lift *l, const lifted *i, int64_t many, int64_t behind, int frame,
                       int rank, const int64_t *shape, int before) {
  vm *v = l->w.v;
  int k[ARR_MAX_RANK];
  OWNED arr *numbers = iota(v, many), *io = arr_int(v->c, v->sv->io);
  OWNED arr *apart = numbers && io ? arr_int(v->c, behind) : NULL;
  OWNED arr *own = NULL;
  if (apart && !i) own = arr_retain(numbers);
  else if (apart) own = index_of(v, numbers, 1, (arr *[]){i->a});
  OWNED arr *from_0 = own ? prim2(v, P_MINUS, own, io) : NULL;
  OWNED arr *far = prim2(v, P_TIMES, from_0, apart);
  int lead = i ? i->frame : 0;
  if (!far) return NULL;
  for (int j = 0; j < far->rank; j++) k[j] = j < lead ? j : frame + before + j - lead;
  ir_call at = call_of(v);
  return ir_spread(&at, far, rank, shape, k);
}

/* y[i;j;…] where several differ between cells: the places in the ravel of each cell. */
static int index_box(lift *l, const lifted *of, int n, const int *at) {
  vm *v = l->w.v;
  int64_t shape[ARR_MAX_RANK], all = arr_product(n, cell_shape(of)), behind = all;
  int frame = of->frame, rank = 0, before = 0;
  for (int k = 0; k < n; k++)
    if (at[k] != NONE && value_at(l, at[k])->frame > frame)
      frame = value_at(l, at[k])->frame;
  for (int k = 0; k < frame; k++) shape[rank++] = l->shape[k];
  for (int k = 0; k < n; k++) {
    const lifted *i = at[k] == NONE ? NULL : value_at(l, at[k]);
    int own = i ? cell_rank(i) : 1;
    if (rank + own > ARR_MAX_RANK ||
        (i && (i->kind != LIFT_ARRAY || is_char(i) || is_nested(i->a))))
      return NONE;
    for (int j = 0; j < own; j++)
      shape[rank++] = i ? cell_shape(i)[j] : cell_shape(of)[k];
  }
  OWNED arr *place = arr_int(v->c, v->sv->io);
  for (int k = 0; k < n && place; k++) {
    const lifted *i = at[k] == NONE ? NULL : value_at(l, at[k]);
    behind /= cell_shape(of)[k];
    OWNED arr *far =
        index_part(l, i, cell_shape(of)[k], behind, frame, rank, shape, before);
    OWNED arr *sum = far ? prim2(v, P_PLUS, place, far) : NULL;
    before += i ? cell_rank(i) : 1;
    arr_release(place);
    place = arr_move(&sum);
  }
  OWNED arr *line = place ? lift_reshape(l, of->a, of->frame, 1, &all) : NULL;
  lifted cells = {.a = line, .frame = of->frame}, places = {.a = place, .frame = frame};
  return line ? index_own(l, &cells, &places) : NONE;
}

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
    if (frame) return n == 1 ? index_own(l, of, i) : index_box(l, of, n, at);
    frame = i->frame;
    for (int j = 0; j < k; j++) /* its axes are to be the first of the result's */
      if (!ix[j] || ix[j]->rank) return index_box(l, of, n, at);
  }
  return lift_add(l, index_of(w->v, of->a, of->frame + n, ix), frame);
}

int lift_pick(lift *l, const lifted *x, const lifted *y) {
  int64_t by[ARR_MAX_RANK];
  arr *at[ARR_MAX_RANK] = {NULL};
  int n = lift_numbers(l, x, by), r = NONE;
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

int lift_pick_own(lift *l, const lifted *x, const lifted *y) {
  bool one = x->frame && cell_rank(y) == 1 && cell_rank(x) <= 1 && cell_tally(x) == 1;
  if (!one) return lift_pick(l, x, y);
  int yi = (int)(y - l->at);
  int at = lift_add(l, lift_reshape(l, x->a, x->frame, 0, NULL), x->frame), r = NONE;
  if (at != NONE) r = lift_index(&l->w, yi, 1, &at);
  walk_drop(&l->w, at);
  return r;
}

int lift_item(lift *l, const lifted *y, int64_t i) {
  OWNED arr *k = arr_int(l->w.v->c, i + l->w.v->sv->io);
  return k ? lift_pick(l, &(lifted){.a = k}, y) : NONE;
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

bool lift_go_together(const lifted *x, const lifted *y) {
  if (is_nested(x->a) || is_nested(y->a) || x->a->type == ET_C128) return false;
  bool whole = class_of(x) <= CLS_I && class_of(y) <= CLS_I;
  return alike(x, y) && (whole || class_of(x) == class_of(y)) && is_f32(x) == is_f32(y);
}

int lift_select(walk *w, int ci, int yi, int ni) {
  lift *l = lift_of(w);
  vm *v = w->v;
  const lifted *c = value_at(l, ci), *x = value_at(l, yi), *y = value_at(l, ni);
  bool fit = c->kind == LIFT_ARRAY && x->kind == LIFT_ARRAY && y->kind == LIFT_ARRAY;
  if (c->a->type != ET_BIT || cell_rank(c) || !same_cells(x, y)) return NONE;
  if (!fit || !lift_go_together(x, y)) return lift_select_mixed(w, ci, yi, ni);
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
