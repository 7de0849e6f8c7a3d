/* SPDX-License-Identifier: MIT */
/* lift_loop.c - what no rule does to all cells at once: that one step is applied cell by cell, and
 * what stands before and behind it stays lifted.
 *
 *     {⍵⍳⌈/⍵}⍤1⊢m        ⌈/ of all rows ─┐
 *                        m ──────────────┴▶ row ⍳ number, row by row ─▶ a number for each
 *
 * The arguments come to the host once, whole. Results that are alike are one array again
 * (LIFT_ARRAY); others stay arrays, one for each cell (LIFT_CELLS), which is what loops take. Only
 * what has no effect is looped here: primitives, indices, strands, and what operators make of
 * primitives. */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../bind/bind.h"
#include "../run/call.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "../value/sysname.h"
#include "cells.h"
#include "groups.h"
#include "lift_value.h"
#include "oper.h"

#include <stdio.h>
#include <string.h>

/* ── the cells of a value ── */

typedef struct side { /* one argument of the step */
  cells c;
  arr *all; /* owned: elements by groups */
} side;

static arr *make_held(vm *v, const cells *c, int64_t i) {
  UNUSED(v);
  return arr_retain(arr_item(c->of, i));
}

static arr *make_group(vm *v, const cells *c, int64_t i) {
  return groups_part(v, c->of, c->how, i);
}

static bool open_groups(lift *l, const lifted *x, side *s) {
  vm *v = l->w.v;
  arr *pairs = groups_pairs(v, x->of);
  s->all = pairs ? groups_elements(v, x->of, x->a) : NULL;
  if (!s->all || !ir_host(v->g, s->all) || !ir_host(v->g, pairs)) return false;
  int64_t n = x->of->count;
  s->c = (cells){.make = make_group, .of = s->all, .how = pairs, .count = n, .repeat = 1};
  return true;
}

/* x cut into the cells of the first `frame` axes of the frame. */
static bool side_open(lift *l, const lifted *x, int frame, side *s) {
  if (x->kind == LIFT_GROUPS) return open_groups(l, x, s);
  if (x->kind == LIFT_CELLS) {
    s->c = (cells){.make = make_held, .of = x->a, .count = x->a->count};
  } else if (x->kind != LIFT_ARRAY || !ir_host(l->w.v->g, x->a)) return false;
  else if (x->frame) s->c = cells_of_rank(x->a, cell_rank(x));
  else s->c = (cells){.now = arr_retain(x->a), .left = INT64_MAX};
  s->c.repeat = arr_product(frame - x->frame, l->shape + x->frame);
  return true;
}

static void side_close(side *s) {
  cells_close(&s->c);
  arr_release(s->all);
}

/* ── results ── */

/* Do x and y go side by side in an array that has the classes of both? */
static bool are_alike(const arr *x, const arr *y) {
  elt s = (elt)x->type, t = (elt)y->type;
  if (!y->host || s == ET_NEST || t == ET_NEST || !arr_same_shape(x, y)) return false;
  if (elt_is_char(s) || elt_is_char(t)) return elt_is_char(s) && elt_is_char(t);
  return s == t || (elt_is_int(s) && elt_is_int(t));
}

/* The cells in one array, whose frame is that of `all`; NULL without an error: they are not alike. */
static arr *side_by_side(vm *v, const arr *all) {
  const arr *first = arr_item(all, 0);
  int64_t shape[ARR_MAX_RANK], n = first->count;
  elt t = (elt)first->type;
  int rank = all->rank + first->rank;
  if (!n || rank > ARR_MAX_RANK || !first->host) return NULL;
  for (int64_t i = 0; i < all->count; i++) {
    if (stops_at(v->c, i)) return NULL;
    if (!are_alike(first, arr_item(all, i))) return NULL;
    t = elt_join(t, (elt)arr_item(all, i)->type);
  }
  for (int k = 0; k < all->rank; k++) shape[k] = all->shape[k];
  for (int k = 0; k < first->rank; k++) shape[all->rank + k] = first->shape[k];
  arr *r = arr_new(v->c, t, rank, shape);
  for (int64_t i = 0; r && i < all->count; i++)
    arr_copy(r, i * n, arr_item(all, i), 0, n);
  return r;
}

/* Takes over the results of the cells. */
static int gather(lift *l, arr *all) {
  OWNED arr *held = all;
  arr *r = side_by_side(l->w.v, all);
  if (r) return lift_add(l, r, all->rank);
  if (err_is(l->w.v->c)) return NONE;
  return lift_add_cells(l, arr_move(&held));
}

/* ── the loop ── */

typedef arr *(*cell_step)(vm *v, const void *how, int n, arr *const *at);

