/* SPDX-License-Identifier: MIT */
/* at.c - f@i: a part of y replaced, by new elements or by what f makes of it. The part is
 * handed over as a whole; it is chosen by indices, or by a function that gives a mask. */
#include "../../array/convert.h"
#include "../../prim/args.h"
#include "../../prim/index.h"
#include "../../array/element.h"
#include "../value/items.h"
#include "oper.h"

/* y with the part at `at` replaced by f, or by what f gives for it. */
static arr *at_replace(vm *v, value f, arr *x, arr *y, int n, arr **at) {
  prim_env pe = env_of(v);
  OWNED arr *new = NULL;
  if (f.cls == C_ARR) new = arr_retain(f.a);
  else {
    OWNED arr *old = prim_index(&pe, y, n, at);
    if (old) new = call2(v, f.f, x, old);
  }
  if (!new || !ir_host(v->g, new)) return NULL;
  return prim_index_set(&pe, y, n, at, new);
}

/* The positions where the mask is 1, from ⎕IO, in the ravel of y. */
static arr *at_mask(vm *v, arr *mask, const arr *y) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, mask)) return NULL;
  if (!arr_same_shape(mask, y))
    return err_null(v->c, mask->rank != y->rank ? ERR_RANK : ERR_LENGTH,
                    "the mask of @ must have the argument's shape");
  OWNED arr *flat = prim_ravel(&pe, mask);
  if (!flat) return NULL;
  OWNED arr *bits = prim_ints(&pe, flat, "the mask of @");
  if (!bits) return NULL;
  for (int64_t i = 0; i < bits->count; i++)
    if (arr_get_int(bits, i) & ~1ll)
      return err_null(v->c, ERR_DOMAIN, "the mask of @ must be 0s and 1s");
  return prim_where(&pe, bits);
}

/* At the indices `where`. */
static arr *at_indices(vm *v, value f, arr *where, arr *x, arr *y) {
  arr *at[ARR_MAX_RANK] = {where};
  if (!ir_host(v->g, where)) return NULL;
  if (is_nested(where)) return at_replace(v, f, x, y, 1, at);
  if (y->rank) return at_replace(v, f, x, y, y->rank, at);
  return err_null(v->c, ERR_RANK, "a scalar has no cells for @");
}

/* Where g y is 1. */
static arr *at_ones(vm *v, value f, fn *g, arr *x, arr *y) {
  prim_env pe = env_of(v);
  OWNED arr *mask = call1(v, g, y);
  if (!mask) return NULL;
  OWNED arr *flat = prim_ravel(&pe, y);
  if (!flat) return NULL;
  OWNED arr *where = at_mask(v, mask, y);
  if (!where) return NULL;
  OWNED arr *changed = at_replace(v, f, x, flat, 1, &where);
  if (!changed) return NULL;
  return arr_reshape(v->c, changed, y->rank, y->shape);
}

bool oper_at(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (x && f->l.cls == C_ARR)
    return err_set(v->c, ERR_SYNTAX, "@ with new values takes no left argument");
  if (!ir_host(v->g, y) || (f->l.cls == C_ARR && !ir_host(v->g, f->l.a))) return false;
  if (f->r.cls == C_ARR) return give_result(r, at_indices(v, f->l, f->r.a, x, y));
  return give_result(r, at_ones(v, f->l, f->r.f, x, y));
}
