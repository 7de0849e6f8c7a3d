/* SPDX-License-Identifier: MIT */
/* lift_select.c - selections that give each cell another length: x/y, ⍸y, ∪y; parts of vectors in
 * cells: b⊂y and b⊆y of truth values, and what is made of them; and selections of cells, by guards that differ.
 *
 *     {(⍵>4)/⍵}⍤1⊢2 3⍴5 1 6 2 8 3       elements 5 6 8, lengths 2 1
 *
 * What is selected lies in one vector, cell by cell, as the elements of groups do that lie in order
 * (lift_groups.c), with a length for each cell. */
#include "../../array/element.h"
#include "../run/primitive.h"
#include "../value/items.h"
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

/* Truth values, or other numbers of copies that are not negative. */
static bool are_copies(lift *l, const lifted *x) {
  ir_call at = call_of(l->w.v);
  int64_t lo, hi;
  if (is_nested(x->a) || is_char(x) || class_of(x) > CLS_I) return false;
  return class_of(x) == CLS_B ||
         (ir_settle(at.g, x->a) && elt_is_int((elt)x->a->type) &&
          ir_bounds(&at, x->a, &lo, &hi) && lo >= 0 && hi < 1 << 20);
}

int lift_compress(lift *l, const lifted *x, const lifted *y) {
  if (cell_rank(x) != 1 || cell_rank(y) != 1 || !are_copies(l, x)) return NONE;
  if (cell_tally(x) != cell_tally(y) || y->a->type == ET_C128) return NONE;
  OWNED arr *line = all_cells(l, y, cell_tally(y));
  return selected(l, x, line);
}

/* ⍳n for each cell. */
static arr *places_in(lift *l, int64_t n) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  at.env.io = 0;
  OWNED arr *count = arr_int(v->c, n), *io = arr_int(v->c, v->sv->io);
  OWNED arr *all = io ? arr_int(v->c, n * l->shape[0]) : NULL;
  OWNED arr *numbers = ir_monadic(&at, P_IOTA, all);
  OWNED arr *places = numbers ? prim2(v, P_RESIDUE, count, numbers) : NULL;
  return prim2(v, P_PLUS, io, places);
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

/* ── parts ──
 *
 *     {⌈/≢¨(' '≠⍵)⊆⍵}⍤1⊢2 6⍴'ab cd efgh '
 *
 *     ab cd efgh   the elements of all parts; their groups (`of`) have 2 2 1 3 of them
 *     3 1          how many parts each cell has: groups of the parts (`in`)
 *     ≢¨           2 2 1 3, which are elements of the groups `in`; ⌈/ of these 2 3 */

static int as_parts(lift *l, arr *line, groups *of, groups *in) {
  int r = of && in ? lift_add(l, arr_retain(line), 1) : NONE;
  if (r == NONE) return r;
  l->at[r].kind = LIFT_PARTS;
  l->at[r].of = of;
  l->at[r].in = in;
  return r;
}

/* Where parts of b⊆y begin: at ones behind no other one of the cell. */
static int begins(lift *l, int x) {
  vm *v = l->w.v;
  OWNED arr *back = arr_int(v->c, -1);
  OWNED arr *before = back ? prim2(v, P_REVERSE, back, value_at(l, x)->a) : NULL;
  int first = lift_both(l, P_EQ, lift_group_numbers(l), lift_of_parts(l, PART_BEGIN, 0));
  int goes_on = lift_both(l, P_GT, lift_grouped_line(l, arr_move(&before)), first);
  return lift_both(l, P_GT, walk_keep(&l->w, x), goes_on);
}

/* How long stretches are that begin at the ones of `begin`, which is one of them. */
static arr *lengths(vm *v, arr *begin) {
  OWNED arr *at = prim1(v, P_WHERE, begin);
  OWNED arr *one = at ? arr_int(v->c, 1) : NULL;
  OWNED arr *end = one ? arr_int(v->c, begin->count + v->sv->io) : NULL;
  OWNED arr *others = end ? prim2(v, P_DROP, one, at) : NULL;
  OWNED arr *next = others ? prim2(v, P_COMMA, others, end) : NULL;
  OWNED arr *r = next ? prim2(v, P_MINUS, next, at) : NULL;
  return r && ir_settle(v->g, r) && r->count ? arr_move(&r) : NULL;
}

