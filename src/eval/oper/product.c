/* SPDX-License-Identifier: MIT */
/* product.c - x ∘.f y, every item with every item, and x f.g y, f/ of every row of x g with
 * every column of y.
 *
 * With scalar primitives and simple arrays both are the graph's: the outer product of two
 * arrays that it repeats, the inner product as such (ir/build_product.c). Everything else is
 * called for each result. */
#include "../../array/element.h"
#include "../../prim/inner_product.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "cells.h"
#include "../../tables/fast.h"
#include "oper.h"

/* The shape of a product: x's axes, then y's, without those that are summed along. */
typedef struct product {
  int rank;
  int64_t shape[ARR_MAX_RANK];
} product;

/* nx axes of x, y's axes from `skip` on. */
static bool join_shapes(vm *v, product *p, const arr *x, int nx, const arr *y, int skip) {
  p->rank = nx + y->rank - skip;
  if (p->rank > ARR_MAX_RANK)
    return err_set(v->c, ERR_LIMIT, "rank %d is above %d", p->rank, ARR_MAX_RANK);
  for (int k = 0; k < nx; k++) p->shape[k] = x->shape[k];
  for (int k = skip; k < y->rank; k++) p->shape[nx + k - skip] = y->shape[k];
  return true;
}

static bool needs_left(vm *v, const arr *x) {
  if (x) return true;
  return err_set(v->c, ERR_SYNTAX, "the derived function takes a left argument");
}

/* ── outer ──────────────────────────────────────────────────────────────────────────── */

static arr *outer_scalar(vm *v, prim f, arr *x, arr *y, const product *p) {
  if (!x->rank || !y->rank) return prim2(v, f, x, y);
  int k[2 * ARR_MAX_RANK];
  for (int i = 0; i < p->rank; i++) k[i] = i;
  ir_call at = call_of(v);
  arr *r = ir_outer_truths(&at, prim_in_force(v, f, true), x, y);
  if (r || err_is(v->c)) return r;
  OWNED arr *a = ir_spread(&at, x, p->rank, p->shape, k);
  if (!a) return NULL;
  OWNED arr *b = ir_spread(&at, y, p->rank, p->shape, k + x->rank);
  return prim2(v, f, a, b);
}

static arr *outer(vm *v, fn *f, arr *x, arr *y) {
  product p;
  if (!join_shapes(v, &p, x, x->rank, y, 0)) return NULL;
  if (x->count && y->count && fn_is_scalar(f, true))
    return outer_scalar(v, (prim)f->prim, x, y, &p);
  arr *r = NULL;
#define FAST_DERIVED(way) FAST_FIRST(r, v->c, way(v, OP_OUTER, f, NULL, x, y))
#include "../../tables/fast.def"
  if (r || err_is(v->c)) return r;
  if (!ir_host_frame(v->g, x) || !ir_host_frame(v->g, y)) return NULL;
  OWNED_CELLS xs = cells_items(x);
  OWNED_CELLS ys = cells_items(y);
  xs.repeat = y->count;
  xs.keep_first = ys.keep_first = true;
  OWNED_RESULTS all = results_open(v, p.rank, p.shape);
  if (!call_cells(v, f, &xs, &ys, &all)) return NULL;
  return results_array(&all);
}

bool oper_outer(vm *v, fn *f, arr *x, arr *y, arr **r) {
  return needs_left(v, x) && give_result(r, outer(v, f->l.f, x, y));
}

/* ── inner ────────────────────────────────────────────────────────────── */

/* x f.g y. */
typedef struct inner {
  fn *f, *g;
  arr *x, *y;
  uint8_t digits;        /* prim_factors */
  int64_t n;             /* the length of the axes that go together */
  int64_t rows, columns; /* of x; of y */
  product shape;
} inner;

/* y with its first axis last, as count × n: the columns of an inner product. */
static arr *columns_of(vm *v, const arr *y, int64_t count) {
  int64_t n = arr_first_axis(y);
  arr *r = arr_new(v->c, (elt)y->type, 2, (int64_t[]){count, n});
  if (!r) return NULL;
  for (int64_t i = 0; i < count; i++)
    for (int64_t k = 0; k < n; k++) arr_copy(r, i * n + k, y, k * count + i, 1);
  if (y->type == ET_NEST && !r->count) arr_copy(r, 0, y, 0, 1);
  return r;
}

/* All elements by two scalar primitives: of vectors f/x g y. */
static arr *inner_scalar(vm *v, const inner *p) {
  prim f = prim_in_force(v, (prim)p->f->prim, true),
       g = prim_in_force(v, (prim)p->g->prim, true);
  if (p->x->rank <= 1 && p->y->rank <= 1) {
    OWNED arr *z = prim2(v, (prim)p->g->prim, p->x, p->y);
    return z ? reduce_with(v, p->f, z, 0) : NULL;
  }
  ir_call at = call_of(v);
  return ir_product(&at, &(prim_factors){f, g, p->x, p->y, 0, 0, p->digits});
}

