/* SPDX-License-Identifier: MIT */
/* scan.c - f\ and f⍀ of any function: the reductions of every prefix of a line.
 *
 * A scalar primitive on a simple array is the lazy graph's matter. Of other functions each
 * element is reduced anew from the right, for that is what f\ means; where f is associative,
 * or ⍠ declares it so, an element is made from the one before it. */
#include "../../array/view.h"
#include "../../tables/fast.h"
#include "../bind/variant.h"
#include "../value/arg.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "cells.h"
#include "scalar_fn.h"
#include "oper.h"

/* Does (a f b) f c equal a f (b f c) for any items? Sums of floats in items may differ in
 * their last digit. */
static bool is_associative(const fn *f, const arr *y) {
#define FAST_ASSOCIATIVE(way)                                                            \
  if (way(f, y)) return true;
#include "../../tables/fast.def"
  if (f->kind != F_PRIM) return false;
  switch ((prim)f->prim) {
  case P_PLUS:
  case P_TIMES:
  case P_CEIL:
  case P_FLOOR:
  case P_AND:
  case P_OR:
  case P_COMMA:
  case P_LEFT:
  case P_RIGHT: return true;
  default: return false;
  }
}

static arr *scan_items(vm *v, fn *f, arr *y, int axis, int options) {
  split l = split_at(y, axis);
  bool strict = options & FOLD_STRICT;
  bool from_last = options & FOLD_FORWARD ||
                   (!strict && (options & FOLD_ASSOC || is_associative(f, y)));
  OWNED_RESULTS all = results_open(v, y->rank, y->shape);
  for (int64_t i = 0; i < all.want; i++) {
    int64_t k = i / l.inner % l.n; /* the place in its line */
    arr *r = NULL;
    if (k && from_last) {
      OWNED arr *item = item_at(v, y, i);
      OWNED arr *before = arr_retain(all.at[i - l.inner]);
      if (!item) return NULL;
      if (options & FOLD_FORWARD) r = call2(v, f, item, before);
      else r = call2(v, f, before, item);
    } else r = reduce_line(v, f, y, i - k * l.inner, l.inner, k + 1);
    if (!results_add(&all, r)) return NULL;
  }
  return results_array(&all);
}

static arr *scan_strict(vm *v, fn *f, arr *y, int axis, int options) {
  if (!ir_host(v->g, y)) return NULL;
  prim_env pe = env_of(v);
  bool forward = options & FOLD_FORWARD;
  bool by_rows = fn_is_scalar(f, true) && !is_nested(y);
  if (forward && by_rows) {
    bool real = elt_is_float((elt)y->type);
    by_rows = real && prim_result((prim)f->prim, true, CLS_F) == CLS_F;
  }
  if (!by_rows) return scan_items(v, f, y, axis, options);
  return prim_scan_strict(&pe, prim_in_force(v, (prim)f->prim, true), y, axis, forward);
}

static arr *scan_with(vm *v, fn *f, arr *y, int axis, int options) {
  if (!y->rank || !y->count) return arr_retain(y);
  if (options & FOLD_STRICT && order_shows(f, y))
    return scan_strict(v, f, y, axis, options);
  options &= ~FOLD_STRICT;
  bool scalars = fn_is_scalar(f, true) && !is_nested(y);
  if (!scalars || options) {
    arr *r = fold_by_kernel(v, f, y, axis, true, options);
    if (r || err_is(v->c)) return r;
  }
  if (scalars && !(options & FOLD_FORWARD)) {
    ir_call at = call_of(v);
    return ir_scan(&at, prim_in_force(v, (prim)f->prim, true), y, axis);
  }
  if (!ir_host(v->g, y)) return NULL;
  arr *r = NULL;
#define FAST_MATRICES(way) FAST_FIRST(r, v->c, way(v, f, y, true, options &FOLD_FORWARD))
#include "../../tables/fast.def"
  if (r || err_is(v->c)) return r;
  return scan_items(v, f, y, axis, options);
}

/* Most scans: by a scalar primitive, of a short vector that is at hand. NULL without an error: it is
 * no such scan. */
static arr *scan_short(vm *v, const fn *f, arr *y) {
  bool short_vector = y->rank == 1 && y->host && y->count <= ir_at_once(v->g, true);
  if (!short_vector || f->kind != F_PRIM || y->type > ET_F64) return NULL;
  prim_env pe = env_of(v);
  prim p = prim_in_force(v, (prim)f->prim, true);
  arr *r = NULL;
#define FAST_SHORT_SCAN(way) FAST_FIRST(r, v->c, way(&pe, p, y))
#include "../../tables/fast.def"
  return r;
}

bool oper_scan(vm *v, fn *f, arr *x, arr *y, arr **r) {
  int k;
  *r = x || f->axis ? NULL : scan_short(v, f->l.f, y);
  if (*r || err_is(v->c)) return *r;
  if (!fold_axis(v, f->code, f->axis, y, &k)) return false;
  if (x) return err_set(v->c, ERR_SYNTAX, "a scan takes no left argument");
  return give_result(
      r, scan_with(v, without_variant(f->l.f), y, k,
                   f->l.f->fold_options & (FOLD_ASSOC | FOLD_FORWARD | FOLD_STRICT)));
}
