/* SPDX-License-Identifier: MIT */
/* primitive.c - primitives applied to arrays, under the variables in force. */
#include "primitive.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/axis.h"
#include "../../prim/index.h"
#include "../value/arg.h"
#include "../value/space.h"
#include "element.h"
#include "../../tables/fast.h"

/* ── which primitive ────────────────────────────────────────────────────────────────── */

/* There is no such primitive; NULL. */
static arr *missing(vm *v, prim p, bool dyadic) {
  const prim_row *row = &prim_table[p];
  const char *name = dyadic ? row->dyadic : row->monadic;
  if (*name) err_set(v->c, ERR_NONCE, "%s (%s) is not in this version", row->glyph, name);
  else if (dyadic) err_set(v->c, ERR_SYNTAX, "%s takes no left argument", row->glyph);
  else err_set(v->c, ERR_SYNTAX, "%s takes a left argument", row->glyph);
  return NULL;
}

prim prim_unusual(const vm *v, prim p, bool dyadic) {
  int ml = v->sv->ml;
  if (v->sv->div && p == P_DIVIDE) return P_DIVIDE0;
  if (dyadic && ml > 2 && p == P_ENCLOSE) return P_NEST;
  if (dyadic || ml < 2) return p;
  if (p == P_TAKE) return P_PICK;
  return p == P_PICK ? P_TAKE : p;
}

/* ∊ at ⎕ML 0 is the type of y, ≡ from 2 on is never negative; NULL without an error:
 * neither. */
static arr *level_result(vm *v, prim p, arr *y) {
  bool type = p == P_MEMBER && !v->sv->ml, depth = p == P_MATCH && v->sv->ml >= 2;
  if ((!type && !depth) || !ir_host(v->g, y)) return NULL;
  if (type) return arr_proto(v->c, y);
  prim_env pe = env_of(v);
  OWNED arr *d = prim_depth(&pe, y);
  if (!d) return NULL;
  return prim_monadic(&pe, P_RESIDUE, d);
}

/* ── f y, x f y ─────────────────────────────────────────────────────────────────────── */

/* Is it at hand, and one element or no more than `most`, so that it is computed at once? */
static inline bool is_at_once(const arr *a, int64_t most) {
  return a->host && (!a->rank || a->count <= most) && a->type != ET_NEST;
}

/* Is the result long however short the arguments are, or ir/ the one that knows how it is made? */
static inline bool is_for_ir1(prim p, const arr *y) {
  return p == P_IOTA || (p == P_WHERE && y->type != ET_BIT) || p == P_DOMINO;
}
static inline bool is_for_ir2(prim p) {
  return p == P_RHO || p == P_TAKE || p == P_DROP || p == P_ROLL || p == P_DOMINO;
}

/* Up to how many elements are computed at once: ⌽ ⊖ ⍉ as scalar functions, since a loop reads backwards what a
 * kernel would fetch element by element. */
static inline int64_t at_once_most(const vm *v, prim p, bool dyadic) {
  bool turns = p == P_REVERSE || p == P_REVERSE1 || p == P_TRANSPOSE;
  return ir_at_once(v->g, turns || prim_is_scalar(p, dyadic));
}

arr *prim1(vm *v, prim p, arr *y) {
  if (!y) return NULL;
  if (v->sv->ml != 1) {
    arr *r = level_result(v, p, y);
    if (r || err_is(v->c)) return r;
  }
  p = prim_in_force(v, p, false);
  if (p == P_ROLL && !note_draws(v)) return NULL;
  if (is_at_once(y, at_once_most(v, p, false)) && !is_for_ir1(p, y) &&
      prim_has(p, false)) {
    prim_env pe = env_of(v);
    return prim_monadic(&pe, p, y);
  }
  if (!LIKELY(prim_has(p, false))) return missing(v, p, false);
  ir_call call = call_of(v);
  return ir_monadic(&call, p, y);
}

