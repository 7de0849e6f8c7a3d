/* SPDX-License-Identifier: MIT */
/* items.c - arrays made of items, and items taken from arrays. */
#include "items.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include <string.h>

static bool is_simple_scalar(const arr *a) { return !a->rank && !is_nested(a); }

arr *collect_none(vm *v, arr *like, int rank, const int64_t *shape) {
  if (is_simple_scalar(like)) return arr_new(v->c, (elt)like->type, rank, shape);
  arr *proto = ir_host(v->g, like) ? arr_proto(v->c, like) : NULL;
  arr *r = proto ? arr_new(v->c, ET_NEST, rank, shape) : NULL;
  if (r) ((arr **)r->host)[0] = proto;
  else arr_release(proto);
  return r;
}

static arr *collect_simple(vm *v, arr **items, elt t, int rank, const int64_t *shape) {
  arr *r = arr_new(v->c, t, rank, shape);
  if (!r) return NULL;
  bool ranged = elt_is_int(t) || elt_is_char(t);
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (int64_t i = 0; i < r->count; i++) {
    arr_copy(r, i, items[i], 0, 1);
    if (!ranged) continue;
    int64_t k = arr_get_int(items[i], 0);
    if (k < lo) lo = k;
    if (k > hi) hi = k;
  }
  if (ranged && r->count) arr_set_range(r, lo, hi);
  return r;
}

arr *collect(vm *v, arr **items, int rank, const int64_t *shape) {
  int64_t n = 1;
  bool simple = true, ok = true;
  elt t = ET_BIT;
  arr *r = NULL;
  for (int k = 0; k < rank; k++) n *= shape[k];
  for (int64_t i = 0; i < n && ok; i++) {
    ok = items[i]->rank || ir_host(v->g, items[i]);
    if (!ok || !(simple = simple && is_simple_scalar(items[i]))) continue;
    t = i ? elt_join(t, (elt)items[i]->type) : (elt)items[i]->type;
  }
  if (ok && simple && t != ET_NEST) r = collect_simple(v, items, t, rank, shape);
  else if (ok && (r = arr_new(v->c, ET_NEST, rank, shape)) && n) {
    memcpy(r->host, items, (size_t)n * sizeof *items);
    return r;
  }
  for (int64_t i = 0; i < n; i++) arr_release(items[i]);
  return r;
}

arr *item_at(vm *v, arr *a, int64_t i) {
  /* Only the item is looked into: all of them for each would take the square of their
   * number. */
  arr *looked = a->host && a->type == ET_NEST ? arr_item(a, i) : a;
  return ir_host(v->g, looked) ? arr_scalar_at(v->c, a, i) : NULL;
}

arr *items_of(vm *v, int64_t n, arr **items) {
  bool ok = true;
  arr *like = NULL, *r = NULL;
  for (int64_t i = 0; i < n; i++) ok = ok && items[i];
  if (ok && n) return collect(v, items, 1, &n);
  for (int64_t i = 0; i < n; i++) arr_release(items[i]);
  if (ok && (like = arr_text(v->c, "", 0))) r = collect_none(v, like, 1, &n);
  arr_release(like);
  return r;
}

arr *items_pair(vm *v, arr *x, arr *y) { return items_of(v, 2, (arr *[]){x, y}); }

bool list_add(vm *v, arr_list *l, arr *a) {
  if (a && vec_push(v->c, l, a)) return true;
  arr_release(a);
  return false;
}

arr *list_end(vm *v, arr_list *l, bool ok) {
  for (size_t i = 0; !ok && i < l->n; i++) arr_release(l->at[i]);
  arr *r = ok ? items_of(v, (int64_t)l->n, l->at) : NULL;
  vec_free(v->c, l);
  return r;
}

arr *str_take(vm *v, str *s) {
  arr *r = s->failed ? NULL : arr_text(v->c, s->at, s->n);
  str_free(s);
  return r;
}

arr *literal_numbers(ctx *c, const tnum *num, int64_t n) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  int kind = 0;
  for (int64_t i = 0; i < n; i++) {
    if (num[i].kind > kind) kind = num[i].kind;
    if (num[i].i < lo) lo = num[i].i;
    if (num[i].i > hi) hi = num[i].i;
  }
  elt type = kind == 2 ? ET_C128 : kind == 1 ? ET_F64 : elt_for_range(lo, hi);
  arr *a = arr_new(c, type, n > 1, &n);
  for (int64_t i = 0; a && i < n; i++) {
    if (kind == 2) arr_put_complex(a, i, num[i].re, num[i].im);
    else if (kind == 1) arr_put_float(a, i, num[i].re);
    else arr_put_int(a, i, num[i].i);
  }
  if (a && !kind) arr_set_range(a, lo, hi);
  return a;
}
