/* SPDX-License-Identifier: MIT */
/* lift.c - see lift.h and lift_value.h: the rules of a walk (fn_walk.h) whose values are
 * arrays with a frame.
 *
 * Not lifted is whatever changes something or gives something else each time; nested arrays, but
 * where all cells share them; errors. And what has another class in one cell than in others:
 * an integer sum that leaves 64 bits, √ of a negative number. There the loop computes the
 * other cells as integers, as real numbers, still, and what is made of those later may show
 * it. So all work on cells is an attempt (ir.h), and primitives that are computed at once have
 * the class of their results looked at.
 *
 * Vectors of another length in each cell are lift_select.c's, and what no rule has is looped over
 * where that is better than the calls (lift_loop.c). */
#include "../../tables/fast.h"
#include "lift.h"
#include "../../array/element.h"
#include "../../base/arith.h"
#include "../../prim/struct.h"
#include "../run/primitive.h"
#include "../run/sys_call.h"
#include "../value/items.h"
#include "cells.h"
#include "groups.h"
#include "lift_value.h"
#include "scalar_fn.h"
#include "scalar_map.h"

#include <string.h>

/* ── values ── */

static int keep(walk *w, int x) {
  int here = lift_in_scope(lift_of(w), x);
  if (here == x) lift_of(w)->at[x].refs++;
  return here;
}

/* What was computed meanwhile shows what came of its class. */
static void forget(lift *l, lifted *x) {
  if (class_of(x) > x->cls) l->left = true;
  arr_release(x->a);
  x->a = NULL;
}

static void drop(walk *w, int x) {
  lifted *p = &lift_of(w)->at[x];
  if (--p->refs) return;
  if (p->kind == LIFT_MIXED) drop(w, p->real);
  forget(lift_of(w), p);
}

static bool can_have_frame(const arr *a) {
  return a->count && (elt_is_num((elt)a->type) || elt_is_char((elt)a->type));
}

/* Cells that have no elements are the same for all. */
static arr *one_empty(lift *l, arr *a, int *frame) {
  bool none = *frame && !a->count && !is_nested(a) && a->rank > *frame;
  if (!none) return a;
  OWNED arr *all = a;
  OWNED arr *shape = arr_int_vec(l->w.v->c, a->rank - *frame, a->shape + *frame);
  *frame = 0;
  return prim2(l->w.v, P_RHO, shape, all);
}

static int add_kind(lift *l, arr *a, int frame, lift_kind kind) {
  int i = 0;
  if (a && kind == LIFT_ARRAY) a = one_empty(l, a, &frame);
  while (i < LIFT_VALUES && l->at[i].refs) i++;
  bool last = kind == LIFT_LAST && a && a->type != ET_C128, held = kind == LIFT_CELLS;
  if (a && i < LIFT_VALUES && (!frame || last || held || can_have_frame(a))) {
    l->at[i] = (lifted){.a = a, .frame = frame, .kind = (uint8_t)kind, .refs = 1};
    l->at[i].cls = (uint8_t)class_of(&l->at[i]);
    l->at[i].of = l->groups;
    l->at[i].scope = l->scope;
    return i;
  }
  arr_release(a);
  return NONE;
}

int lift_add(lift *l, arr *a, int frame) { return add_kind(l, a, frame, LIFT_ARRAY); }
int lift_last(lift *l, arr *a) { return add_kind(l, a, 1, LIFT_LAST); }
int lift_add_cells(lift *l, arr *a) { return add_kind(l, a, a->rank, LIFT_CELLS); }

bool same_cells(const lifted *x, const lifted *y) {
  int n = cell_rank(x);
  if (n != cell_rank(y)) return false;
  for (int k = 0; k < n; k++)
    if (cell_shape(x)[k] != cell_shape(y)[k]) return false;
  return true;
}

arr *lift_align(lift *l, const lifted *x, int frame, int rank, const int64_t *cell) {
  int64_t shape[ARR_MAX_RANK];
  int k[ARR_MAX_RANK], own = cell_rank(x);
  if (x->frame == frame && own == rank) return arr_retain(x->a);
  if (frame + rank > ARR_MAX_RANK || is_nested(x->a) || !x->a->count) return NULL;
  for (int i = 0; i < frame; i++) shape[i] = l->shape[i];
  for (int i = 0; i < rank; i++) shape[frame + i] = cell[i];
  for (int i = 0; i < x->frame; i++) k[i] = i;
  for (int i = 0; i < own; i++) k[x->frame + i] = frame + rank - own + i;
  ir_call at = call_of(l->w.v);
  return ir_spread(&at, x->a, frame + rank, shape, k);
}

