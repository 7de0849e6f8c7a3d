/* SPDX-License-Identifier: MIT */
/* groups.c - see groups.h. The host sorts by counting; a device looks keys up by tables or
 * hashing, counts them by atomics and sorts their numbers when their order is asked for. */
#include "groups.h"
#include "../../array/element.h"
#include "../run/primitive.h"

void groups_close(groups *g) {
  arr *all[] = {g->keys, g->of, g->order, g->sizes, g->pairs};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
}

/* The order and the sizes of groups whose `of` and `count` are there. */
static void count_groups(groups *g, int64_t *start) {
  const int64_t *of = g->of->host;
  int64_t *order = g->order->host, *sizes = g->sizes->host, sum = 0;
  for (int64_t k = 0; k < g->count; k++) sizes[k] = 0;
  for (int64_t i = 0; i < g->n; i++) sizes[of[i]]++;
  for (int64_t k = 0; k < g->count; k++) {
    start[k] = sum;
    sum += sizes[k];
  }
  for (int64_t i = 0; i < g->n; i++) order[start[of[i]]++] = i;
}

bool groups_open(vm *v, groups *g, arr *x) {
  prim_env pe = env_of(v);
  g->keys = prim_unique(&pe, x);
  if (!g->keys) return false;
  g->n = x->shape[0];
  g->count = g->keys->shape[0];
  g->of = arr_vec(v->c, ET_I64, g->n);
  if (g->of) g->order = arr_vec(v->c, ET_I64, g->n);
  if (g->order) g->sizes = arr_vec(v->c, ET_I64, g->count);
  OWNED arr *start = g->sizes ? arr_vec(v->c, ET_I64, g->count) : NULL;
  if (!start || !prim_lookup(&pe, g->keys, x, g->of->host)) return false;
  count_groups(g, start->host);
  return true;
}

bool groups_open_there(vm *v, groups *g, arr *x) {
  ir_call call = call_of(v);
  call.env.io = 0;
  g->keys = ir_monadic(&call, P_UNION, x);
  if (!g->keys || !ir_settle(v->g, g->keys)) return false;
  g->n = x->count;
  g->count = g->keys->count;
  g->of = ir_dyadic(&call, P_IOTA, g->keys, x);
  if (!g->of || !ir_settle(v->g, g->of)) return false;
  arr_set_range(g->of, 0, g->count - 1); /* each cell has a key */
  g->order = ir_monadic(&call, P_UP, g->of);
  OWNED arr *one = g->order ? arr_int(v->c, 1) : NULL;
  OWNED arr *zero = one ? arr_int(v->c, 0) : NULL;
  OWNED arr *count = zero ? arr_int(v->c, g->count) : NULL;
  if (!count) return false;
  g->sizes = ir_dyadic(&call, P_RHO, count, zero);
  return g->sizes && ir_put_joined(&call, P_PLUS, &g->sizes, g->of, one);
}

arr *groups_pairs(vm *v, groups *g) {
  if (g->pairs) return g->pairs;
  if (!ir_host(v->g, g->sizes)) return NULL;
  g->pairs = arr_new(v->c, ET_I64, 2, (int64_t[]){g->count, 2});
  int64_t *pair = g->pairs ? g->pairs->host : NULL, from = 0;
  for (int64_t k = 0; pair && k < g->count; k++) {
    *pair++ = from;
    *pair++ = from += arr_get_int(g->sizes, k);
  }
  return g->pairs;
}

arr *groups_elements(vm *v, const groups *g, arr *y) {
  return elements_at(v, y, g->order);
}
