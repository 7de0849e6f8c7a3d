/* SPDX-License-Identifier: MIT */
/* scalar_map.c - see scalar_map.h: what scalar_fn.c can tell of the function decides.
 *
 * A kernel computes all elements in one type, where calls give each its own and the array that
 * is made of these has the widest. That is the same where one of them needs it; where that is not
 * sure the calls are made. */
#include "scalar_map.h"
#include "../../array/element.h"
#include "../run/primitive.h"
#include "oper.h"
#include "scalar_fn.h"

/* Is an element of r not of a lesser class: no truth value, or no integer? */
static bool needs_its_type(vm *v, arr *r) {
  ir_call at = call_of(v);
  at.env.ct = 0;
  if (r->type == ET_BIT) return true;
  OWNED arr *lesser = NULL;
  if (elt_is_float((elt)r->type)) {
    lesser = ir_monadic(&at, P_FLOOR, r);
  } else {
    OWNED arr *one = arr_int(v->c, 1), *zero = arr_int(v->c, 0);
    OWNED arr *some = one && zero ? ir_dyadic(&at, P_CEIL, zero, r) : NULL;
    lesser = some ? ir_dyadic(&at, P_FLOOR, one, some) : NULL;
  }
  OWNED arr *differs = lesser ? ir_dyadic(&at, P_NE, r, lesser) : NULL;
  OWNED arr *line = differs ? ir_monadic(&at, P_COMMA, differs) : NULL;
  OWNED arr *any = line ? ir_reduce(&at, P_OR, line, 0) : NULL;
  return any && ir_host(v->g, any) && arr_get_int(any, 0);
}

/* The argument of ∘.f along its axes of the result; a scalar stays one. */
static arr *spread(vm *v, arr *a, int first, int rank, const int64_t *shape) {
  int k[ARR_MAX_RANK];
  if (!a->rank) return arr_retain(a);
  for (int i = 0; i < a->rank; i++) k[i] = first + i;
  ir_call at = call_of(v);
  return ir_spread(&at, a, rank, shape, k);
}

static arr *map(vm *v, const scalar_fn *s, arr *x, arr *y) {
  ir_call at = call_of(v);
  ir_function f = {.e = &s->e, .param = s->param};
  bool mixed;
  OWNED arr *r = ir_map(&at, &f, x, y, &mixed);
  if (!r || (mixed && !needs_its_type(v, r))) return NULL;
  return arr_move(&r);
}

static arr *map_outer(vm *v, const scalar_fn *s, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK];
  int rank = x->rank + y->rank;
  if (rank > ARR_MAX_RANK) return NULL;
  for (int i = 0; i < rank; i++)
    shape[i] = i < x->rank ? x->shape[i] : y->shape[i - x->rank];
  OWNED arr *a = spread(v, x, 0, rank, shape);
  OWNED arr *b = a ? spread(v, y, x->rank, rank, shape) : NULL;
  return b ? map(v, s, a, b) : NULL;
}

arr *map_by_kernel(vm *v, uint32_t code, fn *f, arr *x, arr *y) {
  scalar_fn s;
  if (!scalar_map_of(v, f, x != NULL, &s) || !scalar_fn_fits(&s, x) ||
      !scalar_fn_fits(&s, y))
    return NULL;
  if (code == OP_OUTER) return map_outer(v, &s, x, y);
  return map(v, &s, x, y);
}