/* x⊂y or x⊆y of groups that are the same. */
static int divided(lift *l, prim p, int x, int y) {
  vm *v = l->w.v;
  ir_call at = call_of(v);
  arr *b = value_at(l, x)->a;
  l->groups = value_at(l, x)->of;
  int begin = p == P_NEST ? begins(l, x) : walk_keep(&l->w, x);
  if (begin < 0) return NONE;
  arr *first = value_at(l, begin)->a;
  OWNED arr *keep = p == P_NEST ? arr_retain(b) : lift_group_scan(l, P_OR, b);
  OWNED arr *many = keep ? lift_group_total(l, P_PLUS, first) : NULL;
  OWNED arr *line = many ? ir_replicate(&at, keep, value_at(l, y)->a, 0, false) : NULL;
  OWNED arr *where = line ? ir_replicate(&at, keep, first, 0, false) : NULL;
  OWNED arr *sizes =
      where && ir_settle(at.g, line) && ir_settle(at.g, where) ? lengths(v, where) : NULL;
  walk_drop(&l->w, begin);
  if (!sizes) return NONE;
  groups *of = lift_groups_add(l, sizes), *in = lift_groups_add(l, many);
  return as_parts(l, line, of, in);
}

int lift_parts(lift *l, prim p, int xi, int yi) {
  const lifted *x = value_at(l, xi), *y = value_at(l, yi);
  groups *was = l->groups;
  bool cells = x->kind == LIFT_ARRAY && y->kind == LIFT_ARRAY && cell_rank(x) == 1 &&
               cell_rank(y) == 1 && cell_tally(x) == cell_tally(y);
  bool alike = x->kind == LIFT_GROUPS && y->kind == LIFT_GROUPS && !x->of->empties &&
               (x->of == y->of || lift_same_sizes(l, x->of, y->of));
  if ((!cells && !alike) || l->rank != 1 || is_nested(x->a) || is_nested(y->a))
    return NONE;
  if (is_char(x) || class_of(x) != CLS_B) return NONE;
  int a = lift_as_groups(l, xi), b = a == NONE ? NONE : lift_as_groups(l, yi), r = NONE;
  if (b != NONE) r = divided(l, p, a, b);
  walk_drop(&l->w, a);
  walk_drop(&l->w, b);
  l->groups = was;
  return r;
}

/* ∊ of the parts of each cell. */
static int enlisted(lift *l, const lifted *y) {
  l->groups = y->in;
  OWNED arr *sizes = lift_group_total(l, P_PLUS, y->of->sizes);
  l->groups = sizes ? lift_groups_add(l, sizes) : NULL;
  return l->groups ? lift_grouped_line(l, arr_retain(y->a)) : NONE;
}

/* ⊃ of them, where each cell has some. */
static int first_part(lift *l, const lifted *y) {
  vm *v = l->w.v;
  if (y->in->empties) return NONE;
  l->groups = y->in;
  int number = lift_of_parts(l, PART_BEGIN, 0);
  l->groups = y->of;
  int begin = lift_of_parts(l, PART_BEGIN, 0);
  if (number == NONE || begin == NONE) return NONE;
  arr *at = value_at(l, number)->a;
  OWNED arr *sizes = cells_at(v, y->of->sizes, at);
  int from = lift_add(l, cells_at(v, value_at(l, begin)->a, at), 1);
  walk_drop(&l->w, number);
  walk_drop(&l->w, begin);
  l->groups = sizes ? lift_groups_add(l, sizes) : NULL;
  if (!l->groups) return NONE;
  int place = lift_both(l, P_PLUS, from, lift_own_numbers(l, 0));
  arr *line = place == NONE ? NULL : cells_at(v, y->a, value_at(l, place)->a);
  walk_drop(&l->w, place);
  return lift_grouped_line(l, line);
}

int lift_of_cells_parts(lift *l, prim p, int yi) {
  const lifted *y = value_at(l, yi);
  groups *was = l->groups;
  int r = NONE;
  if (p == P_LEFT || p == P_RIGHT) return walk_keep(&l->w, yi);
  if (p == P_TALLY) return lift_add(l, arr_retain(y->in->sizes), 1);
  if (p == P_MEMBER && l->w.v->sv->ml) r = enlisted(l, y);
  if (p == P_PICK && l->w.v->sv->ml < 2) r = first_part(l, y);
  l->groups = was;
  return r;
}

