/* SPDX-License-Identifier: MIT */
/* scalar_map.c - see scalar_map.h: what scalar_fn.c can tell of the function decides.
 *
 * A kernel computes all elements in one type, where calls give each its own and the array that
 * is made of these has the widest. That is the same where one of them needs it; where that is not
 * sure the calls are made. */
#include "scalar_map.h"
#include "../../array/element.h"
#include "oper.h"
#include "scalar_fn.h"

/* Element i of a, or a scalar's only one. */
static arr *element(vm *v, arr *a, int64_t i) {
  if (!a || !a->rank) return arr_retain(a);
  ir_call at = call_of(v);
  arr *r = ir_pick(&at, a, i);
  if (r || err_is(v->c) || !ir_host(v->g, a)) return r;
  r = arr_new(v->c, (elt)a->type, 0, NULL);
  if (r) arr_copy(r, 0, a, i, 1);
  return r;
}

/* Is one of the floats r no integer? Then calls give floats, too; and if one of a few does. `outer`: r is x∘.f y, whose
 * arguments are asked as they are, and not along all of its axes. */
static bool needs_floats(vm *v, fn *f, arr *x, arr *y, arr *r, bool outer) {
  if (!elt_is_float((elt)r->type))
    return true; /* 0 and 1 are integers, or truth values */
  for (int k = 0; k < 3; k++) {
    int64_t i = (r->count - 1) * k / 2;
    OWNED arr *b = element(v, y, outer ? i % y->count : i);
    OWNED arr *a = b && x ? element(v, x, outer ? i / y->count : i) : NULL;
    OWNED arr *one = b && (a || !x) ? call2(v, f, a, b) : NULL;
    if (!one) return false;
    if (elt_is_float((elt)one->type)) return true;
  }
  ir_call at = call_of(v);
  at.env.ct = 0;
  OWNED arr *whole = ir_monadic(&at, P_FLOOR, r);
  OWNED arr *differs = ir_dyadic(&at, P_NE, r, whole);
  OWNED arr *line = ir_monadic(&at, P_COMMA, differs);
  OWNED arr *any = ir_reduce(&at, P_OR, line, 0);
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

/* g, told by s, of a and b, which have the elements of x and y side by side, or each with each. */
static arr *mapped(vm *v, const scalar_fn *s, fn *g, arr *a, arr *b, arr *x, arr *y,
                   bool outer) {
  ir_call at = call_of(v);
  ir_function f = {.e = &s->e, .param = s->param};
  bool mixed;
  OWNED arr *r = ir_map(&at, &f, a, b, &mixed);
  return r && (!mixed || needs_floats(v, g, x, y, r, outer)) ? arr_move(&r) : NULL;
}

static arr *map_outer(vm *v, const scalar_fn *s, fn *g, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK];
  int rank = x->rank + y->rank;
  if (rank > ARR_MAX_RANK) return NULL;
  for (int i = 0; i < rank; i++)
    shape[i] = i < x->rank ? x->shape[i] : y->shape[i - x->rank];
  OWNED arr *a = spread(v, x, 0, rank, shape);
  OWNED arr *b = a ? spread(v, y, x->rank, rank, shape) : NULL;
  return b ? mapped(v, s, g, a, b, x, y, true) : NULL;
}

/* Of complex numbers: their parts are two arrays. */
static arr *map_complex(vm *v, fn *f, arr *y) {
  scalar_fn s;
  ir_call at = call_of(v);
  if (!scalar_map_of(v, f, SCALAR_COMPLEX, &s)) return NULL;
  OWNED arr *nine = arr_int(v->c, 9), *eleven = arr_int(v->c, 11);
  OWNED arr *re = nine && eleven ? ir_dyadic(&at, P_CIRCLE, nine, y) : NULL;
  OWNED arr *im = re ? ir_dyadic(&at, P_CIRCLE, eleven, y) : NULL;
  if (!im || re->type != ET_F64 || im->type != ET_F64) return NULL;
  return mapped(v, &s, f, re, im, NULL, y, false);
}

arr *map_by_kernel(vm *v, uint32_t code, fn *f, arr *x, arr *y) {
  scalar_fn s;
  scalar_args args = x ? SCALAR_DYADIC : SCALAR_MONADIC;
  if (!x && y->type == ET_C128 && !y->node) return map_complex(v, f, y);
  if (y->type > ET_F64 || (x && x->type > ET_F64)) return NULL;
  if (!scalar_map_of(v, f, args, &s) || !scalar_fn_fits(&s, x) || !scalar_fn_fits(&s, y))
    return NULL;
  if (code == OP_OUTER) return map_outer(v, &s, f, x, y);
  return mapped(v, &s, f, x, y, x, y, false);
}