arr *lift_reshape(lift *l, arr *a, int frame, int rank, const int64_t *cell) {
  int64_t shape[ARR_MAX_RANK];
  if (!a || frame + rank > ARR_MAX_RANK) return NULL;
  for (int i = 0; i < frame; i++) shape[i] = a->shape[i];
  for (int i = 0; i < rank; i++) shape[frame + i] = cell[i];
  OWNED arr *to = arr_int_vec(l->w.v->c, frame + rank, shape);
  return prim2(l->w.v, P_RHO, to, a);
}

static int constant(walk *w, arr *a) { return lift_add(lift_of(w), arr_retain(a), 0); }

static int outer_name(walk *w, const sym *name, arr *a) {
  UNUSED(name);
  return ir_resolve(w->v->g, a) ? constant(w, a) : NONE;
}

static bool may_be_asked(const lift *l, int x) {
  return x == NONE || l->at[x].kind == LIFT_ARRAY;
}

/* ── operators that call their operand for cells ── */

/* Further axes of the frame. */
static bool push(lift *l, int n, const int64_t *shape) {
  if (l->rank + n > ARR_MAX_RANK) return false;
  for (int i = 0; i < n; i++) l->shape[l->rank + i] = shape[i];
  l->rank += n;
  return true;
}

/* x as a value whose frame has x's first n axes behind the frame's. */
static int enter(lift *l, int i, int n) {
  const lifted *x = &l->at[i];
  if (!n) return keep(&l->w, i);
  return lift_add(l, lift_align(l, x, l->rank, cell_rank(x), cell_shape(x)), l->rank + n);
}

/* The arrays of all cells as items of one, or mixed. */
static arr *of_all_cells(lift *l, const lifted *x, bool items) {
  OWNED_RESULTS all = results_open(l->w.v, l->rank, l->shape);
  if (x->frame != l->rank) return NULL;
  for (int64_t i = 0; i < all.want; i++)
    if (!results_add(&all, arr_retain(arr_item(x->a, i)))) return NULL;
  return items ? results_array(&all) : results_mix(&all);
}

/* The parts of each cell as a vector of items. */
static arr *parts_of_cells(lift *l, const lifted *y, bool items) {
  vm *v = l->w.v;
  arr *part_at = groups_pairs(v, y->of),
      *cell_at = part_at ? groups_pairs(v, y->in) : NULL;
  bool here = cell_at && ir_host(v->g, part_at) && ir_host(v->g, cell_at);
  if (!here || y->in->empties || !ir_host(v->g, y->a)) return NULL;
  OWNED_RESULTS all = results_open(v, 1, &y->in->count);
  for (int64_t i = 0, k = 0; i < all.want; i++) {
    int64_t end = ((const int64_t *)cell_at->host)[2 * i + 1];
    OWNED arr *own = arr_vec(v->c, ET_NEST, end - k);
    for (int64_t at = 0; own && k < end; at++, k++) {
      arr *one = groups_part(v, y->a, part_at, k);
      ((arr **)own->host)[at] = one;
      if (!one) return NULL;
    }
    if (!own || interrupted(v->c) || !results_add(&all, arr_move(&own))) return NULL;
  }
  return items ? results_array(&all) : results_mix(&all);
}

/* The cells of r behind its first `frame` axes as items. Returns NULL, with no error, of nested cells. */
static arr *as_items(vm *v, arr *r, int frame) {
  prim_env e = env_of(v);
  int k[ARR_MAX_RANK];
  if (!r || is_nested(r)) return NULL;
  if (r->rank == frame) return arr_retain(r);
  if (r->rank == frame + 1) return prim1(v, P_DROP, r); /* which may stay a table */
  for (int i = frame; i < r->rank; i++) k[i - frame] = i;
  return ir_host(v->g, r) ? enclose_axes(&e, r, r->rank - frame, k) : NULL;
}

/* The result of what was called for cells within the frame's axes from `rank` on; `items`: those of
 * all cells become items. */
static int leave(lift *l, int x, int rank, bool items) {
  int r = NONE, i = x == NONE ? NONE : lift_unfold(l, x);
  walk_drop(&l->w, x);
  if (i != NONE && l->at[i].kind == LIFT_GROUPS && !rank) {
    r = items ? lift_group_items(l, i) : lift_group_rows(l, i);
    if (r != NONE) l->at[r].frame = 0;
  } else if (i != NONE && l->at[i].kind == LIFT_PARTS && !rank && l->rank == 1) {
    r = lift_add(l, parts_of_cells(l, &l->at[i], items), 0);
  } else if (i != NONE && l->at[i].kind == LIFT_CELLS && !rank) {
    r = lift_add(l, of_all_cells(l, &l->at[i], items), 0);
  } else if (is_mixed(l, i) && !(items && cell_rank(&l->at[i]))) {
    r = lift_leave_mixed(l, i, rank);
  } else if (i != NONE && may_be_asked(l, i)) {
    const lifted *y = &l->at[i];
    int n = items ? cell_rank(y) : 0;
    OWNED arr *a = lift_align(l, y, l->rank, cell_rank(y), cell_shape(y));
    if (items && is_nested(y->a)) n = -1; /* an item of its own */
    if (!n) r = lift_add(l, arr_move(&a), rank);
    else if (n > 0 && !rank) r = lift_add(l, as_items(l->w.v, a, l->rank), 0);
  }
  walk_drop(&l->w, i);
  l->rank = rank;
  return r;
}

