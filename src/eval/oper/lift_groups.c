/* SPDX-License-Identifier: MIT */
/* lift_groups.c - the groups of ⌸ as the value of a lifted function's ⍵.
 *
 * The elements of all groups stay in the order of the cells (LIFT_GROUPS): scalar functions go
 * along them as they lie, beside a number for each group that number is fetched for each
 * element. Counts are there already. Folds that do not depend on an order are atomics on a
 * device; any other brings the elements in the order of the groups, in which each group is a
 * segment and is folded by the tree of its own length. What depends on where an element is in its group
 * is done where all lie so (in_order), to the vector of them:
 *
 *   {(+/⍵*2)÷≢⍵}     ⍵*2 elements ─ + by groups ─▶ a number for each group ÷ sizes
 *   ⍋⍵      the numbers of all elements by group and, within it, by value, less where the group begins
 *   ⍵[i]    the elements at i and where the group begins
 *   ⌽⍵      the elements at first + last - i
 *   ⍵⍳v     the least number of an element that equals the group's v */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "groups.h"
#include "lift_value.h"
#include "oper.h"

#include <math.h>

static bool is_grouped(const lifted *x) { return x->kind == LIFT_GROUPS; }

/* ── scalar functions ── */

/* x beside elements of groups: these side by side, or a number for each group, or for all. A
 * NULL array: it is none of them. */
static lifted beside(lift *l, const lifted *x, const lifted *like) {
  lifted r = {.a = NULL};
  if (is_grouped(x)) r.a = arr_retain(x->a);
  else if (x->kind != LIFT_ARRAY || cell_rank(x) || is_nested(x->a)) return r;
  else if (!x->frame) r.a = arr_retain(x->a);
  else if (x->frame == 1 && groups_of(l->w.v, l->groups))
    r.a = cells_at(l->w.v, x->a, l->groups->of);
  if (!r.a || !r.a->rank || r.a->rank == like->a->rank) return r;
  ir_call at = call_of(l->w.v);
  OWNED arr *line = r.a; /* for each row, of which the elements are many */
  r.a = is_grouped(x) ? NULL
                      : ir_spread(&at, line, like->a->rank, like->a->shape, (int[]){0});
  return r;
}

static int as_grouped(lift *l, int r) {
  if (r == NONE) return r;
  l->at[r].frame = 1;
  l->at[r].kind = LIFT_GROUPS;
  l->at[r].of = l->groups;
  return r;
}

static int scalar(lift *l, prim p, const lifted *x, const lifted *y) {
  const lifted *like = is_grouped(y) ? y : x;
  lifted a = {.a = NULL}, b = beside(l, y, like);
  if (x) a = beside(l, x, like);
  /* Each element is a cell: beside f32 the number of a group is one number. */
  if (a.a) a.frame = a.a->rank;
  if (b.a) b.frame = b.a->rank;
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

/* n numbers that nothing is changed by where p joins y's elements, of their type; NULL without an error:
 * there is none. */
static arr *starts(const ir_call *at, prim p, arr *y, int64_t n) {
  int64_t lo, hi, start;
  bool real = elt_is_float((elt)y->type);
  if (real && p != P_CEIL && p != P_FLOOR) return NULL;
  if (!real && (!elt_is_int((elt)y->type) || !ir_bounds(at, y, &lo, &hi) ||
                !start_of(p, (elt)y->type, lo, hi, &start)))
    return NULL;
  OWNED arr *count = arr_int(at->env.c, n);
  OWNED arr *one = NULL;
  if (real) one = arr_float(at->env.c, p == P_CEIL ? -INFINITY : INFINITY);
  else one = arr_int(at->env.c, start);
  OWNED arr *all = count ? ir_dyadic(at, P_RHO, count, one) : NULL;
  return all && y->type == ET_F32 ? ir_floats(at, all, ET_F32) : arr_move(&all);
}

/* By atomics, where the order does not show; NULL without an error: it does, or no device has
 * them. */
static arr *joined(lift *l, prim p, arr *y) {
  ir_call at = call_of(l->w.v);
  at.env.io = 0;
  if (l->groups->in_order || l->groups->cells || !ir_settle(at.g, y)) return NULL;
  OWNED arr *r = starts(&at, p, y, l->groups->count);
  return r && ir_put_joined(&at, p, &r, l->groups->of, y) ? arr_move(&r) : NULL;
}

/* The first or the last element of each group. */
static arr *ends(lift *l, arr *y, bool last) {
  vm *v = l->w.v;
  if (l->groups->empties) return NULL;
  arr *pairs = groups_pairs(v, l->groups);
  OWNED arr *sorted = pairs ? groups_elements(v, l->groups, y) : NULL;
  ir_call call = call_of(v);
  OWNED arr *at =
      sorted ? ir_part_numbers(&call, pairs, last ? PART_END : PART_BEGIN) : NULL;
  return at ? cells_at(v, sorted, at) : NULL;
}

/* +/ of integers, or ∨/, of groups of which some have no elements: 0 of these. */
static arr *sums_of_some(lift *l, prim p, arr *y) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  bool is = p == P_PLUS ? elt_is_int((elt)y->type) : p == P_OR && y->type == ET_BIT;
  OWNED arr *zero = is && y->rank == 1 ? arr_int(v->c, 0) : NULL;
  OWNED arr *some = zero ? prim2(v, P_LT, zero, l->groups->sizes) : NULL;
  OWNED arr *sizes = some ? ir_replicate(&at, some, l->groups->sizes, 0, false) : NULL;
  OWNED arr *pairs = sizes && ir_settle(v->g, sizes) ? ir_part_pairs(&at, sizes) : NULL;
  OWNED arr *sums = pairs ? ir_certain(ir_reduce_segments(&at, p, y, pairs)) : NULL;
  return sums ? ir_replicate(&at, some, sums, 0, true) : NULL;
}

