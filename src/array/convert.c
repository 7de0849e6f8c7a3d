/* SPDX-License-Identifier: MIT */
/* convert.c - the same elements in another type or structure, and prototypes. */
#include "convert.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "element.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ── types ──────────────────────────────────────────────────────────────────────────── */

elt elt_join(elt a, elt b) {
  elt hi = a, lo = b;
  if (a < b) {
    hi = b;
    lo = a;
  }
  if (hi == lo) return hi;
  if (elt_is_char(lo) && elt_is_char(hi)) return hi;
  if (!elt_is_num(hi)) return ET_NEST;
  if (hi == ET_F32 && lo > ET_I16) return ET_F64;
  return hi;
}

/* Does an i16 hold each of n numbers of the type, i32 or i64? */
static bool fit_i16(elt t, const void *from, int64_t n) {
  const int32_t *small = from;
  const int64_t *large = from;
  bool fit = true;
  for (int64_t i = 0; i < n && fit; i += 256) {
    int64_t end = min_i64(n, i + 256);
    if (t == ET_I32)
      for (int64_t k = i; k < end; k++) fit &= small[k] == (int16_t)small[k];
    else
      for (int64_t k = i; k < end; k++) fit &= large[k] == (int16_t)large[k];
  }
  return fit;
}

void arr_join_add(arr_joined *j, const arr *a) {
  elt own = (elt)a->type;
  if (j->some) j->type = elt_join(j->type, own);
  else j->type = own;
  j->some = true;
  j->f32 |= own == ET_F32;
  j->f64 |= own == ET_F64 || own == ET_C128;
  bool is_long = own == ET_I32 || own == ET_I64;
  if (is_long && !j->long_integers)
    j->long_integers = !a->host || !fit_i16(own, a->host, a->count);
}

elt arr_joined_type(const arr_joined *j) {
  if (!j->some) return ET_BIT;
  if (j->type == ET_F64 && j->f32 && !j->f64 && !j->long_integers) return ET_F32;
  return j->type;
}

elt arr_join_type(const arr *x, const arr *y) {
  arr_joined j = {0};
  arr_join_add(&j, x);
  arr_join_add(&j, y);
  return arr_joined_type(&j);
}

elt arr_float_type(const arr *x, const arr *y) {
  bool some = y->type == ET_F32, wide = y->type == ET_F64 && y->rank > 0;
  if (x) {
    some |= x->type == ET_F32;
    wide |= x->type == ET_F64 && x->rank > 0;
  }
  return some && !wide ? ET_F32 : ET_F64;
}

/* An element as an item: of an empty array its fill element. */
static arr *item_of_simple(void *user, ctx *c, const arr *y, int64_t i) {
  UNUSED(user);
  if (!y->count) return arr_fill_of(c, y);
  return arr_scalar_at(c, y, i);
}

arr *arr_convert(ctx *c, arr *y, elt t) {
  if (y->type == t) return arr_retain(y);
  if (t == ET_NEST && !arr_items_fit(c, y->count)) return NULL;
  if (t == ET_NEST) return arr_map(c, y, item_of_simple, NULL);
  OWNED arr *r = arr_new(c, t, y->rank, y->shape);
  if (!r || !arr_copy_long(r, 0, y, 0, y->count)) return NULL;
  r->has_range = y->has_range && elt_is_int(t);
  r->lo = y->lo;
  r->hi = y->hi;
  return arr_move(&r);
}

arr *arr_to_f32(ctx *c, arr *y, int64_t io) {
  OWNED arr *wide = arr_convert(c, y, ET_F64);
  OWNED arr *r = wide ? arr_convert(c, wide, ET_F32) : NULL;
  if (!r) return NULL;
  const double *from = wide->host;
  const float *to = r->host;
  for (int64_t i = 0; i < y->count; i++)
    if (isinf(to[i]) && !isinf(from[i]))
      return err_null(c, ERR_DOMAIN, "element %lld is too large", (long long)(i + io));
  return arr_move(&r);
}

/* ── structure ──────────────────────────────────────────────────────────────────────── */

arr *arr_map(ctx *c, const arr *y, arr_item_fn *f, void *user) {
  if (out_of_stack(c)) return NULL; /* f may map the items of an item */
  OWNED arr *r = arr_new(c, ET_NEST, y->rank, y->shape);
  if (!r) return NULL;
  arr **items = r->host;
  for (int64_t i = 0; i < arr_item_count(y); i++) {
    items[i] = interrupted(c) ? NULL : f(user, c, y, i);
    if (!items[i]) return NULL;
  }
  return arr_move(&r);
}

