/* SPDX-License-Identifier: MIT */
/* groups.c - see groups.h. A device looks keys up by tables or hashing, and counts them by atomics;
 * where their order is asked for their numbers are sorted. */
#include "groups.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/sort_keys.h"
#include "../../tables/fast.h"
#include "../run/primitive.h"

void groups_close(groups *g) {
  arr *all[] = {g->cells, g->keys, g->of, g->order, g->sizes, g->pairs};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  *g = (groups){0};
}

static prim_env env_from_0(vm *v) {
  prim_env e = env_of(v);
  e.io = 0;
  return e;
}

/* How many cells have each key, by their numbers. */
static arr *counted(vm *v, groups *g) {
  if (!groups_of(v, g) || !ir_host(v->g, g->of)) return NULL;
  OWNED arr *r = arr_vec(v->c, ET_I64, g->count);
  if (!r) return NULL;
  for (int64_t k = 0; k < g->count; k++) ((int64_t *)r->host)[k] = 0;
  return prim_count_each(v->c, g->of, 0, g->count, r->host) ? arr_move(&r) : NULL;
}

static arr *sizes_here(vm *v, groups *g) {
  prim_env e = env_from_0(v);
  bool vector = g->keys->rank == 1 && g->count && sort_is_whole(g->keys);
  OWNED arr *counts = NULL;
#define FAST_COUNT_EQUAL(way)                                                            \
  if (vector) FAST_FIRST(counts, v->c, way(&e, g->keys, g->cells))
#include "../../tables/fast.def"
  if (counts) return arr_convert(v->c, counts, ET_I64);
  return err_is(v->c) ? NULL : counted(v, g);
}

bool groups_open(vm *v, groups *g, arr *x) {
  prim_env e = env_from_0(v);
  g->keys = prim_unique(&e, x);
  if (!g->keys) return false;
  g->cells = arr_retain(x);
  g->n = x->shape[0];
  g->count = g->keys->shape[0];
  g->sizes = sizes_here(v, g);
  return g->sizes;
}

/* For each element of the vector x the number of the one that equals it among the different ones,
 * *first. */
static arr *numbers_of(const ir_call *call, arr *x, arr **first) {
  arr *few = NULL;
  *first = ir_few_different(call, x, &few);
  if (*first || err_is(call->env.c)) return few;
  *first = ir_monadic(call, P_UNION, x);
  if (!*first || !ir_settle(call->g, *first)) return NULL;
  OWNED arr *of = ir_dyadic(call, P_IOTA, *first, x);
  if (!of || !ir_settle(call->g, of)) return NULL;
  arr_set_range(of, 0, (*first)->count - 1);
  return arr_move(&of);
}

/* A number for each row of the matrix x, equal for equal rows: its columns' numbers as digits. */
static arr *numbers_of_rows(const ir_call *call, arr *x) {
  enum { MOST = 1 << 30 };
  OWNED arr *all = NULL;
  for (int64_t j = 0, count = 1; j < x->shape[1]; j++) {
    OWNED arr *at = arr_int(call->env.c, j), *first = NULL;
    OWNED arr *column = at ? ir_index(call, x, 2, (arr *[]){NULL, at}) : NULL;
    OWNED arr *of = column ? numbers_of(call, column, &first) : NULL;
    OWNED arr *base = of ? arr_int(call->env.c, first->count) : NULL;
    if (!base) return NULL;
    if (all && count * first->count > MOST) return NULL;
    OWNED arr *high = all ? ir_dyadic(call, P_TIMES, all, base) : NULL;
    if (all && !high) return NULL;
    OWNED arr *both = high ? ir_dyadic(call, P_PLUS, high, of) : arr_retain(of);
    OWNED arr *some = NULL;
    arr_release(all);
    all = both ? numbers_of(call, both, &some) : NULL;
    if (!all) return NULL;
    count = some->count;
  }
  return arr_move(&all);
}