/* What a function of primitives gave for each part: numbers are elements of the cells again. */
static int each_left(lift *l, int xi, const lifted *parts) {
  const lifted *x = value_at(l, xi);
  bool same =
      x->kind == LIFT_GROUPS && x->a->rank == 1 && x->of->count == parts->of->count;
  if (same) return as_parts(l, x->a, x->of, parts->in);
  if (x->kind != LIFT_ARRAY || x->frame != 1 || cell_rank(x) || x->a->type == ET_C128)
    return NONE;
  l->groups = parts->in;
  return lift_grouped_line(l, arr_retain(x->a));
}

int lift_each_part(walk *w, const part_derived *f, int yi) {
  lift *l = lift_of(w);
  const lifted y = *value_at(l, yi);
  groups *was = l->groups;
  int64_t count = l->shape[0];
  const value *g = part_value(&f->l);
  lift_scope own = {l->scope, groups_of(l->w.v, y.in)};
  bool fills =
      y.in->empties && !(g && lift_is_of_primitives(g)); /* f is called with one */
  if (!own.at || fills) return NONE;
  l->groups = y.of;
  l->scope = &own;
  l->shape[0] = y.of->count;
  int all = lift_grouped_line(l, arr_retain(y.a)), r = NONE;
  int each = all == NONE ? NONE : walk_apply(w, f->l, NONE, all);
  if (each != NONE) r = each_left(l, each, &y);
  walk_drop(w, each);
  walk_drop(w, all);
  l->shape[0] = count;
  l->scope = own.outer;
  if (r != NONE) l->at[r].scope = own.outer;
  l->groups = was;
  return r;
}

/* ── cells ──
 *
 *     {1=≢⍵:⍵ ⋄ ∇1↓⍵}¨     guard 0 1 0     yes: cell 1 ─┐
 *                                          no: cells 0 2 ─┴▶ results 1 0 2, of cells 0 1 2
 *
 * The cells of each side of a guard go through it on their own. So no side meets an argument that is not its own, and a
 * function that calls itself ends, when no cell goes on. A side is a scope: what names have from outside of it is
 * brought to its cells where it is asked for. */

/* x of the cells of the scope s, which lies directly within x's; given up is nothing. */
static int within(lift *l, int xi, const lift_scope *s) {
  vm *v = l->w.v;
  const lifted *x = value_at(l, xi);
  lift_kind kind = (lift_kind)x->kind;
  if (kind == LIFT_GROUPS) return lift_groups_at(l, xi, s->at);
  if (kind == LIFT_SOME || kind == LIFT_PARTS) return NONE;
  OWNED arr *a = cells_at(v, x->a, s->at);
  if (kind == LIFT_LAST) return lift_last(l, arr_move(&a));
  if (kind == LIFT_CELLS) { /* which are no items any more if they are alike now */
    bool held = a && ir_host(v->g, a) && is_nested(a);
    return held ? lift_add_cells(l, arr_move(&a)) : NONE;
  }
  int r = lift_add(l, arr_move(&a), 1);
  if (r != NONE) l->at[r].kind = (uint8_t)kind;
  return r;
}

int lift_in_scope(lift *l, int xi) {
  const lifted *x = value_at(l, xi);
  const lift_scope *to = l->scope;
  if (!x->frame || x->scope == to) return xi;
  const lift_scope *s = to;
  while (s && s->outer != x->scope) s = s->outer;
  if (!s || x->kind == LIFT_MIXED) return NONE;
  int r = within(l, xi, s);
  if (r == NONE) return r;
  l->at[r].scope = s;
  int inner = lift_in_scope(l, r);
  if (inner != r) walk_drop(&l->w, r);
  return inner;
}

static arr *ones(vm *v, arr *c) {
  ir_call at = call_of(v);
  at.env.io = 0;
  OWNED arr *r = c ? ir_monadic(&at, P_WHERE, c) : NULL;
  return r && ir_settle(v->g, r) ? arr_move(&r) : NULL;
}

/* What statement i gives, if `yes`, or those behind it, for the cells at `own`: the names keep what they had. A value
 * of the scope that ends. */