/* The axes of x that ¨ or ⍤ with cells of rank k goes along. */
static int axes_of_cells(const lifted *x, int k) {
  int n = cell_rank(x) - k;
  return n > 0 ? n : 0;
}

/* a f b, which are given up, of cells within the frame's axes from `rank` on, if they are worth it: within a lifted
 * function all are. */
static int called(lift *l, part f, int a, int b, int rank, bool scalars) {
  if (!rank && !ir_lifts(l->w.v->g, arr_product(l->rank, l->shape))) return NONE;
  int r = walk_apply(&l->w, f, a, b);
  walk_drop(&l->w, a);
  walk_drop(&l->w, b);
  return leave(l, r, rank, scalars);
}

/* x f y for cells of the ranks kx and ky; `scalars`: each has to give one. */
static int cell_by_cell(walk *w, part f, int x, int kx, int y, int ky, bool scalars) {
  lift *l = lift_of(w);
  int ny = axes_of_cells(&l->at[y], ky), nx = 0, rank = l->rank;
  const lifted *like = &l->at[y];
  if (x != NONE) nx = axes_of_cells(&l->at[x], kx);
  if (nx && ny && nx != ny) return NONE;
  for (int i = 0; nx && i < ny; i++)
    if (cell_shape(&l->at[x])[i] != cell_shape(like)[i]) return NONE;
  if (nx) like = &l->at[x];
  int n = nx ? nx : ny;
  int b = enter(l, y, ny), a = x == NONE || b == NONE ? NONE : enter(l, x, nx);
  if (b == NONE || (x != NONE && a == NONE) || !push(l, n, cell_shape(like))) return NONE;
  return called(l, f, a, b, rank, scalars);
}

static int each(walk *w, const part_derived *f, int x, int y) {
  const lift *l = lift_of(w);
  prim p = part_prim(&f->l);
  bool scalar = p < P_COUNT && prim_is_scalar(p, x != NONE);
  if (scalar && !is_nested(l->at[y].a)) return lift_primitive(w, p, x, y);
  return cell_by_cell(w, f->l, x, 0, y, 0, true);
}

static int ranked(walk *w, const part_derived *f, int x, int y) {
  const lift *l = lift_of(w);
  int kx = 0, ky, which = x == NONE ? RANK_MONADIC : RANK_RIGHT;
  arr *k = part_array(&f->r);
  if (!k || !cells_rank(w->v, k, which, cell_rank(&l->at[y]), &ky)) return NONE;
  if (x != NONE && !cells_rank(w->v, k, RANK_LEFT, cell_rank(&l->at[x]), &kx))
    return NONE;
  return cell_by_cell(w, f->l, x, kx, y, ky, false);
}

/* x ∘.f y: y's cells go along axes behind those that x's go along. */
static int outer_product(walk *w, const part_derived *f, int x, int y) {
  lift *l = lift_of(w);
  int rank = l->rank, nx = cell_rank(&l->at[x]), ny = cell_rank(&l->at[y]);
  int a = enter(l, x, nx);
  if (a == NONE || !push(l, nx, cell_shape(&l->at[x]))) return NONE;
  const lifted *of_y = &l->at[y];
  arr *all = lift_align(l, of_y, l->rank, ny, cell_shape(of_y));
  if (!push(l, ny, cell_shape(of_y))) {
    arr_release(all);
    return NONE;
  }
  int b = lift_add(l, all, l->rank);
  return b == NONE ? NONE : called(l, f->l, a, b, rank, true);
}

/* Notes what had no rule, for whoever asks why. */
static int noted(walk *w, int r, const char *glyph) {
  lift *l = lift_of(w);
  if (r == NONE && !l->met) l->met = glyph;
  return r;
}

static int primitive(walk *w, prim p, int x, int y) {
  return noted(w, lift_primitive(w, p, x, y), prim_table[p].glyph);
}