arr *lift_group_total(lift *l, prim p, arr *y) {
  vm *v = l->w.v;
  if (l->groups->empties) return sums_of_some(l, p, y);
  arr *r = joined(l, p, y);
  if (r || err_is(v->c)) return r;
  arr *pairs = groups_pairs(v, l->groups);
  OWNED arr *sorted = pairs ? groups_elements(v, l->groups, y) : NULL;
  ir_call at = call_of(v);
  return sorted ? ir_certain(ir_reduce_segments(&at, p, sorted, pairs)) : NULL;
}

arr *lift_group_scan(lift *l, prim p, arr *y) {
  arr *pairs = groups_pairs(l->w.v, l->groups);
  ir_call at = call_of(l->w.v);
  return pairs ? ir_certain(ir_scan_segments(&at, p, y, pairs)) : NULL;
}

/* p⌿ of each group of y's major cells: of their columns as vectors. */
static arr *fold_columns(lift *l, prim p, arr *y) {
  vm *v = l->w.v;
  int64_t n = y->shape[0], k = y->count / n, count = l->groups->count;
  OWNED arr *line = lift_reshape(l, y, 1, 1, &k);
  OWNED arr *columns = prim1(v, P_TRANSPOSE, line);
  OWNED arr *all = prim1(v, P_COMMA, columns);
  OWNED arr *many = groups_sizes(v, l->groups) ? arr_int(v->c, k * count) : NULL;
  OWNED arr *sizes = many ? prim2(v, P_RHO, many, l->groups->sizes) : NULL;
  ir_call at = call_of(v);
  OWNED arr *pairs = sizes && all ? ir_part_pairs(&at, sizes) : NULL;
  OWNED arr *made = pairs ? ir_certain(ir_reduce_segments(&at, p, all, pairs)) : NULL;
  OWNED arr *shape = made ? arr_int_vec(v->c, 2, (int64_t[]){k, count}) : NULL;
  OWNED arr *by_column = prim2(v, P_RHO, shape, made);
  OWNED arr *r = prim1(v, P_TRANSPOSE, by_column);
  return r ? lift_reshape(l, r, 1, y->rank - 1, y->shape + 1) : NULL;
}

/* p/ or p⌿ of groups of rows. */
static int row_fold(lift *l, prim p, uint32_t code, arr *y) {
  const fold_row *row = fold_of(p, cls_of((elt)y->type));
  if (elt_is_char((elt)y->type) || !row || row->over == OVER_EVENNESS) return NONE;
  if (!l->groups->in_order) return NONE;
  if (code == OP_REDUCE1) return lift_add_class(l, fold_columns(l, p, y), 1, row->result);
  return as_grouped(l, lift_add_class(l, lift_reduce_last(l, p, y), 1, row->result));
}

/* l->groups as it was before values were asked, to which it goes back. */
typedef struct asked {
  lift *l;
  groups *was;
} asked;

static void asked_end(asked *a) { a->l->groups = a->was; }
#define ASKED __attribute__((cleanup(asked_end))) asked

/* Have the groups the same sizes, one behind the other? */
bool lift_same_sizes(lift *l, const groups *x, const groups *y) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  bool fit = x->in_order && y->in_order && x->count == y->count && x->n == y->n;
  OWNED arr *same = fit ? prim2(v, P_EQ, x->sizes, y->sizes) : NULL;
  OWNED arr *all = same ? ir_reduce(&at, P_AND, same, 0) : NULL;
  return all && ir_host(v->g, all) && arr_get_int(all, 0) == 1;
}