arr *prim2(vm *v, prim p, arr *x, arr *y) {
  if (!x || !y) return NULL;
  p = prim_in_force(v, p, true);
  if (p == P_ROLL && !note_draws(v)) return NULL;
  int64_t most = at_once_most(v, p, true);
  if (is_at_once(x, most) && is_at_once(y, most) && !is_for_ir2(p) && prim_has(p, true)) {
    prim_env pe = env_of(v);
    return prim_dyadic(&pe, p, x, y);
  }
  if (!LIKELY(prim_has(p, true))) return missing(v, p, true);
  ir_call call = call_of(v);
  return ir_dyadic(&call, p, x, y);
}

/* Is it a number, or an array that is computed with at once? */
static inline bool is_short(const value *x, int64_t most) {
  return x->num || (x->cls == C_ARR && is_at_once(x->a, most));
}

static inline bool may_be_double(const value *x) {
  return x->num || x->a->type == ET_F64;
}

/* x f y of doubles, perhaps written over `spare`; NULL, often without an error: of something else. */
INLINE arr *of_doubles(prim_env *e, prim p, const value *x, const value *y, arr *spare) {
  prim_bits n = {.d = 0};
  if (!may_be_double(x) || !may_be_double(y)) return NULL;
  if (x->num && !prim_float_of((prim_number){(cls)x->num, {x->i}}, &n)) return NULL;
  if (y->num && !prim_float_of((prim_number){(cls)y->num, {y->i}}, &n)) return NULL;
  arr *r = NULL;
#define FAST_SCALAR(way)                                                                 \
  if (!r) r = way(e, p, x->num ? NULL : x->a, y->num ? NULL : y->a, n.d, spare);
#include "../../tables/fast.def"
  return r;
}

bool prim_short(vm *v, prim p, const value *x, const value *y, arr *spare, arr **r) {
  int64_t most = ir_at_once(v->g, true);
  if (v->sv->div || (p == P_ROLL && ir_unverified(v->g)) || !is_short(y, most) ||
      (x && !is_short(x, most)))
    return false;
  prim_env pe = env_of(v);
  if (!x) *r = prim_monadic(&pe, p, y->a);
  else if ((*r = of_doubles(&pe, p, x, y, spare)) || err_is(v->c)) return true;
  else if (!x->num && !y->num) *r = prim_dyadic(&pe, p, x->a, y->a);
  else {
    const value *n = x->num ? x : y, *a = x->num ? y : x;
    *r = prim_with_number(&pe, p, a->a, (prim_number){(cls)n->num, {n->i}}, n == x);
  }
  return true;
}

bool prim_fold_short(vm *v, prim p, const arr *y, prim_number *r) {
  bool vector = y->rank == 1 && y->host && y->type <= ET_F64;
  if (!vector || y->count > ir_at_once(v->g, true)) return false;
  prim_env pe = env_of(v);
  return prim_try_reduce_number(&pe, prim_in_force(v, p, true), y, r);
}

/* ── indices and axes ───────────────────────────────────────────────────────────────── */

static arr *indexed(vm *v, arr *y, int n, arr *const *at) {
  ir_call call = call_of(v);
  arr *r = ir_index(&call, y, n, at);
  if (r || err_is(v->c)) return r;
  bool path = n == 1 && at[0] && at[0]->type == ET_NEST;
  for (int k = 0; k < n; k++)
    if (at[k] && !ir_host(v->g, at[k])) return NULL;
  if (y->type == ET_NEST && !path ? !ir_host_own(v->g, y) : !ir_host_part(v->g, y))
    return NULL;
  prim_env pe = env_of(v);
  return cx_demote(v->c, prim_index(&pe, y, n, at));
}

/* Are both at hand, and so short that what is made of both is computed at once? */
static bool are_at_once(const vm *v, const arr *x, const arr *y) {
  int64_t most = ir_at_once(v->g, false);
  return x && is_at_once(x, most) && is_at_once(y, most);
}

arr *index_of(vm *v, arr *y, int n, arr *const *at) {
  if (n == 1 && are_at_once(v, at[0], y)) {
    prim_env pe = env_of(v);
    return cx_demote(v->c, prim_index(&pe, y, 1, at));
  }
  ir_step s;
  ir_step_begin(v->g, &s);
  arr *r = indexed(v, y, n, at);
  if (s.on && r && r->host && r->count > s.elements) s.elements = r->count;
  if (ir_step_end(v->g, &s)) ir_step_tell(v->g, &s, "y[x]", NULL);
  return r;
}

