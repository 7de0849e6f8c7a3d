/* SPDX-License-Identifier: MIT */
/* primitive.c - primitives applied to arrays, under the variables in force. */
#include "primitive.h"
#include "../../base/utf8.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/axis.h"
#include "../../prim/index.h"

static bool missing(vm *v, prim p, bool dyadic) {
  const char *name = dyadic ? prim_table[p].dyadic : prim_table[p].monadic;
  if (!*name)
    return err_set(v->c, ERR_SYNTAX, "%s takes %s", prim_table[p].glyph,
                   dyadic ? "no left argument" : "a left argument");
  return err_set(v->c, ERR_NONCE, "%s (%s) is not in this version", prim_table[p].glyph,
                 name);
}

static inline bool at_hand(const arr *a) {
  return !a->rank && a->host && a->type != ET_NEST;
}

prim prim_in_force(const vm *v, prim p, bool dyadic) {
  if (v->sv->div && p == P_DIVIDE) return P_DIVIDE0;
  if (v->sv->ml == 1) return p;
  if (dyadic) return v->sv->ml > 2 && p == P_ENCLOSE ? P_NEST : p;
  if (v->sv->ml > 1 && p == P_TAKE) return P_PICK;
  return v->sv->ml > 1 && p == P_PICK ? P_TAKE : p;
}

/* ∊ at ⎕ML 0 is the type of y, ≡ from 2 on is never negative; NULL without an error: neither. */
static arr *level_result(vm *v, prim p, arr *y) {
  if (p == P_MEMBER && !v->sv->ml) return ir_host(v->g, y) ? arr_proto(v->c, y) : NULL;
  if (p != P_MATCH || v->sv->ml < 2) return NULL;
  prim_env pe = env_of(v);
  arr *d = ir_host(v->g, y) ? prim_depth(&pe, y) : NULL;
  arr *r = d ? prim_monadic(&pe, P_RESIDUE, d) : NULL;
  arr_release(d);
  return r;
}

arr *prim1(vm *v, prim p, arr *y) {
  if (v->sv->ml != 1) {
    arr *r = level_result(v, p, y);
    if (r || err_is(v->c)) return r;
  }
  p = prim_in_force(v, p, false);
  if (!prim_has(p, false)) return missing(v, p, false), NULL;
  if (p != P_IOTA && at_hand(y)) { /* ⍳n is long however short n is */
    prim_env pe = env_of(v);
    return prim_monadic(&pe, p, y);
  }
  ir_call call = call_of(v);
  return ir_monadic(&call, p, y);
}

arr *prim2(vm *v, prim p, arr *x, arr *y) {
  p = prim_in_force(v, p, true);
  if (!prim_has(p, true)) return missing(v, p, true), NULL;
  if (p != P_RHO && at_hand(x) && at_hand(y)) {
    prim_env pe = env_of(v);
    return prim_dyadic(&pe, p, x, y);
  }
  ir_call call = call_of(v);
  return ir_dyadic(&call, p, x, y);
}

arr *index_of(vm *v, arr *y, int n, arr *const *at) {
  if (n == 1 && !y->host && at[0] && at_hand(at[0]) && elt_is_int((elt)at[0]->type) &&
      arr_get_int(at[0], 0) >= v->sv->io) {
    ir_call call = call_of(v);
    arr *r = ir_pick(&call, y, arr_get_int(at[0], 0) - v->sv->io);
    if (r || err_is(v->c)) return r;
  }
  if (!ir_host(v->g, y)) return NULL;
  prim_env pe = env_of(v);
  return cx_demote(v->c, prim_index(&pe, y, n, at));
}

arr *replicate(vm *v, uint32_t code, arr *axis, arr *x, arr *y) {
  int k;
  char glyph[5] = {0};
  utf8_put(glyph, code);
  if (!x) return err_set(v->c, ERR_SYNTAX, "%s takes a left argument", glyph), NULL;
  if (!fold_axis(v, code, axis, y, &k) || !ir_host(v->g, x) || !ir_host(v->g, y))
    return NULL;
  prim_env pe = env_of(v);
  return is_scan(code) ? prim_expand(&pe, x, y, k) : prim_replicate(&pe, x, y, k);
}

/* x f[axis] y of a scalar function. */
static arr *scalar_axis(vm *v, prim p, arr *x, arr *y, arr *axis) {
  int k[ARR_MAX_RANK];
  prim_env pe = env_of(v);
  if (!ir_host(v->g, axis) || !prim_scalar_axes(&pe, x, y, axis, k)) return NULL;
  arr *low = x->rank < y->rank ? x : y, *high = low == x ? y : x;
  ir_call call = call_of(v);
  arr *wide = ir_spread(&call, low, high->rank, high->shape, k);
  arr *r = !wide ? NULL : low == x ? prim2(v, p, wide, y) : prim2(v, p, x, wide);
  arr_release(wide);
  return r;
}

arr *prim_axis_call(vm *v, prim p, arr *x, arr *y, arr *axis) {
  if (!prim_has(p, x != NULL)) {
    missing(v, p, x != NULL);
    return NULL;
  }
  if (x && prim_is_scalar(p, true)) return scalar_axis(v, p, x, y, axis);
  if (!ir_host(v->g, axis) || (x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return NULL;
  prim_env pe = env_of(v);
  return x ? prim_dyadic_axis(&pe, p, x, y, axis) : prim_monadic_axis(&pe, p, y, axis);
}

/* y's structure with the item id in the place of every number and character. */
arr *replace_leaves(vm *v, arr *y, arr *id) {
  if (deep(v)) return NULL;
  if (!is_nested(y)) {
    if (!y->rank) return arr_retain(id);
    arr *to = prim1(v, P_RHO, y), *one = to ? arr_enclose(v->c, id) : NULL;
    arr *r = one ? prim2(v, P_RHO, to, one) : NULL;
    arr_release(one);
    arr_release(to);
    return r;
  }
  arr *r = arr_new(v->c, ET_NEST, y->rank, y->shape);
  for (int64_t i = 0; r && i < y->count + !y->count; i++) {
    if ((((arr **)r->host)[i] = replace_leaves(v, arr_item(y, i), id))) continue;
    arr_release(r);
    return NULL;
  }
  return arr_squeeze(v->c, r);
}