static int derived_rule(walk *w, const part_derived *f, int x, int y) {
  const lift *l = lift_of(w);
  const lifted *of = &l->at[y];
  if (x == NONE && of->kind == LIFT_PARTS && f->code == OP_EACH)
    return lift_each_part(w, f, y);
  bool grouped = of->kind == LIFT_GROUPS || (x != NONE && l->at[x].kind == LIFT_GROUPS);
  if (f->code == OP_EACH && grouped) return lift_group_each(w, f, x, y, NULL);
  if (f->code == OP_OUTER && x != NONE && l->at[x].kind == LIFT_GROUPS)
    return lift_group_each(w, f, x, y, outer_product);
  if (x == NONE && of->kind == LIFT_GROUPS) return lift_group_fold(w, f, y);
  bool folds = f->code == OP_REDUCE || f->code == OP_REDUCE1;
  if (x != NONE && folds && of->kind == LIFT_GROUPS)
    return may_be_asked(l, x) ? lift_group_windows(w, f, x, y) : NONE;
  if (x != NONE && f->code == OP_DOT && of->kind == LIFT_GROUPS)
    return lift_group_inner(w, f, x, y);
  if (of->kind == LIFT_MIXED) return x == NONE ? lift_mixed_fold(w, f, y) : NONE;
  if (!may_be_asked(l, x) || of->kind != LIFT_ARRAY) return NONE;
  if (is_nested(of->a) || (x != NONE && is_nested(l->at[x].a))) return NONE;
  switch (f->code) {
  case OP_EACH: return each(w, f, x, y);
  case OP_RANK: return ranked(w, f, x, y);
  case OP_AT: return lift_at(w, f, x, y);
  case OP_POWER: return lift_inverse(w, f, x, y);
  case OP_OUTER: return x == NONE ? NONE : outer_product(w, f, x, y);
  case OP_DOT:
    if (x == NONE) return NONE;
    return lift_inner(w, part_prim(&f->l), part_prim(&f->r), x, y);
  case OP_REDUCE:
  case OP_REDUCE1:
  case OP_SCAN:
  case OP_SCAN1: return x == NONE ? lift_fold(w, f, y) : lift_windows(w, f, x, y);
  default: return NONE;
  }
}

static int derived(walk *w, const part_derived *f, int x, int y) {
  lift *l = lift_of(w);
  int y2 = lift_unfold(l, y), rank = l->rank;
  int r =
      y2 == NONE ? NONE : noted(w, derived_rule(w, f, x, y2), oper_find(f->code)->glyph);
  walk_drop(w, y2);
  l->rank = rank; /* that of a rule that failed may be longer */
  return r != NONE ? r : lift_loop_derived(w, f, x, y);
}

static int replicated(walk *w, uint32_t code, int x, int y) {
  int r = noted(w, lift_replicate(w, code, x, y), oper_find(code)->glyph);
  return r != NONE ? r : lift_loop_replicate(w, code, x, y);
}

/* Item i of n names' value. */
static int item_of(walk *w, int x, uint32_t i, uint32_t n) {
  lift *l = lift_of(w);
  const lifted *y = &l->at[x];
  bool plain = may_be_asked(l, x) && !is_nested(y->a);
  if (plain && !cell_rank(y)) return keep(w, x);
  if (!plain || cell_rank(y) != 1 || cell_tally(y) != n)
    return lift_loop_share(w, x, i, n);
  return lift_item(l, y, i);
}

/* ── nodes ── */

/* All of them owned, in the order of evaluation, or false. */
static bool nodes(walk *w, walk_frame *at, bnode **kid, int n, int *to) {
  for (int i = n; i-- > 0;) {
    int all = kid[i] ? walk_node(w, at, kid[i]) : NONE;
    to[i] = all == NONE ? NONE : lift_unfold(lift_of(w), all);
    walk_drop(w, all);
    lift_kind kind =
        to[i] == NONE ? LIFT_WHERE : (lift_kind)value_at(lift_of(w), to[i])->kind;
    bool fit = kind == LIFT_ARRAY || kind == LIFT_GROUPS || kind >= LIFT_CELLS;
    if (kid[i] && !fit) return false;
  }
  return true;
}

static bool is_any(const lift *l, int n, const int *item, lift_kind kind) {
  for (int i = 0; i < n; i++)
    if (item[i] != NONE && l->at[item[i]].kind == kind) return true;
  return false;
}

/* item[0] indexed by the others. */
static int indexed(walk *w, int n, const int *item) {
  int r = NONE;
  if (is_any(lift_of(w), n, item, LIFT_GROUPS))
    r = lift_group_index(w, item[0], n - 1, item + 1);
  else if (!is_any(lift_of(w), n, item, LIFT_CELLS))
    r = lift_index(w, item[0], n - 1, item + 1);
  return noted(w, r, "[ ]") == NONE ? lift_loop_index(w, item[0], n - 1, item + 1) : r;
}

/* Items of a target's node, of which the first is a name's value: they become what it is with v there, or
 * f modified by v. */