static int side(walk *w, walk_frame *at, uint32_t i, bool yes, const lift_scope *s) {
  lift *l = lift_of(w);
  int local[WALK_LOCALS];
  int64_t all = l->shape[0];
  for (int k = 0; k < WALK_LOCALS; k++) {
    local[k] = at->local[k];
    if (local[k] != NONE) l->at[local[k]].refs++;
  }
  if (s->at->count < all) {
    l->scope = s;
    l->shape[0] = s->at->count;
  }
  int r = yes ? walk_shown(w, at, at->e->body->node->kid[i]->kid[1])
              : walk_statements(w, at, i + 1);
  int own = r == NONE ? NONE : lift_unfold(l, r);
  walk_drop(w, r);
  /* A value for all cells is one for each, so that it can go beside another one. */
  const lifted *x = own == NONE ? NULL : value_at(l, own);
  if (x && x->kind == LIFT_ARRAY && !x->frame && s->at->count < all) {
    int each = lift_add(l, lift_align(l, x, 1, cell_rank(x), cell_shape(x)), 1);
    walk_drop(w, own);
    own = each;
  }
  for (int k = 0; k < WALK_LOCALS; k++) {
    walk_drop(w, at->local[k]);
    at->local[k] = local[k];
  }
  return own;
}

/* The results of the sides, of scopes within l's, at `place` among both. */
static int merged(lift *l, int yes, int no, arr *place) {
  const lifted *x = value_at(l, yes), *y = value_at(l, no);
  bool arrays = x->kind == LIFT_ARRAY && y->kind == LIFT_ARRAY && same_cells(x, y);
  if (!arrays) return lift_groups_beside(l, yes, no, place);
  if (!lift_go_together(x, y)) return NONE;
  ir_call at = call_of(l->w.v);
  at.env.io = 0;
  OWNED arr *first = arr_int(at.env.c, 0);
  OWNED arr *both = first ? prim2(l->w.v, P_COMMA1, x->a, y->a) : NULL;
  return both ? lift_add(l, cells_at(l->w.v, both, place), 1) : NONE;
}

/* Where the cells that are at `yes` and then `no` are among both, in their order. */
static arr *places(vm *v, arr *yes, arr *no) {
  OWNED arr *both = prim2(v, P_COMMA, yes, no);
  ir_call at = call_of(v);
  at.env.io = 0;
  return both ? ir_monadic(&at, P_UP, both) : NULL;
}

int lift_split(walk *w, walk_frame *at, uint32_t i, int ci) {
  lift *l = lift_of(w);
  vm *v = w->v;
  const lifted *c = value_at(l, ci);
  bool fit =
      l->rank == 1 && c->kind == LIFT_ARRAY && c->a->type == ET_BIT && !cell_rank(c);
  if (!fit || l->splits <= 0 || interrupted(v->c)) return NONE;
  l->splits--;
  OWNED arr *not = prim1(v, P_NOT, c->a), *yes = ones(v, c->a), *no = ones(v, not );
  if (!yes || !no) return NONE;
  const lift_scope *was = l->scope, of_yes = {was, yes}, of_no = {was, no};
  int64_t all = l->shape[0];
  int a = NONE, b = NONE, r = NONE;
  if (yes->count) a = side(w, at, i, true, &of_yes);
  l->scope = was;
  l->shape[0] = all;
  if (!yes->count || (a != NONE && no->count)) b = side(w, at, i, false, &of_no);
  l->scope = was;
  l->shape[0] = all;
  if (a != NONE) l->at[a].scope = was;
  if (b != NONE) l->at[b].scope = was;
  if (!no->count) return a;
  if (!yes->count) return b;
  OWNED arr *place = a != NONE && b != NONE ? places(v, yes, no) : NULL;
  if (place) r = merged(l, a, b, place);
  walk_drop(w, a);
  walk_drop(w, b);
  return r;
}

/* ── floats in some cells, integers in others ──
 *
 *     {0=≢⍵:0 ⋄ (+/⍵)÷≢⍵}¨b⊂x
 *
 * The array of all results has floats if one of them does; and where a function makes floats of integers, too, it
 * makes the same of them as of the floats that they become. */

/* As floats. */
static int as_floats(lift *l, int i) {
  const lifted *x = value_at(l, i);
  bool ours = x->kind == LIFT_MIXED || x->kind == LIFT_ARRAY;
  if (!ours || is_nested(x->a) || class_of(x) > CLS_F || is_char(x) || is_f32(x))
    return NONE;
  if (x->kind == LIFT_MIXED || class_of(x) == CLS_F)
    return lift_add(l, arr_retain(x->a), x->frame);
  OWNED arr *zero = arr_float(l->w.v->c, 0);
  return zero ? lift_add(l, prim2(l->w.v, P_PLUS, x->a, zero), x->frame) : NONE;
}

