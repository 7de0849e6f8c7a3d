/* SPDX-License-Identifier: MIT */
/* key.c - f⌸: f called for each different key with the cells that have it, or with their
 * positions. Where f only counts or folds them (idiom.c) it is not called at all: then a device
 * that has the keys counts them by atomics, and puts what is folded in their order. */
#include "../../array/element.h"
#include "../../prim/index.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "cells.h"
#include "idiom.h"
#include "oper.h"
#include "segments.h"

typedef struct groups { /* which cells have which key */
  ctx *c;
  arr *keys;           /* the different ones */
  int64_t n, count;    /* cells; keys */
  int64_t *start, *at; /* key k's cells: at[start[k]] … at[start[k+1]-1] */
  arr *of, *sizes; /* or, on a device: each cell's key, from ⎕IO; how many have each */
} groups;

static void groups_close(groups *g) {
  arr_release(g->keys);
  arr_release(g->of);
  arr_release(g->sizes);
  mem_free(g->c, g->start);
  mem_free(g->c, g->at);
}
#define OWNED_GROUPS __attribute__((cleanup(groups_close))) groups

/* Counting sort: of[i] is the key of cell i. */
static void groups_sort(groups *g, const int64_t *of) {
  for (int64_t i = 0; i < g->n; i++) g->start[of[i] + 2]++;
  for (int64_t k = 2; k < g->count + 2; k++) g->start[k] += g->start[k - 1];
  for (int64_t i = 0; i < g->n; i++) g->at[g->start[of[i] + 1]++] = i;
}

static bool groups_open(vm *v, groups *g, arr *x) {
  prim_env pe = env_of(v);
  g->keys = prim_unique(&pe, x);
  if (!g->keys) return false;
  g->n = x->shape[0];
  g->count = g->keys->shape[0];
  if (g->n > PTRDIFF_MAX / 64)
    return err_set(v->c, ERR_WS_FULL, "%lld cells", (long long)g->n);
  g->start = mem_zalloc(v->c, (size_t)(g->count + 2) * sizeof *g->start);
  if (!g->start) return false;
  g->at = mem_alloc(v->c, (size_t)(g->n + 1) * sizeof *g->at);
  if (!g->at) return false;
  int64_t *of = mem_alloc(v->c, (size_t)(g->n + 1) * sizeof *of);
  if (!of) return false;
  bool ok = prim_lookup(&pe, g->keys, x, of);
  if (ok) groups_sort(g, of);
  mem_free(v->c, of);
  return ok;
}

/* The same where a device has the vector x; false without an error: it is for the host. */
static bool groups_there(vm *v, groups *g, arr *x) {
  ir_call call = call_of(v);
  g->keys = prim1(v, P_UNION, x);
  if (!g->keys) return false;
  g->n = x->count;
  g->count = g->keys->count;
  g->of = prim2(v, P_IOTA, g->keys, x);
  OWNED arr *one = g->of ? arr_int(v->c, 1) : NULL;
  OWNED arr *zero = one ? arr_int(v->c, 0) : NULL;
  OWNED arr *count = zero ? arr_int(v->c, g->count) : NULL;
  if (!count) return false;
  g->sizes = prim2(v, P_RHO, count, zero);
  return g->sizes && ir_put_joined(&call, P_PLUS, &g->sizes, g->of, one);
}

/* The positions, from ⎕IO, of the cells with key k. */
static arr *positions(vm *v, const groups *g, int64_t k) {
  if (k == CELL_OF_FILLS) return arr_vec(v->c, ET_BIT, 0);
  int64_t from = g->start[k], n = g->start[k + 1] - from, io = v->sv->io;
  arr *r = arr_vec(v->c, elt_for_range(0, g->n), n);
  for (int64_t i = 0; r && i < n; i++) arr_put_int(r, i, g->at[from + i] + io);
  return r;
}

static arr *make_positions(vm *v, const cells *c, int64_t k) {
  return positions(v, c->how, k);
}

static arr *make_group(vm *v, const cells *c, int64_t k) {
  prim_env pe = env_of(v);
  arr *at[ARR_MAX_RANK] = {NULL};
  OWNED arr *where = positions(v, c->how, k);
  at[0] = where;
  if (!where) return NULL;
  return prim_index(&pe, c->of, c->of->rank, at);
}

/* ── counts and folds of groups ─────────────────────────────────────────────────────── */

static arr *group_sizes(vm *v, const groups *g) {
  if (g->sizes) return arr_retain(g->sizes);
  arr *n = arr_vec(v->c, elt_for_range(0, g->n), g->count);
  for (int64_t k = 0; n && k < g->count; k++)
    arr_put_int(n, k, g->start[k + 1] - g->start[k]);
  return n;
}

/* The elements of the vector `of` by groups, one behind the other. */
static arr *by_groups(vm *v, const groups *g, arr *of) {
  prim_env pe = env_of(v);
  pe.io = 0;
  if (g->of) {
    OWNED arr *order = prim1(v, P_UP, g->of);
    return order ? index_of(v, of, 1, &order) : NULL;
  }
  OWNED arr *at = arr_int_vec(v->c, g->n, g->at);
  if (!at) return NULL;
  return prim_index(&pe, of, 1, (arr *[]){at});
}