/* The groups of those of n values that have some take l->groups' place; false: they are not the same. */
static bool ask(asked *a, lift *l, int n, const int *x) {
  groups *of = NULL;
  *a = (asked){l, l->groups};
  for (int i = 0; i < n; i++) {
    const lifted *y = x[i] == NONE ? NULL : value_at(l, x[i]);
    if (!y || !is_of_groups(y)) continue;
    if (of && of != y->of && !lift_same_sizes(l, of, y->of)) return false;
    of = y->of;
  }
  l->groups = of;
  return true;
}

static int fold_line(lift *l, prim p, arr *y) {
  const fold_row *row = fold_of(p, cls_of((elt)y->type));
  if (elt_is_char((elt)y->type) || !row) return NONE;
  return lift_add_class(l, lift_group_total(l, p, y), 1, row->result);
}

int lift_group_inner(walk *w, const part_derived *f, int xi, int yi) {
  lift *l = lift_of(w);
  ASKED before;
  if (!ask(&before, l, 2, (int[]){xi, yi})) return NONE;
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  prim g = prim_in_force(w->v, part_prim(&f->r), true);
  bool lines = is_grouped(x) && is_grouped(y) && x->a->rank == 1 && y->a->rank == 1;
  if (!lines || p == P_COUNT || g == P_COUNT || !prim_is_scalar(g, true)) return NONE;
  int all = scalar(l, g, x, y);
  int r = all == NONE ? NONE : fold_line(l, p, value_at(l, all)->a);
  walk_drop(w, all);
  return r;
}

int lift_group_fold(walk *w, const part_derived *f, int i) {
  lift *l = lift_of(w);
  ASKED before;
  if (!ask(&before, l, 1, &i)) return NONE;
  arr *y = l->at[i].a;
  bool reduces = f->code == OP_REDUCE || f->code == OP_REDUCE1;
  bool scans = is_fold(f->code) && !reduces && l->groups->in_order;
  prim p = prim_in_force(w->v, part_prim(&f->l), true);
  if ((!reduces && !scans) || f->axis.v || f->axis.b || p == P_COUNT) return NONE;
  bool end = p == P_LEFT || p == P_RIGHT;
  if (y->rank > 1) return reduces && !end ? row_fold(l, p, f->code, y) : NONE;
  if (reduces && end) return lift_add(l, ends(l, y, p == P_RIGHT), 1);
  if (reduces) return fold_line(l, p, y);
  const fold_row *row = fold_of(p, cls_of((elt)y->type));
  if (elt_is_char((elt)y->type) || !row) return NONE;
  if (row->over == OVER_EVENNESS || l->groups->empties) return NONE;
  return as_grouped(l, lift_add_class(l, lift_group_scan(l, p, y), 1, row->result));
}

/* f¨ of the elements of groups, which are cells of one number: x's are those beside, or a number for each group. Or
 * x∘.f y: for each element of x, whose cell's y it goes beside. */
int lift_group_each(walk *w, const part_derived *f, int xi, int yi, lift_rule *outer) {
  lift *l = lift_of(w);
  ASKED before;
  if (!ask(&before, l, 2, (int[]){xi, yi}) || l->rank != 1) return NONE;
  groups *g = l->groups;
  if (g->empties) return NONE; /* for these f is called with a fill */
  lift_scope own = {l->scope, groups_of(w->v, g)};
  const int at[2] = {xi, yi};
  int of[2] = {NONE, NONE}, r = NONE;
  int64_t count = l->shape[0];
  bool ok = own.at;
  l->scope = &own;
  l->shape[0] = g->n;
  for (int k = 0; k < 2 && ok; k++) {
    if (at[k] == NONE) continue;
    const lifted *x = value_at(l, at[k]);
    bool beside = k && outer ? !is_nested(x->a) : !is_grouped(x) && !cell_rank(x);
    if (is_grouped(x) && !(k && outer))
      of[k] = x->a->rank == 1 ? lift_add(l, arr_retain(x->a), 1) : NONE;
    else if (x->kind == LIFT_ARRAY && beside) of[k] = walk_keep(w, at[k]);
    ok = of[k] != NONE;
  }
  int each = NONE;
  if (ok) each = outer ? outer(w, f, of[0], of[1]) : walk_apply(w, f->l, of[0], of[1]);
  const lifted *made = each == NONE ? NULL : value_at(l, each);
  OWNED arr *line = NULL;
  if (made && made->kind == LIFT_ARRAY && !is_nested(made->a) &&
      (outer || !cell_rank(made)))
    line = lift_align(l, made, 1, cell_rank(made), cell_shape(made));
  for (int k = 0; k < 2; k++) walk_drop(w, of[k]);
  walk_drop(w, each);
  l->scope = own.outer;
  l->shape[0] = count;
  l->groups = g;
  if (line) r = lift_grouped_line(l, arr_move(&line));
  return r;
}

/* ── numbers ── */

