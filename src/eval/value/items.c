/* SPDX-License-Identifier: MIT */
/* items.c - arrays made of items, and items taken from arrays. */
#include "items.h"
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"

arr *item_at(vm *v, arr *a, int64_t i) {
  return ir_host_own(v->g, a) ? arr_scalar_at(v->c, a, i) : NULL;
}

/* ── items as an array ──────────────────────────────────────────────────────────────── */

static void release_all(arr **items, int64_t n) {
  for (int64_t i = 0; i < n; i++) arr_release(items[i]);
}

/* The type that holds all items, ET_NEST unless they are simple scalars, which are on the host
 * then. */
static bool common_type(vm *v, arr **items, int64_t n, elt *t) {
  bool simple = true;
  arr_joined all = {0};
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(v->c, i)) return false;
    if (!items[i]->rank && !ir_host(v->g, items[i])) return false;
    if (items[i]->type == ET_NEST && !ir_settle(v->g, items[i])) return false; /* as ⊂ */
    simple = simple && is_simple_scalar(items[i]);
    if (simple) arr_join_add(&all, items[i]);
  }
  *t = ET_NEST;
  if (simple) *t = arr_joined_type(&all);
  return true;
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
  int64_t n = arr_product(rank, shape);
  elt t;
  arr *r = NULL;
  if (!rank && items[0]->ref) return items[0];
  if (common_type(v, items, n, &t)) {
    if (t != ET_NEST) r = collect_simple(v, items, t, rank, shape);
    else r = arr_new(v->c, ET_NEST, rank, shape);
  }
  bool moves = r && t == ET_NEST && n; /* else they are copied */
  if (moves) memcpy(r->host, items, (size_t)n * sizeof *items);
  else release_all(items, n);
  return r;
}

arr *collect_none(vm *v, arr *like, int rank, const int64_t *shape) {
  if (is_simple_scalar(like)) return arr_new(v->c, (elt)like->type, rank, shape);
  if (!ir_host(v->g, like)) return NULL;
  OWNED arr *proto = arr_proto(v->c, like);
  arr *r = proto ? arr_new(v->c, ET_NEST, rank, shape) : NULL;
  if (r) ((arr **)r->host)[0] = arr_move(&proto);
  return r;
}

arr *items_of(vm *v, int64_t n, arr **items) {
  for (int64_t i = 0; i < n; i++) {
    if (items[i]) continue;
    release_all(items, n);
    return NULL;
  }
  if (n) return collect(v, items, 1, &n);
  OWNED arr *like = arr_text(v->c, "", 0);
  return like ? collect_none(v, like, 1, &n) : NULL;
}

arr *items_pair(vm *v, arr *x, arr *y) { return items_of(v, 2, (arr *[]){x, y}); }

/* ── lists ──────────────────────────────────────────────────────────────────────────── */

bool list_add(arr_list *l, arr *a) {
  if (a && vec_push(l->v->c, l, a)) return true;
  arr_release(a);
  return false;
}

arr *list_array(arr_list *l) {
  size_t n = l->n;
  l->n = 0;
  return items_of(l->v, (int64_t)n, l->at);
}

void list_free(arr_list *l) {
  release_all(l->at, (int64_t)l->n);
  vec_free(l->v->c, l);
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

arr *literal_numbers(ctx *c, const tnum *num, int64_t n) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  int kind = 0;
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(c, i)) return NULL;
    if (num[i].kind > kind) kind = num[i].kind;
    if (num[i].i < lo) lo = num[i].i;
    if (num[i].i > hi) hi = num[i].i;
  }
  static const elt types[] = {[1] = ET_F64, [2] = ET_C128};
  OWNED arr *a = arr_new(c, kind ? types[kind] : elt_for_range(lo, hi), n > 1, &n);
  for (int64_t i = 0; a && i < n; i++) {
    if (stops_at(c, i)) return NULL;
    if (kind == 2) arr_put_complex(a, i, num[i].re, num[i].im);
    else if (kind == 1) arr_put_float(a, i, num[i].re);
    else arr_put_int(a, i, num[i].i);
  }
  if (a && !kind) arr_set_range(a, lo, hi);
  return arr_move(&a);
}

arr *str_take(vm *v, str *s) {
  arr *r = s->failed ? NULL : arr_text(v->c, s->at, s->n);
  str_free(s);
  return r;
}