/* ── inner: one result at a time ────────────────────────────────────────────────────── */

/* f/ a g¨ b, as an item. */
static arr *inner_item(vm *v, const inner *p, arr *a, arr *b) {
  OWNED arr *z = each_call(v, p->g, a, b);
  if (!z) return NULL;
  OWNED arr *t = reduce_with(v, p->f, z, 0);
  if (!t) return NULL;
  return item_at(v, t, 0);
}

/* No elements: what f/ x g¨ y would be of fills tells what they would look like. */
static arr *inner_none(vm *v, const inner *p) {
  prim_env pe = env_of(v);
  OWNED arr *len = arr_int_vec(v->c, 1, &p->n);
  if (!len) return NULL;
  OWNED arr *x = prim_reshape(&pe, len, p->x);
  OWNED arr *y = prim_reshape(&pe, len, p->y);
  OWNED arr *a = x && y ? fills_for(v, p->g, true, x) : NULL;
  OWNED arr *b = a ? fills_for(v, p->g, true, y) : NULL;
  if (!b) return NULL;
  OWNED arr *t = inner_item(v, p, a, b);
  if (!t || !ir_host(v->g, t)) return NULL;
  return collect_none(v, t, p->shape.rank, p->shape.shape);
}

/* The vectors of a; a single element stands for n of them. */
static arr *vectors_of(vm *v, arr *a, const inner *p) {
  if (a->count != 1 || (p->n == 1 && a->rank)) return arr_retain(a);
  prim_env pe = env_of(v);
  OWNED arr *len = arr_int_vec(v->c, 1, &p->n);
  if (!len) return NULL;
  return prim_reshape(&pe, len, a);
}

static arr *inner_items(vm *v, const inner *p) {
  OWNED arr *x = vectors_of(v, p->x, p);
  if (!x) return NULL;
  OWNED arr *by_column = columns_of(v, p->y, p->columns);
  OWNED arr *y = by_column ? vectors_of(v, by_column, p) : NULL;
  if (!y) return NULL;
  OWNED_CELLS xs = cells_of_rank(x, 1);
  OWNED_CELLS ys = cells_of_rank(y, 1);
  xs.repeat = p->columns;
  OWNED_RESULTS all = results_open(v, p->shape.rank, p->shape.shape);
  for (int64_t i = 0; i < all.want; i++) {
    arr *a = cells_next(v, &xs), *b = cells_next(v, &ys);
    if (!a || !b) return NULL;
    if (!results_add(&all, inner_item(v, p, a, b))) return NULL;
  }
  return results_array(&all);
}

/* May all elements be made by two scalar primitives? */
static bool is_whole(const inner *p) {
  if (!fn_is_scalar(p->f, true) || !fn_is_scalar(p->g, true)) return false;
  if (is_nested(p->x) || is_nested(p->y) || !p->n) return false;
  return arr_last_axis(p->x) == arr_first_axis(p->y) &&
         (p->x->count == 1) == (p->y->count == 1);
}

static bool inner_open(vm *v, inner *p) {
  arr *x = p->x, *y = p->y;
  int nx = x->rank ? x->rank - 1 : 0;
  int64_t lx = arr_last_axis(x), ly = arr_first_axis(y);
  if (x->count != 1 && y->count != 1 && lx != ly)
    return err_set(v->c, ERR_LENGTH, "%lld columns and %lld rows", (long long)lx,
                   (long long)ly);
  p->n = x->count == 1 ? ly : lx; /* a single element goes with any length */
  p->rows = arr_product(nx, x->shape);
  p->columns = y->rank ? arr_product(y->rank - 1, y->shape + 1) : 1;
  return join_shapes(v, &p->shape, x, nx, y, y->rank > 0);
}

static arr *inner_product(vm *v, inner *p) {
  if (!inner_open(v, p)) return NULL;
  bool some = p->rows && p->columns;
  if (some && is_whole(p)) return inner_scalar(v, p);
  if (!ir_host_frame(v->g, p->x) || !ir_host_frame(v->g, p->y)) return NULL;
  if (!some) return inner_none(v, p);
  return inner_items(v, p);
}

arr *inner_with(vm *v, const fn *f, arr *x, arr *y, uint8_t digits) {
  inner p = {.f = f->l.f, .g = f->r.f, .x = x, .y = y, .digits = digits};
  return inner_product(v, &p);
}

bool oper_inner(vm *v, fn *f, arr *x, arr *y, arr **r) {
  return needs_left(v, x) && give_result(r, inner_with(v, f, x, y, 0));
}