int lift_number(lift *l, int64_t n) { return lift_add(l, arr_int(l->w.v->c, n), 0); }

/* A number for each group, plus n. */
int lift_of_parts(lift *l, part_number what, int64_t n) {
  ir_call at = call_of(l->w.v);
  arr *pairs = groups_pairs(l->w.v, l->groups);
  OWNED arr *r = pairs ? ir_part_numbers(&at, pairs, what) : NULL;
  OWNED arr *more = r ? arr_int(at.env.c, n) : NULL;
  return lift_add(l, more ? prim2(l->w.v, P_PLUS, r, more) : NULL, 1);
}

int lift_grouped_line(lift *l, arr *a) { return as_grouped(l, lift_add(l, a, 1)); }

int lift_group_numbers(lift *l) {
  ir_call at = call_of(l->w.v);
  at.env.io = 0;
  OWNED arr *all = arr_int(at.env.c, l->groups->n);
  return lift_grouped_line(l, all ? ir_monadic(&at, P_IOTA, all) : NULL);
}

static bool is_line(const lift *l, const lifted *y) {
  return l->groups->in_order && y->kind == LIFT_GROUPS && y->a->rank == 1;
}

/* ── order ── */

/* Elements whose order is that of groups and, within them, of y's: NULL: there may be no such. */
static arr *keys_of(lift *l, prim p, arr *y) {
  enum { MOST = 1 << 30 };
  vm *v = l->w.v;
  ir_call at = call_of(v);
  int64_t lo, hi;
  if (!ir_settle(v->g, y) || !elt_is_int((elt)y->type)) return NULL;
  if (!ir_bounds(&at, y, &lo, &hi) || lo < -MOST || hi > MOST) return NULL;
  if ((hi - lo + 1) > MOST / l->groups->count) return NULL;
  bool up = p == P_UP;
  OWNED arr *from = arr_int(v->c, up ? lo : hi), *range = arr_int(v->c, hi - lo + 1);
  if (!from || !range || !groups_of(v, l->groups)) return NULL;
  OWNED arr *rank = up ? prim2(v, P_MINUS, y, from) : prim2(v, P_MINUS, from, y);
  OWNED arr *base = prim2(v, P_TIMES, l->groups->of, range);
  return prim2(v, P_PLUS, base, rank);
}

/* The numbers of the elements by groups and, within them, in y's order. */
static arr *in_order(lift *l, prim p, arr *y) {
  vm *v = l->w.v;
  OWNED arr *keys = keys_of(l, p, y);
  if (keys || err_is(v->c)) return prim1(v, P_UP, keys);
  OWNED arr *by_value = prim1(v, p, y); /* which is asked for twice */
  if (by_value && !ir_settle(v->g, by_value)) return NULL;
  arr *of = by_value ? groups_of(v, l->groups) : NULL;
  OWNED arr *then = of ? index_of(v, of, 1, &by_value) : NULL;
  OWNED arr *by_group = prim1(v, P_UP, then);
  return by_group ? index_of(v, by_value, 1, &by_group) : NULL;
}

static int order(lift *l, prim p, int yi) {
  const lifted *y = value_at(l, yi);
  if (!is_line(l, y) || is_nested(y->a)) return NONE;
  int all = lift_grouped_line(l, in_order(l, p, y->a)),
      begin = lift_of_parts(l, PART_BEGIN, 0);
  int r = lift_both(l, P_MINUS, all, begin);
  if (r != NONE) l->at[r].inside = true;
  return r;
}

/* ── indices ── */

/* Are x, numbers for groups of which there are `sizes` elements, all of elements that there are? */
static bool is_inside(lift *l, int xi, int sizes) {
  int io = l->w.v->sv->io;
  int from = lift_both(l, P_LE, lift_number(l, io), walk_keep(&l->w, xi));
  int below = lift_both(l, P_PLUS, walk_keep(&l->w, sizes), lift_number(l, io));
  int to = lift_both(l, P_LT, walk_keep(&l->w, xi), below);
  int all = lift_both(l, P_AND, from, to);
  if (all == NONE) return false;
  OWNED arr *line = prim1(l->w.v, P_COMMA, value_at(l, all)->a);
  OWNED arr *ok = line ? lift_reduce_last(l, P_AND, line) : NULL;
  walk_drop(&l->w, all);
  return ok && ir_host(l->w.v->g, ok) && arr_get_float(ok, 0) == 1;
}

static bool are_numbers(lift *l, const lifted *x) {
  return ir_resolve(l->w.v->g, x->a) && elt_is_int((elt)x->a->type) && x->a->count &&
         (x->kind == LIFT_ARRAY || x->kind == LIFT_GROUPS);
}