static arr *replicated(vm *v, uint32_t code, arr *axis, arr *x, arr *y) {
  int k;
  if (!x)
    return err_null(v->c, ERR_SYNTAX, "%s takes a left argument", oper_find(code)->glyph);
  if (!fold_axis(v, code, axis, y, &k)) return NULL;
  ir_call call = call_of(v);
  return ir_replicate(&call, x, y, k, is_scan(code));
}

arr *replicate(vm *v, uint32_t code, arr *axis, arr *x, arr *y) {
  if (!axis && !is_scan(code) && are_at_once(v, x, y) && x->type == ET_BIT &&
      y->rank == 1) {
    prim_env pe = env_of(v);
    return prim_replicate(&pe, x, y, 0);
  }
  ir_step s;
  ir_step_begin(v->g, &s);
  arr *r = replicated(v, code, axis, x, y);
  if (ir_step_end(v->g, &s)) ir_step_tell(v->g, &s, oper_find(code)->glyph, NULL);
  return r;
}

/* x f[axis] y of a scalar function. */
static arr *scalar_axis(vm *v, prim p, arr *x, arr *y, arr *axis) {
  int k[ARR_MAX_RANK];
  prim_env pe = env_of(v);
  if (!ir_host(v->g, axis) || !prim_scalar_axes(&pe, x, y, axis, k)) return NULL;
  ir_call call = call_of(v);
  if (x->rank < y->rank) {
    OWNED arr *wide = ir_spread(&call, x, y->rank, y->shape, k);
    return wide ? prim2(v, p, wide, y) : NULL;
  }
  OWNED arr *wide = ir_spread(&call, y, x->rank, x->shape, k);
  return wide ? prim2(v, p, x, wide) : NULL;
}

static arr *axis_call(vm *v, prim p, arr *x, arr *y, arr *axis) {
  if (!prim_has(p, x != NULL)) return missing(v, p, x != NULL);
  if (x && prim_is_scalar(p, true)) return scalar_axis(v, p, x, y, axis);
  ir_call call = call_of(v);
  return ir_along(&call, p, x, y, axis);
}

arr *prim_axis_call(vm *v, prim p, arr *x, arr *y, arr *axis) {
  ir_step s;
  ir_step_begin(v->g, &s);
  arr *r = axis_call(v, p, x, y, axis);
  if (ir_step_end(v->g, &s))
    ir_step_tell(v->g, &s, prim_table[p].glyph, "along a given axis");
  return r;
}

/* ── leaves ─────────────────────────────────────────────────────────────────────────── */

/* An array of y's shape, every element of it being id. */
static arr *filled(vm *v, arr *y, arr *id) {
  if (!y->rank) return arr_retain(id);
  OWNED arr *shape = prim1(v, P_RHO, y);
  if (!shape) return NULL;
  OWNED arr *item = arr_enclose(v->c, id);
  if (!item) return NULL;
  return prim2(v, P_RHO, shape, item);
}

/* What stands for every leaf. */
typedef struct stand_in {
  vm *v;
  arr *id;
} stand_in;

static arr *replace_item(void *user, ctx *c, const arr *y, int64_t i) {
  const stand_in *s = user;
  UNUSED(c);
  return replace_leaves(s->v, arr_item(y, i), s->id);
}

arr *replace_leaves(vm *v, arr *y, arr *id) {
  if (out_of_stack(v->c)) return NULL;
  if (!arr_nests(y)) return filled(v, y, id);
  stand_in s = {v, id};
  return arr_squeeze(v->c, arr_map(v->c, y, replace_item, &s));
}

arr *cells_at(vm *v, arr *y, arr *at) {
  ir_call call = from_zero(call_of(v));
  arr *all[ARR_MAX_RANK] = {at};
  return index_there(&call, y, y->rank, all);
}

const value *value_in_space(const env *e, const bnode *b) {
  if (b->slot >= 0 || !env_has_no_other(e) || b->cls != C_ARR) return NULL;
  const value *x = space_find(e->space, b->s);
  return x && x->cls == C_ARR ? x : NULL;
}
