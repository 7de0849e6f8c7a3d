/* SPDX-License-Identifier: MIT */
/* inverse_search.c - the inverse of a fork whose both sides take the argument, as in
 * 2(*+×)⍣¯1⊢42: no rule turns it round, so that each number is sought on the real line.
 *
 *   away from 0, on both sides, in steps that double, until the sign of f z minus y changes;
 *   then the interval is halved, until f z is y or no number lies between its ends */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "oper.h"
#include "../run/call.h"
#include <math.h>

typedef struct search {
  vm *v;
  fn *f;
  arr *x;   /* a scalar, or NULL */
  double y; /* what f is to give */
} search;

/* f z minus y; NaN where f has no value that is a number. False: an error but that. */
static bool miss_at(const search *s, double z, double *miss) {
  vm *v = s->v;
  *miss = NAN;
  OWNED arr *a = arr_float(v->c, z);
  OWNED arr *r = NULL;
  if (!a) return false;
  if (fabs(z) < 0x1p53 && z == rint(z)) {
    arr_release(a);
    a = arr_int(v->c, (int64_t)z);
  }
  if (a) r = call2(v, s->f, s->x, a);
  bool ok = r && ir_host(v->g, r);
  if (!ok && v->c->err.code == ERR_DOMAIN) {
    err_clear(v->c);
    return true;
  }
  if (!ok) return false;
  if (r->count == 1 && r->type <= ET_F64) *miss = arr_get_float(r, 0) - s->y;
  return true;
}

static bool is_between(double a, double b) {
  return (a <= 0 && b >= 0) || (a >= 0 && b <= 0);
}

/* Halves the interval, at whose ends f misses by `a` and `b`. */
static bool halve(const search *s, double from, double a, double to, double b,
                  double *z) {
  while (a != 0 && b != 0) {
    double middle = from + (to - from) / 2, m;
    if (middle == from || middle == to) break;
    if (!miss_at(s, middle, &m)) return false;
    if (isnan(m)) break;
    if (is_between(a, m)) {
      to = middle;
      b = m;
    } else {
      from = middle;
      a = m;
    }
  }
  *z = fabs(a) < fabs(b) ? from : to;
  return true;
}

enum { FARTHEST = 64 }; /* 2* that */

/* The z nearest to 0, roughly, for which f z is y; NaN: none was found. */
static bool seek(const search *s, double *z) {
  double at[2] = {0, 0}, miss[2];
  *z = NAN;
  if (!miss_at(s, 0, &miss[0])) return false;
  miss[1] = miss[0];
  for (int k = 0; k < FARTHEST; k++)
    for (int side = 0; side < 2; side++) {
      double next = ldexp(side ? -1 : 1, k), m;
      if (interrupted(s->v->c) || !miss_at(s, next, &m)) return false;
      if (is_between(miss[side], m)) return halve(s, at[side], miss[side], next, m, z);
      at[side] = next;
      miss[side] = m;
    }
  return true;
}

arr *undo_by_search(vm *v, fn *f, arr *x, arr *y) {
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return NULL;
  bool numbers = y->type <= ET_F64 && (!x || x->type <= ET_F64);
  bool single = !x || x->count == 1 || arr_same_shape(x, y);
  if (!numbers || !single) return no_inverse(v);
  OWNED arr *r = arr_new(v->c, ET_F64, y->rank, y->shape);
  OWNED arr *wanted = r ? arr_convert(v->c, y, ET_F64) : NULL;
  if (!wanted) return NULL;
  for (int64_t i = 0; i < y->count; i++) {
    search s = {.v = v, .f = f, .y = ((const double *)wanted->host)[i]};
    OWNED arr *left = x ? arr_scalar_at(v->c, x, x->count == 1 ? 0 : i) : NULL;
    s.x = left;
    double z;
    if ((x && !left) || !seek(&s, &z)) return NULL;
    if (isnan(z)) return no_inverse(v);
    ((double *)r->host)[i] = z;
  }
  OWNED arr *again = call2(v, f, x, r);
  if (!again) return NULL;
  if (!arrays_match(v, again, y)) return no_inverse(v);
  return arr_move(&r);
}