/* y[at] of an array y that all share, or of all of what some axes of groups have. */
static int index_cells(walk *w, int yi, int n, const int *at) {
  lift *l = lift_of(w);
  const lifted *y = value_at(l, yi);
  arr *ix[ARR_MAX_RANK] = {NULL};
  bool shared = y->kind == LIFT_ARRAY && !y->frame;
  if ((!shared && y->kind != LIFT_GROUPS) || n != y->a->rank || is_nested(y->a))
    return NONE;
  if ((at[0] == NONE) == shared) return NONE;
  for (int k = 0; k < n; k++) {
    if (at[k] == NONE) continue;
    const lifted *x = value_at(l, at[k]);
    bool same = x->kind == LIFT_ARRAY && !x->frame;
    if (shared && !k) same = x->kind == LIFT_GROUPS && x->a->rank == 1;
    if (!same || is_nested(x->a) || is_char(x)) return NONE;
    ix[k] = x->a;
  }
  return lift_grouped_line(l, index_of(w->v, y->a, n, ix));
}

/* The elements at x of each of y's groups: x are numbers for each of these, or groups of such. */
static int index_own(lift *l, int yi, int xi) {
  vm *v = l->w.v;
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  bool each = is_grouped(x), own = each && x->inside && x->of == y->of;
  if (!are_numbers(l, x)) return NONE;
  l->groups = y->of;
  int begin = lift_of_parts(l, PART_BEGIN, -v->sv->io);
  int sizes = own ? NONE : lift_of_parts(l, PART_LENGTH, 0);
  if (each) l->groups = x->of;
  if (!own && (sizes == NONE || !is_inside(l, xi, sizes))) return NONE;
  int all = lift_both(l, P_PLUS, begin, walk_keep(&l->w, xi));
  if (all == NONE) return NONE;
  arr *r = cells_at(v, value_at(l, yi)->a, value_at(l, all)->a);
  walk_drop(&l->w, all);
  walk_drop(&l->w, sizes);
  return each ? lift_grouped_line(l, r) : lift_add(l, r, 1);
}

/* y with v at x of each group, of elements or cells that v's go beside. */
static int put_own(lift *l, int yi, int xi, int vi) {
  vm *v = l->w.v;
  const lifted *x = value_at(l, xi), *y = value_at(l, yi), *of = value_at(l, vi);
  bool fit =
      go_side_by_side(y, of) && class_of(of) <= class_of(y) && is_f32(y) == is_f32(of);
  if (!fit || y->a->type == ET_C128 || !are_numbers(l, x)) return NONE;
  l->groups = y->of;
  int begin = lift_of_parts(l, PART_BEGIN, 0), sizes = lift_of_parts(l, PART_LENGTH, 0);
  bool each = is_grouped(x);
  if (each) l->groups = x->of;
  else if (x->kind != LIFT_ARRAY || cell_rank(x) || is_grouped(of)) return NONE;
  if (sizes == NONE || !is_inside(l, xi, sizes)) return NONE;
  int all = lift_both(l, P_PLUS, begin, walk_keep(&l->w, xi));
  if (all == NONE) return NONE;
  bool own = each ? !is_grouped(of) || lift_same_sizes(l, of->of, x->of) : !cell_rank(of);
  lifted new = {.a = NULL};
  if (own) new = each ? beside(l, of, x) : (lifted){.a = arr_retain(of->a)};
  OWNED arr *vals = new.a, *line = value_at(l, yi)->a,
            *at = arr_retain(value_at(l, all)->a);
  arr_retain(line);
  walk_drop(&l->w, all);
  walk_drop(&l->w, sizes);
  l->groups = value_at(l, yi)->of;
  return vals ? lift_grouped_line(l, at_put(v, line, 1, &at, vals)) : NONE;
}

int lift_group_put(lift *l, int yi, int xi, int vi) {
  groups *was = l->groups;
  const lifted *y = value_at(l, yi);
  bool cells = y->kind == LIFT_ARRAY && cell_rank(y) == 1;
  int all = lift_as_groups(l, yi), r = NONE;
  if (all == NONE || !value_at(l, all)->of->in_order) return NONE;
  r = put_own(l, all, xi, vi);
  walk_drop(&l->w, all);
  l->groups = was;
  return cells ? lift_regular(l, r, 1, cell_shape(value_at(l, yi))) : r;
}

int lift_group_index(walk *w, int yi, int n, const int *at) {
  lift *l = lift_of(w);
  ASKED before = {l, l->groups};
  const lifted *y = value_at(l, yi);
  bool cells = y->kind == LIFT_ARRAY && y->frame && cell_rank(y) == 1;
  bool line = cells || (y->kind == LIFT_GROUPS && y->of->in_order && y->a->rank == 1);
  if (line && n == 1 && at[0] != NONE) {
    int all = lift_as_groups(l, yi);
    int r = all == NONE ? NONE : index_own(l, all, at[0]);
    walk_drop(w, all);
    return r;
  }
  int all_of[ARR_MAX_RANK + 1] = {yi};
  for (int k = 0; k < n; k++) all_of[k + 1] = at[k];
  return ask(&before, l, n + 1, all_of) ? index_cells(w, yi, n, at) : NONE;
}