static int put(walk *w, walk_frame *at, const bnode *b, int y, const part *f, int v) {
  int item[ARR_MAX_RANK + 1] = {y}, n = (int)b->n, new = NONE;
  const lift *l = lift_of(w);
  if (n < 2 || n > ARR_MAX_RANK || !nodes(w, at, b->kid + 1, n - 1, item + 1))
    return NONE;
  if (!f) new = walk_keep(w, v);
  else if (n == 2 && item[1] != NONE && may_be_asked(l, item[1]) &&
           !cell_rank(&l->at[item[1]])) { /* one place, which there cannot be twice */
    int old = indexed(w, n, item);
    new = old == NONE ? NONE : walk_apply(w, *f, old, v);
    walk_drop(w, old);
  }
  int r = new == NONE ? NONE : noted(w, lift_put(w, y, n - 1, item + 1, new), "[ ]←");
  for (int i = 1; i < n; i++) walk_drop(w, item[i]);
  walk_drop(w, new);
  return r;
}

static int node(walk *w, walk_frame *at, const bnode *b) {
  int item[ARR_MAX_RANK + 1], n = (int)b->n, r = NONE;
  if (b->kind == B_SYS && sys_valence((int)b->code) & SYS_LIFTS)
    return lift_add(lift_of(w), sys_get(w->v, (int)b->code), 0);
  if (b->n > ARR_MAX_RANK || !b->n) return NONE;
  if (b->kind != B_INDEX && b->kind != B_STRAND && b->kind != B_VECTOR) return NONE;
  if (!nodes(w, at, b->kid, n, item)) return NONE;
  if (b->kind == B_INDEX) r = indexed(w, n, item);
  else {
    if (is_any(lift_of(w), n, item, LIFT_GROUPS)) r = lift_group_strand(w, n, item);
    else if (!is_any(lift_of(w), n, item, LIFT_CELLS)) r = lift_strand(w, n, item);
    if (noted(w, r, "strands") == NONE) r = lift_loop_strand(w, n, item);
  }
  for (int i = 0; i < n; i++) walk_drop(w, item[i]);
  return r;
}

/* ── guards ── */

/* The truth value that all cells share; false: there is none. */
static bool truth_of(lift *l, int i, bool *truth) {
  arr *a = l->at[i].a;
  if (!ir_host(l->w.v->g, a)) return false;
  if (a->count != 1 || a->type > ET_F64) return false;
  double d = arr_get_float(a, 0);
  *truth = d == 1;
  return d == 0 || d == 1;
}

/* A guard c that differs between cells: both results, of which each cell has one; or those of each side's cells, if one
 * calls the function itself. What the first assigns the other does not see. */
static int choose(walk *w, walk_frame *at, uint32_t i, int c) {
  int local[WALK_LOCALS];
  lift *l = lift_of(w);
  const tnode *all = at->e->body->node;
  l->differ = true;
  if (l->alike) return NONE;
  if (l->split || scalar_calls_itself(all)) return lift_split(w, at, i, c);
  for (int k = 0; k < WALK_LOCALS; k++) local[k] = walk_keep(w, at->local[k]);
  l->choosing++;
  int yes = walk_shown(w, at, at->e->body->node->kid[i]->kid[1]);
  for (int k = 0; k < WALK_LOCALS; k++) {
    walk_drop(w, at->local[k]);
    at->local[k] = local[k];
  }
  int no = yes == NONE ? NONE : walk_statements(w, at, i + 1);
  l->choosing--;
  int r = no == NONE ? NONE : lift_select(w, c, yes, no);
  if (r == NONE && no != NONE) r = lift_join(lift_of(w), yes, no, c);
  if (r == NONE && no != NONE) r = lift_loop_select(w, c, yes, no);
  walk_drop(w, yes);
  walk_drop(w, no);
  return r;
}

static int guard(walk *w, walk_frame *at, uint32_t i) {
  tnode *s = at->e->body->node->kid[i];
  const bnode *root = walk_root(w, at, s->kid[0]);
  int c = root ? walk_node(w, at, root) : NONE;
  bool truth;
  if (c == NONE || !may_be_asked(lift_of(w), c)) return NONE;
  if (lift_of(w)->at[c].frame) {
    int r = choose(w, at, i, c);
    walk_drop(w, c);
    return r;
  }
  if (!truth_of(lift_of(w), c, &truth)) return NONE;
  walk_drop(w, c);
  return truth ? walk_shown(w, at, s->kid[1]) : walk_statements(w, at, i + 1);
}

/* ── what operators ask ── */

static const walk_rules rules = {.constant = constant,
                                 .outer = outer_name,
                                 .primitive = primitive,
                                 .derived = derived,
                                 .replicate = replicated,
                                 .system = lift_system,
                                 .node = node,
                                 .item = item_of,
                                 .put = put,
                                 .guard = guard,
                                 .keep = keep,
                                 .drop = drop};

static void lift_close(lift *l) {
  for (int i = 0; i < LIFT_VALUES; i++)
    if (l->at[i].refs) forget(l, &l->at[i]);
  for (int i = 0; i < l->owned; i++) groups_close(&l->own[i]);
}

static int value_of(lift *l, arr *a, int frame) {
  return a ? lift_add(l, arr_retain(a), frame) : NONE;
}

