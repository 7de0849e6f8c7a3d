/* SPDX-License-Identifier: MIT */
/* each.c - f¨ y and x f¨ y, and the loop that calls a function for every pair of cells.
 *
 * TRIED: primitives on short items without asking the graph: 1.0 to 1.2. */
#include "../run/primitive.h"
#include "../../base/arith.h"
#include "../value/items.h"
#include "cells.h"
#include "oper.h"
#include "../../tables/fast.h"

/* For an empty frame. */
static bool call_fills(vm *v, fn *f, cells *x, cells *y, results *to) {
  arr *last = cells_fills(v, y), *first = x && last ? cells_fills(v, x) : NULL;
  if (!last || (x && !first)) return false;
  OWNED arr *b = fills_for(v, f, x, last);
  OWNED arr *a = x && b ? fills_for(v, f, x, first) : NULL;
  if (!b || (x && !a)) return false;
  return results_add(to, call2(v, f, a, b)) && ir_host(v->g, to->at[0]);
}

/* A call gave no result: then none of them may. */
static bool add_none(vm *v, results *to) {
  if (!to->may_be_none || to->n) return no_result(v);
  to->none = true;
  return !interrupted(v->c);
}

/* x f y of the next cells, f being a dfn. */
static bool call_next_dfn(vm *v, fn *f, cells *x, cells *y, value *r) {
  OWNED_VALUE value b = cells_value(v, y);
  OWNED_VALUE value a = {0};
  if (b.cls && x) a = cells_value(v, x);
  if (!b.cls || (x && !a.cls)) return false;
  pending_call p = {fn_retain(f), value_move(&a), value_move(&b)};
  return call_value(v, &p, r);
}

/* The same of any function. */
static bool call_next(vm *v, fn *f, cells *x, cells *y, value *r) {
  if (is_dfn(f)) return call_next_dfn(v, f, x, y, r);
  arr *b = cells_next(v, y), *a = NULL, *got = NULL;
  if (b && x) a = cells_next(v, x);
  bool ok = b && (a || !x) && call(v, f, a, b, &got);
  *r = value_arr(got);
  return ok;
}

static bool call_each(vm *v, fn *f, cells *x, cells *y, results *to, bool shown) {
  bool items = fn_is(f, P_COMMA) || fn_is(f, P_COMMA1); /* every result is one */
  if (items && !arr_items_fit(v->c, to->want)) return false;
  for (int64_t i = 0; i < to->want; i++) {
    value r;
    share_is(v->c, shown, i);
    if (!call_next(v, f, x, y, &r)) return false;
    if (!r.cls) {
      if (!add_none(v, to)) return false;
    } else if (!results_put(to, r)) return false;
    if (to->none && to->n) return no_result(v);
  }
  return to->at;
}

bool call_cells(vm *v, fn *f, cells *x, cells *y, results *to) {
  if (to->of_fills && to->want) return call_fills(v, f, x, y, to);
  ir_step_calls(v->g, to->want, v->unlifted);
  bool shown = share_begins(v->c, to->want);
  bool ok = call_each(v, f, x, y, to, shown);
  share_ends(v->c, shown);
  return ok;
}

/* ── ¨ ──────────────────────────────────────────────────────────────────────────────── */

static bool shapes_agree(vm *v, const arr *x, const arr *y) {
  if (arr_same_shape(x, y)) return true;
  if (x->rank != y->rank) return err_set(v->c, ERR_RANK, "the arguments' ranks differ");
  return err_set(v->c, ERR_LENGTH, "the arguments' lengths differ");
}

/* f is a primitive whose results need no calls. Returns NULL, with no error, if not applicable. */
static arr *each_at_once(vm *v, const fn *f, arr *x, const arr *y, const arr *like) {
  if (f->kind != F_PRIM || !like->count || v->sv->ml != 1) return NULL;
  if (v->spaces && fn_is(f, P_SQUAD)) return NULL; /* of references (run/member.h) */
  if (ir_keeps_items(v->g, y) || (x && ir_keeps_items(v->g, x))) return NULL;
  prim_env pe = env_of(v);
  arr *r = NULL;
#define FAST_EACH(way) FAST_FIRST(r, v->c, way(&pe, (prim)f->prim, x, y, like))
#include "../../tables/fast.def"
  if (r) v->c->limit.steps += (uint64_t)like->count;
  v->shy = false;
  return r;
}

/* x f¨ y, or f¨ y if x is NULL; *r NULL if f gives no results. */
static bool each(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (fn_is_scalar(f, x != NULL) && !is_nested(y) && !(x && is_nested(x)))
    return give_result(r, prim_call(v, (prim)f->prim, x, y));
#define FAST_SEGMENTS(way)                                                               \
  if (!x) FAST_FIRST(*r, v->c, way(v, f, y))
#define FAST_DERIVED(way) FAST_FIRST(*r, v->c, way(v, OP_EACH, f, NULL, x, y))
#include "../../tables/fast.def"
  if (*r || err_is(v->c)) return *r != NULL;
  if ((x && !ir_host_frame(v->g, x)) || !ir_host_frame(v->g, y)) return false;
  const arr *like = y; /* a single item goes with every item of the other argument */
  if (x && x->count == 1 && (y->count != 1 || y->rank >= x->rank)) like = y;
  else if (x && y->count == 1) like = x;
  else if (x && !shapes_agree(v, x, y)) return false;
  *r = each_at_once(v, f, x, y, like);
  if (*r || err_is(v->c)) return *r != NULL;
  OWNED_CELLS ys = cells_items(y);
  OWNED_CELLS xs = cells_items(x ? x : y);
  OWNED_RESULTS all = results_open(v, like->rank, like->shape);
  all.may_be_none = true;
  if (!call_cells(v, f, x ? &xs : NULL, &ys, &all)) return false;
  return all.none || give_result(r, results_array(&all));
}

bool oper_each(vm *v, fn *f, arr *x, arr *y, arr **r) { return each(v, f->l.f, x, y, r); }

arr *each_call(vm *v, fn *f, arr *x, arr *y) {
  arr *r;
  if (each(v, f, x, y, &r) && !r) no_result(v);
  return r;
}