static arr *each_cell(lift *l, cell_step f, const void *how, int n, side *s, int frame) {
  vm *v = l->w.v;
  OWNED arr *all = arr_new(v->c, ET_NEST, frame, l->shape);
  for (int64_t i = 0; all && i < all->count; i++) {
    arr *at[ARR_MAX_RANK + 2] = {NULL}, *r = NULL;
    bool ok = !interrupted(v->c);
    for (int k = 0; ok && k < n; k++)
      if (s[k].c.left || s[k].c.make) ok = (at[k] = cells_next(v, &s[k].c)) != NULL;
    if (ok) r = f(v, how, n, at);
    ((arr **)all->host)[i] = r;
    if (!r || !ir_host(v->g, r)) return NULL;
  }
  v->c->limit.steps += (uint64_t)(all ? all->count : 0);
  return arr_move(&all);
}

/* f of the cells of n values, of which those that are NONE are not there. */
static int looped(walk *w, const char *name, cell_step f, const void *how, int n,
                  const int *x) {
  lift *l = lift_of(w);
  side s[ARR_MAX_RANK + 2] = {0};
  int frame = 0;
  bool ok = true;
  l->missed = true;
  if (!l->loops || err_is(w->v->c)) return NONE;
  for (int k = 0; k < n; k++)
    if (x[k] != NONE && value_at(l, x[k])->frame > frame)
      frame = value_at(l, x[k])->frame;
  if (!frame) return NONE;
  for (int k = 0; ok && k < n; k++)
    if (x[k] != NONE) ok = side_open(l, value_at(l, x[k]), frame, &s[k]);
  ir_step told;
  ir_step_begin(w->v->g, &told);
  arr *all = ok ? each_cell(l, f, how, n, s, frame) : NULL;
  if (told.on && all) told.elements = all->count;
  if (ir_step_end(w->v->g, &told) && all) {
    char why[64];
    snprintf(why, sizeof why, "%lld calls of it, cell by cell", (long long)all->count);
    ir_step_tell(w->v->g, &told, name, why);
  }
  for (int k = 0; k < n; k++) side_close(&s[k]);
  return all ? gather(l, all) : NONE;
}

/* ── what is looped ── */

/* At once, whatever its length: a node would be a kernel for each cell. */
static arr *primitive_step(vm *v, const void *how, int n, arr *const *at) {
  prim p = *(const prim *)how;
  prim_env pe = env_of(v);
  UNUSED(n);
  if (v->sv->ml != 1 || p == P_ROLL) return prim_call(v, p, at[0], at[1]);
  if (!ir_host(v->g, at[1]) || (at[0] && !ir_host(v->g, at[0]))) return NULL;
  return at[0] ? prim_dyadic(&pe, p, at[0], at[1]) : prim_monadic(&pe, p, at[1]);
}

int lift_loop_primitive(walk *w, prim p, int x, int y) {
  if (!prim_has(p, x != NONE)) return NONE;
  return looped(w, prim_table[p].glyph, primitive_step, &p, 2, (int[]){x, y});
}

static arr *index_step(vm *v, const void *how, int n, arr *const *at) {
  UNUSED(how);
  return index_of(v, at[0], n - 1, at + 1);
}

int lift_loop_index(walk *w, int y, int n, const int *at) {
  int all[ARR_MAX_RANK + 1] = {y};
  for (int k = 0; k < n; k++) all[k + 1] = at[k];
  return looped(w, "[ ]", index_step, NULL, n + 1, all);
}

static arr *put_step(vm *v, const void *how, int n, arr *const *at) {
  arr *ix[ARR_MAX_RANK] = {NULL};
  UNUSED(how);
  for (int k = 0; k < n - 2; k++) ix[k] = at[k + 2];
  return at_put(v, at[0], n - 2, ix, at[1]);
}

int lift_loop_put(walk *w, int y, int n, const int *at, int v) {
  int all[ARR_MAX_RANK + 2] = {y, v};
  for (int k = 0; k < n; k++) all[k + 2] = at[k];
  return looped(w, "[ ]←", put_step, NULL, n + 2, all);
}

static arr *strand_step(vm *v, const void *how, int n, arr *const *at) {
  arr *item[ARR_MAX_RANK + 1];
  UNUSED(how);
  for (int k = 0; k < n; k++) item[k] = arr_retain(at[k]);
  return items_of(v, n, item);
}

int lift_loop_strand(walk *w, int n, const int *item) {
  return looped(w, "strands", strand_step, NULL, n, item);
}

/* at[1] where at[0] is 1, at[2] where it is 0. */
static arr *select_step(vm *v, const void *how, int n, arr *const *at) {
  UNUSED(v);
  UNUSED(how);
  UNUSED(n);
  if (at[0]->count != 1 || at[0]->type != ET_BIT) return NULL;
  return arr_retain(arr_get_int(at[0], 0) ? at[1] : at[2]);
}

int lift_loop_select(walk *w, int c, int yes, int no) {
  return looped(w, "a guard", select_step, NULL, 3, (int[]){c, yes, no});
}