/* The rows of x that have the first of these numbers, which `all` has, each. */
static arr *rows_at(const ir_call *call, arr *x, arr *all, arr *first) {
  OWNED arr *at = ir_dyadic(call, P_IOTA, all, first);
  OWNED arr *keys = at ? ir_index(call, x, 2, (arr *[]){at, NULL}) : NULL;
  return keys && ir_settle(call->g, keys) ? arr_move(&keys) : NULL;
}

bool groups_open_there(vm *v, groups *g, arr *x) {
  ir_call call = from_zero(call_of(v));
  OWNED arr *line = x->rank == 1 ? arr_retain(x) : numbers_of_rows(&call, x);
  OWNED arr *first = NULL;
  g->of = line ? numbers_of(&call, line, &first) : NULL;
  if (!g->of) return false;
  g->keys = x->rank == 1 ? arr_retain(first) : rows_at(&call, x, line, first);
  if (!g->keys) return false;
  g->n = line->count;
  g->count = first->count;
  return true;
}

arr *groups_sizes(vm *v, groups *g) {
  ir_call call = from_zero(call_of(v));
  if (!g->sizes && g->count == 1) g->sizes = arr_int_vec(v->c, 1, &g->n);
  if (g->sizes || err_is(v->c)) return g->sizes;
  OWNED arr *one = arr_int(v->c, 1), *zero = arr_int(v->c, 0);
  OWNED arr *count = arr_int(v->c, g->count);
  OWNED arr *sizes = one ? ir_dyadic(&call, P_RHO, count, zero) : NULL;
  bool there = sizes && ir_put_joined(&call, P_PLUS, &sizes, g->of, one);
  if (!err_is(v->c)) g->sizes = there ? arr_move(&sizes) : counted(v, g);
  return g->sizes;
}

arr *groups_of(vm *v, groups *g) {
  ir_call call = from_zero(call_of(v));
  if (!g->of && g->cells) g->of = prim_index_of(&call.env, g->keys, g->cells);
  OWNED arr *count = g->of || g->cells ? NULL : arr_int(v->c, g->count);
  OWNED arr *numbers = ir_monadic(&call, P_IOTA, count);
  if (numbers) g->of = ir_replicate(&call, g->sizes, numbers, 0, false);
  return g->of;
}

arr *groups_order(vm *v, groups *g) {
  ir_call call = from_zero(call_of(v));
  if (g->order || !groups_of(v, g)) return g->order;
  g->order = g->cells ? prim_grade_up(&call.env, g->of) : ir_monadic(&call, P_UP, g->of);
  return g->order;
}

arr *groups_pairs(vm *v, groups *g) {
  ir_call call = call_of(v);
  if (!g->pairs && groups_sizes(v, g)) g->pairs = ir_part_pairs(&call, g->sizes);
  return g->pairs;
}

arr *groups_elements(vm *v, groups *g, arr *y) {
  if (g->in_order) return arr_retain(y);
  if (g->cells && !g->order && y->rank == 1) {
    if (!ir_host(v->g, y) || !groups_of(v, g)) return NULL;
    arr *r = NULL;
#define FAST_GROUPS(way) FAST_FIRST(r, v->c, way(v->c, g->of, g->count, y))
#include "../../tables/fast.def"
    if (r || err_is(v->c)) return r;
  }
  arr *order = groups_order(v, g);
  return order ? cells_at(v, y, order) : NULL;
}

arr *groups_part(vm *v, const arr *all, const arr *pairs, int64_t k) {
  int64_t from = arr_get_int(pairs, 2 * k), n = arr_get_int(pairs, 2 * k + 1) - from;
  int64_t shape[ARR_MAX_RANK] = {n};
  for (int i = 1; i < all->rank; i++) shape[i] = all->shape[i];
  arr *r = arr_new(v->c, (elt)all->type, all->rank, shape);
  if (r && n) arr_copy(r, 0, all, from * (r->count / n), r->count);
  return r;
}