/* ── movement and search ── */

static int reverse(lift *l, int yi) {
  const lifted *y = value_at(l, yi);
  if (!is_line(l, y)) return NONE;
  int ends = lift_both(l, P_PLUS, lift_of_parts(l, PART_BEGIN, 0),
                       lift_of_parts(l, PART_END, 0));
  int at = lift_both(l, P_MINUS, ends, lift_group_numbers(l));
  if (at == NONE) return NONE;
  arr *r = cells_at(l->w.v, value_at(l, yi)->a, value_at(l, at)->a);
  walk_drop(&l->w, at);
  return lift_grouped_line(l, r);
}

/* y⍳x for a value x of each group, or of all. */
static int find(lift *l, int yi, int xi) {
  const lifted *y = value_at(l, yi), *x = value_at(l, xi);
  bool one = x->kind == LIFT_ARRAY && x->a->rank == x->frame;
  if (!is_line(l, y) || !one || !alike(x, y)) return NONE;
  int64_t n = y->a->count;
  int here = lift_both(l, P_EQ, walk_keep(&l->w, yi), walk_keep(&l->w, xi));
  int not = here == NONE ? NONE : lift_primitive(&l->w, P_NOT, NONE, here);
  /* An element that is not equal comes behind all that are. */
  int late = lift_both(l, P_TIMES, not, lift_number(l, n));
  int each = lift_both(l, P_PLUS, lift_own_numbers(l, l->w.v->sv->io), late);
  walk_drop(&l->w, here);
  int least = each == NONE
                  ? NONE
                  : lift_add(l, lift_group_total(l, P_FLOOR, value_at(l, each)->a), 1);
  walk_drop(&l->w, each);
  return lift_both(l, P_FLOOR, least, lift_of_parts(l, PART_LENGTH, l->w.v->sv->io));
}

/* ── others ── */

/* Which elements are the first of their kind in their group: of what is equal or not, no nearly. */
static arr *firsts(lift *l, arr *y) {
  vm *v = l->w.v;
  if (cls_of((elt)y->type) > CLS_I && v->sv->ct != 0) return NULL;
  OWNED arr *kinds = prim1(v, P_UNION, y);
  OWNED arr *kind = prim2(v, P_IOTA, kinds, y);
  if (!kind || !ir_settle(v->g, kinds) || !groups_of(v, l->groups)) return NULL;
  OWNED arr *many = arr_int(v->c, kinds->count + v->sv->io);
  OWNED arr *base = prim2(v, P_TIMES, l->groups->of, many);
  OWNED arr *both = prim2(v, P_PLUS, base, kind);
  return prim1(v, P_NE, both);
}

/* Those that b tells. */
static int some(lift *l, arr *b) {
  int r = b && cls_of((elt)b->type) == CLS_B ? lift_add(l, arr_retain(b), 1) : NONE;
  if (r != NONE) l->at[r].kind = LIFT_SOME;
  return r;
}

/* The elements of y where b has 1, of groups in order. */
static int chosen(lift *l, arr *b, arr *y) {
  if (!b || !y || cls_of((elt)b->type) != CLS_B || y->rank != 1 || b->rank != 1)
    return NONE;
  if (!l->groups->in_order || y->type == ET_C128) return NONE;
  OWNED arr *sizes = lift_group_total(l, P_PLUS, b);
  return lift_ragged(l, l->groups->count, sizes, b, y);
}

static int unique(lift *l, arr *y) {
  OWNED arr *b = firsts(l, y);
  return l->groups->in_order ? chosen(l, b, y) : some(l, b);
}

int lift_group_select(lift *l, int x, int y) {
  ASKED before;
  if (!ask(&before, l, 2, (int[]){x, y})) return NONE;
  return chosen(l, value_at(l, x)->a, value_at(l, y)->a);
}

int lift_group_where(lift *l, int x) {
  ASKED before;
  if (!ask(&before, l, 1, &x) || !l->groups->in_order) return NONE;
  arr *b = value_at(l, x)->a;
  int own = lift_own_numbers(l, l->w.v->sv->io), r = NONE;
  if (own != NONE) r = chosen(l, b, value_at(l, own)->a);
  walk_drop(&l->w, own);
  return r;
}