/* Is it an argument that may be lifted over, or none? */
static bool is_fit(vm *v, arr *a) {
  return !a || (ir_resolve(v->g, a) && can_have_frame(a));
}

/* Ends an attempt that came to r, which is kept if it holds. */
static arr *settle(lift *l, uint64_t since, int i) {
  vm *v = l->w.v;
  OWNED arr *r = i == NONE || err_is(v->c) ? NULL : arr_retain(l->at[i].a);
  lift_close(l);
  v->shy = false;
  v->unlifted = l->met;
  return ir_attempt_end(v->g, since, l->left ? NULL : r) ? arr_move(&r) : NULL;
}

/* How an attempt is made, and what it met. */
typedef struct trial {
  bool alike;          /* with guards that all cells share alone */
  bool split;          /* cells whose guards differ go apart */
  bool loops;          /* what has no rule is looped over */
  bool differ, missed; /* a guard that they do not share; something without a rule */
  int64_t draws;       /* so many random numbers a cell, of several ?; 0: of one */
} trial;

/* What is tried: x f¨ y and the like; f of the cells of y, and x, behind `frame` axes; f of groups. */
typedef struct task {
  const part_derived *derived;
  fn *f;
  arr *x, *y;
  int frame;
  groups *g;
  bool items; /* x f¨ y, some of whose items are arrays */
  bool loops; /* what has no rule may be looped over */
} task;

static bool begin(vm *v, lift *l, arr *dummy, const trial *how, int64_t count) {
  enum { MOST = 256, EACH = 8 }; /* a test divides few cells, too */
  *l = (lift){.w = {.v = v, .rules = &rules, .dummy = dummy}};
  l->alike = how->alike;
  l->split = how->split;
  l->loops = how->loops;
  l->draws = how->draws;
  l->drawn = v->random.drawn;
  l->splits = ir_lifts(v->g, 2) || count / EACH > MOST ? MOST : (int)(count / EACH);
  return dummy != NULL;
}

/* Are the cells scalars? */
static bool is_of_scalars(vm *v, uint32_t code, arr *k, const arr *x, const arr *y) {
  int kx = 0, ky = 0;
  if (code != OP_RANK) return true;
  int which = x ? RANK_RIGHT : RANK_MONADIC;
  if (!cells_rank(v, k, which, y->rank, &ky)) return false;
  return (!x || cells_rank(v, k, RANK_LEFT, x->rank, &kx)) && !kx && !ky;
}

/* May what has no rule be looped over? Where the host has all of the argument that is up to four times as quick as the
 * calls, but keeps what it gives for all cells, and brings items here that a call would leave on the device; one that
 * calls count as nothing for (ir_lifts) is a test's. */
static bool may_loop(vm *v, const arr *x, const arr *y) {
  enum { MANY = 1 << 20 };
  bool few = y->count <= MANY && !is_nested(y) && !(x && is_nested(x));
  return !y->host || (x && !x->host) || few || ir_lifts(v->g, 1);
}

/* The stretches of `line` as groups. */
static int stretches(lift *l, arr *line, arr *pairs) {
  ir_call at = call_of(l->w.v);
  OWNED arr *all = ir_together(&at, line, pairs);
  OWNED arr *sizes = all ? ir_part_numbers(&at, pairs, PART_LENGTH) : NULL;
  groups *g = sizes ? lift_groups_add(l, sizes) : NULL;
  if (!g || !can_have_frame(all)) return NONE;
  l->groups = g;
  int r = lift_grouped_line(l, arr_retain(all));
  l->groups = NULL;
  return r;
}

/* The items of a, which are those of n cells, or one for all of them; those of one shape as cells if `deep`. */
static int item_values(lift *l, arr *a, int64_t n, bool deep) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  arr *line, *pairs;
  if (a->count != 1 && (a->rank != 1 || a->count != n)) return NONE;
  if (!is_nested(a) && a->count == 1)
    return lift_add(l, lift_reshape(l, a, 0, 0, NULL), 0);
  if (!is_nested(a)) return value_of(l, a, 1);
  OWNED arr *rows = ir_rows(&at, a);
  if (rows && a->count == n) return value_of(l, rows, 1);
  if (a->count == 1) {
    bool simple = ir_host_frame(v->g, a) && !is_nested(arr_item(a, 0));
    return simple ? value_of(l, arr_item(a, 0), 0) : NONE;
  }
  if (ir_stretches(a, &line, &pairs)) return stretches(l, line, pairs);
  if (!a->host || !a->items_on_host) return NONE;
  pairs = NULL;
  OWNED arr *all = NULL;
  if (deep) all = prim_try_cells_of_items(v->c, a, n);
  else if (prim_items_alike(a, true)) all = prim_line_of_items(v->c, a, n, &pairs);
  OWNED arr *where = pairs;
  if (where) return all ? stretches(l, all, where) : NONE;
  return value_of(l, all, 1);
}