typedef struct share { /* item i of n of a value for as many names */
  uint32_t i, n;
} share;

static arr *share_step(vm *v, const void *how, int n, arr *const *at) {
  const share *s = how;
  UNUSED(n);
  if (at[0]->rank > 1 || (at[0]->count != 1 && at[0]->count != s->n)) return NULL;
  return item_at(v, at[0], at[0]->count == 1 ? 0 : s->i);
}

int lift_loop_share(walk *w, int x, uint32_t i, uint32_t n) {
  return looped(w, "strands", share_step, &(share){i, n}, 1, &x);
}

static arr *replicate_step(vm *v, const void *how, int n, arr *const *at) {
  UNUSED(n);
  return replicate(v, *(const uint32_t *)how, NULL, at[0], at[1]);
}

int lift_loop_replicate(walk *w, uint32_t code, int x, int y) {
  return looped(w, oper_find(code)->glyph, replicate_step, &code, 2, (int[]){x, y});
}

/* Is it made of primitives alone? Then no call of it has an effect. */
bool lift_is_of_primitives(const value *x) {
  if (x->cls != C_FN) return true;
  const fn *f = x->f;
  switch ((fkind)f->kind) {
  case F_PRIM: return f->prim != P_ROLL;
  case F_REPLICATE: return true;
  case F_DERIVED:
  case F_ATOP:
  case F_FORK:
    return lift_is_of_primitives(&f->l) && lift_is_of_primitives(&f->m) &&
           lift_is_of_primitives(&f->r);
  default: return false;
  }
}

static uint32_t depth_of(const value *x) { return x && x->cls == C_FN ? x->f->depth : 0; }

static arr *function_step(vm *v, const void *how, int n, arr *const *at) {
  fn *f = *(fn *const *)how;
  UNUSED(n);
  return call2(v, f, at[0], at[1]);
}

/* The function that d describes, if its parts are there; NULL without an error: one is not. */
static fn *function_of(vm *v, const part_derived *d) {
  const value *l = part_value(&d->l), *r = part_value(&d->r), *k = part_value(&d->axis);
  bool has_r = d->r.v || d->r.b, has_axis = d->axis.v || d->axis.b;
  if (!l || (has_r && !r) || (has_axis && (!k || (k->cls && k->cls != C_ARR))))
    return NULL;
  if (!lift_is_of_primitives(l) || (r && !lift_is_of_primitives(r))) return NULL;
  if (!derive_takes(v, oper_find(d->code), *l, r ? *r : (value){0})) {
    err_clear(v->c);
    return NULL;
  }
  fn *f = fn_new(v, F_DERIVED, d->code);
  if (!f) return NULL;
  f->l = value_retain(*l);
  if (r) f->r = value_retain(*r);
  if (has_axis && k->cls) f->axis = arr_retain(k->a);
  f->depth = 1 + depth_of(l) + depth_of(r);
  return f;
}

int lift_loop_derived(walk *w, const part_derived *d, int x, int y) {
  OWNED_FN fn *f = lift_of(w)->loops ? function_of(w->v, d) : NULL;
  lift_of(w)->missed = true;
  return f ? looped(w, oper_find(d->code)->glyph, function_step, &f, 2, (int[]){x, y})
           : NONE;
}

/* ⍎ of a text of numbers alone, which has no effect. */
static arr *numbers_step(vm *v, const void *how, int n, arr *const *at) {
  static const char text[] = " ¯.0123456789";
  prim_env pe = env_of(v);
  OWNED arr *known = arr_text(v->c, text, sizeof text - 1);
  OWNED arr *others = known ? prim_dyadic(&pe, P_NOT, at[1], known) : NULL;
  return others && !others->count ? function_step(v, how, n, at) : NULL;
}

/* Of simple characters or numbers, to which x, if there is one, is the same number for all. */
int lift_system(walk *w, fn *f, int x, int y) {
  lift *l = lift_of(w);
  const lifted *of = value_at(l, y), *by = x == NONE ? NULL : value_at(l, x);
  if (x == NONE && !strcmp(sys_name((int)f->code), "⍎")) {
    int r = lift_execute(l, y);
    return r != NONE ? r : looped(w, "⍎", numbers_step, &f, 2, (int[]){x, y});
  }
  bool fit = sys_valence((int)f->code) & SYS_LIFTS && !f->options && !f->space;
  if (!fit || (by && (by->kind != LIFT_ARRAY || by->frame || is_char(by)))) return NONE;
  if ((of->kind != LIFT_ARRAY && of->kind != LIFT_GROUPS) || is_nested(of->a))
    return NONE;
  arr *r = call2(w->v, f, by ? by->a : NULL, of->a);
  if (of->kind == LIFT_ARRAY) return lift_add(l, r, of->frame);
  groups *was = l->groups;
  l->groups = of->of;
  int i = lift_grouped_line(l, r);
  l->groups = was;
  return i;
}