/* A vector of the groups, of which none is made before it is asked for. */
static int enclosed(lift *l, arr *y) {
  vm *v = l->w.v;
  arr *pairs = groups_pairs(v, l->groups);
  OWNED arr *sorted = pairs ? groups_elements(v, l->groups, y) : NULL;
  ir_call at = call_of(v);
  return lift_last(l, sorted ? ir_items(&at, sorted, pairs) : NULL);
}

static int search(walk *w, prim p, int x, int y) {
  lift *l = lift_of(w);
  int r = NONE;
  if (p == P_IOTA && is_grouped(value_at(l, x)) && !l->groups->empties) r = find(l, x, y);
  return r != NONE ? r : lift_group_search(w, p, x, y);
}

/* x≡y of vectors that have the same lengths: no element differs. */
static int match(lift *l, const lifted *x, const lifted *y) {
  bool lines = x && is_line(l, x) && is_line(l, y) && go_side_by_side(x, y);
  int not = lines ? lift_equals(l, x, y, true) : NONE;
  int some = not == NONE ? NONE : fold_line(l, P_OR, value_at(l, not )->a);
  int r = some == NONE ? NONE : lift_primitive(&l->w, P_NOT, NONE, some);
  walk_drop(&l->w, not );
  walk_drop(&l->w, some);
  return r;
}

/* base⊥y of numbers that are not negative: the sum of each times the power for its place. */
static int decode(lift *l, const lifted *x, int yi) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  const lifted *y = value_at(l, yi);
  int64_t by[ARR_MAX_RANK], power[64] = {1}, lo, hi, least, most;
  arr *pairs = groups_pairs(v, l->groups);
  if (!pairs || !is_line(l, y) || x->a->rank || lift_numbers(l, x, by) != 1) return NONE;
  if (by[0] < 2 || !ir_part_lengths(&at, pairs, &least, &most) || most > 64) return NONE;
  if (!ir_settle(at.g, y->a) || !elt_is_int((elt)y->a->type)) return NONE;
  if (!ir_bounds(&at, y->a, &lo, &hi) || lo < 0) return NONE;
  for (int64_t k = 1; k < most; k++) {
    if (power[k - 1] > INT64_MAX / by[0]) return NONE;
    power[k] = power[k - 1] * by[0];
  }
  OWNED arr *all = arr_int_vec(v->c, most, power);
  int place = lift_both(l, P_MINUS, lift_of_parts(l, PART_END, 0), lift_group_numbers(l));
  arr *a = all && place != NONE ? cells_at(v, all, value_at(l, place)->a) : NULL;
  walk_drop(&l->w, place);
  int each = lift_both(l, P_TIMES, lift_grouped_line(l, a), walk_keep(&l->w, yi));
  int r = each == NONE ? NONE : fold_line(l, P_PLUS, value_at(l, each)->a);
  walk_drop(&l->w, each);
  return r;
}

static int sizes(lift *l) {
  arr *n = groups_sizes(l->w.v, l->groups);
  return lift_add(l, n ? arr_retain(n) : NULL, 1);
}

int lift_grouped(walk *w, prim p, int xi, int yi) {
  lift *l = lift_of(w);
  ASKED before;
  if (!ask(&before, l, 2, (int[]){xi, yi})) return NONE;
  const lifted *y = &l->at[yi], *x = xi == NONE ? NULL : &l->at[xi];
  if (y->kind == LIFT_SOME && p == P_TALLY && !x)
    return lift_add(l, lift_group_total(l, P_PLUS, y->a), 1);
  if (!is_grouped(y) && !(x && is_grouped(x))) return NONE;
  if (!is_grouped(y) && y->kind != LIFT_ARRAY) return NONE;
  if (x && !is_grouped(x) && x->kind != LIFT_ARRAY) return NONE;
  if (prim_is_scalar(p, x != NULL)) return scalar(l, p, x, y);
  if (x && (p == P_IOTA || p == P_MEMBER || p == P_WHERE)) return search(w, p, xi, yi);
  if (x && p == P_MATCH) return match(l, x, y);
  if (x && p == P_DECODE) return decode(l, x, yi);
  int r = x ? lift_ragged_move(w, p, xi, yi) : NONE;
  if (r != NONE) return r;
  if (l->groups->empties && p == P_PICK && !x && is_line(l, y) && l->w.v->sv->ml < 2)
    return lift_first_or_fill(l, yi);
  if (l->groups->empties && p != P_TALLY && p != P_COMMA && p != P_UP && p != P_DOWN)
    return NONE;
  if ((p == P_SQUAD || p == P_PICK) && x && x->kind == LIFT_ARRAY && !cell_rank(x))
    return lift_group_index(w, yi, 1, &xi);
  if (x) return NONE;
  switch (p) {
  case P_LEFT:
  case P_RIGHT:
  case P_TAKE: return walk_keep(w, yi);
  case P_TALLY: return sizes(l);
  default: break;
  }
  if (y->a->rank > 1) return NONE;
  switch (p) {
  case P_COMMA: return walk_keep(w, yi);
  case P_RHO: {
    arr *n = groups_sizes(l->w.v, l->groups);
    return lift_add(l, n ? lift_reshape(l, n, 1, 1, &(int64_t){1}) : NULL, 1);
  }
  case P_NE: return as_grouped(l, lift_add(l, firsts(l, y->a), 1));
  case P_UNION: return unique(l, y->a);
  case P_WHERE: return some(l, y->a);
  case P_UP:
  case P_DOWN: return order(l, p, yi);
  case P_REVERSE:
  case P_REVERSE1: return reverse(l, yi);
  case P_PICK: return lift_add(l, ends(l, y->a, false), 1);
  case P_ENCLOSE: return enclosed(l, y->a);
  default: return NONE;
  }
}

