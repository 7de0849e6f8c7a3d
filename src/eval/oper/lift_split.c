/* SPDX-License-Identifier: MIT */
/* lift_split.c - guards that differ between cells: the cells of each side go through it on their own, and what
 * the sides give goes to where its cells were.
 *
 *     {1=≢⍵:⍵ ⋄ ∇1↓⍵}¨     guard 0 1 0     yes: cell 1 ─┐
 *                                          no: cells 0 2 ─┴▶ results 1 0 2, of cells 0 1 2
 *
 * So no side meets an argument that is not its own, and a function that calls itself ends, when no cell goes on. A
 * side is a scope: what names have from outside of it is brought to its cells where it is asked for. */
#include "../run/primitive.h"
#include "lift_value.h"
#include "oper.h"

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
  if (!s) return NONE;
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