/* Has a made items of several axes? */
static bool is_deep(const arr *a) {
  return is_nested(a) && a->count && a->host && a->items_on_host &&
         arr_item(a, 0)->rank > 1;
}

static int apply_items(lift *l, const task *t) {
  int64_t n = t->x->count > t->y->count ? t->x->count : t->y->count;
  value of = {.cls = C_FN, .f = t->f};
  if (n < 2 || !push(l, 1, &n)) return NONE;
  bool deep = is_deep(t->x) || is_deep(t->y);
  int b = item_values(l, t->y, n, deep);
  int a = b == NONE ? NONE : item_values(l, t->x, n, deep);
  int r = a == NONE ? NONE : walk_apply(&l->w, part_of_value(&of), a, b);
  return r == NONE ? NONE : leave(l, r, 0, true);
}

/* f of the cells, or groups, of a task whose values are b and a; *parts: it gave other elements of the parts that there
 * are. */
static int apply_task(lift *l, const task *t, bool *parts) {
  groups *g = t->g;
  bool items = g && g->are_parts;
  int a = NONE, b = NONE;
  l->groups = g;
  if (t->items) return apply_items(l, t);
  if (g) {
    lift_kind kind = g->keys && can_have_frame(g->keys) ? LIFT_ARRAY : LIFT_LAST;
    b = add_kind(l, arr_retain(t->y), 1, LIFT_GROUPS);
    if (g->keys) a = add_kind(l, arr_retain(g->keys), 1, kind);
  } else {
    b = value_of(l, t->y, t->frame);
    a = value_of(l, t->x, t->frame);
  }
  if (t->derived) return derived_rule(&l->w, t->derived, a, b);
  push(l, g ? 1 : t->frame, g ? &g->count : t->y->shape);
  value of = {.cls = C_FN, .f = t->f};
  int r = walk_apply(&l->w, part_of_value(&of), a, b);
  lift_kind kind = r == NONE ? LIFT_ARRAY : (lift_kind)l->at[r].kind;
  *parts = items && kind == LIFT_GROUPS && l->at[r].of == g;
  if (kind == LIFT_LAST && items) return NONE; /* items that are one too deep */
  bool plain = kind == LIFT_ARRAY || (kind == LIFT_MIXED && !cell_rank(&l->at[r]));
  if (!g && !t->x && !plain)
    return NONE; /* of other lengths, or, which items show, classes */
  if (r == NONE || kind == LIFT_LAST || *parts) return r;
  return leave(l, r, 0, items);
}

/* What f⌸ or f¨ makes of that: parts that f changed, or rows, are items of ¨. */
static arr *gathered(vm *v, groups *g, arr *r, bool parts) {
  ir_call call = call_of(v);
  if (parts) return groups_pairs(v, g) ? ir_items(&call, r, g->pairs) : NULL;
  if (!g->are_parts || r->rank < 2) return arr_retain(r);
  return r->rank == 2 ? prim1(v, P_DROP, r) : NULL;
}

/* An attempt. What it drew of random numbers is drawn anew if it fails. */
static arr *attempt(vm *v, const task *t, trial *how) {
  lift l;
  bool parts = false;
  OWNED arr *dummy = arr_int(v->c, 0);
  int64_t n = t->frame ? arr_product(t->frame, t->y->shape) : t->y->count;
  if (t->x && t->x->count > n && !t->frame) n = t->x->count;
  if (!begin(v, &l, dummy, how, t->g ? t->g->count : n)) return NULL;
  uint64_t since = ir_attempt(v->g);
  int r = apply_task(&l, t, &parts);
  how->differ = l.differ;
  how->missed = l.missed;
  bool again = l.rolls > 1 && l.draws != l.drawn_each;
  OWNED arr *all = settle(&l, since, again ? NONE : r);
  arr *made = all && t->g ? gathered(v, t->g, all, parts) : arr_move(&all);
  if (l.rolls && !made) v->random.drawn = l.drawn;
  if (again && r != NONE && !l.draws && !err_is(v->c)) {
    how->draws = l.drawn_each;
    return attempt(v, t, how);
  }
  return made;
}

/* All attempts: as it is; cells whose guards differ apart; with loops over what has no rule, if the task may. */
static arr *tries(vm *v, const task *t, trial *how) {
  arr *r = attempt(v, t, how);
  bool missed = how->missed;
  for (int k = 0; k < 2 && !r && !err_is(v->c); k++) {
    how->split = how->differ;
    how->loops = k;
    if (k ? missed && t->loops : how->differ) r = attempt(v, t, how);
  }
  return r;
}

/* Is x f¨ y of items better than a primitive's calls? These take little time where the host has made all items; and few of
 * long items, which the device has or is to have, leave what is one kernel with what comes after. */