/* The groups as rows, each filled up. */
int lift_group_rows(lift *l, int yi) {
  ASKED before;
  if (!ask(&before, l, 1, &yi)) return NONE;
  const lifted *y = value_at(l, yi);
  vm *v = l->w.v;
  ir_call call = call_of(v);
  int64_t least, most, n = y->a->count;
  arr *pairs = groups_pairs(v, l->groups);
  if (!is_line(l, y) || is_nested(y->a) || !pairs) return NONE;
  if (!ir_part_lengths(&call, pairs, &least, &most)) return NONE;
  if (most > 64 * (n / l->groups->count + 1)) return NONE; /* fills, most of it */
  if (least == most) {
    OWNED arr *shape = arr_int_vec(v->c, 2, (int64_t[]){l->groups->count, most});
    return lift_add(l, prim2(v, P_RHO, shape, y->a), 1);
  }
  call.env.io = 0;
  OWNED arr *one_more = arr_int(v->c, n + 1), *width = arr_int(v->c, most);
  OWNED arr *all = width ? prim2(v, P_TAKE, one_more, y->a) : NULL;
  OWNED arr *across = ir_monadic(&call, P_IOTA, width);
  int j = across ? lift_add(l, arr_retain(across), 0) : NONE;
  int has = lift_both(l, P_GT, lift_of_parts(l, PART_LENGTH, 0), walk_keep(&l->w, j));
  int at = lift_both(l, P_PLUS, lift_of_parts(l, PART_BEGIN, -n), j);
  at = lift_both(l, P_TIMES, has, at);
  at = lift_both(l, P_PLUS, at, lift_number(l, n));
  if (at == NONE || !all) return NONE;
  arr *r = cells_at(v, all, value_at(l, at)->a);
  walk_drop(&l->w, at);
  return lift_add(l, r, 1);
}

int lift_group_items(lift *l, int yi) {
  ASKED before;
  if (!ask(&before, l, 1, &yi)) return NONE;
  const lifted *y = value_at(l, yi);
  arr *pairs = groups_pairs(l->w.v, l->groups);
  ir_call at = call_of(l->w.v);
  if (!is_line(l, y) || !pairs) return NONE;
  return lift_add(l, ir_items(&at, y->a, pairs), 0);
}

/* ── side by side ── */

/* Scalars as rows of one element, and rows. */
static arr *column(lift *l, const lifted *x) {
  bool is_few = x->frame == 1 && l->rank == 1 && x->a->rank <= 2;
  if (!is_few || x->kind == LIFT_GROUPS || x->kind == LIFT_CELLS) return NULL;
  return prim1(l->w.v, P_COMMA1, x->a);
}

int lift_mixed(walk *w, int xi, int yi) {
  lift *l = lift_of(w);
  OWNED arr *x = column(l, &l->at[xi]), *y = column(l, &l->at[yi]);
  return x && y && x->rank == 2 && y->rank == 2 ? lift_last(l, prim2(w->v, P_COMMA, x, y))
                                                : NONE;
}

int lift_group_strand(walk *w, int n, const int *item) {
  lift *l = lift_of(w);
  ASKED before;
  if (!ask(&before, l, n, item)) return NONE;
  int side[2] = {NONE, NONE}, r = NONE;
  if (n != 2 || l->groups->are_parts || l->groups->empties) return NONE;
  for (int i = 0; i < 2; i++) {
    const lifted *x = &l->at[item[i]];
    bool one = x->kind == LIFT_ARRAY && !cell_rank(x) && x->a->type != ET_C128 &&
               !is_nested(x->a);
    if (one) side[i] = walk_keep(w, item[i]);
    else if (!is_grouped(x)) break;
    else if (x->a->rank == 1) side[i] = enclosed(l, x->a);
  }
  if (side[0] != NONE && side[1] != NONE) r = lift_mixed(w, side[0], side[1]);
  walk_drop(w, side[0]);
  walk_drop(w, side[1]);
  return r;
}
