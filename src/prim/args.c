/* SPDX-License-Identifier: MIT */
/* args.c - reading the arguments of primitives: whole numbers and axes. */
#include "args.h"
#include "math.h"
#include "scalar.h"
#include "../array/element.h"
#include "../array/match.h"

#include <math.h>
#include <stdio.h>

arr *fail(prim_env *e, int code, const char *msg) {
  err_set(e->c, code, "%s", msg);
  return NULL;
}

bool is_scalar_like(const arr *y) { return y->count == 1; }

static bool near_int(prim_env *e, double re, double im, int64_t *v) {
  double n = rint(re);
  if (!(fabs(n) < 0x1p63) || !num_equal_complex(re, im, n, 0, e->ct)) return false;
  *v = (int64_t)n;
  return true;
}

bool prim_int_at(prim_env *e, const arr *y, int64_t i, int64_t *v) {
  if (y->type == ET_NEST) {
    const arr *item = arr_item(y, i);
    return !item->rank && item->type != ET_NEST && prim_int_at(e, item, 0, v);
  }
  if (elt_is_char((elt)y->type)) return false;
  if (!elt_is_int((elt)y->type))
    return near_int(e, arr_get_float(y, i), arr_get_imag(y, i), v);
  *v = arr_get_int(y, i);
  return true;
}

arr *prim_ints(prim_env *e, arr *y, const char *what) {
  if (elt_is_int((elt)y->type)) return arr_retain(y);
  OWNED arr *r = arr_new(e->c, y->count ? ET_I64 : ET_BIT, y->rank, y->shape);
  for (int64_t i = 0; r && i < y->count; i++) {
    if (prim_int_at(e, y, i, (int64_t *)r->host + i)) continue;
    err_set(e->c, ERR_DOMAIN, "%s must be whole numbers", what);
    return NULL;
  }
  return arr_move(&r);
}

int_text prim_int_text(int64_t v) {
  int_text t;
  if (v < 0) snprintf(t.at, sizeof t.at, "¯%llu", 0 - (unsigned long long)v);
  else snprintf(t.at, sizeof t.at, "%lld", (long long)v);
  return t;
}

bool prim_int(prim_env *e, const arr *y, const char *what, int64_t *v) {
  if (!is_scalar_like(y)) return err_set(e->c, ERR_LENGTH, "%s must be one number", what);
  return prim_int_at(e, y, 0, v) ||
         err_set(e->c, ERR_DOMAIN, "%s must be a whole number", what);
}

/* Axis v, counted from ⎕IO, of an array of that rank. */
static bool axis_in(prim_env *e, int64_t v, int rank, int *k) {
  if (v < e->io || v - e->io >= rank)
    return err_set(e->c, ERR_RANK, "the array has no axis %lld", (long long)v);
  *k = (int)(v - e->io);
  return true;
}

bool prim_axis(prim_env *e, const arr *axis, const arr *y, int *k) {
  int64_t v;
  return prim_int(e, axis, "the axis", &v) && axis_in(e, v, y->rank, k);
}

static bool read_axes(prim_env *e, const arr *axis, int rank, int *k) {
  bool seen[ARR_MAX_RANK + 1] = {false};
  if (axis->rank > 1) return err_set(e->c, ERR_RANK, "the axis must be a vector");
  if (axis->count > rank)
    return err_set(e->c, ERR_LENGTH, "more axes than the array has");
  for (int64_t i = 0; i < axis->count; i++) {
    int64_t v;
    if (!prim_int_at(e, axis, i, &v))
      return err_set(e->c, ERR_DOMAIN, "an axis must be a whole number");
    if (!axis_in(e, v, rank, &k[i])) return false;
    if (seen[k[i]]) return err_set(e->c, ERR_DOMAIN, "an axis is given twice");
    seen[k[i]] = true;
  }
  return true;
}

int axes_of(prim_env *e, const arr *axis, int rank, int *k) {
  return read_axes(e, axis, rank, k) ? (int)axis->count : -1;
}

/* ── codes of ○ ─────────────────────────────────────────────────────────────────────── */

prim sc_code(double x, double ct) {
  double code = rint(x);
  if (!(fabs(code) <= 12 && math_TEQ(x, code, ct))) return P_COUNT;
  return prim_of_code((int64_t)code);
}

prim prim_circle(const arr *x, double ct) {
  if (x->count != 1 || x->type > ET_F64) return P_COUNT;
  return sc_code(arr_get_float(x, 0), ct);
}