static bool are_for_kernels(vm *v, const fn *f, const arr *x, const arr *y) {
  enum { FEW = 1024 };
  bool made = (!is_nested(x) || (x->host && x->items_on_host)) &&
              (!is_nested(y) || (y->host && y->items_on_host));
  bool few = x->count <= FEW && y->count <= FEW;
  bool of_long = few && (ir_keeps_items(v->g, x) || ir_keeps_items(v->g, y));
  return f->kind != F_PRIM || ir_lifts(v->g, 1) || (!made && !of_long);
}

/* Where scalars have guards that differ, one kernel that computes what each needs comes before all
 * that any needs; their loops are left to calls, which need no arrays for numbers. */
arr *lift_derived(vm *v, uint32_t code, fn *f, arr *k, arr *x, arr *y) {
  if (!ir_lifts(v->g, y->count) && !(x && ir_lifts(v->g, x->count))) return NULL;
  bool items = code == OP_EACH && x && (is_nested(x) || is_nested(y));
  bool scalars = !items && is_of_scalars(v, code, k, x, y);
  if (items && !are_for_kernels(v, f, x, y)) return NULL;
  if (!items && (!is_fit(v, x) || !is_fit(v, y)))
    return scalars && !err_is(v->c) ? map_by_kernel(v, code, f, x, y) : NULL;
  value of = {.cls = C_FN, .f = f}, ranks = {.cls = C_ARR, .a = k};
  part_derived d = {.code = code, .l = part_of_value(&of)};
  if (k) d.r = part_of_value(&ranks);
  trial how = {.alike = scalars};
  task t = {.derived = &d, .f = f, .x = x, .y = y, .items = items};
  t.loops = !scalars && may_loop(v, x, y);
  if (!scalars) return tries(v, &t, &how);
  arr *r = attempt(v, &t, &how);
  if (!r && !err_is(v->c)) r = map_by_kernel(v, code, f, x, y);
  how.alike = false;
  return r || err_is(v->c) || !how.differ ? r : tries(v, &t, &how);
}

static arr *over_cells(vm *v, fn *f, arr *x, arr *y, int frame, bool loops) {
  trial how = {.alike = false};
  task t = {.f = f, .x = x, .y = y, .frame = frame};
  t.loops = loops && may_loop(v, x, y);
  return is_fit(v, y) ? tries(v, &t, &how) : NULL;
}

arr *lift_cells(vm *v, fn *f, arr *x, arr *y, int frame) {
  return over_cells(v, f, x, y, frame, true);
}

arr *lift_rows_each(vm *v, fn *f, arr *y, bool loops) {
  OWNED arr *r = over_cells(v, f, NULL, y, 1, loops);
  return as_items(v, r, 1);
}

/* f of groups that have been put one behind the other. */
static arr *over_sorted(vm *v, const task *t) {
  groups *g = t->g;
  OWNED arr *sorted = groups_pairs(v, g) ? groups_elements(v, g, t->y) : NULL;
  if (!sorted) return NULL;
  groups by = {.n = g->n, .count = g->count, .in_order = true};
  by.keys = g->keys;
  by.sizes = g->sizes;
  by.pairs = g->pairs;
  trial how = {.alike = false};
  task of = {.f = t->f, .y = sorted, .g = &by, .loops = t->loops};
  arr *r = tries(v, &of, &how);
  arr_release(by.of);
  return r;
}

/* On the host long groups are called one by one: of 200 floats each, {⍵[⍋⍵]}⌸ takes 0.3 of the time so, of 2 each 3.5. */
arr *lift_over_groups(vm *v, fn *f, groups *g, arr *y) {
  enum { LONG = 128 };
  trial how = {.alike = false};
  if (!is_fit(v, y) || (g->keys && !ir_settle(v->g, g->keys))) return NULL;
  task t = {.f = f, .y = y, .g = g, .loops = may_loop(v, NULL, y)};
  if (g->in_order) return y->rank == 1 ? tries(v, &t, &how) : NULL;
  arr *r = y->rank == 1 ? attempt(v, &t, &how) : NULL;
  bool is_long = g->cells && y->host && g->n / g->count > LONG;
  return r || err_is(v->c) || is_long ? r : over_sorted(v, &t);
}

arr *lift_over_parts(vm *v, fn *f, arr *y, arr *pairs) {
  ir_call call = call_of(v);
  int64_t least, most;
  if (!ir_lifts(v->g, y->count) || !ir_part_lengths(&call, pairs, &least, &most))
    return NULL;
  OWNED_GROUPS g = {.count = pairs->shape[0], .in_order = true, .are_parts = true};
  g.n = y->count;
  OWNED arr *line = least ? ir_together(&call, y, pairs) : NULL;
  if (line && line->count == y->count) g.pairs = arr_retain(pairs);
  g.sizes = line ? ir_part_numbers(&call, pairs, PART_LENGTH) : NULL;
  return g.sizes && ir_settle(v->g, g.sizes) ? lift_over_groups(v, f, &g, line) : NULL;
}
