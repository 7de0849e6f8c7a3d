/* SPDX-License-Identifier: MIT */
/* rank.c - f⍤k: f applied to cells of given ranks, and f⍤g, which is f g y.
 *
 * A scalar primitive on simple arrays, and a reduction of one, is applied to the whole
 * arguments at once: the graph repeats what the frames repeat. Everything else is called
 * cell by cell. */
#include "../run/primitive.h"
#include "../value/items.h"
#include "cells.h"
#include "../../tables/fast.h"
#include "oper.h"

/* The arguments of f⍤k and how they are cut. */
typedef struct ranked {
  arr *x, *y;           /* x may be NULL */
  int cell_x, cell_y;   /* the ranks of their cells */
  int frame_x, frame_y; /* … and of their frames */
  const arr *like;      /* has the larger frame */
  int frame;            /* its rank */
  const arr *wide;      /* has the cells of higher rank */
  int cell;             /* their rank */
} ranked;

static bool cut_arguments(vm *v, arr *k, ranked *a) {
  if (!cells_rank(v, k, a->x ? RANK_RIGHT : RANK_MONADIC, a->y->rank, &a->cell_y))
    return false;
  a->frame = a->frame_y = a->y->rank - a->cell_y;
  a->like = a->wide = a->y;
  a->cell = a->cell_y;
  if (!a->x) return true;
  if (!cells_rank(v, k, RANK_LEFT, a->x->rank, &a->cell_x)) return false;
  a->frame_x = a->x->rank - a->cell_x;
  if (a->frame_x > a->frame_y) {
    a->frame = a->frame_x;
    a->like = a->x;
  }
  if (a->cell_x > a->cell_y) {
    a->cell = a->cell_x;
    a->wide = a->x;
  }
  if (!a->frame_x || !a->frame_y) return true;
  if (a->frame_x != a->frame_y)
    return err_set(v->c, ERR_RANK, "the frames of the arguments differ");
  for (int i = 0; i < a->frame; i++)
    if (a->x->shape[i] != a->y->shape[i])
      return err_set(v->c, ERR_LENGTH, "the frames of the arguments differ");
  return true;
}

/* ── whole arguments at once ────────────────────────────────────────────────────────── */

/* An argument whose cells have rank `cell`, as an array of the result's shape. */
static arr *spread_cells(vm *v, arr *a, int cell, int frame, int rank,
                         const int64_t *shape) {
  int k[ARR_MAX_RANK], own = a->rank - cell;
  /* A scalar stays one number: f32 beside one is f32. */
  if (a->rank == rank || !a->rank) return arr_retain(a);
  for (int i = 0; i < own; i++) k[i] = i;
  for (int i = own; i < a->rank; i++) k[i] = frame + i - own;
  ir_call at = call_of(v);
  return ir_spread(&at, a, rank, shape, k);
}

/* x p⍤k y of a scalar function whose cells agree, or are scalars on one side. */
static arr *rank_scalar(vm *v, prim p, const ranked *a) {
  int64_t shape[ARR_MAX_RANK];
  int rank = a->frame + a->cell, leading = a->wide->rank - a->cell;
  for (int i = 0; i < a->frame; i++) shape[i] = a->like->shape[i];
  for (int i = 0; i < a->cell; i++) shape[a->frame + i] = a->wide->shape[leading + i];
  OWNED arr *x = spread_cells(v, a->x, a->cell_x, a->frame, rank, shape);
  if (!x) return NULL;
  OWNED arr *y = spread_cells(v, a->y, a->cell_y, a->frame, rank, shape);
  return prim2(v, p, x, y);
}

/* Have the cells one shape, or are those of one side scalars? */
static bool cells_agree(const ranked *a) {
  int n = a->cell_y;
  if (!a->cell_x || !n) return true;
  if (a->cell_x != n) return false;
  for (int i = 1; i <= n; i++)
    if (a->x->shape[a->x->rank - i] != a->y->shape[a->y->rank - i]) return false;
  return true;
}

static bool has_simple_elements(const arr *a) { return !is_nested(a) && a->count; }

/* f32 beside one number is f32, beside an array of f64 is f64: is it one in the cells as it is in all? */
static bool widths_agree(const ranked *a) {
  bool y32 = a->y->type == ET_F32;
  const arr *wide = y32 ? a->x : a->y;
  int cell = y32 ? a->cell_x : a->cell_y;
  if (y32 == (a->x->type == ET_F32) || wide->type != ET_F64 || wide->count == 1)
    return true;
  return arr_product(cell, wide->shape + wide->rank - cell) > 1;
}

/* Is f a scalar primitive that fits all of x and y? */
static bool is_scalar_on(const fn *f, const ranked *a) {
  if (!fn_is_scalar(f, a->x != NULL)) return false;
  if (!a->x) return true;
  return cells_agree(a) && a->frame + a->cell <= ARR_MAX_RANK && widths_agree(a);
}

/* Is f g/ or g⌿ of a scalar primitive g, on cells that have an axis? */
static bool is_reduction_on(const fn *f, const ranked *a) {
  const fn *g = a->x || !a->cell_y || is_scan(f->code) ? NULL : fn_folded(f);
  return g && fn_is_scalar(g, true);
}

arr *rank_call(vm *v, fn *f, arr *k, arr *x, arr *y) {
  ranked a = {.x = x, .y = y};
  if (!cut_arguments(v, k, &a)) return NULL;
  if (has_simple_elements(y) && (!x || has_simple_elements(x))) {
    if (is_scalar_on(f, &a))
      return x ? rank_scalar(v, (prim)f->prim, &a) : prim1(v, (prim)f->prim, y);
    if (is_reduction_on(f, &a))
      return reduce_with(v, f->l.f, y,
                         f->code == OP_REDUCE ? y->rank - 1 : y->rank - a.cell_y);
  }
  if (fn_is(f, P_ENCLOSE) && !x && y->rank == 2 && a.cell_y == 1)
    return prim1(v, P_DROP, y);
  arr *r = NULL;
#define FAST_DERIVED(way) FAST_FIRST(r, v->c, way(v, OP_RANK, f, k, x, y))
#include "../../tables/fast.def"
  if (r || err_is(v->c)) return r;
  if (!ir_host(v->g, y) || (x && !ir_host(v->g, x))) return NULL;
  OWNED_CELLS ys = cells_of_rank(y, a.cell_y);
  OWNED_CELLS xs = x ? cells_of_rank(x, a.cell_x) : ys;
  OWNED_RESULTS all = results_open(v, a.frame, a.like->shape);
  if (!call_cells(v, f, x ? &xs : NULL, &ys, &all)) return NULL;
  return results_mix(&all);
}

bool oper_rank(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (f->r.cls == C_FN) return call_on(v, f->l.f, NULL, call2(v, f->r.f, x, y), r);
  return give_result(r, rank_call(v, f->l.f, f->r.a, x, y));
}