/* The simple type that holds every item of a nested array, ET_NEST if there is none. */
static elt simple_type(const arr *a) {
  arr_joined all = {0};
  for (int64_t i = 0; i < arr_item_count(a); i++) {
    const arr *item = arr_item(a, i);
    if (item->rank || item->type == ET_NEST) return ET_NEST;
    arr_join_add(&all, item);
    if (all.type == ET_NEST) break;
  }
  return arr_joined_type(&all);
}

#define NANS(T, name)                                                                    \
  static bool has_##name(const T *v, int64_t n) {                                        \
    bool is = false;                                                                     \
    for (int64_t i = 0; i < n; i++) is |= isnan(v[i]);                                   \
    return is;                                                                           \
  }                                                                                      \
  static void plain_##name(T *r, const T *v, int64_t n) {                                \
    for (int64_t i = 0; i < n; i++) r[i] = isnan(v[i]) ? (T)NAN : v[i];                  \
  }
NANS(double, nan)
NANS(float, nan_single)
#undef NANS

arr *arr_plain_nan(ctx *c, arr *y) {
  int64_t n = y->count << (y->type == ET_C128);
  bool single = y->type == ET_F32, wide = y->type == ET_F64 || y->type == ET_C128;
  bool has = (single && has_nan_single(y->host, n)) || (wide && has_nan(y->host, n));
  if (!has) return arr_retain(y);
  arr *r = arr_new_as(c, (elt)y->type, y);
  if (r && single) plain_nan_single(r->host, y->host, n);
  else if (r) plain_nan(r->host, y->host, n);
  return r;
}

arr *arr_squeeze(ctx *c, arr *a) {
  if (!a || !arr_nests(a)) return a;
  if (!a->rank && arr_item(a, 0)->ref) { /* as of a simple scalar */
    arr *item = arr_retain(arr_item(a, 0));
    arr_release(a);
    return item;
  }
  elt t = simple_type(a);
  if (t == ET_NEST) return a;
  OWNED arr *nested = a;
  arr *r = arr_new(c, t, a->rank, a->shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < a->count; i++) {
    if (stops_at(c, i)) {
      arr_release(r);
      return NULL;
    }
    arr_copy(r, i, arr_item(nested, i), 0, 1);
  }
  return r;
}

arr *arr_enclose(ctx *c, arr *y) {
  if (!y->rank && !arr_nests(y)) return arr_retain(y);
  arr *a = arr_new(c, ET_NEST, 0, NULL);
  if (a) *(arr **)a->host = arr_retain(y);
  return a;
}

arr *arr_reshape(ctx *c, const arr *y, int rank, const int64_t *shape) {
  OWNED arr *r = arr_new(c, (elt)y->type, rank, shape);
  if (!r) return NULL;
  assert(r->count == y->count);
  int64_t n = y->count;
  if (y->type == ET_NEST) n = arr_item_count(y);
  if (!arr_copy_long(r, 0, y, 0, n)) return NULL;
  r->has_range = y->has_range;
  r->lo = y->lo;
  r->hi = y->hi;
  return arr_move(&r);
}

/* ── prototypes ─────────────────────────────────────────────────────────────────────── */

static arr *proto_of_item(void *user, ctx *c, const arr *y, int64_t i) {
  UNUSED(user);
  return arr_proto(c, arr_item(y, i));
}

arr *arr_proto(ctx *c, const arr *y) {
  if (y->ref) return c->fill_of_ref ? c->fill_of_ref(c, y) : arr_int(c, 0);
  if (y->type == ET_NEST) return arr_map(c, y, proto_of_item, NULL);
  elt t = ET_BIT;
  int fill = 0;
  if (elt_is_char((elt)y->type)) {
    t = ET_C8;
    fill = ' ';
  }
  OWNED arr *r = arr_new(c, t, y->rank, y->shape);
  if (!r || !mem_fill(c, r->host, fill, elt_bytes(t, y->count))) return NULL;
  r->has_range = t == ET_BIT; /* 0 to 0 */
  return arr_move(&r);
}

arr *arr_fill_of(ctx *c, const arr *y) {
  if (elt_is_char((elt)y->type)) return arr_char(c, ' ');
  if (y->type != ET_NEST) return arr_int(c, 0);
  OWNED arr *p = arr_proto(c, arr_item(y, 0));
  if (!p) return NULL;
  return arr_enclose(c, p);
}
