/* SPDX-License-Identifier: MIT */
/* at.c - f@i: a part of y replaced, by new elements or by what f makes of it. The part is
 * handed over as a whole; it is chosen by indices, or by a function that gives a mask. */
#include "../../prim/args.h"
#include "../../prim/index.h"
#include "../../array/element.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "oper.h"

/* Where a device has y; NULL without an error: it is for the host. */
static arr *put_there(vm *v, arr *y, int n, arr **at, arr *new) {
  prim_env pe = env_of(v);
  ir_call call = call_of(v);
  if (!ir_takes_puts(&call, y, at[0], new)) return NULL;
  OWNED arr *places = ir_places(&call, y, n, at);
  if (!places || !prim_conforms(&pe, places->rank, places->shape, new)) {
    err_clear(v->c);
    return NULL;
  }
  OWNED arr *line = ir_monadic(&call, P_COMMA, places);
  OWNED arr *vals = line ? ir_monadic(&call, P_COMMA, new) : NULL;
  OWNED arr *r = arr_retain(y);
  return vals && ir_put(&call, &r, line, vals) ? arr_move(&r) : NULL;
}

arr *at_put(vm *v, arr *y, int n, arr **at, arr *new) {
  prim_env pe = env_of(v);
  arr *r = put_there(v, y, n, at, new);
  if (r || err_is(v->c) || !ir_host(v->g, y) || !ir_host(v->g, new)) return r;
  for (int k = 0; k < n; k++)
    if (at[k] && !ir_host(v->g, at[k])) return NULL;
  return prim_index_set(&pe, y, n, at, new);
}

/* y with the part at `at` replaced by f, or by what f gives for it. */
static arr *at_replace(vm *v, value f, arr *x, arr *y, int n, arr **at) {
  OWNED arr *new = NULL;
  if (f.cls == C_ARR) new = arr_retain(f.a);
  else {
    OWNED arr *old = index_of(v, y, n, at);
    if (old) new = call2(v, f.f, x, old);
  }
  return new ? at_put(v, y, n, at, new) : NULL;
}

/* The positions where the mask is 1, from ⎕IO, in the ravel of y. */
static arr *at_mask(vm *v, arr *mask, const arr *y) {
  prim_env pe = env_of(v);
  if (!ir_settle(v->g, mask)) return NULL;
  if (!arr_same_shape(mask, y))
    return err_null(v->c, mask->rank != y->rank ? ERR_RANK : ERR_LENGTH,
                    "the mask of @ must have the argument's shape");
  OWNED arr *flat = prim1(v, P_COMMA, mask);
  if (!flat) return NULL;
  if (flat->type == ET_BIT) return prim1(v, P_WHERE, flat);
  if (!ir_host(v->g, flat)) return NULL;
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
  if (!ir_settle(v->g, where)) return NULL;
  if (is_nested(where)) return at_replace(v, f, x, y, 1, at);
  if (y->rank) return at_replace(v, f, x, y, y->rank, at);
  return err_null(v->c, ERR_RANK, "a scalar has no cells for @");
}

/* Where g y is 1. */
static arr *at_ones(vm *v, value f, fn *g, arr *x, arr *y) {
  OWNED arr *mask = call1(v, g, y);
  if (!mask) return NULL;
  OWNED arr *flat = prim1(v, P_COMMA, y);
  if (!flat) return NULL;
  OWNED arr *where = at_mask(v, mask, y);
  if (!where) return NULL;
  OWNED arr *changed = at_replace(v, f, x, flat, 1, &where);
  OWNED arr *shape = changed ? prim1(v, P_RHO, y) : NULL;
  return shape ? prim2(v, P_RHO, shape, changed) : NULL;
}

bool oper_at(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (x && f->l.cls == C_ARR)
    return err_set(v->c, ERR_SYNTAX, "@ with new values takes no left argument");
  if (!ir_settle(v->g, y) || (f->l.cls == C_ARR && !ir_settle(v->g, f->l.a)))
    return false;
  if (f->r.cls == C_ARR) return give_result(r, at_indices(v, f->l, f->r.a, x, y));
  return give_result(r, at_ones(v, f->l, f->r.f, x, y));
}