/* `whole`, a fold, of the elements of `of` in each group; NULL without an error where segments_fold
 * leaves it to be done group by group. */
static arr *group_folds(vm *v, const groups *g, fn *whole, arr *of) {
  OWNED arr *pairs = arr_new(v->c, ET_I64, 2, (int64_t[]){g->count, 2});
  if (!pairs || of->rank != 1 || of->type > ET_F64) return NULL;
  if (g->sizes && !ir_host(v->g, g->sizes)) return NULL;
  int64_t *pair = pairs->host, from = 0;
  for (int64_t k = 0; k < g->count; k++) {
    *pair++ = from;
    from = g->sizes ? from + arr_get_int(g->sizes, k) : g->start[k + 1];
    *pair++ = from;
  }
  OWNED arr *y = by_groups(v, g, of);
  if (!y) return NULL;
  return segments_fold(v, whole, y, pairs);
}

/* What the operand makes of each group; NULL without an error: it has to be called. */
static arr *group_parts(vm *v, const groups *g, part_idiom part, arr *of) {
  if (part.kind == PART_SIZE) return group_sizes(v, g);
  if (!of) return NULL;
  return group_folds(v, g, part.f, of);
}

/* One row for each key: the key and what is made of its group. */
static arr *keys_and_parts(vm *v, const groups *g, arr *parts) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, parts) || !ir_host(v->g, g->keys)) return NULL;
  OWNED arr *column = prim_table_of(&pe, parts);
  if (!column) return NULL;
  OWNED arr *rows = prim_table_of(&pe, g->keys);
  if (!rows) return NULL;
  return prim_catenate(&pe, rows, column);
}

/* Do the rows of keys_and_parts look as what the operand gives for each key? */
static bool can_be_rows(const groups *g, key_shape shape) {
  const arr *keys = g->keys;
  if (!g->count || keys->rank > 2) return false;
  switch (shape) {
  case KEY_PART: return true;
  case KEY_CATENATED: return keys->rank == 1 || keys->shape[1];
  case KEY_STRANDED: return keys->rank == 1;
  default: return false;
  }
}

/* The result without a call of the operand; NULL without an error: it has to be called. */
static arr *key_by_idiom(vm *v, const groups *g, key_idiom idiom, arr *of) {
  if (!can_be_rows(g, idiom.shape)) return NULL;
  OWNED arr *parts = group_parts(v, g, idiom.part, of);
  if (!parts || idiom.shape == KEY_PART) return arr_move(&parts);
  return keys_and_parts(v, g, parts);
}

/* ── ⌸ ──────────────────────────────────────────────────────────────────────────────── */

/* The result where a device has the keys, or what they are the keys of; NULL without an error:
 * it is for the host. */
static arr *key_there(vm *v, fn *f, arr *keys, arr *of) {
  OWNED_GROUPS g = {.c = v->c};
  key_idiom idiom;
  if (keys->rank != 1 || !keys->count || (keys->host && (!of || of->host))) return NULL;
  if (is_nested(keys) || !key_idiom_of(v, f, keys, &idiom)) return NULL;
  if (idiom.shape == KEY_NONE || (idiom.part.kind != PART_SIZE && !of)) return NULL;
  return groups_there(v, &g, keys) ? key_by_idiom(v, &g, idiom, of) : NULL;
}

static arr *key_groups(vm *v, fn *f, const groups *g, arr *of) {
  OWNED_CELLS keys = cells_of_rank(g->keys, g->keys->rank - 1);
  OWNED_CELLS parts = {.make = of ? make_group : make_positions,
                       .of = of,
                       .how = g,
                       .count = g->count,
                       .repeat = 1};
  OWNED_RESULTS all = results_open(v, 1, &g->count);
  if (!call_cells(v, f, &keys, &parts, &all)) return NULL;
  return results_mix(&all);
}

static arr *key_call(vm *v, fn *f, arr *x, arr *y) {
  OWNED_GROUPS g = {.c = v->c};
  key_idiom idiom;
  if ((x && !ir_settle(v->g, x)) || !ir_settle(v->g, y)) return NULL;
  arr *keys = x ? x : y, *of = x ? y : NULL;
  if (!keys->rank || !y->rank)
    return err_null(v->c, ERR_RANK, "a scalar has no cells to be grouped");
  if (x && arr_first_axis(x) != arr_first_axis(y))
    return err_null(v->c, ERR_LENGTH, "there must be as many keys as cells");
  arr *there = key_there(v, f, keys, of);
  if (there || err_is(v->c)) return there;
  if (!ir_host(v->g, keys) || (of && !ir_host(v->g, of))) return NULL;
  if (!groups_open(v, &g, keys) || !key_idiom_of(v, f, keys, &idiom)) return NULL;
  arr *r = key_by_idiom(v, &g, idiom, of);
  if (r || err_is(v->c)) return r;
  return key_groups(v, f, &g, of);
}

bool oper_key(vm *v, fn *f, arr *x, arr *y, arr **r) {
  return give_result(r, key_call(v, f->l.f, x, y));
}
