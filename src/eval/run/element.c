/* SPDX-License-Identifier: MIT */
/* element.c - x[i;j] of numbers: an element that is read or written where it is.
 *
 * Whatever is no plain matter (another type, an index that is none, an array that is shared, on
 * the device or yet to be made) is left to those who make arrays of the numbers. */
#include "element.h"
#include "../../array/grow.h"
#include "../value/space.h"
#include "primitive.h"
#include "../../tables/fast.h"

/* ── reading ────────────────────────────────────────────────────────────────────────── */

/* Its place in the ravel of a; -1: there is none. */
static inline int64_t place_of(const vm *v, const arr *a, const indices *ix) {
  int64_t at = 0;
  if (a->rank != ix->n) return -1;
  for (int k = 0; k < ix->n; k++) {
    prim_number i;
    if (!number_of(&ix->of[k], &i) || i.of != CLS_I || i.as.i < v->sv->io) return -1;
    i.as.i -= v->sv->io;
    if (i.as.i >= a->shape[k]) return -1;
    at = at * a->shape[k] + i.as.i;
  }
  return at;
}

bool element_at(vm *v, env *e, const bnode *b, const indices *ix, value *r) {
  prim_number n;
  const value *y = value_at_hand(e, b);
  if (!y && b->kind == B_NAME) y = env_locate(e, b->s, b->slot).val;
  if (!y || y->cls != C_ARR || y->num || !y->a->rank) return false;
  int64_t at = place_of(v, y->a, ix);
  if (at < 0 || !prim_number_at(y->a, at, &n)) return false;
  *r = value_number(&n);
  return true;
}

/* ── writing ────────────────────────────────────────────────────────────────────────── */

/* Element `at` of an array of integers becomes n, if its type holds that. */
static bool put_int(arr *a, int64_t at, int64_t n) {
  void *p = a->host;
  switch (a->type) {
  case ET_BIT: {
    if (n >> 1) return false;
    uint8_t *byte = (uint8_t *)p + (at >> 3), bit = (uint8_t)(1 << (at & 7));
    *byte = (uint8_t)(*byte & ~bit);
    if (n) *byte |= bit;
    return true;
  }
  case ET_I8:
    if (n != (int8_t)n) return false;
    ((int8_t *)p)[at] = (int8_t)n;
    return true;
  case ET_I16:
    if (n != (int16_t)n) return false;
    ((int16_t *)p)[at] = (int16_t)n;
    return true;
  case ET_I32:
    if (n != (int32_t)n) return false;
    ((int32_t *)p)[at] = (int32_t)n;
    return true;
  case ET_I64: ((int64_t *)p)[at] = n; return true;
  default: return false;
  }
}

static bool put_number(arr *a, int64_t at, const prim_number *n) {
  bool is_float = n->of == CLS_F;
  if (a->type == ET_F64) {
    if (!is_float && (n->as.i < -F64_WHOLE || n->as.i > F64_WHOLE)) return false;
    double d = n->as.d;
    if (!is_float) d = (double)n->as.i;
    ((double *)a->host)[at] = d;
  } else if (is_float || !put_int(a, at, n->as.i)) return false;
  arr_written(a);
  return true;
}

/* *n becomes x f n, of a primitive f. */
static bool join_number(vm *v, const fn *f, const prim_number *x, prim_number *n) {
  if (f->kind != F_PRIM) return false;
  prim_on_number on = prim_number_find(prim_in_force(v, (prim)f->prim, true), true);
  return prim_on_numbers(v->sv->ct, &on, *x, n);
}

bool element_put(vm *v, env *e, const bnode *b, const indices *ix, const fn *f,
                 const value *y) {
  prim_number n, old;
  if (b->kind != B_NAME && b->kind != G_NAME) return false;
  location to = space_locate_own(e, b->s, b->slot);
  if (!to.val || to.val->cls != C_ARR || to.val->num || !number_of(y, &n)) return false;
  if (!name_changes(v, e, to)) return false;
  arr *a = to.val->a;
  if (!a->rank || a->node || !arr_is_ours(a) || !needs_no_journal(v, e, to.e))
    return false;
  int64_t at = place_of(v, a, ix);
  if (at < 0) return false;
  if (f && !(prim_number_at(a, at, &old) && join_number(v, f, &old, &n))) return false;
  return put_number(a, at, &n);
}

bool number_modify(vm *v, env *e, const bnode *b, const fn *f, const value *y) {
  prim_number n, old;
  if (b->kind != G_NAME || !number_of(y, &n)) return false;
  location to = env_locate(e, b->s, b->slot);
  if (to.val->cls != C_ARR || !number_of(to.val, &old)) return false;
  return join_number(v, f, &old, &n) && name_put(v, e, b->s, to, value_number(&n));
}
