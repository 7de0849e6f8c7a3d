/* SPDX-License-Identifier: MIT */
/* lift_fold.c - folds, scans, windows, products, ⊥ and ⊤ of all cells at once (lift_value.h):
 * those of the whole array along axes that are counted from the frame on. */
#include "../../array/element.h"
#include "../../prim/inner_product.h"
#include "../../tables/fast.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"
#include "../system/system.h"
#include "scalar_fn.h"
#include "lift_value.h"

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
int lift_radix(lift *l, prim p, const lifted *x, const lifted *y) {
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

/* Powers of the base up to `most`, the greatest one first, and 0 for the digit that every number has. */
static arr *powers(vm *v, int64_t base, int64_t most) {
  int64_t p[64], at = 64, k = 1;
  p[--at] = 0;
  while (k <= most / base) p[--at] = k *= base;
  return arr_int_vec(v->c, 64 - at, p + at);
}

/* `digit`, numbers, as characters, behind a sign that each cell has or not: *own says what it has. */
static int shown_digits(lift *l, int yi, int digit, bool sign, int *own) {
  vm *v = l->w.v;
  OWNED arr *all = sys_get_digits(v);
  arr *a = all && digit != NONE ? cells_at(v, all, value_at(l, digit)->a) : NULL;
  int r = lift_add(l, a, 1);
  walk_drop(&l->w, digit);
  if (!sign) return r;
  int less = lift_both(l, P_LT, walk_keep(&l->w, yi), lift_add(l, arr_int(v->c, 0), 0));
  *own = lift_both(l, P_COMMA, less, *own);
  return lift_both(l, P_COMMA, lift_add(l, arr_char(v->c, 0xAF), 0), r);
}

/* base⊥⍣¯1 of integers, or what ⍕ shows of them: the digits of the longest one, of which each cell has
 * those that its own length asks for. */
static int digits(lift *l, int64_t base, int yi, bool shown) {
  vm *v = l->w.v;
  ir_call call = call_of(v);
  const lifted *y = value_at(l, yi);
  int64_t lo, hi, limit = 1;
  for (int k = 0; k < 15 && (!shown || k < v->sv->pp); k++) limit *= 10;
  if (l->rank != 1 || y->kind != LIFT_ARRAY || y->frame != 1 || cell_rank(y) || base < 2)
    return NONE;
  if (!ir_settle(v->g, y->a) || !elt_is_int((elt)y->a->type)) return NONE;
  if (!ir_bounds(&call, y->a, &lo, &hi) || hi >= limit || lo <= -limit) return NONE;
  if (lo < 0 && !shown) return NONE;
  OWNED arr *power = powers(v, base, hi > -lo ? hi : -lo);
  OWNED arr *n = power ? arr_int(v->c, power->count) : NULL;
  OWNED arr *b = n ? arr_int(v->c, base) : NULL;
  OWNED arr *radix = b ? prim2(v, P_RHO, n, b) : NULL;
  if (!radix) return NONE;
  int size = walk_keep(&l->w, yi);
  if (lo < 0) size = lift_primitive(&l->w, P_RESIDUE, NONE, yi);
  int own = lift_both(l, P_LE, lift_add(l, arr_move(&power), 0), walk_keep(&l->w, size));
  int all = lift_both(l, P_ENCODE, lift_add(l, arr_move(&radix), 0), size), r = NONE;
  if (shown) all = shown_digits(l, yi, all, lo < 0, &own);
  if (own != NONE && all != NONE)
    r = lift_compress(l, value_at(l, own), value_at(l, all));
  walk_drop(&l->w, own);
  walk_drop(&l->w, all);
  return r;
}

int lift_format(lift *l, int y) { return digits(l, 10, y, true); }

/* ⍎ of texts of digits alone, which are whole numbers of so many. */
int lift_execute(lift *l, int yi) {
  enum { MOST = 18 };
  vm *v = l->w.v;
  ir_call at = call_of(v);
  const lifted *y = value_at(l, yi);
  int64_t lo, hi;
  bool ragged = y->kind == LIFT_GROUPS && y->a->rank == 1 && !y->of->empties;
  bool cells = y->kind == LIFT_ARRAY && cell_rank(y) <= 1 && cell_tally(y) &&
               cell_tally(y) <= MOST; /* an empty text has no value */
  if (!is_char(y) || (!ragged && !cells)) return NONE;
  int all = lift_add(l, sys_get_digits(v), 0);
  int place = lift_both(l, P_IOTA, all, walk_keep(&l->w, yi));
  int d = lift_both(l, P_MINUS, place, lift_number(l, v->sv->io));
  if (d == NONE || !ir_extremes(&at, value_at(l, d)->a, &lo, &hi) || hi > 9) return NONE;
  if (cells && !cell_rank(y)) return d;
  OWNED arr *longest =
      ragged ? ir_reduce(&at, P_CEIL, y->of->sizes, 0) : arr_int(v->c, 1);
  if (!longest || !ir_host(at.g, longest) || arr_get_int(longest, 0) > MOST) return NONE;
  return lift_both(l, P_DECODE, lift_number(l, 10), d);
}

/* x⊥⍣¯1 y, or (x∘⊥)⍣¯1 y. */
int lift_inverse(walk *w, const part_derived *f, int xi, int yi) {
  lift *l = lift_of(w);
  int64_t n[ARR_MAX_RANK];
  const arr *k = part_array(&f->r);
  const value *g = part_value(&f->l);
  if (!k || k->rank || !k->host || k->type > ET_I64 || arr_get_int(k, 0) != -1)
    return NONE;
  if (!g || g->cls != C_FN) return NONE;
  lifted base = {.a = NULL};
  if (xi != NONE && fn_is(g->f, P_DECODE)) base = *value_at(l, xi);
  else if (xi == NONE && g->f->kind == F_DERIVED && g->f->code == OP_JOT &&
           g->f->l.cls == C_ARR && g->f->r.cls == C_FN && fn_is(g->f->r.f, P_DECODE))
    base.a = g->f->l.a;
  if (!base.a || base.a->rank || lift_numbers(l, &base, n) != 1) return NONE;
  return digits(l, n[0], yi, false);
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
  if (is_char(y) || lift_result_class(p, y, y) == CLS_NONE) return NULL;
  if (row) *most = row->result;
  else if (lift_result_class(p, y, y) > *most) *most = lift_result_class(p, y, y);
  ir_call at = call_of(l->w.v);
  if (scan) return ir_scan(&at, p, y->a, axis);
  if (axis == y->a->rank - 1) return lift_reduce_last(l, p, y->a);
  return ir_reduce(&at, p, y->a, axis);
}

/* f/ of the first n elements of vectors by any function, which is gone through once for each of them: from
 * the last one on. */
static int fold_by_steps(walk *w, part f, const lifted *y, int64_t n) {
  lift *l = lift_of(w);
  int r = lift_item(l, y, n - 1);
  for (int64_t k = n - 1; k-- > 0 && r != NONE;) {
    int x = lift_item(l, y, k), z = r;
    r = x == NONE ? NONE : walk_apply(w, f, x, z);
    walk_drop(w, x);
    walk_drop(w, z);
    if (r == NONE) return NONE;
    const lifted *of = value_at(l, r);
    if (of->kind != LIFT_ARRAY || cell_rank(of) || is_nested(of->a)) return NONE;
  }
  return r;
}

/* f\ likewise: a fold for each place. */
static int scan_by_steps(walk *w, part f, const lifted *y) {
  lift *l = lift_of(w);
  int r = fold_by_steps(w, f, y, 1);
  for (int64_t k = 2; k <= cell_tally(y) && r != NONE; k++)
    r = lift_both(l, P_COMMA, r, fold_by_steps(w, f, y, k));
  return r;
}

static int by_steps(walk *w, part f, const lifted *y, bool scan) {
  enum { FOLDED = 64, SCANNED = 16 };
  int64_t n = cell_tally(y);
  if (cell_rank(y) != 1 || n > (scan ? SCANNED : FOLDED)) return NONE;
  if (scan) return n > 1 ? scan_by_steps(w, f, y) : NONE;
  return fold_by_steps(w, f, y, n);
}

static bool has_names(const tnode *t) {
  if (!t || t->kind == T_NAME) return t;
  bool has_kids = t->kind == T_PAREN || t->kind == T_BRACKET || t->kind == T_DFN ||
                  t->kind == T_VECTOR || t->kind == T_STMT || t->kind == T_GUARD;
  for (uint32_t i = 0; has_kids && i < t->n; i++)
    if (has_names(t->kid[i])) return true;
  return false;
}

/* The function that is folded with, owned; NULL: it is not known before the walk comes there. */
static fn *folded_with(walk *w, const part *f) {
  const value *g = part_value(f);
  if (g) return g->cls == C_FN ? fn_retain(g->f) : NULL;
  if (!f->b || f->b->kind != B_DFN || has_names(f->b->tree)) return NULL;
  return fn_closure(w->v, f->at->e, f->at->e->body->u, f->b->tree);
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
  else {
    OWNED_FN fn *g = folded_with(w, &f->l);
    if (g && !g->fold_options) r = fold_by_kernel(w->v, g, y->a, axis, scan, 0);
    /* Floats may be folded by a tree, if it is a function that has one. */
    bool known = g ? !g->fold_options : class_of(y) < CLS_F;
    if (!r && !err_is(w->v->c) && known) return by_steps(w, f->l, y, scan);
  }
  return lift_add_class(l, r, y->frame, most);
}

/* n f/ y of few neighbours: slices, each shifted by one, joined from the right (n_wise.c). */
int lift_windows(walk *w, const part_derived *f, int xi, int yi) {
  enum { LONGEST = 15 }; /* longer ones are put together from windows */
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi);
  int64_t by[ARR_MAX_RANK], from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  int axis;
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  if (p == P_COUNT || !prim_is_scalar(p, true) || is_scan(f->code)) return NONE;
  if (lift_numbers(l, value_at(l, xi), by) != 1 || !cell_rank(y)) return NONE;
  int64_t n = by[0];
  if (is_char(y) && ((p != P_EQ && p != P_NE) || (n != 2 && n != -2))) return NONE;
  if (!fold_along(l, f, y, &axis) || n == 0) return NONE;
  int64_t many = n;
  if (n < 0) many = -n;
  for (int k = 0; k < y->a->rank; k++) size[k] = y->a->shape[k];
  size[axis] -= many - 1;
  if (size[axis] < 1) return NONE;
  ir_call at = call_of(w->v);
  if (many > LONGEST) {
    const fold_row *row = fold_of(p, class_of(y));
    arr *run = row ? ir_fold_windows(&at, p, y->a, axis, many) : NULL;
    return run ? lift_add_class(l, run, y->frame, row->result) : NONE;
  }
  int r = NONE;
  for (int64_t i = 0; i < many; i++) {
    from[axis] = i;
    if (n > 0) from[axis] = many - 1 - i;
    int slice = lift_add(l, ir_box(&at, y->a, from, size), y->frame), right = r;
    if (slice == NONE) return NONE;
    r = slice;
    if (right == NONE) continue;
    r = lift_scalar(l, p, value_at(l, slice), value_at(l, right));
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
  bool parts = x->kind == LIFT_GROUPS && y->kind == LIFT_GROUPS && !is_scan(code);
  if (parts) return lift_group_select(l, xi, yi);
  if (x->kind != LIFT_ARRAY || y->kind != LIFT_ARRAY) return NONE;
  if (x->frame && is_scan(code)) return NONE;
  if (x->frame && !cell_rank(x) && !cell_rank(y)) return lift_repeat(l, xi, yi);
  if (x->frame) return lift_compress(l, x, y);
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
  if (!lift_widths_agree(x, y) || x->a->count == 1 || y->a->count == 1) return NONE;
  int frame = longer_frame(x, y), nx = cell_rank(x) - 1;
  int rank = frame + nx + cell_rank(y);
  ir_call at = call_of(w->v);
  bool vectors = cell_rank(x) == 1 && cell_rank(y) == 1;
  bool together = !x->frame || !y->frame || x->frame == y->frame;
  if (!vectors && (!together || !arr_product(rank, shape))) return NONE;
  /* On the host long products are faster one by one. */
  bool here = vectors && x->a->host && y->a->host;
  if (here && arr_product(rank - frame, shape + frame) > 4096) return NONE;
  cls most = lift_result_class(g, x, y);
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