static int are_floats(lift *l, int i) {
  const lifted *x = value_at(l, i);
  if (x->kind == LIFT_MIXED) return walk_keep(&l->w, x->real);
  return lift_number(l, class_of(x) == CLS_F);
}

/* Takes both over. */
static int mixed(lift *l, int r, int real) {
  if (r != NONE && real != NONE) {
    l->at[r].kind = LIFT_MIXED;
    l->at[r].real = real;
    return r;
  }
  walk_drop(&l->w, r);
  walk_drop(&l->w, real);
  return NONE;
}

int lift_select_mixed(walk *w, int c, int yes, int no) {
  lift *l = lift_of(w);
  int of[] = {as_floats(l, yes), as_floats(l, no), are_floats(l, yes), are_floats(l, no)};
  bool fit = of[0] != NONE && of[1] != NONE && of[2] != NONE && of[3] != NONE;
  int r = fit ? lift_select(w, c, of[0], of[1]) : NONE;
  if (r != NONE) r = mixed(l, r, lift_select(w, c, of[2], of[3]));
  for (int k = 0; k < 4; k++) walk_drop(w, of[k]);
  return r;
}

int lift_mixed_scalar(lift *l, prim p, int xi, int yi) {
  bool dyadic = xi != NONE, fit = prim_is_scalar(p, dyadic);
  const lifted *other = value_at(l, is_mixed(l, yi) && dyadic ? xi : yi);
  bool floats = other->kind == LIFT_ARRAY && class_of(other) == CLS_F;
  for (cls c = CLS_B; fit && !floats && c <= CLS_I; c++)
    fit = prim_row_of(p, dyadic, c) == CLS_F;
  int x = fit && dyadic ? as_floats(l, xi) : NONE, y = fit ? as_floats(l, yi) : NONE;
  int r = NONE;
  if (y != NONE && (x != NONE || !dyadic))
    r = lift_scalar(l, p, dyadic ? value_at(l, x) : NULL, value_at(l, y));
  walk_drop(&l->w, x);
  walk_drop(&l->w, y);
  return r;
}

int lift_mixed_fold(walk *w, const part_derived *f, int yi) {
  lift *l = lift_of(w);
  prim p = part_prim(&f->l);
  bool folds = f->code == OP_REDUCE || f->code == OP_REDUCE1;
  if (!folds || (p != P_CEIL && p != P_FLOOR)) return NONE;
  int all = as_floats(l, yi), r = all == NONE ? NONE : lift_fold(w, f, all);
  walk_drop(w, all);
  return r == NONE ? NONE : mixed(l, r, walk_keep(w, value_at(l, yi)->real));
}

/* Floats that were integers; NULL: so large that they may have been others. */
static arr *as_integers(lift *l, arr *a) {
  const int64_t most = (int64_t)1 << 53;
  ir_call at = call_of(l->w.v);
  int64_t lo, hi;
  OWNED arr *r = prim1(l->w.v, P_FLOOR, a);
  bool fit = r && ir_settle(at.g, r) && elt_is_int((elt)r->type) &&
             ir_extremes(&at, r, &lo, &hi) && lo > -most && hi < most;
  return fit ? arr_move(&r) : NULL;
}

int lift_leave_mixed(lift *l, int xi, int rank) {
  const lifted *x = value_at(l, xi);
  const lifted *is = value_at(l, x->real);
  int64_t n = arr_product(l->rank - rank, l->shape + rank);
  OWNED arr *each = lift_align(l, is, l->rank, 0, NULL);
  OWNED arr *line = each ? lift_reshape(l, each, rank, 1, &n) : NULL;
  OWNED arr *any = line ? lift_reduce_last(l, P_OR, line) : NULL;
  OWNED arr *all = any ? lift_align(l, x, l->rank, cell_rank(x), cell_shape(x)) : NULL;
  if (!all) return NONE;
  if (rank)
    return mixed(l, lift_add(l, arr_move(&all), rank), lift_add(l, arr_move(&any), rank));
  if (!ir_host(l->w.v->g, any)) return NONE;
  return lift_add(l, arr_get_int(any, 0) ? arr_move(&all) : as_integers(l, all), 0);
}
